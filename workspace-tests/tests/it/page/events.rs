//! A run that nobody did: every verdict, three rounds, coverage, and names and messages that would do harm if a report took
//! them for anything but text.

use serde_json::{Value, json};

/// The functions.
pub const NAMES: [&str; 6] = [
    "</script><img src=x onerror=alert(1)>",
    "passes::{impl#0}",
    "gives_up",
    "vacuous<'a, \"b\">",
    "breaks&amp;\u{202e}\u{1b}[31m",
    "fails_beyond",
];

/// What else must come out as text.
pub const HOSTILE: [&str; 6] = [
    "<!-- <script>window.pwned = 1</script> --> {{ 7 * 7 }} ${7}\u{2066}\u{1b}]0;title\u{7}",
    "</style><iframe src=javascript:alert(1)>",
    "src/\u{202e}sr.bil:1:1",
    "v < r2 && \"</textarea>\"",
    "where any_1 && <b>bold</b>",
    "--case '(1,)' </pre><script>pwned = 1</script>",
];

/// How reports show a text: what can't be seen is an escape.
pub fn shown(text: &str) -> String {
    let is_shown = |c: char| !matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}' | '\u{2066}');
    text.chars().map(|c| if is_shown(c) { c.to_string() } else { c.escape_unicode().to_string() }).collect()
}

/// The events, one a line; without the last one, if the run was killed.
pub fn hostile(is_finished: bool) -> String {
    let mut events = vec![
        json!({
            "reason": "run-started", "version": 3, "tool": "0.1.0", "functions": 6,
            "generators": ["native", "random"], "seed": 7, "comparison": false, "rounds": 3, "started": 1_795_319_101,
            "profile": "release",
        }),
        json!({
            "reason": "diagnostic", "level": "warning", "message": "odd <em>", "file": "Cargo.toml", "line": 3, "column": 4,
            "help": "say </li>",
        }),
    ];
    let verdicts = ["failed", "passed", "gave-up", "vacuous", "error", "failed"];
    for (position, (name, verdict)) in NAMES.into_iter().zip(verdicts).enumerate() {
        for round in 0..3 {
            for generator in ["native", "random"] {
                events.push(row(name, verdict, generator, round, position == 5));
            }
        }
        if position == 0 {
            events.extend(["native", "random"].map(|generator| covered(name, generator)));
        }
    }
    events.push(package());
    if is_finished {
        events.push(json!({
            "reason": "run-finished", "functions": 6, "passed": 1, "failed": 2, "gave_up": 1, "vacuous": 1, "errors": 1, "not_run": 0,
            "exit_code": 2, "seconds": 12.5,
        }));
    }
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn row(name: &str, verdict: &str, generator: &str, round: u64, boundary: bool) -> Value {
    let fails = verdict == "failed";
    let cases = if verdict == "vacuous" || verdict == "error" { 0 } else { 40 + round };
    let valid = if verdict == "gave-up" { 0 } else { cases / 2 };
    let point = |part: u64| {
        json!({
            "seconds": 0.001 * part as f64, "cases": cases * part / 4, "valid": valid * part / 4,
            "distinct": valid * part / 4,
        })
    };
    let problem = json!({
        "message": HOSTILE[1], "help": "mend it", "args": ["1"], "clauses": [{ "text": HOSTILE[4], "location": "x:1:1" }],
    });
    json!({
        "reason": "function-finished", "package": "a<b>", "function": name, "generator": generator,
        "main": generator == "native", "round": round, "seed": 7 + round, "verdict": verdict, "cases": cases, "valid": valid,
        "discarded": cases - valid, "distinct": valid, "valid_inside": valid, "boundary_cases": 0, "beyond_timeouts": 0, "beyond_undecided": 0, "first_undecided": null, "left_out": 0, "exhausted": false,
        "stopped": if fails { "counterexample" } else { "cases" },
        "complete_size": null,
        "space": null,
        "cases_to_failure": fails.then_some(cases), "seconds_to_failure": fails.then_some(0.004 + 0.01 * round as f64),
        "seconds": 0.5, "generating_seconds": 0.1, "solver_seconds": 0.75,
        "curve": (1..=4).map(point).collect::<Vec<_>>(),
        "sketch": {
            "inputs": valid, "sizes": [{ "size": 0, "inputs": valid / 2 }, { "size": 90, "inputs": valid - valid / 2 }],
            "boundaries": [{ "part": "x<y>", "condition": "v == n - 1", "inputs": if generator == "native" { valid } else { 0 } }],
        },
        "notes": (verdict == "passed").then(notes),
        "counterexample": fails.then(|| counterexample(boundary)), "boundary_counterexample": null,
        "returned": null, "printed": null, "examples": [],
        "unknowns": if generator == "native" { json!([]) } else { json!(["asked <too> much"]) },
        "problem": matches!(verdict, "error" | "vacuous").then_some(problem), "depth": 4, "bound": 4,
    })
}

fn notes() -> Value {
    json!([
        { "kind": "same-result", "variant": "None" },
        {
            "kind": "one-sided", "condition": HOSTILE[3], "never": true,
            "clause": { "text": HOSTILE[4], "location": HOSTILE[2] },
        },
        { "kind": "few-values", "part": "x<y>", "tried": 1, "allowed": 31, "exact": false },
        { "kind": "short-only", "part": "x<y>", "longest": 4, "unit": "elements" },
    ])
}

fn counterexample(boundary: bool) -> Value {
    json!({
        "args": ["vec![\"</script>\"]", "2"], "result": null, "after": null, "failure": "panic", "message": HOSTILE[0],
        "location": HOSTILE[2], "clause": HOSTILE[3], "clause_location": "Cargo.toml:1:1", "boundary": boundary, "source": null,
        "saved": false, "confirmed": false, "replayed": true, "shrinks": 2, "tries": 9,
        "general": { "args": ["any_1", "2"], "tried": 12 }, "unguarded": [], "test": "#[test]\nfn t() {}\n", "rerun": HOSTILE[5],
    })
}

fn covered(name: &str, generator: &str) -> Value {
    let share = json!({ "covered": 3, "total": 4 });
    json!({
        "reason": "function-covered", "package": "a<b>", "function": name, "generator": generator, "cases": 40,
        "notes": ["no <more>"], "regions": share, "lines": share, "functions": share,
        "curve": [
            { "cases": 1, "seconds": 0.001, "regions": 2, "lines": 2 }, { "cases": 40, "seconds": 0.1, "regions": 3, "lines": 3 },
        ],
        "n_adding": 1, "adding": [{ "case": 1, "args": ["\"<i>\""], "regions": 2 }],
        "missed": [{ "file": "src/lib.rs", "region": { "line": 2, "column": 5, "end_line": 2, "end_column": 12 } }],
    })
}

fn package() -> Value {
    let share = json!({ "covered": 3, "total": 4 });
    let region = |line: u32, column: u32, end_line: u32, end_column: u32| json!({ "line": line, "column": column, "end_line": end_line, "end_column": end_column });
    json!({
        "reason": "package-covered", "package": "a<b>", "regions": share, "lines": share, "functions": share,
        "files": [{
            "file": "src/<lib>.rs", "regions": share, "lines": share, "functions": share,
            "counts": [{ "line": 1, "count": 2000 }, { "line": 2, "count": 0 }],
            // Columns count bytes, and `ü` has two.
            "uncovered": [region(2, 5, 2, 12), region(3, 8, 4, 2)],
            "functions_in_it": [],
            "source": "fn f() {\n    grün()\n} else {\n}\n",
        }],
    })
}
