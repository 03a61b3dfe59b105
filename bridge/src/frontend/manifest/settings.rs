//! The options: read from a table, merged, and completed by the defaults.

use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Document, shown};
use super::quantity::{parse_duration, parse_size};
use crate::frontend::diagnostic::Diagnostic;

/// The keys of the options.
pub(super) const OPTIONS: [&str; 8] =
    ["depth", "bound", "cases", "budget", "boundary", "timeout", "memory", "plan-memory"];

/// Maximum depth, in levels. Deeper inputs could not be built or counted.
pub const DEEPEST: u32 = 200;

/// The same for sets of different inputs that don't nest: a length, of which a set may have all.
pub const LONGEST: u32 = 5_000;

/// Maximum bound.
pub const GREATEST_BOUND: u32 = 1_000_000;

/// Options as written in one table; missing options are inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartialSettings {
    /// `depth`
    pub depth: Option<u32>,
    /// `bound`
    pub bound: Option<u32>,
    /// `cases`
    pub cases: Option<u64>,
    /// `budget`
    pub budget: Option<Duration>,
    /// `boundary`
    pub boundary: Option<bool>,
    /// `timeout`
    pub timeout: Option<Duration>,
    /// `memory`, in bytes
    pub memory: Option<u64>,
    /// `plan-memory`, in bytes
    pub plan_memory: Option<u64>,
}

/// The effective options of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Maximum length of lists, and nesting of constructors.
    pub depth: u32,
    /// Maximum magnitude of integers.
    pub bound: u32,
    /// Maximum number of valid inputs, per generator.
    pub cases: u64,
    /// Maximum time for generating and running, per generator.
    pub budget: Duration,
    /// Whether to try boundary values too.
    pub boundary: bool,
    /// The time limit of a case.
    pub timeout: Duration,
    /// The memory limit of a case, in bytes.
    pub memory: u64,
    /// The memory limit of planning and counting, in bytes; `None` if it depends on the machine.
    pub plan_memory: Option<u64>,
}

impl PartialSettings {
    /// These options, with missing options taken from `base`.
    pub fn over(&self, base: &PartialSettings) -> PartialSettings {
        PartialSettings {
            depth: self.depth.or(base.depth),
            bound: self.bound.or(base.bound),
            cases: self.cases.or(base.cases),
            budget: self.budget.or(base.budget),
            boundary: self.boundary.or(base.boundary),
            timeout: self.timeout.or(base.timeout),
            memory: self.memory.or(base.memory),
            plan_memory: self.plan_memory.or(base.plan_memory),
        }
    }

    /// These options, with defaults for missing options.
    pub fn resolve(&self) -> Settings {
        let depth = self.depth.unwrap_or(4);
        Settings {
            depth,
            bound: self.bound.unwrap_or(depth),
            cases: self.cases.unwrap_or(10_000),
            budget: self.budget.unwrap_or(Duration::from_secs(10)),
            boundary: self.boundary.unwrap_or(true),
            timeout: self.timeout.unwrap_or(Duration::from_secs(1)),
            memory: self.memory.unwrap_or(512 << 20),
            plan_memory: self.plan_memory,
        }
    }

    /// Reads the value of one of [`OPTIONS`].
    pub(super) fn read(
        &mut self,
        document: &Document<'_>,
        option: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Diagnostic> {
        match option {
            "depth" => self.depth = Some(integer(document, option, value, 0, LONGEST.into())? as u32),
            "bound" => self.bound = Some(integer(document, option, value, 0, GREATEST_BOUND.into())? as u32),
            "cases" => self.cases = Some(integer(document, option, value, 1, 1_000_000_000_000)? as u64),
            "budget" => self.budget = Some(quantity(document, option, value, "10s", parse_duration)?),
            "timeout" => self.timeout = Some(quantity(document, option, value, "1s", parse_duration)?),
            "memory" => self.memory = Some(quantity(document, option, value, "512 MiB", parse_size)?),
            "plan-memory" => {
                self.plan_memory = Some(quantity(document, option, value, "1 GiB", parse_size)?);
            }
            _ => self.boundary = Some(boolean(document, option, value)?),
        }
        Ok(())
    }
}

fn integer(
    document: &Document<'_>,
    option: &str,
    value: &Spanned<DeValue<'_>>,
    least: i128,
    greatest: i128,
) -> Result<i128, Diagnostic> {
    let span = document.value_span(value);
    let DeValue::Integer(written) = value.get_ref() else {
        let mistake = document.wrong_kind(value, &format!("`{option}` must be an integer"));
        let in_quotes =
            value.get_ref().as_str().and_then(|text| text.trim().replace('_', "").parse::<i128>().ok());
        return Err(match in_quotes {
            Some(number) => mistake.help(format!("write it without quotes: {option} = {number}")),
            None => mistake,
        });
    };
    let number = i128::from_str_radix(written.as_str(), written.radix()).ok();
    let range = format!("`{option}` must lie between {least} and {greatest}");
    match number {
        Some(number) if (least..=greatest).contains(&number) => Ok(number),
        _ => Err(Diagnostic::error(span, range).label("out of range")),
    }
}

fn boolean(document: &Document<'_>, option: &str, value: &Spanned<DeValue<'_>>) -> Result<bool, Diagnostic> {
    let wanted = format!("`{option}` must be `true` or `false`");
    value.get_ref().as_bool().ok_or_else(|| {
        let mistake = document.wrong_kind(value, &wanted);
        match value.get_ref().as_str().and_then(|text| text.parse::<bool>().ok()) {
            Some(word) => mistake.help(format!("write it without quotes: {option} = {word}")),
            None => mistake,
        }
    })
}

fn quantity<T>(
    document: &Document<'_>,
    option: &str,
    value: &Spanned<DeValue<'_>>,
    example: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Diagnostic> {
    let Some(text) = document.string(value) else {
        let wanted = format!("`{option}` must be a string such as \"{example}\"");
        return Err(document.wrong_kind(value, &wanted));
    };
    let kind = if option.ends_with("memory") { "a size of memory" } else { "a duration" };
    parse(&text.text).map_err(|expected| {
        Diagnostic::error(text.whole(), format!("`{}` is not {kind}", shown(&text.text))).help(expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_inherited_and_then_default() {
        let workspace = PartialSettings { depth: Some(2), cases: Some(7), ..PartialSettings::default() };
        let package = PartialSettings { depth: Some(6), boundary: Some(false), ..PartialSettings::default() };
        let settings = package.over(&workspace).resolve();
        assert_eq!((settings.depth, settings.bound, settings.cases, settings.boundary), (6, 6, 7, false));
        let defaults = PartialSettings::default().resolve();
        assert_eq!((defaults.depth, defaults.bound, defaults.cases), (4, 4, 10_000));
        assert_eq!((defaults.budget.as_secs(), defaults.timeout.as_secs()), (10, 1));
        assert_eq!((defaults.memory, defaults.boundary), (536_870_912, true));
    }
}
