//! Closures and bodies of methods that ask for their results: Rust text.
//!
//! In a harness, a function is a number in the running case. In values of a strategy, each function has its own tables.

use target_strategies::logic::ir::{CallbackId, CallbackParam, DataId, Pointer, Refined, Sort, Spec, Step};

use super::convert::{behind, make, show};

/// The functions of the running case.
pub const FUNCTIONS: &str = "::target_strategies::child::serve::functions";

/// The argument for a parameter that is a function, by its position. It is written where the subject is called, so that
/// rustc knows the types of its parameters; and captures nothing, so that it is a function pointer, too.
pub fn function(refined: &Refined, id: CallbackId, spec: &Spec, slot: usize) -> String {
    let Sort::Seq(result, _) = &refined.sort else { return "()".to_owned() };
    behind(refined, closure(id, result, spec, &format!("{FUNCTIONS}::of_param({slot})")))
}

/// A closure that asks for its results, by the number of the function in the running case.
pub fn closure(id: CallbackId, result: &Refined, spec: &Spec, number: &str) -> String {
    let names = names_of_params(id, spec).join(", ");
    format!("|{names}| {{ {} }}", asked(id, result, spec, number))
}

/// A closure with these types of parameters that asks `asked` for its results.
pub fn asking_closure(id: CallbackId, result: &Refined, spec: &Spec, types: &[String]) -> String {
    let names = names_of_params(id, spec);
    let params: Vec<String> = names.iter().zip(types).map(|(name, of)| format!("{name}: {of}")).collect();
    format!("move |{}| {{ {} }}", params.join(", "), asked_of("asked", id, result, spec))
}

/// The names of a function's parameters in its code.
pub fn names_of_params(id: CallbackId, spec: &Spec) -> Vec<String> {
    (0..spec.callback(id).params.len()).map(|index| format!("x{index}")).collect()
}

/// The arguments of a call, read from the names of the parameters.
pub fn shown_args(id: CallbackId, spec: &Spec) -> Vec<String> {
    let shown = |(param, name): (&CallbackParam, String)| {
        if param.refined.callback().is_some() {
            return "::target_strategies::logic::value::Value::seq([])".to_owned();
        }
        show(&param.refined, spec, &format!("(&{name})"))
    };
    spec.callback(id).params.iter().zip(names_of_params(id, spec)).map(shown).collect()
}

/// The body of a function that asks for its results.
pub fn asked(id: CallbackId, result: &Refined, spec: &Spec, number: &str) -> String {
    let callback = spec.callback(id);
    let (names, args) = (names_of_params(id, spec), shown_args(id, spec));
    let call = match callback.taken() {
        None => format!("{FUNCTIONS}::call({number}, &[{}])", args.join(", ")),
        Some((at, taken, given)) => {
            let ask = asking(&names[at], taken, given, spec);
            format!("{FUNCTIONS}::call_taking({number}, ::std::vec![{}], {at}, &mut {ask})", args.join(", "))
        }
    };
    let result = match callback.steps {
        Some(steps) => &spec.data(steps).ctors[Step::Return as usize].fields[0].refined,
        None => result,
    };
    given(&call, result, spec)
}

/// The body of a function that asks `of` for its results ([`target_strategies::strategy::Asked`]).
pub fn asked_of(of: &str, id: CallbackId, result: &Refined, spec: &Spec) -> String {
    given(&format!("{of}.call(&[{}])", shown_args(id, spec).join(", ")), result, spec)
}

/// The Rust value of a result that a call gives.
fn given(call: &str, result: &Refined, spec: &Spec) -> String {
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
fn asking(name: &str, taken: CallbackId, given: &Refined, spec: &Spec) -> String {
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
fn borrows(refined: &Refined, spec: &Spec) -> bool {
    let has_lifetime = |id: DataId| spec.data(id).rust_type.contains(['\'', '&']);
    matches!(refined.sort, Sort::Data(id) if has_lifetime(id))
        || refined.pointers.iter().any(|pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut))
        || refined.inner().into_iter().any(|part| borrows(part, spec))
}
