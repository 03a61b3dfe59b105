//! The changes of a text.

use std::ops::Range;

use super::super::constants::Constants;
use crate::dice::Dice;

/// Percentage of changes after which there is another one, and the most.
const MORE: u64 = 40;
const MOST: usize = 4;

/// Percentage of twins that differ in their last word or number.
const LAST: u64 = 50;

/// Number of kinds of changes.
const KINDS: usize = 11;

/// Percentage of places where the kind of character changes.
const JOINT: u64 = 60;

/// Percentage of parts that end at such a place, and the greatest length of the others.
const TO_PLACE: u64 = 50;
const SHORT: usize = 3;

/// Maximum length of a text of the spec or the source that is inserted, in bytes.
const LONGEST_INSERTED: usize = 12;

/// Maximum length of the pieces between separators.
const LONGEST_PIECE: usize = 6;

/// Characters that parsers of numbers and names accept or forget.
const SIGNS: [char; 12] = ['+', '-', '.', '_', ' ', '0', 'e', '/', ':', '\\', '"', '\n'];

/// Numbers whose order as text is another one than that of the numbers.
const NUMBERS: [&str; 4] = ["9", "10", "99", "100"];

/// What a number may begin with.
const FIRST: [char; 4] = ['+', '-', '0', ' '];

/// Where new characters come from.
pub(super) struct Alphabet<'c> {
    pub(super) constants: &'c Constants,
    /// The characters of a text of the input.
    pub(super) others: &'c [char],
}

impl Alphabet<'_> {
    /// Changes a text, once or a few times.
    pub(super) fn change(&self, text: &mut Vec<char>, dice: &mut Dice) {
        for _ in 0..MOST {
            self.change_once(text, dice);
            if !dice.percent(MORE) {
                break;
            }
        }
    }

    fn change_once(&self, text: &mut Vec<char>, dice: &mut Dice) {
        match dice.index(KINDS) {
            0 => _ = text.drain(part(text, dice)),
            1 => {
                let part = part(text, dice);
                let repeated = text[part.clone()].to_vec();
                text.splice(part.start..part.start, repeated);
            }
            2 => text.truncate(place(text, dice)),
            3 => change_number(text, dice),
            4 | 5 => change_pieces(text, dice),
            6 => *text = self.separated(text, dice),
            7 => {
                let part = part(text, dice);
                text.splice(part, [self.char(text, dice)]);
            }
            8 | 9 => {
                let at = dice.index(text.len() + 1);
                let to = (at + 1).min(text.len());
                text.splice(at..to, [self.char(text, dice)]);
            }
            _ => {
                let at = place(text, dice);
                let short = self.constants.texts.iter().filter(|text| text.len() <= LONGEST_INSERTED);
                let short: Vec<_> = short.collect();
                match short.get(dice.index(2 * short.len().max(1))) {
                    Some(inserted) => _ = text.splice(at..at, inserted.chars()),
                    None => text.insert(at, self.char(text, dice)),
                }
            }
        }
    }

    /// A character: of the spec or the source, of another text, one of the text in the other case, a sign, or any printable one.
    fn char(&self, text: &[char], dice: &mut Dice) -> char {
        let from: &[char] = match dice.index(8) {
            0..=2 => &self.constants.chars,
            3 => self.others,
            4 => text,
            5 | 6 => &SIGNS,
            _ => &[],
        };
        match from.get(dice.index(from.len().max(1))) {
            Some(c) if std::ptr::eq(from, text) => other_case(*c),
            Some(c) => *c,
            None => char::from(b' ' + dice.index(95) as u8),
        }
    }

    /// The letters and digits of a text in pieces, with one separator between each two.
    fn separated(&self, text: &[char], dice: &mut Dice) -> Vec<char> {
        let separators: Vec<char> = self.constants.chars.iter().copied().filter(is_separator).collect();
        let separator = separators.get(dice.index(separators.len().max(1))).copied().unwrap_or(' ');
        let kept: Vec<char> = text.iter().copied().filter(|c| c.is_alphanumeric()).collect();
        let (mut pieces, mut left) = (Vec::new(), &kept[..]);
        while !left.is_empty() {
            let (piece, rest) = left.split_at((1 + dice.index(LONGEST_PIECE)).min(left.len()));
            pieces.push(piece);
            left = rest;
        }
        pieces.join(&separator)
    }
}

/// The start of one text, and the end of another one. If both have a separator, they are cut there: two versions then have the number in common,
/// and differ in what follows. `None` if the start is empty.
pub(super) fn joined(start: &[char], end: &[char], dice: &mut Dice) -> Option<Vec<char>> {
    let common: Vec<&char> = start.iter().filter(|c| is_separator(c) && end.contains(c)).collect();
    let (from, to) = match common.get(dice.index(common.len().max(1))) {
        Some(separator) => {
            let mut cut = |text: &[char]| {
                let places: Vec<usize> = (0..text.len()).filter(|at| text[*at] == **separator).collect();
                places[dice.index(places.len())]
            };
            (cut(start), cut(end))
        }
        None => (dice.index(start.len() + 1), dice.index(end.len() + 1)),
    };
    (from > 0).then(|| [&start[..from], &end[to..]].concat())
}

/// A text twice, with different words or numbers in one place; `None` if they happen to be the same.
pub(super) fn twins(text: &[char], dice: &mut Dice) -> Option<[Vec<char>; 2]> {
    let place = word(text, dice);
    let separator = text.iter().rev().copied().find(is_separator).unwrap_or('.');
    let (one, other) = two_words(&text[place.clone()], separator, dice);
    let with = |word: &[char]| [&text[..place.start], word, &text[place.end..]].concat();
    let mut made = [with(&one), with(&other)];
    if dice.percent(50) {
        made.reverse();
    }
    (one != other).then_some(made)
}

/// Where a word or number is in a text, often the last one: two versions that differ before are compared no further.
fn word(text: &[char], dice: &mut Dice) -> Range<usize> {
    let is_word = |at: usize| text.get(at).is_some_and(|c| c.is_alphanumeric());
    let ends: Vec<usize> = (1..=text.len()).filter(|at| is_word(at - 1) && !is_word(*at)).collect();
    let at = if dice.percent(LAST) { ends.len().saturating_sub(1) } else { dice.index(ends.len().max(1)) };
    let end = ends.get(at).copied().unwrap_or(text.len());
    let len = text[..end].iter().rev().take_while(|c| c.is_alphanumeric()).count();
    end - len..end
}

/// Two words for one place: numbers, the same one with another part behind it, or in the other case.
fn two_words(own: &[char], separator: char, dice: &mut Dice) -> (Vec<char>, Vec<char>) {
    let has_letter = own.iter().any(char::is_ascii_alphabetic);
    match dice.index(4) {
        0 | 1 => (any_number(dice), any_number(dice)),
        2 => (own.to_vec(), [own, &[separator], &any_number(dice)].concat()),
        _ if has_letter && dice.percent(50) => (own.to_vec(), own.iter().copied().map(other_case).collect()),
        _ => (own.to_vec(), any_number(dice)),
    }
}

/// Of the pieces between separators, such as the fields of a line or the names in a path, one is removed, comes twice, becomes a number, or
/// changes places with another one.
fn change_pieces(text: &mut Vec<char>, dice: &mut Dice) {
    let separators: Vec<char> = text.iter().copied().filter(is_separator).collect();
    let Some(separator) = separators.get(dice.index(separators.len().max(1))) else {
        return change_number(text, dice);
    };
    let mut pieces: Vec<Vec<char>> = text.split(|c| c == separator).map(<[char]>::to_vec).collect();
    let (at, other) = (dice.index(pieces.len()), dice.index(pieces.len()));
    match dice.index(4) {
        0 => _ = pieces.remove(at),
        1 => pieces.insert(at + dice.index(2), pieces[other].clone()),
        2 => pieces[at] = any_number(dice),
        _ => pieces.swap(at, other),
    }
    *text = pieces.join(separator);
}

/// A number becomes another one, or begins with a sign or a zero, which may replace its first digit.
fn change_number(text: &mut Vec<char>, dice: &mut Dice) {
    let number = number(text, dice);
    if dice.percent(50) {
        text.splice(number, any_number(dice));
        return;
    }
    let n_replaced = if dice.percent(50) { number.len().min(1) } else { 0 };
    text.splice(number.start..number.start + n_replaced, [FIRST[dice.index(FIRST.len())]]);
}

/// A number of one or two digits, or one of [`NUMBERS`].
fn any_number(dice: &mut Dice) -> Vec<char> {
    let special = NUMBERS.get(dice.index(2 * NUMBERS.len()));
    special.map_or_else(|| dice.index(100).to_string(), |n| (*n).to_owned()).chars().collect()
}

/// Where a number is in a text; if it has none, where one may be.
fn number(text: &[char], dice: &mut Dice) -> Range<usize> {
    let is_digit = |at: usize| text.get(at).is_some_and(char::is_ascii_digit);
    let starts = |at: &usize| is_digit(*at) && (*at == 0 || !is_digit(at - 1));
    let all: Vec<usize> = (0..text.len()).filter(starts).collect();
    match all.get(dice.index(all.len().max(1))) {
        Some(from) => *from..*from + text[*from..].iter().take_while(|c| c.is_ascii_digit()).count(),
        None => {
            let at = place(text, dice);
            at..at
        }
    }
}

/// A place in a text: mostly where it begins or ends, or where the kind of character changes.
fn place(text: &[char], dice: &mut Dice) -> usize {
    if !dice.percent(JOINT) {
        return dice.index(text.len() + 1);
    }
    let is_joint = |at: &usize| *at == 0 || *at == text.len() || kind(text[at - 1]) != kind(text[*at]);
    let joints: Vec<usize> = (0..=text.len()).filter(is_joint).collect();
    joints[dice.index(joints.len())]
}

/// A part between two places, or a short one.
fn part(text: &[char], dice: &mut Dice) -> Range<usize> {
    let from = place(text, dice);
    let to = if dice.percent(TO_PLACE) {
        place(text, dice)
    } else {
        (from + 1 + dice.index(SHORT)).min(text.len())
    };
    from.min(to)..from.max(to)
}

/// Letters are of one kind, digits of another one, and each other character is of its own.
fn kind(c: char) -> char {
    if c.is_alphabetic() {
        'a'
    } else if c.is_numeric() {
        '0'
    } else {
        c
    }
}

fn is_separator(c: &char) -> bool {
    !c.is_alphanumeric()
}

fn other_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}
