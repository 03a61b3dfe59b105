//! The nodes of strings and characters.

use std::sync::{Arc, OnceLock};

use super::{Builder, Context, EMPTY, Elements, LeafNode, Node, NodeId, longest_in};
use crate::logic::int::Int;
use crate::logic::ir::Term;
use crate::logic::value::Value;
use crate::space::LeafSort;
use crate::space::affix::Affixes;
use crate::space::domain::{Scalar, all_codes, codes_of};
use crate::space::facts::{Facts, Step};
use crate::space::interval::IntervalSet;
use crate::space::language::{Kinds, Language};

impl Builder<'_> {
    pub(super) fn string(&mut self, facts: Facts) -> Node {
        let chars = facts.part(Step::Chars);
        let tests: Vec<&Term> = facts.tests.iter().map(|test| &**test).collect();
        let affixes = Affixes::of_tests(tests.iter().copied(), self.own);
        let language = Language::of_tests(tests.iter().copied(), self.own, &self.spec.regexes);
        let widths = match &language {
            Some(language) => language.widths(),
            None => widths_of_codes(&chars.part(Step::Each).codes),
        };
        // A character has one byte at least.
        let longest = [&chars.len, &facts.len].into_iter().map(longest_in);
        let longest = longest.chain(language.as_ref().and_then(Language::longest)).min().unwrap_or(0);
        let (mut lens, is_cut) = self.lengths(
            longest,
            |n| {
                chars.len.contains(&Int::from(n))
                    && has_bytes(&facts.len, n, widths)
                    && affixes.fit(n)
                    && language.as_ref().is_none_or(|language| language.has_length(n))
            },
            // Uses the narrowest characters, which usually come first in a domain.
            |n| facts.len.reaches_down_to(&Int::from(affixes.least_bytes(n, widths.0))),
        );
        self.graph.is_cut_by_depth |= is_cut;
        if language.is_none() && facts.len != Facts::len(IntervalSet::all()).len {
            let widths = self.widths(&chars.part(Step::Each));
            lens.retain(|n| has_bytes(&facts.len, *n, widths));
        }
        let (each, at) = match language {
            Some(language) => self.characters(&language, &chars, &lens),
            None => self.elements(self.char, &chars, &lens),
        };
        Node::Str(Elements { lens, each, at, collection: None })
    }

    /// The characters of a string of a language.
    fn characters(
        &mut self,
        language: &Language,
        facts: &Facts,
        lens: &[u32],
    ) -> (NodeId, Vec<(u32, NodeId)>) {
        let longest = lens.last().copied().unwrap_or(0);
        if longest == 0 {
            return (EMPTY, Vec::new());
        }
        let each = facts.part(Step::Each);
        let mut node_at = |facts: Facts, kinds: &Arc<[Kinds]>| {
            let context = Context { kinds: Some(kinds.clone()), ..Context::new(facts) };
            self.node_of(self.char, context)
        };
        let known = |at: u32| facts.parts.get(&Step::At(at)).cloned();
        let by_place: Vec<Arc<[Kinds]>> = language.kinds_at(lens).into_iter().map(Arc::from).collect();
        let is_known = by_place.len() == longest as usize;
        let anywhere: Arc<[Kinds]> = match by_place.first() {
            Some(first) if is_known && by_place.iter().all(|kinds| kinds == first) => first.clone(),
            _ => Arc::from([language.kinds_anywhere()]),
        };
        let mut at = Vec::new();
        for index in 0..longest {
            let kinds = by_place.get(index as usize).unwrap_or(&anywhere);
            let more = known(index);
            if more.is_some() || *kinds != anywhere {
                let facts = more.map_or(each.clone(), |more| each.clone().and(more));
                at.push((index, node_at(facts, kinds)));
            }
        }
        (node_at(each, &anywhere), at)
    }

    /// The node of a character.
    pub(super) fn character(&self, facts: Facts, kinds: Option<Arc<[Kinds]>>) -> Node {
        let mut codes = facts.codes.intersect(&all_codes(LeafSort::Char));
        if let Some(kinds) = &kinds {
            let each = kinds.iter().map(|kinds| codes_of(kinds));
            codes = codes.intersect(&each.fold(IntervalSet::none(), |all, codes| all.union(&codes)));
        }
        let named = self.named.clone();
        let scalar = Scalar { tests: facts.tests, named, kinds, ..Scalar::plain(LeafSort::Char, codes) };
        Node::Leaf(LeafNode { scalar, domain: OnceLock::new() })
    }

    /// Minimum and maximum number of bytes of a character of the domain.
    fn widths(&self, facts: &Facts) -> (i64, i64) {
        let Node::Leaf(leaf) = self.character(facts.clone(), None) else { return (1, 4) };
        let width = |c: &Value| if let Value::Char(c) = c { Some(c.len_utf8() as i64) } else { None };
        let widths = leaf.domain(self.bounds.bound, self.own, None).iter().filter_map(width);
        widths.fold((4, 1), |(least, most), width| (least.min(width), most.max(width)))
    }
}

/// Whether a string of `n_chars` characters, each within these numbers of bytes, can have one of these lengths.
fn has_bytes(lens: &IntervalSet, n_chars: u32, (narrowest, widest): (i64, i64)) -> bool {
    let n_chars = i64::from(n_chars);
    lens.meets(&Int::from(n_chars * narrowest), &Int::from(n_chars * widest))
}

/// Minimum and maximum number of bytes of the characters with these codes.
fn widths_of_codes(codes: &IntervalSet) -> (i64, i64) {
    let codes = codes.intersect(&all_codes(LeafSort::Char));
    let width = |code: Option<&Int>| {
        let c = code.and_then(Int::to_i64).and_then(|code| char::from_u32(u32::try_from(code).ok()?));
        c.map(|c| c.len_utf8() as i64)
    };
    let least = width(codes.spans().first().and_then(|(low, _)| low.as_ref()));
    let most = width(codes.spans().last().and_then(|(_, high)| high.as_ref()));
    (least.unwrap_or(1), most.unwrap_or(4))
}
