//! Commands that start the user's compiler, and end with the tool.

use std::process::{Command, Stdio};

use crate::run::project::{Package, rustc};

/// A command that starts rustc in a package's folder. With `--cap-lints`, no lint of the user's flags is an error.
pub fn compile(package: &Package, lints: &str) -> Command {
    let mut command = Command::new(rustc());
    die_with_the_tool(&mut command);
    command
        .current_dir(package.root())
        .stdin(Stdio::null())
        .arg(format!("--cap-lints={lints}"))
        .arg("--color=never");
    command
}

/// The user's flags from the environment, which cargo has also given to the library.
pub fn rust_flags() -> Vec<String> {
    if let Ok(flags) = std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        return flags.split('\u{1f}').filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
    }
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Lets the system kill a compiler if the tool is killed, since its result isn't needed. Compilers started by cargo
/// finish their crate.
pub fn die_with_the_tool(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let ask = || {
            // SAFETY: this option takes one number, and the call is safe between fork and exec.
            match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        };
        // SAFETY: see above; the closure does nothing else.
        unsafe { command.pre_exec(ask) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}
