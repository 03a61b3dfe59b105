//! A problem during propagation: choices are made, their consequences are inferred, and the rest splits into
//! independent components.

use std::sync::Arc;

use super::build::{Build, Constructor};
use super::clause::{Clause, Known, add_bound, binds_made, by_rank, conjuncts, take};
use super::range::lens_in;
use super::reduce::{Closed, Env, boolean};
use super::slots::Slots;
use super::tools::Tools;
use crate::logic::ir::{Closure, Term};
use crate::logic::value::Value;
use crate::native::plan::domain::{Condition, DomainId};
use crate::native::plan::problem::{FIRST_HOLE, MADE};
use crate::native::plan::problem::{Hole, Lens, Problem, holes_in, replaced};
use crate::native::plan::types::Form;

/// A problem in which some choices are made.
#[derive(Clone, Default)]
pub struct Work {
    /// The open holes.
    pub holes: Slots<Hole>,
    /// The constraints on them that were propagated.
    pub clauses: Vec<Arc<Clause>>,
    /// Clauses that are not propagated yet.
    fresh: Vec<Arc<Clause>>,
    /// Terms about one hole with a required value.
    known: Vec<Arc<Known>>,
    /// The builds of the holes that are filled.
    pub filled: Slots<Build>,
    /// Open holes with only one possible form, to fill next (unit propagation).
    singletons: Vec<u32>,
    /// Whether a closed condition remains that the judge left undecided.
    pub is_undecided: bool,
}

/// There is no solution.
pub struct Contradiction;

impl Work {
    /// The work for a problem whose clauses are all propagated. Its holes get the slots of the reducer.
    pub fn new(problem: &Problem, tools: &mut Tools) -> Work {
        tools.reducer.slots = problem.holes.iter().map(|hole| hole.of).collect();
        let clauses: Vec<Arc<Clause>> = problem.clauses.iter().cloned().map(Clause::new).collect();
        let known = clauses.iter().filter_map(|clause| clause.decides.clone()).collect();
        Work {
            holes: (FIRST_HOLE..).zip(problem.holes.iter().copied()).collect(),
            clauses,
            fresh: Vec::new(),
            known,
            filled: Slots::default(),
            singletons: Vec::new(),
            is_undecided: false,
        }
    }

    /// Adds a reduced constraint.
    pub fn constrain(&mut self, term: Term, tools: &mut Tools) -> Result<(), Contradiction> {
        let term = tools.split(&term).unwrap_or(term);
        match term {
            Term::Lit(Value::Bool(true)) => Ok(()),
            Term::Lit(_) | Term::Undefined => Err(Contradiction),
            Term::And(parts) => parts.into_iter().try_for_each(|part| self.constrain(part, tools)),
            Term::All(over, closure) => {
                self.constrain_all(*over, closure);
                Ok(())
            }
            term => {
                self.fresh.push(Clause::new(term));
                Ok(())
            }
        }
    }

    /// Merges the constraints on all elements of the same sequence. Of several bounds, the narrowest are kept.
    fn constrain_all(&mut self, over: Term, closure: Closure) {
        if closure.slot != MADE && binds_made(&closure.body) {
            // Another closure of the engine would capture the slot.
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

    /// Fills a hole: replaces it by a term in all clauses.
    pub fn fill(
        &mut self,
        slot: u32,
        build: Build,
        term: &Term,
        tools: &mut Tools,
    ) -> Result<(), Contradiction> {
        self.holes.remove(slot);
        self.filled.insert(slot, build);
        self.known.retain(|known| !known.holes.contains(&slot));
        let mut concerned = take(&mut self.clauses, |clause| clause.holes.contains(&slot));
        concerned.extend(take(&mut self.fresh, |clause| clause.holes.contains(&slot)));
        // Constraints on measures are short, and cause most contradictions.
        let (short, long): (Vec<_>, Vec<_>) =
            concerned.into_iter().partition(|clause| clause.decides.is_some());
        let mut env = Env::new(vec![(slot, term.clone())]);
        for clause in short {
            let reduced = tools.reducer.condition(&clause.term, &mut env);
            if tools.truth(&reduced, &self.holes) == Some(false) {
                return Err(Contradiction);
            }
            self.constrain(reduced, tools)?;
        }
        for clause in long {
            let reduced = tools.reducer.condition(&clause.term, &mut env);
            self.constrain(reduced, tools)?;
        }
        Ok(())
    }

    /// Fills a hole with a head constructor.
    pub fn begin(
        &mut self,
        slot: u32,
        constructor: Constructor,
        tools: &mut Tools,
    ) -> Result<(), Contradiction> {
        for (slot, hole) in constructor.opened {
            self.holes.insert(slot, hole);
            self.note_singleton(slot, hole, tools);
        }
        self.fill(slot, constructor.build, &constructor.term, tools)?;
        for clause in constructor.clauses {
            let reduced = tools.reducer.condition(&clause, &mut Env::default());
            self.constrain(reduced, tools)?;
        }
        Ok(())
    }

    /// Records a hole if it has only one possible form.
    pub fn note_singleton(&mut self, slot: u32, hole: Hole, tools: &Tools) {
        let is_singleton = match hole.domain {
            Some(domain) => tools.domains.values(domain).len() <= 1,
            None => tools.n_constructors(hole) <= 1,
        };
        if is_singleton {
            self.singletons.push(slot);
        }
    }

    /// Requires that a term has a value.
    pub fn decide(&mut self, atom: &Term, value: &Value, tools: &mut Tools) -> Result<(), Contradiction> {
        let is_it = match value {
            Value::Bool(true) => atom.clone(),
            Value::Bool(false) => tools.reducer.not(atom.clone()),
            _ => Term::Equal(Box::new(atom.clone()), Box::new(Term::Lit(value.clone()))),
        };
        let holes = holes_in(atom);
        let known = Arc::new(Known { atom: atom.clone(), value: Term::Lit(value.clone()), holes });
        self.know(known.clone());
        match is_it {
            // It is a combination of constraints, which are added one by one.
            Term::And(_) | Term::All(..) | Term::Lit(_) => self.constrain(is_it, tools),
            term => {
                let holes = known.holes.clone();
                self.fresh.push(Arc::new(Clause { term, holes, decides: Some(known) }));
                Ok(())
            }
        }
    }

    /// Records the value of a term. Propagation replaces the term in the other clauses.
    fn know(&mut self, known: Arc<Known>) {
        let concerned = take(&mut self.clauses, |clause| known.concerns(clause));
        self.fresh.extend(concerned);
        self.known.push(known);
    }

    /// The possible lengths of a hole, given a required length, or a required size, which is at least the length. For
    /// strings, in characters.
    pub fn lens(&self, slot: u32, hole: Hole, tools: &Tools) -> Lens {
        let mut lens = Lens::ANY;
        let is_it = |term: &Term| *term == Term::Var(slot);
        let found = tools.reducer.types.get(hole.of);
        for known in self.known.iter().filter(|known| known.holes[..] == [slot]) {
            let Term::Lit(Value::Int(n)) = &known.value else { continue };
            let beyond = if n.is_negative() { 0 } else { u32::MAX };
            let n = n.to_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(beyond);
            let (lo, hi) = match (&known.atom, &found.form) {
                (Term::Len(of), Form::Seq(_)) if is_it(of) => (n, n),
                // A character has up to four bytes.
                (Term::Len(of), Form::Str(_)) if is_it(of) => (n.div_ceil(4), n),
                (Term::Call(id, args), form) if found.size == Some(*id) && args.iter().all(is_it) => {
                    let is_sized = |of| tools.reducer.types.get(of).size.is_some();
                    let exact = match form {
                        Form::Str(_) => true,
                        Form::Seq(elements) => !is_sized(elements.each),
                        Form::Empty | Form::Scalar(_) | Form::Tuple(_) | Form::Data(_) => false,
                    };
                    (if exact { n } else { 0 }, n)
                }
                _ => continue,
            };
            lens = lens.and(Lens { least: lo, most: hi });
        }
        lens
    }

    /// Drops the clauses that don't satisfy a test.
    pub fn relax(&mut self, test: impl Fn(&Clause) -> bool) {
        self.clauses.retain(|clause| test(clause));
        self.fresh.retain(|clause| test(clause));
    }

    /// Propagates all clauses until nothing changes, or a contradiction is found.
    pub fn propagate(&mut self, tools: &mut Tools) -> Result<(), Contradiction> {
        loop {
            while let Some(slot) = self.singletons.pop() {
                self.fill_singleton(slot, tools)?;
            }
            let Some(clause) = self.fresh.pop() else { return Ok(()) };
            match clause.holes[..] {
                [] => {
                    // The clause is closed but not evaluated: the judge left a part of it undecided, or it contains a
                    // range as long as that of a machine type.
                    match tools.reducer.truth_of_closed(&clause.term) {
                        Closed::True => {}
                        Closed::False => return Err(Contradiction),
                        Closed::Undecided => self.is_undecided = true,
                    }
                }
                [slot] => match self.holes.get(slot).and_then(|hole| hole.domain) {
                    Some(domain) => self.filter(slot, domain, clause, tools)?,
                    None => self.infer(clause, tools)?,
                },
                _ => self.infer(clause, tools)?,
            }
        }
    }

    /// Removes the values that a clause doesn't admit from a scalar's domain.
    fn filter(
        &mut self,
        slot: u32,
        domain: DomainId,
        clause: Arc<Clause>,
        tools: &mut Tools,
    ) -> Result<(), Contradiction> {
        let types = tools.reducer.types.clone();
        let filtered = tools.domains.filtered(domain, &clause.term, slot, &types);
        if filtered.has_undecided {
            self.clauses.push(clause);
        }
        self.narrow(slot, filtered.left, tools)
    }

    fn fill_singleton(&mut self, slot: u32, tools: &mut Tools) -> Result<(), Contradiction> {
        let Some(hole) = self.holes.get(slot).copied() else { return Ok(()) };
        match hole.domain {
            Some(domain) => {
                let value = tools.domains.values(domain).first().cloned().ok_or(Contradiction)?;
                self.fill(slot, tools.scalar(hole, &value), &Term::Lit(value), tools)
            }
            None => {
                let constructor = tools.constructors(hole).pop().ok_or(Contradiction)?;
                self.begin(slot, constructor, tools)
            }
        }
    }

    /// Replaces a scalar's domain by a smaller one.
    pub fn narrow(&mut self, slot: u32, left: DomainId, tools: &Tools) -> Result<(), Contradiction> {
        let Some(hole) = self.holes.get_mut(slot) else { return Ok(()) };
        if hole.domain == Some(left) {
            return Ok(());
        }
        hole.domain = Some(left);
        match tools.domains.values(left).len() {
            0 => return Err(Contradiction),
            1 => self.singletons.push(slot),
            // The smaller domain may allow further inferences.
            _ => self.fresh.extend(take(&mut self.clauses, |clause| clause.holes.contains(&slot))),
        }
        Ok(())
    }

    /// Infers the consequences of a clause about several holes, or about one structured hole.
    fn infer(&mut self, clause: Arc<Clause>, tools: &mut Tools) -> Result<(), Contradiction> {
        let own = clause.decides.clone();
        let is_own = |known: &Known| own.as_ref().is_some_and(|own| own.atom == known.atom);
        // A clause that states the known value itself stays.
        let is_all = |known: &Known| match &clause.term {
            Term::Not(inner) if **inner == known.atom => known.value == boolean(false),
            term => *term == known.atom && known.value == boolean(true),
        };
        let puts_in = |known: &Arc<Known>| !is_own(known) && known.concerns(&clause) && !is_all(known);
        if let Some(known) = self.known.iter().find(|known| puts_in(known)) {
            let term = replaced(&clause.term, &known.atom, &known.value);
            let reduced = tools.reducer.condition(&term, &mut Env::default());
            return self.constrain(reduced, tools);
        }
        match tools.truth(&clause.term, &self.holes) {
            Some(true) if tools.reducer.is_total(&clause.term) => return Ok(()),
            Some(false) => return Err(Contradiction),
            _ => {}
        }
        if self.clauses.iter().any(|other| other.term == clause.term) {
            return Ok(());
        }
        if let Some((slot, lens)) = tools.required_lens(&clause, &self.holes) {
            return self.narrow_lens(slot, lens, tools);
        }
        match own {
            Some(own) => match self.known.iter().find(|known| known.atom == own.atom) {
                Some(known) if known.value != own.value => return Err(Contradiction),
                Some(_) => {}
                None => self.know(own),
            },
            None if clause.holes.len() > 1 => self.narrow_by(&clause.term, tools)?,
            None => {}
        }
        self.clauses.push(clause);
        Ok(())
    }

    /// Leaves a hole only these of its lengths.
    fn narrow_lens(&mut self, slot: u32, lens: Lens, tools: &Tools) -> Result<(), Contradiction> {
        let Some(hole) = self.holes.get_mut(slot) else { return Ok(()) };
        let left = tools.lens_of(Hole { lens: hole.lens.and(lens), ..*hole }).ok_or(Contradiction)?;
        if left == hole.lens {
            return Ok(());
        }
        hole.lens = left;
        match tools.n_constructors(*hole) {
            1 => self.singletons.push(slot),
            // Fewer lengths may allow further inferences.
            _ => self.fresh.extend(take(&mut self.clauses, |clause| clause.holes.contains(&slot))),
        }
        Ok(())
    }

    /// Narrows the domains of scalars, and the lengths of sequences, by a comparison of sums.
    fn narrow_by(&mut self, clause: &Term, tools: &mut Tools) -> Result<(), Contradiction> {
        let is_narrowed = |term: &Term| matches!(term, Term::Var(_) | Term::Len(_));
        for (term, interval) in tools.bounds_by(clause, &self.holes, &is_narrowed) {
            let (lo, hi) = interval;
            if let Some(slot) = tools.measured(&term, &self.holes) {
                self.narrow_lens(slot, lens_in(interval), tools)?;
            }
            let Term::Var(slot) = term else { continue };
            let Some(mut domain) = self.holes.get(slot).and_then(|hole| hole.domain) else { continue };
            if tools.domains.bounds(domain).is_none() {
                continue;
            }
            for condition in [lo.map(Condition::AtLeast), hi.map(Condition::AtMost)].into_iter().flatten() {
                domain = tools.domains.narrowed(domain, condition);
            }
            self.narrow(slot, domain, tools)?;
        }
        Ok(())
    }

    /// Groups holes that share clauses, with the clauses of each group.
    pub fn components(&self) -> Vec<Component<'_>> {
        let slots: Vec<u32> = self.holes.iter().map(|(slot, _)| *slot).collect();
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
            for pair in clause.holes.windows(2) {
                if let (Some(a), Some(b)) = (index(pair[0]), index(pair[1])) {
                    let (a, b) = (root(&mut group, a), root(&mut group, b));
                    group[a.max(b)] = a.min(b);
                }
            }
        }
        let mut components: Vec<(usize, Component<'_>)> = Vec::new();
        for (at, hole) in self.holes.iter().copied().enumerate() {
            let root = root(&mut group, at);
            match components.iter_mut().find(|(other, _)| *other == root) {
                Some((_, component)) => component.holes.push(hole),
                None => components.push((root, Component { holes: vec![hole], clauses: Vec::new() })),
            }
        }
        for clause in &self.clauses {
            if let Some(at) = clause.holes.first().and_then(|slot| index(*slot)) {
                let root = root(&mut group, at);
                if let Some((_, component)) = components.iter_mut().find(|(other, _)| *other == root) {
                    component.clauses.push(clause);
                }
            }
        }
        components.into_iter().map(|(_, component)| component).collect()
    }
}

/// Holes that depend on each other.
#[derive(Clone)]
pub struct Component<'w> {
    /// The holes, by slot.
    pub holes: Vec<(u32, Hole)>,
    /// The constraints on them.
    pub clauses: Vec<&'w Clause>,
}
