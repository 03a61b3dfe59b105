//! Calls of paths: `old(x)`, constructors, the few supported functions of the standard library, and methods written as
//! functions.

use target_strategies::logic::ir::{FloatKind, IntKind, Term};
use target_strategies::logic::value::Value;

use super::mistake::{count, untyped, with_guess};
use super::path::is_named;
use super::pattern::spelled;
use super::{Checked, Elaborator, Typed, operator};
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, ExprKind, FORMAT, Ident};
use crate::frontend::spec::print;

impl Elaborator<'_, '_, '_> {
    /// `fs[0](args)`
    fn call_inside(&mut self, function: &Expr, args: &[Expr], span: Span) -> Checked<Typed> {
        match self.function_named(function)? {
            Some(found) => self.result_of(("this function", found), args, span),
            None => Err(Diagnostic::error(function.span, "only functions can be called")),
        }
    }

    /// `function(args)`
    pub(super) fn call(
        &mut self,
        function: &Expr,
        args: &[Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let ExprKind::Path(path) = &function.kind else {
            return self.call_inside(function, args, span);
        };
        if let [name] = path.as_slice() {
            if name.name == FORMAT {
                return self.format(args);
            }
            let named = self.lookup(&name.name, name.span);
            if let Ok(Some((term, ty @ Ty::Function(..)))) = &named
                && let Some(found) = self.function(term.clone(), ty.clone(), name.span)?
            {
                return self.result_of((&format!("`{}`", name.name), found), args, span);
            }
            // A field may have the name of a measure, also one that can't be used here: `size == size(left) + 1`.
            if let Ok(Some(_)) | Err(_) = named
                && let Some(typed) = self.measure(name, args, span, hint)?
            {
                return Ok(typed);
            }
            if let Some((_, ty)) = named? {
                let message = format!("`{}` is of type `{}`, no function", name.name, self.show(&ty));
                return Err(Diagnostic::error(name.span, message));
            }
            if name.name == "old" {
                return self.old(args, span, hint);
            }
            if let Some(typed) = self.measure(name, args, span, hint)? {
                return Ok(typed);
            }
            if let Some(typed) = self.question(name, args, span)? {
                return Ok(typed);
            }
            if let Some(typed) = self.relation(name, args, span)? {
                return Ok(typed);
            }
        } else if let Some(typed) =
            self.measure(&Ident { name: print::path(path), span: function.span }, args, span, hint)?
        {
            return Ok(typed);
        }
        for (ty, name) in [("Option", "Some"), ("Result", "Ok"), ("Result", "Err")] {
            if is_named(path, ty, name) {
                let [arg] = args else {
                    return Err(count(span, &format!("`{name}`"), 1, "field", args.len()));
                };
                return self.wrapped(name, arg, span, hint);
            }
        }
        if let Some(ctor) = self.data.constructor(path) {
            return self.construct(ctor, &args.iter().collect::<Vec<_>>(), span, hint);
        }
        if let Some(ctor) = self.viewed(path, hint) {
            return self.view_value(ctor, &args.iter().collect::<Vec<_>>(), path, span);
        }
        match self.std_function(path, args, span, hint)? {
            Some(typed) => Ok(typed),
            None => {
                let method = self.as_method(path, args);
                Err(self.unknown_function(path, method, function.span))
            }
        }
    }

    fn old(&mut self, args: &[Expr], span: Span, hint: Option<&Ty>) -> Checked<Typed> {
        let [arg] = args else {
            return Err(count(span, "`old`", 1, "argument", args.len()));
        };
        if self.scope.old.is_empty() {
            let help = "write the condition after the result's type: `-> i64 ensures result == old(x)`";
            return Err(Diagnostic::error(span, "`old` can only be used in `ensures`").help(help));
        }
        let before = std::mem::replace(&mut self.in_old, true);
        let typed = self.typed(arg, hint);
        self.in_old = before;
        typed
    }

    /// `Some(arg)`, `Ok(arg)`, `Err(arg)`
    fn wrapped(&mut self, name: &str, arg: &Expr, span: Span, hint: Option<&Ty>) -> Checked<Typed> {
        let item = match hint {
            Some(Ty::Data(id)) => Some((*id, self.data.item_of(*id))),
            _ => None,
        };
        let (id, ctor, field) = match (name, item) {
            ("Some", Some((id, Item::Option(element)))) => (id, 1, element),
            ("Ok", Some((id, Item::Result(ok, _)))) => (id, 0, ok),
            ("Err", Some((id, Item::Result(_, err)))) => (id, 1, err),
            ("Some", _) => {
                let (term, ty) = self.typed(arg, None)?;
                let id = self.data.option(&ty);
                return Ok((Term::Construct(id, 1, vec![term]), Ty::Data(id)));
            }
            _ => return Err(untyped(span, &format!("this `{name}`"))),
        };
        let (term, _) = self.check(arg, &field)?;
        Ok((Term::Construct(id, ctor, vec![term]), Ty::Data(id)))
    }

    fn std_function(
        &mut self,
        path: &[Ident],
        args: &[Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Option<Typed>> {
        let Some((last, before)) = path.split_last() else {
            return Ok(None);
        };
        let ty = before.last().map_or("", |ident| ident.name.as_str());
        if let Some(typed) = self.collection_function((ty, &last.name), args, span, hint)? {
            return Ok(Some(typed));
        }
        match (ty, last.name.as_str(), args) {
            ("Vec" | "VecDeque", "new", []) | ("Vec" | "VecDeque", "with_capacity", [_]) => {
                self.elements(span, &[], hint).map(Some)
            }
            ("String", "new", []) | ("String", "with_capacity", [_]) => {
                Ok(Some((Term::Lit(Value::str("")), Ty::Str)))
            }
            ("String", "from", [text]) => self.check(text, &Ty::Str).map(Some),
            ("Vec" | "VecDeque" | "Box" | "Rc" | "Arc" | "Cow", "from", [inner])
            | ("Cow", "Owned" | "Borrowed", [inner])
            | ("Box" | "Rc" | "Arc", "new", [inner]) => self.typed(inner, hint).map(Some),
            ("char", "from_digit", [digit, radix]) => self.char_of_digit(digit, radix).map(Some),
            ("" | "cmp", "min" | "max", [a, b]) => {
                let call = Expr {
                    kind: ExprKind::MethodCall(Box::new(a.clone()), last.clone(), vec![b.clone()]),
                    span,
                };
                self.typed(&call, hint).map(Some)
            }
            (ty, "from", [inner])
                if FloatKind::from_name(ty).is_some() || IntKind::from_name(ty).is_some() =>
            {
                self.lossless(ty, inner).map(Some)
            }
            (ty, name, [receiver, rest @ ..]) if is_std_type(ty) && !is_constructor(name) => {
                self.method_call(receiver, last, rest, hint).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The advice to call a method, where a function is called like a method of its first argument: `len(xs)`.
    fn as_method(&mut self, path: &[Ident], args: &[Expr]) -> Option<String> {
        let ([name], [receiver, rest @ ..]) = (path, args) else { return None };
        self.method_call(receiver, name, rest, None).ok()?;
        let receiver = match &receiver.kind {
            ExprKind::Path(path) => spelled(path),
            _ => "..".to_owned(),
        };
        let rest = if rest.is_empty() { "" } else { ".." };
        Some(format!("it is a method: write `{receiver}.{}({rest})`", name.name))
    }

    fn unknown_function(&self, path: &[Ident], method: Option<String>, span: Span) -> Diagnostic {
        let name = spelled(path);
        let help = if self.data.is_relation {
            "functions of the logic are in the table `measures`; a built-in relation is `not_equal(a, b)`, for example"
        } else {
            "functions of the crate can be called after `where`, as a filter; those of the logic are in the table \
             `measures`"
        };
        with_guess(
            Diagnostic::error(span, format!("no function `{name}` in the logic")),
            method.or_else(|| self.similar_function(&name)),
            help,
        )
    }

    /// `i64::from(x)`
    fn lossless(&mut self, name: &str, inner: &Expr) -> Checked<Typed> {
        let (term, from) = self.typed(inner, None)?;
        let to = match FloatKind::from_name(name) {
            Some(kind) => Ty::Float(kind),
            None => Ty::Int(IntKind::from_name(name)),
        };
        let fits = match (&from, &to) {
            (Ty::Int(None), Ty::Int(_)) => true,
            (Ty::Int(Some(from)), Ty::Int(Some(to))) => operator::holds(*to, *from),
            (Ty::Int(Some(from)), Ty::Float(FloatKind::F64)) => from.bits() <= 32,
            (Ty::Int(Some(from)), Ty::Float(FloatKind::F32)) => from.bits() <= 16,
            (Ty::Float(from), Ty::Float(to)) => from <= to,
            (Ty::Bool, Ty::Int(_))
            | (Ty::Char, Ty::Int(Some(IntKind::U32 | IntKind::U64 | IntKind::U128))) => true,
            _ => false,
        };
        if !fits {
            let message = format!("`{}` can't become `{name}` without loss", self.show(&from));
            return Err(Diagnostic::error(inner.span, message).help(format!("write `.. as {name}`")));
        }
        if matches!((&from, &to), (Ty::Int(_), Ty::Int(_))) {
            return Ok((term, to));
        }
        self.converted(term, &from, &to, inner.span)
    }
}

/// Whether a function of a type makes a value of it, so that it is no method of its first argument: `String::from_utf16(units)`.
fn is_constructor(name: &str) -> bool {
    name == "new" || name == "try_from" || name.starts_with("from_") || name.starts_with("with_")
}

fn is_std_type(name: &str) -> bool {
    let named = [
        "char", "bool", "str", "f32", "f64", "String", "Vec", "VecDeque", "Option", "Result", "slice",
        "Iterator", "BTreeSet", "HashSet", "BTreeMap", "HashMap",
    ];
    named.contains(&name) || IntKind::from_name(name).is_some()
}
