//! The engine's plan as text, for `cargo target explain`: how each condition is treated, which choices are made, and
//! how many inputs they lead to.

use std::fmt::Write;

use target_strategies::native::describe::{Plan, Step, Treatment, What};
use target_strategies::native::listing::preconditions;
use target_strategies::native::{Class, Count, Native};
use target_strategies::space::Space;

use super::fit::is_fit;
use crate::frontend::elaborate::print::Printer;
use crate::frontend::subject::Subject;

/// Maximum number of branches made to count.
const EFFORT: u64 = 200_000;

/// Maximum number of kinds of choices shown.
const STEPS: usize = 24;

/// The plan for a subject's space.
pub fn describe_plan(subject: &Subject, space: &Space) -> String {
    let mut native = Native::new(space);
    let plan = native.plan();
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write!(text, "{}{}", conditions(subject, &plan), choices(subject, &plan));
    let counted = native.count(Class::All, EFFORT);
    let (states, ways) = native.work();
    let _ = match counted {
        Ok(Count::Exactly(total)) => {
            writeln!(text, "{total} inputs, counted with {states} states and {ways} ways")
        }
        Ok(Count::AtMost(total)) => writeln!(
            text,
            "at most {total} inputs, counted with {states} states and {ways} ways: a condition takes too much work to judge \
             for some of them"
        ),
        Err(_) => writeln!(
            text,
            "not counted with {states} states and {ways} ways: more work than explaining is worth"
        ),
    };
    if !is_fit(space) {
        let _ = writeln!(text, "no input is found soon: `auto` leaves this spec to smt");
    }
    text
}

fn conditions(subject: &Subject, plan: &Plan) -> String {
    let mut text = String::new();
    let clauses = preconditions(&subject.spec);
    for (id, treatment) in &plan.clauses {
        let Some(clause) = clauses.iter().find(|clause| clause.id == *id) else { continue };
        let words = clause.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let what = match treatment {
            Treatment::Harness => "judged by the harness, for each input".to_owned(),
            Treatment::Reduced => "reduced with each choice".to_owned(),
            Treatment::Unfolded(functions) => {
                let names = functions.iter().map(|id| plan.functions[id.0 as usize].name.as_str());
                format!("reduced with each choice, unfolding {}", names.collect::<Vec<_>>().join(", "))
            }
        };
        let _ = writeln!(text, "`{words}`: {what}");
    }
    text
}

fn choices(subject: &Subject, plan: &Plan) -> String {
    let mut text = String::new();
    if plan.steps.is_empty() {
        return "nothing is to be chosen but independent scalars\n".to_owned();
    }
    let n = plan.n_states;
    let _ = if plan.is_whole {
        writeln!(text, "the first choice in each of {n} states, by size:")
    } else {
        writeln!(text, "the first choice in each of the first {n} states, by size:")
    };
    for step in plan.steps.iter().take(STEPS) {
        let _ = writeln!(text, "  {}", one_choice(subject, plan, step));
    }
    if plan.steps.len() > STEPS {
        let _ = writeln!(text, "  and {} more", plan.steps.len() - STEPS);
    }
    text
}

fn one_choice(subject: &Subject, plan: &Plan, step: &Step) -> String {
    let chosen = match &step.what {
        What::Scalar(name) => format!("the value of {name}"),
        What::Constructor(name) => format!("how {name} begins"),
        What::Measure(name, term) => {
            let names = [name.clone()];
            let printer = Printer {
                names: &names,
                data: &subject.spec.data,
                functions: &plan.functions,
                regexes: &subject.spec.regexes,
            };
            format!("the value of {}", printer.term(term))
        }
    };
    let times = if step.n_states == 1 { "once".to_owned() } else { format!("{} times", step.n_states) };
    format!("{}: {chosen} (at most {}; {times})", step.holes.join(", "), step.most)
}
