//! A progress bar on standard error while functions run; hidden if that is no terminal.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::system::printable::plain;

/// The bar of a run.
pub struct Progress {
    bar: ProgressBar,
    running: Mutex<Vec<String>>,
}

/// A running function; dropped when it is finished.
pub struct Running<'p> {
    progress: &'p Progress,
    name: String,
}

impl Progress {
    /// A bar over so many functions.
    pub fn new(functions: usize, wanted: bool) -> Progress {
        let visible = wanted && std::io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(functions as u64), target);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} functions, {elapsed}  {wide_msg}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress { bar, running: Mutex::new(Vec::new()) }
    }

    /// Shows that a function runs.
    pub fn start(&self, name: &str) -> Running<'_> {
        self.change(|running| running.push(name.to_owned()));
        Running { progress: self, name: name.to_owned() }
    }

    /// Prints something while the bar is hidden.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn change(&self, change: impl FnOnce(&mut Vec<String>)) {
        let mut running = self.running.lock().expect("a list of names is never left half changed");
        change(&mut running);
        self.bar.set_message(plain(&running.join(", ")));
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.progress.bar.inc(1);
        self.progress.change(|running| {
            if let Some(index) = running.iter().position(|name| *name == self.name) {
                running.remove(index);
            }
        });
    }
}
