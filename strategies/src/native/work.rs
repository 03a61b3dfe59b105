//! A problem being worked on: choices are made, what follows from them is drawn, and what is left falls apart into
//! problems that have nothing to do with each other.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::clause::{Clause, Known, add_bound, binds_made, by_rank, conjuncts, take};
use super::domain::{Condition, DomainId, Domains};
use super::heads::Head;
use super::problem::{Place, Problem, places_in, replaced};
use super::range::Ranges;
use super::reduce::{Closed, Env, MADE, PLACE, Reducer, boolean};
use super::refined::Refined;
use super::slots::Slots;
use super::types::Form;
use super::units::Units;
use crate::ir::{Closure, Term};
use crate::value::Value;

/// What is worked with, whatever the problem.
pub struct Tools {
    /// Terms.
    pub reducer: Reducer,
    /// Domains.
    pub domains: Domains,
    /// What values measures can have.
    pub ranges: Ranges,
    /// What they can have under demands on elements.
    pub refined: Refined,
    /// Which scalars states are moved by.
    pub units: Option<Units>,
}

/// How the value at a place is put together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Build {
    /// It is this.
    Const(Value),
    /// It is this scalar, moved by as much as the state is.
    Key(Value),
    /// It is the value at another place.
    At(u32),
    /// A constructor and its fields.
    Data(u32, Vec<Build>),
    /// A sequence.
    Seq(Vec<Build>),
    /// A tuple.
    Tuple(Vec<Build>),
    /// A string of these characters.
    Str(Vec<Build>),
}

/// A problem in which some choices are made.
#[derive(Clone, Default)]
pub struct Work {
    /// The places that are open.
    pub places: Slots<Place>,
    /// What has to hold of them.
    pub clauses: Vec<Arc<Clause>>,
    /// Clauses from which nothing was drawn yet.
    fresh: Vec<Arc<Clause>>,
    /// Terms about one place whose value is demanded.
    known: Vec<Arc<Known>>,
    /// The places that were open, and how they are filled.
    pub filled: Slots<Build>,
    /// The open places of one possible form, to be filled.
    forced: Vec<u32>,
    /// Whether a condition is left in which nothing is open, and that the judge gave up on.
    pub is_undecided: bool,
}

/// There is no solution.
pub struct Contradiction;

impl Work {
    /// A problem, as it is: everything was drawn from it. Its places get the slots of the reducer.
    pub fn new(problem: &Problem, tools: &mut Tools) -> Work {
        tools.reducer.slots = problem.places.iter().map(|place| place.of).collect();
        let clauses: Vec<Arc<Clause>> = problem.clauses.iter().cloned().map(Clause::new).collect();
        let known = clauses.iter().filter_map(|clause| clause.decides.clone()).collect();
        Work {
            places: (PLACE..).zip(problem.places.iter().copied()).collect(),
            clauses,
            fresh: Vec::new(),
            known,
            filled: Slots::default(),
            forced: Vec::new(),
            is_undecided: false,
        }
    }

    /// Adds what has to hold; it is reduced already.
    pub fn demand(&mut self, term: Term) -> Result<(), Contradiction> {
        match term {
            Term::Lit(Value::Bool(true)) => Ok(()),
            Term::Lit(_) | Term::Undefined => Err(Contradiction),
            Term::And(parts) => parts.into_iter().try_for_each(|part| self.demand(part)),
            Term::All(over, closure) => {
                self.demand_of_all(*over, closure);
                Ok(())
            }
            term => {
                self.fresh.push(Clause::new(term));
                Ok(())
            }
        }
    }

    /// Conditions on the elements of the same sequence are one, and of bounds on them the narrowest stay.
    fn demand_of_all(&mut self, over: Term, closure: Closure) {
        if closure.slot != MADE && binds_made(&closure.body) {
            // Another closure made here would catch the slot.
            self.fresh.push(Clause::new(Term::All(Box::new(over), closure)));
            return;
        }
        let body = if closure.slot == MADE {
            *closure.body
        } else {
            replaced(&closure.body, &Term::Var(closure.slot), &Term::Var(MADE))
        };
        let is_same = |clause: &Arc<Clause>| matches!(&clause.term, Term::All(before, c) if c.slot == MADE && **before == over);
        let mut parts = Vec::new();
        for list in [&mut self.clauses, &mut self.fresh] {
            if let Some(at) = list.iter().position(is_same)
                && let Term::All(_, closure) = &list.swap_remove(at).term
            {
                parts.extend(conjuncts((*closure.body).clone()));
            }
        }
        for part in conjuncts(body) {
            add_bound(&mut parts, part);
        }
        if parts.len() > 1 {
            parts.sort_by_cached_key(by_rank);
            parts.dedup();
        }
        let body = if parts.len() == 1 { parts.remove(0) } else { Term::And(parts) };
        self.fresh.push(Clause::new(Term::All(Box::new(over), Closure { slot: MADE, body: Box::new(body) })));
    }

    /// Fills a place: in all clauses the term stands for it.
    pub fn fill(
        &mut self,
        slot: u32,
        build: Build,
        term: &Term,
        tools: &mut Tools,
    ) -> Result<(), Contradiction> {
        self.places.remove(slot);
        self.filled.insert(slot, build);
        self.known.retain(|known| !known.places.contains(&slot));
        let mut concerned = take(&mut self.clauses, |clause| clause.places.contains(&slot));
        concerned.extend(take(&mut self.fresh, |clause| clause.places.contains(&slot)));
        // Demands on measures are short, and refute most of what is refuted.
        let (short, long): (Vec<_>, Vec<_>) =
            concerned.into_iter().partition(|clause| clause.decides.is_some());
        let mut env = Env::new(vec![(slot, term.clone())]);
        for clause in short {
            let reduced = tools.reducer.condition(&clause.term, &mut env);
            if tools.truth(&reduced, &self.places) == Some(false) {
                return Err(Contradiction);
            }
            self.demand(reduced)?;
        }
        for clause in long {
            let reduced = tools.reducer.condition(&clause.term, &mut env);
            self.demand(reduced)?;
        }
        Ok(())
    }

    /// Fills a place with the beginning of a value.
    pub fn begin(&mut self, slot: u32, head: Head, tools: &mut Tools) -> Result<(), Contradiction> {
        for (slot, place) in head.opened {
            self.places.insert(slot, place);
            self.note_forced(slot, place, tools);
        }
        self.fill(slot, head.build, &head.term, tools)?;
        for clause in head.clauses {
            let reduced = tools.reducer.condition(&clause, &mut Env::default());
            self.demand(reduced)?;
        }
        Ok(())
    }

    /// Notes a place that has one possible form.
    pub fn note_forced(&mut self, slot: u32, place: Place, tools: &Tools) {
        let is_forced = match place.domain {
            Some(domain) => tools.domains.values(domain).len() <= 1,
            None => tools.n_heads(place) <= 1,
        };
        if is_forced {
            self.forced.push(slot);
        }
    }

    /// Demands that a term has a value.
    pub fn decide(&mut self, atom: &Term, value: &Value, tools: &mut Tools) -> Result<(), Contradiction> {
        let is_it = match value {
            Value::Bool(true) => atom.clone(),
            Value::Bool(false) => tools.reducer.not(atom.clone()),
            _ => Term::Equal(Box::new(atom.clone()), Box::new(Term::Lit(value.clone()))),
        };
        let places = places_in(atom);
        let known = Arc::new(Known { atom: atom.clone(), value: Term::Lit(value.clone()), places });
        self.know(known.clone());
        match is_it {
            // It is put together of others, which are demanded one by one.
            Term::And(_) | Term::All(..) | Term::Lit(_) => self.demand(is_it),
            term => {
                let places = known.places.clone();
                self.fresh.push(Arc::new(Clause { term, places, decides: Some(known) }));
                Ok(())
            }
        }
    }

    /// Notes the value of a term. It is put in its place when the clauses are drawn from.
    fn know(&mut self, known: Arc<Known>) {
        let concerned = take(&mut self.clauses, |clause| known.concerns(clause));
        self.fresh.extend(concerned);
        self.known.push(known);
    }

    /// The lengths that what is known of a place leaves: its own, or the size, which is no less. Those of strings are in
    /// characters.
    pub fn lens(&self, slot: u32, place: Place, tools: &Tools) -> RangeInclusive<u32> {
        let (mut least, mut most) = (0, u32::MAX);
        let is_it = |term: &Term| *term == Term::Var(slot);
        let found = tools.reducer.types.get(place.of);
        for known in self.known.iter().filter(|known| known.places[..] == [slot]) {
            let Term::Lit(Value::Int(n)) = &known.value else { continue };
            let beyond = if n.is_negative() { 0 } else { u32::MAX };
            let n = n.to_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(beyond);
            let (lo, hi) = match (&known.atom, &found.form) {
                (Term::Len(of), Form::Seq(_)) if is_it(of) => (n, n),
                // A character has up to four bytes.
                (Term::Len(of), Form::Str(_)) if is_it(of) => (n.div_ceil(4), n),
                (Term::Call(id, args), _) if found.size == Some(*id) && args.iter().all(is_it) => (0, n),
                _ => continue,
            };
            (least, most) = (least.max(lo), most.min(hi));
        }
        least..=most
    }

    /// Forgets the clauses that a test doesn't hold of.
    pub fn relax(&mut self, test: impl Fn(&Clause) -> bool) {
        self.clauses.retain(|clause| test(clause));
        self.fresh.retain(|clause| test(clause));
    }

    /// Draws what follows, until nothing does.
    pub fn settle(&mut self, tools: &mut Tools) -> Result<(), Contradiction> {
        loop {
            while let Some(slot) = self.forced.pop() {
                self.fill_forced(slot, tools)?;
            }
            let Some(clause) = self.fresh.pop() else { return Ok(()) };
            match clause.places[..] {
                [] => {
                    // Nothing is open in it, but it wasn't evaluated: the judge gave up on a part of it, or there is a
                    // range as long as that of a machine type.
                    match tools.reducer.truth_of_closed(&clause.term) {
                        Closed::True => {}
                        Closed::False => return Err(Contradiction),
                        Closed::Unknown => self.is_undecided = true,
                    }
                }
                [slot] if self.places.get(slot).is_some_and(|place| place.domain.is_some()) => {
                    let domain = self.places.get(slot).and_then(|place| place.domain);
                    let domain = domain.unwrap_or(DomainId(0));
                    let types = tools.reducer.types.clone();
                    let filtered = tools.domains.filtered(domain, &clause.term, slot, &types);
                    if filtered.has_unknown {
                        self.clauses.push(clause);
                    }
                    self.narrow(slot, filtered.left, tools)?;
                }
                _ => self.draw(clause, tools)?,
            }
        }
    }

    fn fill_forced(&mut self, slot: u32, tools: &mut Tools) -> Result<(), Contradiction> {
        let Some(place) = self.places.get(slot).copied() else { return Ok(()) };
        match place.domain {
            Some(domain) => {
                let value = tools.domains.values(domain).first().cloned().ok_or(Contradiction)?;
                self.fill(slot, tools.scalar(place, &value), &Term::Lit(value), tools)
            }
            None => {
                let head = tools.heads(place).pop().ok_or(Contradiction)?;
                self.begin(slot, head, tools)
            }
        }
    }

    /// Leaves of a scalar's domain only this.
    pub fn narrow(&mut self, slot: u32, left: DomainId, tools: &Tools) -> Result<(), Contradiction> {
        let Some(place) = self.places.get_mut(slot) else { return Ok(()) };
        if place.domain == Some(left) {
            return Ok(());
        }
        place.domain = Some(left);
        match tools.domains.values(left).len() {
            0 => return Err(Contradiction),
            1 => self.forced.push(slot),
            // What was drawn from the wider domain may be too little.
            _ => self.fresh.extend(take(&mut self.clauses, |clause| clause.places.contains(&slot))),
        }
        Ok(())
    }

    /// Draws what follows from a clause about several places, or about one that isn't a scalar.
    fn draw(&mut self, clause: Arc<Clause>, tools: &mut Tools) -> Result<(), Contradiction> {
        let own = clause.decides.clone();
        let is_own = |known: &Known| own.as_ref().is_some_and(|own| own.atom == known.atom);
        // A clause that is what is known stands for it, and stays.
        let is_all = |known: &Known| match &clause.term {
            Term::Not(inner) if **inner == known.atom => known.value == boolean(false),
            term => *term == known.atom && known.value == boolean(true),
        };
        let puts_in = |known: &Arc<Known>| !is_own(known) && known.concerns(&clause) && !is_all(known);
        if let Some(known) = self.known.iter().find(|known| puts_in(known)) {
            let term = replaced(&clause.term, &known.atom, &known.value);
            let reduced = tools.reducer.condition(&term, &mut Env::default());
            return self.demand(reduced);
        }
        match tools.truth(&clause.term, &self.places) {
            Some(true) if tools.reducer.is_total(&clause.term) => return Ok(()),
            Some(false) => return Err(Contradiction),
            _ => {}
        }
        if self.clauses.iter().any(|other| other.term == clause.term) {
            return Ok(());
        }
        match own {
            Some(own) => match self.known.iter().find(|known| known.atom == own.atom) {
                Some(known) if known.value != own.value => return Err(Contradiction),
                Some(_) => {}
                None => self.know(own),
            },
            None if clause.places.len() > 1 => self.narrow_by(&clause.term, tools)?,
            None => {}
        }
        self.clauses.push(clause);
        Ok(())
    }

    /// Narrows the domains of scalars by a comparison of sums.
    fn narrow_by(&mut self, clause: &Term, tools: &mut Tools) -> Result<(), Contradiction> {
        let is_scalar = |term: &Term| matches!(term, Term::Var(_));
        for (term, (lo, hi)) in tools.bounds_by(clause, &self.places, &is_scalar) {
            let Term::Var(slot) = term else { continue };
            let Some(mut domain) = self.places.get(slot).and_then(|place| place.domain) else { continue };
            if tools.domains.ends(domain).is_none() {
                continue;
            }
            for condition in [lo.map(Condition::AtLeast), hi.map(Condition::AtMost)].into_iter().flatten() {
                domain = tools.domains.narrowed(domain, condition);
            }
            self.narrow(slot, domain, tools)?;
        }
        Ok(())
    }

    /// The groups of places that have to do with each other, each with the clauses about it.
    pub fn components(&self) -> Vec<Component<'_>> {
        let slots: Vec<u32> = self.places.iter().map(|(slot, _)| *slot).collect();
        let mut group: Vec<usize> = (0..slots.len()).collect();
        fn root(group: &mut [usize], mut at: usize) -> usize {
            while group[at] != at {
                group[at] = group[group[at]];
                at = group[at];
            }
            at
        }
        let index = |slot: u32| slots.binary_search(&slot).ok();
        for clause in &self.clauses {
            for pair in clause.places.windows(2) {
                if let (Some(a), Some(b)) = (index(pair[0]), index(pair[1])) {
                    let (a, b) = (root(&mut group, a), root(&mut group, b));
                    group[a.max(b)] = a.min(b);
                }
            }
        }
        let mut components: Vec<(usize, Component<'_>)> = Vec::new();
        for (at, place) in self.places.iter().copied().enumerate() {
            let root = root(&mut group, at);
            match components.iter_mut().find(|(other, _)| *other == root) {
                Some((_, component)) => component.places.push(place),
                None => components.push((root, Component { places: vec![place], clauses: Vec::new() })),
            }
        }
        for clause in &self.clauses {
            if let Some(at) = clause.places.first().and_then(|slot| index(*slot)) {
                let root = root(&mut group, at);
                if let Some((_, component)) = components.iter_mut().find(|(other, _)| *other == root) {
                    component.clauses.push(clause);
                }
            }
        }
        components.into_iter().map(|(_, component)| component).collect()
    }
}

/// Places that have to do with each other.
#[derive(Clone)]
pub struct Component<'w> {
    /// By slot.
    pub places: Vec<(u32, Place)>,
    /// What has to hold of them.
    pub clauses: Vec<&'w Clause>,
}
