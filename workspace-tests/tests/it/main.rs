//! The tool from outside, on copies of fixture crates.
