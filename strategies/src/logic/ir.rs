//! The intermediate representation: what a spec *means*, typed and free of source positions.
//!
//! The running example, followed through the docs of every stage,
//!
//! ```text
//! rescale = "fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)"      Pos = "{v: i64 | 0 < v}"
//!                                                              "Rng(n: int)" = "{v: i64 | 0 <= v && v < n}"
//! ```
//!
//! becomes a [`Spec`] with three [`Param`]s of sort `Int(I64)`. The clause of `s` is
//! `And([Compare(Le, 0, Var(3)), Compare(Lt, Var(3), Var(0))])`: slot 3 is the refined value, slot 0 is `r1`.
//! Aliases are gone, names are slots, overloaded methods are distinct terms.
//!
//! Every generator, the judge ([`crate::logic::eval`]) and every emitter is a reading of this one representation.
//!
//! # Slots
//!
//! A term is closed over numbered slots, the same in every clause of a spec with `n` parameters:
//!
//! | slots | hold |
//! |---|---|
//! | `0..n` | the parameters, as on entry |
//! | `n` | the value that the clause refines (`v`), or the result |
//! | `n + 1 ..= 2n` | the parameters as on return, for `ensures` |
//! | from `2n + 1` | binders inside the term (`let`, closures, `match`), fields, parameters of measures |
//!
//! A refinement nested in a type sees the earlier parameters and its own value. That of a field of a view also sees the
//! fields beside it, in their own slots: of the constructor application around it, the innermost if there are several.
//! A measure sees its own parameters alone.

mod callback;
mod captures;
mod id;
mod object;
mod question;
mod regex;
pub mod relation;
mod rule;
mod term;
mod text_op;
mod walk;

use std::collections::BTreeSet;

pub use callback::{Callback, CallbackKind, CallbackParam, Step};
pub use captures::{Instruction, Program};
pub use id::{CallbackId, DataId, FunctionId, RegexId};
pub use object::{Method, Object, Receiver};
pub use question::{Asked, Law, Question};
pub use regex::Regex;
pub(crate) use regex::before;
pub use rule::{Piece, Rule};
pub use term::{
    ArithOp, CharClass, Closure, Collection, CompareOp, FloatOp, FloatUnary, MachineOp, SetOp, StrTest, Term,
};
pub(crate) use term::{integer_terms, truth_terms};
pub use text_op::TextOp;
pub use walk::{for_children, for_scoped_children, map_children, mentions, try_map_children, visit};

pub use crate::logic::machine::{FloatKind, IntKind};
use crate::logic::value::Value;

/// The written contract of one function, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The key of the spec in the manifest.
    pub name: String,
    /// The parameters in order; a method's receiver is the first.
    pub params: Vec<Param>,
    /// The data types in the sorts and terms, by [`DataId`].
    pub data: Vec<Data>,
    /// The types of the functions among the arguments, by [`CallbackId`].
    pub callbacks: Vec<Callback>,
    /// The measures that the terms call, one for each instance of their type parameters, by [`FunctionId`].
    pub functions: Vec<Function>,
    /// The regular expressions in the terms, by [`RegexId`].
    pub regexes: Vec<Regex>,
    /// Preconditions that relate the parameters.
    pub requires: Vec<Clause>,
    /// Conditions that narrow the enumerated inputs, but not the valid ones.
    pub explore: Vec<Clause>,
    /// The refined type of the result.
    pub result: Refined,
    /// Postconditions over entry, return and result.
    pub ensures: Vec<Clause>,
    /// The condition on entry under which a panic is required. Any other panic is a failure.
    pub panics_if: Option<Clause>,
    /// Argument tuples that are tried first.
    pub examples: Vec<Vec<Value>>,
    /// The opaque types whose text conditions read, as [`Sort::Opaque`] names them: their values are strings.
    pub displayed: Vec<String>,
    /// The literals of conditions that were left out, since regular expressions say the same. Generators try them as others.
    pub literals: Vec<Value>,
}

/// One parameter of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name that the spec gives it.
    pub name: String,
    /// Its refined type.
    pub refined: Refined,
    /// Whether the subject gets `&mut`, so that the value on return matters.
    pub mutable: bool,
}

/// A sort, its Rust representation, and the clauses that its values must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined {
    /// Pointers around the value, outermost first. They have no meaning in the logic.
    pub pointers: Vec<Pointer>,
    /// The values before refinement.
    pub sort: Sort,
    /// The clauses that values must satisfy, in the order written.
    pub clauses: Vec<Clause>,
}

/// A pointer that the subject takes or returns. The logic ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pointer {
    /// `&T`
    Ref,
    /// `&mut T`
    RefMut,
    /// `Box<T>`
    Box,
    /// `Rc<T>`
    Rc,
    /// `Arc<T>`
    Arc,
    /// `Cow<T>`, always owned.
    Cow,
}

/// The values of a type, before refinement.
#[derive(Clone, Debug, PartialEq)]
pub enum Sort {
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// An integer type. Arithmetic on it is mathematical.
    Int(IntKind),
    /// A float type.
    Float(FloatKind),
    /// `String`, or `str` behind a pointer.
    Str(StrKind),
    /// A sequence: `Vec<T>`, `[T; n]`, or `[T]` behind a pointer.
    Seq(Box<Refined>, SeqKind),
    /// A finite set, or a bag. Its values have the normal form of [`crate::logic::collection`].
    Set(Box<Refined>, SetKind),
    /// A finite map, by the types of keys and values.
    Map(Box<Refined>, Box<Refined>, MapKind),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Refined>),
    /// A struct or an enum, `Option` and `Result` included.
    Data(DataId),
    /// A type that the tool can't inspect, as Rust text. Only in results, and without refinement. Its values are what
    /// they display if [`Spec::displayed`] names it, and otherwise what their `Debug` says; `()` without it.
    Opaque(String),
}

/// The Rust type of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StrKind {
    /// `String`
    String,
    /// `str`
    Str,
}

/// The Rust type of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeqKind {
    /// `Vec<T>`
    Vec,
    /// `[T]`
    Slice,
    /// `[T; n]`: the length is fixed.
    Array(u32),
    /// `VecDeque<T>`
    Deque,
    /// An iterator, as the list of what it yields.
    Iter,
    /// A function, as the results that it gives: see [`Callback`].
    Answers(CallbackId),
}

/// The Rust type of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetKind {
    /// `BTreeSet<T>`
    BTree,
    /// `HashSet<T>`
    Hash,
    /// No Rust type: a bag, which only the logic has.
    Bag,
}

/// The Rust type of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// `BTreeMap<K, V>`
    BTree,
    /// `HashMap<K, V>`
    Hash,
}

/// A struct or enum at one instance of its type parameters, with the refinements of the arguments: `Tree<Pos>` and
/// `Tree<i64>` are different.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// The type as Rust code that the harness and a generated test can use: `scores::Tree<i64>`.
    pub rust_type: String,
    /// The constructors in declaration order; a struct has one.
    pub ctors: Vec<Ctor>,
    /// Set if functions build the values: [`Ctor::rust_path`] of each constructor names one, and its parameters are
    /// the fields.
    pub via: Option<Via>,
    /// Set if it has the values of a trait: its first constructor is a table for each method without a body, and each
    /// other one has a value of an implementor.
    pub object: Option<Object>,
    /// Set if the values are derivations of a grammar's rule. Rust holds their text.
    pub rule: Option<Rule>,
}

/// The functions that build values of a type (`via`), by the constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// One for each constructor.
    pub builders: Vec<Builder>,
    /// How the states of values are told apart, if they are.
    pub states: Option<States>,
}

/// How the states of values of a type are told apart. They show by `Debug`, too, unless they are not told apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct States {
    /// Paths of functions that show more of a state: they take a reference to the value.
    pub looks: Vec<String>,
    /// Number of sequences of calls with one state that are extended; 0 if the states are not told apart.
    pub n_extended: u32,
}

/// How a function builds values of a type, and how they are read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    /// For each field, a Rust expression that reads it from `this`, if there is one. In results, a field without one
    /// is [`Value::unread`].
    pub reads: Vec<Option<String>>,
    /// Whether the function returns an `Option` or a `Result`; `None` if only rustc knows.
    pub may_fail: Option<bool>,
    /// Whether the function changes its first argument, a value of the type itself, which is then the new value.
    pub changes: bool,
    /// Whether it is no function but a constant.
    pub is_constant: bool,
}

impl Via {
    /// Whether a field can't be read back.
    pub fn is_unread(&self, ctor: usize, field: usize) -> bool {
        self.builders.get(ctor).is_some_and(|builder| matches!(builder.reads.get(field), Some(None)))
    }

    /// Whether some field can't be read back.
    pub fn has_unread(&self) -> bool {
        self.builders.iter().any(|builder| builder.reads.contains(&None))
    }
}

/// A constructor: a variant of an enum, or the constructor of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Ctor {
    /// The path in Rust code: `scores::Tree::Node`, `Some`.
    pub rust_path: String,
    /// Its fields in declaration order.
    pub fields: Vec<Field>,
    /// Whether the fields have names, or are a tuple's (or none at all).
    pub named: bool,
    /// Whether some field's type can contain the constructor's own type.
    pub recursive: bool,
    /// Whether a view excludes it, so that no value of the refined type has it.
    pub excluded: bool,
}

/// A field of a constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name; the index as text, for a tuple field.
    pub name: String,
    /// Its refined type.
    pub refined: Refined,
    /// The slot in which the refinements of neighbouring fields find its value, if they may mention it.
    pub slot: Option<u32>,
}

/// A function of the logic: a measure at one instance of its type parameters, or a function that the tool derived.
///
/// Source: *Type Targeted Testing*, section 4.6, which unfolds measures on the constructors of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name, for explanations.
    pub name: String,
    /// The slots of its parameters.
    pub params: Vec<u32>,
    /// The expression that it computes.
    pub body: Term,
    /// A term that gets smaller from call to call. If it is negative on entry, the function is undefined.
    pub decreases: Option<Term>,
    /// Whether it is defined for all arguments, so that its result may be read part by part.
    pub total: bool,
    /// Nesting of its terms, which determines the stack size of a call.
    pub nesting: u32,
}

/// One conjunct of a refinement or condition, as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The number of the clause, unique in the spec. It finds the clause's position in the manifest.
    pub id: u32,
    /// The user's words, with the arguments of aliases substituted, for reports.
    pub text: String,
    /// The meaning, of sort bool. A `where` is a [`Term::Opaque`].
    pub term: Term,
}

impl Refined {
    /// The trait, if this is the type of a trait's values.
    pub fn object<'s>(&self, spec: &'s Spec) -> Option<&'s Object> {
        match &self.sort {
            Sort::Data(id) => spec.data(*id).object.as_ref(),
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) => None,
            Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => None,
        }
    }
}

impl Spec {
    /// A function without parameters of which nothing is said; tests build on it.
    pub fn unrefined(name: &str) -> Spec {
        Spec {
            name: name.to_owned(),
            params: Vec::new(),
            data: Vec::new(),
            callbacks: Vec::new(),
            functions: Vec::new(),
            regexes: Vec::new(),
            requires: Vec::new(),
            explore: Vec::new(),
            result: Refined::plain(Sort::Tuple(Vec::new())),
            ensures: Vec::new(),
            panics_if: None,
            examples: Vec::new(),
            displayed: Vec::new(),
            literals: Vec::new(),
        }
    }

    /// The clauses about inputs: those of parameters' types, of data types' fields, and conditions on entry.
    pub fn input_clauses(&self) -> Vec<&Clause> {
        let mut clauses = Vec::new();
        for param in &self.params {
            param.refined.clauses_inside(&mut clauses);
        }
        for field in self.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields) {
            field.refined.clauses_inside(&mut clauses);
        }
        clauses.extend(&self.requires);
        clauses.extend(&self.explore);
        clauses
    }

    /// The terms that say which inputs are valid: those of the clauses about inputs, and the bodies of functions that they call,
    /// directly or not.
    pub fn input_terms(&self) -> Vec<&Term> {
        self.with_called(self.input_clauses().into_iter().map(|clause| &clause.term).collect())
    }

    /// The terms of the clauses about results, and the bodies of functions that they call on inputs, directly or not.
    pub fn result_terms(&self) -> (Vec<&Term>, Vec<&Term>) {
        let terms: Vec<&Term> = self.result_clauses().into_iter().map(|clause| &clause.term).collect();
        let mut called = BTreeSet::new();
        for term in &terms {
            visit(term, &mut |part| {
                if let Term::Call(id, _) = part
                    && self.reads_inputs(part)
                {
                    called.insert(*id);
                }
            });
        }
        let bodies = called.into_iter().filter_map(|id| self.functions.get(id.0 as usize));
        let called = self.with_called(bodies.map(|function| &function.body).collect());
        (terms, called)
    }

    /// The terms that say when the function must panic, and the bodies of functions that they call, directly or not.
    pub fn panic_terms(&self) -> Vec<&Term> {
        self.with_called(self.panics_if.iter().map(|clause| &clause.term).collect())
    }

    /// Whether a term of a clause about results reads anything but the result.
    pub fn reads_inputs(&self, term: &Term) -> bool {
        let mut reads = false;
        visit(term, &mut |part| reads |= matches!(part, Term::Var(slot) if *slot != self.value_slot()));
        reads
    }

    /// The terms, and then the bodies of functions that they call, directly or not.
    fn with_called<'s>(&'s self, mut terms: Vec<&'s Term>) -> Vec<&'s Term> {
        let mut called = BTreeSet::new();
        let mut at = 0;
        while let Some(term) = terms.get(at) {
            let mut new = Vec::new();
            visit(term, &mut |part| {
                if let Term::Call(id, _) = part
                    && called.insert(*id)
                {
                    new.push(*id);
                }
            });
            terms.extend(
                new.into_iter()
                    .filter_map(|id| self.functions.get(id.0 as usize))
                    .map(|function| &function.body),
            );
            at += 1;
        }
        terms
    }

    /// The clauses about results.
    fn result_clauses(&self) -> Vec<&Clause> {
        let mut clauses = Vec::new();
        self.result.clauses_inside(&mut clauses);
        clauses.extend(&self.ensures);
        clauses
    }

    /// All clauses: those about inputs, of functions as arguments, and about results.
    pub fn clauses(&self) -> Vec<&Clause> {
        let mut clauses = self.input_clauses();
        for callback in &self.callbacks {
            callback.params.iter().for_each(|param| param.refined.clauses_inside(&mut clauses));
            clauses.extend(callback.requires.iter().chain(&callback.ensures));
        }
        clauses.extend(self.result_clauses());
        clauses.extend(&self.panics_if);
        clauses
    }

    /// The slot of the refined value, or of the result.
    pub fn value_slot(&self) -> u32 {
        self.params.len() as u32
    }

    /// The first slot for binders inside terms.
    pub fn first_local_slot(&self) -> u32 {
        2 * self.params.len() as u32 + 1
    }

    /// The data type with an id.
    pub fn data(&self, id: DataId) -> &Data {
        &self.data[id.0 as usize]
    }

    /// The type of functions with an id.
    pub fn callback(&self, id: CallbackId) -> &Callback {
        &self.callbacks[id.0 as usize]
    }

    /// The type of a function among the parameters that a term asks about, and that of its results.
    pub fn asked(&self, of: Asked) -> Option<(CallbackId, &Refined)> {
        let refined = of.refined(&self.params, &self.data)?;
        let Sort::Seq(result, SeqKind::Answers(id)) = &refined.sort else { return None };
        Some((*id, result))
    }

    /// The function with an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }
}

impl Sort {
    /// The same sort with other types of its elements, keys, values and components.
    pub fn map_parts(&self, other: &mut dyn FnMut(&Refined) -> Refined) -> Sort {
        let mut boxed = |part: &Refined| Box::new(other(part));
        match self {
            Sort::Seq(element, kind) => Sort::Seq(boxed(element), *kind),
            Sort::Set(element, kind) => Sort::Set(boxed(element), *kind),
            Sort::Map(key, value, kind) => Sort::Map(boxed(key), boxed(value), *kind),
            Sort::Tuple(parts) => Sort::Tuple(parts.iter().map(other).collect()),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => self.clone(),
        }
    }
}

impl Refined {
    /// The type of functions, if the values are functions.
    pub fn callback(&self) -> Option<CallbackId> {
        let Sort::Seq(_, SeqKind::Answers(id)) = self.sort else { return None };
        Some(id)
    }

    /// A sort without pointers and refinement.
    pub fn plain(sort: Sort) -> Refined {
        Refined { pointers: Vec::new(), sort, clauses: Vec::new() }
    }

    /// Collects its clauses and those of its parts, but not those of data types, which belong to the spec.
    pub fn clauses_inside<'r>(&'r self, clauses: &mut Vec<&'r Clause>) {
        clauses.extend(&self.clauses);
        self.inner().into_iter().for_each(|part| part.clauses_inside(clauses));
    }
}
