//! Making the ways of a state, one at a time.
//!
//! A state's first choice may leave places coupled that aren't scalars; then the next is made at once, and so on: one way
//! comes of several choices. What is left of each is kept, so that a walk along the first few members makes no more
//! ways than it goes. Which ways there are doesn't depend on whether they are counted; then, those without a solution may
//! be left out.

use std::sync::Arc;
use std::vec;

use super::choose::Choice;
use super::heads::Head;
use super::problem::Problem;
use super::state::{StateForm, States, Way};
use super::types::TypeId;
use super::work::{Build, Component, Contradiction, Tools, Work};
use crate::ir::Term;
use crate::value::Value;

/// The ways of a state, those that were made and those that were not.
#[derive(Default)]
pub struct Expansion {
    /// Those that were made, in order.
    pub made: Vec<Way>,
    /// The state's places.
    order: Vec<u32>,
    /// The types of all places, while nothing is made.
    slots: Vec<TypeId>,
    /// Its only way, where nothing has to be chosen.
    whole: Option<Box<Work>>,
    /// The choices that are made, the latest last, with what is left of each.
    pending: Vec<Pending>,
}

/// A choice, with the possibilities that were not tried.
struct Pending {
    work: Work,
    options: Options,
    /// In how many ways the choices that follow may be made, as long as they are made here.
    room: usize,
}

enum Options {
    Scalar(u32, Arc<[Value]>, usize),
    Atom(Term, vec::IntoIter<Value>),
    Head(u32, vec::IntoIter<Head>),
}

/// What follows from a choice.
enum Next {
    Choice(Choice, usize),
    Way,
    Nothing,
}

/// A state has at most so many ways for which coupled places were taken apart at once.
const MAX_FLAT: usize = 1 << 15;

impl Expansion {
    /// All ways of a problem.
    pub fn new(problem: &Problem, states: &mut States) -> Expansion {
        let tools = &mut states.tools;
        let outer = std::mem::take(&mut tools.reducer.slots);
        let work = Work::new(problem, tools);
        let order = work.places.iter().map(|(slot, _)| *slot).collect();
        let choice = match &work.components()[..] {
            [component] => Some(tools.choose(component, &work.places)),
            _ => None,
        };
        let mut expansion = Expansion { order, ..Expansion::default() };
        match choice {
            Some(choice) => {
                let room = MAX_FLAT / tools.n_options(&choice).max(1);
                expansion.pending.push(Pending::new(work, choice, room, tools));
            }
            None => expansion.whole = Some(Box::new(work)),
        }
        expansion.slots = std::mem::replace(&mut tools.reducer.slots, outer);
        expansion
    }

    /// Whether all ways were made.
    pub fn is_over(&self) -> bool {
        self.pending.is_empty() && self.whole.is_none()
    }
}

impl Pending {
    fn new(work: Work, choice: Choice, room: usize, tools: &mut Tools) -> Pending {
        let options = match choice {
            Choice::Scalar(slot, domain) => Options::Scalar(slot, tools.domains.values(domain).clone(), 0),
            Choice::Atom(atom, values) => Options::Atom(atom, values.into_iter()),
            Choice::Head(slot, place) => {
                let lens = work.lens(slot, place, tools);
                Options::Head(slot, tools.heads_of_len(place, &lens).into_iter())
            }
        };
        Pending { work, options, room }
    }

    /// How many possibilities are left.
    fn n_left(&self) -> usize {
        match &self.options {
            Options::Scalar(_, values, next) => values.len() - next,
            Options::Atom(_, values) => values.len(),
            Options::Head(_, heads) => heads.len(),
        }
    }

    /// Takes the next possibility.
    fn choose(&mut self, tools: &mut Tools) -> Result<Work, Contradiction> {
        let mut work = if self.n_left() == 1 { std::mem::take(&mut self.work) } else { self.work.clone() };
        match &mut self.options {
            Options::Scalar(slot, values, next) => {
                let value = values.get(*next).ok_or(Contradiction)?;
                *next += 1;
                let build = work.places.get(*slot).map(|place| tools.scalar(*place, value));
                let build = build.unwrap_or_else(|| Build::Const(value.clone()));
                work.fill(*slot, build, &Term::Lit(value.clone()), tools)?;
            }
            Options::Atom(atom, values) => {
                let value = values.next().ok_or(Contradiction)?;
                work.decide(atom, &value, tools)?;
            }
            Options::Head(slot, heads) => {
                let head = heads.next().ok_or(Contradiction)?;
                work.begin(*slot, head, tools)?;
            }
        }
        work.settle(tools)?;
        Ok(work)
    }
}

impl Tools {
    fn n_options(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Scalar(_, domain) => self.domains.values(*domain).len(),
            Choice::Atom(_, values) => values.len(),
            Choice::Head(_, place) => self.n_heads(*place),
        }
    }
}

impl States {
    /// Makes one more way; `false` if there is none, or the effort is used up.
    pub fn make_way(&mut self, expansion: &mut Expansion) -> bool {
        std::mem::swap(&mut self.tools.reducer.slots, &mut expansion.slots);
        let way = self.find_way(expansion);
        std::mem::swap(&mut self.tools.reducer.slots, &mut expansion.slots);
        let is_found = way.is_some();
        expansion.made.extend(way);
        is_found
    }

    fn find_way(&mut self, expansion: &mut Expansion) -> Option<Way> {
        if let Some(work) = expansion.whole.take() {
            return self.way(&work, &expansion.order);
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
                    expansion.pending.push(Pending::new(work, choice, room, &mut self.tools));
                }
                Next::Way => {
                    if let Some(way) = self.way(&work, &expansion.order) {
                        return Some(way);
                    }
                }
                Next::Nothing => {}
            }
        }
        None
    }

    /// Takes one of what is left of the effort; whether something is left behind that.
    pub fn charge(&mut self) -> bool {
        self.effort = self.effort.saturating_sub(1);
        self.effort > 0
    }

    /// The next choice, where places that aren't scalars are still coupled and there is room for its possibilities.
    fn next_choice(&mut self, work: &Work, room: usize) -> Next {
        let (mut next, mut done) = (None, Vec::new());
        for component in work.components() {
            match self.tools.uncouple(&component, &work.places) {
                Some(choice) => next = next.or(Some(choice)),
                None => done.push(component),
            }
        }
        let Some(choice) = next else { return Next::Way };
        let n = self.tools.n_options(&choice);
        if n > room {
            return Next::Way;
        }
        // What is independent already may be without a solution; then the rest doesn't matter.
        if self.is_counting && !done.iter().all(|component| self.may_have_solution(component)) {
            return Next::Nothing;
        }
        Next::Choice(choice, room / n.max(1))
    }

    /// Whether a group of places has a solution, or can't be counted.
    fn may_have_solution(&mut self, component: &Component<'_>) -> bool {
        if component.places.iter().all(|(_, place)| place.domain.is_some()) {
            return true;
        }
        if self.is_refuted(component) {
            return false;
        }
        let (state, _) = self.state(component);
        let total = match &state.form {
            StateForm::Leaf(_) => state.total().ok_or(super::TooMuch),
            StateForm::Open(_) => self.count_on(&state),
        };
        !total.is_ok_and(|total| total.is_zero())
    }
}
