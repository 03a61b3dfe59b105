//! Notices copies of the serving process: a subject may fork and return in both processes.
//!
//! A copy knows that it is one. It records its case in the shared page as soon as it returns from the case, and
//! exits. At the end of a batch the original waits for copies, so that the right case is charged. The guard ends
//! copies that don't return, or that execute another program.

use std::process;
use std::sync::OnceLock;

/// Distinguishes the original from its copies.
#[derive(Debug)]
enum Mark {
    /// A byte that is 1 in the original, and that the kernel clears in copies.
    #[cfg(target_os = "linux")]
    Byte(&'static std::sync::atomic::AtomicU8),
    /// The number of the original.
    Pid(u32),
}

static MARK: OnceLock<Mark> = OnceLock::new();

/// Makes the current process the original.
pub(super) fn mark_original() {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    if let Some(byte) = super::platform::process::byte_cleared_in_copies() {
        byte.store(1, std::sync::atomic::Ordering::Relaxed);
        MARK.get_or_init(|| Mark::Byte(byte));
        return;
    }
    MARK.get_or_init(|| Mark::Pid(process::id()));
}

/// Whether this process is a copy of the original.
pub(super) fn is_copy() -> bool {
    match MARK.get() {
        #[cfg(target_os = "linux")]
        Some(Mark::Byte(byte)) => byte.load(std::sync::atomic::Ordering::Relaxed) == 0,
        Some(Mark::Pid(pid)) => process::id() != *pid,
        None => false,
    }
}

/// Ends this process without a message if it is a copy.
pub(super) fn end_copy() {
    #[cfg(all(unix, target_pointer_width = "64"))]
    if is_copy() {
        super::platform::process::exit_at_once();
    }
}

#[cfg(all(unix, target_pointer_width = "64"))]
pub(super) use unix::Copies;

#[cfg(all(unix, target_pointer_width = "64"))]
mod unix {
    use std::io::{ErrorKind, Read};
    use std::os::unix::net::UnixStream;
    use std::time::{Duration, Instant};

    use super::super::platform::out_of_the_way;

    /// Maximum total time to wait for copies to return. A copy needs a few milliseconds; one that takes longer does
    /// work of its own.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// The copies made during a batch.
    #[derive(Debug)]
    pub(crate) struct Copies {
        /// Every copy inherits both sockets. After the original has closed the second, the first one is closed when
        /// the last copy exits. `None` if there can be no copies.
        sockets: Option<(UnixStream, UnixStream)>,
        patience: Duration,
    }

    impl Copies {
        pub(crate) fn new() -> Copies {
            Copies { sockets: sockets(), patience: PATIENCE }
        }

        /// Waits until all copies made since the last call have exited.
        pub(crate) fn await_return(&mut self) {
            let Some((mut ours, theirs)) = self.sockets.take() else { return };
            drop(theirs);
            let started = Instant::now();
            loop {
                let left = self.patience.saturating_sub(started.elapsed());
                // A limit of zero would mean no limit.
                let limit = left.max(Duration::from_micros(1));
                if ours.set_read_timeout(Some(limit)).is_err() {
                    break;
                }
                match ours.read(&mut [0]) {
                    Err(error) if error.kind() == ErrorKind::Interrupted && !left.is_zero() => {}
                    _ => break,
                }
            }
            self.patience = self.patience.saturating_sub(started.elapsed());
            self.sockets = sockets();
        }
    }

    /// A pair of connected sockets with high descriptor numbers, which subjects rarely close.
    fn sockets() -> Option<(UnixStream, UnixStream)> {
        let (ours, theirs) = UnixStream::pair().ok()?;
        let away = |end: UnixStream| UnixStream::from(out_of_the_way(end.into()));
        Some((away(ours), away(theirs)))
    }
}

#[cfg(not(all(unix, target_pointer_width = "64")))]
#[derive(Debug)]
pub(super) struct Copies;

#[cfg(not(all(unix, target_pointer_width = "64")))]
impl Copies {
    pub(super) fn new() -> Copies {
        Copies
    }

    pub(super) fn await_return(&mut self) {}
}
