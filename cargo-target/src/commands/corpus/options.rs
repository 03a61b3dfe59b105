//! The options that decide how much a corpus file keeps. The file's header stores them for the next time.

use target_bridge::generate::keep::Wanted;

use crate::options::args;

/// Maximum number of inputs of all sizes together, if no size is given: a file that people can read.
const FIT: usize = 200;

/// Maximum number of inputs up to a given size: it bounds the size of the file.
const MOST: usize = 100_000;

/// Default number of boundary cases.
const BOUNDARY: u64 = 32;

/// Default number of samples.
const SAMPLE: u64 = 50;

/// The options in force for a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    all_up_to: Option<u64>,
    sample: Option<u64>,
    seed: Option<u64>,
}

impl Options {
    /// The options of the command line; those that it omits come from the file's header.
    pub fn new(header: &str, args: &args::Corpus) -> Result<Options, String> {
        let old = Options::parse(header)?;
        Ok(Options {
            all_up_to: args.all_up_to.or(old.all_up_to),
            sample: args.sample.or(old.sample),
            seed: args.seed.or(old.seed),
        })
    }

    fn parse(header: &str) -> Result<Options, String> {
        let mut options = Options::default();
        let words: Vec<&str> = header.split_whitespace().collect();
        for pair in words.chunks(2) {
            let wrong = || format!("`{}` is no option of a corpus file", pair.join(" "));
            let n: u64 = pair.get(1).and_then(|n| n.parse().ok()).ok_or_else(wrong)?;
            match pair[0] {
                "--all-up-to" => options.all_up_to = Some(n),
                "--sample" => options.sample = Some(n),
                "--seed" => options.seed = Some(n),
                _ => return Err(wrong()),
            }
        }
        Ok(options)
    }

    /// The options in the format of a file's header: those that were ever given.
    pub fn text(&self) -> String {
        let named = [("--all-up-to", self.all_up_to), ("--sample", self.sample), ("--seed", self.seed)];
        let given: Vec<String> =
            named.into_iter().filter_map(|(name, n)| Some(format!("{name} {}", n?))).collect();
        given.join(" ")
    }

    /// The options in the form that the generators take.
    pub fn wanted(&self, with_boundary: bool) -> Wanted {
        Wanted {
            all_up_to: self.all_up_to,
            fit: FIT,
            most: MOST,
            boundary: if with_boundary { BOUNDARY } else { 0 },
            sample: self.sample.unwrap_or(SAMPLE),
            seed: self.seed.unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn the_head_is_read_as_written() {
        let text = "--all-up-to 3 --sample 0 --seed 9";
        assert_eq!(Options::parse(text).expect("the test's own text parses").text(), text);
        assert_eq!(Options::parse("").expect("the test's own text parses").text(), "");
        let wrong = ["--all-up-to", "--sample x", "--other 1"].map(Options::parse);
        assert!(wrong.iter().all(Result::is_err), "{wrong:?}");
    }
}
