//! Methods that take a string apart, trim it, change it or read it as a number. Most become a [`TextOp`].
//!
//! What can be said of the characters alone is said so, since generators solve that: `s.split('-').count()` counts the
//! `'-'` in `s`, and `s.trim() == s` is about its first and its last character.

use target_strategies::logic::ir::{CharClass, Closure, IntKind, StrTest, Term, TextOp};
use target_strategies::logic::value::Value;

use super::super::build::{add, and, at_most, equal, int, is_path, len, less, not, slice, some_if};
use super::super::mistake::unsupported;
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::number::parse_name;
use super::search::{Sought, chars, has, text_of_char};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind};

/// The supported names.
pub(super) const PIECES: [&str; 33] = [
    "char_indices",
    "eq_ignore_ascii_case",
    "get",
    "is_char_boundary",
    "lines",
    "parse",
    "replace",
    "replacen",
    "rfind",
    "rsplit",
    "rsplit_once",
    "rsplitn",
    "split",
    "split_at",
    "split_inclusive",
    "split_once",
    "split_terminator",
    "split_whitespace",
    "splitn",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_lowercase",
    "to_uppercase",
    "trim",
    "trim_end",
    "trim_end_matches",
    "trim_left",
    "trim_left_matches",
    "trim_matches",
    "trim_right",
    "trim_right_matches",
    "trim_start",
    "trim_start_matches",
];

impl Elaborator<'_, '_, '_> {
    /// The methods in [`PIECES`].
    pub(super) fn pieces_method(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        let texts = Ty::Seq(Box::new(Ty::Str));
        let simple = match name {
            "trim" => Some((TextOp::Trim, Ty::Str)),
            "trim_start" | "trim_left" => Some((TextOp::TrimStart, Ty::Str)),
            "trim_end" | "trim_right" => Some((TextOp::TrimEnd, Ty::Str)),
            "to_lowercase" => Some((TextOp::Lowercase, Ty::Str)),
            "to_uppercase" => Some((TextOp::Uppercase, Ty::Str)),
            "to_ascii_lowercase" => Some((TextOp::AsciiLowercase, Ty::Str)),
            "to_ascii_uppercase" => Some((TextOp::AsciiUppercase, Ty::Str)),
            "split_whitespace" => Some((TextOp::Words, texts)),
            "lines" => Some((TextOp::Lines, texts)),
            _ => None,
        };
        if let Some((op, ty)) = simple {
            self.arity(call, 0)?;
            return Ok((Term::TextOp(op, vec![text]), ty));
        }
        match parse_name(name) {
            "parse" => self.parse(text, call),
            "get" => self.text_get(text, call),
            "is_char_boundary" => {
                self.arity(call, 1)?;
                let (at, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
                Ok((Term::TextOp(TextOp::IsBoundary, vec![text, at]), Ty::Bool))
            }
            "split_at" => self.split_at(text, call),
            "char_indices" => self.char_indices(text, call),
            "eq_ignore_ascii_case" => {
                self.arity(call, 1)?;
                let (other, _) = self.check(&call.args[0], &Ty::Str)?;
                let lower = |text| Term::TextOp(TextOp::AsciiLowercase, vec![text]);
                Ok((equal(lower(text), lower(other)), Ty::Bool))
            }
            "replace" | "replacen" => self.replaced(text, call),
            _ => self.by_pattern(text, call),
        }
    }

    /// The methods whose first or second argument is a pattern, and which do nothing but search for it.
    fn by_pattern(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        let op = match name {
            "split" => TextOp::Split,
            "rsplit" => TextOp::SplitBack,
            "splitn" => TextOp::SplitAtMost,
            "rsplitn" => TextOp::SplitBackAtMost,
            "split_terminator" => TextOp::SplitTerminated,
            "split_inclusive" => TextOp::SplitInclusive,
            "trim_end_matches" | "trim_right_matches" => TextOp::TrimEnd,
            _ => TextOp::TrimStart,
        };
        if let "splitn" | "rsplitn" = name {
            self.arity(call, 2)?;
            let (most, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
            return self.once(most, |this, most| this.searched(op, text, &call.args[1], vec![most], call));
        }
        self.arity(call, 1)?;
        match name {
            "split_once" | "rsplit_once" => self.split_once(text, call),
            "rfind" => self.rfind(text, call),
            "trim_matches" => self.once(text, |this, text| {
                this.with_pattern(&call.args[0], call, |this, sought| this.trim_both(text, sought))
            }),
            _ => self.searched(op, text, &call.args[0], Vec::new(), call),
        }
    }

    /// An operation with the text, the pattern and further operands.
    fn searched(
        &mut self,
        op: TextOp,
        text: Term,
        pattern: &Expr,
        more: Vec<Term>,
        call: &Call,
    ) -> Checked<Typed> {
        let is_part = matches!(op, TextOp::TrimStart | TextOp::TrimEnd);
        let ty = if is_part { Ty::Str } else { Ty::Seq(Box::new(Ty::Str)) };
        self.once(text, |this, text| {
            this.with_pattern(pattern, call, |_, sought| {
                let pattern = pattern_term(op, &text, sought);
                Ok((Term::TextOp(op, [vec![text, pattern], more].concat()), ty))
            })
        })
    }

    /// `trim_matches`: first the start, then the end.
    fn trim_both(&mut self, text: Term, sought: Sought) -> Checked<Typed> {
        let pattern = pattern_term(TextOp::TrimStart, &text, copy(&sought));
        let rest = Term::TextOp(TextOp::TrimStart, vec![text, pattern]);
        self.once(rest, |_, rest| {
            let pattern = pattern_term(TextOp::TrimEnd, &rest, sought);
            Ok((Term::TextOp(TextOp::TrimEnd, vec![rest, pattern]), Ty::Str))
        })
    }

    /// `split_once`, `rsplit_once`
    fn split_once(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let ops = match call.name.name.as_str() {
            "split_once" => [TextOp::Before, TextOp::After],
            _ => [TextOp::BeforeLast, TextOp::AfterLast],
        };
        let option = self.data.option(&Ty::Tuple(vec![Ty::Str, Ty::Str]));
        self.found_in(text, call, |text, sought| {
            let parts = ops.map(|op| {
                let pattern = pattern_term(op, text, copy(sought));
                Term::TextOp(op, vec![text.clone(), pattern])
            });
            some_if(contains(ops[0], text, sought), option, Term::Tuple(parts.into()))
        })
        .map(|term| (term, Ty::Data(option)))
    }

    /// `rfind`: the offset in bytes.
    fn rfind(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let option = self.data.option(&Ty::Int(Some(IntKind::Usize)));
        self.found_in(text, call, |text, sought| {
            let pattern = pattern_term(TextOp::BeforeLast, text, copy(sought));
            let before = Term::TextOp(TextOp::BeforeLast, vec![text.clone(), pattern]);
            some_if(contains(TextOp::BeforeLast, text, sought), option, len(before))
        })
        .map(|term| (term, Ty::Data(option)))
    }

    /// Gives `body` a text and a pattern that it may repeat.
    fn found_in(
        &mut self,
        text: Term,
        call: &Call,
        body: impl FnOnce(&Term, &Sought) -> Term,
    ) -> Checked<Term> {
        let (term, _) = self.once(text, |this, text| {
            this.with_pattern(&call.args[0], call, |this, sought| match sought {
                Sought::Text(part) => {
                    this.once(part, |_, part| Ok((body(&text, &Sought::Text(part)), Ty::Str)))
                }
                sought => Ok((body(&text, &sought), Ty::Str)),
            })
        })?;
        Ok(term)
    }

    /// `replace(pattern, to)`, `replacen(pattern, to, n)`: the pieces between matches, joined.
    fn replaced(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let at_most = call.name.name == "replacen";
        self.arity(call, if at_most { 3 } else { 2 })?;
        let (op, more) = if at_most {
            let (n, _) = self.check(&call.args[2], &Ty::Int(Some(IntKind::Usize)))?;
            (TextOp::SplitAtMost, vec![add(n, int(1))])
        } else {
            (TextOp::Split, Vec::new())
        };
        let (to, _) = self.check(&call.args[1], &Ty::Str)?;
        let (pieces, _) = self.searched(op, text, &call.args[0], more, call)?;
        Ok((Term::TextOp(TextOp::Join, vec![pieces, to]), Ty::Str))
    }

    /// `texts.join(separator)`
    pub(super) fn join_texts(
        &mut self,
        texts: &Term,
        element: &Ty,
        separator: &Expr,
        call: &Call,
    ) -> Checked<Typed> {
        if *element != Ty::Str {
            let what = format!("`join` of a list of `{}` is", self.show(element));
            return Err(unsupported(call.name.span, &what));
        }
        let (separator, _) = self.check(separator, &Ty::Str)?;
        Ok((Term::TextOp(TextOp::Join, vec![texts.clone(), separator]), Ty::Str))
    }

    /// `text[a..b]`
    pub(in crate::frontend::elaborate) fn text_index(&mut self, text: Term, at: &Expr) -> Checked<Typed> {
        let ExprKind::Range { lo, hi, inclusive } = &at.kind else {
            let mistake = Diagnostic::error(at.span, "a string has no elements that are found by number");
            return Err(mistake.help("`s[a..b]` is a part of it, by bytes; `s.chars().nth(i)` a character"));
        };
        self.once(text, |this, text| {
            let part = this.slice(text, lo.as_deref(), hi.as_deref(), *inclusive)?;
            Ok((text_slice(part), Ty::Str))
        })
    }

    /// `get(a..b)`
    fn text_get(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let ExprKind::Range { lo, hi, inclusive } = &call.args[0].kind else {
            let mistake = Diagnostic::error(call.args[0].span, "`get` of a string takes a range of bytes");
            return Err(mistake.help("write `s.get(a..b)`, or `s.chars().nth(i)` for a character"));
        };
        let option = self.data.option(&Ty::Str);
        self.once(text, |this, text| {
            let part = this.slice(text.clone(), lo.as_deref(), hi.as_deref(), *inclusive)?;
            let Term::Slice(_, lo, hi) = part else { return Ok((part, Ty::Str)) };
            this.once(*lo, |this, lo| {
                this.once(*hi, |_, hi| {
                    let is_boundary =
                        |at: &Term| Term::TextOp(TextOp::IsBoundary, vec![text.clone(), at.clone()]);
                    let inside = vec![at_most(lo.clone(), hi.clone()), is_boundary(&lo), is_boundary(&hi)];
                    let part = Term::TextOp(TextOp::Slice, vec![text.clone(), lo, hi]);
                    Ok((some_if(and(inside), option, part), Ty::Data(option)))
                })
            })
        })
    }

    fn split_at(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let (at, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
        self.once(text, |this, text| {
            this.once(at, |_, at| {
                let part = |lo, hi| Term::TextOp(TextOp::Slice, vec![text.clone(), lo, hi]);
                let parts = vec![part(int(0), at.clone()), part(at, len(text.clone()))];
                Ok((Term::Tuple(parts), Ty::Tuple(vec![Ty::Str, Ty::Str])))
            })
        })
    }

    /// `char_indices()`: each character with the length of the text before it.
    fn char_indices(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        self.arity(call, 0)?;
        self.once(text, |this, text| {
            let slot = this.fresh();
            let before = Term::Text(Box::new(slice(chars(text.clone()), int(0), Term::Var(slot))));
            let numbers = Term::Range(Box::new(int(0)), Box::new(len(chars(text.clone()))));
            let offsets = Term::Map(Box::new(numbers), Closure { slot, body: Box::new(len(before)) });
            let pair = Ty::Tuple(vec![Ty::Int(Some(IntKind::Usize)), Ty::Char]);
            Ok((Term::Zip(Box::new(offsets), Box::new(chars(text))), Ty::Seq(Box::new(pair))))
        })
    }

    /// The length of a sequence; of the pieces of a string, by its characters where that is possible.
    pub(super) fn n_pieces(&mut self, pieces: Term) -> Checked<Term> {
        match &pieces {
            Term::TextOp(TextOp::Split | TextOp::SplitBack, parts) => {
                let [text, pattern] = parts.as_slice() else { return Ok(len(pieces)) };
                match (pattern, one_char(pattern)) {
                    (_, Some(c)) => Ok(add(self.n_chars(text, c), int(1))),
                    (Term::Map(over, test), _) => {
                        let found = Term::Filter(over.clone(), test.clone());
                        Ok(add(len(found), int(1)))
                    }
                    _ => Ok(len(pieces)),
                }
            }
            Term::TextOp(TextOp::Lines, parts) => match parts.as_slice() {
                [text] => {
                    let (term, ()) = self.once(text.clone(), |this, text| {
                        let ended = this.n_chars(&text, '\n');
                        let end = Term::Lit(Value::str("\n"));
                        let is_ended = has(StrTest::EndsWith, text.clone(), Sought::Text(end));
                        // A number, since `if` and `||` are decisions of the user's in reports.
                        let is_open = and(vec![less(int(0), len(text)), not(is_ended)]);
                        Ok((add(ended, Term::ToInt(Box::new(is_open))), ()))
                    })?;
                    Ok(term)
                }
                _ => Ok(len(pieces)),
            },
            _ => Ok(len(pieces)),
        }
    }

    /// The number of times that a character occurs.
    fn n_chars(&mut self, text: &Term, c: char) -> Term {
        let slot = self.fresh();
        let is_it = Box::new(equal(Term::Var(slot), Term::Lit(Value::Char(c))));
        len(Term::Filter(Box::new(chars(text.clone())), Closure { slot, body: is_it }))
    }

    /// `text.trim().is_empty()`
    pub(super) fn is_blank(&mut self, trimmed: Term) -> Checked<Typed> {
        let Term::TextOp(_, mut parts) = trimmed else { return Ok((equal(len(trimmed), int(0)), Ty::Bool)) };
        let test = self.whitespace();
        Ok((Term::All(Box::new(chars(parts.swap_remove(0))), test), Ty::Bool))
    }

    fn whitespace(&mut self) -> Closure {
        let slot = self.fresh();
        Closure { slot, body: Box::new(Term::CharIs(CharClass::Whitespace, Box::new(Term::Var(slot)))) }
    }

    /// `change(text) == text` as a condition on the characters, for changes that allow it.
    pub(in crate::frontend::elaborate) fn is_unchanged(&mut self, a: &Term, b: &Term) -> Option<Term> {
        let (op, text) = match (a, b) {
            (Term::TextOp(op, parts), text) | (text, Term::TextOp(op, parts)) if *parts == [text.clone()] => {
                (*op, text)
            }
            _ => return None,
        };
        if !is_path(text) {
            return None;
        }
        let (at_start, at_end) = match op {
            TextOp::Trim => (true, true),
            TextOp::TrimStart => (true, false),
            TextOp::TrimEnd => (false, true),
            TextOp::Lowercase | TextOp::Uppercase | TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                let slot = self.fresh();
                let body = Box::new(keeps(op, Term::Var(slot)));
                return Some(Term::All(Box::new(chars(text.clone())), Closure { slot, body }));
            }
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitBack | TextOp::SplitAtMost | TextOp::SplitBackAtMost
            | TextOp::SplitTerminated | TextOp::SplitInclusive | TextOp::Words | TextOp::Lines | TextOp::Before
            | TextOp::After | TextOp::BeforeLast | TextOp::AfterLast | TextOp::Slice | TextOp::IsBoundary
            | TextOp::Join | TextOp::Parse(_) | TextOp::Decimal | TextOp::Display
            | TextOp::Captures(_) => return None,
        };
        let mut all = Vec::new();
        for (test, is_trimmed) in [(StrTest::StartsWith, at_start), (StrTest::EndsWith, at_end)] {
            if is_trimmed {
                let blank = self.whitespace();
                all.push(not(has(test, text.clone(), Sought::OneOf(blank))));
            }
        }
        Some(and(all))
    }
}

/// Whether a change of case keeps a character. A character that is kept alone is kept in every string: the only one
/// that depends on its neighbours, `Σ`, is never kept.
fn keeps(op: TextOp, c: Term) -> Term {
    match op {
        TextOp::AsciiLowercase => not(Term::CharIs(CharClass::AsciiUppercase, Box::new(c))),
        TextOp::AsciiUppercase => not(Term::CharIs(CharClass::AsciiLowercase, Box::new(c))),
        op => equal(Term::TextOp(op, vec![text_of_char(c.clone())]), text_of_char(c)),
    }
}

/// Whether a term is a string without the whitespace at its ends.
pub(super) fn is_trimmed(term: &Term) -> bool {
    let Term::TextOp(TextOp::Trim | TextOp::TrimStart | TextOp::TrimEnd, parts) = term else { return false };
    parts.len() == 1
}

/// The pattern of an operation: a string, or a mask of the text's characters in the direction of the search.
fn pattern_term(op: TextOp, text: &Term, sought: Sought) -> Term {
    match sought {
        Sought::Text(part) => part,
        Sought::OneOf(test) => {
            let all = chars(text.clone());
            let all = if op.is_backwards() { Term::Reverse(Box::new(all)) } else { all };
            Term::Map(Box::new(all), test)
        }
    }
}

/// Whether a text contains a pattern, asking in the direction of an operation's search.
fn contains(op: TextOp, text: &Term, sought: &Sought) -> Term {
    match sought {
        Sought::OneOf(test) if op.is_backwards() => {
            Term::Any(Box::new(Term::Reverse(Box::new(chars(text.clone())))), test.clone())
        }
        sought => has(StrTest::Contains, text.clone(), copy(sought)),
    }
}

fn copy(sought: &Sought) -> Sought {
    match sought {
        Sought::Text(part) => Sought::Text(part.clone()),
        Sought::OneOf(test) => Sought::OneOf(test.clone()),
    }
}

/// The character that is all of a constant string.
fn one_char(pattern: &Term) -> Option<char> {
    let Term::Lit(Value::Str(text)) = pattern else { return None };
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// A slice of a sequence, as a slice of a string.
fn text_slice(part: Term) -> Term {
    match part {
        Term::Slice(text, lo, hi) => Term::TextOp(TextOp::Slice, vec![*text, *lo, *hi]),
        part => part,
    }
}
