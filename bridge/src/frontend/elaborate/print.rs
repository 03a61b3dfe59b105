//! Terms as text, for `cargo target explain` and for tests: Rust syntax where there is one, slots by name.
//!
//! `Compare(Lt, Var(3), Var(0))` is `v < r1`. Every nested operator is in parentheses. Constructors are printed without
//! their types. A binder's slot without a name is `x7`.

use std::fmt::Write;

use target_strategies::logic::ir::{
    ArithOp, Asked, Closure, Collection, CompareOp, Data, DataId, FloatOp, Function, FunctionId, MachineOp,
    Question, Regex, RegexId, Term, TextOp,
};
use target_strategies::logic::rust_code::scalar;
use target_strategies::logic::value::Value;

/// The names for printing terms.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// The names of the first slots; all later slots are numbered.
    pub names: &'a [String],
    /// The data types, for the names of constructors and fields.
    pub data: &'a [Data],
    /// The measures, for their names.
    pub functions: &'a [Function],
    /// The regular expressions, for their texts.
    pub regexes: &'a [Regex],
}

impl Printer<'_> {
    /// A term as text.
    pub fn term(&self, term: &Term) -> String {
        let mut out = String::new();
        self.write(term, &mut out);
        out
    }

    /// A value as text; constructors by number, since values have no types.
    pub fn value(&self, value: &Value) -> String {
        scalar(value)
    }

    fn slot(&self, slot: u32) -> String {
        self.names.get(slot as usize).cloned().unwrap_or_else(|| format!("x{slot}"))
    }

    /// A question about a function.
    fn asked(&self, question: Question, of: Asked, parts: &[Term], out: &mut String) {
        let (name, args) = match (of, parts) {
            (Asked::Param(slot), _) => (self.slot(slot), parts),
            (Asked::Method(slot, method), _) => (format!("{}.{method}", self.slot(slot)), parts),
            (Asked::Inside, [function, args @ ..]) => (self.term(function), args),
            (Asked::Inside, []) => ("_".to_owned(), parts),
        };
        let head = match question {
            Question::Result => format!("{name}("),
            Question::Calls => format!("calls({name}"),
            Question::Returns => format!("returns({name}"),
            Question::Obeys(law) => format!("{}({name}", law.name()),
        };
        self.list(&head, args, ")", out);
    }

    /// The name of a measure, up to the arguments of a call.
    fn named(&self, id: FunctionId) -> String {
        let name = self.functions.get(id.0 as usize).map_or("_", |function| &function.name);
        format!("{name}(")
    }

    fn write(&self, term: &Term, out: &mut String) {
        match term {
            Term::Var(slot) => out.push_str(&self.slot(*slot)),
            Term::Lit(value) => out.push_str(&scalar(value)),
            Term::Undefined => out.push_str("undefined"),
            Term::Not(a) => self.prefix("!", a, out),
            Term::Neg(a) => self.prefix("-", a, out),
            Term::And(parts) => self.infix_all(parts, "&&", out),
            Term::Or(parts) => self.infix_all(parts, "||", out),
            Term::Equal(a, b) => self.infix(a, "==", b, out),
            Term::Compare(CompareOp::Lt, a, b) => self.infix(a, "<", b, out),
            Term::Compare(CompareOp::Le, a, b) => self.infix(a, "<=", b, out),
            Term::Arith(op, a, b) => self.operator(a, arith_symbol(*op), b, out),
            Term::FloatArith(op, a, b) => self.operator(a, float_symbol(*op), b, out),
            Term::If(c, a, b) => self.conditional(c, a, b, out),
            Term::Let { slot, value, body } => {
                self.around(&format!("{{ let {} = ", self.slot(*slot)), value, out);
                self.around("; ", body, out);
                out.push_str(" }");
            }
            Term::Tuple(parts) => self.list("(", parts, if parts.len() == 1 { ",)" } else { ")" }, out),
            Term::Seq(parts) => self.list("[", parts, "]", out),
            Term::Machine(op, kind, parts) => {
                self.list(&format!("{}::{}(", kind.name(), machine_name(*op)), parts, ")", out);
            }
            Term::Opaque(id, parts) => self.list(&format!("where{id}("), parts, ")", out),
            Term::Ask(question, of, parts) => self.asked(*question, *of, parts, out),
            Term::Call(id, parts) => self.list(&self.named(*id), parts, ")", out),
            Term::Concat(parts) => self.list("concat(", parts, ")", out),
            Term::Construct(id, ctor, parts) => self.construct(*id, *ctor, parts, out),
            Term::Field { of, ctor, index } => {
                self.operand(of, out);
                let _ = write!(out, ".{ctor}#{index}");
            }
            Term::IsCtor(of, ctor) => {
                self.operand(of, out);
                let _ = write!(out, " is #{ctor}");
            }
            Term::Project(a, at) => {
                self.operand(a, out);
                let _ = write!(out, ".{at}");
            }
            Term::Index(a, at) => {
                self.operand(a, out);
                self.around("[", at, out);
                out.push(']');
            }
            Term::Slice(a, lo, hi) => self.slice(a, lo, hi, out),
            Term::Range(lo, hi) => self.infix(lo, "..", hi, out),
            #[rustfmt::skip]
            Term::Abs(_) | Term::FloatUnary(..) | Term::IntToFloat(..)
            | Term::ToInt(_) | Term::Len(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Windows(..)
            | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..)
            | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..)
            | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..)
            | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..)
            | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) => self.call(term, out),
        }
    }

    /// An operator with a symbol, or the name of the method for it.
    fn operator(&self, a: &Term, symbol: Result<&str, &str>, b: &Term, out: &mut String) {
        match symbol {
            Ok(symbol) => self.infix(a, symbol, b, out),
            Err(name) => self.method(a, name, &[b], out),
        }
    }

    fn conditional(&self, c: &Term, a: &Term, b: &Term, out: &mut String) {
        self.around("if ", c, out);
        self.around(" { ", a, out);
        self.around(" } else { ", b, out);
        out.push_str(" }");
    }

    fn slice(&self, of: &Term, lo: &Term, hi: &Term, out: &mut String) {
        self.operand(of, out);
        out.push('[');
        self.operand(lo, out);
        out.push_str("..");
        self.operand(hi, out);
        out.push(']');
    }

    /// Terms that print as methods.
    fn call(&self, term: &Term, out: &mut String) {
        match term {
            Term::Abs(a) => self.method(a, "abs", &[], out),
            Term::FloatUnary(op, a) => self.method(a, &snake(&format!("{op:?}")), &[], out),
            Term::CharIs(class, a) => {
                self.method(a, &format!("is_{}", snake(&format!("{class:?}"))), &[], out)
            }
            Term::IntToFloat(kind, a) => self.method(a, &format!("as_{}", kind.name()), &[], out),
            Term::ToInt(a) => self.method(a, "as_int", &[], out),
            Term::Len(a) => self.method(a, "len", &[], out),
            Term::Flatten(a) => self.method(a, "flatten", &[], out),
            Term::Reverse(a) => self.method(a, "rev", &[], out),
            Term::Windows(a, size) => {
                self.operand(a, out);
                let _ = write!(out, ".windows({size})");
            }
            Term::Chars(a) => self.method(a, "chars", &[], out),
            Term::Bytes(a) => self.method(a, "bytes", &[], out),
            Term::Text(a) => self.method(a, "collect::<String>", &[], out),
            Term::StrTest(test, a, b) => self.method(a, &snake(&format!("{test:?}")), &[b], out),
            Term::Matches(regex, state, a) => self.matches(*regex, *state, a, out),
            Term::TextOp(op, parts) => self.text_op(*op, parts, out),
            Term::StrFind(a, b, _) => self.method(a, "find", &[b], out),
            Term::Sum(a) => self.method(a, "sum", &[], out),
            Term::Distinct(a) => self.method(a, "distinct", &[], out),
            Term::IsSorted(a) => self.method(a, "is_sorted", &[], out),
            Term::Extreme { over, greatest, .. } => {
                self.method(over, if *greatest { "max" } else { "min" }, &[], out);
            }
            Term::Zip(a, b) => self.method(a, "zip", &[b], out),
            Term::Collect(Collection::Set, a) => self.function("elems", a, out),
            Term::Collect(Collection::Bag, a) => self.function("bag", a, out),
            Term::Collect(Collection::Map, a) => self.function("map", a, out),
            Term::SetOp(op, _, a, b) => self.method(a, &snake(&format!("{op:?}")), &[b], out),
            Term::Subset(_, a, b) => self.method(a, "is_subset", &[b], out),
            Term::Entries(a) => self.method(a, "iter", &[], out),
            Term::Keys(a) => self.method(a, "keys", &[], out),
            Term::MapGet(a, b, _) => self.method(a, "get", &[b], out),
            Term::MapWith(a, b, c) => self.method(a, "with", &[b, c], out),
            Term::MapWithout(a, b) => self.method(a, "without", &[b], out),
            Term::Contains(a, b) => self.method(a, "contains", &[b], out),
            Term::All(a, closure) => self.binder(a, "all", closure, out),
            Term::Any(a, closure) => self.binder(a, "any", closure, out),
            Term::Map(a, closure) => self.binder(a, "map", closure, out),
            Term::Filter(a, closure) => self.binder(a, "filter", closure, out),
            Term::Position(a, closure, _) => self.binder(a, "position", closure, out),
            Term::Fold { over, init, acc, closure } => {
                self.operand(over, out);
                self.around(".fold(", init, out);
                let _ = write!(out, ", |{}, {}| ", self.slot(*acc), self.slot(closure.slot));
                self.around("", &closure.body, out);
                out.push(')');
            }
            // All other terms are printed by `write`.
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::FloatArith(..) | Term::Machine(..) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Index(..) | Term::Slice(..)
            | Term::Concat(_) | Term::Range(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..)
            | Term::Undefined => out.push('?'),
        }
    }

    /// A match. A state other than the initial state, which no user wrote, follows the text.
    fn matches(&self, regex: RegexId, state: u32, of: &Term, out: &mut String) {
        let text = self.regexes.get(regex.0 as usize).map_or("_", |regex| &regex.text);
        self.operand(of, out);
        let _ = write!(out, ".matches({}", scalar(&Value::str(text)));
        if state != Regex::START {
            let _ = write!(out, " from state {state}");
        }
        out.push(')');
    }

    /// An operation on strings, as the method of Rust's where there is one.
    fn text_op(&self, op: TextOp, parts: &[Term], out: &mut String) {
        let Some((text, more)) = parts.split_first() else { return out.push('?') };
        let name = match op {
            TextOp::SplitBack => "rsplit".to_owned(),
            TextOp::SplitAtMost => "splitn".to_owned(),
            TextOp::SplitBackAtMost => "rsplitn".to_owned(),
            TextOp::SplitTerminated => "split_terminator".to_owned(),
            TextOp::Words => "split_whitespace".to_owned(),
            TextOp::Slice => "slice".to_owned(),
            TextOp::IsBoundary => "is_char_boundary".to_owned(),
            TextOp::Lowercase | TextOp::Uppercase | TextOp::AsciiLowercase | TextOp::AsciiUppercase => {
                format!("to_{}", snake(&format!("{op:?}")))
            }
            TextOp::TrimStart | TextOp::TrimEnd if !more.is_empty() => {
                format!("{}_matches", snake(&format!("{op:?}")))
            }
            TextOp::Parse(kind) => format!("parse::<{}>", kind.name()),
            TextOp::Decimal | TextOp::Display => "to_string".to_owned(),
            TextOp::Captures(regex) => {
                let words = self.regexes.get(regex.0 as usize).map_or("_", |regex| &regex.text);
                let regex = Term::Lit(Value::str(words));
                return self.method(text, "captures", &[&regex], out);
            }
            #[rustfmt::skip]
            TextOp::Split | TextOp::SplitInclusive | TextOp::Lines | TextOp::Before | TextOp::After
            | TextOp::BeforeLast | TextOp::AfterLast | TextOp::Trim | TextOp::TrimStart | TextOp::TrimEnd
            | TextOp::Join => snake(&format!("{op:?}")),
        };
        self.method(text, &name, &more.iter().collect::<Vec<_>>(), out);
    }

    fn construct(&self, id: DataId, ctor: u32, parts: &[Term], out: &mut String) {
        let known = self.data.get(id.0 as usize).and_then(|data| data.ctors.get(ctor as usize));
        let name = short(known.map_or("?", |ctor| ctor.rust_path.as_str()));
        if parts.is_empty() {
            out.push_str(&name);
        } else {
            self.list(&format!("{name}("), parts, ")", out);
        }
    }

    fn around(&self, before: &str, term: &Term, out: &mut String) {
        out.push_str(before);
        self.write(term, out);
    }

    fn prefix(&self, symbol: &str, a: &Term, out: &mut String) {
        out.push_str(symbol);
        self.operand(a, out);
    }

    fn infix(&self, a: &Term, symbol: &str, b: &Term, out: &mut String) {
        self.operand(a, out);
        let _ = write!(out, " {symbol} ");
        self.operand(b, out);
    }

    fn infix_all(&self, parts: &[Term], symbol: &str, out: &mut String) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                let _ = write!(out, " {symbol} ");
            }
            self.operand(part, out);
        }
    }

    fn function(&self, name: &str, a: &Term, out: &mut String) {
        self.around(&format!("{name}("), a, out);
        out.push(')');
    }

    fn method(&self, a: &Term, name: &str, args: &[&Term], out: &mut String) {
        self.operand(a, out);
        let _ = write!(out, ".{name}(");
        for (at, arg) in args.iter().enumerate() {
            self.around(if at > 0 { ", " } else { "" }, arg, out);
        }
        out.push(')');
    }

    fn binder(&self, a: &Term, name: &str, closure: &Closure, out: &mut String) {
        self.operand(a, out);
        let _ = write!(out, ".{name}(|{}| ", self.slot(closure.slot));
        self.around("", &closure.body, out);
        out.push(')');
    }

    fn list(&self, open: &str, parts: &[Term], close: &str, out: &mut String) {
        out.push_str(open);
        for (at, part) in parts.iter().enumerate() {
            self.around(if at > 0 { ", " } else { "" }, part, out);
        }
        out.push_str(close);
    }

    /// An operand: in parentheses if it is an operator itself.
    fn operand(&self, term: &Term, out: &mut String) {
        let open = match term {
            Term::Not(_)
            | Term::Neg(_)
            | Term::And(_)
            | Term::Or(_)
            | Term::Equal(..)
            | Term::Compare(..) => true,
            Term::If(..) | Term::Range(..) | Term::IsCtor(..) => true,
            Term::Arith(op, ..) => arith_symbol(*op).is_ok(),
            Term::FloatArith(op, ..) => float_symbol(*op).is_ok(),
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Let { .. } | Term::Abs(_) | Term::FloatUnary(..)
            | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_)
            | Term::Construct(..) | Term::Project(..) | Term::Field { .. } | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Windows(..)
            | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..)
            | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..)
            | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..)
            | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..)
            | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..)
            | Term::Undefined => false,
        };
        if open {
            self.around("(", term, out);
            out.push(')');
        } else {
            self.write(term, out);
        }
    }
}

/// The last two words of a path: `Color::Red` for `scores::tree::Color::Red`.
fn short(path: &str) -> String {
    let words: Vec<&str> = path.split("::").collect();
    words[words.len().saturating_sub(2)..].join("::")
}

/// An infix symbol, or the name of a method.
fn arith_symbol(op: ArithOp) -> Result<&'static str, &'static str> {
    match op {
        ArithOp::Add => Ok("+"),
        ArithOp::Sub => Ok("-"),
        ArithOp::Mul => Ok("*"),
        ArithOp::Div => Ok("/"),
        ArithOp::Rem => Ok("%"),
        ArithOp::DivEuclid => Err("div_euclid"),
        ArithOp::RemEuclid => Err("rem_euclid"),
        ArithOp::Min => Err("min"),
        ArithOp::Max => Err("max"),
        ArithOp::Pow => Err("pow"),
    }
}

fn float_symbol(op: FloatOp) -> Result<&'static str, &'static str> {
    match op {
        FloatOp::Add => Ok("+"),
        FloatOp::Sub => Ok("-"),
        FloatOp::Mul => Ok("*"),
        FloatOp::Div => Ok("/"),
        FloatOp::Min => Err("min"),
        FloatOp::Max => Err("max"),
    }
}

fn machine_name(op: MachineOp) -> String {
    match op {
        MachineOp::And => "bit_and".to_owned(),
        MachineOp::Or => "bit_or".to_owned(),
        MachineOp::Xor => "bit_xor".to_owned(),
        op => snake(&format!("{op:?}")),
    }
}

/// `AsciiDigit` as `ascii_digit`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
