//! What generated code needs to know: the spec, who owns the values that it makes, and the path to the types that it
//! defines.

use std::ops::Deref;

use target_strategies::logic::ir::{CallbackId, DataId, Refined, Spec, Step};

/// The functions that convert scalars, texts and lists.
pub const CONVERT: &str = "::target_strategies::child::serve::convert";

/// The owner of the values that generated code makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A harness: functions among the arguments are numbers in the running case.
    Harness,
    /// A strategy: each input has functions of its own, and is shown.
    Strategy,
}

/// A spec, and what code for it is for.
#[derive(Clone, Copy, Debug)]
pub struct Glue<'s> {
    spec: &'s Spec,
    /// The owner of the values.
    pub owner: Owner,
    /// The path to the types that the code defines, from where their names are written; empty, or ends in `::`.
    pub path: &'s str,
}

impl<'s> Glue<'s> {
    /// Code in a harness.
    pub fn harness(spec: &'s Spec) -> Glue<'s> {
        Glue { spec, owner: Owner::Harness, path: "" }
    }

    /// Code of a strategy.
    pub fn strategy(spec: &'s Spec) -> Glue<'s> {
        Glue { spec, owner: Owner::Strategy, path: "" }
    }

    /// The type of what a function returns. The results of one that takes a function are steps.
    pub fn returned<'r>(&'r self, id: CallbackId, result: &'r Refined) -> &'r Refined {
        match self.spec.callback(id).steps {
            Some(steps) => &self.spec.data(steps).ctors[Step::Return as usize].fields[0].refined,
            None => result,
        }
    }

    /// The same code, seen from where its types have this path.
    pub fn at(self, path: &'s str) -> Glue<'s> {
        Glue { path, ..self }
    }
}

impl Deref for Glue<'_> {
    type Target = Spec;

    fn deref(&self) -> &Spec {
        self.spec
    }
}

/// The name of the function that makes values of a user's type.
pub fn maker(id: DataId) -> String {
    format!("make_{}", id.0)
}
