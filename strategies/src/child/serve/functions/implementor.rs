//! Calls of methods of the crate's own implementors of a trait, where the spec refines these methods.

use std::panic::resume_unwind;

use super::case::{Misuse, shown};
use super::{Misused, case};
use crate::logic::eval::{Admission, Call, Judge};
use crate::logic::ir::{CallbackId, Object, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;

/// Judges the arguments of a call before it: the subject must not make any other.
pub fn asked(callback: u32, args: &[Value]) {
    let mut case = case();
    let Some(case) = case.as_mut().filter(|case| case.misuse.is_none()) else { return };
    let (spec, id) = (case.spec.clone(), CallbackId(callback));
    let mut words = case.words(&spec);
    let call = Call { entry: &case.args, callback: spec.callback(id), args, outer: &[] };
    let misuse = match Judge::new(Some(&mut words)).call(&spec, call) {
        Admission::Admitted => return,
        Admission::Rejected(clause) => {
            let name = method(id, &spec).map_or(String::new(), |(object, name, _)| {
                format!("{}::{name}", object.path.rsplit("::").next().unwrap_or_default())
            });
            Misuse::Outside { clause, call: shown(&name, args, id, &spec) }
        }
        Admission::SpecError { clause, obstacle } => Misuse::Trouble { clause: Some(clause), obstacle },
    };
    case.misuse = Some(misuse);
    resume_unwind(Box::new(Misused))
}

/// Judges the result of a call. An implementor that breaks the contract is none of the values: the case is none.
pub fn given(callback: u32, args: &[Value], result: Value) {
    let mut case = case();
    let Some(case) = case.as_mut().filter(|case| case.misuse.is_none()) else { return };
    let (spec, id) = (case.spec.clone(), CallbackId(callback));
    let mut words = case.words(&spec);
    let is_of_type = method(id, &spec).is_none_or(|(_, _, refined)| {
        Judge::new(Some(&mut words)).is_of(&spec, &case.args, refined, &result)
    });
    let call = Call { entry: &case.args, callback: spec.callback(id), args, outer: &[] };
    match Judge::new(Some(&mut case.words(&spec))).answer(&spec, call, &result) {
        Admission::Admitted if is_of_type => {}
        Admission::Admitted | Admission::Rejected(_) => case.misuse = Some(Misuse::Rejected),
        Admission::SpecError { clause, obstacle } => {
            case.misuse = Some(Misuse::Trouble { clause: Some(clause), obstacle })
        }
    }
}

/// The trait of a method, the method's name, and the type of its results.
fn method(id: CallbackId, spec: &Spec) -> Option<(&Object, &str, &Refined)> {
    spec.data.iter().find_map(|data| {
        let fields = &data.ctors.first()?.fields;
        let field = fields.iter().find(|field| field.refined.callback() == Some(id))?;
        let Sort::Seq(result, SeqKind::Answers(_)) = &field.refined.sort else { return None };
        Some((data.object.as_ref()?, field.name.as_str(), &**result))
    })
}
