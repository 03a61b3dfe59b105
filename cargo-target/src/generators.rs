//! Which generator stands behind which name, and what to say when none finds anything.

use target_bridge::generate::enumerative::Enumerative;
use target_bridge::generate::random::Random;
use target_bridge::generate::{End, Generator, GeneratorKind, Step};
use target_bridge::manifest::Settings;
use target_strategies::rust_code;
use target_strategies::space::Space;
use target_strategies::value::Value;

use crate::outcome::Problem;

/// The generator of that kind.
pub fn new(kind: GeneratorKind, space: &Space, settings: &Settings, seed: u64) -> Box<dyn Generator> {
    match kind {
        GeneratorKind::Smt => Box::new(Enumerative::new(space.clone())),
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
        let args: Vec<String> =
            args.map(|(value, param)| format!("{} = {}", param.name, rust_code::expression(value, &param.refined, spec, false))).collect();
        args.join(", ")
    };
    let _ = tuple; Problem { message: "empty".into(), help: None, clauses: Vec::new(), args: None }
}
