//! What came of the functions of a run, counted, and what a run tells of it before and after.

use std::collections::HashMap;
use std::time::Duration;

use crate::events::outcome::Stopped;
use crate::events::{Event, FunctionFinished, RunFinished, Unreached};
use crate::report::Report;
use crate::report::progress::Progress;
use crate::run::findings::Failing;
use crate::system::console::Verbosity;

/// What came of a function.
pub(super) struct Ran<'a> {
    pub name: String,
    /// The name of its first instance.
    pub function: String,
    pub is_law: bool,
    pub row: FunctionFinished,
    pub failing: Vec<Failing<'a>>,
    /// The root of its package, among those of all.
    pub package: &'a str,
}

/// The counts of functions, with all their instances as one.
#[derive(Default)]
pub(super) struct Counted {
    pub all: RunFinished,
    /// The functions by package and name, and whether one of their instances failed.
    known: HashMap<(String, String), bool>,
    /// Number of further instances for which no time was left.
    n_late: usize,
}

impl Counted {
    /// Counts what came of a function, or returns why it was not tested.
    pub fn add(&mut self, ran: &Ran) -> Option<Unreached> {
        if ran.row.valid == 0 {
            let is_further = ran.name != ran.function;
            if is_further && ran.row.stopped == Some(Stopped::Budget) {
                return Some(self.add_late(&ran.name));
            }
            let late = if is_further { "" } else { " in time" };
            let why = format!("no arguments for it could be made{late}");
            // A law is no function.
            return (!ran.is_law).then(|| Unreached { function: ran.name.clone(), why });
        }
        let failed = !ran.failing.is_empty();
        let function = (ran.package.to_owned(), ran.function.clone());
        let before = self.known.insert(function.clone(), failed);
        if let Some(had_failed) = before {
            let is_new = failed && !had_failed;
            self.all.passed -= usize::from(is_new);
            self.all.failed += usize::from(is_new);
            self.known.insert(function, failed || had_failed);
        } else {
            self.all.functions += 1;
            *(if failed { &mut self.all.failed } else { &mut self.all.passed }) += 1;
        }
        None
    }

    /// Counts a further instance for which no time was left.
    pub fn add_late(&mut self, name: &str) -> Unreached {
        self.n_late += 1;
        Unreached { function: name.to_owned(), why: "no time was left for this further instance".to_owned() }
    }

    pub fn tell(&self, verbosity: Verbosity) {
        if self.n_late > 0 && verbosity > Verbosity::Quiet {
            let instances = further(self.n_late);
            errln!("note: no time was left for {instances} of generic functions");
        }
    }
}

/// What is told while functions run, and what is kept of it.
pub(super) struct Told<'r, 'a> {
    pub report: &'r mut Report,
    pub unreached: &'r mut Vec<Unreached>,
    pub counted: Counted,
    /// The functions that had inputs.
    pub ran: Vec<Ran<'a>>,
}

impl<'a> Told<'_, 'a> {
    /// Adds what came of a function, or the name of a further instance that never started.
    pub fn add(&mut self, ran: Result<Ran<'a>, String>, progress: &Progress) {
        match ran {
            Ok(ran) => {
                progress.reported(&ran.name);
                progress.suspend(|| self.report.event(&Event::FunctionFinished(Box::new(ran.row.clone()))));
                self.unreached.extend(self.counted.add(&ran));
                self.ran.extend((ran.row.valid > 0).then_some(ran));
            }
            Err(name) => {
                progress.reported(&name);
                self.unreached.push(self.counted.add_late(&name));
            }
        }
    }
}

/// A number of further instances.
pub(super) fn further(n: usize) -> String {
    format!("{n} further instance{}", if n == 1 { "" } else { "s" })
}

/// What a run tests, for how long.
pub(super) fn plan(n_wanted: usize, n_further: usize, n_public: usize, budget: Duration) -> String {
    let further = if n_further == 0 { String::new() } else { format!(", and {},", further(n_further)) };
    let comma = if n_further == 0 { "" } else { "," };
    let wanted = if n_wanted == 1 { "function or law" } else { "functions and laws" };
    let public = if n_public == 1 { "function" } else { "functions" };
    format!(
        "testing {n_wanted} {wanted}{further} of {n_public} public {public}{comma} for {budget:?} in all (--budget)"
    )
}

/// The note on further instances that are beyond their maximum number.
pub(super) fn left_out(n: usize) -> Option<String> {
    let verb = if n == 1 { "is" } else { "are" };
    let instances = further(n);
    (n > 0).then(|| format!("note: {instances} of generic functions {verb} not tested: there are too many"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn further_instances_are_told_apart_from_functions() {
        let minute = Duration::from_secs(60);
        assert_eq!(
            plan(16, 14, 20, minute),
            "testing 16 functions and laws, and 14 further instances, of 20 public functions, for 60s in all (--budget)"
        );
        assert_eq!(
            plan(3, 0, 4, minute),
            "testing 3 functions and laws of 4 public functions for 60s in all (--budget)"
        );
        assert_eq!(
            plan(1, 1, 1, minute),
            "testing 1 function or law, and 1 further instance, of 1 public function, for 60s in all (--budget)"
        );
        assert_eq!(left_out(0), None);
        let note = "note: 2 further instances of generic functions are not tested: there are too many";
        assert_eq!(left_out(2).as_deref(), Some(note));
    }

    #[test]
    fn only_instances_that_the_budget_stopped_are_late() {
        let mut counted = Counted::default();
        let row = |stopped| FunctionFinished { valid: 0, stopped, ..sample::passed("f", "auto", true) };
        let ran = |name: &str, stopped| Ran {
            name: name.to_owned(),
            function: "f".to_owned(),
            is_law: false,
            row: row(stopped),
            failing: Vec::new(),
            package: "p",
        };
        let mut unreached = |name, stopped| counted.add(&ran(name, stopped)).expect("no case was valid");
        let late = unreached("f [T = ()]", Some(Stopped::Budget));
        let other = unreached("f [T = ()]", None);
        let first = unreached("f", Some(Stopped::Budget));
        assert_eq!(counted.n_late, 1);
        let told = [late, other, first].map(|unreached| unreached.why);
        assert_eq!(
            told,
            [
                "no time was left for this further instance",
                "no arguments for it could be made",
                "no arguments for it could be made in time"
            ]
        );
    }
}
