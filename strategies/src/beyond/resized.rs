//! Lists that are long beside other lists.
//!
//! The engine samples inputs of a given size, and most of it goes to what comes first. So of two lists, the second one is hardly ever
//! long. Here one of several lists gets another length. The judge decides whether the spec admits the new input.

use super::lists::{elements, is_list, list_of};
use super::scalars::size;
use super::source::LARGEST;
use super::trials::Trials;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::ir::{Clause, Param, SeqKind, Sort, Spec, mentions};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;

/// Maximum lengths. Each is as likely, and so is each length up to it.
const LENGTHS: [usize; 4] = [4, 9, 20, 36];

/// Percentage of structures in which a list should get another length: if one is an argument that no condition relates to others, and
/// otherwise.
const MANY: u64 = 67;
const SOME: u64 = 33;

/// Number of attempts that are made in any case.
const FIRST_ATTEMPTS: u32 = 16;

/// Percentage of attempts at an argument that no condition relates to others, if there is one.
const ALONE: u64 = 75;

/// Changes the lengths of lists, as long as that gives valid inputs.
pub(super) struct Resized {
    /// The parameters that are lists which no condition relates to others.
    alone: Vec<usize>,
    trials: Trials,
}

impl Resized {
    /// Nothing was tried.
    pub(super) fn new(spec: &Spec) -> Resized {
        Resized {
            alone: (0..spec.params.len()).filter(|at| is_alone(spec, *at)).collect(),
            trials: Trials::default(),
        }
    }

    /// Percentage of structures in which a list should get another length.
    pub(super) fn percentage(&self) -> u64 {
        if !self.alone.is_empty() {
            MANY
        } else if self.trials.are_worth_more(FIRST_ATTEMPTS) {
            SOME
        } else {
            0
        }
    }

    /// An input in which one of several lists has another length, if this attempt makes one that the spec admits. New elements are
    /// copies of those of lists of the same type.
    pub(super) fn resized(&mut self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let all = parts(spec, args, false);
        let is_ordered = |part: &Part<'_>| matches!(part.refined.sort, Sort::Seq(..) | Sort::Str(_));
        let lists: Vec<&Part<'_>> = all.iter().filter(|part| is_list(part) && is_ordered(part)).collect();
        if lists.len() < 2 {
            return None;
        }
        let alone: Vec<&Part<'_>> =
            lists.iter().filter(|list| self.alone.iter().any(|at| list.path == [*at])).copied().collect();
        let from = if !alone.is_empty() && dice.percent(ALONE) { &alone } else { &lists };
        let list = from[dice.index(from.len())];
        let mut made = elements(list.value);
        let most = LENGTHS[dice.index(LENGTHS.len())];
        let length = dice.index(most + 1);
        if length > made.len() {
            let alike = lists.iter().filter(|other| other.refined.sort == list.refined.sort);
            let known: Vec<Value> = alike.flat_map(|other| elements(other.value)).collect();
            let mut room = LARGEST.saturating_sub(args.iter().map(size).sum());
            while made.len() < length {
                let element = known.get(dice.index(known.len().max(1)))?;
                room = room.checked_sub(size(element))?;
                made.push(element.clone());
            }
        }
        made.truncate(length);
        let args = replaced(args, &list.path, list_of(list.value, made));
        let is_valid = admits(spec, &args);
        self.trials.note(is_valid);
        is_valid.then_some(args)
    }
}

/// Whether a parameter is a list which no condition relates to other parameters.
fn is_alone(spec: &Spec, at: usize) -> bool {
    let sort = &spec.params[at].refined.sort;
    let is_list = matches!(sort, Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque) | Sort::Str(_));
    let reads = |clause: &Clause, at: usize| mentions(&clause.term, at as u32);
    let is_related = |(other, param): (usize, &Param)| {
        let mut clauses = Vec::new();
        param.refined.clauses_inside(&mut clauses);
        let read = if other == at { 0..spec.params.len() } else { at..at + 1 };
        clauses.iter().any(|clause| read.clone().any(|at| reads(clause, at)))
    };
    let is_required = spec.requires.iter().any(|clause| reads(clause, at));
    is_list && !is_required && !spec.params.iter().enumerate().any(is_related)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::logic::ir::{IntKind, Refined, Term};

    fn list(n: usize) -> Value {
        Value::seq((0..n).map(|n| Value::int(n as i64)).collect::<Vec<_>>())
    }

    /// A function of two lists of bytes.
    fn spec(requires: Vec<Term>) -> Spec {
        let bytes = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::U8))), SeqKind::Vec);
        let param = Param { name: String::new(), refined: Refined::plain(bytes), mutable: false };
        let clause = |term| Clause { id: 0, text: String::new(), term };
        let requires = requires.into_iter().map(clause).collect();
        Spec { params: vec![param; 2], requires, ..Spec::unrefined("f") }
    }

    /// The pairs of lengths of inputs made from two lists of twelve and two elements, and whether more attempts are worth it.
    fn lengths(requires: Vec<Term>) -> (HashSet<[usize; 2]>, bool) {
        let spec = spec(requires);
        let (mut resized, mut dice) = (Resized::new(&spec), Dice::new(0, 0));
        let mut found = HashSet::new();
        for _ in 0..5000 {
            if dice.percent(resized.percentage())
                && let Some(args) = resized.resized(&spec, &[list(12), list(2)], &mut dice)
            {
                found.insert([0, 1].map(|at| elements(&args[at]).len()));
            }
        }
        (found, resized.percentage() > 0)
    }

    #[test]
    fn each_of_two_lists_gets_all_lengths() {
        let (found, _) = lengths(Vec::new());
        let most = LENGTHS[LENGTHS.len() - 1];
        assert!((0..=most).all(|n| found.contains(&[n, 2]) && found.contains(&[12, n])), "{found:?}");
    }

    #[test]
    fn lists_whose_lengths_follow_from_others_are_left_alone_after_some_attempts() {
        let length = |slot| Box::new(Term::Len(Box::new(Term::Var(slot))));
        let (found, is_tried) = lengths(vec![Term::Equal(length(0), length(1))]);
        // By chance, a length may be that of the other list.
        assert!(found.iter().all(|lengths| lengths[0] == lengths[1]) && !is_tried, "{found:?}");
    }

    #[test]
    fn a_condition_in_the_type_of_a_list_relates_it_to_others() {
        let mut spec = spec(Vec::new());
        assert!([0, 1].iter().all(|at| is_alone(&spec, *at)));
        let length = |slot| Box::new(Term::Len(Box::new(Term::Var(slot))));
        // The value of a type has the slot after the parameters.
        let term = Term::Equal(length(2), length(0));
        spec.params[1].refined.clauses.push(Clause { id: 0, text: String::new(), term });
        assert!(![0, 1].iter().any(|at| is_alone(&spec, *at)));
    }

    #[test]
    fn a_single_list_is_left_alone() {
        let mut spec = spec(Vec::new());
        spec.params.pop();
        let made = Resized::new(&spec).resized(&spec, &[list(3)], &mut Dice::new(0, 0));
        assert_eq!(made, None);
    }
}
