//! Mistakes as data: what is wrong, where in which file, and what to do about it.
//!
//! Nothing in this crate prints or panics at a user's mistake; every stage pushes [`Diagnostic`]s, and
//! [`render`] turns them into text with the offending words underlined.

use std::path::PathBuf;

/// Index into [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A place: bytes `start..end` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From the start of `self` to the end of `other`, which is in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.end) }
    }
}

/// The files that diagnostics point into.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files by [`FileId`].
    pub files: Vec<SourceFile>,
}

/// A file's name, as to be shown, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// How reports name it.
    pub path: PathBuf,
    /// Its content.
    pub text: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing is built or run.
    Error,
    /// The run goes on.
    Warning,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// What is wrong, as a lower-case fragment.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands beside the underline; may be empty.
    pub label: String,
    /// What to do, where it can be guessed.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { level: Level::Error, message: message.into(), span, label: String::new(), help: None }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { level: Level::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with words beside the underline.
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }

    /// The same with advice.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}
