//! Sets of different inputs against all subsets of small spaces.

mod limits;
mod random;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::effort::Effort;
use super::pairs::Looks;
use super::relation::Related;
use super::{Larger, Set};
use crate::frontend::catalog::{Cfg, scan_text};
use crate::frontend::diagnostic::{Diagnostic, Sources};
use crate::frontend::manifest::{PartialSettings, read};
use crate::frontend::resolve::resolve;
use crate::frontend::subject::{Combinations, Different, Relation, Subject};
use crate::generate::members::{Members, Next};

/// Finds a set without a limit of time.
fn find(space: &Space, different: &Different, n_asked: usize) -> Set {
    super::find(space, different, n_asked, Duration::MAX)
}

const CRATE: &str = "pub enum Color { Red, Green(bool), Blue { x: bool } }
    pub struct Point { pub x: i8, pub y: i8 }
    pub struct Word { pub code: String, pub n: bool }
    pub fn f() {}";

const CODED: &str = r#"struct Word { code: {s: String | s.matches("a{1,2}|b|[cd]")}, n: bool }"#;

/// Relations with the parameters that they are about.
const SPECS: [(&str, &str, &str); 62] = [
    ("x: {x: u8 | x < 9}", "_", "not_equal"),
    ("x: {x: u8 | x < 9}", "_", "distance(3)"),
    ("x: {x: i8 | -6 <= x && x <= 6}", "_", "distance(4)"),
    ("x: {x: u8 | x < 12}", "_", "|a, b| (a + b) % 3 == 1"),
    ("x: {x: u8 | x < 12}", "_", "|a, b| a % 4 != b % 4"),
    ("x: {x: u8 | x < 12}", "_", "|a, b| a != b && a % 5 == b % 5"),
    ("x: {x: u8 | 1 <= x && x <= 12}", "_", "|a, b| a % b != 0 && b % a != 0"),
    ("x: {x: u8 | 1 <= x && x <= 12}", "_", "|a, b| a / b == 0"),
    ("x: {x: u8 | x < 10}", "_", "|a, b| a < b"),
    ("x: {x: u8 | x < 10}", "_", "|a, b| !(a <= b + 1 && b <= a + 1)"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 3}", "_, _", "|a, b| a.x != b.x && a.y != b.y"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 3}", "_, _", "|a, b| a.x != b.x || a.y != b.y"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 3}", "_, _", "not_equal"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 3}", "_, _", "distance(2)"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 3}", "_, _", "|a, b| distance(a.x, b.x, 2) && a.y != b.y"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y <= x}", "_, _", "|a, b| a.x + a.y != b.x + b.y"),
    ("x: {x: u8 | x < 5}, y: bool", "_, _", "|a, b| a.x != b.x || a.y && b.y"),
    ("x: bool, y: bool, z: bool", "_, _, _", "|a, b| a.x != b.x || a.y != b.y && a.z != b.z"),
    ("s: {s: String | s.matches(\"[ab]{3}\")}", "_", "edit_distance(2)"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "edit_distance(2)"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "different_lengths"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "different_shape && not_equal"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "|a, b| !a.starts_with(b) && !b.starts_with(a)"),
    ("s: {s: String | s.matches(\"a{0,2}b{0,3}\")}", "_", "!different_lengths && not_equal"),
    ("c: Color", "_", "different_variant"),
    ("c: Color", "_", "different_variant || different_shape"),
    ("c: Color, d: bool", "_, _", "|a, b| different_variant(a.c, b.c) || a.d != b.d"),
    ("p: {p: Point | 0 <= p.x && p.x < 3 && 0 <= p.y && p.y < 4}", "_", "|a, b| a.x != b.x && a.y != b.y"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "cover"),
    ("s: {s: String | s.matches(\"[ab]{0,2}|c\")}", "_", "cover(\"a|b*|[ab]a|[c-z]\")"),
    ("s: {s: String | s.matches(\"(a|b)(c|d)?\")}", "_", "cover && different_lengths"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "cover(\"(a|b)*\") || different_lengths"),
    ("s: {s: String | s.matches(\"(b|a)|[a-c]\")}", "_", "cover"),
    (
        "s: {s: String | s.matches(\"[ab]{0,1}\")}, t: {t: String | t.matches(\"[a1]?\")}",
        "_, _",
        "|a, b| cover(a.s, b.t, \"[a-z]|[0-9]\")",
    ),
    ("s: {s: String | s.matches(\"[ab]{0,2}\")}", "_", "|a, b| cover(b, a, \"a|b*\")"),
    ("s: {s: String | s.matches(\"[ab]{0,2}\")}, b: bool", "_, _", "cover(s) || cover(b)"),
    (
        "s: {s: String | s.matches(\"a?|b\")}, t: {t: String | t.matches(\"a|[bc]{2}\")}",
        "_, _",
        "cover(s) || cover(t)",
    ),
    (
        "s: {s: String | s.matches(\"a?|b\")}, t: {t: String | t.matches(\"[ab]*\") && t.len() == s.len()}",
        "_, _",
        "cover(s) || cover(t)",
    ),
    // The expression is about the other string.
    (
        "s: {s: String | s.matches(\"a|b\")}, t: {t: String | s.matches(\"a|b\") && t.matches(\"[ab]{0,2}\")}",
        "_, _",
        "cover(s) || cover(t)",
    ),
    ("s: {s: String | s.matches(\"(a|b)|[bc]\")}, b: bool", "_, _", "cover(s) && cover(b)"),
    (
        "s: {s: String | s.matches(\"a|b\")}, t: {t: String | t.matches(\"[ab]{0,2}\")}",
        "_, _",
        "|a, b| cover(a.s, b.t)",
    ),
    // Strings that match no way have one more key.
    ("s: {s: String | s.matches(\"[a-c]\")}, b: bool", "_, _", "cover(s, \"a|b\") || cover(b)"),
    ("w: Coded", "_", "cover(code)"),
    ("w: Coded", "_", "cover(w.code) || cover(w.n)"),
    ("x: {x: u8 | x < 4}, y: {y: u8 | y < 4}", "_, _", "|a, b| a.x < b.y"),
    ("c: Color", "_", "cover(2)"),
    ("c: Color, d: bool", "_, _", "cover(c) || not_equal(d)"),
    ("x: {x: i8 | -4 <= x && x <= 4}, y: bool", "_, _", "cover"),
    ("x: {x: u8 | x < 9}, y: bool", "_, _", "cover(y) || distance(x, 3)"),
    ("xs: {xs: Vec<bool> | xs.len() <= 3}", "_", "edit_distance(2)"),
    ("xs: {xs: Vec<bool> | xs.len() <= 3}", "_", "edit_distance(3)"),
    ("s: {s: String | s.matches(\"[ab]{0,3}\")}", "_", "|a, b| edit_distance(a, b, a.len() + 1)"),
    ("s: {s: String | s.matches(\"[ab]{3}\")}", "_", "|a, b| !edit_distance(a, b, 2)"),
    (
        "s: {s: String | s.matches(\"a{0,3}\")}, t: {t: String | t.matches(\"b?\")}",
        "_, _",
        "edit_distance(2)",
    ),
    (
        "s: {s: String | s.matches(\"a{0,2}b?\")}, t: {t: String | t.matches(\"b?\")}",
        "_, _",
        "edit_distance(s, 2)",
    ),
    ("m: {m: std::collections::BTreeMap<bool, bool> | m.len() <= 2}", "_", "different_keys"),
    ("m: {m: std::collections::BTreeMap<bool, Option<bool>> | m.len() <= 1}", "_", "different_shape"),
    ("xs: {xs: Vec<Color> | xs.len() <= 1}, o: Option<bool>", "_, _", "different_shape"),
    ("xs: {xs: Vec<Option<bool>> | xs.len() <= 2}", "_", "different_shape"),
    ("xs: {xs: std::collections::BTreeSet<u8> | xs.len() <= 2 && xs.all(|x| x < 4)}", "_", "different_shape"),
    (
        "xs: {xs: std::collections::BTreeSet<u8> | xs.len() <= 2 && xs.all(|x| x < 4)}",
        "_",
        "different_lengths",
    ),
    ("xs: {xs: Vec<bool> | xs.len() <= 3}", "_", "|a, b| !a.is_empty() && !b.is_empty() && a[0] != b[0]"),
];

pub(in crate::generate) fn subject(spec: (&str, &str, &str)) -> Subject {
    let (mut subjects, mistakes) = resolved(spec);
    assert!(mistakes.is_empty(), "{spec:?}: {mistakes:?}");
    subjects.pop().expect("the spec is sound")
}

fn resolved((params, names, relation): (&str, &str, &str)) -> (Vec<Subject>, Vec<Diagnostic>) {
    let manifest = format!(
        "[package]\nname = \"c\"\n\
         [package.metadata.target.data]\nCoded = '{CODED}'\n\
         [package.metadata.target.functions]\n\
         f = {{ call = '|{names}| ()', spec = 'fn({params})', different = '{relation}' }}\n"
    );
    let mut sources = Sources::default();
    let (manifest, mistakes) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(manifest.clone()));
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let (catalog, problems) = scan_text(CRATE, "c", &Cfg::default());
    assert_eq!(problems, []);
    resolve(&manifest, &catalog, &PartialSettings::default())
}

pub(in crate::generate) fn space(subject: &Subject) -> Space {
    Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 4, bound: 12 })
}

fn all(space: &Space) -> Vec<Vec<Value>> {
    let mut members = Members::new(space);
    let mut all = Vec::new();
    while let Next::Member(member) = members.advance() {
        all.push(member);
    }
    all
}

/// The size of the greatest set of different members, of all subsets.
fn greatest(members: &[Vec<Value>], related: &mut Related<'_>) -> usize {
    assert!(members.len() <= 20, "{} members are too many", members.len());
    let mut unlike = vec![0_u32; members.len()];
    for (i, a) in members.iter().enumerate() {
        for (j, b) in members.iter().enumerate().filter(|(j, _)| *j != i) {
            unlike[i] |= u32::from(related.holds(a, b)) << j;
        }
    }
    let is_set = |bits: u32| {
        let of_set = |(i, unlike): (usize, &u32)| bits >> i & 1 == 0 || bits & !(1 << i) & !unlike == 0;
        unlike.iter().enumerate().all(of_set)
    };
    let sets = (0..1_u32 << members.len()).filter(|bits| is_set(*bits));
    sets.map(u32::count_ones).max().unwrap_or(0) as usize
}

pub(super) fn relation_of(different: &Different) -> &Relation {
    let Different::Pairs(relation) = different else { panic!("a relation") };
    relation
}

fn check(set: &Set, related: &mut Related<'_>) {
    for (i, a) in set.members.iter().enumerate() {
        for b in &set.members[..i] {
            assert!(a != b && related.holds(a, b), "{a:?} {b:?}");
        }
    }
}

#[test]
fn sets_are_the_greatest_of_all_subsets() {
    SPECS.into_iter().for_each(check_greatest);
}

#[test]
fn inputs_that_are_solved_for_are_a_set_to_which_nothing_can_be_added() {
    let wrong: Vec<String> = SPECS.into_iter().filter_map(wrongly_solved).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Checks that the set of a spec is as large as any of different members, and that it may be asked for in part.
fn check_greatest(spec: (&str, &str, &str)) {
    let subject = subject(spec);
    let space = space(&subject);
    let different = subject.different.as_ref().expect("the spec has a relation");
    let mut related = Related::new(space.spec(), relation_of(different));
    let members = all(&space);
    let most = greatest(&members, &mut related);
    let set = find(&space, different, 1000);
    check(&set, &mut related);
    assert_eq!((set.members.len(), &set.larger), (most, &Larger::None), "{spec:?}");
    // As many as there are, and fewer.
    for n in [0, 1, most - 1, most] {
        let set = find(&space, different, n);
        check(&set, &mut related);
        assert_eq!((set.members.len(), &set.larger), (n, &Larger::Unasked), "{n} of {spec:?}");
    }
}

/// What is wrong with the set of a spec if no member is looked at in order.
fn wrongly_solved(spec: (&str, &str, &str)) -> Option<String> {
    let subject = subject(spec);
    let space = space(&subject);
    let relation = relation_of(subject.different.as_ref().expect("the spec has a relation"));
    let mut related = Related::new(space.spec(), relation);
    let members = all(&space);
    let looks = Looks { listed: 0, listed_by_key: 0 };
    let set = super::pairs::find(&space, relation, 1000, (looks, Effort::new(Duration::MAX)));
    check(&set, &mut related);
    let is_new = |member: &Vec<Value>, related: &mut Related<'_>| {
        !set.members.contains(member) && set.members.iter().all(|other| related.holds(member, other))
    };
    let is_maximal = !members.iter().any(|member| is_new(member, &mut related));
    let (n, most) = (set.members.len(), greatest(&members, &mut related));
    let is_right = match &set.larger {
        Larger::None => n == most,
        Larger::NotWithThese(_) => n <= most,
        Larger::Unasked | Larger::Unknown(_) => false,
    };
    (!is_right || !is_maximal).then(|| format!("{spec:?}: {n} of {most}, {:?}", set.larger))
}

#[test]
fn sets_are_asked_for_at_once_where_one_input_after_the_other_ends_early() {
    let of = |(params, names, relation), bound| {
        let subject = subject((params, names, relation));
        let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 3, bound });
        let different = subject.different.expect("the spec has a relation");
        let set = find(&space, &different, 20);
        check(&set, &mut Related::new(space.spec(), relation_of(&different)));
        (set.members.len(), set.larger)
    };
    // The first input differs from none.
    let late = ("x: {x: i32 | 0 <= x}", "_", "|a, b| a != b && a > 29_994 && b > 29_994");
    assert_eq!(of(late, 30_000), (6, Larger::None));
    // Keys that must all differ: at most as many as `y` has values, but the first ones leave out some.
    let matching = (
        "x: {x: i32 | 0 <= x}, y: {y: u8 | y < 4 && (y == 0 || x < 2 || x > 29_990)}",
        "_, _",
        "|a, b| a.x != b.x && a.y != b.y",
    );
    assert_eq!(of(matching, 30_000), (4, Larger::None));
    let dependent = ("x: {x: i32 | 0 <= x}, y: {y: i32 | x < y}", "_, _", "|a, b| a.y <= b.x || b.y <= a.x");
    let (n, larger) = of(dependent, 200);
    assert_eq!((n, larger), (20, Larger::Unasked));
}

#[test]
fn what_is_far_and_what_has_another_shape_is_solved_for_in_a_large_space() {
    let of = |(params, relation), depth, bound, n| {
        let subject = subject((params, "_", relation));
        let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth, bound });
        let different = subject.different.expect("the spec has a relation");
        let set = find(&space, &different, n);
        check(&set, &mut Related::new(space.spec(), relation_of(&different)));
        (set.members.len(), set.larger)
    };
    let unasked = |n| (n, Larger::Unasked);
    assert_eq!(
        of(("s: {s: String | s.matches(\"[a-z]{12}\")}", "edit_distance(12)"), 4, 30, 20),
        unasked(20)
    );
    assert_eq!(of(("xs: {xs: Vec<u8> | xs.len() == 8}", "edit_distance(8)"), 4, 30, 20), unasked(20));
    assert_eq!(of(("xs: Vec<Option<u8>>", "different_shape"), 4, 200, 31), unasked(31));
    // No list is longer than four elements, of two variants each.
    assert_eq!(of(("xs: Vec<Option<u8>>", "different_shape"), 4, 200, 40), (31, Larger::None));
}

#[test]
fn the_search_for_the_greatest_set_ends_with_its_time() {
    let subject = subject(("x: {x: u32 | x < 200}", "_", "|a, b| a != b && (a * b) % 7 < 5"));
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 3, bound: 200 });
    let different = subject.different.expect("the spec has a relation");
    // So few are looked at in any case, and none is like all of the set.
    let set = super::find(&space, &different, 200, Duration::ZERO);
    check(&set, &mut Related::new(space.spec(), relation_of(&different)));
    let reasons = vec!["the search for a larger set would take too long".to_owned()];
    assert!(set.members.len() > 1);
    assert_eq!(set.larger, Larger::NotWithThese(reasons));
}

#[test]
fn inputs_of_a_large_space_are_solved_for() {
    let of = |params, relation| {
        let subject = subject((params, "_", relation));
        let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 60, bound: 2000 });
        let different = subject.different.expect("the spec has a relation");
        let set = find(&space, &different, 50);
        check(&set, &mut Related::new(space.spec(), relation_of(&different)));
        (set.members.len(), set.larger)
    };
    const TOO_LARGE: &str = "other inputs might make a larger set: that question is too large";
    assert_eq!(of("s: String", "different_lengths"), (50, Larger::Unasked));
    assert_eq!(of("xs: {xs: Vec<u8> | xs.len() < 30}", "different_lengths"), (30, Larger::None));
    assert_eq!(
        of("xs: {xs: Vec<u8> | xs.len() < 30}", "|a, b| a.len() / 10 != b.len() / 10"),
        (3, Larger::None)
    );
    assert_eq!(
        of("xs: {xs: Vec<u8> | xs.len() < 30}", "|a, b| a.len() > b.len() + 8 || b.len() > a.len() + 8"),
        (4, Larger::NotWithThese(vec![TOO_LARGE.to_owned()]))
    );
}

#[test]
fn each_way_through_an_expression_is_taken_once() {
    let of = |expression: &str| {
        let params = format!("s: {{s: String | s.matches(\"{expression}\") && s.len() < 20}}");
        let subject = subject((&params, "_", "cover"));
        let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 20, bound: 4 });
        let different = subject.different.expect("the spec has a relation");
        let set = find(&space, &different, 1000);
        check(&set, &mut Related::new(space.spec(), relation_of(&different)));
        (set.members.len(), set.larger)
    };
    // The International Standard Book Number of Iorek's section 7: six inputs, as there.
    assert_eq!(of("(97(8|9))?[0-9]{9}([0-9]|X)"), (6, Larger::None));
    assert_eq!(of("([01][0-9]|2[0-3]):[0-5][0-9]"), (2, Larger::None));
    // Three times is too long.
    assert_eq!(of("([a-z]{9})*"), (3, Larger::None));
    // The second branch is part of the first one.
    assert_eq!(of("[a-z]|a|[a-z]b"), (2, Larger::None));
    // The first string of the second branch is one of the first.
    assert_eq!(of("(b|a)|[a-c]"), (3, Larger::None));
}

#[test]
fn an_input_that_is_solved_for_differs_in_both_directions() {
    // Too many members to look at all of them.
    let subject = subject(("x: {x: i32 | 0 <= x}", "_", "|a, b| a != b && a + b < 40_000"));
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 3, bound: 30_000 });
    let set = find(&space, subject.different.as_ref().expect("the spec has a relation"), 20);
    assert_eq!((set.members.len(), set.larger), (20, Larger::Unasked));
    let never = self::subject(("x: {x: i32 | 0 <= x}", "_", "|a, b| a < b"));
    let space = Space::new(Arc::new(never.spec.clone()), Bounds { depth: 3, bound: 30_000 });
    let set = find(&space, never.different.as_ref().expect("the spec has a relation"), 20);
    assert_eq!((set.members.len(), set.larger), (1, Larger::None));
}

#[test]
fn what_was_found_in_time_is_a_set() {
    let subject = subject(("s: {s: String | s.matches(\"a|b|[0-9]{9}|[a-z]{9}\")}", "_", "cover"));
    let different = subject.different.as_ref().expect("the spec has a relation");
    let set = super::find(&space(&subject), different, 100, Duration::ZERO);
    let reasons = vec!["no time is left to solve for further inputs: a greater `budget` may help".to_owned()];
    assert_eq!((set.members.len(), set.larger), (0, Larger::Unknown(reasons)));
}

#[test]
fn no_further_key_is_ruled_out_where_the_limit_ended_the_question() {
    let subject = subject(("x: u32, b: bool", "_, _", "|a, b| a.b != b.b"));
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 4, bound: 120_000 });
    let different = subject.different.as_ref().expect("the spec has a relation");
    let set = |time| super::find(&space, different, 3, time);
    assert_eq!(set(Duration::MAX).larger, Larger::None);
    // Not all members are looked at, and nothing is solved for.
    let cut_short = set(Duration::ZERO);
    assert_eq!(cut_short.members.len(), 2);
    assert!(matches!(cut_short.larger, Larger::Unknown(_)), "{:?}", cut_short.larger);
}

#[test]
fn one_input_of_each_kind_comes_first() {
    let subject = subject(("c: Color, x: {x: u8 | x < 9}", "_, _", "cover(c) || distance(x, 2)"));
    let different = subject.different.as_ref().expect("the spec has a relation");
    let set = find(&space(&subject), different, 3);
    let variants: HashSet<&Value> = set.members.iter().map(|member| &member[0]).collect();
    assert_eq!((variants.len(), set.members.len()), (3, 3));
}

#[test]
fn combinations_are_all_that_inputs_have() {
    for (params, names, wanted) in [
        ("x: bool, y: bool, z: bool, w: bool", "_, _, _, _", "pairwise"),
        ("x: bool, y: Color, z: Option<bool>, w: u8", "_, _, _, _", "pairwise"),
        ("x: bool, y: Color, z: {z: Option<bool> | z.is_some() == x}, w: i8", "_, _, _, _", "n_wise(3)"),
        ("c: Color", "_", "n_wise(1)"),
        ("p: {p: Point | p.x <= p.y}, s: {s: String | s.matches(\"a*\")}", "_, _", "pairwise"),
        ("w: Coded, s: {s: String | s.matches(\"(a|b)?c|ac*|b\")}, x: bool", "_, _, _", "pairwise"),
    ] {
        let subject = subject((params, names, wanted));
        let different = subject.different.as_ref().expect("it has combinations");
        let Different::Combinations(Combinations { kinds, n }) = different else { panic!("{wanted}") };
        let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 3, bound: 2 });
        let of = |members: &[Vec<Value>]| -> HashSet<Vec<(usize, i64)>> {
            let chosen = |bits: &u32| bits.count_ones() as usize == *n;
            let groups: Vec<u32> = (0..1 << kinds.len()).filter(chosen).collect();
            let of_one = |member: &Vec<Value>| {
                let kinds = super::combinations::kinds_of(&space, kinds, member).expect("kinds");
                let group = |bits: &u32| {
                    (0..kinds.len()).filter(|at| bits >> at & 1 == 1).map(|at| (at, kinds[at])).collect()
                };
                groups.iter().map(group).collect::<Vec<_>>()
            };
            members.iter().flat_map(of_one).collect()
        };
        let members = all(&space);
        let set = find(&space, different, 1000);
        let found = of(&set.members);
        assert_eq!(found, of(&members), "{params}");
        for n in 0..set.members.len() {
            let (before, with) = (of(&set.members[..n]), of(&set.members[..=n]));
            assert!(before.len() < with.len(), "{:?} adds nothing", set.members[n]);
        }
        let covered = set.covered.expect("combinations");
        assert_eq!((covered.n_covered, &set.larger), (found.len() as u64, &Larger::None), "{params}");
        assert!(set.members.iter().all(|member| members.contains(member)));
        let few = find(&space, different, 2);
        assert_eq!((few.members.len(), few.larger), (2, Larger::Unasked), "{params}");
    }
}

#[test]
fn a_string_has_the_kind_of_the_leftmost_branch_that_it_matches() {
    // `b` matches two branches. All three are the kind of some string.
    let subject = subject(("s: {s: String | s.matches(\"(a|b)|[bc]\")}, x: bool", "_, _", "pairwise"));
    let set = find(&space(&subject), subject.different.as_ref().expect("it has combinations"), 100);
    let covered = set.covered.expect("combinations");
    assert_eq!((covered.n_covered, covered.n_all), (6, 6));
}

#[test]
fn rare_combinations_are_solved_for() {
    // Ten thousand members of sixty thousand are looked at. For `y` and for `z`, one is true.
    let spec = (
        "x: i64, y: {y: bool | y == (x == 12345)}, z: {z: bool | z == (x == -23456)}",
        "_, _, _",
        "pairwise",
    );
    let subject = subject(spec);
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 2, bound: 30_000 });
    let set = find(&space, subject.different.as_ref().expect("it has combinations"), 100);
    // With the kinds of numbers, `y` has four combinations if false, and one if true; so has `z`. Both are never true.
    let covered = set.covered.expect("combinations");
    assert_eq!((covered.n_covered, covered.n_all, set.larger), (5 + 5 + 3, 8 + 8 + 4, Larger::None));
    assert!(set.members.iter().any(|member| member[1] == Value::Bool(true)), "{:?}", set.members);
}

#[test]
fn the_time_also_ends_with_thousands_of_ways_left() {
    let expression = "(a|b|[c-z]{2,9})?".repeat(8);
    let params = format!("s: {{s: String | s.matches(\"{expression}\")}}");
    let subject = subject((&params, "_", "cover"));
    let space = Space::new(Arc::new(subject.spec.clone()), Bounds { depth: 4, bound: 4 });
    let different = subject.different.expect("the spec has a relation");
    let set = super::find(&space, &different, 5_000, Duration::from_millis(500));
    assert!(!set.members.is_empty());
    assert!(matches!(set.larger, Larger::Unknown(_)), "{:?}", set.larger);
}
