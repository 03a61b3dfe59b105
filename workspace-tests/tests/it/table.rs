//! Specs as texts, in memory: from an entry of a table to a space, and the members that each generator finds in it.
//!
//! No file but the tables is read, and no process started: these are tests of what specs mean, not of the tool.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use target_bridge::frontend::catalog::{Cfg, scan_text};
use target_bridge::frontend::diagnostic::{Sources, render};
use target_bridge::frontend::manifest::{PartialSettings, read};
use target_bridge::frontend::resolve::resolve;
use target_bridge::generate::beyond::BeyondCases;
use target_bridge::generate::smt::SmtGenerator;
use target_bridge::generate::{Batch, End, Generator, Step};
use target_strategies::beyond::{Seen, Source};
use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};
use toml::{Table, Value as Toml};

/// An argument tuple.
pub type Args = Vec<Value>;

/// A small spec, and what is known of the inputs that it admits.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// What reports call it.
    pub name: String,
    /// The signature.
    pub spec: String,
    /// Aliases, by head.
    pub types: BTreeMap<String, String>,
    /// Views of data types, by head.
    pub data: BTreeMap<String, String>,
    /// Measures, by head.
    pub measures: BTreeMap<String, String>,
    /// Rust source of data types.
    pub rust: String,
    /// What narrows the space.
    pub explore: Option<String>,
    /// The length of lists, the nesting of constructors.
    pub depth: u32,
    /// The magnitude of integers.
    pub bound: u32,
    /// How many inputs there are within the bounds.
    pub count: Option<usize>,
    /// The whole domain of scalars, where it isn't the usual one; by kind of scalar and path.
    pub domains: Domains,
}

/// Domains that an entry states, by the path of a part of the arguments: `p.0`, `xs[]`, or `.key` for any field `key`.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// Of integers.
    pub ints: BTreeMap<String, Vec<Int>>,
    /// Of floats.
    pub floats: BTreeMap<String, Vec<f64>>,
    /// Of characters.
    pub chars: BTreeMap<String, Vec<char>>,
    /// The lengths of sequences and strings; of this path only, not of its parts.
    pub lens: BTreeMap<String, Vec<Int>>,
}

impl Entry {
    /// A spec without aliases or data types.
    pub fn new(name: &str, spec: &str, depth: u32, bound: u32) -> Entry {
        Entry { name: name.to_owned(), spec: spec.to_owned(), depth, bound, ..Entry::default() }
    }

    /// The same with data types.
    pub fn with_rust(self, rust: &str) -> Entry {
        Entry { rust: rust.to_owned(), ..self }
    }

    /// The space of the spec, or its mistakes.
    pub fn space(&self) -> Result<Space, String> {
        let manifest_text = self.manifest();
        let mut sources = Sources::default();
        let path = Path::new("Cargo.toml");
        let (manifest, mut diagnostics) = read(&mut sources, path, &|_| Ok(manifest_text.clone()));
        let (catalog, problems) = scan_text(&self.rust, "tables", &Cfg::default());
        let (mut subjects, found) = resolve(&manifest, &catalog, &PartialSettings::default());
        diagnostics.extend(found);
        if !diagnostics.is_empty() || !problems.is_empty() || subjects.len() != 1 {
            return Err(format!("{problems:?}\n{}", render(&diagnostics, &sources, false)));
        }
        let subject = subjects.remove(0);
        let bounds = Bounds { depth: subject.settings.depth, bound: subject.settings.bound };
        Ok(Space::new(subject.spec.into(), bounds))
    }

    fn manifest(&self) -> String {
        let string = |text: &str| Toml::String(text.to_owned());
        let closure = format!("|{}| ()", vec!["_"; n_params(&self.spec)].join(", "));
        let mut function = Table::from_iter([
            ("spec".to_owned(), string(&self.spec)),
            ("call".to_owned(), string(&closure)),
            ("depth".to_owned(), Toml::from(self.depth)),
            ("bound".to_owned(), Toml::from(self.bound)),
        ]);
        function.extend(self.explore.iter().map(|explore| ("explore".to_owned(), string(explore))));
        let table = |entries: &BTreeMap<String, String>| {
            Toml::Table(entries.iter().map(|(head, body)| (head.clone(), string(body))).collect())
        };
        let functions = Table::from_iter([("subject".to_owned(), Toml::Table(function))]);
        let target = Table::from_iter([
            ("types".to_owned(), table(&self.types)),
            ("data".to_owned(), table(&self.data)),
            ("measures".to_owned(), table(&self.measures)),
            ("functions".to_owned(), Toml::Table(functions)),
        ]);
        let nested = ["target", "metadata", "package"]
            .iter()
            .fold(target, |inner, key| Table::from_iter([((*key).to_owned(), Toml::Table(inner))]));
        nested.to_string()
    }
}

/// How many parameters a signature has: the commas between them are in no bracket.
fn n_params(spec: &str) -> usize {
    let (mut round, mut angle, mut commas, mut is_empty) = (0, 0, 0, true);
    for c in spec.trim_start_matches("fn").chars() {
        match c {
            '(' | '[' | '{' => round += 1,
            ')' | ']' | '}' => round -= 1,
            '<' if round == 1 => angle += 1,
            '>' if round == 1 => angle -= 1,
            ',' if round == 1 && angle == 0 => commas += 1,
            _ => {}
        }
        if round == 0 {
            break;
        }
        is_empty &= c == '(' || c.is_whitespace();
    }
    if is_empty { 0 } else { commas + 1 }
}

/// The entries of all tables of specs.
pub fn entries() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        let mut table: Table = fs::read_to_string(&file).unwrap().parse().unwrap();
        let Some(Toml::Array(specs)) = table.remove("spec") else {
            panic!("{} has no specs", file.display())
        };
        assert!(table.is_empty(), "{}: {table}", file.display());
        let group = file.file_stem().unwrap().to_str().unwrap();
        entries.extend(specs.into_iter().map(|spec| entry(group, spec)));
    }
    let names: HashSet<&String> = entries.iter().map(|entry| &entry.name).collect();
    assert_eq!(names.len(), entries.len(), "two specs have the same name");
    entries
}

fn entry(group: &str, spec: Toml) -> Entry {
    let Toml::Table(table) = spec else { panic!("{group}: a spec is a table") };
    let mut entry = Entry { depth: 3, bound: 3, ..Entry::default() };
    for (key, value) in table {
        match (key.as_str(), value) {
            ("name", Toml::String(name)) => entry.name = format!("{group}: {name}"),
            ("spec", Toml::String(spec)) => entry.spec = spec,
            ("rust", Toml::String(rust)) => entry.rust = rust,
            ("explore", Toml::String(explore)) => entry.explore = Some(explore),
            ("types", types) => entry.types = types.try_into().unwrap(),
            ("data", data) => entry.data = data.try_into().unwrap(),
            ("measures", measures) => entry.measures = measures.try_into().unwrap(),
            ("depth", depth) => entry.depth = depth.try_into().unwrap(),
            ("bound", bound) => entry.bound = bound.try_into().unwrap(),
            ("count", count) => entry.count = Some(count.try_into().unwrap()),
            ("ints", ints) => entry.domains.ints = ranges(ints),
            ("lens", lens) => entry.domains.lens = ranges(lens),
            ("floats", floats) => entry.domains.floats = floats.try_into().unwrap(),
            ("chars", chars) => {
                let chars: BTreeMap<String, String> = chars.try_into().unwrap();
                let domains = chars.into_iter().map(|(path, chars)| (path, chars.chars().collect()));
                entry.domains.chars = domains.collect();
            }
            (key, value) => panic!("{group}: `{key} = {value}`"),
        }
    }
    assert!(!entry.name.is_empty() && !entry.spec.is_empty(), "{group}: {entry:?}");
    entry
}

/// Integers written as `1..=3, 7`, by path.
fn ranges(written: Toml) -> BTreeMap<String, Vec<Int>> {
    let written: BTreeMap<String, String> = written.try_into().unwrap();
    let end = |text: &str| text.trim().parse::<i128>().unwrap();
    let ints = |text: &str| match text.split_once("..=") {
        Some((low, high)) => (end(low)..=end(high)).map(Int::from).collect(),
        None => vec![text.trim().parse::<Int>().unwrap()],
    };
    written.into_iter().map(|(path, text)| (path, text.split(',').flat_map(ints).collect())).collect()
}

/// What the smt generator produces, and how it ended.
pub struct Dealt {
    /// The cases of the space that the judge admits, in order.
    pub members: Vec<Args>,
    /// Why there are no more.
    pub end: End,
}

/// Drives the smt generator to its end.
pub fn smt(space: &Space) -> Dealt {
    let mut generator = SmtGenerator::new(space.clone(), 0);
    let mut members = Vec::new();
    loop {
        match generator.step() {
            Step::Batch(Batch::Cases(cases)) => {
                members.extend(cases.into_iter().map(|case| case.args).filter(|args| admits(space, args)));
            }
            Step::Batch(Batch::Ranges(_) | Batch::Listed(_)) => panic!("smt makes cases"),
            Step::Reached(_) | Step::Beyond(_) => panic!("smt has no other cases"),
            Step::End(end) => return Dealt { members, end },
        }
    }
}

/// The first cases of a source outside a space.
pub fn beyond(space: &Space, source: Source, most: usize) -> Vec<Args> {
    let mut cases = BeyondCases::new(space, source, 0);
    let (mut found, mut seen) = (Vec::new(), Seen::new());
    while found.len() < most && !cases.is_over() {
        found.extend(cases.next_case(u64::MAX, &mut seen).map(|case| case.args));
    }
    found
}

/// The members that the plain enumeration makes and the judge admits.
pub fn enumerated(space: &Space) -> Vec<Args> {
    workspace_tests::admitted(space, space.spec()).unwrap_or_else(|reason| panic!("{reason}"))
}

/// Whether the precondition and what is to be explored admit the arguments; both must be judgeable.
pub fn admits(space: &Space, args: &[Value]) -> bool {
    workspace_tests::admits(space.spec(), args).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The argument tuples as a set, and those that come twice.
pub fn as_set(members: &[Args]) -> (HashSet<&Args>, Vec<&Args>) {
    let mut set = HashSet::new();
    let twice = members.iter().filter(|args| !set.insert(*args)).collect();
    (set, twice)
}
