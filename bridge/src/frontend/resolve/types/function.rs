//! Functions among the arguments: `fn(x: A) -> {v: B | p}`.
//!
//! What the function gets comes from the subject, and is read like a result; what it returns is made like an argument.
//! Conditions on its result that mention its parameters are judged call by call. The others belong to the type of its
//! results, which the generators know.

use std::rc::Rc;

use target_strategies::logic::ir::{
    Callback, CallbackId, CallbackKind, CallbackParam, Clause, Pointer, Question, Refined, SeqKind, Sort,
    Term, mentions, visit,
};

use super::{Expected, Resolver};
use crate::frontend::catalog::{FunctionType, RustType};
use crate::frontend::data::Position;
use crate::frontend::diagnostic::{Diagnostic, Span, counted};
use crate::frontend::resolve::names::{Env, Name};
use crate::frontend::spec::ast::{Signature, Type};

impl<'a> Resolver<'a> {
    /// A function type as written, compared with the declared one if that is known.
    pub(super) fn callback(
        &mut self,
        ty: &'a Type,
        kind: CallbackKind,
        signature: &'a Signature,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let declared = match expected.core {
            None => None,
            Some(RustType::Function(function)) => Some(&**function),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let (of_params, of_result) = self.positions(ty, expected.position)?;
        if let Some(declared) = declared.filter(|declared| declared.params.len() != signature.params.len()) {
            let declared = counted(declared.params.len(), "parameter");
            let message = format!("this function has {declared}, the spec has {}", signature.params.len());
            return self.fail(Diagnostic::error(ty.span, message));
        }
        if let Some(condition) = &signature.panics_if {
            let span = condition.expr.as_ref().map_or(ty.span, |expr| expr.span);
            return self.fail(Diagnostic::error(span, "a function among the arguments can't panic"));
        }
        let mut inner = Env { used_at: env.used_at, ..(**env).clone() };
        self.n_taking += 1;
        let returned_by = std::mem::take(&mut self.returned_by);
        let params = self.callback_params(signature, declared, &mut inner, of_params);
        self.n_taking -= 1;
        self.returned_by = returned_by;
        let params = params?;
        let n_outer = self.returned_by.len();
        self.returned_by.extend(params.iter().map(|param| param.slot));
        let slots = self.returned_by.clone();
        let result = self.callback_result(ty, signature, declared, &inner, of_result);
        self.returned_by.truncate(n_outer);
        let result = result?;
        // A condition on what a returned function gives may mention the parameters of the one that returned it.
        let reads = |clause: &Clause| slots.iter().any(|slot| mentions(&clause.term, *slot));
        let (mut ensures, of_type): (Vec<Clause>, Vec<Clause>) =
            result.clauses.iter().cloned().partition(|clause| reads(clause));
        let result = Refined { clauses: of_type, ..result };
        self.only_outermost(&result, &reads)?;
        let requires = signature.requires.iter().flat_map(|condition| self.clauses(condition, &inner, None));
        let requires: Vec<Clause> = requires.collect();
        let own = Name {
            name: "result".to_owned(),
            term: Term::Var(self.data.value_slot),
            ty: self.data.ty_of(&result),
            refined: Some(result.clone()),
        };
        for condition in &signature.ensures {
            ensures.extend(self.clauses(condition, &inner, Some(&own)));
        }
        self.no_other_functions(ty.span, params.iter().map(|param| &param.refined), &requires, &ensures)?;
        let is_pointer = declared.is_some_and(|declared| declared.is_pointer);
        self.callback_type(ty, Callback { kind, params, requires, ensures, is_pointer, steps: None }, result)
    }

    /// The positions of parameters and result. What a function takes comes from the subject, and what a function takes
    /// that another one takes, from the tool.
    fn positions(&mut self, ty: &Type, position: Position) -> Option<(Position, Position)> {
        match (position, self.n_taking) {
            (Position::Output, 0) => {
                let message = "a function inside of a result isn't called, so nothing can be said of it";
                self.fail(Diagnostic::error(ty.span, message).help(
                    "a result that is a function is written so: `fn(n: u8) -> fn(x: u8) -> {r: u8 | r == x + n}`; let a `call` call other ones: \
                     `call = \"|n, x| (make(n).run)(x)\"`",
                ))
            }
            (Position::Output, 1) => Some((Position::Input, Position::Output)),
            (Position::Input | Position::Field, 0) => Some((Position::Output, Position::Input)),
            _ => {
                let message = "functions of an order above 3 are not supported yet";
                self.fail(Diagnostic::error(ty.span, message))
            }
        }
    }

    /// Rejects conditions on parts of a result that mention the function's parameters.
    fn only_outermost(&mut self, result: &Refined, reads: &dyn Fn(&Clause) -> bool) -> Option<()> {
        let mut inside = Vec::new();
        result.clauses_inside(&mut inside);
        let data = self.data.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
        data.for_each(|field| field.refined.clauses_inside(&mut inside));
        let Some(clause) = inside.into_iter().find(|clause| reads(clause)) else { return Some(()) };
        let span = self.data.clause_spans[clause.id as usize];
        let message = "a condition on a part of the result can't mention the function's own parameters";
        self.fail(Diagnostic::error(span, message).help("put it into a refinement of the whole result"))
    }

    /// The type of functions. If it takes a function, its results are steps.
    fn callback_type(&mut self, ty: &Type, callback: Callback, result: Refined) -> Option<Refined> {
        let id = CallbackId(self.data.callbacks.len() as u32);
        let Some((_, taken, given)) = callback.taken() else {
            self.data.callbacks.push(callback);
            return Some(Refined::plain(Sort::Seq(Box::new(result), SeqKind::Answers(id))));
        };
        let n_taken = callback.params.iter().filter(|param| param.refined.callback().is_some()).count();
        if n_taken > 1 || callback.kind != CallbackKind::Pure {
            let message = "a function that takes functions must be an `fn`, and take one";
            return self.fail(Diagnostic::error(ty.span, message));
        }
        let params = &self.data.callbacks[taken.0 as usize].params;
        let args: Vec<Refined> = params.iter().map(|param| param.refined.clone()).collect();
        let may_pass = self.data.rust_of(given) == self.data.rust_of(&result);
        let steps = self.data.steps(id.0, result, &args, may_pass);
        self.data.callbacks.push(Callback { steps: Some(steps), ..callback });
        let step = Refined::plain(Sort::Data(steps));
        Some(Refined::plain(Sort::Seq(Box::new(step), SeqKind::Answers(id))))
    }

    /// The parameters, each in scope of those before it.
    fn callback_params(
        &mut self,
        signature: &'a Signature,
        declared: Option<&FunctionType>,
        env: &mut Env<'a>,
        position: Position,
    ) -> Option<Vec<CallbackParam>> {
        let mut params = Vec::new();
        for (index, param) in signature.params.iter().enumerate() {
            let declared = declared.map(|declared| &declared.params[index]);
            let refined = self.refine(&param.ty, &Rc::new(env.clone()), declared, position)?;
            if refined.pointers.contains(&Pointer::RefMut) && refined.callback().is_none() {
                let message = "`&mut` parameters of a function among the arguments are not supported yet";
                return self.fail(Diagnostic::error(param.ty.span, message));
            }
            let slot = self.data.next_local;
            self.data.next_local += 1;
            env.names.push(Name {
                name: param.name.name.clone(),
                term: Term::Var(slot),
                ty: self.data.ty_of(&refined),
                refined: Some(refined.clone()),
            });
            params.push(CallbackParam { name: param.name.name.clone(), slot, refined });
        }
        Some(params)
    }

    fn callback_result(
        &mut self,
        ty: &Type,
        signature: &'a Signature,
        declared: Option<&FunctionType>,
        env: &Env<'a>,
        position: Position,
    ) -> Option<Refined> {
        let declared = declared.map(|declared| &declared.result);
        match (&signature.result, declared) {
            (Some(result), declared) => self.refine(result, &Rc::new(env.clone()), declared, Position::Input),
            (None, None) => Some(Refined::plain(Sort::Tuple(Vec::new()))),
            (None, Some(declared)) => match self.as_declared(declared, position) {
                Ok(refined) => Some(refined),
                Err(message) => self.fail(Diagnostic::error(ty.span, message)),
            },
        }
    }

    /// Conditions on a call are judged while a function is asked, so that no other one can be.
    fn no_other_functions<'r>(
        &mut self,
        span: Span,
        params: impl Iterator<Item = &'r Refined>,
        requires: &[Clause],
        ensures: &[Clause],
    ) -> Option<()> {
        let mut clauses: Vec<&Clause> = requires.iter().chain(ensures).collect();
        params.for_each(|refined| refined.clauses_inside(&mut clauses));
        for clause in clauses {
            let mut asks = false;
            visit(&clause.term, &mut |term| {
                asks |= matches!(term, Term::Ask(Question::Result | Question::Obeys(_), ..));
            });
            if !asks {
                continue;
            }
            let message = "a condition on a function's calls can't ask another function";
            let span = self.data.clause_spans.get(clause.id as usize).copied().unwrap_or(span);
            return self.fail(Diagnostic::error(span, message));
        }
        Some(())
    }
}
