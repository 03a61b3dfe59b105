//! The data of a run for reports: the counts and how they grew, why it stopped, and a sketch of some valid inputs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use target_bridge::generate::{Batch, End, Reached};
use target_strategies::child::protocol::is_shown;
use target_strategies::logic::eval::{Boundaries, Judge};
use target_strategies::logic::value::Value;
use target_strategies::space::skeleton_of;

use super::counts::Counts;
use super::seen::{self, Fate};
use crate::events::outcome::{Note, Point, Sketch, Stopped};
use crate::run::worker::BatchOutcome;

/// The course of a run, before its failures are examined.
pub(super) struct Course {
    pub(super) counts: Counts,
    pub(super) stopped: Option<Stopped>,
    pub(super) end: Option<End>,
    pub(super) reached: Reached,
    pub(super) seconds: f64,
    pub(super) seconds_to_failure: Option<f64>,
    pub(super) generating: Duration,
    pub(super) solving: Duration,
    pub(super) curve: Vec<Point>,
    pub(super) sketch: Sketch,
    pub(super) notes: Option<Vec<Note>>,
}

/// The counts at moments with growing distances.
#[derive(Debug)]
pub(super) struct Curve {
    started: Instant,
    points: Vec<Point>,
}

impl Curve {
    /// A curve that starts now.
    pub(super) fn new() -> Curve {
        Curve { started: Instant::now(), points: Vec::new() }
    }

    /// Records the counts, if they grew by a tenth since the last record.
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

    /// Seconds since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn point(&self, counts: &Counts) -> Point {
        let Counts { cases, valid, distinct, .. } = *counts;
        Point { seconds: self.seconds(), cases, valid, distinct }
    }
}

/// Builds a [`Sketch`].
pub(super) struct Sketcher<'s> {
    boundaries: &'s Boundaries<'s>,
    judge: Judge<'static>,
    n_inputs: u64,
    sizes: BTreeMap<u64, u64>,
    /// For each line of the spec: the number of inputs with a value there, and of those at a boundary.
    touched: Vec<(u64, u64)>,
}

impl<'s> Sketcher<'s> {
    /// An empty sketch.
    pub(super) fn new(boundaries: &'s Boundaries<'s>) -> Sketcher<'s> {
        let touched = vec![(0, 0); boundaries.all().len()];
        Sketcher { boundaries, judge: Judge::new(None), n_inputs: 0, sizes: BTreeMap::new(), touched }
    }

    /// Adds some of the valid cases among the first `n_counted` of a batch.
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
        for (counts, touched) in self.touched.iter_mut().zip(self.judge.touched(self.boundaries, args)) {
            counts.0 += u64::from(touched.is_some());
            counts.1 += u64::from(touched == Some(true));
        }
    }

    /// The sketch.
    pub(super) fn finish(self) -> Sketch {
        let boundaries = self.boundaries.all().iter().zip(self.touched);
        let boundaries = boundaries.filter(|(_, (seen, _))| *seen > 0);
        Sketch {
            inputs: self.n_inputs,
            sizes: self.sizes.into_iter().collect(),
            boundaries: boundaries.map(|(boundary, (_, touched))| (boundary.clone(), touched)).collect(),
        }
    }
}
