//! Compares the values of terms, by the order of values.

use std::cmp::Ordering;

use super::env::{Datum, Halt};
use crate::logic::order::{all_equal, lexicographic, logic_compare, logic_equal};

impl Datum<'_> {
    /// `==`
    pub(super) fn equals(&self, other: &Datum) -> Result<bool, Halt> {
        match (self.value(), other.value()) {
            (Ok(a), Ok(b)) => Ok(logic_equal(a, b)),
            _ => Ok(all_equal(self.elements()?, other.elements()?)),
        }
    }

    /// `partial_cmp`
    pub(super) fn compare(&self, other: &Datum) -> Result<Option<Ordering>, Halt> {
        match (self.value(), other.value()) {
            (Ok(a), Ok(b)) => Ok(logic_compare(a, b)),
            _ => Ok(lexicographic(self.elements()?, other.elements()?)),
        }
    }
}
