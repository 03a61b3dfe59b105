//! Corpus files: argument tuples that are worth keeping, as text, judged by the spec whenever they are read.
//!
//! A file is for reading and for version control: an entry a line, in an order that follows from the entries alone, so
//! that the same entries give the same bytes. What the spec no longer admits stays in the file, as *refused*, with the
//! reason, and is taken back once the spec admits it again. The rules in full are in `docs/corpora.md`.
//!
//! ```text
//! target-corpus 1
//! function rescale
//! spec fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)
//!
//! counterexample (1, 2, 0)
//! all (1, 1, 0)
//!
//! # refused: `v < n` does not hold
//! refused kept (1, 1, 5)
//! ```

mod read;
mod write;

pub use read::Mistake;
pub use write::in_one_line;

use crate::eval::{Admission, Judge};
use crate::ir::Spec;
use crate::notation::{parse_args, print_args};
use crate::value::Value;

/// The version of the format that is written, and the last one that is read.
pub const VERSION: u32 = 1;

/// What a corpus file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corpus {
    /// The key of the function, or the name of the type, that the values are for.
    pub function: String,
    /// The options with which its values were generated.
    pub options: String,
    /// The spec in the user's words, a line each. It tells a reader, and diffs, what the entries were judged by.
    pub spec: Vec<String>,
    /// The entries that the spec admits.
    pub entries: Vec<Entry>,
    /// Those that it doesn't, and lines that are no entries.
    pub refused: Vec<Refused>,
    /// Comments above the first line, or in the head.
    pub comments: Vec<String>,
    /// Comments below the last entry.
    pub last_comments: Vec<String>,
}

/// An argument tuple, and why it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Why.
    pub kind: Kind,
    /// The arguments.
    pub args: Vec<Value>,
    /// The comments above it, without `#`.
    pub comments: Vec<String>,
}

/// A line that is kept aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The line, without the word `refused`.
    pub line: String,
    /// The kind that it begins with, if it begins with one.
    pub kind: Option<Kind>,
    /// Why it is no entry.
    pub reason: String,
    /// The comments above it, without `#`.
    pub comments: Vec<String>,
}

/// Why an entry is kept. Of two entries with the same arguments, the one whose kind comes first stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The function failed on it once.
    Counterexample,
    /// Somebody wrote it down.
    Kept,
    /// A scalar in it is at an end of its range.
    Boundary,
    /// It is one of all up to a size.
    All,
    /// It was drawn at random.
    Sample,
}

impl Kind {
    /// All of them, in the order of a file.
    pub const ALL: [Kind; 5] = [Kind::Counterexample, Kind::Kept, Kind::Boundary, Kind::All, Kind::Sample];

    /// The word for it in a file.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Counterexample => "counterexample",
            Kind::Kept => "kept",
            Kind::Boundary => "boundary",
            Kind::All => "all",
            Kind::Sample => "sample",
        }
    }

    /// Whether such entries are made anew by whoever writes the file; the others are never dropped.
    pub fn is_generated(self) -> bool {
        matches!(self, Kind::Boundary | Kind::All | Kind::Sample)
    }
}

impl Corpus {
    /// Adds an entry. It is read back from its text first; an error says why that gives something else.
    ///
    /// ```
    /// use target_strategies::corpus::{Corpus, Kind};
    /// use target_strategies::ir::{IntKind, Param, Refined, Sort, Spec};
    /// use target_strategies::value::Value;
    ///
    /// let mut spec = Spec::unrefined("f");
    /// let refined = Refined::plain(Sort::Int(IntKind::U8));
    /// spec.params.push(Param { name: "n".to_owned(), refined, mutable: false });
    /// let mut corpus = Corpus { function: "f".to_owned(), ..Corpus::default() };
    /// corpus.add(Kind::Kept, vec![Value::int(7)], &spec).unwrap();
    /// assert_eq!(corpus.text(&spec), "target-corpus 1\nfunction f\n\nkept (7)\n");
    /// assert_eq!(Corpus::read(&corpus.text(&spec), &spec).unwrap(), corpus);
    /// ```
    pub fn add(&mut self, kind: Kind, args: Vec<Value>, spec: &Spec) -> Result<(), String> {
        let entry = entry(kind, &print_args(&args, spec), spec)?;
        if entry.args != args {
            return Err("its text would be read as another value".to_owned());
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The argument tuples of entries, in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = &[Value]> {
        self.entries.iter().map(|entry| entry.args.as_slice())
    }
}

/// The entry of a text that the spec admits. What only Rust code can judge counts as admitted.
fn entry(kind: Kind, text: &str, spec: &Spec) -> Result<Entry, String> {
    let args = parse_args(text, spec).map_err(|mistake| mistake.to_string())?;
    refusal(&args, spec).map_or(Ok(Entry { kind, args, comments: Vec::new() }), Err)
}

/// Why the spec does not admit the arguments, if it doesn't.
fn refusal(args: &[Value], spec: &Spec) -> Option<String> {
    let text = |id: u32| {
        let clause = spec.clauses().into_iter().find(|clause| clause.id == id);
        clause.map_or("a condition", |clause| &clause.text).to_owned()
    };
    match Judge::new(None).precondition(spec, args) {
        Admission::Admitted => None,
        Admission::Refused(Some(clause)) => Some(format!("`{}` does not hold", text(clause))),
        Admission::Refused(None) => Some("a part of it is not of its type".to_owned()),
        Admission::SpecError { clause, message } => {
            Some(format!("`{}` can't be judged: {message}", text(clause)))
        }
    }
}

#[cfg(test)]
mod tests;
