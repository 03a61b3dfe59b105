//! The inputs of a generator as values.

use std::collections::VecDeque;

use target_strategies::logic::eval::{Admission, Judge};
use target_strategies::logic::value::Value;
use target_strategies::native::listing::Lister;
use target_strategies::space::Space;

use super::native::{NativeGenerator, NativeOptions, is_fit};
use super::smt::SmtGenerator;
use super::{Batch, End, Generator, Step};

/// Maximum number of steps for the next member.
const MOST_STEPS: usize = 2_000;

/// The next input.
pub enum Next {
    /// An input.
    Member(Vec<Value>),
    /// There is none; if some may be missing, for these reasons.
    End(Vec<String>),
}

/// Where inputs come from.
enum Source {
    /// The engine, with the members of each class in order.
    InOrder(Box<NativeGenerator>),
    Any(Box<dyn Generator>),
}

/// Goes through the inputs that the judge admits.
pub struct Members {
    space: Space,
    source: Source,
    lister: Lister,
    waiting: VecDeque<Vec<Value>>,
    end: Option<Vec<String>>,
    /// Whether an input could not be judged.
    is_undecided: bool,
}

impl Members {
    /// All members, small ones first: by the engine, or by Z3 where that would search blindly.
    pub fn new(space: &Space) -> Members {
        let generator: Box<dyn Generator> = if is_fit(space) {
            let options = NativeOptions { cases: u64::MAX, size: None };
            Box::new(NativeGenerator::new(space.clone(), &options))
        } else {
            Box::new(SmtGenerator::new(space.clone(), 0))
        };
        Members::of(space, generator)
    }

    /// The same, with the members of each class in order, where [`Members::new`] spreads them over large classes.
    pub fn in_order(space: &Space) -> Members {
        if !is_fit(space) {
            return Members::new(space);
        }
        Members::from(space, Source::InOrder(Box::new(NativeGenerator::in_order(space.clone()))))
    }

    /// The inputs of a generator for a space.
    pub fn of(space: &Space, generator: Box<dyn Generator>) -> Members {
        Members::from(space, Source::Any(generator))
    }

    fn from(space: &Space, source: Source) -> Members {
        let lister = Lister::new(space);
        Members {
            space: space.clone(),
            source,
            lister,
            waiting: VecDeque::new(),
            end: None,
            is_undecided: false,
        }
    }

    /// Spreads the members of large classes that are left, if they came in order.
    pub fn spread(&mut self) {
        match &mut self.source {
            Source::InOrder(generator) => generator.spread(),
            Source::Any(_) => {}
        }
    }

    /// The next member.
    pub fn advance(&mut self) -> Next {
        for _ in 0..MOST_STEPS {
            if let Some(member) = self.waiting.pop_front() {
                return Next::Member(member);
            }
            if let Some(reasons) = &self.end {
                let undecided = self.is_undecided.then(|| "some inputs could not be judged".to_owned());
                return Next::End(reasons.iter().cloned().chain(undecided).collect());
            }
            let step = match &mut self.source {
                Source::InOrder(generator) => generator.step(),
                Source::Any(generator) => generator.step(),
            };
            match step {
                Step::Batch(batch) => self.take(&batch),
                Step::Reached(_) => {}
                Step::Beyond(end) | Step::End(end) => {
                    self.end = Some(match end {
                        End::Exhausted => Vec::new(),
                        End::Asked(why) => vec![why],
                        End::Unknown(reasons) if reasons.is_empty() => vec!["the search gave up".to_owned()],
                        End::Unknown(reasons) => reasons,
                        End::Closed => vec!["the search was ended".to_owned()],
                    });
                }
            }
        }
        Next::End(vec!["the search for another input took too long".to_owned()])
    }

    fn take(&mut self, batch: &Batch) {
        let mut found = Vec::new();
        match batch {
            Batch::Cases(cases) => found.extend(cases.iter().map(|case| case.args.clone())),
            Batch::Listed(pieces) => {
                let mut listing = self.lister.list(pieces);
                while let Some(member) = listing.advance() {
                    found.push(member.args.to_vec());
                }
            }
            // Only the enumerative baseline gives these.
            Batch::Ranges(_) => {}
        }
        let spec = self.space.spec();
        for args in found {
            match Judge::new(None).precondition(spec, &args) {
                Admission::Admitted => self.waiting.push_back(args),
                Admission::Rejected(_) => {}
                Admission::SpecError { .. } => self.is_undecided = true,
            }
        }
    }
}

/// The first member of a space: by the engine or, if that gives up, by Z3.
pub fn first(space: &Space) -> Next {
    match Members::in_order(space).advance() {
        Next::End(reasons) if !reasons.is_empty() => {
            Members::of(space, Box::new(SmtGenerator::new(space.clone(), 0))).advance()
        }
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use target_strategies::logic::ir::{IntKind, Param, Refined, Sort, Spec};
    use target_strategies::space::Bounds;

    use super::*;

    #[test]
    fn members_that_are_spread_midway_come_once() {
        let byte =
            || Param { name: String::new(), refined: Refined::plain(Sort::Int(IntKind::U8)), mutable: false };
        let spec = Spec { params: vec![byte(), byte(), byte()], ..Spec::unrefined("three") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 3, bound: 19 });
        let listed = |spread_after| {
            let mut members = Members::in_order(&space);
            let mut found = Vec::new();
            while let Next::Member(member) = members.advance() {
                found.push(member);
                if found.len() == spread_after {
                    members.spread();
                }
            }
            found
        };
        let (in_order, spread) = (listed(usize::MAX), listed(700));
        assert!(in_order[..700] == spread[..700] && in_order != spread);
        let distinct: HashSet<&Vec<Value>> = spread.iter().collect();
        assert_eq!((in_order.len(), spread.len(), distinct.len()), (8_000, 8_000, 8_000));
    }
}
