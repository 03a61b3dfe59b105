//! Calls of functions that a function returns, as text: `adder(1)(2)`, `divider(1).map(|f| f(2))`.

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

    /// Number of arguments before the first one of a function that there may be none of, or if `is_repeated`, that may be
    /// one of several with the same arguments.
    fn n_before(&self, is_repeated: bool) -> usize {
        match self {
            ReturnedPart::Value | ReturnedPart::Function(_) => self.n_args(),
            ReturnedPart::Maybe(inner) if is_repeated => inner.n_before(is_repeated),
            ReturnedPart::Array(inner) if !is_repeated => inner.n_before(is_repeated),
            ReturnedPart::Maybe(_)
            | ReturnedPart::Array(_)
            | ReturnedPart::List(..)
            | ReturnedPart::Map(..) => 0,
            ReturnedPart::Tuple(parts) => n_before(parts, is_repeated),
        }
    }

    /// The expression with its functions called. `callee` is how a function by a name is called.
    fn called(&self, of: &str, callee: &dyn Fn(&str) -> String, args: &mut &[String]) -> String {
        let mut of_each = |inner: &ReturnedPart| match inner {
            ReturnedPart::Function(n_args) => format!("{}({})", callee("f"), taken(args, *n_args)),
            inner => inner.called("f", callee, args),
        };
        match self {
            ReturnedPart::Value => of.to_owned(),
            ReturnedPart::Function(n_args) => format!("{of}({})", taken(args, *n_args)),
            ReturnedPart::Maybe(inner) | ReturnedPart::Array(inner) => {
                format!("{of}.map(|f| {})", of_each(inner))
            }
            ReturnedPart::List(inner, path) => {
                format!("{of}.into_iter().map(|f| {}).collect::<{path}<_>>()", of_each(inner))
            }
            ReturnedPart::Map(inner, path) => {
                format!(
                    "{of}.into_iter().map(|(key, f)| (key, {})).collect::<{path}<_, _>>()",
                    of_each(inner)
                )
            }
            ReturnedPart::Tuple(parts) => {
                let names: Vec<String> = (0..parts.len())
                    .map(|index| {
                        NAMES.get(index).map_or_else(|| format!("f{index}"), |name| (*name).to_owned())
                    })
                    .collect();
                let values = parts.iter().zip(&names).map(|(part, name)| match part {
                    ReturnedPart::Function(_) => part.called(&callee(name), callee, args),
                    part => part.called(name, callee, args),
                });
                let values = values.collect::<Vec<_>>().join(", ");
                let end = if parts.len() == 1 { "," } else { "" };
                format!("match {of} {{ ({}{end}) => ({values}{end}) }}", names.join(", "))
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

/// The same of parts in a row.
fn n_before(parts: &[ReturnedPart], is_repeated: bool) -> usize {
    let mut n_before = 0;
    for part in parts {
        let of_part = part.n_before(is_repeated);
        n_before += of_part;
        if of_part < part.n_args() {
            break;
        }
    }
    n_before
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
        let (first, mut rest) = args.split_at(args.len().saturating_sub(self.n_returned()));
        let call = format!("{callee}({})", first.join(", "));
        self.returned.iter().fold(call, |call, part| part.called(&call, by_name, &mut rest))
    }

    /// Number of arguments of functions that it returns.
    fn n_returned(&self) -> usize {
        self.returned.iter().map(ReturnedPart::n_args).sum()
    }

    /// The position of the first argument of a function that there may be none of.
    pub fn first_contained(&self) -> usize {
        self.spec.params.len() - self.n_returned() + n_before(&self.returned, false)
    }

    /// The position of the first argument that may be passed several times.
    pub fn first_repeated(&self) -> usize {
        self.spec.params.len() - self.n_returned() + n_before(&self.returned, true)
    }
}
