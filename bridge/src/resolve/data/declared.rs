//! From a type of the user's source to a refined type without refinements, or why that isn't supported.

use target_strategies::ir::{Pointer, Refined, SeqKind, Sort, StrKind};

use crate::catalog::RustType;
use crate::resolve::data::{DataTable, Position};
use crate::resolve::lookup;

impl DataTable<'_> {
    /// A type of the source as a refined type without refinements, its type parameters replaced; or why not.
    pub fn declared(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        match self.declared_strictly(ty, env, position) {
            Err(_) if position == Position::Output => {
                Ok(Refined::plain(Sort::Opaque(lookup::type_text(self.catalog, ty))))
            }
            other => other,
        }
    }

    fn declared_strictly(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        let sort = match ty {
            RustType::Bool => Sort::Bool,
            RustType::Char => Sort::Char,
            RustType::Int(kind) => Sort::Int(*kind),
            RustType::Float(64) => Sort::Float,
            RustType::String => Sort::Str(StrKind::String),
            RustType::Str => Sort::Str(StrKind::Str),
            RustType::Tuple(parts) => {
                let parts: Result<_, _> =
                    parts.iter().map(|part| self.declared(part, env, position)).collect();
                Sort::Tuple(parts?)
            }
            RustType::Array(inner, Some(n)) => self.sequence(inner, env, position, SeqKind::Array(*n))?,
            RustType::Slice(inner) => self.sequence(inner, env, position, SeqKind::Slice)?,
            RustType::Vec(inner) => self.sequence(inner, env, position, SeqKind::Vec)?,
            RustType::Option(inner) => {
                let inner = self.declared(inner, env, position)?;
                Sort::Data(self.option_of(inner))
            }
            RustType::Result(ok, err) => {
                let (ok, err) = (self.declared(ok, env, position)?, self.declared(err, env, position)?);
                Sort::Data(self.result_of(ok, err))
            }
            RustType::Item(id, args) => {
                let args: Result<_, _> = args.iter().map(|arg| self.declared(arg, env, position)).collect();
                Sort::Data(self.instance(*id, args?)?)
            }
            RustType::Param(name) => {
                return match env.iter().find(|(param, _)| param == name) {
                    Some((_, refined)) => Ok(refined.clone()),
                    None => Err(format!("the spec doesn't say what `{name}` is")),
                };
            }
            RustType::Box(_) | RustType::Rc(_) | RustType::Arc(_) | RustType::Ref { .. } => {
                return self.behind_pointer(ty, env, position);
            }
            RustType::Float(_)
            | RustType::Array(..)
            | RustType::Function
            | RustType::Foreign(..)
            | RustType::Other(_) => return Err(lookup::unsupported(self.catalog, ty)),
        };
        Ok(Refined::plain(sort))
    }

    fn sequence(
        &mut self,
        inner: &RustType,
        env: &[(String, Refined)],
        position: Position,
        kind: SeqKind,
    ) -> Result<Sort, String> {
        Ok(Sort::Seq(Box::new(self.declared(inner, env, position)?), kind))
    }

    fn behind_pointer(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        let Some((pointer, inner)) = lookup::pointer(ty) else {
            return Err(lookup::unsupported(self.catalog, ty));
        };
        if position == Position::Field && matches!(pointer, Pointer::Ref | Pointer::RefMut) {
            return Err("fields that hold references are not supported yet".to_owned());
        }
        let mut refined = self.declared(inner, env, position)?;
        refined.pointers.insert(0, pointer);
        Ok(refined)
    }
}
