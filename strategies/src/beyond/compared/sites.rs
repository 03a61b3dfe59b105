//! Where a spec compares numbers, and looks values up.

use crate::logic::ir::{
    Closure, Collection, FunctionId, Refined, SetOp, Spec, Term, for_children, map_children, visit,
};
use crate::logic::part::{Path, path_of};

/// Maximum number of sites.
const MOST: usize = 64;

/// How deeply calls of measures are looked into.
const DEEPEST: usize = 2;

/// What a slot of a site holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// The value of a term.
    Value(Term),
    /// Any element of a sequence.
    ElementOf(Term),
}

/// What a spec does with two values.
#[derive(Clone, Debug, PartialEq)]
pub enum Site {
    /// It compares them.
    Comparison(Term, Term),
    /// It looks the second one up in the first, a sequence.
    LookUp(Term, Term),
}

/// A place in a spec that looks at two values.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The slots around it, outermost first.
    pub bound: Vec<(u32, Bound)>,
    /// What happens there. The terms read the slots above and the parameters as on entry.
    pub site: Site,
}

/// The places of a spec's conditions, those on results included: parameters on return are taken for those on entry.
pub fn places(spec: &Spec) -> Vec<Place> {
    let mut reader = Reader { spec, places: Vec::new(), next_slot: FIRST_SLOT };
    let n = spec.params.len() as u32;
    let mut clauses = Vec::new();
    for (at, param) in (0..).zip(&spec.params) {
        // The refined value is the argument itself.
        let scope = Scope { names: vec![(n, Term::Var(at))], ..Scope::default() };
        clauses.extend(own_clauses(&param.refined).map(|term| (term, scope.clone())));
    }
    let others = spec.requires.iter().chain(&spec.ensures).chain(&spec.panics_if).map(|clause| &clause.term);
    let others = others.chain(own_clauses(&spec.result));
    let on_return = (0..n).map(|at| (n + 1 + at, Term::Var(at)));
    let scope = Scope { names: on_return.collect(), ..Scope::default() };
    clauses.extend(others.map(|term| (term, scope.clone())));
    for (term, scope) in clauses {
        reader.read(term, &scope);
    }
    // The result isn't known.
    reader.places.retain(|place| place.is_known(n));
    reader.places.truncate(MOST);
    reader.places
}

/// Slots from here on are those of places.
const FIRST_SLOT: u32 = 1 << 24;

/// The conditions on a value itself, and not on its parts.
fn own_clauses(refined: &Refined) -> impl Iterator<Item = &Term> {
    refined.clauses.iter().map(|clause| &clause.term)
}

/// What is known around a term.
#[derive(Clone, Debug, Default)]
struct Scope {
    bound: Vec<(u32, Bound)>,
    /// What slots of the term are in a place.
    names: Vec<(u32, Term)>,
    /// The measures around it.
    calls: Vec<FunctionId>,
}

impl Scope {
    /// The term as a place has it.
    fn of_place(&self, term: &Term) -> Term {
        match term {
            Term::Var(slot) => {
                let known = self.names.iter().rfind(|(known, _)| known == slot);
                known.map_or_else(|| term.clone(), |(_, new)| new.clone())
            }
            term => map_children(term, &mut |child, _| self.of_place(child)),
        }
    }
}

struct Reader<'s> {
    spec: &'s Spec,
    places: Vec<Place>,
    next_slot: u32,
}

impl Place {
    /// The terms of the site and of the slots around it.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let (Site::Comparison(a, b) | Site::LookUp(a, b)) = &self.site;
        let bound = self.bound.iter().map(|(_, bound)| match bound {
            Bound::Value(term) | Bound::ElementOf(term) => term,
        });
        bound.chain([a, b])
    }

    /// The argument, or the part of one, that is looked up here in any input: not for each element of a list.
    pub fn argument_looked_up(&self, spec: &Spec) -> Option<Path> {
        let Site::LookUp(_, one) = &self.site else { return None };
        let is_once = self.bound.iter().all(|(_, bound)| matches!(bound, Bound::Value(_)));
        path_of(one).filter(|path| is_once && path[0] < spec.params.len())
    }

    /// Whether its values depend on the input alone.
    fn is_known(&self, result: u32) -> bool {
        self.terms().all(|term| {
            let mut is_known = true;
            visit(term, &mut |part| {
                is_known &= *part != Term::Var(result) && !matches!(part, Term::Ask(..) | Term::Opaque(..))
            });
            is_known
        })
    }
}

impl Reader<'_> {
    fn read(&mut self, term: &Term, scope: &Scope) {
        if self.places.len() >= 2 * MOST {
            return;
        }
        match term {
            Term::Compare(_, a, b) | Term::Equal(a, b) => self.add(scope, Site::Comparison, a, b),
            Term::Contains(all, one) => self.add(scope, Site::LookUp, all, one),
            Term::MapGet(map, key, _) | Term::MapWith(map, key, _) | Term::MapWithout(map, key) => {
                let keys = Term::Entries(Box::new(Term::Keys(map.clone())));
                self.add(scope, Site::LookUp, &keys, key);
            }
            Term::SetOp(SetOp::Difference | SetOp::Union, _, all, one) => {
                if let Term::Collect(Collection::Set | Collection::Bag, one) = &**one
                    && let Term::Seq(one) = &**one
                    && let [one] = &one[..]
                {
                    self.add(scope, Site::LookUp, &Term::Entries(all.clone()), one);
                }
            }
            _ => {}
        }
        match term {
            Term::All(over, closure)
            | Term::Any(over, closure)
            | Term::Map(over, closure)
            | Term::Filter(over, closure)
            | Term::Position(over, closure, _) => {
                self.read(over, scope);
                self.read_elements(over, closure, scope);
            }
            Term::Fold { over, init, .. } => {
                self.read(over, scope);
                self.read(init, scope);
            }
            Term::Let { slot, value, body } => {
                self.read(value, scope);
                let inner = self.bind(scope, *slot, Bound::Value(scope.of_place(value)));
                self.read(body, &inner);
            }
            Term::Call(id, args) => {
                args.iter().for_each(|arg| self.read(arg, scope));
                self.read_call(*id, args, scope);
            }
            term => {
                let mut children = Vec::new();
                for_children(term, &mut |child| children.push(child));
                children.into_iter().for_each(|child| self.read(child, scope));
            }
        }
    }

    fn add(&mut self, scope: &Scope, site: fn(Term, Term) -> Site, a: &Term, b: &Term) {
        let site = site(scope.of_place(a), scope.of_place(b));
        let place = Place { bound: scope.bound.clone(), site };
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn read_elements(&mut self, over: &Term, closure: &Closure, scope: &Scope) {
        let inner = self.bind(scope, closure.slot, Bound::ElementOf(scope.of_place(over)));
        self.read(&closure.body, &inner);
    }

    fn read_call(&mut self, id: FunctionId, args: &[Term], scope: &Scope) {
        if scope.calls.len() >= DEEPEST || scope.calls.contains(&id) {
            return;
        }
        let function = self.spec.function(id);
        let mut inner = Scope { names: Vec::new(), ..scope.clone() };
        inner.calls.push(id);
        for (slot, arg) in function.params.iter().zip(args) {
            match scope.of_place(arg) {
                arg @ Term::Var(_) => inner.names.push((*slot, arg)),
                arg => inner = self.bind(&inner, *slot, Bound::Value(arg)),
            }
        }
        self.read(&function.body, &inner);
    }

    /// The scope in which a slot of the term holds something.
    fn bind(&mut self, scope: &Scope, slot: u32, bound: Bound) -> Scope {
        let mut inner = scope.clone();
        inner.bound.push((self.next_slot, bound));
        inner.names.push((slot, Term::Var(self.next_slot)));
        self.next_slot += 1;
        inner
    }
}
