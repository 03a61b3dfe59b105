//! Going through the solutions of a way, one after the other.
//!
//! The choices made so far are a stack of frames, a choice's consequences above it. The next solution is found by
//! changing the topmost choice that can be changed and opening again what came behind it. A frame writes what it fixes
//! where it stands in the values of the root, and tells its parts where they stand: so what doesn't change is not
//! touched, and what was allocated for one solution serves the next. Whoever keeps a value shares it: then the next
//! write makes a copy first.
//!
//! The ways of a state that wasn't counted are made as they are gone along. The parts of a way are independent: where one
//! of them has no solution, no other choice in the others helps, and the way is left at once. A state that turns out to
//! have none is remembered as such.

use std::sync::Arc;

use super::expand::Expansion;
use super::sheet::{Mark, NOWHERE, Sheet, Spot};
use super::state::{Part, State, StateForm, States, TooMuch, Way};
use crate::value::Value;

/// The solutions of a way in order.
pub struct Cursor {
    frames: Vec<Frame>,
    /// The values at the root's places, in which all frames write.
    sheet: Sheet,
    /// For each frame, the spots of the places of its parts.
    targets: Vec<Spot>,
    started: bool,
    /// Whether the solution at hand is the next one, too.
    stays: bool,
    /// Whether the search for the next solution was given up, and where.
    halfway: Option<Halfway>,
}

/// Where a search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halfway {
    /// Before a part was opened.
    Opening,
    /// Before the last choice was changed.
    Changing,
}

/// A choice that is made.
struct Frame {
    ways: Ways,
    /// The index of the way, or of the value; [`NONE`] before the first.
    at: u32,
    /// Where the spots of its own places are listed in the targets.
    own: u32,
    /// Where those of its parts' places are.
    inner: u32,
    /// What was on the sheet before it.
    before: Mark,
    /// The frame and its part to go on with behind it.
    next: (u32, u32),
    /// By how much scalars of the group are moved.
    moved: i64,
    /// Whether its value is such a scalar.
    is_key: bool,
    /// Whether it has a solution.
    is_solved: bool,
}

enum Ways {
    Leaf(Arc<[Value]>),
    /// All of them.
    Open(Arc<[Way]>),
    /// Those that were made so far.
    Begun(Begun),
}

/// The ways of a state that are being made. Whoever comes next goes on with them.
struct Begun {
    state: Arc<State>,
    ways: Box<Expansion>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.state.give_back(std::mem::take(&mut self.ways));
    }
}

impl Ways {
    fn of(state: &Arc<State>, states: &mut States) -> Ways {
        if let StateForm::Leaf(values) = &state.form {
            return Ways::Leaf(values.clone());
        }
        match state.known_ways() {
            Some(ways) => Ways::Open(ways),
            None => Ways::Begun(Begun { state: state.clone(), ways: state.begin(states) }),
        }
    }

    /// Whether there is one of this index; an error where that isn't seen within what is left of the effort.
    fn has(&mut self, index: usize, states: &mut States) -> Result<bool, TooMuch> {
        match self {
            Ways::Leaf(values) => Ok(index < values.len()),
            Ways::Open(ways) => Ok(index < ways.len()),
            Ways::Begun(_) => self.make(index, states),
        }
    }

    #[cold]
    fn make(&mut self, index: usize, states: &mut States) -> Result<bool, TooMuch> {
        let Ways::Begun(begun) = self else { return Ok(false) };
        while begun.ways.made.len() <= index {
            if states.make_way(&mut begun.ways) {
                continue;
            }
            if !begun.ways.is_over() {
                return Err(TooMuch);
            }
            let ways = begun.state.keep(std::mem::take(&mut begun.ways.made).into());
            *self = Ways::Open(ways);
            return Ok(false);
        }
        Ok(true)
    }

    /// The way of this index, if there are ways.
    fn get(&self, index: usize) -> Option<&Way> {
        match self {
            Ways::Leaf(_) => None,
            Ways::Open(ways) => ways.get(index),
            Ways::Begun(begun) => begun.ways.made.get(index),
        }
    }
}

/// Where no frame is, or no way.
const NONE: u32 = u32::MAX;

impl Cursor {
    /// Before the first solution of a way.
    pub fn new(way: Way) -> Cursor {
        let n_roots = way.builds.len() as u32;
        let sheet = Sheet::new(n_roots);
        let root = Frame {
            ways: Ways::Open(Arc::from([way])),
            at: 0,
            own: 0,
            inner: n_roots,
            before: sheet.mark(),
            next: (NONE, 0),
            moved: 0,
            is_key: false,
            is_solved: false,
        };
        let (frames, targets) = (vec![root], sheet.roots().collect());
        Cursor { frames, sheet, targets, started: false, stays: false, halfway: None }
    }

    /// The values at the root's places.
    pub fn values(&self) -> &[Value] {
        self.sheet.values()
    }

    /// Goes to the next solution; `false` if there is none. Where the search for it takes more than so many choices, it
    /// is given up, and goes on with the next call.
    pub fn advance(&mut self, states: &mut States, effort: u64) -> Result<bool, TooMuch> {
        if std::mem::take(&mut self.stays) {
            return Ok(true);
        }
        if self.change_leaf() {
            return Ok(true);
        }
        states.effort = effort;
        let found = self.search(states);
        states.effort = u64::MAX;
        self.sheet.finish();
        found
    }

    /// Changes the last choice, if it is that of a scalar with a further value: nothing comes behind it then. Most members
    /// are found so.
    fn change_leaf(&mut self) -> bool {
        let last = self.frames.len() - 1;
        let frame = &mut self.frames[last];
        let Ways::Leaf(values) = &frame.ways else { return false };
        if self.halfway.is_some() || frame.at as usize + 1 >= values.len() {
            return false;
        }
        frame.at += 1;
        self.enter(last);
        self.sheet.finish();
        true
    }

    fn search(&mut self, states: &mut States) -> Result<bool, TooMuch> {
        let changes = match self.halfway.take() {
            Some(halfway) => halfway == Halfway::Changing,
            None => self.started,
        };
        if !std::mem::replace(&mut self.started, true) {
            self.enter(0);
        }
        Ok((!changes || self.change(states)?) && self.open(states)?)
    }

    /// Goes to the solution that a path leads to: the index of the way or value at each choice, in order.
    pub fn follow(&mut self, path: &[u32], states: &mut States) -> bool {
        let mut path = path.iter();
        self.frames.truncate(1);
        self.started = true;
        (self.stays, self.halfway) = (false, None);
        self.enter(0);
        let mut next = self.pending(0);
        while let Some((parent, part)) = next {
            let at = path.next().copied().unwrap_or(0);
            self.push(parent, part, states);
            let last = self.frames.len() - 1;
            if self.frames[last].ways.has(at as usize, states) != Ok(true) {
                return false;
            }
            self.frames[last].at = at;
            self.enter(last);
            next = self.pending(last);
        }
        self.sheet.finish();
        true
    }

    /// Makes the solution at hand the one that comes next.
    pub fn stay(&mut self) {
        self.stays = true;
    }

    /// Whether the judge gave up on a condition on the solution at hand.
    pub fn is_undecided(&self) -> bool {
        let is_undecided =
            |frame: &Frame| frame.ways.get(frame.at as usize).is_some_and(|way| way.is_undecided);
        self.frames.iter().any(is_undecided)
    }

    /// The path to the solution at hand.
    pub fn path(&self) -> Vec<u32> {
        self.frames.iter().skip(1).map(|frame| frame.at).collect()
    }

    /// Changes the topmost choice that can be changed; `false` if there is none.
    fn change(&mut self, states: &mut States) -> Result<bool, TooMuch> {
        while self.frames.len() > 1 {
            let last = self.frames.len() - 1;
            let frame = &mut self.frames[last];
            let at = frame.at.wrapping_add(1);
            let Ok(has) = frame.ways.has(at as usize, states) else {
                self.halfway = Some(Halfway::Changing);
                return Err(TooMuch);
            };
            if has {
                frame.at = at;
                self.enter(last);
                return Ok(true);
            }
            if !frame.is_solved {
                self.refute(last);
            }
            self.frames.pop();
        }
        Ok(false)
    }

    /// Of a frame without a solution, leaves the way that it is a part of.
    fn refute(&mut self, frame: usize) {
        let (next, part) = self.frames[frame].next;
        let way = self.frames[next as usize].ways.get(self.frames[next as usize].at as usize);
        if let Some(way) = way {
            way.parts[part as usize - 1].state.refute();
        }
        self.frames.truncate(next as usize + 2);
    }

    /// Opens all that comes behind the last frame; where that leads nowhere, goes on from an earlier choice. `false` if
    /// there is none.
    fn open(&mut self, states: &mut States) -> Result<bool, TooMuch> {
        while let Some((parent, part)) = self.pending(self.frames.len() - 1) {
            if !states.charge() {
                self.halfway = Some(Halfway::Opening);
                return Err(TooMuch);
            }
            self.push(parent, part, states);
            if !self.change(states)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The part that comes behind a frame.
    fn pending(&mut self, frame: usize) -> Option<(u32, u32)> {
        let (mut at, mut part) = (frame as u32, 0);
        loop {
            let frame = &mut self.frames[at as usize];
            if let Some(way) = frame.ways.get(frame.at as usize)
                && (part as usize) < way.parts.len()
            {
                return Some((at, part));
            }
            frame.is_solved = true;
            (at, part) = frame.next;
            if at == NONE {
                return None;
            }
        }
    }

    /// Begins a part of a frame, before its first way.
    fn push(&mut self, parent: u32, part: u32, states: &mut States) {
        let above = &self.frames[parent as usize];
        let Some(way) = above.ways.get(above.at as usize) else { return };
        let Part { state, offset, moved, is_key } = &way.parts[part as usize];
        let (own, moved, is_key) = (above.inner + offset, above.moved + moved, *is_key);
        let top = &self.frames[self.frames.len() - 1];
        let inner = top.inner + top.ways.get(top.at as usize).map_or(0, Way::n_inner);
        let ways = Ways::of(state, states);
        self.frames.push(Frame {
            ways,
            at: NONE,
            own,
            inner,
            before: self.sheet.mark(),
            next: (parent, part + 1),
            moved,
            is_key,
            is_solved: false,
        });
    }

    /// Writes what a frame fixes, and tells its parts where they stand.
    fn enter(&mut self, index: usize) {
        let frame = &self.frames[index];
        self.sheet.reset(frame.before);
        self.targets.truncate(frame.inner as usize);
        let own = frame.own as usize;
        match &frame.ways {
            Ways::Leaf(values) => {
                let by = if frame.is_key { frame.moved } else { 0 };
                self.sheet.write(self.targets[own], &values[frame.at as usize], by);
            }
            Ways::Open(_) | Ways::Begun(_) => {
                let Some(way) = frame.ways.get(frame.at as usize) else { return };
                let n_inner = way.n_inner();
                let inner = frame.inner as usize;
                self.targets.resize(inner + n_inner as usize, NOWHERE);
                let (targets, parts) = self.targets.split_at_mut(inner);
                for (build, spot) in way.builds.iter().zip(&targets[own..]) {
                    self.sheet.place(build, *spot, frame.moved, parts);
                }
            }
        }
    }
}
