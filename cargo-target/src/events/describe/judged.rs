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

use target_bridge::frontend::subject::Call;
use target_strategies::child::protocol::FailureKind;
use target_strategies::logic::ir::{Param, Pointer, Refined, Sort, Spec, Term, mentions};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use super::Describer;
use super::clause::{ALWAYS, ClauseWriter, Code, Level};
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

impl Describer<'_> {
    /// The call, and an assertion of the conditions of the failing clause's kind; `None` if the failing clause can't be
    /// written as Rust.
    pub(super) fn judged(&self, found: &Counterexample, spec: &Spec) -> Option<Vec<String>> {
        let failing = found.failure.clause?;
        let promise = promise(spec, found.failure.kind, failing)?;
        let terms = terms(spec, &promise);
        let result = (spec.value_slot(), self.result_name(spec), &spec.result);
        let is_read =
            !matches!(promise, Promise::Kept(..)) && terms.iter().any(|term| mentions(term, result.0));
        let Setup { mut lines, mut variables, args } = self.setup(found, spec, &promise, &terms)?;
        if is_read {
            variables.insert(result.0, (result.1.clone(), result.2.clone()));
        }
        if let Promise::Kept(at, _) = promise {
            let kept = variables.get(&(at as u32))?.clone();
            variables.insert(spec.value_slot(), kept);
        }
        let mut writer = ClauseWriter::new(spec, &self.subject.opaques, variables);
        let conditions = match promise {
            Promise::Result => writer.of_type(&spec.result),
            Promise::Ensures => {
                spec.ensures.iter().map(|clause| (clause.id, writer.condition(&clause.term))).collect()
            }
            Promise::Kept(_, param) => writer.of_type(&param.refined),
        };
        conditions.iter().find(|(id, code)| *id == failing && code.is_some())?;
        let conditions =
            conditions.into_iter().filter_map(|(_, code)| code).filter(|code| code.text != ALWAYS);
        let condition = match conditions.collect::<Vec<Code>>().as_slice() {
            [one] => one.text.clone(),
            all => all.iter().map(|code| code.operand_of(Level::Condition)).collect::<Vec<_>>().join(" && "),
        };
        let call = format!("{}({})", self.called(), args.join(", "));
        let is_unit = matches!(&spec.result.sort, Sort::Tuple(parts) if parts.is_empty());
        lines.push(if is_read {
            format!("    let {} = {call};", result.1)
        } else if is_unit {
            format!("    {call};")
        } else {
            format!("    let _result = {call};")
        });
        let shown = if is_read && is_printable(&spec.result, spec) {
            format!(", \"{0} = {{{0}:?}}\"", result.1)
        } else {
            String::new()
        };
        lines.push(format!("    assert!({condition}{shown});"));
        Some(lines)
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

    /// The variables that the conditions read, and the arguments of the call.
    fn setup(
        &self,
        found: &Counterexample,
        spec: &Spec,
        promise: &Promise,
        terms: &[&Term],
    ) -> Option<Setup> {
        let generic = matches!(&self.subject.call, Call::Path { generic: true, .. });
        let literal = |value: &Value, of: &Refined| rust_code::in_test(value, of, spec, generic);
        let is_read = |slot: u32| terms.iter().any(|term| mentions(term, slot));
        let borrows = has_pointer(&spec.result, spec, &[Pointer::Ref, Pointer::RefMut]);
        if borrows && spec.params.iter().any(|param| param.mutable) {
            return None;
        }
        let mut setup = Setup { lines: Vec::new(), variables: BTreeMap::new(), args: Vec::new() };
        for (at, (param, value)) in spec.params.iter().zip(&found.args).enumerate() {
            let (entry, on_return) = (at as u32, spec.value_slot() + 1 + at as u32);
            let name = variable(param, spec);
            if param.mutable {
                let inner = borrowed(param)?;
                let is_kept = matches!(promise, Promise::Kept(kept, _) if *kept == at);
                let means_return = matches!(promise, Promise::Kept(..));
                let is_looked_at = is_kept || is_read(on_return) || means_return && is_read(entry);
                let is_old_read = !means_return && is_read(entry);
                if is_looked_at || is_old_read {
                    setup.lines.push(format!("    let mut {name} = {};", literal(value, &inner)));
                    setup.args.push(mutable_argument(&name, &inner));
                    let slot = if means_return { entry } else { on_return };
                    setup.variables.insert(slot, (name.clone(), inner.clone()));
                } else {
                    setup.args.push(literal(value, &param.refined));
                }
                if is_old_read {
                    // A copy has the type that the call gives the variable.
                    let kept = if is_copy(&inner) { name.clone() } else { format!("{name}.clone()") };
                    let old = free_name(format!("old_{name}"), spec);
                    setup.lines.push(format!("    let {old} = {kept};"));
                    is_plain(&inner).then_some(())?;
                    setup.variables.insert(entry, (old, inner));
                }
                continue;
            }
            let is_reference = param.refined.pointers.first() == Some(&Pointer::Ref);
            if !(is_read(entry) || is_read(on_return) || borrows && is_reference) {
                setup.args.push(literal(value, &param.refined));
                continue;
            }
            let (annotation, arg) = passed(&name, param, spec, &|| literal(value, &param.refined))?;
            setup.lines.push(format!("    let {name}{annotation} = {};", literal(value, &param.refined)));
            setup.args.push(arg);
            setup.variables.insert(entry, (name.clone(), param.refined.clone()));
            setup.variables.insert(on_return, (name, param.refined.clone()));
        }
        Some(setup)
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
    let of_type = |refined: &'s Refined| {
        let mut clauses = Vec::new();
        let mut waiting = vec![refined];
        while let Some(refined) = waiting.pop() {
            clauses.extend(refined.clauses.iter().map(|clause| &clause.term));
            if let Sort::Seq(element, _) = &refined.sort {
                waiting.push(element);
            }
        }
        clauses
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
    if refined.pointers.first() == Some(&Pointer::Ref) || is_copy(refined) {
        return Some((String::new(), name.to_owned()));
    }
    if is_plain(refined) {
        return Some((String::new(), format!("{name}.clone()")));
    }
    // Such a type need not be `Clone`.
    let Sort::Data(id) = refined.sort else { return None };
    refined.pointers.is_empty().then(|| (format!(": {}", spec.data(id).rust_type), again()))
}

/// Whether a type is `Copy`, without looking at the user's code.
fn is_copy(refined: &Refined) -> bool {
    let is_scalar = match &refined.sort {
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => true,
        Sort::Tuple(parts) => parts.iter().all(is_copy),
        Sort::Str(_) | Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Data(_) | Sort::Opaque(_) => {
            false
        }
    };
    is_scalar && refined.pointers.is_empty()
}

/// Whether a type is built of types of the standard library, without pointers.
fn is_plain(refined: &Refined) -> bool {
    let is_std = !matches!(refined.sort, Sort::Data(_) | Sort::Opaque(_));
    is_std && refined.pointers.is_empty() && refined.inner().into_iter().all(is_plain)
}

/// Whether a type implements `Debug`, without looking at the user's code.
fn is_printable(refined: &Refined, spec: &Spec) -> bool {
    let is_std = match &refined.sort {
        Sort::Opaque(_) => false,
        Sort::Data(id) => {
            let data = spec.data(*id);
            let name = data.rust_type.split('<').next();
            let fields = data.ctors.iter().flat_map(|ctor| &ctor.fields);
            let is_of_std = matches!(name, Some("Option" | "Result"));
            data.rule.is_some() || is_of_std && { fields }.all(|field| is_printable(&field.refined, spec))
        }
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_) => true,
    };
    is_std && refined.inner().into_iter().all(|part| is_printable(part, spec))
}

/// Whether a type holds one of these pointers somewhere.
fn has_pointer(refined: &Refined, spec: &Spec, pointers: &[Pointer]) -> bool {
    let mut seen = Vec::new();
    let mut waiting = vec![refined];
    while let Some(refined) = waiting.pop() {
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
