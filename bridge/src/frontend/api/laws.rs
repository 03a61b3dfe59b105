//! The laws of traits that a type implements by hand: what derives them is lawful.

use std::borrow::Cow;

use crate::frontend::catalog::{Catalog, CtorItem, FnItem, RustType, TypeId};

use super::types::{Args, rust_text, with_known};
use super::values::Values;
use super::{Call, Callee, Entry, Found, Generic, Passing, Text};

/// The traits whose laws are checked where a type implements one of the second.
const LAWS: [(&str, &[&str]); 8] = [
    ("PartialEq", &["PartialEq"]),
    ("PartialOrd", &["PartialEq", "PartialOrd", "Ord"]),
    ("Ord", &["PartialEq", "PartialOrd", "Ord"]),
    ("Hash", &["PartialEq", "Hash"]),
    ("Clone", &["Clone"]),
    ("FromStr", &["FromStr"]),
    ("Iterator", &["Iterator"]),
    ("ExactSizeIterator", &["Iterator", "ExactSizeIterator"]),
];

/// The traits of the standard library whose methods are called when results are looked at and laws are checked.
const OBSERVED: [&str; 13] = [
    "fmt::",
    "hash::",
    "clone::",
    "cmp::",
    "ops::Drop",
    "ops::Deref",
    "ops::DerefMut",
    "borrow::",
    "error::",
    "string::",
    "convert::AsRef",
    "convert::AsMut",
    "any::",
];

/// Whether a method of a trait is called anyway, or only by a format of serde.
pub(super) fn is_observed(path: &str) -> bool {
    trait_of(path).is_some_and(|name| {
        let inner = name.strip_prefix("std::").or_else(|| name.strip_prefix("core::")).unwrap_or(name);
        let is_of_serde = inner.starts_with("serde::");
        is_of_serde || inner != name && OBSERVED.iter().any(|known| inner.starts_with(known))
    })
}

/// The trait in the path of its method.
fn trait_of(path: &str) -> Option<&str> {
    let (_, rest) = path.strip_prefix('<')?.split_once(" as ")?;
    rest.rsplit_once(">::").map(|(name, _)| name)
}

/// The crate of the format in which values of types with serde's traits are written and read.
const JSON: &str = "serde_json";

/// An entry for each law of each type, and those of them that are generic.
pub(super) fn entries<'c>(
    catalog: &'c Catalog,
    dependencies: &[String],
    values: &mut Values<'c>,
) -> (Vec<Found>, Vec<Generic<'c>>) {
    let (mut found, generic) = of_traits(catalog, values);
    if dependencies.iter().any(|name| name == JSON) {
        found.extend(round_trips(catalog, values));
    }
    (found, generic)
}

/// An entry for each type that serde writes and reads.
fn round_trips(catalog: &Catalog, values: &mut Values) -> Vec<Found> {
    let mut found = Vec::new();
    for (id, item) in catalog.types.iter().enumerate() {
        let has = |name: &str| {
            let of_type = format!("{}::", item.path);
            let of_trait = format!("serde::{name}>::");
            let is_own = |function: &&FnItem| {
                let path = function.public_path.as_deref().unwrap_or_default();
                function.path.starts_with(&of_type)
                    && path.replace("serde::de::", "serde::").contains(&of_trait)
            };
            item.derives.iter().any(|derived| derived == name) || catalog.functions.iter().any(|f| is_own(&f))
        };
        let ty = RustType::Item(TypeId(id as u32), Vec::new());
        let is_plain = item.generics.is_empty() && item.lifetimes == 0 && item.of_trait.is_none();
        // Without a feature of its own, the format reads some floats as neighbors of what was written.
        let holds = |is_it| holds_ctor(&ty, is_it, catalog, &mut Vec::new());
        if !is_plain || !has("Serialize") || !has("Deserialize") || holds(&is_float) || holds(&is_left_out) {
            continue;
        }
        let mut uses = Vec::new();
        let Ok(text) = values.spec_text(&ty, &mut uses) else { continue };
        let Some(written) = rust_text(&ty, catalog) else { continue };
        let call = format!(
            "|a, b, c| {{ let (a, b, c): ({written}, {written}, {written}) = (a, b, c); \
             ::target_strategies::child::serve::check_law!(Deserialize, \" as JSON\", \
             |value: &{written}| ::{JSON}::to_string(value).ok(), \
             |text: &str| ::{JSON}::from_str::<{written}>(text).ok(), a, b, c) }}"
        );
        let text = Text { spec: format!("fn(a: {text}, b: {text}, c: {text})"), call };
        let key = format!("{} as Deserialize", catalog.shown(&ty));
        let item = catalog.functions.iter().position(|f| f.path.starts_with(&format!("{}::", item.path)));
        let what = Callee::Law { of: "Deserialize" };
        found.push((Call::of_first_instance(key, item.unwrap_or_default(), what), text, uses));
    }
    found
}

fn is_float(ctor: &CtorItem) -> bool {
    fn holds(ty: &RustType) -> bool {
        matches!(ty, RustType::Float(_)) || ty.parts().into_iter().any(holds)
    }
    ctor.fields.iter().any(|field| holds(&field.ty))
}

/// Whether serde leaves the variant or a field out on purpose: it doesn't come back.
fn is_left_out(ctor: &CtorItem) -> bool {
    ctor.is_skipped || ctor.fields.iter().any(|field| field.is_skipped)
}

/// Whether some value of a type contains such a variant or struct.
fn holds_ctor(
    ty: &RustType,
    is_it: &dyn Fn(&CtorItem) -> bool,
    catalog: &Catalog,
    seen: &mut Vec<TypeId>,
) -> bool {
    let in_item = match ty {
        RustType::Item(id, _) if !seen.contains(id) => {
            seen.push(*id);
            let mut ctors = catalog.item(*id).ctors.iter();
            ctors.any(|ctor| {
                let mut fields = ctor.fields.iter();
                is_it(ctor) || fields.any(|field| holds_ctor(&field.ty, is_it, catalog, seen))
            })
        }
        _ => false,
    };
    in_item || ty.parts().into_iter().any(|part| holds_ctor(part, is_it, catalog, seen))
}

/// A law of a type, or what `Display` writes of it.
#[derive(Clone, Copy)]
pub(super) struct Law {
    of: &'static str,
    ty: TypeId,
}

impl Law {
    /// The type with what its parameters stand for.
    pub(super) fn type_at(
        self,
        function: &FnItem,
        args: &Args,
        catalog: &Catalog,
    ) -> Result<RustType, String> {
        let generics = &catalog.item(self.ty).generics;
        let at = generics.iter().map(|name| args.get(name).cloned()).collect::<Option<Vec<RustType>>>();
        let unknown = || format!("the types of `{}` are not known", function.path);
        Ok(RustType::Item(self.ty, at.ok_or_else(unknown)?))
    }

    pub(super) fn key(self, ty: &RustType, catalog: &Catalog) -> String {
        let shown = catalog.shown(ty);
        if self.of == DISPLAY { format!("{shown}::fmt") } else { format!("{shown} as {}", self.of) }
    }

    pub(super) fn entry(self, ty: &RustType, values: &mut Values) -> Result<Entry, String> {
        let mut uses = Vec::new();
        let text = values.spec_text(ty, &mut uses)?;
        let written = rust_text(ty, values.catalog).ok_or("the type can't be written")?;
        let of = self.of;
        if of == DISPLAY {
            let call =
                format!("|a| {{ let a: {written} = a; ::target_strategies::child::serve::observe!(a) }}");
            let path = "std::string::ToString::to_string".to_owned();
            let callee = Callee::Function { path, passing: vec![Passing::Ref], result: None };
            return Ok(Entry { text: Text { spec: format!("fn(a: {text})"), call }, callee, uses });
        }
        let text = Text {
            spec: format!("fn(a: {text}, b: {text}, c: {text})"),
            call: format!(
                "|a, b, c| {{ let (a, b, c): ({written}, {written}, {written}) = (a, b, c); \
                 ::target_strategies::child::serve::check_law!({of}, a, b, c) }}"
            ),
        };
        Ok(Entry { text, callee: Callee::Law { of }, uses })
    }

    /// The method with the parameters of the type, of which the law asks for its trait, too.
    fn function(self, method: &FnItem, catalog: &Catalog) -> FnItem {
        let generics = catalog.item(self.ty).generics.clone();
        let asks = COMPARED.contains(&self.of);
        let own = generics.iter().filter(|_| asks).map(|name| (name.clone(), self.of.to_owned()));
        let bounds = method.bounds.iter().cloned().chain(own).collect();
        // The method's own type parameters don't matter.
        FnItem { generics, bounds, ..method.clone() }
    }
}

/// The trait that writes values.
const DISPLAY: &str = "Display";

/// The traits of which an implementation for a container mostly asks the same of its items.
const COMPARED: [&str; 5] = ["PartialEq", "PartialOrd", "Ord", "Hash", "Clone"];

/// An entry for each law of the traits of the standard library that a type implements, at the first types that its parameters
/// stand for.
fn of_traits<'c>(catalog: &'c Catalog, values: &mut Values<'c>) -> (Vec<Found>, Vec<Generic<'c>>) {
    let (mut found, mut generic): (Vec<Found>, Vec<Generic>) = (Vec::new(), Vec::new());
    for (item, method) in catalog.functions.iter().enumerate() {
        let Some(of) = method.public_path.as_deref().and_then(trait_of) else { continue };
        let name = of.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
        // The method's path begins with its type's.
        let Some((path, _)) = method.path.rsplit_once("::") else { continue };
        let Some(id) = catalog.types.iter().position(|ty| ty.path == path) else { continue };
        let ty = &catalog.types[id];
        let has = |law: &str| {
            law == name || ty.own_traits.iter().chain(&ty.derives).any(|implemented| implemented == law)
        };
        let laws = LAWS.iter().filter(|(law, given)| given.contains(&name) && has(law)).map(|(law, _)| *law);
        for of in (name == DISPLAY).then_some(DISPLAY).into_iter().chain(laws) {
            let law = Law { of, ty: TypeId(id as u32) };
            let function = law.function(method, catalog);
            let of_type = FnItem { bounds: method.bounds.clone(), ..function.clone() };
            let Some(args) = with_known(&of_type, Args::new(), catalog) else { continue };
            let Ok(ty) = law.type_at(&function, &args, catalog) else { continue };
            let key = law.key(&ty, catalog);
            if of != DISPLAY && found.iter().any(|(call, ..)| call.key == key) {
                continue;
            }
            let Ok(Entry { text, callee, uses }) = law.entry(&ty, values) else { continue };
            found.push((Call::of_first_instance(key.clone(), item, callee), text, uses));
            let function = Cow::Owned(function);
            if !args.is_empty() {
                generic.push(Generic { function, args, item, key, law: Some(law) });
            }
        }
    }
    (found, generic)
}

#[cfg(test)]
mod tests {
    use crate::frontend::api::discover;
    use crate::frontend::catalog::{Cfg, scan_text};
    use crate::frontend::diagnostic::Sources;

    #[test]
    fn what_serde_leaves_out_on_purpose_need_not_come_back() {
        let derive = "#[derive(PartialEq, Serialize, Deserialize)]";
        let text = format!(
            "{derive} pub struct All {{ #[serde(default, rename = \"x\")] pub a: u8 }}
             {derive} pub struct Part {{ pub a: u8, #[serde(skip)] pub cache: u8 }}
             {derive} pub struct Half {{ #[serde(default = \"zero\", skip_serializing)] pub b: u8 }}
             {derive} pub enum Unit {{ A, #[serde(rename = \"b\", skip)] B }}
             {derive} pub struct List {{ #[serde(rename(serialize = \"a\"), skip)] pub b: u8 }}
             {derive} pub struct Holder {{ pub part: Vec<Part> }} {derive} pub struct Real(pub f32);"
        );
        let (catalog, _) = scan_text(&text, "me", &Cfg::default());
        let api = discover(&catalog, &["serde_json".to_owned()], &mut Sources::default());
        let keys: Vec<&str> = api.calls.iter().map(|call| call.key.as_str()).collect();
        assert_eq!(keys, ["All as Deserialize"]);
    }

    #[test]
    fn only_laws_of_traits_that_a_type_has_are_checked() {
        let text = "pub struct Rate(u8); impl Rate { pub fn new(n: u8) -> Rate { Rate(n) } pub fn half(self) -> Rate { self } }
            impl PartialEq for Rate { fn eq(&self, other: &Rate) -> bool { true } }
            impl Iterator for Rate { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
            #[derive(Hash)] pub struct Name(u8); impl Name { pub fn new(n: u8) -> Option<Name> { None } pub fn half(self) -> Name { self } }
            impl PartialEq for Name { fn eq(&self, other: &Name) -> bool { true } }
            impl Iterator for Name { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
            impl ExactSizeIterator for Name {}";
        let (catalog, _) = scan_text(text, "me", &Cfg::default());
        let api = discover(&catalog, &[], &mut Sources::default());
        let keys: Vec<&str> = api.calls.iter().map(|call| call.key.as_str()).collect();
        let laws: Vec<&str> = keys.iter().copied().filter(|key| key.contains(" as ")).collect();
        let of_name = ["Name as PartialEq", "Name as Hash", "Name as Iterator", "Name as ExactSizeIterator"];
        assert_eq!(laws, [&["Rate as PartialEq", "Rate as Iterator"][..], &of_name].concat());
        // `Rate::new` stores its argument, and needs no other calls; `Name::new` may refuse it.
        let bodies: Vec<&str> = api.manifest.data.iter().map(|(_, body)| body.text.as_str()).collect();
        assert_eq!(bodies[0], "via Rate::new(x0: u8) -> me::Rate");
        assert!(bodies[1].contains("Name::half"), "{bodies:?}");
    }
}
