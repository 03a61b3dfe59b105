//! Parts of tests whose call hangs or takes too much memory.

use std::time::Duration;

/// The comment in a test that takes too much memory.
pub const HOW_TO_LIMIT: &str =
    "    // run it under a limit: `ulimit -v 4000000` and `cargo test -- --ignored`";

/// The attribute of a test that takes more than so many bytes.
pub fn attribute(memory: u64) -> String {
    format!("#[ignore = \"takes more than {} of memory until it is fixed\"]", size(memory))
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

/// A number of bytes, in the largest unit in which it is whole.
fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes % (1 << 30) == 0 => format!("{} GiB", bytes >> 30),
        bytes if bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => format!("{bytes} bytes"),
    }
}
