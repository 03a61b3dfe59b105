//! Faults: the tool is killed, refused space, interrupted, slowed down, and told wrong times. After each fault no file is
//! damaged, no process is left, and the next run is right and has removed what was in the making.
//!
//! Most faults are those of [the shim](faults/shim.rs), which can put them before each single operation. Here a few are
//! tried. To try every operation, or to kill more often, set the environment:
//!
//! ```text
//! FAULTS_KILLS=100 FAULTS_ALL=1 FAULTS_SEED=7 cargo test -p workspace-tests --test it -- faults:: --nocapture
//! ```

mod bed;

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bed::{Bed, COMMANDS};

/// The crate of all tests here: to build it takes long.
static BED: LazyLock<Mutex<Bed>> = LazyLock::new(|| {
    let mut bed = Bed::new("faults::bed");
    assert_eq!(bed.complaint(), None);
    Mutex::new(bed)
});

fn bed() -> MutexGuard<'static, Bed> {
    BED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Numbers that look random: splitmix64.
struct Random(u64);

impl Random {
    fn new() -> Random {
        Random(number("FAULTS_SEED").unwrap_or(1))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

/// How often something was tried, and what went wrong.
struct Tally {
    what: &'static str,
    tried: u64,
    failures: Vec<String>,
}

impl Tally {
    fn new(what: &'static str) -> Tally {
        Tally { what, tried: 0, failures: Vec::new() }
    }

    fn add(&mut self, fault: &str, complaints: impl IntoIterator<Item = String>) {
        self.tried += 1;
        for complaint in complaints {
            println!("{}: {fault}: {complaint}", self.what);
            self.failures.push(format!("{fault}: {complaint}"));
        }
    }

    fn end(self) {
        println!("{}: {} tried, {} failed", self.what, self.tried, self.failures.len());
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

/// The operations before which a fault is put: all, or one of them.
fn operations(n: u64, random: &mut Random) -> Vec<u64> {
    match env::var_os("FAULTS_ALL") {
        Some(_) => (1..=n).collect(),
        // A command that finds its files as they should be writes nothing.
        None if n == 0 => Vec::new(),
        None => vec![1 + random.below(n)],
    }
}

/// How many operations a command has.
fn count(bed: &Bed, words: &[&str], is_first: bool) -> u64 {
    if is_first {
        bed.remove_outputs();
    }
    bed.run(words, "pass");
    bed.n_operations().expect("without a fault, the process ends by itself")
}

/// Puts a fault before operations of each command, whose outputs are there or not.
fn before_operations(tally: &mut Tally, fault: &str, check: impl Fn(&bed::Ended) -> Option<String>) {
    let (mut bed, mut random) = (bed(), Random::new());
    for (words, _, _) in COMMANDS {
        for is_first in [false, true] {
            let n = count(&bed, words, is_first);
            for at in operations(n, &mut random) {
                if is_first {
                    bed.remove_outputs();
                }
                let fault = format!("{fault} {at}");
                let ended = bed.run(words, &fault);
                // How many operations a run has depends on its times: this one may have been over before.
                if bed.n_operations().is_some_and(|n| n < at) {
                    continue;
                }
                let orphans = ended.leaves_orphans.then(|| "it leaves processes".to_owned());
                let complaints = [check(&ended), orphans, bed.damage(), bed.complaint()];
                tally.add(&format!("{words:?}, {fault} of {n}"), complaints.into_iter().flatten());
            }
        }
    }
}

#[test]
fn a_kill_before_any_operation_leaves_everything_whole() {
    let mut tally = Tally::new("killed before an operation");
    before_operations(&mut tally, "kill", |ended| {
        // The last operations may be of another run than this one.
        (!ended.is_killed() && ended.status.code().is_none()).then(|| format!("{ended:?}"))
    });
    tally.end();
}

#[test]
fn a_disk_that_gets_full_is_an_error_or_a_note() {
    let mut tally = Tally::new("disk full from an operation on");
    before_operations(&mut tally, "full", |ended| {
        let is_told = ended.printed.contains("No space left on device");
        let is_ordinary = ended.status.code().is_some_and(|code| code <= 4);
        let is_whole = !ended.printed.contains("panicked") && !ended.printed.contains("broken spec");
        (!is_told || !is_ordinary || !is_whole).then(|| format!("{ended:?}"))
    });
    tally.end();
}

#[test]
fn a_kill_at_any_moment_leaves_everything_whole() {
    let kills = number("FAULTS_KILLS").unwrap_or(3);
    let (mut bed, mut random) = (bed(), Random::new());
    let mut tally = Tally::new("killed at some moment");
    let (words, _, _) = COMMANDS[0];
    let began = Instant::now();
    bed.run(words, "");
    let whole = began.elapsed().as_millis() as u64;
    for _ in 0..kills {
        if random.below(2) == 0 {
            bed.remove_outputs();
        }
        let time = Duration::from_millis(random.below(whole));
        let ended = bed.kill_after(bed.start(words, ""), time);
        let orphans = ended.leaves_orphans.then(|| "it leaves processes".to_owned());
        let complaints = [orphans, bed.damage(), bed.complaint()];
        tally.add(&format!("killed after {time:?}"), complaints.into_iter().flatten());
    }
    tally.end();
}

#[test]
fn kills_during_the_first_build_leave_a_build_that_goes_on() {
    /// Builds are killed so often, one after the other, before one is let through.
    const IN_A_ROW: u64 = 5;
    let kills = number("FAULTS_KILLS").unwrap_or(IN_A_ROW) / IN_A_ROW;
    let (mut bed, mut random) = (bed(), Random::new());
    let mut tally = Tally::new("killed during the first build");
    let (words, _, _) = COMMANDS[0];
    for _ in 0..kills {
        bed.remove_target();
        bed.remove_outputs();
        for _ in 0..IN_A_ROW {
            let time = Duration::from_millis(random.below(8000));
            let ended = bed.kill_after(bed.start(words, ""), time);
            let orphans = ended.leaves_orphans.then(|| "it leaves processes".to_owned());
            tally.add(&format!("killed after {time:?}"), orphans.into_iter().chain(bed.damage()));
        }
        if let Some(complaint) = bed.complaint() {
            tally.failures.push(complaint);
        }
    }
    tally.end();
}

#[test]
fn signals_slow_disks_and_jumps_of_the_clock_change_nothing() {
    let mut bed = bed();
    let mut tally = Tally::new("interrupted, slow, or at a wrong time");
    for fault in ["interrupt 2", "interrupt 3", "interrupt 7", "slow 5", "slow 20", "clock 20", "clock 200"] {
        for (words, _, code) in COMMANDS {
            let ended = bed.run(words, fault);
            let wrong = ended.status.code() != Some(code) || ended.leaves_orphans;
            let complaints = [wrong.then(|| format!("{ended:?}")), bed.damage(), bed.complaint()];
            tally.add(&format!("{words:?}, {fault}"), complaints.into_iter().flatten());
        }
    }
    tally.end();
}

#[test]
fn runs_on_the_same_target_directory_do_not_disturb_each_other() {
    let mut bed = bed();
    let mut tally = Tally::new("several runs at once");
    for round in 0..number("FAULTS_KILLS").unwrap_or(1).min(10) {
        if round == 0 {
            bed.remove_target();
        }
        bed.remove_outputs();
        let (words, _, code) = COMMANDS[0];
        let running: Vec<_> = (0..4).map(|_| bed.start(words, "")).collect();
        for one in running {
            let ended = bed.kill_after(one, Duration::from_secs(600));
            let wrong = (ended.status.code() != Some(code)).then(|| format!("{ended:?}"));
            tally.add("one of four", wrong);
        }
        tally.add("after four", [bed.damage(), bed.complaint()].into_iter().flatten());
    }
    tally.end();
}

#[test]
fn records_and_corpora_of_the_future_or_of_gigabytes_are_refused_at_once() {
    let bed = bed();
    let mut tally = Tally::new("odd files");
    let corpus = "target-corpus/bad.corpus";
    let before = fs::read(bed.path(corpus)).unwrap();
    let mut check = |file: &str, words: &[&str], code: i32, said: &str| {
        // Whatever the file is, the tool doesn't take it into memory.
        let ended = bed.run(words, "");
        let wrong = ended.status.code() != Some(code) || !ended.printed.contains(said);
        tally.add(file, wrong.then(|| format!("{words:?} ends with {ended:?}")));
    };
    let run = ["run", "-g", "native", "bad", "--no-saved"];
    bed.sparse("future.jsonl", 0);
    fs::write(bed.path("future.jsonl"), "{\"reason\":\"run-started\",\"version\":99,\"new\":{}}\n").unwrap();
    check("a future record", &["report", "future.jsonl"], 2, "has events of version 99");
    bed.sparse("huge.jsonl", 4 << 30);
    check("a huge record", &["report", "huge.jsonl"], 2, "huge.jsonl is no record of a run");
    let future =
        String::from_utf8(before.clone()).unwrap().replacen("target-corpus 1", "target-corpus 99", 1);
    fs::write(bed.path(corpus), future).unwrap();
    check("a future corpus", &["corpus", "bad"], 2, "bad.corpus");
    check("a future corpus", &run, 1, "1 failed");
    bed.sparse(corpus, 4 << 30);
    check("a huge corpus", &["corpus", "bad"], 4, "longer than 256 MiB");
    fs::write(bed.path(corpus), before).unwrap();
    let saved = fs::read_dir(bed.path("target/cargo-target/corpus")).unwrap().next().unwrap().unwrap().path();
    let saved = saved.strip_prefix(bed.path("")).unwrap().join("bad.corpus");
    bed.sparse(saved.to_str().unwrap(), 4 << 30);
    check("a huge saved corpus", &["run", "-g", "native", "bad"], 1, "longer than 256 MiB");
    fs::remove_file(bed.path(saved.to_str().unwrap())).unwrap();
    tally.end();
}

#[test]
fn a_folder_that_is_read_only_is_told_of() {
    let is_root = String::from_utf8(Command::new("id").arg("-u").output().unwrap().stdout).unwrap() == "0\n";
    let mut bed = bed();
    let mut tally = Tally::new("read-only folders");
    for (folder, (words, _, _)) in
        [(".", COMMANDS[2]), ("target-corpus", COMMANDS[1]), ("target/cargo-target", COMMANDS[0])]
    {
        bed.remove_outputs();
        fs::create_dir_all(bed.path(folder)).unwrap();
        let lock = |mode| {
            let mut permissions = fs::metadata(bed.path(folder)).unwrap().permissions();
            permissions.set_mode(mode);
            fs::set_permissions(bed.path(folder), permissions).unwrap();
        };
        lock(0o555);
        let ended = bed.run(words, "");
        lock(0o755);
        // Root may write anyway.
        let is_told = is_root || ended.printed.contains("Permission denied");
        let is_ordinary = ended.status.code().is_some_and(|code| code <= 4);
        let is_whole = is_told && is_ordinary && !ended.printed.contains("panicked");
        let wrong = (!is_whole).then(|| format!("{ended:?}"));
        tally.add(folder, [wrong, bed.damage(), bed.complaint()].into_iter().flatten());
    }
    tally.end();
}
