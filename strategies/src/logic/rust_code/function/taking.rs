//! Prints functions that take a function: `|g| match g(0) { 3 => 5, _ => 7 }`.

use super::super::{Printer, scalar};
use super::matched;
use crate::logic::ir::{Callback, Refined, Sort, Step};
use crate::logic::table::Table;
use crate::logic::value::Value;

/// A function that takes a function.
struct Taking<'p, 's> {
    printer: &'p Printer<'s>,
    table: Table<'p>,
    /// The position of the function that is taken.
    at: usize,
    /// Its name.
    name: String,
    /// The name of one of its results where no pattern tells it.
    found: String,
    /// The type of its results.
    given: &'p Refined,
    steps: &'p Refined,
}

impl Printer<'_> {
    /// A closure that takes a function. Before it was run, its steps in order.
    pub(super) fn taking(&self, value: &Value, callback: &Callback, steps: &Refined) -> String {
        let names = callback.names();
        let (Some(table), Some((at, _, given))) = (Table::of(value), callback.taken()) else {
            let Value::Seq(values) = value else { return scalar(value) };
            let values: Vec<String> = values.iter().map(|step| self.step(step, "f", steps)).collect();
            return format!("|{}| unreachable!({:?})", names.join(", "), super::by_arguments(&values));
        };
        let found = ["x", "y"].into_iter().find(|name| names[at] != *name).unwrap_or_default().to_owned();
        let taking = Taking { printer: self, table, at, name: names[at].clone(), found, given, steps };
        let mut others: Vec<Vec<Value>> = Vec::new();
        for (args, _) in table.entries() {
            let rest = taking.without(args);
            if !others.contains(&rest) {
                others.push(rest);
            }
        }
        if let ([] | [_], 1) = (others.as_slice(), names.len()) {
            let all = others.first().map_or_else(|| taking.default(), |rest| taking.tree(rest, &[]));
            return self.closure(&names, &all);
        }
        let mut branches = Vec::new();
        for rest in &others {
            let params = callback.params.iter().zip(&names).enumerate().filter(|(index, _)| *index != at);
            let equal = params.zip(rest);
            let equal: Vec<String> =
                equal.map(|((_, (param, name)), value)| self.is_equal(name, value, &param.refined)).collect();
            branches.push(format!("if {} {{ {} }} else ", equal.join(" && "), taking.tree(rest, &[])));
        }
        let cut = self.cut(&mut branches);
        self.closure(&names, &format!("{}{cut}{{ {} }}", branches.concat(), taking.default()))
    }

    /// A closure with a body. In a test, rustc would warn of a name that the body doesn't have.
    fn closure(&self, names: &[String], body: &str) -> String {
        let words: Vec<&str> = body.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let is_read = |name: &str| !self.has_items || words.contains(&name);
        let names: Vec<&str> =
            names.iter().map(|name| if is_read(name) { name.as_str() } else { "_" }).collect();
        format!("|{}| {body}", names.join(", "))
    }

    /// A step that ends a call.
    fn step(&self, step: &Value, name: &str, steps: &Refined) -> String {
        let (Sort::Data(id), Value::Data(ctor, args)) = (&steps.sort, step) else { return scalar(step) };
        let Some(of_step) = self.spec.data(*id).ctors.get(*ctor as usize) else { return scalar(step) };
        // The arguments of a call need not outlive it.
        let printer = if *ctor == Step::Return as u32 { self.of_result() } else { Printer { ..*self } };
        let args = args.iter().zip(&of_step.fields);
        let args = args.map(|(arg, field)| printer.behind(&field.refined.pointers, arg, &field.refined));
        let args = args.collect::<Vec<_>>().join(", ");
        if *ctor == Step::Return as u32 { args } else { format!("{name}({args})") }
    }
}

impl Taking<'_, '_> {
    /// Arguments without the function among them.
    fn without(&self, args: &[Value]) -> Vec<Value> {
        args.iter().enumerate().filter(|(index, _)| *index != self.at).map(|(_, arg)| arg.clone()).collect()
    }

    fn default(&self) -> String {
        let step = |step| self.printer.step(step, &self.name, self.steps);
        self.table.default().map_or_else(|| "unreachable!()".to_owned(), step)
    }

    /// What follows after the function that is taken gave some results.
    fn tree(&self, rest: &[Value], given: &[Value]) -> String {
        let with_rest = || self.table.entries().filter(|(args, _)| self.without(args) == rest);
        let is_here = |args: &[Value]| matches!(&args[self.at], Value::Seq(values) if **values == *given);
        let found = with_rest().find(|(args, _)| is_here(args));
        let Some((_, Value::Data(ctor, args))) = found else { return self.default() };
        let ended = |ctor: u32| {
            let step = Value::Data(ctor, args.clone());
            self.printer.step(&step, &self.name, self.steps)
        };
        if *ctor != Step::Call as u32 {
            return ended(*ctor);
        }
        let mut next: Vec<&Value> = Vec::new();
        for (args, _) in with_rest() {
            if let Value::Seq(values) = &args[self.at]
                && values.starts_with(given)
                && let Some(value) = values.get(given.len())
                && !next.contains(&value)
            {
                next.push(value);
            }
        }
        let has_guards = next.iter().any(|value| !self.printer.has_pattern(value, self.given, true));
        let arms = next.into_iter().map(|value| {
            let then = self.tree(rest, &[given, std::slice::from_ref(value)].concat());
            if self.printer.has_pattern(value, self.given, true) {
                format!("{} => {then}, ", self.printer.pattern(value, self.given))
            } else {
                let found = &self.found;
                format!("{found} if {} => {then}, ", self.printer.is_equal(found, value, self.given))
            }
        });
        let mut arms: Vec<String> = arms.collect();
        let call = ended(Step::Pass as u32);
        // A pattern for what is behind a pointer.
        let call = if has_guards { call } else { matched(&call, self.given) };
        let cut = self.printer.cut(&mut arms);
        format!("match {call} {{ {}{cut}_ => {} }}", arms.concat(), self.default())
    }
}
