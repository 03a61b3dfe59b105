//! The functions of a run: those that the filter admits, first instances before further ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use target_bridge::frontend::api::{Call, Callee};
use target_bridge::frontend::subject::Subject;
use target_strategies::logic::ir::Spec;

use super::rounds::Weight;
use crate::events::Unreached;
use crate::run::checked::Filter;
use crate::run::embedded::Broken;
use crate::run::harness;
use crate::run::public::Public;
use crate::run::worker::{Program, Watch};

/// A package that is built.
pub(super) struct Ready<'a> {
    pub public: &'a Public<'a>,
    /// Its subjects, with what only rustc knows.
    pub subjects: Vec<Subject>,
    pub program: Arc<Program>,
    pub broken: Broken,
    /// Those of them that are left out together.
    pub together: BTreeSet<u32>,
    /// What tells which parts of arguments matter, if the toolchain can count what runs.
    pub traces: Option<Watch>,
}

/// A function to run.
pub(super) struct Wanted<'a> {
    pub ready: &'a Ready<'a>,
    pub number: u32,
    pub subject: &'a Subject,
    pub call: &'a Call,
    /// The paths of the functions that are tested in this run.
    pub tested: Arc<[String]>,
}

impl Wanted<'_> {
    /// Its part of the first round.
    pub fn weight(&self) -> Weight {
        if self.call.further_of.is_some() { Weight::Further } else { Weight::First }
    }
}

/// The subjects with the knowledge which functions that build values may fail.
pub(super) fn with_builders(program: &Path, subjects: &[Subject]) -> Vec<Subject> {
    let mut subjects = subjects.to_vec();
    for (function, data, may_fail) in harness::builders(program) {
        let subject = subjects.get_mut(function as usize);
        let data = subject.and_then(|subject| subject.spec.data.get_mut(data as usize));
        let via = data.and_then(|data| data.via.as_mut());
        if let Some([builder]) = via.map(|via| via.builders.as_mut_slice()) {
            builder.may_fail.get_or_insert(may_fail);
        }
    }
    subjects
}

/// The functions that the filter admits, and those whose calls don't compile.
pub(super) fn wanted<'a>(ready: &'a [Ready<'a>], filter: &Filter) -> (Vec<Wanted<'a>>, Vec<Unreached>) {
    let (mut wanted, mut unreached): (Vec<Wanted>, Vec<Unreached>) = (Vec::new(), Vec::new());
    for ready in ready {
        let calls = &ready.public.calls;
        let is_broken = |key: &str| {
            let mut broken = ready.broken.keys();
            broken.any(|number| calls.get(*number as usize).is_some_and(|call| call.key == key))
        };
        for ((subject, call), number) in ready.subjects.iter().zip(calls).zip(0..) {
            if !admits(filter, &call.key, call.function()) {
                continue;
            }
            match ready.broken.get(&number) {
                // What is wrong with the first instance is told once.
                Some(_) if call.further_of.as_deref().is_some_and(is_broken) => {}
                Some(mistakes) => {
                    let why = mistakes.first().map(|mistake| mistake.message.clone()).unwrap_or_default();
                    let why = if ready.together.contains(&number) {
                        format!("left out together with others, of which some do not compile: {why}")
                    } else {
                        format!("the call does not compile: {why}")
                    };
                    unreached.push(Unreached { function: call.key.clone(), why });
                }
                None => wanted.push(Wanted { ready, number, subject, call, tested: Arc::default() }),
            }
        }
    }
    // Of several packages, too, further instances come last.
    wanted.sort_by_key(|wanted| wanted.call.further_of.is_some());
    let tested: Arc<[String]> = wanted.iter().filter_map(|wanted| path(wanted.call)).collect();
    wanted.iter_mut().for_each(|wanted| wanted.tested = Arc::clone(&tested));
    (wanted, unreached)
}

/// The functions of packages that the filter admits and that have no calls.
pub(super) fn unreachable(packages: &[Public], filter: &Filter) -> Vec<Unreached> {
    let all = packages.iter().flat_map(|public| &public.unreached);
    let wanted = all.filter(|unreached| admits(filter, &unreached.function, unreached.first()));
    wanted
        .map(|unreached| Unreached { function: unreached.function.clone(), why: unreached.why.clone() })
        .collect()
}

/// A filter that admits a function admits all its instances.
fn admits(filter: &Filter, key: &str, function: &str) -> bool {
    filter.admits(key) || filter.admits(function)
}

/// The path of a function without type arguments.
fn path(call: &Call) -> Option<String> {
    match &call.what {
        Callee::Function { path, .. } => Some(path.split("::<").next().unwrap_or(path).to_owned()),
        Callee::Law { .. } => None,
    }
}

/// The subject under the name that its failing inputs are saved by: a spec of the same function has other inputs.
pub(super) fn saved_as(subject: &Subject) -> Subject {
    let spec = Spec { name: format!("api {}", subject.spec.name), ..subject.spec.clone() };
    Subject { spec, ..subject.clone() }
}
