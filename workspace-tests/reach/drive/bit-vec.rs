//! Functions of bit-vec with plain arguments.
#![allow(warnings)]

extern crate reach_log;
extern crate std;

use self::reach_log::note;
use self::std::vec::Vec;
use crate::BitVec;

pub fn from_bytes(bytes: Vec<u8>) {
    note("from_bytes", &bytes);
    let bits = BitVec::from_bytes(&bytes);
    bits.to_bytes();
    (bits.all(), bits.any(), bits.count_ones());
}

pub fn elem(len: u8, bit: bool) {
    note("elem", (&len, &bit));
    let mut bits = BitVec::from_elem(len as usize, bit);
    bits.negate();
    (bits.none(), bits.count_zeros());
}

pub fn pair(left: Vec<bool>, right: Vec<bool>) {
    note("pair", (&left, &right));
    let mut left: BitVec = left.into_iter().collect();
    let right: BitVec = right.into_iter().collect();
    left == right;
    left.or(&right);
    left.xor(&right);
    left.nand(&right);
    left.difference(&right);
}

pub fn edit(bits: Vec<bool>, at: u8, bit: bool) {
    note("edit", (&bits, &at, &bit));
    let mut bits: BitVec = bits.into_iter().collect();
    bits.insert(at as usize, bit);
    bits.push(bit);
    bits.remove(at as usize);
    bits.truncate(at as usize);
    bits.pop();
}

pub fn split(bits: Vec<bool>, at: u8) {
    note("split", (&bits, &at));
    let mut bits: BitVec = bits.into_iter().collect();
    let mut end = bits.split_off(at as usize);
    end.append(&mut bits);
}

pub fn grow(bits: Vec<bool>, by: u8, bit: bool) {
    note("grow", (&bits, &by, &bit));
    let mut bits: BitVec = bits.into_iter().collect();
    bits.grow(by as usize, bit);
    bits.set(by as usize, bit);
    bits.get(by as usize);
}
