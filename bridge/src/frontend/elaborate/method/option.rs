//! Methods of `Option` and `Result`: tests of the constructor, and methods based on them.

use target_strategies::logic::ir::{Collection, DataId, Term};
use target_strategies::logic::value::Value;

use super::super::build::{
    and, boolean, branch, field, int, is_ctor, is_path, is_total, not, or, some_if, unwrapped,
};
use super::super::closure::Wanted;
use super::super::mistake::unsupported;
use super::super::{Checked, Elaborator, Typed};
use super::call::Call;
use crate::frontend::data::Item;
use crate::frontend::diagnostic::Span;
use crate::frontend::logic_type::Ty;

/// The supported names for `Option`.
pub(super) const OF_OPTION: [&str; 21] = [
    "and_then",
    "as_deref",
    "cloned",
    "copied",
    "expect",
    "filter",
    "flatten",
    "is_none",
    "is_none_or",
    "is_some",
    "is_some_and",
    "map",
    "map_or",
    "or",
    "or_else",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "eq",
    "ne",
];

/// The supported names for `Result`.
pub(super) const OF_RESULT: [&str; 20] = [
    "as_deref",
    "cloned",
    "copied",
    "err",
    "expect",
    "expect_err",
    "is_err",
    "is_err_and",
    "is_ok",
    "is_ok_and",
    "map",
    "map_or",
    "ok",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "eq",
    "ne",
];

/// Methods that return their receiver.
pub(super) const SAME: [&str; 4] = ["as_deref", "as_slice", "cloned", "copied"];

/// Names not supported yet.
pub(super) const LATER: [&str; 14] = [
    "and",
    "into_iter",
    "iter",
    "map_err",
    "map_or_else",
    "ok_or",
    "ok_or_else",
    "take",
    "transpose",
    "unzip",
    "xor",
    "zip",
    "inspect",
    "insert",
];

impl Elaborator<'_, '_, '_> {
    pub(super) fn option_method(
        &mut self,
        term: &Term,
        (id, element): (DataId, &Ty),
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        if SAME.contains(&name) && name != "as_slice" {
            self.arity(call, 0)?;
            return Ok(Some((term.clone(), Ty::Data(id))));
        }
        let typed = match name {
            "is_some" | "is_none" => {
                self.arity(call, 0)?;
                let some = is_ctor(term.clone(), 1);
                (if name == "is_some" { some } else { negated(some) }, Ty::Bool)
            }
            "is_none_or" => self.test_payload(term, 1, element, call, false)?,
            "is_some_and" => self.test_payload(term, 1, element, call, true)?,
            "map" | "and_then" => self.option_map(term, element, call)?,
            "filter" => self.option_filter(term, (id, element), call)?,
            "or" | "or_else" => self.option_or(term, id, call)?,
            "flatten" => {
                self.arity(call, 0)?;
                let Ty::Data(inner) = element else { return Ok(None) };
                let Item::Option(_) = self.data.item_of(*inner) else { return Ok(None) };
                let none = Term::Construct(*inner, 0, Vec::new());
                let ty = element.clone();
                self.once(term.clone(), |_, option| {
                    Ok((branch(is_ctor(option.clone(), 1), field(option, 1, 0), none), ty))
                })?
            }
            _ => return self.payload_method(term, 1, element, call),
        };
        Ok(Some(typed))
    }

    pub(super) fn result_method(
        &mut self,
        term: &Term,
        (id, ok, err): (DataId, &Ty, &Ty),
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        if SAME.contains(&name) && name != "as_slice" {
            self.arity(call, 0)?;
            return Ok(Some((term.clone(), Ty::Data(id))));
        }
        let typed = match name {
            "is_ok" | "is_err" => {
                self.arity(call, 0)?;
                (is_ctor(term.clone(), u32::from(name == "is_err")), Ty::Bool)
            }
            "is_ok_and" => self.test_payload(term, 0, ok, call, true)?,
            "is_err_and" => self.test_payload(term, 1, err, call, true)?,
            "ok" | "err" => {
                self.arity(call, 0)?;
                let (ctor, ty) = if name == "ok" { (0, ok) } else { (1, err) };
                let option = self.data.option(ty);
                self.once(term.clone(), |_, result| {
                    let some = some_if(is_ctor(result.clone(), ctor), option, field(result, ctor, 0));
                    Ok((some, Ty::Data(option)))
                })?
            }
            "unwrap_err" | "expect_err" => {
                self.arity(call, usize::from(name == "expect_err"))?;
                (unwrapped(term.clone(), 1), err.clone())
            }
            "map" => {
                self.arity(call, 1)?;
                self.result_map(term, (ok, err), call)?
            }
            _ => return self.payload_method(term, 0, ok, call),
        };
        Ok(Some(typed))
    }

    /// Methods that `Option` and `Result` share, with `ctor` as the constructor of the payload.
    fn payload_method(
        &mut self,
        term: &Term,
        ctor: u32,
        payload: &Ty,
        call: &Call,
    ) -> Checked<Option<Typed>> {
        let name = call.name.name.as_str();
        let term = term.clone();
        let typed = match name {
            "unwrap" => {
                self.arity(call, 0)?;
                (unwrapped(term, ctor), payload.clone())
            }
            "expect" => {
                self.arity(call, 1)?;
                (unwrapped(term, ctor), payload.clone())
            }
            "unwrap_or" => {
                self.arity(call, 1)?;
                let (default, ty) = self.check(&call.args[0], payload)?;
                self.eager(default, |this, default| this.payload_or(term, ctor, default, ty))?
            }
            "unwrap_or_default" => {
                self.arity(call, 0)?;
                let default = self.default(payload, call.name.span)?;
                self.payload_or(term, ctor, default, payload.clone())?
            }
            "unwrap_or_else" => {
                self.arity(call, 1)?;
                if ctor == 0 {
                    return Err(unsupported(call.name.span, "`unwrap_or_else` on a `Result` is"));
                }
                let (default, ty) = self.apply(&call.args[0], Vec::new(), Wanted::Exactly(payload))?;
                self.payload_or(term, ctor, default, ty)?
            }
            "map_or" => {
                self.arity(call, 2)?;
                let (default, ty) = self.typed(&call.args[0], call.hint)?;
                self.eager(default, |this, default| {
                    this.once(term, |this, of| {
                        let inner = (field(of.clone(), ctor, 0), payload.clone());
                        let (mapped, found) = this.apply(&call.args[1], vec![inner], Wanted::Exactly(&ty))?;
                        Ok((branch(is_ctor(of, ctor), mapped, default), found))
                    })
                })?
            }
            _ => return Ok(None),
        };
        Ok(Some(typed))
    }

    fn payload_or(&mut self, term: Term, ctor: u32, default: Term, ty: Ty) -> Checked<Typed> {
        self.once(term, |_, of| Ok((branch(is_ctor(of.clone(), ctor), field(of, ctor, 0), default), ty)))
    }

    /// `is_some_and(test)`; if `and` is false, `is_none_or(test)`.
    fn test_payload(
        &mut self,
        term: &Term,
        ctor: u32,
        payload: &Ty,
        call: &Call,
        both: bool,
    ) -> Checked<Typed> {
        self.arity(call, 1)?;
        if let (true, Some((has, value))) = (both, known_payload(term, ctor)) {
            let (test, _) = self.once(value, |this, value| {
                this.apply(&call.args[0], vec![(value, payload.clone())], Wanted::Exactly(&Ty::Bool))
            })?;
            return Ok((and(vec![has, test]), Ty::Bool));
        }
        self.once(term.clone(), |this, of| {
            let inner = (field(of.clone(), ctor, 0), payload.clone());
            let (test, _) = this.apply(&call.args[0], vec![inner], Wanted::Exactly(&Ty::Bool))?;
            let has = is_ctor(of, ctor);
            Ok((if both { and(vec![has, test]) } else { or(vec![negated(has), test]) }, Ty::Bool))
        })
    }

    fn option_map(&mut self, term: &Term, element: &Ty, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let flat = call.name.name == "and_then";
        let hint = match call.hint {
            Some(hint) if flat => Some(hint.clone()),
            Some(hint) => self.option_element(hint),
            None => None,
        };
        self.once(term.clone(), |this, of| {
            let inner = (field(of.clone(), 1, 0), element.clone());
            let (mapped, ty) = this.apply(&call.args[0], vec![inner], Wanted::Maybe(hint.as_ref()))?;
            let has = is_ctor(of, 1);
            if !flat {
                let option = this.data.option(&ty);
                return Ok((some_if(has, option, mapped), Ty::Data(option)));
            }
            let (Ty::Data(option), Some(_)) = (&ty, this.option_element(&ty)) else {
                let message = format!("`and_then` wants an `Option`, not `{}`", this.show(&ty));
                return Err(crate::frontend::diagnostic::Diagnostic::error(call.args[0].span, message));
            };
            let none = Term::Construct(*option, 0, Vec::new());
            Ok((branch(has, mapped, none), ty.clone()))
        })
    }

    fn option_filter(&mut self, term: &Term, (id, element): (DataId, &Ty), call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        self.once(term.clone(), |this, of| {
            let inner = (field(of.clone(), 1, 0), element.clone());
            let (test, _) = this.apply(&call.args[0], vec![inner], Wanted::Exactly(&Ty::Bool))?;
            let kept = and(vec![is_ctor(of.clone(), 1), test]);
            Ok((branch(kept, of, Term::Construct(id, 0, Vec::new())), Ty::Data(id)))
        })
    }

    fn option_or(&mut self, term: &Term, id: DataId, call: &Call) -> Checked<Typed> {
        self.arity(call, 1)?;
        let ty = Ty::Data(id);
        let choose = |this: &mut Self, other: Term| {
            this.once(term.clone(), |_, of| Ok((branch(is_ctor(of.clone(), 1), of, other), ty.clone())))
        };
        if call.name.name == "or_else" {
            let (other, _) = self.apply(&call.args[0], Vec::new(), Wanted::Exactly(&ty))?;
            return choose(self, other);
        }
        let (other, _) = self.check(&call.args[0], &ty)?;
        self.eager(other, choose)
    }

    fn result_map(&mut self, term: &Term, (ok, err): (&Ty, &Ty), call: &Call) -> Checked<Typed> {
        let hint = match call.hint {
            Some(Ty::Data(id)) => match self.data.item_of(*id) {
                Item::Result(ok, _) => Some(ok),
                _ => None,
            },
            _ => None,
        };
        self.once(term.clone(), |this, of| {
            let inner = (field(of.clone(), 0, 0), ok.clone());
            let (mapped, ty) = this.apply(&call.args[0], vec![inner], Wanted::Maybe(hint.as_ref()))?;
            let result = this.data.result(&ty, err);
            let fine = Term::Construct(result, 0, vec![mapped]);
            let wrong = Term::Construct(result, 1, vec![field(of.clone(), 1, 0)]);
            Ok((branch(is_ctor(of, 0), fine, wrong), Ty::Data(result)))
        })
    }

    /// `T::default()`, for types of the standard library.
    fn default(&mut self, ty: &Ty, span: Span) -> Checked<Term> {
        Ok(match ty {
            Ty::Bool => boolean(false),
            Ty::Int(_) => int(0),
            Ty::Float(_) => Term::Lit(Value::Float(0.0)),
            Ty::Char => Term::Lit(Value::Char('\0')),
            Ty::Str => Term::Lit(Value::str("")),
            Ty::Seq(_) => Term::Seq(Vec::new()),
            Ty::Set(_) => empty(Collection::Set),
            Ty::Bag(_) => empty(Collection::Bag),
            Ty::Map(..) => empty(Collection::Map),
            Ty::Tuple(parts) => {
                let parts: Checked<Vec<Term>> = parts.iter().map(|part| self.default(part, span)).collect();
                Term::Tuple(parts?)
            }
            Ty::Data(id) if self.option_element(ty).is_some() => Term::Construct(*id, 0, Vec::new()),
            Ty::Data(_) | Ty::Function(..) | Ty::Opaque(_) => {
                return Err(unsupported(span, &format!("the default of `{}` is", self.show(ty))));
            }
        })
    }
}

/// The condition and the payload of `if condition { Some(payload) } else { None }`.
fn known_payload(term: &Term, ctor: u32) -> Option<(Term, Term)> {
    let Term::If(condition, some, none) = term else { return None };
    let (Term::Construct(_, found, payload), Term::Construct(_, other, rest)) = (&**some, &**none) else {
        return None;
    };
    let [payload] = payload.as_slice() else { return None };
    (*found == ctor && *other != ctor && rest.iter().all(is_total))
        .then(|| ((**condition).clone(), payload.clone()))
}

fn empty(kind: Collection) -> Term {
    Term::Collect(kind, Box::new(Term::Seq(Vec::new())))
}

/// `!test`, or the opposite test if there are two constructors.
fn negated(test: Term) -> Term {
    if let Term::IsCtor(of, 1) = &test
        && is_path(of)
    {
        return Term::IsCtor(of.clone(), 0);
    }
    not(test)
}
