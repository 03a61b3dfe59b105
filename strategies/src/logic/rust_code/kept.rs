//! What a variable of a test borrows from: variables before it, since a temporary lives no longer than its statement.

use std::cell::RefCell;

use super::Printer;
use crate::logic::ir::{Refined, Spec};
use crate::logic::value::Value;

/// The variables that the expression of another one borrows from.
pub(super) struct Kept<'s> {
    spec: &'s Spec,
    /// The name of that one.
    name: &'s str,
    lines: RefCell<Vec<String>>,
}

impl Kept<'_> {
    /// Binds an expression to a new variable, whose name is returned.
    pub fn keep(&self, value: &str, is_mutable: bool) -> String {
        let mut lines = self.lines.borrow_mut();
        let mut name = format!("{}_{}", self.name.trim_start_matches("r#"), lines.len() + 1);
        while self.spec.params.iter().any(|param| param.name == name) {
            name.push('_');
        }
        let mutable = if is_mutable { "mut " } else { "" };
        lines.push(format!("let {mutable}{name} = {value};"));
        name
    }
}

/// The expression for the variable of that name in a test, and the statements before it.
pub fn in_variable(
    value: &Value,
    refined: &Refined,
    spec: &Spec,
    suffix: bool,
    name: &str,
) -> (Vec<String>, String) {
    let kept = Kept { spec, name, lines: RefCell::default() };
    let printer = Printer { kept: Some(&kept), ..Printer::new(spec, suffix, true, true) };
    let code = printer.behind(&refined.pointers, value, refined);
    (kept.lines.take(), code)
}
