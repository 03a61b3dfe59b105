//! What a run without specs found: failures of public functions, one for each place and message.

use serde::{Deserialize, Serialize};

/// The failures of public functions at one place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// What happened.
    pub kind: FindingKind,
    /// Whether it is likely a bug.
    pub rank: Rank,
    /// Why it is likely none.
    pub note: Option<String>,
    /// The message of the panic, or the like.
    pub message: String,
    /// `file:line:column` of the innermost place in the package itself, if known.
    pub location: Option<String>,
    /// `file:line:column` of the place that panicked, if that is elsewhere.
    pub origin: Option<String>,
    /// The functions that fail so, by their paths in the crate; the one of `calls` is first. Of a law: `Type as Trait`.
    pub functions: Vec<String>,
    /// Rust statements and the expression that fails, as small as was found.
    pub calls: Vec<String>,
    /// The same as a test to paste.
    pub test: String,
    /// Number of cases that failed so.
    pub cases: u64,
    /// Whether an earlier run saved the input of `calls`.
    #[serde(default)]
    pub saved: bool,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Integer arithmetic overflowed.
    Overflow,
    /// A division by zero.
    Division,
    /// An index, a range or a character boundary outside of what there is.
    Bounds,
    /// `unwrap` or `expect` of what is not there.
    Unwrap,
    /// An assertion failed.
    Assertion,
    /// Any other panic.
    Panic,
    /// The process ended.
    Abort,
    /// No result within the time limit.
    Hang,
    /// The stack overflowed.
    StackOverflow,
    /// The memory limit was reached.
    Memory,
    /// A law of a trait is broken.
    Law,
}

/// Whether a finding is likely a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// It is.
    Likely,
    /// The function says that it refuses such arguments, or is not written yet.
    Unlikely,
}

/// A public function that was not tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unreached {
    /// Its path in the crate.
    pub function: String,
    /// Why.
    pub why: String,
}

impl FindingKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Overflow => "overflow",
            FindingKind::Division => "division",
            FindingKind::Bounds => "bounds",
            FindingKind::Unwrap => "unwrap",
            FindingKind::Assertion => "assertion",
            FindingKind::Panic => "panic",
            FindingKind::Abort => "abort",
            FindingKind::Hang => "hang",
            FindingKind::StackOverflow => "stack-overflow",
            FindingKind::Memory => "memory",
            FindingKind::Law => "law",
        }
    }
}
