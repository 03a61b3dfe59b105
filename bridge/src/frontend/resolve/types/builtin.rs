//! Named types: decides whether a path is an alias, a Rust type, or a type of the crate; and Rust's types.

use std::rc::Rc;

use target_strategies::logic::ir::{FloatKind, IntKind, Pointer, Refined, SeqKind, Sort, StrKind};

use super::advice::advice;
use super::{Expected, Resolver};
use crate::frontend::catalog::{RustType, TypeLookup, foreign};
use crate::frontend::data::Position;
use crate::frontend::declarations::alias::Alias;
use crate::frontend::declarations::builtin::{SUPPORTED, is_builtin};
use crate::frontend::declarations::library;
use crate::frontend::diagnostic::{Diagnostic, counted, did_you_mean};
use crate::frontend::resolve::find::out_of_sight;
use crate::frontend::resolve::names::{Env, TypeArg};
use crate::frontend::spec::ast::{Expr, Ident, Type};
use crate::frontend::spec::print;

/// Whether a name is one that Rust programmers give type parameters.
fn is_parameter(name: &str) -> bool {
    name.len() == 1 && name.chars().all(|c| c.is_ascii_uppercase())
}

impl<'a> Resolver<'a> {
    /// A path as a type.
    pub(super) fn path(
        &mut self,
        ty: &'a Type,
        path: &'a [Ident],
        generics: &'a [Type],
        args: &'a [Expr],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        if let [only] = path
            && let Some((_, arg)) = env.generics.iter().find(|(name, _)| *name == only.name)
        {
            self.no_arguments(only, generics, args)?;
            return match arg.clone() {
                TypeArg::Written(arg, env) => self.layer(arg, &env, expected),
                TypeArg::Known(arg) => self.known(ty, arg, expected),
            };
        }
        let (name, last) = (print::path(path), path.last()?);
        if let Some(alias) = self.data.declarations.aliases.sound.get(&name) {
            return self.expand(last, alias, generics, args, env, expected);
        }
        if let Some(view) = self.view_named(&name) {
            return self.view(ty, view, generics, env, expected);
        }
        if let [only] = path {
            if let Some(rule) = self.rule_named(&only.name, expected) {
                self.no_rule_arguments(only, generics, args)?;
                return self.rule(ty, rule, expected);
            }
            if self.data.declarations.is_broken(&only.name) {
                return None;
            }
            if let Some(alias) = self.library_type(&only.name, expected) {
                return self.expand(only, alias, generics, args, env, expected);
            }
        }
        if let Some(first) = args.first() {
            let name = &path.last()?.name;
            return self.fail(
                Diagnostic::error(first.span, format!("`{name}` takes no values; only aliases do"))
                    .help(format!("declare it in the types table, as `\"{name}(n: int)\" = \"..\"`")),
            );
        }
        self.rust_path(ty, path, generics, env, expected)
    }

    /// A type of the library, which gives way to a type of the crate and to one that the function itself names.
    fn library_type(&self, name: &str, expected: Expected<'_>) -> Option<&'static Alias> {
        library::named(name).filter(|_| self.leaves_free(name, expected))
    }

    /// The rule with a name. One of the library gives way as its types do.
    fn rule_named(&self, name: &str, expected: Expected<'_>) -> Option<usize> {
        let grammar = &self.data.declarations.grammar;
        let index = grammar.index(name)?;
        (index < grammar.n_written || self.leaves_free(name, expected)).then_some(index)
    }

    /// Whether neither the crate nor the function has a type of this name.
    fn leaves_free(&self, name: &str, expected: Expected<'_>) -> bool {
        let is_missing = matches!(self.data.catalog.type_(&[name]), TypeLookup::Missing);
        is_missing && declared_word(expected) != Some(name)
    }

    /// The sound view with a name. One that comes with the tool gives way to a type of the crate, and to a rule of the manifest.
    pub(super) fn view_named(&self, name: &str) -> Option<usize> {
        let views = &self.data.declarations.views;
        let is_of_std = |index: usize| match self.data.catalog.type_(&[name]) {
            TypeLookup::Missing => true,
            TypeLookup::Foreign(path) => views.of_std(&path.split("::").collect::<Vec<_>>()) == Some(index),
            TypeLookup::Found(_)
            | TypeLookup::Alias(..)
            | TypeLookup::Ambiguous(_)
            | TypeLookup::NotAType(_) => false,
        };
        let sound = views.index(name).filter(|_| !views.broken.contains(name));
        let is_rule = || self.data.declarations.grammar.written().iter().any(|rule| rule.name.name == name);
        sound.filter(|index| *index < views.n_written || is_of_std(*index) && !is_rule())
    }

    fn rust_path(
        &mut self,
        ty: &'a Type,
        path: &'a [Ident],
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let last = path.last()?;
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        let catalog = self.data.catalog;
        let in_std = catalog.std_path(&names).unwrap_or_default();
        let in_std: Vec<&str> = in_std.split("::").filter(|name| !name.is_empty()).collect();
        if let Some(view) = self.data.declarations.views.of_std(&in_std) {
            return self.view(ty, view, generics, env, expected);
        }
        if let Some((params, body)) = foreign::alias(&in_std.join("::"))
            && params.len() == generics.len()
        {
            return self.source_alias(ty, &params, &body, generics, env, expected);
        }
        let found = catalog.type_(&names);
        if let (TypeLookup::Found(id), Some(RustType::Item(declared, _))) = (&found, expected.core)
            && id == declared
        {
            return self.item(ty, *id, generics, env, expected);
        }
        if matches!(names.as_slice(), ["_" | "Self"]) {
            return self.whatever_is_declared(ty, &names, expected);
        }
        if names[0] == "dyn" || names[0] == "impl" {
            return self.of_trait(ty, path, generics, env, expected);
        }
        let of_rust = path.len() == 1 || !in_std.is_empty();
        let name = in_std.last().copied().unwrap_or(&last.name);
        // For example, a map with a custom hasher is not the builtin type of that name.
        if of_rust && is_builtin(name) && self.is_opaque_result(name, expected) {
            return self.opaque_result(expected);
        }
        if of_rust && is_builtin(name) && !goes_first(&found, name, generics.len()) {
            return self.builtin(ty, name, generics, env, expected);
        }
        match found {
            TypeLookup::Found(id) => self.item(ty, id, generics, env, self.unless_converted(id, expected)),
            TypeLookup::Alias(params, body) => self.source_alias(ty, params, body, generics, env, expected),
            _ if self.is_opaque_result(&last.name, expected) => self.opaque_result(expected),
            TypeLookup::Ambiguous(paths) => self.fail(
                Diagnostic::error(ty.span, format!("there are several types named `{}`", names.join("::")))
                    .help(format!("write one of {}", paths.join(", "))),
            ),
            TypeLookup::NotAType(what) => {
                let message = format!("`{}` is {what}, not a type", names.join("::"));
                self.fail(Diagnostic::error(ty.span, message))
            }
            TypeLookup::Foreign(path) => self.elsewhere(ty, path, generics, expected),
            TypeLookup::Missing if catalog.is_elsewhere(&names) => {
                self.elsewhere(ty, &names.join("::"), generics, expected)
            }
            TypeLookup::Missing => match advice(&last.name).filter(|_| of_rust) {
                Some(advice) => {
                    let message = format!("`{}` is not supported", last.name);
                    self.fail(Diagnostic::error(ty.span, message).help(advice))
                }
                None => self.unknown(ty, &names, catalog.similar_types(&names)),
            },
        }
    }

    /// A type argument that is already resolved.
    fn known(&mut self, ty: &Type, arg: Refined, expected: Expected<'_>) -> Option<Refined> {
        match expected.core {
            Some(core) if self.data.rust_of(&Refined { pointers: Vec::new(), ..arg.clone() }) != *core => {
                self.mismatch(ty, core, expected.position)
            }
            _ => Some(arg),
        }
    }

    fn no_rule_arguments(&mut self, name: &Ident, generics: &[Type], args: &[Expr]) -> Option<()> {
        if generics.is_empty() && args.is_empty() {
            return Some(());
        }
        let message = format!("`{}` is a rule of a grammar and takes no arguments", name.name);
        self.fail(Diagnostic::error(name.span, message))
    }

    fn no_arguments(&mut self, name: &Ident, generics: &[Type], args: &[Expr]) -> Option<()> {
        if generics.is_empty() && args.is_empty() {
            return Some(());
        }
        let message = format!("`{}` is a type parameter and takes no arguments", name.name);
        self.fail(Diagnostic::error(name.span, message))
    }

    pub(super) fn whatever_is_declared(
        &mut self,
        ty: &Type,
        names: &[&str],
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let Some(core) = expected.core else {
            if self.logical {
                return None;
            }
            let message = format!("nothing says what `{}` is here", names.join("::"));
            return self.fail(Diagnostic::error(ty.span, message));
        };
        match self.as_declared(core, expected.position) {
            Ok(refined) => Some(refined),
            Err(reason) => self.fail(Diagnostic::error(ty.span, reason)),
        }
    }

    /// A type of another crate: as the result of a closure, opaque.
    fn elsewhere(
        &mut self,
        ty: &Type,
        path: &str,
        generics: &[Type],
        expected: Expected<'_>,
    ) -> Option<Refined> {
        if expected.position == Position::Output && expected.core.is_none() && generics.is_empty() {
            let declared = RustType::Foreign(path.to_owned(), Vec::new());
            return self.as_declared(&declared, Position::Output).ok();
        }
        let name = path.rsplit("::").next().unwrap_or(path);
        let advice = advice(name).filter(|_| path.starts_with("std::")).map(str::to_owned);
        let help = advice.unwrap_or_else(|| format!(
            "say how its values are made, in `[package.metadata.target.data]`: `{name} = \"via some::function(n: u8)\"`"
        ));
        self.fail(Diagnostic::error(ty.span, format!("`{path}` has no view")).help(help))
    }

    /// Whether the function returns a type with this name whose fields the catalog doesn't know.
    fn is_opaque_result(&self, last: &str, expected: Expected<'_>) -> bool {
        expected.position == Position::Output && declared_word(expected) == Some(last)
    }

    fn opaque_result(&mut self, expected: Expected<'_>) -> Option<Refined> {
        self.as_declared(expected.core?, Position::Output).ok()
    }

    fn unknown(&mut self, ty: &Type, names: &[&str], suggestions: Vec<String>) -> Option<Refined> {
        let written = names.join("::");
        let ints = IntKind::ALL.iter().map(|kind| kind.name());
        let candidates =
            self.data.declarations.aliases.sound.keys().map(String::as_str).chain(ints).chain(SUPPORTED);
        let views = self.data.declarations.views.all.iter().map(|view| view.head.name.name.as_str());
        let rules = self.data.declarations.grammar.rules.iter().map(|rule| rule.name.name.as_str());
        let candidates = candidates
            .chain(library::names())
            .chain(rules)
            .chain(views)
            .chain(suggestions.iter().map(String::as_str));
        let guess = did_you_mean(&written, candidates).or_else(|| suggestions.first().cloned());
        let diagnostic = Diagnostic::error(ty.span, format!("no type `{written}`"));
        let name = names.last().copied().unwrap_or_default();
        let is_moved = guess.as_ref().is_some_and(|guess| guess.rsplit("::").next() == Some(name));
        if let Some(hidden) = self.data.catalog.hidden(name).filter(|_| !is_moved) {
            return self.fail(out_of_sight(diagnostic, hidden));
        }
        self.fail(match guess {
            _ if is_parameter(&written) => {
                diagnostic.help("if it is a type parameter of the function, write a concrete type, such as `i64`")
            }
            Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
            None if !written.contains("::") => diagnostic
                .label("neither an alias, nor a type of Rust's or of the crate's")
                .help("a type of the standard library or of another crate goes by its path, such as `std::string::FromUtf8Error`"),
            None => diagnostic.label("neither an alias, nor a type of Rust's or of the crate's"),
        })
    }

    fn builtin(
        &mut self,
        ty: &'a Type,
        name: &str,
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let wanted = n_arguments(name);
        if generics.len() != wanted {
            let message =
                format!("`{name}` has {}, not {}", counted(wanted, "type parameter"), generics.len());
            return self.fail(Diagnostic::error(ty.span, message));
        }
        match (name, generics) {
            ("Vec", [element]) => self.sequence(ty, element, SeqKind::Vec, env, expected),
            ("VecDeque", [element]) => self.sequence(ty, element, SeqKind::Deque, env, expected),
            ("BTreeSet" | "HashSet" | "Set" | "Bag", [element]) => self.set(ty, name, element, env, expected),
            ("BTreeMap" | "HashMap" | "Map", [key, value]) => self.map(ty, name, (key, value), env, expected),
            ("Box", [inner]) => self.pointed(Pointer::Box, inner, env, expected),
            ("Rc", [inner]) => self.pointed(Pointer::Rc, inner, env, expected),
            ("Arc", [inner]) => self.pointed(Pointer::Arc, inner, env, expected),
            ("Cow", [inner]) => self.pointed(Pointer::Cow, inner, env, expected),
            ("Option", [element]) => self.option(ty, element, env, expected),
            ("Result", [ok, err]) => self.result(ty, ok, err, env, expected),
            (name, _) => self.scalar(ty, name, expected),
        }
    }

    fn option(
        &mut self,
        ty: &Type,
        element: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let declared = match expected.core {
            None => None,
            Some(RustType::Option(declared)) => Some(declared.as_ref()),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let element = self.refine(element, env, declared, expected.position)?;
        self.closed(vec![element], |this, args| {
            let [element] = args.try_into().ok()?;
            Some(this.data.option_of(element))
        })
    }

    fn result(
        &mut self,
        ty: &Type,
        ok: &'a Type,
        err: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let (ok_declared, err_declared) = match expected.core {
            None => (None, None),
            Some(RustType::Result(ok, err)) => (Some(ok.as_ref()), Some(err.as_ref())),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let ok = self.refine(ok, env, ok_declared, expected.position);
        let err = self.refine(err, env, err_declared, expected.position);
        self.closed(vec![ok?, err?], |this, args| {
            let [ok, err] = args.try_into().ok()?;
            Some(this.data.result_of(ok, err))
        })
    }

    fn scalar(&mut self, ty: &Type, name: &str, expected: Expected<'_>) -> Option<Refined> {
        let core = expected.core;
        let sort = match (name, core) {
            ("bool", None | Some(RustType::Bool)) => Sort::Bool,
            ("char", None | Some(RustType::Char)) => Sort::Char,
            ("f32", None | Some(RustType::Float(32))) => Sort::Float(FloatKind::F32),
            ("f64", None | Some(RustType::Float(64))) => Sort::Float(FloatKind::F64),
            ("String", None) | ("String" | "str", Some(RustType::String)) => Sort::Str(StrKind::String),
            ("str", None) | ("String" | "str", Some(RustType::Str)) => Sort::Str(StrKind::Str),
            ("int", Some(RustType::Int(kind))) => Sort::Int(*kind),
            ("int", None) if self.logical => Sort::Int(IntKind::I128),
            ("int", None) => {
                return self.fail(
                    Diagnostic::error(ty.span, "nothing says which of Rust's integers `int` is here")
                        .help("write a machine type, such as `i64`"),
                );
            }
            (name, declared) => match (IntKind::from_name(name), declared) {
                (Some(kind), None) => Sort::Int(kind),
                (Some(kind), Some(RustType::Int(declared))) if kind == *declared => Sort::Int(kind),
                (_, Some(declared)) => return self.mismatch(ty, declared, expected.position),
                (None, None) => return self.unknown(ty, &[name], Vec::new()),
            },
        };
        Some(Refined::plain(sort))
    }
}

/// Whether a type of the crate goes before Rust's: it does before names of the logic, and its own `Result<T>` before Rust's with two.
fn goes_first(found: &TypeLookup<'_>, name: &str, n_given: usize) -> bool {
    match found {
        TypeLookup::Found(_) => matches!(name, "Set" | "Bag" | "Map"),
        TypeLookup::Alias(params, _) => params.len() == n_given && n_arguments(name) != n_given,
        TypeLookup::Foreign(_) | TypeLookup::Ambiguous(_) | TypeLookup::NotAType(_) | TypeLookup::Missing => {
            false
        }
    }
}

/// Number of type arguments of one of Rust's types.
fn n_arguments(name: &str) -> usize {
    match name {
        "Vec" | "Option" | "Box" | "Rc" | "Arc" | "Cow" => 1,
        "VecDeque" | "BTreeSet" | "HashSet" | "Set" | "Bag" => 1,
        "Result" | "BTreeMap" | "HashMap" | "Map" => 2,
        _ => 0,
    }
}

/// The last word of the path of the declared type, if that is neither Rust's nor the crate's.
fn declared_word<'e>(expected: Expected<'e>) -> Option<&'e str> {
    let declared = match expected.core? {
        RustType::Foreign(name, _) => name,
        RustType::Other(text) => text,
        _ => return None,
    };
    let word = declared.split('<').next().and_then(|path| path.rsplit("::").next());
    word.map(str::trim)
}
