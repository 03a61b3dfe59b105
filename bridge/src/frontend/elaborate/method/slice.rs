//! Methods of sequences about positions: first and last, parts, neighbours.

use target_strategies::logic::ir::{ArithOp, Closure, IntKind, Term};

use super::super::build::{
    and, arith, at_most, branch, equal, field, index, int, is_ctor, len, less, not, slice, some_if, sub,
};
use super::super::mistake::unsupported;
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::ExprKind;
use target_strategies::logic::value::Value;

/// The supported names.
pub(super) const POSITIONAL: [&str; 17] = [
    "back",
    "front",
    "first",
    "get",
    "last",
    "next",
    "next_back",
    "nth",
    "rev",
    "skip",
    "skip_while",
    "split_first",
    "split_last",
    "take",
    "take_while",
    "windows",
    "is_sorted_by",
];

impl Elaborator<'_, '_, '_> {
    pub(super) fn positional_method(
        &mut self,
        term: &Term,
        element: &Ty,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        let whole = Ty::Seq(Box::new(element.clone()));
        let term = term.clone();
        let typed = match name {
            "rev" => {
                self.arity(call, 0)?;
                (Term::Reverse(Box::new(term)), whole)
            }
            "first" | "front" | "next" | "last" | "back" | "next_back" => self.end(term, element, call)?,
            "split_first" | "split_last" => self.split_end(term, element, call)?,
            "get" | "nth" => self.get(term, element, call)?,
            "skip" | "take" => self.part(term, whole, call)?,
            "skip_while" | "take_while" => self.part_while(term, element, call)?,
            "windows" => {
                self.arity(call, 1)?;
                let (size, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
                let Term::Lit(Value::Int(n)) = &size else {
                    return Err(unsupported(call.args[0].span, "a size of windows that is no number is"));
                };
                match n.to_usize().and_then(|n| u32::try_from(n).ok()) {
                    Some(size) if size > 0 => (Term::Windows(Box::new(term), size), Ty::Seq(Box::new(whole))),
                    _ => {
                        let message = "windows have at least one element, and a size that fits 32 bits";
                        return Err(Diagnostic::error(call.args[0].span, message));
                    }
                }
            }
            "is_sorted_by" => self.is_sorted_by(term, element, call)?,
            _ => return Ok(None),
        };
        Ok(Some(typed))
    }

    /// `first()`, `last()`
    fn end(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 0)?;
        let front = matches!(call.name.name.as_str(), "first" | "front" | "next");
        let option = self.data.option(element);
        self.once(term, |_, over| {
            let at = if front { int(0) } else { sub(len(over.clone()), int(1)) };
            let some = not(equal(len(over.clone()), int(0)));
            Ok((some_if(some, option, index(over, at)), Ty::Data(option)))
        })
    }

    /// `split_first()`, `split_last()`
    fn split_end(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 0)?;
        let front = call.name.name == "split_first";
        let pair = Ty::Tuple(vec![element.clone(), Ty::Seq(Box::new(element.clone()))]);
        let option = self.data.option(&pair);
        self.once(term, |_, over| {
            let n = len(over.clone());
            let before_last = sub(n.clone(), int(1));
            let (at, lo, hi) =
                if front { (int(0), int(1), n.clone()) } else { (before_last.clone(), int(0), before_last) };
            let some = not(equal(n, int(0)));
            let parts = Term::Tuple(vec![index(over.clone(), at), slice(over, lo, hi)]);
            Ok((some_if(some, option, parts), Ty::Data(option)))
        })
    }

    /// `get(i)`, `get(a..b)`
    fn get(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        if let ExprKind::Range { lo, hi, inclusive } = &call.args[0].kind
            && call.name.name == "get"
        {
            let whole = Ty::Seq(Box::new(element.clone()));
            let option = self.data.option(&whole);
            return self.once(term, |this, over| {
                let part = this.slice(over.clone(), lo.as_deref(), hi.as_deref(), *inclusive)?;
                let Term::Slice(_, lo, hi) = part else { return Ok((part, whole)) };
                this.once(*lo, |this, lo| {
                    this.once(*hi, |_, hi| {
                        let inside =
                            vec![at_most(lo.clone(), hi.clone()), at_most(hi.clone(), len(over.clone()))];
                        Ok((some_if(and(inside), option, slice(over, lo, hi)), Ty::Data(option)))
                    })
                })
            });
        }
        let option = self.data.option(element);
        let (at, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
        self.once(term, |this, over| {
            this.once(at, |_, at| {
                let inside = less(at.clone(), len(over.clone()));
                Ok((some_if(inside, option, index(over, at)), Ty::Data(option)))
            })
        })
    }

    /// `skip(n)`, `take(n)`: clamped to the length.
    fn part(&mut self, term: Term, whole: Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let (n, _) = self.check(&call.args[0], &Ty::Int(Some(IntKind::Usize)))?;
        let skips = call.name.name == "skip";
        self.once(term, |_, over| {
            let at = arith(ArithOp::Min, n, len(over.clone()));
            let end = len(over.clone());
            Ok((if skips { slice(over, at, end) } else { slice(over, int(0), at) }, whole))
        })
    }

    /// `skip_while(test)`, `take_while(test)`: the parts from, and before, the first element that fails.
    fn part_while(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let skips = call.name.name == "skip_while";
        let whole = Ty::Seq(Box::new(element.clone()));
        let option = self.data.option(&Ty::Int(Some(IntKind::Usize)));
        self.once(term, |this, over| {
            let Closure { slot, body } = this.test(&call.args[0], element)?;
            let fails = Closure { slot, body: Box::new(not(*body)) };
            let position = Term::Position(Box::new(over.clone()), fails, option);
            this.once(position, |_, found| {
                let n = len(over.clone());
                let at = branch(is_ctor(found.clone(), 1), field(found, 1, 0), n.clone());
                Ok((if skips { slice(over, at, n) } else { slice(over, int(0), at) }, whole))
            })
        })
    }

    /// `is_sorted_by(|a, b| ..)`, for all neighbours.
    fn is_sorted_by(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let function = &call.args[0];
        let slot = self.fresh();
        let neighbour = |at| (index(Term::Var(slot), int(at)), element.clone());
        let wanted = super::super::closure::Wanted::Exactly(&Ty::Bool);
        let (body, _) = self.apply(function, vec![neighbour(0), neighbour(1)], wanted)?;
        let closure = Closure { slot, body: Box::new(body) };
        Ok((Term::All(Box::new(Term::Windows(Box::new(term), 2)), closure), Ty::Bool))
    }
}
