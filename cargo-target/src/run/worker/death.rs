//! The cause of a child's death: maps exit status, end of standard error and last panic to a kind of failure.

use std::process::ExitStatus;
use std::time::Duration;

use target_strategies::child::protocol::{Failure, FailureKind, Phase};
use target_strategies::child::serve::CUT_OFF;

/// The data left by a dead child.
#[derive(Clone, Debug)]
pub struct Remains {
    /// How the process ended.
    pub status: ExitStatus,
    /// Whether the tool killed it because another program wrote to the tool's pipe.
    pub garbled: bool,
    /// The time limit, if the watchdog killed it.
    pub timed_out: Option<Duration>,
    /// The end of its standard error.
    pub stderr: String,
    /// The panics of its last case, one a line.
    pub panics: String,
}

impl Remains {
    /// The accessor of a result that was called, by the first line of what the page says of the case.
    pub fn take_call(&mut self) -> Option<String> {
        let (call, panics) = self.panics.split_once('\n')?;
        let call = call.to_owned();
        self.panics = panics.to_owned();
        Some(call)
    }
}

/// Length of the end of standard error, in bytes, that is searched for the runtime's last message.
const LAST_WORDS: usize = 400;

/// Maximum length of standard error, in bytes, that a message quotes.
const QUOTED: usize = 1500;

/// The failure of a subject that killed its process.
pub fn failure(remains: &Remains, phase: Phase) -> Failure {
    let (kind, mut message) = match after_case(remains).filter(|_| phase == Phase::Idle || remains.garbled) {
        Some(message) => (FailureKind::Abort, message.to_string()),
        None => classify(remains),
    };
    match phase {
        Phase::Idle => message.push_str(", noticed when the case was over"),
        Phase::Outcome => {
            message.push_str(", when the subject had returned and its result was being read");
        }
        Phase::Precondition | Phase::Running => {}
    }
    let location = (kind == FailureKind::Abort).then(|| location_of(&remains.panics)).flatten();
    Failure {
        kind,
        message,
        location,
        within: None,
        clause: None,
        result: None,
        after: None,
        tables: None,
        step: None,
    }
}

/// The failure detected only after a case: the subject broke the pipes between harness and tool.
fn after_case(remains: &Remains) -> Option<&'static str> {
    if remains.garbled {
        Some("the subject wrote into a pipe between the harness and the tool")
    } else if remains.status.code() == Some(CUT_OFF) {
        Some("the subject closed a pipe between the harness and the tool")
    } else {
        None
    }
}

/// The failure of a subject that returned in two processes.
pub fn fork() -> Failure {
    let message = "the process came back twice: the subject forked, and the copy returned, too".to_string();
    let kind = FailureKind::Fork;
    Failure {
        kind,
        message,
        location: None,
        within: None,
        clause: None,
        result: None,
        after: None,
        tables: None,
        step: None,
    }
}

/// The message for a process that died while it evaluated a condition: a `where`, or one of the solver.
pub fn in_condition(remains: &Remains, is_where: bool) -> String {
    let condition = if is_where { "the `where` condition" } else { "the precondition" };
    match remains.timed_out {
        Some(limit) => format!("{condition} took longer than {limit:?}"),
        None => format!("{condition} ended the process: {}", classify(remains).1),
    }
}

/// The location of the first panic, from lines `panicked at file:line:column: message`.
fn location_of(panics: &str) -> Option<String> {
    let (location, _) = panics.strip_prefix("panicked at ")?.split_once(": ")?;
    Some(location.to_string())
}

/// The kind of a failure by death, and a message for it.
pub fn classify(remains: &Remains) -> (FailureKind, String) {
    if let Some(limit) = remains.timed_out {
        return (FailureKind::Timeout, format!("no result after {limit:?}"));
    }
    if let Some(code) = remains.status.code() {
        return (FailureKind::Exit, format!("exit code {code}"));
    }
    let last_words = end_of(&remains.stderr, LAST_WORDS);
    if last_words.contains("has overflowed its stack") {
        return (FailureKind::StackOverflow, "the stack overflowed".to_string());
    }
    if let Some(line) = last_words.lines().rev().find(|line| line.starts_with("memory allocation of ")) {
        return (FailureKind::Memory, line.to_string());
    }
    (FailureKind::Abort, abort_message(remains))
}

/// The signal, and the runtime's last message.
fn abort_message(remains: &Remains) -> String {
    let mut message = signal_of(remains.status);
    let said = if remains.panics.trim().is_empty() { &remains.stderr } else { &remains.panics };
    let said = end_of(said, QUOTED).trim();
    if !said.is_empty() {
        message.push_str(": ");
        message.push_str(said);
    }
    message
}

/// The end of a text, at most so many bytes long.
fn end_of(text: &str, len: usize) -> &str {
    let mut start = text.len().saturating_sub(len);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    let Some(signal) = status.signal() else { return status.to_string() };
    let names = [
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGTRAP, "SIGTRAP"),
        (libc::SIGALRM, "SIGALRM"),
        (libc::SIGSYS, "SIGSYS"),
        (libc::SIGXCPU, "SIGXCPU"),
    ];
    match names.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => format!("killed by {name}"),
        None => format!("killed by signal {signal}"),
    }
}

#[cfg(not(unix))]
fn signal_of(status: ExitStatus) -> String {
    status.to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn died(raw_status: i32, stderr: &str, panics: &str) -> (FailureKind, String) {
        classify(&Remains {
            status: ExitStatus::from_raw(raw_status),
            garbled: false,
            timed_out: None,
            stderr: stderr.to_string(),
            panics: panics.to_string(),
        })
    }

    #[test]
    fn exit_codes_are_told() {
        assert_eq!(died(3 << 8, "bye\n", ""), (FailureKind::Exit, "exit code 3".to_string()));
        assert_eq!(died(0, "", "").1, "exit code 0");
    }

    #[test]
    fn last_words_of_the_runtime_tell_stack_and_memory_from_other_aborts() {
        let overflow =
            "\nthread 'main' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        assert_eq!(died(libc::SIGABRT, overflow, "").0, FailureKind::StackOverflow);
        let memory = "x\nmemory allocation of 16 bytes failed\n";
        let expected = (FailureKind::Memory, "memory allocation of 16 bytes failed".to_string());
        assert_eq!(died(libc::SIGABRT, memory, ""), expected);
        assert_eq!(died(libc::SIGSEGV, "", "").1, "killed by SIGSEGV");
    }

    #[test]
    fn an_abort_quotes_the_panic_before_it_or_else_the_standard_error() {
        assert_eq!(
            died(libc::SIGABRT, "noise", "panicked at a.rs:1:2: no\n").1,
            "killed by SIGABRT: panicked at a.rs:1:2: no"
        );
        let long = format!("{}é", "x".repeat(QUOTED * 2));
        assert!(died(libc::SIGABRT, &long, "").1.ends_with("xé"));
    }
}
