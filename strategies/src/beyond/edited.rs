//! Texts with small changes.
//!
//! Much that functions on texts get wrong is almost right: two versions that differ in one number, a pattern with one star more than
//! the text, an escape with a wrong digit. Texts that are chosen character by character hardly ever are. So a text loses a part, gets
//! it twice, or gets another character ([`change`]). Before, it may become a copy of another text, the start of one, or a word of a regular
//! expression of the spec ([`words`](super::words)). Or two texts become equal but for one word or number. The judge decides whether the
//! spec admits the result.

mod change;

use std::sync::{Arc, OnceLock};

use self::change::Alphabet;
use super::constants::Constants;
use super::source::LARGEST;
use super::words::Words;
use crate::dice::Dice;
use crate::logic::collection::ordered;
use crate::logic::eval::admits;
use crate::logic::ir::{Sort, Spec};
use crate::logic::part::{Part, Path, parts, replaced};
use crate::logic::value::Value;

/// Maximum number of texts that are looked at.
const MOST_PARTS: usize = 64;

/// Number of attempts at an input.
const ATTEMPTS: usize = 4;

/// Percentage of texts that become a word of an expression, and of the others, of copies.
const WORD: u64 = 30;
const COPY: u64 = 65;

/// Percentage of words that another one follows.
const TWO_WORDS: u64 = 25;

/// Percentage of copies of only the start of a text.
const START: u64 = 40;

/// Percentage of words and copies that change further, and of copies of a start.
const CHANGED: u64 = 85;
const CHANGED_START: u64 = 40;

/// Percentage of copies with which the original changes, too.
const BOTH: u64 = 30;

/// Percentage of changes after which two texts differ in one word or number, where there are two.
const TWINS: u64 = 20;

/// How texts change.
#[derive(Clone, Debug)]
pub(super) struct Edits {
    constants: Arc<Constants>,
    /// Made when they are needed.
    words: Arc<OnceLock<Words>>,
    has_words: bool,
}

/// What a text is before it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Own,
    Word,
    /// The text at this position.
    Copy(Path),
    /// The start of another text, and the end of its own.
    Start,
}

/// Whether an argument is a text or a list of texts.
pub(super) fn has_texts(spec: &Spec) -> bool {
    spec.params.iter().any(|param| has_text(&param.refined.sort))
}

fn has_text(sort: &Sort) -> bool {
    matches!(sort, Sort::Str(_)) || matches!(sort, Sort::Seq(element, _) if has_text(&element.sort))
}

impl Edits {
    /// The changes for a spec.
    pub(super) fn new(spec: &Spec, constants: &Arc<Constants>) -> Edits {
        let has_words = has_texts(spec) && !spec.regexes.is_empty();
        Edits { constants: Arc::clone(constants), words: Arc::default(), has_words }
    }

    /// Whether texts can be words of regular expressions.
    pub(super) fn has_words(&self) -> bool {
        self.has_words
    }

    fn words(&self, spec: &Spec) -> &Words {
        self.words.get_or_init(|| Words::of(spec))
    }

    /// An input with a changed text, if the spec admits one of some.
    pub(super) fn edited(&self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let texts = texts(spec, args);
        let n_outer = texts.iter().filter(|(part, _)| part.path.len() == 1).count();
        (0..ATTEMPTS).find_map(|_| {
            if texts.len() > 1 && dice.percent(TWINS) {
                return twins(spec, args, &texts, dice);
            }
            let n = if n_outer > 0 && dice.percent(50) { n_outer } else { texts.len() };
            let (part, own) = texts.get(dice.index(n.max(1)))?;
            let (mut text, origin) = self.base(spec, &texts, (part, own), dice);
            let others = &texts[dice.index(texts.len())].1;
            let alphabet = Alphabet { constants: &self.constants, others };
            if dice.percent(origin.changed()) {
                alphabet.change(&mut text, dice);
            }
            let mut args = args.to_vec();
            if let Origin::Copy(original) = &origin
                && dice.percent(BOTH)
            {
                args = replaced(&args, original, value(&text));
                alphabet.change(&mut text, dice);
            }
            if origin == Origin::Own && text == *own || text.len() as u64 > LARGEST {
                return None;
            }
            admitted(spec, replaced(&args, &part.path, value(&text)))
        })
    }

    /// An input with words of the expressions in place of its texts, if the spec admits it.
    pub(super) fn worded(&self, spec: &Spec, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let mut made = args.to_vec();
        for (part, _) in texts(spec, args) {
            let word = self.words(spec).fitting(part.refined, dice)?;
            made = replaced(&made, &part.path, value(&word));
        }
        if made == args { None } else { admitted(spec, made) }
    }

    /// What a text is before it changes.
    fn base(
        &self,
        spec: &Spec,
        texts: &[(Part<'_>, Vec<char>)],
        (part, own): (&Part<'_>, &[char]),
        dice: &mut Dice,
    ) -> (Vec<char>, Origin) {
        if self.has_words
            && dice.percent(WORD)
            && let Some(mut word) = self.words(spec).random(dice)
        {
            if dice.percent(TWO_WORDS) {
                word.extend(self.words(spec).random(dice).unwrap_or_default());
            }
            return (word, Origin::Word);
        }
        let others: Vec<_> =
            texts.iter().filter(|(other, text)| other.path != part.path && text != own).collect();
        match others.get(dice.index(others.len().max(1))) {
            Some((other, text)) if dice.percent(COPY) => {
                let start = if dice.percent(START) { change::joined(text, own, dice) } else { None };
                match start {
                    Some(start) => (start, Origin::Start),
                    None => (text.clone(), Origin::Copy(other.path.clone())),
                }
            }
            Some(_) | None => (own.to_vec(), Origin::Own),
        }
    }
}

impl Origin {
    /// Percentage of such texts that change.
    fn changed(&self) -> u64 {
        match self {
            Origin::Own => 100,
            Origin::Word | Origin::Copy(_) => CHANGED,
            Origin::Start => CHANGED_START,
        }
    }
}

/// The texts in an input, outermost first.
fn texts<'a>(spec: &'a Spec, args: &'a [Value]) -> Vec<(Part<'a>, Vec<char>)> {
    let all =
        parts(spec, args, false).into_iter().filter_map(|part| match (&part.refined.sort, part.value) {
            (Sort::Str(_), Value::Str(text)) => Some((part, text.chars().collect())),
            _ => None,
        });
    all.take(MOST_PARTS).collect()
}

/// An input with two texts that are equal but for one word or number, if the spec admits it.
fn twins(
    spec: &Spec,
    args: &[Value],
    texts: &[(Part<'_>, Vec<char>)],
    dice: &mut Dice,
) -> Option<Vec<Value>> {
    let first = dice.index(texts.len());
    let second = (first + 1 + dice.index(texts.len() - 1)) % texts.len();
    let ((a, text), (b, _)) = (&texts[first], &texts[second]);
    let [one, other] = change::twins(text, dice)?;
    if one.len().max(other.len()) as u64 > LARGEST {
        return None;
    }
    let args = replaced(args, &a.path, value(&one));
    admitted(spec, replaced(&args, &b.path, value(&other)))
}

fn value(text: &[char]) -> Value {
    Value::Str(text.iter().collect::<String>().into())
}

/// The arguments, with sets and maps in order, if the spec admits them.
fn admitted(spec: &Spec, args: Vec<Value>) -> Option<Vec<Value>> {
    let in_order = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
    let args: Vec<Value> = in_order.collect();
    admits(spec, &args).then_some(args)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::logic::ir::{Param, Refined, StrKind};

    fn spec(n_texts: usize) -> Spec {
        let text = Refined::plain(Sort::Str(StrKind::Str));
        let param = Param { name: "s".to_owned(), refined: text, mutable: false };
        Spec { params: vec![param; n_texts], ..Spec::unrefined("f") }
    }

    fn edited(texts: &[&str], constants: Constants) -> HashSet<Vec<String>> {
        let spec = spec(texts.len());
        let edits = Edits::new(&spec, &Arc::new(constants));
        let args: Vec<Value> = texts.iter().map(|text| Value::str(text)).collect();
        let made = (0..10_000).filter_map(|seed| edits.edited(&spec, &args, &mut Dice::new(seed, 0)));
        let text =
            |value: &Value| if let Value::Str(text) = value { text.to_string() } else { String::new() };
        made.map(|args| args.iter().map(text).collect()).collect()
    }

    #[test]
    fn a_text_changes_a_little() {
        let texts = vec!["**".into()];
        let made = edited(&["a.b-7"], Constants { texts, ..Constants::default() });
        for wanted in
            ["a.b", "a.b-10", "a.b-+7", "a.b-7.b-7", "b-7.a", "a.7-7", "a.a.b-7", "A.b-7", "a.b**-7"]
        {
            assert!(made.contains(&vec![wanted.to_owned()]), "{wanted}");
        }
    }

    #[test]
    fn a_text_is_almost_another_one() {
        let made = edited(&["1.2-a.b", "7-x"], Constants::default());
        let pairs = [
            ("1.2-a.b", "1.2-a"),
            ("1.2-a.b", "1.2-a.b.b"),
            ("1.2-a.b", "1.2-x"),
            ("7-x", "7-a.b"),
            ("7-x", "10-x"),
            ("1.2-a.9", "1.2-a.10"),
            ("1.2-a.b", "1.2-a.b.2"),
        ];
        for (a, b) in pairs {
            let is_it = |pair: &Vec<String>| pair[..] == [a, b] || pair[..] == [b, a];
            assert!(made.iter().any(is_it), "{a} {b}");
        }
    }
}
