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

/// A name that can't begin a record of its own.
fn in_one_line(name: &str) -> String {
    name.replace(['\n', '\r'], "?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::FunctionCount;

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
