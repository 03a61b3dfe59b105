//! A spec under construction: the types of a function as a spec writes them, and conditions.

use std::collections::BTreeMap;

use target_bridge::frontend::api::{declared_default, instances, own_instance};
use target_bridge::frontend::catalog::guards::names;
use target_bridge::frontend::catalog::{
    Catalog, FnItem, Length, ParamItem, RustType, TypeId, TypeLookup, anonymous_bounds, default_instance,
    projection, substitute,
};

use super::trial::Trial;

/// How the types of a function are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// Without types of other crates.
    OwnTypes,
    /// With all types. A type parameter that a trait of the crate bounds is `impl Trait`.
    AllTypes,
    /// The same, but such a type parameter is one type that the crate has for it.
    AtInstances,
    /// The same, also inside the types of the crate.
    AtAllInstances,
}

/// A signature with conditions.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The path of the function, as the manifest's key.
    pub key: String,
    params: Vec<Param>,
    result: Option<String>,
    requires: Vec<String>,
}

#[derive(Clone, Debug)]
struct Param {
    name: String,
    ty: String,
    /// Whether it can be refined in its place. A refinement of a `&mut` would have to hold on return, too.
    is_refinable: bool,
    conditions: Vec<String>,
}

impl Draft {
    /// The declared types. A type without a notation in specs is `Self`, which means the declared type: the resolver says
    /// why it is not supported.
    pub fn new(item: &FnItem, trial: &Trial, writing: Writing) -> Draft {
        let catalog = trial.catalog;
        let notation = Notation { item, catalog, named: &trial.named, writing, is_inside: false };
        let known = match writing {
            Writing::AtAllInstances => instances(item, catalog),
            Writing::OwnTypes | Writing::AllTypes | Writing::AtInstances => BTreeMap::new(),
        };
        let at_instance = |ty: &RustType| substitute(ty, &known).unwrap_or_else(|| ty.clone());
        let param = |(index, param): (usize, &ParamItem)| {
            let is_plain = param.name != "_" && !param.name.starts_with("r#");
            Param {
                name: if is_plain { param.name.clone() } else { format!("x{index}") },
                ty: notation.text(&at_instance(&param.ty)).unwrap_or_else(|| "Self".to_owned()),
                is_refinable: param.name != "self"
                    && !matches!(param.ty, RustType::Ref { mutable: true, .. }),
                conditions: Vec::new(),
            }
        };
        let result = match &item.result {
            RustType::Tuple(parts) if parts.is_empty() => None,
            // A result that can change an argument is not looked at.
            result if holds_mut(result) => None,
            result => Notation { is_inside: true, ..notation }.text(&at_instance(result)),
        };
        let key = key(item, catalog);
        let params = item.params.iter().enumerate().map(param).collect();
        Draft { key, params, result, requires: Vec::new() }
    }

    /// Whether the function has parameters.
    pub fn has_params(&self) -> bool {
        !self.params.is_empty()
    }

    /// The draft with a condition on its parameters: in a type, and as a precondition. Empty if it mentions none.
    pub fn with(&self, condition: &str) -> Vec<Draft> {
        let is_mentioned = |param: &Param| names(condition).any(|name| name == param.name);
        let Some(last) = self.params.iter().rposition(is_mentioned) else { return Vec::new() };
        let mut drafts = Vec::new();
        if self.params[last].is_refinable {
            let mut refined = self.clone();
            refined.params[last].conditions.push(condition.to_owned());
            drafts.push(refined);
        }
        let mut guarded = self.clone();
        guarded.requires.push(condition.to_owned());
        drafts.push(guarded);
        drafts
    }

    /// The parameters with their types, as in a builder of the table `data`.
    pub fn parameters(&self) -> String {
        let params: Vec<String> =
            self.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
        params.join(", ")
    }

    /// The spec, and the position in it at which each parameter ends.
    pub fn spec(&self) -> (String, Vec<usize>) {
        let mut text = "fn(".to_owned();
        let mut ends = Vec::new();
        for param in &self.params {
            let Param { name, ty, conditions, .. } = param;
            let gap = if ends.is_empty() { "" } else { ", " };
            text += &match conditions.as_slice() {
                [] => format!("{gap}{name}: {ty}"),
                conditions => format!("{gap}{name}: {{{name}: {ty} | {}}}", all(conditions)),
            };
            ends.push(text.len());
        }
        text.push(')');
        if let Some(result) = &self.result {
            text += &format!(" -> {result}");
        }
        if !self.requires.is_empty() {
            text += &format!(" requires {}", all(&self.requires));
        }
        (text, ends)
    }
}

/// The public path of a function; that of a method of a trait goes through its type.
fn key(item: &FnItem, catalog: &Catalog) -> String {
    let access = item.access.as_ref().map(|access| access.path.as_str());
    if let Some(path) = access.filter(|path| !path.starts_with('<')) {
        return path.to_owned();
    }
    let of_type = item.path.rsplit_once("::").and_then(|(path, name)| {
        let found = catalog.types.iter().find(|ty| ty.path == path)?;
        Some(format!("{}::{name}", found.access.path))
    });
    of_type.unwrap_or_else(|| item.path.clone())
}

/// The conjunction of conditions.
fn all(conditions: &[String]) -> String {
    let is_loose = |text: &str| ["||", "==>", "if ", "match ", "|"].iter().any(|sign| text.contains(sign));
    let part = |text: &String| {
        if conditions.len() > 1 && is_loose(text) { format!("({text})") } else { text.clone() }
    };
    conditions.iter().map(part).collect::<Vec<_>>().join(" && ")
}

/// Whether a `&mut` is in a type.
fn holds_mut(ty: &RustType) -> bool {
    matches!(ty, RustType::Ref { mutable: true, .. }) || ty.parts().into_iter().any(holds_mut)
}

/// Whether a type parameter is in a type.
fn mentions(ty: &RustType, name: &str) -> bool {
    matches!(ty, RustType::Param(other) if other == name)
        || ty.parts().into_iter().any(|part| mentions(part, name))
}

/// Writes the types of a function as a spec does.
#[derive(Clone, Copy)]
struct Notation<'a> {
    item: &'a FnItem,
    catalog: &'a Catalog,
    /// The types that have entries in the table `data`, and the names of these.
    named: &'a [(RustType, String)],
    writing: Writing,
    /// Whether the type is a result, behind an owning pointer, or an argument of a type of the crate: what is a trait's value
    /// elsewhere must have one type there.
    is_inside: bool,
}

impl Notation<'_> {
    /// `impl Pricing` for a type parameter with a trait of the crate as its bound.
    fn of_trait(&self, parameter: &str) -> Option<String> {
        let anonymous = anonymous_bounds(parameter);
        let anonymous = anonymous.into_iter().flat_map(|text| text.split(" + ")).map(str::trim);
        let declared = self.item.bounds.iter().filter(|(name, _)| name == parameter);
        let bounds = declared.map(|(_, bound)| bound.as_str()).chain(anonymous);
        bounds.into_iter().find_map(|bound| {
            let path: Vec<&str> = bound.split("::").collect();
            let TypeLookup::Found(id) = self.catalog.type_(&path) else { return None };
            let item = self.catalog.item(id);
            let is_plain = item.of_trait.is_some() && item.generics.is_empty();
            is_plain.then(|| format!("impl {}", item.access.path))
        })
    }

    /// A type parameter at the type that stands for it, or as a trait's value.
    fn parameter(&self, name: &str) -> Option<String> {
        if let Some((of, of_trait, associated)) = projection(name)
            && let Some(instance) = self.instance(of)
        {
            return self.text(&self.catalog.associated_type(&instance, of_trait, associated)?);
        }
        match (default_instance(self.item, name), declared_default(self.item, name, self.catalog)) {
            // What the author chose fits the type's other functions, too.
            (Some(_), Some(default)) => self.text(&default),
            (Some(instance), None) => Some(instance.text().to_owned()),
            (None, _) if matches!(self.writing, Writing::AtInstances | Writing::AtAllInstances) => {
                self.text(&own_instance(self.item, name, self.catalog)?)
            }
            (None, _) if self.is_inside || mentions(&self.item.result, name) => None,
            (None, _) => self.of_trait(name),
        }
    }

    /// The type that stands for a type parameter, if it is one of the source.
    fn instance(&self, name: &str) -> Option<RustType> {
        let at_instances = matches!(self.writing, Writing::AtInstances | Writing::AtAllInstances);
        match (default_instance(self.item, name), declared_default(self.item, name, self.catalog)) {
            (Some(_), default) => default,
            (None, _) if at_instances => own_instance(self.item, name, self.catalog),
            (None, _) => None,
        }
    }

    /// A type of the crate; a trait has the names of its associated types: `dyn Source<Item = u8>`.
    fn item(&self, id: TypeId, args: &[RustType]) -> Option<String> {
        let item = self.catalog.item(id);
        let inside = Notation { is_inside: true, ..*self };
        let associated = item.of_trait.iter().flat_map(|of| &of.associated);
        let n_own = args.len().saturating_sub(associated.clone().count());
        let names = std::iter::repeat_n(None, n_own).chain(associated.map(Some));
        let text = |(arg, name): (&RustType, Option<&String>)| {
            let text = inside.text(arg)?;
            Some(name.map_or_else(|| text.clone(), |name| format!("{name} = {text}")))
        };
        let args = args.iter().zip(names).map(text).collect::<Option<Vec<_>>>()?;
        let args = if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
        let applied = format!("{}{args}", item.access.path);
        Some(if item.of_trait.is_some() { format!("dyn {applied}") } else { applied })
    }

    /// The type in a spec's syntax; `None` if it has none.
    fn text(&self, ty: &RustType) -> Option<String> {
        let text = |ty: &RustType| self.text(ty);
        let list = |types: &[RustType]| {
            types.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "))
        };
        let applied = |path: &str, args: &[RustType]| {
            Some(if args.is_empty() { path.to_owned() } else { format!("{path}<{}>", list(args)?) })
        };
        Some(match ty {
            RustType::Bool
            | RustType::Char
            | RustType::Int(_)
            | RustType::Float(_)
            | RustType::String
            | RustType::Str => ty.name()?.to_owned(),
            RustType::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)?),
            RustType::Tuple(parts) => format!("({})", list(parts)?),
            RustType::Array(element, Length::Known(length)) => format!("[{}; {length}]", text(element)?),
            RustType::Slice(element) => format!("[{}]", text(element)?),
            RustType::Vec(element) => format!("Vec<{}>", text(element)?),
            RustType::Deque(inner) | RustType::Set(inner, _) => format!("{}<{}>", ty.name()?, text(inner)?),
            RustType::Map(key, value, _) => format!("{}<{}, {}>", ty.name()?, text(key)?, text(value)?),
            RustType::Option(inner) => format!("Option<{}>", text(inner)?),
            RustType::Result(ok, error) => format!("Result<{}, {}>", text(ok)?, text(error)?),
            RustType::Box(inner) if matches!(**inner, RustType::Other(_)) => format!("Box<{}>", text(inner)?),
            RustType::Box(inner) | RustType::Rc(inner) | RustType::Arc(inner) | RustType::Cow(inner) => {
                Notation { is_inside: true, ..*self }.text(inner)?
            }
            RustType::Ref { mutable: true, inner } => format!("&mut {}", text(inner)?),
            RustType::Ref { mutable: false, inner } => format!("&{}", text(inner)?),
            RustType::Item(id, args) => {
                if let Some((_, name)) = self.named.iter().find(|(named, _)| named == ty) {
                    return Some(name.clone());
                }
                self.item(*id, args)?
            }
            RustType::Foreign(path, args) if self.writing != Writing::OwnTypes => applied(path, args)?,
            RustType::Param(name) => self.parameter(name)?,
            RustType::Function(function) => {
                let params = list(&function.params)?;
                match &function.result {
                    RustType::Tuple(parts) if parts.is_empty() => format!("fn({params})"),
                    result => format!("fn({params}) -> {}", text(result)?),
                }
            }
            // The argument for a constant parameter.
            RustType::Other(constant) if ty.constant().is_some() => constant.clone(),
            // An opaque type is named by its first bound: `dyn Error`.
            RustType::Other(bounds) if self.writing != Writing::OwnTypes && bounds.starts_with("dyn ") => {
                bounds.split(" +").next()?.to_owned()
            }
            RustType::Foreign(..)
            | RustType::Array(_, Length::Param(_) | Length::Unknown)
            | RustType::Other(_) => return None,
        })
    }
}
