//! Conditions that may separate inputs: comparisons, lengths, membership, order and variants of a function's parameters.
//! And what may hold of its results.
//!
//! They are texts, and the resolver decides which a spec can say. The templates are those of Daikon, as far as the
//! language has them.

use std::collections::BTreeMap;

use target_bridge::frontend::catalog::{Catalog, FnItem, Instance, RustType, default_instance, substitute};
use target_strategies::logic::value::Value;

/// Maximum number of conditions of one function.
const MOST: usize = 400;

/// Maximum nesting of fields: `a.b.c`.
const DEEPEST: usize = 2;

/// Number of terms for the fields of one parameter after which there are no more: their pairs are conditions.
const MOST_TERMS: usize = 8;

/// A parameter, or a part of it, as a spec can name it.
#[derive(Clone, Debug)]
struct Term {
    text: String,
    kind: Kind,
    /// The greatest and the least value of its type, of an integer.
    range: Option<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Length,
    Bool,
    List,
    Text,
    Option,
    Result,
    Other,
}

/// What may be required of the arguments; likelier and weaker conditions come first.
pub fn preconditions(item: &FnItem, catalog: &Catalog) -> Vec<String> {
    let terms = terms(item, catalog);
    let mut found = Vec::new();
    let literals = catalog.literals_of(item);
    let literals: Vec<String> = literals
        .iter()
        .filter_map(|literal| match literal {
            Value::Int(n) => Some(n.to_string()),
            _ => None,
        })
        .take(8)
        .collect();
    let of = |kinds: &[Kind]| terms.iter().filter(|term| kinds.contains(&term.kind)).collect::<Vec<_>>();
    for term in of(&[Kind::List, Kind::Text]) {
        found.push(format!("!{}.is_empty()", term.text));
    }
    let numbers = of(&[Kind::Int, Kind::Length]);
    for term in &numbers {
        let constants: &[&str] = if term.kind == Kind::Length { &["2", "3"] } else { &["0", "1", "-1", "2"] };
        found.extend(constants.iter().map(|constant| format!("{} != {constant}", term.text)));
        found.extend(constants.iter().map(|constant| format!("{constant} <= {}", term.text)));
        found.extend(constants.iter().map(|constant| format!("{} <= {constant}", term.text)));
        for literal in &literals {
            found.push(format!("{} != {literal}", term.text));
            found.push(format!("{} <= {literal}", term.text));
            found.push(format!("{} < {literal}", term.text));
            found.push(format!("{literal} <= {}", term.text));
            found.push(format!("{literal} < {}", term.text));
        }
        if let Some((least, greatest)) = &term.range {
            found.extend([format!("{} != {least}", term.text), format!("{} != {greatest}", term.text)]);
            if !least.starts_with('0') {
                found.push(format!("{} % 2 == 0", term.text));
            }
        }
    }
    for left in &numbers {
        for right in numbers.iter().filter(|right| right.text != left.text) {
            found.push(format!("{} <= {}", left.text, right.text));
            found.push(format!("{} < {}", left.text, right.text));
            if right.kind == Kind::Length {
                found.push(format!("{} + 1 < {}", left.text, right.text));
            }
            if left.text < right.text {
                found.push(format!("{} == {}", left.text, right.text));
                found.push(format!("{} != {}", left.text, right.text));
            }
        }
    }
    for (left, right) in pairs(&of(&[Kind::Int])) {
        let Some((least, greatest)) = left.range.as_ref().filter(|range| right.range.as_ref() == Some(range))
        else {
            continue;
        };
        if least != "0" {
            found.push(format!("({} != {least} || {} != -1)", left.text, right.text));
        }
        for sign in ["+", "-", "*"] {
            let value = format!("{} {sign} {}", left.text, right.text);
            found.push(format!("{least} <= {value} && {value} <= {greatest}"));
        }
        found.push(format!(
            "{} - {} >= {least} && {} - {} <= {greatest}",
            right.text, left.text, right.text, left.text
        ));
    }
    for list in of(&[Kind::List]) {
        found.push(format!("{}.is_sorted()", list.text));
        found.push(format!("{}.distinct()", list.text));
        let members = terms.iter().filter(|term| term.kind != Kind::Length && term.text != list.text);
        for term in members.filter(|term| !term.text.contains('.')) {
            found.push(format!("{}.contains({})", list.text, term.text));
            found.push(format!("!{}.contains({})", list.text, term.text));
        }
        found.push(format!("{}.iter().all(|x| 0 <= x)", list.text));
        found.push(format!("{}.iter().all(|x| x != 0)", list.text));
    }
    for term in of(&[Kind::Bool]) {
        found.extend([term.text.clone(), format!("!{}", term.text)]);
    }
    for term in of(&[Kind::Option]) {
        found.extend([format!("{}.is_some()", term.text), format!("{}.is_none()", term.text)]);
    }
    found.extend(of(&[Kind::Text]).into_iter().flat_map(|text| of_text(text, &numbers)));
    found.truncate(MOST);
    found
}

/// What may be required of a text.
fn of_text(text: &Term, numbers: &[&Term]) -> Vec<String> {
    let text = &text.text;
    let mut found =
        vec![format!("{text}.matches(\"[0-9]+\")"), format!("{text}.chars().all(|c| c.is_ascii())")];
    // A number with a sign is no position.
    let positions = numbers.iter().filter(|number| number.kind == Kind::Int && is_unsigned(number));
    found.extend(positions.map(|number| format!("{text}.is_char_boundary({})", number.text)));
    found
}

/// What may hold of the result. Of the conditions of a group, one is worth saying.
pub fn postconditions(item: &FnItem, catalog: &Catalog) -> Vec<Vec<String>> {
    let terms = terms(item, catalog);
    let result = Term { text: "result".to_owned(), kind: kind(&item.result), range: range(&item.result) };
    let mut groups: Vec<Vec<String>> = Vec::new();
    let others = |kinds: &[Kind]| terms.iter().filter(|term| kinds.contains(&term.kind)).collect::<Vec<_>>();
    match result.kind {
        Kind::Int => {
            let numbers = others(&[Kind::Int, Kind::Length]);
            let mut equal: Vec<String> =
                numbers.iter().map(|term| format!("result == {}", term.text)).collect();
            for term in &numbers {
                equal.extend(
                    ["2 * ", "1 + ", "-1 + ", "-1 * "].map(|by| format!("result == {by}{}", term.text)),
                );
            }
            for list in others(&[Kind::List]) {
                let places =
                    numbers.iter().filter(|term| term.kind == Kind::Int).map(|term| term.text.as_str());
                equal.extend(places.chain(["0"]).map(|place| format!("result == {}[{place}]", list.text)));
            }
            for (left, right) in pairs(&numbers) {
                let signs = ["+", "-", "*", "/", "%"];
                equal.extend(
                    signs.iter().map(|sign| format!("result == {} {sign} {}", left.text, right.text)),
                );
            }
            groups.push(equal);
            let lists = others(&[Kind::List]).into_iter();
            groups.push(lists.map(|list| format!("{}.contains(result)", list.text)).collect());
            groups.extend(numbers.iter().map(|term| vec![format!("result <= {}", term.text)]));
            groups.extend(numbers.iter().map(|term| vec![format!("{} <= result", term.text)]));
            if result.range.as_ref().is_some_and(|(least, _)| least != "0") {
                groups.push(vec!["0 <= result".to_owned()]);
            }
        }
        Kind::Bool | Kind::Option | Kind::Result => {
            let truth = match result.kind {
                Kind::Bool => "result",
                Kind::Option => "result.is_some()",
                _ => "result.is_ok()",
            };
            let conditions = preconditions(item, catalog);
            let answers = conditions.iter().take(80).map(|condition| format!("{truth} == ({condition})"));
            let empty = others(&[Kind::List, Kind::Text]).into_iter();
            let empty = empty.map(|term| format!("{truth} == {}.is_empty()", term.text));
            let always = [truth.to_owned(), format!("!{truth}")].into_iter();
            groups.push(always.chain(empty).chain(answers).collect());
        }
        Kind::List | Kind::Text => {
            let same = others(&[result.kind]);
            let names = same.iter().map(|term| &term.text);
            groups.push(names.clone().map(|name| format!("result == {name}")).collect());
            if result.kind == Kind::List {
                groups.push(names.clone().map(|name| format!("bag(result) == bag({name})")).collect());
            }
            groups.push(names.clone().map(|name| format!("result.len() == {name}.len()")).collect());
            groups.push(names.map(|name| format!("result.len() <= {name}.len()")).collect());
            groups.push(vec!["result.is_sorted()".to_owned()]);
            groups.push(vec!["!result.is_empty()".to_owned()]);
        }
        Kind::Length | Kind::Other => {}
    }
    for param in item.params.iter().filter(|param| matches!(param.ty, RustType::Ref { mutable: true, .. })) {
        let name = &param.name;
        if kind(&param.ty) == Kind::List {
            groups.push(vec![
                format!("{name} == old({name})"),
                format!("bag({name}) == bag(old({name}))"),
                format!("{name}.len() == old({name}).len()"),
                format!("{name}.len() == old({name}).len() + 1"),
                format!("{name}.len() <= old({name}).len()"),
            ]);
            groups.push(vec![format!("{name}.is_sorted()")]);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn terms(item: &FnItem, catalog: &Catalog) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut fields = Vec::new();
    for (index, param) in item.params.iter().enumerate() {
        let is_plain = param.name != "_" && !param.name.starts_with("r#");
        let name = if is_plain { param.name.clone() } else { format!("x{index}") };
        let generic = match &param.ty {
            RustType::Param(of) => default_instance(item, of).filter(|known| *known == Instance::I64),
            _ => None,
        };
        let kind = if generic.is_some() { Kind::Int } else { kind(&param.ty) };
        add_term(&mut terms, name.clone(), kind, range(&param.ty));
        let mut own = Vec::new();
        add_fields(&mut own, &name, &param.ty, catalog, DEEPEST);
        fields.extend(own);
    }
    // Conditions on whole parameters are simpler.
    terms.extend(fields);
    terms
}

fn add_term(terms: &mut Vec<Term>, name: String, kind: Kind, range: Option<(String, String)>) {
    if matches!(kind, Kind::List | Kind::Text) {
        terms.push(Term { text: format!("{name}.len()"), kind: Kind::Length, range: None });
    }
    terms.push(Term { text: name, kind, range });
}

/// The fields of a struct of the crate. Those that a spec can't name are the resolver's to reject.
fn add_fields(terms: &mut Vec<Term>, name: &str, ty: &RustType, catalog: &Catalog, depth: usize) {
    let ty = match ty {
        RustType::Ref { inner, .. } | RustType::Box(inner) => inner,
        ty => ty,
    };
    let RustType::Item(id, args) = ty else { return };
    let item = catalog.item(*id);
    let [ctor] = item.ctors.as_slice() else { return };
    if depth == 0 || item.is_enum || item.of_trait.is_some() {
        return;
    }
    let args: BTreeMap<String, RustType> = item.generics.iter().cloned().zip(args.iter().cloned()).collect();
    for field in &ctor.fields {
        if terms.len() >= MOST_TERMS {
            return;
        }
        let Some(ty) = substitute(&field.ty, &args) else { continue };
        let name = format!("{name}.{}", field.name);
        add_term(terms, name.clone(), kind(&ty), range(&ty));
        add_fields(terms, &name, &ty, catalog, depth - 1);
    }
}

fn kind(ty: &RustType) -> Kind {
    match ty {
        RustType::Int(_) => Kind::Int,
        RustType::Bool => Kind::Bool,
        RustType::Vec(_) | RustType::Slice(_) | RustType::Array(..) | RustType::Deque(_) => Kind::List,
        RustType::String | RustType::Str => Kind::Text,
        RustType::Option(_) => Kind::Option,
        RustType::Result(..) => Kind::Result,
        RustType::Ref { inner, .. } | RustType::Box(inner) => kind(inner),
        _ => Kind::Other,
    }
}

/// The least and the greatest value of an integer type.
fn range(ty: &RustType) -> Option<(String, String)> {
    match ty {
        RustType::Int(kind) => Some((kind.min_value().to_string(), kind.max_value().to_string())),
        RustType::Ref { inner, .. } => range(inner),
        _ => None,
    }
}

fn is_unsigned(term: &Term) -> bool {
    term.range.as_ref().is_some_and(|(least, _)| least == "0")
}

fn pairs<'t>(terms: &[&'t Term]) -> Vec<(&'t Term, &'t Term)> {
    let later = |index: usize| terms[index + 1..].iter().copied();
    (0..terms.len()).flat_map(|index| later(index).map(move |right| (terms[index], right))).collect()
}
