//! Machine operations give what Rust's do.

use proptest::prelude::*;

use super::value;
use crate::logic::eval::Stop;
use crate::logic::ir::{IntKind, MachineOp, Term};
use crate::logic::value::Value;

fn machine(op: MachineOp, kind: IntKind, operands: &[Value]) -> Result<Value, Stop> {
    value(&Term::Machine(op, kind, operands.iter().cloned().map(Term::Lit).collect()))
}

macro_rules! agrees {
    ($kind:expr, $ty:ty, $a:expr, $b:expr, $shift:expr) => {{
        let (a, b, shift): ($ty, $ty, u32) = ($a, $b, $shift);
        let two = [Value::int(a), Value::int(b)];
        let shifted = [Value::int(a), Value::int(shift)];
        let check = |op, operands: &[Value], expected: Option<Value>| {
            prop_assert_eq!(machine(op, $kind, operands), expected.ok_or(Stop::Undefined), "{:?}", op);
            Ok(())
        };
        check(MachineOp::And, &two, Some(Value::int(a & b)))?;
        check(MachineOp::Or, &two, Some(Value::int(a | b)))?;
        check(MachineOp::Xor, &two, Some(Value::int(a ^ b)))?;
        check(MachineOp::Not, &two[..1], Some(Value::int(!a)))?;
        check(MachineOp::Shl, &shifted, a.checked_shl(shift).map(Value::int))?;
        check(MachineOp::Shr, &shifted, a.checked_shr(shift).map(Value::int))?;
        check(MachineOp::WrappingAdd, &two, Some(Value::int(a.wrapping_add(b))))?;
        check(MachineOp::WrappingSub, &two, Some(Value::int(a.wrapping_sub(b))))?;
        check(MachineOp::WrappingMul, &two, Some(Value::int(a.wrapping_mul(b))))?;
        check(MachineOp::WrappingNeg, &two[..1], Some(Value::int(a.wrapping_neg())))?;
        check(MachineOp::CountOnes, &two[..1], Some(Value::int(a.count_ones())))?;
        check(MachineOp::LeadingZeros, &two[..1], Some(Value::int(a.leading_zeros())))?;
        check(MachineOp::TrailingZeros, &two[..1], Some(Value::int(a.trailing_zeros())))?;
        check(MachineOp::AddFits, &two, Some(Value::Bool(a.checked_add(b).is_some())))?;
        check(MachineOp::SubFits, &two, Some(Value::Bool(a.checked_sub(b).is_some())))?;
        check(MachineOp::MulFits, &two, Some(Value::Bool(a.checked_mul(b).is_some())))?;
    }};
}

proptest! {
    #[test]
    fn machine_operations_are_rusts(a in any::<i128>(), b in any::<i128>(), small in -3_i128..4, shift in 0_u32..140) {
        for (a, b) in [(a, b), (a, small), (small, a), (small, small)] {
            agrees!(IntKind::I8, i8, a as i8, b as i8, shift);
            agrees!(IntKind::U8, u8, a as u8, b as u8, shift % 10);
            agrees!(IntKind::I32, i32, a as i32, b as i32, shift % 40);
            agrees!(IntKind::U64, u64, a as u64, b as u64, shift);
            agrees!(IntKind::Isize, isize, a as isize, b as isize, shift);
            agrees!(IntKind::I128, i128, a, b, shift);
            agrees!(IntKind::U128, u128, a as u128, b as u128, shift);
        }
    }

    #[test]
    fn casts_wrap(a in any::<i128>()) {
        prop_assert_eq!(machine(MachineOp::Cast, IntKind::U8, &[Value::int(a)]), Ok(Value::int(a as u8)));
        prop_assert_eq!(machine(MachineOp::Cast, IntKind::I16, &[Value::int(a)]), Ok(Value::int(a as i16)));
        prop_assert_eq!(machine(MachineOp::Cast, IntKind::U128, &[Value::int(a)]), Ok(Value::int(a as u128)));
    }
}

#[test]
fn a_negative_shift_is_undefined() {
    assert_eq!(machine(MachineOp::Shl, IntKind::I8, &[Value::int(1), Value::int(-1)]), Err(Stop::Undefined));
}
