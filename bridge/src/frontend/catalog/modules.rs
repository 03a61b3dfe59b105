//! The tree of modules: from the root's file, through `mod` items, to each module's items.
//!
//! It reads files, evaluates `cfg`, and knows which file belongs to which `mod`; items are interpreted later.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Item, ItemMod, Meta};

use super::cfg::{Cfg, string_of};
use super::hidden::{self, Hidden};
use super::literals::{self, Body};
use super::names::ModuleId;
use super::source::{self, SourceError};

/// Maximum number of modules. A crate with more repeats its files through `#[path]`.
const MOST_MODULES: usize = 5_000;

/// Maximum size of a file, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// A module with its items except `mod`.
pub(super) struct Module {
    /// Its definition path from the root; empty for the root.
    pub path: String,
    pub parent: Option<ModuleId>,
    pub children: Vec<Child>,
    pub file: PathBuf,
    /// The canonical path of its file.
    canonical: PathBuf,
    pub items: Vec<Item>,
}

/// A module declared by its parent.
pub(super) struct Child {
    pub name: String,
    pub visibility: syn::Visibility,
    /// The first token after the visibility.
    pub first: Span,
    pub module: ModuleId,
}

/// A file, or a part of a file, that could not be read; the scan continued without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanProblem {
    /// The file, or the file that names it.
    pub file: PathBuf,
    /// The line, 1-based.
    pub line: usize,
    /// The mistake, as a lower-case fragment.
    pub message: String,
}

/// Where to look for a module's child modules.
#[derive(Clone)]
struct ModuleLocation {
    file: PathBuf,
    /// The folder of `x.rs` and `x/mod.rs`.
    folder: PathBuf,
    /// The folder to which `#[path]` is relative.
    path_folder: PathBuf,
}

/// A `mod` that is not loaded yet.
struct Pending {
    parent: ModuleId,
    item: ItemMod,
    attributes: Vec<Meta>,
    location: ModuleLocation,
}

/// The modules of a crate, parents before children, from the root's file or from a text instead; and the names and
/// the bodies in omitted text.
pub(super) fn load(
    root: &Path,
    text: Option<&str>,
    cfg: &Cfg,
    problems: &mut Vec<ScanProblem>,
) -> (Vec<Module>, Vec<Hidden>, Vec<Body>) {
    let mut tree = Tree {
        cfg,
        problems,
        modules: Vec::new(),
        pending: Vec::new(),
        hidden: Vec::new(),
        bodies: Vec::new(),
    };
    let location = ModuleLocation::beside(root.to_path_buf());
    let unplaced = ScanProblem { file: root.to_path_buf(), line: 1, message: String::new() };
    let file = match text {
        Some(text) => tree.parse(root, text),
        None => tree.read(root, &unplaced),
    };
    let items = file.filter(|file| cfg.keeps(&file.attrs)).map(|file| file.items).unwrap_or_default();
    tree.enter(String::new(), None, location, items);
    while !tree.pending.is_empty() {
        for pending in std::mem::take(&mut tree.pending) {
            tree.enter_child(pending);
        }
    }
    (tree.modules, tree.hidden, tree.bodies)
}

struct Tree<'a> {
    cfg: &'a Cfg,
    problems: &'a mut Vec<ScanProblem>,
    modules: Vec<Module>,
    pending: Vec<Pending>,
    hidden: Vec<Hidden>,
    bodies: Vec<Body>,
}

impl Tree<'_> {
    /// Adds a module; its child modules become pending.
    fn enter(
        &mut self,
        path: String,
        parent: Option<ModuleId>,
        location: ModuleLocation,
        items: Vec<Item>,
    ) -> ModuleId {
        let id = self.modules.len() as ModuleId;
        let mut rest = Vec::new();
        for item in items {
            match item {
                Item::Mod(item) => {
                    if let Some(attributes) = self.cfg.applied(&item.attrs) {
                        self.pending.push(Pending {
                            parent: id,
                            item,
                            attributes,
                            location: location.clone(),
                        });
                    }
                }
                item => rest.push(item),
            }
        }
        let canonical = match parent.map(|parent| &self.modules[parent as usize]) {
            Some(parent) if parent.file == location.file => parent.canonical.clone(),
            _ => canonical(&location.file),
        };
        let children = Vec::new();
        self.modules.push(Module { path, parent, children, file: location.file, canonical, items: rest });
        id
    }

    fn enter_child(&mut self, pending: Pending) {
        let Pending { parent, mut item, attributes, location } = pending;
        let declared = ScanProblem {
            file: location.file.clone(),
            line: item.ident.span().start().line,
            message: String::new(),
        };
        if self.modules.len() == MOST_MODULES {
            // Reported once: the count no longer changes.
            if !self.problems.iter().any(|problem| problem.message == TOO_MANY) {
                self.problems.push(ScanProblem { message: TOO_MANY.to_string(), ..declared });
            }
            return;
        }
        let path_attribute = attributes.iter().find_map(path_attribute);
        let name = item.ident.to_string();
        let (location, items) = match item.content.take() {
            Some((_, items)) => {
                (location.inside(&item.ident.unraw().to_string(), path_attribute.as_deref()), items)
            }
            None => match self.file_of(parent, &item, path_attribute, location, &declared) {
                Some(found) => found,
                None => return,
            },
        };
        let prefix = &self.modules[parent as usize].path;
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}::{name}") };
        let module = self.enter(path, Some(parent), location, items);
        let first = item.unsafety.map_or(item.mod_token.span, |word| word.span);
        let child = Child { name, visibility: item.vis, first, module };
        self.modules[parent as usize].children.push(child);
    }

    /// The items of `mod x;`, from its file.
    fn file_of(
        &mut self,
        parent: ModuleId,
        item: &ItemMod,
        path_attribute: Option<String>,
        location: ModuleLocation,
        declared: &ScanProblem,
    ) -> Option<(ModuleLocation, Vec<Item>)> {
        let name = item.ident.unraw().to_string();
        let found = match path_attribute {
            Some(path) => ModuleLocation::beside(location.path_folder.join(path)),
            None => {
                let own = location.folder.join(format!("{name}.rs"));
                let nested = location.folder.join(&name).join("mod.rs");
                if !own.exists() && nested.exists() {
                    ModuleLocation::beside(nested)
                } else {
                    ModuleLocation {
                        file: own,
                        folder: location.folder.join(&name),
                        path_folder: location.folder,
                    }
                }
            }
        };
        let canonical = canonical(&found.file);
        let mut ancestor = Some(parent);
        while let Some(id) = ancestor {
            let module = &self.modules[id as usize];
            if module.canonical == canonical {
                let message = format!("the module `{name}` is in the file of a module that it is part of");
                self.problems.push(ScanProblem { message, ..declared.clone() });
                return None;
            }
            ancestor = module.parent;
        }
        let file = self.read(&found.file, declared)?;
        self.cfg.keeps(&file.attrs).then_some((found, file.items))
    }

    /// Reads and parses a file. If it can't be read, the problem is reported where the file is named.
    fn read(&mut self, file: &Path, named_at: &ScanProblem) -> Option<syn::File> {
        let text = match std::fs::metadata(file) {
            Ok(metadata) if metadata.len() > LARGEST_FILE => Err("it is larger than 64 MiB".to_string()),
            _ => std::fs::read_to_string(file).map_err(|error| error.to_string()),
        };
        match text {
            Ok(text) => self.parse(file, &text),
            Err(reason) => {
                let message = format!("could not read {}: {reason}", file.display());
                self.problems.push(ScanProblem { message, ..named_at.clone() });
                None
            }
        }
    }

    fn parse(&mut self, file: &Path, text: &str) -> Option<syn::File> {
        let problem = |error: SourceError| {
            let file = file.to_path_buf();
            ScanProblem { file, line: error.line, message: error.message }
        };
        match source::parse(text) {
            Ok(parsed) => {
                self.problems.extend(parsed.errors.into_iter().map(problem));
                self.bodies.extend(literals::bodies(&parsed.left_out, file));
                self.hidden.extend(hidden::names(parsed.left_out, file));
                Some(parsed.file)
            }
            Err(error) => {
                self.problems.push(problem(error));
                None
            }
        }
    }
}

const TOO_MANY: &str = "the crate has too many modules; the rest is not read";

impl ModuleLocation {
    /// The location of a root, a `mod.rs`, or a file in `#[path]`.
    fn beside(file: PathBuf) -> ModuleLocation {
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        ModuleLocation { file, path_folder: folder.clone(), folder }
    }

    /// The location of an inline module.
    fn inside(&self, name: &str, path_attribute: Option<&str>) -> ModuleLocation {
        let folder = match path_attribute {
            Some(path) => self.path_folder.join(path),
            None => self.folder.join(name),
        };
        ModuleLocation { file: self.file.clone(), path_folder: folder.clone(), folder }
    }
}

fn path_attribute(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => string_of(&pair.value),
        _ => None,
    }
}

fn canonical(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_path_buf())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::listing::{catalog_of_files, listed};

    #[test]
    fn modules_are_found_in_their_files() {
        let (catalog, problems) = catalog_of_files(&[
            (
                "lib.rs",
                "pub mod a; pub mod b; pub mod inline { pub mod c; #[path = \"odd.rs\"] pub mod d; }
                #[path = \"elsewhere/x.rs\"] pub mod e; #[cfg(windows)] pub mod gone; #[cfg(test)] mod tests;
                #[cfg_attr(unix, path = \"unix.rs\")] pub mod system; pub mod r#type;
                #[path = \"moved\"] pub mod m { pub mod n; }",
            ),
            ("a.rs", "pub mod deep; #[path = \"odd.rs\"] pub mod odd; pub fn a() {}"),
            ("a/deep.rs", "\n\npub fn deep() {}"),
            ("odd.rs", "pub fn odd() {}"),
            ("b/mod.rs", "pub mod deep;"),
            ("b/deep.rs", "pub fn deep() {}"),
            ("inline/c.rs", "pub fn c() {}"),
            ("inline/odd.rs", "pub fn odd() {}"),
            ("elsewhere/x.rs", "pub mod y;"),
            ("elsewhere/y.rs", "#![allow(x)] pub fn y() {}"),
            ("unix.rs", "pub fn unix() {}"),
            ("type.rs", "pub fn f() {}"),
            ("moved/n.rs", "pub fn n() {}"),
        ]);
        assert_eq!(problems, Vec::<String>::new());
        let locations = catalog
            .functions
            .iter()
            .map(|f| format!("{} {}:{}\n", f.path, f.location.0.display(), f.location.1));
        expect![[r#"
            a::a a.rs:1
            system::unix unix.rs:1
            r#type::f type.rs:1
            a::deep::deep a/deep.rs:3
            a::odd::odd odd.rs:1
            b::deep::deep b/deep.rs:1
            inline::c::c inline/c.rs:1
            inline::d::odd inline/odd.rs:1
            e::y::y elsewhere/y.rs:1
            m::n::n moved/n.rs:1
        "#]]
        .assert_eq(&locations.collect::<String>());
    }

    #[test]
    fn what_cannot_be_read_is_told_and_the_rest_goes_on() {
        let (catalog, problems) = catalog_of_files(&[
            (
                "lib.rs",
                "pub fn f() {}\nmod missing;\nmod broken;\nmod unclosed;\n#[path = \"lib.rs\"]\nmod again;\npub mod good;\nmod binary;\nmod off;",
            ),
            ("broken.rs", "fn f() {}\nfn 3() {}"),
            ("unclosed.rs", "\nfn f() {"),
            ("good.rs", "pub fn g() {}"),
            ("binary.rs", "\u{0}\u{1}"),
            ("off.rs", "#![cfg(windows)] pub fn h() {}"),
        ]);
        expect![[r#"
            lib.rs:2: could not read missing.rs: No such file or directory (os error 2)
            broken.rs:2: not understood as Rust: expected identifier
            unclosed.rs:2: not understood as Rust: an unclosed bracket or quote
            lib.rs:6: the module `again` is in the file of a module that it is part of
            binary.rs:1: not understood as Rust: an unclosed bracket or quote"#]]
        .assert_eq(&problems.join("\n"));
        expect![[r#"
            f fn()
            broken::f fn() @ private
            good::g fn()
        "#]]
        .assert_eq(&listed(&catalog));
    }

    #[test]
    fn a_missing_root_is_a_problem() {
        let (catalog, problems) = catalog_of_files(&[]);
        expect!["lib.rs:1: could not read lib.rs: No such file or directory (os error 2)"]
            .assert_eq(&problems.join("\n"));
        assert_eq!(listed(&catalog), "");
    }

    #[test]
    fn files_that_include_each_other_end() {
        let all = |except: usize| {
            let others = (0..8).filter(|i| *i != except);
            others.map(|i| format!("#[path = \"f{i}.rs\"] mod m{i};")).collect::<String>()
        };
        let mut files = vec![("lib.rs".to_string(), all(99))];
        files.extend((0..8).map(|i| (format!("f{i}.rs"), all(i))));
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let (_, problems) = catalog_of_files(&files);
        let too_many = problems.iter().filter(|problem| problem.contains("too many modules"));
        assert_eq!(too_many.count(), 1);
    }
}
