//! The sources lie in folders that follow the data: imports run one way, and ARCHITECTURE.md describes each folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A module, and its modules from the ground up: each imports from those before it only.
struct Floors {
    crate_folder: &'static str,
    module: &'static str,
    order: &'static [&'static str],
}

const FLOORS: [Floors; 4] = [
    Floors {
        crate_folder: "strategies",
        module: "",
        order: &[
            "cancel", "logic", "space", "native", "baseline", "shrink", "corpus", "child", "fuzzing",
            "strategy",
        ],
    },
    Floors {
        crate_folder: "strategies",
        module: "native",
        order: &["plan", "propagate", "count", "enumerate", "sample", "listing", "describe"],
    },
    Floors { crate_folder: "bridge", module: "", order: &["smt", "frontend", "generate", "codegen"] },
    Floors {
        crate_folder: "cargo-target",
        module: "",
        order: &["system", "events", "report", "options", "run", "commands"],
    },
];

#[test]
fn imports_between_folders_run_one_way() {
    let mut wrong = Vec::new();
    for Floors { crate_folder, module, order } in FLOORS {
        let folder = root().join(crate_folder).join("src");
        let floor = |path: &[String]| {
            let inside = if module.is_empty() { Some(path) } else { path.strip_prefix(&[module.to_owned()]) };
            order
                .iter()
                .position(|name| inside.and_then(<[String]>::first).is_some_and(|first| first == name))
        };
        let mut there = BTreeSet::new();
        for file in rust_files(&folder) {
            let own = module_of(file.strip_prefix(&folder).unwrap());
            let inside = own.strip_prefix(&[module.to_owned()][usize::from(module.is_empty())..]);
            there.extend(inside.and_then(|inside| inside.first().cloned()));
            let Some(floor_of_file) = floor(&own) else { continue };
            for path in imports(&fs::read_to_string(&file).unwrap(), &own) {
                if floor(&path).is_some_and(|other| other > floor_of_file) {
                    wrong.push(format!("{} imports {}", file.display(), path.join("::")));
                }
            }
        }
        let named: BTreeSet<String> = order.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(there, named, "the modules of {crate_folder} {module}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_map_describes_every_folder_and_no_other() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named: BTreeSet<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.ends_with('/') && word.contains("src/"))
        .collect();
    let mut there = BTreeSet::new();
    for Floors { crate_folder, module, .. } in FLOORS {
        let folder = format!("{crate_folder}/src/{module}{}", if module.is_empty() { "" } else { "/" });
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() && entry.file_name() != "tests" {
                there.insert(format!("{folder}{}/", entry.file_name().to_str().unwrap()));
            }
        }
    }
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(named, there);
    assert!(text.lines().count() <= 120, "ARCHITECTURE.md is longer than 120 lines");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The sources below a folder, tests left out.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() && name != "tests" {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["tests.rs", "lib.rs", "main.rs"].iter().any(|other| name == *other)
        {
            files.push(path);
        }
    }
    files
}

/// The module of a file: `a/b.rs` is `a::b`.
fn module_of(file: &Path) -> Vec<String> {
    file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect()
}

/// The paths in a source that begin with `crate` or `super`, from the root of its crate. Of a group in braces, each first
/// name.
fn imports(source: &str, own: &[String]) -> Vec<Vec<String>> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let text = &code[at..];
            let end =
                text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
            let (mut base, mut path) = (own.to_vec(), Vec::new());
            for part in text[..end].split("::").filter(|part| !part.is_empty()) {
                match part {
                    "crate" => base.clear(),
                    "super" => drop(base.pop()),
                    part => path.push(part.to_owned()),
                }
            }
            base.extend(path);
            match text[end..].strip_prefix('{').and_then(|group| group.split_once('}')) {
                Some((group, _)) if text[..end].ends_with("::") => {
                    for name in group.split(',').filter_map(|name| name.trim().split("::").next()) {
                        found.push(base.iter().cloned().chain([name.to_owned()]).collect());
                    }
                }
                _ => found.push(base),
            }
        }
    }
    found
}

#[test]
fn an_import_is_read_from_the_root_of_its_crate() {
    let own = ["native", "count", "state"].map(str::to_owned);
    let source = "use crate::logic::ir::{Term, visit};\nuse super::choose::WIDE;\n// crate::child\nuse super::super::plan;\n\
        fn f() { crate::cancel::step(); $crate::x(); mycrate::y() }\nuse crate::{space, child::wire};";
    let found: Vec<String> = imports(source, &own).iter().map(|path| path.join("::")).collect();
    let expected = [
        "logic::ir::Term",
        "logic::ir::visit",
        "cancel::step",
        "x",
        "space",
        "child",
        "native::count::choose::WIDE",
        "native::plan",
    ];
    assert_eq!(found, expected);
}
