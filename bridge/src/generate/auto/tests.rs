//! The schedule as a whole: each member once, all sources early, and an order that no cap changes.

use std::collections::HashSet;
use std::sync::Arc;

use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{
    Clause, CompareOp, IntKind, Param, Refined, Regex, RegexId, SeqKind, Sort, Spec, StrKind, Term,
};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::{Lister, Member};
use target_strategies::space::Bounds;

use super::opening::Place;
use super::side::{FIRST_BEYOND, FREE_WORK, MEMBERS_PER_CASE, USUAL_CASES};
use super::*;
use crate::frontend::regex::automaton;
use crate::generate::enumerative::tests::space as plain_space;
use crate::generate::native::tests::sorted;

fn all(space: &Space, beyond: bool) -> (Vec<Case>, Option<End>) {
    all_with(space, beyond, &mut |_, _| {})
}

/// All cases. What the schedule says of the space is told with the cases before.
fn all_with(space: &Space, beyond: bool, told: &mut dyn FnMut(Reached, &[Case])) -> (Vec<Case>, Option<End>) {
    let mut auto = Auto::new(space.clone(), &AutoOptions { beyond, seed: 0 });
    all_of(&mut auto, space, told)
}

fn all_of(
    auto: &mut Auto,
    space: &Space,
    told: &mut dyn FnMut(Reached, &[Case]),
) -> (Vec<Case>, Option<End>) {
    let mut lister = Lister::new(space);
    let (mut cases, mut inside) = (Vec::new(), None);
    loop {
        match auto.step() {
            Step::Batch(Batch::Cases(more)) => cases.extend(more),
            Step::Batch(Batch::Listed(pieces)) => {
                let mut listing = lister.list(&pieces);
                while let Some(Member { args, .. }) = listing.advance() {
                    cases.push(Case { args: args.to_vec(), beyond: None });
                }
            }
            Step::Batch(Batch::Ranges(_)) => panic!("the engine lists"),
            Step::Reached(reached) => told(reached, &cases),
            Step::Beyond(end) => inside = Some(end),
            Step::End(end) => {
                assert!(inside.is_none_or(|inside| inside == end));
                return (cases, Some(end));
            }
        }
    }
}

#[test]
fn one_scalar_that_is_not_zero_comes_early() {
    let sort = Sort::Int(IntKind::U16);
    let param = Param { name: String::new(), refined: Refined::plain(sort.clone()), mutable: false };
    let below = Term::Compare(CompareOp::Le, Box::new(Term::Var(0)), Box::new(Term::Var(1)));
    let requires = vec![Clause { id: 0, text: String::new(), term: below }];
    let spec = Spec { params: vec![param; 8], requires, ..Spec::unrefined("f") };
    let space = Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 });
    let mut auto = Auto::new(space, &AutoOptions { beyond: true, seed: 0 });
    let mut first = Vec::new();
    while first.len() < 100 {
        if let Step::Batch(Batch::Cases(cases)) = auto.step() {
            first.extend(cases);
        }
    }
    assert!(first.iter().all(|case| admits(auto.space.spec(), &case.args)));
    for at in 1..8 {
        let mut args = vec![Value::int(0); 8];
        args[at] = Value::int(1);
        assert!(first.iter().any(|case| case.args == args), "{at}");
    }
}

#[test]
fn a_small_space_is_exhausted_within_the_usual_number_of_cases() {
    for n in [1, 500, 2_000, 6_435, 7_400, 8_250] {
        let n_cases = n + most_beyond(n, n) + most_beyond(n, n) / 2;
        assert!((8_990..=USUAL_CASES).contains(&n_cases), "{n}: {n_cases}");
    }
    for n in [8_251, EXHAUSTIBLE] {
        assert_eq!(most_beyond(n, n), FIRST_BEYOND + n / MEMBERS_PER_CASE);
        assert_eq!(most_beyond(n, 0), FIRST_BEYOND);
    }
}

#[test]
fn other_sources_may_work_less_and_less_but_never_stop() {
    let per_member = |n: u64| free_work(n + 100) - free_work(n);
    assert_eq!(free_work(0), FREE_WORK);
    for n in [0, 100, 1_000, 10_000, 1_000_000] {
        assert!(per_member(n) > per_member(10 * n + 1_000), "{n}");
        assert!(free_work(n) < free_work(n + n / 8 + 1), "{n}");
    }
    assert!(free_work(u64::MAX) > free_work(1 << 40));
}

#[test]
fn every_member_comes_once_and_all_cases_are_valid() {
    let space = sorted(4, 4);
    let (cases, end) = all(&space, true);
    assert_eq!(end, Some(End::Exhausted));
    let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
    assert_eq!(distinct.len(), cases.len());
    // Nine values, and lists of up to four of nine: C(13, 4).
    let inside: Vec<&Case> = cases.iter().filter(|case| case.beyond.is_none()).collect();
    assert_eq!(inside.len(), 9 * 715);
    assert!(cases.iter().all(|case| admits(space.spec(), &case.args)));
    assert!(cases.iter().all(|case| case.beyond.is_none() == space.contains(&case.args)));
    assert_eq!(all(&space, false).0.len(), 9 * 715);
}

#[test]
#[cfg(feature = "z3")]
fn z3_lists_the_rest_of_a_space_that_is_planned_for_too_long() {
    let space = sorted(4, 3);
    for (n_steps, least_listed) in [(0, 0), (8, 4), (28, 50)] {
        let mut auto = Auto::new(space.clone(), &AutoOptions { beyond: false, seed: 0 });
        let mut cases = Vec::new();
        for _ in 0..n_steps {
            if let Step::Batch(Batch::Cases(more)) = auto.step() {
                cases.extend(more);
            }
        }
        assert!(cases.len() >= least_listed && matches!(auto.inside, Inside::Engine(_)), "{}", cases.len());
        auto.patience = (0, 0);
        let (more, end) = all_of(&mut auto, &space, &mut |_, _| {});
        assert!(matches!(auto.inside, Inside::Solver { .. }) && end == Some(End::Exhausted), "{n_steps}");
        cases.extend(more);
        let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
        // Seven values, and lists of up to four of seven: C(11, 4).
        assert_eq!((cases.len(), distinct.len()), (7 * 330, 7 * 330), "{n_steps}");
    }
}

#[test]
fn limits_of_ranges_inside_the_space_are_combined_early() {
    let bound = |a: Term, b: Term| {
        let term = Term::Compare(CompareOp::Le, Box::new(a), Box::new(b));
        Clause { id: 0, text: String::new(), term }
    };
    let literal = |n: u8| Term::Lit(Value::int(n));
    let clauses = vec![bound(literal(1), Term::Var(2)), bound(Term::Var(2), literal(30))];
    let refined = Refined { clauses, ..Refined::plain(Sort::Int(IntKind::U8)) };
    let param = |name: &str| Param { name: name.to_owned(), refined: refined.clone(), mutable: false };
    let spec = Spec { params: vec![param("a"), param("b")], ..Spec::unrefined("") };
    let space = Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 });
    let (cases, end) = all(&space, true);
    assert_eq!((cases.len(), end), (900, Some(End::Exhausted)));
    let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
    assert_eq!(distinct.len(), 900);
    let is_limit = |value: &Value| *value == Value::int(1) || *value == Value::int(30);
    let n_corners = cases[..100].iter().filter(|case| case.args.iter().all(is_limit)).count();
    assert!(n_corners >= 3, "{n_corners} of 4");
}

#[test]
fn every_member_of_a_class_comes_once_where_its_blocks_have_several() {
    let n = 2 * 64 + 1;
    let space = plain_space(vec![Sort::Int(IntKind::I64); 2], 1, 64);
    let (cases, end) = all(&space, false);
    assert_eq!(end, Some(End::Exhausted));
    let distinct: HashSet<Vec<Value>> = cases.iter().map(|case| case.args.clone()).collect();
    assert_eq!((cases.len(), distinct.len()), (n * n, n * n));
}

#[test]
fn a_size_is_complete_once_all_its_members_came() {
    let (mut complete, mut total) = (Vec::new(), None);
    let len = |case: &Case| if let Value::Seq(list) = &case.args[1] { list.len() as u64 } else { 0 };
    all_with(&sorted(4, 4), true, &mut |reached, cases| {
        if let Some(size) = reached.complete_size {
            // Nine values, and lists of so many of nine.
            let n = [1, 9, 45, 165, 495][..=size as usize].iter().sum::<usize>() * 9;
            let inside = cases.iter().filter(|case| case.beyond.is_none() && len(case) <= size);
            assert_eq!(inside.count(), n, "size {size}");
            complete.push(size);
        }
        total = total.max(reached.n_members);
    });
    complete.dedup();
    assert_eq!((complete, total), (vec![0, 1, 2, 3], Some(9 * 715)));
}

#[test]
fn the_first_hundred_cases_are_of_all_sizes_and_sources() {
    let (cases, _) = all(&sorted(4, 4), true);
    let first = &cases[..100];
    let lens: HashSet<usize> = first
        .iter()
        .filter(|case| case.beyond.is_none())
        .map(|case| if let Value::Seq(list) = &case.args[1] { list.len() } else { 0 })
        .collect();
    assert_eq!(lens.len(), 5);
    for source in [Source::Boundary, Source::Large] {
        assert!(first.iter().filter(|case| case.beyond == Some(source)).count() >= 10, "{source:?}");
    }
    let is_long = |case: &&Case| matches!(&case.args[1], Value::Seq(list) if list.len() > 8);
    assert!(first.iter().filter(is_long).count() >= 3);
}

#[test]
fn large_inputs_are_long_ordered_and_not_all_small() {
    let space = sorted(3, 3);
    let (cases, _) = all(&space, true);
    let large: Vec<&Case> = cases.iter().filter(|case| case.beyond == Some(Source::Large)).collect();
    let len = |case: &Case| if let Value::Seq(list) = &case.args[1] { list.len() } else { 0 };
    assert!(large.iter().any(|case| len(case) > 80));
    let has_large_number = |case: &Case| match &case.args[0] {
        Value::Int(n) => n.bits() > 40,
        _ => false,
    };
    assert!(large.iter().filter(|case| has_large_number(case)).count() * 10 > large.len());
}

#[test]
fn a_large_input_comes_first_and_parts_come_twice_early() {
    let int = Refined::plain(Sort::Int(IntKind::I64));
    let list = Sort::Seq(Box::new(int), SeqKind::Vec);
    let (cases, _) = all(&plain_space(vec![list.clone(), list], 2, 1), true);
    assert_eq!(cases[0].beyond, Some(Source::Large));
    let pairs = cases[..300].iter().filter_map(|case| match case.args.as_slice() {
        [Value::Seq(a), Value::Seq(b)] if a.len() == b.len() && a.len() > 2 => Some((a, b)),
        _ => None,
    });
    let n_different = |(a, b): (&[Value], &[Value])| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let differences: HashSet<usize> = pairs.map(|(a, b)| n_different((&a[..], &b[..]))).collect();
    assert!(differences.contains(&0) && differences.contains(&1), "{differences:?}");
}

#[test]
fn large_inputs_may_take_longer_after_the_end_until_some_are_long() {
    let (space, samples) = (sorted(3, 3), SharedSamples::default());
    let cases = BeyondCases::of(&space, Source::Large, 0, true, &samples);
    let mut side = Side::new(Source::Large, cases, 1, 0);
    let allowance = Allowance { n_cases: 10_000, work: 1, work_until_long: u64::MAX };
    let (mut seen, mut n_long) = (Seen::new(), 0);
    while !side.is_over(&allowance) {
        let case = side.attempt(&allowance, &mut seen);
        n_long +=
            u64::from(case.is_some_and(|case| case.args.iter().map(Value::n_parts).sum::<usize>() > 64));
    }
    assert_eq!(n_long, 100);
    let mut auto = Auto::new(space, &AutoOptions { beyond: true, seed: 0 });
    assert_eq!(auto.allowance().work, auto.allowance().work_until_long);
    auto.end = Some(End::Exhausted);
    assert!(auto.allowance().work < auto.allowance().work_until_long);
}

#[test]
fn a_source_that_finds_nothing_rests_longer_and_longer() {
    let mut auto = Auto::new(sorted(4, 4), &AutoOptions { beyond: true, seed: 0 });
    let side = &mut auto.sources[0];
    let mut rest = |is_in_vain: bool| {
        side.turn = (1, !is_in_vain);
        side.note_turn(100);
        side.rests_until.saturating_sub(100)
    };
    assert_eq!([rest(true), rest(true), rest(true)], [4, 8, 16]);
    assert_eq!([rest(false), rest(true)], [0, 4]);
    assert_eq!((0..20).map(|_| rest(true)).max(), Some(1024));
}

#[test]
fn a_resting_source_is_not_asked() {
    let mut auto = Auto::new(sorted(4, 4), &AutoOptions { beyond: true, seed: 0 });
    // The first large inputs come before.
    while matches!(auto.opening, Opening::Before | Opening::Members(_)) {
        auto.step();
    }
    auto.sources[0].rests_until = 50;
    // Those that the first large inputs are.
    let n_opened = auto.n_inside as usize;
    let mut cases = Vec::new();
    while auto.n_inside < 100 {
        if let Step::Batch(Batch::Cases(more)) = auto.step() {
            cases.extend(more);
        }
    }
    let first = cases.iter().position(|case| case.beyond == Some(Source::Large)).expect("large inputs");
    let n_before = cases[..first].iter().filter(|case| case.beyond.is_none()).count();
    assert_eq!(n_opened + n_before, 49);
}

#[test]
fn the_first_case_is_a_large_input_and_comes_alone() {
    let mut auto = Auto::new(sorted(4, 4), &AutoOptions { beyond: true, seed: 0 });
    let Step::Batch(Batch::Cases(cases)) = auto.step() else { panic!("cases come first") };
    assert!(matches!(&cases[..], [case] if case.beyond == Some(Source::Large)), "{cases:?}");
    assert!(matches!(&auto.opening, Opening::Members(meanwhile) if meanwhile.members.is_empty()));
}

#[test]
fn boundary_cases_wait_for_some_members_or_the_end_of_the_space() {
    let one = Space::new(Arc::new(Spec::unrefined("f")), Bounds { depth: 4, bound: 4 });
    // The first one comes just before the second member.
    for (space, n_members) in [(sorted(4, 4), 1), (one, 1)] {
        let mut auto = Auto::new(space, &AutoOptions { beyond: true, seed: 0 });
        let mut cases: Vec<Case> = Vec::new();
        while !matches!(auto.opening, Opening::Over) || cases.is_empty() {
            if let Step::Batch(Batch::Cases(more)) = auto.step() {
                cases.extend(more);
            }
        }
        assert!(auto.sources.iter().any(|side| side.source == Source::Boundary));
        let first = cases.iter().position(|case| case.beyond == Some(Source::Boundary));
        let before = &cases[..first.unwrap_or(cases.len())];
        assert_eq!(before.iter().filter(|case| case.beyond.is_none()).count(), n_members);
    }
}

/// A space of three booleans: all large inputs are members.
fn booleans() -> Space {
    let param =
        |name: &str| Param { name: name.to_owned(), refined: Refined::plain(Sort::Bool), mutable: false };
    let spec = Spec { params: vec![param("a"), param("b"), param("c")], ..Spec::unrefined("f") };
    Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 })
}

#[test]
fn a_first_large_input_that_is_a_member_comes_once() {
    let mut auto = Auto::new(booleans(), &AutoOptions { beyond: true, seed: 0 });
    auto.step();
    let Opening::Members(meanwhile) = &auto.opening else { panic!("all inputs are members") };
    let first = meanwhile.members[0].args.clone();
    let (cases, end) = all_of(&mut auto, &booleans(), &mut |_, _| {});
    assert_eq!(end, Some(End::Exhausted));
    assert_eq!(cases[0].args, first);
    let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
    assert_eq!((cases.len(), distinct.len()), (8, 8));
}

#[test]
fn threads_do_not_change_the_sequence() {
    let first = |has_thread: bool| {
        let mut auto = Auto::new(sorted(4, 4), &AutoOptions { beyond: true, seed: 0 });
        let mut cases: Vec<Case> = Vec::new();
        if !has_thread {
            let first = auto.open_with(Err);
            auto.n_mixed += first.iter().len();
            cases.extend(first);
            assert!(
                matches!(&auto.opening, Opening::Members(meanwhile) if matches!(meanwhile.place, Place::Here(_)))
            );
        }
        while cases.len() < 200 {
            if let Step::Batch(Batch::Cases(more)) = auto.step() {
                cases.extend(more);
            }
        }
        cases.truncate(200);
        cases
    };
    assert_eq!(first(true), first(true));
    assert_eq!(first(true), first(false));
}

#[test]
fn a_schedule_that_is_dropped_stops_its_thread() {
    for n_steps in 0..8 {
        let space = sorted(4, 4);
        let spec = Arc::downgrade(space.spec());
        let mut auto = Auto::new(space, &AutoOptions { beyond: true, seed: 0 });
        (0..n_steps).for_each(|_| _ = auto.step());
        drop(auto);
        assert!(spec.upgrade().is_none(), "{n_steps}");
    }
}

#[test]
#[cfg(feature = "z3")]
fn z3_lists_a_space_whose_planning_takes_too_long_at_the_start() {
    let (sorted, booleans) = (sorted(4, 3), booleans());
    // Seven values, and lists of up to four of seven: C(11, 4).
    for (space, n) in [(&sorted, 7 * 330), (&booleans, 8)] {
        let mut auto = Auto::new(space.clone(), &AutoOptions { beyond: true, seed: 0 });
        auto.patience = (0, 0);
        let (cases, end) = all_of(&mut auto, space, &mut |_, _| {});
        assert!(matches!(auto.inside, Inside::Solver { .. }));
        assert_eq!(end, Some(End::Exhausted));
        let distinct: HashSet<&Vec<Value>> = cases.iter().map(|case| &case.args).collect();
        assert_eq!(distinct.len(), cases.len());
        assert_eq!(cases.iter().filter(|case| case.beyond.is_none()).count(), n);
    }
}

#[test]
fn the_only_member_is_among_the_first_cases() {
    let sort = Sort::Int(IntKind::I64);
    let param = Param { name: "x".to_owned(), refined: Refined::plain(sort), mutable: false };
    let least = Term::Compare(CompareOp::Le, Box::new(Term::Lit(Value::int(4))), Box::new(Term::Var(0)));
    let requires = vec![Clause { id: 0, text: String::new(), term: least }];
    let spec = Spec { params: vec![param], requires, ..Spec::unrefined("f") };
    let space = Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 });
    let (cases, _) = all(&space, true);
    let member = cases.iter().position(|case| case.beyond.is_none()).expect("4 is one");
    assert!(member < 8 && cases.len() > 1000, "{member} of {}", cases.len());
}

/// The strings that match an expression.
fn space_of_strings(expression: &str) -> Space {
    let regex = automaton(expression).expect("an expression");
    let term = Term::Matches(RegexId(0), Regex::START, Box::new(Term::Var(1)));
    let refined = Refined {
        clauses: vec![Clause { id: 0, text: String::new(), term }],
        ..Refined::plain(Sort::Str(StrKind::String))
    };
    let param = Param { name: "s".to_owned(), refined, mutable: false };
    let spec = Spec { params: vec![param], regexes: vec![regex], ..Spec::unrefined("f") };
    Space::new(Arc::new(spec), Bounds { depth: 5, bound: 4 })
}

#[test]
fn each_of_many_ways_through_an_expression_comes_before_chance_would_find_it() {
    let space = space_of_strings("(a|b|c|d|e|f|g|h)(0|1|2|3|4|5)[x-z]{3}");
    let (cases, _) = all(&space, true);
    let way = |case: &Case| match &case.args[..] {
        [Value::Str(text)] => text[..2].to_owned(),
        args => panic!("{args:?}"),
    };
    let early: HashSet<String> = cases.iter().take(160).map(way).collect();
    assert_eq!(early.len(), 48, "{early:?}");
}

#[test]
fn a_string_of_each_way_through_an_expression_comes_early() {
    let space = space_of_strings("#[0-9]{6}|rgb\\([0-9],[0-9]\\)|[a-z]|[a-z]-[0-9]{0,3}");
    let (cases, end) = all(&space, true);
    assert_eq!(end, Some(End::Exhausted));
    let text = |case: &Case| match &case.args[..] {
        [Value::Str(text)] => text.to_string(),
        args => panic!("{args:?}"),
    };
    let early: Vec<String> = cases.iter().take(60).map(text).collect();
    for (start, len) in [("#", 7), ("rgb(", 8), ("", 1), ("", 2), ("", 3), ("", 4), ("", 5)] {
        let fits = |text: &&String| text.starts_with(start) && text.len() == len;
        assert!(early.iter().any(|text| fits(&text)), "{start} {len}: {early:?}");
    }
    // Members that come so are none later.
    let distinct: HashSet<String> = cases.iter().map(text).collect();
    assert_eq!(distinct.len(), cases.len());
    assert!(cases.iter().all(|case| admits(space.spec(), &case.args)));
    assert!(cases.iter().all(|case| case.beyond.is_none() == space.contains(&case.args)));
    let inside = cases.iter().filter(|case| case.beyond.is_none()).count();
    assert_eq!(inside, all(&space, false).0.len());
}
