//! System calls about processes: forking, signals, sessions, and child processes.

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// `sigset_t`, as long as the longest of any system.
#[repr(C, align(16))]
pub(crate) struct SignalSet([u8; 128]);

unsafe extern "C" {
    #[link_name = "fork"]
    fn libc_fork() -> i32;
    fn setsid() -> i32;
    #[cfg(target_os = "linux")]
    fn setpgid(pid: i32, group: i32) -> i32;
    #[cfg(target_os = "linux")]
    fn syscall(number: i64, ...) -> i64;
    fn kill(pid: i32, signal: i32) -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
    fn dup2(from: i32, to: i32) -> i32;
    fn sigfillset(set: *mut SignalSet) -> i32;
    fn sigprocmask(how: i32, new: *const SignalSet, old: *mut SignalSet) -> i32;
    fn sigwait(set: *const SignalSet, signal: *mut i32) -> i32;
    fn signal(signal: i32, handler: extern "C" fn(i32)) -> *mut c_void;
    #[cfg(target_os = "linux")]
    fn prctl(option: i32, ...) -> i32;
    #[cfg(target_os = "linux")]
    fn ptrace(request: i64, ...) -> i64;
    #[cfg(target_os = "linux")]
    fn mmap(at: *mut c_void, len: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut c_void;
    #[cfg(target_os = "linux")]
    fn madvise(at: *mut c_void, len: usize, advice: i32) -> i32;
}

/// SIGKILL.
pub(crate) const KILL: i32 = 9;
/// SIGTERM.
pub(crate) const TERMINATE: i32 = 15;
/// SIGCHLD.
const CHILD_ENDED: i32 = if cfg!(target_os = "linux") { 17 } else { 20 };
/// SIG_SETMASK.
const SET_MASK: i32 = if cfg!(target_os = "linux") { 2 } else { 3 };
/// WNOHANG.
const DONT_WAIT: i32 = 1;
/// The low byte of the status of a child that is stopped but hasn't ended.
const STOPPED: i32 = 0x7F;

/// The current process after a fork.
pub(crate) enum Forked {
    /// The original, with the process id of the copy.
    Original(u32),
    /// The copy.
    Copy,
}

/// The result of reaping.
pub(crate) enum Reaped {
    /// A child ended with this wait status.
    Ended { pid: u32, status: i32 },
    /// No child has ended.
    AllRun,
    /// There are no children.
    NoneLeft,
}

/// Copies the process, which must have one thread.
pub(crate) fn fork() -> io::Result<Forked> {
    // SAFETY: no other thread runs that might hold a lock.
    match unsafe { libc_fork() } {
        0 => Ok(Forked::Copy),
        pid if pid > 0 => Ok(Forked::Original(pid as u32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Copies the process, which must have one thread. The copy is a child of this process's parent.
///
/// The C library isn't told of the copy, and has a wrong number for its thread. So the copy must not raise signals to
/// itself; its own copies may.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn fork_beside() -> io::Result<Forked> {
    const CLONE: i64 = if cfg!(target_arch = "x86_64") { 56 } else { 220 };
    const CLONE_PARENT: u64 = 0x8000;
    let flags = CLONE_PARENT | CHILD_ENDED as u64;
    // SAFETY: without a stack, and without shared memory, it copies the process like `fork`. No other thread runs that
    // might hold a lock.
    match unsafe { syscall(CLONE, flags, 0_u64, 0_u64, 0_u64, 0_u64) } {
        0 => Ok(Forked::Copy),
        pid if pid > 0 => Ok(Forked::Original(pid as u32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes this process the leader of a group of its own.
#[cfg(target_os = "linux")]
pub(crate) fn lead_group() {
    // SAFETY: no memory is involved. It can't fail for a process that leads no session.
    unsafe { setpgid(0, 0) };
}

/// Replaces standard input, output and error.
#[cfg(target_os = "linux")]
pub(crate) fn set_stdio(streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    for (number, stream) in (0..).zip(streams) {
        // SAFETY: the descriptors are open, and nobody else is running yet.
        if unsafe { dup2(stream.as_raw_fd(), number) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Makes this process the leader of a session and a group of its own.
pub(crate) fn lead_session() {
    // SAFETY: no memory is involved. It only fails for the leader of a group, which a fresh copy is not.
    unsafe { setsid() };
}

/// Ends the process without running any destructor or hook.
pub(crate) fn exit_at_once() -> ! {
    // SAFETY: it doesn't return.
    unsafe { _exit(0) }
}

/// Blocks all signals that can be blocked, and returns the previous set.
pub(crate) fn block_signals() -> SignalSet {
    let (mut all, mut before) = (SignalSet([0; 128]), SignalSet([0; 128]));
    // SAFETY: both sets are long enough and live through the calls.
    unsafe {
        sigfillset(&mut all);
        sigprocmask(SET_MASK, &all, &mut before);
    }
    before
}

/// Undoes [`block_signals`].
pub(crate) fn restore_signals(before: &SignalSet) {
    // SAFETY: the set lives through the call; no old one is asked for.
    unsafe { sigprocmask(SET_MASK, before, std::ptr::null_mut()) };
}

/// Waits for the next signal. All signals must be blocked.
pub(crate) fn next_signal() -> i32 {
    let (mut all, mut number) = (SignalSet([0; 128]), 0);
    // SAFETY: set and number live through the calls.
    unsafe {
        sigfillset(&mut all);
        sigwait(&all, &mut number);
    }
    number
}

/// Opens `/dev/null` as standard input, output and error, so that no other process waits for this one to close them;
/// and requests a signal when a child ends.
pub(crate) fn let_go_of_stdio() {
    extern "C" fn nothing(_: i32) {}
    // SAFETY: the handler does nothing, and the descriptors are the process's own.
    unsafe {
        // Some systems drop the signal if nothing handles it.
        signal(CHILD_ENDED, nothing);
        if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
            for fd in 0..3 {
                dup2(null.as_raw_fd(), fd);
            }
        }
    }
}

/// Requests a signal to this process when its parent is gone. Only on Linux.
pub(crate) fn die_with_parent(signal: i32) {
    #[cfg(target_os = "linux")]
    {
        const SET_PARENT_DEATH_SIGNAL: i32 = 1;
        // SAFETY: this option takes one number.
        unsafe { prctl(SET_PARENT_DEATH_SIGNAL, signal as u64) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = signal;
}

/// Makes this process the parent of descendants whose parent ends. Only on Linux.
pub(crate) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        const SET_CHILD_SUBREAPER: i32 = 36;
        // SAFETY: this option takes one number.
        unsafe { prctl(SET_CHILD_SUBREAPER, 1_u64) };
    }
}

/// Prevents this process, and all processes that it starts, from sending signals to the tool, to other processes that
/// lead a group, to their groups, or to all processes at once, if the system supports that.
pub(crate) fn shield(tool: u32, leaders: &[u32]) {
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    super::filter::protect(tool, leaders);
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = (tool, leaders);
}

/// Reaps a child that has ended.
pub(crate) fn reap_one() -> Reaped {
    loop {
        let mut status = 0;
        // SAFETY: `status` lives through the call.
        match unsafe { waitpid(-1, &mut status, DONT_WAIT) } {
            0 => return Reaped::AllRun,
            pid if pid > 0 && status & 0xFF == STOPPED => go_on(pid, status >> 8 & 0xFF),
            pid if pid > 0 => return Reaped::Ended { pid: pid as u32, status },
            _ => return Reaped::NoneLeft,
        }
    }
}

/// Continues a child that asked to be traced and so stops at a signal. The signal then has its usual effect.
fn go_on(pid: i32, number: i32) {
    #[cfg(target_os = "linux")]
    {
        const CONTINUE: i64 = 7;
        const TRAP: i32 = 5;
        let number = if number == TRAP { 0 } else { number };
        // SAFETY: this request touches no memory of this process.
        unsafe { ptrace(CONTINUE, i64::from(pid), 0_i64, i64::from(number)) };
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = number;
        // SAFETY: no memory is involved. The child is unreaped, so the number is its own.
        unsafe { kill(pid, KILL) };
    }
}

/// Kills a child that was not reaped yet, and its group if it leads one.
pub(crate) fn kill_with_group(pid: u32) {
    // SAFETY: no memory is involved. The child is unreaped, so the number is its own.
    unsafe {
        kill(-(pid as i32), KILL);
        kill(pid as i32, KILL);
    }
}

/// The children of this process, which must have one thread.
#[cfg(target_os = "linux")]
pub(crate) fn children() -> io::Result<Vec<u32>> {
    // In a `/proc` of an outer namespace, the ids belong to other processes.
    if std::fs::read_link("/proc/self")?.as_os_str() != std::process::id().to_string().as_str() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let children = std::fs::read_to_string("/proc/thread-self/children").or_else(|_| children_of_all())?;
    Ok(children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect())
}

/// Asks every process for its parent, for kernels that don't list children.
#[cfg(target_os = "linux")]
fn children_of_all() -> io::Result<String> {
    let own = std::process::id().to_string();
    let mut children = String::new();
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        // The program name, in parentheses, may contain any character. The state and the parent follow it.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((_, numbers)) = stat.rsplit_once(')') else { continue };
        if numbers.split_whitespace().nth(1) == Some(&*own) {
            children.push_str(&entry.file_name().to_string_lossy());
            children.push(' ');
        }
    }
    Ok(children)
}

/// Other systems have no such list.
#[cfg(not(target_os = "linux"))]
pub(crate) fn children() -> io::Result<Vec<u32>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A byte that the kernel sets to zero in every copy of this process, if the kernel supports it.
#[cfg(target_os = "linux")]
pub(crate) fn byte_cleared_in_copies() -> Option<&'static std::sync::atomic::AtomicU8> {
    const READ_AND_WRITE: i32 = 3;
    const PRIVATE_AND_ANONYMOUS: i32 = 0x22;
    const WIPE_ON_FORK: i32 = 18;
    const LEN: usize = 4096;
    // SAFETY: a fresh mapping touches no memory in use, is never unmapped, and is only used as an atomic.
    unsafe {
        let at = mmap(std::ptr::null_mut(), LEN, READ_AND_WRITE, PRIVATE_AND_ANONYMOUS, -1, 0);
        if at as isize == -1 || madvise(at, LEN, WIPE_ON_FORK) != 0 {
            return None;
        }
        Some(std::sync::atomic::AtomicU8::from_ptr(at.cast()))
    }
}
