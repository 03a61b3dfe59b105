//! The runtime of a harness: a child process that runs one subject on one case after another.
//!
//! The generated `main` of a harness is one call of [`main`] with a table of [`Function`]s. A function's glue
//! converts argument [`Value`](crate::logic::value::Value)s to Rust values ([`convert`]), keeps values that the subject borrows in an [`Arena`],
//! and converts the result back. For `fn rescale(r1: i64, r2: i64, s: i64) -> i64` it is:
//!
//! ```
//! # fn rescale(r1: i64, r2: i64, s: i64) -> i64 { s * r2 / r1 }
//! use target_strategies::child::serve::{Arena, Function, Ran, convert};
//! use target_strategies::logic::value::Value;
//!
//! fn run<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
//!     let (r1, r2) = (convert::as_i64(&args[0]), convert::as_i64(&args[1]));
//!     let s = convert::as_i64(&args[2]);
//!     let result = arena.subject(|| rescale(r1, r2, s));
//!     Ran { result: convert::from_i64(result), after: None }
//! }
//!
//! static FUNCTIONS: &[Function] =
//!     &[Function { number: 0, name: "rescale", run, opaques: &[], builders: &[] }];
//! ```
//!
//! The parent's side is `cargo-target`'s worker; [`crate::child::protocol`] is what they speak. Nothing here knows cargo.

mod arena;
mod built;
mod conditions;
pub mod convert;
mod copies;
mod coverage;
pub mod debugged;
pub mod derivations;
mod fork_server;
mod function;
pub mod functions;
mod guard;
pub mod laws;
mod memory;
pub mod observe;
pub mod page;
mod panics;
mod platform;
mod recorder;
pub mod sequences;
mod session;
mod source;
pub mod steps;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::sync::Arc;

pub use crate::{check_law, observe};
pub use arena::Arena;
#[cfg(any(feature = "fuzz", feature = "proptest"))]
pub(crate) use built::is_rejection;
pub use built::{Built, Unfailing, all_kept, changed, made, returned, unchanged};
use conditions::Conditions;
use copies::Copies;
pub use coverage::Counters;
use coverage::{Tracer, Watch};
use fork_server::Copied;
pub use function::{Condition, Function, MayFail, Ran, Run};
use memory::MemoryLimit;
use page::Page;
pub use panics::FRAMES;
use platform::float::FloatMode;
use recorder::Recorder;
use session::Session;
use source::{Fed, FromEngine, Ranges};

use crate::child::goals::Goals;
use crate::child::protocol::{Reply, Request, VERSION};
use crate::child::wire::{read_frame, write_frame};
use crate::logic::codec::Codec;
use crate::logic::eval::Judge;
use crate::logic::ir::Spec;
use crate::native::listing::Lister;
use crate::space::{Bounds, Space};

/// The argument, instead of a page's path, with which a harness only describes its builders.
pub const BUILDERS: &str = "--builders";

/// The argument, instead of a page's path, with which an instrumented harness only describes its counters: it prints
/// a raw profile in which each counter has its number, from 1, as its value.
pub const COUNTERS: &str = "--counters";

/// The argument, instead of a page's path, with which a harness makes children by copying itself.
pub const FORK_SERVER: &str = "--fork-server";

/// The exit code of a harness that can't serve; the parent reads the reason on standard error.
const TROUBLE: i32 = 70;

/// The exit code of a harness that can't reach the parent: the parent is gone, or the subject closed the pipes.
pub const CUT_OFF: i32 = 71;

/// Serves the parent until it closes the standard input. It is the `main` of every harness.
pub fn main(functions: &[Function]) {
    main_counted(functions, None);
}

/// Like [`main`], for a program with coverage counters.
pub fn main_counted(functions: &[Function], counters: Option<Counters>) {
    if let Err(error) = serve(functions, counters) {
        eprintln!("the harness of cargo-target: {error}");
        std::process::exit(TROUBLE);
    }
}

/// Prepares the process: page, guard, pipes and limits.
fn serve(functions: &[Function], counters: Option<Counters>) -> io::Result<()> {
    let path = std::env::args_os().nth(1).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "this program is run by cargo target, not by hand")
    })?;
    if path == BUILDERS {
        return tell_builders(functions);
    }
    if let (Some(counters), true) = (&counters, path == COUNTERS) {
        return io::stdout().write_all(&counters.numbered());
    }
    platform::no_core_dumps();
    let (file, server) = if path == FORK_SERVER {
        let Some(Copied { page, server }) = fork_server::serve()? else { return Ok(()) };
        (page, Some(server))
    } else {
        (File::options().read(true).write(true).open(path)?, None)
    };
    // The page is used until the process ends, also by the panic hook.
    let page: &'static Page = Box::leak(Box::new(Page::map(&file)?));
    drop(file);
    guard::stand_guard(page, server)?;
    copies::mark_original();
    let (mut requests, replies) = platform::claim_stdio()?;
    panics::remember_on(page);
    functions::remember_on(page);
    sequences::remember_on(page);
    serve_function(functions, counters, page, &mut requests, BufWriter::new(replies))
}

/// Prints which functions that build values may reject them: a line for each, with the numbers of the subject and of
/// the data type, and the answer.
fn tell_builders(functions: &[Function]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for function in functions {
        for (data, may_fail) in function.builders {
            writeln!(out, "{} {data} {}", function.number, may_fail())?;
        }
    }
    Ok(())
}

/// What the first request says.
struct Task {
    function: u32,
    spec: Box<Spec>,
    bounds: Bounds,
    memory: u64,
}

impl Task {
    /// The task of a first request, or why there is none.
    fn read(message: &[u8]) -> Result<Task, String> {
        match Request::from_bytes(message) {
            Ok(Request::Setup { version: VERSION, function, spec, bounds, memory }) => {
                Ok(Task { function, spec, bounds, memory })
            }
            Ok(Request::Setup { version, .. }) => Err(format!("it speaks version {VERSION}, not {version}")),
            Ok(_) => Err("it was not told its function".to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Answers the first request, which names the function of this process, and then all other requests.
fn serve_function(
    functions: &[Function],
    counters: Option<Counters>,
    page: &'static Page,
    requests: &mut impl Read,
    mut replies: impl Write,
) -> io::Result<()> {
    let Some(message) = read_frame(requests)? else { return Ok(()) };
    let Task { function, spec, bounds, memory } = match Task::read(&message) {
        Ok(task) => task,
        Err(reason) => return reject(&mut replies, reason),
    };
    let Some(function) = functions.iter().find(|found| found.number == function) else {
        return reject(&mut replies, format!("it has no function number {function}"));
    };
    let spec = Arc::new(*spec);
    derivations::read_by(&spec);
    let space = Space::new(spec.clone(), bounds);
    let mut conditions = Conditions::new(function, &spec, page);
    let mut judge = Judge::new(Some(&mut conditions));
    let recorder = Recorder::new(Goals::of(&spec), &mut judge);
    write_frame(&mut replies, &Reply::Ready.to_bytes())?;
    let mut lister = Lister::new(&space);
    let mut session = Session {
        function,
        spec: &spec,
        with_functions: Some(&spec).filter(|spec| !spec.callbacks.is_empty()).cloned(),
        has_collections: spec.has_collections(),
        asks: false,
        judge,
        recorder,
        page,
        memory: MemoryLimit(memory),
        arena: Arena::new(),
        watch: None,
        tracer: None,
        batch: 0,
        float_mode: FloatMode::current(),
        copies: Copies::new(),
        replies,
    };
    loop {
        let Some(message) = read_frame(requests).unwrap_or_else(|_| cut_off()) else { return Ok(()) };
        let ran = match Request::from_bytes(&message).map_err(|error| io::Error::other(error.to_string()))? {
            Request::Cases { cases, members, asks, limits } => {
                session.that_tells(asks).run(Fed::new(cases, members), limits)
            }
            Request::Enumerate { ranges, limits } => session.run(Ranges::new(&space, &ranges), limits),
            Request::List { ranges, judge_all, limits } => {
                session.run(FromEngine::new(&mut lister, &ranges, judge_all), limits)
            }
            Request::Watch { sums, known } => {
                session.watch = Some(Watch::new(counters, sums, &known));
                Ok(())
            }
            Request::Trace { sums } => {
                session.tracer = Some(Tracer::new(counters, sums, page));
                Ok(())
            }
            Request::Unmade { sequences } => {
                sequences::add_unmade(&sequences);
                Ok(())
            }
            Request::Setup { .. } => return Err(io::Error::other("it was told its function twice")),
        };
        ran.unwrap_or_else(|_| cut_off());
    }
}

/// Ends a process that can't reach its parent.
fn cut_off() -> ! {
    std::process::exit(CUT_OFF)
}

/// Tells the parent why this process can't serve it.
fn reject(replies: &mut impl Write, reason: String) -> io::Result<()> {
    write_frame(replies, &Reply::Rejected(reason).to_bytes())
}
