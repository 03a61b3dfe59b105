//! Printing to standard output and standard error, which never panics.
//!
//! Standard output may be full, or its reader may be gone. [`out`] records the first error and drops later text;
//! [`end`] reports the error when the program ends. Errors of standard error are ignored: they can't be reported.
//!
//! Text for people is printed through [`harmless`], so that no control character of a subject or its source reaches a
//! terminal. [`exact`] prints data for other programs unchanged.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::system::printable::{escape, is_invisible};

/// Prints a line for people on standard output.
macro_rules! outln {
    ($($arg:tt)*) => { $crate::system::console::out(&format!("{}\n", format_args!($($arg)*))) };
}

/// Prints a line for people on standard error.
macro_rules! errln {
    ($($arg:tt)*) => { $crate::system::console::err(&format!("{}\n", format_args!($($arg)*))) };
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Failures and mistakes.
    Quiet,
    /// A table for each function.
    Normal,
    /// Cargo's progress too.
    Verbose,
}

/// Applies `--color` to both streams; `auto` leaves it to the terminal and to `NO_COLOR`.
pub fn choose_color(color: Color) {
    match color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// Whether standard error gets colour.
pub fn colored_stderr() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// The state of standard output.
enum State {
    /// Everything printed so far was written.
    Open,
    /// The reader closed its end. That is the reader's choice, not an error.
    ReaderGone,
    /// A write failed.
    Failed(io::Error),
}

static STATE: Mutex<State> = Mutex::new(State::Open);

/// Prints text for people on standard output.
pub fn out(text: &str) {
    print(|| {
        let mut out = anstream::stdout().lock();
        out.write_all(harmless(text).as_bytes())?;
        out.flush()
    });
}

/// Prints data for programs on standard output, unchanged.
pub fn exact(data: impl AsRef<[u8]>) {
    print(|| {
        let mut out = io::stdout().lock();
        out.write_all(data.as_ref())?;
        out.flush()
    });
}

/// Prints text for people on standard error.
pub fn err(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(harmless(text).as_bytes());
}

fn print(write: impl FnOnce() -> io::Result<()>) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !matches!(*state, State::Open) {
        return;
    }
    *state = match write() {
        Ok(()) => State::Open,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => State::ReaderGone,
        Err(error) => State::Failed(error),
    };
}

/// Whether standard output accepts no more text.
pub fn is_over() -> bool {
    !matches!(*STATE.lock().unwrap_or_else(PoisonError::into_inner), State::Open)
}

/// Whether a write to standard output failed, other than because its reader is gone.
pub fn has_failed() -> bool {
    matches!(*STATE.lock().unwrap_or_else(PoisonError::into_inner), State::Failed(_))
}

/// The first error of standard output; for the end of the program.
pub fn end() -> Result<()> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    match std::mem::replace(&mut *state, State::Open) {
        State::Open | State::ReaderGone => Ok(()),
        State::Failed(error) => Err(error).context("write to standard output"),
    }
}

/// Standard output, for writing piece by piece.
pub struct Out {
    /// Whether people read it. Then each piece is whole characters; otherwise it may be cut anywhere.
    pub is_text: bool,
}

impl Write for Out {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.is_text {
            out(&String::from_utf8_lossy(piece));
        } else {
            exact(piece);
        }
        // The reason is reported at the end.
        if is_over() { Err(ErrorKind::BrokenPipe.into()) } else { Ok(piece.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The text with control and invisible characters as escapes, except line ends, tabs, and color sequences.
fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| is_invisible(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = colour(rest).unwrap_or(c.len_utf8());
        match c {
            '\n' | '\t' => shown.push(c),
            '\u{1b}' if length > 1 => shown.push_str(&rest[..length]),
            c if is_invisible(c) => escape(c, &mut shown),
            c => shown.push(c),
        }
        rest = &rest[length..];
    }
    Cow::Owned(shown)
}

/// The length of the sequence at the start of a text, if it sets colors or styles: `ESC [ 1 ; 31 m`.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_reach_the_terminal() {
        assert_eq!(harmless("\u{1b}[1;31mred\u{1b}[0m\n\tx"), "\u{1b}[1;31mred\u{1b}[0m\n\tx");
        assert_eq!(harmless("\u{1b}[2Ja\u{1b}]0;title\u{7}"), "\\u{1b}[2Ja\\u{1b}]0;title\\u{7}");
        assert_eq!(harmless("a\0b\r\u{9b}31mc\u{202e}"), "a\\u{0}b\\r\\u{9b}31mc\\u{202e}");
        assert_eq!(harmless("\u{1b}"), "\\u{1b}");
        assert_eq!(harmless("\u{1b}[1;"), "\\u{1b}[1;");
    }
}
