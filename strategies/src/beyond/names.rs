//! Whether numbers and characters are names, of which it only matters which are equal.

use crate::logic::ir::{Spec, Term, visit};

/// Whether a spec asks of the scalars in inputs only which are equal, and in which ranges they are: they are names. Conditions on
/// results say so as well as those on inputs. But that a result equals an input doesn't, nor does what is asked of the result alone.
pub(super) fn reads_names(spec: &Spec) -> bool {
    let (results, called) = spec.result_terms();
    let about_inputs = spec.input_terms().into_iter().chain(spec.panic_terms()).chain(called);
    let (mut are_compared, mut are_ordered) = (false, false);
    for term in about_inputs {
        let uses = uses_of_scalars(term, &|_| true);
        are_compared |= uses.0;
        are_ordered |= uses.1;
    }
    for term in results {
        let is_of_inputs = |term: &Term| !matches!(term, Term::Equal(..)) && spec.reads_inputs(term);
        let uses = uses_of_scalars(term, &is_of_inputs);
        are_compared |= uses.0;
        are_ordered |= uses.1;
    }
    are_compared && !are_ordered
}

/// Whether a term asks which scalars are equal, and whether it asks more of them. Only those comparisons count that are of inputs.
fn uses_of_scalars(term: &Term, is_of_inputs: &dyn Fn(&Term) -> bool) -> (bool, bool) {
    let (mut are_compared, mut are_ordered) = (false, false);
    // A length isn't a name.
    let is_other = |term: &Term| matches!(term, Term::Lit(_) | Term::Len(_) | Term::ToInt(_));
    let mut look = |term: &Term| match term {
        Term::Equal(a, b) => are_compared |= is_of_inputs(term) && !is_other(a) && !is_other(b),
        Term::Contains(..) | Term::Distinct(_) | Term::SetOp(..) | Term::Subset(..) => {
            are_compared |= is_of_inputs(term);
        }
        Term::Compare(_, a, b) => are_ordered |= !is_other(a) && !is_other(b),
        Term::Arith(..) | Term::Machine(..) | Term::Neg(_) | Term::Abs(_) | Term::Sum(_) => {
            are_ordered = true
        }
        Term::FloatArith(..) | Term::FloatUnary(..) | Term::IntToFloat(..) => are_ordered = true,
        Term::IsSorted(_) | Term::Extreme { .. } | Term::CharIs(..) | Term::Opaque(..) => are_ordered = true,
        Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) => {}
        Term::Let { .. } | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) => {}
        Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..) => {}
        Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) => {}
        Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) => {}
        Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) => {}
        Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } => {}
        Term::Position(..) | Term::Collect(..) | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..) => {}
        Term::MapWith(..) | Term::MapWithout(..) | Term::Call(..) | Term::Ask(..) | Term::Undefined => {}
    };
    visit(term, &mut look);
    (are_compared, are_ordered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Clause, CompareOp, Function, FunctionId, IntKind, Param, Refined, Sort};
    use crate::logic::value::Value;

    fn reads(term: Term) -> bool {
        let requires = vec![Clause { id: 0, text: String::new(), term }];
        reads_names(&Spec { requires, ..Spec::unrefined("") })
    }

    #[test]
    fn conditions_on_results_tell_names() {
        let var = |slot| Box::new(Term::Var(slot));
        let spec = |term: Term, body: Term| {
            let refined = Refined::plain(Sort::Int(IntKind::U8));
            let params = vec![Param { name: String::new(), refined, mutable: false }];
            let ensures = vec![Clause { id: 0, text: String::new(), term }];
            let function = Function {
                name: String::new(),
                params: vec![3],
                body,
                decreases: None,
                total: true,
                nesting: 1,
            };
            Spec { params, ensures, functions: vec![function], ..Spec::unrefined("") }
        };
        let reads = |term: Term, body: Term| reads_names(&spec(term, body));
        // The argument is in slot 0, the result in slot 1.
        let call = |slot| Term::Call(FunctionId(0), vec![Term::Var(slot)]);
        assert!(reads(Term::Contains(var(0), var(1)), Term::Undefined));
        assert!(!reads(Term::Distinct(var(1)), Term::Undefined));
        assert!(!reads(Term::Equal(var(0), var(1)), Term::Undefined));
        assert!(reads(call(0), Term::Equal(var(3), var(4))));
        assert!(!reads(call(1), Term::Equal(var(3), var(4))));
        assert!(!reads(call(0), Term::Undefined));
        let less = Term::Compare(CompareOp::Lt, var(3), var(4));
        assert!(!reads(Term::And(vec![call(0), Term::Contains(var(0), var(1))]), less));
        let less = Term::Compare(CompareOp::Lt, var(0), var(0));
        let panics_if = Some(Clause { id: 1, text: String::new(), term: less });
        assert!(!reads_names(&Spec { panics_if, ..spec(Term::Contains(var(0), var(1)), Term::Undefined) }));
    }

    #[test]
    fn scalars_that_are_only_equal_or_not_are_names() {
        let var = |slot| Box::new(Term::Var(slot));
        let three = || Box::new(Term::Lit(Value::int(3)));
        let same = || Term::Equal(var(0), var(1));
        assert!(reads(same()));
        assert!(reads(Term::Contains(var(0), var(1))));
        // A range says nothing about two of them.
        assert!(reads(Term::And(vec![same(), Term::Compare(CompareOp::Lt, var(0), three())])));
        assert!(!reads(Term::Compare(CompareOp::Lt, var(0), three())));
        assert!(!reads(Term::And(vec![same(), Term::Compare(CompareOp::Lt, var(0), var(1))])));
        assert!(!reads(Term::Equal(var(0), three())));
    }
}
