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

/// Number of finished functions up to which they are named while they wait to be reported.
const FEW_DONE: usize = 2;

/// Time between two looks at the clock where a terminal shows the bar: something may take long that tells nothing meanwhile.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Time after which it is shown how long nothing has changed: a call may hang.
const LONG: Duration = Duration::from_secs(2);

/// Time between two changes of the bar.
const BETWEEN_CHANGES: Duration = Duration::from_millis(100);

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    functions: Arc<Mutex<Functions>>,
    /// Ends the lines, or the looks at the clock, when it is dropped.
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
    /// When it last changed.
    changed: Instant,
    /// The first generator that found a failure.
    failed_by: Option<&'static str>,
}

/// How far a generator has come with a function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cases {
    /// All cases.
    pub all: u64,
    /// The inputs within depth and bound among them.
    pub inside: u64,
    /// How many of these there are, if known.
    pub n_inputs: Option<u64>,
    /// Whether any failed.
    pub has_failed: bool,
}

/// What happens to a function.
enum Stage {
    /// It is being prepared.
    Starting,
    /// A generator runs.
    Running { generator: &'static str, cases: Cases, since: Instant },
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
        let lines = wanted.then(|| {
            let functions = Arc::clone(&functions);
            if is_terminal { look_at_clock(functions, bar.clone()) } else { print_lines(functions) }
        });
        Progress { bar, functions, lines }
    }

    /// Shows that a function runs.
    pub fn start(&self, name: &str) -> Running<'_> {
        self.change(|functions| {
            let (name, stage) = (name.to_owned(), Stage::Starting);
            functions.started.push(Function { name, stage, changed: Instant::now(), failed_by: None });
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
            self.set(functions, Stage::Running { generator, cases: Cases::default(), since });
        });
    }

    /// The generator's counterexample is being shrunk now.
    pub fn shrinking(&self) {
        self.progress.change(|functions| {
            if let Some(own) = self.own(functions)
                && let Stage::Running { generator, .. } = own.stage
            {
                (own.stage, own.changed) = (Stage::Shrinking { generator }, Instant::now());
            }
        });
    }

    /// The generator's cases so far.
    pub fn cases(&self, now: Cases) {
        let mut functions = self.progress.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = self.own(&mut functions)
            && let Stage::Running { cases, generator, .. } = &mut own.stage
        {
            *cases = now;
            own.changed = Instant::now();
            if now.has_failed {
                own.failed_by.get_or_insert(generator);
            }
        }
        if functions.shown.elapsed() > BETWEEN_CHANGES {
            functions.shown = Instant::now();
            self.progress.bar.set_message(functions.text());
        }
    }

    /// The function is neither finished nor at work: it may go on later.
    pub fn put_off(self) {
        self.progress.change(|functions| {
            let is_own =
                |function: &Function| function.name == self.name && !matches!(function.stage, Stage::Done);
            if let Some(index) = functions.started.iter().position(is_own) {
                functions.started.remove(index);
            }
        });
    }

    fn set(&self, functions: &mut Functions, stage: Stage) {
        if let Some(own) = self.own(functions) {
            (own.stage, own.changed) = (stage, Instant::now());
        }
    }

    /// This function; packages of a workspace may have functions of the same name.
    fn own<'f>(&self, functions: &'f mut Functions) -> Option<&'f mut Function> {
        let is_own =
            |function: &&mut Function| function.name == self.name && !matches!(function.stage, Stage::Done);
        functions.started.iter_mut().find(is_own)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.progress.change(|functions| self.set(functions, Stage::Done));
    }
}

impl Functions {
    /// `insert: auto, 1200 cases, 400/s, 3 % of 40000 inputs; merge: done`
    fn text(&self) -> String {
        let (done, others): (Vec<&Function>, Vec<&Function>) =
            self.started.iter().partition(|function| matches!(function.stage, Stage::Done));
        // Those that wait for a slower one before them may be many.
        let mut texts: Vec<String> = others.into_iter().map(Function::text).collect();
        if done.len() > FEW_DONE {
            texts.push(format!("{} others done", done.len()));
        } else {
            texts.extend(done.into_iter().map(Function::text));
        }
        texts.join("; ")
    }
}

impl Function {
    fn text(&self) -> String {
        let Function { name, stage, changed, failed_by } = self;
        let since = changed.elapsed();
        let long = (since >= LONG).then(|| format!(" for {} s", since.as_secs()));
        let mut text = plain(name);
        match stage {
            Stage::Starting => text += &long.map(|long| format!(": starting{long}")).unwrap_or_default(),
            Stage::Running { generator, cases, since } => {
                // A rate of the first moments says nothing.
                let seconds = since.elapsed().as_secs_f64().max(0.1);
                let Cases { all, inside, n_inputs, .. } = cases;
                let _ = write!(text, ": {generator}, {all} cases, {:.0}/s", *all as f64 / seconds);
                if let Some(n @ 1..) = n_inputs {
                    let share = *inside.min(n) as f64 * 100.0 / *n as f64;
                    let _ = write!(text, ", {share:.0} % of {n} inputs");
                }
                if let Some(long) = long {
                    let _ = write!(text, ", no result{long}");
                }
                // The failure of the generator at work is shown when it ends.
                if let Some(other) = failed_by.filter(|other| other != generator) {
                    let _ = write!(text, " ({other} found a failure)");
                }
            }
            Stage::Shrinking { generator } => {
                let _ = write!(text, ": {generator}, shrinking a failure{}", long.unwrap_or_default());
            }
            Stage::Done => text.push_str(": done"),
        }
        text
    }
}

/// Sets the bar's message again and again, until the returned sender is dropped.
fn look_at_clock(functions: Arc<Mutex<Functions>>, bar: ProgressBar) -> mpsc::Sender<()> {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        while ended.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            bar.set_message(functions.lock().unwrap_or_else(PoisonError::into_inner).text());
        }
    });
    sender
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
        b.cases(Cases::default());
        assert_eq!(text(), "a; b: auto, 0 cases, 0/s");
        b.cases(Cases { inside: 30, n_inputs: Some(200), has_failed: true, ..Cases::default() });
        assert_eq!(text(), "a; b: auto, 0 cases, 0/s, 15 % of 200 inputs");
        b.shrinking();
        assert_eq!(text(), "a; b: auto, shrinking a failure");
        b.generator("random");
        assert_eq!(text(), "a; b: random, 0 cases, 0/s (auto found a failure)");
        drop(b);
        assert_eq!(text(), "a; b: done");
        progress.reported("b");
        drop(a);
        assert_eq!(text(), "a: done");
        progress.reported("a");
        assert_eq!(text(), "");
        let _c = progress.start("c");
        ["d", "e", "f"].map(|name| progress.start(name)).into_iter().for_each(drop);
        assert_eq!(text(), "c; 3 others done");
    }

    #[test]
    fn a_function_that_hangs_is_shown_with_the_time_since_its_last_result() {
        let progress = Progress::new(1, false);
        let text = || progress.functions.lock().expect("no test panics with the lock").text();
        let age = |seconds| {
            let mut functions = progress.functions.lock().expect("no test panics with the lock");
            functions.started[0].changed = Instant::now() - Duration::from_secs(seconds);
        };
        let hangs = progress.start("hangs");
        age(3);
        assert_eq!(text(), "hangs: starting for 3 s");
        hangs.generator("api");
        assert_eq!(text(), "hangs: api, 0 cases, 0/s");
        age(7);
        assert_eq!(text(), "hangs: api, 0 cases, 0/s, no result for 7 s");
        hangs.cases(Cases::default());
        assert_eq!(text(), "hangs: api, 0 cases, 0/s");
        hangs.shrinking();
        age(2);
        assert_eq!(text(), "hangs: api, shrinking a failure for 2 s");
    }

    #[test]
    fn a_function_that_is_put_off_is_not_shown() {
        let progress = Progress::new(2, false);
        let text = || progress.functions.lock().expect("no test panics with the lock").text();
        let (a, _b) = (progress.start("a"), progress.start("b"));
        a.put_off();
        assert_eq!(text(), "b");
        let _a = progress.start("a");
        assert_eq!(text(), "b; a");
    }
}
