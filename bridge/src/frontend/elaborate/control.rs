//! `if`, `if let`, `match`, `matches!` and blocks: all test patterns in order, and bind names to the matched parts.

use target_strategies::logic::ir::Term;

use super::build::{and, bound, branch, is_path};
use super::expr::wants_hint;
use super::pattern::Matched;
use super::{Checked, Elaborator, Local, Typed};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Arm, Expr, LetStmt, Pat};

/// The surroundings of a term: a name for a value, or a test that must hold for the term to be defined.
#[derive(Clone)]
pub(super) enum Around {
    Let(u32, Term),
    Test(Term),
}

/// `pattern if guard => body`
struct Case<'e> {
    pat: Option<&'e Pat>,
    guard: Option<&'e Expr>,
    body: &'e Expr,
}

impl Elaborator<'_, '_, '_> {
    /// `if condition { a } else { b }`
    pub(super) fn if_else(
        &mut self,
        span: Span,
        condition: &Expr,
        (a, b): (&Expr, Option<&Expr>),
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let (condition, _) = self.check(condition, &Ty::Bool)?;
        let b = b.ok_or_else(|| no_else(span))?;
        let (a, b, ty) = self.pair(a, b, hint)?;
        Ok((branch(condition, a, b), ty))
    }

    /// `if let pat = value { a } else { b }`
    pub(super) fn if_let(
        &mut self,
        span: Span,
        (pat, value): (&Pat, &Expr),
        (a, b): (&Expr, Option<&Expr>),
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let b = b.ok_or_else(|| no_else(span))?;
        let cases = [Case { pat: Some(pat), guard: None, body: a }, Case { pat: None, guard: None, body: b }];
        self.cases(value, &cases, hint)
    }

    /// `match value { .. }`; undefined if no arm matches.
    pub(super) fn match_arms(
        &mut self,
        span: Span,
        value: &Expr,
        arms: &[Arm],
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        if arms.is_empty() {
            return Err(Diagnostic::error(span, "a `match` needs an arm"));
        }
        let cases: Vec<Case> = arms
            .iter()
            .map(|arm| Case { pat: Some(&arm.pat), guard: arm.guard.as_ref(), body: &arm.body })
            .collect();
        self.cases(value, &cases, hint)
    }

    fn cases(&mut self, value: &Expr, cases: &[Case], hint: Option<&Ty>) -> Checked<Typed> {
        let (value, value_ty) = self.typed(value, None)?;
        let mut around = Vec::new();
        let value = self.repeatable(value, &mut around);
        // An arm with its own type comes first, to determine the type of all arms.
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by_key(|&index| wants_hint(cases[index].body));
        let mut ty = hint.cloned();
        let mut known: Option<Ty> = None;
        let mut pieces: Vec<Option<(Term, Term)>> = cases.iter().map(|_| None).collect();
        for index in order {
            let (piece, body_ty) =
                self.case(&value, &value_ty, &cases[index], ty.as_ref(), known.is_some())?;
            pieces[index] = Some(piece);
            let joined = match &known {
                Some(known) => self.join(known, body_ty),
                None => body_ty,
            };
            ty = Some(joined.clone());
            known = Some(joined);
        }
        let whole = pieces
            .into_iter()
            .flatten()
            .rev()
            .fold(Term::Undefined, |rest, (test, body)| branch(test, body, rest));
        Ok((wrap(around, whole), known.unwrap_or(Ty::Bool)))
    }

    /// An arm: the condition under which it is chosen, and its value.
    fn case(
        &mut self,
        value: &Term,
        value_ty: &Ty,
        case: &Case,
        ty: Option<&Ty>,
        must: bool,
    ) -> Checked<((Term, Term), Ty)> {
        let matched = match case.pat {
            Some(pat) => self.pattern(pat, value, value_ty)?,
            None => Matched::default(),
        };
        let depth = self.locals.len();
        let mut around = Vec::new();
        let mut tests = matched.tests;
        self.enter(matched.names, &mut around);
        let (body, body_ty) = match ty {
            Some(ty) if must => self.check(case.body, ty)?,
            ty => self.typed(case.body, ty)?,
        };
        if let Some(guard) = case.guard {
            let (guard, _) = self.check(guard, &Ty::Bool)?;
            tests.push(wrap(around.clone(), guard));
        }
        self.locals.truncate(depth);
        Ok(((and(tests), wrap(around, body)), body_ty))
    }

    /// `matches!(value, pat if guard)`
    pub(super) fn matches(&mut self, value: &Expr, pat: &Pat, guard: Option<&Expr>) -> Checked<Typed> {
        let (value, value_ty) = self.typed(value, None)?;
        let mut around = Vec::new();
        let value = self.repeatable(value, &mut around);
        let matched = self.pattern(pat, &value, &value_ty)?;
        let mut tests = matched.tests;
        if let Some(guard) = guard {
            let depth = self.locals.len();
            let mut inner = Vec::new();
            self.enter(matched.names, &mut inner);
            let (guard, _) = self.check(guard, &Ty::Bool)?;
            self.locals.truncate(depth);
            tests.push(wrap(inner, guard));
        }
        Ok((wrap(around, and(tests)), Ty::Bool))
    }

    /// `{ let p = e; .. tail }`
    pub(super) fn block(&mut self, lets: &[LetStmt], tail: &Expr, hint: Option<&Ty>) -> Checked<Typed> {
        let depth = self.locals.len();
        let mut around = Vec::new();
        for statement in lets {
            let (value, ty) = self.typed(&statement.value, None)?;
            let value = self.repeatable(value, &mut around);
            self.bind_always(&statement.pat, &value, &ty, &mut around)?;
        }
        let (tail, ty) = self.typed(tail, hint)?;
        self.locals.truncate(depth);
        Ok((wrap(around, tail), ty))
    }

    /// Makes a value repeatable, part by part if it is a tuple.
    pub(super) fn repeatable(&mut self, value: Term, around: &mut Vec<Around>) -> Term {
        if is_path(&value) {
            return value;
        }
        if let Term::Tuple(parts) = value {
            return Term::Tuple(parts.into_iter().map(|part| self.repeatable(part, around)).collect());
        }
        let slot = self.fresh();
        around.push(Around::Let(slot, value));
        Term::Var(slot)
    }

    /// Binds the names of a pattern that must match. Only a list with another length may fail to match, since the
    /// lengths of arrays are unknown here; then there is no value.
    pub(super) fn bind_always(
        &mut self,
        pat: &Pat,
        value: &Term,
        ty: &Ty,
        around: &mut Vec<Around>,
    ) -> Checked<()> {
        let matched = self.pattern(pat, value, ty)?;
        if matched.refutable {
            return Err(Diagnostic::error(pat.span, "this pattern doesn't match every value")
                .help("use `match` or `if let`"));
        }
        around.extend(matched.tests.into_iter().map(Around::Test));
        self.enter(matched.names, around);
        Ok(())
    }

    /// Brings names into scope; values that can't be repeated are bound to slots.
    pub(super) fn enter(&mut self, names: Vec<Local>, around: &mut Vec<Around>) {
        for local in names {
            let repeatable = is_path(&local.term)
                || matches!(&local.term, Term::Index(of, at) if is_path(of) && is_path(at));
            let term = if repeatable {
                local.term
            } else {
                let slot = self.fresh();
                around.push(Around::Let(slot, local.term));
                Term::Var(slot)
            };
            self.locals.push(Local { term, ..local });
        }
    }
}

/// A term with its surroundings, the first outermost.
pub(super) fn wrap(around: Vec<Around>, term: Term) -> Term {
    around.into_iter().rev().fold(term, |body, around| match around {
        Around::Let(slot, value) => bound(slot, value, body),
        Around::Test(test) => branch(test, body, Term::Undefined),
    })
}

fn no_else(span: Span) -> Diagnostic {
    Diagnostic::error(span, "an `if` without `else` has no value").help("add an `else`, or write `p ==> q`")
}
