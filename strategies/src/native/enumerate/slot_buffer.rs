//! Builds values as branches say: the values that a cursor walks over, written in place, and single values
//! ([`assembled`]).
//!
//! A value under construction has a shape, with slots for its open parts. A frame that knows a part writes it to the
//! slot. Unchanged parts are not written again, and allocations are reused. A caller that keeps a value shares it;
//! the next write then copies it first.

use std::ops::Range;
use std::sync::Arc;

use crate::logic::int::Int;
use crate::logic::value::Value;
use crate::native::propagate::build::Build;

/// The values at some holes.
pub struct SlotBuffer {
    values: Vec<Value>,
    /// The positions of the slots. Slots of whole values come first.
    slots: Vec<At>,
    /// The strings that are built from characters.
    texts: Vec<Text>,
    /// The characters of these strings, one string after the other.
    chars: Vec<Value>,
}

/// Index of a position that can be written.
pub type Slot = u32;

/// No slot.
pub const NO_SLOT: Slot = Slot::MAX;

/// Numbers of slots, strings and characters, to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    slots: u32,
    texts: u32,
    chars: u32,
}

#[derive(Clone, Copy)]
enum At {
    /// The whole value.
    Root(u32),
    /// The part with this index, inside the value at another slot.
    In(Slot, u32),
    /// A character of a string, by its index among the characters of all strings.
    Char { text: u32, index: u32 },
}

/// A string that is built from characters.
struct Text {
    slot: Slot,
    /// Index of its first character.
    first: u32,
    len: u32,
    is_stale: bool,
}

/// The value of a slot that is not written yet.
const UNWRITTEN: Value = Value::Bool(false);

/// Number of steps to a slot resolved without recursion. Deeper slots recurse.
const STEPS: usize = 16;

impl SlotBuffer {
    /// A buffer of `n` values, not written yet.
    pub fn new(n: u32) -> SlotBuffer {
        let (values, slots) = (vec![UNWRITTEN; n as usize], (0..n).map(At::Root).collect());
        SlotBuffer { values, slots, texts: Vec::new(), chars: Vec::new() }
    }

    /// The slots of the whole values.
    pub fn roots(&self) -> Range<Slot> {
        0..self.values.len() as u32
    }

    /// The values.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The current extent, for a later [`SlotBuffer::reset`].
    pub fn mark(&self) -> Mark {
        let [slots, texts, chars] =
            [self.slots.len(), self.texts.len(), self.chars.len()].map(|len| len as u32);
        Mark { slots, texts, chars }
    }

    /// Forgets the slots added since a mark.
    pub fn reset(&mut self, mark: Mark) {
        self.slots.truncate(mark.slots as usize);
        self.texts.truncate(mark.texts as usize);
        self.chars.truncate(mark.chars as usize);
    }

    /// Writes a value. The offset `by` is added to an integer.
    pub fn write(&mut self, slot: Slot, value: &Value, by: i64) {
        let held = self.value_at(slot);
        match (&mut *held, value) {
            (Value::Int(Int::Small(held)), Value::Int(Int::Small(n))) => *held = n + by,
            _ if by == 0 => held.clone_from(value),
            _ => *held = with_offset(value, by),
        }
    }

    /// Writes the known parts of a build, with the offset `by` added to keys, and records the slots of its open
    /// parts.
    pub fn fill(&mut self, build: &Build, slot: Slot, by: i64, open: &mut [Slot]) {
        match build {
            Build::At(part) => open[*part as usize] = slot,
            Build::Const(value) => self.write(slot, value, 0),
            Build::Key(value) => self.write(slot, value, by),
            Build::Data(..) | Build::Seq(_) | Build::Tuple(_) | Build::Str(_) => {
                shape(self.value_at(slot), build, by);
                self.allot(build, slot, by, open);
            }
        }
    }

    /// Rebuilds the strings in which a character changed.
    pub fn finish(&mut self) {
        for text in 0..self.texts.len() {
            let Text { slot, first, len, is_stale } = &mut self.texts[text];
            if std::mem::take(is_stale) {
                let (slot, chars) = (*slot, *first as usize..(*first + *len) as usize);
                let text = joined(self.chars[chars].iter());
                *self.value_at(slot) = Value::Str(text);
            }
        }
    }

    /// Adds slots for the open parts of a value that has its shape already.
    fn allot(&mut self, build: &Build, slot: Slot, by: i64, open: &mut [Slot]) {
        match build {
            Build::Const(_) | Build::Key(_) => {}
            Build::At(part) => open[*part as usize] = slot,
            Build::Data(_, parts) | Build::Seq(parts) | Build::Tuple(parts) => {
                for (index, part) in (0..).zip(parts) {
                    if !matches!(part, Build::Const(_) | Build::Key(_)) {
                        self.slots.push(At::In(slot, index));
                        self.allot(part, self.slots.len() as u32 - 1, by, open);
                    }
                }
            }
            Build::Str(parts) => {
                let (text, first) = (self.texts.len() as u32, self.chars.len() as u32);
                self.texts.push(Text { slot, first, len: parts.len() as u32, is_stale: true });
                self.chars.extend(parts.iter().map(|part| shaped(part, by)));
                for (index, part) in (first..).zip(parts) {
                    if let Build::At(part) = part {
                        open[*part as usize] = self.slots.len() as u32;
                        self.slots.push(At::Char { text, index });
                    }
                }
            }
        }
    }

    /// The value at a slot, for writing.
    fn value_at(&mut self, slot: Slot) -> &mut Value {
        let (mut path, mut steps, mut at) = ([0; STEPS], 0, slot);
        let mut value = loop {
            match self.slots[at as usize] {
                At::Root(index) => break &mut self.values[index as usize],
                At::Char { text, index } => {
                    self.texts[text as usize].is_stale = true;
                    break &mut self.chars[index as usize];
                }
                At::In(_, _) if steps == STEPS => break self.value_at(at),
                At::In(around, index) => {
                    path[steps] = index;
                    steps += 1;
                    at = around;
                }
            }
        };
        for index in path[..steps].iter().rev() {
            if let Value::Data(_, parts) | Value::Seq(parts) | Value::Tuple(parts) = value {
                value = &mut Arc::make_mut(parts)[*index as usize];
            } else {
                unreachable!("a slot is inside a value that has its shape");
            }
        }
        value
    }
}

/// Gives a value the shape and the known parts of a build. Its open parts keep any value.
fn shape(value: &mut Value, build: &Build, by: i64) {
    let (held, parts) = match (&mut *value, build) {
        (Value::Data(old, held), Build::Data(ctor, parts)) => {
            *old = *ctor;
            (held, parts)
        }
        (Value::Seq(held), Build::Seq(parts)) | (Value::Tuple(held), Build::Tuple(parts)) => (held, parts),
        (_, Build::Const(known)) => return value.clone_from(known),
        _ => return *value = shaped(build, by),
    };
    match Arc::get_mut(held).filter(|held| held.len() == parts.len()) {
        Some(held) => held.iter_mut().zip(parts).for_each(|(held, part)| {
            if !matches!(part, Build::At(_) | Build::Str(_)) {
                shape(held, part, by);
            }
        }),
        None => *held = parts.iter().map(|part| shaped(part, by)).collect(),
    }
}

/// A new value with the shape of a build.
fn shaped(build: &Build, by: i64) -> Value {
    let all = |parts: &[Build]| parts.iter().map(|part| shaped(part, by)).collect();
    match build {
        Build::Const(value) => value.clone(),
        Build::Key(value) => with_offset(value, by),
        Build::At(_) | Build::Str(_) => UNWRITTEN,
        Build::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Build::Seq(parts) => Value::Seq(all(parts)),
        Build::Tuple(parts) => Value::Tuple(all(parts)),
    }
}

/// The value of a build, given the values of its open parts, which are taken.
pub fn assembled(build: &Build, open: &mut [Value], by: i64) -> Value {
    let mut all = |parts: &[Build]| parts.iter().map(|part| assembled(part, open, by)).collect();
    match build {
        Build::Const(value) => value.clone(),
        Build::Key(value) => with_offset(value, by),
        Build::At(part) => std::mem::replace(&mut open[*part as usize], UNWRITTEN),
        Build::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Build::Seq(parts) => Value::Seq(all(parts)),
        Build::Tuple(parts) => Value::Tuple(all(parts)),
        Build::Str(parts) => {
            let chars: Arc<[Value]> = all(parts);
            Value::Str(joined(chars.iter()))
        }
    }
}

/// The string with these characters.
fn joined<'a>(chars: impl Iterator<Item = &'a Value>) -> Arc<str> {
    let text = chars.filter_map(|value| if let Value::Char(c) = value { Some(*c) } else { None });
    text.collect::<String>().into()
}

/// A value. If it is an integer, the offset `by` is added.
pub fn with_offset(value: &Value, by: i64) -> Value {
    match value {
        Value::Int(Int::Small(n)) => Value::Int(Int::Small(n + by)),
        Value::Int(n) => Value::Int(n + &Int::from(by)),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Tuple(_)
        | Value::Data(..) => value.clone(),
    }
}
