//! Calls of functions that a function returns, as text: `adder(1)(2)`, `divider(1).map(|f| f(2))`.

use std::collections::BTreeSet;

use target_strategies::logic::ir::Param;

use super::Subject;

/// What a part of a result is to the functions inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnedPart {
    /// A value without functions.
    Value,
    /// A function that is called with so many arguments.
    Function(usize),
    /// An `Option`, or a `Result` if there is no error.
    Maybe(Box<ReturnedPart>),
    /// An array, whose functions are all called with the same arguments.
    Array(Box<ReturnedPart>),
    /// A list of a type by its path. The same.
    List(Box<ReturnedPart>, &'static str),
    /// A map of a type by its path, with functions as values. The same.
    Map(Box<ReturnedPart>, &'static str),
    /// A tuple.
    Tuple(Vec<ReturnedPart>),
}

/// Names of the parts of a tuple.
const NAMES: [&str; 6] = ["f", "g", "h", "i", "j", "k"];

/// The names in the code that takes a result apart.
struct Names<'n> {
    /// How a function by a name is called.
    callee: &'n dyn Fn(&str) -> String,
    /// The parameters, which arguments may mention.
    params: &'n [Param],
}

impl Names<'_> {
    /// The name, or a longer one that no parameter has.
    fn free(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.params.iter().any(|param| param.name.trim_start_matches("r#") == name) {
            name.push('_');
        }
        name
    }
}

impl ReturnedPart {
    /// Number of arguments that the functions take.
    pub fn n_args(&self) -> usize {
        match self {
            ReturnedPart::Value => 0,
            ReturnedPart::Function(n_args) => *n_args,
            ReturnedPart::Maybe(inner)
            | ReturnedPart::Array(inner)
            | ReturnedPart::List(inner, _)
            | ReturnedPart::Map(inner, _) => inner.n_args(),
            ReturnedPart::Tuple(parts) => parts.iter().map(ReturnedPart::n_args).sum(),
        }
    }

    /// Adds the positions of the arguments of functions that are inside of containers of which `is_one` holds, from `first` on.
    fn add_inside(
        &self,
        (is_one, is_inside): (&dyn Fn(&ReturnedPart) -> bool, bool),
        first: usize,
        found: &mut BTreeSet<usize>,
    ) {
        let is_inside = is_inside || is_one(self);
        match self {
            ReturnedPart::Value => {}
            ReturnedPart::Function(n_args) if is_inside => found.extend(first..first + n_args),
            ReturnedPart::Function(_) => {}
            ReturnedPart::Maybe(inner)
            | ReturnedPart::Array(inner)
            | ReturnedPart::List(inner, _)
            | ReturnedPart::Map(inner, _) => inner.add_inside((is_one, is_inside), first, found),
            ReturnedPart::Tuple(parts) => {
                let mut first = first;
                for part in parts {
                    part.add_inside((is_one, is_inside), first, found);
                    first += part.n_args();
                }
            }
        }
    }

    /// Whether there may be no function inside.
    fn may_be_empty(&self) -> bool {
        match self {
            ReturnedPart::Maybe(_) | ReturnedPart::List(..) | ReturnedPart::Map(..) => true,
            ReturnedPart::Value
            | ReturnedPart::Function(_)
            | ReturnedPart::Array(_)
            | ReturnedPart::Tuple(_) => false,
        }
    }

    /// Whether there may be several functions inside, which are called with the same arguments.
    fn may_repeat(&self) -> bool {
        match self {
            ReturnedPart::Array(_) | ReturnedPart::List(..) | ReturnedPart::Map(..) => true,
            ReturnedPart::Value
            | ReturnedPart::Function(_)
            | ReturnedPart::Maybe(_)
            | ReturnedPart::Tuple(_) => false,
        }
    }

    /// The expression with its functions called.
    fn called(&self, of: &str, names: &Names<'_>, args: &mut &[String]) -> String {
        let f = names.free("f");
        let mut of_each = |inner: &ReturnedPart| match inner {
            ReturnedPart::Function(n_args) => format!("{}({})", (names.callee)(&f), taken(args, *n_args)),
            inner => inner.called(&f, names, args),
        };
        match self {
            ReturnedPart::Value => of.to_owned(),
            ReturnedPart::Function(n_args) => format!("{of}({})", taken(args, *n_args)),
            ReturnedPart::Maybe(inner) | ReturnedPart::Array(inner) => {
                format!("{of}.map(|{f}| {})", of_each(inner))
            }
            ReturnedPart::List(inner, path) => {
                format!("{of}.into_iter().map(|{f}| {}).collect::<{path}<_>>()", of_each(inner))
            }
            ReturnedPart::Map(inner, path) => {
                let key = names.free("key");
                format!(
                    "{of}.into_iter().map(|({key}, {f})| ({key}, {})).collect::<{path}<_, _>>()",
                    of_each(inner)
                )
            }
            ReturnedPart::Tuple(parts) => {
                let of_parts: Vec<String> = (0..parts.len())
                    .map(|index| match NAMES.get(index) {
                        Some(name) => names.free(name),
                        None => names.free(&format!("f{index}")),
                    })
                    .collect();
                let values = parts.iter().zip(&of_parts).map(|(part, name)| match part {
                    ReturnedPart::Function(_) => part.called(&(names.callee)(name), names, args),
                    part => part.called(name, names, args),
                });
                let values = values.collect::<Vec<_>>().join(", ");
                let end = if parts.len() == 1 { "," } else { "" };
                format!("match {of} {{ ({}{end}) => ({values}{end}) }}", of_parts.join(", "))
            }
        }
    }
}

/// The next arguments, with commas between.
fn taken(args: &mut &[String], n_args: usize) -> String {
    let (own, later) = args.split_at(n_args.min(args.len()));
    *args = later;
    own.join(", ")
}

impl Subject {
    /// The call of a callee with arguments, and of what it returns, as reports show it: `f(a, b)(c)`.
    pub fn applied(&self, callee: &str, args: &[String]) -> String {
        self.applied_by(&str::to_owned, callee, args)
    }

    /// The same as code. `{ f }` is the function itself, which may be called also if it is an `FnMut`.
    pub fn applied_in_code(&self, callee: &str, args: &[String]) -> String {
        self.applied_by(&|name| format!("{{ {name} }}"), callee, args)
    }

    fn applied_by(&self, by_name: &dyn Fn(&str) -> String, callee: &str, args: &[String]) -> String {
        let names = Names { callee: by_name, params: &self.spec.params };
        let (first, mut rest) = args.split_at(args.len().saturating_sub(self.n_returned()));
        let call = format!("{callee}({})", first.join(", "));
        self.returned.iter().fold(call, |call, part| part.called(&call, &names, &mut rest))
    }

    /// Number of arguments of functions that it returns.
    fn n_returned(&self) -> usize {
        self.returned.iter().map(ReturnedPart::n_args).sum()
    }

    /// The positions of the arguments of functions that there may be none of.
    pub fn contained(&self) -> BTreeSet<usize> {
        self.inside(&ReturnedPart::may_be_empty)
    }

    /// The positions of the arguments that may be passed several times.
    pub fn repeated(&self) -> BTreeSet<usize> {
        self.inside(&ReturnedPart::may_repeat)
    }

    fn inside(&self, is_one: &dyn Fn(&ReturnedPart) -> bool) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut first = self.spec.params.len() - self.n_returned();
        for part in &self.returned {
            part.add_inside((is_one, false), first, &mut found);
            first += part.n_args();
        }
        found
    }
}
