//! Rules of grammars: data types whose values are derivations. Rust holds a derivation as its text, a `String` or `&str`.
//!
//! `Sum = '"1" | left:Sum "+" right:Sum'` is a data type with two constructors: the first has no field, the second has two.

/// What makes the values of a data type derivations of a rule, or of a group inside of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule.
    pub name: String,
    /// For each constructor, the parts of its text in order.
    pub layouts: Vec<Vec<Piece>>,
}

/// A part of the text of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A text that is always the same.
    Quoted(String),
    /// The text of a field: of a string, of a rule, of an `Option` of these, or of all elements of a list.
    Field(u32),
}
