//! Generated specs about strings, as text: Z3 finds what enumerating and filtering finds.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use target_bridge::generate::End;

use crate::table::{Entry, as_set, enumerated, smt};

/// An expression of type `String`, over the parameters `s` and `t`.
fn text() -> BoxedStrategy<String> {
    let literal = prop::sample::select(vec![r#""""#, r#""a""#, r#""b""#, r#""é""#, r#""ab""#, r#""xé""#]);
    let leaf = prop_oneof![
        4 => Just("s".to_owned()),
        2 => Just("t".to_owned()),
        3 => literal.prop_map(|literal| format!("{literal}.to_string()")),
    ];
    let bigger = leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}.clone() + &{b})")),
            inner.clone().prop_map(|a| format!("{a}.chars().rev().collect::<String>()")),
            inner.clone().prop_map(|a| format!("{a}.chars().filter(|c| c.is_ascii()).collect::<String>()")),
            (inner.clone(), 0..3).prop_map(|(a, n)| format!("{a}.repeat({n})")),
            inner.clone().prop_map(|a| format!("{a}.strip_prefix('a').unwrap()")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{a}.strip_suffix(&{b}).unwrap_or(\"b\")")),
        ]
    });
    bigger.boxed()
}

fn test() -> BoxedStrategy<String> {
    let name = || prop::sample::select(vec!["starts_with", "ends_with", "contains"]);
    let class = prop::sample::select(vec!["'a'", "'é'", "char::is_alphabetic", "|c| c != 'b'", "['b', 'é']"]);
    let regex = prop::sample::select(vec!["a*", "[ab]b?", "(a|éb)+", "(?i)A?b", "[^a]{1,2}", "", ".*é"]);
    let number = prop_oneof![
        text().prop_map(|a| format!("{a}.len()")),
        text().prop_map(|a| format!("{a}.chars().count()")),
        (text(), text()).prop_map(|(a, b)| format!("{a}.find(&{b}).unwrap()")),
        text().prop_map(|a| format!("{a}.find(|c| c != 'a').unwrap_or(7)")),
    ];
    let leaf = prop_oneof![
        4 => (text(), name(), text()).prop_map(|(a, name, b)| format!("{a}.{name}(&{b})")),
        2 => (text(), name(), class).prop_map(|(a, name, class)| format!("{a}.{name}({class})")),
        2 => (text(), regex).prop_map(|(a, regex)| format!("{a}.matches(\"{regex}\")")),
        2 => (text(), prop::sample::select(vec!["==", "!=", "<"]), text())
            .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        2 => (number, prop::sample::select(vec!["==", "<", ">="]), 0..5)
            .prop_map(|(n, op, k)| format!("({n} {op} {k})")),
    ];
    let bigger = leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("!{a}")),
            (inner.clone(), prop::sample::select(vec!["&&", "||"]), inner)
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        ]
    });
    bigger.boxed()
}

#[test]
fn generated_specs_about_strings_agree() {
    let config = ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() };
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
    let mut runner = TestRunner::new_with_rng(config, seed);
    let result = runner.run(&(test(), test()), |(refinement, requires)| {
        let spec = format!("fn(t: String, s: {{s: String | {refinement}}}) requires {requires}");
        let entry = Entry::new("generated", &spec, 2, 1);
        let space = entry.space().map_err(|mistakes| TestCaseError::fail(format!("{spec}\n{mistakes}")))?;
        let dealt = smt(&space);
        prop_assert_eq!(&dealt.end, &End::Exhausted, "{}", &spec);
        let expected = enumerated(&space);
        let ((found, twice), (expected, _)) = (as_set(&dealt.members), as_set(&expected));
        prop_assert!(twice.is_empty(), "{}\nsmt repeats {:?}", spec, twice);
        prop_assert!(found == expected, "{}\nsmt finds {} of {}", spec, found.len(), expected.len());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn long_literals_take_no_time() {
    let (a, b) = ("a".repeat(20_000), "a".repeat(9_999) + "b");
    let spec = format!(
        "fn(s: {{s: String | s.starts_with(\"{a}\") && s.ends_with(\"{b}\") && s.contains(\"{a}\")}})"
    );
    let space = Entry::new("long", &spec, 1, 0).space().unwrap();
    let started = std::time::Instant::now();
    // That both stand side by side is beyond what is looked at: lengths follow the longest alone.
    assert!(space.skeletons().next().is_some());
    assert!(started.elapsed().as_secs() < 20);
}
