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
use super::program;
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
    /// Whether something else than the harness wrote to the tool.
    garbled: bool,
}

/// What came from a child.
#[derive(Debug)]
pub enum Received {
    /// A reply.
    Reply(Reply),
    /// Nothing more will come: it is dying, or has closed its end.
    Closed,
    /// Something that is no reply.
    Garbled,
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
        let spawned = command.spawn().or_else(|error| {
            program::bring_back(&launch.program).map_err(|_| error)?;
            command.spawn()
        });
        let mut process =
            spawned.with_context(|| format!("starting the harness {}", launch.program.display()))?;
        let watched = watchdog.watch(process.id(), page, launch.timeout, should_stop.clone());
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(requests), Some(replies), Some(stderr)) = pipes else {
            bail!("the harness was started without pipes");
        };
        let stderr = Tail::follow(stderr).context("starting a thread for the harness's standard error")?;
        let (requests, replies) = (BufWriter::new(requests), BufReader::new(replies));
        let mut child = Child {
            process,
            requests,
            replies,
            stderr,
            timeout: launch.timeout,
            watched,
            served: false,
            garbled: false,
        };
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
            Received::Reply(Reply::Ready) => Ok(()),
            Received::Reply(Reply::Refused(reason)) => bail!("the harness refused its task: {reason}"),
            Received::Reply(_) | Received::Garbled => {
                bail!("the harness answered its task with a message of another kind")
            }
            Received::Closed => {
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

    /// The next message.
    pub fn receive(&mut self) -> Received {
        match read_frame(&mut self.replies) {
            Ok(Some(message)) => Reply::from_bytes(&message).map_or(Received::Garbled, Received::Reply),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Received::Garbled,
            Ok(None) | Err(_) => Received::Closed,
        }
    }

    /// Has the child end, because it makes no sense any more.
    pub fn give_up(&mut self) {
        self.garbled = true;
        process::ask_to_end(self.process.id());
    }

    /// Waits for a dying child and says what it died of. Its guard kills what the subject started.
    pub fn bury(mut self) -> Result<Remains> {
        process::await_death(self.process.id());
        let killed_for_time = self.watched.release();
        process::kill_group(self.process.id());
        let guard = self.process.wait().context("waiting for the harness")?;
        let status = self.watched.page.exit().map_or(guard, process::exit_status);
        Ok(Remains {
            status,
            garbled: self.garbled,
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
        process::end(self.process.id());
        // On systems without guards; elsewhere the child is dead already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
