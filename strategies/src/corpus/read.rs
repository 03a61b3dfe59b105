//! Parses the text of a corpus file into entries, and judges each.

use std::fmt;

use super::entry::{Corpus, Entry, Kind, REJECTED, Rejected, VERSION, entry};
use crate::logic::ir::Spec;

/// Why a text is not a corpus file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Mistake {}

impl Corpus {
    /// Parses the text of a file. Lines that are not admitted entries become rejected lines. A text that is no corpus
    /// file, or has a later version, is an error.
    pub fn read(text: &str, spec: &Spec) -> Result<Corpus, Mistake> {
        let mut corpus = Corpus::default();
        let mut comments = Vec::new();
        let mut has_version = false;
        let text = text.replace("\r\n", "\n");
        let text = text.strip_suffix('\n').unwrap_or(&text);
        // A lone carriage return ends a line too, because written lines contain none.
        for (number, line) in text.split(['\n', '\r']).enumerate() {
            let line = line.trim();
            if let Some(comment) = line.strip_prefix('#') {
                let comment = comment.strip_prefix(' ').unwrap_or(comment);
                // The reasons are determined again.
                if !comment.starts_with(REJECTED) && !comment.starts_with("refused: ") {
                    comments.push(comment.to_owned());
                }
            } else if line.is_empty() {
                corpus.head_comments(&mut comments);
            } else if !has_version {
                version(line).map_err(|message| Mistake { line: number + 1, message })?;
                has_version = true;
                corpus.head_comments(&mut comments);
            } else {
                corpus.line(line, spec, &mut comments);
            }
        }
        if !has_version {
            return Err(Mistake {
                line: 1,
                message: format!("it should begin with `target-corpus {VERSION}`"),
            });
        }
        corpus.last_comments = comments;
        Ok(corpus)
    }

    fn line(&mut self, line: &str, spec: &Spec, comments: &mut Vec<String>) {
        let (word, rest) = split(line);
        if matches!(word, "function" | "options" | "spec") {
            self.head_comments(comments);
        }
        match word {
            "function" => self.function = rest.to_owned(),
            "options" => self.options = rest.to_owned(),
            "spec" => self.spec.push(rest.to_owned()),
            _ => {
                let mut line = line;
                // Earlier versions wrote `refused`.
                while let ("rejected" | "refused", rest) = split(line) {
                    line = rest;
                }
                let comments = std::mem::take(comments);
                let found = kind(line);
                let kind = found.as_ref().ok().map(|(kind, _)| *kind);
                match found.and_then(|(kind, text)| entry(kind, text, spec)) {
                    Ok(entry) => self.entries.push(Entry { comments, ..entry }),
                    Err(reason) => {
                        self.rejected.push(Rejected { line: line.to_owned(), kind, reason, comments });
                    }
                }
            }
        }
    }

    /// Takes the comments above a header line, or above a blank line in the header. They belong to the file; attached
    /// to an entry, they would make it look edited by hand.
    fn head_comments(&mut self, comments: &mut Vec<String>) {
        if self.entries.is_empty() && self.rejected.is_empty() {
            self.comments.append(comments);
        }
    }
}

fn version(line: &str) -> Result<(), String> {
    let ("target-corpus", number) = split(line) else {
        return Err(format!("a corpus file begins with `target-corpus {VERSION}`, this one with `{line}`"));
    };
    match number.parse::<u32>() {
        Ok(number) if (1..=VERSION).contains(&number) => Ok(()),
        _ => Err(format!(
            "version `{number}` of the format is unknown, the last known one is {VERSION}; update the tool"
        )),
    }
}

/// The kind at the start of a line, and the remaining text. A tuple without a kind was written by hand.
fn kind(line: &str) -> Result<(Kind, &str), String> {
    if line.starts_with('(') {
        return Ok((Kind::Kept, line));
    }
    let (word, rest) = split(line);
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == word);
    kind.map(|kind| (kind, rest)).ok_or_else(|| {
        let words: Vec<String> = Kind::ALL.iter().map(|kind| format!("`{}`", kind.word())).collect();
        format!("a line begins with {}, or is a tuple", words.join(", "))
    })
}

/// The first word of a line, and the rest.
fn split(line: &str) -> (&str, &str) {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}
