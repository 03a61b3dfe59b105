//! The native engine counts, lists, indexes and samples the members of a space. It needs the spec alone and no
//! solver.
//!
//! It makes one choice after another (a constructor, a length, a scalar, the value of a measure) and reduces the
//! spec's terms by what is known. The same problem comes up again and again: see [`count::state`]. The engine reads the same
//! [`crate::logic::ir`] as all other generators, and treats no type and no measure specially.
//!
//! A class holds the members of one size ([`crate::space::Skeleton::size`]), or all members. If a class can be
//! counted within a given effort, its members have numbers. Otherwise they can only be listed.

mod plan;
mod propagate;
mod count;
mod enumerate;
mod sample;
mod spread;
pub mod listing;
pub mod describe;
pub mod random;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::native::plan::problem::FIRST_HOLE;
use crate::space::Space;
use count::relaxed::EFFORT_OF_WALK;
pub(crate) use count::shuffle::Reuse;
use count::shuffle::Shuffle;
pub use count::state::TooMuch;
use count::state::{Branch, States};
pub use enumerate::cursor::Cursor;
use plan::domain::Domains;
use plan::problem::Problem;
use plan::types::{Types, has_rust};
use propagate::reduce::{Env, Reducer};
use propagate::tools::{MeasureBounds, Ranges, Tools};
use propagate::translation::Translation;
use propagate::work::Work;
use spread::Spread;

/// A set of members of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// All members.
    All,
    /// The members of this size.
    Size(u64),
}

/// Number of members in a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly this many.
    Exactly(Int),
    /// At most this many: the judge left some of the counted inputs undecided. They are listed with the members, and
    /// the caller has to judge them.
    AtMost(Int),
}

impl Count {
    /// The number of members; `None` if some inputs are undecided.
    pub fn exactly(&self) -> Option<&Int> {
        match self {
            Count::Exactly(n) => Some(n),
            Count::AtMost(_) => None,
        }
    }

    /// Number of listed inputs: members and undecided inputs.
    pub fn n_listed(&self) -> &Int {
        match self {
            Count::Exactly(n) | Count::AtMost(n) => n,
        }
    }
}

/// The position at which a listing starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// The member with this number, in a class that was counted.
    Rank(u128),
    /// The member that these choices lead to: the index of the branch at each choice. An empty path means the first
    /// member.
    Path(Vec<u32>),
}

/// The engine for one space, with its caches.
pub struct Native {
    space: Space,
    types: Arc<Types>,
    states: States,
    roots: BTreeMap<Class, Option<Branch>>,
    left: Vec<u32>,
}

impl Native {
    /// An engine with empty caches.
    pub fn new(space: &Space) -> Native {
        let types = Arc::new(Types::new(space));
        let spec = space.spec();
        let conditions = space.conditions().map(|clause| &clause.term);
        let conditions: Vec<&Term> = types.constraints.iter().chain(conditions).collect();
        let mut tools = Tools {
            reducer: Reducer::new(types.clone()),
            domains: Domains::default(),
            ranges: Ranges::default(),
            measure_bounds: MeasureBounds::default(),
            is_walk: false,
            is_relaxed: false,
            translation: Translation::of(&types, &conditions),
        };
        tools.find_same();
        let left = spec.clauses().into_iter().filter(|clause| has_rust(&clause.term));
        let left = left.map(|clause| clause.id).collect();
        Native { space: space.clone(), types, states: States::new(tools), roots: BTreeMap::new(), left }
    }

    /// Another engine for the same space, without states, that knows what this one knows of types and measures. Limits that were
    /// reached count for it, too, because its choices depend on them.
    pub fn again(&self) -> Native {
        let tools = Tools { is_walk: false, ..self.states.tools.clone() };
        Native {
            space: self.space.clone(),
            types: Arc::clone(&self.types),
            states: States::new(tools),
            roots: BTreeMap::new(),
            left: self.left.clone(),
        }
    }

    /// Ids of the clauses that only a harness can judge. The engine ignores them when it lists members.
    pub fn left_to_harness(&self) -> &[u32] {
        &self.left
    }

    /// Number of states made, and number of choices tried, so far.
    pub fn work(&self) -> (usize, u64) {
        (self.states.len(), self.states.n_tried)
    }

    /// Counts the members of a class. Fails if that takes more than `effort` choices.
    pub fn count(&mut self, class: Class, effort: u64) -> Result<Count, TooMuch> {
        let Some(branch) = self.root(class) else { return Ok(Count::Exactly(Int::ZERO)) };
        let mut total = Int::ONE;
        for part in branch.parts.iter() {
            total = &total * &self.states.count(&part.state, effort)?;
        }
        Ok(if branch.has_undecided() && !total.is_zero() {
            Count::AtMost(total)
        } else {
            Count::Exactly(total)
        })
    }

    /// A cursor before the first member of a class.
    pub fn cursor(&mut self, class: Class) -> Option<Cursor> {
        self.root(class).map(Cursor::new)
    }

    /// A cursor whose next member is the one at a position; `None` if there is no such member.
    pub fn cursor_at(&mut self, class: Class, position: &Position) -> Option<Cursor> {
        let branch = self.root(class)?;
        let path = match position {
            Position::Rank(0) => Vec::new(),
            Position::Rank(number) => sample::numbered(&mut self.states, &branch, *number)?,
            Position::Path(path) => path.clone(),
        };
        let mut cursor = Cursor::new(branch);
        if !path.is_empty() {
            cursor.follow(&path, &mut self.states).then_some(())?;
            cursor.stay();
        }
        Some(cursor)
    }

    /// The order of a counted class in which neighbours in time are far apart, without its first members; `None` for an
    /// uncounted class, or if none are left.
    pub(crate) fn spread(&mut self, class: Class, skipped: u64) -> Option<Spread> {
        let total = self.count(class, 1).ok()?;
        let total = total.n_listed().to_u128().unwrap_or(u128::MAX).checked_sub(skipped.into())?;
        (total > 0).then(|| Spread::new(total, skipped.into()))
    }

    /// Moves a cursor to the member of a counted class with a number. `last` is the cursor with the number where it is.
    pub(crate) fn at_number<'c>(
        &mut self,
        class: Class,
        number: u128,
        last: &'c mut Option<(Cursor, u128)>,
    ) -> Option<&'c Cursor> {
        let is_next = last.as_ref().is_some_and(|(_, before)| before.checked_add(1) == Some(number));
        let (cursor, at) = match last {
            Some(last) => last,
            None => last.insert((Cursor::new(self.root(class)?), 0)),
        };
        *at = number;
        if is_next {
            self.advance(cursor).then_some(())?;
        } else {
            let branch = self.known_root(class)?.clone();
            let path = sample::numbered(&mut self.states, &branch, number)?;
            cursor.follow(&path, &mut self.states).then_some(())?;
        }
        Some(cursor)
    }

    /// A member of a counted class by its index in the order of [`Pick::Spread`](listing::Pick::Spread).
    pub fn spread_member(&mut self, class: Class, skipped: u64, index: u64) -> Option<Vec<Value>> {
        let number = self.spread(class, skipped)?.number(index.into());
        let mut last = None;
        self.at_number(class, number, &mut last).map(|cursor| cursor.values().to_vec())
    }

    /// Samples a member uniformly from a counted class. The seed and the index determine the member.
    pub fn sample(&mut self, class: Class, seed: u64, index: u64) -> Option<Vec<Value>> {
        sample::sampled(self.known_root(class)?, &mut Dice::new(seed, index))
    }

    /// The path to the member that [`Native::sample`] returns. No two members share a path.
    pub fn sample_path(&mut self, class: Class, seed: u64, index: u64) -> Option<Vec<u32>> {
        sample::sampled_path(self.known_root(class)?, &mut Dice::new(seed, index))
    }

    /// A random member of a class, found by a walk that makes random choices; `None` if there is none or the judge leaves it
    /// undecided, and an error if the walk takes more than `effort` choices. Works for uncounted classes, and not all members are equally likely.
    pub(crate) fn walk(
        &mut self,
        class: Class,
        dice: Dice,
        reuse: Reuse,
        effort: u64,
    ) -> Result<Option<Vec<Value>>, TooMuch> {
        // Before the root is made: whether its states are kept depends on the walk, too.
        self.states.shuffle = Some(Shuffle::new(dice, reuse));
        self.states.tools.is_walk = true;
        self.states.relaxed_effort = EFFORT_OF_WALK;
        let Some(branch) = self.root(class) else {
            self.states.shuffle = None;
            return Ok(None);
        };
        let mut cursor = Cursor::new(branch);
        let found = cursor.advance(&mut self.states, effort);
        // The judge would give up on an undecided input again.
        let args =
            found.map(|is_found| (is_found && !cursor.is_undecided()).then(|| cursor.values().to_vec()));
        drop(cursor);
        self.states.shuffle = None;
        args
    }

    /// The range of sizes. A size in it may have no members.
    pub fn sizes(&self) -> RangeInclusive<u64> {
        self.space.sizes()
    }

    /// Moves to the next member; `false` if there is none.
    pub fn advance(&mut self, cursor: &mut Cursor) -> bool {
        cursor.advance(&mut self.states, u64::MAX) == Ok(true)
    }

    /// Moves to the next member, trying at most `effort` choices. After an error, the next call continues the search.
    pub fn advance_within(&mut self, cursor: &mut Cursor, effort: u64) -> Result<bool, TooMuch> {
        cursor.advance(&mut self.states, effort)
    }

    /// Whether the judge left a condition on the current member undecided. The caller then has to judge the member.
    pub fn is_undecided(&self, cursor: &Cursor) -> bool {
        self.any_undecided() && cursor.is_undecided()
    }

    /// Whether the judge left some member of a counted class undecided.
    pub fn has_undecided(&mut self, class: Class) -> bool {
        self.any_undecided() && self.known_root(class).is_some_and(Branch::has_undecided)
    }

    /// Whether the judge left any condition undecided so far. It may concern no member.
    pub fn any_undecided(&self) -> bool {
        self.states.tools.reducer.has_undecided() || self.states.tools.domains.has_undecided()
    }

    /// Whether the search for the bounds of measures reached its limit. The choices, and the order of members, may
    /// then differ from those of an engine with another history.
    pub fn is_limited(&self) -> bool {
        self.states.tools.measure_bounds.is_limited
    }

    fn root(&mut self, class: Class) -> Option<Branch> {
        self.known_root(class).cloned()
    }

    fn known_root(&mut self, class: Class) -> Option<&Branch> {
        if !self.roots.contains_key(&class) {
            let branch = self.new_root(class);
            self.roots.insert(class, branch);
        }
        self.roots[&class].as_ref()
    }

    fn new_root(&mut self, class: Class) -> Option<Branch> {
        let rem = self.space.nesting();
        let types = self.types.clone();
        let tools = &mut self.states.tools;
        let holes = types.args.iter().map(|of| tools.hole(&types, *of, rem)).collect();
        let problem = Problem { holes, clauses: Vec::new() };
        let mut work = Work::new(&problem, tools);
        let open: Vec<_> = work.holes.iter().map(|(slot, hole)| (*slot, *hole)).collect();
        open.iter().for_each(|(slot, hole)| work.note_singleton(*slot, *hole, tools));
        let args =
            (0..).zip(FIRST_HOLE..).take(types.args.len()).map(|(param, slot)| (param, Term::Var(slot)));
        let args: Vec<(u32, Term)> = args.collect();
        let mut constraints = types.constraints.clone();
        let space = self.space.clone();
        let conditions = space.conditions().map(|clause| &clause.term);
        constraints.extend(conditions.filter(|term| !has_rust(term)).cloned());
        if let Class::Size(size) = class {
            let sizes = args
                .iter()
                .zip(&types.args)
                .filter_map(|((_, arg), of)| Some(Term::Call(types.get(*of).size?, vec![arg.clone()])));
            let add = |a, b| Term::Arith(crate::logic::ir::ArithOp::Add, Box::new(a), Box::new(b));
            let total = sizes.reduce(add).unwrap_or(Term::Lit(Value::int(0)));
            constraints.push(Term::Equal(Box::new(total), Box::new(Term::Lit(Value::int(size)))));
        }
        for constrain in constraints {
            let mut env = Env::new(args.clone());
            let reduced = tools.reducer.condition(&constrain, &mut env);
            work.constrain(reduced, tools).ok()?;
        }
        self.states.root(work)
    }
}
