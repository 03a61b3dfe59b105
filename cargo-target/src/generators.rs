//! Which generator stands behind which name, and what to say when none finds anything.

use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::random::Random;
use target_bridge::generate::smt::{SmtGenerator, SmtOptions};
use target_bridge::generate::{End, Generator, GeneratorKind, Step};
use target_bridge::manifest::Settings;
use target_bridge::smt::vacuous::{self, Vacuity};
use target_bridge::smt::z3::Effort;
use target_bridge::subject::Subject;
use target_strategies::eval::{Admission, Judge};
use target_strategies::ir::{Refined, Sort, Spec};
use target_strategies::rust_code;
use target_strategies::space::Space;
use target_strategies::value::Value;

use crate::outcome::Problem;

/// The generator of that kind.
pub fn new(kind: GeneratorKind, space: &Space, settings: &Settings, seed: u64) -> Box<dyn Generator> {
    match kind {
        GeneratorKind::Smt => {
            let options = SmtOptions { boundary: settings.boundary, cases: settings.cases, seed };
            Box::new(SmtGenerator::new(space.clone(), &options))
        }
        GeneratorKind::Random => Box::new(Random::new(space.clone(), seed, settings.boundary)),
        GeneratorKind::Enumerative => Box::new(Enumerative::new(space.clone())),
    }
}

/// A generator of nothing, for runs of examples alone.
pub fn nothing() -> Box<dyn Generator> {
    struct Nothing;
    impl Generator for Nothing {
        fn step(&mut self) -> Step {
            Step::End(End::Unknown(Vec::new()))
        }
    }
    Box::new(Nothing)
}

/// Why a space has no valid member.
pub fn vacuous(space: &Space) -> Problem {
    let spec = space.spec();
    let tuple = |args: &[Value]| {
        let args = args.iter().zip(&spec.params);
        let args: Vec<String> = args
            .map(|(value, param)| {
                format!("{} = {}", param.name, rust_code::expression(value, &param.refined, spec, false))
            })
            .collect();
        args.join(", ")
    };
    let problem = |message: &str, help: String, clauses: Vec<u32>| Problem {
        message: message.to_owned(),
        help: Some(help),
        clauses,
        args: None,
    };
    if has_sort(spec, |sort| matches!(sort, Sort::Float(_))) {
        // Of floats only the domain is looked at, and proofs about the rest take the solver minutes.
        return problem(
            "no input that was looked at satisfies the spec; of floats, that is halves within the bound",
            "weaken the refinement, raise `bound`, or name the values that satisfy it with `==`".to_owned(),
            Vec::new(),
        );
    }
    match vacuous::explain(space, Effort::default()) {
        // Of characters and strings only some values were looked at, of which there are more.
        Vacuity::Contradictory(clauses)
            if has_sort(spec, |sort| matches!(sort, Sort::Char | Sort::Str(_))) =>
        {
            problem(
                "no input that was looked at satisfies the spec: of those, each breaks one of these",
                "weaken one of them, raise `bound`, or name the values that satisfy it with `==`".to_owned(),
                clauses,
            )
        }
        Vacuity::Contradictory(clauses) if clauses.is_empty() => problem(
            "no input satisfies the spec: each way to make an argument needs another such value first",
            "give the type a constructor without itself, or don't leave it out".to_owned(),
            clauses,
        ),
        Vacuity::Contradictory(clauses) => problem(
            "no input satisfies the spec: these contradict each other, whatever the bounds",
            "drop or weaken one of them".to_owned(),
            clauses,
        ),
        Vacuity::ContradictoryWithinDepth(clauses) => problem(
            "no input satisfies the spec, as deep as was looked: these contradict each other",
            "drop or weaken one of them, or raise `depth`".to_owned(),
            clauses,
        ),
        Vacuity::EmptyWithinBounds(_) | Vacuity::Unknown(_)
            if spec.data.iter().any(|data| data.via.is_some()) =>
        {
            problem(
                "no input within depth and bound is valid: what satisfies the refinements, if anything does, the function \
                 that builds it refuses, or gives another value back",
                "refine its parameters in the table `data`, or raise `depth` or `bound`".to_owned(),
                Vec::new(),
            )
        }
        Vacuity::EmptyWithinBounds(nearest) => problem(
            "no input within depth and bound satisfies the spec",
            format!("the nearest that does is {}: raise `depth` or `bound`", tuple(&nearest)),
            Vec::new(),
        ),
        Vacuity::Unknown(reasons) => problem(
            "no input within depth and bound satisfies the spec",
            format!("why could not be found out: {}", reasons.join("; ")),
            Vec::new(),
        ),
    }
}

/// Whether some argument has such a sort in it.
fn has_sort(spec: &Spec, wanted: impl Fn(&Sort) -> bool) -> bool {
    let mut waiting: Vec<&Refined> = spec.params.iter().map(|param| &param.refined).collect();
    waiting.extend(
        spec.data
            .iter()
            .flat_map(|data| &data.ctors)
            .flat_map(|ctor| &ctor.fields)
            .map(|field| &field.refined),
    );
    while let Some(refined) = waiting.pop() {
        match &refined.sort {
            sort if wanted(sort) => return true,
            _ => waiting.extend(refined.inner()),
        }
    }
    false
}

/// Why the spec refuses the one case that was asked for, if it does.
pub fn refusal(subject: &Subject) -> Option<Problem> {
    let spec = &subject.spec;
    let args = spec.examples.first()?;
    match Judge::new(None).precondition(spec, args) {
        Admission::Refused(clause) => Some(Problem {
            message: "the spec refuses this case".to_owned(),
            help: None,
            clauses: clause.into_iter().collect(),
            args: Some(args.clone()),
        }),
        _ => None,
    }
}
