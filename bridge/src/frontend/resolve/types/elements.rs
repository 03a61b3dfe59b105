//! Derives the function that lists the values of a type parameter in a data value, in order: for `Ordered<T>` the keys.
//! It follows from the type, at an instance whose arguments are recognizable markers.

use target_strategies::logic::ir::{Closure, DataId, Function, FunctionId, Refined, Sort, Term};

use super::Resolver;
use crate::frontend::data::function::FunctionKey;
use crate::frontend::declarations::measure::marker;
use crate::frontend::diagnostic::Diagnostic;

impl<'a> Resolver<'a> {
    /// The elements function of an instance, for one of its type parameters.
    pub(super) fn elements(&mut self, id: DataId, parameter: usize) -> Option<FunctionId> {
        let key = FunctionKey::Elements(id, parameter);
        if let Some(known) = self.data.functions.keys.iter().position(|other| *other == key) {
            return Some(FunctionId(known as u32));
        }
        let slot = self.data.fresh();
        let name = format!("elements_{}", id.0);
        let body = Term::Seq(Vec::new());
        let function = Function { name, params: vec![slot], body, decreases: None, total: true, nesting: 8 };
        let function = self.data.functions.reserve(key, function);
        // The instance may still be incomplete.
        self.data.functions.waiting.push_back(function);
        Some(function)
    }

    /// Makes the body of such a function, once all instances are complete.
    pub(in crate::frontend::resolve) fn finish_elements(
        &mut self,
        function: FunctionId,
        id: DataId,
        parameter: usize,
    ) {
        let slot = self.data.functions.all[function.0 as usize].params[0];
        let body = self
            .template(id)
            .and_then(|template| self.elements_body(id, template, parameter, &Term::Var(slot)));
        match body {
            Some(body) => self.data.functions.all[function.0 as usize].body = body,
            None => {
                let span = self.data.clause_spans.last().copied();
                let message = "the type that this is handed down to is too large";
                self.diagnostics.extend(span.map(|span| Diagnostic::error(span, message)));
            }
        }
    }

    /// The same type with a marker for each of its type parameters, to find their positions.
    fn template(&mut self, id: DataId) -> Option<DataId> {
        let key = &self.data.keys[id.0 as usize];
        let constructor = key.constructor;
        let markers =
            (0..key.args.len()).map(|index| Refined::plain(Sort::Opaque(numbered(index)))).collect();
        let types_only = std::mem::replace(&mut self.types_only, true);
        let made = self.instance_of(constructor, markers);
        self.types_only = types_only;
        made
    }

    fn elements_body(
        &mut self,
        id: DataId,
        template: DataId,
        parameter: usize,
        value: &Term,
    ) -> Option<Term> {
        let n = self.data.get(id).ctors.len();
        let mut body = Term::Seq(Vec::new());
        for ctor in (0..n).rev() {
            if self.data.get(id).ctors[ctor].excluded {
                continue;
            }
            let mut parts = Vec::new();
            for field in 0..self.data.get(id).ctors[ctor].fields.len() {
                let actual = self.data.get(id).ctors[ctor].fields[field].refined.clone();
                let marked = self.data.get(template).ctors[ctor].fields[field].refined.clone();
                let (of, ctor, index) = (Box::new(value.clone()), ctor as u32, field as u32);
                let part = Term::Field { of, ctor, index };
                parts.extend(self.elements_in(&actual, &marked, parameter, part)?);
            }
            let here = Term::Concat(parts);
            let is_it = Term::IsCtor(Box::new(value.clone()), ctor as u32);
            body = Term::If(Box::new(is_it), Box::new(here), Box::new(body));
        }
        Some(body)
    }

    /// The elements in a part of a value; an empty list if it never has any.
    fn elements_in(
        &mut self,
        actual: &Refined,
        marked: &Refined,
        parameter: usize,
        value: Term,
    ) -> Option<Vec<Term>> {
        if !self.is_marked(marked, parameter) {
            return Some(Vec::new());
        }
        Some(match (&actual.sort, &marked.sort) {
            (_, Sort::Opaque(_)) => vec![Term::Seq(vec![value])],
            (Sort::Seq(actual, _), Sort::Seq(marked, _)) => {
                vec![self.elements_of_each(actual, marked, parameter, value)?]
            }
            (Sort::Set(actual, _), Sort::Set(marked, _)) => {
                let entries = Term::Entries(Box::new(value));
                vec![self.elements_of_each(actual, marked, parameter, entries)?]
            }
            (Sort::Map(key, value_type, _), Sort::Map(marked_key, marked_value, _)) => {
                let entries = Term::Entries(Box::new(value));
                let pair = |a: &Refined, b: &Refined| Refined::plain(Sort::Tuple(vec![a.clone(), b.clone()]));
                let (actual, marked) = (pair(key, value_type), pair(marked_key, marked_value));
                vec![self.elements_of_each(&actual, &marked, parameter, entries)?]
            }
            (Sort::Tuple(actual), Sort::Tuple(marked)) => {
                let mut parts = Vec::new();
                for ((actual, marked), index) in actual.iter().zip(marked).zip(0..) {
                    let part = Term::Project(Box::new(value.clone()), index);
                    parts.extend(self.elements_in(actual, marked, parameter, part)?);
                }
                parts
            }
            (Sort::Data(id), Sort::Data(template)) => {
                let (own, marks) = (
                    self.data.keys[id.0 as usize].args.clone(),
                    self.data.keys[template.0 as usize].args.clone(),
                );
                let mut parts = Vec::new();
                for (index, (actual, marked)) in own.iter().zip(&marks).enumerate() {
                    if self.is_marked(marked, parameter) {
                        let inner = Term::Call(self.elements(*id, index)?, vec![value.clone()]);
                        parts.push(self.elements_of_each(actual, marked, parameter, inner)?);
                    }
                }
                parts
            }
            #[rustfmt::skip]
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
            | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _)
            => Vec::new(),
        })
    }

    /// The elements in each of a sequence of values.
    fn elements_of_each(
        &mut self,
        actual: &Refined,
        marked: &Refined,
        parameter: usize,
        over: Term,
    ) -> Option<Term> {
        if matches!(marked.sort, Sort::Opaque(_)) {
            return Some(over);
        }
        let slot = self.data.fresh();
        let parts = self.elements_in(actual, marked, parameter, Term::Var(slot))?;
        let closure = Closure { slot, body: Box::new(Term::Concat(parts)) };
        Some(Term::Flatten(Box::new(Term::Map(Box::new(over), closure))))
    }

    /// Whether the marker of a type parameter occurs in a type.
    fn is_marked(&self, marked: &Refined, parameter: usize) -> bool {
        match &marked.sort {
            Sort::Opaque(text) => *text == numbered(parameter),
            Sort::Data(id) => {
                self.data.keys[id.0 as usize].args.iter().any(|arg| self.is_marked(arg, parameter))
            }
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_) => marked.inner().into_iter().any(|part| self.is_marked(part, parameter)),
        }
    }
}

fn numbered(index: usize) -> String {
    marker(&index.to_string())
}
