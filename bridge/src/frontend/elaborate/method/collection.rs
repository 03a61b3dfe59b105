//! Sets, bags and maps: their methods, and their construction from sequences.
//!
//! They also have all methods of sequences, over their elements (or pairs) in ascending order.

use target_strategies::logic::ir::{Closure, Collection, IntKind, SetOp, Term};

use super::super::build::{bound, equal, field, int, is_ctor, is_total, len, some_if};
use super::super::mistake::{Comparison, count, private, untyped};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, Ident};

/// The names that sets support in addition to those of sequences.
pub(super) const OF_SET: [&str; 16] = [
    "cloned",
    "collect",
    "contains",
    "copied",
    "difference",
    "get",
    "intersection",
    "is_disjoint",
    "is_empty",
    "is_subset",
    "is_superset",
    "len",
    "symmetric_difference",
    "union",
    "with",
    "without",
];
/// The names that maps support in addition to those of sequences.
pub(super) const OF_MAP: [&str; 13] = [
    "contains_key",
    "first_key_value",
    "get",
    "get_key_value",
    "into_keys",
    "into_values",
    "is_empty",
    "keys",
    "last_key_value",
    "len",
    "values",
    "with",
    "without",
];
/// Names not supported yet.
pub(super) const LATER: [&str; 7] =
    ["entry", "extend", "range", "retain", "split_off", "append", "get_or_insert_with"];
/// Methods that would change their receiver, and methods that return the result instead.
pub(super) const CHANGES: [(&str, &str); 4] =
    [("insert", "with"), ("push", "with"), ("remove", "without"), ("take", "without")];

impl Elaborator<'_, '_, '_> {
    /// A method of a set or a bag.
    pub(super) fn set_method(
        &mut self,
        term: &Term,
        (element, is_bag): (&Ty, bool),
        call: &Call,
    ) -> Checked<Option<Typed>> {
        if let Some(typed) = self.sized(term, call)? {
            return Ok(Some(typed));
        }
        let name = call.name.name.as_str();
        let own = Box::new(term.clone());
        let whole = if is_bag { Ty::Bag(element.clone().into()) } else { Ty::Set(element.clone().into()) };
        let op = match name {
            "union" | "with" => Some(SetOp::Union),
            "difference" | "without" => Some(SetOp::Difference),
            "intersection" => Some(SetOp::Intersection),
            _ => None,
        };
        let typed = match (name, op) {
            ("with" | "without", Some(op)) => {
                let one = Box::new(self.singleton(element, is_bag, call)?);
                (Term::SetOp(op, is_bag, own, one), whole)
            }
            (_, Some(op)) => {
                let other = self.other(&whole, call)?;
                (Term::SetOp(op, is_bag, own, Box::new(other)), whole)
            }
            ("symmetric_difference", _) => return self.symmetric(term, &whole, is_bag, call).map(Some),
            ("is_subset", _) => (Term::Subset(is_bag, own, self.other(&whole, call)?.into()), Ty::Bool),
            ("is_superset", _) => {
                let other = self.other(&whole, call)?.into();
                // The receiver is evaluated first, as for all methods.
                let swapped = |own: Term| Term::Subset(is_bag, other, Box::new(own));
                if is_total(term) {
                    (swapped(*own), Ty::Bool)
                } else {
                    let slot = self.fresh();
                    (bound(slot, *own, swapped(Term::Var(slot))), Ty::Bool)
                }
            }
            ("is_disjoint", _) => {
                let other = self.other(&whole, call)?.into();
                let common = Term::SetOp(SetOp::Intersection, is_bag, own, other);
                (equal(len(common), int(0)), Ty::Bool)
            }
            ("contains" | "count" | "get", _) => match self.occurrence(term, element, is_bag, call)? {
                Some(typed) => typed,
                None => return self.sequence_method(&Term::Entries(own), element, call),
            },
            _ if CHANGES.iter().any(|(known, _)| *known == name) => return Ok(None),
            ("cloned" | "copied" | "collect" | "iter" | "into_iter", _) => {
                self.passed_on(term, (element, is_bag), whole, call)?
            }
            ("first" | "last", _) if !is_bag => {
                self.comparable(call.receiver, element, Comparison::Order)?;
                return self.sequence_method(&Term::Entries(own), element, call);
            }
            _ => return self.sequence_method(&Term::Entries(own), element, call),
        };
        Ok(Some(typed))
    }

    /// `len()`, `is_empty()`
    fn sized(&mut self, term: &Term, call: &Call) -> Checked<Option<Typed>> {
        let len = Term::Len(term.clone().into());
        let typed = match call.name.name.as_str() {
            "len" => (len, Ty::Int(Some(IntKind::Usize))),
            "is_empty" => (equal(len, int(0)), Ty::Bool),
            _ => return Ok(None),
        };
        self.arity(call, 0)?;
        Ok(Some(typed))
    }

    /// The elements of a set or bag, as the wanted collection.
    fn passed_on(
        &mut self,
        term: &Term,
        (element, is_bag): (&Ty, bool),
        whole: Ty,
        call: &Call,
    ) -> Checked<Typed> {
        self.arity(call, 0)?;
        let entries = || Term::Entries(term.clone().into());
        Ok(match (call.name.name.as_str(), call.hint) {
            ("iter" | "into_iter", _) | ("collect", Some(Ty::Seq(_))) => {
                (entries(), Ty::Seq(element.clone().into()))
            }
            ("collect", Some(Ty::Bag(_))) if !is_bag => {
                (Term::Collect(Collection::Bag, entries().into()), Ty::Bag(element.clone().into()))
            }
            _ => (term.clone(), whole),
        })
    }

    /// `contains(x)`, `get(x)`, a bag's `count(x)`; `None` for a method of sequences.
    fn occurrence(&mut self, term: &Term, element: &Ty, is_bag: bool, call: &Call) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        if name == "count" && (!is_bag || call.args.is_empty()) {
            return Ok(None);
        }
        self.arity(call, 1)?;
        self.comparable(call.receiver, element, Comparison::Equality)?;
        let (x, _) = self.check(&call.args[0], element)?;
        let own = Box::new(term.clone());
        Ok(Some(match name {
            "contains" => (Term::Contains(own, Box::new(x)), Ty::Bool),
            "count" => self.once(x, |this, x| {
                let slot = this.fresh();
                let body = Box::new(equal(Term::Var(slot), x));
                let same = Term::Filter(Term::Entries(own).into(), Closure { slot, body });
                Ok((len(same), Ty::Int(Some(IntKind::Usize))))
            })?,
            _ => {
                let option = self.data.option(element);
                self.once(x, |_, x| {
                    let there = Term::Contains(own, Box::new(x.clone()));
                    Ok((some_if(there, option, x), Ty::Data(option)))
                })?
            }
        }))
    }

    /// The set or bag that contains only the argument.
    fn singleton(&mut self, element: &Ty, is_bag: bool, call: &Call) -> Checked<Term> {
        self.arity(call, 1)?;
        let (x, _) = self.check(&call.args[0], element)?;
        let kind = if is_bag { Collection::Bag } else { Collection::Set };
        Ok(Term::Collect(kind, Box::new(Term::Seq(vec![x]))))
    }

    /// The only argument, with the receiver's type.
    fn other(&mut self, whole: &Ty, call: &Call) -> Checked<Term> {
        self.arity(call, 1)?;
        Ok(self.check(&call.args[0], whole)?.0)
    }

    /// The elements in exactly one of two.
    fn symmetric(&mut self, term: &Term, whole: &Ty, is_bag: bool, call: &Call) -> Checked<Typed> {
        let other = self.other(whole, call)?;
        self.once(term.clone(), |this, a| {
            this.once(other, |_, b| {
                let less = |a: &Term, b: &Term| {
                    let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
                    Box::new(Term::SetOp(SetOp::Difference, is_bag, a, b))
                };
                Ok((Term::SetOp(SetOp::Union, is_bag, less(&a, &b), less(&b, &a)), whole.clone()))
            })
        })
    }

    /// A method of a map.
    pub(super) fn map_method(
        &mut self,
        term: &Term,
        (key, value): (&Ty, &Ty),
        call: &Call,
    ) -> Checked<Option<Typed>> {
        if let Some(typed) = self.sized(term, call)? {
            return Ok(Some(typed));
        }
        let own = Box::new(term.clone());
        let pair = Ty::Tuple(vec![key.clone(), value.clone()]);
        let entries = Term::Entries(own.clone());
        let typed = match call.name.name.as_str() {
            "keys" | "into_keys" => {
                self.arity(call, 0)?;
                (Term::Keys(own), Ty::Set(key.clone().into()))
            }
            "values" | "into_values" => {
                self.arity(call, 0)?;
                let slot = self.fresh();
                let body = Box::new(Term::Project(Term::Var(slot).into(), 1));
                (Term::Map(entries.into(), Closure { slot, body }), Ty::Seq(value.clone().into()))
            }
            "contains_key" | "get" | "get_key_value" | "with" | "without" => {
                self.comparable(call.receiver, key, Comparison::Equality)?;
                self.at_key(term, (key, value), call)?
            }
            "iter" | "into_iter" => {
                self.arity(call, 0)?;
                (entries, Ty::Seq(pair.into()))
            }
            "first_key_value" | "last_key_value" => {
                self.comparable(call.receiver, key, Comparison::Order)?;
                let name = call.name.name.trim_end_matches("_key_value").to_owned();
                let name = Ident { name, span: call.name.span };
                return self.sequence_method(&entries, &pair, &Call { name: &name, ..*call });
            }
            // Unclear whether keys or pairs are meant.
            "contains" | "first" | "last" => return Ok(None),
            name if CHANGES.iter().any(|(known, _)| *known == name) => return Ok(None),
            _ => return self.sequence_method(&entries, &pair, call),
        };
        Ok(Some(typed))
    }

    /// The methods of a map with a key.
    fn at_key(&mut self, term: &Term, (key, value): (&Ty, &Ty), call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        self.arity(call, if name == "with" { 2 } else { 1 })?;
        if name == "get_key_value" {
            return self.key_and_value(term, (key, value), call);
        }
        let own = Box::new(term.clone());
        let whole = Ty::Map(key.clone().into(), value.clone().into());
        let (at, _) = self.check(&call.args[0], key)?;
        Ok(match name {
            "contains_key" => (Term::Contains(Term::Keys(own).into(), at.into()), Ty::Bool),
            "get" => {
                let option = self.data.option(value);
                (Term::MapGet(own, at.into(), option), Ty::Data(option))
            }
            "with" => {
                let (new, _) = self.check(&call.args[1], value)?;
                (Term::MapWith(own, at.into(), new.into()), whole)
            }
            _ => (Term::MapWithout(own, at.into()), whole),
        })
    }

    fn key_and_value(&mut self, term: &Term, (key, value): (&Ty, &Ty), call: &Call) -> Checked<Typed> {
        let (at, _) = self.check(&call.args[0], key)?;
        let held = self.data.option(value);
        let option = self.data.option(&Ty::Tuple(vec![key.clone(), value.clone()]));
        let own = Box::new(term.clone());
        self.once(at, |this, at| {
            this.once(Term::MapGet(own, at.clone().into(), held), |_, found| {
                let pair = Term::Tuple(vec![at, field(found.clone(), 1, 0)]);
                let some = is_ctor(found, 1);
                Ok((some_if(some, option, pair), Ty::Data(option)))
            })
        })
    }

    /// `map[key]`
    pub(in crate::frontend::elaborate) fn map_index(
        &mut self,
        map: Term,
        (key, value): (&Ty, &Ty),
        at: &Expr,
    ) -> Checked<Typed> {
        let (at, _) = self.check(at, key)?;
        let option = self.data.option(value);
        Ok((field(Term::MapGet(map.into(), at.into(), option), 1, 0), value.clone()))
    }

    /// `collect()` into a set, a bag or a map.
    pub(super) fn collect_hinted(
        &mut self,
        term: &Term,
        element: &Ty,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let kind = match call.hint {
            Some(Ty::Set(_)) => Collection::Set,
            Some(Ty::Bag(_)) => Collection::Bag,
            Some(Ty::Map(..)) => Collection::Map,
            _ => return Ok(None),
        };
        self.arity(call, 0)?;
        self.collected(kind, term.clone(), element, call.receiver).map(Some)
    }

    /// `elems(xs)`, `bag(xs)`, `BTreeMap::from(xs)`
    pub(in crate::frontend::elaborate) fn collection_of(
        &mut self,
        kind: Collection,
        of: &Expr,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let element = match (kind, hint) {
            (Collection::Set, Some(Ty::Set(element))) | (Collection::Bag, Some(Ty::Bag(element))) => {
                Some((**element).clone())
            }
            (Collection::Map, Some(Ty::Map(key, value))) => {
                Some(Ty::Tuple(vec![(**key).clone(), (**value).clone()]))
            }
            _ => None,
        };
        let hint = element.map(|element| Ty::Seq(Box::new(element)));
        let (term, ty) = self.typed(of, hint.as_ref())?;
        match (&ty, kind) {
            (Ty::Seq(element), _) => self.collected(kind, term, element, of.span),
            (Ty::Set(_), Collection::Set)
            | (Ty::Bag(_), Collection::Bag)
            | (Ty::Map(..), Collection::Map) => Ok((term, ty)),
            (Ty::Set(element) | Ty::Bag(element), Collection::Set | Collection::Bag) => {
                self.collected(kind, Term::Entries(term.into()), element, of.span)
            }
            (ty, _) => {
                let message = format!("expected a sequence, found `{}`", self.show(ty));
                let mistake = Diagnostic::error(of.span, message);
                Err(match ty {
                    Ty::Str => mistake.help("write `.chars()` or `.bytes()` after it"),
                    Ty::Map(..) => mistake.help("write `.keys()` or `.values()` after it"),
                    _ => mistake,
                })
            }
        }
    }

    fn collected(&mut self, kind: Collection, term: Term, element: &Ty, span: Span) -> Checked<Typed> {
        let (ty, key) = match (kind, element) {
            (Collection::Set, element) => (Ty::Set(element.clone().into()), element),
            (Collection::Bag, element) => (Ty::Bag(element.clone().into()), element),
            (Collection::Map, Ty::Tuple(parts)) if parts.len() == 2 => {
                (Ty::Map(parts[0].clone().into(), parts[1].clone().into()), &parts[0])
            }
            (Collection::Map, element) => {
                let message = format!("a map is made of pairs, not of `{}`", self.show(element));
                return Err(Diagnostic::error(span, message).help("write `map![key => value, ..]`"));
            }
        };
        match self.data.unordered_part(key) {
            None => Ok((Term::Collect(kind, term.into()), ty)),
            Some(Ty::Float(_)) => {
                let message = "floats can be neither ordered nor hashed, so there is no set of them";
                Err(Diagnostic::error(span, message))
            }
            Some(_) => Err(private(span)),
        }
    }

    /// `set![a, b]`
    pub(in crate::frontend::elaborate) fn set_literal(
        &mut self,
        span: Span,
        elements: &[Expr],
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let hint = match hint {
            Some(Ty::Set(element)) => Some(Ty::Seq(element.clone())),
            _ => None,
        };
        if elements.is_empty() && hint.is_none() {
            return Err(untyped(span, "an empty set's elements"));
        }
        let (term, ty) = self.elements(span, &elements.iter().collect::<Vec<_>>(), hint.as_ref())?;
        match ty {
            Ty::Seq(element) => self.collected(Collection::Set, term, &element, span),
            ty => Ok((term, ty)),
        }
    }

    /// `BTreeSet::new()`, `HashMap::from(..)`, `elems(xs)` and similar calls.
    pub(in crate::frontend::elaborate) fn collection_function(
        &mut self,
        (ty, name): (&str, &str),
        args: &[Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Option<Typed>> {
        let kind = match (ty, name) {
            ("BTreeSet" | "HashSet", _) | ("", "elems") => Collection::Set,
            ("BTreeMap" | "HashMap", _) => Collection::Map,
            ("", "bag") => Collection::Bag,
            _ => return Ok(None),
        };
        match (name, args) {
            ("from" | "from_iter" | "elems" | "bag", [of]) => self.collection_of(kind, of, hint).map(Some),
            ("elems" | "bag", _) => {
                let what = format!("`{name}`");
                Err(count(span, &what, 1, "argument", args.len()))
            }
            ("new", []) | ("with_capacity", [_]) => match (kind, hint) {
                (Collection::Map, Some(ty @ Ty::Map(..))) => {
                    Ok(Some((Term::Collect(kind, Term::Seq(Vec::new()).into()), ty.clone())))
                }
                (Collection::Map, _) => Err(untyped(span, "an empty map's keys and values")),
                _ => self.set_literal(span, &[], hint).map(Some),
            },
            _ => Ok(None),
        }
    }

    /// `a | b`, `a & b`, `a - b`, `a ^ b` of sets, as in Rust.
    pub(in crate::frontend::elaborate) fn set_operator(
        &mut self,
        symbol: &str,
        a: Term,
        b: Term,
    ) -> Checked<Term> {
        let op = |op, a: &Term, b: &Term| Term::SetOp(op, false, a.clone().into(), b.clone().into());
        match symbol {
            "|" => Ok(op(SetOp::Union, &a, &b)),
            "&" => Ok(op(SetOp::Intersection, &a, &b)),
            "-" => Ok(op(SetOp::Difference, &a, &b)),
            _ => {
                let (term, ()) = self.once(a, |this, a| {
                    this.once(b, |_, b| {
                        let sides = [op(SetOp::Difference, &a, &b), op(SetOp::Difference, &b, &a)];
                        Ok((op(SetOp::Union, &sides[0], &sides[1]), ()))
                    })
                })?;
                Ok(term)
            }
        }
    }
}
