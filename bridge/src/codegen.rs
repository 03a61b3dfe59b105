//! Generates Rust source: the [`harness`] that runs a package's subjects, the [`strategies`] of its specs for the
//! user's own tests, their shared glue, and programs around fuzz targets.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod harness;
pub mod strategies;
pub mod fuzz;
pub(crate) mod convert;
mod glue;
pub mod shared;
mod object;
mod sequence;
mod derivation;
pub(crate) mod owned;
mod pointer;
