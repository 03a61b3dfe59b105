//! One point of the figure: a run of the real binary, and what its events say.
//!
//! This is the one place that knows how a generator is asked for on the command line.

use crate::subjects::{NODES, Subject};
use crate::support::Fixture;

/// How many inputs a point wants.
const CASES: u64 = 1000;

/// Which inputs of a depth are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first, as in the paper.
    First,
    /// Those of the greatest size.
    Largest,
}

/// The generators, the one to measure first.
pub const GENERATORS: [&str; 4] = ["native", "smt", "enumerative", "random"];

/// What came of a point.
#[derive(Clone, Debug)]
pub enum Point {
    /// All inputs that there are, or that were wanted.
    Complete { seconds: f64, valid: u64, distinct: u64, exhausted: bool },
    /// The limit was reached before, or the generator gave up.
    Short { seconds: f64, valid: u64 },
    /// The binary knows no such generator, or no such option.
    NotThere,
}

/// The subject's crate, with a function for each depth and part.
pub fn fixture(subject: &Subject) -> Fixture {
    let fixture = Fixture::new(&format!("figure8-{}", subject.name), subject.fixture);
    let mut manifest = fixture.read("Cargo.toml");
    if subject.fixture == NODES.0 {
        let head = "[package.metadata.target.measures]\n";
        manifest = manifest.replace(head, &format!("{head}{}\n", NODES.1));
    }
    for depth in 2..=subject.to {
        let (spec, bound) = ((subject.spec)(depth), (subject.bound)(depth));
        // A precondition, not `explore`: what the random baseline draws beside that would count.
        let largest = format!("{spec} requires {}", (subject.largest)(depth));
        for (part, spec) in [(Part::First, spec), (Part::Largest, largest)] {
            let name = function(part, depth);
            manifest += &format!(
                "\n[package.metadata.target.functions.{name}]\ncall = '{}'\nspec = '''{spec}'''\n\
                 depth = {depth}\nbound = {bound}\n",
                subject.call
            );
        }
    }
    fixture.write("Cargo.toml", &manifest);
    fixture
}

fn function(part: Part, depth: u32) -> String {
    format!("{part:?}_{depth}").to_lowercase()
}

/// Runs a point. What it takes to build is not counted.
///
/// Of the largest inputs, the native engine is told the size; the others get a spec that demands it.
pub fn run(
    fixture: &Fixture,
    subject: &Subject,
    part: Part,
    depth: u32,
    generator: &str,
    limit: u32,
) -> Point {
    let size = (subject.size)(depth).filter(|_| generator == "native" && part == Part::Largest);
    let size = size.map(|size| size.to_string());
    let function = function(if size.is_some() { Part::First } else { part }, depth);
    let (cases, budget) = (CASES.to_string(), format!("{limit}s"));
    let mut words = vec![
        function.as_str(),
        "--exact",
        "-g",
        generator,
        "--no-boundary",
        "--cases",
        &cases,
        "--budget",
        &budget,
    ];
    if let Some(size) = &size {
        words.extend(["--size", size]);
    }
    let events = fixture.run(&words);
    if events.all.is_empty() && events.stderr.contains("--help") {
        return Point::NotThere;
    }
    let outcome = events.of(&function, generator);
    let verdict = outcome["verdict"].as_str().unwrap_or_default();
    assert!(["passed", "gave-up"].contains(&verdict), "{function} by {generator}: {outcome:#}");
    let seconds = outcome["seconds"].as_f64().unwrap_or_default();
    let valid = outcome["valid"].as_u64().unwrap_or_default();
    let distinct = outcome["distinct"].as_u64().unwrap_or_default();
    // Of a size, all that there are.
    let exhausted = outcome["exhausted"] == true || outcome["stopped"] == "asked";
    if exhausted || valid >= CASES {
        Point::Complete { seconds, valid, distinct, exhausted }
    } else {
        Point::Short { seconds, valid }
    }
}
