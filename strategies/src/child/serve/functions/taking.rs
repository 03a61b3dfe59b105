//! Calls of functions that take a function: their results are steps, see [`Step`].

use super::case::{Case, Misuse};
use super::words::Words;
use crate::logic::eval::{Admission, Judge};
use crate::logic::ir::{SeqKind, Sort, Step};
use crate::logic::notation;
use crate::logic::value::Value;

/// Maximum number of calls of a function by the function that takes it.
const MOST_STEPS: usize = 16;

/// What is asked of the case while a function calls the one that it takes.
pub(super) enum Asking<'g> {
    /// The next step.
    Step,
    /// Whether something is wrong after a step.
    After(Given<'g>),
}

/// What the steps so far led to.
pub(super) struct Given<'g> {
    /// Number of results that the taken function gave.
    n: usize,
    /// The result of the function, if it returns now.
    returned: Option<&'g Value>,
}

/// Takes one step after the other. `asked` answers what the case knows; of a misused function, it unwinds.
pub(super) fn taking(
    args: &mut [Value],
    taken: usize,
    ask: &mut dyn FnMut(&[Value]) -> Value,
    asked: &mut dyn FnMut(&[Value], Asking<'_>) -> Option<Value>,
) -> Value {
    let mut given: Vec<Value> = Vec::new();
    loop {
        // What the taken function gave so far stands for it.
        args[taken] = Value::seq(given.clone());
        let Some(Value::Data(step, fields)) = asked(args, Asking::Step) else { return Value::unit() };
        let result = if step == Step::Return as u32 {
            fields.first().cloned().unwrap_or_else(Value::unit)
        } else {
            // That function is the subject's, and may call functions of the case.
            ask(&fields)
        };
        let is_over = step != Step::Call as u32;
        if step != Step::Return as u32 {
            given.push(result.clone());
            args[taken] = Value::seq(given.clone());
        }
        let returned = Some(&result).filter(|_| is_over);
        asked(args, Asking::After(Given { n: given.len(), returned }));
        if is_over {
            return result;
        }
    }
}

impl Case {
    /// What is wrong after a step.
    pub(super) fn after_step(
        &mut self,
        number: usize,
        args: &[Value],
        taken: usize,
        given: Given<'_>,
    ) -> Option<Misuse> {
        let found = self.misused_by(number, args, taken);
        let found = found.or_else(|| (given.n > MOST_STEPS).then_some(Misuse::Rejected));
        let found = found.or_else(|| self.returned(number, args, given.returned?));
        self.misuse = self.misuse.take().or(found);
        self.misuse.clone()
    }

    /// What is wrong with the last result of a function that another one took.
    fn misused_by(&self, number: usize, args: &[Value], taken: usize) -> Option<Misuse> {
        let spec = &self.spec;
        let function = self.functions.get(number)?;
        let callback = spec.callback(function.callback);
        match Judge::new(Some(&mut self.words(spec))).call(spec, self.call_of(number, args, spec)) {
            Admission::Admitted => None,
            Admission::Rejected(clause) => {
                let (param, given) = (callback.params.get(taken)?, args.get(taken)?);
                let (Sort::Seq(of_given, SeqKind::Answers(_)), Value::Seq(given)) =
                    (&param.refined.sort, given)
                else {
                    return None;
                };
                let given =
                    given.last().map_or_else(String::new, |value| notation::print(value, of_given, spec));
                let name = self.name(number);
                Some(Misuse::Outside {
                    clause,
                    call: format!("{name}({}), whose `{}` returned {given}", param.name, param.name),
                })
            }
            Admission::SpecError { clause, obstacle } => {
                Some(Misuse::Trouble { clause: Some(clause), obstacle })
            }
        }
    }

    /// Records a result, unless the function may not return it.
    fn returned(&mut self, number: usize, args: &[Value], result: &Value) -> Option<Misuse> {
        let spec = self.spec.clone();
        let callback = spec.callback(self.functions.get(number)?.callback);
        let steps = spec.data.get(callback.steps?.0 as usize)?;
        let of_return = &steps.ctors.get(Step::Return as usize)?.fields.first()?.refined;
        let mut words = Words { spec: &spec, conditions: self.conditions };
        let mut judge = Judge::new(Some(&mut words));
        let is_admitted = judge.is_of(&spec, &self.args, of_return, result)
            && judge.answer(&spec, self.call_of(number, args, &spec), result) == Admission::Admitted;
        if !is_admitted {
            return Some(Misuse::Rejected);
        }
        if self.is_running {
            let function = self.functions.get_mut(number)?;
            function.n_calls += 1;
            if self.keeps_calls {
                function.calls.push((args.into(), result.clone()));
            }
        }
        None
    }
}
