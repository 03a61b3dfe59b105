//! The bytes of a [`Value`], in the order of a depth-first walk: what it is, then how many parts, then these.
//!
//! What a subject returns may be nested thousands of times, so that neither direction recurses.

use super::{Reader, Wire, WireError};
use crate::value::Value;

/// The deepest nesting that crosses. What walks values elsewhere does recurse.
const MAX_NESTING: usize = 4096;

/// Whether a value is nested so little that it can be read back.
///
/// ```
/// use target_strategies::{value::Value, wire};
///
/// let deep = (0..5000).fold(Value::unit(), |inner, _| Value::seq([inner]));
/// assert!(wire::crosses(&Value::unit()) && !wire::crosses(&deep));
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
        _ => &[],
    }
}

impl Wire for Value {
    fn write(&self, out: &mut Vec<u8>) {
        write_head(self, out);
        let mut pending = vec![parts(self).iter()];
        while let Some(siblings) = pending.last_mut() {
            match siblings.next() {
                Some(value) => {
                    write_head(value, out);
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

    fn read(input: &mut Reader) -> Result<Value, WireError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match read_head(input)? {
                Head::Whole(value) => value,
                Head::Parts(head) if head.missing > 0 => {
                    if open.len() == MAX_NESTING {
                        return Err(WireError("it is nested too deeply"));
                    }
                    open.push(head);
                    continue;
                }
                Head::Parts(head) => head.close(),
            };
            // A value may complete the one around it, and so on.
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

/// All of a value but its parts.
fn write_head(value: &Value, out: &mut Vec<u8>) {
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

enum Head {
    Whole(Value),
    Parts(Open),
}

/// A value of which parts are missing.
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

fn read_head(input: &mut Reader) -> Result<Head, WireError> {
    let kind = match u8::read(input)? {
        0 => return Ok(Head::Whole(Value::Bool(false))),
        1 => return Ok(Head::Whole(Value::Bool(true))),
        2 => return Wire::read(input).map(Value::Int).map(Head::Whole),
        3 => return Wire::read(input).map(Value::Char).map(Head::Whole),
        4 => return Wire::read(input).map(Value::Float).map(Head::Whole),
        5 => return Wire::read(input).map(Value::Str).map(Head::Whole),
        6 => Kind::Seq,
        7 => Kind::Tuple,
        8 => Kind::Data(Wire::read(input)?),
        _ => return Err(WireError("there is no such value")),
    };
    // The parts are not made room for: a hostile length costs nothing.
    Ok(Head::Parts(Open { kind, parts: Vec::new(), missing: input.length()? }))
}
