//! Regular expressions that conditions on strings imply: no string that satisfies the condition is lost, and few others stay.

use expect_test::expect;
use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{Regex, Term, visit};
use target_strategies::logic::value::Value;

use super::fixture::{catalog, elaborated};
use crate::frontend::elaborate::implied::{absorbed, strengthened};

/// Conditions on `s`, characters, and the greatest length of the strings that are tried.
#[rustfmt::skip]
const CONDITIONS: &[(&str, &str, usize)] = &[
    (r#"s.trim() == "x""#, "x y", 5),
    (r#"s.bytes().filter(|b| *b != b' ').count() == 3"#, "aé ", 4),
    (r#"s.bytes().filter(|b| *b > 127).count() == 2"#, "aé", 3),
    (r#"s.bytes().filter(|b| *b == b'a').count() == 2"#, "aé ", 4),
    (r#"s.split_whitespace().all(|w| w.matches("([0-9]{2})?[a-z]+"))"#, "a1 ", 5),
    (r##"s.lines().all(|l| l.matches("(#+)?[a-z]"))"##, "a#\n", 4),
    (r#"s.split(',').all(|p| p.matches(r"([a-z]+)?=\S*"))"#, "a=,", 4),
    (r#"s.trim().matches("(?:[0-9]+)?x ?")"#, "1x ", 4),
    (r#"s.to_lowercase().matches("([0-9]+)?x")"#, "1xX", 3),
    (r#"s.split(',').nth(1).unwrap_or("").replace('-', "").matches("-?[0-9]*")"#, "7,-a", 4),
    (r#"s.split_once('=').map_or("", |p| p.1).trim().matches("(?x)a* # c")"#, "a= ", 4),
    (r#"s.lines().any(|l| l.matches("[0-9]*(\n[0-9]*)?"))"#, "1x\n", 4),
    (r#"s.split_terminator(';').any(|p| p.matches("[0-9]*(;[0-9]*)?"))"#, "1x;", 4),
    (r#"s.bytes().any(|b| 1000 / (b as i32 - 195) < 0 && b < 128)"#, "aéb", 3),
    (r#"s.chars().any(|c| 200 / (c as i32 - 200) < 0 && c.is_ascii())"#, "aÈb", 3),
    (r#"s.split(|c: char| 200 / (c as i32 - 200) < 0 && c.is_ascii()).count() == 2"#, "aÈb", 3),
    (r#"(s.trim().parse::<u8>().unwrap(), 1).1 == 1"#, "1x ", 3),
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
    (r#"s[1..3].parse::<u8>() == Ok(7)"#, "07+é", 4),
    (r#"s[1..4].matches("a*(b|é)+(cd?|)")"#, "abcdé", 4),
    (r#"s[1..3].len() == 2"#, "aé", 4),
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
    (r#"s.split(',').count() == 3"#, "a,", 5),
    (r#"s.split(',').all(|p| p.matches("(?-u:[+-/]){2}"))"#, "+,", 4),
    (r#"2 < s.split(',').count()"#, "a,", 5),
    (r#"s.chars().filter(|c| c == ':').count() == 2 && s.split(':').nth(1).unwrap() == "a""#, "a:", 5),
    (r#"s.trim().split('-').count() == 2"#, "a- ", 4),
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
    (r#"s.trim().chars().all(|c| c.to_digit(10).is_some())"#, "1aé ", 4),
    (r#"s.split('-').all(|p| p.chars().all(|c| c.to_digit(16).is_some_and(|d| d % 2 == 0)))"#, "2aé-", 4),
    (r#"s.split('-').all(|p| !p.is_empty() && p.chars().all(|c| c.to_digit(10).unwrap() < 5))"#, "15-", 5),
    (r#"s.chars().any(|c| c.to_digit(10).is_some_and(|d| d > 7))"#, "8a7", 4),
    (r#"s.chars().any(|c| c.to_digit(10).unwrap() > 7)"#, "8a7", 4),
    (r#"s.trim().chars().any(|c| c.is_uppercase())"#, "aBÉ ", 4),
    (r#"!s.trim().chars().any(|c| c == 'a' || c == 'b')"#, "abc ", 4),
    (r#"!s.chars().all(|c| ('a'..='b').contains(&c))"#, "abc", 4),
    (r#"!s.split(',').any(|p| p.is_empty())"#, "a,", 4),
    (r#"!s.split(',').all(|p| p != "a")"#, "a,", 4),
    (r#"s.trim().chars().all(|c| matches!(c, 'a'..='c' | '_'))"#, "ac_ ", 4),
    (r#"s.trim().chars().all(|c| c.to_ascii_lowercase() == 'a')"#, "aAb ", 4),
    (r#"s.trim().chars().all(|c| ['a', 'b'].contains(&c))"#, "abc ", 4),
    (r#"["yes", "no"].contains(&s.trim())"#, "yesno ", 3),
    (r#"s.trim().chars().all(|c| c.to_digit(36).map_or(false, |d| d > 33))"#, "yYZa ", 4),
    (r#"s.trim().chars().all(|c| 'a' < c && c as u32 - 97 < 2 || c == 'é')"#, "abcé ", 4),
    (r#"s.trim().chars().all(char::is_alphanumeric)"#, "a1é- ", 4),
    (r#"s.trim().bytes().all(|b| b.is_ascii_digit())"#, "12é ", 4),
    (r#"s.bytes().any(|b| b == b'-' || b > 127)"#, "1-é", 4),
    (r#"s.trim().bytes().all(|b| b > 200 || b == b'a')"#, "aéb ", 4),
    (r#"s.trim().chars().nth(1) == Some('x')"#, "xy ", 5),
    (r#"s.chars().nth(2) == Some('x') && s.chars().nth(3).unwrap().to_digit(10) == Some(7)"#, "x7é", 4),
    (r#"s.trim().chars().next().is_some_and(|c| c.is_ascii_uppercase())"#, "Aa ", 4),
    (r#"s.trim().chars().last().unwrap().to_digit(10).unwrap() < 5"#, "17 ", 4),
    (r#"s.split(',').all(|p| p.starts_with(|c: char| c.is_ascii_digit()))"#, "1a,", 4),
    (r#"s.trim().chars().rev().next() == Some('b')"#, "ab ", 4),
    (r#"s.trim().chars().count() == 2"#, "aé ", 5),
    (r#"s.trim().chars().filter(|c| c.is_ascii_digit()).count() == 2"#, "1a ", 5),
    (r#"s.strip_prefix("v").is_some_and(|v| v.split('.').count() == 2 && v.split('.').all(|n| n.parse::<u8>().is_ok()))"#, "v1.", 5),
    (r#"s.strip_suffix("é").is_some_and(|v| v.len() == 2 && v.chars().all(|c| c.is_ascii_lowercase()))"#, "aé1", 5),
    (r#"s.chars().filter(|c| !c.is_whitespace()).collect::<String>() == "ab""#, "ab ", 5),
    (r#"s.chars().filter(|c| c.is_ascii_digit()).collect::<String>().len() == 2"#, "1a", 5),
    (r#"s.trim().starts_with("< ")"#, "<a ", 5),
    (r#"s.trim().starts_with('<') && s.trim().ends_with('>')"#, "<> ", 5),
    (r#"s.trim().matches("( ?a ?){1,3}")"#, "a b", 5),
    (r#"s.trim().matches("(a |b| )*c?")"#, "abc ", 5),
    (r#"s.trim_start().matches("( |a){2}b*")"#, "ab ", 5),
    (r#"s.trim_matches('-').starts_with('a')"#, "-a", 5),
    (r#"s.trim_matches(|c: char| c.is_ascii_digit()) == "a""#, "a12", 5),
    (r#"s.trim_end_matches(['-', '+']).ends_with("a")"#, "a-+", 5),
    (r#"s.split([',', ';']).count() == 3"#, "a,;", 5),
    (r#"s.split(|c: char| !c.is_alphanumeric()).all(|p| p == "a")"#, "aé,;", 4),
    (r#"s.split_once(char::is_whitespace).is_some_and(|p| p.0 == "a" && p.1.trim() == "b")"#, "ab ", 5),
    (r#"s.rsplit_once([':', '/']).is_some_and(|p| p.1.parse::<u8>().is_ok())"#, "1:/", 5),
    (r#"s.replace("-", "") == "aa""#, "a-b", 5),
    (r#"s.replace('-', "_") == "a_b""#, "a-_b", 5),
    (r#"s.replace("ab", "x") == "xc""#, "abxc", 5),
    (r#"s.replace("a", "bb").len() == 4"#, "abc", 4),
    (r#"s.replace("a", "bb") == "bbcb""#, "abc", 5),
    (r#"s.replace("a", "bb") == "bbb""#, "abc", 4),
    (r#"s.replace(' ', "").parse::<u8>().is_ok()"#, "1 +", 4),
    (r#"s.replace([' ', '-'], "") == "aa""#, "a -", 5),
    (r#"s.replace(char::is_whitespace, "").starts_with("ab")"#, "ab ", 5),
    (r#"s.split(',').collect::<Vec<_>>().join("-") == "a-b""#, "a,-b", 5),
    (r#"s.split('.').rev().collect::<Vec<_>>().join(".") == "b.a""#, "ab.", 5),
    (r#"s.split_whitespace().collect::<Vec<_>>().join(" ") == "a b""#, "ab ", 5),
    (r#"s.split_whitespace().collect::<Vec<_>>().join("-") == "a--b""#, "ab- ", 5),
    (r#"s.split_whitespace().collect::<String>() == "aa""#, "ab ", 5),
    (r#"s.split(':').map(|p| p.parse::<u8>().unwrap()).all(|n| n < 2) && s.split(':').count() == 2"#, "12:", 5),
    (r#"s.rsplit('/').next() == Some("ab")"#, "ab/", 5),
    (r#"s.lines().count() == 2 && s.lines().all(|l| l.starts_with('a'))"#, "a\n\r", 5),
    (r#"s.lines().count() < 2"#, "a\n\r", 4),
    (r#"s.trim().len() > 2 && s.trim().len() < 6"#, "aé ", 6),
    (r#"s.split(',').all(|p| p.len() >= 3 || p.len() == 1)"#, "aé,", 5),
    (r#"s.trim().len() >= 6"#, "aé ", 7),
    (r#"s.split_once(':').is_some_and(|p| p.0.len() > 2 && p.1.bytes().all(|b| b == b'1'))"#, "é1:", 5),
    (r#"s == format!("{}-{}", s.len(), "a")"#, "-3a", 4),
    (r#"s == format!("{:03}", s.len())"#, "03-", 4),
    (r#"s.split(|c: char| !c.is_alphabetic()).count() == 2"#, "aé,;", 4),
    (r#"s.replace(|c: char| !c.is_alphanumeric(), "") == "aa""#, "aé,", 4),
    (r#"s.trim_matches(|c: char| !c.is_alphabetic()) == "a""#, "aé,", 4),
    (r#"s.split([',', 'é']).nth(1).unwrap().parse::<u8>().is_ok()"#, "1é,", 4),
    (r#"s.trim().lines().count() >= 2"#, "a\n\r", 5),
    (r#"s.to_ascii_lowercase().split(',').all(|p| p == "a" || p == "é")"#, "aAé,", 4),
    (r#"s.split('=').all(|p| p.captures("(?<k>[ab])").is_some())"#, "ab=", 4),
    (r#"s.trim().captures("(?<k>a+)b").is_some_and(|c| c["k"] == "a") || s.captures("(?P<k>b)c").is_some()"#, "abc ", 4),
];

/// For each condition, the numbers of strings that satisfy it and that satisfy what it implies, and whether the second stands for the
/// first.
#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot")]
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
        let (shorter, literals) = absorbed(&strong, &data.regexes).unzip();
        // What these conditions name is still worth trying; regular expressions have their own characters.
        let known = shorter.iter().flat_map(literals_in).chain(literals.into_iter().flatten());
        let known: Vec<Value> = known.collect();
        if shorter.is_some() && !text.contains(".matches(") {
            let forgotten = literals_in(&term).into_iter().find(|literal| !known.contains(literal));
            mistakes.extend(forgotten.map(|literal| format!("{text}: {literal:?} is forgotten")));
        }
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
    expect![[r#"
        15 15 exact s.trim() == "x"
        25 121 - s.bytes().filter(|b| *b != b' ').count() == 3
        6 15 - s.bytes().filter(|b| *b > 127).count() == 2
        31 31 exact s.bytes().filter(|b| *b == b'a').count() == 2
        75 75 exact s.split_whitespace().all(|w| w.matches("([0-9]{2})?[a-z]+"))
        12 12 exact s.lines().all(|l| l.matches("(#+)?[a-z]"))
        33 33 exact s.split(',').all(|p| p.matches(r"([a-z]+)?=\S*"))
        20 20 exact s.trim().matches("(?:[0-9]+)?x ?")
        6 6 - s.to_lowercase().matches("([0-9]+)?x")
        276 276 - s.split(',').nth(1).unwrap_or("").replace('-', "").matches("-?[0-9]*")
        79 121 - s.split_once('=').map_or("", |p| p.1).trim().matches("(?x)a* # c")
        75 88 - s.lines().any(|l| l.matches("[0-9]*(\n[0-9]*)?"))
        75 88 - s.split_terminator(';').any(|p| p.matches("[0-9]*(;[0-9]*)?"))
        26 36 - s.bytes().any(|b| 1000 / (b as i32 - 195) < 0 && b < 128)
        26 36 - s.chars().any(|c| 200 / (c as i32 - 200) < 0 && c.is_ascii())
        2 12 - s.split(|c: char| 200 / (c as i32 - 200) < 0 && c.is_ascii()).count() == 2
        10 10 exact (s.trim().parse::<u8>().unwrap(), 1).1 == 1
        7 7 exact s.trim_start() == "x " || s.trim_end() == " x"
        66 66 exact !s.trim().is_empty() && s.trim().len() <= 2
        5 5 exact s.trim_start_matches('0') == "1"
        3 3 exact s.trim_end_matches("ab") == "c"
        10 10 exact s.trim_matches('-') == "a"
        49 49 exact s.trim_matches(['-', '+']) == "a"
        6 6 exact s.to_lowercase() == "ok"
        6 6 exact s.to_lowercase() == "i\u{307}s"
        4 4 - s.to_lowercase() == "ας"
        20 20 exact s.to_uppercase() == "MASS"
        13 13 exact s.to_uppercase() == "FFI"
        8 8 exact s.to_ascii_lowercase().matches("[a-c]{2}x?")
        63 63 - s.to_lowercase().starts_with("k")
        4 4 exact s.eq_ignore_ascii_case("Ab")
        1 3 - s.to_ascii_uppercase() != "A" && s.to_ascii_uppercase().len() == 1
        7 7 exact s.parse::<u8>() == Ok(7)
        3 3 exact s.parse::<i8>() == Ok(-7)
        15 15 - s.parse::<u8>().is_ok_and(|n| 9 < n && n <= 12)
        14 14 - s.parse::<u8>().is_ok_and(|n| n < 2)
        11 11 exact s.parse::<i8>().unwrap() < 0
        312 341 - s.parse::<u8>().unwrap_or(0) == 0
        288 341 - s.parse::<i16>().map_or(true, |n| n == 11)
        8 10 - s.split_once("..").is_some_and(|p| p.0.parse::<u8>().is_ok() && p.1.parse::<u8>() == Ok(1))
        11 11 exact s.split_once('=').is_some_and(|p| !p.0.trim().is_empty() && p.1 == "")
        1 1 exact s.split_once("ab") == Some(("a", ""))
        7 7 exact s.split_once("aa").is_some_and(|p| p.0 == "b")
        3 3 exact s.rsplit_once('.').is_some_and(|p| p.1 == "rs" && p.0.len() == 1)
        7 7 exact s.rsplit_once('.').unwrap().0 == "a"
        20 20 exact s.split('-').all(|p| p.parse::<u8>().is_ok())
        16 16 exact s.split('-').any(|p| p == "a")
        32 32 exact s.split(", ").count() == 2
        1 1 exact s.split(',').collect::<Vec<_>>() == ["a", "b"]
        5 5 exact s.split(',').nth(1).unwrap() == "b" && s.split(',').next().unwrap() == "a"
        14 14 exact s.split(',').last() == Some("b")
        40 40 exact s.rsplit('/').next().unwrap().starts_with('.')
        3 3 exact s.splitn(3, '-').count() == 3 && s.splitn(3, '-').nth(2).unwrap() == "a-"
        26 26 exact s.splitn(2, '*').count() == 2
        3 3 exact s.rsplitn(2, '.').nth(1) == Some("a.b")
        6 6 exact s.split_terminator(';').all(|p| p == "a")
        18 18 exact s.split_whitespace().count() == 2
        42 42 exact s.split_whitespace().nth(1).unwrap().to_uppercase() == "OK"
        17 17 exact s.split_whitespace().all(|w| w.len() == 2)
        10 10 exact s.lines().all(|l| l == "a")
        34 34 exact s.lines().any(|l| l == "a")
        14 14 - s.lines().nth(1) == Some("a")
        8 8 exact s[1..3] == "bc"
        17 17 exact s[2..].parse::<u8>().is_ok()
        30 30 exact s[1..3].parse::<u8>() == Ok(7)
        120 120 exact s[1..4].matches("a*(b|é)+(cd?|)")
        10 10 exact s[1..3].len() == 2
        13 13 - s[s.len() - 2..s.len()] == "rs"
        14 14 - s.get(1..2) == Some("b")
        5 5 exact s.split_at(2).1 == "b"
        1 1 exact "b" < s && s <= "ba"
        34 34 exact s < "b" || "bb" < s
        15 15 exact !(s < "b")
        12 12 - match s.captures(r"(?<h>\d{1,2}):(?<m>\d\d)") { Some(c) => c["h"].parse::<u32>().is_ok_and(|h| 1 <= h && h <= 12) && c["m"].parse::<u32>().unwrap() < 6, None => false }
        1 3 - s.captures("(a)?(b+)").is_some_and(|c| c.get(1).is_none() && c[2].len() == 2)
        1 1 - s.captures("((?:a|b)+)c").is_some_and(|c| c[1] == "ab")
        7 14 - s.captures("(a|b)+").is_some_and(|c| c[1] == "b")
        31 31 - if s.starts_with('a') { s.ends_with('b') } else { s.trim() == "c" }
        19 19 exact s.starts_with("a") || s.matches("b+")
        14 14 exact s.contains("a,b") && s.split(',').count() == 3
        10 10 exact s.trim().matches("^a$")
        12 40 - s.trim().matches("(^a)|b$")
        6 6 exact s.trim().matches(r"^a\$")
        7 7 exact s.split(',').all(|p| p.matches("^a+$"))
        10 10 - s.split_once('=').unwrap().1.captures("^(a)(b?)$").is_some_and(|c| c[1] == "a")
        42 42 exact s.trim().split_once(':').unwrap().1.trim() == "v"
        424 424 exact s.split_whitespace().nth(1).is_some_and(|w| w == "b" || w == "a")
        30 83 - s.split_whitespace().any(|w| w == "" || w == "a")
        89 121 - s.split_whitespace().nth(1).unwrap_or("") == ""
        11 11 - s.split(',').all(|p| !p.is_empty() && p.trim() == p)
        73 125 - s.split(',').any(|p| p.starts_with('a') && p.ends_with('b'))
        46 125 - s.split(',').any(|p| p.split_once('=').unwrap().0 == "a")
        26 31 - s.split("aa").any(|p| p == "b")
        14 14 exact s.split("aa").all(|p| p == "b" || p == "")
        15 15 exact s.split("ab").nth(1) == Some("a")
        12 16 - s.split("aba").nth(1).is_some_and(|p| p == "b")
        26 26 exact s.split(',').nth(1).unwrap().contains('a')
        22 22 exact s.rsplit_once('.').is_some_and(|p| !p.0.is_empty() && !p.1.is_empty())
        20 20 exact s.rsplit_once("ab").is_some_and(|p| p.0 == "ab" || p.1 == "a")
        10 10 exact s.split_once('=').map_or(false, |p| p.0.trim() == "k" && p.1.parse::<u8>().is_ok())
        19 24 - s.split_terminator(';').any(|p| p == "")
        15 16 - s.split_terminator(';').nth(0) == Some("")
        31 46 - s.lines().nth(1).is_some_and(|l| l == "")
        69 101 - s.lines().all(|l| l.ends_with('\r') || l == "a")
        26 26 exact s.trim().starts_with('a')
        26 26 exact s.trim().contains("a")
        21 21 - s.trim_start_matches("ab").starts_with('a')
        3 3 exact s.trim_start_matches("ab") == "ba"
        8 8 exact s[0..2].parse::<u8>().is_ok()
        8 16 - s[1..2] == "b" || s.len() == 1
        13 13 exact s.split('-').nth(1).unwrap() == "a" || s == "b"
        13 13 exact !(s.split('-').nth(1).unwrap() != "a")
        18 18 exact s.trim().len() == 3
        4 4 - s.to_lowercase() == "σς"
        15 15 exact s.split(',').count() <= 2
        0 15 - s.split(',').count() < 1
        20 20 exact s.split(',').count() == 3
        1 4 - s.split(',').all(|p| p.matches("(?-u:[+-/]){2}"))
        42 42 exact 2 < s.split(',').count()
        6 6 exact s.chars().filter(|c| c == ':').count() == 2 && s.split(':').nth(1).unwrap() == "a"
        49 49 exact s.trim().split('-').count() == 2
        15 15 - s.splitn(0, '-').count() == 0
        15 31 - s.splitn(3, '-').count() < 3
        2 31 - s.splitn(2, '-').all(|p| p == "a")
        11 16 - s.split("aa").last() == Some("b")
        11 16 - s.rsplit("aa").last() == Some("b")
        16 16 - s.rsplit("aa").next() == Some("b")
        16 16 - s.split("aa").next() == Some("b")
        16 16 - s.rsplitn(2, "aa").next() == Some("b")
        5 5 exact s.split_terminator(';').all(|p| p == "")
        22 22 exact s.split_whitespace().last() == Some("a")
        60 60 - s.lines().last() == Some("a")
        4 40 - s.chars().all(|c| c.to_digit(10).is_some())
        31 31 exact s.split(',').all(|p| p.split('=').count() == 2)
        189 189 exact s.split(',').any(|p| p.split('=').count() == 2)
        42 42 exact s.split(',').nth(1) == Some("a") || s.split(';').nth(1) == Some("b")
        16 16 exact s.trim_matches('-').parse::<u8>() == Ok(1)
        3 3 exact s.split(',').nth(0).unwrap() == "a" && s[2..].parse::<u8>().is_ok()
        13 85 - s.trim().matches("(^a)|b$") || s == "cc"
        2 2 - s.strip_prefix("ab").is_some_and(|t| t == "ab" || t == "")
        10 10 - s.strip_suffix("a").is_some_and(|t| t.trim() == "b")
        14 15 - !(s.trim() == "a" && s.len() == 1)
        2 53 - s.split_once('=').is_some_and(|p| p.0.parse::<u8>() == Ok(1) && p.1 == p.0)
        25 25 exact s.trim().chars().all(|c| c.to_digit(10).is_some())
        121 121 exact s.split('-').all(|p| p.chars().all(|c| c.to_digit(16).is_some_and(|d| d % 2 == 0)))
        12 12 exact s.split('-').all(|p| !p.is_empty() && p.chars().all(|c| c.to_digit(10).unwrap() < 5))
        90 90 exact s.chars().any(|c| c.to_digit(10).is_some_and(|d| d > 7))
        58 58 exact s.chars().any(|c| c.to_digit(10).unwrap() > 7)
        310 310 - s.trim().chars().any(|c| c.is_uppercase())
        31 31 exact !s.trim().chars().any(|c| c == 'a' || c == 'b')
        90 90 exact !s.chars().all(|c| ('a'..='b').contains(&c))
        7 7 exact !s.split(',').any(|p| p.is_empty())
        16 16 exact !s.split(',').all(|p| p != "a")
        251 251 exact s.trim().chars().all(|c| matches!(c, 'a'..='c' | '_'))
        89 89 exact s.trim().chars().all(|c| c.to_ascii_lowercase() == 'a')
        89 89 exact s.trim().chars().all(|c| ['a', 'b'].contains(&c))
        4 4 exact ["yes", "no"].contains(&s.trim())
        251 251 exact s.trim().chars().all(|c| c.to_digit(36).map_or(false, |d| d > 33))
        89 89 exact s.trim().chars().all(|c| 'a' < c && c as u32 - 97 < 2 || c == 'é')
        251 251 - s.trim().chars().all(char::is_alphanumeric)
        89 89 exact s.trim().bytes().all(|b| b.is_ascii_digit())
        116 116 exact s.bytes().any(|b| b == b'-' || b > 127)
        25 89 - s.trim().bytes().all(|b| b > 200 || b == b'a')
        116 116 exact s.trim().chars().nth(1) == Some('x')
        9 9 exact s.chars().nth(2) == Some('x') && s.chars().nth(3).unwrap().to_digit(10) == Some(7)
        58 58 - s.trim().chars().next().is_some_and(|c| c.is_ascii_uppercase())
        58 58 - s.trim().chars().last().unwrap().to_digit(10).unwrap() < 5
        20 20 exact s.split(',').all(|p| p.starts_with(|c: char| c.is_ascii_digit()))
        58 58 - s.trim().chars().rev().next() == Some('b')
        40 40 exact s.trim().chars().count() == 2
        111 111 exact s.trim().chars().filter(|c| c.is_ascii_digit()).count() == 2
        3 3 - s.strip_prefix("v").is_some_and(|v| v.split('.').count() == 2 && v.split('.').all(|n| n.parse::<u8>().is_ok()))
        1 1 - s.strip_suffix("é").is_some_and(|v| v.len() == 2 && v.chars().all(|c| c.is_ascii_lowercase()))
        20 20 exact s.chars().filter(|c| !c.is_whitespace()).collect::<String>() == "ab"
        20 20 exact s.chars().filter(|c| c.is_ascii_digit()).collect::<String>().len() == 2
        48 48 exact s.trim().starts_with("< ")
        82 82 exact s.trim().starts_with('<') && s.trim().ends_with('>')
        49 49 exact s.trim().matches("( ?a ?){1,3}")
        168 168 exact s.trim().matches("(a |b| )*c?")
        20 20 exact s.trim_start().matches("( |a){2}b*")
        57 57 exact s.trim_matches('-').starts_with('a')
        129 129 exact s.trim_matches(|c: char| c.is_ascii_digit()) == "a"
        301 301 exact s.trim_end_matches(['-', '+']).ends_with("a")
        80 80 exact s.split([',', ';']).count() == 3
        3 4 - s.split(|c: char| !c.is_alphanumeric()).all(|p| p == "a")
        6 6 exact s.split_once(char::is_whitespace).is_some_and(|p| p.0 == "a" && p.1.trim() == "b")
        114 114 - s.rsplit_once([':', '/']).is_some_and(|p| p.1.parse::<u8>().is_ok())
        20 20 exact s.replace("-", "") == "aa"
        2 2 exact s.replace('-', "_") == "a_b"
        2 2 - s.replace("ab", "x") == "xc"
        29 121 - s.replace("a", "bb").len() == 4
        2 2 exact s.replace("a", "bb") == "bbcb"
        3 121 - s.replace("a", "bb") == "bbb"
        41 41 exact s.replace(' ', "").parse::<u8>().is_ok()
        111 111 exact s.replace([' ', '-'], "") == "aa"
        82 82 exact s.replace(char::is_whitespace, "").starts_with("ab")
        2 2 exact s.split(',').collect::<Vec<_>>().join("-") == "a-b"
        1 1 exact s.split('.').rev().collect::<Vec<_>>().join(".") == "b.a"
        10 10 exact s.split_whitespace().collect::<Vec<_>>().join(" ") == "a b"
        11 15 - s.split_whitespace().collect::<Vec<_>>().join("-") == "a--b"
        20 20 exact s.split_whitespace().collect::<String>() == "aa"
        1 1 - s.split(':').map(|p| p.parse::<u8>().unwrap()).all(|n| n < 2) && s.split(':').count() == 2
        14 14 exact s.rsplit('/').next() == Some("ab")
        22 22 - s.lines().count() == 2 && s.lines().all(|l| l.starts_with('a'))
        46 46 exact s.lines().count() < 2
        275 579 - s.trim().len() > 2 && s.trim().len() < 6
        93 364 - s.split(',').all(|p| p.len() >= 3 || p.len() == 1)
        2759 3105 - s.trim().len() >= 6
        41 41 exact s.split_once(':').is_some_and(|p| p.0.len() > 2 && p.1.bytes().all(|b| b == b'1'))
        1 2 - s == format!("{}-{}", s.len(), "a")
        1 52 - s == format!("{:03}", s.len())
        98 124 - s.split(|c: char| !c.is_alphabetic()).count() == 2
        10 31 - s.replace(|c: char| !c.is_alphanumeric(), "") == "aa"
        10 49 - s.trim_matches(|c: char| !c.is_alphabetic()) == "a"
        36 36 exact s.split([',', 'é']).nth(1).unwrap().parse::<u8>().is_ok()
        61 61 exact s.trim().lines().count() >= 2
        12 12 exact s.to_ascii_lowercase().split(',').all(|p| p == "a" || p == "é")
        6 6 exact s.split('=').all(|p| p.captures("(?<k>[ab])").is_some())
        7 7 - s.trim().captures("(?<k>a+)b").is_some_and(|c| c["k"] == "a") || s.captures("(?P<k>b)c").is_some()
    "#]]
    .assert_eq(&found);
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// A bound that the tool can't hold is none that it takes for another one.
#[test]
fn a_number_next_to_the_greatest_one_is_not_taken_for_it() {
    let catalog = catalog();
    for (text, string) in [
        ("s.parse::<i128>().is_ok_and(|n| n - 1 == i128::MAX)", i128::MAX.to_string()),
        ("s.parse::<i128>().is_ok_and(|n| n + 1 == i128::MIN)", i128::MIN.to_string()),
        ("s.parse::<u128>().is_ok_and(|n| i128::MAX < n)", i128::MAX.to_string()),
    ] {
        let (result, mut data) = elaborated(&catalog, &[("s", "String")], text);
        let (term, _) = result.unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        let strong = strengthened(term, &mut data);
        let shorter = absorbed(&strong, &data.regexes).map_or(strong, |(shorter, _)| shorter);
        let mut judge = Judge::new(None).with_regexes(&data.regexes);
        judge.set(0, Value::str(&string));
        assert_eq!(judge.value(&shorter), Ok(Value::Bool(false)), "{text}");
    }
}

fn literals_in(term: &Term) -> Vec<Value> {
    let mut found = Vec::new();
    visit(term, &mut |part| {
        if let Term::Lit(literal) = part {
            found.push(literal.clone());
        }
    });
    found
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
