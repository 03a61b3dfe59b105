//! A first spec for a function, or the reason why it can't have one.
//!
//! The spec has the declared types, and those conditions of the function's assertions, indices and docs that the
//! resolver accepts.

use target_bridge::frontend::catalog::guards::names;
use target_bridge::frontend::catalog::{FnItem, RustType, default_instance};
use target_bridge::frontend::diagnostic::{Diagnostic, FileId, Span};
use target_bridge::frontend::resolve::unknown_parameter;

use super::draft::Draft;
use super::trial::Trial;

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
    let mut draft = Draft::new(item, trial.catalog);
    let rejected = |draft: &Draft, reason| Err(Rejected { key: draft.key.clone(), reason });
    let (spec, ends) = draft.spec();
    let spoken = |name: &&String| default_instance(item, name).is_none();
    if let Some(mistake) = undeclared(item).or_else(|| trial.mistake(&draft.key, &spec)) {
        let at = ends.iter().find(|(end, _)| mistake.span.start < *end as u32).map(|(_, name)| *name);
        let at = at.filter(|_| mistake.span.start > 0);
        let unknown =
            item.generics.iter().find(spoken).filter(|_| mistake.message.starts_with("nothing says"));
        return match unknown {
            Some(name) => rejected(&draft, reason(&unknown_parameter(name, mistake.span), None)),
            None => rejected(&draft, reason(&mistake, at)),
        };
    }
    let mut seen: Vec<String> = Vec::new();
    for condition in conditions(item, trial).into_iter().take(MOST) {
        if seen.contains(&condition) {
            continue;
        }
        let accepted = draft.with(&condition).into_iter().find(|next| {
            let (spec, _) = next.spec();
            trial.mistake(&next.key, &spec).is_none()
        });
        draft = accepted.unwrap_or(draft);
        seen.push(condition);
    }
    let spec = draft.spec().0;
    Ok(Proposal { has_params: draft.has_params(), key: draft.key, spec })
}

/// What no spec can say although the types are all known: `'static` arguments, and destructors.
fn undeclared(_item: &FnItem) -> Option<Diagnostic> {
    let _ = Span { file: FileId(0), start: 0, end: 0 };
    None
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
        None if mistake.message.starts_with("functions as arguments") => {
            "a `call` with a closure can pass one"
        }
        None if mistake.message.contains("not supported yet") => {
            "`via` in the table `data` can say which function builds it; a `call` with a closure can make it of simpler arguments"
        }
        None => "a `call` with a closure can call it with simpler arguments",
    };
    format!("{param}{}; {advice}", mistake.message)
}
