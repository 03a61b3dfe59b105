//! The members of a space in the order in which a set takes them: small ones first.
//!
//! Neighbours in that order are alike. Once many in a row were not added, or many were looked at, those that are left in large
//! classes come in an order in which neighbours are far apart.

use target_strategies::cancel;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::key::Key;
use crate::generate::members::{Members, Next};

/// Number of members in a row that may be added to no set before further ones come from everywhere.
pub(super) const PATIENCE: u32 = 2_000;

/// The same, at most, if members are added once a number is far enough from the last one: twice that distance, on both sides of zero.
const MOST_APART: u32 = 20_000;

/// The members, with those that were looked at.
pub(super) struct Listed {
    members: Members,
    /// All that were looked at.
    pub all: Vec<Vec<Value>>,
    /// Number of members in a row that weren't added to the set.
    pub n_fruitless: u32,
    patience: u32,
    /// The share of the members that may come in order: one of this many parts.
    part_in_order: usize,
    is_in_order: bool,
    first_step: u64,
}

impl Listed {
    /// The members of a space for a relation with these keys.
    pub fn new(space: &Space, keys: Option<&[Key]>) -> Listed {
        let (patience, part_in_order) = match keys {
            Some([Key::Apart(_, least)]) => {
                let apart = least.to_usize().and_then(|least| u32::try_from(least).ok());
                let apart = apart.map_or(MOST_APART, |least| least.saturating_mul(2));
                (apart.clamp(PATIENCE, MOST_APART), 2)
            }
            Some(_) | None => (PATIENCE, 4),
        };
        Listed {
            members: Members::in_order(space),
            all: Vec::new(),
            n_fruitless: 0,
            patience,
            part_in_order,
            is_in_order: true,
            first_step: cancel::steps(),
        }
    }

    /// The next of at most so many members, which [`Listed::note`] adds to those that were looked at.
    pub fn advance(&mut self, most: usize) -> Next {
        let is_enough = self.n_fruitless > self.patience || self.all.len() >= most / self.part_in_order;
        if self.is_in_order && is_enough {
            self.is_in_order = false;
            self.members.spread();
        }
        self.members.advance()
    }

    /// Notes that a member was looked at, and whether it was added to the set.
    pub fn note(&mut self, member: Vec<Value>, is_added: bool) {
        self.n_fruitless = if is_added { 0 } else { self.n_fruitless + 1 };
        self.all.push(member);
    }

    /// Number of steps that all of this took.
    pub fn n_steps(&self) -> u64 {
        cancel::steps() - self.first_step
    }
}
