//! A regular expression in which a group is asked for less: `(?<m>[0-9]{2})-..` with the group `m` as `07`.

use regex_syntax::ast::{self, Ast, GroupKind, RepetitionKind, Visitor};

use super::wanted::Text;

/// The expression of strings in whose match a group is a string of a language; `None` if the group may occur several times, as
/// then its last occurrence decides.
pub(super) fn with_group(regex: &str, group: u32, text: &Text) -> Option<String> {
    if group == 0 {
        return Some(text.item());
    }
    let ast = ast::parse::Parser::new().parse(regex).ok()?;
    let found = ast::visit(&ast, Groups { wanted: group, n_repeated: 0, found: None }).ok()??;
    // Flags around the group are not those of the language.
    let text = text.item();
    let is_plain = !regex.contains("(?") || !has_flags(&ast);
    is_plain.then(|| format!("{}{text}{}", &regex[..found.start.offset], &regex[found.end.offset..]))
}

/// Finds the span of a group that isn't repeated.
struct Groups {
    wanted: u32,
    n_repeated: usize,
    found: Option<ast::Span>,
}

impl Visitor for Groups {
    type Output = Option<ast::Span>;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Option<ast::Span>, Self::Err> {
        Ok(self.found)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        match ast {
            Ast::Repetition(repetition) => self.n_repeated += usize::from(is_many(repetition)),
            Ast::Group(group) if self.n_repeated == 0 => {
                let index = match &group.kind {
                    GroupKind::CaptureIndex(index) => Some(*index),
                    GroupKind::CaptureName { name, .. } => Some(name.index),
                    GroupKind::NonCapturing(_) => None,
                };
                if index == Some(self.wanted) {
                    self.found = Some(group.span);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Repetition(repetition) = ast {
            self.n_repeated -= usize::from(is_many(repetition));
        }
        Ok(())
    }
}

/// Whether something may occur more than once.
fn is_many(repetition: &ast::Repetition) -> bool {
    !matches!(repetition.op.kind, RepetitionKind::ZeroOrOne)
}

/// Whether an expression sets flags.
fn has_flags(ast: &Ast) -> bool {
    struct Flags(bool);
    impl Visitor for Flags {
        type Output = bool;
        type Err = std::convert::Infallible;

        fn finish(self) -> Result<bool, Self::Err> {
            Ok(self.0)
        }

        fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
            self.0 |= match ast {
                Ast::Flags(_) => true,
                Ast::Group(group) => {
                    matches!(&group.kind, GroupKind::NonCapturing(flags) if !flags.items.is_empty())
                }
                _ => false,
            };
            Ok(())
        }
    }
    ast::visit(ast, Flags(false)).unwrap_or(true)
}
