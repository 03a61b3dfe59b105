//! Methods of `char`, and the same tests on bytes.

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{CharClass, IntKind, Term, TextOp};
use target_strategies::logic::value::Value;

use super::super::build::{and, at_most, boolean, branch, equal, index, int, less, or, some_if, sub};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::search::text_of_char;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::Expr;

/// The tests that bytes have, too.
pub(super) const ASCII: [(&str, CharClass); 11] = [
    ("is_ascii", CharClass::Ascii),
    ("is_ascii_alphabetic", CharClass::AsciiAlphabetic),
    ("is_ascii_alphanumeric", CharClass::AsciiAlphanumeric),
    ("is_ascii_control", CharClass::AsciiControl),
    ("is_ascii_digit", CharClass::AsciiDigit),
    ("is_ascii_graphic", CharClass::AsciiGraphic),
    ("is_ascii_hexdigit", CharClass::AsciiHexdigit),
    ("is_ascii_lowercase", CharClass::AsciiLowercase),
    ("is_ascii_punctuation", CharClass::AsciiPunctuation),
    ("is_ascii_uppercase", CharClass::AsciiUppercase),
    ("is_ascii_whitespace", CharClass::AsciiWhitespace),
];

/// The tests of characters outside ASCII.
const UNICODE: [(&str, CharClass); 7] = [
    ("is_alphabetic", CharClass::Alphabetic),
    ("is_alphanumeric", CharClass::Alphanumeric),
    ("is_control", CharClass::Control),
    ("is_lowercase", CharClass::Lowercase),
    ("is_numeric", CharClass::Numeric),
    ("is_uppercase", CharClass::Uppercase),
    ("is_whitespace", CharClass::Whitespace),
];

/// The other supported names.
const OTHER: [&str; 9] = [
    "eq_ignore_ascii_case",
    "is_digit",
    "len_utf8",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_digit",
    "to_lowercase",
    "to_string",
    "to_uppercase",
];

/// Names not supported yet.
pub(super) const LATER: [&str; 3] = ["escape_debug", "escape_unicode", "len_utf16"];

/// The supported names.
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    ASCII.iter().chain(&UNICODE).map(|(name, _)| *name).chain(OTHER)
}

impl Elaborator<'_, '_, '_> {
    pub(super) fn char_method(&mut self, term: &Term, call: &Call) -> Checked<Option<Typed>> {
        let term = term.clone();
        let name = call.name.name.as_str();
        if let Some((_, class)) = ASCII.iter().chain(&UNICODE).find(|(known, _)| *known == name) {
            self.arity(call, 0)?;
            return Ok(Some((Term::CharIs(*class, Box::new(term)), Ty::Bool)));
        }
        match name {
            "is_digit" | "to_digit" => self.digit(term, call).map(Some),
            "to_ascii_lowercase" => {
                self.arity(call, 0)?;
                Ok(Some((Term::TextOp(TextOp::AsciiLowercase, vec![term]), Ty::Char)))
            }
            "to_ascii_uppercase" => {
                self.arity(call, 0)?;
                Ok(Some((Term::TextOp(TextOp::AsciiUppercase, vec![term]), Ty::Char)))
            }
            "eq_ignore_ascii_case" => {
                self.arity(call, 1)?;
                let (other, _) = self.check(&call.args[0], &Ty::Char)?;
                let lower = |c| Term::TextOp(TextOp::AsciiLowercase, vec![c]);
                Ok(Some((equal(lower(term), lower(other)), Ty::Bool)))
            }
            // One character has the same cases alone as in a string.
            "to_lowercase" | "to_uppercase" => {
                self.arity(call, 0)?;
                let op = if name == "to_lowercase" { TextOp::Lowercase } else { TextOp::Uppercase };
                let text = Term::TextOp(op, vec![text_of_char(term)]);
                Ok(Some((Term::Chars(Box::new(text)), Ty::Seq(Box::new(Ty::Char)))))
            }
            "to_string" => {
                self.arity(call, 0)?;
                Ok(Some((text_of_char(term), Ty::Str)))
            }
            "len_utf8" => {
                self.arity(call, 0)?;
                let typed = self.once(Term::ToInt(Box::new(term)), |_, code| {
                    let below = |end| less(code.clone(), int(end));
                    let long = branch(below(0x1_0000), int(3), int(4));
                    let length = branch(below(0x80), int(1), branch(below(0x800), int(2), long));
                    Ok((length, Ty::Int(Some(IntKind::Usize))))
                })?;
                Ok(Some(typed))
            }
            _ => Ok(None),
        }
    }
}

impl Elaborator<'_, '_, '_> {
    /// `is_digit(radix)`, `to_digit(radix)`
    fn digit(&mut self, c: Term, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let u32 = Ty::Int(Some(IntKind::U32));
        let (radix, _) = self.check(&call.args[0], &u32)?;
        is_radix(&radix, &call.name.name, 2, call.args[0].span)?;
        let option = self.data.option(&u32);
        let is_test = call.name.name == "is_digit";
        self.once(c, |this, c| {
            this.once(radix, |_, radix| {
                let digit = digit_of(&c);
                let is_digit = match &radix {
                    radix if *radix == int(10) => Term::CharIs(CharClass::AsciiDigit, Box::new(c.clone())),
                    radix if *radix == int(16) => Term::CharIs(CharClass::AsciiHexdigit, Box::new(c.clone())),
                    radix => less(digit.clone(), radix.clone()),
                };
                let digit = if radix == int(10) { sub(code(c), int(48)) } else { digit };
                let (found, ty) = if is_test {
                    (is_digit, Ty::Bool)
                } else {
                    (some_if(is_digit, option, digit), Ty::Data(option))
                };
                // Rust panics for any other radix.
                let is_radix = match &radix {
                    Term::Lit(Value::Int(n)) => boolean((2..=36).any(|radix| *n == Int::from(radix))),
                    radix => and(vec![at_most(int(2), radix.clone()), at_most(radix.clone(), int(36))]),
                };
                Ok((branch(is_radix, found, Term::Undefined), ty))
            })
        })
    }

    /// `char::from_digit(digit, radix)`
    pub(in crate::frontend::elaborate) fn char_of_digit(
        &mut self,
        digit: &Expr,
        radix: &Expr,
    ) -> Checked<Typed> {
        let u32 = Ty::Int(Some(IntKind::U32));
        let span = radix.span;
        let ((digit, _), (radix, _)) = (self.check(digit, &u32)?, self.check(radix, &u32)?);
        is_radix(&radix, "from_digit", 0, span)?;
        let option = self.data.option(&Ty::Char);
        self.once(digit, |this, digit| {
            this.once(radix, |_, radix| {
                let digits = Term::Lit(Value::str("0123456789abcdefghijklmnopqrstuvwxyz"));
                let c = index(Term::Chars(Box::new(digits)), digit.clone());
                let found = some_if(less(digit, radix.clone()), option, c);
                Ok((branch(at_most(radix, int(36)), found, Term::Undefined), Ty::Data(option)))
            })
        })
    }
}

/// A mistake if a method panics for a constant radix.
fn is_radix(radix: &Term, method: &str, least: u64, span: Span) -> Checked<()> {
    match radix {
        Term::Lit(Value::Int(n)) if *n < Int::from(least) || Int::from(36u64) < *n => {
            let message = format!("`{method}` panics for this radix");
            Err(Diagnostic::error(span, message).help(format!("a radix is a number from {least} to 36")))
        }
        _ => Ok(()),
    }
}

fn code(c: Term) -> Term {
    Term::ToInt(Box::new(c))
}

/// The value of a digit of any radix; a large number for other characters.
fn digit_of(c: &Term) -> Term {
    let from = |offset| sub(code(c.clone()), int(offset));
    let within = |first: char, last: char| {
        let lit = |c| Term::Lit(Value::Char(c));
        and(vec![at_most(lit(first), c.clone()), at_most(c.clone(), lit(last))])
    };
    let upper = branch(within('A', 'Z'), from(55), int(1000));
    branch(within('0', '9'), from(48), branch(within('a', 'z'), from(87), upper))
}

/// Whether a byte, given as a path, belongs to a class of ASCII characters.
pub(super) fn byte_is(class: CharClass, byte: &Term) -> Term {
    let ranges: &[(u8, u8)] = match class {
        CharClass::AsciiAlphabetic => &[(b'A', b'Z'), (b'a', b'z')],
        CharClass::AsciiAlphanumeric => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        CharClass::AsciiControl => &[(0, 0x1f), (0x7f, 0x7f)],
        CharClass::AsciiDigit => &[(b'0', b'9')],
        CharClass::AsciiGraphic => &[(b'!', b'~')],
        CharClass::AsciiHexdigit => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        CharClass::AsciiLowercase => &[(b'a', b'z')],
        CharClass::AsciiPunctuation => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        CharClass::AsciiUppercase => &[(b'A', b'Z')],
        CharClass::AsciiWhitespace => &[(b'\t', b'\n'), (0x0c, b'\r'), (b' ', b' ')],
        _ => &[(0, 0x7f)],
    };
    let within = |&(lo, hi): &(u8, u8)| {
        and(vec![at_most(int(lo.into()), byte.clone()), at_most(byte.clone(), int(hi.into()))])
    };
    or(ranges.iter().map(within).collect())
}
