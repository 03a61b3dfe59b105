//! Closures, and paths used as closures (`char::is_alphabetic`, `Some`), applied to terms.

use target_strategies::logic::ir::{Closure, Term};

use super::control::{Around, wrap};
use super::mistake::count;
use super::{Checked, Elaborator, Local, Typed};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident};

/// The type of a closure's body.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'t> {
    /// Exactly this type.
    Exactly(&'t Ty),
    /// This type if possible; `None` for any type.
    Maybe(Option<&'t Ty>),
}

impl Elaborator<'_, '_, '_> {
    /// A closure of one element, as a binder.
    pub(super) fn closure(
        &mut self,
        function: &Expr,
        element: &Ty,
        wanted: Wanted,
    ) -> Checked<(Closure, Ty)> {
        let slot = self.fresh();
        let (body, ty) = self.apply(function, vec![(Term::Var(slot), element.clone())], wanted)?;
        Ok((Closure { slot, body: Box::new(body) }, ty))
    }

    /// A closure that tests one element.
    pub(super) fn test(&mut self, function: &Expr, element: &Ty) -> Checked<Closure> {
        Ok(self.closure(function, element, Wanted::Exactly(&Ty::Bool))?.0)
    }

    /// A closure applied to terms that may be repeated.
    pub(super) fn apply(&mut self, function: &Expr, args: Vec<Typed>, wanted: Wanted) -> Checked<Typed> {
        let depth = self.locals.len();
        let result = match &function.kind {
            ExprKind::Closure(pats, body) => {
                if pats.len() != args.len() {
                    return Err(count(function.span, "the closure here", args.len(), "argument", pats.len()));
                }
                let mut around: Vec<Around> = Vec::new();
                for (pat, (term, ty)) in pats.iter().zip(args) {
                    self.bind_always(pat, &term, &ty, &mut around)?;
                }
                let (body, ty) = self.body(body, wanted)?;
                Ok((wrap(around, body), ty))
            }
            ExprKind::Path(path) => {
                let call = self.called(function, path, args);
                self.body(&call, wanted)
            }
            _ => Err(Diagnostic::error(function.span, "expected a closure, as in `|x| 0 < x`")),
        };
        self.locals.truncate(depth);
        result
    }

    fn body(&mut self, body: &Expr, wanted: Wanted) -> Checked<Typed> {
        match wanted {
            Wanted::Exactly(ty) => self.check(body, ty),
            Wanted::Maybe(hint) => self.typed(body, hint),
        }
    }

    /// `path(args)`, with names for the arguments that no user can write.
    fn called(&mut self, function: &Expr, path: &[Ident], args: Vec<Typed>) -> Expr {
        let span = function.span;
        let mut names = Vec::new();
        for (at, (term, ty)) in args.into_iter().enumerate() {
            let name = format!("argument {at}");
            self.locals.push(Local { name: name.clone(), term, ty });
            names.push(Expr { kind: ExprKind::Path(vec![Ident { name, span }]), span });
        }
        let callee = Expr { kind: ExprKind::Path(path.to_vec()), span };
        Expr { kind: ExprKind::Call(Box::new(callee), names), span }
    }
}
