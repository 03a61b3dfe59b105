//! A condition of a spec as a Rust expression on the variables of a test, where Rust means the same by it.
//!
//! Integers of a spec are mathematical. Two variables of one type are compared as they are; arithmetic is done in `i128`
//! if that can't overflow. A term that only reads the arguments, and has no such expression, is written as its value. A
//! condition for which there is no expression has none: then the test says less (see [`super::test`]). A condition that
//! is undefined panics, and fails the test as it should.

mod applied;
mod arithmetic;
mod chained;
mod code;
mod compare;
mod computed;
mod constant;
mod elements;
mod matched;
mod measures;
mod model;
mod parts;
mod text;
pub(super) mod types;

use std::collections::{BTreeMap, BTreeSet};

use target_bridge::frontend::subject::Opaque;
use target_strategies::logic::eval::Judge;
use target_strategies::logic::ir::{
    Asked, CharClass, DataId, FloatUnary, FunctionId, Pointer, Question, Refined, Sort, Spec, StrKind,
    StrTest, Term, TextOp, visit,
};
use target_strategies::logic::value::Value;

use arithmetic::{arithmetic, of_lengths};
pub(super) use code::ALWAYS;
use code::Type;
pub use code::{Code, Level};
use measures::{Helper, Measure};
use model::Model;
use text::bare;
pub(super) use text::mentions as has_name;

/// Maximum length of an expression, in bytes: nobody reads longer ones.
const LONGEST: usize = 2_000;

/// Maximum number of terms that are written for a test: measures that call each other may be tried again and again.
const MOST_STEPS: usize = 10_000;

/// Writes conditions over variables.
pub(super) struct ClauseWriter<'s> {
    spec: &'s Spec,
    opaques: &'s [Opaque],
    /// The expressions for slots.
    slots: BTreeMap<u32, Code>,
    /// The variables of the test, by slot: their names and types.
    variables: BTreeMap<u32, (String, Refined)>,
    /// The arguments, and the parameters that have their value from there.
    args: &'s [Value],
    known: Vec<u32>,
    /// What the patterns of the `match`es around a term say: the fields of a value with that constructor.
    patterns: Vec<(Term, u32, Vec<Code>)>,
    /// The data types whose parts are being written.
    open: Vec<DataId>,
    /// Whether an expression names items of the crate without its name.
    names_items: bool,
    /// Number of names for closure parameters so far.
    n_names: usize,
    /// The functions that the test needs, as Rust.
    helpers: Vec<Helper>,
    /// The measures among them; `None` for one that can't be written.
    measures: BTreeMap<FunctionId, Option<Measure>>,
    /// The measures that are being written with types of their results that may be wrong, and those that call them: what
    /// each depends on.
    depends: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// What the measure that is being written depends on so far.
    called: BTreeSet<FunctionId>,
    /// Number of terms written so far.
    steps: usize,
    /// The calls, or the results, of functions that the test records.
    pub recorded: Vec<(Asked, Question, Code)>,
}

impl<'s> ClauseWriter<'s> {
    /// A writer for conditions in which these slots are variables, and those of the `known` parameters have the value of
    /// the arguments.
    pub fn new(
        spec: &'s Spec,
        opaques: &'s [Opaque],
        variables: BTreeMap<u32, (String, Refined)>,
        (args, known): (&'s [Value], Vec<u32>),
    ) -> ClauseWriter<'s> {
        let slots = variables.iter().map(|(slot, (name, of))| (*slot, Code::variable(name, of))).collect();
        let (open, names_items, n_names) = (Vec::new(), false, 0);
        let (helpers, measures) = (Vec::new(), BTreeMap::new());
        ClauseWriter {
            spec,
            opaques,
            slots,
            variables,
            args,
            known,
            patterns: Vec::new(),
            open,
            names_items,
            n_names,
            helpers,
            measures,
            depends: BTreeMap::new(),
            called: BTreeSet::new(),
            steps: 0,
            recorded: Vec::new(),
        }
    }

    /// Whether an expression so far names items of the crate without its name.
    pub fn names_items(&self) -> bool {
        self.names_items
    }

    /// The functions that a condition calls, as Rust. Those that were written for another condition are not among them.
    pub fn helpers(&self, condition: &str) -> Vec<String> {
        let mut texts = vec![condition.to_owned()];
        let mut called = vec![false; self.helpers.len()];
        while let Some(text) = texts.pop() {
            for (is_called, helper) in called.iter_mut().zip(&self.helpers) {
                if !*is_called && has_name(&text, &helper.name) {
                    *is_called = true;
                    texts.push(helper.text.clone());
                }
            }
        }
        let helpers = self.helpers.iter().zip(called).filter(|(_, is_called)| *is_called);
        helpers.map(|(helper, _)| helper.text.clone()).collect()
    }

    /// A condition; `None` if it can't be written.
    pub fn condition(&mut self, term: &Term) -> Option<Code> {
        self.bool(term)
    }

    fn bool(&mut self, term: &Term) -> Option<Code> {
        let code = self.code(term)?;
        matches!(code.of, Type::Bool).then_some(code)
    }

    /// Any term.
    fn code(&mut self, term: &Term) -> Option<Code> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        // Of arguments that are no variables of the test, only the value is known there.
        if self.is_constant(term)
            && let Some(constant) = self.value(term).and_then(|value| Code::literal(&value))
        {
            return Some(constant);
        }
        let n_names = self.n_names;
        let written = self.written(term).filter(|code| code.text.len() <= LONGEST);
        if written.is_none() {
            self.n_names = n_names;
        }
        written.or_else(|| Code::literal(&self.value(term)?))
    }

    /// Whether a term reads arguments, and none of them is a variable.
    fn is_constant(&self, term: &Term) -> bool {
        let (mut reads, mut is_constant) = (false, true);
        visit(term, &mut |term| {
            if let Term::Var(slot) = term {
                reads |= self.known.contains(slot);
                is_constant &= !self.slots.contains_key(slot);
            }
        });
        reads && is_constant
    }

    /// The value of a term that only reads arguments.
    fn value(&self, term: &Term) -> Option<Value> {
        let mut is_known = true;
        visit(term, &mut |term| match term {
            Term::Var(slot) if *slot < self.spec.first_local_slot() => is_known &= self.known.contains(slot),
            Term::Var(slot) => is_known &= !self.slots.contains_key(slot),
            _ => {}
        });
        let value = Judge::new(None).value_of(self.spec, self.args, term);
        value.ok().filter(|value| is_known && !value.has_unread())
    }

    /// A term as an expression of its own. The terms without an arm have none here.
    #[expect(clippy::too_many_lines, reason = "it has an arm for each term")]
    fn written(&mut self, term: &Term) -> Option<Code> {
        match term {
            Term::Var(slot) => self.slots.get(slot).cloned().or_else(|| self.argument(*slot)),
            Term::Lit(value) => Code::literal(value),
            Term::Not(a) => Some(self.bool(a)?.negated()),
            Term::And(parts) => self.joined(parts, " && ", Level::Condition),
            Term::Or(parts) => self.joined(parts, " || ", Level::Alternative),
            Term::Equal(a, b) => self.equal(a, b),
            Term::Compare(op, a, b) => self.ordered(*op, a, b),
            // A field of another constructor panics by itself.
            Term::If(condition, field, other)
                if matches!((&**condition, &**field), (Term::IsCtor(a, n), Term::Field { of: b, ctor, .. })
                    if a == b && n == ctor)
                    && **other == Term::Undefined =>
            {
                self.code(field)
            }
            Term::If(condition, a, b) => match self.arms(term) {
                Some(arms) => self.matched(arms),
                None => self.chosen(condition, a, b),
            },
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
            Term::Len(of) => match &**of {
                Term::Chars(of) => self.code(of)?.n_chars(),
                Term::Bytes(of) => self.code(of)?.length(),
                Term::Filter(..) | Term::Zip(..) | Term::Reverse(_) => self.n_chained(of),
                of => self.code(of)?.length(),
            },
            Term::Index(of, index) if matches!(**of, Term::Chars(_)) => {
                let Term::Chars(of) = &**of else { return None };
                let (of, index) = (self.code(of)?, self.code(index)?);
                of.char_at(&index)
            }
            Term::Index(of, index) => {
                let (of, index) = (self.code(of)?, self.code(index)?);
                if let Type::Model(Model::List(element)) = &of.of {
                    let text = format!("{}[{}].clone()", of.text, index.as_index()?);
                    return Some(Model::clone(element).made(text));
                }
                of.element(&index)
            }
            Term::Project(of, index) => {
                let of = self.code(of)?;
                if let Type::Model(Model::Tuple(parts)) = &of.of {
                    let part = parts.get(*index as usize)?.clone();
                    return Some(part.made(format!("{}.{index}", of.text)));
                }
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
                if let Type::Model(Model::List(element)) = &of.of {
                    let is_sorted = Code::bool(format!("{}.is_sorted()", of.text), Level::Atom);
                    return element.is_ordered().then_some(is_sorted);
                }
                of.is_ordered().then(|| Code::bool(format!("{}.is_sorted()", of.receiver()), Level::Atom))
            }
            Term::All(over, closure) => self.quantified("all", over, closure),
            Term::Any(over, closure) => self.quantified("any", over, closure),
            Term::Opaque(id, args) => self.where_condition(*id, args),
            Term::TextOp(op, args) => self.text_op(*op, args),
            Term::Sum(of) => self.sum(of),
            Term::Concat(parts) => self.concatenated(parts),
            Term::Seq(_)
            | Term::Slice(..)
            | Term::Flatten(_)
            | Term::Reverse(_)
            | Term::Range(..)
            | Term::Windows(..)
            | Term::Zip(..)
            | Term::Chars(_)
            | Term::Bytes(_)
            | Term::Map(..)
            | Term::Filter(..)
            | Term::Entries(_) => self.computed_list(term),
            Term::Collect(..)
            | Term::SetOp(..)
            | Term::Keys(_)
            | Term::MapWith(..)
            | Term::MapWithout(..) => self.collection(term),
            Term::Subset(is_bag, a, b) => self.subset(*is_bag, a, b),
            Term::Distinct(of) => self.distinct(of),
            Term::MapGet(..) | Term::Position(..) | Term::Extreme { .. } | Term::StrFind(..) => {
                self.option(term)
            }
            Term::Construct(id, ctor, fields) => self.construct(self.spec.data(*id), *ctor, fields),
            Term::Tuple(parts) => self.tuple(parts),
            Term::Fold { over, init, acc, closure } => self.fold(over, init, *acc, closure),
            Term::Matches(id, state, of) => self.matches(*id, *state, of),
            Term::Text(of) => match self.iterator_of(of)? {
                (text, Model::Char) => {
                    let text = format!("{text}.collect::<String>()");
                    Some(Code::text(text, StrKind::String))
                }
                _ => None,
            },
            Term::Ask(Question::Result, of, args) => self.applied(*of, args),
            Term::Ask(question, of, _) => {
                let mut recorded = self.recorded.iter();
                recorded.find(|known| known.0 == *of && known.1 == *question).map(|known| known.2.clone())
            }
            Term::FloatArith(..) | Term::Machine(..) | Term::IntToFloat(..) | Term::Undefined => None,
            Term::Call(function, args) => {
                self.text(*function, args).or_else(|| self.measured(*function, args))
            }
        }
    }

    /// An operation on a text that is a method of Rust's.
    fn text_op(&mut self, op: TextOp, args: &[Term]) -> Option<Code> {
        let (kind, method) = match (op, args.len()) {
            (TextOp::Trim, 1) => (StrKind::Str, "trim"),
            (TextOp::TrimStart, 1) => (StrKind::Str, "trim_start"),
            (TextOp::TrimEnd, 1) => (StrKind::Str, "trim_end"),
            (TextOp::Lowercase, 1) => (StrKind::String, "to_lowercase"),
            (TextOp::Uppercase, 1) => (StrKind::String, "to_uppercase"),
            (TextOp::AsciiLowercase, 1) => (StrKind::String, "to_ascii_lowercase"),
            (TextOp::AsciiUppercase, 1) => (StrKind::String, "to_ascii_uppercase"),
            (TextOp::Display | TextOp::Decimal, 1) => (StrKind::String, "to_string"),
            _ => return None,
        };
        let of = self.code(args.first()?)?;
        let receiver = match (op, &of.of) {
            (TextOp::Display, Type::Value(Refined { sort: Sort::Opaque(_), .. }))
            | (TextOp::Decimal, Type::Int(_)) => of.receiver(),
            (TextOp::Display | TextOp::Decimal, _) => return None,
            _ => of.text_receiver()?,
        };
        Some(Code::text(format!("{receiver}.{method}()"), kind))
    }

    /// The text of a derivation, which is the Rust value itself.
    fn text(&mut self, function: FunctionId, args: &[Term]) -> Option<Code> {
        let [arg] = args else { return None };
        let code = self.spec.function(function).total.then(|| self.code(arg))??;
        let Type::Value(refined) = &code.of else { return None };
        let Sort::Data(id) = refined.sort else { return None };
        self.spec.data(id).rule.as_ref()?;
        let is_slice = refined.pointers.last().is_some_and(|pointer| *pointer != Pointer::RefMut);
        let kind = if is_slice { StrKind::Str } else { StrKind::String };
        let text = Refined { sort: Sort::Str(kind), ..refined.clone() };
        Some(Code { of: Type::Value(text), ..code })
    }

    /// `if`
    fn chosen(&mut self, condition: &Term, a: &Term, b: &Term) -> Option<Code> {
        let condition = self.bool(condition)?;
        let a = self.code(a)?;
        if *b == Term::Undefined {
            return self.only_if(&condition, &a);
        }
        let b = self.code(b)?;
        Code::either(&condition, &a, &b).or_else(|| self.either_owned(&condition, &a, &b))
    }

    /// A value that is undefined unless the condition holds.
    fn only_if(&mut self, condition: &Code, a: &Code) -> Option<Code> {
        if condition.constant() == Some(true) {
            return Some(a.clone());
        }
        let (text, model) = self.owned(a)?;
        let text = format!("(if {} {{ {} }} else {{ unreachable!() }})", bare(&condition.text), bare(&text));
        Some(model.made(text))
    }

    /// The sum of a computed list.
    fn sum_owned(&mut self, of: &Code) -> Option<Code> {
        let (text, model) = self.owned(of)?;
        let Model::List(element) = &model else { return None };
        let wide = Model::List(Box::new(Model::Int(None)));
        wide.unified(&model)?;
        matches!(**element, Model::Int(_) | Model::Any).then(|| {
            let text = format!("{}.into_iter().sum::<i128>()", model.converted(&text, &wide));
            Model::Int(None).made(text)
        })
    }

    fn joined(&mut self, parts: &[Term], operator: &str, level: Level) -> Option<Code> {
        let parts: Option<Vec<Code>> = parts.iter().map(|part| self.bool(part)).collect();
        let mut parts = parts?;
        // What is always true, or always false, decides the whole or nothing.
        let decides = level == Level::Alternative;
        if parts.iter().any(|part| part.constant() == Some(decides)) {
            return Some(Code::bool(decides.to_string(), Level::Atom));
        }
        parts.retain(|part| part.constant().is_none());
        match parts.as_slice() {
            [] => Some(Code::bool((!decides).to_string(), Level::Atom)),
            [part] => Some(part.clone()),
            _ => {
                let parts: Vec<String> =
                    parts.iter().map(|part| part.operand_of(Level::Comparison)).collect();
                Some(Code::bool(parts.join(operator), level))
            }
        }
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
