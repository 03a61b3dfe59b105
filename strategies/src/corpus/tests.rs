use expect_test::expect;
use proptest::prelude::*;

use super::{Corpus, Kind};
use crate::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, Sort, Spec, StrKind, Term};
use crate::logic::value::Value;

/// `fn(n: {v: i32 | v <= most}, text: String)`
fn spec(most: i64) -> Spec {
    let mut spec = Spec::unrefined("f");
    let term = Term::Compare(CompareOp::Le, Box::new(Term::Var(2)), Box::new(Term::Lit(Value::int(most))));
    let clauses = vec![Clause { id: 0, text: format!("v <= {most}"), term }];
    let param = |name: &str, sort, clauses| Param {
        name: name.to_owned(),
        refined: Refined { clauses, ..Refined::plain(sort) },
        mutable: false,
    };
    spec.params = vec![
        param("n", Sort::Int(IntKind::I32), clauses),
        param("text", Sort::Str(StrKind::String), Vec::new()),
    ];
    spec
}

fn args(n: i64, text: &str) -> Vec<Value> {
    vec![Value::int(n), Value::str(text)]
}

fn corpus(entries: &[(Kind, i64, &str)]) -> Corpus {
    let mut corpus =
        Corpus { function: "f".to_owned(), spec: vec!["fn(..)".to_owned()], ..Corpus::default() };
    for (kind, n, text) in entries {
        corpus.add(*kind, args(*n, text), &spec(i64::MAX)).unwrap();
    }
    corpus
}

#[test]
fn a_file_is_ordered_and_says_each_thing_once() {
    let entries = [
        (Kind::Sample, 7, "long text"),
        (Kind::All, 1, ""),
        (Kind::All, 0, "\n"),
        (Kind::Counterexample, 3, "# no comment"),
        (Kind::Boundary, 7, "long text"),
        (Kind::Kept, 1, ""),
        (Kind::All, 0, ""),
    ];
    let text = corpus(&entries).text(&spec(9));
    expect![[r##"
        target-corpus 1
        function f
        spec fn(..)

        counterexample (3, "# no comment")

        kept (1, "")

        boundary (7, "long text")

        all (0, "")
        all (0, "\n")
    "##]]
    .assert_eq(&text);
    let mut backwards = entries;
    backwards.reverse();
    assert_eq!(corpus(&backwards).text(&spec(9)), text);
}

#[test]
fn what_the_spec_refuses_is_kept_aside_and_taken_back() {
    let text = corpus(&[(Kind::Counterexample, 5, "a"), (Kind::All, 1, "b")]).text(&spec(9));
    let stricter = Corpus::read(&text, &spec(3)).unwrap();
    assert_eq!(stricter.entries.len(), 1);
    let aside = stricter.text(&spec(3));
    expect![[r#"
        target-corpus 1
        function f
        spec fn(..)

        all (1, "b")

        # rejected: `v <= 3` does not hold
        rejected counterexample (5, "a")
    "#]]
    .assert_eq(&aside);
    assert_eq!(Corpus::read(&aside, &spec(3)).unwrap().text(&spec(3)), aside);
    assert_eq!(Corpus::read(&aside, &spec(9)).unwrap().text(&spec(9)), text);
}

#[test]
fn whatever_a_hand_wrote_stays() {
    let text = "\n# mine\n\ntarget-corpus 1\r\n# why\n  kept ( 1,\"x\" )\n(2, \"y\")\n<<<<<<< HEAD\nall (1)\n\
                kept (9999999999, \"\")\n# end";
    let corpus = Corpus::read(text, &spec(9)).unwrap();
    let written = corpus.text(&spec(9));
    expect![[r#"
        # mine
        target-corpus 1

        # why
        kept (1, "x")
        kept (2, "y")

        # rejected: a line begins with `counterexample`, `kept`, `boundary`, `all`, `sample`, or is a tuple
        rejected <<<<<<< HEAD
        # rejected: expected 2 arguments, not 1 (column 1)
        rejected all (1)
        # rejected: 9999999999 is no `i32` (column 2)
        rejected kept (9999999999, "")

        # end
    "#]]
    .assert_eq(&written);
    assert_eq!(Corpus::read(&written, &spec(9)).unwrap().text(&spec(9)), written);
}

#[test]
fn comments_in_the_head_are_about_the_file() {
    let text = "target-corpus 1\n# one\nfunction f\n# two\n\n# zero\nall (0, \"\")\n";
    let corpus = Corpus::read(text, &spec(9)).unwrap();
    assert_eq!(
        (&corpus.comments[..], &corpus.entries[0].comments[..]),
        (&["one", "two"].map(String::from)[..], &["zero".to_owned()][..])
    );
    let written = corpus.text(&spec(9));
    assert_eq!(written, "# one\n# two\ntarget-corpus 1\nfunction f\n\n# zero\nall (0, \"\")\n");
    assert_eq!(Corpus::read(&written, &spec(9)).unwrap(), corpus);
}

#[test]
fn a_rejected_line_has_the_kind_that_it_begins_with() {
    let text =
        "target-corpus 1\nrejected all (7, \"\")\nkept (7, \"\")\nsample (\n(7, \"\")\nmine (7, \"\")\n";
    let corpus = Corpus::read(text, &spec(0)).unwrap();
    let kinds: Vec<Option<Kind>> = corpus.rejected.iter().map(|rejected| rejected.kind).collect();
    assert_eq!(kinds, [Some(Kind::All), Some(Kind::Kept), Some(Kind::Sample), Some(Kind::Kept), None]);
}

#[test]
fn the_word_of_earlier_versions_for_a_rejected_line_is_read() {
    let text = "target-corpus 1\n\n# refused: `v <= 3` does not hold\nrefused kept (7, \"\")\n";
    let corpus = Corpus::read(text, &spec(9)).unwrap();
    assert_eq!(corpus.text(&spec(9)), "target-corpus 1\n\nkept (7, \"\")\n");
}

#[test]
fn what_is_no_corpus_file_is_an_error() {
    let message = |text: &str| Corpus::read(text, &spec(9)).expect_err("it is none").to_string();
    assert_eq!(message(""), "line 1: it should begin with `target-corpus 1`");
    assert_eq!(
        message("# x\n[package]"),
        "line 2: a corpus file begins with `target-corpus 1`, this one with `[package]`"
    );
    let later = "line 1: version `2` of the format is unknown, the last known one is 1; update the tool";
    assert_eq!(message("target-corpus 2"), later);
}

#[test]
fn a_carriage_return_ends_a_line() {
    let read =
        Corpus::read("target-corpus 1\r\n\r\nkept (1, \"a\")\r\nall (1, \r\"b\")\r", &spec(9)).unwrap();
    let rejected: Vec<&str> = read.rejected.iter().map(|rejected| &*rejected.line).collect();
    assert_eq!((read.entries.len(), rejected), (1, vec!["all (1,", "\"b\")"]));
    let text = read.text(&spec(9));
    assert_eq!(Corpus::read(&text, &spec(9)).unwrap().text(&spec(9)), text);
}

#[test]
fn what_the_spec_refuses_can_not_be_added() {
    let mut corpus = Corpus::default();
    let rejected = corpus.add(Kind::Kept, args(10, ""), &spec(9));
    assert_eq!(rejected, Err("`v <= 9` does not hold".to_owned()));
    assert!(corpus.entries.is_empty());
}

proptest! {
    #[test]
    fn files_are_read_as_written(
        entries in prop::collection::vec((0..5_usize, -9_i64..9, ".{0,9}"), 0..12),
        comment in ".*",
        damage in ".{0,5}",
        at in any::<prop::sample::Index>(),
    ) {
        let entries: Vec<_> = entries.iter().map(|(kind, n, text)| (Kind::ALL[*kind], *n, text.as_str())).collect();
        let mut corpus = corpus(&entries);
        if let Some(entry) = corpus.entries.first_mut() {
            entry.comments.push(comment);
        }
        let text = corpus.text(&spec(9));
        let read = Corpus::read(&text, &spec(9)).unwrap();
        prop_assert_eq!(&read.rejected, &Vec::new());
        prop_assert_eq!(read.text(&spec(9)), text.clone());
        let at = at.index(text.len() + 1);
        prop_assume!(text.is_char_boundary(at));
        let damaged = format!("{}{damage}{}", &text[..at], &text[at..]);
        if let Ok(read) = Corpus::read(&damaged, &spec(0)) {
            let written = read.text(&spec(0));
            prop_assert_eq!(Corpus::read(&written, &spec(0)).unwrap().text(&spec(0)), written);
        }
    }
}
