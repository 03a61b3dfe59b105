//! Turns a regular expression into a [`Program`] that tells the groups of a match.
//!
//! The order of the branches is that of the crate `regex`: its compiler is followed case by case, from the end to the
//! start.

use regex_syntax::hir::{Capture, Hir, HirKind, Look, Repetition};
use target_strategies::logic::ir::{Instruction, Program};

use super::alphabet::sets_of;
use super::limits::{TooBig, Work};

/// Maximum number of instructions, and of characters' intervals in them. A judge may go through all of them for each
/// character of a string.
const MAX_SIZE: usize = 10_000;

/// The program of an expression.
pub fn program_of(hir: &Hir, work: &mut Work) -> Result<Program, TooBig> {
    let mut builder = Builder { code: vec![Instruction::Match], names: vec![None], size: 1, work };
    builder.name(hir)?;
    let start = builder.before(hir, 0)?;
    Ok(Program { names: builder.names, start, code: builder.code })
}

struct Builder<'w> {
    code: Vec<Instruction>,
    names: Vec<Option<String>>,
    size: usize,
    work: &'w mut Work,
}

impl Builder<'_> {
    /// Collects the names of the groups.
    fn name(&mut self, hir: &Hir) -> Result<(), TooBig> {
        self.work.charge(1)?;
        if let HirKind::Capture(Capture { index, name, .. }) = hir.kind() {
            let index = *index as usize;
            if index >= MAX_SIZE {
                return Err(TooBig);
            }
            if self.names.len() <= index {
                self.names.resize(index + 1, None);
            }
            self.names[index] = name.as_ref().map(|name| name.to_string());
        }
        hir.kind().subs().iter().try_for_each(|sub| self.name(sub))
    }

    fn add(&mut self, instruction: Instruction) -> Result<u32, TooBig> {
        self.size += if let Instruction::Read(set, _) = &instruction { set.len() + 1 } else { 1 };
        if self.size > MAX_SIZE {
            return Err(TooBig);
        }
        self.code.push(instruction);
        Ok(self.code.len() as u32 - 1)
    }

    /// The first instruction for matching an expression and continuing at `next`.
    fn before(&mut self, hir: &Hir, next: u32) -> Result<u32, TooBig> {
        // Copies of empty expressions cost work, too.
        self.work.charge(1)?;
        match hir.kind() {
            HirKind::Empty => Ok(next),
            HirKind::Literal(_) | HirKind::Class(_) => sets_of(hir)
                .into_iter()
                .rev()
                .try_fold(next, |next, set| self.add(Instruction::Read(set, next))),
            HirKind::Look(Look::Start) => self.add(Instruction::Start(next)),
            // All other assertions were rejected.
            HirKind::Look(_) => self.add(Instruction::End(next)),
            HirKind::Repetition(repetition) => self.repeated(repetition, next),
            HirKind::Capture(capture) => {
                let end = self.add(Instruction::Save(2 * capture.index + 1, next))?;
                let start = self.before(&capture.sub, end)?;
                self.add(Instruction::Save(2 * capture.index, start))
            }
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.before(part, next)),
            HirKind::Alternation(parts) => {
                let starts = parts.iter().map(|part| self.before(part, next)).collect::<Result<_, _>>()?;
                self.add(Instruction::Split(starts))
            }
        }
    }

    /// A choice between one more copy and none.
    fn choice(repetition: &Repetition, more: u32, next: u32) -> Instruction {
        Instruction::Split(if repetition.greedy { vec![more, next] } else { vec![next, more] })
    }

    fn repeated(&mut self, repetition: &Repetition, next: u32) -> Result<u32, TooBig> {
        let sub = &repetition.sub;
        let mut n_before = repetition.min;
        let mut start = next;
        match repetition.max {
            None => {
                let again = self.add(Instruction::Split(Vec::new()))?;
                let copy = self.before(sub, again)?;
                self.code[again as usize] = Builder::choice(repetition, copy, next);
                start = if repetition.min > 0 {
                    n_before -= 1;
                    copy
                } else if sub.properties().minimum_len().is_some_and(|least| least > 0) {
                    again
                } else {
                    // An empty copy must not be entered again: `(|a)*` is `((|a)+)?`.
                    self.add(Builder::choice(repetition, copy, next))?
                };
            }
            Some(max) => {
                for _ in repetition.min..max {
                    let more = self.before(sub, start)?;
                    start = self.add(Builder::choice(repetition, more, next))?;
                }
            }
        }
        (0..n_before).try_fold(start, |start, _| self.before(sub, start))
    }
}
