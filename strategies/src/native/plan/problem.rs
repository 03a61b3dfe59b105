//! A problem: open holes and the constraints on them, in a form in which equal problems compare equal.

use super::domain::DomainId;
use super::types::TypeId;
use crate::logic::codec::Codec;
use crate::logic::ir::{Term, for_children, for_scoped_children, map_children};

/// Slot of the first hole. The spec's own slots are below it.
pub const FIRST_HOLE: u32 = 1 << 24;

/// Slot of the closures that the engine creates. Such a closure never has another one's slot free in it.
pub const MADE: u32 = 1 << 23;

/// An open position in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hole {
    /// Its type.
    pub of: TypeId,
    /// Number of recursive constructors that may still be nested in it; 0 where the type has none.
    pub rem: u32,
    /// The remaining domain, if the hole is a scalar.
    pub domain: Option<DomainId>,
    /// The remaining lengths, if the hole is a sequence or a string: of a string in characters.
    pub lens: Lens,
}

/// A range of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lens {
    /// The least one.
    pub least: u32,
    /// The greatest one.
    pub most: u32,
}

impl Lens {
    /// All lengths.
    pub const ANY: Lens = Lens { least: 0, most: u32::MAX };

    /// Whether a length is in the range.
    pub fn contains(self, len: u32) -> bool {
        (self.least..=self.most).contains(&len)
    }

    /// The lengths in both ranges.
    pub fn and(self, other: Lens) -> Lens {
        Lens { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
}

/// Holes, with the slots from [`FIRST_HOLE`] on, and the constraints on them.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The holes.
    pub holes: Vec<Hole>,
    /// The constraints. All must hold.
    pub clauses: Vec<Term>,
}

impl Problem {
    /// A problem whose holes are renumbered from [`FIRST_HOLE`]. The clauses must mention no other holes.
    pub fn new(holes: &[(u32, Hole)], clauses: &[&Term]) -> Problem {
        let slot = |slot: u32| {
            let at = holes.iter().position(|(other, _)| *other == slot);
            at.map_or(slot, |at| FIRST_HOLE + at as u32)
        };
        let mut clauses: Vec<(Vec<u8>, Term)> = clauses
            .iter()
            .map(|clause| {
                let renamed = renamed(clause, &slot);
                (renamed.to_bytes(), renamed)
            })
            .collect();
        clauses.sort_by(|a, b| a.0.cmp(&b.0));
        clauses.dedup_by(|a, b| a.0 == b.0);
        let clauses = clauses.into_iter().map(|(_, clause)| clause).collect();
        Problem { holes: holes.iter().map(|(_, hole)| *hole).collect(), clauses }
    }

    /// A key that is the same for equal problems only.
    pub fn key(&self) -> Vec<u8> {
        let mut key = Vec::new();
        for hole in &self.holes {
            hole.of.0.write(&mut key);
            hole.rem.write(&mut key);
            hole.domain.map_or(u32::MAX, |domain| domain.0).write(&mut key);
            hole.lens.write(&mut key);
        }
        u32::MAX.write(&mut key);
        for clause in &self.clauses {
            clause.write(&mut key);
        }
        key
    }
}

impl Lens {
    /// Adds the range to a key.
    pub fn write(self, key: &mut Vec<u8>) {
        self.least.write(key);
        self.most.write(key);
    }
}

/// Replaces the slots of holes in a term.
pub fn renamed(term: &Term, slot: &dyn Fn(u32) -> u32) -> Term {
    match term {
        Term::Var(old) if *old >= FIRST_HOLE => Term::Var(slot(*old)),
        Term::Var(_) | Term::Lit(_) | Term::Undefined => term.clone(),
        term => map_children(term, &mut |child, _| renamed(child, slot)),
    }
}

/// The slots of the holes in a term, ascending.
pub fn holes_in(term: &Term) -> Vec<u32> {
    fn go(term: &Term, found: &mut Vec<u32>) {
        match term {
            Term::Var(slot) if *slot >= FIRST_HOLE => {
                if let Err(at) = found.binary_search(slot) {
                    found.insert(at, *slot);
                }
            }
            Term::Var(_) | Term::Lit(_) | Term::Undefined => {}
            term => for_children(term, &mut |child| go(child, found)),
        }
    }
    let mut found = Vec::new();
    go(term, &mut found);
    found
}

/// Replaces each occurrence of a subterm.
pub fn replaced(term: &Term, old: &Term, new: &Term) -> Term {
    if term == old {
        return new.clone();
    }
    match term {
        Term::Var(_) | Term::Lit(_) | Term::Undefined => term.clone(),
        term => map_children(term, &mut |child, _| replaced(child, old, new)),
    }
}

/// Whether a term contains another.
pub fn occurs(term: &Term, wanted: &Term) -> bool {
    if term == wanted {
        return true;
    }
    let mut found = false;
    if !matches!(term, Term::Var(_) | Term::Lit(_) | Term::Undefined) {
        for_children(term, &mut |child| found = found || occurs(child, wanted));
    }
    found
}

/// Whether a term reads only slots that it binds itself and slots that are allowed.
pub fn reads_only(term: &Term, allowed: &dyn Fn(u32) -> bool) -> bool {
    fn go(term: &Term, allowed: &dyn Fn(u32) -> bool, bound: &mut Vec<u32>) -> bool {
        if let Term::Var(slot) = term {
            return allowed(*slot) || bound.contains(slot);
        }
        let mut is_closed = true;
        for_scoped_children(term, &mut |child, slots| {
            let n = bound.len();
            bound.extend_from_slice(slots);
            is_closed = is_closed && go(child, allowed, bound);
            bound.truncate(n);
        });
        is_closed
    }
    go(term, allowed, &mut Vec::new())
}
