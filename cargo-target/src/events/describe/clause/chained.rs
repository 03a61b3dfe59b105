//! Lists that are read once, as chains of iterators.
//!
//! The items are owned values of a [`Model`], like the elements of a computed list. A list that the judge computes as a whole is
//! collected here, too, before its elements are read: so the test panics where an element is undefined.

use target_strategies::logic::ir::{IntKind, Term};
use target_strategies::logic::value::Value;

use super::code::{LENGTH, Type};
use super::computed::parameter;
use super::model::Model;
use super::text::bare;
use super::{ClauseWriter, Code, Level};

/// What collects a list.
const COLLECT: &str = ".collect::<Vec<_>>()";

impl ClauseWriter<'_> {
    /// An iterator over the elements of a list, and their type.
    pub(super) fn iterator_of(&mut self, term: &Term) -> Option<(String, Model)> {
        if is_chain(term) {
            return self.chained(term);
        }
        let (text, of) = self.list(term)?;
        let place = text.strip_suffix(".to_vec()").filter(|_| is_copy(&of));
        // The text of another term may be that of a name's value, of which the judge has computed all elements.
        let is_read_here = matches!(term, Term::Entries(_) | Term::Windows(..));
        let iterator = text.strip_suffix(COLLECT).filter(|iterator| is_read_here || is_defined(iterator));
        let iterator = match (place, iterator) {
            (Some(place), _) => format!("{place}.iter().copied()"),
            (None, Some(iterator)) => iterator.to_owned(),
            (None, None) => format!("{text}.into_iter()"),
        };
        Some((iterator, of))
    }

    /// The iterator of a chain ([`is_chain`]).
    pub(super) fn chained(&mut self, term: &Term) -> Option<(String, Model)> {
        Some(match term {
            Term::Chars(of) => (format!("{}.chars()", self.code(of)?.text_receiver()?), Model::Char),
            Term::Bytes(of) => {
                let of = self.code(of)?.text_receiver()?;
                (format!("{of}.bytes()"), Model::Int(Some(IntKind::U8)))
            }
            Term::Zip(a, b) => {
                let ((a, of_a), (b, of_b)) = (self.iterator_of(a)?, self.iterator_of(b)?);
                let (a, b) = (computed_first(a), computed_first(b));
                (format!("{a}.zip({b})"), Model::Tuple(vec![of_a, of_b]))
            }
            Term::Reverse(of) => {
                let (iterator, element) = self.iterator_of(of)?;
                (format!("{}.rev()", computed_first(iterator)), element)
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

    /// Number of elements of a chain.
    pub(super) fn n_chained(&mut self, term: &Term) -> Option<Code> {
        let (iterator, _) = self.chained(term)?;
        Some(Code { text: format!("{iterator}.count()"), level: Level::Atom, of: Type::Length(LENGTH) })
    }

    /// Sum of the elements of a list.
    pub(super) fn sum(&mut self, term: &Term) -> Option<Code> {
        if !is_chain(term) {
            let list = self.code(term)?;
            return list.sum().or_else(|| self.sum_owned(&list));
        }
        let (iterator, of) = self.chained(term)?;
        let wide = Model::Int(None);
        wide.unified(&of)?;
        let widened = match of {
            Model::Int(None) => String::new(),
            Model::Int(Some(_)) => format!(".map(|n| {})", bare(&of.converted("n", &wide))),
            // The elements of an empty list.
            _ => return Code::literal(&Value::int(0)),
        };
        Some(wide.made(format!("{iterator}{widened}.sum::<i128>()")))
    }
}

/// Whether [`ClauseWriter::chained`] has an arm for a term.
pub(super) fn is_chain(term: &Term) -> bool {
    matches!(
        term,
        Term::Chars(_) | Term::Bytes(_) | Term::Zip(..) | Term::Reverse(_) | Term::Map(..) | Term::Filter(..)
    )
}

/// An iterator whose elements are all computed before the first is read, and which can be read from its end: Rust's `zip` can't always.
fn computed_first(iterator: String) -> String {
    if is_defined(&iterator) && !iterator.contains(".zip(") {
        iterator
    } else {
        format!("{iterator}{COLLECT}.into_iter()")
    }
}

/// Whether all elements of an iterator are defined, as it computes none.
fn is_defined(iterator: &str) -> bool {
    ![".map(", ".filter(", ".filter_map("].iter().any(|method| iterator.contains(method))
}

/// Whether elements are copied by reading them.
fn is_copy(of: &Model) -> bool {
    matches!(of, Model::Bool | Model::Char | Model::Int(_))
}
