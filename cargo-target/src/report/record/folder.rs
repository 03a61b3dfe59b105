//! The folder of a run: its name, and the names of the files in it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The name of the file of events in a run's folder.
pub const EVENTS: &str = "events.jsonl";

/// The name of the page in a run's folder.
pub const PAGE: &str = "report.html";

/// The name of a run that starts at `now`: `20261122T034501Z-1234`. Names sort by time.
pub fn id(now: SystemTime, process: u32) -> String {
    let time = humantime::format_rfc3339_seconds(now).to_string();
    format!("{}-{process}", time.replace(['-', ':'], ""))
}

/// Whether a file name can be a run's; other files in the folder are left alone.
pub fn is_id(name: &str) -> bool {
    let Some((time, process)) = name.split_once('-') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (day, clock) = time.split_at_checked(8).unwrap_or_default();
    let clock = clock.strip_prefix('T').and_then(|clock| clock.strip_suffix('Z'));
    digits(process) && digits(day) && clock.is_some_and(|clock| clock.len() == 6 && digits(clock))
}

/// The folder that contains a file of events, if it is a run's.
pub fn folder_of_run(events: &Path) -> Option<&Path> {
    let folder = events.parent()?;
    let is_run = events.file_name()? == EVENTS && is_id(folder.file_name()?.to_str()?);
    is_run.then_some(folder)
}

/// The default path of a record's page: in the folder of the run, or next to a file of events.
pub fn page_of(events: &Path) -> PathBuf {
    match folder_of_run(events) {
        Some(folder) => folder.join(PAGE),
        None => events.with_extension("html"),
    }
}
