//! Keys: what makes two instances of a type, or two functions, the same.

use target_strategies::logic::ir::{DataId, FunctionId, Refined};

use crate::frontend::catalog::TypeId;
use crate::frontend::diagnostic::Span;
use crate::frontend::logic_type::Ty;

/// The key of an instance: its type constructor and the arguments.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Key {
    pub(in crate::frontend) constructor: TypeConstructor,
    pub(in crate::frontend) args: Vec<Refined>,
}

/// A type without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontend) enum TypeConstructor {
    Option,
    Result,
    User(TypeId),
    /// A view, by its index in its table.
    View(usize),
    /// A view of a type that the catalog doesn't know, without its refinements.
    Bare(usize),
}

/// The key of a function.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::frontend) enum FunctionKey {
    /// A measure, by its name and type arguments.
    Measure(String, Vec<Ty>),
    /// All values of a type parameter in a data value.
    Elements(DataId, usize),
    /// Elements of an instance that was removed.
    Gone,
}

/// A call of a measure in the body of another, or of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontend) struct CallSite {
    pub(in crate::frontend) caller: FunctionId,
    pub(in crate::frontend) callee: FunctionId,
    pub(in crate::frontend) span: Span,
}
