//! Tables of several rounds.

use expect_test::expect;

use crate::report::{sample, terminal};
use crate::system::console::Verbosity;

fn shown(comparison: bool) -> String {
    let mut out = Vec::new();
    terminal::write(
        terminal::Terminal::new(Verbosity::Normal, terminal::Lengths::Whole),
        sample::recorded(sample::rounds(comparison)),
        &mut out,
    )
    .unwrap();
    let text = anstream::adapter::strip_bytes(&out).into_vec();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    text
}

#[test]
fn a_generator_has_one_row_with_medians_and_ends() {
    let text = shown(false);
    let (tables, _) = text.split_once("\n  counterexample").unwrap();
    expect![[r#"
        buggy (depth 4, bound 4)
            generator  verdict  failed     valid  distinct  failed at   time
            native     failed      2/2        10        10          5  500ms
            random     failed      1/2       510        10        12k  500ms
                                        10..1010
    "#]]
    .assert_eq(tables);
    assert!(text.contains("\nranking (2 functions, 2 rounds)\n"), "{text}");
}

#[test]
fn a_comparison_is_a_ranking_without_counterexamples() {
    expect![[r#"
        buggy (depth 4, bound 4)
                generator  found  at case  after  valid/s  discards  distinct
            1.  native       2/2        5  1.1ms       20       17%      100%
            2.  random       1/2      12k  250ms     1020       17%       50%

        fine (depth 4, bound 4)
                generator  found  at case  after  valid/s  discards  distinct
            1.  random       0/2        -      -     4000       17%       50%
            2.  native       0/2        -      -       20       17%      100%

        ranking (2 functions, 2 rounds)
            generator  mean rank  first on  finds failures in  of all rounds
            native          1.50         1                  1         2 of 4
            random          1.50         1                  1         1 of 4

        2 functions: 1 passed, 1 failed
    "#]]
    .assert_eq(&shown(true));
}
