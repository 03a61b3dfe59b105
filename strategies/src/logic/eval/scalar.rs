//! Operations of machine integers, floats and characters, by Rust's own operations.

use super::env::Halt;
use crate::logic::int::Int;
use crate::logic::ir::{CharClass, FloatKind, FloatOp, FloatUnary, IntKind, MachineOp};
use crate::logic::value::Value;

pub fn float_arith(op: FloatOp, a: f64, b: f64) -> f64 {
    match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Min => a.min(b),
        FloatOp::Max => a.max(b),
    }
}

pub fn float_unary(op: FloatUnary, a: f64) -> Value {
    match op {
        FloatUnary::Neg => Value::Float(-a),
        FloatUnary::Abs => Value::Float(a.abs()),
        FloatUnary::IsNan => Value::Bool(a.is_nan()),
        FloatUnary::IsFinite => Value::Bool(a.is_finite()),
        FloatUnary::IsInfinite => Value::Bool(a.is_infinite()),
        // Rust leaves the sign of a `NaN` open, and machines differ.
        FloatUnary::IsSignNegative => Value::Bool(!a.is_nan() && a.is_sign_negative()),
        FloatUnary::ToF32 => Value::Float(FloatKind::F32.round(a)),
    }
}

/// The operation at the type, on operands wrapped into its range.
pub fn machine(op: MachineOp, kind: IntKind, args: &[Int]) -> Result<Value, Halt> {
    let arg = |index: usize| args.get(index).ok_or(Halt::IllTyped);
    let wrapped = |index: usize| arg(index).map(|n| n.wrap(kind));
    let bits = |index: usize| wrapped(index).map(|n| to_bits(&n));
    let result = match op {
        MachineOp::And => from_bits(bits(0)? & bits(1)?, kind),
        MachineOp::Or => from_bits(bits(0)? | bits(1)?, kind),
        MachineOp::Xor => from_bits(bits(0)? ^ bits(1)?, kind),
        MachineOp::Not => from_bits(!bits(0)?, kind),
        MachineOp::Shl => from_bits(bits(0)? << shift(arg(1)?, kind)?, kind),
        MachineOp::Shr => {
            let (value, n_bits) = (wrapped(0)?, shift(arg(1)?, kind)?);
            let divisor = Int::power_of_two(n_bits);
            value.div_euclid(&divisor).expect("a power of two is not zero")
        }
        MachineOp::WrappingAdd => (&wrapped(0)? + &wrapped(1)?).wrap(kind),
        MachineOp::WrappingSub => (&wrapped(0)? - &wrapped(1)?).wrap(kind),
        MachineOp::WrappingMul => (&wrapped(0)? * &wrapped(1)?).wrap(kind),
        MachineOp::WrappingNeg => (-&wrapped(0)?).wrap(kind),
        MachineOp::Cast => wrapped(0)?,
        MachineOp::CountOnes => Int::from(masked(bits(0)?, kind).count_ones()),
        MachineOp::LeadingZeros => Int::from(masked(bits(0)?, kind).leading_zeros() - (128 - kind.bits())),
        MachineOp::TrailingZeros => Int::from(bits(0)?.trailing_zeros().min(kind.bits())),
        MachineOp::AddFits => return Ok(Value::Bool(kind.contains(&(&wrapped(0)? + &wrapped(1)?)))),
        MachineOp::SubFits => return Ok(Value::Bool(kind.contains(&(&wrapped(0)? - &wrapped(1)?)))),
        MachineOp::MulFits => return Ok(Value::Bool(kind.contains(&(&wrapped(0)? * &wrapped(1)?)))),
    };
    Ok(Value::Int(result))
}

/// The number of bits to shift by, if Rust allows it.
fn shift(n_bits: &Int, kind: IntKind) -> Result<u32, Halt> {
    let n_bits = n_bits.to_u64().and_then(|n_bits| u32::try_from(n_bits).ok());
    n_bits.filter(|&n_bits| n_bits < kind.bits()).ok_or(Halt::Undefined)
}

/// The two's complement, sign-extended to 128 bits.
fn to_bits(n: &Int) -> u128 {
    n.to_u128().or_else(|| n.to_i128().map(|n| n as u128)).expect("a machine integer has at most 128 bits")
}

fn from_bits(bits: u128, kind: IntKind) -> Int {
    Int::from(bits).wrap(kind)
}

fn masked(bits: u128, kind: IntKind) -> u128 {
    bits & (u128::MAX >> (128 - kind.bits()))
}

/// All characters of a class, if none is far from ASCII.
pub fn chars_of(class: CharClass) -> Option<Vec<char>> {
    /// After the last character of the classes that are read: U+3000 is the last white space.
    const END: u32 = 0x3001;
    match class {
        CharClass::Ascii
        | CharClass::AsciiAlphabetic
        | CharClass::AsciiAlphanumeric
        | CharClass::AsciiControl
        | CharClass::AsciiDigit
        | CharClass::AsciiGraphic
        | CharClass::AsciiHexdigit
        | CharClass::AsciiLowercase
        | CharClass::AsciiPunctuation
        | CharClass::AsciiUppercase
        | CharClass::AsciiWhitespace
        | CharClass::Control
        | CharClass::Whitespace => {
            Some((0..END).filter_map(char::from_u32).filter(|c| char_is(class, *c)).collect())
        }
        CharClass::Alphabetic
        | CharClass::Alphanumeric
        | CharClass::Lowercase
        | CharClass::Numeric
        | CharClass::Uppercase => None,
    }
}

/// Whether a char belongs to a class, by `char`'s own tests.
pub fn char_is(class: CharClass, c: char) -> bool {
    match class {
        CharClass::Ascii => c.is_ascii(),
        CharClass::AsciiAlphabetic => c.is_ascii_alphabetic(),
        CharClass::AsciiAlphanumeric => c.is_ascii_alphanumeric(),
        CharClass::AsciiControl => c.is_ascii_control(),
        CharClass::AsciiDigit => c.is_ascii_digit(),
        CharClass::AsciiGraphic => c.is_ascii_graphic(),
        CharClass::AsciiHexdigit => c.is_ascii_hexdigit(),
        CharClass::AsciiLowercase => c.is_ascii_lowercase(),
        CharClass::AsciiPunctuation => c.is_ascii_punctuation(),
        CharClass::AsciiUppercase => c.is_ascii_uppercase(),
        CharClass::AsciiWhitespace => c.is_ascii_whitespace(),
        CharClass::Alphabetic => c.is_alphabetic(),
        CharClass::Alphanumeric => c.is_alphanumeric(),
        CharClass::Control => c.is_control(),
        CharClass::Lowercase => c.is_lowercase(),
        CharClass::Numeric => c.is_numeric(),
        CharClass::Uppercase => c.is_uppercase(),
        CharClass::Whitespace => c.is_whitespace(),
    }
}
