//! Turns closed expressions, as in `examples`, into values of a sort.

use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Refined, SeqKind, Sort};
use target_strategies::logic::value::Value;

use super::{Scope, term};
use crate::frontend::data::DataTable;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::Expr;

/// The value of a closed expression of the expected sort. Refinements are not checked.
pub fn constant(expr: &Expr, expected: &Refined, data: &mut DataTable<'_>) -> Result<Value, Diagnostic> {
    let ty = data.ty_of(expected);
    let (term, _) = term(expr, &Scope::new(), data, Some(&ty))?;
    let value = Judge::new(None)
        .with_regexes(&data.regexes)
        .value(&term)
        .map_err(|_| Diagnostic::error(expr.span, "the value of this panics, or is too big to compute"))?;
    match misfit(&value, expected, data) {
        Some(reason) => Err(Diagnostic::error(expr.span, reason)),
        None => Ok(value),
    }
}

/// Why Rust can't hold the value at this type: an integer out of range, an array of another length.
fn misfit(value: &Value, expected: &Refined, data: &DataTable<'_>) -> Option<String> {
    match (&expected.sort, value) {
        (Sort::Int(kind), Value::Int(n)) if !kind.contains(n) => {
            Some(format!("`{n}` does not fit `{}`", kind.name()))
        }
        (Sort::Seq(_, SeqKind::Array(n)), Value::Seq(elements)) if elements.len() != *n as usize => {
            Some(format!("expected an array of {n} elements, found {}", elements.len()))
        }
        (Sort::Data(id), _) if data.get(*id).rule.is_some() => None,
        (Sort::Data(id), Value::Data(ctor, values)) => {
            let fields = &data.get(*id).ctors[*ctor as usize].fields;
            fields.iter().zip(values.iter()).find_map(|(field, value)| misfit(value, &field.refined, data))
        }
        #[rustfmt::skip]
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
        | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _)
        => {
            let mut parts = expected.sort.parts(value).into_iter();
            parts.find_map(|(part, value)| misfit(value, part, data))
        }
    }
}
