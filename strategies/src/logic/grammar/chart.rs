//! Which parts of a text which nonterminals derive: Earley's algorithm, so that any grammar is read, left-recursive and
//! ambiguous ones, too.
//!
//! Source: J. Earley, *An Efficient Context-Free Parsing Algorithm*; a nonterminal that derives the empty text is treated as
//! in Aycock and Horspool, *Practical Earley Parsing*.

use std::collections::{HashMap, HashSet};

use super::symbols::{Symbol, Symbols};

/// Maximum number of items. They take a fraction of a second.
const MAX_ITEMS: usize = 300_000;

/// A production of a nonterminal, read up to a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Item {
    node: usize,
    production: usize,
    dot: usize,
    origin: usize,
}

/// The facts about a text.
pub(super) struct Chart<'t> {
    pub text: &'t str,
    /// The ends of what each nonterminal derives from a start, in the order of their discovery.
    derived: HashMap<(usize, usize), Vec<usize>>,
    known: HashSet<(usize, usize, usize)>,
    /// The same for strings.
    strings: HashMap<(usize, usize), Vec<usize>>,
}

/// The items at a position of the text.
#[derive(Default)]
struct Set {
    items: Vec<Item>,
    seen: HashSet<Item>,
    /// The items that wait for a nonterminal that starts here.
    waiting: HashMap<usize, Vec<Item>>,
}

impl Set {
    fn add(&mut self, item: Item, n: &mut usize) {
        if self.seen.insert(item) {
            *n += 1;
            self.items.push(item);
        }
    }
}

impl<'t> Chart<'t> {
    /// All facts about a text; `None` if it takes too long.
    pub fn of(symbols: &Symbols<'_>, text: &'t str) -> Option<Chart<'t>> {
        let (derived, known, strings) = (HashMap::new(), HashSet::new(), HashMap::new());
        let mut chart = Chart { text, derived, known, strings };
        let mut sets: Vec<Set> = (0..=text.len()).map(|_| Set::default()).collect();
        let (mut n, mut judged) = (0, 0);
        predict(symbols, 0, 0, &mut sets, &mut n);
        for at in 0..sets.len() {
            let mut next = 0;
            while let Some(item) = sets[at].items.get(next).copied() {
                next += 1;
                if n > MAX_ITEMS {
                    return None;
                }
                let (_, production) = &symbols.nodes[item.node].productions[item.production];
                let advanced = Item { dot: item.dot + 1, ..item };
                match production.get(item.dot) {
                    Some(Symbol::Quoted(quoted)) => {
                        if text[at..].starts_with(quoted) {
                            sets[at + quoted.len()].add(advanced, &mut n);
                        }
                    }
                    Some(Symbol::String(string)) => {
                        for end in chart.string_ends(symbols, *string, at, &mut judged)? {
                            sets[end].add(advanced, &mut n);
                        }
                    }
                    Some(Symbol::Node(node)) => {
                        sets[at].waiting.entry(*node).or_default().push(item);
                        predict(symbols, *node, at, &mut sets, &mut n);
                        if chart.known.contains(&(*node, at, at)) {
                            sets[at].add(advanced, &mut n);
                        }
                    }
                    None => chart.complete(item, at, &mut sets, &mut n),
                }
            }
        }
        Some(chart)
    }

    /// Records that a nonterminal derives a part of the text, and continues the items that wait for it.
    fn complete(&mut self, item: Item, at: usize, sets: &mut [Set], n: &mut usize) {
        if !self.known.insert((item.node, item.origin, at)) {
            return;
        }
        self.derived.entry((item.node, item.origin)).or_default().push(at);
        let waiting = sets[item.origin].waiting.get(&item.node).cloned().unwrap_or_default();
        for item in waiting {
            sets[at].add(Item { dot: item.dot + 1, ..item }, n);
        }
    }

    fn string_ends(
        &mut self,
        symbols: &Symbols<'_>,
        string: usize,
        from: usize,
        judged: &mut usize,
    ) -> Option<Vec<usize>> {
        if let Some(known) = self.strings.get(&(string, from)) {
            return Some(known.clone());
        }
        let ends = symbols.ends(string, self.text, from, judged)?;
        self.strings.insert((string, from), ends.clone());
        Some(ends)
    }

    /// The positions at which a symbol may end that starts at `from`, descending: as much as possible first.
    pub fn ends(&self, symbol: Symbol<'_>, from: usize) -> Vec<usize> {
        let mut ends = match symbol {
            Symbol::Quoted(quoted) => {
                let is_there = self.text[from..].starts_with(quoted);
                return if is_there { vec![from + quoted.len()] } else { Vec::new() };
            }
            Symbol::String(string) => self.strings.get(&(string, from)).cloned().unwrap_or_default(),
            Symbol::Node(node) => self.derived.get(&(node, from)).cloned().unwrap_or_default(),
        };
        ends.sort_unstable_by(|a, b| b.cmp(a));
        ends
    }

    /// Whether a symbol derives this part of the text.
    pub fn has(&self, symbol: Symbol<'_>, from: usize, to: usize) -> bool {
        match symbol {
            Symbol::Node(node) => self.known.contains(&(node, from, to)),
            Symbol::Quoted(_) | Symbol::String(_) => self.ends(symbol, from).contains(&to),
        }
    }
}

fn predict(symbols: &Symbols<'_>, node: usize, at: usize, sets: &mut [Set], n: &mut usize) {
    for production in 0..symbols.nodes[node].productions.len() {
        sets[at].add(Item { node, production, dot: 0, origin: at }, n);
    }
}
