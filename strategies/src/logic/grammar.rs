//! Grammars: the text of a derivation, and the derivation of a text.
//!
//! With `Sum = '"1" | left:Sum "+" right:Sum'`, the text of `Data(1, [Data(0, []), Data(0, [])])` is `1+1`, and back. A text
//! may have several derivations: the first one in the order of the alternatives is taken. A text without a derivation stays
//! a [`Value::Str`], which is no value of the rule for the judge. Nothing here knows where texts come from.

mod chart;
mod choose;
mod symbols;

pub use self::choose::Derived;
pub use self::symbols::Rules;
use crate::logic::ir::{Data, DataId, Piece, Refined, Sort, Spec};
use crate::logic::value::Value;

/// Maximum length of a text to be read, in bytes.
const LONGEST: usize = 64 << 10;

impl<'s> Rules<'s> {
    /// The grammar of a spec.
    pub fn of(spec: &'s Spec) -> Rules<'s> {
        Rules {
            data: &spec.data,
            functions: &spec.functions,
            regexes: &spec.regexes,
            value_slot: spec.value_slot(),
        }
    }

    /// The derivation of a text by a rule.
    pub fn derive(&self, rule: DataId, text: &str) -> Derived {
        if text.len() > LONGEST {
            return Derived::TooLarge;
        }
        let symbols = symbols::Symbols::new(*self, rule);
        match chart::Chart::of(&symbols, text) {
            Some(chart) => choose::derivation(&symbols, &chart),
            None => Derived::TooLarge,
        }
    }

    /// The value of a rule for a text: its derivation, or the text itself, or [`Value::unread`] if it is too large.
    pub fn value(&self, rule: DataId, text: &str) -> Value {
        match self.derive(rule, text) {
            Derived::Derivation(value) => value,
            Derived::NoDerivation => Value::str(text),
            Derived::TooLarge => Value::unread(),
        }
    }
}

/// The text of a value of a rule; `None` if a part of it has no text.
pub fn text(value: &Value, rule: DataId, data: &[Data]) -> Option<String> {
    let mut out = String::new();
    write_data(value, rule, data, &mut out)?;
    Some(out)
}

fn write_data(value: &Value, id: DataId, data: &[Data], out: &mut String) -> Option<()> {
    let Value::Data(ctor, values) = value else {
        // A text without a derivation.
        let Value::Str(text) = value else { return None };
        out.push_str(text);
        return Some(());
    };
    let of = data.get(id.0 as usize)?;
    let fields = &of.ctors.get(*ctor as usize)?.fields;
    let Some(rule) = &of.rule else {
        // An `Option`.
        return fields
            .iter()
            .zip(values.iter())
            .try_for_each(|(field, value)| write(value, &field.refined, data, out));
    };
    for piece in rule.layouts.get(*ctor as usize)? {
        match piece {
            Piece::Quoted(text) => out.push_str(text),
            Piece::Field(at) => {
                write(values.get(*at as usize)?, &fields.get(*at as usize)?.refined, data, out)?
            }
        }
    }
    Some(())
}

fn write(value: &Value, refined: &Refined, data: &[Data], out: &mut String) -> Option<()> {
    match (&refined.sort, value) {
        (Sort::Data(id), value) => write_data(value, *id, data, out),
        (Sort::Str(_), Value::Str(text)) => {
            out.push_str(text);
            Some(())
        }
        (Sort::Seq(element, _), Value::Seq(values)) => {
            values.iter().try_for_each(|value| write(value, element, data, out))
        }
        #[rustfmt::skip]
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
        | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_), _) => None,
    }
}

#[cfg(test)]
mod tests;
