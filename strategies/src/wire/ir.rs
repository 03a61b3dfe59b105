//! The bytes of specs and messages: their fields in order, their variants by number.

use super::{Reader, Wire, WireError};
use crate::enumerative::Range;
use crate::ir::{
    ArithOp, CharClass, Clause, Closure, Collection, CompareOp, Ctor, Data, DataId, Field, FloatKind,
    FloatOp, FloatUnary, Function, FunctionId, IntKind, MachineOp, MapKind, Param, Pointer, Refined, Regex,
    RegexId, SeqKind, SetKind, SetOp, Sort, Spec, StrKind, StrTest, Term, Via,
};
use crate::native::deal::{Listed, Pick};
use crate::native::{Class, Position};
use crate::protocol::{Failure, FailureKind, Limits, Reply, Request};
use crate::space::{Bounds, Shape, Skeleton};

macro_rules! wire_struct {
    ($type:ident { $($field:ident),* }) => {
        impl Wire for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)*
            }

            fn read(input: &mut Reader) -> Result<$type, WireError> {
                Ok($type { $($field: Wire::read(input)?),* })
            }
        }
    };
}

/// Lists every variant as `number => Variant`, `number => Variant(a, b)` or `number => Variant { a, b }`.
macro_rules! wire_enum {
    ($type:ident { $($number:literal => $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?,)* }) => {
        impl Wire for $type {
            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant $(($($part),*))? $({ $($field),* })? => {
                        out.push($number);
                        $($($part.write(out);)*)?
                        $($($field.write(out);)*)?
                    })*
                }
            }

            fn read(input: &mut Reader) -> Result<$type, WireError> {
                Ok(match u8::read(input)? {
                    $($number => {
                        $($(let $part = Wire::read(input)?;)*)?
                        $($(let $field = Wire::read(input)?;)*)?
                        $type::$variant $(($($part),*))? $({ $($field),* })?
                    })*
                    _ => return Err(WireError(concat!("there is no such variant of ", stringify!($type)))),
                })
            }
        }
    };
}

wire_struct!(Spec {
    name,
    params,
    data,
    functions,
    regexes,
    requires,
    explore,
    result,
    ensures,
    panics_if,
    examples
});
wire_struct!(Param { name, refined, mutable });
wire_struct!(Refined { pointers, sort, clauses });
wire_struct!(Data { rust_type, ctors, via });
wire_struct!(Via { reads, may_fail });
wire_struct!(Function { name, params, body, decreases, total, nesting });
wire_struct!(Ctor { rust_path, fields, named, recursive, excluded });
wire_struct!(Field { name, refined, slot });
wire_struct!(Clause { id, text, term });
wire_struct!(Closure { slot, body });
wire_struct!(Bounds { depth, bound });
wire_struct!(Skeleton { args });
wire_struct!(Range { skeleton, start, len });
wire_struct!(Listed { class, pick, start, len });
wire_struct!(Limits { stop_at_failure, max_valid });
wire_struct!(Failure { kind, message, location, clause, result, after });

impl Wire for Regex {
    fn write(&self, out: &mut Vec<u8>) {
        self.text.write(out);
        self.classes.write(out);
        self.n_classes.write(out);
        self.table.write(out);
        self.accepting.write(out);
        self.dead.write(out);
    }

    fn read(input: &mut Reader) -> Result<Regex, WireError> {
        let regex = Regex {
            text: Wire::read(input)?,
            classes: Wire::read(input)?,
            n_classes: Wire::read(input)?,
            table: Wire::read(input)?,
            accepting: Wire::read(input)?,
            dead: Wire::read(input)?,
        };
        // Whoever walks it goes by its numbers.
        if regex.is_well_formed() { Ok(regex) } else { Err(WireError("an automaton's parts don't fit")) }
    }
}

/// An index into one of the tables of a spec.
macro_rules! wire_index {
    ($($type:ident),*) => {$(
        impl Wire for $type {
            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }

            fn read(input: &mut Reader) -> Result<$type, WireError> {
                u32::read(input).map($type)
            }
        }
    )*};
}

wire_index!(DataId, FunctionId, RegexId);

wire_enum!(Pointer { 0 => Ref, 1 => RefMut, 2 => Box, 3 => Rc, 4 => Arc, });
wire_enum!(StrKind { 0 => String, 1 => Str, });
wire_enum!(SeqKind { 0 => Vec, 1 => Slice, 2 => Array(length), 3 => Deque, });
wire_enum!(SetKind { 0 => BTree, 1 => Hash, 2 => Bag, });
wire_enum!(MapKind { 0 => BTree, 1 => Hash, });
wire_enum!(Collection { 0 => Set, 1 => Bag, 2 => Map, });
wire_enum!(SetOp { 0 => Union, 1 => Difference, 2 => Intersection, });
wire_enum!(IntKind {
    0 => I8, 1 => I16, 2 => I32, 3 => I64, 4 => I128, 5 => Isize,
    6 => U8, 7 => U16, 8 => U32, 9 => U64, 10 => U128, 11 => Usize,
});
wire_enum!(FloatKind { 0 => F32, 1 => F64, });
wire_enum!(Sort {
    0 => Bool, 1 => Char, 2 => Int(kind), 3 => Float(kind), 4 => Str(kind), 5 => Seq(element, kind), 6 => Tuple(parts),
    7 => Data(id), 8 => Opaque(text), 9 => Set(element, kind), 10 => Map(key, value, kind),
});
wire_enum!(CompareOp { 0 => Lt, 1 => Le, });
wire_enum!(ArithOp {
    0 => Add, 1 => Sub, 2 => Mul, 3 => Div, 4 => Rem, 5 => DivEuclid, 6 => RemEuclid, 7 => Min, 8 => Max, 9 => Pow,
});
wire_enum!(FloatOp { 0 => Add, 1 => Sub, 2 => Mul, 3 => Div, 4 => Min, 5 => Max, });
wire_enum!(FloatUnary { 0 => Neg, 1 => Abs, 2 => IsNan, 3 => IsFinite, 4 => IsInfinite, 5 => IsSignNegative, 6 => ToF32, });
wire_enum!(MachineOp {
    0 => And, 1 => Or, 2 => Xor, 3 => Not, 4 => Shl, 5 => Shr, 6 => WrappingAdd, 7 => WrappingSub, 8 => WrappingMul,
    9 => WrappingNeg, 10 => Cast, 11 => CountOnes, 12 => LeadingZeros, 13 => TrailingZeros, 14 => AddFits,
    15 => SubFits, 16 => MulFits,
});
wire_enum!(CharClass {
    0 => Ascii, 1 => AsciiAlphabetic, 2 => AsciiAlphanumeric, 3 => AsciiControl, 4 => AsciiDigit, 5 => AsciiGraphic,
    6 => AsciiHexdigit, 7 => AsciiLowercase, 8 => AsciiPunctuation, 9 => AsciiUppercase, 10 => AsciiWhitespace,
    11 => Alphabetic, 12 => Alphanumeric, 13 => Control, 14 => Lowercase, 15 => Numeric, 16 => Uppercase,
    17 => Whitespace,
});
wire_enum!(StrTest { 0 => StartsWith, 1 => EndsWith, 2 => Contains, });
wire_enum!(Term {
    0 => Var(slot), 1 => Lit(value), 2 => Not(a), 3 => And(parts), 4 => Or(parts), 5 => If(a, b, c),
    6 => Let { slot, value, body }, 7 => Equal(a, b), 8 => Compare(op, a, b), 9 => Arith(op, a, b), 10 => Neg(a),
    11 => Abs(a), 12 => FloatArith(op, a, b), 13 => FloatUnary(op, a), 14 => Machine(op, kind, args),
    15 => IntToFloat(kind, a), 16 => ToInt(a), 17 => Tuple(parts), 18 => Seq(parts), 19 => Construct(id, ctor, fields),
    20 => Project(a, index), 21 => Field { of, ctor, index }, 22 => IsCtor(a, ctor), 23 => Len(a), 24 => Index(a, b),
    25 => Slice(a, b, c), 26 => Concat(parts), 27 => Flatten(a), 28 => Reverse(a), 29 => Range(a, b),
    30 => Windows(a, length), 31 => Zip(a, b), 32 => Chars(a), 33 => Bytes(a), 34 => Contains(a, b),
    35 => All(a, closure), 36 => Any(a, closure), 37 => Map(a, closure), 38 => Filter(a, closure),
    39 => Fold { over, init, acc, closure }, 40 => Sum(a), 41 => Position(a, closure, option),
    42 => Extreme { over, greatest, option }, 43 => Distinct(a), 44 => IsSorted(a), 45 => CharIs(class, a),
    46 => Opaque(id, args), 47 => Undefined, 48 => Call(function, args), 49 => Text(a), 50 => StrTest(test, a, b),
    51 => StrFind(a, b, option), 52 => Collect(kind, a), 53 => SetOp(op, is_bag, a, b), 54 => Subset(is_bag, a, b),
    55 => Entries(a), 56 => Keys(a), 57 => MapGet(a, b, option), 58 => MapWith(a, b, c), 59 => MapWithout(a, b),
    60 => Matches(regex, state, a),
});
wire_enum!(Shape { 0 => Leaf, 1 => Str(length), 2 => Seq(parts), 3 => Tuple(parts), 4 => Data(ctor, fields), });
wire_enum!(Class { 0 => All, 1 => Size(size), });
wire_enum!(Position { 0 => Rank(number), 1 => Path(path), });
wire_enum!(Pick { 0 => From(position), 1 => Sample(seed), });
wire_enum!(Request {
    0 => Setup { version, function, spec, bounds, memory },
    1 => Cases { cases, limits },
    2 => Enumerate { ranges, limits },
    3 => List { ranges, judge_all, limits },
    4 => Watch { sums, known },
});
wire_enum!(Reply {
    0 => Ready, 1 => Refused(message), 2 => Failed { offset, args, failure },
    3 => SpecError { offset, args, clause, message }, 4 => Finished { shown },
    5 => Broken { offset, args, message }, 6 => Reached { offset, args, sums }, 7 => Counted { counters },
});
wire_enum!(FailureKind {
    0 => Panic, 1 => NoPanic, 2 => Abort, 3 => Exit, 4 => StackOverflow, 5 => Timeout, 6 => Memory, 7 => Result,
    8 => Ensures, 9 => Fork,
});
