//! Parsed expressions: which characters their strings have, and which strings are left without some.

use regex_syntax::hir::{Capture, Class, ClassUnicode, Hir, HirKind};

use super::class;
use super::regex_text::escaped;
use super::wanted::Text;

/// A language as parsed; `None` if it depends on what is around its strings, or has classes of bytes, which the functions below don't read.
pub(super) fn read(text: &Text) -> Option<Hir> {
    let regex = match text {
        Text::Exactly(text) => regex_syntax::parse(&escaped(text)),
        Text::Matching(regex) => regex_syntax::parse(regex),
    };
    regex.ok().filter(|hir| hir.properties().look_set().is_empty() && !has_bytes(hir))
}

fn has_bytes(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Bytes(class)) => !class.ranges().is_empty(),
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(Class::Unicode(_)) => false,
        HirKind::Repetition(repetition) => has_bytes(&repetition.sub),
        HirKind::Capture(capture) => has_bytes(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_bytes),
    }
}

fn overlaps(class: &Class, chars: &ClassUnicode) -> bool {
    match class {
        Class::Unicode(class) => !class::is_empty(&class::within(class, chars)),
        // An empty class is one of bytes.
        Class::Bytes(class) => !class.ranges().is_empty(),
    }
}

/// Whether a string of an expression may have one of some characters.
pub(super) fn may_contain(hir: &Hir, chars: &ClassUnicode) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => {
            String::from_utf8_lossy(&literal.0).chars().any(|c| class::has(chars, c))
        }
        HirKind::Class(class) => overlaps(class, chars),
        HirKind::Repetition(repetition) => may_contain(&repetition.sub, chars),
        HirKind::Capture(capture) => may_contain(&capture.sub, chars),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|part| may_contain(part, chars))
        }
    }
}

/// Whether a string of an expression may begin, or end, with one of some characters; and whether it may be empty.
pub(super) fn edge(hir: &Hir, chars: &ClassUnicode, at_start: bool) -> (bool, bool) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => (false, true),
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            let c = if at_start { text.chars().next() } else { text.chars().next_back() };
            (c.is_some_and(|c| class::has(chars, c)), c.is_none())
        }
        HirKind::Class(class) => (overlaps(class, chars), false),
        HirKind::Repetition(repetition) => {
            let (is_there, is_empty) = edge(&repetition.sub, chars, at_start);
            (is_there, is_empty || repetition.min == 0)
        }
        HirKind::Capture(capture) => edge(&capture.sub, chars, at_start),
        HirKind::Concat(parts) => {
            let mut ordered: Vec<&Hir> = parts.iter().collect();
            if !at_start {
                ordered.reverse();
            }
            let mut found = false;
            for part in ordered {
                let (is_there, is_empty) = edge(part, chars, at_start);
                found |= is_there;
                if !is_empty {
                    return (found, false);
                }
            }
            (found, true)
        }
        HirKind::Alternation(parts) => {
            let all = parts.iter().map(|part| edge(part, chars, at_start));
            all.fold((false, false), |known, part| (known.0 || part.0, known.1 || part.1))
        }
    }
}

/// An expression as text. A repetition of a repetition needs parentheses, or it would be read as a lazy one.
pub(super) fn text_of(hir: &Hir) -> String {
    fn grouped(hir: &Hir) -> Hir {
        let all = |parts: &[Hir]| parts.iter().map(grouped).collect::<Vec<Hir>>();
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
            HirKind::Repetition(repetition) => {
                let mut repetition = repetition.clone();
                let sub = grouped(&repetition.sub);
                let sub = match sub.kind() {
                    HirKind::Repetition(_) => {
                        Hir::capture(Capture { index: 1, name: None, sub: Box::new(sub) })
                    }
                    _ => sub,
                };
                repetition.sub = Box::new(sub);
                Hir::repetition(repetition)
            }
            HirKind::Capture(capture) => {
                Hir::capture(Capture { sub: Box::new(grouped(&capture.sub)), ..capture.clone() })
            }
            HirKind::Concat(parts) => Hir::concat(all(parts)),
            HirKind::Alternation(parts) => Hir::alternation(all(parts)),
        }
    }
    grouped(hir).to_string()
}

/// The strings of an expression without some characters.
pub(super) fn removed(hir: &Hir, chars: &ClassUnicode) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(|part| removed(part, chars)).collect::<Vec<Hir>>();
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
        HirKind::Literal(_) => {
            if may_contain(hir, chars) {
                Hir::fail()
            } else {
                hir.clone()
            }
        }
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(class::without(class, chars))),
        HirKind::Repetition(repetition) => {
            let mut repetition = repetition.clone();
            repetition.sub = Box::new(removed(&repetition.sub, chars));
            Hir::repetition(repetition)
        }
        HirKind::Capture(capture) => removed(&capture.sub, chars),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
    }
}

/// The strings of an expression with a first, or last, character that is none of some.
pub(super) fn with_bare_edge(hir: &Hir, chars: &ClassUnicode, at_start: bool) -> Hir {
    let at_edge = |hir: &Hir| with_bare_edge(hir, chars, at_start);
    let ordered = |mut parts: Vec<Hir>| {
        if !at_start {
            parts.reverse();
        }
        Hir::concat(parts)
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => Hir::fail(),
        HirKind::Literal(_) => {
            if edge(hir, chars, at_start).0 {
                Hir::fail()
            } else {
                hir.clone()
            }
        }
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(class::without(class, chars))),
        HirKind::Repetition(repetition) => {
            let mut others = repetition.clone();
            // An empty occurrence may be left out.
            let may_be_empty = edge(&repetition.sub, chars, at_start).1;
            others.min = if may_be_empty { 0 } else { repetition.min.saturating_sub(1) };
            others.max = repetition.max.map(|max| max.saturating_sub(1));
            if repetition.max == Some(0) {
                return Hir::fail();
            }
            let edge_of_part = at_edge(&repetition.sub);
            if is_never(&edge_of_part) {
                return edge_of_part;
            }
            ordered(vec![edge_of_part, Hir::repetition(others)])
        }
        HirKind::Capture(capture) => at_edge(&capture.sub),
        HirKind::Concat(parts) => {
            let mut from_edge: Vec<Hir> = parts.clone();
            if !at_start {
                from_edge.reverse();
            }
            let mut branches = Vec::new();
            for (at, part) in from_edge.iter().enumerate() {
                // The parts before it are empty.
                let edge_of_part = at_edge(part);
                if !is_never(&edge_of_part) {
                    branches.push(ordered([&[edge_of_part], &from_edge[at + 1..]].concat()));
                }
                if !edge(part, chars, at_start).1 {
                    break;
                }
            }
            Hir::alternation(branches)
        }
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.iter().map(at_edge).filter(|part| !is_never(part)).collect())
        }
    }
}

/// Greatest number of bytes that [`of_size`] goes through.
const MOST_BYTES: usize = 8;

/// Maximum number of expressions that [`of_size`] looks at.
const MOST_LOOKED_AT: u32 = 1_000;

/// The strings of an expression with so many bytes; `None` if it takes too long to write that out.
pub(super) fn of_size(hir: &Hir, n: usize) -> Option<Hir> {
    let lengths = hir.properties();
    let has_it = (lengths.minimum_len(), lengths.maximum_len()) == (Some(n), Some(n));
    if has_it || n <= MOST_BYTES { sized(hir, n, &mut { MOST_LOOKED_AT }) } else { None }
}

fn sized(hir: &Hir, n: usize, n_left: &mut u32) -> Option<Hir> {
    *n_left = n_left.checked_sub(1)?;
    let lengths = hir.properties();
    match (lengths.minimum_len(), lengths.maximum_len()) {
        (Some(least), Some(most)) if least == n && most == n => return Some(hir.clone()),
        (Some(least), _) if n < least => return Some(Hir::fail()),
        (_, Some(most)) if most < n => return Some(Hir::fail()),
        _ => {}
    }
    // The strings of a first part, and those of the others.
    let mut in_two = |first: &Hir, others: &Hir, least: usize| {
        let mut branches = Vec::new();
        for size in least..=n {
            let start = sized(first, size, n_left)?;
            if !is_never(&start) {
                let end = sized(others, n - size, n_left)?;
                branches.extend((!is_never(&end)).then(|| Hir::concat(vec![start, end])));
            }
        }
        Some(Hir::alternation(branches))
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(Class::Bytes(_)) => {
            Some(Hir::fail())
        }
        HirKind::Class(Class::Unicode(class)) => {
            let of_width = class::of_width(n);
            Some(Hir::class(Class::Unicode(class::within(class, &of_width))))
        }
        HirKind::Repetition(repetition) => {
            let mut others = repetition.clone();
            // An empty occurrence may be left out.
            let may_be_empty = edge(&repetition.sub, &class::of([]), true).1;
            let least = if may_be_empty { 0 } else { repetition.min };
            if n == 0 {
                return Some(if least == 0 { Hir::empty() } else { Hir::fail() });
            }
            if repetition.max == Some(0) {
                return Some(Hir::fail());
            }
            others.min = least.saturating_sub(1);
            others.max = repetition.max.map(|max| max - 1);
            in_two(&repetition.sub, &Hir::repetition(others), 1)
        }
        HirKind::Capture(capture) => sized(&capture.sub, n, n_left),
        HirKind::Concat(parts) => match parts.split_first() {
            Some((first, others)) => in_two(first, &Hir::concat(others.to_vec()), 0),
            None => Some(Hir::fail()),
        },
        HirKind::Alternation(parts) => {
            let all = parts.iter().map(|part| sized(part, n, n_left)).collect::<Option<Vec<Hir>>>()?;
            Some(Hir::alternation(all.into_iter().filter(|part| !is_never(part)).collect()))
        }
    }
}

/// Whether an expression is that of no string.
fn is_never(hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Class(Class::Bytes(class)) if class.ranges().is_empty())
}
