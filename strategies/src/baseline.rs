//! Generators that ignore the spec: all values in order of size, random values, and boundary values.

pub mod boundary;
pub mod enumerative;
#[cfg(feature = "proptest")]
pub mod random;
