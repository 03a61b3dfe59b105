//! Functions written as reports show them: `|x| match x { 0 => 3, _ => 1 }`, `|g| match g(0) { 3 => 5, _ => 7 }`.

use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{CallbackKind, Step, Term};
use target_strategies::logic::table::table;
use target_strategies::logic::value::Value;

use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::elaborate::mistake::count;
use crate::frontend::elaborate::{Checked, Elaborator, Local};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident, Pat, PatKind};

/// The entries of a function that is written as a closure, and its result for all other arguments.
#[derive(Default)]
struct Written {
    entries: Vec<(Vec<Value>, Value)>,
    default: Option<Value>,
}

impl Elaborator<'_, '_, '_> {
    /// The value of a function that is written as a closure.
    pub(in crate::frontend::elaborate) fn table(
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
            ExprKind::Closure(names, body) if params.iter().any(is_function) => {
                let at = params.iter().position(is_function).unwrap_or_default();
                let PatKind::Bind(name, _) = &names[at].kind else {
                    self.arms(body, params, result, &mut written)?;
                    return Ok(taking(written));
                };
                let Ty::Function(_, args, given, _) = &params[at] else { return Ok(Value::unit()) };
                let mut rest = params.to_vec();
                rest.remove(at);
                let taken = Taken { name: name.clone(), at, rest, args, given, result };
                self.steps(body, &taken, (&[], &[]), &mut written)?;
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
                for (equal, ty) in super::super::operands(condition, BinaryOp::And).into_iter().zip(params) {
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

    /// The body of a closure that takes a function: it may call that one, and look at the result.
    fn steps(
        &mut self,
        body: &Expr,
        taken: &Taken<'_>,
        (rest, given): (&[Value], &[Value]),
        written: &mut Written,
    ) -> Checked<()> {
        let mut key = rest.to_vec();
        if key.len() >= taken.at {
            key.insert(taken.at, Value::seq(given.to_vec()));
        }
        match &body.kind {
            ExprKind::Block(lets, tail) if lets.is_empty() => {
                return self.steps(tail, taken, (rest, given), written);
            }
            ExprKind::If(condition, then, Some(otherwise)) if rest.is_empty() => {
                let mut rest = Vec::new();
                for (equal, ty) in
                    super::super::operands(condition, BinaryOp::And).into_iter().zip(&taken.rest)
                {
                    let ExprKind::Binary(BinaryOp::Eq, _, arg) = &equal.kind else {
                        return Err(Diagnostic::error(equal.span, "expected `x == ..`, with a constant"));
                    };
                    rest.push(self.constant_of(arg, ty)?);
                }
                self.steps(then, taken, (&rest, &[]), written)?;
                return self.steps(otherwise, taken, (&[], &[]), written);
            }
            ExprKind::Unreachable => return Ok(()),
            _ => {}
        }
        let is_root_of_all = rest.len() < taken.rest.len();
        if let ExprKind::Match(called, arms) = &body.kind
            && let Some(args) = taken.args_of(called)
        {
            if is_root_of_all {
                let message = "the other arguments are compared first: `if x == 1 { .. } else { .. }`";
                return Err(Diagnostic::error(body.span, message));
            }
            let args = self.constants(args, taken.args)?;
            written.entries.push((key, Value::Data(Step::Call as u32, args.into())));
            for arm in arms {
                if let PatKind::Wild = arm.pat.kind {
                    if !matches!(arm.body.kind, ExprKind::Unreachable) {
                        written.default = Some(self.last_step(&arm.body, taken)?);
                    }
                    continue;
                }
                let pattern = constant_pattern(&arm.pat)
                    .ok_or_else(|| Diagnostic::error(arm.pat.span, "expected a constant, or `_`"))?;
                let value = self.constant_of(&pattern, taken.given)?;
                self.steps(&arm.body, taken, (rest, &[given, &[value]].concat()), written)?;
            }
            return Ok(());
        }
        let step = self.last_step(body, taken)?;
        if is_root_of_all {
            written.default = Some(step);
        } else {
            written.entries.push((key, step));
        }
        Ok(())
    }

    /// A step that ends a call: a constant, or a call of the function that is taken.
    fn last_step(&mut self, body: &Expr, taken: &Taken<'_>) -> Checked<Value> {
        Ok(match taken.args_of(body) {
            Some(args) => Value::Data(Step::Pass as u32, self.constants(args, taken.args)?.into()),
            None => Value::Data(Step::Return as u32, [self.constant_of(body, taken.result)?].into()),
        })
    }

    fn constants(&mut self, args: &[Expr], types: &[Ty]) -> Checked<Vec<Value>> {
        args.iter().zip(types).map(|(arg, ty)| self.constant_of(arg, ty)).collect()
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

/// The function that another one takes.
struct Taken<'t> {
    name: Ident,
    /// Its position.
    at: usize,
    /// The types of the other parameters.
    rest: Vec<Ty>,
    args: &'t [Ty],
    given: &'t Ty,
    /// The type of the results of the function that takes it.
    result: &'t Ty,
}

impl Taken<'_> {
    /// The arguments of a call of it.
    fn args_of<'e>(&self, expr: &'e Expr) -> Option<&'e [Expr]> {
        let ExprKind::Call(function, args) = &expr.kind else { return None };
        let ExprKind::Path(path) = &function.kind else { return None };
        let is_its = matches!(path.as_slice(), [name] if name.name == self.name.name);
        (is_its && args.len() == self.args.len()).then_some(args)
    }
}

fn is_function(ty: &Ty) -> bool {
    matches!(ty, Ty::Function(..))
}

/// A function that ignores the one that it takes: its results become steps.
fn taking(written: Written) -> Value {
    let step = |value: Value| Value::Data(Step::Return as u32, [value].into());
    table([], written.default.map(step))
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
