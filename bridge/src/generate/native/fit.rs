//! What the engine finds of a space within a fixed effort: whether it has members, and the greatest size of one.

use target_strategies::cancel;
use target_strategies::native::describe::Membership;
use target_strategies::native::{Class, Native};
use target_strategies::space::Space;

use super::open::SEARCH_EFFORT;

/// An engine for a space, if it suits the space ([`is_fit`]) and that is known within so many steps ([`cancel::steps`]): a choice
/// may take many.
pub fn fit_within(space: &Space, steps: u64) -> Option<Native> {
    cancel::within_steps(steps, || {
        let mut native = Native::new(space);
        suits(&mut native).then_some(native)
    })
    .flatten()
}

/// Whether the engine suits a space: within a fixed effort it finds an input, or proves that there is none. Otherwise
/// it searches blindly, and a solver may do better. An undecided input doesn't count.
pub fn is_fit(space: &Space) -> bool {
    suits(&mut Native::new(space))
}

fn suits(native: &mut Native) -> bool {
    let mut left = SEARCH_EFFORT;
    let mut is_decided = true;
    for size in native.sizes() {
        let before = native.work().1;
        match native.has_member(Class::Size(size), left) {
            Ok(Membership::Some) => return true,
            Ok(Membership::None) => {}
            Ok(Membership::Undecided) => is_decided = false,
            Err(_) => return false,
        }
        left = left.saturating_sub(1 + native.work().1 - before);
        if left == 0 {
            return false;
        }
    }
    is_decided
}

/// The greatest size of an input, if there is an input; an error is a size for which that is unknown.
pub fn greatest_size(space: &Space) -> Result<Option<u64>, u64> {
    let mut native = Native::new(space);
    for size in native.sizes().rev() {
        match native.has_member(Class::Size(size), SEARCH_EFFORT) {
            Ok(Membership::Some) => return Ok(Some(size)),
            Ok(Membership::None) => {}
            Ok(Membership::Undecided) | Err(_) => return Err(size),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::native::tests::sorted;

    #[test]
    fn a_search_that_takes_too_many_steps_finds_nothing() {
        let space = sorted(4, 4);
        assert!(is_fit(&space) && fit_within(&space, 1_000_000).is_some());
        assert!(fit_within(&space, 0).is_none());
    }
}
