//! The user's options: the arguments as typed, and the configuration that they resolve to.

pub mod args;
pub mod config;
