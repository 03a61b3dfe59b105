//! The lengths of arrays, and the arguments for constant parameters.

use syn::{Expr, GenericArgument, Lit};

use super::lower::{Lowering, Scope};
use super::names::{Def, Namespace, Resolved};
use super::rust_type::{Length, RustType};

impl Lowering<'_> {
    /// The length of an array.
    pub(super) fn array_length(&self, length: &Expr, scope: &Scope) -> Length {
        if let Expr::Block(block) = length
            && let [syn::Stmt::Expr(inner, None)] = block.block.stmts.as_slice()
        {
            return self.array_length(inner, scope);
        }
        if let Expr::Path(path) = length
            && let Some(name) = path.path.get_ident().map(ToString::to_string)
            && scope.generics.contains(&name)
        {
            return Length::Param(name);
        }
        self.length(length, scope).map_or(Length::Unknown, Length::Known)
    }

    /// The argument for a constant parameter, which looks like a type if it is a name.
    pub(super) fn constant_argument(&self, argument: Option<&GenericArgument>, scope: &Scope) -> RustType {
        let length = match argument {
            Some(GenericArgument::Const(value)) => match written(value) {
                Some(constant) => return RustType::Other(constant),
                None => self.array_length(value, scope),
            },
            Some(GenericArgument::Type(syn::Type::Path(named))) => {
                let (attrs, path) = (Vec::new(), named.path.clone());
                self.array_length(&Expr::Path(syn::ExprPath { attrs, qself: None, path }), scope)
            }
            _ => Length::Unknown,
        };
        length.argument()
    }

    /// Whether what looks like a type is the name of a constant.
    pub(super) fn is_constant(&self, ty: &syn::Type, scope: &Scope) -> bool {
        let syn::Type::Path(named) = ty else { return false };
        let resolved = |namespace| self.resolve(&named.path, scope.module, namespace);
        let is_const = |resolved| matches!(resolved, Some(Resolved::Local(binding)) if matches!(binding.def, Def::Const(_)));
        named.qself.is_none() && is_const(resolved(Namespace::Values)) && resolved(Namespace::Types).is_none()
    }

    fn length(&self, length: &Expr, scope: &Scope) -> Option<u32> {
        match length {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok(),
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => {
                match self.resolve(&path.path, scope.module, Namespace::Values)? {
                    Resolved::Local(binding) => match binding.def {
                        Def::Const(index) => self.declared.constants.get(index as usize)?.length(),
                        _ => None,
                    },
                    Resolved::Foreign(_) => None,
                }
            }
            _ => None,
        }
    }
}

/// A constant that is no length, as it is written: `true`, `'a'`, `-3`.
fn written(value: &Expr) -> Option<String> {
    match value {
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(inner, None)] => written(inner),
            _ => None,
        },
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(value) => Some(value.value.to_string()),
            Lit::Char(value) => Some(format!("{:?}", value.value())),
            // A default is read with its sign.
            Lit::Int(number) => Some(number.base10_digits().to_owned()).filter(|text| text.starts_with('-')),
            _ => None,
        },
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match expr.as_ref() {
            Expr::Lit(syn::ExprLit { lit: Lit::Int(number), .. }) => {
                Some(format!("-{}", number.base10_digits()))
            }
            _ => None,
        },
        _ => None,
    }
}
