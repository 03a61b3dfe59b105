//! Float formulas: IEEE doubles, rounded to nearest even; constants fold by Rust's own arithmetic.

use super::{F, Formulas, Kind, Node};

/// Operations on two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatBinary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// Rust's `a == b`: zeros are equal, NaN is not.
    Equal,
    /// The same bits: zeros differ, NaN is itself.
    Same,
}

impl FloatBinary {
    pub(super) fn kind(self) -> Kind {
        match self {
            FloatBinary::Add | FloatBinary::Sub | FloatBinary::Mul | FloatBinary::Div => Kind::Float,
            FloatBinary::Less | FloatBinary::AtMost | FloatBinary::Equal | FloatBinary::Same => Kind::Bool,
        }
    }
}

impl Formulas {
    /// A constant.
    pub fn float(&mut self, value: f64) -> F {
        // One NaN, as SMT-LIB has it.
        let bits = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
        self.intern(Node::Float(bits))
    }

    /// The float that a formula is, if it is constant.
    pub fn as_float(&self, f: F) -> Option<f64> {
        match self.node(f) {
            Node::Float(bits) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// An operation on two floats.
    pub fn float_binary(&mut self, op: FloatBinary, a: F, b: F) -> F {
        let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b)) else {
            return match op {
                FloatBinary::Same if a == b => self.truth(true),
                _ => self.intern(Node::FloatBinary(op, a, b)),
            };
        };
        match op {
            FloatBinary::Add => self.float(x + y),
            FloatBinary::Sub => self.float(x - y),
            FloatBinary::Mul => self.float(x * y),
            FloatBinary::Div => self.float(x / y),
            FloatBinary::Less => self.truth(x < y),
            FloatBinary::AtMost => self.truth(x <= y),
            FloatBinary::Equal => self.truth(x == y),
            FloatBinary::Same => self.truth(a == b),
        }
    }

    /// `-a`
    pub fn float_neg(&mut self, a: F) -> F {
        match self.as_float(a) {
            Some(x) => self.float(-x),
            None => self.intern(Node::FloatNeg(a)),
        }
    }

    /// `a.abs()`
    pub fn float_abs(&mut self, a: F) -> F {
        match self.as_float(a) {
            Some(x) => self.float(x.abs()),
            None => self.intern(Node::FloatAbs(a)),
        }
    }

    /// `a.is_nan()`
    pub fn float_is_nan(&mut self, a: F) -> F {
        match self.as_float(a) {
            Some(x) => self.truth(x.is_nan()),
            None => self.intern(Node::FloatIsNan(a)),
        }
    }

    /// `a.is_infinite()`
    pub fn float_is_infinite(&mut self, a: F) -> F {
        match self.as_float(a) {
            Some(x) => self.truth(x.is_infinite()),
            None => self.intern(Node::FloatIsInfinite(a)),
        }
    }

    /// `a.is_sign_negative()`, for what is a number.
    pub fn float_is_negative(&mut self, a: F) -> F {
        match self.as_float(a) {
            Some(x) => self.truth(x.is_sign_negative() && !x.is_nan()),
            None => self.intern(Node::FloatIsNegative(a)),
        }
    }
}
