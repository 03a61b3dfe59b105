//! The values of traits among the arguments.

/// A trait whose values the tool makes.
///
/// Source: *Type Targeted Testing*, section 4.6: a value of an interface is a table for each of its methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The trait as Rust code that the harness and a generated test can use: `shop::Pricing`.
    pub path: String,
    /// The traits of the crate that its types must have, too, as Rust code.
    pub bases: Vec<String>,
    /// The names of its associated types, with the types as Rust code.
    pub associated: Vec<(String, String)>,
    /// The traits of the standard library that its types have, too: `Debug`.
    pub supertraits: Vec<String>,
    /// Its methods in order, after those of its bases. Those without a body are the fields of the first constructor, in the same order.
    pub methods: Vec<Method>,
}

impl Object {
    /// The implementations of the trait and of its bases for a type: `impl shop::Pricing for Table { .. }`. `method` writes a method, if it has
    /// to be there.
    pub fn implementations(&self, ty: &str, method: impl Fn(&Method) -> Option<String>) -> String {
        let types: String =
            self.associated.iter().map(|(name, ty)| format!("type {name} = {ty}; ")).collect();
        let implementation = |of: Option<&String>| {
            let methods = self.methods.iter().filter(|method| method.of.as_ref() == of);
            let methods: String = methods.filter_map(&method).collect();
            match of {
                None => format!("impl {} for {ty} {{ {types}{methods}}} ", self.path),
                Some(base) => format!("impl {base} for {ty} {{ {methods}}} "),
            }
        };
        [None].into_iter().chain(self.bases.iter().map(Some)).map(implementation).collect()
    }

    /// The trait that has a method.
    pub fn path_of<'o>(&'o self, method: &'o Method) -> &'o str {
        method.of.as_deref().unwrap_or(&self.path)
    }
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
    /// The base that has it; `None` if the trait itself does.
    pub of: Option<String>,
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
