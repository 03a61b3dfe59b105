//! The few things asked of the operating system that the standard library doesn't offer, declared by hand so that a
//! harness needs no dependency.
//!
//! On systems other than 64-bit Unix everything here refuses with a message, so that the crate still compiles there.

use std::fs::File;
use std::io;

#[cfg(all(unix, target_pointer_width = "64"))]
pub(super) use unix::{
    address_space, claim_stdio, die_with_parent, limit_memory, map_shared, no_core_dumps, unmap,
};

#[cfg(all(unix, target_pointer_width = "64"))]
mod unix {
    use super::{File, io};
    use std::ffi::c_void;
    use std::os::fd::{AsFd, AsRawFd};

    /// `struct rlimit` of 64-bit systems.
    #[repr(C)]
    struct Rlimit {
        current: u64,
        maximum: u64,
    }

    unsafe extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
        fn mmap(
            at: *mut c_void,
            len: usize,
            protection: i32,
            flags: i32,
            fd: i32,
            offset: i64,
        ) -> *mut c_void;
        fn munmap(at: *mut c_void, len: usize) -> i32;
        fn getrlimit(resource: i32, limit: *mut Rlimit) -> i32;
        fn setrlimit(resource: i32, limit: *const Rlimit) -> i32;
        fn getpagesize() -> i32;
        #[cfg(target_os = "linux")]
        fn prctl(option: i32, ...) -> i32;
    }

    const READ_AND_WRITE: i32 = 3;
    const MAP_SHARED: i32 = 1;
    const CORE: i32 = 4;
    /// Elsewhere than on Linux the kernel doesn't enforce a limit on the address space.
    #[cfg(target_os = "linux")]
    const ADDRESS_SPACE: i32 = 9;

    /// Takes the standard input and output away from the subject: it reads nothing and writes to standard error.
    /// Gives private copies, which programs started by the subject don't inherit.
    pub(crate) fn claim_stdio() -> io::Result<(File, File)> {
        let requests = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let replies = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let nothing = File::open("/dev/null")?;
        // SAFETY: all descriptors are open, and nobody else is running yet.
        let done = unsafe { dup2(nothing.as_raw_fd(), 0) >= 0 && dup2(2, 1) >= 0 };
        if done { Ok((requests, replies)) } else { Err(io::Error::last_os_error()) }
    }

    /// Maps the first bytes of a file, shared with other processes that do likewise.
    pub(crate) fn map_shared(file: &File, len: usize) -> io::Result<*mut u8> {
        // SAFETY: a fresh mapping touches no memory in use.
        let at = unsafe { mmap(std::ptr::null_mut(), len, READ_AND_WRITE, MAP_SHARED, file.as_raw_fd(), 0) };
        if at as isize == -1 { Err(io::Error::last_os_error()) } else { Ok(at.cast()) }
    }

    /// Undoes [`map_shared`].
    ///
    /// # Safety
    ///
    /// Nothing uses the mapping any more.
    pub(crate) unsafe fn unmap(at: *mut u8, len: usize) {
        // SAFETY: as promised by the caller.
        unsafe { munmap(at.cast(), len) };
    }

    /// Has the system kill this process when its parent is gone, even in the midst of a case.
    pub(crate) fn die_with_parent() {
        #[cfg(target_os = "linux")]
        {
            const SET_PARENT_DEATH_SIGNAL: i32 = 1;
            const KILL: u64 = 9;
            // SAFETY: this option takes one number.
            unsafe { prctl(SET_PARENT_DEATH_SIGNAL, KILL) };
        }
    }

    /// The size of the process's address space in bytes, where the system tells.
    pub(crate) fn address_space() -> Option<u64> {
        let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
        let pages: u64 = statm.split(' ').next()?.parse().ok()?;
        // SAFETY: takes nothing and changes nothing.
        Some(pages * unsafe { getpagesize() } as u64)
    }

    /// A subject that crashes shall not leave a core file in the user's package.
    pub(crate) fn no_core_dumps() {
        set_soft_limit(CORE, 0);
    }

    /// Lets the address space grow to so many bytes, or as far as the system allows. Does nothing on macOS, whose
    /// kernel ignores the limit.
    pub(crate) fn limit_memory(bytes: Option<u64>) {
        #[cfg(target_os = "linux")]
        set_soft_limit(ADDRESS_SPACE, bytes.unwrap_or(u64::MAX));
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
    }

    /// Sets the limit that counts, leaving the one that bounds it, so that it can be raised again.
    fn set_soft_limit(resource: i32, bytes: u64) {
        let mut limit = Rlimit { current: 0, maximum: 0 };
        // SAFETY: `limit` lives through both calls.
        unsafe {
            if getrlimit(resource, &mut limit) == 0 {
                limit.current = bytes.min(limit.maximum);
                setrlimit(resource, &limit);
            }
        }
    }
}

#[cfg(not(all(unix, target_pointer_width = "64")))]
pub(super) use elsewhere::{
    address_space, claim_stdio, die_with_parent, limit_memory, map_shared, no_core_dumps, unmap,
};

#[cfg(not(all(unix, target_pointer_width = "64")))]
mod elsewhere {
    use super::{File, io};

    fn refuse<T>() -> io::Result<T> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "harnesses run on 64-bit Linux and macOS only"))
    }

    pub(crate) fn claim_stdio() -> io::Result<(File, File)> {
        refuse()
    }

    pub(crate) fn map_shared(_file: &File, _len: usize) -> io::Result<*mut u8> {
        refuse()
    }

    /// # Safety
    ///
    /// None: nothing is ever mapped.
    pub(crate) unsafe fn unmap(_at: *mut u8, _len: usize) {}

    pub(crate) fn no_core_dumps() {}

    pub(crate) fn die_with_parent() {}

    pub(crate) fn address_space() -> Option<u64> {
        None
    }

    pub(crate) fn limit_memory(_bytes: Option<u64>) {}
}
