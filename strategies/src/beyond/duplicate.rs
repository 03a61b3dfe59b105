//! A part of a valid input at a second position of the same type.
//!
//! Many bugs need two parts that are equal, or almost: two terms that differ in one name, a key that a map has. Parts
//! that are chosen apart from each other hardly ever are. The judge decides whether the spec admits the new input.

use std::collections::HashSet;
use std::mem::discriminant;

use super::scalars::{collect, n_elements, with_scalars};
use crate::dice::Dice;
use crate::logic::collection::ordered;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::ir::{IntKind, Param, SeqKind, Sort, Spec};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;

/// Maximum number of parts that are looked at.
const MOST_PARTS: usize = 64;

/// Maximum length of a text or list of borrowed scalars.
const LONGEST_BORROWED: usize = 8;

/// Percentage of `usize` arguments that become a position, if an argument is a list, and if only data has lists.
const POSITION: u64 = 70;
const POSITION_IN_DATA: u64 = 35;

/// Maximum number of pairs that are tried.
const ATTEMPTS: usize = 4;

/// An input in which one structure has the value of another one of its type, if the spec admits such an input. In a third of
/// them, one scalar of the copy is another one of its scalars. In another third, a scalar is renamed wherever it occurs.
pub(super) fn duplicated(spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
    let structures = structures(spec, args);
    let pairs: Vec<(&Part, &Part)> = pairs(&structures).collect();
    let outer = pairs.iter().map(|(_, to)| to.path.len()).min();
    let n_outer = pairs.iter().filter(|(_, to)| Some(to.path.len()) == outer).count();
    let mut tried = HashSet::new();
    (0..ATTEMPTS.min(pairs.len())).find_map(|_| {
        // The outermost ones, which are arguments more often than not, are as likely as all others together.
        let n = if dice.percent(50) { n_outer } else { pairs.len() };
        let at = dice.index(n);
        let (from, to) = pairs[at];
        let copy = match dice.index(3) {
            0 => from.value.clone(),
            1 => varied(from.value, dice),
            _ => renamed(from.value, dice),
        };
        if !tried.insert((at, copy.clone())) || copy == *to.value {
            return None;
        }
        let args = replaced(args, &to.path, copy);
        let in_order = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        let args: Vec<Value> = in_order.collect();
        admits(spec, &args).then_some(args)
    })
}

/// An input in which an argument comes from others, if the spec admits such an input.
///
/// An argument without parts is a scalar of another argument, next to it, between two of them, or a position in another one: a
/// key that is to be removed, an element that is looked for, an index. A text has the characters of other arguments, such as a
/// pattern. A list has consecutive scalars of theirs, such as a word of a trie.
pub(super) fn borrowed(spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
    let is_text = |at: usize| matches!(args[at], Value::Str(_)) && !chars_of_others(args, at).is_empty();
    // With a single scalar to borrow, the list stays as it is.
    let is_list = |at: usize| scalars_of_others(spec, args, at).len() > 1;
    let may_borrow = |at: &usize| is_borrower(&args[*at]) || is_text(*at) || is_list(*at);
    let alone: Vec<usize> = (0..args.len()).filter(may_borrow).collect();
    let at = *alone.get(dice.index(alone.len().max(1)))?;
    if is_text(at) || is_list(at) {
        let made = if is_text(at) {
            text_of(&chars_of_others(args, at), dice)?
        } else {
            Value::seq(run(&scalars_of_others(spec, args, at), dice)?.to_vec())
        };
        let is_new = made != args[at];
        let args = replaced(args, &[at], made);
        return (is_new && admits(spec, &args)).then_some(args);
    }
    let may_be_index = spec.params[at].refined.sort == Sort::Int(IntKind::Usize);
    let mut lens: Vec<usize> =
        args.iter().zip(&spec.params).filter_map(|(arg, param)| len(arg, param)).collect();
    if lens.len() > 1 {
        lens.push(lens.iter().sum());
    }
    // What looks like a position in data may well be a number that the data has: a node of a graph.
    let is_of_list = args.iter().any(|arg| matches!(arg, Value::Seq(_) | Value::Str(_)));
    let percentage = if is_of_list { POSITION } else { POSITION_IN_DATA };
    if may_be_index && !lens.is_empty() && dice.percent(percentage) {
        let len = lens[dice.index(lens.len())];
        let index = Value::int(dice.index(len + 1) as u64);
        let is_new = index != args[at];
        let args = replaced(args, &[at], index);
        return (is_new && admits(spec, &args)).then_some(args);
    }
    let scalars = lendable(spec, args, at);
    let picked = scalars.get(dice.index(scalars.len().max(1)))?;
    let other = &scalars[dice.index(scalars.len())];
    let scalar = match (picked, other, dice.index(8)) {
        (Value::Int(n), _, 0) => Value::Int(n + &Int::ONE),
        (Value::Int(n), _, 1) => Value::Int(n - &Int::ONE),
        (Value::Int(n), Value::Int(other), 2 | 3) => {
            Value::Int((n + other).div_euclid(&Int::from(2)).unwrap_or(Int::ZERO))
        }
        (scalar, ..) => scalar.clone(),
    };
    if scalar == args[at] {
        return None;
    }
    let args = replaced(args, &[at], scalar);
    admits(spec, &args).then_some(args)
}

/// The characters of the other arguments.
fn chars_of_others(args: &[Value], at: usize) -> Vec<char> {
    let mut scalars = Vec::new();
    let others = args.iter().enumerate().filter(|(other, _)| *other != at);
    others.for_each(|(_, arg)| collect(arg, &mut scalars));
    scalars.iter().filter_map(|scalar| if let Value::Char(c) = scalar { Some(*c) } else { None }).collect()
}

/// A short text of some characters, every second time of consecutive ones, so that a pattern may match it; `None` if there are none.
fn text_of(chars: &[char], dice: &mut Dice) -> Option<Value> {
    if chars.is_empty() {
        return None;
    }
    if dice.percent(50) {
        return Some(Value::Str(run(chars, dice)?.iter().collect::<String>().into()));
    }
    let len = dice.index(LONGEST_BORROWED + 1);
    let text: String = (0..len).map(|_| chars[dice.index(chars.len())]).collect();
    Some(Value::Str(text.into()))
}

/// Some consecutive items, every second time from the first one on; `None` if there are none.
fn run<'a, T>(items: &'a [T], dice: &mut Dice) -> Option<&'a [T]> {
    let from = if dice.percent(50) { 0 } else { dice.index(items.len().max(1)) };
    let most = items.len().saturating_sub(from).min(LONGEST_BORROWED);
    (most > 0).then(|| &items[from..from + 1 + dice.index(most)])
}

/// The sort of the elements of a list of scalars.
fn element_of(list: &Sort) -> Option<&Sort> {
    match list {
        Sort::Seq(element, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter) => {
            Some(&element.sort).filter(|sort| matches!(sort, Sort::Int(_) | Sort::Char | Sort::Float(_)))
        }
        Sort::Seq(_, SeqKind::Array(_) | SeqKind::Answers(..)) | Sort::Bool | Sort::Char | Sort::Int(_) => {
            None
        }
        Sort::Float(_) | Sort::Str(_) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) => None,
        Sort::Data(_) | Sort::Opaque(_) => None,
    }
}

/// The scalars of other arguments that have the type of a list's elements, in order.
fn scalars_of_others(spec: &Spec, args: &[Value], list: usize) -> Vec<Value> {
    let Some(element) = element_of(&spec.params[list].refined.sort) else { return Vec::new() };
    let all = parts(spec, args, true);
    let is_lent = |part: &&Part| part.path[0] != list && part.refined.sort == *element;
    all.iter().filter(is_lent).map(|part| part.value.clone()).collect()
}

/// The scalars of other arguments that an argument may be: those of its type or, if there are none, of its kind.
fn lendable(spec: &Spec, args: &[Value], at: usize) -> Vec<Value> {
    let all = parts(spec, args, true);
    let sort = &spec.params[at].refined.sort;
    let is_of_others = |part: &&Part| part.path.len() > 1;
    let same = all.iter().filter(is_of_others).filter(|part| part.refined.sort == *sort);
    let same: Vec<Value> = same.map(|part| part.value.clone()).collect();
    if !same.is_empty() {
        return same;
    }
    let mut scalars = Vec::new();
    args.iter().filter(|arg| !is_borrower(arg)).for_each(|arg| collect(arg, &mut scalars));
    scalars.retain(|scalar| is_alike(scalar, &args[at]));
    scalars
}

/// Number of elements of an argument that is a list or has lists, or of bytes of a text.
fn len(arg: &Value, param: &Param) -> Option<usize> {
    match (&param.refined.sort, arg) {
        (Sort::Str(_), Value::Str(text)) => Some(text.len()),
        (Sort::Seq(..), Value::Seq(elements)) => Some(elements.len()),
        (Sort::Data(_), arg) => usize::try_from(n_elements(arg)).ok().filter(|n| *n > 0),
        _ => None,
    }
}

/// Whether all arguments are structures, and two are of one type.
pub(super) fn has_twins(spec: &Spec) -> bool {
    let sorts: Vec<&Sort> = spec.params.iter().map(|param| &param.refined.sort).collect();
    let has_twin = |at: usize| sorts[..at].contains(&sorts[at]);
    sorts.iter().all(|sort| is_structure(sort)) && (1..sorts.len()).any(has_twin)
}

/// Whether an argument has no parts, and many values.
fn is_borrower(arg: &Value) -> bool {
    match arg {
        Value::Int(_) | Value::Char(_) | Value::Float(_) => true,
        Value::Bool(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => false,
    }
}

/// The lists, texts and data of an input.
fn structures<'a>(spec: &'a Spec, args: &'a [Value]) -> Vec<Part<'a>> {
    let mut structures = parts(spec, args, false);
    structures.truncate(MOST_PARTS);
    structures
}

/// Pairs of different parts with one type, none inside the other. The outermost ones to be replaced come first.
fn pairs<'p, 'a>(parts: &'p [Part<'a>]) -> impl Iterator<Item = (&'p Part<'a>, &'p Part<'a>)> {
    let is_pair = |from: &Part, to: &Part| {
        is_structure(&from.refined.sort)
            && from.refined.sort == to.refined.sort
            && !from.path.starts_with(&to.path)
            && !to.path.starts_with(&from.path)
            && from.value != to.value
    };
    let all = parts.iter().flat_map(move |to| parts.iter().map(move |from| (from, to)));
    all.filter(move |(from, to)| is_pair(from, to))
}

/// Whether the values of a sort have parts.
fn is_structure(sort: &Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Opaque(_) => false,
        Sort::Str(_) | Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) => true,
    }
}

/// A value in which one scalar is that of another one of its kind.
fn varied(value: &Value, dice: &mut Dice) -> Value {
    let mut scalars = Vec::new();
    collect(value, &mut scalars);
    let Some((at, other)) = different(&scalars, dice) else { return value.clone() };
    let mut n_before = 0..;
    with_scalars(value, &mut |old| if n_before.next() == Some(at) { other.clone() } else { old.clone() })
}

/// A value in which equal scalars are replaced together: one by another of its kind, two by each other, or each by
/// any of its kind.
fn renamed(value: &Value, dice: &mut Dice) -> Value {
    let mut scalars = Vec::new();
    collect(value, &mut scalars);
    let Some((at, other)) = different(&scalars, dice) else { return value.clone() };
    let from = &scalars[at];
    let mut names = vec![(from.clone(), other.clone())];
    match dice.index(4) {
        0 => {}
        1 => names.push((other.clone(), from.clone())),
        _ => {
            for old in &scalars {
                if names.iter().all(|(known, _)| known != old) {
                    let kept = dice.percent(50);
                    let new = scalars.get(dice.index(scalars.len())).filter(|new| is_alike(new, old));
                    names.push((old.clone(), new.filter(|_| !kept).unwrap_or(old).clone()));
                }
            }
        }
    }
    let new = |old: &Value| names.iter().find(|(known, _)| known == old).map_or(old, |(_, new)| new).clone();
    with_scalars(value, &mut |old| new(old))
}

fn is_alike(a: &Value, b: &Value) -> bool {
    discriminant(a) == discriminant(b)
}

/// The position of a scalar, and a different one of its kind.
fn different<'s>(scalars: &'s [Value], dice: &mut Dice) -> Option<(usize, &'s Value)> {
    let at = dice.index(scalars.len().max(1));
    let old = scalars.get(at)?;
    let is_other = |other: &&Value| is_alike(other, old) && *other != old;
    let others: Vec<&Value> = scalars.iter().filter(is_other).collect();
    Some((at, others.get(dice.index(others.len().max(1)))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Clause, CompareOp, Refined, SeqKind, StrKind, Term};

    fn two_lists(requires: Vec<Clause>) -> Spec {
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let param = |name: &str| Param {
            name: name.to_owned(),
            refined: Refined::plain(Sort::Seq(Box::new(int.clone()), SeqKind::Vec)),
            mutable: false,
        };
        Spec { params: vec![param("a"), param("b")], requires, ..Spec::unrefined("") }
    }

    fn list(elements: &[i64]) -> Value {
        Value::Seq(elements.iter().map(|n| Value::int(*n)).collect())
    }

    #[test]
    fn a_list_becomes_the_other_or_almost() {
        let (spec, args) = (two_lists(Vec::new()), vec![list(&[1, 2, 3]), list(&[7])]);
        let made: HashSet<Vec<Value>> =
            (0..200).filter_map(|n| duplicated(&spec, &args, &mut Dice::new(n, 0))).collect();
        assert!(made.contains(&vec![list(&[1, 2, 3]), list(&[1, 2, 3])]));
        assert!(made.contains(&vec![list(&[1, 2, 3]), list(&[1, 1, 3])]));
        assert!(made.contains(&vec![list(&[7]), list(&[7])]));
        let args = vec![list(&[1, 2, 1, 3]), list(&[7])];
        let made: HashSet<Vec<Value>> =
            (0..400).filter_map(|n| duplicated(&spec, &args, &mut Dice::new(n, 0))).collect();
        assert!(made.contains(&vec![list(&[1, 2, 1, 3]), list(&[2, 2, 2, 3])]), "renamed");
        assert!(made.contains(&vec![list(&[1, 2, 1, 3]), list(&[2, 1, 2, 3])]), "swapped");
        let equal = [list(&[7]), list(&[7])];
        assert!(pairs(&structures(&spec, &equal)).next().is_none());
    }

    #[test]
    fn two_lists_are_twins_and_a_list_and_a_number_are_not() {
        let mut spec = two_lists(Vec::new());
        assert!(has_twins(&spec));
        spec.params[1].refined = Refined::plain(Sort::Int(IntKind::I64));
        assert!(!has_twins(&spec));
        spec.params.remove(1);
        assert!(!has_twins(&spec));
    }

    #[test]
    fn an_argument_is_an_element_of_another_one_next_to_it_or_between() {
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let mut spec = two_lists(Vec::new());
        spec.params[1].refined = int;
        let args = vec![list(&[10, 20]), Value::int(0)];
        let made: HashSet<Vec<Value>> =
            (0..200).filter_map(|n| borrowed(&spec, &args, &mut Dice::new(n, 0))).collect();
        assert!(made.iter().all(|args| args[0] == list(&[10, 20])));
        let found: HashSet<Value> = made.into_iter().map(|mut args| args.remove(1)).collect();
        assert_eq!(found, [9, 10, 11, 15, 19, 20, 21].map(Value::int).into());
        assert_eq!(borrowed(&spec, &[list(&[]), Value::int(0)], &mut Dice::new(0, 0)), None);
        spec.params[1].refined = Refined::plain(Sort::Int(IntKind::Usize));
        let args = vec![list(&[10, 20]), Value::int(7)];
        let made = (0..200).filter_map(|n| borrowed(&spec, &args, &mut Dice::new(n, 0)));
        let found: HashSet<Value> = made.map(|mut args| args.remove(1)).collect();
        assert!([0, 1, 2].iter().all(|index| found.contains(&Value::int(*index))), "a position");
    }

    #[test]
    fn a_list_is_a_run_of_the_other_ones_scalars() {
        let (spec, args) = (two_lists(Vec::new()), vec![list(&[1, 2, 3]), list(&[])]);
        let made: HashSet<Vec<Value>> =
            (0..200).filter_map(|n| borrowed(&spec, &args, &mut Dice::new(n, 0))).collect();
        let runs = [&[1][..], &[2], &[3], &[1, 2], &[2, 3], &[1, 2, 3]];
        assert_eq!(made, runs.map(|run| vec![list(&[1, 2, 3]), list(run)]).into());
    }

    /// The values that the second of two arguments gets.
    fn lent(params: [Sort; 2], args: [Value; 2]) -> HashSet<Value> {
        let mut spec = two_lists(Vec::new());
        for (param, sort) in spec.params.iter_mut().zip(params) {
            param.refined = Refined::plain(sort);
        }
        let made = (0..400).filter_map(|n| borrowed(&spec, &args, &mut Dice::new(n, 0)));
        made.map(|mut args| args.remove(1)).collect()
    }

    #[test]
    fn scalars_of_the_argument_s_own_type_come_first() {
        let [small, wide] = [IntKind::U8, IntKind::I64].map(|kind| Refined::plain(Sort::Int(kind)));
        let pairs = Sort::Seq(Box::new(Refined::plain(Sort::Tuple(vec![small, wide]))), SeqKind::Vec);
        let pair = Value::Tuple([Value::int(200), Value::int(5)].into());
        let args = [Value::seq([pair]), Value::int(0)];
        let found = lent([pairs.clone(), Sort::Int(IntKind::I64)], args.clone());
        assert_eq!(found, [4, 5, 6].map(Value::int).into());
        assert!(lent([pairs, Sort::Int(IntKind::I16)], args).contains(&Value::int(200)));
    }

    #[test]
    fn a_position_may_be_in_all_lists_together_and_a_text_has_characters_of_others() {
        let list_of = |sort| Sort::Seq(Box::new(Refined::plain(sort)), SeqKind::Vec);
        let mut spec = two_lists(Vec::new());
        let index = Refined::plain(Sort::Int(IntKind::Usize));
        spec.params.push(Param { name: "i".to_owned(), refined: index, mutable: false });
        let args = vec![list(&[50, 50]), list(&[50, 50, 50]), Value::int(9)];
        let made = (0..200).filter_map(|n| borrowed(&spec, &args, &mut Dice::new(n, 0)));
        assert!(made.into_iter().any(|args| args[2] == Value::int(5)));
        let args = [Value::seq([Value::Char('x'), Value::Char('é')]), Value::str("abc")];
        let found = lent([list_of(Sort::Char), Sort::Str(StrKind::String)], args);
        let is_of_others = |text: &Value| {
            let Value::Str(text) = text else { return false };
            text.chars().all(|c| "xé".contains(c))
        };
        assert!(found.len() > 20 && found.iter().all(is_of_others), "{found:?}");
    }

    #[test]
    fn only_admitted_inputs_are_made() {
        let len = |slot| Box::new(Term::Len(Box::new(Term::Var(slot))));
        let longer = Term::Compare(CompareOp::Lt, len(1), len(0));
        let spec = two_lists(vec![Clause { id: 0, text: String::new(), term: longer }]);
        let args = vec![list(&[1, 2, 3]), list(&[7])];
        let made = (0..50).filter_map(|n| duplicated(&spec, &args, &mut Dice::new(n, 0)));
        assert_eq!(made.count(), 0);
    }
}
