//! The content of a corpus file: entries, each with the reason why it is kept, and lines that the spec rejects.

use crate::logic::eval::{Admission, Judge};
use crate::logic::ir::Spec;
use crate::logic::notation::{parse_args, print_args};
use crate::logic::value::Value;

/// The version of the format that is written, and the latest that is read.
pub const VERSION: u32 = 1;

/// The start of the comment above a rejected line.
pub(super) const REJECTED: &str = "rejected: ";

/// The content of a corpus file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corpus {
    /// The key of the function, or the name of the type, that the values belong to.
    pub function: String,
    /// The options that generated the values.
    pub options: String,
    /// The spec in the user's words, line by line. It tells readers, and diffs, which spec judged the entries.
    pub spec: Vec<String>,
    /// The entries that the spec admits.
    pub entries: Vec<Entry>,
    /// Entries that the spec rejects, and lines that are no entries.
    pub rejected: Vec<Rejected>,
    /// Comments above the first line, or in the header.
    pub comments: Vec<String>,
    /// Comments below the last entry.
    pub last_comments: Vec<String>,
}

/// An argument tuple, and the reason why it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The reason.
    pub kind: Kind,
    /// The arguments.
    pub args: Vec<Value>,
    /// The comments above it, without `#`.
    pub comments: Vec<String>,
}

/// A line of the file that is no valid entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The line, without the word `rejected`.
    pub line: String,
    /// The kind at its start, if there is one.
    pub kind: Option<Kind>,
    /// The reason for the rejection.
    pub reason: String,
    /// The comments above it, without `#`.
    pub comments: Vec<String>,
}

/// The reason why an entry is kept. Of two entries with equal arguments, the one whose kind comes first stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The function failed on it.
    Counterexample,
    /// A person wrote it.
    Kept,
    /// A scalar in it is at a bound of its range.
    Boundary,
    /// It belongs to a listing of all members up to a size.
    All,
    /// It is a random sample.
    Sample,
}

impl Kind {
    /// All kinds, in the order of a file.
    pub const ALL: [Kind; 5] = [Kind::Counterexample, Kind::Kept, Kind::Boundary, Kind::All, Kind::Sample];

    /// The word for the kind in a file.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Counterexample => "counterexample",
            Kind::Kept => "kept",
            Kind::Boundary => "boundary",
            Kind::All => "all",
            Kind::Sample => "sample",
        }
    }

    /// Whether entries of this kind are generated again with each file. Other entries are never dropped.
    pub fn is_generated(self) -> bool {
        matches!(self, Kind::Boundary | Kind::All | Kind::Sample)
    }
}

impl Corpus {
    /// Adds an entry. Its text is parsed again first; an error says why the result differs.
    ///
    /// ```
    /// use target_strategies::corpus::{Corpus, Kind};
    /// use target_strategies::logic::ir::{IntKind, Param, Refined, Sort, Spec};
    /// use target_strategies::logic::value::Value;
    ///
    /// let mut spec = Spec::unrefined("f");
    /// let refined = Refined::plain(Sort::Int(IntKind::U8));
    /// spec.params.push(Param { name: "n".to_owned(), refined, mutable: false });
    /// let mut corpus = Corpus { function: "f".to_owned(), ..Corpus::default() };
    /// corpus.add(Kind::Kept, vec![Value::int(7)], &spec).expect("7 satisfies the spec");
    /// assert_eq!(corpus.text(&spec), "target-corpus 1\nfunction f\n\nkept (7)\n");
    /// let read = Corpus::read(&corpus.text(&spec), &spec).expect("a corpus reads what it writes");
    /// assert_eq!(read, corpus);
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

/// Parses an entry that the spec admits. Clauses that only Rust code can judge count as satisfied.
pub(super) fn entry(kind: Kind, text: &str, spec: &Spec) -> Result<Entry, String> {
    let args = parse_args(text, spec).map_err(|mistake| mistake.to_string())?;
    rejection(&args, spec).map_or(Ok(Entry { kind, args, comments: Vec::new() }), Err)
}

/// The reason why the spec rejects the arguments; `None` if it admits them.
fn rejection(args: &[Value], spec: &Spec) -> Option<String> {
    let text = |id: u32| {
        let clause = spec.clauses().into_iter().find(|clause| clause.id == id);
        clause.map_or("a condition", |clause| &clause.text).to_owned()
    };
    match Judge::new(None).precondition(spec, args) {
        Admission::Admitted => None,
        Admission::Rejected(Some(clause)) => Some(format!("`{}` does not hold", text(clause))),
        Admission::Rejected(None) => Some("a part of it is not of its type".to_owned()),
        Admission::SpecError { clause, obstacle } => {
            Some(format!("`{}` can't be judged: {obstacle}", text(clause)))
        }
    }
}
