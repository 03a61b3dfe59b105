//! Source that is no Rust: rustc says what is wrong with it.

use std::path::{Path, PathBuf};
use std::process::Command;

use target_bridge::frontend::catalog::ScanProblem;

use super::project::{Package, rustc};
use crate::system::exit_code;
use crate::system::files::from_here;
use crate::system::printable::plain;

/// Prints what rustc says of the files that could not be read; returns the error that ends the command.
pub fn unreadable(package: &Package, problems: &[ScanProblem]) -> anyhow::Error {
    let edition = package.library.as_ref().map_or("2021", |library| library.edition.as_str());
    let mut told: Vec<&PathBuf> = Vec::new();
    for problem in problems {
        if !told.contains(&&problem.file) {
            told.push(&problem.file);
            let said = said_by_rustc(&problem.file, edition);
            errln!("{}", plain(said.as_deref().unwrap_or(&place(problem))));
        }
    }
    exit_code::unreadable(format!("the source of `{}` can't be read", package.name))
}

/// What could not be read, in the catalog's words.
pub fn place(problem: &ScanProblem) -> String {
    format!("{}:{}: {}", from_here(&problem.file), problem.line, problem.message)
}

/// The first error that rustc finds when it reads a file, as it shows it; `None` if it finds none.
fn said_by_rustc(file: &Path, edition: &str) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    // Only the syntax: nothing is built, and no code of the crate runs.
    let output = Command::new(rustc())
        .args(["--edition", edition, "--crate-type", "lib", "--emit", "dep-info", "--error-format", "json"])
        .arg("--out-dir")
        .arg(folder.path())
        .arg(from_here(file))
        .output()
        .ok()?;
    let printed = String::from_utf8_lossy(&output.stderr);
    printed.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        // Errors of the parser have no code. Others are about names, which are unknown in a file alone.
        let is_error = message["code"].is_null()
            && message["level"] == "error"
            && message["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        is_error.then(|| message["rendered"].as_str().map(|text| text.trim_end().to_owned()))?
    })
}
