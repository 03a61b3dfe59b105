//! Measures of a spec at the types of their calls.

use target_strategies::logic::ir::{Function, FunctionId, Term};

use super::function::FunctionKey;
use super::{DataTable, LARGEST, size};
use crate::frontend::declarations::measure::Measure;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::logic_type::Ty;

/// Maximum number of instances of measures in a spec.
const MAX_FUNCTIONS: usize = 256;

impl DataTable<'_> {
    /// The measure at these type arguments, in the order of its type parameters.
    pub fn measure_instance(
        &mut self,
        measure: &Measure,
        generics: Vec<Ty>,
    ) -> Result<FunctionId, Diagnostic> {
        let name = measure.signature.head.name.name.clone();
        let key = FunctionKey::Measure(name.clone(), generics);
        if let Some(known) = self.functions.keys.iter().position(|other| *other == key) {
            return Ok(FunctionId(known as u32));
        }
        let FunctionKey::Measure(_, generics) = &key else { unreachable!("it was made so") };
        let is_large = generics.iter().any(|ty| size(&self.plain(ty)) > LARGEST);
        if self.functions.all.len() >= MAX_FUNCTIONS || is_large {
            let message = format!("`{name}` is used at too many different types");
            return Err(Diagnostic::error(measure.signature.head.name.span, message));
        }
        let params = measure.signature.head.params.iter().map(|_| self.fresh()).collect();
        let function =
            Function { name, params, body: Term::Undefined, decreases: None, total: false, nesting: 1 };
        let id = self.functions.reserve(key, function);
        self.functions.waiting.push_back(id);
        Ok(id)
    }
}
