//! The constants of a spec, and the literals in the source of the function under test.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::large;
use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, FloatUnary, Term, visit};
use crate::logic::value::Value;
use crate::space::{LeafSort, Scalar, Space, code, constant};

/// Maximum length of a string that is kept as a whole, in bytes.
const LONGEST_TEXT: usize = 256;

/// Numbers of repetitions in runs.
const LENGTHS: RangeInclusive<u64> = 2..=64;

/// One of this many integers is a multiple of a number by which the spec divides.
const MULTIPLE: usize = 2;

/// Maximum number of strings that are kept, and of lists.
const MOST_TEXTS: usize = 64;

/// Maximum number of numbers that are written as text, and of the signs next to them.
const MOST_NUMERALS: usize = 9;
const MOST_SIGNS: usize = 3;

/// Maximum length of a string that may be a sign next to a number, in bytes.
const LONGEST_SIGN: usize = 4;

/// The first and the last character of each UTF-8 length, and characters that often break text handling: among them white space
/// and line ends that are easily forgotten.
pub(super) const AWKWARD_CHARS: [char; 20] = [
    char::MAX,
    '\0',
    '\u{10000}',
    '\u{FFFF}',
    '\u{E000}',
    '\u{D7FF}',
    '\u{800}',
    '\u{7FF}',
    '\u{80}',
    '\u{7F}',
    '\u{FEFF}',
    '\u{301}',
    'ß',
    '\\',
    '\'',
    '\t',
    '\r',
    '\u{B}',
    '\u{C}',
    '\u{85}',
];

/// Scalars that the spec or the function treats in a special way, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    pub ints: Vec<Int>,
    /// Numbers by which the spec divides.
    pub divisors: Vec<Int>,
    /// Integers from 2 to 64, as numbers of repetitions in runs.
    pub lengths: Vec<usize>,
    pub floats: Vec<f64>,
    pub chars: Vec<char>,
    /// Whole strings, in the order in which they are written.
    pub texts: Vec<Arc<str>>,
    /// Whole lists of integers, likewise.
    pub lists: Vec<Value>,
    /// Whether the spec speaks of NaN.
    pub has_nan: bool,
    pub has_infinity: bool,
}

impl Constants {
    /// The constants for the inputs of a space: first those of the spec.
    pub fn of(space: &Space) -> Constants {
        let mut constants = Constants::default();
        let clauses = space.spec().clauses().into_iter().map(|clause| &clause.term);
        let bodies = space.spec().functions.iter().map(|function| &function.body);
        clauses.chain(bodies).for_each(|term| constants.term(term));
        for regex in &space.spec().regexes {
            regex.named.iter().for_each(|c| constants.char(*c));
        }
        space.spec().literals.iter().for_each(|literal| constants.value(literal));
        space.literals().iter().for_each(|literal| constants.value(literal));
        let lengths = constants.ints.iter().filter_map(Int::to_u64).filter(|n| LENGTHS.contains(n));
        constants.lengths = lengths.map(|n| n as usize).collect();
        constants
    }

    /// A constant that a scalar may be, one of its neighbours, or a multiple of a number by which the spec divides.
    pub fn random(&self, scalar: &Scalar, dice: &mut Dice) -> Option<Value> {
        let value = match scalar.sort {
            LeafSort::Bool | LeafSort::Enum(_) => return None,
            LeafSort::Int(_) if !self.divisors.is_empty() && dice.index(MULTIPLE) == 0 => {
                let divisor = &self.divisors[dice.index(self.divisors.len())];
                let n = large::int(scalar, dice)?;
                let below = &n - &n.rem_euclid(divisor)?;
                Value::Int(if dice.percent(50) { below } else { &below + divisor })
            }
            LeafSort::Int(_) => {
                let near = |n: &&Int| {
                    let around = [*n - &Int::ONE, (*n).clone(), *n + &Int::ONE];
                    around.iter().any(|n| scalar.codes.contains(n))
                };
                let n = one_of(self.ints.iter().filter(near), dice)?;
                match dice.index(4) {
                    0 => Value::Int(n - &Int::ONE),
                    1 => Value::Int(n + &Int::ONE),
                    _ => Value::Int(n.clone()),
                }
            }
            LeafSort::Char => {
                let admitted = |c: &&char| scalar.codes.contains(&Int::from(u32::from(**c)));
                Value::Char(*one_of(self.chars.iter().filter(admitted), dice)?)
            }
            LeafSort::Float(kind) => {
                // Those that a spec speaks of are constants, too.
                let named = [
                    (self.has_nan, f64::NAN),
                    (self.has_infinity, f64::INFINITY),
                    (self.has_infinity, f64::NEG_INFINITY),
                ];
                let named = named.into_iter().filter(|(is_named, _)| *is_named).map(|(_, x)| x);
                let all: Vec<f64> = named.chain(self.floats.iter().copied()).collect();
                let x = *all.get(dice.index(all.len().max(1)))?;
                if x.is_nan() {
                    // NaN has no code. The rest of the refinement decides whether it is admitted.
                    return Some(Value::Float(x));
                }
                Value::Float(kind.round(x))
            }
        };
        code(&value).is_some_and(|code| scalar.codes.contains(&code)).then_some(value)
    }

    /// The whole strings, then numbers and their neighbours as text, alone and next to signs: `101`, `101%`, `$101`.
    pub fn whole_texts(&self) -> Vec<Arc<str>> {
        let neighbours = self.ints.iter().flat_map(|n| [n + &Int::ONE, n.clone(), n - &Int::ONE]);
        let numerals: Vec<String> = neighbours.take(MOST_NUMERALS).map(|n| n.to_string()).collect();
        let chars = self.chars.iter().filter(|c| c.is_ascii_punctuation()).map(char::to_string);
        let short = self
            .texts
            .iter()
            .filter(|text| (1..=LONGEST_SIGN).contains(&text.len()))
            .map(|text| text.to_string());
        let mut signs: Vec<String> = Vec::new();
        for sign in short.chain(chars) {
            if signs.len() < MOST_SIGNS && !signs.contains(&sign) {
                signs.push(sign);
            }
        }
        let written = |numeral: &String| {
            let around =
                signs.iter().flat_map(|sign| [format!("{numeral}{sign}"), format!("{sign}{numeral}")]);
            [numeral.clone()].into_iter().chain(around).collect::<Vec<String>>()
        };
        let mut texts = self.texts.clone();
        for text in numerals.iter().flat_map(written) {
            if !texts.iter().any(|known| **known == *text) {
                texts.push(text.into());
            }
        }
        texts
    }

    fn term(&mut self, term: &Term) {
        visit(term, &mut |term| match term {
            Term::Lit(value) => self.value(value),
            Term::Neg(_) | Term::Arith(..) | Term::FloatArith(..) | Term::Machine(..) if is_plain(term) => {
                if let Some(value) = constant(term) {
                    self.value(&value);
                }
            }
            Term::Arith(ArithOp::Rem | ArithOp::Div | ArithOp::RemEuclid | ArithOp::DivEuclid, _, by) => {
                if let Term::Lit(Value::Int(n)) = &**by
                    && n.to_i128().is_some_and(|n| n > 1)
                    && !self.divisors.contains(n)
                {
                    self.divisors.push(n.clone());
                }
            }
            Term::FloatUnary(FloatUnary::IsNan, _) => self.has_nan = true,
            Term::FloatUnary(FloatUnary::IsInfinite, _) => self.has_infinity = true,
            Term::FloatUnary(FloatUnary::IsFinite, _) => {
                self.has_nan = true;
                self.has_infinity = true;
            }
            _ => {}
        });
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(_) => {}
            Value::Int(n) if !self.ints.contains(n) => self.ints.push(n.clone()),
            Value::Int(_) => {}
            Value::Char(c) => self.char(*c),
            Value::Float(x) if x.is_nan() => self.has_nan = true,
            Value::Float(x) if x.is_infinite() => self.has_infinity = true,
            Value::Float(x) if !self.floats.contains(x) => self.floats.push(*x),
            Value::Float(_) => {}
            Value::Str(text) => {
                text.chars().for_each(|c| self.char(c));
                let is_new = !text.is_empty() && !self.texts.contains(text);
                if is_new && text.len() <= LONGEST_TEXT && self.texts.len() < MOST_TEXTS {
                    self.texts.push(text.clone());
                }
            }
            Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
                parts.iter().for_each(|part| self.value(part));
                self.list(value);
            }
        }
    }

    fn list(&mut self, value: &Value) {
        if let Value::Seq(parts) = value
            && parts.len() > 1
            && parts.iter().all(|part| matches!(part, Value::Int(_)))
            && self.lists.len() < MOST_TEXTS
            && !self.lists.contains(value)
        {
            self.lists.push(value.clone());
        }
    }

    fn char(&mut self, c: char) {
        if !self.chars.contains(&c) {
            self.chars.push(c);
        }
    }
}

/// One of some items; none if there is none.
fn one_of<'a, T>(items: impl Iterator<Item = &'a T>, dice: &mut Dice) -> Option<&'a T> {
    let items: Vec<&T> = items.collect();
    items.get(dice.index(items.len().max(1))).copied()
}

/// Whether a term is arithmetic on literals.
fn is_plain(term: &Term) -> bool {
    let mut plain = true;
    visit(term, &mut |term| {
        plain &= matches!(
            term,
            Term::Lit(_) | Term::Neg(_) | Term::Arith(..) | Term::FloatArith(..) | Term::Machine(..)
        );
    });
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::IntKind;
    use crate::space::IntervalSet;

    #[test]
    fn multiples_of_divisors_come_often() {
        let year = Scalar::plain(
            LeafSort::Int(IntKind::U16),
            IntervalSet::between(Int::from(1500), Int::from(60_000)),
        );
        let constants = Constants { divisors: vec![Int::from(400)], ..Constants::default() };
        let mut dice = Dice::new(0, 0);
        let found: Vec<Value> = (0..100).filter_map(|_| constants.random(&year, &mut dice)).collect();
        assert!(found.len() > 10, "{found:?}");
        let is_multiple = |value: &Value| matches!(value, Value::Int(n) if n.rem_euclid(&Int::from(400)) == Some(Int::ZERO));
        assert!(found.iter().all(is_multiple), "{found:?}");
    }

    #[test]
    fn only_constants_that_fit_are_chosen() {
        let radix =
            Scalar::plain(LeafSort::Int(IntKind::U32), IntervalSet::between(Int::from(2), Int::from(36)));
        let ints = [10].into_iter().chain(100..200).map(Int::from).collect();
        let constants = Constants { ints, ..Constants::default() };
        let mut dice = Dice::new(0, 0);
        let found: Vec<Option<Value>> = (0..100).map(|_| constants.random(&radix, &mut dice)).collect();
        assert!(
            found
                .iter()
                .all(|value| matches!(value, Some(Value::Int(n)) if (9..=11).any(|m| *n == Int::from(m))))
        );
    }

    #[test]
    fn numbers_of_the_spec_that_divide_are_divisors() {
        let slot = || Box::new(Term::Var(0));
        let literal = |n: i64| Box::new(Term::Lit(Value::int(n)));
        let mut constants = Constants::default();
        constants.term(&Term::Arith(ArithOp::Rem, slot(), literal(400)));
        constants.term(&Term::Arith(ArithOp::Add, slot(), literal(7)));
        constants.term(&Term::Arith(ArithOp::DivEuclid, slot(), literal(1)));
        assert_eq!(constants.divisors, [Int::from(400)]);
        assert_eq!(constants.ints, [400, 7, 1].map(Int::from));
    }

    #[test]
    fn numbers_are_written_as_text_next_to_signs() {
        let (ints, texts) = (vec![Int::from(100_u32)], vec!["ab".into(), "too long a sign".into()]);
        let constants = Constants { ints, texts, chars: vec!['x', '%'], ..Constants::default() };
        let texts = constants.whole_texts();
        let found: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        assert_eq!(
            found,
            [
                "ab",
                "too long a sign",
                "101",
                "101ab",
                "ab101",
                "101%",
                "%101",
                "100",
                "100ab",
                "ab100",
                "100%",
                "%100",
                "99",
                "99ab",
                "ab99",
                "99%",
                "%99"
            ]
        );
        assert_eq!(Constants { ints: Vec::new(), ..constants }.whole_texts().len(), 2);
    }
}
