//! A running child process of a harness: started, set up, asked, and buried.

use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use target_strategies::protocol::{self, Progress, Reply, Request, Sum};
use target_strategies::serve::page::Page;
use target_strategies::space::Space;
use target_strategies::wire::{Wire, read_frame, write_frame};

use super::death::Remains;
use super::process;
use super::shared::SharedFile;
use super::tail::Tail;
use super::watchdog::{ShouldStop, Watchdog, Watched};

/// What it takes to start a child for one function.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The harness.
    pub program: PathBuf,
    /// The working directory: the package's own folder, as `cargo test` has it.
    pub folder: PathBuf,
    /// Environment variables beyond the parent's own.
    pub environment: Vec<(String, String)>,
    /// The number of the function in the harness.
    pub function: u32,
    /// The space of its spec.
    pub space: Space,
    /// How many bytes a case may allocate.
    pub memory: u64,
    /// How long a case may take.
    pub timeout: Duration,
    /// Whether to judge also what the native engine is sure of.
    pub judge_all: bool,
    /// What to watch of an instrumented crate, as [`Request::Watch`] says it.
    pub watch: Option<Arc<Vec<Sum>>>,
}

/// A child that is set up.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    requests: BufWriter<ChildStdin>,
    replies: BufReader<ChildStdout>,
    stderr: Tail,
    timeout: Duration,
    /// Its page, and the watchdog's eye on it.
    pub watched: Arc<Watched>,
    /// Whether it has finished a batch.
    pub served: bool,
}

impl Child {
    /// Starts a child and sets it up.
    pub fn start(launch: &Launch, watchdog: &Watchdog, should_stop: &ShouldStop) -> Result<Child> {
        let file = SharedFile::new(Progress::LEN).context("make a page to share with the harness")?;
        let page = Page::map(file.file()).context("map the page shared with the harness")?;
        let mut command = Command::new(&launch.program);
        command.arg(file.path()).current_dir(&launch.folder);
        // glibc sets aside 64 MiB of address space for each thread that allocates, which would count against the limit.
        command.env("RUST_BACKTRACE", "0").env("MALLOC_ARENA_MAX", "1");
        command.envs(launch.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process::lead_group(&mut command);
        let mut process =
            command.spawn().with_context(|| format!("starting the harness {}", launch.program.display()))?;
        let watched = watchdog.watch(process.id(), page, launch.timeout, should_stop.clone());
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(requests), Some(replies), Some(stderr)) = pipes else {
            bail!("the harness was started without pipes");
        };
        let stderr = Tail::follow(stderr).context("starting a thread for the harness's standard error")?;
        let (requests, replies) = (BufWriter::new(requests), BufReader::new(replies));
        let mut child =
            Child { process, requests, replies, stderr, timeout: launch.timeout, watched, served: false };
        child.set_up(launch)?;
        Ok(child)
    }

    fn set_up(&mut self, launch: &Launch) -> Result<()> {
        let setup = Request::Setup {
            version: protocol::VERSION,
            function: launch.function,
            spec: Box::new((**launch.space.spec()).clone()),
            bounds: launch.space.bounds(),
            memory: launch.memory,
        };
        self.begin_batch(0);
        let sent = self.send(&setup);
        let reply = self.receive();
        self.watched.end_batch();
        match reply {
            Some(Reply::Ready) => Ok(()),
            Some(Reply::Refused(reason)) => bail!("the harness refused its task: {reason}"),
            Some(other) => bail!("the harness answered its task with {other:?}"),
            None => {
                let said = self.stderr.last_words();
                let error = sent.err().map(|error| format!(" ({error})")).unwrap_or_default();
                bail!("the harness died before it was set up{error}: {}", said.trim())
            }
        }
    }

    /// Gets the page ready for so many cases, and the watchdog to look.
    pub fn begin_batch(&self, n_cases: u64) {
        self.watched.page.clear(n_cases);
        self.watched.begin_batch();
    }

    /// The batch is over: the child may rest.
    pub fn end_batch(&mut self) {
        self.watched.end_batch();
        self.served = true;
    }

    /// Sends a request; a failure only means that the child is dead.
    pub fn send(&mut self, request: &Request) -> std::io::Result<()> {
        write_frame(&mut self.requests, &request.to_bytes())
    }

    /// The next reply; `None` if the child closed its end, or sent what can't be read.
    pub fn receive(&mut self) -> Option<Reply> {
        Reply::from_bytes(&read_frame(&mut self.replies).ok().flatten()?).ok()
    }

    /// Waits for a dying child, kills what it started, and says what it died of.
    pub fn bury(mut self) -> Result<Remains> {
        process::await_death(self.process.id());
        let killed_for_time = self.watched.release();
        process::kill_group(self.process.id());
        let status = self.process.wait().context("waiting for the harness")?;
        Ok(Remains {
            status,
            timed_out: killed_for_time.then_some(self.timeout),
            stderr: self.stderr.last_words(),
            panics: self.watched.page.text(),
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // After `bury` the status is known, and the number may be another process's.
        if let Ok(Some(_)) = self.process.try_wait() {
            return;
        }
        self.watched.release();
        process::kill_group(self.process.id());
        // On systems without groups; elsewhere the child is dying already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
