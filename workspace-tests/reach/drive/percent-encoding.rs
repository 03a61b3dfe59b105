//! Functions of percent-encoding with plain arguments.
#![allow(warnings)]

extern crate reach_log;
extern crate std;

use self::reach_log::note;
use self::std::string::{String, ToString};
use self::std::vec::Vec;
use crate::*;

pub fn decode(bytes: Vec<u8>) {
    note("decode", &bytes);
    percent_decode(&bytes).decode_utf8_lossy();
}

pub fn strict(text: String) {
    note("strict", &text);
    percent_decode_str(&text).decode_utf8();
}

pub fn encode(bytes: Vec<u8>) {
    note("encode", &bytes);
    percent_encode(&bytes, NON_ALPHANUMERIC).to_string();
}

pub fn controls(text: String) {
    note("controls", &text);
    utf8_percent_encode(&text, CONTROLS).to_string();
}

pub fn byte(byte: u8) {
    note("byte", &byte);
    percent_encode_byte(byte);
}
