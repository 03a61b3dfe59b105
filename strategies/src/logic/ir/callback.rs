//! Functions that a subject gets as arguments.
//!
//! A function is the sequence of its results, in the order in which it meets new arguments; the last one is its result
//! for all others. So `[3, 1]` is `|x| match x { 0 => 3, _ => 1 }` if the subject calls it with 0 first. Only calls that
//! happen are varied, and generators treat such a function as a sequence. Which arguments it met is known after a run; then
//! the function is a table: see [`crate::logic::table`].
//!
//! Source: *Type Targeted Testing*, sections 2.1 and 4.6, for tables that are filled on demand; *Relatively Complete
//! Counterexamples for Higher-Order Programs*, section 3, for functions as case maps with a default.

use std::collections::BTreeSet;

use super::{Asked, CallbackId, Clause, Data, DataId, Param, Pointer, Refined, SeqKind, Sort};

/// The type of functions among the arguments: `fn(x: A) -> {v: B | p}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// How often it may be called, and what its results depend on.
    pub kind: CallbackKind,
    /// Its parameters. Their refinements are its domain: a call outside of it is the subject's failure.
    pub params: Vec<CallbackParam>,
    /// Conditions that all its parameters satisfy together.
    pub requires: Vec<Clause>,
    /// Those conditions on its results that mention its parameters. The others belong to the results' type.
    pub ensures: Vec<Clause>,
    /// Whether Rust takes it as an `fn` pointer, which captures nothing.
    pub is_pointer: bool,
    /// Set if it takes a function: the type of its [`Step`]s.
    pub steps: Option<DataId>,
}

/// What a function does with a function that it takes, one step after the other: its results in a case are steps, by
/// what the function that it takes gave so far. The steps are the constructors of a data type.
///
/// Source: *Relatively Complete Counterexamples for Higher-Order Programs*, section 3: constants, functions that call
/// their argument and look at the result, and functions that return what their argument gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Step {
    /// `Return(c)`: return this.
    Return = 0,
    /// `Call(a, ..)`: call the function that it takes, and look at its result.
    Call = 1,
    /// `Pass(a, ..)`: call it, and return its result.
    Pass = 2,
}

impl Callback {
    /// The position of the function that it takes, and the type of its calls and results.
    pub fn taken(&self) -> Option<(usize, CallbackId, &Refined)> {
        let at = self.params.iter().position(|param| param.refined.callback().is_some())?;
        let Sort::Seq(result, SeqKind::Answers(id)) = &self.params[at].refined.sort else { return None };
        Some((at, *id, result))
    }

    /// The type of a pointer to it as far as rustc can't infer it: `fn(&_, _) -> _`.
    pub fn pointer_type(&self) -> String {
        let is_reference = |pointer: &&Pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut);
        let param = |param: &CallbackParam| {
            let references = param.refined.pointers.iter().take_while(is_reference).count();
            format!("{}_", "&".repeat(references))
        };
        format!("fn({}) -> _", self.params.iter().map(param).collect::<Vec<_>>().join(", "))
    }

    /// Names for its parameters in Rust code, each once.
    pub fn names(&self) -> Vec<String> {
        let named = |(index, param): (usize, &CallbackParam)| {
            let is_unique = self.params[..index].iter().all(|other| other.name != param.name);
            if param.name != "_" && is_unique {
                return param.name.clone();
            }
            let mut name = format!("x{}", index + 1);
            while self.params.iter().any(|other| other.name == name) {
                name.push('_');
            }
            name
        };
        self.params.iter().enumerate().map(named).collect()
    }
}

impl Asked {
    /// The type of the function, if it is one of those in the parameters.
    pub fn refined<'s>(self, params: &'s [Param], data: &'s [Data]) -> Option<&'s Refined> {
        let param = &params.get(self.slot()? as usize)?.refined;
        match (self, &param.sort) {
            (Asked::Method(_, method), Sort::Data(id)) => {
                let table = data.get(id.0 as usize)?.ctors.first()?;
                Some(&table.fields.get(method as usize)?.refined)
            }
            (Asked::Method(..) | Asked::Inside, _) => None,
            (Asked::Param(_), _) => Some(param),
        }
    }
}

impl Refined {
    /// Whether values of the type may hold functions, or values of a trait.
    pub fn holds_functions(&self, data: &[Data]) -> bool {
        let (mut parts, mut seen) = (vec![self], BTreeSet::new());
        while let Some(part) = parts.pop() {
            if part.callback().is_some() {
                return true;
            }
            if let Sort::Data(id) = &part.sort
                && seen.insert(*id)
            {
                let Some(data) = data.get(id.0 as usize) else { continue };
                if data.object.is_some() {
                    return true;
                }
                parts.extend(data.ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
            }
            parts.extend(part.inner());
        }
        false
    }
}

/// A parameter of a [`Callback`].
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackParam {
    /// Its name, `_` if it has none.
    pub name: String,
    /// The slot in which conditions find its value.
    pub slot: u32,
    /// Its refined type.
    pub refined: Refined,
}

/// How often a function may be called, and what its results depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallbackKind {
    /// `fn`: the same arguments give the same result.
    Pure,
    /// `FnMut`: the result also depends on the number of earlier calls.
    Stateful,
    /// `FnOnce`: it can be called once.
    Once,
}
