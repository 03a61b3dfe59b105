//! States: problems that stand for all their solutions, and the ways to make one choice after the other.
//!
//! The solutions of a state are disjoint *ways*, each of which fixes something (a constructor, a length, a scalar, the
//! value of a measure that two parts have to agree on) and leaves independent states. So they form a graph of
//! alternatives and products, in which equal problems are one state: a tree automaton whose states nobody wrote down.
//! Its parameters and profiles are whatever terms remain: of red-black trees they turn out to be an interval of keys,
//! a black height and a colour. Counting is one pass over the graph.
//!
//! Sources: the derivatives of regular expressions (Brzozowski 1964), carried over to refinements; compilation into
//! decomposable, deterministic graphs (Darwiche 2001); counting and drawing by the recursive method (Flajolet,
//! Zimmermann and Van Cutsem 1994).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::choose::WIDE;
use super::domain::DomainId;
use super::expand::Expansion;
use super::problem::{Place, Problem};
use super::reduce::PLACE;
use super::work::{Build, Component, Tools, Work};
use crate::int::Int;
use crate::ir::Term;
use crate::value::Value;

/// A problem, standing for all its solutions.
pub struct State {
    /// What it is.
    pub form: StateForm,
    /// The ways, where they are kept, with how many solutions each has.
    counted: OnceLock<Arc<Counted>>,
    /// The ways, where they are kept, not counted.
    listed: OnceLock<Arc<[Way]>>,
    /// The ways where not all were made, while nobody goes on with them.
    begun: Mutex<Option<Box<Expansion>>>,
    /// Whether it is found again, so that keeping anything is worth it.
    is_kept: bool,
    /// Whether it keeps what was begun of its ways, which is larger.
    keeps_begun: bool,
}

/// What a state is.
#[derive(Debug)]
pub enum StateForm {
    /// A scalar of these values.
    Leaf(Arc<[Value]>),
    /// Choices.
    Open(Problem),
}

/// A choice, and what it leaves.
#[derive(Clone)]
pub struct Way {
    /// How the values at the state's places are put together; [`Build::At`] numbers the places of `parts`, laid end to
    /// end.
    pub builds: Arc<[Build]>,
    /// What is left, independent of each other.
    pub parts: Arc<[Part]>,
    /// Whether the judge gave up on a condition that these choices decide: its solutions may be none.
    pub is_undecided: bool,
}

/// A state that a way leaves.
#[derive(Clone)]
pub struct Part {
    /// The state.
    pub state: Arc<State>,
    /// How many places are those of the parts before.
    pub offset: u32,
    /// By how much its scalars of the group are moved ([`super::units`]).
    pub moved: i64,
    /// Whether it is such a scalar itself.
    pub is_key: bool,
}

/// The ways of a state that have solutions.
pub struct Counted {
    /// The ways.
    pub ways: Arc<[Way]>,
    /// How many solutions there are.
    pub total: Int,
    /// How many solutions the ways up to each have, itself included, without their last `shift` bits.
    pub sums: Vec<u128>,
    /// So many bits are left out of the sums.
    pub shift: u32,
    /// Whether the judge gave up on some of the solutions. They are counted, but may be none.
    pub has_undecided: bool,
}

/// All states that were found.
pub struct States {
    /// What they are made with.
    pub tools: Tools,
    known: HashMap<Vec<u8>, Arc<State>>,
    /// How values are put together, where many ways do it alike.
    builds: HashSet<Arc<[Build]>>,
    /// How many more choices may be tried before what is done is given up.
    pub effort: u64,
    /// Whether states are being counted.
    pub is_counting: bool,
    /// How many choices were tried.
    pub n_tried: u64,
    max_kept: usize,
}

/// Counting, or the search for a member, took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// So many states are kept at most.
const MAX_KEPT: usize = 1 << 21;

/// So many keep the ways that were begun.
const MAX_BEGUN: usize = 1 << 14;

/// So many ways to put values together are found again.
const MAX_SHARED: usize = 1 << 14;

/// Sums have at most so many bits.
const SUM_BITS: u64 = 120;

impl Way {
    /// How many places its parts have.
    pub fn n_inner(&self) -> u32 {
        self.parts.last().map_or(0, |part| part.offset + part.state.n_places())
    }

    /// Whether the judge gave up on some of its solutions, as far as they were counted.
    pub fn has_undecided(&self) -> bool {
        self.is_undecided || self.parts.iter().any(|part| part.state.has_undecided())
    }
}

impl State {
    /// How many places it has.
    pub fn n_places(&self) -> u32 {
        match &self.form {
            StateForm::Leaf(_) => 1,
            StateForm::Open(problem) => problem.places.len() as u32,
        }
    }

    /// What counting found.
    pub fn counted(&self) -> Option<&Arc<Counted>> {
        self.counted.get()
    }

    /// Its ways, where they were all made.
    pub fn known_ways(&self) -> Option<Arc<[Way]>> {
        self.counted.get().map(|counted| counted.ways.clone()).or_else(|| self.listed.get().cloned())
    }

    /// Keeps all its ways, if it is one to be found again.
    pub fn keep(&self, ways: Arc<[Way]>) -> Arc<[Way]> {
        if self.is_kept { self.listed.get_or_init(|| ways).clone() } else { ways }
    }

    /// Takes what was begun of its ways, or begins them.
    pub fn begin(&self, states: &mut States) -> Box<Expansion> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        begun.unwrap_or_else(|| match &self.form {
            StateForm::Leaf(_) => Box::default(),
            StateForm::Open(problem) => Box::new(Expansion::new(problem, states)),
        })
    }

    /// Gives back what was begun, for others to go on with.
    pub fn give_back(&self, begun: Box<Expansion>) {
        if !self.keeps_begun || begun.is_over() || self.known_ways().is_some() {
            return;
        }
        let mut kept = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| kept.made.len() < begun.made.len()) {
            *kept = Some(begun);
        }
    }

    /// Notes that it has no solution.
    pub fn refute(&self) {
        let none = Counted {
            ways: Arc::default(),
            total: Int::ZERO,
            sums: Vec::new(),
            shift: 0,
            has_undecided: false,
        };
        let _ = self.counted.set(Arc::new(none));
    }

    /// Whether the judge gave up on some of its solutions, as far as they were counted.
    pub fn has_undecided(&self) -> bool {
        self.counted.get().is_some_and(|counted| counted.has_undecided)
    }

    /// How many solutions it has, where that is known.
    pub fn total(&self) -> Option<Int> {
        match &self.form {
            StateForm::Leaf(values) => Some(Int::from(values.len() as u64)),
            StateForm::Open(_) => self.counted.get().map(|counted| counted.total.clone()),
        }
    }
}

impl States {
    /// No states yet.
    pub fn new(tools: Tools) -> States {
        States {
            tools,
            known: HashMap::new(),
            builds: HashSet::new(),
            effort: u64::MAX,
            is_counting: false,
            n_tried: 0,
            max_kept: MAX_KEPT,
        }
    }

    /// How many states are kept.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The ways to fill places: a state for each group of them that have to do with each other.
    pub fn root(&mut self, work: Work) -> Option<Way> {
        let order: Vec<u32> = work.places.iter().map(|(slot, _)| *slot).collect();
        let mut work = work;
        work.settle(&mut self.tools).ok()?;
        self.way(&work, &order)
    }

    /// The ways of a state, all made or found; counted or not.
    pub fn ways(&mut self, state: &Arc<State>) -> Arc<[Way]> {
        state.known_ways().unwrap_or_else(|| {
            let effort = std::mem::replace(&mut self.effort, u64::MAX);
            let ways = self.all_ways(state).unwrap_or_default();
            self.effort = effort;
            state.keep(ways)
        })
    }

    /// Counts the solutions of a state, and of all that it leads to.
    pub fn count(&mut self, state: &Arc<State>, effort: u64) -> Result<Int, TooMuch> {
        self.effort = effort;
        self.is_counting = true;
        let total = self.count_on(state);
        self.is_counting = false;
        self.effort = u64::MAX;
        total
    }

    /// The same, within what is left of the effort.
    pub fn count_on(&mut self, state: &Arc<State>) -> Result<Int, TooMuch> {
        if let Some(total) = state.total() {
            return Ok(total);
        }
        let ways = match state.listed.get() {
            Some(listed) => listed.clone(),
            None => self.all_ways(state)?,
        };
        let (mut kept, mut counts, mut total) = (Vec::new(), Vec::new(), Int::ZERO);
        let mut has_undecided = false;
        for way in ways.iter() {
            let Ok(n) = self.count_way(way) else {
                // So that they needn't be made again.
                let _ = state.listed.set(ways.clone());
                return Err(TooMuch);
            };
            if !n.is_zero() {
                total = &total + &n;
                counts.push(total.clone());
                has_undecided |= way.has_undecided();
                kept.push(way.clone());
            }
        }
        let shift = total.bits().saturating_sub(SUM_BITS) as u32;
        let sums = counts.iter().map(|sum| shifted(sum, shift)).collect();
        let counted = Counted { ways: kept.into(), total: total.clone(), sums, shift, has_undecided };
        let _ = state.counted.set(Arc::new(counted));
        Ok(total)
    }

    /// All ways of a state, if the effort is enough; what is made by then is kept.
    fn all_ways(&mut self, state: &State) -> Result<Arc<[Way]>, TooMuch> {
        let mut begun = state.begin(self);
        while self.make_way(&mut begun) {}
        if begun.is_over() {
            return Ok(begun.made.into());
        }
        state.give_back(begun);
        Err(TooMuch)
    }

    /// How many solutions a way has.
    pub fn count_way(&mut self, way: &Way) -> Result<Int, TooMuch> {
        let mut n = Int::ONE;
        for part in way.parts.iter() {
            let part = self.count_on(&part.state)?;
            if part.is_zero() {
                return Ok(Int::ZERO);
            }
            n = &n * &part;
        }
        Ok(n)
    }

    /// The way that a problem's groups make; none where it is seen that one of them has no solution.
    pub fn way(&mut self, work: &Work, order: &[u32]) -> Option<Way> {
        let (mut parts, mut at, mut offset) = (Vec::new(), HashMap::new(), 0);
        let mut components = work.components();
        if components.iter().any(|component| self.is_refuted(component)) {
            return None;
        }
        for component in &mut components {
            if let [(slot, place)] = &mut component.places[..] {
                place.rem = self.tools.nesting(*slot, *place, &component.clauses);
            }
            for (index, (slot, _)) in (0..).zip(&component.places) {
                at.insert(*slot, offset + index);
            }
            let n = component.places.len() as u32;
            let (state, moved) = self.state(component);
            let units = self.tools.units.as_ref();
            let is_key = component.places.len() == 1
                && units.is_some_and(|units| units.is_key(component.places[0].1.of));
            parts.push(Part { state, offset, moved, is_key });
            offset += n;
        }
        let builds: Vec<Build> = order.iter().map(|slot| built(&Build::At(*slot), work, &at)).collect();
        Some(Way { builds: self.shared(builds), parts: parts.into(), is_undecided: work.is_undecided })
    }

    /// The same, found again if it was made before: then it lies close by when members are put together.
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

    /// Whether a measure of a place is to be more, or less, than the elements that it may have admit.
    pub fn is_refuted(&mut self, component: &Component<'_>) -> bool {
        let [(slot, place)] = &component.places[..] else { return false };
        let is_large = |n: &Int| n.to_i128().filter(|n| *n > WIDE);
        component.clauses.iter().any(|clause| match &clause.term {
            Term::Equal(call, value) => match (&**call, &**value) {
                (Term::Call(..), Term::Lit(Value::Int(n))) => {
                    let Some(n) = is_large(n) else { return false };
                    let ends = self.tools.refined(*slot, *place, &component.clauses, call);
                    ends.is_some_and(|(lo, hi)| lo.is_some_and(|lo| n < lo) || hi.is_some_and(|hi| n > hi))
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// The state of a group of places, and by how much it is moved.
    pub fn state(&mut self, component: &Component<'_>) -> (Arc<State>, i64) {
        if let ([(_, Place { domain: Some(domain), .. })], []) =
            (&component.places[..], &component.clauses[..])
        {
            return (self.leaf(*domain), 0);
        }
        let clauses: Vec<&Term> = component.clauses.iter().map(|clause| &clause.term).collect();
        let tools = &mut self.tools;
        let units = tools.units.as_mut();
        let moved = units.and_then(|units| units.moved(&tools.reducer.types, &component.places, &clauses));
        let (by, problem) = match &moved {
            Some((by, moved)) => {
                (*by, Problem::new(&component.places, &moved.iter().collect::<Vec<&Term>>()))
            }
            None => (0, Problem::new(&component.places, &clauses)),
        };
        let key = problem.key();
        if let Some(known) = self.known.get(&key) {
            return (known.clone(), by);
        }
        let is_kept = self.known.len() < self.max_kept;
        let keeps_begun = self.known.len() < MAX_BEGUN.min(self.max_kept);
        let state = Arc::new(State { keeps_begun, ..State::of(StateForm::Open(problem), is_kept) });
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
            is_kept,
            keeps_begun: false,
        }
    }
}

/// A number without its last bits.
fn shifted(n: &Int, shift: u32) -> u128 {
    let quotient = if shift == 0 { Some(n.clone()) } else { n.div_euclid(&Int::power_of_two(shift)) };
    quotient.and_then(|n| n.to_u128()).unwrap_or(u128::MAX)
}

/// How a value is put together of the places that are still open.
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
            (None, None) => Build::At(*slot - PLACE),
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
