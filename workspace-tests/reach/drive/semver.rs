//! Functions of semver with plain arguments.
#![allow(warnings)]

extern crate reach_log;

use self::reach_log::note;
use crate::*;

pub fn version(text: String) {
    note("version", &text);
    Version::parse(&text).map_err(|error| error.to_string());
}

pub fn requirement(text: String) {
    note("requirement", &text);
    VersionReq::parse(&text).map(|requirement| requirement.to_string());
}

pub fn comparator(text: String) {
    note("comparator", &text);
    Comparator::parse(&text);
}

pub fn parts(prerelease: String, build: String) {
    note("parts", (&prerelease, &build));
    Prerelease::new(&prerelease);
    BuildMetadata::new(&build);
}

pub fn matches(requirement: String, version: String) {
    note("matches", (&requirement, &version));
    if let (Ok(requirement), Ok(version)) = (VersionReq::parse(&requirement), Version::parse(&version)) {
        requirement.matches(&version);
    }
}

pub fn order(left: String, right: String) {
    note("order", (&left, &right));
    Version::parse(&left).ok().cmp(&Version::parse(&right).ok());
}
