//! The tool from outside: the real binary, real cargo, real Z3, on copies of fixture crates.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;
mod table;

mod papers;
mod hostile;
mod kinds;
mod mistakes;
mod commands;
mod json;
mod order;
mod interrupt;
mod map;
mod differential;
mod counts;
mod shrink;
