//! The elaborator's diagnostics, all worded here.

use target_strategies::logic::ir::{DataId, Term, Via};

use super::{Checked, Elaborator};
use crate::frontend::data::{Item, Unread};
use crate::frontend::diagnostic::{self, Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::Ident;

/// Maximum size of a type's name, in letters of the names of data types.
const MAX_TYPE: usize = 4096;

impl Elaborator<'_, '_, '_> {
    /// A value of type `found` where `expected` is needed.
    pub(super) fn mismatch(&self, span: Span, expected: &Ty, found: &Ty) -> Diagnostic {
        let message = format!("expected `{}`, found `{}`", self.show(expected), self.show(found));
        let diagnostic = Diagnostic::error(span, message);
        match (expected, found) {
            (Ty::Float(kind), Ty::Int(_)) => diagnostic.help(format!(
                "integers are not converted by themselves; write `x as {}`, or `1.0` for `1`",
                kind.name()
            )),
            (Ty::Float(expected), Ty::Float(_)) => diagnostic
                .help(format!("floats of different widths don't mix; write `x as {}`", expected.name())),
            (Ty::Set(_), Ty::Seq(_)) => diagnostic.help("`elems(xs)` is the set of a list's elements"),
            (Ty::Bag(_), Ty::Seq(_) | Ty::Set(_)) => {
                diagnostic.help("`bag(xs)` is a list's elements with their counts")
            }
            (Ty::Seq(_), Ty::Set(_)) => {
                diagnostic.help("write `elems(..)` around the list, to compare what they hold")
            }
            (Ty::Seq(_), Ty::Bag(_)) => {
                diagnostic.help("write `bag(..)` around the list, to compare what they hold")
            }
            (Ty::Map(..), Ty::Seq(_)) => diagnostic.help("write `map![key => value, ..]`"),
            (Ty::Int(_), Ty::Float(kind)) => {
                diagnostic.help(format!("integers and floats don't mix; write `x as {}`", kind.name()))
            }
            (Ty::Char, Ty::Str) => diagnostic.help("write a character in single quotes: `'a'`"),
            (Ty::Str, Ty::Char) => diagnostic.help("a string stands in double quotes: `\"a\"`"),
            (Ty::Str, Ty::Seq(element)) | (Ty::Seq(element), Ty::Str) if **element == Ty::Char => diagnostic
                .help(
                    "characters become a string by `.collect::<String>()`, and a string those by `.chars()`",
                ),
            (Ty::Char, Ty::Int(_)) => {
                diagnostic.help("compare characters with characters, or use `c as u32`")
            }
            (Ty::Int(_), Ty::Char) => diagnostic.help("write `c as u32`, or `b'a'` for a byte"),
            (Ty::Int(_), Ty::Str) => {
                diagnostic.help("write a number without quotes; `s.parse::<u8>()` reads one from a string")
            }
            (Ty::Str, Ty::Int(_)) => diagnostic.help("write a string in double quotes, or `x.to_string()`"),
            (Ty::Tuple(parts), _) | (_, Ty::Tuple(parts)) if parts.is_empty() => diagnostic.help(
                "`()` is what a function without a result returns; what it does to a `&mut` parameter is said by its name",
            ),
            (Ty::Bool, Ty::Int(_)) => diagnostic.help("write a comparison, as in `x != 0`"),
            (Ty::Data(_), other)
                if self.option_element(expected).is_some_and(|inner| self.data.compatible(&inner, other)) =>
            {
                diagnostic.help("write `Some(..)` around it")
            }
            (other, Ty::Data(_))
                if self.option_element(found).is_some_and(|inner| self.data.compatible(&inner, other)) =>
            {
                diagnostic.help("the value may be missing; write `x == Some(..)` or `x.unwrap()`")
            }
            _ => diagnostic,
        }
    }

    /// A type as in Rust.
    pub(super) fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int(None) => "int".to_owned(),
            Ty::Int(Some(kind)) => kind.name().to_owned(),
            Ty::Float(kind) => kind.name().to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::Str => "String".to_owned(),
            Ty::Seq(element) => format!("Vec<{}>", self.show(element)),
            Ty::Set(element) => format!("Set<{}>", self.show(element)),
            Ty::Bag(element) => format!("Bag<{}>", self.show(element)),
            Ty::Map(key, value) => format!("Map<{}, {}>", self.show(key), self.show(value)),
            Ty::Tuple(parts) => match parts.as_slice() {
                [one] => format!("({},)", self.show(one)),
                parts => {
                    let parts: Vec<String> = parts.iter().map(|part| self.show(part)).collect();
                    format!("({})", parts.join(", "))
                }
            },
            Ty::Data(id) => self.data.get(*id).rust_type.replace('\'', ""),
            Ty::Function(_, params, result, _) => {
                let params: Vec<String> = params.iter().map(|param| self.show(param)).collect();
                format!("fn({}) -> {}", params.join(", "), self.show(result))
            }
            Ty::Opaque(text) => match text.strip_prefix('\'') {
                Some(parameter) => parameter.to_owned(),
                None => "a type with private parts".to_owned(),
            },
        }
    }

    /// Fails for a type that is too big to show: types double if a name is used twice.
    pub(super) fn modest(&self, span: Span, ty: &Ty) -> Checked<()> {
        let mut size = 0;
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            size += match ty {
                Ty::Data(id) => self.data.get(*id).rust_type.len(),
                _ => 1,
            };
            if size > MAX_TYPE {
                return Err(Diagnostic::error(span, "the type of this is too big"));
            }
            match ty {
                Ty::Seq(element) | Ty::Set(element) | Ty::Bag(element) => open.push(element),
                Ty::Map(key, value) => open.extend([&**key, &**value]),
                Ty::Tuple(parts) => open.extend(parts),
                _ => {}
            }
        }
        Ok(())
    }

    /// Fails for a type whose values can't be compared: parts are private, or Rust compares them in its own way.
    pub(super) fn comparable(&mut self, span: Span, ty: &Ty, how: Comparison) -> Checked<()> {
        let mut open = vec![ty.clone()];
        let mut seen = Vec::new();
        while let Some(ty) = open.pop() {
            match ty {
                Ty::Opaque(of) if of == PARSE_ERROR => {
                    let message = "the errors of `parse` can't be compared";
                    return Err(
                        Diagnostic::error(span, message).help("compare the numbers: `s.parse::<u8>().ok()`")
                    );
                }
                Ty::Opaque(_) => return Err(private(span)),
                Ty::Function(..) => {
                    let message = "functions can't be compared; ask for their results, `f(x)`";
                    return Err(Diagnostic::error(span, message));
                }
                Ty::Seq(element) | Ty::Set(element) | Ty::Bag(element) => open.push(*element),
                Ty::Map(key, value) => open.extend([*key, *value]),
                Ty::Tuple(parts) => open.extend(parts),
                Ty::Data(id) if !seen.contains(&id) => {
                    seen.push(id);
                    self.as_in_rust(span, id, how)?;
                    if self.data.get(id).via.as_ref().is_some_and(Via::has_unread) {
                        self.data.unread.push(Unread { span, field: None, slot: None });
                    }
                    for ctor in 0..self.data.get(id).ctors.len() {
                        open.extend(self.data.field_tys(id, ctor as u32));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Fails for a type whose values can't be compared with one that is written out: only the types of its parts matter.
    pub(super) fn comparable_with(&mut self, span: Span, ty: &Ty, written: &Term) -> Checked<()> {
        let (Ty::Data(id), Term::Construct(_, ctor, fields)) = (ty, written) else {
            return self.comparable(span, ty, Comparison::Equality);
        };
        self.as_in_rust(span, *id, Comparison::Equality)?;
        let tys = self.data.field_tys(*id, *ctor);
        fields.iter().zip(&tys).try_for_each(|(field, ty)| self.comparable_with(span, ty, field))
    }

    /// Fails for a type that Rust doesn't compare by its constructors and fields, as conditions do.
    fn as_in_rust(&self, span: Span, id: DataId, how: Comparison) -> Checked<()> {
        let data = self.data.get(id);
        let is_own = |name: &str| match self.data.item_of(id) {
            Item::User(ty, _) => self.data.catalog.item(ty).own_traits.iter().any(|known| known == name),
            // A type of the crate that functions build.
            Item::View(..) => self.data.catalog.has_own_comparison(&data.rust_type, name),
            Item::Option(_) | Item::Result(..) | Item::Captures(_) | Item::Rule => false,
        };
        let name = match how {
            Comparison::Equality if is_own("PartialEq") => "PartialEq",
            Comparison::Order if is_own("PartialOrd") => "PartialOrd",
            Comparison::Order if is_own("Ord") => "Ord",
            Comparison::Order if ORDERED_OTHERWISE.iter().any(|known| data.rust_type.starts_with(known)) => {
                "Ord"
            }
            Comparison::Equality | Comparison::Order => return Ok(()),
        };
        let ty = self.show(&Ty::Data(id));
        let message = format!("`{ty}` has `{name}` of its own, which conditions can't call");
        let help = "compare its fields, or say it after `where`, as Rust code";
        Err(Diagnostic::error(span, message).help(help))
    }
}

/// The type of the mistake of `parse` in the logic. The real one, of a result, goes by its full path.
pub(super) const PARSE_ERROR: &str = "ParseIntError";

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Whether they are the same.
    Equality,
    /// Which one is less.
    Order,
}

/// Values of the standard library that Rust doesn't order by the fields of their views.
const ORDERED_OTHERWISE: [&str; 2] = ["std::cmp::Reverse", "std::time::SystemTime"];

/// The tool can't read a value.
pub(super) fn private(span: Span) -> Diagnostic {
    Diagnostic::error(span, "a refinement can't look into its type").help("use `where`")
}

/// Something valid that is not supported yet.
pub(super) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} not supported yet"))
        .help("any Rust expression can follow `where`, which filters")
}

/// Something whose type can't be inferred from its surroundings.
pub(super) fn untyped(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("can't tell the type of {what} here"))
        .help("compare it with something that has a type")
}

/// `takes 1 argument, not 2`
pub(super) fn count(span: Span, what: &str, wanted: usize, noun: &str, found: usize) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    Diagnostic::error(span, format!("{what} takes {wanted} {noun}{plural}, not {found}"))
}

/// `did you mean ..?`, if a known word is close to `word`.
pub(super) fn did_you_mean<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    diagnostic::did_you_mean(word, known).map(|guess| format!("did you mean `{guess}`?"))
}

/// An error with the guess as its help, or else other advice.
pub(super) fn with_guess(diagnostic: Diagnostic, guess: Option<String>, otherwise: &str) -> Diagnostic {
    match guess {
        Some(guess) => diagnostic.help(guess),
        None if otherwise.is_empty() => diagnostic,
        None => diagnostic.help(otherwise),
    }
}

/// The diagnostic of a field of the groups of a match, which has none.
pub(super) fn no_field_of_groups(name: &Ident) -> Diagnostic {
    let group =
        if name.name.parse::<usize>().is_ok() { name.name.clone() } else { format!("\"{}\"", name.name) };
    let mistake = Diagnostic::error(name.span, format!("no field `{}`: a match has groups", name.name));
    mistake.help(format!("write `c[{group}]` for the text of a group"))
}
