//! Source code for others to compile. So far that is one thing: the [`harness`] that runs a package's subjects.

pub mod harness;
mod convert;
