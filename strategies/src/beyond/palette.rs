//! The new values of scalars that are free.

use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::value::Value;

/// The new values of free scalars.
pub(super) struct Palette {
    /// What they are picked from.
    pub labels: Vec<Value>,
    /// Percentage of scalars that keep their value.
    pub kept: u64,
    /// Percentage of scalars that repeat the one before.
    pub repeated: u64,
    /// The one before.
    pub last: Option<Value>,
    /// The next value, if the values are consecutive.
    pub next: Option<Value>,
}

impl Palette {
    /// The new value of a scalar.
    pub fn next(&mut self, old: &Value, dice: &mut Dice) -> Value {
        if let Some(Value::Int(n)) = &self.next {
            let next = Value::Int(n + &Int::ONE);
            return self.next.replace(next).unwrap_or_else(|| old.clone());
        }
        if let Some(last) = self.last.as_ref().filter(|_| dice.percent(self.repeated)) {
            return last.clone();
        }
        let is_kept = self.labels.is_empty() || dice.percent(self.kept);
        let value = if is_kept { old } else { &self.labels[dice.index(self.labels.len())] };
        self.last.insert(value.clone()).clone()
    }
}
