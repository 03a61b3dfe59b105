//! Coverage as lcov's tracefiles, which editors, `genhtml` and the services read: a fold of [`PackageCovered`].
//!
//! Of the format there are functions and lines; regions it doesn't have, and the branches that it has instead can't be
//! told from what rustc's stable releases count.

use std::fmt::Write;

use anyhow::Result;

use crate::event::{Event, FileCovered, PackageCovered};

/// What a run reached.
pub fn render(events: impl Iterator<Item = Result<Event>>) -> Result<String> {
    let mut packages = Vec::new();
    for event in events {
        if let Event::PackageCovered(package) = event? {
            packages.push(*package);
        }
    }
    Ok(text(&packages))
}

/// What was reached of some packages.
pub fn text(packages: &[PackageCovered]) -> String {
    let mut text = String::new();
    packages.iter().flat_map(|package| &package.files).for_each(|covered| file(&mut text, covered));
    text
}

fn file(text: &mut String, covered: &FileCovered) {
    // Nothing can go wrong in writing to a string.
    let _ = writeln!(text, "SF:{}", covered.file.replace(['\n', '\r'], "?"));
    for function in &covered.functions_in_it {
        let _ = writeln!(text, "FN:{},{}", function.line, function.name);
    }
    for function in &covered.functions_in_it {
        let _ = writeln!(text, "FNDA:{},{}", function.count, function.name);
    }
    let _ = writeln!(text, "FNF:{}\nFNH:{}", covered.functions.total, covered.functions.covered);
    for line in &covered.counts {
        let _ = writeln!(text, "DA:{},{}", line.line, line.count);
    }
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", covered.lines.total, covered.lines.covered);
}
