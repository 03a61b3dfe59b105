//! The names in scope of a condition or an alias's argument.
//!
//! An alias's body sees only the alias's parameters; everything else sees parameters of the function.

use std::rc::Rc;

use target_strategies::logic::ir::{Refined, Term};

use crate::frontend::diagnostic::Span;
use crate::frontend::elaborate::{Forbidden, Scope};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::Type;

/// A name and its meaning.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub name: String,
    /// Its value.
    pub term: Term,
    /// Its type.
    pub ty: Ty,
    /// Its type in Rust, if the harness has the value.
    pub refined: Option<Refined>,
}

/// The argument for a type parameter of an alias or a view.
#[derive(Clone, Debug)]
pub enum TypeArg<'a> {
    /// A type as written, with the names in its scope.
    Written(&'a Type, Rc<Env<'a>>),
    /// A type that is already resolved.
    Known(Refined),
}

/// The names in scope.
#[derive(Clone, Debug, Default)]
pub struct Env<'a> {
    /// The type parameters of the surrounding alias.
    pub generics: Vec<(String, TypeArg<'a>)>,
    /// The values; a later one shadows an earlier one.
    pub names: Vec<Name>,
    /// The values inside `old(..)`.
    pub old: Vec<Name>,
    /// Whether conditions are judged after the call, so that they may ask for the calls of functions.
    pub is_after: bool,
    /// Names that must not be used, and why.
    pub forbidden: Vec<(String, Forbidden)>,
    /// The use of the outermost surrounding alias; `None` in a signature.
    pub used_at: Option<Span>,
    /// The arguments for the parameters of the surrounding alias, in the user's words.
    pub words: Vec<(String, String)>,
}

impl Env<'_> {
    /// The scope for the elaborator; `own` is the refined value.
    pub fn scope(&self, own: Option<&Name>) -> Scope {
        let mut scope = Scope::new();
        scope.is_after = self.is_after;
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
