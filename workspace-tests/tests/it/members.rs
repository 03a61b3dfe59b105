//! Strategies in memory: what they draw, how they shrink, and what proptest asks of a strategy, on structures of the fixtures.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree, check_strategy_sanity};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use target_strategies::eval::admits;
use target_strategies::ir::{Clause, IntKind, Param, Refined, Sort, Spec, Term};
use target_strategies::shrink;
use target_strategies::space::{Bounds, Space};
use target_strategies::strategy::{Condition, Members, parallel};
use target_strategies::value::Value;
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
    // The others take too long: 1,024 values of each are shrunk in all ways.
    STRUCTURES[..5].iter().for_each(|structure| check_strategy_sanity(members(*structure), None));
}

#[test]
fn draws_are_members_of_all_sizes() {
    for structure in STRUCTURES {
        let members = members(structure);
        let space = space(structure);
        let draws = drawn(&members, &mut seeded(1), 500);
        assert!(draws.iter().all(|args| space.contains(args) && admits(space.spec(), args)), "{structure:?}");
        let sizes =
            |all: Vec<Vec<Value>>| all.iter().map(|args| shrink::size(args).0).collect::<BTreeSet<u64>>();
        assert_eq!(sizes(draws), sizes(members.all().collect()), "{structure:?}");
    }
}

#[test]
fn all_are_as_many_as_the_engine_counts() {
    for structure in STRUCTURES {
        let all: Vec<Vec<Value>> = members(structure).all().collect();
        let counted = target_strategies::native::Native::new(&space(structure))
            .count(target_strategies::native::Class::All, 1_000_000);
        assert_eq!(counted.unwrap().to_string(), all.len().to_string(), "{structure:?}");
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
    let fails = |args: &[Value]| shrink::size(args).0 >= 4;
    for seed in 0..20 {
        let n_runs = Cell::new(0);
        let space = space(RED_BLACK);
        let found = seeded(seed).run(&members, |args| {
            n_runs.set(n_runs.get() + 1);
            assert!(admits(space.spec(), &args), "{args:?}");
            if fails(&args) { Err(TestCaseError::fail("too big")) } else { Ok(()) }
        });
        let Err(TestError::Fail(_, args)) = found else { panic!("it fails: {found:?}") };
        let (structure, magnitude) = shrink::size(&args);
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
fn nothing_to_draw_is_told() {
    let spec = (**space_of("scores", "scores", 1, "fn(x: {v: Pos | v < 1})", SMALL).spec()).clone();
    let nothing = Members::new(spec, SMALL, <[Value]>::to_vec, &[]);
    assert_eq!(nothing.all().count() + nothing.sample(0).count(), 0);
    let found = seeded(0).run(&nothing, |_| Ok(()));
    let Err(TestError::Abort(reason)) = found else { panic!("it aborts: {found:?}") };
    assert_eq!(reason.message(), "nothing satisfies the spec of `0` within depth 3 and bound 3");
}

/// `fn(n: i64) requires where n % 2 == 0`, the condition as a written file has it.
#[test]
fn conditions_in_rust_filter_what_is_drawn_and_listed() {
    let even: Condition = |args, _| matches!(&args[0], Value::Int(n) if n.to_i128().unwrap() % 2 == 0);
    let conditions: &[Condition] = Box::leak(Box::new([even]));
    let mut spec = Spec::unrefined("even");
    let refined = Refined::plain(Sort::Int(IntKind::I64));
    spec.params.push(Param { name: "n".to_owned(), refined, mutable: false });
    let term = Term::Opaque(0, vec![Term::Var(0)]);
    spec.requires.push(Clause { id: 0, text: "where n % 2 == 0".to_owned(), term });
    let even = Members::new(spec, SMALL, <[Value]>::to_vec, conditions);
    let all: Vec<Vec<Value>> = even.all().collect();
    assert_eq!(all, [0, 2, -2].map(|n| vec![Value::int(n)]));
    assert!(even.sample(0).take(100).all(|args| all.contains(&args)));
    check_strategy_sanity(even, None);
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
            parallel::run(config, &members, |args| match shrink::size(&args).0 {
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
