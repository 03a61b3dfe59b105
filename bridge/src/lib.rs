//! From spec text and the user's source to inputs and generated Rust.
//!
//! One folder for each stage: [`frontend`] reads specs and sources, [`smt`] asks Z3, [`generate`] finds inputs, and
//! [`codegen`] writes Rust: harnesses, strategies, fuzz targets. Nothing here starts a process, prints, or knows how a
//! subject runs.

#![forbid(unsafe_code)]

pub mod frontend;
pub mod smt;
pub mod generate;
pub mod codegen;
