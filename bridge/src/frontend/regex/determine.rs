//! Turns a nondeterministic automaton into a deterministic automaton, whose states are sets of nodes.

use std::collections::HashMap;

use super::alphabet::Alphabet;
use super::limits::{MAX_CELLS, MAX_STATES, TooBig, Work};
use super::nfa::{Nfa, Node};

/// A complete deterministic automaton that starts in state 0.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Number of classes of characters.
    pub n_classes: usize,
    /// The next state, by state and class.
    pub table: Vec<u32>,
    /// Whether a state accepts.
    pub accepting: Vec<bool>,
}

/// The deterministic automaton for the same language.
pub fn determined(nfa: &Nfa, alphabet: &Alphabet, work: &mut Work) -> Result<Automaton, TooBig> {
    let mut states = States { nfa, numbers: HashMap::new(), nodes: Vec::new(), accepting: Vec::new() };
    let start = states.closure(&[nfa.start], TextPosition { at_start: true, at_end: false }, work)?;
    let accepts = states.accepts_after(&[nfa.start], true, work)?;
    states.number(start, accepts)?;
    // If several classes lead to the same nodes, the closure is computed once.
    let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut table = Vec::new();
    let mut done = 0;
    while done < states.nodes.len() {
        let mut targets = vec![Vec::new(); alphabet.n_classes];
        work.charge(alphabet.n_classes)?;
        for node in &states.nodes[done] {
            if let Node::Read(set, next) = nfa.nodes[*node as usize] {
                let classes = &alphabet.classes_of[set as usize];
                work.charge(classes.len())?;
                classes.iter().for_each(|class| targets[usize::from(*class)].push(next));
            }
        }
        for mut target in targets {
            target.sort_unstable();
            target.dedup();
            let state = match known.get(&target) {
                Some(state) => *state,
                None => {
                    let closure =
                        states.closure(&target, TextPosition { at_start: false, at_end: false }, work)?;
                    let accepts = states.accepts_after(&target, false, work)?;
                    let state = states.number(closure, accepts)?;
                    known.insert(target, state);
                    state
                }
            };
            table.push(state);
        }
        if table.len() > MAX_CELLS {
            return Err(TooBig);
        }
        done += 1;
    }
    Ok(Automaton { n_classes: alphabet.n_classes, table, accepting: states.accepting })
}

/// The states found so far.
struct States<'n> {
    nfa: &'n Nfa,
    numbers: HashMap<(Vec<u32>, bool), u32>,
    nodes: Vec<Vec<u32>>,
    accepting: Vec<bool>,
}

/// A position in a text.
#[derive(Clone, Copy)]
struct TextPosition {
    at_start: bool,
    at_end: bool,
}

impl States<'_> {
    fn number(&mut self, nodes: Vec<u32>, accepts: bool) -> Result<u32, TooBig> {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry((nodes, accepts)).or_insert_with_key(|(nodes, accepts)| {
            self.nodes.push(nodes.clone());
            self.accepting.push(*accepts);
            next
        });
        if self.nodes.len() > MAX_STATES { Err(TooBig) } else { Ok(number) }
    }

    /// Whether a match ends if these nodes are reached and nothing is left to read.
    fn accepts_after(&self, from: &[u32], at_start: bool, work: &mut Work) -> Result<bool, TooBig> {
        let reached = self.closure(from, TextPosition { at_start, at_end: true }, work)?;
        Ok(reached.iter().any(|node| matches!(self.nfa.nodes[*node as usize], Node::Match)))
    }

    /// The nodes reachable without reading, at this position, that read or match.
    fn closure(&self, from: &[u32], at: TextPosition, work: &mut Work) -> Result<Vec<u32>, TooBig> {
        let mut seen = std::collections::HashSet::new();
        let mut todo = from.to_vec();
        let mut reached = Vec::new();
        while let Some(node) = todo.pop() {
            work.charge(1)?;
            if !seen.insert(node) {
                continue;
            }
            match &self.nfa.nodes[node as usize] {
                Node::Read(..) | Node::Match => reached.push(node),
                Node::Split(nexts) => todo.extend(nexts),
                Node::Start(next) if at.at_start => todo.push(*next),
                Node::End(next) if at.at_end => todo.push(*next),
                Node::Start(_) | Node::End(_) => {}
            }
        }
        reached.sort_unstable();
        Ok(reached)
    }
}
