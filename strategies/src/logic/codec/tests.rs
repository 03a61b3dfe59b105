//! Round trips, and hostile bytes.

use proptest::prelude::*;

use super::{Codec, DecodeError, Reader};
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, Closure, CompareOp, DataId, IntKind, MachineOp, Regex, RegexId, Spec, Term};
use crate::logic::value::Value;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i128>().prop_map(Value::int),
        any::<u128>().prop_map(Value::int),
        (-9_i64..9).prop_map(Value::int),
        any::<char>().prop_map(Value::Char),
        any::<u64>().prop_map(|bits| Value::Float(f64::from_bits(bits))),
        any::<String>().prop_map(|text| Value::str(&text)),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        let many = prop::collection::vec(inner, 0..5);
        prop_oneof![
            many.clone().prop_map(Value::seq),
            many.clone().prop_map(|parts| Value::Tuple(parts.into())),
            (any::<u32>(), many).prop_map(|(ctor, fields)| Value::Data(ctor, fields.into())),
        ]
    })
}

fn term() -> impl Strategy<Value = Term> {
    let leaf =
        prop_oneof![any::<u32>().prop_map(Term::Var), value().prop_map(Term::Lit), Just(Term::Undefined)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let two = (boxed.clone(), boxed.clone());
        let closure = (any::<u32>(), boxed.clone()).prop_map(|(slot, body)| Closure { slot, body });
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Term::And),
            two.clone().prop_map(|(a, b)| Term::Compare(CompareOp::Le, a, b)),
            two.clone().prop_map(|(a, b)| Term::Arith(ArithOp::Pow, a, b)),
            two.prop_map(|(a, b)| Term::Machine(MachineOp::Shl, IntKind::U16, vec![*a, *b])),
            (boxed.clone(), any::<u32>()).prop_map(|(of, index)| Term::Field { of, ctor: 1, index }),
            (boxed.clone(), closure.clone()).prop_map(|(a, closure)| Term::All(a, closure)),
            (boxed.clone(), closure).prop_map(|(a, closure)| Term::Position(a, closure, DataId(3))),
            (boxed, any::<u32>()).prop_map(|(a, state)| Term::Matches(RegexId(2), state, a)),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(values in prop::collection::vec(value(), 0..4), term in term()) {
        prop_assert_eq!(Vec::from_bytes(&values.to_bytes()), Ok(values));
        prop_assert_eq!(Term::from_bytes(&term.to_bytes()), Ok(term));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Term::read(&mut Reader::new(&bytes));
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = vec![2; 1_000_000];
    assert!(Term::from_bytes(&deep).is_err());
}

#[test]
fn a_length_beyond_the_input_is_refused() {
    let mut bytes = vec![6];
    u64::MAX.write(&mut bytes);
    assert!(Value::from_bytes(&bytes).is_err());
    assert!(Int::from_bytes(&[1, 1, b'x']).is_err());
}

#[test]
fn deep_values_cross_up_to_the_bound() {
    let deep = |levels: u32| (0..levels).fold(Value::unit(), |inner, _| Value::Data(1, [inner].into()));
    assert_eq!(Value::from_bytes(&deep(4_000).to_bytes()), Ok(deep(4_000)));
    assert_eq!(Value::from_bytes(&deep(5_000).to_bytes()), Err(DecodeError("it is nested too deeply")));
}

#[test]
fn automata_cross_if_their_parts_fit() {
    let regex = Regex {
        text: "é*".to_owned(),
        named: vec!['é'],
        classes: vec![('\0', 0), ('é', 1), ('ê', 0)],
        n_classes: 2,
        table: vec![1, 0, 1, 1],
        accepting: vec![true, false],
        dead: Some(1),
        program: None,
    };
    let spec = Spec { regexes: vec![regex.clone()], ..Spec::unrefined("f") };
    assert_eq!(Spec::from_bytes(&spec.to_bytes()), Ok(spec));
    let spoilt = Regex { table: vec![1, 0, 1, 2], ..regex };
    assert!(Regex::from_bytes(&spoilt.to_bytes()).is_err());
}
