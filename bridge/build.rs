//! Looks for libz3 before anything is compiled against it: otherwise its absence shows minutes later, as an error of the
//! linker.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where the crate `z3-sys` looks first.
const OVERRIDE: &str = "Z3_LIBRARY_PATH_OVERRIDE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [OVERRIDE, "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "LIBRARY_PATH", "PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let has = |feature: &str| env::var_os(feature).is_some();
    if !has("CARGO_FEATURE_Z3") || has("CARGO_FEATURE_VENDORED") {
        return;
    }
    // Another system's libraries are not looked for here.
    if env::var_os("HOST") == env::var_os("TARGET") && !is_known_to_pkg_config() && !links() {
        println!(
            "cargo::error=libz3 was not found. Install it (`apt install libz3-dev`, `dnf install z3-devel`, `brew install z3`),"
        );
        println!(
            "cargo::error=or build without a solver: `cargo install cargo-target --no-default-features`."
        );
    }
}

fn is_known_to_pkg_config() -> bool {
    let mut ask = Command::new(env::var_os("PKG_CONFIG").unwrap_or("pkg-config".into()));
    ask.args(["--exists", "z3"]).stdout(Stdio::null()).stderr(Stdio::null());
    ask.status().is_ok_and(|status| status.success())
}

/// Whether a program links against it.
fn links() -> bool {
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let source = Path::new(&folder).join("links.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        // Whether it is there is not known; the linker will say.
        return true;
    }
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.arg(&source).args(["-l", "z3", "-o"]).arg(Path::new(&folder).join("links"));
    if let Some(library) = env::var_os(OVERRIDE) {
        rustc.arg("-L").arg(library);
    }
    rustc.stdout(Stdio::null()).stderr(Stdio::null());
    rustc.status().map_or(true, |status| status.success())
}
