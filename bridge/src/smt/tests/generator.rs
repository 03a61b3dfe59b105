//! The generator as a whole: order, threads, and what it says at the end.

use std::collections::HashSet;

use super::*;
use crate::generate::smt::SmtGenerator;
use crate::generate::{Batch, Case, End, Generator, Step};

fn all_cases(space: &Space) -> (Vec<Case>, End) {
    let mut generator = SmtGenerator::new(space.clone(), 0);
    let mut all = Vec::new();
    loop {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => all.extend(cases),
            Step::Batch(Batch::Ranges(_) | Batch::Listed(_)) => panic!("the parent makes these cases"),
            Step::Reached(_) | Step::Beyond(_) => panic!("it has members of the space alone"),
            Step::End(end) => return (all, end),
        }
    }
}

fn sorted_and_sum() -> Spec {
    let sorted = Term::IsSorted(Box::new(var(2)));
    let sum = le(Term::Sum(Box::new(var(2))), var(0));
    spec(vec![plain(i64s()), refined(vec_of(plain(i64s())), [sorted, sum])], Vec::new())
}

#[test]
fn every_member_comes_once() {
    let space = space(sorted_and_sum(), 3, 3);
    let (cases, end) = all_cases(&space);
    assert_eq!(end, End::Exhausted);
    assert!(cases.iter().all(|case| case.beyond.is_none() && space.contains(&case.args)));
    let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
    assert_eq!((distinct.len(), cases.len()), (cases.len(), filtered(&space).len()));
}

#[test]
fn the_number_of_threads_does_not_show() {
    let space = space(sorted_and_sum(), 4, 4);
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| all_cases(&space))
    };
    assert_eq!(with_threads(1), with_threads(4));
}

#[test]
fn a_where_leaves_candidates() {
    let where_clause = refined(i64s(), [lt(int(0), var(1)), Term::Opaque(0, vec![var(1)])]);
    let space = space(spec(vec![where_clause], Vec::new()), 4, 4);
    let (cases, end) = all_cases(&space);
    assert_eq!((cases.len(), end), (filtered(&space).len(), End::Exhausted));
}
