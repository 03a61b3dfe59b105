//! The places of strings and characters.

use std::sync::{Arc, OnceLock};

use super::{Builder, Context, EMPTY, Elements, Node, NodeId, Place};
use crate::int::Int;
use crate::ir::Term;
use crate::space::LeafSort;
use crate::space::affix::Affixes;
use crate::space::domain::{Scalar, all_codes};
use crate::space::facts::{Facts, Step, code};
use crate::space::interval::IntervalSet;
use crate::space::language::{Kind, Language};
use crate::space::named::Named;
use crate::value::Value;

impl Builder<'_> {
    pub(super) fn string(&mut self, facts: Facts, mut named: Named) -> Node {
        let chars = facts.part(Step::Chars);
        let tests: Vec<&Term> = facts.tests.iter().map(|test| &**test).collect();
        let affixes = Affixes::of_tests(tests.iter().copied(), self.own);
        let language = Language::of_tests(tests.iter().copied(), self.own, &self.spec.regexes);
        // Which characters these want is known better than by their names.
        language.iter().flat_map(|language| &language.regexes).for_each(|regex| named.forget(*regex));
        let any_length = facts.len.is_all() || facts.len == Facts::len(IntervalSet::all()).len;
        let (shortest, longest) = match &language {
            _ if any_length => (1, 4),
            Some(language) => language.widths(),
            None => self.widths(&chars.part(Step::Each), &named),
        };
        let (lens, is_cut) = self.lengths(&chars.len, |n| {
            let least = i64::from(n) * shortest;
            facts.len.meets(&Int::from(least), &Int::from(i64::from(n) * longest))
                && affixes.fit(n)
                && language.as_ref().is_none_or(|language| language.has_length(n))
        });
        self.graph.is_cut_by_depth |= is_cut;
        let (each, at) = match language {
            Some(language) => self.characters(&language, &chars, &lens, &named),
            None => self.elements(self.char, &chars, &lens, &named),
        };
        Node::Str(Elements { lens, each, at, collection: None })
    }

    /// The characters of a string of a language.
    fn characters(
        &mut self,
        language: &Language,
        facts: &Facts,
        lens: &[u32],
        named: &Named,
    ) -> (NodeId, Vec<(u32, NodeId)>) {
        let longest = lens.last().copied().unwrap_or(0);
        if longest == 0 {
            return (EMPTY, Vec::new());
        }
        let each = facts.part(Step::Each);
        let mut place = |facts: Facts, kinds: &Arc<[Kind]>| {
            let context = Context { kinds: Some(kinds.clone()), ..Context::new(facts, named) };
            self.place(self.char, context)
        };
        let known = |at: u32| facts.parts.get(&Step::At(at)).cloned();
        let by_place: Vec<Arc<[Kind]>> = match language.kinds_at(lens) {
            Some(places) => places.into_iter().map(Arc::from).collect(),
            None => Vec::new(),
        };
        let anywhere: Arc<[Kind]> = match by_place.first() {
            Some(first) if by_place.iter().all(|kinds| kinds == first) => first.clone(),
            _ => language.kinds_anywhere().into(),
        };
        let mut at = Vec::new();
        for index in 0..longest {
            let kinds = by_place.get(index as usize).unwrap_or(&anywhere);
            let more = known(index);
            if more.is_some() || *kinds != anywhere {
                let facts = more.map_or(each.clone(), |more| each.clone().and(more));
                at.push((index, place(facts, kinds)));
            }
        }
        (place(each, &anywhere), at)
    }

    /// The place of a character.
    pub(super) fn character(&self, facts: Facts, named: &Named, kinds: Option<Arc<[Kind]>>) -> Node {
        let mut codes = facts.codes.intersect(&all_codes(LeafSort::Char));
        if let Some(kinds) = &kinds {
            let spans = kinds.iter().flat_map(|kind| kind.iter());
            let ends = spans.map(|(first, last)| (code(&Value::Char(*first)), code(&Value::Char(*last))));
            codes = codes.intersect(&IntervalSet::of_spans(ends.collect()));
        }
        let named = named.chars(&self.spec.regexes);
        let scalar = Scalar { tests: facts.tests, named, kinds, ..Scalar::plain(LeafSort::Char, codes) };
        Node::Leaf(Place { scalar, domain: OnceLock::new() })
    }

    /// The fewest and the most bytes that a character of the domain takes.
    fn widths(&self, facts: &Facts, named: &Named) -> (i64, i64) {
        let Node::Leaf(place) = self.character(facts.clone(), named, None) else { return (1, 4) };
        let widths = place.domain(self.bounds.bound, self.own).iter().filter_map(|c| match c {
            Value::Char(c) => Some(c.len_utf8() as i64),
            _ => None,
        });
        widths.fold((4, 1), |(least, most), width| (least.min(width), most.max(width)))
    }
}
