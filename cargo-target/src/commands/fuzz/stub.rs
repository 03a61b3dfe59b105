//! `cargo target fuzz --init`: writes a fuzz target for a function with a spec, and a fuzz package if there is none.

use anyhow::{Context as _, Result};
use target_bridge::codegen::fuzz::stub;
use target_bridge::frontend::subject::Subject;
use target_strategies::logic::ir::Sort;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};

use super::context::Context;
use super::package_folder;
use crate::commands::prologue::wanted;
use crate::run::checked::{Checked, Filter};
use crate::run::project::Package;
use crate::system::console::Verbosity;
use crate::system::exit_code::{self, usage};
use crate::system::files::{from_here, read_if_there, write_if_changed, write_whole};

/// Files that cargo-fuzz keeps out of version control.
const IGNORED: &str = "target\ncorpus\nartifacts\ncoverage\n";

/// Writes the target; returns the exit code.
pub fn init(context: &Context, checked: &[Checked], function: &str) -> Result<u8> {
    let filter = Filter { words: vec![function.to_owned()], exact: true };
    let wanted = wanted(checked, &filter)?;
    let [(checked, _, subject)] = wanted.as_slice() else {
        return Err(usage(format!("more than one package has a spec for `{function}`: choose one with -p")));
    };
    reject(subject)?;
    let package = checked.package;
    let folder = package_folder::of_package(context.project, package)?;
    let name = context.args.target.clone().unwrap_or_else(|| program_name(function));
    if !is_program_name(&name) {
        return Err(usage(format!("no program can have the name `{name}`: name it with --target")));
    }
    let path = folder.join("fuzz_targets").join(format!("{name}.rs"));
    let library = package.library()?;
    if let Some(text) = read_if_there(&path)?
        && !stub::is_for(&text, &library.crate_name, &subject.spec.name)
    {
        let (path, of) = (path.display(), &package.name);
        let what = format!("is there already, and not by `--init` for `{function}` of `{of}`");
        return Err(usage(format!("{path} {what}: name another with --target")));
    }
    let manifest_path = folder.join("Cargo.toml");
    let manifest = read_if_there(&manifest_path)?.unwrap_or_else(|| new_manifest(package, &library.edition));
    let with_target = with_target(&manifest, &name)
        .with_context(|| format!("add a target to {}", manifest_path.display()))?;
    write_if_changed(&path, stub::source(&library.crate_name, subject).as_bytes())?;
    if !folder.join(".gitignore").exists() {
        write_if_changed(&folder.join(".gitignore"), IGNORED.as_bytes())?;
    }
    write_whole(&manifest_path, &with_target)?;
    if context.config.verbosity > Verbosity::Quiet {
        let path = from_here(&path);
        outln!(
            "wrote the fuzz target `{name}` for `{function}`: {path}\n\nnow: cargo target fuzz {function} --target {name}"
        );
    }
    Ok(exit_code::PASSED)
}

/// Rejects functions that a program outside the crate can't call or check.
fn reject(subject: &Subject) -> Result<()> {
    let key = &subject.spec.name;
    if !subject.openings.is_empty() {
        let what = "is private, or has private parts, and a fuzz target is a program of its own";
        return Err(usage(format!("`{key}` {what}: make it public, for example under `#[cfg(fuzzing)]`")));
    }
    let via = subject.spec.data.iter().find(|data| data.via.is_some());
    if let Some(data) = via {
        return Err(usage(format!(
            "`{key}` takes or returns `{}`, which a function builds (`via`): not in fuzz targets yet",
            data.rust_type
        )));
    }
    if let Some(rule) = subject.spec.data.iter().find_map(|data| data.rule.as_ref()) {
        return Err(usage(format!(
            "`{key}` takes or returns `{}`, a rule of a grammar: not in fuzz targets yet",
            rule.name
        )));
    }
    if subject.spec.params.iter().any(|param| matches!(param.refined.sort, Sort::Opaque(_))) {
        return Err(usage(format!("`{key}` takes what the tool can't look into")));
    }
    Ok(())
}

/// The name of the program for a function.
fn program_name(key: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { ' ' };
    let words: String = key.chars().map(word).collect();
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Whether a program may have that name: cargo accepts it, and it doesn't clash with cargo's own folders.
fn is_program_name(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let of_cargo = ["build", "deps", "examples", "incremental"];
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_word)
        && !of_cargo.contains(&name)
}

/// The manifest that `cargo fuzz init` writes. It has its own workspace, so that it works wherever the package is.
fn new_manifest(package: &Package, edition: &str) -> String {
    format!(
        "[package]\nname = \"{0}-fuzz\"\nversion = \"0.0.0\"\npublish = false\nedition = \
         \"{edition}\"\n\n[package.metadata]\ncargo-fuzz = true\n\n[dependencies]\nlibfuzzer-sys = \
         \"0.4\"\n\n[dependencies.{0}]\npath = \"..\"\n\n[workspace]\n",
        package.name
    )
}

/// The manifest with one more target, and the dependencies that such targets need; everything else stays.
fn with_target(text: &str, name: &str) -> Result<String> {
    let mut manifest: DocumentMut = text.parse().map_err(|error| usage(format!("it is no TOML: {error}")))?;
    let dependencies = manifest.entry("dependencies").or_insert(Item::Table(Table::new()));
    let dependencies =
        dependencies.as_table_like_mut().ok_or_else(|| usage("its `dependencies` are no table"))?;
    if !dependencies.contains_key("target-strategies") {
        let mut runtime = InlineTable::new();
        runtime.insert("version", env!("CARGO_PKG_VERSION").into());
        runtime.insert("default-features", false.into());
        runtime.insert("features", toml_edit::Value::Array(["fuzz"].into_iter().collect()));
        dependencies.insert("target-strategies", value(runtime));
    }
    if !dependencies.contains_key("libfuzzer-sys") {
        dependencies.insert("libfuzzer-sys", value("0.4"));
    }
    let bins = manifest.entry("bin").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let bins = bins.as_array_of_tables_mut().ok_or_else(|| usage("its `bin` is no `[[bin]]`"))?;
    let path = format!("fuzz_targets/{name}.rs");
    let text = |bin: &Table, key: &str| bin.get(key).and_then(Item::as_str).map(str::to_owned);
    let there = bins.iter().find(|bin| text(bin, "name").as_deref() == Some(name));
    if there.is_some_and(|bin| text(bin, "path").as_ref() != Some(&path)) {
        let what = "has its source in another file";
        return Err(usage(format!("its program `{name}` {what}: name another with --target")));
    }
    if there.is_none() {
        let mut bin = Table::new();
        bin.insert("name", value(name));
        bin.insert("path", value(path));
        for kind in ["test", "doc", "bench"] {
            bin.insert(kind, value(false));
        }
        bins.push(bin);
    }
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_cargo_takes() {
        assert_eq!(program_name("Heap<T>::push"), "Heap_T_push");
        assert!(["heap_push", "by-spec", "_1"].map(is_program_name).iter().all(|is| *is));
        for name in ["", "build", "deps", "examples", "incremental", "../x", "a/b", "-x", "1", "größe"] {
            assert!(!is_program_name(name), "{name}");
        }
    }

    #[test]
    fn a_program_of_another_file_is_left_alone() {
        let once =
            with_target("[package]\nname = \"a-fuzz\"\n", "f").expect("the test's own manifest parses");
        assert!(once.contains("path = \"fuzz_targets/f.rs\"") && once.contains("libfuzzer-sys = "), "{once}");
        assert_eq!(with_target(&once, "f").expect("the test's own manifest parses"), once);
        let other = "[[bin]]\nname = \"f\"\npath = \"src/g.rs\"\n";
        assert!(with_target(other, "f").unwrap_err().to_string().contains("in another file"));
    }
}
