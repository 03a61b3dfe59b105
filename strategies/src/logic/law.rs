//! Laws that a function must obey on the arguments that it meets.
//!
//! A law is checked result by result. Each law here can be extended to all other arguments if it holds on some, as long as
//! the type has enough results.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::logic::ir::{Clause, CompareOp, Law, Term};
use crate::logic::order::logic_compare;
use crate::logic::value::Value;

/// An entry of a function: the arguments, and the result.
pub type Entry<'v> = (&'v [Value], &'v Value);

/// Whether some entries obey a law.
pub fn obeys(law: Law, entries: &[Entry<'_>]) -> bool {
    let mut known = Known::new(law);
    entries.iter().enumerate().all(|(index, (args, result))| {
        let fits = known.fits(args, result, entries[..index].iter().copied());
        known.add(args, result);
        fits
    })
}

/// What laws demand of one result, as far as comparisons with values say it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demands {
    /// The greatest value that it must not be less than, and the least that it must not exceed.
    pub at_least: Option<Value>,
    /// See `at_least`.
    pub at_most: Option<Value>,
    /// The value that it must be.
    pub equal: Option<Value>,
    /// The values that it must not be.
    pub unequal: Vec<Value>,
}

impl Demands {
    /// All values, so that different demands have different ones.
    pub fn values(&self) -> Vec<Value> {
        let optional = [&self.at_least, &self.at_most, &self.equal];
        let optional = optional.map(|value| Value::seq(value.iter().cloned().collect::<Vec<_>>()));
        optional.into_iter().chain(self.unequal.iter().cloned()).collect()
    }

    /// The demands as conditions on the first parameter of a spec.
    pub fn clauses(&self) -> Vec<Clause> {
        let own = || Box::new(Term::Var(0));
        let literal = |value: &Value| Box::new(Term::Lit(value.clone()));
        let at_least = self.at_least.iter().map(|least| Term::Compare(CompareOp::Le, literal(least), own()));
        let at_most = self.at_most.iter().map(|most| Term::Compare(CompareOp::Le, own(), literal(most)));
        let equal = self.equal.iter().map(|value| Term::Equal(own(), literal(value)));
        let unequal =
            self.unequal.iter().map(|value| Term::Not(Box::new(Term::Equal(own(), literal(value)))));
        let terms = at_least.chain(at_most).chain(equal).chain(unequal);
        terms.map(|term| Clause { id: 0, text: String::new(), term }).collect()
    }
}

/// What follows from the results of a function by a law.
#[derive(Clone, Debug)]
pub struct Known {
    law: Law,
    /// The numbers of the values that were compared.
    numbers: HashMap<Value, usize>,
    relation: Relation,
}

impl Known {
    /// Nothing yet.
    pub fn new(law: Law) -> Known {
        Known { law, numbers: HashMap::new(), relation: Relation::default() }
    }

    /// Whether a result for new arguments obeys the law, given the entries so far, which were added.
    pub fn fits<'e>(
        &self,
        args: &[Value],
        result: &Value,
        mut entries: impl Iterator<Item = Entry<'e>>,
    ) -> bool {
        match self.law {
            Law::TotalOrder | Law::Equivalence => {
                let [a, b] = args else { return true };
                let Some(answer) = self.answer(result) else { return false };
                match (self.numbers.get(a), self.numbers.get(b)) {
                    _ if a == b => answer == Answer::Equal,
                    (Some(a), Some(b)) => self.relation.admits(*a, *b, answer),
                    // Nothing is known of one of them.
                    (None, _) | (_, None) => true,
                }
            }
            Law::Monotone => entries.all(|(known, other)| is_monotone((known, other), (args, result))),
            Law::Antitone => entries.all(|(known, other)| is_monotone((known, result), (args, other))),
            Law::Injective => entries.all(|(known, other)| known == args || other != result),
            Law::Commutative => entries.all(|(known, other)| match (known, args) {
                ([a, c], [d, b]) => (a, c) != (b, d) || other == result,
                _ => true,
            }),
            Law::Pure => entries.all(|(known, other)| known != args || other == result),
        }
    }

    /// Adds what the law demands of a result for new arguments, given the entries so far. Laws about results of few values demand
    /// nothing here: these are tried one by one.
    pub fn demand<'e>(
        &self,
        args: &[Value],
        entries: impl Iterator<Item = Entry<'e>>,
        demands: &mut Demands,
    ) {
        for (known, result) in entries {
            match (self.law, known, args) {
                (Law::TotalOrder | Law::Equivalence, ..) => {}
                (Law::Monotone | Law::Antitone, [known], [arg]) => {
                    let order = logic_compare(known, arg);
                    let is_least = (order == Some(Ordering::Less)) == (self.law == Law::Monotone);
                    match order {
                        Some(Ordering::Less | Ordering::Greater) if is_least => {
                            raise(&mut demands.at_least, result, Ordering::Greater);
                        }
                        Some(Ordering::Less | Ordering::Greater) => {
                            raise(&mut demands.at_most, result, Ordering::Less);
                        }
                        Some(Ordering::Equal) | None => {}
                    }
                }
                (Law::Monotone | Law::Antitone, ..) => {}
                (Law::Injective, ..) if !demands.unequal.contains(result) => {
                    demands.unequal.push(result.clone());
                }
                (Law::Commutative, [a, b], [c, d]) if (a, b) == (d, c) => {
                    demands.equal = Some(result.clone());
                }
                (Law::Injective | Law::Commutative | Law::Pure, ..) => {}
            }
        }
    }

    /// Adds an entry that fits.
    pub fn add(&mut self, args: &[Value], result: &Value) {
        let (Law::TotalOrder | Law::Equivalence, [a, b], Some(answer)) =
            (self.law, args, self.answer(result))
        else {
            return;
        };
        let (a, b) = (self.number(a), self.number(b));
        self.relation.add(a, b, answer);
    }

    fn number(&mut self, value: &Value) -> usize {
        let next = self.numbers.len();
        let number = *self.numbers.entry(value.clone()).or_insert(next);
        self.relation.grow(self.numbers.len());
        number
    }

    fn answer(&self, result: &Value) -> Option<Answer> {
        match (self.law, result) {
            (Law::Equivalence, Value::Bool(true)) => Some(Answer::Equal),
            (Law::Equivalence, Value::Bool(false)) => Some(Answer::Different),
            // `Ordering::Less`, `Equal` and `Greater`.
            (Law::TotalOrder, Value::Data(0, _)) => Some(Answer::Less),
            (Law::TotalOrder, Value::Data(1, _)) => Some(Answer::Equal),
            (Law::TotalOrder, Value::Data(2, _)) => Some(Answer::Greater),
            _ => None,
        }
    }
}

/// Puts a value in place of one that is less, or greater, than it.
fn raise(bound: &mut Option<Value>, value: &Value, order: Ordering) {
    if bound.as_ref().is_none_or(|bound| logic_compare(value, bound) == Some(order)) {
        *bound = Some(value.clone());
    }
}

fn is_monotone((a, x): Entry<'_>, (b, y): Entry<'_>) -> bool {
    let order = |a: &[Value], b: &[Value]| match (a, b) {
        ([a], [b]) => logic_compare(a, b),
        _ => None,
    };
    match (order(a, b), logic_compare(x, y)) {
        (Some(Ordering::Less), results) => results != Some(Ordering::Greater),
        (Some(Ordering::Greater), results) => results != Some(Ordering::Less),
        (Some(Ordering::Equal) | None, _) => true,
    }
}

/// What a relation says of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Less,
    Equal,
    Greater,
    /// One is less, but not known which.
    Different,
}

/// What is known of each pair of values, closed under transitivity.
#[derive(Clone, Debug, Default)]
struct Relation {
    n: usize,
    /// Whether one value is at most another.
    at_most: Vec<Vec<bool>>,
    /// Whether it is less.
    less: Vec<Vec<bool>>,
    /// Whether they differ, in one direction or the other.
    differ: Vec<Vec<bool>>,
}

impl Relation {
    /// Makes room for `n` values. Of a new one nothing is known, but that it equals itself.
    fn grow(&mut self, n: usize) {
        for table in [&mut self.at_most, &mut self.less, &mut self.differ] {
            table.iter_mut().for_each(|row| row.resize(n, false));
            table.resize(n, vec![false; n]);
        }
        for value in self.n..n {
            self.at_most[value][value] = true;
        }
        self.n = n;
    }

    /// Whether an answer contradicts nothing.
    fn admits(&self, a: usize, b: usize, answer: Answer) -> bool {
        match answer {
            Answer::Less => !self.at_most[b][a],
            Answer::Greater => !self.at_most[a][b],
            Answer::Equal => !self.less[a][b] && !self.less[b][a] && !self.differ[a][b],
            Answer::Different => !(self.at_most[a][b] && self.at_most[b][a]),
        }
    }

    fn add(&mut self, a: usize, b: usize, answer: Answer) {
        match answer {
            Answer::Less => self.order(a, b, true),
            Answer::Greater => self.order(b, a, true),
            Answer::Equal => {
                self.order(a, b, false);
                self.order(b, a, false);
                // Values that differ from one of the two differ from both.
                for x in 0..self.n {
                    for (from, to) in [(a, b), (b, a)] {
                        if self.differ[from][x] {
                            self.separate(to, x);
                        }
                    }
                }
            }
            Answer::Different => self.separate(a, b),
        }
    }

    /// Adds that `a` is at most `b`, or less.
    fn order(&mut self, a: usize, b: usize, is_less: bool) {
        let below: Vec<usize> = (0..self.n).filter(|x| self.at_most[*x][a]).collect();
        let above: Vec<usize> = (0..self.n).filter(|y| self.at_most[b][*y]).collect();
        for x in below {
            for y in &above {
                let less = is_less || self.less[x][a] || self.less[b][*y];
                self.at_most[x][*y] = true;
                self.less[x][*y] |= less;
            }
        }
    }

    /// Adds that all that equals `a` differs from all that equals `b`.
    fn separate(&mut self, a: usize, b: usize) {
        let like = |of: usize| -> Vec<usize> {
            (0..self.n).filter(|x| self.at_most[*x][of] && self.at_most[of][*x]).collect()
        };
        let (like_a, like_b) = (like(a), like(b));
        for x in like_a {
            for y in &like_b {
                self.differ[x][*y] = true;
                self.differ[*y][x] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::eval::{Judge, Judgement};

    /// Number of functions of two arguments from a set of three values that obey a law; the results have these numbers.
    fn relations(n_results: u32, law: Law, result: impl Fn(u32) -> Value) -> usize {
        let values: Vec<Value> = (0..3i64).map(Value::int).collect();
        let pairs: Vec<[Value; 2]> =
            values.iter().flat_map(|a| values.iter().map(move |b| [a.clone(), b.clone()])).collect();
        let all = (0..n_results.pow(9)).filter(|code| {
            let results: Vec<Value> = (0..9).map(|i| result(code / n_results.pow(i) % n_results)).collect();
            let entries: Vec<Entry<'_>> = pairs.iter().map(|pair| &pair[..]).zip(&results).collect();
            obeys(law, &entries)
        });
        all.count()
    }

    #[test]
    fn as_many_total_orders_and_equivalences_as_there_are() {
        // Total preorders of three values, and partitions of them: OEIS A000670 and A000110.
        assert_eq!(relations(3, Law::TotalOrder, |n| Value::Data(n, [].into())), 13);
        assert_eq!(relations(2, Law::Equivalence, |n| Value::Bool(n == 1)), 5);
    }

    #[test]
    fn as_many_functions_of_one_argument_as_there_are() {
        let count = |law| {
            let args: Vec<[Value; 1]> = (0..3i64).map(|n| [Value::int(n)]).collect();
            let all = (0..27i64).filter(|code| {
                let results: Vec<Value> = (0..3).map(|i| Value::int(code / 3i64.pow(i) % 3)).collect();
                obeys(law, &args.iter().map(|arg| &arg[..]).zip(&results).collect::<Vec<_>>())
            });
            all.count()
        };
        // Of three values to three: weakly ascending sequences, and permutations. All are pure.
        assert_eq!([count(Law::Monotone), count(Law::Antitone), count(Law::Injective)], [10, 10, 6]);
        assert_eq!(count(Law::Pure), 27);
        // Of two arguments, six pairs are different but for their order: 3^6.
        assert_eq!(relations(3, Law::Commutative, Value::int), 729);
    }

    #[test]
    fn demands_are_what_a_fitting_result_satisfies() {
        for law in [Law::Monotone, Law::Antitone, Law::Injective, Law::Commutative] {
            let n_args = if law == Law::Commutative { 2 } else { 1 };
            let args = |code: i64| -> Vec<Value> {
                (0..n_args).map(|i| Value::int(code / 3i64.pow(i) % 3)).collect()
            };
            let known = Known::new(law);
            // Two entries, and a third one of which each result is tried.
            for code in 0..9 * 9 * 9i64 {
                let keys = [args(code % 9), args(code / 9 % 9), args(code / 81)];
                for results in 0..27i64 {
                    let of = |i: u32| Value::int(results / 3i64.pow(i) % 3);
                    let (first, second, third) = (of(0), of(1), of(2));
                    let entries = [(&keys[0][..], &first), (&keys[1][..], &second)];
                    if keys[2] == keys[0] || keys[2] == keys[1] || keys[0] == keys[1] || !obeys(law, &entries)
                    {
                        continue;
                    }
                    let mut demands = Demands::default();
                    known.demand(&keys[2], entries.into_iter(), &mut demands);
                    let mut judge = Judge::new(None);
                    judge.set(0, third.clone());
                    let clauses = demands.clauses();
                    let holds = clauses.iter().all(|clause| judge.clause(clause) == Judgement::Holds);
                    let fits = known.fits(&keys[2], &third, entries.into_iter());
                    assert_eq!(holds, fits, "{law:?} {keys:?} {results}: {demands:?}");
                }
            }
        }
    }

    #[test]
    fn what_follows_from_distant_answers_is_known() {
        let pair = |a: i64, b: i64| [Value::int(a), Value::int(b)];
        let order = |ctor: u32| Value::Data(ctor, [].into());
        let mut known = Known::new(Law::TotalOrder);
        // 0 < 1, 2 < 3, 1 = 2: so 0 < 3.
        for (a, b, ctor) in [(0, 1, 0), (3, 2, 2), (1, 2, 1)] {
            known.add(&pair(a, b), &order(ctor));
        }
        let fits = |a, b, ctor| known.fits(&pair(a, b), &order(ctor), std::iter::empty());
        assert_eq!([fits(0, 3, 0), fits(0, 3, 1), fits(0, 3, 2), fits(3, 0, 2)], [true, false, false, true]);
        let mut known = Known::new(Law::Equivalence);
        for (a, b, same) in [(0, 1, false), (1, 2, true), (3, 0, true)] {
            known.add(&pair(a, b), &Value::Bool(same));
        }
        assert!(!known.fits(&pair(2, 3), &Value::Bool(true), std::iter::empty()));
    }
}
