//! Expressions elaborated against a small crate: as terms, as diagnostics, and, evaluated, beside what Rust makes of them.

pub(super) mod fixture;
mod hostile;
mod implied;
mod judged;
mod mistakes;
mod printed;
