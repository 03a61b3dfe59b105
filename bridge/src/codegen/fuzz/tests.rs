//! Which parameters are found in which inputs, whose harness takes what, and what of `Arbitrary` is seen to be hand-written.

use std::path::{Path, PathBuf};

use target_strategies::fuzzing::arbitrary::Mode;
use target_strategies::logic::ir::{IntKind, Param, Pointer, Refined, SeqKind, Sort, Spec, StrKind};
use target_strategies::logic::value::Value;

use super::binding::{Binding, Form};
use super::bolero::{self, BoleroTest};
use super::by_hand::hand_written;
use super::decoder::{self, TargetLocation};
use super::stub;
use super::target::{FuzzTarget, Fuzzer, Input, own_key, own_line};

/// `fn(n: u8, ids: &[u32], name: &str)`
fn spec() -> Spec {
    let behind = |sort| Refined { pointers: vec![Pointer::Ref], ..Refined::plain(sort) };
    let ids = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::U32))), SeqKind::Slice);
    let types = [
        ("n", Refined::plain(Sort::Int(IntKind::U8))),
        ("ids", behind(ids)),
        ("name", behind(Sort::Str(StrKind::Str))),
    ];
    let param = |(name, refined): (&str, Refined)| Param { name: name.to_owned(), refined, mutable: false };
    Spec { params: types.map(param).into(), ..Spec::unrefined("f") }
}

fn target(text: &str) -> FuzzTarget {
    FuzzTarget::read(text).unwrap()
}

fn binding(text: &str) -> Option<(Vec<usize>, Form)> {
    Binding::new(&target(text), &spec()).map(|binding| (binding.params, binding.form))
}

#[test]
fn the_input_is_read_off_the_macro() {
    let input = |text: &str| target(text).input_text();
    assert_eq!(input("fuzz_target!(|data: &[u8]| { f(data) });"), "&[u8]");
    assert_eq!(input("fuzz_target!(|data| { f(data) });"), "&[u8]");
    assert_eq!(input("libfuzzer_sys::fuzz_target!(|x: Vec<a::B>| -> Corpus { f(x) });"), "Vec<a::B>");
    assert_eq!(input("fuzz_target!(init: { a(); }, |x: (u8, &str)| f(x));"), "(u8, &str)");
    assert!(FuzzTarget::read("fn main() {}").unwrap_err().contains("it has no `fuzz_target!"));
    let own = target(&format!("//! Fuzzes.\n{}\nfuzz_target!(|data: &[u8]| {{}});", own_line("a::f")));
    assert!(matches!(own.input, Input::Own(key) if key == "a::f"));
    for key in ["Heap<(A, B)>::push", "a\n`b\"\\"] {
        assert_eq!(own_line(key).lines().count(), 1);
        assert_eq!(own_key(&own_line(key)).as_deref(), Some(key));
    }
    assert_eq!(own_key("//! Function: a::f\n//! Written by hand."), None);
    assert!(target("fuzz_target!(|x: u8| { a::f(x) });").mentions("b::f"));
}

#[test]
fn a_target_is_for_a_function_of_one_crate() {
    let text = |crate_name: &str| format!("{}\nuse ::{crate_name}::*;\n", own_line("parse"));
    assert!(stub::is_for(&text("a"), "a", "parse"));
    assert!(!stub::is_for(&text("a"), "b", "parse") && !stub::is_for(&text("a"), "a", "other"));
    assert!(!stub::is_for("use ::a::*;\n", "a", "parse"));
}

#[test]
fn parameters_are_found_in_order_by_name_or_alone() {
    let fields = |names: &[&str]| Form::Fields(names.iter().map(|name| (*name).to_owned()).collect());
    let tuple = binding("fuzz_target!(|x: (u8, Vec<u32>, String)| {});");
    assert_eq!(tuple, Some((vec![0, 1, 2], fields(&["0", "1", "2"]))));
    let named = "struct In { name: String, n: u8, ids: Vec<u32> }\nfuzz_target!(|x: In| {});";
    assert_eq!(binding(named), Some((vec![2, 0, 1], fields(&["name", "n", "ids"]))));
    let ordered = "struct In<'a> { a: u8, b: Vec<u32>, c: &'a str }\nfuzz_target!(|x: In| {});";
    assert_eq!(binding(ordered), Some((vec![0, 1, 2], fields(&["a", "b", "c"]))));
    let partly = "struct In<'a> { n: u8, b: Vec<u32>, c: &'a str }\nfuzz_target!(|x: In| {});";
    assert_eq!(binding(partly), None);
    assert_eq!(binding("fuzz_target!(|x: Vec<u32>| {});"), Some((vec![1], Form::Whole)));
    for other in ["(u8, Vec<u64>, String)", "(u8, Vec<u32>)", "u16", "&[u8]", "Other"] {
        assert_eq!(binding(&format!("fuzz_target!(|x: {other}| {{}});")), None, "{other}");
    }
}

#[test]
fn an_input_has_the_arguments_and_gives_them_back() {
    let text = "struct In { name: String, n: u8, ids: Vec<u32> }\nfuzz_target!(|x: In| {});";
    let binding = Binding::new(&target(text), &spec()).unwrap();
    let args = [Value::int(1), Value::seq([Value::int(2)]), Value::str("c")];
    let input = binding.input(&args);
    assert_eq!(input, Value::Tuple([args[2].clone(), args[0].clone(), args[1].clone()].into()));
    assert_eq!(binding.args(&input, &spec()).unwrap(), args);
    // What is owned by the target is no slice.
    assert_eq!(binding.types[2].pointers, []);
}

#[test]
fn what_is_written_by_hand_is_seen() {
    let text = "
        mod a { impl<'a> arbitrary::Arbitrary<'a> for Own { fn arbitrary(u: &mut U<'a>) -> R { made(u) } } }
        impl proptest::arbitrary::Arbitrary for NotMeant { fn arbitrary_with(args: ()) -> S { s() } }
        impl quickcheck::Arbitrary for NorThis { fn arbitrary(g: &mut Gen) -> Self { made(u) } }
        #[derive(Arbitrary)] struct With { #[arbitrary(with = f)] x: u8 }
        #[derive(Arbitrary)] enum Skips { A, #[arbitrary(skip)] B }
        #[derive(Arbitrary)] struct Fuzzed { #[cfg_attr(fuzzing, arbitrary(with = f))] x: u8 }
        #[cfg_attr(fuzzing, derive(Arbitrary))] struct Derived { #[cfg_attr(fuzzing, doc(hidden))] x: u8 }
    ";
    let names: Vec<String> = hand_written(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Own", "With", "Skips", "Fuzzed"]);
}

#[test]
fn the_harnesses_of_other_fuzzers_are_read() {
    let check = |text: &str, fuzzer: Fuzzer, input: &str| {
        let target = target(text);
        assert_eq!((target.fuzzer, target.input_text().as_str()), (fuzzer, input), "{text}");
        assert_eq!(target.fuzzer.mode() == Mode::Plain, fuzzer != Fuzzer::LibFuzzer);
    };
    let main = |harness: &str| format!("fn main() {{ loop {{ {harness} }} }}");
    check(&main("afl::fuzz!(|x: (u8, String)| { f(x) });"), Fuzzer::Afl, "(u8, String)");
    check(&format!("use afl::fuzz;{}", main("fuzz!(|data: &[u8]| { f(data) });")), Fuzzer::Afl, "&[u8]");
    check(&format!("use afl::*;{}", main("fuzz_nohook!(|x: u8| { f(x) })")), Fuzzer::Afl, "u8");
    check(&main("afl::fuzz_with_reset!(|x: u8| f(x), || reset());"), Fuzzer::Afl, "u8");
    check(
        &format!("#[macro_use] extern crate honggfuzz;{}", main("fuzz!(|data| { f(data) })")),
        Fuzzer::Honggfuzz,
        "&[u8]",
    );
    check(
        &format!("use honggfuzz::{{arbitrary, fuzz}};{}", main("fuzz!(|x: a::In| { f(x) });")),
        Fuzzer::Honggfuzz,
        "a::In",
    );
    check("fuzz_target!(|x: u8| { afl::other!(x) });", Fuzzer::LibFuzzer, "u8");
    let unknown = FuzzTarget::read(&main("fuzz!(|x: u8| { f(x) });")).unwrap_err();
    assert!(unknown.contains("whose `fuzz!` it has is not known"), "{unknown}");
}

/// The root of an integration test.
fn root() -> bolero::FileLocation<'static> {
    let (file, folder) = (Path::new("/own/tests/a.rs"), Path::new("/own/tests"));
    bolero::FileLocation { file, folder, crate_name: "own", module: &[], is_root: true }
}

/// The tests with bolero of a file: the name, the folder, and what is taken.
fn bolero_tests(text: &str) -> Vec<(String, String, String)> {
    let read = bolero::read(text, root());
    let shown = |test: BoleroTest| {
        let input = match &test.target.input {
            Input::Other(reason) => reason.clone(),
            _ => test.target.input_text(),
        };
        (test.name, test.folder.to_string_lossy().into_owned(), input)
    };
    read.tests.into_iter().map(shown).collect()
}

#[test]
fn a_test_with_bolero_is_read_with_its_folder() {
    let check = |harness: &str, folder: &str, input: &str| {
        let text = format!("#[test] fn fuzz_it() {{ let n = 1; {harness}; }}");
        let expected = ("fuzz_it".to_owned(), folder.to_owned(), input.to_owned());
        assert_eq!(bolero_tests(&text), [expected], "{harness}");
    };
    let it = "__fuzz__/it";
    check("bolero::check!().with_arbitrary::<(u8, String)>().for_each(|x| f(x))", it, "(u8, String)");
    check("bolero::check!().with_arbitrary().for_each(|x: &Vec<u8>| f(x))", it, "Vec<u8>");
    check("bolero::check!().with_iterations(9).with_arbitrary().cloned().for_each(|x: u8| f(x))", it, "u8");
    check("bolero::check!().for_each(|bytes: &[u8]| f(bytes))", it, "&[u8]");
    check("bolero::check!(|bytes| f(bytes))", it, "&[u8]");
    check("bolero::check!(name = \"own\").for_each(|bytes| f(bytes))", "__fuzz__/own", "&[u8]");
    let why = |what: &str| {
        format!("what `{what}` makes of bytes is bolero's own affair; `with_arbitrary::<T>()` has seeds")
    };
    check("bolero::check!().with_type::<u8>().for_each(|x| f(x))", it, &why("with_type"));
    check("bolero::check!(|x: u8| f(x))", it, &why("with_type"));
    check("bolero::check!().with_generator(0..9).for_each(|x| f(x))", it, &why("with_generator"));
    check("bolero::check!().run(|| f(bolero::any()))", it, &why("run"));
    check(
        "bolero::check!().with_arbitrary().map(g).for_each(|x: &u8| f(x))",
        it,
        "the type isn't written: say `with_arbitrary::<T>()`",
    );
    check(
        "bolero::check!().with_max_len(9).with_arbitrary::<u8>().for_each(|x| f(x))",
        it,
        "with `with_max_len` it cuts files off",
    );
    check("bolero::check!().exhaustive().for_each(|x| f(x))", it, "with `exhaustive` it reads no files");
    let two = "bolero::check!().for_each(f); bolero::check!().for_each(g)";
    check(two, it, "it has more than one `check!`, which share a folder");
}

#[test]
fn only_bolero_s_tests_are_taken_for_such() {
    let check = "check!(x == y);";
    assert_eq!(bolero_tests(&format!("use assert2::check; #[test] fn a() {{ {check} }}")), []);
    let text =
        "use bolero::check; mod m { #[test] fn test_a_fuzz() { check!().for_each(f); } } fn g() { h(); }";
    let all = bolero_tests(text);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].0.as_str(), all[0].1.as_str()), ("m::test_a_fuzz", "__fuzz__/m__a"));
    let read = |text: &str| bolero::read(text, root());
    // Beside a single test, the file's functions are there for it.
    let mentions = |text: &str, name: &str| read(text).tests[0].target.mentions(name);
    assert!(mentions(text, "h") && !mentions(&format!("{text} #[test] fn b() {{ check!(h) }}"), "h"));
    // A library is not there for its only test.
    let library = bolero::read(text, bolero::FileLocation { is_root: false, ..root() });
    assert!(library.tests[0].target.mentions("f") && !library.tests[0].target.mentions("h"));
    let modules = read("mod b; mod c { mod d; #[path = \"y.rs\"] mod e; } #[path = \"x.rs\"] mod f;").modules;
    let files = |at: usize| modules[at].1.clone();
    assert_eq!(files(0), ["/own/tests/b.rs", "/own/tests/b/mod.rs"].map(PathBuf::from));
    assert_eq!(files(1), ["/own/tests/c/d.rs", "/own/tests/c/d/mod.rs"].map(PathBuf::from));
    assert_eq!(files(2), ["/own/tests/c/y.rs"].map(PathBuf::from));
    assert_eq!((modules[3].0.join("::"), files(3)), ("f".to_owned(), vec![PathBuf::from("/own/tests/x.rs")]));
}

#[test]
fn a_decoder_is_the_target_s_file_without_its_harness() {
    let source = |text: &str, target: &FuzzTarget, modules: &[String], is_root| {
        let binding = Binding::new(target, &spec()).unwrap();
        let location = TargetLocation { text, folder: Path::new("/own"), modules, is_root };
        decoder::source(&location, target, &binding, &spec(), target.fuzzer.mode())
    };
    let text = "#![cfg_attr(fuzzing, no_main)]\n#![cfg(test)]\n#[path = \"../common.rs\"] mod common;\ninclude!(\"more.rs\");\n\
                use afl::fuzz;\nfn main() { fuzz!(|x: (u8, Vec<u32>, String)| { f(x) }) }";
    let written = source(text, &target(text), &[], true).unwrap().replace(' ', "");
    for part in ["no_main", "cfg(test)", "fnmain(){fuzz!", "#[path=\"../common.rs\"]"] {
        assert!(!written.contains(part), "{part}: {written}");
    }
    for part in
        ["#[path=\"/own/../common.rs\"]", "include!(\"/own/more.rs\")", "::afl::arbitrary::Unstructured"]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
    let text = "mod m { struct In { n: u8, ids: Vec<u32>, name: String } #[test] fn t() { \
                bolero::check!().with_arbitrary::<In>().for_each(f); } }";
    let mut read = bolero::read(text, root());
    let BoleroTest { modules, target, .. } = read.tests.remove(0);
    let written = source(text, &target, &modules, true).unwrap().replace(' ', "");
    assert!(written.contains("pubmodm{") && written.contains("m::cargo_target_decoder::decode"), "{written}");
    assert!(written.contains("gen_arbitrary::<In>()"), "{written}");
    // In a module of a crate that isn't there, its own types aren't either.
    let rejected = source(text, &target, &modules, false).unwrap_err();
    assert!(rejected.contains("`In` is out of reach in a module"), "{rejected}");
    let text = text.replace("<In>", "<(u8, Vec<u32>, String)>");
    let mut read = bolero::read(&text, root());
    let target = read.tests.remove(0).target;
    let written = source(&text, &target, &modules, false).unwrap();
    assert!(written.contains("gen_arbitrary::<(u8, Vec<u32>, String)>()"), "{written}");
    assert!(!written.contains("struct In"), "{written}");
}
