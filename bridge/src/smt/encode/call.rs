//! Unfolds measures. On a skeleton every recursion over a structure ends. A recursion over integers ends once the
//! decreasing measure is known to be negative.

use target_strategies::logic::ir::{FunctionId, Term};

use super::{Encoded, Encoder, Outcome, Residual};
use crate::smt::formula::F;

/// Maximum total nesting depth of the terms of measures that call each other.
const NESTING: u32 = 3_000;

impl Encoder<'_> {
    /// The body of a function, with its parameters bound.
    pub(super) fn call(&mut self, id: FunctionId, args: &[Term]) -> Encoded<Outcome> {
        let function = self.spec.function(id);
        let mut values = Vec::with_capacity(args.len());
        let mut defined = Vec::with_capacity(args.len());
        for arg in args {
            let outcome = self.term(arg)?;
            values.push(outcome.value);
            defined.push(outcome.defined);
        }
        if self.nesting + function.nesting > NESTING {
            return Err(Residual(format!("`{}` calls itself too often", function.name)));
        }
        self.nesting += function.nesting;
        // The surrounding call needs its parameters again.
        let outer: Vec<_> =
            function.params.iter().zip(values).map(|(slot, value)| (*slot, self.set(*slot, value))).collect();
        let body = self.body(function.decreases.as_ref(), &function.body, &mut defined);
        outer.into_iter().for_each(|(slot, before)| drop(self.set(slot, before)));
        self.nesting -= function.nesting;
        let body = body?;
        defined.push(body.defined);
        Ok(Outcome { defined: self.formulas.and(defined), ..body })
    }

    fn body(&mut self, decreases: Option<&Term>, body: &Term, defined: &mut Vec<F>) -> Encoded<Outcome> {
        if let Some(measure) = decreases {
            let (measure, is_defined) = self.int_term(measure)?;
            let not_negative = self.formulas.at_least_constant(measure, &0.into());
            defined.extend([is_defined, not_negative]);
        }
        let so_far = self.formulas.and(defined.clone());
        if self.formulas.as_truth(so_far) == Some(false) {
            return Ok(self.undefined());
        }
        self.term(body)
    }
}
