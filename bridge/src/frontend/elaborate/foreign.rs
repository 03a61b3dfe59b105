//! Values of types that the catalog doesn't know, through a view or a builder function.

use target_strategies::logic::ir::{DataId, Term};

use super::mistake::count;
use super::pattern::spelled;
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, Ident};

impl Elaborator<'_, '_, '_> {
    /// The constructor or builder function in a path, for the hinted type if there is one.
    pub(super) fn viewed(&self, path: &[Ident], hint: Option<&Ty>) -> Option<(DataId, u32)> {
        let written = spelled(path);
        let written = written.strip_prefix("crate::").unwrap_or(&written);
        let of = |id: DataId| {
            if !matches!(self.data.item_of(id), Item::View(..)) {
                return None;
            }
            let ctors = &self.data.get(id).ctors;
            let named = |path: &str| path == written || path.ends_with(&format!("::{written}"));
            ctors.iter().position(|ctor| named(&ctor.rust_path)).map(|ctor| (id, ctor as u32))
        };
        match hint {
            Some(Ty::Data(id)) => of(*id),
            Some(_) => None,
            None => {
                let bases = (0..self.data.data.len() as u32).map(DataId);
                bases.filter(|id| self.data.is_base(*id) && !self.data.is_steps(*id)).find_map(of)
            }
        }
    }

    /// Its application to the values of its fields, in order.
    pub(super) fn view_value(
        &mut self,
        (id, ctor): (DataId, u32),
        args: &[&Expr],
        path: &[Ident],
        span: Span,
    ) -> Checked<Typed> {
        let tys = self.data.field_tys(id, ctor);
        if tys.len() != args.len() {
            return Err(count(span, &format!("`{}`", spelled(path)), tys.len(), "field", args.len()));
        }
        let terms = args.iter().zip(&tys).map(|(arg, ty)| Ok(self.check(arg, ty)?.0));
        let terms: Vec<Term> = terms.collect::<Result<_, Diagnostic>>()?;
        Ok((Term::Construct(id, ctor, terms), Ty::Data(id)))
    }

    /// Its application to named fields; `None` if the path means something else.
    pub(super) fn view_literal(
        &mut self,
        path: &[Ident],
        fields: &[(Ident, Expr)],
        span: Span,
        hint: Option<&Ty>,
    ) -> Option<Checked<Typed>> {
        let (id, ctor) = self.viewed(path, hint)?;
        let names = self.field_names(id, ctor);
        let mut args = Vec::with_capacity(names.len());
        for wanted in &names {
            match fields.iter().find(|(name, _)| name.name == *wanted) {
                Some((_, arg)) => args.push(arg),
                None => {
                    let message = format!("`{}` lacks its field `{wanted}`", spelled(path));
                    return Some(Err(Diagnostic::error(span, message)));
                }
            }
        }
        if let Some((stray, _)) = fields.iter().find(|(name, _)| !names.contains(&name.name)) {
            return Some(Err(self.no_field(stray, path, &names)));
        }
        Some(self.view_value((id, ctor), &args, path, span))
    }
}
