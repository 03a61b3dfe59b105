//! A copy of the user's source with private items made public: the library is compiled from it if other crates need
//! these items.
//!
//! The copy mirrors the workspace's folder, so that relative paths in the source (`include_str!`, `#[path]`) work. Only
//! changed files are real files, and only the folders that lead to them are real folders; everything else is a link to
//! the user's. A file is written only if its text changes, and never in part, since cargo compares file times. The
//! user's own files are only read.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use target_bridge::frontend::catalog::{Opening, opened};

use crate::run::project::{Member, Package, Project};
use crate::system::exit_code::usage;

/// An up-to-date copy.
#[derive(Debug)]
pub struct Mirror {
    /// The original folder.
    pub base: PathBuf,
    /// The copy.
    pub tree: PathBuf,
    /// The root files of other members' libraries that have changes, too.
    pub others: Vec<PathBuf>,
    /// The program for [`crate::run::wrapper`].
    pub wrapper: PathBuf,
}

/// A folder of the copy: its changed files and subfolders.
#[derive(Debug, Default)]
struct Folder {
    entries: BTreeMap<OsString, Entry>,
}

#[derive(Debug)]
enum Entry {
    Folder(Folder),
    Text(String),
}

/// Brings a package's copy up to date.
pub fn update(project: &Project, package: &Package, openings: &BTreeSet<&Opening>) -> Result<Mirror> {
    let workspace = project.workspace_manifest.parent().expect("a manifest is a file in a folder");
    let base = if package.root().starts_with(workspace) { workspace } else { package.root() };
    let mut by_file: BTreeMap<&Path, Vec<&Opening>> = BTreeMap::new();
    for opening in openings {
        by_file.entry(&opening.file).or_default().push(opening);
    }
    let others = project.members.iter().filter(|member| member.id != package.id);
    let is_changed = |root: &Path| by_file.keys().any(|file| file.starts_with(root));
    let others: Vec<&Member> = others.filter(|member| is_changed(&member.root)).collect();
    let mut root = Folder::default();
    for (file, openings) in by_file {
        let Ok(relative) = file.strip_prefix(base) else { return Err(outside(file, base)) };
        let text = fs::read_to_string(file).with_context(|| format!("read {}", file.display()))?;
        let Some(text) = opened(&text, openings) else {
            return Err(usage(format!("{} has just changed; run again", file.display())));
        };
        if root.put(relative, text).is_none() {
            return Err(outside(file, base));
        }
    }
    let folder = project.output.join("open").join(package.folder_name());
    let tree = folder.join("tree");
    root.write(base, &tree, &project.output)?;
    // Cargo separates builds by wrapper, and must not take a library for one that is compiled from the copy.
    let names: Vec<&str> = others.iter().map(|member| member.crate_name.as_str()).collect();
    let wrapper =
        wrapper(&if names.is_empty() { folder } else { folder.join("with").join(names.join("+")) })?;
    let others = others.iter().map(|member| member.src_path.clone()).collect();
    Ok(Mirror { base: base.to_owned(), tree, others, wrapper })
}

/// Puts this program into a folder, under the name of rustc.
pub fn wrapper(folder: &Path) -> Result<PathBuf> {
    let wrapper = folder.join(format!("rustc{}", std::env::consts::EXE_SUFFIX));
    let own = std::env::current_exe().context("find the program itself")?;
    fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    link(&own, &wrapper)?;
    Ok(wrapper)
}

fn outside(file: &Path, base: &Path) -> anyhow::Error {
    let (file, base) = (file.display(), base.display());
    usage(format!("{file} is outside of {base}: private items in it can't be tested; make them `pub`"))
}

impl Folder {
    /// Puts a changed file at a path, which may contain `..`: each folder on its path becomes a real folder. `None` if
    /// it leads outside.
    fn put(&mut self, path: &Path, text: String) -> Option<()> {
        let mut names: Vec<&OsStr> = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => names.push(name),
                Component::CurDir => {}
                Component::ParentDir => {
                    self.folder(&names)?;
                    names.pop()?;
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        let name = names.pop()?;
        self.folder(&names)?.entries.insert(name.to_owned(), Entry::Text(text));
        Some(())
    }

    fn folder(&mut self, names: &[&OsStr]) -> Option<&mut Folder> {
        names.iter().try_fold(self, |folder, name| {
            let entry = folder.entries.entry((*name).to_owned());
            match entry.or_insert_with(|| Entry::Folder(Folder::default())) {
                Entry::Folder(inner) => Some(inner),
                Entry::Text(_) => None,
            }
        })
    }

    /// Makes `copy` equal to `original`, except for the changed files.
    fn write(&self, original: &Path, copy: &Path, output: &Path) -> Result<()> {
        if fs::symlink_metadata(copy).is_ok_and(|found| !found.is_dir()) {
            fs::remove_file(copy).with_context(|| format!("remove {}", copy.display()))?;
        }
        fs::create_dir_all(copy).with_context(|| format!("create {}", copy.display()))?;
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(original).with_context(|| format!("read {}", original.display()))? {
            let entry = entry.with_context(|| format!("read {}", original.display()))?;
            let (name, from) = (entry.file_name(), entry.path());
            // Skip the history, and the folder that contains the copy itself.
            if name == ".git" || output.starts_with(&from) {
                continue;
            }
            let to = copy.join(&name);
            match self.entries.get(&name) {
                Some(Entry::Folder(folder)) => folder.write(&from, &to, output)?,
                Some(Entry::Text(text)) => write(&to, text)?,
                None if cfg!(not(unix)) && from.is_dir() => Folder::default().write(&from, &to, output)?,
                None => link(&from, &to)?,
            }
            names.insert(name);
        }
        for entry in fs::read_dir(copy).with_context(|| format!("read {}", copy.display()))?.flatten() {
            if !names.contains(&entry.file_name()) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// Writes a file, unless it already has that text.
fn write(file: &Path, text: &str) -> Result<()> {
    let found = fs::symlink_metadata(file);
    if found.as_ref().is_ok_and(|found| found.is_file())
        && fs::read(file).is_ok_and(|known| known == text.as_bytes())
    {
        return Ok(());
    }
    if found.is_ok_and(|found| found.is_dir()) {
        remove(file)?;
    }
    let folder = file.parent().expect("a file is in a folder");
    let writing = || format!("write {}", file.display());
    let mut fresh = tempfile::NamedTempFile::new_in(folder).with_context(writing)?;
    fresh.write_all(text.as_bytes()).with_context(writing)?;
    // A link at this path is replaced, not followed.
    fresh.persist(file).with_context(writing)?;
    Ok(())
}

/// Makes `to` a link to `from`.
#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    if fs::read_link(to).is_ok_and(|known| known == from) {
        return Ok(());
    }
    let linking = || format!("link {} to {}", to.display(), from.display());
    if fs::symlink_metadata(to).is_ok() {
        remove(to)?;
    }
    fs::create_dir_all(to.parent().expect("a link is in a folder")).with_context(linking)?;
    match std::os::unix::fs::symlink(from, to) {
        // Another run may have made it first.
        Err(_) if fs::read_link(to).is_ok_and(|known| known == from) => Ok(()),
        result => result.with_context(linking),
    }
}

/// Makes `to` a copy of the file `from` instead of a link: links need a privilege on this system.
#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> Result<()> {
    let copying = || format!("copy {} to {}", from.display(), to.display());
    let same =
        |a: fs::Metadata, b: fs::Metadata| a.len() == b.len() && a.modified().ok() == b.modified().ok();
    if let (Ok(a), Ok(b)) = (fs::metadata(from), fs::metadata(to))
        && same(a, b)
    {
        return Ok(());
    }
    fs::create_dir_all(to.parent().expect("a copy is in a folder")).with_context(copying)?;
    fs::copy(from, to).with_context(copying)?;
    Ok(())
}

/// Removes a file, a link, or a folder of the copy; targets of links stay.
fn remove(path: &Path) -> Result<()> {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let removed = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.with_context(|| format!("remove {}", path.display()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use target_bridge::frontend::catalog::Change;

    use super::*;
    use crate::run::project::NoLibrary;

    /// Distinguishes folders from links to folders.
    fn listed(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(folder).expect("what was written can be read").flatten() {
            let name = entry.file_name().into_string().expect("the test's names are UTF-8");
            let kind = entry.file_type().expect("the file was just written");
            if kind.is_dir() {
                names.extend(listed(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")));
            } else {
                names.push(if kind.is_symlink() { format!("{name} ->") } else { name });
            }
        }
        names.sort();
        names
    }

    #[test]
    fn only_what_changes_is_a_file_and_is_written_once() {
        let scratch = tempfile::tempdir().expect("a temporary folder can be made");
        let (base, copy) = (scratch.path().join("ws"), scratch.path().join("ws/target/cargo-target/tree"));
        let files = ["a/src/lib.rs", "a/src/x/y.rs", "a/src/z.rs", "a/words.txt", "b/lib.rs", ".git/x"];
        for file in files {
            fs::create_dir_all(base.join(file).parent().expect("a file stands in a folder"))
                .expect("a folder can be made in the test's folder");
            fs::write(base.join(file), file).expect("the test's folder can be written to");
        }
        let output = base.join("target/cargo-target");
        let mut root = Folder::default();
        root.put(Path::new("a/src/lib.rs"), "opened".to_owned())
            .expect("the test's folder can be written to");
        root.put(Path::new("a/src/x/../z.rs"), "opened z".to_owned())
            .expect("the test's folder can be written to");
        assert!(root.put(Path::new("../out.rs"), String::new()).is_none());
        root.write(&base, &copy, &output).expect("the test's folder can be written to");
        let all = ["a/src/lib.rs", "a/src/x/y.rs ->", "a/src/z.rs", "a/words.txt ->", "b ->"];
        assert_eq!(listed(&copy), all);
        assert_eq!(
            fs::read_to_string(base.join("a/src/lib.rs")).expect("what was written can be read"),
            "a/src/lib.rs"
        );
        let time = |file: &str| {
            fs::metadata(copy.join(file))
                .expect("the file was just written")
                .modified()
                .expect("the file was just written")
        };
        let before = time("a/src/lib.rs");
        fs::write(base.join("a/src/new.rs"), "new").expect("the test's folder can be written to");
        fs::remove_file(base.join("a/words.txt")).expect("what was written can be removed");
        root.write(&base, &copy, &output).expect("the test's folder can be written to");
        assert_eq!(time("a/src/lib.rs"), before);
        let all = ["a/src/lib.rs", "a/src/new.rs ->", "a/src/x/y.rs ->", "a/src/z.rs", "b ->"];
        assert_eq!(listed(&copy), all);
        Folder::default().write(&base, &copy, &output).expect("the test's folder can be written to");
        assert_eq!(listed(&copy), ["a ->", "b ->"]);
        assert!(base.join("a/src/x/y.rs").exists());
    }

    /// A wrapper of its own for each set of members that are opened: cargo takes their libraries for different ones.
    #[test]
    fn members_that_are_opened_have_a_wrapper_of_their_own() {
        let scratch = tempfile::tempdir().expect("a temporary folder can be made");
        let base = scratch.path().canonicalize().expect("the folder was just made");
        let root = |name: &str| base.join(name);
        for name in ["shop", "till"] {
            fs::create_dir_all(root(name).join("src")).expect("a folder can be made in the test's folder");
            fs::write(root(name).join("src/lib.rs"), "fn f() {}")
                .expect("the test's folder can be written to");
        }
        let member = |name: &str| Member {
            id: name.to_owned(),
            root: root(name),
            src_path: root(name).join("src/lib.rs"),
            crate_name: name.to_owned(),
            features: Vec::new(),
            dependencies: Vec::new(),
        };
        let package = Package {
            name: "shop".to_owned(),
            id: "shop".to_owned(),
            manifest_path: root("shop").join("Cargo.toml"),
            library: Err(NoLibrary::None),
            tests: Vec::new(),
            has_table: true,
            features: Vec::new(),
            dependencies: Vec::new(),
        };
        let output = base.join("target/cargo-target");
        let project = Project {
            packages: Vec::new(),
            members: vec![member("shop"), member("till")],
            workspace_manifest: base.join("Cargo.toml"),
            include_outside: false,
            build: output.join("build"),
            runs: output.join("runs"),
            output,
        };
        let opening = |name: &str| Opening {
            file: root(name).join("src/lib.rs"),
            start: 0,
            end: 0,
            change: Change::Publish,
        };
        let (own, other) = (opening("shop"), opening("till"));
        let update = |openings: &[&Opening]| {
            update(&project, &package, &openings.iter().copied().collect()).expect("the copy can be made")
        };
        let (alone, both) = (update(&[&own]), update(&[&own, &other]));
        let folder = project.output.join("open").join(package.folder_name());
        assert_eq!(alone.wrapper.parent(), Some(folder.as_path()));
        assert_eq!(alone.others, Vec::<PathBuf>::new());
        assert_eq!(both.wrapper.parent(), Some(folder.join("with/till").as_path()));
        assert_eq!(both.others, [root("till").join("src/lib.rs")]);
        let opened =
            |name: &str| fs::read_to_string(both.tree.join(name).join("src/lib.rs")).unwrap_or_default();
        assert_eq!(
            (opened("shop"), opened("till")),
            ("pub fn f() {}".to_owned(), "pub fn f() {}".to_owned())
        );
    }
}
