//! What reports tell of a run beside its counts: how these grew, and what some of its valid inputs looked like.

use std::collections::BTreeMap;
use std::time::Instant;

use target_bridge::generate::Batch;
use target_strategies::eval::{Ends, Judge};
use target_strategies::protocol::is_shown;
use target_strategies::space::skeleton_of;
use target_strategies::value::Value;

use super::Counts;
use super::seen::{self, Fate};
use crate::outcome::{Point, Sketch};
use crate::worker::BatchOutcome;

/// The counts at moments that lie ever further apart.
#[derive(Debug)]
pub(super) struct Curve {
    started: Instant,
    points: Vec<Point>,
}

impl Curve {
    /// A curve that begins now.
    pub(super) fn new() -> Curve {
        Curve { started: Instant::now(), points: Vec::new() }
    }

    /// Notes the counts, if a tenth has been added since they were noted last.
    pub(super) fn note(&mut self, counts: &Counts) {
        let last = self.points.last().map_or(0, |point| point.cases);
        if counts.cases > last + last / 10 {
            self.points.push(self.point(counts));
        }
    }

    /// The curve with its last point.
    pub(super) fn finish(mut self, counts: &Counts) -> Vec<Point> {
        let is_noted = self.points.last().is_some_and(|point| point.cases == counts.cases);
        if !is_noted {
            self.points.push(self.point(counts));
        }
        self.points
    }

    /// Seconds since it began.
    pub(super) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn point(&self, counts: &Counts) -> Point {
        let Counts { cases, valid, distinct, .. } = *counts;
        Point { seconds: self.seconds(), cases, valid, distinct }
    }
}

/// A [`Sketch`] in the making.
pub(super) struct Sketcher<'s> {
    ends: &'s Ends<'s>,
    judge: Judge<'static>,
    n_inputs: u64,
    sizes: BTreeMap<u64, u64>,
    /// For each line of the spec, how many inputs had something there, and how many touched it.
    touched: Vec<(u64, u64)>,
}

impl<'s> Sketcher<'s> {
    /// A sketch of nothing.
    pub(super) fn new(ends: &'s Ends<'s>) -> Sketcher<'s> {
        let touched = vec![(0, 0); ends.all().len()];
        Sketcher { ends, judge: Judge::new(None), n_inputs: 0, sizes: BTreeMap::new(), touched }
    }

    /// Looks at some of the valid cases of a batch, of the first ones, as many as were counted.
    pub(super) fn look(&mut self, batch: &Batch, outcome: &BatchOutcome, n_counted: u64) {
        seen::tell_counted(batch, outcome, n_counted, &mut |offset, seen| {
            if is_shown(offset) && !matches!(seen.fate, Fate::Discarded) {
                self.add(seen.args);
            }
        });
    }

    fn add(&mut self, args: &[Value]) {
        self.n_inputs += 1;
        *self.sizes.entry(skeleton_of(args).size()).or_default() += 1;
        for (counts, touched) in self.touched.iter_mut().zip(self.judge.touched(self.ends, args)) {
            counts.0 += u64::from(touched.is_some());
            counts.1 += u64::from(touched == Some(true));
        }
    }

    /// The sketch.
    pub(super) fn finish(self) -> Sketch {
        let ends = self.ends.all().iter().zip(self.touched);
        let ends = ends.filter(|(_, (seen, _))| *seen > 0);
        Sketch {
            inputs: self.n_inputs,
            sizes: self.sizes.into_iter().collect(),
            ends: ends.map(|(end, (_, touched))| (end.clone(), touched)).collect(),
        }
    }
}
