//! The conditions that an input differs from known ones, as terms about that input alone: so it can be solved for.
//!
//! Some relations can't be said of two open values, but of one if the other is known: the strings near a known string are
//! those of an automaton, a list is read with the rows of the table of distances, and a shape is lengths and variants.

use std::collections::HashMap;

use target_strategies::logic::eval::Judge;
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{
    ArithOp, Clause, Closure, CompareOp, Refined, Regex, RegexId, SeqKind, Sort, Spec, Term, map_children,
    relation, try_map_children, visit,
};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::relation::{edit_distance, parts};
use super::set::new_id;
use crate::frontend::regex::near;
use crate::frontend::subject::Relation;

/// Maximum length of a list or string whose distances are computed by a term: the term grows with it.
const LONGEST: usize = 64;

/// The conditions that an input differs from each of a set.
pub(super) struct Conditions<'a> {
    space: &'a Space,
    relation: &'a Relation,
    clauses: Vec<Clause>,
    regexes: Vec<Regex>,
    /// The automata of the strings nearer than so far, by the string. `None` if one is too big.
    near: HashMap<(String, usize), Option<RegexId>>,
}

impl<'a> Conditions<'a> {
    pub fn new(space: &'a Space, relation: &'a Relation) -> Conditions<'a> {
        Conditions { space, relation, clauses: Vec::new(), regexes: Vec::new(), near: HashMap::new() }
    }

    /// Adds that an input differs from this one and, with `in_both_orders`, this one from it. Returns whether that can be said.
    /// `is_own` tells that the relation holds between this input and itself, which must not be found again.
    pub fn add(&mut self, other: &[Value], in_both_orders: bool, is_own: bool) -> bool {
        let Relation { term, second, .. } = self.relation;
        let known = |slots: &mut dyn Iterator<Item = u32>| {
            slots.zip(other).map(|(slot, value)| (slot, Term::Lit(value.clone()))).collect::<Vec<_>>()
        };
        let mut orders = vec![known(&mut second.iter().copied())];
        if in_both_orders {
            let open = second.iter().zip(0..).map(|(second, slot)| (*second, Term::Var(slot)));
            orders.push(known(&mut (0..)).into_iter().chain(open).collect());
        }
        let mut said: Vec<Term> = Vec::new();
        for terms in orders {
            let Some(term) = self.said(&with_terms(term, &terms), other) else { return false };
            if !said.contains(&term) {
                said.push(term);
            }
        }
        if is_own {
            let unequal = |(slot, value): (u32, &Value)| {
                let value = Term::Lit(value.clone());
                Term::Not(Box::new(Term::Equal(Box::new(Term::Var(slot)), Box::new(value))))
            };
            said.push(Term::Or((0..).zip(other).map(unequal).collect()));
        }
        let id = new_id(self.space.spec());
        let clause = |term| Clause { id, text: self.relation.text.clone(), term };
        self.clauses.extend(said.into_iter().map(clause));
        true
    }

    /// The inputs that satisfy all conditions.
    pub fn space(&self) -> Space {
        self.space.narrowed_by(self.clauses.iter().cloned(), self.regexes.iter().cloned())
    }

    /// A relation to a known input without the parts that only a host can judge; `None` if it can't be said.
    fn said(&mut self, term: &Term, other: &[Value]) -> Option<Term> {
        if let Term::Opaque(id, args) = term {
            return match (*id, args.as_slice()) {
                (relation::EDIT_DISTANCE, [a, b, least]) => self.far((a, b), least, other),
                (relation::SAME_SHAPE, [a, b]) => {
                    let (open, known) = self.one_known((a, b), other)?;
                    let spec = self.space.spec();
                    let mut parts = Vec::new();
                    add_shape((open, refined_of(spec, open)?), &known, spec, &mut parts)?;
                    Some(Term::And(parts))
                }
                _ => None,
            };
        }
        try_map_children(term, &mut |child, _| self.said(child, other))
    }

    /// The open one of two terms, and the value of the other one.
    fn one_known<'t>(&self, (a, b): (&'t Term, &'t Term), other: &[Value]) -> Option<(&'t Term, Value)> {
        match (self.value(a, other), self.value(b, other)) {
            (None, Some(known)) => Some((a, known)),
            (Some(known), _) => Some((b, known)),
            (None, None) => None,
        }
    }

    /// The value of a term without open parts.
    fn value(&self, term: &Term, other: &[Value]) -> Option<Value> {
        let mut is_open = false;
        visit(term, &mut |part| is_open |= matches!(part, Term::Var(_)));
        if is_open {
            return None;
        }
        Judge::new(None).value_of(self.space.spec(), other, term).ok()
    }

    /// That two strings or lists, one of them known, are at least so far apart.
    fn far(&mut self, (a, b): (&Term, &Term), least: &Term, other: &[Value]) -> Option<Term> {
        let (open, known) = self.one_known((a, b), other)?;
        let Some(value) = self.value(least, other) else {
            let list =
                if let Value::Str(_) = known { Term::Chars(Box::new(open.clone())) } else { open.clone() };
            return distance(list, &parts(&known), (None, self.free()?))
                .map(|distance| Term::Compare(CompareOp::Le, Box::new(least.clone()), Box::new(distance)));
        };
        let Value::Int(least) = value else { return None };
        if least <= Int::ZERO {
            return Some(Term::Lit(Value::Bool(true)));
        }
        // No list is longer than a `u32` says.
        if least > Int::from(u32::MAX) {
            return Some(Term::Lit(Value::Bool(false)));
        }
        let least = least.to_usize()?;
        let most_near = least - 1;
        if let Some(known_too) = self.value(open, other) {
            return Some(Term::Lit(Value::Bool(
                edit_distance(&parts(&known), &parts(&known_too)) > most_near,
            )));
        }
        if let Value::Str(text) = &known {
            if let Some(regex) = self.near(text, most_near) {
                let is_near = Term::Matches(regex, Regex::START, Box::new(open.clone()));
                return Some(Term::Not(Box::new(is_near)));
            }
            return self.far_by_rows(Term::Chars(Box::new(open.clone())), &parts(&known), least);
        }
        self.far_by_rows(open.clone(), &parts(&known), least)
    }

    fn near(&mut self, text: &str, most: usize) -> Option<RegexId> {
        let next = self.space.spec().regexes.len() + self.regexes.len();
        *self.near.entry((text.to_owned(), most)).or_insert_with(|| {
            self.regexes.push(near(text, most)?);
            Some(RegexId(next as u32))
        })
    }

    /// The same by a term for the distance. The least one is at most a `u32`.
    fn far_by_rows(&self, open: Term, known: &[Value], least: usize) -> Option<Term> {
        let distance = distance(open, known, (Some(least), self.free()?))?;
        let least = Term::Lit(Value::int(least as i64));
        Some(Term::Compare(CompareOp::Le, Box::new(least), Box::new(distance)))
    }

    /// The first slot that the relation has no use for outside of its own terms.
    fn free(&self) -> Option<u32> {
        self.relation.second.iter().max().map(|slot| slot + 1)
    }
}

/// The distance of an open list from a known one: the end of the last row of the table of distances, which a fold over the open
/// list computes. Beyond a cap, all distances may be the same. `None` if the term would be too large.
fn distance(open: Term, known: &[Value], (cap, free): (Option<usize>, u32)) -> Option<Term> {
    if known.len() > LONGEST {
        return None;
    }
    let int = |n: usize| Term::Lit(Value::int(n as i64));
    let arith = |op, a, b| Term::Arith(op, Box::new(a), Box::new(b));
    let plus = |a, b| arith(ArithOp::Add, a, b);
    let min = |a, b| arith(ArithOp::Min, a, b);
    let (acc, element, first) = (free, free + 1, free + 2);
    let old = |at: usize| Term::Project(Box::new(Term::Var(acc)), at as u32);
    let own = |at: usize| Term::Var(first + at as u32);
    let mut body = Term::Tuple((0..=known.len()).map(own).collect());
    for at in (0..=known.len()).rev() {
        let value = match at.checked_sub(1) {
            None => plus(old(0), int(1)),
            Some(before) => {
                let letter = Term::Lit(known[before].clone());
                let is_same = Term::Equal(Box::new(Term::Var(element)), Box::new(letter));
                let cost = Term::If(Box::new(is_same), Box::new(int(0)), Box::new(int(1)));
                let replaced = plus(old(before), cost);
                min(replaced, plus(min(old(at), own(before)), int(1)))
            }
        };
        let value = Box::new(cap.map_or(value.clone(), |cap| min(value, int(cap))));
        body = Term::Let { slot: first + at as u32, value, body: Box::new(body) };
    }
    let start = Term::Tuple((0..=known.len()).map(|n| int(cap.map_or(n, |cap| n.min(cap)))).collect());
    let closure = Closure { slot: element, body: Box::new(body) };
    let rows = Term::Fold { over: Box::new(open), init: Box::new(start), acc, closure };
    Some(Term::Project(Box::new(rows), known.len() as u32))
}

/// A term with others in place of slots.
fn with_terms(term: &Term, terms: &[(u32, Term)]) -> Term {
    if let Term::Var(slot) = term
        && let Some((_, other)) = terms.iter().find(|(known, _)| known == slot)
    {
        return other.clone();
    }
    map_children(term, &mut |child, _| with_terms(child, terms))
}

/// The type of a parameter or of a part of one; `None` if the term is computed.
pub(super) fn refined_of<'s>(spec: &'s Spec, term: &Term) -> Option<&'s Refined> {
    if let Term::Var(slot) = term {
        return Some(&spec.params.get(*slot as usize)?.refined);
    }
    if let Term::Project(of, at) = term {
        let Sort::Tuple(parts) = &refined_of(spec, of)?.sort else { return None };
        return parts.get(*at as usize);
    }
    let Term::Field { of, ctor, index } = term else { return None };
    let Sort::Data(id) = &refined_of(spec, of)?.sort else { return None };
    let field = spec.data(*id).ctors.get(*ctor as usize)?.fields.get(*index as usize)?;
    Some(&field.refined)
}

/// Adds the conditions that a value has the shape of a known one, outer parts first; `None` if they can't be said.
fn add_shape(
    (of, refined): (&Term, &Refined),
    known: &Value,
    spec: &Spec,
    conditions: &mut Vec<Term>,
) -> Option<()> {
    let boxed = || Box::new(of.clone());
    let is = |term: Term, n: usize| Term::Equal(Box::new(term), Box::new(Term::Lit(Value::int(n as i64))));
    match (&refined.sort, known) {
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_), _) => {}
        (Sort::Str(_), Value::Str(text)) => {
            conditions.push(is(Term::Len(Box::new(Term::Chars(boxed()))), text.chars().count()));
        }
        // A function: its table is no list of the language.
        (Sort::Seq(_, SeqKind::Answers(_)), _) => return None,
        (Sort::Seq(element, _), Value::Seq(parts)) => {
            conditions.push(is(Term::Len(boxed()), parts.len()));
            add_elements((of, element), parts, spec, conditions)?;
        }
        (Sort::Set(element, _), Value::Seq(parts)) => {
            conditions.push(is(Term::Len(boxed()), parts.len()));
            add_elements((&Term::Entries(boxed()), element), parts, spec, conditions)?;
        }
        (Sort::Map(key, value, _), Value::Seq(parts)) => {
            conditions.push(is(Term::Len(boxed()), parts.len()));
            let pair = Refined::plain(Sort::Tuple(vec![(**key).clone(), (**value).clone()]));
            add_elements((&Term::Entries(boxed()), &pair), parts, spec, conditions)?;
        }
        (Sort::Tuple(sorts), Value::Tuple(parts)) => {
            for (at, (refined, part)) in (0..).zip(sorts.iter().zip(parts.iter())) {
                add_shape((&Term::Project(boxed(), at), refined), part, spec, conditions)?;
            }
        }
        (Sort::Data(id), Value::Data(ctor, parts)) => {
            let ctors = &spec.data(*id).ctors;
            if ctors.len() > 1 {
                conditions.push(Term::IsCtor(boxed(), *ctor));
            }
            let fields = &ctors.get(*ctor as usize)?.fields;
            for (index, (field, part)) in (0..).zip(fields.iter().zip(parts.iter())) {
                let of = Term::Field { of: boxed(), ctor: *ctor, index };
                add_shape((&of, &field.refined), part, spec, conditions)?;
            }
        }
        _ => return None,
    }
    Some(())
}

fn add_elements(
    (list, element): (&Term, &Refined),
    parts: &[Value],
    spec: &Spec,
    conditions: &mut Vec<Term>,
) -> Option<()> {
    for (at, part) in parts.iter().enumerate() {
        let at = Term::Lit(Value::int(at as i64));
        let of = Term::Index(Box::new(list.clone()), Box::new(at));
        add_shape((&of, element), part, spec, conditions)?;
    }
    Some(())
}
