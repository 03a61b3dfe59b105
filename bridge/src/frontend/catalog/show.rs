//! Types and signatures as Rust text, for messages and listings; types of the crate by their shortest path.

use super::items::FnItem;
use super::rust_type::RustType;
use super::scanned::Catalog;

impl Catalog {
    /// A type as text: `Vec<tree::Tree<i64>>`.
    pub fn shown(&self, ty: &RustType) -> String {
        let all = |types: &[RustType]| types.iter().map(|ty| self.shown(ty)).collect::<Vec<_>>().join(", ");
        let applied = |name: &str, args: &[RustType]| {
            if args.is_empty() { name.to_string() } else { format!("{name}<{}>", all(args)) }
        };
        match ty {
            RustType::Tuple(parts) if parts.len() == 1 => format!("({},)", all(parts)),
            RustType::Tuple(parts) => format!("({})", all(parts)),
            RustType::Array(inner, length) => format!("[{}; {length}]", self.shown(inner)),
            RustType::Slice(inner) => format!("[{}]", self.shown(inner)),
            RustType::Ref { mutable: true, inner } => format!("&mut {}", self.shown(inner)),
            RustType::Ref { mutable: false, inner } => format!("&{}", self.shown(inner)),
            RustType::Vec(inner)
            | RustType::Deque(inner)
            | RustType::Set(inner, _)
            | RustType::Option(inner)
            | RustType::Box(inner)
            | RustType::Rc(inner)
            | RustType::Arc(inner)
            | RustType::Cow(inner) => applied(ty.name().unwrap_or("_"), std::slice::from_ref(inner)),
            RustType::Map(key, value, _) => {
                format!("{}<{}, {}>", ty.name().unwrap_or("_"), self.shown(key), self.shown(value))
            }
            RustType::Result(ok, err) => format!("Result<{}, {}>", self.shown(ok), self.shown(err)),
            RustType::Item(id, args) => {
                let item = self.item(*id);
                let is_trait = if item.of_trait.is_some() { "dyn " } else { "" };
                format!("{is_trait}{}", applied(item.public_path.as_ref().unwrap_or(&item.path), args))
            }
            RustType::Foreign(path, args) => applied(path, args),
            RustType::Param(text) | RustType::Other(text) => text.clone(),
            RustType::Function(function) => {
                let params: Vec<String> = function.params.iter().map(|ty| self.shown(ty)).collect();
                match &function.result {
                    RustType::Tuple(parts) if parts.is_empty() => format!("fn({})", params.join(", ")),
                    result => format!("fn({}) -> {}", params.join(", "), self.shown(result)),
                }
            }
            _ => ty.name().unwrap_or("_").to_string(),
        }
    }

    /// A function's signature as text, without lifetimes and bounds: `fn(k: i64, t: Tree) -> Tree`.
    pub fn signature(&self, function: &FnItem) -> String {
        let params = function.params.iter().map(|param| format!("{}: {}", param.name, self.shown(&param.ty)));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = match &function.result {
            RustType::Tuple(parts) if parts.is_empty() => String::new(),
            result => format!(" -> {}", self.shown(result)),
        };
        format!("fn({params}){result}")
    }
}
