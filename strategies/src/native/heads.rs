//! The ways to begin the value at a place: constructors, lengths.

use super::problem::Place;
use super::reduce::{constructed, seq_of, text_of};
use super::types::{Form, TypeId, Types};
use super::work::{Build, Tools};
use crate::ir::{Collection, CompareOp, DataId, Term};
use crate::value::Value;

/// A way to begin the value at a place: how it is built, and what it is in terms.
pub struct Head {
    pub(super) build: Build,
    pub(super) term: Term,
    /// What else has to hold.
    pub(super) clauses: Vec<Term>,
    /// The places that it opens.
    pub(super) opened: Vec<(u32, Place)>,
}

impl Head {
    /// The places that it opens.
    pub fn opened(&self) -> &[(u32, Place)] {
        &self.opened
    }

    /// What it is in terms.
    pub fn term(&self) -> &Term {
        &self.term
    }
}

impl Tools {
    /// The open place of a type, its domain whole.
    pub fn place(&mut self, types: &Types, of: TypeId, rem: u32) -> Place {
        let found = types.get(of);
        let domain = match &found.form {
            Form::Scalar(domain) => Some(self.domains.id(domain.clone())),
            _ => None,
        };
        Place { of, rem: if found.is_deep { rem } else { 0 }, domain }
    }

    fn open(&mut self, types: &Types, of: TypeId, rem: u32) -> (u32, Place) {
        (self.reducer.open(of), self.place(types, of, rem))
    }

    /// The ways to begin the value at a place that isn't a scalar.
    pub fn heads(&mut self, place: Place) -> Vec<Head> {
        let types = self.reducer.types.clone();
        let rem = place.rem;
        match &types.get(place.of).form {
            Form::Empty | Form::Scalar(_) => Vec::new(),
            Form::Tuple(parts) => {
                let opened: Vec<(u32, Place)> = parts.iter().map(|of| self.open(&types, *of, rem)).collect();
                let term = Term::Tuple(opened.iter().map(|(slot, _)| Term::Var(*slot)).collect());
                let term = if opened.is_empty() { Term::Lit(Value::unit()) } else { term };
                let build = Build::Tuple(opened.iter().map(|(slot, _)| Build::At(*slot)).collect());
                vec![Head { build, term, clauses: Vec::new(), opened }]
            }
            Form::Data(ctors) => {
                let mut heads = Vec::new();
                for (index, ctor) in (0..).zip(ctors) {
                    let Some(ctor) = ctor else { continue };
                    let Some(rem) = (if ctor.recursive { rem.checked_sub(1) } else { Some(rem) }) else {
                        continue;
                    };
                    let opened: Vec<(u32, Place)> =
                        ctor.fields.iter().map(|of| self.open(&types, *of, rem)).collect();
                    let fields = opened.iter().map(|(slot, _)| Term::Var(*slot)).collect();
                    let build = opened.iter().map(|(slot, _)| Build::At(*slot)).collect();
                    heads.push(Head {
                        build: Build::Data(index, build),
                        term: constructed(DataId(0), index, fields),
                        clauses: Vec::new(),
                        opened,
                    });
                }
                heads
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let is_text = matches!(types.get(place.of).form, Form::Str(_));
                let mut heads = Vec::new();
                for len in &elements.lens {
                    let opened: Vec<(u32, Place)> =
                        (0..*len).map(|i| self.open(&types, elements.at(i), rem)).collect();
                    let vars: Vec<Term> = opened.iter().map(|(slot, _)| Term::Var(*slot)).collect();
                    let clauses =
                        elements.collection.map_or(Vec::new(), |collection| in_order(collection, &vars));
                    let build = opened.iter().map(|(slot, _)| Build::At(*slot)).collect();
                    let (build, term) = if is_text {
                        (Build::Str(build), text_of(vars))
                    } else {
                        (Build::Seq(build), seq_of(vars))
                    };
                    heads.push(Head { build, term, clauses, opened });
                }
                heads
            }
        }
    }

    /// How a scalar is built.
    pub fn scalar(&self, place: Place, value: &Value) -> Build {
        match &self.units {
            Some(units) if units.is_key(place.of) => Build::Key(value.clone()),
            _ => Build::Const(value.clone()),
        }
    }

    /// How many ways there are to begin the value at a place.
    pub(super) fn n_heads(&self, place: Place) -> usize {
        match &self.reducer.types.get(place.of).form {
            Form::Empty | Form::Scalar(_) => 0,
            Form::Tuple(_) => 1,
            Form::Data(ctors) => {
                ctors.iter().flatten().filter(|ctor| !ctor.recursive || place.rem > 0).count()
            }
            Form::Str(elements) | Form::Seq(elements) => elements.lens.len(),
        }
    }
}

/// That the elements of a set, the keys of a map come in order.
fn in_order(collection: Collection, elements: &[Term]) -> Vec<Term> {
    let key = |element: &Term| match collection {
        Collection::Map => Box::new(Term::Project(Box::new(element.clone()), 0)),
        _ => Box::new(element.clone()),
    };
    let op = if collection == Collection::Bag { CompareOp::Le } else { CompareOp::Lt };
    elements.windows(2).map(|pair| Term::Compare(op, key(&pair[0]), key(&pair[1]))).collect()
}
