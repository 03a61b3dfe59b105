//! Corpus files in the user's crate, and counterexamples saved below `target`: reads, judges, writes and replays them.

pub mod store;
pub mod judge;
pub mod failure;
pub mod kept;
pub mod saved;
