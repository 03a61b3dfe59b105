//! The functions among a case's arguments while the case runs.
//!
//! A harness passes closures that know only a number. Each call comes here, where a table gives a result for arguments
//! that were met before, or takes the next one from the case. So the tables are one state of the process, behind a lock: a
//! subject may call a function from another thread.

mod case;
pub mod implementor;
mod owned;
mod required;
mod results;
mod returned;
mod running;
mod solved;
mod taking;
mod words;

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard};

use case::Case;
pub use case::MOST_ASKED;
pub(crate) use case::{Missing, Misuse};
pub use owned::Functions;
pub(crate) use results::Results;
use running::Running;
use taking::{Asking, taking};
use words::PAGE;

use super::function::Condition;
use super::page::Page;
use crate::logic::eval::NoAnswer;
use crate::logic::ir::{Asked, Question, Spec};
use crate::logic::value::Value;

/// The payload of the panic that takes a misused function's caller apart.
struct Misused;

static CASE: Mutex<Option<Case>> = Mutex::new(None);

fn case() -> MutexGuard<'static, Option<Case>> {
    CASE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Has the tables for itself. A child runs one case at a time; fuzz targets of one process may run on several threads.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Records what functions return on a page from now on.
pub(super) fn remember_on(page: &'static Page) {
    // A second call comes from a second `main` in one process, which maps the same file.
    let _ = PAGE.set(page);
}

/// Begins a case, and returns its arguments as the glue gets them. `conditions` are the `where` conditions of the spec.
pub(crate) fn begin(
    spec: &Arc<Spec>,
    args: &[Value],
    missing: Missing,
    conditions: &'static [Condition],
) -> Vec<Value> {
    if let Some(page) = PAGE.get() {
        page.set_tables(&[]);
    }
    let new = Case::new(spec, args, missing, conditions);
    let args = new.args.clone();
    *case() = Some(new);
    args
}

/// Seeks results with which the preconditions hold that ask for some, after these rejected the case. `false` if none are found.
pub(crate) fn require() -> bool {
    case().as_mut().is_some_and(Case::require)
}

/// Says that the subject starts, or is over.
pub(crate) fn set_running(is_running: bool) {
    if let Some(case) = &mut *case() {
        case.is_over = case.is_running && !is_running || case.is_over;
        case.is_running = is_running;
    }
}

/// Why the case is over, if a function was misused.
pub(crate) fn misuse() -> Option<Misuse> {
    case().as_ref()?.misuse.clone()
}

/// Whether each result of the case was asked for.
pub(super) fn is_used_up() -> bool {
    case().iter().flat_map(|case| &case.functions).all(Running::is_used_up)
}

/// The functions of the case that were asked for more results than it has, in the order of the calls, by their positions
/// among the functions in its arguments.
pub(super) fn asked() -> Vec<u32> {
    case().as_ref().map_or_else(Vec::new, Case::asked)
}

/// Whether a function of the case was asked for more results than it has, and none of these stands for them.
pub(super) fn is_incomplete() -> bool {
    case().as_ref().is_some_and(Case::is_incomplete)
}

/// The arguments of the case with its functions as tables of what they returned.
pub(crate) fn tables() -> Option<Vec<Value>> {
    Some(case().as_ref()?.tables())
}

/// The values on return, with functions as tables.
pub(super) fn with_tables(mut after: Vec<Value>, tables: Option<&[Value]>, spec: &Spec) -> Vec<Value> {
    let params = spec.params.iter().zip(tables.unwrap_or_default()).zip(&mut after);
    for ((_, table), value) in params.filter(|((param, _), _)| param.refined.callback().is_some()) {
        *value = table.clone();
    }
    after
}

/// The answer to a question about a function among the arguments.
pub(crate) fn answer(question: Question, of: Asked, args: &[Value]) -> Option<Result<Value, NoAnswer>> {
    let mut case = case();
    let case = case.as_mut()?;
    let (number, args) = match of {
        Asked::Param(_) | Asked::Method(..) => {
            (case.functions.iter().position(|function| function.of == Some(of))?, args)
        }
        Asked::Inside => {
            let (value, args) = args.split_first()?;
            (case.functions.iter().position(|function| function.is_of(value))?, args)
        }
    };
    let function = &case.functions[number];
    Some(match question {
        Question::Result => case.result(number, args, false).ok_or(NoAnswer),
        // The results obey the laws of the precondition.
        Question::Obeys(law) => Ok(Value::Bool(function.obeys(law))),
        Question::Calls => Ok(Value::Seq(function.calls.iter().map(|(args, _)| tuple(args)).collect())),
        Question::Returns => {
            Ok(Value::Seq(function.calls.iter().map(|(_, result)| result.clone()).collect()))
        }
    })
}

/// The arguments of a call as one value.
fn tuple(args: &[Value]) -> Value {
    match args {
        [arg] => arg.clone(),
        args => Value::Tuple(args.into()),
    }
}

/// The number of the function in a parameter, by its position.
pub fn of_param(slot: u32) -> usize {
    case().as_ref().and_then(|case| case.of_param(slot)).unwrap_or(usize::MAX)
}

/// The number of a function inside of another value.
pub fn inside(value: &Value, callback: u32) -> usize {
    case().as_mut().map_or(usize::MAX, |case| case.inside(value, callback))
}

/// The number of a function pointer inside of another value, of which there may be `most`.
pub fn pointer(value: &Value, callback: u32, most: usize) -> usize {
    let mut case = case();
    let Some(case) = case.as_mut() else { return usize::MAX };
    let number = case.inside(value, callback);
    if number >= most {
        let misuse = case.too_many_pointers(most);
        case.misuse.get_or_insert(misuse);
    }
    number
}

/// The result of a call by the subject. A misused function unwinds.
pub fn call(number: usize, args: &[Value]) -> Value {
    let result = case().as_mut().and_then(|case| case.result(number, args, true));
    result.unwrap_or_else(|| resume_unwind(Box::new(Misused)))
}

/// The result of a call by the subject of a function that takes another function, `ask`, at this position.
pub fn call_taking(
    number: usize,
    mut args: Vec<Value>,
    taken: usize,
    ask: &mut dyn FnMut(&[Value]) -> Value,
) -> Value {
    taking(&mut args, taken, ask, &mut |args, asked| match asked {
        Asking::Step => Some(call(number, args)),
        Asking::After(given) => {
            let misuse = case().as_mut().and_then(|case| case.after_step(number, args, taken, given));
            if misuse.is_some() {
                resume_unwind(Box::new(Misused));
            }
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{
        Callback, CallbackId, CallbackKind, CallbackParam, IntKind, Param, Refined, SeqKind, Sort,
    };

    fn number() -> Refined {
        Refined::plain(Sort::Int(IntKind::U8))
    }

    fn callback(slot: u32) -> Callback {
        Callback {
            kind: CallbackKind::Pure,
            params: vec![CallbackParam { name: "x".to_owned(), slot, refined: number() }],
            requires: Vec::new(),
            ensures: Vec::new(),
            is_pointer: false,
            steps: None,
        }
    }

    fn function(id: u32) -> Refined {
        Refined::plain(Sort::Seq(Box::new(number()), SeqKind::Answers(CallbackId(id))))
    }

    fn spec(params: Vec<Refined>, callbacks: Vec<Callback>) -> Arc<Spec> {
        let param = |refined| Param { name: "f".to_owned(), refined, mutable: false };
        let params = params.into_iter().map(param).collect();
        Arc::new(Spec { params, callbacks, ..Spec::unrefined("f") })
    }

    /// A function with one result.
    fn one_result() -> Value {
        Value::Seq([Value::Int(0.into())].into())
    }

    #[test]
    fn what_functions_are_asked_for_is_told_in_the_order_of_the_calls() {
        let spec = spec(vec![function(0), function(1)], vec![callback(5), callback(6)]);
        let _alone = alone();
        begin(&spec, &[one_result(), one_result()], Missing::Strict, &[]);
        set_running(true);
        for (function, x) in [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)] {
            call(function, &[Value::Int(x.into())]);
        }
        // Each has one result, for its first call.
        assert_eq!(asked(), [1, 0, 0]);
    }

    #[test]
    fn functions_inside_of_arguments_are_told_by_their_place_and_not_by_when_they_are_met() {
        let list = Refined::plain(Sort::Seq(Box::new(function(0)), SeqKind::Vec));
        let spec = spec(vec![list, function(1)], vec![callback(5), callback(6)]);
        let _alone = alone();
        let args = [Value::Seq([one_result(), one_result(), one_result()].into()), one_result()];
        let args = begin(&spec, &args, Missing::Strict, &[]);
        set_running(true);
        let Value::Seq(functions) = &args[0] else { panic!("it is a list") };
        let (third, first) = (inside(&functions[2], 0), inside(&functions[0], 0));
        for function in [third, of_param(1), first] {
            call(function, &[Value::Int(0.into())]);
            call(function, &[Value::Int(1.into())]);
        }
        assert_eq!(asked(), [2, 3, 0]);
    }
}
