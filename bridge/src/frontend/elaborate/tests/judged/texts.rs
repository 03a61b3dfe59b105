//! Strings in pieces: every operation beside Rust's own, on special and on random strings.

#![allow(deprecated, reason = "`trim_left` and the like are in users' code, too")]

use super::*;

/// Strings that break text handling: empty, blank, of several widths, with cases that change the length.
const SPECIAL: [&str; 40] = [
    "",
    " ",
    "  ",
    "a",
    "-",
    "--",
    "---",
    "a-b",
    "-a-",
    "a--b-",
    "a=b",
    "a=b=c",
    "=",
    "\n",
    "\r\n",
    "\r",
    "a\r\nb\n",
    "a\n\nb",
    "a\r\r\n",
    " a b\t c ",
    "\u{a0}x\u{2003}",
    "é",
    "éa",
    "a€😀-é",
    "İ",
    "ıI",
    "ß",
    "ẞß",
    "ΑΣ",
    "ΣΑΣ Σ",
    "aΣb",
    "ǅ",
    "ﬁ",
    "0",
    "-0",
    "+7",
    "256",
    "-129",
    "00012",
    "aXbXa",
];

/// A deterministic sequence of strings over characters that the operations treat in special ways.
fn random_texts(n: usize) -> Vec<String> {
    let chars: Vec<char> = "aab--=  \n\r\tX0179+éßİΣσ€😀\u{a0}".chars().collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    (0..n).map(|_| (0..next(9)).map(|_| chars[next(chars.len())]).collect()).collect()
}

fn all_texts() -> Vec<String> {
    SPECIAL.iter().map(|text| (*text).to_owned()).chain(random_texts(60)).collect()
}

#[test]
fn pieces_agree_with_rust() {
    for text in &all_texts() {
        agree!(s: &str = text;
            s.split('-').collect::<Vec<_>>(), s.split("--").collect::<Vec<_>>(), s.split("").collect::<Vec<_>>(),
            s.split(['-', '=']).collect::<Vec<_>>(), s.split(|c: char| c.is_whitespace()).collect::<Vec<_>>(),
            s.split(char::is_alphabetic).collect::<Vec<_>>(), s.split("aa").collect::<Vec<_>>(),
            s.rsplit('-').collect::<Vec<_>>(), s.rsplit("aa").collect::<Vec<_>>(), s.rsplit("").collect::<Vec<_>>(),
            s.rsplit(['a', 'b']).collect::<Vec<_>>(), s.rsplit(|c| c > 'z').collect::<Vec<_>>(),
            s.splitn(0, '-').collect::<Vec<_>>(), s.splitn(1, '-').collect::<Vec<_>>(),
            s.splitn(2, "-").collect::<Vec<_>>(), s.splitn(3, ['-', ' ']).collect::<Vec<_>>(),
            s.splitn(2, "").collect::<Vec<_>>(), s.rsplitn(2, "").collect::<Vec<_>>(),
            s.rsplitn(2, '-').collect::<Vec<_>>(), s.rsplitn(3, |c| c == '-').collect::<Vec<_>>(),
            s.split_terminator('-').collect::<Vec<_>>(), s.split_terminator("\n").collect::<Vec<_>>(),
            s.split_inclusive('-').collect::<Vec<_>>(), s.split_inclusive(['\n', 'a']).collect::<Vec<_>>(),
            s.split_whitespace().collect::<Vec<_>>(), s.lines().collect::<Vec<_>>(),
            s.split('-').count(), s.split("--").count(), s.split(['-', '=']).count(), s.rsplit('a').count(),
            s.lines().count(), s.split_whitespace().count(), s.split_terminator('-').count(), s.split("").count(),
            s.split('-').all(|part| !part.is_empty()), s.split('-').map(|part| part.len()).sum::<usize>(),
            s.split('-').nth(1).is_some(), s.split('-').last(), s.split('-').next(),
            s.split('-').flat_map(|part| part.chars()).collect::<String>(),
        );
    }
}

#[test]
fn searches_agree_with_rust() {
    for text in &all_texts() {
        agree!(s: &str = text;
            s.split_once('-'), s.split_once("--"), s.split_once(""), s.split_once(['=', ' ']), s.split_once(|c| c == 'a'),
            s.rsplit_once('-'), s.rsplit_once("a"), s.rsplit_once(""), s.rsplit_once(char::is_whitespace),
            s.split_once('=').is_some(), s.split_once('=').map(|(a, b)| a.len() + b.len()), s.split_once('-').unwrap(),
            s.rfind('-'), s.rfind("a"), s.rfind(""), s.rfind(['-', 'é']), s.rfind(|c| c < 'a'), s.rfind("--"),
            s.replace('-', "é"), s.replace("--", ""), s.replace("", "."), s.replace(['-', ' '], "_"),
            s.replace(|c: char| c.is_ascii_digit(), "n"), s.replacen('-', "+", 1), s.replacen("a", "bb", 0),
            s.split('-').collect::<Vec<_>>().join("+"), s.lines().collect::<Vec<_>>().join(""),
            s.char_indices().collect::<Vec<_>>(), s.char_indices().all(|(i, c)| i == 0 || c != 'a'),
        );
    }
}

#[test]
fn trimming_agrees_with_rust() {
    for text in &all_texts() {
        agree!(s: &str = text;
            s.trim(), s.trim_start(), s.trim_end(), s.trim_left(), s.trim_right(), s.trim_matches('-'),
            s.trim_matches(['-', 'a']), s.trim_matches(char::is_whitespace), s.trim_start_matches('a'),
            s.trim_start_matches("--"), s.trim_start_matches(""), s.trim_start_matches(|c| c != '-'),
            s.trim_end_matches("aX"), s.trim_end_matches(['\n', '\r']), s.trim_end_matches(char::is_alphabetic),
            s.trim_left_matches('-'), s.trim_right_matches('-'), s.trim() == s, s == s.trim_start(), s.trim_end() != s,
            s.trim().is_empty(), s.trim_end().is_empty(), s.trim().len(), s.trim().trim_matches('-') == s,
        );
    }
}

#[test]
fn slices_agree_with_rust() {
    for text in &all_texts() {
        for (lo, hi) in [(0, 0), (0, 1), (1, 2), (1, 4), (2, 1), (3, 3), (0, 100)] {
            agree!(s: &str = text, a: usize = lo, b: usize = hi;
                &s[a..b], &s[a..], &s[..b], &s[..], s.get(a..b), s.get(..b), s.get(a..), s.split_at(b),
                s.is_char_boundary(a), s.is_char_boundary(b), &s[a..=a], s.get(a..=b),
                s.get(a..b).is_some_and(|part| part.len() == 1), s.len() >= 1 && s.is_char_boundary(1) && &s[..1] == "a",
            );
        }
    }
}

#[test]
fn cases_agree_with_rust() {
    for text in &all_texts() {
        agree!(s: &str = text;
            s.to_lowercase(), s.to_uppercase(), s.to_ascii_lowercase(), s.to_ascii_uppercase(),
            s == s.to_lowercase(), s.to_uppercase() == s, s.to_ascii_lowercase() == s, s != s.to_ascii_uppercase(),
            s.eq_ignore_ascii_case("A-B"), s.eq_ignore_ascii_case(s), s.to_lowercase() == s.to_uppercase(),
            s < "a-", s >= "é", s <= s,
        );
    }
    // Each character alone, as `to_lowercase` of a character relies on it.
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        assert_eq!(text.to_lowercase(), c.to_lowercase().to_string(), "{c:?}");
        assert_eq!(text.to_uppercase(), c.to_uppercase().to_string(), "{c:?}");
        // `s == s.to_lowercase()` is judged character by character.
        assert_eq!(format!("a{c}b").to_lowercase() == format!("a{c}b"), text.to_lowercase() == text, "{c:?}");
    }
}

#[test]
fn characters_agree_with_rust() {
    for value in "\0 09azAZ[{éßİΣı€😀²".chars() {
        agree!(c: char = value;
            c.to_digit(10), c.to_digit(16), c.to_digit(36), c.to_digit(2), c.is_digit(8),
            c.is_digit(10), c.is_digit(16), c.is_digit(36), c.to_ascii_lowercase(), c.to_ascii_uppercase(),
            c.to_lowercase().collect::<String>(), c.to_uppercase().collect::<String>(), c.eq_ignore_ascii_case(&'a'),
            c.to_lowercase().next(), char::to_digit(c, 11),
        );
    }
    for (n, r) in [(0, 10), (9, 10), (10, 10), (15, 16), (35, 36), (36, 36), (1, 37), (0, 0), (7, 1)] {
        agree!(n: u32 = n, r: u32 = r; char::from_digit(n, r), char::from_digit(n, 16));
    }
}

/// Texts near the ends of the integer types, and what only looks like a number.
const NUMBERS: [&str; 31] = [
    "",
    "+",
    "-",
    "+-1",
    "-+1",
    "0",
    "-0",
    "+0",
    "00",
    "007",
    "+12",
    "-12",
    " 1",
    "1 ",
    "1_0",
    "1.0",
    "0x1",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "65535",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "٣",
    "99999999999999999999999",
];

#[test]
fn numbers_agree_with_rust() {
    for text in NUMBERS {
        agree!(s: &str = text;
            s.parse::<u8>().ok(), s.parse::<i8>().ok(), s.parse::<u16>().ok(), s.parse::<i32>().ok(),
            s.parse::<u64>().ok(), s.parse::<i64>().ok(), s.parse::<u128>().ok(), s.parse::<usize>().ok(),
            s.parse::<u8>().is_ok(), s.parse::<u8>().is_err(), s.parse::<i8>().unwrap(), s.parse::<u8>().unwrap_or(3),
            s.parse::<u8>().is_ok_and(|n| n < 10), s.parse::<u8>().map(|n| n / 2).ok(),
        );
    }
    for value in [0, 7, -7, 12, -120, i64::MAX, i64::MIN] {
        agree!(n: i64 = value, b: bool = value > 0, c: char = 'é', s: &str = "a€";
            n.to_string(), b.to_string(), format!("{n}"), format!("{}-{}", n, s), format!("{n:5}|{n:05}|{n:2}|{n:02}"),
            format!("{s:4}|{c:3}|{b:6}|{s:04}"), format!("{0}{1}{0}", n, c), format!("{x}{{}}{x:3}", x = n),
            format!("none"), format!("{}", s.len()), format!("") == "", format!("{n}").parse::<i64>() .is_ok(),
        );
    }
}

#[test]
fn a_closure_is_asked_about_the_characters_that_rust_asks_about() {
    for text in ["1-a", "a-1", "-", "", "12", "1a-"] {
        agree!(s: &str = text;
            s.split_once(|c: char| c == '-' || c.to_digit(10).unwrap() > 9),
            s.rsplit_once(|c: char| c == '-' || c.to_digit(10).unwrap() > 9),
            s.trim_start_matches(|c: char| c.to_digit(10).unwrap() == 1),
            s.trim_end_matches(|c: char| c.to_digit(10).unwrap() == 1),
            s.splitn(2, |c: char| c == '-' || c.to_digit(10).unwrap() > 9).collect::<Vec<_>>(),
            s.split(|c: char| c == '-' || c.to_digit(10).unwrap() > 9).collect::<Vec<_>>(),
        );
    }
}
