//! A function under test, ready to be generated for, emitted and run.

use target_strategies::ir::{Refined, Spec};

use crate::catalog::Opening;
use crate::diagnostic::Span;
use crate::manifest::Settings;

/// A spec with all that the IR leaves out: how to call the function, and where the words stand.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What the function promises.
    pub spec: Spec,
    /// How Rust code calls it.
    pub call: Call,
    /// The `where` conditions, by the number in [`target_strategies::ir::Term::Opaque`].
    pub opaques: Vec<Opaque>,
    /// The place of each clause, by [`target_strategies::ir::Clause::id`].
    pub clause_spans: Vec<Span>,
    /// The place of the key in the manifest.
    pub key_span: Span,
    /// The options in force for it.
    pub settings: Settings,
    /// What has to be opened in the user's source before code outside can call it; sorted, each once.
    pub openings: Vec<Opening>,
}

/// How Rust code calls a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A function or method by a path that works outside the crate: `scores::rescale`, `scores::Heap::push`.
    Path {
        /// The path.
        path: String,
        /// Whether the function is generic, so that literals in a pasted test want a type.
        generic: bool,
    },
    /// A closure expression from the manifest, compiled in the scope of the crate's root.
    Closure {
        /// The code.
        text: String,
        /// Its place.
        span: Span,
    },
}

/// A `where` condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque {
    /// The code, of type `bool`.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// The names it sees, as references, in the order of the term's arguments.
    pub bindings: Vec<Binding>,
}

/// A name that a `where` condition sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The type of the value behind the reference.
    pub refined: Refined,
}
