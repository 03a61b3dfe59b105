//! Generates the source of a harness: one program that can run each of a package's subjects.
//!
//! For `rescale` the glue is
//!
//! ```text
//! fn run<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
//!     let (a0, a1, a2) = (as_i64(&args[0]), as_i64(&args[1]), as_i64(&args[2]));
//!     let result = {
//!         let result = arena.subject(|| scores::rescale(a0, a1, a2));
//!         let shown = from_i64(*&result);
//!         shown
//!     };
//!     Ran { result, after: None }
//! }
//! ```
//!
//! The harness doesn't contain the specs: the child gets them when it starts, so a changed bound or refinement needs no
//! recompilation. The user's own expressions (`where`, `call`) see the root of the user's crate, so they are in a
//! separate module: names such as `Result` or `run` in that root must not affect the glue.

use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use target_strategies::logic::ir::{CallbackId, DataId, Param, Pointer, Refined, Sort, Via};

use super::convert;
use super::glue::Glue;
pub use super::owned::data_in;
use super::shared::Shared;
use crate::frontend::subject::{Call, Opaque, Subject};

const ARGS: &str = "<'a>(args: &'a [::target_strategies::logic::value::Value], arena: &'a ::target_strategies::child::serve::Arena)";

/// Declarations of the profiler's runtime, for a harness that counts how often code runs. It is linked only then.
const COUNTERS: &str = "unsafe extern \"C\" {
    fn __llvm_profile_begin_counters() -> *mut u64;
    fn __llvm_profile_end_counters() -> *mut u64;
    fn __llvm_profile_get_size_for_buffer() -> u64;
    fn __llvm_profile_write_buffer(buffer: *mut ::core::ffi::c_char) -> i32;
}

fn main() {
    let counters = ::target_strategies::child::serve::Counters {
        begin: __llvm_profile_begin_counters,
        end: __llvm_profile_end_counters,
        size: __llvm_profile_get_size_for_buffer,
        write: __llvm_profile_write_buffer,
    };
    ::target_strategies::child::serve::main_counted(SUBJECTS, ::core::option::Option::Some(counters))
}
";

/// The source of the harness for subjects of one package, with their numbers there; with counters for a build with
/// `-C instrument-coverage`.
pub fn source(crate_name: &str, subjects: &[(u32, &Subject)], counts: bool) -> String {
    let mut text = String::from("// Written by cargo-target; changes are lost.\n#![allow(warnings)]\n");
    let _ = writeln!(text, "pub use ::{crate_name}::*;\n");
    let mut table = String::new();
    let mut shared = Shared::default();
    for (number, subject) in subjects {
        let _ = writeln!(text, "mod subject_{number} {{\n{}}}\n", glue_with(subject, Some(&mut shared)));
        let _ = writeln!(table, "    {},", function(*number, subject));
    }
    text.push_str(&shared.modules());
    let _ =
        writeln!(text, "static SUBJECTS: &[::target_strategies::child::serve::Function] = &[\n{table}];\n");
    text.push_str(if counts {
        COUNTERS
    } else {
        "fn main() {\n    ::target_strategies::child::serve::main(SUBJECTS)\n}\n"
    });
    text
}

/// The entry of a subject in a table of functions, by its number.
pub(crate) fn function(number: u32, subject: &Subject) -> String {
    let conditions: Vec<String> = (0..subject.opaques.len())
        .map(|index| format!("subject_{number}::words::condition_{index}"))
        .collect();
    let builders: Vec<String> =
        asked(subject).map(|id| format!("({}, subject_{number}::words::builder_{})", id.0, id.0)).collect();
    format!(
        "::target_strategies::child::serve::Function {{ number: {number}, name: {:?}, run: subject_{number}::{}, opaques: &[{}], builders: &[{}] }}",
        subject.spec.name,
        if is_in_words(subject) { "words::run_call" } else { "run" },
        conditions.join(", "),
        builders.join(", ")
    )
}

/// All functions for one subject. Those with the user's words are in a module that sees the user's crate.
pub(crate) fn glue(subject: &Subject) -> String {
    glue_with(subject, None)
}

/// The same, where functions that convert data values may be shared with other subjects.
fn glue_with(subject: &Subject, shared: Option<&mut Shared>) -> String {
    let spec = &subject.spec;
    let mut text = String::new();
    let mut words = String::from(
        "pub mod words {\nuse super::super::*;\nuse ::target_strategies::child::serve::Unfailing as _;\n",
    );
    let depth = if has_words(subject) { 2 } else { 1 };
    match shared.and_then(|shared| shared.import(subject, Glue::harness(spec), depth)) {
        Some(import) if has_words(subject) => words.push_str(&import),
        Some(import) => {
            text.push_str(&import);
            words.push_str(&import.replacen("super::", "super::super::", 1));
        }
        None => conversions(subject, Glue::harness(spec), &mut text, &mut words),
    }
    if is_in_words(subject) {
        words.push_str(&run(subject, "run_call"))
    } else {
        text.push_str(&run(subject, "run"))
    }
    for id in asked(subject) {
        words.push_str(&convert::builder(id, Glue::harness(spec)));
    }
    for (index, opaque) in subject.opaques.iter().enumerate() {
        words.push_str(&condition(index, opaque, subject));
    }
    text + &words + "}\n"
}

/// The functions that convert data values. If they contain the user's own expressions, they are in the module that sees
/// the user's crate, else next to it and imported. `spec` may be the subject's spec with owned values.
pub(super) fn conversions(subject: &Subject, spec: Glue<'_>, text: &mut String, words: &mut String) {
    let in_words = has_words(subject);
    for id in crossing(subject) {
        let Some(functions) = super::object::functions(id, spec) else { continue };
        if in_words {
            words.push_str(&functions);
        } else {
            text.push_str(&functions);
            let _ = writeln!(words, "use super::{{{}}};", convert::names(id, spec));
        }
    }
}

/// Whether the call is in the user's own words.
fn is_in_words(subject: &Subject) -> bool {
    matches!(subject.call, Call::Closure { .. }) || has_words(subject)
}

/// Whether the user's own expressions build values or read them back.
pub(super) fn has_words(subject: &Subject) -> bool {
    built(subject).next().is_some()
}

/// The data types whose values are built by a function.
fn built(subject: &Subject) -> impl Iterator<Item = DataId> {
    crossing(subject).into_iter().filter(|id| subject.spec.data(*id).via.is_some())
}

/// Those of which only rustc knows whether the function may fail. A call whose result no argument determines would not
/// compile on its own.
fn asked(subject: &Subject) -> impl Iterator<Item = DataId> {
    let may_ask = |via: &Via| via.builders.iter().any(|builder| builder.may_fail.is_none());
    built(subject).filter(move |id| subject.spec.data(*id).via.as_ref().is_some_and(may_ask))
}

/// The data types of values that pass between the tool and the subject; the logic may use more.
pub(super) fn crossing(subject: &Subject) -> BTreeSet<DataId> {
    let spec = &subject.spec;
    let params = spec.params.iter().map(|param| &param.refined);
    let bindings = subject.opaques.iter().flat_map(|opaque| &opaque.bindings).map(|binding| &binding.refined);
    let called = spec.callbacks.iter().flat_map(|callback| &callback.params).map(|param| &param.refined);
    let mut crossing = data_in(params.chain([&spec.result]).chain(bindings).chain(called), spec);
    // Steps don't leave the tool.
    crossing.retain(|id| spec.callbacks.iter().all(|callback| callback.steps != Some(*id)));
    crossing
}

/// The argument for a parameter that is a function, by its position. It is written where the subject is called, so that
/// rustc knows the types of its parameters; and captures nothing, so that it is a function pointer, too.
fn function_argument(refined: &Refined, id: CallbackId, spec: Glue<'_>, slot: usize) -> String {
    let Sort::Seq(result, _) = &refined.sort else { return "()".to_owned() };
    let closure = convert::closure(id, result, spec, &format!("{}::of_param({slot})", convert::FUNCTIONS));
    // Behind a reference, rustc converts no closure.
    let is_converted = refined.pointers.is_empty() || !spec.callback(id).is_pointer;
    behind(
        refined,
        if is_converted { closure } else { format!("(({closure}) as {})", spec.callback(id).pointer_type()) },
    )
}

/// The argument for a parameter that is a value of a trait. It keeps its own type, which a generic subject may need.
fn object_argument(refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    behind(refined, convert::make_owned(refined, spec, from))
}

/// A value behind the pointers of its type.
fn behind(refined: &Refined, value: String) -> String {
    refined.pointers.iter().rev().fold(value, |inside, pointer| match pointer {
        Pointer::Ref => format!("&{inside}"),
        Pointer::RefMut => format!("&mut {inside}"),
        Pointer::Box => format!("::std::boxed::Box::new({inside})"),
        Pointer::Rc => format!("::std::rc::Rc::new({inside})"),
        Pointer::Arc => format!("::std::sync::Arc::new({inside})"),
        Pointer::Cow => format!("::std::borrow::Cow::Owned({inside})"),
    })
}

fn run(subject: &Subject, name: &str) -> String {
    let spec = Glue::harness(&subject.spec);
    let mut text = format!("pub fn {name}{ARGS} -> ::target_strategies::child::serve::Ran {{\n");
    let (mut passed, repeated) = (Vec::new(), subject.repeated());
    for (index, param) in spec.params.iter().enumerate() {
        if let Some(id) = param.refined.callback() {
            passed.push(function_argument(&param.refined, id, spec, index));
            continue;
        }
        let from = format!("&args[{index}]");
        // A list of functions gets its arguments anew for each.
        if repeated.contains(&index) && !param.mutable {
            let value = if param.refined.object(&spec).is_some() {
                object_argument(&param.refined, spec, &from)
            } else {
                convert::make(&param.refined, spec, &from)
            };
            passed.push(value);
            continue;
        }
        if param.refined.object(&spec).is_some() && !param.mutable {
            let _ = writeln!(text, "    let a{index} = {};", object_argument(&param.refined, spec, &from));
            passed.push(format!("a{index}"));
            continue;
        }
        let value = if param.mutable {
            format!("arena.keep({})", kept(param, subject, &from))
        } else {
            convert::make(&param.refined, spec, &from)
        };
        let _ = writeln!(text, "    let a{index} = {value};");
        passed.push(if param.mutable { format!("&mut *a{index}") } else { format!("a{index}") });
    }
    let callee = match &subject.call {
        Call::Path { path, .. } => path.clone(),
        Call::Closure { text, .. } => format!("({text})"),
    };
    let call = subject.applied_in_code(&callee, &passed);
    // The result may borrow from a `&mut` argument: it is looked at and dropped before the argument is.
    let shown = convert::show(&spec.result, spec, "(&result)");
    let _ = writeln!(
        text,
        "    let result = {{\n        let result = arena.subject(|| {call});\n        let shown = {shown};\n        shown\n    }};"
    );
    let after = if !spec.params.iter().any(|param| param.mutable) {
        "::core::option::Option::None".to_owned()
    } else {
        let values: Vec<String> =
            spec.params.iter().enumerate().map(|(i, param)| after(i, param, subject)).collect();
        format!("::core::option::Option::Some(::std::vec![{}])", values.join(", "))
    };
    let _ = writeln!(text, "    ::target_strategies::child::serve::Ran {{ result, after: {after} }}\n}}");
    text
}

/// The value of a `&mut` parameter after the call: a `Vec` for a slice.
fn kept(param: &Param, subject: &Subject, from: &str) -> String {
    let mut inner = param.refined.clone();
    inner.pointers.remove(0);
    if inner.pointers.is_empty() {
        convert::make_owned(&inner, Glue::harness(&subject.spec), from)
    } else {
        convert::make(&inner, Glue::harness(&subject.spec), from)
    }
}

fn after(index: usize, param: &Param, subject: &Subject) -> String {
    if !param.mutable {
        return format!("args[{index}].clone()");
    }
    let mut inner = param.refined.clone();
    inner.pointers.remove(0);
    convert::show(&inner, Glue::harness(&subject.spec), &format!("(&*a{index})"))
}

/// The function that judges a `where` condition.
pub(super) fn condition(index: usize, opaque: &Opaque, subject: &Subject) -> String {
    let mut text = format!("pub fn condition_{index}{ARGS} -> bool {{\n");
    let (mut names, mut values) = (String::new(), String::new());
    for (position, binding) in opaque.bindings.iter().enumerate() {
        let value = convert::make_reference(
            &binding.refined,
            Glue::harness(&subject.spec),
            &format!("&args[{position}]"),
        );
        let _ = write!(names, "{}, ", word(&binding.name));
        let _ = write!(values, "{value}, ");
    }
    // In one pattern: a name may shadow one that makes the values.
    let _ = writeln!(text, "    let ({names}) = ({values});");
    let has_self = opaque.bindings.iter().any(|binding| binding.name == "self");
    let code = if has_self { without_self(&opaque.text) } else { opaque.text.clone() };
    let _ = writeln!(text, "    {code}\n}}");
    text
}

/// A name that a `let` can bind.
fn word(name: &str) -> &str {
    if name == "self" { "this" } else { name }
}

/// The code with `self` renamed, since it is outside a method.
fn without_self(code: &str) -> String {
    fn rename(stream: TokenStream) -> TokenStream {
        let one = |tree| match tree {
            TokenTree::Ident(ident) if ident == "self" => {
                TokenTree::Ident(proc_macro2::Ident::new("this", ident.span()))
            }
            TokenTree::Group(group) => {
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), rename(group.stream())))
            }
            other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => other,
        };
        stream.into_iter().map(one).collect()
    }
    match code.parse::<TokenStream>() {
        Ok(stream) => rename(stream).to_string(),
        // It was parsed before; rustc reports any mistake.
        Err(_) => code.to_owned(),
    }
}
