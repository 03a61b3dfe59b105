//! The events of a run with `--coverage`: the parts of the user's code that ran, by generator and for the whole
//! package.
//!
//! A *region* is a piece of source text that runs as a whole or not at all, as rustc splits it: an arm, a branch, the
//! code after a `?`. Code that rustc compiles several times (generic functions) counts once.

use serde::{Deserialize, Serialize};

use super::Word;

/// How much of something ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Share {
    /// What ran.
    pub covered: u64,
    /// What there is.
    pub total: u64,
}

/// What one generator's inputs reached: the first cases of its run, once more, in an instrumented build of the crate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionCovered {
    /// The package's name.
    pub package: String,
    /// The key of the spec.
    pub function: String,
    /// `smt`, `native`, `random` or `enumerative`.
    pub generator: Word,
    /// How many cases ran, valid and discarded together.
    pub cases: u64,
    /// What kept it from running as many cases as the run had, or from telling what they reached.
    pub notes: Vec<String>,
    /// Regions of the functions of the package that any generator entered for this spec.
    pub regions: Share,
    /// Lines of the same functions.
    pub lines: Share,
    /// These functions.
    pub functions: Share,
    /// How the counts grew, with at most 200 points; the last one is the end.
    pub curve: Vec<CoveredPoint>,
    /// How many inputs reached a region that no earlier one had reached.
    pub n_adding: u64,
    /// The first 200 of them.
    pub adding: Vec<AddingInput>,
    /// The first 200 regions that another generator reached for this spec, and this one didn't.
    pub missed: Vec<Place>,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoveredPoint {
    /// Valid and discarded together.
    pub cases: u64,
    /// Since the instrumented run began, generating included.
    pub seconds: f64,
    /// Regions reached.
    pub regions: u64,
    /// Lines reached.
    pub lines: u64,
}

/// An input that reached something new.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AddingInput {
    /// Its number among all cases, 1-based.
    pub case: u64,
    /// The arguments as Rust expressions.
    pub args: Vec<String>,
    /// How many regions it was the first to reach.
    pub regions: u64,
}

/// A region's location in a file of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Place {
    /// The file, as [`FileCovered::file`] names it.
    pub file: String,
    /// Where it is in it.
    pub region: RegionEvent,
}

/// A region of a file; lines and columns are 1-based, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegionEvent {
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last one.
    pub end_column: u32,
}

/// What all generators reached together, for all functions that ran.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackageCovered {
    /// The package's name.
    pub package: String,
    /// Of the package's whole library.
    pub regions: Share,
    /// Of the package's whole library.
    pub lines: Share,
    /// Of the package's whole library.
    pub functions: Share,
    /// The files with code, by name.
    pub files: Vec<FileCovered>,
}

/// A file of a package.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileCovered {
    /// Its path, relative to the workspace where it is in there.
    pub file: String,
    /// Its regions.
    pub regions: Share,
    /// Its lines with code.
    pub lines: Share,
    /// Its functions.
    pub functions: Share,
    /// Its lines with code, in order, and how often they ran.
    pub counts: Vec<LineCount>,
    /// Its regions that no input reached, in order.
    pub uncovered: Vec<RegionEvent>,
    /// Its functions, in order.
    pub functions_in_it: Vec<FunctionCount>,
    /// Its text; `None` if it can't be read, or if the texts of all files take more than 2 MB.
    pub source: Option<String>,
}

/// A line, and how often it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LineCount {
    /// 1-based.
    pub line: u32,
    /// How often: that of the region on it that ran most.
    pub count: u64,
}

/// A function of the source, and how often it was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionCount {
    /// Its path, with type arguments where rustc tells them: `tree::Tree::insert`.
    pub name: String,
    /// Where it begins, 1-based.
    pub line: u32,
    /// How often.
    pub count: u64,
}
