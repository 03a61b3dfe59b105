//! A log of calls: the time, the name of a function and its arguments. It is the file that `REACH_LOG` names.
//!
//! Each call is written at once, as the process may end in the function.

use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// A call: milliseconds since 1970, the function, and its arguments as bytes.
pub type Call<'l> = (u64, &'l str, &'l [u8]);

/// Writes a call to the log, if there is one.
pub fn note(function: &str, args: impl Serialize) {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let open = || {
        let path = std::env::var_os("REACH_LOG")?;
        Some(File::options().append(true).create(true).open(path).expect("the log can be written"))
    };
    let Some(mut file) = FILE.get_or_init(open).as_ref() else { return };
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970").as_millis() as u64;
    let args = postcard::to_stdvec(&args).expect("numbers, texts and lists can be written");
    let call: Call = (now, function, &args);
    let bytes = postcard::to_stdvec(&call).expect("a call can be written");
    file.write_all(&bytes).expect("the log can be written");
}
