//! Functions of strsim with plain arguments.
#![allow(warnings)]

extern crate reach_log;

use self::reach_log::note;

pub fn hamming(left: String, right: String) {
    note("hamming", (&left, &right));
    ::hamming(&left, &right);
}

pub fn jaro(left: String, right: String) {
    note("jaro", (&left, &right));
    ::jaro(&left, &right);
}

pub fn jaro_winkler(left: String, right: String) {
    note("jaro_winkler", (&left, &right));
    ::jaro_winkler(&left, &right);
}

pub fn levenshtein(left: String, right: String) {
    note("levenshtein", (&left, &right));
    ::levenshtein(&left, &right);
}

pub fn normalized_levenshtein(left: String, right: String) {
    note("normalized_levenshtein", (&left, &right));
    ::normalized_levenshtein(&left, &right);
}

pub fn osa_distance(left: String, right: String) {
    note("osa_distance", (&left, &right));
    ::osa_distance(&left, &right);
}

pub fn damerau_levenshtein(left: String, right: String) {
    note("damerau_levenshtein", (&left, &right));
    ::damerau_levenshtein(&left, &right);
}

pub fn normalized_damerau_levenshtein(left: String, right: String) {
    note("normalized_damerau_levenshtein", (&left, &right));
    ::normalized_damerau_levenshtein(&left, &right);
}

pub fn sorensen_dice(left: String, right: String) {
    note("sorensen_dice", (&left, &right));
    ::sorensen_dice(&left, &right);
}
