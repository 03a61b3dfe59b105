//! Members one after the other: a walk along the branches of states, and the values that it fills in.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod slot_buffer;
pub mod cursor;
