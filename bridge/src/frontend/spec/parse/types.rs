//! Signatures, types and the heads of aliases.

use target_strategies::logic::ir::{CallbackKind, FloatKind, IntKind};

use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::{Condition, DeclarationHead, Ident, Param, Signature, Type, TypeKind};
use crate::frontend::spec::lex::TokenKind;

impl Cursor<'_> {
    /// `fn(params) -> Type` and clauses.
    pub fn signature(&mut self) -> Parse<Signature> {
        let start = self.start();
        if !self.eat_word("fn") {
            let diagnostic = self.unexpected("a signature, `fn(x: T, ..) -> T`");
            return Err(match self.peek() {
                TokenKind::Punct("(") => diagnostic.help("write `fn` before it"),
                TokenKind::Punct("|") => diagnostic.help("put a closure under the key `call`, beside `spec`"),
                TokenKind::Ident(word) if word == "pub" || word == "unsafe" || word == "async" => {
                    diagnostic.help("only the parameters and the result are repeated here")
                }
                _ => diagnostic,
            });
        }
        if let TokenKind::Ident(name) = self.peek() {
            let help = format!("the function's name is the key; leave `{name}` out");
            return Err(self.unexpected("`(`").help(help));
        }
        if self.at("<") {
            let help = "a spec has no type parameters: write a concrete type, such as `i64`, where the function has one";
            return Err(self.unexpected("`(`").help(help));
        }
        let open = self.start();
        self.expect("(", "`(`")?;
        let (params, _) = self.list(")", open, Cursor::param)?;
        let mut signature = Signature {
            params,
            result: None,
            requires: Vec::new(),
            ensures: Vec::new(),
            panics_if: None,
            span: self.since(start),
        };
        if self.eat("->") {
            signature.result = Some(self.ty()?);
        } else if self.at("{") || self.at(":") {
            return Err(self.unexpected("`->`").help("the type of the result follows `->`"));
        }
        self.clauses(&mut signature)?;
        signature.span = self.since(start);
        Ok(signature)
    }

    fn clauses(&mut self, signature: &mut Signature) -> Parse<()> {
        loop {
            if self.eat_word("requires") {
                signature.requires.push(self.condition()?);
            } else if self.eat_word("ensures") {
                signature.ensures.push(self.condition()?);
            } else if self.at_panics_if() {
                let start = self.start();
                self.bump();
                self.bump();
                if signature.panics_if.is_some() {
                    let message = "there is more than one `panics if`";
                    return Err(
                        Diagnostic::error(self.since(start), message).help("join the conditions with `||`")
                    );
                }
                signature.panics_if = Some(self.condition()?);
            } else if self.eat_word("panics") {
                return Err(self.unexpected("`if`"));
            } else if self.at_word("where") {
                let help = "conditions on parameters follow `requires`, those on the result follow `ensures`";
                return Err(self.unexpected("`requires`, `ensures` or `panics if`").help(help));
            } else {
                return Ok(());
            }
        }
    }

    /// `p where q`, or only one of them.
    pub fn condition(&mut self) -> Parse<Condition> {
        if self.at_clause() || *self.peek() == TokenKind::End {
            return Err(self.unexpected("a condition"));
        }
        let expr = if self.at_word("where") { None } else { Some(Box::new(self.expr()?)) };
        let opaque = if self.at_word("where") { Some(self.opaque()?) } else { None };
        Ok(Condition { expr, opaque })
    }

    pub(super) fn param(&mut self) -> Parse<Param> {
        if self.at("&") {
            let diagnostic = self.unexpected("a parameter, `name: Type`");
            return Err(diagnostic.help("a receiver is written `self: &Type` or `self: &mut Type`"));
        }
        self.eat_word("mut");
        if self.at_word("fn") {
            let diagnostic = self.unexpected("a parameter, `name: Type`");
            return Err(diagnostic.help("a function among the arguments has a name, too: `f: fn(x: T) -> U`"));
        }
        let name = self.ident("a parameter, `name: Type`")?;
        if self.at(",") || self.at(")") {
            let diagnostic = self.unexpected("`:` and a type");
            return Err(if name.name == "self" {
                diagnostic.help("a receiver needs its type: `self: Type`, `self: &Type` or `self: &mut Type`")
            } else {
                diagnostic.help("every parameter has a name and a type: `x: T`")
            });
        }
        self.expect(":", "`:` and a type")?;
        Ok(Param { name, ty: self.ty()? })
    }

    /// A parameter of a function type, whose name is optional.
    fn nameless_param(&mut self) -> Parse<Param> {
        if matches!(self.peek(), TokenKind::Ident(_)) && *self.peek_at(1) == TokenKind::Punct(":") {
            return self.param();
        }
        let span = self.here();
        Ok(Param { name: Ident { name: "_".to_owned(), span }, ty: self.ty()? })
    }

    /// A type.
    pub fn ty(&mut self) -> Parse<Type> {
        self.nested(Cursor::type_here)
    }

    fn type_here(&mut self) -> Parse<Type> {
        let start = self.start();
        let kind = match self.peek() {
            TokenKind::Punct("{") => self.refined()?,
            TokenKind::Punct("&" | "&&") => {
                self.eat_part("&");
                if matches!(self.peek(), TokenKind::Lifetime) {
                    self.bump();
                }
                let mutable = self.eat_word("mut");
                TypeKind::Ref { mutable, inner: Box::new(self.ty()?) }
            }
            TokenKind::Punct("(") => {
                self.bump();
                let (mut types, comma) = self.list(")", start, Cursor::ty)?;
                match types.pop() {
                    Some(inner) if types.is_empty() && !comma => {
                        return Ok(Type { kind: inner.kind, span: self.since(start) });
                    }
                    last => {
                        types.extend(last);
                        TypeKind::Tuple(types)
                    }
                }
            }
            TokenKind::Punct("[") => {
                self.bump();
                let element = Box::new(self.ty()?);
                let kind = if self.eat(";") {
                    TypeKind::Array(element, Box::new(self.expr()?))
                } else {
                    TypeKind::Slice(element)
                };
                self.expect_close("]", start, "`]` or `;` and a length")?;
                kind
            }
            TokenKind::Ident(_) if self.at_function() => self.function_type()?,
            TokenKind::Ident(_) => self.path_type()?,
            _ => return Err(self.unexpected("a type")),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    /// Whether a function type starts here: `fn(`, `impl Fn(`, `dyn FnMut(`.
    fn at_function(&self) -> bool {
        let skipped = usize::from(self.at_word("impl") || self.at_word("dyn"));
        let is_function = matches!(self.peek_at(skipped), TokenKind::Ident(word) if kind_of(word).is_some());
        is_function && *self.peek_at(skipped + 1) == TokenKind::Punct("(")
    }

    /// `fn price(&self, qty: u32) -> {v: u64 | v <= qty};` as a field that holds a function.
    pub(super) fn method(&mut self) -> Parse<Param> {
        if !self.eat_word("fn") {
            return Err(self.unexpected("a method, `fn name(&self) -> T;`, or `}`"));
        }
        let name = self.ident("the name of a method")?;
        let start = self.start();
        let open = self.start();
        self.expect("(", "`(`")?;
        let kind = self.receiver()?;
        if !self.eat(",") && !self.at(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        let (params, _) = self.list(")", open, Cursor::nameless_param)?;
        let signature = Box::new(self.result_and_clauses(params, start)?);
        if !self.eat(";") {
            return Err(self.unexpected("`;` after the method"));
        }
        let ty = Type { kind: TypeKind::Function(kind, signature), span: self.since(start) };
        Ok(Param { name, ty })
    }

    /// `&self`, `&mut self` or `self`: what the results depend on.
    fn receiver(&mut self) -> Parse<CallbackKind> {
        let is_borrowed = self.eat_part("&");
        if is_borrowed && *self.peek() == TokenKind::Lifetime {
            self.bump();
        }
        let is_mutable = self.eat_word("mut");
        if !self.eat_word("self") {
            return Err(self.unexpected("`&self`, `&mut self` or `self`"));
        }
        Ok(match (is_borrowed, is_mutable) {
            (true, false) => CallbackKind::Pure,
            (true, true) => CallbackKind::Stateful,
            (false, _) => CallbackKind::Once,
        })
    }

    /// What follows the parameters of a function type.
    fn result_and_clauses(&mut self, params: Vec<Param>, start: usize) -> Parse<Signature> {
        let result = if self.eat("->") { Some(self.ty()?) } else { None };
        let mut signature = Signature {
            params,
            result,
            requires: Vec::new(),
            ensures: Vec::new(),
            panics_if: None,
            span: self.since(start),
        };
        self.clauses(&mut signature)?;
        signature.span = self.since(start);
        Ok(signature)
    }

    fn function_type(&mut self) -> Parse<TypeKind> {
        if !self.eat_word("impl") {
            self.eat_word("dyn");
        }
        let start = self.start();
        let kind = match self.peek() {
            TokenKind::Ident(word) => kind_of(word),
            _ => None,
        };
        self.bump();
        let open = self.start();
        self.expect("(", "`(`")?;
        let (params, _) = self.list(")", open, Cursor::nameless_param)?;
        let signature = self.result_and_clauses(params, start)?;
        self.further_bounds()?;
        Ok(TypeKind::Function(kind.unwrap_or(CallbackKind::Pure), Box::new(signature)))
    }

    /// `+ Send + 'static`, which change nothing.
    fn further_bounds(&mut self) -> Parse<()> {
        while self.eat("+") {
            match self.peek() {
                TokenKind::Lifetime => self.bump(),
                _ => _ = self.type_path()?,
            }
        }
        Ok(())
    }

    /// `{v: T | p where q}`
    fn refined(&mut self) -> Parse<TypeKind> {
        let open = self.start();
        self.bump();
        let binder = self.ident("a name for the value, as in `{v: T | p}`")?;
        if matches!(self.peek(), TokenKind::Punct("|" | "||" | "<" | "::" | "}")) {
            let name = &binder.name;
            let is_type = name.starts_with(char::is_uppercase) || is_scalar(name);
            let help = if is_type {
                format!("the value needs a name before its type: `{{v: {name} | ..}}`")
            } else {
                format!("the value needs a type: `{{{name}: T | ..}}`")
            };
            return Err(self.unexpected("`:` and a type, as in `{v: T | p}`").help(help));
        }
        self.expect(":", "`:` and a type, as in `{v: T | p}`")?;
        let base = Box::new(self.ty()?);
        if !self.eat_part("|") {
            let diagnostic = match self.peek() {
                TokenKind::End => self.unclosed("}", open),
                TokenKind::Punct("}") => self
                    .unexpected("`|` and a refinement")
                    .help("without one, write the type alone, with no braces"),
                TokenKind::Ident(word) if word == "where" => {
                    self.unexpected("`|`").help("`|` comes before `where` too: `{v: T | where ..}`")
                }
                _ => self.unexpected("`|`").help("`|` separates the type from the refinement: `{v: T | p}`"),
            };
            return Err(diagnostic);
        }
        let condition = self.condition()?;
        self.expect_close("}", open, "an operator, `where` or `}`")?;
        Ok(TypeKind::Refined { binder, base, condition })
    }

    /// `Vec<T>`, `Rng(n)`, `std::ops::Range<usize>`
    fn path_type(&mut self) -> Parse<TypeKind> {
        let is_function = |cursor: &Cursor| {
            let mut at = 1;
            while *cursor.peek_at(at + 1) == TokenKind::Punct("::") {
                at += 2;
            }
            matches!(cursor.peek_at(at), TokenKind::Ident(word) if ["Fn", "FnMut", "FnOnce"].contains(&word.as_str()))
        };
        if (self.at_word("impl") || self.at_word("dyn")) && is_function(self) {
            return Err(self.unexpected("a type").help("a function is written `fn(x: A) -> B`"));
        }
        if self.at_word("dyn") || self.at_word("impl") {
            return self.of_trait();
        }
        if self.at_word("_") {
            return Err(self.unexpected("a type").help("a spec names every type"));
        }
        if self.at_word("enum") || self.at_word("struct") {
            let help = "the fields of a struct or an enum are described in the table `[package.metadata.target.data]`";
            return Err(self.unexpected("a type").help(help));
        }
        let path = self.type_path()?;
        let mut generics = Vec::new();
        let mut args = Vec::new();
        if self.at("<") {
            let open = self.start();
            self.bump();
            generics = self.generics(open)?;
        }
        if self.at("(") {
            let last = path.last().map(|ident| ident.name.as_str());
            if last.is_some_and(|last| kind_of(last).is_some()) {
                return Err(self.unexpected("a type").help("a function is written `fn(x: A) -> B`"));
            }
            let open = self.start();
            self.bump();
            args = self.list(")", open, Cursor::expr)?.0;
        }
        Ok(TypeKind::Path { path, generics, args })
    }

    /// `dyn Error + Send + 'static`, `impl Pricing`: a path that begins with `dyn` or `impl`, without what follows the first trait.
    fn of_trait(&mut self) -> Parse<TypeKind> {
        let word = if self.at_word("dyn") { "dyn" } else { "impl" };
        let mut path = vec![Ident { name: word.to_owned(), span: self.here() }];
        self.bump();
        path.extend(self.type_path()?);
        let open = self.start();
        let generics = if self.eat("<") { self.trait_arguments(open)? } else { Vec::new() };
        self.further_bounds()?;
        Ok(TypeKind::Path { path, generics, args: Vec::new() })
    }

    pub(super) fn type_path(&mut self) -> Parse<Vec<Ident>> {
        let mut path = vec![self.ident("a type")?];
        while self.at("::") && *self.peek_at(1) != TokenKind::Punct("<") {
            self.bump();
            path.push(self.ident("a name")?);
        }
        self.eat("::");
        Ok(path)
    }

    /// The type arguments after `<`, and the `>`.
    pub(super) fn generics(&mut self, open: usize) -> Parse<Vec<Type>> {
        let mut generics = Vec::new();
        loop {
            if self.eat_part(">") {
                return Ok(generics);
            }
            match self.peek() {
                TokenKind::Lifetime => self.bump(),
                TokenKind::Int(..) | TokenKind::Char(_) | TokenKind::Byte(_) => {
                    generics.push(self.constant()?)
                }
                TokenKind::Punct("-") => generics.push(self.constant()?),
                TokenKind::Ident(word) if ["true", "false"].contains(&word.as_str()) => {
                    generics.push(self.constant()?);
                }
                _ => generics.push(self.ty()?),
            }
            if self.eat_part(">") {
                return Ok(generics);
            }
            if !self.eat(",") {
                self.expect_close(">", open, "`,` or `>`")?;
            }
        }
    }

    /// The arguments of a trait after `<`, and the `>`: types, and then `Item = T`.
    fn trait_arguments(&mut self, open: usize) -> Parse<Vec<Type>> {
        let is_associated = |cursor: &Cursor| {
            matches!(cursor.peek(), TokenKind::Ident(_)) && *cursor.peek_at(1) == TokenKind::Punct("=")
        };
        let mut arguments = Vec::new();
        while !self.at(">") {
            if !is_associated(self) {
                arguments.push(self.ty()?);
                if !self.eat(",") {
                    break;
                }
                continue;
            }
            let start = self.start();
            let name = self.ident("the name of an associated type")?;
            self.expect("=", "`=` and a type")?;
            let ty = Box::new(self.ty()?);
            arguments.push(Type { kind: TypeKind::Associated(name, ty), span: self.since(start) });
            if !self.eat(",") {
                break;
            }
        }
        if !self.eat_part(">") {
            self.expect_close(">", open, "`,` or `>`")?;
        }
        Ok(arguments)
    }

    /// The constant for a constant parameter.
    fn constant(&mut self) -> Parse<Type> {
        let start = self.start();
        let sign = if self.eat("-") { "-" } else { "" };
        let text = match self.peek() {
            TokenKind::Int(number, _) => Some(format!("{sign}{number}")),
            TokenKind::Byte(byte) if sign.is_empty() => Some(byte.to_string()),
            TokenKind::Char(c) if sign.is_empty() => Some(format!("{c:?}")),
            TokenKind::Ident(word) if sign.is_empty() => Some(word.clone()),
            _ => None,
        };
        let Some(text) = text else { return Err(self.unexpected("a constant")) };
        self.bump();
        Ok(Type { kind: TypeKind::Constant(text), span: self.since(start) })
    }

    /// The type after `as`, which takes no arguments: `x as u8 < y` is a comparison.
    pub fn cast_type(&mut self) -> Parse<Type> {
        let start = self.start();
        let mut path = vec![self.ident("a type")?];
        while self.eat("::") {
            path.push(self.ident("a name")?);
        }
        let kind = TypeKind::Path { path, generics: Vec::new(), args: Vec::new() };
        Ok(Type { kind, span: self.since(start) })
    }

    /// The left side of an alias, or the start of the left side of a measure.
    pub fn declaration_head(&mut self, expected: &str) -> Parse<DeclarationHead> {
        let name = self.ident(expected)?;
        if self.at("::") {
            let name = self.text.text.rsplit("::").next().unwrap_or_default();
            let help = format!("a name without a path: `{name}`; the path is in the entry's text");
            return Err(self.unexpected("the end, `<` or `(`").help(help));
        }
        let mut head = DeclarationHead { name, generics: Vec::new(), params: Vec::new() };
        let open = self.start();
        if self.eat("<") {
            head.generics = self
                .list(">", open, |cursor| {
                    let name = cursor.ident("the name of a type parameter")?;
                    if cursor.at(":") {
                        return Err(cursor.unexpected("`,` or `>`").help("bounds are left out in a spec"));
                    }
                    Ok(name)
                })?
                .0;
        }
        let open = self.start();
        if self.eat("(") {
            head.params = self.list(")", open, Cursor::param)?.0;
        }
        Ok(head)
    }
}

/// Whether a word is one of Rust's scalar types.
fn is_scalar(name: &str) -> bool {
    ["bool", "char", "str", "int"].contains(&name)
        || IntKind::from_name(name).is_some()
        || FloatKind::from_name(name).is_some()
}

/// The kind of functions that a word before their parameters names.
fn kind_of(word: &str) -> Option<CallbackKind> {
    match word {
        "fn" | "Fn" => Some(CallbackKind::Pure),
        "FnMut" => Some(CallbackKind::Stateful),
        "FnOnce" => Some(CallbackKind::Once),
        _ => None,
    }
}
