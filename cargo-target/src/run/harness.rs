//! Builds a harness: cargo builds the user's library as the user does; plain rustc compiles the runtime and the
//! harness.
//!
//! All but the runtime ([`crate::run::runtime`]) is written under `target/cargo-target`: `build` is cargo's own target
//! directory, `harness` has the program for each package, `open` the copies of [`crate::run::mirror`], `scratch`
//! temporary files. Builds with coverage counters go to `build-cover`. An unchanged harness is not built again. Nothing
//! here knows how a harness works.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::options::config::CargoConfig;
use crate::run::compiler::{compile, die_with_the_tool, rust_flags};
use crate::run::mirror::{self, Mirror};
use crate::run::planning::Interrupted;
use crate::run::project::{Dependency, Package, Project, linked, rustc};
use crate::run::runtime::Runtime;
use crate::run::{worker, wrapper};
use crate::system::console::Verbosity;
use crate::system::files::scratch::Scratch;
use crate::system::waiting::Waiting;
use anyhow::{Context, Result};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use target_strategies::child::serve::{BUILDERS, COUNTERS};

/// The flags of a harness; a profile gives the user's crate the same.
const FLAGS: [&str; 5] =
    ["-Copt-level=3", "-Cpanic=unwind", "-Cstrip=debuginfo", "-Coverflow-checks=on", "-Cdebug-assertions=on"];

/// The lints of rustc that are errors in a user's code. All others are about the style of a harness, or find at compile time
/// what the judge reports when it happens.
const DENIED: [&str; 1] = ["overflowing_literals"];

/// A failed build of a harness, with the compiler's output.
#[derive(Debug)]
pub struct BuildFailure {
    /// The part that failed, and how to fix it.
    pub message: String,
    /// The compiler's output; empty if cargo has printed it already.
    pub output: String,
    /// rustc's errors in the harness.
    pub errors: Vec<RustcError>,
}

/// One of rustc's errors in a harness.
#[derive(Debug)]
pub struct RustcError {
    /// The message, without its position.
    pub message: String,
    /// What rustc writes next to the underlined code.
    pub label: String,
    /// Whether types differ, and one of them is a reference.
    pub is_reference: bool,
    /// The bytes of the harness that are underlined, if it is there.
    pub at: Option<Range<usize>>,
}

impl BuildFailure {
    /// A failure outside of the harness.
    pub fn new(message: impl Into<String>, output: String) -> BuildFailure {
        BuildFailure { message: message.into(), output, errors: Vec::new() }
    }
}

/// Why there is no harness.
#[derive(Debug)]
pub enum BuildError {
    /// Some code doesn't compile, or Ctrl-C ended the compiler.
    Failed(BuildFailure),
    /// The tool could not build it.
    Tool(anyhow::Error),
}

impl From<BuildFailure> for BuildError {
    fn from(failure: BuildFailure) -> BuildError {
        BuildError::Failed(failure)
    }
}

impl From<anyhow::Error> for BuildError {
    fn from(error: anyhow::Error) -> BuildError {
        BuildError::Tool(error)
    }
}

/// The profile that the user's crate is built with, in words.
pub fn profile_text(profile: Option<&str>) -> String {
    match profile {
        None => "release + overflow-checks + debug-assertions".to_owned(),
        Some(name) => name.to_owned(),
    }
}

/// Settings for building a package's harness.
#[derive(Clone, Copy, Debug)]
pub struct Build<'b> {
    /// The user's options.
    pub config: &'b CargoConfig,
    /// The profile for the library, if the user chose one.
    pub profile: Option<&'b str>,
    /// The project, which names the folders.
    pub project: &'b Project,
    /// Whether library and harness get coverage counters. The harness compiles the library's generic code, so it needs
    /// them too.
    pub counts: bool,
    /// Whether the program knows the lines of its code, so that the stack of a panic can be told.
    pub lines: bool,
    /// Set by Ctrl-C.
    pub interrupted: &'b Interrupted,
}

/// rustc's flags for a harness that knows its lines.
const LINES: [&str; 2] = ["-Cdebuginfo=line-tables-only", "-Cstrip=none"];

/// rustc's flag for a harness with counters.
const COUNTING: &str = "-Cinstrument-coverage";

/// The source of a harness.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// The source to compile.
    pub text: &'s str,
    /// The source of a harness with more functions. Its program is used if it is already there.
    pub larger: Option<&'s str>,
}

/// Builds a package's harness and returns the program's path. With a mirror, the package's library is compiled from it.
pub fn build(
    how: Build,
    package: &Package,
    source: Source,
    mirror: Option<&Mirror>,
) -> Result<PathBuf, BuildError> {
    let flags = rust_flags();
    let wanted = how.config.verbosity == Verbosity::Normal;
    let _waiting = Waiting::begin("Building", package.name.clone(), wanted);
    std::thread::scope(|scope| {
        // Neither cargo nor the question for the compiler's version needs the other.
        let user = scope.spawn(|| user_library(how, package, mirror));
        let runtime = Runtime::new(how, package, &flags)?;
        let user = || user.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        build_with((how, package, source), &runtime, &flags, user)
    })
}

/// Builds a harness with a runtime, which is compiled if it is missing, while `user` waits for cargo.
fn build_with(
    (how, package, source): (Build, &Package, Source),
    runtime: &Runtime,
    flags: &[String],
    user: impl FnOnce() -> Result<UserLibrary, BuildError>,
) -> Result<PathBuf, BuildError> {
    let is_unwanted = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let early = (!runtime.is_there()).then(|| scope.spawn(|| runtime.library(&is_unwanted)));
        let library = || match early {
            Some(thread) => {
                if !thread.is_finished() {
                    runtime.tell("Waiting for the runtime of cargo-target");
                }
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            None => runtime.library(&is_unwanted),
        };
        let program = user().and_then(|user| {
            program(how, package, source, &Parts { user, flags, key: &runtime.key }, library)
        });
        // After a failure, nobody waits for it.
        is_unwanted.store(true, Ordering::Relaxed);
        program
    })
}

/// What a harness is compiled against.
struct Parts<'p> {
    user: UserLibrary,
    flags: &'p [String],
    /// The key of the runtime.
    key: &'p str,
}

/// Whether cargo builds the user's library; it has printed the reason if not.
pub fn builds(how: Build, package: &Package) -> Result<bool> {
    Ok(build_library(how, package, None)?.is_some())
}

/// The user's library, built by cargo.
fn user_library(how: Build, package: &Package, mirror: Option<&Mirror>) -> Result<UserLibrary, BuildError> {
    build_library(how, package, mirror)?.ok_or_else(|| {
        let how =
            if mirror.is_some() { " in a copy in which private items with specs are public" } else { "" };
        let message = format!("`{}` does not build{how}", package.name);
        BuildFailure::new(message, String::new()).into()
    })
}

/// The program of a harness, compiled unless it exists. Only then `runtime` is asked for the library.
fn program(
    how: Build,
    package: &Package,
    source: Source,
    parts: &Parts,
    runtime: impl FnOnce() -> Result<PathBuf, BuildError>,
) -> Result<PathBuf, BuildError> {
    let Parts { user, flags, key } = parts;
    let metadata = fs::metadata(&user.rlib).context("look at the user's library")?;
    let folder = how.project.output.join("harness").join(package.folder_name());
    let program = |text: &str| {
        let mut hasher = DefaultHasher::new();
        (text, key, flags, how.lines, DENIED, &user.rlib, &user.search).hash(&mut hasher);
        (metadata.len(), metadata.modified().ok()).hash(&mut hasher);
        folder.join(format!("{:016x}{}", hasher.finish(), std::env::consts::EXE_SUFFIX))
    };
    let mut programs = [Some(source.text), source.larger].into_iter().flatten().map(&program);
    if let Some(built) = programs.find(|program| program.exists()) {
        worker::program::keep(&built);
        return Ok(built);
    }
    let program = program(source.text);
    fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    let scratch = Scratch::open(&how.project.output)?;
    let fresh = scratch.folder()?;
    let (file, built) = (fresh.path().join("harness.rs"), fresh.path().join("harness"));
    fs::write(&file, source.text).with_context(|| format!("write {}", file.display()))?;
    let mut command = compile_harness((package, how.lines), flags, user, &runtime()?, &file);
    // A killed compiler's temporary files go into a folder that is removed.
    command.env("TMPDIR", fresh.path());
    if how.counts {
        command.arg(COUNTING).env(wrapper::NO_PROFILE.0, wrapper::NO_PROFILE.1);
    }
    let output = command.arg("-o").arg(&built).output().context("run rustc")?;
    let kept = folder.join("harness.rs");
    let message = format!("the harness for `{}` does not build: {}", package.name, kept.display());
    let failed = failure(message, &output.stderr, &file);
    if !output.status.success() || !failed.errors.is_empty() {
        fs::rename(&file, &kept).with_context(|| format!("write {}", kept.display()))?;
        return Err(failed.into());
    }
    remove_old_programs(&folder);
    fs::rename(&built, &program).with_context(|| format!("write {}", program.display()))?;
    worker::program::keep(&program);
    Ok(program)
}

/// A failure with what rustc says as JSON of a harness in this file.
fn failure(message: String, said: &[u8], file: &Path) -> BuildFailure {
    let (mut output, mut errors) = (String::new(), Vec::new());
    for line in String::from_utf8_lossy(said).lines() {
        let Ok(found) = serde_json::from_str::<Diagnostic>(line) else {
            output.push_str(&format!("{line}\n"));
            continue;
        };
        // The last error only counts the others, and has no position.
        let is_error = found.level == DiagnosticLevel::Error && !found.message.starts_with("aborting due to");
        let is_denied = found.code.as_ref().is_some_and(|code| DENIED.contains(&code.code.as_str()));
        if found.level == DiagnosticLevel::Error || is_denied {
            output.push_str(found.rendered.as_deref().unwrap_or_default());
        }
        if is_error || is_denied {
            let span =
                found.spans.iter().filter(|span| span.is_primary).find_map(|span| in_harness(span, file));
            let at = span.map(|span| span.byte_start as usize..span.byte_end as usize);
            let label = span.and_then(|span| span.label.clone()).unwrap_or_default();
            let code = found.code.as_ref().map(|code| code.code.as_str());
            let is_of_types = matches!(code, Some("E0308" | "E0277" | "E0369"));
            let is_reference = is_of_types && (label.contains('&') || found.message.contains('&'));
            errors.push(RustcError { message: found.message, label, is_reference, at });
        }
    }
    BuildFailure { message, output, errors }
}

/// The position of rustc's underline in the harness, if it is there; inside a macro, that of its use.
fn in_harness<'d>(span: &'d DiagnosticSpan, file: &Path) -> Option<&'d DiagnosticSpan> {
    if Path::new(&span.file_name) == file {
        return Some(span);
    }
    in_harness(&span.expansion.as_ref()?.span, file)
}

/// The command that compiles a harness, without the output path.
fn compile_harness(
    (package, lines): (&Package, bool),
    flags: &[String],
    user: &UserLibrary,
    runtime: &Path,
    file: &Path,
) -> Command {
    let mut extern_user = OsString::from(format!("{}=", user.crate_name));
    extern_user.push(&user.rlib);
    let mut extern_runtime = OsString::from("target_strategies=");
    extern_runtime.push(runtime);
    // The harness allows all lints that only warn by default.
    let mut command = compile(package, "warn");
    command.args(FLAGS).args(flags).arg(format!("--edition={}", user.edition)).arg("--error-format=json");
    if lines {
        command.args(LINES);
    }
    command.arg(file).arg("--crate-type=bin").arg("--crate-name=harness");
    command.arg("--extern").arg(extern_user).arg("--extern").arg(extern_runtime);
    for (name, file) in &user.dependencies {
        let mut dependency = OsString::from(format!("{name}="));
        dependency.push(file);
        command.arg("--extern").arg(dependency);
    }
    for path in &user.search {
        command.arg("-L").arg(path);
    }
    command
}

/// The harness's data on functions that build values: the numbers of the subject and of the data type, and whether the
/// function may fail. Missing data only costs an `.unwrap()` in a pasted test.
pub fn builders(program: &Path) -> Vec<(u32, u32, bool)> {
    let mut command = Command::new(program);
    // With counters, it would write a profile into the user's folder.
    command.arg(BUILDERS).env(wrapper::NO_PROFILE.0, wrapper::NO_PROFILE.1).stdin(Stdio::null());
    let Ok(output) = command.output() else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()? == "true"))
    };
    text.lines().filter_map(line).collect()
}

/// Asks rustc to build with counters; returns its error message if it can't.
pub fn why_uncountable(output: &Path, package: &Package) -> Result<Option<String>> {
    let scratch = Scratch::open(output)?;
    let folder = scratch.folder()?;
    let mut command = Command::new(rustc());
    command.current_dir(package.root()).stdin(Stdio::null());
    command.args([COUNTING, "--crate-type=lib", "--crate-name=probe", "--emit=metadata", "--out-dir"]);
    let output = command.arg(folder.path()).arg("-").output().context("run rustc")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| line.starts_with("error")).unwrap_or("rustc fails");
    Ok((!output.status.success()).then(|| first.to_owned()))
}

/// The data on the counters of a harness: see [`COUNTERS`].
pub fn counters(program: &Path) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    command.arg(COUNTERS).env(wrapper::NO_PROFILE.0, wrapper::NO_PROFILE.1).stdin(Stdio::null());
    Ok(command.output().with_context(|| format!("start {}", program.display()))?.stdout)
}

/// Removes programs of earlier sources and libraries, except those that another run may be about to start.
fn remove_old_programs(folder: &Path) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > DAY) {
            // A file that can't be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The library built by cargo for the user.
struct UserLibrary {
    crate_name: String,
    edition: String,
    rlib: PathBuf,
    /// Its dependencies, by their names in its code: the user's expressions can use them too.
    dependencies: Vec<(String, PathBuf)>,
    /// The values of rustc's `-L`.
    search: Vec<String>,
}

/// Builds the library; `None` if that fails, and cargo has printed why.
fn build_library(how: Build, package: &Package, mirror: Option<&Mirror>) -> Result<Option<UserLibrary>> {
    let library = package.library.as_ref().expect("packages without a library have been rejected");
    let mut command = cargo_build(how, package);
    let program = match mirror {
        Some(mirror) => Some(mirror.wrapper.clone()),
        None if how.counts => {
            Some(mirror::wrapper(&how.project.output.join("cover").join(package.folder_name()))?)
        }
        None => None,
    };
    if let Some(wrapper) = &program {
        let changes = wrapper::Changes { wrapper, mirror, counts: how.counts };
        wrapper::install(&mut command, package, &library.src_path, changes)?;
    }
    let output =
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("run `cargo build`")?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut rlib = None;
    let mut search = Vec::new();
    // Cargo decides where dependencies go (it depends on `build.target` and other settings), so its messages are used.
    let mut folders = BTreeSet::new();
    let mut libraries = HashMap::new();
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message.context("read what `cargo build` says")? {
            Message::CompilerArtifact(artifact) => {
                let files: Vec<PathBuf> = artifact.filenames.into_iter().map(Into::into).collect();
                folders.extend(files.iter().filter_map(|file| file.parent()).map(Path::to_owned));
                if artifact.package_id.repr == package.id
                    && artifact.target.name.replace('-', "_") == library.crate_name
                {
                    rlib = library_file(files).or(rlib);
                } else if let Some(file) = library_file(files) {
                    libraries.insert(artifact.package_id.repr, file);
                }
            }
            Message::BuildScriptExecuted(script) => {
                search.extend(script.linked_paths.into_iter().map(|path| path.into_string()));
            }
            _ => {}
        }
    }
    let rlib = rlib.context("cargo built the library, but named no .rlib")?;
    let found = |used: &Dependency| Some((used.name.clone(), libraries.get(&used.id)?.clone()));
    let dependencies = linked(&package.dependencies).filter_map(found).collect();
    search.extend(folders.iter().map(|folder| format!("dependency={}", folder.display())));
    Ok(Some(UserLibrary {
        crate_name: library.crate_name.clone(),
        edition: library.edition.clone(),
        rlib,
        dependencies,
        search,
    }))
}

/// The command that builds a package's library as the user builds it.
fn cargo_build(how: Build, package: &Package) -> Command {
    let Build { config, profile, project, counts, lines, interrupted: _ } = how;
    let name = profile.unwrap_or("tested");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    die_with_the_tool(&mut command);
    command.current_dir(package.root());
    command.args(["build", "--lib", "--message-format=json-render-diagnostics", "--profile", name]);
    command.arg("--package").arg(&package.id).arg("--manifest-path").arg(&package.manifest_path);
    let mut folder = project.build.clone().into_os_string();
    if counts {
        folder.push("-cover");
    }
    command.arg("--target-dir").arg(folder);
    command.arg("--jobs").arg(config.jobs.to_string());
    command.args(&config.feature_flags).args(&config.lock_flags);
    // Plain rustc can't link bitcode alone, and a harness must catch panics.
    let mut settings = vec!["lto=\"off\"", "panic=\"unwind\""];
    if profile.is_none() {
        settings.extend(["inherits=\"release\"", "overflow-checks=true", "debug-assertions=true"]);
    }
    if lines {
        settings.push("debug=\"line-tables-only\"");
    }
    if counts {
        // Uncalled code is in the program only if its object file is linked.
        settings.push("codegen-units=1");
    }
    for setting in settings {
        command.arg("--config").arg(format!("profile.{name}.{setting}"));
    }
    if config.verbosity < Verbosity::Verbose && !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        command.arg("--quiet");
    }
    command
}

/// The library among a target's files. A file with a hash in its name is preferred: if packages share a target
/// directory, another package of that name may replace the file without.
fn library_file(files: Vec<PathBuf>) -> Option<PathBuf> {
    let with =
        |extension: &str| files.iter().find(|file| file.extension().is_some_and(|found| found == extension));
    let hashed = with("rmeta").map(|file| file.with_extension("rlib")).filter(|file| file.exists());
    hashed.or_else(|| with("rlib").cloned())
}
