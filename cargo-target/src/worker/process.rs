//! Processes as the worker needs them.
//!
//! A child is a guard with the serving process below it. The guard leads a group of its own, so that Ctrl-C reaches only
//! the tool; it kills everything that the subject started when it is asked to end, when the serving process ends, and
//! when the tool is killed.

use std::process::{Command, ExitStatus};
use std::time::Duration;

/// How long a guard may take to kill what a subject left, before it is killed itself.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Has the child lead a process group.
pub fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Asks a guard to kill everything below it, and to end. It must not have been waited for yet.
pub fn ask_to_end(pid: u32) {
    #[cfg(unix)]
    // SAFETY: no memory is involved. The child is unreaped, so the number is still its own.
    unsafe {
        libc::kill(pid as libc::pid_t, libc::SIGTERM);
        // In case that it was stopped.
        libc::kill(pid as libc::pid_t, libc::SIGCONT);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Ends a guard and everything below it, and leaves it to be waited for.
pub fn end(pid: u32) {
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

/// Kills a guard by force. The serving process dies with it; what else is left below it is not known any more. It must
/// not have been waited for yet.
pub fn kill_group(pid: u32) {
    #[cfg(unix)]
    // SAFETY: no memory is involved. The child is unreaped, so the number is still its own.
    unsafe {
        libc::kill(-(pid as libc::pid_t), libc::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Blocks until a child is dead, but leaves it to be waited for.
pub fn await_death(pid: u32) {
    #[cfg(unix)]
    while !is_dead(pid, 0) {}
    #[cfg(not(unix))]
    let _ = pid;
}

/// Whether a child is dead. Waits for that unless the options say otherwise, and may be interrupted.
#[cfg(unix)]
fn is_dead(pid: u32, options: i32) -> bool {
    // SAFETY: all zeroes is a valid `siginfo_t`, and it lives through the calls.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOWAIT | options;
        match libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, options) {
            0 => info.si_pid() != 0,
            // There is no such child, which is as good as dead.
            _ => std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted,
        }
    }
}

/// The exit status that a guard noted of its serving process.
#[cfg(unix)]
pub fn exit_status(status: i32) -> ExitStatus {
    std::os::unix::process::ExitStatusExt::from_raw(status)
}

/// The exit status that a guard noted of its serving process; elsewhere there are no guards.
#[cfg(not(unix))]
pub fn exit_status(status: i32) -> ExitStatus {
    let _ = status;
    ExitStatus::default()
}
