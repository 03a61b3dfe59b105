//! Puts the modules of the fixture `assorted` into one file, with `crate::on("bug")` in the place of `cfg!(feature = "bug")`.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fixtures/assorted/src");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        if name != "lib" {
            let module = fs::read_to_string(&file).unwrap().replace("cfg!(feature = ", "crate::on(");
            text += &format!("#[allow(dead_code)]\npub mod {name} {{\n{module}}}\n");
        }
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("subjects.rs"), text).unwrap();
}
