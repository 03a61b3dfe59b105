//! What a term is asked to be, so that a condition is true.

use std::rc::Rc;

use regex_syntax::hir::{ClassUnicode, Hir, HirKind};
use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Closure, Term, TextOp, visit};
use target_strategies::logic::value::Value;

use super::class;
use super::displayed::strings_of;
use super::range::Range;
use super::regex_text::escaped;

/// The value that a term is asked to have.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Bool(bool),
    Ctor(u32),
    OtherThan(u32),
    /// A string of a language.
    Text(Text),
    /// A character of a class.
    Char(Rc<ClassUnicode>),
    /// An integer.
    Number(Range),
    /// A string of so many bytes, or a sequence of so many elements.
    Len(Range),
    /// A tuple with this component.
    Component(u32, Rc<Wanted>),
    /// A constructor, with a field that has this index.
    Field(u32, u32, Rc<Wanted>),
    /// A sequence with an element at this index.
    Element(usize, Rc<Wanted>),
    /// A sequence with this last element.
    Last(Rc<Wanted>),
}

/// Which parts of a string are asked to pass a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    AllPass,
    AllFail,
    SomePasses,
    SomeFails,
}

impl Parts {
    /// What `all` asks for to have a value.
    pub(super) fn all(value: bool) -> Parts {
        if value { Parts::AllPass } else { Parts::SomeFails }
    }

    /// What `any` asks for to have a value.
    pub(super) fn any(value: bool) -> Parts {
        if value { Parts::SomePasses } else { Parts::AllFail }
    }

    /// Whether it is asked of all parts.
    pub(super) fn are_all(self) -> bool {
        matches!(self, Parts::AllPass | Parts::AllFail)
    }

    /// The value of the test that is asked for.
    pub(super) fn pass(self) -> bool {
        matches!(self, Parts::AllPass | Parts::SomePasses)
    }
}

/// A language of strings.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// One string.
    Exactly(Rc<str>),
    /// Those that match a regular expression.
    Matching(Rc<str>),
}

impl Text {
    pub(super) fn exactly(text: &str) -> Text {
        Text::Exactly(text.into())
    }

    pub(super) fn matching(regex: String) -> Text {
        Text::Matching(regex.into())
    }

    /// Whether the empty string belongs to it, or may.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Text::Exactly(text) => text.is_empty(),
            Text::Matching(regex) => regex_syntax::parse(regex).map_or(true, |hir| matches_empty(&hir)),
        }
    }

    /// A regular expression, as one item.
    pub(super) fn item(&self) -> String {
        match self {
            Text::Exactly(text) => format!("(?:{})", escaped(text)),
            Text::Matching(regex) => format!("(?:{regex})"),
        }
    }
}

/// Whether an expression matches the empty string, or may. Its least length doesn't tell, if a part of it matches nothing.
fn matches_empty(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => literal.0.is_empty(),
        HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || matches_empty(&repetition.sub),
        HirKind::Capture(capture) => matches_empty(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(matches_empty),
        HirKind::Alternation(parts) => parts.iter().any(matches_empty),
    }
}

impl Wanted {
    /// A string of a language given by a regular expression.
    pub(super) fn text(regex: String) -> Wanted {
        Wanted::Text(Text::matching(regex))
    }
}

/// What a term must be to equal another one, as far as that one is known.
pub(super) fn equal_to(other: &Term) -> Vec<Wanted> {
    match other {
        Term::Construct(_, ctor, fields) => of_ctor(*ctor, fields.iter().map(equal_to)),
        Term::Tuple(parts) => of_tuple(parts.iter().map(equal_to)),
        Term::Seq(parts) => of_seq(parts.len(), parts.iter().map(equal_to)),
        other => match constant(other) {
            Some(value) => equal_to_value(&value),
            None => strings_of(other).map(Wanted::text).into_iter().collect(),
        },
    }
}

/// The value of a term that reads nothing.
pub(super) fn constant(term: &Term) -> Option<Value> {
    if let Term::Lit(value) = term {
        return Some(value.clone());
    }
    let mut reads = false;
    visit(term, &mut |part| {
        reads |= matches!(
            part,
            Term::Var(_) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::Matches(..)
        );
    });
    if reads { None } else { Judge::new(None).value(term).ok() }
}

fn equal_to_value(value: &Value) -> Vec<Wanted> {
    match value {
        Value::Str(text) => vec![Wanted::Text(Text::exactly(text))],
        Value::Int(n) => n.to_i128().map(|n| Wanted::Number(Range::exactly(n))).into_iter().collect(),
        Value::Bool(value) => vec![Wanted::Bool(*value)],
        Value::Char(c) => vec![Wanted::Char(Rc::new(class::of([*c])))],
        Value::Float(_) => Vec::new(),
        Value::Data(ctor, fields) => of_ctor(*ctor, fields.iter().map(equal_to_value)),
        Value::Tuple(parts) => of_tuple(parts.iter().map(equal_to_value)),
        Value::Seq(parts) => of_seq(parts.len(), parts.iter().map(equal_to_value)),
    }
}

/// Whether [`equal_to`] says all of a value.
pub(super) fn is_said(value: &Value) -> bool {
    match value {
        Value::Str(_) | Value::Bool(_) | Value::Char(_) => true,
        Value::Int(n) => n.to_i128().is_some(),
        Value::Float(_) => false,
        Value::Data(_, parts) => parts.iter().all(is_said),
        Value::Tuple(parts) => !parts.is_empty() && parts.iter().all(is_said),
        Value::Seq(parts) => parts.iter().all(is_said),
    }
}

fn of_ctor(ctor: u32, fields: impl Iterator<Item = Vec<Wanted>>) -> Vec<Wanted> {
    let fields = (0..).zip(fields).flat_map(|(index, all)| {
        all.into_iter().map(move |wanted| Wanted::Field(ctor, index, Rc::new(wanted)))
    });
    std::iter::once(Wanted::Ctor(ctor)).chain(fields).collect()
}

fn of_tuple(parts: impl Iterator<Item = Vec<Wanted>>) -> Vec<Wanted> {
    let parts = (0..).zip(parts).flat_map(|(index, all)| {
        all.into_iter().map(move |wanted| Wanted::Component(index, Rc::new(wanted)))
    });
    parts.collect()
}

fn of_seq(n: usize, parts: impl Iterator<Item = Vec<Wanted>>) -> Vec<Wanted> {
    let parts = (0..)
        .zip(parts)
        .flat_map(|(index, all)| all.into_iter().map(move |wanted| Wanted::Element(index, Rc::new(wanted))));
    std::iter::once(Wanted::Len(Range::exactly(n as i128))).chain(parts).collect()
}

/// The pieces between the occurrences of a character, if a term lists these: `s.chars().filter(|c| c == ',')`. A condition on
/// `s.split(',').count()` becomes one on their number.
pub(super) fn split_at_each(term: &Term) -> Option<Term> {
    let Term::Filter(chars, Closure { slot, body }) = term else { return None };
    let (Term::Chars(of), Term::Equal(a, b)) = (&**chars, &**body) else { return None };
    let separator = match (&**a, &**b) {
        (Term::Var(read), Term::Lit(Value::Char(c))) | (Term::Lit(Value::Char(c)), Term::Var(read)) => {
            (read == slot).then_some(*c)?
        }
        _ => return None,
    };
    let separator = Term::Lit(Value::str(&separator.to_string()));
    Some(Term::TextOp(TextOp::Split, vec![(**of).clone(), separator]))
}

/// The number that a term is.
pub(super) fn integer(term: &Term) -> Option<i128> {
    match term {
        Term::Lit(Value::Int(n)) => n.to_i128(),
        _ => None,
    }
}
