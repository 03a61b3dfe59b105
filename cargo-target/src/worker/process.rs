//! Processes as the worker needs them: each child leads a group of its own, so that Ctrl-C reaches only the parent,
//! and what a subject started dies with it.

use std::process::Command;

/// Has the child lead a process group.
pub fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills a child and all that it started. The child must not have been waited for yet.
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
    loop {
        // SAFETY: all zeroes is a valid `siginfo_t`, and it lives through the call.
        let result = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        let interrupted = std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted;
        if result == 0 || !interrupted {
            return;
        }
    }
    #[cfg(not(unix))]
    let _ = pid;
}
