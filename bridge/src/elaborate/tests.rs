//! Expressions elaborated against a small crate: as terms, as diagnostics, and, evaluated, beside what Rust makes of them.

mod fixture;
mod judged;
mod mistakes;
mod printed;
