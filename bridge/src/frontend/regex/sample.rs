//! A string that matches a regular expression, without an automaton.
//!
//! A repetition occurs as few times as it may. Characters are printable ASCII where a class has some.

use regex_syntax::hir::{Hir, HirKind};

use super::alphabet::{Set, sets_of};

/// Maximum length of a string, in bytes.
const LONGEST: usize = 256;

/// A string that matches an expression, unless an anchor is inside of it, with the characters of a seed. `usual` are the
/// characters that are preferred, by index; the last ones are those of all further indexes. `None` if it would be too long, or a
/// chosen branch has none.
pub fn string(hir: &Hir, seed: u64, usual: &[Vec<char>]) -> Option<String> {
    let mut string = String::new();
    add(hir, &mut Picks { seed, usual }, &mut string).then_some(string)
}

/// Choices that look random.
struct Picks<'u> {
    seed: u64,
    usual: &'u [Vec<char>],
}

impl Picks<'_> {
    /// A number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.seed >> 33) % n as u64) as usize
    }
}

/// Adds a string that matches; `false` if there is none, or it would be too long.
fn add(hir: &Hir, picks: &mut Picks<'_>, string: &mut String) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(_) | HirKind::Class(_) => sets_of(hir).iter().all(|set| {
            let c = char_of(set, string.chars().count(), picks);
            string.extend(c);
            c.is_some() && string.len() <= LONGEST
        }),
        HirKind::Repetition(repetition) => {
            // A part that may be empty could be repeated billions of times.
            let may_be_empty = repetition.sub.properties().minimum_len() == Some(0);
            let n = if may_be_empty { repetition.min.min(LONGEST as u32) } else { repetition.min };
            (0..n).all(|_| add(&repetition.sub, picks, string))
        }
        HirKind::Capture(capture) => add(&capture.sub, picks, string),
        HirKind::Concat(parts) => parts.iter().all(|part| add(part, picks, string)),
        HirKind::Alternation(parts) => add(&parts[picks.below(parts.len())], picks, string),
    }
}

/// A character of a set: one that is usual at an index if there is one, or of ASCII if there is one that is printed.
fn char_of(set: &Set, at: usize, picks: &mut Picks<'_>) -> Option<char> {
    let is_in = |c: &&char| set.iter().any(|(first, last)| (first..=last).contains(c));
    let usual = picks.usual.get(at).or(picks.usual.last()).into_iter().flatten();
    let usual: Vec<&char> = usual.filter(is_in).collect();
    if !usual.is_empty() {
        return Some(*usual[picks.below(usual.len())]);
    }
    let ranges = set.iter().map(|(first, last)| (u32::from(*first), u32::from(*last)));
    let ascii = ranges.clone().map(|(first, last)| (first.max(0x20), last.min(0x7E)));
    let ascii: Vec<char> = ascii.flat_map(|(first, last)| first..=last).filter_map(char::from_u32).collect();
    if !ascii.is_empty() {
        return Some(ascii[picks.below(ascii.len())]);
    }
    let ranges: Vec<(u32, u32)> = ranges.collect();
    let (first, last) = *ranges.get(picks.below(ranges.len().max(1)))?;
    char::from_u32(first + picks.below((last - first) as usize + 1) as u32).or(char::from_u32(first))
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::Regex;

    use crate::frontend::regex::{automaton, strings};

    #[test]
    fn strings_match_and_are_of_all_ways() {
        for (text, n) in [
            ("#[0-9a-f]{3}|rgb\\([0-9]{1,2},[0-9]\\)|[a-z]+", 6),
            ("(97(8|9))?[0-9]{9}([0-9]|X)", 6),
            ("(é|[α-ω])+", 4),
            ("(?i:ab|c){2,}", 3),
            ("(?-u:[a-c])+x", 3),
            ("", 1),
        ] {
            let automaton = automaton(text).expect("an expression");
            let strings = strings(text, 100);
            for string in &strings {
                let state = string.chars().fold(Regex::START, |state, c| automaton.next(state, c));
                assert!(automaton.accepting[state as usize], "{text}: {string}");
            }
            assert_eq!(strings.len(), n, "{text}: {strings:?}");
        }
        assert_eq!(strings("a{9}|[a&&b]|b{300}|(){1000}c", 9), ["aaaaaaaaa", "c"]);
        assert_eq!(strings("[0-9]+|[a-z]+", 2).len(), 2);
    }
}
