//! From expressions as written to typed terms: names become slots, overloaded methods distinct terms.
//!
//! In `Rng(n: int) = "{v: i64 | 0 <= v && v < n}"` at `Rng(r1)`, the [`Scope`] binds `v` to slot 3 and `n` to slot 0, and
//! [`condition`] gives the clauses `Compare(Le, 0, Var(3))` and `Compare(Lt, Var(3), Var(0))`. Types run both ways: the
//! side of an `==` that has one gives it to a `None` or `vec![]` on the other. Where names come from, and what becomes of
//! the clauses, is the business of [`crate::resolve`].

mod scope;

use target_strategies::ir::{Refined, Term};
use target_strategies::value::Value;

pub use self::scope::Scope;
use crate::diagnostic::{Diagnostic, Span};
use crate::logic_type::Ty;
use crate::resolve::data::DataTable;
use crate::spec::ast::Expr;

/// The clauses of a refinement or condition: its conjuncts in order, each with its place.
pub fn condition(
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Term, Span)> {
    match term(expr, scope, data, Some(&Ty::Bool)) {
        Ok((term, _)) => vec![(term, expr.span)],
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            Vec::new()
        }
    }
}

/// An expression, of the expected type if there is one.
pub fn term(
    expr: &Expr,
    _scope: &Scope,
    _data: &mut DataTable<'_>,
    _expected: Option<&Ty>,
) -> Result<(Term, Ty), Diagnostic> {
    Err(Diagnostic::error(expr.span, "not supported yet"))
}

/// A closed expression, as in `examples`: its value.
pub fn constant(expr: &Expr, _expected: &Refined, _data: &mut DataTable<'_>) -> Result<Value, Diagnostic> {
    Err(Diagnostic::error(expr.span, "not supported yet"))
}
