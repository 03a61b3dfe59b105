//! The values of a trait of the crate, at an instance.

use target_strategies::logic::ir::{CallbackKind, Ctor, DataId, Method, Object, Receiver, Refined};

use super::declared_type::type_text;
use super::{DataTable, Position};
use crate::frontend::catalog::{MethodItem, TraitItem, TypeId, TypeItem};

/// Maximum number of implementors that a message names.
const MOST_NAMED: usize = 3;

impl DataTable<'_> {
    /// The constructors of a trait's values: a table for each method without a body, and then each implementor whose
    /// values the tool can make.
    pub(super) fn fill_trait(
        &mut self,
        id: DataId,
        item: &TypeItem,
        of_trait: &TraitItem,
        path: &str,
        env: &[(String, Refined)],
    ) -> Result<(), String> {
        if let Some(reason) = self.no_tables(item) {
            return Err(reason);
        }
        let Some((table, implementors)) = item.ctors.split_first() else { return Ok(()) };
        let fields = self.fields(table, &item.path, env)?;
        let required = of_trait.methods.iter().filter(|method| method.is_required);
        for (method, field) in required.zip(&fields) {
            if let Some(callback) = field.refined.callback() {
                self.callbacks[callback.0 as usize].kind = kind_of(method.receiver);
            }
        }
        let ctor = |name: String, fields, named| Ctor {
            rust_path: name,
            fields,
            named,
            recursive: false,
            excluded: false,
        };
        let mut ctors = vec![ctor(path.to_owned(), fields, true)];
        let methods: Vec<Option<Method>> =
            of_trait.methods.iter().map(|method| self.method(method, env)).collect();
        // An implementor may have a method of its own in place of one that is left out.
        let implementors = if methods.iter().all(Option::is_some) { implementors } else { &[] };
        for implementor in implementors {
            // One that can't be made is none of the values.
            if let Ok(fields) = self.fields(implementor, &item.path, env) {
                ctors.push(ctor(implementor.name.clone(), fields, false));
            }
        }
        let n_own = env.len().saturating_sub(of_trait.associated.len());
        let args: Vec<Refined> = env[..n_own].iter().map(|(_, arg)| arg.clone()).collect();
        let associated = env[n_own..].iter().map(|(name, arg)| (name.clone(), self.rust_type(arg)));
        let outside = |base: &TypeId| self.catalog.outside_path(&self.catalog.item(*base).access.path);
        let bases = of_trait.bases.iter().map(outside).collect();
        let object = Object {
            bases,
            associated: associated.collect(),
            path: format!("{path}{}", self.rust_args(&args)),
            supertraits: of_trait.supertraits.clone(),
            methods: methods.into_iter().flatten().collect(),
        };
        let data = &mut self.data[id.0 as usize];
        (data.ctors, data.object) = (ctors, Some(object));
        Ok(())
    }

    /// Why no table can be a value of a trait, if that is so.
    pub fn no_tables(&self, item: &TypeItem) -> Option<String> {
        let why = item.of_trait.as_ref()?.obstacle.as_ref()?;
        let implementors = item.ctors.iter().skip(1).filter_map(|ctor| ctor.fields.first());
        let implementors = implementors.map(|field| format!("`{}`", type_text(self.catalog, &field.ty)));
        let implementors = implementors.take(MOST_NAMED).collect::<Vec<_>>().join(" or ");
        let such_as = if implementors.is_empty() { "" } else { ", such as " };
        Some(format!(
            "values of the trait `{}` can't be tables: {why}; name a type that has the trait instead{such_as}{implementors}",
            item.path
        ))
    }

    /// The arguments of a type, of a trait with the names of its associated types: `<u8, Item = i8>`.
    pub(super) fn trait_args(&self, item: &TypeItem, args: &[Refined]) -> String {
        let associated = item.of_trait.iter().flat_map(|of| &of.associated);
        let n_own = args.len().saturating_sub(associated.clone().count());
        if n_own == args.len() {
            return self.rust_args(args);
        }
        let own = args[..n_own].iter().map(|arg| self.rust_type(arg));
        let named =
            associated.zip(&args[n_own..]).map(|(name, arg)| format!("{name} = {}", self.rust_type(arg)));
        format!("<{}>", own.chain(named).collect::<Vec<_>>().join(", "))
    }

    /// A method with its types as Rust code; `None` if that isn't known, which is so for some methods with a body.
    fn method(&mut self, method: &MethodItem, env: &[(String, Refined)]) -> Option<Method> {
        let mut text = |ty| {
            let refined = self.declared(ty, env, Position::Output).ok()?;
            Some(self.rust_type(&refined))
        };
        Some(Method {
            name: method.name.clone(),
            receiver: method.receiver,
            params: method.signature.params.iter().map(&mut text).collect::<Option<_>>()?,
            result: text(&method.signature.result)?,
            of: method.of.map(|base| self.catalog.outside_path(&self.catalog.item(base).access.path)),
            is_required: method.is_required,
        })
    }
}

/// What the results of a method depend on.
pub(in crate::frontend) fn kind_of(receiver: Receiver) -> CallbackKind {
    match receiver {
        Receiver::Ref => CallbackKind::Pure,
        Receiver::RefMut => CallbackKind::Stateful,
        Receiver::Owned => CallbackKind::Once,
    }
}
