//! The values of slots during evaluation, and the reasons why evaluation halts.
//!
//! Arguments and their parts are borrowed: binding an element of an argument to a closure's slot copies nothing. Only
//! newly computed values are owned.

use std::sync::Arc;

use super::decisions::OpenDecisions;
use super::judgement::{Host, NoAnswer, Obstacle, Stop};
use crate::cancel;
use crate::logic::ir::{Asked, Function, FunctionId, Question, Regex, Term};
use crate::logic::value::Value;

/// Maximum number of steps of one clause: terms evaluated and elements visited. It takes below a second.
const STEPS: u32 = 10_000_000;

/// Binary logarithm of the number of steps between two checks of the limits, about ten microseconds.
const BITS_OF_A_LOOK: u32 = 12;

/// The slot of a value that no term can name.
const UNNAMED: u32 = u32::MAX;

/// Maximum total nesting of the terms of measures that call each other. A level takes less than a kilobyte of the
/// stack, and the smallest stack that a judge runs on has eight megabytes.
const NESTING: u32 = 6_000;

/// The binders of terms, and the remaining work.
pub(super) struct Env<'a> {
    pub(super) frame: Frame<'a>,
    locals: Vec<(u32, Datum<'a>)>,
    /// Number of locals that are fields around the current clause, not binders inside it.
    n_fields: usize,
    functions: &'a [Function],
    pub(super) regexes: &'a [Regex],
    /// Whether values may have parts that can't be read back.
    pub(super) has_unread: bool,
    /// The decisions to record, outside measures.
    pub(super) open: Option<&'a mut OpenDecisions>,
    nesting: u32,
    host: Option<&'a mut dyn Host>,
    steps: u32,
    /// The message of a `where` condition's panic.
    panic: String,
}

/// The slots that no binder fills.
#[derive(Clone, Copy)]
pub(super) enum Frame<'a> {
    /// The slots of a clause of a spec.
    Case {
        /// The parameters as on entry.
        entry: &'a [Value],
        /// The refined value, or the result.
        value: Option<&'a Value>,
        /// The parameters as on return.
        after: &'a [Value],
    },
    /// Any slots, by index.
    Slots(&'a [Option<Value>]),
}

/// What a slot holds. Small: it is looked up for each variable.
#[derive(Clone, Copy)]
enum Content<'e, 'a> {
    /// A value that lives elsewhere.
    Value(&'a Value),
    /// A new value, or part of a sequence.
    Local(&'e Datum<'a>),
}

/// [`Stop`] in a small form, because every term returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Rust would panic.
    Undefined,
    /// The term needs a host, and there is none.
    Unjudged,
    /// A `where` condition panicked.
    Panicked,
    /// The steps are used up, or a number is too long.
    TooLarge,
    /// The slot holds nothing.
    Unbound,
    /// An operation met a value of another sort.
    IllTyped,
    /// The term reads a field that can't be read back from a value that a function built.
    Unread,
}

/// The value of a term, borrowed if possible.
#[derive(Clone)]
pub(super) enum Datum<'a> {
    /// A value that lives elsewhere.
    Ref(&'a Value),
    /// Part of a sequence that lives elsewhere.
    View(&'a [Value]),
    /// A new value.
    Own(Value),
}

impl<'a> Env<'a> {
    pub(super) fn new(
        frame: Frame<'a>,
        functions: &'a [Function],
        regexes: &'a [Regex],
        host: Option<&'a mut dyn Host>,
    ) -> Env<'a> {
        let (locals, panic) = (Vec::new(), String::new());
        Env {
            frame,
            locals,
            n_fields: 0,
            functions,
            regexes,
            has_unread: false,
            open: None,
            nesting: 0,
            host,
            steps: STEPS,
            panic,
        }
    }

    /// Resets the work and the binders for the next clause.
    pub(super) fn restart(&mut self) {
        self.steps = STEPS;
        self.nesting = 0;
        self.locals.truncate(self.n_fields);
    }

    /// Binds a field of the surrounding data value for the clauses up to [`Env::leave_fields`].
    pub(super) fn enter_field(&mut self, slot: u32, value: &'a Value) {
        self.locals.truncate(self.n_fields);
        self.locals.push((slot, Datum::Ref(value)));
        self.n_fields += 1;
    }

    /// Unbinds the fields bound last.
    pub(super) fn leave_fields(&mut self, n: usize) {
        self.n_fields -= n;
        self.locals.truncate(self.n_fields);
    }

    #[inline]
    pub(super) fn charge(&mut self, steps: usize) -> Result<(), Halt> {
        let left = u32::try_from(steps).ok().and_then(|steps| self.steps.checked_sub(steps));
        let left = left.ok_or(Halt::TooLarge)?;
        if (left ^ self.steps) >> BITS_OF_A_LOOK != 0 {
            cancel::look_after(1 << BITS_OF_A_LOOK);
        }
        self.steps = left;
        Ok(())
    }

    /// Records that a condition was judged, if decisions are watched.
    #[inline]
    pub(super) fn decided(&mut self, condition: &Term, truth: bool) {
        if let Some(open) = &mut self.open {
            open.note(condition, truth);
        }
    }

    pub(super) fn slot(&self, slot: u32) -> Result<Datum<'a>, Halt> {
        match self.content(slot).ok_or(Halt::Unbound)? {
            Content::Value(Value::Data(u32::MAX, _)) => Err(Halt::Unread),
            Content::Value(value) => Ok(Datum::Ref(value)),
            Content::Local(local) => Ok(local.clone()),
        }
    }

    /// The value of a slot, a constant, or a part of these, if it lives elsewhere. Nothing is copied, not even a counter.
    pub(super) fn reference(&self, term: &'a Term) -> Result<Option<&'a Value>, Halt> {
        if let Term::Var(slot) = term {
            match self.content(*slot) {
                Some(Content::Value(Value::Data(u32::MAX, _))) => Err(Halt::Unread),
                Some(Content::Value(value)) => Ok(Some(value)),
                Some(Content::Local(_)) => Ok(None),
                None => Err(Halt::Unbound),
            }
        } else if let Term::Field { of, ctor, index } = term {
            self.reference(of)?.map(|of| field_of(of, *ctor, *index)).transpose()
        } else if let Term::Project(of, index) = term {
            self.reference(of)?.map(|of| component_of(of, *index)).transpose()
        } else if let Term::Lit(value) = term {
            Ok(Some(value))
        } else {
            Ok(None)
        }
    }

    #[inline]
    fn content(&self, slot: u32) -> Option<Content<'_, 'a>> {
        let index = slot as usize;
        let found = match self.frame {
            Frame::Case { entry, .. } if index < entry.len() => entry.get(index),
            Frame::Case { entry, value, .. } if index == entry.len() => value,
            Frame::Case { entry, after, .. } if index <= 2 * entry.len() => {
                after.get(index - entry.len() - 1)
            }
            Frame::Case { .. } => None,
            // Here a binder may reuse an outer slot.
            Frame::Slots(slots) => {
                return self.local(slot).or_else(|| slots.get(index)?.as_ref().map(Content::Value));
            }
        };
        found.map(Content::Value).or_else(|| self.local(slot))
    }

    #[inline]
    fn local(&self, slot: u32) -> Option<Content<'_, 'a>> {
        // The innermost binder is the last. There are few, so a linear search is fast.
        let (_, datum) = self.locals.iter().rev().find(|(local, _)| *local == slot)?;
        Some(if let Datum::Ref(value) = datum { Content::Value(value) } else { Content::Local(datum) })
    }

    /// Runs a computation with a binder's slot filled.
    pub(super) fn binding<T>(
        &mut self,
        slot: u32,
        datum: Datum<'a>,
        compute: impl FnOnce(&mut Env<'a>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.locals.push((slot, datum));
        // After a halt, the clause forgets all binders.
        let result = compute(self)?;
        self.locals.pop();
        Ok(result)
    }

    /// Runs a computation with a function's parameters bound to the arguments.
    pub(super) fn call<T>(
        &mut self,
        id: FunctionId,
        args: &'a [Term],
        compute: impl FnOnce(&mut Env<'a>, &'a Term) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let functions = self.functions;
        let function = functions.get(id.0 as usize).ok_or(Halt::Unbound)?;
        if function.params.len() != args.len() {
            return Err(Halt::IllTyped);
        }
        if self.nesting + function.nesting > NESTING {
            return Err(Halt::TooLarge);
        }
        self.nesting += function.nesting;
        let outer = self.locals.len();
        for arg in args {
            // Most arguments are parts of values. To push these on their own saves copies.
            if let Some(value) = self.reference(arg)? {
                self.charge(1)?;
                self.locals.push((UNNAMED, Datum::Ref(value)));
            } else {
                let value = self.datum(arg)?;
                self.locals.push((UNNAMED, value));
            }
        }
        // Only now: an argument may mention the parameters of the surrounding call, which have the same slots.
        for ((slot, _), param) in self.locals[outer..].iter_mut().zip(&function.params) {
            *slot = *param;
        }
        let open = self.open.take();
        if let Some(measure) = &function.decreases
            && self.integer(measure)?.is_negative()
        {
            return Err(Halt::Undefined);
        }
        let result = compute(self, &function.body)?;
        self.locals.truncate(outer);
        self.nesting -= function.nesting;
        self.open = open;
        Ok(result)
    }

    pub(super) fn is_total(&self, id: FunctionId) -> bool {
        self.functions.get(id.0 as usize).is_some_and(|function| function.total)
    }

    pub(super) fn own(&mut self, datum: Datum<'a>) -> Result<Value, Halt> {
        Ok(match datum {
            Datum::Ref(value) => value.clone(),
            Datum::Own(value) => value,
            Datum::View(elements) => {
                self.charge(elements.len())?;
                Value::Seq(Arc::from(elements))
            }
        })
    }

    /// The host's answer to a question about a function, if it has one.
    pub(super) fn host_answer(
        &mut self,
        question: Question,
        of: Asked,
        args: &[Value],
    ) -> Option<Result<Value, NoAnswer>> {
        self.host.as_mut()?.ask(question, of, args)
    }

    /// Puts a value into the slot of the refined value.
    pub(super) fn set_value(&mut self, value: &'a Value) {
        if let Frame::Case { value: slot, .. } = &mut self.frame {
            *slot = Some(value);
        }
    }

    pub(super) fn ask_host(&mut self, id: u32, args: &[Value]) -> Result<bool, Halt> {
        let host = self.host.as_mut().ok_or(Halt::Unjudged)?;
        host.opaque(id, args).map_err(|message| {
            self.panic = message;
            Halt::Panicked
        })
    }

    /// The public form of a halt.
    pub(super) fn stop(&self, halt: Halt) -> Stop {
        let mistake = match halt {
            Halt::Undefined => return Stop::Undefined,
            Halt::Unjudged => return Stop::Unjudged,
            Halt::TooLarge => return Stop::SpecError(Obstacle::TooMuchWork),
            Halt::Panicked => self.panic.clone(),
            Halt::Unbound => "the refinement mentions a value that is not there".to_owned(),
            Halt::IllTyped => "the refinement is ill-typed".to_owned(),
            Halt::Unread => {
                "it needs a field that can't be read back from what the function returned; say how, behind \
                             `=` in the type's entry in the table `data`"
                    .to_owned()
            }
        };
        Stop::SpecError(Obstacle::Mistake(mistake))
    }
}

/// A component of a tuple.
pub(super) fn component_of(tuple: &Value, index: u32) -> Result<&Value, Halt> {
    let Value::Tuple(parts) = tuple else { return Err(Halt::IllTyped) };
    parts.get(index as usize).ok_or(Halt::IllTyped)
}

/// A field of a value with that constructor.
#[inline]
pub(super) fn field_of(data: &Value, ctor: u32, index: u32) -> Result<&Value, Halt> {
    let Value::Data(found, fields) = data else { return Err(Halt::IllTyped) };
    if *found != ctor {
        return Err(Halt::Undefined);
    }
    let field = fields.get(index as usize).ok_or(Halt::IllTyped)?;
    if matches!(field, Value::Data(u32::MAX, _)) { Err(Halt::Unread) } else { Ok(field) }
}

impl<'a> Datum<'a> {
    /// The value, unless it is part of a sequence.
    #[inline]
    pub(super) fn value(&self) -> Result<&Value, Halt> {
        match self {
            Datum::Ref(value) => Ok(value),
            Datum::Own(value) => Ok(value),
            Datum::View(_) => Err(Halt::IllTyped),
        }
    }

    /// The elements of a sequence.
    pub(super) fn elements(&self) -> Result<&[Value], Halt> {
        match self {
            Datum::View(elements) => Ok(elements),
            Datum::Ref(Value::Seq(elements)) => Ok(elements),
            Datum::Own(Value::Seq(elements)) => Ok(elements),
            Datum::Ref(_) | Datum::Own(_) => Err(Halt::IllTyped),
        }
    }

    /// The elements of a sequence that is borrowed.
    pub(super) fn borrowed(&self) -> Option<&'a [Value]> {
        match self {
            Datum::View(elements) => Some(elements),
            Datum::Ref(Value::Seq(elements)) => Some(elements),
            Datum::Ref(_) | Datum::Own(_) => None,
        }
    }

    pub(super) fn text(&self) -> Result<&str, Halt> {
        let Value::Str(text) = self.value()? else { return Err(Halt::IllTyped) };
        Ok(text)
    }

    /// A part of the value, found by `find`; borrowed if the value is.
    pub(super) fn part(&self, find: impl FnOnce(&Value) -> Result<&Value, Halt>) -> Result<Datum<'a>, Halt> {
        match self {
            Datum::Ref(value) => find(value).map(Datum::Ref),
            Datum::Own(value) => Ok(Datum::Own(find(value)?.clone())),
            Datum::View(_) => Err(Halt::IllTyped),
        }
    }

    /// An element of a sequence; undefined out of bounds.
    pub(super) fn element(&self, index: usize) -> Result<Datum<'a>, Halt> {
        match self.borrowed() {
            Some(elements) => elements.get(index).map(Datum::Ref).ok_or(Halt::Undefined),
            None => {
                let element = self.elements()?.get(index).ok_or(Halt::Undefined)?;
                Ok(Datum::Own(element.clone()))
            }
        }
    }

    /// Whether it has a part that can't be read back.
    pub(super) fn has_unread(&self) -> bool {
        match self {
            Datum::Ref(value) => value.has_unread(),
            Datum::Own(value) => value.has_unread(),
            Datum::View(elements) => elements.iter().any(Value::has_unread),
        }
    }

    /// The cost of reading the value once, without the parts of its parts.
    pub(super) fn breadth(&self) -> usize {
        let value = match self {
            Datum::View(elements) => return elements.len(),
            Datum::Ref(value) => value,
            Datum::Own(value) => value,
        };
        match value {
            Value::Seq(elements) => elements.len(),
            Value::Str(text) => text.len() / 16,
            Value::Bool(_)
            | Value::Int(_)
            | Value::Char(_)
            | Value::Float(_)
            | Value::Tuple(_)
            | Value::Data(..) => 0,
        }
    }
}
