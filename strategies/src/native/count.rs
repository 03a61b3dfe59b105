//! States and their branches: a choice splits a problem, equal problems share a state, and members are counted.

pub mod choose;
pub mod shuffle;
mod compared;
pub mod words;
pub mod ordered;
pub mod state;
pub mod expand;
pub mod relaxed;
