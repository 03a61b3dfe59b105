//! A subject as text, for `cargo target explain`: the callee, parameters with their sorts, clauses as terms.
//!
//! The term of each clause follows the user's words. In a term, parameters have their names, the refined value is `v`,
//! a parameter on return has a prime, and binders are numbered.

use std::collections::BTreeSet;
use std::fmt::Write;

use target_strategies::logic::ir::{Clause, Refined, Sort, Spec, Term};

use crate::frontend::data::rust_type;
use crate::frontend::diagnostic::counted;
use crate::frontend::elaborate::print::Printer;
use crate::frontend::manifest::FunctionEntry;
use crate::frontend::spec::{parse, print};
use crate::frontend::subject::{Call, Subject};

/// A parsed spec, printed again; `None` if parsing failed.
pub fn describe_parsed(entry: &FunctionEntry) -> Option<String> {
    parse::signature(&entry.spec).ok().map(|signature| print::signature(&signature))
}

/// A spec after it is resolved.
pub fn describe(subject: &Subject) -> String {
    let spec = &subject.spec;
    let names = slot_names(spec);
    let printer =
        Printer { names: &names, data: &spec.data, functions: &spec.functions, regexes: &spec.regexes };
    let mut out = Description { spec, printer, text: String::new() };
    match &subject.call {
        Call::Path { path, generic: false } => out.line(0, &format!("{} calls {path}", spec.name)),
        Call::Path { path, generic: true } => {
            out.line(0, &format!("{} calls {path}, which is generic", spec.name))
        }
        Call::Closure { text, .. } => out.line(0, &format!("{} calls {text}", spec.name)),
    }
    if !subject.openings.is_empty() {
        let n = counted(subject.openings.len(), "place");
        out.line(1, &format!("{n} made public in a copy of the source"));
    }
    for (slot, param) in spec.params.iter().enumerate() {
        out.refined(1, &format!("{slot} {}", param.name), &param.refined);
    }
    out.clauses(1, "requires", &spec.requires);
    out.clauses(1, "explore", &spec.explore);
    out.clauses(1, "panics if", spec.panics_if.as_slice());
    out.refined(1, &format!("{} result", spec.value_slot()), &spec.result);
    out.clauses(1, "ensures", &spec.ensures);
    for example in &spec.examples {
        let args: Vec<String> = example.iter().map(|arg| printer.term(&Term::Lit(arg.clone()))).collect();
        out.line(1, &format!("example ({})", args.join(", ")));
    }
    out.data();
    out.functions();
    for (number, opaque) in subject.opaques.iter().enumerate() {
        let names: Vec<String> = opaque
            .bindings
            .iter()
            .map(|binding| format!("{}: &{}", binding.name, rust_type(&binding.refined, &spec.data)))
            .collect();
        out.line(1, &format!("where#{number} |{}| {}", names.join(", "), opaque.text));
    }
    out.text
}

/// The names of the spec's own slots.
fn slot_names(spec: &Spec) -> Vec<String> {
    let params = spec.params.iter().map(|param| param.name.clone());
    let value = if spec.params.iter().any(|param| param.name == "v") { "value" } else { "v" };
    let on_return = params.clone().map(|name| name + "'");
    params.chain([value.to_owned()]).chain(on_return).collect()
}

struct Description<'s> {
    spec: &'s Spec,
    printer: Printer<'s>,
    text: String,
}

impl Description<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        // Writing to a string can't fail.
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * indent);
    }

    /// A type, and below it the refinements of its parts.
    fn refined(&mut self, indent: usize, label: &str, refined: &Refined) {
        let text = rust_type(refined, &self.spec.data);
        self.line(indent, &format!("{label}: {text}"));
        self.inside(indent + 1, refined);
        refined.clauses.iter().for_each(|clause| self.clause(indent + 1, clause));
    }

    fn inside(&mut self, indent: usize, refined: &Refined) {
        match &refined.sort {
            Sort::Seq(element, _) if is_refined(element) => self.refined(indent, "each", element),
            Sort::Set(element, _) if is_refined(element) => self.refined(indent, "each", element),
            Sort::Map(key, value, _) => {
                for (label, part) in [("each key", key), ("each value", value)] {
                    if is_refined(part) {
                        self.refined(indent, label, part);
                    }
                }
            }
            Sort::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate().filter(|(_, part)| is_refined(part)) {
                    self.refined(indent, &format!(".{index}"), part);
                }
            }
            Sort::Data(id) if self.has_refined_fields(id.0 as usize) => {
                self.line(indent, &format!("see data {}", id.0));
            }
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Data(_)
            | Sort::Opaque(_) => {}
        }
    }

    fn has_refined_fields(&self, index: usize) -> bool {
        let fields = self.spec.data[index].ctors.iter().flat_map(|ctor| &ctor.fields);
        fields.into_iter().any(|field| is_refined(&field.refined))
    }

    fn functions(&mut self) {
        for function in &self.spec.functions {
            let params: Vec<String> = function.params.iter().map(|slot| format!("x{slot}")).collect();
            let decreases =
                function.decreases.as_ref().map(|term| format!(" decreases {}", self.printer.term(term)));
            let (name, params) = (&function.name, params.join(", "));
            self.line(1, &format!("fn {name}({params}){}", decreases.unwrap_or_default()));
            self.line(2, &self.printer.term(&function.body));
        }
    }

    /// The data types in arguments and results; declarations may have added more.
    fn reachable(&self) -> BTreeSet<usize> {
        let params = self.spec.params.iter().map(|param| &param.refined);
        let mut open: Vec<&Refined> = params.chain([&self.spec.result]).collect();
        let mut found = BTreeSet::new();
        while let Some(refined) = open.pop() {
            open.extend(refined.inner());
            if let Sort::Data(id) = refined.sort
                && found.insert(id.0 as usize)
            {
                let fields = self.spec.data(id).ctors.iter().flat_map(|ctor| &ctor.fields);
                open.extend(fields.map(|field| &field.refined));
            }
        }
        found
    }

    fn data(&mut self) {
        let reachable = self.reachable();
        let shown = self.spec.data.iter().enumerate().filter(|(index, _)| reachable.contains(index));
        for (index, data) in shown {
            self.line(1, &format!("data {index}: {}", data.rust_type));
            for ctor in &data.ctors {
                let remark = if ctor.excluded {
                    " (left out)"
                } else if ctor.recursive {
                    " (recursive)"
                } else {
                    ""
                };
                let fields: Vec<String> = ctor
                    .fields
                    .iter()
                    .map(|field| {
                        let slot = field.slot.map(|slot| format!("x{slot} = ")).unwrap_or_default();
                        format!("{slot}{}: {}", field.name, rust_type(&field.refined, &self.spec.data))
                    })
                    .collect();
                self.line(2, &format!("{}({}){remark}", ctor.rust_path, fields.join(", ")));
                for field in ctor.fields.iter().filter(|field| is_refined(&field.refined)) {
                    self.refined(3, &field.name, &field.refined);
                }
            }
        }
    }

    fn clauses(&mut self, indent: usize, label: &str, clauses: &[Clause]) {
        if !clauses.is_empty() {
            self.line(indent, label);
        }
        clauses.iter().for_each(|clause| self.clause(indent + 1, clause));
    }

    fn clause(&mut self, indent: usize, clause: &Clause) {
        self.line(indent, &format!("{}  ⇒  {}", clause.text, self.printer.term(&clause.term)));
    }
}

fn is_refined(refined: &Refined) -> bool {
    !refined.clauses.is_empty() || refined.inner().into_iter().any(is_refined)
}
