//! Integer formulas: linear sums in a normal form, comparisons with constants, ranges.
//!
//! Every comparison becomes `sum <= constant` or `sum == constant` with coprime coefficients, the first positive. So `a
//! < b` and `b <= a` are literally each other's negation.

use std::collections::BTreeMap;

use target_strategies::logic::int::Int;

use super::{BitOp, F, Formulas, Node};

/// Maximum number of values of an operand for which a product or quotient is split into cases.
const CASES: i64 = 16;

impl Formulas {
    /// A constant.
    pub fn int(&mut self, value: impl Into<Int>) -> F {
        self.intern(Node::Int(value.into()))
    }

    /// The integer of a constant formula.
    pub fn as_int(&self, f: F) -> Option<&Int> {
        match self.node(f) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: F, b: F) -> F {
        self.combine(a, &Int::ONE, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: F, b: F) -> F {
        self.combine(a, &Int::from(-1), b)
    }

    /// `-a`
    pub fn neg(&mut self, a: F) -> F {
        self.scale(a, &Int::from(-1))
    }

    /// `factor * a`
    pub fn scale(&mut self, a: F, factor: &Int) -> F {
        let zero = self.int(0);
        self.combine(zero, factor, a)
    }

    /// The sum of all.
    pub fn sum(&mut self, parts: impl IntoIterator<Item = F>) -> F {
        let mut constant = Int::ZERO;
        let mut terms = BTreeMap::new();
        for part in parts {
            self.collect(part, &Int::ONE, &mut constant, &mut terms);
        }
        self.linear(constant, terms)
    }

    fn combine(&mut self, a: F, factor: &Int, b: F) -> F {
        let mut constant = Int::ZERO;
        let mut terms = BTreeMap::new();
        self.collect(a, &Int::ONE, &mut constant, &mut terms);
        self.collect(b, factor, &mut constant, &mut terms);
        self.linear(constant, terms)
    }

    fn collect(&self, f: F, factor: &Int, constant: &mut Int, terms: &mut BTreeMap<F, Int>) {
        let mut count = |part: F, coefficient: Int| {
            let entry = terms.entry(part).or_insert_with(|| Int::ZERO);
            *entry = &*entry + &coefficient;
        };
        match self.node(f) {
            Node::Int(value) => *constant = &*constant + &(factor * value),
            Node::Sum(offset, parts) => {
                *constant = &*constant + &(factor * offset);
                for (part, coefficient) in parts.iter() {
                    count(*part, factor * coefficient);
                }
            }
            _ => count(f, factor.clone()),
        }
    }

    fn linear(&mut self, constant: Int, mut terms: BTreeMap<F, Int>) -> F {
        let (zero, one) = (Int::ZERO, Int::ONE);
        terms.retain(|_, coefficient| *coefficient != zero);
        match terms.first_key_value() {
            None => self.int(constant),
            Some((&only, coefficient)) if terms.len() == 1 && *coefficient == one && constant == zero => only,
            _ => self.intern(Node::Sum(constant, terms.into_iter().collect())),
        }
    }

    /// `a * b`
    pub fn mul(&mut self, a: F, b: F) -> F {
        if let Some(factor) = self.as_int(a).cloned() {
            return self.scale(b, &factor);
        }
        if let Some(factor) = self.as_int(b).cloned() {
            return self.scale(a, &factor);
        }
        if let Some(values) = self.few_values(b) {
            return self.by_cases(b, &values, |formulas, factor| formulas.scale(a, factor));
        }
        if let Some(values) = self.few_values(a) {
            return self.by_cases(a, &values, |formulas, factor| formulas.scale(b, factor));
        }
        self.intern(Node::Product(a.min(b), a.max(b)))
    }

    /// The Euclidean quotient and remainder of `a` by `b`; their values for `b == 0` don't matter.
    pub fn div_mod(&mut self, a: F, b: F) -> (F, F) {
        if let Some(divisor) = self.as_int(b).cloned() {
            return self.div_mod_constant(a, &divisor);
        }
        if let Some(values) = self.few_values(b) {
            let quotient =
                self.by_cases(b, &values, |formulas, divisor| formulas.div_mod_constant(a, divisor).0);
            let remainder =
                self.by_cases(b, &values, |formulas, divisor| formulas.div_mod_constant(a, divisor).1);
            return (quotient, remainder);
        }
        (self.intern(Node::Quotient(a, b)), self.intern(Node::Remainder(a, b)))
    }

    fn div_mod_constant(&mut self, a: F, divisor: &Int) -> (F, F) {
        if *divisor == Int::ZERO {
            let zero = self.int(0);
            return (zero, zero);
        }
        if let Some(dividend) = self.as_int(a) {
            let quotient = dividend.div_euclid(divisor).unwrap_or(Int::ZERO);
            let remainder = dividend.rem_euclid(divisor).unwrap_or(Int::ZERO);
            return (self.int(quotient), self.int(remainder));
        }
        let zero = Int::ZERO;
        let size = if *divisor < zero { &zero - divisor } else { divisor.clone() };
        let within = match self.range(a) {
            (Some(low), Some(high)) => *low >= zero && *high < size,
            _ => false,
        };
        if within {
            return (self.int(0), a);
        }
        let size_formula = self.int(size);
        let quotient = self.intern(Node::Quotient(a, size_formula));
        let signed = if *divisor < zero { self.neg(quotient) } else { quotient };
        (signed, self.intern(Node::Remainder(a, size_formula)))
    }

    /// Quotient and remainder, rounded towards zero. For a negative dividend, both are computed for its negation and
    /// negated.
    pub fn truncating(&mut self, a: F, b: F) -> (F, F) {
        let zero = self.int(0);
        let natural = self.at_most(zero, a);
        let (quotient, remainder) = self.div_mod(a, b);
        if self.as_truth(natural) == Some(true) {
            return (quotient, remainder);
        }
        let negated = self.neg(a);
        let (other_quotient, other_remainder) = self.div_mod(negated, b);
        let (other_quotient, other_remainder) = (self.neg(other_quotient), self.neg(other_remainder));
        (self.choose(natural, quotient, other_quotient), self.choose(natural, remainder, other_remainder))
    }

    /// `if a == v1 { result(v1) } else if ..`, for a formula that has only these values.
    pub fn by_cases(&mut self, a: F, values: &[Int], mut result: impl FnMut(&mut Formulas, &Int) -> F) -> F {
        let Some((last, rest)) = values.split_last() else { return a };
        let mut all = result(self, last);
        for value in rest.iter().rev() {
            let (is_it, this) = (self.equal_constant(a, value), result(self, value));
            all = self.choose(is_it, this, all);
        }
        all
    }

    /// All values of a formula's range in ascending order, if there are at most `limit`.
    pub fn values_within(&self, f: F, limit: i64) -> Option<Vec<Int>> {
        let (Some(low), Some(high)) = self.range(f) else { return None };
        if high - low >= Int::from(limit) {
            return None;
        }
        let (mut values, mut value) = (Vec::new(), low.clone());
        while value <= *high {
            values.push(value.clone());
            value = &value + &Int::ONE;
        }
        Some(values)
    }

    fn few_values(&self, f: F) -> Option<Vec<Int>> {
        // Only leaves are worth splitting: their values are soon fixed, and then the cases fold away.
        match self.node(f) {
            Node::Leaf(_) => self.values_within(f, CASES),
            _ => None,
        }
    }

    /// `a & b`, `a | b`, `a ^ b` on infinite two's complement.
    pub fn bits(&mut self, op: BitOp, a: F, b: F) -> F {
        if let (Some(x), Some(y)) =
            (self.as_int(a).and_then(Int::to_i128), self.as_int(b).and_then(Int::to_i128))
        {
            let value = match op {
                BitOp::And => x & y,
                BitOp::Or => x | y,
                BitOp::Xor => x ^ y,
            };
            return self.int(value);
        }
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a).max(self.width(b));
        self.intern(Node::Bits(op, width, a, b))
    }

    /// Number of bits that hold every value of a formula in two's complement; 129 if its range is unknown.
    fn width(&self, f: F) -> u32 {
        let (Some(low), Some(high)) = self.range(f) else { return 129 };
        (1..129)
            .find(|&width| *low >= -&Int::power_of_two(width - 1) && *high < Int::power_of_two(width - 1))
            .unwrap_or(129)
    }

    /// `a <= b`
    pub fn at_most(&mut self, a: F, b: F) -> F {
        let difference = self.sub(a, b);
        self.compare(difference, false)
    }

    /// `a < b`
    pub fn less(&mut self, a: F, b: F) -> F {
        let not = self.at_most(b, a);
        self.not(not)
    }

    /// `a == b`
    pub fn equal_int(&mut self, a: F, b: F) -> F {
        let difference = self.sub(a, b);
        self.compare(difference, true)
    }

    /// `a <= limit`
    pub fn at_most_constant(&mut self, a: F, limit: &Int) -> F {
        let limit = self.int(limit.clone());
        self.at_most(a, limit)
    }

    /// `limit <= a`
    pub fn at_least_constant(&mut self, a: F, limit: &Int) -> F {
        let limit = self.int(limit.clone());
        self.at_most(limit, a)
    }

    /// `a == value`
    pub fn equal_constant(&mut self, a: F, value: &Int) -> F {
        let value = self.int(value.clone());
        self.equal_int(a, value)
    }

    /// `difference <= 0` or `difference == 0`, in the normal form.
    fn compare(&mut self, difference: F, equal: bool) -> F {
        let zero = Int::ZERO;
        let mut constant = zero.clone();
        let mut terms = BTreeMap::new();
        self.collect(difference, &Int::ONE, &mut constant, &mut terms);
        let Some(first) = terms.values().next() else {
            return self.truth(if equal { constant == zero } else { constant <= zero });
        };
        let flipped = *first < zero;
        let mut divisor = zero.clone();
        for coefficient in terms.values() {
            divisor = gcd(divisor, coefficient.clone());
        }
        let sign = if flipped { Int::from(-1) } else { Int::ONE };
        for coefficient in terms.values_mut() {
            *coefficient = quotient(&(&sign * &*coefficient), &divisor);
        }
        let sum = self.linear(zero.clone(), terms);
        // sum * divisor + sign * constant == 0, or (with the sign) <= 0.
        if equal {
            let target = &zero - &(&sign * &constant);
            if &quotient(&target, &divisor) * &divisor != target {
                return self.truth(false);
            }
            return self.equal_atom(sum, quotient(&target, &divisor));
        }
        if flipped {
            // -divisor * sum + constant <= 0  <=>  sum >= constant / divisor, rounded up  <=>  !(sum <= that - 1)
            let least = &zero - &quotient(&(&zero - &constant), &divisor);
            let not = self.at_most_atom(sum, &least - &Int::ONE);
            return self.not(not);
        }
        self.at_most_atom(sum, quotient(&(&zero - &constant), &divisor))
    }

    fn at_most_atom(&mut self, sum: F, limit: Int) -> F {
        match self.range(sum) {
            (_, Some(high)) if *high <= limit => return self.truth(true),
            (Some(low), _) if *low > limit => return self.truth(false),
            _ => {}
        }
        if let Some((condition, a, b)) = self.constant_choice(sum) {
            let (a, b) = (self.at_most_constant(a, &limit), self.at_most_constant(b, &limit));
            return self.choose(condition, a, b);
        }
        self.intern(Node::AtMost(sum, limit))
    }

    fn equal_atom(&mut self, sum: F, value: Int) -> F {
        match self.range(sum) {
            (Some(low), _) if *low > value => return self.truth(false),
            (_, Some(high)) if *high < value => return self.truth(false),
            (Some(low), Some(high)) if low == high => return self.truth(true),
            _ => {}
        }
        if let Some((condition, a, b)) = self.constant_choice(sum) {
            let (a, b) = (self.equal_constant(a, &value), self.equal_constant(b, &value));
            return self.choose(condition, a, b);
        }
        self.intern(Node::EqualInt(sum, value))
    }

    /// A choice with a constant branch: comparing it means comparing the other branch.
    fn constant_choice(&self, f: F) -> Option<(F, F, F)> {
        match *self.node(f) {
            Node::If(condition, a, b) if self.as_int(a).is_some() || self.as_int(b).is_some() => {
                Some((condition, a, b))
            }
            _ => None,
        }
    }

    pub(super) fn range_of(&self, node: &Node) -> (Option<Int>, Option<Int>) {
        match node {
            Node::Int(value) => (Some(value.clone()), Some(value.clone())),
            Node::Leaf(number) => {
                let variable = &self.variables[*number as usize];
                (variable.low.clone(), variable.high.clone())
            }
            Node::If(_, a, b) => {
                let ((low_a, high_a), (low_b, high_b)) = (self.range(*a), self.range(*b));
                (
                    low_a.zip(low_b).map(|(a, b)| a.min(b).clone()),
                    high_a.zip(high_b).map(|(a, b)| a.max(b).clone()),
                )
            }
            Node::Sum(constant, terms) => self.range_of_sum(constant, terms),
            Node::Product(a, b) => self.range_of_product(*a, *b),
            Node::Quotient(a, b) => self.range_of_quotient(*a, *b),
            Node::Remainder(_, b) => {
                let high = self.as_int(*b).map(|divisor| divisor - &Int::ONE);
                (high.as_ref().map(|_| Int::ZERO), high)
            }
            Node::Bits(op, width, a, b) => {
                let zero = Int::ZERO;
                let (a, b) = (
                    self.range(*a).0.is_some_and(|a| *a >= zero),
                    self.range(*b).0.is_some_and(|b| *b >= zero),
                );
                let natural = if *op == BitOp::And { a || b } else { a && b };
                let high = Int::power_of_two(width - 1);
                (Some(if natural { zero } else { -&high }), Some(&high - &Int::ONE))
            }
            _ => (None, None),
        }
    }

    fn range_of_sum(&self, constant: &Int, terms: &[(F, Int)]) -> (Option<Int>, Option<Int>) {
        let (mut low, mut high) = (Some(constant.clone()), Some(constant.clone()));
        for (part, coefficient) in terms {
            let (part_low, part_high) = self.range(*part);
            let (from, to) =
                if *coefficient < Int::ZERO { (part_high, part_low) } else { (part_low, part_high) };
            low = low.zip(from).map(|(low, from)| &low + &(coefficient * from));
            high = high.zip(to).map(|(high, to)| &high + &(coefficient * to));
        }
        (low, high)
    }

    fn range_of_product(&self, a: F, b: F) -> (Option<Int>, Option<Int>) {
        let ((Some(low_a), Some(high_a)), (Some(low_b), Some(high_b))) = (self.range(a), self.range(b))
        else {
            return (None, None);
        };
        let corners = [low_a * low_b, low_a * high_b, high_a * low_b, high_a * high_b];
        let low =
            if a == b && *low_a >= Int::ZERO { Some(low_a * low_a) } else { corners.iter().min().cloned() };
        (low, corners.into_iter().max())
    }

    fn range_of_quotient(&self, a: F, b: F) -> (Option<Int>, Option<Int>) {
        let (low, high) = self.range(a);
        match self.as_int(b) {
            // The divisor is positive: `div_mod_constant` ensures it.
            Some(divisor) => {
                (low.map(|low| quotient(low, divisor)), high.map(|high| quotient(high, divisor)))
            }
            None => {
                // No quotient is further from zero than its dividend, except that rounding down may subtract one.
                let Some((low, high)) = low.zip(high) else { return (None, None) };
                let far = &low.abs().max(high.abs()) + &Int::ONE;
                (Some(-&far), Some(far))
            }
        }
    }
}

/// The Euclidean quotient by a positive number: rounded down.
fn quotient(a: &Int, b: &Int) -> Int {
    a.div_euclid(b).expect("a greatest common divisor of nonzero numbers is not zero")
}

fn gcd(mut a: Int, mut b: Int) -> Int {
    let zero = Int::ZERO;
    while b != zero {
        let rest = a.rem_euclid(&b).expect("b is not zero");
        a = std::mem::replace(&mut b, rest);
    }
    a.abs()
}
