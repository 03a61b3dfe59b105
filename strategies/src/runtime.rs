//! The root of this crate as a harness compiles it: without the modules that only `cargo target` and the user's tests
//! need.
//!
//! Only modules that a harness names are public. The compiler drops functions of the other modules that nothing calls,
//! which takes a quarter off the time of its compilation.

#![deny(unsafe_code)]

mod cancel;
mod dice;
pub mod logic;
mod space;
mod native;
mod baseline;
pub mod child;
