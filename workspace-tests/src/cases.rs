//! Cases one after the other, as benches count them: those that a generator deals, and those of the yardstick.
//!
//! The yardstick is the loop that it all began with: one model of Z3 at a time, each refuted by one more blocking clause.
//! It is spared the choice of constructors and lengths: a skeleton at a time, its blocking clauses forgotten with it.

use target_bridge::generate::{Batch, Generator, Step};
use target_bridge::smt::encode::{Reach, encode, number};
use target_bridge::smt::formula::{F, Formulas};
use target_bridge::smt::solver::{Answer, Effort, Solver, in_context};
use target_strategies::baseline::enumerative::{Members, Range};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::{Lister, Member};
use target_strategies::space::{Leaf, LeafSort, Skeleton, Space, assemble};

/// Shows the cases of a generator, until one shall be the last.
pub fn deal(space: &Space, generator: &mut dyn Generator, is_last: &mut dyn FnMut(&[Value]) -> bool) {
    let mut lister = Lister::new(space);
    while let Step::Batch(batch) = generator.step() {
        let is_over = match batch {
            Batch::Cases(cases) => cases.iter().any(|case| is_last(&case.args)),
            Batch::Ranges(ranges) => ranges.iter().any(|range| show(space, range, is_last)),
            Batch::Listed(pieces) => {
                let mut listing = lister.list(&pieces);
                let mut is_over = false;
                while !is_over && let Some(Member { args, .. }) = listing.advance() {
                    is_over = is_last(args);
                }
                is_over
            }
        };
        if is_over {
            break;
        }
    }
}

/// Shows the members of a range; whether one of them shall be the last.
fn show(space: &Space, range: &Range, is_last: &mut dyn FnMut(&[Value]) -> bool) -> bool {
    let mut members = Members::new(space, &range.skeleton);
    members.seek(range.start);
    let mut args = Vec::new();
    (0..range.len).any(|_| members.next_into(&mut args) && is_last(&args))
}

/// Shows the models that the yardstick finds, until one shall be the last.
///
/// Between two models and before each skeleton it asks whether it is late. Needs a spec without floats, all of whose conditions
/// the solver understands.
///
/// # Panics
///
/// Panics if Z3 gives up, or finds what lies outside of the space.
pub fn block(
    space: &Space,
    is_late: impl Fn() -> bool + Sync,
    mut is_last: impl FnMut(&[Value]) -> bool + Send + Sync,
) {
    in_context(|| {
        for skeleton in space.skeletons() {
            if is_late() || block_one(space, &skeleton, &is_late, &mut is_last) {
                break;
            }
        }
    });
}

/// Shows the members of a skeleton; whether there shall be no more.
fn block_one(
    space: &Space,
    skeleton: &Skeleton,
    is_late: &dyn Fn() -> bool,
    is_last: &mut dyn FnMut(&[Value]) -> bool,
) -> bool {
    let leaves = space.leaves(skeleton);
    let encoding = encode(space.spec(), skeleton, &leaves, Reach::Domain);
    let mut formulas = encoding.formulas;
    let numbers: Vec<u32> = (0..leaves.len() as u32).collect();
    let mut solver = Solver::new(Effort { per_check: u32::MAX, ..Effort::default() }, true);
    for clause in encoding.clauses {
        solver.assert(&formulas, clause.condition.expect("the specs of benches are understood"));
    }
    for f in encoding.structure {
        solver.assert(&formulas, f);
    }
    solver.assert_ranges(&formulas, &numbers);
    for (&number, leaf) in numbers.iter().zip(&leaves).filter(|(_, leaf)| leaf.sort == LeafSort::Char) {
        // Those of integers are intervals, with these specs.
        let among: Vec<F> = leaf.domain.iter().map(|value| equals(&mut formulas, number, value)).collect();
        let among = formulas.or(among);
        solver.assert(&formulas, among);
    }
    while !is_late() {
        let model = match solver.check(&formulas, &numbers) {
            Answer::Sat(model) => model,
            Answer::Unsat => return false,
            Answer::Unknown(reason) => panic!("Z3 gave up: {reason}"),
        };
        let scalars: Vec<Value> =
            numbers.iter().zip(&leaves).map(|(n, leaf)| scalar(leaf, &model[n])).collect();
        let args = assemble(skeleton, &scalars);
        assert!(space.contains(&args), "Z3 found {args:?}");
        if is_last(&args) {
            return true;
        }
        let same: Vec<F> = numbers.iter().map(|&leaf| equals(&mut formulas, leaf, &model[&leaf])).collect();
        let same = formulas.and(same);
        let other = formulas.not(same);
        solver.assert(&formulas, other);
    }
    true
}

/// The value of a leaf that a model shows as a number.
fn scalar(leaf: &Leaf, shown: &Value) -> Value {
    let is_meant =
        |value: &&Value| *value == shown || number(value).is_some_and(|n| Some(n) == number(shown));
    let meant = leaf.domain.iter().find(is_meant);
    meant.unwrap_or_else(|| panic!("Z3 found {shown:?} for {leaf:?}")).clone()
}

/// That a leaf has this value.
fn equals(formulas: &mut Formulas, leaf: u32, value: &Value) -> F {
    let variable = formulas.leaf(leaf);
    match value {
        Value::Bool(true) => variable,
        Value::Bool(false) => formulas.not(variable),
        value => {
            let number = number(value).unwrap_or_else(|| panic!("the specs of benches have no {value:?}"));
            formulas.equal_constant(variable, &number)
        }
    }
}
