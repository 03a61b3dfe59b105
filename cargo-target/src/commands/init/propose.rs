//! A first spec for a function, or the reason why it can't have one.
//!
//! The spec has the declared types, and those conditions of the function's assertions, indices and docs that the
//! resolver accepts.

use target_bridge::frontend::catalog::guards::names;
use target_bridge::frontend::catalog::{FnItem, RustType, default_instance};
use target_bridge::frontend::diagnostic::Diagnostic;
use target_bridge::frontend::resolve::unknown_parameter;

use super::draft::Draft;
use super::trial::Trial;

/// The start of the resolver's message on a type parameter that the spec doesn't determine.
const UNDECIDED: &str = "nothing says what `Self` is here";

/// Maximum number of conditions that are tried for one function.
const MOST: usize = 16;

/// A spec that the resolver accepts.
pub struct Proposal {
    /// The manifest's key.
    pub key: String,
    /// The signature.
    pub spec: String,
    /// Whether the function has parameters.
    pub has_params: bool,
}

/// A function without a spec.
pub struct Rejected {
    /// The key that a spec would have.
    pub key: String,
    /// The type in the way, and what to do.
    pub reason: String,
}

/// The spec of a function.
pub fn propose(item: &FnItem, trial: &Trial) -> Result<Proposal, Rejected> {
    let mut draft = declared(item, trial)?;
    let mut seen: Vec<String> = Vec::new();
    for condition in conditions(item, trial).into_iter().take(MOST) {
        if seen.contains(&condition) {
            continue;
        }
        let is_sound = |next: &Draft| trial.mistake(&next.key, &next.spec().0).is_none();
        draft = draft.with(&condition).into_iter().find(is_sound).unwrap_or(draft);
        seen.push(condition);
    }
    let spec = draft.spec().0;
    Ok(Proposal { has_params: draft.has_params(), key: draft.key, spec })
}

/// The spec that has only the declared types.
fn declared(item: &FnItem, trial: &Trial) -> Result<Draft, Rejected> {
    let by_path = Draft::new(item, trial.catalog, true);
    let key = by_path.key.clone();
    if let Some(param) = item.params.iter().find(|param| param.is_static) {
        let name = &param.name;
        let message = format!("parameter `{name}`: `'static` arguments are not supported yet");
        let reason = format!("{message}; a `call` with a closure can leak one");
        return Err(Rejected { key, reason });
    }
    if trial.mistake(&key, &by_path.spec().0).is_none() {
        return Ok(by_path);
    }
    let draft = Draft::new(item, trial.catalog, false);
    let (spec, ends) = draft.spec();
    let Some(mistake) = trial.mistake(&key, &spec) else { return Ok(draft) };
    let param = ends.iter().find(|(end, _)| mistake.span.start < *end as u32).map(|(_, name)| *name);
    let param = param.filter(|_| mistake.span.start > 0);
    let has_default = |name: &&String| default_instance(item, name).is_some();
    let unknown = item.generics.iter().find(|name| !has_default(name));
    let reason = match unknown.filter(|_| mistake.message.starts_with(UNDECIDED)) {
        Some(name) => reason(&unknown_parameter(name, mistake.span), None),
        None => reason(&mistake, param),
    };
    Err(Rejected { key, reason })
}

/// The candidates for conditions, those of assertions first.
fn conditions(item: &FnItem, trial: &Trial) -> Vec<String> {
    let guards = trial.catalog.guards_of(item);
    let may_change = |name: &String| {
        item.params.iter().find(|param| param.name == *name).is_none_or(|param| may_change_length(&param.ty))
    };
    let is_still_so = |name: &Option<String>| name.as_ref().is_none_or(|name| !may_change(name));
    let indexed = guards.indexed.into_iter().filter(|guard| is_still_so(&guard.may_be_changed));
    let all = guards.asserted.into_iter().chain(indexed.map(|guard| guard.condition));
    let is_parameter = |name: &str| item.params.iter().any(|param| param.name == name);
    let speaks = |condition: &String| names(condition).any(is_parameter);
    all.chain(item.panic_free.iter().cloned()).filter(speaks).collect()
}

/// Whether a list behind a parameter can get shorter or longer.
fn may_change_length(ty: &RustType) -> bool {
    match ty {
        RustType::Ref { mutable: false, .. } | RustType::Array(..) | RustType::Slice(_) => false,
        RustType::Ref { mutable: true, inner } => may_change_length(inner),
        _ => true,
    }
}

/// A mistake on one line: the parameter, the message, and what to do.
fn reason(mistake: &Diagnostic, param: Option<&str>) -> String {
    let param = param.map(|name| format!("parameter `{name}`: ")).unwrap_or_default();
    let advice = match &mistake.help {
        Some(help) => help.as_str(),
        None if mistake.message.contains("functions as arguments") => "a `call` with a closure can pass one",
        None if mistake.message.contains("results") => "a `call` with a closure can return something else",
        None if mistake.message.contains("references") => {
            "a `call` with a closure can make it of its arguments"
        }
        None => {
            "`via` in the table `data` can say which function makes it, or a `call` with a closure can make it"
        }
    };
    format!("{param}{}; {advice}", mistake.message)
}
