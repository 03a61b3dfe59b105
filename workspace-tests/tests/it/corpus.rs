//! Corpus files: made of the spec alone, kept in order, tried first, and turned into tests.

use std::process::Command;

use expect_test::expect;

use crate::support::Fixture;

const MANIFEST: &str = r#"
# Proves: what a corpus keeps, and what becomes of it when the spec or the function changes.
[package]
name = "keeper"
version = "0.1.0"
edition = "2021"

[workspace]

[package.metadata.target]
depth = 2
bound = 2

[package.metadata.target.types]
Pos = "{v: i64 | 0 < v}"
"Rng(n: int)" = "{v: i64 | 0 <= v && v < n}"
Pair = "(Pos, Option<char>)"
Pairs = "Vec<Pair>"
Lucky = "{v: u8 | where is_fine(v)}"

[package.metadata.target.functions]
rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"
"Meter::add" = "fn(self: Meter, by: {v: u8 | v < 100}) -> Meter"
sum = { spec = "fn(xs: Vec<i64>)", call = "|xs: Vec<i64>| xs.len()", depth = 9, bound = 9 }
wide = "fn(n: u8)"
guarded = "fn(xs: Vec<u8>, n: Lucky)"
"#;

const LIBRARY: &str = "
#[derive(Debug, Clone, PartialEq)]
pub struct Meter { pub count: u8, pub name: String }
impl Meter {
    pub fn add(self, by: u8) -> Meter { Meter { count: self.count.saturating_add(by), ..self } }
}
pub fn rescale(r1: i64, r2: i64, s: i64) -> i64 { (s * r2 + 1) / r1 }
pub fn wide(n: u8) { assert!(n < 255); }
pub fn guarded(xs: Vec<u8>, n: u8) { let _ = (xs, n); }
pub fn is_fine(n: &u8) -> bool { n % 2 == 0 }
";

/// The same, mended.
const MENDED: &str = "s * (r2 / r1)";

fn keeper(test: &str) -> Fixture {
    Fixture::with_files(test, &[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)])
}

#[test]
fn a_file_depends_on_the_spec_and_the_options_alone() {
    let fixture = keeper("corpus_files");
    fixture.write("Cargo.toml", &MANIFEST.replace("bound = 2", "bound = 2\nboundary = false"));
    let made = fixture.target(&["corpus", "rescale", "Pairs", "--all-up-to", "1", "--sample", "3"]);
    assert_eq!(made.code, 0, "{made:?}");
    let text = fixture.read("target-corpus/Pairs.corpus");
    expect![[r#"
        target-corpus 1
        function Pairs
        options --all-up-to 1 --sample 3
        spec Pairs = Vec<Pair>

        all ([])
        all ([(1, None)])
        all ([(2, None)])

        sample ([(2, None), (2, None)])
        sample ([(2, Some('b')), (2, None)])
        sample ([(2, Some('b')), (2, Some('0'))])
    "#]]
    .assert_eq(&text);
    expect![[r#"
        target-corpus 1
        function rescale
        options --all-up-to 1 --sample 3
        spec fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)

        all (1, 1, 0)
        all (1, 2, 0)
        all (2, 1, 0)
        all (2, 1, 1)
        all (2, 2, 0)
        all (2, 2, 1)
    "#]]
    .assert_eq(&fixture.read("target-corpus/rescale.corpus"));

    // The head remembers the options, so that the same command without them changes nothing.
    let again = fixture.target(&["corpus", "rescale", "Pairs"]);
    assert!(again.stdout.lines().all(|line| line.ends_with(", as before")), "{again:?}");
    assert_eq!(fixture.target(&["corpus", "--check"]).code, 0);
    std::fs::remove_dir_all(fixture.root.join("target-corpus")).unwrap();
    assert_eq!(fixture.target(&["corpus", "--check", "Pairs"]).code, 1);
    fixture.target(&["corpus", "Pairs", "--all-up-to", "1", "--sample", "3"]);
    assert_eq!(fixture.read("target-corpus/Pairs.corpus"), text);
    let other = fixture.target(&["corpus", "Pairs", "--seed", "1"]);
    assert!(other.code == 0 && fixture.read("target-corpus/Pairs.corpus") != text, "{other:?}");
}

#[test]
fn functions_and_types_have_files_with_what_can_be_had() {
    let fixture = keeper("corpus_all");
    let all = fixture.target(&["corpus", "rescale", "Meter::add", "Lucky"]);
    assert!(all.stdout.contains("target-corpus/Meter.add.corpus: 32 boundary, "), "{all:?}");
    assert!(all.stderr.contains("note: Lucky: only Rust code can say which values are valid"), "{all:?}");
    let methods = fixture.read("target-corpus/Meter.add.corpus");
    assert!(methods.contains("\nall (Meter { count: 0, name: \"\" }, 0)\n"), "{methods}");
    let extremes = fixture.read("target-corpus/rescale.corpus");
    assert!(extremes.contains("\nboundary (9223372036854775807, 1, "), "{extremes}");
    let wrong = fixture.target(&["corpus", "rescal"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("no function or type `rescal`"), "{wrong:?}");
    fixture.write("target-corpus/rescale.corpus", "[package]");
    let foreign = fixture.target(&["corpus", "rescale"]);
    assert!(foreign.code == 2 && foreign.stderr.contains("begins with `target-corpus 1`"), "{foreign:?}");
    assert_eq!(fixture.read("target-corpus/rescale.corpus"), "[package]");
    let wide = fixture.target(&["corpus", "sum", "--all-up-to", "9"]);
    assert!(wide.code == 2 && wide.stderr.contains("more than 100000 inputs up to size"), "{wide:?}");
}

#[test]
fn json_lines_are_what_serde_would_write() {
    let fixture = keeper("corpus_json");
    let printed = fixture.target(&["corpus", "Pair", "Meter::add", "--format", "jsonl", "--sample", "0"]);
    let mut lines: Vec<&str> = printed.stdout.lines().collect();
    assert!(lines.iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{printed:?}");
    lines.retain(|line| line.contains(r#""kind":"all""#));
    let [first, last] = [&lines[..2], &lines[lines.len() - 2..]];
    expect![[r#"
        {"package":"keeper","function":"Meter::add","kind":"all","args":[{"count":0,"name":""},0]}
        {"package":"keeper","function":"Meter::add","kind":"all","args":[{"count":0,"name":""},1]}
        {"package":"keeper","function":"Pair","kind":"all","args":[[2,"b"]]}
        {"package":"keeper","function":"Pair","kind":"all","args":[[2,"0"]]}"#]]
    .assert_eq(&[first, last].concat().join("\n"));
    assert!(!fixture.root.join("target-corpus").exists());
}

#[test]
fn lines_of_a_hand_stay_and_rejected_ones_are_kept_aside() {
    let fixture = keeper("corpus_hand");
    let head = "target-corpus 1\nfunction rescale\noptions --all-up-to 0 --sample 0\n";
    fixture.write(
        "target-corpus/rescale.corpus",
        &format!("{head}# seen in the field\n(7, 2, 5)\ncounterexample (9, 9, 8)\n"),
    );
    fixture.target(&["corpus", "rescale"]);
    let before = fixture.read("target-corpus/rescale.corpus");
    assert!(
        before.contains("\ncounterexample (9, 9, 8)\n\n# seen in the field\nkept (7, 2, 5)\n"),
        "{before}"
    );

    fixture.write("Cargo.toml", &MANIFEST.replace("0 <= v && v < n", "0 <= v && v < n && v < 6"));
    let check = fixture.target(&["corpus", "--check"]);
    assert_eq!(check.code, 1);
    assert!(
        check.stderr.contains("rejected: `v < 6` does not hold\n    counterexample (9, 9, 8)\n"),
        "{check:?}"
    );
    fixture.target(&["corpus", "rescale"]);
    let after = fixture.read("target-corpus/rescale.corpus");
    assert!(
        after.ends_with("\n# rejected: `v < 6` does not hold\nrejected counterexample (9, 9, 8)\n"),
        "{after}"
    );
    assert_eq!(fixture.target(&["corpus", "--check"]).code, 1, "a rejected line fails the check");

    fixture.write("Cargo.toml", MANIFEST);
    fixture.target(&["corpus", "rescale"]);
    assert_eq!(fixture.read("target-corpus/rescale.corpus"), before);
    fixture.write("target-corpus/gone.corpus", "target-corpus 1\n");
    let check = fixture.target(&["corpus", "--check"]);
    assert!(
        check.code == 1 && check.stderr.contains("gone.corpus: no spec has this name any more"),
        "{check:?}"
    );
}

/// Only what somebody wrote, or what failed once, is kept aside when the spec gets narrower.
#[test]
fn generated_lines_that_are_rejected_are_left_out() {
    let fixture = keeper("corpus_narrowed");
    fixture.write(
        "target-corpus/rescale.corpus",
        "target-corpus 1\n# mine\nfunction rescale\n\nkept (9, 9, 8)\n",
    );
    fixture.target(&["corpus", "rescale", "--all-up-to", "1", "--sample", "9"]);
    let before = fixture.read("target-corpus/rescale.corpus");
    assert!(
        before.starts_with("# mine\ntarget-corpus 1\n") && before.contains("\nall (2, 2, 1)\n"),
        "{before}"
    );
    assert!(before.contains("\nboundary (9223372036854775807, "), "{before}");

    let narrow = MANIFEST.replace("0 <= v && v < n", "0 <= v && v < n && v < 1");
    fixture.write("Cargo.toml", &narrow);
    let check = fixture.target(&["corpus", "--check"]);
    assert!(check.code == 1 && check.stderr.contains(" is stale: "), "{check:?}");
    let written = fixture.target(&["corpus", "rescale"]);
    assert!(
        written.stderr.contains("of generated kinds are rejected and left out: `v < 1` does not hold"),
        "{written:?}"
    );
    let text = fixture.read("target-corpus/rescale.corpus");
    let (_, rejected) = text.split_once("\n# rejected: ").unwrap();
    assert_eq!(rejected, "`v < 1` does not hold\nrejected kept (9, 9, 8)\n");
    fixture.write(
        "target-corpus/rescale.corpus",
        &text.replace("# rejected: `v < 1` does not hold\nrejected kept (9, 9, 8)\n", ""),
    );
    let check = fixture.target(&["corpus", "--check"]);
    assert_eq!(check.code, 1, "the blank line is too many: {check:?}");
    fixture.target(&["corpus", "rescale"]);
    assert_eq!(fixture.target(&["corpus", "--check"]).code, 0);
}

#[test]
fn a_counterexample_is_saved_tried_first_and_made_a_test() {
    let fixture = keeper("corpus_saved").with_saved("keeper");
    // With this seed, the random baseline meets an overflow beyond the bound first.
    let first = fixture.run(&["rescale", "--seed", "1"]);
    let found = &first.of("rescale", "smt")["counterexample"];
    assert_eq!((found["saved"].as_bool(), first.finished()["exit_code"].as_i64()), (Some(false), Some(1)));
    let second = fixture.run(&["rescale"]);
    let row = second.of("rescale", "smt");
    assert_eq!(row["cases_to_failure"], 1, "{row}");
    assert_eq!(row["counterexample"]["saved"], true, "{row}");
    assert_eq!(row["counterexample"]["args"], found["args"]);
    // Baselines show what they find by themselves.
    assert_ne!(second.of("rescale", "enumerative")["counterexample"]["saved"], true);
    let shown = fixture.target(&["run", "rescale"]);
    assert!(shown.stdout.contains("counterexample inside the bound, saved: rescale(1, 1, 0)"), "{shown:?}");

    beyond_the_bound(&fixture);
    with_rust_code(&fixture);

    fixture.target(&["corpus", "rescale"]);
    let corpus = fixture.read("target-corpus/rescale.corpus");
    expect![[r#"
        # result: `v < r2` does not hold
        # returned 1
        counterexample (1, 1, 0)
        # panic: attempt to multiply with overflow
        counterexample (3, 9223372036854775807, 2)"#]]
    .assert_eq(corpus.split("\n\n").nth(1).unwrap());

    saved_ones_are_taken_in_once(&fixture);
    let tests = fixture.target(&["tests", "rescale", "-o", "tests/found.rs"]);
    assert_eq!(tests.code, 0, "{tests:?}");
    expect![[r#"
        // The counterexamples of the corpus, as `cargo target tests` writes them: write them anew, don't edit them.

        #[test]
        fn rescale_counterexample() {
            // the spec requires: v < r2
            let r2 = 1;
            let result = keeper::rescale(1, r2, 0);
            assert!(0 <= result && result < r2, "result = {result:?}");
        }

        #[test]
        fn rescale_counterexample_2() {
            let r2 = 9223372036854775807;
            let result = keeper::rescale(3, r2, 2);
            assert!(0 <= result && result < r2, "result = {result:?}");
        }
    "#]].assert_eq(&fixture.read("tests/found.rs"));
    assert!(!passes_its_tests(&fixture));

    fixture.write("src/lib.rs", &LIBRARY.replace("(s * r2 + 1) / r1", MENDED));
    assert!(passes_its_tests(&fixture));
    let mended = fixture.run(&["rescale"]);
    assert_eq!(mended.verdict("rescale", "smt"), "passed");
    std::fs::remove_file(fixture.root.join("target-corpus/rescale.corpus")).unwrap();
    fixture.target(&["corpus", "rescale"]);
    let again = fixture.read("target-corpus/rescale.corpus");
    assert!(!again.contains("\ncounterexample "), "what was deleted doesn't come back: {again}");
}

/// What stands in the package's file is not saved a second time, and what is saved is neither compared nor printed.
fn saved_ones_are_taken_in_once(fixture: &Fixture) {
    let saved = fixture.saved_file("keeper", "rescale");
    assert!(!saved.exists());
    assert_eq!(fixture.run(&["rescale"]).of("rescale", "smt")["counterexample"]["saved"], true);
    assert!(!saved.exists());
    std::fs::write(&saved, "target-corpus 1\ncounterexample (5, 1, 0)\n").unwrap();
    assert_eq!(fixture.target(&["corpus", "rescale", "--check"]).code, 0);
    let printed = fixture.target(&["corpus", "rescale", "--format", "jsonl"]);
    assert!(printed.stdout.contains("[1,1,0]") && !printed.stdout.contains("[5,1,0]"), "{printed:?}");
    std::fs::remove_file(saved).unwrap();

    let wide = fixture.saved_file("keeper", "wide");
    let later = "target-corpus 9\ncounterexample (9)\n";
    std::fs::write(&wide, later).unwrap();
    let run = fixture.target(&["run", "wide"]);
    assert!(run.stderr.contains("what runs saved for `wide` is passed over: "), "{run:?}");
    assert_eq!(std::fs::read_to_string(wide.with_extension("corpus.old")).unwrap(), later);
    assert!(std::fs::read_to_string(wide).unwrap().ends_with("\ncounterexample (255)\n"));
}

/// What lies beyond the bound doesn't end the run, saved or not.
fn beyond_the_bound(fixture: &Fixture) {
    for saved in [false, true] {
        let run = fixture.run(&["-g", "auto", "wide"]);
        let row = run.of("wide", "auto");
        assert_eq!(
            (&row["exhausted"], &row["counterexample"]["boundary"]),
            (&true.into(), &true.into()),
            "{row}"
        );
        assert_eq!(row["counterexample"]["saved"], saved, "{row}");
    }
}

/// Rust code is asked in the harness, which knows that odd numbers are no fine ones.
fn with_rust_code(fixture: &Fixture) {
    let guarded = fixture.target(&["corpus", "guarded", "--all-up-to", "0", "--sample", "0"]);
    assert_eq!(guarded.code, 0, "{guarded:?}");
    let guarded = fixture.read("target-corpus/guarded.corpus");
    assert!(guarded.ends_with("\n\nall ([], 0)\nall ([], 2)\n"), "{guarded}");
}

fn passes_its_tests(fixture: &Fixture) -> bool {
    let target = fixture.root.join("target");
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--offline", "--quiet", "--test", "found"]).current_dir(&fixture.root);
    let output = command.env("CARGO_TARGET_DIR", target).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("test result"), "{printed}");
    output.status.success()
}
