//! Valid inputs per second of each generator, and of the loop that it all began with: one context of Z3, whose every
//! model is refuted by one more blocking clause.
//!
//! Every case is judged as a harness judges it, and what is counted are those that the judge admits. A bench ends at
//! [`WANTED`] of them, or at [`TRIED`] cases. Building and calling a subject is no part of it.

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use target_bridge::catalog::{Cfg, scan_text};
use target_bridge::diagnostic::Sources;
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::random::Random;
use target_bridge::generate::smt::{SmtGenerator, SmtOptions};
use target_bridge::generate::{Batch, Generator, Step};
use target_bridge::manifest::{self, PartialSettings};
use target_bridge::resolve::resolve;
use target_bridge::smt::encode::{Reach, encode};
use target_bridge::smt::formula::F;
use target_bridge::smt::z3::{Answer, Effort, Solver, in_context};
use target_strategies::enumerative::Members;
use target_strategies::eval::admits;
use target_strategies::native::deal::Lister;
use target_strategies::space::{Bounds, Skeleton, Space, assemble};
use target_strategies::value::Value;

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
    let options = SmtOptions { boundary: false, cases: WANTED, seed: 0 };
    measure(bencher, name, |space| valid(space, &mut SmtGenerator::new(space.clone(), &options)));
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
    measure(bencher, name, |space| in_context(|| blocked(space)));
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
    let mut args = Vec::new();
    let mut lister = Lister::new(space);
    while let Step::Batch(batch) = generator.step() {
        match batch {
            Batch::Cases(cases) => {
                for case in cases {
                    if count.is_over(space, &case.args) {
                        return count.valid;
                    }
                }
            }
            Batch::Ranges(ranges) => {
                for range in ranges {
                    let mut members = Members::new(space, &range.skeleton);
                    members.seek(range.start);
                    args.clear();
                    for _ in 0..range.len {
                        if !members.next_into(&mut args) || count.is_over(space, &args) {
                            return count.valid;
                        }
                    }
                }
            }
            Batch::Listed(pieces) => {
                let mut listing = lister.list(&pieces);
                while let Some((_, args)) = listing.next() {
                    if count.is_over(space, args) {
                        return count.valid;
                    }
                }
            }
        }
    }
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

/// The yardstick: each model becomes a clause that excludes it, and the solver is asked again.
///
/// It is spared the choice of constructors and lengths: a skeleton at a time, its blocking clauses forgotten with it.
fn blocked(space: &Space) -> u64 {
    let mut count = Count::default();
    for skeleton in space.skeletons() {
        if !block(space, &skeleton, &mut count) {
            break;
        }
    }
    count.valid
}

/// Finds the members of a skeleton; whether there shall be more.
fn block(space: &Space, skeleton: &Skeleton, count: &mut Count) -> bool {
    let leaves = space.leaves(skeleton);
    let encoding = encode(space.spec(), skeleton, &leaves, Reach::Domain);
    let mut formulas = encoding.formulas;
    let numbers: Vec<u32> = (0..leaves.len() as u32).collect();
    let mut solver = Solver::new(Effort { per_check: u32::MAX, ..Effort::default() }, true);
    for clause in encoding.clauses {
        solver.assert(&formulas, clause.condition.expect("the specs are all encodable"));
    }
    // All domains of these specs are intervals.
    solver.assert_ranges(&formulas, &numbers);
    while let Answer::Sat(model) = solver.check(&formulas, &numbers) {
        let scalars: Vec<Value> = numbers.iter().map(|leaf| model[leaf].clone()).collect();
        let args = assemble(skeleton, &scalars);
        assert!(space.contains(&args), "Z3 found {args:?}");
        if count.is_over(space, &args) {
            return false;
        }
        let same = numbers.iter().zip(&scalars).map(|(&leaf, value)| {
            let variable = formulas.leaf(leaf);
            formulas.equal_constant(variable, int(value))
        });
        let same: Vec<F> = same.collect();
        let same = formulas.and(same);
        let other = formulas.not(same);
        solver.assert(&formulas, other);
    }
    true
}

fn int(value: &Value) -> &target_strategies::int::Int {
    match value {
        Value::Int(n) => n,
        _ => unreachable!("all scalars of these specs are integers"),
    }
}
