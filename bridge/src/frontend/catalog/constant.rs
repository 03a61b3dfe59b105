//! The values of the crate's constants, as far as they are arithmetic on literals.

use syn::{BinOp, Expr, Lit, Type, UnOp};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{FloatKind, IntKind};
use target_strategies::logic::value::Value;

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its type; `None` if it isn't one of those that constants of specs can have.
    pub ty: Option<ConstantType>,
    /// Its value; `None` if the scan can't evaluate it.
    pub value: Option<Value>,
}

/// The types of constants that specs can mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of Sort")]
pub enum ConstantType {
    Bool,
    Char,
    Int(IntKind),
    Float(FloatKind),
    Str,
}

impl Constant {
    /// A constant as declared.
    pub(super) fn of(item: &syn::ItemConst) -> Constant {
        let ty = type_of(&item.ty);
        let value = ty.and_then(|ty| fitting(ty, value(&item.expr)?));
        Constant { ty, value }
    }

    /// Its value as the length of an array.
    pub(super) fn length(&self) -> Option<u32> {
        match &self.value {
            Some(Value::Int(n)) => n.to_u64().and_then(|n| u32::try_from(n).ok()),
            _ => None,
        }
    }
}

fn type_of(ty: &Type) -> Option<ConstantType> {
    match ty {
        Type::Reference(reference) => type_of(&reference.elem).filter(|ty| *ty == ConstantType::Str),
        Type::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            Some(match name.as_str() {
                "bool" => ConstantType::Bool,
                "char" => ConstantType::Char,
                "str" => ConstantType::Str,
                name => match IntKind::from_name(name) {
                    Some(kind) => ConstantType::Int(kind),
                    None => ConstantType::Float(FloatKind::from_name(name)?),
                },
            })
        }
        _ => None,
    }
}

/// The value, if it is one of the type.
fn fitting(ty: ConstantType, value: Value) -> Option<Value> {
    match (ty, value) {
        (ConstantType::Int(kind), Value::Int(n)) => kind.contains(&n).then_some(Value::Int(n)),
        (ConstantType::Float(kind), Value::Float(x)) => Some(Value::Float(kind.round(x))),
        (ConstantType::Bool, value @ Value::Bool(_))
        | (ConstantType::Char, value @ Value::Char(_))
        | (ConstantType::Str, value @ Value::Str(_)) => Some(value),
        _ => None,
    }
}

fn value(expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Paren(inner) => value(&inner.expr),
        Expr::Group(inner) => value(&inner.expr),
        Expr::Lit(literal) => literal_value(&literal.lit),
        Expr::Unary(unary) => match (&unary.op, value(&unary.expr)?) {
            (UnOp::Neg(_), Value::Int(n)) => Some(Value::Int(-&n)),
            (UnOp::Neg(_), Value::Float(x)) => Some(Value::Float(-x)),
            (UnOp::Not(_), Value::Bool(b)) => Some(Value::Bool(!b)),
            _ => None,
        },
        Expr::Binary(binary) => {
            let (Value::Int(a), Value::Int(b)) = (value(&binary.left)?, value(&binary.right)?) else {
                return None;
            };
            match &binary.op {
                BinOp::Add(_) => Some(Value::Int(&a + &b)),
                BinOp::Sub(_) => Some(Value::Int(&a - &b)),
                BinOp::Mul(_) => Some(Value::Int(&a * &b)),
                BinOp::Shl(_) => {
                    let power = b.to_u64().filter(|power| *power < 128)?;
                    Some(Value::Int(&a * &Int::power_of_two(power as u32)))
                }
                _ => None,
            }
        }
        Expr::Path(path) => {
            let names: Vec<String> =
                path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let [kind, name] = names.as_slice() else { return None };
            let kind = IntKind::from_name(kind)?;
            match name.as_str() {
                "MAX" => Some(Value::Int(kind.max_value())),
                "MIN" => Some(Value::Int(kind.min_value())),
                _ => None,
            }
        }
        _ => None,
    }
}

fn literal_value(literal: &Lit) -> Option<Value> {
    match literal {
        Lit::Int(n) => n.base10_parse::<u128>().ok().map(|n| Value::Int(Int::from(n))),
        Lit::Float(x) => x.base10_parse().ok().map(Value::Float),
        Lit::Char(c) => Some(Value::Char(c.value())),
        Lit::Byte(byte) => Some(Value::int(u64::from(byte.value()))),
        Lit::Str(text) => Some(Value::Str(text.value().into())),
        Lit::Bool(b) => Some(Value::Bool(b.value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::listing::catalog;
    use super::*;

    #[test]
    fn arithmetic_on_literals_is_evaluated() {
        let catalog = catalog(
            "pub const A: u64 = (1 << 10) * 3 - 1; mod m { pub const B: i8 = -5; } const C: &str = \"x\";
             const D: u8 = 256; const E: u64 = f(); const F: i32 = i32::MAX; const G: f32 = 0.1; const H: [u8; 1] = [1];",
        );
        let value = |path: &[&str]| catalog.constant(path).and_then(|constant| constant.value.clone());
        assert_eq!(value(&["A"]), Some(Value::int(3071)));
        assert_eq!(value(&["m", "B"]), Some(Value::int(-5)));
        assert_eq!(value(&["C"]), Some(Value::Str("x".into())));
        assert_eq!(value(&["F"]), Some(Value::int(i32::MAX)));
        assert_eq!(value(&["G"]), Some(Value::Float(f64::from(0.1f32))));
        for unknown in ["D", "E", "H"] {
            assert_eq!(value(&[unknown]), None, "{unknown}");
            assert!(catalog.constant(&[unknown]).is_some(), "{unknown}");
        }
        assert!(catalog.constant(&["Z"]).is_none());
    }
}
