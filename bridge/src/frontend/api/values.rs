//! How clients of a crate can have a value of each of its types: public fields and variants, or else calls of public
//! functions, in sequence where one changes what another made.
//!
//! Sources: *Irulan*, section 3.1 (which constructors and functions give a type); JCrasher's parameter graph and
//! Randoop's call sequences, as in the survey of specification-based testing.

use std::collections::HashMap;

use target_strategies::logic::value::Value;

use crate::frontend::catalog::{
    Catalog, CtorItem, FieldItem, FnItem, Length, ParamItem, RustType, TypeId, TypeItem,
};
use crate::frontend::declarations::is_shipped;

use super::described::Described;
use super::instances::{has_bounds, lacks};
use super::types::{Args, at, rust_text, unify, with_known};

/// Maximum number of functions that make values of one type from others.
const MOST_MAKERS: usize = 8;

/// Maximum number of methods that change values of one type.
const MOST_CHANGES: usize = 12;

/// Maximum number of functions whose literals are tried in one function.
const MOST_NAMES: usize = 24;

/// Maximum number of literals of which a text is put together, and of characters of one.
const MOST_PIECES: usize = 8;
const LONGEST_PIECE: usize = 8;

/// Limit of sizes in entries for users: a value of that size takes no noticeable memory.
const SIZES: usize = 1000;

/// Maximum number of instances of one type.
const MOST_INSTANCES: usize = 6;

/// The types of a crate that have been asked for, at their type arguments.
pub(super) struct Values<'c> {
    pub(super) catalog: &'c Catalog,
    /// The entries for the table `data`.
    pub(super) entries: Vec<Entry>,
    known: HashMap<String, usize>,
    /// What the user's tables can describe without entries; `None` if each type is an entry.
    pub(super) described: Option<Described<'c>>,
}

/// An entry of the table `data`.
pub(super) struct Entry {
    /// The type.
    pub(super) ty: RustType,
    /// Its name in the table.
    pub(super) name: String,
    /// The type as users know it, for messages.
    pub(super) shown: String,
    /// What comes before its constructors: `enum Tree`, `via`.
    head: String,
    /// What comes after the first constructor.
    after_first: String,
    /// How values are made.
    pub(super) ways: Vec<Way>,
    pub(super) kind: Kind,
}

/// How values of a type are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By naming the fields of a struct.
    Struct,
    /// By naming a variant.
    Enum,
    /// By calling functions.
    Calls,
}

/// What a way to make a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// A constructor, a constant, or a function of a trait: it doesn't say which type it makes.
    Undeclared,
    /// A call of a function that declares the type.
    Call,
    /// A call that needs another value of the type first.
    Later,
}

/// A constructor, or a function that makes values.
pub(super) struct Way {
    pub(super) text: String,
    pub(super) how: How,
    /// The entries that it needs.
    pub(super) uses: Vec<usize>,
}

impl<'c> Values<'c> {
    pub(super) fn new(catalog: &'c Catalog) -> Values<'c> {
        Values { catalog, entries: Vec::new(), known: HashMap::new(), described: None }
    }

    /// The entry of a type of the crate, by its number; what it needs may turn out not to exist.
    pub(super) fn entry(&mut self, id: TypeId, args: &[RustType]) -> Result<usize, String> {
        let catalog = self.catalog;
        let item = catalog.item(id);
        let ty = RustType::Item(id, args.to_vec());
        let key = format!("{id:?}{args:?}");
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let name = item.path.rsplit("::").next().unwrap_or_default();
        if item.public_path.is_none() {
            return Err(format!("`{name}` is private"));
        }
        let path = rust_text(&ty, catalog)
            .ok_or_else(|| format!("the type arguments of `{name}` can't be written"))?;
        let start = format!("{id:?}[");
        let n_of_type = self.known.keys().filter(|known| known.starts_with(&start)).count();
        if n_of_type >= MOST_INSTANCES {
            return Err(format!("`{name}` contains itself at ever more types"));
        }
        let number = self.entries.len();
        let name = self.free_name(item, number)?;
        self.known.insert(key, number);
        let is_open = self.described.is_none() && !self.holds_private(&ty, &mut Vec::new());
        let kind = match (is_open, item.is_enum) {
            (false, _) => Kind::Calls,
            (true, true) => Kind::Enum,
            (true, false) => Kind::Struct,
        };
        let (head, after_first) = match kind {
            Kind::Enum => (format!("enum {path}"), String::new()),
            Kind::Struct => (format!("struct {path}"), String::new()),
            Kind::Calls => ("via ".to_owned(), format!(" -> {path}")),
        };
        let (shown, ways) = (catalog.shown(&ty), Vec::new());
        self.entries.push(Entry { ty, name, shown, head, after_first, ways, kind });
        let ways = match kind {
            Kind::Calls if item.openings().next().is_none() => {
                let names = item.generics.iter().cloned().zip(args.iter().cloned()).collect();
                let literals = item.ctors.iter().filter_map(|ctor| self.literal(item, ctor, &names));
                let literals: Vec<Way> = literals.collect();
                let calls = match self.described {
                    Some(_) => self.written_calls(id, args),
                    None => self.calls(id, args),
                };
                literals.into_iter().chain(calls).collect()
            }
            Kind::Calls if self.described.is_some() => self.written_calls(id, args),
            Kind::Calls => self.calls(id, args),
            Kind::Enum | Kind::Struct => {
                let names = item.generics.iter().cloned().zip(args.iter().cloned()).collect();
                item.ctors.iter().filter_map(|ctor| self.fields(ctor, &names, kind)).collect()
            }
        };
        self.entries[number].ways = ways;
        Ok(number)
    }

    /// Whether a type has parts that the tables can't describe, since they are private or of unknown types.
    fn holds_private(&self, ty: &RustType, seen: &mut Vec<TypeId>) -> bool {
        let of_item = match ty {
            RustType::Item(id, _) if seen.contains(id) => false,
            RustType::Item(id, _) => {
                seen.push(*id);
                let item = self.catalog.item(*id);
                let mut fields = item.ctors.iter().flat_map(|ctor| &ctor.fields);
                item.openings().next().is_some() || fields.any(|field| self.holds_private(&field.ty, seen))
            }
            RustType::Foreign(path, _) => !is_shipped(path),
            RustType::Function(_)
            | RustType::Other(_)
            | RustType::Array(_, Length::Param(_) | Length::Unknown) => true,
            _ => false,
        };
        of_item || ty.parts().into_iter().any(|part| self.holds_private(part, seen))
    }

    /// A constructor as a call; `None` if a field can't be made.
    fn literal(&mut self, item: &TypeItem, ctor: &CtorItem, args: &Args) -> Option<Way> {
        let mut uses = Vec::new();
        let mut fields = Vec::new();
        for (index, field) in ctor.fields.iter().enumerate() {
            let ty = at(&field.ty, args).and_then(|ty| self.spec_text(&ty, &mut uses)).ok()?;
            let name = if ctor.named { field.name.clone() } else { format!("x{index}") };
            fields.push(format!("{name}: {ty}"));
        }
        let path = match self.described {
            Some(_) => item.access.path.clone(),
            None => self.catalog.outside_path(&item.access.path),
        };
        let path = if item.is_enum { format!("{path}::{}", ctor.name) } else { path };
        if fields.is_empty() && self.described.is_some() && item.is_enum {
            return Some(Way { text: path, how: How::Undeclared, uses });
        }
        let fields = fields.join(", ");
        let is_named = ctor.named || fields.is_empty();
        let text = if is_named { format!("{path} {{ {fields} }}") } else { format!("{path}({fields})") };
        Some(Way { text, how: How::Undeclared, uses })
    }

    /// A constructor with its fields; `None` if one can't be made.
    fn fields(&mut self, ctor: &CtorItem, args: &Args, kind: Kind) -> Option<Way> {
        let mut uses = Vec::new();
        let mut fields = Vec::new();
        for (index, field) in ctor.fields.iter().enumerate() {
            let ty = at(&field.ty, args).and_then(|ty| self.spec_text(&ty, &mut uses)).ok()?;
            let name = if ctor.named { field.name.clone() } else { format!("f{index}") };
            fields.push(format!("{name}: {ty}"));
        }
        let fields = fields.join(", ");
        let fields = match (ctor.named, fields.is_empty()) {
            (true, _) => format!(" {{ {fields} }}"),
            (false, true) => String::new(),
            (false, false) => format!("({fields})"),
        };
        let name = if kind == Kind::Enum { ctor.name.as_str() } else { "" };
        Some(Way { text: format!("{name}{fields}"), how: How::Undeclared, uses })
    }

    /// The calls that make a value of a type, those that need no other value of it first.
    fn calls(&mut self, id: TypeId, args: &[RustType]) -> Vec<Way> {
        let catalog = self.catalog;
        let ty = RustType::Item(id, args.to_vec());
        let item = catalog.item(id);
        if let Some((function, path)) = self.storing(id, &ty)
            && let Some(way) = self.maker(function, path, &ty)
        {
            return vec![way];
        }
        let (mut makers, mut changes) = (Vec::new(), Vec::new());
        if item.derives.iter().any(|name| name == "Default")
            && let Some(path) = rust_text(&ty, catalog)
        {
            let text = format!("<{path} as std::default::Default>::default()");
            makers.push(Way { text, how: How::Undeclared, uses: Vec::new() });
        }
        let constants = catalog.values.iter().filter(|(_, known)| *known == ty).take(MOST_MAKERS);
        makers.extend(constants.map(|(path, _)| Way {
            text: catalog.outside_path(path),
            how: How::Undeclared,
            uses: Vec::new(),
        }));
        for function in catalog.in_source_order() {
            let is_static = function.params.iter().any(|param| param.is_static);
            let path = function.public_path.as_ref().filter(|_| is_callable(function) && !is_static);
            let Some(path) = path else { continue };
            if makes(function, &ty) && makers.len() < MOST_MAKERS && is_maker(path) {
                makers.extend(self.maker(function, path, &ty));
            } else if changes.len() < MOST_CHANGES && !path.starts_with('<') {
                changes.extend(self.change(function, path, &ty));
            }
        }
        makers.sort_by_key(|way| way.uses.len());
        makers.into_iter().chain(changes).collect()
    }

    /// A public function that returns a struct with its arguments as the fields, unchanged: it makes all values that there are.
    fn storing(&self, id: TypeId, ty: &RustType) -> Option<(&'c FnItem, &'c str)> {
        let catalog = self.catalog;
        let item = catalog.item(id);
        let [ctor] = item.ctors.as_slice() else { return None };
        let takes_all = |function: &FnItem| {
            let stored = catalog.stored_by(function);
            let is_stored = |param: &ParamItem| {
                let is_it = |field: &&FieldItem| {
                    let is_set = |(set, by): &(String, String)| *set == field.name && *by == param.name;
                    field.ty == param.ty && stored.iter().any(is_set)
                };
                ctor.fields.iter().find(is_it).is_some()
            };
            // Each of as many fields as parameters gets one of them.
            function.params.len() == ctor.fields.len()
                && stored.len() == ctor.fields.len()
                && function.params.iter().all(is_stored)
                && unify(&function.result, ty, &mut Args::new())
        };
        let path = |function: &'c FnItem| {
            let path = function.public_path.as_deref().filter(|path| !path.starts_with('<'))?;
            (!ctor.fields.is_empty() && is_callable(function) && takes_all(function))
                .then_some((function, path))
        };
        catalog.in_source_order().into_iter().find_map(path)
    }

    /// A function that returns a value of the type.
    pub(super) fn maker(&mut self, function: &FnItem, path: &str, ty: &RustType) -> Option<Way> {
        let mut args = Args::new();
        unify(made(&function.result), ty, &mut args).then_some(())?;
        let args = self.all_known(function, args)?;
        self.call(path, function, &args, None)
    }

    /// A method that changes a value of the type.
    pub(super) fn change(&mut self, function: &FnItem, path: &str, ty: &RustType) -> Option<Way> {
        let receiver = function.params.first().filter(|param| param.name == "self")?;
        let RustType::Ref { mutable: true, inner } = &receiver.ty else { return None };
        let mut args = Args::new();
        unify(inner, ty, &mut args).then_some(())?;
        let args = self.all_known(function, args)?;
        self.call(path, function, &args, Some(ty))
    }

    /// The types for all of a function's type parameters, unless they are known to lack its bounds; in entries for users, only if
    /// they are known to have them.
    fn all_known(&self, function: &FnItem, args: Args) -> Option<Args> {
        let args = with_known(function, args, self.catalog)?;
        let is_sure = self.described.is_none() || has_bounds(function, &args, self.catalog);
        (is_sure && !lacks(function, &args, self.catalog)).then_some(args)
    }

    /// A call as the table `data` writes it; the type of a receiver that is changed comes first.
    fn call(
        &mut self,
        path: &str,
        function: &FnItem,
        args: &Args,
        changed: Option<&RustType>,
    ) -> Option<Way> {
        let mut uses = Vec::new();
        let mut params = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let is_plain = param.name != "_" && !param.name.starts_with("r#");
            let name = match self.described {
                Some(_) if is_plain => param.name.clone(),
                _ => format!("x{index}"),
            };
            let ty = match changed.filter(|_| index == 0) {
                Some(ty) => format!("&mut {}", self.spec_text(ty, &mut uses).ok()?),
                None => {
                    let ty = at(&param.ty, args).ok()?;
                    self.spec_text(&ty, &mut uses).ok()?
                }
            };
            let ty = match (ty.as_str(), &self.described) {
                ("&str" | "String", None) => self.text_for(function, &ty),
                ("&str" | "String", Some(_)) => self.readable_text(function, &name, &ty),
                ("usize", Some(_)) => format!("{{{name}: usize | {name} < {SIZES}}}"),
                _ => ty,
            };
            params.push(format!("{name}: {ty}"));
        }
        let how = match changed {
            Some(_) => How::Later,
            None if path.starts_with('<') => How::Undeclared,
            None => How::Call,
        };
        Some(Way { text: format!("{path}({})", params.join(", ")), how, uses })
    }

    /// The names of the functions by which values of some entries are made.
    pub(super) fn functions_behind(&self, uses: &[usize]) -> Vec<String> {
        let (mut waiting, mut seen, mut names) = (uses.to_vec(), Vec::new(), Vec::new());
        while let Some(number) = waiting.pop() {
            if seen.contains(&number) || names.len() >= MOST_NAMES {
                continue;
            }
            seen.push(number);
            let entry = &self.entries[number];
            waiting.extend(entry.ways.iter().flat_map(|way| &way.uses));
            if entry.kind == Kind::Calls {
                let called = entry.ways.iter().filter_map(|way| way.text.split_once('('));
                let named = called.filter_map(|(path, _)| path.rsplit("::").next());
                names.extend(named.map(str::to_owned));
            }
        }
        names.sort();
        names.dedup();
        names.truncate(MOST_NAMES);
        names
    }

    /// The type of a text from which a function makes a value: most texts would be refused, so it is put together from
    /// numbers and the literals of the function.
    fn text_for(&self, function: &FnItem, ty: &str) -> String {
        match self.pieces(function) {
            Some(pieces) => {
                let pieces: Vec<String> = pieces.iter().map(|piece| escaped(piece)).collect();
                format!("{{s: {ty} | s.matches(r##\"({})*\"##)}}", pieces.join("|"))
            }
            None => ty.to_owned(),
        }
    }

    /// The texts of which the text for a function is put together; `None` if any text is fine.
    pub(super) fn pieces(&self, function: &FnItem) -> Option<Vec<String>> {
        let literals = self.catalog.literals_of(function);
        let pieces = literals.iter().filter_map(|literal| match literal {
            Value::Char(c) => Some(c.to_string()),
            Value::Str(text) if text.chars().count() <= LONGEST_PIECE => Some(text.to_string()),
            _ => None,
        });
        let mut pieces: Vec<String> = pieces.filter(|piece| !piece.is_empty()).take(MOST_PIECES).collect();
        let reads_text = ["from_str", "parse", "try_from"].iter().any(|name| function.path.ends_with(name));
        if pieces.is_empty() && !reads_text {
            return None;
        }
        pieces.extend(["0", "1", "2"].map(str::to_owned));
        Some(pieces)
    }

    /// Leaves out what needs values that can't be had, and says for each entry whether there are values.
    pub(super) fn settle(&mut self) -> Vec<bool> {
        let mut has_values = vec![false; self.entries.len()];
        loop {
            let is_had =
                |entry: &Entry| entry.ways.iter().any(|way| way.uses.iter().all(|used| has_values[*used]));
            let next: Vec<bool> = self.entries.iter().map(is_had).collect();
            if next == has_values {
                break;
            }
            has_values = next;
        }
        for entry in &mut self.entries {
            entry.ways.retain(|way| way.uses.iter().all(|used| has_values[*used]));
        }
        has_values
    }
}

impl Entry {
    /// Whether some of its values are made of others.
    pub(super) fn is_changed(&self) -> bool {
        self.ways.iter().any(|way| way.how == How::Later)
    }

    /// The entry's body in the table `data`.
    pub(super) fn body(&self) -> String {
        let texts: Vec<&str> = self.ways.iter().map(|way| way.text.as_str()).collect();
        match (self.kind, texts.split_first()) {
            (Kind::Enum, _) => format!("{} {{ {} }}", self.head, texts.join(", ")),
            (Kind::Struct, _) => format!("{}{}", self.head, texts.concat()),
            (Kind::Calls, Some((first, rest))) => {
                let rest: String = rest.iter().map(|text| format!(" | {text}")).collect();
                format!("{}{first}{}{rest}", self.head, self.after_first)
            }
            (Kind::Calls, None) => String::new(),
        }
    }
}

/// A text as a part of a regular expression in a raw string.
pub(super) fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '\\' => {
            format!("\\{c}")
        }
        '"' | '\'' => format!("\\x{{{:x}}}", u32::from(c)),
        c if c.is_control() => format!("\\x{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}

/// Whether safe code can call a function and get its result.
pub(super) fn is_callable(function: &FnItem) -> bool {
    !function.is_unsafe && !function.is_async
}

/// Whether a function of this path may make values: no operator or copy of a value.
pub(super) fn is_maker(path: &str) -> bool {
    let of_trait =
        ["default::Default", "convert::", "str::FromStr", "iter::FromIterator", "iter::IntoIterator"];
    let is_known = |name: &str| {
        let (_, name) = name.split_once("::").unwrap_or(("", name));
        of_trait.iter().any(|known| name.starts_with(known))
    };
    !path.starts_with('<') || path.split_once(" as ").is_some_and(|(_, name)| is_known(name))
}

/// Whether a function returns a value of a type, perhaps in an `Option` or a `Result`.
pub(super) fn makes(function: &FnItem, ty: &RustType) -> bool {
    unify(made(&function.result), ty, &mut Args::new())
        && matches!(made(&function.result), RustType::Item(..))
}

fn made(result: &RustType) -> &RustType {
    match result {
        RustType::Option(inner) | RustType::Result(inner, _) => inner,
        other => other,
    }
}
