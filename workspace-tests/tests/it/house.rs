//! The sources lie in folders that follow the data: imports run one way, and ARCHITECTURE.md describes each folder.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use imports::{Module, sources};

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
            "cancel", "dice", "logic", "space", "native", "beyond", "baseline", "shrink", "corpus", "child",
            "fuzzing", "strategy", "recipe", "prebuilt", "runtime",
        ],
    },
    Floors {
        crate_folder: "strategies",
        module: "native",
        order: &[
            "plan",
            "propagate",
            "count",
            "enumerate",
            "sample",
            "spread",
            "listing",
            "describe",
            "random",
        ],
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
        let floor = |path: &Module| {
            let inside =
                if module.is_empty() { Some(&path[..]) } else { path.strip_prefix(&[module.to_owned()]) };
            order
                .iter()
                .position(|name| inside.and_then(<[String]>::first).is_some_and(|first| first == name))
        };
        let mut there = BTreeSet::new();
        for (own, imported) in sources(&root().join(crate_folder).join("src")) {
            let inside = own.strip_prefix(&[module.to_owned()][usize::from(module.is_empty())..]);
            there.extend(inside.and_then(|inside| inside.first().cloned()));
            let Some(floor_of_file) = floor(&own) else { continue };
            let above = imported.iter().filter(|path| floor(path).is_some_and(|other| other > floor_of_file));
            wrong.extend(above.map(|path| format!("{crate_folder}: {own:?} imports {}", path.join("::"))));
        }
        let named: BTreeSet<String> = order.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(there, named, "the modules of {crate_folder} {module}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_circle_of_imports_has_more_than_two_files() {
    let mut found = Vec::new();
    for crate_folder in ["strategies", "bridge", "cargo-target"] {
        let name = |module: &Module| format!("{crate_folder}/src/{}.rs", module.join("/"));
        for circle in circles(&sources(&root().join(crate_folder).join("src"))) {
            let files: Vec<String> = circle.iter().map(name).collect();
            found.extend((files.len() > 2).then_some(files));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_circle_is_found_in_either_direction() {
    let module = |name: &str| vec![name.to_owned()];
    let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "a")];
    let mut graph: BTreeMap<Module, Vec<Module>> = BTreeMap::new();
    for (from, to) in imports {
        graph.entry(module(from)).or_default().push([module(to), module("Name")].concat());
    }
    let found: Vec<String> = circles(&graph).iter().map(|circle| circle.concat().concat()).collect();
    assert_eq!(found, ["abc", "de"]);
}

/// The largest sets of files that import each other, directly or through others of the set.
fn circles(graph: &BTreeMap<Module, Vec<Module>>) -> Vec<Vec<Module>> {
    let file_of = |path: &Module| {
        (1..=path.len())
            .rev()
            .map(|n| &path[..n])
            .find_map(|prefix| graph.get_key_value(prefix))
            .map(|(file, _)| file)
    };
    let reached = |from: &Module| {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(file) = waiting.pop() {
            for next in graph[&file].iter().filter_map(file_of).filter(|next| **next != file) {
                if reached.insert(next.clone()) {
                    waiting.push(next.clone());
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        graph.keys().map(|file| (file, reached(file))).collect();
    let in_circle = |file: &Module| -> Vec<Module> {
        reached[file].iter().filter(|other| reached[other].contains(file)).cloned().collect()
    };
    let circles: BTreeSet<Vec<Module>> =
        graph.keys().map(in_circle).filter(|files| files.len() > 1).collect();
    circles.into_iter().collect()
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
