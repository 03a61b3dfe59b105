//! A method call as written, before the receiver's type decides what it means.

use crate::frontend::diagnostic::Span;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident, UnaryOp};

/// A call without its receiver.
pub(super) struct Call<'e> {
    pub name: &'e Ident,
    pub args: &'e [Expr],
    /// The span of the receiver.
    pub receiver: Span,
    pub hint: Option<&'e Ty>,
}

/// An expression without surrounding `&` and `*`.
pub(in crate::frontend::elaborate) fn unreferenced(mut expr: &Expr) -> &Expr {
    while let ExprKind::Unary(UnaryOp::Ref | UnaryOp::RefMut | UnaryOp::Deref, inner) = &expr.kind {
        expr = inner;
    }
    expr
}
