//! The automaton of all strings that are at most so many insertions, removals and replacements from a string.
//!
//! A state is the row of the table of distances that the characters read so far lead to. Distances beyond the greatest that
//! matters are alike, so that the number of rows grows with the length of the string, not with that of its alphabet.
//!
//! Source: E. Ukkonen, *Finding approximate patterns in strings* (1985).

use std::collections::HashMap;

use target_strategies::logic::ir::Regex;

use super::determine::Automaton;
use super::limits::{MAX_CELLS, MAX_STATES, TooBig, Work};
use super::minimize;

/// Maximum number of steps to build it: a fraction of a second.
const WORK: usize = 5_000_000;

/// The automaton of the strings at most so far from a string; `None` if it is too big.
pub fn near(word: &str, most: usize) -> Option<Regex> {
    built(word, most, &mut Work(WORK)).ok()
}

fn built(word: &str, most: usize, work: &mut Work) -> Result<Regex, TooBig> {
    let word: Vec<char> = word.chars().collect();
    let mut letters = word.clone();
    letters.sort_unstable();
    letters.dedup();
    // Class 0 has all other characters.
    let n_classes = letters.len() + 1;
    let start: Vec<usize> = (0..=word.len()).map(|n| n.min(most + 1)).collect();
    let mut numbers = HashMap::from([(start.clone(), 0_u32)]);
    let (mut rows, mut table) = (vec![start], Vec::new());
    let mut done = 0;
    while done < rows.len() {
        work.charge(n_classes * word.len())?;
        for class in 0..n_classes {
            let letter = class.checked_sub(1).map(|at| letters[at]);
            let next = after(&rows[done], &word, letter, most + 1);
            let n_rows = rows.len() as u32;
            let number = *numbers.entry(next).or_insert_with_key(|next| {
                rows.push(next.clone());
                n_rows
            });
            table.push(number);
        }
        done += 1;
        if rows.len() > MAX_STATES || table.len() > MAX_CELLS {
            return Err(TooBig);
        }
    }
    let accepting = rows.iter().map(|row| row[word.len()] <= most).collect();
    let minimal = minimize::minimal(Automaton { n_classes, table, accepting });
    let text = format!("(at most {most} changes of {word:?})");
    Ok(minimize::numbered(&text, &intervals(&letters), &minimal))
}

/// The next row of the table of distances.
fn after(row: &[usize], word: &[char], letter: Option<char>, most: usize) -> Vec<usize> {
    let mut next = Vec::with_capacity(row.len());
    next.push((row[0] + 1).min(most));
    for (at, own) in word.iter().enumerate() {
        let replaced = row[at] + usize::from(letter != Some(*own));
        next.push(replaced.min(row[at + 1] + 1).min(next[at] + 1).min(most));
    }
    next
}

/// The first characters of the intervals, each with its class.
fn intervals(letters: &[char]) -> Vec<(char, u16)> {
    let mut intervals = vec![('\0', 0)];
    for (letter, class) in letters.iter().zip(1..) {
        if intervals.last().is_some_and(|(first, _)| first == letter) {
            intervals.pop();
        }
        intervals.push((*letter, class));
        intervals.extend((*letter..=char::MAX).nth(1).map(|next| (next, 0)));
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance by its definition: the least number of steps that make one string of the other.
    fn distance(a: &[char], b: &[char]) -> usize {
        match (a, b) {
            ([], rest) | (rest, []) => rest.len(),
            ([x, a_rest @ ..], [y, b_rest @ ..]) => {
                let replaced = distance(a_rest, b_rest) + usize::from(x != y);
                replaced.min(distance(a_rest, b) + 1).min(distance(a, b_rest) + 1)
            }
        }
    }

    #[test]
    fn the_automaton_accepts_what_is_near() {
        let alphabet = ['\0', 'a', 'b', 'c', '\u{D7FF}', char::MAX];
        let mut words = vec![Vec::new()];
        for at in 0..4 {
            let longest: Vec<Vec<char>> =
                words.iter().filter(|word: &&Vec<char>| word.len() == at).cloned().collect();
            let usual = if at < 2 { &alphabet[..] } else { &alphabet[1..3] };
            words.extend(
                longest.iter().flat_map(|word| usual.iter().map(|c| [word.as_slice(), &[*c]].concat())),
            );
        }
        for word in words.iter().step_by(7) {
            let text: String = word.iter().collect();
            for most in 0..4 {
                let regex = near(&text, most).expect("it is small");
                assert!(regex.is_well_formed());
                for other in &words {
                    let is_near = distance(word, other) <= most;
                    let other: String = other.iter().collect();
                    assert_eq!(regex.accepts(Regex::START, &other), is_near, "{text:?} {other:?} {most}");
                }
            }
        }
    }

    #[test]
    fn long_strings_have_automata_of_few_states_and_far_ones_none() {
        let long: String = ('a'..='z').cycle().take(200).collect();
        assert!(near(&long, 1).expect("it is small").n_states() < 2_000);
        assert_eq!(near(&long, 100), None);
    }
}
