//! Questions about functions among the arguments: `f(x)`, `calls(f)`, `returns(f)`, and laws such as `total_order(f)`.

mod written;

use target_strategies::logic::ir::{Asked, CallbackKind, Law, Question, Term};

use super::mistake::count;
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident};

/// A method of a trait that a condition asks about.
pub(super) struct AskedMethod {
    pub of: Asked,
    pub kind: CallbackKind,
    pub params: Vec<Ty>,
    pub result: Ty,
}

impl Elaborator<'_, '_, '_> {
    /// `f(a, b)`
    pub(super) fn result_of(
        &mut self,
        (name, of, kind): (&Ident, Asked, CallbackKind),
        params: &[Ty],
        args: &[Expr],
        result: Ty,
        span: Span,
    ) -> Checked<Typed> {
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
        Ok((Term::Ask(Question::Result, of, args), result))
    }

    /// `calls(f)`, `returns(f)`, or a law of `f`, if the name is one of these and `f` is a function.
    pub(super) fn question(&mut self, name: &Ident, args: &[Expr], span: Span) -> Checked<Option<Typed>> {
        let law = Law::ALL.iter().find(|(_, known)| *known == name.name).map(|(law, _)| *law);
        if law.is_none() && !["calls", "returns"].contains(&&*name.name) {
            return Ok(None);
        }
        let [function] = args else { return Ok(None) };
        let Some((of, params, result)) = self.function_named(function)? else {
            let message = format!("`{}` is about functions among the arguments", name.name);
            let help =
                format!("write the name of one, as in `{}(f)`; functions in lists have no names", name.name);
            return Err(Diagnostic::error(name.span, message).help(help));
        };
        if let Some(law) = law {
            self.law_fits(law, &params, &result, span)?;
            return Ok(Some((Term::Ask(Question::Obeys(law), of, Vec::new()), Ty::Bool)));
        }
        if !self.scope.is_after {
            let message = format!(
                "`{}` can only be used in conditions on the result: before, there were no calls",
                name.name
            );
            return Err(Diagnostic::error(span, message));
        }
        let (question, element) = match (&*name.name, params.as_slice()) {
            ("returns", _) => (Question::Returns, result),
            (_, [param]) => (Question::Calls, param.clone()),
            (_, params) => (Question::Calls, Ty::Tuple(params.to_vec())),
        };
        Ok(Some((Term::Ask(question, of, Vec::new()), Ty::Seq(Box::new(element)))))
    }

    /// The function that an expression names, `f` or `p.price`, with its parameters and its result.
    fn function_named(&mut self, expr: &Expr) -> Checked<Option<(Asked, Vec<Ty>, Ty)>> {
        match &expr.kind {
            ExprKind::Path(path) => {
                let [name] = path.as_slice() else { return Ok(None) };
                let found = self.lookup(&name.name, name.span)?;
                let Some((term, Ty::Function(_, params, result, _))) = found else { return Ok(None) };
                Ok(Some((asked(name, &term, self.data.value_slot)?, params, *result)))
            }
            ExprKind::Field(of, method) => {
                let ExprKind::Path(path) = &of.kind else { return Ok(None) };
                let [name] = path.as_slice() else { return Ok(None) };
                let Some((term, ty)) = self.lookup(&name.name, name.span)? else { return Ok(None) };
                let found = self.method_of_trait((&term, &ty), method, name.span)?;
                Ok(found.map(|found| (found.of, found.params, found.result)))
            }
            _ => Ok(None),
        }
    }

    /// A method without a body of the trait whose values a type has.
    pub(super) fn method_of_trait(
        &self,
        (value, ty): (&Term, &Ty),
        method: &Ident,
        span: Span,
    ) -> Checked<Option<AskedMethod>> {
        let Ty::Data(id) = ty else { return Ok(None) };
        let data = self.data.get(*id);
        let Some(object) = &data.object else { return Ok(None) };
        let fields = data.ctors.first().map_or(&[][..], |ctor| &ctor.fields);
        let Some(at) = fields.iter().position(|field| field.name == method.name) else {
            let has_body = object.methods.iter().any(|known| known.name == method.name);
            let help = if has_body {
                "only methods without a body can be asked"
            } else {
                "the trait doesn't have it"
            };
            let message = format!("no method `{}` to ask", method.name);
            return Err(Diagnostic::error(method.span, message).help(help));
        };
        let Term::Var(slot) = value else {
            let message = "only the methods of a parameter can be asked";
            let help = "take each value as a parameter, and let a `call` put them together: `call = \"|a: Box<dyn Rule>, b: Box<dyn Rule>, x: u8| first(vec![a, b], x)\"`";
            return Err(Diagnostic::error(span, message).help(help));
        };
        let Ty::Function(kind, params, result, _) = self.data.ty_of(&fields[at].refined) else {
            return Ok(None);
        };
        let of = Asked { slot: on_entry(*slot, self.data.value_slot), method: Some(at as u32) };
        Ok(Some(AskedMethod { of, kind, params, result: *result }))
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

/// A function that is a parameter.
pub(super) fn asked(name: &Ident, function: &Term, value_slot: u32) -> Checked<Asked> {
    match function {
        Term::Var(slot) => Ok(Asked { slot: on_entry(*slot, value_slot), method: None }),
        _ => {
            let message = format!("`{}` is not a parameter: only those can be asked", name.name);
            Err(Diagnostic::error(name.span, message))
        }
    }
}

/// The slot of a parameter as on entry: a function is the same on return.
fn on_entry(slot: u32, value_slot: u32) -> u32 {
    if slot > value_slot && slot <= 2 * value_slot { slot - value_slot - 1 } else { slot }
}
