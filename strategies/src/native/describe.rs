//! Says whether a class has a member, and which choices the engine will make: for `auto` and `explain`.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::count::choose::Choice;
use super::count::state::{State, StateForm, TooMuch};
use super::listing::preconditions;
use super::plan::problem::{Hole, Problem, holes_in, replaced};
use super::plan::types::{Form, TypeId, Types, has_rust};
use super::propagate::work::Work;
use super::{Class, Native};
use crate::logic::ir::{Function, FunctionId, Refined, Sort, Spec, Term, visit};
use crate::native::plan::problem::FIRST_HOLE;

/// Whether a class has a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// The class has a member.
    Some,
    /// The class has no member.
    None,
    /// All inputs that were listed are undecided.
    Undecided,
}

impl Native {
    /// Whether a class has a member; an error if none is found within `effort` choices. It counts nothing.
    pub fn has_member(&mut self, class: Class, effort: u64) -> Result<Membership, TooMuch> {
        let Some(mut cursor) = self.cursor(class) else { return Ok(Membership::None) };
        let (mut left, mut found) = (effort, Membership::None);
        loop {
            let before = self.work().1;
            match self.advance_within(&mut cursor, left) {
                Ok(false) => return Ok(found),
                Ok(true) if !self.is_undecided(&cursor) => return Ok(Membership::Some),
                Ok(true) => found = Membership::Undecided,
                Err(too_much) if found == Membership::None => return Err(too_much),
                Err(_) => return Ok(found),
            }
            left = left.saturating_sub(1 + self.work().1 - before);
            if left == 0 {
                return Ok(found);
            }
        }
    }
}

/// How the engine searches a space.
#[derive(Debug)]
pub struct Plan {
    /// The clauses of the precondition, and how each is treated.
    pub clauses: Vec<(u32, Treatment)>,
    /// The choices at the states visited, in order. Equal choices are merged.
    pub steps: Vec<Step>,
    /// Number of states visited.
    pub n_states: usize,
    /// Whether all states were visited.
    pub is_whole: bool,
    /// The functions that terms call: the spec's, and those derived from types.
    pub functions: Arc<[Function]>,
}

/// How the engine treats a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// It is Rust code. The harness judges it.
    Harness,
    /// It is reduced after each choice, and narrows the rest.
    Reduced,
    /// It is reduced after each choice, and these functions unfold on the chosen constructors.
    Unfolded(Vec<FunctionId>),
}

/// The first choice at some states.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The holes of the component, by their names in the spec.
    pub holes: Vec<String>,
    /// The choice.
    pub what: What,
    /// Number of states with this choice.
    pub n_states: usize,
    /// Maximum number of options.
    pub most: usize,
}

/// What is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The value of the scalar with this name.
    Scalar(String),
    /// The constructor or length of the value with this name.
    Constructor(String),
    /// The value of a term, in which slot 0 is the hole with this name.
    Measure(String, Term),
}

/// Maximum number of states visited for a plan. It limits the time.
const STATES: usize = 400;

impl Native {
    /// The first choices of the engine, at the first few hundred states, small sizes first.
    pub fn plan(&mut self) -> Plan {
        let labels = labels(&self.types, self.space.spec());
        let spec = self.space.spec().clone();
        let clauses = preconditions(&spec).into_iter();
        let clauses = clauses.map(|clause| (clause.id, treatment(&clause.term))).collect();
        let functions = self.types.functions.clone();
        let mut plan = Plan { clauses, steps: Vec::new(), n_states: 0, is_whole: true, functions };
        let mut seen: HashSet<*const State> = HashSet::new();
        let mut waiting = VecDeque::new();
        for size in self.sizes() {
            if let Some(branch) = self.root(Class::Size(size)) {
                waiting.extend(branch.parts.iter().map(|part| part.state.clone()));
            }
            while let Some(state) = waiting.pop_front() {
                let StateForm::Open(problem) = &state.form else { continue };
                if !seen.insert(Arc::as_ptr(&state)) {
                    continue;
                }
                if plan.n_states == STATES {
                    plan.is_whole = false;
                    return plan;
                }
                plan.n_states += 1;
                if let Some(step) = self.first_choice(problem, &labels) {
                    plan.note(step);
                }
                // The branches keep their states alive, so no address is used twice.
                for branch in self.states.branches(&state).iter() {
                    waiting.extend(branch.parts.iter().map(|part| part.state.clone()));
                }
            }
        }
        plan
    }

    fn first_choice(&mut self, problem: &Problem, labels: &HashMap<TypeId, String>) -> Option<Step> {
        let tools = &mut self.states.tools;
        let work = Work::new(problem, tools);
        let components = work.components();
        let [component] = components.as_slice() else { return None };
        let label = |hole: &Hole| labels.get(&hole.of).cloned().unwrap_or_else(|| "_".to_owned());
        let named = |slot: u32| component.holes.iter().find(|(other, _)| *other == slot);
        let named = |slot: u32| named(slot).map_or_else(|| "_".to_owned(), |(_, hole)| label(hole));
        let mut holes: Vec<String> = component.holes.iter().map(|(_, hole)| label(hole)).collect();
        holes.sort();
        holes.dedup();
        let (what, most) = match tools.choose(component, &work.holes) {
            Choice::Scalar(slot, domain) => (What::Scalar(named(slot)), tools.domains.values(domain).len()),
            Choice::Constructor(slot, hole) => {
                (What::Constructor(named(slot)), tools.constructors(hole).len())
            }
            Choice::Atom(term, values) => {
                let slot = holes_in(&term).first().copied().unwrap_or(FIRST_HOLE);
                let shown = replaced(&term, &Term::Var(slot), &Term::Var(0));
                (What::Measure(named(slot), shown), values.len())
            }
        };
        Some(Step { holes, what, n_states: 1, most })
    }
}

impl Plan {
    fn note(&mut self, step: Step) {
        let same = |other: &&mut Step| other.what == step.what && other.holes == step.holes;
        match self.steps.iter_mut().find(same) {
            Some(known) => {
                known.n_states += 1;
                known.most = known.most.max(step.most);
            }
            None => self.steps.push(step),
        }
    }
}

fn treatment(term: &Term) -> Treatment {
    if has_rust(term) {
        return Treatment::Harness;
    }
    let mut called = Vec::new();
    visit(term, &mut |term| {
        if let Term::Call(function, _) = term
            && !called.contains(function)
        {
            called.push(*function);
        }
    });
    if called.is_empty() { Treatment::Reduced } else { Treatment::Unfolded(called) }
}

/// A name for each type: of the first parameter, field or element that has the type.
fn labels(types: &Types, spec: &Spec) -> HashMap<TypeId, String> {
    let mut labels = HashMap::new();
    let params = types.args.iter().zip(&spec.params);
    let mut waiting: VecDeque<(TypeId, String, Option<&Refined>)> =
        params.map(|(of, param)| (*of, param.name.clone(), Some(&param.refined))).collect();
    while let Some((of, name, refined)) = waiting.pop_front() {
        if labels.contains_key(&of) {
            continue;
        }
        labels.insert(of, name.clone());
        let inner = refined.map(Refined::inner).unwrap_or_default();
        match &types.get(of).form {
            Form::Empty | Form::Scalar(_) => {}
            Form::Str(elements) | Form::Seq(elements) => {
                let at = elements.at.iter().map(|(_, of)| *of);
                let element = inner.first().copied().filter(|_| inner.len() == 1);
                waiting.extend(at.chain([elements.each]).map(|of| (of, format!("{name}[_]"), element)));
            }
            Form::Tuple(parts) => waiting.extend(
                parts
                    .iter()
                    .enumerate()
                    .map(|(at, of)| (*of, format!("{name}.{at}"), inner.get(at).copied())),
            ),
            Form::Data(ctors) => {
                let Some(Sort::Data(data)) = refined.map(|refined| &refined.sort) else { continue };
                for (ctor, declared) in ctors.iter().zip(&spec.data(*data).ctors) {
                    let fields = ctor.iter().flat_map(|ctor| &ctor.fields).zip(&declared.fields);
                    // An unnamed field has a number.
                    let ctor = declared.rust_path.rsplit("::").next().unwrap_or_default();
                    let name = |name: &str| {
                        let is_number = name.starts_with(|c: char| c.is_ascii_digit());
                        if is_number { format!("{ctor}.{name}") } else { name.to_owned() }
                    };
                    waiting.extend(fields.map(|(of, field)| (*of, name(&field.name), Some(&field.refined))));
                }
            }
        }
    }
    labels
}
