//! Whether there is a member at all, and what the engine is about to do: for `auto` and for `explain`.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::choose::Choice;
use super::deal::preconditions;
use super::problem::{Place, Problem, places_in, replaced};
use super::reduce::PLACE;
use super::state::{State, StateForm, TooMuch};
use super::types::{Form, TypeId, Types, has_rust};
use super::work::Work;
use super::{Class, Native};
use crate::ir::{Function, FunctionId, Refined, Sort, Spec, Term, visit};

impl Native {
    /// Whether a class has a member; an error where that isn't seen after so many choices. Nothing is counted for it.
    pub fn has_member(&mut self, class: Class, effort: u64) -> Result<bool, TooMuch> {
        self.cursor(class).map_or(Ok(false), |mut cursor| self.advance_within(&mut cursor, effort))
    }
}

/// How the engine goes about a space.
#[derive(Debug)]
pub struct Plan {
    /// The clauses of the precondition, and what each comes to.
    pub clauses: Vec<(u32, Treatment)>,
    /// The choices at the states that were looked at, alike ones together, in the order met.
    pub steps: Vec<Step>,
    /// How many states were looked at.
    pub n_states: usize,
    /// Whether these are all there are.
    pub is_whole: bool,
    /// The functions that terms call: the spec's, and those that the engine made of its types.
    pub functions: Arc<[Function]>,
}

/// What a clause comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// It is Rust code, which the harness judges.
    Harness,
    /// It is reduced with each choice, and narrows what is left.
    Reduced,
    /// So it is, and these functions unfold with the constructors that are chosen.
    Unfolded(Vec<FunctionId>),
}

/// A choice, made first at some states.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The places that depend on each other there, in the spec's names.
    pub places: Vec<String>,
    /// What is chosen.
    pub what: What,
    /// At how many states.
    pub n_states: usize,
    /// How many possibilities there are, at most.
    pub most: usize,
}

/// What is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The value of the scalar with that name.
    Scalar(String),
    /// The constructor or length of the value with that name.
    Head(String),
    /// The value of a term, in which slot 0 is the place with that name.
    Measure(String, Term),
}

/// So many states are looked at for a plan.
const STATES: usize = 400;

impl Native {
    /// How the engine goes about the space: what the first few hundred states choose, small sizes first.
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
            if let Some(way) = self.root(Class::Size(size)) {
                waiting.extend(way.parts.iter().map(|part| part.state.clone()));
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
                // The ways hold on to their states, so that no address comes twice.
                for way in self.states.ways(&state).iter() {
                    waiting.extend(way.parts.iter().map(|part| part.state.clone()));
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
        let label = |place: &Place| labels.get(&place.of).cloned().unwrap_or_else(|| "_".to_owned());
        let named = |slot: u32| component.places.iter().find(|(other, _)| *other == slot);
        let named = |slot: u32| named(slot).map_or_else(|| "_".to_owned(), |(_, place)| label(place));
        let mut places: Vec<String> = component.places.iter().map(|(_, place)| label(place)).collect();
        places.sort();
        places.dedup();
        let (what, most) = match tools.choose(component, &work.places) {
            Choice::Scalar(slot, domain) => (What::Scalar(named(slot)), tools.domains.values(domain).len()),
            Choice::Head(slot, place) => (What::Head(named(slot)), tools.heads(place).len()),
            Choice::Atom(term, values) => {
                let slot = places_in(&term).first().copied().unwrap_or(PLACE);
                let shown = replaced(&term, &Term::Var(slot), &Term::Var(0));
                (What::Measure(named(slot), shown), values.len())
            }
        };
        Some(Step { places, what, n_states: 1, most })
    }
}

impl Plan {
    fn note(&mut self, step: Step) {
        let same = |other: &&mut Step| other.what == step.what && other.places == step.places;
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

/// The names of types: of the first parameter, field or element that has it.
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
                    // Fields without a name have a number.
                    let ctor = declared.rust_path.rsplit("::").next().unwrap_or_default();
                    let name = |name: &str| match name.starts_with(|c: char| c.is_ascii_digit()) {
                        true => format!("{ctor}.{name}"),
                        false => name.to_owned(),
                    };
                    waiting.extend(fields.map(|(of, field)| (*of, name(&field.name), Some(&field.refined))));
                }
            }
        }
    }
    labels
}
