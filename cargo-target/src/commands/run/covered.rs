//! The part of a run with `--coverage`: runs the generators again, and reports and saves their coverage.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use target_bridge::frontend::subject::Subject;

use super::Run;
use super::function::Done;
use crate::events::{Event, FunctionCovered, PackageCovered};
use crate::report::{Report, lcov};
use crate::run::checked::Checked;
use crate::run::corpus::kept;
use crate::run::coverage::Repeat;
use crate::run::launch::space;
use crate::run::runner;
use crate::run::worker::ShouldStop;
use crate::system::files::write_whole;

impl Run<'_> {
    /// The coverage of the first round's generators.
    pub(super) fn covered(
        &self,
        package: &Checked,
        number: u32,
        subject: &Subject,
        attempts: Vec<Done>,
    ) -> Vec<FunctionCovered> {
        let Some(counting) = self.counting.iter().find(|counting| counting.is_of(package.package)) else {
            return Vec::new();
        };
        let launch = counting.launch(number, subject);
        let repeat = |(attempt, subject, cases): Done| {
            let space = space(&subject);
            Repeat {
                kind: attempt.kind,
                planning: self.planning(&subject),
                examples: runner::examples(&space, attempt.n_saved),
                cases,
                budget: subject.settings.budget,
                generator: Box::new(move || self.source(attempt, &space, &subject)),
            }
        };
        let repeats = attempts.into_iter().map(repeat).collect();
        let interrupted = Arc::clone(self.interrupted);
        let interrupted: ShouldStop = Arc::new(move || interrupted.load(Ordering::Relaxed));
        let told = counting.function(&launch, repeats, &interrupted);
        let (covered, keep) = told.unwrap_or_else(|error| {
            self.broken.store(true, Ordering::Relaxed);
            errln!("error: the coverage of `{}`: {error:#}", subject.spec.name);
            Default::default()
        });
        if self.args.keep
            && let Err(error) = kept::keep(package, subject, keep)
        {
            errln!("note: the inputs of `{}` are not kept: {error:#}", subject.spec.name);
        }
        covered
    }

    /// Reports the coverage of each package.
    pub(super) fn packages_covered(&self, report: &mut Report) {
        let packages: Vec<PackageCovered> = self.counting.iter().map(|counting| counting.package()).collect();
        let text = self.args.lcov.as_ref().map(|_| lcov::text(&packages));
        packages.into_iter().for_each(|package| report.event(&Event::PackageCovered(Box::new(package))));
        if let (Some(path), Some(text)) = (&self.args.lcov, text)
            && let Err(error) = write_whole(path, text)
        {
            self.broken.store(true, Ordering::Relaxed);
            errln!("error: {error:#}");
        }
    }
}
