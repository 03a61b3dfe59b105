//! Code around the calls that make a value in sequence, so that a child knows the state after each of them.

use target_strategies::logic::ir::{Data, DataId};

use super::glue::{Glue, Owner};

const SEQUENCES: &str = "::target_strategies::child::serve::sequences";

/// A value that `make` makes of the `&Value` in `from`, in a child that may tell states of the type apart.
pub(super) fn made(id: DataId, data: &Data, spec: Glue<'_>, from: &str, make: String) -> String {
    let states = data.via.as_ref().and_then(|via| via.states.as_ref());
    let Some(states) = states.filter(|_| spec.owner == Owner::Harness) else { return make };
    let head = format!("{SEQUENCES}::made(({}, {}), {from}, || {make}", id.0, states.n_extended);
    if states.n_extended == 0 {
        return format!("{head}, |_, _| {{}})");
    }
    let looks = states.looks.iter().map(|path| format!("(&Part(&{path}(this))).show(look); "));
    let looks: String = looks.collect();
    format!(
        "{head}, |this, look| {{ \
         use {SEQUENCES}::{{Part, Shown as _, Unshown as _}}; (&Part(this)).show(look); {looks}}})"
    )
}
