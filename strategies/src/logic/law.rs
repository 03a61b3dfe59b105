//! Laws that a function must obey on the arguments that it meets.
//!
//! A law is checked on the entries so far. Each law here can be extended to all other arguments if it holds on some,
//! as long as the type has enough results.

use std::cmp::Ordering;

use crate::logic::ir::Law;
use crate::logic::order::logic_compare;
use crate::logic::value::Value;

/// An entry of a function: the arguments, and the result.
pub type Entry<'v> = (&'v [Value], &'v Value);

/// Whether some entries obey a law.
pub fn obeys(law: Law, entries: &[Entry<'_>]) -> bool {
    let pairs =
        || entries.iter().enumerate().flat_map(|(i, a)| entries[i + 1..].iter().map(move |b| (*a, *b)));
    match law {
        Law::TotalOrder => Relation::of(entries).is_some_and(|relation| relation.orders_all()),
        Law::Equivalence => is_equivalence(entries),
        Law::Monotone => pairs().all(|(a, b)| is_monotone(a, b)),
        Law::Antitone => pairs().all(|((a, x), (b, y))| is_monotone((a, y), (b, x))),
        Law::Injective => pairs().all(|((a, x), (b, y))| a == b || x != y),
        Law::Commutative => pairs().all(|((a, x), (b, y))| match (a, b) {
            ([a, c], [d, b]) => (a, c) != (b, d) || x == y,
            _ => true,
        }),
        Law::Pure => pairs().all(|((a, x), (b, y))| a != b || x == y),
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

/// Whether answers of `true` join values into classes that answers of `false` keep apart.
fn is_equivalence(entries: &[Entry<'_>]) -> bool {
    let mut values: Vec<&Value> = Vec::new();
    let mut classes: Vec<usize> = Vec::new();
    let mut related = Vec::new();
    for (args, result) in entries {
        let [a, b] = args else { return true };
        let (a, b) = (index(&mut values, a), index(&mut values, b));
        classes.extend(classes.len()..values.len());
        if **result == Value::Bool(true) {
            let (from, to) = (classes[a], classes[b]);
            classes.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
        } else {
            related.push((a, b));
        }
    }
    related.into_iter().all(|(a, b)| classes[a] != classes[b])
}

fn index<'v>(values: &mut Vec<&'v Value>, value: &'v Value) -> usize {
    values.iter().position(|known| *known == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}

/// What a comparison said of some values.
struct Relation {
    n: usize,
    /// Whether one value is known to be at most another one, by their numbers.
    at_most: Vec<bool>,
    /// Pairs of which the first is less than the second.
    less: Vec<(usize, usize)>,
}

impl Relation {
    fn of(entries: &[Entry<'_>]) -> Option<Relation> {
        let mut values = Vec::new();
        let mut pairs = Vec::new();
        for (args, result) in entries {
            let ([a, b], Value::Data(ctor, _)) = (args, result) else { return None };
            pairs.push((index(&mut values, a), index(&mut values, b), *ctor));
        }
        let n = values.len();
        let mut relation = Relation { n, at_most: vec![false; n * n], less: Vec::new() };
        for (a, b, ctor) in pairs {
            // `Ordering::Less`, `Equal` and `Greater` are the constructors 0, 1 and 2.
            if ctor <= 1 {
                relation.at_most[a * n + b] = true;
            }
            if ctor >= 1 {
                relation.at_most[b * n + a] = true;
            }
            match ctor {
                0 => relation.less.push((a, b)),
                2 => relation.less.push((b, a)),
                _ => {}
            }
        }
        Some(relation)
    }

    /// Whether no value is less than one that is at most itself.
    fn orders_all(mut self) -> bool {
        let n = self.n;
        for via in 0..n {
            for a in (0..n).filter(|a| self.at_most[a * n + via]).collect::<Vec<_>>() {
                for b in 0..n {
                    self.at_most[a * n + b] |= self.at_most[via * n + b];
                }
            }
        }
        self.less.iter().all(|(a, b)| a != b && !self.at_most[b * n + a])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of two arguments from a set of three values, whose results are constructors below `n_results`.
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
        // Of three values to three: weakly ascending sequences, and permutations.
        assert_eq!([count(Law::Monotone), count(Law::Antitone), count(Law::Injective)], [10, 10, 6]);
    }
}
