//! Functions as values of a strategy.
//!
//! A function is a table that is filled while the test calls it, as in a run of the tool: the same arguments have the same result,
//! and a call that its type excludes panics. Only what was called is shown, so a value is shown after its test ran.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::child::serve::functions::Functions;
use crate::logic::value::Value;

/// A function that a strategy made. `F` is a trait object, such as `dyn Fn(i32) -> i32 + Send + Sync`.
///
/// It can be called like a closure, and passed on: `&*f` for a `&dyn Fn` or an `impl Fn`, `&mut *f` for a `&mut dyn FnMut` or an
/// `impl FnMut`, [`into_box`](Function::into_box) for a `Box<dyn Fn>` or an `impl FnOnce`. `Debug` shows it as a closure, with the
/// results of the calls so far: `|x| match x { 0 => 3, _ => 1 }`.
pub struct Function<F: ?Sized> {
    code: Box<F>,
    asked: Asked,
}

impl<F: ?Sized> Function<F> {
    /// The function that a part of the arguments is, made of code that asks for results. Written files use it, while a value of
    /// [`Members`](super::Members) is made.
    pub fn new(value: &Value, callback: u32, code: impl FnOnce(Asked) -> Box<F>) -> Function<F> {
        let functions =
            CURRENT.with_borrow(Clone::clone).expect("functions are made with the values of a strategy");
        let number = functions.number(value, callback);
        let asked = Asked { functions, number };
        Function { code: code(asked.clone()), asked }
    }

    /// The function alone. It is no longer shown.
    pub fn into_box(self) -> Box<F> {
        self.code
    }
}

impl<F: ?Sized> Deref for Function<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.code
    }
}

impl<F: ?Sized> DerefMut for Function<F> {
    fn deref_mut(&mut self) -> &mut F {
        &mut self.code
    }
}

impl<F: ?Sized> fmt::Debug for Function<F> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.asked.fmt(out)
    }
}

/// Gives the results of one function, or of a method of a trait's value. `Debug` shows it as a closure.
#[derive(Clone)]
pub struct Asked {
    functions: Functions,
    number: usize,
}

impl fmt::Debug for Asked {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.functions.code(self.number))
    }
}

impl Asked {
    /// The function that a part of the arguments is. Written files use it, while a value of [`Members`](super::Members) is made.
    pub fn new(value: &Value, callback: u32) -> Asked {
        let functions =
            CURRENT.with_borrow(Clone::clone).expect("functions are made with the values of a strategy");
        let number = functions.number(value, callback);
        Asked { functions, number }
    }

    /// The result of a call.
    ///
    /// # Panics
    ///
    /// Panics if the type of the function excludes the call, or if no result is found that its spec admits.
    pub fn call(&self, args: &[Value]) -> Value {
        self.functions.call(self.number, args)
    }

    /// The result of a call of a function that takes another function, `ask`, at this position.
    ///
    /// # Panics
    ///
    /// As [`Asked::call`]; also if `ask` gives what its type excludes.
    pub fn call_taking(
        &self,
        args: Vec<Value>,
        taken: usize,
        ask: &mut dyn FnMut(&[Value]) -> Value,
    ) -> Value {
        self.functions.call_taking(self.number, args, taken, ask)
    }
}

thread_local! {
    /// The functions of the value that is being made.
    static CURRENT: RefCell<Option<Functions>> = const { RefCell::new(None) };
}

/// Makes a value with these functions.
pub(super) fn with_functions<T>(functions: &Functions, make: impl FnOnce() -> T) -> T {
    struct Restored(Option<Functions>);
    impl Drop for Restored {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Restored(CURRENT.replace(Some(functions.clone())));
    make()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

    use super::*;
    use crate::child::serve::convert::{as_i64, from_i64};
    use crate::logic::ir::{
        Callback, CallbackId, CallbackKind, CallbackParam, Clause, CompareOp, IntKind, Law, Param, Question,
        Refined, SeqKind, Sort, Spec, Term,
    };
    use crate::space::Bounds;
    use crate::strategy::Members;

    type OnNaturals = dyn Fn(i64) -> i64 + Send + Sync;

    fn var(slot: u32) -> Box<Term> {
        Box::new(Term::Var(slot))
    }

    /// `fn(f: fn(x: {x: i64 | 0 <= x}) -> {v: i64 | least <= v && x <= v}) requires injective(f)`
    fn spec(least: i64) -> Spec {
        let clause = |id, term| Clause { id, text: String::new(), term };
        let at_most = |a, b| Term::Compare(CompareOp::Le, a, b);
        let number = |n: i64| Box::new(Term::Lit(Value::int(n)));
        let mut natural = Refined::plain(Sort::Int(IntKind::I64));
        natural.clauses.push(clause(0, at_most(number(0), var(1))));
        let mut result = Refined::plain(Sort::Int(IntKind::I64));
        result.clauses.push(clause(3, at_most(number(least), var(1))));
        let callback = Callback {
            kind: CallbackKind::Pure,
            params: vec![CallbackParam { name: "x".to_owned(), slot: 2, refined: natural }],
            requires: Vec::new(),
            ensures: vec![clause(1, at_most(var(2), var(1)))],
            is_pointer: false,
            steps: None,
        };
        let refined = Refined::plain(Sort::Seq(Box::new(result), SeqKind::Answers(CallbackId(0))));
        let of = crate::logic::ir::Asked::Param(0);
        Spec {
            params: vec![Param { name: "f".to_owned(), refined, mutable: false }],
            callbacks: vec![callback],
            requires: vec![clause(2, Term::Ask(Question::Obeys(Law::Injective), of, Vec::new()))],
            ..Spec::unrefined("f")
        }
    }

    fn members() -> Members<Function<OnNaturals>> {
        members_from(-1000)
    }

    fn members_from(least: i64) -> Members<Function<OnNaturals>> {
        let make = |args: &[Value]| {
            let code =
                |asked: Asked| -> Box<OnNaturals> { Box::new(move |x| as_i64(&asked.call(&[from_i64(x)]))) };
            Function::new(&args[0], 0, code)
        };
        Members::new(spec(least), Bounds { depth: 3, bound: 3 }, make, &[])
    }

    #[test]
    fn functions_are_functions_within_their_spec() {
        for f in members().sample(0).take(200) {
            let results = [5, 0, 3, 0, 5, 100].map(&*f);
            assert_eq!((results[1], results[0]), (results[3], results[4]), "{f:?}");
            assert!(results.iter().zip([5, 0, 3, 0, 5, 100]).all(|(v, x)| *v >= x), "{f:?}");
            let mut distinct = [results[0], results[1], results[2], results[5]];
            distinct.sort_unstable();
            assert!(distinct.is_sorted_by(|a, b| a < b), "{f:?}");
        }
    }

    #[test]
    fn a_call_that_the_type_excludes_panics() {
        let f = members().sample(0).next().expect("samples have no end");
        let panic = catch_unwind(AssertUnwindSafe(|| f(-1))).unwrap_err();
        let message = panic.downcast_ref::<String>().expect("the message is formatted");
        assert_eq!(message, "called f(-1), which the type of that function excludes");
    }

    #[test]
    fn results_are_found_that_are_near_nothing() {
        // Small numbers and those near the arguments are no results, and some functions come without any.
        for f in members_from(1000).sample(0).take(100) {
            assert!(f(3) >= 1000 && f(3) == f(3) && f(4) != f(3), "{f:?}");
        }
    }

    #[test]
    fn a_value_that_is_made_twice_keeps_its_results() {
        let mut runner = TestRunner::deterministic();
        let tree = members().within(3, 100).new_tree(&mut runner).expect("no sample is rejected");
        let first = [0, 1, 2].map(&*tree.current());
        // A filter asks for one result, then a test for others.
        assert_eq!(tree.current()(1), first[1]);
        assert_eq!([2, 1, 0].map(&*tree.current()), [first[2], first[1], first[0]]);
    }

    #[test]
    fn filters_and_functions_go_together() {
        let strategy = (1..100_i64, members().within(3, 100));
        let strategy = strategy.prop_filter("positive", |(n, f)| f(*n - 1) > 0 && f(0) > 0);
        let config = Config { failure_persistence: None, max_local_rejects: 1 << 20, ..Config::default() };
        for seed in 0..20 {
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
            let result = TestRunner::new_with_rng(config.clone(), rng).run(&strategy, |(n, f)| {
                proptest::prop_assert!(f(n) < 3 || f(0) < f(n));
                Ok(())
            });
            if let Err(TestError::Fail(_, (n, f))) = result {
                let shown = format!("{f:?}");
                assert!(f(n) >= 3 && f(0) >= f(n) && f(n - 1) > 0, "{n} {shown}");
            }
        }
    }

    #[test]
    fn what_fails_stays_so_next_to_other_values_that_shrink() {
        let fails = |n: i64, f: &OnNaturals| n >= 10 && f(0) < f(n);
        for seed in 0..50 {
            let mut runner = TestRunner::new_with_rng(
                Config::default(),
                TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
            );
            let mut tree =
                (0..100_i64, members().within(3, 100)).new_tree(&mut runner).expect("no sample is rejected");
            let (n, f) = tree.current();
            if !fails(n, &*f) {
                continue;
            }
            let mut goes_on = tree.simplify();
            while goes_on {
                let (n, f) = tree.current();
                goes_on = if fails(n, &*f) { tree.simplify() } else { tree.complicate() };
            }
            let (n, f) = tree.current();
            let shown = format!("{f:?}");
            assert!(fails(n, &*f), "{n}, {shown}");
        }
    }

    #[test]
    fn what_is_shown_and_shrunk_is_what_was_returned() {
        let mut runner = TestRunner::deterministic();
        let fails = |f: &Function<OnNaturals>| f(1) + f(0) > 40;
        let mut n_found = 0;
        for _ in 0..200 {
            let mut tree = members().within(3, 100).new_tree(&mut runner).expect("no sample is rejected");
            if !fails(&tree.current()) {
                continue;
            }
            n_found += 1;
            let mut goes_on = tree.simplify();
            while goes_on {
                goes_on = if fails(&tree.current()) { tree.simplify() } else { tree.complicate() };
            }
            let least = tree.current();
            assert!(fails(&least));
            assert_eq!(least(0) + least(1), 41, "{least:?}");
            assert_eq!(format!("{:?}", tree.current()), format!("{least:?}"), "what ran last is shown again");
        }
        assert!(n_found > 5, "{n_found}");
    }
}
