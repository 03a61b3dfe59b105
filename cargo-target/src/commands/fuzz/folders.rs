//! The folders that fuzzers read and write: the seeds of a target, and the files that its fuzzer keeps.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use target_bridge::codegen::fuzz::target::Fuzzer;
use target_strategies::corpus::Kind;
use target_strategies::fuzzing::arbitrary::Mode;

use super::context::Context;
use super::package_folder::{entries, root};
use super::pairs::Pair;
use crate::system::exit_code::usage;
use crate::system::files::from_here;

/// The folder for a target's seeds.
pub fn seeds(context: &Context, pair: &Pair) -> PathBuf {
    let (name, work) = (&pair.target.name, &pair.target.work);
    match (&context.args.out, pair.target.target.fuzzer) {
        // Packages and fuzzers may have targets of the same name, and fuzzers decode differently.
        (Some(out), _) if context.is_several => {
            let fuzzer = folder_name(pair.target.target.fuzzer);
            out.join(pair.package.package.folder_name()).join(fuzzer).join(pair.target.file_name())
        }
        (Some(out), _) => out.clone(),
        (None, Fuzzer::LibFuzzer) if pair.mode(context) == Mode::Plain => work.join("seeds-plain").join(name),
        (None, Fuzzer::LibFuzzer | Fuzzer::Afl) => work.join("seeds").join(name),
        (None, Fuzzer::Honggfuzz) => work.join("hfuzz_workspace").join(name).join("input"),
        (None, Fuzzer::Bolero) => work.join("corpus"),
    }
}

/// The name of a fuzzer's folder next to those of other fuzzers.
fn folder_name(fuzzer: Fuzzer) -> &'static str {
    match fuzzer {
        Fuzzer::LibFuzzer => "libfuzzer",
        Fuzzer::Afl => "afl",
        Fuzzer::Honggfuzz => "honggfuzz",
        Fuzzer::Bolero => "bolero",
    }
}

/// Checks that each target's seeds have their own folder: different targets decode the same bytes differently.
pub fn check_apart(context: &Context, pairs: &[Pair]) -> Result<()> {
    let mut known = HashMap::new();
    for pair in pairs {
        let folder = seeds(context, pair);
        let shown = || format!("`{}` of {}", pair.target.name, from_here(&pair.target.path));
        if let Some(other) = known.insert(folder.clone(), shown()) {
            let (folder, shown) = (from_here(&folder), shown());
            return Err(usage(format!(
                "{folder} would have the seeds of both {other} and {shown}: leave --out out"
            )));
        }
    }
    Ok(())
}

/// Whether the fuzzer also writes to the folder of its seeds.
pub fn is_shared(fuzzer: Fuzzer) -> bool {
    matches!(fuzzer, Fuzzer::Honggfuzz | Fuzzer::Bolero)
}

/// The files on which a target's fuzzer failed, and those that it kept.
pub fn found(pair: &Pair) -> Result<Vec<(Kind, PathBuf)>> {
    let (name, work) = (&pair.target.name, &pair.target.work);
    let (failed, kept) = (Kind::Counterexample, Kind::Kept);
    let folders = match pair.target.target.fuzzer {
        Fuzzer::LibFuzzer => {
            vec![(failed, work.join("artifacts").join(name)), (kept, work.join("corpus").join(name))]
        }
        Fuzzer::Honggfuzz => {
            let own = work.join("hfuzz_workspace").join(name);
            vec![(failed, own.clone()), (kept, own.join("input"))]
        }
        Fuzzer::Afl => {
            let runs = entries(&work.join("out").join(name))?;
            let of = |kind, folder: &'static str| runs.iter().map(move |run| (kind, run.join(folder)));
            of(failed, "crashes").chain(of(failed, "hangs")).chain(of(kept, "queue")).collect()
        }
        Fuzzer::Bolero => {
            let afl = work.join("afl_state");
            vec![
                (failed, work.join("crashes")),
                (failed, afl.join("crashes")),
                (failed, afl.join("hangs")),
                (kept, work.join("corpus")),
                (kept, afl.join("queue")),
            ]
        }
    };
    let mut all = Vec::new();
    for (kind, folder) in folders {
        let paths = entries(&folder)?.into_iter().filter(|path| path.is_file());
        let is_input = |path: &PathBuf| is_input(pair.target.target.fuzzer, kind, path);
        all.extend(paths.filter(is_input).map(|path| (kind, path)));
    }
    Ok(all)
}

/// Whether a file is an input, not a report or state of the fuzzer.
fn is_input(fuzzer: Fuzzer, kind: Kind, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fuzzer {
        Fuzzer::LibFuzzer => true,
        Fuzzer::Afl => name.starts_with("id:"),
        Fuzzer::Honggfuzz => kind != Kind::Counterexample || name.ends_with(".fuzz"),
        Fuzzer::Bolero => !name.starts_with('.') && name != "README.txt",
    }
}

/// The command that starts a target's fuzzer with its seeds.
pub fn command(context: &Context, pair: &Pair, seeds: &Path) -> String {
    let (name, work) = (&pair.target.name, &pair.target.work);
    let folder = from_here(work);
    match pair.target.target.fuzzer {
        Fuzzer::LibFuzzer => {
            let (dir, corpus) = (fuzz_dir(work), from_here(&work.join("corpus").join(name)));
            format!("cargo fuzz run{dir} {name} {corpus} {}", from_here(seeds))
        }
        Fuzzer::Afl => {
            let own = pair.fuzz.manifest.contains_key("workspace");
            let built = if own { work.as_path() } else { root(context.project) }
                .join("target")
                .join("debug")
                .join(name);
            let (out, built) = (from_here(&work.join("out").join(name)), from_here(&built));
            format!("cargo afl fuzz -i {} -o {out} {built}", from_here(seeds))
        }
        Fuzzer::Honggfuzz => format!("(cd {folder}; cargo hfuzz run {name})"),
        Fuzzer::Bolero => format!("cargo test -p {} {name}", pair.package.package.name),
    }
}

/// The option that tells cargo-fuzz the folder of the targets, if it doesn't find it from the current folder.
fn fuzz_dir(work: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let package = here.ancestors().find(|folder| *folder != work && folder.join("Cargo.toml").exists());
    if package.is_some_and(|package| package.join("fuzz") == work) {
        String::new()
    } else {
        format!(" --fuzz-dir {}", from_here(work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fuzzers_write_beside_inputs_is_none() {
        let check = |fuzzer, kind, name: &str| is_input(fuzzer, kind, Path::new(name));
        let (failed, kept) = (Kind::Counterexample, Kind::Kept);
        assert!(check(Fuzzer::LibFuzzer, failed, "a/crash-0123"));
        assert!(
            check(Fuzzer::Afl, failed, "a/id:000000,sig:06") && !check(Fuzzer::Afl, failed, "a/README.txt")
        );
        assert!(check(Fuzzer::Honggfuzz, failed, "a/SIGABRT.PC.7f.fuzz"));
        assert!(!check(Fuzzer::Honggfuzz, failed, "a/HONGGFUZZ.REPORT.TXT"));
        assert!(check(Fuzzer::Honggfuzz, kept, "a/0123.cov"));
        assert!(check(Fuzzer::Bolero, kept, "a/0123") && !check(Fuzzer::Bolero, kept, "a/.gitkeep"));
    }
}
