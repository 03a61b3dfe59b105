//! The members of a space in the order in which a set takes them: small ones first.
//!
//! Neighbours in that order are alike. Once many in a row were of no use, or many were looked at, those that are left in large
//! classes come in an order in which neighbours are far apart.

use target_strategies::cancel;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::key::Key;
use crate::generate::members::{Members, Next};

/// Number of members in a row that may be of no use before further ones come from everywhere. A key that is a number has to be
/// that far from the last one at most.
const PATIENCE: u32 = 2_000;

/// The same if the key is a number.
const MOST_APART: u32 = 20_000;

/// The members, with those that were looked at.
pub(super) struct Listed {
    members: Members,
    /// All that were looked at.
    pub all: Vec<Vec<Value>>,
    /// Number of members in a row that weren't added to the set.
    pub n_fruitless: u32,
    patience: u32,
    most_in_order: usize,
    is_in_order: bool,
    first_step: u64,
}

impl Listed {
    /// The members of a space for a relation with these keys, of which at most so many are looked at.
    pub fn new(space: &Space, keys: Option<&[Key]>, most: usize) -> Listed {
        let (patience, most_in_order) = match keys {
            // On both sides of zero.
            Some([Key::Apart(_, least)]) => {
                let apart = least.to_usize().and_then(|least| u32::try_from(least).ok());
                let apart = apart.map_or(MOST_APART, |least| least.saturating_mul(2));
                (apart.clamp(PATIENCE, MOST_APART), most / 2)
            }
            Some(_) | None => (PATIENCE, most / 4),
        };
        Listed {
            members: Members::in_order(space),
            all: Vec::new(),
            n_fruitless: 0,
            patience,
            most_in_order,
            is_in_order: true,
            first_step: cancel::steps(),
        }
    }

    /// The next member, which [`Listed::note`] adds to those that were looked at.
    pub fn advance(&mut self) -> Next {
        let is_enough = self.n_fruitless > self.patience || self.all.len() >= self.most_in_order;
        if self.is_in_order && is_enough {
            self.is_in_order = false;
            self.members.spread();
        }
        self.members.advance()
    }

    /// Notes that a member was looked at, and whether it was of use.
    pub fn note(&mut self, member: Vec<Value>, is_added: bool) {
        self.n_fruitless = if is_added { 0 } else { self.n_fruitless + 1 };
        self.all.push(member);
    }

    /// Number of steps that all of this took.
    pub fn n_steps(&self) -> u64 {
        cancel::steps() - self.first_step
    }
}
