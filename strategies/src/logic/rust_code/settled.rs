//! Writes the type arguments of values in tests of generic functions, where nothing else says them: `Tree::<u8>::Leaf`,
//! `{ let value: Grid<u8, bool> = Grid::with_capacity(3_usize); value }`.
//!
//! It doesn't know which field has which type parameter, so that it rather writes too many arguments.

use std::collections::BTreeSet;

use super::{Printer, Settled};
use crate::logic::ir::{Ctor, Data, DataId, Refined, SeqKind, Sort};
use crate::logic::value::Value;

impl Printer<'_> {
    /// A value of a type as its constructor is written. In a test of a generic function, the constructor has the type's
    /// arguments unless its fields or an enclosing value determine them: `Mod::<7>(3_u32)`, `Tree::<u8>::Leaf`.
    pub(super) fn with_arguments(&self, id: DataId, ctor: &Ctor, fields: &[Value]) -> String {
        let is_known = match self.settled {
            Settled::Nothing => false,
            Settled::Only(known) => known == id,
            Settled::All => true,
        };
        let wanted = arguments(self.spec.data(id)).filter(|_| self.suffix && self.has_items);
        let Some((base, args)) = wanted.filter(|_| !is_known) else {
            return self.constructed(&ctor.rust_path, ctor, fields);
        };
        if self.is_determined(id, args, ctor, fields) {
            let inside = Printer { settled: Settled::Only(id), ..*self };
            return inside.constructed(&ctor.rust_path, ctor, fields);
        }
        let path = match ctor.rust_path.strip_prefix(base) {
            Some(variant) => format!("{base}::<{args}>{variant}"),
            // `None::<u8>`
            None => format!("{}::<{args}>", ctor.rust_path),
        };
        Printer { settled: Settled::All, ..*self }.constructed(&path, ctor, fields)
    }

    /// The type of a value that functions build, if a test of a generic function has to say it.
    pub(super) fn type_to_say(&self, id: DataId) -> Option<&str> {
        let data = self.spec.data(id);
        arguments(data).filter(|_| self.suffix && self.has_items).map(|_| data.rust_type.as_str())
    }

    /// Whether the fields of a value determine the arguments of its type: each argument is in the type of a field, and there
    /// are as many fields as arguments. Fields of the type itself don't count.
    fn is_determined(&self, id: DataId, args: &str, ctor: &Ctor, values: &[Value]) -> bool {
        let (mut types, mut n_fields) = (BTreeSet::new(), 0);
        for (field, value) in ctor.fields.iter().zip(values) {
            let is_own = field.refined.sort == Sort::Data(id);
            if !is_own && !self.says_type(value, &field.refined) {
                return false;
            }
            n_fields += usize::from(!is_own);
            self.add_types(&field.refined, &mut types);
        }
        let args = split(args);
        args.len() <= n_fields && args.iter().all(|arg| types.contains(arg))
    }

    /// Whether the expression of a value determines its type.
    fn says_type(&self, value: &Value, refined: &Refined) -> bool {
        let Value::Seq(elements) = value else { return true };
        if matches!(refined.sort, Sort::Seq(_, SeqKind::Answers(_)) | Sort::Str(_)) {
            return true;
        }
        !elements.is_empty()
            && refined.sort.parts(value).into_iter().all(|(part, value)| self.says_type(value, part))
    }

    /// Adds the types in a type that have names.
    fn add_types<'t>(&'t self, refined: &'t Refined, types: &mut BTreeSet<&'t str>) {
        match &refined.sort {
            Sort::Bool => drop(types.insert("bool")),
            Sort::Char => drop(types.insert("char")),
            Sort::Int(kind) => drop(types.insert(kind.name())),
            Sort::Float(kind) => drop(types.insert(kind.name())),
            Sort::Str(_) => drop(types.insert("String")),
            Sort::Seq(element, _) | Sort::Set(element, _) => self.add_types(element, types),
            Sort::Map(key, value, _) => {
                self.add_types(key, types);
                self.add_types(value, types);
            }
            Sort::Tuple(parts) => parts.iter().for_each(|part| self.add_types(part, types)),
            Sort::Data(id) => drop(types.insert(&self.spec.data(*id).rust_type)),
            Sort::Opaque(text) => drop(types.insert(text)),
        }
    }
}

/// The path of a type and its arguments, if it has some and all of them can be written.
fn arguments(data: &Data) -> Option<(&str, &str)> {
    let (base, args) = data.rust_type.strip_suffix('>')?.split_once('<')?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let can_be_written = !args.split(|c| !is_word(c)).any(|word| ["_", "impl", "dyn"].contains(&word));
    (can_be_written && data.object.is_none() && data.rule.is_none()).then_some((base, args))
}

/// The arguments in a list.
fn split(args: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    let mut before = ' ';
    for (at, c) in args.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if before != '-' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(args[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(args[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::split;
    use crate::logic::ir::{Builder, Ctor, Data, DataId, Field, IntKind, Refined, Sort, Spec, Via};
    use crate::logic::rust_code::in_test;
    use crate::logic::value::Value;

    #[test]
    fn constructors_have_the_arguments_that_no_field_determines() {
        let field = |sort| Field { name: "0".to_owned(), refined: Refined::plain(sort), slot: None };
        let ctor = |path: &str, fields| Ctor {
            rust_path: path.to_owned(),
            fields,
            named: false,
            recursive: false,
            excluded: false,
        };
        let data =
            |ty: &str, ctors, via| Data { rust_type: ty.to_owned(), ctors, via, object: None, rule: None };
        let byte = || field(Sort::Int(IntKind::U8));
        let tree = || field(Sort::Data(DataId(0)));
        let node = vec![tree(), byte(), tree()];
        let builder =
            Builder { reads: vec![None], may_fail: Some(false), changes: false, is_constant: false };
        let mut spec = Spec::unrefined("f");
        spec.data = vec![
            data("c::Tree<u8>", vec![ctor("c::Tree::Leaf", vec![]), ctor("c::Tree::Node", node)], None),
            data("Result<u8, Vec<(u8, bool)>>", vec![ctor("Ok", vec![byte()])], None),
            data("c::Mod<u8, 7>", vec![ctor("c::Mod", vec![tree()])], None),
            data(
                "c::Grid<u8, bool>",
                vec![ctor("c::Grid::new", vec![byte()])],
                Some(Via { builders: vec![builder], states: None }),
            ),
        ];
        let leaf = || Value::Data(0, [].into());
        let code = |value: &Value, id, suffix| {
            in_test(value, &Refined::plain(Sort::Data(DataId(id))), &spec, suffix)
        };
        let node = Value::Data(1, [leaf(), Value::int(3), leaf()].into());
        assert_eq!(code(&leaf(), 0, true), "c::Tree::<u8>::Leaf");
        assert_eq!(code(&leaf(), 0, false), "c::Tree::Leaf");
        assert_eq!(code(&node, 0, true), "c::Tree::Node(c::Tree::Leaf, 3_u8, c::Tree::Leaf)");
        let with = |value| Value::Data(0, [value].into());
        assert_eq!(code(&with(Value::int(3)), 1, true), "Ok::<u8, Vec<(u8, bool)>>(3_u8)");
        assert_eq!(code(&with(leaf()), 2, true), "c::Mod::<u8, 7>(c::Tree::Leaf)");
        let grid = "{ let value: c::Grid<u8, bool> = c::Grid::new(3_u8); value }";
        assert_eq!(code(&with(Value::int(3)), 3, true), grid);
        assert_eq!(code(&with(Value::int(3)), 3, false), "c::Grid::new(3)");
    }

    #[test]
    fn arguments_are_split_outside_of_brackets() {
        assert_eq!(split("Map<u8, bool>, (u8, [i8; 2]), 3"), ["Map<u8, bool>", "(u8, [i8; 2])", "3"]);
        assert_eq!(split("fn(u8, u8) -> Vec<u8>, u8"), ["fn(u8, u8) -> Vec<u8>", "u8"]);
    }
}
