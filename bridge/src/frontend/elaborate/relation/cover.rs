//! `cover(a, b)`: two values are of different kinds; `cover(a, b, "regex")`: two strings take different ways through a
//! regular expression.
//!
//! Source: *Iorek*, sections 4.4 and 5.1, where `enumerate*` takes one value of each category.

use target_strategies::logic::ir::{Regex, Term, TextOp};
use target_strategies::logic::part::{Path, path_of};

use super::super::build::{bound, equal, field, is_ctor, not};
use super::super::method::call::unreferenced;
use super::super::{Checked, Elaborator, Typed};
use super::kinds::{MAX_KINDS, kinds};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::regex::{Rejection, Ways, program};
use crate::frontend::spec::ast::{Expr, ExprKind};
use crate::frontend::subject::{Cover, Kind, TextWays};

/// Number of levels of enums that a kind has, if the user doesn't say.
const LEVELS: u32 = 1;

/// Maximum number of levels.
const MAX_LEVELS: u32 = 6;

impl Elaborator<'_, '_, '_> {
    /// `cover(a, b)`, with what is covered: a regular expression, or a number of levels.
    pub(super) fn cover(
        &mut self,
        (a, b): (&Expr, &Expr),
        what: Option<&Expr>,
        span: Span,
    ) -> Checked<Typed> {
        let (a, ty) = self.typed(a, None)?;
        let (b, _) = self.check(b, &ty)?;
        let all_declared = self.data.declared.clone();
        if !self.are_declared_alike(&a, &b) {
            self.data.declared.clear();
        }
        let declared = path_of(&a).filter(|_| ty == Ty::Str);
        let declared = declared.and_then(|path| self.data.declared.get(&path).cloned());
        let what = what.map(unreferenced);
        let (first, second, ways, most_keys) = match what.map(|what| &what.kind) {
            Some(ExprKind::Str(..)) => {
                self.check_is_text(&ty, span)?;
                let what = what.expect("it was just looked at");
                let regex = self.regex(what, "cover")?;
                let text = self.data.regexes[regex.0 as usize].text.clone();
                let (first, second, ways) = self.ways(&text, (&a, &b), what.span)?;
                let n_ways = ways.ways.n();
                // One more is that a string doesn't match.
                (first, second, Some(ways), n_ways.saturating_add(1))
            }
            None if declared.is_some() => {
                let (first, second, ways) = self.ways(&declared.unwrap_or_default(), (&a, &b), span)?;
                let n_ways = ways.ways.n();
                (first, second, Some(TextWays { whole: None, ..ways }), n_ways)
            }
            _ => {
                let levels = what.map_or(Ok(LEVELS), levels)?;
                let (a, b, ty) = self.derivations(a, b, ty);
                let mut kinds = |of: &Term| kinds(of, &ty, levels, self.data);
                let (Some(first), Some(second)) = (kinds(&a), kinds(&b)) else {
                    let message = format!("`cover` would tell apart more than {MAX_KINDS} parts of a value");
                    return Err(Diagnostic::error(span, message).help("cover fewer levels, or single fields"));
                };
                if first.is_empty() {
                    let message = format!("`cover` takes all values of `{}` for alike", self.show(&ty));
                    let help = "`not_equal` tells them apart; for strings, give a regular expression, \
                                `cover(a, b, \"[a-z]+|[0-9]+\")`";
                    return Err(Diagnostic::error(span, message).help(help));
                }
                let of_kind = |kind: &Kind| kind.least.abs_diff(kind.greatest) + 1;
                let most_keys = first.iter().fold(1, |n: u64, kind| n.saturating_mul(of_kind(kind)));
                (Term::Tuple(terms(first)), Term::Tuple(terms(second)), None, most_keys)
            }
        };
        self.data.declared = all_declared;
        let relation = not(equal(first.clone(), second));
        self.data.covers.push(Cover { relation: relation.clone(), key: first, ways, most_keys });
        Ok((relation, Ty::Bool))
    }

    /// Two values, with texts of a rule replaced by their derivations: these have alternatives.
    pub(super) fn derivations(&self, a: Term, b: Term, ty: Ty) -> (Term, Term, Ty) {
        match (self.data.derivation_in(&a), self.data.derivation_in(&b)) {
            (Some((a, rule)), Some((b, other))) if rule == other => (a, b, Ty::Data(rule)),
            _ => (a, b, ty),
        }
    }

    /// Whether the same parts of two values are declared to match the same regular expressions.
    fn are_declared_alike(&self, a: &Term, b: &Term) -> bool {
        let of = |term: &Term| -> Option<Vec<(Path, &String)>> {
            let path = path_of(term)?;
            let inside =
                |(other, text): (&Path, _)| Some((other.strip_prefix(path.as_slice())?.to_vec(), text));
            Some(self.data.declared.iter().filter_map(inside).collect())
        };
        of(a).unwrap_or_default() == of(b).unwrap_or_default()
    }

    fn check_is_text(&self, ty: &Ty, span: Span) -> Checked<()> {
        if *ty == Ty::Str {
            return Ok(());
        }
        let message = format!("a regular expression covers strings, not `{}`", self.show(ty));
        Err(Diagnostic::error(span, message))
    }

    /// The ways of two strings through a regular expression: whether it matches, and which of its choices are taken.
    fn ways(&mut self, text: &str, (a, b): (&Term, &Term), span: Span) -> Checked<(Term, Term, TextWays)> {
        let mistake = |found: Rejection| {
            let help =
                "cover a simpler expression: its parts may be alternatives or repeat, but not many of both";
            Diagnostic::error(span, format!("`cover`: {}", found.message)).help(help)
        };
        let ways = Ways::of(text).map_err(mistake)?;
        let (marked, n_groups) = ways.marked();
        let regex = self.data.regex_of(&marked, mistake)?;
        if self.data.regexes[regex.0 as usize].program.is_none() {
            let found = program(&marked).map_err(mistake)?;
            self.data.regexes[regex.0 as usize].program = Some(found);
        }
        // The instance with a field for each group has to be known.
        _ = self.data.captures(regex);
        let slot = self.data.fresh();
        let key = |text: &Term| {
            let groups = Term::TextOp(TextOp::Captures(regex), vec![text.clone()]);
            let takes_part = |group: usize| is_ctor(field(Term::Var(slot), 0, group as u32), 1);
            let taken = (1..=n_groups).map(takes_part);
            let matches = Term::Matches(regex, Regex::START, Box::new(text.clone()));
            bound(slot, groups, Term::Tuple(std::iter::once(matches).chain(taken).collect()))
        };
        Ok((key(a), key(b), TextWays { of: a.clone(), whole: Some(regex), ways }))
    }
}

fn terms(kinds: Vec<Kind>) -> Vec<Term> {
    kinds.into_iter().map(|kind| kind.term).collect()
}

/// The number of levels that an argument says.
fn levels(what: &Expr) -> Checked<u32> {
    let n = match &what.kind {
        ExprKind::Int(n, _) => n.to_usize().and_then(|n| u32::try_from(n).ok()),
        _ => None,
    };
    n.filter(|n| (1..=MAX_LEVELS).contains(n)).ok_or_else(|| {
        let message =
            format!("`cover` takes a regular expression, or a number of levels from 1 to {MAX_LEVELS}");
        Diagnostic::error(what.span, message)
            .help("write `cover(a, b)`, `cover(a, b, 2)` or `cover(a, b, \"[a-z]+|[0-9]+\")`")
    })
}
