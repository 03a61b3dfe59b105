//! Counting and listing as functions of the number of keys or cells.

use std::time::Instant;

use workspace_tests::options::Options;
use workspace_tests::plot::{Figure, Line, Panel, seconds, table, write};
use workspace_tests::structures::{Heaps, RedBlackTrees, SearchTrees, Structure};

use crate::clock::{Rate, by_engine, by_engine_owned, by_hand};
use crate::engine::Engine;

/// What is known of a number.
struct Point {
    n: u32,
    members: u64,
    /// Planning and counting.
    counted: Option<f64>,
    native: Option<Rate>,
    owned: Option<Rate>,
    hand: Option<Rate>,
}

/// Prints a table for each structure, and writes the plot if that is asked for.
pub fn print(options: &Options) {
    let measured = [
        measure::<SearchTrees>(options, 15),
        measure::<RedBlackTrees>(options, 20),
        measure::<Heaps>(options, 9),
    ];
    let names = [SearchTrees::NAME, RedBlackTrees::NAME, Heaps::NAME];
    let mut counting = Panel { title: "counting all".to_owned(), lines: Vec::new() };
    let mut panels = Vec::new();
    for (name, points) in names.into_iter().zip(measured) {
        let Some(points) = points else { continue };
        println!("### {name}\n\n{}", table(&rows(&points)));
        counting.lines.push(line(name, &points, |point| point.counted));
        let lines = vec![
            line("native", &points, |point| Some(point.native?.seconds)),
            line("native, owned", &points, |point| Some(point.owned?.seconds)),
            line("by hand, owned", &points, |point| Some(point.hand?.seconds)),
        ];
        panels.push(Panel { title: format!("{name}, each"), lines });
    }
    panels.push(counting);
    if options.has("--plot") {
        let title = "Counting and listing".to_owned();
        write("native", &Figure { title, x_label: "n".to_owned(), y_label: "seconds".to_owned(), panels });
    }
}

/// Measures each number up to the greatest, or to what is asked for.
fn measure<S: Structure>(options: &Options, greatest: u32) -> Option<Vec<Point>> {
    if options.text("--only").is_some_and(|only| !S::NAME.contains(only)) {
        return None;
    }
    let greatest = options.number("--to").unwrap_or(u32::MAX).min(greatest);
    let points = (1..=greatest).map(|n| {
        let space = S::space(n);
        let hand = by_hand::<S>(n);
        let members = hand.map_or(0, |rate| rate.n);
        let counted = count(&space, &members.to_string());
        eprintln!("{} {n}: {members}, counted in {counted:?}, by hand {hand:?}", S::NAME);
        Point { n, members, counted, native: by_engine(&space), owned: by_engine_owned::<S>(&space), hand }
    });
    Some(points.collect())
}

/// The seconds to plan and count; none if it takes too much.
pub fn count(space: &target_strategies::space::Space, expected: &str) -> Option<f64> {
    let start = Instant::now();
    let found = Engine::new(space).count()?;
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(found, expected);
    Some(seconds)
}

fn rows(points: &[Point]) -> Vec<Vec<String>> {
    let shown = |time: Option<f64>| time.map_or_else(|| "none".to_owned(), seconds);
    let head = [
        "n",
        "members",
        "native, counting all",
        "native, each",
        "native, owned, each",
        "by hand, owned, each",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(points.iter().map(|point| {
        let rates = [point.native, point.owned, point.hand].map(|rate| shown(rate.map(|rate| rate.seconds)));
        [&[point.n.to_string(), point.members.to_string(), shown(point.counted)][..], &rates].concat()
    }));
    rows
}

fn line(name: &str, points: &[Point], of: impl Fn(&Point) -> Option<f64>) -> Line {
    let points = points.iter().filter_map(|point| Some((f64::from(point.n), of(point)?)));
    Line { name: name.to_owned(), points: points.collect() }
}
