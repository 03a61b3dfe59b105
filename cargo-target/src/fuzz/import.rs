//! `cargo target fuzz --import`: what a fuzzer has kept and what it crashed on, as argument tuples of the function.

use anyhow::Result;

use super::Context;
use super::pairs::Pair;
use crate::exit_code::usage;

/// Imports what there is for a fuzz target: gives the exit code.
pub fn import(_: &Context, pair: &Pair) -> Result<u8> {
    Err(usage(format!("nothing to import for {}", pair.target.name)))
}
