//! Generators for `maps`, written by hand. A build has one feature, and races on its bug.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use std::collections::BTreeMap;

use balanced_map::{Map, delete, difference, insert, link, split, to_list, union};
use contest::proptest::prelude::*;
use contest::{Built, Parts, race_built};
use correct_maps as correct;

type Numbers = Map<i64, i8>;

fn copy(m: correct::Map<i64, i8>) -> Numbers {
    match m {
        correct::Map::Tip => Map::Tip,
        correct::Map::Bin(s, k, v, l, r) => Map::Bin(s, k, v, copy(*l).into(), copy(*r).into()),
    }
}

fn map(keys: Vec<i64>, value: i8) -> Numbers {
    copy(correct::from_list(keys.into_iter().map(|k| (k, value)).collect()))
}

fn quick_map(value: i8) -> impl Strategy<Value = Numbers> {
    Just(Map::Tip).prop_recursive(4, 16, 2, move |inner| {
        (1..8_usize, -10..10_i64, inner.clone(), inner)
            .prop_map(move |(s, k, l, r)| Map::Bin(s, k, value, l.into(), r.into()))
    })
}

fn size(m: &Numbers) -> usize {
    match m {
        Map::Tip => 0,
        Map::Bin(s, ..) => *s,
    }
}

fn is_balanced(m: &Numbers) -> bool {
    let Map::Bin(s, _, _, l, r) = m else { return true };
    let (left, right) = (size(l), size(r));
    is_balanced(l)
        && is_balanced(r)
        && *s == 1 + left + right
        && (left + right <= 1 || left <= 3 * right && right <= 3 * left)
}

fn is_valid(m: &Numbers) -> bool {
    is_balanced(m) && to_list(m).windows(2).all(|w| w[0].0 < w[1].0)
}

/// The entries of a valid map.
fn entries(m: &Numbers) -> BTreeMap<i64, i8> {
    to_list(m).into_iter().collect()
}

fn is(m: &Numbers, expected: BTreeMap<i64, i8>) -> bool {
    is_valid(m) && to_list(m).into_iter().eq(expected)
}

/// Races on a key and a map.
fn keyed(bug: &'static str, holds: fn((i64, Numbers)) -> bool) {
    race_built(
        bug,
        (|(_, m)| is_valid(m), holds),
        Parts { xs: -30..=30, a: -30..=30, ..Parts::default() },
        |(keys, _, k, _, _)| (k, map(keys, 1)),
        (-10..10_i64, quick_map(1)),
    );
}

/// Races on two maps.
fn paired(bug: &'static str, holds: fn((Numbers, Numbers)) -> bool) {
    race_built(
        bug,
        (|(a, b)| is_valid(a) && is_valid(b), holds),
        Parts { xs: -30..=30, ys: -30..=30, ..Parts::default() },
        |(xs, ys, ..)| (map(xs, 1), map(ys, 2)),
        (quick_map(1), quick_map(2)),
    );
}

fn main() {
    #[cfg(feature = "balance-rotates-once")]
    keyed("balance-rotates-once", |(k, m)| {
        let mut expected = entries(&m);
        expected.insert(k, 2);
        is(&insert(k, 2, m), expected)
    });
    #[cfg(any(feature = "delete-keeps-the-size", feature = "glue-takes-from-the-left"))]
    {
        let bug = if cfg!(feature = "glue-takes-from-the-left") {
            "glue-takes-from-the-left"
        } else {
            "delete-keeps-the-size"
        };
        keyed(bug, |(k, m)| {
            let mut expected = entries(&m);
            expected.remove(&k);
            is(&delete(&k, m), expected)
        });
    }
    #[cfg(feature = "split-loses-the-middle")]
    keyed("split-loses-the-middle", |(k, m)| {
        let mut below = entries(&m);
        let mut above = below.split_off(&k);
        let found = above.remove(&k);
        let v = split(&k, m);
        is(&v.0, below) && v.1 == found && is(&v.2, above)
    });
    #[cfg(feature = "union-prefers-the-right")]
    paired("union-prefers-the-right", |(a, b)| {
        let mut expected = entries(&b);
        expected.extend(entries(&a));
        is(&union(a, b), expected)
    });
    #[cfg(feature = "difference-keeps-a-root")]
    paired("difference-keeps-a-root", |(a, b)| {
        let mut expected = entries(&a);
        expected.retain(|k, _| !entries(&b).contains_key(k));
        is(&difference(a, b), expected)
    });
    #[cfg(feature = "link-forgets-to-rebalance")]
    race_built(
        "link-forgets-to-rebalance",
        (
            |(k, l, r): &(i64, Numbers, Numbers)| {
                is_valid(l)
                    && is_valid(r)
                    && to_list(l).last().is_none_or(|(last, _)| last < k)
                    && to_list(r).first().is_none_or(|(first, _)| k < first)
            },
            |(k, l, r)| {
                let mut expected = entries(&l);
                expected.extend(entries(&r));
                expected.insert(k, 1);
                is(&link(k, 1, l, r), expected)
            },
        ),
        Parts { xs: -30..=-1, ys: 1..=30, ..Parts::default() },
        |(xs, ys, ..)| (0, map(xs, 1), map(ys, 1)),
        (-10..10_i64, quick_map(1), quick_map(1)),
    );
}
