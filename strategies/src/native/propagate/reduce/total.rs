//! Which terms are total: they have a value whatever the open holes hold. Only total terms may be dropped, or given a
//! value.

use super::{Env, Reducer, constructed, seq_of, text_of};
use crate::logic::ir::{ArithOp, DataId, Function, FunctionId, Term, for_children};
use crate::logic::value::Value;
use crate::native::plan::problem::MADE;
use crate::native::plan::types::{Form, TypeId};

/// Maximum number of lengths for which a function of a sequence is analysed.
const FEW_LENGTHS: usize = 24;

impl Reducer {
    /// Whether a term has a value whatever the open holes hold.
    pub fn is_total(&mut self, term: &Term) -> bool {
        self.is_total_where(term, &mut Vec::new())
    }

    /// [`Reducer::is_total`], if terms are known to have, or not to have, a constructor.
    fn is_total_where(&mut self, term: &Term, known: &mut Vec<(Term, u32, bool)>) -> bool {
        match term {
            Term::Var(_) | Term::Lit(_) => true,
            Term::Undefined
            | Term::Index(..)
            | Term::Slice(..)
            | Term::Opaque(..)
            | Term::Ask(..)
            | Term::Machine(..) => false,
            Term::Arith(ArithOp::Div | ArithOp::Rem | ArithOp::DivEuclid | ArithOp::RemEuclid, a, b) => {
                matches!(&**b, Term::Lit(Value::Int(n)) if !n.is_zero()) && self.is_total_where(a, known)
            }
            Term::Arith(ArithOp::Pow, ..) => false,
            Term::If(condition, a, b) => {
                if !self.is_total_where(condition, known) {
                    return false;
                }
                let Term::IsCtor(of, ctor) = &**condition else {
                    return self.is_total_where(a, known) && self.is_total_where(b, known);
                };
                let depth = known.len();
                known.push(((**of).clone(), *ctor, true));
                let then = self.is_total_where(a, known);
                known.truncate(depth);
                known.push(((**of).clone(), *ctor, false));
                let total = then && self.is_total_where(b, known);
                known.truncate(depth);
                total
            }
            Term::TextOp(op, _) if !op.is_total() => false,
            Term::Field { of, ctor, .. } => self.is_total_where(of, known) && self.must_be(of, *ctor, known),
            Term::Call(id, args) => {
                args.iter().all(|arg| self.is_total_where(arg, known)) && self.is_total_call(*id, args)
            }
            // Of these, only parts can be undefined.
            #[rustfmt::skip]
            Term::Not(_) | Term::And(_) | Term::Or(_) | Term::Let { .. } | Term::Equal(..)
            | Term::Compare(..) | Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::FloatArith(..)
            | Term::FloatUnary(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_)
            | Term::Construct(..) | Term::Project(..) | Term::IsCtor(..) | Term::Len(_) | Term::Concat(_)
            | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..) | Term::Zip(..)
            | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..) | Term::Matches(..)
            | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..) | Term::Map(..)
            | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_) | Term::Position(..)
            | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..)
            | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..)
            | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) => {
                let mut total = true;
                for_children(term, &mut |child| total = total && self.is_total_where(child, known));
                total
            }
        }
    }

    /// Whether an open hole can only have this constructor.
    fn must_be(&self, of: &Term, ctor: u32, known: &[(Term, u32, bool)]) -> bool {
        if known.iter().any(|(term, found, is)| *is && *found == ctor && term == of) {
            return true;
        }
        let Some(Form::Data(ctors)) = self.type_at(of).map(|of| &self.types.get(of).form) else {
            return false;
        };
        (0..).zip(ctors).all(|(other, hole)| {
            other == ctor
                || hole.is_none()
                || known.iter().any(|(term, found, is)| !is && *found == other && term == of)
        })
    }

    /// Whether a function is defined for all values of an open hole, for any other arguments.
    fn is_total_call(&mut self, id: FunctionId, args: &[Term]) -> bool {
        let functions = self.types.functions.clone();
        let function = &functions[id.0 as usize];
        if function.decreases.is_some() {
            return false;
        }
        let inspects = self.functions[id.0 as usize].inspects.clone();
        let inspected: Vec<usize> = (0..args.len()).filter(|at| inspects.get(*at) == Some(&true)).collect();
        let [at] = inspected[..] else { return inspected.is_empty() && self.is_total_body(function, args) };
        let Some(of) = self.type_at(&args[at]) else { return false };
        let types = self.types.clone();
        if let Form::Str(elements) | Form::Seq(elements) = &types.get(of).form
            && elements.lens.len() > FEW_LENGTHS
        {
            return false;
        }
        if let Some(known) = self.total.get(&(id, of)) {
            return *known;
        }
        self.total.insert((id, of), true);
        let n_slots = self.slots.len();
        let total = self.constructors(of).into_iter().all(|constructor| {
            let mut args: Vec<Term> = args.to_vec();
            // A variable without known facts stands for each of the other arguments.
            (0u32..)
                .zip(&mut args)
                .filter(|(i, _)| *i as usize != at)
                .for_each(|(i, arg)| *arg = Term::Var(MADE + 64 + i));
            args[at] = constructor;
            self.is_total_body(function, &args)
        });
        self.slots.truncate(n_slots);
        // Calls that relied on the assumption are analysed again.
        if !total {
            self.total.retain(|_, total| !*total);
            self.total.insert((id, of), false);
        }
        total
    }

    fn is_total_body(&mut self, function: &Function, args: &[Term]) -> bool {
        let mut env = Env::new(function.params.iter().copied().zip(args.iter().cloned()).collect());
        let fuel = std::mem::replace(&mut self.fuel, 64);
        let body = self.reduce(&function.body, &mut env, false);
        self.fuel = fuel;
        self.is_total(&body)
    }

    /// The head constructors of a type, with open fields.
    fn constructors(&mut self, of: TypeId) -> Vec<Term> {
        let types = self.types.clone();
        match &types.get(of).form {
            Form::Empty | Form::Scalar(_) => vec![Term::Var(self.open(of))],
            Form::Tuple(parts) => {
                vec![Term::Tuple(parts.iter().map(|of| Term::Var(self.open(*of))).collect())]
            }
            Form::Data(ctors) => {
                let ctors = (0..).zip(ctors).filter_map(|(index, ctor)| Some((index, ctor.as_ref()?)));
                let data = DataId(0);
                ctors
                    .map(|(index, ctor)| {
                        let fields = ctor.fields.iter().map(|of| Term::Var(self.open(*of))).collect();
                        constructed(data, index, fields)
                    })
                    .collect()
            }
            Form::Str(elements) | Form::Seq(elements) => {
                let is_text = matches!(types.get(of).form, Form::Str(_));
                let lens = elements.lens.iter();
                lens.map(|len| {
                    let parts = (0..*len).map(|i| Term::Var(self.open(elements.at(i)))).collect();
                    if is_text { text_of(parts) } else { seq_of(parts) }
                })
                .collect()
            }
        }
    }
}
