//! Which lengths a string can have that starts with, ends with and contains given strings all at once.
//!
//! `s.starts_with("https://") && s.ends_with(".rs")` takes eleven characters, though neither test does alone; and
//! `s.starts_with("aba") && s.ends_with("bab")` takes four.

use crate::ir::{StrTest, Term};
use crate::value::Value;

/// How many characters are compared before a length counts as possible: placing strings can take many tries.
const FUEL: u32 = 2_000;

/// Of so many characters in all, no more is asked than whether the longest string fits.
const LONG: usize = 1000;

/// The strings that a string surely has in it.
#[derive(Debug, Default)]
pub struct Affixes {
    starts: Vec<Vec<char>>,
    ends: Vec<Vec<char>>,
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
    /// How many more bytes it has than a string of as many narrow characters.
    fn more_than(&self, narrowest: i64) -> i64 {
        (self.bytes - self.chars * narrowest).max(0)
    }
}

impl Affixes {
    /// Those that conditions on a string, in the slot `own`, name.
    pub fn of_tests<'t>(tests: impl Iterator<Item = &'t Term>, own: u32) -> Affixes {
        let mut affixes = Affixes::default();
        for test in tests {
            if let Term::StrTest(test, of, part) = test
                && let (Term::Var(slot), Term::Lit(Value::Str(part))) = (&**of, &**part)
                && *slot == own
            {
                let list = match test {
                    StrTest::StartsWith => &mut affixes.starts,
                    StrTest::EndsWith => &mut affixes.ends,
                    StrTest::Contains => &mut affixes.inner,
                };
                let chars: Vec<char> = part.chars().collect();
                affixes.lengths.push(Length { chars: chars.len() as i64, bytes: part.len() as i64 });
                list.push(chars);
            }
        }
        affixes
    }

    /// The fewest bytes of a string of so many characters that has each of them, if a character takes at least `narrowest`.
    pub fn least_bytes(&self, n_chars: u32, narrowest: i64) -> i64 {
        i64::from(n_chars) * narrowest
            + self.lengths.iter().map(|part| part.more_than(narrowest)).max().unwrap_or(0)
    }

    /// Whether a string of so many characters can have them all.
    pub fn fit(&self, n_chars: u32) -> bool {
        let n_chars = n_chars as usize;
        let lens = || self.starts.iter().chain(&self.ends).chain(&self.inner).map(Vec::len);
        if lens().any(|len| n_chars < len) {
            return false;
        }
        // Where they can stand side by side there is nothing to find out; where they are long, it would take long.
        let total = lens().sum::<usize>();
        if self.starts.len() <= 1 && self.ends.len() <= 1 && total <= n_chars || LONG < total {
            return true;
        }
        let mut fuel = FUEL;
        let mut text = vec![None; n_chars];
        let starts = self.starts.iter().map(|part| (part, 0));
        let ends = self.ends.iter().map(|part| (part, n_chars - part.len()));
        starts.chain(ends).all(|(part, at)| place(&mut text, part, at, &mut fuel).is_some())
            && can_hold(&mut text, &self.inner, &mut fuel)
    }
}

/// Writes a string at a place; gives the places that were open before, or `None` if other characters stand there.
fn place(text: &mut [Option<char>], part: &[char], at: usize, fuel: &mut u32) -> Option<Vec<usize>> {
    *fuel = fuel.saturating_sub(part.len() as u32 + 1);
    let fits = text[at..].iter().zip(part).all(|(there, c)| there.is_none_or(|there| there == *c));
    if !fits {
        return None;
    }
    let open: Vec<usize> = (at..at + part.len()).filter(|index| text[*index].is_none()).collect();
    open.iter().for_each(|index| text[*index] = Some(part[index - at]));
    Some(open)
}

/// Whether all strings find a place, whatever stands between them; yes, if that takes too long to say.
fn can_hold(text: &mut [Option<char>], parts: &[Vec<char>], fuel: &mut u32) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    for at in 0..=text.len() - first.len() {
        if *fuel == 0 {
            return true;
        }
        if let Some(open) = place(text, first, at, fuel) {
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
