//! Leaves out conditions that follow from others, or from the types.

use target_bridge::smt::implied::follows;
use target_strategies::logic::ir::{Clause, Spec, Term};

/// The indices of the conditions that don't follow from the premises and the other ones. Of conditions that follow from
/// each other, the first stays.
pub fn needed(spec: &Spec, premises: &[Clause], conditions: &[Clause]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..conditions.len()).collect();
    for index in (0..conditions.len()).rev() {
        let others = kept.iter().filter(|other| **other != index).map(|other| &conditions[*other]);
        let known: Vec<&Term> = premises.iter().chain(others).map(|clause| &clause.term).collect();
        if follows(spec, &known, &conditions[index].term) {
            kept.retain(|other| *other != index);
        }
    }
    kept
}

/// The parts of a condition between each `&&` outside of brackets, unless an operator that binds less is there, too.
pub fn conjuncts(condition: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (index, c) in condition.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '|' | '=' if depth == 0 && ["||", "==>"].iter().any(|op| condition[index..].starts_with(op)) => {
                return vec![condition.trim()];
            }
            '&' if depth == 0 && index > start && condition[index..].starts_with("&&") => {
                parts.push(condition[start..index].trim());
                start = index + 2;
            }
            _ => {}
        }
    }
    parts.push(condition[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{CompareOp, IntKind, Param, Refined, Sort};
    use target_strategies::logic::value::Value;

    use super::*;

    fn compare(op: CompareOp, a: Term, b: Term) -> Clause {
        Clause { id: 0, text: String::new(), term: Term::Compare(op, Box::new(a), Box::new(b)) }
    }

    fn at_least(slot: u32, n: i64) -> Clause {
        compare(CompareOp::Le, Term::Lit(Value::int(n)), Term::Var(slot))
    }

    fn ordered(a: u32, b: u32) -> Clause {
        compare(CompareOp::Le, Term::Var(a), Term::Var(b))
    }

    fn spec(n_params: usize) -> Spec {
        let refined = Refined::plain(Sort::Int(IntKind::I32));
        let param = Param { name: "n".to_owned(), refined: refined.clone(), mutable: false };
        Spec { params: vec![param; n_params], result: refined, ..Spec::unrefined("f") }
    }

    #[test]
    fn a_condition_is_split_outside_of_brackets() {
        assert_eq!(conjuncts("0 <= a + b && a + b <= 255"), ["0 <= a + b", "a + b <= 255"]);
        assert_eq!(conjuncts("(a && b || c) && xs.iter().all(|x| x && y)").len(), 2);
        assert_eq!(conjuncts("a"), ["a"]);
        assert_eq!(conjuncts("a && b || c"), ["a && b || c"]);
        assert_eq!(conjuncts("a ==> b && c"), ["a ==> b && c"]);
    }

    #[cfg(feature = "z3")]
    #[test]
    fn what_others_imply_is_left_out() {
        let of = |conditions: &[Clause]| needed(&spec(3), &[], conditions);
        assert_eq!(of(&[at_least(0, 0), at_least(0, 3)]), [1]);
        assert_eq!(of(&[ordered(0, 1), ordered(1, 2), ordered(0, 2)]), [0, 1]);
        assert_eq!(of(&[ordered(0, 1), ordered(0, 1)]), [0], "the first of two that say the same");
        assert_eq!(of(&[at_least(0, i64::from(i32::MIN)), at_least(1, 0)]), [1], "the type says the first");
    }

    #[cfg(feature = "z3")]
    #[test]
    fn what_the_precondition_implies_is_left_out() {
        // Slots 0 and 1 are arguments, 2 is the result.
        let of = |premises: &[Clause], conditions: &[Clause]| needed(&spec(2), premises, conditions);
        assert_eq!(of(&[at_least(0, 3)], &[at_least(0, 0), at_least(2, 0)]), [1]);
        assert_eq!(of(&[ordered(0, 1)], &[ordered(2, 0), ordered(2, 1)]), [0]);
        assert_eq!(of(&[], &[ordered(2, 0), ordered(2, 1)]), [0, 1]);
    }

    #[test]
    fn what_is_not_shown_stays() {
        let list = Refined::plain(Sort::Str(target_strategies::logic::ir::StrKind::String));
        let of = Spec { result: list, ..spec(1) };
        let sorted = Clause {
            id: 0,
            text: String::new(),
            term: Term::IsSorted(Box::new(Term::Chars(Box::new(Term::Var(1))))),
        };
        assert_eq!(needed(&of, &[], &[sorted.clone(), sorted]), [0, 1]);
    }
}
