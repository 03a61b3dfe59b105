//! Other values for the parts of an argument tuple, to find out which parts matter to a failure.
//!
//! Source: SmartCheck (Pike 2014), as described in *Automated Specification-Based Testing*, section 2.2.1: a part
//! that can be anything is replaced by a variable. Here it is replaced by values of the part's own refined type. The
//! caller judges whether the whole tuple is still admitted.

use std::sync::Arc;

use crate::logic::ir::{Clause, Param, Refined, Sort, Spec, mentions};
use crate::logic::part::{Part, parts};
use crate::logic::value::Value;
use crate::native::{Class, Native};
use crate::space::Space;

/// Maximum numbers of engine choices for the next value, and for all values of a part.
const EFFORT: (u64, u64) = (2_000, 40_000);

/// A part of an argument tuple, and the other values for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaceable {
    /// Its position: the index of the argument, then of the part, and so on.
    pub path: Vec<usize>,
    /// Values of its type within the bounds of the space, and the extreme values of a machine type; without its own
    /// value.
    pub others: Vec<Value>,
    /// Whether these are all other values.
    pub are_all: bool,
}

/// The parts of an argument tuple, outermost first, each with at most `most` other values.
pub fn replaceable<'a>(
    space: &'a Space,
    args: &'a [Value],
    most: usize,
) -> impl Iterator<Item = Replaceable> + 'a {
    let parts = parts(space.spec(), args, true);
    parts.into_iter().map(move |Part { path, refined, value }| {
        let mut others = others(space, refined, most);
        let are_all = is_small(space.spec(), refined) && others.len() < most;
        others.retain(|other| other != value);
        Replaceable { path, others, are_all }
    })
}

/// The first values of a type, under the clauses of its refinement that mention only the value.
fn others(space: &Space, refined: &Refined, most: usize) -> Vec<Value> {
    let spec = space.spec();
    let unit =
        Param { name: String::new(), refined: Refined::plain(Sort::Tuple(Vec::new())), mutable: false };
    // The number of parameters stays, so that slots keep their meaning.
    let mut params = vec![unit; spec.params.len()];
    params[0].refined = alone(spec, refined);
    let of_part = Spec {
        params,
        requires: Vec::new(),
        explore: Vec::new(),
        examples: Vec::new(),
        ensures: Vec::new(),
        panics_if: None,
        ..Spec::clone(spec)
    };
    let space = Space::new(Arc::new(of_part), space.bounds());
    let mut native = Native::new(&space);
    let mut found = Vec::new();
    if let Sort::Int(kind) = refined.sort {
        found.extend([kind.min_value(), kind.max_value()].map(Value::Int));
    }
    for size in native.sizes() {
        let Some(mut cursor) = native.cursor(Class::Size(size)) else { continue };
        while found.len() < most && native.advance_within(&mut cursor, EFFORT.0) == Ok(true) {
            found.push(cursor.values()[0].clone());
        }
        if found.len() >= most || native.work().1 > EFFORT.1 {
            break;
        }
    }
    found
}

/// Whether all values of the type are within any bounds.
fn is_small(spec: &Spec, refined: &Refined) -> bool {
    match &refined.sort {
        Sort::Bool => true,
        Sort::Data(id) => spec.data(*id).ctors.iter().all(|ctor| ctor.fields.is_empty()),
        Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_)
        | Sort::Opaque(_) => false,
    }
}

/// The type with only those clauses that mention nothing but its own values.
fn alone(spec: &Spec, refined: &Refined) -> Refined {
    let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
    let around: Vec<u32> = (0..spec.value_slot()).chain(fields.filter_map(|field| field.slot)).collect();
    let is_alone = |clause: &Clause| !around.iter().any(|slot| mentions(&clause.term, *slot));
    let mut refined = refined.clone();
    let mut open = vec![&mut refined];
    while let Some(refined) = open.pop() {
        refined.clauses.retain(is_alone);
        open.extend(refined.inner_mut());
    }
    refined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{CompareOp, IntKind, SeqKind, Term};
    use crate::space::Bounds;

    #[test]
    fn every_part_has_other_values_of_its_own_type() {
        let var = |slot| Box::new(Term::Var(slot));
        let mut element = Refined::plain(Sort::Int(IntKind::I8));
        let zero = Box::new(Term::Lit(Value::int(0)));
        let positive = Term::Compare(CompareOp::Lt, zero, var(2));
        element.clauses.push(Clause { id: 0, text: String::new(), term: positive });
        // The caller judges the relation to the other parameter.
        let below = Term::Compare(CompareOp::Lt, var(2), var(1));
        element.clauses.push(Clause { id: 1, text: String::new(), term: below });
        let list = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Vec));
        let param = |refined| Param { name: String::new(), refined, mutable: false };
        let params = vec![param(list), param(Refined::plain(Sort::Bool))];
        let spec = Spec { params, ..Spec::unrefined("f") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 1, bound: 2 });
        let args = [Value::seq([Value::int(1)]), Value::Bool(true)];
        let found: Vec<Replaceable> = replaceable(&space, &args, 20).collect();
        assert_eq!(
            found.iter().map(|part| part.path.clone()).collect::<Vec<_>>(),
            [vec![0], vec![1], vec![0, 0]]
        );
        assert_eq!(found[0].others, [Value::seq([]), Value::seq([Value::int(2)])]);
        assert_eq!(found[1].others, [Value::Bool(false)]);
        assert_eq!(found[2].others, [i8::MIN, i8::MAX, 2].map(Value::int));
    }
}
