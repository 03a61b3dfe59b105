//! Built-in relations between two values, for `different`: `different_lengths(a, b)`, `edit_distance(a, b, 3)`.
//!
//! Most are short for expressions of the language. What the language can't say is asked of a host, by a number.

mod cover;
mod kinds;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Term, relation};
use target_strategies::logic::value::Value;

pub use kinds::{MAX_KINDS, kinds};

use super::build::int;
use super::mistake::with_guess;
use super::{Checked, Elaborator, Scope, Typed};
use crate::frontend::data::DataTable;
use crate::frontend::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident};

/// The names, with the least and greatest number of arguments after the two values.
pub const RELATIONS: [(&str, usize, usize); 8] = [
    ("not_equal", 0, 0),
    ("different_lengths", 0, 0),
    ("different_variant", 0, 0),
    ("different_shape", 0, 0),
    ("different_keys", 0, 0),
    ("distance", 1, 1),
    ("edit_distance", 1, 1),
    ("cover", 0, 1),
];

/// The names of what isn't a relation, but can be asked for in its place.
const COMBINATIONS: [&str; 2] = ["pairwise", "n_wise"];

/// A condition in which the built-in relations have a meaning.
pub fn elaborated(
    expr: &Expr,
    scope: &Scope,
    data: &mut DataTable<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Term, Span)> {
    data.is_relation = true;
    let terms = super::condition(expr, scope, data, diagnostics);
    data.is_relation = false;
    terms
}

impl Elaborator<'_, '_, '_> {
    /// A built-in relation, if the name is one, and `different` is read.
    pub(super) fn relation(&mut self, name: &Ident, args: &[Expr], span: Span) -> Checked<Option<Typed>> {
        if !self.data.is_relation {
            return Ok(None);
        }
        let Some((known, least, most)) = RELATIONS.into_iter().find(|(known, ..)| *known == name.name) else {
            let known = RELATIONS.iter().map(|(known, ..)| *known).chain(COMBINATIONS);
            let guess = did_you_mean(&name.name, known);
            return match guess {
                Some(guess) => {
                    let message = format!("no relation `{}`", name.name);
                    Err(Diagnostic::error(name.span, message).help(format!("did you mean `{guess}`?")))
                }
                None => Ok(None),
            };
        };
        if !(2 + least..=2 + most).contains(&args.len()) {
            return Err(wrong_number(known, least, span));
        }
        let (a, b) = (&args[0], &args[1]);
        let method = |of: &Expr, name: &str| {
            let name = Ident { name: name.to_owned(), span };
            Expr { kind: ExprKind::MethodCall(Box::new(of.clone()), name, Vec::new()), span }
        };
        let binary = |op: BinaryOp, a: Expr, b: Expr| Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            span,
        };
        let meant = match known {
            "not_equal" => binary(BinaryOp::Ne, a.clone(), b.clone()),
            "different_lengths" => {
                self.is_about(known, a, span)?;
                binary(BinaryOp::Ne, method(a, "len"), method(b, "len"))
            }
            "different_keys" => {
                self.is_about(known, a, span)?;
                binary(BinaryOp::Ne, method(a, "keys"), method(b, "keys"))
            }
            "distance" => {
                self.is_number(a, span)?;
                self.is_positive(known, &args[2])?;
                let apart = method(&binary(BinaryOp::Sub, a.clone(), b.clone()), "abs");
                binary(BinaryOp::Ge, apart, args[2].clone())
            }
            "cover" => return self.cover((a, b), args.get(2), span).map(Some),
            "different_variant" => return self.different_variant(a, b, span).map(Some),
            "edit_distance" => return self.edit_distance((a, b, &args[2]), span).map(Some),
            _ => {
                let (a, ty) = self.typed(a, None)?;
                let (b, _) = self.check(b, &ty)?;
                let same = Term::Opaque(relation::SAME_SHAPE, vec![a, b]);
                return Ok(Some((Term::Not(Box::new(same)), Ty::Bool)));
            }
        };
        self.check(&meant, &Ty::Bool).map(Some)
    }

    /// The diagnostic of a field that a whole input doesn't have, if its fields are the parameters.
    pub(super) fn no_such_part(&self, of: &Expr, name: &Ident) -> Option<Diagnostic> {
        let ExprKind::Path(path) = &of.kind else { return None };
        let [input] = path.as_slice() else { return None };
        let prefix = format!("{}.", input.name);
        let entries = self.scope.entries.iter().filter(|_| self.data.is_relation);
        let parts: Vec<&str> = entries.filter_map(|entry| entry.name.strip_prefix(&prefix)).collect();
        let listed: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
        let diagnostic = Diagnostic::error(name.span, format!("no parameter `{}`", name.name));
        let guess = did_you_mean(&name.name, parts.iter().copied());
        let guess = guess.map(|guess| format!("did you mean `{guess}`?"));
        (!parts.is_empty())
            .then(|| with_guess(diagnostic, guess, &format!("the parameters are {}", listed.join(", "))))
    }

    fn different_variant(&mut self, a: &Expr, b: &Expr, span: Span) -> Checked<Typed> {
        let (a, ty) = self.typed(a, None)?;
        let (b, _) = self.check(b, &ty)?;
        let (a, b, ty) = self.derivations(a, b, ty);
        let Ty::Data(id) = ty else {
            let message = format!("`different_variant` is about enums, not `{}`", self.show(&ty));
            return Err(Diagnostic::error(span, message));
        };
        let n_ctors = self.data.get(id).ctors.len() as u32;
        let number = |value: &Term| {
            (0..n_ctors).rev().fold(int(i64::from(n_ctors)), |rest, ctor| {
                let is_it = Term::IsCtor(Box::new(value.clone()), ctor);
                Term::If(Box::new(is_it), Box::new(int(i64::from(ctor))), Box::new(rest))
            })
        };
        let same = Term::Equal(Box::new(number(&a)), Box::new(number(&b)));
        Ok((Term::Not(Box::new(same)), Ty::Bool))
    }

    /// A mistake if a value has no distance from others.
    fn is_number(&mut self, value: &Expr, span: Span) -> Checked<()> {
        let (_, ty) = self.typed(value, None)?;
        if matches!(ty, Ty::Int(_) | Ty::Float(_)) {
            return Ok(());
        }
        let mistake =
            Diagnostic::error(span, format!("`distance` is about numbers, not `{}`", self.show(&ty)));
        Err(match ty {
            Ty::Str | Ty::Seq(_) => mistake.help("`edit_distance` is about strings and lists"),
            _ => mistake,
        })
    }

    /// A mistake if a value has no length, or no keys.
    fn is_about(&mut self, relation: &str, value: &Expr, span: Span) -> Checked<()> {
        let (_, ty) = self.typed(value, None)?;
        let (is_right, of) = if relation == "different_keys" {
            (matches!(ty, Ty::Map(..)), "maps")
        } else {
            let has_length = matches!(ty, Ty::Str | Ty::Seq(_) | Ty::Set(_) | Ty::Bag(_) | Ty::Map(..));
            (has_length, "strings, lists, sets and maps")
        };
        if is_right {
            return Ok(());
        }
        let message = format!("`{relation}` is about {of}, not `{}`", self.show(&ty));
        Err(Diagnostic::error(span, message))
    }

    /// A mistake if all values are so far apart.
    fn is_positive(&mut self, relation: &str, least: &Expr) -> Checked<()> {
        let is_too_small = match self.typed(least, None)?.0 {
            Term::Lit(Value::Int(n)) => n < Int::ONE,
            Term::Lit(Value::Float(x)) => x <= 0.0,
            Term::Neg(of) => matches!(*of, Term::Lit(_)),
            _ => false,
        };
        if !is_too_small {
            return Ok(());
        }
        let number = if relation == "distance" { "greater than 0" } else { "of at least 1" };
        let message = format!("`{relation}` takes a distance {number}: any two values are 0 apart");
        Err(Diagnostic::error(least.span, message))
    }

    fn edit_distance(&mut self, (a, b, least): (&Expr, &Expr, &Expr), span: Span) -> Checked<Typed> {
        let (a, ty) = self.typed(a, None)?;
        let (b, _) = self.check(b, &ty)?;
        let (number, _) = self.check(least, &Ty::Int(None))?;
        if !matches!(ty, Ty::Str | Ty::Seq(_)) {
            let message = format!("`edit_distance` is about strings and lists, not `{}`", self.show(&ty));
            return Err(Diagnostic::error(span, message));
        }
        self.is_positive("edit_distance", least)?;
        Ok((Term::Opaque(relation::EDIT_DISTANCE, vec![a, b, number]), Ty::Bool))
    }
}

/// The diagnostic of a wrong number of arguments. Alone, a relation is given the two values by the tool: their number is none that was written.
fn wrong_number(known: &str, least: usize, span: Span) -> Diagnostic {
    let more = if known == "cover" {
        ", and perhaps a regular expression or a number"
    } else if least == 0 {
        ""
    } else {
        ", and a number"
    };
    let mistake = Diagnostic::error(span, format!("`{known}` takes two values{more}"));
    mistake.help(arguments_of(known, least))
}

/// How a built-in relation is written.
fn arguments_of(known: &str, least: usize) -> String {
    if least == 0 {
        return format!("write `{known}`, or `{known}(a, b)`");
    }
    format!("write `{known}(10)`, `{known}(x, 10)` of a parameter `x`, or `{known}(a, b, 10)`")
}
