//! `cargo target count FUNCTION`: how many inputs a spec admits within depth and bound, without running any.
//!
//! A number is exact or missing; a size that takes too much work is reported as such. If a condition is Rust code, the
//! numbers are upper bounds.

use anyhow::Result;
use serde::Serialize;
use target_bridge::frontend::subject::Subject;
use target_strategies::cancel::Stop;
use target_strategies::logic::int::Int;
use target_strategies::native::listing::{preconditions, unsolved};
use target_strategies::native::{Class, Count, Native};

use crate::commands::prologue::{self, wanted};
use crate::options::args::{self};
use crate::options::config::{self};
use crate::report::MessageFormat;
use crate::run::checked::{Checked, Filter};
use crate::run::launch::space;
use crate::run::planning::{Interrupted, Planning};
use crate::system::console;
use crate::system::exit_code;

/// Maximum number of branches that the engine makes for one number.
const EFFORT: u64 = 4_000_000;

/// The same limit after the first size that exceeds [`EFFORT`]: later sizes are rarely easier.
const LATER_EFFORT: u64 = 400_000;

/// The numbers of a function, as JSON. They are strings, since they may have any number of digits.
#[derive(Serialize)]
#[serde(tag = "reason", rename = "count")]
struct Counted<'a> {
    package: &'a str,
    function: &'a str,
    depth: u32,
    bound: u32,
    /// `None` if they were not counted.
    inputs: Option<String>,
    /// Why they were not counted, in words.
    not_counted: Option<String>,
    /// Whether the number is only an upper bound.
    at_most: bool,
    /// The conditions that only a harness can judge, which make it an upper bound.
    uncounted: Vec<String>,
    /// Whether some counted inputs are undecided, because a condition takes too much work to judge.
    undecided: bool,
    /// Sizes without inputs are left out.
    sizes: Option<Vec<OfSize>>,
}

#[derive(Serialize)]
struct OfSize {
    size: u64,
    inputs: Option<String>,
}

/// `cargo target count`: returns the exit code.
pub fn count(args: &args::Count, interrupted: &Interrupted) -> Result<u8> {
    let (_config, project, mut report) = prologue::load(&args.selection, args.message_format)?;
    let filter = Filter { words: vec![args.function.clone()], exact: true };
    let Some(checked) = prologue::check(&project, &config::overrides(&args.limits), &filter, &mut report)?
    else {
        return Ok(exit_code::USAGE);
    };
    for (package, _, subject) in wanted(&checked, &filter)? {
        let planning = Planning::new(&subject.settings, interrupted);
        let counted = match planning.within(|| one(package, subject, args.by_size)) {
            Ok(counted) => counted,
            Err(Stop::Interrupted) => return Ok(exit_code::INTERRUPTED),
            Err(stop) => not_counted(package, subject, planning.reason(stop)),
        };
        match args.message_format {
            MessageFormat::Json => {
                let line = serde_json::to_string(&counted).expect("it has string keys, and no floats");
                console::exact(line + "\n");
            }
            MessageFormat::Human => console::out(&text(&counted)),
        }
    }
    Ok(exit_code::PASSED)
}

fn one<'a>(package: &'a Checked, subject: &'a Subject, by_size: bool) -> Counted<'a> {
    let space = space(subject);
    let spec = &subject.spec;
    let mut native = Native::new(&space);
    let sizes = by_size.then(|| sizes(&mut native));
    let total = match &sizes {
        Some(sizes) => sum(sizes),
        None => native.count(Class::All, EFFORT).ok(),
    };
    let too_much = "counting goes on for too long".to_owned();
    let not_counted = if total.is_none() { Some(too_much) } else { None };
    let left = unsolved(&native, spec);
    let uncounted = preconditions(spec).into_iter().filter(|clause| left.contains(&clause.id));
    let undecided = |n: &Option<Count>| matches!(n, Some(Count::AtMost(_)));
    let has_undecided = undecided(&total) || sizes.iter().flatten().any(|(_, n)| undecided(n));
    let digits = |n: Option<Count>| n.map(|n| n.n_listed().to_string());
    let of_size = |(size, n): (u64, Option<Count>)| OfSize { size, inputs: digits(n) };
    Counted {
        package: &package.package.name,
        function: &spec.name,
        depth: subject.settings.depth,
        bound: subject.settings.bound,
        inputs: digits(total),
        at_most: has_undecided || !left.is_empty() || spec.data.iter().any(|data| data.via.is_some()),
        uncounted: uncounted.map(|clause| clause.text.clone()).collect(),
        undecided: has_undecided,
        not_counted,
        sizes: sizes.map(|sizes| sizes.into_iter().map(of_size).collect()),
    }
}

/// The result for a function whose counting was stopped: no numbers.
fn not_counted<'a>(package: &'a Checked, subject: &'a Subject, why: String) -> Counted<'a> {
    Counted {
        package: &package.package.name,
        function: &subject.spec.name,
        depth: subject.settings.depth,
        bound: subject.settings.bound,
        inputs: None,
        not_counted: Some(why),
        at_most: false,
        uncounted: Vec::new(),
        undecided: false,
        sizes: None,
    }
}

/// The sum over all sizes; `None` if a size took too much work.
fn sum(sizes: &[(u64, Option<Count>)]) -> Option<Count> {
    let (mut total, mut is_exact) = (Int::ZERO, true);
    for (_, n) in sizes {
        let n = n.as_ref()?;
        total = &total + n.n_listed();
        is_exact &= matches!(n, Count::Exactly(_));
    }
    Some(if is_exact { Count::Exactly(total) } else { Count::AtMost(total) })
}

/// The sizes that have inputs or may have some; `None` for a size that took too much work.
fn sizes(native: &mut Native) -> Vec<(u64, Option<Count>)> {
    let mut effort = EFFORT;
    let mut sizes = Vec::new();
    for size in native.sizes() {
        let n = native.count(Class::Size(size), effort).ok();
        if n.is_none() {
            effort = LATER_EFFORT;
        }
        if n.as_ref().is_none_or(|n| !n.n_listed().is_zero()) {
            sizes.push((size, n));
        }
    }
    sizes
}

fn text(counted: &Counted) -> String {
    let number = |inputs: &Option<String>| inputs.clone().unwrap_or_else(|| "too much work".to_owned());
    let mut text = format!("{} (depth {}, bound {})\n", counted.function, counted.depth, counted.bound);
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["", "size", "inputs"]);
    for OfSize { size, inputs } in counted.sizes.iter().flatten() {
        table.add_row([String::new(), size.to_string(), number(inputs)]);
    }
    table.add_row([String::new(), "all".to_owned(), number(&counted.inputs)]);
    for column in [1, 2] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for clause in &counted.uncounted {
        text.push_str(&format!("  at most: what `{clause}` rejects is counted, too\n"));
    }
    if counted.undecided {
        text.push_str(
            "  at most: inputs of which a condition takes too much work to judge are counted, too\n",
        );
    } else if counted.at_most && counted.uncounted.is_empty() {
        text.push_str("  at most: what a function fails to build is counted, too\n");
    }
    if let Some(why) = &counted.not_counted {
        text.push_str(&format!("  {why}: lower `depth` or `bound`, or narrow with `explore`\n"));
    }
    text
}
