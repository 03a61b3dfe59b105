//! The values of the crate's constants, and their types.

mod value;

use super::items::Access;
use super::names::ModuleId;
use super::rust_type::{RustType, TypeId};
use syn::Expr;
use target_strategies::logic::ir::FloatKind;
use target_strategies::logic::value::Value;

pub(super) use self::value::{Context, value};

/// What the path of a constant stands for, if its value is known.
pub(super) type Named<'n> = &'n dyn Fn(&syn::Path) -> Option<Value>;

/// A constant, or a `static` without `mut`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: RustType,
    /// Its value; `None` if the scan can't evaluate it. A range is a tuple of its start and its exclusive end.
    pub value: Option<Value>,
    /// The path to it.
    pub access: Access,
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

/// Maximum number of elements of an array, those of its elements included.
pub(super) const MOST_ELEMENTS: usize = 1024;

/// The methods that values may call.
pub(super) const METHODS: [&str; 2] = ["len", "pow"];

impl Constant {
    /// A constant as declared.
    pub(super) fn of(ty: RustType, expr: &Expr, named: Named) -> Constant {
        let value = value(expr, context(&ty, named)).and_then(|value| fitting(&ty, value));
        Constant { ty, value, access: Access::default(), open: None }
    }

    /// The same with its value, if it is known by now.
    pub(super) fn evaluated(&self, open: &OpenConstant, named: Named) -> Option<Constant> {
        let expr = syn::parse_str(&open.expr).ok()?;
        let value = fitting(&self.ty, value(&expr, context(&self.ty, named))?)?;
        Some(Constant { value: Some(value), open: None, ..self.clone() })
    }

    /// Its value as the length of an array.
    pub fn length(&self) -> Option<u32> {
        length(self.value.as_ref()?)
    }

    /// Its value as the argument for a constant parameter: `3`, `true`, `'a'`.
    pub fn argument(&self) -> Option<String> {
        argument(self.value.as_ref()?)
    }
}

impl RustType {
    /// The type of a range's endpoints, if it is a range with two of them.
    pub fn range_element(&self) -> Option<&RustType> {
        match self {
            RustType::Foreign(name, args)
                if ["std::ops::Range", "std::ops::RangeInclusive"].contains(&name.as_str()) =>
            {
                args.first()
            }
            _ => None,
        }
    }
}

/// A value as the length of an array.
pub(super) fn length(value: &Value) -> Option<u32> {
    match value {
        Value::Int(n) => n.to_u64().and_then(|n| u32::try_from(n).ok()),
        _ => None,
    }
}

/// A value as the argument for a constant parameter, which is an integer, a `bool` or a `char`.
pub(super) fn argument(value: &Value) -> Option<String> {
    match value {
        Value::Int(n) => Some(n.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Char(value) => Some(format!("{value:?}")),
        _ => None,
    }
}

/// What an expression of a type depends on.
fn context<'n>(ty: &RustType, named: Named<'n>) -> Context<'n> {
    let (mut floats, mut ints, mut waiting) = (Vec::new(), Vec::new(), vec![ty]);
    while let Some(ty) = waiting.pop() {
        match ty {
            RustType::Float(32) => floats.push(FloatKind::F32),
            RustType::Float(_) => floats.push(FloatKind::F64),
            RustType::Int(kind) => ints.push(*kind),
            ty => waiting.extend(ty.parts()),
        }
    }
    Context { named, floats: only(&floats), ints: only(&ints) }
}

/// What all of them are.
fn only<T: Copy + PartialEq>(all: &[T]) -> Option<T> {
    all.first().copied().filter(|first| all.iter().all(|other| other == first))
}

/// The value, if it is one of the type. Types whose values are never known have none.
fn fitting(ty: &RustType, value: Value) -> Option<Value> {
    let all = |types: &[&RustType], values: &[Value]| -> Option<Vec<Value>> {
        let fitted = types.iter().zip(values).map(|(ty, value)| fitting(ty, value.clone()));
        (types.len() == values.len()).then(|| fitted.collect())?
    };
    match (ty, value) {
        (RustType::Ref { inner, .. }, value) => fitting(inner, value),
        (RustType::Int(kind), Value::Int(n)) => kind.contains(&n).then_some(Value::Int(n)),
        (RustType::Float(width), Value::Float(x)) => {
            let kind = if *width == 32 { FloatKind::F32 } else { FloatKind::F64 };
            Some(Value::Float(kind.round(x)))
        }
        (RustType::Bool, value @ Value::Bool(_))
        | (RustType::Char, value @ Value::Char(_))
        | (RustType::Str, value @ Value::Str(_)) => Some(value),
        (RustType::Array(of, _) | RustType::Slice(of), Value::Seq(elements)) => {
            Some(Value::seq(all(&vec![of.as_ref(); elements.len()], &elements)?))
        }
        (RustType::Tuple(types), Value::Tuple(parts)) => {
            Some(Value::Tuple(all(&types.iter().collect::<Vec<_>>(), &parts)?.into()))
        }
        (RustType::Option(of), Value::Data(ctor, fields)) => {
            let fields = all(&vec![of.as_ref(); fields.len()], &fields)?;
            Some(Value::Data(ctor, fields.into()))
        }
        // Only constructors without fields have a value.
        (RustType::Item(_, args), value @ Value::Data(..)) => args.is_empty().then_some(value),
        (ty, Value::Tuple(ends)) => {
            let of = ty.range_element()?;
            Some(Value::Tuple(all(&[of, of], &ends)?.into()))
        }
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
             const H: i128 = i128::MAX * 4 / 4; const I: u8 = b'a' / 10 % 4 | 8; const J: u32 = 10_u32.pow(3) + 'a' as u32;
             const K: u32 = (u32::MAX << 8) >> 8; const L: bool = 0.5 < 0.75; const MAX: u8 = 7; const M: u8 = <u8>::MAX;
             const N: f64 = 0.1f32 as f64;",
        );
        let value = |path: &[&str]| catalog.constant(path).and_then(|constant| constant.value.clone());
        assert_eq!(value(&["A"]), Some(Value::int(3071)));
        assert_eq!(value(&["m", "B"]), Some(Value::int(-5)));
        assert_eq!(value(&["C"]), Some(Value::Str("x".into())));
        assert_eq!(value(&["F"]), Some(Value::int(i32::MAX)));
        assert_eq!(value(&["G"]), Some(Value::Float(f64::from(0.1f32))));
        assert_eq!(value(&["I"]), Some(Value::int(9)));
        assert_eq!(value(&["J"]), Some(Value::int(1097)));
        assert_eq!(value(&["N"]), Some(Value::Float(f64::from(0.1f32))));
        // Shifts lose bits, and comparisons of floats depend on their types.
        for unknown in ["D", "E", "H", "K", "L", "M"] {
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
    #[test]
    fn compound_values_are_evaluated() {
        let catalog = catalog(
            "const A: (u8, &str) = (1, \"a\"); const B: &[(&str, u8)] = &[(\"a\", 1)]; const C: [[u8; 2]; 1] = [[1, 2]];
             const D: u8 = C[0][1] + B[0].1; const E: bool = B.len() == 1 && D > 2; const F: u8 = if E { 3 } else { 4 };
             const G: f64 = 1.5 * 2.0; const H: f32 = 0.1 + 0.2; const I: Option<u8> = Some(D); const J: Option<u8> = None;
             const K: Level = Level::Mid; enum Level { Low, Mid } impl Level { const L: Level = Self::Low; }
             const M: std::ops::RangeInclusive<u8> = 1..=4; static N: [u8; 1] = { [1] }; static mut O: u8 = 1;
             const P: f64 = (2 * 3) as f64; const Q: bool = H as f64 * 0.5 > 0.0; const R: u8 = C[1][0];",
        );
        let value = |path: &[&str]| catalog.constant(path).and_then(|constant| constant.value.clone());
        let tuple = |parts: &[Value]| Value::Tuple(parts.into());
        let pair = tuple(&[Value::str("a"), Value::int(1)]);
        let two = Value::seq([Value::int(1), Value::int(2)]);
        for (name, expected) in [
            ("A", tuple(&[Value::int(1), Value::str("a")])),
            ("B", Value::seq([pair])),
            ("C", Value::seq([two])),
            ("D", Value::int(3)),
            ("E", Value::Bool(true)),
            ("F", Value::int(3)),
            ("G", Value::Float(3.0)),
            ("H", Value::Float(f64::from(0.1f32 + 0.2f32))),
            ("I", Value::Data(1, [Value::int(3)].into())),
            ("J", Value::Data(0, [].into())),
            ("K", Value::Data(1, [].into())),
            ("M", tuple(&[Value::int(1), Value::int(5)])),
            ("N", Value::seq([Value::int(1)])),
            ("P", Value::Float(6.0)),
        ] {
            assert_eq!(value(&[name]), Some(expected), "{name}");
        }
        assert_eq!(value(&["Level", "L"]), Some(Value::Data(0, [].into())));
        assert_eq!([value(&["O"]), value(&["Q"]), value(&["R"])], [None, None, None]);
    }
}
