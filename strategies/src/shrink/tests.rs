use super::*;
use crate::logic::collection::are_ordered;
use crate::logic::ir::{
    Ctor, Data, DataId, Field, FloatKind, IntKind, MapKind, Param, Refined, SeqKind, SetKind, Sort, StrKind,
};

const I64: Sort = Sort::Int(IntKind::I64);

fn spec(sorts: Vec<Sort>) -> Spec {
    let field = |sort| Field { name: String::new(), refined: Refined::plain(sort), slot: None };
    let ctor = |fields: Vec<Sort>| Ctor {
        rust_path: String::new(),
        recursive: fields.len() > 1,
        fields: fields.into_iter().map(field).collect(),
        named: false,
        excluded: false,
    };
    let list = Data {
        rust_type: String::new(),
        ctors: vec![ctor(Vec::new()), ctor(vec![I64, Sort::Data(DataId(0))])],
        via: None,
        object: None,
        rule: None,
    };
    let param = |sort| Param { name: String::new(), refined: Refined::plain(sort), mutable: false };
    Spec {
        callbacks: Vec::new(),
        name: String::new(),
        params: sorts.into_iter().map(param).collect(),
        data: vec![list],
        functions: Vec::new(),
        regexes: Vec::new(),
        requires: Vec::new(),
        explore: Vec::new(),
        result: Refined::plain(Sort::Bool),
        ensures: Vec::new(),
        panics_if: None,
        examples: Vec::new(),
        displayed: Vec::new(),
        literals: Vec::new(),
    }
}

/// Greedy descent: what the runner does.
fn shrunk(sorts: Vec<Sort>, args: Vec<Value>, fails: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let spec = spec(sorts);
    let mut args = args;
    assert!(fails(&args));
    loop {
        let smaller = candidates(&spec, &args).find(|args| fails(args));
        let Some(smaller) = smaller else { return args };
        assert!(size(&smaller) < size(&args));
        args = smaller;
    }
}

fn int(value: &Value) -> i128 {
    if let Value::Int(n) = value { n.to_i128().expect("small") } else { panic!("{value:?}") }
}

fn ints(value: &Value) -> Vec<i128> {
    if let Value::Seq(elements) = value { elements.iter().map(int).collect() } else { panic!("{value:?}") }
}

fn seq(values: &[i64]) -> Value {
    Value::Seq(values.iter().map(|n| Value::int(*n)).collect())
}

fn vec_sort() -> Sort {
    Sort::Seq(Box::new(Refined::plain(I64)), SeqKind::Vec)
}

#[test]
fn integers_reach_the_least_that_fails() {
    let least = |start: i64, fails: fn(i128) -> bool| {
        int(&shrunk(vec![I64], vec![Value::int(start)], |args| fails(int(&args[0])))[0])
    };
    assert_eq!(least(i64::MAX, |n| n >= 1_000_000_007), 1_000_000_007);
    assert_eq!(least(i64::MAX, |n| n > 500 && n % 2 == 1), 501);
    assert_eq!(least(i64::MIN, |n| n < -9), -10);
    assert_eq!(least(i64::MIN, |n| n != 0), 1);
}

#[test]
fn lists_lose_what_does_not_matter() {
    let found = shrunk(vec![vec_sort()], vec![seq(&[5, 9, 3, 7, 1, 8])], |args| {
        let list = ints(&args[0]);
        list.iter().any(|a| list.contains(&(a + 2)))
    });
    assert!(found == [seq(&[0, 2])] || found == [seq(&[2, 0])], "{found:?}");
    let found = shrunk(vec![vec_sort()], vec![seq(&[40, 41, 42, 43])], |args| {
        let list = ints(&args[0]);
        list.len() >= 3 && list.windows(2).all(|w| w[0] < w[1])
    });
    assert_eq!(ints(&found[0]).len(), 3);
    assert!(size(&found) <= size(&[seq(&[0, 1, 2])]), "{found:?}");
}

#[test]
fn related_values_shrink_together() {
    let start = vec![Value::int(4), seq(&[9, 9, 9, 9])];
    let found = shrunk(vec![I64, vec_sort()], start, |args| {
        let list = ints(&args[1]);
        int(&args[0]) == list.len() as i128 && list.len() >= 2 && list.iter().all(|n| *n == list[0])
    });
    assert_eq!(found, [Value::int(2), seq(&[0, 0])]);
    let start = vec![Value::int(1_000_003), Value::int(1_000_000)];
    let found = shrunk(vec![I64, I64], start, |args| int(&args[0]) - int(&args[1]) == 3);
    assert!([vec![3, 0], vec![2, -1], vec![1, -2]].contains(&found.iter().map(int).collect()), "{found:?}");
    let start = vec![seq(&[1, 2, 3]), seq(&[4, 5, 6])];
    let found = shrunk(vec![vec_sort(), vec_sort()], start, |args| {
        ints(&args[0]).len() == ints(&args[1]).len() && ints(&args[1]).contains(&5)
    });
    assert_eq!(found, [seq(&[0]), seq(&[5])]);
}

#[test]
fn a_matrix_loses_columns() {
    let rows = |args: &[Value], at: usize| {
        let Value::Seq(rows) = &args[at] else { return Vec::new() };
        rows.iter().map(ints).collect::<Vec<_>>()
    };
    let is_even = |rows: &[Vec<i128>]| rows.windows(2).all(|two| two[0].len() == two[1].len());
    let matrix = || Sort::Seq(Box::new(Refined::plain(vec_sort())), SeqKind::Vec);
    let start = || Value::seq([seq(&[1, 2, 3, 4, 5]), seq(&[6, 7, 8, 9, 0]), seq(&[3, 3, 3, 3, 3])]);
    let found = shrunk(vec![matrix()], vec![start()], |args| {
        let rows = rows(args, 0);
        is_even(&rows) && rows.len() > 1 && rows[1].len() > 1
    });
    assert_eq!(found, [Value::seq([seq(&[0, 0]), seq(&[0, 0])])]);
    let found = shrunk(vec![I64, matrix()], vec![Value::int(5), start()], |args| {
        let rows = rows(args, 1);
        is_even(&rows) && rows.len() > 1 && rows[0].len() > 1 && int(&args[0]) == rows[0].len() as i128
    });
    assert_eq!(found, [Value::int(2), Value::seq([seq(&[0, 0]), seq(&[0, 0])])]);
}

#[test]
fn data_becomes_its_own_part() {
    let cons = |n: i64, rest| Value::Data(1, [Value::int(n), rest].into());
    let nil = Value::Data(0, [].into());
    let start = cons(7, cons(8, cons(9, nil.clone())));
    fn sum(list: &Value) -> i128 {
        if let Value::Data(1, fields) = list { int(&fields[0]) + sum(&fields[1]) } else { 0 }
    }
    let found = shrunk(vec![Sort::Data(DataId(0))], vec![start.clone()], |args| sum(&args[0]) >= 9);
    assert_eq!(found, [cons(9, nil.clone())]);
    assert_eq!(shrunk(vec![Sort::Data(DataId(0))], vec![start], |_| true), [nil]);
}

#[test]
fn texts_and_floats_get_plain() {
    let text = vec![Value::str("héllo wörld\n")];
    let found = shrunk(
        vec![Sort::Str(StrKind::String)],
        text,
        |args| matches!(&args[0], Value::Str(text) if !text.is_ascii() && text.len() > 3),
    );
    assert!(matches!(&found[0], Value::Str(text) if text.len() == 4), "{found:?}");
    let least = |start, fails: fn(f64) -> bool| {
        shrunk(
            vec![Sort::Float(FloatKind::F64)],
            vec![Value::Float(start)],
            |args| matches!(args[0], Value::Float(x) if fails(x)),
        )
    };
    assert_eq!(least(f64::INFINITY, |x| x > 1e3), [Value::Float(1001.0)]);
    assert_eq!(least(-0.123, |x| x != 0.0), [Value::Float(1.0)]);
    assert_eq!(least(0.4503, |x| 0.41 < x && x < 0.63), [Value::Float(0.5)]);
    assert_eq!(least(-1e300, |x| x < -7.2), [Value::Float(-8.0)]);
    assert_eq!(least(f64::NAN, |x| !x.is_finite()), [Value::Float(f64::INFINITY)]);
}

#[test]
fn sets_and_maps_stay_in_order() {
    let set = Sort::Set(Box::new(Refined::plain(I64)), SetKind::Hash);
    let of_sets =
        Sort::Map(Box::new(Refined::plain(I64)), Box::new(Refined::plain(set.clone())), MapKind::BTree);
    let entry = |key: i64, values: &[i64]| Value::Tuple([Value::int(key), seq(values)].into());
    let args =
        [seq(&[-40, -7, 12, 90]), Value::seq([entry(-9, &[3, 77]), entry(5, &[]), entry(8, &[-1, 6])])];
    let sorts = vec![set, of_sets];
    let spec = spec(sorts.clone());
    for smaller in candidates(&spec, &args) {
        assert!(are_ordered(&spec, &smaller), "{smaller:?}");
    }
    let largest = |args: &[Value]| ints(&args[0]).iter().any(|n| *n > 50) && ints(&args[0]).len() > 1;
    let of_two = |args: &[Value]| {
        let Value::Seq(pairs) = &args[1] else { return false };
        pairs.iter().any(|pair| matches!(pair, Value::Tuple(parts) if ints(&parts[1]).len() > 1))
    };
    let found = shrunk(sorts, args.to_vec(), |args| largest(args) && of_two(args));
    assert_eq!(found, [seq(&[0, 51]), Value::seq([entry(0, &[0, 1])])]);
}

#[test]
fn what_a_sum_needs_is_in_one_number() {
    let start = [3_063_148_423_848_275_311i64, 6_160_223_613_006_500_497].map(Value::int).to_vec();
    let overflows = |args: &[Value]| {
        let numbers: Option<Vec<i64>> = args.iter().map(|arg| i64::try_from(int(arg)).ok()).collect();
        numbers.is_some_and(|numbers| numbers[0].checked_add(numbers[1]).is_none())
    };
    let least = shrunk(vec![I64, I64], start, overflows);
    let mut least: Vec<i128> = least.iter().map(int).collect();
    least.sort();
    assert_eq!(least, [1, i128::from(i64::MAX)]);
}

#[test]
fn a_remainder_is_kept_while_digits_go() {
    let fails = |args: &[Value]| int(&args[0]) % 400 == 100 && int(&args[0]) > 5000;
    assert_eq!(shrunk(vec![I64], vec![Value::int(11_161_300)], fails), [Value::int(5300)]);
}
