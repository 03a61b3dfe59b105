//! `cargo target`: tests Rust functions on every input that their refinement types admit.
//!
//! Here: the entry, the exit code, Ctrl-C. [`pipeline`] is the tool on one screen.

#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "an allocator is unsafe by its trait")]
mod allocator;
mod args;
mod config;
mod files;
mod project;
mod checked;
mod mirror;
mod wrapper;
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
    let Cargo::Target(target) = Cargo::parse();
    // A panic here is our mistake, not the user's; the message has been printed by the hook.
    let result = std::panic::catch_unwind(|| run(target.command));
    ExitCode::from(match result {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            anstream::eprintln!(
                "{}error:{:#} {error:#}",
                anstyle::AnsiColor::Red.on_default().bold(),
                anstyle::Style::new()
            );
            exit_code::of(&error)
        }
        Err(_) => {
            anstream::eprintln!(
                "error: this is a mistake in cargo-target; please report it with the lines above"
            );
            exit_code::INTERNAL
        }
    })
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
