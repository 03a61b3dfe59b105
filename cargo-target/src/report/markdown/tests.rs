//! Summaries of made-up events, long and hostile ones among them.

use expect_test::expect;

use super::*;
use crate::report::sample;

#[test]
fn what_is_not_well_is_shown_in_detail() {
    let text = render(sample::recorded(sample::hostile())).unwrap();
    expect![[r###"
        ## cargo target: 4 functions: 1 passed, 1 failed, 1 gave up, 1 vacuous

        - **error** at <code>my,dir:x/Cargo.toml:5:9</code>: <code>there is no type &#96;Foo&#124;&#60;i&#62;&#96;</code>
          help: <code>100% sure: name another</code>

        | function | verdict | valid | distinct | failed at | time | stopped |
        |---|---|--:|--:|--:|--:|---|
        | <code>fine</code> | passed | 10 | 10 | - | 0.50 s | exhausted |
        | <code>&#60;/code&#62;&#124;::error::%0A&#96;x&#96;</code> | **failed** | 10 | 10 | 3 | 0.50 s | counterexample |
        | <code>empty</code> | **vacuous** | 0 | 0 | - | 0.50 s | exhausted |
        | <code>lonely</code> | **gave-up** | 10 | 10 | - | 0.50 s | exhausted |

        <details><summary><code>&#60;/code&#62;&#124;::error::%0A&#96;x&#96;</code>: failed</summary>

        | generator | verdict | discarded | valid | distinct | failed at | time | stopped |
        |---|---|--:|--:|--:|--:|--:|---|
        | <code>native</code> | failed | 2 | 10 | 10 | 3 | 0.50 s | counterexample |
        | <code>random</code> | passed | 2 | 10 | 10 | - | 0.50 s | budget |

        Counterexample inside the bound, by <code>native</code>:

        ````text
        </code>|::error::%0A`x`(1, vec![2])
        panicked: ]]> </failure> <script>alert(1)</script>
        ::warning::100%, a: b
        ```
        \u{1b}[31m\u{0}\u{202e} | @everyone
        at src/lib.rs:3:5
        ````

        ```rust
        #[test]
        fn f_counterexample() {
            let _result = f(1, vec![2]);
        }
        ```

        ```sh
        cargo target run -p scores --exact f --case '(1, vec![2])'
        ```

        Counterexample beyond the bound, by <code>native</code>:

        ```text
        </code>|::error::%0A`x`(3, vec![])
        returned "<b>|"
        which breaks `v < n || n > 3`  Cargo.toml:22:40
        not confirmed: it failed again neither alone nor after the earlier cases of its process
        ```

        ```rust
        #[test]
        fn f_counterexample() {
            let _result = f(1, vec![2]);
        }
        ```

        ```sh
        cargo target run -p scores --exact f --case '(1, vec![2])'
        ```

        </details>

        <details><summary><code>empty</code>: vacuous</summary>

        | generator | verdict | discarded | valid | distinct | failed at | time | stopped |
        |---|---|--:|--:|--:|--:|--:|---|
        | <code>native</code> | vacuous | 2 | 0 | 0 | - | 0.50 s | exhausted |

        ```text
        no input within depth and bound satisfies the spec
        v > 9  Cargo.toml:9:1
        help: raise --bound
        ```

        </details>

        <details><summary><code>lonely</code>: gave-up</summary>

        | generator | verdict | discarded | valid | distinct | failed at | time | stopped |
        |---|---|--:|--:|--:|--:|--:|---|
        | <code>native</code> | gave-up | 2 | 10 | 10 | - | 0.50 s | exhausted |

        Not exhausted:

        ```text
        Z3 gave up on | <this>
        ```

        </details>

        <sub>version <code>1.2.3</code>, generators <code>native,random</code>, rounds <code>1</code>, seed <code>7</code>, profile <code>release</code></sub>
    "###]].assert_eq(&text);
    let outside_of_blocks: String = text.split("````").step_by(2).collect();
    assert!(!outside_of_blocks.contains("<script"), "{text}");
}

#[test]
fn rounds_make_a_comparison() {
    let text = render(sample::recorded(sample::rounds(true))).unwrap();
    expect![[r#"
        ## cargo target: 2 functions: 1 passed, 1 failed

        | function | <code>native</code> | <code>random</code> |
        |---|---|---|
        | <code>buggy</code> | **2/2, case 5, 1.1ms** | 1/2, case 12k, 250ms |
        | <code>fine</code> | none; 20/s, 17% discarded | **none; 2000/s, 17% discarded** |

        Rounds in which a failure was found, the median number of cases and the median time to the first one; of functions on which none was found, distinct valid inputs a second and discards. The first of a row is bold.

        | generator | mean rank | first on | finds failures in | of all rounds |
        |---|--:|--:|--:|--:|
        | <code>native</code> | 1.50 | 1 of 2 | 1 | 2 of 4 |
        | <code>random</code> | 1.50 | 1 of 2 | 1 | 1 of 4 |

        <sub>version <code>1.2.3</code>, generators <code>native,random</code>, rounds <code>2</code>, seed <code>7</code>, profile <code>release</code></sub>
    "#]].assert_eq(&text);
}

#[test]
fn long_runs_are_cut() {
    let rows = (0..600).map(|n| Event::FunctionFinished(Box::new(sample::vacuous(&format!("f{n}")))));
    let text = render(std::iter::once(sample::started(1, false)).chain(rows).map(Ok)).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("| <code>f")).count(), LISTED);
    assert_eq!(text.matches("<details>").count(), DETAILED);
    assert!(
        text.contains(".. and 100 functions more") && text.contains(".. and 550 functions more"),
        "{text}"
    );
}
