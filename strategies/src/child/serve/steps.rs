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
    /// `.as_ref().unwrap()` for the value of an `Option`.
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
        Step::Items => items(&value),
        Step::ExactItems => exact_items(&value),
    })
}

/// Code that takes the items of an `Iterator`, and checks what it says before each of them.
pub fn items(value: &str) -> String {
    taken(value, "items.size_hint()", "(least, most)", "")
}

/// The same for an `ExactSizeIterator`.
pub fn exact_items(value: &str) -> String {
    let exact = " assert!(most == Some(least) && len >= rest && !(ended && len > rest));";
    taken(value, "(items.size_hint(), items.len())", "((least, most), len)", exact)
}

/// Code that takes the items of an iterator as [`super::observe`] does, and checks what it says before each of them.
fn taken(value: &str, said: &str, names: &str, more: &str) -> String {
    format!(
        "{{ let (mut items, mut said, mut ended) = ({value}, Vec::new(), false); \
         while !ended && said.len() < 64 {{ said.push({said}); ended = items.next().is_none(); }} \
         let n = said.len() - usize::from(ended); \
         for (taken, {names}) in said.into_iter().enumerate() {{ let rest = n - taken;{more} \
         assert!(most.is_none_or(|most| most >= rest) && !(ended && least > rest)); }} }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_code_on_the_named_value() {
        assert_eq!(running(), None);
        begin(Step::Display, Name { of: "result", part: ".as_ref().unwrap()" });
        assert_eq!(running().as_deref(), Some("format!(\"{}\", result.as_ref().unwrap())"));
        begin(Step::Eq, Name { of: "result", part: ".as_ref().unwrap()" });
        assert_eq!(running().as_deref(), Some("result == result"));
        begin(Step::Debug, Name { of: "", part: "" });
        assert_eq!(running(), None, "a value without a name");
        end();
        assert_eq!(running(), None);
    }
}
