//! The tables of other members of the workspace: aliases, views of data types and measures by the names `member::Name`.
//!
//! What a member's manifest says is in that member's own names. Here each path becomes one of the crate that depends on
//! it. The mistakes of these tables are told when the member itself is checked, and where a spec uses one.

use std::collections::BTreeSet;

use super::words;
use crate::frontend::catalog::{FnLookup, TypeLookup};
use crate::frontend::declarations::Declarations;
use crate::frontend::declarations::alias::Aliases;
use crate::frontend::declarations::measure::Measures;
use crate::frontend::declarations::view::Views;
use crate::frontend::manifest::MemberTables;
use crate::frontend::spec::ast::{
    Arm, Builder, Condition, DataBody, DeclarationHead, Expr, ExprKind, Ident, LetStmt, Param, Pat, PatKind,
    RustText, Signature, Type, TypeKind, Via,
};

/// Adds the tables of a member to those of a crate that depends on it.
pub(super) fn adopt(declarations: &mut Declarations, member: &MemberTables) {
    let mut mistakes = Vec::new();
    let aliases = Aliases::read(&member.manifest.types, &mut mistakes);
    let views = Views::read(&member.manifest.data, &mut mistakes);
    let measures = Measures::read(&member.manifest.measures, &mut mistakes);
    let names = aliases.sound.keys().chain(measures.sound.keys());
    let names = names.chain(views.all.iter().map(|view| &view.head.name.name)).cloned().collect();
    let mut moved = Moved { member, names, generics: Vec::new() };
    for mut alias in aliases.sound.into_values() {
        moved.head(&mut alias.head);
        moved.ty(&mut alias.body);
        declarations.aliases.sound.insert(alias.head.name.name.clone(), alias);
    }
    let moved_views = views.all.into_iter().map(|mut view| {
        moved.head(&mut view.head);
        moved.data(&mut view.body);
        view
    });
    declarations.views.adopt(moved_views.collect());
    for mut measure in measures.sound.into_values() {
        moved.head(&mut measure.signature.head);
        moved.ty(&mut measure.signature.result);
        measure.signature.decreases.iter_mut().for_each(|expr| moved.expr(expr));
        moved.expr(&mut measure.body);
        declarations.measures.sound.insert(measure.signature.head.name.name.clone(), measure);
    }
}

/// Replaces paths of a member by paths of the crate that depends on it.
struct Moved<'m> {
    member: &'m MemberTables,
    /// The names in the member's tables.
    names: BTreeSet<String>,
    /// The type parameters in scope.
    generics: Vec<String>,
}

impl Moved<'_> {
    fn head(&mut self, head: &mut DeclarationHead) {
        self.generics = head.generics.iter().map(|name| name.name.clone()).collect();
        head.name.name = self.own(&head.name.name);
        self.params(&mut head.params);
    }

    /// A name in the member's tables.
    fn own(&self, name: &str) -> String {
        format!("{}::{name}", self.member.name)
    }

    fn data(&self, body: &mut DataBody) {
        match body {
            DataBody::View(view) => {
                // What a view refines is in the source, also where the view has its name.
                if let TypeKind::Path { path, generics, args } = &mut view.target.kind {
                    self.source_path(path);
                    generics.iter_mut().for_each(|ty| self.ty(ty));
                    self.exprs(args);
                }
                view.ctors.iter_mut().for_each(|ctor| self.params(&mut ctor.fields));
            }
            DataBody::Via(via) => self.via(via),
        }
    }

    fn via(&self, via: &mut Via) {
        via.builders.iter_mut().for_each(|builder| self.builder(builder));
        if let Some(built) = &mut via.built {
            let is_type = |name: &str| matches!(self.member.catalog.type_(&[name]), TypeLookup::Found(_));
            built.text = words::replace(&built.text, |word| is_type(word).then(|| self.own(word)));
        }
    }

    fn builder(&self, builder: &mut Builder) {
        self.params(&mut builder.params);
        builder.reads.iter_mut().flatten().for_each(|code| self.code(code));
        let names = names(&builder.function);
        let of_function = match self.member.catalog.function(&names) {
            // The path is compiled outside of the member.
            FnLookup::Found(item) => item.public_path.clone(),
            FnLookup::Private(_) => Some(rooted(&builder.function)),
            FnLookup::Ambiguous(_) | FnLookup::NotAFunction(_) | FnLookup::Missing => None,
        };
        match of_function {
            Some(path) => self.replace(&mut builder.function, &path),
            None => self.value_path(&mut builder.function),
        }
    }

    /// Code for rustc: it sees the public names of the member's root.
    fn code(&self, code: &mut RustText) {
        let name = &self.member.name;
        let text = words::replace(&code.text, |word| (word == "crate").then(|| name.clone()));
        code.text = format!("{{ #[allow(unused_imports)] use {name}::*; {text} }}");
    }

    fn params(&self, params: &mut [Param]) {
        params.iter_mut().for_each(|param| self.ty(&mut param.ty));
    }

    fn ty(&self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Path { path, generics, args } => {
                self.type_path(path);
                generics.iter_mut().for_each(|ty| self.ty(ty));
                self.exprs(args);
            }
            TypeKind::Ref { inner, .. } | TypeKind::Slice(inner) | TypeKind::Associated(_, inner) => {
                self.ty(inner)
            }
            TypeKind::Tuple(parts) => parts.iter_mut().for_each(|part| self.ty(part)),
            TypeKind::Array(element, length) => {
                self.ty(element);
                self.expr(length);
            }
            TypeKind::Constant(_) => {}
            TypeKind::Function(_, signature) => self.signature(signature),
            TypeKind::Refined { base, condition, .. } => {
                self.ty(base);
                self.condition(condition);
            }
        }
    }

    fn signature(&self, signature: &mut Signature) {
        self.params(&mut signature.params);
        signature.result.iter_mut().for_each(|ty| self.ty(ty));
        let conditions = signature.requires.iter_mut().chain(&mut signature.ensures);
        conditions.chain(&mut signature.panics_if).for_each(|condition| self.condition(condition));
    }

    fn condition(&self, condition: &mut Condition) {
        condition.expr.iter_mut().for_each(|expr| self.expr(expr));
        condition.opaque.iter_mut().for_each(|code| self.code(code));
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&self, expr: &mut Expr) {
        match &mut expr.kind {
            #[rustfmt::skip]
            ExprKind::Bool(_) | ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Char(_) | ExprKind::Byte(_)
            | ExprKind::Str(..) | ExprKind::ByteStr(_) | ExprKind::Unreachable => {}
            ExprKind::Path(path) => self.value_path(path),
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Closure(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Repeat(a, b)
            | ExprKind::VecRepeat(a, b) => self.both(a, b),
            ExprKind::If(c, a, b) => {
                self.both(c, a);
                b.iter_mut().for_each(|b| self.expr(b));
            }
            ExprKind::IfLet(pat, e, a, b) => {
                self.pat(pat);
                self.both(e, a);
                b.iter_mut().for_each(|b| self.expr(b));
            }
            ExprKind::Match(of, arms) => {
                self.expr(of);
                arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            ExprKind::Block(lets, tail) => {
                for LetStmt { pat, value } in lets {
                    self.pat(pat);
                    self.expr(value);
                }
                self.expr(tail);
            }
            ExprKind::Range { lo, hi, .. } => lo.iter_mut().chain(hi).for_each(|end| self.expr(end)),
            ExprKind::Call(function, args) => {
                match &mut function.kind {
                    ExprKind::Path(path) => self.function_path(path),
                    _ => self.expr(function),
                }
                self.exprs(args);
            }
            ExprKind::MethodCall(of, _, args) => {
                self.expr(of);
                self.exprs(args);
            }
            ExprKind::Tuple(parts) | ExprKind::Array(parts) | ExprKind::Vec(parts) | ExprKind::Set(parts) => {
                self.exprs(parts)
            }
            ExprKind::Matches(of, pat, guard) => {
                self.expr(of);
                self.pat(pat);
                guard.iter_mut().for_each(|guard| self.expr(guard));
            }
            ExprKind::Struct(path, fields) => {
                self.value_path(path);
                fields.iter_mut().for_each(|(_, value)| self.expr(value));
            }
            ExprKind::Cast(of, ty) => {
                self.expr(of);
                self.ty(ty);
            }
        }
    }

    fn both(&self, a: &mut Expr, b: &mut Expr) {
        self.expr(a);
        self.expr(b);
    }

    fn arm(&self, Arm { pat, guard, body }: &mut Arm) {
        self.pat(pat);
        guard.iter_mut().for_each(|guard| self.expr(guard));
        self.expr(body);
    }

    fn pat(&self, pat: &mut Pat) {
        match &mut pat.kind {
            PatKind::Wild => {}
            PatKind::Bind(_, inner) => inner.iter_mut().for_each(|pat| self.pat(pat)),
            PatKind::Lit(value) => self.expr(value),
            PatKind::Range { lo, hi, .. } => lo.iter_mut().chain(hi).for_each(|end| self.expr(end)),
            PatKind::Path(path) => self.value_path(path),
            PatKind::TupleStruct(path, parts, _) => {
                self.value_path(path);
                parts.iter_mut().for_each(|part| self.pat(part));
            }
            PatKind::Struct(path, fields, _) => {
                self.value_path(path);
                fields.iter_mut().for_each(|(_, part)| self.pat(part));
            }
            PatKind::Tuple(parts, _) | PatKind::Or(parts) => {
                parts.iter_mut().for_each(|part| self.pat(part));
            }
            PatKind::Slice { before, after, .. } => {
                before.iter_mut().chain(after).for_each(|part| self.pat(part));
            }
        }
    }

    /// A type: of the tables, or of the member's source.
    fn type_path(&self, path: &mut Vec<Ident>) {
        if let [only] = path.as_mut_slice() {
            if self.generics.contains(&only.name) {
                return;
            }
            if self.names.contains(&only.name) {
                only.name = self.own(&only.name);
                return;
            }
        }
        self.source_path(path);
    }

    /// A type of the member's source.
    fn source_path(&self, path: &mut Vec<Ident>) {
        let catalog = &self.member.catalog;
        let found = match catalog.type_(&names(path)) {
            TypeLookup::Found(id) => catalog.item(id).path.clone(),
            TypeLookup::Alias(..) | TypeLookup::Foreign(_) => rooted(path),
            TypeLookup::Ambiguous(_) | TypeLookup::NotAType(_) | TypeLookup::Missing => return,
        };
        self.replace(path, &found);
    }

    /// A measure, or a constructor.
    fn function_path(&self, path: &mut Vec<Ident>) {
        match path.as_mut_slice() {
            [only] if self.names.contains(&only.name) => only.name = self.own(&only.name),
            _ => self.value_path(path),
        }
    }

    /// A constructor or a constant; anything else is a variable.
    fn value_path(&self, path: &mut Vec<Ident>) {
        let catalog = &self.member.catalog;
        let names = names(path);
        let found = match catalog.constructor(&names) {
            Some((id, index)) if catalog.item(id).is_enum => {
                format!("{}::{}", catalog.item(id).path, catalog.item(id).ctors[index as usize].name)
            }
            Some((id, _)) => catalog.item(id).path.clone(),
            None if catalog.constant(&names).is_some() => rooted(path),
            None => return,
        };
        self.replace(path, &found);
    }

    /// Replaces a path by one below the member's root.
    fn replace(&self, path: &mut Vec<Ident>, found: &str) {
        let Some(span) = path.iter().map(|ident| ident.span).reduce(|all, span| all.to(span)) else { return };
        let names = std::iter::once(self.member.name.as_str()).chain(found.split("::"));
        *path = names.map(|name| Ident { name: name.to_owned(), span }).collect();
    }
}

fn names(path: &[Ident]) -> Vec<&str> {
    path.iter().map(|ident| ident.name.as_str()).collect()
}

/// A path from the root of the member that has it.
fn rooted(path: &[Ident]) -> String {
    let names = names(path);
    let names = match names.as_slice() {
        ["crate" | "self", rest @ ..] => rest,
        names => names,
    };
    names.join("::")
}
