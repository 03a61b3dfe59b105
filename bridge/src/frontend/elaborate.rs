//! Turns expressions as written into typed terms: names become slots, overloaded methods become distinct terms.
//!
//! In `Rng(n: int) = "{v: i64 | 0 <= v && v < n}"` at `Rng(r1)`, the [`Scope`] binds `v` to slot 3 and `n` to slot 0,
//! and [`condition`] gives the clauses `Compare(Le, 0, Var(3))` and `Compare(Lt, Var(3), Var(0))`. Types flow both
//! ways: a typed side of an `==` determines the type of a `None` or `vec![]` on the other side.
//! [`crate::frontend::resolve`] provides the names and uses the clauses.

mod build;
mod call;
mod closure;
mod constant;
mod control;
mod derivation;
mod expr;
mod foreign;
mod format;
mod function;
mod implied;
mod measure;
mod method;
mod mistake;
mod operator;
mod path;
mod pattern;
pub mod print;
pub mod relation;
mod scope;
mod total;

use target_strategies::logic::ir::{FunctionId, Term};

pub use self::constant::constant;
pub use self::implied::{absorbed, with_lists};
use self::scope::{Entry, Meaning};
pub use self::scope::{Forbidden, Scope};
use crate::frontend::data::DataTable;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind};

/// Maximum size of a name's term that is repeated at each use of the name. A bigger term is bound once around the
/// clause; otherwise aliases that double their arguments would grow without bound.
const MAX_REPEATED: usize = 16;

type Typed = (Term, Ty);
type Checked<T> = Result<T, Diagnostic>;

/// The clauses of a refinement or condition: its conjuncts in order, each with its span.
pub fn condition(
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Term, Span)> {
    let mut clauses = Vec::new();
    for conjunct in operands(expr, BinaryOp::And) {
        match term(conjunct, scope, data, Some(&Ty::Bool)) {
            Ok((term, _)) => clauses.push((implied::strengthened(term, data), conjunct.span)),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    implied::sizes::strengthen(clauses.iter_mut().map(|(term, _)| term));
    clauses
}

/// The term of an expression, with the expected type if there is one.
pub fn term(
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    expected: Option<&Ty>,
) -> Result<(Term, Ty), Diagnostic> {
    whole(expr, scope, data, expected, None)
}

/// The body of a measure, with its result's type.
pub fn body(
    of: FunctionId,
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    result: &Ty,
) -> Result<(Term, Ty), Diagnostic> {
    whole(expr, scope, data, Some(result), Some(of))
}

fn whole(
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    expected: Option<&Ty>,
    inside: Option<FunctionId>,
) -> Result<(Term, Ty), Diagnostic> {
    let (locals, shared) = (Vec::new(), Vec::new());
    let mut elaborator = Elaborator { scope, data, locals, in_old: false, shared, inside };
    let (term, ty) = match expected {
        Some(expected) => elaborator.check(expr, expected)?,
        None => elaborator.typed(expr, None)?,
    };
    let shared = std::mem::take(&mut elaborator.shared);
    let whole =
        shared.into_iter().rev().fold(term, |body, shared| build::bound(shared.slot, shared.value, body));
    Ok((whole, ty))
}

/// The operands of a chain of one associative operator, in order; not recursive, since chains may be long.
fn operands(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    let mut open = vec![expr];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        match &next.kind {
            ExprKind::Binary(found, a, b) if *found == op => open.extend([&**b, &**a]),
            _ => found.push(next),
        }
    }
    found
}

/// Turns one expression into a term.
struct Elaborator<'s, 'd, 'c> {
    scope: &'s Scope,
    data: &'d mut DataTable<'c>,
    /// The surrounding binders, innermost last.
    locals: Vec<Local>,
    /// Whether the elaborator is inside `old(..)`.
    in_old: bool,
    /// Big terms of names in scope, to be bound around the whole expression.
    shared: Vec<Shared>,
    /// The measure whose body is elaborated.
    inside: Option<FunctionId>,
}

/// A name bound inside the expression.
struct Local {
    name: String,
    term: Term,
    ty: Ty,
}

/// A big term of a name in scope.
struct Shared {
    /// The name's key in the scope: whether it is inside `old`, and the index.
    key: (bool, usize),
    slot: u32,
    value: Term,
}

impl Elaborator<'_, '_, '_> {
    /// A slot that no other binder of the spec has.
    fn fresh(&mut self) -> u32 {
        self.data.fresh()
    }

    /// Looks a name up, from the innermost binder outwards.
    fn lookup(&mut self, name: &str, span: Span) -> Checked<Option<Typed>> {
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == name) {
            return Ok(Some((local.term.clone(), local.ty.clone())));
        }
        let scope = self.scope;
        let find = |entries: &[Entry]| entries.iter().rposition(|entry| entry.name == name);
        if self.in_old
            && let Some(index) = find(&scope.old)
        {
            return self.meaning((true, index), &scope.old[index], span).map(Some);
        }
        match find(&scope.entries) {
            Some(index) => self.meaning((false, index), &scope.entries[index], span).map(Some),
            None => Ok(None),
        }
    }

    fn meaning(&mut self, key: (bool, usize), entry: &Entry, span: Span) -> Checked<Typed> {
        let (term, ty) = match &entry.meaning {
            Meaning::Forbidden(Forbidden::Because(reason)) => {
                return Err(Diagnostic::error(span, reason.clone()));
            }
            Meaning::Forbidden(Forbidden::BadDeclaration) => return Err(Diagnostic::following(span)),
            Meaning::Term(term, ty) => (term, ty),
        };
        if build::is_small(term, MAX_REPEATED) {
            return Ok((term.clone(), ty.clone()));
        }
        let slot = match self.shared.iter().find(|shared| shared.key == key) {
            Some(shared) => shared.slot,
            None => {
                let slot = self.fresh();
                self.shared.push(Shared { key, slot, value: term.clone() });
                slot
            }
        };
        Ok((Term::Var(slot), ty.clone()))
    }

    /// Gives `body` a term that it may repeat: the value itself if it is a path, else a slot bound around the body.
    fn once<T>(
        &mut self,
        value: Term,
        body: impl FnOnce(&mut Self, Term) -> Checked<(Term, T)>,
    ) -> Checked<(Term, T)> {
        if build::is_path(&value) {
            return body(self, value);
        }
        let slot = self.fresh();
        let (inner, rest) = body(self, Term::Var(slot))?;
        Ok((build::bound(slot, value, inner), rest))
    }

    /// The same for a value that Rust evaluates even if the result doesn't need it.
    fn eager<T>(
        &mut self,
        value: Term,
        body: impl FnOnce(&mut Self, Term) -> Checked<(Term, T)>,
    ) -> Checked<(Term, T)> {
        if build::may_be_copied(&value) { body(self, value) } else { self.once(value, body) }
    }
}

#[cfg(test)]
mod tests;
