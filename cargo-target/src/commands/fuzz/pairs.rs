//! Matches fuzz targets with functions: by the type of the input, and by the names in the code.

use anyhow::Result;
use target_bridge::codegen::fuzz::binding::{Binding, Form};
use target_bridge::codegen::fuzz::decoder;
use target_bridge::codegen::fuzz::target::{Fuzzer, Input, type_text};
use target_bridge::codegen::harness::data_in;
use target_bridge::frontend::subject::Subject;
use target_strategies::fuzzing::arbitrary::Mode;

use super::context::Context;
use super::decoder::{self as programs, Decoder};
use super::package::{FuzzPackage, NamedTarget, by_hand};
use super::search::Found;
use crate::options::args::{self, DecodeMode};
use crate::run::checked::Checked;
use crate::system::exit_code::usage;

/// A fuzz target with the function that it runs.
pub struct Pair<'a> {
    /// The package of the function.
    pub package: &'a Checked<'a>,
    /// The fuzz package of the target.
    pub fuzz: &'a FuzzPackage,
    /// The target.
    pub target: &'a NamedTarget,
    /// The function.
    pub subject: &'a Subject,
    /// Which parts of the target's input are the function's parameters.
    pub binding: Binding,
}

/// Checks that the requested function and target exist in at least one package.
pub fn check(args: &args::Fuzz, found: &[Found], checked: &[Checked]) -> Result<()> {
    let keys = checked.iter().flat_map(|package| &package.subjects);
    let keys: Vec<&str> = keys.map(|subject| subject.spec.name.as_str()).collect();
    if let Some(key) = args.function.as_deref().filter(|key| !keys.contains(key)) {
        return Err(usage(format!("no function matches `{key}`; there are specs for {}", keys.join(", "))));
    }
    let names = found.iter().flat_map(|found| &found.fuzz.targets);
    let names: Vec<&str> = names.map(|target| target.name.as_str()).collect();
    if let Some(name) = args.target.as_deref().filter(|name| !found.is_empty() && !names.contains(name)) {
        return Err(usage(format!("no fuzz target `{name}`; there are {}", names.join(", "))));
    }
    Ok(())
}

/// The requested pairs. An ambiguous target is reported and skipped.
pub fn find<'a>(args: &args::Fuzz, found: &'a Found<'a>) -> Vec<Pair<'a>> {
    let fuzz = &found.fuzz;
    let all = found.packages.iter().flat_map(|package| package.subjects.iter().map(move |of| (*package, of)));
    let subjects: Vec<(&'a Checked<'a>, &'a Subject)> =
        all.filter(|(_, of)| args.function.as_ref().is_none_or(|key| *key == of.spec.name)).collect();
    if subjects.is_empty() {
        return Vec::new();
    }
    let are_crates = are_crates(found);
    let wanted = |target: &&NamedTarget| args.target.as_ref().is_none_or(|name| *name == target.name);
    let mut pairs = Vec::new();
    for target in fuzz.targets.iter().filter(wanted) {
        if let Input::Other(reason) = &target.target.input {
            if args.target.is_some()
                || subjects.iter().any(|(_, subject)| target.target.mentions(&subject.spec.name))
            {
                errln!("note: no seeds for `{}`: {reason}", target.name);
            }
            continue;
        }
        let bound = |&(package, subject): &(&'a Checked<'a>, &'a Subject)| {
            let binding = Binding::new(&target.target, &subject.spec)?;
            Some(Pair { package, fuzz, target, subject, binding })
        };
        let all: Vec<Pair> = subjects.iter().filter_map(bound).collect();
        let (mentioned, others): (Vec<Pair>, Vec<Pair>) =
            all.into_iter().partition(|pair| is_about(pair, are_crates));
        // Equal types alone don't match a target with a function, unless the user names both.
        let is_said = args.function.is_some() && args.target.is_some();
        let is_named = !mentioned.is_empty();
        let candidates = if is_named { mentioned } else { others };
        let keys: Vec<&str> = candidates.iter().map(|pair| pair.subject.spec.name.as_str()).collect();
        match keys.as_slice() {
            [] => tell(target, "takes no argument of a function with a spec"),
            [key] if !is_named && !is_said => {
                let name = &target.name;
                let ask = format!("`cargo target fuzz '{key}' --target {name}`, if it is");
                // A shared target may name the function of another crate.
                let of = &candidates[0].package.package.name;
                let of = if are_crates { format!(" of `{of}`") } else { String::new() };
                tell(target, &format!("doesn't name `{key}`{of}, though it could be for it: {ask}"));
            }
            [_] => pairs.extend(candidates),
            [first, rest @ ..] if rest.iter().all(|key| key == first) => {
                let of = candidates.iter().map(|pair| format!("`{}`", pair.package.package.name));
                let of = of.collect::<Vec<_>>().join(", ");
                tell(target, &format!("takes the arguments of `{first}` of {of}: choose one with -p"));
            }
            _ => tell(target, &format!("takes the arguments of {}: name one of them", keys.join(", "))),
        }
    }
    pairs
}

/// Whether targets may be about one of several crates, including unselected ones: true for a fuzz package that isn't
/// next to a package's manifest.
fn are_crates(found: &Found) -> bool {
    let is_bolero = |target: &NamedTarget| target.target.fuzzer == Fuzzer::Bolero;
    let is_own = |package: &&Checked| package.package.root().join("fuzz") == found.fuzz.folder;
    found.packages.len() > 1
        || !found.fuzz.targets.iter().all(is_bolero) && !found.packages.iter().all(is_own)
}

/// Whether a target's code names the function, and also its crate if there may be several.
fn is_about(pair: &Pair, are_crates: bool) -> bool {
    let (code, key) = (&pair.target.target, &pair.subject.spec.name);
    let library = pair.package.package.library.as_ref().ok();
    let is_of = library.is_none_or(|library| !are_crates || code.mentions(&library.crate_name));
    is_of && (matches!(code.input, Input::Own(_)) || code.mentions(key))
}

fn tell(target: &NamedTarget, what: &str) {
    let input = target.target.input_text();
    errln!("note: the fuzz target `{}`, of {input}, {what}", target.name);
}

impl Pair<'_> {
    /// How the target's bytes are decoded.
    pub fn decoder(&self, context: &Context) -> Result<Decoder> {
        let Input::Typed(ty) = &self.target.target.input else { return Ok(Decoder::BuiltIn) };
        if let Some(reason) = self.by_hand(&type_text(ty)) {
            return Ok(Decoder::Unavailable(reason));
        }
        let (target, spec) = (&self.target.target, &self.subject.spec);
        let source =
            decoder::source(&self.target.location(), target, &self.binding, spec, self.mode(context));
        let source = match source {
            Ok(source) => source,
            Err(reason) => return Ok(Decoder::Unavailable(reason)),
        };
        let package = self.package.package;
        programs::build(context.config, context.project, package, self.fuzz, self.target, &source)
    }

    /// Why the target's input can't be encoded, if it contains a type with a handwritten `Arbitrary`.
    fn by_hand(&self, input: &str) -> Option<String> {
        let by_hand = by_hand(self.package.package, self.target);
        let spec = &self.subject.spec;
        let data = data_in(self.binding.types.iter(), spec);
        let names = data.iter().map(|id| spec.data(*id).rust_type.as_str()).chain([input]);
        let last = |name: &str| {
            let path = name.split('<').next().unwrap_or(name).trim();
            path.rsplit("::").next().unwrap_or(path).to_owned()
        };
        let mut found = names.filter_map(|name| {
            let (name, why) = by_hand.get_key_value(&last(name))?;
            Some(format!("`{name}` {why}, so what its bytes mean is not known"))
        });
        found.next()
    }

    /// How the target decodes. The user may want seeds for another fuzzer.
    pub fn mode(&self, context: &Context) -> Mode {
        match (self.target.target.fuzzer, context.args.mode) {
            (Fuzzer::LibFuzzer, Some(DecodeMode::Plain)) => Mode::Plain,
            (fuzzer, _) => fuzzer.mode(),
        }
    }

    /// Whether the target uses the fuzzer's bytes unchanged.
    pub fn is_raw(&self) -> bool {
        self.binding.form == Form::Bytes
    }
}
