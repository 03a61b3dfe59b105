//! The exit codes, which scripts rely on: the highest that applies wins.

/// All functions passed.
pub const PASSED: u8 = 0;
/// `--check` found a file that isn't up to date.
pub const STALE: u8 = 1;
/// Some function has a counterexample.
pub const COUNTEREXAMPLE: u8 = 1;
/// A mistake in usage or in a spec: vacuous, nothing valid found, no spec, a filter that matches nothing.
pub const USAGE: u8 = 2;
/// The user's crate or the harness does not build.
pub const BUILD: u8 = 3;
/// A bug in the tool.
pub const INTERNAL: u8 = 4;
/// Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A mistake of the user; all other errors are the tool's own.
#[derive(Debug)]
pub struct Mistake {
    message: String,
    exit_code: u8,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

/// The exit code for an error.
pub fn of(error: &anyhow::Error) -> u8 {
    error.downcast_ref::<Mistake>().map_or(INTERNAL, |mistake| mistake.exit_code)
}

/// A mistake in usage, with that message.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Mistake { message: message.into(), exit_code: USAGE })
}

/// Ctrl-C, with that message.
pub fn interrupted(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Mistake { message: message.into(), exit_code: INTERRUPTED })
}

/// The user's source isn't Rust, with that message.
pub fn unreadable(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Mistake { message: message.into(), exit_code: BUILD })
}
