//! Source code for others to compile: the [`harness`] that runs a package's subjects, and its glue, of which programs
//! around fuzz targets are made, too.

pub mod harness;
pub(crate) mod convert;
