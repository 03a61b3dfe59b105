//! Two small languages, alone and together.

use super::*;

/// `(ab)*c?`
fn pairs() -> Regex {
    Regex {
        text: "(ab)*c?".to_owned(),
        named: vec!['a', 'b', 'c'],
        classes: vec![('\0', 0), ('a', 1), ('b', 2), ('c', 3), ('d', 0)],
        n_classes: 4,
        table: vec![1, 2, 1, 3, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
        accepting: vec![true, false, false, true],
        dead: Some(1),
        program: None,
    }
}

/// `[a-bé]{2,3}`
fn short() -> Regex {
    Regex {
        text: "[a-bé]{2,3}".to_owned(),
        named: vec!['a', 'b', 'é'],
        classes: vec![('\0', 0), ('a', 1), ('c', 0), ('é', 1), ('ê', 0)],
        n_classes: 2,
        table: vec![1, 2, 1, 1, 1, 3, 1, 4, 1, 1],
        accepting: vec![false, false, false, true, true],
        dead: Some(1),
        program: None,
    }
}

fn matches(regex: u32, state: u32) -> Term {
    Term::Matches(RegexId(regex), state, Box::new(Term::Var(1)))
}

fn language(tests: &[Term]) -> Language {
    Language::of_tests(tests.iter(), 1, &[pairs(), short()]).expect("there is a test")
}

fn lengths(tests: &[Term]) -> Vec<u32> {
    let language = language(tests);
    (0..9).filter(|n| language.has_length(*n)).collect()
}

fn shown(kinds: &[Kind]) -> String {
    let kind = |kind: &Kind| {
        let one = |(first, last): &(char, char)| match (first, last) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        kind.iter().map(one).collect::<String>()
    };
    kinds.iter().map(kind).collect::<Vec<_>>().join(" ")
}

#[test]
fn lengths_are_those_of_strings_that_pass_all_tests() {
    let not = |term| Term::Not(Box::new(term));
    assert_eq!(lengths(&[matches(0, 0)]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(lengths(&[matches(0, 2)]), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(lengths(&[matches(1, 0)]), [2, 3]);
    assert_eq!(lengths(&[matches(0, 0), matches(1, 0)]), [2]);
    assert_eq!(lengths(&[matches(1, 0), not(matches(1, 2))]), [3]);
    assert_eq!(lengths(&[matches(0, 0), not(not(not(matches(0, 0))))]), [] as [u32; 0]);
    assert!(Language::of_tests([Term::Var(1)].iter(), 1, &[pairs()]).is_none());
    assert!(language(&[matches(0, 0)]).has_length(60_000));
    assert!(!language(&[matches(1, 0)]).has_length(60_000));
}

#[test]
fn each_place_has_the_characters_that_can_stand_there() {
    let at = |tests: &[Term], lens: &[u32]| {
        let positions = language(tests).kinds_at(lens);
        let position = |by_length: &Vec<Kinds>| {
            by_length.iter().map(|kinds| shown(kinds)).collect::<Vec<_>>().join(" | ")
        };
        positions.iter().map(position).collect::<Vec<_>>()
    };
    assert_eq!(at(&[matches(0, 0)], &[1]), ["c"]);
    assert_eq!(at(&[matches(0, 0)], &[1, 2, 3]), ["c | a", "b", "c"]);
    assert_eq!(at(&[matches(0, 0)], &[2, 3, 4]), ["a", "b", "c | a", "b"]);
    assert_eq!(at(&[matches(1, 0)], &[2, 3]), ["a-bé", "a-bé", "a-bé"]);
    assert_eq!(at(&[matches(0, 0), matches(1, 0)], &[2]), ["a", "b"]);
    // Of long strings, all positions share one set.
    assert_eq!(at(&[matches(0, 0)], &[2, 500]), ["a | a b c", "b | a b c"]);
    assert_eq!(shown(&language(&[matches(0, 0)]).kinds_anywhere()), "a b c");
}

#[test]
fn what_is_not_matched_may_have_any_character() {
    let language = language(&[Term::Not(Box::new(matches(1, 0)))]);
    let positions = language.kinds_at(&[2]);
    assert_eq!(positions.iter().map(|by_length| by_length[0].len()).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(language.widths(), (1, 4));
    let others = [('\0', '`'), ('c', 'è'), ('ê', char::MAX)];
    assert_eq!(*positions[0][0][0], others);
}
