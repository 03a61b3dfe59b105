//! `format!`: the pieces of a string, and values as Rust displays them, padded to a width.

use target_strategies::logic::ir::{ArithOp, Closure, Term, TextOp};
use target_strategies::logic::value::Value;

use super::build::{arith, int, len, less, sub};
use super::method::{text_of_bool, text_of_char};
use super::mistake::unsupported;
use super::{Checked, Elaborator, Typed};
use crate::frontend::data::Item;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind};

/// The layout of a value in braces: `{:05}` has zeros and the width 5.
#[derive(Clone, Copy)]
struct Layout {
    zeros: bool,
    width: i64,
}

impl Layout {
    /// The layout in a placeholder such as `{05}`; the parser has checked it.
    fn of(placeholder: &str) -> Layout {
        let digits = placeholder.trim_matches(['{', '}']);
        let width = digits.parse().unwrap_or(0);
        Layout { zeros: digits.starts_with('0') && width > 0, width }
    }
}

impl Elaborator<'_, '_, '_> {
    /// `format!(..)`, with its pieces as the parser made them.
    pub(super) fn format(&mut self, pieces: &[Expr]) -> Checked<Typed> {
        let mut texts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            texts.push(match &piece.kind {
                ExprKind::MethodCall(value, placeholder, _) => {
                    self.displayed(value, Layout::of(&placeholder.name))?
                }
                _ => self.check(piece, &Ty::Str)?.0,
            });
        }
        let whole = match texts.len() {
            0 => Term::Lit(Value::str("")),
            1 => texts.swap_remove(0),
            _ => Term::Concat(texts),
        };
        Ok((whole, Ty::Str))
    }

    /// A value as a string with a layout.
    fn displayed(&mut self, value: &Expr, layout: Layout) -> Checked<Term> {
        let (term, ty) = self.typed(value, None)?;
        let text = match ty {
            Ty::Int(_) => return self.number(term, layout),
            Ty::Str => term,
            Ty::Char => text_of_char(term),
            Ty::Bool => text_of_bool(term),
            Ty::Opaque(of) => self.display(term, &of, value.span)?,
            ty => {
                if let Ty::Data(id) = &ty
                    && let Item::User(of, _) = self.data.item_of(*id)
                {
                    return Err(self.text_of_read(of, value.span));
                }
                let what = format!("`{}` in `format!` is", self.show(&ty));
                let help = "integers, strings, characters and bools can be written";
                return Err(unsupported(value.span, &what).help(help));
            }
        };
        if layout.width == 0 {
            return Ok(text);
        }
        // Zeros have no effect on texts; spaces come after them.
        let (padded, ()) = self.once(text, |this, text| {
            let missing = sub(int(layout.width), len(Term::Chars(Box::new(text.clone()))));
            let spaces = this.copies(' ', missing);
            Ok((Term::Concat(vec![text, spaces]), ()))
        })?;
        Ok(padded)
    }

    /// An integer: spaces before it, or zeros between the sign and the digits.
    fn number(&mut self, number: Term, layout: Layout) -> Checked<Term> {
        let decimal = |n| Term::TextOp(TextOp::Decimal, vec![n]);
        if layout.width == 0 {
            return Ok(decimal(number));
        }
        let (padded, ()) = self.once(number, |this, n| {
            // A number, since an `if` is a decision of the user's in reports.
            let n_signs = Term::ToInt(Box::new(less(n.clone(), int(0))));
            let absolute = Term::Abs(Box::new(n.clone()));
            let (digits, before) = if layout.zeros { (absolute, n_signs.clone()) } else { (n, int(0)) };
            this.once(decimal(digits), |this, digits| {
                let used = arith(ArithOp::Add, len(digits.clone()), before);
                let missing = sub(int(layout.width), used);
                let padding = this.copies(if layout.zeros { '0' } else { ' ' }, missing);
                let sign = this.copies('-', n_signs);
                let parts = if layout.zeros { vec![sign, padding, digits] } else { vec![padding, digits] };
                Ok((Term::Concat(parts), ()))
            })
        })?;
        Ok(padded)
    }

    /// A string of `n` copies of a character; empty for negative numbers.
    fn copies(&mut self, c: char, n: Term) -> Term {
        let copy = Closure { slot: self.fresh(), body: Box::new(Term::Lit(Value::Char(c))) };
        let copies = Term::Map(Box::new(Term::Range(Box::new(int(0)), Box::new(n))), copy);
        Term::Text(Box::new(copies))
    }
}
