//! Shrinks the structure: whole arguments, chunks of sequences, subtrees, constructors.

use crate::logic::int::Int;
use crate::logic::ir::{DataId, Refined, SeqKind, Sort, Spec};
use crate::logic::part::{Part, Path, parts, replaced};
use crate::logic::value::Value;

/// Maximum nesting searched for the least value of a type.
const MAX_NESTING: u32 = 32;

/// Maximum number of sequences and integers that are shrunk in pairs. The number of pairs is quadratic.
const MAX_PAIRED: usize = 12;

/// Maximum number of parts tried instead of a value.
const MAX_PARTS: usize = 64;

/// Argument tuples with a smaller structure, boldest first.
pub fn candidates<'a>(spec: &'a Spec, args: &'a [Value]) -> impl Iterator<Item = Vec<Value>> + 'a {
    least_args(spec, args)
        .chain(lazily(move || each_part(spec, args, move |part| fewer(part.refined, part.value))))
        .chain(lazily(move || each_part(spec, args, move |part| fewer_columns(part.refined, part.value))))
        .chain(lazily(move || each_part(spec, args, move |part| other_data(spec, part))))
        .chain(lazily(move || paired(spec, args)))
        .chain(lazily(move || columns_and_ints(spec, args)))
}

/// An iterator that is created when it is reached.
fn lazily<'a, I: Iterator<Item = Vec<Value>> + 'a>(
    make: impl FnOnce() -> I + 'a,
) -> impl Iterator<Item = Vec<Value>> + 'a {
    std::iter::once_with(make).flatten()
}

/// All arguments, then each argument, replaced by the least value.
fn least_args<'a>(spec: &'a Spec, args: &'a [Value]) -> impl Iterator<Item = Vec<Value>> + 'a {
    let least: Option<Vec<Value>> =
        spec.params.iter().map(|param| least(spec, &param.refined, MAX_NESTING)).collect();
    let single = least.clone().into_iter().flat_map(move |least| {
        let n = args.len().min(least.len());
        (0..n).map(move |i| replaced(args, &[i], least[i].clone()))
    });
    least.into_iter().chain(single)
}

/// The candidates that replace one part, outermost parts first.
fn each_part<'a, F>(spec: &'a Spec, args: &'a [Value], smaller: F) -> impl Iterator<Item = Vec<Value>> + 'a
where
    F: Fn(&Part<'a>) -> Vec<Value> + 'a,
{
    parts(spec, args, false).into_iter().flat_map(move |part| {
        let path = part.path.clone();
        smaller(&part).into_iter().map(move |value| replaced(args, &path, value))
    })
}

/// A sequence or string without some of its elements: without all, halves, quarters, .., single ones.
fn fewer(refined: &Refined, value: &Value) -> Vec<Value> {
    match (&refined.sort, value) {
        (Sort::Seq(_, SeqKind::Array(_)), _) => Vec::new(),
        (_, Value::Seq(elements)) => chunks(elements.len())
            .map(|(from, to)| Value::Seq([&elements[..from], &elements[to..]].concat().into()))
            .collect(),
        (_, Value::Str(text)) => {
            let chars: Vec<char> = text.chars().collect();
            let without =
                |(from, to): (usize, usize)| chars[..from].iter().chain(&chars[to..]).collect::<String>();
            chunks(chars.len()).map(|chunk| Value::str(&without(chunk))).collect()
        }
        (_, Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_))
        | (_, Value::Tuple(_) | Value::Data(..)) => Vec::new(),
    }
}

/// A matrix without some of its columns: lists of lists that all lose the same elements.
fn fewer_columns(refined: &Refined, value: &Value) -> Vec<Value> {
    let Some(rows) = rows(refined, value) else { return Vec::new() };
    let n_columns = rows.iter().map(|row| row.len()).min().unwrap_or(0);
    let without_chunk = |(from, to): (usize, usize)| {
        let rows = rows.iter().map(|row| Value::Seq([&row[..from], &row[to..]].concat().into()));
        Value::Seq(rows.collect())
    };
    chunks(n_columns).map(without_chunk).collect()
}

/// The lists of a list, if they are two at least and may have any length.
fn rows<'v>(refined: &Refined, value: &'v Value) -> Option<Vec<&'v [Value]>> {
    let Sort::Seq(row, _) = &refined.sort else { return None };
    let is_list = matches!(&row.sort, Sort::Seq(_, kind) if !matches!(kind, SeqKind::Array(_)));
    let Value::Seq(rows) = value else { return None };
    let row = |row: &'v Value| if let Value::Seq(elements) = row { Some(&elements[..]) } else { None };
    if is_list && rows.len() > 1 { rows.iter().map(row).collect() } else { None }
}

/// Removes a column of a matrix together with one from an integer that may be their number.
fn columns_and_ints<'a>(spec: &'a Spec, args: &'a [Value]) -> impl Iterator<Item = Vec<Value>> + 'a {
    let ints = integers(args);
    parts(spec, args, false).into_iter().take(MAX_PARTS).flat_map(move |part| {
        let mut found = Vec::new();
        let smaller = fewer_columns(part.refined, part.value);
        for (int, n) in ints.iter().filter(|(int, _)| !int.starts_with(&part.path)) {
            let less = replaced(args, int, Value::Int(n - &Int::ONE));
            // The last ones lack a single column.
            let n_columns = smaller.len().div_ceil(2);
            found.extend(
                smaller.iter().rev().take(n_columns).map(|value| replaced(&less, &part.path, value.clone())),
            );
        }
        found
    })
}

/// The ranges of `0..n` to leave out.
fn chunks(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let lens = std::iter::successors(Some(n), |len| Some(len / 2)).take_while(|len| *len > 0);
    lens.flat_map(move |len| (0..n).step_by(len).map(move |from| (from, n.min(from + len))))
}

/// The parts of a data value that have its type, and the least values of its other constructors.
fn other_data(spec: &Spec, part: &Part) -> Vec<Value> {
    let (Sort::Data(id), Value::Data(ctor, _)) = (&part.refined.sort, part.value) else { return Vec::new() };
    let mut found = Vec::new();
    let mut smaller: Vec<Value> = (0..spec.data(*id).ctors.len() as u32)
        .filter(|other| other != ctor && !spec.data(*id).ctors[*other as usize].excluded)
        .filter_map(|other| least_of(spec, *id, other, MAX_NESTING))
        .collect();
    found.append(&mut smaller);
    let mut open = vec![(part.refined, part.value)];
    while let Some((refined, value)) = open.pop() {
        if found.len() >= MAX_PARTS {
            break;
        }
        let is_own = open.is_empty() && std::ptr::eq(value, part.value);
        if refined.sort == part.refined.sort && !is_own {
            found.push(value.clone());
        }
        match (&refined.sort, value) {
            (Sort::Data(id), Value::Data(ctor, values)) => {
                if let Some(ctor) = spec.data(*id).ctors.get(*ctor as usize) {
                    open.extend(ctor.fields.iter().map(|field| &field.refined).zip(values.iter()));
                }
            }
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {
                open.extend(refined.sort.parts(value))
            }
        }
    }
    found
}

/// Shortens two sequences together, or a sequence with an integer that may be its length or an index.
fn paired<'a>(spec: &'a Spec, args: &'a [Value]) -> impl Iterator<Item = Vec<Value>> + 'a {
    let mut seqs: Vec<(Path, &[Value])> = Vec::new();
    for part in parts(spec, args, false) {
        let is_fixed = matches!(part.refined.sort, Sort::Seq(_, SeqKind::Array(_)));
        if let (false, Value::Seq(elements)) = (is_fixed, part.value)
            && !elements.is_empty()
            && seqs.len() < MAX_PAIRED
        {
            seqs.push((part.path, elements));
        }
    }
    let ints = integers(args);
    let pairs = seqs.clone();
    let together = pairs.into_iter().enumerate().flat_map({
        let seqs = seqs.clone();
        move |(i, (path, elements))| {
            // A path identifies a part, so an outer sequence can't be shortened together with one inside it.
            let others = seqs[i + 1..].iter().filter(|(other, _)| !other.starts_with(&path));
            let mut found = Vec::new();
            for (other, others) in others {
                for at in 0..elements.len().min(others.len()) {
                    let one = replaced(args, &path, without(elements, at));
                    found.push(replaced(&one, other, without(others, at)));
                }
            }
            found
        }
    });
    let with_ints = seqs.into_iter().flat_map(move |(path, elements)| {
        let mut found = Vec::new();
        for (int, n) in &ints {
            if int.starts_with(&path) {
                continue;
            }
            let less = replaced(args, int, Value::Int(n - &Int::ONE));
            found.extend((0..elements.len()).rev().map(|at| replaced(&less, &path, without(elements, at))));
        }
        found
    });
    with_ints.chain(together)
}

fn without(elements: &[Value], at: usize) -> Value {
    Value::Seq([&elements[..at], &elements[at + 1..]].concat().into())
}

/// The first positive integers among the scalars, with their positions.
fn integers(args: &[Value]) -> Vec<(Path, Int)> {
    let mut found = Vec::new();
    let mut open: Vec<(Path, &Value)> =
        args.iter().enumerate().map(|(i, arg)| (vec![i], arg)).rev().collect();
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Int(n) if *n > Int::ZERO => found.push((path, n.clone())),
            Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
                let inner = parts.iter().enumerate().rev();
                open.extend(inner.map(|(i, part)| (path.iter().copied().chain([i]).collect(), part)));
            }
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => {}
        }
        if found.len() == MAX_PAIRED {
            break;
        }
    }
    found
}

/// The least value of a type, ignoring its refinement; `None` if none is found.
fn least(spec: &Spec, refined: &Refined, nesting: u32) -> Option<Value> {
    let nesting = nesting.checked_sub(1)?;
    Some(match &refined.sort {
        Sort::Bool => Value::Bool(false),
        Sort::Char => Value::Char('a'),
        Sort::Int(_) => Value::Int(Int::ZERO),
        Sort::Float(_) => Value::Float(0.0),
        Sort::Str(_) => Value::str(""),
        Sort::Seq(element, SeqKind::Array(n)) if *n > 0 => {
            Value::Seq(vec![least(spec, element, nesting)?; *n as usize].into())
        }
        Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) => Value::seq([]),
        Sort::Tuple(parts) => {
            let parts = parts.iter().map(|part| least(spec, part, nesting));
            Value::Tuple(parts.collect::<Option<Vec<_>>>()?.into())
        }
        Sort::Data(id) => {
            let ctors = &spec.data(*id).ctors;
            let plain = (0..).zip(ctors).filter(|(_, ctor)| !ctor.recursive && !ctor.excluded);
            plain.map(|(ctor, _)| ctor).find_map(|ctor| least_of(spec, *id, ctor, nesting))?
        }
        Sort::Opaque(_) => return None,
    })
}

/// The least value with a constructor.
fn least_of(spec: &Spec, id: DataId, ctor: u32, nesting: u32) -> Option<Value> {
    let fields = &spec.data(id).ctors.get(ctor as usize)?.fields;
    let fields = fields.iter().map(|field| least(spec, &field.refined, nesting));
    Some(Value::Data(ctor, fields.collect::<Option<Vec<_>>>()?.into()))
}
