//! Formulas as SMT-LIB 2 text, for people and for other solvers.
//!
//! A formula that is used more than once gets a name, so the text is no longer than the formulas.

use std::collections::HashMap;
use std::fmt::Write;

use target_strategies::logic::int::Int;
use target_strategies::space::{Skeleton, Space};

use super::encode::{Reach, encode};
use super::formula::{BitOp, F, FloatBinary, Formulas, Kind, Node};
use super::split::membership;

/// The question to the solver about a skeleton: `x0`, `x1`, .. are its scalars in depth-first order.
pub fn skeleton(space: &Space, skeleton: &Skeleton) -> String {
    let leaves = space.leaves(skeleton);
    let encoding = encode(space.spec(), skeleton, &leaves, Reach::Domain);
    let mut formulas = encoding.formulas;
    let mut text = String::new();
    let mut asserted = Vec::new();
    for (leaf, domain) in (0..).zip(leaves.iter().map(|leaf| &leaf.domain)) {
        asserted.push(membership(&mut formulas, leaf, domain));
        text.push_str(&declaration(&formulas, leaf));
    }
    asserted.extend(encoding.structure);
    let mut reasons = String::new();
    for clause in encoding.clauses {
        match clause.condition {
            Ok(condition) => asserted.push(condition),
            Err(residual) => reasons.push_str(&format!("; left out: {}\n", residual.0)),
        }
    }
    asserted.retain(|&f| formulas.as_truth(f) != Some(true));
    text + &reasons + &assertions(&formulas, &asserted) + "(check-sat)\n"
}

fn declaration(formulas: &Formulas, leaf: u32) -> String {
    let variable = &formulas.variables()[leaf as usize];
    let sort = match variable.kind {
        Kind::Bool => "Bool",
        Kind::Int => "Int",
        Kind::Float => "Float64",
    };
    let mut text = format!("(declare-const x{leaf} {sort})\n");
    if let (Some(low), Some(high)) = (&variable.low, &variable.high) {
        let _ = writeln!(text, "(assert (<= {} x{leaf} {}))", number(low), number(high));
    }
    text
}

/// Formulas as assertions, after definitions of their shared parts.
pub fn assertions(formulas: &Formulas, asserted: &[F]) -> String {
    let all = formulas.closure(asserted);
    let mut uses: HashMap<F, usize> = HashMap::new();
    for &f in &all {
        for part in formulas.parts(f) {
            *uses.entry(part).or_default() += 1;
        }
    }
    let mut printer = Printer { formulas, texts: HashMap::new() };
    let mut text = String::new();
    for &f in &all {
        let body = printer.body(f);
        let is_small = formulas.parts(f).is_empty();
        if is_small || (uses.get(&f).is_none_or(|&uses| uses < 2) && body.len() < 4000) {
            printer.texts.insert(f, body);
            continue;
        }
        let name = format!("t{}", printer.texts.len());
        let sort = match formulas.kind(f) {
            Kind::Bool => "Bool",
            Kind::Int => "Int",
            Kind::Float => "Float64",
        };
        let _ = writeln!(text, "(define-fun {name} () {sort} {body})");
        printer.texts.insert(f, name);
    }
    for f in asserted {
        let _ = writeln!(text, "(assert {})", printer.texts[f]);
    }
    text
}

struct Printer<'a> {
    formulas: &'a Formulas,
    texts: HashMap<F, String>,
}

impl Printer<'_> {
    fn text(&self, f: F) -> &str {
        &self.texts[&f]
    }

    fn apply(&self, function: &str, parts: &[F]) -> String {
        let parts: Vec<&str> = parts.iter().map(|part| self.text(*part)).collect();
        format!("({function} {})", parts.join(" "))
    }

    /// A formula, given the texts of its parts.
    fn body(&self, f: F) -> String {
        match self.formulas.node(f) {
            Node::Bool(value) => value.to_string(),
            Node::Int(value) => number(value),
            Node::Float(bits) => float(*bits),
            Node::Leaf(leaf) => format!("x{leaf}"),
            Node::Not(a) => self.apply("not", &[*a]),
            Node::And(parts) => self.apply("and", parts),
            Node::If(condition, a, b) => self.apply("ite", &[*condition, *a, *b]),
            Node::Sum(offset, terms) => self.sum(offset, terms),
            Node::Product(a, b) => self.apply("*", &[*a, *b]),
            Node::Quotient(a, b) => self.apply("div", &[*a, *b]),
            Node::Remainder(a, b) => self.apply("mod", &[*a, *b]),
            Node::Bits(op, width, a, b) => self.bits(*op, *width, *a, *b),
            Node::AtMost(a, limit) => format!("(<= {} {})", self.text(*a), number(limit)),
            Node::EqualInt(a, value) => format!("(= {} {})", self.text(*a), number(value)),
            Node::FloatBinary(op, a, b) => self.apply(
                match op {
                    FloatBinary::Add => "fp.add RNE",
                    FloatBinary::Sub => "fp.sub RNE",
                    FloatBinary::Mul => "fp.mul RNE",
                    FloatBinary::Div => "fp.div RNE",
                    FloatBinary::Less => "fp.lt",
                    FloatBinary::AtMost => "fp.leq",
                    FloatBinary::Equal => "fp.eq",
                    FloatBinary::Same => "=",
                },
                &[*a, *b],
            ),
            Node::FloatNeg(a) => self.apply("fp.neg", &[*a]),
            Node::FloatAbs(a) => self.apply("fp.abs", &[*a]),
            Node::FloatToF32(a) => format!("((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE {}))", self.text(*a)),
            Node::FloatIsNan(a) => self.apply("fp.isNaN", &[*a]),
            Node::FloatIsInfinite(a) => self.apply("fp.isInfinite", &[*a]),
            Node::FloatIsNegative(a) => self.apply("fp.isNegative", &[*a]),
        }
    }

    fn sum(&self, offset: &Int, terms: &[(F, Int)]) -> String {
        let mut parts: Vec<String> = terms
            .iter()
            .map(|(part, coefficient)| {
                if *coefficient == Int::ONE {
                    self.text(*part).to_owned()
                } else {
                    format!("(* {} {})", number(coefficient), self.text(*part))
                }
            })
            .collect();
        if !offset.is_zero() {
            parts.push(number(offset));
        }
        match &parts[..] {
            [only] => only.clone(),
            _ => format!("(+ {})", parts.join(" ")),
        }
    }

    /// A bitwise operation, with the result converted back to a signed integer.
    fn bits(&self, op: BitOp, width: u32, a: F, b: F) -> String {
        let name = match op {
            BitOp::And => "bvand",
            BitOp::Or => "bvor",
            BitOp::Xor => "bvxor",
        };
        let vector = |f| format!("((_ int2bv {width}) {})", self.text(f));
        let result = format!("({name} {} {})", vector(a), vector(b));
        let (half, whole) = (Int::power_of_two(width - 1), Int::power_of_two(width));
        format!("(let ((n (bv2nat {result}))) (ite (< n {half}) n (- n {whole})))")
    }
}

fn number(value: &Int) -> String {
    if value.is_negative() { format!("(- {})", value.abs()) } else { value.to_string() }
}

fn float(bits: u64) -> String {
    let (sign, exponent, fraction) = (bits >> 63, (bits >> 52) & 0x7FF, bits & 0xF_FFFF_FFFF_FFFF);
    format!("(fp #b{sign} #b{exponent:011b} #x{fraction:013x})")
}
