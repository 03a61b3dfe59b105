//! The source of a program that decodes bytes as a fuzz target does, with the user's own types: it verifies seeds and
//! reads a fuzzer's corpus.
//!
//! The program is the target's own file, with its types and imports, and another `main`: it reads frames of bytes, and
//! answers each with a frame that contains the value, if there is one. A file that is a module of a crate can't be
//! built alone: then the program uses the function's types, by their paths.

use std::fmt::Write;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, LitStr, Meta};
use target_strategies::fuzzing::arbitrary::Mode;
use target_strategies::logic::ir::{Refined, Spec};

use super::binding::{Binding, Form};
use super::target::{FuzzTarget, Fuzzer, Input, type_text};
use crate::codegen::glue::Glue;
use crate::codegen::{convert, owned};

/// The program's name for the runtime; the target may depend on the published crate.
pub const RUNTIME: &str = "cargo_target_runtime";

/// The `main`, around `decode`. A fuzzer isn't linked, so stubs replace the functions of it that the file may call.
const MAIN: &str = r#"
fn main() {
    use ::target_strategies::child::wire::{read_frame, write_frame};
    use ::target_strategies::logic::codec::Codec;
    ::std::panic::set_hook(::std::boxed::Box::new(|_| {}));
    let serve = || {
        let mut input = ::std::io::stdin().lock();
        let mut output = ::std::io::BufWriter::new(::std::io::stdout().lock());
        while let Some(bytes) = read_frame(&mut input).expect("the parent sends frames") {
            let value = ::std::panic::catch_unwind(|| DECODER::decode(&bytes)).unwrap_or(None);
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

/// The location of a target's code.
#[derive(Clone, Copy, Debug)]
pub struct TargetLocation<'a> {
    /// The text of its file.
    pub text: &'a str,
    /// The file's folder.
    pub folder: &'a Path,
    /// The modules of the file that contain it.
    pub modules: &'a [String],
    /// Whether the file is the root of a program, not a module.
    pub is_root: bool,
}

/// The program for a target that decodes a type.
pub fn source(
    location: &TargetLocation,
    target: &FuzzTarget,
    binding: &Binding,
    spec: &Spec,
    mode: Mode,
) -> Result<String, String> {
    let Input::Typed(ty) = &target.input else {
        return Err("what it takes is not made by `Arbitrary`".to_owned());
    };
    let ty = if location.is_root { type_text(ty) } else { named(ty, binding, spec)? };
    let mut decoder = "pub mod cargo_target_decoder {\n#![allow(warnings)]\nuse super::*;\n".to_owned();
    for id in owned::data_in(binding.types.iter(), spec) {
        decoder.push_str(&convert::functions(id, Glue::harness(spec)).unwrap_or_default());
    }
    decoder.push_str(&decode(&ty, target.fuzzer, binding, spec, mode));
    decoder.push_str("}\n");
    let mut source = if location.is_root { around(location, &decoder)? } else { decoder };
    let _ = writeln!(source, "\nextern crate {RUNTIME} as target_strategies;\n");
    let path = location.modules.iter().filter(|_| location.is_root).map(|name| format!("{name}::"));
    source.push_str(&MAIN.replace("DECODER", &format!("{}cargo_target_decoder", path.collect::<String>())));
    Ok(source)
}

/// The type of an input, as code outside the target's file names it.
fn named(ty: &syn::Type, binding: &Binding, spec: &Spec) -> Result<String, String> {
    if matches!(binding.form, Form::Fields(_)) && !matches!(ty, syn::Type::Tuple(_)) {
        let ty = type_text(ty);
        return Err(format!(
            "`{ty}` is out of reach in a module: take a tuple, or have the test in a file of its own in `tests`"
        ));
    }
    owned::type_text(&binding.refined(), Glue::harness(spec))
}

/// The target's file with the decoder next to its types.
fn around(location: &TargetLocation, decoder: &str) -> Result<String, String> {
    let mut file = syn::parse_file(location.text).map_err(|error| error.to_string())?;
    file.shebang = None;
    // A condition such as `#![cfg(test)]`, which holds when cargo builds a test, would remove the whole file here.
    file.attrs.retain(|attribute| !is_no_main(&attribute.meta) && !attribute.path().is_ident("cfg"));
    // Without tests and harnesses much of the file is unused.
    file.attrs.push(syn::parse_quote!(#![allow(warnings)]));
    file.items.retain(|item| !matches!(item, Item::Fn(function) if function.sig.ident == "main"));
    for item in &mut file.items {
        locate_item(item, location.folder);
    }
    let decoder: TokenStream = decoder.parse().map_err(|_| "its types can't be written".to_owned())?;
    let mut items = &mut file.items;
    for name in location.modules {
        let inner = items.iter_mut().find_map(|item| match item {
            Item::Mod(module) if module.ident == name => Some(module),
            _ => None,
        });
        let inner = inner.ok_or("its module is not in its file")?;
        inner.vis = syn::parse_quote!(pub);
        inner.attrs.retain(|attribute| !attribute.path().is_ident("cfg"));
        items = &mut inner.content.as_mut().ok_or("its module is not in its file")?.1;
    }
    items.push(Item::Verbatim(decoder));
    Ok(file.into_token_stream().to_string())
}

/// Whether an attribute is `no_main`, maybe under a condition.
fn is_no_main(meta: &Meta) -> bool {
    meta.path().is_ident("no_main")
        || meta.path().is_ident("cfg_attr")
            && meta
                .require_list()
                .is_ok_and(|list| list.tokens.clone().into_iter().any(|token| is(&token, "no_main")))
}

fn is(token: &proc_macro2::TokenTree, word: &str) -> bool {
    matches!(token, proc_macro2::TokenTree::Ident(ident) if ident == word)
}

fn decode(ty: &str, fuzzer: Fuzzer, binding: &Binding, spec: &Spec, mode: Mode) -> String {
    let shown = match &binding.form {
        Form::Fields(names) => {
            let part = |(name, refined): (&String, &Refined)| {
                convert::show(refined, Glue::harness(spec), &format!("(&input.{name})"))
            };
            let parts: Vec<String> = names.iter().zip(&binding.types).map(part).collect();
            format!("::target_strategies::child::serve::convert::from_parts([{}])", parts.join(", "))
        }
        Form::Whole | Form::Bytes => convert::show(&binding.types[0], Glue::harness(spec), "(&input)"),
    };
    let made = made(ty, fuzzer, mode);
    format!(
        "pub fn decode(bytes: &[u8]) -> ::core::option::Option<::target_strategies::logic::value::Value> {{\n    \
         {made}\n    Some({shown})\n}}\n"
    )
}

/// The statement that makes the input from bytes, as the fuzzer does.
fn made(ty: &str, fuzzer: Fuzzer, mode: Mode) -> String {
    let crate_name = fuzzer.crate_name();
    let arbitrary = format!("<{ty} as ::{crate_name}::arbitrary::Arbitrary>");
    let bytes = format!("::{crate_name}::arbitrary::Unstructured::new(bytes)");
    match (fuzzer, mode) {
        (Fuzzer::Bolero, _) => {
            let generator = "::bolero::generator::bolero_generator";
            format!(
                "let options = {generator}::driver::Options::default().with_max_len(usize::MAX);\n    \
                 let mut driver = {generator}::driver::ByteSliceDriver::new(bytes, &options);\n    \
                 let input = {generator}::ValueGenerator::generate(&{generator}::gen_arbitrary::<{ty}>(), &mut driver)?;"
            )
        }
        (_, Mode::Plain) => format!("let input = {arbitrary}::arbitrary(&mut {bytes}).ok()?;"),
        // libfuzzer-sys drops inputs shorter than the type's minimum size.
        (_, Mode::TakeRest) => format!(
            "if bytes.len() < {arbitrary}::size_hint(0).0 {{ return None; }}\n    \
             let input = {arbitrary}::arbitrary_take_rest({bytes}).ok()?;"
        ),
    }
}

/// Makes paths to other files absolute, since the text moves.
fn locate_item(item: &mut Item, folder: &Path) {
    match item {
        Item::Mod(module) if module.content.is_none() => locate_module(module, folder),
        Item::Macro(item) if item.mac.path.is_ident("include") => {
            if let Ok(path) = item.mac.parse_body::<LitStr>() {
                let path = folder.join(path.value());
                let path = path.to_string_lossy();
                item.mac.tokens = quote::quote!(#path);
            }
        }
        _ => {}
    }
}

fn locate_module(module: &mut syn::ItemMod, folder: &Path) {
    let is_path = |attribute: &Attribute| attribute.path().is_ident("path");
    let said = super::bolero::path_attribute(module);
    module.attrs.retain(|attribute| said.is_none() || !is_path(attribute));
    if module.attrs.iter().any(is_path) {
        return;
    }
    let beside = folder.join(format!("{}.rs", module.ident));
    let inside = folder.join(module.ident.to_string()).join("mod.rs");
    let path = match said {
        Some(path) => folder.join(path),
        None if beside.exists() => beside,
        None => inside,
    };
    let path = path.to_string_lossy();
    module.attrs.push(syn::parse_quote!(#[path = #path]));
}
