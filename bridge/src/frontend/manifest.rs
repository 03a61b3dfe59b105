//! Reads the `[package.metadata.target]` tables: turns TOML text into spec texts with their spans.
//!
//! It checks keys and kinds of values; [`crate::frontend::spec`] parses the texts.

mod content;
mod document;
mod quantity;
mod read;
mod settings;
mod spanned;
mod tables;
#[cfg(test)]
mod tests;

pub use self::content::{FunctionEntry, Manifest, MemberTables};
pub use self::document::syntax_help;
pub use self::quantity::{parse_duration, parse_size};
pub use self::read::{Outside, has_misnamed_table, read, read_workspace};
pub use self::settings::{DEEPEST, GREATEST_BOUND, LONGEST, PartialSettings, Settings};
pub use self::spanned::SpannedText;
