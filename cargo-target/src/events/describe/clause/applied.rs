//! Calls of functions among the arguments: `keep(v)`, where the test has `let keep = |x| ..`.

use target_strategies::logic::ir::{Asked, Refined, SeqKind, Sort, Term};

use super::ClauseWriter;
use super::code::{Code, Type};

impl ClauseWriter<'_> {
    /// A call of a function that is a variable, with scalars.
    pub(super) fn applied(&mut self, of: Asked, args: &[Term]) -> Option<Code> {
        let Asked::Param(slot) = of else { return None };
        let (name, refined) = self.variables.get(&slot)?.clone();
        let Sort::Seq(result, SeqKind::Answers(id)) = &refined.sort else { return None };
        let params = &self.spec.callback(*id).params;
        if params.len() != args.len() || !is_scalar(result) {
            return None;
        }
        let args = params.iter().zip(args).map(|(param, arg)| {
            let arg = self.code(arg)?;
            let is_same = match (&arg.of, &param.refined.sort) {
                (Type::Bool, Sort::Bool) => true,
                (Type::Int(own), Sort::Int(wanted)) => own == wanted,
                (Type::Literal(n), Sort::Int(wanted)) => wanted.contains(n),
                _ => false,
            };
            (is_same && param.refined.pointers.is_empty()).then_some(arg.text)
        });
        let args: Vec<String> = args.collect::<Option<_>>()?;
        Some(Code::variable(&format!("{name}({})", args.join(", ")), result))
    }
}

fn is_scalar(refined: &Refined) -> bool {
    matches!(refined.sort, Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_))
        && refined.pointers.is_empty()
}
