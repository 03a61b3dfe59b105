//! The values of traits among the arguments.

/// A trait whose values the tool makes.
///
/// Source: *Type Targeted Testing*, section 4.6: a value of an interface is a table for each of its methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The trait as Rust code that the harness and a generated test can use: `shop::Pricing`.
    pub path: String,
    /// The traits of the standard library that its types have, too: `Debug`.
    pub supertraits: Vec<String>,
    /// Its methods in order. Those without a body are the fields of the first constructor, in the same order.
    pub methods: Vec<Method>,
}

/// A method of a trait.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// How it takes the value.
    pub receiver: Receiver,
    /// The types of its other parameters as Rust code.
    pub params: Vec<String>,
    /// The type of its result as Rust code.
    pub result: String,
    /// Whether it has no body in the trait.
    pub is_required: bool,
}

/// How a method takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// `&self`
    Ref,
    /// `&mut self`
    RefMut,
    /// `self`
    Owned,
}

impl Receiver {
    /// As Rust code.
    pub fn code(self) -> &'static str {
        match self {
            Receiver::Ref => "&self",
            Receiver::RefMut => "&mut self",
            Receiver::Owned => "self",
        }
    }
}
