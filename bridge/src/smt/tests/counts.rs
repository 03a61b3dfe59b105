//! Numbers that are known.

use super::*;

fn between(low: i64, high: i64) -> Refined {
    refined(i64s(), [le(int(low), var(1)), le(var(1), int(high))])
}

fn windows_related(relation: fn(Term, Term) -> Term) -> Term {
    let body = relation(index(var(3), int(0)), index(var(3), int(1)));
    Term::All(Box::new(Term::Windows(Box::new(var(1)), 2)), closure(3, body))
}

fn of_length(n: i64, element: Refined, more: Vec<Term>) -> Spec {
    let mut terms = vec![eq(len(var(1)), int(n))];
    terms.extend(more);
    spec(vec![refined(vec_of(element), terms)], Vec::new())
}

#[test]
fn strict_lists_are_the_subsets() {
    let lists = of_length(4, between(1, 9), vec![windows_related(lt)]);
    assert_eq!(members(&space(lists, 4, 4)).len(), 126);
}

#[test]
fn non_decreasing_lists_are_the_multisets() {
    let lists = of_length(5, between(1, 7), vec![windows_related(le)]);
    assert_eq!(members(&space(lists, 5, 4)).len(), 462);
}

#[test]
fn a_long_sorted_list_takes_few_questions() {
    let lists = of_length(8, between(1, 17), vec![windows_related(le)]);
    assert_eq!(members(&space(lists, 8, 4)).len(), 735_471);
}

#[test]
fn derangements() {
    for (n, count) in [(3_i64, 2), (4, 9), (5, 44)] {
        let moved = (0..n).map(|i| Term::Not(Box::new(eq(index(var(1), int(i)), int(i)))));
        let mut terms = vec![Term::Distinct(Box::new(var(1)))];
        terms.extend(moved);
        let lists = of_length(n, between(0, n - 1), terms);
        assert_eq!(members(&space(lists, n as u32, 4)).len(), count);
    }
}

#[test]
fn queens() {
    for (n, count) in [(4_i64, 2), (5, 10), (6, 4)] {
        let mut terms = vec![Term::Distinct(Box::new(var(1)))];
        for i in 0..n {
            for j in i + 1..n {
                let (a, b) = (index(var(1), int(i)), index(var(1), int(j)));
                let apart = Term::Abs(Box::new(arith(ArithOp::Sub, a, b)));
                terms.push(Term::Not(Box::new(eq(apart, int(j - i)))));
            }
        }
        let boards = of_length(n, between(0, n - 1), terms);
        assert_eq!(members(&space(boards, n as u32, 4)).len(), count);
    }
}

#[test]
fn magic_squares() {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut terms = vec![Term::Distinct(Box::new(var(1)))];
    for [a, b, c] in lines {
        let at = |i| index(var(1), int(i));
        terms.push(eq(add(add(at(a), at(b)), at(c)), int(15)));
    }
    let squares = spec(vec![refined(array_of(between(1, 9), 9), terms)], Vec::new());
    assert_eq!(members(&space(squares, 4, 4)).len(), 8);
}

#[test]
fn pythagorean_triples() {
    let number = || refined(i64s(), [le(int(1), var(3)), le(var(3), int(20))]);
    let square = |slot| arith(ArithOp::Mul, var(slot), var(slot));
    let requires = vec![le(var(0), var(1)), le(var(1), var(2)), eq(add(square(0), square(1)), square(2))];
    let triples = spec(vec![number(), number(), number()], requires);
    assert_eq!(members(&space(triples, 4, 20)).len(), 6);
}

#[test]
fn unrelated_parameters_are_multiplied() {
    let number = || refined(i64s(), [le(int(1), var(3)), le(var(3), int(15))]);
    let boxes = spec(vec![number(), number(), number()], Vec::new());
    assert_eq!(members(&space(boxes, 4, 4)).len(), 3375);
}
