//! Fuzz targets whose inputs and failures a spec decides: the runtime of the files that `cargo target fuzz --init`
//! writes.
//!
//! [`crate::fuzzing::arbitrary`] decodes the fuzzer's bytes to arguments in [`Mode::Plain`], so the types need not
//! implement anything. Bytes that the precondition rejects are no input. A broken spec is a panic, which every fuzzer
//! reports as a crash. The mutator makes inputs that satisfy the spec, which random changes of bytes rarely do.

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

use crate::child::serve::functions::{self, Missing, Misuse, Results};
use crate::child::serve::{Arena, Function, Ran, is_rejection};
use crate::fuzzing::arbitrary::{Mode, Unsupported, decode, encode};
use crate::logic::codec::Codec;
use crate::logic::eval::{Admission, Finding, Host, Judge, Judgement, NoAnswer, Obstacle, Promise};
use crate::logic::ir::{Asked, Question, Refined, Sort, Spec};
use crate::logic::notation::{print, print_args};
use crate::logic::table::as_answers;
use crate::logic::value::Value;
use crate::space::{Bounds, Space};
use mutate::Fresh;

/// A function with its spec, ready to be fuzzed.
pub struct Target {
    function: &'static Function,
    spec: Arc<Spec>,
    fresh: Mutex<Fresh>,
    /// Results of functions, for calls for which an input has none.
    results: Arc<Results>,
}

/// The `where` conditions of a function, compiled into the fuzz target.
struct Conditions(&'static Function);

impl Host for Conditions {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition = self.0.opaques.get(id as usize).ok_or("the target lacks a condition")?;
        Ok(condition(args, &Arena::new()))
    }

    fn ask(&mut self, question: Question, of: Asked, args: &[Value]) -> Option<Result<Value, NoAnswer>> {
        functions::answer(question, of, args)
    }
}

impl Target {
    /// The target for a spec, encoded by [`Codec`], and the glue that runs its function. Fresh inputs are within the
    /// bounds.
    ///
    /// # Panics
    ///
    /// If the bytes are no spec of this version of the crate.
    pub fn new(spec: &[u8], function: &'static Function, depth: u32, bound: u32) -> Target {
        let spec = match Spec::from_bytes(spec) {
            Ok(spec) => Arc::new(spec),
            Err(error) => panic!("{error}: write the target anew with `cargo target fuzz --init`"),
        };
        let space = Space::new(spec.clone(), Bounds { depth, bound });
        let results = Arc::new(Results::new(space.clone()));
        Target { function, spec, fresh: Mutex::new(Fresh::new(space)), results }
    }

    /// Runs the function on the arguments in the bytes. Returns whether the spec admits them.
    ///
    /// # Panics
    ///
    /// If the function breaks its spec.
    pub fn run(&self, bytes: &[u8]) -> bool {
        let _alone = self.has_functions().then(functions::alone);
        self.decode(bytes)
            .is_some_and(|args| unless_rejected(|| self.judge(self.begun(args))).unwrap_or(false))
    }

    /// The arguments of a case that begins. Functions among them are filled while it runs.
    fn begun(&self, args: Vec<Value>) -> Vec<Value> {
        if self.has_functions() {
            {
                let missing = Missing::Unwinds(Arc::clone(&self.results));
                functions::begin(&self.spec, &args, missing, self.function.opaques)
            }
        } else {
            args
        }
    }

    fn has_functions(&self) -> bool {
        !self.spec.callbacks.is_empty()
    }

    /// Judges arguments, runs the function and judges its outcome. Returns whether the spec admits the arguments.
    fn judge(&self, args: Vec<Value>) -> bool {
        let mut conditions = Conditions(self.function);
        let mut judge = Judge::new(Some(&mut conditions));
        match judge.precondition(&self.spec, &args) {
            Admission::Admitted => {}
            Admission::Rejected(_) => return false,
            Admission::SpecError { obstacle: Obstacle::TooMuchWork, .. } => return false,
            Admission::SpecError { clause, obstacle } => self.spec_error(Some(clause), &obstacle, &args),
        }
        let clause = self.spec.panics_if.as_ref().map(|clause| clause.id);
        let must_panic = match (judge.panics_if(&self.spec, &args), clause) {
            (Some(Judgement::Holds), _) => true,
            (Some(Judgement::SpecError(Obstacle::TooMuchWork)), _) => return false,
            (Some(Judgement::SpecError(obstacle)), clause) => self.spec_error(clause, &obstacle, &args),
            _ => false,
        };
        let called = if self.has_functions() {
            self.call_with_functions(&args, must_panic)
        } else {
            Ok(self.call(&args, must_panic))
        };
        let ran = match called {
            Ok(Some(ran)) => ran,
            Ok(None) => return true,
            Err(Misuse::Rejected) => return false,
            Err(Misuse::Trouble { obstacle: Obstacle::TooMuchWork, .. }) => return false,
            Err(Misuse::Trouble { clause, obstacle }) => self.spec_error(clause, &obstacle, &args),
            Err(Misuse::Outside { call, .. }) => {
                panic!("{} calls {call}, which the type of that function excludes", self.call_text(&args))
            }
        };
        if must_panic {
            self.fail(&args, &ran, "does not panic, though it has to where", clause);
        }
        let finding = judge.postcondition(&self.spec, &args, ran.after.as_deref(), &ran.result);
        if self.has_functions() && functions::misuse().is_some() {
            // A condition asks for a result that the input doesn't have: nothing is known to be wrong.
            return true;
        }
        match finding {
            Finding::Kept => true,
            Finding::Broken { promise, clause } => {
                let what = match promise {
                    Promise::Ensures => "breaks what it ensures:",
                    Promise::Result => "gives a result that breaks its type:",
                };
                self.fail(&args, &ran, what, clause)
            }
            // The fuzzer goes on: nothing is known to be wrong.
            Finding::SpecError { obstacle: Obstacle::TooMuchWork, .. } => true,
            Finding::SpecError { clause, obstacle } => self.spec_error(Some(clause), &obstacle, &args),
        }
    }

    /// Calls the function; `None` if it panicked and had to. An unexpected panic goes on to the fuzzer.
    fn call(&self, args: &[Value], must_panic: bool) -> Option<Ran> {
        let arena = Arena::new();
        if !must_panic {
            return Some((self.function.run)(args, &arena));
        }
        // Fuzzers abort the process in the panic hook, before a panic can be caught.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let ran = catch_unwind(AssertUnwindSafe(|| (self.function.run)(args, &arena)));
        std::panic::set_hook(hook);
        match ran {
            Err(payload) if is_rejection(&*payload) => resume_unwind(payload),
            ran => ran.ok(),
        }
    }

    /// Calls a function that takes functions. An error says how it misused one of them.
    fn call_with_functions(&self, args: &[Value], must_panic: bool) -> Result<Option<Ran>, Misuse> {
        functions::set_running(true);
        let called = catch_unwind(AssertUnwindSafe(|| self.call(args, must_panic)));
        functions::set_running(false);
        match (functions::misuse(), called) {
            (Some(misuse), _) => Err(misuse),
            (None, Ok(ran)) => Ok(ran),
            (None, Err(payload)) => resume_unwind(payload),
        }
    }

    fn fail(&self, args: &[Value], ran: &Ran, what: &str, clause: Option<u32>) -> ! {
        let (call, clause) = (self.call_text(args), self.clause_text(clause));
        let result = match &self.spec.result.sort {
            Sort::Opaque(_) => "..".to_owned(),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_) => print(&ran.result, &self.spec.result, &self.spec),
        };
        panic!("{call} = {result} {what} `{clause}`")
    }

    fn spec_error(&self, clause: Option<u32>, obstacle: &Obstacle, args: &[Value]) -> ! {
        let (call, clause) = (self.call_text(args), self.clause_text(clause));
        panic!("{call}: `{clause}` can't be judged: {obstacle}")
    }

    fn call_text(&self, args: &[Value]) -> String {
        let tables = if self.has_functions() { functions::tables() } else { None };
        format!("{}{}", self.spec.name, print_args(tables.as_deref().unwrap_or(args), &self.spec))
    }

    fn clause_text(&self, id: Option<u32>) -> String {
        let clause = self.spec.clauses().into_iter().find(|clause| Some(clause.id) == id);
        clause.map_or_else(|| "its sort".to_owned(), |clause| clause.text.clone())
    }

    /// The arguments in the bytes.
    fn decode(&self, bytes: &[u8]) -> Option<Vec<Value>> {
        decode_args(bytes, &self.spec)
    }

    fn admits(&self, args: &[Value]) -> bool {
        let _alone = self.has_functions().then(functions::alone);
        let mut conditions = Conditions(self.function);
        let mut judge = Judge::new(Some(&mut conditions));
        let args = self.begun(args.to_vec());
        unless_rejected(|| judge.precondition(&self.spec, &args)) == Some(Admission::Admitted)
    }
}

/// The result of glue code; `None` if the glue rejects the arguments by a panic, because no value of the type
/// corresponds to them. Other panics go on.
fn unless_rejected<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Some(result),
        Err(payload) if is_rejection(&*payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The type of the tuple of a spec's arguments.
fn tuple(spec: &Spec) -> Refined {
    Refined::plain(Sort::Tuple(spec.params.iter().map(|param| param.refined.clone()).collect()))
}

/// The bytes that a [`Target`] decodes to an argument tuple.
pub fn encode_args(args: &[Value], spec: &Spec) -> Result<Vec<u8>, Unsupported> {
    encode(&Value::Tuple(as_answers(args, spec).into()), &tuple(spec), spec, Mode::Plain)
}

/// The argument tuple that a [`Target`] decodes from bytes.
pub fn decode_args(bytes: &[u8], spec: &Spec) -> Option<Vec<Value>> {
    let Value::Tuple(args) = decode(bytes, &tuple(spec), spec)? else { return None };
    Some(args.to_vec())
}

#[cfg(test)]
mod tests;
