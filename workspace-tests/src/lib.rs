//! Drives cargo-target from outside; the tests are in `tests/it`. Here is what they share with the benches.

mod brute;
mod fixture;

pub use brute::{admits, admitted, brute_force, n_members};
pub use fixture::{Fixture, Signature, space_in};
