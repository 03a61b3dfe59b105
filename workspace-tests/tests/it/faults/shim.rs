//! Faults for `cargo-target`, in a library that is loaded before libc (`LD_PRELOAD`). It is compiled by the test, and is
//! no module of it.
//!
//! The variable `FAULT` says what goes wrong. Operations that change files are counted from 1; `pass` only counts them.
//! Whatever happens, the count is in the file `FAULT_COUNT` when the process ends by itself.
//!
//! | fault | what happens |
//! |---|---|
//! | `kill N` | the process is killed just before operation N |
//! | `full N` | from operation N on, the disk is full |
//! | `interrupt N` | every Nth read, write and open is interrupted by a signal |
//! | `slow N` | every operation takes N milliseconds longer |
//! | `clock N` | the clock of the day jumps N years ahead, N years back, and to the truth, call by call |

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ENOSPC: c_int = 28;
const EINTR: c_int = 4;
const NEXT: *mut c_void = -1_isize as *mut c_void;
const CREATES: c_int = 0o100;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
    fn getpid() -> c_int;
    fn kill(process: c_int, signal: c_int) -> c_int;
    static program_invocation_short_name: *const c_char;
}

/// What goes wrong.
#[derive(Clone, Copy)]
enum Fault {
    None,
    Pass,
    Kill(u64),
    Full(u64),
    Interrupt(u64),
    Slow(u64),
    Clock(u64),
}

static FAULT: OnceLock<Fault> = OnceLock::new();
static OPERATIONS: AtomicU64 = AtomicU64::new(0);
static CALLS: AtomicU64 = AtomicU64::new(0);
/// Whether the process ends: what is written now is the count, which meets no fault.
static IS_TELLING: AtomicBool = AtomicBool::new(false);

fn fault() -> Fault {
    *FAULT.get_or_init(|| {
        // SAFETY: glibc keeps the name for as long as the process lives.
        let name = unsafe { CStr::from_ptr(program_invocation_short_name) };
        if name != c"cargo-target" {
            return Fault::None;
        }
        let text = std::env::var("FAULT").unwrap_or_default();
        let (what, number) = text.split_once(' ').unwrap_or((&text, "0"));
        let number = number.parse().unwrap_or(0);
        match what {
            "pass" => Fault::Pass,
            "kill" => Fault::Kill(number),
            "full" => Fault::Full(number),
            "interrupt" => Fault::Interrupt(number),
            "slow" => Fault::Slow(number),
            "clock" => Fault::Clock(number),
            _ => Fault::None,
        }
    })
}

/// Counts an operation that changes files. The error that it ends in, if it does.
fn change() -> Option<c_int> {
    if IS_TELLING.load(Ordering::SeqCst) {
        return None;
    }
    let number = OPERATIONS.fetch_add(1, Ordering::SeqCst) + 1;
    match fault() {
        Fault::Kill(at) if number == at => {
            // SAFETY: no memory is involved.
            unsafe { kill(getpid(), 9) };
            loop {
                std::thread::park();
            }
        }
        Fault::Full(from) if number >= from => Some(ENOSPC),
        Fault::Slow(millis) => {
            std::thread::sleep(std::time::Duration::from_millis(millis));
            None
        }
        _ => None,
    }
}

/// Counts a call that a signal may interrupt.
fn interrupted() -> Option<c_int> {
    let Fault::Interrupt(every) = fault() else { return None };
    let number = CALLS.fetch_add(1, Ordering::SeqCst) + 1;
    number.is_multiple_of(every).then_some(EINTR)
}

fn fails(error: c_int) {
    // SAFETY: each thread has its own.
    unsafe { *__errno_location() = error };
}

/// Pipes are not on a disk, and what is printed shall be seen.
fn is_on_disk(fd: c_int) -> bool {
    if fd <= 2 {
        return false;
    }
    // SAFETY: the descriptor is only looked at, and is not closed.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(fd) });
    file.metadata().is_ok_and(|found| found.is_file())
}

/// Defines a function of libc by what goes wrong before it.
macro_rules! before {
    ($(fn $name:ident($($arg:ident: $type:ty),*) -> $result:ty { $error:expr })*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> $result {
            static REAL: OnceLock<usize> = OnceLock::new();
            if !matches!(fault(), Fault::None) {
                let error: Option<c_int> = $error;
                if let Some(error) = error {
                    fails(error);
                    return -1;
                }
            }
            // SAFETY: the name is a string, and the function has the type that libc documents.
            unsafe {
                let real = *REAL.get_or_init(|| {
                    dlsym(NEXT, concat!(stringify!($name), "\0").as_ptr().cast()) as usize
                });
                let real: unsafe extern "C" fn($($type),*) -> $result = std::mem::transmute(real);
                real($($arg),*)
            }
        }
    )* };
}

before! {
    fn write(fd: c_int, bytes: *const c_void, length: usize) -> isize {
        interrupted().or_else(|| is_on_disk(fd).then(change).flatten())
    }
    fn writev(fd: c_int, pieces: *const c_void, n: c_int) -> isize {
        interrupted().or_else(|| is_on_disk(fd).then(change).flatten())
    }
    fn read(fd: c_int, bytes: *mut c_void, length: usize) -> isize { interrupted() }
    fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
        interrupted().or_else(|| (flags & CREATES != 0).then(change).flatten())
    }
    fn mkdir(path: *const c_char, mode: c_uint) -> c_int { change() }
    fn rename(from: *const c_char, to: *const c_char) -> c_int { change() }
    fn linkat(at: c_int, from: *const c_char, to_at: c_int, to: *const c_char, flags: c_int) -> c_int {
        change()
    }
    fn symlink(to: *const c_char, path: *const c_char) -> c_int { change() }
}

/// `struct timespec` of 64-bit systems.
#[repr(C)]
pub struct Time {
    seconds: c_long,
    nanoseconds: c_long,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut Time) -> c_int {
    const YEAR: c_long = 365 * 24 * 60 * 60;
    static REAL: OnceLock<usize> = OnceLock::new();
    // SAFETY: the function has the type that libc documents, and the caller's time is valid.
    unsafe {
        let real = *REAL.get_or_init(|| dlsym(NEXT, c"clock_gettime".as_ptr()) as usize);
        let real: unsafe extern "C" fn(c_int, *mut Time) -> c_int = std::mem::transmute(real);
        let result = real(clock, time);
        if clock == 0 && result == 0 {
            if let Fault::Clock(years) = fault() {
                let jump = [1, -1, 0][(CALLS.fetch_add(1, Ordering::SeqCst) % 3) as usize];
                (*time).seconds += jump * years as c_long * YEAR;
            }
        }
        result
    }
}

extern "C" fn tell() {
    if matches!(fault(), Fault::None) {
        return;
    }
    IS_TELLING.store(true, Ordering::SeqCst);
    let n = OPERATIONS.load(Ordering::SeqCst);
    if let Some(path) = std::env::var_os("FAULT_COUNT") {
        // A link, which is written at once or not at all.
        let _ = std::os::unix::fs::symlink(n.to_string(), path);
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = tell;
