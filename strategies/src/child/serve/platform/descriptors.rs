//! Receives open files from another process over a socket.

use std::ffi::c_void;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;

use crate::child::protocol::HANDED_OVER;

/// `struct iovec`
#[repr(C)]
struct Part {
    at: *mut c_void,
    len: usize,
}

/// `struct msghdr` of 64-bit systems whose numbers begin with the low byte, where all C libraries agree.
#[repr(C)]
struct Message {
    name: *mut c_void,
    name_len: u32,
    parts: *mut Part,
    n_parts: usize,
    control: *mut Control,
    control_len: usize,
    flags: i32,
}

/// `struct cmsghdr`, and the descriptors after it.
#[repr(C)]
struct Control {
    len: usize,
    level: i32,
    kind: i32,
    fds: [i32; HANDED_OVER],
}

unsafe extern "C" {
    fn recvmsg(socket: i32, message: *mut Message, flags: i32) -> isize;
}

/// SOL_SOCKET.
const SOCKET_LEVEL: i32 = 1;
/// SCM_RIGHTS.
const RIGHTS: i32 = 1;
/// MSG_CMSG_CLOEXEC.
const CLOSE_ON_EXEC: i32 = 0x4000_0000;

/// Waits for a message, and returns the files that come with it; `None` if the other side has closed the socket.
pub(crate) fn receive(socket: BorrowedFd<'_>) -> io::Result<Option<[OwnedFd; HANDED_OVER]>> {
    let mut byte = 0_u8;
    let mut part = Part { at: (&raw mut byte).cast(), len: 1 };
    let mut control = Control { len: 0, level: 0, kind: 0, fds: [-1; HANDED_OVER] };
    let control_len = mem::offset_of!(Control, fds) + size_of::<[i32; HANDED_OVER]>();
    let mut message = Message {
        name: ptr::null_mut(),
        name_len: 0,
        parts: &mut part,
        n_parts: 1,
        control: &mut control,
        control_len,
        flags: 0,
    };
    // SAFETY: the message and all that it points to live through the call, with these lengths.
    match unsafe { recvmsg(socket.as_raw_fd(), &mut message, CLOSE_ON_EXEC) } {
        0 => return Ok(None),
        n if n > 0 => {}
        _ => return Err(io::Error::last_os_error()),
    }
    if control.len != control_len || control.level != SOCKET_LEVEL || control.kind != RIGHTS {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a message without files"));
    }
    // SAFETY: the system has just opened them for this process, and nothing else owns them.
    Ok(Some(control.fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })))
}
