//! Source code for others to compile: the [`harness`] that runs a package's subjects, and the [`strategies`] of its specs
//! for the user's own tests.

pub mod harness;
pub mod strategies;
mod convert;
mod owned;
