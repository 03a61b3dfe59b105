//! Specs in Rust, compiled by rustc into one program, and what it says of argument tuples.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use target_strategies::logic::value::Value;

use crate::agree::draft::Draft;
use crate::table::Args;

const PRELUDE: &str = include_str!("prelude.rs");
const JUDGE: &str = include_str!("judge.rs");

/// What rustc's code says of an argument tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The spec admits it.
    Admitted,
    /// The spec rejects it.
    Rejected,
    /// A number is too great for the program, or a loop too long.
    Unknown,
}

/// What rustc's code says of argument tuples, for each spec of its own; nothing for specs that rustc does not compile.
pub fn judged(asked: &[(&Draft, &[Args])]) -> Vec<Option<Vec<Said>>> {
    let folder = tempfile::Builder::new().prefix("oracle").tempdir().unwrap();
    let mut program = Program { folder: folder.path(), asked, ill_typed: BTreeSet::new() };
    while let Err(errors) = program.build() {
        let n_before = program.ill_typed.len();
        program.ill_typed.extend(errors.found);
        assert!(program.ill_typed.len() > n_before, "the program does not compile:\n{}", errors.text);
        println!("{}", errors.text);
    }
    let mut said = program.run().into_iter();
    (0..asked.len()).map(|i| if program.ill_typed.contains(&i) { None } else { said.next() }).collect()
}

/// A program that judges arguments by some specs.
struct Program<'a> {
    folder: &'a Path,
    asked: &'a [(&'a Draft, &'a [Args])],
    /// The specs that rustc does not compile, which are left out.
    ill_typed: BTreeSet<usize>,
}

impl Program<'_> {
    fn binary(&self) -> PathBuf {
        self.folder.join("oracle")
    }

    /// The specs that are in it, by their numbers.
    fn specs(&self) -> impl Iterator<Item = (usize, &(&Draft, &[Args]))> {
        self.asked.iter().enumerate().filter(|(i, _)| !self.ill_typed.contains(i))
    }

    fn build(&self) -> Result<(), Errors> {
        let names: Vec<String> = self.specs().map(|(i, _)| format!("spec_{i}")).collect();
        let (start, end) = (PRELUDE, without_doc(JUDGE));
        let mut source = format!(
            "{start}\n{end}\nconst SPECS: &[fn(&mut Tokens<'_>) -> bool] = &[{}];\n",
            names.join(", ")
        );
        // The line at which each spec starts.
        let mut starts = Vec::new();
        for ((i, (draft, _)), name) in self.specs().zip(&names) {
            starts.push((source.lines().count() + 1, i));
            source.push_str(&draft.rust_function(name));
        }
        let file = self.folder.join("oracle.rs");
        std::fs::write(&file, source).unwrap();
        let output = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--edition", "2024", "--cap-lints", "allow", "--error-format", "short"])
            .args(["-C", "overflow-checks=on", "-C", "debuginfo=0", "-o"])
            .args([self.binary(), file])
            .output()
            .unwrap();
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = |error: &str| -> Option<usize> {
            error.split_once("oracle.rs:")?.1.split(':').next()?.parse().ok()
        };
        let spec = |line: usize| starts.iter().rev().find(|(start, _)| *start <= line).map(|(_, i)| *i);
        Err(Errors { found: text.lines().filter_map(line).filter_map(spec).collect(), text })
    }

    /// What the program says of the tuples, for each spec that is in it.
    fn run(&self) -> Vec<Vec<Said>> {
        let mut input = String::new();
        for (number, (_, (_, tuples))) in self.specs().enumerate() {
            let _ = write!(input, "{number} {}", tuples.len());
            tuples.iter().flatten().for_each(|value| write_value(value, &mut input));
            input.push('\n');
        }
        let mut child =
            Command::new(self.binary()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input.as_bytes()).unwrap());
            child.wait_with_output().unwrap()
        });
        assert!(output.status.success(), "{:?}", output.status);
        let said = |letter: char| match letter {
            '1' => Said::Admitted,
            '0' => Said::Rejected,
            _ => Said::Unknown,
        };
        let said: Vec<Vec<Said>> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| line.chars().map(said).collect())
            .collect();
        assert_eq!(said.len(), self.specs().count());
        said
    }
}

/// What rustc did not compile.
struct Errors {
    found: Vec<usize>,
    text: String,
}

/// A file that is not the first of a program.
fn without_doc(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("//!")).map(|line| format!("{line}\n")).collect()
}

/// A value as the program reads it.
fn write_value(value: &Value, text: &mut String) {
    let _ = match value {
        Value::Bool(b) => write!(text, " {}", u8::from(*b)),
        Value::Int(n) => write!(text, " {n}"),
        Value::Char(c) => write!(text, " {}", u32::from(*c)),
        Value::Float(x) => write!(text, " {}", x.to_bits()),
        Value::Str(string) => write!(text, " {}", string.chars().count()),
        Value::Seq(parts) => write!(text, " {}", parts.len()),
        Value::Tuple(_) => Ok(()),
        Value::Data(ctor, _) => write!(text, " {ctor}"),
    };
    match value {
        Value::Str(string) => string.chars().for_each(|c| write_value(&Value::Char(c), text)),
        Value::Seq(parts) => parts.iter().for_each(|part| write_value(part, text)),
        Value::Tuple(parts) => parts.iter().for_each(|part| write_value(part, text)),
        Value::Data(_, fields) => fields.iter().for_each(|field| write_value(field, text)),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => {}
    }
}
