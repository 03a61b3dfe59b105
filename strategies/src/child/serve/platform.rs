//! Declarations of the few system calls that the standard library lacks, so that a harness needs no dependency.
//!
//! On systems other than 64-bit Unix all functions return an error, so that the crate still compiles.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod descriptors;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod filter;
pub(super) mod float;
#[cfg(all(unix, target_pointer_width = "64"))]
pub(super) mod process;

use std::fs::File;
use std::io;

#[cfg(all(unix, target_pointer_width = "64"))]
pub(super) use unix::{
    address_space, claim_stdio, limit_memory, map_shared, no_core_dumps, out_of_the_way, unmap,
};

#[cfg(all(unix, target_pointer_width = "64"))]
mod unix {
    use super::{File, io};
    use std::ffi::c_void;
    use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

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
        fn fcntl(fd: i32, command: i32, ...) -> i32;
    }

    const READ_AND_WRITE: i32 = 3;
    const MAP_SHARED: i32 = 1;
    const CORE: i32 = 4;
    /// Only the Linux kernel enforces a limit on the address space.
    #[cfg(target_os = "linux")]
    const ADDRESS_SPACE: i32 = 9;

    /// Replaces standard input and output: the subject reads nothing, and writes to standard error. Returns private
    /// copies of both, which programs started by the subject don't inherit.
    pub(crate) fn claim_stdio() -> io::Result<(File, File)> {
        let requests = File::from(out_of_the_way(io::stdin().as_fd().try_clone_to_owned()?));
        let replies = File::from(out_of_the_way(io::stdout().as_fd().try_clone_to_owned()?));
        let nothing = File::open("/dev/null")?;
        // SAFETY: all descriptors are open, and nobody else is running yet.
        let done = unsafe { dup2(nothing.as_raw_fd(), 0) >= 0 && dup2(2, 1) >= 0 };
        if done { Ok((requests, replies)) } else { Err(io::Error::last_os_error()) }
    }

    /// Gives a descriptor a high number, because some programs close all low ones.
    pub(crate) fn out_of_the_way(fd: OwnedFd) -> OwnedFd {
        const OPEN_FILES: i32 = if cfg!(target_os = "linux") { 7 } else { 8 };
        const COPY_FROM_ON: i32 = if cfg!(target_os = "linux") { 1030 } else { 67 };
        /// The system's table of descriptors is as long as the highest number.
        const HIGH: u64 = 1000;
        let mut limit = Rlimit { current: 0, maximum: 0 };
        // SAFETY: `limit` lives through the call, and a copied descriptor is nobody else's.
        unsafe {
            if getrlimit(OPEN_FILES, &mut limit) != 0 {
                return fd;
            }
            let lowest = HIGH.min(limit.current.saturating_sub(8)) as i32;
            match fcntl(fd.as_raw_fd(), COPY_FROM_ON, lowest) {
                high if high >= 0 => OwnedFd::from_raw_fd(high),
                _ => fd,
            }
        }
    }

    /// Maps the first bytes of a file, shared with other processes that map it.
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

    /// Size of the process's address space in bytes, if the system reports it.
    pub(crate) fn address_space() -> Option<u64> {
        let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
        let pages: u64 = statm.split(' ').next()?.parse().ok()?;
        // SAFETY: takes nothing and changes nothing.
        Some(pages * unsafe { getpagesize() } as u64)
    }

    /// Prevents core files of crashing subjects in the user's package.
    pub(crate) fn no_core_dumps() {
        set_soft_limit(CORE, 0);
    }

    /// Limits the address space to this many bytes, or to the maximum of the system. Does nothing on macOS, whose
    /// kernel ignores the limit.
    pub(crate) fn limit_memory(bytes: Option<u64>) {
        #[cfg(target_os = "linux")]
        set_soft_limit(ADDRESS_SPACE, bytes.unwrap_or(u64::MAX));
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
    }

    /// Sets the soft limit and keeps the hard limit, so that the soft limit can be raised again.
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
pub(super) use elsewhere::{address_space, claim_stdio, limit_memory, map_shared, no_core_dumps, unmap};

#[cfg(not(all(unix, target_pointer_width = "64")))]
mod elsewhere {
    use super::{File, io};

    fn unsupported<T>() -> io::Result<T> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "harnesses run on 64-bit Linux and macOS only"))
    }

    pub(crate) fn claim_stdio() -> io::Result<(File, File)> {
        unsupported()
    }

    pub(crate) fn map_shared(_file: &File, _len: usize) -> io::Result<*mut u8> {
        unsupported()
    }

    /// # Safety
    ///
    /// None: nothing is ever mapped.
    pub(crate) unsafe fn unmap(_at: *mut u8, _len: usize) {}

    pub(crate) fn no_core_dumps() {}

    pub(crate) fn address_space() -> Option<u64> {
        None
    }

    pub(crate) fn limit_memory(_bytes: Option<u64>) {}
}
