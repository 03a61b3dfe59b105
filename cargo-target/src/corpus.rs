//! `cargo target corpus`: the inputs worth keeping, written into the files of a package or compared with them.
//!
//! A file is made anew from the spec each time: all up to a size, boundary cases, a sample. What it has of
//! counterexamples and of lines that somebody wrote stays, refused or not; counterexamples that runs saved come in when
//! it is written. So what it is compared with depends on the spec, the options in its head, and these lines alone.

pub mod failure;
pub mod json;
mod judge;
pub mod kept;
pub mod options;
pub mod saved;
pub mod store;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use target_bridge::generate::keep::{Kept, keep};
use target_bridge::manifest::PartialSettings;
use target_bridge::subject::Subject;
use target_strategies::corpus::{Corpus, Kind, Refused};
use target_strategies::ir::Spec;
use target_strategies::notation;
use target_strategies::value::Value;

use crate::args::{self, EntryFormat, MessageFormat};
use crate::checked::{self, Checked};
use crate::config::{CargoConfig, Verbosity};
use crate::console;
use crate::exit_code::{self, usage};
use crate::harness::Build;
use crate::outcome::Counterexample;
use crate::pipeline::{self, diagnose, space};
use crate::planning::Planning;
use crate::project::{self, Package, Project};
use crate::report::Report;
use crate::report::words::plain;
use options::Options;

/// What the command works with.
struct Command<'a> {
    args: &'a args::Corpus,
    config: CargoConfig,
    project: &'a Project,
    interrupted: &'a Arc<AtomicBool>,
    /// The harnesses, by package, where they are needed.
    programs: Vec<(String, PathBuf)>,
}

/// A file as it should be.
struct Made {
    path: PathBuf,
    corpus: Corpus,
    text: String,
    /// Lines of generated kinds that the spec refuses, which are left out.
    dropped: Vec<Refused>,
    /// The counterexamples that runs saved and that it has now.
    adopted: Vec<Vec<Value>>,
    /// What could not be had.
    notes: Vec<String>,
}

/// `cargo target corpus`: gives the exit code.
pub fn corpus(args: &args::Corpus, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let mut checked = checked::check(&project, &PartialSettings::default(), None)?;
    checked.iter_mut().for_each(|package| with_types(package, args));
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

/// Takes the types that are named into a package, as functions of one parameter; with none named, those with a file.
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

/// The functions and types of those names; all functions, and the types that were added, if there are none.
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
    /// Writes, checks or prints one file; gives the exit code.
    fn one(&self, package: &Checked, subject: &Subject) -> Result<u8> {
        let key = &subject.spec.name;
        let path = store::own_file(package.package, key);
        if self.is_passed_over(package, subject) {
            return Ok(exit_code::PASSED);
        }
        let made = self.make(package, subject, path)?;
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(exit_code::INTERRUPTED);
        }
        let shown = made.path.strip_prefix(std::env::current_dir().unwrap_or_default()).unwrap_or(&made.path);
        let shown = shown.display();
        for Refused { line, reason, .. } in &made.corpus.refused {
            errln!("{shown}: refused: {reason}\n    {line}");
        }
        if let Some(Refused { line, reason, .. }) = made.dropped.first() {
            let n = made.dropped.len();
            let (n, are) = if n == 1 { ("1 line".to_owned(), "is") } else { (format!("{n} lines"), "are") };
            errln!("{shown}: {n} of generated kinds {are} refused and left out: {reason}\n    {line}");
        }
        if self.config.verbosity > Verbosity::Quiet {
            made.notes.iter().for_each(|note| errln!("note: {key}: {note}"));
        }
        if let Some(EntryFormat::Jsonl) = self.args.format {
            for entry in &made.corpus.in_order(&subject.spec) {
                console::exact(&(json::line(&package.package.name, entry, &subject.spec) + "\n"));
            }
            return Ok(exit_code::PASSED);
        }
        if self.args.check {
            let stale = !store::is_current(&made.path, &made.text)?;
            if stale {
                errln!("{shown} is stale: `cargo target corpus {key}` writes it anew");
            }
            let bad = stale || !made.corpus.refused.is_empty();
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

    /// The file as it should be.
    fn make(&self, package: &Checked, subject: &Subject, path: PathBuf) -> Result<Made> {
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
        // A line with a comment of its own was touched by hand.
        corpus.entries.retain(|entry| !entry.kind.is_generated() || !entry.comments.is_empty());
        let is_idle =
            |line: &mut Refused| line.kind.is_some_and(Kind::is_generated) && line.comments.is_empty();
        let dropped = corpus.refused.extract_if(.., is_idle).collect();
        // What is compared or printed is what the package has, whatever was run on this machine.
        let adopted = match self.args.check || self.args.format.is_some() {
            true => Vec::new(),
            false => saved::adopt(self.project, package.package, subject, &mut corpus),
        };
        let notes = self.generate(package, subject, &options, &mut corpus)?;
        let text = corpus.text(spec);
        Ok(Made { path, corpus, text, dropped, adopted, notes })
    }

    /// Adds what the spec gives; gives what could not be had.
    fn generate(
        &self,
        package: &Checked,
        subject: &Subject,
        options: &Options,
        corpus: &mut Corpus,
    ) -> Result<Vec<String>> {
        let spec = &subject.spec;
        let space = space(subject);
        let is_needed = judge::is_needed(subject, &space);
        let number = package.functions().position(|function| function.spec.name == spec.name);
        if is_needed && number.is_none() {
            let why = "only Rust code can say which values are valid, and that is run for functions alone";
            return Ok(vec![format!("{why}: the file has lines of yours only")]);
        }
        let wanted = options.wanted(subject.settings.boundary);
        let planning = Planning::new(&subject.settings, self.interrupted);
        let kept =
            planning.within(|| keep(&space, &wanted)).unwrap_or_else(|stop| Err(planning.reason(stop)));
        let kept = kept.map_err(|why| usage(format!("`{}`: {why}", spec.name)))?;
        let Kept { all, boundary, sample, mut notes, .. } = kept;
        for (kind, mut cases) in [(Kind::Boundary, boundary), (Kind::All, all), (Kind::Sample, sample)] {
            if let (true, Some(number)) = (is_needed, number) {
                let program = self.programs.iter().find(|(name, _)| *name == package.package.name);
                let (_, program) = program.context("find the harness of the package")?;
                let whose = (package.package, number as u32, subject);
                let (accepted, problem) = judge::accepted(program, whose, cases, self.interrupted)?;
                cases = accepted;
                notes.extend(problem.map(|problem| format!("not all inputs could be judged: {problem}")));
            }
            for args in cases {
                if let Err(why) = corpus.add(kind, args.clone(), spec) {
                    let args = notation::print_args(&args, spec);
                    bail!("a generator of `{}` gives {args}, and reading it back fails: {why}", spec.name);
                }
            }
        }
        Ok(notes)
    }

    /// Builds the harnesses of packages with functions of which only Rust code can say what is valid.
    fn build(&mut self, wanted: &[Chosen]) -> Result<bool> {
        for (package, subject) in wanted {
            let name = &package.package.name;
            let is_built = self.programs.iter().any(|(built, _)| built == name);
            let is_function = package.entry(subject).is_some();
            if is_built || !is_function || self.is_passed_over(package, subject) {
                continue;
            }
            if !judge::is_needed(subject, &space(subject)) {
                continue;
            }
            let how = Build { config: &self.config, profile: None, project: self.project, counts: false };
            match pipeline::build(how, package)? {
                Ok(program) => self.programs.push((name.clone(), program)),
                // Ctrl-C ends the compilers, too.
                Err(_) if self.interrupted.load(Ordering::Relaxed) => return Ok(false),
                Err(failure) => {
                    errln!("{}error: {}", plain(&failure.output), failure.message);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a function needs no file: where all files are checked, those that there are.
    fn is_passed_over(&self, package: &Checked, subject: &Subject) -> bool {
        let path = store::own_file(package.package, &subject.spec.name);
        self.args.check && self.args.names.is_empty() && !path.exists()
    }

    /// Tells of files that no spec belongs to any more; gives the exit code.
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

/// The counterexamples of a function: those in its package's file, then those that runs saved.
pub fn counterexamples(
    project: &Project,
    package: &Package,
    subject: &Subject,
) -> Result<Vec<Counterexample>> {
    let spec = &subject.spec;
    let mut found: Vec<Counterexample> = Vec::new();
    let own = store::read(&store::own_file(package, &spec.name), spec)?;
    let saved = saved::read(project, package, subject);
    for corpus in own.into_iter().chain(saved) {
        for entry in corpus.in_order(spec) {
            if entry.kind == Kind::Counterexample && !found.iter().any(|known| known.args == entry.args) {
                found.push(failure::counterexample(&entry, spec));
            }
        }
    }
    Ok(found)
}

/// How many entries of each kind there are, in words.
fn counts(corpus: &Corpus, spec: &Spec) -> String {
    let entries = corpus.in_order(spec);
    let mut parts = Vec::new();
    for kind in Kind::ALL {
        let n = entries.iter().filter(|entry| entry.kind == kind).count();
        if n > 0 {
            parts.push(format!("{n} {}", kind.word()));
        }
    }
    let refused: HashSet<&str> = corpus.refused.iter().map(|refused| refused.line.as_str()).collect();
    if !refused.is_empty() {
        parts.push(format!("{} refused", refused.len()));
    }
    if parts.is_empty() { "no entries".to_owned() } else { parts.join(", ") }
}
