//! Results of functions in members of a space, for calls for which an input has none.

use std::sync::OnceLock;

use crate::cancel;
use crate::dice::Dice;
use crate::logic::ir::CallbackId;
use crate::logic::table::each_function;
use crate::logic::value::Value;
use crate::native::{Class, Native, Reuse};
use crate::space::Space;

/// Number of sizes that are tried, and of those with members from which results are taken.
const SIZES: (usize, usize) = (64, 8);

/// Number of members of each size.
const OF_EACH: u64 = 4;

/// Maximum number of choices for a member, and of steps ([`cancel::steps`]).
const EFFORT: u64 = 500;
const MOST_STEPS: u64 = 400_000;

/// Results of the functions in random members of a space, found when they are first needed.
pub(crate) struct Results {
    space: Space,
    found: OnceLock<Vec<(CallbackId, Value)>>,
}

impl Results {
    /// Nothing is sought yet.
    pub fn new(space: Space) -> Results {
        Results { space, found: OnceLock::new() }
    }

    /// The results, each once.
    pub fn get(&self) -> &[(CallbackId, Value)] {
        self.found.get_or_init(|| self.find())
    }

    fn find(&self) -> Vec<(CallbackId, Value)> {
        let spec = self.space.spec();
        let mut found = Vec::new();
        let mut engine = Some(Native::new(&self.space));
        let sizes = engine.iter().flat_map(Native::sizes).take(SIZES.0).collect::<Vec<u64>>();
        let mut n_sizes = 0;
        for size in sizes {
            let mut has_members = false;
            for index in 0..OF_EACH {
                // An engine is of no use after a walk that took too long.
                let Some(mut native) = engine.take() else { return found };
                let class = Class::Size(size);
                let walked = cancel::within_steps(MOST_STEPS, || {
                    let member =
                        native.walk(class, Dice::new(size, index), Reuse::Often, EFFORT).ok().flatten();
                    (native, member)
                });
                let Some((native, member)) = walked else { return found };
                engine = Some(native);
                has_members |= member.is_some();
                for (value, param) in member.iter().flatten().zip(&spec.params) {
                    each_function(value, &param.refined, spec, &mut |function, _, id| {
                        let Value::Seq(results) = function else { return };
                        let new = results.iter().map(|result| (id, result.clone()));
                        new.for_each(|entry| {
                            if !found.contains(&entry) {
                                found.push(entry)
                            }
                        });
                    });
                }
            }
            n_sizes += usize::from(has_members);
            if n_sizes == SIZES.1 {
                break;
            }
        }
        found
    }
}
