//! The head constructors of the value at a hole: constructors of data, lengths, tuples.

use super::build::{Build, Constructor};
use super::reduce::{constructed, seq_of, text_of, tuple_of};
use super::tools::Tools;
use crate::logic::ir::{Collection, CompareOp, DataId, Term};
use crate::logic::value::Value;
use crate::native::plan::problem::{Hole, Lens};
use crate::native::plan::types::{CtorType, Form, TypeId, Types};

/// The fields of a head constructor.
#[derive(Default)]
struct Fields {
    builds: Vec<Build>,
    terms: Vec<Term>,
    clauses: Vec<Term>,
    opened: Vec<(u32, Hole)>,
}

impl Fields {
    fn constructor(
        self,
        build: impl Fn(Vec<Build>) -> Build,
        term: impl Fn(Vec<Term>) -> Term,
    ) -> Constructor {
        let Fields { builds, terms, clauses, opened } = self;
        Constructor { build: build(builds), term: term(terms), clauses, opened }
    }
}

/// Which head constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The only one.
    Tuple,
    /// The constructor of a data type with this index.
    Ctor(u32),
    /// The length of a sequence, or of a string in characters.
    Len(u32),
}

/// Maximum nesting of fields that are filled at once because they have only one form. Otherwise all constraints would
/// be reduced again for each such field.
const NESTED: u32 = 8;

/// Number of opened holes from which fields stay open. It keeps head constructors small at every level.
const MAX_OPENED: usize = 64;

impl Tools {
    /// The hole of a type, with its full domain.
    pub fn hole(&mut self, types: &Types, of: TypeId, rem: u32) -> Hole {
        let found = types.get(of);
        let domain = match &found.form {
            Form::Scalar(values) => Some(self.domains.full(of, values)),
            Form::Empty | Form::Str(_) | Form::Seq(_) | Form::Tuple(_) | Form::Data(_) => None,
        };
        Hole { of, rem: if found.is_deep { rem } else { 0 }, domain, lens: Lens::ANY }
    }

    /// The head constructors of a hole that isn't a scalar. Fields with only one form are filled already.
    pub fn constructors(&mut self, hole: Hole) -> Vec<Constructor> {
        let heads = self.heads(hole, Lens::ANY);
        heads.into_iter().filter_map(|head| self.constructor(hole, head)).collect()
    }

    /// Like [`Tools::constructors`], but every field is a hole.
    pub fn plain_constructors(&mut self, hole: Hole) -> Vec<Constructor> {
        let heads = self.heads(hole, Lens::ANY);
        heads.into_iter().filter_map(|head| self.constructor_to(hole, head, 0)).collect()
    }

    /// What the head constructor of a hole that isn't a scalar may be, with these lengths for sequences and strings.
    pub fn heads(&self, hole: Hole, lens: Lens) -> Vec<Head> {
        match &self.reducer.types.get(hole.of).form {
            Form::Empty | Form::Scalar(_) => Vec::new(),
            Form::Tuple(_) => vec![Head::Tuple],
            Form::Data(ctors) => {
                let fits = |ctor: &CtorType| !ctor.recursive || hole.rem > 0;
                let ctors = (0..).zip(ctors).filter(|(_, ctor)| ctor.as_ref().is_some_and(fits));
                ctors.map(|(index, _)| Head::Ctor(index)).collect()
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let lens = lens.and(hole.lens);
                elements.lens.iter().filter(|len| lens.contains(**len)).map(|len| Head::Len(*len)).collect()
            }
        }
    }

    /// Whether a hole's type is one of constructors, none of them recursive.
    pub fn is_flat(&self, hole: Hole) -> bool {
        match &self.reducer.types.get(hole.of).form {
            Form::Data(ctors) => !ctors.iter().flatten().any(|ctor| ctor.recursive),
            Form::Empty | Form::Scalar(_) | Form::Tuple(_) | Form::Str(_) | Form::Seq(_) => false,
        }
    }

    /// A head constructor of a hole. Fields with only one form are filled already. `None` if the hole has no such head.
    pub fn constructor(&mut self, hole: Hole, head: Head) -> Option<Constructor> {
        self.constructor_to(hole, head, NESTED)
    }

    fn constructor_to(&mut self, hole: Hole, head: Head, nested: u32) -> Option<Constructor> {
        let types = self.reducer.types.clone();
        let mut fields = Fields::default();
        match (&types.get(hole.of).form, head) {
            (Form::Tuple(parts), Head::Tuple) => {
                parts.iter().for_each(|of| self.open(&types, *of, hole.rem, nested, &mut fields));
                Some(fields.constructor(Build::Tuple, tuple_of))
            }
            (Form::Data(ctors), Head::Ctor(index)) => {
                let ctor = ctors.get(index as usize)?.as_ref()?;
                let rem = if ctor.recursive { hole.rem.checked_sub(1)? } else { hole.rem };
                ctor.fields.iter().for_each(|of| self.open(&types, *of, rem, nested, &mut fields));
                Some(fields.constructor(
                    |builds| Build::Data(index, builds),
                    |terms| constructed(DataId(0), index, terms),
                ))
            }
            (Form::Str(elements), Head::Len(len)) => {
                (0..len).for_each(|i| self.open(&types, elements.at(i), hole.rem, nested, &mut fields));
                Some(fields.constructor(Build::Str, text_of))
            }
            (Form::Seq(elements), Head::Len(len)) => {
                (0..len).for_each(|i| self.open(&types, elements.at(i), hole.rem, nested, &mut fields));
                let ordered = elements.collection.map(|collection| in_order(collection, &fields.terms));
                fields.clauses.extend(ordered.into_iter().flatten());
                Some(fields.constructor(Build::Seq, seq_of))
            }
            (Form::Empty | Form::Scalar(_), _)
            | (Form::Tuple(_) | Form::Data(_) | Form::Str(_) | Form::Seq(_), _) => None,
        }
    }

    /// Adds a field of a type: a hole, or the value if the type has only one form.
    fn open(&mut self, types: &Types, of: TypeId, rem: u32, nested: u32, fields: &mut Fields) {
        let hole = self.hole(types, of, rem);
        if nested > 0
            && hole.domain.is_none()
            && fields.opened.len() < MAX_OPENED
            && self.n_constructors(hole) == 1
            && let Some(head) = self.heads(hole, Lens::ANY).pop()
            && let Some(constructor) = self.constructor_to(hole, head, nested - 1)
        {
            fields.builds.push(constructor.build);
            fields.terms.push(constructor.term);
            fields.clauses.extend(constructor.clauses);
            fields.opened.extend(constructor.opened);
            return;
        }
        let slot = self.reducer.open(of);
        fields.builds.push(Build::At(slot));
        fields.terms.push(Term::Var(slot));
        fields.opened.push((slot, hole));
    }

    /// The build of a scalar.
    pub fn scalar(&self, hole: Hole, value: &Value) -> Build {
        match &self.translation {
            Some(translation) if translation.is_key(hole.of) => Build::Key(value.clone()),
            _ => Build::Const(value.clone()),
        }
    }

    /// The narrowest range with all lengths that a hole may have, [`Lens::ANY`] if that is all of its type; `None` if it may have none.
    /// Holes with the same lengths then have the same range.
    pub fn lens_of(&self, hole: Hole) -> Option<Lens> {
        match &self.reducer.types.get(hole.of).form {
            Form::Str(elements) | Form::Seq(elements) => {
                let is_left = |len: &&u32| hole.lens.contains(**len);
                let least = *elements.lens.iter().find(is_left)?;
                let most = *elements.lens.iter().rfind(is_left)?;
                let is_all = elements.lens.first() == Some(&least) && elements.lens.last() == Some(&most);
                Some(if is_all { Lens::ANY } else { Lens { least, most } })
            }
            Form::Empty | Form::Scalar(_) | Form::Tuple(_) | Form::Data(_) => Some(hole.lens),
        }
    }

    /// Number of head constructors of a hole.
    pub(in crate::native) fn n_constructors(&self, hole: Hole) -> usize {
        match &self.reducer.types.get(hole.of).form {
            Form::Empty | Form::Scalar(_) => 0,
            Form::Tuple(_) => 1,
            Form::Data(ctors) => {
                ctors.iter().flatten().filter(|ctor| !ctor.recursive || hole.rem > 0).count()
            }
            Form::Str(elements) | Form::Seq(elements) => {
                elements.lens.iter().filter(|len| hole.lens.contains(**len)).count()
            }
        }
    }
}

/// Constraints that put the elements of a set, or the keys of a map, in order.
fn in_order(collection: Collection, elements: &[Term]) -> Vec<Term> {
    let key = |element: &Term| match collection {
        Collection::Map => Box::new(Term::Project(Box::new(element.clone()), 0)),
        _ => Box::new(element.clone()),
    };
    let op = if collection == Collection::Bag { CompareOp::Le } else { CompareOp::Lt };
    elements.windows(2).map(|pair| Term::Compare(op, key(&pair[0]), key(&pair[1]))).collect()
}
