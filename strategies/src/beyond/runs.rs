//! Equal elements in a row.
//!
//! Some bugs need a run: ten equal bytes, a bracket nested sixteen times. Elements that are chosen apart from each other
//! hardly ever are one. An array keeps its length, so that its last elements give way. The judge decides whether the spec admits the new input.

use super::lists::{elements, is_array, is_list, list_of};
use super::scalars::size;
use super::source::LARGEST;
use crate::dice::Dice;
use crate::logic::collection::ordered;
use crate::logic::eval::admits;
use crate::logic::ir::{Sort, Spec};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;

/// How often elements are repeated.
const TIMES: [usize; 5] = [2, 4, 9, 17, 33];

/// Percentage of runs that repeat as often as a constant of the spec or the source says, or once more, if there are any.
const KNOWN: u64 = 50;

/// Percentage of runs of one element; others repeat up to [`MOST`].
const ONE: u64 = 60;
const MOST: usize = 3;

/// An input in which some consecutive elements of a list or text are repeated, if the spec admits such an input.
pub(super) fn with_run(
    spec: &Spec,
    args: &[Value],
    lengths: &[usize],
    dice: &mut Dice,
) -> Option<Vec<Value>> {
    let all = parts(spec, args, false);
    // In a set or a map, nothing is repeated.
    let is_ordered = |part: &Part<'_>| {
        is_array(part) || is_list(part) && matches!(part.refined.sort, Sort::Seq(..) | Sort::Str(_))
    };
    let has_run = |part: &&Part<'_>| is_ordered(part) && !elements(part.value).is_empty();
    let lists: Vec<&Part<'_>> = all.iter().filter(has_run).collect();
    let list = lists.get(dice.index(lists.len().max(1)))?;
    let mut elements = elements(list.value);
    let at = dice.index(elements.len());
    let n = if dice.percent(ONE) { 1 } else { 1 + dice.index(MOST.min(elements.len() - at)) };
    let more: u64 = elements[at..at + n].iter().map(size).sum();
    let room = LARGEST.saturating_sub(args.iter().map(size).sum()) / more.max(1);
    let times = match lengths.get(dice.index(lengths.len().max(1))) {
        Some(length) if dice.percent(KNOWN) => length + dice.index(2),
        Some(_) | None => TIMES[dice.index(TIMES.len())],
    };
    let times = (times - 1).min(room as usize);
    if times == 0 {
        return None;
    }
    let one = elements[at..at + n].to_vec();
    let run: Vec<Value> = one.iter().cycle().take(n * times).cloned().collect();
    let n_elements = elements.len();
    elements.splice(at..at, run);
    if is_array(list) {
        // The last ones have no room.
        elements.truncate(n_elements);
    }
    let args = replaced(args, &list.path, list_of(list.value, elements));
    let in_order = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
    let args: Vec<Value> = in_order.collect();
    admits(spec, &args).then_some(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{IntKind, Param, Refined, SeqKind, StrKind};

    #[test]
    fn elements_of_a_text_are_repeated_where_they_are() {
        let text = Refined::plain(Sort::Str(StrKind::String));
        let param = Param { name: "s".to_owned(), refined: text, mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("f") };
        let made: Vec<String> = (0..200)
            .filter_map(|seed| with_run(&spec, &[Value::str("ab")], &[], &mut Dice::new(seed, 0)))
            .map(|args| if let Value::Str(text) = &args[0] { text.to_string() } else { String::new() })
            .collect();
        for wanted in ["aab", "abbbb", "abababab", &format!("{}b", "a".repeat(17))] {
            assert!(made.iter().any(|text| text == wanted), "{wanted}");
        }
        assert!(with_run(&spec, &[Value::str("")], &[], &mut Dice::new(0, 0)).is_none());
        // Runs are as long as a constant, and one longer.
        let lengths =
            |seed| match with_run(&spec, &[Value::str("a")], &[12], &mut Dice::new(seed, 0)).as_deref() {
                Some([Value::Str(text)]) => text.len(),
                _ => 0,
            };
        let made: Vec<usize> = (0..200).map(lengths).collect();
        assert!([12, 13].iter().all(|length| made.contains(length)), "{made:?}");
    }

    #[test]
    fn an_array_with_a_run_keeps_its_length() {
        let byte = Refined::plain(Sort::Int(IntKind::U8));
        let array = Refined::plain(Sort::Seq(Box::new(byte), SeqKind::Array(4)));
        let param = Param { name: "a".to_owned(), refined: array, mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("f") };
        let array = |all: [u8; 4]| vec![Value::seq(all.map(Value::int).to_vec())];
        let made: Vec<Vec<Value>> = (0..200)
            .filter_map(|seed| with_run(&spec, &array([1, 2, 3, 4]), &[], &mut Dice::new(seed, 0)))
            .collect();
        for wanted in [[1, 1, 2, 3], [1, 2, 2, 2], [1, 2, 1, 2]] {
            assert!(made.contains(&array(wanted)), "{wanted:?}");
        }
    }
}
