//! The owned Rust types in which a test computes lists, sets, bags, maps, tuples and options of a condition.
//!
//! Their `==` and `<` are those of specs. A bag is a sorted `Vec`. An integer keeps its own type while it meets only
//! its own kind, and is an `i128` otherwise.

use target_strategies::logic::ir::{IntKind, Refined, Sort, StrKind};

use super::code::{Code, Level, Type};
use super::text::operand;

/// Number of bits that an integer of a list, or of a measure, is taken to have. A test with overflow panics: there is no
/// product of two such integers.
pub const ASSUMED: u32 = 64;

/// The type of a computed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// The elements of an empty list: any type.
    Any,
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `String`
    Text,
    /// An integer of this type, or an `i128`.
    Int(Option<IntKind>),
    /// `Vec`
    List(Box<Model>),
    /// A `Vec` in ascending order.
    Bag(Box<Model>),
    /// `BTreeSet`
    Set(Box<Model>),
    /// `BTreeMap`
    Map(Box<Model>, Box<Model>),
    /// `Option`
    Option(Box<Model>),
    /// A tuple.
    Tuple(Vec<Model>),
}

impl Model {
    /// The type that both values can have.
    pub fn unified(&self, other: &Model) -> Option<Model> {
        let inner = |a: &Model, b: &Model| a.unified(b).map(Box::new);
        Some(match (self, other) {
            (Model::Any, known) | (known, Model::Any) => known.clone(),
            // Not all of these are an `i128`, or arithmetic on them overflows.
            (Model::Int(a), Model::Int(b)) if a != b && [a, b].into_iter().any(is_widest) => return None,
            (Model::Int(a), Model::Int(b)) => Model::Int(a.filter(|a| Some(*a) == *b)),
            (Model::List(a), Model::List(b)) => Model::List(inner(a, b)?),
            (Model::Bag(a), Model::Bag(b)) => Model::Bag(inner(a, b)?),
            (Model::Set(a), Model::Set(b)) => Model::Set(inner(a, b)?),
            (Model::Map(a, v), Model::Map(b, w)) => Model::Map(inner(a, b)?, inner(v, w)?),
            (Model::Option(a), Model::Option(b)) => Model::Option(inner(a, b)?),
            (Model::Tuple(a), Model::Tuple(b)) if a.len() == b.len() => {
                let parts: Option<Vec<Model>> = a.iter().zip(b).map(|(a, b)| a.unified(b)).collect();
                Model::Tuple(parts?)
            }
            (a, b) => return (a == b).then(|| a.clone()),
        })
    }

    /// The type with all integers as `i128`.
    pub fn widened(&self) -> Model {
        let inner = |of: &Model| Box::new(of.widened());
        match self {
            Model::Any | Model::Int(_) => Model::Int(None),
            Model::Bool | Model::Char | Model::Text => self.clone(),
            Model::List(of) => Model::List(inner(of)),
            Model::Bag(of) => Model::Bag(inner(of)),
            Model::Set(of) => Model::Set(inner(of)),
            Model::Map(key, held) => Model::Map(inner(key), inner(held)),
            Model::Option(of) => Model::Option(inner(of)),
            Model::Tuple(parts) => Model::Tuple(parts.iter().map(Model::widened).collect()),
        }
    }

    /// The type as Rust text.
    pub fn rust_type(&self) -> String {
        match self {
            Model::Any => "_".to_owned(),
            Model::Bool => "bool".to_owned(),
            Model::Char => "char".to_owned(),
            Model::Text => "String".to_owned(),
            Model::Int(kind) => kind.map_or("i128", IntKind::name).to_owned(),
            Model::List(of) | Model::Bag(of) => format!("Vec<{}>", of.rust_type()),
            Model::Set(of) => format!("std::collections::BTreeSet<{}>", of.rust_type()),
            Model::Map(key, held) => {
                format!("std::collections::BTreeMap<{}, {}>", key.rust_type(), held.rust_type())
            }
            Model::Option(of) => format!("Option<{}>", of.rust_type()),
            Model::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.rust_type() + ",").collect();
                format!("({})", parts.join(" "))
            }
        }
    }

    /// Whether Rust's order is that of specs. Specs don't compare sets.
    pub fn is_ordered(&self) -> bool {
        match self {
            Model::Any | Model::Bool | Model::Char | Model::Text | Model::Int(_) => true,
            Model::List(of) | Model::Option(of) => of.is_ordered(),
            Model::Tuple(parts) => parts.iter().all(Model::is_ordered),
            Model::Bag(_) | Model::Set(_) | Model::Map(..) => false,
        }
    }

    /// A value of the type, as the text that makes it.
    pub fn made(self, text: String) -> Code {
        let level = Level::Atom;
        match self {
            Model::Bool => Code::bool(text, level),
            Model::Char => Code { text, level, of: Type::Value(Refined::plain(Sort::Char)) },
            Model::Text => Code::text(text, StrKind::String),
            Model::Int(None) => Code::wide_of(text, level, ASSUMED),
            Model::Int(Some(kind)) => Code { text, level, of: Type::Int(kind) },
            Model::Any
            | Model::List(_)
            | Model::Bag(_)
            | Model::Set(_)
            | Model::Map(..)
            | Model::Option(_)
            | Model::Tuple(_) => Code { text, level, of: Type::Model(self) },
        }
    }

    /// A variable of the type. What is no `Copy` is copied where it is read.
    pub fn variable(self, name: &str) -> Code {
        let is_itself = matches!(self, Model::Bool | Model::Char | Model::Int(_) | Model::Text);
        self.made(if is_itself { name.to_owned() } else { format!("{name}.clone()") })
    }

    /// The expression of a value of the type as one of another type that unifies with it.
    pub fn converted(&self, text: &str, to: &Model) -> String {
        if self == to {
            return text.to_owned();
        }
        match (self, to) {
            (Model::Int(Some(IntKind::Isize | IntKind::Usize)), Model::Int(None)) => {
                format!("({} as i128)", operand(text))
            }
            (Model::Int(Some(IntKind::I128)), Model::Int(None)) => text.to_owned(),
            (Model::Int(Some(IntKind::U128)), Model::Int(None)) => format!("i128::try_from({text}).unwrap()"),
            (Model::Int(Some(_)), Model::Int(None)) => format!("i128::from({text})"),
            (Model::List(a), Model::List(b))
            | (Model::Bag(a), Model::Bag(b))
            | (Model::Set(a), Model::Set(b))
                if **a != Model::Any =>
            {
                format!("{text}.into_iter().map(|n| {}).collect::<{}>()", a.converted("n", b), to.rust_type())
            }
            (Model::Map(key, held), Model::Map(k, h)) if **key != Model::Any => format!(
                "{text}.into_iter().map(|(k, n)| ({}, {})).collect::<{}>()",
                key.converted("k", k),
                held.converted("n", h),
                to.rust_type()
            ),
            (Model::Option(a), Model::Option(b)) if **a != Model::Any => {
                format!("{text}.map(|n| {})", a.converted("n", b))
            }
            (Model::Tuple(a), Model::Tuple(b)) => {
                let part = |(at, (a, b)): (usize, (&Model, &Model))| a.converted(&format!("n.{at}"), b) + ",";
                let parts: Vec<String> = a.iter().zip(b).enumerate().map(part).collect();
                format!("(|n: {}| ({}))({text})", self.rust_type(), parts.join(" "))
            }
            // rustc can't find the type of nothing's elements.
            _ => format!("std::convert::identity::<{}>({text})", to.rust_type()),
        }
    }
}

/// Whether an integer has a type of 128 bits.
fn is_widest(kind: &Option<IntKind>) -> bool {
    kind.is_some_and(|kind| kind.bits() == 128)
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::ArithOp;

    use super::super::arithmetic::arithmetic;
    use super::*;

    #[test]
    fn integers_of_two_types_meet_in_i128() {
        let list = |kind| Model::List(Box::new(Model::Int(kind)));
        let (bytes, words) = (list(Some(IntKind::U8)), list(Some(IntKind::I64)));
        assert_eq!(bytes.unified(&bytes), Some(bytes.clone()));
        assert_eq!(bytes.unified(&words), Some(list(None)));
        assert_eq!(bytes.unified(&Model::List(Box::new(Model::Any))), Some(bytes.clone()));
        assert_eq!(bytes.unified(&Model::List(Box::new(Model::Bool))), None);
        let converted = bytes.converted("xs", &list(None));
        assert_eq!(converted, "xs.into_iter().map(|n| i128::from(n)).collect::<Vec<i128>>()");
    }

    #[test]
    fn integers_of_128_bits_meet_only_their_own_kind() {
        let int = |kind| Model::Int(Some(kind));
        assert_eq!(int(IntKind::U128).unified(&int(IntKind::U128)), Some(int(IntKind::U128)));
        assert_eq!(int(IntKind::U128).unified(&int(IntKind::U8)), None);
        assert_eq!(int(IntKind::I128).unified(&Model::Int(None)), None);
        assert_eq!(int(IntKind::U128).converted("x", &Model::Int(None)), "i128::try_from(x).unwrap()");
        let index = |kind| int(kind).made("x".to_owned()).as_index();
        assert_eq!(index(IntKind::U128).as_deref(), Some("usize::try_from(x).unwrap()"));
        assert_eq!(index(IntKind::U8).as_deref(), Some("x as usize"));
        // Sums in an operand are in parentheses.
        assert_eq!(int(IntKind::Usize).converted("x + 1", &Model::Int(None)), "((x + 1) as i128)");
    }

    #[test]
    fn there_is_no_product_of_two_integers_that_may_have_64_bits() {
        let n = Model::Int(None).made("n".to_owned());
        assert!(arithmetic(ArithOp::Mul, &n, &n).is_none());
        let double = Code { text: "2".to_owned(), level: Level::Atom, of: Type::Wide(2) };
        assert_eq!(arithmetic(ArithOp::Mul, &n, &double).map(|code| code.text).as_deref(), Some("n * 2"));
    }
}
