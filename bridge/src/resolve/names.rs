//! The names that a condition or an alias's argument may use, where it stands in a spec.
//!
//! An alias's body sees the alias's parameters alone; everything else sees parameters of the function.

use std::rc::Rc;

use target_strategies::ir::{Refined, Term};

use crate::diagnostic::Span;
use crate::elaborate::Scope;
use crate::logic_type::Ty;
use crate::spec::ast::Type;

/// A name and what it stands for.
#[derive(Clone, Debug)]
pub struct Name {
    /// The word.
    pub name: String,
    /// What it means.
    pub term: Term,
    /// Its type.
    pub ty: Ty,
    /// How Rust holds it, where it is a value that the harness has.
    pub refined: Option<Refined>,
}

/// What a type parameter of an alias or a view stands for.
#[derive(Clone, Debug)]
pub enum TypeArg<'a> {
    /// A type as written, with the names that it sees.
    Written(&'a Type, Rc<Env<'a>>),
    /// A type that was understood before.
    Known(Refined),
}

/// What can be named at a place.
#[derive(Clone, Debug, Default)]
pub struct Env<'a> {
    /// The type parameters of the alias around it.
    pub generics: Vec<(String, TypeArg<'a>)>,
    /// The values; a later one shadows an earlier one.
    pub names: Vec<Name>,
    /// The values inside `old(..)`.
    pub old: Vec<Name>,
    /// The names whose use is a mistake, and why.
    pub forbidden: Vec<(String, String)>,
    /// Where the outermost alias around it is used; `None` in a signature.
    pub used_at: Option<Span>,
    /// What the parameters of the alias around it were given, in the user's words.
    pub words: Vec<(String, String)>,
}

impl Env<'_> {
    /// As the elaborator wants it; `own` is the refined value.
    pub fn scope(&self, own: Option<&Name>) -> Scope {
        let mut scope = Scope::new();
        for (name, reason) in &self.forbidden {
            scope.forbid(name, reason.clone());
        }
        for name in self.names.iter().chain(own) {
            scope.bind(&name.name, name.term.clone(), name.ty.clone());
        }
        for name in &self.old {
            scope.bind_old(&name.name, name.term.clone(), name.ty.clone());
        }
        scope
    }
}
