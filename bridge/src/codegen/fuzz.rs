//! Fuzz targets: reads existing targets, and generates programs that decode or fuzz by a spec.
//!
//! [`target`] reads a file of cargo-fuzz, afl or honggfuzz, [`bolero`] a file with bolero's tests, [`by_hand`] finds
//! handwritten `Arbitrary` implementations. [`binding`] finds the parameters of a function in a target's input,
//! [`decoder`] writes a program that decodes like the target, [`stub`] writes a target. Nothing here knows the folders
//! of packages.

#![allow(clippy::wildcard_enum_match_arm, reason = "few of syn's many variants occur in a fuzz target")]

pub mod binding;
pub mod bolero;
pub mod by_hand;
pub mod decoder;
pub mod stub;
pub mod target;

#[cfg(test)]
mod tests;
