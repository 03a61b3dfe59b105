//! Regular expressions that conditions on strings imply: no string that satisfies the condition is lost, and few others stay.

use expect_test::expect;
use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Regex, Term};
use target_strategies::logic::value::Value;

use super::fixture::{catalog, elaborated};
use crate::frontend::elaborate::implied::{absorbed, strengthened};

/// Conditions on `s`, characters, and the greatest length of the strings that are tried.
#[rustfmt::skip]
const CONDITIONS: &[(&str, &str, usize)] = &[
    (r#"s.trim() == "x""#, "x y", 5),
    (r#"s.trim_start() == "x " || s.trim_end() == " x""#, "x ", 5),
    (r#"!s.trim().is_empty() && s.trim().len() <= 2"#, "x \u{2003}", 4),
    (r#"s.trim_start_matches('0') == "1""#, "01x", 5),
    (r#"s.trim_end_matches("ab") == "c""#, "abc", 5),
    (r#"s.trim_matches('-') == "a""#, "-ab", 4),
    (r#"s.trim_matches(['-', '+']) == "a""#, "-a+", 4),
    (r#"s.to_lowercase() == "ok""#, "oOkK\u{212a}\u{130}", 3),
    (r#"s.to_lowercase() == "i\u{307}s""#, "iIs\u{130}\u{307}S", 3),
    (r#"s.to_lowercase() == "ας""#, "αΑςσΣ", 2),
    (r#"s.to_uppercase() == "MASS""#, "maßsſSM", 4),
    (r#"s.to_uppercase() == "FFI""#, "fﬀiﬃﬁFI", 3),
    (r#"s.to_ascii_lowercase().matches("[a-c]{2}x?")"#, "aCX\u{212a}", 4),
    (r#"s.to_lowercase().starts_with("k")"#, "kK\u{212a}x", 3),
    (r#"s.eq_ignore_ascii_case("Ab")"#, "aAbB", 3),
    (r#"s.to_ascii_uppercase() != "A" && s.to_ascii_uppercase().len() == 1"#, "aAbé", 2),
    (r#"s.parse::<u8>() == Ok(7)"#, "+07-", 4),
    (r#"s.parse::<i8>() == Ok(-7)"#, "+07-", 4),
    (r#"s.parse::<u8>().is_ok_and(|n| 9 < n && n <= 12)"#, "+012a", 4),
    (r#"s.parse::<u8>().is_ok_and(|n| n < 2)"#, "+012-", 4),
    (r#"s.parse::<i8>().unwrap() < 0"#, "-1+0", 4),
    (r#"s.parse::<u8>().unwrap_or(0) == 0"#, "-1+0", 4),
    (r#"s.parse::<i16>().map_or(true, |n| n == 11)"#, "-1+0", 4),
    (r#"s.split_once("..").is_some_and(|p| p.0.parse::<u8>().is_ok() && p.1.parse::<u8>() == Ok(1))"#, "1.0", 5),
    (r#"s.split_once('=').is_some_and(|p| !p.0.trim().is_empty() && p.1 == "")"#, "=a ", 4),
    (r#"s.split_once("ab") == Some(("a", ""))"#, "abc", 4),
    (r#"s.split_once("aa").is_some_and(|p| p.0 == "b")"#, "ab", 5),
    (r#"s.rsplit_once('.').is_some_and(|p| p.1 == "rs" && p.0.len() == 1)"#, "rs.", 5),
    (r#"s.rsplit_once('.').unwrap().0 == "a""#, "a.b", 4),
    (r#"s.split('-').all(|p| p.parse::<u8>().is_ok())"#, "1-+", 5),
    (r#"s.split('-').any(|p| p == "a")"#, "a-", 4),
    (r#"s.split(", ").count() == 2"#, ", a", 4),
    (r#"s.split(',').collect::<Vec<_>>() == ["a", "b"]"#, "a,b", 4),
    (r#"s.split(',').nth(1).unwrap() == "b" && s.split(',').next().unwrap() == "a""#, "a,b", 5),
    (r#"s.split(',').last() == Some("b")"#, "a,b", 4),
    (r#"s.rsplit('/').next().unwrap().starts_with('.')"#, "/.a", 4),
    (r#"s.splitn(3, '-').count() == 3 && s.splitn(3, '-').nth(2).unwrap() == "a-""#, "a-", 5),
    (r#"s.splitn(2, '*').count() == 2"#, "a*", 4),
    (r#"s.rsplitn(2, '.').nth(1) == Some("a.b")"#, "ab.", 5),
    (r#"s.split_terminator(';').all(|p| p == "a")"#, "a;", 5),
    (r#"s.split_whitespace().count() == 2"#, "a \n", 4),
    (r#"s.split_whitespace().nth(1).unwrap().to_uppercase() == "OK""#, "oKk ", 5),
    (r#"s.split_whitespace().all(|w| w.len() == 2)"#, "a ", 5),
    (r#"s.lines().all(|l| l == "a")"#, "a\n\r", 5),
    (r#"s.lines().any(|l| l == "a")"#, "a\n\r", 4),
    (r#"s.lines().nth(1) == Some("a")"#, "a\n\r", 4),
    (r#"s[1..3] == "bc""#, "bcé", 4),
    (r#"s[2..].parse::<u8>().is_ok()"#, "1é+", 4),
    (r#"s[s.len() - 2..s.len()] == "rs""#, "rsé", 4),
    (r#"s.get(1..2) == Some("b")"#, "ab", 4),
    (r#"s.split_at(2).1 == "b""#, "abé", 4),
    (r#""b" < s && s <= "ba""#, "abc", 3),
    (r#"s < "b" || "bb" < s"#, "abc", 3),
    (r#"!(s < "b")"#, "abc\u{10ffff}", 2),
    (r#"match s.captures(r"(?<h>\d{1,2}):(?<m>\d\d)") { Some(c) => c["h"].parse::<u32>().is_ok_and(|h| 1 <= h && h <= 12) && c["m"].parse::<u32>().unwrap() < 6, None => false }"#, "01:6", 5),
    (r#"s.captures("(a)?(b+)").is_some_and(|c| c.get(1).is_none() && c[2].len() == 2)"#, "ab", 4),
    (r#"s.captures("((?:a|b)+)c").is_some_and(|c| c[1] == "ab")"#, "abc", 4),
    (r#"s.captures("(a|b)+").is_some_and(|c| c[1] == "b")"#, "abc", 3),
    (r#"if s.starts_with('a') { s.ends_with('b') } else { s.trim() == "c" }"#, "abc ", 4),
    (r#"s.starts_with("a") || s.matches("b+")"#, "ab", 4),
    (r#"s.contains("a,b") && s.split(',').count() == 3"#, "a,b", 5),
    (r#"s.trim().matches("^a$")"#, "a ", 4),
    (r#"s.trim().matches("(^a)|b$")"#, "ab ", 3),
    (r#"s.trim().matches(r"^a\$")"#, "a$ ", 4),
    (r#"s.split(',').all(|p| p.matches("^a+$"))"#, "a,", 4),
    (r#"s.split_once('=').unwrap().1.captures("^(a)(b?)$").is_some_and(|c| c[1] == "a")"#, "ab=", 4),
    (r#"s.trim().split_once(':').unwrap().1.trim() == "v""#, "v: ", 5),
    (r#"s.split_whitespace().nth(1).is_some_and(|w| w == "b" || w == "a")"#, "ab \n", 5),
    (r#"s.split_whitespace().any(|w| w == "" || w == "a")"#, "ab ", 4),
    (r#"s.split_whitespace().nth(1).unwrap_or("") == """#, "ab ", 4),
    (r#"s.split(',').all(|p| !p.is_empty() && p.trim() == p)"#, ", a", 4),
    (r#"s.split(',').any(|p| p.starts_with('a') && p.ends_with('b'))"#, ",ab", 5),
    (r#"s.split(',').any(|p| p.split_once('=').unwrap().0 == "a")"#, ",a=", 5),
    (r#"s.split("aa").any(|p| p == "b")"#, "ab", 6),
    (r#"s.split("aa").all(|p| p == "b" || p == "")"#, "ab", 6),
    (r#"s.split("ab").nth(1) == Some("a")"#, "ab", 6),
    (r#"s.split("aba").nth(1).is_some_and(|p| p == "b")"#, "ab", 7),
    (r#"s.split(',').nth(1).unwrap().contains('a')"#, ",a", 5),
    (r#"s.rsplit_once('.').is_some_and(|p| !p.0.is_empty() && !p.1.is_empty())"#, "a.", 5),
    (r#"s.rsplit_once("ab").is_some_and(|p| p.0 == "ab" || p.1 == "a")"#, "ab", 6),
    (r#"s.split_once('=').map_or(false, |p| p.0.trim() == "k" && p.1.parse::<u8>().is_ok())"#, "k= 1", 5),
    (r#"s.split_terminator(';').any(|p| p == "")"#, "a;", 4),
    (r#"s.split_terminator(';').nth(0) == Some("")"#, "a;", 4),
    (r#"s.lines().nth(1).is_some_and(|l| l == "")"#, "a\n\r", 4),
    (r#"s.lines().all(|l| l.ends_with('\r') || l == "a")"#, "a\n\r", 5),
    (r#"s.trim().starts_with('a')"#, "a ", 4),
    (r#"s.trim().contains("a")"#, "a ", 4),
    (r#"s.trim_start_matches("ab").starts_with('a')"#, "ab", 5),
    (r#"s.trim_start_matches("ab") == "ba""#, "ab", 6),
    (r#"s[0..2].parse::<u8>().is_ok()"#, "1é+", 3),
    (r#"s[1..2] == "b" || s.len() == 1"#, "abé", 3),
    (r#"s.split('-').nth(1).unwrap() == "a" || s == "b""#, "ab-", 4),
    (r#"!(s.split('-').nth(1).unwrap() != "a")"#, "ab-", 4),
    (r#"s.trim().len() == 3"#, "aé ", 4),
    (r#"s.to_lowercase() == "σς""#, "σςΣ", 3),
    (r#"s.split(',').count() <= 2"#, "a,", 4),
    (r#"s.split(',').count() < 1"#, "a,", 3),
    (r#"s.splitn(0, '-').count() == 0"#, "a-", 3),
    (r#"s.splitn(3, '-').count() < 3"#, "a-", 4),
    (r#"s.splitn(2, '-').all(|p| p == "a")"#, "a-", 4),
    (r#"s.split("aa").last() == Some("b")"#, "ab", 6),
    (r#"s.rsplit("aa").last() == Some("b")"#, "ab", 6),
    (r#"s.rsplit("aa").next() == Some("b")"#, "ab", 6),
    (r#"s.split("aa").next() == Some("b")"#, "ab", 6),
    (r#"s.rsplitn(2, "aa").next() == Some("b")"#, "ab", 6),
    (r#"s.split_terminator(';').all(|p| p == "")"#, "a;", 4),
    (r#"s.split_whitespace().last() == Some("a")"#, "ab ", 4),
    (r#"s.lines().last() == Some("a")"#, "a\n\r", 5),
    (r#"s.chars().all(|c| c.to_digit(10).is_some())"#, "1a١", 3),
    (r#"s.split(',').all(|p| p.split('=').count() == 2)"#, ",=a", 5),
    (r#"s.split(',').any(|p| p.split('=').count() == 2)"#, ",=a", 5),
    (r#"s.split(',').nth(1) == Some("a") || s.split(';').nth(1) == Some("b")"#, "a,;b", 4),
    (r#"s.trim_matches('-').parse::<u8>() == Ok(1)"#, "-1+", 4),
    (r#"s.split(',').nth(0).unwrap() == "a" && s[2..].parse::<u8>().is_ok()"#, "a,1", 5),
    (r#"s.trim().matches("(^a)|b$") || s == "cc""#, "abc ", 3),
    (r#"s.strip_prefix("ab").is_some_and(|t| t == "ab" || t == "")"#, "ab", 5),
    (r#"s.strip_suffix("a").is_some_and(|t| t.trim() == "b")"#, "ab ", 5),
    (r#"!(s.trim() == "a" && s.len() == 1)"#, "a ", 3),
    (r#"s.split_once('=').is_some_and(|p| p.0.parse::<u8>() == Ok(1) && p.1 == p.0)"#, "1=+", 5),
];

/// For each condition, the numbers of strings that satisfy it and that satisfy what it implies, and whether the second stands for the
/// first.
#[test]
fn conditions_imply_expressions_that_all_their_strings_match() {
    let catalog = catalog();
    let (mut found, mut mistakes) = (String::new(), Vec::new());
    for (text, alphabet, longest) in CONDITIONS {
        let (result, mut data) = elaborated(&catalog, &[("s", "String")], text);
        let (term, _) = result.unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        let strong = strengthened(term.clone(), &mut data);
        let tests: Vec<&Term> = match &strong {
            Term::And(parts) => parts.iter().filter(|part| is_test(part)).collect(),
            only => [only].into_iter().filter(|only| is_test(only)).collect(),
        };
        let shorter = absorbed(&strong, &data.regexes).map(|(shorter, _)| shorter);
        let mut judge = Judge::new(None).with_regexes(&data.regexes);
        let (mut n_members, mut n_admitted) = (0, 0);
        for string in strings(alphabet, *longest) {
            judge.set(0, Value::str(&string));
            let mut holds = |term: &Term| judge.value(term) == Ok(Value::Bool(true));
            let is_member = holds(&term);
            let is_admitted = tests.iter().all(|test| holds(test));
            if is_member && !is_admitted {
                mistakes.push(format!("{text}: {string:?} is lost"));
            }
            if let Some(shorter) = &shorter
                && holds(shorter) != is_member
            {
                mistakes.push(format!("{text}: {string:?} by {shorter:?}"));
            }
            n_members += usize::from(is_member);
            n_admitted += usize::from(is_admitted);
        }
        let is_test_alone = |term: &Term| match term {
            Term::And(parts) => parts.iter().all(is_test),
            only => is_test(only),
        };
        let is_exact = if shorter.as_ref().is_some_and(is_test_alone) { "exact" } else { "-" };
        found += &format!("{n_members} {n_admitted} {is_exact} {text}\n");
    }
    expect![[r#""#]].assert_eq(&found);
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
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
