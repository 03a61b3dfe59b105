//! Methods of `char`, and the same tests on bytes.

use target_strategies::logic::ir::{CharClass, IntKind, Term};

use super::super::build::{and, at_most, branch, int, less, or};
use super::super::mistake::unsupported;
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::search::text_of_char;
use crate::frontend::logic_type::Ty;

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

/// Names not supported yet.
pub(super) const LATER: [&str; 6] = [
    "eq_ignore_ascii_case",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_digit",
    "to_lowercase",
    "to_uppercase",
];

/// The supported names.
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    ASCII.iter().chain(&UNICODE).map(|(name, _)| *name).chain(["is_digit", "len_utf8", "to_string"])
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
            "is_digit" => {
                self.arity(call, 1)?;
                let (radix, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::U32)))?;
                let class = match radix {
                    radix if radix == int(10) => CharClass::AsciiDigit,
                    radix if radix == int(16) => CharClass::AsciiHexdigit,
                    _ => return Err(unsupported(call.args[0].span, "a radix other than 10 and 16 is")),
                };
                Ok(Some((Term::CharIs(class, Box::new(term)), Ty::Bool)))
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
