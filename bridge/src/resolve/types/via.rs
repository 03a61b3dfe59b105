//! Types whose values a function builds (`via`): the function's parameters are the fields that the logic sees.

use target_strategies::ir::{Ctor, DataId, Refined, Via};

use super::Resolver;
use crate::catalog::{Catalog, FnItem, FnLookup, RustType, TypeLookup};
use crate::diagnostic::Diagnostic;
use crate::resolve::data::{Head, counted};
use crate::resolve::names::Env;
use crate::resolve::{mentioned, words};
use crate::spec::{ast, print};

impl<'a> Resolver<'a> {
    /// A type built by a function, at arguments of the entry's type parameters.
    pub(super) fn built(
        &mut self,
        head: Head,
        index: usize,
        args: Vec<Refined>,
        via: &'a ast::Via,
        env: Env<'a>,
    ) -> Option<DataId> {
        let function = self.builder(via)?;
        let (rust_path, rust_type) = match function {
            Some(item) => {
                let access = item.access.as_ref()?;
                self.data.opened.extend(access.openings.iter().cloned());
                (self.data.catalog.outside_path(&access.path), self.type_built(item))
            }
            None => (self.foreign_path(via), "_".to_owned()),
        };
        let base = match head {
            Head::Bare(_) => None,
            _ => {
                let plain = args.iter().map(|arg| self.data.plain(&self.data.ty_of(arg))).collect();
                Some(self.view_or_bare(Head::Bare(index), index, plain)?)
            }
        };
        let id = self.data.reserve(head, args, rust_type, base);
        let declared = function.map_or(&[][..], |item| &item.params);
        let declared = declared.iter().map(|param| Some(param.ty.clone())).chain(std::iter::repeat(None));
        let Some(fields) = self.view_fields(via.params.iter().zip(declared).collect(), &env) else {
            self.data.forget_from(id);
            return None;
        };
        let read = |read: &ast::RustText| {
            words::replace(&read.text, |word| (word == "self").then(|| "this".to_owned()))
        };
        for text in via.reads.iter().flatten() {
            self.data.opened.extend(mentioned::openings(&text.text, self.data.catalog));
        }
        let reads = via.reads.iter().map(|text| text.as_ref().map(read)).collect();
        let data = &mut self.data.data[id.0 as usize];
        data.ctors = vec![Ctor { rust_path, fields, named: false, recursive: false, excluded: false }];
        data.via = Some(Via { reads });
        Some(id)
    }

    /// The function of the crate; `Some(None)` for one of another crate, which rustc will find or not.
    fn builder(&mut self, via: &'a ast::Via) -> Option<Option<&'a FnItem>> {
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
                    return Some(None);
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
            FnLookup::NotAFunction(what) => {
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
        Some(Some(item))
    }

    /// The path of a function of another crate, from that crate's root.
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
                self.data.opened.extend(item.access.openings.iter().cloned());
                self.data.catalog.outside_path(&item.access.path)
            }
            RustType::Foreign(path, args) if args.is_empty() => path.clone(),
            _ => "_".to_owned(),
        }
    }
}
