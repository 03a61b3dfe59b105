//! Which functions of a package a harness has: all, or those that a filter selects.
//!
//! rustc needs about 20 s for a megabyte of harness. So a harness of a few functions is built alone if the package has
//! many more. The harness of all serves any filter, and is used as long as it is current.

use std::collections::BTreeSet;

use crate::run::harness::Source;

/// Number of bytes of source that are left out of a harness rather than compiled: about a second of rustc.
const WORTHWHILE: usize = 48 << 10;

/// The functions that a harness is needed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All functions of the package.
    All,
    /// Those with these numbers.
    Only(BTreeSet<u32>),
}

impl Asked {
    /// Whether a function is among them.
    pub fn has(&self, number: u32) -> bool {
        match self {
            Asked::All => true,
            Asked::Only(numbers) => numbers.contains(&number),
        }
    }

    /// The functions to compile: all if leaving out the others saves too little.
    pub fn or_all(self, all: &str, own: &str) -> Asked {
        if all.len().saturating_sub(own.len()) < WORTHWHILE { Asked::All } else { self }
    }

    /// The source to compile, given that of all functions and that of these.
    pub fn source<'s>(&self, all: &'s str, own: &'s str) -> Source<'s> {
        match self {
            Asked::All => Source { text: all, larger: None },
            Asked::Only(_) => Source { text: own, larger: Some(all) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_much_smaller_harness_is_built_alone() {
        let asked = || Asked::Only([3, 5].into());
        assert!(asked().has(5) && !asked().has(4) && Asked::All.has(4));
        let all = "x".repeat(2 * WORTHWHILE);
        assert_eq!(asked().or_all(&all, &all[..WORTHWHILE + 1]), Asked::All);
        assert_eq!(asked().or_all(&all, &all[..WORTHWHILE]), asked());
    }
}
