//! Regular expressions as automata: what `s.matches("[a-z]+")` walks.
//!
//! A [`Regex`] is the minimal complete deterministic automaton of a language, over characters and not over bytes. The
//! characters that it never tells apart form a *class*, so that the table has a column for each class only. How one is
//! built from the text of a regular expression is no business of this crate.

/// Index into [`super::Spec::regexes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegexId(pub u32);

/// A language of strings, by its minimal complete automaton.
///
/// ```
/// use target_strategies::ir::Regex;
///
/// // `a*`: state 0 accepts and stays on `a`, state 1 is dead.
/// let regex = Regex {
///     text: "a*".to_owned(),
///     classes: vec![('\0', 0), ('a', 1), ('b', 0)],
///     n_classes: 2,
///     table: vec![1, 0, 1, 1],
///     accepting: vec![true, false],
///     dead: Some(1),
/// };
/// assert!(regex.accepts(Regex::START, "aaa"));
/// assert!(!regex.accepts(Regex::START, "aba"));
/// assert_eq!(regex.next(Regex::START, 'é'), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regex {
    /// As written.
    pub text: String,
    /// Where intervals of characters of one class begin, ascending, with the class; the first is `'\0'`.
    pub classes: Vec<(char, u16)>,
    /// How many classes there are.
    pub n_classes: u16,
    /// The next state, by state and class: `table[state * n_classes + class]`.
    pub table: Vec<u32>,
    /// Whether a string may end in a state.
    pub accepting: Vec<bool>,
    /// The state from which no accepting one is reached, if there is one.
    pub dead: Option<u32>,
}

impl Regex {
    /// The state in which every string begins.
    pub const START: u32 = 0;

    /// How many states there are.
    pub fn n_states(&self) -> u32 {
        self.accepting.len() as u32
    }

    /// The class of a character.
    pub fn class_of(&self, c: char) -> u16 {
        // The first interval begins at the first character.
        self.classes[self.classes.partition_point(|(first, _)| *first <= c) - 1].1
    }

    /// The state behind a state on any character of a class.
    pub fn step(&self, state: u32, class: u16) -> u32 {
        self.table[state as usize * usize::from(self.n_classes) + usize::from(class)]
    }

    /// The state behind a state on a character.
    pub fn next(&self, state: u32, c: char) -> u32 {
        self.step(state, self.class_of(c))
    }

    /// Whether a string that is read from a state on ends in an accepting one.
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

    /// The characters with the same class side by side, ascending: the first and the last, and the class.
    pub fn intervals(&self) -> impl Iterator<Item = (char, char, u16)> {
        let ends = self.classes[1..].iter().map(|(first, _)| before(*first)).chain([char::MAX]);
        self.classes.iter().zip(ends).map(|((first, class), last)| (*first, last, *class))
    }

    /// Whether the parts fit each other, as they do in all that was built and not read from somewhere.
    pub fn is_well_formed(&self) -> bool {
        let n_states = self.accepting.len();
        self.classes.first().is_some_and(|(first, _)| *first == '\0')
            && self.classes.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && self.classes.iter().all(|(_, class)| *class < self.n_classes)
            && self.table.len() == n_states * usize::from(self.n_classes)
            && self.table.iter().all(|next| (*next as usize) < n_states)
            && self.dead.is_none_or(|dead| (dead as usize) < n_states)
            && n_states > 0
    }
}

/// The character before one that isn't the first; surrogates are none.
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
            classes: vec![('\0', 0), ('a', 1), ('d', 2), ('e', 0), ('\u{E000}', 1), ('\u{E001}', 0)],
            n_classes: 3,
            table: vec![1, 2, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1],
            accepting: vec![false, false, true, true],
            dead: Some(1),
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
