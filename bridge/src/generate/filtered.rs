//! Random arguments that the judge admits: a source for `auto` where the native engine doesn't suit the space, or is slow.
//!
//! Z3 takes milliseconds for its first inputs. Where conditions are weak, random arguments satisfy them at once. Values are
//! sampled within the bounds and from the whole machine types in turn, and sequences are no longer than the depth.

use target_strategies::baseline::random::{RandomArgs, Reach};
use target_strategies::beyond::{Seen, Source};
use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::space::Space;

use super::Case;

/// Maximum number of samples for a case.
const TRIES: u32 = 32;

/// Number of samples without a case after which there are no more.
const MOST_TRIES: u32 = 4096;

/// The admitted ones of random arguments.
pub struct Filtered {
    space: Space,
    args: RandomArgs,
    n_sampled: u64,
    /// Number of samples since the last case.
    n_tried: u32,
}

impl Filtered {
    /// Random arguments for a space.
    pub fn new(space: &Space, seed: u64) -> Filtered {
        Filtered { space: space.clone(), args: RandomArgs::new(space, seed), n_sampled: 0, n_tried: 0 }
    }

    /// Whether cases are too rare to look for more.
    pub fn is_over(&self) -> bool {
        self.n_tried >= MOST_TRIES
    }

    /// Number of samples so far.
    pub fn n_sampled(&self) -> u64 {
        self.n_sampled
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
