//! A test whose assertion reads the calls of a function among the arguments records them: the closure, or the method, puts
//! its arguments and its results into statics of the test.
//!
//! For `calls(f)` and `f: impl Fn(u8) -> bool`, that is
//!
//! ```text
//! static CALLS_F: std::sync::Mutex<Vec<u8>> = std::sync::Mutex::new(Vec::new());
//! keeper::find(|x| { CALLS_F.lock().unwrap().push(x); x == 2 });
//! let calls_f = CALLS_F.lock().unwrap().clone();
//! ```
//!
//! A static is captured by no closure, so that a function pointer and a `Box<dyn Fn() + Send>` record, too.

use target_bridge::frontend::data::rust_type;
use target_strategies::logic::ir::{
    Asked, Callback, Pointer, Question, Refined, SeqKind, Sort, Spec, StrKind, Term, visit,
};
use target_strategies::logic::rust_code;
use target_strategies::logic::value::Value;

use super::clause::Code;
use super::std_types::is_printable;

/// The calls, or the results, of a function that a condition reads.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) of: Asked,
    pub(super) question: Question,
    /// The variable that has them after the call.
    pub(super) name: String,
    /// Their type.
    list: Refined,
    /// The Rust type of one of them.
    element: String,
    /// The expressions of one entry, in the closure.
    entry: String,
    /// The parameters of the closure.
    params: String,
    /// The name of the method, if it is one.
    method: Option<String>,
}

/// The records that terms read; those that can't be kept are not among them.
pub(super) fn records(terms: &[&Term], spec: &Spec) -> Vec<Record> {
    let mut found: Vec<Record> = Vec::new();
    for term in terms {
        visit(term, &mut |term| {
            if let Term::Ask(question @ (Question::Calls | Question::Returns), of, _) = term
                && !found.iter().any(|record| record.of == *of && record.question == *question)
            {
                let record = Record::of(*question, *of, spec);
                // Names that differ in case, or in where their underscores come from, may give one static.
                let is_free =
                    |record: &Record| found.iter().all(|other| other.static_name() != record.static_name());
                found.extend(record.filter(is_free));
            }
        });
    }
    found
}

/// An argument that records its calls.
pub(super) fn recording(
    value: &Value,
    refined: &Refined,
    spec: &Spec,
    suffix: bool,
    records: &[&Record],
) -> Option<String> {
    let bare = Refined { pointers: Vec::new(), ..refined.clone() };
    let mut text = rust_code::in_test(value, &bare, spec, suffix);
    // A function that was not called has no results. The mended subject may call it.
    if let (Sort::Seq(result, _), Some(head)) = (&bare.sort, text.strip_suffix("| unreachable!()"))
        && result.clauses.is_empty()
        && has_default(result)
    {
        text = format!("{head}| Default::default()");
    }
    for record in records {
        text = record.inserted(&text)?;
    }
    refined.pointers.iter().rev().try_fold(text, |inside, pointer| match pointer {
        Pointer::Ref => Some(format!("&{inside}")),
        Pointer::RefMut => Some(format!("&mut {inside}")),
        Pointer::Box => Some(format!("Box::new({inside})")),
        Pointer::Rc => Some(format!("std::rc::Rc::new({inside})")),
        Pointer::Arc => Some(format!("std::sync::Arc::new({inside})")),
        Pointer::Cow => None,
    })
}

impl Record {
    fn of(question: Question, of: Asked, spec: &Spec) -> Option<Record> {
        let param = spec.params.get(of.slot()? as usize)?;
        let method = match (of, &param.refined.sort) {
            (Asked::Method(_, method), Sort::Data(id)) => {
                Some(spec.data(*id).ctors.first()?.fields.get(method as usize)?.name.clone())
            }
            (Asked::Param(_) | Asked::Method(..) | Asked::Inside, _) => None,
        };
        let (id, result) = spec.asked(of)?;
        let callback = spec.callback(id);
        let (element, entry, params) = if question == Question::Calls {
            let (element, entry) = arguments(callback, method.is_some())?;
            (element, entry, callback.names().join(", "))
        } else {
            let element = (method.is_none() && result.pointers.is_empty()).then(|| result.clone())?;
            (element, "returned.clone()".to_owned(), String::new())
        };
        if callback.steps.is_some() || !is_printable(&element, spec) {
            return None;
        }
        let element_type = rust_type(&element, &spec.data);
        let list = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Vec));
        let ty = rust_type(&list, &spec.data);
        // A static holds what other threads may have.
        if ty.contains(['&', '_', '\'']) || ty.contains("::Rc<") || ty.is_empty() {
            return None;
        }
        let word = if question == Question::Calls { "calls" } else { "returns" };
        let of_method = method.as_ref().map(|method| format!("_{method}")).unwrap_or_default();
        let name = format!("{word}_{}{of_method}", param.name.trim_start_matches("r#"));
        let is_free = spec.params.iter().all(|param| param.name != name);
        is_free.then_some(Record { of, question, name, list, element: element_type, entry, params, method })
    }

    /// What the condition reads.
    pub(super) fn code(&self) -> Code {
        Code::variable(&self.name, &self.list)
    }

    fn static_name(&self) -> String {
        self.name.to_uppercase()
    }

    /// The statement before the call.
    pub(super) fn declared(&self, spec: &Spec) -> String {
        let ty = rust_type(&self.list, &spec.data);
        format!(
            "    static {}: std::sync::Mutex<{ty}> = std::sync::Mutex::new(Vec::new());",
            self.static_name()
        )
    }

    /// The statement after the call.
    pub(super) fn read(&self) -> String {
        format!("    let {} = {}.lock().unwrap().clone();", self.name, self.static_name())
    }

    /// The text of a closure, or of a type with a method, that records.
    fn inserted(&self, text: &str) -> Option<String> {
        let push = format!("{}.lock().unwrap().push({});", self.static_name(), self.entry);
        if let Some(method) = &self.method {
            let head = format!("fn {method}(");
            let at = text.find(&head)?;
            let body = at + text[at..].find(" { ")? + " { ".len();
            return Some(format!("{}{push} {}", &text[..body], &text[body..]));
        }
        // Results in their order are before the closure.
        let in_order = ".into_iter(); move |";
        let (start, tail) = match text.find(in_order) {
            Some(at) if text.starts_with("{ let mut results = ") => (at + in_order.len(), " }"),
            Some(_) | None => (text.starts_with('|').then_some(1)?, ""),
        };
        let end = start + text[start..].find('|')?;
        let body = text[end + 1..].trim_start().strip_suffix(tail)?;
        let before = &text[..start];
        Some(if self.question == Question::Calls {
            format!("{before}{}| {{ {push} {body} }}{tail}", self.params)
        } else {
            let params = &text[start..end];
            let element = &self.element;
            format!("{before}{params}| {{ let returned: {element} = {body}; {push} returned }}{tail}")
        })
    }
}

/// Whether a type has a value by default.
fn has_default(refined: &Refined) -> bool {
    refined.pointers.is_empty()
        && match &refined.sort {
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(StrKind::String) => true,
            Sort::Tuple(parts) => parts.len() <= 12 && parts.iter().all(has_default),
            Sort::Seq(_, SeqKind::Vec | SeqKind::Deque) | Sort::Set(..) | Sort::Map(..) => true,
            Sort::Str(StrKind::Str) | Sort::Seq(..) | Sort::Data(_) | Sort::Opaque(_) => false,
        }
}

/// The type of a call's arguments, and the expression that copies them.
fn arguments(callback: &Callback, is_method: bool) -> Option<(Refined, String)> {
    let mut types = Vec::new();
    let mut copies = Vec::new();
    for (at, (param, name)) in callback.params.iter().zip(callback.names()).enumerate() {
        let name = if is_method { format!("x{at}") } else { name };
        let mut owned = Refined { clauses: Vec::new(), ..param.refined.clone() };
        let is_borrowed = match owned.pointers.as_slice() {
            [] => false,
            [Pointer::Ref] => true,
            _ => return None,
        };
        owned.pointers.clear();
        copies.push(match &mut owned.sort {
            Sort::Str(kind @ StrKind::Str) => {
                *kind = StrKind::String;
                format!("String::from({name})")
            }
            Sort::Seq(_, kind @ SeqKind::Slice) => {
                *kind = SeqKind::Vec;
                format!("{name}.to_vec()")
            }
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) if is_borrowed => format!("*{name}"),
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => name,
            Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => format!("{name}.clone()"),
        });
        types.push(owned);
    }
    Some(match (types.len(), types.pop()) {
        (1, Some(one)) => (one, copies.remove(0)),
        (_, last) => {
            types.extend(last);
            (Refined::plain(Sort::Tuple(types)), format!("({})", copies.join(", ")))
        }
    })
}
