//! Functions as arguments: Rust text. In a harness, a function is a number in the running case; in values of a strategy, each
//! input has its own tables.

use target_strategies::logic::ir::{CallbackId, Refined, Sort, Spec};

use super::convert::{FUNCTIONS, behind, closure, given, names_of_params, shown_args};

/// The argument for a parameter that is a function, by its position. It is written where the subject is called, so that
/// rustc knows the types of its parameters; and captures nothing, so that it is a function pointer, too.
pub fn function(refined: &Refined, id: CallbackId, spec: &Spec, slot: usize) -> String {
    let Sort::Seq(result, _) = &refined.sort else { return "()".to_owned() };
    behind(refined, closure(id, result, spec, &format!("{FUNCTIONS}::of_param({slot})")))
}

/// A closure with these types of parameters that asks `asked` for its results.
pub fn asking_closure(id: CallbackId, result: &Refined, spec: &Spec, types: &[String]) -> String {
    let names = names_of_params(id, spec);
    let params: Vec<String> = names.iter().zip(types).map(|(name, of)| format!("{name}: {of}")).collect();
    format!("move |{}| {{ {} }}", params.join(", "), asked_of("asked", id, result, spec))
}

/// The body of a function that asks `of` for its results ([`target_strategies::strategy::Asked`]).
pub fn asked_of(of: &str, id: CallbackId, result: &Refined, spec: &Spec) -> String {
    given(&format!("{of}.call(&[{}])", shown_args(id, spec).join(", ")), result, spec)
}
