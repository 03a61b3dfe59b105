//! Derivations of grammars, which Rust holds as their texts: a function for each rule appends its text to a string.
//!
//! For `Sum = '"1" | left:Sum "+" right:Sum'` it is
//!
//! ```text
//! fn text_0(v: &Value, out: &mut String) {
//!     match v {
//!         Value::Data(0, fields) => { out.push_str("1"); }
//!         Value::Data(1, fields) => { text_0(&fields[0], out); out.push_str("+"); text_0(&fields[1], out); }
//!         v => out.push_str(as_str(v)),
//!     }
//! }
//! ```
//!
//! The other way round, the runtime reads texts by the spec's grammar.

use std::fmt::Write;

use target_strategies::logic::ir::{Ctor, DataId, Piece, Pointer, Refined, Rule, Sort, Spec};

use super::glue::{CONVERT, maker};

const VALUE: &str = "::target_strategies::logic::value::Value";

/// Whether the values of a type are derivations.
pub fn is_rule(refined: &Refined, spec: &Spec) -> bool {
    matches!(refined.sort, Sort::Data(id) if spec.data(id).rule.is_some())
}

/// A pointer to a text, given as a `String`.
pub fn behind(pointer: Pointer, text: &str) -> String {
    match pointer {
        Pointer::Ref => format!("arena.keep({text}).as_str()"),
        Pointer::RefMut => format!("&mut *arena.keep({text})"),
        // It may be a `Box<str>` or a `Box<String>`.
        Pointer::Box | Pointer::Rc | Pointer::Arc | Pointer::Cow => {
            format!("::core::convert::Into::into({text})")
        }
    }
}

/// The derivation of the text in `from`, a `&str` or a `&String`.
pub fn show(rule: DataId, from: &str) -> String {
    format!("::target_strategies::child::serve::derivations::derivation({}, {from})", rule.0)
}

/// The functions that make the text of a rule.
pub fn functions(id: DataId, rule: &Rule, spec: &Spec) -> String {
    let mut arms = String::new();
    for ((index, layout), ctor) in rule.layouts.iter().enumerate().zip(&spec.data(id).ctors) {
        let body: String = layout.iter().map(|piece| self::piece(piece, ctor, spec)).collect();
        let _ = write!(arms, "{VALUE}::Data({index}, fields) => {{ {body}}}\n        ");
    }
    format!(
        "fn {make}<'a>(v: &'a {VALUE}, _: &'a ::target_strategies::child::serve::Arena) -> ::std::string::String {{\n    \
         let mut out = ::std::string::String::new();\n    \
         text_{number}(v, &mut out);\n    out\n}}\n\
         pub fn text_{number}(v: &{VALUE}, out: &mut ::std::string::String) {{\n    \
         match v {{\n        {arms}v => out.push_str({CONVERT}::as_str(v)),\n    }}\n}}\n",
        make = maker(id),
        number = id.0,
    )
}

fn piece(piece: &Piece, ctor: &Ctor, spec: &Spec) -> String {
    match piece {
        Piece::Quoted(text) => format!("out.push_str({text:?}); "),
        Piece::Field(at) => {
            let field = ctor.fields.get(*at as usize);
            field.map_or_else(String::new, |field| part(&field.refined, spec, &format!("&fields[{at}]")))
        }
    }
}

/// A statement that appends the text of a part.
fn part(refined: &Refined, spec: &Spec, from: &str) -> String {
    match &refined.sort {
        Sort::Data(id) if spec.data(*id).rule.is_some() => format!("text_{}({from}, out); ", id.0),
        Sort::Data(id) => {
            let held = spec.data(*id).ctors.get(1).and_then(|some| some.fields.first());
            let held = held.map_or_else(String::new, |held| part(&held.refined, spec, "&held[0]"));
            format!("if let (1, held) = {CONVERT}::fields({from}) {{ {held}}} ")
        }
        Sort::Seq(element, _) => {
            let element = part(element, spec, "v");
            format!("for v in {CONVERT}::elements({from}) {{ {element}}} ")
        }
        #[rustfmt::skip]
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Set(..)
        | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => {
            format!("out.push_str({CONVERT}::as_str({from})); ")
        }
    }
}
