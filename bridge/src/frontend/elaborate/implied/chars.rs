//! What a string needs, if something is asked of its characters or bytes: `p.chars().all(|c| c.is_ascii_digit())` holds exactly
//! for the strings of `[0-9]*`.

use std::rc::Rc;

use regex_syntax::hir::ClassUnicode;
use target_strategies::logic::eval::{Judge, Stop};
use target_strategies::logic::ir::{ArithOp, Closure, CompareOp, StrTest, Term, TextOp, for_scoped_children};
use target_strategies::logic::value::Value;

use super::class;
use super::defined::is_defined;
use super::exact::of_length;
use super::needed::{Names, Needed, Search, Test, resolved, unknown, with_all};
use super::operations::number_of;
use super::range::Range;
use super::regex_text::{ANY, MOST, counted_items, escaped};
use super::replaced::Change;
use super::wanted::{Parts, Wanted, constant, integer, split_at_each};

/// The first byte of which characters outside ASCII are made.
const FIRST_WIDE: i64 = 0x80;

/// The characters that pass a test, or more; and whether there are no others.
pub(super) struct Passing {
    pub(super) class: ClassUnicode,
    pub(super) is_exact: bool,
}

/// The characters or the bytes of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Char,
    Byte,
}

/// The string whose characters or bytes a term lists.
pub(super) fn units(term: &Term) -> Option<(&Term, Unit)> {
    match term {
        Term::Chars(of) => Some((of, Unit::Char)),
        Term::Bytes(of) => Some((of, Unit::Byte)),
        _ => None,
    }
}

impl Search<'_> {
    /// What a string needs if all its characters, or some of them, pass a test, or fail it.
    pub(super) fn of_units(
        &self,
        (of, unit): (&Term, Unit),
        each: &Closure,
        parts: Parts,
        (names, names_of_text): (Names<'_>, Names<'_>),
    ) -> Needed {
        let meant = self.passing(each, unit, parts.pass(), names);
        let item = class::item(&meant.class);
        if parts.are_all() {
            return self.expressed(of, format!("{item}*"), meant.is_exact, names_of_text);
        }
        // The others before it must not be undefined.
        let before = self.passing(each, unit, !parts.pass(), names);
        let is_total =
            is_defined(&each.body) || before.is_exact && before.class == class::others(&meant.class);
        let (start, is_exact) = if before.is_exact && !is_total {
            (format!("{}*", class::item(&before.class)), true)
        } else {
            (ANY.to_owned(), is_total)
        };
        self.expressed(of, format!("{start}{item}{ANY}"), is_exact && meant.is_exact, names_of_text)
    }

    /// The characters that pass a test, or fail it.
    pub(super) fn passing(&self, each: &Closure, unit: Unit, passed: bool, names: Names<'_>) -> Passing {
        let is_alone = reads_alone(&each.body, each.slot);
        let mut found = match (unit, is_alone) {
            (Unit::Char, _) => self.passing_chars(each, passed, names),
            (Unit::Byte, true) => of_wide_bytes(each, passed),
            (Unit::Byte, false) => Passing { class: class::between('\0', char::MAX), is_exact: false },
        };
        if is_alone {
            let wide = class::within(&found.class, &class::outside_ascii());
            let values = (0..FIRST_WIDE as u8).map(|byte| match unit {
                Unit::Char => Value::Char(char::from(byte)),
                Unit::Byte => Value::int(byte),
            });
            let judged = judged(each, passed, values);
            let may_pass = (0..).zip(&judged).filter(|(_, passes)| **passes != Some(false));
            let in_ascii = class::of(may_pass.map(|(byte, _): (u8, _)| char::from(byte)));
            let is_exact = !judged.contains(&None) && (found.is_exact || class::is_empty(&wide));
            found = Passing { class: class::with(&in_ascii, &wide), is_exact };
        }
        let (class, is_whole) = class::widened(found.class);
        Passing { class, is_exact: found.is_exact && is_whole }
    }

    /// The characters that a test needs, by its parts.
    fn passing_chars(&self, each: &Closure, passed: bool, names: Names<'_>) -> Passing {
        let mut found = Passing { class: class::between('\0', char::MAX), is_exact: true };
        match self.needed(&each.body, &Wanted::Bool(passed), names) {
            None => found.class = class::of([]),
            Some(tests) => {
                for test in tests {
                    match test {
                        Test::Char(path, class) if path == Term::Var(each.slot) => {
                            found.class = class::within(&found.class, &class);
                        }
                        _ => found.is_exact = false,
                    }
                }
            }
        }
        found
    }

    /// What a term needs that is a character, or made of characters.
    pub(super) fn of_made_of_chars(&self, term: &Term, wanted: &Wanted, names: Names<'_>) -> Needed {
        match (term, wanted) {
            (Term::ToInt(of), Wanted::Number(range)) => match of_codes(*range) {
                Some(class) => self.needed(of, &Wanted::Char(Rc::new(class)), names),
                None => unknown(),
            },
            (Term::Arith(ArithOp::Sub, a, b), Wanted::Number(range)) => {
                match integer(b).and_then(|n| range.shifted(n)) {
                    Some(range) => self.needed(a, &Wanted::Number(range), names),
                    None => unknown(),
                }
            }
            (Term::Chars(of), Wanted::Element(at, wanted)) => match &**wanted {
                Wanted::Char(class) if *at as i128 <= MOST => {
                    let (class, is_exact) = class::widened((**class).clone());
                    let regex = format!("(?s:.{{{at}}}){}{ANY}", class::item(&class));
                    self.expressed(of, regex, is_exact, names)
                }
                _ => unknown(),
            },
            (Term::Chars(of), Wanted::Last(wanted)) => match &**wanted {
                Wanted::Char(class) => {
                    let (class, is_exact) = class::widened((**class).clone());
                    self.expressed(of, format!("{ANY}{}", class::item(&class)), is_exact, names)
                }
                _ => unknown(),
            },
            (Term::Chars(of), Wanted::Len(range)) => match counted_items("(?s:.)", "", *range) {
                Some(regex) => self.expressed(of, regex, true, names),
                None => unknown(),
            },
            (Term::Filter(over, each), Wanted::Len(range)) => self.of_count(over, each, *range, names),
            (Term::Text(part), Wanted::Text(_)) => self.of_rest(part, wanted, names),
            (Term::Text(_), Wanted::Len(range)) => {
                let (text, is_exact) = of_length(*range);
                let known = self.needed(term, &Wanted::Text(text), names)?;
                Some(if is_exact { known } else { with_all(known, vec![Test::Unsaid]) })
            }
            _ => unknown(),
        }
    }

    /// What a string needs if so many of its characters pass a test.
    fn of_count(&self, over: &Term, each: &Closure, range: Range, names: Names<'_>) -> Needed {
        let (over, names_of_over) = resolved(over, names);
        let Some((of, unit)) = units(over) else { return unknown() };
        let (passing, failing) =
            (self.passing(each, unit, true, names), self.passing(each, unit, false, names));
        // A character is several bytes, if it isn't of ASCII.
        let wide = class::within(&passing.class, &class::outside_ascii());
        if unit == Unit::Byte && !class::is_empty(&wide) {
            return unknown();
        }
        let other = format!("{}*", class::item(&failing.class));
        let is_exact = passing.is_exact && failing.is_exact;
        match counted_items(&class::item(&passing.class), &other, range) {
            Some(regex) => self.expressed(of, regex, is_exact, names_of_over),
            None => unknown(),
        }
    }

    /// What one of two terms needs, if the other one is known; or the text whose lines their sum counts.
    pub(super) fn of_sum(&self, a: &Term, b: &Term, range: Range, names: Names<'_>) -> Needed {
        let (known, of) = match (integer(a), integer(b)) {
            (Some(n), None) => (n, b),
            (None, Some(n)) => (n, a),
            (None, None) => return self.of_lines(a, b, range, names),
            (Some(_), Some(_)) => return unknown(),
        };
        match known.checked_neg().and_then(|by| range.shifted(by)) {
            Some(range) => self.needed(of, &Wanted::Number(range), names),
            None => unknown(),
        }
    }

    /// What a string needs to have so many lines, if the sum of two terms is their number: that of the ends of
    /// lines, and one more if there is text after the last of them.
    fn of_lines(&self, ends: &Term, more: &Term, range: Range, names: Names<'_>) -> Needed {
        let (Term::Len(ends), Term::ToInt(more)) = (ends, more) else { return unknown() };
        let (Some(split), Term::And(parts)) = (split_at_each(ends), &**more) else { return unknown() };
        let (Term::TextOp(_, operands), [has_text, is_open]) = (&split, parts.as_slice()) else {
            return unknown();
        };
        let [of, end] = operands.as_slice() else { return unknown() };
        let is_len = |term: &Term| matches!(term, Term::Len(counted) if **counted == *of);
        let is_there = match has_text {
            Term::Compare(CompareOp::Lt, zero, len) => integer(zero) == Some(0) && is_len(len),
            _ => false,
        };
        let ends_so = |term: &Term| match term {
            Term::StrTest(StrTest::EndsWith, text, part) => **text == *of && **part == *end,
            _ => false,
        };
        let is_after = matches!(is_open, Term::Not(ends) if ends_so(ends));
        let before = range.shifted(-1).and_then(|range| counted_items(r"[^\n]*\n", "", range));
        let is_newline = *end == Term::Lit(Value::str("\n"));
        let Some(before) = before.filter(|_| is_there && is_after && is_newline) else { return unknown() };
        let none = if range.of_count().0 == 0 { "|" } else { "" };
        self.expressed(of, format!(r"{before}(?:[^\n]*\n|[^\n]+){none}"), true, names)
    }

    /// What a string needs whose first or last characters are left out.
    fn of_rest(&self, part: &Term, wanted: &Wanted, names: Names<'_>) -> Needed {
        let Wanted::Text(text) = wanted else { return unknown() };
        match part {
            // The characters that don't pass are removed.
            Term::Filter(over, each) => {
                let (over, names_of_over) = resolved(over, names);
                let Term::Chars(of) = over else { return unknown() };
                let [kept, removed] =
                    [true, false].map(|passed| self.passing(each, Unit::Char, passed, names));
                let is_exact = kept.is_exact && removed.is_exact;
                return match Change::removal(&removed.class, &kept.class, is_exact).before(text) {
                    Some((regex, is_exact)) => self.expressed(of, regex, is_exact, names_of_over),
                    None => unknown(),
                };
            }
            Term::Flatten(all) => {
                let Term::Map(pieces, Closure { slot, body }) = &**all else { return unknown() };
                let is_all = matches!(&**body, Term::Chars(of) if **of == Term::Var(*slot));
                return if is_all { self.of_joined(pieces, None, text, names) } else { unknown() };
            }
            _ => {}
        }
        let Term::Slice(all, from, to) = part else { return unknown() };
        let (Term::Chars(of), item) = (&**all, text.item()) else { return unknown() };
        let is_len = |term: &Term| matches!(term, Term::Len(counted) if counted == all);
        let n_chars = |term: &Term| number_of(&constant(term).map(Term::Lit)?).filter(|n| *n as i128 <= MOST);
        let regex = match (n_chars(from), &**to) {
            (Some(n), to) if is_len(to) => format!("(?s:.{{{n}}}){item}"),
            (Some(0), Term::Arith(ArithOp::Sub, len, n)) if is_len(len) => match n_chars(n) {
                Some(n) => format!("{item}(?s:.{{{n}}})"),
                None => return unknown(),
            },
            _ => return unknown(),
        };
        self.expressed(of, regex, true, names)
    }

    /// What a test of a character needs.
    pub(super) fn of_char_test(&self, term: &Term, passed: bool, names: Names<'_>) -> Needed {
        let either = |class: ClassUnicode| if passed { class } else { class::others(&class) };
        let ask = |of: &Term, class: ClassUnicode| self.needed(of, &Wanted::Char(Rc::new(class)), names);
        match term {
            Term::CharIs(named, of) => match class::named(*named) {
                (class, true) => ask(of, either(class)),
                (class, false) if passed => Some(with_all(ask(of, class)?, vec![Test::Unsaid])),
                (_, false) => unknown(),
            },
            Term::Equal(a, b) => match (constant(a), constant(b)) {
                (Some(Value::Char(c)), None) => ask(b, either(class::of([c]))),
                (None, Some(Value::Char(c))) => ask(a, either(class::of([c]))),
                _ => unknown(),
            },
            Term::Contains(all, of) => match constant(resolved(all, names).0) {
                Some(Value::Seq(all)) => match all.iter().map(char_of).collect::<Option<Vec<char>>>() {
                    Some(chars) if !chars.is_empty() => ask(of, either(class::of(chars))),
                    _ if passed => self.of_member(&all, of, names),
                    _ => unknown(),
                },
                _ => unknown(),
            },
            _ => unknown(),
        }
    }

    /// What a string needs to be one of several.
    fn of_member(&self, all: &[Value], of: &Term, names: Names<'_>) -> Needed {
        let text = |value: &Value| match value {
            Value::Str(text) => Some(escaped(text)),
            _ => None,
        };
        match all.iter().map(text).collect::<Option<Vec<String>>>() {
            Some(texts) if !texts.is_empty() => self.needed(of, &Wanted::text(texts.join("|")), names),
            _ => unknown(),
        }
    }

    /// What a change of case needs to make one of some characters.
    pub(super) fn of_changed_char(
        &self,
        op: TextOp,
        of: &Term,
        to: &ClassUnicode,
        names: Names<'_>,
    ) -> Needed {
        match op {
            TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                self.needed(of, &Wanted::Char(Rc::new(changed(op, to))), names)
            }
            _ => unknown(),
        }
    }
}

/// The characters that a change of ASCII letters makes some characters.
pub(super) fn changed(op: TextOp, to: &ClassUnicode) -> ClassUnicode {
    let is_lower = op == TextOp::AsciiLowercase;
    let change = |c: char| if is_lower { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let from = class::of(('\0'..'\u{80}').filter(|c| class::has(to, change(*c))));
    class::with(&from, &class::within(to, &class::outside_ascii()))
}

/// The characters whose codes are within bounds; `None` if there is none: such a number may be no code.
fn of_codes(range: Range) -> Option<ClassUnicode> {
    let greatest = i128::from(u32::from(char::MAX));
    let (least, most) = (range.least.unwrap_or(0), range.most.unwrap_or(greatest));
    let code = |n: i128| u32::try_from(n.clamp(0, greatest)).ok();
    // Between the two halves of the codes is a gap.
    let first = (code(least)?..).take(0x801).find_map(char::from_u32)?;
    let last = (0..=code(most)?).rev().take(0x801).find_map(char::from_u32)?;
    let is_there = 0 <= most && least <= greatest && first <= last;
    is_there.then(|| class::between(first, last))
}

fn char_of(value: &Value) -> Option<char> {
    match value {
        Value::Char(c) => Some(*c),
        _ => None,
    }
}

/// The classes of characters whose bytes pass a test; of the bytes of characters outside ASCII, all or none may pass.
fn of_wide_bytes(each: &Closure, passed: bool) -> Passing {
    let wide = judged(each, passed, (FIRST_WIDE..=0xff).map(Value::int));
    let all_are = |passes: bool| wide.iter().all(|known| *known == Some(passes));
    let class = if all_are(false) { class::of([]) } else { class::outside_ascii() };
    Passing { class, is_exact: all_are(true) || all_are(false) }
}

/// Whether each of some values passes a test, or fails it; `None` if the judge gives up.
fn judged(each: &Closure, passed: bool, values: impl Iterator<Item = Value>) -> Vec<Option<bool>> {
    let mut judge = Judge::new(None);
    let judge_one = |value| {
        judge.set(each.slot, value);
        match judge.value(&each.body) {
            Ok(value) => Some(value == Value::Bool(passed)),
            Err(Stop::Undefined) => Some(false),
            Err(Stop::Unjudged | Stop::SpecError(_)) => None,
        }
    };
    values.map(judge_one).collect()
}

/// Whether a term reads only a slot and what it binds itself, so that the judge alone knows its value.
fn reads_alone(term: &Term, slot: u32) -> bool {
    fn go(term: &Term, bound: &mut Vec<u32>) -> bool {
        match term {
            Term::Var(slot) => bound.contains(slot),
            Term::Opaque(..) | Term::Ask(..) | Term::Call(..) | Term::Matches(..) => false,
            Term::TextOp(TextOp::Captures(_), _) => false,
            _ => {
                let mut is_alone = true;
                for_scoped_children(term, &mut |child, slots| {
                    let n_bound = bound.len();
                    bound.extend_from_slice(slots);
                    is_alone = is_alone && go(child, bound);
                    bound.truncate(n_bound);
                });
                is_alone
            }
        }
    }
    go(term, &mut vec![slot])
}
