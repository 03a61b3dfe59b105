//! Prints a value as a Rust expression that builds it: for reports, for generated tests, and for `--case`, which
//! parses it.
//!
//! A sequence is `vec![1, 2]`, or `&[1, 2]` if the subject takes a slice. Data uses the paths of the spec's
//! [`crate::logic::ir::Ctor`]s.

mod function;
mod kept;
mod object;
mod operator;
mod outliving;
mod settled;

pub use object::supertraits;

use crate::logic::grammar;
use crate::logic::ir::{
    Ctor, DataId, Field, FloatKind, MapKind, Pointer, Refined, SeqKind, SetKind, Sort, Spec, StrKind,
};
use crate::logic::value::Value;
use kept::Kept;

/// The expression for a value of a refined type. With `suffix`, numbers name their type (`1_i64`), which a generic
/// subject may need. [`Value::any`] is printed as `any_1`, `any_2`, ..
///
/// ```
/// use target_strategies::logic::ir::{IntKind, Pointer, Refined, SeqKind, Sort, Spec};
/// use target_strategies::logic::rust_code::expression;
/// use target_strategies::logic::value::Value;
///
/// let element = Box::new(Refined::plain(Sort::Int(IntKind::I64)));
/// let mut slice = Refined::plain(Sort::Seq(element, SeqKind::Slice));
/// slice.pointers.push(Pointer::Ref);
/// let value = Value::seq([Value::int(1), Value::int(-2)]);
/// assert_eq!(expression(&value, &slice, &Spec::unrefined("f"), false), "&[1, -2]");
/// ```
pub fn expression(value: &Value, refined: &Refined, spec: &Spec, suffix: bool) -> String {
    let printer = Printer::new(spec, suffix, false, false);
    printer.behind(&refined.pointers, value, refined)
}

/// The expression for a value in a report: as [`expression`], but sums of times are written with operators, which
/// [`super::notation`] doesn't read.
pub fn readable(value: &Value, refined: &Refined, spec: &Spec, suffix: bool) -> String {
    let printer = Printer::new(spec, suffix, false, true);
    printer.behind(&refined.pointers, value, refined)
}

/// The expression for a value in a test: as [`expression`], but all in it is Rust. A value of a trait has a type of its own
/// there.
pub fn in_test(value: &Value, refined: &Refined, spec: &Spec, suffix: bool) -> String {
    let printer = Printer::new(spec, suffix, true, true);
    printer.behind(&refined.pointers, value, refined)
}

/// The expression for the variable of that name in a test, and the statements before it that bind what it borrows from.
pub fn in_variable(
    value: &Value,
    refined: &Refined,
    spec: &Spec,
    suffix: bool,
    name: &str,
) -> (Vec<String>, String) {
    let kept = Kept::of(name, spec);
    let printer = Printer { kept: Some(&kept), ..Printer::new(spec, suffix, true, true) };
    let code = printer.behind(&refined.pointers, value, refined);
    (kept.into_lines(), code)
}

/// The statements that bind a value to a name, without semicolons: `let mut name = ..`, and the calls that change it. The
/// name's type isn't among them, also if the value doesn't determine it.
pub fn statements(value: &Value, refined: &Refined, spec: &Spec, suffix: bool, name: &str) -> Vec<String> {
    let printer = Printer::new(spec, suffix, true, true);
    if let (Sort::Data(id), Value::Data(ctor, fields), []) =
        (&refined.sort, value, refined.pointers.as_slice())
        && spec.data(*id).via.is_some()
    {
        let mut before = Vec::new();
        let (first, changes) = printer.steps(*id, (*ctor, fields), name, &mut before);
        let mutable = if changes.is_empty() { "" } else { "mut " };
        before.push(format!("let {mutable}{name} = {first}"));
        before.extend(changes);
        return before;
    }
    vec![format!("let {name} = {}", printer.behind(&refined.pointers, value, refined))]
}

/// A scalar, string or sequence as Rust code, as far as possible without its type.
pub fn scalar(value: &Value) -> String {
    let list = |parts: &[Value]| parts.iter().map(scalar).collect::<Vec<_>>().join(", ");
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Char(c) => format!("{c:?}"),
        Value::Float(x) => float(*x, FloatKind::F64, false),
        Value::Str(text) => format!("{text:?}"),
        Value::Seq(parts) => format!("[{}]", list(parts)),
        Value::Tuple(parts) => format!("({})", list(parts)),
        Value::Data(ctor, fields) if fields.is_empty() => format!("#{ctor}"),
        Value::Data(ctor, fields) => format!("#{ctor}({})", list(fields)),
    }
}

/// The types that are known where a value is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// None.
    Nothing,
    /// This one, which is that of an enclosing value.
    Only(DataId),
    /// All: an enclosing value has its type arguments.
    All,
}

struct Printer<'s> {
    spec: &'s Spec,
    suffix: bool,
    level: u32,
    /// Whether a value of a trait is a type of its own with its methods, as in a test, and not only what these give.
    has_items: bool,
    /// Whether calls of operators' functions are written as operations.
    has_operators: bool,
    /// Whether references must outlive the expression, as in the result of a function in a test.
    outlives: bool,
    /// The types that need not be said.
    settled: Settled,
    /// Where the expression of a variable keeps what it borrows from.
    kept: Option<&'s Kept<'s>>,
}

/// Maximum nesting that is printed. Arguments are never so deep.
const DEEPEST: u32 = 250;

impl<'s> Printer<'s> {
    fn new(spec: &'s Spec, suffix: bool, has_items: bool, has_operators: bool) -> Printer<'s> {
        let settled = Settled::Nothing;
        Printer { spec, suffix, level: 0, has_items, has_operators, outlives: false, settled, kept: None }
    }
}

impl<'s> Printer<'s> {
    /// The printer for what a function returns.
    fn of_result(&self) -> Printer<'s> {
        Printer { outlives: self.has_items, kept: None, ..*self }
    }
}

impl Printer<'_> {
    /// Whether it writes a report, which need not be read back.
    fn is_report(&self) -> bool {
        self.has_operators && !self.has_items
    }

    /// A reference to a value inside of another one, which a variable keeps; `None` if it may be a temporary.
    fn borrowed(
        &self,
        pointer: Pointer,
        inside: &str,
        (value, refined): (&Value, &Refined),
    ) -> Option<String> {
        let kept = self.kept.filter(|_| self.level > 0)?;
        match pointer {
            Pointer::Ref if !outliving::is_constant(value, refined) => {
                Some(format!("&{}", kept.keep(inside, false)))
            }
            Pointer::RefMut => Some(format!("&mut {}", kept.keep(inside, true))),
            Pointer::Ref | Pointer::Box | Pointer::Rc | Pointer::Arc | Pointer::Cow => None,
        }
    }

    /// Whether a borrowed value is leaked, as rustc makes no static of it.
    fn must_leak(&self, value: &Value, refined: &Refined) -> bool {
        self.outlives && !outliving::is_constant(value, refined)
    }

    fn behind(&self, pointers: &[Pointer], value: &Value, refined: &Refined) -> String {
        if let Some(number) = value.any_number() {
            return format!("any_{number}");
        }
        let Some((pointer, inner)) = pointers.split_first() else {
            return self.owned(value, refined);
        };
        let is_str = inner.is_empty() && refined.sort == Sort::Str(StrKind::Str);
        let is_slice = inner.is_empty() && matches!(refined.sort, Sort::Seq(_, SeqKind::Slice));
        if is_slice {
            let elements = self.elements(value, refined);
            if let Some(kept) = self.borrowed(*pointer, &format!("[{elements}]"), (value, refined)) {
                return format!("{kept}[..]");
            }
            return match pointer {
                Pointer::Ref if self.must_leak(value, refined) => format!("&*vec![{elements}].leak()"),
                // The elements of a list would have different types: those of arrays.
                Pointer::Ref if self.has_items && self.level > 0 => format!("&[{elements}][..]"),
                Pointer::Ref => format!("&[{elements}]"),
                Pointer::RefMut => format!("&mut [{elements}]"),
                Pointer::Box => format!("vec![{elements}].into_boxed_slice()"),
                Pointer::Rc => format!("std::rc::Rc::from(vec![{elements}])"),
                Pointer::Arc => format!("std::sync::Arc::from(vec![{elements}])"),
                Pointer::Cow => format!("std::borrow::Cow::from(vec![{elements}])"),
            };
        }
        let derived = if inner.is_empty() { self.derived(value, refined) } else { None };
        if let Some(literal) = if is_str { Some(scalar(value)) } else { derived } {
            return self.literal(*pointer, &literal, (value, refined));
        }
        // What a call of `Box::new` or the like takes is no temporary that a `let` extends.
        let is_call = !matches!(pointer, Pointer::Ref | Pointer::RefMut);
        let level = self.level + u32::from(is_call && self.kept.is_some());
        let inside = Printer { level, ..*self }.behind(inner, value, refined);
        if let Some(kept) = self.borrowed(*pointer, &inside, (value, refined)) {
            return kept;
        }
        let is_operand = matches!(pointer, Pointer::Ref | Pointer::RefMut) && inner.is_empty();
        let inside =
            if is_operand && self.is_operation(value, refined) { format!("({inside})") } else { inside };
        match pointer {
            Pointer::Ref if self.must_leak(value, refined) || self.outlives && !inner.is_empty() => {
                format!("&*Box::leak(Box::new({inside}))")
            }
            Pointer::Ref => format!("&{inside}"),
            Pointer::RefMut => format!("&mut {inside}"),
            Pointer::Box => format!("Box::new({inside})"),
            Pointer::Rc => format!("std::rc::Rc::new({inside})"),
            Pointer::Arc => format!("std::sync::Arc::new({inside})"),
            Pointer::Cow => format!("std::borrow::Cow::Owned({inside})"),
        }
    }

    /// A text behind a pointer.
    fn literal(&self, pointer: Pointer, literal: &str, of: (&Value, &Refined)) -> String {
        let is_str = of.1.sort == Sort::Str(StrKind::Str);
        let owned = format!("String::from({literal})");
        if pointer == Pointer::RefMut
            && let Some(kept) = self.borrowed(pointer, &owned, of)
        {
            return if is_str { format!("{kept}[..]") } else { kept };
        }
        match pointer {
            Pointer::Ref => literal.to_owned(),
            Pointer::RefMut if is_str => format!("{owned}.as_mut_str()"),
            Pointer::RefMut => format!("&mut {owned}"),
            Pointer::Box => format!("Box::from({literal})"),
            Pointer::Rc => format!("std::rc::Rc::from({literal})"),
            Pointer::Arc => format!("std::sync::Arc::from({literal})"),
            Pointer::Cow => format!("std::borrow::Cow::from({literal})"),
        }
    }

    /// The text of a derivation, as a literal.
    fn derived(&self, value: &Value, refined: &Refined) -> Option<String> {
        let Sort::Data(id) = refined.sort else { return None };
        self.spec.data(id).rule.as_ref()?;
        grammar::text(value, id, &self.spec.data).map(|text| format!("{text:?}"))
    }

    fn owned(&self, value: &Value, refined: &Refined) -> String {
        if self.level > DEEPEST {
            return "/* deeper */".to_owned();
        }
        Printer { level: self.level + 1, ..*self }.whole(value, refined)
    }

    fn whole(&self, value: &Value, refined: &Refined) -> String {
        if value.is_unread() {
            return "_".to_owned();
        }
        if let Some(text) = self.derived(value, refined) {
            return format!("String::from({text})");
        }
        match (&refined.sort, value) {
            (Sort::Int(kind), Value::Int(n)) if self.suffix => format!("{n}_{}", kind.name()),
            (Sort::Float(kind), Value::Float(x)) => float(*x, *kind, self.suffix),
            (Sort::Str(_), Value::Str(text)) => format!("String::from({text:?})"),
            (Sort::Seq(result, SeqKind::Answers(id)), _) => {
                Printer { kept: None, ..*self }.passed(value, refined, (*id, result))
            }
            (Sort::Seq(_, SeqKind::Array(_)), Value::Seq(_)) => {
                format!("[{}]", self.elements(value, refined))
            }
            (Sort::Seq(_, SeqKind::Deque), Value::Seq(_)) => {
                format!("std::collections::VecDeque::from([{}])", self.elements(value, refined))
            }
            // Elsewhere it is shown as the list, from which `--case` reads it.
            (Sort::Seq(_, SeqKind::Iter), Value::Seq(_)) if self.has_items => {
                format!("vec![{}].into_iter()", self.elements(value, refined))
            }
            (Sort::Set(..) | Sort::Map(..), Value::Seq(_)) => self.collection(value, &refined.sort),
            (Sort::Seq(_, _), Value::Seq(_)) => format!("vec![{}]", self.elements(value, refined)),
            (Sort::Tuple(sorts), Value::Tuple(parts)) => {
                let parts: Vec<String> = parts
                    .iter()
                    .zip(sorts)
                    .map(|(part, sort)| self.behind(&sort.pointers, part, sort))
                    .collect();
                match parts.as_slice() {
                    [one] => format!("({one},)"),
                    more => format!("({})", more.join(", ")),
                }
            }
            (Sort::Data(id), Value::Data(ctor, fields)) => {
                match self.spec.data(*id).ctors.get(*ctor as usize) {
                    Some(_) if self.spec.data(*id).via.is_some() => self.built(*id, (*ctor, fields)),
                    Some(of) if self.spec.data(*id).object.is_some() => {
                        Printer { kept: None, ..*self }.object(*id, (*ctor, of), fields)
                    }
                    Some(ctor) => self.with_arguments(*id, ctor, fields),
                    None => scalar(value),
                }
            }
            (Sort::Opaque(of), Value::Str(text)) if self.spec.displayed.contains(of) => {
                format!("_ /* {} */", text.replace("*/", "* /"))
            }
            // No expression makes the value; this is what its `Debug` says.
            (Sort::Opaque(_), Value::Str(text)) => text.to_string(),
            (Sort::Opaque(_), _) => "_".to_owned(),
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..), _)
            | (Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_), _) => scalar(value),
        }
    }

    fn collection(&self, value: &Value, sort: &Sort) -> String {
        let parts = sort.parts(value);
        let parts = parts.into_iter().map(|(refined, part)| self.behind(&refined.pointers, part, refined));
        let parts: Vec<String> = parts.collect();
        let (name, elements) = match sort {
            Sort::Map(_, _, kind) => {
                let pairs: Vec<String> =
                    parts.chunks(2).map(|pair| format!("({})", pair.join(", "))).collect();
                (if *kind == MapKind::Hash { "HashMap" } else { "BTreeMap" }, pairs)
            }
            Sort::Set(_, SetKind::Hash) => ("HashSet", parts),
            Sort::Set(_, SetKind::BTree | SetKind::Bag) => ("BTreeSet", parts),
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Str(_)
            | Sort::Seq(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => ("BTreeSet", parts),
        };
        format!("std::collections::{name}::from([{}])", elements.join(", "))
    }

    fn elements(&self, value: &Value, refined: &Refined) -> String {
        let (Sort::Seq(element, _), Value::Seq(parts)) = (&refined.sort, value) else {
            return scalar(value);
        };
        let parts: Vec<String> =
            parts.iter().map(|part| self.behind(&element.pointers, part, element)).collect();
        parts.join(", ")
    }

    /// The calls of the functions that build a value: a block if one of them changes what another one built, or the type
    /// must be said.
    fn built(&self, id: DataId, value: (u32, &[Value])) -> String {
        let mut before = Vec::new();
        let ty = self.type_to_say(id);
        // The type of what is built doesn't determine those of the arguments.
        let printer = Printer { settled: Settled::Nothing, ..*self };
        let (first, changes) = printer.steps(id, value, "value", &mut before);
        if changes.is_empty() && before.is_empty() && ty.is_none() {
            return first;
        }
        let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
        let lines = |lines: &[String]| lines.iter().map(|line| format!("{line}; ")).collect::<String>();
        let mutable = if changes.is_empty() { "" } else { "mut " };
        format!("{{ {}let {mutable}value{ty} = {first}; {}value }}", lines(&before), lines(&changes))
    }

    /// The expression that makes a value, and the calls that then change it under its name. What it may borrow from gets
    /// a name in the statements `before` it.
    fn steps(
        &self,
        id: DataId,
        value: (u32, &[Value]),
        name: &str,
        before: &mut Vec<String>,
    ) -> (String, Vec<String>) {
        let data = self.spec.data(id);
        let builder = |ctor: u32| data.via.as_ref().and_then(|via| via.builders.get(ctor as usize));
        let (mut ctor, mut fields) = value;
        let mut changes = Vec::new();
        while builder(ctor).is_some_and(|builder| builder.changes)
            && let [Value::Data(inner, of_inner), rest @ ..] = fields
            && let [_, params @ ..] = data.ctors[ctor as usize].fields.as_slice()
        {
            let args = self.args((params, rest), name, before);
            let args: String = args.iter().map(|arg| format!(", {arg}")).collect();
            let may_fail = builder(ctor).and_then(|builder| builder.may_fail) == Some(true);
            let ignored = if may_fail { "let _ = " } else { "" };
            changes.push(format!("{ignored}{}(&mut {name}{args})", data.ctors[ctor as usize].rust_path));
            (ctor, fields) = (*inner, of_inner);
        }
        changes.reverse();
        let Some(first) = data.ctors.get(ctor as usize) else { return ("_".to_owned(), changes) };
        let may_fail = builder(ctor).and_then(|builder| builder.may_fail) == Some(true);
        let unwrap = if may_fail { ".unwrap()" } else { "" };
        let first = match builder(ctor) {
            Some(builder) if builder.is_constant => first.rust_path.clone(),
            _ if first.named => self.constructed(&first.rust_path, first, fields),
            _ if self.operator(first).is_some() => self.operation(first, fields, name, before),
            _ => {
                let args = self.args((&first.fields, fields), name, before);
                format!("{}({}){unwrap}", first.rust_path, args.join(", "))
            }
        };
        (first, changes)
    }

    /// The arguments of a call. What is passed by reference, and built by functions, gets a name first.
    fn args(
        &self,
        (params, values): (&[Field], &[Value]),
        name: &str,
        before: &mut Vec<String>,
    ) -> Vec<String> {
        let mut args = Vec::with_capacity(params.len());
        for (field, value) in params.iter().zip(values) {
            let id = if let Sort::Data(id) = field.refined.sort { Some(id) } else { None };
            let is_built = |id: &DataId| self.spec.data(*id).via.is_some();
            let Some(id) = id.filter(is_built).filter(|_| field.refined.pointers == [Pointer::Ref]) else {
                args.push(self.behind(&field.refined.pointers, value, &field.refined));
                continue;
            };
            let name = format!("{name}_{}", before.len() + 1);
            let refined = Refined { pointers: Vec::new(), ..field.refined.clone() };
            let bound = statements(value, &refined, self.spec, self.suffix, &name);
            let typed = |ty| bound.iter().map(|line| with_type(line, &name, ty)).collect();
            before.extend(self.type_to_say(id).map_or_else(|| bound.clone(), typed));
            args.push(format!("&{name}"));
        }
        args
    }

    fn constructed(&self, path: &str, ctor: &Ctor, fields: &[Value]) -> String {
        let field = |(field, value): (&Field, &Value)| {
            let code = self.behind(&field.refined.pointers, value, &field.refined);
            if ctor.named { format!("{}: {code}", field.name) } else { code }
        };
        let fields: Vec<String> = ctor.fields.iter().zip(fields).map(field).collect();
        match (ctor.named, fields.is_empty()) {
            (true, true) => format!("{path} {{}}"),
            (true, false) => format!("{path} {{ {} }}", fields.join(", ")),
            (false, true) => path.to_owned(),
            (false, false) => format!("{path}({})", fields.join(", ")),
        }
    }
}

/// A statement, with the type of the name if it is the one that binds the name.
pub fn with_type(statement: &str, name: &str, ty: &str) -> String {
    let own = [format!("let {name}"), format!("let mut {name}")].into_iter().find_map(|start| {
        let value = statement.strip_prefix(&start).filter(|rest| rest.starts_with(" = "))?;
        Some(format!("{start}: {ty}{value}"))
    });
    own.unwrap_or_else(|| statement.to_owned())
}

fn float(x: f64, kind: FloatKind, suffix: bool) -> String {
    let name = kind.name();
    if !x.is_finite() {
        let constant = if x.is_nan() { "NAN" } else { ["NEG_INFINITY", "INFINITY"][usize::from(x > 0.0)] };
        return format!("{name}::{constant}");
    }
    let digits = match kind {
        FloatKind::F32 => format!("{:?}", x as f32),
        FloatKind::F64 => format!("{x:?}"),
    };
    if suffix { format!("{digits}_{name}") } else { digits }
}

#[cfg(test)]
mod tests;
