//! A condition of a spec as a Rust expression on the variables of a test, where Rust means the same by it.
//!
//! Integers of a spec are mathematical. Two variables of one type are compared as they are; arithmetic is done in `i128`
//! if that can't overflow. A condition for which there is no such expression has none: then the test says less (see
//! [`super::test`]). A condition that is undefined panics, and fails the test as it should.

mod code;

use std::collections::BTreeMap;

use target_bridge::frontend::subject::Opaque;
use target_strategies::logic::ir::{
    ArithOp, CharClass, Closure, CompareOp, FloatUnary, FunctionId, Pointer, Refined, SeqKind, Sort, Spec,
    StrKind, StrTest, Term,
};

pub(super) use code::ALWAYS;
use code::Type;
pub use code::{Code, Level};

/// Writes conditions over variables.
pub(super) struct ClauseWriter<'s> {
    spec: &'s Spec,
    opaques: &'s [Opaque],
    /// The expressions for slots.
    slots: BTreeMap<u32, Code>,
    /// The variables of the test, by slot: their names and types.
    variables: BTreeMap<u32, (String, Refined)>,
    /// Number of names for closure parameters so far.
    n_names: usize,
}

impl<'s> ClauseWriter<'s> {
    /// A writer for conditions in which these slots are variables.
    pub fn new(
        spec: &'s Spec,
        opaques: &'s [Opaque],
        variables: BTreeMap<u32, (String, Refined)>,
    ) -> ClauseWriter<'s> {
        let slots = variables.iter().map(|(slot, (name, of))| (*slot, Code::variable(name, of))).collect();
        ClauseWriter { spec, opaques, slots, variables, n_names: 0 }
    }

    /// The conditions of a type on the value in the slot of refined values, with those of elements, each after the number
    /// of its clause; `None` for a condition that can't be written.
    pub fn of_type(&mut self, refined: &Refined) -> Vec<(u32, Option<Code>)> {
        let own = refined.clauses.iter();
        let mut found: Vec<_> = own.map(|clause| (clause.id, self.condition(&clause.term))).collect();
        let Sort::Seq(element, _) = &refined.sort else { return found };
        let slot = self.spec.value_slot();
        let Some(whole) = self.slots.get(&slot).cloned() else { return found };
        let name = self.name();
        self.slots.insert(slot, Code::variable(&name, &behind_reference(element)));
        let inner = self.of_type(element);
        let receiver = whole.receiver();
        self.slots.insert(slot, whole);
        let each =
            |code: Code| Code::bool(format!("{receiver}.iter().all(|{name}| {})", code.text), Level::Atom);
        found.extend(inner.into_iter().map(|(id, code)| (id, code.map(each))));
        found
    }

    /// A condition; `None` if it can't be written.
    pub fn condition(&mut self, term: &Term) -> Option<Code> {
        self.bool(term)
    }

    fn bool(&mut self, term: &Term) -> Option<Code> {
        let code = self.code(term)?;
        matches!(code.of, Type::Bool).then_some(code)
    }

    /// Any term. The terms without an arm of their own have no Rust expression here.
    #[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
    fn code(&mut self, term: &Term) -> Option<Code> {
        match term {
            Term::Var(slot) => self.slots.get(slot).cloned(),
            Term::Lit(value) => Code::literal(value),
            Term::Not(a) => {
                let a = self.bool(a)?.operand_of(Level::Prefix);
                Some(Code::bool(format!("!{a}"), Level::Prefix))
            }
            Term::And(parts) => self.joined(parts, " && ", Level::Condition),
            Term::Or(parts) => self.joined(parts, " || ", Level::Alternative),
            Term::Equal(a, b) => self.equal(a, b),
            Term::Compare(op, a, b) => {
                let (a, b) = (self.code(a)?, self.code(b)?);
                let op = if *op == CompareOp::Lt { "<" } else { "<=" };
                code::compared(&a, op, &b)
            }
            Term::Let { slot, value, body } => {
                let value = self.code(value)?;
                self.within(*slot, value, |writer| writer.code(body))
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.code(a)?, self.code(b)?);
                of_lengths(*op, &a, &b).or_else(|| arithmetic(*op, &a.wide()?, &b.wide()?))
            }
            Term::Neg(a) => {
                let a = self.code(a)?.wide()?;
                Some(Code::wide_of(format!("-{}", a.operand_of(Level::Prefix)), Level::Prefix, a.bits()))
            }
            Term::Abs(a) => {
                let a = self.code(a)?.wide()?;
                Some(Code::wide_of(format!("i128::abs({})", a.text), Level::Atom, a.bits()))
            }
            Term::ToInt(a) => self.code(a)?.code_point(),
            Term::Len(of) => self.code(of)?.length(),
            Term::Index(of, index) => {
                let (of, index) = (self.code(of)?, self.code(index)?);
                of.element(&index)
            }
            Term::Project(of, index) => {
                let of = self.code(of)?;
                let Type::Value(refined) = &of.of else { return None };
                let Sort::Tuple(parts) = &refined.sort else { return None };
                Some(of.part(&index.to_string(), parts.get(*index as usize)?))
            }
            Term::Field { of, ctor, index } => self.field(of, *ctor, *index),
            Term::IsCtor(of, ctor) => self.is_constructor(of, *ctor),
            Term::FloatUnary(op, a) => self.float_test(*op, a),
            Term::CharIs(class, c) => self.char_is(*class, c),
            Term::StrTest(test, a, b) => {
                let (a, b) = (self.code(a)?.text_receiver()?, self.code(b)?.text_receiver()?);
                let test = match test {
                    StrTest::StartsWith => "starts_with",
                    StrTest::EndsWith => "ends_with",
                    StrTest::Contains => "contains",
                };
                Some(Code::bool(format!("{a}.{test}(&{b}[..])"), Level::Atom))
            }
            Term::Contains(of, wanted) => self.contains(of, wanted),
            Term::IsSorted(of) => {
                let of = self.code(of)?;
                of.is_ordered().then(|| Code::bool(format!("{}.is_sorted()", of.receiver()), Level::Atom))
            }
            Term::All(over, closure) => self.quantified("all", over, closure),
            Term::Any(over, closure) => self.quantified("any", over, closure),
            Term::Opaque(id, args) => self.where_condition(*id, args),
            Term::Ask(..)
            | Term::If(..)
            | Term::FloatArith(..)
            | Term::Machine(..)
            | Term::IntToFloat(..)
            | Term::Tuple(_)
            | Term::Seq(_)
            | Term::Construct(..)
            | Term::Slice(..)
            | Term::Concat(_)
            | Term::Flatten(_)
            | Term::Reverse(_)
            | Term::Range(..)
            | Term::Windows(..)
            | Term::Zip(..)
            | Term::Chars(_)
            | Term::Bytes(_)
            | Term::Text(_)
            | Term::Matches(..)
            | Term::StrFind(..)
            | Term::TextOp(..)
            | Term::Map(..)
            | Term::Filter(..)
            | Term::Fold { .. }
            | Term::Sum(_)
            | Term::Position(..)
            | Term::Extreme { .. }
            | Term::Distinct(_)
            | Term::Collect(..)
            | Term::SetOp(..)
            | Term::Subset(..)
            | Term::Entries(_)
            | Term::Keys(_)
            | Term::MapGet(..)
            | Term::MapWith(..)
            | Term::MapWithout(..)
            | Term::Undefined => None,
            Term::Call(function, args) => self.text(*function, args),
        }
    }

    /// The text of a derivation, which is the Rust value itself.
    fn text(&mut self, function: FunctionId, args: &[Term]) -> Option<Code> {
        let [arg] = args else { return None };
        let code = self.code(arg).filter(|_| self.spec.function(function).total)?;
        let Type::Value(refined) = &code.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        self.spec.data(id).rule.as_ref()?;
        let is_slice = refined.pointers.last().is_some_and(|pointer| *pointer != Pointer::RefMut);
        let kind = if is_slice { StrKind::Str } else { StrKind::String };
        let text = Refined { sort: Sort::Str(kind), ..refined.clone() };
        Some(Code { of: Type::Value(text), ..code })
    }

    fn joined(&mut self, parts: &[Term], operator: &str, level: Level) -> Option<Code> {
        let parts: Option<Vec<Code>> = parts.iter().map(|part| self.bool(part)).collect();
        let parts: Vec<String> = parts?.iter().map(|part| part.operand_of(Level::Comparison)).collect();
        Some(Code::bool(parts.join(operator), level))
    }

    fn equal(&mut self, a: &Term, b: &Term) -> Option<Code> {
        let (a, b) = (self.code(a)?, self.code(b)?);
        code::compared(&a, "==", &b)
    }

    /// A field of a struct.
    fn field(&mut self, of: &Term, ctor: u32, index: u32) -> Option<Code> {
        let of = self.code(of)?;
        let Type::Value(refined) = &of.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        let data = self.spec.data(id);
        // The only constructor of an enum has no field access.
        let ctors = data.ctors.as_slice();
        let [only] = ctors else { return None };
        let is_struct = data.via.is_none() && data.rust_type.split('<').next() == Some(&*only.rust_path);
        let field = only.fields.get(index as usize).filter(|_| is_struct && ctor == 0)?;
        Some(of.part(&field.name, &field.refined))
    }

    fn is_constructor(&mut self, of: &Term, ctor: u32) -> Option<Code> {
        let of = self.code(of)?;
        let Type::Value(refined) = &of.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        let data = self.spec.data(id);
        let path = data.ctors.get(ctor as usize).filter(|_| data.via.is_none())?.rust_path.as_str();
        let text = match path {
            "Some" | "None" => format!("{}.is_{}()", of.receiver(), path.to_lowercase()),
            "Ok" | "Err" => format!("{}.is_{}()", of.receiver(), path.to_lowercase()),
            _ => format!("matches!({}, {path} {{ .. }})", of.text),
        };
        Some(Code::bool(text, Level::Atom))
    }

    fn float_test(&mut self, op: FloatUnary, a: &Term) -> Option<Code> {
        let a = self.code(a)?;
        let Type::Value(Refined { sort: Sort::Float(_), .. }) = a.of else { return None };
        let name = match op {
            FloatUnary::IsNan => "is_nan",
            FloatUnary::IsFinite => "is_finite",
            FloatUnary::IsInfinite => "is_infinite",
            FloatUnary::IsSignNegative => "is_sign_negative",
            FloatUnary::Neg | FloatUnary::Abs | FloatUnary::ToF32 => return None,
        };
        Some(Code::bool(format!("{}.{name}()", a.receiver()), Level::Atom))
    }

    /// A test of a char, whose method has the name of the class.
    fn char_is(&mut self, class: CharClass, c: &Term) -> Option<Code> {
        let c = self.code(c)?;
        let Type::Value(Refined { sort: Sort::Char, .. }) = c.of else { return None };
        let mut name = String::from("is");
        for letter in format!("{class:?}").chars() {
            if letter.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        Some(Code::bool(format!("{}.{name}()", c.receiver()), Level::Atom))
    }

    fn contains(&mut self, of: &Term, wanted: &Term) -> Option<Code> {
        let wanted = self.code(wanted)?;
        if let Term::Range(low, high) = of {
            let (low, high) = (self.code(low)?, self.code(high)?);
            let above = code::compared(&low, "<=", &wanted)?;
            let below = code::compared(&wanted, "<", &high)?;
            return Some(Code::bool(format!("{} && {}", above.text, below.text), Level::Condition));
        }
        let of = self.code(of)?;
        let Type::Value(refined) = &of.of else { return None };
        let element = match &refined.sort {
            Sort::Seq(element, _) | Sort::Set(element, _) => element,
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => return None,
        };
        let wanted = wanted.as_element(element)?;
        Some(Code::bool(format!("{}.contains(&{wanted})", of.receiver()), Level::Atom))
    }

    fn quantified(&mut self, method: &str, over: &Term, closure: &Closure) -> Option<Code> {
        let name = self.name();
        let (iterator, element) = match over {
            Term::Windows(of, width) => {
                let of = self.code(of)?;
                let element = of.elements().filter(|_| !of.is_deque())?.clone();
                let window = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Slice));
                (format!("{}.windows({width})", of.receiver()), Code::variable(&name, &window))
            }
            Term::Chars(of) => {
                let of = self.code(of)?.text_receiver()?;
                (format!("{of}.chars()"), Code::variable(&name, &Refined::plain(Sort::Char)))
            }
            Term::Range(low, high) => {
                let (low, high) = (self.code(low)?, self.code(high)?);
                let (range, element) = code::range(&low, &high)?;
                (range, Code { text: name.clone(), level: Level::Atom, of: element })
            }
            over => {
                let of = self.code(over)?;
                let element = behind_reference(of.elements()?);
                (format!("{}.iter()", of.receiver()), Code::variable(&name, &element))
            }
        };
        let body = self.within(closure.slot, element, |writer| writer.bool(&closure.body))?;
        Some(Code::bool(format!("{iterator}.{method}(|{name}| {})", body.text), Level::Atom))
    }

    /// The user's own Rust code, with its names as references to the variables.
    fn where_condition(&mut self, id: u32, args: &[Term]) -> Option<Code> {
        let opaque = self.opaques.get(id as usize)?;
        let mut text = String::from("{ ");
        for (binding, arg) in opaque.bindings.iter().zip(args) {
            let Term::Var(slot) = arg else { return None };
            let (name, refined) = self.variables.get(slot).filter(|_| binding.name != "self")?;
            let reference = match refined.pointers.len().checked_sub(binding.refined.pointers.len()) {
                Some(0) => "&",
                Some(1) => "",
                _ => return None,
            };
            text += &format!("let {} = {reference}{name}; ", binding.name);
        }
        Some(Code::bool(format!("{text}{} }}", opaque.text), Level::Condition))
    }

    /// What `write` returns while a slot has that expression.
    fn within<T>(&mut self, slot: u32, code: Code, write: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = self.slots.insert(slot, code);
        let written = write(self);
        match hidden {
            Some(hidden) => self.slots.insert(slot, hidden),
            None => self.slots.remove(&slot),
        };
        written
    }

    /// A name for a closure's parameter that no variable of the test has.
    fn name(&mut self) -> String {
        loop {
            let base = ["x", "y", "z"][self.n_names % 3];
            let name = match self.n_names / 3 {
                0 => base.to_owned(),
                n => format!("{base}{n}"),
            };
            self.n_names += 1;
            if self.variables.values().all(|(other, _)| *other != name) {
                return name;
            }
        }
    }
}

/// The type of a reference to a value of a type.
fn behind_reference(refined: &Refined) -> Refined {
    let mut refined = refined.clone();
    refined.pointers.insert(0, Pointer::Ref);
    refined
}

/// A sum or product of lengths, which `usize` holds.
fn of_lengths(op: ArithOp, a: &Code, b: &Code) -> Option<Code> {
    if !matches!(a.of, Type::Length(_)) && !matches!(b.of, Type::Length(_)) {
        return None;
    }
    let (n, m) = (a.length_bits()?, b.length_bits()?);
    let (operator, bits) = match op {
        ArithOp::Add => ("+", n.max(m) + 1),
        ArithOp::Mul => ("*", n + m),
        ArithOp::Sub
        | ArithOp::Div
        | ArithOp::Rem
        | ArithOp::DivEuclid
        | ArithOp::RemEuclid
        | ArithOp::Min
        | ArithOp::Max
        | ArithOp::Pow => return None,
    };
    let text = format!("{} {operator} {}", a.operand_of(Level::Prefix), b.operand_of(Level::Prefix));
    (bits < 64).then_some(Code { text, level: Level::Arithmetic, of: Type::Length(bits) })
}

/// Arithmetic in `i128`, unless it may overflow.
fn arithmetic(op: ArithOp, a: &Code, b: &Code) -> Option<Code> {
    let bits = match op {
        ArithOp::Add | ArithOp::Sub => a.bits().max(b.bits()) + 1,
        ArithOp::Mul => a.bits() + b.bits(),
        ArithOp::Div
        | ArithOp::DivEuclid
        | ArithOp::Rem
        | ArithOp::RemEuclid
        | ArithOp::Min
        | ArithOp::Max => a.bits().max(b.bits()),
        ArithOp::Pow => return None,
    };
    let infix = |operator: &str| {
        let text = format!("{} {operator} {}", a.operand_of(Level::Prefix), b.operand_of(Level::Prefix));
        (text, Level::Arithmetic)
    };
    let call = |name: &str| (format!("i128::{name}({}, {})", a.text, b.text), Level::Atom);
    let (text, level) = match op {
        ArithOp::Add => infix("+"),
        ArithOp::Sub => infix("-"),
        ArithOp::Mul => infix("*"),
        ArithOp::Div => infix("/"),
        ArithOp::Rem => infix("%"),
        ArithOp::DivEuclid => call("div_euclid"),
        ArithOp::RemEuclid => call("rem_euclid"),
        ArithOp::Min => call("min"),
        ArithOp::Max => call("max"),
        ArithOp::Pow => return None,
    };
    (bits < 127).then(|| Code::wide_of(text, level, bits))
}
