//! Coverage as a tracefile of lcov, which editors, `genhtml` and services read: a fold of [`PackageCovered`].
//!
//! It lists functions and lines. The format has no regions; it has branches, but rustc's stable releases don't count
//! those.

use std::fmt::Write;

use anyhow::Result;

use crate::events::{Event, FileCovered, PackageCovered};
use crate::system::exit_code::usage;

/// The coverage of a run; an error if it has none.
pub fn render(events: impl Iterator<Item = Result<Event>>) -> Result<String> {
    let mut packages = Vec::new();
    for event in events {
        if let Event::PackageCovered(package) = event? {
            packages.push(*package);
        }
    }
    if packages.is_empty() {
        return Err(usage("the run has no coverage: `cargo target run --coverage` counts what is reached"));
    }
    Ok(text(&packages))
}

/// The coverage of some packages.
pub fn text(packages: &[PackageCovered]) -> String {
    let mut text = String::new();
    packages.iter().flat_map(|package| &package.files).for_each(|covered| file(&mut text, covered));
    text
}

fn file(text: &mut String, covered: &FileCovered) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "SF:{}", in_one_line(&covered.file));
    for function in &covered.functions_in_it {
        let _ = writeln!(text, "FN:{},{}", function.line, in_one_line(&function.name));
    }
    for function in &covered.functions_in_it {
        let _ = writeln!(text, "FNDA:{},{}", function.count, in_one_line(&function.name));
    }
    let _ = writeln!(text, "FNF:{}\nFNH:{}", covered.functions.total, covered.functions.covered);
    for line in &covered.counts {
        let _ = writeln!(text, "DA:{},{}", line.line, line.count);
    }
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", covered.lines.total, covered.lines.covered);
}

/// A name that can't start a new record.
fn in_one_line(name: &str) -> String {
    name.replace(['\n', '\r'], "?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::FunctionCount;

    #[test]
    fn a_run_without_coverage_makes_no_empty_file() {
        let error = render(std::iter::empty()).unwrap_err();
        assert!(error.to_string().contains("has no coverage"), "{error}");
    }

    #[test]
    fn no_name_begins_a_line() {
        let name = "a\nend_of_record\rb".to_owned();
        let covered = FileCovered {
            file: name.clone(),
            regions: Default::default(),
            lines: Default::default(),
            functions: Default::default(),
            counts: Vec::new(),
            uncovered: Vec::new(),
            functions_in_it: vec![FunctionCount { name, line: 1, count: 2 }],
            source: None,
        };
        let mut text = String::new();
        file(&mut text, &covered);
        let expected = "SF:a?end_of_record?b\nFN:1,a?end_of_record?b\nFNDA:2,a?end_of_record?b\nFNF:0\nFNH:0\nLF:0\nLH:0\nend_of_record\n";
        assert_eq!(text, expected);
    }
}
