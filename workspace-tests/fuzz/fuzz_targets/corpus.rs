//! Corpus files, and values as text: no text makes reading panic, and what is written is read as the same.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use target_strategies::corpus::Corpus;
use target_strategies::logic::ir::Spec;
use target_strategies::logic::notation::{parse_args, print_args};

/// Specs that have every kind of value among them.
static SPECS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let texts = [
        "fn(r1: Pos, r2: Pos, s: Rng(r1))",
        "fn(xs: Sorted<i64>, x: u8, b: bool)",
        "fn(t: Ordered<i64>, l: List, p: Point, w: Wrapper)",
        "fn(s: Word, t: String, c: char, f: f64, g: f32)",
        "fn(m: BTreeMap<u8, String>, s: HashSet<i32>, o: Option<Result<char, u128>>, a: [bool; 3], t: (i128, ()))",
    ];
    texts.map(|text| target_fuzz::of_spec(text).expect(text).spec).into()
});

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let spec = &SPECS[usize::from(choice) % SPECS.len()];
    if let Ok(args) = parse_args(text, spec) {
        let printed = print_args(&args, spec);
        let again = parse_args(&printed, spec).expect("what was printed can be read");
        // Two that are not a number print alike.
        assert_eq!(print_args(&again, spec), printed);
    }
    if let Ok(corpus) = Corpus::read(text, spec) {
        let written = corpus.text(spec);
        let again = Corpus::read(&written, spec).expect("what was written can be read");
        assert_eq!(again.text(spec), written);
    }
});
