//! Turns conditions into clauses: one per conjunct, with its span and the user's words; `where` becomes numbered Rust
//! code.

use std::rc::Rc;

use target_strategies::logic::ir::{Clause, Pointer, Refined, Term};
use target_strategies::logic::value::Value;

use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::elaborate;
use crate::frontend::logic_type::Ty;
use crate::frontend::resolve::names::{Env, Name};
use crate::frontend::resolve::types::Resolver;
use crate::frontend::resolve::words;
use crate::frontend::spec::ast::{Condition, Ident, RustText};
use crate::frontend::subject::{Binding, Opaque};

impl<'a> Resolver<'a> {
    /// The clauses of `{binder: base | condition}`.
    pub(super) fn refinement(
        &mut self,
        binder: &Ident,
        condition: &Condition,
        base: &Refined,
        env: &Rc<Env<'a>>,
    ) -> Vec<Clause> {
        let own = Name {
            name: binder.name.clone(),
            term: Term::Var(self.data.value_slot),
            ty: self.data.ty_of(base),
            refined: Some(base.clone()),
        };
        self.clauses(condition, env, Some(&own))
    }

    /// The clauses of a condition; `own` is the refined value.
    pub fn clauses(&mut self, condition: &Condition, env: &Env<'a>, own: Option<&Name>) -> Vec<Clause> {
        let mut clauses = Vec::new();
        if self.types_only {
            return clauses;
        }
        if let Some(expr) = &condition.expr {
            let scope = env.scope(own);
            for (term, span) in elaborate::condition(expr, &scope, &mut self.data, &mut self.diagnostics) {
                let text = self.words_in(span, env);
                clauses.push(self.clause(span, text, term));
            }
        }
        if let Some(opaque) = &condition.opaque {
            clauses.extend(self.opaque(opaque, env, own));
        }
        clauses
    }

    /// A clause with a fresh id.
    pub fn clause(&mut self, span: Span, text: String, term: Term) -> Clause {
        let id = self.data.clause_spans.len() as u32;
        self.data.clause_spans.push(span);
        Clause { id, text, term }
    }

    fn opaque(&mut self, code: &RustText, env: &Env<'a>, own: Option<&Name>) -> Option<Clause> {
        let mut text = code.text.clone();
        let mut shown: Vec<Name> = Vec::new();
        for name in env.names.iter().chain(own) {
            if words::mentions(&text, &name.name) {
                shown.retain(|other| other.name != name.name);
                shown.push(name.clone());
            }
        }
        for name in &env.old {
            let mut new = format!("old_{}", name.name);
            while words::mentions(&text, &new) {
                new.push('_');
            }
            let replaced = words::replace_old(&text, |word| (word == name.name).then(|| new.clone()));
            if replaced != text {
                shown.push(Name { name: new, ..name.clone() });
                text = replaced;
            }
        }
        let mut bindings = Vec::new();
        let mut args = Vec::new();
        for name in shown {
            text = self.bind(code, text, name, &mut bindings, &mut args)?;
        }
        let number = self.data.opaques.len() as u32;
        self.data.opaques.push(Opaque { text, span: code.span, bindings });
        let words = words::replace(&code.text, |word| {
            env.words.iter().find(|(name, _)| name == word).map(|(_, text)| text.clone())
        });
        Some(self.clause(code.span, format!("where {}", words::squeeze(&words)), Term::Opaque(number, args)))
    }

    /// Binds a name for a `where` condition; returns the text, changed if the name can't be bound unchanged.
    fn bind(
        &mut self,
        code: &RustText,
        text: String,
        name: Name,
        bindings: &mut Vec<Binding>,
        args: &mut Vec<Term>,
    ) -> Option<String> {
        let inline =
            |literal: String| words::replace(&text, |word| (word == name.name).then(|| literal.clone()));
        if matches!(name.ty, Ty::Function(..)) && words::uses(&text, &name.name) {
            let message = format!("the function `{}` can't be used in `where`", name.name);
            let help = format!("ask for its results before `where`: `{}(..)`", name.name);
            return self.fail(Diagnostic::error(code.span, message).help(help));
        }
        match (&name.term, &name.refined) {
            (Term::Var(_), Some(refined)) => {
                let keyword = name.name == "self";
                let bound = if keyword { "self_".to_owned() } else { name.name.clone() };
                let text = if keyword { inline(bound.clone()) } else { text };
                bindings.push(Binding { name: bound, refined: behind_reference(refined) });
                args.push(name.term);
                Some(text)
            }
            (Term::Lit(Value::Int(n)), _) => Some(inline(format!("(&{n})"))),
            (Term::Lit(Value::Bool(b)), _) => Some(inline(format!("(&{b})"))),
            _ if !words::uses(&text, &name.name) => Some(text),
            _ => self.fail(
                Diagnostic::error(
                    code.span,
                    format!(
                        "`{}` in this `where` stands for an expression, which is not supported yet",
                        name.name
                    ),
                )
                .help("give the alias a parameter of the function or a literal"),
            ),
        }
    }

    /// The user's words at a span, with runs of white space replaced by a space.
    pub fn words(&self, span: Span) -> String {
        self.words_in(span, &Env::default())
    }

    /// The user's words at a span, with an alias's parameters replaced by its arguments.
    pub fn words_in(&self, span: Span, env: &Env<'a>) -> String {
        words::squeeze(&words::replace(self.data.declarations.texts.at(span), |word| {
            env.words.iter().find(|(name, _)| name == word).map(|(_, text)| text.clone())
        }))
    }
}

/// The type of a name in a `where` condition: the referenced type if the parameter is a reference.
fn behind_reference(refined: &Refined) -> Refined {
    let mut refined = Refined { clauses: Vec::new(), ..refined.clone() };
    if matches!(refined.pointers.first(), Some(Pointer::Ref | Pointer::RefMut)) {
        refined.pointers.remove(0);
    }
    refined
}
