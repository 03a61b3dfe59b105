//! Records the panics of a case instead of printing them.
//!
//! The payload of a panic has its message; only the hook sees its location. The hook also copies both into the shared
//! page, because panics that abort are never caught.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::page::Page;

/// A caught panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Panic {
    pub(super) message: String,
    /// `file:line:column`, unless the subject bypassed the hook.
    pub(super) location: Option<String>,
    /// The innermost call in the crate, if the location is in a library and this was asked for.
    pub(super) within: Option<String>,
}

/// The variable of the environment that asks for [`Panic::within`]. Its value is the folder of the package below that of
/// the workspace, with a slash; nothing if they are the same.
pub const FRAMES: &str = "CARGO_TARGET_FRAMES";

/// Maximum number of panics of a process for which the stack is looked at: that takes time.
const MOST_STACKS: u32 = 64;

thread_local! {
    /// The last panic of this thread.
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
    /// Whether this is the thread that runs the subject.
    static SERVING: Cell<bool> = const { Cell::new(false) };
}

static PAGE: OnceLock<&'static Page> = OnceLock::new();

/// Records the panics of the current thread from now on.
pub(super) fn remember_on(page: &'static Page) {
    // A second call comes from a second `main` in one process, which maps the same file.
    let _ = PAGE.set(page);
    SERVING.set(true);
}

/// Forgets the last case, and installs the hook again, which the last case may have replaced. Allocates nothing.
pub(super) fn begin_case(page: &Page) {
    page.clear_text();
    panic::set_hook(Box::new(note));
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) if !is_generated(location) => {
                write!(f, "panicked at {location}: {}", self.message)
            }
            Some(_) | None => write!(f, "panicked: {}", self.message),
        }
    }
}

/// Whether a location is in the harness, which the user never sees.
fn is_generated(location: &str) -> bool {
    location.contains("/cargo-target/scratch/") && location.contains("/harness.rs:")
}

/// The message and the location of a caught panic.
pub(super) fn describe(payload: Box<dyn Any + Send>) -> Panic {
    let last = LAST.with_borrow_mut(Option::take);
    let message = message_of(&*payload);
    // A payload may be anything, even something whose destructor panics.
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(another);
    }
    match (last, message) {
        // `resume_unwind` calls no hook: the recorded panic may be another one, which the subject caught.
        (Some(last), Some(message)) if last.message == message => last,
        (Some(last), None) => last,
        (_, message) => {
            Panic { message: message.unwrap_or_else(|| OPAQUE.to_string()), location: None, within: None }
        }
    }
}

const OPAQUE: &str = "a panic without a message";

fn message_of(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
}

/// The innermost call in the crate of a panic in a library. The files of the crate have paths that start with the value of
/// [`FRAMES`].
fn within(location: &str) -> Option<String> {
    static STACKS: AtomicU32 = AtomicU32::new(0);
    let own = std::env::var(FRAMES).ok()?;
    let is_own = !location.starts_with('/') && location.starts_with(&own);
    if is_own || STACKS.fetch_add(1, Ordering::Relaxed) >= MOST_STACKS {
        return None;
    }
    let stack = Backtrace::force_capture().to_string();
    // Files below the current folder are written relative to it.
    stack.lines().find_map(|line| line.trim().strip_prefix("at ./").map(str::to_string))
}

/// The hook.
fn note(info: &PanicHookInfo<'_>) {
    let message = message_of(info.payload()).unwrap_or_else(|| OPAQUE.to_string());
    let location = info.location().map(ToString::to_string);
    let line = format!("panicked at {}: {message}", location.as_deref().unwrap_or("?"));
    if !SERVING.try_with(Cell::get).unwrap_or(false) {
        // A panic in a thread of the subject matters only to code that joins the thread.
        eprintln!("{line}");
        return;
    }
    if let Some(page) = PAGE.get() {
        page.add_text(&line);
    }
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            let within = location.as_deref().and_then(within);
            *last = Some(Panic { message, location, within });
        }
    });
}
