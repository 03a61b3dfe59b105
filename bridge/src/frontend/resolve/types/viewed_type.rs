//! The type that a view names: of the crate, or of another crate, which only rustc knows.

use std::collections::BTreeMap;
use std::rc::Rc;

use target_strategies::logic::ir::{DataId, Refined};

use super::Resolver;
use crate::frontend::catalog::{CtorItem, RustType, TypeId, TypeLookup};
use crate::frontend::data::Position;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{TypeKind, View, ViewKind};

/// The type that a view refines.
pub(super) struct ViewedType<'a> {
    /// The instance without refinements, if the catalog knows the type.
    pub base: Option<(TypeId, DataId)>,
    pub rust_type: String,
    /// The path of the type as Rust code.
    pub path: String,
    /// The arguments for the type parameters of the declaration.
    pub generics: BTreeMap<String, RustType>,
    pub items: &'a [CtorItem],
}

impl<'a> Resolver<'a> {
    /// The type that a view names.
    pub(super) fn viewed_type(&mut self, view: &'a View, env: &Env<'a>) -> Option<ViewedType<'a>> {
        let TypeKind::Path { path, generics, .. } = &view.target.kind else { return None };
        let catalog = self.data.catalog;
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        let env = Rc::new(env.clone());
        let args: Vec<_> =
            generics.iter().map(|arg| self.argument(arg, &env, None, Position::Field)).collect();
        let args: Vec<Refined> = args.into_iter().collect::<Option<_>>()?;
        if let Some((arg, written)) = args.iter().zip(generics).find(|(arg, written)| {
            !arg.clauses.is_empty() && matches!(written.kind, TypeKind::Refined { .. })
        }) {
            let _ = arg;
            let message = "the type that is viewed has no refined arguments; refine the fields";
            return self.fail(Diagnostic::error(written.span, message));
        }
        let plain: Vec<Refined> = args.iter().map(|arg| self.data.plain(&self.data.ty_of(arg))).collect();
        let foreign = |this: &Self, path: String| {
            let args = this.data.rust_args(&plain);
            let (rust_type, generics) = (format!("{path}{args}"), BTreeMap::new());
            ViewedType { base: None, rust_type, path, generics, items: &[] }
        };
        match catalog.type_(&names) {
            TypeLookup::Found(id) => self.viewed_type_in_crate(view, id, plain),
            lookup if view.kind == ViewKind::Trait && self.is_elsewhere(&lookup, &names) => {
                self.other_trait(&view.target, &names);
                None
            }
            TypeLookup::Foreign(path) => Some(foreign(self, path.to_owned())),
            TypeLookup::Missing if path.len() > 1 => Some(foreign(self, names.join("::"))),
            TypeLookup::Missing => {
                let suggestions = catalog.similar_types(&names);
                let diagnostic =
                    Diagnostic::error(view.target.span, format!("no type `{}`", names.join("::")));
                self.fail(match suggestions.first() {
                    Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
                    None => diagnostic.help("a type of another crate is named by its whole path"),
                })
            }
            TypeLookup::Alias(..) => {
                let message = format!("`{}` is an alias", names.join("::"));
                self.fail(Diagnostic::error(view.target.span, message).help("name the type itself"))
            }
            TypeLookup::NotAType(what) => {
                let message = format!("`{}` is {what}, not a type", names.join("::"));
                self.fail(Diagnostic::error(view.target.span, message))
            }
            TypeLookup::Ambiguous(paths) => self.fail(
                Diagnostic::error(
                    view.target.span,
                    format!("there are several types named `{}`", names.join("::")),
                )
                .help(format!("write one of {}", paths.join(", "))),
            ),
        }
    }

    /// Whether a trait seems to be another crate's.
    fn is_elsewhere(&self, found: &TypeLookup<'_>, names: &[&str]) -> bool {
        match found {
            TypeLookup::Found(_)
            | TypeLookup::Alias(..)
            | TypeLookup::Ambiguous(_)
            | TypeLookup::NotAType(_) => false,
            TypeLookup::Foreign(_) => true,
            TypeLookup::Missing => self.data.catalog.similar_types(names).is_empty(),
        }
    }

    /// A type of the crate that a view names, at these arguments.
    fn viewed_type_in_crate(
        &mut self,
        view: &View,
        id: TypeId,
        args: Vec<Refined>,
    ) -> Option<ViewedType<'a>> {
        let catalog = self.data.catalog;
        let item = catalog.item(id);
        let (is, kind) = match (&item.of_trait, item.is_enum) {
            (Some(_), _) => ("a trait", ViewKind::Trait),
            (None, true) => ("an enum", ViewKind::Enum),
            (None, false) => ("a struct", ViewKind::Struct),
        };
        if kind != view.kind {
            let message = format!("`{}` is {is}, the view says `{}`", item.path, view.kind.word());
            return self.fail(Diagnostic::error(view.target.span, message));
        }
        let rust = args.iter().map(|arg| self.data.rust_of(arg));
        let generics = item.generics.iter().cloned().zip(rust).collect();
        match self.data.instance(id, args) {
            Ok(base) => Some(ViewedType {
                base: Some((id, base)),
                rust_type: self.data.get(base).rust_type.clone(),
                path: String::new(),
                generics,
                items: &item.ctors,
            }),
            Err(reason) => self.fail(Diagnostic::error(view.target.span, reason)),
        }
    }
}
