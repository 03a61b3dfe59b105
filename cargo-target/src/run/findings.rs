//! From the failures of public functions to findings: one for each place and message, with the smallest input, and
//! whether it is likely a bug.
//!
//! Source: *JCrasher*, section 2.2.2, as in the survey: an error that a function announces says nothing of a bug.

mod calls;
mod kind;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use target_bridge::frontend::api::{Call, Callee};
use target_bridge::frontend::catalog::{Catalog, FnItem};
use target_bridge::frontend::subject::Subject;
use target_strategies::child::serve::laws::LAW;
use target_strategies::logic::ir::{Refined, Sort};
use target_strategies::logic::value::Value;
use target_strategies::shrink::size;

use crate::events::outcome::Counterexample;
use crate::events::{Finding, FindingKind, Rank};
use crate::run::runner::are_large;

/// A failure of a public function.
pub struct Failing<'f> {
    /// What was called.
    pub call: &'f Call,
    /// The subject that called it.
    pub subject: &'f Subject,
    /// The input, and how it failed.
    pub found: Counterexample,
    /// Number of cases that failed so.
    pub n_cases: u64,
}

/// Where positions in the code are looked up.
pub struct Source<'s> {
    /// The types and functions of the crate.
    pub catalog: &'s Catalog,
    /// The folder of the package.
    pub root: &'s Path,
    /// The root of the workspace, which the compiler's positions are relative to.
    pub workspace: &'s Path,
}

/// A position in the package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Position {
    /// The path of the file.
    file: PathBuf,
    line: usize,
    column: usize,
}

/// Failures that are one finding.
struct Group<'f> {
    place: Option<Position>,
    failing: Vec<Failing<'f>>,
}

/// The findings, likely bugs first, each sort in the order in which they were found.
pub fn findings(source: &Source, all: Vec<Failing>) -> Vec<Finding> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<(FindingKind, Option<Position>, String), usize> = HashMap::new();
    for failing in all {
        let place = source.place(&failing);
        let kind = source.kind(&failing, place.as_ref());
        // Without a place, what a function calls is not seen.
        let name = match (&place, kind) {
            (Some(_), _) if kind != FindingKind::Law => String::new(),
            _ => broken_law(&failing, failing.call.function())
                .unwrap_or_else(|| failing.call.function().to_owned()),
        };
        let place_of_key = place.clone().filter(|_| kind != FindingKind::Law);
        match known.get(&(kind, place_of_key.clone(), name.clone())) {
            Some(group) => groups[*group].failing.push(failing),
            None => {
                known.insert((kind, place_of_key, name), groups.len());
                groups.push(Group { place, failing: vec![failing] });
            }
        }
    }
    merge_calls(&mut groups);
    merge_orders(&mut groups);
    drop_observed_laws(&mut groups, source);
    let mut findings: Vec<Finding> = groups.into_iter().map(|group| source.finding(group)).collect();
    name_apart(&mut findings);
    findings.sort_by_key(|finding| finding.rank);
    join_unlikely(findings)
}

/// The names of the functions that fail, that of the best failure first. An instance is named only if the first one doesn't fail.
fn names(best: &Failing, all: &[Failing]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for failing in std::iter::once(best).chain(all) {
        let function = failing.call.function();
        let is_first = all.iter().any(|other| other.call.key == function);
        let name = if is_first { function } else { &failing.call.key };
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Numbers tests of the same name.
fn name_apart(findings: &mut [Finding]) {
    let mut known: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let Some((before, name)) = finding.test.split_once("fn ") else { continue };
        let Some((name, after)) = name.split_once('(') else { continue };
        let n = known.entry(name.to_owned()).or_default();
        *n += 1;
        if *n > 1 {
            finding.test = format!("{before}fn {name}_{n}({after}");
        }
    }
}

/// Joins the unlikely findings of one kind that have no place: they say the same.
fn join_unlikely(findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<Finding> = Vec::new();
    for finding in findings {
        let is_same = |known: &&mut Finding| {
            finding.rank == Rank::Unlikely
                && finding.location.is_none()
                && (known.kind, known.rank, &known.location) == (finding.kind, finding.rank, &None)
        };
        match joined.iter_mut().find(is_same) {
            Some(known) => {
                known.cases += finding.cases;
                known.functions.extend(finding.functions);
            }
            None => joined.push(finding),
        }
    }
    joined
}

/// Joins a failure without a place to the same failure of a function by which its arguments are made.
fn merge_calls(groups: &mut Vec<Group>) {
    let path = |group: &Group| match &group.failing[0].call.what {
        Callee::Function { path, .. } if group.place.is_none() => Some(path.clone()),
        Callee::Function { .. } | Callee::Law { .. } => None,
    };
    let own: Vec<Option<String>> = groups.iter().map(path).collect();
    for index in (0..groups.len()).rev() {
        let group = &groups[index];
        let kind = group.failing[0].found.failure.kind;
        let makes_all = |path: &String| group.failing.iter().all(|failing| is_made_by(failing, path));
        let cause = own.iter().enumerate().find(|(other, path)| {
            *other != index
                && *other < groups.len()
                && groups[*other].failing[0].found.failure.kind == kind
                && group.place.is_none()
                && path.as_ref().is_some_and(makes_all)
        });
        if let Some((cause, _)) = cause {
            let failing = groups.remove(index).failing;
            groups[cause - usize::from(cause > index)].failing.extend(failing);
            return merge_calls(groups);
        }
    }
}

/// Joins a law that `PartialOrd` breaks to the same one that `Ord` breaks: the check of `Ord` includes that of `PartialOrd`.
fn merge_orders(groups: &mut Vec<Group>) {
    for index in (0..groups.len()).rev() {
        let Some(partial) = law_of(&groups[index], "PartialOrd") else { continue };
        let total = groups.iter().position(|group| law_of(group, "Ord").as_ref() == Some(&partial));
        let Some(total) = total else { continue };
        let failing = groups.remove(index).failing;
        groups[total - usize::from(total > index)].failing.extend(failing);
    }
}

/// The type that breaks a law of this trait, and the law without the values that break it.
fn law_of(group: &Group, trait_name: &str) -> Option<(String, String)> {
    let first = &group.failing[0];
    let (_, what) = law(&first.found.failure.message)?;
    let name = broken_law(first, first.call.function())?;
    let (ty, of) = name.split_once(" as ")?;
    (of == trait_name).then(|| (ty.to_owned(), what.split(", where ").next().unwrap_or(what).to_owned()))
}

/// Whether a function was called to make an argument.
fn is_made_by(failing: &Failing, path: &str) -> bool {
    let spec = &failing.subject.spec;
    let mut waiting: Vec<(&Refined, &Value)> =
        spec.params.iter().map(|param| &param.refined).zip(&failing.found.args).collect();
    while let Some((refined, value)) = waiting.pop() {
        match (&refined.sort, value) {
            (Sort::Data(id), Value::Data(ctor, fields)) => {
                let data = spec.data(*id);
                let Some(ctor) = data.ctors.get(*ctor as usize) else { continue };
                if data.via.is_some() && ctor.rust_path == path {
                    return true;
                }
                waiting.extend(ctor.fields.iter().map(|field| &field.refined).zip(fields.iter()));
            }
            (sort, value) => waiting.extend(sort.parts(value)),
        }
    }
    false
}

/// Drops the laws that results of functions break, where the law of the result's type is a finding of its own.
fn drop_observed_laws(groups: &mut Vec<Group>, source: &Source) {
    let broken: Vec<(String, String)> = groups
        .iter()
        .filter(|group| matches!(group.failing[0].call.what, Callee::Law { .. }))
        .filter_map(|group| {
            let (of, _) = law(&group.failing[0].found.failure.message)?;
            let (ty, _) = group.failing[0].call.key.split_once(" as ")?;
            Some((of.to_owned(), ty.to_owned()))
        })
        .collect();
    let is_observed = |failing: &Failing| {
        let (Some((of, _)), Some(item)) = (law(&failing.found.failure.message), source.item(failing.call))
        else {
            return false;
        };
        // An accessor of the result may have returned it.
        let step = failing.found.failure.step.as_deref().unwrap_or_default();
        let read = source.catalog.functions.iter().filter(|item| {
            let path = item.public_path.as_deref().map(|path| source.catalog.outside_path(path));
            path.is_some_and(|path| step.contains(&format!("{path}(")))
        });
        let of_read = read.map(|item| &item.result);
        let types = item.params.iter().map(|param| &param.ty).chain([&item.result]).chain(of_read);
        let shown: Vec<String> = types.map(|ty| source.catalog.shown(ty)).collect();
        let is_of = |ty: &str| shown.iter().any(|shown| shown.contains(ty.split('<').next().unwrap_or(ty)));
        matches!(failing.call.what, Callee::Function { .. })
            && broken.iter().any(|(known, ty)| known == of && is_of(ty))
    };
    groups.retain(|group| !group.failing.iter().all(is_observed));
}

impl Source<'_> {
    /// The innermost position of a failure in the package.
    fn place(&self, failing: &Failing) -> Option<Position> {
        let failure = &failing.found.failure;
        if failure.message.starts_with(LAW) && matches!(failing.call.what, Callee::Law { .. }) {
            return self.law(failing.call);
        }
        let of = |location: &str| self.position(location);
        failure.location.as_deref().and_then(of).or_else(|| failure.within.as_deref().and_then(of))
    }

    /// The position of the method that implements a trait.
    fn law(&self, call: &Call) -> Option<Position> {
        let (file, line) = self.catalog.functions.get(call.item)?.location.clone();
        let text = std::fs::read_to_string(&file).ok()?;
        let text = text.lines().nth(line.checked_sub(1)?)?;
        let column = text.find("fn ").map_or(1, |at| text[..at].chars().count() + 4);
        Some(Position { file, line, column })
    }

    /// A position as the compiler writes it, if it is in the package.
    fn position(&self, text: &str) -> Option<Position> {
        let mut parts = text.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let path = Path::new(parts.next()?);
        let candidates = [self.workspace.join(path), self.root.join(path)];
        let file = candidates.into_iter().find(|file| file.starts_with(self.root) && file.is_file())?;
        Some(Position { file, line, column })
    }

    fn kind(&self, failing: &Failing, place: Option<&Position>) -> FindingKind {
        let code = place.filter(|_| failing.found.failure.within.is_none()).and_then(Position::code);
        kind::kind(&failing.found.failure, code.as_deref())
    }

    fn finding(&self, group: Group) -> Finding {
        let Group { place, failing } = group;
        // The function that fails itself explains most; then the first instance, and the smallest input.
        let inside = |failing: &Failing| {
            let item = self.item(failing.call);
            place.as_ref().zip(item).is_some_and(|(place, item)| self.is_in(place, item))
        };
        let is_further = |failing: &Failing| failing.call.further_of.is_some();
        let best = failing
            .iter()
            .min_by_key(|failing| (!inside(failing), is_further(failing), size(&failing.found.args)));
        let best = best.expect("a group has a failure");
        let failure = &best.found.failure;
        let kind = self.kind(best, place.as_ref());
        let note = self.why_unlikely(kind, place.as_ref(), &failing);
        let functions = names(best, &failing);
        let is_generic = self.item(best.call).is_some_and(|item| !item.generics.is_empty());
        let calls = calls::calls(best.call, best.subject, (&best.found.args, failure), is_generic);
        let location = place.as_ref().map(|place| place.text(self.root));
        // A function with `#[track_caller]` blames the harness.
        let is_elsewhere = failure.location.as_deref().is_some_and(|at| {
            self.position(at).is_none()
                && !at.split(".rs:").next().is_some_and(|file| file.ends_with("/harness"))
        });
        let message = failure.message.trim();
        let (message, functions) = match law(message) {
            Some((_, what)) => (what.to_owned(), broken_laws(best, &failing).unwrap_or(functions)),
            None => (message.to_owned(), functions),
        };
        Finding {
            kind,
            rank: if note.is_some() { Rank::Unlikely } else { Rank::Likely },
            note,
            message,
            location,
            origin: failure.location.clone().filter(|_| is_elsewhere && kind != FindingKind::Law),
            functions,
            test: calls::test(best.call, &calls, kind, &best.subject.settings),
            calls,
            cases: failing.iter().map(|failing| failing.n_cases).sum(),
            saved: best.found.saved,
        }
    }

    fn item(&self, call: &Call) -> Option<&FnItem> {
        self.catalog.functions.get(call.item)
    }

    /// Whether a position is inside a function.
    fn is_in(&self, place: &Position, item: &FnItem) -> bool {
        item.location.0 == place.file && self.catalog.has_line(item, place.line)
    }

    /// Why a finding is likely no bug; `None` if it is one.
    fn why_unlikely(&self, kind: FindingKind, place: Option<&Position>, all: &[Failing]) -> Option<String> {
        let message = &all[0].found.failure.message;
        if message.starts_with("not implemented") || message.starts_with("not yet implemented") {
            return Some("it is not written yet".to_owned());
        }
        if all.iter().all(|failing| !failing.found.confirmed) {
            return Some("it did not happen again, run alone".to_owned());
        }
        if matches!(kind, FindingKind::Hang | FindingKind::Memory)
            && all.iter().all(|failing| are_large(&failing.found.args))
        {
            return Some("only with very large arguments".to_owned());
        }
        if matches!(
            kind,
            FindingKind::Law | FindingKind::Abort | FindingKind::Hang | FindingKind::StackOverflow
        ) {
            return None;
        }
        let documents = |item: &FnItem| item.documents_panics;
        if all.iter().all(|failing| self.item(failing.call).is_some_and(documents)) {
            return Some("its docs announce panics".to_owned());
        }
        let place = place?;
        let around = || self.catalog.functions.iter().filter(|item| self.is_in(place, item));
        if around().any(documents) {
            return Some("the docs of the function that panics announce it".to_owned());
        }
        let is_public = |item: &FnItem| item.public_path.is_some();
        around()
            .any(|item| is_public(item) && self.catalog.asserts_argument_at(item, place.line))
            .then(|| "an assertion on an argument".to_owned())
    }
}

/// The type and the trait whose law is broken, `Span as Ord`, if laws were checked. Those of `ExactSizeIterator` begin with those of
/// `Iterator`.
fn broken_law(failing: &Failing, key: &str) -> Option<String> {
    let (of, _) = law(&failing.found.failure.message)?;
    let (ty, _) = key.split_once(" as ")?;
    matches!(failing.call.what, Callee::Law { .. }).then(|| format!("{ty} as {of}"))
}

/// The broken laws of a finding, one for each trait; that of the best failure comes first. `None` if no laws were checked.
fn broken_laws(best: &Failing, all: &[Failing]) -> Option<Vec<String>> {
    let mut laws = vec![broken_law(best, &best.call.key)?];
    let trait_of = |law: &str| law.split_once(" as ").map(|(_, name)| name.to_owned());
    for other in all.iter().filter_map(|failing| broken_law(failing, &failing.call.key)) {
        if !laws.iter().any(|known| trait_of(known) == trait_of(&other)) {
            laws.push(other);
        }
    }
    Some(laws)
}

/// The trait and the law in the message of a broken law.
fn law(message: &str) -> Option<(&str, &str)> {
    message.strip_prefix(LAW)?.split_once(": ")
}

impl Position {
    /// The code at the position.
    fn code(&self) -> Option<String> {
        let text = std::fs::read_to_string(&self.file).ok()?;
        let line = text.lines().nth(self.line.checked_sub(1)?)?;
        Some(line.chars().skip(self.column.saturating_sub(1)).take(40).collect())
    }

    /// The position, relative to the package.
    fn text(&self, root: &Path) -> String {
        let file = self.file.strip_prefix(root).unwrap_or(&self.file);
        format!("{}:{}:{}", file.display(), self.line, self.column)
    }
}
