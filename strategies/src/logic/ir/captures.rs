//! Regular expressions as programs that tell the groups of a match, for `s.captures("(?<m>\\d\\d)-..")`.
//!
//! An automaton forgets which thread led to a match. A [`Program`] follows all threads at once, in the order in which the
//! crate `regex` prefers them, so its work is linear in the length of the text: Pike's machine. The whole text must
//! match. This crate doesn't compile the text of regular expressions.

use crate::cancel;

/// A regular expression as instructions.
///
/// ```
/// use target_strategies::logic::ir::{Instruction, Program};
///
/// // `(a)?b`
/// let program = Program {
///     names: vec![None, None],
///     start: 4,
///     code: vec![
///         Instruction::Match,
///         Instruction::Read(vec![('b', 'b')], 0),
///         Instruction::Save(3, 1),
///         Instruction::Read(vec![('a', 'a')], 2),
///         Instruction::Split(vec![5, 1]),
///         Instruction::Save(2, 3),
///     ],
/// };
/// assert_eq!(program.groups("ab"), Some(vec![Some("ab"), Some("a")]));
/// assert_eq!(program.groups("b"), Some(vec![Some("b"), None]));
/// assert_eq!(program.groups("abb"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The names of the groups; group 0 is the whole match.
    pub names: Vec<Option<String>>,
    /// The first instruction.
    pub start: u32,
    /// The instructions.
    pub code: Vec<Instruction>,
}

/// A step of a program. The numbers are of the next instructions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// The text matches, if it ends here.
    Match,
    /// Reads a character in one of these ascending intervals.
    Read(Vec<(char, char)>, u32),
    /// Continues at each of these; the first is preferred.
    Split(Vec<u32>),
    /// Notes the position: of the start of group `n` as `2n`, of its end as `2n + 1`.
    Save(u32, u32),
    /// Continues at the start of the text.
    Start(u32),
    /// Continues at the end of the text.
    End(u32),
}

/// Maximum number of threads at a character that isn't known.
const MOST_THREADS: usize = 256;

/// A run of a program up to a character: the next instruction, and the noted positions.
#[derive(Clone, PartialEq)]
struct Thread {
    at: u32,
    saved: Vec<Option<usize>>,
}

impl Program {
    /// The groups of a text that matches, by number; `None` if it doesn't match.
    pub fn groups<'t>(&self, text: &'t str) -> Option<Vec<Option<&'t str>>> {
        let mut threads = Vec::new();
        let first = Thread { at: self.start, saved: vec![None; 2 * self.names.len()] };
        self.follow(first, 0, text.len(), &mut vec![false; self.code.len()], &mut threads);
        for (offset, c) in text.char_indices() {
            let mut next = Vec::new();
            let mut seen = vec![false; self.code.len()];
            for thread in threads {
                if let Instruction::Read(set, to) = &self.code[thread.at as usize]
                    && set.iter().any(|(first, last)| (*first..=*last).contains(&c))
                {
                    let thread = Thread { at: *to, ..thread };
                    self.follow(thread, offset + c.len_utf8(), text.len(), &mut seen, &mut next);
                }
            }
            threads = next;
        }
        let is_match = |thread: &&Thread| matches!(self.code[thread.at as usize], Instruction::Match);
        let saved = &threads.iter().find(is_match)?.saved;
        let group = |n: usize| match (saved.get(2 * n), saved.get(2 * n + 1)) {
            (Some(Some(start)), Some(Some(end))) => text.get(*start..*end),
            _ => None,
        };
        Some((0..self.names.len()).map(|n| if n == 0 { Some(text) } else { group(n) }).collect())
    }

    /// Adds the threads that a thread becomes without reading a character, the preferred ones first. Of the threads
    /// at an instruction, the first stays.
    fn follow(&self, first: Thread, here: usize, end: usize, seen: &mut [bool], into: &mut Vec<Thread>) {
        let mut open = vec![first];
        while let Some(mut thread) = open.pop() {
            if std::mem::replace(&mut seen[thread.at as usize], true) {
                continue;
            }
            match &self.code[thread.at as usize] {
                Instruction::Match | Instruction::Read(..) => into.push(thread),
                Instruction::Split(targets) => {
                    open.extend(
                        targets.iter().rev().map(|at| Thread { at: *at, saved: thread.saved.clone() }),
                    );
                }
                Instruction::Save(slot, next) => {
                    if let Some(slot) = thread.saved.get_mut(*slot as usize) {
                        *slot = Some(here);
                    }
                    open.push(Thread { at: *next, ..thread });
                }
                Instruction::Start(next) if here == 0 => open.push(Thread { at: *next, ..thread }),
                Instruction::End(next) if here == end => open.push(Thread { at: *next, ..thread }),
                Instruction::Start(_) | Instruction::End(_) => {}
            }
        }
    }

    /// Where the groups are in a text of which only the choices for each character are known, by number: the indices of the first
    /// character and of the one after the last, `None` for a group without a part in the match. `None` if that depends on the
    /// choices, if some of them don't match, or if it takes too long to see.
    pub fn positions(&self, chars: &[Vec<char>]) -> Option<Vec<Option<(usize, usize)>>> {
        let mut threads = vec![Thread { at: self.start, saved: vec![None; 2 * self.names.len()] }];
        for here in 0..=chars.len() {
            cancel::look_after(threads.len() as u64);
            let mut seen: Vec<Thread> = Vec::new();
            let mut next = Vec::new();
            while let Some(mut thread) = threads.pop() {
                if seen.contains(&thread) {
                    continue;
                }
                if seen.len() == MOST_THREADS {
                    return None;
                }
                seen.push(thread.clone());
                match &self.code[thread.at as usize] {
                    Instruction::Match if here == chars.len() => next.push(thread),
                    Instruction::Read(set, to) if here < chars.len() => {
                        let is_read = |c: &&char| set.iter().any(|(first, last)| (first..=last).contains(c));
                        let n_read = chars[here].iter().filter(is_read).count();
                        if n_read == chars[here].len() {
                            next.push(Thread { at: *to, ..thread });
                        } else if n_read > 0 {
                            return None;
                        }
                    }
                    Instruction::Split(targets) if threads.len() + targets.len() > MOST_THREADS => {
                        return None;
                    }
                    Instruction::Split(targets) => {
                        threads.extend(targets.iter().map(|at| Thread { at: *at, ..thread.clone() }));
                    }
                    Instruction::Save(slot, to) => {
                        if let Some(slot) = thread.saved.get_mut(*slot as usize) {
                            *slot = Some(here);
                        }
                        threads.push(Thread { at: *to, ..thread });
                    }
                    Instruction::Start(to) if here == 0 => threads.push(Thread { at: *to, ..thread }),
                    Instruction::End(to) if here == chars.len() => {
                        threads.push(Thread { at: *to, ..thread });
                    }
                    Instruction::Match
                    | Instruction::Read(..)
                    | Instruction::Start(_)
                    | Instruction::End(_) => {}
                }
            }
            threads = next;
        }
        let saved = &threads.first()?.saved;
        let is_same = threads.iter().all(|thread| thread.saved == *saved);
        let group = |n: usize| match (n, saved[2 * n], saved[2 * n + 1]) {
            (0, ..) => Some((0, chars.len())),
            (_, Some(start), Some(end)) => Some((start, end)),
            _ => None,
        };
        is_same.then(|| (0..self.names.len()).map(group).collect())
    }

    /// Number of groups, with the whole match.
    pub fn n_groups(&self) -> usize {
        self.names.len()
    }

    /// Whether all numbers are of instructions. A program read from bytes may have others.
    pub fn is_well_formed(&self) -> bool {
        let is_there = |at: u32| (at as usize) < self.code.len();
        let is_sound = |instruction: &Instruction| match instruction {
            Instruction::Match => true,
            Instruction::Read(_, next)
            | Instruction::Save(_, next)
            | Instruction::Start(next)
            | Instruction::End(next) => is_there(*next),
            Instruction::Split(targets) => targets.iter().all(|at| is_there(*at)),
        };
        !self.names.is_empty() && is_there(self.start) && self.code.iter().all(is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(a*?)(a*)`
    fn sample() -> Program {
        let a = || vec![('a', 'a')];
        Program {
            names: vec![None, Some("few".to_owned()), None],
            start: 8,
            code: vec![
                Instruction::Match,
                Instruction::Save(5, 0),
                Instruction::Read(a(), 3),
                Instruction::Split(vec![2, 1]),
                Instruction::Save(4, 3),
                Instruction::Save(3, 4),
                Instruction::Read(a(), 7),
                Instruction::Split(vec![5, 6]),
                Instruction::Save(2, 7),
            ],
        }
    }

    #[test]
    fn the_preferred_thread_has_the_groups() {
        assert!(sample().is_well_formed());
        assert_eq!(sample().groups("aa"), Some(vec![Some("aa"), Some(""), Some("aa")]));
        assert_eq!(sample().groups(""), Some(vec![Some(""), Some(""), Some("")]));
        assert_eq!(sample().groups("ab"), None);
    }

    #[test]
    fn groups_are_where_all_choices_have_them() {
        // `(a?)([bc])`
        let program = Program {
            names: vec![None, None, None],
            start: 7,
            code: vec![
                Instruction::Match,
                Instruction::Save(5, 0),
                Instruction::Read(vec![('b', 'c')], 1),
                Instruction::Save(4, 2),
                Instruction::Save(3, 3),
                Instruction::Read(vec![('a', 'a')], 4),
                Instruction::Split(vec![5, 4]),
                Instruction::Save(2, 6),
            ],
        };
        let positions = |chars: &[&str]| {
            program.positions(&chars.iter().map(|choices| choices.chars().collect()).collect::<Vec<_>>())
        };
        assert_eq!(positions(&["a", "bc"]), Some(vec![Some((0, 2)), Some((0, 1)), Some((1, 2))]));
        assert_eq!(positions(&["bc"]), Some(vec![Some((0, 1)), Some((0, 0)), Some((0, 1))]));
        // Some choices match no character, or not all of the text.
        assert_eq!(positions(&["a", "bd"]), None);
        assert_eq!(positions(&["b", "b"]), None);
        // Which group an `a` is in depends on preferences.
        assert_eq!(sample().positions(&[vec!['a']]), None);
    }

    #[test]
    fn parts_that_do_not_fit_are_seen() {
        for spoil in [
            |program: &mut Program| program.start = 9,
            |program: &mut Program| program.names.clear(),
            |program: &mut Program| program.code[3] = Instruction::Split(vec![2, 9]),
            |program: &mut Program| program.code[1] = Instruction::Save(5, 9),
        ] {
            let mut program = sample();
            spoil(&mut program);
            assert!(!program.is_well_formed(), "{program:?}");
        }
    }
}
