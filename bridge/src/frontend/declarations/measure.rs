//! Measures as written: parses heads and bodies, checks names for repetition.
//!
//! [`crate::frontend::resolve`] resolves them at the types of their calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::diagnostic::{Diagnostic, noted};
use crate::frontend::logic_type::Ty;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::{Expr, MeasureHead};
use crate::frontend::spec::parse;

/// Names with a special meaning in calls; measures can't have them.
const TAKEN: [&str; 8] = ["old", "Some", "Ok", "Err", "None", "elems", "bag", "set"];

/// A measure as written.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name and types.
    pub head: MeasureHead,
    /// Its body.
    pub body: Expr,
}

/// The measures of a manifest by name.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// The valid measures.
    pub sound: BTreeMap<String, Measure>,
    /// The names of measures whose mistakes were reported.
    pub broken: BTreeSet<String>,
}

/// The types of a measure, with its type parameters as [`Ty::Opaque`] named by [`marker`].
#[derive(Clone, Debug)]
pub struct MeasureTypes {
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// The type of its result.
    pub result: Ty,
}

impl Measures {
    /// Reads the table of measures.
    pub fn read(entries: &[(SpannedText, SpannedText)], diagnostics: &mut Vec<Diagnostic>) -> Measures {
        let mut measures = Measures::default();
        for (head_text, body_text) in entries {
            let head = noted(parse::measure_head(head_text), diagnostics);
            let body = noted(parse::expr(body_text), diagnostics);
            let Some(head) = head else { continue };
            let name = head.head.name.name.clone();
            let twice = measures.sound.contains_key(&name) || measures.broken.contains(&name);
            if twice || TAKEN.contains(&name.as_str()) {
                let message = if twice {
                    format!("there are two measures named `{name}`")
                } else {
                    format!("`{name}` has a meaning of its own in the logic")
                };
                let span = head.head.name.span;
                diagnostics.push(Diagnostic::error(span, message).help("give the measure another name"));
                continue;
            }
            match body {
                Some(body) if parameters_differ(&head, diagnostics) => {
                    measures.sound.insert(name, Measure { head, body });
                }
                _ => drop(measures.broken.insert(name)),
            }
        }
        measures
    }
}

/// The name of a type parameter in [`MeasureTypes`]; no Rust type has such a name.
pub fn marker(parameter: &str) -> String {
    format!("'{parameter}")
}

fn parameters_differ(head: &MeasureHead, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut seen = BTreeSet::new();
    let idents = head.head.generics.iter().chain(head.head.params.iter().map(|param| &param.name));
    let repeated: Vec<_> = idents.filter(|ident| !seen.insert(ident.name.as_str())).collect();
    for ident in &repeated {
        let message =
            format!("the measure `{}` has two parameters named `{}`", head.head.name.name, ident.name);
        diagnostics.push(Diagnostic::error(ident.span, message));
    }
    repeated.is_empty()
}
