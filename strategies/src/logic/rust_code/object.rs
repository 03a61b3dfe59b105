//! Prints values of traits: `Pricing { price: |_| 3 }`, or in a test a type that has the trait.

use std::collections::BTreeMap;

use super::Printer;
use super::outliving::outliving;
use crate::logic::ir::{CallbackKind, Ctor, DataId, Field, Method, Object, Sort};
use crate::logic::value::Value;

/// Supertraits that show the trait's name. All others but `Error` are derived.
const WRITTEN: [&str; 2] = ["Debug", "Display"];

impl Printer<'_> {
    /// A table, or the value of an implementor.
    pub(super) fn object(&self, id: DataId, (number, ctor): (u32, &Ctor), fields: &[Value]) -> String {
        match (&self.spec.data(id).object, number, ctor.fields.as_slice(), fields) {
            (Some(object), 0, _, _) if self.has_items => self.with_items(object, ctor, fields),
            (Some(_), 1.., [field], [value]) => self.behind(&field.refined.pointers, value, &field.refined),
            _ => self.constructed(&ctor.rust_path, ctor, fields),
        }
    }

    /// A block with a type for the value: `{ struct Table; impl Pricing for Table { .. } Table }`.
    fn with_items(&self, object: &Object, ctor: &Ctor, values: &[Value]) -> String {
        let (mut counters, mut methods) = (Vec::new(), BTreeMap::new());
        let required = object.methods.iter().filter(|method| method.is_required);
        for ((field, value), method) in ctor.fields.iter().zip(values).zip(required) {
            let (name, args) = (&method.name, args(method));
            let body = if let (Some(CallbackKind::Stateful), Sort::Seq(result, _)) =
                (self.kind(field), &field.refined.sort)
            {
                counters.push(name.as_str());
                format!("self.{name} += 1; {}", self.by_number(value, result, &format!("self.{name}")))
            } else {
                let code = self.behind(&field.refined.pointers, value, &field.refined);
                // With its type, rustc knows those of the closure's parameters.
                let (types, result) = (method.params.join(", "), outliving(&method.result));
                format!("let {name}: fn({types}) -> {result} = {code}; {name}({args})")
            };
            methods.insert(name.as_str(), format!("{} {{ {body} }} ", head(method)));
        }
        let fields: String = counters.iter().map(|name| format!("{name}: usize, ")).collect();
        let init: String = counters.iter().map(|name| format!("{name}: 0, ")).collect();
        let (derived, others) = supertraits(object, "Table");
        let implementations =
            object.implementations("Table", |method| methods.get(method.name.as_str()).cloned());
        format!("{{ {derived}struct Table {{ {fields}}} {implementations}{others}Table {{ {init}}} }}")
    }

    fn kind(&self, field: &Field) -> Option<CallbackKind> {
        Some(self.spec.callback(field.refined.callback()?).kind)
    }
}

/// The attribute and the items that give a type the supertraits of a trait.
pub fn supertraits(object: &Object, ty: &str) -> (String, String) {
    let has = |name: &str| object.supertraits.iter().any(|known| known == name);
    let derived = object.supertraits.iter().map(String::as_str);
    let derived: Vec<&str> = derived.filter(|name| !WRITTEN.contains(name) && *name != "Error").collect();
    let attribute =
        if derived.is_empty() { String::new() } else { format!("#[derive({})] ", derived.join(", ")) };
    let name = object.path.rsplit("::").next().unwrap_or_default();
    let mut items = String::new();
    for of in WRITTEN.into_iter().filter(|of| has(of) || has("Error")) {
        items.push_str(&format!(
            "impl std::fmt::{of} for {ty} {{ fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{ f.write_str({name:?}) }} }} "
        ));
    }
    if has("Error") {
        items.push_str(&format!("impl std::error::Error for {ty} {{}} "));
    }
    (attribute, items)
}

/// `x0, x1`
fn args(method: &Method) -> String {
    (0..method.params.len()).map(|index| format!("x{index}")).collect::<Vec<_>>().join(", ")
}

/// `fn price(&self, x0: u32) -> u64`
fn head(method: &Method) -> String {
    let params: String =
        method.params.iter().enumerate().map(|(index, ty)| format!(", x{index}: {ty}")).collect();
    let result = if method.result == "()" { String::new() } else { format!(" -> {}", method.result) };
    format!("fn {}({}{params}){result}", method.name, method.receiver.code())
}
