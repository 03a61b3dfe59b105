//! Seeds for harnesses of other fuzzers than libFuzzer, and for those that stand at a workspace's root. bolero is real:
//! its own engine reads the seeds under `cargo test`.

use std::fs;

use crate::support::{Fixture, Printed, download};

/// How many files a folder of a fixture has.
fn n_files(fixture: &Fixture, folder: &str) -> usize {
    fs::read_dir(fixture.root.join(folder)).into_iter().flatten().count()
}

#[test]
fn seeds_make_bolero_find_under_cargo_test_what_it_does_not_find_alone() {
    let fixture = Fixture::new("bolero", "freight");
    // Where the tool builds bolero, too.
    let build = fixture.root.parent().unwrap().join("target/cargo-target/fuzz/build");
    let test = || {
        let mut command = fixture.cargo(&["test", "--no-fail-fast"]);
        command.env("CARGO_TARGET_DIR", &build).env("BOLERO_RANDOM_ITERATIONS", "1000");
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (passed, text) = test();
    assert!(passed && text.contains("test stops::fuzz_left ... ok"), "{text}");

    let written = fixture.target(&["fuzz"]);
    assert_eq!(written.code, 0, "{written:?}");
    let corpora = [
        ("tests/__fuzz__/stops__left/corpus", "stops::fuzz_left", "left"),
        ("src/__fuzz__/tests__label/corpus", "tests::fuzz_label", "label"),
        ("src/__fuzz__/tests__reverse/corpus", "tests::reverse", "reverse"),
    ];
    for (folder, test, key) in corpora {
        let (n, printed) = (n_files(&fixture, folder), &written.stdout);
        let line = format!("{test}: {n} seeds for `{key}` in {folder}\n    cargo test -p freight {test}\n");
        assert!(n > 10 && printed.contains(&line), "{line}{written:?}");
    }
    let reason =
        "note: no seeds for `fuzz_left_by_type`: what `with_type` makes of bytes is bolero's own affair";
    assert!(written.stderr.contains(reason) && !written.stderr.contains("left out"), "{written:?}");

    let (passed, text) = test();
    assert!(!passed && text.contains("test stops::fuzz_left ... FAILED"), "{text}");
    assert!(text.contains("left(route, *at) < route.len()"), "{text}");
    // Every file is an input, and no other test minds.
    for (folder, test, _) in &corpora[1..] {
        assert!(text.contains(&format!("test {test} ... ok")), "{folder}: {text}");
    }

    // What bolero keeps of failures goes into the corpus; its seeds are known.
    let folder = fixture.root.join(corpora[0].0);
    let crashes = folder.with_file_name("crashes");
    fs::create_dir(&crashes).unwrap();
    let seed = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).min().unwrap();
    fs::copy(seed, crashes.join("crash")).unwrap();
    let imported = fixture.target(&["fuzz", "left", "--import"]);
    assert!(imported.stdout.contains("stops::fuzz_left: 1 crashes and 0 inputs for `left`"), "{imported:?}");
}

const SPECS: &str = "[dependencies]\n\n[package.metadata.target.functions]\n";

/// A workspace of three packages, whose fuzz targets are at its root and are about two of them. These have a function of
/// the same name.
#[expect(clippy::too_many_lines, reason = "one list of files")]
fn workspace() -> Fixture {
    let package = |name: &str, specs: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n{SPECS}{specs}")
    };
    let bin = |name: &str| format!("[[bin]]\nname = \"{name}\"\npath = \"{name}.rs\"\n");
    let bins = ["shout", "other", "by_afl", "by_honggfuzz", "typed", "echo_b"].map(bin).concat();
    let fuzz = format!(
        "[package]\nname = \"both-fuzz\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[package.metadata]\ncargo-fuzz = \
         true\n\n[dependencies]\nlibfuzzer-sys = \"0.4\"\nafl = \"0.18\"\nhonggfuzz = \"0.5\"\nb = {{ path = \"../b\" \
         }}\nc = {{ path = \"../c\" }}\n\n[workspace]\n\n{bins}"
    );
    let echo = "echo = \"fn(text: {t: &str | t.len() < 3}) -> String\"\n";
    let (a, b, c) = (
        package("a", "twice = \"fn(n: {n: u8 | n < 9}) -> u8\"\n"),
        package(
            "b",
            &format!(
                "{echo}shout = \"fn(text: {{t: &str | t.len() < 3}}) -> String\"\nlabel = \"fn(name: {{n: &str | \
                 n.len() < 3}}, number: {{k: u8 | where crate::is_small(*k)}}) -> String\"\n"
            ),
        ),
        package("c", echo),
    );
    Fixture::with_files(
        "fuzzers-workspace",
        &[
            (
                "Cargo.toml",
                "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"b\", \"c\"]\nexclude = [\"fuzz\"]\n",
            ),
            ("a/Cargo.toml", &a),
            ("a/src/lib.rs", "pub fn twice(n: u8) -> u8 { 2 * n }\n"),
            ("b/Cargo.toml", &b),
            (
                "b/src/lib.rs",
                "pub fn echo(text: &str) -> String { text.to_owned() }\n\
                 pub fn shout(text: &str) -> String { text.to_uppercase() }\n\
                 pub fn label(name: &str, number: u8) -> String { format!(\"{name} {number}\") }\n\
                 pub fn is_small(number: u8) -> bool { number < 200 }\n",
            ),
            ("c/Cargo.toml", &c),
            ("c/src/lib.rs", "pub fn echo(text: &str) -> String { text.to_owned() }\n"),
            ("fuzz/Cargo.toml", &fuzz),
            (
                "fuzz/echo_b.rs",
                "#![no_main]\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| { b::echo(&String::from_utf8_lossy(data)); });\n",
            ),
            (
                "fuzz/shout.rs",
                "#![no_main]\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| { b::shout(&String::from_utf8_lossy(data)); });\n",
            ),
            ("fuzz/other.rs", "#![no_main]\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| { drop(data); });\n"),
            (
                "fuzz/by_afl.rs",
                "use b::shout;\nfn main() { afl::fuzz!(|data: &[u8]| { shout(&String::from_utf8_lossy(data)); }); }\n",
            ),
            (
                "fuzz/by_honggfuzz.rs",
                "use honggfuzz::fuzz;\nfn main() { loop { fuzz!(|data: &[u8]| { b::shout(\
                 &String::from_utf8_lossy(data)); }); } }\n",
            ),
            (
                "fuzz/typed.rs",
                "#[macro_use] extern crate afl;\nfn main() { fuzz!(|all: (String, u8)| { b::label(&all.0, all.1); }); }\n",
            ),
        ],
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "one workspace serves all checks")]
fn fuzz_targets_at_the_root_of_a_workspace_are_found_whosever_they_are() {
    // The target `typed` needs `arbitrary`, in a version that is there.
    download("ledger");
    let fixture = workspace();
    let fuzz = |words: &[&str]| fixture.target(&[&["fuzz"], words].concat());
    let has = |printed: &Printed, parts: &[&str]| {
        let all = format!("{}{}", printed.stdout, printed.stderr);
        parts.iter().for_each(|part| assert!(all.contains(part), "{part}: {printed:?}"));
    };
    let written = fuzz(&["--workspace", "shout"]);
    assert_eq!(written.code, 0, "{written:?}");
    has(
        &written,
        &[
            "note: the fuzz targets of `b`, `c` are those of the workspace: fuzz/Cargo.toml",
            "    cargo fuzz run shout fuzz/corpus/shout fuzz/seeds/shout",
            "    cargo afl fuzz -i fuzz/seeds/by_afl -o fuzz/out/by_afl fuzz/target/debug/by_afl",
            "    (cd fuzz; cargo hfuzz run by_honggfuzz)",
            "note: the fuzz target `other`, of &[u8], doesn't name `shout` of `b`, though it could be for it: ",
        ],
    );
    assert!(!fixture.root.join("fuzz/seeds/other").exists());
    let n = n_files(&fixture, "fuzz/seeds/shout");
    assert!(n > 20 && n_files(&fixture, "fuzz/hfuzz_workspace/by_honggfuzz/input") == n, "{n}");

    // Another fuzzer's types are those of the real `arbitrary`, without that fuzzer.
    let typed = fuzz(&["-p", "b", "label"]);
    assert!(typed.code == 0 && !typed.stderr.contains("left out"), "{typed:?}");
    assert!(n_files(&fixture, "fuzz/seeds/typed") > 100, "{typed:?}");

    let fewer = fuzz(&["-p", "b", "shout", "--target", "shout", "--samples", "9"]);
    has(&fewer, &["shout: 9 seeds for `shout` in fuzz/seeds/shout; ", " older files stay there"]);
    // For another fuzzer they are apart, and are not for this one.
    let plain = fuzz(&["-p", "b", "shout", "--target", "shout", "--mode", "plain"]);
    has(&plain, &[" seeds for `shout` in fuzz/seeds-plain/shout\n"]);
    assert!(!plain.stdout.contains("cargo fuzz run"), "{plain:?}");
    let out = fuzz(&["--workspace", "shout", "--out", "apart", "--quiet"]);
    assert_eq!(out.code, 0, "{out:?}");
    let folder = fs::read_dir(fixture.root.join("apart")).unwrap().flatten().next().unwrap().path();
    for of in ["afl/by_afl", "honggfuzz/by_honggfuzz", "libfuzzer/shout"] {
        assert_eq!(fs::read_dir(folder.join(of)).unwrap().count(), n, "{of}");
    }

    let none = fuzz(&["-p", "a", "twice"]);
    assert_eq!(none.code, 2, "{none:?}");
    has(&none, &["none at the workspace's root that depends on the package by path"]);
    // What is about another package's function of that name is not for this one's, whichever package is selected.
    let other = fuzz(&["-p", "c"]);
    has(
        &other,
        &["the fuzz target `echo_b`, of &[u8], doesn't name `echo` of `c`, though it could be for it: "],
    );
    assert!(!fixture.root.join("fuzz/seeds/echo_b").exists(), "{other:?}");
    has(
        &fuzz(&["--workspace", "echo", "--target", "other"]),
        &["arguments of `echo` of `b`, `c`: choose one with -p"],
    );
    assert_eq!(fuzz(&["-p", "b", "echo", "--target", "echo_b"]).code, 0);
    assert_eq!(fuzz(&["-p", "b", "--init", "echo"]).code, 0);
    let refused = fuzz(&["-p", "c", "--init", "echo"]);
    has(&refused, &["is there already, and not by `--init` for `echo` of `c`: name another with --target"]);
    assert!(
        refused.code == 2 && fixture.read("fuzz/fuzz_targets/echo.rs").contains("use ::b::*;"),
        "{refused:?}"
    );
    // A new target goes where the package's are.
    assert_eq!(fuzz(&["-p", "b", "--init", "label"]).code, 0);
    let text = fixture.read("fuzz/fuzz_targets/label.rs");
    assert!(
        text.contains("use ::b::*;") && fixture.read("fuzz/Cargo.toml").contains("name = \"label\""),
        "{text}"
    );
    assert_eq!(fuzz(&["-p", "a", "--init", "twice"]).code, 0);
    assert!(fixture.read("a/fuzz/Cargo.toml").contains("path = \"..\""));
}
