//! `match` on the constructors of an enum: in the IR it is a chain of `if`s, each with the fields that its body reads.

use target_strategies::logic::ir::{Ctor, DataId, Sort, Term};

use super::code::Type;
use super::computed::unified;
use super::text::{bare, mentions};
use super::{ClauseWriter, Code, behind_reference};

/// The arms of a `match`, in order.
pub(super) struct Arms<'t> {
    of: &'t Term,
    data: DataId,
    /// The expression of the value.
    value: String,
    /// The constructors with their bodies.
    arms: Vec<(u32, &'t Term)>,
    /// The body for all others.
    other: &'t Term,
}

impl ClauseWriter<'_> {
    /// The arms, if a term is a `match` on an enum that patterns can take apart.
    pub(super) fn arms<'t>(&mut self, term: &'t Term) -> Option<Arms<'t>> {
        let Term::If(condition, ..) = term else { return None };
        let Term::IsCtor(of, _) = &**condition else { return None };
        let (mut arms, mut other) = (Vec::new(), term);
        while let Term::If(condition, body, rest) = other
            && let Term::IsCtor(value, ctor) = &**condition
            && value == of
            && arms.iter().all(|(before, _)| before != ctor)
        {
            arms.push((*ctor, &**body));
            other = rest;
        }
        if arms.len() < 2 {
            return None;
        }
        let code = self.code(of)?;
        let Type::Value(refined) = &code.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        let data = self.spec.data(id);
        let is_enum =
            data.ctors.len() > 1 && data.via.is_none() && data.rule.is_none() && data.object.is_none();
        let value = code.dereferenced();
        is_enum.then_some(Arms { of, data: id, value, arms, other })
    }

    /// A term with these arms as a `match`.
    pub(super) fn matched(&mut self, arms: Arms<'_>) -> Option<Code> {
        let Arms { of, data, value, arms, other } = arms;
        let ctors = &self.spec.data(data).ctors;
        let (mut patterns, mut bodies) = (Vec::new(), Vec::new());
        for (number, body) in &arms {
            let ctor = ctors.get(*number as usize)?;
            let names: Vec<String> = ctor.fields.iter().map(|_| self.name()).collect();
            let fields = ctor.fields.iter().zip(&names);
            let fields = fields.map(|(field, name)| Code::variable(name, &behind_reference(&field.refined)));
            self.patterns.push((of.clone(), *number, fields.collect()));
            let body = self.model(body);
            self.patterns.pop();
            let body = body?;
            patterns.push(pattern(ctor, &names, &body.0));
            bodies.push(body);
        }
        let is_whole = arms.len() == ctors.len();
        if !is_whole && *other != Term::Undefined {
            patterns.push("_".to_owned());
            bodies.push(self.model(other)?);
        }
        let (bodies, model) = unified(bodies)?;
        let mut text: Vec<String> = patterns
            .iter()
            .zip(&bodies)
            .map(|(pattern, body)| format!("{pattern} => {}", bare(body)))
            .collect();
        if !is_whole && *other == Term::Undefined {
            text.push("_ => unreachable!()".to_owned());
        }
        let value = value.strip_prefix('*').map_or_else(|| format!("&{value}"), str::to_owned);
        Some(model.made(format!("(match {value} {{ {} }})", text.join(", "))))
    }
}

/// A pattern with the names that a body mentions.
fn pattern(ctor: &Ctor, names: &[String], body: &str) -> String {
    let is_used = |name: &str| mentions(body, name);
    let path = &ctor.rust_path;
    if ctor.fields.is_empty() {
        return if path == "None" { path.clone() } else { format!("{path} {{ .. }}") };
    }
    let fields = ctor.fields.iter().zip(names);
    if ctor.named {
        let fields =
            fields.filter(|(_, name)| is_used(name)).map(|(field, name)| format!("{}: {name}, ", field.name));
        return format!("{path} {{ {}.. }}", fields.collect::<String>());
    }
    let fields = fields.map(|(_, name)| if is_used(name) { name.as_str() } else { "_" });
    format!("{path}({})", fields.collect::<Vec<_>>().join(", "))
}
