//! Instances in the logic: types without refinements and pointers, and their compatibility.

use target_strategies::logic::ir::{
    DataId, IntKind, MapKind, Refined, RegexId, SeqKind, SetKind, Sort, Step, StrKind,
};

use super::key::TypeConstructor;
use super::{DataTable, Item};
use crate::frontend::catalog::TypeId;
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::Ident;

impl DataTable<'_> {
    /// The canonical Rust type of a type of the logic, without refinements.
    pub fn plain(&self, ty: &Ty) -> Refined {
        Refined::plain(match ty {
            Ty::Bool => Sort::Bool,
            Ty::Int(kind) => Sort::Int(kind.unwrap_or(IntKind::I128)),
            Ty::Float(kind) => Sort::Float(*kind),
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
            Ty::Function(_, _, result, id) => Sort::Seq(Box::new(self.plain(result)), SeqKind::Answers(*id)),
            Ty::Opaque(text) => Sort::Opaque(text.clone()),
        })
    }

    /// The type in the logic: no pointers, no refinements, one kind of sequence.
    pub fn ty_of(&self, refined: &Refined) -> Ty {
        match &refined.sort {
            Sort::Bool => Ty::Bool,
            Sort::Char => Ty::Char,
            Sort::Int(kind) => Ty::Int(Some(*kind)),
            Sort::Float(kind) => Ty::Float(*kind),
            Sort::Str(_) => Ty::Str,
            Sort::Seq(result, SeqKind::Answers(id)) => {
                let callback = &self.callbacks[id.0 as usize];
                let params = callback.params.iter().map(|param| self.ty_of(&param.refined)).collect();
                let result = match callback.steps {
                    Some(steps) => &self.get(steps).ctors[Step::Return as usize].fields[0].refined,
                    None => result,
                };
                Ty::Function(callback.kind, params, Box::new(self.ty_of(result)), *id)
            }
            Sort::Seq(element, _) => Ty::Seq(Box::new(self.ty_of(element))),
            Sort::Set(element, SetKind::Bag) => Ty::Bag(Box::new(self.ty_of(element))),
            Sort::Set(element, _) => Ty::Set(Box::new(self.ty_of(element))),
            Sort::Map(key, value, _) => Ty::Map(Box::new(self.ty_of(key)), Box::new(self.ty_of(value))),
            Sort::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.ty_of(part)).collect()),
            Sort::Data(id) => Ty::Data(self.bases[id.0 as usize]),
            Sort::Opaque(text) => Ty::Opaque(text.clone()),
        }
    }

    /// Whether an instance has no refinements, so that terms may have its type.
    pub fn is_base(&self, id: DataId) -> bool {
        self.bases[id.0 as usize] == id
    }

    /// The types of a constructor's fields.
    pub fn field_tys(&self, id: DataId, ctor: u32) -> Vec<Ty> {
        let fields = &self.get(id).ctors[ctor as usize].fields;
        fields.iter().map(|field| self.ty_of(&field.refined)).collect()
    }

    /// Whether two types differ at most in the widths of integers.
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
                a.constructor == b.constructor
                    && a.args.len() == b.args.len()
                    && a.args
                        .iter()
                        .zip(&b.args)
                        .all(|(a, b)| self.compatible(&self.ty_of(a), &self.ty_of(b)))
            }
            (a, b) => a == b,
        }
    }

    /// The type and arguments of an instance, without refinements.
    pub fn item_of(&self, id: DataId) -> Item {
        let key = &self.keys[id.0 as usize];
        let args: Vec<Ty> = key.args.iter().map(|arg| self.ty_of(arg)).collect();
        match (key.constructor, args.as_slice()) {
            (TypeConstructor::Option, [element]) => Item::Option(element.clone()),
            (TypeConstructor::Captures(regex), _) => Item::Captures(RegexId(regex)),
            (TypeConstructor::Result, [ok, err]) => Item::Result(ok.clone(), err.clone()),
            (TypeConstructor::User(ty), _) => Item::User(ty, args),
            (TypeConstructor::View(view) | TypeConstructor::Bare(view), _) => Item::View(view, args),
            (TypeConstructor::Rule(_) | TypeConstructor::Group(_), _) => Item::Rule,
            (TypeConstructor::Option | TypeConstructor::Result | TypeConstructor::Steps(_), _) => {
                unreachable!("they were given their arguments, and no term is a step")
            }
        }
    }

    /// The constructor of a type of the crate with this path: `Tree::Node`, or `Point` for a struct.
    pub fn constructor(&self, path: &[Ident]) -> Option<(TypeId, u32)> {
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        self.catalog.constructor(&names)
    }
}
