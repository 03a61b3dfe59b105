//! Plots as SVG, and tables as Markdown: what the benches print.
//!
//! A figure is a grid of panels with one logarithmic axis, upwards. It has no background, and its text and lines are of middling
//! brightness, so that it reads on light and on dark; each line has a mark of its own beside its colour.

use std::fmt::Write;

/// A grid of panels under one legend.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What is shown.
    pub title: String,
    /// What is counted to the right.
    pub x_label: String,
    /// What is measured upwards.
    pub y_label: String,
    /// From left to right, then down.
    pub panels: Vec<Panel>,
}

/// One pair of axes.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// What its lines are about.
    pub title: String,
    /// The lines; those of the same name look the same in all panels.
    pub lines: Vec<Line>,
}

/// Points joined.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// To the right and upwards; what is not positive is left out.
    pub points: Vec<(f64, f64)>,
}

const COLUMNS: usize = 3;
const PANEL: (f64, f64) = (260.0, 170.0);
/// Around the axes of a panel: left, above, right, below.
const MARGIN: (f64, f64, f64, f64) = (52.0, 26.0, 12.0, 38.0);
/// The title's height, and the height and least width of a legend's entry.
const TITLE: f64 = 28.0;
const ENTRY: (f64, f64) = (160.0, 20.0);
const TEXT: &str = "#7d828a";
const COLORS: [&str; 6] = ["#2f81f7", "#d9730d", "#2da44e", "#a475f9", "#e5534b", "#1b9e9e"];

/// The figure as an SVG document.
#[must_use]
pub fn svg(figure: &Figure) -> String {
    let names = names(figure);
    let columns = figure.panels.len().clamp(1, COLUMNS);
    let rows = figure.panels.len().div_ceil(columns);
    let cell = (PANEL.0 + MARGIN.0 + MARGIN.2, PANEL.1 + MARGIN.1 + MARGIN.3);
    let width = cell.0 * columns as f64;
    let per_row = (width / ENTRY.0) as usize;
    let head = TITLE + ENTRY.1 * names.len().div_ceil(per_row) as f64;
    let height = head + cell.1 * rows as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"{TEXT}\">\n"
    );
    text(&mut out, (width / 2.0, 18.0), "middle", &figure.title, " font-size=\"14\"");
    for (i, name) in names.iter().enumerate() {
        let at = (14.0 + ENTRY.0 * (i % per_row) as f64, TITLE + ENTRY.1 * ((i / per_row) as f64 + 0.5));
        stroke(&mut out, &[(at.0, at.1), (at.0 + 24.0, at.1)], color(i));
        mark(&mut out, i, (at.0 + 12.0, at.1));
        text(&mut out, (at.0 + 30.0, at.1 + 4.0), "start", name, "");
    }
    for (i, panel) in figure.panels.iter().enumerate() {
        let corner =
            (cell.0 * (i % columns) as f64 + MARGIN.0, head + cell.1 * (i / columns) as f64 + MARGIN.1);
        draw(&mut out, panel, corner, &names, figure);
    }
    out.push_str("</svg>\n");
    out
}

/// The names of all lines that have a point, in the order of their first use.
fn names(figure: &Figure) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in figure.panels.iter().flat_map(|panel| &panel.lines).filter(|line| !line.points.is_empty()) {
        if !names.contains(&line.name.as_str()) {
            names.push(&line.name);
        }
    }
    names
}

/// The range of a panel: of the linear axis, and the decades of the other.
struct Scale {
    from: f64,
    to: f64,
    low: i32,
    high: i32,
}

impl Scale {
    fn of(panel: &Panel) -> Scale {
        let points = || panel.lines.iter().flat_map(|line| &line.points).filter(|point| point.1 > 0.0);
        let least = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::INFINITY, f64::min);
        let greatest = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::NEG_INFINITY, f64::max);
        if points().next().is_none() {
            return Scale { from: 0.0, to: 1.0, low: 0, high: 1 };
        }
        let low = least(|point| point.1).log10().floor() as i32;
        let high = greatest(|point| point.1).log10().ceil() as i32;
        let (from, to) = (least(|point| point.0), greatest(|point| point.0));
        Scale { from, to: to.max(from + 1.0), low, high: high.max(low + 1) }
    }

    /// Where a point is on the page, from the panel's corner.
    fn place(&self, point: (f64, f64)) -> (f64, f64) {
        let decades = f64::from(self.high - self.low);
        let right = (point.0 - self.from) / (self.to - self.from);
        let up = (point.1.log10() - f64::from(self.low)) / decades;
        (PANEL.0 * right, PANEL.1 * (1.0 - up))
    }
}

fn draw(out: &mut String, panel: &Panel, corner: (f64, f64), names: &[&str], figure: &Figure) {
    let scale = Scale::of(panel);
    let _ = writeln!(out, "<g transform=\"translate({:.1} {:.1})\">", corner.0, corner.1);
    text(out, (PANEL.0 / 2.0, -8.0), "middle", &panel.title, " font-weight=\"bold\"");
    let every = (scale.high - scale.low + 6) / 7;
    for decade in (scale.low..=scale.high).filter(|decade| (decade - scale.low) % every == 0) {
        let (_, y) = scale.place((0.0, 10_f64.powi(decade)));
        let _ =
            writeln!(out, "<path d=\"M0 {y:.1}H{:.1}\" stroke=\"{TEXT}\" stroke-opacity=\"0.3\"/>", PANEL.0);
        let label = format!("10<tspan dy=\"-4\" font-size=\"8\">{decade}</tspan>");
        raw_text(out, (-5.0, y + 4.0), "end", &label, "");
    }
    let every = ((scale.to - scale.from) / 8.0).ceil().max(1.0);
    let mut x = scale.from;
    while x <= scale.to {
        let (at, _) = scale.place((x, 1.0));
        text(out, (at, PANEL.1 + 14.0), "middle", &format!("{x}"), "");
        x += every;
    }
    stroke(out, &[(0.0, 0.0), (0.0, PANEL.1), (PANEL.0, PANEL.1)], TEXT);
    text(out, (PANEL.0 / 2.0, PANEL.1 + 29.0), "middle", &figure.x_label, "");
    let turned = format!(" transform=\"translate(-38 {:.1}) rotate(-90)\"", PANEL.1 / 2.0);
    text(out, (0.0, 0.0), "middle", &figure.y_label, &turned);
    for line in panel.lines.iter().filter(|line| !line.points.is_empty()) {
        let number = names.iter().position(|name| *name == line.name).expect("all names are listed");
        let shown = line.points.iter().filter(|point| point.1 > 0.0);
        let places: Vec<(f64, f64)> = shown.map(|point| scale.place(*point)).collect();
        stroke(out, &places, color(number));
        places.iter().for_each(|place| mark(out, number, *place));
    }
    out.push_str("</g>\n");
}

fn color(number: usize) -> &'static str {
    COLORS[number % COLORS.len()]
}

fn stroke(out: &mut String, places: &[(f64, f64)], color: &str) {
    if places.len() < 2 {
        return;
    }
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
        points.join(" ")
    );
}

/// A circle, a square, a triangle or a diamond around a place.
fn mark(out: &mut String, number: usize, (x, y): (f64, f64)) {
    let outline = match number % 4 {
        0 => "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
        1 => "m-3-3h6v6h-6z",
        2 => "m0-4l4 7h-8z",
        _ => "m0-4l4 4l-4 4l-4-4z",
    };
    let _ = writeln!(out, "<path d=\"M{x:.1} {y:.1}{outline}\" fill=\"{}\"/>", color(number));
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, words: &str, attributes: &str) {
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    raw_text(out, at, anchor, &escaped, attributes);
}

fn raw_text(out: &mut String, (x, y): (f64, f64), anchor: &str, words: &str, attributes: &str) {
    let _ =
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{attributes}>{words}</text>");
}

/// A table in Markdown, its first row the head.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    for (i, row) in rows.iter().enumerate() {
        let _ = writeln!(out, "| {} |", row.join(" | "));
        if i == 0 {
            let _ = writeln!(out, "|{}", "---|".repeat(row.len()));
        }
    }
    out
}

/// Writes a figure to `docs/plots`, and says so.
///
/// # Panics
///
/// Panics if it can't be written.
pub fn write(name: &str, figure: &Figure) {
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace");
    let folder = root.join("docs/plots");
    let path = folder.join(format!("{name}.svg"));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, svg(figure)));
    written.unwrap_or_else(|error| panic!("{} can't be written: {error}", path.display()));
    println!("docs/plots/{name}.svg is written");
}

/// A time in the unit that suits it.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    let digits = usize::from(value < 10.0) + usize::from(value < 1.0);
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let line =
            |name: &str, points: &[(f64, f64)]| Line { name: name.to_owned(), points: points.to_vec() };
        let first = vec![line("a<b", &[(1.0, 0.001), (3.0, 10.0)]), line("c", &[(2.0, 1.0), (3.0, 0.0)])];
        let panels = vec![
            Panel { title: "one".to_owned(), lines: first },
            Panel { title: "two".to_owned(), lines: vec![line("c", &[(1.0, 1.0)])] },
            Panel { title: "none".to_owned(), lines: Vec::new() },
        ];
        Figure { title: "t".into(), x_label: "depth".into(), y_label: "seconds".into(), panels }
    }

    #[test]
    fn points_lie_where_the_axes_say() {
        let svg = svg(&figure());
        // The least decade of the first panel is at the bottom, the greatest at the top.
        assert!(svg.contains("<polyline points=\"0.0,170.0 260.0,0.0\""), "{svg}");
        // Zero has no logarithm.
        assert!(svg.contains("<path d=\"M130.0 42.5m-3-3h6v6h-6z\""), "{svg}");
    }

    #[test]
    fn a_line_looks_the_same_in_all_panels_and_the_legend() {
        let svg = svg(&figure());
        assert_eq!(svg.matches(&format!("z\" fill=\"{}\"", COLORS[1])).count(), 3);
        assert_eq!(svg.matches(">a&lt;b</text>").count(), 1);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }

    #[test]
    fn a_table_has_a_head() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(table(&[row(["n", "s"]), row(["1", "2"])]), "| n | s |\n|---|---|\n| 1 | 2 |\n");
    }

    #[test]
    fn times_have_three_digits_at_most() {
        let shown = [12.3, 1.23, 0.123, 0.0012, 4.56e-7, 1.2e-10].map(seconds);
        assert_eq!(shown, ["12 s", "1.2 s", "123 ms", "1.2 ms", "456 ns", "0.12 ns"]);
    }
}
