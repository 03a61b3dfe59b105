//! Groups the events of a run by function: the results of all generators, in all rounds.

use anyhow::Result;

use super::rounds::Rounds;
use super::verdict::{deciding, disagreement, verdict};
use crate::events::outcome::Verdict;
use crate::events::{CounterexampleEvent, Event, FunctionFinished, ProblemEvent};

/// The generator's name in the rows of a run without specs.
pub const API: &str = "api";

/// The results of a function.
#[derive(Clone, Debug)]
pub struct Function {
    /// At least one row: sorted by round, and in each round the main generator first.
    rows: Vec<FunctionFinished>,
}

impl Function {
    /// The main generator's row of the first round.
    pub fn main(&self) -> &FunctionFinished {
        &self.rows[0]
    }

    /// The rows of all generators, in all rounds.
    pub fn rows(&self) -> &[FunctionFinished] {
        &self.rows
    }

    /// The verdict on the function.
    pub fn verdict(&self) -> Verdict {
        verdict(&self.rows).expect("there is a row")
    }

    /// The row that gives the verdict.
    pub fn deciding(&self) -> &FunctionFinished {
        deciding(&self.rows).expect("there is a row")
    }

    /// A sentence for reports if the main generator has another verdict.
    pub fn disagreement(&self) -> Option<String> {
        disagreement(&self.rows)
    }

    /// The rows of each generator, the main one first.
    pub fn generators(&self) -> Vec<Rounds<'_>> {
        generators(&self.rows)
    }

    /// The counterexamples worth showing, each with the first generator that found it.
    pub fn counterexamples(&self) -> Vec<(&str, &CounterexampleEvent)> {
        shown(&self.rows)
    }

    /// The mistake in its spec.
    pub fn problem(&self) -> Option<&ProblemEvent> {
        self.rows.iter().find_map(|row| row.problem.as_ref())
    }
}

/// The rows of a function by generator, the main one first.
pub fn generators(rows: &[FunctionFinished]) -> Vec<Rounds<'_>> {
    let mut all: Vec<Rounds> = Vec::new();
    for row in rows {
        match all.iter_mut().find(|rounds| rounds.generator == row.generator) {
            Some(rounds) => rounds.rows.push(row),
            None => all.push(Rounds { generator: &row.generator, rows: vec![row] }),
        }
    }
    all
}

/// The counterexamples worth showing: the first inside the space and the first beyond it, each from the first
/// generator that has one.
pub fn shown(rows: &[FunctionFinished]) -> Vec<(&str, &CounterexampleEvent)> {
    let all = rows.iter().flat_map(|row| {
        let both = [&row.counterexample, &row.boundary_counterexample];
        both.into_iter().flatten().map(move |found| (&*row.generator, found))
    });
    let (beyond, inside): (Vec<_>, Vec<_>) = all.partition(|(_, found)| found.boundary);
    let inside = inside.into_iter().next();
    // Shrinking may have turned a boundary case into the other counterexample.
    let is_new = |found: &&CounterexampleEvent| inside.is_none_or(|(_, shown)| shown.args != found.args);
    let beyond = beyond.into_iter().next().filter(|(_, found)| is_new(found));
    inside.into_iter().chain(beyond).collect()
}

/// The rows of the current function.
#[derive(Debug, Default)]
struct Open {
    rows: Vec<FunctionFinished>,
}

impl Open {
    /// Adds a row; returns the previous function, if the row belongs to another.
    fn add(&mut self, row: FunctionFinished) -> Option<Function> {
        let same = |open: &FunctionFinished| (&open.package, &open.function) == (&row.package, &row.function);
        let before = if self.rows.first().is_some_and(same) { None } else { self.end() };
        self.rows.push(row);
        before
    }

    /// The last function, if there is one, after all rows.
    fn end(&mut self) -> Option<Function> {
        let rows = std::mem::take(&mut self.rows);
        (!rows.is_empty()).then_some(Function { rows })
    }
}

/// A function, or an event that belongs to none.
#[derive(Debug)]
pub enum Part {
    /// All results of a function.
    Function(Function),
    /// Another event.
    Event(Event),
}

/// Groups the events by function, in order; only one function is in memory at a time.
pub fn parts(events: impl Iterator<Item = Result<Event>>) -> impl Iterator<Item = Result<Part>> {
    let mut open = Open::default();
    events.map(Some).chain([None]).flat_map(move |event| {
        let (function, event) = match event {
            Some(Ok(Event::FunctionFinished(row))) => (open.add(*row), None),
            None | Some(Err(_) | Ok(Event::RunFinished(_))) => (open.end(), event),
            other => (None, other),
        };
        let function = function.map(|function| Ok(Part::Function(function)));
        function.into_iter().chain(event.map(|event| event.map(Part::Event)))
    })
}
