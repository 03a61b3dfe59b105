//! A process of a harness that has no function yet. Making it takes most of the time until a child is ready, so one is made ahead.

use std::io::{PipeReader, PipeWriter, pipe};

use anyhow::{Context, Result};
use target_strategies::child::protocol::Progress;
use target_strategies::child::serve::page::Page;

#[cfg(target_os = "linux")]
use super::process;
use super::process::Guard;
use super::shared::SharedFile;
use super::tail::Tail;

/// The child's ends of its pipes: standard input, output and error.
#[derive(Debug)]
pub(super) struct Streams {
    pub(super) input: PipeReader,
    pub(super) output: PipeWriter,
    pub(super) error: PipeWriter,
}

/// A process without a function. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Unassigned(Option<Parts>);

/// The process, its page, and the tool's ends of its pipes.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) guard: Guard,
    pub(super) page: Page,
    /// The file of the page, which the process may open as late as it starts to serve.
    pub(super) file: SharedFile,
    pub(super) requests: PipeWriter,
    pub(super) replies: PipeReader,
    pub(super) stderr: Tail,
}

impl Unassigned {
    /// A process that is made with this page and these streams.
    pub(super) fn start(make: impl FnOnce(&SharedFile, Streams) -> Result<Guard>) -> Result<Unassigned> {
        let file = SharedFile::new(Progress::LEN).context("make a page to share with the harness")?;
        let page = Page::map(file.file()).context("map the page shared with the harness")?;
        let pipes = || Ok((pipe()?, pipe()?, pipe()?));
        let pipes: std::io::Result<_> = pipes();
        let ((input, requests), (replies, output), (stderr, error)) =
            pipes.context("make the pipes of the harness")?;
        let stderr = Tail::follow(stderr).context("starting a thread for the harness's standard error")?;
        let guard = make(&file, Streams { input, output, error })?;
        Ok(Unassigned(Some(Parts { guard, page, file, requests, replies, stderr })))
    }

    /// Whether it still runs. A subject may have killed it.
    #[cfg(target_os = "linux")]
    pub(super) fn runs(&self) -> bool {
        self.0.as_ref().is_some_and(|parts| !process::has_died(parts.guard.id()))
    }

    /// The process id of its guard.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn id(&self) -> Option<u32> {
        self.0.as_ref().map(|parts| parts.guard.id())
    }

    /// Its parts. The caller must end the process.
    pub(super) fn into_parts(mut self) -> Parts {
        self.0.take().expect("only this takes them")
    }
}

impl Drop for Unassigned {
    fn drop(&mut self) {
        if let Some(mut parts) = self.0.take() {
            parts.guard.end();
        }
    }
}
