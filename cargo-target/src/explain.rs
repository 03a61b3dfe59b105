//! `cargo target explain FUNCTION`: what each stage makes of a spec, one after the other.

use anyhow::Result;
use target_bridge::generate::native::describe_plan;
use target_bridge::resolve::{describe, describe_parsed};
use target_bridge::smt;
use target_bridge::subject::Subject;
use target_strategies::cancel::Stop;
use target_strategies::rust_code;
use target_strategies::space::{Leaf, Shape, Skeleton, Space};
use target_strategies::value::Value;

use crate::args::{self, MessageFormat, Stage};
use crate::checked::{self, Checked, Filter};
use crate::config::{self, CargoConfig};
use crate::exit_code;
use crate::pipeline::{diagnose, space, wanted};
use crate::planning::{Interrupted, Planning};
use crate::project;
use crate::report::Report;

/// How many shapes are shown.
const SHAPES: usize = 12;

/// Shows the stages: gives the exit code.
pub fn explain(args: &args::Explain, interrupted: &Interrupted) -> Result<u8> {
    let config = CargoConfig::new(&args.selection);
    let mut report = Report::new(MessageFormat::Human, config.color, config.verbosity);
    let project = project::load(&config)?;
    let checked = checked::check(&project, &config::overrides(&args.limits), None)?;
    if diagnose(&checked, &mut report) {
        return Ok(exit_code::USAGE);
    }
    let filter = Filter { words: vec![args.function.clone()], exact: true };
    for (package, _, subject) in wanted(&checked, &filter)? {
        let planning = Planning::new(&subject.settings, interrupted);
        match planning.within(|| one(args, package, subject)) {
            Ok(()) => {}
            Err(Stop::Interrupted) => return Ok(exit_code::INTERRUPTED),
            Err(stop) => {
                outln!("{}: lower `depth` or `bound`, or choose another `--stage`", planning.reason(stop))
            }
        }
    }
    Ok(exit_code::PASSED)
}

/// The stages of a function.
fn one(args: &args::Explain, package: &Checked, subject: &Subject) {
    let wants = |stage| args.stage.is_none_or(|wanted| wanted == stage);
    if wants(Stage::Ast) {
        section("As parsed");
        let parsed = package.entry(subject).and_then(describe_parsed);
        outln!("{}", parsed.unwrap_or_default().trim_end());
    }
    if wants(Stage::Ir) {
        section("As resolved");
        outln!("{}", describe(subject).trim_end());
    }
    let space = space(subject);
    if wants(Stage::Space) {
        section("The input space");
        print_space(&space);
    }
    if wants(Stage::Plan) {
        section("How the native engine lists the inputs");
        outln!("{}", describe_plan(subject, &space).trim_end());
    }
    if wants(Stage::Smt) {
        section("What Z3 is asked, shape by shape");
        for skeleton in space.skeletons().take(if args.stage.is_some() { usize::MAX } else { 1 }) {
            outln!("; {}", shape_text(&skeleton));
            outln!("{}", smt::print::skeleton(&space, &skeleton).trim_end());
        }
    }
}

fn section(title: &str) {
    let bold = anstyle::Style::new().bold();
    outln!("\n{bold}# {title}{bold:#}");
}

fn print_space(space: &Space) {
    let bounds = space.bounds();
    outln!("depth {}, bound {}", bounds.depth, bounds.bound);
    match space.n_skeletons() {
        Some(count) => {
            outln!("{count} shapes; the first of them, and what their scalars range over:")
        }
        None => {
            outln!("more than 2^64 shapes; the first of them, and what their scalars range over:")
        }
    }
    for skeleton in space.skeletons().take(SHAPES) {
        let leaves = space.leaves(&skeleton);
        let domains: Vec<String> = leaves.iter().map(domain_text).collect();
        outln!("  {}  {}", shape_text(&skeleton), domains.join(" x "));
    }
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
