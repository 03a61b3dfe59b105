//! Regular expressions, as text, of the strings that are numbers within bounds: `s.parse::<u8>() == Ok(7)` holds for
//! strings of `\+?0*7` alone.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{IntKind, Regex, Term, TextOp};

use super::range::Range;
use super::regex_text::ANY;
use super::wanted::Wanted;

/// The strings that `parse().unwrap_or(0)` reads as a number within bounds; `None` if there is none. Strings that are no
/// numbers are among them if 0 is.
pub(super) fn within(range: Range, kind: IntKind) -> Option<String> {
    let numbers = numbers(range, kind);
    if !range.contains(0) {
        return numbers;
    }
    let others = format!("[+-]?0*|{}", no_number(kind, !kind.min_value().is_zero()));
    Some(numbers.map_or(others.clone(), |numbers| format!("{numbers}|{others}")))
}

/// The strings that are numbers within bounds; `None` if there is none.
pub(super) fn numbers(range: Range, kind: IntKind) -> Option<String> {
    let bound =
        |given: Option<i128>, of_kind: Int, tighter: fn(i128, i128) -> i128| match (given, of_kind.to_i128())
        {
            (Some(given), Some(of_kind)) => Some(tighter(given, of_kind)),
            (given, of_kind) => given.or(of_kind),
        };
    let (least, most) =
        (bound(range.least, kind.min_value(), i128::max), bound(range.most, kind.max_value(), i128::min));
    // Numbers beyond those of a bound are written nowhere.
    let (Some(least), Some(most)) = (least, most) else { return Some(ANY.to_owned()) };
    if most < least {
        return None;
    }
    let is_signed = !kind.min_value().is_zero();
    let mut branches = Vec::new();
    if 1 <= most {
        branches.push(format!(r"\+?0*(?:{})", between(&least.max(1).to_string(), &most.to_string())));
    }
    if least < 0 {
        let digits = |n: i128| n.unsigned_abs().to_string();
        branches.push(format!("-0*(?:{})", between(&digits(most.min(-1)), &digits(least))));
    }
    if least <= 0 && 0 <= most {
        branches.push(if is_signed { "[+-]?0+" } else { r"\+?0+" }.to_owned());
    }
    Some(branches.join("|"))
}

/// The text that is a number within bounds, if a branch has the number and the others have none; and an expression of such
/// texts, if there are any: `if text.matches(..) { Ok(text.parse()) } else { Err(..) }`.
pub(super) fn parsed<'t>(
    test: &'t Term,
    then: &Term,
    otherwise: &Term,
    wanted: &Wanted,
) -> Option<(&'t Term, Option<String>)> {
    let Term::Matches(_, Regex::START, text) = test else { return None };
    let (number, range) = match (then, otherwise, wanted) {
        (Term::Construct(_, 0, fields), Term::Construct(_, 1, _), Wanted::Field(0, 0, wanted)) => {
            let Wanted::Number(range) = &**wanted else { return None };
            (fields.first()?, range)
        }
        (number, Term::Undefined, Wanted::Number(range)) => (number, range),
        _ => return None,
    };
    let Term::TextOp(TextOp::Parse(kind), operands) = number else { return None };
    let [of] = operands.as_slice() else { return None };
    (of == &**text).then(|| (&**text, numbers(*range, *kind)))
}

/// All strings that are no numbers of a type, and perhaps some that are.
fn no_number(kind: IntKind, is_signed: bool) -> String {
    let first = (&kind.max_value() + &Int::from(1)).to_string();
    let n_digits = first.len();
    let greater = of_same_length(&first, &"9".repeat(n_digits));
    let negative = if is_signed { String::new() } else { format!("|-{ANY}") };
    let other = format!("(?s:.){ANY}[^0-9]{ANY}|[^0-9+-]{ANY}");
    format!("{other}|[+-]?0*(?:{greater}|[1-9][0-9]{{{n_digits},}}){negative}")
}

/// The digits of all numbers between two, without zeros before them. Both are positive.
fn between(least: &str, most: &str) -> String {
    let ends = |n: usize| {
        let least = if n == least.len() { least.to_owned() } else { format!("1{}", "0".repeat(n - 1)) };
        let most = if n == most.len() { most.to_owned() } else { "9".repeat(n) };
        of_same_length(&least, &most)
    };
    (least.len()..=most.len()).map(ends).collect::<Vec<_>>().join("|")
}

/// The digits of all numbers between two with as many digits.
fn of_same_length(least: &str, most: &str) -> String {
    let n = least.len();
    if least.bytes().all(|digit| digit == b'0') && most.bytes().all(|digit| digit == b'9') {
        return if n == 0 { String::new() } else { format!("[0-9]{{{n}}}") };
    }
    let (low, high) = (least.as_bytes()[0], most.as_bytes()[0]);
    if low == high {
        return format!("{}(?:{})", char::from(low), of_same_length(&least[1..], &most[1..]));
    }
    let mut branches =
        vec![format!("{}(?:{})", char::from(low), of_same_length(&least[1..], &"9".repeat(n - 1)))];
    if low + 1 < high {
        branches.push(format!("[{}-{}][0-9]{{{}}}", char::from(low + 1), char::from(high - 1), n - 1));
    }
    branches.push(format!("{}(?:{})", char::from(high), of_same_length(&"0".repeat(n - 1), &most[1..])));
    branches.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::regex::automaton;

    #[test]
    fn exactly_the_numbers_within_bounds_match() {
        for kind in [IntKind::U8, IntKind::I8, IntKind::I16] {
            for bounds in [(7, 7), (1, 12), (-3, -1), (17, 240), (-128, -100), (100, 999), (99, 101)] {
                let range = if bounds.1 == 999 {
                    Range::at_least(bounds.0)
                } else {
                    Range::between(bounds.0, bounds.1)
                };
                let Some(text) = within(range, kind) else {
                    assert!(!(bounds.0..=bounds.1).any(|n| kind.contains(&n.into())), "{bounds:?}");
                    continue;
                };
                let regex = automaton(&text).expect("it is an expression");
                for n in -400..400_i128 {
                    for text in [format!("{n}"), format!("{n:+}"), format!("{n:05}"), format!("{n}.")] {
                        let parsed: Option<i128> = match kind {
                            IntKind::U8 => text.parse::<u8>().ok().map(i128::from),
                            IntKind::I8 => text.parse::<i8>().ok().map(i128::from),
                            _ => text.parse::<i16>().ok().map(i128::from),
                        };
                        let is_in = parsed.is_some_and(|n| bounds.0 <= n && n <= bounds.1);
                        assert_eq!(regex.accepts(Regex::START, &text), is_in, "{text} {bounds:?} {kind:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_number_counts_as_0() {
        for kind in [IntKind::U8, IntKind::I8] {
            let regex = automaton(&within(Range::exactly(0), kind).expect("0 is there"))
                .expect("it is an expression");
            for text in ["", "+", "-", "-0", "0", "+000", "x", "1x", "300", "-300", "--1", "1-", "é", "\n"] {
                assert!(regex.accepts(Regex::START, text), "{text:?}");
            }
            assert!(!regex.accepts(Regex::START, "1") && !regex.accepts(Regex::START, "+007"));
            assert_eq!(regex.accepts(Regex::START, "-1"), kind == IntKind::U8);
        }
    }
}
