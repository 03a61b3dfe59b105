//! The program of a harness: makes the processes of children. A second name (hard link) keeps it if a subject deletes or
//! disables it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use anyhow::{Context, Result};
#[cfg(target_os = "linux")]
use target_strategies::child::serve::FORK_SERVER;

#[cfg(target_os = "linux")]
use super::fork_server::ForkServer;
use super::process::{self, Guard};
use super::shared::SharedFile;
use super::unassigned::{Streams, Unassigned};

/// Maximum number of attempts to start a program. Several subjects may delete or disable it at the same time.
const ATTEMPTS: usize = 8;

/// A harness that is built, and what its processes find around them.
#[derive(Debug)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// The working directory: the package's folder, as in `cargo test`.
    folder: PathBuf,
    /// Environment variables, in addition to the parent's.
    environment: Vec<(String, String)>,
    /// A process for the next child, made ahead by the server. It ends before the server does.
    #[cfg(target_os = "linux")]
    spare: Mutex<Option<Unassigned>>,
    /// Makes children from the first one on; `None` if it can't be started.
    #[cfg(target_os = "linux")]
    server: OnceLock<Option<ForkServer>>,
}

impl Program {
    /// A program that runs in a folder.
    pub fn new(path: PathBuf, folder: &Path) -> Program {
        Program {
            path,
            folder: folder.to_owned(),
            environment: Vec::new(),
            #[cfg(target_os = "linux")]
            spare: Mutex::new(None),
            #[cfg(target_os = "linux")]
            server: OnceLock::new(),
        }
    }

    /// The same program with one more environment variable.
    pub fn with_variable(mut self, name: &str, value: String) -> Program {
        self.environment.push((name.to_owned(), value));
        self
    }

    /// Prepares for children, so that the first is ready sooner. It doesn't wait for that.
    pub fn warm_up(self: &Arc<Program>) {
        let program = Arc::clone(self);
        // Without a thread, the first child is only ready later.
        let _ = thread::Builder::new().name("spare".to_owned()).spawn(move || program.make_spare());
    }

    /// Makes a process for the next child, if a server can and there is none. It takes a fraction of a millisecond, and the process goes on
    /// to prepare itself. A process that the tool starts itself would end with the thread that starts it.
    #[cfg(target_os = "linux")]
    pub(super) fn make_spare(&self) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.is_none() {
            let copied = |page: &SharedFile, streams: Streams| {
                self.copied(page, &streams).context("the server makes no more children")
            };
            // The next child starts its own process, and reports the error.
            *spare = Unassigned::start(copied).ok();
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn make_spare(&self) {}

    /// The process that was made ahead, if there is one and it still runs.
    #[cfg(target_os = "linux")]
    pub(super) fn take_spare(&self) -> Option<Unassigned> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        // A copy would still see a deleted program as its own file.
        (is_in_place(&self.path) && spare.runs()).then_some(spare)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn take_spare(&self) -> Option<Unassigned> {
        None
    }

    /// A new process.
    pub(super) fn process(&self) -> Result<Unassigned> {
        Unassigned::start(|page, streams| self.child(page, streams))
    }

    /// The fork server, which is started now if it wasn't yet.
    #[cfg(target_os = "linux")]
    fn server(&self) -> Option<&ForkServer> {
        // Without a server, children are started one by one, and that reports the error.
        let start = || ForkServer::start(self.command(FORK_SERVER.as_ref())).ok();
        self.server.get_or_init(start).as_ref()
    }

    /// Starts a child: its guard, which then makes the serving process.
    pub(super) fn child(&self, page: &SharedFile, streams: Streams) -> Result<Guard> {
        #[cfg(target_os = "linux")]
        if let Some(guard) = self.copied(page, &streams) {
            return Ok(guard);
        }
        let Streams { input, output, error } = streams;
        let mut command = self.command(page.path().as_os_str());
        command.stdin(input).stdout(output).stderr(error);
        let mut spawned = command.spawn();
        for _ in 1..ATTEMPTS {
            if spawned.is_ok() || bring_back(&self.path).is_err() {
                break;
            }
            spawned = command.spawn();
        }
        spawned.map(Guard::Started).with_context(|| format!("starting the harness {}", self.path.display()))
    }

    /// The guard of a child that the server makes; `None` if it can't.
    #[cfg(target_os = "linux")]
    fn copied(&self, page: &SharedFile, streams: &Streams) -> Option<Guard> {
        use std::os::fd::AsFd;
        let Streams { input, output, error } = streams;
        let files = [page.file().as_fd(), input.as_fd(), output.as_fd(), error.as_fd()];
        let server = self.server()?;
        if !is_in_place(&self.path) {
            // Its copies would still see a deleted program as their own file.
            server.retire();
        }
        server.child(files).map(Guard::Copied)
    }

    /// The command that starts a process of the harness.
    fn command(&self, argument: &OsStr) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(argument).current_dir(&self.folder);
        // glibc reserves 64 MiB of address space for each thread that allocates; that would count against the limit.
        command.env("RUST_BACKTRACE", "0").env("MALLOC_ARENA_MAX", "1");
        command.envs(self.environment.iter().cloned());
        process::lead_group(&mut command);
        command
    }
}

/// The second name.
fn kept(program: &Path) -> PathBuf {
    program.with_extension("kept")
}

/// Gives a program a second name. If that fails, a deleted program can't be restored.
pub fn keep(program: &Path) {
    // It usually exists already.
    let _ = fs::hard_link(program, kept(program));
}

/// Whether a program can be started.
#[cfg(target_os = "linux")]
fn is_in_place(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(program).is_ok_and(|found| found.permissions().mode() & 0o100 != 0)
}

/// Restores a program that can't be started.
fn bring_back(program: &Path) -> io::Result<()> {
    if !program.exists() {
        // Another worker may have been faster.
        let linked = fs::hard_link(kept(program), program);
        linked.or_else(|error| if program.exists() { Ok(()) } else { Err(error) })?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(program, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::pipe;

    use target_strategies::child::protocol::Progress;

    use super::*;
    use crate::run::worker::fixture::{launch, spec};

    /// Starts a child and ends it; returns whether a fork server made it.
    fn is_copied(program: &Program) -> bool {
        let page = SharedFile::new(Progress::LEN).expect("a file can be made");
        let [(input, _requests), (_replies, output), (_stderr, error)] =
            [(); 3].map(|()| pipe().expect("a pipe can be made"));
        let mut guard =
            program.child(&page, Streams { input, output, error }).expect("a child can be started");
        guard.end();
        matches!(guard, Guard::Copied(_))
    }

    #[test]
    fn a_server_makes_children_until_it_fails_or_its_program_is_gone() {
        let misbehaving = launch(spec("panics"), 4).program.path.clone();
        let beside = misbehaving.parent().expect("a program is in a folder");
        let folder = tempfile::tempdir_in(beside).expect("a folder can be made");
        let path = folder.path().join("misbehaving");
        fs::hard_link(&misbehaving, &path).expect("a program can have another name");
        keep(&path);
        let new = || Program::new(path.clone(), folder.path());

        let program = new();
        assert_eq!([is_copied(&program), is_copied(&program)], [true, true]);
        fs::remove_file(&path).expect("a file can be deleted");
        assert_eq!([is_copied(&program), path.exists()], [false, true]);

        let program = new();
        assert!(is_copied(&program));
        program.server().expect("it runs").kill();
        assert_eq!([is_copied(&program), is_copied(&program)], [false, false]);
    }

    #[test]
    fn a_process_made_ahead_is_used_once_and_only_while_it_runs() {
        let program = launch(spec("panics"), 4).program;
        program.make_spare();
        let spare = program.take_spare().expect("it was made");
        assert!(program.take_spare().is_none());
        program.make_spare();
        let other = spare_of(&program);
        assert_ne!(Some(other), spare.id());
        program.make_spare();
        assert_eq!(spare_of(&program), other);
        // A subject may kill it. It may not lead its group yet.
        process::ask_to_end(other);
        process::await_death(other);
        assert!(program.take_spare().is_none());
        program.make_spare();
        assert!(program.take_spare().is_some());
        // Without a server, none is made ahead.
        program.server().expect("it runs").kill();
        program.make_spare();
        assert!(program.take_spare().is_none());
    }

    fn spare_of(program: &Program) -> u32 {
        let spare = program.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.as_ref().and_then(Unassigned::id).expect("it was made")
    }
}
