//! Prints the text of a value.

mod function;

use super::syntax::{DEEPEST, constructor_name};
use crate::logic::grammar;
use crate::logic::ir::{Ctor, FloatKind, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;

pub(super) struct Printer<'a> {
    pub(super) spec: &'a Spec,
    pub(super) out: &'a mut String,
}

impl Printer<'_> {
    /// Prints a value at a level of nesting.
    pub(super) fn value(&mut self, value: &Value, refined: &Refined, level: u32) {
        if level > DEEPEST {
            return self.out.push_str("..");
        }
        match (&refined.sort, value) {
            (_, Value::Bool(b)) => self.out.push_str(if *b { "true" } else { "false" }),
            (_, Value::Int(n)) => self.out.push_str(&n.to_string()),
            (_, Value::Char(c)) => self.quoted('\'', std::iter::once(*c)),
            (Sort::Data(id), _) if self.spec.data(*id).rule.is_some() => {
                match grammar::text(value, *id, &self.spec.data) {
                    Some(text) => self.quoted('"', text.chars()),
                    None => self.out.push('_'),
                }
            }
            (_, Value::Str(text)) => self.quoted('"', text.chars()),
            (Sort::Float(kind), Value::Float(x)) => self.float(*x, *kind),
            (_, Value::Float(x)) => self.float(*x, FloatKind::F64),
            (Sort::Seq(element, _), Value::Seq(values)) => {
                self.list('[', values.iter().map(|value| (value, &**element)), ']', level);
            }
            (Sort::Seq(result, SeqKind::Answers(id)), Value::Tuple(_)) => {
                self.function(value, *id, result, level);
            }
            (Sort::Set(element, _), Value::Seq(values)) => {
                self.list('{', values.iter().map(|value| (value, &**element)), '}', level);
            }
            (Sort::Map(key, held, _), Value::Seq(pairs)) => self.map(pairs, key, held, level),
            (Sort::Tuple(parts), Value::Tuple(values)) => {
                self.list('(', values.iter().zip(parts), ')', level);
                // As in Rust, a comma distinguishes a tuple with one component from a value in parentheses.
                if values.len() == 1 {
                    self.out.pop();
                    self.out.push_str(",)");
                }
            }
            (Sort::Data(id), Value::Data(ctor, fields)) => {
                let data = self.spec.data(*id);
                match data.ctors.get(*ctor as usize) {
                    Some(ctor) => self.data(ctor, fields, data.via.is_some(), level),
                    None => self.out.push('_'),
                }
            }
            // A part that can't be read back has no text. `_` isn't parsed either.
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {
                self.out.push('_')
            }
        }
    }

    /// Values between brackets.
    pub(super) fn list<'v>(
        &mut self,
        open: char,
        values: impl Iterator<Item = (&'v Value, &'v Refined)>,
        close: char,
        level: u32,
    ) {
        self.out.push(open);
        for (index, (value, refined)) in values.enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.value(value, refined, level + 1);
        }
        self.out.push(close);
    }

    fn map(&mut self, pairs: &[Value], key: &Refined, held: &Refined, level: u32) {
        self.out.push('{');
        for (index, pair) in pairs.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            if let Value::Tuple(parts) = pair
                && parts.len() == 2
            {
                self.value(&parts[0], key, level + 1);
                self.out.push_str(": ");
                self.value(&parts[1], held, level + 1);
            } else {
                self.out.push('_');
            }
        }
        self.out.push('}');
    }

    fn data(&mut self, ctor: &Ctor, fields: &[Value], is_call: bool, level: u32) {
        self.out.push_str(constructor_name(&ctor.rust_path));
        let typed = fields.iter().zip(ctor.fields.iter().map(|field| &field.refined));
        if !ctor.named {
            if is_call || !fields.is_empty() {
                self.list('(', typed, ')', level);
            }
            return;
        }
        self.out.push_str(" {");
        for (index, (value, refined)) in typed.enumerate() {
            self.out.push_str(if index > 0 { ", " } else { " " });
            self.out.push_str(&ctor.fields[index].name);
            self.out.push_str(": ");
            self.value(value, refined, level + 1);
        }
        self.out.push_str(if fields.is_empty() { "}" } else { " }" });
    }

    /// Prints the fewest digits that parse to the same number. NaNs other than Rust's own are printed by their bits.
    fn float(&mut self, x: f64, kind: FloatKind) {
        let text = match kind {
            _ if x.to_bits() == f64::NAN.to_bits() => "NaN".to_owned(),
            _ if x.is_nan() => format!("NaN({:#x})", x.to_bits()),
            FloatKind::F32 if kind.contains(x) => format!("{:?}", x as f32),
            FloatKind::F32 | FloatKind::F64 => format!("{x:?}"),
        };
        self.out.push_str(&text);
    }

    fn quoted(&mut self, quote: char, chars: impl Iterator<Item = char>) {
        self.out.push(quote);
        for c in chars {
            match c {
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '\0' => self.out.push_str("\\0"),
                c if c == quote || c == '\\' => self.out.extend(['\\', c]),
                c if stands_as_it_is(c) => self.out.push(c),
                c => self.out.extend(c.escape_unicode()),
            }
        }
        self.out.push(quote);
    }
}

/// Whether a character is always displayed as itself: ASCII, and the letters of a few large scripts. The standard
/// library's choice changes with Unicode, and the text of a value should not. Invisible characters, combining
/// characters and changes of writing direction are excluded.
fn stands_as_it_is(c: char) -> bool {
    matches!(c,
        ' '..='~'
        | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2af}' // Latin, without the soft hyphen
        | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3ce}' // Greek
        | '\u{400}'..='\u{45f}' // Cyrillic
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' // Kana
        | '\u{4e00}'..='\u{9fa5}' // Han
        | '\u{ac00}'..='\u{d7a3}') // Hangul
}
