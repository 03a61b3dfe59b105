//! Makes the branches of a state, one at a time.
//!
//! The first choice of a state may leave structured holes coupled. Then the next choice follows at once, so that one
//! branch comes from several choices. The remaining options of each choice are kept. So a walk over the first few
//! members makes only the branches that it visits. The branches don't depend on whether they are counted, except that
//! counting may leave out branches without a solution.

use std::sync::Arc;
use std::vec;

use super::choose::Choice;
use super::compared::Compared;
use super::shuffle::Shuffle;
use super::state::{Branch, StateForm, States, TooMuch};
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::problem::{Hole, Problem};
use crate::native::plan::types::TypeId;
use crate::native::propagate::build::Build;
use crate::native::propagate::constructors::Head;
use crate::native::propagate::tools::Tools;
use crate::native::propagate::work::{Component, Contradiction, Work};

/// The branches of a state: those made so far, and the choices that make more.
#[derive(Default)]
pub struct Expansion {
    /// The branches made so far, in order.
    pub made: Vec<Branch>,
    /// The state's holes, in order.
    order: Vec<u32>,
    /// The types of all holes, kept here between two calls.
    slots: Vec<TypeId>,
    /// The only branch, if there is nothing to choose.
    whole: Option<Box<Work>>,
    /// The choices made, latest last, with their remaining options.
    pending: Vec<Pending>,
}

/// A choice, with the options that were not tried.
struct Pending {
    work: Work,
    options: Options,
    /// Maximum number of branches that the choices after this one may add here.
    room: usize,
}

enum Options {
    Scalar(u32, Arc<[Value]>, usize),
    Atom(Term, vec::IntoIter<Value>),
    Constructor(u32, Hole, vec::IntoIter<Head>),
}

/// The next step after a choice.
enum Next {
    Choice(Choice, usize),
    Branch,
    Nothing,
}

/// Maximum number of branches of one state made by consecutive choices. With more, the coupled holes become a state
/// of their own.
const MAX_FLAT: usize = 1 << 15;

impl Expansion {
    /// The branches of a problem, none made yet.
    pub fn new(problem: &Problem, states: &mut States) -> Expansion {
        let tools = &mut states.tools;
        let outer = std::mem::take(&mut tools.reducer.slots);
        let work = Work::new(problem, tools);
        let order = work.holes.iter().map(|(slot, _)| *slot).collect();
        let choice = match &work.components()[..] {
            [component] => Some(tools.choose(component, &work.holes)),
            _ => None,
        };
        let mut expansion = Expansion { order, ..Expansion::default() };
        match choice {
            Some(choice) => {
                let room = MAX_FLAT / tools.n_options(&choice).max(1);
                expansion.pending.push(Pending::new(work, choice, room, tools, states.shuffle.as_mut()));
            }
            None => expansion.whole = Some(Box::new(work)),
        }
        expansion.slots = std::mem::replace(&mut tools.reducer.slots, outer);
        expansion
    }

    /// Whether all branches are made.
    pub fn is_over(&self) -> bool {
        self.pending.is_empty() && self.whole.is_none()
    }
}

impl Pending {
    fn new(
        work: Work,
        choice: Choice,
        room: usize,
        tools: &mut Tools,
        shuffle: Option<&mut Shuffle>,
    ) -> Pending {
        let options = match choice {
            Choice::Scalar(slot, domain) => {
                let values = tools.domains.values(domain).clone();
                let of = work.holes.get(slot).map(|hole| hole.of);
                let n_alike = work.holes.iter().filter(|(_, hole)| Some(hole.of) == of).count();
                let values = shuffle.map_or(values.clone(), |shuffle| {
                    shuffle.scalars(&values, Compared::of(slot, &work), n_alike)
                });
                Options::Scalar(slot, values, 0)
            }
            Choice::Atom(atom, mut values) => {
                shuffle.into_iter().for_each(|shuffle| shuffle.any(&mut values));
                Options::Atom(atom, values.into_iter())
            }
            Choice::Constructor(slot, hole) => {
                let lens = work.lens(slot, hole, tools);
                let mut heads = tools.heads(hole, lens);
                let is_flat = tools.is_flat(hole) && heads.len() > 1;
                shuffle.into_iter().for_each(|shuffle| {
                    if is_flat {
                        shuffle.constructors(hole.of, &mut heads);
                    } else {
                        shuffle.any(&mut heads);
                    }
                });
                Options::Constructor(slot, hole, heads.into_iter())
            }
        };
        Pending { work, options, room }
    }

    /// Number of remaining options.
    fn n_left(&self) -> usize {
        match &self.options {
            Options::Scalar(_, values, next) => values.len() - next,
            Options::Atom(_, values) => values.len(),
            Options::Constructor(_, _, heads) => heads.len(),
        }
    }

    /// Takes the next option.
    fn choose(&mut self, tools: &mut Tools) -> Result<Work, Contradiction> {
        let mut work = if self.n_left() == 1 { std::mem::take(&mut self.work) } else { self.work.clone() };
        match &mut self.options {
            Options::Scalar(slot, values, next) => {
                let value = values.get(*next).ok_or(Contradiction)?;
                *next += 1;
                let build = work.holes.get(*slot).map(|hole| tools.scalar(*hole, value));
                let build = build.unwrap_or_else(|| Build::Const(value.clone()));
                work.fill(*slot, build, &Term::Lit(value.clone()), tools)?;
            }
            Options::Atom(atom, values) => {
                let value = values.next().ok_or(Contradiction)?;
                work.decide(atom, &value, tools)?;
            }
            Options::Constructor(slot, hole, heads) => {
                let head = heads.next().ok_or(Contradiction)?;
                let constructor = tools.constructor(*hole, head).ok_or(Contradiction)?;
                work.begin(*slot, constructor, tools)?;
            }
        }
        if tools.is_relaxed {
            work.relax(|clause| !clause.is_for_all());
        }
        work.propagate(tools)?;
        Ok(work)
    }
}

impl Tools {
    fn n_options(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Scalar(_, domain) => self.domains.values(*domain).len(),
            Choice::Atom(_, values) => values.len(),
            Choice::Constructor(_, hole) => self.n_constructors(*hole),
        }
    }
}

impl States {
    /// Makes one more branch; `false` if there is none, or the effort is used up.
    pub fn make_branch(&mut self, expansion: &mut Expansion) -> bool {
        std::mem::swap(&mut self.tools.reducer.slots, &mut expansion.slots);
        let branch = self.find_branch(expansion);
        std::mem::swap(&mut self.tools.reducer.slots, &mut expansion.slots);
        let is_found = branch.is_some();
        expansion.made.extend(branch);
        is_found
    }

    fn find_branch(&mut self, expansion: &mut Expansion) -> Option<Branch> {
        if let Some(work) = expansion.whole.take() {
            return self.branch(&work, &expansion.order);
        }
        while let Some(last) = expansion.pending.last_mut() {
            if last.n_left() == 0 {
                expansion.pending.pop();
                continue;
            }
            self.n_tried += 1;
            if !self.charge() {
                return None;
            }
            let room = last.room;
            let Ok(work) = last.choose(&mut self.tools) else { continue };
            match self.next_choice(&work, room) {
                Next::Choice(choice, room) => {
                    let shuffle = self.shuffle.as_mut();
                    expansion.pending.push(Pending::new(work, choice, room, &mut self.tools, shuffle));
                }
                Next::Branch => {
                    if let Some(branch) = self.branch(&work, &expansion.order) {
                        return Some(branch);
                    }
                }
                Next::Nothing => {}
            }
        }
        None
    }

    /// Uses up one unit of effort. Returns whether any is left.
    pub fn charge(&mut self) -> bool {
        self.effort = self.effort.saturating_sub(1);
        self.effort > 0
    }

    /// The next choice, if structured holes are still coupled and the options fit into `room`.
    fn next_choice(&mut self, work: &Work, room: usize) -> Next {
        let (mut next, mut done) = (None, Vec::new());
        for component in work.components() {
            if self.lacks_solution(&component) {
                return Next::Nothing;
            }
            // The choices in further components only matter when solutions are counted.
            if next.is_some() && !self.is_counting {
                continue;
            }
            match self.tools.uncouple(&component, &work.holes) {
                Some(choice) => next = next.or(Some(choice)),
                None => done.push(component),
            }
        }
        let Some(choice) = next else { return Next::Branch };
        let n = self.tools.n_options(&choice);
        if n > room {
            return Next::Branch;
        }
        // If an independent component has no solution, the whole branch has none.
        if self.is_counting && !done.iter().all(|component| self.may_have_solution(component)) {
            return Next::Nothing;
        }
        Next::Choice(choice, room / n.max(1))
    }

    /// Whether a component has a solution. `true` if it can't be counted.
    fn may_have_solution(&mut self, component: &Component<'_>) -> bool {
        if component.holes.iter().all(|(_, hole)| hole.domain.is_some()) {
            return true;
        }
        if self.is_refuted(component) {
            return false;
        }
        let (state, _) = self.state(component);
        let total = match &state.form {
            StateForm::Leaf(_) => state.total().ok_or(TooMuch),
            StateForm::Open(_) => self.count_on(&state),
        };
        !total.is_ok_and(|total| total.is_zero())
    }
}
