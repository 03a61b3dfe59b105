//! Coverage for the page's script: each generator's coverage of a function, and the files of a package with unreached
//! code.

use serde::Serialize;

use super::curve::thinned;
use super::spread::{number, rounded};
use crate::events::{AddingInput, CoveredPoint, FunctionCovered, PackageCovered, Place, RegionEvent, Share};

/// Number of points in a plot: enough for a smooth line.
const POINTS: usize = 64;

/// Maximum number of inputs and of positions on a page.
const SHOWN: usize = 20;

/// The coverage of a generator on a function.
#[derive(Debug, Serialize)]
pub struct Covered<'e> {
    generator: &'e str,
    cases: u64,
    regions: Share,
    lines: Share,
    functions: Share,
    /// Seconds, cases, regions, lines.
    curve: Vec<[serde_json::Number; 4]>,
    n_adding: u64,
    adding: &'e [AddingInput],
    n_missed: usize,
    missed: &'e [Place],
    notes: &'e [String],
}

impl<'e> Covered<'e> {
    /// The data of an event.
    pub fn new(event: &'e FunctionCovered) -> Covered<'e> {
        let row = |point: &CoveredPoint| {
            let [cases, regions, lines] = [point.cases, point.regions, point.lines].map(Into::into);
            [number(rounded(point.seconds)), cases, regions, lines]
        };
        Covered {
            generator: &event.generator,
            cases: event.cases,
            regions: event.regions,
            lines: event.lines,
            functions: event.functions,
            curve: thinned(&event.curve, POINTS).map(row).collect(),
            n_adding: event.n_adding,
            adding: &event.adding[..event.adding.len().min(SHOWN)],
            n_missed: event.missed.len(),
            missed: &event.missed[..event.missed.len().min(SHOWN)],
            notes: &event.notes,
        }
    }
}

/// A package in the overview.
#[derive(Debug, Serialize)]
pub struct PackageLine {
    package: String,
    files: Vec<FileLine>,
}

/// A file in the overview; shares are numbers to sort by and texts.
#[derive(Debug, Serialize)]
struct FileLine {
    /// The number of its data, if its text can be shown.
    number: Option<usize>,
    file: String,
    shares: [String; 3],
    is_total: bool,
}

/// The text of a file, and which of it ran.
#[derive(Debug, Serialize)]
pub struct Text<'e> {
    file: &'e str,
    source: &'e str,
    counts: Vec<(u32, u64)>,
    uncovered: Vec<[u32; 4]>,
}

/// The overview of a package, and its numbered texts.
pub fn package(event: &PackageCovered, first: usize) -> (PackageLine, Vec<Text<'_>>) {
    let mut texts = Vec::new();
    let mut files: Vec<FileLine> = Vec::new();
    for file in &event.files {
        let number = file.source.as_deref().map(|source| {
            let region =
                |region: &RegionEvent| [region.line, region.column, region.end_line, region.end_column];
            texts.push(Text {
                file: &file.file,
                source,
                counts: file.counts.iter().map(|line| (line.line, line.count)).collect(),
                uncovered: file.uncovered.iter().map(region).collect(),
            });
            first + texts.len() - 1
        });
        let shares = [file.regions, file.lines, file.functions].map(share);
        files.push(FileLine { number, file: file.file.clone(), shares, is_total: false });
    }
    let shares = [event.regions, event.lines, event.functions].map(share);
    files.push(FileLine { number: None, file: "all".to_owned(), shares, is_total: true });
    (PackageLine { package: event.package.clone(), files }, texts)
}

fn share(Share { covered, total }: Share) -> String {
    match total {
        0 => "–".to_owned(),
        _ => format!("{covered} of {total} ({}\u{a0}%)", covered * 100 / total),
    }
}
