//! Walks over the solutions of a branch, one after the other.
//!
//! The choices made so far are a stack of frames; the consequences of a choice are above it. To find the next
//! solution, the cursor changes the topmost choice that can be changed, and opens again everything after it. A frame
//! writes the values that it fixes into the root's values, and tells its parts which slots to write. So unchanged
//! parts are not written again, and allocations are reused. A caller that keeps a value shares it; the next write
//! then copies it first.
//!
//! The branches of an uncounted state are made while the cursor visits them. The parts of a branch are independent:
//! if one of them has no solution, no choice in the other parts helps, and the cursor leaves the branch at once. A
//! state found to have no solution is remembered as such.

use std::sync::Arc;
use std::thread;

use super::slot_buffer::{Mark, NO_SLOT, Slot, SlotBuffer};
use crate::logic::value::Value;
use crate::native::count::expand::Expansion;
use crate::native::count::shuffle::Shuffle;
use crate::native::count::state::{Branch, Part, State, StateForm, States, TooMuch};
use crate::native::count::{ordered, words};

/// The solutions of a branch, in order.
pub struct Cursor {
    frames: Vec<Frame>,
    /// The values at the root's holes. All frames write into them.
    buffer: SlotBuffer,
    /// For each frame, the slots of the holes of its parts.
    targets: Vec<Slot>,
    started: bool,
    /// Whether the current solution is also the next one.
    stays: bool,
    /// Where the search for the next solution was interrupted, if it was.
    halfway: Option<Halfway>,
}

/// The point at which a search was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halfway {
    /// Before a part was opened.
    Opening,
    /// Before the last choice was changed.
    Changing,
}

/// A choice.
struct Frame {
    branches: Branches,
    /// The index of the branch or value; [`NONE`] before the first.
    at: u32,
    /// Index in `targets` of the slots of its own holes.
    own: u32,
    /// Index in `targets` of the slots of its parts' holes.
    inner: u32,
    /// The state of the buffer before this frame.
    before: Mark,
    /// The frame and the index of its part to continue with after this frame.
    next: (u32, u32),
    /// Offset of the keys.
    offset: i64,
    /// Whether its value is a key.
    is_key: bool,
    /// Whether it is known to have a solution.
    is_solved: bool,
    /// The index of the branch that was tried first.
    first: u32,
    /// Whether the branches before that one are still to be tried, after the last one.
    wraps: bool,
}

impl Frame {
    /// The index of the next option; `None` if all were tried, and an error if the remaining effort doesn't suffice.
    fn next_option(&mut self, states: &mut States) -> Result<Option<u32>, TooMuch> {
        let at = self.at.wrapping_add(1);
        let has_wrapped = self.first > 0 && !self.wraps;
        if has_wrapped {
            return Ok((at < self.first).then_some(at));
        }
        if self.branches.has(at as usize, states)? {
            return Ok(Some(at));
        }
        Ok(std::mem::take(&mut self.wraps).then_some(0))
    }
}

enum Branches {
    Leaf(Arc<[Value]>),
    /// All branches; in a walk, maybe a single random one of them.
    Open(Arc<[Branch]>),
    /// The branches made so far.
    Begun(Begun),
}

/// A partial expansion of a state. Others continue it after the cursor drops it.
struct Begun {
    state: Arc<State>,
    branches: Box<Expansion>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        // During unwinding, the expansion may be inconsistent.
        if !thread::panicking() {
            self.state.give_back(std::mem::take(&mut self.branches));
        }
    }
}

impl Branches {
    fn of(state: &Arc<State>, states: &mut States) -> Branches {
        if let StateForm::Leaf(values) = &state.form {
            let shuffle = states.shuffle.as_mut();
            return Branches::Leaf(shuffle.map_or_else(|| values.clone(), |shuffle| shuffle.one(values)));
        }
        let dice = states.shuffle.as_mut().and_then(Shuffle::for_words);
        let word = dice.and_then(|dice| words::word(state, &states.tools, dice));
        let single = word.or_else(|| ordered::branch(state, &states.tools, states.shuffle.as_mut()?));
        match single.map(|branch| Arc::from([branch])).or_else(|| state.known_branches()) {
            Some(branches) => Branches::Open(branches),
            None => Branches::Begun(Begun { state: state.clone(), branches: state.begin(states) }),
        }
    }

    /// The index of the first branch: 0, but for walks that keep states.
    fn first(&self, states: &mut States) -> u32 {
        let Some(shuffle) = states.shuffle.as_mut().filter(|shuffle| shuffle.keeps()) else { return 0 };
        let (made, is_all) = match self {
            Branches::Leaf(_) => return 0,
            Branches::Open(branches) => (&branches[..], true),
            Branches::Begun(begun) => (&begun.branches.made[..], begun.branches.is_over()),
        };
        let solvable: Vec<usize> = (0..made.len()).filter(|at| !made[*at].is_refuted()).collect();
        shuffle.first(made.len(), &solvable, is_all) as u32
    }

    /// Whether there is an option with this index; an error if the remaining effort doesn't suffice to find out.
    fn has(&mut self, index: usize, states: &mut States) -> Result<bool, TooMuch> {
        match self {
            Branches::Leaf(values) => Ok(index < values.len()),
            Branches::Open(branches) => Ok(index < branches.len()),
            Branches::Begun(_) => self.make(index, states),
        }
    }

    #[cold]
    fn make(&mut self, index: usize, states: &mut States) -> Result<bool, TooMuch> {
        let Branches::Begun(begun) = self else { return Ok(false) };
        while begun.branches.made.len() <= index {
            if states.make_branch(&mut begun.branches) {
                continue;
            }
            if !begun.branches.is_over() {
                return Err(TooMuch);
            }
            let branches = begun.state.keep(std::mem::take(&mut begun.branches.made).into());
            *self = Branches::Open(branches);
            return Ok(false);
        }
        Ok(true)
    }

    /// The branch with this index; `None` for a scalar.
    fn get(&self, index: usize) -> Option<&Branch> {
        match self {
            Branches::Leaf(_) => None,
            Branches::Open(branches) => branches.get(index),
            Branches::Begun(begun) => begun.branches.made.get(index),
        }
    }
}

/// No frame, or no branch.
const NONE: u32 = u32::MAX;

impl Cursor {
    /// A cursor before the first solution of a branch.
    pub fn new(branch: Branch) -> Cursor {
        let n_roots = branch.builds.len() as u32;
        let buffer = SlotBuffer::new(n_roots);
        let root = Frame {
            branches: Branches::Open(Arc::from([branch])),
            at: 0,
            own: 0,
            inner: n_roots,
            before: buffer.mark(),
            next: (NONE, 0),
            offset: 0,
            is_key: false,
            is_solved: false,
            first: 0,
            wraps: false,
        };
        let (frames, targets) = (vec![root], buffer.roots().collect());
        Cursor { frames, buffer, targets, started: false, stays: false, halfway: None }
    }

    /// The values at the root's holes.
    pub fn values(&self) -> &[Value] {
        self.buffer.values()
    }

    /// Moves to the next solution; `false` if there is none. A search that takes more than `effort` choices fails,
    /// and the next call continues it.
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
        self.buffer.finish();
        found
    }

    /// Changes the last choice, if it is a scalar with a further value. Nothing depends on it, and most members are
    /// found so.
    fn change_leaf(&mut self) -> bool {
        let last = self.frames.len() - 1;
        let frame = &mut self.frames[last];
        let Branches::Leaf(values) = &frame.branches else { return false };
        if self.halfway.is_some() || frame.at as usize + 1 >= values.len() {
            return false;
        }
        frame.at += 1;
        self.enter(last);
        self.buffer.finish();
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

    /// Moves to the solution that a path leads to: the index of the branch or value at each choice, in order.
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
            if self.frames[last].branches.has(at as usize, states) != Ok(true) {
                return false;
            }
            self.frames[last].at = at;
            self.enter(last);
            next = self.pending(last);
        }
        self.buffer.finish();
        true
    }

    /// Makes the current solution the next one, too.
    pub fn stay(&mut self) {
        self.stays = true;
    }

    /// Whether the judge left a condition on the current solution undecided.
    pub fn is_undecided(&self) -> bool {
        let is_undecided =
            |frame: &Frame| frame.branches.get(frame.at as usize).is_some_and(|branch| branch.is_undecided);
        self.frames.iter().any(is_undecided)
    }

    /// The path to the current solution.
    pub fn path(&self) -> Vec<u32> {
        self.frames.iter().skip(1).map(|frame| frame.at).collect()
    }

    /// Changes the topmost choice that can be changed; `false` if there is none.
    fn change(&mut self, states: &mut States) -> Result<bool, TooMuch> {
        while self.frames.len() > 1 {
            let last = self.frames.len() - 1;
            let frame = &mut self.frames[last];
            let Ok(next) = frame.next_option(states) else {
                self.halfway = Some(Halfway::Changing);
                return Err(TooMuch);
            };
            if let Some(at) = next {
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

    /// Records that a frame's state has no solution, and leaves the branch that it is a part of.
    fn refute(&mut self, frame: usize) {
        let (next, part) = self.frames[frame].next;
        let branch = self.frames[next as usize].branches.get(self.frames[next as usize].at as usize);
        if let Some(branch) = branch {
            branch.parts[part as usize - 1].state.refute();
        }
        self.frames.truncate(next as usize + 2);
    }

    /// Opens everything after the last frame. If a part has no solution, continues from an earlier choice. `false` if
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

    /// The next part to open after a frame.
    fn pending(&mut self, frame: usize) -> Option<(u32, u32)> {
        let (mut at, mut part) = (frame as u32, 0);
        loop {
            let frame = &mut self.frames[at as usize];
            if let Some(branch) = frame.branches.get(frame.at as usize)
                && (part as usize) < branch.parts.len()
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

    /// Pushes a frame for a part, before its first branch.
    fn push(&mut self, parent: u32, part: u32, states: &mut States) {
        let above = &self.frames[parent as usize];
        let Some(branch) = above.branches.get(above.at as usize) else { return };
        let Part { state, first_hole, offset, is_key } = &branch.parts[part as usize];
        let (own, offset, is_key) = (above.inner + first_hole, above.offset + offset, *is_key);
        let top = &self.frames[self.frames.len() - 1];
        let inner = top.inner + top.branches.get(top.at as usize).map_or(0, Branch::n_inner);
        let branches = Branches::of(state, states);
        let first = branches.first(states);
        self.frames.push(Frame {
            branches,
            // The first change leads to the first branch.
            at: first.checked_sub(1).unwrap_or(NONE),
            own,
            inner,
            before: self.buffer.mark(),
            next: (parent, part + 1),
            offset,
            is_key,
            is_solved: false,
            first,
            wraps: first > 0,
        });
    }

    /// Writes the values that a frame fixes, and tells its parts which slots to write.
    fn enter(&mut self, index: usize) {
        let frame = &self.frames[index];
        self.buffer.reset(frame.before);
        self.targets.truncate(frame.inner as usize);
        let own = frame.own as usize;
        match &frame.branches {
            Branches::Leaf(values) => {
                let by = if frame.is_key { frame.offset } else { 0 };
                self.buffer.write(self.targets[own], &values[frame.at as usize], by);
            }
            Branches::Open(_) | Branches::Begun(_) => {
                let Some(branch) = frame.branches.get(frame.at as usize) else { return };
                let n_inner = branch.n_inner();
                let inner = frame.inner as usize;
                self.targets.resize(inner + n_inner as usize, NO_SLOT);
                let (targets, parts) = self.targets.split_at_mut(inner);
                for (build, slot) in branch.builds.iter().zip(&targets[own..]) {
                    self.buffer.fill(build, *slot, frame.offset, parts);
                }
            }
        }
    }
}
