//! A crate on which the tool is made to fail, and what must hold afterwards.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::support::Fixture;

/// One function passes, one fails, and one is private, so that a copy of the source is made.
const TABLES: &str = "[package.metadata.target]\nboundary = false\ncases = 200\n\
                      [package.metadata.target.functions]\n\
                      good = \"fn(x: u8) -> u8\"\n\
                      bad = \"fn(xs: Vec<u8>) -> {v: usize | v < 3}\"\n\
                      hidden = \"fn(x: {v: u8 | v < 9}) -> {v: u8 | 0 < v}\"\n";

const LIBRARY: &str = "pub fn good(x: u8) -> u8 { x }\n\
                       pub fn bad(xs: Vec<u8>) -> usize { xs.len() }\n\
                       fn hidden(x: u8) -> u8 { x + 1 }\n";

/// The commands that write, each with the file that it writes and the exit code.
pub const COMMANDS: [(&[&str], &str, i32); 3] = [
    (&["run", "-g", "native", "--observations", "observed.jsonl"], "observed.jsonl", 1),
    (&["corpus"], "target-corpus/bad.corpus", 0),
    (&["report", "--format", "html", "-o", "page.html"], "page.html", 0),
];

/// How long what a dead tool started may take to end, at most.
const PATIENCE: Duration = Duration::from_secs(120);

/// The crate, with a target directory and a temporary folder of its own.
pub struct Bed {
    fixture: Fixture,
    shim: PathBuf,
    /// The essence of what each command writes if nothing goes wrong.
    expected: Vec<String>,
}

/// A tool that runs.
pub struct Running {
    child: Child,
    /// Told when it and all that it started has ended.
    all_ended: Receiver<()>,
}

/// How a tool ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub printed: String,
    pub leaves_orphans: bool,
}

impl Bed {
    /// A crate that nothing was built of.
    pub fn new(test: &str) -> Bed {
        let fixture = Fixture::of(test, TABLES, LIBRARY).with_saved("sample");
        fs::create_dir_all(fixture.root.join("tmp")).unwrap();
        let shim = fixture.root.join("libshim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults/shim.rs");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=1", "-o"]).arg(&shim).arg(source);
        assert!(rustc.status().unwrap().success(), "the shim does not build");
        Bed { fixture, shim, expected: Vec::new() }
    }

    /// Starts a command under a fault; an empty one is none.
    pub fn start(&self, words: &[&str], fault: &str) -> Running {
        let command = self.fixture.command(words);
        let target = self.fixture.root.join("target");
        // Descriptor 9 is inherited by all that is started: its reader sees the end of the last process.
        let mut shell = Command::new("bash");
        shell.args(["-c", "exec 9>&1 >printed.txt 2>&1; exec \"$0\" \"$@\""]);
        shell.arg(command.get_program()).args(command.get_args());
        shell.current_dir(&self.fixture.root).stdout(Stdio::piped());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell.env("CARGO_TARGET_DIR", target).env("TMPDIR", self.fixture.root.join("tmp"));
        let count = self.fixture.root.join("count");
        let _ = fs::remove_file(&count);
        if !fault.is_empty() {
            shell.env("LD_PRELOAD", &self.shim).env("FAULT", fault).env("FAULT_COUNT", count);
        }
        let mut child = shell.spawn().unwrap();
        let mut inherited = child.stdout.take().unwrap();
        let (sender, all_ended) = mpsc::channel();
        thread::spawn(move || {
            let _ = inherited.read_to_end(&mut Vec::new());
            let _ = sender.send(());
        });
        Running { child, all_ended }
    }

    /// Runs a command to its end.
    pub fn run(&self, words: &[&str], fault: &str) -> Ended {
        self.end(self.start(words, fault))
    }

    /// Kills a tool after some time, if it hasn't ended by then.
    pub fn kill_after(&self, mut running: Running, time: Duration) -> Ended {
        if running.all_ended.recv_timeout(time).is_err() {
            running.child.kill().unwrap();
            return self.end(running);
        }
        // What was sent is taken: nothing is left to wait for.
        let status = running.child.wait().unwrap();
        Ended { status, printed: self.printed(), leaves_orphans: false }
    }

    fn end(&self, mut running: Running) -> Ended {
        let status = running.child.wait().unwrap();
        let leaves_orphans = running.all_ended.recv_timeout(PATIENCE).is_err();
        Ended { status, printed: self.printed(), leaves_orphans }
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.fixture.root.join("printed.txt")).unwrap()).into_owned()
    }

    /// How many operations the last command counted; `None` if it was killed.
    pub fn n_operations(&self) -> Option<u64> {
        let count = fs::read_link(self.fixture.root.join("count")).ok()?;
        Some(count.to_str().unwrap().parse().unwrap())
    }

    /// Runs every command without a fault: each does what it always does, and nothing is left of the fault. Gives what is
    /// wrong.
    pub fn complaint(&mut self) -> Option<String> {
        let mut contents = Vec::new();
        for (words, file, code) in COMMANDS {
            let ended = self.run(words, "");
            if ended.status.code() != Some(code) || ended.leaves_orphans {
                return Some(format!("then {words:?} ends with {ended:?}"));
            }
            contents.push(match fs::read_to_string(self.fixture.root.join(file)) {
                Ok(text) => essence(&text),
                Err(error) => return Some(format!("then {words:?} writes no {file}: {error}")),
            });
        }
        if self.expected.is_empty() {
            self.expected.clone_from(&contents);
        }
        for ((words, file, _), (found, expected)) in COMMANDS.iter().zip(contents.iter().zip(&self.expected))
        {
            if found != expected {
                return Some(format!("then {words:?} writes another {file}: {found:.400}"));
            }
        }
        self.left_over()
    }

    /// Whether a command's file is what it was before, or what the command writes; gives what is wrong.
    pub fn damage(&self) -> Option<String> {
        let root = &self.fixture.root;
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        if !manifest.ends_with(TABLES) {
            return Some("Cargo.toml has changed".to_owned());
        }
        for ((_, file, _), expected) in COMMANDS.iter().zip(&self.expected) {
            let text = fs::read_to_string(root.join(file));
            if text.as_ref().is_ok_and(|text| essence(text) != *expected) {
                return Some(format!("{file} is damaged: {:.400}", text.unwrap_or_default()));
            }
        }
        None
    }

    /// Temporary files that are still there after a run.
    fn left_over(&self) -> Option<String> {
        let root = &self.fixture.root;
        let scratch = names(&root.join("target/cargo-target/scratch"));
        let others: Vec<String> = [root.join("target-corpus"), root.to_owned()]
            .iter()
            .flat_map(|folder| names(folder))
            .filter(|name| name.starts_with('.'))
            .chain(names(&root.join("tmp")))
            .chain(scratch.into_iter().filter(|name| name != "lock"))
            .collect();
        (!others.is_empty()).then(|| format!("then there are still {others:?}"))
    }

    /// Removes the outputs of the commands, so that they are written for the first time.
    pub fn remove_outputs(&self) {
        for (_, file, _) in COMMANDS {
            let _ = fs::remove_file(self.fixture.root.join(file));
        }
        let _ = fs::remove_dir_all(self.fixture.root.join("target/cargo-target/corpus"));
        let _ = fs::remove_dir_all(self.fixture.root.join("target-corpus"));
    }

    /// Removes all that was built.
    pub fn remove_target(&self) {
        fs::remove_dir_all(self.fixture.root.join("target")).unwrap();
    }

    /// A file in the crate's folder.
    pub fn path(&self, file: &str) -> PathBuf {
        self.fixture.root.join(file)
    }

    /// Makes a file of so many bytes, all of them a hole.
    pub fn sparse(&self, file: &str, length: u64) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().set_len(length).unwrap();
    }
}

impl Ended {
    /// Whether it was killed.
    pub fn is_killed(&self) -> bool {
        self.status.signal() == Some(9)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// What doesn't differ from run to run. Which inputs come first does, since counterexamples of earlier runs are tried
/// first: of a file it is said whether it is whole.
fn essence(text: &str) -> String {
    let is_whole = if text.starts_with("<!") {
        text.trim_end().ends_with("</html>")
    } else if text.starts_with('{') {
        let lines: Vec<_> = text.lines().map(serde_json::from_str::<serde_json::Value>).collect();
        let n_infos = lines.iter().flatten().filter(|line| line["type"] == "info").count();
        // One for each function.
        lines.iter().all(Result::is_ok) && n_infos == 3 && text.ends_with('\n')
    } else {
        let n_inputs = text.lines().filter(|line| line.ends_with(')')).count();
        text.starts_with("target-corpus ") && n_inputs > 20 && text.ends_with('\n')
    };
    if is_whole { "whole".to_owned() } else { text.to_owned() }
}
