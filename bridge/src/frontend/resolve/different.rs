//! `different`: a relation that holds between every two inputs of a set.
//!
//! It is a closure over two whole inputs, `|a, b| a.price != b.price`, or the name of a built-in relation, which then
//! holds if it holds for one of the parameters. The first input is in the slots of the parameters. The second one has
//! slots of its own.
//!
//! Source: *Iorek*, section 4.3, where `not_equal` and its like tell which inputs are worth having together.

use target_strategies::logic::ir::{Param, Term};

use crate::frontend::diagnostic::{Diagnostic, Level, noted};
use crate::frontend::elaborate::relation;
use crate::frontend::manifest::SpannedText;
use crate::frontend::resolve::names::{Env, Name};
use crate::frontend::resolve::types::Resolver;
use crate::frontend::spec::ast::{
    BinaryOp, Expr, ExprKind, Ident, PatKind, Signature, Type, TypeKind, UnaryOp,
};
use crate::frontend::spec::parse;
use crate::frontend::subject::Different;

impl Resolver<'_> {
    /// The relation between inputs: the function's own, and those of named types among its parameters. `None` if there is
    /// none, or a mistake.
    pub(super) fn different(
        &mut self,
        own: Option<&SpannedText>,
        of_types: &[(SpannedText, SpannedText)],
        signature: &Signature,
        params: &[Param],
    ) -> Option<Different> {
        let second: Vec<u32> = params.iter().map(|_| self.data.fresh()).collect();
        let mut terms = Vec::new();
        let mut texts = Vec::new();
        if let Some(text) = own {
            let all: Vec<usize> = (0..params.len()).collect();
            terms.push(self.relation(text, &all, params, &second)?);
            texts.push(text.text.clone());
        }
        for (name, text) in of_types {
            for (index, param) in signature.params.iter().enumerate() {
                if is_named(&param.ty, name.text.trim()) {
                    terms.push(self.relation(text, &[index], params, &second)?);
                    texts.push(text.text.clone());
                }
            }
        }
        let relation = match terms.len() {
            0 => return None,
            1 => terms.pop()?,
            _ => Term::And(terms),
        };
        Some(Different { relation, second, text: texts.join(" && ") })
    }

    /// A relation over the parameters with these positions.
    fn relation(
        &mut self,
        text: &SpannedText,
        of: &[usize],
        params: &[Param],
        second: &[u32],
    ) -> Option<Term> {
        let expr = noted(parse::expr(text), &mut self.diagnostics)?;
        let (names, body) = match expr.kind {
            ExprKind::Closure(names, body) => (names, *body),
            kind => return self.of_some(&Expr { kind, span: expr.span }, of, params, second),
        };
        let bound: Vec<&str> = names
            .iter()
            .filter_map(|name| match &name.kind {
                PatKind::Bind(name, _) => Some(name.name.as_str()),
                _ => None,
            })
            .collect();
        let (2, [a, b]) = (names.len(), bound.as_slice()) else {
            let message = "a relation is a closure with two names, `|a, b| a != b`";
            return self.fail(Diagnostic::error(expr.span, message));
        };
        if a == b {
            return self.fail(Diagnostic::error(expr.span, "the two inputs of a relation need two names"));
        }
        let env = self.env_of_two((a, b), of, params, second);
        self.relation_in(&env, &body)
    }

    /// A relation without a closure, such as `different_lengths`: it holds for one of the parameters that it fits.
    fn of_some(&mut self, expr: &Expr, of: &[usize], params: &[Param], second: &[u32]) -> Option<Term> {
        let (mut found, mut mistakes) = (Vec::new(), Vec::new());
        for index in of {
            let env = self.env_of_two(("a", "b"), &[*index], params, second);
            let before = self.diagnostics.len();
            match self.relation_in(&env, &applied(expr)) {
                Some(term) => found.push(term),
                None => mistakes.extend(self.diagnostics.drain(before..)),
            }
        }
        if found.is_empty() {
            mistakes.truncate(1);
            self.diagnostics.extend(mistakes);
            return None;
        }
        if found.len() == 1 { found.pop() } else { Some(Term::Or(found)) }
    }

    /// The names of two inputs: the argument itself if there is one, else a field for each parameter.
    fn env_of_two(
        &self,
        (a, b): (&str, &str),
        of: &[usize],
        params: &[Param],
        second: &[u32],
    ) -> Env<'static> {
        let mut env = Env::default();
        for index in of {
            let param = &params[*index];
            for (name, slot) in [(a, *index as u32), (b, second[*index])] {
                let name = if of.len() == 1 { name.to_owned() } else { format!("{name}.{}", param.name) };
                let ty = self.data.ty_of(&param.refined);
                env.names.push(Name { name, term: Term::Var(slot), ty, refined: None });
            }
        }
        env
    }

    fn relation_in(&mut self, env: &Env<'static>, body: &Expr) -> Option<Term> {
        let before = self.diagnostics.len();
        let scope = env.scope(None);
        let terms = relation::elaborated(body, &scope, &mut self.data, &mut self.diagnostics);
        let terms: Vec<Term> = terms.into_iter().map(|(term, _)| term).collect();
        if self.diagnostics[before..].iter().any(|found| found.level == Level::Error) {
            return None;
        }
        Some(if let [term] = terms.as_slice() { term.clone() } else { Term::And(terms) })
    }
}

/// A combination of built-in relations applied to `a` and `b`.
fn applied(expr: &Expr) -> Expr {
    let span = expr.span;
    let name = |name: &str| Expr { kind: ExprKind::Path(vec![Ident { name: name.to_owned(), span }]), span };
    let one = |expr: &Expr| Box::new(applied(expr));
    let kind = match &expr.kind {
        ExprKind::Path(_) => ExprKind::Call(Box::new(expr.clone()), vec![name("a"), name("b")]),
        ExprKind::Call(function, args) => {
            let args = [name("a"), name("b")].into_iter().chain(args.iter().cloned()).collect();
            ExprKind::Call(function.clone(), args)
        }
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), x, y) => ExprKind::Binary(*op, one(x), one(y)),
        ExprKind::Unary(UnaryOp::Not, x) => ExprKind::Unary(UnaryOp::Not, one(x)),
        other => other.clone(),
    };
    Expr { kind, span }
}

/// Whether a type as written is a named type, also behind references.
fn is_named(ty: &Type, name: &str) -> bool {
    match &ty.kind {
        TypeKind::Ref { inner, .. } => is_named(inner, name),
        TypeKind::Path { path, .. } => matches!(path.as_slice(), [only] if only.name == name),
        TypeKind::Refined { base, .. } => is_named(base, name),
        _ => false,
    }
}
