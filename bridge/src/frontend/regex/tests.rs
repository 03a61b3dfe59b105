//! The automata against those of `regex-automata`, and what is rejected.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use regex_automata::meta;
use regex_syntax::hir::Hir;
use target_strategies::logic::ir::Regex;

use super::{automaton, program};

/// Regular expressions of every kind that there is.
const TEXTS: [&str; 60] = [
    "",
    "a",
    "abc",
    "a|b",
    "a*",
    "a+b?",
    "(ab)*",
    "(a|ab)(c|bcd)",
    "a{3}",
    "a{2,4}",
    "a{2,}",
    "a{0}",
    "(a{0,2}b){1,2}",
    "a*?b+?",
    "(a*)*",
    "(a*|b)*",
    "(|a)+",
    "[a-c]+[0-9]?",
    "[^a-c]",
    "[^a-c]*",
    "[a&&b]",
    "[a&&b]*c",
    "[[:alpha:]]+",
    "[a-z--m]+",
    ".",
    "..",
    "(?s).",
    "(?s).*",
    ".*a.*b",
    r"\d+",
    r"\w+\s\W",
    r"\D\S",
    r"\p{Greek}+",
    r"\p{Lu}\p{Ll}*",
    r"\P{L}",
    r"[\p{L}--a]",
    "é€😀",
    "[é-ü]+",
    "[\u{D7FF}\u{E000}]+",
    r"[\x{D000}-\x{F000}]",
    r"\u{10FFFF}|\x00",
    "(?i)straße",
    "(?i)[k-m]+",
    "(?i:a)b",
    "a(?i)b(?-i)c",
    "(?x) a b # comment",
    "(?-u:[a-c])é",
    r"(?-u)\w+",
    "^a$",
    "^",
    "$",
    "^$",
    "(^a|b)*",
    "(a$|b)*",
    "a^b",
    "a$b",
    "(^|a)(b|$)",
    r"\Aab\z",
    r"[a-z]+@[a-z]+\.com",
    r"(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}",
];

/// What `regex-automata` says of whole strings.
struct Oracle(meta::Regex);

impl Oracle {
    fn of(text: &str) -> Oracle {
        // Flags may stand at the start, and comments at the end: the text can't be put between others.
        let hir = regex_syntax::parse(text).expect(text);
        let look = |look| Hir::look(look);
        let whole = [look(regex_syntax::hir::Look::Start), hir, look(regex_syntax::hir::Look::End)];
        let regex = meta::Regex::builder().build_many_from_hir(&[Hir::concat(whole.into())]);
        Oracle(regex.expect(text))
    }

    fn accepts(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

fn checked(text: &str) -> Regex {
    let regex = automaton(text).expect(text);
    assert!(regex.is_well_formed(), "{text}: {regex:?}");
    let again = super::minimize::minimal(super::determine::Automaton {
        n_classes: regex.n_classes.into(),
        table: regex.table.clone(),
        accepting: regex.accepting.clone(),
    });
    assert_eq!(again.size(), (regex.accepting.len(), usize::from(regex.n_classes)), "{text} is not minimal");
    regex
}

/// Characters that the automaton tells apart, and others.
fn chars_of(regex: &Regex) -> Vec<char> {
    let mut chars: Vec<char> = regex.intervals().flat_map(|(first, last, _)| [first, last]).collect();
    chars.extend("abcdAB01 \n.@é€".chars());
    chars
}

#[test]
fn every_short_string_is_judged_as_by_the_crate_regex() {
    for text in TEXTS {
        let (regex, oracle) = (checked(text), Oracle::of(text));
        let mut chars = chars_of(&regex);
        chars.sort_unstable();
        chars.dedup();
        chars.truncate(40);
        let mut words = vec![String::new()];
        let mut longest = 0..1;
        for _ in 0..if chars.len() < 24 { 3 } else { 2 } {
            let words_before = words.len();
            for at in longest {
                words.extend(chars.iter().map(|c| format!("{}{c}", words[at])).collect::<Vec<_>>());
            }
            longest = words_before..words.len();
        }
        for word in words {
            assert_eq!(regex.accepts(Regex::START, &word), oracle.accepts(&word), "{text:?} on {word:?}");
        }
    }
}

/// A part of a regular expression, small enough to be nested.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a", "b", "c", "é", ".", "[a-b]", "[^a]", r"\d", r"\w", "(?i:B)", "[b-é]", "^", "$", "",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 16, 3, |inner| {
        let many = prop::collection::vec(inner.clone(), 1..4);
        let bounds = prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"]);
        prop_oneof![
            many.clone().prop_map(|parts| parts.concat()),
            many.prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner, bounds).prop_map(|(part, bounds)| format!("(?:{part}){bounds}")),
        ]
    })
}

/// Regular expressions with groups of every kind.
const GROUPED: [&str; 36] = [
    "(a)",
    "(a)|b",
    "(a)?b",
    "(a*)(a*)",
    "(a*?)(a*)",
    "(a+?)(a*)",
    "(a|ab)(c|bcd)(d*)",
    "(a)*",
    "(a|b)*",
    "((a)|b)*",
    "((a)|(b))*",
    "(a*)*",
    "(a*)+",
    "(|a)*",
    "(|a)+",
    "(a|)*",
    "(a??)*",
    "(a*?)*?",
    "((a?)b?)*",
    "(a?){2}",
    "(a?){0,2}",
    "(|a){2,3}",
    "(a{1,2}){2,}",
    "(a){0}b",
    "(?<x>a)(?<y>b)?",
    "(?P<year>\\d)-(\\d)",
    "(^a|b)(b$)?",
    "(^)*(a)",
    "(a|b)*?(b*)",
    "(?:(a)b?)+",
    "(.*)-(.*)",
    "(.*?)-(.*)",
    "([^-]+)(-.*)?",
    "(?i)(É)|(a+)",
    "((a)(b)?)*c?",
    "(?U)(a*)(a*)",
];

/// The groups of whole strings, by the crate `regex`.
fn groups_of(oracle: &Oracle, word: &str) -> Option<Vec<Option<String>>> {
    let mut found = oracle.0.create_captures();
    oracle.0.captures(word, &mut found);
    let group = |at: usize| found.get_group(at).map(|span| word[span.range()].to_owned());
    found.is_match().then(|| (0..found.group_len()).map(group).collect())
}

#[test]
fn groups_are_those_of_the_crate_regex() {
    let chars = ['a', 'b', 'c', 'd', '-', '1', 'é'];
    for text in GROUPED.into_iter().chain(TEXTS) {
        let (program, oracle) = (program(text).expect(text), Oracle::of(text));
        assert!(program.is_well_formed(), "{text}");
        let mut words = vec![String::new()];
        let mut longest = 0..1;
        for _ in 0..4 {
            let words_before = words.len();
            for at in longest {
                words.extend(chars.iter().map(|c| format!("{}{c}", words[at])).collect::<Vec<_>>());
            }
            longest = words_before..words.len();
        }
        for word in words {
            let ours = program
                .groups(&word)
                .map(|groups| groups.into_iter().map(|g| g.map(str::to_owned)).collect());
            assert_eq!(ours, groups_of(&oracle, &word), "{text:?} on {word:?}");
        }
    }
}

proptest! {
    #[test]
    fn groups_of_any_expression_are_those_of_the_crate_regex(
        text in expression(),
        words in prop::collection::vec("[abcdeBé0]{0,6}", 20),
    ) {
        let text = text.replace("(?:", "(");
        let (program, oracle) = (program(&text).expect("it was built"), Oracle::of(&text));
        for word in words {
            let ours = program.groups(&word).map(|groups| groups.into_iter().map(|g| g.map(str::to_owned)).collect());
            prop_assert_eq!(ours, groups_of(&oracle, &word), "{:?} on {:?}", text, word);
        }
    }

    #[test]
    fn long_strings_are_judged_as_by_the_crate_regex(
        text in prop::sample::select(TEXTS.to_vec()),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let (regex, oracle) = (checked(text), Oracle::of(text));
        let chars = chars_of(&regex);
        let word: String = picks.iter().map(|pick| *pick.get(&chars)).collect();
        prop_assert_eq!(regex.accepts(Regex::START, &word), oracle.accepts(&word), "{:?} on {:?}", text, word);
    }

    #[test]
    fn expressions_are_understood_as_by_the_crate_regex(
        text in expression(),
        words in prop::collection::vec("[abcdeBé0\\n]{0,6}", 20),
    ) {
        let (regex, oracle) = (checked(&text), Oracle::of(&text));
        for word in words {
            prop_assert_eq!(regex.accepts(Regex::START, &word), oracle.accepts(&word), "{:?} on {:?}", text, word);
        }
    }

    #[test]
    fn any_text_is_understood_or_refused(text in "[ab(){}|*+?.\\[\\]^$\\\\0-9,&\\-é]{0,30}") {
        if let Err(rejection) = automaton(&text) {
            prop_assert!(text.get(rejection.range.clone()).is_some(), "{:?}", rejection);
        }
    }
}

#[test]
fn equal_languages_have_equal_automata() {
    let same = |a: &str, b: &str| {
        let (a, b) = (checked(a), checked(b));
        assert_eq!(Regex { text: b.text.clone(), ..a }, b);
    };
    same("a|b", "[ab]");
    same("(a|ab)(c|bcd)", "a(c|bc|bcd|bbcd)");
    same("[a-z]*[a-z]", "[a-z]+");
    same("(a*b*)*", "[ab]*");
    same("a^b", "[a&&b]");
    same("^(?:x|^yz)$", "yz|x");
    same(r"\w", r"(?u:\w)");
}

#[test]
fn automata_are_small() {
    let size = |text: &str| {
        let regex = checked(text);
        format!("{} states, {} classes, dead: {:?}", regex.n_states(), regex.n_classes, regex.dead)
    };
    expect![[r#"
        ".*": 2 states, 2 classes, dead: Some(1)
        "(?s).*": 1 states, 1 classes, dead: None
        "[a&&b]": 1 states, 1 classes, dead: Some(0)
        "\\w+": 3 states, 2 classes, dead: Some(1)
        "[a-z]+@[a-z]+\\.com": 9 states, 7 classes, dead: Some(1)"#]]
    .assert_eq(
        &[".*", "(?s).*", "[a&&b]", r"\w+", r"[a-z]+@[a-z]+\.com"]
            .map(|text| format!("{text:?}: {}", size(text)))
            .join("\n"),
    );
}

fn check(texts: &[&str], expected: Expect) {
    let rejections = texts.iter().map(|text| {
        let rejection = automaton(text).expect_err(text);
        let shown: String = text.chars().take(40).collect();
        let help = rejection.help.unwrap_or_default();
        format!("{shown} | {:?} | {} | {help}", &text[rejection.range], rejection.message)
    });
    expected.assert_eq(&rejections.collect::<Vec<_>>().join("\n"));
}

#[test]
fn mistakes_have_a_place() {
    check(
        &[
            "a(b",
            "é[b",
            "a{2,1}",
            r"\p{Nothing}",
            r"a\q",
            "(?=a)",
            r"(a)\1",
            "*a",
            "(?P<n>a",
            ")",
            r"\xFF(?-u:\xFF)",
        ],
        expect![[r#"
            a(b | "(" | this is no regular expression: unclosed group | 
            é[b | "[" | this is no regular expression: unclosed character class | 
            a{2,1} | "{2,1}" | this is no regular expression: invalid repetition count range, the start must be <= the end | 
            \p{Nothing} | "\\p{Nothing}" | this is no regular expression: Unicode property not found | 
            a\q | "\\q" | this is no regular expression: unrecognized escape sequence | 
            (?=a) | "(?=" | this is no regular expression: look-around, including look-ahead and look-behind, is not supported | 
            (a)\1 | "\\1" | this is no regular expression: backreferences are not supported | 
            *a | "*" | this is no regular expression: repetition operator missing expression | 
            (?P<n>a | "(" | this is no regular expression: unclosed group | 
            ) | ")" | this is no regular expression: unopened group | 
            \xFF(?-u:\xFF) | "\\xFF" | this is no regular expression: pattern can match invalid UTF-8 | "#]],
    );
    check(
        &[r"a\bc", "a(?m)b$", r"a\B", r"\<a"],
        expect![[r#"
        a\bc | "\\b" | word boundaries and the anchors of lines are not supported in `matches` | the whole string has to match, without `^` and `$`
        a(?m)b$ | "$" | word boundaries and the anchors of lines are not supported in `matches` | the whole string has to match, without `^` and `$`
        a\B | "\\B" | word boundaries and the anchors of lines are not supported in `matches` | the whole string has to match, without `^` and `$`
        \<a | "\\<" | word boundaries and the anchors of lines are not supported in `matches` | the whole string has to match, without `^` and `$`"#]],
    );
}

#[test]
fn what_is_too_big_is_refused_and_not_built() {
    let many_classes: String =
        (0..5000).filter_map(|n| char::from_u32(0x4E00 + n)).flat_map(|c| [c, '|']).collect();
    let too_big = [
        "x{1000}{1000}",
        "(?:a?){1000000000}",
        "(a|b)*a(a|b){20}",
        r"(\w{1000}){1000}",
        r"[\w\d]{5000}|\pL{5001}",
        "x{10000}",
        &many_classes,
    ];
    for text in too_big {
        let rejection = automaton(text).expect_err("it is too big");
        assert_eq!(
            (rejection.message.as_str(), rejection.range),
            ("this regular expression is too big", 0..text.len())
        );
    }
    let deep = format!("{}{}", "(".repeat(200), ")".repeat(200));
    assert!(automaton(&deep).expect_err("it nests too deep").message.contains("nested"));
    assert_eq!(automaton("x{9000}").map(|regex| regex.n_states()), Ok(9002));
}
