//! Decodes bytes to values, as `Arbitrary::arbitrary` does, for types that need not implement it.
//!
//! Any bytes decode to some value, except for a type that nests without end. After the last byte, zeros follow.

use super::{is_bytes, is_of_std, is_struct};
use crate::child::serve::convert::from_f32;
use crate::logic::collection::collected;
use crate::logic::int::Int;
use crate::logic::ir::{Collection, DataId, FloatKind, IntKind, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;

/// Maximum nesting of values.
const MAX_NESTING: u32 = 1024;

/// The value of a type that bytes stand for in [`super::Mode::Plain`], if there is one.
///
/// ```
/// use target_strategies::fuzzing::arbitrary::decode;
/// use target_strategies::logic::ir::{IntKind, Refined, Sort, Spec};
/// use target_strategies::logic::value::Value;
///
/// let short = Refined::plain(Sort::Int(IntKind::I16));
/// assert_eq!(decode(&[0xFE, 0xFF], &short, &Spec::unrefined("f")), Some(Value::int(-2)));
/// ```
pub fn decode(bytes: &[u8], refined: &Refined, spec: &Spec) -> Option<Value> {
    Decoder { spec, bytes, nesting: 0, entered_empty: Vec::new() }.refined(refined)
}

struct Decoder<'b> {
    spec: &'b Spec,
    bytes: &'b [u8],
    nesting: u32,
    /// The data types being decoded that were entered after the last byte.
    entered_empty: Vec<DataId>,
}

impl Decoder<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.bytes.split_at(N.min(self.bytes.len()));
        self.bytes = rest;
        let mut buffer = [0; N];
        buffer[..taken.len()].copy_from_slice(taken);
        buffer
    }

    fn flag(&mut self) -> bool {
        self.take::<1>()[0] & 1 == 1
    }

    fn refined(&mut self, refined: &Refined) -> Option<Value> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return None;
        }
        let value = match &refined.sort {
            Sort::Bool => Value::Bool(self.flag()),
            Sort::Char => {
                let code = u32::from_le_bytes(self.take()) % 0x11_0000;
                Value::Char(char::from_u32(code).or_else(|| char::from_u32(code - 0xD800))?)
            }
            Sort::Int(kind) => Value::Int(self.int(*kind)),
            Sort::Float(FloatKind::F32) => from_f32(f32::from_le_bytes(self.take())),
            Sort::Float(FloatKind::F64) => Value::Float(f64::from_le_bytes(self.take())),
            Sort::Str(_) => Value::str(&self.text()),
            Sort::Seq(_, SeqKind::Slice) if is_bytes(refined) => {
                let length = self.length();
                Value::Seq(self.split(length).iter().map(|byte| Value::int(*byte)).collect())
            }
            Sort::Seq(element, SeqKind::Array(length)) => {
                Value::Seq((0..*length).map(|_| self.refined(element)).collect::<Option<_>>()?)
            }
            Sort::Seq(element, _) => Value::Seq(self.list(|decoder| decoder.refined(element))?.into()),
            Sort::Set(element, _) => {
                collected(Collection::Set, self.list(|decoder| decoder.refined(element))?)
            }
            Sort::Map(key, held, _) => {
                let pair = |decoder: &mut Self| {
                    Some(Value::Tuple([decoder.refined(key)?, decoder.refined(held)?].into()))
                };
                collected(Collection::Map, self.list(pair)?)
            }
            Sort::Tuple(types) => Value::Tuple(self.all(types.iter())?),
            Sort::Data(id) => self.data(*id)?,
            Sort::Opaque(_) => return None,
        };
        self.nesting -= 1;
        Some(value)
    }

    fn int(&mut self, kind: IntKind) -> Int {
        match kind {
            IntKind::I8 => i8::from_le_bytes(self.take()).into(),
            IntKind::I16 => i16::from_le_bytes(self.take()).into(),
            IntKind::I32 => i32::from_le_bytes(self.take()).into(),
            IntKind::I64 | IntKind::Isize => i64::from_le_bytes(self.take()).into(),
            IntKind::I128 => i128::from_le_bytes(self.take()).into(),
            IntKind::U8 => u8::from_le_bytes(self.take()).into(),
            IntKind::U16 => u16::from_le_bytes(self.take()).into(),
            IntKind::U32 => u32::from_le_bytes(self.take()).into(),
            IntKind::U64 | IntKind::Usize => u64::from_le_bytes(self.take()).into(),
            IntKind::U128 => u128::from_le_bytes(self.take()).into(),
        }
    }

    fn all<'r>(&mut self, types: impl Iterator<Item = &'r Refined>) -> Option<std::sync::Arc<[Value]>> {
        types.map(|refined| self.refined(refined)).collect()
    }

    fn list(&mut self, mut element: impl FnMut(&mut Self) -> Option<Value>) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        while self.flag() {
            values.push(element(self)?);
        }
        Some(values)
    }

    fn data(&mut self, id: DataId) -> Option<Value> {
        let data = self.spec.data(id);
        if is_of_std(data) {
            let is_first = self.flag();
            let is_named = |name: &str| matches!(name, "Some" | "Ok") == is_first;
            let index = data.ctors.iter().position(|ctor| is_named(&ctor.rust_path))?;
            return self.ctor(id, index);
        }
        // A type that contains itself, decoded from zeros both times, would never end.
        let is_empty = self.bytes.is_empty();
        if is_empty && self.entered_empty.contains(&id) {
            return None;
        }
        let index = if is_struct(data) {
            0
        } else {
            let tag = u64::from(u32::from_le_bytes(self.take()));
            ((tag * data.ctors.len() as u64) >> 32) as usize
        };
        if !is_empty {
            return self.ctor(id, index);
        }
        self.entered_empty.push(id);
        let value = self.ctor(id, index);
        self.entered_empty.pop();
        value
    }

    fn ctor(&mut self, id: DataId, index: usize) -> Option<Value> {
        let ctor = self.spec.data(id).ctors.get(index)?;
        Some(Value::Data(index as u32, self.all(ctor.fields.iter().map(|field| &field.refined))?))
    }

    fn split(&mut self, length: usize) -> &[u8] {
        let (taken, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    fn text(&mut self) -> String {
        let length = self.length();
        let bytes = &self.bytes[..length.min(self.bytes.len())];
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()).to_owned();
        self.split(valid.len());
        valid
    }

    /// Reads a length from the end.
    fn length(&mut self) -> usize {
        let width = match self.bytes.len() as u64 {
            0 => return 0,
            1..=0x100 => 1,
            0x101..=0x1_0001 => 2,
            0x1_0002..=0x1_0000_0003 => 4,
            _ => 8,
        };
        let left = self.bytes.len() - width;
        let (rest, written) = self.bytes.split_at(left);
        self.bytes = rest;
        let used = written.iter().enumerate().take_while(|(byte, _)| left as u64 >> (8 * byte) > 0);
        let length = used.fold(0, |length, (_, byte)| (length << 8) | u64::from(*byte));
        (length % (left as u64).saturating_add(1)) as usize
    }
}
