//! Parses a text into a value of a type, or reports the first position with a mistake.

use std::fmt;

use super::syntax::{DEEPEST, constructor_name};
use crate::logic::collection::collected;
use crate::logic::grammar::{Derived, Rules};
use crate::logic::int::Int;
use crate::logic::ir::{Collection, Ctor, DataId, FloatKind, IntKind, Refined, SeqKind, SetKind, Sort, Spec};
use crate::logic::value::Value;

mod function;
mod literal;

/// Why a text is not a value of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The position in bytes from the start of the text.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.message, self.at + 1)
    }
}

impl std::error::Error for Mistake {}

/// A position in a text.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    spec: &'a Spec,
    /// Whether `_` is a part that the tool couldn't read, as in results.
    has_unread: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, spec: &'a Spec) -> Parser<'a> {
        Parser { text, at: 0, spec, has_unread: false }
    }

    /// The parser for values that a subject returned.
    pub(super) fn of_outcomes(text: &'a str, spec: &'a Spec) -> Parser<'a> {
        Parser { has_unread: true, ..Parser::new(text, spec) }
    }

    /// Parses a value at a level of nesting.
    pub(super) fn value(&mut self, refined: &'a Refined, level: u32) -> Result<Value, Mistake> {
        self.skip_blank();
        if level > DEEPEST {
            return self.fail(format!("this is nested more than {DEEPEST} deep"));
        }
        let is_unread = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if self.has_unread && self.text[self.at..].strip_prefix('_').is_some_and(is_unread) {
            self.at += 1;
            let is_opaque = matches!(refined.sort, Sort::Opaque(_));
            return Ok(if is_opaque { Value::unit() } else { Value::unread() });
        }
        match &refined.sort {
            Sort::Opaque(_) if self.has_unread => self.str(),
            Sort::Bool => self.bool(),
            Sort::Char => self.char().map(Value::Char),
            Sort::Int(kind) => self.int(*kind),
            Sort::Float(kind) => self.float(*kind),
            Sort::Str(_) => self.str(),
            Sort::Seq(element, kind) => {
                let start = self.at;
                if let SeqKind::Answers(id) = kind
                    && self.peek() == Some('|')
                {
                    return self.function(*id, element, level);
                }
                let values = self.many('[', ']', |parser| parser.value(element, level + 1))?;
                match kind {
                    SeqKind::Array(length) if values.len() != *length as usize => Err(Mistake {
                        at: start,
                        message: format!("there are {} elements, the array has {length}", values.len()),
                    }),
                    SeqKind::Vec
                    | SeqKind::Slice
                    | SeqKind::Array(_)
                    | SeqKind::Deque
                    | SeqKind::Iter
                    | SeqKind::Answers(_) => Ok(Value::seq(values)),
                }
            }
            Sort::Set(element, kind) => {
                let kind = if *kind == SetKind::Bag { Collection::Bag } else { Collection::Set };
                self.collection(kind, |parser| parser.value(element, level + 1))
            }
            Sort::Map(key, held, _) => self.collection(Collection::Map, |parser| {
                let key = parser.value(key, level + 1)?;
                parser.expect(':')?;
                let held = parser.value(held, level + 1)?;
                Ok(Value::Tuple([key, held].into()))
            }),
            Sort::Tuple(parts) => {
                let parts: Vec<&Refined> = parts.iter().collect();
                Ok(Value::Tuple(self.tuple(&parts, "component", level)?.into()))
            }
            Sort::Data(id) if self.spec.data(*id).rule.is_some() => self.derivation(*id),
            Sort::Data(id) => self.data(*id, level),
            Sort::Opaque(ty) => self.fail(format!("a value of `{ty}` can't be written")),
        }
    }

    /// Parses values of given types between parentheses. `what` names one of them in messages.
    pub(super) fn tuple(
        &mut self,
        parts: &[&'a Refined],
        what: &str,
        level: u32,
    ) -> Result<Vec<Value>, Mistake> {
        self.skip_blank();
        let start = self.at;
        let mut rest = parts.iter();
        let count = |n: usize| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        let values = self.many('(', ')', |parser| match rest.next() {
            Some(part) => parser.value(part, level + 1),
            None => parser.fail(format!("there are more than {}", count(parts.len()))),
        })?;
        if values.len() < parts.len() {
            let message = format!("expected {}, not {}", count(parts.len()), values.len());
            return Err(Mistake { at: start, message });
        }
        Ok(values)
    }

    /// Checks that only white space is left.
    pub(super) fn end(mut self) -> Result<(), Mistake> {
        self.skip_blank();
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fail("the value ended before this"),
        }
    }

    fn collection(
        &mut self,
        kind: Collection,
        element: impl FnMut(&mut Self) -> Result<Value, Mistake>,
    ) -> Result<Value, Mistake> {
        let start = self.at;
        let elements = self.many('{', '}', element)?;
        let written = elements.len();
        match collected(kind, elements) {
            Value::Seq(kept) if kept.len() < written => {
                let what = if kind == Collection::Map { "a key" } else { "an element" };
                Err(Mistake { at: start, message: format!("{what} is written twice") })
            }
            value @ (Value::Bool(_)
            | Value::Int(_)
            | Value::Char(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Seq(_)
            | Value::Tuple(_)
            | Value::Data(..)) => Ok(value),
        }
    }

    /// The derivation of a text; the text itself if it has none, which is then no value of the rule.
    fn derivation(&mut self, id: DataId) -> Result<Value, Mistake> {
        let start = self.at;
        let Value::Str(text) = self.str()? else { return self.fail("expected a text") };
        match Rules::of(self.spec).derive(id, &text) {
            Derived::Derivation(value) => Ok(value),
            Derived::NoDerivation => Ok(Value::Str(text)),
            Derived::TooLarge => {
                Err(Mistake { at: start, message: "this text is too large for its grammar".to_owned() })
            }
        }
    }

    fn data(&mut self, id: DataId, level: u32) -> Result<Value, Mistake> {
        let start = self.at;
        let spec: &'a Spec = self.spec;
        let data = spec.data(id);
        let name = self.path()?;
        let named = |ctor: &Ctor| constructor_name(&ctor.rust_path) == name;
        let Some(index) = data.ctors.iter().position(named) else {
            let known: Vec<String> =
                data.ctors.iter().map(|ctor| format!("`{}`", constructor_name(&ctor.rust_path))).collect();
            let message =
                format!("`{}` has no constructor `{name}`, only {}", data.rust_type, known.join(", "));
            return Err(Mistake { at: start, message });
        };
        let ctor = &data.ctors[index];
        let fields = if ctor.named {
            self.named_fields(ctor, level)?
        } else {
            self.skip_blank();
            let parts: Vec<&Refined> = ctor.fields.iter().map(|field| &field.refined).collect();
            let is_omitted = parts.is_empty() && self.peek() != Some('(');
            if is_omitted { Vec::new() } else { self.tuple(&parts, "field", level)? }
        };
        Ok(Value::Data(index as u32, fields.into()))
    }

    /// `{ name: value, .. }`, in any order.
    fn named_fields(&mut self, ctor: &'a Ctor, level: u32) -> Result<Vec<Value>, Mistake> {
        self.skip_blank();
        let start = self.at;
        let mut values: Vec<Option<Value>> = vec![None; ctor.fields.len()];
        self.many('{', '}', |parser| {
            parser.skip_blank();
            let at = parser.at;
            let name = parser.word()?;
            let Some(index) = ctor.fields.iter().position(|field| field.name == name) else {
                return Err(Mistake { at, message: format!("there is no field `{name}`") });
            };
            if values[index].is_some() {
                return Err(Mistake { at, message: format!("field `{name}` is written twice") });
            }
            parser.expect(':')?;
            values[index] = Some(parser.value(&ctor.fields[index].refined, level + 1)?);
            Ok(Value::unit())
        })?;
        let missing = |index: usize| Mistake {
            at: start,
            message: format!("field `{}` is missing", ctor.fields[index].name),
        };
        values.into_iter().enumerate().map(|(index, value)| value.ok_or_else(|| missing(index))).collect()
    }

    /// Items between brackets, with commas between them and an optional trailing comma.
    fn many(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<Value, Mistake>,
    ) -> Result<Vec<Value>, Mistake> {
        self.expect(open)?;
        let mut items = Vec::new();
        loop {
            if self.eat(close) {
                return Ok(items);
            }
            items.push(item(self)?);
            if !self.eat(',') {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn bool(&mut self) -> Result<Value, Mistake> {
        let start = self.at;
        match self.word() {
            Ok("true") => Ok(Value::Bool(true)),
            Ok("false") => Ok(Value::Bool(false)),
            _ => Err(Mistake { at: start, message: "expected `true` or `false`".to_owned() }),
        }
    }

    fn int(&mut self, kind: IntKind) -> Result<Value, Mistake> {
        let start = self.at;
        let text = self.take_while(|c| c == '-' || c == '_' || c.is_ascii_digit());
        let digits: String = text.chars().filter(|c| *c != '_').collect();
        // No type has that many digits, and long numbers take time to parse.
        let number = if digits.len() > 50 { None } else { Int::parse(&digits, 10) };
        let message = match number {
            Some(n) if kind.contains(&n) => return Ok(Value::Int(n)),
            Some(n) => format!("{n} is no `{}`", kind.name()),
            None => format!("expected a value of type `{}`", kind.name()),
        };
        Err(Mistake { at: start, message })
    }

    fn float(&mut self, kind: FloatKind) -> Result<Value, Mistake> {
        let start = self.at;
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'));
        let number = if text == "NaN" && self.eat('(') {
            let bits = self.take_while(|c| c.is_ascii_alphanumeric());
            self.expect(')')?;
            let bits = bits.strip_prefix("0x").and_then(|bits| u64::from_str_radix(bits, 16).ok());
            bits.map(f64::from_bits).filter(|x| x.is_nan())
        } else {
            let text = text.replace('_', "");
            let number = match kind {
                FloatKind::F32 => text.parse::<f32>().ok().map(|x| kind.round(f64::from(x))),
                FloatKind::F64 => text.parse::<f64>().ok(),
            };
            // Numbers that are too great would be parsed as infinite.
            number.filter(|x| x.is_finite() || !text.contains(|c: char| c.is_ascii_digit()))
        };
        match number.filter(|x| kind.contains(*x)) {
            Some(x) => Ok(Value::Float(x)),
            None => {
                Err(Mistake { at: start, message: format!("expected a value of type `{}`", kind.name()) })
            }
        }
    }

    /// The last word of a path.
    fn path(&mut self) -> Result<&'a str, Mistake> {
        let mut word = self.word()?;
        while self.text[self.at..].starts_with("::") {
            self.at += 2;
            word = self.word()?;
        }
        Ok(word)
    }

    fn word(&mut self) -> Result<&'a str, Mistake> {
        let word = self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '#');
        if word.is_empty() { self.fail("expected a name") } else { Ok(word) }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn skip_blank(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_blank();
        let is_there = self.peek() == Some(c);
        self.at += if is_there { c.len_utf8() } else { 0 };
        is_there
    }

    fn expect(&mut self, c: char) -> Result<(), Mistake> {
        if self.eat(c) { Ok(()) } else { self.fail(format!("expected `{c}`")) }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake { at: self.at, message: message.into() })
    }
}
