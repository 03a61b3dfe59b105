//! Functions of an input that lives on its own, outside of a harness: each value of a strategy has its own tables.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::function::Condition;
use super::case::{Case, Form, Missing, Misuse, shown};
use super::results::Results;
use super::running::{Entries, Running};
use super::taking::{Asking, taking};
use crate::logic::ir::{CallbackKind, Refined, SeqKind, Sort, Spec};
use crate::logic::rust_code;
use crate::logic::table::Table;
use crate::logic::table::each_function;
use crate::logic::value::Value;

/// The functions of one input. Clones share their tables.
#[derive(Clone)]
pub struct Functions(Arc<Mutex<Case>>);

impl Functions {
    /// The functions among arguments, before any of them is called. Where the arguments have no result for a call, one is sought,
    /// also among these. `conditions` are the `where` conditions of the spec.
    pub(crate) fn new(
        spec: &Arc<Spec>,
        args: &[Value],
        results: Arc<Results>,
        conditions: &'static [Condition],
    ) -> Functions {
        let mut case = Case::new(spec, args, Missing::Unwinds(results), conditions);
        case.is_running = true;
        Functions(Arc::new(Mutex::new(case)))
    }

    /// The arguments in which the functions are found.
    pub(crate) fn args(&self) -> Vec<Value> {
        self.case().args.clone()
    }

    /// Whether the spec admits the results of all functions that are tables: small changes of arguments may break it.
    pub(crate) fn are_admitted(
        spec: &Arc<Spec>,
        args: &[Value],
        results: &Arc<Results>,
        conditions: &'static [Condition],
    ) -> bool {
        let mut case = Case::new(spec, args, Missing::Unwinds(Arc::clone(results)), conditions);
        for (value, param) in case.args.clone().iter().zip(&spec.params) {
            each_function(value, &param.refined, spec, &mut |value, _, id| _ = case.inside(value, id.0));
        }
        (0..case.functions.len()).all(|number| {
            let function = &case.functions[number];
            let callback = spec.callback(function.callback);
            let table = Table::of(function.as_given());
            let Some(table) = table.filter(|_| callback.kind != CallbackKind::Stateful) else { return true };
            // The same result for all other arguments may be none that the spec admits.
            if table.default().is_some() && (function.has_laws() || !callback.ensures.is_empty()) {
                return false;
            }
            let entries = table.entries().map(|(args, result)| (args.to_vec(), result.clone()));
            let entries: Vec<(Vec<Value>, Value)> = entries.collect();
            entries.into_iter().all(|(args, wanted)| case.result(number, &args, false) == Some(wanted))
        })
    }

    /// Begins another run with the same results.
    pub(crate) fn begin_again(&self) {
        let mut case = self.case();
        case.misuse = None;
        case.functions.iter_mut().for_each(Running::begin_again);
    }

    /// Whether any function was called in this run.
    pub(crate) fn is_called(&self) -> bool {
        let case = self.case();
        case.misuse.is_some() || case.functions.iter().any(Running::is_used)
    }

    /// Whether a call had no result.
    pub(crate) fn is_rejected(&self) -> bool {
        self.case().misuse == Some(Misuse::Rejected)
    }

    fn case(&self) -> MutexGuard<'_, Case> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the function that a part of the arguments is.
    pub fn number(&self, value: &Value, callback: u32) -> usize {
        self.case().inside(value, callback)
    }

    /// The result of a call.
    ///
    /// # Panics
    ///
    /// Panics if the type of the function excludes the call, or if no result is found that its spec admits.
    pub fn call(&self, number: usize, args: &[Value]) -> Value {
        let mut case = self.case();
        let result = case.result(number, args, true);
        if let (None, Some(result)) = (&case.misuse, result) {
            return result;
        }
        // The panic must not poison the tables, which are shown afterwards.
        let why = case.why(number, args);
        drop(case);
        panic!("{why}")
    }

    /// The result of a call of a function that takes another function, `ask`, at this position.
    ///
    /// # Panics
    ///
    /// As [`Functions::call`]; also if `ask` gives what its type excludes.
    pub fn call_taking(
        &self,
        number: usize,
        mut args: Vec<Value>,
        taken: usize,
        ask: &mut dyn FnMut(&[Value]) -> Value,
    ) -> Value {
        taking(&mut args, taken, ask, &mut |args, asked| match asked {
            Asking::Step => Some(self.call(number, args)),
            Asking::After(given) => {
                let mut case = self.case();
                if case.after_step(number, args, taken, given).is_some() {
                    let why = case.why(number, args);
                    drop(case);
                    panic!("{why}")
                }
                None
            }
        })
    }

    /// The arguments with tables of what the functions returned in this run.
    pub fn tables(&self) -> Vec<Value> {
        self.case().tables()
    }

    /// The same, of this run and those before with the same results.
    pub(crate) fn all_tables(&self) -> Vec<Value> {
        self.case().all_closed(Form::Table(Entries::All))
    }

    /// The arguments with what the functions returned in this run, in the order of calls. Other arguments may lead to other calls,
    /// for which the order is kept.
    pub(crate) fn answers(&self) -> Vec<Value> {
        self.case().all_closed(Form::Answers)
    }

    /// A function as Rust code, as far as it was called.
    pub fn code(&self, number: usize) -> String {
        self.case().code(number)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("Functions").field(&self.tables()).finish()
    }
}

impl Case {
    /// Why a call has no result.
    fn why(&self, number: usize, args: &[Value]) -> String {
        match &self.misuse {
            Some(Misuse::Outside { call, .. }) => {
                format!("called {call}, which the type of that function excludes")
            }
            Some(Misuse::Trouble { obstacle, .. }) => {
                format!("{} can't be judged: {obstacle}", self.shown(number, args))
            }
            Some(Misuse::Rejected) | None => {
                format!("no result of {} is found that the spec admits", self.shown(number, args))
            }
        }
    }

    /// A call as text.
    fn shown(&self, number: usize, args: &[Value]) -> String {
        let callback = self.functions[number].callback;
        shown(&self.name(number), args, callback, &self.spec)
    }

    fn code(&self, number: usize) -> String {
        let Some(function) = self.functions.get(number) else { return "..".to_owned() };
        let callback = self.spec.callback(function.callback);
        let Some(refined) = self.type_of(number) else { return "..".to_owned() };
        let Sort::Seq(result, SeqKind::Answers(_)) = &refined.sort else { return "..".to_owned() };
        let may_default = !matches!(self.misuse, Some(Misuse::Outside { .. }));
        let which = if function.is_used() { Entries::Used } else { Entries::All };
        let value = if function.n_entries() == 0 {
            function.as_given().clone()
        } else {
            let form = Form::Table(which);
            function.table(callback, (may_default, which), |value| self.closed(value, result, None, form))
        };
        let own = Refined { pointers: Vec::new(), ..refined.clone() };
        rust_code::readable(&value, &own, &self.spec, false)
    }
}
