//! The child's side of a run: messages between the tool and a harness, and the loop that calls the subject.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod goals;
pub mod protocol;
pub mod wire;
#[allow(unsafe_code, reason = "it shares memory with its parent, and lends values to subjects")]
pub mod serve;
