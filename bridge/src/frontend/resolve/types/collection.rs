//! Sets and maps: Rust's own, and those of the logic, which match any kind that the function declares.

use std::rc::Rc;

use target_strategies::logic::ir::{MapKind, Refined, SetKind, Sort};

use super::{Expected, Resolver};
use crate::frontend::catalog::RustType;
use crate::frontend::data::Position;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::Type;

impl<'a> Resolver<'a> {
    /// A set or a bag.
    pub(super) fn set(
        &mut self,
        ty: &Type,
        name: &str,
        element: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let written = match name {
            "BTreeSet" => Some(SetKind::BTree),
            "HashSet" => Some(SetKind::Hash),
            "Bag" if !self.logical => {
                let message = "`Bag` is a type of the logic: Rust has no such values";
                return self
                    .fail(Diagnostic::error(ty.span, message).help("take a list, and speak of `bag(xs)`"));
            }
            "Bag" => Some(SetKind::Bag),
            _ => None,
        };
        let (kind, declared) = match (expected.core, written) {
            (Some(RustType::Set(declared, kind)), None) => (*kind, Some(declared.as_ref())),
            (Some(RustType::Set(declared, kind)), Some(written)) if written == *kind => {
                (*kind, Some(declared.as_ref()))
            }
            (Some(other), _) => return self.mismatch(ty, other, expected.position),
            (None, Some(written)) => (written, None),
            (None, None) if self.logical => (SetKind::BTree, None),
            (None, None) => return self.undecided(ty.span, "Set", "sets", "BTreeSet<..>"),
        };
        let inner = self.refine(element, env, declared, expected.position)?;
        if self.is_unseen(&inner, expected) {
            return self.as_declared(expected.core?, expected.position).ok();
        }
        self.check_key(&inner, element.span)?;
        Some(Refined::plain(Sort::Set(Box::new(inner), kind)))
    }

    /// A map.
    pub(super) fn map(
        &mut self,
        ty: &Type,
        name: &str,
        (key, value): (&'a Type, &'a Type),
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let written = match name {
            "BTreeMap" => Some(MapKind::BTree),
            "HashMap" => Some(MapKind::Hash),
            _ => None,
        };
        let (kind, declared) = match (expected.core, written) {
            (Some(RustType::Map(k, v, kind)), written) if written.is_none_or(|written| written == *kind) => {
                (*kind, Some((k.as_ref(), v.as_ref())))
            }
            (Some(other), _) => return self.mismatch(ty, other, expected.position),
            (None, Some(written)) => (written, None),
            (None, None) if self.logical => (MapKind::BTree, None),
            (None, None) => return self.undecided(ty.span, "Map", "maps", "BTreeMap<..>"),
        };
        let inner_key = self.refine(key, env, declared.map(|(key, _)| key), expected.position);
        let inner_value = self.refine(value, env, declared.map(|(_, value)| value), expected.position)?;
        let inner_key = inner_key?;
        if self.is_unseen(&inner_key, expected) {
            return self.as_declared(expected.core?, expected.position).ok();
        }
        self.check_key(&inner_key, key.span)?;
        Some(Refined::plain(Sort::Map(Box::new(inner_key), Box::new(inner_value), kind)))
    }

    fn undecided(&mut self, span: Span, name: &str, plural: &str, instead: &str) -> Option<Refined> {
        let message = format!("nothing says which of Rust's {plural} `{name}` is here");
        self.fail(
            Diagnostic::error(span, message).help(format!("write a type of Rust's, such as `{instead}`")),
        )
    }

    /// Whether a result can't be read back because its elements or keys can't.
    fn is_unseen(&self, key: &Refined, expected: Expected<'_>) -> bool {
        let key = self.data.ty_of(key);
        expected.position == Position::Output && matches!(self.data.unordered_part(&key), Some(Ty::Opaque(_)))
    }

    /// Rejects elements and keys without an order.
    fn check_key(&mut self, key: &Refined, span: Span) -> Option<()> {
        let message = match self.data.unordered_part(&self.data.ty_of(key)) {
            None => return Some(()),
            Some(Ty::Float(_)) => {
                "floats can be neither ordered nor hashed, so no set or map has them for keys"
            }
            Some(_) => "a set or map of what the tool can't look into is not supported yet",
        };
        self.fail(Diagnostic::error(span, message))
    }
}
