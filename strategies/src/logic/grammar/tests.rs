use super::*;
use crate::logic::ir::{Clause, CompareOp, Ctor, Field, IntKind, Rule, SeqKind, StrKind, Term};

fn field(sort: Sort) -> Field {
    Field { name: "_".to_owned(), refined: Refined::plain(sort), slot: None }
}

fn quoted(text: &str) -> Piece {
    Piece::Quoted(text.to_owned())
}

fn rule(name: &str, alternatives: Vec<(Vec<Field>, Vec<Piece>)>) -> Data {
    let mut layouts = Vec::new();
    let mut ctors = Vec::new();
    for (fields, layout) in alternatives {
        layouts.push(layout);
        let rust_path = name.to_owned();
        ctors.push(Ctor { rust_path, fields, named: false, recursive: false, excluded: false });
    }
    let rule = Some(Rule { name: name.to_owned(), layouts });
    Data { rust_type: "String".to_owned(), ctors, via: None, object: None, rule }
}

fn rules(data: &[Data]) -> Rules<'_> {
    Rules { data, functions: &[], regexes: &[], value_slot: 0 }
}

fn data(ctor: u32, fields: impl Into<Vec<Value>>) -> Value {
    Value::Data(ctor, fields.into().into())
}

const THIS: Sort = Sort::Data(DataId(0));

/// `Sum = Sum "+" Sum | "1" | ""`, with the empty alternative if asked for.
fn sum(with_empty: bool) -> Vec<Data> {
    let mut alternatives = vec![
        (vec![field(THIS), field(THIS)], vec![Piece::Field(0), quoted("+"), Piece::Field(1)]),
        (vec![], vec![quoted("1")]),
    ];
    if with_empty {
        alternatives.push((vec![], vec![]));
    }
    vec![rule("Sum", alternatives)]
}

#[test]
fn left_recursion_and_ambiguity_are_read() {
    let sum = sum(false);
    let one = || data(1, []);
    assert_eq!(rules(&sum).derive(DataId(0), "1"), Derived::Derivation(one()));
    // The left one takes as much as it can.
    let expected = data(0, [data(0, [one(), one()]), one()]);
    assert_eq!(rules(&sum).derive(DataId(0), "1+1+1"), Derived::Derivation(expected.clone()));
    assert_eq!(text(&expected, DataId(0), &sum).as_deref(), Some("1+1+1"));
    for wrong in ["", "+", "1+", "11", "1+1 "] {
        assert_eq!(rules(&sum).derive(DataId(0), wrong), Derived::NoDerivation, "{wrong}");
    }
}

#[test]
fn empty_parts_are_read() {
    let sum = sum(true);
    for right in ["", "+", "1++1", "+1+"] {
        let Derived::Derivation(found) = rules(&sum).derive(DataId(0), right) else { panic!("{right}") };
        assert_eq!(text(&found, DataId(0), &sum).as_deref(), Some(right));
    }
}

#[test]
fn circles_end() {
    // `A = A | B | "x"`, `B = A`
    let alternatives = vec![
        (vec![field(THIS)], vec![Piece::Field(0)]),
        (vec![field(Sort::Data(DataId(1)))], vec![Piece::Field(0)]),
        (vec![], vec![quoted("x")]),
    ];
    let other = rule("B", vec![(vec![field(THIS)], vec![Piece::Field(0)])]);
    let all = vec![rule("A", alternatives), other];
    assert_eq!(rules(&all).derive(DataId(0), "x"), Derived::Derivation(data(2, [])));
    assert_eq!(rules(&all).derive(DataId(0), "y"), Derived::NoDerivation);
    let Derived::Derivation(found) = rules(&all).derive(DataId(1), "x") else { panic!("it has one") };
    assert_eq!(found, data(0, [data(2, [])]));
}

#[test]
fn options_lists_and_strings_are_read() {
    // `A = "-"? Digit+`, `Digit = {s: String | s is one digit}`
    let plain = || Refined::plain(Sort::Str(StrKind::String));
    let digit = Term::Or(
        (0..10)
            .map(|n| Term::Equal(Box::new(Term::Var(0)), Box::new(Term::Lit(Value::str(&n.to_string())))))
            .collect(),
    );
    let clause = |term: Term| Clause { id: 0, text: String::new(), term };
    let digit = Refined { clauses: vec![clause(digit)], ..plain() };
    let one = Term::Compare(
        CompareOp::Le,
        Box::new(Term::Lit(Value::int(1))),
        Box::new(Term::Len(Box::new(Term::Var(0)))),
    );
    let list =
        Refined { clauses: vec![clause(one)], ..Refined::plain(Sort::Seq(Box::new(digit), SeqKind::Vec)) };
    let minus = rule("minus", vec![(vec![], vec![quoted("-")])]);
    let some = |fields: Vec<Field>| Ctor {
        rust_path: "Some".to_owned(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let option = Data {
        rust_type: "Option<String>".to_owned(),
        ctors: vec![some(vec![]), some(vec![field(Sort::Data(DataId(1)))])],
        via: None,
        object: None,
        rule: None,
    };
    let fields = vec![field(Sort::Data(DataId(2))), Field { refined: list, ..field(Sort::Int(IntKind::U8)) }];
    let all = vec![rule("A", vec![(fields, vec![Piece::Field(0), Piece::Field(1)])]), minus, option];
    let digits =
        |text: &str| Value::seq(text.chars().map(|c| Value::str(&c.to_string())).collect::<Vec<_>>());
    let some = data(1, [data(0, [])]);
    assert_eq!(rules(&all).derive(DataId(0), "-12"), Derived::Derivation(data(0, [some, digits("12")])));
    assert_eq!(rules(&all).derive(DataId(0), "7"), Derived::Derivation(data(0, [data(0, []), digits("7")])));
    for wrong in ["", "-", "--1", "1-", "é"] {
        assert_eq!(rules(&all).derive(DataId(0), wrong), Derived::NoDerivation, "{wrong}");
    }
}

#[test]
fn long_texts_are_read_or_given_up() {
    let sum = sum(false);
    let long = |n: usize| format!("1{}", "+1".repeat(n));
    assert!(matches!(rules(&sum).derive(DataId(0), &long(100)), Derived::Derivation(_)));
    assert_eq!(rules(&sum).derive(DataId(0), &long(3_000)), Derived::TooLarge);
    assert_eq!(rules(&sum).derive(DataId(0), &long(40_000)), Derived::TooLarge);
}
