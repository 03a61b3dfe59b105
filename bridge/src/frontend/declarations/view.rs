//! Views of data types as written: parses heads and bodies, checks names for repetition.
//!
//! [`crate::frontend::resolve`] resolves them at an instance of their type parameters.

use std::collections::BTreeSet;

use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::noted;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::{DataBody, DeclarationHead, Ident, Param};
use crate::frontend::spec::parse;

use super::shipped;

/// A view as written.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name and type parameters.
    pub head: DeclarationHead,
    /// Its body.
    pub body: DataBody,
}

/// The views of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// The valid views: those of the table in its order, those of other members, then those that come with the tool.
    pub all: Vec<View>,
    /// Number of valid views of the table.
    pub n_written: usize,
    /// Number of valid views of the table and of other members.
    pub n_in_tables: usize,
    /// The names of views whose mistakes were reported.
    pub broken: BTreeSet<String>,
}

impl Views {
    /// Reads the table of views.
    pub fn read(entries: &[(SpannedText, SpannedText)], diagnostics: &mut Vec<Diagnostic>) -> Views {
        let mut views = Views::default();
        for (head_text, body_text) in entries {
            let head = noted(parse::declaration_head(head_text), diagnostics);
            let body = noted(parse::data_body(body_text), diagnostics);
            let Some(head) = head else { continue };
            let name = head.name.name.clone();
            if views.index(&name).is_some() || views.broken.contains(&name) {
                let message = format!("there are two views named `{name}`");
                diagnostics
                    .push(Diagnostic::error(head.name.span, message).help("give one of them another name"));
                continue;
            }
            match body {
                Some(body) if is_sound(&head, &body, diagnostics) => views.all.push(View { head, body }),
                _ => drop(views.broken.insert(name)),
            }
        }
        views.n_written = views.all.len();
        views.n_in_tables = views.n_written;
        views
    }

    /// Adds the views of another member.
    pub fn adopt(&mut self, views: Vec<View>) {
        let n_views = views.len();
        self.all.splice(self.n_in_tables..self.n_in_tables, views);
        self.n_in_tables += n_views;
    }

    /// Adds the views that come with the tool.
    pub fn with_shipped(mut self) -> Views {
        self.all.extend(Views::read(&shipped::ENTRIES, &mut Vec::new()).all);
        self
    }

    /// The index of the view of a type of the standard library, by its path.
    pub fn of_std(&self, path: &[&str]) -> Option<usize> {
        shipped::index(path).map(|index| self.n_in_tables + index)
    }

    /// The index of a view in the table.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|view| view.head.name.name == name)
    }
}

/// Finds the mistakes that show without knowing the type.
fn is_sound(head: &DeclarationHead, body: &DataBody, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let before = diagnostics.len();
    if let Some(param) = head.params.first() {
        let message = format!("the view `{}` can't have value parameters", head.name.name);
        diagnostics.push(Diagnostic::error(param.name.span, message).help("only aliases have them"));
    }
    let mut seen = BTreeSet::new();
    for name in head.generics.iter().filter(|name| !seen.insert(name.name.as_str())) {
        let message = format!("the view `{}` has two parameters named `{}`", head.name.name, name.name);
        diagnostics.push(Diagnostic::error(name.span, message));
    }
    match body {
        DataBody::View(view) => {
            repeated(view.ctors.iter().map(|ctor| &ctor.name), "constructors", diagnostics);
            view.ctors.iter().for_each(|ctor| repeated_fields(&ctor.fields, diagnostics));
        }
        DataBody::Via(via) => {
            via.builders.iter().for_each(|builder| repeated_fields(&builder.params, diagnostics));
        }
    }
    diagnostics.len() == before
}

fn repeated_fields(fields: &[Param], diagnostics: &mut Vec<Diagnostic>) {
    // A field that nothing mentions needs no name.
    let named = fields.iter().map(|field| &field.name).filter(|name| name.name != "_");
    repeated(named, "fields", diagnostics);
}

fn repeated<'n>(names: impl Iterator<Item = &'n Ident>, what: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for name in names.filter(|name| !seen.insert(name.name.as_str())) {
        diagnostics.push(Diagnostic::error(name.span, format!("two {what} are named `{}`", name.name)));
    }
}
