//! Which parameters are found in which inputs, and what of `Arbitrary` is seen to be hand-written.

use target_strategies::ir::{IntKind, Param, Pointer, Refined, SeqKind, Sort, Spec, StrKind};
use target_strategies::value::Value;

use super::binding::{Binding, Form};
use super::target::{FuzzTarget, Input, hand_written, own_key, own_line};

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
        mod a { impl<'a> arbitrary::Arbitrary<'a> for Own { fn arbitrary(u: &mut U<'a>) -> R { todo!() } } }
        impl proptest::arbitrary::Arbitrary for NotMeant { fn arbitrary_with(args: ()) -> S { s() } }
        impl quickcheck::Arbitrary for NorThis { fn arbitrary(g: &mut Gen) -> Self { todo!() } }
        #[derive(Arbitrary)] struct With { #[arbitrary(with = f)] x: u8 }
        #[derive(Arbitrary)] enum Skips { A, #[arbitrary(skip)] B }
        #[derive(Arbitrary)] struct Fuzzed { #[cfg_attr(fuzzing, arbitrary(with = f))] x: u8 }
        #[cfg_attr(fuzzing, derive(Arbitrary))] struct Derived { #[cfg_attr(fuzzing, doc(hidden))] x: u8 }
    ";
    let names: Vec<String> = hand_written(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Own", "With", "Skips", "Fuzzed"]);
}
