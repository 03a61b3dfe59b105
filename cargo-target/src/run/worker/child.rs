//! A running child process of a harness: starts it, sets it up, sends requests, and reaps it.

use std::io::{BufReader, BufWriter, PipeReader, PipeWriter};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use target_strategies::child::protocol::{self, Reply, Request, Sum};
use target_strategies::child::wire::{read_frame, write_frame};
use target_strategies::logic::codec::Codec;
use target_strategies::space::Space;

use super::death::Remains;
use super::process::{self, Guard};
use super::program::Program;
use super::tail::Tail;
use super::unassigned::{Parts, Unassigned};
use super::watchdog::{ShouldStop, Watchdog, Watched};

/// The data to start a child for one function.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The harness.
    pub program: Arc<Program>,
    /// The number of the function in the harness.
    pub function: u32,
    /// The space of its spec.
    pub space: Space,
    /// Maximum number of bytes that a case may allocate.
    pub memory: u64,
    /// Time limit of a case.
    pub timeout: Duration,
    /// Whether to judge inputs even if the native engine knows that they are valid.
    pub judge_all: bool,
    /// What to tell of the code that cases run, in an instrumented crate.
    pub watch: Option<Watch>,
    /// The paths of the functions that are tested in the same run.
    pub tested: Arc<[String]>,
}

impl Launch {
    /// Whether the function of a call is tested in the same run.
    pub fn tests(&self, call: &str) -> bool {
        let path = call.split('(').next().unwrap_or_default();
        self.tested.iter().any(|tested| tested == path)
    }
}

/// What to tell of the code that cases run.
#[derive(Clone, Debug)]
pub enum Watch {
    /// The sums of counters that cases are the first to make positive, for [`Request::Watch`].
    Sums(Arc<Vec<Sum>>),
    /// The traces of cases: which of these sums are positive, for [`Request::Trace`].
    Traces(Arc<Vec<Sum>>),
}

impl Watch {
    /// The request, if some sums are known to be reached.
    pub fn request(&self, known: &[u32]) -> Request {
        match self {
            Watch::Sums(sums) => Request::Watch { sums: sums.to_vec(), known: known.to_vec() },
            Watch::Traces(sums) => Request::Trace { sums: sums.to_vec() },
        }
    }
}

/// A child that is ready for requests.
#[derive(Debug)]
pub struct Child {
    /// Its program.
    program: Arc<Program>,
    guard: Guard,
    /// Whether the guard was reaped: then another process may have its number.
    is_reaped: bool,
    /// `None` once it may end.
    requests: Option<BufWriter<PipeWriter>>,
    replies: BufReader<PipeReader>,
    stderr: Tail,
    timeout: Duration,
    /// Its shared page, and the watchdog's handle.
    pub watched: Arc<Watched>,
    /// Whether it has finished a batch.
    pub served: bool,
    /// Whether another program wrote to the tool's pipe.
    garbled: bool,
}

/// A message from a child.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Received {
    /// A reply.
    Reply(Reply),
    /// No more messages: the child is dying, or has closed its end.
    Closed,
    /// Bytes that are no reply.
    Garbled,
}

impl Child {
    /// Starts a child and sets it up.
    pub fn start(launch: &Launch, watchdog: &Watchdog, should_stop: &ShouldStop) -> Result<Child> {
        let assign = |process| Child::assign(process, launch, watchdog, should_stop);
        // A subject may have killed it just now.
        if let Some(spare) = launch.program.take_spare()
            && let Ok(child) = assign(spare)
        {
            return Ok(child);
        }
        assign(launch.program.process()?)
    }

    /// Gives a process its function.
    fn assign(
        process: Unassigned,
        launch: &Launch,
        watchdog: &Watchdog,
        should_stop: &ShouldStop,
    ) -> Result<Child> {
        let Parts { guard, page, file, requests, replies, stderr } = process.into_parts();
        let watched = watchdog.watch(guard.id(), page, launch.timeout, should_stop.clone());
        let mut child = Child {
            program: Arc::clone(&launch.program),
            guard,
            is_reaped: false,
            requests: Some(BufWriter::new(requests)),
            replies: BufReader::new(replies),
            stderr,
            timeout: launch.timeout,
            watched,
            served: false,
            garbled: false,
        };
        child.set_up(launch)?;
        // The child has opened it.
        drop(file);
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
            Received::Reply(Reply::Rejected(reason)) => bail!("the harness rejected its task: {reason}"),
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

    /// Prepares the page for a batch, and starts the watchdog's clock.
    pub fn begin_batch(&self, n_cases: u64) {
        self.watched.page.clear(n_cases);
        self.watched.begin_batch();
    }

    /// The batch is over: the child may be idle.
    pub fn end_batch(&mut self) {
        self.watched.end_batch();
        self.served = true;
    }

    /// Sends a request. An error only means that the child is dead.
    pub fn send(&mut self, request: &Request) -> std::io::Result<()> {
        let requests = self.requests.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        write_frame(requests, &request.to_bytes())
    }

    /// The next message.
    pub fn receive(&mut self) -> Received {
        match read_frame(&mut self.replies) {
            Ok(Some(message)) => Reply::from_bytes(&message).map_or(Received::Garbled, Received::Reply),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Received::Garbled,
            Ok(None) | Err(_) => Received::Closed,
        }
    }

    /// Lets an idle child end, and returns the end of what the subject wrote to standard output and error.
    pub fn close(mut self) -> String {
        self.requests = None;
        self.stderr.last_words()
    }

    /// Ends the child, because its messages make no sense.
    pub fn give_up(&mut self) {
        self.garbled = true;
        process::ask_to_end(self.guard.id());
    }

    /// Waits for a dying child and returns the cause. Its guard kills the processes that the subject started.
    pub fn bury(mut self) -> Result<Remains> {
        process::await_death(self.guard.id());
        let killed_for_time = self.watched.release();
        process::kill_group(self.guard.id());
        let guard = self.guard.wait().context("waiting for the harness")?;
        self.is_reaped = true;
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
        self.program.make_spare();
        if self.is_reaped {
            return;
        }
        self.watched.release();
        self.guard.end();
    }
}
