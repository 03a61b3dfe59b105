//! Methods of `f32` and `f64`, with Rust's meaning.

use target_strategies::logic::ir::{FloatKind, FloatOp, FloatUnary, Term};

use super::super::build::{at_most, branch, less, not};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use crate::frontend::logic_type::Ty;

/// The supported names.
pub(super) const METHODS: [&str; 9] = [
    "abs",
    "clamp",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_sign_negative",
    "is_sign_positive",
    "max",
    "min",
];

/// Names not supported yet.
pub(super) const LATER: [&str; 22] = [
    "ceil",
    "copysign",
    "exp",
    "floor",
    "fract",
    "hypot",
    "is_normal",
    "is_subnormal",
    "ln",
    "log10",
    "log2",
    "mul_add",
    "powf",
    "powi",
    "recip",
    "rem_euclid",
    "round",
    "signum",
    "sqrt",
    "total_cmp",
    "to_string",
    "trunc",
];

impl Elaborator<'_, '_, '_> {
    pub(super) fn float_method(
        &mut self,
        term: &Term,
        kind: FloatKind,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let float = Ty::Float(kind);
        let term = term.clone();
        let name = call.name.name.as_str();
        let unary = match name {
            "abs" => Some(FloatUnary::Abs),
            "is_nan" => Some(FloatUnary::IsNan),
            "is_finite" => Some(FloatUnary::IsFinite),
            "is_infinite" => Some(FloatUnary::IsInfinite),
            "is_sign_negative" | "is_sign_positive" => Some(FloatUnary::IsSignNegative),
            _ => None,
        };
        if let Some(op) = unary {
            self.arity(call, 0)?;
            let term = Term::FloatUnary(op, Box::new(term));
            return Ok(Some(match name {
                "abs" => (term, float),
                "is_sign_positive" => (not(term), Ty::Bool),
                _ => (term, Ty::Bool),
            }));
        }
        let binary = match name {
            "min" => FloatOp::Min,
            "max" => FloatOp::Max,
            "clamp" => return self.float_clamp(term, &float, call).map(Some),
            _ => return Ok(None),
        };
        self.arity(call, 1)?;
        let (other, _) = self.check(&call.args[0], &float)?;
        Ok(Some((Term::FloatArith(binary, Box::new(term), Box::new(other)), float)))
    }

    fn float_clamp(&mut self, term: Term, float: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 2)?;
        let (lo, _) = self.check(&call.args[0], float)?;
        let (hi, _) = self.check(&call.args[1], float)?;
        self.once(term, |this, x| {
            this.once(lo, |this, lo| {
                this.once(hi, |_, hi| {
                    // NaN stays NaN: it is neither less nor greater.
                    let above = branch(less(hi.clone(), x.clone()), hi.clone(), x.clone());
                    let clamped = branch(less(x, lo.clone()), lo.clone(), above);
                    Ok((branch(at_most(lo, hi), clamped, Term::Undefined), float.clone()))
                })
            })
        })
    }
}
