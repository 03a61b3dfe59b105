//! How the runtime of harnesses is compiled. The build script has this file as a module, too.

use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// rustc's flags. The first four halve the time: overflow checks and link-time optimization between the crate's own parts
/// cost more than they give here, and bitcode is for a linker that optimizes.
pub const FLAGS: [&str; 10] = [
    "-Coverflow-checks=off",
    "-Cdebug-assertions=off",
    "-Clto=off",
    "-Cembed-bitcode=no",
    "-Copt-level=3",
    "-Cpanic=unwind",
    "-Cstrip=debuginfo",
    "--edition=2024",
    "--crate-type=rlib",
    "--crate-name=target_strategies",
];

/// More flags for the runtime that a release build carries. It is compiled once for all users, so it may take twice as long:
/// with one unit, small functions of all modules are inlined.
pub const PREBUILT_FLAGS: [&str; 1] = ["-Ccodegen-units=1"];

/// A compiler as it runs in a folder: its version, and its standard library, which may differ between builds of the same
/// version. A library can be linked only with what the same compiler made.
pub fn compiler(rustc: &Path, folder: &Path) -> io::Result<String> {
    let said = |flags: &[&str]| {
        let output = Command::new(rustc).args(flags).current_dir(folder).output()?;
        String::from_utf8(output.stdout).map_err(io::Error::other)
    };
    let mut text = said(&["-vV"])?;
    let mut files = Vec::new();
    for file in fs::read_dir(said(&["--print=target-libdir"])?.trim())? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.starts_with("libstd-") || name.starts_with("libcore-") {
            files.push(format!("{name} {}\n", file.metadata()?.len()));
        }
    }
    files.sort();
    text.extend(files);
    Ok(text)
}
