//! A random order for the options of choices. The first member that a walk finds in that order is a random one, also
//! where members can't be counted.
//!
//! Members are not equally likely. A scalar that is compared with others is chosen by its place among them ([`Compared`]). Conditions that
//! relate scalars in other ways may limit them, too, so some walks lean to one side: with `n` open scalars of the same type they
//! take the least (or the greatest) of `n` samples. And half of the walks have a favourite constructor of each type that isn't recursive,
//! so that a list may have many elements of one kind: swarm testing, Groce et al. 2012, section 2.

use std::sync::Arc;

use super::compared::Compared;
use crate::dice::Dice;
use crate::logic::value::Value;
use crate::native::plan::types::TypeId;

/// Percentage of walks with favourite constructors, and of choices that begin with the favourite.
const SWARMING: u64 = 50;
const FAVOURED: u64 = 85;

/// Percentage of branches that earlier walks made, where nearly all new ones have no solution.
const MOST_REUSED: u64 = 90;

/// How many of the branches of a walk earlier walks made. With more, it is faster, and more like them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// None. This walk keeps no branches, either.
    Never,
    /// Few, where new branches take few steps.
    Rare,
    /// Some, where new branches take many steps.
    Often,
}

impl Reuse {
    /// Percentage of branches that earlier walks made.
    fn percentage(self) -> u64 {
        match self {
            Reuse::Never => 0,
            Reuse::Rare => 10,
            Reuse::Often => 25,
        }
    }

    /// Number of branches of a state from which walks make no more. It limits memory.
    fn most_made(self) -> usize {
        match self {
            Reuse::Never => usize::MAX,
            Reuse::Rare => 512,
            Reuse::Often => 64,
        }
    }
}

/// A source of random orders, for one walk.
pub struct Shuffle {
    dice: Dice,
    lean: Lean,
    /// Whether strings of known length are uniform words. Otherwise each character is uniform among those that may follow.
    takes_words: bool,
    /// Decides on the favourite constructors, if the walk has any.
    favourites: Option<u64>,
    reuse: Reuse,
}

/// The side of a domain that a walk prefers.
#[derive(Clone, Copy)]
enum Lean {
    None,
    Low,
    High,
}

impl Shuffle {
    /// The orders of one walk.
    pub fn new(mut dice: Dice, reuse: Reuse) -> Shuffle {
        let lean = [Lean::None, Lean::None, Lean::Low, Lean::High][dice.index(4)];
        let takes_words = dice.percent(50);
        let favourites = dice.percent(SWARMING).then(|| dice.next_u64());
        Shuffle { dice, lean, takes_words, favourites, reuse }
    }

    /// Whether states are kept for later walks.
    pub fn keeps(&self) -> bool {
        self.reuse != Reuse::Never
    }

    /// The branch of a state to begin with: one of `n_made` that were made so far, or the next one if there are few. `solvable` are
    /// those not known to have no solution: the more have none, the more seldom is a new one tried.
    pub fn first(&mut self, n_made: usize, solvable: &[usize], is_all: bool) -> usize {
        if solvable.is_empty() {
            return if is_all { 0 } else { n_made };
        }
        let (usual, share) = (self.reuse.percentage(), (100 * (n_made - solvable.len()) / n_made) as u64);
        let percentage = usual + MOST_REUSED.saturating_sub(usual) * share * share / 10_000;
        if is_all || n_made >= self.reuse.most_made() || self.dice.percent(percentage) {
            solvable[self.dice.index(solvable.len())]
        } else {
            n_made
        }
    }

    /// One of some values; none if there is none.
    pub fn one(&mut self, values: &Arc<[Value]>) -> Arc<[Value]> {
        if values.len() < 2 {
            return values.clone();
        }
        Arc::from([values[self.dice.index(values.len())].clone()])
    }

    /// The values of a scalar that is compared with such others, and chosen while `n_open` scalars of its type are open.
    pub fn scalars(&mut self, values: &[Value], compared: Compared, n_open: usize) -> Arc<[Value]> {
        let mut values = values.to_vec();
        let n = values.len();
        if n < 2 {
            return values.into();
        }
        let first = self.index(n, compared, n_open);
        if compared.is_among_others() || !matches!(self.lean, Lean::None) {
            values.sort_by(|a, b| match (a, b) {
                (Value::Int(a), Value::Int(b)) => a.cmp(b),
                (Value::Float(a), Value::Float(b)) => a.total_cmp(b),
                (Value::Char(a), Value::Char(b)) => a.cmp(b),
                _ => std::cmp::Ordering::Equal,
            });
        }
        values.swap(0, first);
        self.dice.shuffle(&mut values[1..]);
        values.into()
    }

    /// The index of a value among `n` ascending ones, which is not 0, for a scalar that is compared with such others, and chosen
    /// while `n_open` scalars are open.
    pub fn index(&mut self, n: usize, compared: Compared, n_open: usize) -> usize {
        let samples = (0..n_open.max(1)).map(|_| self.dice.index(n));
        match self.lean {
            _ if compared.is_among_others() => compared.index(n, &mut self.dice),
            Lean::None => self.dice.index(n),
            Lean::Low => samples.min().unwrap_or(0),
            Lean::High => samples.max().unwrap_or(0),
        }
    }

    /// Random numbers for uniform words, if this walk samples them.
    pub fn for_words(&mut self) -> Option<&mut Dice> {
        self.takes_words.then_some(&mut self.dice)
    }

    /// The constructors of a type that isn't recursive. In most choices, the favourite of this walk comes first, if it has one.
    pub fn constructors<T>(&mut self, of: TypeId, options: &mut [T]) {
        let favourite = self.favourites.map(|salt| Dice::new(salt, of.0.into()).index(options.len().max(1)));
        let Some(favourite) = favourite.filter(|_| self.dice.percent(FAVOURED)) else {
            return self.dice.shuffle(options);
        };
        options.swap(0, favourite);
        self.dice.shuffle(&mut options[1..]);
    }

    /// Options of any kind.
    pub fn any<T>(&mut self, options: &mut [T]) {
        self.dice.shuffle(options);
    }
}
