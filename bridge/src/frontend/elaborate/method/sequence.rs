//! Methods of sequences: slices, vectors and iterators have the same sort. Those for positions are in [`super::slice`].

use target_strategies::logic::ir::{ArithOp, Closure, FloatOp, IntKind, Term};
use target_strategies::logic::value::Value;

use super::super::build::{
    and, arith, at_most, branch, equal, field, float_arith, int, is_ctor, len, slice, some_if,
};
use super::super::closure::Wanted;
use super::super::mistake::Comparison;
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use super::slice::POSITIONAL;
use crate::frontend::data::Item;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{COLLECT_STRING, Expr};

/// Methods that return their receiver.
pub(super) const SAME: [&str; 13] = [
    "as_mut_slice",
    "as_slice",
    "cloned",
    "collect",
    "copied",
    "into_boxed_slice",
    "into_iter",
    "iter",
    "iter_mut",
    "into_vec",
    "to_vec",
    "fuse",
    "peekable",
];

/// All other names supported here.
const OWN: [&str; 33] = [
    "all",
    "any",
    "chain",
    "concat",
    "contains",
    "count",
    "distinct",
    "ends_with",
    "enumerate",
    "eq",
    "filter",
    "filter_map",
    "find",
    "flat_map",
    "flatten",
    "fold",
    "ge",
    "gt",
    "is_empty",
    "is_sorted",
    "is_sorted_by_key",
    "join",
    "le",
    "len",
    "lt",
    "map",
    "max",
    "min",
    "ne",
    "position",
    "product",
    "starts_with",
    "sum",
];

/// Names not supported yet.
pub(super) const LATER: [&str; 39] = [
    "array_windows",
    "binary_search",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "cycle",
    "dedup",
    "dedup_by",
    "dedup_by_key",
    "find_map",
    "inspect",
    "intersperse",
    "map_while",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "partition",
    "partition_point",
    "reduce",
    "repeat",
    "rotate_left",
    "rotate_right",
    "rposition",
    "scan",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "sorted",
    "split",
    "split_first",
    "step_by",
    "swap",
    "try_fold",
    "unzip",
    "cmp",
];

/// The supported names.
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    SAME.into_iter().chain(OWN).chain(POSITIONAL).chain(["zip"])
}

impl Elaborator<'_, '_, '_> {
    pub(super) fn sequence_method(
        &mut self,
        term: &Term,
        element: &Ty,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        let whole = Ty::Seq(Box::new(element.clone()));
        let to_text = *call.hint.unwrap_or(&whole) == Ty::Str && matches!(element, Ty::Char | Ty::Str);
        if name == COLLECT_STRING || (name == "collect" && to_text) {
            self.arity(call, 0)?;
            return self.text_of(term.clone(), element, call).map(Some);
        }
        if name == "collect"
            && let Some(typed) = self.collect_hinted(term, element, call)?
        {
            return Ok(Some(typed));
        }
        if SAME.contains(&name) {
            self.arity(call, 0)?;
            return Ok(Some((term.clone(), whole)));
        }
        let wanted = match name {
            "len" | "count" | "is_empty" | "is_sorted" | "distinct" | "sum" | "product" | "max" | "min"
            | "enumerate" | "flatten" | "concat" => 0,
            "all" | "any" | "contains" | "map" | "filter" | "flat_map" | "filter_map" | "position"
            | "find" | "is_sorted_by_key" | "chain" | "starts_with" | "ends_with" | "zip" | "join" => 1,
            "fold" => 2,
            _ => return self.positional_method(term, element, call),
        };
        // An iterator's `max()` has no argument; `max(other)` of lists is too unusual to support.
        self.arity(call, wanted)?;
        let typed = match (wanted, call.args) {
            (1, [argument]) => self.method_of_one(term, element, argument, call)?,
            (2, _) => self.fold(term, element, call)?,
            _ => self.whole_method(term, element, call)?,
        };
        Ok(Some(typed))
    }

    /// Methods with one argument.
    fn method_of_one(&mut self, term: &Term, element: &Ty, argument: &Expr, call: &Call) -> Checked<Typed> {
        let over = || Box::new(term.clone());
        let whole = Ty::Seq(Box::new(element.clone()));
        Ok(match call.name.name.as_str() {
            "all" => (Term::All(over(), self.test(argument, element)?), Ty::Bool),
            "any" => (Term::Any(over(), self.test(argument, element)?), Ty::Bool),
            "filter" => (Term::Filter(over(), self.test(argument, element)?), whole),
            "contains" => {
                self.comparable(call.receiver, element, Comparison::Equality)?;
                let (x, _) = self.check(argument, element)?;
                (Term::Contains(over(), Box::new(x)), Ty::Bool)
            }
            "map" => {
                let hint = hinted_element(call.hint);
                let (closure, ty) = self.closure(argument, element, Wanted::Maybe(hint))?;
                (Term::Map(over(), closure), Ty::Seq(Box::new(ty)))
            }
            "flat_map" | "filter_map" => self.flat_map(term, element, call)?,
            "position" => {
                let closure = self.test(argument, element)?;
                let option = self.data.option(&Ty::Int(Some(IntKind::Usize)));
                (Term::Position(over(), closure, option), Ty::Data(option))
            }
            "join" => self.join_texts(term, element, argument, call)?,
            "find" => self.find(term, element, call)?,
            "is_sorted_by_key" => {
                let (closure, ty) = self.closure(argument, element, Wanted::Maybe(None))?;
                self.comparable(argument.span, &ty, Comparison::Order)?;
                (Term::IsSorted(Box::new(Term::Map(over(), closure))), Ty::Bool)
            }
            "chain" => {
                let (other, joined) = self.check(argument, &whole)?;
                (Term::Concat(vec![term.clone(), other]), joined)
            }
            "zip" => {
                let (other, other_ty) = self.typed(argument, None)?;
                let Ty::Seq(second) = other_ty else {
                    let message = format!("`zip` wants a sequence, not `{}`", self.show(&other_ty));
                    return Err(Diagnostic::error(argument.span, message));
                };
                let pair = Ty::Tuple(vec![element.clone(), *second]);
                (Term::Zip(over(), Box::new(other)), Ty::Seq(Box::new(pair)))
            }
            _ => self.starts_or_ends(term, &whole, call)?,
        })
    }

    /// Methods without arguments.
    fn whole_method(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        let over = Box::new(term.clone());
        let usize = Ty::Int(Some(IntKind::Usize));
        Ok(match name {
            "len" | "count" => (self.n_pieces(*over)?, usize),
            "is_empty" => (equal(Term::Len(over), int(0)), Ty::Bool),
            "is_sorted" => {
                self.comparable(call.receiver, element, Comparison::Order)?;
                (Term::IsSorted(over), Ty::Bool)
            }
            "distinct" => {
                self.comparable(call.receiver, element, Comparison::Equality)?;
                (Term::Distinct(over), Ty::Bool)
            }
            "sum" | "product" => self.total(term, element, call)?,
            "max" | "min" => {
                self.comparable(call.receiver, element, Comparison::Order)?;
                if let Ty::Float(_) = element {
                    let message = format!("floats have no `{name}`, since `NAN` has no order");
                    let help = format!("write `.fold(.., |a, b| a.{name}(b))`");
                    return Err(Diagnostic::error(call.name.span, message).help(help));
                }
                let option = self.data.option(element);
                (Term::Extreme { over, greatest: name == "max", option }, Ty::Data(option))
            }
            "enumerate" => self.once(*over, |_, over| {
                let numbers = Term::Range(Box::new(int(0)), Box::new(len(over.clone())));
                let pair = Ty::Tuple(vec![usize, element.clone()]);
                Ok((Term::Zip(Box::new(numbers), Box::new(over)), Ty::Seq(Box::new(pair))))
            })?,
            _ => self.flattened(*over, element, call)?,
        })
    }

    /// A sequence of characters or strings as one string.
    fn text_of(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let found = self.show(element);
        self.joined(term, element).ok_or_else(|| {
            let message = format!("a `String` is made of characters or strings, not of `{found}`");
            Diagnostic::error(call.name.span, message)
        })
    }

    fn total(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let sum = call.name.name == "sum";
        if let (Ty::Int(_), true) = (element, sum) {
            return Ok((Term::Sum(Box::new(term.clone())), element.clone()));
        }
        let (acc, slot) = (self.fresh(), self.fresh());
        let (a, b) = (Term::Var(acc), Term::Var(slot));
        let (init, body) = match element {
            Ty::Int(_) => (int(1), arith(ArithOp::Mul, a, b)),
            Ty::Float(kind) => {
                let op = if sum { FloatOp::Add } else { FloatOp::Mul };
                // Rust's sum of an empty sequence is -0.0, the neutral element.
                let init = if sum { -0.0 } else { 1.0 };
                (Term::Lit(Value::Float(init)), float_arith(*kind, op, a, b))
            }
            ty => {
                let message = format!("`{}` wants numbers, not `{}`", call.name.name, self.show(ty));
                return Err(Diagnostic::error(call.name.span, message));
            }
        };
        let closure = Closure { slot, body: Box::new(body) };
        let fold = Term::Fold { over: Box::new(term.clone()), init: Box::new(init), acc, closure };
        Ok((fold, element.clone()))
    }

    fn fold(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        // A `0.0` without a suffix has the elements' type, as Rust would infer.
        let floats = matches!(element, Ty::Float(_)).then_some(element);
        let (init, init_ty) = self.typed(&call.args[0], call.hint.or(floats))?;
        let (acc, slot) = (self.fresh(), self.fresh());
        let args = vec![(Term::Var(acc), init_ty.clone()), (Term::Var(slot), element.clone())];
        let (body, ty) = self.apply(&call.args[1], args, Wanted::Exactly(&init_ty))?;
        let closure = Closure { slot, body: Box::new(body) };
        Ok((Term::Fold { over: Box::new(term.clone()), init: Box::new(init), acc, closure }, ty))
    }

    fn flat_map(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let (closure, ty) = self.closure(&call.args[0], element, Wanted::Maybe(None))?;
        let filters = call.name.name == "filter_map";
        match &ty {
            Ty::Seq(_) if filters => {}
            Ty::Seq(_) | Ty::Data(_) => {
                return self.flattened(Term::Map(Box::new(term.clone()), closure), &ty, call);
            }
            _ => {}
        }
        let wanted = if filters { "an `Option`" } else { "a sequence" };
        let message = format!("`{}` wants {wanted}, not `{}`", call.name.name, self.show(&ty));
        Err(Diagnostic::error(call.args[0].span, message))
    }

    /// Flattens a sequence of sequences or of `Option`s.
    fn flattened(&mut self, term: Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let concat = call.name.name == "concat";
        if concat && *element == Ty::Str {
            return self.text_of(term, element, call);
        }
        match element {
            Ty::Seq(_) => Ok((Term::Flatten(Box::new(term)), element.clone())),
            Ty::Data(id) if !concat => {
                let (ctor, payload) = match self.data.item_of(*id) {
                    Item::Option(payload) => (1, payload),
                    Item::Result(payload, _) => (0, payload),
                    Item::Captures(_) | Item::User(..) | Item::View(..) | Item::Rule => {
                        return Err(self.not_nested(element, call));
                    }
                };
                let slot = self.fresh();
                let option = Term::Var(slot);
                let kept = Term::Seq(vec![field(option.clone(), ctor, 0)]);
                let body = Box::new(branch(is_ctor(option, ctor), kept, Term::Seq(Vec::new())));
                let lists = Term::Map(Box::new(term), Closure { slot, body });
                Ok((Term::Flatten(Box::new(lists)), Ty::Seq(Box::new(payload))))
            }
            element => Err(self.not_nested(element, call)),
        }
    }

    fn not_nested(&self, element: &Ty, call: &Call) -> Diagnostic {
        let message =
            format!("`{}` wants a sequence of sequences, not of `{}`", call.name.name, self.show(element));
        Diagnostic::error(call.name.span, message)
    }

    /// The first element that passes; later elements are not evaluated.
    fn find(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        let usize = self.data.option(&Ty::Int(Some(IntKind::Usize)));
        let option = self.data.option(element);
        self.once(term.clone(), |this, over| {
            let test = this.test(&call.args[0], element)?;
            let position = Term::Position(Box::new(over.clone()), test, usize);
            this.once(position, |_, position| {
                let at = field(position.clone(), 1, 0);
                let found = Term::Index(Box::new(over), Box::new(at));
                Ok((some_if(is_ctor(position, 1), option, found), Ty::Data(option)))
            })
        })
    }

    fn starts_or_ends(&mut self, term: &Term, whole: &Ty, call: &Call) -> Checked<Typed> {
        let starts = call.name.name == "starts_with";
        self.comparable(call.receiver, whole, Comparison::Equality)?;
        let (part, _) = self.check(&call.args[0], whole)?;
        self.once(term.clone(), |this, over| {
            this.once(part, |_, part| {
                let (n, k) = (len(over.clone()), len(part.clone()));
                let (lo, hi) = if starts {
                    (int(0), k.clone())
                } else {
                    (arith(ArithOp::Sub, n.clone(), k.clone()), n.clone())
                };
                let same = equal(slice(over, lo, hi), part);
                Ok((and(vec![at_most(k, n), same]), Ty::Bool))
            })
        })
    }
}

fn hinted_element(hint: Option<&Ty>) -> Option<&Ty> {
    match hint {
        Some(Ty::Seq(element)) => Some(element),
        _ => None,
    }
}
