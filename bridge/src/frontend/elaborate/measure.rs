//! Calls of measures: finds the measure and its type arguments.

use target_strategies::logic::ir::{Law, Term};

use super::expr::wants_hint;
use super::mistake::{count, did_you_mean, untyped};
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::data::function::CallSite;
use crate::frontend::declarations::measure::marker;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, Ident};

/// The type arguments of a measure, as far as known.
type Known = Vec<(String, Ty)>;

impl Elaborator<'_, '_, '_> {
    /// `keys(t)`; `None` if no measure has that name.
    pub(super) fn measure(
        &mut self,
        name: &Ident,
        args: &[Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Option<Typed>> {
        let measures = &self.data.declarations.measures;
        if measures.broken.contains(&name.name) {
            return Err(Diagnostic::following(name.span));
        }
        let Some(measure) = measures.sound.get(&name.name) else { return Ok(None) };
        let head = &measure.signature.head;
        if head.params.len() != args.len() {
            let declared = self.data.declarations.texts.around(head.name.span);
            let mistake = count(span, &format!("`{}`", name.name), head.params.len(), "argument", args.len());
            return Err(mistake.help(format!("it is declared as `{declared}`")));
        }
        let types = self.data.measure_types(measure)?;
        let mut known = Known::new();
        if let Some(hint) = hint {
            self.learn(&types.result, hint, &mut known);
        }
        let mut terms: Vec<Option<Term>> = vec![None; args.len()];
        // An argument with its own type determines the types of the others.
        for (term, (arg, ty)) in terms.iter_mut().zip(args.iter().zip(&types.params)) {
            if !wants_hint(arg) && has_parameter(self, ty) {
                let (found, found_ty) = self.typed(arg, None)?;
                self.learn(ty, &found_ty, &mut known);
                let wanted = self.data.at(ty, &known, arg.span)?;
                if !self.data.compatible(&wanted, &found_ty) {
                    return Err(self.mismatch(arg.span, &wanted, &found_ty));
                }
                *term = Some(found);
            }
        }
        let mut done = Vec::with_capacity(args.len());
        for (term, (arg, ty)) in terms.into_iter().zip(args.iter().zip(&types.params)) {
            let wanted = self.data.at(ty, &known, arg.span)?;
            done.push(match term {
                Some(term) => term,
                // Nothing else determines the type, so the argument's default type does, as in Rust.
                None if has_parameter(self, &wanted) => {
                    let (found, found_ty) = self.typed(arg, None)?;
                    self.learn(ty, &found_ty, &mut known);
                    found
                }
                None => self.check(arg, &wanted)?.0,
            });
        }
        let mut generics = Vec::with_capacity(head.generics.len());
        for param in &head.generics {
            let found = known.iter().find(|(name, _)| *name == marker(&param.name));
            let (_, ty) =
                found.ok_or_else(|| untyped(span, &format!("`{}` in this `{}`", param.name, name.name)))?;
            generics.push(ty.clone());
        }
        let id = self.data.measure_instance(measure, generics)?;
        if let Some(caller) = self.inside {
            self.data.functions.calls.push(CallSite { caller, callee: id, span });
        }
        let result = self.data.at(&types.result, &known, span)?;
        Ok(Some((Term::Call(id, done), result)))
    }

    /// Infers type parameters from the type found for a declared type.
    fn learn(&self, declared: &Ty, found: &Ty, known: &mut Known) {
        match (declared, found) {
            (Ty::Opaque(name), ty)
                if name.starts_with('\'') && !known.iter().any(|(other, _)| other == name) =>
            {
                known.push((name.clone(), ty.clone()));
            }
            (Ty::Seq(declared), Ty::Seq(found))
            | (Ty::Set(declared), Ty::Set(found))
            | (Ty::Bag(declared), Ty::Bag(found)) => self.learn(declared, found, known),
            (Ty::Map(key, value), Ty::Map(found_key, found_value)) => {
                self.learn(key, found_key, known);
                self.learn(value, found_value, known);
            }
            (Ty::Tuple(declared), Ty::Tuple(found)) => {
                declared.iter().zip(found).for_each(|(a, b)| self.learn(a, b, known));
            }
            (Ty::Data(declared), Ty::Data(found)) => {
                let all = |item: Item| match item {
                    Item::Option(element) => vec![element],
                    Item::Result(ok, err) => vec![ok, err],
                    Item::User(_, args) | Item::View(_, args) => args,
                    Item::Captures(_) | Item::Rule => Vec::new(),
                };
                let (declared, found) = (all(self.data.item_of(*declared)), all(self.data.item_of(*found)));
                declared.iter().zip(&found).for_each(|(a, b)| self.learn(a, b, known));
            }
            _ => {}
        }
    }

    /// A measure, or a law or question of functions, with a name similar to an unknown called name, if there is one.
    pub(super) fn similar_function(&self, name: &str) -> Option<String> {
        let measures = self.data.declarations.measures.sound.keys().map(String::as_str);
        let of_functions =
            Law::ALL.map(|(_, law)| law).into_iter().chain(["calls", "returns", "elems", "bag"]);
        did_you_mean(name, measures.chain(of_functions))
    }
}

/// Whether a declared type mentions a type parameter.
fn has_parameter(elaborator: &Elaborator<'_, '_, '_>, ty: &Ty) -> bool {
    match ty {
        Ty::Opaque(name) => name.starts_with('\''),
        Ty::Seq(element) | Ty::Set(element) | Ty::Bag(element) => has_parameter(elaborator, element),
        Ty::Map(key, value) => has_parameter(elaborator, key) || has_parameter(elaborator, value),
        Ty::Tuple(parts) => parts.iter().any(|part| has_parameter(elaborator, part)),
        Ty::Data(id) => {
            let args = match elaborator.data.item_of(*id) {
                Item::Option(element) => vec![element],
                Item::Result(ok, err) => vec![ok, err],
                Item::User(_, args) | Item::View(_, args) => args,
                Item::Captures(_) | Item::Rule => Vec::new(),
            };
            args.iter().any(|arg| has_parameter(elaborator, arg))
        }
        _ => false,
    }
}
