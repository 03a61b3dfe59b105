use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::Arc;

use target_strategies::child::protocol::Trace;
use target_strategies::dice::Dice;
use target_strategies::logic::ir::{IntKind, Param, Refined, SeqKind, Sort, Spec, StrKind};
use target_strategies::logic::part::parts;
use target_strategies::space::{Bounds, Space};

use super::edits::{edited, is_editable};
use super::pool::Pool;
use super::*;
use crate::generate::auto::{Auto, AutoOptions};

/// The trace of cases that run this set of pieces.
fn traced(set: u32) -> Option<Trace> {
    Some(Trace { pieces: NonZeroU32::MIN.saturating_add(set), counts: set, is_first: false })
}

/// What a function does with an input: the pieces of code that it runs, and whether it fails.
type Subject = fn(&[Value]) -> (u32, bool);

fn int(value: &Value) -> i64 {
    let Value::Int(number) = value else { panic!("{value:?} is no number") };
    number.to_i64().unwrap_or(i64::MAX)
}

/// Decides on the first number, then on the second, then on the third; the list matters for one command only.
fn command(args: &[Value]) -> (u32, bool) {
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
                    feedback.tell([Told { trace: traced(trace), ending, args: None, asked: None }]);
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
    feedback.tell((0..n).map(|_| Told { trace: traced(1), ending: Ending::Passed, args: None, asked: None }));
}

#[test]
fn a_function_that_decides_on_one_argument_after_the_other_fails_soon() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), Memory::default()), 1);
    let cases = run(|| narrowed.step(), &feedback, command, 20_000);
    assert!(command(&cases[cases.len() - 1].args).1, "of {} cases none failed", cases.len());
    assert!(cases.len() < 4_000, "{}", cases.len());
    let mut plain = auto();
    let without = run(|| plain.step(), &Feedback::default(), command, 20_000);
    assert!(!without.iter().any(|case| command(&case.args).1), "{}", without.len());
}

#[test]
fn another_generator_continues_with_what_was_learned() {
    let memory = Memory::default();
    let run_on = |most| {
        let feedback = Feedback::default();
        let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), memory.clone()), 1);
        run(|| narrowed.step(), &feedback, command, most)
    };
    let alone = run_on(20_000).len();
    memory.take();
    let before = run_on(alone / 2);
    let after = run_on(20_000);
    let has_failed = |cases: &[Case]| cases.last().is_some_and(|case| command(&case.args).1);
    assert!(!has_failed(&before) && has_failed(&after));
    assert!(after.len() < alone * 9 / 10, "{} {alone}", after.len());
}

#[test]
fn more_variants_come_while_only_they_run_new_code() {
    let (space, plain) = text_space();
    let feedback = Feedback::default();
    let memory = Memory::default();
    let mut narrowed = Narrowing::new(space, plain, (feedback.clone(), memory), 1);
    // Always a new trace for a longer text with these characters, which few cases of the other generator have.
    let longest = |args: &[Value]| {
        let Value::Str(text) = &args[0] else { panic!("{:?} is no text", args[0]) };
        (text.chars().filter(|c| *c == '-').count() as u32, false)
    };
    let n_cases = run(|| narrowed.step(), &feedback, longest, 8_000).len() as u64;
    assert!(
        narrowed.n_variants > 2 * (n_cases - narrowed.n_variants),
        "{} of {n_cases}",
        narrowed.n_variants
    );
}

#[test]
fn variants_take_no_cases_from_the_other_generator() {
    let (space, plain) = text_space();
    let feedback = Feedback::default();
    let narrowed = Narrowing::new(space, plain, (feedback.clone(), Memory::default()), 1);
    let mut narrowed = narrowed.with_at_most(500);
    let longest = |args: &[Value]| {
        let Value::Str(text) = &args[0] else { panic!("{:?} is no text", args[0]) };
        (text.chars().filter(|c| *c == '-').count() as u32, false)
    };
    run(|| narrowed.step(), &feedback, longest, 1_500);
    assert_eq!(narrowed.n_variants, 500);
}

#[test]
fn a_closed_generator_ends_once_it_has_read_what_was_told() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), Memory::default()), 1);
    let mut step = || match narrowed.step() {
        Step::Batch(Batch::Cases(cases)) => cases.len(),
        Step::Batch(_) | Step::Reached(_) | Step::Beyond(_) | Step::End(_) => 0,
    };
    let passed = || Told { trace: traced(1), ending: Ending::Passed, ..Told::default() };
    let (first, second) = (step(), step());
    assert!(first > 0 && second > 0, "{first} {second}");
    // The third step needs what became of the first one's cases only; it comes, told or not.
    feedback.tell_last((0..first + second).map(|_| passed()));
    step();
    assert!(matches!(narrowed.step(), Step::End(End::Closed)));
}

#[test]
fn what_the_function_does_not_look_at_is_hardly_varied() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), Memory::default()), 1);
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
        let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), Memory::default()), 1);
        run(|| narrowed.step(), &feedback, command, 3_000)
    };
    assert_eq!(all(), all());
}

/// Looks at the first number only, and isn't run at all with other second numbers than 0. The third one makes the process end.
fn told_of(args: &[Value]) -> Told {
    match (int(&args[0]), int(&args[1]), int(&args[2])) {
        (_, second, _) if second != 0 => {
            Told { trace: traced(7), ending: Ending::NotRun, args: None, asked: None }
        }
        // The traces of its batch are lost.
        (_, _, third) if third != 0 => Told { trace: None, ending: Ending::Passed, args: None, asked: None },
        (first, ..) => {
            Told { trace: traced(u32::from(first == 17)), ending: Ending::Passed, args: None, asked: None }
        }
    }
}

#[test]
fn what_is_not_known_of_a_case_tells_nothing_about_its_parts() {
    let feedback = Feedback::default();
    let mut narrowed = Narrowing::new(space(), auto(), (feedback.clone(), Memory::default()), 1);
    for _ in 0..400 {
        let Step::Batch(batch) = narrowed.step() else { continue };
        match batch {
            Batch::Cases(cases) => feedback.tell(cases.iter().map(|case| told_of(&case.args))),
            Batch::Ranges(ranges) => ranges.iter().for_each(|range| skip(range.len, &feedback)),
            Batch::Listed(pieces) => pieces.iter().for_each(|piece| skip(piece.len, &feedback)),
        }
    }
    let matter = |at: usize| {
        let parts = narrowed.learned.bases.iter().flat_map(|base| &base.parts);
        parts.filter(|part| part.path == [at] && part.matters).count()
    };
    assert!(matter(0) > 0 && matter(1) == 0 && matter(2) == 0, "{} {} {}", matter(0), matter(1), matter(2));
}

/// A text, and the default generator for it.
fn text_space() -> (Space, Box<dyn Generator>) {
    let param =
        Param { name: String::new(), refined: Refined::plain(Sort::Str(StrKind::Str)), mutable: false };
    let spec = Arc::new(Spec { params: vec![param], ..Spec::unrefined("read") });
    let literals: Arc<[Value]> = ['.', '-', '+'].map(Value::Char).into();
    let space = Space::new(spec, Bounds { depth: 3, bound: 3 }).with_literals(literals);
    let auto = Auto::new(space.clone(), &AutoOptions { beyond: true, seed: 1 });
    (space, Box::new(auto))
}

/// Reads a text of this form, character by character. It fails if all of the text is right.
fn read(args: &[Value]) -> (u32, bool) {
    let Value::Str(text) = &args[0] else { panic!("{:?} is no text", args[0]) };
    let form: [fn(char) -> bool; 10] = [
        |c| c.is_ascii_digit(),
        |c| c == '.',
        |c| c.is_ascii_digit(),
        |c| c == '.',
        |c| c.is_ascii_digit(),
        |c| c == '-',
        |c| c.is_ascii_lowercase(),
        |c| c.is_ascii_lowercase(),
        |c| c == '+',
        |c| c.is_ascii_digit(),
    ];
    let n_right = text.chars().zip(form).take_while(|(c, is_right)| is_right(*c)).count();
    (n_right as u32, n_right == form.len())
}

#[test]
fn a_text_that_is_right_up_to_a_place_grows() {
    let finds = |seed: &u64| {
        let (space, auto) = text_space();
        let feedback = Feedback::default();
        let mut narrowed = Narrowing::new(space, auto, (feedback.clone(), Memory::default()), *seed);
        let cases = run(|| narrowed.step(), &feedback, read, 20_000);
        read(&cases[cases.len() - 1].args).1
    };
    let n_found = (0..8).filter(finds).count();
    assert!(n_found > 3, "with {n_found} of 8 seeds");
    let (_, mut plain) = text_space();
    let without = run(|| plain.step(), &Feedback::default(), read, 20_000);
    assert!(without.iter().all(|case| !read(&case.args).1));
}

#[test]
fn edited_lists_have_elements_of_their_type() {
    let space = space();
    let args = [0, 0, 0].map(Value::int).into_iter().chain([Value::seq([0, 255].map(Value::int))]);
    let args: Vec<Value> = args.collect();
    let all = parts(space.spec(), &args, true);
    let mut pool = Pool::of(&space);
    pool.add(&all);
    let list = all.iter().find(|part| part.path == [3]).expect("the fourth argument is a list");
    assert!(is_editable(list.refined) && !is_editable(all[0].refined));
    let mut dice = Dice::new(1, 0);
    let made: HashSet<Value> = (0..500).filter_map(|_| edited(list, &pool, &mut dice)).collect();
    assert!(made.len() > 50, "{}", made.len());
    let Sort::Seq(byte, _) = &list.refined.sort else { panic!("{:?}", list.refined.sort) };
    let fits =
        |value: &Value| matches!((&byte.sort, value), (Sort::Int(kind), Value::Int(n)) if kind.contains(n));
    for list in made {
        let Value::Seq(all) = &list else { panic!("{list:?}") };
        assert!(all.iter().all(fits), "{list:?}");
    }
}
