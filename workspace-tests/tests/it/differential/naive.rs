//! Every argument tuple within the bounds by the rules of the contract, read off the types alone.
//!
//! It knows nothing of what the space makes of refinements: scalars range over the usual values, or those that the
//! entry states.

use std::collections::BTreeMap;
use std::sync::Arc;

use target_strategies::logic::collection::collected;
use target_strategies::logic::eval::{Admission, Judge, Judgement};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Collection, Refined, SeqKind, Sort, Spec};
use target_strategies::logic::value::Value;

use crate::table::{Args, Entry};

/// The characters in the contract's order.
const CHARS: &str = "ab0A é-\"\n€😀";

/// The members of an entry's space that the judge admits.
pub fn members(entry: &Entry, spec: &Spec) -> Vec<Args> {
    let naive = Naive { entry, spec };
    let domains: Vec<Vec<Value>> =
        spec.params.iter().map(|param| naive.values(&param.refined, &param.name, entry.depth)).collect();
    let mut members = Vec::new();
    let mut judge = Judge::new(None);
    for_each_tuple(&domains, &mut Vec::new(), &mut |args| {
        let admitted = judge.precondition(spec, args) == Admission::Admitted;
        if admitted && judge.explored(spec, args) == Judgement::Holds {
            members.push(args.to_vec());
        }
    });
    members
}

struct Naive<'e> {
    entry: &'e Entry,
    spec: &'e Spec,
}

impl Naive<'_> {
    /// The values of a type at a path, `rem` recursive constructors deep.
    #[expect(clippy::too_many_lines, reason = "it has an arm for each sort")]
    fn values(&self, refined: &Refined, path: &str, rem: u32) -> Vec<Value> {
        let domains = &self.entry.domains;
        let bound = i128::from(self.entry.bound);
        match &refined.sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int(kind) => {
                let usual = (-bound..=bound).map(Int::from).collect();
                let ints = stated(&domains.ints, path).unwrap_or(&usual).iter();
                ints.filter(|n| kind.contains(n)).cloned().map(Value::Int).collect()
            }
            Sort::Float(kind) => {
                let halves = (0..=2 * bound).map(|n| n as f64 / 2.0);
                let usual = halves.flat_map(|x| [x, -x]).collect();
                stated(&domains.floats, path)
                    .unwrap_or(&usual)
                    .iter()
                    .map(|x| Value::Float(kind.round(*x)))
                    .collect()
            }
            Sort::Char => self.chars(path).into_iter().map(Value::Char).collect(),
            Sort::Str(_) => {
                let chars: Vec<Value> = self.chars(path).into_iter().map(Value::Char).collect();
                self.lists(path, &chars, None).iter().map(|list| text(list)).collect()
            }
            Sort::Seq(element, kind) => {
                let elements = self.values(element, &format!("{path}[]"), rem);
                let fixed = if let SeqKind::Array(len) = kind { Some(*len as usize) } else { None };
                self.lists(path, &elements, fixed).into_iter().map(Value::seq).collect()
            }
            Sort::Set(element, _) => {
                let elements = self.values(element, &format!("{path}[]"), rem);
                let kind = refined.sort.collection().unwrap();
                self.subsets(path, &elements).into_iter().map(|chosen| collected(kind, chosen)).collect()
            }
            Sort::Map(key, value, _) => {
                let keys = self.values(key, &format!("{path}[].0"), rem);
                let values = self.values(value, &format!("{path}[].1"), rem);
                let maps = |keys: Vec<Value>| {
                    let images = tuples(vec![values.clone(); keys.len()]);
                    images.into_iter().map(move |images| {
                        let pairs = keys.iter().cloned().zip(images);
                        let pairs = pairs.map(|(key, value)| Value::Tuple([key, value].into()));
                        collected(Collection::Map, pairs.collect())
                    })
                };
                self.subsets(path, &keys).into_iter().flat_map(maps).collect()
            }
            Sort::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(i, part)| self.values(part, &format!("{path}.{i}"), rem)).collect();
                tuples(parts).into_iter().map(|parts| Value::Tuple(parts.into())).collect()
            }
            Sort::Data(id) => (0..)
                .zip(&self.spec.data(*id).ctors)
                .filter_map(|(index, ctor)| {
                    let rem = if ctor.recursive { rem.checked_sub(1)? } else { rem };
                    let fields = ctor.fields.iter();
                    let fields = fields
                        .map(|field| self.values(&field.refined, &format!("{path}.{}", field.name), rem));
                    let fields = tuples(fields.collect());
                    Some(fields.into_iter().map(move |fields| Value::Data(index, fields.into())))
                })
                .flatten()
                .collect(),
            Sort::Opaque(text) => panic!("`{text}` as an argument"),
        }
    }

    fn chars(&self, path: &str) -> Vec<char> {
        let usual = CHARS.chars().take(self.entry.bound as usize + 1).collect();
        stated(&self.entry.domains.chars, path).unwrap_or(&usual).clone()
    }

    fn lists(&self, path: &str, elements: &[Value], fixed: Option<usize>) -> Vec<Vec<Value>> {
        let usual = (0..=i64::from(self.entry.depth)).map(Int::from).collect();
        let lens = self.entry.domains.lens.get(path).unwrap_or(&usual).iter().filter_map(Int::to_usize);
        let lens = fixed.map_or(lens.collect(), |len| vec![len]);
        lens.into_iter().flat_map(|len| tuples(vec![elements.to_vec(); len])).collect()
    }

    /// Each choice of some of the elements.
    fn subsets(&self, path: &str, elements: &[Value]) -> Vec<Vec<Value>> {
        let usual = (0..=i64::from(self.entry.depth)).map(Int::from).collect();
        let lens = self.entry.domains.lens.get(path).unwrap_or(&usual);
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for element in elements {
            let with = all.iter().map(|subset| [subset.as_slice(), std::slice::from_ref(element)].concat());
            let with: Vec<_> = with.collect();
            all.extend(with);
        }
        all.retain(|subset| lens.contains(&Int::from(subset.len() as i64)));
        all
    }
}

/// What is stated of `a.b[]`: of `.b[]`, of itself, or of what it is part of.
fn stated<'d, T>(domains: &'d BTreeMap<String, T>, path: &str) -> Option<&'d T> {
    let field = path.rfind('.').and_then(|dot| domains.get(&path[dot..]));
    let ends = path.char_indices().rev().map(|(i, _)| i).filter(|i| matches!(&path[*i..=*i], "." | "["));
    let mut around = std::iter::once(path.len()).chain(ends).map(|end| &path[..end]);
    field.or_else(|| around.find_map(|path| domains.get(path)))
}

fn text(chars: &[Value]) -> Value {
    let chars = chars.iter().map(|c| if let Value::Char(c) = c { *c } else { panic!("{c:?} in a string") });
    Value::Str(Arc::from(chars.collect::<String>()))
}

fn tuples(domains: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for_each_tuple(&domains, &mut Vec::new(), &mut |tuple| all.push(tuple.to_vec()));
    all
}

fn for_each_tuple(domains: &[Vec<Value>], begun: &mut Vec<Value>, visit: &mut dyn FnMut(&[Value])) {
    let Some(domain) = domains.get(begun.len()) else { return visit(begun) };
    for value in domain {
        begun.push(value.clone());
        for_each_tuple(domains, begun, visit);
        begun.pop();
    }
}
