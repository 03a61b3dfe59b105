//! Members of a space with functions, without those that differ only in results that the subject doesn't ask for.
//!
//! A member without any results runs first. If the subject asks a function for a result, the same input runs again with each
//! result that it may be. Where a member has results, and a function is asked for more, its last one stands for these; then
//! the same input runs with each other result in that place. So each run differs from all others in a result that was asked
//! for, and all that may be asked for come: what a spec with ten functions costs is what is asked of them.
//!
//! A run repeats the one that it extends up to the result in which they differ. Only what is asked for after that is
//! extended again, so that no input comes twice.
//!
//! Source: *Irulan*, section 3.2 (needed narrowing), for functions instead of lazy arguments.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use target_strategies::child::serve::functions::MOST_ASKED;
use target_strategies::logic::ir::{
    CallbackId, CallbackKind, DataId, Param, Refined, SeqKind, Sort, Spec, mentions,
};
use target_strategies::logic::table::{each_function, unshared};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::Lister;
use target_strategies::space::Space;

use super::feedback::{Feedback, Told};
use super::members::{Members, Next};
use super::{Batch, Case, End, Generator, Step};

/// Number of results that are tried in a place, before it is the turn of the next place.
const IN_TURN: usize = 64;

/// Minimum and maximum number of cases in a batch, and number of cases so far for each.
const BATCH: (u64, u64) = (4, 1024);
const CASES_PER_CASE: u64 = 8;

/// Number of cases that may come before as many of the other generator.
const AHEAD: u64 = 4;

/// Number of cases outside the space that may come before its end: at first, and one more for so many members with results.
const BEYOND: (u64, u64) = (750, 10);

/// Number of members with results, and of places for them, from which on the end of the space is too far away to wait for it.
const FAR: u64 = 20_000;

/// Number of places from which on the newest is the next: a bound on memory.
const MOST_PLACES: usize = 100_000;

/// A result that was asked for, and that can be another one.
struct Position {
    args: Arc<[Value]>,
    /// The position of the function among those in the arguments.
    function: usize,
    /// The index of the result.
    index: usize,
    /// Number of results that a run asks for before this one, besides those that it has.
    n_before: usize,
    /// Number of results that were tried.
    n_tried: usize,
}

/// A member that was sent.
struct Sent {
    args: Vec<Value>,
    /// Number of results that it asks for, besides those that it has, and that another member is extended at.
    n_before: usize,
}

/// The results of a type, each once, small ones first.
struct Results {
    members: Members,
    /// Those that were found so far.
    found: Vec<Value>,
    is_over: bool,
}

/// The generator.
pub struct Unfolding {
    space: Space,
    /// The members without results, and cases outside the space.
    other: Box<dyn Generator>,
    lister: Lister,
    feedback: Feedback,
    results: BTreeMap<u32, Results>,
    places: VecDeque<Position>,
    /// The cases of which nothing is told yet; `None` for those outside the space.
    sent: VecDeque<Option<Sent>>,
    /// Number of cases of the last step, and of those before it, of which nothing is told yet.
    n_last: u64,
    n_awaited: u64,
    n_own: u64,
    n_other: u64,
    /// Number of the other generator's cases that are outside the space.
    n_beyond: u64,
    /// How the other generator's members ended.
    inside: Option<End>,
    is_end_told: bool,
    is_other_over: bool,
    reasons: BTreeSet<String>,
}

impl Unfolding {
    /// Adds members with results to the cases of a generator, which has those of [`Space::without_results`].
    pub fn new(space: Space, other: Box<dyn Generator>, feedback: Feedback) -> Unfolding {
        Unfolding {
            lister: Lister::new(&space.without_results()),
            space,
            other,
            feedback,
            results: BTreeMap::new(),
            places: VecDeque::new(),
            sent: VecDeque::new(),
            n_last: 0,
            n_awaited: 0,
            n_own: 0,
            n_other: 0,
            n_beyond: 0,
            inside: None,
            is_end_told: false,
            is_other_over: false,
            reasons: BTreeSet::new(),
        }
    }

    /// Reads what became of all cases before those of the last step, so that the child is not idle.
    fn listen(&mut self) {
        while self.n_awaited > 0 {
            // It is not closed: a run with such cases does not go on later.
            let told = self.feedback.next().unwrap_or_default();
            self.n_awaited -= 1;
            if let Some(Some(sent)) = self.sent.pop_front() {
                self.hear(told, sent);
            }
        }
        self.n_awaited = std::mem::take(&mut self.n_last);
    }

    /// Notes the places of the results that a member was asked for.
    fn hear(&mut self, told: Told, sent: Sent) {
        let Some(asked) = told.asked else {
            let reason =
                "a case ended its process or was left out, so what it asks functions for is not known";
            self.reasons.insert(reason.to_owned());
            return;
        };
        let args: Arc<[Value]> = sent.args.into();
        let mut n_of = HashMap::new();
        for (n_before, function) in asked.into_iter().enumerate() {
            let n_of: &mut usize = n_of.entry(function).or_default();
            let function = function as usize;
            let own = std::mem::replace(n_of, *n_of + 1);
            let Some((results, id, _)) = function_at(&args, self.space.spec(), function) else { continue };
            let index = results.len() + own;
            let most = match self.space.spec().callback(id).kind {
                CallbackKind::Once => 1,
                CallbackKind::Pure | CallbackKind::Stateful => self.space.bounds().depth as usize,
            };
            if n_before >= sent.n_before && index < most {
                let args = Arc::clone(&args);
                self.places.push_back(Position {
                    args,
                    function,
                    index,
                    n_before: n_before - own,
                    n_tried: 0,
                });
            }
        }
    }

    /// The next members with a result that another one was asked for.
    fn unfold(&mut self) -> Option<Batch> {
        let room = (self.n_own / CASES_PER_CASE).clamp(BATCH.0, BATCH.1) as usize;
        let mut cases = Vec::new();
        while cases.len() < room {
            let is_full = self.places.len() > MOST_PLACES;
            let place = if is_full { self.places.pop_back() } else { self.places.pop_front() };
            let Some(mut place) = place else { break };
            let most = IN_TURN.min(room - cases.len());
            if self.fill(&mut place, most, &mut cases) {
                self.places.push_back(place);
            }
        }
        self.n_own += cases.len() as u64;
        self.n_last += cases.len() as u64;
        (!cases.is_empty()).then_some(Batch::Cases(cases))
    }

    /// Adds the members with the next results in a place; returns whether there are more.
    fn fill(&mut self, place: &mut Position, most: usize, cases: &mut Vec<Case>) -> bool {
        let spec = self.space.spec().clone();
        let args: Vec<Value> = place.args.iter().map(unshared).collect();
        let Some((known, id, of)) = function_at(&args, &spec, place.function) else { return false };
        let results = self.results.entry(id.0).or_insert_with(|| Results::of(of, &self.space));
        let before = known.last().into_iter().cycle().take(place.index - known.len());
        let before: Vec<&Value> = known.iter().chain(before).collect();
        for _ in 0..most {
            let Some(result) = results.get(place.n_tried, &mut self.reasons) else { return false };
            place.n_tried += 1;
            // That is the member that asked for it.
            if before.last() == Some(&result) {
                continue;
            }
            let results = before.iter().copied().chain([result]).cloned().collect();
            let args: Vec<Value> =
                args.iter().map(|arg| replaced(arg, &known, &Value::Seq(Arc::clone(&results)))).collect();
            self.sent.push_back(Some(Sent { args: args.clone(), n_before: place.n_before }));
            cases.push(Case { args, beyond: None });
        }
        true
    }

    /// Notes cases of the other generator.
    fn note(&mut self, cases: &[Case]) {
        for case in cases {
            let is_member = case.beyond.is_none();
            self.sent.push_back(is_member.then(|| Sent { args: case.args.clone(), n_before: 0 }));
        }
        self.n_other += cases.len() as u64;
        self.n_beyond += cases.iter().filter(|case| case.beyond.is_some()).count() as u64;
        self.n_last += cases.len() as u64;
    }

    /// Whether nothing is left to extend, and nothing that may be.
    fn is_unfolded(&self) -> bool {
        self.places.is_empty() && self.sent.iter().all(Option::is_none)
    }

    /// Whether the other generator has nothing left but cases outside the space, and had enough of these for now.
    fn rests(&self) -> bool {
        let is_near = self.n_own + self.places.len() as u64 <= FAR;
        let is_enough = self.n_beyond >= BEYOND.0 + self.n_own / BEYOND.1;
        self.is_other_over || self.inside.is_some() && !self.is_unfolded() && is_near && is_enough
    }

    /// The end of the space.
    fn end(&self) -> End {
        let mut reasons = self.reasons.clone();
        match &self.inside {
            Some(End::Unknown(more)) => reasons.extend(more.iter().cloned()),
            Some(end @ (End::Asked(_) | End::Closed)) => return end.clone(),
            Some(End::Exhausted) | None => {}
        }
        if reasons.is_empty() { End::Exhausted } else { End::Unknown(reasons.into_iter().collect()) }
    }

    /// The next step of the other generator.
    fn step_other(&mut self) -> Step {
        let cases = match self.other.step() {
            Step::Batch(Batch::Cases(cases)) => cases,
            Step::Batch(Batch::Listed(pieces)) => {
                let mut listing = self.lister.list(&pieces);
                let mut cases = Vec::new();
                while let Some(member) = listing.advance() {
                    cases.push(Case { args: member.args.to_vec(), beyond: None });
                }
                cases
            }
            Step::Batch(Batch::Ranges(_)) => {
                self.reasons.insert("the functions of some inputs were given no results".to_owned());
                Vec::new()
            }
            // Its sizes are those of members without results.
            Step::Reached(_) => Vec::new(),
            Step::Beyond(end) => {
                self.inside = Some(end);
                Vec::new()
            }
            Step::End(end) => {
                self.inside.get_or_insert(end);
                self.is_other_over = true;
                Vec::new()
            }
        };
        self.note(&cases);
        Step::Batch(Batch::Cases(cases))
    }
}

impl Generator for Unfolding {
    fn step(&mut self) -> Step {
        self.listen();
        let rests = self.rests();
        let is_turn = rests || self.n_own <= self.n_other + AHEAD;
        if is_turn && let Some(batch) = self.unfold() {
            return Step::Batch(batch);
        }
        if self.inside.is_some() && self.is_unfolded() {
            if self.is_other_over {
                return Step::End(self.end());
            }
            if !std::mem::replace(&mut self.is_end_told, true) {
                return Step::Beyond(self.end());
            }
        }
        if rests { Step::Batch(Batch::Cases(Vec::new())) } else { self.step_other() }
    }

    fn solving(&self) -> Duration {
        self.other.solving()
    }
}

impl Results {
    /// The results of a function, as a parameter of their own.
    fn of(result: &Refined, space: &Space) -> Results {
        let mut spec = Spec::clone(space.spec());
        // Also those in conditions that are dropped here.
        spec.literals.extend(space.named_chars().into_iter().map(Value::Char));
        // Conditions find a value after the slots of all parameters, so their number stays.
        let unit =
            |param: &Param| Param { refined: Refined::plain(Sort::Tuple(Vec::new())), ..param.clone() };
        spec.params = spec.params.iter().map(unit).collect();
        if let Some(first) = spec.params.first_mut() {
            first.refined = result.clone();
        }
        for clauses in [&mut spec.requires, &mut spec.explore, &mut spec.ensures] {
            clauses.clear();
        }
        spec.examples.clear();
        let members = Members::new(&Space::new(Arc::new(spec), space.bounds()));
        Results { members, found: Vec::new(), is_over: false }
    }

    /// The result with this index; `None` if there are not so many, or if they were not found, which is told.
    fn get(&mut self, index: usize, reasons: &mut BTreeSet<String>) -> Option<&Value> {
        while self.found.len() <= index && !self.is_over {
            match self.members.advance() {
                Next::Member(mut args) => self.found.push(args.swap_remove(0)),
                Next::End(more) => {
                    reasons
                        .extend(more.into_iter().map(|reason| format!("of a function's results, {reason}")));
                    self.is_over = true;
                }
            }
        }
        self.found.get(index)
    }
}

/// The results of the function at a position among those in the arguments, and their type.
fn function_at<'s>(
    args: &[Value],
    spec: &'s Spec,
    position: usize,
) -> Option<(Arc<[Value]>, CallbackId, &'s Refined)> {
    let (mut found, mut at) = (None, 0);
    for (arg, param) in args.iter().zip(&spec.params) {
        each_function(arg, &param.refined, spec, &mut |value, refined, id| {
            if let (true, Value::Seq(results), Sort::Seq(of, _)) = (at == position, value, &refined.sort) {
                found = Some((Arc::clone(results), id, &**of));
            }
            at += 1;
        });
    }
    found
}

/// A value with other results of one of its functions, which is known by its place in memory.
fn replaced(value: &Value, known: &Arc<[Value]>, results: &Value) -> Value {
    let all = |parts: &[Value]| parts.iter().map(|part| replaced(part, known, results)).collect();
    match value {
        Value::Seq(parts) if Arc::ptr_eq(parts, known) => results.clone(),
        Value::Seq(parts) => Value::Seq(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Data(ctor, fields) => Value::Data(*ctor, all(fields)),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => value.clone(),
    }
}

/// Whether inputs may have functions, so that most members could differ only in what nobody asks for, and all of these can be
/// extended: their results have no functions, and conditions that don't depend on the other arguments.
pub fn is_worth_unfolding(space: &Space) -> bool {
    let spec = space.spec();
    let n_params = spec.params.len() as u32;
    let takes_none = spec.callbacks.iter().all(|callback| callback.steps.is_none());
    let mut functions = Functions { spec, n_params, open: Vec::new(), can_all: takes_none };
    let has_any = functions.are_in_any(spec.params.iter().map(|param| &param.refined));
    functions.can_all && has_any && space.bounds().depth as usize <= MOST_ASKED
}

/// Looks for functions in the types of inputs.
struct Functions<'s> {
    spec: &'s Spec,
    n_params: u32,
    /// The data types around the type that is looked at.
    open: Vec<DataId>,
    /// Whether all of them can be extended.
    can_all: bool,
}

impl Functions<'_> {
    /// Whether values of a type may have functions.
    fn are_in(&mut self, refined: &Refined) -> bool {
        let spec = self.spec;
        match &refined.sort {
            Sort::Seq(result, SeqKind::Answers(_)) => {
                let mut clauses = Vec::new();
                result.clauses_inside(&mut clauses);
                let depends = |slot| clauses.iter().any(|clause| mentions(&clause.term, slot));
                self.can_all &= !(0..self.n_params).any(depends) && !self.are_in(result);
                // Inside of a recursive value, less of the depth is left for results.
                let is_recursive = |id: &DataId| spec.data(*id).ctors.iter().any(|ctor| ctor.recursive);
                self.can_all &= !self.open.iter().any(is_recursive);
                true
            }
            Sort::Data(id) if self.open.contains(id) => false,
            Sort::Data(id) => {
                self.open.push(*id);
                let fields = spec.data(*id).ctors.iter().flat_map(|ctor| &ctor.fields);
                let found = self.are_in_any(fields.map(|field| &field.refined));
                self.open.pop();
                found
            }
            Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) => {
                self.are_in_any(refined.inner())
            }
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Opaque(_) => false,
        }
    }

    /// Whether values of some of the types may. All are looked at, as functions that can't be extended matter in each.
    fn are_in_any<'r>(&mut self, types: impl IntoIterator<Item = &'r Refined>) -> bool {
        let mut found = false;
        for part in types {
            found |= self.are_in(part);
        }
        found
    }
}

#[cfg(test)]
mod tests;
