//! Encodes a [`Value`] in the order of a depth-first walk: its kind, then the number of its parts, then the parts.
//!
//! A subject's result may be nested thousands of times, so neither direction recurses.

use super::reader::{Codec, DecodeError, Reader};
use crate::logic::value::Value;

/// Maximum nesting that is encoded. Other code recurses over values.
const MAX_NESTING: usize = 4096;

/// Whether a value's nesting is small enough to be decoded.
///
/// ```
/// use target_strategies::logic::codec;
/// use target_strategies::logic::value::Value;
///
/// let deep = (0..5000).fold(Value::unit(), |inner, _| Value::seq([inner]));
/// assert!(codec::crosses(&Value::unit()) && !codec::crosses(&deep));
/// ```
pub fn crosses(value: &Value) -> bool {
    let mut level = vec![value];
    for _ in 0..MAX_NESTING {
        if level.is_empty() {
            return true;
        }
        level = level.into_iter().flat_map(parts).collect();
    }
    level.is_empty()
}

fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => parts,
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => &[],
    }
}

impl Codec for Value {
    fn write(&self, out: &mut Vec<u8>) {
        write_start(self, out);
        let mut pending = vec![parts(self).iter()];
        while let Some(siblings) = pending.last_mut() {
            match siblings.next() {
                Some(value) => {
                    write_start(value, out);
                    let parts = parts(value);
                    if !parts.is_empty() {
                        pending.push(parts.iter());
                    }
                }
                None => {
                    pending.pop();
                }
            }
        }
    }

    fn read(input: &mut Reader) -> Result<Value, DecodeError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match read_start(input)? {
                Start::Whole(value) => value,
                Start::Parts(start) if start.missing > 0 => {
                    if open.len() == MAX_NESTING {
                        return Err(DecodeError("it is nested too deeply"));
                    }
                    open.push(start);
                    continue;
                }
                Start::Parts(start) => start.close(),
            };
            // A value may complete the one that contains it, and so on.
            loop {
                let Some(around) = open.last_mut() else { return Ok(value) };
                around.parts.push(value);
                around.missing -= 1;
                if around.missing > 0 {
                    break;
                }
                match open.pop() {
                    Some(complete) => value = complete.close(),
                    None => break,
                }
            }
        }
    }
}

/// Writes a value without its parts.
fn write_start(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Bool(b) => out.push(u8::from(*b)),
        Value::Int(n) => {
            out.push(2);
            n.write(out);
        }
        Value::Char(c) => {
            out.push(3);
            c.write(out);
        }
        Value::Float(x) => {
            out.push(4);
            x.write(out);
        }
        Value::Str(text) => {
            out.push(5);
            text.write(out);
        }
        Value::Seq(parts) => {
            out.push(6);
            (parts.len() as u64).write(out);
        }
        Value::Tuple(parts) => {
            out.push(7);
            (parts.len() as u64).write(out);
        }
        Value::Data(ctor, fields) => {
            out.push(8);
            ctor.write(out);
            (fields.len() as u64).write(out);
        }
    }
}

enum Start {
    Whole(Value),
    Parts(Open),
}

/// A value that still lacks parts.
struct Open {
    kind: Kind,
    parts: Vec<Value>,
    missing: usize,
}

enum Kind {
    Seq,
    Tuple,
    Data(u32),
}

impl Open {
    fn close(self) -> Value {
        match self.kind {
            Kind::Seq => Value::Seq(self.parts.into()),
            Kind::Tuple => Value::Tuple(self.parts.into()),
            Kind::Data(ctor) => Value::Data(ctor, self.parts.into()),
        }
    }
}

fn read_start(input: &mut Reader) -> Result<Start, DecodeError> {
    let kind = match u8::read(input)? {
        0 => return Ok(Start::Whole(Value::Bool(false))),
        1 => return Ok(Start::Whole(Value::Bool(true))),
        2 => return Codec::read(input).map(Value::Int).map(Start::Whole),
        3 => return Codec::read(input).map(Value::Char).map(Start::Whole),
        4 => return Codec::read(input).map(Value::Float).map(Start::Whole),
        5 => return Codec::read(input).map(Value::Str).map(Start::Whole),
        6 => Kind::Seq,
        7 => Kind::Tuple,
        8 => Kind::Data(Codec::read(input)?),
        _ => return Err(DecodeError("there is no such value")),
    };
    // The parts are not preallocated, so a hostile length costs nothing.
    Ok(Start::Parts(Open { kind, parts: Vec::new(), missing: input.length()? }))
}
