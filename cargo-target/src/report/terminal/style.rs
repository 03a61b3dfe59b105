//! The colors of the report for people.

use anstyle::{AnsiColor, Style};

use crate::events::outcome::Verdict;

pub const BOLD: Style = Style::new().bold();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const ODD: Style = AnsiColor::Yellow.on_default().bold();
pub const DIM: Style = Style::new().dimmed();

/// The color of a verdict.
pub fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Passed => GOOD,
        Verdict::GaveUp => ODD,
        Verdict::Failed | Verdict::Vacuous | Verdict::Error => BAD,
    }
}
