//! Fuzzers and specs: decodes bytes as `arbitrary` does, and runs fuzz targets that judge their inputs by a spec.

pub mod arbitrary;
pub mod input;
