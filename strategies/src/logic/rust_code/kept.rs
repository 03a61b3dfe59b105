//! What a variable of a test borrows from: variables before it, since a temporary lives no longer than its statement.

use std::cell::RefCell;

use crate::logic::ir::Spec;

/// The variables that the expression of another one borrows from.
pub(super) struct Kept<'s> {
    spec: &'s Spec,
    /// The name of that one.
    name: &'s str,
    lines: RefCell<Vec<String>>,
}

impl<'s> Kept<'s> {
    /// Of the variable of that name.
    pub fn of(name: &'s str, spec: &'s Spec) -> Kept<'s> {
        Kept { spec, name, lines: RefCell::default() }
    }

    /// The statements that bind them.
    pub fn into_lines(self) -> Vec<String> {
        self.lines.into_inner()
    }

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
