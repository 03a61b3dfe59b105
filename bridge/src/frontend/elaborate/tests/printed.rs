//! A table of names with their types, an expression, and its term.

use expect_test::{Expect, expect};
use target_strategies::logic::ir::{RegexId, Term};

use super::fixture::{catalog, elaborated};
use crate::frontend::elaborate::print::Printer;

fn shown(names: &[(&str, &str)], text: &str) -> String {
    let catalog = catalog();
    let (result, data) = elaborated(&catalog, names, text);
    let names: Vec<String> = names.iter().map(|(name, _)| (*name).to_owned()).collect();
    let printer =
        Printer { names: &names, data: &data.data, functions: &data.functions.all, regexes: &data.regexes };
    match result {
        Ok((term, _)) => printer.term(&term),
        Err(diagnostic) => format!("{}: {}", text, diagnostic.message),
    }
}

fn check(names: &[(&str, &str)], texts: &[&str], expected: Expect) {
    let lines: Vec<String> = texts.iter().map(|text| shown(names, text)).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn integers_are_mathematical_and_bits_have_a_width() {
    check(
        &[("a", "i64"), ("b", "u8"), ("n", "int")],
        &[
            "a + 2 * b - -1 < n",
            "a > 0 ==> b >= 1 && b != 3 || !(a == n)",
            "a.abs().max(3).pow(2) % 7",
            "b & 0x0f | 1 << 2",
            "b.wrapping_add(b)",
            "a.clamp(0, 9)",
            "a.checked_add(1).is_some()",
            "b.saturating_sub(1)",
            "a as u8 as i64",
            "b as i64 + i64::from(b)",
            "i8::MIN == n && n <= u128::MAX",
            "(0..=9).contains(&a)",
            "b.is_ascii_digit()",
        ],
        expect![[r#"
            ((a + (2 * b)) - -1) < n
            (!(0 < a)) || ((1 <= b) && (!(b == 3))) || (!(a == n))
            a.abs().max(3).pow(2) % 7
            u8::bit_or(u8::bit_and(b, 15), u8::shl(1, 2))
            u8::wrapping_add(b, b)
            0.max(a.min(9))
            i64::add_fits(a, 1)
            (b - 1).min(255).max(0)
            u8::cast(a)
            b + b
            (-128 == n) && (n <= 340282366920938463463374607431768211455)
            (0 <= a) && (a <= 9)
            (48 <= b) && (b <= 57)
        "#]],
    );
}

#[test]
fn sequences_are_one_sort() {
    check(
        &[("v", "Vec<i64>"), ("w", "&[(i64, bool)]"), ("k", "usize"), ("s", "String")],
        &[
            "v.windows(2).all(|w| w[0] <= w[1])",
            "v.iter().map(|x| x * 2).filter(|&x| x < 9).sum::<i64>()",
            "w.iter().any(|(x, b)| *b && v.contains(x))",
            "v[1..] == vec![] && v[..k].is_empty() && v[1..=2].len() == k",
            "v.first() == Some(&3)",
            "v.iter().fold(0, |acc, x| acc + x)",
            "w.iter().enumerate().all(|(i, (x, _))| i < k)",
            "(0..v.len()).all(|i| v[i] != 0)",
            "v.iter().max().unwrap() < 3",
            "v.iter().copied().rev().skip(1).take(k).count()",
            "s.chars().all(char::is_alphanumeric) && s.len() <= 3 && s == \"ab\"",
            "v.iter().position(|&x| x == 1).map_or(true, |i| i < k)",
            "v == [0; 2]",
        ],
        expect![[r#"
            v.windows(2).all(|x101| x101[0] <= x101[1])
            v.map(|x101| x101 * 2).filter(|x102| x102 < 9).sum()
            w.any(|x101| x101.1 && v.contains(x101.0))
            (v[1..v.len()] == []) && (v[0..k].len() == 0) && (v[1..(2 + 1)].len() == k)
            (if !(v.len() == 0) { Some(v[0]) } else { None }) == Some(3)
            v.fold(0, |x101, x102| x101 + x102)
            (0 .. w.len()).zip(w).all(|x101| x101.0 < k)
            (0 .. v.len()).all(|x101| !(v[x101] == 0))
            v.max().1#0 < 3
            { let x102 = { let x101 = v.rev(); x101[1.min(x101.len())..x101.len()] }; x102[0..k.min(x102.len())] }.len()
            s.chars().all(|x101| x101.is_alphanumeric()) && (s.len() <= 3) && (s == "ab")
            { let x102 = v.position(|x101| x101 == 1); if x102 is #1 { x102.1#0 < k } else { true } }
            v == [0, 0]
        "#]],
    );
}

#[test]
fn patterns_become_tests_and_places() {
    check(
        &[("t", "Tree<i64>"), ("p", "Point"), ("o", "Option<(i64, char)>"), ("v", "Vec<u8>"), ("c", "Color")],
        &[
            "match t { Tree::Leaf => 0, Tree::Node(_, k, _) => k }",
            "matches!(o, Some((1..=3 | 7, 'a'..)))",
            "if let Some((n, _)) = o { n < p.x } else { p.y == 0 }",
            "match v { [] => true, [x] => x == 1, [x, rest @ .., y] => x < y && rest.is_empty() }",
            "{ let Point { x, y } = p; x + y }",
            "{ let n = v.len() * 2; n < n + 1 }",
            "match (p.x, c) { (0, Color::Red) => 1, (x, _) if x < 0 => 2, _ => 3 }",
            "match t { Tree::Node(Tree::Leaf, x, _) | Tree::Node(_, x, Tree::Leaf) => x, _ => 0 }",
            "t == Tree::Node(Box::new(Tree::Leaf), 1, Box::new(Tree::Leaf))",
            "p == Point { y: 1, x: 2 }",
            "o.is_some_and(|(n, _)| n == 0) && o == None",
            "c == Color::Red || matches!(c, Color::Black)",
            "o.unwrap().0",
            "old(p).x < p.x",
        ],
        expect![[r#"
            if t is #0 { 0 } else { if t is #1 { t.1#1 } else { undefined } }
            (o is #1) && (((1 <= o.1#0.0) && (o.1#0.0 <= 3)) || (o.1#0.0 == 7)) && ('a' <= o.1#0.1)
            if o is #1 { o.1#0.0 < p.0#0 } else { p.0#1 == 0 }
            if v.len() == 0 { true } else { if v.len() == 1 { v[0] == 1 } else { if 2 <= v.len() { { let x101 = v[v.len() - 1]; { let x102 = v[1..(v.len() - 1)]; (v[0] < x101) && (x102.len() == 0) } } } else { undefined } } }
            p.0#0 + p.0#1
            { let x101 = v.len() * 2; x101 < (x101 + 1) }
            if (p.0#0 == 0) && (c is #0) { 1 } else { if p.0#0 < 0 { 2 } else { 3 } }
            if ((t is #1) && (t.1#0 is #0)) || ((t is #1) && (t.1#2 is #0)) { t.1#1 } else { 0 }
            t == Tree::Node(Tree::Leaf, 1, Tree::Leaf)
            p == demo::Point(2, 1)
            (o is #1) && (o.1#0.0 == 0) && (o == None)
            (c == Color::Red) || (c is #1)
            (if o is #1 { o.1#0 } else { undefined }).0
            x11.0#0 < p.0#0
        "#]],
    );
}

#[test]
fn conjuncts_are_clauses_and_big_arguments_are_bound_once() {
    use target_strategies::logic::ir::ArithOp;

    use super::fixture::{N_PARAMS, NOTHING_DECLARED, parsed, scope};
    use crate::frontend::data::DataTable;
    use crate::frontend::elaborate::condition;
    use crate::frontend::logic_type::Ty;

    let catalog = catalog();
    let mut data = DataTable::new(&catalog, &NOTHING_DECLARED, N_PARAMS);
    let mut scope = scope(&[("v", "i64")], &mut data);
    let mut big = Term::Var(1);
    for _ in 0..5 {
        big = Term::Arith(ArithOp::Add, Box::new(big.clone()), Box::new(big));
    }
    scope.bind("n", big, Ty::Int(None));
    let mut diagnostics = Vec::new();
    let clauses = condition(&parsed("0 <= v && (v < n && n < 9) && v"), &scope, &mut data, &mut diagnostics);
    let printer =
        Printer { names: &["v".to_owned(), "m".to_owned()], data: &[], functions: &[], regexes: &[] };
    let texts: Vec<String> = clauses
        .iter()
        .map(|(term, span)| format!("{}..{} {}", span.start, span.end, printer.term(term)))
        .collect();
    expect![[r#"
        0..6 0 <= v
        11..16 { let x101 = ((((2m) + (2m)) + ((2m) + (2m))) + (((2m) + (2m)) + ((2m) + (2m)))) + ((((2m) + (2m)) + ((2m) + (2m))) + (((2m) + (2m)) + ((2m) + (2m)))); v < x101 }
        20..25 { let x102 = ((((2m) + (2m)) + ((2m) + (2m))) + (((2m) + (2m)) + ((2m) + (2m)))) + ((((2m) + (2m)) + ((2m) + (2m))) + (((2m) + (2m)) + ((2m) + (2m)))); x102 < 9 }"#]].assert_eq(&texts.join("\n").replace("m + m", "2m"));
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn regular_expressions_are_shown_as_written() {
    check(
        &[("s", "String")],
        &[r#"!s.matches(r"a+\.") || s.matches("\"")"#, r#"(s + "a").matches("a+")"#],
        expect![[r#"
            (!s.matches("a+\\.")) || s.matches("\"")
            concat(s, "a").matches("a+")
        "#]],
    );
    let regexes = [crate::frontend::regex::automaton("ab").expect("a regular expression")];
    let printer = Printer { names: &["s".to_owned()], data: &[], functions: &[], regexes: &regexes };
    let rest = Term::Matches(RegexId(0), 2, Box::new(Term::Var(0)));
    assert_eq!(printer.term(&rest), "s.matches(\"ab\" from state 2)");
}
