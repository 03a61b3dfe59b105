//! What a passing run did not show: the events for it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Something that the inputs of a passing run did not show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum NoteEvent {
    /// The result was always the same variant, although its own conditions allow others. Only calls that returned count.
    SameResult {
        /// The variant: `None`, `Some(_)`, `false`.
        variant: String,
    },
    /// A condition in a postcondition always had the same truth where it was judged: the left side of an `==>` was never
    /// true, or the condition of an `if` or of a `match`'s arm was never true or never false. So a part of the clause was
    /// never used. Nothing is said of calls where the postcondition didn't need the condition.
    OneSided {
        /// The condition, if it can be written.
        condition: Option<String>,
        /// The truth that it never had.
        never: bool,
        /// The clause around it.
        clause: ClauseEvent,
    },
    /// At most half of the values of a parameter or field were tried, although there were at least as many valid inputs
    /// as values. Only for numbers and characters that have at most 256 values.
    FewValues {
        /// The parameter's name, followed by the path inside it: `x.unwrap().day`.
        part: String,
        /// Number of different values that were tried.
        tried: u64,
        /// Number of values that the type and its own conditions allow.
        allowed: u64,
        /// Whether no other condition can exclude some of these values.
        exact: bool,
    },
    /// Some variants of a parameter, field or element never occurred, although its own conditions allow them, and there
    /// were at least four valid inputs for each variant. `false` and `true` are variants, too.
    MissingVariants {
        /// The parameter's name, followed by the path inside it: `xs[_]` are the elements of `xs`.
        part: String,
        /// The only variant that occurred, if there was just one.
        always: Option<String>,
        /// The variants that did not occur.
        never: Vec<String>,
    },
    /// A list, collection or string never had more than 8 elements or characters, although its own conditions allow more.
    ShortOnly {
        /// The parameter's name, followed by the path inside it.
        part: String,
        /// The greatest length.
        longest: u64,
        /// `elements` or `characters`.
        unit: Cow<'static, str>,
    },
}

/// A clause and its location.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClauseEvent {
    /// In the user's words.
    pub text: String,
    /// `file:line:column`
    pub location: String,
}
