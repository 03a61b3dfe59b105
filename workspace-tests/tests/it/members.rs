//! Strategies in memory: what they draw, how they shrink, and what proptest asks of a strategy, on structures of the fixtures.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::strategy::{Strategy, ValueTree, check_strategy_sanity};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{Clause, IntKind, Param, Refined, Sort, Spec, Term};
use target_strategies::logic::value::Value;
use target_strategies::shrink;
use target_strategies::space::{Bounds, Space};
use target_strategies::strategy::{Condition, Members, parallel};
use workspace_tests::space_of;

/// A fixture, its crate, how many parameters, and the spec.
type Structure = (&'static str, &'static str, usize, &'static str);

const RESCALE: Structure = ("scores", "scores", 3, "fn(r1: Pos, r2: Pos, s: Rng(r1))");
const RED_BLACK: Structure = ("trees", "ordered_trees", 1, "fn(t: OkTree)");
const STRUCTURES: [Structure; 7] = [
    RESCALE,
    ("scores", "scores", 1, "fn(xs: Sorted<Score>)"),
    ("trees", "ordered_trees", 1, "fn(xs: UniqueList<i64>)"),
    ("trees", "ordered_trees", 1, "fn(t: Search<i64>)"),
    RED_BLACK,
    ("trees", "ordered_trees", 1, "fn(t: OkAvl<i64>)"),
    ("lambda", "lambda", 1, "fn(e: Closed)"),
];

const SMALL: Bounds = Bounds { depth: 3, bound: 3 };

fn space((fixture, crate_name, n_params, spec): Structure) -> Space {
    space_of(fixture, crate_name, n_params, spec, SMALL)
}

fn members(structure: Structure) -> Members<Vec<Value>> {
    Members::new((**space(structure).spec()).clone(), SMALL, <[Value]>::to_vec, &[])
}

fn seeded(seed: u8) -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng)
}

fn drawn(members: &Members<Vec<Value>>, runner: &mut TestRunner, n: usize) -> Vec<Vec<Value>> {
    (0..n).map(|_| members.new_tree(runner).unwrap().current()).collect()
}

#[test]
fn every_structure_passes_the_sanity_check_of_proptest() {
    // 1,024 values of each are shrunk in all ways: the largest structures are kept small.
    for (index, structure) in STRUCTURES.into_iter().enumerate() {
        let members = members(structure);
        check_strategy_sanity(if index < 5 { members } else { members.within(2, 2) }, None);
    }
}

#[test]
fn draws_are_members_of_all_sizes() {
    for structure in STRUCTURES {
        let members = members(structure);
        let space = space(structure);
        let draws = drawn(&members, &mut seeded(1), 500);
        assert!(draws.iter().all(|args| space.contains(args) && admits(space.spec(), args)), "{structure:?}");
        let sizes = |all: Vec<Vec<Value>>| {
            all.iter().map(|args| shrink::size(args).structure).collect::<BTreeSet<u64>>()
        };
        assert_eq!(sizes(draws), sizes(members.all().collect()), "{structure:?}");
    }
}

#[test]
fn all_are_as_many_as_the_engine_counts() {
    for structure in STRUCTURES {
        let all: Vec<Vec<Value>> = members(structure).all().collect();
        let counted = target_strategies::native::Native::new(&space(structure))
            .count(target_strategies::native::Class::All, 1_000_000);
        assert_eq!(counted.unwrap().exactly().unwrap().to_string(), all.len().to_string(), "{structure:?}");
    }
}

#[test]
fn a_seed_decides_whatever_was_drawn_before() {
    let members = members(RED_BLACK);
    let first = drawn(&members, &mut seeded(7), 50);
    drawn(&members, &mut seeded(8), 50);
    assert_eq!(drawn(&members.clone(), &mut seeded(7), 50), first);
    // Two threads have two engines.
    let other = std::thread::scope(|scope| {
        let mut threads = [7, 7].map(|seed| {
            scope.spawn({
                let members = members.clone();
                move || drawn(&members, &mut seeded(seed), 50)
            })
        });
        threads.each_mut();
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(other, [first.clone(), first]);
}

/// proptest has a generator that gives nothing but zeros at its end, on which many strategies hang.
#[test]
fn random_numbers_that_are_all_zero_give_a_member() {
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, &[]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for structure in STRUCTURES {
        assert!(members(structure).new_tree(&mut runner).is_ok());
    }
}

#[test]
fn shrinking_ends_at_the_smallest_structure_that_fails() {
    let members = members(RED_BLACK);
    let fails = |args: &[Value]| shrink::size(args).structure >= 4;
    for seed in 0..20 {
        let n_runs = Cell::new(0);
        let space = space(RED_BLACK);
        let found = seeded(seed).run(&members, |args| {
            n_runs.set(n_runs.get() + 1);
            assert!(admits(space.spec(), &args), "{args:?}");
            if fails(&args) { Err(TestCaseError::fail("too big")) } else { Ok(()) }
        });
        let Err(TestError::Fail(_, args)) = found else { panic!("it fails: {found:?}") };
        let shrink::Size { structure, magnitude, .. } = shrink::size(&args);
        assert!(structure == 4 && magnitude <= 16.into(), "{args:?}");
        assert!(n_runs.get() < 300, "{} runs", n_runs.get());
    }
}

#[test]
fn dependent_values_shrink_together() {
    let found = seeded(3).run(&members(RESCALE), |args| match args.as_slice() {
        [Value::Int(r1), _, Value::Int(s)] if *r1 > 1.into() && *s > 0.into() => {
            Err(TestCaseError::fail("both"))
        }
        _ => Ok(()),
    });
    let Err(TestError::Fail(_, args)) = found else { panic!("it fails: {found:?}") };
    assert_eq!(args, [2, 1, 1].map(Value::int));
}

#[test]
fn a_corpus_is_drawn_from_as_far_as_the_spec_admits_it() {
    let beyond = [1_000_000, 1_000_000, 999_999].map(Value::int).to_vec();
    let refused = [1, 1, 1].map(Value::int).to_vec();
    let members = members(RESCALE).with_corpus(&[beyond.clone(), refused.clone()]);
    let draws = drawn(&members, &mut seeded(1), 100);
    let n = draws.iter().filter(|args| **args == beyond).count();
    assert!((30..70).contains(&n), "{n} of 100");
    assert!(!draws.contains(&refused));
}

#[test]
fn what_is_fresh_is_the_same_whatever_the_corpus() {
    let known = [7, 7, 0].map(Value::int).to_vec();
    let (plain, with) = (members(RESCALE), members(RESCALE).with_corpus(std::slice::from_ref(&known)));
    let of = |members: &Members<Vec<Value>>, seed| drawn(members, &mut seeded(seed), 1).remove(0);
    let fresh: Vec<u8> = (0..100).filter(|seed| of(&with, *seed) != known).collect();
    assert!((30..70).contains(&fresh.len()), "{fresh:?}");
    assert!(fresh.into_iter().all(|seed| of(&with, seed) == of(&plain, seed)));
}

/// Of the sizes up to 2^40 only two have members.
#[test]
fn all_come_to_an_end_where_few_of_many_sizes_have_members() {
    let spec = "fn(t: {v: Search<i64> | bst_size(v) <= 1})";
    let space = space_of("trees", "ordered_trees", 1, spec, Bounds { depth: 40, bound: 1 });
    let deep = Members::new((**space.spec()).clone(), space.bounds(), <[Value]>::to_vec, &[]);
    let sizes: Vec<u64> = deep.all().map(|args| shrink::size(&args).structure).collect();
    assert_eq!(sizes, [0, 1, 1, 1]);
}

/// There are 17!/1! ways to order sixteen of seventeen numbers: any set of those used so far is a state of its own.
#[test]
fn where_no_size_can_be_counted_the_first_members_are_drawn() {
    let bounds = Bounds { depth: 16, bound: 8 };
    let spec = "fn(v: {v: Vec<i64> | v.len() == 16 && v.distinct()})";
    let space = space_of("scores", "scores", 1, spec, bounds);
    let hard = Members::new((**space.spec()).clone(), bounds, <[Value]>::to_vec, &[]);
    let drawn = drawn(&hard, &mut seeded(3), 200);
    assert!(drawn.iter().all(|args| admits(space.spec(), args)));
    assert!(drawn.iter().collect::<HashSet<_>>().len() > 100);
    let first = |args: &Vec<Value>| match &args[0] {
        Value::Seq(list) => list[0].clone(),
        other => panic!("{other:?}"),
    };
    assert!(drawn.iter().all(|args| first(args) == first(&drawn[0])), "neighbours begin alike");
}

#[test]
fn nothing_to_draw_is_told() {
    let spec = (**space_of("scores", "scores", 1, "fn(x: {v: Pos | v < 1})", SMALL).spec()).clone();
    let nothing = Members::new(spec, SMALL, <[Value]>::to_vec, &[]);
    assert_eq!(nothing.all().count() + nothing.sample(0).count(), 0);
    let found = seeded(0).run(&nothing, |_| Ok(()));
    let Err(TestError::Abort(reason)) = found else { panic!("it aborts: {found:?}") };
    assert_eq!(reason.message(), "nothing satisfies the spec of `0` within depth 3 and bound 3");
}

/// `fn(n: i64) requires where ..`, the condition as a written file has it.
fn integers_where(condition: Condition) -> Members<Vec<Value>> {
    let conditions: &[Condition] = Box::leak(Box::new([condition]));
    let mut spec = Spec::unrefined("some");
    let refined = Refined::plain(Sort::Int(IntKind::I64));
    spec.params.push(Param { name: "n".to_owned(), refined, mutable: false });
    let term = Term::Opaque(0, vec![Term::Var(0)]);
    spec.requires.push(Clause { id: 0, text: "where ..".to_owned(), term });
    Members::new(spec, SMALL, <[Value]>::to_vec, conditions)
}

#[test]
fn conditions_in_rust_filter_what_is_drawn_and_listed() {
    let even = integers_where(|args, _| matches!(&args[0], Value::Int(n) if n.to_i128().unwrap() % 2 == 0));
    let all: Vec<Vec<Value>> = even.all().collect();
    assert_eq!(all, [0, 2, -2].map(|n| vec![Value::int(n)]));
    assert!(even.sample(0).take(100).all(|args| all.contains(&args)));
    // More are rejected than one runner allows.
    assert!(even.sample(0).take(100_000).count() == 100_000);
    check_strategy_sanity(even, None);
}

#[test]
#[should_panic(expected = "no value of `some` after many: Too many local rejects")]
fn a_condition_that_nothing_satisfies_ends_a_sample() {
    integers_where(|_, _| false).sample(0).next();
}

#[test]
fn what_fails_in_parallel_is_the_same_on_any_number_of_threads() {
    let members = members(RED_BLACK);
    let config = Config {
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        ..Config::default()
    };
    let run = |n_threads, config: &Config| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            parallel::run(config, &members, |args| match shrink::size(&args).structure {
                6.. => Err(TestCaseError::fail(format!("{args:?}"))),
                _ => Ok(()),
            })
        })
    };
    // The reason tells which case failed first, before it was shrunk.
    let unshrunk = Config { max_shrink_iters: 0, ..config.clone() };
    for config in [config, unshrunk] {
        let [one, three] = [1, 3].map(|n| run(n, &config));
        assert!(matches!(one, Err(TestError::Fail(..))), "{one:?}");
        assert_eq!(format!("{one:?}"), format!("{three:?}"));
    }
}

#[test]
fn a_failure_that_does_not_come_again_is_reported() {
    let once = AtomicBool::new(true);
    let config = Config { failure_persistence: None, ..Config::default() };
    let found = parallel::run(&config, &members(RED_BLACK), |args| match shrink::size(&args).structure {
        4.. if once.swap(false, Ordering::SeqCst) => Err(TestCaseError::fail(format!("{args:?}"))),
        _ => Ok(()),
    });
    let Err(TestError::Fail(reason, args)) = found else { panic!("it failed: {found:?}") };
    let known = format!("{args:?} (once: when the same values ran again, all passed)");
    assert_eq!(reason.message(), known);
    let fork = Config { fork: true, ..config };
    let refused = parallel::run(&fork, &members(RED_BLACK), |_| Ok(()));
    assert!(
        matches!(&refused, Err(TestError::Abort(why)) if why.message().contains("`fork`")),
        "{refused:?}"
    );
}
