//! The tool as a user who may read all files, and write none but those of everybody.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Command, Stdio};

use crate::support::Fixture;

const TABLES: &str = "[package.metadata.target]\nboundary = false\n[package.metadata.target.functions]\n\
                      f = \"fn(x: {v: u8 | v < 5}) -> u8\"\n";
const LIBRARY: &str = "pub fn f(x: u8) -> u8 { x }";

/// The user, who owns nothing.
const NOBODY: u32 = 65534;
/// A group of that user's, and of nobody else.
const GROUP: u32 = 54321;

/// A command that starts another one as that user. The user may read all files, since the toolchain may be root's own.
fn setpriv() -> Command {
    let mut command = Command::new("setpriv");
    command.arg(format!("--reuid={NOBODY}")).arg(format!("--regid={NOBODY}"));
    command.arg(format!("--groups={GROUP}"));
    command.args(["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]);
    command
}

/// Whether this process may become that user.
fn can_be_nobody() -> bool {
    let tried = setpriv().arg("true").stderr(Stdio::null()).status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        println!("skipped: `setpriv` is missing, or may not change the user");
    }
    can
}

/// Runs `cargo target` as that user: the exit code, and what is printed.
fn target(fixture: &Fixture, words: &[&str]) -> (Option<i32>, String) {
    let wanted = fixture.command(words);
    let mut command = setpriv();
    command.arg(wanted.get_program()).args(wanted.get_args()).current_dir(&fixture.root);
    for (name, value) in wanted.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// All files of a crate, with what is in them.
fn contents(fixture: &Fixture) -> Vec<(String, String)> {
    let mut folders = vec![fixture.root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_may_not_be_written_is_named_and_stays_as_it_is() {
    if !can_be_nobody() {
        return;
    }
    let fixture = Fixture::of("unprivileged::read_only", TABLES, LIBRARY);
    let events = fixture.target(&["run", "-g", "native", "--message-format", "json"]);
    assert_eq!(events.code, 0, "{events:?}");
    fixture.write("events.jsonl", &events.stdout);
    fixture.write("page.html", "old");
    let before = contents(&fixture);
    let refused: [(&[&str], i32, &str); 7] = [
        (&["run", "-g", "native"], 3, ".cargo-lock"),
        (
            &["run", "-g", "native", "--observations", "seen.jsonl"],
            2,
            "--observations can't write seen.jsonl",
        ),
        (&["run", "--coverage", "--lcov", "seen.info"], 2, "--lcov can't write seen.info"),
        (&["report", "events.jsonl", "-o", "page.html"], 4, "error: write page.html"),
        (&["report", "events.jsonl", "--format", "html"], 4, "error: write events.html"),
        (&["corpus"], 4, "target-corpus"),
        (&["strategies", "-o", "src/generated.rs"], 4, "error: write src/generated.rs"),
    ];
    for (words, expected, named) in refused {
        let (code, printed) = target(&fixture, words);
        assert_eq!(code, Some(expected), "{words:?}: {printed}");
        let is_told = printed.contains(named) && printed.contains("Permission denied");
        assert!(is_told && !printed.contains("panicked"), "{words:?}: {printed}");
    }
    let allowed: [&[&str]; 3] =
        [&["check"], &["count", "f"], &["report", "events.jsonl", "--format", "json"]];
    for words in allowed {
        let (code, printed) = target(&fixture, words);
        assert_eq!(code, Some(0), "{words:?}: {printed}");
    }
    assert_eq!(contents(&fixture), before);
}

#[test]
fn a_file_of_a_group_stays_the_groups() {
    if !can_be_nobody() {
        return;
    }
    let fixture = Fixture::of("unprivileged::group", TABLES, LIBRARY);
    let events = fixture.target(&["run", "-g", "native", "--message-format", "json"]);
    fixture.write("events.jsonl", &events.stdout);
    fixture.write("page.html", "old");
    let allow = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let page = fixture.root.join("page.html");
    allow(&fixture.root, 0o777);
    allow(&page, 0o664);
    chown(&page, Some(0), Some(GROUP)).unwrap();
    let (code, printed) =
        target(&fixture, &["report", "events.jsonl", "--format", "html", "-o", "page.html"]);
    assert_eq!(code, Some(0), "{printed}");
    let found = fs::metadata(&page).unwrap();
    assert_eq!((found.uid(), found.gid(), found.mode() & 0o777), (NOBODY, GROUP, 0o664));
}

#[test]
fn another_namespace_of_processes_changes_nothing() {
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--pid", "--fork", "--kill-child"]);
        command
    };
    if !unshare().arg("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        println!("skipped: `unshare` is missing, or may not make a namespace");
        return;
    }
    let fixture = Fixture::of("unprivileged::namespace", TABLES, LIBRARY);
    let wanted = fixture.command(&["run", "-q", "-g", "native", "--observations", "/dev/stdout"]);
    let mut command = unshare();
    command.arg(wanted.get_program()).args(wanted.get_args()).current_dir(&fixture.root);
    for (name, value) in wanted.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // `/proc` is that of the outer namespace.
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed.lines().filter(|line| line.contains("\"test_case\"")).count(), 5, "{printed}");
}
