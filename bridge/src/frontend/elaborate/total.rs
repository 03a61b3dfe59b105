//! Terms that have a value whatever their names stand for: a condition that leaves one of them out loses nothing.

use target_strategies::logic::ir::{ArithOp, CompareOp, Term, TextOp, for_children};
use target_strategies::logic::value::Value;

use super::build::is_path;

/// What is known of the fields of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// Those of paths are there, since their constructors were tested around the term.
    There,
    /// They are there where the term itself tests the constructor.
    Tested,
}

/// Whether a term has a value; if that isn't easy to see, no.
pub(super) fn is_total(term: &Term, fields: Fields) -> bool {
    is_defined(term, fields, &mut Vec::new())
}

/// Whether a term has a value where some tests hold.
fn is_defined<'t>(term: &'t Term, fields: Fields, known: &mut Vec<&'t Term>) -> bool {
    let n_known = known.len();
    match term {
        Term::If(test, then, otherwise) => {
            let mut is_total = is_defined(test, fields, known);
            learn(test, known);
            is_total = is_total && is_defined(then, fields, known);
            known.truncate(n_known);
            is_total && is_defined(otherwise, fields, known)
        }
        Term::And(parts) => {
            let each_is = parts.iter().all(|part| {
                let is_total = is_defined(part, fields, known);
                learn(part, known);
                is_total
            });
            known.truncate(n_known);
            each_is
        }
        Term::Field { of, ctor, .. } => {
            let is_tested = |test: &&Term| match test {
                Term::IsCtor(tested, of_test) => tested == of && of_test == ctor,
                _ => false,
            };
            is_defined(of, fields, known)
                && (fields == Fields::There && is_path(of) || known.iter().any(is_tested))
        }
        Term::Index(of, at) => {
            let is_len = |term: &Term| matches!(term, Term::Len(counted) if counted == of);
            let is_tested = |test: &&Term| match test {
                Term::Compare(CompareOp::Lt, less, len) => less == at && is_len(len),
                _ => false,
            };
            let is_natural = matches!(&**at, Term::Lit(Value::Int(at)) if !at.is_negative());
            is_natural && known.iter().any(is_tested) && is_defined(of, fields, known)
        }
        _ if is_made_of_parts(term) => {
            let mut is_total = true;
            for_children(term, &mut |child| is_total = is_total && is_defined(child, fields, known));
            is_total
        }
        _ => false,
    }
}

/// Adds what holds where a test does.
fn learn<'t>(test: &'t Term, known: &mut Vec<&'t Term>) {
    if let Term::And(parts) = test {
        parts.iter().for_each(|part| learn(part, known));
    } else {
        known.push(test);
    }
}

/// Whether a term has a value if all its parts have.
fn is_made_of_parts(term: &Term) -> bool {
    match term {
        Term::TextOp(TextOp::SplitAtMost | TextOp::SplitBackAtMost, operands) => {
            matches!(operands.last(), Some(Term::Lit(Value::Int(most))) if !most.is_negative())
        }
        Term::TextOp(op, _) => op.is_total(),
        Term::Arith(op, ..) => {
            use ArithOp::{Div, DivEuclid, Pow, Rem, RemEuclid};
            !matches!(op, Div | Rem | DivEuclid | RemEuclid | Pow)
        }
        _ => matches!(
            term,
            Term::Var(_)
                | Term::Lit(_)
                | Term::Not(_)
                | Term::Or(_)
                | Term::Let { .. }
                | Term::Equal(..)
                | Term::Compare(..)
                | Term::Neg(_)
                | Term::Abs(_)
                | Term::Tuple(_)
                | Term::Seq(_)
                | Term::Construct(..)
                | Term::Project(..)
                | Term::IsCtor(..)
                | Term::Len(_)
                | Term::Concat(_)
                | Term::Chars(_)
                | Term::StrTest(..)
                | Term::Matches(..)
                | Term::Contains(..)
                | Term::CharIs(..)
                | Term::All(..)
                | Term::Any(..)
                | Term::Map(..)
                | Term::Filter(..)
                | Term::Reverse(_)
                | Term::Flatten(_)
                | Term::Text(_)
                | Term::Bytes(_)
                | Term::ToInt(_)
                | Term::FloatArith(..)
                | Term::FloatUnary(..)
                | Term::StrFind(..)
                | Term::Collect(..)
                | Term::Entries(_)
                | Term::Keys(_)
                | Term::SetOp(..)
                | Term::Subset(..)
                | Term::MapWithout(..)
        ),
    }
}
