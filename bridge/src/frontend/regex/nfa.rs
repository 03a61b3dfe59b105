//! Turns regular expressions into nondeterministic automata: Thompson's construction, from the end to the start.

use regex_syntax::hir::{Hir, HirKind, Look, Repetition};

use super::alphabet::{Alphabet, sets_of};
use super::limits::{TooBig, Work};

/// Maximum number of nodes.
const MAX_NODES: usize = 100_000;

/// The action of an automaton at a node.
#[derive(Clone, Debug)]
pub enum Node {
    /// Reads a character of a set, and continues.
    Read(u32, u32),
    /// Continues at any of these nodes.
    Split(Vec<u32>),
    /// Continues if nothing was read yet.
    Start(u32),
    /// Continues if nothing is left to read.
    End(u32),
    /// Accepts.
    Match,
}

/// A nondeterministic automaton.
#[derive(Debug)]
pub struct Nfa {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The start node.
    pub start: u32,
}

impl Nfa {
    /// The automaton of an expression.
    pub fn of(hir: &Hir, alphabet: &Alphabet, work: &mut Work) -> Result<Nfa, TooBig> {
        let mut builder = Builder { nodes: vec![Node::Match], alphabet, work };
        let start = builder.before(hir, 0)?;
        Ok(Nfa { nodes: builder.nodes, start })
    }
}

struct Builder<'a> {
    nodes: Vec<Node>,
    alphabet: &'a Alphabet,
    work: &'a mut Work,
}

impl Builder<'_> {
    fn node(&mut self, node: Node) -> Result<u32, TooBig> {
        if self.nodes.len() >= MAX_NODES {
            return Err(TooBig);
        }
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// The start node for matching an expression and continuing at `next`.
    fn before(&mut self, hir: &Hir, next: u32) -> Result<u32, TooBig> {
        // Copies of empty expressions cost work, too.
        self.work.charge(1)?;
        match hir.kind() {
            HirKind::Empty => Ok(next),
            HirKind::Literal(_) | HirKind::Class(_) => sets_of(hir)
                .iter()
                .rev()
                .try_fold(next, |next, set| self.node(Node::Read(self.alphabet.number(set), next))),
            HirKind::Look(Look::Start) => self.node(Node::Start(next)),
            // All other assertions were rejected.
            HirKind::Look(_) => self.node(Node::End(next)),
            HirKind::Repetition(repetition) => self.repeated(repetition, next),
            HirKind::Capture(capture) => self.before(&capture.sub, next),
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.before(part, next)),
            HirKind::Alternation(parts) => {
                let starts = parts.iter().map(|part| self.before(part, next)).collect::<Result<_, _>>()?;
                self.node(Node::Split(starts))
            }
        }
    }

    fn repeated(&mut self, repetition: &Repetition, next: u32) -> Result<u32, TooBig> {
        let sub = &repetition.sub;
        let mut start = next;
        match repetition.max {
            None => {
                start = self.node(Node::Split(Vec::new()))?;
                let again = self.before(sub, start)?;
                self.nodes[start as usize] = Node::Split(vec![again, next]);
            }
            Some(max) => {
                for _ in repetition.min..max {
                    let one_more = self.before(sub, start)?;
                    start = self.node(Node::Split(vec![one_more, next]))?;
                }
            }
        }
        (0..repetition.min).try_fold(start, |start, _| self.before(sub, start))
    }
}
