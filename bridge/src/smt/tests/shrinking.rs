//! What is smaller than an argument tuple, and steps that need repair.

use target_strategies::shrink::{candidates, size};

use super::*;
use crate::smt::repair::Repairs;
use crate::smt::smaller::{SmallerMembers, around};

/// The length and the sum of a list in order, and the list.
fn summed() -> Spec {
    let sum = eq(Term::Sum(Box::new(var(2))), var(1));
    spec(
        vec![
            plain(i64s()),
            plain(i64s()),
            refined(vec_of(plain(i64s())), [Term::IsSorted(Box::new(var(3)))]),
        ],
        vec![eq(len(var(2)), var(0)), sum],
    )
}

fn ints(numbers: &[i64]) -> Value {
    Value::seq(numbers.iter().map(|n| Value::int(*n)).collect::<Vec<_>>())
}

fn args(len: i64, sum: i64, list: &[i64]) -> Vec<Value> {
    vec![Value::int(len), Value::int(sum), ints(list)]
}

/// All that is smaller, as it comes.
fn smaller(space: &Space, than: &[Value]) -> (Vec<Vec<Value>>, bool) {
    let mut members = SmallerMembers::new(space);
    let mut all = Vec::new();
    while let Some(some) = members.next(than) {
        all.extend(some);
    }
    (all, members.is_complete())
}

#[test]
fn all_that_is_smaller_is_listed_small_skeletons_first() {
    let space = space(summed(), 4, 4);
    let than = args(3, 0, &[-2, -1, 3]);
    let (mut found, is_complete) = smaller(&space, &than);
    assert!(is_complete);
    let mut structures: Vec<u64> = found.iter().map(|args| size(args).structure).collect();
    structures.dedup();
    assert_eq!(structures, [0, 1, 2, 3]);
    let mut expected = filtered(&space);
    expected.retain(|args| size(args) < size(&than));
    let text = |args: &Vec<Value>| format!("{args:?}");
    found.sort_by_cached_key(text);
    expected.sort_by_cached_key(text);
    assert_eq!(found, expected);
}

#[test]
fn what_gets_smaller_meanwhile_narrows_the_search() {
    let space = space(summed(), 4, 4);
    let mut members = SmallerMembers::new(&space);
    let mut best = args(4, 10, &[1, 2, 3, 4]);
    while let Some(some) = members.next(&best) {
        let wanted = |args: &&Vec<Value>| format!("{:?}", args[2]).contains("Int(3)");
        best = some.iter().filter(wanted).min_by_key(|args| size(args)).unwrap_or(&best).clone();
    }
    assert!(members.is_complete());
    assert_eq!(best, args(1, 3, &[3]));
}

#[test]
fn a_space_grows_around_what_is_deeper() {
    let space = space(summed(), 2, 4);
    let deep = args(5, 5, &[1; 5]);
    assert!(around(&space, &deep).contains(&deep));
    assert_eq!(around(&space, &args(1, 70, &[70])).bounds(), space.bounds());
}

#[test]
fn what_depends_on_a_step_follows_it() {
    let space = space(summed(), 4, 4);
    let spec = space.spec();
    let from = args(3, 1150, &[50, 400, 700]);
    assert!(admits(spec, &from));
    let rejected: Vec<Vec<Value>> =
        candidates(spec, &from).filter(|args| !admits(spec, args)).take(400).collect();
    assert!(!rejected.is_empty());
    let mut repairs = Repairs::new(&space);
    let repaired = repairs.repair(&from, &rejected);
    assert!(repaired.iter().all(|args| admits(spec, args)));
    // An element less, with the length and the sum of the rest ..
    for wanted in [args(2, 1100, &[400, 700]), args(2, 750, &[50, 700])] {
        assert!(repaired.contains(&wanted), "{wanted:?} of {repaired:?}");
    }
    // .. or a smaller element, with its sum.
    assert!(repaired.contains(&args(3, 1100, &[0, 400, 700])), "{repaired:?}");
    let again = Repairs::new(&space).repair(&from, &rejected);
    assert_eq!(again, repaired);
}
