//! Fuzz targets: what an existing one decodes, and the source of programs that decode or fuzz by a spec.
//!
//! [`target`] reads a file of `fuzz/fuzz_targets`, [`binding`] finds the parameters of a function in its input, [`decoder`]
//! writes a program that decodes as the target does, [`stub`] writes a target. Nothing here knows cargo-fuzz's folders.

pub mod binding;
pub mod decoder;
pub mod stub;
pub mod target;

#[cfg(test)]
mod tests;
