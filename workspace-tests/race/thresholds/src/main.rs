//! Generators for `thresholds`, written by hand. A build has one feature, and races on its bug.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use std::collections::BTreeSet;

use contest::bolero::{constant, produce};
use contest::proptest::collection::vec;
use contest::proptest::prelude::*;
use contest::{Subject, TestCase, ValueGenerator, gs, list, number, numbers, race};
use thresholds::*;

fn always<T>(_: &T) -> bool {
    true
}

fn small(xs: Vec<i64>) -> Vec<i32> {
    xs.into_iter().map(|x| x as i32).collect()
}

/// Lists of numbers: about as many numbers as elements, so that some repeat.
fn lists(bug: &'static str, holds: fn(Vec<i32>) -> bool) {
    race(Subject {
        bug,
        valid: always,
        holds,
        expert: vec(-50..=50, 0..40),
        quick: any::<Vec<i32>>(),
        bolero: list(-50..=50, 0..=40),
        hegel: |case: &TestCase| small(numbers(case, -50..=50, 40)),
    });
}

/// Lists of bytes.
fn bytes(bug: &'static str, holds: fn(Vec<u8>) -> bool) {
    race(Subject {
        bug,
        valid: always,
        holds,
        expert: vec(any::<u8>(), 0..40),
        quick: any::<Vec<u8>>(),
        bolero: list(produce::<u8>(), 0..=40),
        hegel: |case: &TestCase| case.draw_silent(gs::vecs(gs::integers::<u8>()).max_size(40)),
    });
}

/// Runs of equal bytes.
fn runs(bug: &'static str, holds: fn(Vec<u8>) -> bool) {
    let join =
        |runs: Vec<(u8, usize)>| runs.into_iter().flat_map(|(byte, n)| vec![byte; n]).collect::<Vec<u8>>();
    race(Subject {
        bug,
        valid: always,
        holds,
        expert: vec((any::<u8>(), 1_usize..20), 0..8).prop_map(join),
        quick: any::<Vec<u8>>(),
        bolero: list((produce::<u8>(), 1_usize..=20), 0..=8).map_gen(join),
        hegel: move |case: &TestCase| {
            let n = number(case, 0..=8);
            join((0..n).map(|_| (number(case, 0..=255) as u8, number(case, 1..=20) as usize)).collect())
        },
    });
}

const WIDE: [char; 8] = ['a', 'b', 'é', 'ß', '€', '漢', '😀', '𝄞'];

/// Strings with characters of all widths, and a number.
fn strings(bug: &'static str, holds: fn((String, usize)) -> bool) {
    let spell =
        |(letters, n): (Vec<usize>, usize)| (letters.into_iter().map(|i| WIDE[i]).collect::<String>(), n);
    race(Subject {
        bug,
        valid: always,
        holds,
        expert: (vec(0..8_usize, 0..20), 0..40_usize).prop_map(spell),
        quick: any::<(String, usize)>(),
        bolero: (list(0..=7_usize, 0..=20), 0..=40_usize).map_gen(spell),
        hegel: |case: &TestCase| (case.draw_silent(gs::text().max_size(20)), number(case, 0..=40) as usize),
    });
}

/// Numbers of 64 bits, as likely of any width.
fn wide(bug: &'static str, holds: fn(u64) -> bool) {
    race(Subject {
        bug,
        valid: always,
        holds,
        expert: (any::<u64>(), 0..64).prop_map(|(n, shift)| n >> shift),
        quick: any::<u64>(),
        bolero: (produce::<u64>(), 0..=63).map_gen(|(n, shift)| n >> shift),
        hegel: |case: &TestCase| case.draw_silent(gs::integers::<u64>()),
    });
}

fn is_leap(year: u16) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of years that may be in use.
fn days(bug: &'static str, holds: fn((u16, u8, u8)) -> bool) {
    race(Subject {
        bug,
        valid: |&(year, month, day): &(u16, u8, u8)| {
            year >= 1583 && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)
        },
        holds,
        expert: (1583_u16..2500, 1_u8..=12)
            .prop_flat_map(|(year, month)| (Just(year), Just(month), 1..=days_in(year, month))),
        quick: (1583_u16.., 1_u8..=12, 1_u8..=31),
        bolero: (1583..=2500_u16, 1..=12_u8)
            .and_then_gen(|(year, month)| (constant(year), constant(month), 1..=days_in(year, month))),
        hegel: |case: &TestCase| {
            let (year, month) = (number(case, 1583..=2500) as u16, number(case, 1..=12) as u8);
            (year, month, number(case, 1..=days_in(year, month).into()) as u8)
        },
    });
}

fn distinct<T: Ord + Clone>(xs: &[T]) -> Vec<T> {
    xs.iter().cloned().collect::<BTreeSet<T>>().into_iter().collect()
}

fn main() {
    #[cfg(feature = "inline-spill-loses-one")]
    lists("inline-spill-loses-one", |xs| small::collect(&xs) == xs);
    #[cfg(feature = "node-split-loses-the-median")]
    lists("node-split-loses-the-median", |xs| node::sorted_keys(&xs) == distinct(&xs));
    #[cfg(feature = "merge-sort-drops-the-tail")]
    lists("merge-sort-drops-the-tail", |xs| {
        let mut sorted = xs.clone();
        sorted.sort();
        sort::sort(xs) == sorted
    });

    #[cfg(feature = "table-growth-keeps-the-slots")]
    race(Subject {
        bug: "table-growth-keeps-the-slots",
        valid: always,
        holds: |(keys, key): (Vec<u32>, u32)| table::contains(&keys, key) == keys.contains(&key),
        expert: (vec(0..50_u32, 0..40), 0..50_u32),
        quick: any::<(Vec<u32>, u32)>(),
        bolero: (list(0..=49_u32, 0..=40), 0..=49_u32),
        hegel: |case: &TestCase| {
            (numbers(case, 0..=49, 40).into_iter().map(|x| x as u32).collect(), number(case, 0..=49) as u32)
        },
    });

    #[cfg(feature = "gallop-stops-short")]
    {
        let sorted = |(mut xs, x): (Vec<i32>, i32)| {
            xs.sort();
            (xs, x)
        };
        race(Subject {
            bug: "gallop-stops-short",
            valid: |(xs, _): &(Vec<i32>, i32)| xs.is_sorted(),
            holds: |(xs, x): (Vec<i32>, i32)| match sort::find(&xs, x) {
                Some(i) => xs[i] == x,
                None => !xs.contains(&x),
            },
            expert: (vec(-50..50, 0..40), -50..50).prop_map(sorted),
            quick: any::<(Vec<i32>, i32)>().prop_map(sorted),
            bolero: (list(-50..=50, 0..=40), -50..=50).map_gen(sorted),
            hegel: move |case: &TestCase| {
                sorted((small(numbers(case, -50..=50, 40)), number(case, -50..=50) as i32))
            },
        });
    }

    #[cfg(feature = "ring-is-read-from-its-start")]
    bytes("ring-is-read-from-its-start", |xs| ring::last(&xs) == xs[xs.len().saturating_sub(16)..]);
    #[cfg(feature = "ones-of-seven-bits")]
    bytes("ones-of-seven-bits", |xs| bits::ones(&xs) == xs.iter().map(|x| x.count_ones()).sum::<u32>());
    #[cfg(feature = "bitset-skips-the-first-bit-of-a-word")]
    bytes("bitset-skips-the-first-bit-of-a-word", |xs| bits::sorted(&xs) == distinct(&xs));
    #[cfg(feature = "run-of-ten-wraps")]
    runs("run-of-ten-wraps", |xs| codec::expand(&codec::runs(&xs)) == xs);

    #[cfg(feature = "count-takes-bytes-for-characters")]
    strings("count-takes-bytes-for-characters", |(s, _)| text::count(&s) == s.chars().count());
    #[cfg(feature = "cut-splits-wide-characters")]
    strings("cut-splits-wide-characters", |(s, max)| {
        let cut = text::cut(&s, max);
        cut.len() <= max && s.starts_with(cut) && (s.len() > max || cut == s)
    });
    #[cfg(feature = "reverse-swaps-two-bytes-of-three")]
    strings("reverse-swaps-two-bytes-of-three", |(s, _)| text::reverse(&s).chars().eq(s.chars().rev()));

    #[cfg(feature = "nesting-is-counted-to-fifteen")]
    {
        let spell = |(open, close): (usize, usize)| "(".repeat(open) + &")".repeat(close);
        race(Subject {
            bug: "nesting-is-counted-to-fifteen",
            valid: always,
            holds: |s: String| text::nesting(&s) == s.matches('(').count(),
            expert: (0..40_usize, 0..40_usize).prop_map(spell),
            quick: "[(]*[)]*",
            bolero: (0..=40_usize, 0..=40_usize).map_gen(spell),
            hegel: |case: &TestCase| case.draw_silent(gs::from_regex("[(]*[)]*").fullmatch(true)),
        });
    }

    #[cfg(feature = "varint-ends-at-128")]
    wide("varint-ends-at-128", |n| codec::read_varint(&codec::varint(n)) == Some(n));
    #[cfg(feature = "varint-loses-the-third-byte")]
    wide("varint-loses-the-third-byte", |n| codec::read_varint(&codec::varint(n)) == Some(n));

    #[cfg(feature = "leap-day-in-every-century")]
    days("leap-day-in-every-century", |(year, month, day)| {
        let before: u16 = (1..month).map(|month| u16::from(days_in(year, month))).sum();
        calendar::day_of_year(year, month, day) == before + u16::from(day)
    });
    #[cfg(feature = "no-leap-day-every-four-centuries")]
    days("no-leap-day-every-four-centuries", |(year, month, _)| {
        calendar::days_in_month(year, month) == days_in(year, month)
    });

    #[cfg(feature = "numeral-wraps-at-twenty-digits")]
    race(Subject {
        bug: "numeral-wraps-at-twenty-digits",
        valid: always,
        holds: |s: String| numeral::parse(&s) == s.parse().ok(),
        expert: "[0-9]{1,25}",
        quick: "[0-9]+",
        bolero: list(0..=9_u8, 1..=25)
            .map_gen(|digits| digits.into_iter().map(|digit| char::from(b'0' + digit)).collect::<String>()),
        hegel: |case: &TestCase| case.draw_silent(gs::from_regex("[0-9]{1,25}").fullmatch(true)),
    });

    #[cfg(feature = "digits-of-a-power-of-ten")]
    {
        let near = |(power, sign): (u32, u32)| 10_u32.pow(power) + sign - 1;
        race(Subject {
            bug: "digits-of-a-power-of-ten",
            valid: always,
            holds: |n: u32| numeral::digits(n) == n.to_string().len() as u32,
            expert: prop_oneof![any::<u32>(), (0..10_u32, 0..3_u32).prop_map(near)],
            quick: any::<u32>(),
            bolero: (0..=9_u32, 0..=2_u32).map_gen(near),
            hegel: |case: &TestCase| case.draw_silent(gs::integers::<u32>()),
        });
    }

    #[cfg(feature = "decimal-negates-the-least")]
    race(Subject {
        bug: "decimal-negates-the-least",
        valid: |(_, radix): &(i64, u32)| (2..=36).contains(radix),
        holds: |(n, radix): (i64, u32)| i64::from_str_radix(&numeral::format(n, radix), radix) == Ok(n),
        expert: (
            prop_oneof![Just(i64::MIN), Just(-1), Just(0), Just(i64::MAX), any::<i64>()],
            prop_oneof![Just(2_u32), Just(10), Just(16), Just(36), 2..=36_u32],
        ),
        quick: (any::<i64>(), 2..=36_u32),
        bolero: (produce::<i64>(), 2..=36_u32),
        hegel: |case: &TestCase| (case.draw_silent(gs::integers::<i64>()), number(case, 2..=36) as u32),
    });

    #[cfg(feature = "sum-wraps")]
    race(Subject {
        bug: "sum-wraps",
        valid: always,
        holds: |xs: Vec<u32>| {
            let sum: u64 = xs.iter().map(|x| u64::from(*x)).sum();
            u64::from(arithmetic::sum(&xs)) == sum.min(u32::MAX.into())
        },
        expert: vec(prop_oneof![0..100_u32, any::<u32>(), Just(u32::MAX)], 0..20),
        quick: any::<Vec<u32>>(),
        bolero: list(produce::<u32>(), 0..=20),
        hegel: |case: &TestCase| case.draw_silent(gs::vecs(gs::integers::<u32>()).max_size(20)),
    });

    #[cfg(feature = "average-overflows")]
    race(Subject {
        bug: "average-overflows",
        valid: always,
        holds: |(a, b): (i64, i64)| {
            i128::from(arithmetic::average(a, b)) == (i128::from(a) + i128::from(b)).div_euclid(2)
        },
        expert: (
            prop_oneof![Just(i64::MIN), -9..9_i64, Just(i64::MAX), any::<i64>()],
            prop_oneof![Just(i64::MIN), -9..9_i64, Just(i64::MAX), any::<i64>()],
        ),
        quick: any::<(i64, i64)>(),
        bolero: (produce::<i64>(), produce::<i64>()),
        hegel: |case: &TestCase| {
            (case.draw_silent(gs::integers::<i64>()), case.draw_silent(gs::integers::<i64>()))
        },
    });

    #[cfg(feature = "percent-overflows")]
    race(Subject {
        bug: "percent-overflows",
        valid: |(part, total): &(u32, u32)| 0 < *total && part <= total,
        holds: |(part, total): (u32, u32)| {
            u64::from(arithmetic::percent(part, total)) == 100 * u64::from(part) / u64::from(total)
        },
        expert: (1..=u32::MAX).prop_flat_map(|total| (0..=total, Just(total))),
        quick: any::<(u32, u32)>(),
        bolero: (1..=u32::MAX).and_then_gen(|total| (0..=total, constant(total))),
        hegel: |case: &TestCase| {
            let total = number(case, 1..=u32::MAX.into());
            (number(case, 0..=total) as u32, total as u32)
        },
    });
}
