//! The aliases of the manifest: parses heads and bodies, checks names for repetition and cycles.
//!
//! [`crate::frontend::resolve`] expands them.

use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::noted;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::{DeclarationHead, Signature, Type, TypeKind};
use crate::frontend::spec::parse;

/// An alias as written.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its name and parameters.
    pub head: DeclarationHead,
    /// Its body.
    pub body: Type,
}

/// The aliases by name.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    /// The valid aliases.
    pub sound: BTreeMap<String, Alias>,
    /// The names of aliases whose mistakes were reported.
    pub broken: BTreeSet<String>,
}

impl Aliases {
    /// Reads the table of aliases.
    pub fn read(entries: &[(SpannedText, SpannedText)], diagnostics: &mut Vec<Diagnostic>) -> Aliases {
        let mut aliases = Aliases::default();
        for (head_text, body_text) in entries {
            let head = noted(parse::declaration_head(head_text), diagnostics);
            let body = noted(parse::ty(body_text), diagnostics);
            let Some(head) = head else { continue };
            let name = head.name.name.clone();
            if aliases.sound.contains_key(&name) || aliases.broken.contains(&name) {
                diagnostics.push(
                    Diagnostic::error(head.name.span, format!("there are two aliases named `{name}`"))
                        .help("give one of them another name"),
                );
                continue;
            }
            match body {
                Some(body) if parameters_differ(&head, diagnostics) => {
                    aliases.sound.insert(name, Alias { head, body });
                }
                _ => {
                    aliases.broken.insert(name);
                }
            }
        }
        aliases.reject_cycles(diagnostics);
        aliases
    }

    fn reject_cycles(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut open: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, alias) in &self.sound {
            let mut mentioned = BTreeSet::new();
            collect_names(&alias.body, &mut mentioned);
            alias.head.params.iter().for_each(|param| collect_names(&param.ty, &mut mentioned));
            let own: BTreeSet<&str> = alias.head.generics.iter().map(|param| param.name.as_str()).collect();
            mentioned.retain(|other| self.sound.contains_key(other) && !own.contains(other.as_str()));
            open.insert(name.clone(), mentioned);
        }
        // An alias that mentions no open alias can be expanded; all that remain lead into a cycle.
        loop {
            let free: Vec<String> = open
                .iter()
                .filter(|(_, mentioned)| !mentioned.iter().any(|other| open.contains_key(other)))
                .map(|(name, _)| name.clone())
                .collect();
            if free.is_empty() {
                break;
            }
            free.iter().for_each(|name| drop(open.remove(name)));
        }
        let mut reported = BTreeSet::new();
        for name in open.keys() {
            let cycle = cycle_from(name, &open);
            if cycle.iter().all(|member| reported.insert(member.clone())) {
                let at = self.sound[&cycle[0]].head.name.span;
                let path =
                    cycle.iter().chain([&cycle[0]]).map(|name| format!("`{name}`")).collect::<Vec<_>>();
                diagnostics.push(
                    Diagnostic::error(at, format!("the alias `{}` contains itself", cycle[0]))
                        .label(path.join(" → "))
                        .help("a type that contains itself is an enum or a struct of the crate"),
                );
            }
        }
        for name in open.into_keys() {
            self.sound.remove(&name);
            self.broken.insert(name);
        }
    }
}

/// The cycle reached by following the first mentioned names, its least member first.
fn cycle_from(start: &str, open: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut path = vec![start.to_owned()];
    loop {
        let next = open[&path[path.len() - 1]].iter().find(|other| open.contains_key(*other));
        let Some(next) = next else { return path };
        if let Some(begin) = path.iter().position(|name| name == next) {
            let mut cycle = path.split_off(begin);
            let least = (0..cycle.len()).min_by_key(|&index| &cycle[index]).unwrap_or(0);
            cycle.rotate_left(least);
            return cycle;
        }
        path.push(next.clone());
    }
}

/// Whether all parameters of an alias have different names; reports a mistake otherwise.
fn parameters_differ(head: &DeclarationHead, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut seen = BTreeSet::new();
    let idents = head.generics.iter().chain(head.params.iter().map(|param| &param.name));
    let repeated: Vec<_> = idents.filter(|ident| !seen.insert(ident.name.as_str())).collect();
    for ident in &repeated {
        diagnostics.push(Diagnostic::error(
            ident.span,
            format!("the alias `{}` has two parameters named `{}`", head.name.name, ident.name),
        ));
    }
    repeated.is_empty()
}

/// The single-word type names in a type. The parser limits the nesting of types.
pub fn collect_names(ty: &Type, names: &mut BTreeSet<String>) {
    match &ty.kind {
        TypeKind::Path { path, generics, .. } => {
            if let [only] = path.as_slice() {
                names.insert(only.name.clone());
            }
            generics.iter().for_each(|arg| collect_names(arg, names));
        }
        TypeKind::Ref { inner, .. }
        | TypeKind::Array(inner, _)
        | TypeKind::Slice(inner)
        | TypeKind::Associated(_, inner) => {
            collect_names(inner, names);
        }
        TypeKind::Tuple(parts) => parts.iter().for_each(|part| collect_names(part, names)),
        TypeKind::Function(_, signature) => {
            let Signature { params, result, .. } = signature.as_ref();
            params.iter().for_each(|param| collect_names(&param.ty, names));
            result.iter().for_each(|result| collect_names(result, names));
        }
        TypeKind::Refined { base, .. } => collect_names(base, names),
        TypeKind::Constant(_) => {}
    }
}
