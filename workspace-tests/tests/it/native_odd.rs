//! Odd specs by the native engine: none to find, nothing to choose, undefined conditions, Rust code, and too much to count.

use target_strategies::native::{Class, Native, Position, TooMuch};
use target_strategies::space::{Bounds, Space};
use workspace_tests::{Fixture, brute_force};

use crate::native_engine::{at, check, counted, listed, sizes, space, space_of};
use crate::table::{Args, Entry};

/// Asserts that a space is as brute force says, which finds so many.
#[track_caller]
fn check_all(space: &Space, count: u128) {
    check(&space.spec().name, space, count);
    assert_eq!(brute_force(space).len() as u128, count);
}

#[test]
fn nothing_is_found_where_nothing_is() {
    for spec in [
        "fn(x: i64) requires x < x",
        "fn(x: i64, y: i64) requires x < y && y < x",
        "fn(x: {x: i64 | x * x == 2})",
        "fn(v: {v: Vec<i64> | v.len() == 2 && v[0] < v[1] && v[1] < v[0]})",
        "fn(x: bool) requires false",
        "fn() requires false",
        "fn(s: {s: BTreeSet<bool> | s.len() == 3})",
    ] {
        let space = space(spec, 3, 3);
        let mut engine = Native::new(&space);
        let classes: Vec<Class> = sizes(&engine).into_iter().chain([Class::All]).collect();
        for class in classes {
            assert_eq!(listed(&mut engine, class), Vec::<Args>::new(), "{spec}");
            assert_eq!(counted(&mut engine, class).to_u64(), Some(0), "{spec}");
            assert_eq!(listed(&mut engine, class), Vec::<Args>::new(), "{spec}");
            assert!(engine.sample(class, 0, 0).is_none(), "{spec}");
            for position in
                [Position::Rank(0), Position::Rank(1), Position::Path(vec![]), Position::Path(vec![0])]
            {
                assert_eq!(at(&mut engine, class, &position), None, "{spec}");
            }
        }
    }
}

#[test]
fn a_function_without_parameters_has_one_input() {
    let space = space("fn()", 2, 2);
    check_all(&space, 1);
    let mut engine = Native::new(&space);
    assert_eq!(listed(&mut engine, Class::All), [Args::new()]);
    assert_eq!(counted(&mut engine, Class::Size(1)).to_u64(), Some(0));
    assert_eq!(engine.sample(Class::All, 5, 6), Some(Args::new()));
}

/// Of all elements of a list the same is demanded, also of one that is known to lie where others don't.
#[test]
fn an_element_beyond_the_bound_satisfies_its_own_clauses() {
    let small = "{x: i64 | x * x < 50}";
    for (spec, count) in [
        (format!("fn(v: {{v: Vec<{small}> | v.len() == 1 && v[0] >= 10}})"), 0),
        (format!("fn(v: {{v: Vec<{small}> | v.len() == 1 && v[0] >= 6}})"), 2),
        ("fn(v: {v: Vec<{x: i64 | x.abs() < 100}> | v.len() == 1 && v[0] == 200})".to_owned(), 0),
        (format!("fn(v: {{v: Vec<({small}, bool)> | v.len() == 1 && v[0].0 >= 10}})"), 0),
        (format!("fn(v: Vec<{small}>) requires v.len() == 2 && v[1] == 20"), 0),
    ] {
        check_all(&space(&spec, 2, 3), count);
    }
}

/// Measures that see a part of a value only bound neither how deep the value is nor its size.
#[test]
fn what_a_measure_does_not_see_is_as_deep_as_may_be() {
    let medley = Fixture::open("medley", "medley");
    for (spec, count) in [
        // Of five elements none or one behind the first.
        ("fn(xs: List<i64>) requires first(xs) == 2", 1 + 5),
        ("fn(xs: List<i64>) requires first(xs) == 0", 1 + 1 + 5),
        ("fn(xs: OrdList<i64>) requires first(xs) == 1", 1 + 2),
        // Nodes are red or not. On the left three keys are less, on the right one is greater.
        ("fn(t: Search<i64>) requires root(t) == 1", 2 * (1 + 2 * 3) * (1 + 2)),
        ("fn(t: Search<i64>) requires spine(t) == 1", 2 * (5 + 2 * (4 + 3 + 2 + 1))),
        ("fn(t: Tree<bool>) requires spine(t) == 1", 2 * 2 * (1 + 2 * 2)),
    ] {
        check_all(&space_of(&medley, 1, spec, Bounds { depth: 2, bound: 2 }), count);
    }
}

/// The length of a string is in bytes, and there are so many of its characters or fewer.
#[test]
fn strings_are_as_long_as_their_bytes() {
    for (spec, count) in [
        ("fn(s: {s: String | s.len() == 2 && s.chars().all(|c| c == 'a' || c == 'é')})", 2),
        ("fn(s: {s: String | s.len() == 3 && s.chars().all(|c| c == 'a' || c == 'é')})", 3),
        ("fn(s: {s: String | s.len() == 4 && s.chars().all(|c| c == '😀' || c == 'é')})", 2),
        ("fn(s: {s: String | s.chars().count() == 2 && s.chars().all(|c| c == 'a' || c == 'é')})", 4),
    ] {
        check_all(&space(spec, 3, 3), count);
    }
}

#[test]
fn what_is_undefined_is_refused() {
    for (spec, count) in [
        ("fn(x: i64) requires 6 / x > 1", 3),
        ("fn(x: i64) requires x == 0 || 6 / x > 1", 4),
        ("fn(x: i64) requires 6 / x > 1 || x == 0", 3),
        ("fn(x: i64) requires !(6 / x > 1)", 3),
        ("fn(v: {v: Vec<i64> | v[0] == v[1]})", 7 + 49),
        ("fn(v: Vec<bool>, i: usize) requires v[i] || true", 2 + 2 * 4 + 3 * 8),
        ("fn(o: Option<i64>) requires o.unwrap() >= 0", 4),
    ] {
        check_all(&space(spec, 3, 3), count);
    }
}

#[test]
fn rust_code_is_left_to_the_harness() {
    let text =
        "fn(x: {x: i64 | 0 < x where x.count_ones() == 1}, y: i64) requires x <= y where y.is_positive()";
    let mut engine = Native::new(&space(text, 3, 3));
    assert_eq!(engine.left_to_harness().len(), 2);
    // What isn't Rust code holds.
    assert_eq!(counted(&mut engine, Class::All).to_u64(), Some(3 + 2 + 1));
    assert_eq!(listed(&mut engine, Class::All).len(), 6);
    let mut engine = Native::new(&space("fn(x: i64) requires 0 < x", 3, 3));
    assert!(engine.left_to_harness().is_empty());
    assert_eq!(counted(&mut engine, Class::All).to_u64(), Some(3));
}

#[test]
fn explored_is_what_explore_says() {
    let mut entry = Entry::new("", "fn(v: {v: Vec<i64> | v.is_sorted()})", 3, 2);
    check_all(&entry.space().unwrap(), 1 + 5 + 15 + 35);
    entry.explore = Some("v.len() == 2 && v[0] == 0".to_owned());
    check_all(&entry.space().unwrap(), 3);
    entry.explore = Some("v.contains(1) && !v.contains(2)".to_owned());
    check_all(&entry.space().unwrap(), 1 + 4 + 10);
}

/// Ways to put six queens on a board.
fn queens() -> Space {
    let apart =
        "v.distinct() && (0..v.len()).all(|i| (0..i).all(|j| v[i] - v[j] != i - j && v[j] - v[i] != i - j))";
    let on_board = "v.len() == 6 && v.iter().all(|x| 0 <= x && x < 6)";
    space(&format!("fn(v: {{v: Vec<i64> | {on_board} && {apart}}})"), 6, 6)
}

#[test]
fn what_is_too_much_to_count_can_be_listed() {
    let mut engine = Native::new(&queens());
    assert_eq!(engine.count(Class::All, 10), Err(TooMuch));
    assert_eq!(engine.count(Class::All, 0), Err(TooMuch));
    assert!(engine.sample(Class::All, 0, 0).is_none(), "it isn't counted");
    assert_eq!(at(&mut engine, Class::All, &Position::Rank(1)), None, "it isn't counted");
    let members = listed(&mut engine, Class::All);
    assert_eq!(members.len(), 4);
    // Counted after all, it is the same list.
    assert_eq!(counted(&mut engine, Class::All).to_u64(), Some(4));
    assert_eq!(listed(&mut engine, Class::All), members);
    assert_eq!(at(&mut engine, Class::All, &Position::Rank(1)).as_ref(), Some(&members[1]));
}

#[test]
fn counting_goes_on_where_it_was_given_up() {
    let mut engine = Native::new(&queens());
    let mut n_tries = 1;
    let count = loop {
        // What was counted before is known.
        match engine.count(Class::All, 30) {
            Ok(count) => break count,
            Err(TooMuch) => n_tries += 1,
        }
        assert!(n_tries < 100, "counting goes nowhere");
    };
    assert!(n_tries > 1);
    assert_eq!(count.exactly().and_then(|n| n.to_u64()), Some(4));
    assert_eq!(listed(&mut engine, Class::All), listed(&mut Native::new(&queens()), Class::All));
}
