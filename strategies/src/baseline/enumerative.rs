//! Plain enumeration: the members of a skeleton by index, ignoring refinements.
//!
//! Every leaf has a rank in its domain, 0 for the smallest value. Members are ordered by the sum of the ranks of
//! their leaves, then lexicographically: `(0, 0)`, `(0, 1)`, `(1, 0)`, `(0, -1)`, `(1, 1)`, .. So small members come
//! first, and no leaf waits until all later leaves have run through their domains, as they would on an odometer.
//!
//! The parent names members by skeleton and index only, and a harness child makes them:
//!
//! ```
//! # use target_strategies::baseline::enumerative::{Members, Range};
//! # use target_strategies::space::Space;
//! fn run(space: &Space, range: &Range) {
//!     let mut members = Members::new(space, &range.skeleton);
//!     members.seek(range.start);
//!     let mut args = Vec::new();
//!     for _ in 0..range.len {
//!         if !members.next_into(&mut args) {
//!             break;
//!         }
//!         // Run the case `args`.
//!     }
//! }
//! ```

mod grade;

use std::sync::Arc;

use crate::logic::value::Value;
use crate::space::{Shape, Skeleton, Space};
use grade::Grades;

/// Consecutive members of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The index of the first member.
    pub start: u64,
    /// Number of members.
    pub len: u64,
}

/// The ranges between two offsets in a list of ranges.
pub fn slice(ranges: &[Range], from: u64, to: u64) -> Vec<Range> {
    let mut passed = 0;
    let part = |range: &Range| {
        let (skip, end) = (from.saturating_sub(passed), to.saturating_sub(passed).min(range.len));
        passed += range.len;
        let part = || Range { skeleton: range.skeleton.clone(), start: range.start + skip, len: end - skip };
        (skip < end).then(part)
    };
    ranges.iter().filter_map(part).collect()
}

/// The members of one skeleton, in order.
#[derive(Clone, Debug)]
pub struct Members {
    args: Vec<Arg>,
    domains: Vec<Arc<[Value]>>,
    grades: Grades,
    /// The ranks of the next member; `None` after the last.
    ranks: Option<Vec<u32>>,
    /// The first position at which the ranks differ from those of the caller's arguments.
    changed: usize,
}

/// A parameter's shape, and the range of its leaves.
#[derive(Clone, Debug)]
struct Arg {
    shape: Shape,
    from: usize,
    to: usize,
}

impl Members {
    /// The members of a skeleton, starting with the first.
    pub fn new(space: &Space, skeleton: &Skeleton) -> Members {
        let mut from = 0;
        let args = skeleton.args.iter().map(|shape| {
            let to = from + shape.n_leaves();
            let arg = Arg { shape: shape.clone(), from, to };
            from = to;
            arg
        });
        let args = args.collect();
        let domains: Vec<Arc<[Value]>> = space.leaves(skeleton).into_iter().map(|leaf| leaf.domain).collect();
        let grades = Grades::new(domains.iter().map(|domain| domain.len() as u32).collect());
        let ranks = grades.first();
        Members { args, domains, grades, ranks, changed: 0 }
    }

    /// Number of members; `None` if it doesn't fit an index.
    pub fn len(&self) -> Option<u64> {
        self.grades.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Makes the member with this index the next one.
    pub fn seek(&mut self, index: u64) {
        self.ranks = self.grades.nth(index);
        self.changed = 0;
    }

    /// Writes the next member's arguments; `false` if there is none.
    ///
    /// `args` must be empty, or as the previous call left it: only the differences are written, into the same
    /// allocations unless the caller shares them.
    pub fn next_into(&mut self, args: &mut Vec<Value>) -> bool {
        let Some(ranks) = &mut self.ranks else { return false };
        if args.len() != self.args.len() {
            args.clear();
            args.resize(self.args.len(), Value::Bool(false));
            self.changed = 0;
        }
        for (arg, value) in self.args.iter().zip(args.iter_mut()) {
            // An argument without leaves is written only once.
            if arg.to > self.changed || self.changed == 0 {
                let mut leaves = Leaves { domains: &self.domains, ranks, at: arg.from };
                if matches!(arg.shape, Shape::Leaf) {
                    leaves.write(value);
                } else {
                    leaves.fill(&arg.shape, value);
                }
            }
        }
        match self.grades.advance(ranks) {
            Some(changed) => self.changed = changed,
            None => self.ranks = None,
        }
        true
    }
}

/// The scalars of a member, going left to right.
struct Leaves<'a> {
    domains: &'a [Arc<[Value]>],
    ranks: &'a [u32],
    at: usize,
}

impl Leaves<'_> {
    fn take(&mut self) -> &Value {
        let value = &self.domains[self.at][self.ranks[self.at] as usize];
        self.at += 1;
        value
    }

    fn write(&mut self, value: &mut Value) {
        match (self.take(), value) {
            (
                Value::Int(crate::logic::int::Int::Small(n)),
                Value::Int(crate::logic::int::Int::Small(old)),
            ) => *old = *n,
            (new, value) => value.clone_from(new),
        }
    }

    /// Builds a value of this shape from the next leaves, in place if possible.
    fn fill(&mut self, shape: &Shape, value: &mut Value) {
        match (shape, &mut *value) {
            (Shape::Leaf, _) => self.write(value),
            (Shape::Seq(shapes), Value::Seq(parts)) | (Shape::Tuple(shapes), Value::Tuple(parts)) => {
                if !self.fill_all(shapes, parts) {
                    *value = self.build(shape);
                }
            }
            (Shape::Data(ctor, shapes), Value::Data(old, parts)) if ctor == old => {
                if !self.fill_all(shapes, parts) {
                    *value = self.build(shape);
                }
            }
            _ => *value = self.build(shape),
        }
    }

    /// Fills parts that are not shared; `false`, with no leaf used, if they are.
    fn fill_all(&mut self, shapes: &[Shape], parts: &mut Arc<[Value]>) -> bool {
        match Arc::get_mut(parts) {
            Some(parts) if parts.len() == shapes.len() => {
                shapes.iter().zip(parts).for_each(|(shape, part)| self.fill(shape, part));
                true
            }
            _ => false,
        }
    }

    fn build(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Leaf => self.take().clone(),
            Shape::Str(len) => {
                let chars =
                    (0..*len).filter_map(|_| if let Value::Char(c) = self.take() { Some(*c) } else { None });
                Value::Str(chars.collect::<String>().into())
            }
            Shape::Seq(shapes) => Value::Seq(shapes.iter().map(|shape| self.build(shape)).collect()),
            Shape::Tuple(shapes) => Value::Tuple(shapes.iter().map(|shape| self.build(shape)).collect()),
            Shape::Data(ctor, shapes) => {
                Value::Data(*ctor, shapes.iter().map(|shape| self.build(shape)).collect())
            }
        }
    }
}
