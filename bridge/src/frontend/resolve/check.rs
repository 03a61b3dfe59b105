//! Finds mistakes in declarations themselves, so that each is reported once, even if no function uses the declaration.
//!
//! A declaration with type parameters can't be resolved without arguments; only its types are checked.

use std::rc::Rc;

use target_strategies::logic::ir::{IntKind, Refined, Sort, Term};

use crate::frontend::catalog::Catalog;
use crate::frontend::data::{DataTable, Position};
use crate::frontend::declarations::Declarations;
use crate::frontend::declarations::alias::Alias;
use crate::frontend::declarations::measure::Measure;
use crate::frontend::diagnostic::{Diagnostic, Level};
use crate::frontend::resolve::inhabited::Inhabited;
use crate::frontend::resolve::measure;
use crate::frontend::resolve::names::{Env, Name, TypeArg};
use crate::frontend::resolve::termination;
use crate::frontend::resolve::types::{Expected, Resolver};
use crate::frontend::spec::ast::DeclarationHead;

/// Reports the mistakes in aliases, views, rules and measures, and removes declarations with mistakes. Those of other
/// members have paths as names: their mistakes are told where a spec uses them.
pub fn declarations(declarations: &mut Declarations, catalog: &Catalog, diagnostics: &mut Vec<Diagnostic>) {
    let mut mistaken = Vec::new();
    let is_own = |name: &String| !name.contains("::");
    for (name, declared) in declarations.aliases.sound.iter().filter(|(name, _)| is_own(name)) {
        let found = alias(declared, declarations, catalog);
        if found.iter().any(|diagnostic| diagnostic.level == Level::Error) {
            mistaken.push(name.clone());
        }
        diagnostics.extend(found);
    }
    let mut endless = Vec::new();
    for index in 0..declarations.views.n_in_tables {
        let (found, is_endless) = view(index, declarations, catalog);
        diagnostics.extend(found.into_iter().filter(|_| index < declarations.views.n_written));
        endless.extend(is_endless.then(|| declarations.views.all[index].head.name.name.clone()));
    }
    for index in 0..declarations.grammar.n_written {
        let mut resolver = Resolver::new(DataTable::new(catalog, declarations, 0));
        resolver.rule_instance(index);
        diagnostics.extend(finished(resolver));
    }
    for (_, declared) in declarations.measures.sound.iter().filter(|(name, _)| is_own(name)) {
        diagnostics.extend(measure_mistakes(declared, declarations, catalog));
    }
    declarations.views.broken.extend(endless);
    for name in mistaken {
        declarations.aliases.sound.remove(&name);
        declarations.aliases.broken.insert(name);
    }
}

/// The mistakes in an alias.
fn alias(alias: &Alias, declarations: &Declarations, catalog: &Catalog) -> Vec<Diagnostic> {
    let n = alias.head.params.len() as u32;
    let mut resolver = Resolver::new(DataTable::new(catalog, declarations, n));
    resolver.logical = true;
    resolver.types_only = !alias.head.generics.is_empty();
    let generics: Vec<_> =
        alias.head.generics.iter().map(|param| (param.name.clone(), TypeArg::Known(stand_in()))).collect();
    let mut env = Env { generics: generics.clone(), ..Env::default() };
    let plain = Rc::new(Env { generics, ..Env::default() });
    for (index, param) in alias.head.params.iter().enumerate() {
        let Some(refined) = resolver.value_parameter(&param.ty, &plain) else {
            return resolver.diagnostics;
        };
        env.names.push(Name {
            name: param.name.name.clone(),
            term: Term::Var(index as u32),
            ty: resolver.data.ty_of(&refined),
            refined: Some(refined),
        });
    }
    let expected = Expected { core: None, position: Position::Input };
    resolver.layer(&alias.body, &Rc::new(env), expected);
    finished(resolver)
}

/// The mistakes in a view, and whether it has no finite values.
fn view(index: usize, declarations: &Declarations, catalog: &Catalog) -> (Vec<Diagnostic>, bool) {
    let DeclarationHead { name, generics, .. } = &declarations.views.all[index].head;
    let mut resolver = Resolver::new(DataTable::new(catalog, declarations, 0));
    resolver.types_only = !generics.is_empty();
    let id = resolver.view_instance(index, generics.iter().map(|_| stand_in()).collect());
    let types = Inhabited::of(&resolver.data.data, resolver.data.value_slot);
    let endless = id.and_then(|id| types.endless(id, &name.name, name.span));
    let is_endless = endless.is_some();
    resolver.diagnostics.extend(endless);
    (finished(resolver), is_endless)
}

/// The mistakes in a measure.
fn measure_mistakes(declared: &Measure, declarations: &Declarations, catalog: &Catalog) -> Vec<Diagnostic> {
    let mut data = DataTable::new(catalog, declarations, 0);
    if let Err(mistake) = data.measure_types(declared) {
        return vec![mistake];
    }
    if !declared.signature.head.generics.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Diagnostic> = data.measure_instance(declared, Vec::new()).err().into_iter().collect();
    found.extend(measure::finish(&mut data));
    if found.is_empty() {
        found.extend(termination::check(&data));
    }
    found
}

fn finished(mut resolver: Resolver<'_>) -> Vec<Diagnostic> {
    resolver.diagnostics.extend(measure::finish(&mut resolver.data));
    resolver.diagnostics
}

/// `i64`, for a type parameter of a declaration that is only checked for its types.
fn stand_in() -> Refined {
    Refined::plain(Sort::Int(IntKind::I64))
}
