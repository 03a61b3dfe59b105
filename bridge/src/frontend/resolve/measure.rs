//! Measures: functions of the logic, at the types of their calls.
//!
//! `keys<T>(t: Tree<T>) -> Set<T>` called with a `Tree<i64>` is one function, with a `Tree<u8>` another. Its body is a
//! term over the slots of its parameters; a call is a [`target_strategies::logic::ir::Term::Call`]. A body is
//! elaborated after the clause that calls it, so measures may call each other in any order.

use std::rc::Rc;

use target_strategies::logic::ir::{FunctionId, Refined, Sort, Term, map_children};

use crate::frontend::data::DataTable;
use crate::frontend::data::function::FunctionKey;
use crate::frontend::declarations::measure::{Measure, MeasureTypes, marker};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::elaborate::{self, Scope};
use crate::frontend::logic_type::Ty;
use crate::frontend::resolve::names::{Env, TypeArg};
use crate::frontend::resolve::types::Resolver;
use crate::frontend::spec::ast::{Type, TypeKind};

/// The span of a refinement in a type.
fn refined_part(ty: &Type) -> Option<Span> {
    match &ty.kind {
        TypeKind::Refined { .. } => Some(ty.span),
        TypeKind::Path { generics, .. } => generics.iter().find_map(refined_part),
        TypeKind::Ref { inner, .. }
        | TypeKind::Array(inner, _)
        | TypeKind::Slice(inner)
        | TypeKind::Associated(_, inner) => refined_part(inner),
        TypeKind::Tuple(parts) => parts.iter().find_map(refined_part),
        TypeKind::Function(..) | TypeKind::Constant(_) => None,
    }
}

/// Runs a resolver on a declaration, on the tables of the current spec; also returns its mistakes.
pub(super) fn with_resolver<'c, T>(
    data: &mut DataTable<'c>,
    run: impl FnOnce(&mut Resolver<'c>) -> T,
) -> (T, Vec<Diagnostic>) {
    let empty = DataTable::new(data.catalog, data.declarations, data.value_slot);
    let mut resolver = Resolver::new(std::mem::replace(data, empty));
    let result = run(&mut resolver);
    *data = resolver.data;
    (result, resolver.diagnostics)
}

/// The type with its machine integers replaced by mathematical integers.
fn mathematical(ty: Ty) -> Ty {
    match ty {
        Ty::Int(_) => Ty::Int(None),
        Ty::Seq(element) => Ty::Seq(Box::new(mathematical(*element))),
        Ty::Set(element) => Ty::Set(Box::new(mathematical(*element))),
        Ty::Bag(element) => Ty::Bag(Box::new(mathematical(*element))),
        Ty::Map(key, value) => Ty::Map(Box::new(mathematical(*key)), Box::new(mathematical(*value))),
        Ty::Tuple(parts) => Ty::Tuple(parts.into_iter().map(mathematical).collect()),
        other => other,
    }
}

/// Makes the bodies of all functions in use, and returns their mistakes.
pub fn finish(data: &mut DataTable<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    while let Some(id) = data.functions.waiting.pop_front() {
        let declarations = data.declarations;
        let (name, generics) = match data.functions.keys[id.0 as usize].clone() {
            FunctionKey::Measure(name, generics) => (name, generics),
            FunctionKey::Elements(of, parameter) => {
                let ((), mistakes) =
                    with_resolver(data, |resolver| resolver.finish_elements(id, of, parameter));
                diagnostics.extend(mistakes);
                continue;
            }
            FunctionKey::Text(rule) => {
                let body = data.text_body(id, rule);
                let function = &mut data.functions.all[id.0 as usize];
                function.nesting = 1 + nesting(&body);
                function.body = body;
                continue;
            }
            FunctionKey::Gone => continue,
        };
        let Some(measure) = declarations.measures.sound.get(&name) else { continue };
        if let Err(mistake) = body(data, id, measure, &generics) {
            diagnostics.push(mistake);
        }
    }
    diagnostics
}

fn body<'c>(
    data: &mut DataTable<'c>,
    id: FunctionId,
    measure: &'c Measure,
    generics: &[Ty],
) -> Result<(), Diagnostic> {
    let types = data.measure_types(measure)?;
    let known: Vec<(String, Ty)> = measure
        .signature
        .head
        .generics
        .iter()
        .map(|param| marker(&param.name))
        .zip(generics.iter().cloned())
        .collect();
    let mut scope = Scope::new();
    let slots = data.functions.all[id.0 as usize].params.clone();
    for ((param, ty), slot) in measure.signature.head.params.iter().zip(&types.params).zip(slots) {
        if let Ty::Int(_) = ty {
            data.functions.integers.insert(slot);
        }
        scope.bind(&param.name.name, Term::Var(slot), data.at(ty, &known, param.ty.span)?);
    }
    let result = data.at(&types.result, &known, measure.signature.result.span)?;
    let (term, _) = elaborate::body(id, &measure.body, &scope, data, &result)?;
    let decreases = match &measure.signature.decreases {
        Some(expr) => Some(elaborate::body(id, expr, &scope, data, &Ty::Int(None))?.0),
        None => None,
    };
    let function = &mut data.functions.all[id.0 as usize];
    function.nesting = 1 + nesting(&term).max(decreases.as_ref().map_or(0, nesting));
    (function.body, function.decreases) = (term, decreases);
    Ok(())
}

/// The nesting depth of a term. It is at most the depth of parsed expressions, times a constant.
fn nesting(term: &Term) -> u32 {
    let mut deepest = 0;
    map_children(term, &mut |child, _| {
        deepest = deepest.max(1 + nesting(child));
        Term::Undefined
    });
    deepest
}

impl<'c> DataTable<'c> {
    /// The declared types of a measure.
    pub fn measure_types(&mut self, measure: &'c Measure) -> Result<MeasureTypes, Diagnostic> {
        let (types, mistakes) = with_resolver(self, |resolver| {
            let opaque = |name: &str| TypeArg::Known(Refined::plain(Sort::Opaque(marker(name))));
            let generics = measure.signature.head.generics.iter();
            let generics = generics.map(|param| (param.name.clone(), opaque(&param.name))).collect();
            let env = Rc::new(Env { generics, ..Env::default() });
            // A view means the type that it refines.
            resolver.types_only = true;
            let mut ty = |ty: &'c Type| {
                if let Some(span) = refined_part(ty) {
                    let message = "the types of a measure have no refinements";
                    let help = "the body may return something else where the condition does not hold";
                    return resolver.fail(Diagnostic::error(span, message).help(help));
                }
                let refined = resolver.value_parameter(ty, &env)?;
                Some(mathematical(resolver.data.ty_of(&refined)))
            };
            let params: Vec<_> = measure.signature.head.params.iter().map(|param| ty(&param.ty)).collect();
            let result = ty(&measure.signature.result)?;
            Some(MeasureTypes { params: params.into_iter().collect::<Option<_>>()?, result })
        });
        match (types, mistakes.into_iter().next()) {
            (Some(types), None) => Ok(types),
            (_, Some(mistake)) => Err(mistake),
            (None, None) => {
                Err(Diagnostic::error(measure.signature.head.name.span, "its types have a mistake"))
            }
        }
    }

    /// A declared type with its type parameters replaced.
    pub fn at(&mut self, ty: &Ty, known: &[(String, Ty)], span: Span) -> Result<Ty, Diagnostic> {
        Ok(match ty {
            Ty::Opaque(name) => {
                let found = known.iter().find(|(parameter, _)| parameter == name);
                found.map_or(ty, |(_, found)| found).clone()
            }
            Ty::Seq(element) => Ty::Seq(Box::new(self.at(element, known, span)?)),
            Ty::Set(element) => Ty::Set(Box::new(self.at(element, known, span)?)),
            Ty::Bag(element) => Ty::Bag(Box::new(self.at(element, known, span)?)),
            Ty::Map(key, value) => {
                Ty::Map(Box::new(self.at(key, known, span)?), Box::new(self.at(value, known, span)?))
            }
            Ty::Tuple(parts) => {
                let parts: Result<_, _> = parts.iter().map(|part| self.at(part, known, span)).collect();
                Ty::Tuple(parts?)
            }
            Ty::Data(id) if self.get(*id).rule.is_some() => ty.clone(),
            Ty::Data(id) => {
                let key = self.keys[id.0 as usize].clone();
                let mut args = Vec::with_capacity(key.args.len());
                for arg in &key.args {
                    let arg = self.at(&self.ty_of(arg), known, span)?;
                    args.push(self.plain(&arg));
                }
                let made = self.instance_of(key.constructor, args);
                Ty::Data(made.map_err(|reason| Diagnostic::error(span, reason))?)
            }
            other => other.clone(),
        })
    }
}
