//! Going through the solutions of a way, one after the other.
//!
//! The choices made so far are a stack of frames, a choice's consequences above it. The next solution is found by
//! changing the topmost choice that can be changed and opening again what came behind it. A frame writes what it fixes
//! where it stands in the values of the root, and tells its parts where they stand: so what doesn't change is not
//! touched, and what was allocated for one solution serves the next. Whoever keeps a value shares it: then the next
//! write makes a copy first.

use std::sync::Arc;

use super::sheet::{Mark, NOWHERE, Sheet, Spot};
use super::state::{Part, StateForm, States, TooMuch, Way};
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
    /// Whether the way to the next solution was given up halfway.
    is_halfway: bool,
}

/// A choice that is made.
struct Frame {
    ways: Ways,
    /// The index of the way, or of the value.
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
}

enum Ways {
    Leaf(Arc<[Value]>),
    Open(Arc<[Way]>),
}

/// Where no frame is.
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
        };
        let (frames, targets) = (vec![root], sheet.roots().collect());
        Cursor { frames, sheet, targets, started: false, stays: false, is_halfway: false }
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
        let goes_on = if std::mem::take(&mut self.is_halfway) {
            true
        } else if self.started {
            self.change()
        } else {
            self.started = true;
            self.enter(0);
            true
        };
        let found = goes_on && self.open(states, effort)?;
        self.sheet.finish();
        Ok(found)
    }

    /// Goes to the solution that a path leads to: the index of the way or value at each choice, in order.
    pub fn follow(&mut self, path: &[u32], states: &mut States) -> bool {
        let mut path = path.iter();
        self.frames.truncate(1);
        self.started = true;
        (self.stays, self.is_halfway) = (false, false);
        self.enter(0);
        let mut next = self.pending(0);
        while let Some((parent, part)) = next {
            let at = path.next().copied().unwrap_or(0);
            if !self.push(parent, part, states) {
                return false;
            }
            let last = self.frames.len() - 1;
            let n = match &self.frames[last].ways {
                Ways::Leaf(values) => values.len(),
                Ways::Open(ways) => ways.len(),
            };
            if at as usize >= n {
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

    /// The path to the solution at hand.
    pub fn path(&self) -> Vec<u32> {
        self.frames.iter().skip(1).map(|frame| frame.at).collect()
    }

    /// Changes the topmost choice that can be changed; `false` if there is none.
    fn change(&mut self) -> bool {
        while self.frames.len() > 1 {
            let last = self.frames.len() - 1;
            let frame = &mut self.frames[last];
            let n = match &frame.ways {
                Ways::Leaf(values) => values.len(),
                Ways::Open(ways) => ways.len(),
            };
            if (frame.at as usize) + 1 < n {
                frame.at += 1;
                self.enter(last);
                return true;
            }
            self.frames.pop();
        }
        false
    }

    /// Opens all that comes behind the last frame; where that leads nowhere, goes on from an earlier choice. `false` if
    /// there is none.
    fn open(&mut self, states: &mut States, effort: u64) -> Result<bool, TooMuch> {
        let (mut spent, n_ways) = (0, states.n_ways);
        while let Some((parent, part)) = self.pending(self.frames.len() - 1) {
            spent += 1;
            if spent + (states.n_ways - n_ways) > effort {
                self.is_halfway = true;
                return Err(TooMuch);
            }
            if self.push(parent, part, states) {
                self.enter(self.frames.len() - 1);
            } else if !self.change() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The part that comes behind a frame.
    fn pending(&self, frame: usize) -> Option<(u32, u32)> {
        let (mut at, mut part) = (frame as u32, 0);
        loop {
            let frame = &self.frames[at as usize];
            let n_parts = match &frame.ways {
                Ways::Leaf(_) => 0,
                Ways::Open(ways) => ways[frame.at as usize].parts.len() as u32,
            };
            if part < n_parts {
                return Some((at, part));
            }
            (at, part) = frame.next;
            if at == NONE {
                return None;
            }
        }
    }

    /// Opens a part of a frame; `false` if it has no way.
    fn push(&mut self, parent: u32, part: u32, states: &mut States) -> bool {
        let above = &self.frames[parent as usize];
        let Ways::Open(ways) = &above.ways else { return false };
        let Part { state, offset, moved, is_key } = &ways[above.at as usize].parts[part as usize];
        let (own, moved, is_key) = (above.inner + offset, above.moved + moved, *is_key);
        let ways = match &state.form {
            StateForm::Leaf(values) => Ways::Leaf(values.clone()),
            StateForm::Open(_) => Ways::Open(states.ways(state)),
        };
        if matches!(&ways, Ways::Leaf(values) if values.is_empty())
            || matches!(&ways, Ways::Open(ways) if ways.is_empty())
        {
            return false;
        }
        let top = &self.frames[self.frames.len() - 1];
        let inner = top.inner + self.n_inner(top);
        self.frames.push(Frame {
            ways,
            at: 0,
            own,
            inner,
            before: self.sheet.mark(),
            next: (parent, part + 1),
            moved,
            is_key,
        });
        true
    }

    fn n_inner(&self, frame: &Frame) -> u32 {
        match &frame.ways {
            Ways::Leaf(_) => 0,
            Ways::Open(ways) => ways[frame.at as usize].n_inner(),
        }
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
            Ways::Open(ways) => {
                let way = &ways[frame.at as usize];
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
