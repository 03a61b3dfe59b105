//! Coverage in the report for people: a line for each generator, and the regions of a package that no input reached.

use std::fmt::Write;

use super::style::{BOLD, DIM, GOOD, ODD};
use crate::events::{FunctionCovered, PackageCovered, Share};

/// Maximum number of unreached regions that are shown.
const SHOWN: usize = 10;

/// The coverage of each generator on one function.
pub(super) fn function(covered: &[FunctionCovered]) -> String {
    let mut text = String::new();
    let width = covered
        .iter()
        .map(|one| crate::system::printable::plain(&one.generator).chars().count())
        .max()
        .unwrap_or_default();
    for one in covered {
        let FunctionCovered { generator, cases, regions, lines, n_adding, .. } = one;
        let generator = crate::system::printable::plain(generator);
        let style = if regions.covered == regions.total { GOOD } else { ODD };
        let _ = writeln!(
            text,
            "  {DIM}coverage{DIM:#}  {generator:width$}  {style}{}{style:#}, {}  {DIM}{n_adding} of {cases} inputs add{DIM:#}",
            share(*regions, "regions"),
            share(*lines, "lines"),
        );
        for note in &one.notes {
            let _ = writeln!(text, "    {}", crate::system::printable::plain(note));
        }
    }
    text
}

/// The coverage of a package by all generators.
pub(super) fn package(covered: &PackageCovered) -> String {
    let mut text = String::new();
    let PackageCovered { package, regions, lines, functions, files } = covered;
    let _ = writeln!(
        text,
        "{BOLD}coverage of {}{BOLD:#}: {}, {}, {}",
        crate::system::printable::plain(package),
        share(*regions, "regions"),
        share(*lines, "lines"),
        share(*functions, "functions"),
    );
    let mut uncovered: Vec<(&str, u32, Vec<u32>)> = Vec::new();
    for file in files {
        for region in &file.uncovered {
            match uncovered.last_mut().filter(|last| (last.0, last.1) == (&file.file, region.line)) {
                Some((.., columns)) => columns.push(region.column),
                None => uncovered.push((&file.file, region.line, vec![region.column])),
            }
        }
    }
    for (file, line, columns) in uncovered.iter().take(SHOWN) {
        let more = match columns.len() {
            1 => String::new(),
            n => format!("  {DIM}{n} regions{DIM:#}"),
        };
        let (file, column) = (crate::system::printable::plain(file), columns[0]);
        let _ = writeln!(text, "  {ODD}not reached{ODD:#}: {file}:{line}:{column}{more}");
    }
    let more = uncovered.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "  {ODD}not reached{ODD:#}: parts of {more} more lines");
    }
    text
}

fn share(share: Share, of: &str) -> String {
    format!("{}/{} {of}", share.covered, share.total)
}
