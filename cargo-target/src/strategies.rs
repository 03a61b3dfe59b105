//! `cargo target strategies`: one file of proptest strategies for each package, below its tests.
//!
//! `--check` writes nothing and compares, for CI. The first line of a file is the command that writes it, options included.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use target_bridge::emit::strategies::{Entry, source};
use target_bridge::manifest::PartialSettings;
use target_bridge::resolve::{NamedType, named_types};

use crate::args::{self, MessageFormat};
use crate::checked::{self, Checked};
use crate::config::CargoConfig;
use crate::corpus::store;
use crate::exit_code::{self, usage};
use crate::files::{read_if_there, write_whole};
use crate::pipeline::diagnose;
use crate::project;
use crate::report::Report;

/// Where a package's strategies are, unless `--output` says otherwise: `mod strategies;` finds them from any test.
const FILE: &str = "tests/strategies/mod.rs";

/// Writes or compares the files: gives the exit code.
pub fn strategies(args: &args::Strategies) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let settings = PartialSettings { depth: args.depth, bound: args.bound, ..PartialSettings::default() };
    let checked = checked::check(&project, &settings, None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    let types: Vec<Vec<NamedType>> = checked
        .iter()
        .map(|package| named_types(&package.manifest, &package.catalog, &settings, &package.sources))
        .collect();
    let entries: Vec<(&Checked, Vec<Entry>)> =
        checked.iter().zip(&types).map(|(package, types)| (package, entries(package, types, args))).collect();
    all_known(&args.names, &entries)?;
    let is_wanted = |entry: &Entry| args.names.is_empty() || args.names.contains(&entry.name);
    let wanted: Vec<(&Checked, Vec<Entry>)> = entries
        .into_iter()
        .map(|(package, entries)| (package, entries.into_iter().filter(is_wanted).collect::<Vec<_>>()))
        .filter(|(_, entries)| !entries.is_empty())
        .collect();
    if args.output.is_some() && wanted.len() > 1 {
        return Err(usage("several packages have specs: choose one by `--package`, or leave out `--output`"));
    }
    let mut code = exit_code::PASSED;
    for (package, entries) in wanted {
        let path = args.output.clone().unwrap_or_else(|| package.package.root().join(FILE));
        code = code.max(one(args, package, &entries, &path)?);
    }
    Ok(code)
}

/// The functions and types of a package.
fn entries<'a>(package: &'a Checked, types: &'a [NamedType], args: &args::Strategies) -> Vec<Entry<'a>> {
    let is_bounded = args.depth.is_some() || args.bound.is_some();
    let function = |subject: &'a target_bridge::subject::Subject| Entry {
        name: subject.spec.name.clone(),
        text: package.spec_text(subject),
        subject: Ok(subject),
        is_type: false,
        corpus: corpus_file(&subject.spec.name),
        is_bounded,
    };
    let named = |ty: &'a NamedType| Entry {
        name: ty.name.clone(),
        text: ty.text.clone(),
        subject: ty.subject.as_ref().map_err(Clone::clone),
        is_type: true,
        corpus: corpus_file(&ty.name),
        is_bounded,
    };
    package.subjects.iter().map(function).chain(types.iter().map(named)).collect()
}

fn all_known(names: &[String], entries: &[(&Checked, Vec<Entry>)]) -> Result<()> {
    let all = || entries.iter().flat_map(|(_, entries)| entries).map(|entry| entry.name.as_str());
    match names.iter().find(|name| all().all(|known| known != *name)) {
        None => Ok(()),
        Some(unknown) => {
            let known: Vec<&str> = all().collect();
            let what = format!("no function and no type without parameters is named `{unknown}`");
            Err(usage(format!("{what}; there are {}", known.join(", "))))
        }
    }
}

fn one(args: &args::Strategies, package: &Checked, entries: &[Entry], path: &Path) -> Result<u8> {
    let library = package.package.library.as_ref().expect("a package without a library has been refused");
    let written = source(&library.crate_name, entries, &command(args, &package.package.name));
    let known = read_if_there(path)?;
    let shown = shown(path);
    let is_fresh = known.as_deref().is_some_and(|known| known.replace("\r\n", "\n") == written.text);
    if args.check && !is_fresh {
        let what = if known.is_some() { "is not what the specs say any more" } else { "is not there" };
        anstream::eprintln!(
            "error: {} {what}; write it with `{}`",
            shown.display(),
            command(args, &package.package.name)
        );
        return Ok(exit_code::STALE);
    }
    if !is_fresh {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder
            .map_or(Ok(()), fs::create_dir_all)
            .with_context(|| format!("create the folder of {}", path.display()))?;
        write_whole(path, &written.text)?;
    }
    if !args.selection.quiet {
        let did = if is_fresh { "is up to date" } else { "written" };
        let left_out = match written.n_left_out {
            0 => String::new(),
            n => format!(", {n} left out (it says why)"),
        };
        anstream::println!("{} {did}: {} strategies{left_out}", shown.display(), written.n_strategies);
    }
    Ok(exit_code::PASSED)
}

/// A path relative to the current folder, where it is below that.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

/// The command that writes the file.
fn command(args: &args::Strategies, package: &str) -> String {
    let mut words = vec!["cargo target strategies".to_owned()];
    if !args.selection.workspace.package.is_empty() {
        words.push(format!("-p {package}"));
    }
    let features = &args.selection.features;
    if !features.features.is_empty() {
        words.push(format!("--features {}", features.features.join(",")));
    }
    words.extend(features.all_features.then(|| "--all-features".to_owned()));
    words.extend(features.no_default_features.then(|| "--no-default-features".to_owned()));
    words.extend(args.names.iter().map(
        |name| match name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            true => format!("'{name}'"),
            false => name.clone(),
        },
    ));
    words.extend(args.output.iter().map(|path| format!("-o {}", path.display())));
    words.extend(args.depth.iter().map(|depth| format!("--depth {depth}")));
    words.extend(args.bound.iter().map(|bound| format!("--bound {bound}")));
    words.join(" ")
}

/// Where a package keeps its corpus, from its folder.
fn corpus_file(key: &str) -> String {
    format!("{}/{}", store::FOLDER, store::file_name(key))
}
