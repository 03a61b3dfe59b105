//! The `[package.metadata.target]` tables: from TOML text to spec texts that know their places.
//!
//! It checks keys and the kinds of values; what the texts mean is the business of [`crate::spec`].

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

/// All that the tables say.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The options of the first table, defaults not filled in.
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
    /// The key: a path, or a name where there is a `call`.
    pub key: SpannedText,
    /// The signature.
    pub spec: SpannedText,
    /// The closure to call instead of a function of the crate.
    pub call: Option<SpannedText>,
    /// Argument tuples to try first.
    pub examples: Vec<SpannedText>,
    /// What narrows the enumerated space.
    pub explore: Option<SpannedText>,
    /// Its own options.
    pub settings: PartialSettings,
}

/// Options as written, in one table; what is absent is inherited.
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

/// The options in force for a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The length of lists, the nesting of constructors.
    pub depth: u32,
    /// The magnitude of integers.
    pub bound: u32,
    /// The cap on valid inputs, per generator.
    pub cases: u64,
    /// The cap on time for generating and running, per generator.
    pub budget: Duration,
    /// Whether to try boundary values too.
    pub boundary: bool,
    /// The time limit of a case.
    pub timeout: Duration,
    /// The memory limit of a case, in bytes.
    pub memory: u64,
    /// The memory limit of planning and counting, in bytes; `None` leaves it to the machine.
    pub plan_memory: Option<u64>,
}
