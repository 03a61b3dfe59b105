//! Copies of fixtures, the binary, and what it printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

/// The binary, built once for all tests.
static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    // With the profile and the features of `cargo test --workspace`: otherwise most crates would be built twice.
    let profile = if cfg!(debug_assertions) { "test" } else { "bench" };
    command.args(["build", "--quiet", "--profile", profile, "--workspace"]);
    command.args(["--bin", "cargo-target", "--test", "it"]);
    let status = command.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
    assert!(status.success(), "the binary does not build");
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    profile.join(format!("cargo-target{}", std::env::consts::EXE_SUFFIX))
});

/// The cache of all tests, with the compiled runtime.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| {
    let cache = scratch().join("cache");
    let library = "pub fn f(x: u8) -> u8 { x }";
    let fixture =
        Fixture::of("warm", "[package.metadata.target.functions]\nf = \"fn(x: u8) -> u8\"\n", library);
    let status = tool(&fixture.root, &["run", "--no-saved", "--quiet"]).env(CACHE_VARIABLE, &cache).status();
    assert!(status.expect("the tool can be started").success(), "the runtime does not build");
    cache
});

/// What cargo is told where nobody debugs or edits, so that it builds less.
pub const QUICK_BUILD: [(&str, &str); 2] = [("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_INCREMENTAL", "0")];

/// The folder of that cache.
pub fn shared_cache() -> &'static Path {
    &CACHE
}

/// The variable that names the cache.
pub const CACHE_VARIABLE: &str = "CARGO_TARGET_CACHE";

/// The tool in a folder, without a cache.
fn tool(folder: &Path, words: &[&str]) -> Command {
    let mut command = clean(Command::new(&*BINARY), folder);
    command.arg("target").args(words).env("CARGO_TARGET_DIR", scratch().join("target"));
    command
}

/// A copy of a fixture that a test may change.
pub struct Fixture {
    pub root: PathBuf,
    keeps_saved: bool,
}

impl Fixture {
    /// The fixture of that name, copied for the test of that name.
    pub fn new(test: &str, name: &str) -> Fixture {
        let source = source(name);
        download(name);
        let fixture = Fixture::empty(test);
        copy(&source, &fixture.root);
        fixture
    }

    /// A new crate with the given files.
    pub fn with_files(test: &str, files: &[(&str, &str)]) -> Fixture {
        let fixture = Fixture::empty(test);
        for (path, text) in files {
            fixture.write(path, text);
        }
        fixture
    }

    fn empty(test: &str) -> Fixture {
        let root = scratch().join(test.replace("::", "-"));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Fixture { root, keeps_saved: false }
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// A crate whose manifest ends in the given tables, with the given library.
    pub fn of(test: &str, tables: &str, library: &str) -> Fixture {
        let manifest = format!(
            "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n{tables}"
        );
        Fixture::with_files(test, &[("Cargo.toml", &manifest), ("src/lib.rs", library)])
    }

    /// The same, where runs save counterexamples and try them again; none are saved yet. No other test may have a package
    /// of that name.
    pub fn with_saved(self, package: &str) -> Fixture {
        let folder = scratch().join("target/cargo-target/corpus");
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&format!("{package}-")) {
                fs::remove_dir_all(entry.path()).unwrap();
            }
        }
        Fixture { keeps_saved: true, ..self }
    }

    /// The file in which runs save the counterexamples of a function, where the test was made `with_saved`.
    pub fn saved_file(&self, package: &str, function: &str) -> PathBuf {
        let folder = scratch().join("target/cargo-target/corpus");
        let is_of =
            |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&format!("{package}-"));
        let folder = fs::read_dir(folder).unwrap().flatten().find(is_of).unwrap();
        folder.path().join(format!("{function}.corpus"))
    }

    /// Runs `cargo target` with the given words, as cargo would.
    pub fn target(&self, words: &[&str]) -> Printed {
        Printed::new(self.command(words).output().unwrap(), &self.root)
    }

    /// The command, not yet run.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = tool(&self.root, words);
        command.env(CACHE_VARIABLE, &*CACHE);
        // What one test finds is no other's business, nor that of the same test tomorrow.
        if words.first() == Some(&"run") && !self.keeps_saved {
            command.arg("--no-saved");
        }
        command
    }

    /// Cargo itself, not yet run. It builds apart from what the tool builds.
    pub fn cargo(&self, words: &[&str]) -> Command {
        let mut command = cargo(&self.root);
        command.args(words).env("CARGO_TARGET_DIR", scratch().join("target-of-tests")).envs(QUICK_BUILD);
        command
    }

    /// Runs `cargo target run` and gives the events; smt is the main generator unless others are named.
    pub fn run(&self, words: &[&str]) -> Events {
        let names_generators = words.contains(&"-g") || words.contains(&"--case");
        let names: &[&str] = if names_generators { &[] } else { &["-g", "smt,random,enumerative"] };
        self.run_as_is(&[names, words].concat())
    }

    /// Runs `cargo target run` with these words only, and gives the events.
    pub fn run_as_is(&self, words: &[&str]) -> Events {
        let printed = self.target(&[&["run", "--message-format", "json"], words].concat());
        Events::new(&printed)
    }
}

/// Cargo in a folder.
fn cargo(folder: &Path) -> Command {
    clean(Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())), folder)
}

/// The command in a folder, offline, without what this process is told.
fn clean(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder);
    for (name, _) in std::env::vars() {
        let about_us = ["CARGO_", "RUST", "TARGET_", "PROPTEST_", "CLICOLOR", "NO_COLOR"];
        // What is said to rustup stays: without it, a dependency's toolchain file may make it install one.
        let kept = name == "CARGO_HOME" || name.starts_with("RUSTUP_");
        if about_us.iter().any(|prefix| name.starts_with(prefix)) && !kept {
            command.env_remove(&name);
        }
    }
    command.env("CARGO_NET_OFFLINE", "true");
    command
}

/// Where a fixture is.
fn source(fixture: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture)
}

/// Downloads the dependencies of a fixture, in the versions of its lock files, unless they are there. `fetch.sh` does so
/// for all fixtures; a test that is run by hand does it for its own.
pub fn download(fixture: &str) {
    for folder in [source(fixture), source(fixture).join("fuzz")] {
        let lock = fs::read_to_string(folder.join("Cargo.lock")).unwrap_or_default();
        if !lock.contains("\nsource = ") {
            continue;
        }
        let fetch = |offline| {
            cargo(&folder).args(["fetch", "--locked"]).env("CARGO_NET_OFFLINE", offline).output().unwrap()
        };
        if fetch("true").status.success() {
            continue;
        }
        let online = fetch("false");
        assert!(
            online.status.success(),
            "download the fixtures' dependencies with `sh workspace-tests/fetch.sh`: {}",
            String::from_utf8_lossy(&online.stderr)
        );
    }
}

/// Where tests write: below the target directory, so that `cargo clean` takes it away.
pub fn scratch() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(3).unwrap().join("workspace-tests")
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// What a command printed, with the places of this machine taken out.
#[derive(Debug)]
pub struct Printed {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Printed {
    fn new(output: Output, root: &Path) -> Printed {
        let clean = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*root.to_string_lossy(), "[ROOT]");
        Printed {
            code: output.status.code().unwrap_or(-1),
            stdout: clean(&output.stdout),
            stderr: clean(&output.stderr),
        }
    }
}

/// The events of a run.
#[derive(Debug)]
pub struct Events {
    pub code: i32,
    pub stderr: String,
    pub all: Vec<Value>,
}

impl Events {
    fn new(printed: &Printed) -> Events {
        let parse = |line: &str| {
            serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{error} in {line:?}; stderr:\n{}", printed.stderr))
        };
        let all = printed.stdout.lines().map(parse).collect();
        Events { code: printed.code, stderr: printed.stderr.clone(), all }
    }

    /// What a generator says of a function, but for times.
    pub fn untimed(&self, function: &str, generator: &str) -> Value {
        untimed(self.of(function, generator))
    }

    /// What a generator says of a function.
    pub fn of(&self, function: &str, generator: &str) -> &Value {
        let wanted = |event: &&Value| event["function"] == function && event["generator"] == generator;
        let found = self.all.iter().find(wanted);
        found.unwrap_or_else(|| {
            panic!("no {generator} outcome for {function}; stderr:\n{}\n{:#?}", self.stderr, self.all)
        })
    }

    /// The verdict of a generator on a function.
    pub fn verdict(&self, function: &str, generator: &str) -> &str {
        self.of(function, generator)["verdict"].as_str().unwrap()
    }

    /// The arguments of the counterexample, and the kind of failure.
    pub fn counterexample(&self, function: &str, generator: &str) -> (Vec<&str>, &str) {
        let found = &self.of(function, generator)["counterexample"];
        let args = found["args"].as_array();
        let args = args
            .unwrap_or_else(|| panic!("{function} has no counterexample by {generator}: {:#?}", self.all));
        (args.iter().map(|arg| arg.as_str().unwrap()).collect(), found["failure"].as_str().unwrap())
    }

    /// All events for a reason.
    pub fn with_reason(&self, reason: &str) -> Vec<&Value> {
        self.all.iter().filter(|event| event["reason"] == reason).collect()
    }

    /// The last event.
    pub fn finished(&self) -> &Value {
        self.all.last().expect("a run ends with an event")
    }
}

/// An event without its times.
pub fn untimed(event: &Value) -> Value {
    let is_time = |key: &str| {
        key == "started" || key == "seconds" || key.ends_with("_seconds") || key == "seconds_to_failure"
    };
    match event {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(key, _)| !is_time(key));
            Value::Object(fields.map(|(key, value)| (key.clone(), untimed(value))).collect())
        }
        Value::Array(parts) => Value::Array(parts.iter().map(untimed).collect()),
        other => other.clone(),
    }
}
