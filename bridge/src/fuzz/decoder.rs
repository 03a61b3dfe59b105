//! The source of a program that decodes bytes as a fuzz target does, with the user's own types: what a seed is verified
//! by, and what reads a fuzzer's corpus.
//!
//! It is the target's own file, so that its types and imports are there, with a `main` beside it: frames of bytes come
//! in, and for each a frame goes out, with the value or with none.

use std::fmt::Write;
use std::path::Path;

use quote::ToTokens;
use syn::Item;
use target_strategies::arbitrary::Mode;
use target_strategies::ir::{Refined, Spec};

use super::binding::{Binding, Form};
use super::target::{FuzzTarget, Input, type_text};
use crate::emit::{convert, harness};

/// The name by which the program knows the runtime; the target may depend on the published one.
pub const RUNTIME: &str = "cargo_target_runtime";

/// The `main`, around `decode`. A fuzzer isn't linked, so something stands in for what the file may call of it.
const MAIN: &str = r#"
fn main() {
    use ::target_strategies::wire::{Wire, read_frame, write_frame};
    ::std::panic::set_hook(::std::boxed::Box::new(|_| {}));
    let serve = || {
        let mut input = ::std::io::stdin().lock();
        let mut output = ::std::io::BufWriter::new(::std::io::stdout().lock());
        while let Some(bytes) = read_frame(&mut input).expect("the parent sends frames") {
            let value = ::std::panic::catch_unwind(|| cargo_target_decoder::decode(&bytes)).unwrap_or(None);
            write_frame(&mut output, &value.to_bytes()).expect("the parent reads frames");
            ::std::io::Write::flush(&mut output).expect("the parent reads frames");
        }
    };
    let thread = ::std::thread::Builder::new().stack_size(256 << 20).spawn(serve).expect("start a thread");
    thread.join().expect("no value makes it panic");
}

#[unsafe(no_mangle)]
pub extern "C" fn LLVMFuzzerMutate(_: *mut u8, size: usize, _: usize) -> usize {
    size
}
"#;

/// The program for a target that decodes a type, from the text of its file in that folder.
pub fn source(
    text: &str,
    folder: &Path,
    target: &FuzzTarget,
    binding: &Binding,
    spec: &Spec,
    mode: Mode,
) -> Result<String, String> {
    let Input::Typed(ty) = &target.input else {
        return Err("what it takes is not made by `Arbitrary`".to_owned());
    };
    let mut file = syn::parse_file(text).map_err(|error| error.to_string())?;
    file.shebang = None;
    file.attrs.retain(|attribute| !attribute.path().is_ident("no_main"));
    for item in &mut file.items {
        place_module(item, folder);
    }
    let mut source = file.into_token_stream().to_string();
    let _ = writeln!(source, "\nextern crate {RUNTIME} as target_strategies;\n");
    let _ = writeln!(source, "mod cargo_target_decoder {{\n#![allow(warnings)]\nuse super::*;\n");
    for id in harness::data_in(binding.types.iter(), spec) {
        source.push_str(&convert::functions(id, spec).unwrap_or_default());
    }
    source.push_str(&decode(&type_text(ty), binding, spec, mode));
    source.push_str("}\n");
    source.push_str(MAIN);
    Ok(source)
}

fn decode(ty: &str, binding: &Binding, spec: &Spec, mode: Mode) -> String {
    let arbitrary = "::libfuzzer_sys::arbitrary::Arbitrary";
    let shown = match &binding.form {
        Form::Fields(names) => {
            let part = |(name, refined): (&String, &Refined)| {
                convert::show(refined, spec, &format!("(&input.{name})"))
            };
            let parts: Vec<String> = names.iter().zip(&binding.types).map(part).collect();
            format!("::target_strategies::serve::convert::from_parts([{}])", parts.join(", "))
        }
        Form::Whole | Form::Bytes => convert::show(&binding.types[0], spec, "(&input)"),
    };
    // libfuzzer-sys drops what is shorter than the type's least size.
    let made = match mode {
        Mode::Plain => {
            format!(
                "<{ty} as {arbitrary}>::arbitrary(&mut ::libfuzzer_sys::arbitrary::Unstructured::new(bytes))"
            )
        }
        Mode::TakeRest => format!(
            "if bytes.len() < <{ty} as {arbitrary}>::size_hint(0).0 {{ return None; }}\n    let input = \
             <{ty} as {arbitrary}>::arbitrary_take_rest(::libfuzzer_sys::arbitrary::Unstructured::new(bytes))"
        ),
    };
    let made = if mode == Mode::Plain { format!("let input = {made}") } else { made };
    format!(
        "pub fn decode(bytes: &[u8]) -> ::core::option::Option<::target_strategies::value::Value> {{\n    \
         {made}.ok()?;\n    Some({shown})\n}}\n"
    )
}

/// A module in another file keeps its place, though the text moves.
fn place_module(item: &mut Item, folder: &Path) {
    let Item::Mod(module) = item else { return };
    if module.content.is_some() || module.attrs.iter().any(|attribute| attribute.path().is_ident("path")) {
        return;
    }
    let beside = folder.join(format!("{}.rs", module.ident));
    let inside = folder.join(module.ident.to_string()).join("mod.rs");
    let path = if beside.exists() { beside } else { inside };
    let path = path.to_string_lossy();
    module.attrs.push(syn::parse_quote!(#[path = #path]));
}
