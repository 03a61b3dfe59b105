//! Prints entries as the text of a corpus file. Equal entries give equal text.

use std::collections::BTreeMap;

use super::entry::{Corpus, Entry, Kind, REJECTED, Rejected, VERSION};
use crate::logic::ir::Spec;
use crate::logic::notation::print_args;
use crate::shrink::{Size, size};

impl Corpus {
    /// The text of the file. Each argument tuple occurs once. Entries are ordered by kind, then by size, then by
    /// text.
    pub fn text(&self, spec: &Spec) -> String {
        let mut blocks = vec![self.header()];
        let entries = self.in_order(spec);
        for kind in Kind::ALL {
            let of_kind = entries.iter().filter(|entry| entry.kind == kind);
            let line = |entry: &Entry| {
                comments(&entry.comments) + &format!("{} {}\n", kind.word(), print_args(&entry.args, spec))
            };
            blocks.push(of_kind.map(line).collect());
        }
        blocks.push(self.rejected());
        blocks.push(comments(&self.last_comments));
        blocks.retain(|block| !block.is_empty());
        blocks.join("\n")
    }

    /// The entries in the order of a file, each argument tuple once.
    pub fn in_order(&self, spec: &Spec) -> Vec<Entry> {
        let entries = self.distinct(spec);
        let with_key = |(text, entry): (String, Entry)| {
            let Size { structure, magnitude, .. } = size(&entry.args);
            ((entry.kind, structure, magnitude, text), entry)
        };
        let mut entries: Vec<_> = entries.into_iter().map(with_key).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    fn header(&self) -> String {
        let mut header = comments(&self.comments) + &format!("target-corpus {VERSION}\n");
        let lines = [("function", &self.function), ("options", &self.options)];
        let lines = lines.into_iter().chain(self.spec.iter().map(|line| ("spec", line)));
        for (word, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            header += &format!("{word} {}\n", in_one_line(text));
        }
        header
    }

    /// The entries by their text. Entries with equal arguments are merged.
    fn distinct(&self, spec: &Spec) -> BTreeMap<String, Entry> {
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for entry in &self.entries {
            let text = print_args(&entry.args, spec);
            match entries.get_mut(&text) {
                None => {
                    entries.insert(text, entry.clone());
                }
                Some(known) => {
                    known.kind = known.kind.min(entry.kind);
                    add_new(&mut known.comments, &entry.comments);
                }
            }
        }
        entries
    }

    fn rejected(&self) -> String {
        let mut lines: BTreeMap<&str, Rejected> = BTreeMap::new();
        for rejected in &self.rejected {
            let known = lines
                .entry(&rejected.line)
                .or_insert_with(|| Rejected { comments: Vec::new(), ..rejected.clone() });
            add_new(&mut known.comments, &rejected.comments);
        }
        let text = |(line, rejected): (&str, Rejected)| {
            let reason = in_one_line(&rejected.reason);
            comments(&rejected.comments) + &format!("# {REJECTED}{reason}\nrejected {}\n", in_one_line(line))
        };
        lines.into_iter().map(text).collect()
    }
}

fn add_new(comments: &mut Vec<String>, more: &[String]) {
    for comment in more {
        if !comments.contains(comment) {
            comments.push(comment.clone());
        }
    }
}

fn comments(comments: &[String]) -> String {
    let line = |comment: &String| format!("# {}", in_one_line(comment)).trim_end().to_owned() + "\n";
    comments.iter().map(line).collect()
}

/// A text without line breaks, for a comment that ends with its line.
pub fn in_one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim_end).collect::<Vec<_>>().join(" ")
}
