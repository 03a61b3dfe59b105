//! The generator as a whole: each member once, in any cut of the pieces.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{Clause, IntKind, Refined, SeqKind, Sort, Term};
use target_strategies::logic::value::Value;
use target_strategies::native::TooMuch;
use target_strategies::native::listing::{Lister, Member, slice};
use target_strategies::native::random::RandomMembers;
use target_strategies::space::Bounds;

use super::*;
use crate::frontend::catalog::{Cfg, scan_text};
use crate::frontend::diagnostic::Sources;
use crate::frontend::manifest::{PartialSettings, read};
use crate::frontend::resolve::resolve;
use crate::generate::Case;
use crate::generate::enumerative::tests::space as plain_space;

/// `fn(x: i64, xs: Vec<i64>) requires xs.is_sorted()`
pub(crate) fn sorted(depth: u32, bound: u32) -> Space {
    let list = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::I64))), SeqKind::Vec);
    let space = plain_space(vec![Sort::Int(IntKind::I64), list], depth, bound);
    let mut spec = (**space.spec()).clone();
    let term = Term::IsSorted(Box::new(Term::Var(1)));
    spec.requires.push(Clause { id: 0, text: "xs.is_sorted()".to_owned(), term });
    Space::new(Arc::new(spec), Bounds { depth, bound })
}

/// What a generator produces until its end or so many cases: the members, in pieces of at most `cut`, and apart from them
/// the cases outside the space.
fn deal(
    generator: &mut dyn Generator,
    space: &Space,
    cut: u64,
    most: usize,
) -> (Vec<Vec<Value>>, Vec<Case>, Option<End>) {
    let mut lister = Lister::new(space);
    let (mut members, mut boundary) = (Vec::new(), Vec::new());
    while members.len() < most {
        match generator.step() {
            Step::Batch(Batch::Listed(pieces)) => {
                let n: u64 = pieces.iter().map(|piece| piece.len).sum();
                for from in (0..n).step_by(cut as usize) {
                    let mut listing = lister.list(&slice(&pieces, from, from + cut));
                    let mut found = 0;
                    while let Some(Member { args, .. }) = listing.advance() {
                        members.push(args.to_vec());
                        found += 1;
                    }
                    assert_eq!(found, cut.min(n - from));
                }
            }
            Step::Batch(Batch::Cases(cases)) => {
                let (beyond, inside): (Vec<_>, Vec<_>) =
                    cases.into_iter().partition(|case| case.beyond.is_some());
                members.extend(inside.into_iter().map(|case| case.args));
                boundary.extend(beyond);
            }
            Step::Batch(Batch::Ranges(_)) => panic!("the engine lists"),
            Step::Reached(_) | Step::Beyond(_) => {}
            Step::End(end) => return (members, boundary, Some(end)),
        }
    }
    (members, boundary, None)
}

fn options(cases: u64) -> NativeOptions {
    NativeOptions { cases, size: None }
}

fn distinct(members: &[Vec<Value>]) -> usize {
    members.iter().collect::<HashSet<_>>().len()
}

#[test]
fn every_member_comes_once_however_pieces_are_cut() {
    let space = sorted(4, 4);
    // Nine values, and lists of up to four of nine: C(13, 4).
    for (cases, cut) in [(100_000, 8192), (1000, 7)] {
        let (members, _, end) =
            deal(&mut NativeGenerator::new(space.clone(), &options(cases)), &space, cut, usize::MAX);
        assert_eq!(end, Some(End::Exhausted));
        assert_eq!((members.len(), distinct(&members)), (9 * 715, 9 * 715));
        assert!(members.iter().all(|args| admits(space.spec(), args)));
    }
}

#[test]
fn members_of_a_size_are_all_that_is_asked_for() {
    let space = sorted(3, 3);
    let native = Native::new(&space);
    let of_size = |size| {
        let options = NativeOptions { size: Some(size), ..options(100_000) };
        let mut generator = NativeGenerator::new(space.clone(), &options);
        let (members, boundary, end) = deal(&mut generator, &space, 64, usize::MAX);
        assert!(boundary.is_empty() && matches!(end, Some(End::Asked(_))));
        members
    };
    let sizes: Vec<usize> = native.sizes().map(|size| of_size(size).len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 7 * 120);
    assert!(sizes.iter().filter(|n| **n > 0).count() > 1, "{sizes:?}");
    let greatest = greatest_size(&space).expect("a small space").expect("it has members");
    assert!(of_size(greatest).iter().all(|args| matches!(&args[1], Value::Seq(list) if list.len() == 3)));
}

#[test]
fn draws_are_decided_by_the_seed_and_end_with_the_last_member() {
    let space = sorted(2, 2);
    let draw = |seed, most| deal(&mut Samples::new(&space, None, seed), &space, 3, most);
    let (all, _, end) = draw(1, usize::MAX);
    assert_eq!((all.len(), distinct(&all), end), (5 * 21, 5 * 21, Some(End::Exhausted)));
    assert_eq!(all, draw(1, usize::MAX).0);
    assert_ne!(all[..20], draw(2, usize::MAX).0[..20]);
}

#[test]
fn what_is_walked_is_what_is_counted() {
    let space = sorted(3, 3);
    let mut walking = Native::new(&space);
    let mut lister = Lister::new(&space);
    for class in walking.sizes().map(Class::Size) {
        let Some(cursor) = walking.cursor(class) else { continue };
        let (mut walked, mut members) = (Walked::new(cursor, 0), Vec::new());
        while let Some((path, len, made)) = walked.next(10, u64::MAX, &mut walking, true) {
            let piece = Listed { class, pick: Pick::From(Position::Path(path)), start: 0, len };
            let before = members.len();
            for part in [slice(std::slice::from_ref(&piece), 0, 4), slice(&[piece], 4, 10)] {
                let mut listing = lister.list(&part);
                while let Some(Member { args, .. }) = listing.advance() {
                    members.push(args.to_vec());
                }
            }
            assert!(made.iter().map(|case| &case.args).eq(&members[before..]));
        }
        assert!(walked.is_over());
        assert_eq!(members, numbered(&space, class));
    }
}

/// The number of members of a class, of which each is decided.
fn exactly(count: Result<Count, TooMuch>) -> u64 {
    count.ok().and_then(|count| count.exactly()?.to_u64()).expect("a small class")
}

/// The members of a class by their numbers.
fn numbered(space: &Space, class: Class) -> Vec<Vec<Value>> {
    let mut native = Native::new(space);
    let total = exactly(native.count(class, 1_200_000));
    let at = |number: u64| {
        let mut cursor = native.cursor_at(class, &Position::Rank(number.into())).expect("a number");
        assert!(native.advance(&mut cursor));
        cursor.values().to_vec()
    };
    (0..total).map(at).collect()
}

#[test]
fn numbers_go_on_where_a_walk_ended() {
    // Lists whose elements are all different, of which few states are alike.
    let list = Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::I64))), SeqKind::Vec);
    let mut spec = (**plain_space(vec![list], 5, 3).spec()).clone();
    let term = Term::Distinct(Box::new(Term::Var(0)));
    spec.requires.push(Clause { id: 0, text: "xs.distinct()".to_owned(), term });
    let space = Space::new(Arc::new(spec), Bounds { depth: 5, bound: 3 });
    let mut native = NativeGenerator::new(space.clone(), &options(100_000));
    native.effort = 20;
    let (mut has_walked, mut has_gone_on) = (false, false);
    let mut members = Vec::new();
    while let Step::Batch(Batch::Cases(cases)) = native.step() {
        members.extend(cases.into_iter().map(|case| case.args));
        for open in native.current.iter().chain(&native.later) {
            match &open.members {
                Members::Walked(walked) => has_walked |= walked.n_dealt() > 0,
                Members::Numbered(numbered) => has_gone_on |= numbered.first() > 0,
            }
        }
    }
    assert!(has_walked && has_gone_on);
    let total = exactly(Native::new(&space).count(Class::All, 1_200_000));
    assert_eq!((members.len() as u64, distinct(&members)), (total, members.len()));
}

#[test]
fn the_engine_is_fit_for_what_it_finds_or_rules_out() {
    assert!(is_fit(&sorted(4, 4)));
    let mut spec = (**sorted(4, 4).spec()).clone();
    spec.requires.push(Clause { id: 1, text: "false".to_owned(), term: Term::Lit(Value::Bool(false)) });
    assert!(is_fit(&Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 })));
}

/// Trees whose nodes store their height, with keys in order.
fn balanced_trees() -> Space {
    let manifest = r#"
        [package]
        name = "c"
        [package.metadata.target.data]
        Balanced = """
        enum Avl {
            Leaf,
            Node(
                l: Balanced,
                k: i64,
                r: Balanced,
                h: {h: usize | h == 1 + height(l).max(height(r)) && (height(l) - height(r)).abs() <= 1},
            ),
        }"""
        [package.metadata.target.measures]
        "height(t: Avl) -> int" = "match t { Avl::Leaf => 0, Avl::Node(_, _, _, h) => h }"
        "keys(t: Avl) -> Set<i64>" = """
        match t {
            Avl::Leaf => set![],
            Avl::Node(l, k, r, _) => keys(l).union(keys(r)).with(k),
        }"""
        "ordered(t: Avl) -> bool" = """
        match t {
            Avl::Leaf => true,
            Avl::Node(l, k, r, _) => {
                ordered(l) && ordered(r) && keys(l).all(|x| x < k) && keys(r).all(|x| k < x)
            }
        }"""
        [package.metadata.target.functions]
        f = "fn(t: {t: Balanced | ordered(t)})"
    "#;
    let text = "pub enum Avl { Leaf, Node(Box<Avl>, i64, Box<Avl>, usize) } pub fn f(t: Avl) {}";
    let mut sources = Sources::default();
    let (manifest, mistakes) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(manifest.to_owned()));
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let (catalog, problems) = scan_text(text, "c", &Cfg::default());
    assert_eq!(problems, []);
    let (subjects, mistakes) = resolve(&manifest, &catalog, &PartialSettings::default());
    assert!(mistakes.is_empty(), "{mistakes:?}");
    Space::new(Arc::new(subjects[0].spec.clone()), Bounds { depth: 4, bound: 3 })
}

#[test]
fn random_walks_find_members_of_each_size_that_has_any() {
    let space = balanced_trees();
    let mut native = Native::new(&space);
    for size in native.sizes().take_while(|size| *size <= 7) {
        let n = native.count(Class::Size(size), u64::MAX).expect("the effort suffices");
        let walk = |seed| RandomMembers::new(&space, seed).next(size, &native);
        let n_found = (0..24).filter_map(walk).inspect(|args| assert!(space.contains(args))).count();
        // A walk that gives up counts as none.
        let expected = if n.n_listed().is_zero() { 0..=0 } else { 20..=24 };
        assert!(expected.contains(&n_found), "size {size}: {n_found} of {n:?}");
    }
}
