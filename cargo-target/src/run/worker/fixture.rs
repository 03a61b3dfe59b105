//! Test support for worker and runner: the harness of misbehaving subjects, and specs for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use target_strategies::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, Sort, Spec, Term};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::{Launch, Program, ShouldStop};

/// The subjects in the order of `examples/misbehaving.rs`.
const NAMES: [&str; 20] = [
    "panics",
    "aborts",
    "overflows_the_stack",
    "loops",
    "allocates_without_end",
    "exits_happily",
    "exits",
    "chats",
    "spawns_threads",
    "replaces_the_panic_hook",
    "panics_twice",
    "depends_on_earlier_calls",
    "leaks",
    "panics_while_unwinding",
    "negates",
    "keeps_a_grenade",
    "is_broken",
    "increments",
    "panics_from_seven",
    "forks",
];

/// `fn(n: i64) -> i64`
pub fn spec(name: &str) -> Spec {
    let i64 = || Refined::plain(Sort::Int(IntKind::I64));
    Spec {
        callbacks: Vec::new(),
        name: name.to_string(),
        params: vec![Param { name: "n".to_string(), refined: i64(), mutable: false }],
        data: Vec::new(),
        functions: Vec::new(),
        regexes: Vec::new(),
        requires: Vec::new(),
        explore: Vec::new(),
        result: i64(),
        ensures: Vec::new(),
        panics_if: None,
        displayed: Vec::new(),
        literals: Vec::new(),
        examples: Vec::new(),
    }
}

/// A clause with that number.
pub fn clause(id: u32, term: Term) -> Clause {
    Clause { id, text: format!("{term:?}"), term }
}

/// `at_least <= slot`
pub fn at_least(at_least: i64, slot: u32) -> Term {
    Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(at_least))), Box::new(Term::Var(slot)))
}

/// The harness for the function that the spec names, at a bound that makes the cases
/// `0, 1, -1, 2, -2, 3, -3, 4, -4, ..`.
pub fn launch(spec: Spec, bound: u32) -> Launch {
    let tests = std::env::current_exe().expect("a test knows where it is");
    let program: PathBuf =
        tests.parent().and_then(|deps| deps.parent()).expect("tests are built into deps").into();
    let program = program.join("examples/misbehaving");
    assert!(program.exists(), "run `cargo build --examples` first: {} is missing", program.display());
    let function = NAMES.iter().position(|name| *name == spec.name).expect("a name of the list");
    Launch {
        program: Arc::new(Program::new(program, &std::env::temp_dir())),
        function: function as u32,
        space: Space::new(Arc::new(spec), Bounds { depth: 4, bound }),
        memory: 64 << 20,
        judge_all: false,
        watch: None,
        tested: Arc::default(),
        timeout: Duration::from_millis(500),
    }
}

/// Goes on for ever.
pub fn never_stop() -> ShouldStop {
    Arc::new(|| false)
}

/// A text whose locations in source files have lost their lines and columns, which change with every edit.
pub fn without_lines(text: &str) -> String {
    let mut parts = text.split(".rs:");
    let mut kept = parts.next().unwrap_or_default().to_string();
    for part in parts {
        kept.push_str(".rs");
        kept.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'));
    }
    kept
}
