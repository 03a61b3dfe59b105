//! Questions about functions among the arguments: `f(x)`, `calls(f)`, `returns(f)`, and laws such as `total_order(f)`.

mod written;

use target_strategies::logic::ir::{Asked, CallbackKind, Law, Question, Term};

use super::mistake::{count, did_you_mean, with_guess};
use super::scope::Meaning;
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{self, Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident};

/// A function that a condition asks about.
pub(super) struct AskedFunction {
    pub of: Asked,
    /// The value that the function is, unless `of` has its place.
    pub value: Option<Term>,
    pub kind: CallbackKind,
    pub params: Vec<Ty>,
    pub result: Ty,
}

impl Elaborator<'_, '_, '_> {
    /// `f(a, b)`
    pub(super) fn result_of(
        &mut self,
        (name, function): (&str, AskedFunction),
        args: &[Expr],
        span: Span,
    ) -> Checked<Typed> {
        let AskedFunction { of, value, kind, params, result } = function;
        if kind != CallbackKind::Pure {
            let message =
                format!("{name} may give another result each time; only the result of an `fn` can be asked");
            let help = "`returns(..)` has the results of all calls, in `ensures`";
            return Err(Diagnostic::error(span, message).help(help));
        }
        if args.len() != params.len() {
            return Err(count(span, name, params.len(), "argument", args.len()));
        }
        let args = args.iter().zip(&params).map(|(arg, ty)| Ok(self.check(arg, ty)?.0));
        let parts = value.map(Ok).into_iter().chain(args).collect::<Checked<Vec<Term>>>()?;
        Ok((Term::Ask(Question::Result, of, parts), result))
    }

    /// `calls(f)`, `returns(f)`, or a law of `f`, if the name is one of these and `f` is a function.
    pub(super) fn question(&mut self, name: &Ident, args: &[Expr], span: Span) -> Checked<Option<Typed>> {
        let law = Law::ALL.iter().find(|(_, known)| *known == name.name).map(|(law, _)| *law);
        if law.is_none() && !["calls", "returns"].contains(&&*name.name) {
            return Ok(None);
        }
        let [function] = args else {
            return Err(count(span, &format!("`{}`", name.name), 1, "argument", args.len()));
        };
        let Some(AskedFunction { of, value, params, result, .. }) = self.function_named(function)? else {
            let message = format!("`{}` is about functions among the arguments", name.name);
            let diagnostic = Diagnostic::error(name.span, message);
            let advice = format!("write one, as in `{0}(f)` or `{0}(fs[0])`", name.name);
            return Err(with_guess(diagnostic, self.similar_parameter(function, &name.name), &advice));
        };
        let value = value.into_iter().collect();
        if let Some(law) = law {
            self.law_fits(law, &params, &result, span)?;
            return Ok(Some((Term::Ask(Question::Obeys(law), of, value), Ty::Bool)));
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
        Ok(Some((Term::Ask(question, of, value), Ty::Seq(Box::new(element)))))
    }

    /// The question with a function whose name is like one that there isn't.
    fn similar_parameter(&self, expr: &Expr, question: &str) -> Option<String> {
        let ExprKind::Path(path) = &expr.kind else { return None };
        let [name] = path.as_slice() else { return None };
        let functions = self.scope.entries.iter().filter(|entry| match &entry.meaning {
            Meaning::Term(_, ty) => matches!(ty, Ty::Function(..)),
            Meaning::Forbidden(_) => false,
        });
        let guess = diagnostic::did_you_mean(&name.name, functions.map(|entry| &*entry.name))?;
        Some(format!("did you mean `{question}({guess})`?"))
    }

    /// The function that an expression is: `f`, `p.price`, or `fs[0]`.
    pub(super) fn function_named(&mut self, expr: &Expr) -> Checked<Option<AskedFunction>> {
        let (term, ty) = match &expr.kind {
            ExprKind::Path(path) => {
                let [name] = path.as_slice() else { return Ok(None) };
                let Some(found) = self.lookup(&name.name, name.span)? else { return Ok(None) };
                found
            }
            ExprKind::Field(of, method) => {
                let (term, ty) = self.typed(of, None)?;
                if let Some(found) = self.method_of_trait((&term, &ty), method, of.span)? {
                    return Ok(Some(found));
                }
                self.typed(expr, None)?
            }
            _ => self.typed(expr, None)?,
        };
        self.function(term, ty, expr.span)
    }

    /// The function that a term is, if it is one.
    pub(super) fn function(&self, term: Term, ty: Ty, span: Span) -> Checked<Option<AskedFunction>> {
        let Ty::Function(kind, params, result, _) = ty else { return Ok(None) };
        let (of, value) = match parameter(&term, self.data.value_slot) {
            Some(slot) => (Asked::Param(slot), None),
            None if self.scope.is_after => (Asked::Inside, Some(term)),
            None => {
                let message = "before the call, only functions that are parameters can be asked";
                let is_refined = term == Term::Var(self.data.value_slot);
                let help = if is_refined { "write the condition in `requires`" } else { APART };
                return Err(Diagnostic::error(span, message).help(help));
            }
        };
        Ok(Some(AskedFunction { of, value, kind, params, result: *result }))
    }

    /// A method without a body of the trait whose values a type has.
    pub(super) fn method_of_trait(
        &self,
        (value, ty): (&Term, &Ty),
        method: &Ident,
        span: Span,
    ) -> Checked<Option<AskedFunction>> {
        let Ty::Data(id) = ty else { return Ok(None) };
        let data = self.data.get(*id);
        let Some(object) = &data.object else { return Ok(None) };
        let fields = data.ctors.first().map_or(&[][..], |ctor| &ctor.fields);
        let Some(at) = fields.iter().position(|field| field.name == method.name) else {
            let diagnostic = Diagnostic::error(method.span, format!("no method `{}` to ask", method.name));
            if object.methods.iter().any(|known| known.name == method.name) {
                return Err(diagnostic.help("only methods without a body can be asked"));
            }
            let guess = did_you_mean(&method.name, fields.iter().map(|field| &*field.name));
            return Err(with_guess(diagnostic, guess, "the trait doesn't have it"));
        };
        let Some(slot) = parameter(value, self.data.value_slot) else {
            let message = "only the methods of a parameter can be asked";
            let help = "take each value as a parameter, and let a `call` put them together: `call = \"|a: Box<dyn Rule>, b: Box<dyn Rule>, x: u8| first(vec![a, b], x)\"`";
            return Err(Diagnostic::error(span, message).help(help));
        };
        let Ty::Function(kind, params, result, _) = self.data.ty_of(&fields[at].refined) else {
            return Ok(None);
        };
        let of = Asked::Method(slot, at as u32);
        Ok(Some(AskedFunction { of, value: None, kind, params, result: *result }))
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

/// What to do where a function can't be asked.
const APART: &str = "take each function as a parameter, and let a `call` put them together: \
    `call = \"|f: Box<dyn Fn(u8) -> u8>, g: Box<dyn Fn(u8) -> u8>, x: u8| both((f, g), x)\"`";

/// The slot of the parameter that a term is, as on entry: a function is the same on return.
fn parameter(term: &Term, value_slot: u32) -> Option<u32> {
    let Term::Var(slot) = *term else { return None };
    if slot < value_slot {
        return Some(slot);
    }
    (slot > value_slot && slot <= 2 * value_slot).then(|| slot - value_slot - 1)
}
