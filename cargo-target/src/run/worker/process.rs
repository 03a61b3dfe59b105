//! Starts and ends the worker's child processes.
//!
//! A child is a guard with the serving process below it. The guard leads its own process group, so that Ctrl-C reaches
//! only the tool. It kills every process that the subject started when it is asked to end, when the serving process
//! ends, and when the tool is killed.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// Time for a guard to kill a subject's processes before the guard itself is killed.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The guard of a child, which is a child process of the tool.
#[derive(Debug)]
pub enum Guard {
    /// The tool started it.
    Started(Child),
    /// A fork server made it, with this process id.
    #[cfg(target_os = "linux")]
    Copied(u32),
}

impl Guard {
    /// Its process id.
    pub fn id(&self) -> u32 {
        match self {
            Guard::Started(child) => child.id(),
            #[cfg(target_os = "linux")]
            Guard::Copied(pid) => *pid,
        }
    }

    /// Kills it by force. It must not have been reaped yet.
    fn kill(&mut self) {
        match self {
            // An error says that it is dead.
            Guard::Started(child) => _ = child.kill(),
            #[cfg(target_os = "linux")]
            Guard::Copied(pid) => kill_group(*pid),
        }
    }

    /// Ends it and everything below it, and reaps it.
    pub fn end(&mut self) {
        end(self.id());
        // For systems without guards; elsewhere it is dead already.
        self.kill();
        let _ = self.wait();
    }

    /// Waits until it is dead, and reaps it. Call it once.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        match self {
            Guard::Started(child) => child.wait(),
            #[cfg(target_os = "linux")]
            Guard::Copied(pid) => reap(*pid),
        }
    }
}

/// Waits until a child is dead, and reaps it.
#[cfg(target_os = "linux")]
fn reap(pid: u32) -> io::Result<ExitStatus> {
    let mut status = 0;
    loop {
        // SAFETY: `status` lives through the call.
        let reaped = unsafe { libc::waitpid(pid as libc::pid_t, &mut status, 0) };
        if reaped >= 0 {
            return Ok(exit_status(status));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Makes the child the leader of a process group.
pub fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Asks a guard to kill everything below it, and to end. It must not have been reaped yet.
pub fn ask_to_end(pid: u32) {
    #[cfg(unix)]
    // SAFETY: no memory is involved. The child is unreaped, so the number is still its own.
    unsafe {
        libc::kill(pid as libc::pid_t, libc::SIGTERM);
        // It may have been stopped.
        libc::kill(pid as libc::pid_t, libc::SIGCONT);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Ends a guard and everything below it, but doesn't reap it.
fn end(pid: u32) {
    ask_to_end(pid);
    #[cfg(unix)]
    {
        let asked = std::time::Instant::now();
        let mut pause = Duration::from_micros(50);
        while !is_dead(pid, libc::WNOHANG) && asked.elapsed() < PATIENCE {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        kill_group(pid);
    }
}

/// Kills a guard by force. The serving process dies too; other processes below it are lost track of. It must not have
/// been reaped yet.
pub fn kill_group(pid: u32) {
    #[cfg(unix)]
    // SAFETY: no memory is involved. The child is unreaped, so the number is still its own.
    unsafe {
        libc::kill(-(pid as libc::pid_t), libc::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Blocks until a child is dead, but doesn't reap it.
pub fn await_death(pid: u32) {
    #[cfg(unix)]
    while !is_dead(pid, 0) {}
    #[cfg(not(unix))]
    let _ = pid;
}

/// Whether a child that was not reaped yet is dead.
#[cfg(target_os = "linux")]
pub fn has_died(pid: u32) -> bool {
    is_dead(pid, libc::WNOHANG)
}

/// Whether a child is dead. Waits for its death, unless the options say otherwise; a signal may interrupt it.
#[cfg(unix)]
fn is_dead(pid: u32, options: i32) -> bool {
    // SAFETY: all zeroes is a valid `siginfo_t`, and it lives through the calls.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOWAIT | options;
        match libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, options) {
            0 => info.si_pid() != 0,
            // No such child: it counts as dead.
            _ => io::Error::last_os_error().kind() != io::ErrorKind::Interrupted,
        }
    }
}

/// The exit status of the serving process, as its guard recorded it.
#[cfg(unix)]
pub fn exit_status(status: i32) -> ExitStatus {
    std::os::unix::process::ExitStatusExt::from_raw(status)
}

/// A default status: without guards there is no recorded one.
#[cfg(not(unix))]
pub fn exit_status(status: i32) -> ExitStatus {
    let _ = status;
    ExitStatus::default()
}
