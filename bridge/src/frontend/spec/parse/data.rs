//! Views of data types, and the signatures of measures.

use super::cursor::{Cursor, Parse};
use crate::frontend::spec::ast::{
    CtorView, DataBody, Ident, MeasureSignature, Param, RustText, Type, TypeKind, Via, View,
};
use crate::frontend::spec::lex::TokenKind;

/// The words that may start the right side of an entry of the data table.
const STARTS: &str = "`enum`, `struct` or `via`";

impl Cursor<'_> {
    /// `enum Type { .. }`, `struct Type { .. }` or `via path(..)`.
    pub fn data_body(&mut self) -> Parse<DataBody> {
        if self.eat_word("via") {
            return Ok(DataBody::Via(self.via()?));
        }
        let is_enum = self.at_word("enum");
        if !is_enum && !self.at_word("struct") {
            return Err(self.unexpected_word(STARTS, &["enum", "struct", "via"]));
        }
        self.bump();
        let (target, name) = self.target()?;
        let ctors = if is_enum { self.variants()? } else { vec![self.fields(name)?] };
        Ok(DataBody::View(View { is_enum, target, ctors }))
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

    /// The function after `via`.
    fn via(&mut self) -> Parse<Via> {
        let mut function = vec![self.ident("the path of a function, such as `Date::from_ymd`")?];
        while self.eat("::") {
            function.push(self.ident("a name")?);
        }
        let open = self.start();
        self.expect("(", "`(` and the parameters, `name: Type`")?;
        let (pairs, _) = self.list(")", open, |cursor| {
            let param = cursor.param()?;
            let read = if cursor.eat("=") { Some(cursor.read_back()?) } else { None };
            Ok((param, read))
        })?;
        let (params, reads) = pairs.into_iter().unzip();
        Ok(Via { function, params, reads })
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
