//! Finds the characters that the text of a regular expression names: literals, and the endpoints of ranges and classes.
//!
//! `[0-9:]+x?` names `0`, `9`, `:` and `x`. The automaton can't tell: for it, `:` is one more character of the range.

use std::collections::BTreeSet;
use std::convert::Infallible;

use regex_syntax::ast::{self, Ast, ClassSetItem, Flag, Flags, Span, Visitor};
use regex_syntax::hir::{Class, HirKind};

/// Maximum number of ranges of a class of which each endpoint counts. Of larger ones, the first and the last count.
const MAX_RANGES: usize = 4;

/// The characters that a text names, ascending.
pub fn named(text: &str, ast: &Ast) -> Vec<char> {
    let names = Names { text, chars: BTreeSet::new(), ignores_case: false };
    ast::visit(ast, names).expect("this visitor never fails")
}

struct Names<'t> {
    text: &'t str,
    chars: BTreeSet<char>,
    ignores_case: bool,
}

impl Names<'_> {
    fn flags(&mut self, flags: &Flags) {
        self.ignores_case |= flags.flag_state(Flag::CaseInsensitive) == Some(true);
    }

    /// The endpoints of a class with a name, such as `\d`.
    fn class(&mut self, span: &Span) {
        let class = format!("[{}]", &self.text[span.start.offset..span.end.offset]);
        let hir = regex_syntax::parse(&class).map(regex_syntax::hir::Hir::into_kind);
        let Ok(HirKind::Class(Class::Unicode(class))) = hir else { return };
        let ranges = class.ranges();
        if ranges.len() <= MAX_RANGES {
            self.chars.extend(ranges.iter().flat_map(|range| [range.start(), range.end()]));
        } else {
            self.chars.extend(ranges.first().map(|range| range.start()));
            self.chars.extend(ranges.last().map(|range| range.end()));
        }
    }
}

impl Visitor for Names<'_> {
    type Output = Vec<char>;
    type Err = Infallible;

    fn finish(mut self) -> Result<Vec<char>, Infallible> {
        if self.ignores_case {
            let lower = self.chars.iter().flat_map(|c| c.to_lowercase());
            let both: Vec<char> = lower.chain(self.chars.iter().flat_map(|c| c.to_uppercase())).collect();
            self.chars.extend(both);
        }
        Ok(self.chars.into_iter().collect())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Infallible> {
        match ast {
            Ast::Literal(literal) => drop(self.chars.insert(literal.c)),
            Ast::Flags(set) => self.flags(&set.flags),
            Ast::Group(group) => {
                if let Some(flags) = group.flags() {
                    self.flags(flags);
                }
            }
            Ast::ClassPerl(class) if !class.negated => self.class(&class.span),
            Ast::ClassUnicode(class) if !class.is_negated() => self.class(&class.span),
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Infallible> {
        match item {
            ClassSetItem::Literal(literal) => drop(self.chars.insert(literal.c)),
            ClassSetItem::Range(range) => self.chars.extend([range.start.c, range.end.c]),
            ClassSetItem::Ascii(class) if !class.negated => self.class(&class.span),
            ClassSetItem::Perl(class) if !class.negated => self.class(&class.span),
            ClassSetItem::Unicode(class) if !class.is_negated() => self.class(&class.span),
            _ => {}
        }
        Ok(())
    }
}
