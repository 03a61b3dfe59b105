//! The lengths of arrays, and the arguments for constant parameters.

use syn::{Expr, GenericArgument, Lit};
use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;

use super::constant::{Context, argument, length, value};
use super::lower::{Lowering, Scope};
use super::names::{Def, Namespace, Resolved};
use super::rust_type::{Length, RustType};

impl Lowering<'_> {
    /// The length of an array.
    pub(super) fn array_length(&self, written: &Expr, scope: &Scope) -> Length {
        match parameter(written, scope) {
            Some(name) => Length::Param(name),
            None => {
                let length = self.constant_value(written, scope).as_ref().and_then(length);
                length.map_or(Length::Unknown, Length::Known)
            }
        }
    }

    /// The argument for a constant parameter, which looks like a type if it is a name.
    pub(super) fn constant_argument(&self, written: Option<&GenericArgument>, scope: &Scope) -> RustType {
        let written = match written {
            Some(GenericArgument::Const(written)) => written.clone(),
            Some(GenericArgument::Type(syn::Type::Path(named))) => {
                let (attrs, path) = (Vec::new(), named.path.clone());
                Expr::Path(syn::ExprPath { attrs, qself: None, path })
            }
            _ => return Length::Unknown.argument(),
        };
        if let Some(name) = parameter(&written, scope) {
            return Length::Param(name).argument();
        }
        let known = self.constant_value(&written, scope).as_ref().and_then(argument);
        known.map_or_else(|| Length::Unknown.argument(), RustType::Other)
    }

    /// Whether what looks like a type is the name of a constant.
    pub(super) fn is_constant(&self, ty: &syn::Type, scope: &Scope) -> bool {
        let syn::Type::Path(named) = ty else { return false };
        let resolved = |namespace| self.resolve(&named.path, scope.module, namespace);
        let is_const = |resolved| matches!(resolved, Some(Resolved::Local(binding)) if matches!(binding.def, Def::Const(_)));
        named.qself.is_none() && is_const(resolved(Namespace::Values)) && resolved(Namespace::Types).is_none()
    }

    /// The value of an expression, as far as it is known.
    fn constant_value(&self, written: &Expr, scope: &Scope) -> Option<Value> {
        // A default is read with its sign.
        if let Expr::Lit(syn::ExprLit { lit: Lit::Int(number), .. }) = written
            && let Ok(negative) = number.base10_parse::<i128>()
        {
            return Some(Value::Int(Int::from(negative)));
        }
        let named = |path: &syn::Path| match self.resolve(path, scope.module, Namespace::Values)? {
            Resolved::Local(binding) => match binding.def {
                Def::Const(index) => self.declared.constants.get(index as usize)?.value.clone(),
                _ => None,
            },
            Resolved::Foreign(_) => None,
        };
        value(written, Context { named: &named, floats: None, ints: None })
    }
}

/// The constant parameter that an expression is.
fn parameter(written: &Expr, scope: &Scope) -> Option<String> {
    match written {
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(inner, None)] => parameter(inner, scope),
            _ => None,
        },
        Expr::Path(path) => {
            path.path.get_ident().map(ToString::to_string).filter(|name| scope.generics.contains(name))
        }
        _ => None,
    }
}
