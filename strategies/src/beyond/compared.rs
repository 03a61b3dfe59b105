//! Inputs at the edges of what a spec says: a number equal to one that it is compared with or next to it, a key that is in the map
//! where it is looked up.
//!
//! A function is most likely wrong where its contract changes. So one scalar of a valid input moves by the difference of
//! the two sides of a comparison, and an argument becomes a value of the collection that the spec looks it up in. The
//! judge decides whether the spec admits the result.
//!
//! Where a list or a structure is rarely found in the collection that it is looked up in, more of the inputs get one that is.

mod sites;

use super::scalars::{collect, with_scalars};
use super::trials::Trials;
use crate::cancel;
use crate::dice::Dice;
use crate::logic::collection::ordered;
use crate::logic::eval::{Judge, admits};
use crate::logic::int::Int;
use crate::logic::ir::{Spec, Term, visit};
use crate::logic::part::{Path, path_of, replaced};
use crate::logic::value::Value;
use sites::{Bound, Place, Site, places};

/// Number of places that are tried for an input.
const ATTEMPTS: usize = 4;

/// Number of scalars that are tried for a comparison.
const SCALARS: usize = 6;

/// Maximum number of steps for an input.
const MOST_STEPS: u64 = 20_000;

/// Percentage of values of a collection that are changed a little.
const ALMOST: u64 = 25;

/// Least percentage of inputs in which an argument is where the spec looks it up.
const FOUND: u64 = 40;

/// Maximum number of look-ups for which that is counted.
const MOST_LOOK_UPS: usize = 4;

/// Number of attempts that are made at that in any case.
const FIRST_ATTEMPTS: u32 = 8;

/// Percentage of changed scalars that are arguments or fields which the comparison names, if there are any.
const NAMED: u64 = 70;

/// Changes inputs so that they are at the edges of what a spec says.
pub(super) struct Compared {
    places: Vec<Place>,
    /// The look-ups of arguments.
    look_ups: Vec<LookUp>,
}

/// How often an argument was in the collection where the spec looks it up.
struct LookUp {
    /// Index of the place.
    place: usize,
    /// The argument, or the part of one.
    path: Path,
    n_found: u64,
    n_inputs: u64,
    /// Whether the spec admits inputs that have it there.
    trials: Trials,
}

impl Compared {
    /// Finds the comparisons and look-ups of a spec.
    pub fn new(spec: &Spec) -> Compared {
        let places = places(spec);
        let look_up = |(at, place): (usize, &Place)| {
            let path = place.argument_looked_up(spec)?;
            Some(LookUp { place: at, path, n_found: 0, n_inputs: 0, trials: Trials::default() })
        };
        let look_ups = places.iter().enumerate().filter_map(look_up).take(MOST_LOOK_UPS).collect();
        Compared { places, look_ups }
    }

    /// The input with an argument that is in the collection where the spec looks it up, if that was rare among the
    /// inputs so far, and the spec admits it.
    pub fn found(&mut self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let mut made = None;
        for look_up in &mut self.look_ups {
            let place = &self.places[look_up.place];
            let args = made.as_deref().unwrap_or(args);
            let found = cancel::within_steps(MOST_STEPS, || look_up.found(place, spec, args, dice)).flatten();
            made = found.or(made);
        }
        made
    }

    /// An input at such an edge, if there is one like this input that the spec admits.
    pub fn met(&self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        if self.places.is_empty() {
            return None;
        }
        let made = cancel::within_steps(MOST_STEPS, || {
            (0..ATTEMPTS).find_map(|_| {
                let place = &self.places[dice.index(self.places.len())];
                let made = met_at(place, spec, args, dice)?;
                let in_order =
                    made.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
                let made: Vec<Value> = in_order.collect();
                (made != args && admits(spec, &made)).then_some(made)
            })
        });
        made.flatten()
    }
}

impl LookUp {
    /// Takes note of an input, or of the one that is returned, which has the argument in the collection.
    fn found(&mut self, place: &Place, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let Site::LookUp(all, one) = &place.site else { return None };
        if !self.trials.are_worth_more(FIRST_ATTEMPTS) {
            return None;
        }
        let slots = bound(place, &vec![0; place.bound.len()], spec, args)?;
        let Value::Seq(all) = value_of(all, spec, args, &slots)? else { return None };
        let one = value_of(one, spec, args, &slots)?;
        // Scalars are in other arguments often enough, by their new numbers.
        if matches!(one, Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_)) {
            return None;
        }
        self.n_inputs += 1;
        if all.contains(&one) {
            self.n_found += 1;
            return None;
        }
        if all.is_empty() || self.n_found * 100 >= self.n_inputs * FOUND {
            return None;
        }
        let made = replaced(args, &self.path, all[dice.index(all.len())].clone());
        let is_valid = admits(spec, &made);
        self.trials.note(is_valid);
        self.n_found += u64::from(is_valid);
        is_valid.then_some(made)
    }
}

/// The input with a change so that the values at a place meet.
fn met_at(place: &Place, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
    let picks: Vec<u64> = place.bound.iter().map(|_| dice.next_u64()).collect();
    let slots = bound(place, &picks, spec, args)?;
    match &place.site {
        Site::LookUp(all, one) => {
            let path = argument(one, spec)?;
            let Value::Seq(all) = value_of(all, spec, args, &slots)? else { return None };
            let found = all.get(dice.index(all.len().max(1)))?;
            let new = if dice.percent(ALMOST) { almost(found, dice) } else { found.clone() };
            Some(replaced(args, &path, new))
        }
        Site::Comparison(a, b) => {
            let [first, second] = [a, b].map(|term| value_of(term, spec, args, &slots));
            match (first?, second?) {
                (Value::Int(first), Value::Int(second)) => {
                    let wanted = [Int::ZERO, Int::ZERO, Int::ONE, -&Int::ONE][dice.index(4)].clone();
                    let gap = &(&first - &second) - &wanted;
                    let is_met = |made: &[Value]| {
                        let slots = bound(place, &picks, spec, made)?;
                        let [a, b] = [a, b].map(|term| value_of(term, spec, made, &slots));
                        let (Value::Int(a), Value::Int(b)) = (a?, b?) else { return None };
                        (&a - &b == wanted).then_some(())
                    };
                    moved((place, spec), (args, &gap), &is_met, dice)
                }
                (first, second) => {
                    let (path, new) = match (argument(a, spec), argument(b, spec)) {
                        (Some(path), None) => (path, second),
                        (None, Some(path)) => (path, first),
                        // Copies of arguments come anyway.
                        (Some(_), Some(_)) | (None, None) => return None,
                    };
                    Some(replaced(args, &path, new))
                }
            }
        }
    }
}

/// The input with one integer that is less or greater by a gap, so that the sides of a comparison meet.
fn moved(
    (place, spec): (&Place, &Spec),
    (args, gap): (&[Value], &Int),
    is_met: &dyn Fn(&[Value]) -> Option<()>,
    dice: &mut Dice,
) -> Option<Vec<Value>> {
    if *gap == Int::ZERO {
        return None;
    }
    let read = numbers_read(place, spec, args);
    let n_scalars = args.iter().map(n_scalars_of).sum::<usize>();
    (0..SCALARS).find_map(|_| {
        let anywhere = dice.index(n_scalars.max(1));
        let named = read.get(dice.index(read.len().max(1))).filter(|_| dice.percent(NAMED));
        let signs = if dice.percent(50) { [true, false] } else { [false, true] };
        signs.into_iter().find_map(|is_less| {
            let by_gap = |old: &Int| Value::Int(if is_less { old - gap } else { old + gap });
            let made = match named {
                Some((path, old)) => replaced(args, path, by_gap(old)),
                None => with_scalar(args, anywhere, &by_gap),
            };
            is_met(&made)?;
            Some(made)
        })
    })
}

/// The integers that the terms of a place read by their position, and where they are: arguments and their fields.
fn numbers_read(place: &Place, spec: &Spec, args: &[Value]) -> Vec<(Path, Int)> {
    let mut found: Vec<(Path, Int)> = Vec::new();
    let mut look = |term: &Term| {
        let Some(path) = argument(term, spec).filter(|path| found.iter().all(|(other, _)| other != path))
        else {
            return;
        };
        if let Some(Value::Int(n)) = value_of(term, spec, args, &[]) {
            found.push((path, n));
        }
    };
    place.terms().for_each(|term| visit(term, &mut look));
    found
}

/// The arguments with another integer at a position among all scalars.
fn with_scalar(args: &[Value], at: usize, change: &dyn Fn(&Int) -> Value) -> Vec<Value> {
    let mut n = 0..;
    let mut replace = |old: &Value| match (n.next() == Some(at), old) {
        (true, Value::Int(old)) => change(old),
        _ => old.clone(),
    };
    args.iter().map(|arg| with_scalars(arg, &mut replace)).collect()
}

fn n_scalars_of(value: &Value) -> usize {
    let mut scalars = Vec::new();
    collect(value, &mut scalars);
    scalars.len()
}

/// The values of the slots around a place.
fn bound(place: &Place, picks: &[u64], spec: &Spec, args: &[Value]) -> Option<Vec<(u32, Value)>> {
    let mut slots = Vec::new();
    for ((slot, bound), pick) in place.bound.iter().zip(picks) {
        let value = match bound {
            Bound::Value(term) => value_of(term, spec, args, &slots)?,
            Bound::ElementOf(term) => {
                let Value::Seq(all) = value_of(term, spec, args, &slots)? else { return None };
                let at = pick.checked_rem(all.len() as u64)?;
                all[at as usize].clone()
            }
        };
        slots.push((*slot, value));
    }
    Some(slots)
}

fn value_of(term: &Term, spec: &Spec, args: &[Value], slots: &[(u32, Value)]) -> Option<Value> {
    Judge::new(None).value_beside(spec, args, slots, term).ok()
}

/// The position of the argument, or of the part of one, that a term is.
fn argument(term: &Term, spec: &Spec) -> Option<Path> {
    path_of(term).filter(|path| path[0] < spec.params.len())
}

/// A value next to another one: a number, or a list with an element less or one twice.
fn almost(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Int(n) => Value::Int(if dice.percent(50) { n + &Int::ONE } else { n - &Int::ONE }),
        Value::Seq(all) => match (all.split_last(), dice.percent(50)) {
            (Some((_, all)), true) => Value::Seq(all.into()),
            (Some((last, _)), false) => Value::Seq(all.iter().chain([last]).cloned().collect()),
            (None, _) => value.clone(),
        },
        Value::Bool(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => value.clone(),
        Value::Tuple(_) | Value::Data(..) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::logic::ir::{
        Clause, Closure, CompareOp, Function, FunctionId, IntKind, Param, Refined, SeqKind, Sort,
    };

    /// Of a list and a number, something is promised.
    fn promised(term: Term) -> Spec {
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let list = Refined::plain(Sort::Seq(Box::new(int.clone()), SeqKind::Vec));
        let param = |refined| Param { name: String::new(), refined, mutable: false };
        let ensures = vec![Clause { id: 0, text: String::new(), term }];
        Spec { params: vec![param(list), param(int)], ensures, ..Spec::unrefined("") }
    }

    fn var(slot: u32) -> Box<Term> {
        Box::new(Term::Var(slot))
    }

    /// The inputs that are made of the list 10, 20 and the number 0.
    fn met(spec: &Spec) -> HashSet<Vec<Value>> {
        let args = [Value::seq([10, 20].map(Value::int)), Value::int(0)];
        let compared = Compared::new(spec);
        (0..200).filter_map(|n| compared.met(spec, &args, &mut Dice::new(n, 0))).collect()
    }

    /// The numbers in them.
    fn numbers(made: &HashSet<Vec<Value>>) -> HashSet<Value> {
        made.iter().map(|args| args[1].clone()).collect()
    }

    #[test]
    fn what_is_looked_up_is_there_or_almost() {
        // As on return, the list has another slot.
        for list in [0, 3] {
            let made = met(&promised(Term::Contains(var(list), var(1))));
            assert_eq!(numbers(&made), [9, 10, 11, 19, 20, 21].map(Value::int).into());
        }
    }

    #[test]
    fn a_list_is_often_where_it_is_looked_up() {
        let list = |numbers: &[u64]| Value::seq(numbers.iter().map(|n| Value::int(*n)).collect::<Vec<_>>());
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let words = Refined::plain(Sort::Seq(Box::new(int), SeqKind::Vec));
        let mut spec = promised(Term::Contains(var(0), var(1)));
        spec.params[0].refined = Refined::plain(Sort::Seq(Box::new(words.clone()), SeqKind::Vec));
        spec.params[1].refined = words;
        let args = |n| vec![Value::seq([list(&[]), list(&[7, 8])]), list(&[n])];
        let is_found = |args: &Vec<Value>| args[1] == list(&[]) || args[1] == list(&[7, 8]);
        let found = |spec: &Spec| {
            let (mut compared, mut dice) = (Compared::new(spec), Dice::new(0, 0));
            let inputs = (0..100).map(|n| compared.found(spec, &args(n), &mut dice).unwrap_or(args(n)));
            inputs.filter(is_found).count() as u64
        };
        assert_eq!(found(&spec), FOUND);
        let not = Term::Not(Box::new(Term::Contains(var(0), var(1))));
        spec.requires.push(Clause { id: 1, text: String::new(), term: not });
        assert_eq!(found(&spec), 0);
    }

    #[test]
    fn sides_of_a_comparison_meet_inside_closures_and_measures() {
        let less = |a, b| Term::Compare(CompareOp::Lt, a, b);
        let closure = Closure { slot: 5, body: Box::new(less(var(1), var(5))) };
        let inside = promised(Term::All(var(0), closure.clone()));
        let mut of_measure = promised(Term::Call(FunctionId(0), vec![*var(1), *var(0)]));
        of_measure.functions.push(Function {
            name: String::new(),
            params: vec![6, 7],
            body: Term::All(var(7), Closure { slot: 5, body: Box::new(less(var(6), var(5))) }),
            decreases: None,
            total: true,
            nesting: 4,
        });
        for spec in [inside, of_measure] {
            let made = met(&spec);
            let near = [9, 10, 11, 19, 20, 21].map(Value::int);
            assert!(near.iter().all(|n| numbers(&made).contains(n)), "{made:?}");
            let elements = [-1, 0, 1].map(|n| Value::Int(Int::from(n)));
            let has = |args: &Vec<Value>| matches!(&args[0], Value::Seq(list) if list.contains(&elements[1]));
            assert!(made.iter().any(has), "an element moves to the number: {made:?}");
        }
    }

    #[test]
    fn the_number_that_a_comparison_names_moves_rather_than_any_other() {
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let list = Refined::plain(Sort::Seq(Box::new(int.clone()), SeqKind::Vec));
        let both = Refined::plain(Sort::Tuple(vec![list, int]));
        let part = |at| Box::new(Term::Project(var(0), at));
        let has_room = Term::Compare(CompareOp::Le, Box::new(Term::Len(part(0))), part(1));
        let params = vec![Param { name: String::new(), refined: both, mutable: false }];
        let requires = vec![Clause { id: 0, text: String::new(), term: has_room }];
        let spec = Spec { params, requires, ..Spec::unrefined("") };
        let elements: Vec<Value> = (0..40_u64).map(Value::int).collect();
        let args = [Value::Tuple([Value::seq(elements), Value::int(90)].into())];
        let compared = Compared::new(&spec);
        let met = |seed| compared.met(&spec, &args, &mut Dice::new(seed, 0));
        let is_full =
            |made: &Vec<Value>| matches!(&made[0], Value::Tuple(parts) if parts[1] == Value::int(40));
        let n_full = (0..100).filter_map(met).filter(is_full).count();
        assert!(n_full > 50, "{n_full}");
    }

    #[test]
    fn the_result_is_unknown_and_the_spec_decides() {
        assert!(met(&promised(Term::Equal(var(2), var(1)))).is_empty());
        let mut spec = promised(Term::Contains(var(0), var(1)));
        let zero = Term::Equal(var(1), Box::new(Term::Lit(Value::int(0))));
        spec.requires.push(Clause { id: 1, text: String::new(), term: zero });
        assert!(met(&spec).is_empty());
    }
}
