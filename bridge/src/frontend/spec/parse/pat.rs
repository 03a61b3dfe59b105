//! Patterns. `&`, `ref` and `mut` are skipped: the logic only has values.

use super::cursor::{Cursor, Parse};
use crate::frontend::spec::ast::{Expr, ExprKind, Ident, Pat, PatKind, SliceRest, UnaryOp};
use crate::frontend::spec::lex::TokenKind;

impl Cursor<'_> {
    /// A pattern, with alternatives.
    pub fn pat(&mut self) -> Parse<Pat> {
        self.nested(|cursor| {
            let start = cursor.start();
            cursor.eat("|");
            let first = cursor.simple_pat()?;
            if !cursor.at("|") {
                return Ok(first);
            }
            let mut alternatives = vec![first];
            while cursor.eat("|") {
                alternatives.push(cursor.simple_pat()?);
            }
            Ok(Pat { kind: PatKind::Or(alternatives), span: cursor.since(start) })
        })
    }

    /// A pattern without alternatives outside brackets, as for a closure's parameter.
    pub fn simple_pat(&mut self) -> Parse<Pat> {
        self.nested(|cursor| {
            while cursor.eat_part("&") || cursor.eat_word("mut") || cursor.eat_word("ref") {}
            let start = cursor.start();
            let kind = cursor.pat_kind()?;
            Ok(Pat { kind, span: cursor.since(start) })
        })
    }

    fn pat_kind(&mut self) -> Parse<PatKind> {
        let open = self.start();
        match self.peek() {
            TokenKind::Punct("(") => {
                self.bump();
                let (mut pats, rest, comma) = self.pats(")", open)?;
                let last = pats.pop();
                return Ok(match last {
                    Some(inner) if pats.is_empty() && rest.is_none() && !comma => inner.kind,
                    last => {
                        pats.extend(last);
                        PatKind::Tuple(pats, rest)
                    }
                });
            }
            TokenKind::Punct("[") => return self.slice_pat(),
            TokenKind::Punct(".." | "..=") => {
                let inclusive = self.at("..=");
                self.bump();
                let hi = Some(Box::new(self.range_end()?));
                return Ok(PatKind::Range { lo: None, hi, inclusive });
            }
            TokenKind::Ident(word) if word == "_" => {
                self.bump();
                return Ok(PatKind::Wild);
            }
            TokenKind::Ident(word) if word != "true" && word != "false" => return self.named_pat(),
            TokenKind::End => return Err(self.unexpected("a pattern")),
            _ => {}
        }
        let literal = self.range_end()?;
        self.literal_or_range(literal)
    }

    /// A literal, or a range that starts with it.
    fn literal_or_range(&mut self, lo: Expr) -> Parse<PatKind> {
        let inclusive = self.at("..=");
        if !inclusive && !self.at("..") {
            return Ok(match lo.kind {
                ExprKind::Path(path) => PatKind::Path(path),
                kind => PatKind::Lit(Box::new(Expr { kind, ..lo })),
            });
        }
        self.bump();
        let is_end = matches!(self.peek(), TokenKind::Punct(sign) if *sign != "-" && *sign != "::")
            || self.at_word("if")
            || *self.peek() == TokenKind::End;
        let hi = if inclusive || !is_end { Some(Box::new(self.range_end()?)) } else { None };
        Ok(PatKind::Range { lo: Some(Box::new(lo)), hi, inclusive })
    }

    /// A literal, a negative one included, or the path of a constant.
    fn range_end(&mut self) -> Parse<Expr> {
        let start = self.start();
        let negative = self.eat("-");
        let kind = match self.literal() {
            Some(literal) => {
                self.bump();
                literal
            }
            None if !negative && (self.at_word("true") || self.at_word("false")) => {
                let value = self.at_word("true");
                self.bump();
                ExprKind::Bool(value)
            }
            None if !negative && matches!(self.peek(), TokenKind::Ident(_)) => {
                ExprKind::Path(self.pat_path()?)
            }
            None => return Err(self.unexpected(if negative { "a number" } else { "a pattern" })),
        };
        let span = self.since(if negative { start + 1 } else { start });
        let literal = Expr { kind, span };
        if !negative {
            return Ok(literal);
        }
        if !matches!(literal.kind, ExprKind::Int(..) | ExprKind::Float(..)) {
            return Err(self.unexpected("a number"));
        }
        let kind = ExprKind::Unary(UnaryOp::Neg, Box::new(literal));
        Ok(Expr { kind, span: self.since(start) })
    }

    fn pat_path(&mut self) -> Parse<Vec<Ident>> {
        let mut path = vec![self.ident("a pattern")?];
        while self.eat("::") {
            if self.at("<") {
                self.skip_generics()?;
            } else {
                path.push(self.ident("a name")?);
            }
        }
        Ok(path)
    }

    /// A pattern that starts with a name: a binding, a constructor or a constant.
    fn named_pat(&mut self) -> Parse<PatKind> {
        let start = self.start();
        let mut path = self.pat_path()?;
        let open = self.start();
        if self.eat("(") {
            let (pats, rest, _) = self.pats(")", open)?;
            return Ok(PatKind::TupleStruct(path, pats, rest));
        }
        if self.at("{") && path.last().is_some_and(|last| last.name.starts_with(char::is_uppercase)) {
            return self.struct_pat(path);
        }
        if self.at("..") || self.at("..=") {
            let lo = Expr { kind: ExprKind::Path(path), span: self.since(start) };
            return self.literal_or_range(lo);
        }
        let is_name = path.len() == 1 && !path[0].name.starts_with(char::is_uppercase);
        if !is_name {
            if self.at("@") {
                return Err(self
                    .unexpected("the end of the pattern")
                    .help("a name starts with a small letter"));
            }
            return Ok(PatKind::Path(path));
        }
        let name = path.remove(0);
        let inner = if self.eat("@") { Some(Box::new(self.simple_pat()?)) } else { None };
        Ok(PatKind::Bind(name, inner))
    }

    /// A list of patterns up to a bracket: the patterns, the index of `..`, and whether a comma follows the last
    /// pattern.
    fn pats(&mut self, close: &str, open: usize) -> Parse<(Vec<Pat>, Option<usize>, bool)> {
        let mut rest = None;
        let mut pats = Vec::new();
        let (_, comma) = self.list(close, open, |cursor| {
            if cursor.at_rest() {
                if rest.is_some() {
                    return Err(cursor.unexpected("a pattern").help("`..` may appear only once"));
                }
                cursor.bump();
                rest = Some(pats.len());
            } else {
                pats.push(cursor.pat()?);
            }
            Ok(())
        })?;
        Ok((pats, rest, comma))
    }

    /// Whether the next token is a `..` for the remaining elements, not for a range.
    fn at_rest(&self) -> bool {
        self.at("..") && matches!(self.peek_at(1), TokenKind::Punct("," | ")" | "]" | "}") | TokenKind::End)
    }

    fn struct_pat(&mut self, path: Vec<Ident>) -> Parse<PatKind> {
        let open = self.start();
        self.bump();
        let mut fields = Vec::new();
        let mut rest = false;
        self.list("}", open, |cursor| {
            if rest {
                return Err(cursor.unexpected("`}`").help("`..` must come last"));
            }
            if cursor.eat("..") {
                rest = true;
                return Ok(());
            }
            while cursor.eat_word("ref") || cursor.eat_word("mut") {}
            let name = cursor.field_name()?;
            let pat = if cursor.eat(":") {
                cursor.pat()?
            } else {
                Pat { kind: PatKind::Bind(name.clone(), None), span: name.span }
            };
            fields.push((name, pat));
            Ok(())
        })?;
        Ok(PatKind::Struct(path, fields, rest))
    }

    fn slice_pat(&mut self) -> Parse<PatKind> {
        let open = self.start();
        self.bump();
        let mut before = Vec::new();
        let mut after = Vec::new();
        let mut rest = SliceRest::Absent;
        self.list("]", open, |cursor| {
            let named = matches!(cursor.peek(), TokenKind::Ident(_))
                && *cursor.peek_at(1) == TokenKind::Punct("@")
                && *cursor.peek_at(2) == TokenKind::Punct("..");
            if !named && !cursor.at_rest() {
                let pat = cursor.pat()?;
                if rest == SliceRest::Absent {
                    before.push(pat)
                } else {
                    after.push(pat)
                }
                return Ok(());
            }
            if rest != SliceRest::Absent {
                return Err(cursor.unexpected("a pattern").help("`..` may appear only once"));
            }
            rest = if named { SliceRest::Named(cursor.ident("a name")?) } else { SliceRest::Unnamed };
            cursor.eat("@");
            cursor.bump();
            Ok(())
        })?;
        Ok(PatKind::Slice { before, rest, after })
    }
}
