//! The tests of a file that bolero runs: `bolero::check!().with_arbitrary::<T>().for_each(..)`, their inputs, and the
//! folder from which bolero reads the inputs.
//!
//! bolero makes values in two ways. `with_arbitrary` calls `Arbitrary::arbitrary` on the file's bytes; `with_type` and
//! `with_generator` decode them by bolero's own format, in which the same bytes are different values.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprMethodCall, GenericArgument, Ident, Item, ItemMod, Lit, LitStr, Macro, Meta, Pat, Token, Type,
};

use super::target::{FuzzTarget, Fuzzer, Input, closure, imports, input, structs, words};

/// A file of a crate, as [`read`] finds it.
#[derive(Debug, Default)]
pub struct File {
    /// Its bolero tests.
    pub tests: Vec<BoleroTest>,
    /// The modules in other files: their paths from the crate's root, and the candidate files.
    pub modules: Vec<(Vec<String>, Vec<PathBuf>)>,
}

/// A bolero test.
#[derive(Debug)]
pub struct BoleroTest {
    /// Its path in the crate, as in `cargo test`.
    pub name: String,
    /// The folder that bolero works in, relative to the file's folder.
    pub folder: PathBuf,
    /// The modules of the file that contain it.
    pub modules: Vec<String>,
    /// Its input.
    pub target: FuzzTarget,
}

/// The file to read, and its location.
struct Reader<'a> {
    location: FileLocation<'a>,
    /// Whether `check!` without a path is bolero's.
    is_imported: bool,
    found: File,
}

/// The location of a file to read.
#[derive(Clone, Copy, Debug)]
pub struct FileLocation<'a> {
    /// The file.
    pub file: &'a Path,
    /// The folder that its modules are in.
    pub folder: &'a Path,
    /// The crate.
    pub crate_name: &'a str,
    /// The module that the file is.
    pub module: &'a [String],
    /// Whether the file is the root of an integration test, which contains only tests.
    pub is_root: bool,
}

/// Reads a file. If it isn't Rust, the result is empty.
pub fn read(text: &str, location: FileLocation) -> File {
    let Ok(parsed) = syn::parse_file(text) else { return File::default() };
    let is_imported = imports(&parsed, "bolero", "check");
    let mut reader = Reader { location, is_imported, found: File::default() };
    reader.items(&parsed.items, &[]);
    let all = structs(&parsed);
    let mut found = reader.found;
    for test in &mut found.tests {
        test.target.structs.clone_from(&all);
    }
    if let [only] = found.tests.as_mut_slice()
        && location.is_root
    {
        // Functions next to a single test are there for it; in a library, they are the functions under test.
        only.target.mentioned.clear();
        words(parsed.into_token_stream(), &mut only.target.mentioned);
    }
    found
}

impl Reader<'_> {
    fn items(&mut self, items: &[Item], inside: &[String]) {
        for item in items {
            match item {
                Item::Mod(module) => self.module(module, inside),
                Item::Fn(function) => {
                    let mut checks = Checks { is_imported: self.is_imported, found: Vec::new() };
                    checks.visit_block(&function.block);
                    if let Some(input) = checks.input() {
                        self.test(function, inside, input);
                    }
                }
                _ => {}
            }
        }
    }

    fn module(&mut self, module: &ItemMod, inside: &[String]) {
        let within = [inside, &[module.ident.to_string()]].concat();
        if let Some((_, items)) = &module.content {
            return self.items(items, &within);
        }
        let folder = inside.iter().fold(self.location.folder.to_owned(), |folder, name| folder.join(name));
        let name = module.ident.to_string();
        let files = match path_attribute(module) {
            Some(path) if inside.is_empty() => vec![self.location.file.with_file_name(path)],
            Some(path) => vec![folder.join(path)],
            None => vec![folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")],
        };
        self.found.modules.push(([self.location.module, within.as_slice()].concat(), files));
    }

    fn test(&mut self, function: &syn::ItemFn, inside: &[String], (name, input): (Option<String>, Input)) {
        let own = function.sig.ident.to_string();
        let is_program = own == "main" && self.location.module.is_empty() && inside.is_empty();
        let path = [self.location.module, inside, &[own]].concat();
        let folder = match name {
            _ if is_program => PathBuf::new(),
            Some(name) => Path::new("__fuzz__").join(name),
            None => Path::new("__fuzz__").join(folder_name(&path)),
        };
        let mut mentioned = Vec::new();
        words(function.to_token_stream(), &mut mentioned);
        let target = FuzzTarget { fuzzer: Fuzzer::Bolero, input, structs: Default::default(), mentioned };
        let name = if is_program { self.location.crate_name.to_owned() } else { path.join("::") };
        self.found.tests.push(BoleroTest { name, folder, modules: inside.to_vec(), target });
    }
}

/// bolero's name for the folder of a test.
fn folder_name(path: &[String]) -> String {
    let Some((name, modules)) = path.split_last() else { return String::new() };
    let name = ["test_", "fuzz_"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
    let name = ["_test", "_fuzz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    [modules, &[name.to_owned()]].concat().join("__")
}

/// The file in `#[path = ".."]`.
pub(super) fn path_attribute(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// The uses of `check!` in a function, each with the methods called on it, the last method first.
struct Checks<'ast> {
    is_imported: bool,
    found: Vec<(&'ast Macro, Vec<&'ast ExprMethodCall>)>,
}

impl<'ast> Visit<'ast> for Checks<'ast> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let (mut calls, mut inner) = (Vec::new(), expr);
        while let Expr::MethodCall(call) = inner {
            calls.push(call);
            inner = &call.receiver;
        }
        match inner {
            Expr::Macro(found) if self.is_check(&found.mac) => self.found.push((&found.mac, calls)),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        if self.is_check(found) {
            self.found.push((found, Vec::new()));
        }
    }

    // A nested function is separate.
    fn visit_item(&mut self, _: &'ast Item) {}
}

impl Checks<'_> {
    /// Whether a macro is bolero's.
    fn is_check(&self, found: &Macro) -> bool {
        let path: Vec<String> = found.path.segments.iter().map(|part| part.ident.to_string()).collect();
        match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["check"] => self.is_imported,
            ["bolero", "check" | "fuzz"] => true,
            _ => false,
        }
    }

    /// The given name of a test, and its input; `None` if the function is no bolero test.
    fn input(&self) -> Option<(Option<String>, Input)> {
        let other = |why: &str| Some((None, Input::Other(why.to_owned())));
        match self.found.as_slice() {
            [] => None,
            [(check, calls)] => match given_name(&check.tokens) {
                Some(GivenName::Computed) => {
                    other("the name that `check!` is given is no literal, so its folder is not known")
                }
                Some(GivenName::Literal(name)) => Some((Some(name), taken(calls))),
                None if check.tokens.is_empty() => Some((None, taken(calls))),
                None => Some((None, taken_by_macro(&check.tokens))),
            },
            _ => other("it has more than one `check!`, which share a folder"),
        }
    }
}

/// The name that a macro is given.
enum GivenName {
    Literal(String),
    /// An expression, whose value is unknown here.
    Computed,
}

/// The name in `check!(name = "..")`.
fn given_name(tokens: &TokenStream) -> Option<GivenName> {
    let name = |input: syn::parse::ParseStream| -> syn::Result<GivenName> {
        let word: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let literal = input.parse::<LitStr>();
        input.parse::<TokenStream>()?;
        if word == "name" {
            Ok(literal.map_or(GivenName::Computed, |literal| GivenName::Literal(literal.value())))
        } else {
            Err(input.error("no name"))
        }
    };
    name.parse2(tokens.clone()).ok()
}

/// The input of `check!(|x: T| ..)`.
fn taken_by_macro(tokens: &TokenStream) -> Input {
    match closure.parse2(tokens.clone()).map(|closure| input(&closure)) {
        Ok(Input::Typed(_)) => Input::Other(generated("with_type")),
        _ => Input::Bytes,
    }
}

fn generated(method: &str) -> String {
    format!("what `{method}` makes of bytes is bolero's own affair; `with_arbitrary::<T>()` has seeds")
}

/// The input that the methods called on `check!()` make from the bytes.
fn taken(calls: &[&ExprMethodCall]) -> Input {
    let called = |name: &str| calls.iter().find(|call| call.method == name);
    if called("exhaustive").is_some() {
        return Input::Other("with `exhaustive` it reads no files".to_owned());
    }
    for method in ["with_type", "with_generator", "and_then", "run"] {
        if called(method).is_some() {
            return Input::Other(generated(method));
        }
    }
    if called("with_max_len").and(called("with_arbitrary")).is_some() {
        return Input::Other("with `with_max_len` it cuts files off".to_owned());
    }
    match (called("with_arbitrary"), called("for_each")) {
        (Some(call), each) => {
            let is_changed = called("map").or(called("filter_map")).is_some();
            let each = each.filter(|_| !is_changed);
            match written(call).or_else(|| each.and_then(|each| passed(each, called("cloned").is_some()))) {
                Some(ty) => Input::Typed(Box::new(ty)),
                None => Input::Other("the type isn't written: say `with_arbitrary::<T>()`".to_owned()),
            }
        }
        (None, Some(_)) => Input::Bytes,
        (None, None) => Input::Other("what it does with `check!()` isn't seen there".to_owned()),
    }
}

/// The type in `with_arbitrary::<T>()`.
fn written(call: &ExprMethodCall) -> Option<Type> {
    match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Type(Type::Infer(_)) => None,
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// The type in `for_each(|x: &T| ..)`, or in `for_each(|x: T| ..)` if the input is cloned.
fn passed(each: &ExprMethodCall, is_cloned: bool) -> Option<Type> {
    let Expr::Closure(closure) = each.args.first()? else { return None };
    let Pat::Type(typed) = closure.inputs.first()? else { return None };
    match &*typed.ty {
        Type::Reference(reference) if !is_cloned => Some((*reference.elem).clone()),
        ty => is_cloned.then(|| ty.clone()),
    }
}
