//! `cargo target`: tests Rust functions on every input that their refinement types admit.
//!
//! This file has the entry point, the exit code, and Ctrl-C. [`commands::run`] is the tool on one screen.

#![deny(unsafe_code)]

#[macro_use]
mod system;
mod options;
mod events;
mod run;
mod report;
mod commands;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::Parser;

use crate::commands::{
    check, corpus, count, explain, fuzz, init, regressions, report as recorded, sample, strategies, suggest,
    types,
};
use crate::options::args::{Cargo, Command, SPEC_LANGUAGE};
use crate::options::config::STACK;
use crate::run::{planning, wrapper};
use crate::system::allocator::Counting;
use crate::system::{console, exit_code};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    if let Some(code) = wrapper::run() {
        return code;
    }
    let code = match Cargo::try_parse() {
        Ok(Cargo::Target(target)) => {
            // A panic here is a bug of the tool; the hook has printed the message.
            std::panic::catch_unwind(|| dispatch(target.command).unwrap_or_else(|error| tell(&error)))
                .unwrap_or_else(|_| {
                    errln!("error: this is a mistake in cargo-target; please report it with the lines above");
                    exit_code::INTERNAL
                })
        }
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // The text of `--help` and `--version`.
        Err(asked) => {
            console::out(&asked.render().ansi().to_string());
            exit_code::PASSED
        }
    };
    ExitCode::from(console::end().map_or_else(|error| tell(&error).max(code), |()| code))
}

/// Prints an error, and returns its exit code.
fn tell(error: &anyhow::Error) -> u8 {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    errln!("{red}error:{red:#} {error:#}");
    exit_code::of(error)
}

fn dispatch(command: Command) -> Result<u8> {
    let interrupted = listen_for_interrupt()?;
    let jobs = match &command {
        Command::Run(args) => args.selection.jobs,
        Command::CompareGenerators(args) => args.selection.jobs,
        _ => None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, Into::into)).stack_size(STACK);
    pool.build_global().context("start the threads")?;
    match command {
        // An interrupted run reports its results so far.
        Command::Run(args) => commands::run::run(&args, &interrupted),
        Command::CompareGenerators(args) => commands::run::run(&args.into_run(), &interrupted),
        command => on_a_big_stack(|| {
            planning::until_interrupted(&interrupted, || other(command, &interrupted))
                .unwrap_or(Ok(exit_code::INTERRUPTED))
        }),
    }
}

/// The commands that don't run functions for a report.
fn other(command: Command, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    match command {
        Command::Run(args) => commands::run::run(&args, interrupted),
        Command::CompareGenerators(args) => commands::run::run(&args.into_run(), interrupted),
        Command::Check(args) => check::check(&args, interrupted),
        Command::List(args) => check::list(&args),
        Command::Count(args) => count::count(&args, interrupted),
        Command::Sample(args) => sample::sample(&args, interrupted),
        Command::Corpus(args) => corpus::corpus(&args, interrupted),
        Command::Tests(args) => regressions::tests(&args, interrupted),
        Command::Report(args) => recorded::report(&args),
        Command::Explain(args) => explain::explain(&args, interrupted),
        Command::Strategies(args) => strategies::strategies(&args),
        Command::Fuzz(args) => fuzz::fuzz(&args),
        Command::Init(args) => init::init(&args, interrupted),
        Command::Suggest(args) => suggest::suggest(&args, interrupted),
        Command::Types(args) => types::types(&args),
        Command::Spec => {
            console::out(SPEC_LANGUAGE);
            Ok(exit_code::PASSED)
        }
    }
}

/// Runs code that recurses as deeply as values are nested.
fn on_a_big_stack(run: impl FnOnce() -> Result<u8> + Send) -> Result<u8> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.context("start a thread")?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A flag that the first Ctrl-C sets; the second one ends the process at once.
#[cfg(unix)]
fn listen_for_interrupt() -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let code = exit_code::INTERRUPTED.into();
    // A file beyond the size limit becomes a write error, like a full disk, and doesn't end the tool. Children don't
    // inherit this.
    signal_hook::flag::register(libc::SIGXFSZ, Arc::new(AtomicBool::new(false)))
        .context("listen for signals")?;
    signal_hook::flag::register_conditional_shutdown(libc::SIGINT, code, Arc::clone(&interrupted))
        .and_then(|_| signal_hook::flag::register(libc::SIGINT, Arc::clone(&interrupted)))
        .context("listen for Ctrl-C")?;
    Ok(interrupted)
}

/// On other systems, Ctrl-C ends the process at once.
#[cfg(not(unix))]
fn listen_for_interrupt() -> Result<Arc<AtomicBool>> {
    Ok(Arc::new(AtomicBool::new(false)))
}
