//! `cargo target`: tests Rust functions on every input that their refinement types admit.
//!
//! Here: the entry, the exit code, Ctrl-C. [`pipeline`] is the tool on one screen.

#![deny(unsafe_code)]

#[macro_use]
mod console;
#[allow(unsafe_code, reason = "an allocator is unsafe by its trait")]
mod allocator;
mod args;
mod config;
mod files;
mod project;
mod checked;
mod mirror;
mod wrapper;
#[allow(unsafe_code, reason = "a compiler is asked to end with the tool between fork and exec")]
mod harness;
#[allow(unsafe_code, reason = "the machine's memory is asked of the operating system")]
mod planning;
mod generators;
#[allow(unsafe_code, reason = "limits and signals of processes are asked of the operating system")]
mod worker;
mod runner;
mod outcome;
mod describe;
mod observations;
mod event;
mod record;
mod report;
mod show;
mod progress;
mod release;
mod pipeline;
mod check;
mod corpus;
mod coverage;
mod count;
mod explain;
mod strategies;
mod fuzz;
mod init;
mod regressions;
mod exit_code;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::Parser;

use crate::args::{Cargo, Command};
use crate::config::STACK;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

fn main() -> ExitCode {
    if let Some(code) = wrapper::run() {
        return code;
    }
    let code = match Cargo::try_parse() {
        Ok(Cargo::Target(target)) => {
            // A panic here is our mistake, not the user's; the message has been printed by the hook.
            std::panic::catch_unwind(|| run(target.command).unwrap_or_else(|error| tell(&error)))
                .unwrap_or_else(|_| {
                    errln!("error: this is a mistake in cargo-target; please report it with the lines above");
                    exit_code::INTERNAL
                })
        }
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // What `--help` and `--version` ask for.
        Err(asked) => {
            console::out(&asked.render().ansi().to_string());
            exit_code::PASSED
        }
    };
    ExitCode::from(console::end().map_or_else(|error| tell(&error).max(code), |()| code))
}

/// Prints an error, and gives the exit code for it.
fn tell(error: &anyhow::Error) -> u8 {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    errln!("{red}error:{red:#} {error:#}");
    exit_code::of(error)
}

fn run(command: Command) -> Result<u8> {
    let interrupted = listen_for_interrupt()?;
    let jobs = match &command {
        Command::Run(args) => args.selection.jobs,
        Command::CompareGenerators(args) => args.selection.jobs,
        _ => None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, Into::into)).stack_size(STACK);
    pool.build_global().context("start the threads")?;
    match command {
        // A run that is interrupted reports what it has.
        Command::Run(args) => pipeline::run(&args, &interrupted),
        Command::CompareGenerators(args) => pipeline::run(&args.into_run(), &interrupted),
        command => on_a_big_stack(|| {
            planning::until_interrupted(&interrupted, || other(command, &interrupted))
                .unwrap_or(Ok(exit_code::INTERRUPTED))
        }),
    }
}

/// The commands that run no functions for a report.
fn other(command: Command, interrupted: &Arc<AtomicBool>) -> Result<u8> {
    match command {
        Command::Run(args) => pipeline::run(&args, interrupted),
        Command::CompareGenerators(args) => pipeline::run(&args.into_run(), interrupted),
        Command::Check(args) => check::check(&args),
        Command::List(args) => check::list(&args),
        Command::Count(args) => count::count(&args, interrupted),
        Command::Corpus(args) => corpus::corpus(&args, interrupted),
        Command::Tests(args) => regressions::tests(&args),
        Command::Report(args) => show::report(&args),
        Command::Explain(args) => explain::explain(&args, interrupted),
        Command::Strategies(args) => strategies::strategies(&args),
        Command::Fuzz(args) => fuzz::fuzz(&args),
        Command::Init(args) => init::init(&args),
    }
}

/// Runs what goes as deep as values do.
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
    // A file that gets too long is an error of the write, as a full disk is, and doesn't end the tool. Children don't
    // inherit that.
    signal_hook::flag::register(libc::SIGXFSZ, Arc::new(AtomicBool::new(false)))
        .context("listen for signals")?;
    signal_hook::flag::register_conditional_shutdown(libc::SIGINT, code, Arc::clone(&interrupted))
        .and_then(|_| signal_hook::flag::register(libc::SIGINT, Arc::clone(&interrupted)))
        .context("listen for Ctrl-C")?;
    Ok(interrupted)
}

/// Elsewhere Ctrl-C ends the process at once.
#[cfg(not(unix))]
fn listen_for_interrupt() -> Result<Arc<AtomicBool>> {
    Ok(Arc::new(AtomicBool::new(false)))
}
