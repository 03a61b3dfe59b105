//! Small specs: Z3's members are those that filtering finds.

use target_strategies::logic::ir::{
    CharClass, Ctor, DataId, Field, FloatKind, FloatOp, FloatUnary, MachineOp, StrTest,
};

use super::*;

fn not(a: Term) -> Term {
    Term::Not(Box::new(a))
}

fn int_of(kind: IntKind) -> Refined {
    plain(Sort::Int(kind))
}

fn three_ints(requires: Term) -> usize {
    agree(&space(spec(vec![plain(i64s()), plain(i64s()), plain(i64s())], vec![requires]), 4, 3))
}

/// `fn(xs: Vec<i64>, n: i64)`
fn list_and_int(requires: Term) -> usize {
    agree(&space(spec(vec![plain(vec_of(plain(i64s()))), plain(i64s())], vec![requires]), 3, 2))
}

/// At bound 5, strings have a character of two bytes.
fn one_string(requires: Term) -> usize {
    agree(&space(spec(vec![plain(string())], vec![requires]), 3, 5))
}

fn two_floats(requires: Term) -> usize {
    agree(&space(
        spec(vec![plain(Sort::Float(FloatKind::F64)), plain(Sort::Float(FloatKind::F64))], vec![requires]),
        4,
        1,
    ))
}

#[test]
fn rescale() {
    let pos = || refined(i64s(), [lt(int(0), var(3))]);
    let range = refined(i64s(), [le(int(0), var(3)), lt(var(3), var(0))]);
    assert!(agree(&space(spec(vec![pos(), pos(), range], Vec::new()), 4, 4)) > 20);
}

#[test]
fn floats_of_32_bits() {
    use FloatOp::{Add, Div, Mul, Sub};
    let f32s = |low: f64| {
        let at_least = le(Term::Lit(Value::Float(low)), var(3));
        refined(Sort::Float(FloatKind::F32), [at_least])
    };
    let rounded = |term| Term::FloatUnary(FloatUnary::ToF32, Box::new(term));
    let exactly = |op, a, b| Term::FloatArith(op, Box::new(a), Box::new(b));
    // Halves of some, and numbers that only f32 is too narrow for the sum of.
    for (a, b, c) in [(-1.0, -1.0, -1.0), (0.1, 8_388_608.0, -2.0), (16_777_216.0, 0.0, 16_777_216.0)] {
        let space = |requires| {
            let params = vec![f32s(a), f32s(b), f32s(c)];
            space(spec(params, vec![requires]), 4, 1)
        };
        for op in [Add, Sub, Mul, Div] {
            agree(&space(eq(rounded(exactly(op, var(0), var(1))), var(2))));
            let rounds = not(eq(rounded(exactly(op, var(0), var(1))), exactly(op, var(0), var(1))));
            agree(&space(rounds));
        }
        let nested = rounded(exactly(Add, rounded(exactly(Mul, var(0), var(1))), var(2)));
        agree(&space(le(nested, var(1))));
    }
    let int = |n| Term::IntToFloat(FloatKind::F32, Box::new(arith(ArithOp::Add, var(0), int(n))));
    let spec = spec(
        vec![plain(i64s()), plain(Sort::Float(FloatKind::F32))],
        vec![eq(int(16_777_216), int(16_777_217))],
    );
    assert!(agree(&space(spec, 4, 1)) > 0);
}

#[test]
fn searching_in_strings() {
    use StrTest::{Contains, EndsWith, StartsWith};
    let two_strings = |requires| {
        let space = space(spec(vec![plain(string()), plain(string())], vec![requires]), 2, 2);
        agree(&space)
    };
    let test = |test, a: Term, b: Term| Term::StrTest(test, Box::new(a), Box::new(b));
    let lit = |text| Term::Lit(Value::str(text));
    let digits = |text| {
        let is_digit = Term::CharIs(CharClass::AsciiDigit, Box::new(var(7)));
        let kept = Term::Filter(Box::new(Term::Chars(Box::new(text))), closure(7, is_digit));
        Term::Text(Box::new(kept))
    };
    for op in [StartsWith, EndsWith, Contains] {
        assert!(two_strings(test(op, var(0), var(1))) > 13, "{op:?}");
        assert!(two_strings(not(test(op, var(0), Term::Concat(vec![var(1), lit("0")])))) > 0, "{op:?}");
        assert!(one_string(test(op, digits(var(0)), lit("00"))) > 0, "{op:?}");
        assert!(one_string(not(test(op, var(0), lit("é")))) > 0, "{op:?}");
        one_string(Term::And(vec![test(op, var(0), lit("é0")), not(test(op, var(0), lit("é")))]));
    }
    let field = Field { name: "0".into(), refined: int_of(IntKind::Usize), slot: None };
    let ctor = |name: &str, fields| Ctor {
        rust_path: name.into(),
        fields,
        named: false,
        recursive: false,
        excluded: false,
    };
    let ctors = vec![ctor("None", Vec::new()), ctor("Some", vec![field])];
    let option = Data { rust_type: "Option<usize>".into(), ctors, via: None, object: None, rule: None };
    let find = Term::StrFind(Box::new(var(0)), Box::new(lit("0")), DataId(0));
    let found = Term::Construct(DataId(0), 1, vec![var(1)]);
    let requires = vec![eq(find, found)];
    let spec = Spec { data: vec![option], ..spec(vec![plain(string()), int_of(IntKind::Usize)], requires) };
    assert!(agree(&space(spec, 2, 5)) > 6);
}

#[test]
fn arithmetic() {
    use ArithOp::*;
    for op in [Add, Sub, Mul, Div, Rem, DivEuclid, RemEuclid, Min, Max, Pow] {
        assert!(three_ints(eq(arith(op, var(0), var(1)), var(2))) > 0, "{op:?}");
        // Undefined on the right of `||` doesn't matter where the left is true.
        three_ints(Term::Or(vec![le(var(0), int(0)), eq(arith(op, var(0), var(1)), var(2))]));
        three_ints(not(eq(arith(op, int(7), var(1)), var(2))));
    }
    three_ints(eq(Term::Abs(Box::new(var(0))), Term::Neg(Box::new(var(1)))));
    three_ints(eq(Term::If(Box::new(lt(var(0), var(1))), Box::new(var(2)), Box::new(int(1))), var(0)));
}

#[test]
fn machine_operations() {
    use MachineOp::*;
    for kind in [IntKind::I8, IntKind::U8, IntKind::I64, IntKind::U128] {
        for op in [And, Or, Xor, Shl, Shr, WrappingAdd, WrappingSub, WrappingMul] {
            let result = Term::Machine(op, kind, vec![var(0), var(1)]);
            let spec = spec(vec![int_of(kind), int_of(kind), int_of(IntKind::I64)], vec![eq(result, var(2))]);
            assert!(agree(&space(spec, 4, 3)) > 0, "{op:?} {kind:?}");
        }
        for op in [AddFits, SubFits, MulFits] {
            let hundred = |slot| arith(ArithOp::Mul, var(slot), int(100));
            let result = Term::Machine(op, kind, vec![hundred(0), hundred(1)]);
            agree(&space(spec(vec![int_of(kind), int_of(kind)], vec![result]), 4, 3));
        }
        for op in [Not, WrappingNeg, Cast, CountOnes, LeadingZeros, TrailingZeros] {
            let result = Term::Machine(op, kind, vec![arith(ArithOp::Mul, var(0), int(50))]);
            let requires = vec![le(arith(ArithOp::RemEuclid, result, int(3)), var(1))];
            assert!(
                agree(&space(spec(vec![int_of(IntKind::I64), plain(i64s())], requires), 4, 4)) > 0,
                "{op:?}"
            );
        }
    }
}

#[test]
fn undefined_is_false_also_under_a_negation() {
    let at = || index(var(0), var(1));
    assert!(list_and_int(eq(at(), int(1))) > 0);
    assert!(list_and_int(not(eq(at(), int(1)))) > 0);
    assert!(list_and_int(Term::And(vec![lt(var(1), len(var(0))), not(eq(at(), int(1)))])) > 0);
    assert!(list_and_int(Term::Or(vec![le(len(var(0)), var(1)), eq(at(), int(1))])) > 0);
    assert_eq!(list_and_int(Term::Or(vec![Term::Undefined, eq(int(1), int(1))])), 0);
}

#[test]
fn sequences() {
    let xs = || Box::new(var(0));
    let body = |term| closure(7, term);
    let even = || eq(arith(ArithOp::Rem, var(7), int(2)), int(0));
    let kept = || Term::Filter(xs(), body(lt(int(0), var(7))));
    let mapped = || Term::Map(xs(), body(arith(ArithOp::Mul, var(7), var(1))));
    let slice = || Term::Slice(xs(), Box::new(var(1)), Box::new(len(var(0))));
    let range = || Term::Range(Box::new(var(1)), Box::new(len(var(0))));
    let fold = Term::Fold {
        over: xs(),
        init: Box::new(int(0)),
        acc: 6,
        closure: body(arith(ArithOp::Sub, var(7), var(6))),
    };
    let zip = Term::Zip(xs(), Box::new(range()));
    let pair_equal = eq(Term::Project(Box::new(var(7)), 0), Term::Project(Box::new(var(7)), 1));
    let terms = [
        eq(len(kept()), var(1)),
        eq(kept(), Term::Reverse(Box::new(mapped()))),
        Term::All(xs(), body(even())),
        Term::Any(xs(), body(eq(index(var(0), var(7)), var(1)))),
        eq(Term::Sum(Box::new(slice())), int(0)),
        Term::Contains(Box::new(slice()), Box::new(int(1))),
        Term::Contains(Box::new(range()), Box::new(Term::Sum(xs()))),
        eq(fold, var(1)),
        Term::All(Box::new(zip), body(pair_equal)),
        Term::Distinct(xs()),
        Term::IsSorted(Box::new(mapped())),
        eq(Term::Concat(vec![kept(), slice()]), var(0)),
        lt(kept(), var(0)),
        le(Term::Seq(vec![var(1), int(0)]), var(0)),
        eq(
            len(Term::Flatten(Box::new(Term::Map(
                xs(),
                body(Term::Range(Box::new(int(0)), Box::new(var(7)))),
            )))),
            var(1),
        ),
    ];
    for term in terms {
        list_and_int(term.clone());
        list_and_int(not(term));
    }
}

#[test]
fn what_is_never_reached_may_be_undefined() {
    let xs = || Box::new(var(0));
    let quotient = || closure(7, arith(ArithOp::Div, int(2), var(7)));
    let mapped = || Box::new(Term::Map(xs(), quotient()));
    let kept = || Box::new(Term::Filter(mapped(), closure(8, lt(int(0), var(8)))));
    let is_one = || closure(9, eq(var(9), int(1)));
    let zipped = Term::Zip(kept(), Box::new(Term::Range(Box::new(int(0)), Box::new(var(1)))));
    for over in [mapped(), kept()] {
        assert!(list_and_int(Term::All(over.clone(), is_one())) > 0);
        assert!(list_and_int(Term::Any(over.clone(), is_one())) > 0);
        assert!(list_and_int(eq(len(*over.clone()), var(1))) > 0);
        assert!(list_and_int(eq(Term::Sum(over), int(2))) > 0);
    }
    assert!(list_and_int(eq(len(zipped.clone()), int(1))) > 0);
    assert!(list_and_int(eq(Term::Reverse(Box::new(zipped)), Term::Seq(Vec::new()))) > 0);
}

#[test]
fn options_and_trees() {
    let none = Ctor {
        rust_path: "None".into(),
        fields: Vec::new(),
        named: false,
        recursive: false,
        excluded: false,
    };
    let field = |name: &str, refined| Field { name: name.into(), refined, slot: None };
    let some = Ctor {
        rust_path: "Some".into(),
        fields: vec![field("0", plain(i64s()))],
        named: false,
        recursive: false,
        excluded: false,
    };
    let leaf = Ctor {
        rust_path: "Leaf".into(),
        fields: Vec::new(),
        named: false,
        recursive: false,
        excluded: false,
    };
    let tree = || plain(Sort::Data(DataId(1)));
    let key = refined(i64s(), [lt(var(2), var(0))]);
    let node = Ctor {
        rust_path: "Node".into(),
        fields: vec![field("0", tree()), field("1", key), field("2", tree())],
        named: false,
        recursive: true,
        excluded: false,
    };
    let data = vec![
        Data {
            rust_type: "Option<i64>".into(),
            ctors: vec![none, some],
            via: None,
            object: None,
            rule: None,
        },
        Data { rust_type: "Tree".into(), ctors: vec![leaf, node], via: None, object: None, rule: None },
    ];
    let get = |of: Term, index| Term::Field { of: Box::new(of), ctor: 1, index };
    let positive = || closure(9, lt(var(0), var(9)));
    let list = || Box::new(Term::Seq(vec![int(1), var(0), int(3)]));
    let position = Term::Position(list(), positive(), DataId(0));
    let greatest = Term::Extreme { over: list(), greatest: true, option: DataId(0) };
    let some_of = |x| Term::Construct(DataId(0), 1, vec![x]);
    let terms = [
        lt(get(var(1), 1), get(get(var(1), 0), 1)),
        Term::Or(vec![not(Term::IsCtor(Box::new(var(1)), 1)), lt(get(var(1), 1), int(0))]),
        eq(position, some_of(arith(ArithOp::Add, var(0), int(1)))),
        eq(greatest, some_of(int(3))),
        eq(get(var(1), 0), get(var(1), 2)),
        lt(get(var(1), 0), get(var(1), 2)),
    ];
    for term in terms {
        let mut spec = spec(vec![plain(i64s()), tree()], vec![term]);
        spec.data = data.clone();
        agree(&space(spec, 2, 1));
    }
}

#[test]
fn characters() {
    let text = || Box::new(var(0));
    let chars = || Box::new(Term::Chars(text()));
    let is = |class| Term::CharIs(class, Box::new(var(7)));
    for class in [CharClass::AsciiDigit, CharClass::Alphabetic, CharClass::Whitespace, CharClass::Uppercase] {
        one_string(Term::All(chars(), closure(7, is(class))));
    }
    let accented = Term::Filter(chars(), closure(7, not(is(CharClass::Ascii))));
    assert!(one_string(eq(len(accented), int(1))) > 0);
    let code = Term::ToInt(Box::new(var(7)));
    one_string(Term::Any(chars(), closure(7, eq(arith(ArithOp::Rem, code, int(5)), int(0)))));
}

#[test]
fn strings() {
    let text = || Box::new(var(0));
    assert!(one_string(eq(len(var(0)), int(3))) > 0);
    assert!(one_string(eq(Term::Sum(Box::new(Term::Bytes(text()))), int(0xC3 + 0xA9))) > 0);
    assert!(one_string(lt(var(0), Term::Lit(Value::str("aé")))) > 0);
    let doubled = Term::Concat(vec![var(0), var(0)]);
    assert_eq!(one_string(eq(doubled, Term::Lit(Value::str("abab")))), 1);
}

#[test]
fn floats() {
    let float = |x| Term::Lit(Value::Float(x));
    let unary = |op, slot| Term::FloatUnary(op, Box::new(var(slot)));
    for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Max] {
        two_floats(lt(Term::FloatArith(op, Box::new(var(0)), Box::new(var(1))), float(0.75)));
    }
    assert!(two_floats(eq(var(0), var(1))) > two_floats(lt(var(0), var(1))) / 4);
    two_floats(eq(var(0), float(0.0)));
    two_floats(unary(FloatUnary::IsSignNegative, 0));
    two_floats(eq(unary(FloatUnary::Abs, 0), unary(FloatUnary::Neg, 1)));
    assert_eq!(two_floats(unary(FloatUnary::IsNan, 0)), 0);
    let divided = Term::FloatArith(FloatOp::Div, Box::new(var(0)), Box::new(var(1)));
    assert!(two_floats(Term::FloatUnary(FloatUnary::IsNan, Box::new(divided))) > 0);
    let converted = spec(
        vec![plain(i64s()), plain(Sort::Float(FloatKind::F64))],
        vec![lt(Term::IntToFloat(FloatKind::F64, Box::new(var(0))), var(1))],
    );
    assert!(agree(&space(converted, 4, 2)) > 0);
}

/// Terms at random, from a seed: every operator under every other.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    fn int(&mut self, depth: u32) -> Term {
        use ArithOp::*;
        if depth == 0 {
            return match self.roll(3) {
                0 => int(self.roll(5) as i64 - 2),
                _ => var(1 + self.roll(2) as u32),
            };
        }
        match self.roll(8) {
            0..=2 => {
                let op = [Add, Sub, Mul, Div, Rem, DivEuclid, RemEuclid, Min, Max][self.roll(9) as usize];
                arith(op, self.int(depth - 1), self.int(depth - 1))
            }
            3 => index(self.list(depth - 1), self.int(depth - 1)),
            4 => len(self.list(depth - 1)),
            5 => Term::Sum(Box::new(self.list(depth - 1))),
            6 => Term::If(
                Box::new(self.bool(depth - 1)),
                Box::new(self.int(depth - 1)),
                Box::new(self.int(depth - 1)),
            ),
            _ => {
                let op = [MachineOp::And, MachineOp::Xor, MachineOp::Shr, MachineOp::WrappingMul]
                    [self.roll(4) as usize];
                Term::Machine(op, IntKind::I8, vec![self.int(depth - 1), self.int(depth - 1)])
            }
        }
    }

    fn list(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return var(0);
        }
        let xs = Box::new(self.list(depth - 1));
        // Inside a body the parameters are joined by nothing: bound slots are only compared.
        let body = closure(20 + depth, le(var(20 + depth), self.int(depth - 1)));
        match self.roll(6) {
            0 => Term::Filter(xs, body),
            1 => Term::Slice(xs, Box::new(self.int(0)), Box::new(self.int(depth - 1))),
            2 => Term::Map(xs, closure(20 + depth, add(var(20 + depth), self.int(depth - 1)))),
            3 => Term::Concat(vec![*xs, Term::Seq(vec![self.int(depth - 1)])]),
            4 => Term::Reverse(xs),
            _ => var(0),
        }
    }

    fn bool(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return le(self.int(0), self.int(0));
        }
        match self.roll(7) {
            0 => not(self.bool(depth - 1)),
            1 => Term::And(vec![self.bool(depth - 1), self.bool(depth - 1)]),
            2 => Term::Or(vec![self.bool(depth - 1), self.bool(depth - 1)]),
            3 => eq(self.int(depth - 1), self.int(depth - 1)),
            4 => lt(self.int(depth - 1), self.int(depth - 1)),
            5 => {
                let slot = 30 + depth;
                Term::All(Box::new(self.list(depth - 1)), closure(slot, le(self.int(depth - 1), var(slot))))
            }
            _ => Term::IsSorted(Box::new(self.list(depth - 1))),
        }
    }
}

#[test]
fn terms_at_random() {
    let config = proptest::test_runner::Config { cases: 150, ..Default::default() };
    proptest::proptest!(config, |(seed: u64)| {
        let requires = Dice(seed).bool(3);
        let params = vec![plain(vec_of(plain(i64s()))), plain(i64s()), plain(i64s())];
        agree(&space(spec(params, vec![requires]), 2, 1));
    });
}
