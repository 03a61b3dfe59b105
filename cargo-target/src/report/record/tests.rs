//! Ids of runs, finding them, and what a record keeps.

use std::time::Duration;

use super::folder::{PAGE, is_id};
use super::*;
use crate::events::{DiagnosticEvent, RunFinished};

fn mistake() -> Event {
    Event::Diagnostic(DiagnosticEvent {
        level: "error".into(),
        message: "no".to_owned(),
        file: "Cargo.toml".to_owned(),
        line: 1,
        column: 1,
        help: None,
        rendered: String::new(),
    })
}

#[test]
fn ids_sort_by_time_and_other_names_are_none() {
    let id = id(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_319_101), 1234);
    assert_eq!(id, "20261122T034501Z-1234");
    assert!(is_id(&id));
    for other in ["", "20261122", "20261122T034501Z-", "20261122T034501Z-1x", "x0261122T034501Z-1", "ü-1"] {
        assert!(!is_id(other), "{other}");
    }
}

#[test]
fn the_newest_runs_are_kept_and_what_is_no_run_stays() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    fs::create_dir_all(runs.join("mine")).unwrap();
    for day in 10..40 {
        fs::create_dir_all(runs.join(format!("202001{day}T000000Z-7"))).unwrap();
    }
    let mut record = Record::begin(&runs).unwrap();
    record.event(&mistake()).unwrap();
    let events = record.end().unwrap().unwrap();
    let ids = all(&runs).unwrap();
    assert_eq!((ids.len(), ids.last().unwrap().as_str()), (KEPT, "20200121T000000Z-7"));
    assert_eq!(find(&runs, None).unwrap(), Source::File(events.clone()));
    assert!(runs.join("mine").is_dir());
    assert_eq!(page_of(&events), events.with_file_name(PAGE));
}

#[test]
fn a_run_that_goes_on_is_kept_however_many_begin_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let id = |day: u32| format!("202001{day}T000000Z-7");
    let is_there = |day: u32| runs.join(id(day)).join(EVENTS).is_file();
    let mut old = Record::begin_as(runs, &id(10)).unwrap();
    assert!(Record::begin_as(runs, &id(10)).is_err(), "it has a record of its own");
    let killed = Record::begin_as(runs, &id(11)).unwrap();
    // Whoever is killed leaves the file of its lock behind, and the system unlocks it.
    let left = runs.join(format!("{}.lock", id(11)));
    drop(killed);
    fs::write(&left, "").unwrap();
    for day in 20..50 {
        fs::create_dir_all(runs.join(id(day))).unwrap();
    }
    // By a clock that was put back, it is older than all that are kept.
    let late = Record::begin_as(runs, &id(12)).unwrap();
    assert_eq!([10, 11, 12].map(is_there), [true, false, true]);
    assert!(!left.exists());
    assert_eq!(all(runs).unwrap().len(), KEPT + 2);
    old.event(&mistake()).unwrap();
    assert!(old.end().unwrap().is_some());
    drop(old);
    let _last = Record::begin_as(runs, &id(50)).unwrap();
    assert_eq!([10, 12, 50].map(is_there), [false, true, true]);
    drop(late);
    let locks = fs::read_dir(runs).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    assert_eq!(
        locks.filter(|name| name.ends_with(".lock")).collect::<Vec<_>>(),
        [format!("{}.lock", id(50))]
    );
}

#[test]
fn a_mistake_on_the_command_line_leaves_nothing_and_other_ends_do() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    for (code, leaves) in [(exit_code::USAGE, false), (exit_code::BUILD, true)] {
        let mut record = Record::begin(&runs).unwrap();
        let counts = RunFinished { exit_code: code, ..RunFinished::default() };
        record.event(&Event::RunFinished(counts)).unwrap();
        assert_eq!(record.end().unwrap().is_some(), leaves, "{code}");
    }
}

#[test]
fn a_run_that_has_nothing_to_tell_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let mut record = Record::begin(&runs).unwrap();
    record.event(&Event::RunFinished(RunFinished::default())).unwrap();
    assert_eq!(record.end().unwrap(), None);
    let error = find(&runs, None).unwrap_err().to_string();
    assert_eq!(error, "no run is recorded yet: `cargo target run` records one");
}

#[test]
fn a_run_is_found_by_the_beginning_of_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    for id in ["20200101T000000Z-1", "20200101T000000Z-12", "20200202T000000Z-1"] {
        fs::create_dir_all(runs.join(id)).unwrap();
    }
    let found = |asked| match find(runs, Some(asked)) {
        Ok(Source::File(path)) => path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned(),
        Ok(Source::Stdin) => panic!("no id is standard input"),
        Err(error) => error.to_string(),
    };
    assert_eq!(found("202002"), "20200202T000000Z-1");
    assert_eq!(found("20200101T000000Z-1"), "20200101T000000Z-1");
    assert_eq!(found("202001"), "several runs begin with `202001`: 20200101T000000Z-12, 20200101T000000Z-1");
    assert_eq!(
        found("2021"),
        "no run and no file `2021`: `cargo target report --list` lists the runs; the newest is 20200202T000000Z-1"
    );
}
