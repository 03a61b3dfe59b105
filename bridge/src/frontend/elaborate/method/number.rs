//! `s.parse::<u8>()`: the strings that are numbers are a regular language, so generators know them.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{IntKind, Regex, Term, TextOp};

use super::super::build::branch;
use super::super::mistake::{PARSE_ERROR, unsupported, untyped};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use crate::frontend::data::Item;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;

/// `parse` for `parse::<u8>`; any other name unchanged.
pub(super) fn parse_name(name: &str) -> &str {
    if name.starts_with("parse::<") { "parse" } else { name }
}

impl Elaborator<'_, '_, '_> {
    /// `parse::<T>()`
    pub(super) fn parse(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        self.arity(call, 0)?;
        let kind = self.parsed_kind(call)?;
        let int = Ty::Int(Some(kind));
        let result = self.data.result(&int, &Ty::Opaque(PARSE_ERROR.to_owned()));
        let numbers =
            self.regex_of(&numbers(kind), |rejection| Diagnostic::error(call.name.span, rejection.message))?;
        self.once(text, |_, text| {
            let is_number = Term::Matches(numbers, Regex::START, Box::new(text.clone()));
            let number = Term::TextOp(TextOp::Parse(kind), vec![text]);
            let number = Term::Construct(result, 0, vec![number]);
            let mistake = Term::Construct(result, 1, vec![Term::Tuple(Vec::new())]);
            Ok((branch(is_number, number, mistake), Ty::Data(result)))
        })
    }

    /// The type of the number: as written, or as the surroundings want it.
    fn parsed_kind(&self, call: &Call) -> Checked<IntKind> {
        let written = call.name.name.strip_prefix("parse::<").and_then(|rest| rest.strip_suffix('>'));
        let written = written.filter(|name| *name != "_");
        if let Some(name) = written {
            return IntKind::from_name(name).ok_or_else(|| {
                unsupported(
                    call.name.span,
                    &format!("`parse` to `{name}`, which is no integer type of Rust's, is"),
                )
            });
        }
        let hinted = match call.hint {
            Some(Ty::Data(id)) => match self.data.item_of(*id) {
                Item::Result(Ty::Int(kind), _) => kind,
                Item::Result(..) | Item::Option(_) | Item::Captures(_) => None,
                Item::User(..) | Item::View(..) | Item::Rule => None,
            },
            _ => None,
        };
        hinted.ok_or_else(|| untyped(call.name.span, "the number").help("write the type: `parse::<u8>()`"))
    }
}

/// The strings that Rust reads as a number of a type: a sign, zeros, and digits up to the greatest number.
fn numbers(kind: IntKind) -> String {
    let greatest = up_to(&kind.max_value());
    let least = kind.min_value();
    if least.is_zero() {
        return format!(r"\+?(0+|0*({greatest}))");
    }
    format!(r"\+?(0+|0*({greatest}))|-(0+|0*({}))", up_to(&least.abs()))
}

/// The digits of all numbers from 1 up to one, without leading zeros. The choices exclude each other, which keeps the
/// automaton small.
fn up_to(greatest: &Int) -> String {
    let digits = greatest.to_string();
    let mut all = Vec::new();
    if digits.len() > 1 {
        all.push(format!("[1-9][0-9]{{0,{}}}", digits.len() - 2));
    }
    for (at, digit) in digits.bytes().enumerate() {
        let least = if at == 0 { b'1' } else { b'0' };
        if digit > least {
            let (least, below) = (char::from(least), char::from(digit - 1));
            all.push(format!("{}[{least}-{below}][0-9]{{{}}}", &digits[..at], digits.len() - at - 1));
        }
    }
    all.push(digits);
    all.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::regex::automaton;

    #[test]
    fn exactly_the_numbers_of_a_type_match() {
        let regex = |kind| automaton(&numbers(kind)).expect("it is a regular expression");
        let (byte, signed) = (regex(IntKind::U8), regex(IntKind::I8));
        for n in -400..400 {
            for text in
                [format!("{n}"), format!("{n:+}"), format!("{n:05}"), format!(" {n}"), format!("{n}.")]
            {
                assert_eq!(byte.accepts(Regex::START, &text), text.parse::<u8>().is_ok(), "{text}");
                assert_eq!(signed.accepts(Regex::START, &text), text.parse::<i8>().is_ok(), "{text}");
            }
        }
        for text in ["", "+", "-", "-0", "+-1", "0x1", "\u{663}"] {
            assert_eq!(byte.accepts(Regex::START, text), text.parse::<u8>().is_ok(), "{text}");
            assert_eq!(signed.accepts(Regex::START, text), text.parse::<i8>().is_ok(), "{text}");
        }
        let wide = regex(IntKind::I128);
        for n in [i128::MAX, i128::MIN, 0, -1] {
            assert!(wide.accepts(Regex::START, &n.to_string()));
        }
        assert!(!wide.accepts(Regex::START, "170141183460469231731687303715884105728"));
        assert!(!wide.accepts(Regex::START, "-170141183460469231731687303715884105729"));
    }
}
