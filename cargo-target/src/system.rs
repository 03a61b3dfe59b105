//! The operating system: terminal, files that are written whole, memory, exit codes. Nothing here knows specs.

pub mod printable;
pub mod cache;
#[macro_use]
pub mod console;
#[allow(unsafe_code, reason = "an allocator is unsafe by its trait")]
pub mod allocator;
pub mod exit_code;
pub mod files;
pub mod waiting;
