//! `cargo target sample NAME`: prints inputs of a function, or values of a named type, without running anything.
//!
//! The first inputs of the default schedule are as varied as those of a run. With `--different`, they are a set whose
//! members differ pairwise.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use serde_json::Value as Json;
use target_bridge::frontend::manifest::Settings;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::auto::{Auto, AutoOptions};
use target_bridge::generate::different;
use target_bridge::generate::members::{Members, Next};
use target_strategies::cancel;
use target_strategies::logic::ir::{Pointer, Refined};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use crate::commands::prologue::{self, wanted};
use crate::events::{DifferentEvent, json, words};
use crate::options::args;
use crate::options::config;
use crate::report::MessageFormat;
use crate::run::checked::{Checked, Filter};
use crate::run::launch::space;
use crate::run::planning::{Interrupted, Planning};
use crate::system::console;
use crate::system::exit_code::{self, usage};

/// Number of inputs, unless `--cases` or `different` says how many.
const FEW: u64 = 20;

/// The seed of the schedule.
const SEED: u64 = 0;

/// An input as JSON.
#[derive(Serialize)]
struct Line<'a> {
    package: &'a str,
    function: &'a str,
    args: Vec<Json>,
}

/// What was found.
struct Sampled {
    inputs: Vec<Vec<Value>>,
    set: Option<DifferentEvent>,
    /// Why there may be more, or none.
    reasons: Vec<String>,
}

/// `cargo target sample`: returns the exit code.
pub fn sample(args: &args::Sample, interrupted: &Interrupted) -> Result<u8> {
    let (_config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let overrides = config::overrides(&args.limits);
    let filter = Filter { words: vec![args.name.clone()], exact: true };
    let Some(mut checked) = prologue::check(&project, &overrides, &filter, &mut report)? else {
        return Ok(exit_code::USAGE);
    };
    checked.iter_mut().for_each(|package| package.add_types(&|name| name == args.name));
    if prologue::diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    for (package, _, subject) in wanted(&checked, &filter)? {
        let planning = Planning::new(&subject.settings, interrupted);
        let sampled = match planning.within(|| of(subject, args)) {
            Ok(sampled) => sampled?,
            Err(stop) => {
                errln!("error: `{}`: {}: lower `depth` or `bound`", args.name, planning.reason(stop));
                return Ok(exit_code::USAGE);
            }
        };
        print(package, subject, args, &sampled);
        let is_cut_short = sampled.set.is_none() && !sampled.reasons.is_empty();
        if sampled.inputs.is_empty() {
            errln!(
                "error: no value of `{}` was found{}",
                args.name,
                no_value(&sampled.reasons, &subject.settings)
            );
            return Ok(exit_code::USAGE);
        }
        if is_cut_short {
            let found = sampled.inputs.len();
            let values = if found == 1 { "value" } else { "values" };
            errln!("{found} {values} of `{}`{}", args.name, because(&sampled.reasons));
        }
    }
    Ok(exit_code::PASSED)
}

fn of(subject: &Subject, args: &args::Sample) -> Result<Sampled> {
    let space = space(subject);
    if !args.different {
        let (budget, boundary) = (subject.settings.budget, subject.settings.boundary);
        let until = Instant::now().checked_add(budget.mul_f64(0.9));
        let is_over = move || until.is_some_and(|until| Instant::now() >= until);
        return Ok(first((&space, boundary), args.limits.cases.unwrap_or(FEW), budget, is_over));
    }
    let Some(relation) = &subject.different else {
        let what = format!("`{}` has no `different` in the manifest", args.name);
        return Err(usage(format!(
            "{what}: write `different = \"|a, b| a != b\"` beside its `spec` or `type`"
        )));
    };
    let n_asked = usize::try_from(args.limits.cases.unwrap_or(subject.settings.cases)).unwrap_or(usize::MAX);
    // The search ends a tenth early, so that what it found is printed.
    let mut set = different::find(&space, relation, n_asked, subject.settings.budget.mul_f64(0.9));
    let inputs = std::mem::take(&mut set.members);
    let found = DifferentEvent::of(set.reached(inputs.len()));
    let reasons = match set.larger {
        different::Larger::Unknown(reasons) | different::Larger::NotWithThese(reasons) => reasons,
        different::Larger::None | different::Larger::Unasked => Vec::new(),
    };
    Ok(Sampled { inputs, set: Some(found), reasons })
}

/// The first inputs of the default schedule, each once, as many as are found before the end: nine tenths of the budget.
fn first(
    (space, boundary): (&Space, bool),
    n: u64,
    budget: Duration,
    is_over: impl Fn() -> bool + Clone + Send + Sync + 'static,
) -> Sampled {
    let options = AutoOptions { beyond: boundary, seed: SEED };
    let mut members = Members::of(space, Box::new(Auto::new(space.clone(), &options)));
    let mut inputs: Vec<Vec<Value>> = Vec::new();
    let mut reasons = Vec::new();
    while (inputs.len() as u64) < n {
        // Short searches end before a step looks at the limit.
        let found = if is_over() { None } else { cancel::within(is_over.clone(), || members.advance()) };
        let next = found.unwrap_or_else(|| {
            let budget = humantime::format_duration(budget);
            Next::End(vec![format!("no further one was found in nine tenths of the budget of {budget}")])
        });
        match next {
            Next::Member(input) if inputs.contains(&input) => {}
            Next::Member(input) => inputs.push(input),
            Next::End(why) => {
                reasons = why;
                break;
            }
        }
    }
    Sampled { inputs, set: None, reasons }
}

fn print(package: &Checked, subject: &Subject, args: &args::Sample, sampled: &Sampled) {
    let spec = &subject.spec;
    for input in &sampled.inputs {
        let typed = || input.iter().zip(&spec.params);
        let line = if args.format.is_some() {
            let args = typed().map(|(value, param)| json::json(value, &param.refined, spec)).collect();
            let line = Line { package: &package.package.name, function: &spec.name, args };
            serde_json::to_string(&line).expect("its keys are strings, and its numbers finite")
        } else {
            let code =
                |(value, refined): (&Value, &Refined)| rust_code::readable(value, refined, spec, false);
            let args: Vec<String> =
                typed().map(|(value, param)| code((value, &bare(&param.refined)))).collect();
            if let [one] = args.as_slice() { one.clone() } else { format!("({})", args.join(", ")) }
        };
        console::exact(line + "\n");
    }
    if let Some(set) = &sampled.set {
        errln!("{}{}", words::different(set), because(&sampled.reasons));
    }
}

/// A parameter's type without the references around it.
fn bare(refined: &Refined) -> Refined {
    let is_reference = |pointer: &&Pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut);
    let n = refined.pointers.iter().take_while(is_reference).count();
    let is_unsized = n == refined.pointers.len() && n > 0;
    let kept = if is_unsized { vec![Pointer::Ref] } else { refined.pointers[n..].to_vec() };
    Refined { pointers: kept, ..refined.clone() }
}

/// Why no value was found, or what to do if the search ended.
fn no_value(reasons: &[String], settings: &Settings) -> String {
    if reasons.is_empty() {
        let Settings { depth, bound, .. } = settings;
        return format!(" within depth {depth} and bound {bound}: try a greater `--depth` or `--bound`");
    }
    because(reasons)
}

fn because(reasons: &[String]) -> String {
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{Param, Sort, Spec};
    use target_strategies::space::Bounds;

    use super::*;

    #[test]
    fn inputs_that_are_not_found_in_time_are_told() {
        let plain = Refined::plain(Sort::Bool);
        let x = Param { name: "x".to_owned(), refined: plain, mutable: false };
        let spec = Spec { params: vec![x], ..Spec::unrefined("f") };
        let space = Space::new(spec.into(), Bounds { depth: 3, bound: 3 });
        let budget = Duration::from_secs(3);
        let ended = first((&space, false), 20, budget, || true);
        assert_eq!(ended.reasons, ["no further one was found in nine tenths of the budget of 3s"]);
        let all = first((&space, false), 20, budget, || false);
        assert_eq!((all.inputs.len(), all.reasons.len()), (2, 0));
    }
}
