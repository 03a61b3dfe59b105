//! Drives cargo-target from outside; the tests are in `tests/it`. Here is what they share with the benches.

#![forbid(unsafe_code)]

pub mod browser;
mod brute;
pub mod cases;
mod fixture;
pub mod options;
pub mod plot;
pub mod structures;

pub use brute::{admits, admitted, brute_force, n_members};
pub use fixture::{Fixture, Signature, space_in, space_of};
