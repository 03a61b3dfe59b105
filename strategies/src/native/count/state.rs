//! States: problems that stand for the set of their solutions, and the branches of a choice.
//!
//! The branches of a state have disjoint solutions. Each branch fixes something (a constructor, a length, a scalar,
//! the value of a measure that two parts share) and leaves independent states. The states form a graph of
//! alternatives and products, in which equal problems are one state. It is a tree automaton that nobody wrote by
//! hand. Its states are whatever terms remain: for red-black trees, an interval of keys, a black height and a colour.
//! Counting is one pass over the graph.
//!
//! Sources: derivatives of regular expressions (Brzozowski 1964), applied to refinements; compilation into
//! decomposable, deterministic graphs (Darwiche 2001); counting and sampling by the recursive method (Flajolet,
//! Zimmermann and Van Cutsem 1994).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::expand::Expansion;
use super::shuffle::Shuffle;
use crate::cancel;
use crate::logic::int::Int;
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::domain::DomainId;
use crate::native::plan::problem::{FIRST_HOLE, Hole, Problem};
use crate::native::propagate::build::Build;
use crate::native::propagate::tools::Tools;
use crate::native::propagate::work::{Component, Work};

/// A problem, which stands for the set of its solutions.
pub struct State {
    /// The problem.
    pub form: StateForm,
    /// The branches with their numbers of solutions, if counted and kept.
    counted: OnceLock<Arc<Counted>>,
    /// The branches, if all are made and kept but not counted.
    listed: OnceLock<Arc<[Branch]>>,
    /// The branches made so far, if not all are made and no cursor is using them.
    begun: Mutex<Option<Box<Expansion>>>,
    /// Whether it is known to have a solution, or is taken to have one.
    is_solvable: AtomicBool,
    /// Whether the state is in the table of states. Otherwise nothing is kept.
    is_kept: bool,
    /// Whether a partial expansion is kept. It takes more memory than finished branches.
    keeps_begun: bool,
}

/// The two kinds of state.
#[derive(Debug)]
pub enum StateForm {
    /// A scalar with these values.
    Leaf(Arc<[Value]>),
    /// A problem with choices to make.
    Open(Problem),
}

/// A choice, and the states that it leaves.
#[derive(Clone)]
pub struct Branch {
    /// How the values at the state's holes are built. [`Build::At`] refers to the holes of `parts`, numbered
    /// consecutively.
    pub builds: Arc<[Build]>,
    /// The remaining states. They are independent of each other.
    pub parts: Arc<[Part]>,
    /// Whether the judge left a condition undecided that these choices determine. The branch's solutions may then not
    /// be members.
    pub is_undecided: bool,
}

/// A remaining state of a branch.
#[derive(Clone)]
pub struct Part {
    /// The state.
    pub state: Arc<State>,
    /// Number of holes in the parts before this one.
    pub first_hole: u32,
    /// Offset of its keys ([`crate::native::propagate::translation`]).
    pub offset: i64,
    /// Whether the part itself is a key.
    pub is_key: bool,
}

/// The branches of a state that have solutions.
pub struct Counted {
    /// The branches.
    pub branches: Arc<[Branch]>,
    /// Number of solutions.
    pub total: Int,
    /// For each branch, the number of solutions up to and including it, without the last `shift` bits.
    pub sums: Vec<u128>,
    /// Number of low bits dropped from the sums.
    pub shift: u32,
    /// Whether the judge left some of the solutions undecided. They are counted, but may not be members.
    pub has_undecided: bool,
}

/// All states found so far.
pub struct States {
    /// The tools that make states.
    pub tools: Tools,
    known: HashMap<Vec<u8>, Arc<State>>,
    /// Build lists that several branches share.
    builds: HashSet<Arc<[Build]>>,
    /// Number of choices that may still be tried.
    pub effort: u64,
    /// Whether a count is in progress.
    pub is_counting: bool,
    /// Number of choices tried so far.
    pub n_tried: u64,
    /// The order of options, if it is random. It says whether open states are kept for later walks.
    pub shuffle: Option<Shuffle>,
    /// The states of problems without constraints on elements, once a walk has asked for one.
    pub relaxed: Option<Box<States>>,
    /// Number of choices that a walk may still spend on them.
    pub relaxed_effort: u64,
    max_kept: usize,
}

/// Counting, or the search for a member, used up its effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// Maximum number of states kept. It limits memory.
const MAX_KEPT: usize = 1 << 21;

/// Maximum number of states that keep a partial expansion. It limits memory.
const MAX_BEGUN: usize = 1 << 14;

/// Maximum number of states that random walks keep. It limits memory: some of these states are large.
const MAX_KEPT_BY_WALKS: usize = 1 << 11;

/// Maximum number of shared build lists. It limits memory.
const MAX_SHARED: usize = 1 << 14;

/// Maximum number of bits of a sum, so that sums fit into `u128`.
const SUM_BITS: u64 = 120;

impl Branch {
    /// Number of holes in its parts.
    pub fn n_inner(&self) -> u32 {
        self.parts.last().map_or(0, |part| part.first_hole + part.state.n_holes())
    }

    /// Whether it is known to have no solution.
    pub fn is_refuted(&self) -> bool {
        self.parts.iter().any(|part| part.state.counted().is_some_and(|counted| counted.total.is_zero()))
    }

    /// Whether the judge left some of its solutions undecided, as far as they were counted.
    pub fn has_undecided(&self) -> bool {
        self.is_undecided || self.parts.iter().any(|part| part.state.has_undecided())
    }
}

impl State {
    /// Number of holes.
    pub fn n_holes(&self) -> u32 {
        match &self.form {
            StateForm::Leaf(_) => 1,
            StateForm::Open(problem) => problem.holes.len() as u32,
        }
    }

    /// The result of counting, if there is one.
    pub fn counted(&self) -> Option<&Arc<Counted>> {
        self.counted.get()
    }

    /// All branches, if they are known.
    pub fn known_branches(&self) -> Option<Arc<[Branch]>> {
        self.counted.get().map(|counted| counted.branches.clone()).or_else(|| self.listed.get().cloned())
    }

    /// Keeps all branches, if the state is kept.
    pub fn keep(&self, branches: Arc<[Branch]>) -> Arc<[Branch]> {
        if self.is_kept { self.listed.get_or_init(|| branches).clone() } else { branches }
    }

    /// Takes the partial expansion, or starts one.
    pub fn begin(&self, states: &mut States) -> Box<Expansion> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        begun.unwrap_or_else(|| match &self.form {
            StateForm::Leaf(_) => Box::default(),
            StateForm::Open(problem) => Box::new(Expansion::new(problem, states)),
        })
    }

    /// Returns a partial expansion, so that others can continue it.
    pub fn give_back(&self, begun: Box<Expansion>) {
        if !self.keeps_begun || begun.is_over() || self.known_branches().is_some() {
            return;
        }
        let mut kept = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| kept.made.len() < begun.made.len()) {
            *kept = Some(begun);
        }
    }

    /// Records that the state has no solution.
    pub fn refute(&self) {
        let none = Counted {
            branches: Arc::default(),
            total: Int::ZERO,
            sums: Vec::new(),
            shift: 0,
            has_undecided: false,
        };
        let _ = self.counted.set(Arc::new(none));
    }

    /// Records that the state has a solution, or is taken to have one.
    pub fn note_solvable(&self) {
        self.is_solvable.store(true, Ordering::Relaxed);
    }

    /// Whether that was recorded.
    pub fn is_solvable(&self) -> bool {
        self.is_solvable.load(Ordering::Relaxed)
    }

    /// Whether the judge left some of its solutions undecided, as far as they were counted.
    pub fn has_undecided(&self) -> bool {
        self.counted.get().is_some_and(|counted| counted.has_undecided)
    }

    /// Number of solutions, if known.
    pub fn total(&self) -> Option<Int> {
        match &self.form {
            StateForm::Leaf(values) => Some(Int::from(values.len() as u64)),
            StateForm::Open(_) => self.counted.get().map(|counted| counted.total.clone()),
        }
    }
}

impl States {
    /// An empty table of states.
    pub fn new(tools: Tools) -> States {
        States {
            tools,
            known: HashMap::new(),
            builds: HashSet::new(),
            effort: u64::MAX,
            is_counting: false,
            n_tried: 0,
            shuffle: None,
            relaxed: None,
            relaxed_effort: 0,
            max_kept: MAX_KEPT,
        }
    }

    /// An empty table of states of relaxed problems. It keeps as few as walks do.
    pub fn relaxed(tools: &Tools) -> States {
        let tools = Tools { is_relaxed: true, ..tools.clone() };
        States { max_kept: MAX_KEPT_BY_WALKS, ..States::new(tools) }
    }

    /// Number of states kept.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The branch that fills all holes of a problem: one state for each component.
    pub fn root(&mut self, work: Work) -> Option<Branch> {
        let order: Vec<u32> = work.holes.iter().map(|(slot, _)| *slot).collect();
        let mut work = work;
        work.propagate(&mut self.tools).ok()?;
        self.branch(&work, &order)
    }

    /// All branches of a state, made now or earlier, counted or not.
    pub fn branches(&mut self, state: &Arc<State>) -> Arc<[Branch]> {
        state.known_branches().unwrap_or_else(|| {
            let effort = std::mem::replace(&mut self.effort, u64::MAX);
            let branches = self.all_branches(state).unwrap_or_default();
            self.effort = effort;
            state.keep(branches)
        })
    }

    /// Counts the solutions of a state.
    pub fn count(&mut self, state: &Arc<State>, effort: u64) -> Result<Int, TooMuch> {
        self.effort = effort;
        self.is_counting = true;
        let total = self.count_on(state);
        self.is_counting = false;
        self.effort = u64::MAX;
        total
    }

    /// Counts the solutions of a state within the remaining effort.
    pub fn count_on(&mut self, state: &Arc<State>) -> Result<Int, TooMuch> {
        if let Some(total) = state.total() {
            return Ok(total);
        }
        let branches = match state.listed.get() {
            Some(listed) => listed.clone(),
            None => self.all_branches(state)?,
        };
        let (mut kept, mut counts, mut total) = (Vec::new(), Vec::new(), Int::ZERO);
        let mut has_undecided = false;
        for branch in branches.iter() {
            let Ok(n) = self.count_branch(branch) else {
                // A later call then doesn't make the branches again.
                let _ = state.listed.set(branches.clone());
                return Err(TooMuch);
            };
            if !n.is_zero() {
                total = &total + &n;
                counts.push(total.clone());
                has_undecided |= branch.has_undecided();
                kept.push(branch.clone());
            }
        }
        let shift = total.bits().saturating_sub(SUM_BITS) as u32;
        let sums = counts.iter().map(|sum| shifted(sum, shift)).collect();
        let counted = Counted { branches: kept.into(), total: total.clone(), sums, shift, has_undecided };
        let _ = state.counted.set(Arc::new(counted));
        Ok(total)
    }

    /// All branches of a state, if the effort suffices. The branches made so far are kept in any case.
    fn all_branches(&mut self, state: &State) -> Result<Arc<[Branch]>, TooMuch> {
        let mut begun = state.begin(self);
        while self.make_branch(&mut begun) {}
        if begun.is_over() {
            return Ok(begun.made.into());
        }
        state.give_back(begun);
        Err(TooMuch)
    }

    /// Number of solutions of a branch.
    pub fn count_branch(&mut self, branch: &Branch) -> Result<Int, TooMuch> {
        let mut n = Int::ONE;
        for part in branch.parts.iter() {
            cancel::step();
            let part = self.count_on(&part.state)?;
            if part.is_zero() {
                return Ok(Int::ZERO);
            }
            n = &n * &part;
        }
        Ok(n)
    }

    /// The branch with one state for each component of a problem; `None` if a component is known to have no solution.
    pub fn branch(&mut self, work: &Work, order: &[u32]) -> Option<Branch> {
        let (mut parts, mut at, mut first_hole) = (Vec::new(), HashMap::new(), 0);
        let mut components = work.components();
        if components.iter().any(|component| self.is_refuted(component)) {
            return None;
        }
        for component in &mut components {
            if let [(slot, hole)] = &mut component.holes[..] {
                hole.rem = self.tools.nesting(*slot, *hole, &component.clauses);
            }
            for (index, (slot, _)) in (0..).zip(&component.holes) {
                at.insert(*slot, first_hole + index);
            }
            let n = component.holes.len() as u32;
            let (state, offset) = self.state(component);
            let translation = self.tools.translation.as_ref();
            let is_key = component.holes.len() == 1
                && translation.is_some_and(|translation| translation.is_key(component.holes[0].1.of));
            parts.push(Part { state, first_hole, offset, is_key });
            first_hole += n;
        }
        let builds: Vec<Build> = order.iter().map(|slot| built(&Build::At(*slot), work, &at)).collect();
        Some(Branch { builds: self.shared(builds), parts: parts.into(), is_undecided: work.is_undecided })
    }

    /// Shares equal build lists. Then they stay in the cache when members are built.
    fn shared(&mut self, builds: Vec<Build>) -> Arc<[Build]> {
        if let Some(known) = self.builds.get(&builds[..]) {
            return known.clone();
        }
        let builds: Arc<[Build]> = builds.into();
        if self.is_counting && self.builds.len() < MAX_SHARED {
            self.builds.insert(builds.clone());
        }
        builds
    }

    /// Whether a required value of a measure is outside the bounds that the constraints on elements leave.
    pub fn is_refuted(&mut self, component: &Component<'_>) -> bool {
        let [(slot, hole)] = &component.holes[..] else { return false };
        let refine_above = self.tools.refine_above();
        let is_large = |n: &Int| n.to_i128().filter(|n| *n > refine_above);
        component.clauses.iter().any(|clause| match &clause.term {
            Term::Equal(call, value) => match (&**call, &**value) {
                (Term::Call(..), Term::Lit(Value::Int(n))) => {
                    let Some(n) = is_large(n) else { return false };
                    let interval = self.tools.measure_bounds(*slot, *hole, &component.clauses, call);
                    interval
                        .is_some_and(|(lo, hi)| lo.is_some_and(|lo| n < lo) || hi.is_some_and(|hi| n > hi))
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// The state of a component, and the offset of its keys.
    pub fn state(&mut self, component: &Component<'_>) -> (Arc<State>, i64) {
        if let ([(_, Hole { domain: Some(domain), .. })], []) = (&component.holes[..], &component.clauses[..])
        {
            return (self.leaf(*domain), 0);
        }
        let clauses: Vec<&Term> = component.clauses.iter().map(|clause| &clause.term).collect();
        let tools = &mut self.tools;
        let translation = tools.translation.as_mut();
        let translated = translation
            .and_then(|translation| translation.translated(&tools.reducer.types, &component.holes, &clauses));
        let (by, problem) = match &translated {
            Some((by, clauses)) => {
                (*by, Problem::new(&component.holes, &clauses.iter().collect::<Vec<&Term>>()))
            }
            None => (0, Problem::new(&component.holes, &clauses)),
        };
        let key = problem.key();
        if let Some(known) = self.known.get(&key) {
            return (known.clone(), by);
        }
        let most = match &self.shuffle {
            None => self.max_kept,
            Some(shuffle) if shuffle.keeps() => MAX_KEPT_BY_WALKS,
            Some(_) => 0,
        };
        let is_kept = self.known.len() < most;
        let keeps_begun = self.known.len() < MAX_BEGUN.min(self.max_kept);
        let state = Arc::new(State {
            keeps_begun: keeps_begun && is_kept,
            ..State::of(StateForm::Open(problem), is_kept)
        });
        if is_kept {
            self.known.insert(key, state.clone());
        }
        (state, by)
    }

    fn leaf(&mut self, domain: DomainId) -> Arc<State> {
        let key = domain.0.to_le_bytes().to_vec();
        let values = self.tools.domains.values(domain).clone();
        let leaf = || Arc::new(State::of(StateForm::Leaf(values), true));
        self.known.entry(key).or_insert_with(leaf).clone()
    }
}

impl State {
    fn of(form: StateForm, is_kept: bool) -> State {
        State {
            form,
            counted: OnceLock::new(),
            listed: OnceLock::new(),
            begun: Mutex::default(),
            is_solvable: AtomicBool::new(false),
            is_kept,
            keeps_begun: false,
        }
    }
}

/// A number without its low `shift` bits.
fn shifted(n: &Int, shift: u32) -> u128 {
    let quotient = if shift == 0 { Some(n.clone()) } else { n.div_euclid(&Int::power_of_two(shift)) };
    quotient.and_then(|n| n.to_u128()).unwrap_or(u128::MAX)
}

/// Rewrites a build in terms of the holes that are still open.
fn built(build: &Build, work: &Work, at: &HashMap<u32, u32>) -> Build {
    let all = |parts: &[Build]| parts.iter().map(|part| built(part, work, at)).collect::<Vec<Build>>();
    let consts = |parts: &[Build]| -> Option<Arc<[Value]>> {
        parts
            .iter()
            .map(|part| if let Build::Const(value) = part { Some(value.clone()) } else { None })
            .collect()
    };
    match build {
        Build::At(slot) => match (at.get(slot), work.filled.get(*slot)) {
            (Some(at), _) => Build::At(*at),
            (None, Some(build)) => built(build, work, at),
            (None, None) => Build::At(*slot - FIRST_HOLE),
        },
        Build::Const(_) | Build::Key(_) => build.clone(),
        Build::Data(ctor, parts) => {
            let parts = all(parts);
            consts(&parts)
                .map_or(Build::Data(*ctor, parts), |values| Build::Const(Value::Data(*ctor, values)))
        }
        Build::Seq(parts) => {
            let parts = all(parts);
            consts(&parts).map_or(Build::Seq(parts), |values| Build::Const(Value::Seq(values)))
        }
        Build::Tuple(parts) => {
            let parts = all(parts);
            consts(&parts).map_or(Build::Tuple(parts), |values| Build::Const(Value::Tuple(values)))
        }
        Build::Str(parts) => Build::Str(all(parts)),
    }
}
