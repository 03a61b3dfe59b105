//! A first spec for a function, or the reason why it can't have one.
//!
//! The spec has the declared types, and those conditions of the function's assertions, indices and docs that the
//! resolver accepts.

use target_bridge::frontend::catalog::guards::names;
use target_bridge::frontend::catalog::{FnItem, Length, ParamItem, RustType, default_instance};
use target_bridge::frontend::diagnostic::Diagnostic;
use target_bridge::frontend::resolve::unknown_parameter;

use super::draft::{Draft, Writing};
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
pub fn declared(item: &FnItem, trial: &Trial) -> Result<Draft, Rejected> {
    for writing in [Writing::AllTypes, Writing::AtInstances, Writing::AtAllInstances] {
        let draft = Draft::new(item, trial, writing);
        if trial.mistake(&draft.key, &draft.spec().0).is_none() {
            return match of_rustc(item) {
                Some(reason) => Err(Rejected { key: draft.key, reason }),
                None => Ok(draft),
            };
        }
    }
    let draft = Draft::new(item, trial, Writing::OwnTypes);
    let (key, (spec, ends)) = (draft.key.clone(), draft.spec());
    let Some(mistake) = trial.mistake(&key, &spec) else {
        return of_rustc(item).map_or(Ok(draft), |reason| Err(Rejected { key, reason }));
    };
    let of_signature = mistake.span.start > 0;
    let index = ends.iter().position(|end| mistake.span.start < *end as u32).filter(|_| of_signature);
    let param = index.map(|index| &item.params[index]);
    Err(Rejected { key, reason: reason(item, &mistake, param, trial) })
}

/// Why the call in a harness would not compile, although a spec can name all types.
fn of_rustc(item: &FnItem) -> Option<String> {
    if item.result == RustType::Other("!".to_owned()) {
        let message = "it never returns, so there is no result to judge";
        return Some(format!("{message}; a `call` with a closure can test what comes before"));
    }
    let forever = item.params.iter().find(|param| param.is_static).map(|param| {
        let message = format!("parameter `{}`: `'static` arguments are not supported yet", param.name);
        format!("{message}; a `call` with a closure can leak one")
    });
    // Rust infers type arguments from the arguments alone.
    let is_inferred = |name: &String| {
        let is_it = |ty: &RustType| match ty {
            RustType::Param(other) | RustType::Array(_, Length::Param(other)) if other == name => Some(()),
            _ => None,
        };
        item.params.iter().any(|param| find(&param.ty, &is_it).is_some()) || item.is_item_type(name)
    };
    let is_in_words = |name: &String| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let has_it = |ty: &RustType| match ty {
            RustType::Other(text) => text.split(|c| !is_part(c)).any(|word| word == name).then_some(()),
            _ => None,
        };
        find(&item.result, &has_it).is_some()
    };
    let unknown = item.generics.iter().find(|name| !is_inferred(name) || is_in_words(name)).map(|name| {
        let (message, advice) = unknown_parameter(name);
        format!("{message}; {advice}")
    });
    forever.or(unknown)
}

/// The candidates for conditions, those of assertions first.
fn conditions(item: &FnItem, trial: &Trial) -> Vec<String> {
    let guards = trial.catalog.guards_of(item);
    let may_change = |name: &String| {
        item.params.iter().find(|param| param.name == *name).is_none_or(|param| may_change_length(&param.ty))
    };
    let is_still_so = |name: &Option<String>| name.as_ref().is_none_or(|name| !may_change(name));
    // In a map, the index is a key, which has nothing to do with the length.
    let is_map = |guard: &str| {
        let mut maps = item.params.iter().filter(|param| is_map(&param.ty));
        maps.any(|param| guard.contains(&format!("{}.len()", param.name)))
    };
    let indexed = guards.indexed.into_iter().filter(|guard| is_still_so(&guard.may_be_changed));
    let indexed = indexed.filter(|guard| !is_map(&guard.condition));
    let all = guards.asserted.into_iter().chain(indexed.map(|guard| guard.condition));
    let is_parameter = |name: &str| item.params.iter().any(|param| param.name == name);
    let speaks = |condition: &String| names(condition).any(is_parameter);
    let documented = item.panic_free.iter().filter_map(|condition| with_length(condition, item));
    all.chain(documented).filter(speaks).collect()
}

/// A condition in which `#len`, or `len` if no parameter is called so, is the length of the only list among the parameters;
/// `None` if there are several or none.
fn with_length(condition: &str, item: &FnItem) -> Option<String> {
    let is_length = |end: &&str| *end == " #len" || item.params.iter().all(|param| param.name != "len");
    let before = [" #len", " len"].into_iter().filter(is_length).find_map(|end| condition.strip_suffix(end));
    let Some(before) = before else { return Some(condition.to_owned()) };
    let mut lists = item.params.iter().filter(|param| is_list(&param.ty));
    let (Some(list), None) = (lists.next(), lists.next()) else { return None };
    Some(format!("{before} {}.len()", list.name))
}

/// Whether a parameter has a length.
fn is_list(ty: &RustType) -> bool {
    match ty {
        RustType::Slice(_) | RustType::Vec(_) | RustType::Deque(_) | RustType::Array(..) => true,
        RustType::String | RustType::Str => true,
        RustType::Ref { inner, .. }
        | RustType::Box(inner)
        | RustType::Rc(inner)
        | RustType::Arc(inner)
        | RustType::Cow(inner) => is_list(inner),
        _ => false,
    }
}

/// Whether a parameter is a map.
fn is_map(ty: &RustType) -> bool {
    match ty {
        RustType::Map(..) | RustType::Foreign(..) => true,
        RustType::Ref { inner, .. }
        | RustType::Box(inner)
        | RustType::Rc(inner)
        | RustType::Arc(inner)
        | RustType::Cow(inner) => is_map(inner),
        _ => false,
    }
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
fn reason(item: &FnItem, mistake: &Diagnostic, param: Option<&ParamItem>, trial: &Trial) -> String {
    let Some(param) = param else {
        let advice = mistake.help.as_deref().unwrap_or("a `call` with a closure can return something else");
        return format!("{}; {advice}", mistake.message);
    };
    let has_no_default = |ty: &RustType| match ty {
        RustType::Param(name) if default_instance(item, name).is_none() => Some(name.clone()),
        _ => None,
    };
    if let Some(name) = find(&param.ty, &has_no_default) {
        let (message, advice) = unknown_parameter(&name);
        return format!("{message}; {advice}");
    }
    let is_function = |ty: &RustType| matches!(ty, RustType::Function(_)).then_some(());
    let advice = match (&mistake.help, find(&param.ty, &is_function)) {
        (Some(help), _) => help.clone(),
        (None, Some(())) => "a `call` with a closure can pass one".to_owned(),
        (None, None) => match find(&param.ty, &|ty| maker(ty, trial)) {
            Some(entry) => format!("an entry in the table `data` can make it: `{entry}`"),
            None => "a `call` with a closure can make it, or `via` in the table `data`".to_owned(),
        },
    };
    format!("parameter `{}`: {}; {advice}", param.name, mistake.message)
}

/// The first answer for a type or one of its parts.
fn find<T>(ty: &RustType, ask: &dyn Fn(&RustType) -> Option<T>) -> Option<T> {
    ask(ty).or_else(|| ty.parts().into_iter().find_map(|part| find(part, ask)))
}

/// An entry for a type of the crate, with the first public function that makes a value of it.
fn maker(ty: &RustType, trial: &Trial) -> Option<String> {
    let RustType::Item(id, _) = ty else { return None };
    let catalog = trial.catalog;
    let is_it = |ty: &RustType| matches!(ty, RustType::Item(other, _) if other == id);
    let makes = |result: &RustType| match result {
        RustType::Option(inner) | RustType::Result(inner, _) => is_it(inner),
        other => is_it(other),
    };
    let made = catalog.in_source_order().into_iter().find(|function| {
        let is_callable = !function.is_unsafe && !function.is_async && !function.params.is_empty();
        let is_plain = function.public_path.as_ref().is_some_and(|path| !path.starts_with('<'));
        let takes_it =
            function.params.iter().any(|param| find(&param.ty, &|ty| is_it(ty).then_some(())).is_some());
        let is_changing =
            function.params.iter().any(|param| matches!(param.ty, RustType::Ref { mutable: true, .. }));
        is_callable && is_plain && !takes_it && !is_changing && makes(&function.result)
    })?;
    let path = made.public_path.clone()?;
    let name = catalog.item(*id).path.rsplit("::").next()?;
    let parameters = Draft::new(made, trial, Writing::AllTypes).parameters();
    // A type that a spec can't name is to be written by the user.
    let parameters = if parameters.contains(": Self") { "..".to_owned() } else { parameters };
    Some(format!("{name} = \"via {path}({parameters})\""))
}
