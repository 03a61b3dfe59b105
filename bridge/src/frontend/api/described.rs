//! Which types of the crate a spec can describe without an entry that says how their values are made.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::frontend::catalog::{Catalog, FnLookup, RustType};
use crate::frontend::data::{DataTable, Position};
use crate::frontend::declarations::Declarations;
use crate::frontend::declarations::builtin::is_builtin;
use crate::frontend::manifest::Manifest;
use crate::frontend::resolve::type_of_text;
use crate::frontend::spec::ast::DataBody;

/// The tables of a manifest without mistakes.
pub(super) struct Described<'c> {
    catalog: &'c Catalog,
    declarations: Declarations,
    /// The types that can be named only because the tables have entries for them, and the names of these.
    named: Vec<(RustType, String)>,
    known: RefCell<HashMap<String, bool>>,
}

/// The types that a spec can name only because the tables have entries of functions that make them, with these names.
pub fn named(catalog: &Catalog, tables: &Manifest) -> Vec<(RustType, String)> {
    Described::new(catalog, tables).named
}

impl<'c> Described<'c> {
    pub(super) fn new(catalog: &'c Catalog, tables: &'c Manifest) -> Described<'c> {
        let declarations = Declarations::read(tables, &mut Vec::new());
        let mut described = Described { catalog, declarations, named: Vec::new(), known: RefCell::default() };
        let views = &described.declarations.views;
        let own = views.all[..views.n_written].iter().filter(|view| view.head.generics.is_empty());
        let of_type =
            own.filter_map(|view| Some((type_made(&view.body, catalog)?, view.head.name.name.clone())));
        let named = of_type.filter(|(ty, _)| !described.is_declared(ty)).collect();
        described.named = named;
        described
    }

    /// The text of a type of the crate in a spec, without its arguments; `None` if it needs an entry.
    pub(super) fn name(&self, ty: &RustType) -> Option<Name> {
        let RustType::Item(id, _) = ty else { return None };
        if let Some((_, name)) = self.named.iter().find(|(named, _)| named == ty) {
            return Some(Name::OfEntry(name.clone()));
        }
        let path = &self.catalog.item(*id).access.path;
        let is_plain = self.declarations.views.index(path).is_some() || self.is_declared(ty);
        is_plain.then(|| Name::OfType(path.clone()))
    }

    /// Whether the tool can make the fields of a type.
    fn is_declared(&self, ty: &RustType) -> bool {
        let key = format!("{ty:?}");
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let mut data = DataTable::new(self.catalog, &self.declarations, 0);
        let is_declared = data.declared(ty, &[], Position::Input).is_ok();
        self.known.borrow_mut().insert(key, is_declared);
        is_declared
    }

    /// Whether neither the tables nor Rust have a type or a measure of this name.
    pub(super) fn is_free(&self, name: &str) -> bool {
        let Declarations { aliases, views, measures, grammar, .. } = &self.declarations;
        let is_rule = grammar.written().iter().any(|rule| rule.name.name == name);
        let is_declared = aliases.sound.contains_key(name) || measures.sound.contains_key(name) || is_rule;
        !is_declared && views.index(name).is_none() && !is_builtin(name)
    }
}

/// How a spec names a type of the crate.
pub(super) enum Name {
    /// By an entry, which says the type's arguments.
    OfEntry(String),
    /// By the type's path.
    OfType(String),
}

/// The type whose values an entry's functions make.
fn type_made(body: &DataBody, catalog: &Catalog) -> Option<RustType> {
    let DataBody::Via(via) = body else { return None };
    let ty = match &via.built {
        Some(written) => type_of_text(&written.text, catalog)?,
        None => {
            let first = via.builders.iter().find(|builder| !builder.changes)?;
            let names: Vec<&str> = first.function.iter().map(|ident| ident.name.as_str()).collect();
            let FnLookup::Found(function) = catalog.function(&names) else { return None };
            match &function.result {
                RustType::Option(inner) | RustType::Result(inner, _) => inner.as_ref().clone(),
                other => other.clone(),
            }
        }
    };
    matches!(ty, RustType::Item(..)).then_some(ty)
}
