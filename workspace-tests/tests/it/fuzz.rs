//! Seeds for real fuzz targets, and targets written for a spec: built by cargo-fuzz, run by libFuzzer.
//!
//! cargo-fuzz is installed once, below the target directory, where it isn't there already. Without a sanitizer it needs
//! no nightly toolchain.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Fixture, QUICK_BUILD};

/// The version that is installed where there is none.
const CARGO_FUZZ: &str = "0.13.2";

/// So many executions find nothing without seeds, and the mistake with them.
const RUNS: &str = "20000";

/// Where cargo-fuzz is.
fn cargo_fuzz(fixture: &Fixture) -> PathBuf {
    let of_system = Command::new("cargo-fuzz").arg("--version").output();
    if of_system.is_ok_and(|output| output.status.success()) {
        return PathBuf::from("cargo-fuzz");
    }
    let folder = fixture.root.parent().unwrap().join("tools");
    let program = folder.join("bin").join("cargo-fuzz");
    if !program.exists() {
        let mut install = Command::new("cargo");
        without_cargo(&mut install);
        install.args(["install", "--quiet", "--debug", "--locked", "cargo-fuzz", "--version", CARGO_FUZZ]);
        install.envs(QUICK_BUILD);
        let output = install.arg("--root").arg(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    program
}

/// The environment of a test run by cargo is not for another cargo.
fn without_cargo(command: &mut Command) {
    for (name, _) in std::env::vars() {
        let kept = name == "CARGO_HOME" || name.starts_with("RUSTUP_");
        if (name.starts_with("CARGO") || name.starts_with("RUST")) && !kept {
            command.env_remove(name);
        }
    }
}

/// The fixture, with what is not published yet in its place.
fn ledger(test: &str) -> Fixture {
    let fixture = Fixture::new(test, "ledger");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("strategies");
    let manifest = fixture.read("fuzz/Cargo.toml");
    let patch = format!("[patch.crates-io]\ntarget-strategies = {{ path = {runtime:?} }}\n\n");
    fixture.write("fuzz/Cargo.toml", &manifest.replacen("[[bin]]", &(patch + "[[bin]]"), 1));
    fixture
}

/// The programs of the fixture's fuzz targets.
struct Programs(PathBuf);

impl Programs {
    fn build(fixture: &Fixture) -> Programs {
        let program = cargo_fuzz(fixture);
        let folder = fixture.root.parent().unwrap().join("fuzz-target");
        let mut command = Command::new(program);
        without_cargo(&mut command);
        command
            .args(["fuzz", "build", "--dev", "--sanitizer", "none", "--target-dir"])
            .arg(&folder)
            .envs(QUICK_BUILD);
        let output = command.current_dir(&fixture.root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let triple = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path().join("debug"));
        Programs(triple.into_iter().find(|path| path.join("merge").exists()).unwrap())
    }

    /// Runs libFuzzer; gives whether it found nothing, how many executions there were, and what it printed. Without its
    /// limit of memory: the peak that it looks at is that of the process it was started from, where other tests run.
    fn run(&self, fixture: &Fixture, target: &str, words: &[&str]) -> (bool, u64, String) {
        let mut command = Command::new(self.0.join(target));
        command
            .current_dir(&fixture.root)
            .args(["-seed=1", "-print_final_stats=1", "-rss_limit_mb=0"])
            .args(words);
        let Output { status, stderr, .. } = command.output().unwrap();
        let text = String::from_utf8_lossy(&stderr).into_owned();
        let count = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units: "));
        (status.success(), count.map_or(0, |count| count.trim().parse().unwrap()), text)
    }
}

/// The files of a folder.
fn files(fixture: &Fixture, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(fixture.root.join(folder)).into_iter().flatten().flatten();
    entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
}

#[test]
fn seeds_make_a_real_fuzzer_find_what_it_does_not_find_alone() {
    let fixture = ledger("fuzz");
    let init = fixture.target(&["fuzz", "--init", "merge", "--target", "by_spec"]);
    assert_eq!(init.code, 0, "{init:?}");
    let written = fixture.target(&["fuzz"]);
    assert_eq!(written.code, 0, "{written:?}");
    assert!(
        written.stdout.contains("cargo fuzz run merge fuzz/corpus/merge fuzz/seeds/merge"),
        "{written:?}"
    );
    assert!(written.stderr.contains("`Secret` implements `Arbitrary` by hand"), "{written:?}");
    assert!(!written.stderr.contains("left out"), "{written:?}");
    let seeds = files(&fixture, "fuzz/seeds/merge");
    assert!(seeds.len() > 300 && seeds.keys().all(|name| name.len() == 40), "{}", seeds.len());
    assert!(files(&fixture, "fuzz/seeds/spend").is_empty());
    let texts = files(&fixture, "fuzz/seeds/shout");
    assert!(texts.values().any(|text| text.len() == 3) && texts.values().all(|text| text.len() < 4));

    let programs = Programs::build(&fixture);
    every_seed_is_an_input(&fixture, &programs, &seeds);
    // What another target's fuzzer says of its seeds: all are read, and no one is shorter than a value can be.
    let n_labels = files(&fixture, "fuzz/seeds/label").len() as u64;
    let (passed, n, text) = programs.run(&fixture, "label", &["-runs=0", "fuzz/seeds/label"]);
    assert!(passed && n > n_labels, "{n} of {n_labels}: {text}");

    let runs = format!("-runs={RUNS}");
    let (passed, _, text) = programs.run(&fixture, "merge", &[&runs]);
    assert!(passed, "the mistake should be hard to find without seeds: {text}");
    for target in ["merge", "by_spec"] {
        fs::create_dir_all(fixture.root.join("fuzz/artifacts").join(target)).unwrap();
        let (seeds, artifacts) =
            (format!("fuzz/seeds/{target}"), format!("-artifact_prefix=fuzz/artifacts/{target}/"));
        let corpus = format!("fuzz/corpus/{target}");
        fs::create_dir_all(fixture.root.join(&corpus)).unwrap();
        let (passed, _, text) = programs.run(&fixture, target, &[&runs, &artifacts, &corpus, &seeds]);
        assert!(!passed && text.contains("panicked"), "{target}: {text}");
        if target == "by_spec" {
            assert!(text.contains("gives a result that breaks its type: `v.len() == total`"), "{text}");
        }
    }

    let imported = fixture.target(&["fuzz", "merge", "--target", "merge", "--import"]);
    assert!(imported.code == 0 && imported.stdout.contains("merge: 1 crashes"), "{imported:?}");
    let corpus = fixture.read("target-corpus/merge.corpus");
    assert!(corpus.contains("\ncounterexample ("), "{corpus}");
    let imported = fixture.target(&["fuzz", "merge", "--target", "by_spec", "--import"]);
    assert!(imported.code == 0 && imported.stdout.contains("by_spec: 1 crashes"), "{imported:?}");
}

/// What libfuzzer-sys itself says that a seed is: `Input { total, ids, more }`, in which the first is the length of both.
fn every_seed_is_an_input(fixture: &Fixture, programs: &Programs, seeds: &BTreeMap<String, Vec<u8>>) {
    let told = fixture.root.join("told");
    for name in seeds.keys() {
        let mut command = Command::new(programs.0.join("merge"));
        command.env("RUST_LIBFUZZER_DEBUG_PATH", &told).arg("-rss_limit_mb=0").current_dir(&fixture.root);
        let output = command.arg(Path::new("fuzz/seeds/merge").join(name)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&told).unwrap();
        let total = text.lines().find_map(|line| line.trim().strip_prefix("total: "));
        let total: usize = total.unwrap().trim_end_matches(',').parse().unwrap();
        let ids =
            text.lines().filter(|line| line.trim().trim_end_matches(',').parse::<u32>().is_ok()).count();
        assert_eq!(ids, total, "{name}: {text}");
    }
}

#[test]
fn mistakes_in_asking_for_seeds_are_told() {
    let fixture = Fixture::new("fuzz-mistakes", "ledger");
    let check = |words: &[&str], expected: &str| {
        let printed = fixture.target(&[&["fuzz"], words].concat());
        assert!(printed.code == 2 && printed.stderr.contains(expected), "{words:?}: {printed:?}");
    };
    check(&["nothing"], "no function matches `nothing`; there are specs for merge, ");
    check(&["--target", "nothing"], "no fuzz target `nothing`; there are merge, ");
    check(&["shout", "--target", "label"], "`cargo target fuzz --init shout` writes one");
    check(&["spend"], "error: no seeds for the fuzz target `spend`: `Secret` implements `Arbitrary` by hand");
    check(
        &["--init", "merge"],
        "is there already, and not by `--init` for `merge` of `ledger`: name another with --target",
    );
    check(&["--init", "merge", "--target", "../x"], "no program can have the name `../x`");
    let fixture = Fixture::new("fuzz-none", "scores");
    let printed = fixture.target(&["fuzz", "rescale"]);
    assert!(printed.code == 2 && printed.stderr.contains("no fuzz/Cargo.toml beside"), "{printed:?}");
}
