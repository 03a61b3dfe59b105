//! Valid inputs per second from Z3: sorted lists of eight with an element, `rescale`, and three related integers.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use target_bridge::generate::smt::{SmtGenerator, SmtOptions};
use target_bridge::generate::{Batch, Generator, Step};
use target_strategies::ir::{ArithOp, Clause, CompareOp, IntKind, Param, Refined, SeqKind, Sort, Spec, Term};
use target_strategies::space::{Bounds, Space};
use target_strategies::value::Value;

fn main() {
    divan::main();
}

fn int(n: i64) -> Term {
    Term::Lit(Value::int(n))
}

fn compare(op: CompareOp, a: Term, b: Term) -> Term {
    Term::Compare(op, Box::new(a), Box::new(b))
}

fn refined(sort: Sort, terms: Vec<Term>) -> Refined {
    let clauses = terms.into_iter().map(|term| Clause { id: 0, text: String::new(), term }).collect();
    Refined { clauses, ..Refined::plain(sort) }
}

fn between(low: i64, high: i64, slot: u32) -> Refined {
    let terms = vec![
        compare(CompareOp::Le, int(low), Term::Var(slot)),
        compare(CompareOp::Le, Term::Var(slot), int(high)),
    ];
    refined(Sort::Int(IntKind::I64), terms)
}

fn space(params: Vec<Refined>, requires: Vec<Term>, depth: u32, bound: u32) -> Space {
    let param = |refined| Param { name: String::new(), refined, mutable: false };
    let spec = Spec {
        name: String::new(),
        params: params.into_iter().map(param).collect(),
        data: Vec::new(),
        requires: refined(Sort::Bool, requires).clauses,
        explore: Vec::new(),
        result: Refined::plain(Sort::Tuple(Vec::new())),
        ensures: Vec::new(),
        panics_if: None,
        examples: Vec::new(),
    };
    Space::new(Arc::new(spec), Bounds { depth, bound })
}

/// All members; there must be `n`.
fn exhaust(bencher: Bencher<'_, '_>, space: &Space, n: usize) {
    let options = SmtOptions { boundary: false, cases: u64::MAX, seed: 0 };
    bencher.counter(ItemsCount::new(n)).bench(|| {
        let mut generator = SmtGenerator::new(space.clone(), &options);
        let mut found = 0;
        while let Step::Batch(Batch::Cases(cases)) = generator.step() {
            found += cases.len();
        }
        assert_eq!(found, n);
    });
}

#[divan::bench(sample_count = 10)]
fn sorted_list_of_eight_and_an_element(bencher: Bencher<'_, '_>) {
    let list = Sort::Seq(Box::new(between(1, 8, 2)), SeqKind::Vec);
    let sorted = Term::IsSorted(Box::new(Term::Var(2)));
    let length = Term::Equal(Box::new(Term::Len(Box::new(Term::Var(2)))), Box::new(int(8)));
    exhaust(
        bencher,
        &space(vec![between(1, 8, 2), refined(list, vec![length, sorted])], Vec::new(), 8, 8),
        51_480,
    );
}

#[divan::bench(sample_count = 10)]
fn rescale(bencher: Bencher<'_, '_>) {
    let range = refined(
        Sort::Int(IntKind::I64),
        vec![
            compare(CompareOp::Le, int(0), Term::Var(3)),
            compare(CompareOp::Lt, Term::Var(3), Term::Var(0)),
        ],
    );
    exhaust(bencher, &space(vec![between(1, 30, 3), between(1, 30, 3), range], Vec::new(), 4, 30), 13_950);
}

#[divan::bench(sample_count = 10)]
fn pythagorean_triples(bencher: Bencher<'_, '_>) {
    let square = |slot| Term::Arith(ArithOp::Mul, Box::new(Term::Var(slot)), Box::new(Term::Var(slot)));
    let sum = Term::Arith(ArithOp::Add, Box::new(square(0)), Box::new(square(1)));
    let requires = vec![
        compare(CompareOp::Le, Term::Var(0), Term::Var(1)),
        compare(CompareOp::Le, Term::Var(1), Term::Var(2)),
        Term::Equal(Box::new(sum), Box::new(square(2))),
    ];
    let params = vec![between(1, 20, 3), between(1, 20, 3), between(1, 20, 3)];
    exhaust(bencher, &space(params, requires, 4, 20), 6);
}

#[divan::bench(sample_count = 10)]
fn three_integers_with_a_product(bencher: Bencher<'_, '_>) {
    let product = Term::Arith(ArithOp::Mul, Box::new(Term::Var(0)), Box::new(Term::Var(1)));
    let requires = vec![compare(CompareOp::Lt, product, Term::Var(2))];
    let params = vec![between(1, 30, 3), between(1, 30, 3), between(1, 30, 3)];
    let n = (1..=30).flat_map(|a| (1..=30).map(move |b| 30 - (a * b).min(30))).sum();
    exhaust(bencher, &space(params, requires, 4, 30), n);
}
