//! The goals of a run: what its cases should show at least once, so that a pass says something.
//!
//! The goals of a spec are that the function returns; each variant that its result may have; each decision of a
//! postcondition ([`crate::logic::eval::decisions`]); each value of a part that has few, each variant of an enum, and the
//! length of each list ([`crate::space::parts`]). They have numbers, which parent and child compute from the spec alone. The child looks at
//! every valid case, and reports each goal when it is met first.

use crate::logic::eval::{Decision, Judge, Judgement, decisions};
use crate::logic::ir::{Ctor, Refined, Sort, Spec, Term};
use crate::logic::value::Value;
use crate::space::{Allowed, Part, Step, code, parts};

/// The greatest length that is a goal of its own. All longer lists meet the goal of the next length.
pub const LONGEST: u64 = 8;

/// Maximum number of variants of a result.
const MAX_VARIANTS: usize = 64;

/// The number of the goal that the function returns, and its postcondition is judged.
pub const RETURNED: u32 = 0;

/// The goals of a spec.
#[derive(Clone, Debug)]
pub struct Goals<'s> {
    /// The variants of the result that its conditions allow, as far as they can be told: for a `bool`, 0 and 1. Empty
    /// if the result has fewer than two.
    pub variants: Vec<u32>,
    /// The decisions of the postconditions.
    pub decisions: Vec<Decision<'s>>,
    /// The parts of inputs, each with the number of its first goal.
    pub parts: Vec<(u32, Part)>,
    n_goals: u32,
}

impl<'s> Goals<'s> {
    /// The goals of a spec.
    pub fn of(spec: &'s Spec) -> Goals<'s> {
        let (variants, decisions) = (variants(spec), decisions(spec));
        let mut n_goals = 1 + variants.len() as u32 + decisions.len() as u32;
        let with_number = |part: Part| {
            let first = n_goals;
            n_goals += n_codes(&part.allowed);
            (first, part)
        };
        let parts = parts(spec).into_iter().map(with_number).collect();
        Goals { variants, decisions, parts, n_goals }
    }

    /// Number of goals.
    pub fn len(&self) -> u32 {
        self.n_goals
    }

    /// Whether there are none. There is always the goal that the function returns.
    pub fn is_empty(&self) -> bool {
        self.n_goals == 0
    }

    /// The goal that the result has the variant with this index in [`Goals::variants`].
    pub fn variant(&self, index: usize) -> u32 {
        RETURNED + 1 + index as u32
    }

    /// The goal that the decision with this index is taken.
    pub fn decision(&self, index: usize) -> u32 {
        self.variant(self.variants.len()) + index as u32
    }
}

/// Number of goals of a part.
pub(super) fn n_codes(allowed: &Allowed) -> u32 {
    match allowed {
        Allowed::Values { codes, .. } => match codes[..] {
            [first, .., last] => (last - first) as u32 + 1,
            [_] => 1,
            [] => 0,
        },
        Allowed::Variants { variants, .. } => variants.len() as u32,
        Allowed::Lengths { .. } => LONGEST as u32 + 2,
    }
}

impl Part {
    /// Calls a function with the number, among the goals of the part, of each goal that an input meets.
    pub fn goals(&self, args: &[Value], meet: &mut dyn FnMut(u32)) {
        if let Some((Step::Project(slot), path)) = self.path.split_first()
            && let Some(arg) = args.get(*slot as usize)
        {
            each_at(arg, path, &mut |value| {
                if let Some(goal) = self.goal(value) {
                    meet(goal);
                }
            });
        }
    }

    /// The goal that a value of the part meets.
    fn goal(&self, value: &Value) -> Option<u32> {
        match &self.allowed {
            Allowed::Values { codes, .. } => {
                let offset = code(value)?.to_i64()?.checked_sub(*codes.first()?)?;
                u32::try_from(offset).ok().filter(|offset| *offset < n_codes(&self.allowed))
            }
            Allowed::Variants { variants, .. } => {
                let variant = variant_of(value)?;
                variants.binary_search(&variant).ok().map(|index| index as u32)
            }
            Allowed::Lengths { .. } => Some(length(value)?.min(LONGEST + 1) as u32),
        }
    }
}

/// Calls a function with each value at the end of a path.
fn each_at(value: &Value, path: &[Step], found: &mut dyn FnMut(&Value)) {
    let Some((step, rest)) = path.split_first() else { return found(value) };
    match (step, value) {
        (Step::Each, Value::Seq(elements)) => {
            elements.iter().for_each(|element| each_at(element, rest, found));
        }
        (Step::Project(index), Value::Tuple(parts)) => {
            if let Some(part) = parts.get(*index as usize) {
                each_at(part, rest, found);
            }
        }
        (Step::Field(ctor, index), Value::Data(own, fields)) if ctor == own => {
            if let Some(field) = fields.get(*index as usize) {
                each_at(field, rest, found);
            }
        }
        (Step::Each | Step::Project(_) | Step::Field(..) | Step::At(_) | Step::Chars, _) => {}
    }
}

/// The number of elements or characters. The characters of a long text are not counted.
fn length(value: &Value) -> Option<u64> {
    match value {
        Value::Seq(elements) => Some(elements.len() as u64),
        Value::Str(text) if text.len() as u64 > 4 * LONGEST => Some(LONGEST + 1),
        Value::Str(text) => Some(text.chars().count() as u64),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Char(_)
        | Value::Float(_)
        | Value::Tuple(_)
        | Value::Data(..) => None,
    }
}

/// The variant of a `bool` or an enum.
pub(super) fn variant_of(result: &Value) -> Option<u32> {
    match result {
        Value::Bool(truth) => Some(u32::from(*truth)),
        Value::Data(ctor, _) => Some(*ctor),
        Value::Int(_)
        | Value::Char(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Tuple(_) => None,
    }
}

/// The variants that the result may have.
fn variants(spec: &Spec) -> Vec<u32> {
    let possible: Vec<(u32, Value)> = match &spec.result {
        Refined { sort: Sort::Bool, .. } => {
            [false, true].map(|truth| (u32::from(truth), Value::Bool(truth))).into()
        }
        Refined { sort: Sort::Data(id), .. } => {
            // Fields are unread, so that a condition on them excludes nothing.
            let value = |ctor: &Ctor| vec![Value::unread(); ctor.fields.len()];
            let ctors = (0..).zip(&spec.data(*id).ctors).filter(|(_, ctor)| !ctor.excluded);
            ctors.map(|(index, ctor)| (index, Value::Data(index, value(ctor).into()))).collect()
        }
        _ => Vec::new(),
    };
    let clauses = spec.result.clauses.iter().chain(&spec.ensures);
    let conditions: Vec<&Term> = clauses.map(|clause| &clause.term).collect();
    let mut judge = Judge::new(None).with_regexes(&spec.regexes);
    let admitted = possible.into_iter().filter(|(_, value)| {
        judge.set(spec.value_slot(), value.clone());
        conditions.iter().all(|condition| judge.condition(condition) != Judgement::Broken)
    });
    let admitted: Vec<u32> = admitted.map(|(index, _)| index).collect();
    if (2..=MAX_VARIANTS).contains(&admitted.len()) { admitted } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::Clause;

    /// `fn(x: bool) -> {r: bool | p}`
    fn spec(term: Term) -> Spec {
        let bool = || Refined::plain(Sort::Bool);
        let clauses = vec![Clause { id: 0, text: String::new(), term }];
        Spec {
            params: vec![crate::logic::ir::Param { name: "x".to_owned(), refined: bool(), mutable: false }],
            result: Refined { clauses, ..bool() },
            ..Spec::unrefined("f")
        }
    }

    #[test]
    fn a_result_that_must_be_true_has_no_variants() {
        assert!(Goals::of(&spec(Term::Var(1))).variants.is_empty());
    }

    #[test]
    fn a_result_that_depends_on_the_input_has_all_variants() {
        let same = Term::Equal(Box::new(Term::Var(0)), Box::new(Term::Var(1)));
        let spec = spec(same);
        let goals = Goals::of(&spec);
        assert_eq!(goals.variants, [0, 1]);
        // It returns; `false`, `true`; `x` is `false`, `true`.
        assert_eq!((goals.variant(1), goals.decision(0), goals.parts[0].0, goals.len()), (2, 3, 3, 5));
        let mut met = Vec::new();
        goals.parts[0].1.goals(&[Value::Bool(true)], &mut |goal| met.push(goal));
        assert_eq!(met, [1]);
    }

    #[test]
    fn long_texts_and_lists_are_longer_than_the_longest_goal() {
        let text = |n: usize| length(&Value::str(&"é".repeat(n)));
        assert_eq!(
            [text(0), text(8), text(9), text(90)].map(|n| n.map(|n| n.min(LONGEST + 1))),
            [Some(0), Some(8), Some(9), Some(9)]
        );
        assert_eq!(length(&Value::seq(vec![Value::int(1); 12])), Some(12));
    }
}
