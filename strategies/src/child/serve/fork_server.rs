//! The fork server: a process of a harness that makes children for the tool by copying itself.
//!
//! A copy is ready much sooner than a program that the system must load and link. The tool starts the server once. For
//! each child it sends a message with four open files: the shared page, and standard input, output and error of the
//! child. The server answers with the process id of the copy, or zero if there is none. The copy is a child of the tool,
//! as if the tool had started it: it becomes a guard ([`super::guard`]). The server runs no user code but static initializers, and ends when the
//! tool closes the socket or is killed.
//!
//! Only Linux lets a process make children for its parent. Elsewhere the tool starts the program for each child.

use std::fs::File;
use std::io;

/// The page of a new child, and the process that was copied.
pub(super) struct Copied {
    /// The shared page.
    pub(super) page: File,
    /// The process id of the server.
    pub(super) server: u32,
}

/// Serves until the tool closes the socket, which is the standard input. Returns a value in copies only.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn serve() -> io::Result<Option<Copied>> {
    use std::io::Write;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::net::UnixStream;

    use super::platform::descriptors::receive;
    use super::platform::out_of_the_way;
    use super::platform::process::{self, Forked};

    process::die_with_parent(process::KILL);
    let server = std::process::id();
    // The standard input becomes that of a child.
    let socket: OwnedFd = out_of_the_way(io::stdin().as_fd().try_clone_to_owned()?);
    let mut socket = UnixStream::from(socket);
    while let Some([page, input, output, error]) = receive(socket.as_fd())? {
        let answer = match process::fork_beside() {
            Ok(Forked::Copy) => {
                process::lead_group();
                process::set_stdio([input.as_fd(), output.as_fd(), error.as_fd()])?;
                return Ok(Some(Copied { page: page.into(), server }));
            }
            Ok(Forked::Original(copy)) => copy,
            Err(_) => 0,
        };
        socket.write_all(&answer.to_ne_bytes())?;
    }
    Ok(None)
}

/// Elsewhere there is no server.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn serve() -> io::Result<Option<Copied>> {
    Err(io::ErrorKind::Unsupported.into())
}
