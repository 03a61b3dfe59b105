//! The public functions of a crate as functions to test without any spec: what a client can call, with values that a
//! client can have.
//!
//! Each function becomes an entry of the tables that a user would write: its types, and a closure that calls it and
//! looks at what it returns. A generic function is an entry for each of a few [`instances`]. Types whose fields are private
//! become entries of the table `data` that list the functions which make and change their values. The laws of traits that a
//! type implements by hand are entries too. What can't be called, or has no arguments, is listed with the reason.
//!
//! Source: *Irulan*, sections 3.1 to 3.4.

mod constants;
mod described;
mod instances;
mod laws;
mod made;
mod notation;
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

use std::borrow::Cow;
use std::path::Path;

use target_strategies::logic::ir::States;

use crate::frontend::catalog::{Catalog, FnItem, RustType};
use crate::frontend::diagnostic::{FileId, Sources};
use crate::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText};

use self::laws::Law;
use self::passing::received;
use self::turbofish::{has_inferred_result, turbofish};
use self::types::{Args, at, with_guesses};
use self::values::Values;

/// Number of further instances of all functions together that is fine even if there are fewer functions. More of them than
/// functions would more than double the time in which the harness is compiled.
const FEW_FURTHER: usize = 24;

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
    /// Number of further instances of functions that are left out, as there are too many.
    pub n_left_out: usize,
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
    /// The key of the function's first instance, if this is a further one.
    pub further_of: Option<String>,
    /// What other types and constants parameters stand for than in the first instance.
    pub changed: Vec<RustType>,
}

impl Call {
    /// What is tested at the first instance.
    fn of_first_instance(key: String, item: usize, what: Callee) -> Call {
        Call { key, item, what, further_of: None, changed: Vec::new() }
    }

    /// The key of the first instance.
    pub fn function(&self) -> &str {
        self.further_of.as_deref().unwrap_or(&self.key)
    }

    /// Whether a constant parameter was changed to 0.
    pub fn is_at_zero(&self) -> bool {
        self.changed.iter().any(instances::is_zero)
    }

    /// Whether a type parameter was changed to `()`, which has no size.
    pub fn is_at_unit(&self) -> bool {
        self.changed.contains(&RustType::Tuple(Vec::new()))
    }

    /// Whether a type parameter was changed to a float: NaN is then tried.
    pub fn is_at_float(&self) -> bool {
        self.changed.iter().any(|ty| matches!(ty, RustType::Float(_)))
    }
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
    /// Its path; for a further instance of a function, its key.
    pub function: String,
    /// The key of the function's first instance, if this is a further one.
    pub further_of: Option<String>,
    /// Why.
    pub why: String,
}

impl Unreached {
    fn new(function: &str, why: impl Into<String>) -> Unreached {
        Unreached { function: function.to_owned(), further_of: None, why: why.into() }
    }

    /// The key of the first instance.
    pub fn first(&self) -> &str {
        self.further_of.as_deref().unwrap_or(&self.function)
    }
}

impl Api {
    /// Lists what is not tested. What is wrong with the first instance is told once.
    fn leave_out(&mut self, unreached: Unreached) {
        let is_first = |first: &String| self.unreached.iter().any(|known| known.function == *first);
        if !unreached.further_of.as_ref().is_some_and(is_first) {
            self.unreached.push(unreached);
        }
    }
}

/// The functions that a crate's clients can call. The texts are added to `sources`. `dependencies` are the crates that the
/// library links, by their names in its code.
pub fn discover(catalog: &Catalog, dependencies: &[String], sources: &mut Sources) -> Api {
    let mut values = Values::new(catalog);
    let mut api = Api::default();
    let (mut found, mut generic) = functions(catalog, &mut values, &mut api);
    let (laws, generic_laws) = laws::entries(catalog, dependencies, &mut values);
    found.extend(laws);
    generic.extend(generic_laws);
    further(&generic, &mut values, &mut found, &mut api);
    let has_values = values.settle();
    let mut files = Files(sources);
    for (call, text, uses) in found {
        if let Some(missing) = uses.iter().find(|used| !has_values[**used]) {
            let why = format!("no public function makes a `{}`", values.entries[*missing].shown);
            if matches!(call.what, Callee::Function { .. }) {
                api.leave_out(Unreached { function: call.key, further_of: call.further_of, why });
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

/// What is tested, its entry, and the entries of `data` that it needs.
type Found = (Call, Text, Vec<usize>);

/// A generic function or law with an entry.
struct Generic<'c> {
    /// The function; of a law, a method that implements it, with the parameters of the type.
    function: Cow<'c, FnItem>,
    /// What its parameters stand for.
    args: Args,
    /// Its number in the catalog.
    item: usize,
    key: String,
    law: Option<Law>,
}

impl Generic<'_> {
    /// The entry of a further instance.
    fn found_at(&self, args: &Args, values: &mut Values) -> Result<Found, Unreached> {
        let is_changed = |name: &&String| args.get(*name) != self.args.get(*name);
        let changed: Vec<&String> = self.function.generics.iter().filter(is_changed).collect();
        let further_of = Some(self.key.clone());
        let of_function = || instances::key(&self.key, &self.function, &changed, args, values.catalog);
        let (key, entry) = match self.law {
            None => (of_function(), entry(&self.function, args, values)),
            Some(law) => match law.type_at(&self.function, args, values.catalog) {
                Ok(ty) => (law.key(&ty, values.catalog), law.entry(&ty, values)),
                Err(why) => (of_function(), Err(why)),
            },
        };
        match entry {
            Ok(Entry { text, callee, uses }) => {
                let changed = changed.into_iter().filter_map(|name| args.get(name).cloned()).collect();
                Ok((Call { key, item: self.item, what: callee, further_of, changed }, text, uses))
            }
            Err(why) => Err(Unreached { function: key, further_of, why }),
        }
    }
}

/// The public functions, each once, and those of them that are generic.
fn functions<'c>(
    catalog: &'c Catalog,
    values: &mut Values<'c>,
    api: &mut Api,
) -> (Vec<Found>, Vec<Generic<'c>>) {
    let (mut found, mut generic) = (Vec::new(), Vec::new());
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
        let args = with_guesses(function, Args::new(), catalog);
        match entry(function, &args, values) {
            _ if keys.contains(&key) => {
                api.leave_out(Unreached::new(&key, "another function has the same path"));
            }
            Ok(Entry { text, callee, uses }) => {
                found.push((Call::of_first_instance(key.clone(), item, callee), text, uses));
                let function = Cow::Borrowed(function);
                generic.extend((!args.is_empty()).then(|| Generic {
                    function,
                    args,
                    item,
                    key: key.clone(),
                    law: None,
                }));
            }
            // Most are what every type has, with arguments that only the standard library makes.
            Err(_) if is_of_trait && !path.contains(" as crate::") => api.n_public -= 1,
            Err(why) => api.leave_out(Unreached::new(&key, why)),
        }
        keys.push(key);
    }
    (found, generic)
}

/// Adds the further instances of generic functions and laws: the second of each first.
fn further(generic: &[Generic], values: &mut Values, found: &mut Vec<Found>, api: &mut Api) {
    let catalog = values.catalog;
    let of_function = |generic| {
        let Generic { function, args, .. }: &Generic = generic;
        let instances = instances::further(function, args, catalog).into_iter().enumerate();
        instances.map(move |(round, args)| (round, args, generic))
    };
    let mut instances: Vec<_> = generic.iter().flat_map(of_function).collect();
    instances.sort_by_key(|(round, ..)| *round);
    let most = found.len().max(FEW_FURTHER);
    let mut n = 0;
    for (_, args, generic) in instances {
        // An entry adds the types that it needs to the tables, so none is made in vain.
        if n == most {
            api.n_left_out += 1;
            continue;
        }
        match generic.found_at(&args, values) {
            Ok(further) => {
                n += 1;
                found.push(further);
            }
            // What its arguments need may not exist at these types. A law is no function.
            Err(unreached) if generic.law.is_none() => api.leave_out(unreached),
            Err(_) => {}
        }
    }
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
fn entry(function: &FnItem, args: &Args, values: &mut Values) -> Result<Entry, String> {
    if function.is_unsafe || function.is_async {
        return Err(if function.is_unsafe { "it is unsafe" } else { "it is async" }.to_owned());
    }
    let (mut uses, mut passing) = (Vec::new(), Vec::new());
    let (mut params, mut names, mut passed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bound, mut changed) = (String::new(), String::new());
    for (index, param) in function.params.iter().enumerate() {
        let ty = at(&param.ty, args)?;
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
    let path = catalog.outside_path(path) + &turbofish(function, args, catalog).unwrap_or_default();
    // What a type parameter of the result stands for can't be seen from the arguments.
    let result = at(&function.result, args)?;
    let written = Some(&result).filter(|_| !function.generics.is_empty() && !function.result_borrows);
    let written = written.filter(|_| !has_inferred_result(function));
    let written = written.and_then(|ty| types::annotation(ty, catalog)).filter(|text| !text.contains('&'));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::catalog::{Cfg, scan_text};

    fn api(code: &str) -> Api {
        let (catalog, _) = scan_text(code, "me", &Cfg::default());
        discover(&catalog, &[], &mut Sources::default())
    }

    #[test]
    fn at_the_cap_further_instances_are_counted_and_make_no_entries() {
        let n = FEW_FURTHER + 2;
        let mut code =
            "pub struct Own<T> { x: T } impl<T> Own<T> { pub fn new(x: T) -> Self { Own { x } } }".to_owned();
        (1..n).for_each(|i| code += &format!("pub fn f{i}<T>(x: T) {{}}"));
        code += "pub fn last<T>(x: Own<T>) {}";
        let api = api(&code);
        let further: Vec<&Call> = api.calls.iter().filter(|call| call.further_of.is_some()).collect();
        assert_eq!((api.calls.len(), further.len(), api.n_left_out), (2 * (n + 1), n + 1, n + 1));
        assert_eq!((further[0].key.as_str(), further[0].function()), ("f1 [T = String]", "f1"));
        let made: Vec<&str> = api.manifest.data.iter().map(|(name, _)| name.text.as_str()).collect();
        assert_eq!(made.len(), 2, "{made:?}");
        assert!(api.unreached.is_empty(), "{:?}", api.unreached);
    }

    #[test]
    fn further_instances_whose_values_nothing_makes_are_listed_once_with_the_first() {
        let code = "
            pub struct Sealed<T>(T);
            pub fn none<T>(x: Sealed<T>) {}
            pub struct Only<T>(T);
            impl Only<i64> { pub fn new(x: i64) -> Self { Only(x) } }
            pub fn some<T>(x: Only<T>) {}
            pub fn add<T: Add<Output = T> + Copy>(x: T, y: f64) {}
            pub fn after(range: impl std::ops::RangeBounds<usize>) {}";
        let api = api(code);
        let unreached: Vec<&str> = api.unreached.iter().map(|one| one.function.as_str()).collect();
        assert_eq!(unreached, ["none", "some [T = String]", "some [T = ()]"]);
        assert!(api.unreached[1..].iter().all(|one| one.first() == "some"));
        let at_float: Vec<&str> =
            api.calls.iter().filter(|call| call.is_at_float()).map(|call| call.key.as_str()).collect();
        assert_eq!(at_float, ["add [T = f64]"]);
        assert!(api.calls.iter().any(|call| call.key == "after [range = (Bound<usize>, Bound<usize>)]"));
    }
    #[test]
    fn implementors_have_the_whole_bounds_and_are_in_no_other_parameters_bounds() {
        let code = "
            pub struct A; pub struct B;
            pub trait Of<T> { fn of(&self) -> T; }
            impl Of<u8> for A { fn of(&self) -> u8 { 1 } }
            impl Of<u16> for B { fn of(&self) -> u16 { 1 } }
            pub trait Kind { fn kind(&self) -> u8; }
            impl Kind for A { fn kind(&self) -> u8 { 1 } }
            impl Kind for B { fn kind(&self) -> u8 { 2 } }
            pub fn of<S: Of<u8>>(s: S) {}
            pub fn kind<S: Kind>(s: S) {}
            pub fn told<S: Kind, F: Fn(S) -> u8>(s: S, f: F) {}";
        let api = api(code);
        let mut further = api.calls.iter().filter(|call| call.further_of.is_some());
        assert_eq!(further.next().map(|call| call.key.as_str()), Some("kind [S = B]"));
        assert_eq!(further.next(), None);
    }
}
