//! Fuzzers and specs: decodes bytes as `arbitrary` does, and runs fuzz targets that judge their inputs by a spec.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod arbitrary;
pub mod input;
