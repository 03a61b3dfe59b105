//! Runs one function on what one generator finds, and draws the conclusion.
//!
//! A thread deals numbered batches, workers run them, and this thread adds up what became of them in the order of
//! their numbers. So the counts, and which failure is the first, don't depend on how many workers there are or which
//! of them is fast. Nothing here knows reports, or how an input is found.

mod confirm;
mod counts;
mod course;
mod deal;
mod generalise;
mod queue;
mod seen;
mod shrink;
#[cfg(test)]
mod tests;
mod verdict;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use target_bridge::generate::{Case, End, Generator, GeneratorKind};
use target_strategies::cancel;
use target_strategies::eval::Ends;
use target_strategies::space::Space;
use target_strategies::value::Value;

use crate::config::STACK;
use crate::outcome::{Counterexample, Outcome, Point, Sketch, Stopped};
use crate::planning::Planning;
use crate::worker::{BatchLimits, BatchOutcome, Failed, Launch, ShouldStop, Watchdog, Worker};
pub use counts::Counts;
use counts::{Next, Rules};
use course::{Curve, Sketcher};
use deal::{Dealer, Piece};
use queue::Queue;
use seen::Observe;
pub use seen::{Fate, Seen};

/// One function, one generator, and how far to go.
pub struct Job<'j> {
    /// How to start the harness for the function.
    pub launch: &'j Launch,
    /// Which generator it is.
    pub kind: GeneratorKind,
    /// How many of the spec's examples, the first ones, come from the corpus.
    pub n_saved: usize,
    /// Makes the generator, within the limits of planning.
    pub generator: Box<dyn FnOnce() -> Box<dyn Generator> + Send + 'j>,
    /// What planning may take.
    pub planning: Planning,
    /// When to stop.
    pub caps: Caps,
    /// Set when the user wants everything to end.
    pub interrupted: Arc<AtomicBool>,
    /// Called with the counts whenever they grew.
    pub progress: &'j (dyn Fn(&Counts) + Sync),
    /// Who wants to know of each case.
    pub observe: Option<&'j mut Observe<'j>>,
}

/// When a run ends at the latest, and how many children it may have.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// The cap on valid cases.
    pub cases: u64,
    /// The cap on the time for generating and running.
    pub budget: Duration,
    /// Whether to stop at the first failure.
    pub fail_fast: bool,
    /// Whether to make counterexamples smaller.
    pub shrinks: bool,
    /// How many children may run at once.
    pub jobs: usize,
}

/// How a run went, before its failures are looked into.
struct Course {
    counts: Counts,
    stopped: Option<Stopped>,
    end: Option<End>,
    seconds: f64,
    seconds_to_failure: Option<f64>,
    generating: Duration,
    solving: Duration,
    curve: Vec<Point>,
    sketch: Sketch,
}

/// What the threads of a run share.
struct Shared<'j> {
    launch: &'j Launch,
    watchdog: &'j Watchdog,
    caps: Caps,
    queue: Queue<(u64, Piece)>,
    /// A lower bound on the valid cases so far, to keep workers from running many in vain.
    valid: AtomicU64,
    should_stop: ShouldStop,
}

/// Runs a job to its end. An error is the tool's own.
pub fn run(job: Job<'_>) -> Result<Outcome> {
    let watchdog = Watchdog::start(job.launch.timeout).context("starting the watchdog")?;
    let kind = job.kind;
    let (launch, n_saved, shrinks) = (job.launch, job.n_saved, job.caps.shrinks);
    let interrupted = job.interrupted.clone();
    let mut course = go(job, &watchdog)?;
    let should_stop: ShouldStop = Arc::new(move || interrupted.load(Ordering::Relaxed));
    let again = confirm::Laboratory { launch, watchdog: &watchdog, should_stop, shrinks };
    let saved = &launch.space.spec().examples[..n_saved];
    let examine = |failed: Failed, boundary| {
        let saved = saved.contains(&failed.args);
        again.examine(failed, boundary).map(|found| Counterexample { saved, ..found })
    };
    let failed = course.counts.failed.take().map(|failed| examine(failed, false)).transpose()?;
    let boundary = course.counts.boundary_failed.take();
    let boundary = boundary.map(|failed| examine(failed, true)).transpose()?;
    Ok(verdict::conclude(kind, course, failed, boundary))
}

/// Deals, runs and counts.
fn go(job: Job<'_>, watchdog: &Watchdog) -> Result<Course> {
    let Job { launch, kind, n_saved, generator, planning, caps, interrupted, progress, observe } = job;
    let started = Instant::now();
    let ends = Ends::of(launch.space.spec());
    let sketcher = Sketcher::new(&ends);
    let mut watch = Watch { curve: Curve::new(), sketcher, seconds_to_failure: None, observe };
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
    let shared =
        Shared { launch, watchdog, caps, queue: Queue::new(2 * jobs), valid: AtomicU64::new(0), should_stop };
    let rules = Rules { generator: kind, max_valid: caps.cases, fail_fast: caps.fail_fast };
    let (results, released) = mpsc::channel();
    let ((counts, stopped, end), generating, solving) = thread::scope(|scope| {
        let shared = &shared;
        let deal = move || {
            let unwanted = || (shared.should_stop)();
            let is_unwanted = shared.should_stop.clone();
            let mut dealer = Dealer::new(&shared.queue, &unwanted);
            let limits = planning.limits(move || is_unwanted());
            // The generator is gone with the computation, and the dealer pushes between its steps only.
            let dealt = cancel::run(
                &limits,
                AssertUnwindSafe(|| {
                    let examples = examples(&shared.launch.space, n_saved);
                    dealer.deal(examples, generator)
                }),
            );
            if let Err(stop) = dealt {
                dealer.stop(stop, &planning);
            }
            dealer.close()
        };
        let dealing = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, deal);
        let dealing = dealing.context("start a thread")?;
        for _ in 0..jobs {
            let results = results.clone();
            scope.spawn(move || work(shared, &results));
        }
        drop(results);
        let ended = count(&released, &rules, shared, progress, &mut watch);
        over.store(true, Ordering::Relaxed);
        let (generating, solving) = dealing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        anyhow::Ok((ended?, generating, solving))
    })?;
    let stopped = stopped.unwrap_or_else(|| {
        Some(if interrupted.load(Ordering::Relaxed) { Stopped::Interrupted } else { Stopped::Budget })
    });
    let Watch { curve, sketcher, seconds_to_failure, .. } = watch;
    let (curve, sketch) = (curve.finish(&counts), sketcher.finish());
    let seconds = started.elapsed().as_secs_f64();
    Ok(Course { counts, stopped, end, seconds, seconds_to_failure, generating, solving, curve, sketch })
}

/// What is noted of a run for its reports.
struct Watch<'w, 'o> {
    curve: Curve,
    sketcher: Sketcher<'w>,
    seconds_to_failure: Option<f64>,
    observe: Option<&'o mut Observe<'o>>,
}

impl Watch<'_, '_> {
    /// Notes what a batch has added to the counts.
    fn note(&mut self, counts: &Counts) {
        self.curve.note(counts);
        if counts.cases_to_failure.is_some() {
            self.seconds_to_failure.get_or_insert(self.curve.seconds());
        }
    }
}

/// The spec's examples as cases. What an earlier run found beyond the bound is a boundary case again.
pub fn examples(space: &Space, n_saved: usize) -> Vec<Case> {
    let case = |(index, args): (usize, &Vec<Value>)| Case {
        args: args.clone(),
        boundary: index < n_saved && !space.contains(args),
    };
    space.spec().examples.iter().enumerate().map(case).collect()
}

/// What became of a piece.
type Done = (u64, Piece, Result<BatchOutcome>);

/// Runs batches until there are no more. Its child dies with it.
fn work(shared: &Shared<'_>, results: &mpsc::Sender<Done>) {
    let mut worker = Worker::new(shared.launch, shared.watchdog, shared.should_stop.clone());
    while let Some((number, piece)) = shared.queue.pop(|| (shared.should_stop)()) {
        let outcome = match &piece {
            Piece::Beyond(_) | Piece::End(_) => Ok(BatchOutcome::default()),
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

/// Counts results in the order of their numbers; gives also why it stopped (`None`: from outside) and the
/// generator's end.
#[allow(clippy::type_complexity, reason = "named by the only caller")]
fn count(
    released: &mpsc::Receiver<Done>,
    rules: &Rules,
    shared: &Shared<'_>,
    progress: &(dyn Fn(&Counts) + Sync),
    watch: &mut Watch<'_, '_>,
) -> Result<(Counts, Option<Option<Stopped>>, Option<End>)> {
    let mut counts = Counts::default();
    let mut waiting = BTreeMap::new();
    let mut next_number = 0;
    let mut at_cap = false;
    // Boundary cases cut short don't make the space any less exhausted.
    let mut beyond = None;
    while let Ok((number, piece, outcome)) = released.recv() {
        waiting.insert(number, (piece, outcome));
        while let Some((piece, outcome)) = waiting.remove(&next_number) {
            next_number += 1;
            let (batch, is_example) = match piece {
                Piece::Beyond(end) => {
                    beyond = Some(end);
                    continue;
                }
                Piece::End(end) => return Ok((counts, Some(Counts::at_end(&end)), Some(end))),
                Piece::Batch { batch, is_example } => (batch, is_example),
            };
            if at_cap {
                return Ok((counts, Some(Some(Stopped::Cases)), beyond));
            }
            let outcome = outcome?;
            let told = outcome.clone();
            let before = counts.cases;
            let next = counts.add(&batch, outcome, is_example, rules);
            watch.note(&counts);
            watch.sketcher.look(&batch, &told, counts.cases - before);
            if let Some(observe) = &mut watch.observe {
                seen::tell(&batch, &told, counts.cases - before, observe);
            }
            shared.valid.store(counts.valid, Ordering::Relaxed);
            progress(&counts);
            match next {
                Next::Continue => {}
                Next::CapReached => at_cap = true,
                Next::Stop(stopped) => return Ok((counts, Some(stopped), beyond)),
                Next::Cut => return Ok((counts, None, beyond)),
            }
        }
    }
    let stopped = at_cap.then_some(Some(Stopped::Cases));
    Ok((counts, stopped, beyond))
}
