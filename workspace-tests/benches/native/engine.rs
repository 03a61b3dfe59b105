//! The native engine as the bench asks it: the one place that knows its interface.
//!
//! It is not there yet, so that [`Engine::new`] gives none, and the columns that want one say so.

use std::convert::Infallible;

use target_strategies::space::Space;
use target_strategies::value::Value;

/// The plan for a space.
pub struct Engine {
    never: Infallible,
}

impl Engine {
    /// Plans, if there is an engine and it covers the spec.
    pub fn new(_space: &Space) -> Option<Engine> {
        None
    }

    /// The exact number of members, in decimal digits.
    pub fn count(&mut self) -> String {
        match self.never {}
    }

    /// Shows the members in order, until one shall be the last.
    pub fn list(&mut self, _is_last: &mut dyn FnMut(&[Value]) -> bool) {
        match self.never {}
    }

    /// Shows members drawn uniformly, until one shall be the last.
    pub fn sample(&mut self, _seed: u64, _is_last: &mut dyn FnMut(&[Value]) -> bool) {
        match self.never {}
    }
}
