//! Reads the `[package.metadata.target]` tables: turns TOML text into spec texts with their spans.
//!
//! It checks keys and kinds of values; [`crate::frontend::spec`] parses the texts.

mod document;
mod quantity;
mod read;
mod settings;
mod spanned;
mod tables;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use self::quantity::{parse_duration, parse_size};
pub use self::read::{Outside, read, read_workspace};
pub use self::spanned::SpannedText;

/// The content of the tables.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The options of the first table, without defaults.
    pub settings: PartialSettings,
    /// `[..types]`: heads and types.
    pub types: Vec<(SpannedText, SpannedText)>,
    /// `[..data]`, as written.
    pub data: Vec<(SpannedText, SpannedText)>,
    /// `[..measures]`, as written.
    pub measures: Vec<(SpannedText, SpannedText)>,
    /// `[..functions]`.
    pub functions: Vec<FunctionEntry>,
}

/// An entry of `[..functions]`, short or long.
#[derive(Clone, Debug)]
pub struct FunctionEntry {
    /// The key: a path, or a name if there is a `call`.
    pub key: SpannedText,
    /// The signature.
    pub spec: SpannedText,
    /// The closure to call instead of a function of the crate.
    pub call: Option<SpannedText>,
    /// Argument tuples to try first.
    pub examples: Vec<SpannedText>,
    /// A condition that narrows the enumerated space.
    pub explore: Option<SpannedText>,
    /// Its own options.
    pub settings: PartialSettings,
}

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
