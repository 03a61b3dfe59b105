//! The names that an expression may use, and what each stands for.
//!
//! The resolver fills it: parameters, the refined value, aliases' arguments, `result`, what `old(x)` means. It knows
//! nothing of the binders inside an expression, which the elaborator keeps itself.

use target_strategies::ir::Term;

use crate::logic_type::Ty;

/// Names in scope; a later one shadows an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) entries: Vec<Entry>,
    pub(super) old: Vec<Entry>,
}

/// A name and its meaning.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) meaning: Meaning,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A term and its type.
    Term(Term, Ty),
    /// Its use is a mistake, for this reason.
    Forbidden(String),
}

impl Scope {
    /// No names.
    pub fn new() -> Scope {
        Scope::default()
    }

    /// Lets `name` stand for a term.
    pub fn bind(&mut self, name: &str, term: Term, ty: Ty) {
        self.entries.push(Entry { name: name.to_owned(), meaning: Meaning::Term(term, ty) });
    }

    /// Makes the use of `name` a mistake, with the reason as the message.
    pub fn forbid(&mut self, name: &str, reason: impl Into<String>) {
        self.entries.push(Entry { name: name.to_owned(), meaning: Meaning::Forbidden(reason.into()) });
    }

    /// Lets `name` stand for a term inside `old(..)`.
    pub fn bind_old(&mut self, name: &str, term: Term, ty: Ty) {
        self.old.push(Entry { name: name.to_owned(), meaning: Meaning::Term(term, ty) });
    }
}
