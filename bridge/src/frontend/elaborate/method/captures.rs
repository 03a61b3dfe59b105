//! `s.captures("(?<m>\\d\\d)-..")`: the groups of a match of the whole string, as a data value with a field for each.

use target_strategies::logic::ir::{DataId, IntKind, Regex, RegexId, Term, TextOp};
use target_strategies::logic::value::Value;

use super::super::build::{branch, field, is_ctor, some_if};
use super::super::mistake::{did_you_mean, with_guess};
use super::super::{Checked, Elaborator, Typed};
use super::call::{Call, unreferenced};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;
use crate::frontend::regex::program;
use crate::frontend::spec::ast::{Expr, ExprKind};

/// The supported names.
pub(super) const OF_CAPTURES: [&str; 3] = ["get", "len", "name"];

impl Elaborator<'_, '_, '_> {
    /// `text.captures("regex")`. It has a value if the text matches.
    pub(super) fn captures(&mut self, text: Term, argument: &Expr) -> Checked<Typed> {
        let argument = unreferenced(argument);
        let regex = self.regex(argument, "captures")?;
        let compiled = &mut self.data.regexes[regex.0 as usize];
        if compiled.program.is_none() {
            let found = program(&compiled.text).map_err(|mistake| Diagnostic {
                help: mistake.help,
                ..Diagnostic::error(argument.span, mistake.message)
            })?;
            compiled.program = Some(found);
        }
        let groups = self.data.captures(regex);
        let option = self.data.option(&Ty::Data(groups));
        self.once(text, |_, text| {
            let found = Term::TextOp(TextOp::Captures(regex), vec![text.clone()]);
            let matches = Term::Matches(regex, Regex::START, Box::new(text));
            Ok((some_if(matches, option, found), Ty::Data(option)))
        })
    }

    /// Methods of the groups of a match.
    pub(super) fn captures_method(
        &mut self,
        groups: &Term,
        (id, regex): (DataId, RegexId),
        call: &Call,
    ) -> Checked<Option<Typed>> {
        match call.name.name.as_str() {
            "len" => {
                self.arity(call, 0)?;
                let n = self.data.get(id).ctors[0].fields.len();
                Ok(Some((Term::Lit(Value::int(n as u64)), Ty::Int(Some(IntKind::Usize)))))
            }
            "get" | "name" => {
                self.arity(call, 1)?;
                let group = self.group_number(id, regex, &call.args[0])?;
                let option = self.data.option(&Ty::Str);
                Ok(Some((field(groups.clone(), 0, group), Ty::Data(option))))
            }
            _ => Ok(None),
        }
    }

    /// `captures["name"]`: empty if the group took no part in the match.
    pub(in crate::frontend::elaborate) fn group_text(
        &mut self,
        groups: Term,
        id: DataId,
        name: &Expr,
    ) -> Checked<Typed> {
        let Some(regex) = self.data.captured(id) else {
            return Err(Diagnostic::error(name.span, "only the groups of a match have names"));
        };
        let group = self.group_number(id, regex, name)?;
        self.once(field(groups, 0, group), |_, group| {
            let none = Term::Lit(Value::str(""));
            Ok((branch(is_ctor(group.clone(), 1), field(group, 1, 0), none), Ty::Str))
        })
    }

    /// The number of the group with a name, or a number.
    fn group_number(&self, id: DataId, regex: RegexId, name: &Expr) -> Checked<u32> {
        let n_groups = self.data.get(id).ctors[0].fields.len();
        let program = self.data.regexes[regex.0 as usize].program.as_ref();
        let names = program.map_or(&[][..], |program| &program.names);
        match &unreferenced(name).kind {
            ExprKind::Str(wanted, _) => {
                let found = names.iter().position(|known| known.as_ref() == Some(wanted));
                found.map(|found| found as u32).ok_or_else(|| {
                    let message = format!("the regular expression has no group named `{wanted}`");
                    let guess = did_you_mean(wanted, names.iter().flatten().map(String::as_str));
                    with_guess(
                        Diagnostic::error(name.span, message),
                        guess,
                        "a group is named by `(?<name>..)`",
                    )
                })
            }
            ExprKind::Int(n, _) => match n.to_usize().filter(|n| *n < n_groups) {
                Some(n) => Ok(n as u32),
                None => {
                    let message = format!("the regular expression has no group {n}");
                    let help = format!("its groups have the numbers 0, the whole match, to {}", n_groups - 1);
                    Err(Diagnostic::error(name.span, message).help(help))
                }
            },
            _ => {
                let message = "a group is named by a string literal or a number";
                Err(Diagnostic::error(name.span, message).help("write `c[\"name\"]` or `c[1]`"))
            }
        }
    }
}
