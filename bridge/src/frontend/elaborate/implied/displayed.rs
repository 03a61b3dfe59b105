//! Regular expressions, as text, of the strings that a term can be: `format!("{a}-{b:02}")` is one of `-?[0-9]+-(-?0*[0-9]+)`.

use regex_syntax::escape;
use target_strategies::logic::ir::{Closure, Term, TextOp};
use target_strategies::logic::value::Value;

use super::class;

/// Maximum number of terms that are looked at: names that are used twice may double the work again and again.
const MOST_TERMS: u32 = 1_000;

/// An integer in decimal.
const DECIMAL: &str = "(?:0|-?[1-9][0-9]*)";

/// One that isn't negative.
const NATURAL: &str = "(?:0|[1-9][0-9]*)";

/// The strings that a term can be, and perhaps others; `None` if nothing is known of them.
pub(super) fn strings_of(term: &Term) -> Option<String> {
    in_scope(term, &mut Vec::new(), &mut { MOST_TERMS })
}

/// `bound` are the names around the term with their values.
fn in_scope<'t>(term: &'t Term, bound: &mut Vec<(u32, &'t Term)>, n_left: &mut u32) -> Option<String> {
    *n_left = n_left.checked_sub(1)?;
    let n_bound = bound.len();
    let mut part = |part: &'t Term| in_scope(part, bound, n_left);
    let found = match term {
        Term::Lit(Value::Str(text)) => Some(escape(text)),
        Term::Concat(parts) => {
            let parts: Vec<Option<String>> = parts.iter().map(part).collect();
            let is_known = parts.iter().any(Option::is_some);
            let any = format!("{}*", class::item(&class::between('\0', char::MAX)));
            is_known.then(|| parts.into_iter().map(|part| part.unwrap_or_else(|| any.clone())).collect())
        }
        Term::Let { slot, value, body } => {
            bound.push((*slot, value));
            in_scope(body, bound, n_left)
        }
        Term::Var(slot) => {
            let at = bound.iter().rposition(|(known, _)| known == slot)?;
            // The value sees the names before it.
            in_scope(bound[at].1, &mut bound[..at].to_vec(), n_left)
        }
        Term::If(_, then, otherwise) => Some(format!("(?:{}|{})", part(then)?, part(otherwise)?)),
        Term::TextOp(TextOp::Decimal, operands) => {
            let is_natural = matches!(operands.as_slice(), [Term::Abs(_) | Term::Len(_)]);
            Some(if is_natural { NATURAL } else { DECIMAL }.to_owned())
        }
        Term::Text(chars) => match &**chars {
            Term::Seq(parts) => Some(format!("(?s:.{{{}}})", parts.len())),
            Term::Map(_, Closure { body, .. }) => match &**body {
                Term::Lit(Value::Char(c)) => Some(format!("(?:{})*", escape(&c.to_string()))),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    bound.truncate(n_bound);
    found
}
