//! Operands: literals, names, brackets, closures, macros, `if`, `match` and blocks.

use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::spec::ast::{
    Arm, COLLECT_STRING, Expr, ExprKind, Ident, LetStmt, Pat, PatKind, UnaryOp,
};
use crate::frontend::spec::lex::TokenKind;

/// The macros of the logic.
const MACROS: [&str; 6] = ["format", "matches", "vec", "set", "map", "unreachable"];

/// The types that `collect` may make other than lists.
pub const COLLECTIONS: [&str; 5] = ["BTreeMap", "BTreeSet", "HashMap", "HashSet", "String"];

impl Cursor<'_> {
    /// An operand.
    pub fn atom(&mut self) -> Parse<Expr> {
        let start = self.start();
        if let Some(kind) = self.literal() {
            self.bump();
            return Ok(Expr { kind, span: self.since(start) });
        }
        let kind = match self.peek() {
            TokenKind::Ident(word) => match word.as_str() {
                "true" | "false" => {
                    let value = word == "true";
                    self.bump();
                    ExprKind::Bool(value)
                }
                "if" => self.if_expr()?,
                "match" => self.match_expr()?,
                "move" => {
                    self.bump();
                    self.closure()?
                }
                _ => self.named()?,
            },
            TokenKind::Punct("|" | "||") => self.closure()?,
            TokenKind::Punct("(") => return self.parenthesised(),
            TokenKind::Punct("[") => {
                self.bump();
                self.elements("]", start, ExprKind::Array, ExprKind::Repeat)?
            }
            TokenKind::Punct("{") => return self.block(),
            TokenKind::Punct("<") if self.text.text[start..].contains(" as ") => self.method_of_trait()?,
            TokenKind::Punct("<" | "::") => {
                return Err(self
                    .unexpected("an expression")
                    .help("name the type or the function by its plain path"));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The next token as a literal; it is not consumed.
    pub fn literal(&self) -> Option<ExprKind> {
        Some(match self.peek() {
            TokenKind::Int(value, suffix) => ExprKind::Int(value.clone(), suffix.clone()),
            TokenKind::Float(value, kind) => ExprKind::Float(*value, *kind),
            TokenKind::Char(value) => ExprKind::Char(*value),
            TokenKind::Byte(value) => ExprKind::Byte(*value),
            TokenKind::Str(value, offsets) => ExprKind::Str(value.clone(), offsets.clone()),
            TokenKind::ByteStr(value) => ExprKind::ByteStr(value.clone()),
            _ => return None,
        })
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.start();
        self.bump();
        let (mut exprs, comma) = self.list(")", start, Cursor::expr)?;
        let span = self.since(start);
        let last = exprs.pop();
        Ok(match last {
            Some(inner) if exprs.is_empty() && !comma => Expr { kind: inner.kind, span },
            last => {
                exprs.extend(last);
                Expr { kind: ExprKind::Tuple(exprs), span }
            }
        })
    }

    /// `a, b]` or `a; n]`, after the bracket at `open`.
    fn elements(
        &mut self,
        close: &str,
        open: usize,
        list: impl FnOnce(Vec<Expr>) -> ExprKind,
        repeat: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Parse<ExprKind> {
        if self.eat(close) {
            return Ok(list(Vec::new()));
        }
        let first = self.expr()?;
        if self.eat(";") {
            let length = self.expr()?;
            self.expect_close(close, open, &format!("an operator or `{close}`"))?;
            return Ok(repeat(Box::new(first), Box::new(length)));
        }
        let mut elements = vec![first];
        if self.eat(",") {
            elements.extend(self.list(close, open, Cursor::expr)?.0);
        } else {
            self.expect_close(close, open, &format!("`,`, `;` or `{close}`"))?;
        }
        Ok(list(elements))
    }

    /// `<A as B>::f`, as counterexamples have it for values that a method of a trait makes: a path of one word.
    fn method_of_trait(&mut self) -> Parse<ExprKind> {
        let start = self.start();
        self.skip_generics()?;
        self.expect("::", "`::`")?;
        self.ident("a name")?;
        let span = self.since(start);
        let end = start + (span.end - span.start) as usize;
        let name = self.text.text.get(start..end).unwrap_or_default().to_owned();
        Ok(ExprKind::Path(vec![Ident { name, span }]))
    }

    /// A path, or an expression that starts with a path: a macro or a struct.
    fn named(&mut self) -> Parse<ExprKind> {
        let start = self.start();
        let mut path = vec![self.expr_word()?];
        while self.eat("::") {
            if self.at("<") {
                self.skip_generics()?;
            } else {
                path.push(self.ident("a name")?);
            }
        }
        let opens = matches!(self.peek_at(1), TokenKind::Punct("(" | "[" | "{"));
        if self.at("!") && opens {
            return self.macro_call(&path, start);
        }
        let last = path.last().map(|ident| ident.name.as_str()).unwrap_or_default();
        if self.structs && self.at("{") && last.starts_with(char::is_uppercase) {
            return self.struct_literal(path);
        }
        Ok(ExprKind::Path(path))
    }

    /// The first word of a path; keywords that can't be here are explained.
    fn expr_word(&mut self) -> Parse<Ident> {
        let help = match self.peek() {
            TokenKind::Ident(word) => match word.as_str() {
                "let" => Some("`let` can only start a block, `{ let x = e; .. }`, or follow `if`"),
                "for" | "while" | "loop" => {
                    Some("say it with `all`, `any` or `fold`; any Rust expression may follow `where`")
                }
                "return" | "break" | "continue" | "unsafe" | "async" | "await" => {
                    Some("any Rust expression may follow `where`")
                }
                "_" => Some("`_` is only allowed in patterns"),
                "where" => Some(
                    "`where` is no part of an expression, and Rust follows it: `where !p || q` for `p ==> q`",
                ),
                "requires" | "ensures" if matches!(self.previous(), Some(TokenKind::Punct(_))) => {
                    Some("is there an operator too many before?")
                }
                _ => None,
            },
            _ => None,
        };
        match help {
            Some(help) => Err(self.unexpected("an expression").help(help)),
            None => self.ident("an expression"),
        }
    }

    fn macro_call(&mut self, path: &[Ident], start: usize) -> Parse<ExprKind> {
        let name = match path {
            [name] => name.name.as_str(),
            _ => "",
        };
        if !MACROS.contains(&name) {
            let span = self.since(start);
            let diagnostic = Diagnostic::error(span, "this macro is not part of a refinement");
            let guess = crate::frontend::diagnostic::did_you_mean(name, MACROS);
            return Err(match guess {
                Some(guess) => diagnostic.help(format!("did you mean `{guess}!`?")),
                None => diagnostic.help("any Rust expression may follow `where`"),
            });
        }
        self.bump();
        let open = self.start();
        let close = match self.peek() {
            TokenKind::Punct("(") => ")",
            TokenKind::Punct("[") => "]",
            _ => "}",
        };
        self.bump();
        match name {
            "vec" => self.elements(close, open, ExprKind::Vec, ExprKind::VecRepeat),
            "set" => Ok(ExprKind::Set(self.list(close, open, Cursor::expr)?.0)),
            "format" => self.format_macro(close, open, path),
            "map" => self.map_macro(close, open, path),
            "unreachable" => {
                self.expect_close(close, open, "the end of the macro")?;
                Ok(ExprKind::Unreachable)
            }
            _ => self.matches_macro(close, open),
        }
    }

    /// `map![k => v, ..]` is short for `BTreeMap::from([(k, v), ..])`.
    fn map_macro(&mut self, close: &str, open: usize, path: &[Ident]) -> Parse<ExprKind> {
        let (pairs, _) = self.list(close, open, |cursor| {
            let start = cursor.start();
            let key = cursor.expr()?;
            cursor.expect("=>", "`=>` and the key's value")?;
            let value = cursor.expr()?;
            Ok(Expr { kind: ExprKind::Tuple(vec![key, value]), span: cursor.since(start) })
        })?;
        let span = self.since(open);
        let at = path.first().map_or(span, |name| name.span);
        Ok(made_from("BTreeMap", "from", Expr { kind: ExprKind::Array(pairs), span }, at))
    }

    fn matches_macro(&mut self, close: &str, open: usize) -> Parse<ExprKind> {
        let value = self.expr()?;
        self.expect(",", "`,` and a pattern")?;
        let pat = self.pat()?;
        let guard = if self.eat_word("if") { Some(Box::new(self.expr()?)) } else { None };
        self.eat(",");
        self.expect_close(close, open, &format!("`if` or `{close}`"))?;
        Ok(ExprKind::Matches(Box::new(value), Box::new(pat), guard))
    }

    fn struct_literal(&mut self, path: Vec<Ident>) -> Parse<ExprKind> {
        let open = self.start();
        self.bump();
        let (fields, _) = self.list("}", open, |cursor| {
            if cursor.at("..") {
                return Err(cursor.unexpected("the name of a field").help("list all fields"));
            }
            let name = cursor.field_name()?;
            if cursor.eat(":") {
                return Ok((name, cursor.expr()?));
            }
            let value = Expr { kind: ExprKind::Path(vec![name.clone()]), span: name.span };
            Ok((name, value))
        })?;
        Ok(ExprKind::Struct(path, fields))
    }

    /// The name of a field; a number in a tuple struct.
    pub fn field_name(&mut self) -> Parse<Ident> {
        let start = self.start();
        if let TokenKind::Int(_, None) = self.peek() {
            self.bump();
            return Ok(Ident { name: self.text.text[start..self.end()].to_owned(), span: self.since(start) });
        }
        self.ident("the name of a field")
    }

    fn closure(&mut self) -> Parse<ExprKind> {
        let open = self.start();
        let mut params = Vec::new();
        if !self.eat("||") {
            self.eat("|");
            loop {
                if self.eat_part("|") {
                    break;
                }
                params.push(self.closure_param()?);
                if !self.eat(",") {
                    if self.eat_part("|") {
                        break;
                    }
                    self.expect_close("|", open, "`,` or `|`")?;
                }
            }
        }
        if self.eat("->") {
            self.ty()?;
            return Ok(ExprKind::Closure(params, Box::new(self.nested(Cursor::block)?)));
        }
        Ok(ExprKind::Closure(params, Box::new(self.tail()?)))
    }

    fn closure_param(&mut self) -> Parse<Pat> {
        let pat = self.simple_pat()?;
        if self.eat(":") {
            self.ty()?;
        }
        Ok(pat)
    }

    fn if_expr(&mut self) -> Parse<ExprKind> {
        self.bump();
        if self.eat_word("let") {
            let pat = Box::new(self.pat()?);
            self.expect("=", "`=`")?;
            let value = Box::new(self.let_scrutinee()?);
            let then = Box::new(self.nested(Cursor::block)?);
            return Ok(ExprKind::IfLet(pat, value, then, self.else_branch()?));
        }
        let condition = Box::new(self.scrutinee()?);
        let then = Box::new(self.nested(Cursor::block)?);
        Ok(ExprKind::If(condition, then, self.else_branch()?))
    }

    fn else_branch(&mut self) -> Parse<Option<Box<Expr>>> {
        if !self.eat_word("else") {
            return Ok(None);
        }
        if !self.at_word("if") {
            return Ok(Some(Box::new(self.nested(Cursor::block)?)));
        }
        let start = self.start();
        let kind = self.nested(Cursor::if_expr)?;
        Ok(Some(Box::new(Expr { kind, span: self.since(start) })))
    }

    fn match_expr(&mut self) -> Parse<ExprKind> {
        self.bump();
        let value = Box::new(self.scrutinee()?);
        let open = self.start();
        self.expect("{", "an operator or `{`")?;
        let mut arms = Vec::new();
        while !self.eat("}") {
            if *self.peek() == TokenKind::End {
                return Err(self.unclosed("}", open));
            }
            let pat = self.pat()?;
            let guard = if self.eat_word("if") { Some(self.expr()?) } else { None };
            self.expect("=>", "`=>` after the pattern")?;
            let (body, block) = self.arm_body()?;
            arms.push(Arm { pat, guard, body });
            if !self.eat(",") && !block && !self.at("}") {
                self.expect_close("}", open, "`,` or `}`")?;
                break;
            }
        }
        Ok(ExprKind::Match(value, arms))
    }

    /// The value of an arm, and whether it ends with a brace, so that no comma is needed.
    fn arm_body(&mut self) -> Parse<(Expr, bool)> {
        if !(self.at("{") || self.at_word("if") || self.at_word("match")) {
            return Ok((self.expr()?, false));
        }
        let structs = std::mem::replace(&mut self.structs, true);
        // As in Rust, an operator after the brace is not part of the arm, but a method is.
        let body = self.nested(|cursor| {
            let start = cursor.start();
            let atom = cursor.atom()?;
            if cursor.at(".") { cursor.postfix_of(atom, start) } else { Ok(atom) }
        });
        self.structs = structs;
        Ok((body?, true))
    }

    /// Skips the type after a `let`'s `:`; returns the collection if it is one.
    fn let_type(&mut self) -> Parse<Option<String>> {
        let into = self.collection_named(0);
        if into.is_none() {
            self.ty()?;
            return Ok(None);
        }
        while matches!(self.peek(), TokenKind::Ident(_) | TokenKind::Punct("::")) {
            self.bump();
        }
        if self.at("<") {
            self.skip_generics()?;
        }
        Ok(into)
    }

    /// `{ let p = e; .. value }`; without a `let`, just the value. Counterexamples contain values that calls change:
    /// `{ let mut x = f(); g(&mut x, 1); x }` is `g(f(), 1)`.
    pub fn block(&mut self) -> Parse<Expr> {
        let start = self.start();
        self.expect("{", "`{`")?;
        let mut lets: Vec<LetStmt> = Vec::new();
        let mut is_changed = false;
        let mut value = loop {
            if self.eat_word("let") {
                lets.push(self.let_statement()?);
                is_changed = false;
                continue;
            }
            let value = self.expr()?;
            match lets.pop() {
                Some(last) if self.at(";") && changes(&value, &last) => {
                    self.bump();
                    lets.push(changed(last, value));
                    is_changed = true;
                }
                last => {
                    lets.extend(last);
                    break value;
                }
            }
        };
        self.expect_close("}", start, "an operator or `}`")?;
        if let Some(last) = lets.pop_if(|last| is_changed && is_named_by(&last.pat, &value)) {
            value = last.value;
        }
        let span = self.since(start);
        Ok(if lets.is_empty() {
            Expr { kind: value.kind, span }
        } else {
            Expr { kind: ExprKind::Block(lets, Box::new(value)), span }
        })
    }

    /// `p = e;` after `let`.
    fn let_statement(&mut self) -> Parse<LetStmt> {
        let pat = self.pat()?;
        let into = if self.eat(":") { self.let_type()? } else { None };
        self.expect("=", "`=` and a value")?;
        let mut value = self.expr()?;
        if let Some(ty) = into {
            value.kind = collected_as(&ty, value.kind);
        }
        self.expect(";", "an operator or `;`")?;
        Ok(LetStmt { pat, value })
    }
}

/// Whether an expression is the name that a pattern binds.
fn is_named_by(pat: &Pat, expr: &Expr) -> bool {
    let (PatKind::Bind(name, None), ExprKind::Path(path)) = (&pat.kind, &expr.kind) else { return false };
    matches!(path.as_slice(), [word] if word.name == name.name)
}

/// Whether an expression is a call `f(&mut x, ..)` that changes what a `let` gave the name `x`.
fn changes(call: &Expr, stmt: &LetStmt) -> bool {
    let ExprKind::Call(_, args) = &call.kind else { return false };
    let Some(ExprKind::Unary(UnaryOp::RefMut, first)) = args.first().map(|first| &first.kind) else {
        return false;
    };
    is_named_by(&stmt.pat, first)
}

/// The value of a `let` after such a call.
fn changed(stmt: LetStmt, call: Expr) -> LetStmt {
    let ExprKind::Call(callee, mut args) = call.kind else { return stmt };
    args[0] = stmt.value;
    LetStmt { pat: stmt.pat, value: Expr { kind: ExprKind::Call(callee, args), span: call.span } }
}

/// `ty::from_iter(of)` for `of.collect()`; anything else unchanged.
pub fn collected_as(ty: &str, call: ExprKind) -> ExprKind {
    match call {
        ExprKind::MethodCall(of, name, args) if name.name == "collect" && ty == "String" => {
            let name = Ident { name: COLLECT_STRING.to_owned(), ..name };
            ExprKind::MethodCall(of, name, args)
        }
        ExprKind::MethodCall(of, name, args) if name.name == "collect" && args.is_empty() => {
            made_from(ty, "from_iter", *of, name.span)
        }
        call => call,
    }
}

/// `ty::function(of)`, for a shorthand of it.
fn made_from(ty: &str, function: &str, of: Expr, span: Span) -> ExprKind {
    let path = [ty, function].map(|name| Ident { name: name.to_owned(), span });
    let callee = Expr { kind: ExprKind::Path(path.to_vec()), span };
    ExprKind::Call(Box::new(callee), vec![of])
}
