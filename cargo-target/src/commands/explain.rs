//! `cargo target explain FUNCTION`: shows the result of each stage on a spec, in order.

use anyhow::Result;
use target_bridge::frontend::resolve::{describe, describe_parsed};
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::native::describe_plan;
use target_bridge::smt;
use target_strategies::cancel::Stop;
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;
use target_strategies::space::{Leaf, Shape, Skeleton, Space};

use crate::commands::prologue::{self, wanted};
use crate::options::args::{self, Stage};
use crate::options::config::{self};
use crate::report::MessageFormat;
use crate::run::checked::{Checked, Filter};
use crate::run::launch::space;
use crate::run::planning::{InParts, Interrupted, Planning};
use crate::system::exit_code;

/// Maximum number of shapes shown.
const SHAPES: usize = 12;

/// Shows the stages; returns the exit code.
pub fn explain(args: &args::Explain, interrupted: &Interrupted) -> Result<u8> {
    let (_config, project, mut report) = prologue::load(&args.selection, MessageFormat::Human)?;
    let filter = Filter { words: vec![args.function.clone()], exact: true };
    let Some(checked) = prologue::check(&project, &config::overrides(&args.limits), &filter, &mut report)?
    else {
        return Ok(exit_code::USAGE);
    };
    let mut code = exit_code::PASSED;
    for (package, _, subject) in wanted(&checked, &filter)? {
        let planning = Planning::new(&subject.settings, interrupted);
        match one(args, package, subject, &mut planning.clone().in_parts()) {
            Ok(()) => {}
            Err(Stop::Interrupted) => return Ok(exit_code::INTERRUPTED),
            Err(stop) => {
                let why = planning.reason(stop);
                errln!("error: {why}: lower `depth` or `bound`, or choose another `--stage`");
                code = exit_code::USAGE;
            }
        }
    }
    Ok(code)
}

/// The stages of a function. Planning limits apply to making each text, but not to printing it: readers may be slow.
fn one(
    args: &args::Explain,
    package: &Checked,
    subject: &Subject,
    planning: &mut InParts,
) -> Result<(), Stop> {
    let is_shown = |stage| args.stage.is_none_or(|wanted| wanted == stage);
    if is_shown(Stage::Ast) {
        section("As parsed");
        let parsed = planning.within(|| package.entry(subject).and_then(describe_parsed))?;
        outln!("{}", parsed.unwrap_or_default().trim_end());
    }
    if is_shown(Stage::Ir) {
        section("As resolved");
        outln!("{}", planning.within(|| describe(subject))?.trim_end());
    }
    let space = planning.within(|| space(subject))?;
    if is_shown(Stage::Space) {
        section("The input space");
        outln!("{}", planning.within(|| space_text(&space))?.join("\n"));
    }
    if is_shown(Stage::Plan) {
        section("How the native engine lists the inputs");
        outln!("{}", planning.within(|| describe_plan(subject, &space))?.trim_end());
    }
    if is_shown(Stage::Smt) {
        section("What Z3 is asked, shape by shape");
        let mut texts = space.skeletons().map(|skeleton| {
            format!("; {}\n{}", shape_text(&skeleton), smt::print::skeleton(&space, &skeleton).trim_end())
        });
        while let Some(text) = planning.within(|| texts.next())? {
            outln!("{text}");
            if args.stage.is_none() {
                break;
            }
        }
    }
    Ok(())
}

fn section(title: &str) {
    let bold = anstyle::Style::new().bold();
    outln!("\n{bold}# {title}{bold:#}");
}

/// The lines that describe a space.
fn space_text(space: &Space) -> Vec<String> {
    let bounds = space.bounds();
    let count = space.n_skeletons().map_or("more than 2^64".to_owned(), |count| count.to_string());
    let mut lines = vec![
        format!("depth {}, bound {}", bounds.depth, bounds.bound),
        format!("{count} shapes; the first of them, and what their scalars range over:"),
    ];
    for skeleton in space.skeletons().take(SHAPES) {
        let leaves = space.leaves(&skeleton);
        let domains: Vec<String> = leaves.iter().map(domain_text).collect();
        lines.push(format!("  {}  {}", shape_text(&skeleton), domains.join(" x ")));
    }
    lines
}

/// A shape with `_` for each scalar: `(_, [_, _])`.
fn shape_text(skeleton: &Skeleton) -> String {
    let args: Vec<String> = skeleton.args.iter().map(one_shape).collect();
    format!("({})", args.join(", "))
}

fn one_shape(shape: &Shape) -> String {
    let list = |parts: &[Shape]| parts.iter().map(one_shape).collect::<Vec<_>>().join(", ");
    match shape {
        Shape::Leaf => "_".to_owned(),
        Shape::Str(length) => format!("\"{}\"", "_".repeat(*length as usize)),
        Shape::Seq(parts) => format!("[{}]", list(parts)),
        Shape::Tuple(parts) => format!("({})", list(parts)),
        Shape::Data(ctor, fields) if fields.is_empty() => format!("#{ctor}"),
        Shape::Data(ctor, fields) => format!("#{ctor}({})", list(fields)),
    }
}

fn domain_text(leaf: &Leaf) -> String {
    const SHOWN: usize = 9;
    let value = |value: &Value| rust_code::scalar(value);
    let mut texts: Vec<String> = leaf.domain.iter().take(SHOWN).map(value).collect();
    if leaf.domain.len() > SHOWN {
        texts.push(format!("and {} more", leaf.domain.len() - SHOWN));
    }
    format!("{{{}}}", texts.join(", "))
}
