//! The native engine as the bench asks it: the one place that knows its interface.

use target_strategies::logic::value::Value;
use target_strategies::native::{Class, Native};
use target_strategies::space::Space;

/// The most ways that counting may make.
const EFFORT: u64 = 10_000_000;

/// An engine for a space, which knows nothing yet.
pub struct Engine {
    native: Native,
}

impl Engine {
    /// Begins anew.
    pub fn new(space: &Space) -> Engine {
        Engine { native: Native::new(space) }
    }

    /// The exact number of members in decimal digits, if it is found within [`EFFORT`].
    pub fn count(&mut self) -> Option<String> {
        let count = self.native.count(Class::All, EFFORT).ok()?;
        count.exactly().map(ToString::to_string)
    }

    /// Shows the members in order, until one shall be the last. They are counted first, as by the tool: no choice that is
    /// left leads nowhere.
    pub fn list(&mut self, is_last: &mut dyn FnMut(&[Value]) -> bool) {
        let _ = self.count();
        let Some(mut cursor) = self.native.cursor(Class::All) else { return };
        while self.native.advance(&mut cursor) {
            if is_last(cursor.values()) {
                break;
            }
        }
    }

    /// Shows members drawn uniformly, until one shall be the last. They are counted first.
    pub fn sample(&mut self, seed: u64, is_last: &mut dyn FnMut(&[Value]) -> bool) {
        if self.count().is_none() {
            return;
        }
        for index in 0.. {
            match self.native.sample(Class::All, seed, index) {
                Some(args) if !is_last(&args) => {}
                _ => break,
            }
        }
    }
}
