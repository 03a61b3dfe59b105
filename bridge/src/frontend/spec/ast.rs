//! A spec as written: every word with its span, nothing resolved yet.
//!
//! `fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2)` is a [`Signature`] with three [`Param`]s; `Rng(r1)` is a
//! [`TypeKind::Path`] with one value argument. [`crate::frontend::resolve`] looks up `Rng`, and checks that `r1` is in
//! scope.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{CallbackKind, FloatKind};

use crate::frontend::diagnostic::{FileId, Span};

/// A word and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The word.
    pub name: String,
    /// Its span.
    pub span: Span,
}

/// `fn(params) -> Type requires p ensures q panics if e`
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The parameters in order.
    pub params: Vec<Param>,
    /// The result type, if one is written.
    pub result: Option<Type>,
    /// The conditions after `requires`, conjoined.
    pub requires: Vec<Condition>,
    /// The conditions after `ensures`, conjoined.
    pub ensures: Vec<Condition>,
    /// The condition after `panics if`.
    pub panics_if: Option<Condition>,
    /// From `fn` to the end.
    pub span: Span,
}

/// `name: Type`
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name; `self` for a receiver.
    pub name: Ident,
    /// The type.
    pub ty: Type,
}

/// `p where q`: a refinement, a Rust expression, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The part for the solver.
    pub expr: Option<Box<Expr>>,
    /// The part that is compiled unchanged.
    pub opaque: Option<RustText>,
}

/// Rust code that the tool passes to rustc.
#[derive(Clone, Debug, PartialEq)]
pub struct RustText {
    /// The code.
    pub text: String,
    /// Its span.
    pub span: Span,
}

/// A type and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Its form.
    pub kind: TypeKind,
    /// Its span.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `i64`, `Vec<T>`, `std::ops::Range<usize>`, `Rng(r1)`, `Table<K>(n)`.
    Path {
        /// The segments.
        path: Vec<Ident>,
        /// Type arguments of the last segment.
        generics: Vec<Type>,
        /// Value arguments, of an alias.
        args: Vec<Expr>,
    },
    /// `&T`, `&mut T`
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referenced type.
        inner: Box<Type>,
    },
    /// `(A, B)`; `()` is the empty tuple.
    Tuple(Vec<Type>),
    /// `[T; n]`
    Array(Box<Type>, Box<Expr>),
    /// `3`, `-3`, `true`, `'a'`: an argument for a constant parameter
    Constant(String),
    /// `[T]`
    Slice(Box<Type>),
    /// `fn(x: A) -> B`, `FnMut(x: A) -> B`, `FnOnce(x: A) -> B`
    Function(CallbackKind, Box<Signature>),
    /// `Item = T`, in the arguments of a trait
    Associated(Ident, Box<Type>),
    /// `{v: T | p where q}`
    Refined {
        /// The name of the value.
        binder: Ident,
        /// The type it refines.
        base: Box<Type>,
        /// The refinement.
        condition: Condition,
    },
}

/// The left side of an alias: `Pos`, `Rng(n: int)`, `Sorted<T>`.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclarationHead {
    /// The name.
    pub name: Ident,
    /// The type parameters.
    pub generics: Vec<Ident>,
    /// The value parameters.
    pub params: Vec<Param>,
}

/// The right side of an entry of `[..data]`.
#[derive(Clone, Debug, PartialEq)]
pub enum DataBody {
    /// `enum Tree<T> { Leaf, Node(l: T, r: T) }`, `struct Range<usize> { start: usize, end: usize }`
    View(View),
    /// `via Date::from_ymd(y: i32 = self.year(), m: u32)`
    Via(Via),
}

/// The constructors of a type, their fields refined.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The word before the type.
    pub kind: ViewKind,
    /// The type that it refines.
    pub target: Type,
    /// The constructors; a struct has one, named like the type. So has a trait: its methods are the fields, functions.
    pub ctors: Vec<CtorView>,
}

/// The kind of type that a view refines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// `enum`
    Enum,
    /// `struct`
    Struct,
    /// `trait`
    Trait,
}

impl ViewKind {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            ViewKind::Enum => "enum",
            ViewKind::Struct => "struct",
            ViewKind::Trait => "trait",
        }
    }
}

/// A constructor in a view.
#[derive(Clone, Debug, PartialEq)]
pub struct CtorView {
    /// Its name.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<Param>,
    /// Whether they are in braces.
    pub named: bool,
}

/// The functions that build a type's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// The functions; at least one.
    pub builders: Vec<Builder>,
    /// The type as Rust code, if it is written.
    pub built: Option<RustText>,
}

/// A function that builds values of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    /// The path of the function; a path that begins with `<` is one name.
    pub function: Vec<Ident>,
    /// Its parameters, which are the fields of the type in the logic.
    pub params: Vec<Param>,
    /// For each parameter, the expression that reads it back from `self`, if there is one.
    pub reads: Vec<Option<RustText>>,
    /// Whether the first parameter is a `&mut`, here without it: the function changes that value.
    pub changes: bool,
    /// Whether it is a constructor with named fields.
    pub named: bool,
    /// Whether it is a constant.
    pub is_constant: bool,
}

/// The left side of a measure: `keys<T>(t: Tree<T>) -> Set<T>`, `gcd(a: int, b: int) -> int decreases b`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureSignature {
    /// Its name, type parameters and parameters.
    pub head: DeclarationHead,
    /// The type of its value.
    pub result: Type,
    /// The expression that gets smaller from call to call.
    pub decreases: Option<Expr>,
}
/// The name of the method `collect` if it makes a string: the only turbofish with a meaning.
pub const COLLECT_STRING: &str = "collect::<String>";

/// The function that a `format!` calls, which no user can name: its arguments are string literals, and values as methods
/// without arguments whose name is the placeholder, `x.{:02}()`.
pub const FORMAT: &str = "format!";

/// The source of a literal's content: for each of its bytes, and for its end, the byte of the file.
#[derive(Clone, Default, PartialEq)]
pub struct Offsets(pub Arc<[u32]>);

impl Offsets {
    /// The span of a part of the content, given by its bytes, in the literal's file.
    pub fn of(&self, part: Range<usize>, file: FileId) -> Span {
        let last = self.0.last().copied().unwrap_or_default();
        let at = |index: usize| self.0.get(index).copied().unwrap_or(last);
        Span { file, start: at(part.start), end: at(part.end).max(at(part.start)) }
    }
}

impl fmt::Debug for Offsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Printed byte by byte, it would hide the rest of a tree.
        f.write_str("Offsets")
    }
}

/// An expression and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Its span.
    pub span: Span,
}

/// The forms of an expression; parentheses are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `true`
    Bool(bool),
    /// `42`, `42u8`
    Int(Int, Option<String>),
    /// `1.5`, `1.5f32`
    Float(f64, Option<FloatKind>),
    /// `'a'`
    Char(char),
    /// `b'a'`
    Byte(u8),
    /// `"text"`, and the source of its bytes
    Str(String, Offsets),
    /// `b"bytes"`
    ByteStr(Vec<u8>),
    /// A name: `x`, `Color::Red`, `i64::MAX`.
    Path(Vec<Ident>),
    /// `!a`, `-a`, `*a`, `&a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and similar expressions.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `if let p = e { a } else { b }`
    IfLet(Box<Pat>, Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `match e { p if g => a, .. }`
    Match(Box<Expr>, Vec<Arm>),
    /// `{ let p = e; .. tail }`
    Block(Vec<LetStmt>, Box<Expr>),
    /// `e.name` or `e.0`
    Field(Box<Expr>, Ident),
    /// `e[i]`, where `i` may be a range.
    Index(Box<Expr>, Box<Expr>),
    /// `lo..hi`, `lo..=hi`; both bounds are optional.
    Range {
        /// The lower bound.
        lo: Option<Box<Expr>>,
        /// The upper bound.
        hi: Option<Box<Expr>>,
        /// Whether it is `..=`.
        inclusive: bool,
    },
    /// `f(a, b)`
    Call(Box<Expr>, Vec<Expr>),
    /// `e.name(a, b)`
    MethodCall(Box<Expr>, Ident, Vec<Expr>),
    /// `|p, q| body`
    Closure(Vec<Pat>, Box<Expr>),
    /// `(a, b)`; `()` is the empty tuple.
    Tuple(Vec<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; n]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `vec![a, b]`
    Vec(Vec<Expr>),
    /// `vec![a; n]`
    VecRepeat(Box<Expr>, Box<Expr>),
    /// `set![a, b]`
    Set(Vec<Expr>),
    /// `unreachable!()`
    Unreachable,
    /// `matches!(e, p if g)`
    Matches(Box<Expr>, Box<Pat>, Option<Box<Expr>>),
    /// `Point { x: a, y }`
    Struct(Vec<Ident>, Vec<(Ident, Expr)>),
    /// `e as T`
    Cast(Box<Expr>, Type),
}

/// `p if g => body`
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The pattern.
    pub pat: Pat,
    /// The guard.
    pub guard: Option<Expr>,
    /// The value of the arm.
    pub body: Expr,
}

/// `let p: T = e;`
#[derive(Clone, Debug, PartialEq)]
pub struct LetStmt {
    /// The pattern, which must always match.
    pub pat: Pat,
    /// The value.
    pub value: Expr,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum UnaryOp {
    Not,
    Neg,
    Deref,
    Ref,
    RefMut,
}

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    BitOr,
    BitXor,
    BitAnd,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A pattern and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Pat {
    /// Its form.
    pub kind: PatKind,
    /// Its span.
    pub span: Span,
}

/// The forms of a pattern; `&p`, `ref` and `mut` are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum PatKind {
    /// `_`
    Wild,
    /// `x`, `x @ p`; a single lower-case word is a name.
    Bind(Ident, Option<Box<Pat>>),
    /// A literal, negative numbers included.
    Lit(Box<Expr>),
    /// `lo..=hi`, `lo..hi`; both bounds are optional.
    Range {
        /// The lower bound.
        lo: Option<Box<Expr>>,
        /// The upper bound.
        hi: Option<Box<Expr>>,
        /// Whether it is `..=`.
        inclusive: bool,
    },
    /// `None`, `Color::Red`
    Path(Vec<Ident>),
    /// `Some(p)`; the last field is the index of `..`.
    TupleStruct(Vec<Ident>, Vec<Pat>, Option<usize>),
    /// `Point { x, y: p, .. }`
    Struct(Vec<Ident>, Vec<(Ident, Pat)>, bool),
    /// `(p, q)`; the last field is the index of `..`.
    Tuple(Vec<Pat>, Option<usize>),
    /// `[p, rest @ .., q]`
    Slice {
        /// The patterns before the rest.
        before: Vec<Pat>,
        /// Whether there is a `..`.
        rest: SliceRest,
        /// The patterns after the rest.
        after: Vec<Pat>,
    },
    /// `p | q`
    Or(Vec<Pat>),
}

/// The `..` in the pattern of a slice.
#[derive(Clone, Debug, PartialEq)]
pub enum SliceRest {
    /// There is none: the length is fixed.
    Absent,
    /// `..`
    Unnamed,
    /// `rest @ ..`
    Named(Ident),
}
