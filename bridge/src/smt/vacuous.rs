//! Explains why a spec allows no input: refinements that contradict each other, or a space that is too small.
//!
//! This is asked only after a space was exhausted without a valid input. Leaves now range over their whole types. The
//! question is: if every skeleton is impossible, which few clauses are the cause? The answer is irreducible: without
//! any of these clauses there would be an input.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use target_strategies::beyond::boundary::Boundary;
use target_strategies::logic::eval;
use target_strategies::logic::ir::{Clause, DataId, Refined, Sort, Spec, Term, visit};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Skeleton, Space, assemble};

use super::boundary::with_chars;
use super::encode::{Encoding, Reach, encode};
use super::formula::F;
use super::least::Completer;
use super::solver::{self, Answer, Effort, Solver, in_context};
use super::split::Problem;

/// Why there is no input.
#[derive(Clone, Debug, PartialEq)]
pub enum Vacuity {
    /// No input satisfies these clauses together, whatever the bounds; without any one of them there is an input.
    Contradictory(Vec<u32>),
    /// The same, but not all larger lists or trees were tried.
    ContradictoryWithinDepth(Vec<u32>),
    /// There are inputs beyond the bounds; this is the nearest found.
    EmptyWithinBounds(Vec<Value>),
    /// The cause is unknown, for these reasons.
    Unknown(Vec<String>),
}

/// Maximum number of skeletons.
const SKELETONS: usize = 256;

/// Depth beyond the space in which an input is searched.
const DEEPER: u32 = 8;

/// Factor for the cost of a question, relative to other questions.
const THOROUGHNESS: u32 = 20;

/// Maximum time of a question.
const TIME: Duration = Duration::from_secs(1);

/// The answer to one question.
enum Found {
    Nothing,
    Input(Vec<Value>),
    Unknown(String),
}

/// Explains why a space has no valid member.
pub fn explain(space: &Space) -> Vacuity {
    if !solver::IS_BUILT_IN {
        return Vacuity::Unknown(vec![solver::ABSENT.to_owned()]);
    }
    let effort = Effort::default();
    let per_check = effort.per_check.saturating_mul(THOROUGHNESS);
    let effort = Effort { per_check, thorough: true, time: Some(TIME), ..effort };
    let (spec, bounds) = (space.spec(), space.bounds());
    let deepest = if space.is_cut_by_depth() { DEEPER } else { 0 };
    let mut reasons = BTreeSet::new();
    for deeper in 0..=deepest {
        let wider = Bounds { depth: bounds.depth.saturating_add(deeper), ..bounds };
        match first_input(&Space::new(Arc::clone(spec), wider), effort) {
            Found::Input(input) => return Vacuity::EmptyWithinBounds(input),
            Found::Unknown(reason) => {
                reasons.insert(reason);
            }
            Found::Nothing => {}
        }
    }
    if !reasons.is_empty() {
        return Vacuity::Unknown(reasons.into_iter().collect());
    }
    let core = irreducible(spec, bounds, effort);
    if !restricted_space(spec, &core, bounds).is_cut_by_depth() {
        Vacuity::Contradictory(core.into_iter().collect())
    } else {
        Vacuity::ContradictoryWithinDepth(core.into_iter().collect())
    }
}

/// A valid input with one of a space's skeletons and any scalars of their types.
fn first_input(space: &Space, effort: Effort) -> Found {
    let boundary = Boundary::new(space.clone());
    let mut unknown = None;
    for (index, skeleton) in space.skeletons().enumerate() {
        if index == SKELETONS {
            return Found::Unknown("none of the shapes that were looked at has a valid value, and there are more; is a measure undefined everywhere, as \
                 without an arm for the simplest case?".to_owned());
        }
        let found = in_context(|| least_input(space, &skeleton, boundary.values(&skeleton), effort));
        match found {
            Found::Nothing => {}
            Found::Input(_) => return found,
            Found::Unknown(reason) => unknown = Some(reason),
        }
    }
    unknown.map_or(Found::Nothing, Found::Unknown)
}

fn least_input(space: &Space, skeleton: &Skeleton, further: Vec<Vec<Value>>, effort: Effort) -> Found {
    let leaves = space.leaves(skeleton);
    let encoding = encode(space.spec(), skeleton, &with_chars(&leaves, &further), Reach::ListedChars);
    let residual = encoding.clauses.iter().find_map(|clause| clause.condition.as_ref().err());
    let residual = residual.map(|residual| residual.0.clone());
    let valid = conditions_of(&encoding).into_iter().map(|(_, condition)| condition);
    let conjuncts = encoding.structure.iter().copied().chain(valid).collect();
    let domains = leaves.into_iter().map(|leaf| leaf.domain).collect();
    let problem = Problem { formulas: encoding.formulas, conjuncts, domains };
    match Completer::new(problem, further, effort).complete(&[]) {
        Err(reason) => Found::Unknown(reason),
        Ok(None) => Found::Nothing,
        Ok(Some(scalars)) => {
            let args = assemble(skeleton, &scalars);
            match residual {
                // Whether Rust code rejects it is unknown here.
                Some(reason) => Found::Unknown(reason),
                None if eval::admits(space.spec(), &args) => Found::Input(args),
                None => Found::Unknown("the solver and the judge disagree about an input".to_owned()),
            }
        }
    }
}

/// The clauses that contradict each other, removed one by one while they still do. All clauses together are known to.
fn irreducible(spec: &Arc<Spec>, bounds: Bounds, effort: Effort) -> BTreeSet<u32> {
    let all: BTreeSet<u32> = all_clauses(spec).into_iter().map(|clause| clause.id).collect();
    let impossible =
        |clauses: &BTreeSet<u32>| contradictions(&restricted_space(spec, clauses, bounds), effort);
    // The solver's proof leaves out most unrelated clauses; but lengths may conflict without a proof.
    let mut core = match impossible(&all) {
        Some(used) if impossible(&used).is_some() => used,
        _ => all,
    };
    for clause in core.clone() {
        let mut without = core.clone();
        without.remove(&clause);
        if impossible(&without).is_some() {
            core = without;
        }
    }
    core
}

/// Clauses that exclude all skeletons of a space; `None` if some skeleton may be possible.
fn contradictions(space: &Space, effort: Effort) -> Option<BTreeSet<u32>> {
    in_context(|| {
        let mut used = BTreeSet::new();
        for (index, skeleton) in space.skeletons().enumerate() {
            if index == SKELETONS {
                return None;
            }
            used.extend(contradiction(space, &skeleton, effort)?);
        }
        Some(used)
    })
}

/// The clauses that exclude a skeleton; `None` if it may be possible.
fn contradiction(space: &Space, skeleton: &Skeleton, effort: Effort) -> Option<Vec<u32>> {
    let (encoding, leaves) = encoded(space, skeleton);
    let clauses = conditions_of(&encoding);
    let conditions: Vec<F> = clauses.iter().map(|(_, condition)| *condition).collect();
    let leaves: Vec<u32> = (0..leaves.len() as u32).collect();
    let all: Vec<F> = encoding.structure.iter().chain(&conditions).copied().collect();
    let mut solver = Solver::new(effort, encoding.formulas.is_linear(&all));
    solver.assert_ranges(&encoding.formulas, &leaves);
    encoding.structure.iter().for_each(|&condition| solver.assert(&encoding.formulas, condition));
    match solver.check_assuming(&encoding.formulas, &conditions, &leaves) {
        Err(core) => Some(core.into_iter().map(|index| clauses[index].0).collect()),
        Ok(Answer::Unsat | Answer::Sat(_) | Answer::Unknown(_)) => None,
    }
}

fn encoded(space: &Space, skeleton: &Skeleton) -> (Encoding, Vec<target_strategies::space::Leaf>) {
    let leaves = space.leaves(skeleton);
    (encode(space.spec(), skeleton, &leaves, Reach::Type), leaves)
}

/// The condition of each clause; `explore` is left out, as it only narrows the space.
fn conditions_of(encoding: &Encoding) -> Vec<(u32, F)> {
    let valid = encoding.clauses.iter().filter(|clause| !clause.explore);
    valid.filter_map(|clause| Some((clause.id, clause.condition.clone().ok()?))).collect()
}

/// The space of a spec with some of its clauses. Everything that they don't mention is as small as possible.
fn restricted_space(spec: &Arc<Spec>, clauses: &BTreeSet<u32>, bounds: Bounds) -> Space {
    let mut spec = Spec::clone(spec);
    let mentioned = mentioned_params(&spec, clauses);
    let keep = |all: &mut Vec<Clause>| all.retain(|clause| clauses.contains(&clause.id));
    for (index, param) in (0..).zip(&mut spec.params) {
        if mentioned.contains(&index) {
            restrict(&mut param.refined, &keep)
        } else {
            param.refined = Refined::plain(Sort::Tuple(Vec::new()))
        }
    }
    for ctor in spec.data.iter_mut().flat_map(|data| &mut data.ctors) {
        ctor.fields.iter_mut().for_each(|field| restrict(&mut field.refined, &keep));
    }
    keep(&mut spec.requires);
    spec.explore.clear();
    Space::new(Arc::new(spec), bounds)
}

fn restrict(refined: &mut Refined, keep: &impl Fn(&mut Vec<Clause>)) {
    keep(&mut refined.clauses);
    refined.inner_mut().into_iter().for_each(|part| restrict(part, keep));
}

/// The parameters that clauses refine or mention.
fn mentioned_params(spec: &Spec, clauses: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut mentioned = BTreeSet::new();
    let n_params = spec.params.len() as u32;
    let mut look = |clause: &Clause| {
        visit(&clause.term, &mut |term| {
            if let Term::Var(slot) = term
                && *slot < n_params
            {
                mentioned.insert(*slot);
            }
        });
    };
    all_clauses(spec).into_iter().filter(|clause| clauses.contains(&clause.id)).for_each(&mut look);
    for (index, param) in (0..).zip(&spec.params) {
        if clauses_of(spec, &param.refined).iter().any(|clause| clauses.contains(&clause.id)) {
            mentioned.insert(index);
        }
    }
    mentioned
}

/// The clauses that arguments must satisfy.
fn all_clauses(spec: &Spec) -> Vec<&Clause> {
    let params = spec.params.iter().flat_map(|param| clauses_of(spec, &param.refined));
    params.chain(&spec.requires).collect()
}

/// The clauses of a type and of all its parts.
fn clauses_of<'a>(spec: &'a Spec, refined: &'a Refined) -> Vec<&'a Clause> {
    let (mut all, mut todo) = (Vec::new(), vec![refined]);
    let mut seen: BTreeSet<DataId> = BTreeSet::new();
    while let Some(refined) = todo.pop() {
        all.extend(&refined.clauses);
        todo.extend(refined.inner());
        if let Sort::Data(id) = &refined.sort
            && seen.insert(*id)
        {
            let fields = spec.data(*id).ctors.iter().flat_map(|ctor| &ctor.fields);
            todo.extend(fields.map(|field| &field.refined));
        }
    }
    all
}
