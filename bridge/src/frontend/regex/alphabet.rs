//! The classes of characters that a regular expression distinguishes.

use std::collections::{BTreeSet, HashMap};

use regex_syntax::hir::{Class, Hir, HirKind};

use super::limits::{TooBig, Work};

/// Maximum number of classes.
const MAX_CLASSES: usize = 4096;

/// A set of characters, as ascending intervals with inclusive bounds.
pub type Set = Vec<(char, char)>;

/// All characters, divided so that no set of the expression splits a class.
#[derive(Debug)]
pub struct Alphabet {
    /// The starts of the intervals, ascending, and their classes; classes are numbered in order of appearance.
    pub intervals: Vec<(char, u16)>,
    /// Number of classes.
    pub n_classes: usize,
    /// The sets of the expression, by number.
    numbers: HashMap<Set, u32>,
    /// The classes in each set.
    pub classes_of: Vec<Vec<u16>>,
}

impl Alphabet {
    /// The alphabet of an expression.
    pub fn of(hir: &Hir, work: &mut Work) -> Result<Alphabet, TooBig> {
        let mut numbers = HashMap::new();
        collect(hir, &mut numbers, work)?;
        let mut sets: Vec<(u32, &Set)> = numbers.iter().map(|(set, number)| (*number, set)).collect();
        sets.sort_unstable();
        let mut starts = BTreeSet::from(['\0']);
        for (_, set) in &sets {
            work.charge(set.len())?;
            starts.extend(set.iter().flat_map(|(first, last)| [Some(*first), after(*last)]).flatten());
        }
        let starts: Vec<char> = starts.into_iter().collect();
        let mut members = vec![Vec::new(); starts.len()];
        for (number, set) in &sets {
            for (first, last) in set.iter() {
                let inside = starts.partition_point(|c| c < first)..starts.partition_point(|c| c <= last);
                work.charge(inside.len())?;
                members[inside].iter_mut().for_each(|sets| sets.push(*number));
            }
        }
        let mut classes = HashMap::new();
        let mut classes_of = vec![Vec::new(); sets.len()];
        let mut intervals: Vec<(char, u16)> = Vec::with_capacity(starts.len());
        for (start, sets) in starts.into_iter().zip(members) {
            let next = classes.len() as u16;
            let class = *classes.entry(sets).or_insert_with_key(|sets| {
                sets.iter().for_each(|set| classes_of[*set as usize].push(next));
                next
            });
            if classes.len() > MAX_CLASSES {
                return Err(TooBig);
            }
            if intervals.last().is_none_or(|(_, last)| *last != class) {
                intervals.push((start, class));
            }
        }
        let n_classes = classes.len();
        Ok(Alphabet { intervals, n_classes, numbers, classes_of })
    }

    /// The number of a set of the expression.
    pub fn number(&self, set: &Set) -> u32 {
        *self.numbers.get(set).expect("the sets of the whole expression were collected")
    }
}

/// The next character, if there is one.
fn after(c: char) -> Option<char> {
    if c == '\u{D7FF}' { Some('\u{E000}') } else { char::from_u32(u32::from(c) + 1) }
}

fn collect(hir: &Hir, numbers: &mut HashMap<Set, u32>, work: &mut Work) -> Result<(), TooBig> {
    for set in sets_of(hir) {
        work.charge(set.len() + 1)?;
        let next = numbers.len() as u32;
        numbers.entry(set).or_insert(next);
    }
    hir.kind().subs().iter().try_for_each(|sub| collect(sub, numbers, work))
}

/// The sets directly in an expression, one after another.
pub fn sets_of(hir: &Hir) -> Vec<Set> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).expect("only what matches UTF-8 is translated");
            text.chars().map(|c| vec![(c, c)]).collect()
        }
        HirKind::Class(class) => {
            let unicode = match class {
                Class::Unicode(class) => class.clone(),
                Class::Bytes(class) => {
                    class.to_unicode_class().expect("only what matches UTF-8 is translated")
                }
            };
            vec![unicode.iter().map(|range| (range.start(), range.end())).collect()]
        }
        _ => Vec::new(),
    }
}
