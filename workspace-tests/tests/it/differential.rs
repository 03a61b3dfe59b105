//! Three ways to the inputs of a spec: Z3, the plain enumeration, and one that knows nothing but types. All agree.

mod naive;
mod random_specs;
mod random_text;

use std::fmt::Write;

use target_bridge::generate::End;
use target_strategies::beyond::Source;
use target_strategies::space::Space;

use crate::table::{Args, Entry, as_set, beyond, entries, enumerated, smt};

/// Number of cases of each source that are checked for each spec.
const BEYOND: usize = 6;

#[test]
fn all_generators_find_the_same_members_of_every_spec() {
    let entries = entries();
    assert!(entries.len() >= 70, "{} specs", entries.len());
    let complaints: String = entries.iter().map(complaints).collect();
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn cases_outside_a_space_satisfy_its_spec_and_come_once() {
    let mut complaints = String::new();
    for source in [Source::Boundary, Source::Large] {
        let mut n_found = 0;
        for entry in entries() {
            let Ok(space) = entry.space() else { continue };
            let cases = beyond(&space, source, BEYOND);
            n_found += cases.len();
            let is_right = |args: &Args| admits_beyond(&space, args) && !space.contains(args);
            let wrong: Vec<&Args> = cases.iter().filter(|args| !is_right(args)).collect();
            let (_, twice) = as_set(&cases);
            complain(&mut complaints, &entry, "cases that the spec rejects or the space has", &wrong);
            complain(&mut complaints, &entry, "cases that come twice", &twice);
        }
        assert!(n_found > 250, "{source:?}: {n_found}");
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// What is valid, explored or not.
fn admits_beyond(space: &Space, args: &Args) -> bool {
    target_strategies::logic::eval::admits(space.spec(), args)
}

/// All that is wrong with an entry.
fn complaints(entry: &Entry) -> String {
    let mut text = String::new();
    let space = match entry.space() {
        Ok(space) => space,
        Err(mistakes) => return format!("{}: {mistakes}\n", entry.name),
    };
    let dealt = smt(&space);
    if dealt.end != End::Exhausted {
        let _ = writeln!(text, "{}: smt ends with {:?}", entry.name, dealt.end);
    }
    let expected = naive::members(entry, space.spec());
    let (expected, _) = as_set(&expected);
    if entry.count.is_some_and(|count| count != expected.len()) {
        let _ = writeln!(text, "{}: there are {} members", entry.name, expected.len());
    }
    for (generator, members) in [("smt", &dealt.members), ("enumerative", &enumerated(&space))] {
        let (found, twice) = as_set(members);
        complain(&mut text, entry, &format!("{generator} repeats"), &twice);
        let missing: Vec<&Args> = expected.difference(&found).copied().collect();
        complain(&mut text, entry, &format!("{generator} misses"), &missing);
        let more: Vec<&Args> = found.difference(&expected).copied().collect();
        complain(&mut text, entry, &format!("{generator} alone finds"), &more);
    }
    let outside: Vec<&Args> = expected.into_iter().filter(|args| !space.contains(args)).collect();
    complain(&mut text, entry, "the space doesn't contain", &outside);
    text
}

fn complain(text: &mut String, entry: &Entry, what: &str, members: &[&Args]) {
    if let Some(first) = members.first() {
        let _ =
            writeln!(text, "{}: {what} {}, such as {first:?}\n  {}", entry.name, members.len(), entry.spec);
    }
}
