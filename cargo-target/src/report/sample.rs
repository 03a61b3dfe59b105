//! Events of invented runs, for tests of reports.

use crate::events::outcome::{Stopped, Verdict};
use crate::events::{
    ClauseEvent, CounterexampleEvent, DiagnosticEvent, Event, FunctionFinished, ProblemEvent, RunFinished,
    RunStarted, SketchEvent, VERSION,
};

/// The start of a run.
pub fn started(rounds: u32, comparison: bool) -> Event {
    Event::RunStarted(RunStarted {
        version: VERSION,
        tool: "1.2.3".to_owned(),
        functions: 2,
        generators: vec!["native".into(), "random".into()],
        seed: 7,
        comparison,
        rounds,
        started: 1_700_000_000,
        profile: "release".to_owned(),
    })
}

/// The end of a run.
pub fn finished(counts: RunFinished) -> Event {
    Event::RunFinished(counts)
}

/// A generator that passes a function on 10 inputs in half a second.
pub fn passed(function: &str, generator: &'static str, main: bool) -> FunctionFinished {
    FunctionFinished {
        package: "scores".to_owned(),
        function: function.to_owned(),
        call: None,
        generator: generator.into(),
        main,
        round: 0,
        seed: 7,
        verdict: Verdict::Passed,
        cases: 12,
        valid: 10,
        discarded: 2,
        distinct: 10,
        valid_inside: 10,
        boundary_cases: 0,
        beyond_timeouts: 0,
        beyond_undecided: 0,
        first_undecided: None,
        left_out: 0,
        exhausted: main,
        stopped: (!main).then_some(Stopped::Budget),
        complete_size: None,
        different: None,
        space: None,
        cases_to_failure: None,
        seconds_to_failure: None,
        seconds: 0.5,
        generating_seconds: 0.1,
        solver_seconds: 0.0,
        curve: Vec::new(),
        sketch: SketchEvent::default(),
        notes: None,
        counterexample: None,
        boundary_counterexample: None,
        returned: None,
        examples: Vec::new(),
        printed: None,
        unknowns: Vec::new(),
        problem: None,
        depth: 4,
        bound: 4,
    }
}

/// A generator that finds a failure at that case after so many seconds.
pub fn failed(function: &str, generator: &'static str, main: bool, at: (u64, f64)) -> FunctionFinished {
    FunctionFinished {
        verdict: Verdict::Failed,
        exhausted: false,
        stopped: Some(Stopped::Counterexample),
        cases_to_failure: Some(at.0),
        seconds_to_failure: Some(at.1),
        counterexample: Some(panic("boom", "src/lib.rs:3:5")),
        ..passed(function, generator, main)
    }
}

/// A counterexample that panics.
pub fn panic(message: &str, location: &str) -> CounterexampleEvent {
    CounterexampleEvent {
        args: vec!["1".to_owned(), "vec![2]".to_owned()],
        result: None,
        after: None,
        failure: "panic".into(),
        message: message.to_owned(),
        location: Some(location.to_owned()),
        clause: None,
        clause_location: None,
        boundary: false,
        source: None,
        saved: false,
        confirmed: true,
        replayed: false,
        shrinks: 1,
        tries: 2,
        general: None,
        unguarded: Vec::new(),
        test: "#[test]\nfn f_counterexample() {\n    let _result = f(1, vec![2]);\n}".to_owned(),
        rerun: "cargo target run -p scores --exact f --case '(1, vec![2])'".to_owned(),
    }
}

/// A result that breaks a clause.
pub fn bad_result() -> CounterexampleEvent {
    CounterexampleEvent {
        args: vec!["3".to_owned(), "vec![]".to_owned()],
        result: Some("\"<b>|\"".to_owned()),
        failure: "result".into(),
        message: String::new(),
        location: None,
        clause: Some("v < n || n > 3".to_owned()),
        clause_location: Some("Cargo.toml:22:40".to_owned()),
        boundary: true,
        confirmed: false,
        ..panic("", "")
    }
}

/// A function without an input.
pub fn vacuous(function: &str) -> FunctionFinished {
    FunctionFinished {
        verdict: Verdict::Vacuous,
        valid: 0,
        distinct: 0,
        problem: Some(ProblemEvent {
            message: "no input within depth and bound satisfies the spec".to_owned(),
            help: Some("raise --bound".to_owned()),
            clauses: vec![ClauseEvent { text: "v > 9".to_owned(), location: "Cargo.toml:9:1".to_owned() }],
            args: None,
        }),
        ..passed(function, "native", true)
    }
}

/// A mistake in a spec.
pub fn mistake() -> Event {
    Event::Diagnostic(DiagnosticEvent {
        level: "error".into(),
        message: "there is no type `Foo|<i>`".to_owned(),
        file: "my,dir:x/Cargo.toml".to_owned(),
        line: 5,
        column: 9,
        help: Some("100% sure:\nname another".to_owned()),
        rendered: String::new(),
    })
}

/// A run with every kind of event, and names and messages that try to inject markup.
pub fn hostile() -> Vec<Event> {
    let evil = "</code>|::error::%0A`x`";
    let mut bad = failed(evil, "native", true, (3, 0.01));
    bad.counterexample = Some(panic(
        "]]> </failure> <script>alert(1)</script>\r\n::warning::100%, a: b\n```\n\u{1b}[31m\u{0}\u{202e} | @everyone",
        "src/lib.rs:3:5",
    ));
    bad.boundary_counterexample = Some(bad_result());
    let mut gave_up = passed("lonely", "native", true);
    gave_up.verdict = Verdict::GaveUp;
    gave_up.unknowns = vec!["Z3 gave up on | <this>".to_owned()];
    let rows = [
        passed("fine", "native", true),
        passed("fine", "random", false),
        bad,
        passed(evil, "random", false),
        vacuous("empty"),
        gave_up,
    ];
    let counts = RunFinished {
        functions: 4,
        passed: 1,
        failed: 1,
        gave_up: 1,
        vacuous: 1,
        exit_code: 2,
        ..RunFinished::default()
    };
    let rows = rows.map(|row| Event::FunctionFinished(Box::new(row)));
    [started(1, false), mistake()].into_iter().chain(rows).chain([finished(counts)]).collect()
}

/// Two generators in two rounds, on a function with a bug that the first always finds, and on one without a bug.
pub fn rounds(comparison: bool) -> Vec<Event> {
    let mut rows = Vec::new();
    for round in 0..2 {
        let slower = f64::from(round);
        let native = failed("buggy", "native", true, (5, 0.001 + slower / 10_000.0));
        let mut random = match round {
            0 => passed("buggy", "random", false),
            _ => failed("buggy", "random", false, (12_345, 0.25)),
        };
        random.valid += 1000 * u64::from(round);
        rows.extend([native, random].map(|row| FunctionFinished {
            round,
            seed: 7 + u64::from(round),
            ..row
        }));
    }
    for round in 0..2 {
        let native = passed("fine", "native", true);
        let mut random = passed("fine", "random", false);
        (random.valid, random.distinct) = (2000, 1000);
        rows.extend([native, random].map(|row| FunctionFinished {
            round,
            seed: 7 + u64::from(round),
            ..row
        }));
    }
    let counts = RunFinished { functions: 2, passed: 1, failed: 1, ..RunFinished::default() };
    let rows = rows.into_iter().map(|row| Event::FunctionFinished(Box::new(row)));
    [started(2, comparison)].into_iter().chain(rows).chain([finished(counts)]).collect()
}

/// Events as read from a record.
pub fn recorded(events: Vec<Event>) -> impl Iterator<Item = anyhow::Result<Event>> {
    events.into_iter().map(Ok)
}
