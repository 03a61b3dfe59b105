//! What a string needs, if something is asked of a string that is made of it, or of its pieces.

use regex_syntax::hir::ClassUnicode;
use target_strategies::logic::ir::{Closure, StrTest, Term, TextOp};
use target_strategies::logic::value::Value;

use super::chars::Unit;
use super::defined::is_defined;
use super::needed::{Names, Needed, Search, Test, resolved, unknown, with_all};
use super::regex_text::{ANY, Direction, Pieces, Separator, as_part, with_part};
use super::replaced::Change;
use super::wanted::{Parts, Text, Wanted};
use super::{case, chars, class, digits, exact, groups, hir, replaced};

impl Search<'_> {
    /// What the operand of an operation needs.
    pub(super) fn of_operation(
        &self,
        op: TextOp,
        operands: &[Term],
        wanted: &Wanted,
        names: Names<'_>,
    ) -> Needed {
        let [of, more @ ..] = operands else { return unknown() };
        match (op, wanted) {
            (TextOp::Parse(kind), Wanted::Number(range)) => {
                // It never is such a number.
                let regex = digits::within(*range, kind)?;
                // 0 is also what is no number.
                let is_exact = !range.contains(0) && regex != ANY;
                self.expressed(of, regex, is_exact, names)
            }
            (TextOp::Captures(regex), Wanted::Field(0, group, wanted)) => {
                let of_text = self.regexes.get(regex.0 as usize).and_then(|regex| as_part(&regex.text));
                match of_text.and_then(|regex| of_group(&regex, *group, wanted)) {
                    // Another match may have precedence.
                    Some(regex) => self.expressed(of, regex, false, names),
                    None => unknown(),
                }
            }
            (_, Wanted::Char(class)) => self.of_changed_char(op, of, class, names),
            (_, Wanted::Text(text)) => self.of_text(op, of, more, text, names),
            (_, Wanted::Len(range)) if is_text(op) => {
                let (text, is_exact) = exact::of_length(*range);
                let known = self.of_text(op, of, more, &text, names)?;
                Some(if is_exact { known } else { with_all(known, vec![Test::Unsaid]) })
            }
            (_, wanted) => {
                let separator = self.separator(of, more, names);
                match with_pieces(op, more, separator.as_ref(), |pieces| exact::of_pieces(pieces, wanted)) {
                    Some((regex, is_exact)) => self.expressed(of, regex, is_exact, names),
                    None => unknown(),
                }
            }
        }
    }

    /// What the operand of an operation needs, if its result is a string of a language.
    fn of_text(&self, op: TextOp, of: &Term, more: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let separator = self.separator(of, more, names);
        let (regex, is_exact) = match op {
            TextOp::Trim => exact::trimmed(text, true, true),
            TextOp::TrimStart | TextOp::TrimEnd => {
                let at_start = op == TextOp::TrimStart;
                if more.is_empty() {
                    exact::trimmed(text, at_start, !at_start)
                } else {
                    exact::stripped(text, separator.as_ref(), at_start)
                }
            }
            TextOp::Before => exact::before(text, separator.as_ref(), false),
            TextOp::BeforeLast => exact::before(text, separator.as_ref(), true),
            TextOp::After => exact::after(text, separator.as_ref(), false),
            TextOp::AfterLast => exact::after(text, separator.as_ref(), true),
            TextOp::Slice => return self.of_slice(of, more, text, names),
            TextOp::Lowercase | TextOp::Uppercase => {
                let to = if op == TextOp::Lowercase { case::lower(text) } else { case::upper(text) };
                match to {
                    Some(regex) => (regex, case::is_exact(text)),
                    None => return unknown(),
                }
            }
            TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                let one = |class: &ClassUnicode| class::item(&chars::changed(op, class));
                match hir::read(text).and_then(|hir| replaced::by_char(&hir, &one)) {
                    Some(regex) => (regex, true),
                    None => return unknown(),
                }
            }
            TextOp::Join => return self.of_joined(of, more.first(), text, names),
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitBack | TextOp::SplitAtMost | TextOp::SplitBackAtMost
            | TextOp::SplitTerminated | TextOp::SplitInclusive | TextOp::Words | TextOp::Lines
            | TextOp::IsBoundary | TextOp::Parse(_) | TextOp::Decimal | TextOp::Display
            | TextOp::Captures(_) => return unknown(),
        };
        self.expressed(of, regex, is_exact, names)
    }

    /// What the string needs whose pieces are joined again. `replace` is that, too.
    pub(super) fn of_joined(
        &self,
        pieces: &Term,
        between: Option<&Term>,
        text: &Text,
        names: Names<'_>,
    ) -> Needed {
        let (pieces, names) = resolved(pieces, names);
        if let Term::Let { slot, value, body } = pieces {
            let joined = |names: Names<'_>| self.of_joined(body, between, text, names);
            return self.with_name(*slot, value, names, joined);
        }
        let Some(between) = between.map_or(Some(""), constant_of) else { return unknown() };
        let (is_reversed, (pieces, names)) = match pieces {
            Term::Reverse(pieces) => (true, resolved(pieces, names)),
            pieces => (false, (pieces, names)),
        };
        let Term::TextOp(op, operands) = pieces else { return unknown() };
        let [of, more @ ..] = operands.as_slice() else { return unknown() };
        let separator = self.separator(of, more, names);
        let found = match (op, separator) {
            (TextOp::Split, Some(separator)) if is_reversed => replaced::reversed(text, &separator, between),
            (TextOp::Split, Some(separator)) => Change::of(&separator, between).before(text),
            (TextOp::Words, _) if !is_reversed => replaced::joined_words(text, between),
            _ => None,
        };
        match found {
            Some((regex, is_exact)) => self.expressed(of, regex, is_exact, names),
            None => unknown(),
        }
    }

    /// The pattern of an operation on a string; `None` if it isn't known, or there is none.
    fn separator(&self, of: &Term, more: &[Term], names: Names<'_>) -> Option<Separator> {
        let pattern = more.first()?;
        let Term::Map(over, each) = pattern else { return Separator::of(constant_of(pattern)?) };
        let over = if let Term::Reverse(over) = &**over { over } else { over };
        if !matches!(&**over, Term::Chars(chars) if **chars == *of) {
            return None;
        }
        let [passing, failing] = [true, false].map(|passed| self.passing(each, Unit::Char, passed, names));
        let is_exact = passing.is_exact && failing.is_exact && failing.class == class::others(&passing.class);
        Some(Separator::of_class(&passing.class, &failing.class, is_exact))
    }

    fn of_slice(&self, of: &Term, bounds: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let [from, to] = bounds else { return unknown() };
        let up_to_end = matches!(to, Term::Len(counted) if **counted == *of);
        let (regex, is_exact) = exact::sliced(text, number_of(from), number_of(to), up_to_end);
        let mut known = self.expressed(of, regex, is_exact, names)?;
        if let Some(to) = number_of(to) {
            let (rest, _) = exact::sliced(&Text::matching(ANY.to_owned()), Some(to), None, false);
            known = with_all(known, self.needed(of, &Wanted::text(rest), names)?);
        }
        Some(known)
    }

    /// What a string needs to contain a constant.
    pub(super) fn of_search(&self, test: StrTest, of: &Term, part: &Term, names: Names<'_>) -> Needed {
        let Some(part) = constant_of(part) else { return unknown() };
        let regex = with_part(test, part);
        self.needed(of, &Wanted::text(regex), names)
    }

    /// What a string needs if all its pieces, or some of them, pass a test, or fail it.
    pub(super) fn of_pieces(&self, over: &Term, each: &Closure, parts: Parts, names: Names<'_>) -> Needed {
        let (over, names_of_over) = resolved(over, names);
        if let Term::Let { slot, value, body } = over {
            let of_body = |names: Names<'_>| self.of_pieces(body, each, parts, names);
            return self.with_name(*slot, value, names, of_body);
        }
        if let Term::Map(over, first) = over {
            let body = Term::Let { slot: each.slot, value: first.body.clone(), body: each.body.clone() };
            let both = Closure { slot: first.slot, body: Box::new(body) };
            return self.of_pieces(over, &both, parts, names);
        }
        if let Some(of) = chars::units(over) {
            return self.of_units(of, each, parts, (names, names_of_over));
        }
        let Term::TextOp(op, operands) = over else { return unknown() };
        let [of, more @ ..] = operands.as_slice() else { return unknown() };
        let separator = self.separator(of, more, names_of_over);
        // Without a piece that passes, there is none at all.
        let Some(of_each) = self.needed(&each.body, &Wanted::Bool(parts.pass()), names) else {
            return unknown();
        };
        if of_each.is_empty() {
            return unknown();
        }
        // Of several tests that some piece passes, each may be passed by another one.
        let is_said = parts.are_all() || of_each.len() == 1 && is_defined(&each.body);
        let mut known = if is_said { Vec::new() } else { vec![Test::Unsaid] };
        for test in of_each {
            // A piece is a string.
            let (path, (text, is_exact)) = match (&test, self.expression(&test)) {
                (Test::Len(path, range), _) => (path, exact::of_length(*range)),
                (_, Some((path, text))) => (path, (Text::Matching(text), true)),
                (_, None) => (&*each.body, (Text::exactly(""), false)),
            };
            if *path != Term::Var(each.slot) {
                known = with_all(known, vec![Test::Unsaid]);
                continue;
            }
            let regex = with_pieces(*op, more, separator.as_ref(), |pieces| {
                exact::some_or_all(pieces, &text, parts.are_all())
            });
            let Some((regex, of_pieces)) = regex else { return unknown() };
            let more = self.expressed(of, regex, is_exact && of_pieces, names_of_over)?;
            known = with_all(known, more);
        }
        Some(known)
    }
}

/// What the text needs of which a group is asked to be something.
fn of_group(regex: &str, group: u32, wanted: &Wanted) -> Option<String> {
    let Wanted::Field(1, 0, wanted) = wanted else { return None };
    let text = match &**wanted {
        Wanted::Text(text) => text.clone(),
        Wanted::Len(range) => exact::of_length(*range).0,
        _ => return None,
    };
    groups::with_group(regex, group, &text).and_then(|regex| as_part(&regex))
}

/// The result of a function of the pieces into which an operation takes a string.
fn with_pieces<T>(
    op: TextOp,
    more: &[Term],
    separator: Option<&Separator>,
    f: impl FnOnce(Pieces<'_>) -> Option<T>,
) -> Option<T> {
    let most = more.get(1).and_then(number_of);
    let pieces = match op {
        TextOp::Split => Pieces::Split(separator?, Direction::Forwards),
        TextOp::SplitBack => Pieces::Split(separator?, Direction::Backwards),
        TextOp::SplitAtMost => Pieces::SplitAtMost(separator?, Direction::Forwards, most?),
        TextOp::SplitBackAtMost => Pieces::SplitAtMost(separator?, Direction::Backwards, most?),
        TextOp::SplitTerminated => Pieces::Terminated(separator?),
        TextOp::Words => Pieces::Words,
        TextOp::Lines => Pieces::Lines,
        #[rustfmt::skip]
        TextOp::SplitInclusive | TextOp::Before | TextOp::After | TextOp::BeforeLast | TextOp::AfterLast
        | TextOp::Trim | TextOp::TrimStart | TextOp::TrimEnd | TextOp::Slice | TextOp::IsBoundary
        | TextOp::Join | TextOp::Lowercase | TextOp::Uppercase | TextOp::AsciiLowercase
        | TextOp::AsciiUppercase | TextOp::Parse(_) | TextOp::Decimal | TextOp::Display
        | TextOp::Captures(_) => return None,
    };
    f(pieces)
}

/// Whether an operation makes a string of a string.
fn is_text(op: TextOp) -> bool {
    use TextOp::{After, AfterLast, AsciiLowercase, AsciiUppercase, Before, BeforeLast, Slice, Trim};
    matches!(
        op,
        After
            | AfterLast
            | AsciiLowercase
            | AsciiUppercase
            | Before
            | BeforeLast
            | Slice
            | Trim
            | TextOp::TrimStart
            | TextOp::TrimEnd
            | TextOp::Join
    )
}

fn constant_of(term: &Term) -> Option<&str> {
    match term {
        Term::Lit(Value::Str(text)) => Some(text),
        _ => None,
    }
}

pub(super) fn number_of(term: &Term) -> Option<usize> {
    match term {
        Term::Lit(Value::Int(n)) => n.to_usize(),
        _ => None,
    }
}
