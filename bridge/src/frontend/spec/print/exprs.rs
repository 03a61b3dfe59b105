//! Expressions and their patterns as text, with the brackets required by the precedence of operators.

use target_strategies::logic::ir::FloatKind;

use super::{list, path, tuple, write_type};
use crate::frontend::spec::ast::{Arm, BinaryOp, Expr, ExprKind, FORMAT, Pat, PatKind, SliceRest, UnaryOp};

/// The minimum binding of an expression that needs no brackets in a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Level(u8);

impl Level {
    /// Between brackets, or at the end of an expression: any expression.
    pub const FULL: Level = Level(0);
    /// The condition of an `if` or the scrutinee of a `match`: no expression that contains a brace.
    const SCRUTINEE: Level = Level(1);
    const IMPLIES: Level = Level(2);
    const RANGE: Level = Level(3);
    const OR: Level = Level(4);
    const COMPARISON: Level = Level(6);
    const CAST: Level = Level(13);
    const UNARY: Level = Level(14);
    const POSTFIX: Level = Level(15);

    fn tighter(self) -> Level {
        Level(self.0 + 1)
    }
}

/// An infix operator's sign and its level.
fn sign(op: BinaryOp) -> (&'static str, Level) {
    match op {
        BinaryOp::Implies => ("==>", Level::IMPLIES),
        BinaryOp::Or => ("||", Level::OR),
        BinaryOp::And => ("&&", Level(5)),
        BinaryOp::Eq => ("==", Level::COMPARISON),
        BinaryOp::Ne => ("!=", Level::COMPARISON),
        BinaryOp::Lt => ("<", Level::COMPARISON),
        BinaryOp::Le => ("<=", Level::COMPARISON),
        BinaryOp::Gt => (">", Level::COMPARISON),
        BinaryOp::Ge => (">=", Level::COMPARISON),
        BinaryOp::BitOr => ("|", Level(7)),
        BinaryOp::BitXor => ("^", Level(8)),
        BinaryOp::BitAnd => ("&", Level(9)),
        BinaryOp::Shl => ("<<", Level(10)),
        BinaryOp::Shr => (">>", Level(10)),
        BinaryOp::Add => ("+", Level(11)),
        BinaryOp::Sub => ("-", Level(11)),
        BinaryOp::Mul => ("*", Level(12)),
        BinaryOp::Div => ("/", Level(12)),
        BinaryOp::Rem => ("%", Level(12)),
    }
}

/// The binding of an expression.
fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Binary(op, ..) => sign(*op).1,
        ExprKind::Range { .. } => Level::RANGE,
        ExprKind::Cast(..) => Level::CAST,
        ExprKind::Unary(..) => Level::UNARY,
        ExprKind::Closure(..)
        | ExprKind::If(..)
        | ExprKind::IfLet(..)
        | ExprKind::Match(..)
        | ExprKind::Block(..)
        | ExprKind::Struct(..) => Level::FULL,
        _ => Level::POSTFIX,
    }
}

/// Writes an expression, in brackets if it binds less tightly than `wanted`.
pub(super) fn write(out: &mut String, expr: &Expr, wanted: Level) {
    if level(expr) < wanted {
        out.push('(');
        bare(out, expr);
        out.push(')');
    } else {
        bare(out, expr);
    }
}

fn full(out: &mut String, expr: &Expr) {
    write(out, expr, Level::FULL);
}

fn exprs(out: &mut String, open: &str, elements: &[Expr], close: &str) {
    out.push_str(open);
    list(out, elements, full);
    out.push_str(close);
}

fn repeat(out: &mut String, open: &str, element: &Expr, length: &Expr) {
    out.push_str(open);
    full(out, element);
    out.push_str("; ");
    full(out, length);
    out.push(']');
}

fn bare(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Int(value, suffix) => {
            out.push_str(&format!("{value}{}", suffix.as_deref().unwrap_or_default()));
        }
        ExprKind::Float(value, None) => out.push_str(&format!("{value:?}")),
        ExprKind::Float(value, Some(FloatKind::F32)) => out.push_str(&format!("{:?}f32", *value as f32)),
        ExprKind::Float(value, Some(FloatKind::F64)) => out.push_str(&format!("{value:?}f64")),
        ExprKind::Char(value) => out.push_str(&format!("{value:?}")),
        ExprKind::Byte(value) => out.push_str(&format!("b'{}'", value.escape_ascii())),
        ExprKind::Str(value, _) => out.push_str(&format!("{value:?}")),
        ExprKind::ByteStr(value) => out.push_str(&format!("b\"{}\"", value.escape_ascii())),
        ExprKind::Path(segments) => out.push_str(&path(segments)),
        ExprKind::Unary(op, operand) => {
            out.push(match op {
                UnaryOp::Not => '!',
                UnaryOp::Neg => '-',
                UnaryOp::Deref => '*',
                UnaryOp::Ref | UnaryOp::RefMut => '&',
            });
            write(out, operand, Level::UNARY);
        }
        ExprKind::Binary(op, left, right) => binary(out, *op, left, right),
        ExprKind::Range { lo, hi, inclusive } => {
            lo.iter().for_each(|lo| write(out, lo, Level::OR));
            out.push_str(if *inclusive { "..=" } else { ".." });
            hi.iter().for_each(|hi| write(out, hi, Level::OR));
        }
        ExprKind::Cast(value, ty) => {
            write(out, value, Level::CAST);
            out.push_str(" as ");
            write_type(out, ty);
        }
        ExprKind::Array(elements) => exprs(out, "[", elements, "]"),
        ExprKind::Vec(elements) => exprs(out, "vec![", elements, "]"),
        ExprKind::Unreachable => out.push_str("unreachable!()"),
        ExprKind::Set(elements) => exprs(out, "set![", elements, "]"),
        ExprKind::Repeat(element, length) => repeat(out, "[", element, length),
        ExprKind::VecRepeat(element, length) => repeat(out, "vec![", element, length),
        ExprKind::Tuple(elements) => tuple(out, elements, full),
        _ => compound(out, expr),
    }
}

/// The forms that contain field names, patterns or braces.
fn compound(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Field(of, field) => {
            receiver(out, of);
            out.push_str(&format!(".{}", field.name));
        }
        ExprKind::Index(of, index) => {
            write(out, of, Level::POSTFIX);
            exprs(out, "[", std::slice::from_ref(index), "]");
        }
        ExprKind::Call(function, args) if is_format(function) => format(out, args),
        ExprKind::Call(function, args) => {
            let named = matches!(function.kind, ExprKind::Path(_));
            write(out, function, if named { Level::POSTFIX } else { Level::POSTFIX.tighter() });
            exprs(out, "(", args, ")");
        }
        ExprKind::MethodCall(of, name, args) => {
            receiver(out, of);
            out.push_str(&format!(".{}", name.name));
            exprs(out, "(", args, ")");
        }
        ExprKind::Closure(params, body) => {
            out.push('|');
            list(out, params, |out, param| write_pat(out, param, false));
            out.push_str("| ");
            full(out, body);
        }
        ExprKind::Matches(value, pat, guard) => {
            out.push_str("matches!(");
            full(out, value);
            out.push_str(", ");
            write_pat(out, pat, true);
            if let Some(guard) = guard {
                out.push_str(" if ");
                full(out, guard);
            }
            out.push(')');
        }
        ExprKind::Struct(segments, fields) => {
            out.push_str(&format!("{} {{ ", path(segments)));
            list(out, fields, |out, (name, value)| {
                out.push_str(&name.name);
                if !matches!(&value.kind, ExprKind::Path(path) if path.len() == 1 && path[0].name == name.name)
                {
                    out.push_str(": ");
                    full(out, value);
                }
            });
            out.push_str(" }");
        }
        _ => branching(out, expr),
    }
}

fn is_format(function: &Expr) -> bool {
    matches!(&function.kind, ExprKind::Path(path) if path.len() == 1 && path[0].name == FORMAT)
}

/// `format!` of pieces, with all values after the string.
fn format(out: &mut String, pieces: &[Expr]) {
    let (mut text, mut values) = (String::new(), Vec::new());
    for piece in pieces {
        match &piece.kind {
            ExprKind::Str(piece, _) => text.push_str(&piece.replace('{', "{{").replace('}', "}}")),
            ExprKind::MethodCall(value, placeholder, _) => {
                let layout = placeholder.name.trim_matches(['{', '}']);
                text.push_str(&if layout.is_empty() { "{}".to_owned() } else { format!("{{:{layout}}}") });
                values.push(&**value);
            }
            _ => {}
        }
    }
    out.push_str(&format!("format!({text:?}"));
    for value in values {
        out.push_str(", ");
        full(out, value);
    }
    out.push(')');
}

/// `if`, `match` and blocks.
fn branching(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::If(condition, then, otherwise) => {
            out.push_str("if ");
            write(out, condition, Level::SCRUTINEE);
            branches(out, then, otherwise.as_deref());
        }
        ExprKind::IfLet(pat, value, then, otherwise) => {
            out.push_str("if let ");
            write_pat(out, pat, true);
            out.push_str(" = ");
            write(out, value, Level::COMPARISON);
            branches(out, then, otherwise.as_deref());
        }
        ExprKind::Match(value, arms) => {
            out.push_str("match ");
            write(out, value, Level::SCRUTINEE);
            out.push_str(" { ");
            list(out, arms, arm);
            out.push_str(" }");
        }
        ExprKind::Block(lets, value) => {
            out.push_str("{ ");
            for stmt in lets {
                out.push_str("let ");
                write_pat(out, &stmt.pat, true);
                out.push_str(" = ");
                full(out, &stmt.value);
                out.push_str("; ");
            }
            full(out, value);
            out.push_str(" }");
        }
        _ => {}
    }
}

fn binary(out: &mut String, op: BinaryOp, left: &Expr, right: &Expr) {
    let (sign, level) = sign(op);
    // `==>` groups to the right and takes no bare range, comparisons don't group, all other operators group to the
    // left.
    let (on_left, on_right) = match op {
        BinaryOp::Implies => (Level::OR, Level::IMPLIES),
        _ if level == Level::COMPARISON => (level.tighter(), level.tighter()),
        _ => (level, level.tighter()),
    };
    write(out, left, on_left);
    out.push_str(&format!(" {sign} "));
    write(out, right, on_right);
}

/// The receiver before a dot. After a number without brackets, the dot would be a decimal point.
fn receiver(out: &mut String, of: &Expr) {
    let number = matches!(of.kind, ExprKind::Int(..) | ExprKind::Float(..));
    write(out, of, if number { Level::POSTFIX.tighter() } else { Level::POSTFIX });
}

fn arm(out: &mut String, arm: &Arm) {
    write_pat(out, &arm.pat, true);
    if let Some(guard) = &arm.guard {
        out.push_str(" if ");
        full(out, guard);
    }
    out.push_str(" => ");
    full(out, &arm.body);
}

fn braced(out: &mut String, value: &Expr) {
    // A block has its own braces.
    if matches!(value.kind, ExprKind::Block(..)) {
        full(out, value);
    } else {
        out.push_str("{ ");
        full(out, value);
        out.push_str(" }");
    }
}

fn branches(out: &mut String, then: &Expr, otherwise: Option<&Expr>) {
    out.push(' ');
    braced(out, then);
    let Some(otherwise) = otherwise else { return };
    out.push_str(" else ");
    if matches!(otherwise.kind, ExprKind::If(..) | ExprKind::IfLet(..)) {
        full(out, otherwise);
    } else {
        braced(out, otherwise);
    }
}

/// Writes a pattern. Alternatives and ranges are in brackets, except at the `top`.
pub(super) fn write_pat(out: &mut String, pat: &Pat, top: bool) {
    if !top && matches!(pat.kind, PatKind::Or(_) | PatKind::Range { .. }) {
        out.push('(');
        write_bare_pat(out, pat);
        out.push(')');
    } else {
        write_bare_pat(out, pat);
    }
}

fn end(out: &mut String, end: &Expr) {
    write(out, end, Level::FULL);
}

fn write_bare_pat(out: &mut String, pat: &Pat) {
    match &pat.kind {
        PatKind::Wild => out.push('_'),
        PatKind::Bind(name, inner) => {
            out.push_str(&name.name);
            if let Some(inner) = inner {
                out.push_str(" @ ");
                write_pat(out, inner, false);
            }
        }
        PatKind::Lit(value) => end(out, value),
        PatKind::Range { lo, hi, inclusive } => {
            lo.iter().for_each(|lo| end(out, lo));
            out.push_str(if *inclusive { "..=" } else { ".." });
            hi.iter().for_each(|hi| end(out, hi));
        }
        PatKind::Path(segments) => out.push_str(&path(segments)),
        PatKind::TupleStruct(segments, pats, rest) => {
            out.push_str(&path(segments));
            write_with_rest(out, pats, *rest, false);
        }
        PatKind::Tuple(pats, rest) => write_with_rest(out, pats, *rest, true),
        PatKind::Struct(segments, fields, rest) => {
            out.push_str(&format!("{} {{ ", path(segments)));
            list(out, fields, |out, (name, pat)| {
                out.push_str(&name.name);
                if !matches!(&pat.kind, PatKind::Bind(bound, None) if bound.name == name.name) {
                    out.push_str(": ");
                    write_pat(out, pat, true);
                }
            });
            if *rest {
                out.push_str(if fields.is_empty() { ".." } else { ", .." });
            }
            out.push_str(" }");
        }
        PatKind::Slice { before, rest, after } => {
            let mut parts: Vec<String> = before.iter().map(element_pat).collect();
            match rest {
                SliceRest::Absent => {}
                SliceRest::Unnamed => parts.push("..".to_owned()),
                SliceRest::Named(name) => parts.push(format!("{} @ ..", name.name)),
            }
            parts.extend(after.iter().map(element_pat));
            out.push_str(&format!("[{}]", parts.join(", ")));
        }
        PatKind::Or(alternatives) => {
            for (index, alternative) in alternatives.iter().enumerate() {
                out.push_str(if index > 0 { " | " } else { "" });
                write_pat(out, alternative, !matches!(alternative.kind, PatKind::Or(_)));
            }
        }
    }
}

fn element_pat(pat: &Pat) -> String {
    let mut out = String::new();
    write_pat(&mut out, pat, false);
    out
}

/// Patterns in parentheses with `..` at the given index.
fn write_with_rest(out: &mut String, pats: &[Pat], rest: Option<usize>, tuple: bool) {
    let mut parts: Vec<String> = pats.iter().map(element_pat).collect();
    if let Some(index) = rest {
        parts.insert(index.min(parts.len()), "..".to_owned());
    }
    let single = tuple && rest.is_none() && parts.len() == 1;
    out.push_str(&format!("({}{})", parts.join(", "), if single { "," } else { "" }));
}
