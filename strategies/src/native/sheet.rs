//! Values put together as ways say: those that a cursor goes through, written in place; and single ones ([`assembled`]).
//!
//! A value that is put together has a shape, with spots for what is still open; who knows that writes there. What doesn't
//! change is not touched, and what was allocated for one solution serves the next. Whoever keeps a value shares it: then
//! the next write makes a copy first.

use std::ops::Range;
use std::sync::Arc;

use super::work::Build;
use crate::int::Int;
use crate::value::Value;

/// The values at some places.
pub struct Sheet {
    values: Vec<Value>,
    /// Where the spots are; those of the values as a whole first.
    spots: Vec<At>,
    /// The strings that are put together of characters.
    texts: Vec<Text>,
    /// The characters of these strings, laid end to end.
    chars: Vec<Value>,
}

/// Where a value stands.
pub type Spot = u32;

/// No spot.
pub const NOWHERE: Spot = Spot::MAX;

/// How many spots, strings and characters there are.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    spots: u32,
    texts: u32,
    chars: u32,
}

#[derive(Clone, Copy)]
enum At {
    /// The value as a whole.
    Root(u32),
    /// Inside the value at another spot, as its part of this index.
    In(Spot, u32),
    /// In a string, as the character of this index in all of them.
    Char { text: u32, index: u32 },
}

/// A string that is put together.
struct Text {
    spot: Spot,
    /// Where its characters begin.
    first: u32,
    len: u32,
    is_stale: bool,
}

/// What stands where nothing was written yet.
const HOLE: Value = Value::Bool(false);

/// So many steps down to a spot are taken at once.
const STEPS: usize = 16;

impl Sheet {
    /// So many values, not written yet.
    pub fn new(n: u32) -> Sheet {
        let (values, spots) = (vec![HOLE; n as usize], (0..n).map(At::Root).collect());
        Sheet { values, spots, texts: Vec::new(), chars: Vec::new() }
    }

    /// The spots of the values as a whole.
    pub fn roots(&self) -> Range<Spot> {
        0..self.values.len() as u32
    }

    /// The values.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// What there is, to come back to.
    pub fn mark(&self) -> Mark {
        let [spots, texts, chars] =
            [self.spots.len(), self.texts.len(), self.chars.len()].map(|len| len as u32);
        Mark { spots, texts, chars }
    }

    /// Forgets the spots since then.
    pub fn reset(&mut self, mark: Mark) {
        self.spots.truncate(mark.spots as usize);
        self.texts.truncate(mark.texts as usize);
        self.chars.truncate(mark.chars as usize);
    }

    /// Writes a value; an integer, moved.
    pub fn write(&mut self, spot: Spot, value: &Value, by: i64) {
        let slot = self.slot(spot);
        match (&mut *slot, value) {
            (Value::Int(Int::Small(slot)), Value::Int(Int::Small(n))) => *slot = n + by,
            _ if by == 0 => slot.clone_from(value),
            _ => *slot = moved(value, by),
        }
    }

    /// Writes what a build knows, keys moved, and notes the spots of what it leaves open.
    pub fn place(&mut self, build: &Build, spot: Spot, by: i64, open: &mut [Spot]) {
        match build {
            Build::At(part) => open[*part as usize] = spot,
            Build::Const(value) => self.write(spot, value, 0),
            Build::Key(value) => self.write(spot, value, by),
            build => {
                shape(self.slot(spot), build, by);
                self.allot(build, spot, by, open);
            }
        }
    }

    /// Puts those strings together of which a character changed.
    pub fn finish(&mut self) {
        for text in 0..self.texts.len() {
            let Text { spot, first, len, is_stale } = &mut self.texts[text];
            if std::mem::take(is_stale) {
                let (spot, chars) = (*spot, *first as usize..(*first + *len) as usize);
                let text = joined(self.chars[chars].iter());
                *self.slot(spot) = Value::Str(text);
            }
        }
    }

    /// Makes spots for the open parts of a value that has its shape.
    fn allot(&mut self, build: &Build, spot: Spot, by: i64, open: &mut [Spot]) {
        match build {
            Build::Const(_) | Build::Key(_) => {}
            Build::At(part) => open[*part as usize] = spot,
            Build::Data(_, parts) | Build::Seq(parts) | Build::Tuple(parts) => {
                for (index, part) in (0..).zip(parts) {
                    if !matches!(part, Build::Const(_) | Build::Key(_)) {
                        self.spots.push(At::In(spot, index));
                        self.allot(part, self.spots.len() as u32 - 1, by, open);
                    }
                }
            }
            Build::Str(parts) => {
                let (text, first) = (self.texts.len() as u32, self.chars.len() as u32);
                self.texts.push(Text { spot, first, len: parts.len() as u32, is_stale: true });
                self.chars.extend(parts.iter().map(|part| shaped(part, by)));
                for (index, part) in (first..).zip(parts) {
                    if let Build::At(part) = part {
                        open[*part as usize] = self.spots.len() as u32;
                        self.spots.push(At::Char { text, index });
                    }
                }
            }
        }
    }

    /// The value at a spot, to be written.
    fn slot(&mut self, spot: Spot) -> &mut Value {
        let (mut path, mut steps, mut at) = ([0; STEPS], 0, spot);
        let mut value = loop {
            match self.spots[at as usize] {
                At::Root(index) => break &mut self.values[index as usize],
                At::Char { text, index } => {
                    self.texts[text as usize].is_stale = true;
                    break &mut self.chars[index as usize];
                }
                At::In(_, _) if steps == STEPS => break self.slot(at),
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
                unreachable!("a spot is inside a value that has its shape");
            }
        }
        value
    }
}

/// Gives a value the shape of a build, with what is known of it; its open parts may hold anything.
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

/// A new value of the shape of a build.
fn shaped(build: &Build, by: i64) -> Value {
    let all = |parts: &[Build]| parts.iter().map(|part| shaped(part, by)).collect();
    match build {
        Build::Const(value) => value.clone(),
        Build::Key(value) => moved(value, by),
        Build::At(_) | Build::Str(_) => HOLE,
        Build::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Build::Seq(parts) => Value::Seq(all(parts)),
        Build::Tuple(parts) => Value::Tuple(all(parts)),
    }
}

/// The value of a build whose open parts are at hand; they are taken.
pub fn assembled(build: &Build, open: &mut [Value], by: i64) -> Value {
    let mut all = |parts: &[Build]| parts.iter().map(|part| assembled(part, open, by)).collect();
    match build {
        Build::Const(value) => value.clone(),
        Build::Key(value) => moved(value, by),
        Build::At(part) => std::mem::replace(&mut open[*part as usize], HOLE),
        Build::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Build::Seq(parts) => Value::Seq(all(parts)),
        Build::Tuple(parts) => Value::Tuple(all(parts)),
        Build::Str(parts) => {
            let chars: Arc<[Value]> = all(parts);
            Value::Str(joined(chars.iter()))
        }
    }
}

/// The string of these characters.
fn joined<'a>(chars: impl Iterator<Item = &'a Value>) -> Arc<str> {
    let text = chars.filter_map(|value| match value {
        Value::Char(c) => Some(*c),
        _ => None,
    });
    text.collect::<String>().into()
}

/// An integer, moved.
pub fn moved(value: &Value, by: i64) -> Value {
    match value {
        Value::Int(Int::Small(n)) => Value::Int(Int::Small(n + by)),
        Value::Int(n) => Value::Int(n + &Int::from(by)),
        value => value.clone(),
    }
}
