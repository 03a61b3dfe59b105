//! The enumerators that the benches compare with, written by hand: they give as many values as there are known to be, each
//! once, and the very values that the specs admit. Those for bolero give the same, and so does the yardstick.

#[path = "../../benches/native/dependent.rs"]
mod dependent;

use std::collections::HashSet;

use dependent::Dependent;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};
use workspace_tests::cases::block;
use workspace_tests::space_in;
use workspace_tests::structures::{
    Heaps, RedBlackTrees, RelatedIntegers, SearchTrees, SortedLists, Structure,
};

use crate::table::smt;

/// All values of a number, by hand.
fn by_hand<S: Structure>(n: u32) -> HashSet<S::Owned> {
    let mut set = HashSet::new();
    S::each(n, &mut |value| assert!(set.insert(value.clone()), "{} {n}: twice {value:?}", S::NAME));
    set
}

/// All that the yardstick finds.
fn blocked(space: &Space) -> Vec<Vec<Value>> {
    let mut found = Vec::new();
    block(
        space,
        || false,
        |args| {
            found.push(args.to_vec());
            false
        },
    );
    found
}

/// Checks the counts from a first number on, the values by bolero too, and the first few by the spec.
#[track_caller]
fn check<S: Dependent>(first: u32, n_by_spec: usize, counts: &[usize]) {
    for (i, (n, &count)) in (first..).zip(counts).enumerate() {
        let set = by_hand::<S>(n);
        assert_eq!(set.len(), count, "{} {n}", S::NAME);
        let mut by_bolero = HashSet::new();
        S::each_by_bolero(n, &mut |value| {
            assert!(by_bolero.insert(value.clone()), "{} {n}: bolero gives {value:?} twice", S::NAME);
            false
        });
        assert!(set == by_bolero, "{} {n}: bolero differs", S::NAME);
        if i < n_by_spec {
            let members = smt(&S::space(n)).members;
            let by_spec: HashSet<S::Owned> = members.iter().map(|args| S::owned(args)).collect();
            assert_eq!(members.len(), by_spec.len(), "{} {n}", S::NAME);
            assert!(set == by_spec, "{} {n}: the spec differs", S::NAME);
        }
        if n <= 3 {
            let by_blocking = blocked(&S::space(n));
            let by_blocking: Vec<S::Owned> = by_blocking.iter().map(|args| S::owned(args)).collect();
            assert_eq!(by_blocking.len(), count, "{} {n}: the yardstick", S::NAME);
            assert!(set == by_blocking.into_iter().collect(), "{} {n}: the yardstick differs", S::NAME);
        }
    }
}

#[test]
fn the_yardstick_knows_all_scalars_but_floats() {
    let spec = "fn(p: (bool, char, Option<u8>))";
    let space = space_in("scores", "scores", spec, Bounds { depth: 2, bound: 3 });
    let found = blocked(&space);
    let set: HashSet<&Vec<Value>> = found.iter().collect();
    assert_eq!((found.len(), set.len()), (2 * 4 * 5, 2 * 4 * 5));
}

#[test]
fn search_trees() {
    check::<SearchTrees>(0, 5, &[1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16_796]);
}

#[test]
fn red_black_trees() {
    let counts = [1, 2, 2, 4, 8, 16, 33, 56, 90, 164, 330, 688, 1440, 3008, 6291, 13_168];
    check::<RedBlackTrees>(1, 4, &counts);
}

#[test]
fn heaps() {
    check::<Heaps>(1, 4, &[4, 15, 66, 320, 1919, 13_139, 117_562]);
}

#[test]
fn sorted_lists() {
    // n times C(2 n - 1, n).
    check::<SortedLists>(1, 4, &[1, 2 * 3, 3 * 10, 4 * 35, 5 * 126, 6 * 462, 7 * 1716, 8 * 6435]);
}

#[test]
fn related_integers() {
    // n times the sum of 1..=n.
    check::<RelatedIntegers>(1, 6, &[1, 2 * 3, 3 * 6, 4 * 10, 5 * 15, 6 * 21]);
    assert_eq!(by_hand::<RelatedIntegers>(100).len(), 505_000);
}
