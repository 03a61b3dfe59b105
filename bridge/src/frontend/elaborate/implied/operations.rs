//! What a string needs, if something is asked of a string that is made of it, or of its pieces.

use target_strategies::logic::ir::{Closure, StrTest, Term, TextOp};
use target_strategies::logic::value::Value;

use super::needed::{Names, Needed, Search, Test, unknown, value_of, with_all};
use super::regex_text::{ANY, Direction, Pieces, Separator, as_part, sliced, with_part};
use super::total::is_total;
use super::wanted::{Range, Text, Wanted};
use super::{case, digits, exact, groups};

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
                let is_exact = (0 < range.0 || range.1 < 0) && regex != ANY;
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
            (_, Wanted::Text(text)) => self.of_text(op, of, more, text, names),
            (_, Wanted::Len(range)) if is_text(op) => {
                let (text, is_exact) = of_length(*range);
                let known = self.of_text(op, of, more, &text, names)?;
                Some(if is_exact { known } else { with_all(known, vec![Test::Unsaid]) })
            }
            (_, wanted) => match with_pieces(op, more, |pieces| exact::of_pieces(pieces, wanted)) {
                Some((regex, is_exact)) => self.expressed(of, regex, is_exact, names),
                None => unknown(),
            },
        }
    }

    /// What the operand of an operation needs, if its result is a string of a language.
    fn of_text(&self, op: TextOp, of: &Term, more: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let constant = more.first().and_then(constant_of);
        let separator = constant.and_then(Separator::of);
        let (regex, is_exact) = match op {
            TextOp::Trim => exact::trimmed(text, true, true),
            TextOp::TrimStart | TextOp::TrimEnd => {
                let at_start = op == TextOp::TrimStart;
                if more.is_empty() {
                    exact::trimmed(text, at_start, !at_start)
                } else {
                    exact::stripped(text, constant, at_start)
                }
            }
            TextOp::Before => exact::before(text, separator.as_ref(), false),
            TextOp::BeforeLast => exact::before(text, separator.as_ref(), true),
            TextOp::After => exact::after(text, separator.as_ref(), false),
            TextOp::AfterLast => exact::after(text, separator.as_ref(), true),
            TextOp::Slice => return self.of_slice(of, more, text, names),
            TextOp::Lowercase | TextOp::Uppercase | TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                match case::changed(op, text) {
                    Some(regex) => (regex, case::is_exact(text)),
                    None => return unknown(),
                }
            }
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitBack | TextOp::SplitAtMost | TextOp::SplitBackAtMost
            | TextOp::SplitTerminated | TextOp::SplitInclusive | TextOp::Words | TextOp::Lines
            | TextOp::IsBoundary | TextOp::Join | TextOp::Parse(_) | TextOp::Decimal | TextOp::Display
            | TextOp::Captures(_) => return unknown(),
        };
        self.expressed(of, regex, is_exact, names)
    }

    fn of_slice(&self, of: &Term, bounds: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let [from, to] = bounds else { return unknown() };
        let up_to_end = matches!(to, Term::Len(counted) if **counted == *of);
        let (regex, is_exact) = exact::sliced(text, number_of(from), number_of(to), up_to_end);
        let mut known = self.expressed(of, regex, is_exact, names)?;
        if let Some(to) = number_of(to) {
            let rest = sliced(&Text::matching(ANY.to_owned()), Some(to), false);
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

    /// What a string needs if all its pieces, or some of them, pass a test.
    pub(super) fn of_pieces(&self, over: &Term, each: &Closure, all: bool, names: Names<'_>) -> Needed {
        let mut over = over;
        let mut names_of_over = names;
        while let Term::Var(slot) = over
            && let Some((value, outer)) = value_of(*slot, names_of_over)
        {
            (over, names_of_over) = (value, outer);
        }
        let Term::TextOp(op, operands) = over else { return unknown() };
        let [of, more @ ..] = operands.as_slice() else { return unknown() };
        // Without a piece that passes, there is none at all.
        let Some(of_each) = self.needed(&each.body, &Wanted::Bool(true), names) else { return unknown() };
        if of_each.is_empty() {
            return unknown();
        }
        // Of several tests that some piece passes, each may be passed by another one.
        let is_said = all || of_each.len() == 1 && is_total(&each.body);
        let mut known = if is_said { Vec::new() } else { vec![Test::Unsaid] };
        for test in of_each {
            // A piece is a string.
            let (path, (text, is_exact)) = match (&test, self.expression(&test)) {
                (Test::Len(path, range), _) => (path, of_length(*range)),
                (_, Some((path, text))) => (path, (Text::Matching(text), true)),
                (_, None) => (&*each.body, (Text::exactly(""), false)),
            };
            if *path != Term::Var(each.slot) {
                known = with_all(known, vec![Test::Unsaid]);
                continue;
            }
            let regex = with_pieces(*op, more, |pieces| exact::some_or_all(pieces, &text, all));
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
        Wanted::Len(range) => of_length(*range).0,
        _ => return None,
    };
    groups::with_group(regex, group, &text)
}

/// The strings of such a length in bytes, and whether these are all.
fn of_length(range: Range) -> (Text, bool) {
    if range == (0, 0) { (Text::exactly(""), true) } else { exact::of_length(range) }
}

/// The result of a function of the pieces into which an operation takes a string.
fn with_pieces<T>(op: TextOp, more: &[Term], f: impl FnOnce(Pieces<'_>) -> Option<T>) -> Option<T> {
    let separator = more.first().and_then(constant_of).and_then(Separator::of);
    let most = more.get(1).and_then(number_of);
    let pieces = match op {
        TextOp::Split => Pieces::Split(separator.as_ref()?, Direction::Forwards),
        TextOp::SplitBack => Pieces::Split(separator.as_ref()?, Direction::Backwards),
        TextOp::SplitAtMost => Pieces::SplitAtMost(separator.as_ref()?, Direction::Forwards, most?),
        TextOp::SplitBackAtMost => Pieces::SplitAtMost(separator.as_ref()?, Direction::Backwards, most?),
        TextOp::SplitTerminated => Pieces::Terminated(separator.as_ref()?),
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
    )
}

fn constant_of(term: &Term) -> Option<&str> {
    match term {
        Term::Lit(Value::Str(text)) => Some(text),
        _ => None,
    }
}

fn number_of(term: &Term) -> Option<usize> {
    match term {
        Term::Lit(Value::Int(n)) => n.to_usize(),
        _ => None,
    }
}
