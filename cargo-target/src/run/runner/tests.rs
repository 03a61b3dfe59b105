//! Counts, order and verdicts, through real children of the harness of misbehaving subjects.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use expect_test::{Expect, expect};
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::feedback::Feedback;
use target_bridge::generate::{Batch, Case, End, Generator, GeneratorKind, Step};
use target_strategies::beyond::Source;
use target_strategies::logic::ir::{ArithOp, Spec, Term};
use target_strategies::logic::value::Value;

use super::{Caps, Job, Shrinks, run};
use crate::events::outcome::{Counterexample, Outcome};
use crate::run::planning::Planning;
use crate::run::worker::fixture::{at_least, clause, launch, spec, without_lines};

/// Deals what it is told to.
struct Listed(VecDeque<Step>);

impl Generator for Listed {
    fn step(&mut self) -> Step {
        self.0.pop_front().unwrap_or(Step::End(End::Exhausted))
    }
}

/// One batch of cases; those beyond 100 are boundary cases.
fn listed(numbers: &[i64], end: End) -> Box<dyn Generator> {
    let case =
        |n: &i64| Case { args: vec![Value::int(*n)], beyond: (n.abs() > 100).then_some(Source::Boundary) };
    let batch = Batch::Cases(numbers.iter().map(case).collect());
    Box::new(Listed([Step::Batch(batch), Step::End(end)].into()))
}

fn enumerated(spec: &Spec, bound: u32) -> Box<dyn Generator> {
    Box::new(Enumerative::new(launch(spec.clone(), bound).space))
}

const CAPS: Caps = Caps {
    cases: 10_000,
    work: None,
    budget: Duration::from_secs(60),
    fail_fast: true,
    shrinks: Shrinks::All,
    keeps_all: false,
    jobs: 1,
};

fn planning(caps: Caps) -> Planning {
    let settings = PartialSettings { budget: Some(caps.budget), ..PartialSettings::default() };
    Planning::new(&settings.resolve(), &Arc::default())
}

fn outcome(spec: Spec, generator: Box<dyn Generator>, caps: Caps) -> Outcome {
    let launch = launch(spec, 2000);
    let job = Job {
        launch: &launch,
        kind: GeneratorKind::Enumerative,
        n_saved: 0,
        generator: Box::new(|| generator),
        planning: planning(caps),
        caps,
        interrupted: Arc::new(AtomicBool::new(false)),
        progress: &|_| {},
        observe: None,
        feedback: None,
    };
    run(job).unwrap()
}

fn show(outcome: &Outcome) -> String {
    let mut text = format!("{:?}", outcome.verdict);
    match outcome.stopped {
        Some(stopped) => text.push_str(&format!(", stopped by {stopped:?}")),
        None => text.push_str(if outcome.exhausted { ", exhausted" } else { "" }),
    }
    text.push_str(&format!(
        "; cases {} = {} + {}, distinct {}, boundary {}, to failure {:?}\n",
        outcome.cases,
        outcome.valid,
        outcome.discarded,
        outcome.distinct,
        outcome.boundary_cases,
        outcome.cases_to_failure
    ));
    for found in [&outcome.counterexample, &outcome.boundary_counterexample].into_iter().flatten() {
        let Counterexample { args, failure, is_inside, confirmed, replayed, shrinks, .. } = found;
        text.push_str(&format!(
            "{args:?} {} {:?}, boundary {}, confirmed {confirmed}, replayed {replayed}, shrinks {}\n",
            failure.kind.name(),
            failure.message,
            !is_inside,
            *shrinks > 0
        ));
    }
    if let Some(problem) = &outcome.problem {
        text.push_str(&format!("{} {:?} {:?}\n", problem.message, problem.clauses, problem.args));
    }
    without_lines(&text)
}

fn check(spec: Spec, generator: Box<dyn Generator>, caps: Caps, expected: &Expect) {
    expected.assert_eq(&show(&outcome(spec, generator, caps)));
}

/// Refuses the numbers whose square is the given one.
fn without_square(mut spec: Spec, square: i64) -> Spec {
    let product = Term::Arith(ArithOp::Mul, Box::new(Term::Var(0)), Box::new(Term::Var(0)));
    let equal = Term::Equal(Box::new(product), Box::new(Term::Lit(Value::int(square))));
    spec.requires.push(clause(0, Term::Not(Box::new(equal))));
    spec
}

#[test]
fn the_first_failure_ends_the_run() {
    let spec = without_square(spec("panics"), 4);
    check(
        spec.clone(),
        enumerated(&spec, 4),
        CAPS,
        &expect![[r#"
        Failed, stopped by Counterexample; cases 6 = 4 + 2, distinct 4, boundary 0, to failure Some(6)
        [Int(3)] panic "three is bad", boundary false, confirmed true, replayed false, shrinks false
    "#]],
    );
    let caps = Caps { fail_fast: false, ..CAPS };
    check(
        spec.clone(),
        enumerated(&spec, 4),
        caps,
        &expect![[r#"
        Failed, exhausted; cases 9 = 7 + 2, distinct 7, boundary 0, to failure Some(6)
        [Int(3)] panic "three is bad", boundary false, confirmed true, replayed false, shrinks false
    "#]],
    );
}

#[test]
fn counts_do_not_depend_on_the_number_of_workers() {
    for (name, bound, fail_fast) in
        [("negates", 2000, true), ("panics", 2000, true), ("aborts", 300, false), ("exits", 300, true)]
    {
        let spec = without_square(spec(name), 1);
        let run = |jobs, cases| {
            show(&outcome(spec.clone(), enumerated(&spec, bound), Caps { jobs, cases, fail_fast, ..CAPS }))
        };
        for cases in [777, 100_000] {
            assert_eq!(run(1, cases), run(4, cases));
        }
    }
}

#[test]
fn a_cap_ends_the_run_at_the_case_that_reaches_it_unless_that_is_the_last() {
    let spec = without_square(spec("negates"), 4);
    let caps = |cases| Caps { cases, ..CAPS };
    check(
        spec.clone(),
        enumerated(&spec, 4),
        caps(4),
        &expect![[r#"
        Passed, stopped by Cases; cases 6 = 4 + 2, distinct 4, boundary 0, to failure None
    "#]],
    );
    check(
        spec.clone(),
        enumerated(&spec, 4),
        caps(7),
        &expect![[r#"
        Passed, exhausted; cases 9 = 7 + 2, distinct 7, boundary 0, to failure None
    "#]],
    );
}

#[test]
fn what_follows_cases_that_were_not_counted_is_not_believed() {
    let exhausted = |batches: &[&[i64]]| {
        let case = |n: &i64| Case { args: vec![Value::int(*n)], beyond: None };
        let batches = batches.iter().map(|cases| Batch::Cases(cases.iter().map(case).collect()));
        let steps = batches.map(Step::Batch).chain([Step::Beyond(End::Exhausted), Step::End(End::Closed)]);
        let generator = Listed(steps.collect());
        let caps = Caps { work: Some(3), ..CAPS };
        let launch = launch(spec("negates"), 2000);
        let job = Job {
            launch: &launch,
            kind: GeneratorKind::Enumerative,
            n_saved: 0,
            generator: Box::new(|| Box::new(generator)),
            planning: planning(caps),
            caps,
            interrupted: Arc::new(AtomicBool::new(false)),
            progress: &|_| {},
            observe: None,
            feedback: Some(Feedback::default()),
        };
        let outcome = run(job).unwrap();
        assert!(outcome.is_cut_off);
        (outcome.cases, outcome.exhausted)
    };
    assert_eq!(exhausted(&[&[1, 2, 3]]), (3, true));
    assert_eq!(exhausted(&[&[1, 2, 3], &[4, 5, 6]]), (3, false));
}

#[test]
fn a_counterexample_is_shrunk_inside_the_spec() {
    check(
        spec("panics_from_seven"),
        listed(&[1, 90], End::Exhausted),
        CAPS,
        &expect![[r#"
        Failed, stopped by Counterexample; cases 2 = 2 + 0, distinct 2, boundary 0, to failure Some(2)
        [Int(7)] panic "too large", boundary false, confirmed true, replayed false, shrinks true
    "#]],
    );
    let spec = without_square(spec("panics_from_seven"), 49);
    check(
        spec,
        listed(&[1, 90], End::Exhausted),
        CAPS,
        &expect![[r#"
        Failed, stopped by Counterexample; cases 2 = 2 + 0, distinct 2, boundary 0, to failure Some(2)
        [Int(8)] panic "too large", boundary false, confirmed true, replayed false, shrinks true
    "#]],
    );
}

#[test]
fn a_boundary_failure_is_noted_and_passed_by() {
    let numbers = [1, 1000, 2, 2000, 8, 9];
    check(
        spec("panics_from_seven"),
        listed(&numbers, End::Exhausted),
        CAPS,
        &expect![[r#"
            Failed, stopped by Counterexample; cases 5 = 5 + 0, distinct 5, boundary 2, to failure Some(2)
            [Int(7)] panic "too large", boundary false, confirmed true, replayed false, shrinks true
        "#]],
    );
    check(
        spec("panics_from_seven"),
        listed(&numbers[..4], End::Exhausted),
        CAPS,
        &expect![[r#"
            Failed, exhausted; cases 4 = 4 + 0, distinct 4, boundary 2, to failure Some(2)
            [Int(7)] panic "too large", boundary false, confirmed true, replayed false, shrinks true
        "#]],
    );
}

#[test]
fn boundary_cases_cut_short_leave_the_space_exhausted() {
    let cases = |numbers: &[i64], beyond| {
        let case = |n: &i64| Case { args: vec![Value::int(*n)], beyond };
        Step::Batch(Batch::Cases(numbers.iter().map(case).collect()))
    };
    let generator = |inside| {
        let steps =
            [cases(&[1, 2], None), Step::Beyond(inside), cases(&[1000, 2000, 4000], Some(Source::Boundary))];
        Box::new(Listed(steps.into()))
    };
    let caps = |cases| Caps { cases, ..CAPS };
    check(
        spec("negates"),
        generator(End::Exhausted),
        caps(3),
        &expect![[r#"
        Passed, exhausted; cases 3 = 3 + 0, distinct 3, boundary 1, to failure None
    "#]],
    );
    check(
        spec("negates"),
        generator(End::Unknown(vec!["the solver gave up".to_string()])),
        caps(3),
        &expect![[r#"
        Passed, stopped by Cases; cases 3 = 3 + 0, distinct 3, boundary 1, to failure None
    "#]],
    );
    check(
        spec("negates"),
        generator(End::Exhausted),
        caps(1),
        &expect![[r#"
        Passed, stopped by Cases; cases 1 = 1 + 0, distinct 1, boundary 0, to failure None
    "#]],
    );
}

#[test]
fn what_depends_on_earlier_calls_is_not_confirmed_but_replayed() {
    let spec = spec("depends_on_earlier_calls");
    check(
        spec.clone(),
        enumerated(&spec, 4),
        CAPS,
        &expect![[r#"
        Failed, stopped by Counterexample; cases 4 = 4 + 0, distinct 4, boundary 0, to failure Some(4)
        [Int(2)] panic "called too often", boundary false, confirmed false, replayed true, shrinks false
    "#]],
    );
}

#[test]
fn examples_come_first_and_are_not_distinct_from_themselves() {
    let mut spec = spec("negates");
    spec.examples = vec![vec![Value::int(-2)], vec![Value::int(70)]];
    check(
        spec.clone(),
        enumerated(&spec, 4),
        CAPS,
        &expect![[r#"
        Passed, exhausted; cases 11 = 11 + 0, distinct 10, boundary 0, to failure None
    "#]],
    );
    check(
        spec,
        listed(&[-2, -3], End::Exhausted),
        CAPS,
        &expect![[r#"
        Passed, exhausted; cases 4 = 4 + 0, distinct 3, boundary 0, to failure None
    "#]],
    );
}

#[test]
fn nothing_valid_is_vacuous_or_given_up() {
    let spec = without_square(spec("negates"), 4);
    check(
        spec.clone(),
        listed(&[2, -2], End::Exhausted),
        CAPS,
        &expect![[r#"
        Vacuous, exhausted; cases 2 = 0 + 2, distinct 0, boundary 0, to failure None
        no input within depth and bound satisfies the spec [] None
    "#]],
    );
    let unknown = End::Unknown(vec!["the solver gave up".to_string()]);
    check(
        spec,
        listed(&[2, -2], unknown),
        CAPS,
        &expect![[r#"
        GaveUp, stopped by Unknown; cases 2 = 0 + 2, distinct 0, boundary 0, to failure None
    "#]],
    );
}

#[test]
fn a_budget_or_the_user_ends_the_run_between_cases() {
    let caps = Caps { budget: Duration::from_millis(700), fail_fast: false, ..CAPS };
    let outcome = outcome(spec("loops"), listed(&[3; 50], End::Exhausted), caps);
    assert!((1..50).contains(&outcome.cases), "{}", show(&outcome));
    assert_eq!(outcome.stopped, Some(crate::events::outcome::Stopped::Budget));
    let spec = spec("negates");
    let launch = launch(spec.clone(), 4);
    let interrupted = Arc::new(AtomicBool::new(true));
    let (kind, generator) = (GeneratorKind::Enumerative, enumerated(&spec, 4));
    let job = Job {
        launch: &launch,
        kind,
        n_saved: 0,
        generator: Box::new(|| generator),
        planning: planning(CAPS),
        caps: CAPS,
        interrupted,
        progress: &|_| {},
        observe: None,
        feedback: None,
    };
    expect![[r#"
        GaveUp, stopped by Interrupted; cases 0 = 0 + 0, distinct 0, boundary 0, to failure None
    "#]]
    .assert_eq(&show(&run(job).unwrap()));
}

#[test]
fn a_spec_that_breaks_is_an_error() {
    let mut spec = spec("negates");
    spec.requires
        .push(clause(5, Term::Or(vec![Term::Not(Box::new(at_least(2, 0))), Term::Opaque(0, vec![])])));
    check(
        spec.clone(),
        enumerated(&spec, 4),
        CAPS,
        &expect![[r#"
            Error; cases 3 = 3 + 0, distinct 3, boundary 0, to failure None
            panicked at cargo-target/examples/misbehaving.rs never judges [5] Some([Int(2)])
        "#]],
    );
}
