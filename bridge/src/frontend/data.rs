//! The data types of one spec: structs, enums, `Option` and `Result`, at the instances in the spec.
//!
//! `Tree<Pos>` and `Tree<i64>` are two instances, since a [`target_strategies::logic::ir::Sort`] carries its
//! refinements. The logic doesn't distinguish them, so each instance knows its *base*, the instance without refinements
//! and pointers.

mod declared;
pub mod derivation;
pub mod declared_type;
pub mod function;
pub mod key;
mod measure;
pub(in crate::frontend) mod object;
mod logic;
mod regex;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use target_strategies::logic::ir::{
    Callback, Clause, Ctor, Data, DataId, Field, Program, Refined, Regex, RegexId, Sort, StrKind,
};
use target_strategies::logic::part::Path;

use crate::frontend::catalog::{Catalog, ConstantKind, CtorItem, Opening, TypeId, TypeItem};
use crate::frontend::declarations::Declarations;
use crate::frontend::diagnostic::{Span, counted};
use crate::frontend::logic_type::Ty;
use crate::frontend::subject::{Cover, Opaque};

use self::declared_type::{is_unsized, type_text};
use self::function::{FunctionKey, FunctionTable};
use self::key::{Key, TypeConstructor};
pub use self::text::rust_type;

/// Maximum number of instances in a spec; only types that contain ever larger instances of themselves reach it.
pub(in crate::frontend) const MAX_INSTANCES: usize = 256;
/// Maximum nesting depth of instances under construction.
pub(in crate::frontend) const MAX_NESTING: u32 = 48;

/// Maximum number of parts of a type that is part of another type.
pub(in crate::frontend) const LARGEST: usize = 2_000;

/// The instances in a spec so far, and the tables that grow with them.
///
/// [`crate::frontend::resolve`] adds the methods that read types as written: a type may contain conditions, whose
/// measures have types in turn.
#[derive(Clone, Debug)]
pub struct DataTable<'c> {
    /// The crate's types.
    pub catalog: &'c Catalog,
    /// The instances by [`DataId`].
    pub data: Vec<Data>,
    /// The next slot for a binder inside a term, unique in the spec.
    pub next_local: u32,
    /// The slot of the refined value inside a refinement.
    pub value_slot: u32,
    /// The types of functions among the arguments.
    pub callbacks: Vec<Callback>,
    /// Whether the relation of a set of different inputs is read.
    pub is_relation: bool,
    /// The regular expressions that parameters and their fields are declared to match.
    pub declared: BTreeMap<Path, String>,
    /// The uses of `cover` in the relation.
    pub covers: Vec<Cover>,
    /// The functions.
    pub functions: FunctionTable,
    /// The regular expressions, by [`target_strategies::logic::ir::RegexId`], each text once.
    pub regexes: Vec<Regex>,
    /// Those that no condition has in its text.
    pub implied_regexes: BTreeSet<RegexId>,
    /// Uses of fields that can't be read back from a value built by a function.
    pub(in crate::frontend) unread: Vec<Unread>,
    /// The span of each clause, by its id.
    pub clause_spans: Vec<Span>,
    /// The `where` conditions, by number.
    pub opaques: Vec<Opaque>,
    /// The opaque types whose text conditions read.
    pub displayed: BTreeSet<String>,
    /// The types of the crate whose text conditions read.
    pub texts_wanted: BTreeSet<TypeId>,
    /// The types of the crate that are opaque now, so that only their text is known.
    pub as_text: BTreeSet<TypeId>,
    /// The declarations of the manifest.
    pub declarations: &'c Declarations,
    pub(in crate::frontend) keys: Vec<Key>,
    pub(in crate::frontend) bases: Vec<DataId>,
    pub(in crate::frontend) nesting: u32,
    /// Number of types resolved.
    pub(in crate::frontend) nodes: u32,
    marked: usize,
    /// The items to open for functions that build values.
    pub(in crate::frontend) opened: Vec<Opening>,
    /// How types with private parts are treated.
    pub private_types: PrivateTypes,
    /// Whether a type with private parts was rejected.
    rejected_private: bool,
}

/// How types with private parts are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateTypes {
    /// Their parts are made public in a copy of the crate.
    Opened,
    /// They can't be used.
    Rejected,
}

/// A use of a field that can't be read back (of the whole value, without a field). Only arguments have such fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::frontend) struct Unread {
    pub(in crate::frontend) span: Span,
    pub(in crate::frontend) field: Option<String>,
    /// The slot of the value that contains it, if known.
    pub(in crate::frontend) slot: Option<u32>,
}

/// A type with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `Option<T>`
    Option(Ty),
    /// `Result<T, E>`
    Result(Ty, Ty),
    /// The groups of a match of a regular expression, in conditions only.
    Captures(RegexId),
    /// A struct or an enum of the crate.
    User(TypeId, Vec<Ty>),
    /// A view of a type that the catalog doesn't know, by the view's index in its table.
    View(usize, Vec<Ty>),
    /// A rule of the grammar, or a group inside of one.
    Rule,
}

/// The position of a source type, which decides which types are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In a parameter.
    Input,
    /// In a field of a data type.
    Field,
    /// In a result; a part of it may be unreadable.
    Output,
}

impl<'c> DataTable<'c> {
    /// A table without instances, for a spec with `n_params` parameters.
    pub fn new(catalog: &'c Catalog, declarations: &'c Declarations, n_params: u32) -> DataTable<'c> {
        DataTable {
            catalog,
            data: Vec::new(),
            next_local: 2 * n_params + 1,
            value_slot: n_params,
            callbacks: Vec::new(),
            is_relation: false,
            declared: BTreeMap::new(),
            covers: Vec::new(),
            functions: FunctionTable::default(),
            regexes: Vec::new(),
            implied_regexes: BTreeSet::new(),
            unread: Vec::new(),
            clause_spans: Vec::new(),
            opaques: Vec::new(),
            displayed: BTreeSet::new(),
            texts_wanted: BTreeSet::new(),
            as_text: BTreeSet::new(),
            declarations,
            keys: Vec::new(),
            bases: Vec::new(),
            nesting: 0,
            nodes: 0,
            marked: 0,
            opened: Vec::new(),
            private_types: PrivateTypes::Opened,
            rejected_private: false,
        }
    }

    /// A slot that no other binder of the spec has.
    pub fn fresh(&mut self) -> u32 {
        let slot = self.next_local;
        self.next_local += 1;
        slot
    }

    /// The instance with an id.
    pub fn get(&self, id: DataId) -> &Data {
        &self.data[id.0 as usize]
    }

    /// The items to open for the instances.
    pub fn openings(&self) -> impl Iterator<Item = &Opening> + '_ {
        let of_crate = |key: &Key| match key.constructor {
            TypeConstructor::User(ty) => Some(self.catalog.item(ty)),
            _ => None,
        };
        self.keys.iter().filter_map(of_crate).flat_map(|item| item.openings()).chain(&self.opened)
    }

    /// The type as Rust code for use outside the crate, without refinements.
    pub fn rust_type(&self, refined: &Refined) -> String {
        rust_type(refined, &self.data)
    }

    /// The arguments of a type, in angle brackets, if there are any.
    pub fn rust_args(&self, args: &[Refined]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let args: Vec<String> = args.iter().map(|arg| self.rust_type(arg)).collect();
        format!("<{}>", args.join(", "))
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
            fields: vec![Field { name: "0".to_owned(), refined: element.clone(), slot: None }],
            named: false,
            recursive: false,
            excluded: false,
        };
        let none = Ctor {
            rust_path: "None".to_owned(),
            fields: Vec::new(),
            named: false,
            recursive: false,
            excluded: false,
        };
        self.builtin(
            TypeConstructor::Option,
            vec![element],
            Data { rust_type, ctors: vec![none, some], via: None, object: None, rule: None },
        )
    }

    /// `Result<ok, err>`
    pub fn result_of(&mut self, ok: Refined, err: Refined) -> DataId {
        let rust_type = format!("Result<{}, {}>", self.rust_type(&ok), self.rust_type(&err));
        let ctor = |name: &str, refined: &Refined| Ctor {
            rust_path: name.to_owned(),
            fields: vec![Field { name: "0".to_owned(), refined: refined.clone(), slot: None }],
            named: false,
            recursive: false,
            excluded: false,
        };
        let ctors = vec![ctor("Ok", &ok), ctor("Err", &err)];
        self.builtin(
            TypeConstructor::Result,
            vec![ok, err],
            Data { rust_type, ctors, via: None, object: None, rule: None },
        )
    }

    /// The groups of a match: a field for each, an `Option` of a string.
    pub fn captures(&mut self, regex: RegexId) -> DataId {
        let n_groups = self.regexes[regex.0 as usize].program.as_ref().map_or(1, Program::n_groups);
        let group = Refined::plain(Sort::Data(self.option_of(Refined::plain(Sort::Str(StrKind::String)))));
        let field = |at: usize| Field { name: at.to_string(), refined: group.clone(), slot: None };
        let rust_path = "Captures".to_owned();
        let fields = (0..n_groups).map(field).collect();
        let groups =
            Ctor { rust_path: rust_path.clone(), fields, named: false, recursive: false, excluded: false };
        let data = Data { rust_type: rust_path, ctors: vec![groups], via: None, object: None, rule: None };
        self.builtin(TypeConstructor::Captures(regex.0), Vec::new(), data)
    }

    /// The regular expression of the groups of a match.
    pub fn captured(&self, id: DataId) -> Option<RegexId> {
        match self.item_of(id) {
            Item::Captures(regex) => Some(regex),
            Item::Option(_) | Item::Result(..) | Item::User(..) | Item::View(..) | Item::Rule => None,
        }
    }

    fn builtin(&mut self, constructor: TypeConstructor, args: Vec<Refined>, data: Data) -> DataId {
        if let Some(id) = self.interned(constructor, &args) {
            return id;
        }
        let base_args: Vec<Refined> = args.iter().map(|arg| self.plain(&self.ty_of(arg))).collect();
        let is_base = base_args.iter().zip(&args).all(|(a, b)| same_refined(a, b));
        let base = match (constructor, base_args.as_slice()) {
            (TypeConstructor::Option, [element]) if !is_base => Some(self.option_of(element.clone())),
            (TypeConstructor::Result, [ok, err]) if !is_base => Some(self.result_of(ok.clone(), err.clone())),
            _ => None,
        };
        let id = self.reserve(constructor, args, data.rust_type, base);
        self.data[id.0 as usize].ctors = data.ctors;
        if self.nesting == 0 {
            self.mark_recursion();
        }
        id
    }

    /// The type of the crate that an instance is, if neither a view nor a function says more about its values.
    pub fn declared_item(&self, id: DataId) -> Option<&TypeItem> {
        let constructor = self.keys[id.0 as usize].constructor;
        if let TypeConstructor::User(ty) = constructor { Some(self.catalog.item(ty)) } else { None }
    }

    /// Whether a type was rejected because of its private parts.
    pub(in crate::frontend) fn has_rejected_private(&self) -> bool {
        self.rejected_private
    }

    /// A struct or enum of the crate at the given arguments, or why there is none.
    pub fn instance(&mut self, ty: TypeId, args: Vec<Refined>) -> Result<DataId, String> {
        let constructor = TypeConstructor::User(ty);
        let item = self.catalog.item(ty);
        if self.as_text.contains(&ty) {
            return Err(format!("of `{}`, only its text is read", item.path));
        }
        if let Some(id) = self.interned(constructor, &args) {
            return Ok(id);
        }
        if self.private_types == PrivateTypes::Rejected && item.openings().next().is_some() {
            self.rejected_private = true;
            return Err(format!("`{}` has private parts", item.path));
        }
        if args.len() != item.generics.len() {
            return Err(format!(
                "`{}` has {}, not {}",
                item.path,
                counted(item.generics.len(), "type parameter"),
                args.len()
            ));
        }
        let is_mistaken = |(name, arg): &(&String, &Refined)| {
            let given = if let Sort::Opaque(text) = &arg.sort { ConstantKind::of(text) } else { None };
            given != item.constant(name)
        };
        if let Some((name, _)) = item.generics.iter().zip(&args).find(is_mistaken) {
            let what = item.constant(name).map_or("a type", ConstantKind::described);
            return Err(format!("the parameter `{name}` of `{}` is {what}", item.path));
        }
        let is_large = args.iter().any(|arg| size(arg) > LARGEST);
        if self.data.len() >= MAX_INSTANCES || self.nesting >= MAX_NESTING || is_large {
            return Err(format!("`{}` contains too many different instances of types", item.path));
        }
        let base_args: Vec<Refined> = args.iter().map(|arg| self.plain(&self.ty_of(arg))).collect();
        let is_base = base_args.iter().zip(&args).all(|(a, b)| same_refined(a, b));
        let base = if is_base { None } else { Some(self.instance(ty, base_args)?) };
        let path = self.catalog.outside_path(&item.access.path);
        let is_trait = if item.of_trait.is_some() { "dyn " } else { "" };
        let rust_type = format!("{is_trait}{path}{}", self.trait_args(item, &args));
        let id = self.reserve(constructor, args, rust_type, base);
        self.nesting += 1;
        let filled = self.fill(id, ty, &path);
        self.nesting -= 1;
        if let Err(reason) = filled {
            self.forget_from(id);
            return Err(reason);
        }
        if self.nesting == 0 {
            self.mark_recursion();
        }
        Ok(id)
    }

    /// Removes an incomplete instance and all later instances, which may mention it.
    pub(in crate::frontend) fn forget_from(&mut self, id: DataId) {
        self.data.truncate(id.0 as usize);
        self.keys.truncate(id.0 as usize);
        self.bases.truncate(id.0 as usize);
        self.marked = self.marked.min(id.0 as usize);
        for key in &mut self.functions.keys {
            if matches!(key, FunctionKey::Elements(of, _) | FunctionKey::Text(of) if *of >= id) {
                *key = FunctionKey::Gone;
            }
        }
    }

    fn fill(&mut self, id: DataId, ty: TypeId, path: &str) -> Result<(), String> {
        // A shared reference that outlives `self`, so that the table can grow meanwhile.
        let catalog = self.catalog;
        let item = catalog.item(ty);
        let env: Vec<(String, Refined)> =
            item.generics.iter().cloned().zip(self.keys[id.0 as usize].args.iter().cloned()).collect();
        if let Some(of_trait) = &item.of_trait {
            return self.fill_trait(id, item, of_trait, path, &env);
        }
        let mut ctors = Vec::with_capacity(item.ctors.len());
        for ctor in &item.ctors {
            let rust_path = if item.is_enum { format!("{path}::{}", ctor.name) } else { path.to_owned() };
            let whose =
                if item.is_enum { format!("{}::{}", item.path, ctor.name) } else { item.path.clone() };
            let fields = self.fields(ctor, &whose, &env)?;
            ctors.push(Ctor { rust_path, fields, named: ctor.named, recursive: false, excluded: false });
        }
        self.data[id.0 as usize].ctors = ctors;
        Ok(())
    }

    pub(in crate::frontend) fn fields(
        &mut self,
        ctor: &CtorItem,
        whose: &str,
        env: &[(String, Refined)],
    ) -> Result<Vec<Field>, String> {
        let mut fields = Vec::with_capacity(ctor.fields.len());
        for field in &ctor.fields {
            let sized = if is_unsized(&field.ty) {
                Err(format!("`{}` has no size by itself", type_text(self.catalog, &field.ty)))
            } else {
                self.declared(&field.ty, env, Position::Field)
            };
            let refined = sized.map_err(|reason| {
                // The innermost field is the most helpful.
                let context = format!("in the field `{}` of `{whose}`: ", field.name);
                if reason.starts_with("in the field") { reason } else { context + &reason }
            })?;
            fields.push(Field { name: field.name.clone(), refined, slot: None });
        }
        Ok(fields)
    }

    /// Whether an instance has the steps of a function that takes a function: no term is of its type.
    pub(in crate::frontend) fn is_steps(&self, id: DataId) -> bool {
        matches!(self.keys[id.0 as usize].constructor, TypeConstructor::Steps(_))
    }

    /// The type of the steps of a function that takes a function: what it returns, and the arguments with which it calls
    /// that function. Only if both have the same type, it may pass a result on.
    pub(in crate::frontend) fn steps(
        &mut self,
        number: u32,
        result: Refined,
        args: &[Refined],
        may_pass: bool,
    ) -> DataId {
        let field = |(index, refined): (usize, &Refined)| Field {
            name: index.to_string(),
            refined: refined.clone(),
            slot: None,
        };
        let ctor = |name: &str, types: &[Refined], excluded: bool| Ctor {
            rust_path: name.to_owned(),
            fields: types.iter().enumerate().map(field).collect(),
            named: false,
            recursive: false,
            excluded,
        };
        let ctors = vec![
            ctor("Return", std::slice::from_ref(&result), false),
            ctor("Call", args, false),
            ctor("Pass", args, !may_pass),
        ];
        let id = self.reserve(TypeConstructor::Steps(number), vec![result], "a step".to_owned(), None);
        self.data[id.0 as usize].ctors = ctors;
        id
    }

    pub(in crate::frontend) fn interned(
        &self,
        constructor: TypeConstructor,
        args: &[Refined],
    ) -> Option<DataId> {
        let same = |key: &Key| {
            key.constructor == constructor
                && key.args.len() == args.len()
                && key.args.iter().zip(args).all(|(a, b)| same_refined(a, b))
        };
        self.keys.iter().position(same).map(|index| DataId(index as u32))
    }

    /// Takes the next id, so that the fields may mention it. Without a `base` the instance is its own base.
    pub(in crate::frontend) fn reserve(
        &mut self,
        constructor: TypeConstructor,
        args: Vec<Refined>,
        rust_type: String,
        base: Option<DataId>,
    ) -> DataId {
        let id = DataId(self.data.len() as u32);
        self.data.push(Data { rust_type, ctors: Vec::new(), via: None, object: None, rule: None });
        self.keys.push(Key { constructor, args });
        self.bases.push(base.unwrap_or(id));
        id
    }

    /// Marks the recursive constructors of new instances; older instances can't mention them.
    pub(in crate::frontend) fn mark_recursion(&mut self) {
        for index in self.marked..self.data.len() {
            let recursive = |ctor: &Ctor| {
                let mut direct = Vec::new();
                ctor.fields.iter().for_each(|field| mentioned(&field.refined, &mut direct));
                self.can_reach(direct, index)
            };
            // `Some`, `Ok`, `Err` and groups only wrap: every recursion passes through another type.
            let is_own = !matches!(
                self.keys[index].constructor,
                TypeConstructor::Option | TypeConstructor::Result | TypeConstructor::Group(_)
            );
            let flags: Vec<bool> =
                self.data[index].ctors.iter().map(|ctor| is_own && recursive(ctor)).collect();
            for (ctor, recursive) in self.data[index].ctors.iter_mut().zip(flags) {
                ctor.recursive = recursive;
            }
        }
        self.marked = self.data.len();
    }

    /// Whether a value of one of the instances can contain a value of the instance with this index.
    fn can_reach(&self, mut open: Vec<DataId>, index: usize) -> bool {
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if id.0 as usize == index {
                return true;
            }
            // Older instances were complete before this instance existed.
            if (id.0 as usize) >= self.marked && seen.insert(id) {
                for field in self.get(id).ctors.iter().flat_map(|ctor| &ctor.fields) {
                    mentioned(&field.refined, &mut open);
                }
            }
        }
        false
    }
}

/// Whether two refined types are equal, ignoring the spans of their clauses.
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
            #[rustfmt::skip]
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
            | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _)
            => a.sort == b.sort,
        }
}

/// Number of types in a type, without the fields of data types.
pub fn size(refined: &Refined) -> usize {
    1 + refined.inner().into_iter().map(size).sum::<usize>()
}

/// The data types that a type mentions directly.
fn mentioned(refined: &Refined, into: &mut Vec<DataId>) {
    if let Sort::Data(id) = &refined.sort {
        into.push(*id);
    } else {
        refined.inner().into_iter().for_each(|part| mentioned(part, into));
    }
}
