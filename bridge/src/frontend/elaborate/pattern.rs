//! Matches a pattern against a term: tests that decide whether it matches, and the parts of the term that its names
//! bind.

use target_strategies::logic::ir::Term;

use super::build::{
    and, at_most, branch, equal, field, index, int, is_ctor, is_small, len, less, or, project, slice, sub,
};
use super::mistake::{Comparison, count, did_you_mean, private, with_guess};
use super::{Checked, Elaborator, Local};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, Ident, Pat, PatKind, SliceRest};

/// Maximum size of a term for a part of a value. It limits nested patterns for the ends of lists, each of which doubles
/// it.
const MAX_PART: usize = 64;

/// The result of matching a pattern against a value.
#[derive(Default)]
pub(super) struct Matched {
    /// The tests that must all hold, from the left.
    pub(super) tests: Vec<Term>,
    /// The names and their terms, valid if the tests hold.
    pub(super) names: Vec<Local>,
    /// Whether it may fail for a reason other than the length of a list.
    pub(super) refutable: bool,
}

impl Elaborator<'_, '_, '_> {
    /// Matches a value that may be repeated.
    pub(super) fn pattern(&mut self, pat: &Pat, value: &Term, ty: &Ty) -> Checked<Matched> {
        let mut matched = Matched::default();
        self.match_into(pat, value, ty, &mut matched)?;
        for (at, local) in matched.names.iter().enumerate() {
            self.modest(pat.span, &local.ty)?;
            if matched.names[..at].iter().any(|other| other.name == local.name) {
                return Err(Diagnostic::error(pat.span, format!("the pattern binds `{}` twice", local.name)));
            }
        }
        Ok(matched)
    }

    fn match_into(&mut self, pat: &Pat, value: &Term, ty: &Ty, out: &mut Matched) -> Checked<()> {
        match &pat.kind {
            PatKind::Wild => Ok(()),
            PatKind::Bind(name, inner) => {
                out.names.push(Local { name: name.name.clone(), term: value.clone(), ty: ty.clone() });
                match inner {
                    Some(inner) => self.match_into(inner, value, ty, out),
                    None => Ok(()),
                }
            }
            PatKind::Lit(literal) => {
                let (literal, _) = self.check(literal, ty)?;
                self.comparable(pat.span, ty, Comparison::Equality)?;
                out.tests.push(equal(value.clone(), literal));
                out.refutable = true;
                Ok(())
            }
            PatKind::Range { lo, hi, inclusive } => {
                self.range_pattern(pat.span, (lo.as_deref(), hi.as_deref(), *inclusive), value, ty, out)
            }
            PatKind::Path(path) => self.path_pattern(path, pat.span, value, ty, out),
            PatKind::TupleStruct(path, pats, rest) => {
                let (ctor, tys) = self.pattern_ctor(path, pat.span, value, ty, out)?;
                let name = path.last().map_or("", |last| last.name.as_str());
                let positions = spread(pat.span, &format!("`{name}`"), pats.len(), *rest, tys.len())?;
                for (pat, at) in pats.iter().zip(positions) {
                    self.match_into(pat, &field(value.clone(), ctor, at as u32), &tys[at], out)?;
                }
                Ok(())
            }
            PatKind::Struct(path, fields, rest) => {
                self.struct_pattern(pat, path, (fields, *rest), value, ty, out)
            }
            PatKind::Tuple(pats, rest) => {
                let Ty::Tuple(tys) = ty else {
                    return Err(self.unfit(pat.span, "a tuple", ty));
                };
                let positions =
                    spread(pat.span, &format!("`{}`", self.show(ty)), pats.len(), *rest, tys.len())?;
                for (pat, at) in pats.iter().zip(positions) {
                    self.match_into(pat, &project(value.clone(), at as u32), &tys[at], out)?;
                }
                Ok(())
            }
            PatKind::Slice { before, rest, after } => {
                self.slice_pattern(pat.span, (before, rest, after), value, ty, out)
            }
            PatKind::Or(alternatives) => self.or_pattern(pat.span, alternatives, value, ty, out),
        }
    }

    fn unfit(&self, span: Span, what: &str, ty: &Ty) -> Diagnostic {
        match ty {
            Ty::Opaque(_) => private(span),
            ty => {
                Diagnostic::error(span, format!("expected a pattern for `{}`, found {what}", self.show(ty)))
            }
        }
    }

    fn range_pattern(
        &mut self,
        span: Span,
        (lo, hi, inclusive): (Option<&Expr>, Option<&Expr>, bool),
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<()> {
        if !matches!(ty, Ty::Int(_) | Ty::Char | Ty::Float(_)) {
            return Err(self.unfit(span, "a range", ty));
        }
        if let Some(lo) = lo {
            let (lo, _) = self.check(lo, ty)?;
            out.tests.push(at_most(lo, value.clone()));
        }
        if let Some(hi) = hi {
            let (hi, _) = self.check(hi, ty)?;
            out.tests.push(if inclusive { at_most(value.clone(), hi) } else { less(value.clone(), hi) });
        }
        out.refutable = true;
        Ok(())
    }

    fn path_pattern(
        &mut self,
        path: &[Ident],
        span: Span,
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<()> {
        if matches!(ty, Ty::Int(_) | Ty::Float(_) | Ty::Char) {
            let constant = Expr { kind: ExprKind::Path(path.to_vec()), span };
            let (constant, _) = self.check(&constant, ty)?;
            out.tests.push(equal(value.clone(), constant));
            out.refutable = true;
            return Ok(());
        }
        let (_, tys) = self.pattern_ctor(path, span, value, ty, out)?;
        if tys.is_empty() {
            return Ok(());
        }
        let name = spelled(path);
        let message = format!("`{name}` has {} fields, which the pattern leaves out", tys.len());
        Err(Diagnostic::error(span, message).help(format!("write `{name}(..)` or `{name} {{ .. }}`")))
    }

    /// Tests for a constructor, and returns its fields.
    fn pattern_ctor(
        &mut self,
        path: &[Ident],
        span: Span,
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<(u32, Vec<Ty>)> {
        let Ty::Data(id) = ty else {
            return Err(self.unfit(span, &format!("`{}`", spelled(path)), ty));
        };
        let ctor = self.ctor_of_type(path, span, ty)?;
        if self.data.get(*id).ctors.len() > 1 {
            out.tests.push(is_ctor(value.clone(), ctor));
            out.refutable = true;
        }
        Ok((ctor, self.data.field_tys(*id, ctor)))
    }

    /// The index of the constructor in a path.
    fn ctor_of_type(&mut self, path: &[Ident], span: Span, ty: &Ty) -> Checked<u32> {
        let Ty::Data(id) = ty else {
            return Err(self.unfit(span, &format!("`{}`", spelled(path)), ty));
        };
        let ctors = &self.data.get(*id).ctors;
        match self.data.item_of(*id) {
            Item::User(item, _) => match self.data.constructor(path) {
                Some((found, ctor)) if found == item => return Ok(ctor),
                _ => {}
            },
            Item::Captures(_) => {}
            Item::Option(_) | Item::Result(..) | Item::View(..) | Item::Rule => {
                let last = path.last().map_or("", |last| last.name.as_str());
                if let Some(ctor) = ctors.iter().position(|ctor| last_word(&ctor.rust_path) == last) {
                    return Ok(ctor as u32);
                }
            }
        }
        let written = spelled(path);
        let enum_name = self.show(ty);
        let enum_name = enum_name.split('<').next().unwrap_or_default();
        let short = enum_name.rsplit("::").next().unwrap_or_default();
        let known: Vec<String> = ctors
            .iter()
            .map(|ctor| {
                let name = ctor.rust_path.rsplit("::").next().unwrap_or_default();
                let qualified =
                    ctor.rust_path.contains("::") && ctor.rust_path.contains(&format!("{short}::"));
                if qualified && ctors.len() > 1 { format!("{short}::{name}") } else { name.to_owned() }
            })
            .collect();
        let guess = did_you_mean(&written, known.iter().map(String::as_str)).or_else(|| {
            let last = path.last()?.name.as_str();
            let same = known.iter().find(|known| known.rsplit("::").next() == Some(last))?;
            (*same != written).then(|| format!("did you mean `{same}`?"))
        });
        let listed = format!("`{}` is {}", self.show(ty), known.join(" or "));
        Err(with_guess(
            Diagnostic::error(span, format!("`{written}` is no constructor of `{}`", self.show(ty))),
            guess,
            &listed,
        ))
    }

    fn struct_pattern(
        &mut self,
        pat: &Pat,
        path: &[Ident],
        (fields, rest): (&[(Ident, Pat)], bool),
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<()> {
        let (ctor, tys) = self.pattern_ctor(path, pat.span, value, ty, out)?;
        let names = match ty {
            Ty::Data(id) => self.field_names(*id, ctor),
            _ => Vec::new(),
        };
        for (name, pat) in fields {
            let Some(at) = names.iter().position(|field| *field == name.name) else {
                return Err(self.no_field(name, path, &names));
            };
            self.match_into(pat, &field(value.clone(), ctor, at as u32), &tys[at], out)?;
        }
        let missing = names.iter().find(|field| !fields.iter().any(|(name, _)| name.name == **field));
        match missing {
            Some(missing) if !rest => {
                let message = format!("the pattern leaves out the field `{missing}` of `{}`", spelled(path));
                Err(Diagnostic::error(pat.span, message).help("add it, or `..`"))
            }
            _ => Ok(()),
        }
    }

    fn slice_pattern(
        &mut self,
        span: Span,
        (before, rest, after): (&[Pat], &SliceRest, &[Pat]),
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<()> {
        let Ty::Seq(element) = ty else {
            return Err(self.unfit(span, "a list", ty));
        };
        if !is_small(value, MAX_PART) {
            return Err(
                Diagnostic::error(span, "patterns of lists nest too deeply here").help("match in steps")
            );
        }
        let fixed = int((before.len() + after.len()) as i64);
        let length = len(value.clone());
        match rest {
            SliceRest::Absent => out.tests.push(equal(length.clone(), fixed)),
            SliceRest::Unnamed | SliceRest::Named(_) => {
                if !before.is_empty() || !after.is_empty() {
                    out.tests.push(at_most(fixed, length.clone()));
                }
            }
        }
        for (at, pat) in before.iter().enumerate() {
            self.match_into(pat, &index(value.clone(), int(at as i64)), element, out)?;
        }
        for (at, pat) in after.iter().enumerate() {
            let position = match rest {
                SliceRest::Absent => int((before.len() + at) as i64),
                SliceRest::Unnamed | SliceRest::Named(_) => {
                    sub(length.clone(), int((after.len() - at) as i64))
                }
            };
            self.match_into(pat, &index(value.clone(), position), element, out)?;
        }
        if let SliceRest::Named(name) = rest {
            let end = if after.is_empty() { length } else { sub(length, int(after.len() as i64)) };
            let term = slice(value.clone(), int(before.len() as i64), end);
            out.names.push(Local { name: name.name.clone(), term, ty: ty.clone() });
        }
        Ok(())
    }

    fn or_pattern(
        &mut self,
        span: Span,
        alternatives: &[Pat],
        value: &Term,
        ty: &Ty,
        out: &mut Matched,
    ) -> Checked<()> {
        let mut matches = Vec::new();
        for pat in alternatives {
            matches.push(self.pattern(pat, value, ty)?);
        }
        out.refutable |= matches.iter().all(|matched| matched.refutable);
        let Some((last, others)) = matches.split_last() else {
            return Err(Diagnostic::error(span, "a pattern without alternatives matches nothing"));
        };
        let mut names = Vec::new();
        for local in &last.names {
            let mut term = local.term.clone();
            for other in others.iter().rev() {
                let Some(same) = other.names.iter().find(|same| same.name == local.name) else {
                    return Err(unbound(span, &local.name));
                };
                if !self.data.compatible(&local.ty, &same.ty) {
                    return Err(self.mismatch(span, &same.ty, &local.ty));
                }
                if same.term != term {
                    term = branch(and(other.tests.clone()), same.term.clone(), term);
                }
            }
            names.push(Local { name: local.name.clone(), term, ty: local.ty.clone() });
        }
        let extra = others.iter().flat_map(|other| &other.names);
        if let Some(extra) = extra.into_iter().find(|extra| !names.iter().any(|name| name.name == extra.name))
        {
            return Err(unbound(span, &extra.name));
        }
        let always = matches.iter().any(|matched| matched.tests.is_empty());
        if !always {
            out.tests.push(or(matches.into_iter().map(|matched| and(matched.tests)).collect()));
        }
        out.names.extend(names);
        Ok(())
    }
}

fn unbound(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(span, format!("not every alternative of the pattern binds `{name}`"))
}

/// The path as written.
pub(super) fn spelled(path: &[Ident]) -> String {
    path.iter().map(|ident| ident.name.as_str()).collect::<Vec<_>>().join("::")
}

/// The positions of the sub-patterns among `fields`, where `rest` is the index of `..`.
fn spread(span: Span, what: &str, pats: usize, rest: Option<usize>, fields: usize) -> Checked<Vec<usize>> {
    match rest {
        None if pats != fields => Err(count(span, what, fields, "pattern", pats)),
        Some(_) if pats > fields => Err(count(span, what, fields, "pattern", pats)),
        None => Ok((0..pats).collect()),
        Some(rest) => {
            let rest = rest.min(pats);
            let skipped = fields - pats;
            Ok((0..pats).map(|at| if at < rest { at } else { at + skipped }).collect())
        }
    }
}

/// The last name in a path.
fn last_word(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default()
}
