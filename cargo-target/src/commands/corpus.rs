//! `cargo target corpus`: writes inputs worth keeping into a package's corpus files, or compares them.
//!
//! A file is generated from the spec each time: all inputs up to a size, boundary cases, a sample. Its counterexamples
//! and handwritten lines stay, even if the spec rejects them. Writing adds the counterexamples that runs saved. So the
//! comparison depends only on the spec, the options in the file's header, and the lines that stay.

pub mod options;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use options::Options;
use target_bridge::frontend::manifest::PartialSettings;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::keep::{Kept, keep};
use target_strategies::cancel::Stop;
use target_strategies::corpus::{Corpus, Kind, Rejected};
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::ir::Spec;
use target_strategies::logic::notation;
use target_strategies::logic::value::Value;

use crate::commands::prologue::{self, diagnose};
use crate::events::json;
use crate::options::args::{self, EntryFormat};
use crate::options::config::CargoConfig;
use crate::report::MessageFormat;
use crate::run::asked::Asked;
use crate::run::checked::{self, Checked, Filter};
use crate::run::corpus::{judge, saved, store};
use crate::run::harness::{Build, BuildError};
use crate::run::launch;
use crate::run::launch::space;
use crate::run::planning::Planning;
use crate::run::project::Project;
use crate::run::worker::Program;
use crate::system::console::Verbosity;
use crate::system::console::{self, colored_stderr};
use crate::system::exit_code::{self, usage};
use crate::system::printable::plain;

/// The state of the command.
struct Command<'a> {
    args: &'a args::Corpus,
    config: CargoConfig,
    project: &'a Project,
    interrupted: &'a Arc<AtomicBool>,
    /// The harnesses, by package, for packages that need one.
    programs: Vec<(String, Arc<Program>)>,
}

/// The new contents of a file.
struct Made {
    path: PathBuf,
    corpus: Corpus,
    text: String,
    /// Generated lines that the spec rejects, which are left out.
    dropped: Vec<Rejected>,
    /// Counterexamples saved by runs that are now in the file.
    adopted: Vec<Vec<Value>>,
    /// Notes on inputs that could not be generated.
    notes: Vec<String>,
}

/// Why a file has no new contents.
enum MakeError {
    /// Planning was stopped.
    Stopped(Stop),
    /// The tool failed, or was used wrongly.
    Tool(anyhow::Error),
}

impl From<Stop> for MakeError {
    fn from(stop: Stop) -> MakeError {
        MakeError::Stopped(stop)
    }
}

impl From<anyhow::Error> for MakeError {
    fn from(error: anyhow::Error) -> MakeError {
        MakeError::Tool(error)
    }
}

/// `cargo target corpus`: returns the exit code.
pub fn corpus(args: &args::Corpus, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let (config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let mut checked = checked::check(&project, &PartialSettings::default(), None)?;
    checked.iter_mut().for_each(|package| with_types(package, args));
    prologue::keep_to(&mut checked, &Filter { words: args.names.clone(), exact: true });
    prologue::readable(&checked, &mut report)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    let wanted = chosen(&checked, &args.names)?;
    let mut command = Command { args, config, project: &project, interrupted, programs: Vec::new() };
    if !command.build(&wanted)? {
        let is_interrupted = interrupted.load(Ordering::Relaxed);
        return Ok(if is_interrupted { exit_code::INTERRUPTED } else { exit_code::BUILD });
    }
    let mut code = exit_code::PASSED;
    for (package, subject) in &wanted {
        code = code.max(command.one(package, subject)?);
    }
    for package in &checked {
        code = code.max(command.orphans(package));
    }
    Ok(code)
}

/// Adds the named types to a package, as functions of one parameter; without names, the types that have a file.
fn with_types(package: &mut Checked, args: &args::Corpus) {
    let files = store::file_names(package.package);
    let has_file = |name: &str| files.contains(&store::file_name(name));
    let is_wanted = |name: &str| {
        if args.names.is_empty() { has_file(name) } else { args.names.iter().any(|word| word == name) }
    };
    package.add_types(&is_wanted);
}

/// A function or type, in its package.
type Chosen<'a> = (&'a Checked<'a>, &'a Subject);

/// The functions and types with those names; without names, all functions and the types that were added.
fn chosen<'a>(checked: &'a [Checked<'a>], names: &[String]) -> Result<Vec<Chosen<'a>>> {
    let all: Vec<Chosen> = checked
        .iter()
        .flat_map(|package| package.subjects.iter().map(move |subject| (package, subject)))
        .collect();
    for name in names {
        if !all.iter().any(|(_, subject)| subject.spec.name == *name) {
            let known: Vec<&str> = all.iter().map(|(_, subject)| subject.spec.name.as_str()).collect();
            let types: Vec<&str> = checked.iter().flat_map(Checked::type_names).collect();
            let what = format!("no function or type `{name}`; there are specs for {}", known.join(", "));
            return Err(usage(match types.as_slice() {
                [] => what,
                types => format!("{what}, and the types {}", types.join(", ")),
            }));
        }
    }
    let is_chosen = |(_, subject): &Chosen| names.is_empty() || names.contains(&subject.spec.name);
    Ok(all.into_iter().filter(is_chosen).collect())
}

impl Command<'_> {
    /// Writes, checks or prints one file; returns the exit code.
    fn one(&self, package: &Checked, subject: &Subject) -> Result<u8> {
        let key = &subject.spec.name;
        let path = store::own_file(package.package, key);
        if self.is_passed_over(package, subject) {
            return Ok(exit_code::PASSED);
        }
        let made = match self.make(package, subject, path) {
            Ok(made) => made,
            Err(MakeError::Tool(error)) => return Err(error),
            Err(MakeError::Stopped(Stop::Interrupted)) => return Ok(exit_code::INTERRUPTED),
            Err(MakeError::Stopped(stop)) => {
                errln!("error: `{key}`: {}: lower `depth` or `bound`", self.planning(subject).reason(stop));
                return Ok(exit_code::USAGE);
            }
        };
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(exit_code::INTERRUPTED);
        }
        let shown = made.path.strip_prefix(std::env::current_dir().unwrap_or_default()).unwrap_or(&made.path);
        let shown = shown.display();
        for Rejected { line, reason, .. } in &made.corpus.rejected {
            errln!("{shown}: rejected: {reason}\n    {line}");
        }
        if let Some(Rejected { line, reason, .. }) = made.dropped.first() {
            let n = made.dropped.len();
            let (n, are) = if n == 1 { ("1 line".to_owned(), "is") } else { (format!("{n} lines"), "are") };
            errln!("{shown}: {n} of generated kinds {are} rejected and left out: {reason}\n    {line}");
        }
        if self.config.verbosity > Verbosity::Quiet {
            made.notes.iter().for_each(|note| errln!("note: {key}: {note}"));
        }
        if let Some(EntryFormat::Jsonl) = self.args.format {
            for entry in &made.corpus.in_order(&subject.spec) {
                console::exact(json::line(&package.package.name, entry, &subject.spec) + "\n");
            }
            return Ok(exit_code::PASSED);
        }
        if self.args.check {
            let stale = !store::is_current(&made.path, &made.text)?;
            if stale {
                errln!("{shown} is stale: `cargo target corpus {key}` writes it anew");
            }
            let bad = stale || !made.corpus.rejected.is_empty();
            return Ok(if bad { exit_code::COUNTEREXAMPLE } else { exit_code::PASSED });
        }
        let changed = store::write(&made.path, &made.text)?;
        saved::forget(self.project, package.package, subject, &made.adopted)?;
        if self.config.verbosity > Verbosity::Quiet {
            let what = if changed { "" } else { ", as before" };
            outln!("{shown}: {}{what}", counts(&made.corpus, &subject.spec));
        }
        Ok(exit_code::PASSED)
    }

    /// The limits of planning. No time limit: a file must not depend on the speed of a machine.
    fn planning(&self, subject: &Subject) -> Planning {
        Planning::new(&subject.settings, self.interrupted).untimed()
    }

    /// The new contents of the file.
    fn make(&self, package: &Checked, subject: &Subject, path: PathBuf) -> Result<Made, MakeError> {
        let spec = &subject.spec;
        let old = store::read(&path, spec)?.unwrap_or_default();
        let options = Options::new(&old.options, self.args)
            .map_err(|why| usage(format!("{}: {why}", path.display())))?;
        let mut corpus = Corpus {
            function: spec.name.clone(),
            options: options.text(),
            spec: package.spec_text(subject).lines().map(|line| line.trim().to_owned()).collect(),
            ..old
        };
        // A line with its own comment was edited by hand.
        corpus.entries.retain(|entry| !entry.kind.is_generated() || !entry.comments.is_empty());
        let is_idle =
            |line: &mut Rejected| line.kind.is_some_and(Kind::is_generated) && line.comments.is_empty();
        let dropped = corpus.rejected.extract_if(.., is_idle).collect();
        // Comparing and printing use only the package's file, not the runs of this machine.
        let adopted = if self.args.check || self.args.format.is_some() {
            Vec::new()
        } else {
            saved::adopt(self.project, package.package, subject, &mut corpus)
        };
        let notes = self.generate(package, subject, &options, &mut corpus)?;
        let text = corpus.text(spec);
        Ok(Made { path, corpus, text, dropped, adopted, notes })
    }

    /// Adds inputs generated from the spec; returns notes on missing inputs.
    fn generate(
        &self,
        package: &Checked,
        subject: &Subject,
        options: &Options,
        corpus: &mut Corpus,
    ) -> Result<Vec<String>, MakeError> {
        let spec = &subject.spec;
        let space = space(subject);
        let planning = self.planning(subject);
        let is_needed = planning.within(|| judge::is_needed(subject, &space))?;
        let number = package.functions().position(|function| function.spec.name == spec.name);
        if is_needed && number.is_none() {
            let why = "only Rust code can say which values are valid, and that is run for functions alone";
            return Ok(vec![format!("{why}: the file has lines of yours only")]);
        }
        let wanted = options.wanted(subject.settings.boundary);
        let kept = planning.within(|| keep(&space, &wanted))?;
        let kept = kept.map_err(|why| usage(format!("`{}`: {why}", spec.name)))?;
        let Kept { all, boundary, sample, mut notes, .. } = kept;
        for (kind, mut cases) in [(Kind::Boundary, boundary), (Kind::All, all), (Kind::Sample, sample)] {
            if let (true, Some(number)) = (is_needed, number) {
                let program = self.programs.iter().find(|(name, _)| *name == package.package.name);
                let (_, program) = program.context("find the harness of the package")?;
                let whose = (number as u32, subject);
                let (accepted, problem) = judge::accepted(program, whose, cases, self.interrupted)?;
                cases = accepted;
                notes.extend(problem.map(|problem| format!("not all inputs could be judged: {problem}")));
            }
            add(corpus, kind, cases, spec, &mut notes)?;
        }
        Ok(notes)
    }

    /// Builds the harnesses of packages where only Rust code can decide whether an input is valid.
    fn build(&mut self, wanted: &[Chosen]) -> Result<bool> {
        for (package, subject) in wanted {
            let name = &package.package.name;
            let is_built = self.programs.iter().any(|(built, _)| built == name);
            let is_function = package.entry(subject).is_some();
            if is_built || !is_function || self.is_passed_over(package, subject) {
                continue;
            }
            // If planning is stopped, the message comes when the file is made.
            let is_needed = self.planning(subject).within(|| judge::is_needed(subject, &space(subject)));
            if is_needed != Ok(true) {
                continue;
            }
            let (project, interrupted) = (self.project, self.interrupted);
            let how = Build {
                config: &self.config,
                profile: None,
                project,
                counts: false,
                lines: false,
                interrupted,
            };
            match launch::build(how, package, Asked::All) {
                Ok(built) if built.broken.is_empty() => {
                    self.programs.push((name.clone(), Arc::new(built.program)))
                }
                Ok(built) => {
                    for mistake in built.broken.values().flatten() {
                        errln!("{}", package.diagnostic_event(mistake, colored_stderr()).rendered);
                    }
                    return Ok(false);
                }
                Err(BuildError::Tool(error)) => return Err(error),
                // Ctrl-C also ends the compilers.
                Err(BuildError::Failed(_)) if self.interrupted.load(Ordering::Relaxed) => return Ok(false),
                Err(BuildError::Failed(failure)) => {
                    errln!("{}error: {}", plain(&failure.output), failure.message);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a function is skipped: a check of all files skips functions without a file.
    fn is_passed_over(&self, package: &Checked, subject: &Subject) -> bool {
        let path = store::own_file(package.package, &subject.spec.name);
        self.args.check && self.args.names.is_empty() && !path.exists()
    }

    /// Reports files whose spec no longer exists; returns the exit code.
    fn orphans(&self, package: &Checked) -> u8 {
        if !self.args.names.is_empty() {
            return exit_code::PASSED;
        }
        let functions = package.manifest.functions.iter().map(|entry| entry.key.text.as_str());
        let known: Vec<String> = functions.chain(package.type_names()).map(store::file_name).collect();
        let mut code = exit_code::PASSED;
        for name in store::file_names(package.package).iter().filter(|name| !known.contains(name)) {
            errln!("{}/{name}: no spec has this name any more", store::FOLDER);
            code = if self.args.check { exit_code::COUNTEREXAMPLE } else { code };
        }
        code
    }
}

/// Adds generated inputs. An input that the judge can't decide is left out, with a note.
fn add(
    corpus: &mut Corpus,
    kind: Kind,
    cases: Vec<Vec<Value>>,
    spec: &Spec,
    notes: &mut Vec<String>,
) -> Result<()> {
    for args in cases {
        let Err(why) = corpus.add(kind, args.clone(), spec) else { continue };
        let shown = notation::print_args(&args, spec);
        match Judge::new(None).precondition(spec, &args) {
            Admission::SpecError { .. } => notes.push(format!("{shown} is not kept: {why}")),
            Admission::Admitted | Admission::Rejected(_) => {
                bail!("a generator of `{}` gives {shown}, and reading it back fails: {why}", spec.name)
            }
        }
    }
    Ok(())
}

/// The number of entries of each kind, in words.
fn counts(corpus: &Corpus, spec: &Spec) -> String {
    let entries = corpus.in_order(spec);
    let mut parts = Vec::new();
    for kind in Kind::ALL {
        let n = entries.iter().filter(|entry| entry.kind == kind).count();
        if n > 0 {
            parts.push(format!("{n} {}", kind.word()));
        }
    }
    let rejected: HashSet<&str> = corpus.rejected.iter().map(|rejected| rejected.line.as_str()).collect();
    if !rejected.is_empty() {
        parts.push(format!("{} rejected", rejected.len()));
    }
    if parts.is_empty() { "no entries".to_owned() } else { parts.join(", ") }
}
