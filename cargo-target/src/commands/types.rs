//! `cargo target types`: prints the types that every spec can use by name, as texts of the spec language.

use anyhow::Result;
use target_bridge::frontend::declarations::library;
use target_bridge::frontend::diagnostic::did_you_mean;

use crate::options::args;
use crate::system::{console, exit_code};

/// Prints the named types, or all; returns the exit code.
pub fn types(args: &args::Types) -> Result<u8> {
    let names: Vec<&str> = match args.names.as_slice() {
        [] => library::names().collect(),
        names => names.iter().map(String::as_str).collect(),
    };
    let mut texts = Vec::with_capacity(names.len());
    for name in names {
        let Some(text) = library::text_of(name) else {
            let guess = did_you_mean(name, library::names());
            let help = match guess {
                Some(guess) => format!("did you mean `{guess}`?"),
                None => "`cargo target types` prints all".to_owned(),
            };
            errln!("error: no type `{name}` comes with the tool: {help}");
            return Ok(exit_code::USAGE);
        };
        texts.push(text);
    }
    console::out(&format!("{}\n", texts.join("\n\n")));
    Ok(exit_code::PASSED)
}
