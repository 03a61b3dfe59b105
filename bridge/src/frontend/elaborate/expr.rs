//! The forms of an expression, and the flow of types: `check` has an expected type, `typed` at most a hint.

use target_strategies::logic::ir::{Closure, FloatKind, IntKind, Term};
use target_strategies::logic::value::Value;

use super::build::{add, and, at_most, field, index, int, len, less, may_be_copied, project, slice};
use super::mistake::{Comparison, no_field_of_groups, private, untyped, with_guess};
use super::{Checked, Elaborator, Typed, mistake};
use crate::frontend::data::{Item, Unread};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};

/// Maximum number of fields that a message lists.
const MOST_LISTED: usize = 12;

impl Elaborator<'_, '_, '_> {
    /// An expression that must have the expected type.
    pub(super) fn check(&mut self, expr: &Expr, expected: &Ty) -> Checked<Typed> {
        let (term, ty) = self.typed(expr, Some(expected))?;
        if self.data.compatible(expected, &ty) {
            return Ok((term, self.join(expected, ty)));
        }
        if let Some(term) = self.as_object(&term, expected, &ty) {
            return Ok((term, expected.clone()));
        }
        if let (Ty::Data(rule), Ty::Str) = (expected, &ty)
            && let Some(derivation) = self.derivation(&term, *rule, expr.span)?
        {
            return Ok((derivation, expected.clone()));
        }
        let (term, text) = self.as_texts(term, ty.clone())?;
        if self.data.compatible(expected, &text) {
            return Ok((term, text));
        }
        Err(self.mismatch(expr.span, expected, &ty))
    }

    /// The value of an implementor as one of its trait.
    fn as_object(&self, term: &Term, expected: &Ty, ty: &Ty) -> Option<Term> {
        let Ty::Data(id) = expected else { return None };
        self.data.get(*id).object.as_ref()?;
        let implementors = 1..self.data.get(*id).ctors.len() as u32;
        let found = { implementors }.find(|number| match self.data.field_tys(*id, *number).as_slice() {
            [inner] => self.data.compatible(inner, ty),
            _ => false,
        });
        Some(Term::Construct(*id, found?, vec![term.clone()]))
    }

    /// An expression of any type; the hint is the type that its surroundings prefer. A derivation is its text.
    pub(super) fn typed(&mut self, expr: &Expr, hint: Option<&Ty>) -> Checked<Typed> {
        let (term, ty) = self.form(expr, hint)?;
        Ok(self.as_text(term, ty))
    }

    fn form(&mut self, expr: &Expr, hint: Option<&Ty>) -> Checked<Typed> {
        if let (
            Some(ty @ Ty::Function(kind, params, result, _)),
            ExprKind::Closure(..) | ExprKind::Block(..),
        ) = (hint, &expr.kind)
        {
            return Ok((Term::Lit(self.table(expr, *kind, params, result)?), ty.clone()));
        }
        match &expr.kind {
            ExprKind::Bool(b) => Ok((Term::Lit(Value::Bool(*b)), Ty::Bool)),
            ExprKind::Float(x, kind) => self.float_literal(expr, *x, *kind, hint),
            ExprKind::Char(c) => Ok((Term::Lit(Value::Char(*c)), Ty::Char)),
            ExprKind::Str(text, _) => Ok((Term::Lit(Value::str(text)), Ty::Str)),
            ExprKind::Byte(byte) => Ok((int(i64::from(*byte)), Ty::Int(Some(IntKind::U8)))),
            ExprKind::ByteStr(bytes) => {
                let elements = bytes.iter().map(|byte| int(i64::from(*byte))).collect();
                Ok((Term::Seq(elements), Ty::Seq(Box::new(Ty::Int(Some(IntKind::U8))))))
            }
            ExprKind::Int(n, suffix) => self.integer(expr, Value::Int(n.clone()), suffix.as_deref(), hint),
            ExprKind::Path(path) => self.path(path, expr.span, hint),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span, hint),
            ExprKind::Binary(op, a, b) => self.binary(expr, *op, (a, b), hint),
            ExprKind::Cast(operand, ty) => self.cast(operand, ty),
            ExprKind::If(condition, a, b) => self.if_else(expr.span, condition, (a, b.as_deref()), hint),
            ExprKind::IfLet(pat, value, a, b) => {
                self.if_let(expr.span, (pat, value), (a, b.as_deref()), hint)
            }
            ExprKind::Match(value, arms) => self.match_arms(expr.span, value, arms, hint),
            ExprKind::Matches(value, pat, guard) => self.matches(value, pat, guard.as_deref()),
            ExprKind::Block(lets, tail) => self.block(lets, tail, hint),
            ExprKind::Field(of, name) => self.field(of, name),
            ExprKind::Index(of, at) => self.index(of, at),
            ExprKind::Range { lo, hi, inclusive } => {
                self.range(expr.span, lo.as_deref(), hi.as_deref(), *inclusive)
            }
            ExprKind::Tuple(parts) => self.tuple(parts, hint),
            ExprKind::Array(elements) | ExprKind::Vec(elements) => {
                self.elements(expr.span, &elements.iter().collect::<Vec<_>>(), hint)
            }
            ExprKind::Repeat(element, n) | ExprKind::VecRepeat(element, n) => self.repeat(element, n, hint),
            ExprKind::Call(function, args) => self.call(function, args, expr.span, hint),
            ExprKind::MethodCall(receiver, name, args) => self.method_call(receiver, name, args, hint),
            ExprKind::Struct(path, fields) => self.struct_literal(path, fields, expr.span, hint),
            ExprKind::Unreachable => match hint {
                Some(ty) => Ok((Term::Undefined, ty.clone())),
                None => Err(untyped(expr.span, "this `unreachable!()`")),
            },
            ExprKind::Closure(..) => {
                Err(Diagnostic::error(expr.span, "a closure can only be the argument of a method"))
            }
            ExprKind::Set(elements) => self.set_literal(expr.span, elements, hint),
        }
    }

    fn integer(&self, expr: &Expr, value: Value, suffix: Option<&str>, hint: Option<&Ty>) -> Checked<Typed> {
        let kind = match suffix {
            Some(name) => Some(
                IntKind::from_name(name)
                    .ok_or_else(|| Diagnostic::error(expr.span, format!("no integer type `{name}`")))?,
            ),
            None => match hint {
                Some(Ty::Int(kind)) => *kind,
                Some(Ty::Float(kind)) => {
                    return Err(self
                        .mismatch(expr.span, &Ty::Float(*kind), &Ty::Int(None))
                        .help("write the literal with a point, as in `1.0`"));
                }
                _ => None,
            },
        };
        Ok((Term::Lit(value), Ty::Int(kind)))
    }

    /// A float literal has the type of its suffix, or else the hinted type.
    fn float_literal(
        &self,
        expr: &Expr,
        x: f64,
        suffix: Option<FloatKind>,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let kind = match (suffix, hint) {
            (Some(kind), _) => kind,
            (None, Some(Ty::Float(kind))) => *kind,
            _ => FloatKind::F64,
        };
        let value = kind.round(x);
        if value.is_infinite() {
            let message = format!("this number is out of the range of `{}`", kind.name());
            return Err(Diagnostic::error(expr.span, message));
        }
        Ok((Term::Lit(Value::Float(value)), Ty::Float(kind)))
    }

    fn field(&mut self, of: &Expr, name: &Ident) -> Checked<Typed> {
        // Of two whole inputs, the parameters are fields.
        if let (true, ExprKind::Path(path)) = (self.data.is_relation, &of.kind)
            && let [input] = path.as_slice()
            && let Some(found) = self.lookup(&format!("{}.{}", input.name, name.name), name.span)?
        {
            return Ok(found);
        }
        if let Some(mistake) = self.no_such_part(of, name) {
            return Err(mistake);
        }
        let (term, ty) = self.typed(of, None)?;
        if let Some(part) = self.named_part(&term, name) {
            return part;
        }
        match &ty {
            Ty::Tuple(parts) => {
                let at = name.name.parse::<usize>().ok().filter(|&at| at < parts.len());
                match at {
                    Some(at) => Ok((project(term, at as u32), parts[at].clone())),
                    None => Err(Diagnostic::error(
                        name.span,
                        format!("no field `{}` in `{}`", name.name, self.show(&ty)),
                    )),
                }
            }
            Ty::Data(id) if self.data.captured(*id).is_some() => Err(no_field_of_groups(name)),
            Ty::Data(id) => {
                let data = self.data.get(*id);
                let [ctor] = data.ctors.as_slice() else {
                    let message =
                        format!("`{}` is an enum, so it has no field `{}`", self.show(&ty), name.name);
                    return Err(
                        Diagnostic::error(name.span, message).help("look into it with `match` or `matches!`")
                    );
                };
                if let Some(at) = ctor.fields.iter().position(|field| field.name == name.name) {
                    let ty = self.data.ty_of(&ctor.fields[at].refined);
                    if data.via.as_ref().is_some_and(|via| via.is_unread(0, at)) {
                        let slot = root(&term);
                        self.data.unread.push(Unread {
                            span: name.span,
                            field: Some(name.name.clone()),
                            slot,
                        });
                    }
                    return Ok((field(term, 0, at as u32), ty));
                }
                let known: Vec<String> = ctor.fields.iter().map(|field| field.name.clone()).collect();
                Err(self.unknown_field(name, &ty, &known))
            }
            Ty::Opaque(_) => Err(private(of.span)),
            ty => Err(self.without_fields(name, ty)),
        }
    }

    /// A field that a struct doesn't have.
    fn unknown_field(&self, name: &Ident, ty: &Ty, known: &[String]) -> Diagnostic {
        let guess = mistake::did_you_mean(&name.name, known.iter().map(String::as_str));
        let message = format!("no field `{}` in `{}`", name.name, self.show(ty));
        let listed: Vec<String> = known.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
        let rest = if known.len() > MOST_LISTED { ", .." } else { "" };
        let listed =
            if listed.is_empty() { String::new() } else { format!("it has {}{rest}", listed.join(", ")) };
        with_guess(Diagnostic::error(name.span, message), guess, &listed)
    }

    /// A field of a type that has none. It may be meant as a method.
    fn without_fields(&self, name: &Ident, ty: &Ty) -> Diagnostic {
        let message = format!("no field `{}`: `{}` has none", name.name, self.show(ty));
        let is_method = self.methods(ty).0.contains(&name.name.as_str());
        let help =
            if is_method { format!("a method needs brackets: `{}()`", name.name) } else { String::new() };
        with_guess(Diagnostic::error(name.span, message), None, &help)
    }

    fn index(&mut self, of: &Expr, at: &Expr) -> Checked<Typed> {
        let (term, ty) = self.typed(of, None)?;
        let element = match &ty {
            Ty::Seq(element) => (**element).clone(),
            Ty::Map(key, value) => return self.map_index(term, (key, value), at),
            Ty::Str => return self.text_index(term, at),
            Ty::Data(id) if self.data.captured(*id).is_some() => return self.group_text(term, *id, at),
            Ty::Opaque(_) => return Err(private(of.span)),
            ty => {
                let message = format!("`{}` can't be indexed", self.show(ty));
                return Err(Diagnostic::error(of.span, message));
            }
        };
        let ExprKind::Range { lo, hi, inclusive } = &at.kind else {
            let (at, _) = self.check(at, &Ty::Int(Some(IntKind::Usize)))?;
            return Ok((index(term, at), element));
        };
        self.once(term, |this, term| {
            Ok((this.slice(term, lo.as_deref(), hi.as_deref(), *inclusive)?, ty.clone()))
        })
    }

    /// `of[lo..hi]`; the term `of` may be repeated.
    pub(super) fn slice(
        &mut self,
        of: Term,
        lo: Option<&Expr>,
        hi: Option<&Expr>,
        inclusive: bool,
    ) -> Checked<Term> {
        let usize = Ty::Int(Some(IntKind::Usize));
        let lo = match lo {
            Some(lo) => self.check(lo, &usize)?.0,
            None => int(0),
        };
        let hi = match hi {
            Some(hi) if inclusive => add(self.check(hi, &usize)?.0, int(1)),
            Some(hi) => self.check(hi, &usize)?.0,
            None => len(of.clone()),
        };
        Ok(slice(of, lo, hi))
    }

    fn range(&mut self, span: Span, lo: Option<&Expr>, hi: Option<&Expr>, inclusive: bool) -> Checked<Typed> {
        let (Some(lo), Some(hi)) = (lo, hi) else {
            return Err(Diagnostic::error(span, "an open range has no end here")
                .help("give it two ends, or use `enumerate()` to number elements"));
        };
        let (lo, hi, ty) = self.pair(lo, hi, None)?;
        if !matches!(ty, Ty::Int(_)) {
            let message = format!("a range of `{}` is no sequence", self.show(&ty));
            return Err(Diagnostic::error(span, message).help("`.contains(..)` works on it"));
        }
        let hi = if inclusive { add(hi, int(1)) } else { hi };
        Ok((Term::Range(Box::new(lo), Box::new(hi)), Ty::Seq(Box::new(ty))))
    }

    /// `(lo..hi).contains(x)` as comparisons, for any type with an order.
    pub(super) fn range_contains(
        &mut self,
        (lo, hi, inclusive): (Option<&Expr>, Option<&Expr>, bool),
        x: &Expr,
    ) -> Checked<Typed> {
        let mut ty = None;
        let mut lo_term = None;
        let mut hi_term = None;
        for (end, term) in [(lo, &mut lo_term), (hi, &mut hi_term)] {
            if let (Some(end), None) = (end.filter(|end| !wants_hint(end)), &ty) {
                let (found, found_ty) = self.typed(end, None)?;
                *term = Some(found);
                ty = Some(found_ty);
            }
        }
        let (x_term, ty) = match ty {
            Some(ty) => self.check(x, &ty)?,
            None => self.typed(x, None)?,
        };
        self.comparable(x.span, &ty, Comparison::Order)?;
        for (end, term) in [(lo, &mut lo_term), (hi, &mut hi_term)] {
            if let (Some(end), None) = (end, &term) {
                *term = Some(self.check(end, &ty)?.0);
            }
        }
        let below = move |x: Term, hi: Term| if inclusive { at_most(x, hi) } else { less(x, hi) };
        self.once(x_term, |this, x| match (lo_term, hi_term) {
            // Rust evaluates both bounds before it compares with the first.
            (Some(lo), Some(hi)) => {
                this.eager(hi, |_, hi| Ok((and(vec![at_most(lo, x.clone()), below(x, hi)]), Ty::Bool)))
            }
            (Some(lo), None) => Ok((at_most(lo, x), Ty::Bool)),
            (None, Some(hi)) => Ok((below(x, hi), Ty::Bool)),
            (None, None) => Ok((and(Vec::new()), Ty::Bool)),
        })
    }

    fn tuple(&mut self, parts: &[Expr], hint: Option<&Ty>) -> Checked<Typed> {
        let hints = match hint {
            Some(Ty::Tuple(hints)) if hints.len() == parts.len() => Some(hints),
            _ => None,
        };
        let mut terms = Vec::with_capacity(parts.len());
        let mut tys = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let (term, ty) = match hints {
                Some(hints) => self.check(part, &hints[at])?,
                None => self.typed(part, None)?,
            };
            terms.push(term);
            tys.push(ty);
        }
        Ok((Term::Tuple(terms), Ty::Tuple(tys)))
    }

    /// `vec![..]`: the first element with its own type determines the type of all elements.
    pub(super) fn elements(&mut self, span: Span, elements: &[&Expr], hint: Option<&Ty>) -> Checked<Typed> {
        let mut known = match hint {
            Some(Ty::Seq(element)) => Some((**element).clone()),
            _ => None,
        };
        let mut terms: Vec<Option<Term>> = vec![None; elements.len()];
        if known.is_none() {
            let first = elements.iter().position(|element| !wants_hint(element)).unwrap_or(0);
            let Some(element) = elements.get(first) else {
                return Err(untyped(span, "an empty list's elements"));
            };
            let (term, ty) = self.typed(element, None)?;
            terms[first] = Some(term);
            known = Some(ty);
        }
        let Some(ty) = known else {
            return Err(untyped(span, "the elements"));
        };
        for (term, element) in terms.iter_mut().zip(elements) {
            if term.is_none() {
                *term = Some(self.check(element, &ty)?.0);
            }
        }
        Ok((Term::Seq(terms.into_iter().flatten().collect()), Ty::Seq(Box::new(ty))))
    }

    fn repeat(&mut self, element: &Expr, n: &Expr, hint: Option<&Ty>) -> Checked<Typed> {
        let hint = match hint {
            Some(Ty::Seq(element)) => Some(&**element),
            _ => None,
        };
        let (term, ty) = match hint {
            Some(hint) => self.check(element, hint)?,
            None => self.typed(element, None)?,
        };
        let sequence = Ty::Seq(Box::new(ty));
        let (n_term, _) = self.check(n, &Ty::Int(Some(IntKind::Usize)))?;
        let few = (0..=16).find(|&few| n_term == int(few));
        if let (Some(few), true) = (few, may_be_copied(&term)) {
            return Ok((Term::Seq(vec![term; few as usize]), sequence));
        }
        self.once(term, |this, term| {
            let slot = this.fresh();
            let closure = Closure { slot, body: Box::new(term) };
            let range = Term::Range(Box::new(int(0)), Box::new(n_term));
            Ok((Term::Map(Box::new(range), closure), sequence))
        })
    }

    /// Two operands of one type: an operand with its own type determines the type of the other.
    pub(super) fn pair(&mut self, a: &Expr, b: &Expr, hint: Option<&Ty>) -> Checked<(Term, Term, Ty)> {
        if wants_hint(a) && !wants_hint(b) {
            let (b, ty) = self.typed(b, hint)?;
            let (b, ty) = self.as_texts(b, ty)?;
            let (a, ty) = self.check(a, &ty)?;
            return Ok((a, b, ty));
        }
        let (a, ty) = self.typed(a, hint)?;
        let (a, ty) = self.as_texts(a, ty)?;
        let (b, ty) = self.check(b, &ty)?;
        Ok((a, b, ty))
    }

    /// The common type of two compatible types: the machine type of integers if both agree, or only one has one.
    pub(super) fn join(&self, a: &Ty, b: Ty) -> Ty {
        match (a, b) {
            (Ty::Int(Some(a)), Ty::Int(Some(b))) => Ty::Int(if *a == b { Some(b) } else { None }),
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(a.or(b)),
            (Ty::Seq(a), Ty::Seq(b)) => Ty::Seq(Box::new(self.join(a, *b))),
            (Ty::Set(a), Ty::Set(b)) => Ty::Set(Box::new(self.join(a, *b))),
            (Ty::Bag(a), Ty::Bag(b)) => Ty::Bag(Box::new(self.join(a, *b))),
            (Ty::Map(k, v), Ty::Map(l, w)) => Ty::Map(Box::new(self.join(k, *l)), Box::new(self.join(v, *w))),
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                Ty::Tuple(a.iter().zip(b).map(|(a, b)| self.join(a, b)).collect())
            }
            (a, _) => a.clone(),
        }
    }

    /// The element type of an `Option`.
    pub(super) fn option_element(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Data(id) => match self.data.item_of(*id) {
                Item::Option(element) => Some(element),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The slot that a term is part of.
fn root(term: &Term) -> Option<u32> {
    match term {
        Term::Var(slot) => Some(*slot),
        Term::Field { of, .. } | Term::Project(of, _) | Term::Index(of, _) => root(of),
        #[rustfmt::skip]
        Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. }
        | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_)
        | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..)
        | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::IsCtor(..)
        | Term::Len(_) | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_)
        | Term::Range(..) | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_)
        | Term::Text(_) | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..)
        | Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
        | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
        | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
        | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
        | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => None,
    }
}

/// Whether an expression has no type of its own, or a type that its surroundings may narrow: literals, `None`,
/// `vec![]`.
pub(super) fn wants_hint(expr: &Expr) -> bool {
    let last_is =
        |path: &[Ident], names: &[&str]| path.last().is_some_and(|last| names.contains(&last.name.as_str()));
    match &expr.kind {
        ExprKind::Int(_, suffix) => suffix.is_none(),
        ExprKind::Float(_, suffix) => suffix.is_none(),
        ExprKind::Path(path) => last_is(path, &["None"]),
        ExprKind::Unary(
            UnaryOp::Neg | UnaryOp::Ref | UnaryOp::RefMut | UnaryOp::Deref | UnaryOp::Not,
            operand,
        ) => wants_hint(operand),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Shl | BinaryOp::Shr => wants_hint(a),
            _ => wants_hint(a) && wants_hint(b),
        },
        ExprKind::If(_, a, b) | ExprKind::IfLet(_, _, a, b) => {
            wants_hint(a) && b.as_deref().is_none_or(wants_hint)
        }
        ExprKind::Match(_, arms) => arms.iter().all(|arm| wants_hint(&arm.body)),
        ExprKind::Block(_, tail) => wants_hint(tail),
        ExprKind::Tuple(parts) => parts.iter().any(wants_hint),
        ExprKind::Array(elements) | ExprKind::Vec(elements) | ExprKind::Set(elements) => {
            elements.iter().all(wants_hint)
        }
        ExprKind::Repeat(element, _) | ExprKind::VecRepeat(element, _) => wants_hint(element),
        ExprKind::Call(function, args) => match &function.kind {
            ExprKind::Path(path) => {
                last_is(path, &["Ok", "Err", "new", "with_capacity", "from"])
                    || last_is(path, &["Some", "elems", "bag", "from_iter"]) && args.iter().all(wants_hint)
            }
            _ => false,
        },
        ExprKind::MethodCall(_, name, args) if name.name == "fold" && args.len() == 2 => wants_hint(&args[0]),
        ExprKind::MethodCall(_, name, args) if name.name == "collect" && args.is_empty() => true,
        ExprKind::MethodCall(receiver, ..) => wants_hint(receiver),
        _ => false,
    }
}
