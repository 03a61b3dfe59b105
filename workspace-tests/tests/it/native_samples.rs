//! Samples of the native engine: uniform, each a function of the seed and its number, and of classes of any size.

use std::collections::{HashMap, HashSet};

use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Native, Position};
use target_strategies::space::{Bounds, Space};
use workspace_tests::Fixture;

use crate::native_engine::{counted, listed, space, space_of, trees};
use crate::table::{Args, Entry, admits};

/// So many samples are expected of each cell.
const PER_CELL: usize = 30;

/// What a statistic of chi-squared exceeds with probability 10^-6, by the degrees of freedom (Wilson and Hilferty 1931).
fn critical(freedom: usize) -> f64 {
    // Where the normal distribution leaves 10^-6 above.
    let z = 4.7534;
    let k = freedom as f64;
    k * (1.0 - 2.0 / (9.0 * k) + z * (2.0 / (9.0 * k)).sqrt()).powi(3)
}

/// Asserts that so many cells were hit as often as chance has it.
#[track_caller]
fn is_uniform(what: &str, n_cells: usize, hits: &[usize]) {
    let mut cells = vec![0_usize; n_cells];
    hits.iter().for_each(|cell| cells[*cell] += 1);
    let expected = hits.len() as f64 / n_cells as f64;
    let statistic: f64 = cells.iter().map(|n| (*n as f64 - expected).powi(2) / expected).sum();
    let critical = critical(n_cells - 1);
    println!("{what}: {n_cells} cells, {} samples, {statistic:.0} of {critical:.0}", hits.len());
    assert!(statistic < critical, "{what}: {statistic} is over {critical}: {cells:?}");
}

#[track_caller]
fn drawn(engine: &mut Native, class: Class, seed: u64, index: u64) -> Args {
    engine.sample(class, seed, index).expect("the class was counted and has members")
}

/// Asserts that the samples of a class are uniform, those of one seed as the first of each.
#[track_caller]
fn check(what: &str, space: &Space, class: Class, n_members: usize) {
    let mut engine = Native::new(space);
    assert_eq!(counted(&mut engine, class).to_u64(), Some(n_members as u64), "{what}");
    let members = listed(&mut engine, class);
    let cells: HashMap<&Args, usize> = (0..).zip(&members).map(|(i, args)| (args, i)).collect();
    let n = (members.len() * PER_CELL) as u64;
    let by_index: Vec<usize> = (0..n).map(|i| cells[&drawn(&mut engine, class, 7, i)]).collect();
    is_uniform(what, members.len(), &by_index);
    let by_seed: Vec<usize> = (0..n).map(|seed| cells[&drawn(&mut engine, class, seed, 0)]).collect();
    is_uniform(&format!("{what}, by seed"), members.len(), &by_seed);
}

#[test]
fn search_trees_are_drawn_uniformly() {
    let space = space_of(&trees(), 1, "fn(t: Search<i64>)", Bounds { depth: 2, bound: 2 });
    check("search trees of depth 2", &space, Class::All, 36);
}

#[test]
fn red_black_trees_of_a_size_are_drawn_uniformly() {
    let space = space_of(&trees(), 1, "fn(t: OkTree)", Bounds { depth: 3, bound: 3 });
    let mut engine = Native::new(&space);
    let largest = engine.sizes().map(Class::Size).max_by_key(|class| counted(&mut engine, *class));
    let class = largest.expect("there are sizes");
    let n = counted(&mut engine, class).to_usize().expect("there are 827 of all sizes");
    assert!((200..827).contains(&n), "{n}");
    check("red-black trees of a size", &space, class, n);
}

#[test]
fn heaps_are_drawn_uniformly() {
    let fixture = Fixture::open("arrays", "arrays");
    let space = space_of(&fixture, 1, "fn(h: OkHeap)", Bounds { depth: 4, bound: 4 });
    check("heaps of 4 cells", &space, Class::All, 320);
}

#[test]
fn closed_expressions_are_drawn_uniformly() {
    let fixture = Fixture::open("lambda", "lambda");
    // As many as the fixture's `normalize` is tested with.
    let space = space_of(&fixture, 1, "fn(e: Closed)", Bounds { depth: 3, bound: 2 });
    check("expressions without free variables", &space, Class::All, 1149);
}

#[test]
fn sorted_lists_are_drawn_uniformly() {
    let spec = "fn(v: {v: Vec<i64> | v.is_sorted()})";
    // Of seven values: 1, 7, 28, 84 and 210 by length.
    check("sorted lists", &space(spec, 4, 3), Class::All, 330);
    check("sorted lists of 3", &space(spec, 4, 3), Class::Size(3), 84);
}

#[test]
fn strings_that_match_are_drawn_uniformly() {
    let spec = r#"fn(s: {s: String | s.matches("(ab|ba|c)*") && 4 <= s.chars().count()})"#;
    let space = space(spec, 2, 2);
    let mut engine = Native::new(&space);
    // Of length n + 2 there are those of n twice, and those of n + 1: 1, 1, 3, 5, 11, 21, 43.
    assert_eq!(listed(&mut engine, Class::All).len(), 11 + 21 + 43);
    check("strings", &space, Class::All, 11 + 21 + 43);
}

#[test]
fn one_sample_tells_nothing_of_the_next() {
    let space = space_of(&trees(), 1, "fn(t: Search<i64>)", Bounds { depth: 2, bound: 2 });
    let mut engine = Native::new(&space);
    counted(&mut engine, Class::All);
    let members = listed(&mut engine, Class::All);
    let cell = |args: &Args| members.iter().position(|other| other == args).unwrap();
    let n = (36 * 36 * PER_CELL) as u64;
    let cells: Vec<usize> = (0..=n).map(|i| cell(&drawn(&mut engine, Class::All, 3, i))).collect();
    let pairs: Vec<usize> = cells.windows(2).map(|pair| pair[0] * 36 + pair[1]).collect();
    is_uniform("pairs of samples", 36 * 36, &pairs);
    let by_seed = |engine: &mut Native, seed| cell(&drawn(engine, Class::All, seed, 5));
    let cells: Vec<usize> = (0..=n).map(|seed| by_seed(&mut engine, seed)).collect();
    let pairs: Vec<usize> = cells.windows(2).map(|pair| pair[0] * 36 + pair[1]).collect();
    is_uniform("pairs of seeds", 36 * 36, &pairs);
}

#[test]
fn a_sample_is_a_function_of_the_seed_and_its_number() {
    let space = space_of(&trees(), 1, "fn(t: OkTree)", Bounds { depth: 4, bound: 4 });
    let (mut one, mut other) = (Native::new(&space), Native::new(&space));
    counted(&mut one, Class::All);
    // What else was asked before doesn't matter.
    counted(&mut other, Class::Size(4));
    counted(&mut other, Class::All);
    listed(&mut other, Class::Size(2));
    for seed in [0, 1, u64::MAX] {
        let forth: Vec<Args> = (0..50).map(|i| drawn(&mut one, Class::All, seed, i)).collect();
        let mut back: Vec<Args> = (0..50).rev().map(|i| drawn(&mut other, Class::All, seed, i)).collect();
        back.reverse();
        assert_eq!(forth, back);
        let next: Vec<Args> = (0..50).map(|i| drawn(&mut one, Class::All, seed.wrapping_add(1), i)).collect();
        assert_ne!(forth, next);
        assert!(forth.iter().collect::<HashSet<_>>().len() > 25, "{forth:?}");
    }
}

#[test]
fn the_path_of_a_sample_leads_to_it() {
    let text = "fn(s: {s: String | s.matches(\"[ab]+c?\")}, t: (bool, Vec<i64>))";
    let trees = space_of(&trees(), 1, "fn(t: OkTree)", Bounds { depth: 3, bound: 3 });
    for space in [space(text, 3, 1), trees] {
        let mut engine = Native::new(&space);
        counted(&mut engine, Class::All);
        for index in 0..200 {
            let path =
                engine.sample_path(Class::All, 3, index).expect("the class was counted and has members");
            let mut cursor = engine.cursor_at(Class::All, &Position::Path(path)).expect("the path was drawn");
            assert!(engine.advance(&mut cursor));
            assert_eq!(cursor.values(), drawn(&mut engine, Class::All, 3, index));
        }
    }
}

#[test]
fn keys_within_bounds_of_their_own_are_moved_like_others() {
    let engine = |keys: &str| {
        let spec = format!("fn(t: {{t: Ordered<{keys}> | no_red_red(t) && balanced(t) && size(t) == 9}})");
        Native::new(&space_of(&trees(), 1, &spec, Bounds { depth: 5, bound: 11 }))
    };
    let specs = ["{k: i64 | -4 <= k && k <= 4}", "{k: i64 | 3 <= k && k <= 11}"];
    let mut engines = specs.map(engine);
    let counts = engines.each_mut().map(|engine| (counted(engine, Class::All), engine.work().0));
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].1 < 80, "{counts:?}");
    let [one, other] = engines.each_mut().map(|engine| listed(engine, Class::All));
    let moved =
        |args: &Args| format!("{args:?}").split("Small(").skip(1).map(first_number).collect::<Vec<i64>>();
    let by_seven = |keys: Vec<i64>| keys.into_iter().map(|key| key + 7).collect::<Vec<i64>>();
    assert!(one.iter().map(moved).map(by_seven).eq(other.iter().map(moved)));
}

/// The number that a text begins with.
fn first_number(text: &str) -> i64 {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    text[..end].parse().expect("it begins with a number")
}

/// Draws from a class of more than 2^128 members: all are valid, and none comes twice.
#[track_caller]
fn check_huge(what: &str, space: &Space, class: Class) -> Vec<Args> {
    let mut engine = Native::new(space);
    let count = counted(&mut engine, class);
    println!("{what}: {count}, {} ways", engine.work().1);
    assert!(count.bits() > 128, "{what}: {count}");
    let samples: Vec<Args> = (0..300).map(|i| drawn(&mut engine, class, 11, i)).collect();
    let path = engine.sample_path(class, 11, 0).expect("the class was counted and has members");
    let mut cursor = engine.cursor_at(class, &Position::Path(path)).expect("the path was drawn");
    assert!(engine.advance(&mut cursor) && cursor.values() == samples[0], "{what}");
    for args in &samples {
        assert!(admits(space, args) && space.contains(args), "{what}: {args:?}");
    }
    assert_eq!(samples.iter().collect::<HashSet<_>>().len(), samples.len(), "{what}");
    samples
}

#[test]
fn samples_of_classes_beyond_128_bits_are_valid_and_distinct() {
    let lists = "fn(v: {v: Vec<i64> | v.len() == 60 && v.iter().all(|x| 0 <= x && x <= 1000)})";
    check_huge("lists", &space(lists, 60, 1000), Class::All);
    let sorted = "{v: Vec<i64> | v.len() == 40 && v.is_sorted() && v.iter().all(|x| 0 <= x && x <= 40)}";
    check_huge("sorted lists", &space(&format!("fn(v: {sorted}, w: {sorted})"), 40, 40), Class::All);
}

#[test]
fn samples_of_steps_beyond_128_bits_are_uniform_in_each_step() {
    let spec = "fn(v: {v: Vec<i64> | v.len() == 150 && v.iter().all(|x| 0 <= x && x < 4) && v.windows(2).all(|w| w[0] != w[1])})";
    let space = space(spec, 150, 4);
    let samples = check_huge("lists without repetition", &space, Class::All);
    // Each next element is one of three others.
    let steps: Vec<usize> = samples
        .iter()
        .flat_map(|args| match &args[0] {
            Value::Seq(list) => list.windows(2).map(step).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        })
        .collect();
    is_uniform("steps", 3, &steps);
}

/// How far it is from one element to the next, around four: 1, 2 or 3, less one.
fn step(pair: &[Value]) -> usize {
    match pair {
        [Value::Int(a), Value::Int(b)] => {
            let (a, b) = (a.to_i64().unwrap(), b.to_i64().unwrap());
            usize::try_from((b - a).rem_euclid(4)).unwrap() - 1
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_the_size_limits_the_nesting_states_do_not_depend_on_the_depth() {
    let rows = "enum Rows { End, Row(Vec<bool>, Box<Rows>) }";
    let entry = Entry::new("rows", "fn(rows: Rows)", 48, 1).with_rust(rows);
    let mut engine = Native::new(&entry.space().expect("the spec has no mistakes"));
    let size = 40;
    counted(&mut engine, Class::Size(size));
    // One for each size, and each length of a row in it; by depth, there would be twice as many.
    let (n_states, _) = engine.work();
    assert!(n_states as u64 <= size * (size + 4) / 2, "{n_states}");
}
