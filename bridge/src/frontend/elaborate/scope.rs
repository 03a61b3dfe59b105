//! The names in scope of an expression, and their meanings.
//!
//! The resolver fills it with parameters, the refined value, aliases' arguments, `result`, and the meaning of `old(x)`.
//! Binders inside an expression are not in it; the elaborator keeps them.

use target_strategies::logic::ir::Term;

use crate::frontend::logic_type::Ty;

/// Names in scope; a later one shadows an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) entries: Vec<Entry>,
    pub(super) old: Vec<Entry>,
    /// Whether the expression is judged after the call.
    pub is_after: bool,
}

/// A name and its meaning.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) meaning: Meaning,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A term and its type.
    Term(Term, Ty),
    /// A name that must not be used.
    Forbidden(Forbidden),
}

/// Why a name must not be used.
#[derive(Clone, Debug)]
pub enum Forbidden {
    /// For this reason, which is the message.
    Because(String),
    /// Its declaration has a mistake, which is reported there.
    BadDeclaration,
}

impl Scope {
    /// No names.
    pub fn new() -> Scope {
        Scope::default()
    }

    /// Binds `name` to a term.
    pub fn bind(&mut self, name: &str, term: Term, ty: Ty) {
        self.entries.push(Entry { name: name.to_owned(), meaning: Meaning::Term(term, ty) });
    }

    /// Forbids the use of `name`.
    pub fn forbid(&mut self, name: &str, why: Forbidden) {
        self.entries.push(Entry { name: name.to_owned(), meaning: Meaning::Forbidden(why) });
    }

    /// Binds `name` to a term inside `old(..)`.
    pub fn bind_old(&mut self, name: &str, term: Term, ty: Ty) {
        self.old.push(Entry { name: name.to_owned(), meaning: Meaning::Term(term, ty) });
    }
}
