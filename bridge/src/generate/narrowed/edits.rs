//! Small changes of a text or a list: pieces are inserted, replaced, removed and repeated.

use target_strategies::logic::ir::{SeqKind, Sort};
use target_strategies::logic::part::Part;
use target_strategies::logic::value::Value;

/// Maximum number of characters or elements of a changed value.
const LONGEST: usize = 256;

/// Pieces of texts that need no literal.
const COMMON: [&str; 8] = ["0", "1", "9", "a", "A", " ", "-", "é"];

/// What is put into texts: the literals of the function, and some characters.
pub(super) fn pieces(literals: &[Value]) -> Vec<Vec<char>> {
    let of_literal = |literal: &Value| match literal {
        Value::Char(c) => Some(vec![*c]),
        Value::Str(text) => Some(text.chars().collect()),
        // A byte of a text is compared with a number.
        Value::Int(number) => {
            let code = number.to_i64().filter(|code| (32..127).contains(code))?;
            Some(vec![char::from(code as u8)])
        }
        Value::Bool(_) | Value::Float(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => None,
    };
    let common = COMMON.iter().map(|text| text.chars().collect());
    literals.iter().filter_map(of_literal).chain(common).filter(|piece| !piece.is_empty()).collect()
}

/// Whether a part has such changes.
pub(super) fn is_editable(part: &Part) -> bool {
    match &part.refined.sort {
        Sort::Str(_) | Sort::Seq(_, SeqKind::Vec | SeqKind::Slice) => true,
        Sort::Seq(..) | Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Set(..) => false,
        Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => false,
    }
}

/// The change of a value that a number stands for; `elements` are the values that a list may get.
pub(super) fn edit(value: &Value, pieces: &[Vec<char>], elements: &[Value], choice: u64) -> Option<Value> {
    let [of_piece, of_place] = [1, 2].map(|turn| mixed([choice, turn, 0, 0]));
    let pick = |n: usize| (of_piece >> 8) as usize % n;
    match value {
        Value::Str(text) => {
            let own: Vec<char> = text.chars().collect();
            let printable = [char::from(b' ' + (of_piece >> 8) as u8 % 95)];
            let piece = if of_piece % 4 == 0 { &printable } else { &pieces[pick(pieces.len())][..] };
            Some(Value::Str(edited(&own, piece, of_place)?.into_iter().collect::<String>().into()))
        }
        Value::Seq(own) => {
            let piece = if elements.is_empty() { &[] } else { &elements[pick(elements.len())..][..1] };
            Some(Value::seq(edited(own, piece, of_place)?))
        }
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => None,
        Value::Tuple(_) | Value::Data(..) => None,
    }
}

/// A changed list; `None` if it would be too long.
fn edited<T: Clone>(own: &[T], piece: &[T], choice: u64) -> Option<Vec<T>> {
    // Many functions read from the start, so what comes last decides.
    let is_end = (choice >> 8).is_multiple_of(3);
    let at = if is_end { own.len() } else { (choice >> 16) as usize % (own.len() + 1) };
    let next = (at + 1 + (choice >> 40) as usize % 2).min(own.len());
    let parts = match choice % 8 {
        0..3 => [&own[..at], piece, &own[at..]],
        3..6 => [&own[..at], piece, &own[(at + 1).min(own.len())..]],
        6 => [&own[..at.min(next)], &[], &own[next..]],
        _ => [own, &own[(choice >> 40) as usize % (own.len() + 1)..], &[]],
    };
    let changed = parts.concat();
    (changed.len() <= LONGEST).then_some(changed)
}

/// A pseudorandom number: steps of SplitMix64.
pub(super) fn mixed(numbers: [u64; 4]) -> u64 {
    numbers.into_iter().fold(0, |state: u64, number| {
        let state = (state ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_kind_of_change_is_made() {
        let pieces = pieces(&[Value::str("-beta"), Value::int(46), Value::int(1_000)]);
        let all = |value: Value, elements: &[Value]| -> HashSet<Value> {
            (0..100_000).filter_map(|choice| edit(&value, &pieces, elements, choice)).collect()
        };
        let texts = all(Value::str("1.2"), &[]);
        for text in ["1.2.", "1.-beta2", ".2", "1.2-beta", "1.", "1.21.2", "1.22", "1?2"] {
            assert!(texts.contains(&Value::str(text)), "{text}");
        }
        let list = |numbers: &[i64]| {
            Value::seq(numbers.iter().map(|number| Value::int(*number)).collect::<Vec<_>>())
        };
        let lists = all(list(&[1, 2]), &[Value::int(7)]);
        for numbers in [&[1, 2, 7][..], &[7, 1, 2], &[7, 2], &[1], &[1, 2, 2], &[1, 2, 1, 2]] {
            assert!(lists.contains(&list(numbers)), "{numbers:?}");
        }
    }
}
