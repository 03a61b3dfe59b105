//! Mistakes as data: the problem, its file and span, and the advice.
//!
//! Nothing in this crate prints or panics because of a user's mistake. Every stage adds [`Diagnostic`]s, and
//! [`fn@render`] turns them into text with the wrong words underlined.

pub mod render;

use std::path::{Path, PathBuf};

pub use self::render::{in_order, render};

/// Index into [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A span: bytes `start..end` of a file.
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

impl Sources {
    /// Adds a file; a file with the same name keeps its number.
    pub fn add(&mut self, path: &Path, text: String) -> FileId {
        let known = self.files.iter().position(|file| file.path == path && file.text == text);
        let index = known.unwrap_or_else(|| {
            self.files.push(SourceFile { path: path.to_owned(), text });
            self.files.len() - 1
        });
        FileId(index as u32)
    }

    /// The file with this number.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The line and the column, in characters, of a span's start; both start at 1.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.file(span.file) else { return (1, 1) };
        let before = &file.text[..floor_boundary(&file.text, span.start as usize)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1;
        (line, column)
    }
}

/// The last character boundary at or before `index`.
fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// The candidate that a misspelt word most likely means, if any is similar enough.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // A transposition in a short word is one edit in four letters; less similar guesses only confuse. Long words are
    // truncated, so that hostile words cost no time.
    let short = |text: &str| text.chars().take(100).collect::<String>().to_lowercase();
    let (word, wanted) = (word, short(word));
    let nearness = |candidate: &str| {
        let candidate = short(candidate);
        let edits = strsim::osa_distance(&wanted, &candidate);
        let longest = wanted.chars().count().max(candidate.chars().count());
        (edits * 3 <= longest).then_some(edits)
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| nearness(candidate).map(|edits| (edits, candidate)))
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

/// A file's name in reports, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name in reports.
    pub path: PathBuf,
    /// Its content.
    pub text: String,
}

/// How severe a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing is built or run.
    Error,
    /// The run continues.
    Warning,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How severe it is.
    pub level: Level,
    /// The problem, as a lower-case fragment.
    pub message: String,
    /// Its span.
    pub span: Span,
    /// The text next to the underline; may be empty.
    pub label: String,
    /// The advice, if a fix can be guessed.
    pub help: Option<String>,
    /// Whether it only follows from a mistake reported elsewhere. Then it is not shown.
    pub follows: bool,
}

impl Diagnostic {
    /// An error at a span.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        let (level, message) = (Level::Error, message.into());
        Diagnostic { level, message, span, label: String::new(), help: None, follows: false }
    }

    /// An error that follows from a mistake in a declaration, which is reported there.
    pub fn following(span: Span) -> Diagnostic {
        Diagnostic { follows: true, ..Diagnostic::error(span, "its declaration has a mistake") }
    }

    /// A warning at a span.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { level: Level::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with text next to the underline.
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }

    /// The same with advice.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

/// The parsed value, if there is one; otherwise reports the mistakes.
pub fn noted<T>(parsed: Result<T, Vec<Diagnostic>>, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
    parsed.map_err(|mistakes| diagnostics.extend(mistakes)).ok()
}

/// `1 parameter`, `2 parameters`
pub fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { file: FileId(0), start, end }
    }

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let mut sources = Sources::default();
        sources.add(Path::new("a"), "\u{feff}é=1\r\n\tx😀y".to_owned());
        assert_eq!(sources.line_column(span(0, 0)), (1, 1));
        assert_eq!(sources.line_column(span(5, 6)), (1, 2));
        assert_eq!(sources.line_column(span(15, 16)), (2, 4));
        assert_eq!(sources.line_column(span(12, 13)), (2, 3), "inside of a character");
        assert_eq!(sources.line_column(span(99, 99)), (2, 5), "behind the end");
        assert_eq!(sources.line_column(Span { file: FileId(7), start: 0, end: 0 }), (1, 1));
    }

    #[test]
    fn guesses_are_made_for_slips_only() {
        let words = ["depth", "tree::insert", "is_sorted", "len"];
        for (slip, meant) in
            [("dpeth", "depth"), ("tre::insert", "tree::insert"), ("issorted", "is_sorted"), ("Len", "len")]
        {
            assert_eq!(did_you_mean(slip, words).as_deref(), Some(meant));
        }
        for word in ["", "x", "budget", "depth", "le_chateau", "tree::delete"] {
            assert_eq!(did_you_mean(word, words), None, "{word}");
        }
        assert_eq!(did_you_mean(&"a".repeat(1 << 20), ["aaa"]), None);
    }

    #[test]
    fn diagnostics_are_shown_in_order_and_once() {
        let mut sources = Sources::default();
        sources.add(Path::new("Cargo.toml"), "a = [\nfirst\nsecond\n]\n".to_owned());
        let late = Diagnostic::error(span(6, 18), "over two lines").label("here").help("shorten it");
        let early = Diagnostic::warning(span(0, 1), "a letter");
        let lost = Diagnostic::error(Span { file: FileId(9), start: 0, end: 1 }, "of no file");
        let end = Diagnostic::error(span(21, 21), "behind the end");
        let all = [lost, late.clone(), early, late, end];
        expect![[r#"
            warning: a letter
             --> Cargo.toml:1:1
              |
            1 | a = [
              | ^

            error: over two lines
             --> Cargo.toml:2:1
              |
            2 | / first
            3 | | second
              | |______^ here
              |
              = help: shorten it

            error: behind the end
             --> Cargo.toml:5:1
              |
            5 |
              | ^

            error: of no file
        "#]]
        .assert_eq(&render(&all, &sources, false));
        assert!(render(&all[..1], &sources, true).contains('\u{1b}'));
    }
}
