//! Domains grow with the bound, and with the lengths that a string may have.

use proptest::prelude::*;

use super::*;
use crate::logic::ir::{FloatKind, IntKind};

/// Whether every value of the domain at a bound is there at the next bound.
fn grows(scalar: &Scalar, bound: u32) -> bool {
    let (small, great) = (domain(scalar, bound, 1), domain(scalar, bound + 1, 1));
    small.iter().all(|value| great.contains(value)) && great.is_sorted_by(|a, b| order(a, b).is_lt())
}

fn kind(spans: &[(char, char)]) -> Kind {
    spans.into()
}

fn chars_of(kinds: &[&[Kind]], bound: u32) -> String {
    let kinds: Arc<[Kinds]> = kinds.iter().map(|kinds| Kinds::from(*kinds)).collect();
    let all = all_codes(LeafSort::Char);
    let scalar = Scalar { kinds: Some(kinds), ..Scalar::plain(LeafSort::Char, all) };
    let domain = domain(&scalar, bound, 1);
    domain.iter().map(|c| if let Value::Char(c) = c { *c } else { panic!("{c:?}") }).collect()
}

#[test]
fn strings_of_another_length_take_no_character_away() {
    let (outer, letters) = (kind(&[('x', 'y')]), [kind(&[('a', 'a')]), kind(&[('b', 'b')])]);
    assert_eq!(chars_of(&[std::slice::from_ref(&outer)], 1), "xy");
    assert_eq!(chars_of(&[std::slice::from_ref(&outer), &letters], 1), "abxy");
    assert_eq!(chars_of(&[&[outer, letters[0].clone(), letters[1].clone()]], 1), "abxy");
}

#[test]
fn each_kind_of_many_characters_has_one() {
    let (letters, others) = (kind(&[('A', 'Z'), ('a', 'z')]), kind(&[('!', '/'), ('[', '`')]));
    assert_eq!(chars_of(&[&[letters, others]], 1), "ab-");
}

#[test]
fn few_characters_are_all_taken_and_of_many_the_first_and_the_named_ones() {
    let digits = kind(&[('0', '9'), (':', ':')]);
    assert_eq!(chars_of(&[&[digits]], 0), "0123456789:");
    let scalar = |named: &[char]| {
        let codes = IntervalSet::of_spans(vec![(Some(Int::from(48)), Some(Int::from(122)))]);
        Scalar { named: Arc::new(named.iter().copied().collect()), ..Scalar::plain(LeafSort::Char, codes) }
    };
    let shown = |named: &[char], bound| format!("{:?}", domain(&scalar(named), bound, 1));
    assert_eq!(shown(&[], 3), "[Char('a'), Char('b'), Char('0'), Char('A')]");
    assert_eq!(shown(&['[', 'a', '!'], 1), "[Char('a'), Char('b'), Char('[')]");
    assert_eq!(shown(&['[', ']', 'z'], 0), "[Char('a'), Char('['), Char(']'), Char('z')]");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_greater_bound_takes_no_value_away(
        spans in proptest::collection::vec((-60i64..60, 0i64..40), 0..4),
        bound in 0u32..12,
    ) {
        let between = |lo: i64, hi: i64| IntervalSet::between(Int::from(lo), Int::from(hi));
        let union = |all: IntervalSet, set: IntervalSet| all.union(&set);
        let ints = spans.iter().map(|(lo, n)| between(*lo, lo + n)).fold(IntervalSet::none(), union);
        for codes in [ints.clone(), ints.complement()] {
            prop_assert!(grows(&Scalar::plain(LeafSort::Int(IntKind::I64), codes.clone()), bound));
            let chars = codes.intersect(&all_codes(LeafSort::Char));
            prop_assert!(grows(&Scalar::plain(LeafSort::Char, chars), bound));
        }
        let float = |n: i64| float_code(n as f64 / 7.0);
        let floats = spans.iter().map(|(lo, n)| between(float(*lo), float(lo + n)));
        let floats = floats.fold(IntervalSet::none(), union);
        for kind in [FloatKind::F32, FloatKind::F64] {
            prop_assert!(grows(&Scalar::plain(LeafSort::Float(kind), floats.clone()), bound));
            let outside = floats.complement().intersect(&all_codes(LeafSort::Float(kind)));
            prop_assert!(grows(&Scalar::plain(LeafSort::Float(kind), outside), bound));
        }
    }
}
