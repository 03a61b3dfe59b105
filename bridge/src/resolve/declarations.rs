//! What a manifest declares for all specs: aliases, views of data types, measures; each read once, by name.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::manifest::Manifest;
use crate::resolve::alias::Aliases;
use crate::resolve::measure::Measures;
use crate::resolve::texts::Texts;
use crate::resolve::types::is_builtin;
use crate::resolve::view::Views;

/// The tables that specs draw on.
#[derive(Clone, Debug, Default)]
pub struct Declarations<'m> {
    /// Shorthands for types.
    pub aliases: Aliases,
    /// Views of data types.
    pub views: Views,
    /// Functions of the logic.
    pub measures: Measures,
    /// The manifest's texts, for clauses' words.
    pub texts: Texts<'m>,
}

impl<'m> Declarations<'m> {
    /// Reads the tables; what has a mistake is left out, and known to be.
    pub fn read(manifest: &'m Manifest, diagnostics: &mut Vec<Diagnostic>) -> Declarations<'m> {
        let mut declarations = Declarations {
            aliases: Aliases::read(&manifest.types, diagnostics),
            views: Views::read(&manifest.data, diagnostics),
            measures: Measures::read(&manifest.measures, diagnostics),
            texts: Texts::of(manifest),
        };
        declarations.reject_namesakes(diagnostics);
        declarations.reject_builtins(diagnostics);
        declarations
    }

    /// Whether a name is that of a declaration whose mistakes were reported.
    pub fn is_broken(&self, name: &str) -> bool {
        self.aliases.broken.contains(name) || self.views.broken.contains(name)
    }

    /// A type of Rust's keeps its meaning.
    fn reject_builtins(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let names = self.views.all.iter().map(|view| &view.head.name);
        let names = names.chain(self.aliases.sound.values().map(|alias| &alias.head.name));
        for name in names.filter(|name| is_builtin(&name.name)) {
            let message = format!("`{}` is a type of Rust's or of the logic", name.name);
            diagnostics.push(Diagnostic::error(name.span, message).help("give this another name"));
        }
    }

    /// Views and aliases are both types, so that a name can be only one of them.
    fn reject_namesakes(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let both: BTreeSet<String> = self.views.all.iter().map(|view| view.head.name.name.clone()).collect();
        for name in &both {
            if let Some(alias) = self.aliases.sound.remove(name) {
                self.aliases.broken.insert(name.clone());
                let message = format!("`{name}` is both an alias and a view of a data type");
                diagnostics.push(
                    Diagnostic::error(alias.head.name.span, message).help("give one of them another name"),
                );
            }
        }
    }
}
