//! Compiles the runtime of harnesses into release builds of `cargo target`, so that its first run need not.
//!
//! It is compiled as `cargo target` would do it, but optimized more, see `src/recipe.rs`. A failure here costs only the time of
//! the first run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[path = "src/recipe.rs"]
mod recipe;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/recipe.rs");
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where build scripts write"));
    // A developer's builds change the sources often, and need no fast first run.
    let is_wanted = env::var_os("CARGO_FEATURE_RUNTIME").is_some()
        && env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && env::var("HOST").ok() == env::var("TARGET").ok();
    let mut compiler = String::new();
    if is_wanted {
        println!("cargo::rerun-if-changed=src");
        match compiled(&output.join("libtarget_strategies.rlib")) {
            Ok(version) => compiler = version,
            Err(message) => println!("cargo::warning=the first run will compile the runtime: {message}"),
        }
    }
    let text = match compiler.as_str() {
        "" => "None".to_owned(),
        version => format!(
            "Some(Prebuilt {{ compiler: {version:?}, library: include_bytes!(concat!(env!(\"OUT_DIR\"), \
             \"/libtarget_strategies.rlib\")) }})"
        ),
    };
    fs::write(output.join("prebuilt.in"), text).expect("the folder of build scripts can be written");
}

/// Compiles the library. Returns its compiler.
fn compiled(library: &Path) -> Result<String, String> {
    let variable = |name: &str| env::var_os(name).ok_or(format!("{name} is not set"));
    let rustc = PathBuf::from(variable("RUSTC")?);
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let sources = folder.join("src");
    let mut command = Command::new(&rustc);
    command
        .args(recipe::FLAGS)
        .args(recipe::PREBUILT_FLAGS)
        .args(["--cap-lints=allow", "-o"])
        .arg(library)
        .arg(sources.join("runtime.rs"));
    command.arg(format!("--remap-path-prefix={}=cargo-target-runtime", sources.display()));
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.lines().next().unwrap_or("rustc failed").to_owned());
    }
    recipe::compiler(&rustc, &folder).map_err(|error| error.to_string())
}
