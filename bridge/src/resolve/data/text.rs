//! Refined types as Rust code, refinements left out.

use target_strategies::ir::{Pointer, Refined, SeqKind, Sort, StrKind};

use crate::resolve::data::DataTable;

impl DataTable<'_> {
    /// The type as Rust code that can be written outside the crate, refinements left out.
    pub fn rust_type(&self, refined: &Refined) -> String {
        let mut text = String::new();
        let mut closing = String::new();
        for pointer in &refined.pointers {
            text.push_str(match pointer {
                Pointer::Ref => "&",
                Pointer::RefMut => "&mut ",
                Pointer::Box => "Box<",
                Pointer::Rc => "std::rc::Rc<",
                Pointer::Arc => "std::sync::Arc<",
            });
            if !matches!(pointer, Pointer::Ref | Pointer::RefMut) {
                closing.push('>');
            }
        }
        text.push_str(&self.sort_text(&refined.sort));
        text + &closing
    }

    fn sort_text(&self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => "bool".to_owned(),
            Sort::Char => "char".to_owned(),
            Sort::Int(kind) => kind.name().to_owned(),
            Sort::Float => "f64".to_owned(),
            Sort::Str(StrKind::String) => "String".to_owned(),
            Sort::Str(StrKind::Str) => "str".to_owned(),
            Sort::Seq(element, SeqKind::Vec) => format!("Vec<{}>", self.rust_type(element)),
            Sort::Seq(element, SeqKind::Slice) => format!("[{}]", self.rust_type(element)),
            Sort::Seq(element, SeqKind::Array(n)) => format!("[{}; {n}]", self.rust_type(element)),
            Sort::Tuple(parts) => match parts.as_slice() {
                [only] => format!("({},)", self.rust_type(only)),
                parts => {
                    let parts: Vec<String> = parts.iter().map(|part| self.rust_type(part)).collect();
                    format!("({})", parts.join(", "))
                }
            },
            Sort::Data(id) => self.get(*id).rust_type.clone(),
            Sort::Opaque(text) => text.clone(),
        }
    }

    /// The arguments of a type, in angle brackets, if there are any.
    pub(super) fn rust_args(&self, args: &[Refined]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let args: Vec<String> = args.iter().map(|arg| self.rust_type(arg)).collect();
        format!("<{}>", args.join(", "))
    }
}
