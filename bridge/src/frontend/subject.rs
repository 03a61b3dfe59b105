//! A function under test, ready for generating inputs, generating code, and running.

use target_strategies::logic::ir::{Refined, Spec, Term};
use target_strategies::logic::value::Value;

use crate::frontend::catalog::Opening;
use crate::frontend::diagnostic::Span;
use crate::frontend::manifest::Settings;

/// A spec with the data that the IR lacks: how to call the function, and the spans of the words.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The spec of the function.
    pub spec: Spec,
    /// How Rust code calls it.
    pub call: Call,
    /// The relation between every two inputs, if only so different ones are wanted.
    pub different: Option<Different>,
    /// The literals in its source, the nearest first.
    pub literals: Vec<Value>,
    /// The `where` conditions, by the number in [`target_strategies::logic::ir::Term::Opaque`].
    pub opaques: Vec<Opaque>,
    /// The span of each clause, by [`target_strategies::logic::ir::Clause::id`].
    pub clause_spans: Vec<Span>,
    /// The span of the key in the manifest.
    pub key_span: Span,
    /// Its effective options.
    pub settings: Settings,
    /// The items to open in the user's source so that outside code can call it; sorted, without repetition.
    pub openings: Vec<Opening>,
    /// The other members of the workspace that have some of these items, by the crate's names for them.
    pub opened_members: Vec<String>,
}

/// A relation that holds between every two inputs of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Different {
    /// The relation. The first input is in the slots of the parameters.
    pub relation: Term,
    /// The slots of the second input, by the parameter.
    pub second: Vec<u32>,
    /// The user's words.
    pub text: String,
}

/// How Rust code calls a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A function or method by a path that works outside the crate: `scores::rescale`, `scores::Heap::push`.
    Path {
        /// The path.
        path: String,
        /// Whether the function is generic, so that literals in a pasted test need a type.
        generic: bool,
    },
    /// A closure expression from the manifest, compiled in the scope of the crate's root.
    Closure {
        /// The code.
        text: String,
        /// Its span.
        span: Span,
    },
}

/// A `where` condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque {
    /// The code, of type `bool`.
    pub text: String,
    /// Its span.
    pub span: Span,
    /// The names in its scope, as references, in the order of the term's arguments.
    pub bindings: Vec<Binding>,
}

/// A name in the scope of a `where` condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The type of the referenced value.
    pub refined: Refined,
}
