//! Edits of texts and lists, as fuzzers make them: a part that is right up to a place grows from there.

use target_strategies::dice::Dice;
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Refined, SeqKind, Sort};
use target_strategies::logic::part::Part;
use target_strategies::logic::value::Value;

use super::pool::Pool;

/// Numbers of edits, each as likely.
const NUMBERS: [usize; 5] = [1, 1, 1, 2, 4];

/// Maximum number of elements of an edited list, unless it had about as many before, and of a run that is removed, repeated or taken
/// from elsewhere.
const LONGEST: usize = 400;
const LONGEST_RUN: usize = 16;

/// How often a run is repeated, each as likely: long runs overflow what counts them in seven or eight bits.
const TIMES: [usize; 8] = [1, 1, 1, 1, 2, 8, 32, 128];

/// Percentages of new elements that are in a literal, and that are in a known value, if there are any.
const LITERAL: u64 = 40;
const KNOWN: u64 = 60;

/// Percentage of edits at the end.
const AT_END: u64 = 30;

/// The characters that texts are usually made of.
const USUAL: std::ops::RangeInclusive<u8> = b' '..=b'~';

/// Whether a part can be edited: a text, or a list of any length.
pub(super) fn is_editable(refined: &Refined) -> bool {
    match &refined.sort {
        Sort::Str(_) | Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque) => true,
        Sort::Seq(_, SeqKind::Array(_) | SeqKind::Iter | SeqKind::Answers(..)) => false,
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Set(..) | Sort::Map(..) => false,
        Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => false,
    }
}

/// The value of a part after some edits; `None` if there is nothing to edit it with.
pub(super) fn edited(own: &Part<'_>, pool: &Pool, dice: &mut Dice) -> Option<Value> {
    let mut all = elements(own.value);
    let most = LONGEST.max(all.len() + LONGEST_RUN);
    for _ in 0..NUMBERS[dice.index(NUMBERS.len())] {
        edit(&mut all, own, pool, dice)?;
    }
    all.truncate(most);
    Some(match own.value {
        Value::Str(_) => Value::Str(all.iter().filter_map(character).collect::<String>().into()),
        _ => Value::Seq(all.into()),
    })
}

/// One edit.
fn edit(all: &mut Vec<Value>, own: &Part<'_>, pool: &Pool, dice: &mut Dice) -> Option<()> {
    // What reads from the front gets as far as the text is right.
    let at = if dice.percent(AT_END) { all.len() } else { dice.index(all.len() + 1) };
    let run = at..all.len().min(at + 1 + dice.index(LONGEST_RUN));
    match dice.index(10) {
        0 if !run.is_empty() => drop(all.drain(run)),
        1 if at < all.len() => drop(all.remove(at)),
        2 if !run.is_empty() => {
            let times = TIMES[dice.index(TIMES.len())];
            let again: Vec<Value> = std::iter::repeat_n(&all[run], times).flatten().cloned().collect();
            let to = dice.index(all.len() + 1);
            drop(all.splice(to..to, again));
        }
        3 if at < all.len() => all[at] = element(own, pool, dice)?,
        4 if at < all.len() => all[at] = next_to(&all[at], own.refined, dice),
        5 => {
            let other = other(own, pool, dice)?;
            let from = dice.index(other.len() + 1);
            let to = other.len().min(from + LONGEST_RUN);
            drop(all.splice(at..at, other[from..to].iter().cloned()));
        }
        // The end of another one instead of its own.
        6 => {
            let other = other(own, pool, dice)?;
            all.truncate(at);
            all.extend_from_slice(&other[dice.index(other.len() + 1)..]);
        }
        _ => all.insert(at, element(own, pool, dice)?),
    }
    Some(())
}

/// The elements of another value of the type of a part, or of a literal.
fn other(own: &Part<'_>, pool: &Pool, dice: &mut Dice) -> Option<Vec<Value>> {
    if matches!(own.value, Value::Str(_))
        && dice.percent(LITERAL)
        && let Some(literal) = pool.literal(dice, |literal| matches!(literal, Value::Str(_)))
    {
        return Some(elements(literal));
    }
    pool.values(own).one(dice.next_u64()).map(elements)
}

/// A new element for a part.
fn element(own: &Part<'_>, pool: &Pool, dice: &mut Dice) -> Option<Value> {
    let is_text = matches!(own.value, Value::Str(_));
    if is_text && dice.percent(LITERAL) {
        let literal = pool.literal(dice, |literal| matches!(literal, Value::Char(_) | Value::Str(_)));
        let found = match literal {
            Some(Value::Str(text)) => {
                text.chars().nth(dice.index(text.chars().count().max(1))).map(Value::Char)
            }
            other => other.cloned(),
        };
        if let Some(found) = found {
            return Some(found);
        }
    }
    if !is_text || dice.percent(KNOWN) {
        let known = other(own, pool, dice)?;
        if let Some(known) = known.get(dice.index(known.len().max(1))) {
            return Some(known.clone());
        }
    }
    if is_text {
        let usual = USUAL.start() + dice.index(USUAL.len()) as u8;
        return Some(Value::Char(char::from(usual)));
    }
    elements(own.value).first().cloned()
}

/// A number or a character next to an element of a list; other elements as they are.
fn next_to(value: &Value, list: &Refined, dice: &mut Dice) -> Value {
    let is_less = dice.percent(50);
    match value {
        Value::Int(n) => {
            let next = if is_less { n - &Int::ONE } else { n + &Int::ONE };
            let fits = |element: &Refined| matches!(&element.sort, Sort::Int(kind) if kind.contains(&next));
            let is_of_list = matches!(&list.sort, Sort::Seq(element, _) if fits(element));
            if is_of_list { Value::Int(next) } else { value.clone() }
        }
        Value::Char(c) => {
            let code = u32::from(*c);
            let code = if is_less { code.checked_sub(1) } else { code.checked_add(1) };
            Value::Char(code.and_then(char::from_u32).unwrap_or(*c))
        }
        Value::Bool(is) => Value::Bool(!is),
        Value::Float(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => value.clone(),
    }
}

/// The characters of a text, or the elements of a list.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Str(text) => text.chars().map(Value::Char).collect(),
        Value::Seq(all) => all.to_vec(),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Vec::new(),
        Value::Tuple(_) | Value::Data(..) => Vec::new(),
    }
}

fn character(value: &Value) -> Option<char> {
    if let Value::Char(c) = value { Some(*c) } else { None }
}
