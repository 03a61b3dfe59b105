//! Types whose values a function builds (`via`): the function's parameters are the fields for the logic.

use target_strategies::logic::ir::{Ctor, DataId, Field, Refined, Sort, Via};

use super::Resolver;
use crate::frontend::catalog::{Catalog, FnItem, FnLookup, RustType, TypeLookup};
use crate::frontend::data::key::TypeConstructor;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::counted;
use crate::frontend::resolve::names::Env;
use crate::frontend::resolve::{mentioned, words};
use crate::frontend::spec::{ast, print};

/// Maximum number of values of types known only to rustc in one type. Their glue is repeated in place.
const MOST_EXPANDED: u32 = 64;

/// A function that builds the values of a type.
enum Builder<'a> {
    /// It is the crate's own.
    InCrate(&'a FnItem),
    /// It is another crate's, and rustc checks it.
    Foreign,
}

impl<'a> Resolver<'a> {
    /// A type with a builder function, at arguments for the entry's type parameters.
    pub(super) fn built(
        &mut self,
        constructor: TypeConstructor,
        index: usize,
        args: Vec<Refined>,
        via: &'a ast::Via,
        env: Env<'a>,
    ) -> Option<DataId> {
        let function = self.builder(via)?;
        let (rust_path, rust_type) = match function {
            Builder::InCrate(item) => {
                let access = item.access.as_ref()?;
                self.data.opened.extend(access.openings.iter().cloned());
                (self.data.catalog.outside_path(&access.path), self.type_built(item))
            }
            Builder::Foreign => (self.foreign_path(via), "_".to_owned()),
        };
        let base = match constructor {
            TypeConstructor::Bare(_) => None,
            _ => {
                let plain = args.iter().map(|arg| self.data.plain(&self.data.ty_of(arg))).collect();
                Some(self.view_or_bare(TypeConstructor::Bare(index), index, plain)?)
            }
        };
        let rust_type_is_open = rust_type == "_";
        let id = self.data.reserve(constructor, args, rust_type, base);
        let item = match function {
            Builder::InCrate(item) => Some(item),
            Builder::Foreign => None,
        };
        let declared = item.map_or(&[][..], |item| &item.params);
        // A generic function's parameters depend on its type arguments.
        let is_generic = item.is_some_and(|item| !item.generics.is_empty());
        let declared = declared
            .iter()
            .map(|param| (!is_generic).then(|| param.ty.clone()))
            .chain(std::iter::repeat(None));
        let Some(fields) = self.view_fields(via.params.iter().zip(declared).collect(), &env) else {
            self.data.forget_from(id);
            return None;
        };
        let read = |read: &ast::RustText| {
            words::replace(&read.text, |word| (word == "self").then(|| "this".to_owned()))
        };
        if rust_type_is_open && self.expanded(&fields, id, &mut 0).is_none() {
            let message = "a type that only rustc knows can't contain itself, or too many of its kind";
            let help = "wrap the function in one of the crate's own, whose result type is named";
            self.data.forget_from(id);
            let span = via.function.first()?.span;
            return self.fail(Diagnostic::error(span, message).help(help));
        }
        for text in via.reads.iter().flatten() {
            self.data.opened.extend(mentioned::openings(&text.text, self.data.catalog));
        }
        let reads = via.reads.iter().map(|text| text.as_ref().map(read)).collect();
        let fails = |item: &FnItem| matches!(item.result, RustType::Option(_) | RustType::Result(..));
        let may_fail = item.map(fails);
        let data = &mut self.data.data[id.0 as usize];
        data.ctors = vec![Ctor { rust_path, fields, named: false, recursive: false, excluded: false }];
        data.via = Some(Via { reads, may_fail });
        Some(id)
    }

    fn builder(&mut self, via: &'a ast::Via) -> Option<Builder<'a>> {
        let names: Vec<&str> = via.function.iter().map(|ident| ident.name.as_str()).collect();
        let written = names.join("::");
        let span = via.function.iter().map(|ident| ident.span).reduce(|all, span| all.to(span))?;
        let catalog: &'a Catalog = self.data.catalog;
        let item = match catalog.function(&names) {
            FnLookup::Found(item) => item,
            FnLookup::Private(item) if item.access.is_some() => item,
            FnLookup::Private(_) => {
                let message = format!("`{written}` can't be called from outside of where it is defined");
                return self.fail(Diagnostic::error(span, message));
            }
            FnLookup::Missing { suggestions } => {
                let of_the_crate = !matches!(
                    catalog.type_(&names[..1]),
                    TypeLookup::Missing { .. } | TypeLookup::Foreign(_)
                );
                if names.len() > 1 && !of_the_crate {
                    return Some(Builder::Foreign);
                }
                let diagnostic = Diagnostic::error(span, format!("no function `{written}`"));
                return self.fail(match suggestions.first() {
                    Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
                    None => diagnostic.help("a function of another crate is named by its whole path"),
                });
            }
            FnLookup::Ambiguous(_) => {
                return self
                    .fail(Diagnostic::error(span, format!("there are several functions `{written}`")));
            }
            FnLookup::NotAFunction(other) => {
                let what = other.what;
                return self.fail(Diagnostic::error(span, format!("`{written}` is {what}, not a function")));
            }
        };
        if item.params.len() != via.params.len() {
            let message = format!(
                "`{written}` has {}, the entry gives {}",
                counted(item.params.len(), "parameter"),
                via.params.len()
            );
            return self.fail(
                Diagnostic::error(span, message)
                    .help(format!("it is declared as `{}`", catalog.signature(item))),
            );
        }
        Some(Builder::InCrate(item))
    }

    /// Counts how often glue for types known only to rustc is repeated in place; `None` if endlessly, or too often.
    fn expanded(&self, fields: &[Field], id: DataId, n: &mut u32) -> Option<()> {
        let mut open: Vec<&Refined> = fields.iter().map(|field| &field.refined).collect();
        let mut seen = Vec::new();
        while let Some(refined) = open.pop() {
            open.extend(refined.inner());
            let Sort::Data(of) = refined.sort else { continue };
            if of == id {
                return None;
            }
            let data = self.data.get(of);
            *n += u32::from(data.rust_type == "_");
            if *n > MOST_EXPANDED {
                return None;
            }
            // All other types have one function each.
            if data.rust_type != "_" && seen.contains(&of) {
                continue;
            }
            seen.push(of);
            open.extend(data.ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
        }
        Some(())
    }

    /// The path of a function of another crate, starting at that crate's root.
    fn foreign_path(&self, via: &ast::Via) -> String {
        let written = print::path(&via.function);
        let Some(first) = via.function.first() else { return written };
        match self.data.catalog.type_(&[&first.name]) {
            TypeLookup::Foreign(path) => format!("{path}{}", &written[first.name.len()..]),
            _ => written,
        }
    }

    /// The type that a function builds, as Rust code.
    fn type_built(&mut self, item: &FnItem) -> String {
        let built = match &item.result {
            RustType::Option(inner) | RustType::Result(inner, _) => inner,
            other => other,
        };
        match built {
            RustType::Item(id, args) if args.is_empty() => {
                let item = self.data.catalog.item(*id);
                // Reading a value back may access its private fields.
                self.data.opened.extend(item.openings().cloned());
                self.data.catalog.outside_path(&item.access.path)
            }
            RustType::Foreign(path, args) if args.is_empty() => path.clone(),
            _ => "_".to_owned(),
        }
    }
}
