//! The schedule where no open class has members to give.

use super::*;
use crate::generate::native::tests::sorted;

#[test]
fn the_schedule_ends_where_all_open_classes_are_given_up() {
    let space = sorted(2, 2);
    let mut members = SpreadMembers::new(space.clone(), 0);
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
