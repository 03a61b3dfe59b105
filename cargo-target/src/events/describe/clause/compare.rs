//! Equality and order of any two values, as far as Rust means the same by them as specs.

use target_strategies::logic::ir::{CompareOp, Pointer, Refined, Sort, Spec, StrKind, Term};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use super::code::{self, Type};
use super::{ClauseWriter, Code, Level};
use crate::events::describe::same::{Sameness, same};
use crate::events::describe::std_types::{are_alike, has_equality, has_order};
use crate::events::describe::test::reads_back;

impl ClauseWriter<'_> {
    pub(super) fn equal(&mut self, a: &Term, b: &Term) -> Option<Code> {
        let (x, y) = (self.code(a), self.code(b));
        let both = x.as_ref().zip(y.as_ref());
        let compared = both.and_then(|(x, y)| code::compared(x, "==", y).or_else(|| self.whole(x, "==", y)));
        let compared =
            compared.or_else(|| self.is_value(x.as_ref()?, b)).or_else(|| self.is_value(y.as_ref()?, a));
        let compared = compared.or_else(|| self.compared_owned(x.as_ref()?, "==", y.as_ref()?));
        // No value of the type is the one that is wanted, `Some(256)` of `Option<u8>`.
        let never = |code: &Option<Code>, term| {
            let Type::Value(refined) = &code.as_ref()?.of else { return None };
            (!is_of_type(&self.value(term)?, refined, self.spec))
                .then(|| Code::bool("false".to_owned(), Level::Atom))
        };
        compared.or_else(|| never(&x, b)).or_else(|| never(&y, a))
    }

    pub(super) fn ordered(&mut self, op: CompareOp, a: &Term, b: &Term) -> Option<Code> {
        let (a, b) = (self.code(a)?, self.code(b)?);
        let op = if op == CompareOp::Lt { "<" } else { "<=" };
        let compared = code::compared(&a, op, &b).or_else(|| self.whole(&a, op, &b));
        compared.or_else(|| self.compared_owned(&a, op, &b))
    }

    /// A comparison of whole values by an operator of Rust's.
    fn whole(&self, a: &Code, operator: &str, b: &Code) -> Option<Code> {
        let (Type::Value(x), Type::Value(y)) = (&a.of, &b.of) else { return None };
        let infix = |a: String, b: String| Some(Code::bool(format!("{a} {operator} {b}"), Level::Comparison));
        if let (Sort::Seq(x, _), Sort::Seq(y, _)) = (&x.sort, &y.sort)
            && !a.is_deque()
            && !b.is_deque()
        {
            let is_same = operator == "==" && x.pointers == y.pointers && are_alike(x, y, self.spec);
            let is_same = is_same && has_equality(x, self.spec);
            return is_same
                .then(|| infix(format!("{}[..]", a.receiver()), format!("{}[..]", b.receiver())))?;
        }
        let is_same = if operator == "==" { has_equality(x, self.spec) } else { has_order(x, self.spec) };
        (is_same && are_alike(x, y, self.spec)).then(|| infix(a.dereferenced(), b.dereferenced()))?
    }

    /// The condition that an expression has the value of a term that only reads arguments.
    fn is_value(&mut self, code: &Code, term: &Term) -> Option<Code> {
        let Type::Value(refined) = &code.of else { return None };
        // Such floats are equal in specs, too, but not in all their bits.
        let value = self.value(term).filter(|value| !has_odd_float(value))?;
        if !is_of_type(&value, refined, self.spec) {
            return None;
        }
        let refined = Refined { pointers: Vec::new(), ..refined.clone() };
        let is_written = matches!(refined.sort, Sort::Data(_) | Sort::Tuple(_));
        if is_written && has_equality(&refined, self.spec) && is_expression(&refined, self.spec) {
            let value = rust_code::in_test(&value, &refined, self.spec, false);
            let text = format!("{} == {value}", code.dereferenced());
            return Some(Code::bool(text, Level::Comparison));
        }
        self.names_items |= reads_back([&refined], self.spec);
        let text = code.dereferenced();
        let place = if text.starts_with('*') { format!("({text})") } else { text };
        match same(&place, &refined, &value, self.spec) {
            Sameness::When(condition) => Some(Code::bool(condition, Level::Condition)),
            Sameness::Always | Sameness::Unknown => None,
        }
    }
}

/// Whether a value is one of a Rust type: integers of a spec have no limits.
fn is_of_type(value: &Value, refined: &Refined, spec: &Spec) -> bool {
    let parts: Vec<(&Refined, &Value)> = match (&refined.sort, value) {
        (Sort::Int(kind), Value::Int(n)) => return kind.contains(n),
        (Sort::Data(id), Value::Data(ctor, fields)) => {
            let of = spec.data(*id).ctors.get(*ctor as usize).into_iter().flat_map(|ctor| &ctor.fields);
            of.map(|field| &field.refined).zip(&**fields).collect()
        }
        (Sort::Bool | Sort::Char | Sort::Float(_) | Sort::Str(_) | Sort::Opaque(_), _) => return true,
        (Sort::Int(_) | Sort::Data(_), _) => return false,
        (Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_), _) => refined.sort.parts(value),
    };
    parts.into_iter().all(|(refined, part)| is_of_type(part, refined, spec))
}

/// Whether the expression of a value has just this type: pointers in it may have another one.
fn is_expression(refined: &Refined, spec: &Spec) -> bool {
    let has_pointers = |refined: &Refined| match refined.pointers.as_slice() {
        [] => false,
        [Pointer::Ref] => !matches!(refined.sort, Sort::Str(StrKind::Str)),
        _ => true,
    };
    let fields = match refined.sort {
        Sort::Data(id) => spec.data(id).ctors.as_slice(),
        _ => &[],
    };
    let fields = fields.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined);
    let parts: Vec<&Refined> = refined.inner().into_iter().chain(fields).collect();
    parts.into_iter().all(|part| !has_pointers(part) && is_expression(part, spec))
}

/// Whether a value contains a float of which `==` says less, or something else, than its bits.
fn has_odd_float(value: &Value) -> bool {
    match value {
        Value::Float(x) => *x == 0.0 || x.is_nan(),
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => parts.iter().any(has_odd_float),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Str(_) => false,
    }
}
