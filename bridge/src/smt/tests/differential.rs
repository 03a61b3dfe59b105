//! Small specs: Z3's members are those that filtering finds.

use super::*;

#[test]
fn rescale() {
    let pos = || refined(i64s(), [lt(int(0), var(3))]);
    let range = refined(i64s(), [le(int(0), var(3)), lt(var(3), var(0))]);
    let space = space(spec(vec![pos(), pos(), range], Vec::new()), 4, 4);
    // (4 values, but a shifted domain of bound + 1 = 5 for `0 < v`)
    assert_eq!(agree(&space), agree(&space));
}

#[test]
fn truncating_division() {
    for op in [ArithOp::Div, ArithOp::Rem, ArithOp::DivEuclid, ArithOp::RemEuclid] {
        let requires = vec![eq(arith(op, var(0), var(1)), var(2))];
        assert!(agree(&space(spec(vec![plain(i64s()), plain(i64s()), plain(i64s())], requires), 4, 4)) > 0);
    }
}
