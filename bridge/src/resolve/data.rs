//! The data types of one spec: structs, enums, `Option` and `Result`, at the instances that the spec mentions.
//!
//! `Tree<Pos>` and `Tree<i64>` are two instances, since a [`target_strategies::ir::Sort`] carries its refinements; the
//! logic doesn't tell them apart, so each instance knows its *base*, the one without refinements and pointers.

mod declared;
mod text;

use std::collections::BTreeSet;

use target_strategies::ir::{
    Clause, Ctor, Data, DataId, Field, IntKind, MapKind, Refined, SeqKind, SetKind, Sort, StrKind,
};

use crate::catalog::{Catalog, CtorItem, TypeId};
use crate::logic_type::Ty;
use crate::spec::ast::Ident;

pub use self::text::rust_type;

/// How many instances a spec may have; only types that contain ever larger instances of themselves reach it.
const MAX_INSTANCES: usize = 256;
/// How deep instances may nest while they are made.
const MAX_NESTING: u32 = 48;

/// The instances that a spec mentions so far.
#[derive(Clone, Debug)]
pub struct DataTable<'c> {
    /// The crate's types.
    pub catalog: &'c Catalog,
    /// The instances by [`DataId`].
    pub data: Vec<Data>,
    /// The next slot for a binder inside a term, unique in the spec.
    pub next_local: u32,
    keys: Vec<Key>,
    bases: Vec<DataId>,
    nesting: u32,
    marked: usize,
}

/// What an instance is an instance of.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `Option<T>`
    Option(Ty),
    /// `Result<T, E>`
    Result(Ty, Ty),
    /// A struct or an enum of the crate.
    User(TypeId, Vec<Ty>),
}

/// An instance's identity: the constructor of the type and its arguments.
#[derive(Clone, Debug)]
struct Key {
    head: Head,
    args: Vec<Refined>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Option,
    Result,
    User(TypeId),
}

/// Where a type of the source stands, which decides what is supported there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In a parameter.
    Input,
    /// In a field of a data type.
    Field,
    /// In a result, where the tool may fail to look into a part.
    Output,
}

impl<'c> DataTable<'c> {
    /// A table without instances.
    pub fn new(catalog: &'c Catalog, first_local_slot: u32) -> DataTable<'c> {
        DataTable {
            catalog,
            data: Vec::new(),
            next_local: first_local_slot,
            keys: Vec::new(),
            bases: Vec::new(),
            nesting: 0,
            marked: 0,
        }
    }

    /// The instance behind an id.
    pub fn get(&self, id: DataId) -> &Data {
        &self.data[id.0 as usize]
    }

    /// `Option<element>`, without refinements.
    pub fn option(&mut self, element: &Ty) -> DataId {
        let element = self.plain(element);
        self.option_of(element)
    }

    /// `Result<ok, err>`, without refinements.
    pub fn result(&mut self, ok: &Ty, err: &Ty) -> DataId {
        let (ok, err) = (self.plain(ok), self.plain(err));
        self.result_of(ok, err)
    }

    /// `Option<element>`
    pub fn option_of(&mut self, element: Refined) -> DataId {
        let rust_type = format!("Option<{}>", self.rust_type(&element));
        let some = Ctor {
            rust_path: "Some".to_owned(),
            fields: vec![Field { name: "0".to_owned(), refined: element.clone() }],
            named: false,
            recursive: false,
        };
        let none = Ctor { rust_path: "None".to_owned(), fields: Vec::new(), named: false, recursive: false };
        self.builtin(Head::Option, vec![element], Data { rust_type, ctors: vec![none, some] })
    }

    /// `Result<ok, err>`
    pub fn result_of(&mut self, ok: Refined, err: Refined) -> DataId {
        let rust_type = format!("Result<{}, {}>", self.rust_type(&ok), self.rust_type(&err));
        let ctor = |name: &str, refined: &Refined| Ctor {
            rust_path: name.to_owned(),
            fields: vec![Field { name: "0".to_owned(), refined: refined.clone() }],
            named: false,
            recursive: false,
        };
        let ctors = vec![ctor("Ok", &ok), ctor("Err", &err)];
        self.builtin(Head::Result, vec![ok, err], Data { rust_type, ctors })
    }

    fn builtin(&mut self, head: Head, args: Vec<Refined>, data: Data) -> DataId {
        if let Some(id) = self.interned(head, &args) {
            return id;
        }
        let base_args: Vec<Refined> = args.iter().map(|arg| self.plain(&self.ty_of(arg))).collect();
        let is_base = base_args.iter().zip(&args).all(|(a, b)| same_refined(a, b));
        let base = match (head, base_args.as_slice()) {
            (Head::Option, [element]) if !is_base => Some(self.option_of(element.clone())),
            (Head::Result, [ok, err]) if !is_base => Some(self.result_of(ok.clone(), err.clone())),
            _ => None,
        };
        let id = self.reserve(head, args, data.rust_type, base);
        self.data[id.0 as usize].ctors = data.ctors;
        if self.nesting == 0 {
            self.mark_recursion();
        }
        id
    }

    /// A struct or enum of the crate at the given arguments; or why that can't be.
    pub fn instance(&mut self, ty: TypeId, args: Vec<Refined>) -> Result<DataId, String> {
        let head = Head::User(ty);
        if let Some(id) = self.interned(head, &args) {
            return Ok(id);
        }
        let item = self.catalog.item(ty);
        let Some(public_path) = &item.public_path else {
            return Err(format!("`{}` is private; private types are not supported yet", item.path));
        };
        if args.len() != item.generics.len() {
            return Err(format!(
                "`{}` has {}, not {}",
                item.path,
                counted(item.generics.len(), "type parameter"),
                args.len()
            ));
        }
        if self.data.len() >= MAX_INSTANCES || self.nesting >= MAX_NESTING {
            return Err(format!("`{}` contains too many different instances of types", item.path));
        }
        let base_args: Vec<Refined> = args.iter().map(|arg| self.plain(&self.ty_of(arg))).collect();
        let is_base = base_args.iter().zip(&args).all(|(a, b)| same_refined(a, b));
        let base = if is_base { None } else { Some(self.instance(ty, base_args)?) };
        let path = self.catalog.outside_path(public_path);
        let rust_type = format!("{path}{}", self.rust_args(&args));
        let id = self.reserve(head, args, rust_type, base);
        self.nesting += 1;
        let filled = self.fill(id, ty, &path);
        self.nesting -= 1;
        if let Err(reason) = filled {
            // What was made since may mention the failed instance.
            self.data.truncate(id.0 as usize);
            self.keys.truncate(id.0 as usize);
            self.bases.truncate(id.0 as usize);
            self.marked = self.marked.min(id.0 as usize);
            return Err(reason);
        }
        if self.nesting == 0 {
            self.mark_recursion();
        }
        Ok(id)
    }

    fn fill(&mut self, id: DataId, ty: TypeId, path: &str) -> Result<(), String> {
        // Behind a shared reference that outlives `self`, so that the table can grow meanwhile.
        let catalog = self.catalog;
        let item = catalog.item(ty);
        let env: Vec<(String, Refined)> =
            item.generics.iter().cloned().zip(self.keys[id.0 as usize].args.iter().cloned()).collect();
        let mut ctors = Vec::with_capacity(item.ctors.len());
        for ctor in &item.ctors {
            let rust_path = if item.is_enum { format!("{path}::{}", ctor.name) } else { path.to_owned() };
            let whose =
                if item.is_enum { format!("{}::{}", item.path, ctor.name) } else { item.path.clone() };
            let fields = self.fields(ctor, &whose, &env)?;
            ctors.push(Ctor { rust_path, fields, named: ctor.named, recursive: false });
        }
        self.data[id.0 as usize].ctors = ctors;
        Ok(())
    }

    fn fields(
        &mut self,
        ctor: &CtorItem,
        whose: &str,
        env: &[(String, Refined)],
    ) -> Result<Vec<Field>, String> {
        let mut fields = Vec::with_capacity(ctor.fields.len());
        for field in &ctor.fields {
            if !field.public {
                return Err(format!(
                    "the field `{}` of `{whose}` is private; types with private fields are not supported yet",
                    field.name
                ));
            }
            let refined = self.declared(&field.ty, env, Position::Field).map_err(|reason| {
                // The innermost field says most.
                let place = format!("in the field `{}` of `{whose}`: ", field.name);
                if reason.starts_with("in the field") { reason } else { place + &reason }
            })?;
            fields.push(Field { name: field.name.clone(), refined });
        }
        Ok(fields)
    }

    fn interned(&self, head: Head, args: &[Refined]) -> Option<DataId> {
        let same = |key: &Key| {
            key.head == head
                && key.args.len() == args.len()
                && key.args.iter().zip(args).all(|(a, b)| same_refined(a, b))
        };
        self.keys.iter().position(same).map(|index| DataId(index as u32))
    }

    /// Takes the next id, so that the fields may mention it; without a `base` it is its own.
    fn reserve(&mut self, head: Head, args: Vec<Refined>, rust_type: String, base: Option<DataId>) -> DataId {
        let id = DataId(self.data.len() as u32);
        self.data.push(Data { rust_type, ctors: Vec::new() });
        self.keys.push(Key { head, args });
        self.bases.push(base.unwrap_or(id));
        id
    }

    /// Marks the recursive constructors of what is new; older instances can't mention it.
    fn mark_recursion(&mut self) {
        for index in self.marked..self.data.len() {
            let recursive = |ctor: &Ctor| {
                let mut direct = Vec::new();
                ctor.fields.iter().for_each(|field| mentioned(&field.refined, &mut direct));
                self.can_reach(direct, index)
            };
            let flags: Vec<bool> = self.data[index].ctors.iter().map(recursive).collect();
            for (ctor, recursive) in self.data[index].ctors.iter_mut().zip(flags) {
                ctor.recursive = recursive;
            }
        }
        self.marked = self.data.len();
    }

    /// Whether a value of one of the instances can contain one of the instance with this index.
    fn can_reach(&self, mut open: Vec<DataId>, index: usize) -> bool {
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if id.0 as usize == index {
                return true;
            }
            // Instances older than this one were complete before it was there.
            if (id.0 as usize) >= self.marked && seen.insert(id) {
                for field in self.get(id).ctors.iter().flat_map(|ctor| &ctor.fields) {
                    mentioned(&field.refined, &mut open);
                }
            }
        }
        false
    }

    /// The canonical Rust type of a type of the logic, without refinements.
    pub fn plain(&self, ty: &Ty) -> Refined {
        Refined::plain(match ty {
            Ty::Bool => Sort::Bool,
            Ty::Int(kind) => Sort::Int(kind.unwrap_or(IntKind::I128)),
            Ty::Float => Sort::Float,
            Ty::Char => Sort::Char,
            Ty::Str => Sort::Str(StrKind::String),
            Ty::Seq(element) => Sort::Seq(Box::new(self.plain(element)), SeqKind::Vec),
            Ty::Set(element) => Sort::Set(Box::new(self.plain(element)), SetKind::BTree),
            Ty::Bag(element) => Sort::Set(Box::new(self.plain(element)), SetKind::Bag),
            Ty::Map(key, value) => {
                Sort::Map(Box::new(self.plain(key)), Box::new(self.plain(value)), MapKind::BTree)
            }
            Ty::Tuple(parts) => Sort::Tuple(parts.iter().map(|part| self.plain(part)).collect()),
            Ty::Data(id) => Sort::Data(*id),
            Ty::Opaque => Sort::Opaque("_".to_owned()),
        })
    }

    /// The type that the logic sees: no pointers, no refinements, one kind of sequence.
    pub fn ty_of(&self, refined: &Refined) -> Ty {
        match &refined.sort {
            Sort::Bool => Ty::Bool,
            Sort::Char => Ty::Char,
            Sort::Int(kind) => Ty::Int(Some(*kind)),
            Sort::Float => Ty::Float,
            Sort::Str(_) => Ty::Str,
            Sort::Seq(element, _) => Ty::Seq(Box::new(self.ty_of(element))),
            Sort::Set(element, SetKind::Bag) => Ty::Bag(Box::new(self.ty_of(element))),
            Sort::Set(element, _) => Ty::Set(Box::new(self.ty_of(element))),
            Sort::Map(key, value, _) => Ty::Map(Box::new(self.ty_of(key)), Box::new(self.ty_of(value))),
            Sort::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.ty_of(part)).collect()),
            Sort::Data(id) => Ty::Data(self.bases[id.0 as usize]),
            Sort::Opaque(_) => Ty::Opaque,
        }
    }

    /// The types of a constructor's fields.
    pub fn field_tys(&self, id: DataId, ctor: u32) -> Vec<Ty> {
        let fields = &self.get(id).ctors[ctor as usize].fields;
        fields.iter().map(|field| self.ty_of(&field.refined)).collect()
    }

    /// Whether two types differ in the widths of integers at most.
    pub fn compatible(&self, a: &Ty, b: &Ty) -> bool {
        match (a, b) {
            (Ty::Int(_), Ty::Int(_)) => true,
            (Ty::Seq(a), Ty::Seq(b)) | (Ty::Set(a), Ty::Set(b)) | (Ty::Bag(a), Ty::Bag(b)) => {
                self.compatible(a, b)
            }
            (Ty::Map(k, v), Ty::Map(l, w)) => self.compatible(k, l) && self.compatible(v, w),
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.compatible(a, b))
            }
            (Ty::Data(a), Ty::Data(b)) => {
                let (a, b) = (&self.keys[a.0 as usize], &self.keys[b.0 as usize]);
                a.head == b.head
                    && a.args.len() == b.args.len()
                    && a.args
                        .iter()
                        .zip(&b.args)
                        .all(|(a, b)| self.compatible(&self.ty_of(a), &self.ty_of(b)))
            }
            (a, b) => a == b,
        }
    }

    /// What an instance is an instance of, refinements left out.
    pub fn item_of(&self, id: DataId) -> Item {
        let key = &self.keys[id.0 as usize];
        let mut args = key.args.iter().map(|arg| self.ty_of(arg));
        match key.head {
            Head::Option => Item::Option(args.next().unwrap_or(Ty::Opaque)),
            Head::Result => {
                let ok = args.next().unwrap_or(Ty::Opaque);
                Item::Result(ok, args.next().unwrap_or(Ty::Opaque))
            }
            Head::User(ty) => Item::User(ty, args.collect()),
        }
    }

    /// The constructor of one of the crate's types that a path names: `Tree::Node`, or `Point` for a struct.
    pub fn constructor(&self, path: &[Ident]) -> Option<(TypeId, u32)> {
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        self.catalog.constructor(&names)
    }
}

/// Whether two refined types are the same, wherever their clauses stand.
pub fn same_refined(a: &Refined, b: &Refined) -> bool {
    let same_clause = |a: &Clause, b: &Clause| a.text == b.text && a.term == b.term;
    a.pointers == b.pointers
        && a.clauses.len() == b.clauses.len()
        && a.clauses.iter().zip(&b.clauses).all(|(a, b)| same_clause(a, b))
        && match (&a.sort, &b.sort) {
            (Sort::Seq(a, j), Sort::Seq(b, k)) => j == k && same_refined(a, b),
            (Sort::Set(a, j), Sort::Set(b, k)) => j == k && same_refined(a, b),
            (Sort::Map(k, v, i), Sort::Map(l, w, j)) => i == j && same_refined(k, l) && same_refined(v, w),
            (Sort::Tuple(a), Sort::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_refined(a, b))
            }
            (a, b) => a == b,
        }
}

/// The data types that a type mentions directly.
fn mentioned(refined: &Refined, into: &mut Vec<DataId>) {
    match &refined.sort {
        Sort::Data(id) => into.push(*id),
        _ => refined.inner().into_iter().for_each(|part| mentioned(part, into)),
    }
}

/// `1 parameter`, `2 parameters`
pub fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
