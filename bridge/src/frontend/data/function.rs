//! The functions of a spec, and the calls between them.

use std::collections::{BTreeSet, VecDeque};

use target_strategies::logic::ir::{DataId, Function, FunctionId};

use crate::frontend::diagnostic::Span;
use crate::frontend::logic_type::Ty;

/// The functions of a spec so far.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    /// The measures at their instances, by [`FunctionId`].
    pub all: Vec<Function>,
    /// The key of each function.
    pub(in crate::frontend) keys: Vec<FunctionKey>,
    /// The slots of integer parameters.
    pub(in crate::frontend) integers: BTreeSet<u32>,
    /// Functions whose bodies are not made yet.
    pub(in crate::frontend) waiting: VecDeque<FunctionId>,
    /// The calls between functions, for the termination proof.
    pub(in crate::frontend) calls: Vec<CallSite>,
}

/// The key of a function.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::frontend) enum FunctionKey {
    /// A measure, by its name and type arguments.
    Measure(String, Vec<Ty>),
    /// All values of a type parameter in a data value.
    Elements(DataId, usize),
    /// The text of a derivation.
    Text(DataId),
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

impl FunctionTable {
    /// Takes the next id, so that the body may mention it.
    pub(in crate::frontend) fn reserve(&mut self, key: FunctionKey, function: Function) -> FunctionId {
        self.keys.push(key);
        self.all.push(function);
        FunctionId(self.all.len() as u32 - 1)
    }
}
