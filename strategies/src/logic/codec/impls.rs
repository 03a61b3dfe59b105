//! Codecs of numbers, texts, containers and [`Int`]s.

use std::sync::Arc;

use super::reader::{Codec, DecodeError, Reader};
use crate::logic::int::Int;

impl Codec for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(input: &mut Reader) -> Result<u64, DecodeError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = u8::read(input)?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(DecodeError("a number is too long"))
    }
}

impl Codec for u8 {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn read(input: &mut Reader) -> Result<u8, DecodeError> {
        Ok(input.take(1)?[0])
    }
}

impl Codec for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }

    fn read(input: &mut Reader) -> Result<u32, DecodeError> {
        u32::try_from(u64::read(input)?).map_err(|_| DecodeError("a number is out of range"))
    }
}

impl Codec for u128 {
    fn write(&self, out: &mut Vec<u8>) {
        ((*self >> 64) as u64).write(out);
        (*self as u64).write(out);
    }

    fn read(input: &mut Reader) -> Result<u128, DecodeError> {
        Ok(u128::from(u64::read(input)?) << 64 | u128::from(u64::read(input)?))
    }
}

impl Codec for u16 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }

    fn read(input: &mut Reader) -> Result<u16, DecodeError> {
        u16::try_from(u64::read(input)?).map_err(|_| DecodeError("a number is out of range"))
    }
}

impl Codec for i64 {
    fn write(&self, out: &mut Vec<u8>) {
        // Small numbers of either sign take few bytes.
        (((*self << 1) ^ (*self >> 63)) as u64).write(out);
    }

    fn read(input: &mut Reader) -> Result<i64, DecodeError> {
        let zigzag = u64::read(input)?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }
}

impl Codec for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn read(input: &mut Reader) -> Result<bool, DecodeError> {
        match u8::read(input)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeError("a bool is neither 0 nor 1")),
        }
    }
}

impl Codec for char {
    fn write(&self, out: &mut Vec<u8>) {
        u32::from(*self).write(out);
    }

    fn read(input: &mut Reader) -> Result<char, DecodeError> {
        char::from_u32(u32::read(input)?).ok_or(DecodeError("a number is no char"))
    }
}

impl Codec for f64 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bits().to_le_bytes());
    }

    fn read(input: &mut Reader) -> Result<f64, DecodeError> {
        let bytes = input.take(8)?.try_into().map_err(|_| DecodeError("it ends too early"))?;
        Ok(f64::from_bits(u64::from_le_bytes(bytes)))
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    (text.len() as u64).write(out);
    out.extend_from_slice(text.as_bytes());
}

fn read_text<'b>(input: &mut Reader<'b>) -> Result<&'b str, DecodeError> {
    let length = input.length()?;
    std::str::from_utf8(input.take(length)?).map_err(|_| DecodeError("a text is not UTF-8"))
}

impl Codec for String {
    fn write(&self, out: &mut Vec<u8>) {
        write_text(self, out);
    }

    fn read(input: &mut Reader) -> Result<String, DecodeError> {
        read_text(input).map(str::to_owned)
    }
}

impl Codec for Arc<str> {
    fn write(&self, out: &mut Vec<u8>) {
        write_text(self, out);
    }

    fn read(input: &mut Reader) -> Result<Arc<str>, DecodeError> {
        read_text(input).map(Arc::from)
    }
}

fn write_list<T: Codec>(list: &[T], out: &mut Vec<u8>) {
    (list.len() as u64).write(out);
    for item in list {
        item.write(out);
    }
}

impl<T: Codec> Codec for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self, out);
    }

    fn read(input: &mut Reader) -> Result<Vec<T>, DecodeError> {
        let length = input.length()?;
        input.nested(|input| (0..length).map(|_| T::read(input)).collect())
    }
}

impl<T: Codec> Codec for Arc<[T]> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self, out);
    }

    fn read(input: &mut Reader) -> Result<Arc<[T]>, DecodeError> {
        Vec::read(input).map(Arc::from)
    }
}

impl<T: Codec> Codec for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }

    fn read(input: &mut Reader) -> Result<Box<T>, DecodeError> {
        input.nested(|input| T::read(input).map(Box::new))
    }
}

impl<T: Codec> Codec for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(input: &mut Reader) -> Result<Option<T>, DecodeError> {
        if bool::read(input)? { T::read(input).map(Some) } else { Ok(None) }
    }
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut Reader) -> Result<(A, B), DecodeError> {
        Ok((A::read(input)?, B::read(input)?))
    }
}

impl Codec for Int {
    fn write(&self, out: &mut Vec<u8>) {
        match self.to_i64() {
            Some(small) => {
                out.push(0);
                small.write(out);
            }
            None => {
                out.push(1);
                write_text(&self.to_string(), out);
            }
        }
    }

    fn read(input: &mut Reader) -> Result<Int, DecodeError> {
        match u8::read(input)? {
            0 => i64::read(input).map(Int::from),
            1 => Int::parse(read_text(input)?, 10).ok_or(DecodeError("a text is no number")),
            _ => Err(DecodeError("an integer has no such form")),
        }
    }
}
