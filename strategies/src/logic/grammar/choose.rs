//! Chooses one derivation among those that a chart knows: the first one in the order of the alternatives. A part of a text
//! takes as much as it can.

use std::collections::HashSet;

use super::chart::Chart;
use super::symbols::{Form, Symbol, Symbols};
use crate::logic::value::Value;

/// Maximum nesting of rules in a derivation that is read.
const DEEPEST: u32 = 300;

/// Maximum number of parts that are open at once: each is a call on the stack.
const MAX_OPEN: usize = 5_000;

/// Maximum number of parts that are looked at.
const MAX_STEPS: usize = 2_000_000;

/// What was found out about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Derived {
    /// Its first derivation.
    Derivation(Value),
    /// It has none.
    NoDerivation,
    /// It is too long, its derivation nests too deeply, or the search would take too long.
    TooLarge,
}

/// Why there is no derivation.
enum Failure {
    /// Only one that contains itself.
    Circular,
    /// It nests too deeply, or takes too long to find.
    TooLarge,
}

type Chosen<T> = Result<T, Failure>;

/// The first derivation of the whole text.
pub(super) fn derivation(symbols: &Symbols<'_>, chart: &Chart<'_>) -> Derived {
    let whole = Symbol::Node(0);
    if !chart.has(whole, 0, chart.text.len()) {
        return Derived::NoDerivation;
    }
    let mut chooser = Chooser { symbols, chart, n_steps: 0, n_open: 0 };
    match chooser.value(whole, (0, chart.text.len()), &mut Vec::new(), 0) {
        Ok(value) => Derived::Derivation(value),
        Err(Failure::Circular) => Derived::NoDerivation,
        Err(Failure::TooLarge) => Derived::TooLarge,
    }
}

struct Chooser<'c, 's> {
    symbols: &'c Symbols<'s>,
    chart: &'c Chart<'c>,
    n_steps: usize,
    /// Number of parts that are open.
    n_open: usize,
}

impl<'s> Chooser<'_, 's> {
    fn step(&mut self) -> Chosen<()> {
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS { Err(Failure::TooLarge) } else { Ok(()) }
    }

    /// The value of a symbol that derives a part of the text. `around` are the nonterminals around it that derive the same
    /// part: in a derivation they don't occur again.
    fn value(
        &mut self,
        symbol: Symbol<'s>,
        (from, to): (usize, usize),
        around: &mut Vec<usize>,
        level: u32,
    ) -> Chosen<Value> {
        self.step()?;
        let Symbol::Node(node) = symbol else { return Ok(Value::str(&self.chart.text[from..to])) };
        if level > DEEPEST {
            return Err(Failure::TooLarge);
        }
        if around.contains(&node) {
            return Err(Failure::Circular);
        }
        around.push(node);
        let found = match self.symbols.nodes[node].form {
            Form::List(_) => self.list(node, (from, to), around, level),
            Form::Rule(_) | Form::Option => self.alternative(node, (from, to), around, level),
        };
        around.pop();
        found
    }

    /// The first alternative that has a derivation.
    fn alternative(
        &mut self,
        node: usize,
        part: (usize, usize),
        around: &mut Vec<usize>,
        level: u32,
    ) -> Chosen<Value> {
        let symbols = self.symbols;
        let is_rule = matches!(symbols.nodes[node].form, Form::Rule(_));
        for (ctor, production) in &symbols.nodes[node].productions {
            let mut fields = Vec::new();
            let mut dead = HashSet::new();
            let mut search = Search { part, around: &mut *around, level: level + u32::from(is_rule) };
            match self.sequence(production, part.0, &mut search, &mut fields, &mut dead) {
                Ok(()) => {
                    fields.reverse();
                    return Ok(Value::Data(*ctor, fields.into()));
                }
                Err(Failure::Circular) => {}
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
            }
        }
        Err(Failure::Circular)
    }

    /// The values of the symbols from a position to the end of the part, last one first. `dead` has the positions that
    /// lead to nothing, by the number of symbols left.
    fn sequence(
        &mut self,
        production: &[Symbol<'s>],
        at: usize,
        search: &mut Search<'_>,
        fields: &mut Vec<Value>,
        dead: &mut HashSet<(usize, usize)>,
    ) -> Chosen<()> {
        self.n_open += 1;
        let found = if self.n_open > MAX_OPEN {
            Err(Failure::TooLarge)
        } else {
            self.parts(production, at, search, fields, dead)
        };
        self.n_open -= 1;
        found
    }

    fn parts(
        &mut self,
        production: &[Symbol<'s>],
        at: usize,
        search: &mut Search<'_>,
        fields: &mut Vec<Value>,
        dead: &mut HashSet<(usize, usize)>,
    ) -> Chosen<()> {
        self.step()?;
        let (from, to) = search.part;
        let Some((first, rest)) = production.split_first() else {
            return if at == to { Ok(()) } else { Err(Failure::Circular) };
        };
        if dead.contains(&(production.len(), at)) {
            return Err(Failure::Circular);
        }
        for end in self.chart.ends(*first, at).into_iter().filter(|end| *end <= to) {
            match self.sequence(rest, end, search, fields, dead) {
                Ok(()) => {}
                Err(Failure::Circular) => continue,
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
            }
            if let Symbol::Quoted(_) = first {
                return Ok(());
            }
            let is_whole = (at, end) == (from, to);
            let around = if is_whole { &mut *search.around } else { &mut Vec::new() };
            match self.value(*first, (at, end), around, search.level) {
                Ok(value) => {
                    fields.push(value);
                    return Ok(());
                }
                Err(Failure::Circular) => fields.truncate(fields.len() - n_fields(rest)),
                Err(Failure::TooLarge) => return Err(Failure::TooLarge),
            }
        }
        dead.insert((production.len(), at));
        Err(Failure::Circular)
    }

    /// The elements of a list, found from the last one on. No element is empty, but for the only one.
    fn list(
        &mut self,
        node: usize,
        (from, to): (usize, usize),
        around: &mut Vec<usize>,
        level: u32,
    ) -> Chosen<Value> {
        let list = &self.symbols.nodes[node];
        let is_filled = list.form == Form::List(true);
        let Some((_, [_, element])) = list.productions.get(1).map(|(ctor, symbols)| (ctor, &symbols[..]))
        else {
            return Err(Failure::Circular);
        };
        let element = *element;
        let mut elements = Vec::new();
        let mut end = to;
        if is_filled && from == to {
            elements.push(self.value(element, (from, to), around, level)?);
        }
        while end > from {
            let before = |start: &usize| {
                let is_list = *start == from || self.chart.has(Symbol::Node(node), from, *start);
                is_list && self.chart.has(element, *start, end)
            };
            let start =
                (from..end).rev().filter(|start| self.chart.text.is_char_boundary(*start)).find(before);
            self.n_steps += end - start.unwrap_or(from);
            let Some(start) = start else { return Err(Failure::Circular) };
            let is_whole = (start, end) == (from, to);
            let around = if is_whole { &mut *around } else { &mut Vec::new() };
            elements.push(self.value(element, (start, end), around, level)?);
            end = start;
        }
        elements.reverse();
        Ok(Value::seq(elements))
    }
}

/// A production that is to derive a part of the text.
struct Search<'a> {
    part: (usize, usize),
    around: &'a mut Vec<usize>,
    level: u32,
}

fn n_fields(symbols: &[Symbol<'_>]) -> usize {
    symbols.iter().filter(|symbol| !matches!(symbol, Symbol::Quoted(_))).count()
}
