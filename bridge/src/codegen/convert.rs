//! Expressions that turn a [`Value`](target_strategies::logic::value::Value) into a Rust value of a given type, and back.
//!
//! Names are absolute paths, since the surrounding code is the user's. Values that the subject takes by reference are
//! kept in the arena of the case.

use super::derivation;
use super::glue::{CONVERT, Glue, Owner, maker};
use super::owned;
use super::pointer;
use super::sequence;
use target_strategies::logic::ir::{
    CallbackId, CallbackParam, Ctor, Data, DataId, MapKind, Pointer, Refined, SeqKind, SetKind, Sort,
    StrKind, Via,
};

pub(super) use super::pointer::FUNCTIONS;

/// The Rust value of type `refined` made from the `&Value` in `from`.
pub fn make(refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    make_behind(&refined.pointers, refined, spec, from)
}

/// A closure that asks for its results, by the number of the function in the running case.
pub(super) fn closure(id: CallbackId, result: &Refined, spec: Glue<'_>, number: &str) -> String {
    let names = names_of_params(id, spec).join(", ");
    format!("|{names}| {{ {} }}", asked(id, result, spec, number))
}

/// The names of a function's parameters in its code.
pub(super) fn names_of_params(id: CallbackId, spec: Glue<'_>) -> Vec<String> {
    (0..spec.callback(id).params.len()).map(|index| format!("x{index}")).collect()
}

/// The arguments of a call, read from the names of the parameters.
pub(super) fn shown_args(id: CallbackId, spec: Glue<'_>) -> Vec<String> {
    let shown = |(param, name): (&CallbackParam, String)| {
        if param.refined.callback().is_some() {
            return "::target_strategies::logic::value::Value::seq([])".to_owned();
        }
        show(&param.refined, spec, &format!("(&{name})"))
    };
    spec.callback(id).params.iter().zip(names_of_params(id, spec)).map(shown).collect()
}

/// The body of a function that asks for its results.
pub(super) fn asked(id: CallbackId, result: &Refined, spec: Glue<'_>, number: &str) -> String {
    let callback = spec.callback(id);
    let (names, args) = (names_of_params(id, spec), shown_args(id, spec));
    let call = match callback.taken() {
        None => format!("{FUNCTIONS}::call({number}, &[{}])", args.join(", ")),
        Some((at, taken, given)) => {
            let ask = asking(&names[at], taken, given, spec);
            format!("{FUNCTIONS}::call_taking({number}, ::std::vec![{}], {at}, &mut {ask})", args.join(", "))
        }
    };
    given(&call, spec.returned(id, result), spec)
}

/// The body of a function that asks `of` for its results ([`target_strategies::strategy::Asked`]).
pub(super) fn asked_of(of: &str, id: CallbackId, result: &Refined, spec: Glue<'_>) -> String {
    let callback = spec.callback(id);
    let (names, args) = (names_of_params(id, spec), shown_args(id, spec).join(", "));
    let call = match callback.taken() {
        None => format!("{of}.call(&[{args}])"),
        Some((at, taken, given)) => {
            let ask = asking(&names[at], taken, given, spec);
            format!("{of}.call_taking(::std::vec![{args}], {at}, &mut {ask})")
        }
    };
    given(&call, spec.returned(id, result), spec)
}

/// The Rust value of a result that a call gives.
fn given(call: &str, result: &Refined, spec: Glue<'_>) -> String {
    // What a result borrows from lives as long as the process. Few functions return borrowed values.
    let kept = |text: &str| {
        if borrows(result, spec) {
            format!("&*::std::boxed::Box::leak(::std::boxed::Box::new({text}))")
        } else {
            format!("&{text}")
        }
    };
    format!(
        "let v = {}; let arena = {}; {}",
        kept(call),
        kept("::target_strategies::child::serve::Arena::new()"),
        make(result, spec, "v")
    )
}

/// A closure from the arguments to the result of a function that the subject passed.
fn asking(name: &str, taken: CallbackId, given: &Refined, spec: Glue<'_>) -> String {
    let params = spec.callback(taken).params.iter().enumerate();
    let args: Vec<String> =
        params.map(|(index, param)| make(&param.refined, spec, &format!("&asked[{index}]"))).collect();
    format!(
        "|asked: &[::target_strategies::logic::value::Value]| {{ \
         let arena = &::target_strategies::child::serve::Arena::new(); \
         let given = {name}({}); {} }}",
        args.join(", "),
        show(given, spec, "(&given)")
    )
}

/// Whether values of a type hold references.
fn borrows(refined: &Refined, spec: Glue<'_>) -> bool {
    let has_lifetime = |id: DataId| spec.data(id).rust_type.contains(['\'', '&']);
    matches!(refined.sort, Sort::Data(id) if has_lifetime(id))
        || refined.pointers.iter().any(|pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut))
        || refined.inner().into_iter().any(|part| borrows(part, spec))
}

/// A reference to the Rust value, without the references of the type.
pub fn make_reference(refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    let is_reference = |pointer: &&Pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut);
    let n_references = refined.pointers.iter().take_while(is_reference).count();
    let mut pointers = vec![Pointer::Ref];
    pointers.extend(&refined.pointers[n_references..]);
    make_behind(&pointers, refined, spec, from)
}

fn make_behind(pointers: &[Pointer], refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    let Some((outermost, inner)) = pointers.split_first() else {
        return make_owned(refined, spec, from);
    };
    let is_str = refined.sort == Sort::Str(StrKind::Str);
    let is_slice = matches!(refined.sort, Sort::Seq(_, SeqKind::Slice));
    if inner.is_empty() && is_str {
        let text = format!("{CONVERT}::as_str({from})");
        return match outermost {
            Pointer::Ref => text,
            Pointer::RefMut => format!("arena.keep(::std::string::String::from({text})).as_mut_str()"),
            Pointer::Box => format!("::std::boxed::Box::<str>::from({text})"),
            Pointer::Rc => format!("::std::rc::Rc::<str>::from({text})"),
            Pointer::Arc => format!("::std::sync::Arc::<str>::from({text})"),
            Pointer::Cow => format!("::std::borrow::Cow::<str>::Owned(::std::string::String::from({text}))"),
        };
    }
    let value = make_behind(inner, refined, spec, from);
    if inner.is_empty() && derivation::is_rule(refined, &spec) {
        return derivation::behind(*outermost, &value);
    }
    if inner.is_empty() && refined.callback().is_some() {
        let value = if spec.owner == Owner::Strategy { format!("{value}.into_box()") } else { value };
        return pointer_to_dyn(*outermost, &value);
    }
    if inner.is_empty() && refined.object(&spec).is_some() {
        return pointer_to_dyn(*outermost, &value);
    }
    let unsized_inside = inner.is_empty() && is_slice;
    match outermost {
        Pointer::Ref if unsized_inside => format!("&arena.keep({value})[..]"),
        Pointer::RefMut if unsized_inside => format!("&mut arena.keep({value})[..]"),
        Pointer::Box if unsized_inside => format!("{value}.into_boxed_slice()"),
        Pointer::Rc if unsized_inside => format!("::std::rc::Rc::<[_]>::from({value})"),
        Pointer::Arc if unsized_inside => format!("::std::sync::Arc::<[_]>::from({value})"),
        Pointer::Cow if unsized_inside => format!("::std::borrow::Cow::<[_]>::Owned({value})"),
        Pointer::Box | Pointer::Rc | Pointer::Arc if inner.is_empty() && is_of_unsized(refined, spec) => {
            format!("::std::convert::Into::into({value})")
        }
        Pointer::Ref => format!("&*arena.keep({value})"),
        Pointer::RefMut => format!("&mut *arena.keep({value})"),
        Pointer::Box => format!("::std::boxed::Box::new({value})"),
        Pointer::Rc => format!("::std::rc::Rc::new({value})"),
        Pointer::Arc => format!("::std::sync::Arc::new({value})"),
        Pointer::Cow => format!("::std::borrow::Cow::Owned({value})"),
    }
}

/// Whether the function that makes values of a type makes an owned form, as it may for `Path`: only rustc knows the type.
fn is_of_unsized(refined: &Refined, spec: Glue<'_>) -> bool {
    let Sort::Data(id) = refined.sort else { return false };
    let is_owned = |ctor: &Ctor| {
        ["std::path::PathBuf::from", "std::ffi::OsString::from"].contains(&ctor.rust_path.as_str())
    };
    spec.data(id).rust_type == "_" && spec.data(id).ctors.iter().all(is_owned)
}

/// A pointer inside of another value, to a value whose own type is forgotten: there, rustc converts it only if told to. It knows to
/// which type: `Box<dyn Fn(u8) -> u8 + Send>`.
fn pointer_to_dyn(pointer: Pointer, value: &str) -> String {
    match pointer {
        Pointer::Ref => format!("&*arena.keep({value}) as _"),
        Pointer::RefMut => format!("&mut *arena.keep({value}) as _"),
        Pointer::Box => format!("::std::boxed::Box::new({value}) as _"),
        Pointer::Rc => format!("::std::rc::Rc::new({value}) as _"),
        Pointer::Arc => format!("::std::sync::Arc::new({value}) as _"),
        Pointer::Cow => format!("::std::borrow::Cow::Owned({value})"),
    }
}

/// The value without any pointer around it; a `String` for a `str`, a `Vec` for a slice.
pub fn make_owned(refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    match &refined.sort {
        Sort::Bool => format!("{CONVERT}::as_bool({from})"),
        Sort::Char => format!("{CONVERT}::as_char({from})"),
        Sort::Int(kind) => format!("{CONVERT}::as_{}({from})", kind.name()),
        Sort::Float(kind) => format!("{CONVERT}::as_{}({from})", kind.name()),
        Sort::Str(_) => format!("::std::string::String::from({CONVERT}::as_str({from}))"),
        Sort::Seq(element, SeqKind::Array(length)) => {
            let element = make(element, spec, "v");
            format!("{CONVERT}::array::<_, {length}>({from}, |v| {element})")
        }
        Sort::Seq(element, SeqKind::Vec | SeqKind::Slice) => {
            let element = make(element, spec, "v");
            format!("{CONVERT}::elements({from}).iter().map(|v| {element}).collect::<::std::vec::Vec<_>>()")
        }
        Sort::Seq(result, SeqKind::Answers(id)) if spec.owner == Owner::Strategy => {
            owned::made_function(*id, result, spec, from)
        }
        Sort::Seq(result, SeqKind::Answers(id)) => {
            let params =
                owned::typed_params(*id, spec).unwrap_or_else(|_| names_of_params(*id, spec).join(", "));
            let body = |number: &str| asked(*id, result, spec, number);
            if spec.callback(*id).is_pointer {
                pointer::chosen(*id, from, &params, body)
            } else {
                let number = format!("{FUNCTIONS}::inside({from}, {})", id.0);
                // rustc knows the type of a returned function, but not of one that this one returns.
                let of =
                    owned::returned_function(result, spec).map_or(String::new(), |of| format!(" -> {of}"));
                format!("{{ let number = {number}; move |{params}|{of} {{ {} }} }}", body("number"))
            }
        }
        Sort::Seq(element, SeqKind::Iter) => {
            let element = make(element, spec, "v");
            format!(
                "{CONVERT}::elements({from}).iter().map(|v| {element}).collect::<::std::vec::Vec<_>>().into_iter()"
            )
        }
        Sort::Seq(element, SeqKind::Deque) => collect(&make(element, spec, "v"), from, "VecDeque<_>"),
        Sort::Set(element, kind) => {
            let name = if *kind == SetKind::Hash { "HashSet<_>" } else { "BTreeSet<_>" };
            collect(&make(element, spec, "v"), from, name)
        }
        Sort::Map(key, value, kind) => {
            let name = if *kind == MapKind::Hash { "HashMap<_, _>" } else { "BTreeMap<_, _>" };
            let (key, value) = (make(key, spec, "&pair[0]"), make(value, spec, "&pair[1]"));
            let pair = format!("{{ let pair = {CONVERT}::parts(v); ({key}, {value}) }}");
            collect(&pair, from, name)
        }
        Sort::Tuple(parts) if parts.is_empty() => "()".to_owned(),
        Sort::Tuple(parts) => {
            let part = |(index, part): (usize, &Refined)| make(part, spec, &format!("&parts[{index}]"));
            let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
            format!("{{ let parts = {CONVERT}::parts({from}); ({},) }}", parts.join(", "))
        }
        Sort::Data(id) if is_inline(spec.data(*id)) => make_constructors(spec.data(*id), spec, from),
        Sort::Data(id) => format!("{}({from}, arena)", maker(*id)),
        Sort::Opaque(_) => format!("::core::unreachable!(\"{from} is of a type that can't be made\")"),
    }
}

/// A standard collection, with each element made from `v`.
fn collect(element: &str, from: &str, name: &str) -> String {
    let collected = format!(
        "{CONVERT}::elements({from}).iter().map(|v| {element}).collect::<::std::collections::{name}>()"
    );
    format!(
        "{{ let all = {collected}; \
         ::target_strategies::child::serve::all_kept(all.len(), {CONVERT}::elements({from}).len()); all }}"
    )
}

/// The `Value` of the Rust value referenced by `from`.
pub fn show(refined: &Refined, spec: Glue<'_>, from: &str) -> String {
    let mut place = from.to_owned();
    for _ in &refined.pointers {
        place = format!("(&**{place})");
    }
    match &refined.sort {
        Sort::Bool => format!("{CONVERT}::from_bool(*{place})"),
        Sort::Char => format!("{CONVERT}::from_char(*{place})"),
        Sort::Int(kind) => format!("{CONVERT}::from_{}(*{place})", kind.name()),
        Sort::Float(kind) => format!("{CONVERT}::from_{}(*{place})", kind.name()),
        Sort::Str(_) => format!("{CONVERT}::from_str({place})"),
        // What a function did, the case knows.
        Sort::Seq(_, SeqKind::Answers(_)) => "::target_strategies::logic::value::Value::seq([])".to_owned(),
        // What an iterator still yields.
        Sort::Seq(element, SeqKind::Iter) => {
            let element = show(element, spec, "v");
            format!("{CONVERT}::from_elements({place}.as_slice().iter().map(|v| {element}))")
        }
        Sort::Seq(element, _) => {
            let element = show(element, spec, "v");
            format!("{CONVERT}::from_elements({place}.iter().map(|v| {element}))")
        }
        Sort::Set(element, _) => {
            let element = show(element, spec, "v");
            format!("{CONVERT}::from_set({place}.iter().map(|v| {element}))")
        }
        Sort::Map(key, value, _) => {
            let pair = format!("[{}, {}]", show(key, spec, "k"), show(value, spec, "v"));
            format!("{CONVERT}::from_map({place}.iter().map(|(k, v)| {CONVERT}::from_parts({pair})))")
        }
        Sort::Tuple(parts) => {
            let part = |(index, part): (usize, &Refined)| show(part, spec, &format!("(&{place}.{index})"));
            let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
            format!("{CONVERT}::from_parts([{}])", parts.join(", "))
        }
        Sort::Data(id) if spec.data(*id).rule.is_some() => derivation::show(*id, &place),
        Sort::Data(id) if is_inline(spec.data(*id)) => show_constructors(spec.data(*id), spec, &place),
        // Which type a value of a trait has can't be seen.
        Sort::Data(_) if refined.object(&spec).is_some() => {
            "::target_strategies::logic::value::Value::unread()".to_owned()
        }
        Sort::Data(id) => format!("{}({place})", shower(*id)),
        Sort::Opaque(of) if spec.displayed.contains(of) => {
            format!("{CONVERT}::from_str(&::std::string::ToString::to_string({place}))")
        }
        Sort::Opaque(_) => debugged(&place),
    }
}

/// What an opaque value is by its `Debug`, if its type has one.
fn debugged(place: &str) -> String {
    let module = "::target_strategies::child::serve::debugged";
    format!(
        "{{ use {module}::{{AsDebug as _, Unknown as _}}; \
         (&{module}::Debugged({place})).text_by_debug() }}"
    )
}

/// The functions that make and show a user's data type, which may be recursive; `None` for types made in place.
pub fn functions(id: DataId, spec: Glue<'_>) -> Option<String> {
    let data = spec.data(id);
    if is_inline(data) {
        return None;
    }
    if let Some(rule) = &data.rule {
        return Some(derivation::functions(id, rule, &spec));
    }
    let value = "::target_strategies::logic::value::Value";
    Some(format!(
        "fn {}<'a>(v: &'a {value}, arena: &'a ::target_strategies::child::serve::Arena) -> {} {{\n    {}\n}}\n\
         fn {}(v: &{}) -> {value} {{\n    {}\n}}\n",
        maker(id),
        // What a value borrows is kept for the case.
        data.rust_type.replace("'_", "'a").replace('&', "&'a "),
        sequence::made(id, data, spec, "v", make_constructors(data, spec, "v")),
        shower(id),
        data.rust_type,
        show_constructors(data, spec, "v"),
    ))
}

/// The names of these functions, for a `use` list.
pub fn names(id: DataId, spec: Glue<'_>) -> String {
    if spec.data(id).rule.is_some() {
        return maker(id);
    }
    format!("{}, {}", maker(id), shower(id))
}

/// The function that tells whether a type's builder may reject its fields. If there are several, the spec says it.
pub fn builder(id: DataId, spec: Glue<'_>) -> String {
    let [ctor] = spec.data(id).ctors.as_slice() else {
        return format!("pub fn builder_{}() -> bool {{\n    false\n}}\n", id.0);
    };
    let is_constant =
        spec.data(id).via.iter().flat_map(|via| &via.builders).any(|builder| builder.is_constant);
    let call = if is_constant { ctor.rust_path.clone() } else { call(ctor, spec) };
    format!(
        "pub fn builder_{}() -> bool {{\n    ::target_strategies::child::serve::Built(::target_strategies::child::serve::returned(\
         |fields: &'static [::target_strategies::logic::value::Value], arena: &'static ::target_strategies::child::serve::Arena| \
         {call})).may_fail()\n}}\n",
        id.0
    )
}

/// The call that builds a value from `fields`.
fn call(ctor: &Ctor, spec: Glue<'_>) -> String {
    let args = args(ctor, spec);
    if ctor.named {
        let fields = ctor.fields.iter().zip(args).map(|(field, arg)| format!("{}: {arg}", field.name));
        return format!("{} {{ {} }}", ctor.rust_path, fields.collect::<Vec<_>>().join(", "));
    }
    format!("{}({})", ctor.rust_path, args.join(", "))
}

/// The arguments of a builder, made from `fields`.
fn args(ctor: &Ctor, spec: Glue<'_>) -> Vec<String> {
    let fields = ctor.fields.iter().enumerate();
    fields.map(|(position, field)| make(&field.refined, spec, &format!("&fields[{position}]"))).collect()
}

/// The value that a builder makes of `fields`, those of `given`. The case is rejected if the builder fails.
fn built(data: &Data, via: &Via, index: usize, spec: Glue<'_>) -> String {
    let ctor = &data.ctors[index];
    let Some(builder) = via.builders.get(index) else { return "::core::unreachable!()".to_owned() };
    if builder.changes {
        let args = args(ctor, spec);
        let (value, rest) = args.split_first().map_or(("()", &[][..]), |(value, rest)| (value, rest));
        let rest: String = rest.iter().map(|arg| format!(", {arg}")).collect();
        return format!(
            "::target_strategies::child::serve::changed({value}, |value| {{ {}(value{rest}); }})",
            ctor.rust_path
        );
    }
    let call = if builder.is_constant { ctor.rust_path.clone() } else { call(ctor, spec) };
    let built = format!("::target_strategies::child::serve::Built({call}).value()");
    match data.ctors.as_slice() {
        [_] if builder.reads.iter().all(Option::is_some) => {
            let shown = show_constructors(data, spec, "this");
            format!("::target_strategies::child::serve::unchanged({built}, |this| {shown}, given)")
        }
        [ctor] if !takes_sequences(ctor, spec) => built,
        // A panic is a failure of the function that builds, not of the one that is tested. No condition can say which
        // arguments go with a value that calls make.
        _ => format!("::target_strategies::child::serve::made(|| {built})"),
    }
}

/// Whether a function that builds values takes one that a sequence of calls makes.
fn takes_sequences(ctor: &Ctor, spec: Glue<'_>) -> bool {
    let taken = owned::data_in(ctor.fields.iter().map(|field| &field.refined), &spec);
    taken.into_iter().any(|id| spec.data(id).via.as_ref().is_some_and(|via| via.builders.len() > 1))
}

fn make_constructors(data: &Data, spec: Glue<'_>, from: &str) -> String {
    let mut arms = String::new();
    for (index, ctor) in data.ctors.iter().enumerate() {
        let field = |(position, field): (usize, &target_strategies::logic::ir::Field)| {
            let value = make(&field.refined, spec, &format!("&fields[{position}]"));
            if ctor.named { format!("{}: {value}", field.name) } else { value }
        };
        let fields: Vec<String> = ctor.fields.iter().enumerate().map(field).collect();
        if let Some(via) = &data.via {
            let built = built(data, via, index, spec);
            arms.push_str(&format!("({index}, fields) => {built}, "));
            continue;
        }
        let applied = applied(path(data, &ctor.rust_path), ctor.named, &fields);
        arms.push_str(&format!("({index}, fields) => {applied}, "));
    }
    let name = &data.rust_type;
    let other = format!("(ctor, _) => {CONVERT}::no_constructor(ctor, {name:?})");
    if data.via.is_some() {
        // A part is read from `fields`, which hide those around it.
        return format!("{{ let given = {from}; match {CONVERT}::fields(given) {{ {arms}{other} }} }}");
    }
    format!("match {CONVERT}::fields({from}) {{ {arms}{other} }}")
}

fn show_constructors(data: &Data, spec: Glue<'_>, from: &str) -> String {
    if data.via.is_some() && data.ctors.len() != 1 {
        // Which calls led to a value can't be seen.
        return "::target_strategies::logic::value::Value::unread()".to_owned();
    }
    if let (Some(Via { builders, .. }), [ctor]) = (&data.via, data.ctors.as_slice())
        && let [builder] = builders.as_slice()
    {
        let shown = |(field, read): (&target_strategies::logic::ir::Field, &Option<String>)| match read {
            Some(read) => show(&field.refined, spec, &format!("(&({read}))")),
            None => "::target_strategies::logic::value::Value::unread()".to_owned(),
        };
        let fields: Vec<String> = ctor.fields.iter().zip(&builder.reads).map(shown).collect();
        return format!("{{ let this = {from}; {CONVERT}::from_fields(0, [{}]) }}", fields.join(", "));
    }
    let mut arms = String::new();
    for (index, ctor) in data.ctors.iter().enumerate() {
        let pattern = |(position, field): (usize, &target_strategies::logic::ir::Field)| {
            if ctor.named { format!("{}: f{position}", field.name) } else { format!("f{position}") }
        };
        let patterns: Vec<String> = ctor.fields.iter().enumerate().map(pattern).collect();
        let shown = |(position, field): (usize, &target_strategies::logic::ir::Field)| {
            show(&field.refined, spec, &format!("f{position}"))
        };
        let values: Vec<String> = ctor.fields.iter().enumerate().map(shown).collect();
        let pattern = applied(path(data, &ctor.rust_path), ctor.named, &patterns);
        arms.push_str(&format!("{pattern} => {CONVERT}::from_fields({index}, [{}]), ", values.join(", ")));
    }
    // A match on a reference to an enum without constructors would need an arm.
    if data.ctors.is_empty() { format!("match *{from} {{}}") } else { format!("match {from} {{ {arms} }}") }
}

/// A constructor with its fields, as an expression or a pattern. Braces fit all constructors without fields: `A`, `A()`
/// and `A {}`.
fn applied(path: &str, named: bool, fields: &[String]) -> String {
    if named || fields.is_empty() {
        format!("{path} {{ {} }}", fields.join(", "))
    } else {
        format!("{path}({})", fields.join(", "))
    }
}

/// The path of a constructor, from the root.
fn path<'p>(data: &Data, rust_path: &'p str) -> &'p str {
    match rust_path {
        "None" if is_of_std(data) => "::core::option::Option::None",
        "Some" if is_of_std(data) => "::core::option::Option::Some",
        "Ok" if is_of_std(data) => "::core::result::Result::Ok",
        "Err" if is_of_std(data) => "::core::result::Result::Err",
        of_the_crate => of_the_crate,
    }
}

/// Whether values of a type are made in place, without a function: the type is generic, or only known to rustc.
pub fn is_inline(data: &Data) -> bool {
    is_of_std(data) || data.rust_type == "_"
}

fn is_of_std(data: &Data) -> bool {
    data.rust_type.starts_with("Option<") || data.rust_type.starts_with("Result<")
}

pub(super) fn shower(id: DataId) -> String {
    format!("show_{}", id.0)
}
