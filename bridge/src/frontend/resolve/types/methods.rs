//! Views of traits: the methods that a spec refines. All others are as their Rust types say.

use target_strategies::logic::ir::{Ctor, DataId};

use super::Resolver;
use super::viewed_type::ViewedType;
use crate::frontend::diagnostic::{Diagnostic, did_you_mean};
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{Param, TypeKind, View};

impl<'a> Resolver<'a> {
    /// The constructors of a trait's values with the view's refinements.
    pub(super) fn methods(
        &mut self,
        view: &'a View,
        base: DataId,
        viewed_type: &ViewedType<'a>,
        env: &Env<'a>,
    ) -> Option<Vec<Ctor>> {
        let mut ctors = self.data.get(base).ctors.clone();
        let (table, item) = (ctors.first_mut()?, viewed_type.items.first()?);
        let written = view.ctors.first().map_or(&[][..], |ctor| &ctor.fields);
        let mut fields = Vec::new();
        for method in written {
            let Some(at) = item.fields.iter().position(|field| field.name == method.name.name) else {
                return self.no_method(method, viewed_type);
            };
            self.receiver_fits(method, &table.fields[at].refined)?;
            let declared = self.at(&item.fields[at].ty, &viewed_type.generics);
            fields.push((at, (method, Some(declared))));
        }
        let (places, fields): (Vec<usize>, Vec<_>) = fields.into_iter().unzip();
        for (at, field) in places.into_iter().zip(self.view_fields(fields, env)?) {
            table.fields[at] = field;
        }
        Some(ctors)
    }

    /// Whether a method takes its value as the source says.
    fn receiver_fits(
        &mut self,
        method: &Param,
        declared: &target_strategies::logic::ir::Refined,
    ) -> Option<()> {
        let (TypeKind::Function(kind, _), Some(id)) = (&method.ty.kind, declared.callback()) else {
            return Some(());
        };
        if *kind == self.data.callbacks[id.0 as usize].kind {
            return Some(());
        }
        let message = format!("the source gives `{}` another receiver", method.name.name);
        self.fail(
            Diagnostic::error(method.name.span, message)
                .help("write `&self`, `&mut self` or `self` as there"),
        )
    }

    fn no_method<T>(&mut self, method: &Param, viewed_type: &ViewedType<'_>) -> Option<T> {
        let name = &method.name.name;
        let known = viewed_type.items.iter().take(1).flat_map(|item| &item.fields);
        let guess = did_you_mean(name, known.map(|field| field.name.as_str()));
        let message = format!("`{}` has no method `{name}` without a body", viewed_type.rust_type);
        let help = match guess {
            Some(guess) => format!("did you mean `{guess}`?"),
            None => "methods with a body keep it".to_owned(),
        };
        self.fail(Diagnostic::error(method.name.span, message).help(help))
    }
}
