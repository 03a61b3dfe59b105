use proptest::prelude::*;

use super::{parse, parse_args, print, print_args};
use crate::baseline::random::{Reach, args_strategy};
use crate::logic::collection::collected;
use crate::logic::ir::{
    Builder, Collection, Ctor, Data, DataId, Field, FloatKind, IntKind, MapKind, Param, Pointer, Refined,
    SeqKind, SetKind, Sort, Spec, StrKind, Via,
};
use crate::logic::value::Value;
use crate::space::{Bounds, Space};

fn plain(sort: Sort) -> Refined {
    Refined::plain(sort)
}

fn int(kind: IntKind) -> Refined {
    plain(Sort::Int(kind))
}

fn ctor(path: &str, named: bool, fields: &[(&str, Refined)]) -> Ctor {
    let field = |(name, refined): &(&str, Refined)| Field {
        name: (*name).to_owned(),
        refined: refined.clone(),
        slot: None,
    };
    let recursive = path.ends_with("Node");
    let fields = fields.iter().map(field).collect();
    Ctor { rust_path: path.to_owned(), fields, named, recursive, excluded: false }
}

fn data(rust_type: &str, ctors: Vec<Ctor>, via: Option<Via>) -> Data {
    Data { rust_type: rust_type.to_owned(), ctors, via, object: None, rule: None }
}

/// A spec with a parameter of every sort.
fn every_sort() -> Spec {
    let mut spec = Spec::unrefined("f");
    let mut subtree = plain(Sort::Data(DataId(0)));
    subtree.pointers.push(Pointer::Box);
    let node = [("0", subtree.clone()), ("1", int(IntKind::I64)), ("2", subtree)];
    let tree = vec![ctor("c::Tree::Leaf", false, &[]), ctor("c::Tree::Node", false, &node)];
    let account = [("id", int(IntKind::U64)), ("r#type", plain(Sort::Char))];
    let via = |reads, may_fail| Via {
        builders: vec![Builder { reads, may_fail, changes: false, is_constant: false }],
        states: None,
    };
    let heap = [("items", plain(Sort::Seq(Box::new(int(IntKind::I8)), SeqKind::Vec)))];
    spec.data = vec![
        data("c::Tree", tree, None),
        data("c::Account", vec![ctor("c::Account", true, &account)], None),
        data("c::Empty", vec![ctor("c::Empty", true, &[])], None),
        data("c::Heap", vec![ctor("c::Heap::from_vec", false, &heap)], Some(via(vec![None], Some(false)))),
        data(
            "Option<u8>",
            vec![ctor("None", false, &[]), ctor("Some", false, &[("0", int(IntKind::U8))])],
            None,
        ),
        data("c::Now", vec![ctor("c::Now::new", false, &[])], Some(via(vec![], None))),
    ];
    let boxed = |refined: Refined| Box::new(refined);
    let mut sorts: Vec<Sort> = IntKind::ALL.into_iter().map(Sort::Int).collect();
    sorts.extend((0..6).map(|id| Sort::Data(DataId(id))));
    sorts.extend([
        Sort::Bool,
        Sort::Char,
        Sort::Float(FloatKind::F32),
        Sort::Float(FloatKind::F64),
        Sort::Str(StrKind::String),
        Sort::Seq(boxed(plain(Sort::Data(DataId(0)))), SeqKind::Deque),
        Sort::Seq(boxed(plain(Sort::Float(FloatKind::F64))), SeqKind::Array(3)),
        Sort::Set(boxed(int(IntKind::I16)), SetKind::Hash),
        Sort::Map(boxed(plain(Sort::Str(StrKind::String))), boxed(plain(Sort::Bool)), MapKind::BTree),
        Sort::Tuple(vec![]),
        Sort::Tuple(vec![plain(Sort::Bool)]),
        Sort::Tuple(vec![plain(Sort::Char), plain(Sort::Tuple(vec![int(IntKind::U8)]))]),
    ]);
    let param = |sort| Param { name: "x".to_owned(), refined: plain(sort), mutable: false };
    spec.params = sorts.into_iter().map(param).collect();
    spec
}

fn args() -> impl Strategy<Value = Vec<Value>> {
    let bounds = Bounds { depth: 4, bound: 5 };
    args_strategy(&Space::new(every_sort().into(), bounds), Reach::Machine).expect("every sort has values")
}

proptest! {
    #[test]
    fn what_is_printed_is_read(args in args()) {
        let spec = every_sort();
        prop_assert_eq!(parse_args(&print_args(&args, &spec), &spec), Ok(args.clone()));
        for (param, arg) in spec.params.iter().zip(&args) {
            let text = print(arg, &param.refined, &spec);
            prop_assert!(!text.contains(|c: char| c.is_control()), "{}", text);
            prop_assert_eq!(parse(&text, &param.refined, &spec), Ok(arg.clone()), "{}", text);
        }
    }

    #[test]
    fn floats_keep_their_bits(bits in any::<u64>(), payload in 1..1_u64 << 52) {
        let spec = Spec::unrefined("f");
        let float = plain(Sort::Float(FloatKind::F64));
        for bits in [bits, 0x7ff0 << 48 | payload, 0xfff0 << 48 | payload] {
            let x = Value::Float(f64::from_bits(bits));
            prop_assert_eq!(parse(&print(&x, &float, &spec), &float, &spec), Ok(x));
        }
    }

    #[test]
    fn a_damaged_text_is_read_or_refused(args in args(), cut in any::<prop::sample::Index>(), with in ".{0,3}") {
        let spec = every_sort();
        let text = print_args(&args, &spec);
        let (mut at, mut end) = (cut.index(text.len()), cut.index(text.len()) + 1);
        while !text.is_char_boundary(at) { at -= 1; }
        while !text.is_char_boundary(end) { end += 1; }
        prop_assert!(parse_args(&text[..at], &spec).is_err());
        for damaged in [format!("{}{with}{}", &text[..at], &text[end..]), format!("{}{with}{}", &text[..at], &text[at..])] {
            // What is read has a text of its own, which is read as the same.
            if let Ok(args) = parse_args(&damaged, &spec) {
                prop_assert_eq!(parse_args(&print_args(&args, &spec), &spec), Ok(args));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        let spec = every_sort();
        let mut positions = Vec::new();
        for param in &spec.params {
            positions.extend(parse(&text, &param.refined, &spec).map_err(|mistake| mistake.at).err());
        }
        prop_assert!(positions.iter().all(|at| text.is_char_boundary(*at)));
    }
}

#[test]
fn each_sort_reads_as_rust() {
    let spec = every_sort();
    let of = |sort| plain(sort);
    let text = |value: Value, sort| print(&value, &of(sort), &spec);
    let float = |x| text(Value::Float(x), Sort::Float(FloatKind::F64));
    assert_eq!(
        [1.5, -0.0, f64::INFINITY, f64::NAN, 1e300].map(float),
        ["1.5", "-0.0", "inf", "NaN", "1e300"]
    );
    assert_eq!(float(f64::from_bits(f64::NAN.to_bits() | 1)), "NaN(0x7ff8000000000001)");
    assert_eq!(text(Value::Float(f64::from(0.1_f32)), Sort::Float(FloatKind::F32)), "0.1");
    assert_eq!(
        text(Value::str("a\"\n é\u{301}\u{202e}'"), Sort::Str(StrKind::Str)),
        r#""a\"\n é\u{301}\u{202e}'""#
    );
    assert_eq!(text(Value::Char('\''), Sort::Char), r"'\''");
    let leaf = || Value::Data(0, [].into());
    let node = Value::Data(1, [leaf(), Value::int(-3), leaf()].into());
    assert_eq!(text(node, Sort::Data(DataId(0))), "Node(Leaf, -3, Leaf)");
    let account = Value::Data(0, [Value::int(1), Value::Char('a')].into());
    assert_eq!(text(account, Sort::Data(DataId(1))), "Account { id: 1, r#type: 'a' }");
    assert_eq!(text(leaf(), Sort::Data(DataId(2))), "Empty {}");
    let heap = Value::Data(0, [Value::seq([Value::int(1)])].into());
    assert_eq!(text(heap, Sort::Data(DataId(3))), "from_vec([1])");
    assert_eq!(text(leaf(), Sort::Data(DataId(5))), "new()");
    let pair = |key: &str, held| Value::Tuple([Value::str(key), Value::Bool(held)].into());
    let map = collected(Collection::Map, vec![pair("b", true), pair("a", false)]);
    let sort = Sort::Map(Box::new(of(Sort::Str(StrKind::String))), Box::new(of(Sort::Bool)), MapKind::Hash);
    assert_eq!(text(map, sort), r#"{"a": false, "b": true}"#);
    assert_eq!(text(Value::Tuple([Value::Bool(true)].into()), Sort::Tuple(vec![of(Sort::Bool)])), "(true,)");
}

#[test]
fn what_a_hand_writes_is_read() {
    let spec = every_sort();
    let tree = |text| parse(text, &plain(Sort::Data(DataId(0))), &spec);
    assert_eq!(tree(" c::Tree::Node( Leaf,\n1_000, Leaf ,) "), tree("Node(Leaf, 1000, Leaf)"));
    let account = |text| parse(text, &plain(Sort::Data(DataId(1))), &spec);
    assert!(account("Account{r#type:'\\x41',id:1}").is_ok());
    assert_eq!(account("Account { r#type: 'A', id: 1 }"), account("Account { id: 1, r#type: '\\u{41}' }"));
    let set = plain(Sort::Set(Box::new(int(IntKind::U8)), SetKind::BTree));
    assert_eq!(parse("{2, 1}", &set, &spec), parse("{1, 2}", &set, &spec));
}

#[test]
fn a_mistake_says_what_should_be_where() {
    let spec = every_sort();
    let check = |sort, text: &str, expected: &str| {
        let mistake = parse(text, &plain(sort), &spec).expect_err("it is no value of the type");
        assert_eq!(mistake.to_string(), expected);
    };
    let tree = || Sort::Data(DataId(0));
    check(tree(), "Nod", "`c::Tree` has no constructor `Nod`, only `Leaf`, `Node` (column 1)");
    check(tree(), "Node(Leaf, 1)", "expected 3 fields, not 2 (column 5)");
    check(tree(), "Node(Leaf, x, Leaf)", "expected a value of type `i64` (column 12)");
    check(Sort::Int(IntKind::U8), "256", "256 is no `u8` (column 1)");
    check(Sort::Int(IntKind::U8), "1 2", "the value ended before this (column 3)");
    check(Sort::Data(DataId(1)), "Account { id: 1 }", "field `r#type` is missing (column 9)");
    check(Sort::Data(DataId(1)), "Account { id: 1, id: 1 }", "field `id` is written twice (column 18)");
    let bytes = || Box::new(int(IntKind::U8));
    check(Sort::Set(bytes(), SetKind::BTree), "{1, 1}", "an element is written twice (column 1)");
    check(Sort::Seq(bytes(), SeqKind::Array(2)), "[1]", "there are 1 elements, the array has 2 (column 1)");
    check(Sort::Float(FloatKind::F32), "1e39", "expected a value of type `f32` (column 1)");
    check(Sort::Char, "''", "expected a character (column 2)");
    check(Sort::Str(StrKind::String), r#""\q""#, "there is no such escape (column 2)");
    assert!(parse_args("()", &spec).is_err());
}

#[test]
fn nesting_has_a_limit_in_both_directions() {
    let spec = every_sort();
    let tree = plain(Sort::Data(DataId(0)));
    let leaf = || Value::Data(0, [].into());
    let deep =
        |levels| (0..levels).fold(leaf(), |inner, _| Value::Data(1, [inner, Value::int(0), leaf()].into()));
    let readable = deep(499);
    assert_eq!(parse(&print(&readable, &tree, &spec), &tree, &spec), Ok(readable));
    let text = print(&deep(4_000), &tree, &spec);
    assert!(text.contains("..") && parse(&text, &tree, &spec).is_err());
    let hostile = "Node(".repeat(1_000_000);
    let mistake = parse(&hostile, &tree, &spec).expect_err("it is too deep");
    assert!(mistake.message.contains("nested"), "{mistake}");
}
