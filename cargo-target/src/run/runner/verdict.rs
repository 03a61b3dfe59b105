//! Infers the outcome shown in reports from counts and examined failures.

use target_bridge::generate::{End, GeneratorKind};

use super::counts::Counts;
use super::course::Course;
use crate::events::outcome::{Counterexample, Outcome, Problem, Stopped, Verdict};
use crate::run::worker::{MAKING, SpecError};

/// Why members of a space are missing if nothing else is unknown.
const UNEXTENDED: &str =
    "some sequences of calls lead to a state that a shorter one reaches; only the shorter one was extended";

/// Infers the outcome of a run.
pub(super) fn conclude(
    generator: GeneratorKind,
    course: Course,
    counterexample: Option<Counterexample>,
    boundary_counterexample: Option<Counterexample>,
) -> Outcome {
    let Course { counts, stopped, end, mut reached, .. } = course;
    // What extends a redundant sequence of calls is a member, too, and what has a slow argument.
    let missing = missing(&counts);
    let is_whole = missing.is_empty();
    reached.complete_size = reached.complete_size.filter(|_| is_whole);
    let exhausted = end == Some(End::Exhausted) && is_whole;
    let is_cut_off = stopped == Some(Stopped::Budget);
    // All members ran; missing boundary cases don't matter.
    let stopped = stopped.filter(|reason| !(exhausted && matches!(reason, Stopped::Budget | Stopped::Cases)));
    let failed = counterexample.is_some() || boundary_counterexample.is_some();
    let (verdict, problem) = match &counts.spec_error {
        Some(error) => (Verdict::Error, Some(spec_problem(error))),
        None if exhausted && counts.valid == 0 => (Verdict::Vacuous, Some(vacuous())),
        None if exhausted && counts.valid_inside == 0 => {
            let verdict = if failed { Verdict::Failed } else { Verdict::Passed };
            (verdict, Some(empty_within(counts.valid)))
        }
        None if failed => (Verdict::Failed, None),
        None if counts.valid == 0 => (Verdict::GaveUp, None),
        None => (Verdict::Passed, None),
    };
    Outcome {
        generator,
        verdict,
        stopped,
        exhausted,
        is_cut_off,
        cases: counts.cases,
        valid: counts.valid,
        discarded: counts.discarded,
        distinct: counts.distinct,
        valid_inside: counts.valid_inside,
        boundary_cases: counts.boundary_cases,
        beyond_timeouts: counts.beyond_timeouts,
        beyond_undecided: counts.beyond_undecided,
        first_undecided: counts.first_undecided,
        left_out: counts.left_out,
        reached,
        cases_to_failure: counts.cases_to_failure,
        seconds: course.seconds,
        seconds_to_failure: course.seconds_to_failure,
        generating: course.generating,
        solving: course.solving,
        curve: course.curve,
        sketch: course.sketch,
        notes: course.notes.filter(|_| verdict == Verdict::Passed),
        counterexample,
        boundary_counterexample,
        failures: Vec::new(),
        returned: None,
        examples: Vec::new(),
        printed: None,
        unknowns: unknowns(end, missing),
        problem,
    }
}

/// Why members are missing from a space that the generator exhausted.
fn missing(counts: &Counts) -> Vec<String> {
    let late = format!(
        "calls that make an argument took longer than one part in {MAKING} of `timeout`; inputs with it were left out"
    );
    let unextended = (counts.unextended > 0).then(|| UNEXTENDED.to_owned());
    unextended.into_iter().chain(counts.has_late.then_some(late)).collect()
}

/// Why members may be missing.
fn unknowns(end: Option<End>, missing: Vec<String>) -> Vec<String> {
    match end {
        Some(End::Unknown(reasons)) => reasons,
        Some(End::Asked(what)) => vec![what],
        Some(End::Exhausted) => missing,
        Some(End::Closed) | None => Vec::new(),
    }
}

fn spec_problem(error: &SpecError) -> Problem {
    Problem {
        message: error.message.clone(),
        help: None,
        clauses: error.clause.into_iter().collect(),
        args: Some(error.args.clone()),
    }
}

/// The problem if valid inputs ran, but none is in the exhausted space.
fn empty_within(n_valid: u64) -> Problem {
    let inputs =
        if n_valid == 1 { "the 1 valid input is" } else { &format!("the {n_valid} valid inputs are") };
    Problem {
        message: format!("no input within depth and bound satisfies the spec: {inputs} beyond them"),
        help: Some("raise `depth` or `bound`: beyond them, inputs are only sampled".to_owned()),
        clauses: Vec::new(),
        args: None,
    }
}

fn vacuous() -> Problem {
    let message = "no input within depth and bound satisfies the spec".to_string();
    Problem { message, help: None, clauses: Vec::new(), args: None }
}
