//! Functions of an input that lives on its own, outside of a harness: each value of a strategy has its own tables.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::case::{Case, Form, Misuse, shown};
use crate::logic::ir::{Refined, SeqKind, Sort, Spec};
use crate::logic::rust_code;
use crate::logic::value::Value;

/// The functions of one input. Clones share their tables.
#[derive(Clone)]
pub struct Functions(Arc<Mutex<Case>>);

impl Functions {
    /// The functions among arguments, before any of them is called; and the arguments in which they are found.
    pub fn new(spec: &Arc<Spec>, args: &[Value]) -> (Functions, Vec<Value>) {
        let mut case = Case::new(spec, args, false);
        case.is_running = true;
        let args = case.args.clone();
        (Functions(Arc::new(Mutex::new(case))), args)
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
        let why = match (&case.misuse, result) {
            (None, Some(result)) => return result,
            (Some(Misuse::Outside { call, .. }), _) => {
                format!("called {call}, which the type of that function excludes")
            }
            (Some(Misuse::Trouble { obstacle, .. }), _) => {
                format!("{} can't be judged: {obstacle}", case.shown(number, args))
            }
            (Some(Misuse::Rejected) | None, _) => {
                format!("no result of {} is found that the spec admits", case.shown(number, args))
            }
        };
        // The panic must not poison the tables, which are shown afterwards.
        drop(case);
        panic!("{why}")
    }

    /// The arguments with tables of what the functions returned.
    pub fn tables(&self) -> Vec<Value> {
        self.case().tables()
    }

    /// The arguments with what the functions returned, in the order of calls: with other arguments, a function may be called with
    /// others.
    pub fn answers(&self) -> Vec<Value> {
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
        let value = if function.n_entries() == 0 {
            function.as_given(callback.kind)
        } else {
            function.table(callback, may_default, |value| self.closed(value, result, None, Form::Table))
        };
        let own = Refined { pointers: Vec::new(), ..refined.clone() };
        rust_code::readable(&value, &own, &self.spec, false)
    }

    /// The type of a function.
    fn type_of(&self, number: usize) -> Option<&Refined> {
        let function = &self.functions[number];
        let found = self.spec.params.iter().zip(&self.args);
        found.into_iter().find_map(|(param, value)| {
            typed(value, &param.refined, &self.spec, &|value| function.is_of(value))
        })
    }
}

/// The type of a part of a value.
fn typed<'r>(
    value: &Value,
    refined: &'r Refined,
    spec: &'r Spec,
    is_it: &dyn Fn(&Value) -> bool,
) -> Option<&'r Refined> {
    if is_it(value) {
        return Some(refined);
    }
    if let (Sort::Data(id), Value::Data(ctor, values)) = (&refined.sort, value) {
        let fields = spec.data(*id).ctors.get(*ctor as usize)?.fields.iter();
        return values
            .iter()
            .zip(fields)
            .find_map(|(value, field)| typed(value, &field.refined, spec, is_it));
    }
    refined.sort.parts(value).into_iter().find_map(|(part, value)| typed(value, part, spec, is_it))
}
