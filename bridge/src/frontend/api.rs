//! The public functions of a crate as functions to test without any spec: what a client can call, with values that a
//! client can have.
//!
//! Each function becomes an entry of the tables that a user would write: its types, and a closure that calls it and
//! looks at what it returns. Types whose fields are private become entries of the table `data` that list the functions
//! which make and change their values. The laws of traits that a type implements by hand are entries too. What can't be
//! called, or has no arguments, is listed with the reason.
//!
//! Source: *Irulan*, sections 3.1 to 3.4.

mod constants;
mod described;
mod laws;
mod made;
mod passing;
mod results;
mod states;
mod turbofish;
mod types;
mod values;

pub use self::described::named;
pub use self::made::{Made, Makers};
pub use self::passing::{Passing, Returned, Returns};
pub use self::types::{declared_default, instances, own_instance};

use std::path::Path;

use target_strategies::logic::ir::States;

use crate::frontend::catalog::{Catalog, FnItem, RustType};
use crate::frontend::diagnostic::{FileId, Sources};
use crate::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText};

use self::passing::received;
use self::turbofish::turbofish;
use self::types::{Args, at, with_guesses};
use self::values::Values;

/// What a crate's clients can call.
#[derive(Debug, Default)]
pub struct Api {
    /// The tables: entries of `data`, and one function for each of `calls`.
    pub manifest: Manifest,
    /// What the tables' functions test, in their order.
    pub calls: Vec<Call>,
    /// The public functions that have no entry.
    pub unreached: Vec<Unreached>,
    /// The types, as Rust code, whose values are made by sequences of calls, and how their states are told apart.
    pub states: Vec<(String, States)>,
    /// Number of public functions.
    pub n_public: usize,
}

/// What one entry tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its key in the tables: the path of the function, or `Type as Trait`.
    pub key: String,
    /// The number of the function in the catalog; of a law, of a method that implements it.
    pub item: usize,
    /// What is called.
    pub what: Callee,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function.
    Function {
        /// Its path outside the crate.
        path: String,
        /// How each argument is passed.
        passing: Vec<Passing>,
        /// The type of its result as code, if the arguments may not say it.
        result: Option<String>,
    },
    /// The laws of a trait, on three values of a type.
    Law {
        /// The trait's name.
        of: &'static str,
    },
}

/// A public function that is not tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// Its path.
    pub function: String,
    /// Why.
    pub why: String,
}

/// The functions that a crate's clients can call. The texts are added to `sources`. `dependencies` are the crates that the
/// library links, by their names in its code.
pub fn discover(catalog: &Catalog, dependencies: &[String], sources: &mut Sources) -> Api {
    let mut values = Values::new(catalog);
    let mut found = Vec::new();
    let mut api = Api::default();
    let mut keys: Vec<String> = Vec::new();
    for (item, function) in catalog.functions.iter().enumerate() {
        let Some(path) = &function.public_path else { continue };
        let is_of_trait = path.starts_with('<');
        if is_of_trait && laws::is_observed(path) {
            continue;
        }
        api.n_public += 1;
        let mut key = key(function, path, catalog);
        if keys.contains(&key) {
            key = path.replace("crate::", "");
        }
        match entry(function, &mut values) {
            _ if keys.contains(&key) => {
                let why = "another function has the same path".to_owned();
                api.unreached.push(Unreached { function: key.clone(), why });
            }
            Ok(entry) => {
                found.push((Call { key: key.clone(), item, what: entry.callee }, entry.text, entry.uses))
            }
            // Most are what every type has, with arguments that only the standard library makes.
            Err(_) if is_of_trait && !path.contains(" as crate::") => api.n_public -= 1,
            Err(why) => api.unreached.push(Unreached { function: key.clone(), why }),
        }
        keys.push(key);
    }
    found.extend(laws::entries(catalog, dependencies, &mut values));
    let has_values = values.settle();
    let mut files = Files(sources);
    for (call, text, uses) in found {
        if let Some(missing) = uses.iter().find(|used| !has_values[**used]) {
            let why = format!("no public function makes a `{}`", values.entries[*missing].shown);
            if matches!(call.what, Callee::Function { .. }) {
                api.unreached.push(Unreached { function: call.key, why });
            }
            continue;
        }
        let text = text.mentioning(&values.functions_behind(&uses));
        api.manifest.functions.push(files.function(&call.key, &text));
        api.calls.push(call);
    }
    let changed = values.entries.iter().filter(|entry| entry.is_changed());
    api.states = changed.filter_map(|entry| told_apart(&entry.ty, catalog)).collect();
    let had = values.entries.iter().zip(has_values).filter(|(_, has_values)| *has_values);
    api.manifest.data = had.map(|(entry, _)| files.pair(&entry.name, &entry.body())).collect();
    api
}

/// A type of the crate as Rust code, and how the states of its values are told apart.
fn told_apart(ty: &RustType, catalog: &Catalog) -> Option<(String, States)> {
    let RustType::Item(id, args) = ty else { return None };
    Some((types::rust_text(ty, catalog)?, states::of(*id, args, catalog)))
}

/// The signature and the closure of an entry.
struct Text {
    spec: String,
    call: String,
}

impl Text {
    /// The same with a mention of functions: their literals are worth trying, too.
    fn mentioning(self, functions: &[String]) -> Text {
        if functions.is_empty() {
            return self;
        }
        let mention = format!("| {{ let _ = stringify!({}); ", functions.join(" "));
        Text { call: self.call.replacen("| { ", &mention, 1), ..self }
    }
}

struct Entry {
    text: Text,
    callee: Callee,
    uses: Vec<usize>,
}

/// The entry of a function, or why there is none.
fn entry(function: &FnItem, values: &mut Values) -> Result<Entry, String> {
    if function.is_unsafe || function.is_async {
        return Err(if function.is_unsafe { "it is unsafe" } else { "it is async" }.to_owned());
    }
    let args = with_guesses(function, Args::new(), values.catalog);
    let (mut uses, mut passing) = (Vec::new(), Vec::new());
    let (mut params, mut names, mut passed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bound, mut changed) = (String::new(), String::new());
    for (index, param) in function.params.iter().enumerate() {
        let ty = at(&param.ty, &args)?;
        let (ty, how) = received(ty, param.is_static, values.catalog)?;
        let text = values.spec_text(&ty, &mut uses).map_err(|why| {
            if param.name == "_" { why.clone() } else { format!("parameter `{}`: {why}", param.name) }
        })?;
        let name = format!("a{index}");
        let mutable = if how.is_changed() { "mut " } else { "" };
        // Without its type, rustc would not see what can be looked at.
        let written = types::rust_text(&ty, values.catalog).map(|ty| format!(": {ty}")).unwrap_or_default();
        bound += &format!("let {mutable}{name}{written} = {name}; ");
        names.push(name.clone());
        params.push(format!("{name}: {text}"));
        let kept = types::rust_text(&ty, values.catalog).and_then(|text| how.of_kept(&name, &ty, &text));
        passed.push(match kept {
            Some((statement, closure)) => {
                bound += &statement;
                closure
            }
            None => how.of(&name),
        });
        if how.is_changed() {
            changed += &format!(" ::target_strategies::child::serve::observe!({name}, \"{{{name}}}\");");
        }
        passing.push(how);
    }
    let catalog = values.catalog;
    let path = function.public_path.as_deref().unwrap_or(&function.path);
    let path = catalog.outside_path(path) + &turbofish(function, &args, catalog).unwrap_or_default();
    // What a type parameter of the result stands for can't be seen from the arguments.
    let result = at(&function.result, &args)?;
    let written = Some(&result).filter(|_| !function.generics.is_empty() && !function.result_borrows);
    let written = written.and_then(|ty| types::rust_text(ty, catalog)).filter(|text| !text.contains('&'));
    let ty = written.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    let has_receiver = function.params.first().is_some_and(|param| param.name == "self");
    let apart = results::taken_apart(&result, "(&result)", "result", catalog);
    let call = format!(
        "|{}| {{ {bound}{{ let result{ty} = {path}({}); {apart}::target_strategies::child::serve::observe!(result, \"result\"); }}{changed} }}",
        names.join(", "),
        passed.join(", ")
    );
    let text = Text { spec: format!("fn({})", params.join(", ")), call };
    Ok(Entry {
        text,
        callee: Callee::Function { path, passing, result: written.filter(|_| !has_receiver) },
        uses,
    })
}

/// The path of a function as in specs; that of a method of a trait goes through its type.
fn key(function: &FnItem, path: &str, catalog: &Catalog) -> String {
    if !path.starts_with('<') {
        return path.to_owned();
    }
    let of_type = function.path.rsplit_once("::").and_then(|(path, name)| {
        let found = catalog.types.iter().find(|ty| ty.path == path)?;
        Some(format!("{}::{name}", found.access.path))
    });
    of_type.unwrap_or_else(|| path.replace("crate::", ""))
}

/// Makes texts of the tables, each a file of its own, so that a mistake can be traced to it.
struct Files<'s>(&'s mut Sources);

impl Files<'_> {
    fn file(&mut self, name: &str, text: &str) -> FileId {
        self.0.add(Path::new(&format!("the public function {name}")), text.to_owned())
    }

    fn pair(&mut self, head: &str, body: &str) -> (SpannedText, SpannedText) {
        let file = self.file(head, body);
        (SpannedText::verbatim(head, file, 0), SpannedText::verbatim(body, file, 0))
    }

    fn function(&mut self, key: &str, text: &Text) -> FunctionEntry {
        let all = format!("{}\n{}", text.spec, text.call);
        let file = self.file(key, &all);
        FunctionEntry {
            key: SpannedText::verbatim(key, file, 0),
            spec: SpannedText::verbatim(text.spec.as_str(), file, 0),
            call: Some(SpannedText::verbatim(text.call.as_str(), file, text.spec.len() as u32 + 1)),
            examples: Vec::new(),
            explore: None,
            different: None,
            settings: PartialSettings::default(),
        }
    }
}
