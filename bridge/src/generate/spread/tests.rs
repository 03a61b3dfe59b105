//! The turns of classes that are not counted.

use super::*;
use crate::generate::native::tests::sorted;

#[test]
fn the_schedule_ends_where_all_open_classes_are_given_up() {
    let space = sorted(2, 2);
    let mut members = SpreadMembers::new(space.clone(), Native::new(&space), 0);
    let mut native = Native::new(&space);
    for size in members.sizes.clone() {
        let cursor = native.cursor(Class::Size(size)).expect("a class of the space");
        let mut walked = Walked::new(cursor, CHOICES_PER_CLASS);
        walked.give_up();
        let walked = Members::Walked(Box::new(walked));
        members.open.push(Open::new(size, walked));
    }
    let n_classes = members.open.len();
    members.sizes = RangeInclusive::new(1, 0);
    let end = (0..10_000).find_map(|_| match members.next_turn(100, true) {
        Turn::Over(end) => Some(end),
        Turn::Members(..) | Turn::Random(_) | Turn::Nothing => None,
    });
    let Some(End::Unknown(reasons)) = end else { panic!("{end:?}") };
    assert_eq!((n_classes, reasons.len()), (3, 3));
    assert!(reasons.iter().all(|reason| reason.ends_with("were neither found nor ruled out")), "{reasons:?}");
}

#[test]
fn after_a_walked_member_comes_one_that_differs_in_its_number() {
    let space = sorted(4, 4);
    let mut members = SpreadMembers::new(space.clone(), Native::new(&space), 0);
    let mut native = Native::new(&space);
    let size = *members.sizes.end();
    let cursor = native.cursor(Class::Size(size)).expect("a class of the space");
    members.sizes = RangeInclusive::new(1, 0);
    // No effort is left to count.
    members.steps = u64::MAX;
    members.open.push(Open::new(size, Members::Walked(Box::new(Walked::new(cursor, CHOICES_PER_CLASS)))));
    let (mut last, mut n_beside) = (None, 0);
    for _ in 0..40 {
        match members.next_turn(1, true) {
            Turn::Members(_, made) => last = made.into_iter().map(|case| case.args).next().or(last),
            Turn::Random(case) => {
                let is_beside =
                    last.as_ref().is_some_and(|last| last[0] != case.args[0] && last[1] == case.args[1]);
                assert!(space.contains(&case.args));
                n_beside += usize::from(is_beside);
            }
            Turn::Nothing | Turn::Over(_) => {}
        }
    }
    assert!(n_beside >= 6, "{n_beside}");
}
