//! Progress on standard error while functions run: a bar on a terminal, else a line every few seconds.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::system::printable::plain;

/// Time between two lines where no terminal shows the bar.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Time between two changes of the bar.
const BETWEEN_CHANGES: Duration = Duration::from_millis(100);

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    functions: Arc<Mutex<Functions>>,
    /// Ends the lines when it is dropped.
    lines: Option<mpsc::Sender<()>>,
}

/// The functions that have started and are not reported.
struct Functions {
    total: usize,
    n_reported: usize,
    started: Vec<Function>,
    shown: Instant,
}

struct Function {
    name: String,
    stage: Stage,
}

/// What happens to a function.
enum Stage {
    /// It is being prepared.
    Starting,
    /// A generator runs.
    Running { generator: &'static str, cases: u64, since: Instant },
    /// The generator's counterexample is being shrunk.
    Shrinking { generator: &'static str },
    /// It is finished, and is reported after those before it.
    Done,
}

/// A running function; dropped when it is finished.
pub struct Running<'p> {
    progress: &'p Progress,
    name: String,
}

impl Progress {
    /// The progress of so many functions.
    pub fn new(total: usize, wanted: bool) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let target =
            if wanted && is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} functions, {elapsed}  {wide_msg}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(120));
        let functions = Functions { total, n_reported: 0, started: Vec::new(), shown: Instant::now() };
        let functions = Arc::new(Mutex::new(functions));
        let lines = (wanted && !is_terminal).then(|| print_lines(Arc::clone(&functions)));
        Progress { bar, functions, lines }
    }

    /// Shows that a function runs.
    pub fn start(&self, name: &str) -> Running<'_> {
        self.change(|functions| {
            functions.started.push(Function { name: name.to_owned(), stage: Stage::Starting });
        });
        Running { progress: self, name: name.to_owned() }
    }

    /// A finished function is reported now.
    pub fn reported(&self, name: &str) {
        self.bar.inc(1);
        self.change(|functions| {
            functions.n_reported += 1;
            let is_it = |function: &Function| function.name == name && matches!(function.stage, Stage::Done);
            if let Some(index) = functions.started.iter().position(is_it) {
                functions.started.remove(index);
            }
        });
    }

    /// Prints something while the bar is hidden.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Removes the bar, and ends the lines.
    pub fn finish(mut self) {
        self.lines = None;
        self.bar.finish_and_clear();
    }

    fn change(&self, change: impl FnOnce(&mut Functions)) {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut functions);
        functions.shown = Instant::now();
        self.bar.set_message(functions.text());
    }
}

impl Running<'_> {
    /// A generator starts.
    pub fn generator(&self, generator: &'static str) {
        let since = Instant::now();
        self.progress.change(|functions| {
            self.set(functions, Stage::Running { generator, cases: 0, since });
        });
    }

    /// The generator's counterexample is being shrunk now.
    pub fn shrinking(&self) {
        self.progress.change(|functions| {
            if let Some(stage) = self.stage(functions)
                && let Stage::Running { generator, .. } = *stage
            {
                *stage = Stage::Shrinking { generator };
            }
        });
    }

    /// The generator's number of cases so far.
    pub fn cases(&self, n_cases: u64) {
        let mut functions = self.progress.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Stage::Running { cases, .. }) = self.stage(&mut functions) {
            *cases = n_cases;
        }
        if functions.shown.elapsed() > BETWEEN_CHANGES {
            functions.shown = Instant::now();
            self.progress.bar.set_message(functions.text());
        }
    }

    fn set(&self, functions: &mut Functions, stage: Stage) {
        if let Some(own) = self.stage(functions) {
            *own = stage;
        }
    }

    /// The stage of this function; packages of a workspace may have functions of the same name.
    fn stage<'f>(&self, functions: &'f mut Functions) -> Option<&'f mut Stage> {
        let is_own =
            |function: &&mut Function| function.name == self.name && !matches!(function.stage, Stage::Done);
        functions.started.iter_mut().find(is_own).map(|function| &mut function.stage)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.progress.change(|functions| self.set(functions, Stage::Done));
    }
}

impl Functions {
    /// `insert: auto, 1200 cases, 400/s; merge: done`
    fn text(&self) -> String {
        let mut text = String::new();
        for Function { name, stage } in &self.started {
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{}", plain(name));
            match stage {
                Stage::Starting => {}
                Stage::Running { generator, cases, since } => {
                    // A rate of the first moments says nothing.
                    let seconds = since.elapsed().as_secs_f64().max(0.1);
                    let _ = write!(text, ": {generator}, {cases} cases, {:.0}/s", *cases as f64 / seconds);
                }
                Stage::Shrinking { generator } => _ = write!(text, ": {generator}, shrinking a failure"),
                Stage::Done => text.push_str(": done"),
            }
        }
        text
    }
}

/// Prints a line every few seconds, until the returned sender is dropped.
fn print_lines(functions: Arc<Mutex<Functions>>) -> mpsc::Sender<()> {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        while ended.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
            let functions = functions.lock().unwrap_or_else(PoisonError::into_inner);
            let Functions { total, n_reported, .. } = *functions;
            let (running, text) = ("Running", functions.text());
            errln!("{running:>12} {n_reported}/{total} functions  {text}");
        }
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_shown_until_it_is_reported() {
        let progress = Progress::new(2, false);
        let text = || progress.functions.lock().expect("no test panics with the lock").text();
        let (a, b) = (progress.start("a"), progress.start("b"));
        b.generator("auto");
        b.cases(0);
        assert_eq!(text(), "a; b: auto, 0 cases, 0/s");
        b.shrinking();
        assert_eq!(text(), "a; b: auto, shrinking a failure");
        drop(b);
        assert_eq!(text(), "a; b: done");
        progress.reported("b");
        drop(a);
        assert_eq!(text(), "a: done");
        progress.reported("a");
        assert_eq!(text(), "");
    }
}
