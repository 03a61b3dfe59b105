//! Functions of shlex with plain arguments.
#![allow(warnings)]

extern crate reach_log;

use self::reach_log::note;

pub fn split(text: String) {
    note("split", &text);
    crate::split(&text);
}

pub fn split_bytes(bytes: Vec<u8>) {
    note("split_bytes", &bytes);
    crate::bytes::split(&bytes);
}

pub fn quote(text: String) {
    note("quote", &text);
    crate::try_quote(&text);
}

pub fn join(words: Vec<String>) {
    note("join", &words);
    crate::try_join(words.iter().map(|word| word.as_str()));
}
