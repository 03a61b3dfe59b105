//! `cargo target suggest`: specs for public functions, from what was seen when they ran.
//!
//! A function runs on inputs of its declared types. If some make it panic, the smallest set of conditions that separates
//! them from the others becomes a precondition, or a `panics if` where the docs announce the panic. Then conditions that
//! always held of results become postconditions, if they reject mutated results. Each is tried on inputs that it was not found
//! with. Conditions that Z3 shows to follow from others are left out.
//!
//! Source: Ernst and others, *Daikon*, as in the survey of specification-based testing, for the kinds of conditions.

mod mutation;
mod separate;
mod session;
mod templates;
mod redundant;
mod postconditions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use target_bridge::frontend::catalog::guards::negated;
use target_bridge::frontend::catalog::{Cfg, FnItem, scan};
use target_bridge::frontend::subject::Subject;

use self::mutation::Strength;
use self::postconditions::{Postcondition, postconditions};
use self::redundant::{conjuncts, needed};
use self::separate::{Table, separate};
use self::session::{Explored, Session};
use super::init::propose::declared;
use super::init::tables::{Line, with_lines};
use super::init::trial::Trial;
use crate::options::args;
use crate::options::config::CargoConfig;
use crate::run::asked::Asked;
use crate::run::checked::Filter;
use crate::run::harness::{Build, BuildError};
use crate::run::launch::build;
use crate::run::project::{self, Package, rustc_cfg};
use crate::run::syntax::unreadable;
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::write_whole;
use crate::system::printable::plain;

/// Maximum number of times that a precondition is found anew after an input refuted it.
const ROUNDS: usize = 6;

/// A function to suggest a spec for.
struct Candidate<'c> {
    item: &'c FnItem,
    key: String,
    /// The spec with the declared types only.
    base: String,
}

/// A suggested spec.
struct Suggestion {
    /// The spec; `None` if what was seen supports none.
    spec: Option<String>,
    /// What supports it, a sentence a line.
    support: Vec<String>,
}

/// Prints or writes the specs; returns the exit code.
pub fn suggest(args: &args::Suggest, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let project = project::load(&config)?;
    let [package] = project.packages.as_slice() else {
        return Err(usage("more than one package is selected: choose one with -p"));
    };
    let library = package.library()?;
    let cfg = Cfg::parse(&rustc_cfg(package)?).with_features(&package.features);
    let (catalog, problems) = scan(&library.src_path, &library.crate_name, &cfg);
    let filter = Filter { words: args.filters.clone(), exact: args.exact };
    let trial = Trial::new(&project, package, &catalog);
    let candidates = trial.as_ref().map(|trial| candidates(trial, &filter)).unwrap_or_default();
    // What could not be read may be what is missing.
    if candidates.is_empty() && !problems.is_empty() {
        return Err(unreadable(package, &problems));
    }
    let trial = trial?;
    if candidates.is_empty() {
        return Err(usage("no public function without a spec that a spec can describe"));
    }
    let specs = candidates.iter().map(|candidate| (candidate.key.as_str(), candidate.base.as_str()));
    let checked = trial.package(package, specs);
    let how =
        Build { config: &config, profile: None, project: &project, counts: false, lines: false, interrupted };
    let built = match build(how, &checked, Asked::All) {
        Ok(built) => built,
        Err(BuildError::Tool(error)) => return Err(error),
        Err(BuildError::Failed(failure)) => {
            errln!("{}error: {}", plain(&failure.output), failure.message);
            return Ok(exit_code::BUILD);
        }
    };
    let program = Arc::new(built.program);
    let mut lines = Vec::new();
    for (candidate, number) in candidates.iter().zip(0..) {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        if built.broken.contains_key(&number) {
            continue;
        }
        if config.verbosity > Verbosity::Quiet {
            errln!("{}", plain(&candidate.key));
        }
        let session = Session { program: &program, number, interrupted, budget: args.each };
        let Some(Suggestion { spec, support }) = suggestion(candidate, &trial, &session)? else { continue };
        lines.extend(support.into_iter().map(Line::Note));
        lines.extend(spec.map(|spec| Line::Spec { key: candidate.key.clone(), spec }));
    }
    finish(args, package, &lines)?;
    Ok(if interrupted.load(Ordering::Relaxed) { exit_code::INTERRUPTED } else { exit_code::PASSED })
}

/// Prints the lines, or writes them into the manifest.
fn finish(args: &args::Suggest, package: &Package, lines: &[Line]) -> Result<()> {
    let path = &package.manifest_path;
    if lines.is_empty() {
        outln!("nothing to suggest");
    } else if args.write {
        let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
        write_whole(path, &with_lines(&text, lines)?)?;
        let n = lines.iter().filter(|line| matches!(line, Line::Spec { .. })).count();
        outln!("wrote {n} spec{} into {}", if n == 1 { "" } else { "s" }, path.display());
    } else {
        outln!("[package.metadata.target.functions]");
        lines.iter().for_each(|line| outln!("{}", plain(&line.text())));
    }
    Ok(())
}

/// The public functions without a spec that the declared types are a spec of.
fn candidates<'c>(trial: &Trial<'c>, filter: &Filter) -> Vec<Candidate<'c>> {
    let mut found: Vec<Candidate> = Vec::new();
    for item in trial.catalog.in_source_order() {
        let is_plain = item.public_path.as_ref().is_some_and(|path| !path.starts_with('<'));
        if !is_plain || item.is_unsafe || item.is_async || item.params.is_empty() {
            continue;
        }
        let Ok(draft) = declared(item, trial) else { continue };
        let key = draft.key.clone();
        let is_known = trial.has_spec(item, &key) || found.iter().any(|known| known.key == key);
        if !is_known && filter.admits(&key) {
            found.push(Candidate { item, base: draft.spec().0, key });
        }
    }
    found
}

/// The spec that what was seen supports; `None` if nothing is worth saying.
fn suggestion(candidate: &Candidate, trial: &Trial, session: &Session) -> Result<Option<Suggestion>> {
    let Candidate { item, key, base } = candidate;
    let Some(subject) = trial.subject(key, base) else { return Ok(None) };
    let mut seen = session.explore(&subject, 0)?;
    let mut support = Vec::new();
    let mut spec = base.clone();
    let mut panics_if = None;
    if !seen.failed.is_empty() {
        let texts = templates::preconditions(item, trial.catalog);
        match precondition(candidate, &texts, trial, session, &mut seen)? {
            Some((condition, n_excluded)) => {
                spec = format!("{base} requires {condition}");
                if n_excluded == 0 && seen.n_not_panics == 0 && item.documents_panics {
                    panics_if = Some(negated(&condition));
                }
                support.push(separated(key, &condition, &seen, n_excluded));
            }
            None => {
                let (passed, failed) = (seen.passed.len(), seen.failed.len());
                support.push(format!(
                    "{key}: {} passed and {failed} failed; no condition that was tried separates them",
                    inputs(passed)
                ));
                return Ok(Some(Suggestion { spec: None, support }));
            }
        }
    }
    if seen.n_undecided > 0 {
        let n = inputs(seen.n_undecided);
        support.push(format!("{key}: {n} ran too long or took too much memory, which is not looked into"));
        return Ok(Some(Suggestion { spec: None, support }));
    }
    if seen.passed.is_empty() {
        support.push(format!("{key}: no arguments for it could be made in time"));
        return Ok(Some(Suggestion { spec: None, support }));
    }
    let kept = postconditions(candidate, &spec, trial, session)?;
    let all = kept.iter().map(|condition| condition.text.as_str()).collect::<Vec<_>>().join(" && ");
    let ensures = if all.is_empty() { String::new() } else { format!(" ensures {all}") };
    spec += &ensures;
    // It says more than the precondition: where the function panics, and that it must.
    if let Some(condition) = panics_if {
        let exact = format!("{base}{ensures} panics if {condition}");
        let panicking = format!("{base} requires {condition} panics if {condition}");
        let holds = |spec: &str| match trial.subject(key, spec) {
            Some(subject) => session.holds(&subject, 3, 4_000),
            None => Ok(None),
        };
        if let (Some(n), Some(n_panics)) = (holds(&exact)?, holds(&panicking)?) {
            support.push(format!(
                "{key}: its docs announce a panic; every input with `{condition}` panicked ({n_panics} tried), \
                 and no other did ({n} tried)"
            ));
            spec = exact;
        }
    }
    if !kept.is_empty() {
        support.extend(kept.iter().map(|condition| {
            let Postcondition { text, n_held, strength } = condition;
            let Strength { n_rejected, n_mutants } = strength;
            let held = inputs(*n_held);
            format!(
                "{key}: `{text}` held for {held}, and rejects {n_rejected} of {n_mutants} changed results"
            )
        }));
    }
    if support.is_empty() {
        support.push(format!("{key}: {} passed", inputs(seen.passed.len())));
    }
    Ok(Some(Suggestion { spec: Some(spec), support }))
}

/// What supports a precondition.
fn separated(key: &str, condition: &str, seen: &Explored, n_excluded: usize) -> String {
    let (passed, failed) = (seen.passed.len(), seen.failed.len());
    let kept = passed - n_excluded;
    let satisfy = if kept == 1 { "satisfies" } else { "satisfy" };
    let others = if failed == 1 { "other" } else { "others" };
    let kept = inputs(kept);
    let start = format!("{key}: {kept} that {satisfy} `{condition}` passed, {failed} {others} failed");
    if n_excluded == 0 { start } else { format!("{start} and {n_excluded} passed, so it is too strong") }
}

/// A number of inputs.
fn inputs(n: impl TryInto<u64>) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} input{}", if n == 1 { "" } else { "s" })
}

/// The condition that separates inputs that panic from the others, and how many of those others it excludes.
fn precondition(
    candidate: &Candidate,
    texts: &[String],
    trial: &Trial,
    session: &Session,
    seen: &mut Explored,
) -> Result<Option<(String, usize)>> {
    let of = |text: &String| trial.subject(&candidate.key, &format!("{} requires {text}", candidate.base));
    let known: Vec<(&String, _)> = texts.iter().filter_map(|text| Some((text, of(text)?))).collect();
    for round in 1..=ROUNDS {
        let table = Table {
            passed: known.iter().map(|(_, subject)| seen.passed(subject)).collect(),
            failed: known.iter().map(|(_, subject)| seen.failed(subject)).collect(),
        };
        let Some(found) = separate(&table) else { return Ok(None) };
        let condition =
            found.conditions.iter().map(|index| known[*index].0.as_str()).collect::<Vec<_>>().join(" && ");
        let requiring = |condition: &str| {
            trial.subject(&candidate.key, &format!("{} requires {condition}", candidate.base))
        };
        let before = (seen.passed.len(), seen.failed.len());
        // Other inputs: those that satisfy it must pass, and those that don't must panic.
        for (text, n_seed) in [(condition.clone(), 2 * round), (format!("!({condition})"), 2 * round + 1)] {
            if let Some(subject) = requiring(&text) {
                seen.add(session.explore(&subject, n_seed as u64)?);
            }
        }
        let subject = requiring(&condition).context("a condition that was resolved is resolved again")?;
        let fails = seen.failed(&subject).into_iter().any(|holds| holds);
        let n_excluded = seen.passed(&subject).into_iter().filter(|holds| !holds).count();
        let is_refuted = fails || n_excluded > found.n_excluded;
        if !is_refuted
            || (round == ROUNDS && !fails)
            || (before == (seen.passed.len(), seen.failed.len()) && !fails)
        {
            return Ok(Some((without_implied(&condition, &subject), n_excluded)));
        }
    }
    Ok(None)
}

/// A precondition without the parts that follow from other parts, or from the types.
fn without_implied(condition: &str, subject: &Subject) -> String {
    let parts = conjuncts(condition);
    if parts.len() != subject.spec.requires.len() {
        return condition.to_owned();
    }
    let needed = needed(&subject.spec, &[], &subject.spec.requires);
    needed.into_iter().map(|index| parts[index]).collect::<Vec<_>>().join(" && ")
}
