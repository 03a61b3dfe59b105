//! Patterns as text.

use super::{exprs, list, path};
use crate::frontend::spec::ast::{Expr, Pat, PatKind};

/// Writes a pattern. Alternatives and ranges are in brackets, except at the `top`.
pub(super) fn write(out: &mut String, pat: &Pat, top: bool) {
    if !top && matches!(pat.kind, PatKind::Or(_) | PatKind::Range { .. }) {
        out.push('(');
        bare(out, pat);
        out.push(')');
    } else {
        bare(out, pat);
    }
}

fn end(out: &mut String, end: &Expr) {
    exprs::write(out, end, exprs::Level::FULL);
}

fn bare(out: &mut String, pat: &Pat) {
    match &pat.kind {
        PatKind::Wild => out.push('_'),
        PatKind::Bind(name, inner) => {
            out.push_str(&name.name);
            if let Some(inner) = inner {
                out.push_str(" @ ");
                write(out, inner, false);
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
            with_rest(out, pats, *rest, false);
        }
        PatKind::Tuple(pats, rest) => with_rest(out, pats, *rest, true),
        PatKind::Struct(segments, fields, rest) => {
            out.push_str(&format!("{} {{ ", path(segments)));
            list(out, fields, |out, (name, pat)| {
                out.push_str(&name.name);
                if !matches!(&pat.kind, PatKind::Bind(bound, None) if bound.name == name.name) {
                    out.push_str(": ");
                    write(out, pat, true);
                }
            });
            if *rest {
                out.push_str(if fields.is_empty() { ".." } else { ", .." });
            }
            out.push_str(" }");
        }
        PatKind::Slice { before, rest, after } => {
            let mut parts: Vec<String> = before.iter().map(element).collect();
            if let Some(name) = rest {
                parts.push(name.as_ref().map_or("..".to_owned(), |name| format!("{} @ ..", name.name)));
            }
            parts.extend(after.iter().map(element));
            out.push_str(&format!("[{}]", parts.join(", ")));
        }
        PatKind::Or(alternatives) => {
            for (index, alternative) in alternatives.iter().enumerate() {
                out.push_str(if index > 0 { " | " } else { "" });
                write(out, alternative, !matches!(alternative.kind, PatKind::Or(_)));
            }
        }
    }
}

fn element(pat: &Pat) -> String {
    let mut out = String::new();
    write(&mut out, pat, false);
    out
}

/// Patterns in parentheses with `..` at the given index.
fn with_rest(out: &mut String, pats: &[Pat], rest: Option<usize>, tuple: bool) {
    let mut parts: Vec<String> = pats.iter().map(element).collect();
    if let Some(index) = rest {
        parts.insert(index.min(parts.len()), "..".to_owned());
    }
    let single = tuple && rest.is_none() && parts.len() == 1;
    out.push_str(&format!("({}{})", parts.join(", "), if single { "," } else { "" }));
}
