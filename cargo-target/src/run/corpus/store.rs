//! The paths and names of corpus files; reads and writes them.
//!
//! A package's own files are in `target-corpus` next to its manifest, under version control. Counterexamples saved by
//! runs are below `target/cargo-target`, and belong to one checkout.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use target_strategies::corpus::Corpus;
use target_strategies::logic::ir::Spec;

use crate::run::project::{Package, Project};
use crate::system::exit_code::usage;
use crate::system::files::{read_if_there, write_whole};

/// The folder of a package's corpus files, next to its manifest.
pub const FOLDER: &str = "target-corpus";

/// The extension of corpus files.
pub const EXTENSION: &str = "corpus";

/// Maximum length of a file name, in bytes: longer names are cut, and end in a hash of the key.
const LONGEST: usize = 120;

/// The file of a function or type in its package.
pub fn own_file(package: &Package, key: &str) -> PathBuf {
    package.root().join(FOLDER).join(file_name(key))
}

/// The file in which runs save the counterexamples of a function.
pub fn saved_file(project: &Project, package: &Package, key: &str) -> PathBuf {
    project.output.join("corpus").join(package.folder_name()).join(file_name(key))
}

/// Reads a file, and judges its entries; `None` if there is none.
pub fn read(path: &Path, spec: &Spec) -> Result<Option<Corpus>> {
    let Some(text) = read_if_there(path)? else { return Ok(None) };
    let corpus =
        Corpus::read(&text, spec).map_err(|mistake| usage(format!("{}: {mistake}", path.display())))?;
    // A header entry is one line, where a key may have other spaces than in the manifest.
    let plain = |key: &str| key.split_whitespace().collect::<Vec<_>>().join(" ");
    if !corpus.function.is_empty() && plain(&corpus.function) != plain(&spec.name) {
        let (found, wanted) = (&corpus.function, &spec.name);
        return Err(usage(format!("{} is for `{found}`, not for `{wanted}`: rename it", path.display())));
    }
    Ok(Some(corpus))
}

/// Writes a file if its text changes; returns whether it did.
pub fn write(path: &Path, text: &str) -> Result<bool> {
    if is_current(path, text)? {
        return Ok(false);
    }
    let folder = path.parent().context("a corpus file is in a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    write_whole(path, text)?;
    Ok(true)
}

/// Whether a file already has that text, ignoring the kind of line ends.
pub fn is_current(path: &Path, text: &str) -> Result<bool> {
    Ok(read_if_there(path)?.is_some_and(|old| old.replace("\r\n", "\n") == text))
}

/// The keys of the files in a package's folder, from the files' names, sorted.
pub fn file_names(package: &Package) -> Vec<String> {
    let entries = std::fs::read_dir(package.root().join(FOLDER)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(&format!(".{EXTENSION}"))).collect();
    names.sort();
    names
}

/// The name of the file for a key. Different keys have different names, which every file system and shell accepts: `::`
/// becomes `.`; a byte that is no ASCII letter, digit, `_` or `-` becomes `%` and its hex code.
pub fn file_name(key: &str) -> String {
    let mut name = String::new();
    let mut rest = key;
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("::").filter(|_| !name.is_empty()) {
            name.push('.');
            rest = behind;
            continue;
        }
        match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') => name.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| name.push_str(&format!("%{byte:02X}"))),
        }
        rest = &rest[c.len_utf8()..];
    }
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push_str(&format!("-{:016x}", hash(key)));
    }
    format!("{name}.{EXTENSION}")
}

/// FNV-1a, which is the same on all systems and in all versions.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn any_key_has_a_file_of_its_own() {
        assert_eq!(file_name("rescale"), "rescale.corpus");
        assert_eq!(file_name("Heap::push"), "Heap.push.corpus");
        assert_eq!(file_name("a.b"), "a%2Eb.corpus");
        assert_eq!(file_name("../../etc/x y"), "%2E%2E%2F%2E%2E%2Fetc%2Fx%20y.corpus");
        assert_eq!(file_name("::a"), "%3A%3Aa.corpus");
        assert_eq!(file_name("é:"), "%C3%A9%3A.corpus");
        let long = "x".repeat(300);
        let names = [file_name(&long), file_name(&format!("{long}x"))];
        assert!(names[0] != names[1] && names[0].len() < 200, "{names:?}");
    }
}
