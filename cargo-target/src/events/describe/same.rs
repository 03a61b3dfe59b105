//! Generates Rust code that compares a value in a test with a given one, without the `==` of the user's types.
//!
//! Specs compare the fields of a value. A type's own `==` may ignore some fields, or be missing; for floats, `-0.0 ==
//! 0.0`, and `NaN` doesn't equal itself. So scalars are compared separately here, and the crate's types are taken apart
//! by patterns. Nothing here knows functions or failures.

use target_strategies::logic::grammar;
use target_strategies::logic::ir::{Ctor, Refined, SeqKind, Sort, Spec, Via};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

/// The condition under which a value in a test is the given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sameness {
    /// When this Rust expression is true.
    When(String),
    /// Always: the spec sees no part of such a value.
    Always,
    /// Rust code can't tell.
    Unknown,
}

/// Maximum nesting of compared values: rustc rejects much deeper patterns.
const DEEPEST: u32 = 60;

/// The condition that the expression `expression` (of the refined type) has the value.
pub(super) fn same(expression: &str, refined: &Refined, value: &Value, spec: &Spec) -> Sameness {
    Comparer { spec, n_names: 0, depth: 0 }.behind(expression, refined, value)
}

/// Whether Rust's `==` and `!=` distinguish the value from every other value of its type.
pub(super) fn is_exact(refined: &Refined, value: &Value, spec: &Spec) -> bool {
    let are_exact = |parts: Vec<(&Refined, &Value)>| {
        parts.into_iter().all(|(refined, part)| is_exact(refined, part, spec))
    };
    match (&refined.sort, value) {
        (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Str(_), _) => true,
        (Sort::Float(_), Value::Float(x)) => *x != 0.0 && !x.is_nan(),
        (Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_), _) => {
            are_exact(refined.sort.parts(value))
        }
        (Sort::Data(id), _) if spec.data(*id).rule.is_some() => true,
        (Sort::Data(id), Value::Data(ctor, fields)) => {
            let data = spec.data(*id);
            let of_std = data.rust_type.starts_with("Option<") || data.rust_type.starts_with("Result<");
            let ctor = data.ctors.get(*ctor as usize);
            of_std
                && ctor.is_some_and(|ctor| {
                    are_exact(ctor.fields.iter().map(|field| &field.refined).zip(&**fields).collect())
                })
        }
        (Sort::Float(_) | Sort::Data(_) | Sort::Opaque(_), _) => false,
    }
}

struct Comparer<'s> {
    spec: &'s Spec,
    n_names: u32,
    depth: u32,
}

impl Comparer<'_> {
    /// Compares the value that the pointers of its type lead to.
    fn behind(&mut self, expression: &str, refined: &Refined, value: &Value) -> Sameness {
        if self.depth > DEEPEST {
            return Sameness::Unknown;
        }
        self.depth += 1;
        let sameness = match refined.pointers.len() {
            0 => self.whole(expression, refined, value),
            n => self.whole(&format!("({}{expression})", "*".repeat(n)), refined, value),
        };
        self.depth -= 1;
        sameness
    }

    fn whole(&mut self, expression: &str, refined: &Refined, value: &Value) -> Sameness {
        let literal = || rust_code::expression(value, &Refined::plain(refined.sort.clone()), self.spec, true);
        match (&refined.sort, value) {
            (Sort::Bool, Value::Bool(true)) => Sameness::When(expression.to_owned()),
            (Sort::Bool, Value::Bool(false)) => Sameness::When(format!("!{expression}")),
            (Sort::Int(_) | Sort::Char, _) => {
                Sameness::When(format!("{expression} == {}", rust_code::scalar(value)))
            }
            (Sort::Str(_), _) => Sameness::When(format!("{expression} == *{}", rust_code::scalar(value))),
            (Sort::Float(_), Value::Float(x)) => Sameness::When(match x {
                x if x.is_nan() => format!("{expression}.is_nan()"),
                0.0 => format!("{expression}.to_bits() == ({}).to_bits()", literal()),
                _ => format!("{expression} == {}", literal()),
            }),
            // What is left of an iterator isn't read.
            (Sort::Seq(_, SeqKind::Iter), _) => Sameness::Unknown,
            (Sort::Seq(element, kind), Value::Seq(parts)) => self.sequence(expression, element, *kind, parts),
            (Sort::Set(..) | Sort::Map(..), Value::Seq(parts)) => {
                let chunk = if matches!(refined.sort, Sort::Map(..)) { 2 } else { 1 };
                self.collection(expression, parts.len(), &refined.sort.parts(value), chunk)
            }
            (Sort::Tuple(sorts), Value::Tuple(parts)) => {
                let parts = sorts.iter().zip(&**parts).enumerate();
                let parts: Vec<_> = parts
                    .map(|(i, (sort, part))| self.behind(&format!("{expression}.{i}"), sort, part))
                    .collect();
                all(parts)
            }
            (Sort::Data(id), _) if self.spec.data(*id).rule.is_some() => {
                let text = grammar::text(value, *id, &self.spec.data);
                text.map_or(Sameness::Unknown, |text| Sameness::When(format!("{expression} == *{text:?}")))
            }
            (Sort::Data(id), Value::Data(ctor, fields)) => {
                let data = self.spec.data(*id);
                match (data.ctors.as_slice(), &data.via) {
                    (ctors, None) => ctors
                        .get(*ctor as usize)
                        .map_or(Sameness::Unknown, |ctor| self.constructed(expression, ctor, fields)),
                    ([ctor], Some(via)) => self.read_back(expression, ctor, via, fields),
                    (_, Some(_)) => Sameness::Unknown,
                }
            }
            (Sort::Opaque(of), Value::Str(text)) if self.spec.displayed.contains(of) => {
                Sameness::When(format!("{expression}.to_string() == {text:?}"))
            }
            (Sort::Opaque(_), _) => Sameness::Always,
            (Sort::Bool | Sort::Float(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_), _) => Sameness::Unknown,
        }
    }

    fn sequence(&mut self, expression: &str, element: &Refined, kind: SeqKind, parts: &[Value]) -> Sameness {
        let is_plain = matches!(element.sort, Sort::Bool | Sort::Char | Sort::Int(_));
        if is_plain && element.pointers.is_empty() && !parts.is_empty() {
            let parts: Vec<String> = parts.iter().map(rust_code::scalar).collect();
            return Sameness::When(format!("{expression} == [{}]", parts.join(", ")));
        }
        let length = match kind {
            SeqKind::Array(_) => Sameness::Always,
            _ if parts.is_empty() => Sameness::When(format!("{expression}.is_empty()")),
            _ => Sameness::When(format!("{expression}.len() == {}", parts.len())),
        };
        let parts = parts.iter().enumerate();
        let parts = parts.map(|(i, part)| self.behind(&format!("{expression}[{i}]"), element, part));
        all(std::iter::once(length).chain(parts.collect::<Vec<_>>()).collect())
    }

    /// Compares a set or map: it has `n` elements, and contains each of the given ones.
    fn collection(
        &mut self,
        expression: &str,
        n: usize,
        parts: &[(&Refined, &Value)],
        chunk: usize,
    ) -> Sameness {
        let mut found = vec![Sameness::When(format!("{expression}.len() == {n}"))];
        for parts in parts.chunks(chunk) {
            let names: Vec<String> = parts.iter().map(|_| self.name()).collect();
            let parts = parts.iter().zip(&names);
            let parts =
                parts.map(|((refined, part), name)| self.behind(&format!("(*{name})"), refined, part));
            let is_in = all(parts.collect());
            found.push(match (is_in, names.as_slice()) {
                (Sameness::When(is_in), [name]) => {
                    Sameness::When(format!("{expression}.iter().any(|{name}| {is_in})"))
                }
                (Sameness::When(is_in), names) => {
                    Sameness::When(format!("{expression}.iter().any(|({})| {is_in})", names.join(", ")))
                }
                (Sameness::Always | Sameness::Unknown, _) => Sameness::Unknown,
            });
        }
        all(found)
    }

    fn constructed(&mut self, expression: &str, ctor: &Ctor, fields: &[Value]) -> Sameness {
        let mut patterns = Vec::new();
        let mut found = Vec::new();
        for (field, value) in ctor.fields.iter().zip(fields) {
            let name = self.name();
            let sameness = self.behind(&format!("(*{name})"), &field.refined, value);
            let is_compared = sameness != Sameness::Always;
            match (ctor.named, is_compared) {
                (true, true) => patterns.push(format!("{}: {name}", field.name)),
                (true, false) => {}
                (false, true) => patterns.push(name),
                (false, false) => patterns.push("_".to_owned()),
            }
            found.push(sameness);
        }
        let path = &ctor.rust_path;
        let pattern = match (ctor.named, ctor.fields.is_empty()) {
            (true, _) => {
                patterns.push("..".to_owned());
                format!("{path} {{ {} }}", patterns.join(", "))
            }
            (false, true) => format!("{path} {{ .. }}"),
            (false, false) => format!("{path}({})", patterns.join(", ")),
        };
        match all(found) {
            Sameness::When(condition) => {
                Sameness::When(format!("matches!(&{expression}, {pattern} if {condition})"))
            }
            Sameness::Always => Sameness::When(format!("matches!(&{expression}, {pattern})")),
            Sameness::Unknown => Sameness::Unknown,
        }
    }

    /// Compares what the spec reads of a value that a function built.
    fn read_back(&mut self, expression: &str, ctor: &Ctor, via: &Via, fields: &[Value]) -> Sameness {
        let reads = via.builders.iter().flat_map(|builder| &builder.reads);
        let parts = reads.zip(&ctor.fields).zip(fields).map(|((read, field), value)| match read {
            Some(read) => self.behind(&format!("({read})"), &field.refined, value),
            None => Sameness::Unknown,
        });
        match all(parts.collect()) {
            Sameness::When(condition) => {
                Sameness::When(format!("matches!(&{expression}, this if {condition})"))
            }
            sameness => sameness,
        }
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("part_{}", self.n_names)
    }
}

/// The condition that all of them hold.
pub(super) fn all(parts: Vec<Sameness>) -> Sameness {
    let mut conditions = Vec::new();
    for part in parts {
        match part {
            Sameness::When(condition) => conditions.push(condition),
            Sameness::Always => {}
            Sameness::Unknown => return Sameness::Unknown,
        }
    }
    if conditions.is_empty() { Sameness::Always } else { Sameness::When(conditions.join(" && ")) }
}
