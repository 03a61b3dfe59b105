//! For tests: lists the result of scanning a crate's source.

use std::fmt::Write as _;

use super::{Catalog, Cfg, ScanProblem, TypeId, scan, scan_text};

/// The catalog of a text without problems.
pub(super) fn catalog(text: &str) -> Catalog {
    let (catalog, problems) = scan_text(text, "me", &Cfg::parse("unix"));
    assert_eq!(problems, []);
    catalog
}

/// The listing of a text.
pub(super) fn listing(text: &str) -> String {
    listed(&catalog(text))
}

/// The catalog of a crate of several files, `lib.rs` the root, and its problems as `file:line: message`.
pub(super) fn catalog_of_files(files: &[(&str, &str)]) -> (Catalog, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("a folder can be made in the test's folder");
        std::fs::write(path, text).expect("the test's folder can be written to");
    }
    let (mut catalog, problems) = scan(&folder.path().join("lib.rs"), "me", &Cfg::parse("unix"));
    let root = format!("{}/", folder.path().display());
    for function in &mut catalog.functions {
        function.location.0 = function
            .location
            .0
            .strip_prefix(folder.path())
            .expect("what is found lies in the test's folder")
            .to_path_buf();
    }
    let shown = |problem: ScanProblem| {
        let file = problem
            .file
            .strip_prefix(folder.path())
            .expect("what is found lies in the test's folder")
            .display()
            .to_string();
        format!("{file}:{}: {}", problem.line, problem.message.replace(&root, ""))
    };
    (catalog, problems.into_iter().map(shown).collect())
}

/// Types and functions, one per line: the definition's path, its kind, and after `@` its public path if that differs.
pub(super) fn listed(catalog: &Catalog) -> String {
    let mut text = String::new();
    let types = (0..).map(TypeId).zip(&catalog.types);
    for (id, item) in types.filter(|(_, item)| item.of_trait.is_none()) {
        let generics =
            if item.generics.is_empty() { String::new() } else { format!("<{}>", item.generics.join(", ")) };
        let _ = write!(text, "{} {}{generics}:", if item.is_enum { "enum" } else { "struct" }, item.path);
        for (index, ctor) in (0..).zip(&item.ctors) {
            let shown = |f: &super::FieldItem| {
                format!("{}{}: {}", if f.public { "" } else { "-" }, f.name, catalog.shown(&f.ty))
            };
            let fields = ctor.fields.iter().map(shown).collect::<Vec<_>>().join(", ");
            let (open, close) = if ctor.named { ("{", "}") } else { ("(", ")") };
            let recursive = if catalog.is_recursive(id, index) { "*" } else { "" };
            let _ = write!(text, " {}{recursive}{open}{fields}{close}", ctor.name);
        }
        let _ = writeln!(text, "{}", outside(&item.path, &item.public_path));
    }
    for function in &catalog.functions {
        let generics = if function.generics.is_empty() {
            String::new()
        } else {
            format!("<{}>", function.generics.join(", "))
        };
        let words = [(function.is_async, "async "), (function.is_unsafe, "unsafe ")];
        let words: String = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        let signature = catalog.signature(function);
        let outside = outside(&function.path, &function.public_path);
        let _ = writeln!(text, "{words}{}{generics} {signature}{outside}", function.path);
    }
    text
}

fn outside(path: &str, public_path: &Option<String>) -> String {
    match public_path {
        Some(public) if public == path => String::new(),
        Some(public) => format!(" @ {public}"),
        None => " @ private".to_string(),
    }
}
