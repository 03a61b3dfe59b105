//! Parses functions: `|x| match x { 0 => 3, _ => 1 }`, `|_| 1`, `|_| unreachable!()`.

use super::{Mistake, Parser};
use crate::logic::ir::{CallbackId, CallbackKind, IntKind, Refined};
use crate::logic::table::table;
use crate::logic::value::Value;

impl<'a> Parser<'a> {
    /// The table of a function. The names before `match` mean nothing.
    pub(super) fn function(
        &mut self,
        id: CallbackId,
        result: &'a Refined,
        level: u32,
    ) -> Result<Value, Mistake> {
        self.expect('|')?;
        self.take_while(|c| c != '|');
        self.expect('|')?;
        self.skip_blank();
        if self.eat_text("unreachable!()") {
            return Ok(table([], None));
        }
        if !self.eat_text("match ") {
            return Ok(table([], Some(self.value(result, level + 1)?)));
        }
        self.take_while(|c| c != '{');
        let spec = self.spec;
        let callback = spec.callback(id);
        let (mut entries, mut default) = (Vec::new(), None);
        self.many('{', '}', |parser| {
            parser.skip_blank();
            let args = match (callback.kind, callback.params.as_slice()) {
                _ if parser.is_default() => None,
                (CallbackKind::Stateful, _) => Some(vec![parser.int(IntKind::U64)?]),
                (_, [param]) => Some(vec![parser.value(&param.refined, level + 1)?]),
                (_, params) => {
                    let params: Vec<&Refined> = params.iter().map(|param| &param.refined).collect();
                    Some(parser.tuple(&params, "argument", level)?)
                }
            };
            parser.expect('=')?;
            parser.expect('>')?;
            let value = parser.value(result, level + 1)?;
            match args {
                Some(args) => entries.push((args, value)),
                None => default = Some(value),
            }
            Ok(Value::unit())
        })?;
        Ok(table(entries, default))
    }

    /// Whether the next arm is the one for all other arguments, whose `_` is taken.
    fn is_default(&mut self) -> bool {
        self.text[self.at..].starts_with('_') && self.eat('_')
    }

    fn eat_text(&mut self, text: &str) -> bool {
        let is_there = self.text[self.at..].starts_with(text);
        self.at += if is_there { text.len() } else { 0 };
        is_there
    }
}
