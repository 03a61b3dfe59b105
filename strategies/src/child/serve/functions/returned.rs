//! Functions that a function of the case returned. Their conditions may mention the arguments of the call that returned them.

use super::case::{Case, shown};
use super::running::{Origin, Running};
use crate::logic::eval::Call;
use crate::logic::ir::{SeqKind, Sort, Spec};
use crate::logic::table::each_function;
use crate::logic::value::Value;

impl Case {
    /// A call of a function.
    pub(super) fn call_of<'c>(&'c self, number: usize, args: &'c [Value], spec: &'c Spec) -> Call<'c> {
        let function = &self.functions[number];
        let callback = spec.callback(function.callback);
        Call { entry: &self.args, callback, args, outer: function.outer() }
    }

    /// Takes note of the functions in a result.
    pub(super) fn note_returned(&mut self, number: usize, args: &[Value], result: &Value) {
        if self.spec.callbacks.len() < 2 {
            return;
        }
        let spec = self.spec.clone();
        let Some(Sort::Seq(of_result, SeqKind::Answers(id))) = self.type_of(number).map(|of| &of.sort) else {
            return;
        };
        let (id, mut found) = (*id, Vec::new());
        each_function(result, of_result, &spec, &mut |value, refined, id| {
            if !self.functions.iter().any(|function| function.is_of(value)) {
                found.push((value.clone(), refined.clone(), id));
            }
        });
        if found.is_empty() {
            return;
        }
        let params = spec.callback(id).params.iter().map(|param| param.slot);
        let mut outer = self.functions[number].outer().to_vec();
        outer.extend(params.zip(args.iter().cloned()));
        let call = shown(&self.name(number), args, id, &spec);
        for (value, refined, id) in found {
            let origin = Origin { refined, call: call.clone(), outer: outer.clone() };
            let is_strict = self.functions[number].is_strict;
            self.functions.push(Running::new(value, id, &spec, None, is_strict).returned(origin));
        }
    }
}
