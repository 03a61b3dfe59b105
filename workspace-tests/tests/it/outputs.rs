//! What is written and printed, where that is no plain file or can't be done.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::{Command, Output, Stdio};

use crate::support::Fixture;

const TABLES: &str = "[package.metadata.target]\nboundary = false\n[package.metadata.target.functions]\n\
                      f = \"fn(x: {v: u8 | v < 5}) -> u8\"\n";
const LIBRARY: &str = "pub fn f(x: u8) -> u8 { x }";

fn names(fixture: &Fixture) -> Vec<String> {
    let entries = fs::read_dir(&fixture.root).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn observations_go_to_whatever_their_path_leads_to() {
    let fixture = Fixture::of("outputs::observations", TABLES, LIBRARY);
    let observe = |path: &str| fixture.target(&["run", "-q", "-g", "native", "--observations", path]);
    let n_cases = |text: &str| text.lines().filter(|line| line.contains("\"test_case\"")).count();

    assert_eq!(observe("/dev/null").code, 0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());

    symlink("end.jsonl", fixture.root.join("link.jsonl")).unwrap();
    assert_eq!(observe("link.jsonl").code, 0);
    assert!(fixture.root.join("link.jsonl").is_symlink());
    assert_eq!(n_cases(&fixture.read("end.jsonl")), 5);

    let pipe = fixture.root.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    assert_eq!(observe("pipe").code, 0);
    assert_eq!(n_cases(&reader.join().unwrap()), 5);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

    let printed = observe("/dev/stdout");
    assert_eq!((printed.code, n_cases(&printed.stdout)), (0, 5), "{printed:?}");

    let refused = observe("src");
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("--observations can't write src: it is a folder"), "{refused:?}");
    let refused = fixture.target(&["run", "--coverage", "--lcov", "src"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("--lcov can't write src: it is a folder"), "{refused:?}");
    let left = names(&fixture);
    assert!(left.iter().all(|name| !name.starts_with(".cargo-target-")), "{left:?}");
}

#[test]
fn a_report_replaces_a_file_and_is_written_to_anything_else() {
    let fixture = Fixture::of("outputs::report", TABLES, LIBRARY);
    let events = fixture.target(&["run", "--message-format", "json", "-g", "native"]);
    fixture.write("events.jsonl", &events.stdout);
    let report = |words: &[&str]| fixture.target(&[&["report", "events.jsonl", "-o"], words].concat());
    symlink("/dev/null", fixture.root.join("nothing")).unwrap();
    for nothing in ["/dev/null", "nothing"] {
        assert_eq!(report(&[nothing, "--format", "html"]).code, 0);
    }
    assert!(fixture.root.join("nothing").is_symlink());
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let printed = report(&["/dev/stdout", "-q"]);
    assert!(printed.stdout.ends_with("1 function: 1 passed\n"), "{printed:?}");
    // What stands in the file before is not lost.
    let log = File::create(fixture.root.join("log")).unwrap();
    for _ in 0..2 {
        let log = log.try_clone().unwrap();
        let mut command = fixture.command(&["report", "events.jsonl", "-q", "-o", "/dev/stdout"]);
        assert!(command.stdout(log).status().unwrap().success());
    }
    assert_eq!(fixture.read("log"), printed.stdout.repeat(2));
}

#[test]
fn a_full_standard_output_is_an_error_that_names_it() {
    let fixture = Fixture::of("outputs::full", TABLES, LIBRARY);
    assert_eq!(fixture.target(&["run", "-g", "native"]).code, 0);
    let commands: [&[&str]; 12] = [
        &["run", "-g", "native"],
        &["run", "-g", "native", "--message-format", "json"],
        &["check"],
        &["check", "--message-format", "json"],
        &["list"],
        &["list", "--message-format", "json"],
        &["count", "f"],
        &["explain", "f"],
        &["tests"],
        &["report"],
        &["report", "--format", "json"],
        &["--help"],
    ];
    for words in commands {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = fixture.command(words).stdout(full).output().unwrap();
        let said = stderr(&output);
        let nothing_to_print = words == ["check", "--message-format", "json"];
        assert_eq!(output.status.code(), Some(if nothing_to_print { 0 } else { 4 }), "{words:?}: {said}");
        let told = said.contains("error: write to standard output: No space left on device");
        assert_eq!(told, !nothing_to_print, "{words:?}: {said}");
        assert!(!said.contains("panicked"), "{words:?}: {said}");
    }
    // The record of a run has its exit code.
    let newest = fixture.target(&["report", "--format", "json"]);
    assert!(newest.stdout.lines().last().unwrap().contains("\"exit_code\":4"), "{newest:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let fixture = Fixture::of("outputs::gone", TABLES, LIBRARY);
    assert_eq!(fixture.target(&["run", "-g", "native"]).code, 0);
    let commands: [&[&str]; 6] = [
        &["run", "-q", "-g", "native", "--message-format", "json"],
        &["list"],
        &["explain", "f"],
        &["report"],
        &["--help"],
        &["count", "f"],
    ];
    for words in commands {
        let mut child = fixture.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_full_standard_error_changes_nothing() {
    let fixture = Fixture::of("outputs::stderr", TABLES, LIBRARY);
    for words in [&["run", "-g", "native"][..], &["list"], &["run", "no-such-function"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = fixture.command(words).stderr(full).output().unwrap();
        let expected = if words.contains(&"no-such-function") { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{words:?}");
    }
}

#[test]
fn a_temporary_folder_that_is_missing_stops_only_what_needs_it() {
    let fixture = Fixture::of("outputs::tmpdir", TABLES, LIBRARY);
    let target = |words: &[&str]| {
        let output = fixture.command(words).env("TMPDIR", "/no/such/folder").output().unwrap();
        (output.status.code(), stderr(&output))
    };
    let (code, said) = target(&["run", "-g", "native"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("report: "), "{said}");
    let (code, said) = target(&["report", "--format", "html"]);
    assert_eq!(code, Some(4), "{said}");
    let why = "make a temporary file in /no/such/folder (TMPDIR can name another folder)";
    assert!(said.contains(why), "{said}");
}

#[test]
fn a_run_that_may_write_no_page_blames_no_spec() {
    let fixture = Fixture::of("outputs::page", TABLES, LIBRARY);
    assert_eq!(fixture.target(&["run", "-g", "native"]).code, 0);
    let command = fixture.command(&["run", "-g", "native"]);
    // No file may have more than 16 KiB: the record fits, and the page of a child does not.
    let mut limited = Command::new("bash");
    limited
        .args(["-c", "ulimit -f 16; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    limited.current_dir(&fixture.root);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    let output = limited.output().unwrap();
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), stderr(&output));
    assert_eq!(output.status.code(), Some(4), "{printed}{said}");
    assert!(printed.contains("make a page to share with the harness: reserve "), "{printed}{said}");
    assert!(printed.contains("1 function: 1 not run"), "{printed}{said}");
}

#[test]
fn a_page_on_standard_output_is_the_page_in_a_file() {
    let library = "pub fn f(x: u8) -> u8 { if x < 4 { x } else { panic!(\"MARK\") } }";
    let fixture = Fixture::of("outputs::page_on_stdout", TABLES, library);
    let events = fixture.target(&["run", "-g", "native", "--message-format", "json"]);
    assert_eq!(events.code, 1, "{events:?}");
    // Five bytes again and again: wherever pieces of a page end, some end inside a character.
    let long = "ä€".repeat(20_000);
    fixture.write("events.jsonl", &events.stdout.replace("MARK", &long));
    let words = ["report", "events.jsonl", "--format", "html", "-o"];
    let printed = fixture.command(&[&words[..], &["-"]].concat()).output().unwrap();
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    assert_eq!(fixture.target(&[&words[..], &["page.html"]].concat()).code, 0);
    assert!(fixture.read("page.html").contains(&long));
    assert!(printed.stdout == fs::read(fixture.root.join("page.html")).unwrap());
}
