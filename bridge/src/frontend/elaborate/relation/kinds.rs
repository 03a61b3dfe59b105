//! Kinds of values, for `cover` and `pairwise`.
//!
//! Strings that are declared to match a regular expression are of one kind if they take the same way through it. Otherwise, a kind is
//! what is left of a value if all numbers of a sign are alike (0 and 1 are apart), all strings and lists of 3 or more parts, all characters, and, below a number of levels, all contents of an enum's variant. The parts of tuples
//! and structs have kinds of their own. Each is a number that the language can express.

use std::cmp::Reverse;

use target_strategies::logic::ir::{DataId, Regex, Term};
use target_strategies::logic::part::path_of;
use target_strategies::logic::value::Value;

use super::super::build::{and, branch, equal, field, int, is_ctor, less, project};
use crate::frontend::data::DataTable;
use crate::frontend::logic_type::Ty;
use crate::frontend::regex::Ways;
use crate::frontend::subject::Kind;

/// Number of kinds of the parts of a value from which no further ones are added.
pub const MAX_KINDS: usize = 200;

/// Maximum number of ways through a regular expression that are kinds.
const MOST_WAYS: u64 = 12;

/// Maximum number of parts of a value that are looked at, with those that have no kind.
const MOST_PARTS: usize = 10_000;

/// Maximum nesting of a value's parts.
const DEEPEST: usize = 200;

/// The kinds of the parts of a value, down to so many levels of enums; `None` if it has too many parts.
pub fn kinds(of: &Term, ty: &Ty, levels: u32, data: &mut DataTable<'_>) -> Option<Vec<Kind>> {
    let mut parts = Parts { data, conditions: Vec::new(), kinds: Vec::new(), n_parts: 0, depth: 0 };
    parts.add(of, ty, levels);
    (!parts.are_too_many()).then_some(parts.kinds)
}

struct Parts<'a, 'c> {
    data: &'a mut DataTable<'c>,
    /// The conditions for the part at hand to be there: variants of the enums that contain it.
    conditions: Vec<Term>,
    kinds: Vec<Kind>,
    /// Number of parts so far; more than the maximum if they are nested too deeply.
    n_parts: usize,
    depth: usize,
}

impl Parts<'_, '_> {
    fn are_too_many(&self) -> bool {
        self.kinds.len() > MAX_KINDS || self.n_parts > MOST_PARTS
    }

    fn add(&mut self, of: &Term, ty: &Ty, levels: u32) {
        self.n_parts += 1;
        if self.depth == DEEPEST {
            self.n_parts = MOST_PARTS + 1;
        }
        if self.are_too_many() {
            return;
        }
        self.depth += 1;
        self.add_part(of, ty, levels);
        self.depth -= 1;
    }

    fn add_part(&mut self, of: &Term, ty: &Ty, levels: u32) {
        match ty {
            Ty::Bool => self.push(branch(of.clone(), int(2), int(1)), 2),
            Ty::Int(kind) => {
                let is = |n: i64| equal(of.clone(), int(n));
                let is_unsigned = kind.is_some_and(|kind| !kind.is_signed());
                let rest =
                    if is_unsigned { int(3) } else { branch(less(of.clone(), int(0)), int(4), int(3)) };
                let number = branch(is(0), int(1), branch(is(1), int(2), rest));
                self.push(number, if is_unsigned { 3 } else { 4 });
            }
            Ty::Float(_) => {
                // The rest is `NaN`.
                let zero = || Term::Lit(Value::Float(0.0));
                let rest = branch(less(zero(), of.clone()), int(3), int(4));
                let rest = branch(equal(of.clone(), zero()), int(2), rest);
                self.push(branch(less(of.clone(), zero()), int(1), rest), 4);
            }
            Ty::Str => match self.way(of) {
                Some((way, n)) => self.push(way, n),
                None => self.push_amount(&Term::Len(Box::new(Term::Chars(Box::new(of.clone()))))),
            },
            Ty::Seq(_) | Ty::Set(_) | Ty::Bag(_) | Ty::Map(..) => {
                self.push_amount(&Term::Len(Box::new(of.clone())));
            }
            Ty::Tuple(parts) => {
                for (at, part) in (0..).zip(parts) {
                    self.add(&project(of.clone(), at), part, levels);
                }
            }
            Ty::Data(id) => self.add_data(of, *id, levels),
            Ty::Char | Ty::Function(..) | Ty::Opaque(_) => {}
        }
    }

    /// The number of the way that a string takes through the expression that it is declared to match, and the number of ways. `None` if there are too many, or one.
    fn way(&mut self, of: &Term) -> Option<(Term, i64)> {
        let text = path_of(of).and_then(|path| self.data.declared.get(&path))?;
        let ways = Ways::of(text).ok()?;
        let n = ways.n();
        if !(2..=MOST_WAYS).contains(&n) {
            return None;
        }
        // A string takes the leftmost branch that it can.
        let mut order: Vec<u64> = (0..n).collect();
        order.sort_by_key(|k| Reverse(ways.groups(*k)));
        let last = order.pop()?;
        let mut number = int(last as i64 + 1);
        for k in order.into_iter().rev() {
            let regex = self.data.added_regex(&ways.nth(k)).ok()?;
            let matches = Term::Matches(regex, Regex::START, Box::new(of.clone()));
            number = branch(matches, int(k as i64 + 1), number);
        }
        Some((number, n as i64))
    }

    fn add_data(&mut self, of: &Term, id: DataId, levels: u32) {
        let ctors = self.data.get(id).ctors.clone();
        let is_enum = ctors.len() > 1;
        if is_enum {
            let n = ctors.len() as i64;
            let variants = (0..ctors.len() as u32).rev().skip(1);
            let variant = variants
                .fold(int(n), |rest, ctor| branch(is_ctor(of.clone(), ctor), int(i64::from(ctor) + 1), rest));
            self.push(variant, n);
        }
        let levels = if is_enum { levels - 1 } else { levels };
        if levels == 0 {
            return;
        }
        for (at, ctor) in (0..).zip(&ctors) {
            if is_enum {
                self.conditions.push(is_ctor(of.clone(), at));
            }
            for (index, part) in (0..).zip(&ctor.fields) {
                let ty = self.data.ty_of(&part.refined);
                self.add(&field(of.clone(), at, index), &ty, levels);
            }
            if is_enum {
                self.conditions.pop();
            }
        }
    }

    /// Adds a kind that is none, one, two or more.
    fn push_amount(&mut self, n: &Term) {
        let is = |k: i64| equal(n.clone(), int(k));
        self.push(branch(is(0), int(1), branch(is(1), int(2), branch(is(2), int(3), int(4)))), 4);
    }

    /// Adds a number from 1 to `n`; it is 0 if the part isn't there.
    fn push(&mut self, number: Term, n: i64) {
        if self.conditions.is_empty() {
            self.kinds.push(Kind { term: number, least: 1, greatest: n });
        } else {
            let number = branch(and(self.conditions.clone()), number, int(0));
            self.kinds.push(Kind { term: number, least: 0, greatest: n });
        }
    }
}
