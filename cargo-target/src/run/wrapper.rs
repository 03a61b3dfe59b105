//! The program that cargo starts instead of rustc. It runs the same command, but compiles a package's library from the
//! copy of its source ([`crate::run::mirror`]), or with counters ([`crate::run::coverage`]), or both.
//!
//! Cargo builds from the user's own manifest and starts this program for each crate of the workspace. Environment
//! variables say what to replace. The paths of the copy are mapped to the original paths, so that panics and errors
//! name the user's files. Lints are off: items made public would lack docs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::run::mirror::Mirror;
use crate::run::project::Package;

/// The package whose library is changed, by its manifest's folder.
const PACKAGE: &str = "TARGET_WRAPPER_PACKAGE";
/// The library's root file in the original folder.
const SOURCE: &str = "TARGET_WRAPPER_SOURCE";
/// The root files of other members' libraries that are compiled from the copy, as a list of paths.
const OTHERS: &str = "TARGET_WRAPPER_OTHERS";
/// Set if the library is built with counters.
const COUNTS: &str = "TARGET_WRAPPER_COUNTS";
/// The original folder.
const BASE: &str = "TARGET_WRAPPER_BASE";
/// The copy.
const TREE: &str = "TARGET_WRAPPER_TREE";
/// Variables for the user's own wrappers, which run the new command, outer one first: ours, and the two of cargo.
const USERS: [(&str, [&str; 2]); 2] = [
    ("TARGET_WRAPPER_OUTER", ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"]),
    ("TARGET_WRAPPER_INNER", ["RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER"]),
];

/// Where the profiler's runtime writes a profile when a process ends. Instrumented code also runs in compilers
/// (procedural macros of a workspace) and in harnesses, whose counters are read in another way.
pub const NO_PROFILE: (&str, &str) = ("LLVM_PROFILE_FILE", if cfg!(windows) { "NUL" } else { "/dev/null" });

/// rustc's arguments for a library with counters. `coverage` is the `cfg` that cargo-llvm-cov sets too.
const COUNTING: [&str; 3] = ["-Cinstrument-coverage", "--cfg=coverage", "--check-cfg=cfg(coverage)"];

/// The differences from the user's build.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'c> {
    /// The program that cargo starts instead of rustc. Each package has its own name for it, because cargo separates
    /// builds by wrapper.
    pub wrapper: &'c Path,
    /// The copy that the library is compiled from.
    pub mirror: Option<&'c Mirror>,
    /// Whether the library gets counters.
    pub counts: bool,
}

/// Makes a cargo command compile a package's library with some changes.
pub fn install(command: &mut Command, package: &Package, source: &Path, changes: Changes) -> Result<()> {
    command.env(PACKAGE, package.root()).env(SOURCE, source);
    if let Some(mirror) = changes.mirror {
        let others = env::join_paths(&mirror.others).context("list the members with private items")?;
        command.env(BASE, &mirror.base).env(TREE, &mirror.tree).env(OTHERS, others);
    }
    if changes.counts {
        command.env(COUNTS, "1").env(NO_PROFILE.0, NO_PROFILE.1);
    }
    for (ours, theirs) in USERS {
        let set = |name: &&str| env::var_os(name).filter(|value| !value.is_empty());
        if let Some(wrapper) = theirs.iter().find_map(set) {
            // An empty variable counts as unset.
            command.env(ours, wrapper).env(theirs[0], "").env_remove(theirs[1]);
        }
    }
    command.env("RUSTC_WORKSPACE_WRAPPER", changes.wrapper);
    Ok(())
}

/// Runs rustc, if this process was started in its place.
pub fn run() -> Option<ExitCode> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from);
    let (package, source) = (variable(PACKAGE)?, variable(SOURCE)?);
    let mut args = env::args_os().skip(1);
    // A build script may start cargo-target itself.
    let rustc = args.next().filter(|first| first != "target")?;
    let args: Vec<OsString> = args.collect();
    let of_package = variable("CARGO_MANIFEST_DIR").is_some_and(|folder| same_file(&folder, &package));
    let is_source = |arg: &OsStr, source: &Path| {
        Path::new(arg).file_name() == source.file_name() && same_file(Path::new(arg), source)
    };
    let others = env::var_os(OTHERS).unwrap_or_default();
    let own = of_package.then(|| source.clone());
    let source = own.into_iter().chain(env::split_paths(&others)).find_map(|source| {
        args.iter().position(|arg| is_source(arg, &source)).map(|position| (position, source))
    });
    let args = match source {
        Some((position, source)) => {
            let mut args = match (variable(BASE), variable(TREE)) {
                (Some(base), Some(tree)) => redirected(args, position, &source, &base, &tree),
                _ => args,
            };
            if of_package && env::var_os(COUNTS).is_some() {
                args.extend(COUNTING.map(OsString::from));
            }
            args
        }
        None => args,
    };
    let users = USERS.iter().filter_map(|(ours, _)| env::var_os(ours));
    let mut words = users.chain([rustc]).chain(args);
    let mut command = Command::new(words.next().expect("rustc is among the words"));
    command.args(words);
    Some(replace_process(&mut command))
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// The arguments, with the library's root (at a position) replaced by the copy.
fn redirected(
    mut args: Vec<OsString>,
    position: usize,
    source: &Path,
    base: &Path,
    tree: &Path,
) -> Vec<OsString> {
    let Ok(relative) = source.strip_prefix(base) else { return args };
    let shown = shown_for(base, Path::new(&args[position]), relative);
    args[position] = tree.join(relative).into_os_string();
    let mut mapped = OsString::from("--remap-path-prefix=");
    mapped.push(tree);
    mapped.push("=");
    mapped.push(shown);
    args.push(mapped);
    if !args.iter().any(|arg| arg.to_string_lossy().starts_with("--cap-lints")) {
        args.push("--cap-lints=allow".into());
    }
    args
}

/// The folder as rustc shows it: the prefix of the path, often empty.
fn shown_for(base: &Path, written: &Path, relative: &Path) -> PathBuf {
    if written.ends_with(relative) {
        let n_before = written.components().count() - relative.components().count();
        written.components().take(n_before).collect()
    } else {
        base.to_owned()
    }
}

#[cfg(unix)]
fn replace_process(command: &mut Command) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    errln!("error: start {}: {error}", command.get_program().display());
    ExitCode::FAILURE
}

#[cfg(not(unix))]
fn replace_process(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            errln!("error: start {}: {error}", command.get_program().display());
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: &str, source: &str, expected: &[&str]) {
        let args = ["--crate-name", "a", written, "-Copt-level=3"].map(OsString::from).to_vec();
        let args = redirected(args, 2, Path::new(source), Path::new("/ws"), Path::new("/copy"));
        let args: Vec<_> = args.iter().map(|arg| arg.to_str().expect("the test's names are UTF-8")).collect();
        assert_eq!([&args[2..3], &args[4..]].concat(), expected);
    }

    #[test]
    fn the_root_is_in_the_copy_and_shown_as_written() {
        let allow = "--cap-lints=allow";
        let copied = "/copy/a/src/lib.rs";
        check("a/src/lib.rs", "/ws/a/src/lib.rs", &[copied, "--remap-path-prefix=/copy=", allow]);
        check("/ws/a/src/lib.rs", "/ws/a/src/lib.rs", &[copied, "--remap-path-prefix=/copy=/ws", allow]);
        check("../ws/a/src/lib.rs", "/ws/a/src/lib.rs", &[copied, "--remap-path-prefix=/copy=../ws", allow]);
        check("src/lib.rs", "/ws/a/src/lib.rs", &[copied, "--remap-path-prefix=/copy=/ws", allow]);
    }
}
