//! Arithmetic on integers in types that hold every result.

use target_strategies::logic::ir::ArithOp;

use super::code::{Code, Level, Type};

/// A sum or product of lengths, which `usize` holds.
pub fn of_lengths(op: ArithOp, a: &Code, b: &Code) -> Option<Code> {
    if !matches!(a.of, Type::Length(_)) && !matches!(b.of, Type::Length(_)) {
        return None;
    }
    let (n, m) = (a.length_bits()?, b.length_bits()?);
    let (operator, bits) = match op {
        ArithOp::Add => ("+", n.max(m) + 1),
        ArithOp::Mul => ("*", n + m),
        ArithOp::Sub
        | ArithOp::Div
        | ArithOp::Rem
        | ArithOp::DivEuclid
        | ArithOp::RemEuclid
        | ArithOp::Min
        | ArithOp::Max
        | ArithOp::Pow => return None,
    };
    let text = format!("{} {operator} {}", a.operand_of(Level::Prefix), b.operand_of(Level::Prefix));
    (bits < 64).then_some(Code { text, level: Level::Arithmetic, of: Type::Length(bits) })
}

/// Arithmetic in `i128`, unless it may overflow.
pub fn arithmetic(op: ArithOp, a: &Code, b: &Code) -> Option<Code> {
    let bits = match op {
        ArithOp::Add | ArithOp::Sub => a.bits().max(b.bits()) + 1,
        ArithOp::Mul => a.bits() + b.bits(),
        ArithOp::Div
        | ArithOp::DivEuclid
        | ArithOp::Rem
        | ArithOp::RemEuclid
        | ArithOp::Min
        | ArithOp::Max => a.bits().max(b.bits()),
        ArithOp::Pow => return None,
    };
    let infix = |operator: &str| {
        let text = format!("{} {operator} {}", a.operand_of(Level::Prefix), b.operand_of(Level::Prefix));
        (text, Level::Arithmetic)
    };
    let call = |name: &str| (format!("i128::{name}({}, {})", a.text, b.text), Level::Atom);
    let (text, level) = match op {
        ArithOp::Add => infix("+"),
        ArithOp::Sub => infix("-"),
        ArithOp::Mul => infix("*"),
        ArithOp::Div => infix("/"),
        ArithOp::Rem => infix("%"),
        ArithOp::DivEuclid => call("div_euclid"),
        ArithOp::RemEuclid => call("rem_euclid"),
        ArithOp::Min => call("min"),
        ArithOp::Max => call("max"),
        ArithOp::Pow => return None,
    };
    (bits < 127).then(|| Code::wide_of(text, level, bits))
}
