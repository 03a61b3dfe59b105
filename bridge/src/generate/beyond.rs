//! Cases outside the space: boundary values and larger inputs, by the native engine. Where the engine doesn't suit the
//! space, Z3 completes boundary values.

use std::time::Duration;

use target_strategies::beyond::{Beyond, Seen, SharedSamples, Source};
use target_strategies::logic::eval::{Judge, Judgement};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::native::is_fit;
use super::{Batch, Case, End, Generator, Step};
use crate::smt::boundary::BoundaryCases;
use crate::smt::solver::{self, Effort};

/// Maximum number of boundary cases that Z3 is asked for.
const SOLVED: u64 = 1000;

/// Work that a call of Z3 counts for, in steps of the engine.
const SOLVER_WORK: u64 = 10_000;

/// Number of cases of a batch, when the source runs alone.
const BATCH: usize = 64;

/// The cases of one source, made on request.
pub struct BeyondCases {
    space: Space,
    source: Source,
    maker: Maker,
}

enum Maker {
    Engine(Box<Beyond>),
    Solver { cases: Box<BoundaryCases>, work: u64 },
}

impl BeyondCases {
    /// The cases of a source outside a space.
    pub fn new(space: &Space, source: Source, seed: u64) -> BeyondCases {
        BeyondCases::of(space, source, seed, is_fit(space), &SharedSamples::default())
    }

    /// The same, if it is known whether the native engine suits the space, with the samples of other sources.
    pub fn of(
        space: &Space,
        source: Source,
        seed: u64,
        is_fit: bool,
        samples: &SharedSamples,
    ) -> BeyondCases {
        let maker = if source == Source::Boundary && !is_fit && solver::IS_BUILT_IN {
            let effort = Effort { seed: seed as u32, ..Effort::default() };
            Maker::Solver { cases: Box::new(BoundaryCases::new(space.clone(), SOLVED, effort)), work: 0 }
        } else {
            Maker::Engine(Box::new(Beyond::new(space, source, seed, samples)))
        };
        BeyondCases { space: space.clone(), source, maker }
    }

    /// Plans what the first cases are made of. They depend on nothing else, so this may happen on another thread.
    pub fn prepare(&mut self) {
        match &mut self.maker {
            Maker::Engine(beyond) => beyond.prepare(),
            Maker::Solver { .. } => {}
        }
    }

    /// Whether there are no more cases.
    pub fn is_over(&self) -> bool {
        match &self.maker {
            Maker::Engine(beyond) => beyond.is_over(),
            Maker::Solver { cases, .. } => cases.is_over(),
        }
    }

    /// Whether the last call gave nothing because steps are saved for a larger case.
    pub fn has_waited(&self) -> bool {
        match &self.maker {
            Maker::Engine(beyond) => beyond.has_waited(),
            Maker::Solver { .. } => false,
        }
    }

    /// Work so far, in steps of the engine.
    pub fn work(&self) -> u64 {
        match &self.maker {
            Maker::Engine(beyond) => beyond.work(),
            Maker::Solver { work, .. } => *work,
        }
    }

    /// Time that Z3 took.
    pub fn solving(&self) -> Duration {
        match &self.maker {
            Maker::Engine(_) => Duration::ZERO,
            Maker::Solver { cases, .. } => cases.solving(),
        }
    }

    /// The next case that is not among those seen; it is added to them. If these include members of the space, it may be
    /// a member. It may be `None` though more follow: each call does limited work. What would probably take more than
    /// `affordable` steps of the engine is left for a later call.
    pub fn next_case(&mut self, affordable: u64, seen: &mut Seen) -> Option<Case> {
        let args: Option<Vec<Value>> = match &mut self.maker {
            Maker::Engine(beyond) => beyond.next_case(affordable, seen),
            Maker::Solver { cases, work } => {
                *work += SOLVER_WORK;
                cases.next_case().filter(|args| seen.insert(args.clone()))
            }
        };
        let args = args?;
        let is_inside = seen.with_members && self.space.contains(&args);
        if is_inside {
            match Judge::new(None).explored(self.space.spec(), &args) {
                Judgement::Holds => {}
                Judgement::Broken => return None,
                // It is no case of this source, but may be one of the space.
                Judgement::Unjudged | Judgement::SpecError(_) => {
                    seen.remove(&args);
                    return None;
                }
            }
        }
        Some(Case { args, beyond: (!is_inside).then_some(self.source) })
    }
}

/// A source as a generator of its own.
pub struct BeyondGenerator {
    cases: BeyondCases,
    seen: Seen,
}

impl BeyondGenerator {
    /// The cases of a source outside a space.
    pub fn new(space: &Space, source: Source, seed: u64) -> BeyondGenerator {
        BeyondGenerator { cases: BeyondCases::new(space, source, seed), seen: Seen::new() }
    }
}

impl Generator for BeyondGenerator {
    /// A batch may be empty: then this step found nothing, and the caller may look at its clock.
    fn step(&mut self) -> Step {
        if self.cases.is_over() {
            let end = match self.cases.source {
                Source::Boundary => "all boundary cases that were found were run",
                Source::Large => "all larger inputs that were found were run",
            };
            return Step::End(End::Asked(end.to_owned()));
        }
        Step::Batch(Batch::Cases(
            (0..BATCH).filter_map(|_| self.cases.next_case(u64::MAX, &mut self.seen)).collect(),
        ))
    }

    fn solving(&self) -> Duration {
        self.cases.solving()
    }
}
