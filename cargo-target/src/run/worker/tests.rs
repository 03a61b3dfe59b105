//! Each way to misbehave costs its own case, and no other.

use expect_test::{Expect, expect};
use target_bridge::generate::{Batch, Case};
use target_strategies::baseline::enumerative::{Range, slice};
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::Status;
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::ir::{ArithOp, Closure, CompareOp, Spec, Term};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::{self, Listed, Pick};
use target_strategies::native::{Class, Position};

use super::fixture::{at_least, clause, launch, never_stop, spec, without_lines};
use super::{BatchLimits, Launch, Watch, Watchdog, Worker};

const EVERYTHING: BatchLimits = BatchLimits { fail_fast: false, max_valid: u64::MAX };

/// The members `0, 1, -1, 2, ..` of `fn(n: i64)` up to a bound, to be enumerated by the child in several ranges.
fn range(spec: &Spec, bound: u32) -> Batch {
    let space = launch(spec.clone(), 2000).space;
    let skeleton = space.skeletons().next().expect("a spec of one integer has one skeleton");
    let n_members = 2 * u64::from(bound) + 1;
    let whole = [Range { skeleton, start: 0, len: n_members }];
    Batch::Ranges(
        [(0, 1), (1, 4), (4, n_members)].iter().flat_map(|&(from, to)| slice(&whole, from, to)).collect(),
    )
}

/// The same members, the first so many, as the native engine lists them.
fn listed(n: u64) -> Batch {
    let pick = Pick::From(Position::Rank(0));
    let whole = [Listed { class: Class::All, pick, start: 0, len: n }];
    Batch::Listed(
        [(0, 1), (1, 4), (4, n)].iter().flat_map(|&(from, to)| listing::slice(&whole, from, to)).collect(),
    )
}

fn fed(numbers: &[i64]) -> Batch {
    let case = |n: &i64| Case { args: vec![Value::int(*n)], beyond: None };
    Batch::Cases(numbers.iter().map(case).collect())
}

/// What a worker makes of a batch: a letter for each case, then what went wrong.
fn run(spec: Spec, batch: Batch, limits: BatchLimits) -> String {
    let launch = launch(spec, 2000);
    let watchdog = Watchdog::start(launch.timeout).unwrap();
    let mut worker = Worker::new(&launch, &watchdog, never_stop());
    let outcome = match worker.run_batch(&Charged::new(batch), limits) {
        Ok(outcome) => outcome,
        Err(error) => return without_lines(&format!("error: {error}\n")),
    };
    let letter = |status: &Status| match status {
        Status::None => '?',
        Status::Discarded => 'd',
        Status::Valid => 'v',
        Status::Repeated => 'r',
        Status::Skipped => 's',
        Status::Unextended => 'e',
        Status::Undecided => 'u',
    };
    let mut text: String = outcome.statuses.iter().map(letter).collect();
    text.push('\n');
    for failed in outcome.failures {
        let failure = failed.failure;
        text.push_str(&format!("{} {:?}: {}", failed.offset, failed.args, failure.kind.name()));
        if !failure.message.is_empty() {
            text.push_str(&format!(": {}", failure.message.lines().next().unwrap_or_default()));
        }
        if let Some(location) = failure.location {
            text.push_str(&format!(" at {location}"));
        }
        if let Some(clause) = failure.clause {
            text.push_str(&format!(" [clause {clause}]"));
        }
        if let Some(result) = failure.result {
            text.push_str(&format!(" -> {result:?} {:?}", failure.after));
        }
        text.push('\n');
    }
    if let Some(error) = outcome.spec_error {
        text.push_str(&format!(
            "{} {:?}: clause {:?}: {}\n",
            error.offset, error.args, error.clause, error.message
        ));
    }
    without_lines(&text)
}

fn check(name: &str, expected: &Expect) {
    let spec = spec(name);
    let batch = range(&spec, 4);
    let enumerated = run(spec.clone(), batch, EVERYTHING);
    assert_eq!(enumerated, run(spec.clone(), fed(&[0, 1, -1, 2, -2, 3, -3, 4, -4]), EVERYTHING));
    assert_eq!(enumerated, run(spec, listed(9), EVERYTHING));
    expected.assert_eq(&enumerated);
}

#[test]
fn a_panic_is_caught_with_its_message_and_place() {
    check(
        "panics",
        &expect![[r#"
            vvvvvvvvv
            5 [Int(3)]: panic: three is bad at cargo-target/examples/misbehaving.rs
        "#]],
    );
    check(
        "replaces_the_panic_hook",
        &expect![[r#"
            vvvvvvvvv
            5 [Int(3)]: panic: three is bad at cargo-target/examples/misbehaving.rs
        "#]],
    );
    check(
        "panics_twice",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: panic: the second
    "#]],
    );
    check(
        "keeps_a_grenade",
        &expect![[r#"
            vvvvvvvvv
            5 [Int(3)]: panic: boom at cargo-target/examples/misbehaving.rs
        "#]],
    );
}

#[test]
fn a_death_is_one_case_s() {
    check(
        "aborts",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: abort: killed by SIGABRT: going down
    "#]],
    );
    check(
        "overflows_the_stack",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: stack-overflow: the stack overflowed
    "#]],
    );
    check(
        "allocates_without_end",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: memory: memory allocation of 134217728 bytes failed
    "#]],
    );
    check(
        "loops",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: timeout: no result after 500ms
    "#]],
    );
    check(
        "exits",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: exit: exit code 3
    "#]],
    );
    check(
        "exits_happily",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: exit: exit code 0
    "#]],
    );
    check(
        "panics_while_unwinding",
        &expect![[r#"
            vvvvvvvvv
            5 [Int(3)]: abort: killed by SIGABRT: panicked at cargo-target/examples/misbehaving.rs three is bad at cargo-target/examples/misbehaving.rs
        "#]],
    );
}

#[test]
fn a_copy_of_the_process_that_comes_back_is_its_case_s() {
    check(
        "forks",
        &expect![[r#"
        vvvvvvvvv
        5 [Int(3)]: fork: the process came back twice: the subject forked, and the copy returned, too
    "#]],
    );
}

#[test]
fn pipes_and_threads_of_the_subject_do_no_harm() {
    check(
        "chats",
        &expect![[r#"
        vvvvvvvvv
    "#]],
    );
    check(
        "spawns_threads",
        &expect![[r#"
        vvvvvvvvv
    "#]],
    );
}

#[test]
fn what_earlier_cases_leaked_is_not_laid_to_a_later_one() {
    let spec = spec("leaks");
    let text = run(spec.clone(), range(&spec, 2000), EVERYTHING);
    assert_eq!(text, format!("{}\n", "v".repeat(4001)));
}

#[test]
fn a_batch_ends_at_its_limits() {
    let spec = spec("panics");
    let fail_fast = BatchLimits { fail_fast: true, ..EVERYTHING };
    expect![[r#"
        vvvvvv
        5 [Int(3)]: panic: three is bad at cargo-target/examples/misbehaving.rs
    "#]]
    .assert_eq(&run(spec.clone(), range(&spec, 4), fail_fast));
    let two = BatchLimits { max_valid: 2, ..EVERYTHING };
    expect![[r#"
        vv
    "#]]
    .assert_eq(&run(spec.clone(), range(&spec, 4), two));
}

#[test]
fn the_child_judges_before_and_after() {
    let mut spec = spec("negates");
    // Of products of variables the space knows nothing, so that there is something to discard and to skip.
    let square =
        |slot| Box::new(Term::Arith(ArithOp::Mul, Box::new(Term::Var(slot)), Box::new(Term::Var(slot))));
    let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
    let is_one = Term::Equal(square(1), number(1));
    spec.params[0]
        .refined
        .clauses
        .push(clause(0, Term::Or(vec![Term::Not(Box::new(is_one)), at_least(1, 1)])));
    spec.result.clauses.push(clause(1, at_least(-1, 1)));
    spec.explore.push(clause(2, Term::Compare(CompareOp::Le, square(0), number(9))));
    spec.panics_if = Some(clause(3, at_least(3, 0)));
    spec.examples.push(vec![Value::int(1)]);
    let batch = range(&spec, 4);
    expect![[r#"
        vrdvvvvss
        3 [Int(2)]: result [clause 1] -> Int(-2) None
        5 [Int(3)]: no-panic [clause 3] -> Int(-3) None
    "#]]
    .assert_eq(&run(spec, batch, EVERYTHING));
}

#[test]
fn a_judge_that_gives_up_does_not_contradict_the_engine() {
    for name in ["panics", "aborts"] {
        let mut spec = spec(name);
        let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
        let steps = || Box::new(Term::Arith(ArithOp::Mul, Box::new(Term::Var(0)), number(600_000)));
        // At three, each of these can be judged, and both together can't.
        let part = |from: i64| {
            let closure = Closure { slot: 9, body: Box::new(at_least(0, 9)) };
            Term::All(Box::new(Term::Range(number(from), steps())), closure)
        };
        spec.requires.push(clause(0, Term::Not(Box::new(at_least(4, 0)))));
        spec.requires.push(clause(1, Term::And(vec![part(0), part(1)])));
        let judged = Judge::new(None).precondition(&spec, &[Value::int(3)]);
        assert!(matches!(judged, Admission::SpecError { .. }), "{judged:?}");
        let told = run(spec, listed(6), EVERYTHING);
        assert!(told.starts_with("vvvvvv\n5 [Int(3)]: "), "{told}");
    }
}

#[test]
fn parameters_are_judged_on_return() {
    let mut spec = spec("increments");
    spec.params[0].mutable = true;
    spec.params[0].refined.clauses.push(clause(0, Term::Not(Box::new(at_least(4, 1)))));
    spec.ensures.push(clause(1, Term::Not(Box::new(at_least(3, 2)))));
    expect![[r#"
        vvvd
        1 [Int(2)]: ensures [clause 1] -> Int(0) Some([Int(3)])
        2 [Int(3)]: ensures [clause 0] -> Int(0) Some([Int(4)])
    "#]]
    .assert_eq(&run(spec, fed(&[1, 2, 3, 4]), EVERYTHING));
}

#[test]
fn a_where_that_breaks_is_the_spec_s_mistake() {
    let with_where = |number: u32, slot: u32| {
        let mut spec = spec("negates");
        let clause = clause(7, Term::Opaque(number, vec![Term::Var(slot)]));
        if slot == 0 {
            spec.requires.push(clause)
        } else {
            spec.ensures.push(clause)
        }
        spec
    };
    let panics = |slot| run(with_where(0, slot), fed(&[2, 3, 4]), EVERYTHING);
    expect![[r#"

        0 [Int(2)]: clause Some(7): panicked at cargo-target/examples/misbehaving.rs never judges
    "#]]
    .assert_eq(&panics(0));
    expect![[r#"
        v
        0 [Int(2)]: clause Some(7): panicked at cargo-target/examples/misbehaving.rs never judges
    "#]]
    .assert_eq(&panics(1));
    expect![[r#"
        v
        1 [Int(3)]: clause Some(7): the `where` condition took longer than 500ms
    "#]]
    .assert_eq(&run(with_where(1, 0), fed(&[2, 3, 4]), EVERYTHING));
    expect![[r#"
        vv
        1 [Int(-3)]: clause Some(7): the `where` condition took longer than 500ms
    "#]]
    .assert_eq(&run(with_where(1, 1), fed(&[2, -3, 4]), EVERYTHING));
}

#[test]
fn what_the_tool_gets_wrong_is_an_error() {
    let spec = spec("is_broken");
    expect![[r#"
        error: the harness broke on (1): panicked at strategies/src/child/serve/convert.rs expected a bool, found the integer 1
    "#]].assert_eq(&run(spec, fed(&[1]), EVERYTHING));
}

#[test]
fn the_traces_of_a_batch_outlive_its_children() {
    let launch = Launch { watch: Some(Watch::Traces(Vec::new().into())), ..launch(spec("aborts"), 2000) };
    let watchdog = Watchdog::start(launch.timeout).unwrap();
    let mut worker = Worker::new(&launch, &watchdog, never_stop());
    let numbers: Vec<i64> = (0..12).collect();
    let outcome = worker.run_batch(&Charged::new(fed(&numbers)), EVERYTHING).unwrap();
    let deadly: Vec<u64> = outcome.failures.iter().map(|failed| failed.offset).collect();
    assert!(!deadly.is_empty() && deadly[0] > 0, "{deadly:?}");
    let traced: Vec<u64> = outcome.traces.iter().map(|(offset, _)| *offset).collect();
    let others: Vec<u64> = (0..12).filter(|offset| !deadly.contains(offset)).collect();
    assert_eq!(traced, others);
}
