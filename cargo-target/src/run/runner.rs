//! Runs one function on the cases of one generator, and infers the outcome.
//!
//! One thread produces numbered batches, workers run them, and this thread counts the results in the order of the
//! numbers. So the counts, and the first failure, don't depend on the number or speed of workers. Nothing here knows
//! reports, or how an input is found.

mod confirm;
mod counts;
mod course;
mod deal;
mod generalise;
mod laboratory;
mod large;
mod notes;
mod queue;
mod returned;
mod seen;
mod shrink;
#[cfg(test)]
mod tests;
mod verdict;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use target_bridge::generate::feedback::Feedback;
use target_bridge::generate::{Batch, Case, End, Generator, GeneratorKind, Reached};
use target_strategies::beyond::Source;
use target_strategies::cancel;
use target_strategies::child::protocol::{Failure, FailureKind};
use target_strategies::logic::eval::Boundaries;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use crate::events::outcome::{Counterexample, Outcome, Stopped};
use crate::options::config::STACK;
use crate::run::planning::Planning;
use crate::run::worker::{BatchLimits, BatchOutcome, Failed, Launch, Patience, ShouldStop, Watchdog, Worker};
pub use counts::{Counts, MOST_UNLIKE as MOST_FAILURES};
use counts::{Next, Over, Rules, Unlike};
use course::{Course, Curve, Sketcher};
use deal::{Dealer, Piece};
use laboratory::Laboratory;
pub use laboratory::Shrinks;
pub use large::are_large;
use notes::Tried;
use queue::Queue;
pub use returned::see;
pub use seen::{Fate, Observe, Seen};
pub use shrink::alike;

/// One function, one generator, and the limits.
pub struct Job<'j> {
    /// Starts the harness for the function.
    pub launch: &'j Launch,
    /// The kind of the generator.
    pub kind: GeneratorKind,
    /// How many of the spec's examples come from the corpus; they are the first ones.
    pub n_saved: usize,
    /// Makes the generator, within the limits of planning.
    pub generator: Box<dyn FnOnce() -> Box<dyn Generator> + Send + 'j>,
    /// The limits of planning.
    pub planning: Planning,
    /// The limits of the run.
    pub caps: Caps,
    /// Set when the user interrupts the tool.
    pub interrupted: Arc<AtomicBool>,
    /// Told of each step.
    pub progress: &'j (dyn Fn(Step<'_>) + Sync),
    /// Called for each case.
    pub observe: Option<&'j mut Observe<'j>>,
    /// Gets what became of each case of the generator, if that decides on the next ones.
    pub feedback: Option<Feedback>,
}

/// What a job does at the moment.
pub enum Step<'c> {
    /// It runs cases: the counts, whenever they grow, and the number of inputs of the space, if known.
    Running(&'c Counts, Option<u64>),
    /// It shrinks a failure.
    Shrinking,
}

/// The limits of a run, and its number of children.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// The cap on valid cases.
    pub cases: u64,
    /// The cap on work, as [`Counts::work`] counts it. A run with one may go on later: its generator ends after the cap at the same place
    /// in each run.
    pub work: Option<u64>,
    /// The cap on the time for generating and running.
    pub budget: Duration,
    /// Whether to stop at the first failure.
    pub fail_fast: bool,
    /// Which counterexamples to shrink.
    pub shrinks: Shrinks,
    /// Whether one of each failure is kept and shrunk, each for a short time.
    pub keeps_all: bool,
    /// Maximum number of children at once.
    pub jobs: usize,
}

/// Time limit for shrinking a counterexample: short enough to wait for after a failure. An unoptimized build of the tool,
/// which only its own tests run, is slower.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 12 } else { 5 });

/// Time limit for shrinking each of many failures.
const PATIENCE_EACH: Duration = Duration::from_secs(1);

/// The least of these two.
const PATIENCE_LEAST: Duration = Duration::from_millis(250);

/// Time after which none of many failures is shrunk any more.
const PATIENCE_ALL: Duration = Duration::from_secs(3);

/// Data shared by the threads of a run.
struct Shared<'j> {
    launch: &'j Launch,
    watchdog: &'j Watchdog,
    caps: Caps,
    /// Whether the generator is told what became of its cases.
    has_feedback: bool,
    queue: Queue<(u64, Piece)>,
    /// A lower bound on the number of valid cases so far, so that workers run few cases in vain.
    valid: AtomicU64,
    should_stop: ShouldStop,
}

/// Runs a job to its end. Errors are errors of the tool.
pub fn run(job: Job<'_>) -> Result<Outcome> {
    let watchdog = Watchdog::start(job.launch.timeout).context("starting the watchdog")?;
    let kind = job.kind;
    let (launch, n_saved, caps) = (job.launch, job.n_saved, job.caps);
    let (interrupted, progress) = (job.interrupted.clone(), job.progress);
    let mut course = go(job, &watchdog)?;
    let should_stop: ShouldStop = Arc::new(move || interrupted.load(Ordering::Relaxed));
    let again = Laboratory {
        launch,
        watchdog: &watchdog,
        should_stop,
        shrinks: caps.shrinks,
        patience: if caps.keeps_all { caps.budget.clamp(PATIENCE_LEAST, PATIENCE_EACH) } else { PATIENCE },
        generalises: !caps.keeps_all,
    };
    let saved = &launch.space.spec().examples[..n_saved];
    let examine = |failed: Failed, beyond| {
        progress(Step::Shrinking);
        let saved = saved.contains(&failed.args);
        again.examine(failed, beyond).map(|found| Counterexample { saved, ..found })
    };
    let unlike = std::mem::take(&mut course.counts.unlike);
    if !unlike.is_empty() {
        progress(Step::Shrinking);
        let started = Instant::now();
        let each = |Unlike { beyond, failed, n_cases }| {
            let is_slow = matches!(failed.failure.kind, FailureKind::Timeout | FailureKind::Memory);
            let failed = if is_slow { again.tamed(failed)? } else { failed };
            // Each step of shrinking would be as slow.
            let is_hopeless = is_slow && are_large(&failed.args);
            let is_late = started.elapsed() >= caps.budget.clamp(PATIENCE_LEAST, PATIENCE_ALL);
            let shrinks = if is_hopeless || is_late { Shrinks::Nothing } else { again.shrinks };
            let again = Laboratory { shrinks, ..again.clone() };
            let found = again.examine(failed, beyond)?;
            Ok((Counterexample { saved: saved.contains(&found.args), ..found }, n_cases))
        };
        let failures: Vec<(Counterexample, u64)> = unlike.into_iter().map(each).collect::<Result<_>>()?;
        let first = |beyond: bool| {
            let mut found = failures.iter().map(|(found, _)| found);
            found.find(|found| found.is_inside != beyond).cloned()
        };
        let outcome = verdict::conclude(kind, course, first(false), first(true));
        return Ok(Outcome { failures, ..outcome });
    }
    let failed = course.counts.failed.take().map(|failed| examine(failed, None)).transpose()?;
    // A call that hangs says nothing of its place: one inside the space is enough, and another would take seconds.
    let is_hang = |failure: &Failure| failure.kind == FailureKind::Timeout;
    let is_hanging = failed.as_ref().is_some_and(|found| found.confirmed && is_hang(&found.failure));
    let beyond =
        course.counts.beyond_failed.take().filter(|(_, other)| !is_hanging || !is_hang(&other.failure));
    let beyond = beyond.map(|(source, failed)| examine(failed, Some(source))).transpose()?;
    // A larger input may shrink to the same one, and what matters of a function may be in the space.
    let has_functions = !launch.space.spec().callbacks.is_empty();
    let is_told = |found: &Counterexample| {
        let is_same = |first: &Counterexample| first.args == found.args || has_functions && !found.saved;
        found.is_inside && failed.as_ref().is_some_and(is_same)
    };
    let beyond = beyond.filter(|found| !is_told(found));
    Ok(verdict::conclude(kind, course, failed, beyond))
}

/// Produces, runs and counts cases.
fn go(job: Job<'_>, watchdog: &Watchdog) -> Result<Course> {
    let Job { launch, kind, n_saved, generator, planning, caps, interrupted, progress, observe, feedback } =
        job;
    let started = Instant::now();
    let boundaries = Boundaries::of(launch.space.spec());
    let sketcher = Sketcher::new(&boundaries);
    let tried = Tried::new(launch.space.spec());
    let has_feedback = feedback.is_some();
    let mut watch =
        Watch { curve: Curve::new(), sketcher, tried, seconds_to_failure: None, observe, feedback };
    let over = Arc::new(AtomicBool::new(false));
    let should_stop: ShouldStop = {
        let (over, interrupted) = (over.clone(), interrupted.clone());
        let deadline = started.checked_add(caps.budget);
        Arc::new(move || {
            over.load(Ordering::Relaxed)
                || interrupted.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        })
    };
    let jobs = caps.jobs.max(1);
    let shared = Shared {
        launch,
        watchdog,
        caps,
        has_feedback,
        queue: Queue::new(2 * jobs),
        valid: AtomicU64::new(0),
        should_stop,
    };
    let rules = Rules {
        generator: kind,
        max_valid: caps.cases,
        max_work: caps.work,
        fail_fast: caps.fail_fast,
        keeps_all: caps.keeps_all,
    };
    let (results, released) = mpsc::channel();
    let (Counted { counts, over: reason, end, reached }, generating, solving) = thread::scope(|scope| {
        let shared = &shared;
        let deal = move || {
            let unwanted = || (shared.should_stop)();
            let is_unwanted = shared.should_stop.clone();
            let mut dealer = Dealer::new(&shared.queue, &unwanted);
            let limits = planning.limits(move || is_unwanted());
            // A stop drops the generator; the dealer pushes only between the generator's steps.
            let dealt = cancel::run(&limits, || {
                let examples = examples(&shared.launch.space, n_saved);
                dealer.deal(examples, generator)
            });
            if let Err(stop) = dealt {
                dealer.stop(stop, &planning);
            }
            dealer.close()
        };
        let dealing = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, deal);
        let dealing = dealing.context("start a thread")?;
        for number in 0..jobs {
            let results = results.clone();
            scope.spawn(move || work(shared, number as u64, &results));
        }
        drop(results);
        let ended = count(&released, &rules, shared, progress, &mut watch);
        over.store(true, Ordering::Relaxed);
        let (generating, solving) = dealing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        anyhow::Ok((ended?, generating, solving))
    })?;
    let stopped = match reason {
        Over::Done => None,
        Over::Stopped(stopped) => Some(stopped),
        Over::Cut if interrupted.load(Ordering::Relaxed) => Some(Stopped::Interrupted),
        Over::Cut => Some(Stopped::Budget),
    };
    let Watch { curve, sketcher, tried, seconds_to_failure, .. } = watch;
    let is_exhausted = end == Some(End::Exhausted);
    let (curve, sketch, notes) =
        (curve.finish(&counts), sketcher.finish(), tried.notes(&counts, is_exhausted));
    let seconds = started.elapsed().as_secs_f64();
    Ok(Course {
        counts,
        stopped,
        end,
        reached,
        seconds,
        seconds_to_failure,
        generating,
        solving,
        curve,
        sketch,
        notes,
    })
}

/// Records a run's course for its reports.
struct Watch<'w, 'o> {
    curve: Curve,
    sketcher: Sketcher<'w>,
    tried: Tried<'w>,
    seconds_to_failure: Option<f64>,
    observe: Option<&'o mut Observe<'o>>,
    feedback: Option<Feedback>,
}

impl Watch<'_, '_> {
    /// Records a batch, of which so many cases are counted, and tells the generator what became of them. After the last one, it ends.
    fn look(
        &mut self,
        batch: &Batch,
        outcome: &BatchOutcome,
        is_example: bool,
        (counts, n_counted): (&Counts, u64),
        is_last: bool,
    ) {
        self.note(counts);
        self.sketcher.look(batch, outcome, n_counted);
        self.tried.add(outcome, n_counted);
        if let Some(observe) = &mut self.observe {
            seen::tell(batch, outcome, n_counted, observe);
        }
        let Some(feedback) = &self.feedback else { return };
        let told = if is_example { Vec::new() } else { seen::traced(outcome, n_counted) };
        if is_last { feedback.tell_last(told) } else { feedback.tell(told) }
    }

    /// Records the growth of the counts after a batch.
    fn note(&mut self, counts: &Counts) {
        self.curve.note(counts);
        if counts.cases_to_failure.is_some() {
            self.seconds_to_failure.get_or_insert(self.curve.seconds());
        }
    }
}

/// The spec's examples as cases. A saved counterexample outside the space is so again.
pub fn examples(space: &Space, n_saved: usize) -> Vec<Case> {
    let case = |(index, args): (usize, &Vec<Value>)| Case {
        args: args.clone(),
        beyond: (index < n_saved && !space.contains(args)).then_some(Source::Boundary),
    };
    space.spec().examples.iter().enumerate().map(case).collect()
}

/// Number of pieces that are taken before each further worker starts its child, unless one waits for long. The first pieces have one
/// case each, and one child runs them as fast as they are made.
const PIECES_EACH: u64 = 16;

/// The result of a piece, with its number.
type Done = (u64, Piece, Result<BatchOutcome>);

/// Runs batches until there are no more. The child of the first worker starts while the first batch is planned. The others follow
/// one after the other, as batches are taken: all at once would delay the planning, and a short run doesn't need them.
fn work(shared: &Shared<'_>, number: u64, results: &mpsc::Sender<Done>) {
    let worker = Worker::new(shared.launch, shared.watchdog, shared.should_stop.clone());
    let mut worker = worker.with_patience(Patience::of_run()).of_members().asking(shared.has_feedback);
    if number > 0 && !shared.queue.await_taken(PIECES_EACH * number, || (shared.should_stop)()) {
        return;
    }
    worker.warm_up();
    while let Some((number, piece)) = shared.queue.pop(|| (shared.should_stop)()) {
        let outcome = match &piece {
            Piece::Reached(_) | Piece::Beyond(_) | Piece::End(_) => Ok(BatchOutcome::default()),
            Piece::Batch { batch, .. } => {
                let max_valid = shared.caps.cases.saturating_sub(shared.valid.load(Ordering::Relaxed));
                let fail_fast = shared.caps.fail_fast;
                worker.run_batch(batch, BatchLimits { fail_fast, max_valid: max_valid.max(1) })
            }
        };
        if results.send((number, piece, outcome)).is_err() {
            return;
        }
    }
}

/// The counts of a run that is over.
struct Counted {
    counts: Counts,
    over: Over,
    /// The end of the generator; if that was not reached, the end of its cases outside the space, if they ended.
    end: Option<End>,
    /// How far the cases that were run reach.
    reached: Reached,
}

/// Counts results in the order of their numbers.
fn count(
    released: &mpsc::Receiver<Done>,
    rules: &Rules,
    shared: &Shared<'_>,
    progress: &(dyn Fn(Step<'_>) + Sync),
    watch: &mut Watch<'_, '_>,
) -> Result<Counted> {
    let mut counts = Counts::default();
    let mut patience = Patience::of_run();
    let mut waiting = BTreeMap::new();
    let mut next_number = 0;
    // Why the run ends if another case comes; and why it has ended, while the generator still reads what was told.
    let (mut at_cap, mut over) = (None, None);
    let goes_on_later = rules.max_work.is_some() && watch.feedback.is_some();
    // Missing cases outside the space don't matter: the space is exhausted all the same.
    let mut beyond = None;
    let mut reached = Reached::default();
    while let Ok((number, piece, outcome)) = released.recv() {
        waiting.insert(number, (piece, outcome));
        while let Some((piece, outcome)) = waiting.remove(&next_number) {
            next_number += 1;
            let (batch, is_example) = match piece {
                // What is said after cases that were not counted is not true of those that were.
                Piece::Reached(now) => {
                    reached = if over.is_none() { now } else { reached };
                    continue;
                }
                Piece::Beyond(end) => {
                    beyond = if over.is_none() { Some(end) } else { beyond };
                    continue;
                }
                Piece::End(end) => {
                    if let Some(over) = over.or(at_cap.filter(|_| end == End::Closed)) {
                        return Ok(Counted { counts, over, end: beyond, reached });
                    }
                    return Ok(Counted { counts, over: Over::at_end(&end), end: Some(end), reached });
                }
                Piece::Batch { batch, is_example } => (batch, is_example),
            };
            over = over.or(at_cap);
            match over {
                // The generator ends as soon as it has read what is told.
                Some(_) if goes_on_later => continue,
                Some(over) => return Ok(Counted { counts, over, end: beyond, reached }),
                None => {}
            }
            let mut outcome = outcome?;
            outcome.leave_out_beyond(&batch, &mut patience);
            let n_before = counts.cases;
            let next = counts.add(&batch, outcome.clone(), is_example, rules);
            let n_counted = counts.cases - n_before;
            watch.look(&batch, &outcome, is_example, (&counts, n_counted), next.is_at_cap() && goes_on_later);
            shared.valid.store(counts.valid, Ordering::Relaxed);
            progress(Step::Running(&counts, reached.n_members));
            match next {
                Next::Continue => {}
                Next::CapReached => at_cap = Some(Over::Stopped(Stopped::Cases)),
                Next::WorkDone => at_cap = Some(Over::Stopped(Stopped::Budget)),
                Next::Over(now) if next.is_at_cap() && goes_on_later => over = Some(now),
                Next::Over(over) => return Ok(Counted { counts, over, end: beyond, reached }),
            }
        }
    }
    Ok(Counted { counts, over: over.or(at_cap).unwrap_or(Over::Cut), end: beyond, reached })
}
