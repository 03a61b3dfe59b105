//! Prints specs whose examples are strings that match regular expressions, as proptest or hegel make them.
//!
//! Standard input is the manifest of the fixture `strings`, with the expressions. The arguments are the library, a seed, and the number
//! of strings for each expression. The output is a file to include in that manifest.

use std::io::BufRead;
use std::sync::{Arc, Mutex};

use contest::{TestCase, gs, hegel};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, seed, n] = &arguments[..] else {
        panic!("the arguments are a library, a seed and a number of strings");
    };
    let (seed, n) =
        (seed.parse().expect("a seed is a number"), n.parse().expect("the third argument is a number"));
    println!("[functions]");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a manifest is text");
        let Some((name, expression)) = outer_form(&line) else { continue };
        let strings = match library.as_str() {
            "proptest" => by_proptest(expression, seed, n),
            "hegel" => by_hegel(expression, seed, n),
            _ => panic!("the libraries are proptest and hegel"),
        };
        let examples: Vec<String> = strings.iter().map(|string| format!("'''({string:?},)'''")).collect();
        println!(
            "{name}_{library} = {{ call = \"{name}::read\", spec = \"fn(s: &str)\", examples = [{}] }}",
            examples.join(", ")
        );
    }
}

/// The program and the expression of a line of the manifest that has the outer form of a program's strings.
fn outer_form(line: &str) -> Option<(String, &str)> {
    let (name, text) = line.split_once(" = '''{s: &str | s.matches(r\"")?;
    let name = name.to_lowercase();
    let expression = text.strip_suffix("\")}'''")?;
    (name != "plain" && !name.ends_with("cases")).then_some((name, expression))
}

/// The first strings of the strategy `string_regex`.
fn by_proptest(expression: &str, seed: u64, n: usize) -> Vec<String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    let strategy =
        proptest::string::string_regex(expression).expect("the expression is one that proptest knows");
    (0..n).map(|_| strategy.new_tree(&mut runner).expect("nothing is rejected").current()).collect()
}

/// The strings of a test by hegel with as many cases.
fn by_hegel(expression: &str, seed: u64, n: usize) -> Vec<String> {
    let settings = contest::hegel_settings(n as u64, seed);
    let strings = Arc::new(Mutex::new(Vec::new()));
    let (made, expression) = (strings.clone(), expression.to_owned());
    let test = move |case: TestCase| {
        let string = case.draw_silent(gs::from_regex(&expression).fullmatch(true));
        made.lock().expect("no case panics while it holds the lock").push(string);
    };
    hegel::Hegel::new(test).settings(settings).run();
    let strings = strings.lock().expect("no case panics while it holds the lock");
    strings.iter().take(n).cloned().collect()
}
