//! The native engine: inputs counted, listed, indexed and drawn, from the spec alone and without a solver.
//!
//! It makes one choice after the other (a constructor, a length, a scalar, the value of a measure), reduces the
//! spec's terms by what is known, and finds that the same problem comes up again and again: see [`state`]. What it
//! reads is the same [`crate::ir`] as everything else; no type and no measure is special.
//!
//! Members of the space come in classes, by their size ([`crate::space::Skeleton::size`]), or all at once. A class is
//! counted first, if that takes no more than a certain effort; then its members have numbers. Otherwise they can
//! only be listed.

mod choose;
mod clause;
mod cursor;
pub mod deal;
mod domain;
mod expand;
mod heads;
mod pick;
pub mod plan;
mod problem;
mod range;
mod reduce;
mod refined;
mod same;
mod sheet;
mod slots;
mod state;
mod sums;
mod types;
mod units;
mod work;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::int::Int;
use crate::ir::Term;
use crate::space::Space;
use crate::value::Value;
pub use cursor::Cursor;
use domain::Domains;
use problem::Problem;
use reduce::{Env, PLACE, Reducer};
pub use state::TooMuch;
use state::{States, Way};
use types::{Types, has_rust};
use units::Units;
use work::{Tools, Work};

/// Some of the members of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// All of them.
    All,
    /// Those of a size.
    Size(u64),
}

/// How many members a class has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(Int),
    /// No more than so many, and not none for sure: the judge gave up on some of those that were counted. They are listed with the others, and
    /// judging them is left to whoever takes them.
    AtMost(Int),
}

impl Count {
    /// The number, where none was given up on.
    pub fn exactly(&self) -> Option<&Int> {
        match self {
            Count::Exactly(n) => Some(n),
            Count::AtMost(_) => None,
        }
    }

    /// How many are listed: the members, and those that the judge gave up on.
    pub fn n_listed(&self) -> &Int {
        match self {
            Count::Exactly(n) | Count::AtMost(n) => n,
        }
    }
}

/// Where listing begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// At the member with this number, of a class that was counted.
    Rank(u128),
    /// At the member that these choices lead to, the index of the way at each; without any, at the first.
    Path(Vec<u32>),
}

/// The engine for one space, with all that it found out.
pub struct Native {
    space: Space,
    types: Arc<Types>,
    states: States,
    roots: BTreeMap<Class, Option<Way>>,
    left: Vec<u32>,
}

impl Native {
    /// An engine that knows nothing yet.
    pub fn new(space: &Space) -> Native {
        let types = Arc::new(Types::new(space));
        let spec = space.spec();
        let conditions = spec.requires.iter().chain(&spec.explore).map(|clause| &clause.term);
        let conditions: Vec<&Term> = types.demands.iter().chain(conditions).collect();
        let mut tools = Tools {
            reducer: Reducer::new(types.clone()),
            domains: Domains::default(),
            ranges: range::Ranges::default(),
            refined: refined::Refined::default(),
            units: Units::of(&types, &conditions),
        };
        tools.find_same();
        let left = spec.clauses().into_iter().filter(|clause| has_rust(&clause.term));
        let left = left.map(|clause| clause.id).collect();
        Native { space: space.clone(), types, states: States::new(tools), roots: BTreeMap::new(), left }
    }

    /// The clauses that only a harness can judge, by their ids: members are listed whatever they say.
    pub fn left_to_harness(&self) -> &[u32] {
        &self.left
    }

    /// How many states were made so far, and how many choices tried.
    pub fn work(&self) -> (usize, u64) {
        (self.states.len(), self.states.n_tried)
    }

    /// How many members a class has, if counting them takes no more than so many ways.
    pub fn count(&mut self, class: Class, effort: u64) -> Result<Count, TooMuch> {
        let Some(way) = self.root(class) else { return Ok(Count::Exactly(Int::ZERO)) };
        let mut total = Int::ONE;
        for part in way.parts.iter() {
            total = &total * &self.states.count(&part.state, effort)?;
        }
        Ok(if way.has_undecided() && !total.is_zero() { Count::AtMost(total) } else { Count::Exactly(total) })
    }

    /// A cursor before the first member of a class.
    pub fn cursor(&mut self, class: Class) -> Option<Cursor> {
        self.root(class).map(Cursor::new)
    }

    /// A cursor of which the next member is the one at a position; none if there is no such member.
    pub fn cursor_at(&mut self, class: Class, position: &Position) -> Option<Cursor> {
        let way = self.root(class)?;
        let path = match position {
            Position::Rank(0) => Vec::new(),
            Position::Rank(number) => pick::numbered(&mut self.states, &way, *number)?,
            Position::Path(path) => path.clone(),
        };
        let mut cursor = Cursor::new(way);
        if !path.is_empty() {
            cursor.follow(&path, &mut self.states).then_some(())?;
            cursor.stay();
        }
        Some(cursor)
    }

    /// A member drawn from a class that was counted, each equally likely. The seed and the index decide.
    pub fn sample(&mut self, class: Class, seed: u64, index: u64) -> Option<Vec<Value>> {
        pick::drawn(self.known_root(class)?, &mut pick::Dice::new(seed, index))
    }

    /// The path to the member that is drawn, which no other member has.
    pub fn sample_path(&mut self, class: Class, seed: u64, index: u64) -> Option<Vec<u32>> {
        pick::drawn_path(self.known_root(class)?, &mut pick::Dice::new(seed, index))
    }

    /// The sizes that members may have; some may have none.
    pub fn sizes(&self) -> RangeInclusive<u64> {
        self.space.sizes()
    }

    /// Goes to the next member; `false` if there is none.
    pub fn advance(&mut self, cursor: &mut Cursor) -> bool {
        cursor.advance(&mut self.states, u64::MAX) == Ok(true)
    }

    /// The same, if it takes no more than so many choices. Otherwise a further call goes on with the search.
    pub fn advance_within(&mut self, cursor: &mut Cursor, effort: u64) -> Result<bool, TooMuch> {
        cursor.advance(&mut self.states, effort)
    }

    /// Whether the judge gave up on a condition on the member at hand: whoever takes it has to judge it.
    pub fn is_undecided(&self, cursor: &Cursor) -> bool {
        self.gave_up() && cursor.is_undecided()
    }

    /// Whether the judge gave up on some member of a class that was counted.
    pub fn has_undecided(&mut self, class: Class) -> bool {
        self.gave_up() && self.known_root(class).is_some_and(Way::has_undecided)
    }

    /// Whether the judge gave up on anything so far. It may have mattered to no member.
    pub fn gave_up(&self) -> bool {
        self.states.tools.reducer.has_unknown() || self.states.tools.domains.has_unknown()
    }

    /// Whether a limit was met within which ends of measures are looked for. What is chosen next, and with it the order of
    /// members, may differ from an engine that came another way then.
    pub fn is_limited(&self) -> bool {
        self.states.tools.refined.is_limited
    }

    fn root(&mut self, class: Class) -> Option<Way> {
        self.known_root(class).cloned()
    }

    fn known_root(&mut self, class: Class) -> Option<&Way> {
        if !self.roots.contains_key(&class) {
            let way = self.new_root(class);
            self.roots.insert(class, way);
        }
        self.roots[&class].as_ref()
    }

    fn new_root(&mut self, class: Class) -> Option<Way> {
        let spec = self.space.spec().clone();
        let rem = self.space.nesting();
        let types = self.types.clone();
        let tools = &mut self.states.tools;
        let places = types.args.iter().map(|of| tools.place(&types, *of, rem)).collect();
        let problem = Problem { places, clauses: Vec::new() };
        let mut work = Work::new(&problem, tools);
        let open: Vec<_> = work.places.iter().map(|(slot, place)| (*slot, *place)).collect();
        open.iter().for_each(|(slot, place)| work.note_forced(*slot, *place, tools));
        let args = (0..).zip(PLACE..).take(types.args.len()).map(|(param, slot)| (param, Term::Var(slot)));
        let args: Vec<(u32, Term)> = args.collect();
        let mut demands = types.demands.clone();
        let conditions = spec.requires.iter().chain(&spec.explore).map(|clause| &clause.term);
        demands.extend(conditions.filter(|term| !has_rust(term)).cloned());
        if let Class::Size(size) = class {
            let sizes = args
                .iter()
                .zip(&types.args)
                .filter_map(|((_, arg), of)| Some(Term::Call(types.get(*of).size?, vec![arg.clone()])));
            let add = |a, b| Term::Arith(crate::ir::ArithOp::Add, Box::new(a), Box::new(b));
            let total = sizes.reduce(add).unwrap_or(Term::Lit(Value::int(0)));
            demands.push(Term::Equal(Box::new(total), Box::new(Term::Lit(Value::int(size)))));
        }
        for demand in demands {
            let mut env = Env::new(args.clone());
            let reduced = tools.reducer.condition(&demand, &mut env);
            work.demand(reduced).ok()?;
        }
        self.states.root(work)
    }
}
