//! Puts the modules of the fixture `assorted` into one file, with `crate::on("bug")` in the place of `cfg!(feature = "bug")`.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts"))
        .join("../../fixtures/assorted/src");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the fixture is in this repository")
        .map(|entry| entry.expect("its files can be listed").path())
        .collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("modules have plain names");
        if name != "lib" {
            let module =
                fs::read_to_string(&file).expect("a module is text").replace("cfg!(feature = ", "crate::on(");
            text += &format!("#[allow(dead_code)]\npub mod {name} {{\n{module}}}\n");
        }
    }
    fs::write(
        PathBuf::from(env::var("OUT_DIR").expect("cargo sets it for build scripts")).join("subjects.rs"),
        text,
    )
    .expect("cargo's folder can be written");
}
