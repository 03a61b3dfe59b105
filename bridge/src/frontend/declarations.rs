//! The declarations of a manifest for all specs: aliases, views of data types, measures, rules of grammars; each read once, by name.

pub mod alias;
pub mod builtin;
pub mod library;
pub mod grammar;
pub mod measure;
pub mod shipped;
mod texts;
pub mod view;

pub use shipped::is_shipped;

use std::collections::BTreeSet;

use self::alias::Aliases;
use self::builtin::is_builtin;
use self::grammar::Grammar;
use self::measure::Measures;
use self::texts::Texts;
use self::view::Views;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::manifest::Manifest;

/// The tables that specs refer to.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// Shorthands for types.
    pub aliases: Aliases,
    /// Views of data types.
    pub views: Views,
    /// Functions of the logic.
    pub measures: Measures,
    /// Rules, which are types of strings.
    pub grammar: Grammar,
    /// The manifest's texts, for the words of clauses.
    pub texts: Texts,
}

impl Declarations {
    /// Reads the tables. Declarations with a mistake are left out and marked as broken.
    pub fn read(manifest: &Manifest, diagnostics: &mut Vec<Diagnostic>) -> Declarations {
        let mut declarations = Declarations {
            aliases: Aliases::read(&manifest.types, diagnostics),
            views: Views::read(&manifest.data, diagnostics).with_shipped(),
            measures: Measures::read(&manifest.measures, diagnostics),
            grammar: Grammar::read(&manifest.grammars, diagnostics).with_library(),
            texts: Texts::of(manifest),
        };
        declarations.reject_namesakes(diagnostics);
        declarations.reject_rules_named_as_types(diagnostics);
        declarations.reject_builtins(diagnostics);
        declarations
    }

    /// Whether a name belongs to a declaration whose mistakes were reported.
    pub fn is_broken(&self, name: &str) -> bool {
        self.aliases.broken.contains(name)
            || self.views.broken.contains(name)
            || self.grammar.broken.contains(name)
    }

    /// Rejects declarations with the name of a Rust type.
    fn reject_builtins(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let names = self.views.all[..self.views.n_written].iter().map(|view| &view.head.name);
        let names = names.chain(self.aliases.sound.values().map(|alias| &alias.head.name));
        let names = names.chain(self.grammar.written().iter().map(|rule| &rule.name));
        for name in names.filter(|name| is_builtin(&name.name)) {
            let message = format!("`{}` is a type of Rust's or of the logic", name.name);
            diagnostics.push(Diagnostic::error(name.span, message).help("give this another name"));
        }
    }

    /// Rejects a rule with the name of another type.
    fn reject_rules_named_as_types(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let views = &self.views.all[..self.views.n_written];
        for rule in self.grammar.written() {
            let name = &rule.name.name;
            let what = if self.aliases.sound.contains_key(name) {
                "an alias"
            } else if views.iter().any(|view| view.head.name.name == *name) {
                "a view of a data type"
            } else {
                continue;
            };
            let message = format!("`{name}` is both a rule and {what}");
            diagnostics
                .push(Diagnostic::error(rule.name.span, message).help("give one of them another name"));
        }
    }

    /// Rejects a view and an alias with the same name, as both are types.
    fn reject_namesakes(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let written = &self.views.all[..self.views.n_written];
        let both: BTreeSet<String> = written.iter().map(|view| view.head.name.name.clone()).collect();
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
