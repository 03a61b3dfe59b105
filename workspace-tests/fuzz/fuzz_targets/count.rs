//! Specs through counting, listing and explaining, in a small space and within a limit of work: what is counted is what is
//! listed.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use target_bridge::generate::native::describe_plan;
use target_bridge::frontend::resolve::describe;
use target_strategies::logic::int::Int;
use target_strategies::native::{Class, Native};
use target_strategies::space::{Bounds, Space};

/// The most work that counting may take.
const EFFORT: u64 = 5_000;

/// The most inputs that are listed.
const LISTED: usize = 100;

fuzz_target!(|text: &str| {
    // The reach of the space is small, whatever the input says: it is how the work grows that is tested here.
    let Some(subject) = target_fuzz::of_spec(text) else { return };
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 2, bound: 2 });
    describe(&subject);
    describe_plan(&subject, &space);
    let mut native = Native::new(&space);
    let Ok(total) = native.count(Class::All, EFFORT) else { return };
    let Some(mut cursor) = native.cursor(Class::All) else {
        assert!(*total.n_listed() == Int::from(0), "{total:?} were counted, and none is listed");
        return;
    };
    let mut listed = 0;
    while listed <= LISTED && native.advance(&mut cursor) {
        listed += 1;
    }
    if listed <= LISTED && !native.any_undecided() {
        assert_eq!(*total.n_listed(), Int::from(listed as i64));
    }
});
