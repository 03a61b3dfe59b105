//! The ways through the structure of a regular expression, for `cover(a, b, "..")`.
//!
//! The automaton of an expression forgets how it was written; the text of an expression says what its author tells
//! apart. So the ways are those of the text: each branch of a union is one, the characters of a class are alike, and a
//! repetition occurs 0 times, once, twice or more often. Parts in a row combine. If something is repeated, the ways
//! through it are told apart where it occurs once, and in its first occurrence if it always occurs more often.
//!
//! Each way is a regular expression itself, [`Ways::nth`]. Another one, [`Ways::marked`], has a group for each choice,
//! so that the groups of a match tell the way of a string. If a string has several, it is the first that matches, as
//! with the branches of the crate `regex`.
//!
//! Source: *Iorek*, sections 5.1 and 5.2.

use regex_syntax::ast::{Ast, GroupKind, Repetition, RepetitionKind, RepetitionRange};

use super::{Rejection, read};

/// The ways through a regular expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Ways(Way);

#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// The text of an expression whose strings are alike.
    One(String),
    /// One of these.
    Choice(Vec<Way>),
    /// All of these in a row.
    Row(Vec<Way>),
}

impl Ways {
    /// The ways through an expression.
    pub fn of(text: &str) -> Result<Ways, Rejection> {
        let (ast, _) = read(text)?;
        Ok(Ways(Reader { text, flags: Vec::new() }.way(&ast)))
    }

    /// How many there are; at most `u64::MAX`.
    pub fn n(&self) -> u64 {
        self.0.n()
    }

    /// A way by its number, as an expression. The first ones together contain every branch.
    pub fn nth(&self, k: u64) -> String {
        self.0.nth(k)
    }

    /// Which groups of [`Ways::marked`] a string of a way has, if it has no other way.
    pub fn groups(&self, k: u64) -> Vec<bool> {
        let mut groups = Vec::new();
        self.0.groups(Some(k), &mut groups);
        groups
    }

    /// The expression with a group for each choice, and the number of groups.
    pub fn marked(&self) -> (String, usize) {
        let (mut text, mut n_groups) = (String::new(), 0);
        self.0.mark(&mut text, &mut n_groups);
        (text, n_groups)
    }
}

impl Way {
    fn n(&self) -> u64 {
        match self {
            Way::One(_) => 1,
            Way::Choice(ways) => ways.iter().fold(0, |n, way| n.saturating_add(way.n())),
            Way::Row(ways) => ways.iter().fold(1, |n, way| n.saturating_mul(way.n())),
        }
    }

    fn nth(&self, k: u64) -> String {
        match self {
            Way::One(text) => text.clone(),
            Way::Choice(ways) => {
                let (way, k) = in_turn(ways, k);
                way.nth(k)
            }
            Way::Row(ways) => diagonal(ways, k).into_iter().zip(ways).map(|(k, way)| way.nth(k)).collect(),
        }
    }

    /// Adds whether each group is taken; none are without a number.
    fn groups(&self, k: Option<u64>, groups: &mut Vec<bool>) {
        match self {
            Way::One(_) => {}
            Way::Choice(ways) => {
                let chosen = k.map(|k| in_turn(ways, k));
                for way in ways {
                    let k = chosen.and_then(|(chosen, k)| std::ptr::eq(chosen, way).then_some(k));
                    groups.push(k.is_some());
                    way.groups(k, groups);
                }
            }
            Way::Row(ways) => {
                let chosen = k.map(|k| diagonal(ways, k));
                let of = |at: usize| chosen.as_ref().map(|chosen| chosen[at]);
                ways.iter().enumerate().for_each(|(at, way)| way.groups(of(at), groups));
            }
        }
    }

    fn mark(&self, text: &mut String, n_groups: &mut usize) {
        match self {
            Way::One(one) => text.push_str(one),
            Way::Choice(ways) => {
                text.push_str("(?:");
                for (at, way) in ways.iter().enumerate() {
                    text.push_str(if at == 0 { "(" } else { "|(" });
                    *n_groups += 1;
                    way.mark(text, n_groups);
                    text.push(')');
                }
                text.push(')');
            }
            Way::Row(ways) => ways.iter().for_each(|way| way.mark(text, n_groups)),
        }
    }
}

/// The alternative whose turn is number `k`, and the number of its way: the first way of each, then the second of each
/// that has one, and so on.
fn in_turn(ways: &[Way], mut k: u64) -> (&Way, u64) {
    let mut done = 0;
    loop {
        let open: Vec<&Way> = ways.iter().filter(|way| way.n() > done).collect();
        let next = open.iter().map(|way| way.n()).min().unwrap_or(done + 1);
        let n_turns = (next - done).saturating_mul(open.len() as u64);
        if k < n_turns || open.is_empty() {
            let at = (k % open.len().max(1) as u64) as usize;
            return (open.get(at).copied().unwrap_or(&ways[0]), done + k / open.len().max(1) as u64);
        }
        k -= n_turns;
        done = next;
    }
}

/// Combination `k` of the ways of several parts. All change from one to the next, so that the first combinations have
/// each way of each part; a shift after each round of two parts keeps combinations from coming twice.
fn diagonal(ways: &[Way], k: u64) -> Vec<u64> {
    let [rest @ .., last] = ways else { return Vec::new() };
    let (n_rest, n_last) = (rest.iter().fold(1_u64, |n, way| n.saturating_mul(way.n())), last.n());
    let n_round = n_rest / greatest_common_divisor(n_rest, n_last);
    let round = k / n_round.saturating_mul(n_last).max(1);
    let mut all = diagonal(rest, k % n_rest);
    all.push((k % n_last + round) % n_last);
    all
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Reads ways off a syntax tree.
struct Reader<'t> {
    text: &'t str,
    /// The flags that are set at this place, such as `i` and `-i`, in order.
    flags: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn way(&mut self, ast: &Ast) -> Way {
        match ast {
            Ast::Alternation(union) => choice(union.asts.iter().map(|ast| self.way(ast)).collect()),
            Ast::Concat(row) => in_row(row.asts.iter().map(|ast| self.way(ast)).collect()),
            Ast::Group(group) => {
                let before = self.enter(&group.kind);
                let way = self.way(&group.ast);
                self.flags.truncate(before);
                way
            }
            Ast::Repetition(repetition) => self.repeated(repetition),
            Ast::Empty(_) | Ast::Flags(_) | Ast::Literal(_) | Ast::Dot(_) | Ast::Assertion(_) => {
                Way::One(self.plain(ast))
            }
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => Way::One(self.plain(ast)),
        }
    }

    fn repeated(&mut self, repetition: &Repetition) -> Way {
        let (least, most) = match repetition.op.kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore => (0, None),
            RepetitionKind::OneOrMore => (1, None),
            RepetitionKind::Range(RepetitionRange::Exactly(n)) => (n, Some(n)),
            RepetitionKind::Range(RepetitionRange::AtLeast(n)) => (n, None),
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (least, Some(most)),
        };
        let plain = format!("(?:{})", self.plain(&repetition.ast));
        let times = |least: u32, most: Option<u32>| match most {
            Some(most) if most == least => Way::One(format!("{plain}{{{least}}}")),
            Some(most) => Way::One(format!("{plain}{{{least},{most}}}")),
            None => Way::One(format!("{plain}{{{least},}}")),
        };
        // The least number of times, with the ways of the first time, and the others up to two.
        let mut ways = match least {
            0 => vec![Way::One(String::new())],
            n => vec![in_row(vec![self.way(&repetition.ast), times(n - 1, Some(n - 1))])],
        };
        let is_within = |n: u32| n > least && most.is_none_or(|most| n <= most);
        if is_within(1) {
            ways.push(self.way(&repetition.ast));
        }
        if is_within(2) {
            ways.push(times(2, Some(2)));
        }
        let many = 3.max(least + 1);
        if is_within(many) {
            ways.push(times(many, most));
        }
        choice(ways)
    }

    /// The text of an expression, without groups that are captured.
    fn plain(&mut self, ast: &Ast) -> String {
        match ast {
            Ast::Empty(_) => String::new(),
            Ast::Flags(flags) => {
                self.flags.push(&self.text[flags.flags.span.start.offset..flags.flags.span.end.offset]);
                String::new()
            }
            Ast::Literal(_) | Ast::Dot(_) | Ast::Assertion(_) => self.with_flags(ast),
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => self.with_flags(ast),
            Ast::Repetition(repetition) => {
                let op = &repetition.op.span;
                let op = &self.text[op.start.offset..op.end.offset];
                format!("(?:{}){op}", self.plain(&repetition.ast))
            }
            Ast::Group(group) => {
                let before = self.enter(&group.kind);
                let plain = self.plain(&group.ast);
                self.flags.truncate(before);
                format!("(?:{plain})")
            }
            Ast::Alternation(union) => {
                let branches: Vec<String> = union.asts.iter().map(|ast| self.plain(ast)).collect();
                format!("(?:{})", branches.join("|"))
            }
            Ast::Concat(row) => row.asts.iter().map(|ast| self.plain(ast)).collect(),
        }
    }

    /// Sets the flags of a group; returns the number of those outside of it.
    fn enter(&mut self, kind: &GroupKind) -> usize {
        let before = self.flags.len();
        if let GroupKind::NonCapturing(flags) = kind
            && !flags.items.is_empty()
        {
            self.flags.push(&self.text[flags.span.start.offset..flags.span.end.offset]);
        }
        before
    }

    fn with_flags(&self, ast: &Ast) -> String {
        let span = ast.span();
        let text = self.text[span.start.offset..span.end.offset].to_owned();
        self.flags.iter().rev().fold(text, |text, flags| format!("(?{flags}:{text})"))
    }
}

fn choice(mut ways: Vec<Way>) -> Way {
    if ways.len() == 1 { ways.remove(0) } else { Way::Choice(ways) }
}

/// Ways in a row; texts in a row are one.
fn in_row(ways: Vec<Way>) -> Way {
    let mut row: Vec<Way> = Vec::new();
    for way in ways {
        match (row.last_mut(), way) {
            (Some(Way::One(text)), Way::One(more)) => text.push_str(&more),
            (_, way) => row.push(way),
        }
    }
    match row.len() {
        0 => Way::One(String::new()),
        1 => row.remove(0),
        _ => Way::Row(row),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::frontend::regex::{automaton, program};

    fn all(text: &str) -> Vec<String> {
        let ways = Ways::of(text).expect("an expression");
        (0..ways.n()).map(|k| ways.nth(k)).collect()
    }

    #[test]
    fn ways_are_those_of_the_text() {
        for (text, n) in [
            ("[a-z]+|[0-9]+|_", 7),
            ("(97(8|9))?\\d\\d\\d\\d\\d\\d\\d\\d\\d(\\d|X)", 6),
            ("[_a-zA-Z][_a-zA-Z0-9]+", 3),
            ("((Ms|Mr|Mrs|Dr)\\s)?[A-Z][a-z]{1,2}(Jr|Sr)?", 5 * 2 * 3),
            ("([01][0-9]|2[0-3]):[0-5][0-9]", 2),
            ("", 1),
            ("a{0}", 1),
            ("a{5}", 1),
            ("(a|b){2}", 2),
            ("(a|b){2,}", 3),
            ("(a|b){4,9}", 3),
            ("(a|b)*", 5),
            ("(?i)x|(?-i)y|z", 3),
            ("(?i:x|y)z", 2),
            ("(?<word>a)*?", 4),
        ] {
            let ways = all(text);
            assert_eq!(ways.len(), n, "{text}: {ways:?}");
            assert_eq!(ways.iter().collect::<HashSet<_>>().len(), n, "{text}: {ways:?}");
        }
    }

    #[test]
    fn ways_together_are_the_expression() {
        for text in ["([a-c]|(?i)x)+y?", "(?i:a|[b-d]){1,2}(?x: e  f )", "(a*|b){2,3}", "a{2}|(b|c|d)(e|f)"] {
            let union = all(text).into_iter().map(|way| format!("(?:{way})")).collect::<Vec<_>>().join("|");
            let marked = Ways::of(text).expect("an expression").marked().0;
            let minimal = |text: &str| {
                let automaton = automaton(text).expect("an expression");
                (automaton.table, automaton.accepting)
            };
            assert_eq!(minimal(&union), minimal(text), "{union}");
            assert_eq!(minimal(&marked), minimal(text), "{marked}");
        }
    }

    #[test]
    fn the_first_ways_have_every_branch() {
        let text = "(a|b|c)(d|e)(f|g|h|i)";
        let first: String = all(text).into_iter().take(4).collect();
        assert!(('a'..='i').all(|branch| first.contains(branch)), "{first}");
    }

    #[test]
    fn groups_tell_the_way() {
        let text = "(a|b(c|d))?e{1,3}";
        let (marked, n_groups) = Ways::of(text).expect("an expression").marked();
        let program = program(&marked).expect("a program");
        assert_eq!(program.n_groups(), n_groups + 1);
        let way = |string: &str| -> Vec<bool> {
            program.groups(string).expect("a match").iter().map(Option::is_some).collect()
        };
        let strings = ["e", "ae", "bce", "bde", "ee", "aee", "bcee", "bdee", "eee", "aeee", "bceee", "bdeee"];
        let found: HashSet<Vec<bool>> = strings.iter().map(|string| way(string)[1..].to_vec()).collect();
        let ways = Ways::of(text).expect("an expression");
        assert_eq!(ways.n(), 12);
        assert_eq!(found, (0..12).map(|k| ways.groups(k)).collect());
    }
}
