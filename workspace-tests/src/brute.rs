//! The inputs of a spec by brute force: all members of its space, each judged. It is the reference for the generators.

use std::collections::HashSet;

use target_strategies::baseline::enumerative::Members;
use target_strategies::logic::collection::are_ordered;
use target_strategies::logic::eval::{Admission, Judge, Judgement};
use target_strategies::logic::ir::Spec;
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

/// The set of inputs that a generator has dealt when it says *exhausted*: the members of the space that the
/// precondition and `explore` admit.
///
/// It takes as long as the space is big, so look at that first, with [`n_members`]. No generator has a part in it: it
/// follows from the space and the judge alone.
///
/// ```
/// use target_strategies::space::Bounds;
/// use workspace_tests::{brute_force, n_members, space_in};
///
/// let spec = "fn(t: {t: Search<i64> | size(t) == 2})";
/// let space = space_in("medley", "medley", spec, Bounds { depth: 2, bound: 1 });
/// assert!(n_members(&space, 1000).is_some());
/// // Two of three keys, in two shapes, the nodes red or not.
/// assert_eq!(brute_force(&space).len(), 3 * 2 * 4);
/// ```
///
/// # Panics
///
/// Panics where the judge gives a clause up.
#[must_use]
pub fn brute_force(space: &Space) -> HashSet<Vec<Value>> {
    match admitted(space, space.spec()) {
        Ok(found) => found.into_iter().collect(),
        Err(reason) => panic!("{reason}"),
    }
}

/// The members of a space that a spec with parameters of the same types admits, as a list in the order of the
/// enumeration; or what the judge gave up on, and why.
pub fn admitted(space: &Space, spec: &Spec) -> Result<Vec<Vec<Value>>, String> {
    let mut found = Vec::new();
    for skeleton in space.skeletons() {
        let mut members = Members::new(space, &skeleton);
        let mut args = Vec::new();
        while members.next_into(&mut args) {
            if are_ordered(spec, &args) && admits(spec, &args)? {
                found.push(args.clone());
            }
        }
    }
    Ok(found)
}

/// Whether the precondition and what is to be explored admit the arguments; or why that can't be judged.
pub fn admits(spec: &Spec, args: &[Value]) -> Result<bool, String> {
    let mut judge = Judge::new(None);
    let is_valid = match judge.precondition(spec, args) {
        Admission::Admitted => true,
        Admission::Rejected(Some(_)) => false,
        Admission::Rejected(None) => return Err(format!("{args:?}: not of the spec's types")),
        Admission::SpecError { obstacle, .. } => return Err(format!("{args:?}: {obstacle}")),
    };
    match judge.explored(spec, args) {
        _ if !is_valid => Ok(false),
        Judgement::Holds => Ok(true),
        Judgement::Broken => Ok(false),
        judgement => Err(format!("{args:?}: {judgement:?}")),
    }
}

/// How many members a space has before they are judged, if that is no more than `most`.
#[must_use]
pub fn n_members(space: &Space, most: u64) -> Option<u64> {
    let mut sum = 0_u64;
    for (n_skeletons, skeleton) in (1..).zip(space.skeletons()) {
        sum = sum.checked_add(Members::new(space, &skeleton).len()?)?;
        if sum > most || n_skeletons > most {
            return None;
        }
    }
    Some(sum)
}
