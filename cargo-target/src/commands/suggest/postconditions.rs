//! Conditions that always held of what a function returned: those that say most about it, and none that follows from others.

use anyhow::Result;
use target_bridge::frontend::subject::Subject;

use super::mutation::{Observed, Strength, is_kept, mutants, strength, strongest_first};
use super::redundant::needed;
use super::session::Session;
use super::{Candidate, templates};
use crate::commands::init::trial::Trial;

/// Maximum number of postconditions.
const MOST: usize = 3;

/// Number of inputs that each is tried on, after it held of the observed ones.
const CASES: u64 = 4_000;

/// A condition with what supports it.
pub struct Postcondition {
    pub text: String,
    /// Number of inputs for which it held.
    pub n_held: usize,
    pub strength: Strength,
}

/// A condition that held of the observed results.
struct Ranked {
    /// Of conditions of one group, one is enough.
    group: usize,
    text: String,
    subject: Subject,
    strength: Strength,
}

/// The conditions that held of all results, the strongest first.
pub fn postconditions(
    candidate: &Candidate,
    spec: &str,
    trial: &Trial,
    session: &Session,
) -> Result<Vec<Postcondition>> {
    let with = |texts: &[&str]| {
        let ensures: String = texts.iter().map(|text| format!(" ensures {text}")).collect();
        trial.subject(&candidate.key, &format!("{spec}{ensures}"))
    };
    let Some(subject) = with(&[]) else { return Ok(Vec::new()) };
    let observed = session.outcomes(&subject, 1)?;
    let groups = templates::postconditions(candidate.item, trial.catalog);
    let mut kept: Vec<(usize, Postcondition)> = Vec::new();
    for Ranked { group, text, subject, strength } in ranked(groups, &with, &observed) {
        let says_all = |text: &str| text.starts_with("result == ");
        if kept.len() == MOST || kept.iter().any(|(_, known)| says_all(&known.text)) {
            break;
        }
        // The same elements are as many.
        let is_as_long = |known: &Postcondition| known.text.starts_with("bag(") && text.contains(".len()");
        if kept.iter().any(|(other, known)| *other == group || is_as_long(known)) {
            continue;
        }
        let texts: Vec<&str> = kept.iter().map(|(_, known)| known.text.as_str()).chain([&*text]).collect();
        let needed = with(&texts).map_or_else(Vec::new, |all| needed_of(&all, texts.len()));
        if !needed.contains(&kept.len()) {
            continue;
        }
        if let Some(n_held) = session.holds(&subject, 2, CASES)? {
            kept.push((group, Postcondition { text, n_held, strength }));
            let mut index = 0..;
            kept.retain(|_| index.next().is_some_and(|index| needed.contains(&index)));
        }
    }
    Ok(kept.into_iter().map(|(_, condition)| condition).collect())
}

/// The indices of the postconditions that don't follow from others and the precondition; all, if one has several clauses.
fn needed_of(subject: &Subject, n_conditions: usize) -> Vec<usize> {
    let spec = &subject.spec;
    if spec.ensures.len() != n_conditions {
        return (0..n_conditions).collect();
    }
    needed(spec, &spec.requires, &spec.ensures)
}

/// The conditions that held of all observed results and reject some mutated ones, by how many.
fn ranked(
    groups: Vec<Vec<String>>,
    with: &impl Fn(&[&str]) -> Option<Subject>,
    observed: &[Observed],
) -> Vec<Ranked> {
    let mut all_mutants = None;
    let mut found: Vec<Ranked> = Vec::new();
    for (group, texts) in groups.into_iter().enumerate() {
        for text in texts {
            let Some(subject) = with(&[&text]) else { continue };
            if !observed.iter().all(|outcome| is_kept(&subject.spec, outcome)) {
                continue;
            }
            let mutants = all_mutants.get_or_insert_with(|| mutants(&subject.spec, observed));
            let strength = strength(&subject.spec, mutants);
            found.push(Ranked { group, text, subject, strength });
        }
    }
    strongest_first(found, |ranked| ranked.strength)
}
