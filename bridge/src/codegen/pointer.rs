//! Function pointers inside of values: Rust text.
//!
//! A pointer captures nothing, so that there is a function for each number that one may have in a case:
//! `match pointer(v, 0, 32) { 0 => |x0: u8| .., 1 => |x0: u8| .., .. }`.

use target_strategies::logic::ir::CallbackId;

/// The functions of the running case.
pub(super) const FUNCTIONS: &str = "::target_strategies::child::serve::functions";

/// Maximum number of functions of a case, if one of them is a pointer inside of another value.
const MOST_POINTERS: usize = 32;

/// The pointer that the `&Value` in `from` is. `body` writes the code of the function with a number.
pub(super) fn chosen(id: CallbackId, from: &str, params: &str, body: impl Fn(&str) -> String) -> String {
    let arms = (0..MOST_POINTERS).map(|number| {
        let pattern = if number + 1 < MOST_POINTERS { number.to_string() } else { "_".to_owned() };
        format!("{pattern} => |{params}| {{ {} }}, ", body(&number.to_string()))
    });
    let arms: String = arms.collect();
    format!("match {FUNCTIONS}::pointer({from}, {}, {MOST_POINTERS}) {{ {arms}}}", id.0)
}
