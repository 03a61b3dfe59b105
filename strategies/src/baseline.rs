//! Generators that ignore the spec: all values in order of size, and random values.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod enumerative;
#[cfg(feature = "proptest")]
pub mod random;
