//! Generators for `dates`, written by hand. A build has one feature, and races on its bug.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use contest::proptest::prelude::*;
use contest::{Parts, race_built};
use dates::{Date, days_between, days_left, next_day};

/// Year, month, day.
type Day = (i16, u8, u8);

/// The years that the spec allows.
const YEARS: [i16; 6] = [1899, 1900, 1901, 1999, 2000, 2001];

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i16, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year.into())),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days since the last one of the year 0.
fn number((year, month, day): Day) -> i64 {
    let years = i64::from(year) - 1;
    let months: i64 = (1..month).map(|month| i64::from(days_in(year, month))).sum();
    365 * years + years / 4 - years / 100 + years / 400 + months + i64::from(day)
}

fn is_valid((year, month, day): Day) -> bool {
    YEARS.contains(&year) && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)
}

/// A day from any three numbers: an index of a year, a month from 0, a day from 0.
fn day(year: i64, month: i64, day: i64) -> Day {
    let (year, month) = (YEARS[year as usize], month as u8 + 1);
    (year, month, day as u8 % days_in(year, month) + 1)
}

/// As the days and months are by default: any numbers in their ranges.
fn quick_day() -> impl Strategy<Value = Day> {
    (prop_oneof![1899..=1901_i16, 1999..=2001_i16], 1..=12_u8, 1..=31_u8)
}

fn parsed((year, month, day): Day) -> Date {
    Date::from_ymd(year, month, day).expect("a day that exists")
}

fn one_day(bug: &'static str) {
    race_built(
        bug,
        (
            |d| is_valid(*d),
            |d: Day| {
                let Some(next) = next_day(parsed(d)) else { return false };
                let next = (next.year(), next.month(), next.day());
                number(next) == number(d) + 1 && next.2 <= days_in(next.0, next.1)
            },
        ),
        Parts { a: 0..=5, b: 0..=11, c: 0..=30, ..Parts::default() },
        |(_, _, a, b, c)| day(a, b, c),
        quick_day(),
    );
}

fn main() {
    #[cfg(feature = "leap-years-ignore-centuries")]
    one_day("leap-years-ignore-centuries");
    #[cfg(feature = "next-day-keeps-the-year")]
    one_day("next-day-keeps-the-year");
    #[cfg(feature = "days-between-counts-the-leap-day-early")]
    race_built(
        "days-between-counts-the-leap-day-early",
        (
            |(a, b)| is_valid(*a) && is_valid(*b),
            |(a, b): (Day, Day)| days_between(parsed(a), parsed(b)) == number(b) - number(a),
        ),
        // Two years and two months are one number each.
        Parts { a: 0..=35, b: 0..=143, c: 0..=30, ..Parts::default() },
        |(_, _, a, b, c)| (day(a % 6, b % 12, c), day(a / 6, b / 12, 30 - c)),
        (quick_day(), quick_day()),
    );
    #[cfg(feature = "days-left-forgets-leap-years")]
    race_built(
        "days-left-forgets-leap-years",
        (
            |(year, ordinal): &(i32, u16)| *ordinal <= 365 + u16::from(is_leap((*year).into())),
            |(year, ordinal)| {
                let day = time::Date::from_ordinal_date(year, ordinal).expect("a day that exists");
                days_left(day) + ordinal == 365 + u16::from(is_leap(year.into()))
            },
        ),
        Parts { a: 1995..=2005, b: 0..=365, ..Parts::default() },
        |(_, _, year, day, _)| (year as i32, (day % (365 + i64::from(is_leap(year)))) as u16 + 1),
        (1995..=2005_i32, 1..=366_u16),
    );
}
