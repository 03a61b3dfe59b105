//! Arguments that are no variables of a test, as owned values.

use target_strategies::logic::ir::{Refined, SeqKind, Sort};
use target_strategies::logic::value::Value;

use super::computed::unified;
use super::model::Model;
use super::parts::is_struct;
use super::{ClauseWriter, Code};

impl ClauseWriter<'_> {
    /// The parameter in a slot as an owned value, if its argument is known.
    pub(super) fn argument(&self, slot: u32) -> Option<Code> {
        let at = slot as usize;
        let (param, value) = (self.spec.params.get(at)?, self.args.get(at)?);
        let (text, model) = self.known.contains(&slot).then(|| self.constant(value, &param.refined))??;
        Some(model.made(text))
    }

    fn constant(&self, value: &Value, refined: &Refined) -> Option<(String, Model)> {
        let all = |parts: Vec<(&Refined, &Value)>| -> Option<Vec<(String, Model)>> {
            parts.into_iter().map(|(of, part)| self.constant(part, of)).collect()
        };
        let tuple = |parts: Vec<(String, Model)>| {
            let (texts, models): (Vec<String>, Vec<Model>) = parts.into_iter().unzip();
            let texts: Vec<String> = texts.into_iter().map(|text| text + ",").collect();
            (format!("({})", texts.join(" ")), Model::Tuple(models))
        };
        Some(match (&refined.sort, value) {
            (Sort::Bool, Value::Bool(truth)) => (truth.to_string(), Model::Bool),
            (Sort::Int(kind), Value::Int(n)) => (format!("{n}_{}", kind.name()), Model::Int(Some(*kind))),
            (Sort::Char, Value::Char(c)) => (format!("{c:?}"), Model::Char),
            (Sort::Str(_), Value::Str(text)) => (format!("String::from({text:?})"), Model::Text),
            (Sort::Seq(_, SeqKind::Answers(_)), _) => return None,
            (Sort::Seq(..), Value::Seq(_)) => match all(refined.sort.parts(value))? {
                parts if parts.is_empty() => ("Vec::new()".to_owned(), Model::List(Box::new(Model::Any))),
                parts => {
                    let (texts, model) = unified(parts)?;
                    (format!("vec![{}]", texts.join(", ")), Model::List(Box::new(model)))
                }
            },
            (Sort::Tuple(_), Value::Tuple(_)) => tuple(all(refined.sort.parts(value))?),
            (Sort::Data(id), Value::Data(number, fields)) => {
                let data = self.spec.data(*id);
                let ctor = data.ctors.get(*number as usize)?;
                let parts = all(ctor.fields.iter().map(|field| &field.refined).zip(&**fields).collect())?;
                if is_struct(data) && data.rule.is_none() && data.object.is_none() {
                    tuple(parts)
                } else if data.rust_type.starts_with("Option<") {
                    match parts.into_iter().next() {
                        None => ("None".to_owned(), Model::Option(Box::new(Model::Any))),
                        Some((text, of)) => (format!("Some({text})"), Model::Option(Box::new(of))),
                    }
                } else {
                    let is_number = data.via.is_none()
                        && data.rule.is_none()
                        && data.object.is_none()
                        && data.ctors.iter().all(|ctor| ctor.fields.is_empty());
                    is_number.then(|| (format!("{number}_i128"), Model::Int(None)))?
                }
            }
            (Sort::Bool | Sort::Int(_) | Sort::Char | Sort::Str(_) | Sort::Seq(..), _) => return None,
            (Sort::Tuple(_) | Sort::Data(_), _) => return None,
            (Sort::Float(_) | Sort::Set(..) | Sort::Map(..) | Sort::Opaque(_), _) => return None,
        })
    }
}
