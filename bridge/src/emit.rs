//! Source code for others to compile: the [`harness`] that runs a package's subjects, the [`strategies`] of its specs for the
//! user's own tests, and the glue of both, of which programs around fuzz targets are made, too.

pub mod harness;
pub mod strategies;
pub(crate) mod convert;
pub(crate) mod owned;
