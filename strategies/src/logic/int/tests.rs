//! Arithmetic against `i128`, and beyond it by algebra.

use proptest::prelude::*;

use super::Int;
use crate::logic::ir::IntKind;

fn wide() -> impl Strategy<Value = i128> {
    prop_oneof![
        any::<i64>().prop_map(i128::from),
        any::<i128>(),
        -10_i128..10,
        Just(i128::MIN),
        Just(i64::MIN.into())
    ]
}

proptest! {
    #[test]
    fn agrees_with_i128(a in wide(), b in wide()) {
        let (x, y) = (Int::from(a), Int::from(b));
        prop_assert_eq!(x.to_i128(), Some(a));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(Int::parse(&a.to_string(), 10), Some(x.clone()));
        for (ours, theirs) in [
            (&x + &y, a.checked_add(b)),
            (&x - &y, a.checked_sub(b)),
            (&x * &y, a.checked_mul(b)),
        ] {
            if let Some(theirs) = theirs {
                prop_assert_eq!(ours, Int::from(theirs));
            }
        }
        for (ours, theirs) in [
            (x.div_trunc(&y), a.checked_div(b)),
            (x.rem_trunc(&y), a.checked_rem(b)),
            (x.div_euclid(&y), a.checked_div_euclid(b)),
            (x.rem_euclid(&y), a.checked_rem_euclid(b)),
        ] {
            if let Some(theirs) = theirs {
                prop_assert_eq!(ours, Some(Int::from(theirs)));
            }
        }
    }

    #[test]
    fn long_division_inverts_multiplication(a in wide(), b in wide(), c in wide(), r in 0_u64..1000) {
        let divisor = &Int::from(a) * &Int::from(b);
        prop_assume!(divisor.abs() > Int::from(r));
        let quotient = Int::from(c).abs();
        let dividend = &(&divisor * &quotient) + &Int::from(r);
        if !divisor.is_negative() {
            prop_assert_eq!(dividend.div_rem(&divisor), Some((quotient, Int::from(r))));
        }
        prop_assert_eq!(&(&dividend - &Int::from(r)) + &Int::from(r), dividend.clone());
        prop_assert_eq!(Int::parse(&dividend.to_string(), 10), Some(dividend));
    }

    #[test]
    fn wrapping_is_rusts_cast(a in any::<i128>()) {
        let x = Int::from(a);
        prop_assert_eq!(x.wrap(IntKind::I8), Int::from(a as i8));
        prop_assert_eq!(x.wrap(IntKind::U16), Int::from(a as u16));
        prop_assert_eq!(x.wrap(IntKind::I64), Int::from(a as i64));
        prop_assert_eq!(x.wrap(IntKind::Usize), Int::from(a as u64));
        prop_assert_eq!(x.wrap(IntKind::U128), Int::from(a as u128));
    }
}

#[test]
fn ranges_are_the_machines() {
    assert_eq!(IntKind::I128.min_value(), Int::from(i128::MIN));
    assert_eq!(IntKind::U128.max_value(), Int::from(u128::MAX));
    assert_eq!(IntKind::U8.max_value(), Int::from(255));
    assert!(IntKind::U64.contains(&Int::from(u64::MAX)) && !IntKind::I64.contains(&Int::from(u64::MAX)));
    assert!(!IntKind::U64.contains(&Int::from(-1)) && !IntKind::I8.contains(&Int::from(128)));
}

#[test]
fn powers_stay_within_reason() {
    assert_eq!(Int::from(3).pow(&Int::from(4)), Some(Int::from(81)));
    assert_eq!(Int::from(2).pow(&Int::from(200)), Some(Int::power_of_two(200)));
    assert_eq!(Int::from(-1).pow(&Int::from(u64::MAX)), Some(Int::from(-1)));
    assert_eq!(Int::from(0).pow(&Int::from(0)), Some(Int::ONE));
    assert_eq!(Int::from(2).pow(&Int::from(-1)), None);
    assert_eq!(Int::from(10).pow(&Int::from(u64::MAX)), None);
    assert_eq!(Int::from(u128::MAX).pow(&Int::from(1_000_000)), None);
}

#[test]
fn no_digit_is_no_number() {
    assert_eq!(Int::parse("", 10), None);
    assert_eq!(Int::parse("-", 10), None);
    assert_eq!(Int::parse("12a", 10), None);
    assert_eq!(Int::parse("-0", 10), Some(Int::ZERO));
    assert_eq!(
        Int::parse("ffffffffffffffffffff", 16).map(|n| n.to_string()).as_deref(),
        Some("1208925819614629174706175")
    );
}
