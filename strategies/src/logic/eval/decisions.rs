//! The decisions in the postconditions of a spec: which of them were taken both ways while cases were judged.
//!
//! `x < 0 ==> result == 0` says nothing about a run in which `x < 0` was never true. So the left side of an `==>` is a
//! decision that must be true once, and the condition of an `if` or of a `match`'s arm one that must be true once and
//! false once. Conditions inside measures don't count.

#![allow(clippy::wildcard_enum_match_arm, reason = "few terms are decisions; all others only have subterms")]

use crate::logic::ir::{Clause, Spec, Term, for_children};
use crate::logic::value::Value;

/// Maximum number of decisions that are watched in a spec. The time to judge a case grows with it.
const MAX_DECISIONS: usize = 64;

/// A condition in a postcondition, and the truth that it must have at least once.
#[derive(Clone, Debug)]
pub struct Decision<'s> {
    /// The clause around it.
    pub clause: &'s Clause,
    /// The condition.
    pub condition: &'s Term,
    /// The names around it, outermost first: the slots of `let`s and their values.
    pub names: Vec<(u32, &'s Term)>,
    /// The truth that it must have.
    pub truth: bool,
    /// The decision that must be taken before this one can be.
    pub after: Option<usize>,
    /// The address of the term that the judge evaluates. It is stable while the spec is borrowed.
    address: usize,
    /// The truth of that term.
    found: bool,
}

/// The decisions of a spec, each after the one that it depends on. There are at most 64: further ones are not watched.
pub fn decisions(spec: &Spec) -> Vec<Decision<'_>> {
    let mut clauses = Vec::new();
    spec.result.clauses_inside(&mut clauses);
    clauses.extend(&spec.ensures);
    let mut finder = Finder { found: Vec::new(), names: Vec::new() };
    for clause in clauses {
        finder.walk(clause, &clause.term, None);
    }
    finder.found.truncate(MAX_DECISIONS);
    finder.found
}

/// Collects decisions.
struct Finder<'s> {
    found: Vec<Decision<'s>>,
    names: Vec<(u32, &'s Term)>,
}

impl<'s> Finder<'s> {
    fn walk(&mut self, clause: &'s Clause, term: &'s Term, after: Option<usize>) {
        match term {
            Term::Let { slot, value, body } => {
                self.walk(clause, value, after);
                self.names.push((*slot, value));
                self.walk(clause, body, after);
                self.names.pop();
            }
            Term::Or(parts) => self.alternatives(clause, parts, after),
            // Where no branch is defined, the spec has no choice: `unwrap` is such an `if`.
            Term::If(condition, a, b) if **b == Term::Undefined => {
                self.walk(clause, condition, after);
                self.walk(clause, a, after);
            }
            Term::If(condition, a, b) => self.branches(clause, (condition, a, b), after),
            _ => {
                let mut children = Vec::new();
                for_children(term, &mut |child| children.push(child));
                children.into_iter().for_each(|child| self.walk(clause, child, after));
            }
        }
    }

    /// `!a || b`, which is `a ==> b`.
    fn alternatives(&mut self, clause: &'s Clause, parts: &'s [Term], mut after: Option<usize>) {
        let last = parts.len().saturating_sub(1);
        for (index, part) in parts.iter().enumerate() {
            self.walk(clause, part, after);
            if let Term::Not(condition) = part
                && index < last
                && !is_excluded(&parts[last])
            {
                after = Some(self.add(clause, (condition, true), (part, false), after));
            }
        }
    }

    /// `if`, and the arms of a `match`: the last one has an undefined alternative.
    fn branches(
        &mut self,
        clause: &'s Clause,
        (condition, a, b): (&'s Term, &'s Term, &'s Term),
        after: Option<usize>,
    ) {
        self.walk(clause, condition, after);
        if !is_excluded(a) {
            let then = self.add(clause, (condition, true), (condition, true), after);
            self.walk(clause, a, Some(then));
        }
        if is_excluded(b) {
            return;
        }
        let otherwise = self.add(clause, (condition, false), (condition, false), after);
        match b {
            Term::If(condition, a, b) => self.branches(clause, (condition, a, b), Some(otherwise)),
            b => self.walk(clause, b, Some(otherwise)),
        }
    }

    fn add(
        &mut self,
        clause: &'s Clause,
        (condition, truth): (&'s Term, bool),
        (judged, found): (&'s Term, bool),
        after: Option<usize>,
    ) -> usize {
        let address = std::ptr::from_ref(judged) as usize;
        let names = self.names.clone();
        self.found.push(Decision { clause, condition, names, truth, after, address, found });
        self.found.len() - 1
    }
}

/// Whether a branch says that it is never taken: a case that takes it breaks the spec.
fn is_excluded(branch: &Term) -> bool {
    match branch {
        Term::Undefined | Term::Lit(Value::Bool(false)) => true,
        Term::If(_, a, b) => is_excluded(a) && is_excluded(b),
        _ => false,
    }
}

/// The decisions that no case has taken yet.
#[derive(Debug)]
pub(super) struct OpenDecisions {
    /// The address of a condition, its truth, and the number of the decision.
    open: Vec<(usize, bool, u32)>,
    taken: Vec<u32>,
}

impl OpenDecisions {
    pub(super) fn new(decisions: &[Decision<'_>]) -> OpenDecisions {
        let open = (0..).zip(decisions).map(|(number, of)| (of.address, of.found, number)).collect();
        // Memory for it must not be charged to a case.
        OpenDecisions { open, taken: Vec::with_capacity(decisions.len()) }
    }

    /// The numbers of the decisions that were taken for the first time since the last call.
    pub(super) fn taken(&mut self) -> impl Iterator<Item = u32> {
        self.taken.drain(..)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Records that a condition was judged.
    pub(super) fn note(&mut self, condition: &Term, truth: bool) {
        let address = std::ptr::from_ref(condition) as usize;
        let found = self.open.iter().position(|open| (open.0, open.1) == (address, truth));
        if let Some(at) = found {
            self.taken.push(self.open.swap_remove(at).2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::eval::{Finding, Judge};
    use crate::logic::ir::{CompareOp, IntKind, Param, Refined, Sort};

    fn less(a: Term, b: Term) -> Term {
        Term::Compare(CompareOp::Lt, Box::new(a), Box::new(b))
    }

    fn int(n: i64) -> Term {
        Term::Lit(Value::int(n))
    }

    /// `fn(x: i64) -> {r: i64 | p}`
    fn spec(term: Term) -> Spec {
        let i64 = || Refined::plain(Sort::Int(IntKind::I64));
        let clauses = vec![Clause { id: 0, text: String::new(), term }];
        Spec {
            params: vec![Param { name: "x".to_owned(), refined: i64(), mutable: false }],
            result: Refined { clauses, ..i64() },
            ..Spec::unrefined("f")
        }
    }

    /// The decisions that are taken for these arguments and results, each with its number.
    fn taken(spec: &Spec, cases: &[(i64, i64)]) -> Vec<u32> {
        let mut judge = Judge::new(None);
        judge.watch(&decisions(spec));
        let mut taken = Vec::new();
        for (x, result) in cases {
            let found = judge.postcondition(spec, &[Value::int(*x)], None, &Value::int(*result));
            assert_eq!(found, Finding::Kept);
            taken.extend(judge.taken());
        }
        taken
    }

    #[test]
    fn the_left_side_of_an_implication_must_be_true_once() {
        let negative = Term::Not(Box::new(less(Term::Var(0), int(0))));
        let spec = spec(Term::Or(vec![negative, less(Term::Var(1), int(0))]));
        let found = decisions(&spec);
        assert_eq!((found.len(), found[0].truth), (1, true));
        assert_eq!(*found[0].condition, less(Term::Var(0), int(0)));
        assert_eq!(taken(&spec, &[(0, 0), (5, 1)]), []);
        assert_eq!(taken(&spec, &[(0, 0), (-1, -1), (-2, -2)]), [0]);
    }

    #[test]
    fn an_alternative_that_is_no_implication_is_no_decision() {
        let spec = spec(Term::Or(vec![less(int(0), Term::Var(1)), less(Term::Var(1), int(9))]));
        assert!(decisions(&spec).is_empty());
    }

    #[test]
    fn each_branch_of_an_if_is_a_decision_after_the_one_around_it() {
        // `if x < 0 { true } else if x < 9 { true } else { true }`
        let yes = || Box::new(Term::Lit(Value::Bool(true)));
        let inner = Term::If(Box::new(less(Term::Var(0), int(9))), yes(), yes());
        let spec = spec(Term::If(Box::new(less(Term::Var(0), int(0))), yes(), Box::new(inner)));
        let found: Vec<_> = decisions(&spec).iter().map(|of| (of.truth, of.after)).collect();
        assert_eq!(found, [(true, None), (false, None), (true, Some(1)), (false, Some(1))]);
        assert_eq!(taken(&spec, &[(-1, 0)]), [0]);
        assert_eq!(taken(&spec, &[(3, 0), (9, 0)]), [1, 2, 3]);
    }

    #[test]
    fn a_branch_that_is_false_is_never_to_be_taken() {
        // `if x < 0 { true } else if x < 9 { false } else { undefined }`, and `x < 0 ==> false`.
        let no = || Box::new(Term::Lit(Value::Bool(false)));
        let inner = Term::If(Box::new(less(Term::Var(0), int(9))), no(), Box::new(Term::Undefined));
        let yes = Box::new(Term::Lit(Value::Bool(true)));
        let matched = spec(Term::If(Box::new(less(Term::Var(0), int(0))), yes, Box::new(inner)));
        let found: Vec<_> = decisions(&matched).iter().map(|of| of.truth).collect();
        assert_eq!(found, [true]);
        let negative = Term::Not(Box::new(less(Term::Var(0), int(0))));
        assert!(decisions(&spec(Term::Or(vec![negative, *no()]))).is_empty());
    }

    #[test]
    fn an_if_that_only_defines_a_value_is_no_decision() {
        // `if x < 9 { x } else { undefined } < 9`, as of an `unwrap`.
        let known = less(Term::Var(0), int(9));
        let value = Term::If(Box::new(known), Box::new(Term::Var(0)), Box::new(Term::Undefined));
        assert!(decisions(&spec(less(value, int(9)))).is_empty());
    }
}
