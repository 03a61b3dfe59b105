//! Questions about functions among the arguments: `f(x)`, `calls(f)`, `returns(f)`, and laws such as `total_order(f)`.

mod written;

use target_strategies::logic::ir::{CallbackKind, Law, Question, Term};

use super::mistake::count;
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident};

impl Elaborator<'_, '_, '_> {
    /// `f(a, b)`
    pub(super) fn result_of(
        &mut self,
        (name, function, kind): (&Ident, &Term, CallbackKind),
        params: &[Ty],
        args: &[Expr],
        result: Ty,
        span: Span,
    ) -> Checked<Typed> {
        let slot = slot_of(name, function)?;
        if kind != CallbackKind::Pure {
            let message = format!(
                "`{}` may give another result each time; only the result of an `fn` can be asked",
                name.name
            );
            let help = "`returns(..)` has the results of all calls, in `ensures`";
            return Err(Diagnostic::error(span, message).help(help));
        }
        if args.len() != params.len() {
            return Err(count(span, &format!("`{}`", name.name), params.len(), "argument", args.len()));
        }
        let args = args.iter().zip(params).map(|(arg, ty)| Ok(self.check(arg, ty)?.0));
        let args = args.collect::<Checked<Vec<Term>>>()?;
        Ok((Term::Ask(Question::Result, slot, args), result))
    }

    /// `calls(f)`, `returns(f)`, or a law of `f`, if the name is one of these and `f` is a function.
    pub(super) fn question(&mut self, name: &Ident, args: &[Expr], span: Span) -> Checked<Option<Typed>> {
        let law = Law::ALL.iter().find(|(_, known)| *known == name.name).map(|(law, _)| *law);
        let [Expr { kind: ExprKind::Path(path), .. }] = args else { return Ok(None) };
        let ([function], true) =
            (path.as_slice(), law.is_some() || ["calls", "returns"].contains(&&*name.name))
        else {
            return Ok(None);
        };
        let Some((term, Ty::Function(_, params, result, _))) = self.lookup(&function.name, function.span)?
        else {
            let message = format!("`{}` is about functions among the arguments", name.name);
            return Err(Diagnostic::error(span, message));
        };
        let slot = slot_of(function, &term)?;
        if let Some(law) = law {
            self.law_fits(law, &params, &result, span)?;
            return Ok(Some((Term::Ask(Question::Obeys(law), slot, Vec::new()), Ty::Bool)));
        }
        if self.scope.old.is_empty() {
            let message =
                format!("`{}` can only be used in `ensures`: before, there were no calls", name.name);
            return Err(Diagnostic::error(span, message));
        }
        let (question, element) = match (&*name.name, params.as_slice()) {
            ("returns", _) => (Question::Returns, *result),
            (_, [param]) => (Question::Calls, param.clone()),
            (_, params) => (Question::Calls, Ty::Tuple(params.to_vec())),
        };
        Ok(Some((Term::Ask(question, slot, Vec::new()), Ty::Seq(Box::new(element)))))
    }

    /// Whether a function has the parameters and the result that a law is about.
    fn law_fits(&self, law: Law, params: &[Ty], result: &Ty, span: Span) -> Checked<()> {
        let is_relation = matches!(params, [a, b] if a == b);
        let is_ordering = match result {
            Ty::Data(id) => {
                matches!(self.data.item_of(*id), Item::View(..))
                    && self.data.get(*id).rust_type.ends_with("Ordering")
            }
            _ => false,
        };
        let (fits, form) = match law {
            Law::TotalOrder => (is_relation && is_ordering, "fn(a: T, b: T) -> Ordering"),
            Law::Equivalence => (is_relation && *result == Ty::Bool, "fn(a: T, b: T) -> bool"),
            Law::Commutative => (is_relation, "fn(a: T, b: T) -> U"),
            Law::Monotone | Law::Antitone => (params.len() == 1, "fn(x: T) -> U"),
            Law::Injective | Law::Pure => (true, ""),
        };
        if fits {
            return Ok(());
        }
        let message = format!("`{}` is about functions of the form `{form}`", law.name());
        Err(Diagnostic::error(span, message))
    }
}

/// The slot of a function that is a parameter.
fn slot_of(name: &Ident, function: &Term) -> Checked<u32> {
    match function {
        Term::Var(slot) => Ok(*slot),
        _ => {
            let message = format!("`{}` is not a parameter: only those can be asked", name.name);
            Err(Diagnostic::error(name.span, message))
        }
    }
}
