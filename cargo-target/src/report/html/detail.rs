//! The details of a function, which the page's script shows on demand: numbers over the rounds by generator, curves,
//! sizes, boundaries, counterexamples.

use serde::Serialize;

use super::covered::Covered;
use super::curve::Curve;
use super::spread::{Figure, number, rounded};
use crate::events::outcome::Verdict;
use crate::events::words::{call, not_confirmed, reach, stopped, what_happened};
use crate::events::{CounterexampleEvent, FunctionCovered, FunctionFinished, ProblemEvent};
use crate::report::functions::{generators, shown};
use crate::report::rounds::Rounds;
use crate::report::verdict::disagreement;

/// All details of a function.
#[derive(Debug, Serialize)]
pub struct Detail<'r> {
    package: &'r str,
    function: &'r str,
    /// The call with `{}` for the arguments, if functions that it returns are called.
    form: Option<&'r str>,
    verdict: Verdict,
    depth: u32,
    bound: u32,
    rounds: u32,
    generators: Vec<Generator<'r>>,
    /// The boundaries of ranges: the part of the input, and the condition that holds there.
    boundaries: Vec<[&'r str; 2]>,
    counterexamples: Vec<Found<'r>>,
    /// A sentence if the main generator has another verdict than the function.
    disagreement: Option<String>,
    problem: Option<&'r ProblemEvent>,
    /// The coverage of each generator.
    covered: Vec<Covered<'r>>,
}

/// A generator's rounds.
#[derive(Debug, Serialize)]
struct Generator<'r> {
    name: &'r str,
    main: bool,
    /// Each verdict, and its number of rounds.
    verdicts: Vec<(&'r str, usize)>,
    /// Each reason to stop, and its number of rounds.
    stopped: Vec<(&'r str, usize)>,
    valid: Option<Figure>,
    discarded: Option<Figure>,
    distinct: Option<Figure>,
    boundary: Option<Figure>,
    seconds: Option<Figure>,
    /// The shares of the time for generating and for solving, which may overlap in threads.
    generating: Option<Figure>,
    solving: Option<Figure>,
    /// The first failing case of each round; 0 if it found no failure.
    failed_at: Vec<u64>,
    failed_seconds: Vec<serde_json::Number>,
    curve: Curve,
    /// Number of inputs examined for sizes and boundaries, over all rounds.
    inputs: u64,
    /// Each size, and its number of inputs.
    sizes: Vec<(u64, u64)>,
    /// For each boundary of the function, the number of inputs that touch it; `None` if no input had that part.
    boundaries: Vec<Option<u64>>,
    unknowns: Vec<String>,
    /// The failing call, if it found a failure.
    call: Option<String>,
}

/// A counterexample to show.
#[derive(Debug, Serialize)]
struct Found<'r> {
    generator: &'r str,
    /// The failure, in words.
    happened: String,
    /// Why it is not confirmed, if it isn't.
    doubt: Option<&'static str>,
    #[serde(flatten)]
    event: &'r CounterexampleEvent,
}

impl<'r> Detail<'r> {
    /// The details from the generators' results.
    pub fn new(rows: &'r [FunctionFinished], covered: &'r [FunctionCovered], verdict: Verdict) -> Detail<'r> {
        let mut boundaries: Vec<[&str; 2]> = Vec::new();
        for known in rows.iter().flat_map(|row| &row.sketch.boundaries) {
            let boundary = [known.part.as_str(), known.condition.as_str()];
            if !boundaries.contains(&boundary) {
                boundaries.push(boundary);
            }
        }
        let found = |(generator, event)| {
            let (happened, doubt) = (what_happened(event), not_confirmed(event));
            Found { generator, happened, doubt, event }
        };
        Detail {
            package: &rows[0].package,
            function: &rows[0].function,
            form: rows[0].call.as_deref(),
            verdict,
            depth: rows[0].depth,
            bound: rows[0].bound,
            rounds: rows.iter().map(|row| row.round + 1).max().unwrap_or(1),
            generators: generators(rows).iter().map(|rounds| Generator::new(rounds, &boundaries)).collect(),
            counterexamples: shown(rows).into_iter().map(found).collect(),
            disagreement: disagreement(rows),
            problem: rows.iter().find_map(|row| row.problem.as_ref()),
            covered: covered.iter().map(Covered::new).collect(),
            boundaries,
        }
    }
}

impl<'r> Generator<'r> {
    fn new(of: &Rounds<'r>, boundaries: &[[&str; 2]]) -> Generator<'r> {
        let rounds = of.rows.as_slice();
        let spread = |figure: fn(&FunctionFinished) -> f64| of.spread(|row| Some(figure(row))).map(Figure);
        let reasons = rounds.iter().flat_map(|row| reach(row).into_iter().chain(row.unknowns.clone()));
        let mut unknowns: Vec<String> = reasons.collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let seconds = |row: &&FunctionFinished| number(rounded(row.seconds_to_failure.unwrap_or(0.0)));
        let failing = |row: &&FunctionFinished| {
            let found = row.counterexample.as_ref()?;
            Some(call(row, found))
        };
        Generator {
            name: of.generator,
            main: rounds[0].main,
            verdicts: counted(rounds.iter().map(|row| row.verdict.name())),
            stopped: counted(rounds.iter().map(|row| stopped(row))),
            valid: spread(|row| row.valid as f64),
            discarded: spread(|row| row.discarded as f64),
            distinct: spread(|row| row.distinct as f64),
            boundary: spread(|row| row.boundary_cases as f64),
            seconds: spread(|row| row.seconds),
            generating: spread(|row| share(row.generating_seconds, row.seconds)),
            solving: spread(|row| share(row.solver_seconds, row.seconds)),
            failed_at: rounds.iter().map(|row| row.cases_to_failure.unwrap_or(0)).collect(),
            failed_seconds: rounds.iter().map(seconds).collect(),
            curve: Curve::new(rounds),
            inputs: rounds.iter().map(|row| row.sketch.inputs).sum(),
            sizes: sizes(rounds),
            boundaries: boundaries.iter().map(|boundary| touched(rounds, *boundary)).collect(),
            unknowns,
            call: rounds.iter().find_map(failing),
        }
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Each word and its count, in order of first appearance.
fn counted<'w>(words: impl Iterator<Item = &'w str>) -> Vec<(&'w str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counted.iter_mut().find(|(known, _)| *known == word) {
            Some((_, n)) => *n += 1,
            None => counted.push((word, 1)),
        }
    }
    counted
}

fn sizes(rounds: &[&FunctionFinished]) -> Vec<(u64, u64)> {
    let mut sizes = std::collections::BTreeMap::new();
    for size in rounds.iter().flat_map(|row| &row.sketch.sizes) {
        *sizes.entry(size.size).or_default() += size.inputs;
    }
    sizes.into_iter().collect()
}

fn touched(rounds: &[&FunctionFinished], boundary: [&str; 2]) -> Option<u64> {
    let is_it =
        |known: &&crate::events::BoundaryEvent| [known.part.as_str(), known.condition.as_str()] == boundary;
    let known = rounds.iter().flat_map(|row| &row.sketch.boundaries).filter(is_it);
    known.map(|known| known.inputs).reduce(|sum, inputs| sum + inputs)
}
