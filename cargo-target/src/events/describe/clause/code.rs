//! Rust expressions with their types, and how tightly their outermost operator binds.

use std::cmp::Ordering;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{FloatKind, IntKind, Pointer, Refined, SeqKind, Sort, StrKind};
use target_strategies::logic::value::Value;

use super::model::Model;
use super::text::bare;

/// A condition that always holds.
pub const ALWAYS: &str = "true";

/// Number of bits of a length: memory is no larger.
pub const LENGTH: u32 = 48;

/// How tightly an expression's outermost operator binds, the tightest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A path, call, field or literal.
    Atom,
    /// `!a`, `-a`, `*a`
    Prefix,
    /// `a + b`, `a as T`
    Arithmetic,
    /// `a < b`
    Comparison,
    /// `a && b`
    Condition,
    /// `a || b`
    Alternative,
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub struct Code {
    /// The text.
    pub text: String,
    /// Its outermost operator.
    pub level: Level,
    /// Its type.
    pub of: Type,
}

/// The type of an expression.
#[derive(Clone, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// An integer of its own type.
    Int(IntKind),
    /// An integer literal, which has the type that it needs.
    Literal(Int),
    /// A `usize` of at most so many bits: a length, or a sum or product of lengths.
    Length(u32),
    /// An `i128` of which the absolute value has at most so many bits.
    Wide(u32),
    /// Another type: a place of it, perhaps behind pointers that Rust follows by itself.
    Value(Refined),
    /// A computed list, set or the like, owned by the expression.
    Model(Model),
}

impl Code {
    /// A condition.
    pub fn bool(text: String, level: Level) -> Code {
        Code { text, level, of: Type::Bool }
    }

    /// What it is, if it is `true` or `false`.
    pub fn constant(&self) -> Option<bool> {
        self.text.parse().ok().filter(|_| matches!(self.of, Type::Bool))
    }

    /// A condition with `!` before it.
    pub fn negated(&self) -> Code {
        if let Some(constant) = self.constant() {
            return Code::bool((!constant).to_string(), Level::Atom);
        }
        Code::bool(format!("!{}", self.operand_of(Level::Prefix)), Level::Prefix)
    }

    /// An `i128`.
    pub fn wide_of(text: String, level: Level, bits: u32) -> Code {
        Code { text, level, of: Type::Wide(bits) }
    }

    /// A variable.
    pub fn variable(name: &str, refined: &Refined) -> Code {
        Code::placed(name.to_owned(), refined)
    }

    /// A place of a type. Scalars are read through their pointers.
    fn placed(text: String, refined: &Refined) -> Code {
        let of = match refined.sort {
            Sort::Bool => Type::Bool,
            Sort::Int(kind) => Type::Int(kind),
            Sort::Char
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => Type::Value(refined.clone()),
        };
        let is_read =
            matches!(refined.sort, Sort::Bool | Sort::Int(_) | Sort::Char | Sort::Float(_) | Sort::Data(_));
        match refined.pointers.len() {
            n if is_read && n > 0 => {
                Code { text: format!("{}{text}", "*".repeat(n)), level: Level::Prefix, of }
            }
            _ => Code { text, level: Level::Atom, of },
        }
    }

    /// A text.
    pub fn text(text: String, kind: StrKind) -> Code {
        let pointers = if kind == StrKind::Str { vec![Pointer::Ref] } else { Vec::new() };
        let refined = Refined { pointers, ..Refined::plain(Sort::Str(kind)) };
        Code { text, level: Level::Atom, of: Type::Value(refined) }
    }

    /// `if`, on two conditions or two integers.
    pub fn either(condition: &Code, a: &Code, b: &Code) -> Option<Code> {
        let chosen = |a: &Code, b: &Code| {
            format!("(if {} {{ {} }} else {{ {} }})", bare(&condition.text), bare(&a.text), bare(&b.text))
        };
        if matches!((&a.of, &b.of), (Type::Bool, Type::Bool)) {
            return Some(Code::bool(chosen(a, b), Level::Atom));
        }
        let (a, b) = (a.wide()?, b.wide()?);
        Some(Code::wide_of(chosen(&a, &b), Level::Atom, a.bits().max(b.bits())))
    }

    /// The sum of a sequence of integers.
    pub fn sum(&self) -> Option<Code> {
        let element = self.elements().filter(|element| element.pointers.is_empty())?;
        let Sort::Int(kind) = element.sort else { return None };
        let element = Code { text: "*n".to_owned(), level: Level::Prefix, of: Type::Int(kind) }.wide()?;
        let bits = element.bits() + LENGTH;
        let text = format!("{}.iter().map(|n| {}).sum::<i128>()", self.receiver(), element.text);
        (bits < 127).then(|| Code::wide_of(text, Level::Atom, bits))
    }

    /// A constant.
    pub fn literal(value: &Value) -> Option<Code> {
        let (text, of) = match value {
            Value::Bool(truth) => (truth.to_string(), Type::Bool),
            Value::Int(n) => (n.to_string(), Type::Literal(n.clone())),
            Value::Char(c) => (format!("{c:?}"), Type::Value(Refined::plain(Sort::Char))),
            Value::Str(text) => (format!("{text:?}"), Type::Value(Refined::plain(Sort::Str(StrKind::Str)))),
            // Its width is unknown here.
            Value::Float(x) if x.fract() == 0.0 && x.abs() < 1e6 => {
                (format!("{x:?}"), Type::Value(Refined::plain(Sort::Float(FloatKind::F64))))
            }
            Value::Float(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => return None,
        };
        let level = if text.starts_with('-') { Level::Prefix } else { Level::Atom };
        Some(Code { text, level, of })
    }

    /// The expression as an operand of an operator that binds like this, in parentheses if need be.
    pub fn operand_of(&self, level: Level) -> String {
        if self.level > level { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The expression before a `.` or an index.
    pub fn receiver(&self) -> String {
        // A method finds its receiver through references.
        match (&self.of, self.text.strip_prefix('*')) {
            (Type::Value(_), Some(_)) => self.text.trim_start_matches('*').to_owned(),
            _ => self.operand_of(Level::Atom),
        }
    }

    /// The value without the pointers around it, as an operand of a prefix or a comparison.
    pub fn dereferenced(&self) -> String {
        match &self.of {
            Type::Value(refined) if !self.text.starts_with('*') => {
                format!("{}{}", "*".repeat(refined.pointers.len()), self.operand_of(Level::Atom))
            }
            Type::Value(_)
            | Type::Bool
            | Type::Int(_)
            | Type::Literal(_)
            | Type::Length(_)
            | Type::Wide(_)
            | Type::Model(_) => self.text.clone(),
        }
    }

    /// The value without the pointers around it, before a `.`. Methods and fields are found through references.
    pub fn place(&self) -> String {
        match &self.of {
            Type::Value(refined)
                if refined
                    .pointers
                    .iter()
                    .any(|pointer| !matches!(pointer, Pointer::Ref | Pointer::RefMut)) =>
            {
                format!("({})", self.dereferenced())
            }
            Type::Value(_)
            | Type::Bool
            | Type::Int(_)
            | Type::Literal(_)
            | Type::Length(_)
            | Type::Wide(_)
            | Type::Model(_) => self.receiver(),
        }
    }

    /// Number of bits of an `i128`'s absolute value.
    pub fn bits(&self) -> u32 {
        match self.of {
            Type::Wide(bits) | Type::Length(bits) => bits,
            Type::Bool | Type::Int(_) | Type::Literal(_) | Type::Value(_) | Type::Model(_) => 128,
        }
    }

    /// Number of bits as a `usize` that a sum can't overflow; `None` if it is none.
    pub fn length_bits(&self) -> Option<u32> {
        match &self.of {
            Type::Length(bits) => Some(*bits),
            Type::Literal(n) if !n.is_negative() => u32::try_from(n.bits()).ok(),
            Type::Literal(_)
            | Type::Bool
            | Type::Int(_)
            | Type::Wide(_)
            | Type::Value(_)
            | Type::Model(_) => None,
        }
    }

    /// The integer as an `i128`.
    pub fn wide(&self) -> Option<Code> {
        match &self.of {
            Type::Int(IntKind::I128 | IntKind::U128) => None,
            Type::Int(IntKind::Isize | IntKind::Usize) | Type::Length(_) => {
                let text = format!("{} as i128", self.operand_of(Level::Prefix));
                Some(Code::wide_of(text, Level::Arithmetic, 64))
            }
            Type::Int(kind) => {
                Some(Code::wide_of(format!("i128::from({})", self.text), Level::Atom, kind.bits()))
            }
            Type::Literal(n) => {
                let bits = u32::try_from(n.bits()).ok().filter(|bits| *bits < 127)?;
                Some(Code::wide_of(self.text.clone(), self.level, bits))
            }
            Type::Wide(_) => Some(self.clone()),
            Type::Bool | Type::Value(_) | Type::Model(_) => None,
        }
    }

    /// The code point of a char.
    pub fn code_point(&self) -> Option<Code> {
        let Type::Value(Refined { sort: Sort::Char, .. }) = self.of else { return None };
        Some(Code {
            text: format!("u32::from({})", self.text),
            level: Level::Atom,
            of: Type::Int(IntKind::U32),
        })
    }

    /// The length of a sequence, set, map or string.
    pub fn length(&self) -> Option<Code> {
        if let Type::Model(Model::List(_) | Model::Bag(_) | Model::Set(_) | Model::Map(..)) = &self.of {
            let text = format!("{}.len()", self.text);
            return Some(Code { text, level: Level::Atom, of: Type::Length(LENGTH) });
        }
        let Type::Value(refined) = &self.of else { return None };
        match &refined.sort {
            Sort::Seq(..) | Sort::Str(_) | Sort::Set(..) | Sort::Map(..) => {
                let text = format!("{}.len()", self.receiver());
                Some(Code { text, level: Level::Atom, of: Type::Length(LENGTH) })
            }
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => None,
            Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => None,
        }
    }

    /// The number of characters of a text.
    pub fn n_chars(&self) -> Option<Code> {
        let text = format!("{}.chars().count()", self.text_receiver()?);
        Some(Code { text, level: Level::Atom, of: Type::Length(LENGTH) })
    }

    /// A character of a text.
    pub fn char_at(&self, index: &Code) -> Option<Code> {
        let text = format!("{}.chars().nth({}).unwrap()", self.text_receiver()?, index.as_index()?);
        Some(Code { text, level: Level::Atom, of: Type::Value(Refined::plain(Sort::Char)) })
    }

    /// The type of the elements of a sequence.
    pub fn elements(&self) -> Option<&Refined> {
        match &self.of {
            Type::Value(Refined { sort: Sort::Seq(element, _), .. }) => Some(element),
            Type::Bool
            | Type::Int(_)
            | Type::Literal(_)
            | Type::Length(_)
            | Type::Wide(_)
            | Type::Value(_)
            | Type::Model(_) => None,
        }
    }

    /// Whether it is a `VecDeque`, which has no slice.
    pub fn is_deque(&self) -> bool {
        matches!(&self.of, Type::Value(Refined { sort: Sort::Seq(_, SeqKind::Deque), .. }))
    }

    /// Whether it is a sequence that can be asked whether it is sorted.
    pub fn is_ordered(&self) -> bool {
        self.elements().is_some_and(is_plain) && !self.is_deque()
    }

    /// An element of a sequence.
    pub fn element(&self, index: &Code) -> Option<Code> {
        let element = self.elements()?;
        let at = index.as_index()?;
        Some(Code::placed(format!("{}[{at}]", self.receiver()), element))
    }

    /// The integer as an index.
    pub fn as_index(&self) -> Option<String> {
        match &self.of {
            Type::Int(IntKind::Usize) | Type::Length(_) => Some(self.text.clone()),
            Type::Literal(n) if !n.is_negative() => Some(self.text.clone()),
            // A negative index becomes one that is out of bounds.
            Type::Int(IntKind::I128 | IntKind::U128) => {
                Some(format!("usize::try_from({}).unwrap()", self.text))
            }
            Type::Wide(bits) if *bits > 64 => Some(format!("usize::try_from({}).unwrap()", self.text)),
            Type::Int(_) | Type::Wide(_) => Some(format!("{} as usize", self.operand_of(Level::Prefix))),
            Type::Literal(_) | Type::Bool | Type::Value(_) | Type::Model(_) => None,
        }
    }

    /// A field.
    pub fn part(&self, name: &str, refined: &Refined) -> Code {
        Code::placed(format!("{}.{name}", self.receiver()), refined)
    }

    /// The receiver of a method of strings.
    pub fn text_receiver(&self) -> Option<String> {
        let Type::Value(Refined { sort: Sort::Str(_), .. }) = self.of else { return None };
        Some(self.receiver())
    }

    /// The expression as a key of a set or map, by reference.
    pub fn as_key(&self, key: &Refined) -> Option<String> {
        let is_text = matches!(key.sort, Sort::Str(StrKind::String)) && key.pointers.is_empty();
        if is_text {
            return Some(format!("&{}[..]", self.text_receiver()?));
        }
        Some(format!("&{}", self.as_element(key)?))
    }

    /// The expression as a value of an element's type.
    pub fn as_element(&self, element: &Refined) -> Option<String> {
        let is_same = match (&self.of, &element.sort) {
            (Type::Int(kind), Sort::Int(other)) => kind == other,
            (Type::Literal(n), Sort::Int(kind)) => fits(n, *kind),
            (Type::Bool, Sort::Bool) => true,
            (Type::Value(Refined { sort: Sort::Char, .. }), Sort::Char) => true,
            _ => false,
        };
        (is_same && element.pointers.is_empty()).then(|| self.operand_of(Level::Prefix))
    }
}

/// Whether Rust's `==` on a type is that of specs, and `<=` too.
fn is_plain(refined: &Refined) -> bool {
    refined.pointers.is_empty() && matches!(refined.sort, Sort::Bool | Sort::Char | Sort::Int(_))
}

/// The least and the greatest value of a type; `None` for 128 bits.
fn limits(kind: IntKind) -> Option<(i128, i128)> {
    match kind.bits() {
        128 => None,
        bits if kind.is_signed() => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        bits => Some((0, (1 << bits) - 1)),
    }
}

/// Whether a type has the number.
pub fn fits(n: &Int, kind: IntKind) -> bool {
    kind.min_value() <= *n && *n <= kind.max_value()
}

/// The result of a comparison that is the same for all values of a type.
fn constant(a: &Code, operator: &str, b: &Code) -> Option<bool> {
    // How the numbers are ordered, if they are always ordered so.
    let order = match (&a.of, &b.of) {
        (Type::Literal(x), Type::Literal(y)) => x.cmp(y),
        (Type::Int(kind), Type::Literal(n)) if !fits(n, *kind) => beyond(n).reverse(),
        (Type::Literal(n), Type::Int(kind)) if !fits(n, *kind) => beyond(n),
        _ => return None,
    };
    Some(match operator {
        "==" => order.is_eq(),
        "<" => order.is_lt(),
        _ => order.is_le(),
    })
}

/// How a number that a type doesn't have compares with those that it has.
fn beyond(n: &Int) -> Ordering {
    if n.is_negative() { Ordering::Less } else { Ordering::Greater }
}

/// Whether `a <= b` holds for all values of a type. rustc warns of such a comparison.
fn is_idle(a: &Code, b: &Code) -> bool {
    match (&a.of, &b.of) {
        (Type::Literal(n), Type::Int(kind)) => {
            n.to_i128().is_some_and(|n| limits(*kind).is_some_and(|(least, _)| n <= least))
        }
        (Type::Literal(n), Type::Length(_)) => n.is_zero() || n.is_negative(),
        (Type::Int(kind), Type::Literal(n)) => {
            n.to_i128().is_some_and(|n| limits(*kind).is_some_and(|(_, greatest)| greatest <= n))
        }
        _ => false,
    }
}

/// A comparison by an operator of Rust.
pub fn compared(a: &Code, operator: &str, b: &Code) -> Option<Code> {
    if let Some(holds) = constant(a, operator, b) {
        return Some(Code::bool(holds.to_string(), Level::Atom));
    }
    if operator == "<=" && is_idle(a, b) {
        return Some(Code::bool(ALWAYS.to_owned(), Level::Atom));
    }
    let infix = |a: String, b: String| Some(Code::bool(format!("{a} {operator} {b}"), Level::Comparison));
    let as_they_are = || infix(a.operand_of(Level::Arithmetic), b.operand_of(Level::Arithmetic));
    match (&a.of, &b.of) {
        (Type::Bool, Type::Bool)
            if operator == "==" && (a.constant().is_some() || b.constant().is_some()) =>
        {
            let (constant, other) = if a.constant().is_some() { (a, b) } else { (b, a) };
            Some(if constant.text == ALWAYS { other.clone() } else { other.negated() })
        }
        (Type::Bool, Type::Bool) => as_they_are(),
        (Type::Int(kind), Type::Int(other)) if kind == other => as_they_are(),
        (Type::Length(_), Type::Length(_) | Type::Int(IntKind::Usize))
        | (Type::Int(IntKind::Usize), Type::Length(_)) => as_they_are(),
        (Type::Length(_), Type::Literal(n)) | (Type::Literal(n), Type::Length(_))
            if fits(n, IntKind::Usize) =>
        {
            as_they_are()
        }
        (Type::Int(kind), Type::Literal(n)) | (Type::Literal(n), Type::Int(kind)) if fits(n, *kind) => {
            as_they_are()
        }
        (Type::Value(x), Type::Value(y)) => match (&x.sort, &y.sort) {
            (Sort::Char, Sort::Char) | (Sort::Float(_), Sort::Float(_)) => as_they_are(),
            (Sort::Str(_), Sort::Str(_)) => {
                infix(format!("{}[..]", a.receiver()), format!("{}[..]", b.receiver()))
            }
            (Sort::Seq(x, _), Sort::Seq(y, _))
                if operator == "==" && is_plain(x) && x.sort == y.sort && !a.is_deque() && !b.is_deque() =>
            {
                infix(format!("{}[..]", a.receiver()), format!("{}[..]", b.receiver()))
            }
            _ => None,
        },
        _ => {
            let (a, b) = (a.wide()?, b.wide()?);
            // `a as i128 < b` would begin a generic argument.
            let operand = |code: &Code| {
                if code.text.ends_with(" as i128") {
                    format!("({})", code.text)
                } else {
                    code.operand_of(Level::Arithmetic)
                }
            };
            infix(operand(&a), operand(&b))
        }
    }
}
