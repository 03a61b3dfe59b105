//! One worker: a child process of a harness, restarted after every case that kills it.
//!
//! It takes a [`Batch`] and returns the status of each case; deaths are failures like any other. Nothing here knows
//! generators, budgets or verdicts.

pub mod batch;
mod child;
mod death;
#[cfg(test)]
pub(crate) mod fixture;
mod fork_server;
mod patience;
mod process;
pub mod program;
mod shared;
mod tail;
#[cfg(test)]
mod tests;
mod unassigned;
mod watchdog;

use std::time::Instant;

use anyhow::{Result, bail};
use target_bridge::generate::Batch;
use target_strategies::cancel::Charged;
use target_strategies::child::protocol::{Aside, Failure, Phase, Reply, Request, Status};
use target_strategies::child::serve::page::Page;
use target_strategies::logic::eval::Obstacle;
use target_strategies::logic::notation;

pub use batch::{BatchLimits, BatchOutcome, Failed, Past, Reaching, SpecError, Stretch};
use child::{Child, Received};
pub use child::{Launch, Watch};
pub use patience::Patience;
pub use program::Program;
pub use watchdog::{MAKING, ShouldStop, Watchdog};

/// Maximum number of sent cases of its child's past that a worker keeps to replay them: a bound on memory.
const REMEMBERED: u64 = 200_000;

/// A child process, and the data to start another.
pub struct Worker<'w> {
    launch: &'w Launch,
    watchdog: &'w Watchdog,
    should_stop: ShouldStop,
    child: Option<Child>,
    /// The cases that the child has run so far; `None` if there were too many to keep.
    past: Option<Vec<Stretch>>,
    /// The sums reached so far in an instrumented crate, which a new child doesn't report again.
    known: Vec<u32>,
    /// What of [`Aside`] ended a child before or after the subject itself.
    unmade: Vec<u64>,
    /// When cases outside the space are skipped.
    patience: Patience,
    /// What the last child that died wrote.
    last_words: String,
    /// Whether the cases in the space are members that a generator made, each once.
    has_members: bool,
    /// Whether the child tells which of their functions were asked for more results.
    asks: bool,
}

/// How a child's part of a batch ended.
#[derive(PartialEq)]
enum Ending {
    /// The child is ready for the next request.
    Finished,
    /// The child closed its end: it is dying.
    Gone,
    /// The child sent an unreadable message.
    Garbled,
}

/// A batch that one child after another runs.
struct Passage<'b> {
    batch: &'b Charged<Batch>,
    limits: BatchLimits,
    /// The offset of the first case that the current child was given.
    start: u64,
    /// Cases before this offset run one at a time: a child died in one of them, and it isn't known which.
    alone_until: u64,
    outcome: BatchOutcome,
}

impl Passage<'_> {
    /// Reads what the page says of the cases that the current child has begun.
    fn read(&mut self, page: &Page, begun: u64) {
        self.outcome.statuses.extend((0..begun).map(|offset| page.status(offset)));
        let traces = (0..begun).filter_map(|offset| Some((self.start + offset, page.trace(offset)?)));
        self.outcome.traces.extend(traces);
        self.outcome.steps = self.outcome.steps.saturating_add(page.steps());
    }
}

impl<'w> Worker<'w> {
    /// A worker whose child starts with the first batch.
    pub fn new(launch: &'w Launch, watchdog: &'w Watchdog, should_stop: ShouldStop) -> Worker<'w> {
        Worker {
            launch,
            watchdog,
            should_stop,
            child: None,
            past: Some(Vec::new()),
            known: Vec::new(),
            unmade: Vec::new(),
            patience: Patience::with_failures(),
            last_words: String::new(),
            has_members: false,
            asks: false,
        }
    }

    /// The worker, for members of a space that has functions: of members with the same functions, one is a case.
    pub fn of_members(self) -> Worker<'w> {
        Worker { has_members: !self.launch.space.spec().callbacks.is_empty(), ..self }
    }

    /// The worker, which finds out which functions of members were asked for more results.
    pub fn asking(self, asks: bool) -> Worker<'w> {
        Worker { asks, ..self }
    }

    /// The worker, skipping cases outside the space after some that cost much.
    pub fn with_patience(self, patience: Patience) -> Worker<'w> {
        Worker { patience, ..self }
    }

    /// Runs the cases of a batch in order, until its end, a limit, or a request to stop. Errors are errors of the tool.
    pub fn run_batch(&mut self, batch: &Charged<Batch>, limits: BatchLimits) -> Result<BatchOutcome> {
        let mut passage =
            Passage { batch, limits, start: 0, alone_until: 0, outcome: BatchOutcome::default() };
        let len = batch::len(batch);
        while passage.outcome.done() < len && !passage.outcome.reached(limits, batch) && !(self.should_stop)()
        {
            if self.patience.is_over() && batch::is_beyond(batch, passage.outcome.done()) {
                passage.outcome.statuses.push(Status::Skipped);
                continue;
            }
            self.run_rest(&mut passage)?;
        }
        Ok(passage.outcome)
    }

    /// Starts the child before the first batch. An error comes again with that batch.
    pub fn warm_up(&mut self) {
        self.child = self.child.take().or_else(|| self.start().ok());
    }

    /// The worker, which knows what ended other children beside the subject itself.
    pub fn with_unmade(self, unmade: Vec<u64>) -> Worker<'w> {
        Worker { unmade, ..self }
    }

    /// Ends the child, and returns the end of what the subject wrote to standard output and error in it, or in the last
    /// one that died.
    pub fn close(self) -> String {
        self.child.map_or(self.last_words, Child::close)
    }

    /// Starts a child.
    fn start(&self) -> Result<Child> {
        let mut child = Child::start(self.launch, self.watchdog, &self.should_stop)?;
        if let Some(watch) = &self.launch.watch {
            // If sending fails, the child is dead; the first batch will show it.
            let _ = child.send(&watch.request(&self.known));
        }
        if !self.unmade.is_empty() {
            let _ = child.send(&Request::Unmade { sequences: self.unmade.clone() });
        }
        Ok(child)
    }

    /// Gives the remaining cases of a batch to one child, which may die of one.
    fn run_rest(&mut self, passage: &mut Passage<'_>) -> Result<()> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => self.start()?,
        };
        passage.start = passage.outcome.done();
        let limits = passage.limits.after(&passage.outcome);
        let end = self.end(passage);
        let is_alone = end == passage.start + 1;
        let sent =
            batch::Sent { judge_all: self.launch.judge_all, has_members: self.has_members, asks: self.asks };
        let request = batch::request(passage.batch, passage.start..end, limits, sent);
        child.begin_batch(end - passage.start);
        // If sending fails, no reply comes either: the child is dead.
        let _ = child.send(&request);
        let ending = self.listen(&mut child, passage)?;
        if ending == Ending::Garbled {
            child.give_up();
        }
        let page = &child.watched.page;
        let begun = page.cursor().begun;
        passage.read(page, begun);
        if let Some(offset) = page.copied_case().filter(|offset| *offset < begun) {
            return self.charge_fork(passage, passage.start + offset);
        }
        let was_between = ending == Ending::Garbled || page.cursor().phase == Phase::Idle;
        match ending {
            Ending::Finished => {
                let is_undecided =
                    begun.checked_sub(1).map(|last| page.status(last)) == Some(Status::Undecided);
                let stopped = is_undecided
                    || page.stop_asked()
                    || passage.outcome.reached(passage.limits, passage.batch);
                if passage.outcome.done() < end && !stopped {
                    let wanted = end - passage.start;
                    bail!("the harness ended a batch after {begun} of {wanted} cases");
                }
                child.end_batch();
                self.remember(passage);
                self.child = Some(child);
            }
            Ending::Gone | Ending::Garbled if was_between && begun > 0 && !is_alone => {
                passage.alone_until = passage.start + begun;
                passage.outcome.forget_from(passage.start);
                self.past = Some(Vec::new());
            }
            Ending::Gone | Ending::Garbled => {
                passage.outcome.has_gap |= begun > 0;
                self.autopsy(child, passage, begun)?;
                self.past = Some(Vec::new());
            }
        }
        // A case that failed in its precondition is reported as a spec error, not as a status.
        if passage.outcome.statuses.last() == Some(&Status::None) {
            passage.outcome.statuses.pop();
        }
        Ok(())
    }

    /// The end of the cases that one child runs from the start of a passage, exclusive.
    fn end(&self, passage: &Passage<'_>) -> u64 {
        let len = batch::len(passage.batch);
        if passage.start < passage.alone_until {
            passage.start + 1
        } else if self.patience.is_over() && batch::has_beyond(passage.batch) {
            let mut later = passage.start + 1..len;
            later.find(|offset| batch::is_beyond(passage.batch, *offset)).unwrap_or(len)
        } else {
            len
        }
    }

    /// Reads replies until the child finishes the batch or dies.
    fn listen(&mut self, child: &mut Child, passage: &mut Passage<'_>) -> Result<Ending> {
        loop {
            match child.receive() {
                Received::Closed => return Ok(Ending::Gone),
                Received::Garbled | Received::Reply(Reply::Ready | Reply::Rejected(_)) => {
                    return Ok(Ending::Garbled);
                }
                Received::Reply(Reply::Finished { shown, met }) => {
                    let in_batch = |(offset, args)| (passage.start + offset, args);
                    passage.outcome.shown.extend(shown.into_iter().map(in_batch));
                    let met = met.into_iter().map(|(offset, goal)| (passage.start + offset, goal));
                    passage.outcome.met.extend(met);
                    return Ok(Ending::Finished);
                }
                Received::Reply(Reply::Failed { offset, args, failure }) => {
                    let offset = passage.start + offset;
                    // The child can't tell boundary cases, after which the batch continues, from others.
                    if passage.limits.fail_fast && !batch::is_beyond(passage.batch, offset) {
                        child.watched.page.ask_to_stop();
                    }
                    self.note_failure(Failed { offset, args, failure, past: None }, passage);
                }
                Received::Reply(Reply::SpecError { offset, args, clause, obstacle }) => {
                    let offset = passage.start + offset;
                    // The size of inputs beyond the bound is the tool's choice.
                    if obstacle == Obstacle::TooMuchWork && batch::is_beyond(passage.batch, offset) {
                        self.patience.give_up_judging();
                        continue;
                    }
                    let message = obstacle.to_string();
                    passage.outcome.spec_error.get_or_insert(SpecError { offset, args, clause, message });
                }
                Received::Reply(Reply::Broken { args, message, .. }) => {
                    let args = notation::print_args(&args, self.launch.space.spec());
                    bail!("the harness broke on {args}: {message}")
                }
                Received::Reply(Reply::Reached { offset, args, sums }) => {
                    self.known.extend(&sums);
                    let offset = passage.start + offset;
                    passage.outcome.reaching.push(Reaching { offset, args, sums, at: Instant::now() });
                }
                Received::Reply(Reply::Asked { offset, functions }) => {
                    passage.outcome.asked.push((passage.start + offset, functions));
                }
                Received::Reply(Reply::Counted { counters }) => passage.outcome.counters.extend(counters),
            }
        }
    }

    /// Blames a case for returning in two processes. The later results of both are dropped: a new child runs those
    /// cases.
    fn charge_fork(&mut self, passage: &mut Passage<'_>, offset: u64) -> Result<()> {
        let status = passage.outcome.statuses[offset as usize];
        passage.outcome.forget_from(offset);
        passage.outcome.has_gap = true;
        let args = batch::args(passage.batch, offset, self.launch)?;
        passage.outcome.statuses.push(status);
        self.note_failure(Failed { offset, args, failure: death::fork(), past: None }, passage);
        self.past = Some(Vec::new());
        Ok(())
    }

    /// Adds a failure. The first of its sort gets the child's past, for a replay.
    fn note_failure(&mut self, mut failed: Failed, passage: &mut Passage<'_>) {
        let is_beyond = |offset| batch::is_beyond(passage.batch, offset);
        let is_outside = is_beyond(failed.offset);
        if is_outside {
            self.patience.fail(failed.failure.kind);
        }
        let first = !passage.outcome.failures.iter().any(|other| is_beyond(other.offset) == is_outside);
        if first && let Some(past) = &self.past {
            let stretch = Stretch { batch: passage.batch.clone(), start: passage.start, end: failed.offset };
            let stretches = past.iter().cloned().chain([stretch]).collect();
            failed.past = Some(Past { stretches, unmade: self.unmade.clone() });
        }
        passage.outcome.failures.push(failed);
    }

    /// Records the cases that the child has run, to replay a failure that depends on them.
    fn remember(&mut self, passage: &Passage<'_>) {
        let Some(past) = &mut self.past else { return };
        let (start, end) = (passage.start, passage.outcome.done());
        past.push(Stretch { batch: passage.batch.clone(), start, end });
        if past.iter().map(Stretch::weight).sum::<u64>() > REMEMBERED {
            self.past = None;
        }
    }

    /// Notes that a child died beside the subject itself: when an argument was made or looked at, or a result was read. It is a
    /// failure of a function that is tested itself, unless it was late. The next child runs the case if only the look is to be left out.
    fn discard(&mut self, word: u64, is_late: bool, passage: &mut Passage<'_>) {
        let is_known = self.unmade.contains(&word);
        self.unmade.push(word);
        passage.outcome.has_late |= is_late && Aside::of_word(word) == Some(Aside::Making);
        if Aside::of_word(word) == Some(Aside::Looking) && !is_known {
            passage.outcome.forget_from(passage.outcome.done().saturating_sub(1));
        } else if let Some(status) = passage.outcome.statuses.last_mut() {
            *status = Status::Discarded;
        }
    }

    /// Maps a child's exit to the case that caused it, and reaps the child.
    fn autopsy(&mut self, child: Child, passage: &mut Passage<'_>, begun: u64) -> Result<()> {
        let clause = child.watched.page.clause();
        let phase = child.watched.page.cursor().phase;
        let served = child.served;
        let tables = child.watched.page.tables();
        let making = child.watched.page.making().filter(|_| phase == Phase::Running);
        let mut remains = child.bury()?;
        self.last_words.clone_from(&remains.stderr);
        let Some(last) = begun.checked_sub(1) else {
            if served {
                // A process left over from an earlier case killed the child between batches: no case of this batch did.
                return Ok(());
            }
            bail!("the harness died before its first case: {}", death::classify(&remains).1);
        };
        let offset = passage.start + last;
        // The time of the judge, and of a `where` on a large input, isn't the subject's.
        let was_judging = matches!(phase, Phase::Precondition | Phase::Outcome);
        if was_judging && remains.timed_out.is_some() && batch::is_beyond(passage.batch, offset) {
            self.patience.give_up_judging();
            if let Some(status) = passage.outcome.statuses.last_mut() {
                *status = Status::Undecided;
            }
            return Ok(());
        }
        let mut step = None;
        if let Some(word) = making {
            if Aside::of_word(word) == Some(Aside::Reading) {
                step = remains.take_call();
            }
            if step.as_ref().is_none_or(|call| self.launch.tests(call)) {
                self.discard(word, remains.timed_out.is_some(), passage);
                return Ok(());
            }
        }
        let args = batch::args(passage.batch, offset, self.launch)?;
        let decided = passage.outcome.statuses.last() != Some(&Status::None);
        if decided && (clause.is_none() || phase == Phase::Running) {
            let failure = Failure { tables, step, ..death::failure(&remains, phase) };
            self.note_failure(Failed { offset, args, failure, past: None }, passage);
        } else {
            let message = death::in_condition(&remains, clause.is_some());
            passage.outcome.spec_error.get_or_insert(SpecError { offset, args, clause, message });
        }
        Ok(())
    }
}
