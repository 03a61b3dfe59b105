//! Prefix and infix operators, and `as`.
//!
//! `+ - * / %` are mathematical; bit operators and shifts are machine operations at the operands' common type.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{ArithOp, FloatKind, FloatOp, FloatUnary, IntKind, MachineOp, Term};
use target_strategies::logic::value::Value;

use super::build::{and, at_most, equal, float_arith, less, machine, not, or};
use super::mistake::{Comparison, unsupported};
use super::{Checked, Elaborator, Typed, operands};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, Type, TypeKind, UnaryOp};

impl Elaborator<'_, '_, '_> {
    /// `op operand`
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: &Expr,
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        match op {
            UnaryOp::Deref | UnaryOp::Ref | UnaryOp::RefMut => self.typed(operand, hint),
            UnaryOp::Not => self.complement(operand, hint),
            UnaryOp::Neg => {
                let (term, ty) = self.typed(operand, hint)?;
                match ty {
                    Ty::Int(_) => Ok((negated(term), ty)),
                    Ty::Float(_) => {
                        let negated = if let Term::Lit(Value::Float(x)) = term {
                            Term::Lit(Value::Float(-x))
                        } else {
                            Term::FloatUnary(FloatUnary::Neg, Box::new(term))
                        };
                        Ok((negated, ty))
                    }
                    ty => Err(Diagnostic::error(span, format!("`-` doesn't apply to `{}`", self.show(&ty)))),
                }
            }
        }
    }

    fn complement(&mut self, operand: &Expr, hint: Option<&Ty>) -> Checked<Typed> {
        let (term, ty) = self.typed(operand, hint)?;
        match ty {
            Ty::Bool => Ok((not(term), Ty::Bool)),
            Ty::Int(_) => {
                let kind = self.machine_kind(operand.span, "!", &ty, hint)?;
                Ok((machine(MachineOp::Not, kind, vec![term]), Ty::Int(Some(kind))))
            }
            ty => Err(self.mismatch(operand.span, &Ty::Bool, &ty)),
        }
    }

    /// `a op b`
    pub(super) fn binary(
        &mut self,
        whole: &Expr,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let mut terms = Vec::new();
                for operand in operands(whole, op) {
                    terms.push(self.check(operand, &Ty::Bool)?.0);
                }
                Ok((if op == BinaryOp::And { and(terms) } else { or(terms) }, Ty::Bool))
            }
            BinaryOp::Implies => {
                let (a, _) = self.check(a, &Ty::Bool)?;
                let (b, _) = self.check(b, &Ty::Bool)?;
                Ok((or(vec![not(a), b]), Ty::Bool))
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.comparison(op, a, b)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.arithmetic(whole.span, op, (a, b), hint)
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.bitwise(whole.span, op, (a, b), hint)
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, (a, b), hint),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Checked<Typed> {
        let (a_term, b_term, ty) = self.pair(a, b, None)?;
        match (kind(op), [&a_term, &b_term].into_iter().find(|term| matches!(term, Term::Construct(..)))) {
            (Comparison::Equality, Some(literal)) => self.comparable_with(a.span, &ty, literal)?,
            (how, _) => self.comparable(a.span, &ty, how)?,
        }
        if let (BinaryOp::Eq | BinaryOp::Ne, Some(same)) = (op, self.is_unchanged(&a_term, &b_term)) {
            return Ok((if op == BinaryOp::Eq { same } else { not(same) }, Ty::Bool));
        }
        let term = compared(op, a_term, b_term);
        Ok((term, Ty::Bool))
    }

    fn arithmetic(
        &mut self,
        span: Span,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let (a, b, ty) = self.pair(a, b, hint)?;
        match ty {
            Ty::Int(_) => {
                let op = match op {
                    BinaryOp::Add => ArithOp::Add,
                    BinaryOp::Sub => ArithOp::Sub,
                    BinaryOp::Mul => ArithOp::Mul,
                    BinaryOp::Div => ArithOp::Div,
                    _ => ArithOp::Rem,
                };
                Ok((super::build::arith(op, a, b), ty))
            }
            Ty::Float(kind) => {
                let op = match op {
                    BinaryOp::Add => FloatOp::Add,
                    BinaryOp::Sub => FloatOp::Sub,
                    BinaryOp::Mul => FloatOp::Mul,
                    BinaryOp::Div => FloatOp::Div,
                    _ => return Err(unsupported(span, "the remainder of floats is")),
                };
                Ok((float_arith(kind, op, a, b), ty))
            }
            Ty::Str if op == BinaryOp::Add => {
                let mut parts = if let Term::Concat(parts) = a { parts } else { vec![a] };
                parts.push(b);
                Ok((Term::Concat(parts), ty))
            }
            Ty::Set(_) if op == BinaryOp::Sub => Ok((self.set_operator("-", a, b)?, ty)),
            ty => {
                let message = format!("`{}` doesn't apply to `{}`", symbol(op), self.show(&ty));
                Err(Diagnostic::error(span, message))
            }
        }
    }

    fn bitwise(
        &mut self,
        span: Span,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let (a_term, b_term, ty) = self.pair(a, b, hint)?;
        match ty {
            Ty::Bool if op == BinaryOp::BitXor => Ok((not(equal(a_term, b_term)), Ty::Bool)),
            // Unlike `&&`, this always evaluates the right side.
            Ty::Bool => self.eager(b_term, |_, b| {
                let terms = vec![a_term, b];
                Ok((if op == BinaryOp::BitAnd { and(terms) } else { or(terms) }, Ty::Bool))
            }),
            Ty::Set(_) => Ok((self.set_operator(symbol(op), a_term, b_term)?, ty)),
            Ty::Int(_) => {
                let kind = self.machine_kind(span, symbol(op), &ty, hint)?;
                let op = match op {
                    BinaryOp::BitAnd => MachineOp::And,
                    BinaryOp::BitOr => MachineOp::Or,
                    _ => MachineOp::Xor,
                };
                Ok((machine(op, kind, vec![a_term, b_term]), Ty::Int(Some(kind))))
            }
            ty => {
                let message = format!("`{}` doesn't apply to `{}`", symbol(op), self.show(&ty));
                Err(Diagnostic::error(span, message))
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, (a, b): (&Expr, &Expr), hint: Option<&Ty>) -> Checked<Typed> {
        let (a_term, ty) = self.typed(a, hint)?;
        let (b_term, _) = self.check(b, &Ty::Int(None))?;
        if !matches!(ty, Ty::Int(_)) {
            let message = format!("`{}` doesn't apply to `{}`", symbol(op), self.show(&ty));
            return Err(Diagnostic::error(a.span, message));
        }
        let kind = self.machine_kind(a.span, symbol(op), &ty, hint)?;
        let op = if op == BinaryOp::Shl { MachineOp::Shl } else { MachineOp::Shr };
        Ok((machine(op, kind, vec![a_term, b_term]), Ty::Int(Some(kind))))
    }

    /// The machine type of an operation: its operands' type, or the hinted type.
    pub(super) fn machine_kind(
        &self,
        span: Span,
        what: &str,
        ty: &Ty,
        hint: Option<&Ty>,
    ) -> Checked<IntKind> {
        match (ty, hint) {
            (Ty::Int(Some(kind)), _) | (Ty::Int(None), Some(Ty::Int(Some(kind)))) => Ok(*kind),
            _ => Err(Diagnostic::error(
                span,
                format!("`{what}` needs a machine type, and its operands agree on none"),
            )
            .help("say which one: `x as u64`, or `1u64` for a literal")),
        }
    }

    /// `operand as ty`
    pub(super) fn cast(&mut self, operand: &Expr, ty: &Type) -> Checked<Typed> {
        let name = match &ty.kind {
            TypeKind::Path { path, generics, args } if generics.is_empty() && args.is_empty() => {
                match path.as_slice() {
                    [one] => one.name.as_str(),
                    _ => "",
                }
            }
            _ => "",
        };
        let wanted = match name {
            "int" => Ty::Int(None),
            "char" => Ty::Char,
            name => match (IntKind::from_name(name), FloatKind::from_name(name)) {
                (Some(kind), _) => Ty::Int(Some(kind)),
                (_, Some(kind)) => Ty::Float(kind),
                (None, None) => {
                    return Err(Diagnostic::error(
                        ty.span,
                        "`as` converts to an integer type, `int`, `f32` or `f64` only",
                    ));
                }
            },
        };
        let (term, from) = self.typed(operand, None)?;
        self.converted(term, &from, &wanted, operand.span)
    }

    /// A term converted to another scalar type.
    pub(super) fn converted(&self, term: Term, from: &Ty, to: &Ty, span: Span) -> Checked<Typed> {
        let term = match (from, to) {
            (Ty::Int(_), Ty::Int(None)) | (Ty::Char, Ty::Char) => term,
            (Ty::Float(FloatKind::F64), Ty::Float(FloatKind::F32)) => {
                Term::FloatUnary(FloatUnary::ToF32, Box::new(term))
            }
            // Values of both types are stored as `f64`.
            (Ty::Float(_), Ty::Float(_)) => term,
            (Ty::Int(from), Ty::Int(Some(kind))) => {
                let stays = from.is_some_and(|from| holds(*kind, from)) && in_range(&term) || is_byte(&term);
                if stays { term } else { machine(MachineOp::Cast, *kind, vec![term]) }
            }
            (Ty::Bool, Ty::Int(_)) => Term::ToInt(Box::new(term)),
            (Ty::Char, Ty::Int(kind)) => {
                let code = Term::ToInt(Box::new(term));
                match kind {
                    Some(kind) if kind.bits() < 32 => machine(MachineOp::Cast, *kind, vec![code]),
                    _ => code,
                }
            }
            (Ty::Int(_), Ty::Float(kind)) => Term::IntToFloat(*kind, Box::new(term)),
            (Ty::Float(_), Ty::Int(_)) => return Err(unsupported(span, "converting floats to integers is")),
            (Ty::Int(_), Ty::Char) => return Err(unsupported(span, "converting integers to characters is")),
            (Ty::Data(_), Ty::Int(_)) => return Err(unsupported(span, "the number of an enum's variant is")),
            (from, to) => {
                let message = format!("`{}` can't be converted to `{}`", self.show(from), self.show(to));
                return Err(Diagnostic::error(span, message));
            }
        };
        Ok((term, to.clone()))
    }
}

/// What a comparison asks.
pub(super) fn kind(op: BinaryOp) -> Comparison {
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { Comparison::Equality } else { Comparison::Order }
}

/// The term of a comparison `a op b`.
pub(super) fn compared(op: BinaryOp, a: Term, b: Term) -> Term {
    match op {
        BinaryOp::Ne => not(equal(a, b)),
        BinaryOp::Lt => less(a, b),
        BinaryOp::Le => at_most(a, b),
        BinaryOp::Gt => less(b, a),
        BinaryOp::Ge => at_most(b, a),
        _ => equal(a, b),
    }
}

/// `-a`, with constants folded: `-1` is one number.
fn negated(term: Term) -> Term {
    if let Term::Lit(Value::Int(n)) = &term {
        return Term::Lit(Value::Int(-n));
    }
    Term::Neg(Box::new(term))
}

/// Whether every value of `from` is a value of `kind`.
pub(super) fn holds(kind: IntKind, from: IntKind) -> bool {
    match (kind.is_signed(), from.is_signed()) {
        (a, b) if a == b => from.bits() <= kind.bits(),
        (true, false) => from.bits() < kind.bits(),
        _ => false,
    }
}

/// Whether a term is certainly within its own machine type: it is a stored value, not the result of arithmetic.
fn in_range(term: &Term) -> bool {
    matches!(
        term,
        Term::Var(_)
            | Term::Index(..)
            | Term::Project(..)
            | Term::Field { .. }
            | Term::Len(_)
            | Term::Machine(..)
            | Term::ToInt(_)
    )
}

/// Whether a term is a constant that every integer type contains.
fn is_byte(term: &Term) -> bool {
    matches!(term, Term::Lit(Value::Int(Int::Small(0..=127))))
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Implies => "==>",
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
    }
}
