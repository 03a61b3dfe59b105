//! Which sequences of calls that make a value are extended: none that failed, and of those that lead to one state, the
//! shortest.
//!
//! The glue calls [`made`] around each step of a sequence, if the spec says how states of the type are told apart: by what
//! `Debug` and accessors show. A sequence that leads to a known state is an argument like others. A case that extends it is left
//! out once the same extension of the shorter sequence has run, with the same other arguments.
//!
//! What ends the process is remembered by the parent, and not called again: neither such a sequence, nor what shows the states of
//! a type, nor an accessor of a result.
//!
//! Source: *Randoop*, as in the survey of specification-based testing (redundant and illegal sequences).

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use super::built::reject;
use super::coverage;
use super::page::Page;
use super::panics;
use crate::child::protocol::Aside;
use crate::logic::ir::{Sort, Spec};
use crate::logic::value::Value;

/// Maximum number of calls in a sequence whose states are looked at, and of one that is looked up.
const LONGEST_SHOWN: usize = 16;
const LONGEST: usize = 64;

/// Maximum number of sequences, of states, and of cases that are remembered.
const MOST: usize = 1 << 16;

/// Maximum number of bytes that a value may show of its state.
const ROOM: usize = 16 << 10;

static PAGE: OnceLock<&'static Page> = OnceLock::new();

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// What is known of the sequences of this process. Sequences and states are hashes that contain the type.
#[derive(Default)]
struct Known {
    /// The sequences whose last calls run now, the outermost first.
    stack: Vec<u64>,
    /// The words of [`Aside`] that are not run again: of sequences that fail, and of what ended a process.
    unmade: HashSet<u64>,
    /// The states to which sequences lead; `None` if it doesn't show.
    states: HashMap<u64, Option<u64>>,
    /// The shortest sequences that lead to each state.
    shortest: HashMap<u64, Shortest>,
    /// The cases that ran.
    ran: HashSet<u64>,
}

/// The shortest sequences that lead to a state.
struct Shortest {
    /// How many of them are extended.
    most: usize,
    /// Each with its number of calls.
    sequences: Vec<(usize, Value)>,
}

/// Records in the page which sequence is in the making: its calls may end the process.
pub(super) fn remember_on(page: &'static Page) {
    let _ = PAGE.set(page);
}

/// Adds sequences that ended other processes.
pub(super) fn add_unmade(sequences: &[u64]) {
    KNOWN.with_borrow_mut(|known| known.unmade.extend(sequences));
}

/// Starts a case.
pub(super) fn begin_case() {
    KNOWN.with_borrow_mut(|known| {
        let unmade = std::mem::take(&mut known.stack);
        if known.unmade.len() < MOST {
            known.unmade.extend(unmade);
        }
    });
    note(0);
}

/// Notes a case that runs, if sequences of calls make its arguments.
pub(super) fn note_ran(spec: &Spec, args: &[Value]) {
    if sequences(spec, args).next().is_some() {
        KNOWN.with_borrow_mut(|known| {
            if known.ran.len() < MOST {
                known.ran.insert(hash(&args));
            }
        });
    }
}

/// Whether a case extends a sequence that leads to the state of shorter ones, and their extensions have run.
pub(super) fn is_redundant(spec: &Spec, args: &[Value]) -> bool {
    sequences(spec, args).any(|(at, data, before)| {
        KNOWN.with_borrow(|known| {
            let Some(shortest) = known.shorter(data, before) else { return false };
            let instead = |shorter: &Value| {
                let mut args = args.to_vec();
                args[at] = with_first(&args[at], shorter);
                known.ran.contains(&hash(&args.as_slice()))
            };
            shortest.sequences.iter().all(|(_, shorter)| instead(shorter))
        })
    })
}

/// The arguments whose last call changes what a sequence made: their positions, types and sequences.
fn sequences<'v>(spec: &Spec, args: &'v [Value]) -> impl Iterator<Item = (usize, u32, &'v Value)> {
    spec.params.iter().zip(args).enumerate().filter_map(|(at, (param, arg))| {
        let (Sort::Data(id), Value::Data(ctor, fields)) = (&param.refined.sort, arg) else { return None };
        let via = spec.data(*id).via.as_ref().filter(|via| via.states.is_some())?;
        let is_changed = via.builders.get(*ctor as usize)?.changes;
        let before = fields.first().filter(|_| is_changed)?;
        Some((at, id.0, before))
    })
}

/// A value with another first field.
fn with_first(value: &Value, first: &Value) -> Value {
    let Value::Data(ctor, fields) = value else { return value.clone() };
    let others = fields.iter().skip(1);
    Value::Data(*ctor, std::iter::once(first).chain(others).cloned().collect())
}

/// The value that a sequence makes; `data` is the number of its type. The case is rejected if the sequence is known to fail.
/// `look` shows the value's state. Of the sequences that lead to one state, the first `most` are extended.
pub fn made<T>(
    (data, most): (u32, usize),
    given: &Value,
    make: impl FnOnce() -> T,
    look: impl FnOnce(&T, &mut Look),
) -> T {
    let n_calls = n_calls(given);
    if n_calls > LONGEST {
        return make();
    }
    let sequence = word(data, given);
    let looking = Aside::Looking.word(hash(&data));
    if KNOWN.with_borrow(|known| known.unmade.contains(&sequence)) {
        reject();
    }
    KNOWN.with_borrow_mut(|known| known.stack.push(sequence));
    note(sequence);
    let made = make();
    let is_new = KNOWN.with_borrow(|known| {
        n_calls <= LONGEST_SHOWN
            && known.states.len() < MOST
            && !known.states.contains_key(&sequence)
            && !known.unmade.contains(&looking)
    });
    if is_new {
        note(looking);
        let state = coverage::unrecorded(|| Look::of(&made, look)).map(|state| hash(&(data, state)));
        KNOWN.with_borrow_mut(|known| {
            known.states.insert(sequence, state);
            state.into_iter().for_each(|state| known.add(state, most, (n_calls, given)));
        });
    }
    let outer = KNOWN.with_borrow_mut(|known| {
        known.stack.pop();
        known.stack.last().copied()
    });
    note(outer.unwrap_or(0));
    made
}

impl Known {
    /// Adds a sequence that leads to a state.
    fn add(&mut self, state: u64, most: usize, (n_calls, sequence): (usize, &Value)) {
        let known = self.shortest.entry(state).or_insert_with(|| Shortest { most, sequences: Vec::new() });
        // Of sequences of one length, the first one stays.
        let at = known.sequences.partition_point(|(other, _)| *other <= n_calls);
        known.sequences.insert(at, (n_calls, sequence.clone()));
        known.sequences.truncate(most);
    }

    /// The sequences to extend in place of this one, if it is not among them.
    fn shorter(&self, data: u32, sequence: &Value) -> Option<&Shortest> {
        let state = self.states.get(&word(data, sequence)).copied()??;
        let shortest = self.shortest.get(&state)?;
        let is_among = shortest.sequences.iter().any(|(_, other)| other == sequence);
        Some(shortest).filter(|shortest| !is_among && shortest.sequences.len() == shortest.most)
    }
}

/// Whether an accessor of a result may be called: not if this call ended a process before.
pub fn begin_look(call: &str) -> bool {
    let reading = Aside::Reading.word(hash(&call));
    let may = KNOWN.with_borrow(|known| !known.unmade.contains(&reading));
    if let Some(page) = PAGE.get().filter(|_| may) {
        page.clear_text();
        page.add_text(call);
    }
    note(if may { reading } else { 0 });
    may
}

/// The subject's run is over; only destructors follow.
pub(super) fn end_aside() {
    note(0);
}

/// The accessor returned, and what it returned is looked at.
pub fn end_look() {
    note(0);
    clear_text();
}

/// Shows the state of a value.
#[derive(Debug)]
pub struct Look {
    hasher: DefaultHasher,
    n_shown: usize,
    room: usize,
}

impl Look {
    /// A hash of what a value shows; `None` if that is nothing, or too much, or fails.
    fn of<T>(value: &T, look: impl FnOnce(&T, &mut Look)) -> Option<u64> {
        let mut shown = Look { hasher: DefaultHasher::new(), n_shown: 0, room: ROOM };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| look(value, &mut shown))) {
            drop(panics::describe(payload));
            // It is no panic of the case.
            clear_text();
            return None;
        }
        (shown.n_shown > 0 && shown.room > 0).then(|| shown.hasher.finish())
    }

    fn add(&mut self, part: &dyn Debug) {
        self.n_shown += 1;
        if write!(self, "{part:?}").is_err() {
            self.room = 0;
        }
        self.hasher.write_u8(0);
    }
}

impl Write for Look {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.room = self.room.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.hasher.write(text.as_bytes());
        Ok(())
    }
}

/// A part of a state: a value, or what one of its accessors returns.
///
/// ```
/// use target_strategies::child::serve::sequences::{Look, Part, Shown as _, Unshown as _};
///
/// fn look(value: &Vec<u8>, look: &mut Look) {
///     (&Part(value)).show(look);
///     (&Part(&value.len())).show(look);
/// }
/// ```
#[derive(Debug)]
pub struct Part<'a, T: ?Sized>(pub &'a T);

/// Shows parts of types with `Debug`.
pub trait Shown {
    /// Adds the part to the state.
    fn show(&self, look: &mut Look);
}

/// Does nothing with other parts.
pub trait Unshown {
    /// Adds nothing.
    fn show(&self, look: &mut Look);
}

impl<T: Debug + ?Sized> Shown for Part<'_, T> {
    fn show(&self, look: &mut Look) {
        look.add(&self.0);
    }
}

impl<T: ?Sized> Unshown for &Part<'_, T> {
    fn show(&self, _: &mut Look) {}
}

fn note(aside: u64) {
    if let Some(page) = PAGE.get() {
        page.set_making(aside);
    }
}

fn clear_text() {
    if let Some(page) = PAGE.get() {
        page.clear_text();
    }
}

/// A sequence that makes a value of a type, in the page and in what is known.
fn word(data: u32, sequence: &Value) -> u64 {
    Aside::Making.word(hash(&(data, sequence)))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The number of calls in a sequence; more than [`LONGEST`] are not counted.
fn n_calls(given: &Value) -> usize {
    let (mut calls, mut n_calls) = (given, 0);
    while let Value::Data(_, fields) = calls
        && let Some(first) = fields.first()
        && n_calls <= LONGEST
    {
        n_calls += 1;
        calls = first;
    }
    n_calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Builder, Ctor, Data, DataId, Field, Param, Refined, States, Via};

    /// `new() | put(self, n)`, for sets of small numbers.
    fn spec() -> Spec {
        let builder =
            |changes| Builder { reads: Vec::new(), may_fail: Some(false), changes, is_constant: false };
        let field = |sort| Field { name: String::new(), refined: Refined::plain(sort), slot: None };
        let ctor = |path: &str, fields: Vec<Field>| Ctor {
            rust_path: path.to_owned(),
            recursive: !fields.is_empty(),
            fields,
            named: false,
            excluded: false,
        };
        let put = vec![field(Sort::Data(DataId(0))), field(Sort::Bool)];
        let builders = vec![builder(false), builder(true)];
        let states = Some(States { looks: Vec::new(), n_extended: 1 });
        let mut spec = Spec::unrefined("f");
        spec.data = vec![Data {
            rust_type: "Set".to_owned(),
            ctors: vec![ctor("new", Vec::new()), ctor("put", put)],
            via: Some(Via { builders, states }),
            object: None,
            rule: None,
        }];
        let param = |sort| Param { name: String::new(), refined: Refined::plain(sort), mutable: false };
        spec.params = vec![param(Sort::Data(DataId(0))), param(Sort::Bool)];
        spec
    }

    fn sequence(puts: &[bool]) -> Value {
        let new = Value::Data(0, [].into());
        puts.iter().fold(new, |before, put| Value::Data(1, [before, Value::Bool(*put)].into()))
    }

    /// The numbers that a sequence puts, as the glue makes them.
    fn make(given: &Value) -> [bool; 2] {
        let make = || {
            let Value::Data(1, fields) = given else { return [false; 2] };
            let mut made = make(&fields[0]);
            let Value::Bool(put) = fields[1] else { panic!("{given:?}") };
            made[usize::from(put)] = true;
            made
        };
        made((0, 1), given, make, |value, look| Part(value).show(look))
    }

    /// Whether a case runs; then it runs.
    fn runs(spec: &Spec, puts: &[bool], other: bool) -> bool {
        let args = [sequence(puts), Value::Bool(other)];
        begin_case();
        let is_redundant = is_redundant(spec, &args);
        if !is_redundant {
            note_ran(spec, &args);
            make(&args[0]);
        }
        !is_redundant
    }

    #[test]
    fn a_sequence_to_a_known_state_is_an_argument_and_not_extended() {
        let spec = spec();
        let (zero, one) = (false, true);
        assert!(runs(&spec, &[zero], zero));
        assert!(runs(&spec, &[zero, zero], zero), "the state is known, and the sequence is not extended");
        assert!(
            runs(&spec, &[zero, zero, one], zero),
            "the same call after the shorter sequence didn't run yet"
        );
        assert!(runs(&spec, &[zero, one], zero));
        assert!(!runs(&spec, &[zero, zero, one], zero));
        assert!(runs(&spec, &[zero, zero, one], one), "with another argument it didn't run");
        assert!(runs(&spec, &[one, zero], zero), "it ends in a known state");
        assert!(runs(&spec, &[zero, one, one], zero), "it extends the first one of its state");
        assert!(!runs(&spec, &[one, zero, one], zero));
    }

    #[test]
    fn a_sequence_that_ended_a_process_is_not_made_again() {
        let dead = sequence(&[true]);
        add_unmade(&[word(0, &dead)]);
        let is_made = |value: &Value| catch_unwind(AssertUnwindSafe(|| make(value))).is_ok();
        assert!(is_made(&sequence(&[false])));
        assert!(!is_made(&dead));
        assert!(!is_made(&sequence(&[true, false])));
        begin_case();
        assert!(!is_made(&sequence(&[true, false])));
        assert!(begin_look("f(&result)"));
        add_unmade(&[Aside::Reading.word(hash(&"f(&result)"))]);
        assert!(!begin_look("f(&result)"));
    }

    #[test]
    fn after_a_look_ended_a_process_no_state_of_the_type_is_known() {
        let spec = spec();
        let (zero, one) = (false, true);
        add_unmade(&[Aside::Looking.word(hash(&0_u32))]);
        assert!(
            runs(&spec, &[zero], zero) && runs(&spec, &[zero, zero], zero) && runs(&spec, &[zero, one], zero)
        );
        assert!(runs(&spec, &[zero, zero, one], zero), "nothing says that it leads to a known state");
    }
}
