//! Methods of strings; those with an argument are in [`super::search`].

use target_strategies::logic::ir::{CharClass, Closure, IntKind, Term};

use super::super::build::{equal, int, len};
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::number::parse_name;
use super::pieces::{PIECES, is_trimmed};
use crate::frontend::logic_type::Ty;

/// The supported names.
pub(super) const METHODS: [&str; 19] = [
    "captures",
    "as_bytes",
    "as_str",
    "bytes",
    "chars",
    "contains",
    "ends_with",
    "find",
    "into_bytes",
    "into_string",
    "is_ascii",
    "is_empty",
    "len",
    "matches",
    "repeat",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "to_string",
];

/// Methods that return their receiver.
pub(super) const SAME: [&str; 4] = ["as_deref", "as_str", "into_string", "to_string"];

/// Names not supported yet.
pub(super) const LATER: [&str; 4] = ["escape_debug", "match_indices", "rmatches", "split_ascii_whitespace"];

/// The supported names.
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.into_iter().chain(PIECES)
}

impl Elaborator<'_, '_, '_> {
    pub(super) fn text_method(&mut self, term: &Term, call: &Call) -> Checked<Option<Typed>> {
        let term = term.clone();
        let name = call.name.name.as_str();
        if PIECES.contains(&parse_name(name)) {
            return self.pieces_method(term, call).map(Some);
        }
        if name == "captures" {
            self.arity(call, 1)?;
            return self.captures(term, &call.args[0]).map(Some);
        }
        if !METHODS.contains(&name) && !SAME.contains(&name) {
            return Ok(None);
        }
        if let "contains" | "ends_with" | "find" | "matches" | "repeat" | "starts_with" | "strip_prefix"
        | "strip_suffix" = name
        {
            self.arity(call, 1)?;
            return self.search_method(term, call).map(Some);
        }
        self.arity(call, 0)?;
        Ok(Some(match name {
            "len" => (len(term), Ty::Int(Some(IntKind::Usize))),
            "is_empty" if is_trimmed(&term) => self.is_blank(term)?,
            "is_empty" => (equal(len(term), int(0)), Ty::Bool),
            "chars" => (Term::Chars(Box::new(term)), Ty::Seq(Box::new(Ty::Char))),
            "bytes" | "as_bytes" | "into_bytes" => {
                (Term::Bytes(Box::new(term)), Ty::Seq(Box::new(Ty::Int(Some(IntKind::U8)))))
            }
            "is_ascii" => {
                let slot = self.fresh();
                let body = Term::CharIs(CharClass::Ascii, Box::new(Term::Var(slot)));
                let closure = Closure { slot, body: Box::new(body) };
                (Term::All(Box::new(Term::Chars(Box::new(term))), closure), Ty::Bool)
            }
            _ => (term, Ty::Str),
        }))
    }
}
