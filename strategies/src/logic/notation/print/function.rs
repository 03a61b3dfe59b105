//! Prints functions: `|x| match x { 0 => 3, _ => 1 }`. One with a state matches the number of its call.

use super::Printer;
use crate::logic::ir::{CallbackId, CallbackKind, IntKind, Refined, Sort};
use crate::logic::table::Table;
use crate::logic::value::Value;

impl Printer<'_> {
    /// Prints the table of a function.
    pub(super) fn function(&mut self, value: &Value, id: CallbackId, result: &Refined, level: u32) {
        let Some(table) = Table::of(value) else { return self.out.push('_') };
        let spec = self.spec;
        let callback = spec.callback(id);
        let names = callback.names();
        let number = Refined::plain(Sort::Int(IntKind::U64));
        let (matched, keys): (String, Vec<&Refined>) = match callback.kind {
            CallbackKind::Stateful => ("call".to_owned(), vec![&number]),
            CallbackKind::Pure | CallbackKind::Once => {
                (names.join(", "), callback.params.iter().map(|param| &param.refined).collect())
            }
        };
        let mut entries = table.entries().peekable();
        self.out.push('|');
        self.out.push_str(&names.join(", "));
        self.out.push_str("| ");
        if entries.peek().is_none() {
            return match table.default() {
                Some(default) => self.value(default, result, level + 1),
                None => self.out.push_str("unreachable!()"),
            };
        }
        self.out.push_str("match ");
        self.out.push_str(&if keys.len() == 1 { matched } else { format!("({matched})") });
        self.out.push_str(" { ");
        for (index, (args, value)) in entries.enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            match (args, keys.as_slice()) {
                ([arg], [key]) => self.value(arg, key, level + 1),
                _ => self.list('(', args.iter().zip(keys.iter().copied()), ')', level),
            }
            self.out.push_str(" => ");
            self.value(value, result, level + 1);
        }
        if let Some(default) = table.default() {
            self.out.push_str(", _ => ");
            self.value(default, result, level + 1);
        }
        self.out.push_str(" }");
    }
}
