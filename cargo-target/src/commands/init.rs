//! `cargo target init`: writes first specs for functions of the crate into its manifest.
//!
//! A spec repeats the function's types, with the conditions that its assertions and indices state. Each is tried on the
//! resolver before it is written; those of all functions are compiled, too. The other bytes of the manifest don't change.

mod compiled;
mod draft;
pub mod propose;
pub mod tables;
pub mod trial;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use target_bridge::frontend::api::Made;
use target_bridge::frontend::catalog::guards::names;
use target_bridge::frontend::catalog::{Cfg, FnItem, scan};
use target_bridge::frontend::diagnostic::Diagnostic;

use self::compiled::Compiler;
use self::propose::{Proposal, Rejected, declared, propose};
use self::tables::{Line, has_comment, with_lines};
use self::trial::{Trial, item};
use crate::options::args;
use crate::options::config::CargoConfig;
use crate::run::planning::Interrupted;
use crate::run::project::{self, rustc_cfg};
use crate::run::syntax::{self, unreadable};
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::write_whole;
use crate::system::printable::plain;

/// Writes the specs; returns the exit code.
pub fn init(args: &args::Init, interrupted: &Interrupted) -> Result<u8> {
    let mut config = CargoConfig::new(&args.selection);
    config.workspace = args.selection.workspace.workspace;
    let of_all = args.selection.workspace.all;
    let project = project::load(&config)?;
    let [package] = project.packages.as_slice() else {
        return Err(usage("more than one package is selected: choose one with -p"));
    };
    let library = package.library()?;
    let path = &package.manifest_path;
    let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let cfg = Cfg::parse(&rustc_cfg(package)?).with_features(&package.features);
    let (catalog, problems) = scan(&library.src_path, &library.crate_name, &cfg);
    let written = || -> Result<Vec<Line>> {
        let trial = Trial::new(&project, package, &catalog)?;
        match &args.function {
            _ if of_all => {
                let (config, project) = (&config, &project);
                all(&trial, &text, Compiler { config, project, package, interrupted })
            }
            Some(wanted) => one(wanted, &trial),
            None => Ok(vec![first(&trial)?]),
        }
    };
    // What could not be read may be what is missing.
    let why = |error: anyhow::Error| match exit_code::of(&error) {
        exit_code::USAGE if !problems.is_empty() => unreadable(package, &problems),
        _ => error,
    };
    let lines = written().map_err(why)?;
    problems.iter().for_each(|problem| errln!("note: {}; what is there has no spec", syntax::place(problem)));
    if !lines.is_empty() {
        write_whole(path, &with_lines(&text, &lines)?)?;
    }
    if config.verbosity > Verbosity::Quiet {
        let place = path.display();
        match lines.as_slice() {
            [] => outln!("nothing to add: each public function has a spec or a comment in {place}"),
            lines if !of_all => {
                let texts: Vec<String> =
                    lines.iter().map(|line| format!("    {}", plain(&line.text()))).collect();
                let what = if lines.len() == 1 { "a spec" } else { "a spec, and how its types are made," };
                outln!("wrote {what} into {place}:\n\n{}\n\nnow: cargo target run", texts.join("\n"));
            }
            lines => summarize(lines, &place.to_string()),
        }
    }
    Ok(exit_code::PASSED)
}

fn summarize(lines: &[Line], place: &str) {
    let n_specs = lines.iter().filter(|line| matches!(line, Line::Spec { .. })).count();
    let n_entries = lines.iter().filter(|line| matches!(line, Line::Data { .. })).count();
    let n_comments = lines.len() - n_specs - n_entries;
    let counted = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let (specs, comments) = (counted(n_specs, "spec"), counted(n_comments, "function"));
    match (n_specs, n_comments) {
        (_, 0) => outln!("wrote {specs} into {place}"),
        (0, _) => outln!("wrote no spec into {place}; comments say why {comments} can't have one yet"),
        _ => outln!("wrote {specs} into {place}; comments say why {comments} can't have one yet"),
    }
    match n_entries {
        0 => {}
        1 => outln!("1 entry of the table `data` says how values of a type are made"),
        n => outln!("{n} entries of the table `data` say how values of types are made"),
    }
    if n_specs > 0 {
        outln!("\nnow: cargo target run");
    }
}

/// The spec of the function with a name, and the entries of the table `data` that it needs.
fn one(wanted: &str, trial: &Trial) -> Result<Vec<Line>> {
    let function = named(trial, wanted)?;
    let needs_entries = !function.is_unsafe && declared(function, trial).is_err();
    let trial = &if needs_entries { trial.with_entries(&[function]) } else { trial.clone() };
    match propose(function, trial) {
        Ok(Proposal { key, .. }) | Err(Rejected { key, .. }) if trial.has_spec(function, &key) => {
            Err(usage(format!("`{key}` has a spec already")))
        }
        Ok(Proposal { key, spec, .. }) => Ok(with_needed(vec![Line::Spec { key, spec }], &trial.made)),
        Err(Rejected { reason, .. }) => Err(usage(format!("`{wanted}` can't have a spec yet: {reason}"))),
    }
}

fn named<'c>(trial: &Trial<'c>, wanted: &str) -> Result<&'c FnItem> {
    let found = item(trial.catalog, wanted);
    found.ok_or_else(|| match trial.mistake(wanted, "fn()") {
        Some(Diagnostic { message, help: Some(help), .. }) => usage(format!("{message}; {help}")),
        Some(Diagnostic { message, .. }) => usage(message),
        None => usage(format!("no function `{wanted}`")),
    })
}

/// The spec of the first public function with parameters that can have one and has none.
fn first(trial: &Trial) -> Result<Line> {
    let candidates = trial.catalog.candidates().into_iter();
    let mut proposals = candidates.filter_map(|function| {
        let proposal = propose(function, trial).ok().filter(|proposal| proposal.has_params)?;
        (!trial.has_spec(function, &proposal.key)).then_some(proposal)
    });
    let Proposal { key, spec, .. } = proposals.next().ok_or_else(|| {
        usage("no public function with arguments that a spec can describe; name one: cargo target init FUNCTION")
    })?;
    Ok(Line::Spec { key, spec })
}

/// The specs of all public functions that have none yet, in the order of the source, comments on those that can't have
/// one, and the entries of the table `data` that the specs need. A method of a trait's implementation gets no comment:
/// most are what every type has, such as `fmt`.
fn all(trial: &Trial, text: &str, compiler: Compiler) -> Result<Vec<Line>> {
    let public: Vec<&FnItem> =
        trial.catalog.in_source_order().into_iter().filter(|function| is_callable(function, trial)).collect();
    let rejected = |function: &&FnItem| !function.is_unsafe && declared(function, trial).is_err();
    let rejected: Vec<&FnItem> = public.iter().copied().filter(rejected).collect();
    let trial = trial.with_entries(&rejected);
    let mut lines: Vec<Line> = Vec::new();
    let mut keys = Vec::new();
    let mut of_traits = BTreeSet::new();
    for function in public {
        let proposed = propose(function, &trial);
        let (Ok(Proposal { key, .. }) | Err(Rejected { key, .. })) = &proposed;
        keys.push(key.clone());
        if trial.has_spec(function, key) || keys.iter().filter(|known| *known == key).count() > 1 {
            continue;
        }
        match proposed {
            Ok(Proposal { key, spec, .. }) => {
                of_traits.extend(is_of_trait(function).then(|| key.clone()));
                lines.push(Line::Spec { key, spec });
            }
            Err(_) if is_of_trait(function) => {}
            Err(Rejected { key, .. }) if has_comment(text, &key) => {}
            Err(Rejected { key, reason }) => lines.push(Line::Comment { key, reason }),
        }
    }
    if keys.is_empty() {
        return Err(usage("no public function; name a private one: cargo target init FUNCTION"));
    }
    let specs: Vec<(&str, &str)> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Spec { key, spec } => Some((key.as_str(), spec.as_str())),
            Line::Data { .. } | Line::Comment { .. } | Line::Note(_) => None,
        })
        .collect();
    let mut rejected = compiler.rejected(&trial, &specs)?;
    lines.retain_mut(|line| {
        let Line::Spec { key, .. } = &*line else { return true };
        let Some(reason) = rejected.remove(key) else { return true };
        let key = key.clone();
        let is_told = !of_traits.contains(&key) && !has_comment(text, &key);
        *line = Line::Comment { key, reason };
        is_told
    });
    Ok(with_needed(lines, &trial.made))
}

fn is_of_trait(function: &FnItem) -> bool {
    function.public_path.as_ref().is_some_and(|path| path.starts_with('<'))
}

/// Whether a function is public and can be called by its key. A call to a destructor is an error in Rust; and the key of a
/// trait's method may mean another method of that name.
fn is_callable(function: &FnItem, trial: &Trial) -> bool {
    let is_found = || item(trial.catalog, &function.path).is_some_and(|found| std::ptr::eq(found, function));
    let is_method = || !function.path.ends_with("::drop") && is_found();
    function.public_path.is_some() && (!is_of_trait(function) || is_method())
}

/// The lines after the entries that they need.
fn with_needed(lines: Vec<Line>, made: &[Made]) -> Vec<Line> {
    needed(&lines, made).into_iter().chain(lines).collect()
}

/// The entries that specs mention, and those that these need.
fn needed(lines: &[Line], made: &[Made]) -> Vec<Line> {
    let mut texts: Vec<String> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Spec { spec, .. } => Some(spec.clone()),
            Line::Data { .. } | Line::Comment { .. } | Line::Note(_) => None,
        })
        .collect();
    let mut is_needed = vec![false; made.len()];
    while let Some(text) = texts.pop() {
        for (index, entry) in made.iter().enumerate() {
            if !is_needed[index] && names(&text).any(|name| name == entry.name) {
                is_needed[index] = true;
                texts.push(entry.body());
            }
        }
    }
    let needed = made.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
    needed.map(|(entry, _)| Line::Data { name: entry.name.clone(), body: entry.body() }).collect()
}
