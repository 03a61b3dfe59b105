//! The arguments of the benches that print their own tables: words behind `--`.

use std::str::FromStr;

/// The words of the command line.
#[derive(Clone, Debug)]
pub struct Options {
    words: Vec<String>,
}

impl Options {
    /// Those of the process, or none where a bench is not meant to run: `cargo test --benches` only wants to know whether
    /// it builds.
    #[must_use]
    pub fn of_bench() -> Option<Options> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        words.iter().any(|word| word == "--bench").then_some(Options { words })
    }

    /// Whether a word is there.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }

    /// The text behind a word.
    #[must_use]
    pub fn text(&self, word: &str) -> Option<&str> {
        let at = self.words.iter().position(|other| other == word)?;
        Some(self.words.get(at + 1).unwrap_or_else(|| panic!("{word} takes a value")))
    }

    /// The number behind a word.
    ///
    /// # Panics
    ///
    /// Panics if it is none.
    #[must_use]
    pub fn number<T: FromStr>(&self, word: &str) -> Option<T> {
        let text = self.text(word)?;
        Some(text.parse().unwrap_or_else(|_| panic!("{word} takes a number, not {text}")))
    }
}
