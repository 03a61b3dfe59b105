//! Sets whose search ends early, or whose inputs are hard to tell apart.

use std::sync::Arc;
use std::time::Duration;

use target_strategies::cancel;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::{check, relation_of, resolved, space, subject};
use crate::frontend::subject::{Different, Subject};
use crate::generate::different::effort::Effort;
use crate::generate::different::pairs::{self, LOOKS, Looks};
use crate::generate::different::relation::Related;
use crate::generate::different::{Larger, Set, key, together};

/// No members are looked at in order.
const NONE_LISTED: Looks = Looks { listed: 0, listed_by_key: 0 };

fn different(subject: &Subject) -> &Different {
    subject.different.as_ref().expect("the spec has a relation")
}

fn bounded(subject: &Subject, bound: u32) -> Space {
    Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 4, bound })
}

/// The set that is found with so many looks and steps.
fn found(space: &Space, subject: &Subject, n_asked: usize, (looks, n_steps): (Looks, u64)) -> Set {
    let relation = relation_of(different(subject));
    let effort = Effort::new(Duration::MAX).at_most(n_steps);
    let set = pairs::find(space, relation, n_asked, (looks, effort));
    check(&set, &mut Related::new(space.spec(), relation));
    set
}

#[test]
fn a_question_that_is_too_large_is_not_built() {
    let subject = subject(("s: String, t: String", "_, _", "|a, b| a.s != b.s && a.t != b.t"));
    let relation = relation_of(different(&subject));
    let keys = key::keys(&relation.term, &relation.second);
    // Five thousand inputs have twelve million pairs.
    for n in [5_000, u32::MAX as usize] {
        let answer =
            together::ask(&space(&subject), relation, keys.as_deref(), n, Effort::new(Duration::MAX));
        assert!(matches!(answer, together::Answer::Unknown));
    }
}

#[test]
fn a_string_that_cannot_be_judged_may_be_a_further_input() {
    let long = "(0..4_000_000_000).all(|i| s.len() < i + 9)";
    let params = format!("s: {{s: String | s.matches(\"[ab]{{0,2}}\") && (s.len() < 2 || {long})}}");
    let subject = subject((&params, "_", "edit_distance(1)"));
    let set = found(&space(&subject), &subject, 60, (NONE_LISTED, u64::MAX));
    assert_eq!(set.members.len(), 3);
    assert!(matches!(set.larger, Larger::Unknown(_)), "{:?}", set.larger);
}

#[test]
fn the_last_string_may_complete_the_set() {
    let subject = subject(("s: {s: String | s.matches(\"[ab]\")}", "_", "edit_distance(1)"));
    let set = found(&space(&subject), &subject, 2, (NONE_LISTED, u64::MAX));
    assert_eq!((set.members.len(), set.larger), (2, Larger::Unasked));
}

#[test]
fn no_lists_are_farther_apart_than_they_are_long() {
    for least in ["4294967295", "9223372036854775808", "18446744073709551616"] {
        let relation = format!("|a, b| edit_distance(a.xs, b.xs, {least}) || a.b != b.b");
        let subject = subject(("xs: {xs: Vec<bool> | xs.len() <= 2}, b: bool", "_, _", &relation));
        let set = found(&space(&subject), &subject, 60, (NONE_LISTED, u64::MAX));
        assert!(set.members.len() == 2 && set.larger.is_maximal(), "{least}: {set:?}");
    }
}

#[test]
fn a_search_that_is_stopped_changes_no_input() {
    // The search in the graph finds larger sets twice; the sets asked for at once become larger, too.
    let in_graph = ("x: {x: u32 | x < 200}", "_", "|a, b| a != b && (a * b + a + b) % 101 < 80");
    let at_once = ("x: {x: i32 | 0 <= x}, y: {y: i32 | x < y}", "_, _", "|a, b| a.y <= b.x || b.y <= a.x");
    for (spec, n_asked) in [(in_graph, 200), (at_once, 20)] {
        let subject = subject(spec);
        let space = bounded(&subject, 200);
        let before = cancel::steps();
        let greatest = found(&space, &subject, n_asked, (LOOKS, u64::MAX)).members;
        let n_all = cancel::steps() - before;
        let mut in_order: Vec<Vec<Value>> = Vec::new();
        for n in 0..8 {
            let members = found(&space, &subject, n_asked, (LOOKS, n_all * n / 8)).members;
            assert!(members.starts_with(&in_order) || members == greatest, "{n}: {members:?}");
            if members != greatest {
                in_order = members;
            }
        }
        assert!(!in_order.is_empty() && in_order.len() < greatest.len());
    }
}

#[test]
fn inputs_are_not_asked_to_be_no_distance_apart() {
    for least in ["0", "-1"] {
        let (_, mistakes) = resolved(("s: String", "_", &format!("edit_distance({least})")));
        let messages: Vec<&str> = mistakes.iter().map(|mistake| mistake.message.as_str()).collect();
        assert_eq!(messages, ["`edit_distance` takes a distance of at least 1: any two values are 0 apart"]);
    }
}

#[test]
fn an_input_that_differs_from_none_is_not_the_whole_set() {
    // Half of the numbers, and the two zeros are one. The first inputs of the space have other `y`.
    let subject = subject(("x: f64, y: u16", "_, _", "|a, b| a.x != b.x && a.y < 2"));
    for (bound, listed) in [(30, 20_000), (30, 500)] {
        let looks = Looks { listed, listed_by_key: listed };
        let set = found(&bounded(&subject, bound), &subject, 1400, (looks, u64::MAX));
        let most = 4 * bound as usize + 1;
        let is_right = match &set.larger {
            Larger::None => set.members.len() == most,
            Larger::NotWithThese(_) => (most - 1..=most).contains(&set.members.len()),
            Larger::Unknown(_) => set.members.len() > most / 2,
            Larger::Unasked => false,
        };
        assert!(is_right, "{bound}, {listed}: {} of {most}, {:?}", set.members.len(), set.larger);
    }
}

#[test]
fn the_two_zeros_are_equal_and_not_the_same() {
    let of = |relation: &str, n| {
        let subject = subject(("x: {x: f64 | -1.0 <= x && x <= 1.0}", "_", relation));
        let set = found(&bounded(&subject, 1), &subject, n, (LOOKS, u64::MAX));
        (set.members.len(), set.larger)
    };
    // -1, -0.5, 0, 0.5 and 1, and one of the zeros again where inputs may be equal.
    assert_eq!(of("not_equal", 20), (5, Larger::None));
    assert_eq!(of("distance(0.5)", 20), (5, Larger::None));
    assert_eq!(of("|a, b| a * b >= 0.0", 20), (4, Larger::None));
    assert_eq!(of("|a, b| a == b", 20), (2, Larger::None));
    assert_eq!(of("|a, b| a.is_sign_negative() != b.is_sign_negative()", 20), (2, Larger::None));
}

#[test]
fn small_numbers_come_first_in_a_wide_range() {
    let set = |spec, n| {
        let subject = subject(spec);
        found(&bounded(&subject, 30_000), &subject, n, (LOOKS, u64::MAX)).members
    };
    let numbers: Vec<Vec<Value>> = [0, 1000, -1000, 2000, -2000, 3000].map(|n| vec![Value::int(n)]).to_vec();
    assert_eq!(set(("x: i64", "_", "distance(1000)"), 6), numbers);
    let kinds = set(("c: Color, x: u32", "_, _", "cover(c) || distance(x, 900)"), 6);
    let numbers: Vec<&Value> = kinds.iter().map(|input| &input[1]).collect();
    assert_eq!(numbers, [0, 0, 0, 900, 900, 1800].map(Value::int).iter().collect::<Vec<_>>());
    // Where neighbours are all alike, others come from everywhere.
    let far = set(("x: i64", "_", "|a, b| a * b == 0 && a + b > 25_000"), 2);
    assert_eq!(far.len(), 2);
}

#[test]
fn strings_whose_neighbours_take_long_to_find_are_walked_over() {
    let subject = subject(("s: Iban", "_", "edit_distance(8)"));
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 16, bound: 4 });
    let set = found(&space, &subject, 6, (LOOKS, 12_000_000));
    assert_eq!((set.members.len(), set.larger), (6, Larger::Unasked));
}
