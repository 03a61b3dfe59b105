//! Generators that ignore the spec: all values in order of size, and random values.

pub mod enumerative;
#[cfg(feature = "proptest")]
pub mod random;
