//! Structures mixed from several ones.
//!
//! The engine samples inputs of a given size. A constructor without fields adds nothing to the size. So it occurs more often
//! than one with fields that ends a structure as well. A constructor with an array has only one size. And of two arguments, one is
//! often small. So leaves are exchanged for other leaves here, and arguments for those of other inputs. The judge decides whether the spec admits the result.

use super::grown::put;
use super::scalars::size;
use super::trials::Trials;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::ir::{DataId, Sort, Spec};
use crate::logic::part::{Path, parts, replaced};
use crate::logic::value::Value;

/// Percentage of inputs in which leaves are exchanged, and arguments.
const LEAVES: u64 = 67;
const ARGUMENTS: u64 = 50;

/// Number of attempts that are made in any case.
const FIRST_ATTEMPTS: u32 = 24;

/// What was seen of earlier inputs.
pub(super) struct Mixed {
    /// For each type with leaves of different sizes, the leaves so far, by constructor.
    leaves: Vec<(DataId, Vec<Leaves>)>,
    leaf_trials: Trials,
    /// The arguments so far that are structures, by parameter; empty if there is at most one such parameter.
    args: Vec<(usize, Vec<Value>)>,
    arg_trials: Trials,
}

/// A constructor that ends structures, and values of it.
type Leaves = (u32, Vec<Value>);

impl Mixed {
    /// Nothing was seen.
    pub(super) fn new(spec: &Spec) -> Mixed {
        let ids = (0..spec.data.len() as u32).map(DataId);
        let with_leaves = ids.filter(|id| has_leaves_of_two_sizes(spec, *id) || is_choice(spec, *id));
        let structures = (0..spec.params.len()).filter(|at| is_structure(&spec.params[*at].refined.sort));
        let args: Vec<_> = structures.map(|at| (at, Vec::new())).collect();
        Mixed {
            leaves: with_leaves.map(|id| (id, Vec::new())).collect(),
            leaf_trials: Trials::default(),
            args: if args.len() > 1 { args } else { Vec::new() },
            arg_trials: Trials::default(),
        }
    }

    /// Whether inputs may be mixed.
    pub(super) fn may_mix(&self) -> bool {
        !self.leaves.is_empty() && self.leaf_trials.are_worth_more(FIRST_ATTEMPTS)
            || !self.args.is_empty() && self.arg_trials.are_worth_more(FIRST_ATTEMPTS)
    }

    /// Takes note of the parts of an input.
    pub(super) fn note(&mut self, spec: &Spec, args: &[Value], dice: &mut Dice) {
        for (at, known) in &mut self.args {
            put(known, args[*at].clone(), dice);
        }
        if self.leaves.is_empty() {
            return;
        }
        for part in parts(spec, args, false) {
            let (Sort::Data(id), Value::Data(ctor, _)) = (&part.refined.sort, part.value) else { continue };
            let Some((_, ctors)) = self.leaves.iter_mut().find(|(other, _)| other == id) else { continue };
            if spec.data(*id).ctors[*ctor as usize].recursive {
                continue;
            }
            match ctors.iter_mut().find(|(other, _)| other == ctor) {
                Some((_, known)) => put(known, part.value.clone(), dice),
                None => ctors.push((*ctor, vec![part.value.clone()])),
            }
        }
    }

    /// An input with other leaves or arguments that the spec admits, if this attempt makes one.
    pub(super) fn mixed(&mut self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let others = self.with_other_arguments(args, dice);
        let others = others.map(|args| {
            let is_valid = admits(spec, &args);
            self.arg_trials.note(is_valid);
            is_valid.then_some(args)
        });
        let others = others.flatten();
        let args = others.as_deref().unwrap_or(args);
        let Some(with_leaves) = self.with_other_leaves(spec, args, dice) else { return others };
        let is_valid = admits(spec, &with_leaves);
        self.leaf_trials.note(is_valid);
        if is_valid { Some(with_leaves) } else { others }
    }

    /// The input with arguments of other inputs, whether the spec admits it or not.
    fn with_other_arguments(&self, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        if self.args.is_empty() || !self.arg_trials.are_worth_more(FIRST_ATTEMPTS) || !dice.percent(ARGUMENTS)
        {
            return None;
        }
        let mut mixed = args.to_vec();
        for (at, known) in &self.args {
            // The larger of two.
            let some = [0; 2].map(|_| known.get(dice.index(known.len().max(1))));
            let other = some.into_iter().flatten().max_by_key(|arg| size(arg));
            if let Some(other) = other.filter(|other| size(other) > size(&args[*at])) {
                mixed[*at] = other.clone();
            }
        }
        (mixed != args).then_some(mixed)
    }

    /// The input with other leaves, whether the spec admits it or not.
    fn with_other_leaves(&self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        if self.leaves.is_empty() || !self.leaf_trials.are_worth_more(FIRST_ATTEMPTS) || !dice.percent(LEAVES)
        {
            return None;
        }
        let mut mixed = args.to_vec();
        let mut exchanged: Vec<Path> = Vec::new();
        for part in parts(spec, args, false) {
            let (Sort::Data(id), Value::Data(ctor, _)) = (&part.refined.sort, part.value) else { continue };
            let Some((_, ctors)) = self.leaves.iter().find(|(other, _)| other == id) else { continue };
            // A leaf may have parts with leaves of their own, which are gone with it.
            let is_gone = exchanged.iter().any(|path| part.path.starts_with(path));
            if is_gone || ctors.is_empty() || spec.data(*id).ctors[*ctor as usize].recursive {
                continue;
            }
            let (other, known) = &ctors[dice.index(ctors.len())];
            if other != ctor {
                mixed = replaced(&mixed, &part.path, known[dice.index(known.len())].clone());
                exchanged.push(part.path);
            }
        }
        (mixed != args).then_some(mixed)
    }
}

/// Whether a recursive type has constructors with and without fields that end a structure.
fn has_leaves_of_two_sizes(spec: &Spec, id: DataId) -> bool {
    let ctors = || spec.data(id).ctors.iter().filter(|ctor| !ctor.excluded);
    let has_leaf = |is_empty| ctors().any(|ctor| !ctor.recursive && ctor.fields.is_empty() == is_empty);
    ctors().any(|ctor| ctor.recursive) && has_leaf(true) && has_leaf(false)
}

/// Whether a type is that of an argument, isn't recursive, and has several constructors with fields. One with many elements, such as
/// the words of a bitmap, hardly ever has the size that the engine samples.
fn is_choice(spec: &Spec, id: DataId) -> bool {
    let ctors = || spec.data(id).ctors.iter().filter(|ctor| !ctor.excluded);
    spec.params.iter().any(|param| param.refined.sort == Sort::Data(id))
        && ctors().all(|ctor| !ctor.recursive)
        && ctors().filter(|ctor| !ctor.fields.is_empty()).count() > 1
}

fn is_structure(sort: &Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Opaque(_) | Sort::Tuple(_) => false,
        Sort::Str(_) | Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Data(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{IntKind, Param, Refined, SeqKind};
    use crate::space::tests::{ctor, data};

    /// `enum Path { End, Seg(u8), Join(Path) }` and `enum Expr { Nil, Ref(Path), Add(Expr, Expr), Num(u8) }`, of which nothing is required.
    fn spec(n_params: usize) -> Spec {
        let (path, expr) = (Sort::Data(DataId(0)), Sort::Data(DataId(1)));
        let plain = |sorts: &[&Sort]| sorts.iter().map(|sort| Refined::plain((*sort).clone())).collect();
        let number = Sort::Int(IntKind::U8);
        let paths = data(vec![
            ctor("End", vec![], false),
            ctor("Seg", plain(&[&number]), false),
            ctor("Join", plain(&[&path]), true),
        ]);
        let exprs = data(vec![
            ctor("Nil", vec![], false),
            ctor("Ref", plain(&[&path]), false),
            ctor("Add", plain(&[&expr, &expr]), true),
            ctor("Num", plain(&[&number]), false),
        ]);
        let param = Param { name: String::new(), refined: Refined::plain(expr), mutable: false };
        Spec { params: vec![param; n_params], data: vec![paths, exprs], ..Spec::unrefined("f") }
    }

    fn node(ctor: u32, parts: Vec<Value>) -> Value {
        Value::Data(ctor, parts.into())
    }

    fn is_path(value: &Value) -> bool {
        match value {
            Value::Data(0, parts) => parts.is_empty(),
            Value::Data(1, parts) => matches!(parts[..], [Value::Int(_)]),
            Value::Data(2, parts) => parts.iter().all(is_path),
            _ => false,
        }
    }

    fn is_expr(value: &Value) -> bool {
        match value {
            Value::Data(0, parts) => parts.is_empty(),
            Value::Data(1, parts) => parts.iter().all(is_path),
            Value::Data(2, parts) => parts.iter().all(is_expr),
            Value::Data(3, parts) => matches!(parts[..], [Value::Int(_)]),
            _ => false,
        }
    }

    #[test]
    fn exchanged_leaves_are_of_their_types() {
        let spec = spec(1);
        let (end, seg) = (node(0, vec![]), node(1, vec![Value::int(3)]));
        let refs = [end, seg].map(|path| node(1, vec![path]));
        let num = node(3, vec![Value::int(7)]);
        let add = node(2, vec![node(2, refs.to_vec()), node(2, vec![node(0, vec![]), num])]);
        let mut dice = Dice::new(0, 0);
        let mut mixed = Mixed::new(&spec);
        mixed.note(&spec, std::slice::from_ref(&add), &mut dice);
        let made: Vec<Vec<Value>> = (0..200)
            .filter_map(|_| mixed.with_other_leaves(&spec, std::slice::from_ref(&add), &mut dice))
            .collect();
        assert!(made.len() > 50 && made.iter().all(|args| is_expr(&args[0])), "{made:?}");
        // The leaf without fields becomes one with fields.
        let is_last = |args: &Vec<Value>| matches!(&args[0], Value::Data(2, parts) if matches!(&parts[1], Value::Data(2, last) if last[0] == refs[1]));
        assert!(made.iter().any(is_last));
    }

    #[test]
    fn a_small_argument_becomes_a_large_one() {
        let spec = spec(2);
        let leaf = || node(0, vec![]);
        let large = node(2, vec![leaf(), node(2, vec![leaf(), leaf()])]);
        let mut dice = Dice::new(0, 0);
        let mut mixed = Mixed::new(&spec);
        mixed.note(&spec, &[leaf(), large.clone()], &mut dice);
        mixed.note(&spec, &[large.clone(), leaf()], &mut dice);
        let both = [large.clone(), large];
        let made = (0..20).filter_map(|_| mixed.mixed(&spec, &[both[0].clone(), leaf()], &mut dice));
        assert!({ made }.any(|args| args == both));
    }

    #[test]
    fn each_variant_of_an_argument_comes_about_as_often() {
        // `enum Chunk { Few(Vec<u8>), Many([u8; 4]) }`
        let list = |kind| Refined::plain(Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::U8))), kind));
        let few = ctor("Few", vec![list(SeqKind::Vec)], false);
        let many = ctor("Many", vec![list(SeqKind::Array(4))], false);
        let param =
            Param { name: String::new(), refined: Refined::plain(Sort::Data(DataId(0))), mutable: false };
        let spec = Spec { params: vec![param], data: vec![data(vec![few, many])], ..Spec::unrefined("f") };
        let bytes = |n: usize| Value::Seq(vec![Value::int(1); n].into());
        let mut dice = Dice::new(0, 0);
        let mut mixed = Mixed::new(&spec);
        mixed.note(&spec, &[node(1, vec![bytes(4)])], &mut dice);
        let made = (0..400).map(|n| {
            let args = [node(0, vec![bytes(n % 7)])];
            mixed.note(&spec, &args, &mut dice);
            mixed.mixed(&spec, &args, &mut dice).unwrap_or_else(|| args.to_vec())
        });
        let n_many = made.filter(|args| matches!(args[0], Value::Data(1, _))).count();
        assert!((80..200).contains(&n_many), "{n_many}");
    }
}
