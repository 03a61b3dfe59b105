//! Methods: the receiver's type decides the term. Each type has its own table of names.
//!
//! Much of Rust's vocabulary for ownership and iteration (`iter()`, `cloned()`, `as_ref()`) has no effect here, since a
//! sequence, its slices and its iterators have the same sort.

pub(in crate::frontend::elaborate) mod call;
mod captures;
mod char;
mod collection;
mod float;
mod int;
mod number;
mod option;
mod pieces;
mod search;
mod sequence;
mod slice;
mod text;

use target_strategies::logic::ir::{Term, TextOp};
use target_strategies::logic::value::Value;

use self::call::{Call, unreferenced};
pub(super) use self::search::text_of_char;
use super::derivation::COMPARING;
use super::mistake::{PARSE_ERROR, count, private, unsupported, with_guess};
use super::{Checked, Elaborator, Typed, build, operator};
use crate::frontend::catalog::TypeId;
use crate::frontend::data::Item;
use crate::frontend::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{BinaryOp, Expr, ExprKind, Ident};

/// Methods of every type that return their receiver.
const SAME: [&str; 8] = ["as_mut", "as_ref", "borrow", "by_ref", "clone", "deref", "into", "to_owned"];
/// Comparison methods of every type.
const COMPARE: [(&str, BinaryOp); 6] = [
    ("eq", BinaryOp::Eq),
    ("ne", BinaryOp::Ne),
    ("lt", BinaryOp::Lt),
    ("le", BinaryOp::Le),
    ("gt", BinaryOp::Gt),
    ("ge", BinaryOp::Ge),
];
/// Methods of booleans.
const BOOL: [&str; 3] = ["then", "then_some", "to_string"];
/// Methods of any type that are not supported yet.
const LATER: [&str; 3] = ["cmp", "partial_cmp", "to_bits"];

impl Elaborator<'_, '_, '_> {
    /// `receiver.name(args)`
    pub(super) fn method_call(
        &mut self,
        receiver: &Expr,
        name: &Ident,
        args: &[Expr],
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        if let (ExprKind::Range { lo, hi, inclusive }, "contains", [x]) =
            (&unreferenced(receiver).kind, name.name.as_str(), args)
        {
            return self.range_contains((lo.as_deref(), hi.as_deref(), *inclusive), x);
        }
        // A builder's value exists: in the logic a builder never rejects its fields.
        if let ("unwrap", [], ExprKind::Call(function, given)) = (name.name.as_str(), args, &receiver.kind)
            && let ExprKind::Path(path) = &function.kind
            && let Some(ctor) = self.viewed(path, hint)
        {
            return self.view_value(ctor, &given.iter().collect::<Vec<_>>(), path, receiver.span);
        }
        // A method that returns its receiver passes the hint on.
        let passes = args.is_empty() && gives_itself(&name.name);
        // The receiver of `concat` is a list of such lists.
        let hint_of_lists = match hint {
            Some(Ty::Seq(_)) if args.is_empty() && name.name == "concat" => {
                hint.map(|hint| Ty::Seq(Box::new(hint.clone())))
            }
            _ => None,
        };
        let (term, ty) = self.typed(receiver, hint_of_lists.as_ref().or(hint.filter(|_| passes)))?;
        let call = Call { name, args, receiver: receiver.span, hint };
        self.method(term, ty, &call)
    }

    fn method(&mut self, term: Term, ty: Ty, call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        if let Ty::Opaque(of) = &ty {
            if name != "to_string" {
                return Err(private(call.receiver));
            }
            self.arity(call, 0)?;
            return Ok((self.display(term, of, call.receiver)?, Ty::Str));
        }
        if SAME.contains(&name) {
            self.arity(call, 0)?;
            return Ok((term, ty));
        }
        if let Some(found) = self.method_of_trait((&term, &ty), call.name, call.receiver)? {
            return self.result_of((&format!("`{name}`"), found), call.args, call.name.span);
        }
        let (term, ty) = if COMPARING.contains(&name) { self.as_texts(term, ty)? } else { (term, ty) };
        let found = match &ty {
            Ty::Bool => self.bool_method(&term, call)?,
            Ty::Int(kind) => self.int_method(&term, *kind, call)?,
            Ty::Float(kind) => self.float_method(&term, *kind, call)?,
            Ty::Char => self.char_method(&term, call)?,
            Ty::Str => self.text_method(&term, call)?,
            Ty::Seq(element) => self.sequence_method(&term, element, call)?,
            Ty::Set(element) => self.set_method(&term, (element, false), call)?,
            Ty::Bag(element) => self.set_method(&term, (element, true), call)?,
            Ty::Map(key, value) => self.map_method(&term, (key, value), call)?,
            Ty::Data(id) => match self.data.item_of(*id) {
                Item::Option(element) => self.option_method(&term, (*id, &element), call)?,
                Item::Result(ok, err) => self.result_method(&term, (*id, &ok, &err), call)?,
                Item::Captures(regex) => self.captures_method(&term, (*id, regex), call)?,
                Item::User(..) | Item::View(..) | Item::Rule => None,
            },
            Ty::Tuple(_) | Ty::Function(..) | Ty::Opaque(_) => None,
        };
        if let Some(found) = found {
            return Ok(found);
        }
        if let Some((_, op)) = COMPARE.iter().find(|(known, _)| *known == name) {
            self.arity(call, 1)?;
            self.comparable(call.receiver, &ty, operator::kind(*op))?;
            let (other, _) = self.check(&call.args[0], &ty)?;
            return Ok((operator::compared(*op, term, other), Ty::Bool));
        }
        if let (Ty::Data(id), "to_string") = (&ty, name)
            && let Item::User(of, _) = self.data.item_of(*id)
        {
            return Err(self.text_of_read(of, call.name.span));
        }
        Err(self.unknown_method(&ty, call))
    }

    /// The mistake that a condition reads the text of a value whose parts the spec reads. A spec that reads only the
    /// text of a result is right.
    pub(super) fn text_of_read(&mut self, of: TypeId, span: Span) -> Diagnostic {
        self.data.texts_wanted.insert(of);
        let path = &self.data.catalog.item(of).path;
        let message =
            format!("the text of `{path}` can't be read, because the spec reads its variants or fields");
        let help = "only results have a text, and only if the conditions read nothing else of the type; \
                    or write it after `where`: `where r.to_string() == ..`";
        Diagnostic::error(span, message).help(help)
    }

    /// The text of an opaque value, which only results have.
    pub(super) fn display(&mut self, term: Term, of: &str, span: Span) -> Checked<Term> {
        if of == PARSE_ERROR || of.starts_with('\'') {
            return Err(private(span));
        }
        self.data.displayed.insert(of.to_owned());
        Ok(Term::TextOp(TextOp::Display, vec![term]))
    }

    fn bool_method(&mut self, term: &Term, call: &Call) -> Checked<Option<Typed>> {
        let element = call.hint.and_then(|hint| self.option_element(hint));
        let (value, ty) = match call.name.name.as_str() {
            "then_some" => {
                self.arity(call, 1)?;
                self.typed(&call.args[0], element.as_ref())?
            }
            "then" => {
                self.arity(call, 1)?;
                self.apply(&call.args[0], Vec::new(), super::closure::Wanted::Maybe(element.as_ref()))?
            }
            "to_string" => {
                self.arity(call, 0)?;
                return Ok(Some((text_of_bool(term.clone()), Ty::Str)));
            }
            _ => return Ok(None),
        };
        let option = self.data.option(&ty);
        let term = term.clone();
        if call.name.name == "then" {
            return Ok(Some((build::some_if(term, option, value), Ty::Data(option))));
        }
        let typed =
            self.eager(value, |_, value| Ok((build::some_if(term, option, value), Ty::Data(option))))?;
        Ok(Some(typed))
    }

    /// Fails unless the call has this many arguments.
    fn arity(&self, call: &Call, wanted: usize) -> Checked<()> {
        if call.args.len() == wanted {
            return Ok(());
        }
        Err(count(call.name.span, &format!("`{}`", call.name.name), wanted, "argument", call.args.len()))
    }

    fn unknown_method(&self, ty: &Ty, call: &Call) -> Diagnostic {
        let name = call.name.name.as_str();
        let (known, later) = self.methods(ty);
        if later.contains(&name) || LATER.contains(&name) {
            return unsupported(call.name.span, &format!("`{name}` is"));
        }
        let of = format!("no method `{name}` on `{}` in the logic", self.show(ty));
        let change = collection::CHANGES.iter().find(|(known, _)| *known == name);
        if let (Ty::Set(_) | Ty::Bag(_) | Ty::Map(..), Some((_, instead))) = (ty, change) {
            let help = format!("a refinement changes nothing; `{instead}(..)` gives what comes of it");
            return Diagnostic::error(call.name.span, of).help(help);
        }
        if let (Ty::Seq(_), true) = (ty, collection::OF_SET.contains(&name)) {
            return Diagnostic::error(call.name.span, of).help("`elems(xs)` is the set of a list's elements");
        }
        if let Some(help) = self.part_with(ty, name) {
            return Diagnostic::error(call.name.span, of).help(help);
        }
        // `length` and `size` are too far from `len` in edit distance.
        let guess = if ["length", "lenght", "size"].contains(&name) && known.contains(&"len") {
            Some("did you mean `len()`?".to_owned())
        } else {
            did_you_mean(name, known.into_iter().chain(SAME))
                .map(|guess| format!("did you mean `{guess}()`?"))
        };
        with_guess(
            Diagnostic::error(call.name.span, of),
            guess,
            // Nothing is a filter in a relation of `different`.
            if self.data.is_relation { "" } else { "any method can be called after `where`, as a filter" },
        )
    }

    /// How to call a method that a value doesn't have, but what is in it.
    fn part_with(&self, ty: &Ty, name: &str) -> Option<String> {
        let is_of_chars = char::methods().any(|known| known == name);
        match ty {
            Ty::Str if is_of_chars => return Some(of_each_char(name, "s.chars()")),
            Ty::Seq(of) if **of == Ty::Char && is_of_chars => return Some(of_each_char(name, "chars")),
            Ty::Str => return of_chars(name),
            _ => {}
        }
        let Ty::Data(id) = ty else { return None };
        let Item::Option(inner) = self.data.item_of(*id) else { return None };
        let has_it = self.methods(&inner).0.contains(&name);
        has_it.then(|| {
            format!("what is in it has `{name}`: `unwrap()` it first, or ask within `is_some_and(|x| ..)`")
        })
    }

    /// The methods of a type, and those that are not supported yet.
    pub(super) fn methods(&self, ty: &Ty) -> (Vec<&'static str>, &'static [&'static str]) {
        let item = match ty {
            Ty::Data(id) => Some(self.data.item_of(*id)),
            _ => None,
        };
        match (ty, item) {
            (Ty::Bool, _) => (BOOL.to_vec(), &[]),
            (Ty::Int(_), _) => (int::METHODS.to_vec(), &int::LATER),
            (Ty::Float(_), _) => (float::METHODS.to_vec(), &float::LATER),
            (Ty::Char, _) => (char::methods().collect(), &char::LATER),
            (Ty::Str, _) => (text::methods().collect(), &text::LATER),
            (Ty::Seq(_), _) => (sequence::methods().collect(), &sequence::LATER),
            (Ty::Set(_) | Ty::Bag(_), _) => {
                (collection::OF_SET.into_iter().chain(sequence::methods()).collect(), &collection::LATER)
            }
            (Ty::Map(..), _) => {
                (collection::OF_MAP.into_iter().chain(sequence::methods()).collect(), &collection::LATER)
            }
            (_, Some(Item::Captures(_))) => (captures::OF_CAPTURES.to_vec(), &[]),
            (_, Some(Item::Option(_))) => (option::OF_OPTION.to_vec(), &option::LATER),
            (_, Some(Item::Result(..))) => (option::OF_RESULT.to_vec(), &option::LATER),
            _ => (Vec::new(), &[]),
        }
    }
}

/// `true` or `false`, as a string.
pub(super) fn text_of_bool(truth: Term) -> Term {
    let text = |text: &str| Term::Lit(Value::str(text));
    build::branch(truth, text("true"), text("false"))
}

/// Whether a method without arguments returns its receiver, for types that have it.
fn gives_itself(name: &str) -> bool {
    SAME.contains(&name)
        || sequence::SAME.contains(&name)
        || option::SAME.contains(&name)
        || text::SAME.contains(&name)
}

/// How to call a method of characters on those of a list.
fn of_each_char(name: &str, chars: &str) -> String {
    let arg = if matches!(name, "is_digit" | "to_digit") { "10" } else { "" };
    let over = if name.starts_with("is_") { "all" } else { "map" };
    format!("its characters have it: `{chars}.{over}(|c| c.{name}({arg}))`")
}

/// How to get what strings of other languages have a method for, and sequences in Rust.
fn of_chars(name: &str) -> Option<String> {
    Some(match name {
        "substring" | "substr" | "slice" => "`s[a..b]` is a part of it, by bytes".to_owned(),
        "char_at" => "`s.chars().nth(i)` is a character".to_owned(),
        "join" => "`join` is a method of lists of strings".to_owned(),
        "count" | "rev" | "last" | "next" | "max" | "min" => {
            format!("its characters have it: `s.chars().{name}()`")
        }
        "all" | "any" | "map" | "filter" | "nth" | "position" | "skip" | "take" | "fold" | "zip" => {
            format!("its characters have it: `s.chars().{name}(..)`")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::fixture::{catalog, elaborated};
    use super::*;

    #[test]
    fn the_tables_name_what_is_known() {
        let catalog = catalog();
        let names = [
            ("b", "bool"),
            ("n", "u8"),
            ("x", "f64"),
            ("c", "char"),
            ("s", "String"),
            ("v", "Vec<Vec<u8>>"),
            ("o", "Option<Option<u8>>"),
            ("r", "Result<u8, u8>"),
            ("h", "HashSet<u8>"),
            ("m", "BTreeMap<u8, u8>"),
        ];
        let tables: [(&str, Vec<&str>); 10] = [
            ("b", BOOL.to_vec()),
            ("n", int::METHODS.to_vec()),
            ("x", float::METHODS.to_vec()),
            ("c", char::methods().collect()),
            ("s", text::methods().chain(text::SAME).collect()),
            ("v", sequence::methods().collect()),
            ("o", option::OF_OPTION.to_vec()),
            ("r", option::OF_RESULT.to_vec()),
            ("h", collection::OF_SET.to_vec()),
            ("m", collection::OF_MAP.to_vec()),
        ];
        for (name, methods) in tables {
            for method in methods {
                let known = ["", "0", "0, 0"].iter().any(|args| {
                    let (result, _) = elaborated(&catalog, &names, &format!("{name}.{method}({args})"));
                    !matches!(result, Err(mistake) if mistake.message.starts_with("no method"))
                });
                assert!(known, "{name}.{method}");
            }
        }
    }
}
