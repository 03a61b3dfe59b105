//! Functions that a test needs for its condition: measures, regular expressions, and small operations on lists.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

use target_bridge::frontend::data::rust_type;
use target_strategies::logic::ir::{FunctionId, Pointer, Refined, Regex, RegexId, Sort, Term};

use super::code::Type;
use super::model::Model;
use super::text::bare;
use super::{ClauseWriter, Code, LONGEST, Level};
use crate::events::describe::std_types::is_option;

/// Maximum number of states, and of transitions, of an automaton in a test: nobody reads longer ones.
const MOST_STATES: u32 = 12;
const MOST_TRANSITIONS: usize = 40;

/// How a measure of a test takes an argument.
#[derive(Clone, Debug, PartialEq)]
enum Taken {
    /// By reference to a type of the crate.
    Reference(Refined),
    /// As a computed value.
    Owned(Model),
}

/// A measure as a function of a test.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    name: String,
    params: Vec<Taken>,
    result: Model,
}

/// A function of a test.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    /// Its name.
    pub name: String,
    /// What it is, if it is no measure.
    base: String,
    /// The function as Rust.
    pub text: String,
}

/// What is known of a measure's body if the measure has some type of result.
struct Body {
    /// The type of the body.
    of: Model,
    /// The function, if the body has the type of the result.
    text: Option<String>,
}

impl ClauseWriter<'_> {
    /// The name of a function that the test contains. `write` writes it for a name.
    pub(super) fn helper(&mut self, base: &str, write: impl FnOnce(&str) -> String) -> String {
        if let Some(helper) = self.helpers.iter().find(|helper| helper.base == base) {
            return helper.name.clone();
        }
        let name = self.helper_name(base);
        let text = write(&name);
        self.helpers.push(Helper { name: name.clone(), base: base.to_owned(), text });
        name
    }

    /// A name for a function of the test that no variable and no other function has.
    fn helper_name(&self, base: &str) -> String {
        let base: String = base.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let is_taken = |name: &str| {
            self.variables.values().any(|(other, _)| *other == name)
                || self.measures.values().flatten().any(|measure| measure.name == name)
                || self.helpers.iter().any(|helper| helper.name == name)
        };
        let mut name = format!("spec_{base}");
        let mut n = 1;
        while is_taken(&name) {
            n += 1;
            name = format!("spec_{base}_{n}");
        }
        name
    }

    /// A measure applied to arguments: a call of a function of the test.
    pub(super) fn measured(&mut self, id: FunctionId, args: &[Term]) -> Option<Code> {
        let codes: Option<Vec<Code>> = args.iter().map(|arg| self.code(arg)).collect();
        let codes = codes?;
        if !self.measures.contains_key(&id) {
            let taken: Option<Vec<Taken>> = codes.iter().map(|code| self.taken(code)).collect();
            let measure = self.written_measure(id, &taken?);
            self.measures.insert(id, measure);
        }
        self.called.extend(self.depends.get(&id).into_iter().flatten());
        let measure = self.measures.get(&id)?.clone()?;
        let mut texts = Vec::new();
        for (code, taken) in codes.iter().zip(&measure.params) {
            texts.push(match (taken, &code.of) {
                (Taken::Reference(of), Type::Value(refined)) if of.sort == refined.sort => {
                    let text = code.dereferenced();
                    if text.starts_with("*") || code.level == Level::Atom {
                        format!("&{text}")
                    } else {
                        format!("&({text})")
                    }
                }
                (Taken::Reference(_), _) => return None,
                (Taken::Owned(to), _) => {
                    let (text, of) = self.owned(code)?;
                    let both = of.unified(to).filter(|both| both.widened() == *to)?;
                    debug_assert_eq!(both.widened(), *to, "arguments are widened");
                    bare(&of.converted(&text, to)).to_owned()
                }
            });
        }
        Some(measure.result.made(format!("{}({})", measure.name, texts.join(", "))))
    }

    /// How a measure takes such an argument.
    fn taken(&mut self, code: &Code) -> Option<Taken> {
        if let Type::Value(refined) = &code.of
            && let Sort::Data(id) = refined.sort
            && !is_option(self.spec.data(id))
        {
            return Some(Taken::Reference(Refined { pointers: Vec::new(), ..refined.clone() }));
        }
        let (_, model) = self.owned(code)?;
        Some(Taken::Owned(model.widened()))
    }

    /// Writes the function of a measure, with the first type of result that its body has. What is written of other
    /// measures meanwhile stays, unless it depends on a type that turns out to be wrong.
    fn written_measure(&mut self, id: FunctionId, params: &[Taken]) -> Option<Measure> {
        let name = self.spec.function(id).name.split(['<', '(']).next().unwrap_or("measure");
        let name = self.helper_name(name.trim_start_matches("r#"));
        let outer = std::mem::take(&mut self.called);
        self.depends.insert(id, BTreeSet::from([id]));
        let (mut candidates, mut tried) = (results(), Vec::new());
        let mut measure = None;
        while let Some(result) = candidates.pop_front() {
            if tried.contains(&result) {
                continue;
            }
            tried.push(result.clone());
            let candidate = Measure { name: name.clone(), params: params.to_vec(), result };
            self.measures.insert(id, Some(candidate.clone()));
            match self.function(id, &candidate) {
                Some(Body { text: Some(text), .. }) => {
                    self.helpers.push(Helper { name, base: String::new(), text });
                    measure = Some(candidate);
                    break;
                }
                Some(Body { of, text: None }) if !tried.contains(&of) => candidates.push_front(of),
                // Another type of the result makes no difference to its body.
                Some(_) | None if !self.called.contains(&id) => break,
                Some(_) | None => {}
            }
            self.forget(id);
        }
        self.called.remove(&id);
        let called = std::mem::replace(&mut self.called, outer);
        self.called.extend(&called);
        self.settle(id, &called);
        measure
    }

    /// Drops the other measures that depend on one.
    fn forget(&mut self, id: FunctionId) {
        let dropped: Vec<FunctionId> = self
            .depends
            .iter()
            .filter(|(other, on)| **other != id && on.contains(&id) && !on.contains(other))
            .map(|(other, _)| *other)
            .collect();
        for other in dropped {
            self.depends.remove(&other);
            if let Some(measure) = self.measures.remove(&other).flatten() {
                self.helpers.retain(|helper| helper.name != measure.name);
            }
        }
    }

    /// What depends on a measure that is written now depends on what that one depends on.
    fn settle(&mut self, id: FunctionId, called: &BTreeSet<FunctionId>) {
        self.depends.insert(id, called.clone());
        for on in self.depends.values_mut() {
            if on.remove(&id) {
                on.extend(called);
            }
        }
        self.depends.retain(|_, on| !on.is_empty());
    }

    /// The body of a measure, and its function if the measure has that type of result.
    fn function(&mut self, id: FunctionId, measure: &Measure) -> Option<Body> {
        let function = self.spec.function(id);
        let mut params = Vec::new();
        let mut hidden = Vec::new();
        for (slot, taken) in function.params.iter().zip(&measure.params) {
            let name = self.name();
            let (ty, code) = match taken {
                Taken::Reference(refined) => {
                    let behind = Refined { pointers: vec![Pointer::Ref], ..refined.clone() };
                    (format!("&{}", rust_type(refined, &self.spec.data)), Code::variable(&name, &behind))
                }
                Taken::Owned(model) => (model.rust_type(), model.clone().variable(&name)),
            };
            params.push(format!("{name}: {ty}"));
            hidden.push((*slot, self.slots.insert(*slot, code)));
        }
        // Another function's slots may have the same numbers.
        let patterns = std::mem::take(&mut self.patterns);
        let written = self.function_body(id, &measure.result);
        self.patterns = patterns;
        for (slot, code) in hidden {
            match code {
                Some(code) => self.slots.insert(slot, code),
                None => self.slots.remove(&slot),
            };
        }
        let (params, result) = (params.join(", "), measure.result.rust_type());
        let Body { of, text } = written?;
        let text = text.map(|body| format!("fn {}({params}) -> {result} {{\n{body}}}", measure.name));
        let is_known = params.split(['<', ' ', '&']).all(|word| word != "_");
        let is_short = text.as_ref().is_none_or(|text| text.len() <= LONGEST);
        (is_known && is_short).then_some(Body { of, text })
    }

    fn function_body(&mut self, id: FunctionId, result: &Model) -> Option<Body> {
        let function = self.spec.function(id);
        let mut lines = String::new();
        if let Some(decreases) = &function.decreases {
            let decreases = self.code(decreases)?.wide()?;
            lines += &format!("    assert!(0 <= {});\n", decreases.operand_of(Level::Prefix));
        }
        let (body, of) = self.model(&function.body)?;
        // Integers of 128 bits have no wider type.
        let widened = of.unified(&of.widened())?;
        let is_result = of.unified(result).is_some_and(|both| both.widened() == *result);
        let text = is_result.then(|| lines + &format!("    {}\n", bare(&of.converted(&body, result))));
        Some(Body { of: widened, text })
    }

    /// Whether a text matches a regular expression from a state on, by a function with its automaton.
    pub(super) fn matches(&mut self, id: RegexId, state: u32, of: &Term) -> Option<Code> {
        let text = self.code(of)?.text_receiver()?;
        let regex = &self.spec.regexes[id.0 as usize];
        let arms = automaton(regex)?;
        let accepting = (0..regex.n_states()).filter(|state| regex.accepting[*state as usize]);
        let accepting = accepting.map(|state| state.to_string()).collect::<Vec<_>>().join(" | ");
        if accepting.is_empty() {
            return None;
        }
        if arms.is_empty() {
            let is_empty = Code::bool(format!("{text}.is_empty()"), Level::Atom);
            return regex.accepting[state as usize].then_some(is_empty);
        }
        let of = regex.text.replace(['\n', '\r'], " ");
        let name = self.helper(&format!("matches_{}_{state}", id.0), |name| {
            format!(
                "/// The automaton of `{of}`.\nfn {name}(text: &str) -> bool {{\n    let mut state = {state};\n    for c in text.chars() {{\n        state = match (state, c) {{\n{arms}            _ => return false,\n        }};\n    }}\n    matches!(state, {accepting})\n}}"
            )
        });
        Some(Code::bool(format!("{name}(&{text}[..])"), Level::Atom))
    }
}

/// The types that a measure's result may have, the likely ones first.
fn results() -> VecDeque<Model> {
    let scalars = [Model::Int(None), Model::Bool, Model::Text, Model::Char];
    let makes: [fn(Box<Model>) -> Model; 4] = [Model::List, Model::Set, Model::Bag, Model::Option];
    let of_each = |make: fn(Box<Model>) -> Model| scalars.iter().map(move |of| make(Box::new(of.clone())));
    scalars.iter().cloned().chain(makes.into_iter().flat_map(of_each)).collect()
}

/// The characters of a transition: the first and the last of each interval.
type Ranges = Vec<(char, char)>;

/// The transitions of an automaton as arms of a `match`; `None` if they are many.
fn automaton(regex: &Regex) -> Option<String> {
    if regex.n_states() > MOST_STATES {
        return None;
    }
    let mut arms: Vec<(u32, Ranges, u32)> = Vec::new();
    for state in (0..regex.n_states()).filter(|state| Some(*state) != regex.dead) {
        for (first, last, class) in regex.intervals() {
            let next = regex.step(state, class);
            if Some(next) == regex.dead {
                continue;
            }
            match arms.iter_mut().find(|(from, _, to)| (*from, *to) == (state, next)) {
                Some((_, ranges, _)) => ranges.push((first, last)),
                None => arms.push((state, vec![(first, last)], next)),
            }
        }
    }
    let n_ranges: usize = arms.iter().map(|(_, ranges, _)| ranges.len()).sum();
    if n_ranges > MOST_TRANSITIONS {
        return None;
    }
    let mut text = String::new();
    for (state, ranges, next) in arms {
        let range = |(first, last): &(char, char)| {
            if first == last { format!("{first:?}") } else { format!("{first:?}..={last:?}") }
        };
        let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(" | ");
        writeln!(text, "            ({state}, {ranges}) => {next},").expect("a String takes all text");
    }
    Some(text)
}
