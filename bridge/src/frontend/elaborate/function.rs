//! Functions among the arguments: questions about them, `f(x)`, `calls(f)`, `returns(f)`, laws such as `total_order(f)`;
//! and their values, written as reports show them, `|x| match x { 0 => 3, _ => 1 }`.

use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{CallbackKind, Law, Question, Term};
use target_strategies::logic::table::table;
use target_strategies::logic::value::Value;

use super::mistake::count;
use super::{Checked, Elaborator, Local, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident, Pat, PatKind};

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
        let Some((term, Ty::Function(_, params, result))) = self.lookup(&function.name, function.span)?
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

/// The entries of a function that is written as a closure, and its result for all other arguments.
#[derive(Default)]
struct Written {
    entries: Vec<(Vec<Value>, Value)>,
    default: Option<Value>,
}

impl Elaborator<'_, '_, '_> {
    /// The value of a function that is written as a closure.
    pub(super) fn table(
        &mut self,
        expr: &Expr,
        kind: CallbackKind,
        params: &[Ty],
        result: &Ty,
    ) -> Checked<Value> {
        let mut written = Written::default();
        match &expr.kind {
            ExprKind::Closure(names, _) if names.len() != params.len() => {
                return Err(count(expr.span, "this function", params.len(), "parameter", names.len()));
            }
            ExprKind::Closure(names, body) => {
                let n_locals = self.locals.len();
                // A result that depends on an argument has no value here.
                for (name, ty) in names.iter().zip(params) {
                    if let PatKind::Bind(name, _) = &name.kind {
                        self.locals.push(Local {
                            name: name.name.clone(),
                            term: Term::Undefined,
                            ty: ty.clone(),
                        });
                    }
                }
                self.arms(body, params, result, &mut written)?;
                self.locals.truncate(n_locals);
            }
            _ => self
                .in_order(expr, result, &mut written)
                .filter(|()| kind == CallbackKind::Stateful)
                .ok_or_else(|| {
                    let message = "a function is written as a table: `|x| match x { 0 => 3, _ => 1 }`";
                    Diagnostic::error(expr.span, message)
                })?,
        }
        Ok(table(written.entries, written.default))
    }

    /// The body of a closure: a `match` with constant patterns, an `if` with constants, or a constant.
    fn arms(&mut self, body: &Expr, params: &[Ty], result: &Ty, written: &mut Written) -> Checked<()> {
        match &body.kind {
            ExprKind::Unreachable => {}
            ExprKind::Match(_, arms) => {
                for arm in arms {
                    match &arm.pat.kind {
                        PatKind::Wild => self.arms(&arm.body, params, result, written)?,
                        _ => {
                            let key = self.key(&arm.pat, params)?;
                            written.entries.push((key, self.constant_of(&arm.body, result)?));
                        }
                    }
                }
            }
            ExprKind::If(condition, then, Some(otherwise)) => {
                let mut key = Vec::new();
                for (equal, ty) in super::operands(condition, BinaryOp::And).into_iter().zip(params) {
                    let ExprKind::Binary(BinaryOp::Eq, _, arg) = &equal.kind else {
                        return Err(Diagnostic::error(equal.span, "expected `x == ..`, with a constant"));
                    };
                    key.push(self.constant_of(arg, ty)?);
                }
                written.entries.push((key, self.constant_of(then, result)?));
                self.arms(otherwise, params, result, written)?;
            }
            ExprKind::Block(lets, tail) if lets.is_empty() => self.arms(tail, params, result, written)?,
            _ => written.default = Some(self.constant_of(body, result)?),
        }
        Ok(())
    }

    /// `{ let mut results = vec![1, 2].into_iter(); move |_| results.next().unwrap_or(3) }`
    fn in_order(&mut self, expr: &Expr, result: &Ty, written: &mut Written) -> Option<()> {
        let ExprKind::Block(lets, tail) = &expr.kind else { return None };
        let ([first], ExprKind::Closure(_, body)) = (lets.as_slice(), &tail.kind) else { return None };
        let ExprKind::MethodCall(list, ..) = &first.value.kind else { return None };
        let (ExprKind::Vec(results), ExprKind::MethodCall(_, name, rest)) = (&list.kind, &body.kind) else {
            return None;
        };
        for (index, value) in (1_u64..).zip(results) {
            let value = self.constant_of(value, result).ok()?;
            written.entries.push((vec![Value::int(index)], value));
        }
        if let ("unwrap_or", [default]) = (name.name.as_str(), rest.as_slice()) {
            written.default = Some(self.constant_of(default, result).ok()?);
        }
        Some(())
    }

    /// The arguments that a pattern matches.
    fn key(&mut self, pat: &Pat, params: &[Ty]) -> Checked<Vec<Value>> {
        let expr = constant_pattern(pat)
            .ok_or_else(|| Diagnostic::error(pat.span, "expected a constant, or `_`"))?;
        match (params, &expr.kind) {
            ([param], _) => Ok(vec![self.constant_of(&expr, param)?]),
            (params, ExprKind::Tuple(parts)) if parts.len() == params.len() => {
                parts.iter().zip(params).map(|(part, ty)| self.constant_of(part, ty)).collect()
            }
            (params, _) => Err(count(pat.span, "this pattern", params.len(), "part", 1)),
        }
    }

    fn constant_of(&mut self, expr: &Expr, ty: &Ty) -> Checked<Value> {
        let (term, _) = self.check(expr, ty)?;
        let value = Judge::new(None).with_regexes(&self.data.regexes).value(&term);
        value.map_err(|_| {
            let message = "the result of a function is a constant for each of its arguments";
            Diagnostic::error(expr.span, message)
                .help("write it as a table: `|x| match x { 0 => 3, _ => 1 }`")
        })
    }
}

/// A pattern without names as the expression that it matches.
fn constant_pattern(pat: &Pat) -> Option<Expr> {
    let all = |pats: &[Pat]| pats.iter().map(constant_pattern).collect::<Option<Vec<Expr>>>();
    let kind = match &pat.kind {
        PatKind::Lit(literal) => return Some((**literal).clone()),
        PatKind::Path(path) => ExprKind::Path(path.clone()),
        PatKind::TupleStruct(path, pats, None) => {
            let function = Expr { kind: ExprKind::Path(path.clone()), span: pat.span };
            ExprKind::Call(Box::new(function), all(pats)?)
        }
        PatKind::Tuple(pats, None) => ExprKind::Tuple(all(pats)?),
        PatKind::Struct(path, fields, false) => {
            let field = |(name, pat): &(Ident, Pat)| Some((name.clone(), constant_pattern(pat)?));
            ExprKind::Struct(path.clone(), fields.iter().map(field).collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    };
    Some(Expr { kind, span: pat.span })
}
