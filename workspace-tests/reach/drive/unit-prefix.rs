//! Functions of unit-prefix with plain arguments.
#![allow(warnings)]

extern crate reach_log;

use self::reach_log::note;
use crate::NumberPrefix;

pub fn decimal(number: f64) {
    note("decimal", &number);
    if let NumberPrefix::Prefixed(prefix, _) = NumberPrefix::decimal(number) {
        (prefix.symbol(), prefix.lower());
    }
}

pub fn binary(number: f64) {
    note("binary", &number);
    if let NumberPrefix::Prefixed(prefix, _) = NumberPrefix::binary(number) {
        (prefix.upper(), prefix.caps());
    }
}

pub fn read(text: String) {
    note("read", &text);
    text.parse::<NumberPrefix<f64>>().map_err(|error| error.to_string());
}
