//! The papers' own examples, with the papers' own answers.

use crate::support::Fixture;

const GENERATORS: [&str; 3] = ["smt", "random", "enumerative"];

#[test]
fn the_grading_library_fails_and_passes_as_in_the_paper() {
    let events = Fixture::new("papers::scores", "scores").run(&[]);
    assert_eq!(events.code, 1);
    // Section 2.1 of Type Targeted Testing: each first version has a counterexample ..
    assert_eq!(events.counterexample("rescale_nat", "smt"), (vec!["1", "0", "0"], "result"));
    assert_eq!(events.of("rescale_nat", "smt")["counterexample"]["clause"], "v < r2");
    assert_eq!(events.counterexample("average_any", "smt"), (vec!["&[(0, 0)]"], "panic"));
    let (args, failure) = events.counterexample("average_nonzero", "smt");
    assert_eq!(failure, "panic");
    assert!(["&[(-1, 0), (1, 0)]", "&[(1, 0), (-1, 0)]"].contains(&args[0]), "{args:?}");
    assert_eq!(events.counterexample("best_any", "smt"), (vec!["1", "&[]"], "result"));
    // .. and each mended one passes on all of its space.
    for function in ["rescale", "insert", "best"] {
        let outcome = events.of(function, "smt");
        assert_eq!(outcome["verdict"], "passed", "{outcome:#}");
    }
    assert_eq!(events.verdict("average", "smt"), "passed");
    let rescale = events.of("rescale", "smt");
    assert_eq!(rescale["exhausted"], true);
    // r1 and r2 in 1..=4, s below r1.
    assert_eq!(rescale["valid"], 40);
    assert_eq!(rescale["discarded"], 0);
    for generator in GENERATORS {
        assert_eq!(events.verdict("rescale_nat", generator), "failed");
        assert_eq!(events.verdict("best_any", generator), "failed");
    }
    let enumerative = events.of("rescale", "enumerative");
    assert_eq!((&enumerative["exhausted"], &enumerative["valid"]), (&true.into(), &40.into()));
    let finished = events.finished();
    assert_eq!(finished["passed"], 4);
    assert_eq!(finished["failed"], 4);
}

#[test]
fn boundary_cases_find_the_overflows_that_unbounded_integers_hide() {
    let fixture = Fixture::new("papers::boundary", "scores");
    let manifest = fixture.read("Cargo.toml").replace("boundary = false", "boundary = true");
    fixture.write("Cargo.toml", &manifest);
    let events = fixture.run(&["-g", "auto", "--exact", "rescale", "average"]);
    assert_eq!(events.code, 1);
    let average = events.of("average", "auto");
    let found = &average["counterexample"];
    assert_eq!((&found["failure"], &found["boundary"]), (&"panic".into(), &true.into()), "{average:#}");
    assert!(found["message"].as_str().unwrap().contains("overflow"), "{found:#}");
    assert_eq!(found["confirmed"], true);
    // `s * (r2 / r1)` is below `r2` for every `s` below `r1`.
    let rescale = events.of("rescale", "auto");
    assert_eq!((&rescale["verdict"], &rescale["exhausted"]), (&"passed".into(), &true.into()));
    assert!(rescale["boundary_cases"].as_u64() > Some(10), "{rescale:#}");
}

#[test]
fn a_missing_case_is_found_by_the_smallest_tree_that_reaches_it() {
    let events = Fixture::new("papers::irulan", "irulan").run(&[]);
    let (args, failure) = events.counterexample("tree::insert", "smt");
    assert_eq!(failure, "panic");
    assert_eq!(
        args,
        [
            "0",
            "irulan::tree::IntTree::Node(Box::new(irulan::tree::IntTree::Leaf), 0, Box::new(irulan::tree::IntTree::Leaf))"
        ]
    );
    let found = &events.of("tree::insert", "smt")["counterexample"];
    assert!(found["location"].as_str().unwrap().starts_with("src/lib.rs:"), "{found:#}");
    assert_eq!(events.verdict("tree::insert_total", "smt"), "passed");
    // Trees of at most two nodes on a path, values in -2..=2: 1 + 5 * (1 + 5)^2.
    let size = events.of("tree::size", "smt");
    assert_eq!((&size["valid"], &size["exhausted"]), (&181.into(), &true.into()));
}
