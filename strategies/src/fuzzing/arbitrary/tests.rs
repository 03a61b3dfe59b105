//! Against the crate `arbitrary` itself: what it decodes is encoded and decoded again, and our decoder reads as it does.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use arbitrary::{Arbitrary, Unstructured};
use proptest::prelude::*;

use super::*;
use crate::child::serve::convert::from_f32;
use crate::logic::collection::collected;
use crate::logic::ir::{Builder, Collection, Ctor, DataId, Field, MapKind, Via};

/// A type of Rust with its type in the logic.
trait Shape {
    fn refined(spec: &mut Spec) -> Refined;
    fn show(&self) -> Value;
}

macro_rules! integers {
    ($($type:ident $kind:ident;)*) => {$(
        impl Shape for $type {
            fn refined(_: &mut Spec) -> Refined {
                Refined::plain(Sort::Int(IntKind::$kind))
            }
            fn show(&self) -> Value {
                Value::int(*self)
            }
        }
    )*};
}

integers! { u8 U8; u16 U16; u64 U64; usize Usize; u128 U128; i8 I8; i32 I32; i128 I128; isize Isize; }

macro_rules! scalars {
    ($($type:ty, $sort:expr, $show:expr;)*) => {$(
        impl Shape for $type {
            fn refined(_: &mut Spec) -> Refined {
                Refined::plain($sort)
            }
            fn show(&self) -> Value {
                $show(self)
            }
        }
    )*};
}

scalars! {
    bool, Sort::Bool, |b: &bool| Value::Bool(*b);
    char, Sort::Char, |c: &char| Value::Char(*c);
    f32, Sort::Float(FloatKind::F32), |x: &f32| from_f32(*x);
    f64, Sort::Float(FloatKind::F64), |x: &f64| Value::Float(*x);
    String, Sort::Str(StrKind::String), |s: &String| Value::str(s);
}

impl Shape for &str {
    fn refined(_: &mut Spec) -> Refined {
        Refined { pointers: vec![Pointer::Ref], ..Refined::plain(Sort::Str(StrKind::Str)) }
    }
    fn show(&self) -> Value {
        Value::str(self)
    }
}

impl Shape for &[u8] {
    fn refined(spec: &mut Spec) -> Refined {
        let sort = Sort::Seq(Box::new(u8::refined(spec)), SeqKind::Slice);
        Refined { pointers: vec![Pointer::Ref], ..Refined::plain(sort) }
    }
    fn show(&self) -> Value {
        Value::Seq(self.iter().map(u8::show).collect())
    }
}

impl Shape for Box<str> {
    fn refined(_: &mut Spec) -> Refined {
        Refined { pointers: vec![Pointer::Box], ..Refined::plain(Sort::Str(StrKind::Str)) }
    }
    fn show(&self) -> Value {
        Value::str(self)
    }
}

impl<T: Shape> Shape for Box<T> {
    fn refined(spec: &mut Spec) -> Refined {
        let inner = T::refined(spec);
        Refined { pointers: [vec![Pointer::Box], inner.pointers].concat(), ..inner }
    }
    fn show(&self) -> Value {
        (**self).show()
    }
}

macro_rules! sequences {
    ($($type:ty, $kind:expr;)*) => {$(
        impl<T: Shape> Shape for $type {
            fn refined(spec: &mut Spec) -> Refined {
                Refined::plain(Sort::Seq(Box::new(T::refined(spec)), $kind))
            }
            fn show(&self) -> Value {
                Value::Seq(self.iter().map(T::show).collect())
            }
        }
    )*};
}

sequences! { Vec<T>, SeqKind::Vec; VecDeque<T>, SeqKind::Deque; [T; 3], SeqKind::Array(3); }

impl<T: Shape> Shape for BTreeSet<T> {
    fn refined(spec: &mut Spec) -> Refined {
        Refined::plain(Sort::Set(Box::new(T::refined(spec)), SetKind::BTree))
    }
    fn show(&self) -> Value {
        collected(Collection::Set, self.iter().map(T::show).collect())
    }
}

impl<K: Shape, V: Shape> Shape for BTreeMap<K, V> {
    fn refined(spec: &mut Spec) -> Refined {
        let (key, held) = (K::refined(spec), V::refined(spec));
        Refined::plain(Sort::Map(Box::new(key), Box::new(held), MapKind::BTree))
    }
    fn show(&self) -> Value {
        let pair = |(key, held): (&K, &V)| Value::Tuple([key.show(), held.show()].into());
        collected(Collection::Map, self.iter().map(pair).collect())
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Shape),*> Shape for ($($name,)*) {
            fn refined(spec: &mut Spec) -> Refined {
                Refined::plain(Sort::Tuple(vec![$($name::refined(spec)),*]))
            }
            #[allow(non_snake_case, reason = "the names of the types serve for the parts")]
            fn show(&self) -> Value {
                let ($($name,)*) = self;
                Value::Tuple([$($name.show()),*].into())
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);

/// The data type of a name, made at its first use.
fn data(
    spec: &mut Spec,
    name: &str,
    ctors: impl FnOnce(&mut Spec) -> Vec<(String, Vec<Refined>)>,
) -> Refined {
    if let Some(at) = spec.data.iter().position(|data| data.rust_type == name) {
        return Refined::plain(Sort::Data(DataId(at as u32)));
    }
    let id = spec.data.len();
    spec.data.push(Data {
        rust_type: name.to_owned(),
        ctors: Vec::new(),
        via: None,
        object: None,
        rule: None,
    });
    let field = |refined| Field { name: "f".to_owned(), refined, slot: None };
    let ctor = |(rust_path, fields): (String, Vec<Refined>)| {
        let fields = fields.into_iter().map(field).collect();
        Ctor { rust_path, fields, named: false, recursive: name == "it::Tree", excluded: false }
    };
    let ctors = ctors(spec).into_iter().map(ctor).collect();
    spec.data[id].ctors = ctors;
    Refined::plain(Sort::Data(DataId(id as u32)))
}

impl<T: Shape> Shape for Option<T> {
    fn refined(spec: &mut Spec) -> Refined {
        let inner = T::refined(spec);
        let name = format!("Option<{inner:?}>");
        data(spec, &name, |_| vec![("None".to_owned(), vec![]), ("Some".to_owned(), vec![inner])])
    }
    fn show(&self) -> Value {
        match self {
            None => Value::Data(0, [].into()),
            Some(inner) => Value::Data(1, [inner.show()].into()),
        }
    }
}

impl<T: Shape, E: Shape> Shape for Result<T, E> {
    fn refined(spec: &mut Spec) -> Refined {
        let (ok, error) = (T::refined(spec), E::refined(spec));
        let name = format!("Result<{ok:?}, {error:?}>");
        data(spec, &name, |_| vec![("Ok".to_owned(), vec![ok]), ("Err".to_owned(), vec![error])])
    }
    fn show(&self) -> Value {
        match self {
            Ok(inner) => Value::Data(0, [inner.show()].into()),
            Err(inner) => Value::Data(1, [inner.show()].into()),
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Record {
    id: u16,
    name: String,
    tags: Vec<String>,
    note: String,
}

impl Shape for Record {
    fn refined(spec: &mut Spec) -> Refined {
        data(spec, "it::Record", |spec| {
            let string = String::refined(spec);
            let fields = vec![u16::refined(spec), string.clone(), Vec::<String>::refined(spec), string];
            vec![("it::Record".to_owned(), fields)]
        })
    }
    fn show(&self) -> Value {
        let Record { id, name, tags, note } = self;
        Value::Data(0, [id.show(), name.show(), tags.show(), note.show()].into())
    }
}

#[derive(Arbitrary, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, String, Box<Tree>),
    Many(Vec<Tree>),
}

impl Shape for Tree {
    fn refined(spec: &mut Spec) -> Refined {
        data(spec, "it::Tree", |spec| {
            let path = |name: &str| format!("it::Tree::{name}");
            let tree = Box::<Tree>::refined(spec);
            let node = vec![tree.clone(), String::refined(spec), tree];
            let many = vec![Vec::<Tree>::refined(spec)];
            vec![(path("Leaf"), vec![]), (path("Node"), node), (path("Many"), many)]
        })
    }
    fn show(&self) -> Value {
        match self {
            Tree::Leaf => Value::Data(0, [].into()),
            Tree::Node(a, text, b) => Value::Data(1, [a.show(), text.show(), b.show()].into()),
            Tree::Many(trees) => Value::Data(2, [trees.show()].into()),
        }
    }
}

/// An enum of many variants, the last of which has a field.
macro_rules! variants {
    ($name:ident $path:literal $($variant:ident)*) => {
        #[derive(Arbitrary, Debug, Clone, PartialEq)]
        enum $name { $($variant,)* Last(String) }

        impl $name {
            const UNITS: &[$name] = &[$($name::$variant),*];
        }

        impl Shape for $name {
            fn refined(spec: &mut Spec) -> Refined {
                data(spec, $path, |spec| {
                    let unit = |name: &str| (format!("{}::{name}", $path), vec![]);
                    let mut ctors = vec![$(unit(stringify!($variant))),*];
                    ctors.push((format!("{}::Last", $path), vec![String::refined(spec)]));
                    ctors
                })
            }
            fn show(&self) -> Value {
                match self {
                    $name::Last(text) => Value::Data($name::UNITS.len() as u32, [text.show()].into()),
                    unit => {
                        let at = $name::UNITS.iter().position(|one| one == unit).unwrap();
                        Value::Data(at as u32, [].into())
                    }
                }
            }
        }
    };
}

variants!(Few "it::Few" A);
variants!(Lots "it::Lots" A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
    A1 B1 C1 D1 E1 F1 G1 H1 I1 J1 K1 L1 M1 N1 O1 P1 Q1 R1 S1 T1 U1 V1 W1 X1 Y1 Z1);

/// What a fuzzer makes of the bytes.
fn fuzzed<'a, T: Arbitrary<'a>>(bytes: &'a [u8], mode: Mode) -> Option<T> {
    if bytes.len() < T::size_hint(0).0 {
        return None;
    }
    let mut unstructured = Unstructured::new(bytes);
    match mode {
        Mode::Plain => T::arbitrary(&mut unstructured).ok(),
        Mode::TakeRest => T::arbitrary_take_rest(unstructured).ok(),
    }
}

/// A value goes to bytes and comes back.
fn round_trip<T: Shape + for<'a> Arbitrary<'a>>(value: &T) {
    let mut spec = Spec::unrefined("f");
    let refined = T::refined(&mut spec);
    let shown = value.show();
    for mode in [Mode::Plain, Mode::TakeRest] {
        let bytes = encode(&shown, &refined, &spec, mode).unwrap();
        let back = fuzzed::<T>(&bytes, mode).map(|back| back.show());
        assert_eq!(back.as_ref(), Some(&shown), "{mode:?}: {bytes:?}");
        if mode == Mode::Plain {
            assert_eq!(decode(&bytes, &refined, &spec), Some(shown.clone()), "{bytes:?}");
        }
    }
}

/// Bytes are a value, which goes back to bytes; our decoder makes the same of them.
fn check<T: Shape + for<'a> Arbitrary<'a>>(bytes: &[u8]) {
    let mut spec = Spec::unrefined("f");
    let refined = T::refined(&mut spec);
    let mut unstructured = Unstructured::new(bytes);
    let Ok(value) = T::arbitrary(&mut unstructured) else { return };
    assert_eq!(decode(bytes, &refined, &spec), Some(value.show()), "{bytes:?}");
    round_trip(&value);
}

/// Bytes of which not all say something else: more flags are set, more texts are texts.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![any::<u8>(), Just(1u8), 0x61u8..=0x7A, 0u8..4];
    proptest::collection::vec(byte, 0..700)
}

macro_rules! checked {
    ($($name:ident: $($type:ty),*;)*) => {
        proptest! {$(
            #[test]
            fn $name(bytes in bytes()) {
                $(check::<$type>(&bytes);)*
            }
        )*}
    };
}

checked! {
    scalars: u8, u16, u64, usize, u128, i8, i32, i128, isize, bool, char, f32, f64;
    texts: String, Box<str>, (String,), (String, String), (String, String, u8), (u8, String);
    lists: Vec<u8>, Vec<String>, Vec<Vec<String>>, (Vec<String>, String), VecDeque<i32>, Vec<(bool, String)>;
    arrays: [u8; 3], [String; 3], ([String; 3], u8), (u8, [Vec<String>; 3]);
    boxed: Box<String>, Box<u8>, (u8, Box<String>), Box<Vec<String>>;
    options: Option<String>, Option<Option<u8>>, Result<String, u8>, (u8, Result<Vec<u8>, String>);
    collections: BTreeSet<u8>, BTreeMap<String, u8>, BTreeMap<u8, Vec<String>>, (BTreeSet<String>, String);
    structs: Record, Vec<Record>, (Record, String), Option<Record>, Box<Record>;
    enums: Few, Lots, Vec<Lots>, (Lots, Few), Tree, Vec<Tree>, (Tree, String), Option<Tree>;
}

#[test]
fn two_texts_of_any_lengths_come_back() {
    let lengths = (0..20).chain(250..262).chain(508..516).chain([65_530, 65_533, 65_535, 65_536, 70_000]);
    let lengths: Vec<usize> = lengths.collect();
    for (index, a) in lengths.iter().enumerate() {
        for b in &lengths[index % 3..] {
            if a + b < 1000 || index % 5 == 0 {
                round_trip(&("x".repeat(*a), "é".repeat(*b / 2)));
            }
        }
    }
    round_trip(&vec!["ab".to_owned(); 40_000]);
}

#[test]
fn every_variant_comes_back() {
    Lots::UNITS.iter().for_each(round_trip);
    for count in 1..300 {
        for index in 0..count {
            assert_eq!((u64::from(tag(index, count)) * count) >> 32, index, "{count}");
        }
    }
}

#[test]
fn borrowed_texts_and_bytes_come_back() {
    for length in [0, 1, 5, 255, 256, 300] {
        let text = "t".repeat(length);
        let value = (text.as_bytes(), text.as_str(), text.as_str());
        let mut spec = Spec::unrefined("f");
        let refined = <(&[u8], &str, &str)>::refined(&mut spec);
        for mode in [Mode::Plain, Mode::TakeRest] {
            let bytes = encode(&value.show(), &refined, &spec, mode).unwrap();
            assert_eq!(fuzzed::<(&[u8], &str, &str)>(&bytes, mode), Some(value));
        }
        let bytes = encode(&value.show(), &refined, &spec, Mode::Plain).unwrap();
        assert_eq!(decode(&bytes, &refined, &spec), Some(value.show()));
    }
}

#[test]
fn no_bytes_make_the_decoder_nest_without_end() {
    let mut spec = Spec::unrefined("f");
    let refined = Tree::refined(&mut spec);
    assert_eq!(decode(&[0x80; 100_000], &refined, &spec), None);
    assert_eq!(decode(&[], &refined, &spec), Some(Tree::Leaf.show()));
}

#[test]
fn what_a_function_builds_has_no_bytes() {
    let mut spec = Spec::unrefined("f");
    let refined = Record::refined(&mut spec);
    spec.data[0].via = Some(Via {
        builders: vec![Builder { reads: vec![None; 4], may_fail: None, changes: false, is_constant: false }],
        states: None,
    });
    let value = Value::Data(0, [Value::int(0), Value::str(""), Value::seq([]), Value::str("")].into());
    let error = encode(&value, &refined, &spec, Mode::Plain).unwrap_err();
    assert!(error.to_string().contains("built by a function"), "{error}");
}
