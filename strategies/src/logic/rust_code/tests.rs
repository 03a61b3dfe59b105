use super::*;
use crate::logic::ir::{Data, DataId, Field, IntKind};

fn plain(sort: Sort) -> Refined {
    Refined::plain(sort)
}

fn behind(pointers: &[Pointer], sort: Sort) -> Refined {
    Refined { pointers: pointers.to_vec(), ..plain(sort) }
}

#[test]
fn scalars_are_literals() {
    let spec = Spec::unrefined("f");
    let code = |value, sort| expression(&value, &plain(sort), &spec, false);
    assert_eq!(code(Value::int(i64::MIN), Sort::Int(IntKind::I64)), "-9223372036854775808");
    assert_eq!(code(Value::Float(-0.0), Sort::Float(FloatKind::F64)), "-0.0");
    assert_eq!(code(Value::Float(1e300), Sort::Float(FloatKind::F64)), "1e300");
    assert_eq!(code(Value::Float(f64::NAN), Sort::Float(FloatKind::F64)), "f64::NAN");
    let f32s = |x, suffix| expression(&Value::Float(x), &plain(Sort::Float(FloatKind::F32)), &spec, suffix);
    assert_eq!(f32s(f64::from(0.1f32), false), "0.1");
    assert_eq!(f32s(f64::from(f32::MAX), true), "3.4028235e38_f32");
    assert_eq!(f32s(f64::NEG_INFINITY, true), "f32::NEG_INFINITY");
    assert_eq!(code(Value::Char('\''), Sort::Char), r"'\''");
    assert_eq!(code(Value::str("a\"\u{0}"), Sort::Str(StrKind::String)), r#"String::from("a\"\0")"#);
    assert_eq!(expression(&Value::int(3), &plain(Sort::Int(IntKind::U8)), &spec, true), "3_u8");
}

#[test]
fn containers_follow_their_pointers() {
    let spec = Spec::unrefined("f");
    let int = || Box::new(plain(Sort::Int(IntKind::I32)));
    let value = Value::seq([Value::int(1)]);
    let code = |refined: Refined| expression(&value, &refined, &spec, false);
    assert_eq!(code(plain(Sort::Seq(int(), SeqKind::Vec))), "vec![1]");
    assert_eq!(code(behind(&[Pointer::Ref], Sort::Seq(int(), SeqKind::Vec))), "&vec![1]");
    assert_eq!(code(plain(Sort::Set(int(), SetKind::Hash))), "std::collections::HashSet::from([1])");
    assert_eq!(code(behind(&[Pointer::RefMut], Sort::Seq(int(), SeqKind::Slice))), "&mut [1]");
    assert_eq!(code(behind(&[Pointer::Box], Sort::Seq(int(), SeqKind::Array(1)))), "Box::new([1])");
    let text = behind(&[Pointer::Ref], Sort::Str(StrKind::Str));
    assert_eq!(expression(&Value::str("x"), &text, &spec, false), "\"x\"");
    let one = Value::Tuple([Value::Bool(true)].into());
    assert_eq!(expression(&one, &plain(Sort::Tuple(vec![plain(Sort::Bool)])), &spec, false), "(true,)");
}

#[test]
fn data_is_written_by_its_paths() {
    let mut spec = Spec::unrefined("f");
    let field = |name: &str, refined| Field { name: name.to_owned(), refined, slot: None };
    let tail = behind(&[Pointer::Box], Sort::Data(DataId(0)));
    let node = vec![field("head", plain(Sort::Bool)), field("tail", tail)];
    let ctor = |path: &str, fields, named| Ctor {
        rust_path: path.to_owned(),
        fields,
        named,
        recursive: named,
        excluded: false,
    };
    spec.data.push(Data {
        rust_type: "c::List".to_owned(),
        ctors: vec![ctor("c::List::Nil", Vec::new(), false), ctor("c::List::Cons", node, true)],
        via: None,
        object: None,
        rule: None,
    });
    let nil = Value::Data(0, [].into());
    let list = Value::Data(1, [Value::Bool(true), nil].into());
    assert_eq!(
        expression(&list, &plain(Sort::Data(DataId(0))), &spec, false),
        "c::List::Cons { head: true, tail: Box::new(c::List::Nil) }"
    );
}

/// Every expression with its Rust type, so that rustc checks that it has that type.
#[test]
#[expect(clippy::too_many_lines, reason = "one list of expressions")]
fn expressions_compile() {
    let mut spec = Spec::unrefined("f");
    let int = |kind| plain(Sort::Int(kind));
    let list = |element, kind| Sort::Seq(Box::new(element), kind);
    let text = |kind| Sort::Str(kind);
    let field = |refined| Field { name: "0".to_owned(), refined, slot: None };
    let ctor = |path: &str, fields| Ctor {
        rust_path: path.to_owned(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let some = ctor("Some", vec![field(behind(&[Pointer::Box], Sort::Float(FloatKind::F64)))]);
    spec.data.push(Data {
        rust_type: String::new(),
        ctors: vec![ctor("None", Vec::new()), some],
        via: None,
        object: None,
        rule: None,
    });
    let of = |sort| plain(sort);
    let awkward = Value::str("\0\"\\ é\u{301}\u{200b}\r\n{}");
    let ints = || Value::seq([Value::int(-1), Value::int(i64::MIN)]);
    let i64s = |kind| list(int(IntKind::I64), kind);
    let set = |kind| Sort::Set(Box::new(int(IntKind::I64)), kind);
    let map = |kind| Sort::Map(Box::new(of(Sort::Char)), Box::new(of(Sort::Bool)), kind);
    let pairs = Value::seq([Value::Tuple([Value::Char('a'), Value::Bool(true)].into())]);
    let cases = [
        ("i128", Value::int(i128::MIN), int(IntKind::I128)),
        ("u128", Value::int(u128::MAX), int(IntKind::U128)),
        ("i8", Value::int(i8::MIN), int(IntKind::I8)),
        ("f64", Value::Float(-f64::MIN_POSITIVE), of(Sort::Float(FloatKind::F64))),
        ("f64", Value::Float(f64::NEG_INFINITY), of(Sort::Float(FloatKind::F64))),
        ("f64", Value::Float(1e16), of(Sort::Float(FloatKind::F64))),
        ("char", Value::Char('\u{301}'), of(Sort::Char)),
        ("String", awkward.clone(), of(text(StrKind::String))),
        ("&str", awkward.clone(), behind(&[Pointer::Ref], text(StrKind::Str))),
        ("&mut str", awkward.clone(), behind(&[Pointer::RefMut], text(StrKind::Str))),
        ("Box<str>", awkward.clone(), behind(&[Pointer::Box], text(StrKind::Str))),
        ("&String", awkward.clone(), behind(&[Pointer::Ref], text(StrKind::String))),
        ("Vec<i64>", ints(), of(i64s(SeqKind::Vec))),
        ("std::collections::VecDeque<i64>", ints(), of(i64s(SeqKind::Deque))),
        ("std::collections::BTreeSet<i64>", Value::seq([]), of(set(SetKind::BTree))),
        ("&std::collections::HashSet<i64>", ints(), behind(&[Pointer::Ref], set(SetKind::Hash))),
        ("std::collections::BTreeMap<char, bool>", pairs.clone(), of(map(MapKind::BTree))),
        ("std::collections::HashMap<char, bool>", pairs, of(map(MapKind::Hash))),
        ("&[i64]", ints(), behind(&[Pointer::Ref], i64s(SeqKind::Slice))),
        ("&mut [i64]", ints(), behind(&[Pointer::RefMut], i64s(SeqKind::Slice))),
        ("&mut Vec<i64>", ints(), behind(&[Pointer::RefMut], i64s(SeqKind::Vec))),
        ("[i64; 2]", ints(), of(i64s(SeqKind::Array(2)))),
        ("Box<[i64]>", ints(), behind(&[Pointer::Box], i64s(SeqKind::Slice))),
        ("std::rc::Rc<[i64]>", ints(), behind(&[Pointer::Rc], i64s(SeqKind::Slice))),
        ("&std::sync::Arc<Vec<i64>>", ints(), behind(&[Pointer::Ref, Pointer::Arc], i64s(SeqKind::Vec))),
        (
            "(&i64,)",
            Value::Tuple([Value::int(-3)].into()),
            of(Sort::Tuple(vec![behind(&[Pointer::Ref], Sort::Int(IntKind::I64))])),
        ),
        ("()", Value::unit(), of(Sort::Tuple(Vec::new()))),
        ("Option<Box<f64>>", Value::Data(1, [Value::Float(-0.0)].into()), of(Sort::Data(DataId(0)))),
        ("Option<Box<f64>>", Value::Data(0, [].into()), of(Sort::Data(DataId(0)))),
    ];
    let mut code = String::from("#![allow(unused)]\nfn main() {\n");
    for suffix in [false, true] {
        for (ty, value, refined) in &cases {
            code += &format!("    let _: {ty} = {};\n", expression(value, refined, &spec, suffix));
        }
    }
    code.push_str("}\n");
    let file = std::env::temp_dir().join(format!("target-expressions-{}.rs", std::process::id()));
    std::fs::write(&file, code).expect("the test's folder can be written to");
    let output = std::process::Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition", "2024", "--emit", "metadata", "--out-dir"])
        .args([&std::env::temp_dir(), &file])
        .output()
        .expect("rustc can be started");
    for file in
        [file.clone(), file.with_file_name(format!("libtarget_expressions_{}.rmeta", std::process::id()))]
    {
        let _ = std::fs::remove_file(file);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_too_deep_to_read_is_cut() {
    let mut spec = Spec::unrefined("f");
    let tail = behind(&[Pointer::Box], Sort::Data(DataId(0)));
    let field = vec![Field { name: "0".to_owned(), refined: tail, slot: None }];
    let ctor = |path: &str, fields| Ctor {
        rust_path: path.to_owned(),
        fields,
        named: false,
        recursive: true,
        excluded: false,
    };
    spec.data.push(Data {
        rust_type: String::new(),
        ctors: vec![ctor("Z", Vec::new()), ctor("S", field)],
        via: None,
        object: None,
        rule: None,
    });
    let deep = (0..4_000).fold(Value::Data(0, [].into()), |inner, _| Value::Data(1, [inner].into()));
    let code = expression(&deep, &plain(Sort::Data(DataId(0))), &spec, false);
    assert!(code.starts_with("S(Box::new(S(") && code.contains("(/* deeper */)"));
}
