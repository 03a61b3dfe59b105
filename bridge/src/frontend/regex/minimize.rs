//! The minimal automaton of a language, by Hopcroft's algorithm, with a canonical numbering of its states and classes.
//!
//! Source: Hopcroft, *An n log n algorithm for minimizing states in a finite automaton*, 1971.

use std::collections::HashMap;

use target_strategies::logic::ir::Regex;

use super::determine::Automaton;

/// An automaton without redundant states or classes.
#[derive(Debug)]
pub struct Minimal {
    automaton: Automaton,
    /// The new class of each class of the alphabet.
    class_of: Vec<u16>,
}

/// The minimal automaton for the same language.
pub fn minimal(automaton: Automaton) -> Minimal {
    let n_classes = automaton.n_classes;
    let mut minimal = Minimal { automaton, class_of: (0..n_classes as u16).collect() };
    minimal.merge_classes();
    let mut partition = Partition::of(&minimal.automaton);
    partition.refine(&minimal.automaton);
    minimal.merge_states(&partition.block_of);
    minimal.merge_classes();
    minimal
}

impl Minimal {
    /// How many states and classes it has.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize) {
        (self.automaton.accepting.len(), self.automaton.n_classes)
    }

    /// Merges classes that lead to the same state from each state.
    fn merge_classes(&mut self) {
        let Automaton { n_classes, table, .. } = &self.automaton;
        let (mut numbers, mut kept) = (HashMap::new(), Vec::new());
        let merged: Vec<u16> = (0..*n_classes)
            .map(|class| {
                let column: Vec<u32> = table.iter().skip(class).step_by(*n_classes).copied().collect();
                *numbers.entry(column).or_insert_with(|| {
                    kept.push(class);
                    kept.len() as u16 - 1
                })
            })
            .collect();
        let rows = table.chunks(*n_classes);
        self.automaton.table = rows.flat_map(|row| kept.iter().map(|class| row[*class])).collect();
        self.automaton.n_classes = kept.len();
        self.class_of.iter_mut().for_each(|class| *class = merged[usize::from(*class)]);
    }

    /// Merges each block of states into one state, numbered in the order of reachability from the start.
    fn merge_states(&mut self, block_of: &[u32]) {
        let Automaton { n_classes, table, accepting } = &self.automaton;
        let mut number_of: HashMap<u32, u32> = HashMap::from([(block_of[0], 0)]);
        let mut order = vec![0_u32];
        let mut merged = Vec::new();
        let mut done = 0;
        while let Some(state) = order.get(done).copied() {
            for next in &table[state as usize * n_classes..][..*n_classes] {
                let n_states = order.len() as u32;
                let number = *number_of.entry(block_of[*next as usize]).or_insert_with(|| {
                    order.push(*next);
                    n_states
                });
                merged.push(number);
            }
            done += 1;
        }
        self.automaton.accepting = order.iter().map(|state| accepting[*state as usize]).collect();
        self.automaton.table = merged;
    }
}

/// The automaton as used in the terms of a spec. `intervals` are the first characters of each interval of a class, with the class.
pub fn numbered(text: &str, intervals: &[(char, u16)], minimal: &Minimal) -> Regex {
    let Minimal { automaton, class_of } = minimal;
    let mut classes: Vec<(char, u16)> = Vec::new();
    for (first, class) in intervals {
        let class = class_of[usize::from(*class)];
        if classes.last().is_none_or(|(_, last)| *last != class) {
            classes.push((*first, class));
        }
    }
    let mut rows = (0..).zip(automaton.table.chunks(automaton.n_classes)).zip(&automaton.accepting);
    let dead = rows.find(|((state, row), accepts)| !**accepts && row.iter().all(|next| next == state));
    Regex {
        program: None,
        text: text.to_owned(),
        named: Vec::new(),
        classes,
        n_classes: automaton.n_classes as u16,
        dead: dead.map(|((state, _), _)| state),
        table: automaton.table.clone(),
        accepting: automaton.accepting.clone(),
    }
}

/// States grouped into blocks; the states of a block are adjacent.
struct Partition {
    states: Vec<u32>,
    /// The index of each state in `states`.
    position: Vec<usize>,
    block_of: Vec<u32>,
    /// The start and end of each block, and its number of marked states, which come first.
    blocks: Vec<(usize, usize, usize)>,
}

impl Partition {
    /// Two blocks: accepting states and all other states.
    fn of(automaton: &Automaton) -> Partition {
        let n_states = automaton.accepting.len();
        let mut partition = Partition {
            states: (0..n_states as u32).collect(),
            position: (0..n_states).collect(),
            block_of: vec![0; n_states],
            blocks: vec![(0, n_states, 0)],
        };
        for state in (0..n_states as u32).filter(|state| automaton.accepting[*state as usize]) {
            partition.mark(state);
        }
        partition.split(0);
        partition
    }

    /// Splits blocks until all states of a block lead to the same blocks.
    fn refine(&mut self, automaton: &Automaton) {
        let sources: Vec<Sources> =
            (0..automaton.n_classes).map(|class| Sources::of(automaton, class)).collect();
        let mut todo: Vec<u32> = (0..self.blocks.len() as u32).collect();
        while let Some(block) = todo.pop() {
            let (from, to, _) = self.blocks[block as usize];
            let splitter = self.states[from..to].to_vec();
            for sources in &sources {
                let mut touched = Vec::new();
                for source in splitter.iter().flat_map(|state| sources.into(*state)) {
                    touched.extend(self.mark(*source));
                }
                // If the block itself is pending, both parts become pending; if not, the smaller part suffices.
                todo.extend(touched.into_iter().filter_map(|block| self.split(block)));
            }
        }
    }

    /// Marks a state; returns its block if this is the block's first mark.
    fn mark(&mut self, state: u32) -> Option<u32> {
        let block = self.block_of[state as usize];
        let (from, _, marked) = &mut self.blocks[block as usize];
        let (position, target) = (self.position[state as usize], *from + *marked);
        if position < target {
            return None;
        }
        *marked += 1;
        let is_first = *marked == 1;
        self.states.swap(position, target);
        self.position[self.states[position] as usize] = position;
        self.position[state as usize] = target;
        is_first.then_some(block)
    }

    /// Splits a block into marked and unmarked states; returns the new block, which is the smaller part.
    fn split(&mut self, block: u32) -> Option<u32> {
        let (from, to, marked) = std::mem::take(&mut self.blocks[block as usize]);
        let middle = from + marked;
        if middle == from || middle == to {
            self.blocks[block as usize] = (from, to, 0);
            return None;
        }
        let (smaller, larger) = if middle - from <= to - middle {
            (from..middle, middle..to)
        } else {
            (middle..to, from..middle)
        };
        let new = self.blocks.len() as u32;
        self.blocks[block as usize] = (larger.start, larger.end, 0);
        self.blocks.push((smaller.start, smaller.end, 0));
        self.states[smaller].iter().for_each(|state| self.block_of[*state as usize] = new);
        Some(new)
    }
}

/// The predecessors of each state by a class.
struct Sources {
    starts: Vec<usize>,
    states: Vec<u32>,
}

impl Sources {
    fn of(automaton: &Automaton, class: usize) -> Sources {
        let nexts = || automaton.table.iter().skip(class).step_by(automaton.n_classes);
        let mut starts = vec![0; automaton.accepting.len() + 1];
        nexts().for_each(|next| starts[*next as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let (mut free, mut states) = (starts.clone(), vec![0; automaton.accepting.len()]);
        for (state, next) in (0..).zip(nexts()) {
            states[free[*next as usize]] = state;
            free[*next as usize] += 1;
        }
        Sources { starts, states }
    }

    fn into(&self, state: u32) -> &[u32] {
        &self.states[self.starts[state as usize]..self.starts[state as usize + 1]]
    }
}
