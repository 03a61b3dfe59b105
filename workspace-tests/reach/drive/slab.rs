//! Functions of slab with plain arguments.
#![allow(warnings)]

extern crate reach_log;
extern crate std;

use self::reach_log::note;
use self::std::vec::Vec;
use crate::Slab;

pub fn edit(steps: Vec<(u8, u8)>) {
    note("edit", &steps);
    let mut slab = Slab::new();
    for (step, value) in steps {
        match step % 4 {
            0 => {
                slab.try_remove((value % 16) as usize);
            }
            1 => slab.retain(|_, other| *other != value),
            _ => {
                slab.insert(value);
            }
        }
    }
    slab.compact(|_, _, _| true);
}

pub fn get(values: Vec<u8>, key: u8, other: u8) {
    note("get", (&values, &key, &other));
    let mut slab = Slab::with_capacity(1);
    for value in values {
        slab.insert(value);
    }
    slab.get(key as usize);
    slab.get2_mut(key as usize, other as usize);
    slab.contains(other as usize);
}

pub fn remove(values: Vec<u8>, key: u8) {
    note("remove", (&values, &key));
    let mut slab: Slab<u8> = values.into_iter().enumerate().collect();
    slab.remove(key as usize);
    slab.drain().count();
}

pub fn keys(pairs: Vec<(u8, u8)>) {
    note("keys", &pairs);
    let mut slab: Slab<u8> = pairs.into_iter().map(|(key, value)| (key as usize, value)).collect();
    slab.shrink_to_fit();
    slab.insert(1);
    slab.vacant_key();
}
