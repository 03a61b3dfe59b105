//! Lists, sets, bags, maps, tuples and options that a condition computes, as owned values of a [`Model`].

use target_strategies::logic::ir::{
    Closure, Collection, Ctor, Data, IntKind, Refined, SeqKind, SetKind, SetOp, Sort, StrKind, Term,
};

use super::code::Type;
use super::model::Model;
use super::parts::is_struct;
use super::text::{bare, mentions, operand};
use super::{ClauseWriter, Code, Level, behind_reference};

/// Maximum nesting of types whose values are copied part by part.
const DEEPEST: usize = 6;

impl ClauseWriter<'_> {
    /// The value of an expression as an owned one.
    pub(super) fn owned(&mut self, code: &Code) -> Option<(String, Model)> {
        self.owned_within(code, DEEPEST)
    }

    fn owned_within(&mut self, code: &Code, depth: usize) -> Option<(String, Model)> {
        match &code.of {
            Type::Bool => Some((code.text.clone(), Model::Bool)),
            Type::Int(kind) => Some((code.text.clone(), Model::Int(Some(*kind)))),
            Type::Literal(n) => n.to_i128().map(|n| (format!("{n}_i128"), Model::Int(None))),
            Type::Length(_) => Some((code.text.clone(), Model::Int(Some(IntKind::Usize)))),
            Type::Wide(_) => Some((code.text.clone(), Model::Int(None))),
            Type::Model(model) => Some((code.text.clone(), model.clone())),
            Type::Value(refined) => self.read_out(code, &refined.clone(), depth.checked_sub(1)?),
        }
    }

    /// A copy of a value in a place.
    fn read_out(&mut self, code: &Code, refined: &Refined, depth: usize) -> Option<(String, Model)> {
        let place = code.place();
        Some(match &refined.sort {
            Sort::Char => (code.text.clone(), Model::Char),
            Sort::Str(_) => (format!("String::from(&{}[..])", code.text_receiver()?), Model::Text),
            Sort::Seq(_, SeqKind::Answers(_) | SeqKind::Iter) => return None,
            Sort::Seq(element, kind) => {
                let (read, of) = self.each_owned(element, depth)?;
                let model = Model::List(Box::new(of));
                let is_copied = matches!(element.sort, Sort::Bool | Sort::Char | Sort::Int(_));
                if is_copied && element.pointers.is_empty() {
                    let copy = if *kind == SeqKind::Deque {
                        "iter().copied().collect::<Vec<_>>()"
                    } else {
                        "to_vec()"
                    };
                    (format!("{place}.{copy}"), model)
                } else {
                    (format!("{place}.iter().map({read}).collect::<Vec<_>>()"), model)
                }
            }
            Sort::Set(element, SetKind::BTree | SetKind::Hash) => {
                let (read, of) = self.each_owned(element, depth)?;
                let model = Model::Set(Box::new(of));
                (format!("{place}.iter().map({read}).collect::<{}>()", model.rust_type()), model)
            }
            Sort::Map(key, held, _) => {
                let names = [self.name(), self.name()];
                let [k, v] = [(key, &names[0]), (held, &names[1])]
                    .map(|(of, name)| Code::variable(name, &behind_reference(of)));
                let ((k, key), (v, held)) = (self.owned_within(&k, depth)?, self.owned_within(&v, depth)?);
                let model = Model::Map(Box::new(key), Box::new(held));
                let read = format!("|({}, {})| ({k}, {v})", names[0], names[1]);
                (format!("{place}.iter().map({read}).collect::<{}>()", model.rust_type()), model)
            }
            Sort::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(at, part)| code.part(&at.to_string(), part));
                self.tuple_of(parts.collect(), depth)?
            }
            Sort::Data(id) => {
                let data = self.spec.data(*id);
                if data.rust_type.starts_with("Option<") {
                    let [_, Ctor { fields, .. }] = data.ctors.as_slice() else { return None };
                    let (read, of) = self.each_owned(&fields.first()?.refined, depth)?;
                    (format!("{place}.as_ref().map({read})"), Model::Option(Box::new(of)))
                } else {
                    self.fields_owned(code, data, depth)?
                }
            }
            Sort::Set(_, SetKind::Bag) | Sort::Float(_) | Sort::Opaque(_) => return None,
            Sort::Bool | Sort::Int(_) => return None,
        })
    }

    /// The fields of a struct, or the number of a variant without fields.
    fn fields_owned(&mut self, code: &Code, data: &Data, depth: usize) -> Option<(String, Model)> {
        if data.rule.is_some() || data.object.is_some() || data.via.is_some() {
            return None;
        }
        if is_struct(data) {
            let fields = data.ctors.first()?.fields.iter();
            let fields = fields.map(|field| code.part(&field.name, &field.refined)).collect();
            return self.tuple_of(fields, depth);
        }
        if data.ctors.is_empty() || data.ctors.iter().any(|ctor| !ctor.fields.is_empty()) {
            return None;
        }
        let arms = data
            .ctors
            .iter()
            .enumerate()
            .map(|(at, ctor)| format!("{} {{ .. }} => {at}_i128", ctor.rust_path));
        let arms = arms.collect::<Vec<_>>().join(", ");
        Some((format!("(match {} {{ {arms} }})", code.dereferenced()), Model::Int(None)))
    }

    pub(super) fn tuple_of(&mut self, parts: Vec<Code>, depth: usize) -> Option<(String, Model)> {
        let parts: Option<Vec<_>> = parts.iter().map(|part| self.owned_within(part, depth)).collect();
        let (texts, models): (Vec<String>, Vec<Model>) = parts?.into_iter().unzip();
        let texts: Vec<String> = texts.into_iter().map(|text| text + ",").collect();
        Some((format!("({})", texts.join(" ")), Model::Tuple(models)))
    }

    /// A closure that copies an element from a reference to it.
    fn each_owned(&mut self, element: &Refined, depth: usize) -> Option<(String, Model)> {
        let name = self.name();
        let (text, model) = self.owned_within(&Code::variable(&name, &behind_reference(element)), depth)?;
        Some((format!("|{name}| {text}"), model))
    }

    /// A term as an owned value.
    pub(super) fn model(&mut self, term: &Term) -> Option<(String, Model)> {
        let code = self.code(term)?;
        self.owned(&code)
    }

    /// A term as an owned list, with the type of its elements.
    pub(super) fn list(&mut self, term: &Term) -> Option<(String, Model)> {
        match self.model(term)? {
            (text, Model::List(of) | Model::Bag(of)) => Some((text, *of)),
            _ => None,
        }
    }

    /// Terms as owned values of one type.
    pub(super) fn alike(&mut self, terms: &[&Term]) -> Option<(Vec<String>, Model)> {
        let parts: Option<Vec<_>> = terms.iter().map(|term| self.model(term)).collect();
        unified(parts?)
    }

    /// `==` or an order of two computed values.
    pub(super) fn compared_owned(&mut self, a: &Code, operator: &str, b: &Code) -> Option<Code> {
        let (texts, model) = unified(vec![self.owned(a)?, self.owned(b)?])?;
        let [a, b] = texts.as_slice() else { return None };
        (operator == "==" || model.is_ordered())
            .then(|| Code::bool(format!("{a} {operator} {b}"), Level::Comparison))
    }

    /// The list of a term that computes one.
    pub(super) fn computed_list(&mut self, term: &Term) -> Option<Code> {
        let (text, of) = match term {
            Term::Seq(parts) if parts.is_empty() => ("Vec::new()".to_owned(), Model::Any),
            Term::Seq(parts) => {
                let (texts, of) = self.alike(&parts.iter().collect::<Vec<_>>())?;
                (format!("vec![{}]", texts.join(", ")), of)
            }
            Term::Slice(of, low, high) => {
                let (of, element) = self.list(of)?;
                let (low, high) = (self.code(low)?.as_index()?, self.code(high)?.as_index()?);
                (format!("{of}[{low}..{high}].to_vec()"), element)
            }
            Term::Flatten(of) => match self.list(of)? {
                (text, Model::List(of)) => (format!("{text}.concat()"), *of),
                _ => return None,
            },
            Term::Range(low, high) => {
                let (low, high) = (self.code(low)?.wide()?, self.code(high)?.wide()?);
                (format!("({}..{}).collect::<Vec<i128>>()", low.text, high.text), Model::Int(None))
            }
            Term::Windows(of, width) => {
                let (of, element) = self.list(of)?;
                let text = format!("{of}.windows({width}).map(<[_]>::to_vec).collect::<Vec<_>>()");
                (text, Model::List(Box::new(element)))
            }
            Term::Entries(of) => match self.model(of)? {
                (text, Model::Bag(of)) => (text, *of),
                (text, Model::Set(of)) => (format!("{text}.into_iter().collect::<Vec<_>>()"), *of),
                (text, Model::Map(key, held)) => {
                    let pair = Model::Tuple(vec![*key, *held]);
                    (format!("{text}.into_iter().collect::<Vec<_>>()"), pair)
                }
                _ => return None,
            },
            term => {
                let (iterator, of) = self.chained(term)?;
                (format!("{iterator}.collect::<Vec<_>>()"), of)
            }
        };
        Some(Model::List(Box::new(of)).made(text))
    }

    /// What is written of a closure's body, for elements of that type, after the name of its parameter.
    pub(super) fn with_element<T>(
        &mut self,
        closure: &Closure,
        of: Model,
        write: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(String, T)> {
        let name = self.name();
        let written = self.within(closure.slot, of.variable(&name), write)?;
        Some((name, written))
    }

    /// The concatenation of texts, or of lists.
    pub(super) fn concatenated(&mut self, parts: &[Term]) -> Option<Code> {
        let parts: Option<Vec<Code>> = parts.iter().map(|part| self.code(part)).collect();
        let parts = parts?;
        let as_text = |part: &Code| Some(format!("&{}[..]", part.text_receiver()?));
        if let Some(texts) = parts.iter().map(as_text).collect::<Option<Vec<_>>>() {
            return Some(Code::text(format!("[{}].concat()", texts.join(", ")), StrKind::String));
        }
        let owned: Option<Vec<(String, Model)>> = parts.iter().map(|part| self.owned(part)).collect();
        let (texts, model) = unified(owned?)?;
        let Model::List(_) = model else { return None };
        Some(model.made(format!("[{}].concat()", texts.join(", "))))
    }

    /// A set, bag or map that a term computes.
    pub(super) fn collection(&mut self, term: &Term) -> Option<Code> {
        let (text, model) = match term {
            Term::Collect(kind, of) => {
                let (text, of) =
                    if *kind == Collection::Bag { self.list(of)? } else { self.iterator_of(of)? };
                match (kind, of) {
                    (Collection::Bag, of) => (self.sorted(&text), Model::Bag(Box::new(of))),
                    (Collection::Set, of) => {
                        let model = Model::Set(Box::new(of));
                        (format!("{text}.collect::<{}>()", model.rust_type()), model)
                    }
                    (Collection::Map, Model::Any) => {
                        let model = Model::Map(Box::new(Model::Any), Box::new(Model::Any));
                        ("std::collections::BTreeMap::new()".to_owned(), model)
                    }
                    (Collection::Map, Model::Tuple(pair)) => {
                        let [key, held] = <[Model; 2]>::try_from(pair).ok()?;
                        let model = Model::Map(Box::new(key), Box::new(held));
                        (format!("{text}.collect::<{}>()", model.rust_type()), model)
                    }
                    (Collection::Map, _) => return None,
                }
            }
            Term::SetOp(op, is_bag, a, b) => {
                let (texts, model) = self.alike(&[a, b])?;
                let [a, b] = texts.as_slice() else { return None };
                match (op, is_bag) {
                    (SetOp::Union, false) => (set_operation("union", a, b), model),
                    (SetOp::Difference, false) => (set_operation("difference", a, b), model),
                    (SetOp::Intersection, false) => (set_operation("intersection", a, b), model),
                    (SetOp::Union, true) => (self.sorted(&format!("[{a}, {b}].concat()")), model),
                    (SetOp::Difference, true) => (self.without(a, b), model),
                    (SetOp::Intersection, true) => return None,
                }
            }
            Term::Keys(of) => match self.model(of)? {
                (text, Model::Map(key, _)) => (
                    format!("{text}.into_keys().collect::<std::collections::BTreeSet<_>>()"),
                    Model::Set(key),
                ),
                _ => return None,
            },
            Term::MapWith(of, key, value) => {
                let (map, model) = self.model(of)?;
                let ((key, of_key), (value, of_value)) = (self.model(key)?, self.model(value)?);
                let entry = Model::Map(Box::new(of_key.clone()), Box::new(of_value.clone()));
                let both = model.unified(&entry)?;
                let Model::Map(to_key, to_value) = &both else { return None };
                let (key, value) = (of_key.converted(&key, to_key), of_value.converted(&value, to_value));
                let (map, ty) = (model.converted(&map, &both), both.rust_type());
                (format!("{map}.into_iter().chain([({key}, {value})]).collect::<{ty}>()"), both)
            }
            Term::MapWithout(of, key) => {
                let (map, key, model, _) = self.looked_up(of, key)?;
                let (name, ty) = (self.name(), model.rust_type());
                let text =
                    format!("{map}.into_iter().filter(|({name}, _)| *{name} != {key}).collect::<{ty}>()");
                (text, model)
            }
            _ => return None,
        };
        Some(model.made(text))
    }

    /// A list in ascending order.
    fn sorted(&mut self, list: &str) -> String {
        let name = self.helper("bag", |name| {
            format!("fn {name}<T: Ord>(mut all: Vec<T>) -> Vec<T> {{\n    all.sort();\n    all\n}}")
        });
        format!("{name}({list})")
    }

    /// The elements of a bag without those of another one.
    fn without(&mut self, a: &str, b: &str) -> String {
        let name = self.helper("without", |name| {
            let take = "if let Some(at) = all.iter().position(|other| other == x) {\n            all.remove(at);\n        }";
            format!(
                "fn {name}<T: PartialEq>(mut all: Vec<T>, less: &[T]) -> Vec<T> {{\n    for x in less {{\n        {take}\n    }}\n    all\n}}"
            )
        });
        format!("{name}({a}, &{b})")
    }

    /// A map and a key of one type, with the type of the map, and of what it holds.
    pub(super) fn looked_up(&mut self, map: &Term, key: &Term) -> Option<(String, String, Model, Model)> {
        let ((map, of_map), (key, of_key)) = (self.model(map)?, self.model(key)?);
        let Model::Map(_, held) = &of_map else { return None };
        let wanted = Model::Map(Box::new(of_key.clone()), held.clone());
        let both = of_map.unified(&wanted)?;
        let Model::Map(to_key, held) = &both else { return None };
        let (key, map) = (operand(&of_key.converted(&key, to_key)), of_map.converted(&map, &both));
        let held = Model::clone(held);
        Some((map, key, both, held))
    }

    /// Whether one set or bag is a part of another.
    pub(super) fn subset(&mut self, is_bag: bool, a: &Term, b: &Term) -> Option<Code> {
        let (texts, _) = self.alike(&[a, b])?;
        let [a, b] = texts.as_slice() else { return None };
        let text = if is_bag {
            format!("{}.is_empty()", self.without(a, b))
        } else {
            format!("{a}.is_subset(&{b})")
        };
        Some(Code::bool(text, Level::Atom))
    }

    /// Whether a computed list or set contains a value.
    pub(super) fn contains_owned(&mut self, of: &Code, wanted: &Code) -> Option<Code> {
        let ((of, model), (wanted, one)) = (self.owned(of)?, self.owned(wanted)?);
        let one_of = match &model {
            Model::List(_) => Model::List(Box::new(one.clone())),
            Model::Bag(_) => Model::Bag(Box::new(one.clone())),
            Model::Set(_) => Model::Set(Box::new(one.clone())),
            Model::Any | Model::Bool | Model::Char | Model::Text | Model::Int(_) => return None,
            Model::Map(..) | Model::Option(_) | Model::Tuple(_) => return None,
        };
        let both = model.unified(&one_of)?;
        let (Model::List(element) | Model::Bag(element) | Model::Set(element)) = &both else { return None };
        let wanted = operand(&one.converted(&wanted, element));
        let text = format!("{}.contains(&{wanted})", model.converted(&of, &both));
        Some(Code::bool(text, Level::Atom))
    }

    /// Whether the elements of a list differ from each other.
    pub(super) fn distinct(&mut self, of: &Term) -> Option<Code> {
        let (text, _) = self.list(of)?;
        let name = self.helper("distinct", |name| {
            format!(
                "fn {name}<T: PartialEq>(all: &[T]) -> bool {{\n    (0..all.len()).all(|at| !all[..at].contains(&all[at]))\n}}"
            )
        });
        Some(Code::bool(format!("{name}(&{text})"), Level::Atom))
    }

    /// An option that a term computes.
    pub(super) fn option(&mut self, term: &Term) -> Option<Code> {
        let position = || Model::Int(Some(IntKind::Usize));
        let (text, of) = match term {
            Term::MapGet(map, key, _) => match self.entry(map, key) {
                Some((map, key, held)) => {
                    let (read, of) = self.each_owned(&held, DEEPEST)?;
                    (format!("{map}.get({key}).map({read})"), of)
                }
                None => {
                    let (map, key, _, held) = self.looked_up(map, key)?;
                    (format!("{map}.get(&{key}).cloned()"), held)
                }
            },
            Term::Position(over, closure, _) => {
                let (over, element) = self.iterator_of(over)?;
                let (name, body) =
                    self.with_element(closure, element, |writer| writer.bool(&closure.body))?;
                let (name, body) = (parameter(&name, &body.text), bare(&body.text));
                (format!("{over}.position(|{name}| {body})"), position())
            }
            Term::Extreme { over, greatest, .. } => {
                let (over, element) = self.iterator_of(over).filter(|(_, of)| of.is_ordered())?;
                (format!("{over}.{}()", if *greatest { "max" } else { "min" }), element)
            }
            Term::StrFind(a, b, _) => {
                let (a, b) = (self.code(a)?.text_receiver()?, self.code(b)?.text_receiver()?);
                (format!("{a}.find(&{b}[..])"), position())
            }
            _ => return None,
        };
        Some(Model::Option(Box::new(of)).made(text))
    }

    /// A constructor with its fields: an `Option`, a struct, or a variant without fields.
    pub(super) fn construct(&mut self, data: &Data, number: u32, fields: &[Term]) -> Option<Code> {
        let is_option = data.rust_type.starts_with("Option<");
        match (data.ctors.get(number as usize)?.rust_path.as_str(), fields) {
            ("None", []) if is_option => Some(Model::Option(Box::new(Model::Any)).made("None".to_owned())),
            ("Some", [of]) if is_option => {
                let (text, of) = self.model(of)?;
                Some(Model::Option(Box::new(of)).made(format!("Some({text})")))
            }
            _ if is_struct(data) && data.rule.is_none() && data.object.is_none() => self.tuple(fields),
            _ => None,
        }
    }

    pub(super) fn tuple(&mut self, parts: &[Term]) -> Option<Code> {
        let parts: Option<Vec<Code>> = parts.iter().map(|part| self.code(part)).collect();
        let (text, model) = self.tuple_of(parts?, DEEPEST)?;
        Some(model.made(text))
    }

    /// `fold`
    pub(super) fn fold(&mut self, over: &Term, init: &Term, acc: u32, closure: &Closure) -> Option<Code> {
        let ((over, element), (init, of)) = (self.iterator_of(over)?, self.model(init)?);
        let (to, name) = (of.widened(), self.name());
        let init = bare(&of.converted(&init, &to)).to_owned();
        let accumulator = to.clone().variable(&name);
        let body = self.within(acc, accumulator, |writer| {
            writer.with_element(closure, element, |writer| writer.model(&closure.body))
        });
        let (item, (body, of)) = body?;
        let to = to.unified(&of)?.widened();
        let body = of.converted(&body, &to);
        let (name, item, body) = (parameter(&name, &body), parameter(&item, &body), bare(&body));
        Some(to.made(format!("{over}.fold({init}, |{name}, {item}| {body})")))
    }

    /// `if` on two computed values.
    pub(super) fn either_owned(&mut self, condition: &Code, a: &Code, b: &Code) -> Option<Code> {
        let (texts, model) = unified(vec![self.owned(a)?, self.owned(b)?])?;
        let [a, b] = texts.as_slice() else { return None };
        Some(model.made(format!("(if {} {{ {} }} else {{ {} }})", bare(&condition.text), bare(a), bare(b))))
    }
}

/// A set operation by the method of that name.
fn set_operation(method: &str, a: &str, b: &str) -> String {
    format!("{a}.{method}(&{b}).cloned().collect::<std::collections::BTreeSet<_>>()")
}

/// The parameter of a closure, which has no name if its body doesn't mention it.
pub(super) fn parameter<'n>(name: &'n str, body: &str) -> &'n str {
    if mentions(body, name) { name } else { "_" }
}

/// The texts of values, converted to the type that all of them can have.
pub(super) fn unified(parts: Vec<(String, Model)>) -> Option<(Vec<String>, Model)> {
    let model = parts.iter().try_fold(Model::Any, |model, (_, of)| model.unified(of))?;
    let texts = parts.iter().map(|(text, of)| of.converted(text, &model)).collect();
    Some((texts, model))
}
