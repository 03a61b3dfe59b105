//! A rule as a plain context-free grammar: options and lists become nonterminals of their own.
//!
//! `item*` becomes `L = "" | L item`, which is read in linear time.

use crate::logic::eval::{Truth, holds_of};
use crate::logic::ir::{Data, DataId, Function, Piece, Refined, Regex, Sort, Term};
use crate::logic::value::Value;

/// Maximum number of texts that are judged for strings whose refinement is no regular expression.
const MAX_JUDGED: usize = 100_000;

/// The tables of a spec that a grammar needs.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'s> {
    /// The data types, rules among them.
    pub data: &'s [Data],
    /// The measures in the refinements of strings.
    pub functions: &'s [Function],
    /// The regular expressions in the refinements of strings.
    pub regexes: &'s [Regex],
    /// The slot of a refined value.
    pub value_slot: u32,
}

/// A symbol of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Symbol<'s> {
    /// A fixed text.
    Quoted(&'s str),
    /// A string with refinements, by its number.
    String(usize),
    /// A nonterminal, by its number.
    Node(usize),
}

/// What a nonterminal stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A rule or a group: a production for each constructor.
    Rule(DataId),
    /// An `Option`: the value first, then nothing.
    Option,
    /// A list: the first production ends it, the second one adds an element. Whether it has an element.
    List(bool),
}

/// A nonterminal.
#[derive(Clone, Debug)]
pub(super) struct Node<'s> {
    pub form: Form,
    /// The productions in the order of the alternatives, with the constructor of each.
    pub productions: Vec<(u32, Vec<Symbol<'s>>)>,
}

/// The symbols that a rule can reach. The rule itself is nonterminal 0.
pub(super) struct Symbols<'s> {
    pub rules: Rules<'s>,
    pub nodes: Vec<Node<'s>>,
    pub strings: Vec<&'s Refined>,
}

impl<'s> Symbols<'s> {
    pub fn new(rules: Rules<'s>, start: DataId) -> Symbols<'s> {
        let mut symbols = Symbols { rules, nodes: Vec::new(), strings: Vec::new() };
        let mut waiting = Vec::new();
        symbols.reserve(Form::Rule(start), &mut waiting);
        while let Some((node, id)) = waiting.pop() {
            symbols.nodes[node].productions = symbols.alternatives(id, &mut waiting);
        }
        symbols
    }

    fn reserve(&mut self, form: Form, waiting: &mut Vec<(usize, DataId)>) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { form, productions: Vec::new() });
        if let Form::Rule(id) = form {
            waiting.push((index, id));
        }
        index
    }

    fn alternatives(
        &mut self,
        id: DataId,
        waiting: &mut Vec<(usize, DataId)>,
    ) -> Vec<(u32, Vec<Symbol<'s>>)> {
        let Some(data) = self.rules.data.get(id.0 as usize) else { return Vec::new() };
        let Some(rule) = &data.rule else { return Vec::new() };
        let mut productions = Vec::new();
        for ((number, layout), ctor) in (0..).zip(&rule.layouts).zip(&data.ctors) {
            let symbols = layout.iter().map(|piece| match piece {
                Piece::Quoted(text) => Symbol::Quoted(text),
                Piece::Field(at) => match ctor.fields.get(*at as usize) {
                    Some(field) => self.symbol(&field.refined, waiting),
                    None => Symbol::Quoted(""),
                },
            });
            productions.push((number, symbols.collect()));
        }
        productions
    }

    fn symbol(&mut self, refined: &'s Refined, waiting: &mut Vec<(usize, DataId)>) -> Symbol<'s> {
        match &refined.sort {
            Sort::Data(id) => {
                let is_known = |node: &Node| node.form == Form::Rule(*id);
                if let Some(known) = self.nodes.iter().position(is_known) {
                    return Symbol::Node(known);
                }
                let data: &'s Data = &self.rules.data[id.0 as usize];
                if data.rule.is_some() {
                    return Symbol::Node(self.reserve(Form::Rule(*id), waiting));
                }
                let held = data.ctors.get(1).and_then(|some| some.fields.first());
                let node = self.reserve(Form::Option, waiting);
                if let Some(held) = held {
                    let held = self.symbol(&held.refined, waiting);
                    self.nodes[node].productions = vec![(1, vec![held]), (0, Vec::new())];
                }
                Symbol::Node(node)
            }
            Sort::Seq(element, _) => {
                let is_filled = !refined.clauses.is_empty();
                let node = self.reserve(Form::List(is_filled), waiting);
                let element = self.symbol(element, waiting);
                let last = if is_filled { vec![element] } else { Vec::new() };
                self.nodes[node].productions = vec![(0, last), (1, vec![Symbol::Node(node), element])];
                Symbol::Node(node)
            }
            #[rustfmt::skip]
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Set(..)
            | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => {
                self.strings.push(refined);
                Symbol::String(self.strings.len() - 1)
            }
        }
    }

    /// The positions at which a string of this type may end that starts at `from`, ascending. `judged` counts the texts
    /// that are judged; `None` if they are too many.
    pub fn ends(&self, string: usize, text: &str, from: usize, judged: &mut usize) -> Option<Vec<usize>> {
        let refined = self.strings[string];
        let slot = self.rules.value_slot;
        let found = refined.clauses.iter().enumerate().find_map(|(at, clause)| {
            let Term::Matches(id, Regex::START, of) = &clause.term else { return None };
            (**of == Term::Var(slot)).then_some((at, self.rules.regexes.get(id.0 as usize)?))
        });
        let (regex, by_regex) = found.map_or((None, None), |(at, regex)| (Some(at), Some(regex)));
        let ends: Vec<usize> = match by_regex {
            Some(regex) => ends_by_regex(regex, text, from),
            None => (from..=text.len()).filter(|end| text.is_char_boundary(*end)).collect(),
        };
        let others = refined.clauses.iter().enumerate().filter(|(at, _)| Some(*at) != regex);
        let others: Vec<_> = others.map(|(_, clause)| clause).collect();
        if others.is_empty() {
            return Some(ends);
        }
        *judged += ends.len();
        if *judged > MAX_JUDGED {
            return None;
        }
        let holds = |end: &usize| {
            let value = Value::str(&text[from..*end]);
            others.iter().all(|clause| {
                holds_of(&clause.term, slot, &value, self.rules.functions, self.rules.regexes) != Truth::Fails
            })
        };
        Some(ends.into_iter().filter(holds).collect())
    }
}

fn ends_by_regex(regex: &Regex, text: &str, from: usize) -> Vec<usize> {
    let mut state = Regex::START;
    let mut ends = Vec::new();
    let mut at = from;
    let mut rest = text[from..].chars();
    loop {
        if regex.accepting[state as usize] {
            ends.push(at);
        }
        if Some(state) == regex.dead {
            return ends;
        }
        let Some(c) = rest.next() else { return ends };
        state = regex.next(state, c);
        at += c.len_utf8();
    }
}
