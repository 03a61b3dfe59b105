//! Values of traits: `&dyn Pricing` of the crate's own traits, `impl Iterator<Item = T>`, and types that stand for the trait
//! that a function takes.

use std::rc::Rc;

use target_strategies::logic::ir::{Refined, SeqKind, Sort};

use super::{Expected, Resolver};
use crate::frontend::catalog::{RustType, TypeId, TypeLookup};
use crate::frontend::data::Position;
use crate::frontend::data::declared_type::type_text;
use crate::frontend::diagnostic::{Diagnostic, did_you_mean};
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{Ident, Type, TypeKind};

/// The traits that the iterator over a list has.
const ITERATORS: [&str; 5] =
    ["Iterator", "IntoIterator", "DoubleEndedIterator", "ExactSizeIterator", "FusedIterator"];

impl<'a> Resolver<'a> {
    /// What is expected of a type of the crate. Where the function takes a trait's value, rustc says whether the type has the trait.
    pub(super) fn unless_converted<'e>(&self, id: TypeId, expected: Expected<'e>) -> Expected<'e> {
        let is_trait = |id: TypeId| self.data.catalog.item(id).of_trait.is_some();
        let core = expected.core.filter(
            |core| !matches!(core, RustType::Item(declared, _) if is_trait(*declared) && !is_trait(id)),
        );
        Expected { core, ..expected }
    }

    /// `dyn Trait` or `impl Trait`: a trait of the crate, or what the function's own signature has there.
    pub(super) fn of_trait(
        &mut self,
        ty: &'a Type,
        path: &'a [Ident],
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let name = &path.last()?.name;
        let names: Vec<&str> = path[1..].iter().map(|ident| ident.name.as_str()).collect();
        let catalog = self.data.catalog;
        let is_view = path.len() == 2 && self.view_named(name).is_some();
        let is_known = is_view
            || matches!(catalog.type_(&names), TypeLookup::Found(id) if catalog.item(id).of_trait.is_some());
        if !is_known && ITERATORS.contains(&name.as_str()) && expected.position != Position::Output {
            return self.iterator(ty, name, generics, env, expected);
        }
        match expected.core {
            Some(declared @ (RustType::Other(_) | RustType::Item(..)))
                if expected.position == Position::Output =>
            {
                let text = type_text(catalog, declared);
                let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                if text.starts_with("dyn") && words.any(|word| word == name) {
                    self.whatever_is_declared(ty, &["dyn", name], expected)
                } else {
                    self.mismatch(ty, declared, expected.position)
                }
            }
            _ if is_known => self.path(ty, &path[1..], generics, &[], env, expected),
            Some(RustType::Item(..)) | None => self.other_trait(ty, &names),
            Some(RustType::Other(text)) if text.starts_with("dyn ") => self.other_trait(ty, &names),
            Some(other) => self.mismatch(ty, other, expected.position),
        }
    }

    /// Whether the arguments of a trait name its associated types, in their order, and no others.
    pub(super) fn are_associated(&mut self, ty: &Type, id: TypeId, arguments: &[Type]) -> Option<()> {
        let item = self.data.catalog.item(id);
        let names = item.of_trait.iter().flat_map(|of| &of.associated).map(String::as_str);
        let n_own = item.generics.len().saturating_sub(names.clone().count());
        let wanted: Vec<Option<&str>> = std::iter::repeat_n(None, n_own).chain(names.map(Some)).collect();
        let written = |argument: &Type| match &argument.kind {
            TypeKind::Associated(name, _) => Some(name.name.clone()),
            _ => None,
        };
        let is_right = |(argument, wanted): (&Type, &Option<&str>)| written(argument).as_deref() == *wanted;
        if arguments.iter().zip(&wanted).all(is_right) {
            return Some(());
        }
        let message = format!("these are not the arguments of `{}`", item.path);
        let wanted = wanted.iter().map(|name| match name {
            Some(name) => format!("{name} = .."),
            None => "..".to_owned(),
        });
        let wanted = wanted.collect::<Vec<_>>().join(", ");
        self.fail(Diagnostic::error(ty.span, message).help(format!("write `{}<{wanted}>`", item.path)))
    }

    /// `impl Iterator<Item = T>`: the list of what it yields.
    fn iterator(
        &mut self,
        ty: &'a Type,
        name: &str,
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        if let Some(declared) = expected.core
            && !matches!(declared, RustType::Other(text) if text.starts_with("dyn "))
        {
            return self.mismatch(ty, declared, expected.position);
        }
        let item = match generics {
            [Type { kind: TypeKind::Associated(of, item), .. }] if of.name == "Item" => item,
            _ => {
                let message = format!("what the iterator yields is missing: `{name}<Item = T>`");
                return self.fail(Diagnostic::error(ty.span, message));
            }
        };
        let item = self.refine(item, env, None, expected.position)?;
        Some(Refined::plain(Sort::Seq(Box::new(item), SeqKind::Iter)))
    }

    /// A trait of another crate, whose values are those of a type that has it.
    pub(super) fn other_trait(&mut self, ty: &Type, names: &[&str]) -> Option<Refined> {
        let message = format!("the crate has no trait `{}`", names.join("::"));
        let name = names.last().copied().unwrap_or_default();
        let example = match name {
            "Write" => ", such as `Vec<u8>` or, of `std::fmt`, `String`: it then holds what was written",
            "Read" | "BufRead" => ", such as `&[u8]` or, behind `&mut`, `VecDeque<u8>`",
            "Display" | "ToString" | "AsRef" | "Into" | "Borrow" => ", such as `String`",
            "Hasher" => ", such as one of the crate that keeps the bytes",
            "Debug" | "Hash" | "Ord" | "PartialOrd" | "Eq" | "PartialEq" | "Clone" => ", such as `u8`",
            _ => {
                let own = self.data.catalog.types.iter().filter(|item| item.of_trait.is_some());
                let own = own.map(|item| item.path.rsplit("::").next().unwrap_or_default());
                if let Some(guess) = did_you_mean(name, own) {
                    let help = format!("did you mean `{guess}`?");
                    return self.fail(Diagnostic::error(ty.span, message).help(help));
                }
                ", also one of the crate"
            }
        };
        self.fail(Diagnostic::error(ty.span, message).help(format!(
            "values are made of the crate's own traits; for others, name a type that has the trait{example}"
        )))
    }
}
