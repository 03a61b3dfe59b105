//! Turns a run's [`Outcome`] into text for reports: values become Rust code, clauses the user's own text with
//! positions, a counterexample a test to paste.

mod clause;
mod notes;
mod home;
pub mod limits;
mod std_types;
mod same;
mod judged;
mod recorded;
mod test;

pub use home::Home;
use std::path::Path;

use target_bridge::frontend::declarations::library;
use target_bridge::frontend::diagnostic::{Sources, Span};
use target_bridge::frontend::elaborate::print::Printer;
use target_bridge::frontend::manifest::FunctionEntry;
use target_bridge::frontend::subject::{Call, Subject};
use target_bridge::generate::GeneratorKind;
use target_strategies::beyond::Source;
use target_strategies::logic::eval::{Boundary, Touched};
use target_strategies::logic::ir::{Refined, Sort, Spec};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use crate::events::outcome::{Counterexample, Outcome, Point, Problem, Returned, Sketch};
use crate::events::{
    BoundaryEvent, ClauseEvent, CounterexampleEvent, DifferentEvent, FunctionFinished, GeneralEvent,
    PointEvent, ProblemEvent, ReturnedEvent, SizeEvent, SketchEvent,
};

/// The data for describing an outcome.
pub struct Describer<'a> {
    /// The name of the package.
    pub package: &'a str,
    /// The name of its library, as in `use`.
    pub crate_name: &'a str,
    /// The options that the rerun command must repeat.
    pub options: &'a [String],
    /// The function.
    pub subject: &'a Subject,
    /// The files that contain the clauses.
    pub sources: &'a Sources,
    /// All functions of the package, whose tests have other names.
    pub functions: &'a [FunctionEntry],
}

/// A round of a run, with its seed.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// From 0.
    pub number: u32,
    /// The seed of the generators.
    pub seed: u64,
}

impl Describer<'_> {
    /// The name of the function's first test.
    pub fn test_name(&self) -> String {
        test_name(&self.subject.spec.name, self.functions.iter().map(|entry| entry.key.text.as_str()))
    }

    /// The call with `{}` for the arguments, if functions that it returns are called.
    fn call_of_returned(&self) -> Option<String> {
        let Subject { spec, returned, .. } = self.subject;
        let args = vec!["{}".to_owned(); spec.params.len()];
        (!returned.is_empty()).then(|| self.subject.applied(&spec.name, &args))
    }

    /// An outcome as an event.
    pub fn finished(&self, outcome: &Outcome, main: bool, round: Round) -> FunctionFinished {
        let base = self.test_name();
        let describe = |found: &Option<Counterexample>, n: usize| {
            found.as_ref().map(|found| self.counterexample(found, &numbered(&base, n)))
        };
        let inside = describe(&outcome.counterexample, 1);
        let beyond = describe(&outcome.boundary_counterexample, 1 + usize::from(inside.is_some()));
        let (counterexample, boundary_counterexample) = match inside {
            Some(inside) => (Some(inside), beyond),
            None => (beyond, None),
        };
        FunctionFinished {
            package: self.package.to_owned(),
            function: self.subject.spec.name.clone(),
            call: self.call_of_returned(),
            generator: generator_name(outcome.generator).into(),
            main,
            round: round.number,
            seed: round.seed,
            verdict: outcome.verdict,
            cases: outcome.cases,
            valid: outcome.valid,
            discarded: outcome.discarded,
            distinct: outcome.distinct,
            valid_inside: outcome.valid_inside,
            boundary_cases: outcome.boundary_cases,
            beyond_timeouts: outcome.beyond_timeouts,
            beyond_undecided: outcome.beyond_undecided,
            first_undecided: outcome.first_undecided.as_ref().map(|args| self.arguments(args, false)),
            left_out: outcome.left_out,
            exhausted: outcome.exhausted,
            stopped: outcome.stopped,
            complete_size: outcome.reached.complete_size,
            space: outcome.reached.n_members,
            different: outcome.reached.different.map(DifferentEvent::of),
            cases_to_failure: outcome.cases_to_failure,
            seconds_to_failure: outcome.seconds_to_failure,
            seconds: outcome.seconds,
            generating_seconds: outcome.generating.as_secs_f64(),
            solver_seconds: outcome.solving.as_secs_f64(),
            curve: outcome.curve.iter().map(point).collect(),
            sketch: self.sketch(&outcome.sketch),
            notes: outcome.notes.as_ref().map(|notes| self.notes(notes)),
            counterexample,
            boundary_counterexample,
            returned: outcome.returned.as_ref().map(|returned| self.returned(returned)),
            examples: outcome.examples.iter().map(|returned| self.returned(returned)).collect(),
            printed: outcome.printed.clone(),
            unknowns: outcome.unknowns.clone(),
            problem: outcome.problem.as_ref().map(|problem| self.problem(problem)),
            depth: self.subject.settings.depth,
            bound: self.subject.settings.bound,
        }
    }

    fn sketch(&self, sketch: &Sketch) -> SketchEvent {
        let spec = &self.subject.spec;
        let mut names: Vec<String> = spec.params.iter().map(|param| param.name.clone()).collect();
        names.push("v".to_owned());
        let printer =
            Printer { names: &names, data: &spec.data, functions: &spec.functions, regexes: &spec.regexes };
        let boundary = |(boundary, inputs): &(Boundary, u64)| BoundaryEvent {
            part: boundary.part.clone(),
            condition: match &boundary.touched {
                Touched::Where(term) => printer.term(term),
                Touched::Empty => "v.is_empty()".to_owned(),
            },
            inputs: *inputs,
        };
        SketchEvent {
            inputs: sketch.inputs,
            sizes: sketch.sizes.iter().map(|&(size, inputs)| SizeEvent { size, inputs }).collect(),
            boundaries: sketch.boundaries.iter().map(boundary).collect(),
        }
    }

    /// A counterexample, with the name of its test.
    fn counterexample(&self, found: &Counterexample, test: &str) -> CounterexampleEvent {
        let spec = &self.spec();
        let failure = &found.failure;
        let args = self.arguments(&found.args, false);
        let tuple = self.tuple(&found.args);
        CounterexampleEvent {
            result: failure.result.as_ref().and_then(|value| result(value, spec)),
            after: failure.after.as_ref().map(|after| self.arguments(after, false)),
            failure: failure.kind.name().into(),
            message: failure.message.clone(),
            location: self.panic_location(failure.location.as_deref()),
            clause: failure.clause.and_then(|id| self.clause_text(id)),
            clause_location: failure.clause.map(|id| self.clause_location(id)),
            boundary: !found.is_inside,
            source: found.source.filter(|_| !found.saved && !found.is_inside).map(|source| match source {
                Source::Boundary => "boundary".into(),
                Source::Large => "large".into(),
            }),
            saved: found.saved,
            confirmed: found.confirmed,
            replayed: found.replayed,
            shrinks: found.shrinks,
            tries: found.tries,
            general: found.general.as_ref().map(|general| GeneralEvent {
                args: self.arguments(&general.args, false),
                tried: general.tried,
            }),
            unguarded: self.subject.unguarded.clone(),
            test: self.test(found, test),
            rerun: format!(
                "cargo target run -p {}{} --exact {} --case {}",
                self.package,
                self.options.iter().map(|option| format!(" {}", shell_word(option))).collect::<String>(),
                shell_word(&spec.name),
                shell_word(&tuple)
            ),
            args,
        }
    }

    fn returned(&self, returned: &Returned) -> ReturnedEvent {
        ReturnedEvent {
            args: self.arguments(&returned.args, false),
            result: returned.result.as_ref().ok().and_then(|value| result(value, &self.spec())),
            panicked: returned.result.as_ref().err().cloned(),
            after: returned.after.as_ref().map(|after| self.arguments(after, false)),
        }
    }

    /// The location of a panic. A function with `#[track_caller]` blames its caller, which is the harness; in the
    /// user's terms that is the closure of the spec, or the call itself, which needs no location.
    fn panic_location(&self, location: Option<&str>) -> Option<String> {
        let location = location?;
        let file = Path::new(location.split(".rs:").next().unwrap_or(location));
        let is_harness =
            file.ends_with("harness") && file.components().any(|part| part.as_os_str() == "scratch");
        match &self.subject.call {
            _ if !is_harness => Some(location.to_owned()),
            Call::Closure { span, .. } => Some(self::location(self.sources, *span)),
            Call::Path { .. } => None,
        }
    }

    /// The spec, with constructors' paths as in reports.
    fn spec(&self) -> Spec {
        let mut spec = self.subject.spec.clone();
        for ctor in spec.data.iter_mut().flat_map(|data| &mut data.ctors) {
            ctor.rust_path = self.path(&ctor.rust_path);
        }
        for data in &mut spec.data {
            data.rust_type = self.path(&data.rust_type);
        }
        spec
    }

    /// Arguments as Rust expressions.
    pub fn arguments(&self, args: &[Value], suffix: bool) -> Vec<String> {
        let spec = &self.spec();
        let code = |(value, param): (&Value, &target_strategies::logic::ir::Param)| {
            rust_code::readable(value, &param.refined, spec, suffix)
        };
        args.iter().zip(&spec.params).map(code).collect()
    }

    /// The arguments as `--case` takes them.
    fn tuple(&self, args: &[Value]) -> String {
        let spec = &self.spec();
        let params = args.iter().zip(&spec.params);
        let code = params.map(|(value, param)| rust_code::expression(value, &param.refined, spec, false));
        match code.collect::<Vec<_>>().as_slice() {
            [one] => format!("({one},)"),
            more => format!("({})", more.join(", ")),
        }
    }

    fn problem(&self, problem: &Problem) -> ProblemEvent {
        let clause = |&id: &u32| ClauseEvent {
            text: self.clause_text(id).unwrap_or_default(),
            location: self.clause_location(id),
        };
        ProblemEvent {
            message: problem.message.clone(),
            help: problem.help.clone(),
            clauses: problem.clauses.iter().map(clause).collect(),
            args: problem.args.as_ref().map(|args| self.arguments(args, false)),
        }
    }

    fn clause_location(&self, clause: u32) -> String {
        match self.subject.clause_spans.get(clause as usize) {
            Some(&span) => location(self.sources, span),
            None => String::new(),
        }
    }

    /// A clause as the user wrote it.
    pub fn clause_text(&self, id: u32) -> Option<String> {
        self.subject
            .spec
            .clauses()
            .into_iter()
            .find(|clause| clause.id == id)
            .map(|clause| clause.text.clone())
    }
}

fn point(point: &Point) -> PointEvent {
    let Point { seconds, cases, valid, distinct } = *point;
    PointEvent { seconds, cases, valid, distinct }
}

/// A position as `file:line:column`.
pub fn location(sources: &Sources, span: Span) -> String {
    let (line, column) = sources.line_column(span);
    match sources.file(span.file) {
        Some(file) => format!("{}:{line}:{column}", file.path.display()),
        None if library::is_file(span.file) => "a type that comes with the tool".to_owned(),
        None => "a type of the standard library".to_owned(),
    }
}

/// The name of a generator in reports.
pub fn generator_name(kind: GeneratorKind) -> &'static str {
    match kind {
        GeneratorKind::Auto => "auto",
        GeneratorKind::Native => "native",
        GeneratorKind::Smt => "smt",
        GeneratorKind::Boundary => "boundary",
        GeneratorKind::Large => "large",
        GeneratorKind::Random => "random",
        GeneratorKind::Enumerative => "enumerative",
    }
}

fn is_opaque(refined: &Refined) -> bool {
    matches!(refined.sort, Sort::Opaque(_))
}

/// The name of the test of a function's counterexample. No other key of the package has this name.
fn test_name<'k>(key: &str, keys: impl Iterator<Item = &'k str> + Clone) -> String {
    let name = identifier(key);
    // `a::b_c` and `a_b::c` are numbered.
    let n_before =
        keys.clone().take_while(|other| *other != key).filter(|other| identifier(other) == name).count();
    let is_free = |numbered: &String| keys.clone().all(|other| identifier(other) != *numbered);
    let mut free = (2..).map(|n| format!("{name}_{n}")).filter(is_free);
    let name = n_before.checked_sub(1).and_then(|n| free.nth(n)).unwrap_or(name);
    format!("{name}_counterexample")
}

/// The name of the n-th test, from 1 on, of those that would have the same name.
pub fn numbered(name: &str, n: usize) -> String {
    if n == 1 { name.to_owned() } else { format!("{name}_{n}") }
}

fn identifier(key: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '_' };
    let word: String = key.replace("::", "_").chars().map(word).collect();
    if word.starts_with(|c: char| c.is_numeric()) { format!("_{word}") } else { word }
}

/// A word quoted for a shell.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-:./=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A result as a Rust expression; or the text of an opaque one, if it has any.
fn result(value: &Value, spec: &Spec) -> Option<String> {
    let is_shown = !is_opaque(&spec.result) || matches!(value, Value::Str(_));
    is_shown.then(|| rust_code::readable(value, &spec.result, spec, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_functions_have_different_names() {
        let keys = ["a::b_c", "a_b::c", "a_b_c", "A::b_c", "a::b_c_2", "other"];
        let names = keys.map(|key| test_name(key, keys.into_iter()));
        let numbers = ["a_b_c", "a_b_c_3", "a_b_c_4", "a_b_c_5", "a_b_c_2", "other"];
        assert_eq!(names, numbers.map(|name| format!("{name}_counterexample")));
    }
}
