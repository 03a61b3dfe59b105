//! Derivations of grammars in conditions: each is its text, and has its named parts as fields.
//!
//! A name of type `Sum` is the text of the derivation in its slot; in `s.left`, the derivation is found inside of that term
//! again. Where a part need not occur, the field is an `Option`; where it may repeat, a list.

use target_strategies::logic::grammar::{Derived, Rules};
use target_strategies::logic::ir::{Closure, DataId, Field, Refined, Sort, Term};
use target_strategies::logic::value::Value;

use super::build::{field, is_ctor};
use super::mistake::{did_you_mean, with_guess};
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::Ident;

/// Methods of lists that compare elements: there, derivations are their texts.
pub(super) const COMPARING: [&str; 8] =
    ["concat", "contains", "distinct", "ends_with", "is_sorted", "join", "max", "min"];

/// How often a named part occurs in a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Count {
    Never,
    Once,
    Optional,
    Many,
}

/// A named part of a rule.
struct NamedPart<'n> {
    name: &'n str,
    /// The type of each of its values.
    ty: Ty,
}

/// A field that holds a part: its index, its type, and the group that has the part, if it isn't the field itself.
type Holder = (u32, Refined, Option<DataId>);

/// An alternative of a derivation.
struct Chosen {
    value: Term,
    ctor: u32,
    /// Its fields that hold a part.
    holders: Vec<Holder>,
}

impl Elaborator<'_, '_, '_> {
    /// A term, with a derivation replaced by its text.
    pub(super) fn as_text(&mut self, term: Term, ty: Ty) -> Typed {
        match ty {
            Ty::Data(id) if self.data.item_of(id) == Item::Rule => (self.data.text_of(term, id), Ty::Str),
            ty => (term, ty),
        }
    }

    /// A term in which derivations inside of lists and options are replaced by their texts, too.
    pub(super) fn as_texts(&mut self, term: Term, ty: Ty) -> Checked<Typed> {
        if !self.holds_derivations(&ty) {
            return Ok((term, ty));
        }
        match &ty {
            Ty::Seq(element) => {
                let slot = self.fresh();
                let (body, element) = self.as_texts(Term::Var(slot), (**element).clone())?;
                let closure = Closure { slot, body: Box::new(body) };
                Ok((Term::Map(Box::new(term), closure), Ty::Seq(Box::new(element))))
            }
            Ty::Data(id) => match self.data.item_of(*id) {
                Item::Option(element) => self.once(term, |this, term| {
                    let (held, element) = this.as_texts(field(term.clone(), 1, 0), element)?;
                    let option = this.data.option(&element);
                    let some = Term::Construct(option, 1, vec![held]);
                    let none = Term::Construct(option, 0, Vec::new());
                    let text = Term::If(Box::new(is_ctor(term, 1)), Box::new(some), Box::new(none));
                    Ok((text, Ty::Data(option)))
                }),
                Item::Rule => Ok(self.as_text(term, ty)),
                Item::Captures(_) | Item::Result(..) | Item::User(..) | Item::View(..) => Ok((term, ty)),
            },
            _ => Ok((term, ty)),
        }
    }

    fn holds_derivations(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Seq(element) => self.holds_derivations(element),
            Ty::Data(id) => match self.data.item_of(*id) {
                Item::Option(element) => self.holds_derivations(&element),
                Item::Rule => true,
                Item::Captures(_) | Item::Result(..) | Item::User(..) | Item::View(..) => false,
            },
            _ => false,
        }
    }

    /// A text where a derivation is expected: the derivation that it is the text of, or that of a literal. A literal without
    /// one stays a text, which equals no derivation.
    pub(super) fn derivation(&mut self, text: &Term, rule: DataId, span: Span) -> Checked<Option<Term>> {
        if self.data.item_of(rule) != Item::Rule {
            return Ok(None);
        }
        if let Some((value, found)) = self.data.derivation_in(text) {
            return Ok((found == rule).then_some(value));
        }
        let Term::Lit(Value::Str(literal)) = text else { return Ok(None) };
        let rules = Rules {
            data: &self.data.data,
            functions: &self.data.functions.all,
            regexes: &self.data.regexes,
            value_slot: self.data.value_slot,
        };
        match rules.derive(rule, literal) {
            Derived::Derivation(value) => Ok(Some(Term::Lit(value))),
            Derived::NoDerivation => Ok(Some(text.clone())),
            Derived::TooLarge => Err(Diagnostic::error(span, "this text is too large for its grammar")),
        }
    }

    /// `s.left`, if `s` is the text of a derivation.
    pub(super) fn named_part(&mut self, text: &Term, name: &Ident) -> Option<Checked<Typed>> {
        let (value, rule) = self.data.derivation_in(text)?;
        let mut tys = Vec::new();
        let count = self.count(rule, &name.name, &mut tys);
        tys.dedup();
        // Parts by different rules have only their texts in common.
        let ty = if tys.len() == 1 { tys.swap_remove(0) } else { Ty::Str };
        let part = NamedPart { name: &name.name, ty: ty.clone() };
        let found = match count {
            Count::Never => Err(self.no_part(rule, name)),
            Count::Once => self.once(value, |this, value| Ok((this.only(value, rule, &part), ty))),
            Count::Optional => {
                let option = self.data.option(&ty);
                self.once(value, |this, value| {
                    Ok((this.optional(value, rule, &part, option), Ty::Data(option)))
                })
            }
            Count::Many => {
                self.once(value, |this, value| Ok((this.list(value, rule, &part), Ty::Seq(Box::new(ty)))))
            }
        };
        Some(found)
    }

    fn no_part(&self, rule: DataId, name: &Ident) -> Diagnostic {
        let mut names = Vec::new();
        self.names_in(rule, &mut names);
        let of = self.data.get(rule).rule.as_ref().map_or("", |rule| &rule.name);
        let mistake = Diagnostic::error(name.span, format!("no part `{}` in `{of}`", name.name));
        let guess = did_you_mean(&name.name, names.iter().map(String::as_str));
        let named: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let help = if named.is_empty() {
            "give the part a name in the rule: `name:Part`".to_owned()
        } else {
            format!("its named parts are {}", named.join(", "))
        };
        with_guess(mistake, guess, &help)
    }

    fn names_in(&self, rule: DataId, names: &mut Vec<String>) {
        for field in self.data.get(rule).ctors.iter().flat_map(|ctor| &ctor.fields) {
            if let Some(group) = self.group(field) {
                self.names_in(group, names);
            } else if field.name != "_" && !names.contains(&field.name) {
                names.push(field.name.clone());
            }
        }
    }

    /// The group in a field without a name of its own.
    fn group(&self, field: &Field) -> Option<DataId> {
        match once_of(&field.refined, |id| self.held(id)).0.sort {
            Sort::Data(id) if field.name == "_" && self.data.is_group(id) => Some(id),
            _ => None,
        }
    }

    /// The type in an `Option`; `None` for a rule.
    fn held(&self, id: DataId) -> Option<&Refined> {
        let data = self.data.get(id);
        if data.rule.is_some() {
            return None;
        }
        data.ctors.get(1).and_then(|some| some.fields.first()).map(|held| &held.refined)
    }

    /// How often a part occurs, with the types of all its occurrences.
    fn count(&self, rule: DataId, name: &str, tys: &mut Vec<Ty>) -> Count {
        let ctors = &self.data.get(rule).ctors;
        let mut all = None;
        for ctor in ctors {
            let counts = ctor.fields.iter().map(|field| self.count_in(field, name, tys));
            let here = counts
                .filter(|count| *count != Count::Never)
                .fold(Count::Never, |sum, count| if sum == Count::Never { count } else { Count::Many });
            all = Some(match all {
                None => here,
                Some(other) if other == here => here,
                Some(other) => here.max(other).max(Count::Optional),
            });
        }
        all.unwrap_or(Count::Never)
    }

    fn count_in(&self, field: &Field, name: &str, tys: &mut Vec<Ty>) -> Count {
        let (once, repeated) = once_of(&field.refined, |id| self.held(id));
        let inside = match self.group(field) {
            Some(group) => self.count(group, name, tys),
            None if field.name == name => {
                tys.push(self.data.ty_of(once));
                Count::Once
            }
            None => Count::Never,
        };
        if inside == Count::Never { inside } else { inside.max(repeated) }
    }

    /// The value of an occurrence, at the type of the part.
    fn leaf(&mut self, refined: &Refined, value: Term, part: &NamedPart<'_>) -> Term {
        let ty = self.data.ty_of(refined);
        if part.ty == Ty::Str { self.as_text(value, ty).0 } else { value }
    }

    /// The part that each alternative has once.
    fn only(&mut self, value: Term, rule: DataId, part: &NamedPart<'_>) -> Term {
        self.by_alternative(
            value,
            rule,
            &mut |this, chosen| match chosen.holders.as_slice() {
                [(at, refined, None)] => {
                    this.leaf(refined, field(chosen.value.clone(), chosen.ctor, *at), part)
                }
                [(at, _, Some(group))] => {
                    this.only(field(chosen.value.clone(), chosen.ctor, *at), *group, part)
                }
                _ => Term::Undefined,
            },
            part,
        )
    }

    /// The part as an `Option`.
    fn optional(&mut self, value: Term, rule: DataId, part: &NamedPart<'_>, option: DataId) -> Term {
        let none = || Term::Construct(option, 0, Vec::new());
        self.by_alternative(
            value,
            rule,
            &mut |this, chosen| {
                let [(at, refined, group)] = chosen.holders.as_slice() else { return none() };
                let value = field(chosen.value.clone(), chosen.ctor, *at);
                let (once, repeated) = this.owned_once(refined);
                let inside =
                    if repeated == Count::Optional { field(value.clone(), 1, 0) } else { value.clone() };
                let some = match group {
                    Some(group) => this.optional(inside, *group, part, option),
                    None => Term::Construct(option, 1, vec![this.leaf(&once, inside, part)]),
                };
                if repeated != Count::Optional {
                    return some;
                }
                Term::If(Box::new(is_ctor(value, 1)), Box::new(some), Box::new(none()))
            },
            part,
        )
    }

    /// The list of all occurrences.
    fn list(&mut self, value: Term, rule: DataId, part: &NamedPart<'_>) -> Term {
        self.by_alternative(
            value,
            rule,
            &mut |this, chosen| {
                let mut lists = Vec::new();
                for (at, refined, group) in &chosen.holders {
                    let value = field(chosen.value.clone(), chosen.ctor, *at);
                    lists.push(this.occurrences(value, refined, *group, part));
                }
                match lists.len() {
                    0 => Term::Seq(Vec::new()),
                    1 => lists.swap_remove(0),
                    _ => Term::Concat(lists),
                }
            },
            part,
        )
    }

    /// The occurrences in a field.
    fn occurrences(
        &mut self,
        value: Term,
        refined: &Refined,
        group: Option<DataId>,
        part: &NamedPart<'_>,
    ) -> Term {
        let (once, repeated) = self.owned_once(refined);
        let inside = |this: &mut Self, value: Term| match group {
            Some(group) => this.list(value, group, part),
            None => Term::Seq(vec![this.leaf(&once, value, part)]),
        };
        match repeated {
            Count::Never | Count::Once => inside(self, value),
            Count::Optional => {
                let some = inside(self, field(value.clone(), 1, 0));
                Term::If(Box::new(is_ctor(value, 1)), Box::new(some), Box::new(Term::Seq(Vec::new())))
            }
            Count::Many => {
                let slot = self.fresh();
                // A list of single occurrences needs no flattening.
                let mut tys = Vec::new();
                let single = match group {
                    Some(group) if self.count(group, part.name, &mut tys) == Count::Once => {
                        Some(self.only(Term::Var(slot), group, part))
                    }
                    Some(_) => None,
                    None => Some(self.leaf(&once, Term::Var(slot), part)),
                };
                match single {
                    Some(Term::Var(found)) if found == slot => value,
                    Some(body) => Term::Map(Box::new(value), Closure { slot, body: Box::new(body) }),
                    None => {
                        let body = Box::new(inside(self, Term::Var(slot)));
                        Term::Flatten(Box::new(Term::Map(Box::new(value), Closure { slot, body })))
                    }
                }
            }
        }
    }

    /// A term by the alternative of a derivation, made from the fields that contain a part.
    fn by_alternative(
        &mut self,
        value: Term,
        rule: DataId,
        make: &mut dyn FnMut(&mut Self, &Chosen) -> Term,
        part: &NamedPart<'_>,
    ) -> Term {
        let mut whole = None;
        for ctor in (0..self.data.get(rule).ctors.len()).rev() {
            let fields = self.data.get(rule).ctors[ctor].fields.clone();
            let has_part =
                |(_, field): &(u32, &Field)| self.count_in(field, part.name, &mut Vec::new()) != Count::Never;
            let holders = (0..).zip(&fields).filter(has_part);
            let holders = holders.map(|(at, field)| (at, field.refined.clone(), self.group(field))).collect();
            let here = make(self, &Chosen { value: value.clone(), ctor: ctor as u32, holders });
            whole = Some(match whole {
                None => here,
                Some(others) => {
                    let is_it = Term::IsCtor(Box::new(value.clone()), ctor as u32);
                    Term::If(Box::new(is_it), Box::new(here), Box::new(others))
                }
            });
        }
        whole.unwrap_or(Term::Undefined)
    }

    fn owned_once(&self, refined: &Refined) -> (Refined, Count) {
        let (once, repeated) = once_of(refined, |id| self.held(id));
        (once.clone(), repeated)
    }
}

/// The type of a part without its repetition, and how often it may occur.
fn once_of<'r>(refined: &'r Refined, held: impl Fn(DataId) -> Option<&'r Refined>) -> (&'r Refined, Count) {
    match &refined.sort {
        Sort::Data(id) => held(*id).map_or((refined, Count::Once), |held| (held, Count::Optional)),
        Sort::Seq(element, _) => (element, Count::Many),
        #[rustfmt::skip]
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Set(..)
        | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => (refined, Count::Once),
    }
}
