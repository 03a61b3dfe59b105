//! The automaton of a test with a regular expression, and the product of several.

use std::collections::HashMap;

use crate::cancel;
use crate::logic::ir::{Regex, before};

/// Maximum number of cells of a product automaton. It limits time and memory.
const MAX_CELLS: usize = 500_000;

/// An automaton under construction.
#[derive(Debug)]
pub struct Automaton {
    /// The first character of each interval of a class, ascending.
    starts: Vec<(char, u32)>,
    pub n_classes: usize,
    pub table: Vec<u32>,
    pub accepting: Vec<bool>,
    pub start: u32,
}

impl Automaton {
    pub fn of(regex: &Regex, start: u32, truth: bool) -> Automaton {
        Automaton {
            starts: regex.classes.iter().map(|(first, class)| (*first, u32::from(*class))).collect(),
            n_classes: regex.n_classes.into(),
            table: regex.table.clone(),
            accepting: regex.accepting.iter().map(|accepts| *accepts == truth).collect(),
            start,
        }
    }

    /// The intersection of two automata; `None` if it is too large.
    pub fn product(&self, other: &Automaton) -> Option<Automaton> {
        let mut classes: Vec<(u32, u32)> = Vec::new();
        let mut class_of = HashMap::new();
        let mut starts: Vec<(char, u32)> = Vec::new();
        let (mut a, mut b) = (0, 0);
        loop {
            let first = self.starts[a].0.max(other.starts[b].0);
            let pair = (self.starts[a].1, other.starts[b].1);
            let class = *class_of.entry(pair).or_insert_with(|| {
                classes.push(pair);
                classes.len() as u32 - 1
            });
            starts.push((first, class));
            let nexts = (self.starts.get(a + 1), other.starts.get(b + 1));
            match nexts {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => (a, b) = (a + 1, b + 1),
                (Some(x), Some(y)) if y.0 < x.0 => b += 1,
                (None, Some(_)) => b += 1,
                (Some(_), _) => a += 1,
            }
        }
        let mut numbers = HashMap::from([((self.start, other.start), 0)]);
        let mut states = vec![(self.start, other.start)];
        let mut table = Vec::new();
        let mut done = 0;
        while let Some((x, y)) = states.get(done).copied() {
            for (c, d) in &classes {
                cancel::step();
                let next = (self.next(x, *c), other.next(y, *d));
                let n_states = states.len() as u32;
                let number = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    n_states
                });
                table.push(number);
            }
            if table.len() > MAX_CELLS {
                return None;
            }
            done += 1;
        }
        let accepts = |(x, y): &(u32, u32)| self.accepting[*x as usize] && other.accepting[*y as usize];
        let accepting = states.iter().map(accepts).collect();
        Some(Automaton { starts, n_classes: classes.len(), table, accepting, start: 0 })
    }

    fn next(&self, state: u32, class: u32) -> u32 {
        self.table[state as usize * self.n_classes + class as usize]
    }

    /// The states from which an accepting state is reachable.
    pub fn live(&self) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.accepting.len()];
        for (state, row) in (0..).zip(self.table.chunks(self.n_classes)) {
            for next in row {
                // Neighbouring classes often have the same successor.
                if before[*next as usize].last() != Some(&state) {
                    before[*next as usize].push(state);
                }
            }
        }
        let mut is_live = self.accepting.clone();
        let mut todo: Vec<u32> = (0..is_live.len() as u32).filter(|state| is_live[*state as usize]).collect();
        while let Some(state) = todo.pop() {
            for source in &before[state as usize] {
                if !std::mem::replace(&mut is_live[*source as usize], true) {
                    todo.push(*source);
                }
            }
        }
        is_live
    }

    /// By state, its live successors, each once.
    pub fn nexts(&self, is_live: &[bool]) -> Vec<Vec<u32>> {
        let rows = self.table.chunks(self.n_classes);
        let live = |row: &[u32]| {
            let mut next: Vec<u32> = row.iter().copied().filter(|next| is_live[*next as usize]).collect();
            next.sort_unstable();
            next.dedup();
            next
        };
        rows.map(live).collect()
    }

    /// The characters of each class, as ascending intervals.
    pub fn classes(&self) -> Vec<Vec<(char, char)>> {
        let mut classes = vec![Vec::new(); self.n_classes];
        let nexts = self.starts[1..].iter().map(|(first, _)| before(*first)).chain([char::MAX]);
        for ((first, class), last) in self.starts.iter().zip(nexts) {
            classes[*class as usize].push((*first, last));
        }
        classes
    }
}

/// Maximum number of characters read from a state until an accepting one; `None` if there is no maximum.
pub fn longest(nexts: &[Vec<u32>], start: u32) -> Option<usize> {
    // Depth-first search: a state that is met again while it is open is on a cycle.
    let mut is_open = vec![false; nexts.len()];
    let mut lengths: Vec<Option<usize>> = vec![None; nexts.len()];
    let mut todo = vec![(start, false)];
    while let Some((state, is_done)) = todo.pop() {
        let index = state as usize;
        if is_done {
            is_open[index] = false;
            let beyond = nexts[index].iter().filter_map(|next| lengths[*next as usize]).max();
            lengths[index] = Some(beyond.map_or(0, |beyond| beyond + 1));
        } else if is_open[index] {
            return None;
        } else if lengths[index].is_none() {
            is_open[index] = true;
            todo.push((state, true));
            for next in &nexts[index] {
                if is_open[*next as usize] {
                    return None;
                }
                if lengths[*next as usize].is_none() {
                    todo.push((*next, false));
                }
            }
        }
    }
    lengths[start as usize]
}
