//! The text of a derivation, as a function of the logic: conditions see derivations only by it, and by their named parts.

use target_strategies::logic::ir::{Closure, DataId, Function, FunctionId, Piece, Refined, Sort, Term};
use target_strategies::logic::value::Value;

use super::DataTable;
use super::function::FunctionKey;
use super::key::TypeConstructor;

impl DataTable<'_> {
    /// Whether a type is a rule, or a group inside of one.
    pub fn is_rule(&self, refined: &Refined) -> bool {
        matches!(refined.sort, Sort::Data(id) if self.get(id).rule.is_some())
    }

    /// Whether a type is a group inside of a rule.
    pub fn is_group(&self, id: DataId) -> bool {
        matches!(self.keys[id.0 as usize].constructor, TypeConstructor::Group(_))
    }

    /// The text of a derivation.
    pub fn text_of(&mut self, value: Term, id: DataId) -> Term {
        Term::Call(self.text_function(id), vec![value])
    }

    /// The derivation in a term for its text, and its rule.
    pub fn derivation_in(&self, text: &Term) -> Option<(Term, DataId)> {
        let Term::Call(function, args) = text else { return None };
        match (&self.functions.keys[function.0 as usize], args.as_slice()) {
            (FunctionKey::Text(id), [value]) => Some((value.clone(), *id)),
            _ => None,
        }
    }

    fn text_function(&mut self, id: DataId) -> FunctionId {
        let key = FunctionKey::Text(id);
        if let Some(known) = self.functions.keys.iter().position(|other| *other == key) {
            return FunctionId(known as u32);
        }
        let name = self.get(id).rule.as_ref().map_or_else(String::new, |rule| rule.name.clone());
        let (params, body) = (vec![self.fresh()], Term::Lit(Value::str("")));
        let function = Function { name, params, body, decreases: None, total: true, nesting: 1 };
        let function = self.functions.reserve(key, function);
        self.functions.waiting.push_back(function);
        function
    }

    /// The body of such a function.
    pub(in crate::frontend) fn text_body(&mut self, function: FunctionId, id: DataId) -> Term {
        let value = Term::Var(self.functions.all[function.0 as usize].params[0]);
        let Some(rule) = self.get(id).rule.clone() else { return Term::Undefined };
        let mut body = None;
        for (ctor, layout) in (0..rule.layouts.len() as u32).zip(&rule.layouts).rev() {
            let mut parts = Vec::new();
            for piece in layout {
                parts.push(match piece {
                    Piece::Quoted(text) => Term::Lit(Value::str(text)),
                    Piece::Field(index) => {
                        let refined =
                            self.get(id).ctors[ctor as usize].fields[*index as usize].refined.clone();
                        let field = Term::Field { of: Box::new(value.clone()), ctor, index: *index };
                        self.text_in(&refined, field)
                    }
                });
            }
            let here = if parts.is_empty() { Term::Lit(Value::str("")) } else { Term::Concat(parts) };
            let is_it = Term::IsCtor(Box::new(value.clone()), ctor);
            body = Some(match body {
                Some(others) => Term::If(Box::new(is_it), Box::new(here), Box::new(others)),
                None => here,
            });
        }
        body.unwrap_or(Term::Undefined)
    }

    /// The text of a part of a derivation.
    pub(in crate::frontend) fn text_in(&mut self, refined: &Refined, value: Term) -> Term {
        match &refined.sort {
            Sort::Data(id) if self.get(*id).rule.is_some() => self.text_of(value, *id),
            Sort::Data(id) => {
                let Some(held) = self.get(*id).ctors.get(1).and_then(|some| some.fields.first()) else {
                    return Term::Undefined;
                };
                let held = held.refined.clone();
                let is_some = Term::IsCtor(Box::new(value.clone()), 1);
                let inside = Term::Field { of: Box::new(value), ctor: 1, index: 0 };
                let inside = self.text_in(&held, inside);
                Term::If(Box::new(is_some), Box::new(inside), Box::new(Term::Lit(Value::str(""))))
            }
            Sort::Seq(element, _) => {
                let slot = self.fresh();
                let text = self.text_in(element, Term::Var(slot));
                let closure = Closure { slot, body: Box::new(Term::Chars(Box::new(text))) };
                let all = Term::Map(Box::new(value), closure);
                Term::Text(Box::new(Term::Flatten(Box::new(all))))
            }
            #[rustfmt::skip]
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Set(..)
            | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => value,
        }
    }
}
