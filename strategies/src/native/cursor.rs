//! Going through the solutions of a way, one after the other.
//!
//! The choices made so far are a stack of frames, a choice's consequences above it. The next solution is found by
//! changing the topmost choice that can be changed and opening again what came behind it. A frame writes what it fixes
//! into registers that its parent gave it, so that a list of scalars is not copied at each of its choices; values with
//! parts are put together again only around what changed, and share the rest with the solution before.

use std::sync::Arc;

use super::state::{Part, StateForm, States, Way};
use super::work::Build;
use crate::int::Int;
use crate::value::Value;

/// The solutions of a way in order.
pub struct Cursor {
    frames: Vec<Frame>,
    /// The values at places, those of the root first.
    registers: Vec<Value>,
    /// For each frame, the registers of the places of its parts.
    targets: Vec<u32>,
    /// How many places the root has.
    n_roots: usize,
    started: bool,
    /// Whether the solution at hand is the next one, too.
    stays: bool,
}

/// A choice that is made.
struct Frame {
    ways: Ways,
    /// The index of the way, or of the value.
    at: u32,
    /// Where the registers of its own places are listed in the targets.
    own: u32,
    /// Where those of its parts' places are.
    inner: u32,
    /// How many registers there were before it.
    n_registers: u32,
    /// The frame whose part it is.
    parent: u32,
    /// The frame and its part to go on with behind it.
    next: (u32, u32),
    /// Whether it puts values together.
    assembles: bool,
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
        let n_roots = way.builds.len();
        let mut cursor = Cursor {
            frames: Vec::new(),
            registers: vec![Value::Bool(false); n_roots],
            targets: (0..n_roots as u32).collect(),
            n_roots,
            started: false,
            stays: false,
        };
        cursor.frames.push(Frame {
            ways: Ways::Open(Arc::from([way])),
            at: 0,
            own: 0,
            inner: n_roots as u32,
            n_registers: n_roots as u32,
            parent: NONE,
            next: (NONE, 0),
            assembles: false,
            moved: 0,
            is_key: false,
        });
        cursor
    }

    /// The values at the root's places.
    pub fn values(&self) -> &[Value] {
        &self.registers[..self.n_roots]
    }

    /// Goes to the next solution; `false` if there is none.
    pub fn advance(&mut self, states: &mut States) -> bool {
        if std::mem::take(&mut self.stays) {
            return true;
        }
        let changed = if self.started {
            match self.change() {
                Some(changed) => changed,
                None => return false,
            }
        } else {
            self.started = true;
            self.enter(0);
            0
        };
        let Some(changed) = self.open(changed, states) else { return false };
        self.assemble(changed);
        true
    }

    /// Goes to the solution that a path leads to: the index of the way or value at each choice, in order.
    pub fn follow(&mut self, path: &[u32], states: &mut States) -> bool {
        self.frames.truncate(1);
        self.started = true;
        self.enter(0);
        let mut path = path.iter();
        let mut next = self.pending(0);
        while let Some((parent, part)) = next {
            if !self.push(parent, part, states) {
                return false;
            }
            let last = self.frames.len() - 1;
            let at = path.next().copied().unwrap_or(0);
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
        self.assemble(0);
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

    /// Changes the topmost choice that can be changed, and tells which frame it is.
    fn change(&mut self) -> Option<usize> {
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
                return Some(last);
            }
            self.frames.pop();
        }
        None
    }

    /// Opens all that comes behind the last frame; where that leads nowhere, goes on from an earlier choice. Gives the
    /// first frame that changed.
    fn open(&mut self, mut changed: usize, states: &mut States) -> Option<usize> {
        let mut next = self.pending(self.frames.len() - 1);
        while let Some((parent, part)) = next {
            let last = if self.push(parent, part, states) {
                let last = self.frames.len() - 1;
                self.enter(last);
                last
            } else {
                let last = self.change()?;
                changed = changed.min(last);
                last
            };
            next = self.pending(last);
        }
        Some(changed)
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
        let state = state.clone();
        let ways = match &state.form {
            StateForm::Leaf(values) => Ways::Leaf(values.clone()),
            StateForm::Open(_) => Ways::Open(states.ways(&state)),
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
            n_registers: self.registers.len() as u32,
            parent,
            next: (parent, part + 1),
            assembles: false,
            moved,
            is_key,
        });
        true
    }

    fn n_inner(&self, frame: &Frame) -> u32 {
        match &frame.ways {
            Ways::Leaf(_) => 0,
            Ways::Open(ways) => {
                ways[frame.at as usize].parts.last().map_or(0, |part| part.offset + part.state.n_places())
            }
        }
    }

    /// Writes what a frame fixes, and gives registers to its parts.
    fn enter(&mut self, index: usize) {
        let frame = &mut self.frames[index];
        self.registers.truncate(frame.n_registers as usize);
        self.targets.truncate(frame.inner as usize);
        let (own, by) = (frame.own as usize, frame.moved);
        let way = match &frame.ways {
            Ways::Leaf(values) => {
                let register = self.targets[own] as usize;
                if frame.is_key {
                    self.registers[register] = moved(&values[frame.at as usize], frame.moved);
                } else {
                    self.registers[register].clone_from(&values[frame.at as usize]);
                }
                return;
            }
            Ways::Open(ways) => ways[frame.at as usize].clone(),
        };
        let inner = frame.inner as usize;
        let n_inner = way.parts.last().map_or(0, |part| part.offset + part.state.n_places());
        self.targets.resize(inner + n_inner as usize, NONE);
        let mut assembles = false;
        for (place, build) in way.builds.iter().enumerate() {
            let register = self.targets[own + place];
            match build {
                Build::Const(value) => self.registers[register as usize].clone_from(value),
                Build::Key(value) => self.registers[register as usize] = moved(value, by),
                Build::At(part) => self.targets[inner + *part as usize] = register,
                _ => {
                    assembles = true;
                    self.allot(build, inner);
                }
            }
        }
        self.frames[index].assembles = assembles;
    }

    /// Gives registers to the parts of a value that is put together.
    fn allot(&mut self, build: &Build, inner: usize) {
        match build {
            Build::Const(_) | Build::Key(_) => {}
            Build::At(part) => {
                self.targets[inner + *part as usize] = self.registers.len() as u32;
                self.registers.push(Value::Bool(false));
            }
            Build::Data(_, parts) | Build::Seq(parts) | Build::Tuple(parts) | Build::Str(parts) => {
                parts.iter().for_each(|part| self.allot(part, inner));
            }
        }
    }

    /// Puts together what the frames from the first changed one on, and those around it, put together.
    fn assemble(&mut self, changed: usize) {
        for index in (changed..self.frames.len()).rev() {
            self.assemble_frame(index);
        }
        let mut at = self.frames[changed].parent;
        while at != NONE {
            self.assemble_frame(at as usize);
            at = self.frames[at as usize].parent;
        }
    }

    fn assemble_frame(&mut self, index: usize) {
        let frame = &self.frames[index];
        if !frame.assembles {
            return;
        }
        let Ways::Open(ways) = &frame.ways else { return };
        let (own, inner, by) = (frame.own as usize, frame.inner as usize, frame.moved);
        for (place, build) in ways[frame.at as usize].builds.iter().enumerate() {
            if !matches!(build, Build::Const(_) | Build::Key(_) | Build::At(_)) {
                let register = self.targets[own + place] as usize;
                let mut value = std::mem::replace(&mut self.registers[register], Value::Bool(false));
                if !rewritten(&mut value, build, by, &self.targets[inner..], &self.registers) {
                    value = value_of(build, by, &self.targets[inner..], &self.registers);
                }
                self.registers[register] = value;
            }
        }
    }
}

/// Writes the parts of a value into the value before, if that is of the same form and nobody else holds it.
fn rewritten(value: &mut Value, build: &Build, by: i64, targets: &[u32], registers: &[Value]) -> bool {
    let (old, parts) = match (value, build) {
        (Value::Data(old, held), Build::Data(ctor, parts)) if old == ctor => (held, parts),
        (Value::Seq(held), Build::Seq(parts)) | (Value::Tuple(held), Build::Tuple(parts)) => (held, parts),
        _ => return false,
    };
    let Some(old) = Arc::get_mut(old).filter(|old| old.len() == parts.len()) else { return false };
    for (old, part) in old.iter_mut().zip(parts) {
        match part {
            Build::At(at) => match (&registers[targets[*at as usize] as usize], &mut *old) {
                (Value::Int(Int::Small(new)), Value::Int(Int::Small(old))) => *old = *new,
                (new, old) => old.clone_from(new),
            },
            Build::Const(new) => old.clone_from(new),
            Build::Key(new) => *old = moved(new, by),
            part => *old = value_of(part, by, targets, registers),
        }
    }
    true
}

fn value_of(build: &Build, by: i64, targets: &[u32], registers: &[Value]) -> Value {
    let all = |parts: &[Build]| parts.iter().map(|part| value_of(part, by, targets, registers)).collect();
    match build {
        Build::Const(value) => value.clone(),
        Build::Key(value) => moved(value, by),
        Build::At(part) => registers[targets[*part as usize] as usize].clone(),
        Build::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Build::Seq(parts) => Value::Seq(all(parts)),
        Build::Tuple(parts) => Value::Tuple(all(parts)),
        Build::Str(parts) => {
            let chars = parts.iter().filter_map(|part| match value_of(part, by, targets, registers) {
                Value::Char(c) => Some(c),
                _ => None,
            });
            Value::Str(chars.collect::<String>().into())
        }
    }
}

/// An integer, moved.
fn moved(value: &Value, by: i64) -> Value {
    match value {
        Value::Int(Int::Small(n)) => Value::Int(Int::Small(n + by)),
        Value::Int(n) => Value::Int(n + &Int::from(by)),
        value => value.clone(),
    }
}
