//! What is done with the result of a subject just now, as Rust code: where it panics, the printed test does the same.

use std::cell::Cell;

/// Something that is done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An accessor is called: the name of the value is the call.
    Call,
    /// `{:?}`
    Debug,
    /// `{:#?}`
    Pretty,
    /// `{}`
    Display,
    /// It is cloned.
    Clone,
    /// It is compared with itself.
    Eq,
    /// The clone is compared with it.
    CloneEq,
    /// It is hashed.
    Hash,
    /// Its items are taken.
    Items,
    /// Its items are taken and counted.
    ExactItems,
}

thread_local! {
    static STEP: Cell<Option<(Step, Name)>> = const { Cell::new(None) };
}

/// The name of a value in a test: that of a variable or a call, and what gets the part of it that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The variable, or the call; nothing if it has no name.
    pub of: &'static str,
    /// `.unwrap()` for the value of an `Option`.
    pub part: &'static str,
}

/// Starts a step.
pub fn begin(step: Step, name: Name) {
    STEP.set(Some((step, name)).filter(|(_, name)| !name.of.is_empty()));
}

/// No step runs.
pub fn end() {
    STEP.set(None);
}

/// The step that runs, as an expression.
pub(super) fn running() -> Option<String> {
    let (step, Name { of, part }) = STEP.get()?;
    let value = format!("{of}{part}");
    Some(match step {
        Step::Call => value,
        Step::Debug => format!("format!(\"{{:?}}\", {value})"),
        Step::Pretty => format!("format!(\"{{:#?}}\", {value})"),
        Step::Display => format!("format!(\"{{}}\", {value})"),
        Step::Clone => format!("{value}.clone()"),
        Step::Eq => format!("{of} == {of}"),
        Step::CloneEq => format!("assert!({of}.clone() == {of})"),
        Step::Hash => format!("std::hash::Hash::hash(&{value}, &mut std::hash::DefaultHasher::new())"),
        Step::Items => format!(
            "{{ let mut items = {value}; let (least, most) = items.size_hint(); \
             let n = items.by_ref().take(64).count(); assert!((n == 64 || least <= n) && most.is_none_or(|most| n <= most)) }}"
        ),
        Step::ExactItems => {
            format!("{{ let items = {value}; let n = items.len(); assert_eq!(n, items.count()) }}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_code_on_the_named_value() {
        assert_eq!(running(), None);
        begin(Step::Display, Name { of: "result", part: ".unwrap()" });
        assert_eq!(running().as_deref(), Some("format!(\"{}\", result.unwrap())"));
        begin(Step::Eq, Name { of: "result", part: ".unwrap()" });
        assert_eq!(running().as_deref(), Some("result == result"));
        begin(Step::Debug, Name { of: "", part: "" });
        assert_eq!(running(), None, "a value without a name");
        end();
        assert_eq!(running(), None);
    }
}
