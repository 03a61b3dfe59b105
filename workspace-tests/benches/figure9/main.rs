//! Figure 9 of *Type Targeted Testing*, for our versions of its three libraries: how much of each is reached by when, by
//! each generator, and what is not reached at all.
//!
//! `cargo bench -p workspace-tests --bench figure9 -- [--only NAME] [--limit SECONDS] [--plot]`. It prints Markdown;
//! `--plot` writes `docs/plots/figure9.svg`.

#![allow(clippy::unwrap_used, reason = "a bench may panic")]

#[allow(dead_code, reason = "it has more than a bench needs")]
#[path = "../../tests/it/support.rs"]
mod support;

mod uncovered;

use serde_json::Value;
use support::Fixture;
use workspace_tests::options::Options;
use workspace_tests::plot::{Figure, Line, Panel, seconds, table, write};

/// The fixtures, and what the paper calls them.
const LIBRARIES: [(&str, &str); 3] =
    [("trees", "RBTree and others"), ("maps", "Map"), ("stackset", "StackSet")];

/// The one to run first has all the time, and the others as much as it took, but a second at least.
const GENERATORS: [&str; 4] = ["smt", "native", "random", "enumerative"];

/// Seconds for each generator on each function, unless said otherwise.
const LIMIT: u32 = 3;

/// The time limits of the table, in seconds.
const LIMITS: [f64; 5] = [0.01, 0.1, 0.3, 1.0, f64::INFINITY];

fn main() {
    let Some(options) = Options::of_bench() else { return };
    let limit: u32 = options.number("--limit").unwrap_or(LIMIT);
    let mut panels = Vec::new();
    for (name, title) in
        LIBRARIES.into_iter().filter(|(name, _)| options.text("--only").is_none_or(|o| o == *name))
    {
        let fixture = Fixture::new(&format!("figure9-{name}"), name);
        let budget = format!("{limit}s");
        let generators = GENERATORS.join(",");
        let words = ["-g", &generators, "--coverage", "--no-fail-fast", "--budget", &budget];
        let events = fixture.run_as_is(&words).all;
        println!("### {title}\n\n{}", table(&rows(&events)));
        panels.push(panel(title, &events, f64::from(limit)));
        uncovered::print(&events);
    }
    if options.has("--plot") {
        let figure = Figure {
            title: "When so much of the functions' code was reached".to_owned(),
            x_label: "percent of the regions".to_owned(),
            y_label: "seconds a function".to_owned(),
            panels,
        };
        write("figure9", &figure);
    }
}

/// What was told of a generator, a function each.
fn of<'e>(events: &'e [Value], generator: &str) -> impl Iterator<Item = &'e Value> {
    events
        .iter()
        .filter(move |event| event["reason"] == "function-covered" && event["generator"] == generator)
}

/// How many percent of regions and lines of all functions, added up, a generator reached within a time.
fn reached(events: &[Value], generator: &str, limit: f64) -> [f64; 2] {
    ["regions", "lines"].map(|what| {
        let (mut covered, mut total) = (0, 0);
        for function in of(events, generator) {
            let points = function["curve"].as_array().expect("events have the fields of the stream").iter();
            let within = points.take_while(|point| {
                point["seconds"].as_f64().expect("events have the fields of the stream") <= limit
            });
            covered += within
                .last()
                .map_or(0, |point| point[what].as_u64().expect("events have the fields of the stream"));
            total += function[what]["total"].as_u64().expect("events have the fields of the stream");
        }
        100.0 * covered as f64 / total as f64
    })
}

fn rows(events: &[Value]) -> Vec<Vec<String>> {
    let time = |limit: &f64| if limit.is_finite() { seconds(*limit) } else { "at the end".to_owned() };
    let head = ["regions, lines".to_owned()].into_iter().chain(LIMITS.iter().map(time));
    let mut rows = vec![head.chain(["cases".to_owned()]).collect::<Vec<String>>()];
    for generator in GENERATORS {
        let cells = LIMITS.iter().map(|limit| {
            let [regions, lines] = reached(events, generator, *limit);
            format!("{regions:.1} %, {lines:.1} %")
        });
        let cases: u64 = of(events, generator)
            .map(|function| function["cases"].as_u64().expect("events have the fields of the stream"))
            .sum();
        rows.push([generator.to_owned()].into_iter().chain(cells).chain([cases.to_string()]).collect());
    }
    rows
}

fn panel(title: &str, events: &[Value], limit: f64) -> Panel {
    let line = |generator: &str| {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for step in 0..=30 {
            let time = limit * 10_f64.powf(f64::from(step - 30) / 10.0);
            let percent = reached(events, generator, time)[0].round();
            if percent > 0.0 && points.last().is_none_or(|last| last.0 < percent) {
                points.push((percent, time));
            }
        }
        Line { name: generator.to_owned(), points }
    };
    Panel { title: title.to_owned(), lines: GENERATORS.into_iter().map(line).collect() }
}
