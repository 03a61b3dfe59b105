//! "PBT observations": the results of inputs, one JSON object a line, in the format that Hypothesis defines and Tyche
//! shows.
//!
//! The lines of a run are ordered by function, generator, round and case. They go into a file without a name, which
//! gets its name at the end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use target_strategies::child::protocol::Failure;
use target_strategies::logic::value::Value;
use target_strategies::space::skeleton_of;

use crate::events::FunctionFinished;
use crate::events::describe::{Describer, Round};
use crate::events::json::json as as_json;
use crate::events::words;
use crate::run::runner::{Fate, Seen};
use crate::system::exit_code::usage;
use crate::system::files::{Output, from_here};

/// The file of a run.
pub struct Observations {
    path: PathBuf,
    output: Output,
    /// The first error while writing.
    broken: Option<std::io::Error>,
}

impl Observations {
    /// A file that appears when the run is over. If it can't be created, that is an error now.
    pub fn create(path: &Path) -> Result<Observations> {
        let output = Output::open(path)
            .map_err(|error| usage(format!("--observations can't write {}: {error}", path.display())))?;
        Ok(Observations { path: path.to_owned(), output, broken: None })
    }

    /// Adds lines.
    pub fn write(&mut self, lines: &str) {
        if self.broken.is_none() {
            self.broken = self.output.write_all(lines.as_bytes()).err();
        }
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.broken.map_or(Ok(()), Err).with_context(|| format!("write {}", from_here(&self.path)))?;
        self.output.finish()
    }
}

/// The start of a run in the format of observations: it identifies the run.
pub fn run_start() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// Collects the lines about one generator on one function in one round.
pub struct Observer<'o> {
    describer: &'o Describer<'o>,
    run_start: f64,
    generator: &'static str,
    round: Round,
    /// Maximum number of cases in the file, besides failing ones.
    most: u64,
    n_told: u64,
    lines: String,
}

/// A line about a case.
#[derive(Serialize)]
struct TestCase<'a> {
    r#type: &'static str,
    run_start: f64,
    property: &'a str,
    status: &'static str,
    status_reason: String,
    representation: String,
    arguments: Map<String, Json>,
    how_generated: &'a str,
    features: Json,
    coverage: Option<()>,
    timing: Map<String, Json>,
    metadata: Json,
}

/// A line about a generator's run.
#[derive(Serialize)]
struct Info<'a> {
    r#type: &'static str,
    run_start: f64,
    property: &'a str,
    title: String,
    content: String,
}

impl<'o> Observer<'o> {
    /// An observer without lines.
    pub fn new(
        describer: &'o Describer<'o>,
        run_start: f64,
        generator: &'static str,
        round: Round,
        most: u64,
    ) -> Observer<'o> {
        Observer { describer, run_start, generator, round, most, n_told: 0, lines: String::new() }
    }

    /// Adds a case, unless there are enough.
    pub fn see(&mut self, seen: Seen<'_>) {
        let (status, status_reason) = match seen.fate {
            Fate::Passed => ("passed", String::new()),
            Fate::Discarded => ("gave_up", "the precondition rejects it".to_owned()),
            Fate::Failed(failure) => ("failed", self.reason(failure)),
        };
        if self.n_told >= self.most && status != "failed" {
            return;
        }
        self.n_told += 1;
        let subject = self.describer.subject;
        let args = self.describer.arguments(seen.args, false);
        let line = TestCase {
            r#type: "test_case",
            run_start: self.run_start,
            property: &self.property(),
            status,
            status_reason,
            representation: subject.applied(&subject.spec.name, &args),
            arguments: self.arguments(seen.args),
            how_generated: self.generator,
            features: json!({
                "size": skeleton_of(seen.args).size(),
                "location": location(&seen),
                "round": self.round.number,
            }),
            coverage: None,
            timing: Map::new(),
            metadata: json!({
                "package": self.describer.package,
                "function": subject.spec.name,
                "seed": self.round.seed,
            }),
        };
        self.push(&line);
    }

    /// The lines, followed by a line about the whole run.
    pub fn finish(mut self, row: &FunctionFinished) -> String {
        let FunctionFinished { valid, discarded, distinct, .. } = row;
        let round = if row.round == 0 { String::new() } else { format!(", round {}", row.round) };
        let mut content = format!("{valid} valid, {discarded} discarded, {distinct} distinct");
        for found in [&row.counterexample, &row.boundary_counterexample].into_iter().flatten() {
            let call = words::call(row, found);
            content.push_str(&format!("; `{call}` {}", words::what_happened(found)));
        }
        if self.n_told < row.cases {
            content.push_str(&format!("; {} of {} cases are observed", self.n_told, row.cases));
        }
        let line = Info {
            r#type: "info",
            run_start: self.run_start,
            property: &self.property(),
            title: format!("{}{round}: {}", self.generator, row.verdict.name()),
            content,
        };
        self.push(&line);
        self.lines
    }

    fn push(&mut self, line: &impl Serialize) {
        let line = serde_json::to_string(line).expect("its keys are strings, and its numbers finite");
        self.lines.push_str(&line);
        self.lines.push('\n');
    }

    fn property(&self) -> String {
        format!("{}::{}", self.describer.package, self.describer.subject.spec.name)
    }

    fn arguments(&self, args: &[Value]) -> Map<String, Json> {
        let spec = &self.describer.subject.spec;
        let named = spec.params.iter().zip(args);
        named.map(|(param, arg)| (param.name.clone(), as_json(arg, &param.refined, spec))).collect()
    }

    /// Why a case failed, in a line.
    fn reason(&self, failure: &Failure) -> String {
        let mut reason = failure.kind.name().to_owned();
        if !failure.message.is_empty() {
            reason.push_str(&format!(": {}", failure.message.trim_end()));
        }
        if let Some(location) = &failure.location {
            reason.push_str(&format!(" at {location}"));
        }
        if let Some(clause) = failure.clause.and_then(|id| self.describer.clause_text(id)) {
            reason.push_str(&format!(": breaks `{clause}`"));
        }
        reason
    }
}

/// Whether a case is inside the bound, beyond it, or outside of the spec.
fn location(seen: &Seen<'_>) -> &'static str {
    match (seen.fate, seen.beyond) {
        (Fate::Discarded, _) => "outside of the spec",
        (_, true) => "beyond the bound",
        (_, false) => "inside the bound",
    }
}
