//! Prints values of traits: `Pricing { price: |_| 3 }`, or in a test a type that has the trait.

use super::Printer;
use crate::logic::ir::{CallbackKind, Ctor, DataId, Field, Method, Object};
use crate::logic::value::Value;

impl Printer<'_> {
    /// A table, or the value of an implementor.
    pub(super) fn object(&self, id: DataId, (number, ctor): (u32, &Ctor), fields: &[Value]) -> String {
        match (&self.spec.data(id).object, number, ctor.fields.as_slice(), fields) {
            (Some(object), 0, _, _) if self.has_items => self.with_items(object, ctor, fields),
            (Some(_), 1.., [field], [value]) => self.behind(&field.refined.pointers, value, &field.refined),
            _ => self.constructed(ctor, fields),
        }
    }

    /// A block with a type for the value: `{ struct Table; impl Pricing for Table { .. } Table }`.
    fn with_items(&self, object: &Object, ctor: &Ctor, values: &[Value]) -> String {
        let (mut fields, mut init, mut methods) = (String::new(), String::new(), String::new());
        let required = object.methods.iter().filter(|method| method.is_required);
        for ((field, value), method) in ctor.fields.iter().zip(values).zip(required) {
            let code = self.behind(&field.refined.pointers, value, &field.refined);
            let (name, args) = (&method.name, args(method));
            let body = if self.kind(field) == Some(CallbackKind::Stateful) {
                let types = method.params.join(", ");
                fields.push_str(&format!("{name}: Box<dyn FnMut({types}) -> {}>, ", method.result));
                init.push_str(&format!("{name}: Box::new({code}), "));
                format!("(self.{name})({args})")
            } else if args.is_empty() {
                format!("({code})()")
            } else {
                // With its type, rustc knows those of the closure's parameters.
                let types = method.params.join(", ");
                format!("let {name}: fn({types}) -> {} = {code}; {name}({args})", method.result)
            };
            methods.push_str(&format!("{} {{ {body} }} ", head(method)));
        }
        let derived = derived(object);
        let path = &object.path;
        format!(
            "{{ {derived}struct Table {{ {fields}}} impl {path} for Table {{ {methods}}} Table {{ {init}}} }}"
        )
    }

    fn kind(&self, field: &Field) -> Option<CallbackKind> {
        Some(self.spec.callback(field.refined.callback()?).kind)
    }
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

/// The attribute for the supertraits that can be derived. Others are left to the reader.
fn derived(object: &Object) -> String {
    let derived = object.supertraits.iter().filter(|name| *name != "Display" && *name != "Error");
    let derived: Vec<&str> = derived.map(String::as_str).collect();
    if derived.is_empty() { String::new() } else { format!("#[derive({})] ", derived.join(", ")) }
}
