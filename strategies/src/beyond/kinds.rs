//! Lists in which some kinds of elements are more frequent than others, or follow each other.
//!
//! The engine chooses the constructor of each element without regard to the others. So a long list of commands has about equally many of
//! each kind: a buffer is hardly ever filled before it is emptied. Here the kinds in a list get weights, some of them zero, as the features of a
//! program do in swarm testing (Groce et al., *Swarm Testing*, ISSTA 2012, section 2). The judge decides whether the spec admits the new input.

use std::collections::HashSet;

use super::lists::{elements, is_list, list_of};
use super::scalars::size;
use super::source::LARGEST;
use super::trials::Trials;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::ir::{DataId, Sort, Spec};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;

/// Weights of kinds. Each is as likely.
const WEIGHTS: [usize; 4] = [0, 1, 1, 3];

/// Percentage of structures whose lists get such weights.
const PERCENTAGE: u64 = 50;

/// Percentage of lists with bursts, and of the elements in those that are of the kind before.
const BURSTS: u64 = 50;
const SAME: u64 = 75;

/// Minimum length of a list for which the kinds of its elements are chosen.
const LEAST: usize = 4;

/// Number of attempts that are made in any case.
const FIRST_ATTEMPTS: u32 = 16;

/// Changes the kinds of elements, as long as that gives valid inputs.
pub(super) struct Kinds {
    /// Whether an argument has a list of elements that may be of several kinds.
    has_kinds: bool,
    trials: Trials,
}

impl Kinds {
    /// Nothing was tried.
    pub(super) fn new(spec: &Spec) -> Kinds {
        let mut seen = HashSet::new();
        let has_kinds = spec.params.iter().any(|param| has_list(spec, &param.refined.sort, &mut seen));
        Kinds { has_kinds, trials: Trials::default() }
    }

    /// Percentage of structures in which the kinds of elements should be chosen anew.
    pub(super) fn percentage(&self) -> u64 {
        if self.has_kinds && self.trials.are_worth_more(FIRST_ATTEMPTS) { PERCENTAGE } else { 0 }
    }

    /// An input in which the elements of a list are of other kinds, if it has a list of several kinds, and the spec admits what this attempt
    /// makes. The elements are those of the list, some of them several times.
    pub(super) fn varied(&mut self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let all = parts(spec, args, false);
        let is_sequence = |part: &&Part<'_>| is_list(part) && matches!(part.refined.sort, Sort::Seq(..));
        let lists = all.iter().filter(is_sequence).filter_map(|part| Some((part, by_kind(part.value)?)));
        let lists: Vec<(&Part<'_>, Vec<Vec<Value>>)> = lists.collect();
        let made = lists.get(dice.index(lists.len().max(1))).map(|(list, kinds)| {
            let made = list_of(list.value, chosen(kinds, dice));
            replaced(args, &list.path, made)
        });
        let most = LARGEST.max(args.iter().map(size).sum());
        let is_valid = |args: &Vec<Value>| args.iter().map(size).sum::<u64>() <= most && admits(spec, args);
        let made = made.filter(is_valid);
        self.trials.note(made.is_some());
        made
    }
}

/// Whether a type has lists of elements that may be of several kinds.
fn has_list(spec: &Spec, sort: &Sort, seen: &mut HashSet<DataId>) -> bool {
    match sort {
        Sort::Seq(element, _) => may_differ(spec, &element.sort) || has_list(spec, &element.sort, seen),
        Sort::Tuple(parts) => parts.iter().any(|part| has_list(spec, &part.sort, seen)),
        Sort::Set(element, _) => has_list(spec, &element.sort, seen),
        Sort::Map(_, value, _) => has_list(spec, &value.sort, seen),
        Sort::Data(id) => {
            let fields = || spec.data(*id).ctors.iter().flat_map(|ctor| &ctor.fields);
            seen.insert(*id) && fields().any(|field| has_list(spec, &field.refined.sort, seen))
        }
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Opaque(_) => false,
    }
}

/// Whether values of a type may be of several kinds, as [`kind`] tells them.
fn may_differ(spec: &Spec, sort: &Sort) -> bool {
    match sort {
        Sort::Data(id) => spec.data(*id).ctors.iter().filter(|ctor| !ctor.excluded).count() > 1,
        Sort::Tuple(parts) => parts.iter().any(|part| may_differ(spec, &part.sort)),
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Opaque(_) => false,
        Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) => false,
    }
}

/// The elements of a list by kind, if they are of several.
fn by_kind(list: &Value) -> Option<Vec<Vec<Value>>> {
    let mut kinds: Vec<(u32, Vec<Value>)> = Vec::new();
    let elements = elements(list);
    if elements.len() < LEAST {
        return None;
    }
    for element in elements {
        let kind = kind(&element)?;
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, known)) => known.push(element),
            None => kinds.push((kind, vec![element])),
        }
    }
    (kinds.len() > 1).then(|| kinds.into_iter().map(|(_, known)| known).collect())
}

/// The constructor of an element, or of a part of it that comes first.
fn kind(element: &Value) -> Option<u32> {
    match element {
        Value::Data(ctor, _) => Some(*ctor),
        Value::Tuple(parts) => parts.iter().find_map(kind),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) | Value::Seq(_) => {
            None
        }
    }
}

/// As many elements, with weights for the kinds. Those of a kind take turns, so that few are equal.
fn chosen(kinds: &[Vec<Value>], dice: &mut Dice) -> Vec<Value> {
    let mut weights: Vec<usize> = kinds.iter().map(|_| WEIGHTS[dice.index(WEIGHTS.len())]).collect();
    if weights.iter().all(|weight| *weight == 0) {
        weights.fill(1);
    }
    let has_bursts = dice.percent(BURSTS);
    let mut turns = vec![0; kinds.len()];
    let mut last = None;
    let n: usize = kinds.iter().map(Vec::len).sum();
    let mut next = || {
        let again = last.filter(|_| has_bursts && dice.percent(SAME));
        let at = again.unwrap_or_else(|| weighted(&weights, dice));
        last = Some(at);
        turns[at] += 1;
        kinds[at][(turns[at] - 1) % kinds[at].len()].clone()
    };
    (0..n).map(|_| next()).collect()
}

/// An index, as often as its weight says.
fn weighted(weights: &[usize], dice: &mut Dice) -> usize {
    let mut left = dice.index(weights.iter().sum());
    let is_in = |weight: &usize| {
        let is_in = left < *weight;
        left = left.saturating_sub(*weight);
        is_in
    };
    weights.iter().position(is_in).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Clause, IntKind, Param, Refined, SeqKind, Term};
    use crate::space::tests::{ctor, data};

    /// A function of a list of `enum Edit { Set(u8), Undo, Redo }`.
    fn spec(requires: Vec<Term>) -> Spec {
        let set = ctor("Set", vec![Refined::plain(Sort::Int(IntKind::U8))], false);
        let edit = data(vec![set, ctor("Undo", vec![], false), ctor("Redo", vec![], false)]);
        let list = Sort::Seq(Box::new(Refined::plain(Sort::Data(DataId(0)))), SeqKind::Vec);
        let param = Param { name: String::new(), refined: Refined::plain(list), mutable: false };
        let clause = |term| Clause { id: 0, text: String::new(), term };
        let requires = requires.into_iter().map(clause).collect();
        Spec { params: vec![param], data: vec![edit], requires, ..Spec::unrefined("f") }
    }

    /// Eight numbers to set, and four times each other kind.
    fn edits() -> Vec<Value> {
        let set = |n| Value::Data(0, vec![Value::int(n)].into());
        let other = |n: i64| Value::Data(1 + n as u32 % 2, Vec::new().into());
        (0..8).flat_map(|n| [set(n), other(n)]).collect()
    }

    #[test]
    fn lists_fill_up_before_they_empty_and_lack_kinds() {
        let (spec, args) = (spec(Vec::new()), [Value::seq(edits())]);
        let (mut kinds, mut dice) = (Kinds::new(&spec), Dice::new(0, 0));
        let made = (0..400).filter_map(|_| kinds.varied(&spec, &args, &mut dice));
        let made: Vec<Vec<u32>> =
            made.map(|args| elements(&args[0]).iter().filter_map(kind).collect()).collect();
        assert_eq!(made.len(), 400);
        assert!(made.iter().all(|kinds| kinds.len() == edits().len()));
        let n = |of: &dyn Fn(&[u32]) -> bool| made.iter().filter(|kinds| of(kinds)).count();
        // If each were chosen alone, these would be about 16.
        let fills_up = |kinds: &[u32]| kinds.windows(7).any(|w| w == [0, 0, 0, 0, 0, 0, 1]);
        assert!(n(&fills_up) > 24, "{}", n(&fills_up));
        assert!(n(&|kinds| !kinds.contains(&2) && kinds.contains(&1)) > 40);
        assert!(n(&|kinds| kinds.iter().collect::<std::collections::BTreeSet<_>>().len() == 3) > 100);
    }

    #[test]
    fn elements_take_turns() {
        let mut dice = Dice::new(0, 0);
        let kinds = by_kind(&Value::seq(edits())).expect("it has several kinds");
        for _ in 0..100 {
            let made = chosen(&kinds, &mut dice);
            let sets: Vec<&Value> = made.iter().filter(|edit| kind(edit) == Some(0)).collect();
            assert!(
                sets.windows(8).all(|w| w.iter().all(|a| w.iter().filter(|b| *b == a).count() == 1)),
                "{made:?}"
            );
        }
    }

    #[test]
    fn lists_whose_kinds_the_spec_fixes_are_left_alone_after_some_attempts() {
        // The list equals itself, and no other.
        let list = Value::seq(edits());
        let same = Term::Equal(Box::new(Term::Var(0)), Box::new(Term::Lit(list.clone())));
        let spec = spec(vec![same]);
        let (mut kinds, mut dice) = (Kinds::new(&spec), Dice::new(0, 0));
        assert_eq!(kinds.percentage(), PERCENTAGE);
        // A single value has no kinds that follow each other.
        let mut single = spec.clone();
        single.params[0].refined.sort = Sort::Data(DataId(0));
        assert_eq!(Kinds::new(&single).percentage(), 0);
        for _ in 0..FIRST_ATTEMPTS {
            kinds.varied(&spec, std::slice::from_ref(&list), &mut dice);
        }
        assert_eq!(kinds.percentage(), 0);
    }
}
