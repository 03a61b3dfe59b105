//! What Z3 finds is what filtering finds: the same members, each once, in a fixed order.

mod collections;
mod counts;
mod differential;
mod generator;
mod implied;
mod shrinking;
mod vacuity;

use std::sync::Arc;

use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::logic::ir::{
    ArithOp, Clause, Closure, CompareOp, Data, IntKind, Param, Refined, SeqKind, Sort, Spec, StrKind, Term,
};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Skeleton, Space, assemble};

use super::decode::ShapeSearch;
use super::solver::{Effort, in_context};
use super::split::{Limits, State};

pub fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

pub fn var(slot: u32) -> Term {
    Term::Var(slot)
}

pub fn le(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Le, Box::new(a), Box::new(b))
}

pub fn lt(a: Term, b: Term) -> Term {
    Term::Compare(CompareOp::Lt, Box::new(a), Box::new(b))
}

pub fn eq(a: Term, b: Term) -> Term {
    Term::Equal(Box::new(a), Box::new(b))
}

pub fn arith(op: ArithOp, a: Term, b: Term) -> Term {
    Term::Arith(op, Box::new(a), Box::new(b))
}

pub fn add(a: Term, b: Term) -> Term {
    arith(ArithOp::Add, a, b)
}

pub fn closure(slot: u32, body: Term) -> Closure {
    Closure { slot, body: Box::new(body) }
}

pub fn index(a: Term, i: Term) -> Term {
    Term::Index(Box::new(a), Box::new(i))
}

pub fn len(a: Term) -> Term {
    Term::Len(Box::new(a))
}

pub fn i64s() -> Sort {
    Sort::Int(IntKind::I64)
}

pub fn vec_of(element: Refined) -> Sort {
    Sort::Seq(Box::new(element), SeqKind::Vec)
}

pub fn array_of(element: Refined, n: u32) -> Sort {
    Sort::Seq(Box::new(element), SeqKind::Array(n))
}

pub fn string() -> Sort {
    Sort::Str(StrKind::String)
}

pub fn plain(sort: Sort) -> Refined {
    Refined::plain(sort)
}

pub fn refined(sort: Sort, terms: impl IntoIterator<Item = Term>) -> Refined {
    Refined { clauses: clauses(terms), ..Refined::plain(sort) }
}

pub fn clauses(terms: impl IntoIterator<Item = Term>) -> Vec<Clause> {
    terms.into_iter().map(|term| Clause { id: 0, text: format!("{term:?}"), term }).collect()
}

/// A spec with these parameters and `requires`.
pub fn spec(params: Vec<Refined>, requires: Vec<Term>) -> Spec {
    let params =
        params.into_iter().map(|refined| Param { name: String::new(), refined, mutable: false }).collect();
    let mut spec = Spec {
        callbacks: Vec::new(),
        name: "f".to_owned(),
        params,
        data: Vec::<Data>::new(),
        functions: Vec::new(),
        regexes: Vec::new(),
        requires: clauses(requires),
        explore: Vec::new(),
        result: Refined::plain(Sort::Tuple(Vec::new())),
        ensures: Vec::new(),
        panics_if: None,
        displayed: Vec::new(),
        literals: Vec::new(),
        examples: Vec::new(),
    };
    number_clauses(&mut spec);
    spec
}

fn number_clauses(spec: &mut Spec) {
    let params = spec.params.iter_mut().flat_map(|param| &mut param.refined.clauses);
    for (id, clause) in (0..).zip(params.chain(&mut spec.requires).chain(&mut spec.explore)) {
        clause.id = id;
    }
}

/// A space of depth and bound.
pub fn space(spec: Spec, depth: u32, bound: u32) -> Space {
    Space::new(Arc::new(spec), Bounds { depth, bound })
}

/// The members with one skeleton, as Z3 finds them in pieces, forgetting in between; they must be all.
pub fn members_of(space: &Space, skeleton: &Skeleton, solutions: usize) -> Vec<Vec<Value>> {
    let mut search = ShapeSearch::new(space, skeleton.clone(), Effort::default());
    let mut members = Vec::new();
    while *search.state() == State::Open {
        let limits = Limits { solutions, questions: 50 };
        members.extend(in_context(|| search.next(limits)));
        if solutions < 10 {
            search.shrink(300);
        }
    }
    assert_eq!(*search.state(), State::Finished);
    members
}

/// All members, as Z3 finds them.
pub fn members(space: &Space) -> Vec<Vec<Value>> {
    space.skeletons().flat_map(|skeleton| members_of(space, &skeleton, 100_000)).collect()
}

/// All members, by trying all values.
pub fn filtered(space: &Space) -> Vec<Vec<Value>> {
    let spec = space.spec();
    let mut members = Vec::new();
    for skeleton in space.skeletons() {
        let leaves = space.leaves(&skeleton);
        let mut ranks = vec![0; leaves.len()];
        if leaves.iter().any(|leaf| leaf.domain.is_empty()) {
            continue;
        }
        loop {
            let scalars: Vec<Value> = leaves
                .iter()
                .zip(&ranks)
                .map(|(leaf, &rank): (_, &usize)| leaf.domain[rank].clone())
                .collect();
            let args = assemble(&skeleton, &scalars);
            if admits(spec, &args) && Judge::new(None).explored(spec, &args) == Judgement::Holds {
                members.push(args);
            }
            let Some(next) = (0..ranks.len()).rev().find(|&leaf| ranks[leaf] + 1 < leaves[leaf].domain.len())
            else {
                break;
            };
            ranks[next] += 1;
            ranks[next + 1..].fill(0);
        }
    }
    members
}

/// Asserts that Z3 finds the members that filtering finds; how many there are.
#[track_caller]
pub fn agree(space: &Space) -> usize {
    let (found, expected) = (members(space), filtered(space));
    let in_pieces: Vec<Vec<Value>> =
        space.skeletons().flat_map(|skeleton| members_of(space, &skeleton, 7)).collect();
    assert_eq!(found, in_pieces);
    let text = |all: &[Vec<Value>]| {
        let mut all: Vec<String> = all.iter().map(|args| format!("{args:?}")).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(text(&found), text(&expected), "for {:#?}", space.spec());
    found.len()
}
