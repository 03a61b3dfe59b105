//! Regular expressions as automata, for terms such as `s.matches("[a-z]+")`.
//!
//! A [`Regex`] is the minimal complete deterministic automaton of a language over characters, not bytes. Characters
//! that it never distinguishes form a *class*, and the table has one column for each class. This crate doesn't
//! compile the text of regular expressions.

use super::captures::Program;

/// A language of strings, by its minimal complete automaton.
///
/// ```
/// use target_strategies::logic::ir::Regex;
///
/// // `a*`: state 0 accepts and stays on `a`, state 1 is dead.
/// let regex = Regex {
///     text: "a*".to_owned(),
///     named: vec!['a'],
///     classes: vec![('\0', 0), ('a', 1), ('b', 0)],
///     n_classes: 2,
///     table: vec![1, 0, 1, 1],
///     accepting: vec![true, false],
///     dead: Some(1),
///     program: None,
/// };
/// assert!(regex.accepts(Regex::START, "aaa"));
/// assert!(!regex.accepts(Regex::START, "aba"));
/// assert_eq!(regex.next(Regex::START, 'é'), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regex {
    /// The text of the regular expression.
    pub text: String,
    /// The characters that the text names, ascending: literals, and the endpoints of ranges and classes. They are the
    /// likeliest to be treated in a special way.
    pub named: Vec<char>,
    /// The first character of each interval of a class, ascending, with the class. The first one is `'\0'`.
    pub classes: Vec<(char, u16)>,
    /// Number of classes.
    pub n_classes: u16,
    /// The next state, by state and class: `table[state * n_classes + class]`.
    pub table: Vec<u32>,
    /// Whether a string may end in a state.
    pub accepting: Vec<bool>,
    /// The state from which no accepting state is reachable, if there is one.
    pub dead: Option<u32>,
    /// The instructions that tell the groups, if `captures` uses them.
    pub program: Option<Program>,
}

impl Regex {
    /// The start state.
    pub const START: u32 = 0;

    /// Number of states.
    pub fn n_states(&self) -> u32 {
        self.accepting.len() as u32
    }

    /// The class of a character.
    pub fn class_of(&self, c: char) -> u16 {
        // The first interval begins at the first character.
        self.classes[self.classes.partition_point(|(first, _)| *first <= c) - 1].1
    }

    /// The next state after any character of a class.
    pub fn step(&self, state: u32, class: u16) -> u32 {
        self.table[state as usize * usize::from(self.n_classes) + usize::from(class)]
    }

    /// The next state after a character.
    pub fn next(&self, state: u32, c: char) -> u32 {
        self.step(state, self.class_of(c))
    }

    /// Whether a string read from a state ends in an accepting one.
    pub fn accepts(&self, state: u32, text: &str) -> bool {
        let mut state = state;
        for c in text.chars() {
            if Some(state) == self.dead {
                return false;
            }
            state = self.next(state, c);
        }
        self.accepting[state as usize]
    }

    /// The maximal intervals of one class, ascending: the first and the last character, and the class.
    pub fn intervals(&self) -> impl Iterator<Item = (char, char, u16)> {
        let lasts = self.classes[1..].iter().map(|(first, _)| before(*first)).chain([char::MAX]);
        self.classes.iter().zip(lasts).map(|((first, class), last)| (*first, last, *class))
    }

    /// Whether the parts are consistent. An automaton read from bytes may not be.
    pub fn is_well_formed(&self) -> bool {
        let n_states = self.accepting.len();
        self.classes.first().is_some_and(|(first, _)| *first == '\0')
            && self.classes.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && self.classes.iter().all(|(_, class)| *class < self.n_classes)
            && self.table.len() == n_states * usize::from(self.n_classes)
            && self.table.iter().all(|next| (*next as usize) < n_states)
            && self.dead.is_none_or(|dead| (dead as usize) < n_states)
            && self.program.as_ref().is_none_or(Program::is_well_formed)
            && n_states > 0
    }
}

/// The previous character, skipping surrogates. There must be one.
pub(crate) fn before(c: char) -> char {
    char::from_u32(u32::from(c).wrapping_sub(1)).unwrap_or('\u{D7FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[a-c\u{E000}]d?`
    fn sample() -> Regex {
        Regex {
            text: "[a-c\u{E000}]d?".to_owned(),
            named: vec!['a', 'c', 'd', '\u{E000}'],
            classes: vec![('\0', 0), ('a', 1), ('d', 2), ('e', 0), ('\u{E000}', 1), ('\u{E001}', 0)],
            n_classes: 3,
            table: vec![1, 2, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1],
            accepting: vec![false, false, true, true],
            dead: Some(1),
            program: None,
        }
    }

    #[test]
    fn intervals_cover_all_characters() {
        let intervals: Vec<_> = sample().intervals().collect();
        assert_eq!(intervals[1..4], [('a', 'c', 1), ('d', 'd', 2), ('e', '\u{D7FF}', 0)]);
        assert_eq!(intervals[5], ('\u{E001}', char::MAX, 0));
        for (first, last, class) in intervals {
            assert_eq!((sample().class_of(first), sample().class_of(last)), (class, class));
        }
    }

    #[test]
    fn strings_are_read_from_any_state() {
        let regex = sample();
        assert!(regex.is_well_formed());
        assert!(["a", "cd", "\u{E000}d"].iter().all(|text| regex.accepts(Regex::START, text)));
        assert!(["", "d", "ad\0", "add", "ab"].iter().all(|text| !regex.accepts(Regex::START, text)));
        assert!(regex.accepts(regex.next(Regex::START, 'b'), "d"));
        assert!(!regex.accepts(1, "d"));
    }

    #[test]
    fn parts_that_do_not_fit_are_seen() {
        for spoil in [
            |regex: &mut Regex| regex.classes[0].0 = 'A',
            |regex: &mut Regex| regex.classes[2].1 = 3,
            |regex: &mut Regex| regex.classes.swap(1, 2),
            |regex: &mut Regex| regex.table.truncate(11),
            |regex: &mut Regex| regex.table[0] = 4,
            |regex: &mut Regex| regex.dead = Some(4),
        ] {
            let mut regex = sample();
            spoil(&mut regex);
            assert!(!regex.is_well_formed(), "{regex:?}");
        }
    }
}
