//! Maps names to generators, and explains why a generator finds no input.

use target_bridge::frontend::manifest::Settings;
use target_bridge::frontend::subject::Subject;
use target_bridge::generate::auto::{Auto, AutoOptions};
use target_bridge::generate::beyond::BeyondGenerator;
use target_bridge::generate::different::DifferentGenerator;
use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::feedback::Feedback;
use target_bridge::generate::native::{self, NativeGenerator, NativeOptions, Samples};
use target_bridge::generate::random::Random;
use target_bridge::generate::smt::SmtGenerator;
use target_bridge::generate::unfolded::{Unfolding, is_worth_unfolding};
use target_bridge::generate::{End, Generator, GeneratorKind, Step};
use target_bridge::smt::vacuous::{self, Vacuity};
use target_strategies::beyond::Source;
use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::ir::{Refined, Sort, Spec, Term, visit};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use crate::events::GeneratorName;
use crate::events::outcome::Problem;
use crate::events::words::thousands;
use crate::options::args::Size;

/// The generator with that name.
pub fn kind(name: GeneratorName) -> GeneratorKind {
    match name {
        GeneratorName::Auto => GeneratorKind::Auto,
        GeneratorName::Native => GeneratorKind::Native,
        GeneratorName::Smt => GeneratorKind::Smt,
        GeneratorName::Boundary => GeneratorKind::Boundary,
        GeneratorName::Large => GeneratorKind::Large,
        GeneratorName::Random => GeneratorKind::Random,
        GeneratorName::Enumerative => GeneratorKind::Enumerative,
    }
}

/// The settings of a generator, besides the space.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The seed.
    pub seed: u64,
    /// Number of inputs to sample.
    pub sample: Option<u64>,
    /// The only size to generate.
    pub size: Option<Size>,
}

/// The generator of the inputs that differ, if these are what a run is about.
pub fn different(kind: GeneratorKind, space: &Space, subject: &Subject) -> Option<Box<dyn Generator>> {
    let different = subject.different.clone().filter(|_| kind == GeneratorKind::Auto)?;
    // The rest of the budget is for running them.
    let time = subject.settings.budget / 2;
    Some(Box::new(DifferentGenerator::new(space.clone(), different, subject.settings.cases, time)))
}

/// The generator of that kind, if it is one that learns from `feedback` which results of functions are asked for.
pub fn unfolding(
    kind: GeneratorKind,
    space: &Space,
    settings: &Settings,
    wanted: Wanted,
    feedback: Feedback,
) -> Box<dyn Generator> {
    let members = space.without_results();
    let inner: Box<dyn Generator> = match kind {
        GeneratorKind::Auto => {
            let options = AutoOptions { beyond: settings.boundary, seed: wanted.seed };
            Box::new(Auto::over(space.clone(), members, &options))
        }
        GeneratorKind::Native
        | GeneratorKind::Smt
        | GeneratorKind::Boundary
        | GeneratorKind::Large
        | GeneratorKind::Random
        | GeneratorKind::Enumerative => new(kind, &members, settings, wanted),
    };
    Box::new(Unfolding::new(space.clone(), inner, feedback))
}

/// Whether [`unfolding`] suits the inputs of a subject: most members would differ in results that nobody asks for.
pub fn may_unfold(kind: GeneratorKind, space: &Space, subject: &Subject, wanted: Wanted) -> bool {
    let is_whole = wanted.sample.is_none() && wanted.size.is_none() && subject.different.is_none();
    matches!(kind, GeneratorKind::Auto | GeneratorKind::Native) && is_whole && is_worth_unfolding(space)
}

/// The generator of that kind.
pub fn new(kind: GeneratorKind, space: &Space, settings: &Settings, wanted: Wanted) -> Box<dyn Generator> {
    let Wanted { seed, sample, size } = wanted;
    match kind {
        GeneratorKind::Auto => {
            let options = AutoOptions { beyond: settings.boundary, seed };
            Box::new(Auto::new(space.clone(), &options))
        }
        GeneratorKind::Boundary => Box::new(BeyondGenerator::new(space, Source::Boundary, seed)),
        GeneratorKind::Large => Box::new(BeyondGenerator::new(space, Source::Large, seed)),
        GeneratorKind::Smt => Box::new(SmtGenerator::new(space.clone(), seed)),
        GeneratorKind::Native => {
            let size = match size.map(|size| exact(size, space)) {
                None => None,
                Some(Ok(size)) => Some(size),
                Some(Err(reason)) => return ending(vec![reason]),
            };
            if sample.is_some() {
                return Box::new(Samples::new(space, size, seed));
            }
            let options = NativeOptions { cases: settings.cases, size };
            Box::new(NativeGenerator::new(space.clone(), &options))
        }
        GeneratorKind::Random => Box::new(Random::new(space.clone(), seed, settings.boundary)),
        GeneratorKind::Enumerative => Box::new(Enumerative::new(space.clone())),
    }
}

/// The size as a number, or an error if it doesn't exist.
fn exact(size: Size, space: &Space) -> Result<u64, String> {
    match size {
        Size::Exactly(size) => Ok(size),
        Size::Max => match native::greatest_size(space) {
            Ok(Some(size)) => Ok(size),
            Ok(None) => Err("there is no input of any size".to_owned()),
            Err(size) => {
                Err(format!("whether there are inputs of size {size} was not found out: name a size"))
            }
        },
    }
}

/// A generator of no cases, for runs of examples alone.
pub fn nothing() -> Box<dyn Generator> {
    ending(Vec::new())
}

/// A generator that ends at once, for these reasons.
fn ending(reasons: Vec<String>) -> Box<dyn Generator> {
    struct Nothing(Vec<String>);
    impl Generator for Nothing {
        fn step(&mut self) -> Step {
            Step::End(End::Unknown(std::mem::take(&mut self.0)))
        }
    }
    Box::new(Nothing(reasons))
}

/// The problem of a run without valid inputs, if it is that `where` conditions reject each: the generators know all other
/// conditions.
pub fn rejected_by_code(kind: GeneratorKind, spec: &Spec, n_rejected: u64) -> Option<Problem> {
    let knows_conditions = match kind {
        GeneratorKind::Auto | GeneratorKind::Native | GeneratorKind::Smt => true,
        GeneratorKind::Boundary | GeneratorKind::Large => true,
        GeneratorKind::Random | GeneratorKind::Enumerative => false,
    };
    // Examples are the user's: other conditions may reject them.
    let others_reject =
        |args: &&Vec<Value>| matches!(Judge::new(None).precondition(spec, args), Admission::Rejected(_));
    let n_others = spec.examples.iter().filter(others_reject).count() as u64;
    let n_rejected = n_rejected.saturating_sub(n_others);
    if !knows_conditions || may_be_unmade(spec) || n_rejected == 0 {
        return None;
    }
    let clauses = code_clauses(spec);
    let what = match clauses.len() {
        0 => return None,
        1 => "the `where` condition rejects",
        _ => "the `where` conditions reject",
    };
    let inputs = if n_rejected == 1 {
        "the 1 input".to_owned()
    } else {
        format!("all {} inputs", thousands(n_rejected))
    };
    Some(Problem {
        message: format!("{what} {inputs} that the other conditions admit"),
        help: Some(
            "correct it, raise `bound`, or write it without `where`: then inputs are solved for".to_owned(),
        ),
        clauses,
        args: None,
    })
}

/// Whether a function builds some values, which it may reject.
fn may_be_unmade(spec: &Spec) -> bool {
    spec.data.iter().any(|data| data.via.is_some())
}

/// The conditions on inputs that are Rust code.
fn code_clauses(spec: &Spec) -> Vec<u32> {
    let clauses = spec.input_clauses().into_iter();
    clauses.filter(|clause| is_code(&clause.term)).map(|clause| clause.id).collect()
}

/// Whether a condition is Rust code.
fn is_code(condition: &Term) -> bool {
    let mut is_code = false;
    visit(condition, &mut |term| is_code |= matches!(term, Term::Opaque(..)));
    is_code
}

/// The problem of a space without valid members.
pub fn vacuous(space: &Space) -> Problem {
    let spec = space.spec();
    let tuple = |args: &[Value]| {
        let args = args.iter().zip(&spec.params);
        let args: Vec<String> = args
            .map(|(value, param)| {
                format!("{} = {}", param.name, rust_code::readable(value, &param.refined, spec, false))
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
        // Only the domain of floats was searched, and a proof takes the solver minutes.
        return problem(
            "no input that was looked at satisfies the spec; of floats, that is halves within the bound",
            "weaken the refinement, raise `bound`, or name the values that satisfy it with `==`".to_owned(),
            Vec::new(),
        );
    }
    match vacuous::explain(space) {
        // Only some characters and strings were searched, so this isn't a contradiction.
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

/// Whether an argument contains such a sort.
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

/// Why the one requested case was rejected, if it was: what the judge finds without the user's code comes before that code.
pub fn refusal(subject: &Subject, was_rejected: bool) -> Option<Problem> {
    let spec = &subject.spec;
    let args = spec.examples.first()?;
    let problem = |message: &str, clauses: Vec<u32>| Problem {
        message: message.to_owned(),
        help: None,
        clauses,
        args: Some(args.clone()),
    };
    match Judge::new(None).precondition(spec, args) {
        Admission::Rejected(clause) => {
            Some(problem("the spec refuses this case", clause.into_iter().collect()))
        }
        Admission::Admitted if was_rejected && !may_be_unmade(spec) => match &code_clauses(spec)[..] {
            [] => None,
            [clause] => Some(problem("the `where` condition rejects this case", vec![*clause])),
            clauses => Some(problem("one of the `where` conditions rejects this case", clauses.to_vec())),
        },
        Admission::Admitted | Admission::SpecError { .. } => None,
    }
}
