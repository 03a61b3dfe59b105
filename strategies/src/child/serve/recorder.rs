//! Records which goals of a run the cases of this process meet. Each goal is reported once, with its first case.

use crate::child::goals::{Goals, RETURNED, n_codes, variant_of};
use crate::logic::eval::Judge;
use crate::logic::value::Value;
use crate::space::{Allowed, Part};

/// The goals that are still open, and those met since the last report.
pub(super) struct Recorder<'s> {
    goals: Goals<'s>,
    /// By goal.
    is_met: Vec<bool>,
    /// The parts with open goals.
    parts: Vec<OpenPart>,
    /// Number of variants of the result that did not occur.
    n_variants: usize,
    /// The index in the batch of the first case that meets a goal, and the goal.
    met: Vec<(u64, u32)>,
    /// The index of the running case.
    offset: u64,
}

/// A part with open goals.
struct OpenPart {
    part: Part,
    first: u32,
    /// Number of open goals.
    n_open: usize,
}

impl<'s> Recorder<'s> {
    /// Starts with all goals open. The judge records decisions from now on.
    pub(super) fn new(goals: Goals<'s>, judge: &mut Judge<'_>) -> Recorder<'s> {
        judge.watch(&goals.decisions);
        let open = |(first, part): &(u32, Part)| {
            let n_open = match &part.allowed {
                Allowed::Values { codes, .. } => codes.len(),
                Allowed::Variants { .. } | Allowed::Lengths { .. } => n_codes(&part.allowed) as usize,
            };
            OpenPart { part: part.clone(), first: *first, n_open }
        };
        let parts = goals.parts.iter().map(open).collect();
        let n_goals = goals.len() as usize;
        let n_variants = goals.variants.len();
        // No case is charged for memory that grows here.
        let met = Vec::with_capacity(n_goals);
        Recorder { goals, is_met: vec![false; n_goals], parts, n_variants, met, offset: 0 }
    }

    /// A case begins.
    pub(super) fn begin(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// The running case is valid, and did not fail.
    pub(super) fn passed(&mut self, args: &[Value]) {
        let (is_met, met, offset) = (&mut self.is_met, &mut self.met, self.offset);
        self.parts.retain_mut(|OpenPart { part, first, n_open }| {
            part.goals(args, &mut |code| {
                let goal = *first + code;
                if !is_met[goal as usize] {
                    is_met[goal as usize] = true;
                    met.push((offset, goal));
                    *n_open -= 1;
                    // Once a list is longer than all goals, its other lengths don't matter.
                    if matches!(part.allowed, Allowed::Lengths { .. }) && code + 1 == n_codes(&part.allowed) {
                        *n_open = 0;
                    }
                }
            });
            *n_open > 0
        });
    }

    /// The running case returned this, and keeps the postcondition.
    pub(super) fn returned(&mut self, result: &Value, judge: &mut Judge<'_>) {
        self.meet(RETURNED);
        for number in judge.taken() {
            self.meet(self.goals.decision(number as usize));
        }
        if self.n_variants > 0
            && let Some(variant) = variant_of(result)
            && let Some(index) = self.goals.variants.iter().position(|other| *other == variant)
            && self.meet(self.goals.variant(index))
        {
            self.n_variants -= 1;
        }
    }

    /// Meets a goal; returns whether it was open.
    fn meet(&mut self, goal: u32) -> bool {
        let is_open = !self.is_met[goal as usize];
        if is_open {
            self.is_met[goal as usize] = true;
            self.met.push((self.offset, goal));
        }
        is_open
    }

    /// What the cases since the last call met.
    pub(super) fn take(&mut self) -> Vec<(u64, u32)> {
        self.met.drain(..).collect()
    }
}
