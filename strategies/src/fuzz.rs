//! A fuzz target of which the spec decides what is an input and what a failure: the runtime of what
//! `cargo target fuzz --init` writes.
//!
//! The fuzzer's bytes are the arguments as [`crate::arbitrary`] decodes them in [`Mode::Plain`], so their types need not
//! implement anything. What the precondition refuses is no input; what breaks the spec is a panic, which every fuzzer
//! takes for a crash. A mutator keeps to the spec where bytes changed at random rarely do.

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

use crate::arbitrary::{Mode, Unsupported, decode, encode};
use crate::eval::{Admission, Finding, Host, Judge, Judgement};
use crate::ir::{Refined, Sort, Spec};
use crate::notation::{print, print_args};
use crate::protocol::FailureKind;
use crate::serve::{Arena, Function, Ran, is_refusal};
use crate::space::{Bounds, Space};
use crate::value::Value;
use crate::wire::Wire;
use mutate::Fresh;

/// A function with its spec, ready to be fuzzed.
pub struct Target {
    function: &'static Function,
    spec: Arc<Spec>,
    fresh: Mutex<Fresh>,
}

/// The `where` conditions of a function, which are code of the fuzz target.
struct Conditions(&'static Function);

impl Host for Conditions {
    fn opaque(&mut self, id: u32, args: &[Value]) -> Result<bool, String> {
        let condition = self.0.opaques.get(id as usize).ok_or("the target lacks a condition")?;
        Ok(condition(args, &Arena::new()))
    }
}

impl Target {
    /// The target of a spec, as [`Wire`] writes it, and of what runs its function. Fresh inputs lie within the bounds.
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
        Target { function, spec, fresh: Mutex::new(Fresh::new(space)) }
    }

    /// Runs the function on the arguments that the bytes stand for; tells whether they are any that the spec admits.
    ///
    /// # Panics
    ///
    /// If the function breaks its spec.
    pub fn run(&self, bytes: &[u8]) -> bool {
        self.decode(bytes).is_some_and(|args| unless_refused(|| self.judge(args)).unwrap_or(false))
    }

    /// Judges arguments, and what comes of them; tells whether the spec admits them.
    fn judge(&self, args: Vec<Value>) -> bool {
        let mut conditions = Conditions(self.function);
        let mut judge = Judge::new(Some(&mut conditions));
        match judge.precondition(&self.spec, &args) {
            Admission::Admitted => {}
            Admission::Refused(_) => return false,
            Admission::SpecError { clause, message } => self.spec_error(clause, &message, &args),
        }
        let clause = self.spec.panics_if.as_ref().map(|clause| clause.id);
        let must_panic = match (judge.panics_if(&self.spec, &args), clause) {
            (Some(Judgement::Holds), _) => true,
            (Some(Judgement::SpecError(message)), Some(clause)) => self.spec_error(clause, &message, &args),
            _ => false,
        };
        let Some(ran) = self.call(&args, must_panic) else { return true };
        if must_panic {
            self.fail(&args, &ran, "does not panic, though it has to where", clause);
        }
        match judge.postcondition(&self.spec, &args, ran.after.as_deref(), &ran.result) {
            Finding::Kept => true,
            Finding::Broken { kind, clause } => {
                let what = match kind {
                    FailureKind::Ensures => "breaks what it ensures:",
                    _ => "gives a result that breaks its type:",
                };
                self.fail(&args, &ran, what, clause)
            }
            Finding::SpecError { clause, message } => self.spec_error(clause, &message, &args),
        }
    }

    /// Calls the function; none if it panicked, as it has to. A panic that it must not have is the fuzzer's to see.
    fn call(&self, args: &[Value], must_panic: bool) -> Option<Ran> {
        let arena = Arena::new();
        if !must_panic {
            return Some((self.function.run)(args, &arena));
        }
        // Fuzzers end the process in a hook, before anything can be caught.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let ran = catch_unwind(AssertUnwindSafe(|| (self.function.run)(args, &arena)));
        std::panic::set_hook(hook);
        match ran {
            Err(payload) if is_refusal(&*payload) => resume_unwind(payload),
            ran => ran.ok(),
        }
    }

    fn fail(&self, args: &[Value], ran: &Ran, what: &str, clause: Option<u32>) -> ! {
        let (call, clause) = (self.call_text(args), self.clause_text(clause));
        let result = match &self.spec.result.sort {
            Sort::Opaque(_) => "..".to_owned(),
            _ => print(&ran.result, &self.spec.result, &self.spec),
        };
        panic!("{call} = {result} {what} `{clause}`")
    }

    fn spec_error(&self, clause: u32, message: &str, args: &[Value]) -> ! {
        let (call, clause) = (self.call_text(args), self.clause_text(Some(clause)));
        panic!("{call}: `{clause}` can't be judged: {message}")
    }

    fn call_text(&self, args: &[Value]) -> String {
        format!("{}{}", self.spec.name, print_args(args, &self.spec))
    }

    fn clause_text(&self, id: Option<u32>) -> String {
        let clause = self.spec.clauses().into_iter().find(|clause| Some(clause.id) == id);
        clause.map_or_else(|| "its sort".to_owned(), |clause| clause.text.clone())
    }

    /// The arguments that bytes stand for.
    fn decode(&self, bytes: &[u8]) -> Option<Vec<Value>> {
        decode_args(bytes, &self.spec)
    }

    fn admits(&self, args: &[Value]) -> bool {
        let mut conditions = Conditions(self.function);
        let mut judge = Judge::new(Some(&mut conditions));
        unless_refused(|| judge.precondition(&self.spec, args)) == Some(Admission::Admitted)
    }
}

/// What is made of arguments, unless the glue gives them up as values that no one can have, which is by a panic. Any
/// other panic goes on.
fn unless_refused<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Some(result),
        Err(payload) if is_refusal(&*payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The type of a spec's arguments, as one tuple.
fn tuple(spec: &Spec) -> Refined {
    Refined::plain(Sort::Tuple(spec.params.iter().map(|param| param.refined.clone()).collect()))
}

/// The bytes that a [`Target`] decodes to an argument tuple.
pub fn encode_args(args: &[Value], spec: &Spec) -> Result<Vec<u8>, Unsupported> {
    encode(&Value::Tuple(args.into()), &tuple(spec), spec, Mode::Plain)
}

/// The argument tuple that a [`Target`] makes of bytes.
pub fn decode_args(bytes: &[u8], spec: &Spec) -> Option<Vec<Value>> {
    match decode(bytes, &tuple(spec), spec)? {
        Value::Tuple(args) => Some(args.to_vec()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
