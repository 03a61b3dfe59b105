//! `include`: files outside of the workspace are read only where an option allows it, and what is no TOML is not quoted.

use std::os::unix::fs::symlink;

use crate::support::{Fixture, Printed};

const SPECS: &str = "[functions]\nf = \"fn(x: u8) -> u8\"\n";

/// A crate in the folder `inner`, with a file beside it.
fn fixture(test: &str, include: &str) -> Fixture {
    let manifest = format!(
        "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
         [package.metadata.target]\ninclude = [\"{include}\"]\n"
    );
    Fixture::with_files(
        test,
        &[
            ("outside.toml", SPECS),
            ("inner/Cargo.toml", &manifest),
            ("inner/src/lib.rs", "pub fn f(x: u8) -> u8 { x }"),
        ],
    )
}

fn target(fixture: &Fixture, words: &[&str]) -> Printed {
    fixture.target(&[words, &["--manifest-path", "inner/Cargo.toml", "--color", "never"]].concat())
}

#[track_caller]
fn assert_refused(printed: &Printed) {
    assert_eq!(printed.code, 2, "{printed:?}");
    for words in ["is outside of the workspace", "inner/Cargo.toml:7:13", "`--include-outside` allows"] {
        assert!(printed.stderr.contains(words), "no {words:?} in {}", printed.stderr);
    }
}

#[test]
fn a_file_outside_of_the_workspace_is_read_only_if_that_is_allowed() {
    let fixture = fixture("includes::outside", "../outside.toml");
    for command in ["check", "list", "run", "count"] {
        let function = (command == "count").then_some("f");
        let words: Vec<&str> = [command].into_iter().chain(function).collect();
        assert_refused(&target(&fixture, &words));
    }
    let listed = target(&fixture, &["list", "--include-outside"]);
    assert_eq!((listed.code, listed.stdout.as_str()), (0, "f = fn(x: u8) -> u8\n"), "{listed:?}");
}

#[test]
fn whether_a_file_outside_is_there_is_not_told() {
    assert_refused(&target(&fixture("includes::missing", "../none.toml"), &["check"]));
}

#[test]
fn a_link_that_leads_out_is_followed_only_if_that_is_allowed() {
    let fixture = fixture("includes::link", "specs.toml");
    symlink("../outside.toml", fixture.root.join("inner/specs.toml")).unwrap();
    assert_refused(&target(&fixture, &["check"]));
    assert_eq!(target(&fixture, &["check", "--include-outside"]).code, 0);
}

#[test]
fn a_file_of_the_workspace_is_read_wherever_it_is() {
    let fixture = fixture("includes::inside", "src/../specs/./a.toml");
    fixture.write("inner/specs/a.toml", SPECS);
    assert_eq!(target(&fixture, &["check"]).code, 0);
}

#[test]
fn nothing_is_quoted_of_a_file_that_is_not_toml() {
    let inside = fixture("includes::secret", "notes.txt");
    inside.write("inner/notes.txt", "title = 1\nsesame: open\n");
    let passwd = fixture("includes::passwd", "/etc/passwd");
    for (fixture, line) in [(&inside, 2), (&passwd, 1)] {
        let printed = target(fixture, &["check", "--include-outside"]);
        assert_eq!(printed.code, 2, "{printed:?}");
        assert!(printed.stderr.contains(&format!("is not TOML: line {line}, column")), "{printed:?}");
        assert!(printed.stderr.contains("inner/Cargo.toml:7:13"), "{printed:?}");
        let json = target(fixture, &["check", "--include-outside", "--message-format", "json"]);
        for text in [&printed.stderr, &printed.stdout, &json.stdout, &json.stderr] {
            assert!(!text.contains("sesame") && !text.contains("root:"), "{text}");
        }
    }
}

#[test]
fn what_is_no_regular_file_or_too_long_is_refused_at_once() {
    let zero = target(&fixture("includes::zero", "/dev/zero"), &["check", "--include-outside"]);
    assert_eq!(zero.code, 2);
    assert!(zero.stderr.contains("can't read `/dev/zero`: it is no regular file"), "{zero:?}");
    let fixture = fixture("includes::long", "long.toml");
    let long = std::fs::File::create(fixture.root.join("inner/long.toml")).unwrap();
    long.set_len(8 << 30).unwrap();
    let printed = target(&fixture, &["check"]);
    assert_eq!(printed.code, 2);
    assert!(printed.stderr.contains("can't read `long.toml`: it is longer than 256 MiB"), "{printed:?}");
}
