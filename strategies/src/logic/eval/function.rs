//! Functions among the arguments: the questions that conditions ask about them, and the conditions on their calls.

use super::env::{Env, Halt};
use super::judgement::{Admission, Call, NoAnswer};
use super::member::Rejection;
use super::{Judge, case};
use crate::logic::ir::{Asked, Question, Refined, Spec, Term};
use crate::logic::law;
use crate::logic::table::Table;
use crate::logic::value::Value;

impl<'a> Env<'a> {
    /// The answer to a question about the function in a slot: the host's or, for a table, what it says.
    pub(super) fn ask(&mut self, question: Question, of: Asked, args: &'a [Term]) -> Result<Value, Halt> {
        let args = self.values(args)?;
        if let Some(answer) = self.host_answer(question, of, &args) {
            return answer.map_err(|NoAnswer| Halt::Undefined);
        }
        let (function, args) = match (of.slot(), args.split_first()) {
            (Some(slot), _) => {
                let value = self.slot(slot)?;
                (of.function(value.value()?).cloned(), &args[..])
            }
            (None, Some((function, args))) => (Some(function.clone()), args),
            (None, None) => return Err(Halt::IllTyped),
        };
        let table = function.as_ref().and_then(Table::of).ok_or(Halt::Unjudged)?;
        match question {
            Question::Result => table.result(args).cloned().ok_or(Halt::Undefined),
            Question::Obeys(law) => {
                let entries: Vec<_> = table.entries().collect();
                Ok(Value::Bool(law::obeys(law, &entries)))
            }
            Question::Calls | Question::Returns => Err(Halt::Unjudged),
        }
    }
}

impl Judge<'_> {
    /// Whether a function among the arguments may be called so.
    pub fn call(&mut self, spec: &Spec, call: Call<'_>) -> Admission {
        let Call { entry, callback, args, outer } = call;
        let mut env = case(&mut self.host, spec, entry);
        outer.iter().for_each(|(slot, value)| env.enter_field(*slot, value));
        let mut n = outer.len();
        let mut judged = Ok(());
        for (param, value) in callback.params.iter().zip(args) {
            judged = judged.and_then(|()| env.member(value, &param.refined, spec));
            env.enter_field(param.slot, value);
            n += 1;
        }
        judged = judged.and_then(|()| env.all_hold(&callback.requires));
        env.leave_fields(n);
        admission(judged)
    }

    /// Whether a value is of a type of the spec.
    pub fn is_of(&mut self, spec: &Spec, entry: &[Value], refined: &Refined, value: &Value) -> bool {
        case(&mut self.host, spec, entry).member(value, refined, spec).is_ok()
    }

    /// Whether a function among the arguments may give a result for a call. The result is of its type.
    pub fn answer(&mut self, spec: &Spec, call: Call<'_>, result: &Value) -> Admission {
        let Call { entry, callback, args, outer } = call;
        if callback.ensures.is_empty() {
            return Admission::Admitted;
        }
        let mut env = case(&mut self.host, spec, entry);
        outer.iter().for_each(|(slot, value)| env.enter_field(*slot, value));
        for (param, value) in callback.params.iter().zip(args) {
            env.enter_field(param.slot, value);
        }
        env.set_value(result);
        let judged = env.all_hold(&callback.ensures);
        env.leave_fields(outer.len() + callback.params.len().min(args.len()));
        admission(judged)
    }
}

fn admission(judged: Result<(), Rejection>) -> Admission {
    match judged {
        Ok(()) => Admission::Admitted,
        Err(Rejection::Clause(clause)) => Admission::Rejected(clause),
        Err(Rejection::SpecError { clause, obstacle }) => Admission::SpecError { clause, obstacle },
    }
}
