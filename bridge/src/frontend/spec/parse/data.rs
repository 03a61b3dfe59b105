//! Views of data types, and the signatures of measures.

use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::{
    Builder, CtorView, DataBody, Ident, MeasureSignature, Param, RustText, Type, TypeKind, Via, View,
    ViewKind,
};
use crate::frontend::spec::lex::TokenKind;

/// The words that may start the right side of an entry of the data table.
const STARTS: &str = "`enum`, `struct`, `trait` or `via`";

impl Cursor<'_> {
    /// `enum Type { .. }`, `struct Type { .. }`, `trait Trait { .. }` or `via path(..) | path(..)`.
    pub fn data_body(&mut self) -> Parse<DataBody> {
        if self.eat_word("via") {
            return Ok(DataBody::Via(self.via()?));
        }
        let kinds = [ViewKind::Enum, ViewKind::Struct, ViewKind::Trait];
        let Some(kind) = kinds.into_iter().find(|kind| self.at_word(kind.word())) else {
            let diagnostic = self.unexpected_word(STARTS, &["enum", "struct", "trait", "via"]);
            let help = "a refined type is named in the table `[package.metadata.target.types]`";
            return Err(if self.at("{") { diagnostic.help(help) } else { diagnostic });
        };
        self.bump();
        let (target, name) = self.target()?;
        let ctors = match kind {
            ViewKind::Enum => self.variants()?,
            ViewKind::Struct => vec![self.fields(name)?],
            ViewKind::Trait => vec![self.methods(name)?],
        };
        Ok(DataBody::View(View { kind, target, ctors }))
    }

    /// The type that a view refines, and the last word of its path.
    fn target(&mut self) -> Parse<(Type, Ident)> {
        let start = self.start();
        let path = self.type_path()?;
        let name = path[path.len() - 1].clone();
        let open = self.start();
        let generics = if self.eat("<") { self.generics(open)? } else { Vec::new() };
        let kind = TypeKind::Path { path, generics, args: Vec::new() };
        Ok((Type { kind, span: self.since(start) }, name))
    }

    fn variants(&mut self) -> Parse<Vec<CtorView>> {
        let open = self.start();
        self.expect("{", "`{` and the constructors")?;
        let (ctors, _) = self.list("}", open, |cursor| {
            let name = cursor.ident("the name of a constructor")?;
            cursor.fields(name)
        })?;
        Ok(ctors)
    }

    /// The fields after the name of a constructor, if it has any.
    fn fields(&mut self, name: Ident) -> Parse<CtorView> {
        let open = self.start();
        let named = self.at("{");
        let mut fields = Vec::new();
        if self.eat("{") {
            fields = self.list("}", open, Cursor::field)?.0;
        } else if self.eat("(") {
            fields = self.list(")", open, Cursor::field)?.0;
        }
        Ok(CtorView { name, fields, named })
    }

    /// The methods of a trait, in braces.
    fn methods(&mut self, name: Ident) -> Parse<CtorView> {
        let open = self.start();
        self.expect("{", "`{` and the methods")?;
        let mut fields = Vec::new();
        while !self.eat("}") {
            if *self.peek() == TokenKind::End {
                return Err(self.unclosed("}", open));
            }
            fields.push(self.method()?);
        }
        Ok(CtorView { name, fields, named: true })
    }

    fn field(&mut self) -> Parse<Param> {
        if self.at_word("pub") {
            return Err(self.unexpected("a field, `name: Type`").help("leave `pub` out"));
        }
        let named = *self.peek_at(1) == TokenKind::Punct(":");
        if !named {
            let help = "every field has a name here, so that others can mention it: `left: Tree`";
            return Err(self.unexpected("a field, `name: Type`").help(help));
        }
        self.param()
    }

    /// The functions after `via`.
    fn via(&mut self) -> Parse<Via> {
        let (mut builders, mut built) = (vec![self.builder()?], None);
        loop {
            if built.is_none() && self.eat("->") {
                built = Some(self.rust_until_bar("the type that the function builds")?);
            }
            if !self.eat("|") {
                break;
            }
            builders.push(self.builder()?);
        }
        if let [_, _, ..] = builders.as_slice()
            && let Some(read) = builders.iter().flat_map(|builder| &builder.reads).flatten().next()
        {
            let message = "a type that several functions build can't be read back";
            return Err(Diagnostic::error(read.span, message));
        }
        Ok(Via { builders, built })
    }

    /// The path of a function; one that begins with a type in `<>` becomes one name.
    fn builder_path(&mut self) -> Parse<Vec<Ident>> {
        let start = self.start();
        let mut open = 0;
        while open > 0 || self.at("<") {
            let TokenKind::Punct(sign) = *self.peek() else {
                if *self.peek() == TokenKind::End {
                    return Err(self.unexpected("`>`"));
                }
                self.bump();
                continue;
            };
            if !["->", "=>", "<=", ">="].contains(&sign) {
                open += sign.matches('<').count();
                open = open.saturating_sub(sign.matches('>').count());
            }
            self.bump();
        }
        let is_qualified = self.end() > start;
        if is_qualified {
            self.expect("::", "`::` and the name of a function")?;
        }
        let mut function = vec![self.ident("the path of a function, such as `Date::from_ymd`")?];
        if is_qualified {
            let (name, span) = (self.text.text[start..self.end()].to_owned(), self.since(start));
            return Ok(vec![Ident { name, span }]);
        }
        while self.eat("::") {
            function.push(self.ident("a name")?);
        }
        Ok(function)
    }

    fn builder(&mut self) -> Parse<Builder> {
        let function = self.builder_path()?;
        let is_capital = |ident: &Ident| ident.name.starts_with(char::is_uppercase);
        let is_constant = match function.as_slice() {
            // A variant of an enum: `ErrorKind::NotFound`.
            [.., of, name] if is_capital(of) && is_capital(name) => true,
            [.., name] => !name.name.contains(|c: char| c.is_lowercase()),
            [] => false,
        };
        if !self.at("(") && !self.at("{") && is_constant {
            let (params, reads) = (Vec::new(), Vec::new());
            return Ok(Builder { function, params, reads, changes: false, named: false, is_constant: true });
        }
        let open = self.start();
        let named = self.eat("{");
        if !named {
            self.expect("(", "`(` and the parameters, `name: Type`")?;
        }
        let (pairs, _) = self.list(if named { "}" } else { ")" }, open, |cursor| {
            let param = cursor.param()?;
            let read = if cursor.eat("=") { Some(cursor.read_back()?) } else { None };
            Ok((param, read))
        })?;
        let (mut params, reads): (Vec<Param>, _) = pairs.into_iter().unzip();
        let first = params.first_mut().map(|param| &mut param.ty);
        let changed = first.and_then(|ty| match &ty.kind {
            TypeKind::Ref { mutable: true, inner } => Some((inner.as_ref().clone(), ty)),
            _ => None,
        });
        let changes = changed.is_some();
        if let Some((inner, ty)) = changed {
            *ty = inner;
        }
        Ok(Builder { function, params, reads, changes, named, is_constant: false })
    }

    fn read_back(&mut self) -> Parse<RustText> {
        self.rust_until_comma("a Rust expression of `self`, such as `self.year()`")
    }

    /// `keys<T>(t: Tree<T>) -> Set<T> decreases e`
    pub fn measure_signature(&mut self) -> Parse<MeasureSignature> {
        let head = self.declaration_head("the name of a measure, such as `height(t: Tree) -> int`")?;
        if head.params.is_empty() {
            let help = "a measure has parameters: `height(t: Tree) -> int`";
            return Err(self.unexpected("`(` and the parameters").help(help));
        }
        self.expect("->", "`->` and the type of the result")?;
        let result = self.ty()?;
        let decreases = if self.eat_word("decreases") { Some(self.expr()?) } else { None };
        Ok(MeasureSignature { head, result, decreases })
    }
}
