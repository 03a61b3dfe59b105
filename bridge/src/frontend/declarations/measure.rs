//! Measures as written: parses signatures and bodies, checks names for repetition.
//!
//! [`crate::frontend::resolve`] resolves them at the types of their calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::frontend::diagnostic::{Diagnostic, noted};
use crate::frontend::logic_type::Ty;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::{Expr, MeasureSignature};
use crate::frontend::spec::parse;

/// Names with a special meaning in calls; measures can't have them.
const TAKEN: [&str; 8] = ["old", "Some", "Ok", "Err", "None", "elems", "bag", "set"];

/// A measure as written.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name and types.
    pub signature: MeasureSignature,
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
        for (signature_text, body_text) in entries {
            let signature = noted(parse::measure_signature(signature_text), diagnostics);
            let body = noted(parse::expr(body_text), diagnostics);
            let Some(signature) = signature else { continue };
            let name = signature.head.name.name.clone();
            let twice = measures.sound.contains_key(&name) || measures.broken.contains(&name);
            if twice || TAKEN.contains(&name.as_str()) {
                let message = if twice {
                    format!("there are two measures named `{name}`")
                } else {
                    format!("`{name}` has a meaning of its own in the logic")
                };
                let span = signature.head.name.span;
                diagnostics.push(Diagnostic::error(span, message).help("give the measure another name"));
                continue;
            }
            match body {
                Some(body) if parameters_differ(&signature, diagnostics) => {
                    measures.sound.insert(name, Measure { signature, body });
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

fn parameters_differ(signature: &MeasureSignature, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut seen = BTreeSet::new();
    let idents = signature.head.generics.iter().chain(signature.head.params.iter().map(|param| &param.name));
    let repeated: Vec<_> = idents.filter(|ident| !seen.insert(ident.name.as_str())).collect();
    for ident in &repeated {
        let message =
            format!("the measure `{}` has two parameters named `{}`", signature.head.name.name, ident.name);
        diagnostics.push(Diagnostic::error(ident.span, message));
    }
    repeated.is_empty()
}
