//! The parts of values of data types: fields, constructors, and entries of maps.

use target_strategies::logic::ir::{Data, Refined, Sort, Term};

use super::code::Type;
use super::model::Model;
use super::{ALWAYS, ClauseWriter, Code, Level, behind_reference};
use crate::events::describe::std_types::{is_printable, is_shipped};

impl ClauseWriter<'_> {
    /// A field of a constructor. For a value of another constructor it panics.
    pub(super) fn field(&mut self, of: &Term, ctor: u32, index: u32) -> Option<Code> {
        if let Some(element) = self.end_of_list(of, ctor) {
            return Some(element);
        }
        if let (Term::MapGet(map, key, _), 1) = (of, ctor)
            && let Some((map, key, held)) = self.entry(map, key)
        {
            return Some(Code::variable(&format!("{map}[{key}]"), &held));
        }
        let fields = self.patterns.iter().rev().find(|(term, number, _)| term == of && *number == ctor);
        if let Some((_, _, fields)) = fields {
            return fields.get(index as usize).cloned();
        }
        let of = self.code(of)?;
        self.part(&of, ctor, index)
    }

    /// The same, of an expression.
    pub(super) fn part(&mut self, of: &Code, number: u32, index: u32) -> Option<Code> {
        match (&of.of, number) {
            (Type::Model(Model::Option(held)), 1) => {
                return Some(Model::clone(held).made(format!("{}.unwrap()", of.text)));
            }
            (Type::Model(Model::Tuple(parts)), 0) => {
                let part = parts.get(index as usize)?.clone();
                return Some(part.made(format!("{}.{index}", of.text)));
            }
            _ => {}
        }
        let Type::Value(refined) = &of.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        let data = self.spec.data(id);
        let ctor = data.ctors.get(number as usize)?;
        let field = ctor.fields.get(index as usize)?;
        if data.rule.is_some() || data.object.is_some() {
            return None;
        }
        if data.via.is_some() {
            return self.read(of, data, index, &field.refined);
        }
        if is_struct(data) {
            return Some(of.part(&field.name, &field.refined));
        }
        let is_other_shown = || {
            let fields = data.ctors.iter().flat_map(|ctor| &ctor.fields);
            fields.into_iter().all(|field| is_printable(&field.refined, self.spec))
        };
        let receiver = of.place();
        let text = match ctor.rust_path.as_str() {
            "Some" => format!("{receiver}.as_ref().unwrap()"),
            "Ok" if is_other_shown() => format!("{receiver}.as_ref().unwrap()"),
            "Ok" => format!("{receiver}.as_ref().ok().unwrap()"),
            "Err" if is_other_shown() => format!("{receiver}.as_ref().unwrap_err()"),
            "Err" => format!("{receiver}.as_ref().err().unwrap()"),
            path => {
                let name = self.name();
                let others = if data.ctors.len() > 1 { ", _ => unreachable!()" } else { "" };
                let value = of.dereferenced();
                format!("(match &{value} {{ {path} {{ {}: {name}, .. }} => {name}{others} }})", field.name)
            }
        };
        Some(Code::variable(&text, &behind_reference(&field.refined)))
    }

    /// A part that is read from a value that a function built.
    fn read(&mut self, of: &Code, data: &Data, index: u32, refined: &Refined) -> Option<Code> {
        let [builder] = data.via.as_ref()?.builders.as_slice() else { return None };
        let read = builder.reads.get(index as usize)?.as_ref()?;
        self.names_items |= !is_shipped(data);
        let is_chained = |c: char| c.is_alphanumeric() || "_.()[]:".contains(c);
        let is_this = |word: &str| word == "this";
        let chain = read.strip_prefix("this.").filter(|rest| rest.chars().all(is_chained));
        let chain = chain.filter(|rest| !rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_this));
        let text = match chain {
            Some(chain) => format!("{}.{chain}", of.place()),
            None => format!("({{ let this = &{}; {read} }})", of.dereferenced()),
        };
        Some(Code::variable(&text, refined))
    }

    pub(super) fn is_constructor(&mut self, of: &Term, ctor: u32) -> Option<Code> {
        if let Term::MapGet(map, key, _) = of
            && let Some((map, key, _)) = self.entry(map, key)
        {
            let (not, level) = if ctor == 1 { ("", Level::Atom) } else { ("!", Level::Prefix) };
            return Some(Code::bool(format!("{not}{map}.contains_key({key})"), level));
        }
        let of = self.code(of)?;
        if let Type::Model(Model::Option(_)) = of.of {
            let is = if ctor == 1 { "is_some" } else { "is_none" };
            return Some(Code::bool(format!("{}.{is}()", of.text), Level::Atom));
        }
        let Type::Value(refined) = &of.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        let data = self.spec.data(id);
        if data.ctors.len() == 1 {
            return Some(Code::bool(ALWAYS.to_owned(), Level::Atom));
        }
        let path = data.ctors.get(ctor as usize).filter(|_| data.via.is_none())?.rust_path.as_str();
        let text = match path {
            "Some" | "None" | "Ok" | "Err" => format!("{}.is_{}()", of.receiver(), path.to_lowercase()),
            _ => format!("matches!({}, {path} {{ .. }})", of.dereferenced()),
        };
        Some(Code::bool(text, Level::Atom))
    }

    /// A map, a key by reference, and the type of what the map holds.
    pub(super) fn entry(&mut self, map: &Term, key: &Term) -> Option<(String, String, Refined)> {
        let (map, key) = (self.code(map)?, self.code(key)?);
        let Type::Value(refined) = &map.of else { return None };
        let Sort::Map(of, held, _) = &refined.sort else { return None };
        Some((map.receiver(), key.as_key(of)?, Refined::clone(held)))
    }

    /// Whether a sequence or set contains a value, or a range a number.
    pub(super) fn contains(&mut self, of: &Term, wanted: &Term) -> Option<Code> {
        if let Term::Keys(map) = of
            && let Some((map, key, _)) = self.entry(map, wanted)
        {
            return Some(Code::bool(format!("{map}.contains_key({key})"), Level::Atom));
        }
        let wanted = self.code(wanted)?;
        if let Term::Range(low, high) = of {
            let (low, high) = (self.code(low)?, self.code(high)?);
            let above = super::code::compared(&low, "<=", &wanted)?;
            let below = super::code::compared(&wanted, "<", &high)?;
            return Some(Code::bool(format!("{} && {}", above.text, below.text), Level::Condition));
        }
        let of = self.code(of)?;
        self.contains_one(&of, &wanted).or_else(|| self.contains_owned(&of, &wanted))
    }

    fn contains_one(&mut self, of: &Code, wanted: &Code) -> Option<Code> {
        let Type::Value(refined) = &of.of else { return None };
        let receiver = of.receiver();
        let text = match &refined.sort {
            Sort::Set(element, _) => format!("{receiver}.contains({})", wanted.as_key(element)?),
            Sort::Seq(element, _) if matches!(element.sort, Sort::Str(_)) => {
                let (name, wanted) = (self.name(), wanted.text_receiver()?);
                format!("{receiver}.iter().any(|{name}| {name}[..] == {wanted}[..])")
            }
            Sort::Seq(element, _) => format!("{receiver}.contains(&{})", wanted.as_element(element)?),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => return None,
        };
        Some(Code::bool(text, Level::Atom))
    }
}

/// Whether fields are read by their names: the only constructor of an enum has no such fields.
pub(super) fn is_struct(data: &Data) -> bool {
    let [only] = data.ctors.as_slice() else { return false };
    data.via.is_none() && data.rust_type.split('<').next() == Some(&*only.rust_path)
}
