//! The tool's side of a fork server: a process of a harness that makes children by copying itself.
//!
//! The harness's side, and the reasons, are in `target_strategies::child::serve::fork_server`. If there is no server, or
//! it doesn't answer any more, the harness is started for each child.

#[cfg(target_os = "linux")]
pub use linux::ForkServer;

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{self, Read};
    use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Mutex, PoisonError};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    use target_strategies::child::protocol::HANDED_OVER;

    use crate::run::worker::process;

    /// Maximum time for a copy. Only a server that a subject has stopped takes longer than a few milliseconds.
    const PATIENCE: Duration = Duration::from_secs(10);

    /// A running server.
    #[derive(Debug)]
    pub struct ForkServer {
        /// Its process id.
        pid: u32,
        /// `None` once the server has failed, or is no longer used.
        socket: Mutex<Option<UnixStream>>,
        /// The thread that started the server, and a channel that is closed to end it. The system ends a server, and the
        /// children that it makes, with the *thread* that started it, so that thread waits.
        keeper: Option<(Sender<()>, JoinHandle<()>)>,
    }

    impl ForkServer {
        /// Starts a server by a command without its standard streams.
        pub fn start(mut command: Command) -> io::Result<ForkServer> {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_read_timeout(Some(PATIENCE))?;
            command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
            let (keep, is_over) = mpsc::channel::<()>();
            let (tell, started) = mpsc::channel();
            let keeper = thread::Builder::new().name("fork server".to_owned()).spawn(move || {
                let spawned = command.spawn();
                // Until the command is dropped, the socket has a second holder here.
                drop(command);
                match spawned {
                    Err(error) => _ = tell.send(Err(error)),
                    Ok(server) => {
                        let _ = tell.send(Ok(server.id()));
                        // Receiving fails when the sender is dropped: then the server must end.
                        let _ = is_over.recv();
                        end(server);
                    }
                }
            })?;
            let pid = started.recv().map_err(io::Error::other)??;
            Ok(ForkServer { pid, socket: Mutex::new(Some(ours)), keeper: Some((keep, keeper)) })
        }

        /// Makes no more children.
        pub fn retire(&self) {
            *self.socket.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }

        /// Makes a child with these files, and returns the process id of its guard; `None` if the server can't.
        pub fn child(&self, files: [BorrowedFd<'_>; HANDED_OVER]) -> Option<u32> {
            let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
            let stream = socket.as_mut()?;
            let mut answer = [0; size_of::<u32>()];
            let answered = hand_over(stream, files).and_then(|()| stream.read_exact(&mut answer));
            let mut is_answered = answered.is_ok();
            if !is_answered {
                // A late copy must not read what another process is sent. An answer that came meanwhile counts.
                process::kill_group(self.pid);
                let read = stream.set_nonblocking(true).and_then(|()| stream.read_exact(&mut answer));
                is_answered = read.is_ok();
                *socket = None;
            }
            is_answered.then(|| u32::from_ne_bytes(answer)).filter(|pid| *pid != 0)
        }
    }

    #[cfg(test)]
    impl ForkServer {
        /// Kills the server, as a subject might.
        pub fn kill(&self) {
            process::kill_group(self.pid);
        }
    }

    impl Drop for ForkServer {
        fn drop(&mut self) {
            // The server ends when the socket is closed.
            *self.socket.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
            if let Some((keep, keeper)) = self.keeper.take() {
                drop(keep);
                // The thread panics only by a bug of the tool; a drop must not panic again.
                let _ = keeper.join();
            }
        }
    }

    /// Ends a server whose socket is closed. It may have been stopped.
    fn end(mut server: Child) {
        process::kill_group(server.id());
        // It is dead in any case.
        let _ = server.wait();
    }

    /// Sends a message with files.
    fn hand_over(socket: &UnixStream, files: [BorrowedFd<'_>; HANDED_OVER]) -> io::Result<()> {
        const FDS: u32 = size_of::<[i32; HANDED_OVER]>() as u32;
        let fds = files.map(|file| file.as_raw_fd());
        let mut byte = 0_u8;
        let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        // Aligned like the header that it begins with.
        let mut control = [0_u64; 8];
        // SAFETY: all zeroes is a valid message. The message and all that it points to live through the calls, and the
        // control data has room for one header and the descriptors.
        unsafe {
            assert!(libc::CMSG_SPACE(FDS) as usize <= size_of_val(&control));
            let mut message: libc::msghdr = std::mem::zeroed();
            message.msg_iov = &mut part;
            message.msg_iovlen = 1;
            message.msg_control = control.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(FDS) as _;
            let header = libc::CMSG_FIRSTHDR(&message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(FDS) as _;
            libc::CMSG_DATA(header).cast::<[i32; HANDED_OVER]>().write_unaligned(fds);
            match libc::sendmsg(socket.as_raw_fd(), &message, libc::MSG_NOSIGNAL) {
                1 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }
}
