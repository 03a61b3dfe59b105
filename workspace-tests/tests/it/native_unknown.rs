//! Conditions that take the judge too much work: the native engine keeps what it can't decide, and says so.

use std::collections::HashSet;

use target_strategies::baseline::enumerative::Members;
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::native::describe::Membership;
use target_strategies::native::{Class, Count, Native};
use target_strategies::space::Space;

use crate::native_engine::space;
use crate::table::Args;

/// What the judge says of each argument tuple within the bounds: those that it admits, and those that it gives up on.
fn judged(space: &Space) -> (HashSet<Args>, HashSet<Args>) {
    let (mut admitted, mut unknown) = (HashSet::new(), HashSet::new());
    for skeleton in space.skeletons() {
        let (mut members, mut args) = (Members::new(space, &skeleton), Args::new());
        while members.next_into(&mut args) {
            match Judge::new(None).precondition(space.spec(), &args) {
                Admission::Admitted => admitted.insert(args.clone()),
                Admission::SpecError { .. } => unknown.insert(args.clone()),
                Admission::Rejected(_) => false,
            };
        }
    }
    (admitted, unknown)
}

/// What the engine lists: members, and those that it leaves to the judge.
fn listed(space: &Space) -> (HashSet<Args>, HashSet<Args>, Count) {
    let mut native = Native::new(space);
    let (mut members, mut undecided) = (HashSet::new(), HashSet::new());
    let mut cursor = native.cursor(Class::All).expect("not all is ruled out");
    while native.advance(&mut cursor) {
        let list = if native.is_undecided(&cursor) { &mut undecided } else { &mut members };
        assert!(list.insert(cursor.values().to_vec()), "listed twice: {:?}", cursor.values());
    }
    (members, undecided, Native::new(space).count(Class::All, u64::MAX).expect("there is no limit"))
}

/// Asserts that the engine loses nothing that the judge doesn't rule out; gives how many members there are, and how many are
/// not decided.
#[track_caller]
fn check(params: &str, condition: &str, depth: u32, bound: u32) -> (usize, usize) {
    let space = space(&format!("fn({params}) requires {condition}"), depth, bound);
    let (admitted, unknown) = judged(&space);
    let (members, undecided, count) = listed(&space);
    // The engine may know more than the judge, whose work is limited for each clause, but nothing else.
    assert!(admitted.is_subset(&members), "{condition}: lost {:?}", admitted.difference(&members));
    assert!(undecided.is_subset(&unknown), "{condition}: left {:?}", undecided.difference(&unknown));
    assert!(members.iter().all(|args| admitted.contains(args) || unknown.contains(args)), "{condition}");
    assert!(!undecided.is_empty(), "nothing is given up on: {condition}");
    assert_eq!(count.exactly(), None, "{condition}");
    assert_eq!(count.n_listed().to_usize(), Some(members.len() + undecided.len()), "{condition}");
    (members.len(), undecided.len())
}

#[test]
fn a_condition_on_a_scalar_that_takes_too_much_work_rules_nothing_out() {
    assert_eq!(check("x: u64", "2.pow(10.pow(x)) > 0", 2, 12), (6, 7));
    assert_eq!(check("x: u64", "!(2.pow(10.pow(x)) < 3)", 2, 12), (5, 7));
    assert_eq!(check("x: u64", "(0..1000000000000).all(|i| i * x >= 0)", 2, 2), (1, 2));
}

#[test]
fn a_condition_is_decided_where_a_part_of_it_decides() {
    assert_eq!(check("x: u64", "x < 10 || 2.pow(10.pow(x)) > 3", 2, 12), (10, 3));
    assert_eq!(check("x: u64", "x > 3 && 2.pow(10.pow(x)) > 3", 2, 7).0, 2);
    check("x: u64, y: u8", "y == 0 || 2.pow(10.pow(x)) > 3", 2, 7);
}

#[test]
fn a_condition_inside_of_lists_and_on_several_parameters_rules_nothing_out() {
    check("xs: Vec<u64>", "xs.iter().all(|x| 2.pow(10.pow(x)) > 3)", 2, 7);
    check("x: u64, y: u64", "2.pow(10.pow(x + y)) > 3", 2, 5);
    check("xs: Vec<u64>", "xs.len() < 2 || 2.pow(10.pow(xs[0] + xs[1])) > 3", 2, 5);
    check("x: Option<u64>", "x.is_none() || 2.pow(10.pow(x.unwrap())) > 3", 2, 7);
}

#[test]
fn what_is_decided_everywhere_is_counted_exactly() {
    let space = space("fn(x: u64) requires x < 3 && 2.pow(10.pow(x)) > 3", 2, 12);
    let (members, undecided, count) = listed(&space);
    assert_eq!((members.len(), undecided.len()), (2, 0));
    assert_eq!(count.exactly().and_then(|n| n.to_usize()), Some(2));
}

#[test]
fn an_input_that_takes_too_much_work_to_judge_is_no_member_that_was_found() {
    let found = |condition: &str| {
        let space = space(&format!("fn(x: u64) requires {condition}"), 2, 12);
        Native::new(&space).has_member(Class::All, 10_000)
    };
    assert_eq!(found("x >= 7 && 2.pow(10.pow(x)) > 0").ok(), Some(Membership::Undecided));
    assert_eq!(found("2.pow(10.pow(x)) > 0").ok(), Some(Membership::Some));
    assert_eq!(found("x > 12 && x < 5").ok(), Some(Membership::None));
}
