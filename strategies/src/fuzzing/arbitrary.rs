//! Encodes values as the bytes from which the crate `arbitrary`, version 1, decodes them.
//!
//! The seeds of a fuzzer are bytes. Their meaning depends on the shape of the type (a `Vec` has a byte before each
//! element, a `String` has its length at the *end* of the input, an enum's tag is spread over 32 bits), and on the
//! method by which the fuzzer decodes: see [`Mode`]. The format is that of derived implementations and of those for
//! the standard library. Formats of hand-written implementations are unknown.
//!
//! `(7u8, "hi", [true])` is `07 68 69 01 01 00`, and `02` at the end: two of the six bytes before it belong to the
//! text.

mod decode;

pub use decode::decode;

use crate::child::serve::convert::{as_bool, as_char, as_f32, as_f64, as_str, elements, fields, parts};
use crate::logic::int::Int;
use crate::logic::ir::{Data, FloatKind, IntKind, Pointer, Refined, SeqKind, SetKind, Sort, Spec, StrKind};
use crate::logic::value::Value;

/// The method by which a fuzzer decodes its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `Arbitrary::arbitrary`: used by afl, honggfuzz, bolero.
    Plain,
    /// `Arbitrary::arbitrary_take_rest`, in which the last field takes all remaining bytes: used by libfuzzer-sys.
    TakeRest,
}

/// A type whose format is unknown, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl std::fmt::Display for Unsupported {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

/// The bytes that decode to a value of a type.
///
/// ```
/// use target_strategies::fuzzing::arbitrary::{Mode, encode};
/// use target_strategies::logic::ir::{Refined, Sort, Spec, StrKind};
/// use target_strategies::logic::value::Value;
///
/// let string = Refined::plain(Sort::Str(StrKind::String));
/// let spec = Spec::unrefined("greet");
/// let bytes = |mode| encode(&Value::str("hi"), &string, &spec, mode);
/// assert_eq!(bytes(Mode::Plain), Ok(vec![b'h', b'i', 2]));
/// assert_eq!(bytes(Mode::TakeRest), Ok(vec![b'h', b'i']));
/// ```
pub fn encode(value: &Value, refined: &Refined, spec: &Spec, mode: Mode) -> Result<Vec<u8>, Unsupported> {
    let mut encoder = Encoder { spec, front: Vec::new(), lengths: Vec::new() };
    encoder.refined(value, refined, mode == Mode::TakeRest)?;
    Ok(encoder.finish())
}

/// Whether a type is one of the standard library's that the tool treats as data.
fn is_of_std(data: &Data) -> bool {
    data.rust_type.starts_with("Option<") || data.rust_type.starts_with("Result<")
}

/// Whether a type is a struct, which has no tag.
fn is_struct(data: &Data) -> bool {
    let name = |path: &str| path.split('<').next().map(|name| name.trim_end_matches("::").to_owned());
    matches!(data.ctors.as_slice(), [ctor] if name(&ctor.rust_path) == name(&data.rust_type))
}

/// Whether a type is `&[u8]`, whose format differs from that of other slices.
fn is_bytes(refined: &Refined) -> bool {
    let is_byte = |element: &Refined| element.pointers.is_empty() && element.sort == Sort::Int(IntKind::U8);
    refined.pointers.last() == Some(&Pointer::Ref)
        && matches!(&refined.sort, Sort::Seq(element, SeqKind::Slice) if is_byte(element))
}

/// Whether the last field takes all remaining bytes also through the pointers around a type.
fn passes_rest(refined: &Refined) -> bool {
    let is_unsized = refined.sort == Sort::Str(StrKind::Str) || is_bytes(refined);
    refined.pointers.is_empty() || is_unsized && refined.pointers == [Pointer::Ref]
}

/// The smallest tag of 32 bits for a variant: the decoder multiplies it by the number of variants and shifts.
fn tag(index: u64, count: u64) -> u32 {
    (index << 32).div_ceil(count.max(1)) as u32
}

struct Encoder<'s> {
    spec: &'s Spec,
    /// The bytes that are decoded from the front.
    front: Vec<u8>,
    /// The lengths that are decoded from the end: the length of each text, and the number of front bytes before it.
    lengths: Vec<(usize, usize)>,
}

impl Encoder<'_> {
    fn refined(&mut self, value: &Value, refined: &Refined, rest: bool) -> Result<(), Unsupported> {
        let rest = rest && passes_rest(refined);
        match &refined.sort {
            Sort::Bool => self.front.push(as_bool(value).into()),
            Sort::Char => self.front.extend(u32::from(as_char(value)).to_le_bytes()),
            Sort::Int(kind) => self.int(value, *kind),
            Sort::Float(FloatKind::F32) => self.front.extend(as_f32(value).to_le_bytes()),
            Sort::Float(FloatKind::F64) => self.front.extend(as_f64(value).to_le_bytes()),
            Sort::Str(_) => self.text(as_str(value).as_bytes(), rest),
            Sort::Seq(_, SeqKind::Slice) if is_bytes(refined) => {
                let byte = |value: &Value| {
                    if let Value::Int(n) = value { n.to_u64().unwrap_or(0) as u8 } else { 0 }
                };
                let bytes: Vec<u8> = elements(value).iter().map(byte).collect();
                self.text(&bytes, rest);
            }
            Sort::Seq(element, SeqKind::Array(_)) => self.array(elements(value), element, rest)?,
            Sort::Seq(element, _) => {
                self.list(value, |encoder, part| encoder.refined(part, element, false))?
            }
            Sort::Set(_, SetKind::Bag) => return Err(Unsupported("a bag is no Rust type".to_owned())),
            Sort::Set(element, _) => {
                self.list(value, |encoder, part| encoder.refined(part, element, false))?
            }
            Sort::Map(key, held, _) => self.list(value, |encoder, pair| {
                encoder.refined(&parts(pair)[0], key, false)?;
                encoder.refined(&parts(pair)[1], held, false)
            })?,
            Sort::Tuple(types) => self.fields(parts(value), types.iter(), rest)?,
            Sort::Data(id) => self.data(value, self.spec.data(*id), rest)?,
            Sort::Opaque(text) => return Err(Unsupported(format!("`{text}` can't be looked into"))),
        }
        Ok(())
    }

    fn int(&mut self, value: &Value, kind: IntKind) {
        let wide = |n: &Int| n.to_i128().map(|n| n as u128).or_else(|| n.to_u128()).unwrap_or(0);
        let bits = if let Value::Int(n) = value { wide(n) } else { 0 };
        self.front.extend(&bits.to_le_bytes()[..kind.bits() as usize / 8]);
    }

    /// Encodes a text: bytes with their length at the end of the input, or all remaining bytes.
    fn text(&mut self, bytes: &[u8], rest: bool) {
        if !rest {
            self.lengths.push((bytes.len(), self.front.len()));
        }
        self.front.extend(bytes);
    }

    /// Encodes all elements. If the last takes all remaining bytes, it is decoded a second time.
    fn array(&mut self, values: &[Value], element: &Refined, rest: bool) -> Result<(), Unsupported> {
        for value in values {
            self.refined(value, element, false)?;
        }
        match values.last() {
            Some(last) if rest => self.refined(last, element, true),
            _ => Ok(()),
        }
    }

    /// Encodes elements, each after a byte that announces it.
    fn list(
        &mut self,
        value: &Value,
        mut element: impl FnMut(&mut Self, &Value) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        for value in elements(value) {
            self.front.push(1);
            element(self, value)?;
        }
        self.front.push(0);
        Ok(())
    }

    fn fields<'r>(
        &mut self,
        values: &[Value],
        types: impl Iterator<Item = &'r Refined>,
        rest: bool,
    ) -> Result<(), Unsupported> {
        for (index, (value, refined)) in values.iter().zip(types).enumerate() {
            self.refined(value, refined, rest && index + 1 == values.len())?;
        }
        Ok(())
    }

    fn data(&mut self, value: &Value, data: &Data, rest: bool) -> Result<(), Unsupported> {
        if let Some(rule) = &data.rule {
            return Err(Unsupported(format!("`{}` is a rule of a grammar", rule.name)));
        }
        if data.via.is_some() {
            let what = format!("`{}` is built by a function", data.rust_type);
            return Err(Unsupported(format!("{what}, of which its fields can't be told")));
        }
        let (index, values) = fields(value);
        let Some(ctor) = data.ctors.get(index as usize) else {
            return Err(Unsupported(format!("`{}` has no constructor number {index}", data.rust_type)));
        };
        let types = ctor.fields.iter().map(|field| &field.refined);
        if is_of_std(data) {
            self.front.push(matches!(ctor.rust_path.as_str(), "Some" | "Ok").into());
            return self.fields(values, types, false);
        }
        if !is_struct(data) {
            self.front.extend(tag(index.into(), data.ctors.len() as u64).to_le_bytes());
        }
        self.fields(values, types, rest)
    }

    /// The front bytes, then the lengths, first one last. The width of a length depends on the number of bytes left
    /// when it is decoded, and so on the lengths that are decoded after it.
    fn finish(mut self) -> Vec<u8> {
        let n_front = self.front.len();
        for (length, at) in self.lengths.iter().rev() {
            let left = self.front.len() - at;
            self.front.extend(length_bytes(*length, left));
        }
        debug_assert!(self.front.len() >= n_front);
        self.front
    }
}

/// A length if `left` bytes are left besides it: big-endian, in as many bytes as `left` needs.
fn length_bytes(length: usize, left: usize) -> Vec<u8> {
    let width = match left as u64 {
        0 => 0,
        1..=0xFF => 1,
        0x100..=0xFFFF => 2,
        0x1_0000..=0xFFFF_FFFF => 4,
        _ => 8,
    };
    let used = (0..width).take_while(|byte| left as u64 >> (8 * byte) > 0).count();
    let mut bytes = (length as u64).to_be_bytes()[8 - used..].to_vec();
    bytes.resize(width, 0);
    bytes
}

#[cfg(test)]
mod tests;
