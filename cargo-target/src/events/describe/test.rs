//! A counterexample as a test to paste: it fails like the subject, and passes when the function is fixed.
//!
//! The test asserts what the spec says of the outcome, if the failing clause can be written in Rust ([`super::judged`]).
//! Otherwise it asserts that the wrong outcome doesn't occur, as the spec sees outcomes: by `assert_ne!` if Rust's `==`
//! distinguishes all values of the type, part by part otherwise. A clause depends only on values that the spec sees, so
//! an outcome that satisfies the clause is never mistaken for the wrong one. A comment says that such a test checks less.

use std::collections::BTreeSet;

use target_bridge::frontend::catalog::{Change, Opening};
use target_bridge::frontend::subject::Call;
use target_strategies::child::protocol::{Failure, FailureKind};
use target_strategies::corpus::in_one_line;
use target_strategies::logic::ir::{
    Clause, Data, Param, Pointer, Question, Refined, SeqKind, Sort, Spec, StrKind, Term, Via, visit,
};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use super::same::{Sameness, all, is_exact, same};
use super::std_types::{is_printable, is_shipped};
use super::{Describer, Home, limits};
use crate::events::outcome::Counterexample;

/// A call in a test.
struct Written {
    /// Statements before it.
    before: Vec<String>,
    call: String,
}

impl Describer<'_> {
    /// A test function of that name that fails as the subject failed.
    pub fn test(&self, found: &Counterexample, name: &str) -> String {
        let spec = &self.spec();
        let failure = &found.failure;
        let mut lines = vec!["#[test]".to_owned(), format!("fn {name}() {{")];
        let is_about_outcome = matches!(failure.kind, FailureKind::Result | FailureKind::Ensures);
        let may_judge = is_about_outcome || failure.kind == FailureKind::Panic;
        let judged = if may_judge { self.judged(found, spec) } else { None };
        let names_items = match &judged {
            Some(judged) => judged.names_items,
            None => is_about_outcome && is_read_back(spec),
        };
        if matches!(self.subject.call, Call::Closure { .. }) || self.reads_rust(failure) || names_items {
            lines.push("    #[allow(unused_imports)]".to_owned());
            lines.push(format!("    use {};", self.path(&format!("{}::*", self.crate_name))));
        }
        match self.home() {
            Home::Anywhere => {}
            Home::Inside(module) => {
                let erases = |opening: &Opening| opening.change == Change::Erase;
                let why = if self.subject.openings.iter().all(erases) {
                    "since a type is `#[non_exhaustive]`"
                } else {
                    "whose private items it names"
                };
                lines.push(format!("    // inside `{module}`, {why}"));
            }
            Home::Nowhere(member) => lines.push(format!(
                "    // compiles nowhere as it is: it names private items of `{member}`; make the value by a function of `{member}`"
            )),
        }
        if is_about_outcome {
            // The clause is gone if the spec changed since the counterexample was found.
            let clause =
                failure.clause.and_then(|id| self.clause_text(id)).map(|clause| in_one_line(&clause));
            match judged {
                Some(judged) => {
                    lines.extend(clause.map(|clause| format!("    // the spec requires: {clause}")));
                    lines.extend(judged.lines);
                }
                None => lines.extend(self.asserted(found, spec, clause.as_deref())),
            }
        } else {
            let attribute = match failure.kind {
                FailureKind::NoPanic => Some("#[should_panic]".to_owned()),
                _ => None,
            };
            lines.splice(1..1, attribute);
            let call = self.written(found, spec, false).call;
            let call = format!("    let _result{} = {call};", self.result_type(spec));
            match failure.kind {
                FailureKind::Timeout => lines.extend(limits::timed(&[call], self.subject.settings.timeout)),
                FailureKind::Exit | FailureKind::Abort | FailureKind::StackOverflow => {
                    lines.extend(limits::in_own_process(&[call], name));
                }
                FailureKind::Panic => match judged {
                    Some(judged) => lines.extend(judged.lines),
                    None => {
                        lines.extend(limits::overflow(&failure.message));
                        lines.push(call);
                    }
                },
                FailureKind::Memory => {
                    lines.extend(limits::in_little_memory(&[call], name, self.subject.settings.memory));
                }
                _ => lines.push(call),
            }
        }
        lines.push("}".to_owned());
        lines.join("\n")
    }

    /// Whether the failing clause has Rust code, which names items of the crate.
    fn reads_rust(&self, failure: &Failure) -> bool {
        let clauses = self.subject.spec.clauses();
        clauses.iter().any(|clause| Some(clause.id) == failure.clause && is_rust(clause))
    }

    /// The call. If the `&mut` arguments are compared after it, they are in variables.
    fn written(&self, found: &Counterexample, spec: &Spec, is_looked_at: bool) -> Written {
        let generic = matches!(&self.subject.call, Call::Path { generic: true, .. });
        let mut before = Vec::new();
        let mut args = Vec::new();
        for (param, value) in spec.params.iter().zip(&found.args) {
            let Some(inner) = borrowed(param).filter(|_| is_looked_at) else {
                args.push(rust_code::in_test(value, &param.refined, spec, generic));
                continue;
            };
            let name = variable(param, spec);
            let (kept, code) = rust_code::in_variable(value, &inner, spec, generic, &name);
            before.extend(kept.iter().map(|line| format!("    {line}")));
            before.push(format!("    let mut {name} = {code};"));
            args.push(mutable_argument(&name, &inner));
        }
        Written { before, call: self.subject.applied_in_code(&self.called(), &args) }
    }

    /// The call, and assertions that the wrong outcome doesn't occur, where the failing clause can't be written.
    fn asserted(&self, found: &Counterexample, spec: &Spec, clause: Option<&str>) -> Vec<String> {
        let (lines, is_told) = self.compared(found, spec);
        let less = if is_told { "only rules out the wrong outcome; " } else { "" };
        let comment = clause.map(|clause| format!("    // {less}the spec requires: {clause}"));
        comment.into_iter().chain(lines).collect()
    }

    /// The call, and assertions that the wrong outcome doesn't occur; whether there are any.
    fn compared(&self, found: &Counterexample, spec: &Spec) -> (Vec<String>, bool) {
        let failure = &found.failure;
        let clauses = spec.clauses();
        let clause = clauses.iter().find(|clause| Some(clause.id) == failure.clause);
        let is_told = !clause.is_some_and(|clause| is_about_calls(clause));
        let is_seen_whole = is_told && (!clause.is_some_and(|clause| is_rust(clause)) || is_visible(spec));
        let is_on_return = failure.kind == FailureKind::Ensures;
        let Written { before, call } = self.written(found, spec, is_on_return);
        let mut lines = before;
        match &failure.result {
            Some(bad)
                if failure.kind == FailureKind::Result
                    && is_printable(&spec.result, spec)
                    && is_exact(&spec.result, bad, spec) =>
            {
                let bad = rust_code::expression(bad, &spec.result, spec, false);
                let ty = self.result_type(spec);
                if ty.is_empty() {
                    lines.push(format!("    assert_ne!({call}, {bad});"));
                } else {
                    lines.push(format!("    let result{ty} = {call};"));
                    lines.push(format!("    assert_ne!(result, {bad});"));
                }
                return (lines, true);
            }
            _ => {}
        }
        let result = match &failure.result {
            Some(bad) => same("result", &spec.result, bad, spec),
            None => Sameness::Unknown,
        };
        let after = match (&failure.after, is_on_return) {
            (_, false) => Sameness::Always,
            (Some(after), true) => on_return(spec, after),
            (None, true) if spec.params.iter().any(|param| param.mutable) => Sameness::Unknown,
            (None, true) => Sameness::Always,
        };
        let ty = self.result_type(spec);
        let untold =
            format!("    let _result{ty} = {call}; // the call itself returns: assert here what is wanted");
        match (result, after) {
            _ if !is_seen_whole => return ([lines, vec![untold]].concat(), false),
            (Sameness::Unknown, _) | (_, Sameness::Unknown) | (Sameness::Always, Sameness::Always) => {
                return ([lines, vec![untold]].concat(), false);
            }
            (Sameness::When(result), after) => {
                // Borrowed arguments live as long as the `match`.
                lines.push(format!("    let is_wrong = match {call} {{"));
                lines.push(if ty.is_empty() {
                    format!("        result => {result},")
                } else {
                    format!("        result => {{ let result{ty} = result; {result} }}")
                });
                lines.push("    };".to_owned());
                lines.push(match after {
                    Sameness::When(after) => format!("    assert!(!(is_wrong && {after}));"),
                    Sameness::Always | Sameness::Unknown => "    assert!(!is_wrong);".to_owned(),
                });
            }
            (Sameness::Always, Sameness::When(after)) => {
                let is_unit = matches!(&spec.result.sort, Sort::Tuple(parts) if parts.is_empty());
                let ignored = if is_unit { String::new() } else { format!("let _result{ty} = ") };
                lines.push(format!("    {ignored}{call};"));
                lines.push(format!("    assert!(!({after}));"));
            }
        }
        (lines, true)
    }
}

/// The argument for a `&mut` parameter whose value is in a variable.
pub(super) fn mutable_argument(name: &str, inner: &Refined) -> String {
    match inner.sort {
        Sort::Seq(_, SeqKind::Slice) if inner.pointers.is_empty() => format!("&mut {name}[..]"),
        Sort::Str(StrKind::Str) if inner.pointers.is_empty() => format!("{name}.as_mut_str()"),
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_)
        | Sort::Data(_)
        | Sort::Opaque(_) => format!("&mut {name}"),
    }
}

/// The name of the variable for a parameter. Only a method may have a variable `self`.
pub(super) fn variable(param: &Param, spec: &Spec) -> String {
    if param.name != "self" {
        return param.name.clone();
    }
    let mut name = "this".to_owned();
    while spec.params.iter().any(|other| other.name == name) {
        name.push('_');
    }
    name
}

/// The type that a parameter's `&mut` points to.
pub(super) fn borrowed(param: &Param) -> Option<Refined> {
    let (first, inner) = param.refined.pointers.split_first()?;
    let is_borrowed = param.mutable && *first == Pointer::RefMut;
    is_borrowed.then(|| Refined { pointers: inner.to_vec(), ..param.refined.clone() })
}

/// Whether the `&mut` parameters have these values.
fn on_return(spec: &Spec, after: &[Value]) -> Sameness {
    let params = spec.params.iter().zip(after).filter(|(param, _)| param.mutable);
    let params = params.map(|(param, value)| match borrowed(param) {
        Some(inner) => same(&variable(param, spec), &inner, value, spec),
        None => Sameness::Unknown,
    });
    all(params.collect())
}

/// Whether a clause is about the calls of a function among the arguments, which the outcome doesn't show.
fn is_about_calls(clause: &Clause) -> bool {
    let mut asks = false;
    let about = |term: &Term| matches!(term, Term::Ask(Question::Calls | Question::Returns, ..));
    visit(&clause.term, &mut |term| asks |= about(term));
    asks
}

/// Whether a clause contains Rust code, which sees more of a value than the spec does.
fn is_rust(clause: &Clause) -> bool {
    let mut is_rust = false;
    visit(&clause.term, &mut |term| is_rust |= matches!(term, Term::Opaque(..)));
    is_rust
}

/// Whether the outcome has values that functions built, whose parts are read by expressions in the crate's scope.
fn is_read_back(spec: &Spec) -> bool {
    let mutable = spec.params.iter().filter(|param| param.mutable).map(|param| &param.refined);
    reads_back(mutable.chain([&spec.result]), spec)
}

/// The same, of values of these types.
pub(super) fn reads_back<'s>(of: impl IntoIterator<Item = &'s Refined>, spec: &'s Spec) -> bool {
    let is_read = |data: &Data| {
        let reads_any =
            |via: &Via| via.builders.iter().any(|builder| builder.reads.iter().any(Option::is_some));
        data.via.as_ref().is_some_and(reads_any) && !is_shipped(data)
    };
    let mut waiting: Vec<&Refined> = of.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(refined) = waiting.pop() {
        waiting.extend(refined.inner());
        if let Sort::Data(id) = refined.sort
            && seen.insert(id)
        {
            let data = spec.data(id);
            if is_read(data) {
                return true;
            }
            waiting.extend(data.ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
        }
    }
    false
}

/// Whether the spec sees all parts of the result and of the arguments.
fn is_visible(spec: &Spec) -> bool {
    let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
    let params = spec.params.iter().map(|param| &param.refined);
    let mut waiting: Vec<&Refined> = fields.map(|field| &field.refined).collect();
    waiting.extend(params);
    waiting.push(&spec.result);
    while let Some(refined) = waiting.pop() {
        match refined.sort {
            Sort::Opaque(_) => return false,
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_) => waiting.extend(refined.inner()),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_for_a_receiver_has_a_name_that_a_test_may_use() {
        let mut spec = Spec::unrefined("Stack::push");
        let param = |name: &str| Param {
            name: name.to_owned(),
            refined: Refined { pointers: vec![Pointer::RefMut], ..Refined::plain(Sort::Bool) },
            mutable: true,
        };
        spec.params = vec![param("self"), param("x")];
        assert_eq!(spec.params.iter().map(|param| variable(param, &spec)).collect::<Vec<_>>(), ["this", "x"]);
        let after = on_return(&spec, &[Value::Bool(true), Value::Bool(false)]);
        assert_eq!(after, Sameness::When("this && !x".to_owned()));
        spec.params[1] = param("this");
        assert_eq!(variable(&spec.params[0], &spec), "this_");
    }
}
