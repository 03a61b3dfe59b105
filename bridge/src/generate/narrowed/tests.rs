use std::sync::Arc;

use target_strategies::logic::ir::{IntKind, Param, Refined, SeqKind, Sort, Spec};
use target_strategies::space::{Bounds, Space};

use super::*;
use crate::generate::auto::{Auto, AutoOptions};

/// What a function does with an input: the pieces of code that it runs, and whether it fails.
type Subject = fn(&[Value]) -> (u64, bool);

fn int(value: &Value) -> i64 {
    let Value::Int(number) = value else { panic!("{value:?} is no number") };
    number.to_i64().unwrap_or(i64::MAX)
}

/// Decides on the first number, then on the second, then on the third; the list matters for one command only.
fn command(args: &[Value]) -> (u64, bool) {
    match (int(&args[0]), int(&args[1]), int(&args[2])) {
        (17, 99, 201) => (4, true),
        (17, 99, _) => (3, false),
        (17, ..) => (2, false),
        (31, ..) => (if args[3] == Value::seq([]) { 5 } else { 6 }, false),
        _ => (1, false),
    }
}

fn space() -> Space {
    let byte = || Refined::plain(Sort::Int(IntKind::U8));
    let list = Refined::plain(Sort::Seq(Box::new(byte()), SeqKind::Vec));
    let params =
        [byte(), byte(), byte(), list].map(|refined| Param { name: String::new(), refined, mutable: false });
    let spec = Spec { params: params.into(), ..Spec::unrefined("command") };
    // The function's source has more literals than these three.
    let literals: Vec<Value> = [2, 17, 31, 64, 80, 99, 120, 150, 201, 240].map(Value::int).into();
    Space::new(Arc::new(spec), Bounds { depth: 3, bound: 3 }).with_literals(literals.into())
}

fn auto() -> Box<dyn Generator> {
    Box::new(Auto::new(space(), &AutoOptions { beyond: true, seed: 1 }))
}

/// The first `most` cases up to one that fails.
fn run(mut generator: impl FnMut() -> Step, feedback: &Feedback, subject: Subject, most: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    while cases.len() < most {
        let batch = match generator() {
            Step::Batch(batch) => batch,
            Step::Reached(_) | Step::Beyond(_) => continue,
            Step::End(_) => break,
        };
        match batch {
            Batch::Cases(more) => {
                for case in more {
                    let (trace, failed) = subject(&case.args);
                    let ending = if failed { Ending::Failed } else { Ending::Passed };
                    feedback.tell([Told { trace: Some(trace), ending, args: None }]);
                    cases.push(case);
                    if failed {
                        return cases;
                    }
                }
            }
            // Nothing new.
            Batch::Ranges(ranges) => ranges.iter().for_each(|range| skip(range.len, feedback)),
            Batch::Listed(pieces) => pieces.iter().for_each(|piece| skip(piece.len, feedback)),
        }
    }
    cases
}

fn skip(n: u64, feedback: &Feedback) {
    feedback.tell((0..n).map(|_| Told { trace: Some(1), ending: Ending::Passed, args: None }));
}

#[test]
fn a_function_that_decides_on_one_argument_after_the_other_fails_soon() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), feedback.clone(), 1);
    let cases = run(|| narrowed.step(), &feedback, command, 20_000);
    assert!(command(&cases[cases.len() - 1].args).1, "of {} cases none failed", cases.len());
    assert!(cases.len() < 4_000, "{}", cases.len());
    let mut plain = auto();
    let without = run(|| plain.step(), &Feedback::default(), command, 20_000);
    assert!(!without.iter().any(|case| command(&case.args).1), "{}", without.len());
}

#[test]
fn what_the_function_does_not_look_at_is_hardly_varied() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), feedback.clone(), 1);
    let cases = run(|| narrowed.step(), &feedback, |args| (command(args).0, false), 4_000);
    let mut plain = auto();
    let without = run(|| plain.step(), &Feedback::default(), command, 4_000);
    let of_17 = |cases: &[Case]| cases.iter().filter(|case| int(&case.args[0]) == 17).count();
    assert!(of_17(&cases) > 4 * of_17(&without).max(1), "{} {}", of_17(&cases), of_17(&without));
}

#[test]
fn the_same_traces_give_the_same_cases() {
    let all = || {
        let feedback = Feedback::default();
        let mut narrowed = Narrowing::new(space(), auto(), feedback.clone(), 1);
        run(|| narrowed.step(), &feedback, command, 3_000)
    };
    assert_eq!(all(), all());
}

/// Looks at the first number only, and isn't run at all with other second numbers than 0. The third one makes the process end.
fn told_of(args: &[Value]) -> Told {
    match (int(&args[0]), int(&args[1]), int(&args[2])) {
        (_, second, _) if second != 0 => Told { trace: Some(7), ending: Ending::NotRun, args: None },
        // The traces of its batch are lost.
        (_, _, third) if third != 0 => Told { trace: None, ending: Ending::Passed, args: None },
        (first, ..) => Told { trace: Some(u64::from(first == 17)), ending: Ending::Passed, args: None },
    }
}

#[test]
fn what_is_not_known_of_a_case_tells_nothing_about_its_parts() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), feedback.clone(), 1);
    for _ in 0..400 {
        let Step::Batch(batch) = narrowed.step() else { continue };
        match batch {
            Batch::Cases(cases) => feedback.tell(cases.iter().map(|case| told_of(&case.args))),
            Batch::Ranges(ranges) => ranges.iter().for_each(|range| skip(range.len, &feedback)),
            Batch::Listed(pieces) => pieces.iter().for_each(|piece| skip(piece.len, &feedback)),
        }
    }
    let matter = |at: usize| {
        let parts = narrowed.bases.iter().flat_map(|base| &base.parts);
        parts.filter(|part| part.path == [at] && part.matters).count()
    };
    assert!(matter(0) > 0 && matter(1) == 0 && matter(2) == 0, "{} {} {}", matter(0), matter(1), matter(2));
}
