//! Replaces leaves by constants, and simplifies the result.

use std::collections::HashMap;

use super::{F, Formulas, Node};

impl Formulas {
    /// The formulas after a leaf is replaced by a constant, as one list of conjuncts without repetition; `None` if they
    /// contradict each other syntactically.
    pub fn assume(&mut self, conjuncts: &[F], leaf: u32, constant: F) -> Option<Vec<F>> {
        let mut done = HashMap::new();
        let mut remaining = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            remaining.push(self.replace(conjunct, leaf, constant, &mut done));
        }
        let all = self.and(remaining);
        match self.as_truth(all) {
            Some(false) => None,
            _ => Some(self.conjuncts(all)),
        }
    }

    /// A formula with a leaf replaced by a constant. `done` caches results for the same leaf and constant.
    fn replace(&mut self, root: F, leaf: u32, constant: F, done: &mut HashMap<F, F>) -> F {
        // Uses an explicit stack: formulas may be deeper than the thread's stack.
        let mut todo = vec![root];
        while let Some(&f) = todo.last() {
            if done.contains_key(&f) {
                todo.pop();
                continue;
            }
            if self.leaves(f).binary_search(&leaf).is_err() {
                done.insert(f, f);
                continue;
            }
            let missing: Vec<F> = self.parts(f).into_iter().filter(|part| !done.contains_key(part)).collect();
            if missing.is_empty() {
                let replaced = self.rebuild(f, constant, done);
                done.insert(f, replaced);
            } else {
                todo.extend(missing);
            }
        }
        done[&root]
    }

    /// Rebuilds one operation from its replaced parts; the only leaf is the one replaced.
    fn rebuild(&mut self, f: F, constant: F, done: &HashMap<F, F>) -> F {
        match self.node(f).clone() {
            Node::Leaf(_) => constant,
            Node::Bool(_) | Node::Int(_) | Node::Float(_) => f,
            Node::Not(a) => self.not(done[&a]),
            Node::And(parts) => self.and(parts.iter().map(|part| done[part]).collect::<Vec<_>>()),
            Node::If(a, b, c) => self.choose(done[&a], done[&b], done[&c]),
            Node::Sum(offset, terms) => {
                let mut parts = vec![self.int(offset)];
                for (part, coefficient) in terms.iter() {
                    let scaled = self.scale(done[part], coefficient);
                    parts.push(scaled);
                }
                self.sum(parts)
            }
            Node::Product(a, b) => self.mul(done[&a], done[&b]),
            Node::Quotient(a, b) => self.div_mod(done[&a], done[&b]).0,
            Node::Remainder(a, b) => self.div_mod(done[&a], done[&b]).1,
            Node::Bits(op, _, a, b) => self.bits(op, done[&a], done[&b]),
            Node::AtMost(a, limit) => self.at_most_constant(done[&a], &limit),
            Node::EqualInt(a, value) => self.equal_constant(done[&a], &value),
            Node::FloatBinary(op, a, b) => self.float_binary(op, done[&a], done[&b]),
            Node::FloatNeg(a) => self.float_neg(done[&a]),
            Node::FloatAbs(a) => self.float_abs(done[&a]),
            Node::FloatToF32(a) => self.float_to_f32(done[&a]),
            Node::FloatIsNan(a) => self.float_is_nan(done[&a]),
            Node::FloatIsInfinite(a) => self.float_is_infinite(done[&a]),
            Node::FloatIsNegative(a) => self.float_is_negative(done[&a]),
        }
    }
}
