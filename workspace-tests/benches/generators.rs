//! Valid inputs per second of each generator, and of the loop that it all began with: one context of Z3, whose every
//! model is refuted by one more blocking clause.
//!
//! Every case is judged as a harness judges it, and what is counted are those that the judge admits. A bench ends at
//! [`WANTED`] of them, or at [`TRIED`] cases. Building and calling a subject is no part of it.

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use target_bridge::frontend::catalog::{Cfg, scan_text};
use target_bridge::frontend::diagnostic::Sources;
use target_bridge::frontend::manifest::{self, PartialSettings};
use target_bridge::frontend::resolve::resolve;
use target_bridge::generate::Generator;
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::random::Random;
use target_bridge::generate::smt::SmtGenerator;
use target_strategies::logic::eval::admits;
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};
use workspace_tests::cases::{block, deal};

/// So many valid inputs end a bench.
const WANTED: u64 = 2000;

/// So many cases end it, too.
const TRIED: u64 = 200_000;

/// The specs, and how many of their members are valid.
const SPECS: [(&str, u64); 3] = [("rescale", 2176), ("ordered_to_4", 3960), ("ordered_8", 51_480)];

const CRATE: &str = "pub fn rescale(r1: i64, r2: i64, s: i64) -> i64 { s * r2 / r1 }
    pub fn insert(x: i64, xs: Vec<i64>) -> Vec<i64> { xs }";

const MANIFEST: &str = r#"
[package.metadata.target.types]
Pos = "{v: i64 | 0 < v}"
"Rng(n: int)" = "{v: i64 | 0 <= v && v < n}"
Digit = "Rng(8)"
[package.metadata.target.functions]
rescale = { spec = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)", bound = 16 }
ordered_to_4 = { call = "insert", spec = "fn(x: Digit, xs: {v: Vec<Digit> | v.is_sorted()}) -> Vec<i64>" }
ordered_8 = { call = "insert", spec = "fn(x: Digit, xs: {v: Vec<Digit> | v.len() == 8 && v.is_sorted()}) -> Vec<i64>" }
"#;

fn main() {
    divan::main();
}

#[divan::bench(args = names(), sample_count = 5, sample_size = 1)]
fn smt(bencher: Bencher, name: &str) {
    measure(bencher, name, |space| valid(space, &mut SmtGenerator::new(space.clone(), 0)));
}

#[divan::bench(args = names(), sample_count = 5, sample_size = 1)]
fn random(bencher: Bencher, name: &str) {
    measure(bencher, name, |space| valid(space, &mut Random::new(space.clone(), 0, false)));
}

#[divan::bench(args = names(), sample_count = 5, sample_size = 1)]
fn enumerative(bencher: Bencher, name: &str) {
    measure(bencher, name, |space| valid(space, &mut Enumerative::new(space.clone())));
}

#[divan::bench(args = names(), sample_count = 1, sample_size = 1)]
fn blocking_clauses(bencher: Bencher, name: &str) {
    measure(bencher, name, blocked);
}

fn names() -> impl Iterator<Item = &'static str> {
    SPECS.into_iter().map(|(name, _)| name)
}

/// Benches a run that gives the number of valid inputs, the same every time.
fn measure(bencher: Bencher, name: &str, run: impl Fn(&Space) -> u64 + Sync) {
    let space = space(name);
    let valid = run(&space);
    let members = SPECS.iter().find(|spec| spec.0 == name).expect("the spec is one of ours").1;
    assert!(valid <= members.min(WANTED), "{name} has {members} members, not {valid}");
    bencher.counter(ItemsCount::new(valid)).bench(|| run(&space));
}

/// The space of one of the specs.
fn space(name: &str) -> Space {
    let mut sources = Sources::default();
    let (manifest, mistakes) =
        manifest::read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(MANIFEST.to_owned()));
    let (catalog, _) = scan_text(CRATE, "scores", &Cfg::default());
    let (subjects, more) = resolve(&manifest, &catalog, &PartialSettings::default());
    assert!(mistakes.is_empty() && more.is_empty(), "{mistakes:?} {more:?}");
    let subject =
        subjects.into_iter().find(|subject| subject.spec.name == name).expect("the manifest has the spec");
    let bounds = Bounds { depth: subject.settings.depth, bound: subject.settings.bound };
    Space::new(Arc::new(subject.spec), bounds)
}

/// How many valid inputs a generator deals until it has to stop.
fn valid(space: &Space, generator: &mut dyn Generator) -> u64 {
    let mut count = Count::default();
    deal(space, generator, &mut |args| count.is_over(space, args));
    count.valid
}

#[derive(Default)]
struct Count {
    tried: u64,
    valid: u64,
}

impl Count {
    /// Counts a case; whether it was the last one.
    fn is_over(&mut self, space: &Space, args: &[Value]) -> bool {
        self.tried += 1;
        self.valid += u64::from(admits(space.spec(), args));
        self.valid >= WANTED || self.tried >= TRIED
    }
}

/// How many the yardstick finds.
fn blocked(space: &Space) -> u64 {
    let mut count = Count::default();
    block(space, || false, |args| count.is_over(space, args));
    count.valid
}
