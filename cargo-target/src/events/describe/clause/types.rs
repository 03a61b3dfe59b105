//! The conditions of a type, with those of its parts, on a value.

use target_strategies::logic::ir::{Clause, Ctor, Data, DataId, Field, Refined, SeqKind, Sort, Spec};

use super::parts::is_struct;
use super::{ALWAYS, ClauseWriter, Code, Level, behind_reference};
use crate::events::describe::std_types::{has_order, is_option};

/// Conditions, each after the number of its clause; `None` for one that can't be written.
type Conditions = Vec<(u32, Option<Code>)>;

impl ClauseWriter<'_> {
    /// The conditions of a type on the value in the slot of refined values.
    pub fn of_type(&mut self, refined: &Refined) -> Conditions {
        let own = refined.clauses.iter();
        let mut found: Conditions = own.map(|clause| (clause.id, self.condition(&clause.term))).collect();
        let inner = Refined { clauses: Vec::new(), ..refined.clone() };
        if !clauses_of(&inner, self.spec).is_empty() {
            let whole = self.slots.get(&self.spec.value_slot()).cloned();
            found.extend(match whole {
                Some(whole) => self.of_parts(&inner, &whole),
                None => unwritten(&inner, self.spec),
            });
        }
        found
    }

    /// The conditions of a type on a value that is read by an expression.
    fn at(&mut self, place: Code, refined: &Refined) -> Conditions {
        self.within(self.spec.value_slot(), place, |writer| writer.of_type(refined))
    }

    fn of_parts(&mut self, refined: &Refined, whole: &Code) -> Conditions {
        let receiver = whole.receiver();
        match &refined.sort {
            Sort::Seq(_, SeqKind::Answers(_)) => unwritten(refined, self.spec),
            Sort::Seq(element, _) | Sort::Set(element, _) => {
                self.each(&format!("{receiver}.iter()"), element)
            }
            Sort::Map(key, held, _) => {
                let mut found = self.each(&format!("{receiver}.keys()"), key);
                found.extend(self.each(&format!("{receiver}.values()"), held));
                found
            }
            Sort::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                parts.flat_map(|(i, part)| self.at(whole.part(&i.to_string(), part), part)).collect()
            }
            Sort::Data(id) if self.open.contains(id) => unwritten(refined, self.spec),
            Sort::Data(id) => {
                self.open.push(*id);
                let found = self.of_fields(*id, whole, refined);
                self.open.pop();
                found
            }
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Opaque(_) => {
                Vec::new()
            }
        }
    }

    /// The conditions of a type on each item of an iterator over references.
    fn each(&mut self, iterator: &str, element: &Refined) -> Conditions {
        if clauses_of(element, self.spec).is_empty() {
            return Vec::new();
        }
        let name = self.name();
        let found = self.at(Code::variable(&name, &behind_reference(element)), element);
        let each = |code: Code| match code.text.as_str() {
            ALWAYS => code,
            _ => Code::bool(format!("{iterator}.all(|{name}| {})", code.text), Level::Atom),
        };
        found.into_iter().map(|(id, code)| (id, code.map(each))).collect()
    }

    fn of_fields(&mut self, id: DataId, whole: &Code, refined: &Refined) -> Conditions {
        let data: &Data = self.spec.data(id);
        // The types of the standard library keep what their views say.
        if data.via.is_some() && has_order(refined, self.spec) {
            return Vec::new();
        }
        if is_option(data) {
            let receiver = whole.receiver();
            let fields =
                data.ctors.iter().flat_map(|ctor| ctor.fields.iter().map(move |field| (ctor, field)));
            let of_field = |(ctor, field): (&Ctor, &Field)| match ctor.rust_path.as_str() {
                "Err" => {
                    let element = behind_reference(&field.refined);
                    self.each(&format!("{}.as_ref().err().iter()", whole.place()), &element)
                }
                _ => self.each(&format!("{receiver}.iter()"), &field.refined),
            };
            return fields.flat_map(of_field).collect();
        }
        let [ctor] = data.ctors.as_slice() else {
            return data.ctors.iter().flat_map(|ctor| self.of_variant(ctor, whole)).collect();
        };
        if !is_struct(data) && data.via.is_none() {
            return self.of_variant(ctor, whole);
        }
        let fields: Vec<Option<Code>> =
            (0..ctor.fields.len() as u32).map(|index| self.part(whole, 0, index)).collect();
        if fields.iter().any(Option::is_none) {
            return unwritten(refined, self.spec);
        }
        let places: Vec<Code> = fields.into_iter().flatten().collect();
        // Conditions may mention the fields next to them.
        let slots: Vec<(u32, Option<Code>)> = ctor
            .fields
            .iter()
            .zip(&places)
            .filter_map(|(field, place)| Some((field.slot?, place)))
            .map(|(slot, place)| (slot, self.slots.insert(slot, place.clone())))
            .collect();
        let fields = ctor.fields.iter().zip(places);
        let found = fields.flat_map(|(field, place)| self.at(place, &field.refined)).collect();
        for (slot, hidden) in slots.into_iter().rev() {
            match hidden {
                Some(hidden) => self.slots.insert(slot, hidden),
                None => self.slots.remove(&slot),
            };
        }
        found
    }

    /// The conditions of the fields of an enum's variant.
    fn of_variant(&mut self, ctor: &Ctor, whole: &Code) -> Conditions {
        let mut found = Vec::new();
        for field in ctor.fields.iter().filter(|field| !clauses_of(&field.refined, self.spec).is_empty()) {
            let name = self.name();
            let place = Code::variable(&name, &behind_reference(&field.refined));
            let pattern = format!("{} {{ {}: {name}, .. }}", ctor.rust_path, field.name);
            let when = |code: Code| {
                let not = code.operand_of(Level::Prefix);
                Code::bool(
                    format!("!matches!(&{}, {pattern} if !{not})", whole.dereferenced()),
                    Level::Prefix,
                )
            };
            let inner = self.at(place, &field.refined);
            found.extend(inner.into_iter().map(|(id, code)| (id, code.map(when))));
        }
        found
    }
}

/// The clauses of a type and of its parts.
pub fn clauses_of<'s>(refined: &'s Refined, spec: &'s Spec) -> Vec<&'s Clause> {
    let mut clauses = Vec::new();
    let (mut waiting, mut seen) = (vec![refined], Vec::new());
    while let Some(refined) = waiting.pop() {
        clauses.extend(&refined.clauses);
        waiting.extend(refined.inner());
        if let Sort::Data(id) = refined.sort
            && !seen.contains(&id)
        {
            seen.push(id);
            waiting
                .extend(spec.data(id).ctors.iter().flat_map(|ctor| &ctor.fields).map(|field| &field.refined));
        }
    }
    clauses
}

/// The conditions of a type's parts if they can't be written.
fn unwritten(refined: &Refined, spec: &Spec) -> Conditions {
    clauses_of(refined, spec).into_iter().map(|clause| (clause.id, None)).collect()
}
