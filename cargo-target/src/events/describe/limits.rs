//! Parts of tests whose call hangs, takes too much memory, or ends the process.

use std::time::Duration;

/// Number of bytes that a test program has besides those that the call takes: its code, a stack, and what libtest needs.
const OF_PROGRAM: u64 = 64 << 20;

/// The comment in a test whose call panics with this message, if a release build would go on.
pub fn overflow(message: &str) -> Option<String> {
    let checked = ["add", "subtract", "multiply", "negate", "shift left", "shift right"];
    let is_it = |word: &&str| message.ends_with(&format!("attempt to {word} with overflow"));
    let comment = "    // fails only with overflow checks, which a release build lacks";
    checked.iter().any(is_it).then(|| comment.to_owned())
}

/// The lines of a test that runs these in a thread of its own, so that it fails if they hang. A test has ten times the
/// time limit of a case, and at least ten seconds: it isn't optimized, and other tests run next to it.
pub fn timed(lines: &[String], timeout: Duration) -> Vec<String> {
    let seconds = timeout.as_secs().saturating_mul(10).max(10);
    let mut test = vec![
        "    let (done, is_done) = std::sync::mpsc::channel();".to_owned(),
        "    std::thread::spawn(move || {".to_owned(),
    ];
    test.extend(lines.iter().map(|line| format!("    {line}")));
    test.extend([
        "        let _ = done.send(());".to_owned(),
        "    });".to_owned(),
        format!("    let ended = is_done.recv_timeout(std::time::Duration::from_secs({seconds}));"),
        format!("    assert!(ended.is_ok(), \"the call has not returned after {seconds} s\");"),
    ]);
    test
}

/// The lines of a test of that name that runs these in another process, so that it fails if they end the process, and the other
/// tests still run.
pub fn in_own_process(lines: &[String], name: &str) -> Vec<String> {
    let why = "    // the call ends the process, so this test runs itself in another one".to_owned();
    let command = vec!["        let mut test = std::process::Command::new(tests);".to_owned()];
    again(lines, name, why, command)
}

/// The same, in a process that has so much memory: there, an allocation beyond the limit ends the process. The limit is the
/// shell's, which Rust's standard library can't set. A single thread has no memory of its own in reserve.
pub fn in_little_memory(lines: &[String], name: &str, memory: u64) -> Vec<String> {
    let size = size(memory);
    let why = format!(
        "    // the call takes more than {size} of memory, so this test runs itself in a process that has no more"
    );
    let limit = memory.saturating_add(OF_PROGRAM) >> 10;
    let command = vec![
        "        // other systems' shells can't limit memory".to_owned(),
        "        if !cfg!(target_os = \"linux\") {".to_owned(),
        "            return;".to_owned(),
        "        }".to_owned(),
        "        let mut test = std::process::Command::new(\"sh\");".to_owned(),
        format!(
            "        test.args([\"-c\", \"ulimit -v {limit} && exec \\\"$0\\\" \\\"$@\\\"\"]).arg(tests).arg(\"--test-threads=1\");"
        ),
    ];
    again(lines, name, why, command)
}

/// The lines of a test of that name that runs itself by the command `test`.
fn again(lines: &[String], name: &str, why: String, command: Vec<String>) -> Vec<String> {
    let variable = "IN_OWN_PROCESS";
    let mut test = vec![
        why,
        format!("    if std::env::var_os(\"{variable}\").is_none() {{"),
        format!("        let path = concat!(module_path!(), \"::{name}\");"),
        "        let name = path.split_once(\"::\").map_or(path, |(_, name)| name);".to_owned(),
        "        let tests = std::env::current_exe().expect(\"the path of this program\");".to_owned(),
    ];
    test.extend(command);
    test.extend([
        format!("        test.args([\"--exact\", name]).env(\"{variable}\", \"1\");"),
        "        let output = test.output().expect(\"this program runs again\");".to_owned(),
        "        let printed = [output.stdout, output.stderr].concat();".to_owned(),
        "        let printed = String::from_utf8_lossy(&printed);".to_owned(),
        "        assert!(printed.contains(\"1 passed\"), \"it did not pass in its own process: {printed}\");"
            .to_owned(),
        "        return;".to_owned(),
        "    }".to_owned(),
    ]);
    test.extend_from_slice(lines);
    test
}

/// A number of bytes, in the largest unit in which it is whole.
fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes % (1 << 30) == 0 => format!("{} GiB", bytes >> 30),
        bytes if bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => format!("{bytes} bytes"),
    }
}
