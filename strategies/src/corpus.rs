//! Corpus files: argument tuples worth keeping, as text. They are judged by the spec whenever they are read.
//!
//! A file is made for reading and for version control: one entry a line, in an order that depends on the entries
//! alone, so that equal entries give equal bytes. Entries that the spec no longer admits stay in the file as
//! *rejected*, with the reason, and become entries again once the spec admits them. `docs/corpora.md` has all rules.
//!
//! ```text
//! target-corpus 1
//! function rescale
//! spec fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)
//!
//! counterexample (1, 2, 0)
//! all (1, 1, 0)
//!
//! # rejected: `v < n` does not hold
//! rejected kept (1, 1, 5)
//! ```

#![warn(clippy::wildcard_enum_match_arm)]

mod entry;
mod read;
mod write;

pub use entry::{Corpus, Entry, Kind, Rejected, VERSION};
pub use read::Mistake;
pub use write::in_one_line;

#[cfg(test)]
mod tests;
