//! Reads which modules of its own crate each source mentions, in `use` and in paths inside the code. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

/// A path from the root of a crate.
pub type Module = Vec<String>;

/// The modules below a folder, each with the paths that its file mentions, from the root of the crate.
pub fn sources(folder: &Path) -> BTreeMap<Module, Vec<Module>> {
    let mut texts = BTreeMap::new();
    read(folder, &mut Vec::new(), &mut texts);
    let modules = texts.keys().cloned().collect();
    texts.iter().map(|(module, text)| (module.clone(), imports(text, module, &modules))).collect()
}

/// Reads the sources of a folder, by module: `a/b.rs` is `a::b`. The root of the crate is left out.
fn read(folder: &Path, inside: &mut Module, texts: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "tests" || inside.is_empty() && ["lib", "main"].contains(&name.as_str()) {
            continue;
        }
        inside.push(name);
        if path.is_dir() {
            read(&path, inside, texts);
        } else if is_source {
            texts.insert(inside.clone(), fs::read_to_string(&path).unwrap());
        }
        inside.pop();
    }
}

/// The paths in a source, in order. A relative path counts if it begins with a submodule of the source.
fn imports(source: &str, own: &Module, modules: &BTreeSet<Module>) -> Vec<Module> {
    let mut paths = Paths { inside: own.clone(), modules, found: Vec::new() };
    paths.visit_file(&syn::parse_file(source).unwrap());
    paths.found
}

struct Paths<'a> {
    /// The module around the current item: that of the file, and inline modules.
    inside: Module,
    modules: &'a BTreeSet<Module>,
    found: Vec<Module>,
}

impl Paths<'_> {
    fn add(&mut self, path: &[String]) {
        let mut base = self.inside.clone();
        let n_dots =
            path.iter().take_while(|name| ["crate", "self", "super"].contains(&name.as_str())).count();
        for name in &path[..n_dots] {
            match name.as_str() {
                "crate" => base.clear(),
                "super" => drop(base.pop()),
                _ => {}
            }
        }
        base.extend_from_slice(&path[n_dots..]);
        let is_of_submodule = self.modules.contains(&base[..(self.inside.len() + 1).min(base.len())]);
        if n_dots > 0 || is_of_submodule {
            self.found.push(base);
        }
    }

    /// Adds the paths of a tree of imports below a path.
    fn add_tree(&mut self, path: &mut Module, tree: &syn::UseTree) {
        let name = match tree {
            syn::UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.add_tree(path, &tree.tree);
                path.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_tree(path, tree));
            }
            syn::UseTree::Name(tree) => Some(&tree.ident),
            syn::UseTree::Rename(tree) => Some(&tree.ident),
            syn::UseTree::Glob(_) => None,
        };
        let name = name.map(ToString::to_string).filter(|name| name != "self");
        self.add(&[path.as_slice(), name.as_slice()].concat());
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_of_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.inside.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.inside.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&mut Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names: Module = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    /// The tokens of a macro are not parsed, so their paths are found as text.
    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let text = item.tokens.to_string().replace(" :: ", "::");
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let names: Module = word.split("::").map(str::to_owned).collect();
            if names.len() > 1 && names.iter().all(|name| !name.is_empty() && !name.contains(':')) {
                self.add(&names);
            }
        }
        visit::visit_macro(self, item);
    }
}

/// Whether an attribute is `#[cfg(test)]`, or a condition that includes it.
fn is_of_tests(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let condition = list.tokens.to_string();
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all (test"))
}

#[test]
fn an_import_is_read_from_the_root_of_its_crate() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let source = "use crate::logic::ir::{Term, walk::{self, visit}};\nuse super::choose::WIDE;\n// crate::child\n\
        use super::super::plan;\nfn f() { crate::cancel::step(); $crate::x(); mycrate::y(); part::z(); m!(crate::w()) }\n\
        pub(super) use crate::{space, child::wire};\nmod inner { use super::*; }\n\
        #[cfg(test)]\nmod tests { use crate::test; }";
    let source = source.replace("$crate::x()", "n!($crate::x())");
    let modules = BTreeSet::from([module("native::count::state::part")]);
    let found: Vec<String> = imports(&source, &module("native::count::state"), &modules)
        .iter()
        .map(|path| path.join("::"))
        .collect();
    let expected = [
        "logic::ir::Term",
        "logic::ir::walk",
        "logic::ir::walk::visit",
        "native::count::choose::WIDE",
        "native::plan",
        "cancel::step",
        "x",
        "native::count::state::part::z",
        "w",
        "space",
        "child::wire",
        "native::count::state",
    ];
    assert_eq!(found, expected);
}
