//! Generated specs, as text: Z3 finds what enumerating and filtering finds.
//!
//! Expressions are trees that are well-typed whatever is in scope: a variable is a number, taken modulo how many there
//! are. So a tree shrinks to smaller trees, and none is thrown away.

use std::fmt::Write;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use target_bridge::generate::End;

use crate::table::{Args, Entry, as_set, enumerated, smt};

/// An expression of type int.
#[derive(Clone, Debug)]
enum Int {
    Lit(i64),
    Var(usize),
    Infix(&'static str, Box<(Int, Int)>),
    Method(&'static str, Box<(Int, Int)>),
    Negative(Box<Int>),
    Len(usize),
    Fold(&'static str, usize),
    At(usize, Box<Int>),
    If(Box<(Bool, Int, Int)>),
    /// The content of an option, bound to a name; and what holds without.
    Match(usize, Box<(Int, Int)>),
    Unwrap(usize),
}

/// An expression of type bool.
#[derive(Clone, Debug)]
enum Bool {
    Var(usize),
    Compare(&'static str, Box<(Int, Int)>),
    Infix(&'static str, Box<(Bool, Bool)>),
    Not(Box<Bool>),
    Quantified(&'static str, usize, Box<Bool>),
    Indices(&'static str, usize, Box<Bool>),
    List(&'static str, usize),
    Contains(usize, Box<Int>),
    /// What the elements of two lists or sets have to do with each other, a number added to the first.
    Elements(&'static str, usize, usize, Box<Int>),
    IsSome(usize),
    SomeAnd(usize, Box<Bool>),
    EqualOptions(usize, Box<Int>),
    If(Box<(Bool, Bool, Bool)>),
    Match(usize, Box<(Bool, Bool)>),
}

/// Of sets and bags.
const RELATIONS: [&str; 8] = [
    "(elems(ONE).with(N) == elems(OTHER))",
    "elems(ONE).without(N).is_subset(elems(OTHER))",
    "(elems(ONE).union(elems(OTHER)).len() == 1 + N)",
    "(elems(ONE).difference(elems(OTHER)).iter().sum() == N)",
    "elems(ONE).intersection(elems(OTHER)).iter().any(|x| N / x == 1)",
    "(elems(ONE).iter().map(|x| x * N).collect::<BTreeSet<_>>().last() < elems(OTHER).first())",
    "(bag(ONE).with(N) == bag(OTHER))",
    "(bag(ONE).difference(bag(OTHER)).count(N) == 1)",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bool,
    Int(&'static str),
    Option,
    List,
    Set,
}

/// A parameter's type, a refinement of it if there is one, and one of its elements.
type Param = (Kind, Option<Bool>, Option<Bool>);

/// What can be named, and how many binders are open.
#[derive(Clone, Default)]
struct Scope {
    ints: Vec<String>,
    bools: Vec<String>,
    options: Vec<String>,
    lists: Vec<String>,
    sets: Vec<String>,
    n_binders: usize,
}

impl Scope {
    fn with(&self, name: &str, kind: Kind) -> Scope {
        let mut scope = self.clone();
        let names = match kind {
            Kind::Bool => &mut scope.bools,
            Kind::Int(_) => &mut scope.ints,
            Kind::Option => &mut scope.options,
            Kind::List => &mut scope.lists,
            Kind::Set => &mut scope.sets,
        };
        names.push(name.to_owned());
        scope
    }

    /// Whatever has elements.
    fn holders(&self) -> Vec<String> {
        [self.lists.as_slice(), &self.sets].concat()
    }

    /// The same with a new integer.
    fn binding(&self) -> (String, Scope) {
        let name = format!("x{}", self.n_binders);
        let mut scope = self.with(&name, Kind::Int("i64"));
        scope.n_binders += 1;
        (name, scope)
    }
}

/// The name of that number, if there is any.
fn pick(names: &[String], number: usize) -> Option<&String> {
    names.get(number.checked_rem(names.len())?)
}

impl Int {
    fn text(&self, scope: &Scope) -> String {
        let of_list = |number: &usize, text: &dyn Fn(&String) -> String| {
            pick(&scope.lists, *number).map_or("1".to_owned(), text)
        };
        match self {
            Int::Lit(n) => format!("({n})"),
            Int::Var(number) => pick(&scope.ints, *number).map_or("0".to_owned(), String::clone),
            Int::Infix(op, both) => format!("({} {op} {})", both.0.text(scope), both.1.text(scope)),
            Int::Method(name, both) => format!("({}).{name}({})", both.0.text(scope), both.1.text(scope)),
            Int::Negative(inner) => format!("(-{})", inner.text(scope)),
            Int::Len(number) => of_list(number, &|list| format!("{list}.len()")),
            Int::Fold(name, number) => of_list(number, &|list| format!("{list}.iter(){name}")),
            Int::At(number, index) => {
                let index = index.text(scope);
                of_list(number, &|list| format!("{list}[{index}]"))
            }
            Int::If(parts) => {
                let (condition, yes, no) = &**parts;
                format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    condition.text(scope),
                    yes.text(scope),
                    no.text(scope)
                )
            }
            Int::Match(number, arms) => matched(scope, *number, |s| arms.0.text(s), || arms.1.text(scope)),
            Int::Unwrap(number) => {
                pick(&scope.options, *number).map_or("0".to_owned(), |o| format!("{o}.unwrap()"))
            }
        }
    }
}

impl Bool {
    fn text(&self, scope: &Scope) -> String {
        let of = |names: &[String], number: &usize, text: &dyn Fn(&String) -> String| {
            pick(names, *number).map_or("true".to_owned(), text)
        };
        match self {
            Bool::Var(number) => of(&scope.bools, number, &String::clone),
            Bool::Compare(op, both) => format!("({} {op} {})", both.0.text(scope), both.1.text(scope)),
            Bool::Infix(op, both) => format!("({} {op} {})", both.0.text(scope), both.1.text(scope)),
            Bool::Not(inner) => format!("!{}", inner.text(scope)),
            Bool::Quantified(name, number, body) => {
                let (x, inner) = scope.binding();
                let body = body.text(&inner);
                of(&scope.holders(), number, &|list| format!("{list}.iter().{name}(|{x}| {body})"))
            }
            Bool::Indices(name, number, body) => {
                let (x, inner) = scope.binding();
                let body = body.text(&inner);
                of(&scope.lists, number, &|list| format!("(0..{list}.len()).{name}(|{x}| {body})"))
            }
            Bool::List(property, number) => of(&scope.lists, number, &|list| format!("{list}{property}")),
            Bool::Contains(number, of_what) => {
                let x = of_what.text(scope);
                of(&scope.lists, number, &|list| format!("{list}.contains({x})"))
            }
            Bool::Elements(relation, one, other, number) => {
                let (n, holders) = (number.text(scope), scope.holders());
                let Some(other) = pick(&holders, *other) else { return "true".to_owned() };
                of(&holders, one, &|one| {
                    relation.replace("ONE", one).replace("OTHER", other).replace("N", &n)
                })
            }
            Bool::IsSome(number) => of(&scope.options, number, &|o| format!("{o}.is_some()")),
            Bool::SomeAnd(number, body) => {
                let (x, inner) = scope.binding();
                let body = body.text(&inner);
                of(&scope.options, number, &|o| format!("{o}.is_some_and(|{x}| {body})"))
            }
            Bool::EqualOptions(number, content) => {
                let content = content.text(scope);
                of(&scope.options, number, &|o| format!("({o} == Some({content}))"))
            }
            Bool::If(parts) => {
                let (condition, yes, no) = &**parts;
                format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    condition.text(scope),
                    yes.text(scope),
                    no.text(scope)
                )
            }
            Bool::Match(number, arms) => matched(scope, *number, |s| arms.0.text(s), || arms.1.text(scope)),
        }
    }
}

fn matched(
    scope: &Scope,
    number: usize,
    some: impl FnOnce(&Scope) -> String,
    none: impl FnOnce() -> String,
) -> String {
    let Some(option) = pick(&scope.options, number) else { return none() };
    let (x, inner) = scope.binding();
    format!("(match {option} {{ Some({x}) => {}, None => {} }})", some(&inner), none())
}

/// The signature; a refinement sees the parameters before its own.
fn signature(params: &[Param], requires: &Bool) -> String {
    let mut text = "fn(".to_owned();
    let mut scope = Scope::default();
    for (i, (kind, refinement, of_element)) in params.iter().enumerate() {
        let name = ["a", "b", "c"][i];
        let element = match of_element {
            Some(clause) => format!("{{e: i64 | {}}}", clause.text(&scope.with("e", Kind::Int("i64")))),
            None => "i64".to_owned(),
        };
        let ty = match kind {
            Kind::Bool => "bool".to_owned(),
            Kind::Int(name) => (*name).to_owned(),
            Kind::Option => format!("Option<{element}>"),
            Kind::List => format!("Vec<{element}>"),
            Kind::Set => format!("BTreeSet<{element}>"),
        };
        let separator = if i == 0 { "" } else { ", " };
        let _ = match refinement {
            Some(clause) => {
                write!(text, "{separator}{name}: {{v: {ty} | {}}}", clause.text(&scope.with("v", *kind)))
            }
            None => write!(text, "{separator}{name}: {ty}"),
        };
        scope = scope.with(name, *kind);
    }
    let _ = write!(text, ") requires {}", requires.text(&scope));
    text
}

fn leaf_int() -> impl Strategy<Value = Int> {
    prop_oneof![
        2 => (-3_i64..=3).prop_map(Int::Lit),
        4 => any::<usize>().prop_map(Int::Var),
        1 => any::<usize>().prop_map(Int::Len),
        1 => any::<usize>().prop_map(Int::Unwrap),
        1 => (prop::sample::select(vec![".sum()", ".count()", ".max().unwrap()"]), any::<usize>())
            .prop_map(|(name, number)| Int::Fold(name, number)),
    ]
}

fn bigger_int(int: BoxedStrategy<Int>, bool: BoxedStrategy<Bool>) -> BoxedStrategy<Int> {
    let two = (int.clone(), int.clone()).prop_map(Box::new);
    let infix = prop::sample::select(vec!["+", "-", "*", "/", "%"]);
    let method = prop::sample::select(vec!["min", "max", "rem_euclid", "div_euclid"]);
    prop_oneof![
        3 => leaf_int(),
        5 => (infix, two.clone()).prop_map(|(op, both)| Int::Infix(op, both)),
        1 => (method, two.clone()).prop_map(|(name, both)| Int::Method(name, both)),
        1 => int.clone().prop_map(|inner| Int::Negative(Box::new(inner))),
        2 => (any::<usize>(), int.clone()).prop_map(|(number, index)| Int::At(number, Box::new(index))),
        1 => (bool, int.clone(), int).prop_map(|parts| Int::If(Box::new(parts))),
        1 => (any::<usize>(), two).prop_map(|(number, arms)| Int::Match(number, arms)),
    ]
    .boxed()
}

fn bool_over(int: BoxedStrategy<Int>, bool: BoxedStrategy<Bool>) -> BoxedStrategy<Bool> {
    let number = any::<usize>;
    let ints = (int.clone(), int.clone()).prop_map(Box::new);
    let bools = (bool.clone(), bool.clone()).prop_map(Box::new);
    let boxed = bool.clone().prop_map(Box::new);
    let which = || prop::sample::select(vec!["all", "any"]);
    let property = prop::sample::select(vec![".is_empty()", ".is_sorted()", ".distinct()"]);
    prop_oneof![
        6 => (prop::sample::select(vec!["<", "<=", "==", "!=", ">", ">="]), ints)
            .prop_map(|(op, both)| Bool::Compare(op, both)),
        4 => (prop::sample::select(vec!["&&", "||", "==>", "=="]), bools.clone())
            .prop_map(|(op, both)| Bool::Infix(op, both)),
        2 => boxed.clone().prop_map(Bool::Not),
        1 => number().prop_map(Bool::Var),
        2 => (which(), number(), boxed.clone()).prop_map(|(name, n, body)| Bool::Quantified(name, n, body)),
        2 => (which(), number(), boxed.clone()).prop_map(|(name, n, body)| Bool::Indices(name, n, body)),
        1 => (property, number()).prop_map(|(property, n)| Bool::List(property, n)),
        1 => (number(), int.clone()).prop_map(|(n, x)| Bool::Contains(n, Box::new(x))),
        3 => (prop::sample::select(RELATIONS.to_vec()), number(), number(), int.clone())
            .prop_map(|(relation, one, other, n)| Bool::Elements(relation, one, other, Box::new(n))),
        1 => number().prop_map(Bool::IsSome),
        1 => (number(), boxed).prop_map(|(n, body)| Bool::SomeAnd(n, body)),
        1 => (number(), int).prop_map(|(n, x)| Bool::EqualOptions(n, Box::new(x))),
        1 => (bool.clone(), bool.clone(), bool).prop_map(|parts| Bool::If(Box::new(parts))),
        1 => (number(), bools).prop_map(|(n, arms)| Bool::Match(n, arms)),
    ]
    .boxed()
}

fn condition() -> BoxedStrategy<Bool> {
    let ints = |bool: BoxedStrategy<Bool>| {
        let small = bigger_int(leaf_int().boxed(), bool.clone());
        bigger_int(small, bool)
    };
    let smallest = (any::<usize>(), prop::sample::select(vec!["<", "<=", "=="]), leaf_int(), leaf_int())
        .prop_map(|(_, op, a, b)| Bool::Compare(op, Box::new((a, b))))
        .boxed();
    let small = bool_over(ints(smallest.clone()), smallest);
    let middling = bool_over(ints(small.clone()), small.clone());
    prop_oneof![small, middling.clone(), bool_over(ints(middling.clone()), middling)].boxed()
}

fn params() -> impl Strategy<Value = Vec<Param>> {
    let kinds = vec![
        Kind::Bool,
        Kind::Int("i64"),
        Kind::Int("i64"),
        Kind::Int("u8"),
        Kind::Option,
        Kind::List,
        Kind::List,
        Kind::Set,
    ];
    let maybe = |percent: f64| prop::option::weighted(percent, condition());
    let param = (prop::sample::select(kinds), maybe(0.4), maybe(0.2));
    prop::collection::vec(param, 1..=3)
}

#[test]
fn generated_specs_agree() {
    let config = ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, seed);
    let result = runner.run(&(params(), condition()), |(params, requires)| {
        let spec = signature(&params, &requires);
        let entry = Entry::new("generated", &spec, 2, 2);
        let space = entry.space().map_err(|mistakes| TestCaseError::fail(format!("{spec}\n{mistakes}")))?;
        let dealt = smt(&space);
        prop_assert_eq!(&dealt.end, &End::Exhausted, "{}", &spec);
        let expected = enumerated(&space);
        let ((found, twice), (expected, _)) = (as_set(&dealt.members), as_set(&expected));
        prop_assert!(twice.is_empty(), "{}\nsmt repeats {:?}", spec, twice);
        let missing: Vec<&&Args> = expected.difference(&found).take(3).collect();
        prop_assert!(missing.is_empty(), "{}\nsmt misses {:?}", spec, missing);
        prop_assert!(found.len() == expected.len(), "{}\nsmt alone finds some", spec);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
