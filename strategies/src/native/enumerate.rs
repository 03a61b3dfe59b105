//! Members one after the other: a walk along the branches of states, and the values that it fills in.

pub mod slot_buffer;
pub mod cursor;
