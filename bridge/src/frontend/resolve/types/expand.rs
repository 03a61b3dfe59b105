//! Expands aliases: type arguments stay text with the names in scope, value arguments become terms.

use std::rc::Rc;

use target_strategies::logic::ir::Refined;

use super::{Expected, Resolver};
use crate::frontend::data::Position;
use crate::frontend::declarations::alias::Alias;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::counted;
use crate::frontend::elaborate;
use crate::frontend::logic_type::Ty;
use crate::frontend::resolve::names::{Env, Name, TypeArg};
use crate::frontend::resolve::words;
use crate::frontend::spec::ast::{Expr, Ident, Type, TypeKind};

/// Maximum length in characters of an argument that replaces its parameter in reports.
const LONGEST_WORDS: usize = 80;

impl<'a> Resolver<'a> {
    /// The type of an alias at the given arguments.
    pub(super) fn expand(
        &mut self,
        used: &Ident,
        alias: &'a Alias,
        generics: &'a [Type],
        args: &'a [Expr],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let head = &alias.head;
        let wanted =
            [(head.generics.len(), generics.len(), "type"), (head.params.len(), args.len(), "value")];
        for (wanted, given, noun) in wanted {
            if wanted != given {
                let message = format!(
                    "`{}` takes {}, not {given}",
                    used.name,
                    counted(wanted, &format!("{noun} argument"))
                );
                return self.fail(Diagnostic::error(used.span, message).help(format!(
                    "it is declared as `{}`",
                    self.data.declarations.texts.around(head.name.span)
                )));
            }
        }
        let types = generics.iter().map(|ty| TypeArg::Written(ty, Rc::clone(env)));
        let mut inside = Env {
            generics: head.generics.iter().map(|param| param.name.clone()).zip(types).collect(),
            used_at: env.used_at.or(Some(used.span)),
            ..Env::default()
        };
        let scope = env.scope(None);
        for (param, arg) in head.params.iter().zip(args) {
            let plain = Rc::new(Env { generics: inside.generics.clone(), ..Env::default() });
            let refined = self.value_parameter(&param.ty, &plain)?;
            if self.types_only {
                continue;
            }
            let wanted = if is_int(&param.ty) { Ty::Int(None) } else { self.data.ty_of(&refined) };
            match elaborate::term(arg, &scope, &mut self.data, Some(&wanted)) {
                Ok((term, ty)) if self.data.compatible(&wanted, &ty) => {
                    let holder = env.names.iter().rev().find(|name| name.term == term);
                    let refined = holder.and_then(|name| name.refined.clone());
                    inside.names.push(Name { name: param.name.name.clone(), term, ty, refined });
                }
                Ok(_) => {
                    let wanted = self.words(param.ty.span);
                    let message = format!("`{}` takes `{wanted}` here", used.name);
                    return self.fail(Diagnostic::error(arg.span, message));
                }
                Err(diagnostic) => return self.fail(diagnostic),
            }
            let text = self.words_in(arg.span, env);
            // If each alias doubled its argument, the text would grow without bound.
            if text.len() <= LONGEST_WORDS {
                inside.words.push((param.name.name.clone(), words::atomic(&text)));
            }
        }
        self.layer(&alias.body, &Rc::new(inside), expected)
    }

    /// The type of an alias's value parameter: a type of the logic.
    pub(crate) fn value_parameter(&mut self, ty: &'a Type, env: &Rc<Env<'a>>) -> Option<Refined> {
        let before = std::mem::replace(&mut self.logical, true);
        let refined = self.refine(ty, env, None, Position::Input);
        self.logical = before;
        let refined = refined?;
        if is_refined(&refined) {
            return self.fail(
                Diagnostic::error(ty.span, "a refined type for a value parameter is not supported yet")
                    .help("write `int` or another plain type"),
            );
        }
        Some(refined)
    }
}

/// Whether a type is the logic's own `int`, not a machine type.
fn is_int(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Path { path, .. } if matches!(path.as_slice(), [only] if only.name == "int"))
}

fn is_refined(refined: &Refined) -> bool {
    !refined.clauses.is_empty() || refined.inner().into_iter().any(is_refined)
}
