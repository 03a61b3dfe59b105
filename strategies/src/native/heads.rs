//! The ways to begin the value at a place: constructors, lengths.

use std::ops::RangeInclusive;

use super::problem::Place;
use super::reduce::{constructed, seq_of, text_of, tuple_of};
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

/// The fields of a head.
#[derive(Default)]
struct Fields {
    builds: Vec<Build>,
    terms: Vec<Term>,
    clauses: Vec<Term>,
    opened: Vec<(u32, Place)>,
}

impl Fields {
    fn head(self, build: impl Fn(Vec<Build>) -> Build, term: impl Fn(Vec<Term>) -> Term) -> Head {
        let Fields { builds, terms, clauses, opened } = self;
        Head { build: build(builds), term: term(terms), clauses, opened }
    }
}

/// All lengths.
const ANY_LEN: RangeInclusive<u32> = 0..=u32::MAX;

/// Fields that can have one form only are put in their place to so many levels at once. Otherwise what has to hold would
/// be gone through once for each of them.
const NESTED: u32 = 8;

/// Fields behind so many places stay open: a head shall not grow with each level.
const WIDE: usize = 64;

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

    /// The ways to begin the value at a place that isn't a scalar. Fields that can have one form only have it already.
    pub fn heads(&mut self, place: Place) -> Vec<Head> {
        self.heads_to(place, NESTED, &ANY_LEN)
    }

    /// The same, of sequences and strings only those of some lengths.
    pub fn heads_of_len(&mut self, place: Place, lens: &RangeInclusive<u32>) -> Vec<Head> {
        self.heads_to(place, NESTED, lens)
    }

    /// The same, with each field open.
    pub fn plain_heads(&mut self, place: Place) -> Vec<Head> {
        self.heads_to(place, 0, &ANY_LEN)
    }

    fn heads_to(&mut self, place: Place, nested: u32, lens: &RangeInclusive<u32>) -> Vec<Head> {
        let types = self.reducer.types.clone();
        let rem = place.rem;
        match &types.get(place.of).form {
            Form::Empty | Form::Scalar(_) => Vec::new(),
            Form::Tuple(parts) => {
                let mut fields = Fields::default();
                parts.iter().for_each(|of| self.open(&types, *of, rem, nested, &mut fields));
                vec![fields.head(Build::Tuple, tuple_of)]
            }
            Form::Data(ctors) => {
                let mut heads = Vec::new();
                for (index, ctor) in (0..).zip(ctors) {
                    let Some(ctor) = ctor else { continue };
                    let Some(rem) = (if ctor.recursive { rem.checked_sub(1) } else { Some(rem) }) else {
                        continue;
                    };
                    let mut fields = Fields::default();
                    ctor.fields.iter().for_each(|of| self.open(&types, *of, rem, nested, &mut fields));
                    heads.push(fields.head(
                        |builds| Build::Data(index, builds),
                        |terms| constructed(DataId(0), index, terms),
                    ));
                }
                heads
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let is_text = matches!(types.get(place.of).form, Form::Str(_));
                let mut heads = Vec::new();
                for len in elements.lens.iter().filter(|len| lens.contains(len)) {
                    let mut fields = Fields::default();
                    (0..*len).for_each(|i| self.open(&types, elements.at(i), rem, nested, &mut fields));
                    let ordered = elements.collection.map(|collection| in_order(collection, &fields.terms));
                    fields.clauses.extend(ordered.into_iter().flatten());
                    heads.push(if is_text {
                        fields.head(Build::Str, text_of)
                    } else {
                        fields.head(Build::Seq, seq_of)
                    });
                }
                heads
            }
        }
    }

    /// A field of a type: an open place, or the only form that a value can have there.
    fn open(&mut self, types: &Types, of: TypeId, rem: u32, nested: u32, fields: &mut Fields) {
        let place = self.place(types, of, rem);
        if nested > 0
            && place.domain.is_none()
            && fields.opened.len() < WIDE
            && self.n_heads(place) == 1
            && let Some(head) = self.heads_to(place, nested - 1, &ANY_LEN).pop()
        {
            fields.builds.push(head.build);
            fields.terms.push(head.term);
            fields.clauses.extend(head.clauses);
            fields.opened.extend(head.opened);
            return;
        }
        let slot = self.reducer.open(of);
        fields.builds.push(Build::At(slot));
        fields.terms.push(Term::Var(slot));
        fields.opened.push((slot, place));
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
