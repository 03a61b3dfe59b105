//! Functions of heck with plain arguments.
#![allow(warnings)]

extern crate reach_log;
extern crate std;

use self::reach_log::note;
use self::std::string::String;
use crate::*;

pub fn snake(text: String) {
    note("snake", &text);
    text.as_str().to_snake_case();
}

pub fn kebab(text: String) {
    note("kebab", &text);
    text.as_str().to_kebab_case();
}

pub fn title(text: String) {
    note("title", &text);
    text.as_str().to_title_case();
}

pub fn train(text: String) {
    note("train", &text);
    text.as_str().to_train_case();
}

pub fn lower_camel(text: String) {
    note("lower_camel", &text);
    text.as_str().to_lower_camel_case();
}

pub fn upper_camel(text: String) {
    note("upper_camel", &text);
    text.as_str().to_upper_camel_case();
}

pub fn shouty_snake(text: String) {
    note("shouty_snake", &text);
    text.as_str().to_shouty_snake_case();
}

pub fn shouty_kebab(text: String) {
    note("shouty_kebab", &text);
    text.as_str().to_shouty_kebab_case();
}
