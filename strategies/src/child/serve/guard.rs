//! The guard: a small process between the tool and the serving process, which ends all processes of a subject.
//!
//! The harness forks before it serves. The copy serves, in a session of its own. The original is the guard, and runs
//! no user code. On Linux it is a "subreaper": it adopts the orphaned descendants of a subject, including daemons. If
//! the serving process ends, if the tool asks for it (SIGTERM), or if the tool is killed, the guard kills all its
//! descendants and exits. It records the exit status of the serving process in the shared page.
//!
//! On other systems the guard kills the serving process's group, and doesn't notice that the tool was killed.

use std::io;

use super::page::Page;

/// Splits the harness into guard and serving process. Returns in the serving process only. If the harness is a copy of a
/// fork server, the subject can't end that either.
#[cfg(all(unix, target_pointer_width = "64"))]
pub(super) fn stand_guard(page: &Page, server: Option<u32>) -> io::Result<()> {
    use super::platform::process::{self, Forked};

    let tool = std::os::unix::process::parent_id();
    let blocked = process::block_signals();
    process::adopt_orphans();
    process::die_with_parent(process::TERMINATE);
    if std::os::unix::process::parent_id() != tool {
        // The tool was killed before the guard could be notified.
        process::exit_at_once();
    }
    let guard = std::process::id();
    match process::fork()? {
        Forked::Original(serving) => unix::guard(serving, page),
        Forked::Copy => {
            process::lead_session();
            process::die_with_parent(process::KILL);
            if std::os::unix::process::parent_id() != guard {
                process::exit_at_once();
            }
            process::restore_signals(&blocked);
            let leaders: Vec<u32> = server.into_iter().chain([guard]).collect();
            process::shield(tool, &leaders);
            Ok(())
        }
    }
}

/// Elsewhere a harness has ended before it comes here: it has no page.
#[cfg(not(all(unix, target_pointer_width = "64")))]
pub(super) fn stand_guard(_page: &Page, _server: Option<u32>) -> io::Result<()> {
    Ok(())
}

#[cfg(all(unix, target_pointer_width = "64"))]
mod unix {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::super::page::Page;
    use super::super::platform::process::{self, Reaped};

    /// Maximum time to kill all descendants. Only processes that start others as fast as they are killed take longer.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// Interval between two checks whether killed processes are gone.
    const PAUSE: Duration = Duration::from_micros(200);

    /// The serving process, as its guard knows it.
    struct Serving<'p> {
        pid: u32,
        page: &'p Page,
        runs: bool,
    }

    /// Waits until the serving process ends or must end. Then ends all descendants and this process.
    pub(super) fn guard(pid: u32, page: &Page) -> ! {
        process::let_go_of_stdio();
        let mut serving = Serving { pid, page, runs: true };
        serving.reap();
        while serving.runs && process::next_signal() != process::TERMINATE {
            serving.reap();
        }
        serving.end_all();
        process::exit_at_once()
    }

    impl Serving<'_> {
        /// Reaps the children that ended. Returns whether there are others.
        fn reap(&mut self) -> bool {
            loop {
                match process::reap_one() {
                    Reaped::Ended { pid, status } if pid == self.pid => {
                        self.page.set_exit(status);
                        self.runs = false;
                    }
                    Reaped::Ended { .. } => {}
                    Reaped::AllRun => return true,
                    Reaped::NoneLeft => return false,
                }
            }
        }

        /// Kills descendants until there are none. The children of a killed process become children of this one.
        fn end_all(&mut self) {
            let started = Instant::now();
            if self.runs {
                process::kill_with_group(self.pid);
            }
            while self.reap() && started.elapsed() < PATIENCE {
                match process::children() {
                    Ok(children) => children.into_iter().for_each(process::kill_with_group),
                    Err(_) if self.runs => {}
                    // The remaining descendants are unknown.
                    Err(_) => return,
                }
                thread::sleep(PAUSE);
            }
        }
    }
}
