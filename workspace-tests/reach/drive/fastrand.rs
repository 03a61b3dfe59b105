//! Functions of fastrand with plain arguments.
#![allow(warnings)]

extern crate reach_log;
extern crate std;

use self::reach_log::note;
use self::std::vec::Vec;
use crate::Rng;

pub fn byte(seed: u64, low: u8, high: u8) {
    note("byte", (&seed, &low, &high));
    Rng::with_seed(seed).u8(low..high);
}

pub fn wide(seed: u64, low: i128, high: i128) {
    note("wide", (&seed, &low, &high));
    Rng::with_seed(seed).i128(low..=high);
}

pub fn character(seed: u64, low: char, high: char) {
    note("character", (&seed, &low, &high));
    Rng::with_seed(seed).char(low..high);
}

pub fn digit(seed: u64, base: u8) {
    note("digit", (&seed, &base));
    Rng::with_seed(seed).digit(base.into());
}

pub fn shuffle(seed: u64, bytes: Vec<u8>) {
    note("shuffle", (&seed, &bytes));
    let mut bytes = bytes;
    let mut rng = Rng::with_seed(seed);
    rng.shuffle(&mut bytes);
    rng.fill(&mut bytes);
}

pub fn choose(seed: u64, bytes: Vec<u8>, count: u8) {
    note("choose", (&seed, &bytes, &count));
    Rng::with_seed(seed).choose_multiple(bytes, count as usize);
}

pub fn letters(seed: u64) {
    note("letters", &seed);
    let mut rng = Rng::with_seed(seed);
    (rng.alphanumeric(), rng.lowercase(), rng.f64(), rng.f32_inclusive(), rng.bool());
}
