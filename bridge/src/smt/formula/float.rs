//! Float formulas: IEEE doubles, rounded to nearest even. Constants fold by Rust's own arithmetic.

use std::collections::BTreeMap;

use target_strategies::logic::ir::FloatKind;

use super::{F, Formulas, Kind, Node};

/// Maximum number of values, or pairs of values, for which an operation is split into cases.
const CASES: usize = 1024;

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
        // There is one NaN, as in SMT-LIB.
        let bits = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
        self.intern(Node::Float(bits))
    }

    /// The float of a constant formula.
    pub fn as_float(&self, f: F) -> Option<f64> {
        match self.node(f) {
            Node::Float(bits) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// An operation on two floats.
    pub fn float_binary(&mut self, op: FloatBinary, a: F, b: F) -> F {
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b)) {
            return self.folded(op, x, y);
        }
        if op == FloatBinary::Same {
            return if a == b { self.truth(true) } else { self.intern(Node::FloatBinary(op, a, b)) };
        }
        match (self.float_cases(a), self.float_cases(b)) {
            (Some(firsts), Some(seconds)) if firsts.len() * seconds.len() <= CASES => {
                let mut results = Vec::with_capacity(firsts.len() * seconds.len());
                for &(x, is_x) in &firsts {
                    for &(y, is_y) in &seconds {
                        results.push((self.and([is_x, is_y]), self.folded(op, x, y)));
                    }
                }
                self.choose_among(results)
            }
            _ => self.intern(Node::FloatBinary(op, a, b)),
        }
    }

    fn folded(&mut self, op: FloatBinary, x: f64, y: f64) -> F {
        match op {
            FloatBinary::Add => self.float(x + y),
            FloatBinary::Sub => self.float(x - y),
            FloatBinary::Mul => self.float(x * y),
            FloatBinary::Div => self.float(x / y),
            FloatBinary::Less => self.truth(x < y),
            FloatBinary::AtMost => self.truth(x <= y),
            FloatBinary::Equal => self.truth(x == y),
            FloatBinary::Same => self.truth(x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())),
        }
    }

    /// The values of a float with their conditions, if it is a leaf with a domain or a choice among constants. Solvers
    /// are slowest at bitwise arithmetic on doubles.
    fn float_cases(&mut self, f: F) -> Option<Vec<(f64, F)>> {
        let (mut cases, mut rest, mut otherwise) = (Vec::new(), f, self.truth(true));
        loop {
            match *self.node(rest) {
                Node::If(condition, a, b) => {
                    let x = self.as_float(a)?;
                    cases.push((x, self.and([otherwise, condition])));
                    let not = self.not(condition);
                    otherwise = self.and([otherwise, not]);
                    rest = b;
                }
                Node::Float(bits) => {
                    cases.push((f64::from_bits(bits), otherwise));
                    return Some(cases);
                }
                Node::Leaf(leaf) => {
                    let values = self.variables()[leaf as usize].floats.clone()?;
                    for &x in values.iter() {
                        let constant = self.float(x);
                        let is_x = self.float_binary(FloatBinary::Same, rest, constant);
                        cases.push((x, self.and([otherwise, is_x])));
                    }
                    return Some(cases);
                }
                _ => return None,
            }
            if cases.len() > CASES {
                return None;
            }
        }
    }

    /// The result whose condition holds; exactly one holds.
    fn choose_among(&mut self, results: Vec<(F, F)>) -> F {
        let mut grouped: BTreeMap<F, Vec<F>> = BTreeMap::new();
        for (condition, result) in results {
            grouped.entry(result).or_default().push(condition);
        }
        let mut all = None;
        for (result, conditions) in grouped {
            let condition = self.or(conditions);
            all = Some(match all {
                None => result,
                Some(others) => self.choose(condition, result, others),
            });
        }
        all.unwrap_or_else(|| self.float(0.0))
    }

    /// A function of one float, split into cases if it has few values.
    fn float_unary(&mut self, a: F, function: fn(&mut Formulas, f64) -> F, node: fn(F) -> Node) -> F {
        if let Some(x) = self.as_float(a) {
            return function(self, x);
        }
        match self.float_cases(a) {
            Some(cases) => {
                let results = cases.into_iter().map(|(x, is_x)| (is_x, function(self, x))).collect();
                self.choose_among(results)
            }
            None => self.intern(node(a)),
        }
    }

    /// `-a`
    pub fn float_neg(&mut self, a: F) -> F {
        self.float_unary(a, |formulas, x| formulas.float(-x), Node::FloatNeg)
    }

    /// `a.abs()`
    pub fn float_abs(&mut self, a: F) -> F {
        self.float_unary(a, |formulas, x| formulas.float(x.abs()), Node::FloatAbs)
    }

    /// The nearest `f32`.
    pub fn float_to_f32(&mut self, a: F) -> F {
        let function = |formulas: &mut Formulas, x: f64| formulas.float(FloatKind::F32.round(x));
        self.float_unary(a, function, Node::FloatToF32)
    }

    /// `a.is_nan()`
    pub fn float_is_nan(&mut self, a: F) -> F {
        self.float_unary(a, |formulas, x| formulas.truth(x.is_nan()), Node::FloatIsNan)
    }

    /// `a.is_infinite()`
    pub fn float_is_infinite(&mut self, a: F) -> F {
        self.float_unary(a, |formulas, x| formulas.truth(x.is_infinite()), Node::FloatIsInfinite)
    }

    /// `a.is_sign_negative()`, for a float other than NaN.
    pub fn float_is_negative(&mut self, a: F) -> F {
        let function = |formulas: &mut Formulas, x: f64| formulas.truth(x.is_sign_negative() && !x.is_nan());
        self.float_unary(a, function, Node::FloatIsNegative)
    }
}
