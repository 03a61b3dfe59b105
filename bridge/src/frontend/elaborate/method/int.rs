//! Methods of integers: mathematical unless the name says `wrapping`, `checked` or `saturating`.

use target_strategies::logic::ir::{ArithOp, IntKind, MachineOp, Term, TextOp};

use super::super::build::{
    and, arith, at_most, branch, equal, extreme, int, less, machine, not, some_if, sub,
};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::char::{ASCII, byte_is};
use crate::frontend::logic_type::Ty;

/// The supported names.
pub(super) const METHODS: [&str; 49] = [
    "abs",
    "abs_diff",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_neg",
    "checked_rem",
    "checked_sub",
    "clamp",
    "count_ones",
    "count_zeros",
    "div_euclid",
    "is_ascii",
    "is_ascii_alphabetic",
    "is_ascii_alphanumeric",
    "is_ascii_control",
    "is_ascii_digit",
    "is_ascii_graphic",
    "is_ascii_hexdigit",
    "is_ascii_lowercase",
    "is_ascii_punctuation",
    "is_ascii_uppercase",
    "is_ascii_whitespace",
    "is_multiple_of",
    "is_negative",
    "is_positive",
    "is_power_of_two",
    "leading_zeros",
    "max",
    "min",
    "pow",
    "rem_euclid",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "to_string",
    "trailing_zeros",
    "unsigned_abs",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_sub",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
];

/// Names not supported yet.
pub(super) const LATER: [&str; 21] = [
    "checked_abs",
    "checked_ilog2",
    "checked_pow",
    "checked_shl",
    "checked_shr",
    "div_ceil",
    "ilog",
    "ilog10",
    "ilog2",
    "isqrt",
    "leading_ones",
    "midpoint",
    "next_multiple_of",
    "next_power_of_two",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "rotate_left",
    "rotate_right",
    "wrapping_shl",
    "wrapping_shr",
];

impl Elaborator<'_, '_, '_> {
    pub(super) fn int_method(
        &mut self,
        term: &Term,
        kind: Option<IntKind>,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let ty = Ty::Int(kind);
        let name = call.name.name.as_str();
        let term = term.clone();
        let typed = match name {
            "abs" | "unsigned_abs" => {
                self.arity(call, 0)?;
                let ty = Ty::Int(if name == "abs" { kind } else { kind.map(unsigned) });
                (Term::Abs(Box::new(term)), ty)
            }
            "min" => self.int_binary(ArithOp::Min, term, ty, call)?,
            "max" => self.int_binary(ArithOp::Max, term, ty, call)?,
            "rem_euclid" => self.int_binary(ArithOp::RemEuclid, term, ty, call)?,
            "div_euclid" => self.int_binary(ArithOp::DivEuclid, term, ty, call)?,
            "pow" => {
                self.arity(call, 1)?;
                let (exponent, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::U32)))?;
                (arith(ArithOp::Pow, term, exponent), ty)
            }
            "abs_diff" => {
                let (difference, _) = self.int_binary(ArithOp::Sub, term, ty, call)?;
                (Term::Abs(Box::new(difference)), Ty::Int(kind.map(unsigned)))
            }
            "is_positive" => {
                self.arity(call, 0)?;
                (less(int(0), term), Ty::Bool)
            }
            "is_negative" => {
                self.arity(call, 0)?;
                (less(term, int(0)), Ty::Bool)
            }
            "signum" => {
                self.arity(call, 0)?;
                self.once(term, |_, x| {
                    let negative = branch(less(x.clone(), int(0)), int(-1), int(0));
                    Ok((branch(less(int(0), x), int(1), negative), ty))
                })?
            }
            "to_string" => {
                self.arity(call, 0)?;
                (Term::TextOp(TextOp::Decimal, vec![term]), Ty::Str)
            }
            "clamp" => self.int_clamp(term, ty, call)?,
            "is_multiple_of" => {
                self.arity(call, 1)?;
                let (by, _) = self.check(&call.args[0], &ty)?;
                self.once(term, |this, x| {
                    this.once(by, |_, by| {
                        let remainder = arith(ArithOp::Rem, x.clone(), by.clone());
                        let divides = equal(remainder, int(0));
                        Ok((branch(equal(by, int(0)), equal(x, int(0)), divides), Ty::Bool))
                    })
                })?
            }
            _ => return self.machine_method(term, kind, call),
        };
        Ok(Some(typed))
    }

    fn int_binary(&mut self, op: ArithOp, term: Term, ty: Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let (other, joined) = self.check(&call.args[0], &ty)?;
        Ok((arith(op, term, other), joined))
    }

    fn int_clamp(&mut self, term: Term, ty: Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 2)?;
        let (lo, _) = self.check(&call.args[0], &ty)?;
        let (hi, _) = self.check(&call.args[1], &ty)?;
        self.once(lo, |this, lo| {
            this.once(hi, |_, hi| {
                let clamped = arith(ArithOp::Max, lo.clone(), arith(ArithOp::Min, term, hi.clone()));
                let sure = matches!((&lo, &hi), (Term::Lit(a), Term::Lit(b)) if less_equal(a, b));
                let clamped = if sure { clamped } else { branch(at_most(lo, hi), clamped, Term::Undefined) };
                Ok((clamped, ty))
            })
        })
    }

    /// Methods that depend on the width of the type.
    fn machine_method(&mut self, term: Term, kind: Option<IntKind>, call: &Call) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        let binary = match name {
            "wrapping_add" => Some(MachineOp::WrappingAdd),
            "wrapping_sub" => Some(MachineOp::WrappingSub),
            "wrapping_mul" => Some(MachineOp::WrappingMul),
            _ => None,
        };
        if let Some(op) = binary {
            self.arity(call, 1)?;
            let (other, joined) = self.check(&call.args[0], &Ty::Int(kind))?;
            let kind = self.machine_kind(call.name.span, name, &joined, call.hint)?;
            return Ok(Some((machine(op, kind, vec![term, other]), Ty::Int(Some(kind)))));
        }
        let counting = match name {
            "count_ones" | "count_zeros" | "is_power_of_two" => Some(MachineOp::CountOnes),
            "leading_zeros" => Some(MachineOp::LeadingZeros),
            "trailing_zeros" => Some(MachineOp::TrailingZeros),
            "wrapping_neg" => Some(MachineOp::WrappingNeg),
            _ => None,
        };
        if let Some(op) = counting {
            self.arity(call, 0)?;
            let hint = call.hint.filter(|_| op == MachineOp::WrappingNeg);
            let kind = self.machine_kind(call.name.span, name, &Ty::Int(kind), hint)?;
            let counted = machine(op, kind, vec![term]);
            let u32 = Ty::Int(Some(IntKind::U32));
            return Ok(Some(match name {
                "is_power_of_two" => (equal(counted, int(1)), Ty::Bool),
                "count_zeros" => (sub(int(i64::from(kind.bits())), counted), u32),
                "wrapping_neg" => (counted, Ty::Int(Some(kind))),
                _ => (counted, u32),
            }));
        }
        if let Some(operation) = name.strip_prefix("checked_") {
            return self.checked_method(operation, term, kind, call);
        }
        if let Some(operation) = name.strip_prefix("saturating_") {
            return self.saturating_method(operation, term, kind, call);
        }
        match ASCII.iter().find(|(known, _)| *known == name) {
            Some((_, class)) => {
                self.arity(call, 0)?;
                self.once(term, |_, byte| Ok((byte_is(*class, &byte), Ty::Bool))).map(Some)
            }
            None => Ok(None),
        }
    }

    fn checked_method(
        &mut self,
        operation: &str,
        term: Term,
        kind: Option<IntKind>,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let fits = match operation {
            "add" => (MachineOp::AddFits, ArithOp::Add),
            "sub" | "neg" => (MachineOp::SubFits, ArithOp::Sub),
            "mul" => (MachineOp::MulFits, ArithOp::Mul),
            "div" => (MachineOp::SubFits, ArithOp::Div),
            "rem" => (MachineOp::SubFits, ArithOp::Rem),
            _ => return Ok(None),
        };
        let (a, b, joined) = if operation == "neg" {
            self.arity(call, 0)?;
            (int(0), term, Ty::Int(kind))
        } else {
            self.arity(call, 1)?;
            let (other, joined) = self.check(&call.args[0], &Ty::Int(kind))?;
            (term, other, joined)
        };
        let hint = call.hint.and_then(|hint| self.option_element(hint));
        let kind = self.machine_kind(call.name.span, &call.name.name, &joined, hint.as_ref())?;
        let ty = Ty::Int(Some(kind));
        let option = self.data.option(&ty);
        let typed = self.once(a, |this, a| {
            this.once(b, |_, b| {
                let (check, op) = fits;
                let condition = if matches!(op, ArithOp::Div | ArithOp::Rem) {
                    let overflow =
                        and(vec![equal(a.clone(), extreme(kind, false)), equal(b.clone(), int(-1))]);
                    let divides = not(equal(b.clone(), int(0)));
                    if kind.is_signed() { and(vec![divides, not(overflow)]) } else { divides }
                } else {
                    machine(check, kind, vec![a.clone(), b.clone()])
                };
                Ok((some_if(condition, option, arith(op, a, b)), Ty::Data(option)))
            })
        })?;
        Ok(Some(typed))
    }

    fn saturating_method(
        &mut self,
        operation: &str,
        term: Term,
        kind: Option<IntKind>,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let op = match operation {
            "add" => ArithOp::Add,
            "sub" => ArithOp::Sub,
            "mul" => ArithOp::Mul,
            _ => return Ok(None),
        };
        let (exact, joined) = self.int_binary(op, term, Ty::Int(kind), call)?;
        let kind = self.machine_kind(call.name.span, &call.name.name, &joined, call.hint)?;
        let capped = arith(ArithOp::Min, exact, extreme(kind, true));
        Ok(Some((arith(ArithOp::Max, capped, extreme(kind, false)), Ty::Int(Some(kind)))))
    }
}

fn less_equal(
    a: &target_strategies::logic::value::Value,
    b: &target_strategies::logic::value::Value,
) -> bool {
    use target_strategies::logic::value::Value;
    matches!((a, b), (Value::Int(a), Value::Int(b)) if a <= b)
}

/// The unsigned type of the same width.
fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::I8 => IntKind::U8,
        IntKind::I16 => IntKind::U16,
        IntKind::I32 => IntKind::U32,
        IntKind::I64 => IntKind::U64,
        IntKind::I128 => IntKind::U128,
        IntKind::Isize => IntKind::Usize,
        unsigned => unsigned,
    }
}
