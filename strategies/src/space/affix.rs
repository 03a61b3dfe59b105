//! The possible lengths of a string with given prefixes, suffixes and substrings.
//!
//! `s.starts_with("https://") && s.ends_with(".rs")` needs eleven characters, though neither test does alone;
//! `s.starts_with("aba") && s.ends_with("bab")` needs four.

use crate::logic::ir::{StrTest, Term};
use crate::logic::value::Value;

/// Maximum number of character comparisons per length. Beyond it, the length counts as possible.
const FUEL: u32 = 2_000;

/// Total length in characters beyond which only the longest part is checked.
const LONG: usize = 1000;

/// The substrings that a string must contain.
#[derive(Debug, Default)]
pub struct Affixes {
    prefixes: Vec<Vec<char>>,
    suffixes: Vec<Vec<char>>,
    inner: Vec<Vec<char>>,
    /// How long each of them is.
    lengths: Vec<Length>,
}

#[derive(Debug)]
struct Length {
    chars: i64,
    bytes: i64,
}

impl Length {
    /// Number of bytes beyond those of a string with as many narrow characters.
    fn more_than(&self, narrowest: i64) -> i64 {
        (self.bytes - self.chars * narrowest).max(0)
    }
}

impl Affixes {
    /// The parts required by conditions on a string in the slot `own`.
    pub fn of_tests<'t>(tests: impl Iterator<Item = &'t Term>, own: u32) -> Affixes {
        let mut affixes = Affixes::default();
        for test in tests {
            if let Term::StrTest(test, of, part) = test
                && let (Term::Var(slot), Term::Lit(Value::Str(part))) = (&**of, &**part)
                && *slot == own
            {
                let list = match test {
                    StrTest::StartsWith => &mut affixes.prefixes,
                    StrTest::EndsWith => &mut affixes.suffixes,
                    StrTest::Contains => &mut affixes.inner,
                };
                let chars: Vec<char> = part.chars().collect();
                affixes.lengths.push(Length { chars: chars.len() as i64, bytes: part.len() as i64 });
                list.push(chars);
            }
        }
        affixes
    }

    /// Minimum number of bytes of a string of `n_chars` characters that contains all parts, if a character takes at
    /// least `narrowest` bytes.
    pub fn least_bytes(&self, n_chars: u32, narrowest: i64) -> i64 {
        i64::from(n_chars) * narrowest
            + self.lengths.iter().map(|part| part.more_than(narrowest)).max().unwrap_or(0)
    }

    /// Whether a string of `n_chars` characters can contain all parts.
    pub fn fit(&self, n_chars: u32) -> bool {
        let n_chars = n_chars as usize;
        let lens = || self.prefixes.iter().chain(&self.suffixes).chain(&self.inner).map(Vec::len);
        if lens().any(|len| n_chars < len) {
            return false;
        }
        // If all parts fit next to each other, the answer is known. If they are long, the search takes too long.
        let total = lens().sum::<usize>();
        if self.prefixes.len() <= 1 && self.suffixes.len() <= 1 && total <= n_chars || LONG < total {
            return true;
        }
        let mut fuel = FUEL;
        let mut text = vec![None; n_chars];
        let prefixes = self.prefixes.iter().map(|part| (part, 0));
        let suffixes = self.suffixes.iter().map(|part| (part, n_chars - part.len()));
        prefixes.chain(suffixes).all(|(part, at)| fill_in(&mut text, part, at, &mut fuel).is_some())
            && can_hold(&mut text, &self.inner, &mut fuel)
    }
}

/// Writes a string at a position. Returns the positions that were open before, or `None` if other characters are
/// there.
fn fill_in(text: &mut [Option<char>], part: &[char], at: usize, fuel: &mut u32) -> Option<Vec<usize>> {
    *fuel = fuel.saturating_sub(part.len() as u32 + 1);
    let fits = text[at..].iter().zip(part).all(|(there, c)| there.is_none_or(|there| there == *c));
    if !fits {
        return None;
    }
    let open: Vec<usize> = (at..at + part.len()).filter(|index| text[*index].is_none()).collect();
    open.iter().for_each(|index| text[*index] = Some(part[index - at]));
    Some(open)
}

/// Whether all strings fit, given the characters already written. `true` if the search takes too long.
fn can_hold(text: &mut [Option<char>], parts: &[Vec<char>], fuel: &mut u32) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    for at in 0..=text.len() - first.len() {
        if *fuel == 0 {
            return true;
        }
        if let Some(open) = fill_in(text, first, at, fuel) {
            let held = can_hold(text, rest, fuel);
            open.iter().for_each(|index| text[*index] = None);
            if held {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(tests: &[(StrTest, &str)]) -> Option<u32> {
        let terms: Vec<Term> = tests
            .iter()
            .map(|(test, part)| {
                Term::StrTest(*test, Box::new(Term::Var(1)), Box::new(Term::Lit(Value::str(part))))
            })
            .collect();
        let affixes = Affixes::of_tests(terms.iter(), 1);
        (0..40).find(|n| affixes.fit(*n))
    }

    #[test]
    fn strings_overlap_where_they_can() {
        use StrTest::{Contains, EndsWith, StartsWith};
        assert_eq!(least(&[]), Some(0));
        assert_eq!(least(&[(StartsWith, "https://"), (EndsWith, ".rs")]), Some(11));
        assert_eq!(least(&[(StartsWith, "aba"), (EndsWith, "bab")]), Some(4));
        assert_eq!(least(&[(StartsWith, "ab"), (StartsWith, "abc"), (Contains, "bcd")]), Some(4));
        assert_eq!(least(&[(Contains, "abc"), (Contains, "xyz")]), Some(6));
        assert_eq!(least(&[(Contains, "abc"), (Contains, "cab"), (EndsWith, "b")]), Some(5));
        assert_eq!(least(&[(Contains, "é€"), (EndsWith, "€")]), Some(2));
        assert_eq!(least(&[(EndsWith, "a"), (EndsWith, "b")]), None);
    }
}
