//! Figure 8 of *Type Targeted Testing*, by each generator: the time of a real run on 1000 inputs, judged, by depth.
//!
//! Part `a` is the paper's: the first 1000 valid inputs at each depth. Part `b` is harder: 1000 of the greatest size that
//! there is at each depth. A generator that doesn't get there in time is not asked for greater depths.
//!
//! `cargo bench -p workspace-tests --bench figure8 -- [--part a|b] [--only NAME] [--generators LIST] [--to DEPTH]
//! [--limit SECONDS] [--plot]`. It prints Markdown; `--plot` writes `docs/plots/figure8-{a,b}.svg`.

#![allow(clippy::unwrap_used, reason = "a bench may panic")]

#[allow(dead_code, reason = "it has more than a bench needs")]
#[path = "../../tests/it/support.rs"]
mod support;

mod points;
mod subjects;

use points::{GENERATORS, Part, Point};
use subjects::{SUBJECTS, Subject};
use workspace_tests::options::Options;
use workspace_tests::plot::{Figure, Line, Panel, seconds, table, write};

/// Seconds that a point may take, unless said otherwise.
const LIMIT: u32 = 60;

/// Seconds that the native engine should need for a point at most, in parts `a` and `b`.
const MARKS: [f64; 2] = [0.1, 1.0];

fn main() {
    let Some(options) = Options::of_bench() else { return };
    for (part, letter, title, mark) in [
        (Part::First, "a", "The first 1000 valid inputs", MARKS[0]),
        (Part::Largest, "b", "1000 inputs of the greatest size", MARKS[1]),
    ] {
        if options.text("--part").is_some_and(|wanted| wanted != letter) {
            continue;
        }
        println!("## Part {letter}: {title}\n");
        let mut panels = Vec::new();
        for subject in
            SUBJECTS.iter().filter(|s| options.text("--only").is_none_or(|only| s.name.contains(only)))
        {
            let series = measure(subject, part, &options);
            println!("### {}\n\n{}", subject.name, table(&rows(subject, part, &series)));
            println!("{}", verdict(&series, mark));
            panels.push(panel(subject, part, &series));
        }
        if options.has("--plot") {
            let labels = ("depth".to_owned(), "seconds".to_owned());
            let title = format!("{title}, by depth");
            write(
                &format!("figure8-{letter}"),
                &Figure { title, x_label: labels.0, y_label: labels.1, panels },
            );
        }
    }
}

/// A generator's points from depth 2 on.
type Series = (&'static str, Vec<Point>);

fn measure(subject: &Subject, part: Part, options: &Options) -> Vec<Series> {
    let fixture = points::fixture(subject);
    let wanted =
        |name: &str| options.text("--generators").is_none_or(|list| list.split(',').any(|one| one == name));
    let to = options.number("--to").unwrap_or(u32::MAX).min(subject.to);
    let limit = options.number("--limit").unwrap_or(LIMIT);
    let mut all = Vec::new();
    for generator in GENERATORS.into_iter().filter(|name| wanted(name)) {
        let mut series = Vec::new();
        for depth in 2..=to {
            let point = points::run(&fixture, subject, part, depth, generator, limit);
            eprintln!("{} {generator} {depth}: {point:?}", subject.name);
            let is_complete = matches!(point, Point::Complete { .. });
            series.push(point);
            if !is_complete {
                break;
            }
        }
        all.push((generator, series));
    }
    all
}

/// A row for each depth that anything is known of.
fn rows(subject: &Subject, part: Part, all: &[Series]) -> Vec<Vec<String>> {
    let known: &[(&str, &[f64])] = match part {
        Part::First => &[("the paper's Target", subject.paper), ("Lazy SmallCheck", subject.lazy)],
        Part::Largest => &[],
    };
    let names = all.iter().map(|series| series.0).chain(known.iter().map(|known| known.0));
    let mut rows = vec![["depth"].into_iter().chain(names).map(str::to_owned).collect::<Vec<String>>()];
    let lengths = all.iter().map(|series| series.1.len()).chain(known.iter().map(|known| known.1.len()));
    for i in 0..lengths.max().unwrap_or(0) {
        let measured = all.iter().map(|series| series.1.get(i).map_or_else(String::new, cell));
        let known = known.iter().map(|known| known.1.get(i).map_or_else(String::new, |s| seconds(*s)));
        rows.push([(i + 2).to_string()].into_iter().chain(measured).chain(known).collect());
    }
    rows
}

fn cell(point: &Point) -> String {
    match point {
        Point::Complete { seconds: s, valid, exhausted: true, .. } => {
            format!("{} (all {valid})", seconds(*s))
        }
        Point::Complete { seconds: s, valid, distinct, .. } if distinct < valid => {
            format!("{} ({distinct} different)", seconds(*s))
        }
        Point::Complete { seconds: s, .. } => seconds(*s),
        Point::Short { seconds: s, valid } => format!("{valid} in {}", seconds(*s)),
        Point::NotThere => "not there".to_owned(),
    }
}

fn panel(subject: &Subject, part: Part, all: &[Series]) -> Panel {
    let line = |name: &str, times: Vec<Option<f64>>| {
        let points = (2..).zip(times).filter_map(|(depth, time)| Some((f64::from(depth), time?)));
        Line { name: name.to_owned(), points: points.collect() }
    };
    let time = |point: &Point| match point {
        // Repetitions are no inputs.
        Point::Complete { seconds, valid, distinct, .. } if valid == distinct => Some(*seconds),
        _ => None,
    };
    let mut lines: Vec<Line> =
        all.iter().map(|(name, points)| line(name, points.iter().map(time).collect())).collect();
    if part == Part::First {
        let known = [("the paper's Target", subject.paper), ("Lazy SmallCheck", subject.lazy)];
        lines.extend(known.map(|(name, times)| line(name, times.iter().copied().map(Some).collect())));
    }
    Panel { title: subject.name.to_owned(), lines }
}

/// Whether the native engine keeps below the mark.
fn verdict(all: &[Series], mark: f64) -> String {
    let Some((_, points)) = all.iter().find(|series| series.0 == "native") else { return String::new() };
    let misses = (2..).zip(points).filter(|(_, point)| match point {
        Point::Complete { seconds, .. } => *seconds > mark,
        Point::Short { .. } => true,
        Point::NotThere => false,
    });
    let misses: Vec<String> = misses.map(|(depth, _): (u32, _)| depth.to_string()).collect();
    if points.iter().any(|point| matches!(point, Point::NotThere)) {
        "The native engine is not there yet.\n".to_owned()
    } else if misses.is_empty() {
        format!("The mark of {mark} s a point is met at all depths.\n")
    } else {
        format!("The mark of {mark} s a point is missed at depth {}.\n", misses.join(", "))
    }
}
