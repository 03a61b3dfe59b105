//! The compiled runtime of harnesses: a library for each compiler and its flags, compiled once and then shared by all
//! projects of the user. A release build of the tool carries the one for the compiler that it was built with.
//!
//! It is in the user's cache ([`crate::system::cache`]), or below `target/cargo-target` if the cache can't be written.
//! An entry is a folder with the library and its checksum. It is made in a temporary folder and renamed, so it is
//! complete; a damaged one is made again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use fs4::TryLockError;
use target_strategies::prebuilt::{PREBUILT, Prebuilt};
use target_strategies::recipe::{self, FLAGS};
use tempfile::TempDir;

use crate::run::compiler::compile;
use crate::run::harness::{Build, BuildError, BuildFailure};
use crate::run::project::{Package, rustc};
use crate::system::cache;
use crate::system::console::Verbosity;
use crate::system::files::scratch::Scratch;

/// The file names in an entry.
const LIBRARY: &str = "libtarget_strategies.rlib";
const CHECKSUM: &str = "checksum";

/// Number of entries to keep: a few compilers, each with and without special flags. An entry has some 10 MB.
const KEPT: usize = 8;

/// How often a compiler or another run that compiles is asked whether it is done.
const PAUSE: Duration = Duration::from_millis(20);

/// The runtime that a harness needs.
pub struct Runtime<'b> {
    how: Build<'b>,
    package: &'b Package,
    flags: &'b [String],
    /// Differs for each source, compiler, and set of flags.
    pub key: String,
    /// The folders that may have it; the first one that can be written gets it.
    roots: Vec<PathBuf>,
}

/// Why a folder doesn't get the runtime.
enum Trouble {
    /// It can't be written.
    Folder(anyhow::Error),
    /// rustc failed there; it may be the folder's fault.
    Compiler(BuildError),
    /// No folder would help.
    Build(BuildError),
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Trouble {
        Trouble::Folder(error)
    }
}

impl<'b> Runtime<'b> {
    /// The runtime for a package's compiler, and the user's flags.
    pub fn new(how: Build<'b>, package: &'b Package, flags: &'b [String]) -> Result<Runtime<'b>> {
        let version = Command::new(rustc()).arg("-vV").current_dir(package.root()).output();
        let version = version.context("run `rustc -vV`")?.stdout;
        let mut hasher = DefaultHasher::new();
        // A build that carries the runtime has a better one than others compile.
        (&version, flags, FLAGS, PREBUILT.is_some(), target_strategies::SOURCES).hash(&mut hasher);
        let output = how.project.output.clone();
        // Code for the processor of this machine must not run on another one with the same home folder.
        let is_portable = !flags.iter().any(|flag| flag.contains("target-cpu=native"));
        let roots = cache::folder().filter(|_| is_portable).into_iter().chain([output]).collect();
        Ok(Runtime { how, package, flags, key: format!("{:016x}", hasher.finish()), roots })
    }

    /// Whether it is compiled, perhaps damaged.
    pub fn is_there(&self) -> bool {
        self.roots.iter().any(|root| self.entry(root).join(CHECKSUM).exists())
    }

    /// The path of the library, which is compiled first if it is missing or damaged. `is_unwanted` ends that early.
    pub fn library(&self, is_unwanted: &AtomicBool) -> Result<PathBuf, BuildError> {
        if let Some(entry) = self.roots.iter().map(|root| self.entry(root)).find(|entry| is_intact(entry)) {
            return Ok(entry.join(LIBRARY));
        }
        let prebuilt = PREBUILT.filter(|built| fits(built, &rustc(), self.package.root(), self.flags));
        if prebuilt.is_none() {
            self.tell("Compiling the runtime of cargo-target (once for each compiler)");
        }
        let (last, others) = self.roots.split_last().expect("the target directory is among them");
        for root in others {
            match self.made_in(root, prebuilt.as_ref(), is_unwanted) {
                Ok(library) => return Ok(library),
                Err(Trouble::Build(error)) => return Err(error),
                Err(Trouble::Folder(error)) if self.how.config.verbosity == Verbosity::Verbose => {
                    let (cache, instead) = (root.display(), last.display());
                    errln!("note: the cache {cache} can't be used, {instead} is used instead: {error:#}");
                }
                Err(Trouble::Folder(_) | Trouble::Compiler(_)) => {}
            }
        }
        self.made_in(last, prebuilt.as_ref(), is_unwanted).map_err(|trouble| match trouble {
            Trouble::Folder(error) => BuildError::Tool(error),
            Trouble::Build(error) | Trouble::Compiler(error) => error,
        })
    }

    /// Prints a message as cargo does.
    pub fn tell(&self, message: &str) {
        if self.how.config.verbosity > Verbosity::Quiet {
            let (word, rest) = message.split_once(' ').unwrap_or((message, ""));
            let green = anstyle::AnsiColor::BrightGreen.on_default().bold();
            errln!("{green}{word:>12}{green:#} {rest}");
        }
    }

    fn entry(&self, root: &Path) -> PathBuf {
        root.join("runtime").join(&self.key)
    }

    /// The library in a folder, made now unless another run has just done so.
    fn made_in(
        &self,
        root: &Path,
        prebuilt: Option<&Prebuilt>,
        is_unwanted: &AtomicBool,
    ) -> Result<PathBuf, Trouble> {
        let entry = self.entry(root);
        let parent = entry.parent().expect("an entry is in a folder");
        fs::create_dir_all(parent).with_context(|| format!("create {}", parent.display()))?;
        // If several runs start at once, one compiles it and the others wait.
        let lock = parent.join("lock");
        let file = fs::File::create(&lock).with_context(|| format!("create {}", lock.display()))?;
        self.wait_for(&file, &lock, is_unwanted)?;
        if is_intact(&entry) {
            return Ok(entry.join(LIBRARY));
        }
        let scratch = Scratch::open(root)?;
        let fresh = scratch.folder()?;
        let built = fresh.path().join(LIBRARY);
        match prebuilt {
            Some(prebuilt) => {
                fs::write(&built, prebuilt.library).with_context(|| format!("write {}", built.display()))?;
            }
            None => self.compile(&scratch.folder()?, &built, is_unwanted)?,
        }
        let sum = checksum(&built).with_context(|| format!("read {}", built.display()))?;
        let path = fresh.path().join(CHECKSUM);
        fs::write(&path, sum).with_context(|| format!("write {}", path.display()))?;
        // Without a lock, another run may have finished first.
        if is_intact(&entry) {
            return Ok(entry.join(LIBRARY));
        }
        // It is damaged, or not there.
        let damaged = scratch.folder()?;
        let _ = fs::rename(&entry, damaged.path().join("entry"));
        if fs::rename(fresh.path(), &entry).is_err() && !is_intact(&entry) {
            return Err(anyhow::anyhow!("write {}", entry.display()).into());
        }
        remove_unused(parent, &self.key);
        Ok(entry.join(LIBRARY))
    }

    /// Compiles the sources into a file.
    fn compile(&self, sources: &TempDir, built: &Path, is_unwanted: &AtomicBool) -> Result<(), Trouble> {
        let folder = sources.path().join("src");
        write_sources(&folder)?;
        let said = sources.path().join("stderr");
        let stderr = fs::File::create(&said).with_context(|| format!("create {}", said.display()))?;
        let mut command = compile(self.package, "allow");
        command.args(FLAGS).args(self.flags).arg(folder.join("runtime.rs")).arg("-o").arg(built);
        // Messages of panics are the same wherever it is compiled.
        command.arg(format!("--remap-path-prefix={}=cargo-target-runtime", folder.display()));
        command.env("TMPDIR", sources.path()).stdout(Stdio::null()).stderr(stderr);
        let status = self.run(&mut command, is_unwanted)?;
        if !status.success() {
            // Ctrl-C in a terminal ends rustc, too.
            self.go_on(is_unwanted)?;
            let message = "the runtime of harnesses does not build with this rustc: 1.88 or newer is needed";
            let output = String::from_utf8_lossy(&fs::read(&said).unwrap_or_default()).into_owned();
            return Err(Trouble::Compiler(BuildFailure::new(message, output).into()));
        }
        Ok(())
    }

    /// Runs a compiler to its end, unless nobody needs its result.
    fn run(&self, command: &mut Command, is_unwanted: &AtomicBool) -> Result<ExitStatus, Trouble> {
        let tool = |error: anyhow::Error| Trouble::Build(BuildError::Tool(error));
        let mut child = command.spawn().context("run rustc").map_err(tool)?;
        loop {
            if let Some(status) = child.try_wait().context("wait for rustc").map_err(tool)? {
                return Ok(status);
            }
            if let Err(stopped) = self.go_on(is_unwanted) {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                return Err(stopped);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits for a lock. Without support for locks it doesn't wait.
    fn wait_for(&self, file: &fs::File, path: &Path, is_unwanted: &AtomicBool) -> Result<(), Trouble> {
        let mut is_told = self.how.config.verbosity < Verbosity::Normal;
        while let Err(TryLockError::WouldBlock) = fs4::FileExt::try_lock(file) {
            if !is_told {
                errln!("waiting for another run that compiles the runtime: it holds {}", path.display());
                is_told = true;
            }
            self.go_on(is_unwanted)?;
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// An error if Ctrl-C was pressed, or the runtime is not needed any more.
    fn go_on(&self, is_unwanted: &AtomicBool) -> Result<(), Trouble> {
        if self.how.interrupted.load(Ordering::Relaxed) || is_unwanted.load(Ordering::Relaxed) {
            return Err(Trouble::Build(BuildFailure::new("interrupted", String::new()).into()));
        }
        Ok(())
    }
}

/// Whether the compiler of a folder can use the library with these flags: libraries are read only by the compiler that wrote
/// them.
fn fits(built: &Prebuilt, rustc: &Path, folder: &Path, flags: &[String]) -> bool {
    flags.is_empty() && recipe::compiler(rustc, folder).is_ok_and(|compiler| compiler == built.compiler)
}

fn write_sources(folder: &Path) -> Result<()> {
    for (path, text) in target_strategies::SOURCES {
        let file = folder.join(path);
        let folder = file.parent().expect("a source is in a folder");
        fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
        fs::write(&file, text).with_context(|| format!("write {}", file.display()))?;
    }
    Ok(())
}

/// The length of a file and a hash of its contents, as text.
fn checksum(file: &Path) -> std::io::Result<String> {
    let bytes = fs::read(file)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Ok(format!("{} {:016x}\n", bytes.len(), hasher.finish()))
}

/// Whether an entry is as it was made. Marks it as used.
fn is_intact(entry: &Path) -> bool {
    let path = entry.join(CHECKSUM);
    let known = fs::read_to_string(&path);
    let is_intact = known.is_ok_and(|known| checksum(&entry.join(LIBRARY)).is_ok_and(|found| found == known));
    if is_intact && let Ok(file) = fs::File::options().append(true).open(&path) {
        // The mark only decides which entries are kept.
        let _ = file.set_modified(SystemTime::now());
    }
    is_intact
}

/// Removes all entries but the newest and the last used ones.
fn remove_unused(parent: &Path, newest: &str) {
    let mut entries: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        let used = fs::metadata(path.join(CHECKSUM)).and_then(|metadata| metadata.modified());
        match used {
            Ok(used) if entry.file_name() != newest => entries.push((used, path)),
            // The library was deleted by hand.
            Err(error) if error.kind() == ErrorKind::NotFound && path.is_dir() => {
                entries.push((SystemTime::UNIX_EPOCH, path));
            }
            _ => {}
        }
    }
    entries.sort();
    entries.reverse();
    for (_, path) in entries.into_iter().skip(KEPT - 1) {
        // A folder that can't be removed does no harm.
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carried_library_is_for_its_own_compiler_without_flags() {
        let here = Path::new(".");
        let compiler = recipe::compiler(&rustc(), here).expect("rustc can be run");
        assert!(compiler.contains("\nlibstd-"), "{compiler}");
        let built = |compiler: String| Prebuilt { compiler: compiler.leak(), library: b"" };
        assert!(fits(&built(compiler.clone()), &rustc(), here, &[]));
        assert!(!fits(&built(compiler.clone()), &rustc(), here, &["-Ctarget-cpu=native".to_owned()]));
        assert!(!fits(&built(compiler.replace("rustc", "rustd")), &rustc(), here, &[]));
        assert!(!fits(&built(compiler.replace("libstd-", "libstd-0")), &rustc(), here, &[]));
    }
}
