//! Functions of a spec: measures at the types of their calls, and the calls between them.

use target_strategies::logic::ir::{Function, FunctionId, Term};

use super::key::FunctionKey;
use super::{DataTable, LARGEST, size};
use crate::frontend::declarations::measure::Measure;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;

/// Maximum number of instances of measures in a spec.
const MAX_FUNCTIONS: usize = 256;

/// The measure at these type arguments, in the order of its type parameters.
pub fn instance(
    data: &mut DataTable<'_>,
    measure: &Measure,
    generics: Vec<Ty>,
) -> Result<FunctionId, Diagnostic> {
    let name = measure.signature.head.name.name.clone();
    let key = FunctionKey::Measure(name.clone(), generics);
    if let Some(known) = data.function_keys.iter().position(|other| *other == key) {
        return Ok(FunctionId(known as u32));
    }
    let FunctionKey::Measure(_, generics) = &key else { unreachable!("it was made so") };
    let is_large = generics.iter().any(|ty| size(&data.plain(ty)) > LARGEST);
    if data.functions.len() >= MAX_FUNCTIONS || is_large {
        let message = format!("`{name}` is used at too many different types");
        return Err(Diagnostic::error(measure.signature.head.name.span, message));
    }
    let params = measure.signature.head.params.iter().map(|_| data.fresh()).collect();
    let function =
        Function { name, params, body: Term::Undefined, decreases: None, total: false, nesting: 1 };
    let id = data.reserve_function(key, function);
    data.waiting.push_back(id);
    Ok(id)
}

impl DataTable<'_> {
    /// A slot that no other binder of the spec has.
    pub fn fresh(&mut self) -> u32 {
        let slot = self.next_local;
        self.next_local += 1;
        slot
    }

    /// Takes the next id, so that the body may mention it.
    pub(in crate::frontend) fn reserve_function(
        &mut self,
        key: FunctionKey,
        function: Function,
    ) -> FunctionId {
        self.function_keys.push(key);
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }
}
