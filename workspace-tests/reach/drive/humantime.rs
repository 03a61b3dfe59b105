//! Functions of humantime with plain arguments.
#![allow(warnings)]

extern crate reach_log;

use self::reach_log::note;
use crate::*;
use std::time::{Duration, UNIX_EPOCH};

pub fn duration(text: String) {
    note("duration", &text);
    parse_duration(&text).map_err(|error| error.to_string());
}

pub fn time(text: String) {
    note("time", &text);
    parse_rfc3339(&text).map_err(|error| error.to_string());
}

pub fn weak(text: String) {
    note("weak", &text);
    parse_rfc3339_weak(&text);
}

pub fn format(seconds: u64, nanoseconds: u32) {
    note("format", (&seconds, &nanoseconds));
    format_duration(Duration::new(seconds, nanoseconds % 1_000_000_000)).to_string();
}

pub fn stamp(seconds: u32, nanoseconds: u32) {
    note("stamp", (&seconds, &nanoseconds));
    let time = UNIX_EPOCH + Duration::new(seconds.into(), nanoseconds % 1_000_000_000);
    format_rfc3339(time).to_string();
    format_rfc3339_millis(time).to_string();
}
