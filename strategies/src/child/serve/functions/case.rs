//! The functions of one case: what they return, and what is wrong with a call.

use std::cell::Cell;
use std::sync::Arc;

use super::super::function::Condition;
use super::required::{asks_for_results, required};
use super::results::Results;
use super::running::{Entries, MOST_NOTED, Running};
use super::solved::{STEPS_OF_CASE, solved};
use super::words::{PAGE, Words};
use crate::logic::eval::{Admission, Call, Judge, Obstacle};
use crate::logic::ir::{
    Asked, CallbackId, CallbackKind, Question, Refined, SeqKind, Sort, Spec, Term, visit,
};
use crate::logic::notation;
use crate::logic::table::{self, Table, each_function};
use crate::logic::value::Value;

/// Why a case with functions is over before its subject returned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Misuse {
    /// The subject called a function outside of its domain.
    Outside { clause: Option<u32>, call: String },
    /// There is no result for a call: the case is none.
    Rejected,
    /// A condition on a call can't be judged.
    Trouble { clause: Option<u32>, obstacle: Obstacle },
}

/// The functions of the running case.
pub(super) struct Case {
    pub(super) spec: Arc<Spec>,
    pub(super) args: Vec<Value>,
    /// Those of the parameters first, in their order; then those inside of other values, as they are met.
    pub(super) functions: Vec<Running>,
    /// What becomes of a call for which there is no result.
    missing: Missing,
    /// Whether the subject runs: only then calls are recorded.
    pub(super) is_running: bool,
    /// Whether it ran, and its outcome is judged.
    pub(super) is_over: bool,
    /// Whether conditions ask for the calls.
    pub(super) keeps_calls: bool,
    pub(super) misuse: Option<Misuse>,
    /// Number of steps left for results that are solved for.
    steps_left: Cell<u64>,
    /// The functions that were asked for more results than the case has, once for each result and in the order of the calls.
    asked: Vec<usize>,
    /// Whether one of them had no result.
    lacks_result: bool,
    /// The `where` conditions of the spec.
    pub(super) conditions: &'static [Condition],
}

/// How functions are written after their calls.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// As results by arguments.
    Table(Entries),
    /// As results in the order of calls, without those forced by laws.
    Answers,
}

/// What becomes of a call for which the case has no result.
#[derive(Clone)]
pub(crate) enum Missing {
    /// The case is none: another one has that result. The subject goes on with some result, so that nothing unwinds through it.
    Strict,
    /// Another result is sought. If none is found, the case is none, and the subject goes on.
    Sought,
    /// Another result is sought, also among these. If none is found, the call unwinds.
    Unwinds(Arc<Results>),
}

/// Maximum number of results of a function, besides those of its case, that are recorded as asked for.
pub const MOST_ASKED: usize = 64;

/// Number of calls after which a case that is none is ended, in case its subject waits for another result.
const MOST_REJECTED: usize = 10_000;

impl Case {
    /// A case before its subject runs.
    pub(super) fn new(
        spec: &Arc<Spec>,
        args: &[Value],
        missing: Missing,
        conditions: &'static [Condition],
    ) -> Case {
        let is_strict = matches!(missing, Missing::Strict);
        let args: Vec<Value> = args.iter().map(table::unshared).collect();
        let of_params = (0..).zip(spec.params.iter().zip(&args)).flat_map(|(slot, (param, value))| {
            let functions = functions_of(slot, &param.refined, spec);
            functions.into_iter().filter_map(|(of, id)| {
                Some(Running::new(of.function(value)?.clone(), id, spec, Some(of), is_strict))
            })
        });
        let functions = of_params.collect();
        Case {
            spec: spec.clone(),
            functions,
            missing,
            is_running: false,
            is_over: false,
            keeps_calls: asks_for_calls(spec),
            misuse: None,
            steps_left: Cell::new(STEPS_OF_CASE),
            asked: Vec::new(),
            lacks_result: false,
            conditions,
            args,
        }
    }

    /// Begins the case anew with results with which the preconditions hold that ask for some. `false` if none are found.
    pub(super) fn require(&mut self) -> bool {
        if !self.spec.requires.iter().any(|clause| asks_for_results(&clause.term)) {
            return false;
        }
        let spec = self.spec.clone();
        let mut sought = Case::new(&spec, &self.args, self.missing.clone(), self.conditions);
        let Some(required) = required(&mut sought) else { return false };
        self.misuse = None;
        self.functions.iter_mut().for_each(|function| *function = function.anew(&spec));
        required.into_iter().all(|(of, args, result)| {
            let function = self.functions.iter_mut().find(|function| function.of == Some(of));
            function.is_some_and(|function| function.note_required(&args, &result))
        })
    }

    /// The functions that were asked for more results than the case has, by their positions among those in the arguments.
    pub(super) fn asked(&self) -> Vec<u32> {
        let mut positions = vec![0; self.functions.len()];
        let mut next = 0;
        for (value, param) in self.args.iter().zip(&self.spec.params) {
            each_function(value, &param.refined, &self.spec, &mut |value, _, _| {
                if let Some(number) = self.functions.iter().position(|function| function.is_of(value)) {
                    positions[number] = next;
                }
                next += 1;
            });
        }
        self.asked.iter().map(|number| positions[*number]).collect()
    }

    /// Whether a function was asked for more results than the case has, and none of these stands for them.
    pub(super) fn is_incomplete(&self) -> bool {
        self.lacks_result
    }

    /// The number of the function that a value is.
    pub(super) fn inside(&mut self, value: &Value, callback: u32) -> usize {
        let known = self.functions.iter().position(|function| function.is_of(value));
        known.unwrap_or_else(|| {
            let id = CallbackId(callback);
            let is_strict = matches!(self.missing, Missing::Strict);
            self.functions.push(Running::new(value.clone(), id, &self.spec, None, is_strict));
            self.functions.len() - 1
        })
    }

    pub(super) fn of_param(&self, slot: u32) -> Option<usize> {
        self.functions.iter().position(|function| function.of == Some(Asked::Param(slot)))
    }

    /// The result of a function; `None` if it is misused.
    pub(super) fn result(&mut self, number: usize, args: &[Value], is_call: bool) -> Option<Value> {
        // A case that is none goes on, so that nothing unwinds through the subject without need.
        let is_rejected = self.misuse == Some(Misuse::Rejected);
        if self.misuse.is_some() && !is_rejected {
            return None;
        }
        let spec = self.spec.clone();
        let callback = spec.callback(self.functions.get(number)?.callback);
        self.admitted(number, args, is_call && !is_rejected)?;
        let function = &self.functions[number];
        let n_call = function.n_calls + 1;
        if callback.kind == CallbackKind::Stateful && !is_call {
            return self.reject();
        }
        let key = table::key(callback.kind, args, n_call);
        let n_known = function.n_entries();
        let n_more = function.n_more;
        let found = self.found(number, &key, args);
        let function = &mut self.functions[number];
        // What a case that is none asks for depends on results that it doesn't have.
        if function.n_more > n_more && n_more < MOST_ASKED && !is_rejected {
            self.asked.push(number);
        }
        let Some(result) = found else {
            self.lacks_result |= function.n_more > n_more;
            let is_rejected = *self.misuse.get_or_insert(Misuse::Rejected) == Misuse::Rejected;
            if !is_rejected || matches!(self.missing, Missing::Unwinds(_)) {
                return None;
            }
            let is_endless = self.functions[number].n_calls > MOST_REJECTED;
            let least = self.functions[number].least_result(&spec).filter(|_| is_call && !is_endless)?;
            let result_type = self.functions[number].result_type(&spec)?;
            let mut words = self.words(&spec);
            let is_of_type = Judge::new(Some(&mut words)).is_of(&spec, &self.args, result_type, &least);
            self.functions[number].n_calls += 1;
            return is_of_type.then_some(least);
        };
        let is_new = function.n_entries() > n_known;
        if is_call && self.is_running && callback.steps.is_none() {
            function.n_calls += 1;
            if self.keeps_calls {
                function.calls.push((args.into(), result.clone()));
            }
        }
        self.note_returned(number, args, &result);
        if let (true, Some(page)) = (is_new && n_known < MOST_NOTED, PAGE.get()) {
            page.set_tables(&self.tables());
        }
        Some(result)
    }

    /// Whether a function may be called so. If not, the case is over.
    fn admitted(&mut self, number: usize, args: &[Value], is_blamed: bool) -> Option<()> {
        let spec = self.spec.clone();
        let mut words = self.words(&spec);
        self.misuse =
            Some(match Judge::new(Some(&mut words)).call(&spec, self.call_of(number, args, &spec)) {
                Admission::Admitted => return Some(()),
                // What a postcondition asks outside of the domain has no value.
                Admission::Rejected(_) if self.is_over => return None,
                Admission::Rejected(clause) if is_blamed => {
                    let callback = self.functions[number].callback;
                    Misuse::Outside { clause, call: shown(&self.name(number), args, callback, &spec) }
                }
                Admission::Rejected(_) => Misuse::Rejected,
                Admission::SpecError { clause, obstacle } => {
                    Misuse::Trouble { clause: Some(clause), obstacle }
                }
            });
        None
    }

    /// The result of a function for a key: one of the case, or unless these are all that there may be, another one.
    fn found(&mut self, number: usize, key: &Arc<[Value]>, args: &[Value]) -> Option<Value> {
        let of = self.type_of(number).cloned();
        let outer = self.functions[number].outer().to_vec();
        let function = &mut self.functions[number];
        let (spec, case_args) = (&self.spec, &self.args);
        let words = || Words { spec, conditions: self.conditions };
        let (id, callback) = (function.callback, spec.callback(function.callback));
        let trouble = Cell::new(None);
        let is_admitted = |result: &Value| {
            // Of a step, only what is returned in the end is judged.
            if callback.steps.is_some() {
                return true;
            }
            let call = Call { entry: case_args, callback, args, outer: &outer };
            match Judge::new(Some(&mut words())).answer(spec, call, result) {
                Admission::Admitted => true,
                Admission::Rejected(_) => false,
                Admission::SpecError { clause, obstacle } => {
                    trouble.set(Some(Misuse::Trouble { clause: Some(clause), obstacle }));
                    false
                }
            }
        };
        let found = function.result(key, spec, &is_admitted);
        if let Some(trouble) = trouble.take() {
            self.misuse = Some(trouble);
            return None;
        }
        // Where a test of the user's runs, any step will do.
        let is_step = callback.steps.is_some() && !matches!(self.missing, Missing::Unwinds(_));
        if found.is_some() || function.is_strict || is_step {
            return found;
        }
        let Sort::Seq(of, SeqKind::Answers(_)) = of?.sort else { return None };
        let is_of = |result: &Value| Judge::new(Some(&mut words())).is_of(spec, case_args, &of, result);
        let others = match &self.missing {
            Missing::Unwinds(results) => results.get(),
            Missing::Strict | Missing::Sought => &[],
        };
        let demands = function.demands(key);
        let call = Call { entry: case_args, callback, args, outer: &outer };
        let solve = || solved(spec, id, call, (&of, &self.steps_left), &demands);
        function.invented(key, spec, (&of, others), &solve, &|result| is_of(result) && is_admitted(result))
    }

    /// The type of a function.
    pub(super) fn type_of(&self, number: usize) -> Option<&Refined> {
        let function = &self.functions[number];
        if let Some(origin) = &function.origin {
            return Some(&origin.refined);
        }
        let found = self.spec.params.iter().zip(&self.args);
        found.into_iter().find_map(|(param, value)| {
            typed(value, &param.refined, &self.spec, &|value| function.is_of(value))
        })
    }

    /// The name of a function in messages.
    pub(super) fn name(&self, number: usize) -> String {
        let function = &self.functions[number];
        if let Some(origin) = &function.origin {
            return origin.call.clone();
        }
        let params = self.spec.params.iter();
        if let Some(Asked::Param(slot)) = function.of {
            return self.spec.params[slot as usize].name.clone();
        }
        let is_it = |value: &Value| function.is_of(value);
        let found = params.zip(&self.args).find_map(|(param, value)| {
            Some(format!("{}{}", param.name, place(value, &param.refined, &self.spec, &is_it)?))
        });
        found.unwrap_or_else(|| "a function".to_owned())
    }

    /// What runs the `where` conditions of the spec.
    pub(super) fn words<'s>(&self, spec: &'s Spec) -> Words<'s> {
        Words { spec, conditions: self.conditions }
    }

    /// What becomes of a case with more functions than a harness has code for, where one is a function pointer.
    pub(super) fn too_many_pointers(&self, most: usize) -> Misuse {
        match self.missing {
            // No input of the space may be left out without a word.
            Missing::Strict => Misuse::Trouble {
                clause: None,
                obstacle: Obstacle::Mistake(format!(
                    "an input has more than {most} functions, and function pointers among them\nlimit their number in the spec, or lower `depth`"
                )),
            },
            Missing::Sought | Missing::Unwinds(_) => Misuse::Rejected,
        }
    }

    fn reject(&mut self) -> Option<Value> {
        self.misuse = Some(Misuse::Rejected);
        None
    }

    /// The arguments with functions as tables.
    pub(super) fn tables(&self) -> Vec<Value> {
        self.all_closed(Form::Table(Entries::Used))
    }

    pub(super) fn all_closed(&self, form: Form) -> Vec<Value> {
        let params = (0..).zip(self.args.iter().zip(&self.spec.params));
        params.map(|(slot, (value, param))| self.closed(value, &param.refined, Some(slot), form)).collect()
    }

    /// A value with the functions inside in some form.
    pub(super) fn closed(&self, value: &Value, refined: &Refined, slot: Option<u32>, form: Form) -> Value {
        match (&refined.sort, value) {
            (Sort::Seq(result, SeqKind::Answers(id)), _) => {
                let of_param =
                    slot.and_then(|slot| self.of_param(slot)).map(|number| &self.functions[number]);
                let function =
                    of_param.or_else(|| self.functions.iter().find(|function| function.is_of(value)));
                match function {
                    Some(function) => {
                        let part = |value: &Value| self.closed(value, result, None, form);
                        // What the subject must not ask for, the function doesn't give.
                        let may_default = !matches!(self.misuse, Some(Misuse::Outside { .. }));
                        match form {
                            Form::Table(which) => {
                                function.table(self.spec.callback(*id), (may_default, which), part)
                            }
                            Form::Answers => Value::Seq(function.chosen().into_iter().map(part).collect()),
                        }
                    }
                    None if Table::of(value).is_some() => value.clone(),
                    None => table::table([], None),
                }
            }
            (Sort::Seq(element, _), Value::Seq(values)) => {
                Value::Seq(values.iter().map(|value| self.closed(value, element, None, form)).collect())
            }
            (Sort::Tuple(parts), Value::Tuple(values)) => {
                let parts = values.iter().zip(parts);
                Value::Tuple(parts.map(|(value, part)| self.closed(value, part, None, form)).collect())
            }
            (Sort::Data(id), Value::Data(ctor, values)) => {
                let fields =
                    self.spec.data(*id).ctors.get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
                let fields = values.iter().zip(fields);
                Value::Data(
                    *ctor,
                    fields.map(|(value, field)| self.closed(value, &field.refined, None, form)).collect(),
                )
            }
            _ => value.clone(),
        }
    }
}

/// The functions that a parameter is, or that it has as methods.
fn functions_of(slot: u32, refined: &Refined, spec: &Spec) -> Vec<(Asked, CallbackId)> {
    if let Some(id) = refined.callback() {
        return vec![(Asked::Param(slot), id)];
    }
    let Sort::Data(id) = refined.sort else { return Vec::new() };
    let data = spec.data(id);
    let table = data.ctors.first().filter(|_| data.object.is_some());
    let methods = (0..).zip(table.map_or(&[][..], |ctor| &ctor.fields));
    methods
        .filter_map(|(method, field)| Some((Asked::Method(slot, method), field.refined.callback()?)))
        .collect()
}

/// Whether conditions ask for the calls of functions.
fn asks_for_calls(spec: &Spec) -> bool {
    let mut asks = false;
    for clause in spec.clauses() {
        visit(&clause.term, &mut |term| {
            asks |= matches!(term, Term::Ask(Question::Calls | Question::Returns, ..));
        });
    }
    asks
}

/// Where in a value a function is: `.price`, or nothing if it is not inside of a field.
fn place(value: &Value, refined: &Refined, spec: &Spec, is_it: &dyn Fn(&Value) -> bool) -> Option<String> {
    if is_it(value) {
        return Some(String::new());
    }
    if let (Sort::Data(id), Value::Data(ctor, values)) = (&refined.sort, value) {
        let fields = spec.data(*id).ctors.get(*ctor as usize).map_or(&[][..], |ctor| &ctor.fields);
        return values.iter().zip(fields).find_map(|(value, field)| {
            Some(format!(".{}{}", field.name, place(value, &field.refined, spec, is_it)?))
        });
    }
    let parts = refined.sort.parts(value);
    parts.into_iter().find_map(|(part, value)| place(value, part, spec, is_it))
}

/// A call as text: `f(3, [1])`.
pub(super) fn shown(name: &str, args: &[Value], callback: CallbackId, spec: &Spec) -> String {
    let params = &spec.callback(callback).params;
    let args = args.iter().zip(params).map(|(arg, param)| notation::print(arg, &param.refined, spec));
    format!("{name}({})", args.collect::<Vec<_>>().join(", "))
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
