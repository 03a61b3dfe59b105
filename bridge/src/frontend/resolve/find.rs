//! Finds the function of a spec by the key's path, or reads the closure of the manifest.

use crate::frontend::catalog::{Access, Catalog, FnItem, FnLookup, Hidden, NotAFunction, TypeLookup};
use crate::frontend::diagnostic::{Diagnostic, noted};
use crate::frontend::manifest::{FunctionEntry, SpannedText};
use crate::frontend::resolve::callee::Callee;
use crate::frontend::resolve::closure;
use crate::frontend::spec::ast::Signature;
use crate::frontend::spec::parse;
use crate::frontend::subject::Call;

/// The function or closure of an entry; its signature tells the parameters of another crate's function.
pub fn callee(
    entry: &FunctionEntry,
    signature: Option<&Signature>,
    catalog: &Catalog,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Callee> {
    let named = match &entry.call {
        // A path works like a closure, so one function can have several specs.
        Some(call) if is_path(&call.text) => call,
        Some(call) => {
            return match without_type_arguments(&call.text) {
                Some(path) => instance(call, &path, signature, catalog, diagnostics),
                None => closure::callee(call, catalog, diagnostics),
            };
        }
        None => &entry.key,
    };
    let path = noted(parse::path(named), diagnostics)?;
    let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
    match function(named, &names, catalog) {
        Ok(item) => Some(declared(item, catalog)),
        Err(_) if entry.call.is_some() && catalog.is_elsewhere(&names) => Some(elsewhere(named, signature?)),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    }
}

/// A function with type arguments, `parse::<u32>`, by its path without them. Rustc reads the arguments, so the spec need
/// not say what the type parameters are.
fn instance(
    call: &SpannedText,
    path: &str,
    signature: Option<&Signature>,
    catalog: &Catalog,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Callee> {
    let names: Vec<&str> = path.split("::").collect();
    match function(call, &names, catalog) {
        Ok(item) => {
            let text = Call::Closure { text: call.text.clone(), span: call.whole() };
            Some(Callee { call: text, generics: Vec::new(), ..declared(item, catalog) })
        }
        Err(_) if catalog.is_elsewhere(&names) => Some(elsewhere(call, signature?)),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    }
}

/// The path `a::b` in `a::<T>::b::<U>`; `None` if it has no type arguments, or is no path.
fn without_type_arguments(text: &str) -> Option<String> {
    let mut path = String::new();
    let mut rest = text.trim();
    while let Some((before, after)) = rest.split_once("::<") {
        path.push_str(before);
        let mut depth = 1;
        let end = after.char_indices().find_map(|(at, c)| {
            // The arrow of a function's type closes nothing.
            let is_arrow = after[..at].ends_with('-');
            depth += i32::from(c == '<') - i32::from(c == '>' && !is_arrow);
            (depth == 0).then_some(at + 1)
        })?;
        rest = &after[end..];
    }
    path.push_str(rest);
    (path.len() < text.trim().len() && is_path(&path)).then_some(path)
}

/// A function of another crate, which only rustc knows.
fn elsewhere(path: &SpannedText, signature: &Signature) -> Callee {
    Callee {
        call: Call::Closure { text: path.text.clone(), span: path.whole() },
        params: signature.params.iter().map(|param| (param.name.name.clone(), None)).collect(),
        result: None,
        generics: Vec::new(),
        openings: Vec::new(),
        literals: Vec::new(),
    }
}

fn is_path(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.contains(char::is_alphanumeric) && text.trim().chars().all(word)
}

fn function<'c>(
    key: &SpannedText,
    path: &[&str],
    catalog: &'c Catalog,
) -> Result<&'c FnItem, Box<Diagnostic>> {
    let written = path.join("::");
    let error = |message: String| Diagnostic::error(key.whole(), message);
    let diagnostic = match catalog.function(path) {
        FnLookup::Found(item) | FnLookup::Private(item) if item.is_unsafe => {
            error(format!("`{written}` is an unsafe function; these are not supported yet"))
                .help("a `call` with a closure can wrap it")
        }
        FnLookup::Found(item) | FnLookup::Private(item) if item.is_async => {
            error(format!("`{written}` is an async function; these are not supported yet"))
                .help("a `call` with a closure can wait for it")
        }
        FnLookup::Found(item) | FnLookup::Private(item) if item.access.is_some() => return Ok(item),
        FnLookup::Found(item) | FnLookup::Private(item) => {
            let (file, line) = &item.location;
            let location = format!("{}:{line}", file.display());
            error(format!(
                "`{written}`, defined at {location}, has no path that code outside its module can name"
            ))
            .help("give it a function of its own that calls it")
        }
        FnLookup::Ambiguous(items) => {
            let mut paths: Vec<String> = items.iter().map(|item| format!("`{}`", item.path)).collect();
            paths.dedup();
            let help = if paths.len() == items.len() {
                format!("name one of {} in a `call`", paths.join(", "))
            } else {
                let signature = items.first().map(|item| catalog.signature(item)).unwrap_or_default();
                format!(
                    "they differ in their types, the first is `{signature}`; the types of a closure's parameters in a `call` choose one"
                )
            };
            error(format!("there are several functions `{written}`")).help(help)
        }
        FnLookup::NotAFunction(NotAFunction { what, is_foreign }) => {
            let diagnostic = error(format!("`{written}` is {what}, not a function"));
            if is_foreign {
                diagnostic.help("a `call` with a closure can use what is not the crate's own")
            } else {
                diagnostic
            }
        }
        FnLookup::Missing => {
            let suggestions = catalog.similar_functions(path);
            let diagnostic = error(format!("no function `{written}`"));
            let name = path.last().copied().unwrap_or_default();
            let is_moved = suggestions.iter().any(|guess| guess.rsplit("::").next() == Some(name));
            let of_trait = catalog.type_(&path[..path.len() - 1]);
            let is_of_trait =
                matches!(of_trait, TypeLookup::Found(id) if catalog.item(id).of_trait.is_some());
            match (catalog.hidden(name).filter(|_| !is_moved), suggestions.first()) {
                _ if is_of_trait => diagnostic.help(at_implementor(name, &suggestions)),
                (Some(hidden), _) => out_of_sight(diagnostic, hidden),
                (None, Some(guess)) => diagnostic.help(format!("did you mean `{guess}`?")),
                (None, None) => diagnostic
                    .help("functions that macros define are not seen; a `call` with a closure can use them"),
            }
        }
    };
    Err(Box::new(diagnostic))
}

/// What to do about a method of a trait that is named by the trait's path.
fn at_implementor(name: &str, suggestions: &[String]) -> String {
    let known = suggestions.iter().find(|path| path.rsplit("::").next() == Some(name));
    let example = known.map(|path| format!(": `{path}`")).unwrap_or_default();
    format!(
        "a method of a trait is tested at a type that has the trait{example}; for all of them, a function takes `impl Trait`"
    )
}

/// Says where a name is defined that the scan can't see, and how to fix it.
pub fn out_of_sight(diagnostic: Diagnostic, hidden: &Hidden) -> Diagnostic {
    let Hidden { name, in_macro, location: (file, line) } = hidden;
    let location = format!("{}:{line}", file.display());
    diagnostic.help(if *in_macro {
        format!(
            "a macro gets `{name}` at {location}, and what macros define is not seen: if it is `pub`, a `call` with a \
             closure can use it; if not, write out what has a spec"
        )
    } else {
        format!("`{name}` at {location} is inside of a function, where nothing can reach it: move it out")
    })
}

fn declared(item: &FnItem, catalog: &Catalog) -> Callee {
    let Access { path, openings } = item.access.clone().unwrap_or_default();
    Callee {
        call: Call::Path { path: catalog.outside_path(&path), generic: !item.generics.is_empty() },
        params: item.params.iter().map(|param| (param.name.clone(), Some(param.ty.clone()))).collect(),
        result: Some(item.result.clone()),
        generics: item.generics.iter().filter(|name| !item.is_item_type(name)).cloned().collect(),
        openings,
        literals: catalog.literals_of(item),
    }
}
