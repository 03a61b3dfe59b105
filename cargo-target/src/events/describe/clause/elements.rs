//! `all` and `any`: Rust's iterators over the elements of sequences, sets, maps and texts.

use target_strategies::logic::ir::{
    Closure, IntKind, Pointer, Refined, SeqKind, Sort, StrKind, Term, TextOp,
};
use target_strategies::logic::value::Value;

use super::chained::is_chain;
use super::code::{Type, fits};
use super::model::Model;
use super::{ClauseWriter, Code, Level, behind_reference};

impl ClauseWriter<'_> {
    /// `xs.last().unwrap()`, of elements that can't be copied. An index into an empty list panics by itself.
    pub(super) fn end_of_list(&mut self, of: &Term, ctor: u32) -> Option<Code> {
        if let Term::Let { slot, value, body } = of {
            let value = self.code(value)?;
            return self.within(*slot, value, |writer| writer.end_of_list(body, ctor));
        }
        let Term::If(condition, some, _) = of else { return None };
        let (Term::Not(is_empty), Term::Construct(_, of_some, fields)) = (&**condition, &**some) else {
            return None;
        };
        let (Term::Equal(length, zero), [element @ Term::Index(list, _)]) = (&**is_empty, fields.as_slice())
        else {
            return None;
        };
        let is_guard = matches!(&**length, Term::Len(of) if of == list)
            && matches!(&**zero, Term::Lit(Value::Int(n)) if n.is_zero());
        if is_guard && *of_some == ctor { self.code(element) } else { None }
    }

    pub(super) fn quantified(&mut self, method: &str, over: &Term, closure: &Closure) -> Option<Code> {
        let name = self.name();
        let (iterator, element) = self.iterator(over, &name)?;
        let body = self.within(closure.slot, element, |writer| writer.bool(&closure.body))?;
        Some(Code::bool(format!("{iterator}.{method}(|{name}| {})", body.text), Level::Atom))
    }

    /// An iterator over the elements of a sequence, and an element, as it is said by the name of the iterator's item.
    fn iterator(&mut self, over: &Term, name: &str) -> Option<(String, Code)> {
        Some(match over {
            Term::Windows(of, width) if self.code(of)?.elements().is_some() => {
                let of = self.code(of)?;
                let element = of.elements().filter(|_| !of.is_deque())?.clone();
                let window = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Slice));
                (format!("{}.windows({width})", of.receiver()), Code::variable(name, &window))
            }
            Term::Chars(of) => {
                let of = self.code(of)?.text_receiver()?;
                (format!("{of}.chars()"), Code::variable(name, &Refined::plain(Sort::Char)))
            }
            Term::Bytes(of) => {
                let of = self.code(of)?.text_receiver()?;
                (format!("{of}.bytes()"), Code::variable(name, &Refined::plain(Sort::Int(IntKind::U8))))
            }
            Term::TextOp(op, args) => {
                let method = match (op, args.as_slice()) {
                    (TextOp::Lines, [_]) => "lines()".to_owned(),
                    (TextOp::Words, [_]) => "split_whitespace()".to_owned(),
                    (TextOp::Split, [_, pattern]) => {
                        format!("split(&{}[..])", self.code(pattern)?.text_receiver()?)
                    }
                    _ => return None,
                };
                let of = self.code(args.first()?)?.text_receiver()?;
                (format!("{of}.{method}"), Code::variable(name, &text()))
            }
            Term::Range(low, high) => {
                let (low, high) = (self.code(low)?, self.code(high)?);
                let (range, element) = range(&low, &high)?;
                (range, Code { text: name.to_owned(), level: Level::Atom, of: element })
            }
            Term::Map(over, closure) => {
                let (iterator, element) = self.iterator(over, name)?;
                (iterator, self.within(closure.slot, element, |writer| writer.code(&closure.body))?)
            }
            Term::Keys(of) => {
                let of = self.code(of)?;
                if let Type::Model(Model::Map(key, _)) = &of.of {
                    return Some((format!("{}.into_keys()", of.text), Model::clone(key).variable(name)));
                }
                let Type::Value(Refined { sort: Sort::Map(key, ..), .. }) = &of.of else { return None };
                (format!("{}.keys()", of.receiver()), Code::variable(name, &behind_reference(key)))
            }
            Term::Entries(of) => {
                let of = self.code(of)?;
                if let Type::Model(Model::Set(element) | Model::Bag(element)) = &of.of {
                    let item = Model::clone(element).variable(name);
                    return Some((format!("{}.into_iter()", of.text), item));
                }
                if let Type::Model(Model::Map(key, held)) = &of.of {
                    let item = Model::Tuple(vec![Model::clone(key), Model::clone(held)]).variable(name);
                    return Some((format!("{}.into_iter()", of.text), item));
                }
                let Type::Value(refined) = &of.of else { return None };
                let element = match &refined.sort {
                    Sort::Map(key, held, _) => {
                        Refined::plain(Sort::Tuple(vec![behind_reference(key), behind_reference(held)]))
                    }
                    Sort::Set(element, _) => behind_reference(element),
                    _ => return None,
                };
                (format!("{}.iter()", of.receiver()), Code::variable(name, &element))
            }
            over if is_chain(over) => {
                let (iterator, element) = self.iterator_of(over)?;
                (iterator, element.variable(name))
            }
            over => {
                let of = self.code(over)?;
                if let Type::Model(Model::List(element)) = &of.of {
                    return Some((format!("{}.into_iter()", of.text), Model::clone(element).variable(name)));
                }
                let element = behind_reference(of.elements()?);
                (format!("{}.iter()", of.receiver()), Code::variable(name, &element))
            }
        })
    }
}

/// `&str`
fn text() -> Refined {
    Refined { pointers: vec![Pointer::Ref], ..Refined::plain(Sort::Str(StrKind::Str)) }
}

/// A range of integers in parentheses, and the type of its elements.
fn range(low: &Code, high: &Code) -> Option<(String, Type)> {
    let of = match (&low.of, &high.of) {
        (Type::Int(kind), Type::Int(other)) if kind == other => Type::Int(*kind),
        (Type::Literal(n), Type::Int(kind)) | (Type::Int(kind), Type::Literal(n)) if fits(n, *kind) => {
            Type::Int(*kind)
        }
        _ if low.length_bits().is_some() && matches!(high.of, Type::Length(_)) => Type::Int(IntKind::Usize),
        _ => {
            let (low, high) = (low.wide()?, high.wide()?);
            let range =
                format!("({}..{})", low.operand_of(Level::Arithmetic), high.operand_of(Level::Arithmetic));
            return Some((range, Type::Wide(low.bits().max(high.bits()))));
        }
    };
    Some((format!("({}..{})", low.operand_of(Level::Arithmetic), high.operand_of(Level::Arithmetic)), of))
}
