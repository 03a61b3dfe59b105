//! Proves that measures terminate: each cycle of calls passes a smaller part of an argument, or a smaller `decreases`.
//!
//! The size-change principle (Lee, Jones and Ben-Amram): a call is a set of arrows from the caller's parameters to the
//! callee's, strict if a part of the parameter is passed on. All arrows are composed until nothing new appears. Then
//! each set from a function to itself that is its own square must have a strict arrow from a parameter to itself.

use std::collections::{BTreeMap, BTreeSet};

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{ArithOp, Closure, FunctionId, Term, map_children};
use target_strategies::logic::value::Value;

use crate::frontend::data::DataTable;
use crate::frontend::data::function::{CallSite, FunctionKey};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::resolve::decrease;

/// Maximum number of sets of arrows. With more, termination counts as unproved.
const MAX_GRAPHS: usize = 400;

/// From a parameter to a parameter, and whether the passed value is strictly smaller.
type Arrows = BTreeMap<(usize, usize), bool>;

/// The arrows of a path from one function to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Graph {
    from: FunctionId,
    to: FunctionId,
    arrows: Arrows,
}

/// The measures whose termination can't be proved.
pub fn check(data: &DataTable<'_>) -> Vec<Diagnostic> {
    let mut graphs = BTreeSet::new();
    for index in 0..data.functions.all.len() {
        if matches!(data.functions.keys[index], FunctionKey::Measure(..)) {
            graphs.extend(calls(data, FunctionId(index as u32)));
        }
    }
    let direct = graphs.clone();
    // A function with a valid `decreases` needs no other proof.
    let starts: BTreeSet<FunctionId> = direct.iter().map(|graph| graph.from).collect();
    let ending: BTreeSet<FunctionId> =
        starts.into_iter().filter(|id| decreasing(data, &direct, *id)).collect();
    graphs.retain(|graph| !ending.contains(&graph.from) && !ending.contains(&graph.to));
    let closed = close(&mut graphs);
    let mut diagnostics = Vec::new();
    let mut reported = BTreeSet::new();
    for graph in graphs.iter().filter(|graph| graph.from == graph.to) {
        let decreases = graph.arrows.iter().any(|((from, to), strict)| from == to && *strict);
        let idempotent = composed(graph, graph) == *graph;
        if closed && (decreases || !idempotent) {
            continue;
        }
        if reported.insert(graph.from) {
            diagnostics.extend(mistake(data, &direct, graph.from));
        }
    }
    diagnostics
}

/// Adds all compositions; false if there are too many.
fn close(graphs: &mut BTreeSet<Graph>) -> bool {
    let mut fresh: Vec<Graph> = graphs.iter().cloned().collect();
    while let Some(next) = fresh.pop() {
        let others: Vec<Graph> = graphs.iter().cloned().collect();
        for other in others {
            for (first, second) in [(&next, &other), (&other, &next)] {
                if first.to != second.from {
                    continue;
                }
                let both = composed(first, second);
                if graphs.insert(both.clone()) {
                    fresh.push(both);
                }
                if graphs.len() > MAX_GRAPHS {
                    return false;
                }
            }
        }
    }
    true
}

fn composed(first: &Graph, second: &Graph) -> Graph {
    let mut arrows = Arrows::new();
    for ((from, middle), strict) in &first.arrows {
        for ((other, to), also) in &second.arrows {
            if middle == other {
                let arrow = arrows.entry((*from, *to)).or_insert(false);
                *arrow |= *strict || *also;
            }
        }
    }
    Graph { from: first.from, to: second.to, arrows }
}

/// Whether each function on a cycle through `start` has a `decreases` that gets smaller at every call on the cycle.
fn decreasing(data: &DataTable<'_>, direct: &BTreeSet<Graph>, start: FunctionId) -> bool {
    let cycle = cycle_of(direct, start);
    cycle.iter().all(|id| decrease::decreases(data, *id, &cycle))
}

/// The functions on cycles of calls through `start`.
fn cycle_of(direct: &BTreeSet<Graph>, start: FunctionId) -> BTreeSet<FunctionId> {
    let reaches = |from: FunctionId, to: FunctionId| {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(next) = open.pop() {
            for graph in direct.iter().filter(|graph| graph.from == next) {
                if graph.to == to {
                    return true;
                }
                if seen.insert(graph.to) {
                    open.push(graph.to);
                }
            }
        }
        false
    };
    direct
        .iter()
        .flat_map(|graph| [graph.from, graph.to])
        .filter(|id| (*id == start || reaches(start, *id)) && reaches(*id, start))
        .collect()
}

fn mistake(data: &DataTable<'_>, direct: &BTreeSet<Graph>, id: FunctionId) -> Option<Diagnostic> {
    let function = &data.functions.all[id.0 as usize];
    let site =
        data.functions.calls.iter().find(|CallSite { caller, callee, .. }| *caller == id && *callee == id);
    let site = site.or_else(|| data.functions.calls.iter().find(|site| site.caller == id))?;
    let name = &function.name;
    let diagnostic = Diagnostic::error(site.span, format!("can't show that `{name}` ends"));
    Some(if function.decreases.is_some() {
        diagnostic.label("the number after `decreases` may not get smaller here").help(
            "let the conditions around the call imply that it gets smaller, or add a parameter that is one less in each call, and name it after `decreases`",
        )
    } else if cycle_of(direct, id) == BTreeSet::from([id])
        && let Some(parameter) = decrease::candidate(data, id).and_then(|at| parameter(data, id, at))
    {
        diagnostic
            .label("no argument is a part of the one before")
            .help(format!("put `decreases {parameter}` after the result's type: `{parameter}` gets smaller, and must not be negative"))
    } else {
        diagnostic.label("no argument is a part of the one before").help(
            "pass on a part of an argument, or put `decreases` and a natural number that gets smaller after the result's type; \
             that can be a parameter which counts the calls that are left",
        )
    })
}

/// The name of a measure's parameter.
fn parameter(data: &DataTable<'_>, id: FunctionId, at: usize) -> Option<String> {
    let FunctionKey::Measure(name, _) = &data.functions.keys[id.0 as usize] else { return None };
    let measure = data.declarations.measures.sound.get(name)?;
    Some(measure.signature.head.params.get(at)?.name.name.clone())
}

/// The calls in the body of a function.
fn calls(data: &DataTable<'_>, id: FunctionId) -> Vec<Graph> {
    let function = &data.functions.all[id.0 as usize];
    let parts =
        function.params.iter().enumerate().map(|(index, slot)| (*slot, Part { of: index, strict: false }));
    let mut walk = Walk { from: id, parts: parts.collect(), graphs: Vec::new() };
    walk.term(&function.body);
    function.decreases.iter().for_each(|measure| walk.term(measure));
    walk.graphs
}

/// The part of a parameter in a slot.
#[derive(Clone, Copy, Debug)]
struct Part {
    of: usize,
    strict: bool,
}

struct Walk {
    from: FunctionId,
    parts: BTreeMap<u32, Part>,
    graphs: Vec<Graph>,
}

impl Walk {
    fn term(&mut self, term: &Term) {
        match term {
            Term::Call(to, args) => {
                let arrows = args.iter().enumerate();
                let arrows = arrows
                    .filter_map(|(index, arg)| self.part(arg).map(|part| ((part.of, index), part.strict)));
                let graph = Graph { from: self.from, to: *to, arrows: arrows.collect() };
                self.graphs.push(graph);
                args.iter().for_each(|arg| self.term(arg));
            }
            Term::Let { slot, value, body } => {
                self.term(value);
                self.parts.extend(self.part(value).map(|part| (*slot, part)));
                self.term(body);
            }
            Term::All(over, closure)
            | Term::Any(over, closure)
            | Term::Map(over, closure)
            | Term::Filter(over, closure)
            | Term::Position(over, closure, _) => self.each(over, closure),
            Term::Fold { over, init, closure, .. } => {
                self.term(init);
                self.each(over, closure);
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_)
            | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..)
            | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::Project(..)
            | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..) | Term::Slice(..)
            | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..)
            | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::Sum(_) | Term::Extreme { .. }
            | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..)
            | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..)
            | Term::CharIs(..) | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => {
                map_children(term, &mut |child, _| {
                    self.term(child);
                    Term::Undefined
                });
            }
        }
    }

    fn each(&mut self, over: &Term, closure: &Closure) {
        self.term(over);
        let element = self.element(over);
        self.parts.extend(element.map(|part| (closure.slot, part)));
        self.term(&closure.body);
    }

    /// The parameter whose parts are the elements of a sequence.
    fn element(&mut self, over: &Term) -> Option<Part> {
        match over {
            Term::Map(over, closure) => {
                let element = self.element(over)?;
                self.parts.insert(closure.slot, element);
                self.part(&closure.body)
            }
            Term::Filter(over, _) | Term::Reverse(over) | Term::Entries(over) => self.element(over),
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Range(..) | Term::Windows(..)
            | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..)
            | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..)
            | Term::Fold { .. } | Term::Sum(_) | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_)
            | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
            | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => self.part(over).map(|part| Part { strict: true, ..part }),
        }
    }

    /// The part of a parameter that a term evaluates to.
    fn part(&self, term: &Term) -> Option<Part> {
        match term {
            Term::Var(slot) => self.parts.get(slot).copied(),
            Term::Field { of, .. } | Term::Project(of, _) | Term::Index(of, _) => {
                self.part(of).map(|part| Part { strict: true, ..part })
            }
            Term::Slice(of, low, high) => {
                let whole = matches!(&**low, Term::Lit(low) if *low == Value::int(0_i64));
                let shorter = !whole || matches!(&**high, Term::Arith(ArithOp::Sub, ..));
                self.part(of)
                    .map(|part| Part { strict: part.strict || shorter && is_positive(of, low, high), ..part })
            }
            #[rustfmt::skip]
            Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. }
            | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_)
            | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..) | Term::IntToFloat(..)
            | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::IsCtor(..)
            | Term::Len(_) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
            | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
            | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..)
            | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
            | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
            | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
            | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => None,
        }
    }
}

/// Whether a slice from `low` to `high` certainly omits an element: it starts after the first element, or ends before
/// the last.
fn is_positive(of: &Term, low: &Term, high: &Term) -> bool {
    let positive = |term: &Term| matches!(term, Term::Lit(Value::Int(n)) if *n > Int::ZERO);
    positive(low)
        || matches!(high, Term::Arith(ArithOp::Sub, a, b) if matches!(&**a, Term::Len(whole) if **whole == *of) && positive(b))
}
