//! Prints [`crate::frontend::spec::ast`] as text, for `explain` and for the words of clauses in reports.
//!
//! The text is canonical: one line, single spaces, only necessary brackets. Syntax that the parser drops (bounds of
//! closures' parameters, `&` in patterns) is missing. Parsing the text again gives the same tree except for spans.

mod exprs;
#[cfg(test)]
mod tests;

use target_strategies::logic::ir::CallbackKind;

use super::ast::{Condition, DeclarationHead, Expr, Ident, Param, Pat, Signature, Type, TypeKind};

/// A signature with its clauses.
pub fn signature(signature: &Signature) -> String {
    let mut out = String::new();
    write_signature(&mut out, signature, write_named);
    out
}

/// A type.
pub fn ty(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty);
    out
}

/// The left side of an alias.
pub fn declaration_head(head: &DeclarationHead) -> String {
    let mut out = head.name.name.clone();
    if !head.generics.is_empty() {
        out.push('<');
        list(&mut out, &head.generics, |out, name| out.push_str(&name.name));
        out.push('>');
    }
    if !head.params.is_empty() {
        out.push('(');
        list(&mut out, &head.params, write_named);
        out.push(')');
    }
    out
}

/// `p where q`
pub fn condition(condition: &Condition) -> String {
    let mut out = String::new();
    write_condition(&mut out, condition);
    out
}

/// An expression.
pub fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    exprs::write(&mut out, expr, exprs::Level::FULL);
    out
}

/// A pattern.
pub fn pat(pat: &Pat) -> String {
    let mut out = String::new();
    exprs::write_pat(&mut out, pat, true);
    out
}

/// A path.
pub fn path(path: &[Ident]) -> String {
    if let [first, rest @ ..] = path
        && (first.name == "dyn" || first.name == "impl")
    {
        return format!("{} {}", first.name, self::path(rest));
    }
    path.iter().map(|segment| segment.name.as_str()).collect::<Vec<_>>().join("::")
}

/// Elements separated by commas.
fn list<T>(out: &mut String, elements: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, element);
    }
}

/// Elements of a tuple: a comma follows a single element.
fn tuple<T>(out: &mut String, elements: &[T], write: impl FnMut(&mut String, &T)) {
    out.push('(');
    list(out, elements, write);
    out.push_str(if elements.len() == 1 { ",)" } else { ")" });
}

fn write_named(out: &mut String, param: &Param) {
    out.push_str(&param.name.name);
    out.push_str(": ");
    write_type(out, &param.ty);
}

/// A parameter of a function type, whose name is optional; a spec's parameters must have names.
fn write_nameless(out: &mut String, param: &Param) {
    if param.name.name == "_" { write_type(out, &param.ty) } else { write_named(out, param) }
}

fn write_signature(out: &mut String, signature: &Signature, write_param: fn(&mut String, &Param)) {
    out.push_str("fn(");
    list(out, &signature.params, write_param);
    out.push(')');
    if let Some(result) = &signature.result {
        out.push_str(" -> ");
        // A function type would include the following clauses.
        let function = ends_in_function(result);
        out.push_str(if function { "(" } else { "" });
        write_type(out, result);
        out.push_str(if function { ")" } else { "" });
    }
    let clauses = [("requires", &signature.requires), ("ensures", &signature.ensures)];
    for (keyword, conditions) in clauses {
        for condition in conditions {
            out.push_str(&format!(" {keyword} "));
            write_condition(out, condition);
        }
    }
    if let Some(condition) = &signature.panics_if {
        out.push_str(" panics if ");
        write_condition(out, condition);
    }
}

/// Whether a type ends with a function type.
fn ends_in_function(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Function(..) => true,
        TypeKind::Ref { inner, .. } => ends_in_function(inner),
        _ => false,
    }
}

fn write_condition(out: &mut String, condition: &Condition) {
    if let Some(expr) = &condition.expr {
        exprs::write(out, expr, exprs::Level::FULL);
    }
    if let Some(opaque) = &condition.opaque {
        out.push_str(if condition.expr.is_some() { " where " } else { "where " });
        out.push_str(&opaque.text);
    }
}

fn write_type(out: &mut String, ty: &Type) {
    match &ty.kind {
        TypeKind::Path { path: segments, generics, args } => {
            out.push_str(&path(segments));
            if !generics.is_empty() {
                out.push('<');
                list(out, generics, write_type);
                out.push('>');
            }
            if !args.is_empty() {
                out.push('(');
                list(out, args, |out, arg| exprs::write(out, arg, exprs::Level::FULL));
                out.push(')');
            }
        }
        TypeKind::Ref { mutable, inner } => {
            out.push_str(if *mutable { "&mut " } else { "&" });
            write_type(out, inner);
        }
        TypeKind::Tuple(types) => tuple(out, types, write_type),
        TypeKind::Array(element, length) => {
            out.push('[');
            write_type(out, element);
            out.push_str("; ");
            exprs::write(out, length, exprs::Level::FULL);
            out.push(']');
        }
        TypeKind::Constant(text) => out.push_str(text),
        TypeKind::Associated(name, ty) => {
            out.push_str(&name.name);
            out.push_str(" = ");
            write_type(out, ty);
        }
        TypeKind::Slice(element) => {
            out.push('[');
            write_type(out, element);
            out.push(']');
        }
        TypeKind::Function(kind, signature) => {
            let clauses = !signature.requires.is_empty()
                || !signature.ensures.is_empty()
                || signature.panics_if.is_some();
            out.push_str(if clauses { "(" } else { "" });
            let mut text = String::new();
            write_signature(&mut text, signature, write_nameless);
            out.push_str(match kind {
                CallbackKind::Pure => "fn",
                CallbackKind::Stateful => "FnMut",
                CallbackKind::Once => "FnOnce",
            });
            out.push_str(text.strip_prefix("fn").unwrap_or(&text));
            out.push_str(if clauses { ")" } else { "" });
        }
        TypeKind::Refined { binder, base, condition } => {
            out.push_str(&format!("{{{}: ", binder.name));
            write_type(out, base);
            out.push_str(" | ");
            write_condition(out, condition);
            out.push('}');
        }
    }
}
