//! Expressions that nest or double: they end soon, in a term or a diagnostic, on a small stack.

use super::fixture::{catalog, elaborated};

fn survives(text: &str) {
    let catalog = catalog();
    let names = [("v", "Vec<i64>"), ("n", "i64"), ("t", "Tree<i64>"), ("o", "Option<i64>")];
    if crate::frontend::spec::parse::expr(&super::fixture::spanned(text)).is_ok() {
        let (result, _) = elaborated(&catalog, &names, text);
        drop(result);
    }
}

fn nested(levels: usize, before: &str, inner: &str, after: &str) -> String {
    format!("{}{inner}{}", before.repeat(levels), after.repeat(levels))
}

#[test]
fn nesting_and_doubling_cost_little() {
    for levels in [10, 40, 60, 120] {
        for (before, inner, after) in [
            ("(", "n < 1", ")"),
            ("!", "true", ""),
            ("n + ", "n", ""),
            ("v.iter().all(|x| ", "true", ")"),
            ("v.iter().map(|x| ", "n", ").sum::<i64>()"),
            ("{ let a = (n, n); ", "a == a", " }"),
            ("match o { Some(n) => ", "1", ", None => 0 }"),
            ("if n < 1 { 0 } else { ", "1", " }"),
            ("Tree::Node(Tree::Leaf, 1, ", "Tree::Leaf", ")"),
            ("Some(", "None", ")"),
            ("Some(", "1", ")"),
            ("vec![", "", "]"),
            ("vec![", "1", "]"),
            ("(0..", "n", ").contains(&n) as i64"),
            ("(0..(", "n", ")).contains(&1) == true && true"),
            ("std::cmp::max(n, ", "n", ")"),
            ("old(", "n", ")"),
            ("-", "1", ""),
            ("", "v", ".first().map(|x| vec![*x]).unwrap()"),
            ("", "n", ".clamp(n, n + 1)"),
            ("", "n", ".checked_add(n).unwrap()"),
            ("", "o", ".map(|x| (x, x))"),
            ("", "v.iter()", ".map(|x| Some((x, x)))"),
        ] {
            survives(&nested(levels, before, inner, after));
        }
        let pattern = nested(levels, "[.., ", "x", "]");
        survives(&format!("match v {{ {pattern} => 1, _ => 0 }}"));
        let pattern = nested(levels, "Tree::Node(_, _, ", "Tree::Leaf", " | Tree::Leaf)");
        survives(&format!("matches!(t, {pattern})"));
        let doubled: Vec<String> =
            (0..levels).map(|at| format!("let a{} = (a{at}, a{at});", at + 1)).collect();
        survives(&format!("{{ let a0 = n; {} a{levels} == a{levels} }}", doubled.join(" ")));
    }
}
