//! The rules of the manifest's grammar: parses names and bodies, checks names for repetition, and that each rule derives a
//! finite text.
//!
//! [`crate::frontend::resolve`] makes types of them.

use std::collections::{BTreeMap, BTreeSet};

use super::library;
use crate::frontend::diagnostic::{Diagnostic, noted};
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::Ident;
use crate::frontend::spec::grammar::{Alternative, Atom, Part, Repeat, alternatives};
use crate::frontend::spec::parse;

/// A rule as written.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Ident,
    /// What it derives.
    pub alternatives: Vec<Alternative>,
}

/// The rules of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// The valid rules, in the order of the table, and after them those that come with the tool.
    pub rules: Vec<Rule>,
    /// Number of those of the table.
    pub n_written: usize,
    /// The names of rules whose mistakes were reported.
    pub broken: BTreeSet<String>,
}

impl Grammar {
    /// Reads the table of rules.
    pub fn read(entries: &[(SpannedText, SpannedText)], diagnostics: &mut Vec<Diagnostic>) -> Grammar {
        let mut grammar = Grammar::default();
        for (head_text, body_text) in entries {
            let head = noted(parse::declaration_head(head_text), diagnostics);
            let body = noted(alternatives(body_text).map_err(|mistake| vec![mistake]), diagnostics);
            let Some(head) = head else { continue };
            if !head.generics.is_empty() || !head.params.is_empty() {
                let message = format!("the rule `{}` can't have parameters", head.name.name);
                let help = format!("the key of a rule is its name: `{} = '..'`", head.name.name);
                diagnostics.push(Diagnostic::error(head_text.whole(), message).help(help));
                grammar.broken.insert(head.name.name);
                continue;
            }
            match body {
                Some(alternatives) => grammar.rules.push(Rule { name: head.name, alternatives }),
                None => drop(grammar.broken.insert(head.name.name)),
            }
        }
        grammar.reject_endless(diagnostics);
        grammar.n_written = grammar.rules.len();
        grammar
    }

    /// The rules, and those that come with the tool and have other names.
    pub fn with_library(mut self) -> Grammar {
        let is_new = |rule: &&Rule| {
            let name = &rule.name.name;
            self.index(name).is_none() && !self.broken.contains(name)
        };
        let more: Vec<Rule> = library::rules().iter().filter(is_new).cloned().collect();
        self.rules.extend(more);
        self
    }

    /// The rules of the table.
    pub fn written(&self) -> &[Rule] {
        &self.rules[..self.n_written]
    }

    /// The index of a rule.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.name.name == name)
    }

    /// A rule, and all rules that it mentions at any depth, in ascending order.
    pub fn reachable(&self, start: usize) -> BTreeSet<usize> {
        let index: BTreeMap<&str, usize> =
            self.rules.iter().enumerate().map(|(index, rule)| (rule.name.name.as_str(), index)).collect();
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(next) = open.pop() {
            for name in mentioned(&self.rules[next].alternatives) {
                let found = index.get(name.name.as_str()).copied();
                open.extend(found.filter(|found| seen.insert(*found)));
            }
        }
        seen
    }

    /// Reports rules that derive no finite text: each alternative contains another such rule.
    fn reject_endless(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut endless: BTreeSet<String> = self.rules.iter().map(|rule| rule.name.name.clone()).collect();
        loop {
            let ends =
                |rule: &&Rule| endless.contains(&rule.name.name) && any_ends(&rule.alternatives, &endless);
            let found: Vec<String> =
                self.rules.iter().filter(ends).map(|rule| rule.name.name.clone()).collect();
            if found.is_empty() {
                break;
            }
            endless.retain(|name| !found.contains(name));
        }
        for rule in self.rules.iter().filter(|rule| endless.contains(&rule.name.name)) {
            // A rule that only contains such a rule isn't the one to be changed.
            let index = self.index(&rule.name.name).expect("it is one of them");
            let of_circle = mentioned(&rule.alternatives)
                .iter()
                .filter_map(|name| self.index(&name.name))
                .any(|next| self.reachable(next).contains(&index));
            if of_circle {
                let message = format!("the rule `{}` derives no finite text", rule.name.name);
                let help = "give it an alternative without a rule of that kind";
                diagnostics.push(
                    Diagnostic::error(rule.name.span, message)
                        .label("each alternative contains another one")
                        .help(help),
                );
            }
        }
        self.rules.retain(|rule| !endless.contains(&rule.name.name));
        self.broken.extend(endless);
    }
}

/// The names in the alternatives of a rule, in order.
pub fn mentioned(alternatives: &[Alternative]) -> Vec<&Ident> {
    let mut names = Vec::new();
    for part in alternatives.iter().flat_map(|alternative| &alternative.parts) {
        match &part.atom {
            Atom::Named(name) => names.push(name),
            Atom::Group(group) => names.extend(mentioned(group)),
            Atom::Quoted(_) | Atom::Regex(..) => {}
        }
    }
    names
}

/// Whether some alternative derives a finite text without the rules named.
fn any_ends(alternatives: &[Alternative], without: &BTreeSet<String>) -> bool {
    let ends = |part: &Part| match (part.repeat, &part.atom) {
        (Repeat::Optional | Repeat::Any, _) | (_, Atom::Quoted(_) | Atom::Regex(..)) => true,
        (_, Atom::Named(name)) => !without.contains(&name.name),
        (_, Atom::Group(group)) => any_ends(group, without),
    };
    alternatives.iter().any(|alternative| alternative.parts.iter().all(ends))
}
