//! Derives [`Facts`] from a clause: the constants that bound each part of the values in it.
//!
//! `0 < v && v < 10`, with `v` in slot 1, implies that the codes at `[Project(1)]` are in `1..=9`. Only comparisons
//! of a variable, a part or an element with a constant are understood. For other conditions, "anything" is always a
//! safe answer, so facts never lose a valid value. Negation is pushed inwards. An undefined clause is false, so it
//! may count as false under a negation too.

#![allow(clippy::wildcard_enum_match_arm, reason = "few terms limit a domain; all others say nothing")]

mod text;

use std::collections::HashMap;
use std::sync::Arc;

use super::facts::{Facts, Step, code, equal_codes};
use super::interval::{IntervalSet, predecessor, successor};
use super::judge;
use crate::logic::int::Int;
use crate::logic::ir::{Closure, CompareOp, Function, FunctionId, Term, map_children, try_map_children};
use crate::logic::value::Value;
use text::codes_of_class;

/// Maximum number of subterms read. The others count as "anything", because `if` can double the work at each level.
const FUEL: u32 = 50_000;

/// Maximum length of a constant sequence that is read element by element.
const MAX_UNROLLED: usize = 64;

/// Maximum nesting of calls that are read.
const MOST_CALLS: usize = 16;

/// Maximum constant index.
const MAX_INDEX: i64 = 1 << 16;

/// The facts that a clause states about the values in some slots, each under `Project(slot)`. Tests read `own`, the
/// slot of the refined value. `functions` are those that it may call.
pub fn facts_of(clause: &Term, slots: impl Iterator<Item = u32>, own: u32, functions: &[Function]) -> Facts {
    let scope = slots.map(|slot| (slot, Binding::Path(vec![Step::Project(slot)]))).collect();
    Reader { scope, own, functions, calls: Vec::new(), fuel: FUEL }.read(clause, true, true)
}

/// The known meaning of a slot or a term.
#[derive(Clone, Debug, PartialEq)]
enum Binding {
    /// A part of the value in one of the slots.
    Path(Vec<Step>),
    /// A constant.
    Const(Value),
}

struct Reader<'f> {
    /// Slots that are missing can hold anything.
    scope: HashMap<u32, Binding>,
    own: u32,
    functions: &'f [Function],
    /// The functions whose bodies are being read.
    calls: Vec<FunctionId>,
    fuel: u32,
}

impl Reader<'_> {
    /// The facts that follow if a term is true, or false (`!truth`). `alone` says that the term is a conjunct, and so
    /// can be a test.
    fn read(&mut self, term: &Term, truth: bool, alone: bool) -> Facts {
        if self.fuel == 0 {
            return Facts::any();
        }
        self.fuel -= 1;
        match (term, truth) {
            (Term::Not(a), _) => self.read(a, !truth, alone),
            (Term::And(ts), true) | (Term::Or(ts), false) => {
                ts.iter().fold(Facts::any(), |facts, t| facts.and(self.read(t, truth, alone)))
            }
            (Term::Let { slot, value, body }, _) => {
                let binding = self.resolve(value);
                self.within(*slot, binding, |reader| reader.read(body, truth, alone))
            }
            (Term::All(over, closure), true) | (Term::Any(over, closure), false) => {
                self.read_each(over, closure, truth, alone)
            }
            _ => {
                let facts = match self.constant(term) {
                    Some(Value::Bool(b)) if b == truth => Facts::any(),
                    Some(_) => Facts::never(),
                    None => self.read_choice(term, truth),
                };
                if alone { facts.and(self.test(term, truth)) } else { facts }
            }
        }
    }

    fn read_choice(&mut self, term: &Term, truth: bool) -> Facts {
        match term {
            Term::And(ts) | Term::Or(ts) => {
                ts.iter().fold(Facts::never(), |facts, t| facts.or(self.read(t, truth, false)))
            }
            Term::If(c, a, b) => {
                let yes = self.read(c, true, false).and(self.read(a, truth, false));
                yes.or(self.read(c, false, false).and(self.read(b, truth, false)))
            }
            Term::All(over, closure) | Term::Any(over, closure) => match self.constant(over) {
                Some(Value::Seq(elements)) if elements.len() <= MAX_UNROLLED => {
                    elements.iter().fold(Facts::never(), |facts, e| {
                        let e = Some(Binding::Const(e.clone()));
                        facts
                            .or(self
                                .within(closure.slot, e, |reader| reader.read(&closure.body, truth, false)))
                    })
                }
                _ => Facts::any(),
            },
            Term::Contains(seq, x) => self.read_contains(seq, x, truth),
            Term::CharIs(class, of) => match codes_of_class(*class) {
                Some(codes) => self.state(of, if truth { codes } else { codes.complement() }),
                None => Facts::any(),
            },
            Term::StrTest(test, text, part) => self.read_str_test(*test, text, part, truth),
            Term::IsCtor(of, ctor) => {
                let ctor = IntervalSet::point(Int::from(i64::from(*ctor)));
                self.state(of, if truth { ctor } else { ctor.complement() })
            }
            Term::Equal(a, b) => {
                let (one, other) = (self.equal(a, b, truth), self.equal(b, a, truth));
                one.and(other)
            }
            Term::Compare(op, a, b) => self.compare(*op, a, b, truth),
            _ => self.state(term, IntervalSet::point(Int::from(i64::from(truth)))),
        }
    }

    /// `all`, or negated `any`, of the elements of a sequence.
    fn read_each(&mut self, over: &Term, closure: &Closure, truth: bool, alone: bool) -> Facts {
        match over {
            Term::Reverse(over) | Term::Entries(over) => {
                return self.read_each(over, closure, truth, alone);
            }
            Term::Keys(over) => {
                // A map's keys are the first components of its pairs.
                let key = Term::Project(Box::new(Term::Var(closure.slot)), 0);
                let body = Term::Let { slot: closure.slot, value: Box::new(key), body: closure.body.clone() };
                let of_pair = Closure { slot: closure.slot, body: Box::new(body) };
                return self.read_each(over, &of_pair, truth, alone);
            }
            Term::Map(over, first) => {
                // `over.map(first).all(closure)` is `over.all(|x| { let y = first(x); closure(y) })`.
                let body =
                    Term::Let { slot: closure.slot, value: first.body.clone(), body: closure.body.clone() };
                let both = Closure { slot: first.slot, body: Box::new(body) };
                return self.read_each(over, &both, truth, alone);
            }
            _ => {}
        }
        match self.resolve(over) {
            Some(Binding::Path(path)) => {
                let element = path.iter().copied().chain([Step::Each]).collect();
                let facts = self.within(closure.slot, Some(Binding::Path(element)), |reader| {
                    reader.read(&closure.body, truth, alone)
                });
                // For an empty sequence, the body says nothing, although it may read other values.
                let is_empty = Facts::len(IntervalSet::point(Int::from(0))).at(&path);
                facts.and(Facts::any().at(&path)).or(is_empty)
            }
            Some(Binding::Const(Value::Seq(elements))) if elements.len() <= MAX_UNROLLED => {
                elements.iter().fold(Facts::any(), |facts, e| {
                    let e = Some(Binding::Const(e.clone()));
                    facts.and(self.within(closure.slot, e, |reader| reader.read(&closure.body, truth, alone)))
                })
            }
            _ => Facts::any(),
        }
    }

    /// `seq.contains(x)`, where the sequence is a range or constant.
    fn read_contains(&mut self, seq: &Term, x: &Term, truth: bool) -> Facts {
        if let Term::Range(lo, hi) = seq {
            let from = self.compare(CompareOp::Le, lo, x, truth);
            let to = self.compare(CompareOp::Lt, x, hi, truth);
            return if truth { from.and(to) } else { from.or(to) };
        }
        let Some(Value::Seq(elements)) = self.constant(seq) else { return Facts::any() };
        let codes = elements.iter().try_fold(IntervalSet::none(), |codes, e| {
            let codes = codes.union(&equal_codes(e));
            matches!(e, Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_)).then_some(codes)
        });
        match codes {
            Some(codes) => self.state(x, if truth { codes } else { codes.complement() }),
            None => Facts::any(),
        }
    }

    /// `a == b`, where `b` is constant, or a choice among constants.
    fn equal(&mut self, a: &Term, b: &Term, truth: bool) -> Facts {
        let Some(b) = self.constant(b) else {
            let choices = if truth { self.choices(b) } else { Vec::new() };
            let spans = choices.into_iter().map(|(least, greatest)| (Some(least), Some(greatest)));
            let codes = IntervalSet::of_spans(spans.collect());
            return if codes.is_empty() { Facts::any() } else { self.state(a, codes) };
        };
        match &b {
            Value::Bool(b) => self.read(a, *b == truth, false),
            Value::Int(_) | Value::Char(_) | Value::Float(_) => {
                let codes = equal_codes(&b);
                self.state(a, if truth { codes } else { codes.complement() })
            }
            Value::Data(ctor, fields) if !truth && fields.is_empty() => {
                self.state(a, IntervalSet::point(Int::from(i64::from(*ctor))).complement())
            }
            _ if truth => match self.resolve(a) {
                Some(Binding::Path(path)) => Facts::of_value(&b).at(&path),
                _ => Facts::any(),
            },
            _ => Facts::any(),
        }
    }

    fn compare(&mut self, op: CompareOp, a: &Term, b: &Term, truth: bool) -> Facts {
        // Not a < b is b <= a, as no NaN is in the space.
        let (op, a, b) = match (truth, op) {
            (true, _) => (op, a, b),
            (false, CompareOp::Lt) => (CompareOp::Le, b, a),
            (false, CompareOp::Le) => (CompareOp::Lt, b, a),
        };
        let strict = op == CompareOp::Lt;
        let below = self.choices(b).into_iter().max().map(|(least, greatest)| {
            IntervalSet::at_most(if strict { predecessor(&least) } else { greatest })
        });
        let above = self.choices(a).into_iter().min().map(|(least, greatest)| {
            IntervalSet::at_least(if strict { successor(&greatest) } else { least })
        });
        let below = below.map_or_else(Facts::any, |codes| self.state(a, codes));
        let above = above.map_or_else(Facts::any, |codes| self.state(b, codes));
        below.and(above)
    }

    /// The least and the greatest code of the scalars that a term can equal, for a constant or a choice among
    /// constants, such as `if m == 2 { 28 } else { 31 }`, `[28, 31][i]`, or a function that returns one. Empty for any
    /// other term.
    fn choices(&mut self, term: &Term) -> Vec<(Int, Int)> {
        let mut found = Vec::new();
        if self.collect_choices(term, &mut found).is_none() {
            found.clear();
        }
        found
    }

    fn collect_choices(&mut self, term: &Term, found: &mut Vec<(Int, Int)>) -> Option<()> {
        if let Some(value) = self.constant(term) {
            found.push(endpoints(&value)?);
            return Some(());
        }
        self.fuel = self.fuel.checked_sub(1)?;
        match term {
            // An undefined term makes the whole condition false.
            Term::Undefined => Some(()),
            Term::If(_, a, b) => {
                self.collect_choices(a, found)?;
                self.collect_choices(b, found)
            }
            Term::Let { slot, value, body } => {
                let binding = self.resolve(value);
                self.within(*slot, binding, |reader| reader.collect_choices(body, found))
            }
            Term::Index(of, _) => match self.constant(of)? {
                Value::Seq(values) if values.len() <= MAX_UNROLLED => values.iter().try_for_each(|value| {
                    found.push(endpoints(value)?);
                    Some(())
                }),
                _ => None,
            },
            Term::Call(id, args) => {
                // A recursive function has as many results as steps.
                if self.calls.contains(id) || self.calls.len() == MOST_CALLS {
                    return None;
                }
                let called = self.functions.get(id.0 as usize)?;
                let mut args: Vec<_> = args.iter().map(|arg| self.resolve(arg)).collect();
                let params = called.params.iter().copied().zip(args.drain(..));
                let own = params.filter_map(|(slot, arg)| Some((slot, arg?))).collect();
                let outer = std::mem::replace(&mut self.scope, own);
                self.calls.push(*id);
                let collected = self.collect_choices(&called.body, found);
                self.calls.pop();
                self.scope = outer;
                collected
            }
            _ => None,
        }
    }

    /// States that a term's code, or its length, is in a set.
    fn state(&mut self, term: &Term, codes: IntervalSet) -> Facts {
        let term = match term {
            Term::ToInt(inner) => inner,
            Term::Len(of) => {
                let of = match &**of {
                    Term::Bytes(inner) | Term::Entries(inner) | Term::Keys(inner) => inner,
                    other => other,
                };
                return match self.resolve(of) {
                    Some(Binding::Path(path)) => Facts::len(codes).at(&path),
                    _ => Facts::any(),
                };
            }
            other => other,
        };
        match self.resolve(term) {
            Some(Binding::Path(path)) => Facts::codes(codes).at(&path),
            _ => Facts::any(),
        }
    }

    /// The meaning of a term that is a part of a value or a constant.
    fn resolve(&mut self, term: &Term) -> Option<Binding> {
        let (of, step) = match term {
            Term::Var(slot) => return self.scope.get(slot).cloned(),
            Term::Project(of, i) => (of, Step::Project(*i)),
            Term::Field { of, ctor, index } => (of, Step::Field(*ctor, *index)),
            Term::Chars(of) => (of, Step::Chars),
            Term::Index(of, i) => match (&**of, self.small_constant(i)) {
                (Term::Slice(whole, from, _), Some(i)) => {
                    let from = self.small_constant(from)?;
                    (whole, Step::At(u32::try_from(from + i).ok()?))
                }
                (_, Some(i)) => (of, Step::At(u32::try_from(i).ok()?)),
                _ => return self.constant(term).map(Binding::Const),
            },
            _ => return self.constant(term).map(Binding::Const),
        };
        match self.resolve(of) {
            Some(Binding::Path(mut path)) => {
                path.push(step);
                Some(Binding::Path(path))
            }
            _ => self.constant(term).map(Binding::Const),
        }
    }

    fn small_constant(&mut self, term: &Term) -> Option<i64> {
        match self.constant(term)? {
            Value::Int(n) => n.to_i64().filter(|n| (0..MAX_INDEX).contains(n)),
            _ => None,
        }
    }

    /// The value of a term that reads only constants; `None` also if it is undefined.
    fn constant(&mut self, term: &Term) -> Option<Value> {
        if let Term::Lit(value) = term {
            return Some(value.clone());
        }
        let closed = self.close(term, &mut Vec::new(), None)?;
        judge::constant(&closed)
    }

    /// A conjunct that reads one path only, as a test of the value there.
    fn test(&mut self, term: &Term, truth: bool) -> Facts {
        let mut paths = Vec::new();
        self.paths_in(term, &mut Vec::new(), &mut paths);
        let Some(path) = paths.pop() else { return Facts::any() };
        if paths.iter().any(|other| *other != path) {
            return Facts::any();
        }
        let Some(test) = self.close(term, &mut Vec::new(), Some(&path)) else { return Facts::any() };
        let test = if truth { test } else { Term::Not(Box::new(test)) };
        // The term may hold without reading the part.
        Facts { tests: vec![Arc::new(test)], ..Facts::any() }.at_any(&path)
    }

    /// The paths that a term reads, outermost part first.
    fn paths_in(&mut self, term: &Term, bound: &mut Vec<u32>, paths: &mut Vec<Vec<Step>>) {
        if self.fuel == 0 {
            return;
        }
        self.fuel -= 1;
        if let Some(Binding::Path(path)) = self.resolve_unless(term, bound) {
            paths.push(path);
            return;
        }
        map_children(term, &mut |child, slots| {
            let depth = bound.len();
            bound.extend_from_slice(slots);
            self.paths_in(child, bound, paths);
            bound.truncate(depth);
            Term::Undefined
        });
    }

    /// The term with constants for its variables, and with the slot `own` for `path`; `None` if it reads anything
    /// else, or may be expensive to evaluate.
    fn close(&mut self, term: &Term, bound: &mut Vec<u32>, path: Option<&Vec<Step>>) -> Option<Term> {
        self.fuel = self.fuel.checked_sub(1)?;
        if let Some(path) = path
            && self.resolve_unless(term, bound).is_some_and(|found| found == Binding::Path(path.clone()))
        {
            return Some(Term::Var(self.own));
        }
        match term {
            Term::Var(slot) if bound.contains(slot) => Some(term.clone()),
            Term::Var(slot) => match self.scope.get(slot)? {
                Binding::Const(value) => Some(Term::Lit(value.clone())),
                Binding::Path(_) => None,
            },
            Term::Opaque(..) | Term::Ask(..) | Term::Call(..) => None,
            Term::Range(lo, hi) => {
                let small = |term: &Term| matches!(term, Term::Lit(Value::Int(n)) if n.to_i64().is_some());
                let (lo, hi) = (self.close(lo, bound, path)?, self.close(hi, bound, path)?);
                match (&lo, &hi) {
                    (Term::Lit(Value::Int(a)), Term::Lit(Value::Int(b))) if small(&lo) && small(&hi) => {
                        let n = b.to_i64()?.checked_sub(a.to_i64()?)?;
                        (n <= MAX_UNROLLED as i64).then(|| Term::Range(Box::new(lo), Box::new(hi)))
                    }
                    _ => None,
                }
            }
            _ => try_map_children(term, &mut |child, slots| {
                let depth = bound.len();
                bound.extend_from_slice(slots);
                let closed = self.close(child, bound, path);
                bound.truncate(depth);
                closed
            }),
        }
    }

    /// [`Self::resolve`] of a path expression; `None` if it depends on a binder inside the current term.
    fn resolve_unless(&mut self, term: &Term, bound: &[u32]) -> Option<Binding> {
        let mut root = term;
        loop {
            match root {
                Term::Var(slot) if bound.contains(slot) => return None,
                Term::Var(_) => return self.resolve(term),
                Term::Project(of, _) | Term::Field { of, .. } | Term::Chars(of) => root = of,
                Term::Index(of, i) if matches!(**i, Term::Lit(_)) => root = of,
                _ => return None,
            }
        }
    }

    fn within<T>(&mut self, slot: u32, binding: Option<Binding>, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = match binding {
            Some(binding) => self.scope.insert(slot, binding),
            None => self.scope.remove(&slot),
        };
        let result = f(self);
        match outer {
            Some(outer) => self.scope.insert(slot, outer),
            None => self.scope.remove(&slot),
        };
        result
    }
}

/// The least and the greatest code of the scalars that equal a constant.
fn endpoints(value: &Value) -> Option<(Int, Int)> {
    code(value)?;
    match equal_codes(value).spans() {
        [(Some(least), Some(greatest))] => Some((least.clone(), greatest.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
