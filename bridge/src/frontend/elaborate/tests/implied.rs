//! Regular expressions that conditions on strings imply: no string that satisfies the condition is lost, and few others stay.

use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Regex, Term};
use target_strategies::logic::value::Value;

use super::fixture::{catalog, elaborated};
use crate::frontend::elaborate::implied::strengthened;

/// Conditions on `s`, characters, the greatest length, and how many of these strings satisfy the condition, and how many what it
/// implies.
#[rustfmt::skip]
const CONDITIONS: &[(&str, &str, usize, usize, usize)] = &[
    (r#"s.trim() == "x""#, "x y", 5, 15, 15),
    (r#"s.trim_start() == "x " || s.trim_end() == " x""#, "x ", 5, 7, 7),
    (r#"!s.trim().is_empty() && s.trim().len() <= 2"#, "x \u{2003}", 4, 66, 97),
    (r#"s.trim_start_matches('0') == "1""#, "01x", 5, 5, 5),
    (r#"s.trim_end_matches("ab") == "c""#, "abc", 5, 3, 3),
    (r#"s.trim_matches('-') == "a""#, "-ab", 4, 10, 10),
    (r#"s.trim_matches(['-', '+']) == "a""#, "-a+", 4, 49, 90),
    (r#"s.to_lowercase() == "ok""#, "oOkK\u{212a}\u{130}", 3, 6, 6),
    (r#"s.to_lowercase() == "i\u{307}s""#, "iIs\u{130}\u{307}S", 3, 6, 6),
    (r#"s.to_lowercase() == "ας""#, "αΑςσΣ", 2, 4, 4),
    (r#"s.to_uppercase() == "MASS""#, "maßsſSM", 4, 20, 20),
    (r#"s.to_uppercase() == "FFI""#, "fﬀiﬃﬁFI", 3, 13, 13),
    (r#"s.to_ascii_lowercase().matches("[a-c]{2}x?")"#, "aCX\u{212a}", 4, 8, 8),
    (r#"s.to_lowercase().starts_with("k")"#, "kK\u{212a}x", 3, 63, 63),
    (r#"s.eq_ignore_ascii_case("Ab")"#, "aAbB", 3, 4, 4),
    (r#"s.to_ascii_uppercase() != "A" && s.to_ascii_uppercase().len() == 1"#, "aAbé", 2, 1, 4),
    (r#"s.parse::<u8>() == Ok(7)"#, "+07-", 4, 7, 7),
    (r#"s.parse::<i8>() == Ok(-7)"#, "+07-", 4, 3, 3),
    (r#"s.parse::<u8>().is_ok_and(|n| 9 < n && n <= 12)"#, "+012a", 4, 15, 15),
    (r#"s.parse::<u8>().is_ok_and(|n| n < 2)"#, "+012-", 4, 14, 14),
    (r#"s.parse::<i8>().unwrap() < 0"#, "-1+0", 4, 11, 11),
    (r#"s.parse::<u8>().unwrap_or(0) == 0"#, "-1+0", 4, 312, 341),
    (r#"s.parse::<i16>().map_or(true, |n| n == 11)"#, "-1+0", 4, 288, 341),
    (r#"s.split_once("..").is_some_and(|p| p.0.parse::<u8>().is_ok() && p.1.parse::<u8>() == Ok(1))"#, "1.0", 5, 8, 10),
    (r#"s.split_once('=').is_some_and(|p| !p.0.trim().is_empty() && p.1 == "")"#, "=a ", 4, 11, 15),
    (r#"s.split_once("ab") == Some(("a", ""))"#, "abc", 4, 1, 1),
    (r#"s.split_once("aa").is_some_and(|p| p.0 == "b")"#, "ab", 5, 7, 7),
    (r#"s.rsplit_once('.').is_some_and(|p| p.1 == "rs" && p.0.len() == 1)"#, "rs.", 5, 3, 3),
    (r#"s.rsplit_once('.').unwrap().0 == "a""#, "a.b", 4, 7, 7),
    (r#"s.split('-').all(|p| p.parse::<u8>().is_ok())"#, "1-+", 5, 20, 20),
    (r#"s.split('-').any(|p| p == "a")"#, "a-", 4, 16, 16),
    (r#"s.split(", ").count() == 2"#, ", a", 4, 32, 32),
    (r#"s.split(',').collect::<Vec<_>>() == ["a", "b"]"#, "a,b", 4, 1, 1),
    (r#"s.split(',').nth(1).unwrap() == "b" && s.split(',').next().unwrap() == "a""#, "a,b", 5, 5, 5),
    (r#"s.split(',').last() == Some("b")"#, "a,b", 4, 14, 14),
    (r#"s.rsplit('/').next().unwrap().starts_with('.')"#, "/.a", 4, 40, 40),
    (r#"s.splitn(3, '-').count() == 3 && s.splitn(3, '-').nth(2).unwrap() == "a-""#, "a-", 5, 3, 3),
    (r#"s.splitn(2, '*').count() == 2"#, "a*", 4, 26, 26),
    (r#"s.rsplitn(2, '.').nth(1) == Some("a.b")"#, "ab.", 5, 3, 3),
    (r#"s.split_terminator(';').all(|p| p == "a")"#, "a;", 5, 6, 6),
    (r#"s.split_whitespace().count() == 2"#, "a \n", 4, 18, 18),
    (r#"s.split_whitespace().nth(1).unwrap().to_uppercase() == "OK""#, "oKk ", 5, 42, 42),
    (r#"s.split_whitespace().all(|w| w.len() == 2)"#, "a ", 5, 17, 51),
    (r#"s.lines().all(|l| l == "a")"#, "a\n\r", 5, 10, 10),
    (r#"s.lines().any(|l| l == "a")"#, "a\n\r", 4, 34, 34),
    (r#"s.lines().nth(1) == Some("a")"#, "a\n\r", 4, 14, 14),
    (r#"s[1..3] == "bc""#, "bcé", 4, 8, 8),
    (r#"s[2..].parse::<u8>().is_ok()"#, "1é+", 4, 17, 17),
    (r#"s[s.len() - 2..s.len()] == "rs""#, "rsé", 4, 13, 13),
    (r#"s.get(1..2) == Some("b")"#, "ab", 4, 14, 14),
    (r#"s.split_at(2).1 == "b""#, "abé", 4, 5, 5),
    (r#""b" < s && s <= "ba""#, "abc", 3, 1, 1),
    (r#"s < "b" || "bb" < s"#, "abc", 3, 34, 34),
    (r#"!(s < "b")"#, "abc\u{10ffff}", 2, 15, 15),
    (r#"match s.captures(r"(?<h>\d{1,2}):(?<m>\d\d)") { Some(c) => c["h"].parse::<u32>().is_ok_and(|h| 1 <= h && h <= 12) && c["m"].parse::<u32>().unwrap() < 6, None => false }"#, "01:6", 5, 12, 12),
    (r#"s.captures("(a)?(b+)").is_some_and(|c| c.get(1).is_none() && c[2].len() == 2)"#, "ab", 4, 1, 4),
    (r#"s.captures("((?:a|b)+)c").is_some_and(|c| c[1] == "ab")"#, "abc", 4, 1, 1),
    (r#"s.captures("(a|b)+").is_some_and(|c| c[1] == "b")"#, "abc", 3, 7, 14),
    (r#"if s.starts_with('a') { s.ends_with('b') } else { s.trim() == "c" }"#, "abc ", 4, 31, 31),
    (r#"s.starts_with("a") || s.matches("b+")"#, "ab", 4, 19, 19),
    (r#"s.contains("a,b") && s.split(',').count() == 3"#, "a,b", 5, 14, 34),
    (r#"s.trim().matches("^a$")"#, "a ", 4, 10, 10),
    (r#"s.trim().matches("(^a)|b$")"#, "ab ", 3, 12, 40),
    (r#"s.trim().matches(r"^a\$")"#, "a$ ", 4, 6, 6),
    (r#"s.split(',').all(|p| p.matches("^a+$"))"#, "a,", 4, 7, 7),
    (r#"s.split_once('=').unwrap().1.captures("^(a)(b?)$").is_some_and(|c| c[1] == "a")"#, "ab=", 4, 10, 10),
    (r#"s.trim().split_once(':').unwrap().1.trim() == "v""#, "v: ", 5, 42, 42),
];

#[test]
fn conditions_imply_expressions_that_all_their_strings_match() {
    let catalog = catalog();
    let mut found = String::new();
    for (text, alphabet, longest, _, _) in CONDITIONS {
        let (result, mut data) = elaborated(&catalog, &[("s", "String")], text);
        let (term, _) = result.unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        let strong = strengthened(term.clone(), &mut data);
        let tests: Vec<&Term> = match &strong {
            Term::And(parts) => parts.iter().filter(|part| is_test(part)).collect(),
            only => [only].into_iter().filter(|only| is_test(only)).collect(),
        };
        let mut judge = Judge::new(None).with_regexes(&data.regexes);
        let (mut n_members, mut n_admitted) = (0, 0);
        for string in strings(alphabet, *longest) {
            judge.set(0, Value::str(&string));
            let is_member = judge.value(&term) == Ok(Value::Bool(true));
            let is_admitted = tests.iter().all(|test| judge.value(test) == Ok(Value::Bool(true)));
            assert!(is_admitted || !is_member, "{text}: {string:?} is lost");
            n_members += usize::from(is_member);
            n_admitted += usize::from(is_admitted);
        }
        found += &format!("{n_members} {n_admitted} {text}\n");
    }
    let known =
        CONDITIONS.iter().map(|(text, _, _, members, admitted)| format!("{members} {admitted} {text}\n"));
    assert_eq!(found, known.collect::<String>(), "{found}");
}

fn is_test(term: &Term) -> bool {
    matches!(term, Term::Matches(_, Regex::START, of) if **of == Term::Var(0))
        || matches!(term, Term::StrTest(..))
}

/// All strings of some characters, up to a length.
fn strings(alphabet: &str, longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = all.len();
        for at in start..end {
            let longer = alphabet.chars().map(|c| format!("{}{c}", all[at])).collect::<Vec<_>>();
            all.extend(longer);
        }
        start = end;
    }
    all
}
