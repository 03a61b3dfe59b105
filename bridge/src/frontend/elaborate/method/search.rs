//! Search in strings: for a string, a character, a class of characters or a regular expression. And strings built from
//! other values.

use target_strategies::logic::ir::{ArithOp, Closure, IntKind, Regex, RegexId, StrTest, Term};
use target_strategies::logic::value::Value;

use super::super::build::{and, arith, bound, field, index, int, is_ctor, len, less, slice, some_if};
use super::super::{Checked, Elaborator, Typed};
use super::call::{Call, unreferenced};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::regex::Rejection;
use crate::frontend::spec::ast::{Expr, ExprKind};

/// The thing that a search looks for.
pub(super) enum Sought {
    /// A string.
    Text(Term),
    /// A character that passes a test.
    OneOf(Closure),
}

impl Elaborator<'_, '_, '_> {
    /// Methods of strings with one argument.
    pub(super) fn search_method(&mut self, text: Term, call: &Call) -> Checked<Typed> {
        let argument = unreferenced(&call.args[0]);
        if call.name.name == "repeat" {
            return self.repeated(text, argument);
        }
        if call.name.name == "matches" {
            return self.matched(text, argument);
        }
        self.with_pattern(argument, call, |this, sought| this.sought(text, sought, call))
    }

    /// Gives `body` the pattern of a search: a string, a character, characters, or a test of a character.
    pub(super) fn with_pattern(
        &mut self,
        argument: &Expr,
        call: &Call,
        body: impl FnOnce(&mut Self, Sought) -> Checked<Typed>,
    ) -> Checked<Typed> {
        let argument = unreferenced(argument);
        if is_function(argument) {
            let test = self.test(argument, &Ty::Char)?;
            return body(self, Sought::OneOf(test));
        }
        let (term, ty) = self.typed(argument, None)?;
        match ty {
            Ty::Str if call.name.name == "trim_matches" => {
                let message = "`trim_matches` takes no string, since it trims both ends";
                let help = "write a character, or `trim_start_matches(..)` and `trim_end_matches(..)`";
                Err(Diagnostic::error(argument.span, message).help(help))
            }
            Ty::Str => body(self, Sought::Text(term)),
            Ty::Char => body(self, Sought::Text(text_of_char(term))),
            Ty::Seq(element) if *element == Ty::Char => self.eager(term, |this, chars| {
                let slot = this.fresh();
                let member = Box::new(Term::Contains(Box::new(chars), Box::new(Term::Var(slot))));
                body(this, Sought::OneOf(Closure { slot, body: member }))
            }),
            ty => {
                let found = self.show(&ty);
                let message =
                    format!("`{}` looks for a string or a character, not `{found}`", call.name.name);
                let mistake = Diagnostic::error(argument.span, message);
                Err(match argument.kind {
                    ExprKind::Int(..) => mistake.help("write a character in single quotes: `'1'`"),
                    _ => {
                        mistake.help("it may also be a closure that tests a character: `|c| c.is_numeric()`")
                    }
                })
            }
        }
    }

    fn sought(&mut self, text: Term, sought: Sought, call: &Call) -> Checked<Typed> {
        let name = call.name.name.as_str();
        match (name, sought) {
            ("find", sought) => self.found(text, sought),
            ("strip_prefix" | "strip_suffix", sought) => self.stripped(text, sought, name == "strip_prefix"),
            (name, sought) => {
                let test = match name {
                    "starts_with" => StrTest::StartsWith,
                    "ends_with" => StrTest::EndsWith,
                    _ => StrTest::Contains,
                };
                match sought {
                    Sought::Text(_) => Ok((has(test, text, sought), Ty::Bool)),
                    sought => self.once(text, |_, text| Ok((has(test, text, sought), Ty::Bool))),
                }
            }
        }
    }

    /// `find`: the offset in bytes.
    fn found(&mut self, text: Term, sought: Sought) -> Checked<Typed> {
        let option = self.data.option(&Ty::Int(Some(IntKind::Usize)));
        let test = match sought {
            Sought::Text(part) => {
                return Ok((Term::StrFind(Box::new(text), Box::new(part), option), Ty::Data(option)));
            }
            Sought::OneOf(test) => test,
        };
        self.once(text, |this, text| {
            let position = Term::Position(Box::new(chars(text.clone())), test, option);
            this.once(position, |_, found| {
                let before = slice(chars(text), int(0), field(found.clone(), 1, 0));
                let offset = len(Term::Text(Box::new(before)));
                Ok((some_if(is_ctor(found, 1), option, offset), Ty::Data(option)))
            })
        })
    }

    /// `strip_prefix`, `strip_suffix`: the remaining string, if the test holds.
    fn stripped(&mut self, text: Term, sought: Sought, prefix: bool) -> Checked<Typed> {
        let option = self.data.option(&Ty::Str);
        let test = if prefix { StrTest::StartsWith } else { StrTest::EndsWith };
        let rest = move |text: Term, n_part: Term, holds: Term| {
            let all = chars(text);
            let n = len(all.clone());
            let (from, to) = if prefix { (n_part, n) } else { (int(0), arith(ArithOp::Sub, n, n_part)) };
            (some_if(holds, option, Term::Text(Box::new(slice(all, from, to)))), Ty::Data(option))
        };
        self.once(text, |this, text| match sought {
            Sought::Text(part) => this.once(part, |_, part| {
                let holds = has(test, text.clone(), Sought::Text(part.clone()));
                Ok(rest(text, len(chars(part)), holds))
            }),
            sought => Ok(rest(text.clone(), int(1), has(test, text, sought))),
        })
    }

    /// `text.matches("regex")`
    fn matched(&mut self, text: Term, argument: &Expr) -> Checked<Typed> {
        let regex = self.regex(argument, "matches")?;
        Ok((Term::Matches(regex, Regex::START, Box::new(text)), Ty::Bool))
    }

    /// The regular expression that a method takes.
    pub(in crate::frontend::elaborate) fn regex(
        &mut self,
        argument: &Expr,
        method: &str,
    ) -> Checked<RegexId> {
        let ExprKind::Str(regex, offsets) = &argument.kind else {
            let message = format!("`{method}` takes a regular expression, as a string literal");
            let help = "write it out, in double quotes; `contains` looks for other strings";
            return Err(Diagnostic::error(argument.span, message).help(help));
        };
        self.regex_of(regex, |rejection| {
            let is_part = !rejection.range.is_empty() && rejection.range != (0..regex.len());
            let part = is_part.then(|| offsets.of(rejection.range, argument.span.file));
            let mistake = Diagnostic::error(part.unwrap_or(argument.span), rejection.message);
            Diagnostic { help: rejection.help, ..mistake }
        })
    }

    /// The automaton of a regular expression, each text once.
    pub(super) fn regex_of(
        &mut self,
        text: &str,
        mistake: impl FnOnce(Rejection) -> Diagnostic,
    ) -> Checked<RegexId> {
        self.data.regex_of(text, mistake)
    }

    /// `text.repeat(n)`
    fn repeated(&mut self, text: Term, n: &Expr) -> Checked<Typed> {
        let (n, _) = self.check(n, &Ty::Int(Some(IntKind::Usize)))?;
        self.once(text, |this, text| {
            let copy = Closure { slot: this.fresh(), body: Box::new(chars(text)) };
            let copies = Term::Map(Box::new(Term::Range(Box::new(int(0)), Box::new(n))), copy);
            Ok((Term::Text(Box::new(Term::Flatten(Box::new(copies)))), Ty::Str))
        })
    }

    /// A sequence of characters or strings as one string; `None` for other elements.
    pub(super) fn joined(&mut self, parts: Term, element: &Ty) -> Option<Typed> {
        let text = match (element, parts) {
            (Ty::Char, parts) => Term::Text(Box::new(parts)),
            (Ty::Str, Term::Seq(parts)) if !parts.is_empty() => Term::Concat(parts),
            (Ty::Str, parts) => {
                let slot = self.fresh();
                let all =
                    Term::Map(Box::new(parts), Closure { slot, body: Box::new(chars(Term::Var(slot))) });
                Term::Text(Box::new(Term::Flatten(Box::new(all))))
            }
            _ => return None,
        };
        Some((text, Ty::Str))
    }
}

/// Whether a string passes a test. The string may be repeated.
pub(super) fn has(test: StrTest, text: Term, sought: Sought) -> Term {
    let closure = match sought {
        Sought::Text(part) => return Term::StrTest(test, Box::new(text), Box::new(part)),
        Sought::OneOf(closure) => closure,
    };
    let all = chars(text);
    let n = len(all.clone());
    let at = match test {
        StrTest::Contains => return Term::Any(Box::new(all), closure),
        StrTest::StartsWith => int(0),
        StrTest::EndsWith => arith(ArithOp::Sub, n.clone(), int(1)),
    };
    and(vec![less(int(0), n), bound(closure.slot, index(all, at), *closure.body)])
}

pub(super) fn chars(text: Term) -> Term {
    Term::Chars(Box::new(text))
}

/// The string of one character.
pub(in crate::frontend::elaborate) fn text_of_char(c: Term) -> Term {
    if let Term::Lit(Value::Char(c)) = c {
        return Term::Lit(Value::str(c.encode_utf8(&mut [0; 4])));
    }
    Term::Text(Box::new(Term::Seq(vec![c])))
}

/// Whether an argument is a closure, or the path of a function such as `char::is_numeric`.
fn is_function(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Closure(..) => true,
        ExprKind::Path(path) => match path.as_slice() {
            [.., ty, name] => ty.name == "char" && name.name.starts_with("is_"),
            _ => false,
        },
        _ => false,
    }
}
