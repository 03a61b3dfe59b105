//! The generator as a whole: order, threads, boundary cases, and what it says at the end.

use std::collections::HashSet;

use super::*;
use crate::generate::smt::{SmtGenerator, SmtOptions};
use crate::generate::{Batch, Case, End, Generator, Step};

fn all_cases(space: &Space, boundary: bool) -> (Vec<Case>, End) {
    let options = SmtOptions { boundary, cases: 1000, seed: 0 };
    let mut generator = SmtGenerator::new(space.clone(), &options);
    let mut all = Vec::new();
    let mut beyond = None;
    loop {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => {
                let is_beyond = beyond.is_some();
                all.extend(cases.into_iter().inspect(|case| assert!(case.boundary || !is_beyond)));
            }
            Step::Beyond(end) => beyond = Some(end),
            Step::Batch(Batch::Ranges(_) | Batch::Listed(_)) => panic!("the parent makes these cases"),
            Step::End(end) => {
                assert!(beyond.is_none_or(|beyond| beyond == end));
                return (all, end);
            }
        }
    }
}

fn sorted_and_sum() -> Spec {
    let sorted = Term::IsSorted(Box::new(var(2)));
    let sum = le(Term::Sum(Box::new(var(2))), var(0));
    spec(vec![plain(i64s()), refined(vec_of(plain(i64s())), [sorted, sum])], Vec::new())
}

#[test]
fn every_member_comes_once_and_behind_the_first_every_tenth_is_a_boundary_case() {
    let space = space(sorted_and_sum(), 3, 3);
    let (cases, end) = all_cases(&space, true);
    assert_eq!(end, End::Exhausted);
    let inside: Vec<&Case> = cases.iter().filter(|case| !case.boundary).collect();
    let distinct: HashSet<&Vec<Value>> = inside.iter().map(|case| &case.args).collect();
    assert_eq!(distinct.len(), inside.len());
    assert_eq!(inside.len(), filtered(&space).len());
    let outside: Vec<&Case> = cases.iter().filter(|case| case.boundary).collect();
    assert_eq!(outside.len(), 100);
    assert!(outside.iter().all(|case| !space.contains(&case.args) && admits(space.spec(), &case.args)));
    // The small members don't wait for them.
    let first = cases.iter().position(|case| case.boundary);
    assert_eq!(first, Some(256 + 9));
    assert_eq!(cases[256 + 9].args[0], Value::int(i64::MAX));
    assert!(cases[256 + 19].boundary);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let space = space(sorted_and_sum(), 4, 4);
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| all_cases(&space, true))
    };
    assert_eq!(with_threads(1), with_threads(4));
}

#[test]
fn a_where_leaves_candidates() {
    let where_clause = refined(i64s(), [lt(int(0), var(1)), Term::Opaque(0, vec![var(1)])]);
    let space = space(spec(vec![where_clause], Vec::new()), 4, 4);
    let (cases, end) = all_cases(&space, false);
    assert_eq!((cases.len(), end), (filtered(&space).len(), End::Exhausted));
}
