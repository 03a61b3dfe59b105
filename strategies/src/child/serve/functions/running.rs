//! One function of the running case: what it returned, and what it will return.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::logic::int::Int;
use crate::logic::ir::{
    Asked, Callback, CallbackId, CallbackKind, Clause, Law, Question, Refined, SeqKind, Sort, Spec, Step,
    Term,
};
use crate::logic::law::{self, Demands, Known};
use crate::logic::table::{self, Table, table};
use crate::logic::value::Value;

/// Maximum nesting of a small value of a type.
const NESTING: u32 = 16;

/// Maximum number of constructors of a type whose values are all tried as results.
const FEW: usize = 8;

/// Numbers that are tried as results where a case has none.
const SMALL: [i64; 4] = [0, 1, -1, 2];

/// Maximum number of numbers in the arguments near which results are tried.
const MOST_NEAR: usize = 16;

/// Maximum number of results of a function that are recorded for a case that ends the process.
pub(super) const MOST_NOTED: usize = 64;

/// Entries of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entries {
    /// Those that this run asked for.
    Used,
    /// Those of earlier runs with the same results, too.
    All,
}

/// What is known of an entry.
struct Mark {
    /// Whether this run asked for it, and whether any run did. A table whose function obeys laws is known before.
    is_used: bool,
    is_met: bool,
    /// Whether laws left no other result.
    is_forced: bool,
}

/// Where a returned function comes from.
#[derive(Clone)]
pub(super) struct Origin {
    /// Its type.
    pub refined: Refined,
    /// The call that returned it: `make(3)`.
    pub call: String,
    /// The arguments of that call, and of those before it, by their slots.
    pub outer: Vec<(u32, Value)>,
}

/// A function of the running case.
pub(super) struct Running {
    /// The function as the case has it: results in order, or a table.
    value: Value,
    pub callback: CallbackId,
    /// The parameter that it is, or whose method, unless it is inside of another value.
    pub of: Option<Asked>,
    /// Where it comes from, if another function returned it.
    pub origin: Option<Origin>,
    /// Whether only the next result of the case will do for new arguments.
    pub is_strict: bool,
    /// The laws that it obeys, with what follows from the results so far.
    laws: Vec<Known>,
    /// The results so far, with the keys in a table, in the order of the calls.
    entries: Vec<(Arc<[Value]>, Value)>,
    /// What is known of the entries, in the same order.
    marks: Vec<Mark>,
    /// The positions of the keys among the entries.
    positions: HashMap<Arc<[Value]>, usize>,
    /// Number of results taken from the case.
    n_used: usize,
    /// Number of results that were asked for after these.
    pub n_more: usize,
    /// Number of calls by the subject.
    pub n_calls: usize,
    /// These calls, with their results, if conditions ask for them.
    pub calls: Vec<(Arc<[Value]>, Value)>,
}

impl Running {
    pub(super) fn new(
        value: Value,
        callback: CallbackId,
        spec: &Spec,
        of: Option<Asked>,
        is_strict: bool,
    ) -> Running {
        let laws = of.map(|of| laws(&spec.requires, of)).unwrap_or_default();
        let (entries, calls) = (Vec::new(), Vec::new());
        let (positions, marks) = (HashMap::new(), Vec::new());
        let mut running = Running {
            value,
            callback,
            of,
            origin: None,
            is_strict,
            laws,
            entries,
            marks,
            positions,
            n_used: 0,
            n_more: 0,
            n_calls: 0,
            calls,
        };
        if running.has_laws() && spec.callback(callback).kind != CallbackKind::Stateful {
            running.note_table();
        }
        running
    }

    /// The same function before it was asked.
    pub(super) fn anew(&self, spec: &Spec) -> Running {
        let anew = Running::new(self.value.clone(), self.callback, spec, self.of, self.is_strict);
        Running { origin: self.origin.clone(), ..anew }
    }

    /// The same function, which another one returned.
    pub(super) fn returned(self, origin: Origin) -> Running {
        Running { origin: Some(origin), ..self }
    }

    /// The arguments of the calls that returned it, by their slots.
    pub(super) fn outer(&self) -> &[(u32, Value)] {
        self.origin.as_ref().map_or(&[], |origin| &origin.outer)
    }

    /// Takes note of a result that a precondition demands, as if it were that of a table. `false` if the laws exclude it.
    pub(super) fn note_required(&mut self, args: &[Value], result: &Value) -> bool {
        let key: Arc<[Value]> = args.into();
        let fits = !self.positions.contains_key(&key) && self.fits(&key, result);
        if fits {
            let mark = Mark { is_used: false, is_met: false, is_forced: false };
            self.note(&key, &table::unshared(result), mark);
        }
        fits
    }

    /// Takes note of the entries of a table, so that other results obey the laws together with them.
    fn note_table(&mut self) {
        let value = self.value.clone();
        for (args, result) in Table::of(&value).into_iter().flat_map(Table::entries) {
            let key: Arc<[Value]> = args.into();
            if !self.positions.contains_key(&key) && self.fits(&key, result) {
                self.note(
                    &key,
                    &table::unshared(result),
                    Mark { is_used: false, is_met: false, is_forced: false },
                );
            }
        }
    }

    /// Begins another run with the same results.
    pub(super) fn begin_again(&mut self) {
        self.marks.iter_mut().for_each(|mark| mark.is_used = false);
        self.n_calls = 0;
        self.calls.clear();
    }

    /// Whether this is the function that a value inside of another one stands for. Parts of values are shared, so they
    /// are known by their place in memory.
    pub(super) fn is_of(&self, value: &Value) -> bool {
        match (&self.value, value) {
            (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The results in the order of new arguments, if it isn't a table.
    fn answers(&self) -> Option<&[Value]> {
        let Value::Seq(answers) = &self.value else { return None };
        Some(answers)
    }

    /// The function as the case has it.
    pub(super) fn as_given(&self) -> &Value {
        &self.value
    }

    /// The entries that it was asked for in this run, or in any.
    fn selected(&self, which: Entries) -> impl DoubleEndedIterator<Item = &(Arc<[Value]>, Value)> {
        let is_it = move |mark: &Mark| mark.is_used || which == Entries::All && mark.is_met;
        self.entries.iter().zip(&self.marks).filter(move |(_, mark)| is_it(mark)).map(|(entry, _)| entry)
    }

    /// Whether it was asked for any result in this run.
    pub(super) fn is_used(&self) -> bool {
        self.marks.iter().any(|mark| mark.is_used)
    }

    /// Whether the calls asked for each of its results. The last one must differ from the one before: it also stands for
    /// all that follows.
    pub(super) fn is_used_up(&self) -> bool {
        let Some(answers) = self.answers() else { return true };
        self.n_used == answers.len() && !matches!(answers, [.., a, b] if a == b)
    }

    /// Number of different arguments that it met.
    pub(super) fn n_entries(&self) -> usize {
        self.marks.iter().filter(|mark| mark.is_met).count()
    }

    /// Whether its results must obey laws.
    pub(super) fn has_laws(&self) -> bool {
        !self.laws.is_empty()
    }

    /// Whether its results obey a law.
    pub(super) fn obeys(&self, law: Law) -> bool {
        law::obeys(law, &self.entries())
    }

    /// Its results in this run, without those forced by laws, in the order of new arguments. The last one is for all that follow.
    pub(super) fn chosen(&self) -> Vec<&Value> {
        let chosen = self.entries.iter().zip(&self.marks).filter(|(_, mark)| mark.is_used && !mark.is_forced);
        let mut chosen: Vec<&Value> = chosen.map(|((_, result), _)| result).collect();
        while let [.., a, b] = chosen[..]
            && a == b
        {
            chosen.pop();
        }
        chosen
    }

    fn entries(&self) -> Vec<law::Entry<'_>> {
        self.selected(Entries::All).map(|(key, result)| (&**key, result)).collect()
    }

    /// Whether a result for new arguments obeys all laws together with those before.
    fn fits(&self, key: &[Value], result: &Value) -> bool {
        let entries = || self.entries.iter().map(|(key, result)| (&**key, result));
        self.laws.iter().all(|law| law.fits(key, result, entries()))
    }

    /// What the laws demand of a result for new arguments, given those before.
    pub(super) fn demands(&self, key: &[Value]) -> Demands {
        let entries = self.entries.iter().map(|(key, result)| (&**key, result));
        let mut demands = Demands::default();
        self.laws.iter().for_each(|law| law.demand(key, entries.clone(), &mut demands));
        demands
    }

    /// The result for a key. `None` if there is none that is admitted and obeys the laws.
    pub(super) fn result(
        &mut self,
        key: &Arc<[Value]>,
        spec: &Spec,
        is_admitted: &dyn Fn(&Value) -> bool,
    ) -> Option<Value> {
        if let Some(known) = self.positions.get(key) {
            let (result, mark) = (&self.entries[*known].1, &mut self.marks[*known]);
            if !mark.is_met && !is_admitted(result) {
                return None;
            }
            (mark.is_used, mark.is_met) = (true, true);
            return Some(result.clone());
        }
        let fits = |result: &Value| self.fits(key, result) && is_admitted(result);
        // What calls another function goes on, and would do so again for each further result.
        let ends = |result: &&Value| !is_call(result, spec.callback(self.callback));
        let all = if self.laws.is_empty() { Vec::new() } else { self.few_results(spec) };
        let mut possible = all.iter().filter(|result| fits(result));
        let forced = possible.next().filter(|_| possible.next().is_none());
        let is_forced = forced.is_some();
        let mut n_more = 0;
        let (result, is_taken) = match (forced, self.answers()) {
            (Some(forced), Some(_)) => (Some(forced.clone()), false),
            (None, Some(answers)) => {
                let next = answers.get(self.n_used);
                n_more = usize::from(next.is_none());
                let wanted = next.or(answers.last().filter(ends)).filter(|result| fits(result));
                let other = || answers.iter().chain(&all).filter(ends).find(|result| fits(result));
                let result = if self.is_strict { wanted } else { wanted.or_else(other) };
                (result.cloned(), next.is_some())
            }
            (_, None) => {
                let table = Table::of(&self.value)?;
                let known = || table.entries().map(|(_, result)| result);
                // A table stays what it is. Where it says nothing, any result will do.
                let result = match table.result(key) {
                    Some(wanted) => Some(wanted).filter(|result| fits(result)),
                    None => known().chain(&all).filter(ends).find(|result| fits(result)),
                };
                (result.cloned(), false)
            }
        };
        self.n_more += n_more;
        let result = table::unshared(&result?);
        let callback = spec.callback(self.callback);
        let is_rest = !is_taken && self.answers().is_some_and(|answers| self.n_used == answers.len());
        if callback.kind == CallbackKind::Stateful && is_rest && callback.ensures.is_empty() {
            // The last result stands for all that follows.
            return Some(result);
        }
        self.n_used += usize::from(is_taken);
        self.note(key, &result, Mark { is_used: true, is_met: true, is_forced });
        Some(result)
    }

    fn note(&mut self, key: &Arc<[Value]>, result: &Value, mark: Mark) {
        self.marks.push(mark);
        self.laws.iter_mut().for_each(|law| law.add(key, result));
        self.positions.insert(key.clone(), self.entries.len());
        self.entries.push((key.clone(), result.clone()));
    }

    /// A result for arguments for which the case has none, if one is found that is possible and obeys the laws: one
    /// that `solve` finds, a small value, a number near those in the arguments, or one of `others`.
    pub(super) fn invented(
        &mut self,
        key: &Arc<[Value]>,
        spec: &Spec,
        (of, others): (&Refined, &[(CallbackId, Value)]),
        solve: &dyn Fn() -> Arc<[Value]>,
        is_possible: &dyn Fn(&Value) -> bool,
    ) -> Option<Value> {
        // A table stays what it is.
        if Table::of(&self.value).is_some_and(|table| table.result(key).is_some()) {
            return None;
        }
        let mut conditions = Vec::new();
        of.clauses_inside(&mut conditions);
        let has_conditions =
            self.has_laws() || !conditions.is_empty() || !spec.callback(self.callback).ensures.is_empty();
        let mut found = if has_conditions { solve().to_vec() } else { Vec::new() };
        let turn = self.turn(found.len());
        found.rotate_left(turn);
        found.extend(few_values(of, spec));
        if matches!(of.sort, Sort::Int(_)) {
            let mut numbers = Vec::new();
            key.iter().for_each(|arg| collect_numbers(arg, &mut numbers));
            let near = |n: &Int| [n.clone(), n + &Int::ONE, n - &Int::ONE];
            let near = numbers.iter().take(MOST_NEAR).flat_map(near);
            found.extend(SMALL.map(Int::from).into_iter().chain(near).map(Value::Int));
        } else {
            found.extend(least(of, spec, NESTING));
        }
        let others = others.iter().filter(|(callback, _)| *callback == self.callback);
        found.extend(others.map(|(_, result)| result.clone()));
        let result = found.into_iter().find(|result| is_possible(result) && self.fits(key, result))?;
        // Each returned function knows which call returned it.
        let result = table::unshared(&result);
        self.note(key, &result, Mark { is_used: true, is_met: true, is_forced: false });
        Some(result)
    }

    /// A number below `n`, so that cases with other results get other ones here, too. A function without results gets the
    /// first, which is the smallest.
    pub(super) fn turn(&self, n: usize) -> usize {
        let next = self.answers().and_then(|answers| answers.get(self.entries.len()).or(answers.last()));
        let Some(next) = next else { return 0 };
        let mut hasher = DefaultHasher::new();
        next.hash(&mut hasher);
        usize::try_from(hasher.finish() >> 1).unwrap_or_default().checked_rem(n).unwrap_or_default()
    }

    /// All results, if the type has few values.
    fn few_results(&self, spec: &Spec) -> Vec<Value> {
        let result = self.result_type(spec).filter(|result| result.clauses.is_empty());
        result.map_or_else(Vec::new, |result| few_values(result, spec))
    }

    /// The type of its results, if it is in a parameter. Only such functions have laws.
    pub(super) fn result_type<'s>(&self, spec: &'s Spec) -> Option<&'s Refined> {
        Some(spec.asked(self.of?)?.1)
    }

    /// A small value of the type of its results; it need not satisfy the refinement.
    pub(super) fn least_result(&self, spec: &Spec) -> Option<Value> {
        least(self.result_type(spec)?, spec, NESTING)
    }

    /// The table of its results, each changed by `part`. The last result is that for all other arguments, if any may have
    /// it.
    pub(super) fn table(
        &self,
        callback: &Callback,
        (may_default, which): (bool, Entries),
        part: impl Fn(&Value) -> Value,
    ) -> Value {
        // The calls of a subject that doesn't end are not all known; each gets the last result, if it may.
        let is_cut = callback.kind == CallbackKind::Stateful && self.n_entries() >= MOST_NOTED;
        let is_total = may_default && (callback.ensures.is_empty() || is_cut);
        let default = match (self.answers(), self.selected(which).next_back()) {
            _ if !is_total || !self.laws.is_empty() => None,
            (Some(answers @ [.., last]), Some(_)) if self.n_used == answers.len() => Some(last),
            (Some(_), last) => last.map(|(_, result)| result),
            (None, _) => Table::of(&self.value).and_then(Table::default),
        };
        let default = default.filter(|result| !is_call(result, callback));
        let default = default.map(&part);
        let entries = self.selected(which).map(|(key, result)| (key.to_vec(), part(result)));
        let entries: Vec<_> = entries.filter(|(_, result)| Some(result) != default.as_ref()).collect();
        table(entries, default)
    }
}

/// All values of a type, if there are few.
fn few_values(of: &Refined, spec: &Spec) -> Vec<Value> {
    if of.sort == Sort::Bool {
        return [false, true].map(Value::Bool).to_vec();
    }
    let Sort::Data(id) = of.sort else { return Vec::new() };
    let ctors = &spec.data(id).ctors;
    let is_plain = ctors.len() <= FEW && ctors.iter().all(|ctor| ctor.fields.is_empty());
    let included = (0..).zip(ctors).filter(|(_, ctor)| is_plain && !ctor.excluded);
    included.map(|(index, _)| Value::Data(index, [].into())).collect()
}

/// A small value of a type, if one is found.
fn least(refined: &Refined, spec: &Spec, nesting: u32) -> Option<Value> {
    let nesting = nesting.checked_sub(1)?;
    Some(match &refined.sort {
        Sort::Bool => Value::Bool(false),
        Sort::Char => Value::Char('a'),
        Sort::Int(_) => Value::int(0_u32),
        Sort::Float(_) => Value::Float(0.0),
        Sort::Str(_) => Value::str(""),
        Sort::Seq(_, SeqKind::Array(_) | SeqKind::Answers(_)) | Sort::Opaque(_) => return None,
        Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) => Value::seq([]),
        Sort::Tuple(parts) => {
            let parts = parts.iter().map(|part| least(part, spec, nesting));
            Value::Tuple(parts.collect::<Option<Vec<_>>>()?.into())
        }
        Sort::Data(id) => {
            let ctors = (0..).zip(&spec.data.get(id.0 as usize)?.ctors);
            let mut possible = ctors.filter(|(_, ctor)| !ctor.recursive && !ctor.excluded);
            possible.find_map(|(number, ctor)| {
                let fields = ctor.fields.iter().map(|field| least(&field.refined, spec, nesting));
                Some(Value::Data(number, fields.collect::<Option<Vec<_>>>()?.into()))
            })?
        }
    })
}

/// The integers in a value.
fn collect_numbers(value: &Value, found: &mut Vec<Int>) {
    match value {
        Value::Int(n) => found.push(n.clone()),
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            parts.iter().for_each(|part| collect_numbers(part, found));
        }
        Value::Bool(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Whether a result is a step in which a function calls another one, and goes on.
fn is_call(result: &Value, callback: &Callback) -> bool {
    callback.steps.is_some() && matches!(result, Value::Data(step, _) if *step == Step::Call as u32)
}

/// The laws that preconditions demand of a function.
fn laws(requires: &[Clause], wanted: Asked) -> Vec<Known> {
    let law = |clause: &Clause| {
        let Term::Ask(Question::Obeys(law), of, _) = &clause.term else { return None };
        (*of == wanted).then(|| Known::new(*law))
    };
    requires.iter().filter_map(law).collect()
}
