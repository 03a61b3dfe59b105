//! Generators for `lambda`, written by hand. A build has one feature, and races on its bug.
//!
//! The generators for bolero and hegel share the code that builds a term from choices.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use std::collections::BTreeSet;

use contest::bolero::Driver;
use contest::proptest::prelude::*;
use contest::{Subject, TestCase, ValueGenerator, number, race};
use lambda::{Expr, Term, Ty, alpha_equal, free_variables, step, substitute, to_nameless, typed};

/// Where choices come from: asked for a number below another.
type Pick<'p> = &'p mut dyn FnMut(u8) -> u8;

/// A generator for bolero, from choices.
struct Choices<T>(fn(Pick) -> T);

impl<T: 'static> ValueGenerator for Choices<T> {
    type Output = T;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<T> {
        Some((self.0)(&mut |n| (0..=n - 1).generate(driver).unwrap_or(0)))
    }
}

/// Races with a generator from choices.
fn contest<T: std::fmt::Debug + 'static>(
    bug: &'static str,
    (valid, holds): (fn(&T) -> bool, fn(T) -> bool),
    choose: fn(Pick) -> T,
    expert: impl Strategy<Value = T>,
    quick: impl Strategy<Value = T>,
) {
    let hegel = move |case: &TestCase| choose(&mut |n| number(case, 0..=i64::from(n) - 1) as u8);
    race(Subject { bug, valid, holds, expert, quick, bolero: Choices(choose), hegel });
}

fn lam(x: u8, body: Expr) -> Expr {
    Expr::Lam(x, body.into())
}

fn app(f: Expr, a: Expr) -> Expr {
    Expr::App(f.into(), a.into())
}

/// Terms with few names, up to some depth.
fn exprs(names: u8, depth: u32) -> BoxedStrategy<Expr> {
    (0..names)
        .prop_map(Expr::Var)
        .prop_recursive(depth, 30, 2, move |inner| {
            prop_oneof![
                (0..names, inner.clone()).prop_map(|(x, body)| lam(x, body)),
                (inner.clone(), inner).prop_map(|(f, a)| app(f, a)),
            ]
        })
        .boxed()
}

/// Terms with any names.
fn quick_exprs() -> BoxedStrategy<Expr> {
    any::<u8>()
        .prop_map(Expr::Var)
        .prop_recursive(4, 16, 2, |inner| {
            prop_oneof![
                (any::<u8>(), inner.clone()).prop_map(|(x, body)| lam(x, body)),
                (inner.clone(), inner).prop_map(|(f, a)| app(f, a)),
            ]
        })
        .boxed()
}

fn choose_expr(pick: Pick, depth: u32) -> Expr {
    match if depth == 0 { 0 } else { pick(5) } {
        0 => Expr::Var(pick(4)),
        1 | 2 => lam(pick(4), choose_expr(pick, depth - 1)),
        _ => app(choose_expr(pick, depth - 1), choose_expr(pick, depth - 1)),
    }
}

/// Two terms of the same shape.
fn twins() -> BoxedStrategy<(Expr, Expr)> {
    (0..3_u8, 0..3_u8)
        .prop_map(|(x, y)| (Expr::Var(x), Expr::Var(y)))
        .prop_recursive(4, 20, 2, |inner| {
            prop_oneof![
                (0..3_u8, 0..3_u8, inner.clone()).prop_map(|(x, y, (a, b))| (lam(x, a), lam(y, b))),
                (inner.clone(), inner).prop_map(|((f, g), (a, b))| (app(f, a), app(g, b))),
            ]
        })
        .boxed()
}

fn choose_twins(pick: Pick, depth: u32) -> (Expr, Expr) {
    match if depth == 0 { 0 } else { pick(5) } {
        0 => (Expr::Var(pick(3)), Expr::Var(pick(3))),
        1 | 2 => {
            let (x, y, (a, b)) = (pick(3), pick(3), choose_twins(pick, depth - 1));
            (lam(x, a), lam(y, b))
        }
        _ => {
            let ((f, g), (a, b)) = (choose_twins(pick, depth - 1), choose_twins(pick, depth - 1));
            (app(f, a), app(g, b))
        }
    }
}

fn free(e: &Expr) -> BTreeSet<u8> {
    free_variables(e).into_iter().collect()
}

fn is_normal(e: &Expr) -> bool {
    match e {
        Expr::Var(_) => true,
        Expr::Lam(_, body) => is_normal(body),
        Expr::App(f, a) => !matches!(**f, Expr::Lam(..)) && is_normal(f) && is_normal(a),
    }
}

fn substitutes((e, x, by): (Expr, u8, Expr)) -> bool {
    let mut expected = free(&e);
    if expected.remove(&x) {
        expected.extend(free(&by));
    }
    free(&substitute(e, x, &by)) == expected
}

fn race_substitute(bug: &'static str) {
    contest(
        bug,
        (|(_, x, _)| *x <= 2, substitutes),
        |pick| (choose_expr(pick, 4), pick(3), choose_expr(pick, 2)),
        (exprs(4, 5), 0..3_u8, exprs(4, 3)),
        (quick_exprs(), 0..3_u8, quick_exprs()),
    );
}

fn arrow(from: Ty, to: Ty) -> Ty {
    Ty::Arrow(from.into(), to.into())
}

fn types() -> impl Strategy<Value = Ty> {
    Just(Ty::Bool)
        .prop_recursive(2, 4, 2, |inner| (inner.clone(), inner).prop_map(|(from, to)| arrow(from, to)))
}

fn terms(depth: u32, size: u32) -> BoxedStrategy<Term> {
    prop_oneof![any::<bool>().prop_map(Term::Bool), (0..=2_usize).prop_map(Term::Var)]
        .prop_recursive(depth, size, 3, |inner| {
            prop_oneof![
                (types(), inner.clone()).prop_map(|(from, body)| Term::Lam(from, body.into())),
                (inner.clone(), inner.clone()).prop_map(|(f, a)| Term::App(f.into(), a.into())),
                (inner.clone(), inner.clone(), inner).prop_map(|(c, t, e)| Term::If(
                    c.into(),
                    t.into(),
                    e.into()
                )),
            ]
        })
        .boxed()
}

fn choose_type(pick: Pick, depth: u32) -> Ty {
    match if depth == 0 { 0 } else { pick(3) } {
        0 | 1 => Ty::Bool,
        _ => arrow(choose_type(pick, depth - 1), choose_type(pick, depth - 1)),
    }
}

fn choose_term(pick: Pick, depth: u32) -> Term {
    let inner = |pick: Pick| Box::new(choose_term(pick, depth - 1));
    match if depth == 0 { pick(2) } else { pick(6) } {
        0 => Term::Bool(pick(2) == 1),
        1 => Term::Var(pick(3).into()),
        2 | 3 => Term::Lam(choose_type(pick, 2), inner(pick)),
        4 => Term::App(inner(pick), inner(pick)),
        _ => Term::If(inner(pick), inner(pick), inner(pick)),
    }
}

fn type_of(t: &Term, context: &[Ty]) -> Option<Ty> {
    match t {
        Term::Bool(_) => Some(Ty::Bool),
        Term::Var(i) => context.get(*i).cloned(),
        Term::Lam(from, body) => {
            let inner = [&[from.clone()], context].concat();
            Some(arrow(from.clone(), type_of(body, &inner)?))
        }
        Term::App(f, a) => match (type_of(f, context)?, type_of(a, context)?) {
            (Ty::Arrow(from, to), given) if *from == given => Some(*to),
            _ => None,
        },
        Term::If(c, t, e) => {
            let (then, otherwise) = (type_of(t, context)?, type_of(e, context)?);
            (type_of(c, context)? == Ty::Bool && then == otherwise).then_some(then)
        }
    }
}

/// The indices of the variables that nothing inside binds.
fn loose(t: &Term, below: usize) -> BTreeSet<usize> {
    match t {
        Term::Bool(_) => BTreeSet::new(),
        Term::Var(i) => i.checked_sub(below).into_iter().collect(),
        Term::Lam(_, body) => loose(body, below + 1),
        Term::App(f, a) => &loose(f, below) | &loose(a, below),
        Term::If(c, t, e) => &(&loose(c, below) | &loose(t, below)) | &loose(e, below),
    }
}

fn main() {
    #[cfg(feature = "substitute-captures")]
    race_substitute("substitute-captures");
    #[cfg(feature = "substitute-ignores-shadowing")]
    race_substitute("substitute-ignores-shadowing");
    #[cfg(feature = "alpha-looks-one-way")]
    contest(
        "alpha-looks-one-way",
        (|_| true, |(a, b)| alpha_equal(&a, &b) == (to_nameless(&a) == to_nameless(&b))),
        |pick| choose_twins(pick, 4),
        twins(),
        (quick_exprs(), quick_exprs()),
    );
    #[cfg(feature = "step-stops-at-variables")]
    contest(
        "step-stops-at-variables",
        (
            |_| true,
            |e| match step(&e) {
                Some(next) => free(&next).is_subset(&free(&e)),
                None => is_normal(&e),
            },
        ),
        |pick| choose_expr(pick, 4),
        exprs(4, 5),
        quick_exprs(),
    );
    #[cfg(feature = "typed-shift-keeps-the-cutoff")]
    contest(
        "typed-shift-keeps-the-cutoff",
        (
            |_| true,
            |(t, by): (Term, usize)| {
                let v = typed::shift(&t, by);
                loose(&v, by) == loose(&t, 0) && loose(&v, 0).len() == loose(&t, 0).len()
            },
        ),
        |pick| (choose_term(pick, 4), pick(3).into()),
        (terms(5, 30), 0..=2_usize),
        (terms(4, 16), 0..=2_usize),
    );
    #[cfg(feature = "infer-forgets-the-argument")]
    contest(
        "infer-forgets-the-argument",
        (|_| true, |t| typed::infer(&t) == type_of(&t, &[])),
        |pick| choose_term(pick, 4),
        terms(5, 30),
        terms(4, 16),
    );
}
