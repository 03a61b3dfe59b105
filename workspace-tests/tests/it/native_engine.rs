//! What the tests of the native engine share: specs to spaces, and what the engine says of them, judged from outside.

use std::collections::HashSet;
use std::time::Instant;

use target_strategies::logic::eval;
use target_strategies::logic::int::Int;
use target_strategies::native::{Class, Cursor, Native, Position};
use target_strategies::space::{Bounds, Space, skeleton_of};
use workspace_tests::{Fixture, Signature, brute_force, n_members};

use crate::table::{Args, Entry, admits};

/// Counting makes no more ways than that.
pub const EFFORT: u64 = 20_000_000;

/// Classes with more members are counted, but not listed.
const LISTED: u128 = 20_000;

/// Where counting all members at once made more ways, they are not counted by size, which makes many times more.
const BY_SIZE: u64 = 400;

/// Spaces with more members before they are judged are not gone through by brute force.
const BY_BRUTE_FORCE: u64 = 5000;

/// The space of a spec in terms of a fixture that was opened.
#[track_caller]
pub fn space_of(fixture: &Fixture, n_params: usize, spec: &str, bounds: Bounds) -> Space {
    let signature = Signature { spec, n_params, explore: None };
    fixture.space(&signature, bounds).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// The space of a spec without types of its own.
#[track_caller]
pub fn space(spec: &str, depth: u32, bound: u32) -> Space {
    Entry::new("", spec, depth, bound).space().unwrap_or_else(|mistakes| panic!("{spec}: {mistakes}"))
}

/// The trees of the fixture that has most of them.
pub fn trees() -> Fixture {
    Fixture::open("trees", "ordered_trees")
}

/// How many members a class has.
#[track_caller]
pub fn counted(engine: &mut Native, class: Class) -> Int {
    let count = engine.count(class, EFFORT).unwrap_or_else(|too_much| panic!("{class:?}: {too_much:?}"));
    count.exactly().cloned().unwrap_or_else(|| panic!("{class:?}: the judge gave up"))
}

/// What a cursor has from its next member on.
pub fn rest(engine: &mut Native, cursor: Option<Cursor>) -> Vec<Args> {
    let mut found = Vec::new();
    let Some(mut cursor) = cursor else { return found };
    while engine.advance(&mut cursor) {
        found.push(cursor.values().to_vec());
    }
    assert!(!engine.advance(&mut cursor), "there is a member behind the end");
    found
}

/// The members of a class in order.
pub fn listed(engine: &mut Native, class: Class) -> Vec<Args> {
    let cursor = engine.cursor(class);
    rest(engine, cursor)
}

/// The next member from a position on.
pub fn at(engine: &mut Native, class: Class, position: &Position) -> Option<Args> {
    let mut cursor = engine.cursor_at(class, position)?;
    engine.advance(&mut cursor).then(|| cursor.values().to_vec())
}

/// All classes by size.
pub fn sizes(engine: &Native) -> Vec<Class> {
    engine.sizes().map(Class::Size).collect()
}

/// Asserts that a space has so many members, by size too, and that the lists, if they are not too long, are of as many,
/// all distinct, all admitted, and those that brute force finds, if that doesn't take too long.
#[track_caller]
pub fn check(what: &str, space: &Space, count: u128) {
    let mut engine = Native::new(space);
    let start = Instant::now();
    let total = counted(&mut engine, Class::All);
    // With `--nocapture`: where the time goes as structures grow.
    let (n_states, n_ways) = engine.work();
    let took = start.elapsed();
    println!("{what}, {:?}: {total} by {n_states} states, {n_ways} ways in {took:.2?}", space.bounds());
    assert_eq!(total.to_u128(), Some(count), "{what}, {:?}", space.bounds());
    if n_ways <= BY_SIZE {
        let start = Instant::now();
        let mut sum = Int::ZERO;
        for class in sizes(&engine) {
            sum = &sum + &counted(&mut engine, class);
        }
        assert_eq!(sum, total, "{what}, {:?}: by size", space.bounds());
        println!("  by size by {} ways in {:.2?}", engine.work().1, start.elapsed());
    }
    if count <= LISTED {
        check_list(what, space, &mut engine, count as usize, n_ways <= BY_SIZE);
    }
}

fn check_list(what: &str, space: &Space, engine: &mut Native, count: usize, by_size: bool) {
    let members = listed(engine, Class::All);
    assert_eq!(members.len(), count, "{what}: the list");
    // An engine that doesn't count goes the same way.
    assert!(members == listed(&mut Native::new(space), Class::All), "{what}: a walk is in another order");
    let set: HashSet<Args> = members.iter().cloned().collect();
    assert_eq!(set.len(), count, "{what}: a member is listed twice");
    for args in &members {
        assert!(eval::admits(space.spec(), args) && admits(space, args), "{what}: {args:?} isn't admitted");
        assert!(space.contains(args), "{what}: {args:?} isn't in the space");
    }
    if by_size {
        check_lists_by_size(what, space, engine, &set);
    }
    if n_members(space, BY_BRUTE_FORCE).is_some() {
        assert!(set == brute_force(space), "{what}: native and brute force differ");
    }
}

fn check_lists_by_size(what: &str, space: &Space, engine: &mut Native, set: &HashSet<Args>) {
    let mut n = 0;
    let mut walking = Native::new(space);
    for class in sizes(engine) {
        let members = listed(engine, class);
        assert!(members == listed(&mut walking, class), "{what}: a walk is in another order");
        for args in members {
            assert_eq!(class, Class::Size(skeleton_of(&args).size()), "{what}: {args:?}");
            assert!(set.contains(&args), "{what}: {args:?} is a member by size alone");
            n += 1;
        }
    }
    assert_eq!(n, set.len(), "{what}: the lists by size");
}
