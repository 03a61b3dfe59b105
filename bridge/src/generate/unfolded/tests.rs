//! Small spaces, whose inputs are counted against all ways in which the results of a subject's calls may go.

use std::collections::BTreeMap;

use target_strategies::beyond::Source;
use target_strategies::cancel;
use target_strategies::logic::ir::{Callback, CallbackParam, Clause, CompareOp, IntKind, Term};
use target_strategies::space::Bounds;

use super::*;
use crate::generate::auto::{Auto, AutoOptions};
use crate::generate::native::{NativeGenerator, NativeOptions};

/// Calls the functions of an input, each by its position and a number as the argument. Results are told as numbers.
type Subject = fn(usize, &mut dyn FnMut(usize, i64) -> i64);

/// The results of a run, in the order in which they were new, with the function that had each.
type Trace = Vec<(usize, i64)>;

fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(truth) => i64::from(*truth),
        Value::Int(n) => n.to_i64().expect("the numbers here are small"),
        other => panic!("{other:?} is no number"),
    }
}

fn callback(kind: CallbackKind, slot: u32) -> Callback {
    let refined = Refined::plain(Sort::Int(IntKind::U8));
    let params = vec![CallbackParam { name: "x".to_owned(), slot, refined }];
    Callback { kind, params, requires: Vec::new(), ensures: Vec::new(), is_pointer: false, steps: None }
}

fn function(id: u32, result: Sort) -> Refined {
    Refined::plain(Sort::Seq(Box::new(Refined::plain(result)), SeqKind::Answers(CallbackId(id))))
}

fn spec(kinds: &[CallbackKind], params: Vec<Refined>) -> Spec {
    let n = params.len() as u32;
    let params = params.into_iter().map(|refined| Param { name: "p".to_owned(), refined, mutable: false });
    let callbacks = (0..).zip(kinds).map(|(at, kind)| callback(*kind, n + 1 + at));
    Spec { params: params.collect(), callbacks: callbacks.collect(), ..Spec::unrefined("f") }
}

/// What a child tells of a member: as which results the functions gave, which of them were asked for more than they have, and whether
/// the member is an input, all of whose results were asked for.
fn run(args: &[Value], spec: &Spec, subject: Subject) -> (Trace, Vec<u32>, bool) {
    let mut functions = Vec::new();
    for (arg, param) in args.iter().zip(&spec.params) {
        each_function(arg, &param.refined, spec, &mut |value, _, id| {
            let Value::Seq(results) = value else { panic!("{value:?} has no results") };
            functions.push((results.iter().map(number).collect::<Vec<i64>>(), spec.callback(id).kind));
        });
    }
    let (mut trace, mut asked, mut is_rejected) = (Trace::new(), Vec::new(), false);
    let mut met: Vec<BTreeMap<i64, i64>> = vec![BTreeMap::new(); functions.len()];
    let mut n_calls = 0;
    subject(functions.len(), &mut |at, arg| {
        n_calls += 1;
        let (results, kind) = &functions[at];
        let key = if *kind == CallbackKind::Pure { arg } else { n_calls };
        if let Some(known) = met[at].get(&key) {
            return *known;
        }
        let next = results.get(met[at].len());
        if next.is_none() && !is_rejected {
            asked.push(at as u32);
        }
        is_rejected |= results.is_empty();
        let result = next.or(results.last()).copied().unwrap_or_default();
        met[at].insert(key, result);
        trace.push((at, result));
        result
    });
    let is_used_up = functions.iter().zip(&met).all(|((results, _), met)| {
        met.len() >= results.len() && !matches!(&results[..], [.., a, b] if a == b)
    });
    (trace, asked, is_used_up && !is_rejected)
}

/// The traces of all runs with `n` functions, by brute force: of each function the first `depth` results are any, then the last of
/// them stays.
fn all_traces(n: usize, kind: CallbackKind, results: &[i64], depth: usize, subject: Subject) -> Vec<Trace> {
    let mut traces = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(chosen) = open.pop() {
        let mut next = chosen.iter().copied();
        let (mut trace, mut is_short, mut n_calls) = (Trace::new(), false, 0);
        let mut met: Vec<Vec<(i64, i64)>> = vec![Vec::new(); n];
        subject(n, &mut |at, arg| {
            n_calls += 1;
            let key = if kind == CallbackKind::Pure { arg } else { n_calls };
            if let Some((_, known)) = met[at].iter().find(|(known, _)| *known == key) {
                return *known;
            }
            let chosen = if met[at].len() < depth { next.next() } else { met[at].last().map(|last| last.1) };
            is_short |= chosen.is_none();
            let result = chosen.unwrap_or_default();
            met[at].push((key, result));
            trace.push((at, result));
            result
        });
        if is_short {
            open.extend(results.iter().map(|result| [&chosen[..], &[*result]].concat()));
        } else {
            traces.push(trace);
        }
    }
    traces
}

/// The traces of all inputs that are unfolded, and what is said of the space. Of a case with this index nothing is known.
fn unfolded(spec: Spec, depth: u32, subject: Subject, unknown: Option<usize>) -> (Vec<Trace>, End) {
    let space = Space::new(Arc::new(spec), Bounds { depth, bound: 1 });
    let options = NativeOptions { cases: u64::MAX, size: None };
    let other = Box::new(NativeGenerator::new(space.without_results(), &options));
    let feedback = Feedback::default();
    let mut unfolding = Unfolding::new(space.clone(), other, feedback.clone());
    let (mut traces, mut n_cases) = (Vec::new(), 0);
    loop {
        match unfolding.step() {
            Step::Batch(Batch::Cases(cases)) => {
                for case in cases {
                    let (trace, asked, is_input) = run(&case.args, space.spec(), subject);
                    let asked = Some(asked).filter(|_| unknown != Some(n_cases));
                    feedback.tell([Told { asked, ..Told::default() }]);
                    traces.extend(Some(trace).filter(|_| is_input));
                    n_cases += 1;
                }
            }
            Step::Batch(_) => panic!("cases are sent"),
            Step::Reached(_) | Step::Beyond(_) => {}
            Step::End(end) => return (traces, end),
        }
    }
}

/// Three functions: the results of one decide which others are asked, and how often.
fn branching(_: usize, ask: &mut dyn FnMut(usize, i64) -> i64) {
    if ask(0, 0) != 0 && ask(1, 0) == 0 {
        ask(1, 1);
        ask(1, 2);
        ask(1, 0);
    } else {
        let second = ask(0, 1);
        ask(2, second);
        ask(0, 2);
    }
}

/// All functions, each of them twice: the second argument is the first result.
fn each_twice(n: usize, ask: &mut dyn FnMut(usize, i64) -> i64) {
    for at in 0..n {
        let first = ask(at, 0);
        ask(at, first);
    }
}

/// One after the other until one gives `true` twice.
fn until_true(n: usize, ask: &mut dyn FnMut(usize, i64) -> i64) {
    let mut twice = |at| ask(at, 0) == 1 && ask(at, 0) == 1;
    _ = (0..n).any(&mut twice);
}

#[test]
fn inputs_are_those_of_brute_force_and_each_comes_once() {
    use CallbackKind::{Pure, Stateful};
    let three = |kind: CallbackKind, result: Sort| {
        spec(&[kind; 3], (0..3).map(|id| function(id, result.clone())).collect())
    };
    let few = Sort::Int(IntKind::I8);
    for subject in [branching as Subject, each_twice, until_true] {
        for (kind, sort, results) in [
            (Pure, Sort::Bool, &[0, 1][..]),
            (Stateful, Sort::Bool, &[0, 1]),
            (Pure, few.clone(), &[-1, 0, 1]),
        ] {
            for depth in 1..=3 {
                let (mut found, end) = unfolded(three(kind, sort.clone()), depth, subject, None);
                let mut known = all_traces(3, kind, results, depth as usize, subject);
                found.sort();
                known.sort();
                assert_eq!((found, end), (known, End::Exhausted), "{kind:?} {sort:?} {depth}");
            }
        }
    }
}

#[test]
fn inputs_of_one_and_two_functions_are_those_of_brute_force() {
    let results = &[-1, 0, 1];
    for (n, kind) in [
        (1, CallbackKind::Pure),
        (1, CallbackKind::Stateful),
        (2, CallbackKind::Pure),
        (2, CallbackKind::Stateful),
    ] {
        for subject in [each_twice as Subject, until_true] {
            let params = (0..n).map(|id| function(id, Sort::Int(IntKind::I8))).collect();
            let (mut found, end) = unfolded(spec(&vec![kind; n as usize], params), 3, subject, None);
            let mut known = all_traces(n as usize, kind, results, 3, subject);
            found.sort();
            known.sort();
            assert_eq!((found, end), (known, End::Exhausted), "{n} {kind:?}");
        }
    }
}

#[test]
fn the_functions_of_a_list_are_told_apart() {
    let list = || Refined::plain(Sort::Seq(Box::new(function(0, Sort::Bool)), SeqKind::Vec));
    for subject in [each_twice as Subject, until_true] {
        let (mut found, end) = unfolded(spec(&[CallbackKind::Pure], vec![list()]), 2, subject, None);
        let of_length = |n| all_traces(n, CallbackKind::Pure, &[0, 1], 2, subject);
        let mut known: Vec<Trace> = (0..=2).flat_map(of_length).collect();
        found.sort();
        known.sort();
        assert_eq!((found, end), (known, End::Exhausted));
    }
}

#[test]
fn a_function_that_is_called_once_has_one_result() {
    let params = (0..3).map(|id| function(id, Sort::Bool)).collect();
    let subject: Subject = |n, ask| (0..n).for_each(|at| _ = ask(at, 0));
    let (mut found, end) = unfolded(spec(&[CallbackKind::Once; 3], params), 3, subject, None);
    found.sort();
    found.dedup();
    assert_eq!((found.len(), end), (8, End::Exhausted));
}

#[test]
fn what_is_not_known_of_a_case_is_said() {
    let params = (0..3).map(|id| function(id, Sort::Bool)).collect();
    let (found, end) = unfolded(spec(&[CallbackKind::Pure; 3], params), 2, branching, Some(1));
    let known = all_traces(3, CallbackKind::Pure, &[0, 1], 2, branching);
    assert!(found.len() < known.len(), "{found:?}");
    let End::Unknown(reasons) = end else { panic!("{end:?}") };
    assert!(reasons[0].contains("what it asks functions for is not known"), "{reasons:?}");
}

#[test]
fn spaces_whose_functions_can_all_be_extended_are_worth_it() {
    let is_worth = |kinds: &[CallbackKind], params: Vec<Refined>| {
        is_worth_unfolding(&Space::new(Arc::new(spec(kinds, params)), Bounds { depth: 3, bound: 1 }))
    };
    let pure = |n| vec![CallbackKind::Pure; n];
    let functions = |n| (0..n).map(|id| function(id, Sort::Bool)).collect::<Vec<_>>();
    let list = Refined::plain(Sort::Seq(Box::new(function(0, Sort::Bool)), SeqKind::Vec));
    assert!(is_worth(&pure(3), functions(3)) && is_worth(&pure(1), vec![list]));
    assert!(is_worth(&pure(1), functions(1)) && is_worth(&pure(2), functions(2)));
    assert!(!is_worth(&[], vec![Refined::plain(Sort::Bool)]));
    // A result that is a function, and one that depends on another argument.
    let made =
        vec![function(0, function(1, Sort::Bool).sort), function(2, Sort::Bool), function(3, Sort::Bool)];
    assert!(!is_worth(&pure(4), made));
    let mut dependent = function(0, Sort::Int(IntKind::U8));
    if let Sort::Seq(result, _) = &mut dependent.sort {
        let term = Term::Compare(CompareOp::Le, Box::new(Term::Var(3)), Box::new(Term::Var(4)));
        result.clauses.push(Clause { id: 0, text: String::new(), term });
    }
    let params = vec![
        dependent,
        function(1, Sort::Bool),
        function(2, Sort::Bool),
        Refined::plain(Sort::Int(IntKind::U8)),
    ];
    assert!(!is_worth(&pure(3), params));
}

/// A generator of one member, and then of cases outside the space without end.
struct Endless {
    member: Option<Vec<Value>>,
    is_told: bool,
}

impl Generator for Endless {
    fn step(&mut self) -> Step {
        let case = match self.member.take() {
            Some(args) => Case { args, beyond: None },
            None if !std::mem::replace(&mut self.is_told, true) => return Step::Beyond(End::Exhausted),
            None => Case { args: Vec::new(), beyond: Some(Source::Large) },
        };
        let n = if case.beyond.is_some() { 10 } else { 1 };
        Step::Batch(Batch::Cases(vec![case; n]))
    }

    fn solving(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn inputs_outside_a_small_space_are_at_most_a_tenth_besides_the_first() {
    // Seven results of one function, of 3^7 = 2187 sequences.
    let spec = spec(&[CallbackKind::Stateful], vec![function(0, Sort::Int(IntKind::I8))]);
    let space = Space::new(Arc::new(spec), Bounds { depth: 7, bound: 1 });
    let seven: Subject = |_, ask| (0..7).for_each(|arg| _ = ask(0, arg));
    let feedback = Feedback::default();
    let other = Box::new(Endless { member: Some(vec![Value::seq([])]), is_told: false });
    let mut unfolding = Unfolding::new(space.clone(), other, feedback.clone());
    let (mut n_inputs, mut n_members, mut n_beyond) = (0, 0, 0);
    loop {
        match unfolding.step() {
            Step::Batch(Batch::Cases(cases)) => {
                for case in cases {
                    let told = if case.beyond.is_some() {
                        n_beyond += 1;
                        Told::default()
                    } else {
                        let (_, asked, is_input) = run(&case.args, space.spec(), seven);
                        n_members += 1;
                        n_inputs += usize::from(is_input);
                        Told { asked: Some(asked), ..Told::default() }
                    };
                    feedback.tell([told]);
                }
            }
            Step::Batch(_) | Step::End(_) => panic!("the other generator has cases without end"),
            Step::Reached(_) => {}
            Step::Beyond(end) => break assert_eq!(end, End::Exhausted),
        }
    }
    assert_eq!(n_inputs, 2187);
    assert!(n_beyond <= 760 + n_members / 10, "{n_beyond} beside {n_members}");
    assert!(n_beyond >= 750, "{n_beyond}");
}

#[test]
fn inputs_outside_the_space_cost_little() {
    let list = Refined::plain(Sort::Seq(Box::new(function(0, Sort::Bool)), SeqKind::Vec));
    let spec = Arc::new(spec(&[CallbackKind::Pure], vec![list]));
    let space = Space::new(spec, Bounds { depth: 3, bound: 1 });
    let options = AutoOptions { beyond: true, seed: 0 };
    let mut auto = Auto::over(space.clone(), space.without_results(), &options);
    let before = cancel::steps();
    while !matches!(auto.step(), Step::End(_)) {}
    let n_steps = cancel::steps() - before;
    assert!(n_steps < 4_000_000, "{n_steps}");
}
