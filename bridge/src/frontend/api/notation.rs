//! The types of a crate without type parameters, as a spec writes them.

use crate::frontend::catalog::{Length, RustType};
use crate::frontend::declarations::is_shipped;

use super::described::Name;
use super::values::Values;

impl Values<'_> {
    /// A type in a spec's syntax, or why it has none. The crate's own types are entries of the table `data`, whose
    /// numbers are added to `uses`.
    pub(super) fn spec_text(&mut self, ty: &RustType, uses: &mut Vec<usize>) -> Result<String, String> {
        let name = ty.name().unwrap_or_default().to_owned();
        Ok(match ty {
            RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_) => name,
            RustType::String | RustType::Str => name,
            RustType::Tuple(parts) => {
                let parts = self.all(parts, uses)?;
                let comma = if parts.len() == 1 { "," } else { "" };
                format!("({}{comma})", parts.join(", "))
            }
            RustType::Array(element, Length::Known(length)) => {
                format!("[{}; {length}]", self.spec_text(element, uses)?)
            }
            RustType::Slice(element) => format!("[{}]", self.spec_text(element, uses)?),
            RustType::Vec(inner)
            | RustType::Deque(inner)
            | RustType::Set(inner, _)
            | RustType::Option(inner)
            | RustType::Box(inner)
            | RustType::Rc(inner)
            | RustType::Arc(inner)
            | RustType::Cow(inner) => format!("{name}<{}>", self.spec_text(inner, uses)?),
            RustType::Map(key, value, _) | RustType::Result(key, value) => {
                format!("{name}<{}, {}>", self.spec_text(key, uses)?, self.spec_text(value, uses)?)
            }
            RustType::Ref { mutable: false, inner } => format!("&{}", self.spec_text(inner, uses)?),
            RustType::Ref { mutable: true, .. } => return Err("it contains a `&mut`".to_owned()),
            RustType::Item(id, _) if self.catalog.item(*id).of_trait.is_some() => {
                let text = self.catalog.shown(ty);
                return Err(format!(
                    "values for `{text}` are made where a spec names it: see `cargo target init`"
                ));
            }
            RustType::Item(id, args) => {
                match self.described.as_ref().and_then(|described| described.name(ty)) {
                    Some(Name::OfEntry(name)) => return Ok(name),
                    Some(Name::OfType(path)) if args.is_empty() => return Ok(path),
                    Some(Name::OfType(path)) => {
                        return Ok(format!("{path}<{}>", self.all(args, uses)?.join(", ")));
                    }
                    None => {}
                }
                let entry = self.entry(*id, args)?;
                uses.push(entry);
                self.entries[entry].name.clone()
            }
            RustType::Foreign(path, args) if is_shipped(path) => {
                let args = self.all(args, uses)?;
                if args.is_empty() { path.clone() } else { format!("{path}<{}>", args.join(", ")) }
            }
            RustType::Foreign(path, _) => {
                return Err(format!("nothing is known that makes a `{path}`"));
            }
            RustType::Param(name) => return Err(format!("no type is known for `{name}`")),
            RustType::Function(_) => return Err("functions as arguments are not supported".to_owned()),
            RustType::Array(_, Length::Param(_) | Length::Unknown) => {
                return Err("the length of an array is no literal".to_owned());
            }
            RustType::Other(constant) if ty.constant().is_some() => constant.clone(),
            RustType::Other(text) => return Err(format!("nothing is known that makes a `{text}`")),
        })
    }

    fn all(&mut self, types: &[RustType], uses: &mut Vec<usize>) -> Result<Vec<String>, String> {
        types.iter().map(|ty| self.spec_text(ty, uses)).collect()
    }
}
