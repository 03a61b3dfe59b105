//! Codecs of specs: their fields in order, their variants by number.

use super::macros::{codec_enum, codec_struct};
use super::reader::{Codec, DecodeError, Reader};
use crate::logic::ir::{
    ArithOp, Asked, Builder, Callback, CallbackId, CallbackKind, CallbackParam, CharClass, Clause, Closure,
    Collection, CompareOp, Ctor, Data, DataId, Field, FloatKind, FloatOp, FloatUnary, Function, FunctionId,
    Instruction, IntKind, Law, MachineOp, MapKind, Method, Object, Param, Piece, Pointer, Program, Question,
    Receiver, Refined, Regex, RegexId, Rule, SeqKind, SetKind, SetOp, Sort, Spec, States, StrKind, StrTest,
    Term, TextOp, Via,
};

codec_struct!(Spec {
    name,
    params,
    data,
    callbacks,
    functions,
    regexes,
    requires,
    explore,
    result,
    ensures,
    panics_if,
    examples,
    displayed,
    literals
});
codec_struct!(Param { name, refined, mutable });
codec_struct!(Refined { pointers, sort, clauses });
codec_struct!(Data { rust_type, ctors, via, object, rule });
codec_struct!(Rule { name, layouts });
codec_struct!(Via { builders, states });
codec_struct!(States { looks, n_extended });
codec_struct!(Object { path, bases, associated, supertraits, methods });
codec_struct!(Method { name, receiver, params, result, of, is_required });
codec_struct!(Builder { reads, may_fail, changes, is_constant });
codec_struct!(Function { name, params, body, decreases, total, nesting });
codec_struct!(Ctor { rust_path, fields, named, recursive, excluded });
codec_struct!(Field { name, refined, slot });
codec_struct!(Clause { id, text, term });
codec_struct!(Callback { kind, params, requires, ensures, is_pointer, steps });
codec_struct!(CallbackParam { name, slot, refined });
codec_struct!(Closure { slot, body });

impl Codec for Regex {
    fn write(&self, out: &mut Vec<u8>) {
        self.text.write(out);
        self.named.write(out);
        self.classes.write(out);
        self.n_classes.write(out);
        self.table.write(out);
        self.accepting.write(out);
        self.dead.write(out);
        self.program.write(out);
    }

    fn read(input: &mut Reader) -> Result<Regex, DecodeError> {
        let regex = Regex {
            text: Codec::read(input)?,
            named: Codec::read(input)?,
            classes: Codec::read(input)?,
            n_classes: Codec::read(input)?,
            table: Codec::read(input)?,
            accepting: Codec::read(input)?,
            dead: Codec::read(input)?,
            program: Codec::read(input)?,
        };
        // Readers of the automaton trust its numbers.
        if regex.is_well_formed() { Ok(regex) } else { Err(DecodeError("an automaton's parts don't fit")) }
    }
}

codec_struct!(Program { names, start, code });
codec_enum!(Instruction {
    0 => Match, 1 => Read(set, next), 2 => Split(targets), 3 => Save(slot, next), 4 => Start(next), 5 => End(next),
});

/// An index into one of the tables of a spec.
macro_rules! codec_index {
    ($($type:ident),*) => {$(
        impl Codec for $type {
            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }

            fn read(input: &mut Reader) -> Result<$type, DecodeError> {
                u32::read(input).map($type)
            }
        }
    )*};
}

codec_index!(CallbackId, DataId, FunctionId, RegexId);

codec_enum!(Piece { 0 => Quoted(text), 1 => Field(index), });
codec_enum!(Pointer { 0 => Ref, 1 => RefMut, 2 => Box, 3 => Rc, 4 => Arc, 5 => Cow, });
codec_enum!(StrKind { 0 => String, 1 => Str, });
codec_enum!(SeqKind { 0 => Vec, 1 => Slice, 2 => Array(length), 3 => Deque, 4 => Answers(id), 5 => Iter, });
codec_enum!(CallbackKind { 0 => Pure, 1 => Stateful, 2 => Once, });
codec_enum!(Receiver { 0 => Ref, 1 => RefMut, 2 => Owned, });
codec_enum!(Law {
    0 => TotalOrder, 1 => Equivalence, 2 => Monotone, 3 => Antitone, 4 => Injective, 5 => Commutative, 6 => Pure,
});
codec_enum!(Asked { 0 => Param(slot), 1 => Method(slot, method), 2 => Inside, });
codec_enum!(Question { 0 => Result, 1 => Calls, 2 => Returns, 3 => Obeys(law), });
codec_enum!(SetKind { 0 => BTree, 1 => Hash, 2 => Bag, });
codec_enum!(MapKind { 0 => BTree, 1 => Hash, });
codec_enum!(Collection { 0 => Set, 1 => Bag, 2 => Map, });
codec_enum!(SetOp { 0 => Union, 1 => Difference, 2 => Intersection, });
codec_enum!(IntKind {
    0 => I8, 1 => I16, 2 => I32, 3 => I64, 4 => I128, 5 => Isize,
    6 => U8, 7 => U16, 8 => U32, 9 => U64, 10 => U128, 11 => Usize,
});
codec_enum!(FloatKind { 0 => F32, 1 => F64, });
codec_enum!(Sort {
    0 => Bool, 1 => Char, 2 => Int(kind), 3 => Float(kind), 4 => Str(kind), 5 => Seq(element, kind), 6 => Tuple(parts),
    7 => Data(id), 8 => Opaque(text), 9 => Set(element, kind), 10 => Map(key, value, kind),
});
codec_enum!(CompareOp { 0 => Lt, 1 => Le, });
codec_enum!(ArithOp {
    0 => Add, 1 => Sub, 2 => Mul, 3 => Div, 4 => Rem, 5 => DivEuclid, 6 => RemEuclid, 7 => Min, 8 => Max, 9 => Pow,
});
codec_enum!(FloatOp { 0 => Add, 1 => Sub, 2 => Mul, 3 => Div, 4 => Min, 5 => Max, });
codec_enum!(FloatUnary { 0 => Neg, 1 => Abs, 2 => IsNan, 3 => IsFinite, 4 => IsInfinite, 5 => IsSignNegative, 6 => ToF32, });
codec_enum!(MachineOp {
    0 => And, 1 => Or, 2 => Xor, 3 => Not, 4 => Shl, 5 => Shr, 6 => WrappingAdd, 7 => WrappingSub, 8 => WrappingMul,
    9 => WrappingNeg, 10 => Cast, 11 => CountOnes, 12 => LeadingZeros, 13 => TrailingZeros, 14 => AddFits,
    15 => SubFits, 16 => MulFits,
});
codec_enum!(CharClass {
    0 => Ascii, 1 => AsciiAlphabetic, 2 => AsciiAlphanumeric, 3 => AsciiControl, 4 => AsciiDigit, 5 => AsciiGraphic,
    6 => AsciiHexdigit, 7 => AsciiLowercase, 8 => AsciiPunctuation, 9 => AsciiUppercase, 10 => AsciiWhitespace,
    11 => Alphabetic, 12 => Alphanumeric, 13 => Control, 14 => Lowercase, 15 => Numeric, 16 => Uppercase,
    17 => Whitespace,
});
codec_enum!(TextOp {
    0 => Split, 1 => SplitBack, 2 => SplitAtMost, 3 => SplitBackAtMost, 4 => SplitTerminated, 5 => SplitInclusive,
    6 => Words, 7 => Lines, 8 => Before, 9 => After, 10 => BeforeLast, 11 => AfterLast, 12 => Trim, 13 => TrimStart,
    14 => TrimEnd, 15 => Slice, 16 => IsBoundary, 17 => Join, 18 => Lowercase, 19 => Uppercase, 20 => AsciiLowercase,
    21 => AsciiUppercase, 22 => Parse(kind), 23 => Decimal, 24 => Captures(regex), 25 => Display,
});
codec_enum!(StrTest { 0 => StartsWith, 1 => EndsWith, 2 => Contains, });
codec_enum!(Term {
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
    60 => Matches(regex, state, a), 61 => Ask(question, of, args), 62 => TextOp(op, args),
});
