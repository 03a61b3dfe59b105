//! The values of the crate's constants: literals, operators, casts between integers, arrays, and other constants.

use super::names::ModuleId;
use super::rust_type::TypeId;
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
    /// Set if it may get a value later, since it names constants of other members of the workspace.
    pub(super) open: Option<OpenConstant>,
}

/// A constant as written, where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenConstant {
    pub module: ModuleId,
    /// The type that has it.
    pub of: Option<TypeId>,
    pub expr: String,
}

/// Maximum number of elements of an array.
pub(super) const MOST_ELEMENTS: usize = 1024;

/// The methods that values may call.
pub(super) const METHODS: [&str; 2] = ["len", "pow"];

/// Maximum exponent in a value.
const MOST_POWER: u64 = 128;

/// The types of constants that specs can mention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of Sort")]
pub enum ConstantType {
    Bool,
    Char,
    Int(IntKind),
    Float(FloatKind),
    Str,
    List(Box<ConstantType>),
}

/// What a constant's path stands for, if its value is known.
pub(super) type Named<'n> = &'n dyn Fn(&syn::Path) -> Option<Value>;

impl Constant {
    /// A constant as declared.
    pub(super) fn of(ty: &Type, expr: &Expr, named: Named) -> Constant {
        let ty = type_of(ty);
        let value = ty.as_ref().and_then(|ty| fitting(ty, value(expr, named)?));
        Constant { ty, value, open: None }
    }

    /// The same with its value, if it is known by now.
    pub(super) fn evaluated(&self, open: &OpenConstant, named: Named) -> Option<Constant> {
        let expr = syn::parse_str(&open.expr).ok()?;
        let value = fitting(self.ty.as_ref()?, value(&expr, named)?)?;
        Some(Constant { ty: self.ty.clone(), value: Some(value), open: None })
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
        Type::Reference(reference) => {
            type_of(&reference.elem).filter(|ty| matches!(ty, ConstantType::Str | ConstantType::List(_)))
        }
        Type::Array(array) => Some(ConstantType::List(Box::new(type_of(&array.elem)?))),
        Type::Slice(slice) => Some(ConstantType::List(Box::new(type_of(&slice.elem)?))),
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
fn fitting(ty: &ConstantType, value: Value) -> Option<Value> {
    match (ty, value) {
        (ConstantType::Int(kind), Value::Int(n)) => kind.contains(&n).then_some(Value::Int(n)),
        (ConstantType::Float(kind), Value::Float(x)) => Some(Value::Float(kind.round(x))),
        (ConstantType::Bool, value @ Value::Bool(_))
        | (ConstantType::Char, value @ Value::Char(_))
        | (ConstantType::Str, value @ Value::Str(_)) => Some(value),
        (ConstantType::List(of), Value::Seq(elements)) => {
            let elements = elements.iter().map(|element| fitting(of, element.clone()));
            Some(Value::seq(elements.collect::<Option<Vec<_>>>()?))
        }
        _ => None,
    }
}

/// The value of an expression, as far as it is known.
pub(super) fn value(expr: &Expr, named: Named) -> Option<Value> {
    match expr {
        Expr::Paren(inner) => value(&inner.expr, named),
        Expr::Group(inner) => value(&inner.expr, named),
        Expr::Reference(inner) => value(&inner.expr, named),
        Expr::Lit(literal) => literal_value(&literal.lit),
        Expr::Unary(unary) => match (&unary.op, value(&unary.expr, named)?) {
            (UnOp::Neg(_), Value::Int(n)) => Some(Value::Int(-&n)),
            (UnOp::Neg(_), Value::Float(x)) => Some(Value::Float(-x)),
            (UnOp::Not(_), Value::Bool(b)) => Some(Value::Bool(!b)),
            _ => None,
        },
        Expr::Binary(binary) => {
            let (left, right) = (value(&binary.left, named)?, value(&binary.right, named)?);
            let (Value::Int(a), Value::Int(b)) = (left, right) else { return None };
            operation(&binary.op, &a, &b).filter(is_machine).map(Value::Int)
        }
        Expr::Cast(cast) => converted(value(&cast.expr, named)?, &type_of(&cast.ty)?),
        Expr::MethodCall(call) => {
            let receiver = value(&call.receiver, named)?;
            let args = call.args.iter().map(|arg| value(arg, named)).collect::<Option<Vec<_>>>()?;
            method(&receiver, &call.method.to_string(), &args)
        }
        Expr::Array(array) if array.elems.len() <= MOST_ELEMENTS => {
            let elements = array.elems.iter().map(|element| value(element, named));
            let elements = elements.collect::<Option<Vec<_>>>()?;
            (elements.iter().map(n_elements).sum::<usize>() <= MOST_ELEMENTS).then(|| Value::seq(elements))
        }
        Expr::Repeat(repeat) => {
            let Value::Int(length) = value(&repeat.len, named)? else { return None };
            let length = length.to_u64().and_then(|length| usize::try_from(length).ok())?;
            let element = value(&repeat.expr, named)?;
            let is_small = length.saturating_mul(n_elements(&element)) <= MOST_ELEMENTS;
            is_small.then(|| Value::seq(vec![element; length]))
        }
        Expr::Path(path) => extreme(&path.path).or_else(|| named(&path.path)),
        _ => None,
    }
}

/// Number of elements in a value, those of its elements included; one at least.
fn n_elements(value: &Value) -> usize {
    match value {
        Value::Seq(elements) => elements.iter().map(n_elements).sum::<usize>().max(1),
        _ => 1,
    }
}

fn operation(op: &BinOp, a: &Int, b: &Int) -> Option<Int> {
    let bits = |combine: fn(i128, i128) -> i128| Some(Int::from(combine(a.to_i128()?, b.to_i128()?)));
    match op {
        BinOp::Add(_) => Some(a + b),
        BinOp::Sub(_) => Some(a - b),
        BinOp::Mul(_) => Some(a * b),
        BinOp::Div(_) => a.div_trunc(b),
        BinOp::Rem(_) => a.rem_trunc(b),
        BinOp::Shl(_) => {
            let power = b.to_u64().filter(|power| *power < MOST_POWER)?;
            Some(a * &Int::power_of_two(power as u32))
        }
        BinOp::Shr(_) => {
            let power = b.to_u64().filter(|power| *power < MOST_POWER)?;
            a.div_euclid(&Int::power_of_two(power as u32))
        }
        BinOp::BitAnd(_) => bits(|a, b| a & b),
        BinOp::BitOr(_) => bits(|a, b| a | b),
        BinOp::BitXor(_) => bits(|a, b| a ^ b),
        _ => None,
    }
}

/// Whether some machine type has the number, so that numbers don't grow without end.
fn is_machine(n: &Int) -> bool {
    n.to_i128().is_some() || n.to_u128().is_some()
}

/// A value after `as`, if that keeps it as a number.
fn converted(value: Value, ty: &ConstantType) -> Option<Value> {
    let number = match value {
        Value::Char(c) => Value::int(u64::from(u32::from(c))),
        Value::Bool(b) => Value::int(u64::from(b)),
        value => value,
    };
    fitting(ty, number)
}

fn method(receiver: &Value, name: &str, args: &[Value]) -> Option<Value> {
    match (receiver, name, args) {
        (Value::Str(text), "len", []) => Some(Value::int(text.len() as u64)),
        (Value::Seq(elements), "len", []) => Some(Value::int(elements.len() as u64)),
        (Value::Int(base), "pow", [Value::Int(power)]) => {
            let power = power.to_u64().filter(|power| *power < MOST_POWER)?;
            let step = |product: Int, _| Some(&product * base).filter(is_machine);
            (0..power).try_fold(Int::from(1), step).map(Value::Int)
        }
        _ => None,
    }
}

/// `u8::MAX`, `i64::MIN`
fn extreme(path: &syn::Path) -> Option<Value> {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [kind, name] = names.as_slice() else { return None };
    let kind = IntKind::from_name(kind)?;
    match name.as_str() {
        "MAX" => Some(Value::Int(kind.max_value())),
        "MIN" => Some(Value::Int(kind.min_value())),
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
        Lit::ByteStr(bytes) => {
            Some(Value::seq(bytes.value().into_iter().map(|b| Value::int(u64::from(b))).collect::<Vec<_>>()))
        }
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
             const D: u8 = 256; const E: u64 = f(); const F: i32 = i32::MAX; const G: f32 = 0.1;
             const H: i128 = i128::MAX * 4 / 4; const I: u8 = b'a' / 10 % 4 | 8; const J: u32 = 10_u32.pow(3) + 'a' as u32;",
        );
        let value = |path: &[&str]| catalog.constant(path).and_then(|constant| constant.value.clone());
        assert_eq!(value(&["A"]), Some(Value::int(3071)));
        assert_eq!(value(&["m", "B"]), Some(Value::int(-5)));
        assert_eq!(value(&["C"]), Some(Value::Str("x".into())));
        assert_eq!(value(&["F"]), Some(Value::int(i32::MAX)));
        assert_eq!(value(&["G"]), Some(Value::Float(f64::from(0.1f32))));
        assert_eq!(value(&["I"]), Some(Value::int(9)));
        assert_eq!(value(&["J"]), Some(Value::int(1097)));
        for unknown in ["D", "E", "H"] {
            assert_eq!(value(&[unknown]), None, "{unknown}");
            assert!(catalog.constant(&[unknown]).is_some(), "{unknown}");
        }
        assert!(catalog.constant(&["Z"]).is_none());
    }

    #[test]
    fn arrays_are_lists() {
        let catalog = catalog(
            "const A: [u8; 2] = [1, 2]; pub const B: &[&str] = &[\"if\", \"else\"]; const C: [bool; 3] = [true; 3];
             const D: usize = B.len() + \"abc\".len(); const E: &[u8] = b\"ab\"; const F: [u8; 9] = [0; 100_000_000];
             const G: [u8; 1] = [256];",
        );
        let value = |name| catalog.constant(&[name]).and_then(|constant| constant.value.clone());
        let ints = |ints: &[u8]| Some(Value::seq(ints.iter().map(|n| Value::int(*n)).collect::<Vec<_>>()));
        assert_eq!(value("A"), ints(&[1, 2]));
        assert_eq!(value("B"), Some(Value::seq([Value::str("if"), Value::str("else")])));
        assert_eq!(value("C"), Some(Value::seq([Value::Bool(true), Value::Bool(true), Value::Bool(true)])));
        assert_eq!(value("D"), Some(Value::int(5)));
        assert_eq!(value("E"), ints(b"ab"));
        assert_eq!((value("F"), value("G")), (None, None));
    }
}
