//! Ranks of generators by made-up rounds.

use expect_test::expect;

use super::*;
use crate::report::sample::{failed, passed};

fn ranks(rows: &[FunctionFinished]) -> String {
    let line = |ranked: &Ranked| format!("{}. {}\n", ranked.rank, ranked.rounds.generator);
    ranked(rows).iter().map(line).collect()
}

#[test]
fn finding_more_often_goes_before_finding_sooner() {
    let rows = [
        failed("f", "smt", true, (9, 0.5)),
        failed("f", "smt", true, (9, 0.7)),
        failed("f", "random", false, (2, 0.01)),
        passed("f", "random", false),
        failed("f", "native", false, (2, 0.02)),
        failed("f", "native", false, (2, 0.04)),
        passed("f", "enumerative", false),
        passed("f", "other", false),
    ];
    expect![[r#"
        1. native
        2. smt
        3. random
        4. enumerative
        4. other
    "#]]
    .assert_eq(&ranks(&rows));
}

#[test]
fn what_is_alike_in_two_digits_shares_a_rank() {
    let rows = [
        failed("f", "smt", true, (9, 0.0203)),
        failed("f", "native", false, (9, 0.0198)),
        failed("f", "random", false, (9, 0.021)),
    ];
    assert_eq!(
        ranks(&rows),
        "1. native\n1. smt\n3. random\n".replace("1. native\n1. smt", "1. smt\n1. native")
    );
    assert_eq!([0.0996, 0.1, 12_345.0, 0.0].map(two_digits), [0.1, 0.1, 12_000.0, 0.0]);
}

#[test]
fn without_a_failure_different_inputs_a_second_count() {
    let mut fast = passed("f", "random", false);
    (fast.valid, fast.distinct) = (1000, 900);
    let mut repeating = passed("f", "enumerative", false);
    (repeating.valid, repeating.distinct) = (100_000, 10);
    let rows = [passed("f", "native", true), fast, repeating];
    assert_eq!(ranks(&rows), "1. random\n2. native\n2. enumerative\n");
}

#[test]
fn ranks_add_up_over_functions() {
    let mut ranking = Ranking::default();
    ranking.add(&ranked(&[failed("f", "native", true, (1, 0.1)), passed("f", "random", false)]));
    ranking.add(&ranked(&[passed("g", "native", true), passed("g", "random", false)]));
    ranking.add(&ranked(&[crate::report::sample::vacuous("h")]));
    assert_eq!(ranking.n_functions(), 2);
    let lines: Vec<String> = ranking
        .standings()
        .iter()
        .map(|s| format!("{} {} {} {} {}", s.generator, s.mean_rank(), s.n_first, s.n_found, s.n_rounds))
        .collect();
    assert_eq!(lines, ["native 1 2 1 2", "random 1.5 1 0 2"]);
}
