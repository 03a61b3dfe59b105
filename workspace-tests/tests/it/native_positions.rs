//! Positions in the lists of the native engine: by number, and by the path of choices, a list can be split anywhere.

use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Native, Position};
use target_strategies::space::{Bounds, Space};
use workspace_tests::Fixture;

use crate::native_engine::{at, counted, listed, rest, sizes, space, space_of, trees};
use crate::table::{Args, Entry};

/// The members of a class in order, each with the path to it.
fn with_paths(engine: &mut Native, class: Class) -> Vec<(Vec<u32>, Args)> {
    let mut found = Vec::new();
    let Some(mut cursor) = engine.cursor(class) else { return found };
    while engine.advance(&mut cursor) {
        found.push((cursor.path(), cursor.values().to_vec()));
    }
    found
}

/// Asserts that the list of each class can be split at each member, by its number and by its path.
#[track_caller]
fn check(space: &Space, n_members: usize) {
    let mut engine = Native::new(space);
    let mut n_by_size = 0;
    for class in sizes(&engine) {
        n_by_size += check_class(space, class);
    }
    assert_eq!(n_by_size, n_members);
    assert_eq!(check_class(space, Class::All), n_members);
    // Numbers are those of the counted list, whatever else was asked of the engine.
    for class in sizes(&engine) {
        counted(&mut engine, class);
    }
    counted(&mut engine, Class::All);
    check_numbers(&mut engine, Class::All);
}

#[track_caller]
fn check_class(space: &Space, class: Class) -> usize {
    let mut engine = Native::new(space);
    // Of what isn't counted, there are paths alone.
    let uncounted = check_paths(&mut engine, &mut Native::new(space), class);
    let (mut one, mut other) = (Native::new(space), Native::new(space));
    let n = counted(&mut one, class).to_usize().expect("there are few");
    counted(&mut other, class);
    assert_eq!(check_paths(&mut one, &mut other, class), uncounted, "{class:?}: counting changes the order");
    assert_eq!(check_numbers(&mut one, class), uncounted, "{class:?}: counting changes the order");
    let again = check_paths(&mut one.again(), &mut Native::new(space), class);
    assert_eq!(again, uncounted, "{class:?}: what an engine knows changes the order");
    assert_eq!(uncounted.len(), n, "{class:?}");
    n
}

/// Checks that a path taken with an engine leads another one there, and that the list goes on from there.
#[track_caller]
fn check_paths(engine: &mut Native, other: &mut Native, class: Class) -> Vec<Args> {
    let members = with_paths(engine, class);
    let list: Vec<Args> = members.iter().map(|(_, args)| args.clone()).collect();
    for (i, (path, args)) in members.iter().enumerate() {
        let position = Position::Path(path.clone());
        assert_eq!(at(other, class, &position).as_ref(), Some(args), "{class:?}, {path:?}");
        let cursor = other.cursor_at(class, &position);
        assert_eq!(rest(other, cursor), list[i..], "{class:?} from {path:?} on");
    }
    let cursor = other.cursor_at(class, &Position::Path(Vec::new()));
    assert_eq!(rest(other, cursor), list, "{class:?}: no choices lead to the first");
    list
}

/// Checks that a number is that of the member in the list, and that the list goes on from there.
#[track_caller]
fn check_numbers(engine: &mut Native, class: Class) -> Vec<Args> {
    let list = listed(engine, class);
    for i in 0..list.len() {
        let cursor = engine.cursor_at(class, &Position::Rank(i as u128));
        assert_eq!(rest(engine, cursor), list[i..], "{class:?} from {i} on");
    }
    for beyond in [list.len() as u128, list.len() as u128 + 1, u128::MAX] {
        assert_eq!(at(engine, class, &Position::Rank(beyond)), None, "{class:?}: of {}", list.len());
    }
    list
}

#[test]
fn in_lists_of_trees() {
    let fixture = trees();
    let bounds = Bounds { depth: 2, bound: 2 };
    check(&space_of(&fixture, 1, "fn(t: Search<i64>)", bounds), 36);
    check(&space_of(&fixture, 1, "fn(t: OkTree)", bounds), 61);
    check(&space_of(&fixture, 1, "fn(t: OkAvl<i64>)", bounds), 36);
    check(
        &space_of(
            &fixture,
            2,
            "fn(k: i64, t: OkTree) requires !keys(t).contains(k)",
            Bounds { depth: 2, bound: 1 },
        ),
        3 + 12 + 6,
    );
}

#[test]
fn in_lists_of_lists() {
    check(&space("fn(v: {v: Vec<i64> | v.is_sorted()})", 3, 2), 1 + 5 + 15 + 35);
    check(&space("fn(v: {v: Vec<i64> | v.distinct()})", 3, 2), 1 + 5 + 20 + 60);
    check(&space("fn(v: {v: Vec<Vec<bool>> | v.iter().all(|w| w.len() == v.len())})", 2, 2), 1 + 2 + 16);
}

#[test]
fn in_lists_of_strings() {
    check(&space(r#"fn(s: {s: String | s.matches("(ab|ba|c)*")})"#, 5, 2), 1 + 1 + 3 + 5 + 11 + 21);
    check(&space(r#"fn(s: {s: String | s.matches("a+") && s.len() == 3})"#, 5, 2), 1);
}

#[test]
fn in_lists_of_tuples() {
    check(&space("fn(p: (i64, {x: (bool, i64) | x.0 || x.1 == 0})) requires p.0 <= p.1.1", 2, 2), 15 + 3);
    check(&space("fn(a: i64, b: (bool, bool), c: i64)", 2, 1), 3 * 4 * 3);
    check(&space("fn(o: Option<Option<bool>>, r: Result<bool, i64>)", 2, 1), 4 * 5);
}

#[test]
fn in_lists_of_sets_and_maps() {
    check(&space("fn(s: BTreeSet<i64>)", 3, 2), 1 + 5 + 10 + 10);
    // One or two keys out of three, and no value that is one.
    let spec = "fn(m: {m: BTreeMap<i64, bool> | !m.is_empty()})";
    check(&space(spec, 1, 1), 3 * 2 + 3 * 4);
}

#[test]
fn in_lists_of_one_or_none() {
    check(&space("fn()", 2, 2), 1);
    check(&space("fn(x: {x: i64 | x == 7})", 2, 2), 1);
    check(&space("fn(x: i64, y: i64) requires x < y && y < x", 2, 2), 0);
    let tree =
        Entry::new("", "fn(t: Tree)", 2, 1).with_rust("pub enum Tree { Leaf, Node(Box<Tree>, Box<Tree>) }");
    check(&tree.space().unwrap(), 5);
}

#[test]
fn in_lists_of_expressions() {
    let fixture = Fixture::open("lambda", "lambda");
    check(&space_of(&fixture, 1, "fn(e: Closed)", Bounds { depth: 2, bound: 2 }), 3 + 15 + 3 + 9);
}

/// The bits of the second argument, after the first one, as a number; of more, the last 128.
fn as_number(args: &[Value]) -> (bool, u128) {
    match args {
        [Value::Bool(first), Value::Seq(bits)] => {
            let bit = |bit: &Value| u128::from(*bit == Value::Bool(true));
            (*first, bits.iter().fold(0, |number, b| (number << 1) | bit(b)))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_in_classes_beyond_128_bits() {
    // Neighbours have to do with each other, so that the list is one part; all lists are admitted.
    let related = "v.windows(2).all(|w| w[0] || !w[0] || w[1])";
    for condition in ["true", related] {
        let spec = format!("fn(a: bool, v: {{v: Vec<bool> | v.len() == 150 && {condition}}})");
        let mut engine = Native::new(&space(&spec, 150, 2));
        let count = counted(&mut engine, Class::All);
        assert_eq!(count.bits(), 152, "{spec}");
        let first = listed_from(&mut engine, 0, 3);
        for number in [1, 2, 1 << 77, (1 << 127) + 12_345, u128::MAX / 3, u128::MAX - 2] {
            let members = listed_from(&mut engine, number, 3);
            for (i, args) in (0..).zip(&members) {
                assert_eq!(as_number(args), (false, number + i), "{spec}");
            }
        }
        assert_eq!(as_number(&first[0]), (false, 0), "{spec}");
        assert_eq!(as_number(&listed_from(&mut engine, u128::MAX, 1)[0]), (false, u128::MAX), "{spec}");
    }
}

/// So many members from a number on.
#[track_caller]
fn listed_from(engine: &mut Native, number: u128, n: usize) -> Vec<Args> {
    let mut cursor =
        engine.cursor_at(Class::All, &Position::Rank(number)).expect("there are more than 2^128");
    let mut next = || engine.advance(&mut cursor).then(|| cursor.values().to_vec()).expect("there are more");
    (0..n).map(|_| next()).collect()
}
