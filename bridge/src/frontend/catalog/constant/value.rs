//! Evaluates the expressions of constants: literals, operators, casts, `if`, arrays, tuples, ranges, and other constants.

use super::MOST_ELEMENTS;
use syn::{BinOp, Expr, Lit, Type, UnOp};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{FloatKind, IntKind};
use target_strategies::logic::value::Value;

/// What an expression depends on.
#[derive(Clone, Copy)]
pub(in super::super) struct Context<'n> {
    /// What the path of a constant or of a constructor without fields stands for, if its value is known.
    pub named: &'n dyn Fn(&syn::Path) -> Option<Value>,
    /// The type of the floats in it, to which arithmetic rounds; `None` if it isn't known.
    pub floats: Option<FloatKind>,
    /// The type of the integers in it, of which shifts lose bits; `None` if it isn't known.
    pub ints: Option<IntKind>,
}

/// Maximum exponent in a value.
const MOST_POWER: u64 = 128;

/// The value of an expression, as far as it is known.
pub(in super::super) fn value(expr: &Expr, context: Context) -> Option<Value> {
    match expr {
        Expr::Paren(inner) => value(&inner.expr, context),
        Expr::Group(inner) => value(&inner.expr, context),
        Expr::Reference(inner) => value(&inner.expr, context),
        Expr::Lit(literal) => literal_value(&literal.lit),
        Expr::Unary(unary) => match (&unary.op, value(&unary.expr, context)?) {
            (UnOp::Neg(_), Value::Int(n)) => Some(Value::Int(-&n)),
            (UnOp::Neg(_), Value::Float(x)) => Some(Value::Float(-x)),
            (UnOp::Not(_), Value::Bool(b)) => Some(Value::Bool(!b)),
            (UnOp::Deref(_), value) => Some(value),
            _ => None,
        },
        Expr::Binary(binary) => {
            operation(&binary.op, &value(&binary.left, context)?, &value(&binary.right, context)?, context)
        }
        Expr::Cast(cast) => {
            let operand = value(&cast.expr, Context { floats: None, ints: None, ..context })?;
            converted(operand, &cast.ty)
        }
        Expr::MethodCall(call) => {
            let receiver = value(&call.receiver, context)?;
            method(&receiver, &call.method.to_string(), &all(&call.args, context)?)
        }
        Expr::Call(call) => match (&*call.func, all(&call.args, context)?.as_slice()) {
            (Expr::Path(path), [field]) if path.path.is_ident("Some") => {
                Some(Value::Data(1, [field.clone()].into()))
            }
            _ => None,
        },
        Expr::If(condition) => {
            let other = Context { floats: None, ints: None, ..context };
            let Value::Bool(holds) = value(&condition.cond, other)? else { return None };
            let (_, otherwise) = condition.else_branch.as_ref()?;
            if holds { block(&condition.then_branch, context) } else { value(otherwise, context) }
        }
        Expr::Block(inner) => block(&inner.block, context),
        Expr::Index(index) => {
            let (Value::Seq(elements), Value::Int(at)) =
                (value(&index.expr, context)?, value(&index.index, context)?)
            else {
                return None;
            };
            elements.get(usize::try_from(at.to_u64()?).ok()?).cloned()
        }
        Expr::Field(field) => {
            let (Value::Tuple(parts), syn::Member::Unnamed(at)) =
                (value(&field.base, context)?, &field.member)
            else {
                return None;
            };
            parts.get(at.index as usize).cloned()
        }
        Expr::Path(path) if path.qself.is_none() => {
            extreme(&path.path).or_else(|| (context.named)(&path.path)).or_else(|| none(&path.path))
        }
        Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) | Expr::Range(_) => parts(expr, context),
        _ => None,
    }
}

/// The values of expressions, if all are known.
fn all<'e>(exprs: impl IntoIterator<Item = &'e Expr>, context: Context) -> Option<Vec<Value>> {
    exprs.into_iter().map(|expr| value(expr, context)).collect()
}

/// The value of an expression in brackets, or of a range.
fn parts(expr: &Expr, context: Context) -> Option<Value> {
    match expr {
        Expr::Tuple(tuple) => Some(Value::Tuple(all(&tuple.elems, context)?.into())),
        Expr::Array(array) if array.elems.len() <= MOST_ELEMENTS => {
            let elements = all(&array.elems, context)?;
            (elements.iter().map(n_elements).sum::<usize>() <= MOST_ELEMENTS).then(|| Value::seq(elements))
        }
        Expr::Repeat(repeat) => {
            let Value::Int(length) = value(&repeat.len, context)? else { return None };
            let length = length.to_u64().and_then(|length| usize::try_from(length).ok())?;
            let element = value(&repeat.expr, context)?;
            let is_small = length.saturating_mul(n_elements(&element)) <= MOST_ELEMENTS;
            is_small.then(|| Value::seq(vec![element; length]))
        }
        Expr::Range(range) => {
            let (start, end) = range.start.as_ref().zip(range.end.as_ref())?;
            let (start @ Value::Int(_), Value::Int(end)) = (value(start, context)?, value(end, context)?)
            else {
                return None;
            };
            let end = match &range.limits {
                syn::RangeLimits::HalfOpen(_) => end,
                syn::RangeLimits::Closed(_) => &end + &Int::from(1),
            };
            Some(Value::Tuple([start, Value::Int(end)].into()))
        }
        _ => None,
    }
}

/// The value of a block with nothing but an expression.
fn block(block: &syn::Block, context: Context) -> Option<Value> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(inner, None)] => value(inner, context),
        _ => None,
    }
}

/// `None`
fn none(path: &syn::Path) -> Option<Value> {
    path.is_ident("None").then(|| Value::Data(0, [].into()))
}

/// Number of elements in a value, those of its elements included; one at least.
fn n_elements(value: &Value) -> usize {
    match value {
        Value::Seq(elements) | Value::Tuple(elements) | Value::Data(_, elements) => {
            elements.iter().map(n_elements).sum::<usize>().max(1)
        }
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => 1,
    }
}

fn operation(op: &BinOp, a: &Value, b: &Value, context: Context) -> Option<Value> {
    if let Some(holds) = comparison(op, a, b) {
        return Some(Value::Bool(holds));
    }
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            let result = integer(op, a, b).filter(is_machine)?;
            // A shift drops the bits for which the type has no room.
            let is_whole =
                !matches!(op, BinOp::Shl(_)) || context.ints.is_some_and(|kind| kind.contains(&result));
            is_whole.then_some(Value::Int(result))
        }
        (Value::Float(a), Value::Float(b)) => Some(Value::Float(float(op, *a, *b, context.floats?)?)),
        (Value::Bool(a), Value::Bool(b)) => match op {
            BinOp::And(_) | BinOp::BitAnd(_) => Some(Value::Bool(*a && *b)),
            BinOp::Or(_) | BinOp::BitOr(_) => Some(Value::Bool(*a || *b)),
            BinOp::BitXor(_) => Some(Value::Bool(a != b)),
            _ => None,
        },
        _ => None,
    }
}

/// A comparison of two scalars. Of floats it depends on their types, which are not known.
fn comparison(op: &BinOp, a: &Value, b: &Value) -> Option<bool> {
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => return None,
    };
    Some(match op {
        BinOp::Eq(_) => order.is_eq(),
        BinOp::Ne(_) => order.is_ne(),
        BinOp::Lt(_) => order.is_lt(),
        BinOp::Le(_) => order.is_le(),
        BinOp::Gt(_) => order.is_gt(),
        BinOp::Ge(_) => order.is_ge(),
        _ => return None,
    })
}

/// Arithmetic of floats: of `f32`, by rounding the operands and the result.
fn float(op: &BinOp, a: f64, b: f64, kind: FloatKind) -> Option<f64> {
    let (a, b) = (kind.round(a), kind.round(b));
    let result = match op {
        BinOp::Add(_) => a + b,
        BinOp::Sub(_) => a - b,
        BinOp::Mul(_) => a * b,
        BinOp::Div(_) => a / b,
        _ => return None,
    };
    Some(kind.round(result))
}

fn integer(op: &BinOp, a: &Int, b: &Int) -> Option<Int> {
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
fn converted(value: Value, ty: &Type) -> Option<Value> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    let number = match value {
        Value::Char(c) => Value::int(u64::from(u32::from(c))),
        Value::Bool(b) => Value::int(u64::from(b)),
        value => value,
    };
    match (IntKind::from_name(&name), number) {
        (Some(kind), Value::Int(n)) => kind.contains(&n).then_some(Value::Int(n)),
        (None, Value::Float(x)) => Some(Value::Float(FloatKind::from_name(&name)?.round(x))),
        (None, Value::Int(n)) if name == "f64" => {
            // Integers up to this size are floats exactly.
            let n = n.to_i128().filter(|n| n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS)?;
            Some(Value::Float(n as f64))
        }
        _ => None,
    }
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
        Lit::Float(x) => {
            let value = x.base10_parse().ok()?;
            let kind = FloatKind::from_name(x.suffix());
            Some(Value::Float(kind.map_or(value, |kind| kind.round(value))))
        }
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
