//! Random arguments that the judge admits: a source for `auto` where the native engine doesn't suit the space, or is slow.
//!
//! Z3 takes milliseconds for its first inputs. Where conditions are weak, random arguments satisfy them at once. Values are
//! sampled within the bounds and from the whole machine types in turn, and sequences are no longer than the depth.

use target_strategies::baseline::random::{RandomArgs, Reach};
use target_strategies::beyond::{Seen, Source};
use target_strategies::cancel;
use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::space::Space;

use super::Case;

/// Maximum number of samples for a case.
const TRIES: u32 = 32;

/// Number of samples without a case after which there are no more.
const MOST_TRIES: u32 = 4096;

/// Work for a sample, in steps, besides those of judging it.
const STEPS_PER_SAMPLE: u64 = 60;

/// Maximum number of steps for an attempt.
const STEPS_PER_ATTEMPT: u64 = 100_000;

/// The admitted ones of random arguments.
pub struct Filtered {
    space: Space,
    args: RandomArgs,
    n_sampled: u64,
    /// Number of samples since the last case.
    n_tried: u32,
    work: u64,
}

impl Filtered {
    /// Random arguments for a space.
    pub fn new(space: &Space, seed: u64) -> Filtered {
        Filtered {
            space: space.clone(),
            args: RandomArgs::new(space, seed),
            n_sampled: 0,
            n_tried: 0,
            work: 0,
        }
    }

    /// Whether cases are too rare to look for more.
    pub fn is_over(&self) -> bool {
        self.n_tried >= MOST_TRIES
    }

    /// Work of the attempts so far, in steps ([`cancel::steps`]).
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The next case, if one is found within [`STEPS_PER_ATTEMPT`].
    pub fn attempt(&mut self, beyond: bool, seen: &mut Seen) -> Option<Case> {
        let (n_before, before) = (self.n_sampled, cancel::steps());
        let case = cancel::within_steps(STEPS_PER_ATTEMPT, || self.next_case(beyond, seen));
        self.work += STEPS_PER_SAMPLE * (self.n_sampled - n_before) + (cancel::steps() - before);
        case.flatten()
    }

    /// The next case that is not among those seen; it is added to them. It may be `None` though more follow. With `beyond`,
    /// it may be outside the space.
    pub fn next_case(&mut self, beyond: bool, seen: &mut Seen) -> Option<Case> {
        for _ in 0..TRIES {
            let reach = if beyond && self.n_sampled % 2 == 1 { Reach::Machine } else { Reach::Bounded };
            self.n_sampled += 1;
            self.n_tried += 1;
            let Some(args) = self.args.sample(reach) else {
                self.n_tried = MOST_TRIES;
                return None;
            };
            if !admits(self.space.spec(), &args) {
                continue;
            }
            let explored = match Judge::new(None).explored(self.space.spec(), &args) {
                Judgement::Holds => true,
                Judgement::Broken => false,
                Judgement::Unjudged | Judgement::SpecError(_) => continue,
            };
            let is_inside = explored && self.space.contains(&args);
            if (is_inside || beyond) && seen.insert(args.clone()) {
                self.n_tried = 0;
                return Some(Case { args, beyond: (!is_inside).then_some(Source::Large) });
            }
        }
        None
    }
}
