//! A target of which the function is right but for one input, judged, and mutated within its spec.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::child::serve::{all_kept, convert};
use crate::logic::ir::{
    ArithOp, Callback, CallbackId, CallbackKind, CallbackParam, Clause, Closure, CompareOp, IntKind, Param,
    SeqKind, Term,
};

fn clause(id: u32, text: &str, term: Term) -> Clause {
    Clause { id, text: text.to_owned(), term }
}

fn var(slot: u32) -> Box<Term> {
    Box::new(Term::Var(slot))
}

/// `fn(n: u8, ids: {v: Vec<u8> | v.len() == n}) -> {v: u8 | v == n}`, with a panic required where `n` is 3.
fn spec() -> Spec {
    let byte = || Refined::plain(Sort::Int(IntKind::U8));
    let mut ids = Refined::plain(Sort::Seq(Box::new(byte()), SeqKind::Vec));
    ids.clauses.push(clause(0, "v.len() == n", Term::Equal(Box::new(Term::Len(var(2))), var(0))));
    let mut result = byte();
    result.clauses.push(clause(1, "v == n", Term::Equal(var(2), var(0))));
    let three = Term::Equal(var(0), Box::new(Term::Lit(Value::int(3))));
    let param = |name: &str, refined| Param { name: name.to_owned(), refined, mutable: false };
    let small = Term::Compare(CompareOp::Lt, var(0), Box::new(Term::Lit(Value::int(9))));
    Spec {
        params: vec![param("n", byte()), param("ids", ids)],
        result,
        panics_if: Some(clause(2, "n == 3", three)),
        requires: vec![clause(3, "n < 9", small)],
        ..Spec::unrefined("f")
    }
}

/// Wrong where there are two.
fn run<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let n = convert::as_u8(&args[0]);
    // A set of two that are equal to the user's type.
    all_kept(1, if n == 5 || args[1] == Value::seq([9, 9, 9].map(Value::int)) { 2 } else { 1 });
    let result = arena.subject(|| {
        assert!(n != 3, "three");
        if n == 2 { 7 } else { n }
    });
    Ran { result: convert::from_u8(result), after: None }
}

static FUNCTION: Function = Function { number: 0, name: "f", run, opaques: &[], builders: &[] };

fn target() -> Target {
    Target::new(&spec().to_bytes(), &FUNCTION, 3, 8)
}

fn bytes(n: u8, ids: &[u8]) -> Vec<u8> {
    let ids: Vec<Value> = ids.iter().map(|id| Value::int(*id)).collect();
    encode_args(&[Value::int(n), Value::seq(ids)], &spec()).unwrap()
}

#[test]
fn what_breaks_the_spec_panics_and_what_it_refuses_does_not_run() {
    let target = target();
    assert!(target.run(&bytes(1, &[5])));
    assert!(!target.run(&bytes(2, &[5])));
    assert!(target.run(&bytes(3, &[1, 2, 3])), "a panic that has to be is none of the fuzzer's business");
    assert!(!target.run(&bytes(9, &[0; 9])), "no requirement");
    assert!(!target.run(&bytes(5, &[0; 5])), "what the glue gives up is no input");
    assert!(!target.run(&bytes(3, &[9; 3])), "nor is it the panic that has to be");
    let broken = catch_unwind(AssertUnwindSafe(|| target.run(&bytes(2, &[5, 6])))).unwrap_err();
    let message = broken.downcast_ref::<String>().unwrap();
    assert_eq!(message, "f(2, [5, 6]) = 7 gives a result that breaks its type: `v == n`");
}

#[test]
fn mutations_stay_within_the_spec() {
    let target = target();
    // A fuzzer that never satisfies the spec.
    let useless = |data: &mut [u8], _: usize, _: usize| {
        data[0] = 200;
        1
    };
    let mut sizes = [0; 9];
    for seed in 0..200 {
        let mut data = [0; 64];
        let before = bytes(1, &[5]);
        data[..before.len()].copy_from_slice(&before);
        let size = target.mutate(&mut data, before.len(), 64, seed, useless);
        let args = decode_args(&data[..size], &spec()).unwrap();
        assert!(target.admits(&args), "{seed}: {args:?}");
        sizes[convert::as_u8(&args[0]) as usize] += 1;
    }
    assert!(sizes[..4].iter().all(|n| *n > 5), "{sizes:?}");
}

#[test]
fn a_spec_of_another_version_is_no_spec() {
    let broken = catch_unwind(|| Target::new(&[1, 2, 3], &FUNCTION, 1, 1).run(&[])).unwrap_err();
    assert!(broken.downcast_ref::<String>().unwrap().contains("with `cargo target fuzz --init`"));
}

#[test]
fn what_takes_too_long_to_judge_is_no_crash() {
    let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
    let yes = Closure { slot: 9, body: Box::new(Term::Lit(Value::Bool(true))) };
    let costly = Term::All(Box::new(Term::Range(number(0), number(1 << 40))), yes);
    let target = |spec: Spec| Target::new(&spec.to_bytes(), &FUNCTION, 3, 8);
    let mut precondition = spec();
    precondition.requires.push(clause(4, "costly", costly.clone()));
    assert!(!target(precondition).run(&bytes(1, &[5])), "whether it is an input is not known");
    let mut result = spec();
    result.result.clauses.push(clause(4, "costly", costly));
    assert!(target(result).run(&bytes(1, &[5])));
}

/// `fn(g: fn(x: {x: u8 | 0 < x}) -> u8, n: u8) -> {v: u8 | v != 77}`, which returns `g(n)`.
fn spec_of_function() -> Spec {
    let byte = || Refined::plain(Sort::Int(IntKind::U8));
    let mut positive = byte();
    let zero = || Box::new(Term::Lit(Value::int(0)));
    positive.clauses.push(clause(0, "0 < x", Term::Compare(CompareOp::Lt, zero(), var(2))));
    let callback = Callback {
        kind: CallbackKind::Pure,
        params: vec![CallbackParam { name: "x".to_owned(), slot: 3, refined: positive }],
        requires: Vec::new(),
        ensures: Vec::new(),
        is_pointer: false,
        steps: None,
    };
    let function = Refined::plain(Sort::Seq(Box::new(byte()), SeqKind::Answers(CallbackId(0))));
    let mut result = byte();
    let is_it = Term::Equal(var(2), Box::new(Term::Lit(Value::int(77))));
    result.clauses.push(clause(1, "v != 77", Term::Not(Box::new(is_it))));
    let param = |name: &str, refined| Param { name: name.to_owned(), refined, mutable: false };
    let params = vec![param("g", function), param("n", byte())];
    Spec { params, callbacks: vec![callback], result, ..Spec::unrefined("f") }
}

fn run_with_function<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let result = arena.subject(|| functions::call(functions::of_param(0), &args[1..2]));
    Ran { result, after: None }
}

#[test]
fn functions_are_filled_while_the_target_runs() {
    static WITH_FUNCTION: Function =
        Function { number: 0, name: "f", run: run_with_function, opaques: &[], builders: &[] };
    let spec = spec_of_function();
    let target = Target::new(&spec.to_bytes(), &WITH_FUNCTION, 3, 8);
    let run = |results: &[u8], n: u8| {
        let results: Vec<Value> = results.iter().map(|result| Value::int(*result)).collect();
        let bytes = encode_args(&[Value::seq(results), Value::int(n)], &spec).unwrap();
        let ran = catch_unwind(AssertUnwindSafe(|| target.run(&bytes)));
        ran.map_err(|payload| payload.downcast_ref::<String>().unwrap().clone())
    };
    assert_eq!(run(&[5], 3), Ok(true));
    assert_eq!(run(&[], 3), Ok(true), "some result is found");
    let broken = "f(|x| 77, 3) = 77 gives a result that breaks its type: `v != 77`";
    assert_eq!(run(&[77], 3), Err(broken.to_owned()));
    let outside = "f(|x| unreachable!(), 0) calls g(0), which the type of that function excludes";
    assert_eq!(run(&[5], 0), Err(outside.to_owned()));
}

#[test]
fn conditions_ask_the_functions_of_the_input_that_is_judged() {
    static WITH_FUNCTION: Function =
        Function { number: 0, name: "f", run: run_with_function, opaques: &[], builders: &[] };
    let mut spec = spec_of_function();
    let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
    let result = Term::Ask(Question::Result, Asked::Param(0), vec![*number(1)]);
    spec.requires.push(clause(2, "g(1) < 3", Term::Compare(CompareOp::Lt, Box::new(result), number(3))));
    let target = Target::new(&spec.to_bytes(), &WITH_FUNCTION, 3, 8);
    let args = |result: u8| vec![Value::seq([Value::int(result)]), Value::int(1)];
    for (result, is_input) in [(2, true), (5, false), (1, true), (3, false)] {
        assert_eq!(target.admits(&args(result)), is_input, "{result}");
        assert_eq!(target.run(&encode_args(&args(result), &spec).unwrap()), is_input, "{result}");
    }
}

/// Whether a subject went on after a call that has no result: fuzzers would take what follows for a crash.
static WENT_ON: AtomicBool = AtomicBool::new(false);

/// Calls `g` for some `n` only.
fn run_that_may_call<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let n = convert::as_u8(&args[1]);
    let result = arena.subject(|| {
        if n == 254 || n < 9 {
            functions::call(functions::of_param(0), &args[1..2]);
            WENT_ON.store(n == 254, Ordering::Relaxed);
        }
        convert::from_u8(n)
    });
    Ran { result, after: None }
}

#[test]
fn calls_without_a_result_are_no_crash() {
    static MAY_CALL: Function =
        Function { number: 0, name: "f", run: run_that_may_call, opaques: &[], builders: &[] };
    let mut spec = spec_of_function();
    let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
    // `g(x)` is more than `x + 1`, and the postcondition asks for `g(n)`.
    let more = Term::Arith(ArithOp::Add, var(3), number(1));
    spec.callbacks[0].ensures.push(clause(
        3,
        "x + 1 < v",
        Term::Compare(CompareOp::Lt, Box::new(more), var(2)),
    ));
    let asked = Term::Ask(Question::Result, Asked::Param(0), vec![Term::Var(1)]);
    spec.ensures.push(clause(4, "0 < g(n)", Term::Compare(CompareOp::Lt, number(0), Box::new(asked))));
    let target = Target::new(&spec.to_bytes(), &MAY_CALL, 3, 8);
    let run = |n: i64| target.run(&encode_args(&[Value::seq([]), Value::int(n)], &spec).unwrap());
    assert!(run(3), "a result is found");
    assert!(!run(254) && !WENT_ON.load(Ordering::Relaxed), "without a result, the subject does not go on");
    assert!(run(255), "what a condition asks in vain is not broken");
}
