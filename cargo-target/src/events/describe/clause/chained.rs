//! Lists that are read once, as iterators: nothing is collected between two steps of a chain.
//!
//! The items are owned values of a [`Model`], like the elements of a computed list.

use target_strategies::logic::ir::{IntKind, Term};

use super::code::{LENGTH, Type};
use super::computed::parameter;
use super::model::Model;
use super::text::bare;
use super::{ClauseWriter, Code, Level};

impl ClauseWriter<'_> {
    /// An iterator over the elements of a list, and their type.
    pub(super) fn iterator_of(&mut self, term: &Term) -> Option<(String, Model)> {
        if is_chain(term) && !self.is_constant(term) {
            let n_names = self.n_names;
            if let Some(chained) = self.chained(term) {
                return Some(chained);
            }
            self.n_names = n_names;
            let literal = Code::literal(&self.value(term)?)?;
            let (text, Model::List(of)) = self.owned(&literal)? else { return None };
            return Some((format!("{text}.into_iter()"), *of));
        }
        let (text, of) = self.list(term)?;
        let iterator = match text.strip_suffix(".to_vec()").filter(|_| is_copy(&of)) {
            Some(place) => format!("{place}.iter().copied()"),
            None => match text.strip_suffix(".collect::<Vec<_>>()") {
                Some(iterator) => iterator.to_owned(),
                None => format!("{text}.into_iter()"),
            },
        };
        Some((iterator, of))
    }

    /// The iterator of a term that Rust has an iterator for.
    pub(super) fn chained(&mut self, term: &Term) -> Option<(String, Model)> {
        Some(match term {
            Term::Chars(of) => (format!("{}.chars()", self.code(of)?.text_receiver()?), Model::Char),
            Term::Bytes(of) => {
                let of = self.code(of)?.text_receiver()?;
                (format!("{of}.bytes()"), Model::Int(Some(IntKind::U8)))
            }
            Term::Zip(a, b) => {
                let ((a, of_a), (b, of_b)) = (self.iterator_of(a)?, self.iterator_of(b)?);
                (format!("{a}.zip({b})"), Model::Tuple(vec![of_a, of_b]))
            }
            Term::Reverse(of) => {
                let (iterator, element) = if is_double_ended(of) {
                    self.iterator_of(of)?
                } else {
                    let (text, element) = self.list(of)?;
                    (format!("{text}.into_iter()"), element)
                };
                (format!("{iterator}.rev()"), element)
            }
            Term::Map(over, closure) => {
                let (over, element) = self.iterator_of(over)?;
                let (name, (body, of)) =
                    self.with_element(closure, element, |writer| writer.model(&closure.body))?;
                let (name, body) = (parameter(&name, &body), bare(&body));
                (format!("{over}.map(|{name}| {body})"), of)
            }
            Term::Filter(over, closure) => {
                let (over, element) = self.iterator_of(over)?;
                let (name, body) =
                    self.with_element(closure, element.clone(), |writer| writer.bool(&closure.body))?;
                if is_copy(&element) {
                    let pattern = match parameter(&name, &body.text) {
                        "_" => "_".to_owned(),
                        name => format!("&{name}"),
                    };
                    (format!("{over}.filter(|{pattern}| {})", bare(&body.text)), element)
                } else {
                    let kept = format!("{}.then_some({name})", body.operand_of(Level::Atom));
                    (format!("{over}.filter_map(|{name}| {kept})"), element)
                }
            }
            _ => return None,
        })
    }

    /// Number of elements of such a term; `None` of another.
    pub(super) fn n_chained(&mut self, term: &Term) -> Option<Code> {
        let (iterator, _) = self.only_chained(term)?;
        Some(Code { text: format!("{iterator}.count()"), level: Level::Atom, of: Type::Length(LENGTH) })
    }

    /// Sum of the elements of such a term; `None` of another.
    pub(super) fn sum_chained(&mut self, term: &Term) -> Option<Code> {
        let (iterator, of) = self.only_chained(term)?;
        let wide = Model::Int(None);
        wide.unified(&of)?;
        let widened = match of {
            Model::Int(None) => String::new(),
            Model::Int(Some(_)) => format!(".map(|n| {})", bare(&of.converted("n", &wide))),
            _ => return None,
        };
        Some(wide.made(format!("{iterator}{widened}.sum::<i128>()")))
    }

    /// The iterator of a term that is worth one; `None` if its value is known, or another way is better.
    fn only_chained(&mut self, term: &Term) -> Option<(String, Model)> {
        let n_names = self.n_names;
        let chained = if is_chain(term) && !self.is_constant(term) { self.chained(term) } else { None };
        if chained.is_none() {
            self.n_names = n_names;
        }
        chained
    }
}

/// Whether Rust may have an iterator for a term ([`ClauseWriter::chained`]).
pub(super) fn is_chain(term: &Term) -> bool {
    let is_source = matches!(term, Term::Chars(_) | Term::Bytes(_));
    is_source || matches!(term, Term::Zip(..) | Term::Map(..) | Term::Filter(..) | Term::Reverse(_))
}

/// Whether the iterator over a list can be read from its end. Rust's `zip` of two texts can't.
fn is_double_ended(term: &Term) -> bool {
    match term {
        Term::Zip(..) => false,
        Term::Map(over, _) | Term::Filter(over, _) | Term::Reverse(over) => is_double_ended(over),
        _ => true,
    }
}

/// Whether elements are copied by reading them.
fn is_copy(of: &Model) -> bool {
    matches!(of, Model::Bool | Model::Char | Model::Int(_))
}
