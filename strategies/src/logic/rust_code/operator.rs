//! Prints calls of `Add::add` and `Sub::sub` as operations: `std::time::UNIX_EPOCH + std::time::Duration::new(5, 0)`.

use super::Printer;
use crate::logic::ir::{Ctor, Refined, Sort};
use crate::logic::value::Value;

/// The operator of a function that has a path like `<A as std::ops::Add<B>>::add`.
fn of(path: &str) -> Option<char> {
    let (_, function) = path.strip_prefix('<')?.split_once(" as std::ops::")?;
    [("Add", ">::add", '+'), ("Sub", ">::sub", '-')]
        .into_iter()
        .find(|(start, end, _)| function.starts_with(start) && function.ends_with(end))
        .map(|(.., operator)| operator)
}

impl Printer<'_> {
    /// The operator that a constructor is printed as. Where values are parsed again, it is the path of a function.
    pub(super) fn operator(&self, ctor: &Ctor) -> Option<char> {
        of(&ctor.rust_path).filter(|_| self.has_operators)
    }

    /// The operation that makes a value of two others. Adding or subtracting no time is left out.
    pub(super) fn operation(
        &self,
        ctor: &Ctor,
        fields: &[Value],
        name: &str,
        before: &mut Vec<String>,
    ) -> String {
        let args = self.args((&ctor.fields, fields), name, before);
        match (self.operator(ctor), args.as_slice()) {
            (Some(_), [first, _]) if is_idle(ctor, fields) => first.clone(),
            (Some(operator), [first, second]) => format!("{first} {operator} {second}"),
            _ => format!("{}({})", ctor.rust_path, args.join(", ")),
        }
    }

    /// Whether the code of a value has an operator outside of parentheses.
    pub(super) fn is_operation(&self, value: &Value, refined: &Refined) -> bool {
        let (Sort::Data(id), Value::Data(ctor, fields)) = (&refined.sort, value) else { return false };
        let Some(ctor) = self.spec.data(*id).ctors.get(*ctor as usize) else { return false };
        let is_first = || {
            let first = ctor.fields.first().zip(fields.first());
            first.is_some_and(|(field, value)| self.is_operation(value, &field.refined))
        };
        self.operator(ctor).is_some() && (!is_idle(ctor, fields) || is_first())
    }
}

/// Whether an operation on times changes nothing.
fn is_idle(ctor: &Ctor, fields: &[Value]) -> bool {
    let is_zero = |value: &Value| matches!(value, Value::Int(n) if n.is_zero());
    let of_time = ctor.rust_path.starts_with("<std::time::SystemTime as ");
    of_time && matches!(fields, [_, Value::Data(_, parts)] if parts.iter().all(is_zero))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn operators_are_known_by_the_path_of_their_function() {
        assert_eq!(of("<std::time::SystemTime as std::ops::Add<std::time::Duration>>::add"), Some('+'));
        assert_eq!(of("<std::time::SystemTime as std::ops::Sub<std::time::Duration>>::sub"), Some('-'));
        assert_eq!(of("<c::Set as std::ops::BitAnd<c::Set>>::bitand"), None);
        assert_eq!(of("std::time::Duration::new"), None);
    }
}
