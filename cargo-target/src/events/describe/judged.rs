//! The body of a test that judges the outcome by the spec: it calls the function, and asserts the conditions that the
//! outcome has to satisfy, as Rust.
//!
//! For a function of which `v < r2` says something about the result, that is
//!
//! ```text
//! let r2 = 1;
//! let result = keeper::rescale(1, r2, 0);
//! assert!(result < r2, "result = {result:?}");
//! ```

use std::collections::BTreeMap;

use target_bridge::frontend::data::rust_type;
use target_bridge::frontend::subject::Call;
use target_strategies::child::protocol::FailureKind;
use target_strategies::logic::ir::{
    CallbackKind, Param, Pointer, Refined, SeqKind, Sort, Spec, Term, mentions,
};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use super::Describer;
use super::clause::types::clauses_of;
use super::clause::{ALWAYS, ClauseWriter, Code, Level, has_name};
use super::recorded::{Record, recording, records};
use super::std_types::{is_copy, is_plain, is_printable};
use super::test::{borrowed, mutable_argument, variable};
use crate::events::outcome::Counterexample;

/// The conditions that a test asserts.
enum Promise<'s> {
    /// Those of the result's type.
    Result,
    /// `ensures`.
    Ensures,
    /// Those of the type of a `&mut` parameter, which hold again on return. Names mean the values on return.
    Kept(usize, &'s Param),
}

/// What a test does before its assertion, and the variables that the assertion may read.
struct Setup {
    lines: Vec<String>,
    variables: BTreeMap<u32, (String, Refined)>,
    args: Vec<String>,
}

/// A test's body that judges the outcome.
pub(super) struct Judged {
    pub(super) lines: Vec<String>,
    /// Whether it names items of the crate without its name.
    pub(super) names_items: bool,
}

impl Describer<'_> {
    /// The call, and an assertion of the conditions of the failing clause's kind; `None` if the failing clause can't be
    /// written as Rust. After a panic there is no such clause: then it is one of what can be written.
    pub(super) fn judged(&self, found: &Counterexample, spec: &Spec) -> Option<Judged> {
        let kind = found.failure.kind;
        if kind != FailureKind::Panic {
            let failing = found.failure.clause?;
            return self.asserting(found, spec, promise(spec, kind, failing)?, Some(failing));
        }
        self.asserting(found, spec, Promise::Result, None)
            .or_else(|| self.asserting(found, spec, Promise::Ensures, None))
    }

    fn asserting(
        &self,
        found: &Counterexample,
        spec: &Spec,
        promise: Promise<'_>,
        failing: Option<u32>,
    ) -> Option<Judged> {
        let terms = terms(spec, &promise);
        let records = records(&terms, spec);
        let result = (spec.value_slot(), self.result_name(spec), &spec.result);
        let is_read = |slot: u32| terms.iter().any(|term| mentions(term, slot));
        let Setup { mut variables, .. } =
            self.setup(found, spec, (&promise, &[]), &|slot, _| is_read(slot))?;
        // A function that records its calls is no variable.
        records.iter().filter_map(|record| record.of.slot()).for_each(|slot| drop(variables.remove(&slot)));
        if !matches!(promise, Promise::Kept(..)) && is_read(result.0) {
            variables.insert(result.0, (result.1.clone(), result.2.clone()));
        }
        let known = |(index, param): (usize, &Param)| {
            let is_changed = param.mutable && matches!(promise, Promise::Kept(..));
            (!is_changed).then_some(index as u32)
        };
        if let Promise::Kept(at, _) = promise {
            let kept = variables.get(&(at as u32))?.clone();
            variables.insert(spec.value_slot(), kept);
        }
        let known = spec.params.iter().enumerate().filter_map(known).collect();
        let mut writer = ClauseWriter::new(spec, &self.subject.opaques, variables, (&found.args, known));
        writer.recorded = records.iter().map(|record| (record.of, record.question, record.code())).collect();
        let condition = joined(conditions(&mut writer, &promise, spec), failing)?;
        // The others are not needed: what the condition says of them, it says by their values.
        let is_named = |name: &str| has_name(&condition, name);
        let records: Vec<Record> = records.into_iter().filter(|record| is_named(&record.name)).collect();
        let Setup { lines, args, .. } =
            self.setup(found, spec, (&promise, &records), &|slot, name| is_read(slot) && is_named(name))?;
        let helpers = writer.helpers(&condition);
        let helpers = helpers.iter().flat_map(|helper| helper.lines()).map(|line| format!("    {line}"));
        let statics = records.iter().map(|record| record.declared(spec));
        let mut lines: Vec<String> = helpers.chain(statics).chain(lines).collect();
        let call = self.subject.applied_in_code(&self.called(), &args);
        let is_shown = !matches!(promise, Promise::Kept(..)) && is_named(&result.1);
        let is_unit = matches!(&spec.result.sort, Sort::Tuple(parts) if parts.is_empty());
        let ty = self.result_type(spec);
        lines.push(if is_shown {
            format!("    let {}{ty} = {call};", result.1)
        } else if is_unit {
            format!("    {call};")
        } else {
            format!("    let _result{ty} = {call};")
        });
        lines.extend(records.iter().map(Record::read));
        let shown = if is_shown && is_printable(&spec.result, spec) {
            format!(", \"{0} = {{{0}:?}}\"", result.1)
        } else {
            String::new()
        };
        lines.push(format!("    assert!({condition}{shown});"));
        Some(Judged { lines, names_items: writer.names_items() })
    }

    /// The function as it is called.
    pub(super) fn called(&self) -> String {
        match &self.subject.call {
            Call::Path { path, .. } => self.path(path),
            Call::Closure { text, .. } => format!("({text})"),
        }
    }

    pub(super) fn result_name(&self, spec: &Spec) -> String {
        free_name("result".to_owned(), spec)
    }

    /// The annotation of a variable for the result, with which rustc finds the type arguments of a generic function.
    pub(super) fn result_type(&self, spec: &Spec) -> String {
        let is_generic = matches!(&self.subject.call, Call::Path { generic: true, .. });
        let ty = if is_generic { rust_type(&spec.result, &spec.data) } else { String::new() };
        if ty.is_empty() || ty == "_" { String::new() } else { format!(": {ty}") }
    }

    /// The variables that the conditions read, and the arguments of the call. `is_read` tells of a slot and the variable
    /// that it would have.
    fn setup(
        &self,
        found: &Counterexample,
        spec: &Spec,
        (promise, records): (&Promise, &[Record]),
        is_read: &dyn Fn(u32, &str) -> bool,
    ) -> Option<Setup> {
        let generic = matches!(&self.subject.call, Call::Path { generic: true, .. });
        let literal = |value: &Value, of: &Refined| rust_code::in_test(value, of, spec, generic);
        let borrows = has_pointer(&spec.result, spec, &[Pointer::Ref, Pointer::RefMut]);
        if borrows && spec.params.iter().any(|param| param.mutable) {
            return None;
        }
        let mut setup = Setup { lines: Vec::new(), variables: BTreeMap::new(), args: Vec::new() };
        for (at, (param, value)) in spec.params.iter().zip(&found.args).enumerate() {
            let (entry, on_return) = (at as u32, spec.value_slot() + 1 + at as u32);
            let own: Vec<&Record> = records.iter().filter(|record| record.of.slot() == Some(entry)).collect();
            if !own.is_empty() {
                setup.args.push(recording(value, &param.refined, spec, generic, &own)?);
                continue;
            }
            let name = variable(param, spec);
            if is_iterator(&param.refined) && (is_read(entry, &name) || is_read(on_return, &name)) {
                // The call uses it up, so that the variable is its list.
                let list = list_of(&param.refined)?;
                setup.bind((&name, &name), value, &list, (spec, generic));
                setup.args.push(format!("{name}.clone().into_iter()"));
                setup.variables.extend([entry, on_return].map(|slot| (slot, (name.clone(), list.clone()))));
                continue;
            }
            if param.mutable {
                setup.add_mutable(at, (param, value), (spec, generic), promise, is_read)?;
                continue;
            }
            let is_reference = param.refined.pointers.first() == Some(&Pointer::Ref);
            let is_read = is_read(entry, &name) || is_read(on_return, &name);
            if borrows && !is_read && !is_reference && has_pointer(&param.refined, spec, &[Pointer::Ref]) {
                setup.bind((&name, &name), value, &param.refined, (spec, generic));
                setup.args.push(name);
                continue;
            }
            let passed = passed(&name, param, spec, &|| literal(value, &param.refined));
            match passed.filter(|_| is_read || borrows && is_reference) {
                Some((annotation, arg)) => {
                    let head = format!("{name}{annotation}");
                    setup.bind((&head, &name), value, &param.refined, (spec, generic));
                    setup.args.push(arg);
                    setup.variables.insert(entry, (name.clone(), param.refined.clone()));
                    setup.variables.insert(on_return, (name, param.refined.clone()));
                }
                None => setup.args.push(literal(value, &param.refined)),
            }
        }
        Some(setup)
    }
}

/// The conditions of a promise, each after the number of its clause.
fn conditions(writer: &mut ClauseWriter<'_>, promise: &Promise<'_>, spec: &Spec) -> Vec<(u32, Option<Code>)> {
    match promise {
        Promise::Result => writer.of_type(&spec.result),
        Promise::Ensures => {
            spec.ensures.iter().map(|clause| (clause.id, writer.condition(&clause.term))).collect()
        }
        Promise::Kept(_, param) => writer.of_type(&param.refined),
    }
}

/// All conditions that can be written, if they have something to say and the failing one is among them.
fn joined(conditions: Vec<(u32, Option<Code>)>, failing: Option<u32>) -> Option<String> {
    if let Some(failing) = failing {
        let mut of_failing = conditions.iter().filter(|(id, _)| *id == failing).peekable();
        of_failing.peek()?;
        if of_failing.any(|(_, code)| code.is_none()) {
            return None;
        }
    }
    let conditions = conditions.into_iter().filter_map(|(_, code)| code).filter(|code| code.text != ALWAYS);
    match conditions.collect::<Vec<Code>>().as_slice() {
        [] => None,
        [one] => Some(one.text.clone()),
        all => {
            let all: Vec<String> = all.iter().map(|code| code.operand_of(Level::Condition)).collect();
            Some(all.join(" && "))
        }
    }
}

/// The conditions to which a failing clause belongs.
fn promise(spec: &Spec, kind: FailureKind, failing: u32) -> Option<Promise<'_>> {
    if kind == FailureKind::Result {
        return Some(Promise::Result);
    }
    if spec.ensures.iter().any(|clause| clause.id == failing) {
        return Some(Promise::Ensures);
    }
    let has_it = |param: &&Param| param.refined.clauses.iter().any(|clause| clause.id == failing);
    let (at, param) = spec.params.iter().enumerate().find(|(_, param)| has_it(param) && param.mutable)?;
    Some(Promise::Kept(at, param))
}

/// The terms of its conditions.
fn terms<'s>(spec: &'s Spec, promise: &Promise<'s>) -> Vec<&'s Term> {
    let of_type = |refined: &'s Refined| -> Vec<&'s Term> {
        clauses_of(refined, spec).into_iter().map(|clause| &clause.term).collect()
    };
    match promise {
        Promise::Result => of_type(&spec.result),
        Promise::Ensures => spec.ensures.iter().map(|clause| &clause.term).collect(),
        Promise::Kept(_, param) => of_type(&param.refined),
    }
}

/// How a variable that is read after the call is annotated, and passed to it; `None` if it can't be kept.
fn passed(name: &str, param: &Param, spec: &Spec, again: &dyn Fn() -> String) -> Option<(String, String)> {
    let refined = &param.refined;
    // A closure that captures nothing can be copied, and becomes a `&dyn Fn` behind one reference.
    let is_function = refined.pointers.is_empty() && is_pure(refined, spec);
    if refined.pointers.len() > 1 && is_pure(refined, spec) {
        return None;
    }
    if refined.pointers.first() == Some(&Pointer::Ref) || is_copy(refined) || is_function {
        return Some((String::new(), name.to_owned()));
    }
    if is_plain(refined) {
        return Some((String::new(), format!("{name}.clone()")));
    }
    // Such a type need not be `Clone`.
    let Sort::Data(id) = refined.sort else { return None };
    let of = match spec.data(id).rust_type.as_str() {
        "_" => String::new(),
        of => format!(": {of}"),
    };
    refined.pointers.is_empty().then(|| (of, again()))
}

/// Whether a type is one of functions without a memory.
fn is_pure(refined: &Refined, spec: &Spec) -> bool {
    matches!(&refined.sort, Sort::Seq(_, SeqKind::Answers(id)) if spec.callback(*id).steps.is_none() && spec.callback(*id).kind == CallbackKind::Pure)
}

impl Setup {
    /// Binds a value to a variable, `head` after `let`. What it borrows from is in variables before.
    fn bind(
        &mut self,
        (head, name): (&str, &str),
        value: &Value,
        of: &Refined,
        (spec, generic): (&Spec, bool),
    ) {
        let (before, code) = rust_code::in_variable(value, of, spec, generic, name);
        self.lines.extend(before.iter().map(|line| format!("    {line}")));
        self.lines.push(format!("    let {head} = {code};"));
    }

    /// Adds a `&mut` argument, in a variable if it is looked at, and a copy if the conditions read what it was.
    fn add_mutable(
        &mut self,
        at: usize,
        (param, value): (&Param, &Value),
        (spec, generic): (&Spec, bool),
        promise: &Promise,
        is_read: &dyn Fn(u32, &str) -> bool,
    ) -> Option<()> {
        let (entry, on_return) = (at as u32, spec.value_slot() + 1 + at as u32);
        let (name, inner) = (variable(param, spec), borrowed(param)?);
        let is_kept = matches!(promise, Promise::Kept(kept, _) if *kept == at);
        let means_return = matches!(promise, Promise::Kept(..));
        let old = free_name(format!("old_{}", name.trim_start_matches("r#")), spec);
        let is_looked_at = is_kept || is_read(on_return, &name) || means_return && is_read(entry, &name);
        // Another type need not be `Clone`.
        let is_old_read = !means_return && is_read(entry, &old) && is_plain(&inner);
        if is_looked_at || is_old_read {
            self.bind((&format!("mut {name}"), &name), value, &inner, (spec, generic));
            self.args.push(mutable_argument(&name, &inner));
            let slot = if means_return { entry } else { on_return };
            self.variables.insert(slot, (name.clone(), inner.clone()));
        } else {
            self.args.push(rust_code::in_test(value, &param.refined, spec, generic));
        }
        if is_old_read {
            // A copy has the type that the call gives the variable.
            let kept = if is_copy(&inner) { name } else { format!("{name}.clone()") };
            self.lines.push(format!("    let {old} = {kept};"));
            self.variables.insert(entry, (old, inner));
        }
        Some(())
    }
}

fn is_iterator(refined: &Refined) -> bool {
    matches!(refined.sort, Sort::Seq(_, SeqKind::Iter))
}

/// The list of what an iterator yields, if it can be copied.
fn list_of(refined: &Refined) -> Option<Refined> {
    let Sort::Seq(element, SeqKind::Iter) = &refined.sort else { return None };
    let list = Refined { sort: Sort::Seq(element.clone(), SeqKind::Vec), ..refined.clone() };
    (list.pointers.is_empty() && is_plain(&list)).then_some(list)
}

/// Whether values of a type hold one of these pointers somewhere. What functions return is not in them.
fn has_pointer(refined: &Refined, spec: &Spec, pointers: &[Pointer]) -> bool {
    let mut seen = Vec::new();
    let mut waiting = vec![refined];
    while let Some(refined) = waiting.pop() {
        if refined.callback().is_some() || refined.object(spec).is_some() {
            continue;
        }
        if refined.pointers.iter().any(|pointer| pointers.contains(pointer)) {
            return true;
        }
        if let Sort::Data(id) = refined.sort
            && !seen.contains(&id)
        {
            seen.push(id);
            let ctors = &spec.data(id).ctors;
            waiting.extend(ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
        }
        waiting.extend(refined.inner());
    }
    false
}

/// The name, or a longer one that no parameter has.
fn free_name(mut name: String, spec: &Spec) -> String {
    while spec.params.iter().any(|param| param.name == name) {
        name.push('_');
    }
    name
}
