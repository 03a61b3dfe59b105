//! The types that stand for values of a trait: Rust text.
//!
//! For `trait Pricing { fn price(&self, qty: u32) -> u64; fn name(&self) -> String { .. } }` with the implementor `Flat`:
//!
//! ```text
//! pub struct Table3 { price: usize }
//! impl shop::Pricing for Table3 { fn price(&self, x0: u32) -> u64 { /* asks for the result of function `self.price` */ } }
//! pub enum Object3 { Table(Table3), Other1(shop::Flat) }
//! impl shop::Pricing for Object3 { /* both methods: those of the value inside */ }
//! ```
//!
//! So methods with a body keep it in the table, and an implementor has its own. Where a spec refines a method, its calls
//! are judged for implementors, too.

use std::fmt::Write;

use target_strategies::logic::ir::{CallbackId, DataId, Method, Object, Refined, SeqKind, Sort};
use target_strategies::logic::rust_code::supertraits;

use super::convert::{self, FUNCTIONS};
use super::glue::{CONVERT, Glue, Owner, maker};

/// The functions that make and show a data type; for values of a trait, also their types. `None` for types made in place.
pub fn functions(id: DataId, spec: Glue<'_>) -> Option<String> {
    match &spec.data(id).object {
        // What a value of a trait is can't be seen, so nothing shows it.
        Some(object) => {
            let (own, debug) = match spec.owner {
                Owner::Harness => (object.clone(), String::new()),
                Owner::Strategy => (without_debug(object), debug(id, object, spec)),
            };
            Some(format!("{}{debug}fn {}() {{}}\n", items(id, &own, spec), convert::shower(id)))
        }
        None => convert::functions(id, spec),
    }
}

/// The trait without a supertrait that is written in another way.
fn without_debug(object: &Object) -> Object {
    let mut object = object.clone();
    object.supertraits.retain(|name| name != "Debug");
    object
}

/// The type by which a method is asked for its results.
fn asked(owner: Owner) -> &'static str {
    match owner {
        Owner::Harness => "usize",
        Owner::Strategy => "::target_strategies::strategy::Asked",
    }
}

/// The implementations of `Debug`: `Pricing { price: |qty| 0 }`, or what an implementor shows.
fn debug(id: DataId, object: &Object, spec: Glue<'_>) -> String {
    let n = id.0;
    let ctors = &spec.data(id).ctors;
    let name = object.path.rsplit("::").next().unwrap_or_default();
    let table = ctors.first().map_or(&[][..], |ctor| &ctor.fields);
    let fields: String =
        table.iter().map(|field| format!(".field({:?}, &self.{})", field.name, raw(&field.name))).collect();
    let head = |of: &str| {
        format!(
            "impl ::std::fmt::Debug for {of} {{\nfn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {{\n"
        )
    };
    let others: String = (1..ctors.len())
        .map(|index| {
            format!(
                "Object{n}::Other{index}(inner) => ::target_strategies::strategy::Shown(inner).show(out), "
            )
        })
        .collect();
    format!(
        "{}out.debug_struct({name:?}){fields}.finish()\n}}\n}}\n\
         {}use ::target_strategies::strategy::Hidden as _;\n\
         match self {{ Object{n}::Table(inner) => inner.fmt(out), {others} }}\n}}\n}}\n",
        head(&format!("Table{n}")),
        head(&format!("Object{n}"))
    )
}

/// The types of a trait's values, and the function that makes one.
fn items(id: DataId, object: &Object, spec: Glue<'_>) -> String {
    let Some((table, implementors)) = spec.data(id).ctors.split_first() else { return String::new() };
    let n = id.0;
    let (derived, of_both) = supertraits(object, &format!("Table{n}"));
    let fields: Vec<String> =
        table.fields.iter().map(|field| format!("{}: {}", raw(&field.name), asked(spec.owner))).collect();
    let mut text = format!("{derived}pub struct Table{n} {{ {} }}\n", fields.join(", "));
    let required: Vec<&Method> = object.methods.iter().filter(|method| method.is_required).collect();
    let of_table = |method: &Method| {
        let at = required.iter().position(|known| known.name == method.name)?;
        let Sort::Seq(result, SeqKind::Answers(callback)) = &table.fields.get(at)?.refined.sort else {
            return None;
        };
        let number = format!("self.{}", raw(&method.name));
        let body = match spec.owner {
            Owner::Harness => convert::asked(*callback, result, spec, &number),
            Owner::Strategy => convert::asked_of(&number, *callback, result, spec),
        };
        method.is_required.then(|| format!("{} {{ {body} }}\n", head(method)))
    };
    let _ = writeln!(text, "{}", object.implementations(&format!("Table{n}"), of_table));
    let mut variants = format!("Table(Table{n})");
    for (index, implementor) in implementors.iter().enumerate() {
        let ty = implementor.fields.first().map(|field| rust_type(&field.refined, spec)).unwrap_or_default();
        let _ = write!(variants, ", Other{}({ty})", index + 1);
    }
    let _ = writeln!(text, "{derived}pub enum Object{n} {{ {variants} }}");
    let of_object =
        |method: &Method| Some(format!("{} {{ {} }}\n", head(method), delegated(id, object, method, spec)));
    let _ = writeln!(text, "{}", object.implementations(&format!("Object{n}"), of_object));
    text + &of_both + &supertraits(object, &format!("Object{n}")).1 + &maker_of(id, spec)
}

/// The function that makes a value.
fn maker_of(id: DataId, spec: Glue<'_>) -> String {
    let n = id.0;
    let mut arms = String::new();
    for (index, ctor) in spec.data(id).ctors.iter().enumerate() {
        let made = |(position, refined): (usize, &Refined)| {
            let from = format!("&fields[{position}]");
            match (refined.callback(), spec.owner) {
                (Some(callback), Owner::Harness) => format!("{FUNCTIONS}::inside({from}, {})", callback.0),
                (Some(callback), Owner::Strategy) => {
                    format!("{}::new({from}, {})", asked(spec.owner), callback.0)
                }
                (None, _) => convert::make(refined, spec, &from),
            }
        };
        let fields = ctor.fields.iter().enumerate();
        let value = if index == 0 {
            let fields =
                fields.map(|(at, field)| format!("{}: {}", raw(&field.name), made((at, &field.refined))));
            format!("Object{n}::Table(Table{n} {{ {} }})", fields.collect::<Vec<_>>().join(", "))
        } else {
            let fields = fields.map(|(at, field)| made((at, &field.refined)));
            format!("Object{n}::Other{index}({})", fields.collect::<Vec<_>>().join(", "))
        };
        let _ = write!(arms, "({index}, fields) => {value}, ");
    }
    format!(
        "fn {}<'a>(v: &'a ::target_strategies::logic::value::Value, arena: &'a ::target_strategies::child::serve::Arena) -> Object{n} {{\n    \
         match {CONVERT}::fields(v) {{ {arms}(ctor, _) => {CONVERT}::no_constructor(ctor, {:?}) }}\n}}\n",
        maker(id),
        spec.data(id).rust_type,
    )
}

/// The body of a method that the value inside has.
fn delegated(id: DataId, object: &Object, method: &Method, spec: Glue<'_>) -> String {
    let (n, path, name) = (id.0, object.path_of(method), raw(&method.name));
    let data = spec.data(id);
    let args: String = (0..method.params.len()).map(|index| format!(", x{index}")).collect();
    let mut arms = format!("Object{n}::Table(inner) => <Table{n} as {path}>::{name}(inner{args}), ");
    let table = data.ctors.first().into_iter().flat_map(|ctor| &ctor.fields);
    let field = { table }.find(|field| field.name == method.name && method.is_required);
    for (index, implementor) in (1..).zip(data.ctors.iter().skip(1)) {
        let ty = implementor.fields.first().map(|field| rust_type(&field.refined, spec)).unwrap_or_default();
        let call = format!("<{ty} as {path}>::{name}(inner{args})");
        let call = match field.map(|field| &field.refined.sort) {
            Some(Sort::Seq(result, SeqKind::Answers(id))) => judged(*id, result, spec, &call),
            _ => call,
        };
        let _ = write!(arms, "Object{n}::Other{index}(inner) => {call}, ");
    }
    format!("match self {{ {arms}}}")
}

/// A call of an implementor's method, whose arguments and result the spec refines.
fn judged(id: CallbackId, result: &Refined, spec: Glue<'_>, call: &str) -> String {
    if !is_refined(id, result, spec) {
        return call.to_owned();
    }
    let args = convert::shown_args(id, spec).join(", ");
    let shown = convert::show(result, spec, "(&result)");
    let id = id.0;
    format!(
        "{{ let args = ::std::vec![{args}]; {FUNCTIONS}::implementor::asked({id}, &args); let result = {call}; \
         {FUNCTIONS}::implementor::given({id}, &args, {shown}); result }}"
    )
}

/// Whether the spec refines a method.
pub fn is_refined(id: CallbackId, result: &Refined, spec: Glue<'_>) -> bool {
    let callback = spec.callback(id);
    let mut inside = Vec::new();
    callback.params.iter().for_each(|param| param.refined.clauses_inside(&mut inside));
    result.clauses_inside(&mut inside);
    !(callback.requires.is_empty() && callback.ensures.is_empty() && inside.is_empty())
}

/// `fn price(&self, x0: u32) -> u64`
fn head(method: &Method) -> String {
    let params: String =
        method.params.iter().enumerate().map(|(index, ty)| format!(", x{index}: {ty}")).collect();
    format!("fn {}({}{params}) -> {}", raw(&method.name), method.receiver.code(), method.result)
}

fn rust_type(refined: &Refined, spec: Glue<'_>) -> String {
    crate::frontend::data::rust_type(refined, &spec.data)
}

/// A name, also if it is a keyword.
fn raw(name: &str) -> String {
    if syn::parse_str::<syn::Ident>(name).is_ok() { name.to_owned() } else { format!("r#{name}") }
}
