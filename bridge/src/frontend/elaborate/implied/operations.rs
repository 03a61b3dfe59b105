//! What a string needs, if something is asked of a string that is made of it, or of its pieces.

use target_strategies::logic::ir::{Closure, StrTest, Term, TextOp};
use target_strategies::logic::value::Value;

use super::needed::{Names, Needed, Search, Test, UNKNOWN, value_of, with_all};
use super::regex_text::{
    ANY, Direction, Pieces, Separator, after, as_part, before, of_length, sliced, stripped, trimmed,
    with_part,
};
use super::wanted::{Text, Wanted};
use super::{case, digits, groups};

impl Search<'_> {
    /// What the operand of an operation needs.
    pub(super) fn of_operation(
        &self,
        op: TextOp,
        operands: &[Term],
        wanted: &Wanted,
        names: Names<'_>,
    ) -> Needed {
        let [of, more @ ..] = operands else { return UNKNOWN };
        let wanted = match (op, wanted) {
            (TextOp::Parse(kind), Wanted::Number(range)) => {
                // It never is such a number.
                Some(Wanted::text(digits::within(*range, kind)?))
            }
            (TextOp::Captures(regex), Wanted::Field(0, group, wanted)) => {
                match self.regexes.get(regex.0 as usize) {
                    Some(regex) => of_group(&as_part(&regex.text)?, *group, wanted),
                    None => None,
                }
            }
            (_, Wanted::Text(text)) => return self.of_text(op, of, more, text, names),
            (_, Wanted::Len(range)) if is_text(op) => {
                let text =
                    if *range == (0, 0) { Text::exactly("") } else { Text::matching(of_length(*range)) };
                return self.of_text(op, of, more, &text, names);
            }
            (_, wanted) => with_pieces(op, more, |pieces| match wanted {
                Wanted::Len(range) => pieces.counted(*range),
                Wanted::Element(at, wanted) => pieces.with_piece(*at, text_of(wanted)?),
                Wanted::Last(wanted) => pieces.with_last(text_of(wanted)?),
                Wanted::Bool(_)
                | Wanted::Ctor(_)
                | Wanted::OtherThan(_)
                | Wanted::Text(_)
                | Wanted::Number(_)
                | Wanted::Component(..)
                | Wanted::Field(..) => None,
            })
            .map(Wanted::text),
        };
        wanted.map_or(UNKNOWN, |wanted| self.needed(of, &wanted, names))
    }

    /// What the operand of an operation needs, if its result is a string of a language.
    fn of_text(&self, op: TextOp, of: &Term, more: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let constant = more.first().and_then(constant_of);
        let separator = constant.and_then(Separator::of);
        let regex = match op {
            TextOp::Trim => trimmed(text, true, true),
            TextOp::TrimStart | TextOp::TrimEnd => {
                let at_start = op == TextOp::TrimStart;
                if more.is_empty() {
                    trimmed(text, at_start, !at_start)
                } else {
                    stripped(text, constant, at_start)
                }
            }
            TextOp::Before => before(text, separator.as_ref(), false),
            TextOp::BeforeLast => before(text, separator.as_ref(), true),
            TextOp::After => after(text, separator.as_ref(), false),
            TextOp::AfterLast => after(text, separator.as_ref(), true),
            TextOp::Slice => return self.of_slice(of, more, text, names),
            TextOp::Lowercase | TextOp::Uppercase | TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                match case::changed(op, text) {
                    Some(regex) => regex,
                    None => return UNKNOWN,
                }
            }
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitBack | TextOp::SplitAtMost | TextOp::SplitBackAtMost
            | TextOp::SplitTerminated | TextOp::SplitInclusive | TextOp::Words | TextOp::Lines
            | TextOp::IsBoundary | TextOp::Join | TextOp::Parse(_) | TextOp::Decimal | TextOp::Display
            | TextOp::Captures(_) => return UNKNOWN,
        };
        self.needed(of, &Wanted::text(regex), names)
    }

    fn of_slice(&self, of: &Term, bounds: &[Term], text: &Text, names: Names<'_>) -> Needed {
        let [from, to] = bounds else { return UNKNOWN };
        let up_to_end = matches!(to, Term::Len(counted) if **counted == *of);
        let mut known = self.needed(of, &Wanted::text(sliced(text, number_of(from), up_to_end)), names)?;
        if let Some(to) = number_of(to) {
            let rest = sliced(&Text::matching(ANY.to_owned()), Some(to), false);
            known = with_all(known, self.needed(of, &Wanted::text(rest), names)?);
        }
        Some(known)
    }

    /// What a string needs to contain a constant.
    pub(super) fn of_search(&self, test: StrTest, of: &Term, part: &Term, names: Names<'_>) -> Needed {
        let Some(part) = constant_of(part) else { return UNKNOWN };
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
        let Term::TextOp(op, operands) = over else { return UNKNOWN };
        let [of, more @ ..] = operands.as_slice() else { return UNKNOWN };
        // Without a piece that passes, there is none at all.
        let Some(of_each) = self.needed(&each.body, &Wanted::Bool(true), names) else { return UNKNOWN };
        let mut known = Vec::new();
        for test in of_each {
            // A piece is a string.
            let (path, text) = match (&test, self.expression(&test)) {
                (Test::Len(path, range), _) => (path, Text::matching(of_length(*range))),
                (_, Some((path, text))) => (path, Text::Matching(text)),
                (_, None) => continue,
            };
            if *path != Term::Var(each.slot) {
                continue;
            }
            let regex =
                with_pieces(
                    *op,
                    more,
                    |pieces| if all { pieces.with_all(&text) } else { pieces.with_any(&text) },
                );
            let Some(regex) = regex else { return UNKNOWN };
            known = with_all(known, self.needed(of, &Wanted::text(regex), names_of_over)?);
        }
        Some(known)
    }
}

/// What the text needs of which a group is asked to be something.
fn of_group(regex: &str, group: u32, wanted: &Wanted) -> Option<Wanted> {
    let Wanted::Field(1, 0, wanted) = wanted else { return None };
    let text = match &**wanted {
        Wanted::Text(text) => text.clone(),
        Wanted::Len((0, 0)) => Text::exactly(""),
        Wanted::Len(range) => Text::matching(of_length(*range)),
        _ => return None,
    };
    groups::with_group(regex, group, &text).map(Wanted::text)
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

fn text_of(wanted: &Wanted) -> Option<&Text> {
    match wanted {
        Wanted::Text(text) => Some(text),
        _ => None,
    }
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
