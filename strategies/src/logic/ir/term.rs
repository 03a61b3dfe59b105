//! Terms: the expressions of the logic, with Rust's meaning, on mathematical integers.
//!
//! A method that Rust overloads (`len`, `contains`) has one term for each meaning, or one term whose meaning depends
//! on the operand's sort. `is_empty`, `>`, `!=`, `==>` and similar operations are written with these terms.

use super::id::{DataId, FunctionId, RegexId};
use super::question::{Asked, Question};
use super::text_op::TextOp;
use crate::logic::machine::{FloatKind, IntKind};
use crate::logic::value::Value;

/// An expression of the logic. An expression at which Rust would panic is *undefined*, and makes the clause false.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// The content of a slot.
    Var(u32),
    /// A constant.
    Lit(Value),
    /// `!a`
    Not(Box<Term>),
    /// `a && b && ..`, evaluated from the left until one is false.
    And(Vec<Term>),
    /// `a || b || ..`, evaluated from the left until one is true.
    Or(Vec<Term>),
    /// `if c { a } else { b }`; `a ==> b` is `Or([Not(a), b])`.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// `let slot = value; body`
    Let {
        /// The slot of the value in `body`.
        slot: u32,
        /// The bound value.
        value: Box<Term>,
        /// The term that reads the slot.
        body: Box<Term>,
    },
    /// `==`: structural; on floats, Rust's.
    Equal(Box<Term>, Box<Term>),
    /// `<`, `<=`: of integers, floats, chars, bools, strings; lexicographic on sequences, tuples and data.
    Compare(CompareOp, Box<Term>, Box<Term>),
    /// Mathematical arithmetic on integers.
    Arith(ArithOp, Box<Term>, Box<Term>),
    /// `-a` on integers.
    Neg(Box<Term>),
    /// `|a|` on integers.
    Abs(Box<Term>),
    /// Arithmetic on `f64`. For `f32`, it is wrapped in [`FloatUnary::ToF32`].
    FloatArith(FloatOp, Box<Term>, Box<Term>),
    /// A function of one float.
    FloatUnary(FloatUnary, Box<Term>),
    /// An operation with its machine meaning at the given type.
    Machine(MachineOp, IntKind, Vec<Term>),
    /// `i as f64`, `i as f32`
    IntToFloat(FloatKind, Box<Term>),
    /// The code point of a char (or 0 and 1 for a bool) as an integer.
    ToInt(Box<Term>),
    /// A tuple.
    Tuple(Vec<Term>),
    /// `vec![..]` or `[..]`
    Seq(Vec<Term>),
    /// A constructor applied to all its fields.
    Construct(DataId, u32, Vec<Term>),
    /// `t.0`
    Project(Box<Term>, u32),
    /// A field of a data value; undefined for another constructor.
    Field {
        /// The data value.
        of: Box<Term>,
        /// The required constructor.
        ctor: u32,
        /// The index of the field.
        index: u32,
    },
    /// Whether a data value has this constructor.
    IsCtor(Box<Term>, u32),
    /// The length of a sequence, or of a string in bytes.
    Len(Box<Term>),
    /// `a[i]`; undefined out of bounds.
    Index(Box<Term>, Box<Term>),
    /// `a[lo..hi]` of a sequence; undefined out of bounds.
    Slice(Box<Term>, Box<Term>, Box<Term>),
    /// The concatenation of sequences, or of strings.
    Concat(Vec<Term>),
    /// A sequence of sequences, flattened.
    Flatten(Box<Term>),
    /// A reversed sequence.
    Reverse(Box<Term>),
    /// `lo..hi` as a sequence of integers.
    Range(Box<Term>, Box<Term>),
    /// All overlapping subsequences of the given length, which is at least 1.
    Windows(Box<Term>, u32),
    /// The pairs of two sequences, as many as the shorter one has elements.
    Zip(Box<Term>, Box<Term>),
    /// The characters of a string, as a sequence.
    Chars(Box<Term>),
    /// The UTF-8 bytes of a string, as a sequence of integers.
    Bytes(Box<Term>),
    /// The string of a sequence of characters.
    Text(Box<Term>),
    /// Whether a string contains another one, at the start, at the end, or anywhere.
    StrTest(StrTest, Box<Term>, Box<Term>),
    /// Whether an automaton accepts all of a string from a state: `s.matches("a+")`, from [`super::Regex::START`].
    Matches(RegexId, u32, Box<Term>),
    /// The byte offset of the first occurrence of a string in another one, as an `Option` of the given instance.
    StrFind(Box<Term>, Box<Term>, DataId),
    /// An operation on strings that needs their whole text.
    TextOp(TextOp, Vec<Term>),
    /// Whether a sequence contains a value.
    Contains(Box<Term>, Box<Term>),
    /// `all`: evaluated from the left until the body is false.
    All(Box<Term>, Closure),
    /// `any`: evaluated from the left until the body is true.
    Any(Box<Term>, Closure),
    /// The values of the body for all elements.
    Map(Box<Term>, Closure),
    /// The elements that satisfy the body.
    Filter(Box<Term>, Closure),
    /// `fold(init, |acc, x| body)`
    Fold {
        /// The sequence.
        over: Box<Term>,
        /// The first accumulator.
        init: Box<Term>,
        /// The slot of the accumulator.
        acc: u32,
        /// The slot of the element, and the term for the next accumulator.
        closure: Closure,
    },
    /// The sum of a sequence of integers.
    Sum(Box<Term>),
    /// The index of the first element for which the body holds, as an `Option` of the given instance.
    Position(Box<Term>, Closure, DataId),
    /// The least (`Lt`) or greatest (`Gt` is not used: `true` means greatest) element, as an `Option`.
    Extreme {
        /// The sequence.
        over: Box<Term>,
        /// Whether to return the greatest element instead of the least.
        greatest: bool,
        /// The instance of `Option` of the result.
        option: DataId,
    },
    /// Whether all elements differ from each other.
    Distinct(Box<Term>),
    /// Whether each element is at most the next.
    IsSorted(Box<Term>),
    /// The elements of a sequence as a set or bag; its pairs as a map, in which the last pair of a key stays.
    Collect(Collection, Box<Term>),
    /// An operation on two sets, or (`true`) two bags.
    SetOp(SetOp, bool, Box<Term>, Box<Term>),
    /// Whether the second of two sets, or (`true`) two bags, contains all elements of the first.
    Subset(bool, Box<Term>, Box<Term>),
    /// The elements of a set or bag, the pairs of a map, in ascending order, as a sequence.
    Entries(Box<Term>),
    /// The keys of a map, as a set.
    Keys(Box<Term>),
    /// The value at a key of a map, as an `Option` of the given instance.
    MapGet(Box<Term>, Box<Term>, DataId),
    /// A map with a further key and value.
    MapWith(Box<Term>, Box<Term>, Box<Term>),
    /// A map without a key.
    MapWithout(Box<Term>, Box<Term>),
    /// Whether a char belongs to a class.
    CharIs(CharClass, Box<Term>),
    /// A measure applied to arguments.
    Call(FunctionId, Vec<Term>),
    /// A `where` condition: Rust code of the harness, by number, applied to values.
    Opaque(u32, Vec<Term>),
    /// A question about a function in the slot of a parameter, with the arguments of a call.
    Ask(Question, Asked, Vec<Term>),
    /// An expression at which Rust would panic: `unreachable!()`.
    Undefined,
}

/// A closure of one argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// The slot of the argument.
    pub slot: u32,
    /// The term that it computes.
    pub body: Box<Term>,
}

/// `<` and `<=`. The other comparisons swap the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
}

/// The kinds of collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collection {
    /// A set.
    Set,
    /// A bag: a set in which equal elements count.
    Bag,
    /// A map, of pairs.
    Map,
}

/// Operations on two sets or two bags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOp {
    /// The elements of either; for bags, the counts are added.
    Union,
    /// The elements of the first only; for bags, the counts are subtracted.
    Difference,
    /// The elements of both; for bags, with the smaller counts.
    Intersection,
}

/// Mathematical operations on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, towards zero; undefined for `b == 0`.
    Div,
    /// `a % b`, with the sign of `a`; undefined for `b == 0`.
    Rem,
    /// `a.div_euclid(b)`; undefined for `b == 0`.
    DivEuclid,
    /// `a.rem_euclid(b)`; undefined for `b == 0`.
    RemEuclid,
    /// The smaller one.
    Min,
    /// The greater one.
    Max,
    /// `a.pow(b)`; undefined for `b < 0`.
    Pow,
}

/// Operations on two floats, with Rust's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a.min(b)`
    Min,
    /// `a.max(b)`
    Max,
}

/// Operations on one float, with Rust's meaning; the tests give a bool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum FloatUnary {
    Neg,
    Abs,
    IsNan,
    IsFinite,
    IsInfinite,
    IsSignNegative,
    /// The nearest `f32`: `x as f32`, and the last step of arithmetic on `f32`.
    ToF32,
}

/// Where a string is searched in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StrTest {
    /// `a.starts_with(b)`
    StartsWith,
    /// `a.ends_with(b)`
    EndsWith,
    /// `a.contains(b)`
    Contains,
}

/// Operations with machine semantics. Operands are first wrapped into the type's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineOp {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `!a`
    Not,
    /// `a << b`; undefined unless `0 <= b < bits`.
    Shl,
    /// `a >> b`; undefined unless `0 <= b < bits`.
    Shr,
    /// `a.wrapping_add(b)`
    WrappingAdd,
    /// `a.wrapping_sub(b)`
    WrappingSub,
    /// `a.wrapping_mul(b)`
    WrappingMul,
    /// `a.wrapping_neg()`
    WrappingNeg,
    /// `a as T`
    Cast,
    /// `a.count_ones()`
    CountOnes,
    /// `a.leading_zeros()`
    LeadingZeros,
    /// `a.trailing_zeros()`
    TrailingZeros,
    /// Whether `a + b` fits the type (`checked_add(b).is_some()`).
    AddFits,
    /// Whether `a - b` fits the type.
    SubFits,
    /// Whether `a * b` fits the type.
    MulFits,
}

/// The classes of characters that `char` has tests for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of char's own methods")]
pub enum CharClass {
    Ascii,
    AsciiAlphabetic,
    AsciiAlphanumeric,
    AsciiControl,
    AsciiDigit,
    AsciiGraphic,
    AsciiHexdigit,
    AsciiLowercase,
    AsciiPunctuation,
    AsciiUppercase,
    AsciiWhitespace,
    Alphabetic,
    Alphanumeric,
    Control,
    Lowercase,
    Numeric,
    Uppercase,
    Whitespace,
}

/// A pattern for the terms whose outermost operation gives a truth value, except for a harness's own conditions. A
/// match with it still has to name all other terms.
macro_rules! truth_terms {
    () => {
        Term::Not(_)
            | Term::And(_)
            | Term::Or(_)
            | Term::Equal(..)
            | Term::Compare(..)
            | Term::IsCtor(..)
            | Term::Contains(..)
            | Term::Subset(..)
            | Term::All(..)
            | Term::Any(..)
            | Term::Distinct(_)
            | Term::IsSorted(_)
            | Term::CharIs(..)
            | Term::StrTest(..)
            | Term::Matches(..)
    };
}
pub(crate) use truth_terms;

/// A pattern for the terms whose outermost operation gives an integer, except for those of machine types.
macro_rules! integer_terms {
    () => {
        Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::ToInt(_) | Term::Len(_) | Term::Sum(_)
    };
}
pub(crate) use integer_terms;
