//! The names of Rust's types and of the logic's, which no declaration may have.

use target_strategies::logic::ir::IntKind;

/// Types that aren't integers, for suggestions.
pub const SUPPORTED: [&str; 23] = [
    "bool", "char", "f32", "f64", "int", "str", "String", "Vec", "Option", "Result", "Box", "Rc", "Arc",
    "Cow", "usize", "VecDeque", "BTreeSet", "HashSet", "BTreeMap", "HashMap", "Set", "Bag", "Map",
];

/// Whether a type of Rust or of the logic has this name.
pub fn is_builtin(name: &str) -> bool {
    SUPPORTED.contains(&name) || IntKind::from_name(name).is_some()
}
