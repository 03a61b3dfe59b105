//! Mistakes in aliases themselves, so that one is reported once, and also where no function uses the alias.
//!
//! An alias with type parameters can't be understood wholly without its arguments; of it only the types are checked.

use std::rc::Rc;

use target_strategies::ir::Term;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Span};
use crate::resolve::alias::{Alias, Aliases};
use crate::resolve::data::{DataTable, Position};
use crate::resolve::names::{Env, Name, TypeArg};
use crate::resolve::texts::Texts;
use crate::resolve::types::{Expected, Resolver};
use crate::spec::ast::{Ident, Type, TypeKind};

/// The mistakes in an alias.
pub fn alias(
    alias: &Alias,
    aliases: &Aliases,
    catalog: &Catalog,
    texts: &Texts<'_>,
    measures: &[String],
) -> Vec<Diagnostic> {
    let n = alias.head.params.len() as u32;
    let stand_in = stand_in(alias.head.name.span);
    let mut resolver = Resolver::new(DataTable::new(catalog, 2 * n + 1), aliases, texts, n);
    resolver.logical = true;
    resolver.types_only = !alias.head.generics.is_empty();
    let nowhere = Rc::new(Env::default());
    let arg = TypeArg { ty: &stand_in, env: Rc::clone(&nowhere) };
    let generics: Vec<_> =
        alias.head.generics.iter().map(|param| (param.name.clone(), arg.clone())).collect();
    let mut env = Env { generics: generics.clone(), ..Env::default() };
    let plain = Rc::new(Env { generics, ..Env::default() });
    let forbid = |name: &String| (name.clone(), "measures are not supported yet".to_owned());
    env.forbidden = measures.iter().map(forbid).collect();
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
    resolver.diagnostics
}

/// `i64`, for a type parameter of an alias whose types alone are checked.
fn stand_in(span: Span) -> Type {
    let path = vec![Ident { name: "i64".to_owned(), span }];
    Type { kind: TypeKind::Path { path, generics: Vec::new(), args: Vec::new() }, span }
}
